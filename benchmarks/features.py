"""All features of 100,000 hands, and constraints on them, in CPU seconds.
Run: python -m benchmarks features, or python benchmarks/features.py [--json]."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix, features, paper_features, registry
from overtrick.game import Hand
from overtrick.worlds import parse
from overtrick.worlds.splitting import choose_from

sys.path.insert(0, str(Path(__file__).parent.parent))
from benchmarks.rows import Row, at_most

HANDS = 100_000
CONSTRAINTS = (
    "hcp 15..17, balanced",
    "hcp 12..14, spades 5+, not balanced, losers S ..7",
    "hcp 5..10, (spades 6 or hearts 6), quality S 4+, controls ..4, not stopper C",
)


def seconds(work: Callable[[], object], repeat: int = 5) -> float:
    """The best of a few runs, in CPU time."""
    best = float("inf")
    for _ in range(repeat):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def measure() -> dict[str, float]:
    """CPU seconds by what was done, for 100,000 hands each."""
    rng = np.random.default_rng(1)
    hands = choose_from(rng, (1 << 52) - 1, 13, 2 * HANDS)[:HANDS]
    names = [f.name for f in paper_features()]
    feature_matrix(hands[:100])  # builds the suit tables
    few = [Hand(int(b)) for b in hands[:200]]
    one_by_one = seconds(lambda: [list(features(h).values()) for h in few], 1)
    rows = {
        f"the paper's {len(names)} features": seconds(lambda: feature_matrix(hands, names)),
        f"all {len(registry())} features": seconds(lambda: feature_matrix(hands)),
        "all features, one hand at a time": HANDS / len(few) * one_by_one,
    }
    for text in CONSTRAINTS:
        rule = parse(text)
        rows[f"`{text}`"] = seconds(lambda rule=rule: rule.mask(HandArray(hands)))
    return rows


def run() -> list[Row]:
    """The rows for `python -m benchmarks`: a second for all features, a tenth for a constraint."""
    limits = [1.0, 1.0, None] + [0.1] * len(CONSTRAINTS)
    out = []
    for (what, cpu), limit in zip(measure().items(), limits, strict=True):
        name = f"CPU s for 100,000 hands: {what}"
        row = at_most(name, cpu, limit, "{:.3f}") if limit else Row(name, f"{cpu:.1f}")
        out.append(row)
    return out


def main() -> None:
    rows = measure()
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    for name, cpu in rows.items():
        print(f"{cpu:9.4f} s  {name}")


if __name__ == "__main__":
    main()
