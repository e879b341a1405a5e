"""How fast the multi-layer bandit trains: vectorised piles against one example at a time.
Run: python benchmarks/bandit.py --data DIR [--iterations 1000000]

Wanted is one ℓ=4 tree with a million iterations in five minutes on two cores (the paper: over
four hours with instant updates, under one hour with piles of 100).
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from overtrick_lab.papers.ho2015.learner import LearnerSetting, Trainer, cost, prepare
from overtrick_lab.training.uncontested.deals import pairs, read_published, read_solved, split


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--iterations", type=int, default=1_000_000)
    args = parser.parse_args()
    train, _, test = split(read_solved(args.data / "double_dummy.npz"))
    learn, check = prepare(pairs(train)), prepare(pairs(test))
    other = prepare(read_published(args.data / "uncontested_costs.npz"))
    base = LearnerSetting(alpha=16.0, penetration=0.0, iterations=args.iterations)

    began, cpu = time.perf_counter(), time.process_time()
    (model,) = Trainer([base], learn).run()
    seconds, busy = time.perf_counter() - began, time.process_time() - cpu
    print(f"tree, 4 layers, {args.iterations:,} iterations in piles of 100: "
          f"{seconds:.1f} s ({busy:.1f} CPU s)")  # fmt: skip
    print(f"cost: test {cost(model, check).mean():.3f}, published {cost(model, other).mean():.3f}")

    short = max(args.iterations // 200, 100)
    rates = {}
    for pile in (1, 10, 100, 1000):
        cpu = time.process_time()
        Trainer([replace(base, pile=pile, iterations=short)], learn).run()
        rates[pile] = short / (time.process_time() - cpu)
    for pile, rate in rates.items():
        print(f"piles of {pile:>4}: {rate:>8.0f} iterations per CPU s, "
              f"{rate / rates[1]:.1f} × instant")  # fmt: skip
    cpu = time.process_time()
    Trainer([replace(base, seed=seed, iterations=short) for seed in range(5)], learn).run()
    together = 5 * short / (time.process_time() - cpu)
    print(f"five seeds side by side: {together / rates[100]:.2f} × one seed")


if __name__ == "__main__":
    main()
