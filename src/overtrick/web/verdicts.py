"""Wrong, close, or as good as any? Worlds are drawn until the difference is plain, or is small.
Used by the review, club evenings and lessons; the seat that decided is judged by what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.bidding.kernel import (
    AuctionPosition,
    Contracts,
    RulesCaller,
    SeatHands,
    Utility,
    Walk,
    utility_of,
)
from overtrick.bidding.rules import reading_of
from overtrick.cardplay.knowledge import evidence, listed_worlds, sample_worlds
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import score_table
from overtrick.game import Auction, BridgeError, Call, Card, Contract, View
from overtrick.nets.contract import imps_of
from overtrick.web.reviewed import JudgedAction, JudgedChoice, VerdictWord
from overtrick.worlds.weighted import fewer

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
Bools = NDArray[np.bool_]
_ALL: Final = "every layout there is"
_DRAWN: Final = "drawn, and weighed by the auction"

# "Wrong" needs 3.5 standard errors at one of a few looks at about ten choices: where nothing is
# better by more than the least amount, that happens to fewer than one decision in a hundred.
_SURE: Final = 3.5
_CLEAR: Final = 2.0
_CARD: Final = 0.25  # IMPs: less is no fault of a card …
_LEAD: Final = 1.5  # … of one in the first tricks, for which few deals can be solved …
_CALL: Final = 1.5  # … or of a call, whose rest is bid by robots
# Worlds after each look; those of earlier looks are kept. The last of more than two is long, and
# only taken where a fault is likely but not yet proved: else the sample would decide on the word.
_LEAD_ROUNDS: Final = (24, 96)
_EARLY_ROUNDS: Final = (64, 256, 512, 2048)
_CARD_ROUNDS: Final = (64, 256, 1024, 4096)
CALL_ROUNDS: Final = (128, 512, 2048, 8192, 24_576)
_SHORT: Final = 2  # so many looks are all taken
_SLOWER: Final = 16  # double dummy instead of the network: fewer deals for a call
_EARLY: Final = 12  # with so many tricks to come solving is slow
_LISTED: Final = 200_000  # layouts of the hidden cards that are all weighed


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

    word: VerdictWord
    done: str
    better: str = ""
    loss: float = 0.0
    error: float = 0.0
    worlds: int = 0
    how: str = ""
    choices: tuple[Choice, ...] = ()

    @property
    def told(self) -> JudgedAction:
        """The verdict as it goes over the wire, in figures that somebody reads."""
        return JudgedAction(
            word=self.word, done=self.done, better=self.better, loss=round(self.loss, 2),
            error=round(self.error, 2), worlds=self.worlds, how=self.how,
            choices=tuple(
                JudgedChoice(
                    action=c.action, imps=round(c.imps, 2), error=round(c.error, 2),
                    chance=_short(c.chance), tricks=_short(c.tricks),
                    tricks_error=_short(c.tricks_error),
                )
                for c in self.choices
            ),
        )  # fmt: skip


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


@dataclass(frozen=True, slots=True)
class WeighedDraw:
    """Worlds that stand for all there are. Those marked `sure` were kept, not drawn: they add
    nothing to the error. `effective` is how many draws the others are worth."""

    hands: Hands
    weights: Floats  # sum to 1
    how: str
    effective: float
    sure: Bools | None = None

    @property
    def complete(self) -> bool:
        return self.sure is not None and bool(self.sure.all())


@dataclass(frozen=True, slots=True)
class _Seen:
    """IMPs that every action gains over the one that was taken, in every world."""

    worlds: WeighedDraw
    gains: Floats  # (worlds, actions)
    tricks: Floats | None = None  # declarer's, in all
    won: Bools | None = None  # is the contract made, or beaten by a defender?

    def joined(self, more: _Seen) -> _Seen:
        """The worlds of both, each as much as it is worth."""
        a, b = self.worlds, more.worlds
        total = a.effective + b.effective
        drawn = WeighedDraw(
            np.concatenate([a.hands, b.hands]),
            np.concatenate([a.weights * a.effective, b.weights * b.effective]) / total,
            b.how,
            total,
        )
        gains = np.concatenate([self.gains, more.gains])
        return _Seen(drawn, gains, _both(self.tricks, more.tricks), _both(self.won, more.won))


def _both(a: Any, b: Any) -> Any:
    return None if a is None or b is None else np.concatenate([a, b])


def card_verdict(
    view: View, card: Card, seed: int | None = None, rounds: Sequence[int] = ()
) -> Verdict:
    """A card, judged by what its player could see; every legal card beside it.

    Touching cards are one choice. When there are few layouts left, they are all looked at and
    there is no error.
    """
    at = situation(view)
    groups = at.groups()
    if len(groups) == 1:
        return Verdict("forced", card.ascii)
    own = next(g for g in groups if card in g)
    first = [card if g is own else g[-1] for g in groups]
    rng = np.random.default_rng(view.seed if seed is None else seed)
    cards = _Cards(at, first, first.index(card))
    judge = _Judge([c.ascii for c in first], cards.done, _LEAD if at.left >= _EARLY else _CARD)
    rounds = rounds or _rounds(at)
    return judge.settled(cards.looks(rounds, rng), len(rounds))


def _rounds(at: Situation) -> Sequence[int]:
    if not at.play.cards:
        return _LEAD_ROUNDS
    if at.left >= _EARLY:
        return _EARLY_ROUNDS
    return _CARD_ROUNDS


@dataclass(frozen=True, slots=True)
class _Cards:
    """Solves every card in more and more worlds."""

    at: Situation
    cards: Sequence[Card]
    done: int

    def looks(self, rounds: Sequence[int], rng: np.random.Generator) -> Iterator[_Seen]:
        listed = listed_worlds(self.at, _LISTED, evidence("auction"))
        if listed is not None:
            yield from self._listed(listed.deals, listed.shares, rounds, rng)
            return
        seen: _Seen | None = None
        for count in rounds:
            more = count if seen is None else count - len(seen.gains)
            worlds = sample_worlds(self.at, max(more, 1), rng, evidence("auction"))
            tricks = self._solved(worlds.deals)
            drawn = WeighedDraw(
                worlds.deals, worlds.shares, _DRAWN, min(len(tricks), worlds.effective)
            )
            part = self._seen(drawn, tricks)
            seen = part if seen is None else seen.joined(part)
            yield seen

    def _listed(
        self, hands: Hands, weights: Floats, rounds: Sequence[int], rng: np.random.Generator
    ) -> Iterator[_Seen]:
        """Some of all layouts there are; what has been solved is not solved again."""
        known = np.full((len(hands), len(self.cards)), -1, np.int64)
        for count in rounds:
            rows, shares = fewer(weights, count, rng)
            missing = rows[known[rows, 0] < 0]
            if len(missing):
                known[missing] = self._solved(hands[missing])
            sure = np.isclose(shares, weights[rows], rtol=1e-9, atol=0)
            how = _ALL if sure.all() else _DRAWN
            drawn = WeighedDraw(hands[rows], shares, how, max(1, int((~sure).sum())), sure)
            yield self._seen(drawn, known[rows])
            if drawn.complete:
                return

    def _solved(self, hands: Hands) -> Any:
        solved = dd.solve_worlds(hands, self.at.strain, self.at.leader, self.at.trick)
        return solved[:, [int(c) for c in self.cards]]

    def _seen(self, worlds: WeighedDraw, tricks: Any) -> _Seen:
        at = self.at
        total = at.play.declarer_tricks + (tricks if at.declaring else at.left - tricks)
        points = score_table(at)[tricks]
        gains = imps_of(points - points[:, self.done : self.done + 1])
        return _Seen(worlds, np.asarray(gains, float), total.astype(float), tricks >= at.target)


Draw = Callable[[int, np.random.Generator], WeighedDraw]


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
    slower = _SLOWER if _utility().tricks == "dd" else 1
    looks = bids.looks([count // slower for count in rounds], draw, rng)
    return judge.settled(looks, len(rounds))


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

    def looks(self, rounds: Sequence[int], draw: Draw, rng: np.random.Generator) -> Iterator[_Seen]:
        seen: _Seen | None = None
        for count in rounds:
            part = self._seen(draw(count if seen is None else count - len(seen.gains), rng))
            seen = part if seen is None else seen.joined(part)
            yield seen

    def _seen(self, worlds: WeighedDraw) -> _Seen:
        view, hands = self.view, worlds.hands
        reading, mine = reading_of(*self.systems), view.seat & 1
        # The reading's first system is the caller's side's.
        callers = [RulesCaller(reading, int(seat & 1 != mine)) for seat in range(4)]
        walk, calls = Walk(SeatHands(hands), callers), [int(c) for c in self.calls]
        reached, _ = walk.after(AuctionPosition.of(view), calls)
        if self.final:
            fixed = [[(c.level - 1) * 5 + c.strain, c.declarer, c.doubled] for c in self.final]
            every = np.broadcast_to(np.array(fixed, np.int64), (len(hands), len(fixed), 3))
            reached = reached.beside(Contracts.of(every))
        leaves = _utility().leaves(hands, int(view.vul), mine)
        return _Seen(worlds, leaves.values(reached))


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

    def settled(self, looks: Iterator[_Seen], count: int) -> Verdict:
        """The verdict of the first look that is plain; after the last of `count`, close.

        A fault is never found at the first of several looks: the few deals in which it shows must
        come again among others.
        """
        verdict: Verdict | None = None
        for number, seen in enumerate(looks, 1):
            verdict = self.verdict(seen)
            if verdict.word == "good" or (verdict.word == "wrong" and number > 1):
                break
            if number == count - 1 >= _SHORT and not self.likely(verdict):
                break
        assert verdict is not None
        return verdict

    def likely(self, verdict: Verdict) -> bool:
        """Is there probably a better choice, by more than is no fault?"""
        return any(choice.imps - choice.error >= self.small for choice in verdict.choices)

    def verdict(self, seen: _Seen) -> Verdict:
        worlds = seen.worlds
        means = worlds.weights @ seen.gains
        errors = _errors(seen.gains, worlds)
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
        tricks = None if seen.tricks is None else worlds.weights @ seen.tricks
        spread = None if seen.tricks is None else _errors(seen.tricks, worlds)
        chance = None if seen.won is None else worlds.weights @ seen.won
        choices = [
            Choice(
                name,
                float(means[i]),
                float(errors[i]),
                None if chance is None else float(chance[i]),
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
            len(worlds.weights),
            worlds.how,
            tuple(choices),
        )


def _errors(values: Floats, worlds: WeighedDraw) -> Floats:
    """Standard errors of weighted means: only worlds that were drawn could have been others."""
    if worlds.complete:
        return np.zeros(values.shape[1])
    drawn = np.ones(len(values), bool) if worlds.sure is None else ~worlds.sure
    weights, values = worlds.weights[drawn], values[drawn]
    share, squares = float(weights.sum()), float((weights**2).sum())
    means = weights @ values / share
    # Weights that were themselves drawn from few draws are worth no more than those.
    scale = max(1.0, share**2 / (worlds.effective * squares))
    # A few worlds that agree are no proof: half a world that says otherwise is added.
    least = 0.25 * (share / max(4.0, min(share**2 / squares, worlds.effective))) ** 2
    found: Floats = np.sqrt(scale * (weights**2 @ (values - means) ** 2) + least)
    return found


def undoubled(contract: Contract, auction: Auction) -> bool:
    """Could the seat on turn still bid this contract, with its side to declare it?"""
    call = Call.bid(contract.level, contract.strain)
    return contract.declarer.side == auction.turn.side and auction.is_legal(call)
