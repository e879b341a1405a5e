"""Coverage-guided fuzzing of every reader: `python -m tests.fuzz --rounds 20000`.

Bounded by rounds, not by the clock. An input that breaks a reader is written into the folder of the
run and named. With `--keep`, a few inputs of each reader that reached new code join `corpus/`."""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import Counter
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["overtrick"]):
    from tests.fuzz.readers import CORPUS, READERS, kept, seeds

NAMES = list(READERS)
LONGEST = 4000
MOST_KEPT = 300_000  # bytes of the whole corpus
LONGEST_KEPT = 800
EACH = 4  # inputs of a reader that one run adds


def one(data: bytes) -> None:
    """The first byte chooses the reader."""
    if data:
        READERS[NAMES[data[0] % len(NAMES)]](data[1:])


def keep(found: Path) -> int:
    """Some inputs of a run into the corpus: of each reader the last ones, which lie deepest."""
    size, new = sum(len(data) for _, data in kept()), Counter[str]()
    for path in sorted(found.iterdir(), key=lambda p: -p.stat().st_mtime_ns):
        data = path.read_bytes()
        if not data or len(data) > LONGEST_KEPT or size + len(data) > MOST_KEPT:
            continue
        name = NAMES[data[0] % len(NAMES)]
        place = CORPUS / name / f"{hashlib.sha256(data[1:]).hexdigest()[:16]}.in"
        if new[name] < EACH and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data[1:])
            size, new[name] = size + len(data), new[name] + 1
    return new.total()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help="a folder for the run")
    parser.add_argument("--keep", type=Path, help="only keep what an earlier run left here")
    options = parser.parse_args()
    if options.keep:
        sys.stdout.write(f"{keep(options.keep / 'found')} inputs kept\n")
        return
    work = options.work or Path(tempfile.mkdtemp(prefix="overtrick-fuzz-"))
    found, begun = work / "found", work / "begun"
    found.mkdir(parents=True, exist_ok=True)
    begun.mkdir(exist_ok=True)
    for i, (name, data) in enumerate([*seeds(), *kept()]):
        (begun / str(i)).write_bytes(bytes([NAMES.index(name)]) + data)
    sys.stderr.write(f"work in {work}; afterwards: python -m tests.fuzz --keep {work}\n")
    atheris.Setup(
        [sys.argv[0], f"-runs={options.rounds}", f"-seed={options.seed}", f"-max_len={LONGEST}",
         "-timeout=20", "-rss_limit_mb=3000", f"-artifact_prefix={work}/broke-",
         str(found), str(begun)],
        one,
    )  # fmt: skip
    atheris.Fuzz()


if __name__ == "__main__":
    main()
