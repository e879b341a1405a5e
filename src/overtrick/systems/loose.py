"""A system read loosely: besides what its rules say, calls a hand misses by a point or two.
Judgement, not agreement."""

from __future__ import annotations

from functools import cache
from typing import Final

from overtrick.systems.context import Context
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.systems.shows import BIG, Item, Items, feature_of

COST: Final = 2000  # how far the priority of a loose set is below that of the set it came from
_POINTS: Final = frozenset({"HCP", "POINTS", "LP", "TP"})


class LooseOption:
    """A constraint set with its ranges of points widened; all else is the rule's."""

    __slots__ = ("call", "items", "option", "priority", "rule", "words")

    def __init__(self, option: OfferedCall, items: Items) -> None:
        self.option, self.items = option, items
        self.call, self.rule = option.call, option.rule
        self.priority = option.priority - COST
        self.words = option.words


class LooseReading(Reading):
    """The contexts and meanings of a reading, but options with `slack` points either way.

    What calls have shown stays what the rules say, so that partner's ranges do not wander off.
    """

    def __init__(self, strict: Reading, slack: int) -> None:
        super().__init__(*strict.systems)
        self.strict, self.slack = strict, slack

    def context(self, calls: tuple[int, ...], vul: int = 0, first: int = 0) -> Context:
        return self.strict.context(calls, vul, first)

    def of_call(self, ctx: Context, call: int) -> list[OfferedCall]:
        """What a call means is what was agreed, however loosely hands are bid."""
        return self.strict.of_call(ctx, call)

    def displaced(self, ctx: Context) -> list[OfferedCall]:
        return self.strict.displaced(ctx)

    def options(self, ctx: Context) -> list[OfferedCall]:
        found = ctx.loose.get(self.slack)
        if found is None:
            found = ctx.loose[self.slack] = loosened(self.strict.options(ctx), self.slack)
        return found


def loosened(options: list[OfferedCall], slack: int) -> list[OfferedCall]:
    """The options, best first, followed by those that are wider than what was written."""
    out = list(options)
    for option in options:
        items = widened(option.items, slack)
        if items != option.items:
            out.append(LooseOption(option, items))  # type: ignore[arg-type]
    return out


@cache
def widened(items: Items, slack: int) -> Items:
    """Bound items with every range of points wider by `slack` at both ends."""
    out: list[Item] = []
    for item in items:
        if item[0] == "or":
            out.append(("or", tuple(widened(part, slack) for part in item[1])))
        elif item[0] == "not" or not _strength(item[0]):
            out.append(item)
        else:
            low, high = item[1], item[2]
            out.append((item[0], low - slack, high if high >= BIG else high + slack))
    return tuple(out)


@cache
def _strength(number: int) -> bool:
    found = feature_of(number)
    return found.of.name in _POINTS and (not found.suits or found.suits[-1] == 4)
