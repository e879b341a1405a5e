"""What is on a disk after the power was gone: whatever was synced, and of the rest any part.
Made again from the notes that `faults.c` has taken of every write."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_SECTOR: Final = 512
_HEAD: Final = struct.Struct("<cIqI")


@dataclass(frozen=True, slots=True)
class Step:
    what: str
    path: str
    offset: int
    data: bytes


@dataclass(slots=True)
class _File:
    """One file, whatever its name: what is safe, and the writes since the last sync."""

    safe: bytearray = field(default_factory=bytearray)
    pending: list[Step] = field(default_factory=list)


def steps_of(notes: Path) -> Iterator[Step]:
    raw, at = notes.read_bytes(), 0
    while at + _HEAD.size <= len(raw):
        what, path, offset, size = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        name, at = raw[at : at + path].decode(), at + path
        yield Step(what.decode(), name, offset, raw[at : at + size])
        at += size


def after_power_cut(notes: Path, folder: Path, out: Path, seed: int) -> None:
    """The folder as it may be found again, in `out`: another seed, another way to lose things.

    Files are made, renamed and removed in the order in which that was asked for, and up to some
    point after the last sync of the folder; what was written to a file after its own last sync is
    there or not, sector by sector.
    """
    rng = random.Random(seed)
    names: dict[str, _File] = {}
    changes: list[tuple[Step, _File]] = []  # of names, since the folder was synced
    safe: dict[str, _File] = {}
    for step in steps_of(notes):
        if step.what == "S" and step.path == str(folder):
            safe, changes = dict(names), []
        elif step.what == "S":
            file = names[step.path]
            for one in file.pending:
                _apply(file.safe, one, lambda: True)
            file.pending = []
        elif step.what in "WT":
            names[step.path].pending.append(step)
        elif step.what in "CRU":
            changes.append((step, _File()))
            _rename(names, *changes[-1])
    for change in changes[: rng.randrange(len(changes) + 1)]:
        _rename(safe, *change)
    out.mkdir()
    for path, file in safe.items():
        content = bytearray(file.safe)
        for one in file.pending:
            _apply(content, one, lambda: rng.random() < 0.5)
        (out / Path(path).relative_to(folder)).write_bytes(content)


def _rename(names: dict[str, _File], step: Step, new: _File) -> None:
    if step.what == "C":
        names[step.path] = new
    elif step.what == "R" and step.path in names:
        names[step.data.decode()] = names.pop(step.path)
    elif step.what == "U":
        names.pop(step.path, None)


def _apply(content: bytearray, step: Step, kept: Callable[[], bool]) -> None:
    if step.what == "T":
        if kept():
            del content[step.offset :]
            content.extend(bytes(step.offset - len(content)))
        return
    for start in range(0, len(step.data), _SECTOR):
        if kept():
            part = step.data[start : start + _SECTOR]
            at = step.offset + start
            content.extend(bytes(max(0, at + len(part) - len(content))))
            content[at : at + len(part)] = part
