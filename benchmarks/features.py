"""All features of 100,000 hands, and constraints on them, in CPU seconds.
Run: python benchmarks/features.py [--json]; the bar is one second for all features."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix, features, paper_features, registry
from overtrick.game import Hand
from overtrick.worlds import parse
from overtrick.worlds.splitting import choose_from

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


def main() -> None:
    rng = np.random.default_rng(1)
    deck = (1 << 52) - 1
    hands = choose_from(rng, deck, 13, 2 * HANDS)[:HANDS]
    names = [f.name for f in paper_features()]
    feature_matrix(hands[:100])  # builds the suit tables
    one_by_one = [Hand(int(b)) for b in hands[:200]]
    rows = {
        f"{len(names)} features of the paper, 100,000 hands": seconds(
            lambda: feature_matrix(hands, names)
        ),
        f"all {len(registry())} features, 100,000 hands": seconds(lambda: feature_matrix(hands)),
        "all features, one hand at a time (per 100,000)": HANDS / len(one_by_one) * seconds(
            lambda: [list(features(h).values()) for h in one_by_one], 1
        ),
    }  # fmt: skip
    for text in CONSTRAINTS:
        rule = parse(text)
        rows[f"constraint: {text}"] = seconds(lambda rule=rule: rule.mask(HandArray(hands)))
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    for name, cpu in rows.items():
        print(f"{cpu:9.4f} s  {name}")


if __name__ == "__main__":
    main()
