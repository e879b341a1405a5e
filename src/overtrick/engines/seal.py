"""Programs that are not ours are started here, shut in as well as this system can do it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from overtrick.engines import confine

WORDS: Final = {
    "namespaces": "sealed: no network, no other process, nothing to write to but memory of its own",
    "user": "half sealed: each runs as a user of its own; this system lets it have the network",
    "process": "not sealed: this system only gives each a process of its own, which may do what "
    "you may",
    "inside": "not sealed but trusted: one runs inside this program, or may do what you may",
}
_PASSED_ON: Final = (
    "PATH", "HOME", "LANG", "LANGUAGE", "TZ", "VIRTUAL_ENV", "CONDA_PREFIX", "JAVA_HOME",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "PATHEXT", "USERPROFILE",
)  # fmt: skip
_FAMILIES: Final = ("LC_", "PYTHON", "PERL", "OMP_", "OPENBLAS_", "MKL_")
_FIRST_USER: Final = 1_879_000_000  # numbers that no system gives to its users
_users = count(os.getpid() * 100 % 100_000_000)
_hidden: set[str] = set()


def hide(paths: Iterable[Path | str]) -> None:
    """Files and folders that no program started from here on is to see."""
    _hidden.update(str(Path(path).absolute()) for path in paths)


def hidden() -> tuple[str, ...]:
    """What has been hidden, for processes that are to hide the same."""
    return tuple(sorted(_hidden))


@cache
def how() -> str:
    """How well programs are shut in on this system: the best way that works."""
    return next(kind for kind in confine.HOWS if works(kind))


def works(kind: str) -> bool:
    """Can a program be shut in like this? Tried by starting this Python so."""
    if kind == "process":
        return True
    if not hasattr(os, "fork") or (kind == "user" and os.geteuid() != 0):
        return False
    child = _started([sys.executable, "-I", "-S", "-c", ""], kind, subprocess.DEVNULL)
    said, _ = child.communicate()
    return child.returncode == 0 and not said


def start(command: Sequence[str], needs: Iterable[str] = ()) -> subprocess.Popen[bytes]:
    """The program, shut in, with pipes to its standard input and output. What it `needs` beside
    what its command names stays in its sight."""
    confine.close_to_others()
    if not hasattr(os, "fork"):
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, stdin=pipe, stdout=pipe, bufsize=0, env=_environment()
        )  # fmt: skip
    return _started(command, how(), None, needs)


def _started(
    command: Sequence[str], kind: str, errors: int | None, needs: Iterable[str] = ()
) -> subprocess.Popen[bytes]:
    # A session of its own: what the program starts itself can be ended with it.
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", confine.__file__],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
        start_new_session=True, env=_environment(),
    )  # fmt: skip
    told = {
        "how": kind,
        "command": list(command),
        "environment": _environment(),
        "folder": str(Path.cwd()),
        "shown": _needed([*command, *needs]),
        "hidden": sorted(_hidden),
        "user": _FIRST_USER + next(_users),
    }
    assert child.stdin is not None
    child.stdin.write(json.dumps(told).encode() + b"\n")
    return child


def _environment() -> dict[str, str]:
    """What programs need to run, and nothing that was meant for us alone."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_FAMILIES)
    }


def _needed(words: Iterable[str]) -> list[str]:
    """Places that stay in sight where their folder is hidden: of this Python, of programs, and
    what is named. The outermost come first."""
    named = [Path(word).expanduser().absolute() for word in words]
    places = [*named, *(place.parent for place in named if place.exists()), Path.cwd()]
    places += map(Path, (sys.prefix, sys.base_prefix, *sys.path))
    places += map(Path, os.environ.get("PATH", "").split(os.pathsep))
    return sorted({str(place) for place in places if place.is_absolute() and place.exists()})
