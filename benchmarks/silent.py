"""Both pairs of solved deals bid with silent opponents: thousands of auctions in two seconds.
Run `python benchmarks/silent.py --keep FILE` with one version of the rules, then with another.

The first run writes its scores to FILE, later ones report IMPs gained over it, pair by pair (the
mean of nobody and everybody vulnerable), and with --show where the auctions part.
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from overtrick.game import CALLS, Auction, Contract, Hand, Seat, Vulnerability, imps, score
from overtrick.systems import Reading, load
from overtrick.systems.many import Pool
from overtrick.worlds.sets import members
from rules import DATA, unpack

BOTH = (Vulnerability(0), Vulnerability(3))


def pairs(start: int, stop: int, hcp: int) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """Hands of four seats (the bidding pair first and third), the solved tables and the seat of the
    first hand, for every pair with at least `hcp` high-card points."""
    solved = np.load(DATA / "double_dummy.npz")
    hands = unpack(solved["owners"][start:stop])
    points = np.zeros(hands.shape, int)
    for card in range(52):
        held = (hands >> np.uint64(card) & np.uint64(1)).astype(int)
        points += max(0, card % 13 - 8) * held
    chosen = [
        (d, side + 2 * ((d + side) & 1))
        for d in range(len(hands))
        for side in (0, 1)
        if points[d, side] + points[d, side + 2] >= hcp
    ]
    deal, seat = np.array(chosen).T
    return [hands[deal, (seat + k) & 3] for k in range(4)], solved["tricks"][start:stop][deal], seat


def bid_all(reading: Reading, pools: list[Pool]) -> list[tuple[int, ...]]:
    """The auction of every pair; opponents pass."""
    found: list[tuple[int, ...]] = [()] * len(pools[0])
    stack: list[tuple[tuple[int, ...], int]] = [((), pools[0].everyone)]
    while stack:
        calls, among = stack.pop()
        ctx = reading.context(calls, 0)
        if ctx.is_over:
            for i in members(among):
                found[i] = calls
        elif len(calls) & 1:
            stack.append(((*calls, 0), among))
        else:
            by_call = pools[ctx.me].by_call(reading, ctx, among)
            stack += [((*calls, call), hit) for call, hit in by_call.items()]
    return found


@cache
def contract_of(calls: tuple[int, ...]) -> Contract | None:
    return Auction(Seat(0), tuple(CALLS[c] for c in calls)).contract


def scores(calls: tuple[int, ...], tricks: np.ndarray, seat: int) -> tuple[int, ...]:
    """Double-dummy scores of the pair, nobody and everybody vulnerable."""
    contract = contract_of(calls)
    if contract is None:
        return (0, 0)
    made = int(tricks[contract.strain][(contract.declarer + seat) & 3])
    return tuple(score(contract, made, vul) for vul in BOTH)


def parting(now: str, then: str) -> str:
    """The last calls before two auctions part, and the two calls."""
    a, b = now.split(), then.split()
    j = next(i for i in range(len(a)) if i >= len(b) or a[i] != b[i])
    return f"{' '.join(a[max(0, j - 4) : j + 1])} (was {b[j] if j < len(b) else '-'})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="two-over-one")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--stop", type=int, default=50_000)
    parser.add_argument(
        "--hcp", type=int, default=27, help="least points of a pair (27: slam zone)"
    )
    parser.add_argument("--keep", default="", help="file (.npz) to compare with")
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    hands, tricks, seats = pairs(args.start, args.stop, args.hcp)
    auctions = bid_all(Reading(load(args.system)), [Pool(h) for h in hands])
    made = np.array([scores(c, t, int(s)) for c, t, s in zip(auctions, tricks, seats, strict=True)])
    texts = np.array([" ".join(CALLS[c].ascii for c in calls[::2]) for calls in auctions])
    levels = np.array([c.level if (c := contract_of(a)) else 0 for a in auctions])
    print(f"{args.system}: {len(auctions)} pairs, mean score {made[:, 0].mean():.1f}")
    for level in (6, 7):
        bid = levels == level
        print(f"level {level}: {bid.sum()} bid, {(made[bid, 0] > 0).sum()} made")
    if not args.keep:
        return
    if not Path(args.keep).is_file():
        np.savez(args.keep, made=made, texts=texts)
        return
    old = np.load(args.keep)
    gain = np.array(
        [np.mean([imps(int(x)) for x in row]) for row in made - old["made"]], dtype=float
    )
    changed = np.flatnonzero(texts != old["texts"])
    error = gain.std() / len(gain) ** 0.5
    print(f"{gain.mean():+.4f} ± {error:.4f} IMPs a pair; {len(changed)} auctions differ")
    if args.show:
        _show(gain, changed, texts, old["texts"], hands, args.show)


def _show(gain, changed, texts, before, hands, most) -> None:  # type: ignore[no-untyped-def]
    where: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for i in changed:
        name = parting(str(texts[i]), str(before[i]))
        where[name] += float(gain[i])  # type: ignore[assignment]
        times[name] += 1
    order = sorted(where, key=where.__getitem__)
    for name in [*order[:most], *order[-most:]]:
        print(f"{where[name]:+7.1f} {times[name]:4d} {name}")
    for i in sorted(changed, key=lambda i: gain[i])[:most]:
        north, south = Hand(int(hands[0][i])), Hand(int(hands[2][i]))
        print(f"{gain[i]:+5.1f} {north} {south} | {texts[i]} | was {before[i]}")


if __name__ == "__main__":
    main()
