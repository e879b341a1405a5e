"""Where a figure comes from: the version of the program and the kind of machine."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

from overtrick import __version__


def commit() -> str:
    """The commit of a checkout, with + when files of the program were changed; else the version."""
    source = Path(__file__).parents[1]
    if not (source.parents[1] / ".git").exists():
        return __version__
    try:
        found = _git(source, "rev-parse", "--short", "HEAD")
        changed = _git(source, "status", "--porcelain", "--", ".")
    except (OSError, subprocess.SubprocessError):
        return __version__
    return found + ("+" if changed else "")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()


def machine() -> str:
    """The maker of the processor and how many cores there are; no names of machines."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        info = ""
    made = "AMD" if "AuthenticAMD" in info else "Intel" if "GenuineIntel" in info else ""
    cores = os.cpu_count() or 1
    return f"{cores} cores {made or platform.machine()}, Python {platform.python_version()}"
