"""Reading auctions: speed to constraints, pools of hands through the rules, how tight meanings are.
Processor time in one run: `python benchmarks/reading.py speed --system sayc`, or `… meanings`."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from overtrick.bidding.kernel import AuctionPosition, RulesCaller, SeatHands, Walk
from overtrick.evaluation import feature
from overtrick.game import Auction, Seat, Vulnerability
from overtrick.game.calls import CALLS
from overtrick.systems import Reading, load
from overtrick.systems.classes import shown_after
from overtrick.systems.context import Context, Shown, Span
from overtrick.systems.explain import Makers, random_hands
from overtrick.systems.many import Pool
from overtrick.systems.meanings import call_meaning, contexts, knowledge, turned_vul
from overtrick.systems.system import _loaded
from overtrick.systems.walk import auction_text
from overtrick.worlds.sets import as_mask, members

Played = list[tuple[Auction, Vulnerability]]


def deal_bits(count: int, seed: int) -> np.ndarray:
    """Random deals as hands [deals, seats]."""
    rng = np.random.default_rng(seed)
    cards = np.argsort(rng.random((count, 52)), axis=1).reshape(count, 4, 13).astype(np.uint64)
    return np.bitwise_or.reduce(np.uint64(1) << cards, axis=2)


def bid_out(reading: Reading, deals: np.ndarray, vul: int = 0) -> list[tuple[tuple[int, ...], int]]:
    """Every final auction with the set of deals that reach it; the dealer's hands are first."""
    walk = Walk(SeatHands(deals), [RulesCaller(reading)] * 4)
    ends = walk.endings([(AuctionPosition((), 0, vul), walk.held.every)])
    return [(e.at.calls, e.worlds) for e in ends]


def self_bid(system: str, deals: int, seed: int) -> Played:
    """Auctions of random deals, dealers and vulnerabilities, all seats by the rules."""
    reading, bits = Reading(load(system)), deal_bits(deals, seed)
    rng = np.random.default_rng(seed + 1)
    kinds = rng.integers(16, size=deals)
    out: Played = []
    for kind in range(16):
        rows, dealer, vul = np.flatnonzero(kinds == kind), kind & 3, kind >> 2
        turned = np.stack([bits[rows, (dealer + k) & 3] for k in range(4)], axis=1)
        for calls, many in bid_out(reading, turned, turned_vul(vul, dealer)):
            auction = Auction(Seat(dealer), tuple(CALLS[c] for c in calls))
            out += [(auction, Vulnerability(vul)) for _ in members(many)]
    rng.shuffle(out)  # type: ignore[arg-type]
    return out


def unseen(system: str, played: Played, deny: bool, fresh: bool) -> dict[str, float]:
    """Milliseconds to the constraints of an auction that was never asked for before; `fresh`
    reads each with nothing kept of any other auction."""
    once = list(dict.fromkeys(played))
    reading, times = Reading(load(system)), []
    for auction, vul in once:
        if fresh:
            reading = Reading(load(system))
        started = time.process_time()
        knowledge(reading, auction, vul, auction.dealer & 1, deny=deny)
        times.append(1000 * (time.process_time() - started))
    return {
        "auctions": len(once), "mean": round(float(np.mean(times)), 3),
        "median": round(float(np.median(times)), 3),
        "p95": round(float(np.percentile(times, 95)), 3),
    }  # fmt: skip


def pools(system: str, played: Played) -> dict[str, object]:
    """Hands times calls a second, on contexts that were read before."""
    reading = Reading(load(system))
    every = [pair for auction, vul in played[:400] for pair in contexts(reading, auction, vul, 0)]
    asked = list(dict.fromkeys(every))
    for ctx, _ in asked:
        reading.options(ctx)
    out: dict[str, object] = {"contexts": len(asked)}
    for count in (20, 60, 1000, 100_000):
        part = asked if count < 10_000 else asked[:30]
        for name in ("calls", "makes"):
            pool = Pool(random_hands(count, 5))
            started = time.process_time()
            for ctx, call in part:
                if name == "calls":
                    pool.calls(reading, ctx)
                else:
                    pool.makes(reading, ctx, call)
            spent = time.process_time() - started
            out[f"{name}_{count}_hands"] = round(count * len(part) / spent)
    return out


def whole_deals(system: str) -> dict[str, int]:
    """Calls a second when N deals are bid out, with contexts met for the first time and again."""
    out = {}
    for count in (60, 1000):
        reading, bits = Reading(load(system)), deal_bits(count, 3)
        for state in ("first", "again"):
            started = time.process_time()
            reached = bid_out(reading, bits)
            spent = time.process_time() - started
            made = sum(len(calls) * many.bit_count() for calls, many in reached)
            out[f"bid_out_{count}_{state}"] = round(made / spent)
    return out


RANGES: dict[str, Callable[[Reading, Context, int], tuple[Span, ...]]] = {
    "the call alone, sets joined": lambda r, c, x: spans(r.shown_by(c, x)),
    "all calls, boxes": lambda r, c, x: spans(r.after(c, x).shown[c.me]),
    "all calls, classes": lambda r, c, x: spans(shown_after(r, c, x)),
    "cut to hands dealt for it": lambda r, c, x: cut(r, c, x),
}


def spans(shown: Shown) -> tuple[Span, ...]:
    return (shown.hcp, *zip(shown.low, shown.high, strict=True))


def cut(reading: Reading, ctx: Context, call: int) -> tuple[Span, ...]:
    makers = Makers(reading, ctx, call, np.random.default_rng(1))
    meaning = makers.tightened(call_meaning(reading, ctx, call))
    return (meaning.hcp, *meaning.lengths)


def meanings(system: str, deals: int, count: int = 60_000, least: int = 150) -> dict[str, object]:
    """Ranges of calls against the hands that make them (0.5 % to 99.5 % of them)."""
    reading, pool = Reading(load(system)), Pool(random_hands(count, 3))
    columns = [feature("HCP")(pool.hands), *(pool.hands.look("length", s) for s in range(4))]
    rows: dict[str, list[tuple[float, float, float]]] = {name: [] for name in RANGES}
    worst: list[tuple[float, str]] = []
    seen: set[tuple[int, ...]] = set()
    for calls, _ in bid_out(reading, deal_bits(deals, 5)):
        for i, call in enumerate(calls):
            made = pool.followers(reading, calls[: i + 1], 0, i & 3)
            if calls[: i + 1] in seen or made.bit_count() < least:
                continue
            seen.add(calls[: i + 1])
            held = [c[as_mask(made, count)] for c in columns]
            low, high = np.quantile(held[0], (0.005, 0.995))
            for name, make in RANGES.items():
                started = time.process_time()
                found = make(reading, reading.context(calls[:i]), call)
                spent = time.process_time() - started
                inside = np.logical_and.reduce(
                    [(x >= a) & (x <= b) for x, (a, b) in zip(held, found, strict=True)]
                )
                wide = max(0.0, low - found[0][0]) + max(0.0, found[0][1] - high)
                rows[name].append((float(inside.mean()), wide, spent))
            worst.append((rows[name][-1][0], f"{auction_text(calls[: i + 1])} {found}"))
    return {"calls": len(seen), "rows": {n: _summary(r) for n, r in rows.items()},
            "fewest_inside": sorted(worst)[:5]}  # fmt: skip


def _summary(rows: list[tuple[float, float, float]]) -> dict[str, float]:
    inside, wide, spent = np.array(rows).T
    return {
        "inside": round(float(inside.mean()), 4),
        "below_99": round(float((inside < 0.99).mean()), 4),
        "too_wide_hcp": round(float(wide.mean()), 2), "ms": round(1000 * float(spent.mean()), 3),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["speed", "meanings"], nargs="?", default="speed")
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    if args.what == "meanings":
        print(json.dumps(meanings(args.system, min(args.deals, 100)), indent=1, ensure_ascii=False))
        return
    # Rule tables warm, by auctions of other deals; then nothing of what bidding the test deals
    # itself left behind.
    warm = self_bid(args.system, 300, args.seed + 1000)
    played = list(dict.fromkeys(self_bid(args.system, 4 * args.deals, args.seed)))
    parts = [played[i::4] for i in range(4)]  # an auction is asked for once, in one of the rows
    _loaded.cache_clear()
    for auction, vul in warm:
        knowledge(Reading(load(args.system)), auction, vul, auction.dealer & 1)
    result = {
        "system": args.system,
        "unseen_ms": unseen(args.system, parts[0], deny=False, fresh=False),
        "unseen_with_denials_ms": unseen(args.system, parts[1], deny=True, fresh=False),
        "alone_ms": unseen(args.system, parts[2], deny=False, fresh=True),
        "alone_with_denials_ms": unseen(args.system, parts[3], deny=True, fresh=True),
        "hands_times_calls_per_second": pools(args.system, played),
        "calls_per_second": whole_deals(args.system),
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
