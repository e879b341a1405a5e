"""An auction explained call by call, with sample hands and every possible next call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from overtrick.evaluation import HandArray, feature
from overtrick.evaluation.registry import ALL
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.game.calls import CALLS, Call
from overtrick.game.meaning import ANY_HCP, Meaning
from overtrick.systems.classes import after_call, draw, is_possible, told_of
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import (
    call_meaning,
    contexts,
    option_constraint,
    positive,
    turned_vul,
)
from overtrick.systems.pragmatics import Act, Certainty, Conclusion, conclusions, ended, speech_acts
from overtrick.systems.reading import Reading
from overtrick.worlds.constraints import AllOf, Between, Constraint, any_of

_DRAWN: Final = 4000  # hands dealt at a time …
_ROUNDS: Final = 4  # … so many times at most, until there are …
_ENOUGH: Final = 1500  # … hands that make the call
_SOME: Final = 150
_DENIED: Final = 2  # inferences told of one call …
_WEIGHED: Final = 8  # … of so many found
_TOGETHER: Final = 2  # things denied together: of more, each may still be there
_LOOKED_AT: Final = 500  # hands among which typical ones are looked for
_PLACED: Final = 2.0  # what honours in long suits weigh beside a common shape


@dataclass(frozen=True, slots=True)
class Explained:
    """A call with its meaning, the exact words of the constraint, and hands that would make it."""

    call: Call
    meaning: Meaning
    shows: str
    samples: tuple[Hand, ...] = ()
    denies: tuple[Conclusion, ...] = ()
    acts: tuple[Act, ...] = ()
    ends: tuple[Conclusion, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        m = self.meaning
        return {
            "call": self.call.ascii, "words": m.words, "hcp": list(m.hcp),
            "lengths": {s: list(r) for s, r in zip("CDHS", m.lengths, strict=True)},
            "forcing": str(m.forcing), "alert": m.alert, "act": str(m.act),
            "convention": m.convention, "rule": m.rule, "shows": self.shows,
            "samples": [str(h) for h in self.samples],
            "denies": [c.to_dict() for c in (*self.denies, *self.ends)],
            "acts": [{"act": str(a.act), "words": a.words} for a in self.acts],
        }  # fmt: skip


def random_hands(count: int, seed: int = 0) -> HandArray:
    """Uniformly random hands of thirteen cards."""
    rng = np.random.default_rng(seed)
    picks = np.argpartition(rng.random((count, 52)), 13, axis=1)[:, :13].astype(np.uint64)
    return HandArray(np.bitwise_or.reduce(np.uint64(1) << picks, axis=1))


class Makers:
    """Hands with which the rules make a call, dealt for it: the exact ones behind a meaning."""

    def __init__(self, reading: Reading, ctx: Context, call: int, rng: np.random.Generator) -> None:
        self.bits = np.zeros(0, np.uint64)
        first, calls = reading.first(ctx), (*ctx.calls, call)
        classes = after_call(reading, ctx, call)
        for _ in range(_ROUNDS):
            pool = Pool(draw(classes, _DRAWN, rng))
            made = pool.follows(reading, calls, ctx.vul, ctx.me, first)
            self.bits = np.unique(np.concatenate([self.bits, pool.hands.bits[made]]))
            if len(self.bits) >= _ENOUGH:
                break
        self.are_exact = len(self.bits) > 0
        if not self.are_exact:  # no hand bids so by the rules: hands that at least hold the call
            drawn = draw(classes, _DRAWN, rng)
            self.bits = drawn[positive(reading, ctx, call).mask(drawn)]
        rng.shuffle(self.bits)

    def samples(self, count: int, used: set[int]) -> tuple[Hand, ...]:
        """Typical hands that were not shown before, as long as there are any: of usual strength and
        shape for the call, with their honours where their cards are."""
        some = self.bits[:_LOOKED_AT]
        order = np.argsort(-_typical(HandArray(some)), kind="stable")
        fresh = [int(some[i]) for i in order if int(some[i]) not in used][:count]
        used.update(fresh)
        return tuple(Hand(b) for b in fresh)

    def tightened(self, meaning: Meaning) -> Meaning:
        """The meaning with ranges no wider than these hands need."""
        if len(self.bits) < _SOME or not self.are_exact:
            return meaning
        hands = HandArray(self.bits)
        columns = [feature("HCP")(hands), *(hands.look("length", s) for s in range(4))]
        known = [meaning.hcp, *meaning.lengths]
        spare = 0 if len(self.bits) >= _ENOUGH else 1  # few hands do not show the ends
        spans = [_within(column, span, spare) for column, span in zip(columns, known, strict=True)]
        hcp = spans[0] if meaning.hcp[1] < ANY_HCP[1] else (spans[0][0], ANY_HCP[1])
        shown = told_of(hcp, spans[1:])
        a, b, c, d = zip(shown.low, shown.high, strict=True)
        return replace(meaning, hcp=shown.hcp, lengths=(a, b, c, d))


def _typical(hands: HandArray) -> np.ndarray:
    """How much each hand is like the others: how common its points and each of its lengths are
    among them, and how many of its honours lie in suits of four cards and more."""
    lengths = [hands.look("length", s) for s in range(4)]
    honours = [hands.look("hcp", s) for s in range(4)]
    points = np.sum(honours, axis=0)
    held = np.sum([h * (n >= 4) for h, n in zip(honours, lengths, strict=True)], axis=0)
    out: np.ndarray = _PLACED * held / np.maximum(points, 1)
    for column in (points, *lengths):
        out += np.log(np.bincount(column, minlength=38)[column])
    return out


def _within(column: np.ndarray, span: tuple[int, int], spare: int) -> tuple[int, int]:
    """A range cut to what occurs."""
    a, b = max(span[0], int(column.min()) - spare), min(span[1], int(column.max()) + spare)
    return (a, b) if a <= b else span


def explain_auction(
    reading: Reading, auction: Auction, vul: Vulnerability = Vulnerability.NONE, *,
    samples: int = 2, seed: int = 0, ends: bool = False,
) -> list[Explained]:  # fmt: skip
    """Each call of the auction: words, ranges, forcing, act, and sample hands; with `ends` also
    which other calls the ranges end at."""
    rng, used = np.random.default_rng(seed), set[int]()
    out = []
    for ctx, call in contexts(reading, auction, vul, auction.dealer & 1):
        shown = positive(reading, ctx, call)
        told = _explained(reading, ctx, call, shown, rng if samples else None, samples, used)
        denies = _telling(conclusions(reading, ctx, call, most=_WEIGHED, seed=seed), told.meaning)
        acts = tuple(speech_acts(reading, ctx, call, denies))
        known = {c.denied for c in denies}
        why = ended(reading, ctx, call, seed=seed) if ends else []
        more = tuple(c for c in why if c.denied not in known)
        out.append(replace(told, denies=denies, acts=acts, ends=more))
    return out


def _telling(found: Sequence[Conclusion], meaning: Meaning) -> tuple[Conclusion, ...]:
    """The inferences worth telling beside a meaning: sure ones, one about each thing, and none that
    the ranges already say better."""
    kept: list[Conclusion] = []
    for c in found:
        about = [c.denied.name if isinstance(c.denied, Between) else "", c.instead]
        known = {x for k in kept for x in (k.instead, getattr(k.denied, "name", None))}
        if c.certainty is not Certainty.POSSIBLE and _adds(c, meaning) and known.isdisjoint(about):
            kept.append(c)
    return tuple(kept[:_DENIED])


def _adds(c: Conclusion, meaning: Meaning) -> bool:
    """Does it leave less than the ranges, or say what ends them, in words that a listener keeps?"""
    if not isinstance(c.denied, Between):
        return not isinstance(c.denied, AllOf) or len(c.denied.parts) <= _TOGETHER
    found = c.denied.feature
    if found.of.name == "HCP" and found.suits in ((), (ALL,)):
        low, high = meaning.hcp
    elif found.of.name == "SUITLEN" and found.suits[0] < 4:
        low, high = meaning.lengths[found.suits[0]]
    else:
        return True
    above, below = c.denied.low > low, c.denied.high < high
    if above and below:
        return False  # what is left lies on either side of it
    return c.denied.low - 1 <= high if above else c.denied.high + 1 >= low


def next_calls(
    reading: Reading, auction: Auction, vul: Vulnerability = Vulnerability.NONE, *,
    samples: int = 0, seed: int = 0,
) -> list[Explained]:  # fmt: skip
    """Every call that some hand makes after this auction by the system, cheapest first."""
    ctx = context_after(reading, auction, vul)
    rng, used = np.random.default_rng(seed), set[int]()
    out = []
    for call in sorted({o.call for o in reading.options(ctx) if is_possible(reading, ctx, o.call)}):
        shown = any_of(option_constraint(o) for o in reading.of_call(ctx, call))
        out.append(_explained(reading, ctx, call, shown, rng if samples else None, samples, used))
    return out


def _explained(
    reading: Reading, ctx: Context, call: int, shown: Constraint,
    rng: np.random.Generator | None, samples: int, used: set[int],
) -> Explained:  # fmt: skip
    meaning = call_meaning(reading, ctx, call)
    hands: tuple[Hand, ...] = ()
    if rng is not None:
        makers = Makers(reading, ctx, call, rng)
        meaning, hands = makers.tightened(meaning), makers.samples(samples, used)
    return Explained(CALLS[call], meaning, shown.words(), hands)


def context_after(reading: Reading, auction: Auction, vul: Vulnerability) -> Context:
    """The context after an auction whose dealer's side plays the reading's first system."""
    calls = tuple(int(c) for c in auction.calls)
    return reading.context(calls, turned_vul(vul, auction.dealer), 0)
