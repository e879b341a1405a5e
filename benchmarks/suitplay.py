"""Single suits: how long a holding takes, and how other algorithms fare against the exact line.
Run: `python benchmarks/suitplay.py --holdings 1000`."""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np

from overtrick.game.cards import RANKS
from overtrick.suitplay import Holding, Layouts, solve
from overtrick_lab.papers.frank1998.algorithms import compare, random_problems


def dealt(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """A suit of North's and South's as a shuffled pack deals it."""
    pack = rng.permutation(52)
    return [int(c) for c in pack[:13] if c < 13], [int(c) for c in pack[13:26] if c < 13]


def even(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Six to nine cards, every number and every split alike."""
    cards = [int(c) for c in rng.permutation(13)[: rng.integers(6, 10)]]
    cut = int(rng.integers(1, len(cards)))
    return cards[:cut], cards[cut:]


def hard(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Five to eight cards that leave at least 64 different layouts."""
    while True:
        cards = [int(c) for c in rng.permutation(13)[: rng.integers(5, 9)]]
        cut = int(rng.integers(1, len(cards)))
        if len(Layouts.of(Holding.parse(text(cards[:cut]), text(cards[cut:])))) >= 64:
            return cards[:cut], cards[cut:]


KINDS = {"dealt": dealt, "6–9 cards": even, "64+ layouts": hard}


def text(cards: list[int]) -> str:
    return "".join(RANKS[c] for c in sorted(cards, reverse=True))


def timing(name: str, rng: np.random.Generator, count: int) -> None:
    """Seconds for all goals together: every k, mean, matchpoints, IMPs."""
    times = []
    while len(times) < count:
        north, south = KINDS[name](rng)
        if not north or not south:
            continue
        start = process_time()
        solve(text(north), text(south))
        times.append((process_time() - start, text(north), text(south)))
    times.sort()
    seconds = np.array([t[0] for t in times])
    marks = [f"{np.quantile(seconds, q):.3f}" for q in (0.5, 0.9, 0.95, 0.99, 1.0)]
    print(f"| {name} | {count} | {seconds.mean():.3f} | {' | '.join(marks)} |", flush=True)
    print("  slowest:", ", ".join(f"{n}/{s} {t:.2f}" for t, n, s in times[:-6:-1]), flush=True)


def algorithms(rng: np.random.Generator, count: int) -> None:
    print("| algorithm | optimal % | mean loss (points) | CPU s beyond double dummy |")
    print("|---|---|---|---|")
    for score in compare(list(random_problems(rng, count))):
        row = f"{100 * score.optimal:.1f} | {100 * score.loss:.2f} | {score.seconds:.1f}"
        print(f"| {score.algorithm} | {row} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--holdings", type=int, default=400)
    parser.add_argument("--problems", type=int, default=400)
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.holdings:
        print("| holdings | n | mean s | median | 90 % | 95 % | 99 % | max |\n|---|" + "---|" * 7)
        for kind in args.kind or KINDS:
            timing(kind, np.random.default_rng(args.seed), args.holdings)
    if args.problems:
        algorithms(np.random.default_rng(args.seed), args.problems)


if __name__ == "__main__":
    main()
