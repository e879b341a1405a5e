"""Suits as games of hidden hands: what falsecards are worth, and what a known line costs.
Run: `python -m benchmarks.hiddenplay --holdings 400 --out hidden.json`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from time import process_time

import numpy as np

from benchmarks.suitplay import dealt, text
from overtrick.hiddenplay import HiddenSuit, solve
from overtrick.hiddenplay.tree import TreeError
from overtrick.suitplay import SuitError

_SEEN = 0.0005  # tricks: less is not told apart from nothing


def suits(count: int, seed: int) -> tuple[list[tuple[str, HiddenSuit, float]], Counter[str]]:
    """Suits as dealt in which both sides have something to decide, and why others are left out."""
    rng = np.random.default_rng(seed)
    found: list[tuple[str, HiddenSuit, float]] = []
    left_out: Counter[str] = Counter()
    while len(found) < count:
        north, south = (text(cards) or "-" for cards in dealt(rng))
        began = process_time()
        try:
            suit = solve(north, south)
        except TreeError:
            left_out["too large"] += 1
            continue
        except SuitError:
            left_out["no card"] += 1
            continue
        if suit.low == suit.high == suit.plain:
            left_out["nothing to decide"] += 1
            continue
        found.append((f"{north} {south}", suit, process_time() - began))
    return found, left_out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--holdings", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    found, left_out = suits(asked.holdings, asked.seed)
    mixing = np.array([suit.mixing_gains for _, suit, _ in found])
    false = np.array([suit.falsecards_gain for _, suit, _ in found])
    seconds = np.array([s for _, _, s in found])
    print(f"{len(found)} suits as dealt, most tricks; left out: {dict(left_out)}")
    for name, gains in (("an unknown line gains declarer", mixing),
                        ("falsecards gain the defenders", false)):  # fmt: skip
        worth = gains > _SEEN
        there = gains[worth].mean() if worth.any() else 0.0
        print(f"{name}: mean {gains.mean():.4f} tricks; in {100 * worth.mean():.1f} % of suits, "
              f"there {there:.4f}, most {gains.max():.4f}")  # fmt: skip
    print(f"CPU seconds: median {np.median(seconds):.2f}, most {seconds.max():.2f}")
    best = sorted(found, key=lambda row: -row[1].falsecards_gain)[:8]
    for name, suit, _ in best:
        print(f"  {name}: seen {suit.seen:.4f}, hidden {suit.hidden:.4f}, plain {suit.plain:.4f}")
    if asked.out:
        rows = [{"suit": name, **suit.to_dict()} for name, suit, _ in found]
        asked.out.write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
