"""How often each algorithm finds an optimal strategy in random trees, by depth, and at what cost.
Behind docs/papers/frank1998.md; run with `python benchmarks/gametree.py --trees 1000`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from overtrick.papers.frank1998 import (
    FlatTree,
    Plan,
    esm,
    outcome,
    plan_exact,
    plan_local,
    plan_reduction,
    plan_repeated,
    plan_vector,
    value,
)
from overtrick.papers.frank1998.randomtrees import LAST_PLAYER, complete_tree

ALGORITHMS: dict[str, Callable[[FlatTree], Plan]] = {
    "exact": plan_exact,
    "reduction": plan_reduction,
    "local": plan_local,
    "vector": plan_vector,
    "minimaxing": plan_repeated,
}


@dataclass(slots=True)
class Tally:
    """Running sums for one algorithm at one depth."""

    right: int = 0
    short: float = 0.0
    seconds: float = 0.0


def trial(rng: np.random.Generator, levels: int, trees: int, worlds: int) -> dict[str, Tally]:
    """Play `trees` random complete binary trees with every algorithm."""
    wins = LAST_PLAYER if levels % 2 else 1 - LAST_PLAYER  # who moves last decides the balance
    tallies = {name: Tally() for name in ALGORITHMS}
    for _ in range(trees):
        tree = complete_tree(rng, levels, worlds, wins=wins)
        best = plan_exact(tree).claimed
        for name, make in ALGORITHMS.items():
            start = time.process_time()
            plan = make(tree)
            tallies[name].seconds += time.process_time() - start
            achieved = value(tree, outcome(tree, plan.strategy))
            tallies[name].right += achieved == best
            tallies[name].short += float(best - achieved)
    return tallies


def listing_cost(rng: np.random.Generator, worlds: int) -> str:
    """ESM against the fronts on trees that ESM can still list."""
    rows = []
    for levels in (3, 5, 7):
        tree = complete_tree(rng, levels, worlds)
        start = time.process_time()
        reference = esm(tree)
        listed = time.process_time() - start
        start = time.process_time()
        found = plan_exact(tree)
        fronts = time.process_time() - start
        assert reference.value == found.claimed
        rows.append(
            f"| {levels} | {reference.tried} | {listed * 1e3:.1f} | {fronts * 1e3:.2f} "
            f"| {listed / fronts:.0f} |"
        )
    return "\n".join(rows)


def main() -> None:
    """Print the tables of docs/papers/frank1998.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--levels", type=int, nargs="+", default=[3, 5, 7, 9, 11])
    parser.add_argument("--seed", type=int, default=1998)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print("| depth | " + " | ".join(f"{n}: right % / short / ms" for n in ALGORITHMS) + " |")
    print("|---" * (1 + len(ALGORITHMS)) + "|")
    for levels in options.levels:
        tallies = trial(rng, levels, options.trees, options.worlds)
        cells = [
            f"{100 * t.right / options.trees:.1f} / {t.short / options.trees:.3f} / "
            f"{1e3 * t.seconds / options.trees:.1f}"
            for t in tallies.values()
        ]
        print(f"| {levels} | " + " | ".join(cells) + " |", flush=True)
    print("\n| depth | strategies | ESM ms | fronts ms | ratio |\n|---|---|---|---|---|")
    print(listing_cost(rng, options.worlds))


if __name__ == "__main__":
    main()
