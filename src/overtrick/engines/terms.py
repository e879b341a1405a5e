"""The terms on which an engine works, beside its calls and cards: what a decision costs, what it
does for somebody who waits, and what a table can offer of it. Whoever seats engines knows them by
this and nothing else; an engine may leave all of it out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeVar, runtime_checkable

T = TypeVar("T")


class Cost(StrEnum):
    """What a decision takes."""

    INSTANT = "instant"
    """Milliseconds: the answer is looked up."""
    QUICK = "quick"
    """A network or a short search, for which nobody has to be patient."""
    SLOW = "slow"
    """A search for whoever wants the better answer and waits for it. Engines that say nothing of
    their cost are taken for slow ones."""


@runtime_checkable
class Costed(Protocol):
    """An engine that says what a decision costs."""

    cost: Cost


@runtime_checkable
class Hurried(Protocol):
    """An engine that can be hurried."""

    def within(self, seconds: float) -> Any:
        """The same engine for somebody who waits about so many seconds for a decision."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A string that a table can offer, what it is in words, and the system that it declares."""

    spec: str
    words: str
    system: str = ""


@runtime_checkable
class Offering(Protocol):
    """A kind of engine that is offered in several ways, or not always."""

    @classmethod
    def offers(cls) -> Iterable[Offer]: ...


def cost_of(engine: object) -> Cost:
    """What an engine, or a kind of engines, says that a decision costs."""
    return engine.cost if isinstance(engine, Costed) else Cost.SLOW


def hurried(engine: T, seconds: float) -> T:
    """The engine for somebody who waits about so many seconds; itself if it cannot be hurried."""
    made: Any = engine
    found: T = made.within(seconds) if isinstance(engine, Hurried) else engine
    return found


def first_line(engine: object) -> str:
    """What an engine says of itself, in one line."""
    kind = engine if isinstance(engine, type) else type(engine)
    return (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")
