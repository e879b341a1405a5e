"""`python -m tests.docs.regenerate` (or `make docs-update`): write anew what pages and notebooks
show.

Outputs of commands and cells, and parts made from files of results. Look at the difference before
committing it: it is what readers see.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import chdir
from pathlib import Path
from time import process_time

from tests.docs import blocks, made, notebooks


def console_of(path: Path, text: str) -> str:
    """The page with what its commands print, run in a folder of its own."""

    def change(shown: blocks.Shown) -> blocks.Shown:
        sys.stdout.write(f"  $ {shown.command}\n")
        sys.stdout.flush()
        return shown.renewed(blocks.printed(shown.command, process_time))

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in blocks.files_of(text).items():
            Path(name).write_text(content, encoding="utf-8")
        return blocks.rewritten(text, change)


def main(names: Iterable[str] = ()) -> None:
    """All pages and notebooks, or those with one of the names in their path."""
    os.environ["OVERTRICK_CACHE"] = "off"
    wanted = list(names)
    for path in sorted({*blocks.pages(), *made.pages(), *notebooks.notebooks()}):
        told = path.relative_to(blocks.ROOT).as_posix()
        if wanted and not any(name in told for name in wanted):
            continue
        before = path.read_text(encoding="utf-8")
        after = (
            notebooks.executed(before)
            if path.suffix == notebooks.SUFFIX
            else made.renewed(console_of(path, before))
        )
        path.write_text(after, encoding="utf-8")
        sys.stdout.write(f"{'same' if after == before else 'CHANGED':8} {told}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
