"""Rules, compiled: constraint sets with priorities, rules with calls, blocks with conditions.
Made by `system` from the texts; `reading` matches them, lint and the book list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.systems.conditions import Condition, SuitSet
from overtrick.systems.context import Context
from overtrick.systems.patterns import CallTerm
from overtrick.systems.shows import Filled, Template, bind, needs
from overtrick.systems.syntax import BlockText, Place, RuleText

_MOST_FILLED: Final = 1024  # ways to fill in one set that are remembered


@dataclass(frozen=True, slots=True, eq=False)
class ShowsRule:
    """One constraint set of a rule, compiled."""

    template: Template
    priority: int
    words: str
    order: int
    kept: dict[object, Filled] = field(default_factory=dict, repr=False)
    options: dict[object, Any] = field(default_factory=dict, repr=False)  # of `reading`
    needs: int = field(init=False)  # what its shared values read in the context
    rank: tuple[int, int, int] = field(init=False)  # best first: priority, then detail, then order

    def __post_init__(self) -> None:
        object.__setattr__(self, "needs", needs(self.template))
        object.__setattr__(self, "rank", (-self.priority, -len(self.template.items), self.order))

    def filled(self, bindings: Mapping[str, int], ctx: Context) -> Filled:
        """The set with suits and shared values filled in; the same question, the same object."""
        template = self.template
        key: object = tuple([bindings[v] for v in template.variables])
        if self.needs:
            key = key, ctx.shared(self.needs)
        found = self.kept.get(key)
        if found is None:
            if len(self.kept) >= _MOST_FILLED:
                self.kept.clear()
            found = self.kept[key] = Filled(bind(template, bindings, ctx))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule, compiled: when it applies, its call, and what the call shows."""

    id: str
    term: CallTerm
    words: str
    sets: tuple[ShowsRule, ...]
    when: tuple[Condition, ...]
    free: tuple[str, ...]  # variables that neither pattern nor `for` binds
    forcing: Forcing
    act: SpeechAct
    alert: bool
    agree: str
    tags: tuple[str, ...]
    artificial: bool
    convention: str
    place: Place
    text: RuleText
    layer: int


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Rules that share conditions; `each` binds variables to suits of the context."""

    when: tuple[Condition, ...]
    late: tuple[Condition, ...]  # conditions that need the variables of `each`
    each: tuple[tuple[str, SuitSet], ...]
    rules: tuple[Rule, ...]
    text: BlockText
    layer: int
    asks: tuple[str, ...] = ()  # of an `anytime` block: the texts of its `when`, asked beforehand
