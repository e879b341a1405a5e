"""Constrained deals accepted per CPU-second: Overtrick's exact dealer against Debian's `dealer`.
Run: python benchmarks/dealing.py [--dealer /usr/games/dealer] [--seconds 6]

Both get the same six scripts (tests/golden/dealer), print nothing, and are charged user CPU time in
one run of this file, the scripts one after another: `dealer` for its whole process, Overtrick for
reading the script, planning and dealing. Accepted deals of Overtrick are checked against the whole
condition afterwards, outside the clock.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from overtrick.worlds.script import ScriptDealer

SCRIPTS = ("notrump", "weaktwo", "takeout", "youhold", "grand", "freak")
FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "dealer"


def user_seconds(who: int) -> float:
    return resource.getrusage(who).ru_utime


def run_dealer(program: str, text: str, generate: int) -> tuple[int, int, float]:
    """Generated and produced deals and user seconds of one process."""
    quiet = re.sub(r"\baction\b.*", "action average 1\n", text, flags=re.DOTALL)
    quiet = re.sub(r"\b(produce|generate)\s+\d+", "", quiet)
    with tempfile.NamedTemporaryFile("w", suffix=".dl", delete=False) as file:
        file.write(f"generate {generate}\nproduce {generate}\n{quiet}")
    before = user_seconds(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [program, "-s", "1", file.name], capture_output=True, text=True, check=True
    )
    spent = user_seconds(resource.RUSAGE_CHILDREN) - before
    os.unlink(file.name)
    generated = int(re.search(r"Generated (\d+)", done.stdout)[1])
    produced = int(re.search(r"Produced (\d+)", done.stdout)[1])
    return generated, produced, spent


def run_ours(text: str, number: int) -> tuple[int, float, float]:
    """Deals, user seconds from reading the script to the last deal, and the chance of a deal."""
    before = user_seconds(resource.RUSAGE_SELF)
    dealer = ScriptDealer(text)
    dealt = dealer.sample(number, np.random.default_rng(1))
    spent = user_seconds(resource.RUSAGE_SELF) - before
    if not dealer.evaluator.accept(dealt.hands).all():
        sys.exit("a deal does not satisfy its script")
    return len(dealt), spent, dealt.chance


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--dealer", default="/usr/games/dealer")
    parser.add_argument("--generate", type=int, default=5_000_000, help="deals `dealer` generates")
    parser.add_argument("--rare", type=int, default=40_000_000, help="the same for rare scripts")
    parser.add_argument("--number", type=int, default=200_000, help="deals Overtrick deals")
    options = parser.parse_args()
    if not Path(options.dealer).exists():
        sys.exit(f"{options.dealer} is not installed (Debian: apt-get install dealer)")
    # Tables of the library are made on first use; that is not charged to a script.
    ScriptDealer("condition hcp(north) >= 12").sample(10, np.random.default_rng(0))
    print("| script | one deal in | dealer accepted | dealer /s | Overtrick /s | ratio |")
    print("|---|---|---|---|---|---|")
    for name in SCRIPTS:
        text = (FOLDER / f"{name}.dl").read_text()
        ours, seconds, chance = run_ours(text, options.number)
        rare = chance < 1e-4
        generated, produced, theirs = run_dealer(
            options.dealer, text, options.rare if rare else options.generate
        )
        a, b = produced / theirs, ours / seconds
        times = f"{b / a:,.1f}" if produced else f"> {b * theirs:,.0f}"
        print(
            f"| {name}{' (rare)' if rare else ''} | {1 / chance:,.0f} "
            f"| {produced:,} of {generated:,} | {a:,.1f} | {b:,.0f} | {times} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
