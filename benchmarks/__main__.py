"""`python -m benchmarks [NAME …]`: run every benchmark that has `run()` and print one table.
Used by `make bench`; modules with only a `main` of their own are named, not run."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path

from benchmarks.rows import Row, markdown

HERE = Path(__file__).parent
NOT_BENCHMARKS = {"__main__", "__init__", "rows", "attack_deeds", "attack_site"}


def names() -> list[str]:
    return sorted(p.stem for p in HERE.glob("*.py") if p.stem not in NOT_BENCHMARKS)


def has_run(name: str) -> bool:
    """Looked up in the text, so that a module with missing extras is not imported."""
    return "\ndef run()" in (HERE / f"{name}.py").read_text(encoding="utf-8")


def main(wanted: list[str]) -> int:
    unknown = [n for n in wanted if n not in names()]
    if unknown:
        sys.stderr.write(f"error: no benchmark {', '.join(unknown)}; there are {names()}\n")
        return 2
    rows: list[Row] = []
    for name in wanted or names():
        if not has_run(name):
            sys.stderr.write(f"{name}: run it by itself, python benchmarks/{name}.py --help\n")
            continue
        began = time.perf_counter()
        rows += import_module(f"benchmarks.{name}").run()
        sys.stderr.write(f"{name}: {time.perf_counter() - began:.0f} s\n")
    sys.stdout.write(markdown(rows) + "\n")
    return 1 if any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
