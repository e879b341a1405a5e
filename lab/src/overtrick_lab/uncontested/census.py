"""Which hands make a call: random hands sent through a learned strategy, and what they have
shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overtrick.game import CALLS, SUIT_WORDS, Call, Hand
from overtrick.game.meaning import Lengths, Range
from overtrick_lab.uncontested.features import CONTRACTS, lengths, points
from overtrick_lab.uncontested.models import Bits, Ints, Model

TAIL = 0.05  # of the hands may lie outside a range on each side
ENOUGH = 20  # hands below which nothing is promised
_BALANCED = frozenset(((3, 3, 3, 4), (2, 3, 4, 4), (2, 3, 3, 5)))
_SURE = 0.9


def call_of(index: int) -> Call:
    """The game's call for a contract index: 0 is Pass, 1..35 are the bids."""
    return CALLS[index + 2] if index else CALLS[0]


def index_of(call: int) -> int:
    """The contract index of Pass or a bid."""
    if call in (1, 2):
        raise ValueError(f"{CALLS[call]} has no place in an uncontested auction")
    return call - 2 if call else 0


def hand_of(bits: Bits) -> Hand:
    """A row of 52 zeros and ones as a hand."""
    return Hand.of(int(card) for card in np.flatnonzero(bits))


def bits_of(hand: Hand) -> Bits:
    """A hand as one row `[1, 52]`."""
    row = np.zeros((1, 52), dtype=np.uint8)
    row[0, [int(card) for card in hand]] = 1
    return row


def deal_hands(count: int, rng: np.random.Generator, seats: int = 1) -> Bits:
    """Random disjoint hands `[count, seats, 52]`."""
    order = rng.random((count, 52)).argsort(axis=1)
    out = np.zeros((count, seats, 52), dtype=np.uint8)
    for seat in range(seats):
        np.put_along_axis(out[:, seat], order[:, 13 * seat : 13 * seat + 13], 1, axis=1)
    return out


@dataclass(frozen=True, slots=True)
class HandCensus:
    """A set of hands described: ranges that hold for nine in ten, averages, a typical hand."""

    hands: int
    hcp: Range
    mean_hcp: float
    spread: tuple[float, ...]  # share of hands with 0, 1, 2 … points
    lengths: Lengths
    mean_lengths: tuple[float, float, float, float]
    balanced: float
    typical: tuple[Hand, ...]

    def long_suit(self) -> int | None:
        """The suit these hands are known by: longest on average and clearly more than others."""
        order = sorted(range(4), key=lambda suit: -self.mean_lengths[suit])
        first, second = (self.mean_lengths[suit] for suit in order[:2])
        return order[0] if first >= 4.5 and first - second >= 0.75 else None

    def words(self, named: int | None = None) -> str:
        """Only what distinguishes the hands: strength, and suits that are surely long or short.

        Three cards are worth saying in the suit that was `named`.
        """
        low, high = self.hcp
        parts = [f"at most {high} hcp" if low == 0 else f"{low}–{high} hcp"]
        for suit in (3, 2, 1, 0):
            short, long = self.lengths[suit]
            if short >= (3 if suit == named else 4):
                parts.append(f"{short}+ {SUIT_WORDS[suit]}")
            elif long <= 2 or (long == 3 and short <= 1):
                parts.append(f"at most {long} {SUIT_WORDS[suit]}")
        if self.balanced >= _SURE:
            parts.append("balanced")
        elif len(parts) == 1:
            parts.append(self._leaning())
        return ", ".join(parts)

    def _leaning(self) -> str:
        longest = self.long_suit()
        return "any shape" if longest is None else f"usually {SUIT_WORDS[longest]}"


def shown(hands: Bits) -> HandCensus:
    """Describe hands `[n, 52]`; at least one is needed."""
    if not len(hands):
        raise ValueError("no hands to describe")
    strength = points(hands).astype(np.int64)
    shape = lengths(hands)
    patterns, counts = np.unique(np.sort(shape, axis=1), axis=0, return_counts=True)
    flat = sum(int(n) for row, n in zip(patterns, counts, strict=True) if tuple(row) in _BALANCED)
    sides = [_middle(shape[:, suit]) for suit in range(4)]
    means = shape.mean(axis=0)
    return HandCensus(
        hands=len(hands),
        hcp=_middle(strength),
        mean_hcp=float(strength.mean()),
        spread=tuple(float(x) for x in np.bincount(strength, minlength=38) / len(hands)),
        lengths=(sides[0], sides[1], sides[2], sides[3]),
        mean_lengths=(float(means[0]), float(means[1]), float(means[2]), float(means[3])),
        balanced=flat / len(hands),
        typical=_typical(hands, strength, shape),
    )


def _middle(values: Ints) -> Range:
    low, high = np.quantile(values, (TAIL, 1 - TAIL), method="inverted_cdf")
    return int(low), int(high)


def _typical(hands: Bits, strength: Ints, shape: Ints, count: int = 2) -> tuple[Hand, ...]:
    """Hands nearest to the average in strength and shape."""
    away = ((strength - strength.mean()) / 3.0) ** 2
    away = away + ((shape - shape.mean(axis=0)) ** 2).sum(axis=1)
    return tuple(hand_of(hands[row]) for row in np.argsort(away, kind="stable")[:count])


def is_artificial(calls: Sequence[int], what: HandCensus, passed: float | None) -> bool:
    """Does the last of `calls` not mean the suit, or the balanced hand, that it names?

    A bid that partner usually passes is meant as a contract, and so is a suit bid before
    unless it is never passed.
    """
    call = calls[-1]
    if call == 0 or (passed is not None and passed > 0.5):
        return False
    strain = (call - 1) % 5
    if strain == 4:
        return what.balanced < 0.5
    before = any(bid > 0 and (bid - 1) % 5 == strain for bid in calls[:-1])
    raised = before and passed is not None and passed > 0.02
    return not raised and what.lengths[strain][0] < 3


class Census:
    """Random hands sorted by the calls a model makes with them; nodes are visited when asked for.

    A player's calls depend on the own hand and the auction only, so the hands a player may hold
    are those that would have made all of that player's earlier calls.
    """

    def __init__(self, model: Model, size: int = 6000, seed: int = 2015) -> None:
        self.model = model
        self.hands: Bits = deal_hands(size, np.random.default_rng(seed))[:, 0]
        self._chosen: dict[tuple[int, ...], tuple[Ints, Ints]] = {}

    def choices(self, calls: Sequence[int]) -> tuple[Ints, Ints]:
        """After `calls`: rows of hands the player to speak may hold, and the call each makes."""
        key = tuple(calls)
        if key not in self._chosen:
            rows = np.arange(len(self.hands))
            if len(key) > 1:
                before, made = self.choices(key[:-2])
                rows = before[made == key[-2]]
            call = np.zeros(0, dtype=np.int64)
            if len(rows):
                call = self.model.values(self.hands[rows], key).argmax(axis=1)
            self._chosen[key] = (rows, call)
        return self._chosen[key]

    def shown(self, calls: Sequence[int], call: int) -> HandCensus | None:
        """What `call` after `calls` shows; None when too few hands make it."""
        rows, made = self.choices(calls)
        here = rows[made == call]
        return shown(self.hands[here]) if len(here) >= ENOUGH else None

    def passes(self, calls: Sequence[int]) -> float | None:
        """How often the player to speak after `calls` passes; None when hardly anyone is there."""
        rows, made = self.choices(calls)
        return float((made == 0).mean()) if len(rows) >= ENOUGH else None


def share_of(made: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Frequency of the 36 calls in an array of calls."""
    return np.asarray(np.bincount(made, minlength=CONTRACTS) / max(len(made), 1))
