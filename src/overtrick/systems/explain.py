"""An auction explained call by call, with sample hands and every possible next call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.game.calls import CALLS, Call
from overtrick.game.meaning import Meaning
from overtrick.systems.classes import after_call, draw, is_possible, shown_of
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.meanings import (
    call_meaning,
    contexts,
    option_constraint,
    positive,
    turned_vul,
)
from overtrick.systems.pragmatics import Act, Conclusion, conclusions, speech_acts
from overtrick.systems.reading import Reading
from overtrick.worlds.constraints import Constraint, any_of

_DRAWN: Final = 4000  # hands dealt at a time …
_ROUNDS: Final = 4  # … so many times at most, until there are …
_ENOUGH: Final = 1500  # … hands that make the call
_SOME: Final = 150
_TAIL: Final = 0.001


@dataclass(frozen=True, slots=True)
class Explained:
    """A call with its meaning, the exact words of the constraint, and hands that would make it."""

    call: Call
    meaning: Meaning
    shows: str
    samples: tuple[Hand, ...] = ()
    denies: tuple[Conclusion, ...] = ()
    acts: tuple[Act, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        m = self.meaning
        return {
            "call": self.call.ascii, "words": m.words, "hcp": list(m.hcp),
            "lengths": {s: list(r) for s, r in zip("CDHS", m.lengths, strict=True)},
            "forcing": str(m.forcing), "alert": m.alert, "act": str(m.act),
            "convention": m.convention, "rule": m.rule, "shows": self.shows,
            "samples": [str(h) for h in self.samples],
            "denies": [c.to_dict() for c in self.denies],
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
        """Hands that were not shown before, as long as there are any."""
        fresh = [int(b) for b in self.bits[:500] if int(b) not in used][:count]
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
        shown = shown_of(spans[0], spans[1:])
        a, b, c, d = zip(shown.low, shown.high, strict=True)
        return replace(meaning, hcp=shown.hcp, lengths=(a, b, c, d))


def _within(column: np.ndarray, span: tuple[int, int], spare: int) -> tuple[int, int]:
    """A range cut to what occurs more often than once in a thousand hands."""
    low, high = np.quantile(column, (_TAIL, 1 - _TAIL), method="nearest")
    a, b = max(span[0], int(low) - spare), min(span[1], int(high) + spare)
    return (a, b) if a <= b else span


def explain_auction(
    reading: Reading, auction: Auction, vul: Vulnerability = Vulnerability.NONE, *,
    samples: int = 2, seed: int = 0,
) -> list[Explained]:  # fmt: skip
    """Each call of the auction: words, ranges, forcing, act, and sample hands."""
    rng, used = np.random.default_rng(seed), set[int]()
    out = []
    for ctx, call in contexts(reading, auction, vul, auction.dealer & 1):
        shown = positive(reading, ctx, call)
        told = _explained(reading, ctx, call, shown, rng if samples else None, samples, used)
        denies = tuple(conclusions(reading, ctx, call, most=3, seed=seed))
        acts = tuple(speech_acts(reading, ctx, call, denies))
        out.append(replace(told, denies=denies, acts=acts))
    return out


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
