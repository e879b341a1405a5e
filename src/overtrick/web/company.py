"""Who stays away from whom, and who was reported for what he said. Blocked people are not seated
together and do not read each other; whom several people have reported says nothing for a while."""

from __future__ import annotations

from time import time
from typing import Final

import msgspec

from overtrick.game import BridgeError

STREAM: Final = "company"  # in the log: no table is called so
_SEVERAL: Final = 3  # different people
_WHILE: Final = 7 * 86_400.0
_MOST_EACH: Final = 200  # people whom one may block, or report


class BlockedPerson(msgspec.Struct, frozen=True, tag="blocked-person"):
    """Somebody does not want to meet somebody else."""

    by: str
    person: str


class ReportedPerson(msgspec.Struct, frozen=True, tag="reported-person"):
    """Somebody was reported: by whom, why, and what he had said last."""

    by: str
    person: str
    table: str
    why: str
    said: tuple[str, ...]
    at: float


CompanyEvent = BlockedPerson | ReportedPerson


class Company:
    """What people have said about each other; `keep` writes an event down before it counts."""

    def __init__(self, events: list[CompanyEvent]) -> None:
        self._apart: set[tuple[str, str]] = set()
        self._reported: dict[str, dict[str, float]] = {}
        self.count = 0
        for event in events:
            self.believe(event)

    def believe(self, event: CompanyEvent) -> None:
        self.count += 1
        if isinstance(event, BlockedPerson):
            self._apart.add((event.by, event.person))
        else:
            self._reported.setdefault(event.person, {})[event.by] = event.at

    def check(self, event: CompanyEvent) -> None:
        """May this be said?"""
        if event.by == event.person:
            raise BridgeError("that is yourself")
        if isinstance(event, BlockedPerson):
            if (event.by, event.person) in self._apart:
                raise BridgeError("you have blocked them already")
            said = sum(by == event.by for by, _ in self._apart)
        else:
            if event.by in self._reported.get(event.person, {}):
                raise BridgeError("you have reported them already")
            said = sum(event.by in by for by in self._reported.values())
        if said >= _MOST_EACH:
            raise BridgeError("you have blocked or reported very many people; ask the host")

    def apart(self, one: str, other: str) -> bool:
        """Has one of these blocked the other?"""
        return (one, other) in self._apart or (other, one) in self._apart

    def silent(self, person: str) -> bool:
        """Have several people reported this one lately?"""
        since = time() - _WHILE
        return sum(at > since for at in self._reported.get(person, {}).values()) >= _SEVERAL
