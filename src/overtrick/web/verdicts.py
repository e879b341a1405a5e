"""Wrong, close, or as good as any? Worlds are drawn until the difference is plain, or is small.
Used by the review, club evenings and lessons; the seat that decided is judged by what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.bidding.kernel import (
    Contracts,
    Held,
    Position,
    RulesCaller,
    Utility,
    Walk,
    utility_of,
)
from overtrick.bidding.rules import reading_of
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import score_table
from overtrick.game import Auction, BridgeError, Call, Card, Contract, View
from overtrick.nets.contract import imps_of

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
Word = Literal["forced", "good", "close", "wrong"]
Row = dict[str, Any]

_SURE: Final = 3.5  # standard errors: several looks at several cards each must not find a fault
_CLEAR: Final = 2.0
_CARD: Final = 0.25  # IMPs: less is no fault of a card …
_CALL: Final = 0.75  # … or of a call, whose rest is bid by robots
_LEAD_ROUNDS: Final = (24, 96)  # leads are slow to solve
_CARD_ROUNDS: Final = (64, 256, 1024)
CALL_ROUNDS: Final = (128, 512, 1024)
_SLOWER: Final = 16  # double dummy instead of the network: fewer deals for a call
_HEAVY: Final = 12  # with more tricks than this to come, solving is slow


@dataclass(frozen=True, slots=True)
class Choice:
    """One action: IMPs gained over what was done, and for cards how often the contract is made (or
    beaten) and how many tricks declarer takes in all."""

    action: str
    imps: float
    error: float
    chance: float | None = None
    tricks: float | None = None
    tricks_error: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was done beside what was best. `loss` is in IMPs, with its standard error."""

    word: Word
    done: str
    better: str = ""
    loss: float = 0.0
    error: float = 0.0
    worlds: int = 0
    how: str = ""
    choices: tuple[Choice, ...] = ()

    def to_dict(self) -> Row:
        return {
            "word": self.word, "done": self.done, "better": self.better,
            "loss": round(self.loss, 2), "error": round(self.error, 2), "worlds": self.worlds,
            "how": self.how,
            "choices": [
                {
                    "action": c.action, "imps": round(c.imps, 2), "error": round(c.error, 2),
                    "chance": _short(c.chance), "tricks": _short(c.tricks),
                    "tricks_error": _short(c.tricks_error),
                }
                for c in self.choices
            ],
        }  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


@dataclass(frozen=True, slots=True)
class _Seen:
    """IMPs that every action gains over the one that was taken, in every world."""

    gains: Floats  # (worlds, actions)
    weights: Floats
    how: str
    complete: bool = False
    tricks: Floats | None = None  # declarer's, in all
    chance: Floats | None = None  # by action


def card_verdict(
    view: View, card: Card, seed: int | None = None, rounds: Sequence[int] = ()
) -> Verdict:
    """A card, judged by what its player could see; every legal card beside it.

    Touching cards are one choice. The worlds are those of the card players; when there are few
    layouts left, they are all of them and there is no error.
    """
    at = situation(view)
    groups = at.groups()
    if len(groups) == 1:
        return Verdict("forced", card.ascii)
    own = next(g for g in groups if card in g)
    first = [card if g is own else g[-1] for g in groups]
    usual = _LEAD_ROUNDS if not at.play.cards else _CARD_ROUNDS
    rounds = rounds or (usual[:2] if at.left > _HEAVY else usual)
    rng = np.random.default_rng(view.seed if seed is None else seed)
    cards = _Cards(at, first, first.index(card), rng)
    judge = _Judge([c.ascii for c in first], cards.done, _CARD)
    return judge.settled(cards.seen(count) for count in rounds)


@dataclass(frozen=True, slots=True)
class _Cards:
    """Draws worlds and solves every card in them."""

    at: Situation
    cards: Sequence[Card]
    done: int
    rng: np.random.Generator

    def seen(self, count: int) -> _Seen:
        at = self.at
        worlds = sample_worlds(at, count, self.rng, evidence("auction"))
        solved = dd.solve_worlds(worlds.hands, at.strain, at.leader, at.trick)
        tricks = solved[:, [int(c) for c in self.cards]]
        total = at.play.declarer_tricks + (tricks if at.declaring else at.left - tricks)
        how = "every layout there is" if worlds.complete else "drawn, and weighed by the auction"
        points = score_table(at)[tricks]
        own = points[:, self.done : self.done + 1]
        return _Seen(
            np.asarray(imps_of(points - own), float),
            worlds.weights,
            how,
            worlds.complete,
            total.astype(float),
            worlds.weights @ (tricks >= at.target),
        )


Draw = Callable[[int, np.random.Generator], tuple[Hands, str]]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What could have been called: calls after which robots bid on by the systems, and contracts
    that would have been final, such as a game that was never bid."""

    calls: tuple[Call, ...]
    final: tuple[Contract, ...] = ()


def call_verdict(
    view: View,
    call: Call,
    others: Alternatives,
    systems: tuple[str, str],
    draw: Draw,
    seed: int | None = None,
    rounds: Sequence[int] = CALL_ROUNDS,
) -> Verdict:
    """A call, judged over deals its maker could think possible.

    `systems` are the rules by which our side and theirs bid on. What a contract is worth in a deal
    comes from the network that has learned double-dummy tricks, since a call needs many deals.
    """
    calls = [call, *(c for c in dict.fromkeys(others.calls) if c != call)]
    names = [c.ascii for c in calls]
    names += [f"{c.ascii} {c.declarer.letter}" for c in others.final]
    if len(names) == 1:
        return Verdict("good", call.ascii)
    rng = np.random.default_rng(view.seed if seed is None else seed)
    bids = _Calls(view, calls, others.final, systems)
    judge = _Judge(names, 0, _CALL)
    fewer = _SLOWER if _utility().tricks == "dd" else 1
    return judge.settled(bids.seen(*draw(count // fewer, rng)) for count in rounds)


@lru_cache(maxsize=1)
def _utility() -> Utility:
    """IMPs by the tricks network; by the solver where no network can be run."""
    try:
        return utility_of("tricks/imps")
    except (ImportError, BridgeError):
        return utility_of("dd/imps")


@dataclass(frozen=True, slots=True)
class _Calls:
    """Bids worlds on after every call and plays the contracts double dummy."""

    view: View
    calls: Sequence[Call]
    final: Sequence[Contract]
    systems: tuple[str, str]

    def seen(self, hands: Hands, how: str) -> _Seen:
        view = self.view
        reading, mine = reading_of(*self.systems), view.seat & 1
        # The reading's first system is the caller's side's.
        callers = [RulesCaller(reading, int(seat & 1 != mine)) for seat in range(4)]
        walk, calls = Walk(Held(hands), callers), [int(c) for c in self.calls]
        reached, _ = walk.after(Position.of(view), calls)
        if self.final:
            fixed = [[(c.level - 1) * 5 + c.strain, c.declarer, c.doubled] for c in self.final]
            every = np.broadcast_to(np.array(fixed, np.int64), (len(hands), len(fixed), 3))
            reached = reached.beside(Contracts.of(every))
        leaves = _utility().leaves(hands, int(view.vul), mine)
        return _Seen(leaves.values(reached), np.full(len(hands), 1 / len(hands)), how)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Compares every action with the one that was taken, world by world."""

    names: Sequence[str]
    done: int
    small: float  # IMPs that are no fault
    places: list[int] = field(init=False)

    def __post_init__(self) -> None:
        places = [i for i in range(len(self.names)) if i != self.done]
        object.__setattr__(self, "places", places)

    def settled(self, rounds: Iterator[_Seen]) -> Verdict:
        """The verdict of the first round that is plain; after the last one, close."""
        verdict = None
        for seen in rounds:
            verdict = self.verdict(seen)
            if verdict.word != "close" or seen.complete:
                break
        assert verdict is not None
        return verdict

    def verdict(self, seen: _Seen) -> Verdict:
        gains = seen.gains
        means = seen.weights @ gains
        errors = _errors(gains, means, seen)
        best = max(self.places, key=lambda i: means[i])
        loss, error = float(means[best]), float(errors[best])
        plain = any(means[i] - _SURE * errors[i] >= self.small for i in self.places)
        if plain:
            best = max(self.places, key=lambda i: means[i] - _SURE * errors[i])
            loss, error, word = float(means[best]), float(errors[best]), "wrong"
        elif all(means[i] + _CLEAR * errors[i] < self.small for i in self.places):
            word = "good"
        else:
            word = "close"
        tricks = None if seen.tricks is None else seen.weights @ seen.tricks
        spread = None if tricks is None else _errors(seen.tricks, tricks, seen)
        choices = [
            Choice(
                name,
                float(means[i]),
                float(errors[i]),
                None if seen.chance is None else float(seen.chance[i]),
                None if tricks is None else float(tricks[i]),
                None if spread is None else float(spread[i]),
            )
            for i, name in enumerate(self.names)
        ]
        choices.sort(key=lambda c: -c.imps)
        return Verdict(
            word,  # type: ignore[arg-type]
            self.names[self.done],
            self.names[best] if loss > 0 else "",
            max(0.0, loss),
            error,
            len(seen.weights),
            seen.how,
            tuple(choices),
        )


def _errors(values: Any, means: Any, seen: _Seen) -> Any:
    """Standard errors of weighted means; none when the worlds are all there are."""
    if seen.complete:
        return np.zeros(len(means))
    heavy = float((seen.weights**2).sum())
    spread = seen.weights @ (values - means) ** 2
    # A few worlds that agree are no proof: half a world that says otherwise is added.
    least = 0.25 / max(4.0, 1 / heavy) ** 2
    return np.sqrt(heavy * spread + least)


def undoubled(contract: Contract, auction: Auction) -> bool:
    """Could the seat on turn still bid this contract, with its side to declare it?"""
    call = Call.bid(contract.level, contract.strain)
    return contract.declarer.side == auction.turn.side and auction.is_legal(call)
