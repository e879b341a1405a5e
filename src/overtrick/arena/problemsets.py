"""The sets of bidding problems that come with the package, made by our own generator."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

import msgspec

from overtrick.arena.challenge import Problem


class SetAbout(msgspec.Struct, frozen=True):
    """A set that comes with the package: its name, what it is about, its problems."""

    name: str
    title: str
    words: str
    problems: tuple[Problem, ...] = ()


@lru_cache(maxsize=1)
def shipped() -> tuple[SetAbout, ...]:
    """The sets of this package."""
    file = resources.files("overtrick.arena").joinpath("problems.json")
    return msgspec.json.decode(file.read_bytes(), type=tuple[SetAbout, ...])
