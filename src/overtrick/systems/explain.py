"""An auction explained call by call, with sample hands and every possible next call.
Used by `overtrick explain`, the web hover text and the system book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from overtrick.evaluation import HandArray
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.game.calls import CALLS, Call
from overtrick.game.meaning import Meaning
from overtrick.systems.context import Context
from overtrick.systems.meanings import (
    call_meaning,
    contexts,
    option_constraint,
    positive,
    turned_vul,
)
from overtrick.systems.reading import Reading
from overtrick.worlds.constraints import Constraint, all_of, any_of


@dataclass(frozen=True, slots=True)
class Explained:
    """A call with its meaning, the exact words of the constraint, and hands that would make it."""

    call: Call
    meaning: Meaning
    shows: str
    samples: tuple[Hand, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        m = self.meaning
        return {
            "call": self.call.ascii, "words": m.words, "hcp": list(m.hcp),
            "lengths": {s: list(r) for s, r in zip("CDHS", m.lengths, strict=True)},
            "forcing": str(m.forcing), "alert": m.alert, "act": str(m.act),
            "convention": m.convention, "rule": m.rule, "shows": self.shows,
            "samples": [str(h) for h in self.samples],
        }  # fmt: skip


def random_hands(count: int, seed: int = 0) -> HandArray:
    """Uniformly random hands of thirteen cards."""
    rng = np.random.default_rng(seed)
    picks = np.argpartition(rng.random((count, 52)), 13, axis=1)[:, :13].astype(np.uint64)
    return HandArray(np.bitwise_or.reduce(np.uint64(1) << picks, axis=1))


def _samples(constraint: Constraint, hands: HandArray, count: int) -> tuple[Hand, ...]:
    found = np.flatnonzero(constraint.mask(hands))[:count]
    return tuple(hands[int(i)] for i in found)


def explain_auction(
    reading: Reading, auction: Auction, vul: Vulnerability = Vulnerability.NONE, *,
    samples: int = 2, seed: int = 0,
) -> list[Explained]:  # fmt: skip
    """Each call of the auction: words, ranges, forcing, act, and sample hands."""
    pool = random_hands(30_000, seed) if samples else None
    known: list[list[Constraint]] = [[], [], [], []]
    out = []
    for i, (ctx, call) in enumerate(contexts(reading, auction, vul, auction.dealer & 1)):
        meaning = call_meaning(reading, ctx, call)
        shown = positive(reading, ctx, call)
        known[i & 3].append(shown)
        hands = _samples(all_of(known[i & 3]), pool, samples) if pool is not None else ()
        out.append(Explained(CALLS[call], meaning, shown.words(), hands))
    return out


def next_calls(
    reading: Reading, auction: Auction, vul: Vulnerability = Vulnerability.NONE, *,
    samples: int = 0, seed: int = 0,
) -> list[Explained]:  # fmt: skip
    """Every call the system gives a meaning to after this auction, cheapest first."""
    ctx = context_after(reading, auction, vul)
    pool = random_hands(20_000, seed) if samples else None
    out = []
    for call in sorted({o.call for o in reading.options(ctx)}):
        shown = any_of(option_constraint(o) for o in reading.of_call(ctx, call))
        hands = _samples(shown, pool, samples) if pool is not None else ()
        out.append(Explained(CALLS[call], call_meaning(reading, ctx, call), shown.words(), hands))
    return out


def context_after(reading: Reading, auction: Auction, vul: Vulnerability) -> Context:
    """The context after an auction whose dealer's side plays the reading's first system."""
    calls = tuple(int(c) for c in auction.calls)
    return reading.context(calls, turned_vul(vul, auction.dealer), 0)
