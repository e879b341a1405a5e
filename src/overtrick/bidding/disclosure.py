"""What a learned call shows: the hands with which the network makes it, described.

Random hands are weighed by how likely they make the calls that a seat has made; where few of them
do, cards are exchanged between such hands and the rest of the pack, so that there are many again.
What is told holds for nearly all of them, and it is said how many it does not hold for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
from overtrick.game import SUIT_WORDS, Forcing, Hand, Meaning, View
from overtrick.game.meaning import ANY_LENGTH, Range
from overtrick.nets.features import (
    FIRST_BID,
    legal_calls,
    observe,
    public_bits,
    system_bits,
    system_number,
)
from overtrick.nets.inference import Network, softmax
from overtrick.nets.quiet import kept_quiet

TOLD: Final = 0.995
"""Share of the hands that lie inside what is told: within two in a hundred at the table."""
_TAILS: Final = (0.05, 0.03, 0.02, 0.014, 0.01, 0.007, 0.005, 0.003, 0.002, 0.001, 0.0)
_MOSTLY: Final = 0.05  # of the hands may lie outside the words on each side
_KEPT: Final = 6  # one in so many of the first random hands goes on through the auction
_FEW: Final = 0.35  # effective share of the hands below which cards are exchanged …
_SWEEPS: Final = 3  # … so often …
_ROWS: Final = 12_000  # … or as often as so many rows of the network allow
_HARDLY: Final = 5e-4  # a call that fewer of the hands make is not described
_NEVER: Final = 1e-6
_WEAK: Final = 5  # points at which a bid without a long suit is a surprise …
_SURPRISES: Final = 0.03  # … which is told when it comes so often

Hands = NDArray[np.uint64]
Floats = NDArray[np.float64]
Counts = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """Random hands weighted by how likely they make the calls they made."""

    hands: Hands
    weights: Floats  # sum 1
    share: float  # of the hands that came so far, how many make the last call

    @property
    def effective(self) -> float:
        return float(1 / (self.weights**2).sum())

    def quantile(self, values: Counts, share: float) -> int:
        order = np.argsort(values, kind="stable")
        at = np.searchsorted(np.cumsum(self.weights[order]), share)
        return int(values[order[min(int(at), len(order) - 1)]])

    def middle(self, values: Counts, tail: float = _MOSTLY) -> Range:
        """The range that leaves out only the tails."""
        return self.quantile(values, tail), self.quantile(values, 1 - tail)

    def inside(self, features: Sequence[Counts], ranges: Sequence[Range]) -> float:
        """The share of the hands that lie in all of these ranges."""
        found = np.ones(len(self.hands), bool)
        for values, (low, high) in zip(features, ranges, strict=True):
            found &= (values >= low) & (values <= high)
        return float(self.weights[found].sum())

    def typical(self, count: int = 3) -> list[Hand]:
        """The likeliest sampled hands."""
        best = np.argsort(-self.weights, kind="stable")[:count]
        return [Hand(int(self.hands[i])) for i in best]


@dataclass(frozen=True, slots=True)
class AskedCall:
    """An auction whose last call is to be explained, and what both sides declared.

    Systems are numbers of nets.features.SYSTEMS, None when unknown; `ours` is the caller's side.
    `heat` says how much less sure than its network a player is: one who searches turns some calls.
    """

    calls: tuple[int, ...]
    dealer: int
    vul: int
    ours: int | None = None
    theirs: int | None = None
    heat: float = 1.0

    @property
    def seat(self) -> int:
        """Who made the last call."""
        return (self.dealer + len(self.calls) - 1) % 4

    @property
    def before(self) -> AskedCall:
        """The auction without the last call."""
        return self.until(len(self.calls) - 1)

    def then(self, call: int) -> AskedCall:
        """The auction with another call."""
        return replace(self, calls=(*self.calls, call))

    def until(self, count: int) -> AskedCall:
        """The first calls of the auction."""
        return replace(self, calls=self.calls[:count])


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Random hands of the seat on turn, how they fit its calls so far, what they would call now."""

    hands: Hands
    weights: Floats
    chances: Floats  # [hands, 38]

    @property
    def shares(self) -> Floats:
        """How often each call is made."""
        return np.asarray(self.weights @ self.chances)


def chances_of(net: Network, so_far: AskedCall, hands: Hands) -> Floats:
    """[hands, 38]: what each of these hands would call next."""
    seat = (so_far.dealer + len(so_far.calls)) % 4
    told = system_bits(so_far.ours, so_far.theirs, net.version)
    public = public_bits(so_far.calls, so_far.dealer, so_far.vul, seat)
    rows = observe(hands, public, told)
    scores = np.where(legal_calls(rows[:1]), net.run(rows) / np.float32(so_far.heat), -np.inf)
    chances = softmax(scores.astype(np.float32)).astype(np.float64)
    return np.asarray(kept_quiet(net.name, rows, chances))


@lru_cache(maxsize=64)
def known(net: Network, so_far: AskedCall, sample: int) -> Known:
    """What is known of the seat on turn, beginning with so many random hands. `ours` is that
    seat's side. One question answers for all 38 calls."""
    turn = len(so_far.calls)
    if turn < 4:
        hands = random_hands(np.random.default_rng(97 + so_far.vul), sample)
        weights = np.full(sample, 1 / sample)
    else:
        earlier = posterior(net, so_far.until(turn - 3), sample)
        hands, weights = earlier.hands, earlier.weights
    return Known(hands, weights, chances_of(net, so_far, hands))


@lru_cache(maxsize=256)
def posterior(net: Network, asked: AskedCall, sample: int) -> Posterior:
    """Hands of the seat that made the last call, given all calls that seat made."""
    found = known(net, asked.before, sample)
    call = asked.calls[-1]
    share = float(found.shares[call])
    weights = found.weights * np.maximum(found.chances[:, call], _NEVER)
    weights /= weights.sum()
    enough = 1 / (weights**2).sum() >= _FEW * len(weights)
    if enough or share < _HARDLY:
        return Posterior(found.hands, weights, share)
    count = max(sample // _KEPT, 1)
    rng = np.random.default_rng([asked.dealer, asked.vul, *asked.calls])
    # Evenly spaced marks on the summed weights: likely hands several times, unlikely ones rarely.
    marks = (np.arange(count) + rng.random()) / count
    drawn = np.minimum(np.searchsorted(np.cumsum(weights), marks), len(weights) - 1)
    hands = _exchanged(net, asked, found.hands[drawn], rng)
    return Posterior(hands, np.full(count, 1 / count), share)


def _exchanged(net: Network, asked: AskedCall, hands: Hands, rng: Generator) -> Hands:
    """Other hands that are as likely to have made these calls: cards are exchanged with the rest of
    the pack, and an exchange stands as often as the calls stay likely (Metropolis)."""
    turns = range((len(asked.calls) - 1) % 4, len(asked.calls), 4)

    def fit(hands: Hands) -> Floats:
        logs = np.zeros(len(hands))
        for turn in turns:
            chances = chances_of(net, asked.until(turn), hands)[:, asked.calls[turn]]
            logs += np.log(np.maximum(chances, _NEVER))
        return logs

    fits = fit(hands)
    for _ in range(min(_SWEEPS, max(_ROWS // (len(hands) * len(turns)), 1))):
        tried = _one_exchanged(hands, rng)
        twice = rng.random(len(hands)) < 0.5
        tried = np.where(twice, _one_exchanged(tried, rng), tried)
        new = fit(tried)
        stands = np.log(rng.random(len(hands))) < new - fits
        hands, fits = np.where(stands, tried, hands), np.where(stands, new, fits)
    return hands


def _one_exchanged(hands: Hands, rng: Generator) -> Hands:
    """Each hand with one of its cards replaced by one that it does not hold."""
    bits = (hands[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1) > 0
    keys = rng.random(bits.shape)
    out = np.where(bits, keys, -1).argmax(axis=1).astype(np.uint64)
    new = np.where(bits, -1, keys).argmax(axis=1).astype(np.uint64)
    one = np.uint64(1)
    return np.asarray(hands & ~(one << out) | one << new)


def measured(net: Network, view: View, call: int, sample: int, heat: float = 1.0) -> Meaning:
    """What a call of this seat shows; it depends on the auction, not on who holds what."""
    asked = AskedCall(
        (*(int(c) for c in view.auction.calls), call),
        int(view.dealer),
        int(view.vul),
        system_number(view.systems.ours),
        system_number(view.systems.theirs),
        heat,
    )
    return disclose(net, asked, sample)


@lru_cache(maxsize=4096)
def disclose(net: Network, asked: AskedCall, sample: int) -> Meaning:
    """The meaning of the last call: ranges that hold for nearly all hands."""
    return described(net, asked, posterior(net, asked, sample))


def described(net: Network, asked: AskedCall, found: Posterior) -> Meaning:
    """The same in words and ranges, when the hands have been drawn already."""
    if found.share < _HARDLY:
        return Meaning("learned: hardly ever made here, so anything", rule=net.name)
    hands = HandArray(found.hands)
    points = feature("HCP")(hands)
    suits = [hands.look("length", suit) for suit in range(4)]
    features = (points, *suits)
    hcp, *lengths = next(
        told
        for tail in _TAILS
        if found.inside(features, told := [found.middle(values, tail) for values in features])
        >= TOLD
    )
    words = _words(found, points, suits)
    longest = np.max(suits, axis=0)
    weak = float(found.weights[(points <= _WEAK) & (longest <= 4)].sum())
    if asked.calls[-1] and weak >= _SURPRISES:
        words += ", may be weak with anything"
    return Meaning(
        f"learned: {words}",
        hcp=hcp,
        lengths=tuple(lengths),  # type: ignore[arg-type]
        forcing=Forcing.NONE,
        alert=_artificial(asked, [found.middle(values) for values in suits]),
        rule=net.name,
    )


def _artificial(asked: AskedCall, lengths: list[Range]) -> bool:
    """A bid up to four in a suit that may be short and is not partner's: told without asking."""
    bid = asked.calls[-1] - FIRST_BID
    if not 0 <= bid < 20 or bid % 5 == 4 or lengths[bid % 5][0] >= 3:
        return False
    by_partner = [call - FIRST_BID for call in asked.calls[-3::-4]]
    return all(other < 0 or other % 5 != bid % 5 for other in by_partner)


def _words(found: Posterior, points: Counts, suits: list[Counts]) -> str:
    """Only what distinguishes the hand: strength, and suits that are mostly long or short; and of
    how many hands that is true."""
    hcp = found.middle(points)
    parts, features, ranges = [f"{hcp[0]}–{hcp[1]} hcp"], [points], [hcp]
    for suit in (3, 2, 1, 0):
        low, high = found.middle(suits[suit])
        if low < 4 <= high:
            continue
        parts.append(
            f"{low}+ {SUIT_WORDS[suit]}" if low >= 4 else f"at most {high} {SUIT_WORDS[suit]}"
        )
        features.append(suits[suit])
        ranges.append((low, ANY_LENGTH[1]) if low >= 4 else (0, high))
    return f"{100 * found.inside(features, ranges):.0f} in 100 have {', '.join(parts)}"


def random_hands(rng: Generator, count: int) -> Hands:
    """Uniformly random hands of 13 cards as 52-bit numbers."""
    order = np.argpartition(rng.random((count, 52)), 13, axis=1)[:, :13].astype(np.uint64)
    found: Hands = np.bitwise_or.reduce(np.uint64(1) << order, axis=1)
    return found
