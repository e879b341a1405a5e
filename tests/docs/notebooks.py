"""The notebooks of `examples/notebooks`: run cell by cell in one namespace, as Jupyter does, with
what each prints and shows. No package for notebooks is needed: they are JSON."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.docs.blocks import ROOT

FOLDER: Final = ROOT / "examples" / "notebooks"
SUFFIX: Final = ".ipynb"


def notebooks() -> list[Path]:
    return sorted(FOLDER.glob(f"*{SUFFIX}"))


def executed(text: str) -> str:
    """The notebook with every cell's output as it is now."""
    book = json.loads(text)
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
            cell["outputs"] = list(_outputs("".join(cell["source"]), names, count))
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, names: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """What a cell prints, and what its last line is worth."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(tree, "cell", "exec"), names)
        value = (
            eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if isinstance(last, ast.Expr)
            else None
        )
    if printed := out.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(printed)}
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if draws := getattr(value, "_repr_html_", None):
            data["text/html"] = _lines(draws())
        yield {
            "data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result",
        }  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
