"""Constants with a pedigree: a number, its unit, what it is, and the measurement that chose it.

The constants of a room stand in one module, as names or as fields of frozen settings:

    PATIENCE: Final = constant(150_000, "deals", "drawn before deals are annealed")

Code reads the plain number, and a start costs nothing more. The reference page is made from the
source of the same lines, so that a number and its origin cannot part.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, TypeVar

T = TypeVar("T")
_MAKER: Final = "constant"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What chose constants: the command, or the page that tells of it; boards and date."""

    how: str = ""
    boards: str = ""
    date: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.how, self.boards, self.date))) or "not measured"


UNMEASURED: Final = Measurement()


def constant(
    value: T, unit: str, meaning: str, chosen: Measurement = UNMEASURED, effect: str = ""
) -> T:
    """A number with its pedigree; at run time only the number. `effect` is what it gained over
    what else was tried, ± the standard error.

    >>> constant(0.6, "share", "of players who bid like the imitation")
    0.6
    """
    return value


@dataclass(frozen=True, slots=True)
class Pedigree:
    """One constant as its source has it; `value` is the text of it."""

    group: str
    name: str
    value: str
    unit: str
    meaning: str
    chosen: Measurement = UNMEASURED
    effect: str = ""


def constants_of(module: ModuleType) -> list[Pedigree]:
    """The constants of a room's module: those under the first word of their names, then those of
    each class under its name."""
    body = ast.parse(inspect.getsource(module)).body
    found = list(_assigned(module, "", body))
    for node in body:
        if isinstance(node, ast.ClassDef):
            found += _assigned(module, node.name, node.body)
    return found


def _assigned(module: ModuleType, group: str, body: Sequence[ast.stmt]) -> Iterator[Pedigree]:
    for node in body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.value, ast.Call):
            continue
        made, name = node.value, ast.unparse(node.target)
        if isinstance(made.func, ast.Name) and made.func.id == _MAKER:
            value, *rest = made.args
            told = [_said(module, argument) for argument in rest]
            more = {k.arg: _said(module, k.value) for k in made.keywords if k.arg}
            section = group or name.partition("_")[0].capitalize()
            yield Pedigree(section, name, ast.unparse(value), *told, **more)


def _said(module: ModuleType, argument: ast.expr) -> Any:
    """A text as it stands there, or the measurement that has this name in the module."""
    if isinstance(argument, ast.Name):
        return getattr(module, argument.id)
    return ast.literal_eval(argument)


def tables(constants: Sequence[Pedigree]) -> str:
    """The constants of a room as tables of a page, a heading for each group."""
    parts = []
    for group in dict.fromkeys(c.group for c in constants):
        parts.append(
            f"### {group}\n\n| constant | value | unit | what it is | chosen by | effect |"
        )
        parts.append("|---|---|---|---|---|---|")
        for c in (c for c in constants if c.group == group):
            cells = (f"`{c.name}`", f"`{c.value}`", c.unit, c.meaning, str(c.chosen), c.effect)
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)
