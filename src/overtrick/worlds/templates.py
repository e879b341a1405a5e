"""Texts that were read: statements on a hand, with variables where suits are left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from overtrick.game.cards import SUIT_LETTERS
from overtrick.worlds.constraints import (
    Constraint,
    all_of,
    any_of,
    between,
    has,
    negated,
)


@dataclass(frozen=True, slots=True)
class Atom:
    """`low ≤ feature(suits) ≤ high`, with suits as letters or variables; `mode` is how a rule file
    adds what the auction says."""

    name: str
    suits: tuple[str, ...]
    low: float
    high: float
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """Between `low` and `high` of these cards: pairs of suit and rank."""

    cards: tuple[tuple[str, int], ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Either:
    parts: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    part: Template


Item = Atom | Held | Either | Negation | Constraint


@dataclass(frozen=True, slots=True)
class Template:
    """A text that was read: items that all hold, with the suit variables it uses."""

    items: tuple[Item, ...]
    variables: tuple[str, ...] = ()
    shared: bool = False  # does it use what the auction says?


def bound(template: Template, suits: Mapping[str, int]) -> Constraint:
    """What was read, with its suits filled in."""
    return all_of(_bound(item, suits) for item in template.items)


def _bound(item: Item, suits: Mapping[str, int]) -> Constraint:
    match item:
        case Atom():
            letters = [_letter(s, suits) for s in item.suits]
            name = f"{item.name}({','.join(letters)})" if letters else item.name
            return between(name, item.low, item.high)
        case Either(parts):
            return any_of(bound(p, suits) for p in parts)
        case Negation(part):
            return negated(bound(part, suits))
        case Held(cards, low, high):
            return has(
                [13 * SUIT_LETTERS.index(_letter(s, suits)) + rank for s, rank in cards], low, high
            )
    return item


def _letter(suit: str, suits: Mapping[str, int]) -> str:
    number = suits.get(suit)
    return suit if number is None else SUIT_LETTERS[number]
