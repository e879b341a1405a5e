"""Words beside a rule and its constraint set must agree: lengths and strengths in words are read
and compared with the set, so that what a player is told is what the sampler believes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from overtrick.systems import library_names, load
from overtrick.systems.statements import Atom, Either, Template
from overtrick.systems.system import Rule, ShowsRule

NUMBERS = {
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
_CARDS = re.compile(
    rf"\b({'|'.join(NUMBERS)})(?: or (?:more|{'|'.join(NUMBERS)}))?(?: good| or more)*"
    r"(?: (cards|trumps|clubs|diamonds|hearts|spades)\b|-card)"
)
_RANGE = re.compile(r"(?<![\w–])(\d+)–(\d+)(?!\w)")
_LEAST = re.compile(r"(?<![\w–])(\d+)(?:\+| or more)(?!\w)")


def atoms(template: Template) -> Iterator[Atom]:
    """The statements that hold for every hand of the set."""
    for item in template.items:
        if isinstance(item, Atom):
            yield item


def lengths(template: Template) -> list[int]:
    """The least lengths the set promises, of any suit."""
    found = [a.low for a in atoms(template) if a.name == "SUITLEN"]
    for item in template.items:  # `hearts 5+ or spades 5+`: the shortest of the ways
        if isinstance(item, Either):
            ways = [max(lengths(p), default=0) for p in item.parts]
            found.append(min(ways, default=0))
    return found


def strengths(template: Template) -> list[tuple[int, int]]:
    """The ranges of high cards or points the set promises; several of one kind are met."""
    found: dict[str, tuple[int, int]] = {}
    for a in atoms(template):
        if a.name in ("HCP", "POINTS", "LP") and a.mode == "" and "C" not in a.suits:
            low, high = found.get(a.name, (-99, 99))
            found[a.name] = (max(low, a.low, 0), min(high, a.high))
    return list(found.values())


def faults(rule: Rule, shows: ShowsRule) -> Iterator[str]:
    """What the words say and the set does not."""
    words, template = shows.words or rule.words, shows.template
    if not template.items:
        return
    shared = any(a.mode in ("combined", "likely", "possible", "extra") for a in atoms(template))
    for match in _CARDS.finditer(words):
        least = NUMBERS[match[1]]
        if re.search(r"\b(no|not|denies)\b", words[: match.start()]):
            continue
        if not shared and max(lengths(template), default=0) < least:
            yield f"says {match[0]!r}, the set promises no {least} cards"
    for match in _RANGE.finditer(words):
        low, high = int(match[1]), int(match[2])
        if high > 40 or shared:
            continue
        if not any(low <= a and b <= high for a, b in strengths(template)):
            yield f"says {match[0]}, the set {strengths(template)}"
    for match in _LEAST.finditer(words):
        low = int(match[1])
        if not shared and not any(low <= a for a, _ in strengths(template)):
            yield f"says {match[0]}, the set {strengths(template)}"


def offenders(name: str) -> list[str]:
    """Every set with every switch on, and again with every switch off."""
    found = {
        f"{rule.place} {shows.words or rule.words!r} [{text.text}]: {fault}"
        for system in (
            load(name, on=_playable(name)),
            load(name, on=_playable(name, -1)),
            load(name, off=_droppable(name)),
        )
        for rule in system.rules()
        for shows, text in zip(rule.sets, rule.text.sets, strict=True)
        for fault in faults(rule, shows)
    }
    return sorted(found)


def _playable(name: str, step: int = 1) -> tuple[str, ...]:
    """All conventions but those that exclude each other: of these the first or the last."""
    out: list[str] = []
    fixed = [c for c in load(name).conventions if c.fixed]
    excludes = {c.name: c.excludes for c in load(name).conventions}
    for convention in [*fixed, *load(name).conventions[::step]]:
        brings = {convention.name, *convention.needs}
        if not any(rival in out for new in brings for rival in excludes[new]):
            out += [new for new in brings if new not in out]
    return tuple(out)


def _droppable(name: str) -> tuple[str, ...]:
    """All that a card may do without."""
    system = load(name)
    kept = {group[-1] for group in system.one_of}
    return tuple(c.name for c in system.conventions if not c.fixed and c.name not in kept)


@pytest.mark.parametrize("name", library_names())
def test_words_and_sets_agree(name: str) -> None:
    assert offenders(name) == []
