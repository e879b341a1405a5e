"""How quickly Overtrick starts: CPU seconds of `overtrick --help`, of `import overtrick` and of a
process that makes its first call.
Run: python -m benchmarks startup. Wanted are 0.3 and 0.1 s; Python's own start is taken off."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from benchmarks.rows import Row, at_most

RUNS = 7
HELP = "from overtrick.cli import main; main(['--help'])"
MADE = "from overtrick import bidder; bidder('bmcs')"
CALLED = (
    "from overtrick import Auction, Board, bidder, view_of; board = Board.random(1, seed=7); "
    "bidder('bmcs').bid(view_of(board, Auction(board.dealer)))"
)


def cpu_seconds(code: str) -> float:
    """The fastest of some runs of a fresh interpreter, user and system time together."""
    return min(_once(code) for _ in range(RUNS))


def _once(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "OMP_NUM_THREADS": "1"}
    subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, env=environment, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run() -> list[Row]:
    bare = cpu_seconds("pass")
    whole = cpu_seconds(HELP)
    importing = cpu_seconds("import overtrick") - bare
    using = cpu_seconds("from overtrick import Deal, bidder") - bare
    made, called = cpu_seconds(MADE), cpu_seconds(CALLED)
    return [
        at_most("`overtrick --help`, whole process, CPU s", whole, 0.3, "{:.3f}"),
        at_most("`import overtrick`, CPU s", importing, 0.1, "{:.3f}"),
        Row("`from overtrick import Deal, bidder`, CPU s", f"{using:.3f}"),
        Row("until `bidder('bmcs')` is there, whole process, CPU s", f"{made:.3f}"),
        Row("until its first call with a search, CPU s", f"{called:.3f}"),
        Row("Python itself, CPU s", f"{bare:.3f}"),
    ]


if __name__ == "__main__":
    from benchmarks.rows import markdown

    print(markdown(run()))
