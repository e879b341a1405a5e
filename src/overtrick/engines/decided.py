"""Decisions as plain data that loses nothing people may ask for later: reasons stay values, so that
what was thought once can be told again, in any words. Engines of other programs speak `wire`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import numpy as np

from overtrick.engines.wire import Line, decision_in
from overtrick.game import BridgeError, Call, Candidate, Card, Decision, Seat, Suit
from overtrick.game.reasons import Reason, Remark

_FIGURES: Final = ("chance", "tricks")  # of a candidate's details


def decision_out(decision: Decision) -> Line:
    """A decision as plain data, the reasons as their kinds and fields."""
    line = decision.to_dict()
    del line["why"]
    line["reasons"] = [reason_out(r) for r in decision.reasons]
    for row, candidate in zip(line["candidates"], decision.candidates, strict=True):
        del row["note"]
        figures = {f: candidate.details.get(f) for f in _FIGURES}
        row |= {f: x for f, x in figures.items() if isinstance(x, int | float)}
        row["reasons"] = [reason_out(r) for r in candidate.reasons]
    return line


def decision_of(line: Line, wanted: type[Call] | type[Card]) -> Decision:
    """The counterpart; lines from before reasons were kept have their words.

    >>> from overtrick.game import Meaning
    >>> from overtrick.game.reasons import Finesse
    >>> why = Finesse(Card("SQ"), Seat.EAST, 0.6)
    >>> made = Decision(Card("SJ"), Meaning("a card"), reasons=[why])
    >>> decision_of(decision_out(made), Card).reasons == made.reasons
    True
    """
    found = decision_in(line, wanted)
    if "reasons" not in line:
        return found
    rows = line.get("candidates") or []
    candidates = tuple(
        Candidate(c.action, c.value, c.error, details=_figures(row), reasons=_reasons(row))
        for c, row in zip(found.candidates, rows, strict=False)
    )
    cut = line.get("cut") is True
    return replace(found, reasons=_reasons(line), candidates=candidates, cut=cut)


def _figures(row: Mapping[str, Any]) -> dict[str, float]:
    return {f: x for f in _FIGURES if isinstance(x := row.get(f), int | float)}


def _reasons(row: Mapping[str, Any]) -> tuple[Reason, ...]:
    found = (reason_of(data) for data in row.get("reasons") or [])
    return tuple(reason for reason in found if reason is not None)


# ---------------------------------------------------------------- reasons


def reason_out(reason: Reason) -> Line:
    """A reason as its kind and its fields."""
    if isinstance(reason, Remark):
        return {"reason": "Remark", "name": str(reason.value)}
    told = {f.name: _out(getattr(reason, f.name)) for f in fields(reason)}  # type: ignore[arg-type]
    return {"reason": type(reason).__name__, **told}


def _out(value: Any) -> Any:
    match value:
        case Card() | Call():
            return value.ascii
        case Suit():
            return value.name[0]
        case Seat():
            return value.letter
        case Enum():
            return value.value
        case tuple():
            return [_out(part) for part in value]
        case np.generic():  # what came out of an array
            return value.item()
    return value


def reason_of(data: object) -> Reason | None:
    """The reason in plain data; None for one of a kind that this program does not know."""
    if not isinstance(data, Mapping):
        return None
    name = data.get("reason")
    try:
        if name == "Remark":
            return Remark(data.get("name"))
        kind = _kinds().get(str(name))
        if kind is None:
            return None
        hints = _hints()[kind.__name__]
        told = {f: _of(data[f], hint) for f, hint in hints.items() if f in data}
        made: Reason = kind(**told)
    except (BridgeError, ValueError, TypeError):
        return None
    return made


@cache
def _kinds() -> dict[str, type[Any]]:
    return {kind.__name__: kind for kind in Reason.__subclasses__() if is_dataclass(kind)}


@cache
def _hints() -> dict[str, dict[str, Any]]:
    return {name: get_type_hints(kind) for name, kind in _kinds().items()}


def _of(value: Any, hint: Any) -> Any:
    """A field as the value that its type asks for."""
    if get_origin(hint) is UnionType:
        if value is None and NoneType in get_args(hint):
            return None
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        return _of(value, kinds[0] if len(kinds) == 1 else _action(value))
    if get_origin(hint) is tuple:
        return tuple(_of(part, get_args(hint)[0]) for part in value)
    if hint in (Card, Call):
        return hint.parse(str(value))
    if hint is Suit:
        return Suit("CDHS".index(value))
    if hint is Seat:
        return Seat.parse(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is not hint:
        raise TypeError(f"{value!r} is no {hint}")
    return value


def _action(text: object) -> type[Card] | type[Call]:
    return Card if isinstance(text, str) and len(text) == 2 and text[0] in "CDHS" else Call
