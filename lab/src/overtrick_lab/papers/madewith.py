"""What a paper's figures were made with: networks, rules and code, each as a short hash of its
files. Kept beside the figures, it says which of them a later version may have moved."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import overtrick
import overtrick_lab

_CORE: Final = Path(overtrick.__file__).parent
_LAB: Final = Path(overtrick_lab.__file__).parent
_LENGTH: Final = 8  # hexadecimal digits
_MODELS: Final = "core:nets/models"
_KERNEL: Final = "core:bidding/kernel"
PARTS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "amit2006": {
        "rules": ("lab:papers/amit2006/book",),
        "search": ("core:bidding/pidm", _KERNEL, "core:worlds/consistent.py",
                   "lab:engines/figure3.py"),
        "learning": ("lab:papers/amit2006/cotrain.py", "lab:papers/amit2006/tagging.py",
                     "lab:papers/amit2006/refine.py", "lab:papers/amit2006/inducer.py"),
        "utilities": ("core:evaluation/tricks.py",),
    },
    "frank1998": {
        "search": ("lab:papers/frank1998", "core:suitplay"),
        "declarers": ("core:cardplay/alphamu.py", "core:cardplay/fronts.py",
                      "core:cardplay/pimc.py"),
    },
    "gamback1993": {
        "networks": (f"{_MODELS}/contract_paper.npz", f"{_MODELS}/tricks.onnx"),
        "rules": ("core:systems/library/natural", "core:systems/library/two-over-one"),
        "search": ("core:bidding/pragma", _KERNEL),
        "plans": ("core:cardplay/plans", "lab:engines/planner.py"),
    },
    "ho2015": {
        "learner": ("lab:papers/ho2015/learner.py", "lab:papers/ho2015/ridge.py"),
        "costs": ("lab:training/uncontested/costs.py",),
    },
    "qiu2024": {
        "policy": (f"{_MODELS}/policy.onnx",),
        "belief": (f"{_MODELS}/belief.onnx",),
        "SL": (f"{_MODELS}/sl.onnx",),
        "tricks": (f"{_MODELS}/tricks.onnx", f"{_MODELS}/table_tricks.npz"),
        "rules": ("core:systems/library/natural", "core:systems/library/sayc"),
        "search": ("core:bidding/bmcs", _KERNEL, "core:bidding/constants.py",
                   "lab:engines/algorithm3.py"),
    },
}  # fmt: skip
"""By paper: what its figures depend on, as files and folders of the core and of the laboratory."""
_KINDS: Final = frozenset({".py", ".bid", ".onnx", ".npz", ".toml"})


def made_with(paper: str, core: Path = _CORE, lab: Path = _LAB) -> dict[str, str]:
    """The hashes of today's parts, or of another tree's."""
    roots = {"core": core, "lab": lab}
    return {part: _hash(places, roots) for part, places in PARTS[paper].items()}


def changed(paper: str, kept: dict[str, str]) -> list[str]:
    """The parts that are no more what the kept figures were made with."""
    return [part for part, today in made_with(paper).items() if kept.get(part) != today]


def _hash(places: tuple[str, ...], roots: dict[str, Path]) -> str:
    found = sha256()
    for place in places:
        root, _, inside = place.partition(":")
        for path in _files(roots[root] / inside):
            found.update(path.relative_to(roots[root]).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:_LENGTH]


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    else:
        yield from sorted(p for p in place.rglob("*") if p.suffix in _KINDS and p.is_file())
