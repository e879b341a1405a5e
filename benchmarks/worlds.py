"""Constrained deals per CPU second: the exact dealer against dealing and rejecting with numpy.
Run: python benchmarks/worlds.py [--json]; the comparison with Debian's dealer is its own file."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from overtrick.game import Seat
from overtrick.worlds import Dealer, parse
from overtrick.worlds.splitting import deal_out

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.rows import Row

N, E, S, W = Seat
WISHES: dict[str, dict[Seat, str]] = {
    "no constraint": {},
    "strong notrump": {N: "hcp 15..17, balanced"},
    "opening hand": {N: "hcp 12+"},
    "notrump and Stayman": {N: "hcp 15..17, balanced", S: "hcp 8+, either major 4, not flat"},
    "overcall and raise": {
        N: "hcp 12..14, spades 5+", E: "hcp 8..15, hearts 5+",
        S: "hcp 6..9, spades 3+", W: "hcp ..7",
    },
    "two losers": {N: "losers ..2"},
    "2NT opposite both majors": {N: "hcp 20..21, balanced", S: "spades 5+, hearts 5+"},
    "gambling 3NT": {N: "diamonds 7, has DA DK DQ, hcp 9..11", S: "hcp 15+, balanced"},
    "giant opposite eight spades": {N: "hcp 25+", S: "spades 8+"},
}  # fmt: skip


def rejecting_rate(rules: dict[Seat, str], seconds: float = 1.0) -> tuple[float, int]:
    """Deals per CPU second by dealing all hands and keeping those that fit."""
    rng = np.random.default_rng(2)
    deck = np.full(1 << 14, (1 << 52) - 1, np.uint64)
    wishes = {s: parse(c) for s, c in rules.items()}
    found, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        hands = deal_out(rng, deck, (13, 13, 13, 13))
        keep = np.ones(len(deck), bool)
        for seat, rule in wishes.items():
            keep &= rule.mask(hands[seat])
        found += int(keep.sum())
    return found / (time.process_time() - start), found


def measure() -> list[dict[str, float | str | None]]:
    """For each set of constraints: rarity, deals per CPU second, set-up, and the ratio."""
    rows: list[dict[str, float | str | None]] = []
    for name, rules in WISHES.items():
        wishes = {s: parse(c) for s, c in rules.items()}
        Dealer(wishes)  # tables are built once
        start = time.process_time()
        dealer = Dealer(wishes)
        ready = time.process_time() - start
        start = time.process_time()
        dealt = dealer.sample(100_000, np.random.default_rng(1))
        rate = len(dealt) / (time.process_time() - start)
        plain, found = rejecting_rate(rules)
        rows.append({
            "constraints": name, "one in": 1 / dealt.chance, "deals per s": rate,
            "setup ms": 1000 * ready, "rejecting per s": plain,
            "ratio": rate / plain if found > 20 else None,
        })  # fmt: skip
    return rows


def run() -> list[Row]:
    """The rows for `python -m benchmarks`."""
    return [
        Row(
            f"deals per CPU s, {r['constraints']} (one in {r['one in']:,.0f})",
            f"{r['deals per s']:,.0f}" + (f", {r['ratio']:,.1f} × rejecting" if r["ratio"] else ""),
        )
        for r in measure()
    ]


def main() -> None:
    rows = measure()
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    print(
        f"{'constraints':30}{'one in':>12}{'deals/s':>12}{'setup':>9}"
        f"{'rejecting/s':>13}{'ratio':>9}"
    )
    for row in rows:
        ratio = f"{row['ratio']:,.1f}" if row["ratio"] else "–"
        print(
            f"{row['constraints']:30}{row['one in']:12,.0f}{row['deals per s']:12,.0f}"
            f"{row['setup ms']:6.1f} ms{row['rejecting per s']:13,.0f}{ratio:>9}"
        )


if __name__ == "__main__":
    main()
