"""A table in memory: its value, who is connected to it, and what they have asked of each other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from overtrick.game import BridgeError, Seat
from overtrick.web import messages
from overtrick.web.events import (
    Left,
    Table,
    Undone,
)
from overtrick.web.frames import (
    ChatWord,
    Frame,
    Presence,
    Wish,
)
from overtrick.web.showing import (
    letters,
)

Send = Callable[[Frame], None]
_CHAT = 60  # words kept for who comes later


class NotAllowed(BridgeError):
    """A wrong token, or something this seat may not do now."""


class NoTable(BridgeError):
    """There is no such table."""


def hashed(secret: str) -> str:
    """Tokens are kept as hashes: the log does not let anybody in."""
    return sha256(secret.encode()).hexdigest()


@dataclass(slots=True, eq=False)
class Guest:
    """A connected browser: the key it showed, how to reach it, whether it only looks on. Where the
    key leads is looked up each time, since seats change."""

    key: str
    send: Send
    watching: bool = False
    person: str = ""  # of who only looks on; who plays is known by his seat


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody would like what the others must agree to, and who has agreed so far: to go back to
    where so many actions stay, or that an absent person's seat goes to a robot or by a link."""

    seat: Seat
    wish: Undone | Left | messages.Invite
    version: int
    agreed: frozenset[str] = frozenset()

    @property
    def shown(self) -> Wish:
        seat, agreed = self.seat.letter, letters(self.agreed)
        if isinstance(self.wish, Undone):
            return Wish(seat=seat, what="undo", about=None, agreed=agreed)
        what: Any = "invite" if isinstance(self.wish, messages.Invite) else "substitute"
        return Wish(seat=seat, what=what, about=self.wish.seat, agreed=agreed)


@dataclass(slots=True, eq=False, weakref_slot=True)
class Live:
    """One table in memory; its value, its guests, the task that moves its robots."""

    name: str
    table: Table
    guests: set[Guest] = field(default_factory=set)
    task: asyncio.Task[None] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    hinting: set[Seat] = field(default_factory=set)  # seats for which an engine thinks
    asked: Asked | None = None
    gone: dict[str, float] = field(default_factory=dict)  # since when nobody shows a seat's key
    said: deque[tuple[str, ChatWord]] = field(default_factory=lambda: deque(maxlen=_CHAT))
    told: Presence | None = None  # who is there, as the guests have heard it last

    @property
    def connected(self) -> frozenset[str]:
        tokens = self.table.tokens
        return frozenset(tokens[g.key] for g in self.guests if g.key in tokens)


def idle(live: Live) -> bool:
    return live.task is None or live.task.done()
