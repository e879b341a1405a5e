"""The reference pages of the documentation, made from the code: docs/reference."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any, get_args, get_type_hints

import msgspec

import overtrick
from overtrick import (
    analysis,
    arena,
    dd,
    environments,
    evaluation,
    notation,
    suitplay,
    systems,
    table,
    worlds,
)
from overtrick.bidding import BIDDERS
from overtrick.bidding import constants as bidding
from overtrick.cardplay import PLAYERS
from overtrick.cardplay import constants as cardplay
from overtrick.engines.constants import constants_of, tables
from overtrick.engines.options import option_words
from overtrick.notation import plain
from overtrick.service import library
from overtrick.service.hands import Tables
from overtrick.service.queries import FIELD_WORDS, FIELDS
from overtrick.service.replies import BoardIn, SideIn, ThinkAllIn, ThinkIn
from overtrick.service.robot import QUESTIONS
from overtrick.service.tools import TOOLS, answer_schema
from tests.golden import helps


def files() -> dict[str, str]:
    """File name → page."""
    return {
        "cli.md": _cli(), "constants.md": _constants(), "engines.md": _engines(),
        "http.md": _http(), "library.md": _library(),
        "mcp.md": _mcp(), "record.schema.json": _record_schema(),
    }  # fmt: skip


def _record_schema() -> str:
    return json.dumps(plain.schema(), indent=1, sort_keys=True) + "\n"


def _constants() -> str:
    parts = [
        "# Constants\n\nNumbers that engines take as given, with the measurement that chose them "
        "where there is one: the page or the command that tells of it, and the boards.\n"
    ]
    for title, room in (("Bidding", bidding), ("Card play", cardplay)):
        parts.append(f"## {title}\n\n{tables(constants_of(room))}")
    return "\n".join(parts).rstrip() + "\n"


def _cli() -> str:
    parts = ["# The command line\n\nThe help of every verb, as the program prints it.\n"]
    for name, text in sorted(helps.files().items()):
        verb = name.removesuffix(".txt").replace("_", " ")
        parts.append(f"## {verb}\n\n```text\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


def _engines() -> str:
    parts = ["# Engines\n\nNames and options, as in `name(option=value)`.\n"]
    for registry in (BIDDERS, PLAYERS):
        parts.append(f"## {registry.kind.capitalize()}s\n")
        for name in registry.shipped():
            factory = registry.factory(name)
            doc = " ".join((inspect.getdoc(factory) or "").split("\n\n")[0].split())
            parts.append(f"### {name}\n\n{doc}\n")
            words = option_words(factory)
            if words:
                parts.append("| option | default | |\n|---|---|---|")
                for option in inspect.signature(factory).parameters.values():
                    shown = "" if option.default is option.empty else f"`{option.default!r}`"
                    parts.append(f"| `{option.name}` | {shown} | {_cell(words[option.name])} |")
                parts.append("")
    return "\n".join(parts)


def _http() -> str:
    parts = [
        "# HTTP\n\nQuestions that programs ask `overtrick serve`; see [how to"
        " ask](../howto/service.md). Answers have the types that the server's page `/docs` shows,"
        " and `/api/openapi.json` for tools that make clients.\n",
        "## Questions in JSON, by POST\n",
    ]
    for kind in (ThinkIn, ThinkAllIn, BoardIn, SideIn):
        words = " ".join((kind.__doc__ or "").split())
        parts.append(
            f"### {kind.__name__}\n\n{_PATHS[kind.__name__]}{words}\n\n| field | |\n|---|---|"
        )
        parts += [f"| `{f.name}` | {_cell(_default(f))} |" for f in msgspec.structs.fields(kind)]
        parts.append("")
    parts.append("## Questions in the fields of BEN's clients, by GET\n")
    for question, fields in FIELDS.items():
        words = " ".join((QUESTIONS[question].__doc__ or "").split())
        parts.append(f"### /{question}\n\n{words}\n\n| field | |\n|---|---|")
        parts += [f"| `{f}` | {_cell(FIELD_WORDS[f])} |" for f in fields]
        parts.append("")
    return "\n".join(parts)


_PATHS = {
    "ThinkIn": "`/api/think` takes one. ", "ThinkAllIn": "`/api/think/all` takes one. ",
    "BoardIn": "`/api/board` takes one. ", "SideIn": "",
}  # fmt: skip


def _default(field: msgspec.structs.FieldInfo) -> str:
    """What stands when the field is left out."""
    if field.required:
        return "has to be there"
    return (
        "" if field.default in ("", None) else f"`{json.dumps(msgspec.to_builtins(field.default))}`"
    )


def _mcp() -> str:
    parts = ["# Tools for language models\n\nWhat `overtrick mcp` offers.\n"]
    for tool in (*TOOLS, *Tables("pass+highest").tools()):
        parts.append(f"## {tool.__name__}\n\n{_prose(tool)}\n\n| field | | |\n|---|---|---|")
        hints = get_type_hints(tool, include_extras=True)
        for field in inspect.signature(tool).parameters.values():
            words = next((t for t in get_args(hints[field.name]) if isinstance(t, str)), "")
            shown = "" if field.default is field.empty else f"`{field.default!r}`"
            parts.append(f"| `{field.name}` | {shown} | {_cell(words)} |")
        fields = ", ".join(f"`{name}`" for name in answer_schema(tool)["properties"])
        parts.append(f"\nAnswers {fields}.\n")
    parts.append("## Things to read\n\n| address | |\n|---|---|")
    parts += [f"| `{address}` | {_cell(_first(read))} |" for address, read in library.READABLE]
    parts.append("\n## Prompts\n\n| name | |\n|---|---|")
    parts += [f"| `{p.__name__}{_brackets(p)}` | {_first(p)} |" for p in library.PROMPTS]
    return "\n".join([*parts, ""])


def _first(found: Callable[..., Any]) -> str:
    return " ".join((inspect.getdoc(found) or "").split("\n\n")[0].split())


def _library() -> str:
    parts = [
        "# The library\n\nEvery name of `from overtrick import …`, then those of `overtrick.dd` and"
        " of packages that are public as well; [what you can rely on](../stability.md). Examples"
        " run as tests.\n",
    ]
    for name in sorted(overtrick.__all__, key=str.lower):
        if name == "__version__":
            continue
        found = getattr(overtrick, name)
        parts.append(f"## {name}\n\n{_signature(name, found)}\n\n{_prose(found)}\n")
        if inspect.isclass(found):
            parts += _members(found)
    for where in (
        dd, analysis, notation, environments, table, suitplay, evaluation, systems, worlds, arena
    ):  # fmt: skip
        module = where.__name__
        parts.append(f"## {module}\n\n{_prose(where)}\n")
        for name in sorted(set(where.__all__) - set(overtrick.__all__), key=_alphabetical):
            found = getattr(where, name)
            if not callable(found):
                parts.append(f"### {where.__name__}.{name}\n\nA constant.\n")
                continue
            parts.append(f"### {module}.{name}\n\n{_signature(name, found)}\n\n{_prose(found)}\n")
            if inspect.isclass(found):
                parts += _members(found)
    return "\n".join(parts)


def _alphabetical(name: str) -> tuple[str, str]:
    return name.lower(), name


def _members(kind: type) -> list[str]:
    rows = []
    for name, member in sorted(vars(kind).items()):
        inner = getattr(member, "__func__", member)
        if name.startswith("_") or not (inspect.isfunction(inner) or isinstance(member, property)):
            continue
        doc = " ".join((inspect.getdoc(getattr(kind, name)) or "").split("\n\n")[0].split())
        rows.append(f"| `{name}{_brackets(inner)}` | {_cell(doc)} |")
    return ["| | |\n|---|---|", *rows, ""] if rows else []


def _brackets(function: Any) -> str:
    if not inspect.isfunction(function):
        return ""
    names = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
    return f"({', '.join(names)})"


def _signature(name: str, found: Any) -> str:
    if inspect.ismodule(found):
        return f"`{found.__name__}`"
    try:
        signature = inspect.signature(found)
    except (TypeError, ValueError):
        return f"`{name}`"
    shown = [str(p) for p in signature.parameters.values() if not p.name.startswith("_")]
    if inspect.isclass(found) and issubclass(found, Exception):
        return f"`{name}`"
    one = f"{name}({', '.join(shown)})"
    text = one if len(one) < 90 else f"{name}(\n    " + ",\n    ".join(shown) + ",\n)"
    return f"```text\n{text}\n```"


def _prose(found: Callable[..., Any]) -> str:
    """A docstring as Markdown: its examples in a block of their own."""
    out: list[str] = []
    inside = False
    for line in (inspect.getdoc(found) or "").splitlines():
        starts = line.lstrip().startswith(">>>")
        if starts and not inside:
            out.append("```pycon")
            inside = True
        elif inside and not line.strip():
            out.append("```")
            inside = False
        out.append(line)
    return "\n".join([*out, "```"] if inside else out)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
