"""`python -m tests.golden.regenerate` (or `make golden`): write every golden file anew.
Look at the difference before committing it: it is a change that users will see."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.golden import answers, decided, helps, playthrough, reference

HERE = Path(__file__).parent
# Folder below tests/golden → what makes its files. New golden files are added here.
MAKERS: dict[str, Callable[[], dict[str, str]]] = {
    "helps": helps.files,
    "decisions": decided.files,
    "playthroughs": playthrough.files,
    "answers": answers.files,
    "../../docs/reference": reference.files,
}


def main() -> None:
    for folder, make in MAKERS.items():
        target = HERE / folder
        target.mkdir(exist_ok=True)
        made = make()
        for path in sorted(target.iterdir()):
            if path.name not in made:
                path.unlink()
                sys.stdout.write(f"{'GONE':8} {folder}/{path.name}\n")
        for name, text in made.items():
            path = target / name
            before = path.read_text(encoding="utf-8") if path.exists() else None
            path.write_text(text, encoding="utf-8")
            state = "same" if before == text else "new" if before is None else "CHANGED"
            sys.stdout.write(f"{state:8} {folder}/{name}\n")


if __name__ == "__main__":
    main()
