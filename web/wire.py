"""The types of everything that goes over the wire, for the page: `python web/wire.py` writes
web/src/wire.ts from the same structs that check questions, encode answers and describe the API."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any, Final

from msgspec import inspect

from overtrick.game.seats import SeatLetter
from overtrick.web import frames, messages
from overtrick.web.openapi import is_sparing, kinds, may_lack, structs

WIDTH: Final = 100
TARGET: Final = Path(__file__).parent / "src" / "wire.ts"
_HEAD: Final = "// Made by web/wire.py from the server's own types; do not edit.\n"
_PLAIN: Final[dict[type[Any], str]] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "unknown",
}
_NAMED: Final = {
    "SeatLetter": SeatLetter, "Done": frames.Done, "Frame": frames.Frame,
    "DirectorsWord": messages.DirectorsWord,
}  # fmt: skip


def typescript() -> str:
    """The text of wire.ts."""
    every = inspect.multi_type_info([*_NAMED.values(), *kinds()])
    seat, *unions = every[: len(_NAMED)]
    lines = [_HEAD, f"export type SeatLetter = {' | '.join(_literals(seat))};\n"]
    found = structs(every)
    lines += [_interface(found[name]) for name in sorted(found)]
    for name, union in zip(list(_NAMED)[1:], unions, strict=True):
        lines.append("\n".join(_field(f"export type {name} =", _type(union))) + "\n")
    return "\n".join(lines)


def _interface(struct: Any) -> str:
    lines = [*_comment(struct.cls.__doc__ or ""), f"export interface {struct.cls.__name__} {{"]
    if struct.tag_field is not None:
        lines.append(f'  {struct.tag_field}: "{struct.tag}";')
    # What is asked may leave out whatever has a default; an answer leaves out what is not set.
    sparing = is_sparing(struct)
    for field in struct.fields:
        optional = "?" if may_lack(field) or (sparing and not field.required) else ""
        lines += _field(f"  {field.encode_name}{optional}:", _type(field.type))
    return "\n".join([*lines, "}", ""])


def _comment(text: str) -> list[str]:
    words = " ".join(text.split())
    if len(words) + len("/**  */") <= WIDTH:
        return [f"/** {words} */"]
    return ["/**", *(f" * {line}" for line in textwrap.wrap(words, WIDTH - 3)), " */"]


def _field(name: str, kind: str) -> list[str]:
    """A field on one line, or each of the kinds it may be on its own."""
    if len(f"{name} {kind};") <= WIDTH:
        return [f"{name} {kind};"]
    rest = "\n".join(f"    | {each}" for each in kind.split(" | "))
    return [name, f"{rest};"]


def _type(info: Any) -> str:
    if isinstance(info, inspect.Metadata):
        return _type(info.type)
    if type(info) in _PLAIN:
        return _PLAIN[type(info)]
    match info:
        case inspect.StructType():
            return str(info.cls.__name__)
        case inspect.LiteralType() | inspect.EnumType():
            return _union(_literals(info))
        case inspect.UnionType():
            return _union([_type(t) for t in info.types])
        case inspect.ListType() | inspect.VarTupleType():
            inner = _type(info.item_type)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(map(_type, info.item_types))}]"
        case inspect.DictType():
            key = _type(info.key_type).replace("number", "string")
            record = f"Record<{key}, {_type(info.value_type)}>"
            return record if key == "string" or _is_every(info.key_type) else f"Partial<{record}>"
    raise TypeError(f"no TypeScript is known for {info}")


def _is_every(key: Any) -> bool:
    """Does an object always have all of these keys?"""
    return isinstance(key, inspect.Metadata) and key.extra == frames.EVERY


def _literals(info: Any) -> list[str]:
    values = [m.value for m in info.cls] if isinstance(info, inspect.EnumType) else info.values
    return [f'"{value}"' if isinstance(value, str) else str(value) for value in values]


def _union(names: list[str]) -> str:
    found = list(dict.fromkeys(names))
    seats = [f'"{s}"' for s in "NESW"]
    if set(seats) <= set(found) and not any(n.startswith('"') for n in found if n not in seats):
        found = ["SeatLetter", *(n for n in found if n not in seats)]
    return " | ".join(found)


if __name__ == "__main__":
    text = typescript()
    if "--check" in sys.argv:
        sys.exit(text != TARGET.read_text(encoding="utf-8") and "web/src/wire.ts is not up to date")
    TARGET.write_text(text, encoding="utf-8")
