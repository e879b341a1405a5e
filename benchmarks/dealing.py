"""Constrained deals accepted per CPU-second: Overtrick's exact dealer against Debian's `dealer`.
Run: python -m benchmarks.dealing [--dealer /usr/games/dealer] [--generate N] [--rare N]

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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.rows import Row, at_least
from overtrick.worlds.script import ScriptDealer

PROGRAM = "/usr/games/dealer"
RARE = 1e-4  # chance of a deal below which a script counts as rare
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


@dataclass(frozen=True, slots=True)
class Compared:
    """One script: how rare its deals are, and accepted deals per CPU second of both."""

    name: str
    chance: float
    generated: int
    produced: int
    theirs: float
    ours: float

    @property
    def rare(self) -> bool:
        return self.chance < RARE

    @property
    def ratio(self) -> float:
        """Times as fast; where `dealer` found nothing, as if it had just found one."""
        return self.ours / self.theirs


def compare(program: str, number: int, generate: int, rare: int) -> Iterator[Compared]:
    """All six scripts, one after the other."""
    # Tables of the library are made on first use; that is not charged to a script.
    ScriptDealer("condition hcp(north) >= 12").sample(10, np.random.default_rng(0))
    for name in SCRIPTS:
        text = (FOLDER / f"{name}.dl").read_text()
        ours, seconds, chance = run_ours(text, number)
        wanted = rare if chance < RARE else generate
        generated, produced, theirs = run_dealer(program, text, wanted)
        rate = max(produced, 1) / theirs
        yield Compared(name, chance, generated, produced, rate, ours / seconds)


def run() -> list[Row]:
    """For `python -m benchmarks`; smaller than the script itself, about a minute."""
    if not Path(PROGRAM).exists():
        return [Row("dealing against `dealer`", "not run: apt-get install dealer")]
    return [
        at_least(
            f"deals per CPU s, ours ÷ dealer's: {c.name}, one in {1 / c.chance:,.0f}",
            c.ratio,
            100 if c.rare else 1,
            "{:,.0f}",
        )
        for c in compare(PROGRAM, 100_000, 2_000_000, 10_000_000)
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--dealer", default=PROGRAM)
    parser.add_argument("--generate", type=int, default=5_000_000, help="deals `dealer` generates")
    parser.add_argument("--rare", type=int, default=40_000_000, help="the same for rare scripts")
    parser.add_argument("--number", type=int, default=200_000, help="deals Overtrick deals")
    options = parser.parse_args()
    if not Path(options.dealer).exists():
        sys.exit(f"{options.dealer} is not installed (Debian: apt-get install dealer)")
    print("| script | one deal in | dealer accepted | dealer /s | Overtrick /s | ratio |")
    print("|---|---|---|---|---|---|")
    for c in compare(options.dealer, options.number, options.generate, options.rare):
        print(
            f"| {c.name}{' (rare)' if c.rare else ''} | {1 / c.chance:,.0f} "
            f"| {c.produced:,} of {c.generated:,} | {c.theirs:,.1f} | {c.ours:,.0f} "
            f"| {'' if c.produced else '> '}{c.ratio:,.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
