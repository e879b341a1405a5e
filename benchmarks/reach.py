"""How much code a user's program can reach: `python -m benchmarks.reach [CLONE …]`.

A walk over imports without running anything: from every verb of the command line and from the web
application, through imports at the top of modules and inside functions, and through modules that
are named by strings (registries, packages that load their names lazily, verbs by a prefix). What
is imported for type checkers alone does not count. Prints lines by room: those reached, and all;
then the modules of the core that nobody reaches. CLONE is a folder with the `src` of another commit
for instance; its laboratory, in `lab/src`, is counted beside it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOTS: Final = ("overtrick.__main__", "overtrick.cli", "overtrick.web.application")
LABORATORY: Final = re.compile(r"overtrick\.cli\.(train|reproduc\w+)")
"""The verbs of the laboratory, where they stand among the others."""
_NAMED: Final = re.compile(r"(overtrick(?:\.\w+)+)(?::\w+)?")
_PREFIX: Final = re.compile(r"(overtrick(?:\.\w+)*)\.")


def modules(clone: Path) -> dict[str, Path]:
    """Every module of both distributions by its dotted name."""
    found = {}
    for source in (clone / "src" / "overtrick", clone / "lab" / "src" / "overtrick_lab"):
        for path in source.rglob("*.py"):
            parts = path.relative_to(source.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def reached(known: Mapping[str, Path]) -> set[str]:
    """The modules that verbs and the web application can import."""
    verbs = {name for name in known if name.startswith("overtrick.cli.")}
    waiting = [*ROOTS, *(name for name in verbs if not LABORATORY.fullmatch(name))]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in known or LABORATORY.fullmatch(name):
            continue
        seen.add(name)
        waiting.extend(_packages(name))
        waiting.extend(imported(name, known))
    return seen


def imported(name: str, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one of them names anywhere in its text."""
    path = known[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in _running(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if called := _NAMED.fullmatch(node.value):
                yield called[1]
        elif isinstance(node, ast.JoinedStr) and (folder := _PREFIX.match(_begins(node))):
            yield from (each for each in known if each.rpartition(".")[0] == folder[1])


def _begins(text: ast.JoinedStr) -> str:
    """What an f-string says before its first hole."""
    first = text.values[0] if text.values else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for other in node.orelse:
                yield other
                yield from _running(other)
            continue
        yield node
        yield from _running(node)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    base = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*base, *filter(None, [node.module])])


def _packages(name: str) -> Iterator[str]:
    """The packages around a module, which Python imports first."""
    parts = name.split(".")
    yield from (".".join(parts[:end]) for end in range(1, len(parts)))


def lines(path: Path) -> int:
    """Lines of a file, as `wc -l` counts them."""
    return path.read_bytes().count(b"\n")


def table(known: Mapping[str, Path]) -> str:
    """Markdown: lines reached and lines there are, by room."""
    within = reached(known)
    there, here = Counter[str](), Counter[str]()
    for name, path in known.items():
        parts = name.split(".")
        room = parts[1] if len(parts) > 1 else "top"
        room = f"lab: {room}" if parts[0] == "overtrick_lab" else room
        there[room] += lines(path)
        here[room] += lines(path) if name in within else 0
    rows = [f"| {room} | {here[room]:,} | {total:,} |" for room, total in there.most_common()]
    total = f"| **all** | **{here.total():,}** | **{there.total():,}** |"
    return "\n".join(["| room | reached | lines |", "|---|---|---|", *rows, total])


def beyond(known: Mapping[str, Path]) -> list[str]:
    """Modules of the core that no verb and no page reaches."""
    within = reached(known)
    return sorted(n for n in known if n.split(".")[0] == "overtrick" and n not in within)


if __name__ == "__main__":
    for clone in sys.argv[1:] or ["."]:
        code = modules(Path(clone))
        print(f"{table(code)}\n\nNot reached: {', '.join(beyond(code)) or 'nothing'}")
