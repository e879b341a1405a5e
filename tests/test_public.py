"""What `import overtrick` shows a developer: every name there, explained, nothing loaded early."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

import overtrick
import overtrick.web
import overtrick.worlds

NAMES = [name for name in overtrick.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_there_and_explained(name: str) -> None:
    found = getattr(overtrick, name)
    assert inspect.getdoc(found)
    assert name in dir(overtrick)
    assert vars(overtrick)[name] is found  # looked up once


@pytest.mark.parametrize("name", NAMES)
def test_names_have_an_example(name: str) -> None:
    """Examples are doctests, which run with the tests."""
    assert ">>>" in (inspect.getdoc(getattr(overtrick, name)) or "")


PUBLIC = (
    "doubledummy", "analysis", "notation", "environments", "table", "suitplay", "evaluation",
    "systems", "worlds", "arena",
)  # fmt: skip
"""Packages of which all that they name is public, too."""


@pytest.mark.parametrize("package", PUBLIC)
def test_names_of_public_packages_have_examples(package: str) -> None:
    found = import_module(f"overtrick.{package}")
    told = {name: getattr(found, name) for name in found.__all__}
    silent = [n for n, o in told.items() if callable(o) and ">>>" not in (inspect.getdoc(o) or "")]
    assert not silent


@pytest.mark.parametrize("name", [n for n in NAMES if inspect.isclass(getattr(overtrick, n))])
def test_every_public_member_is_explained(name: str) -> None:
    kind = getattr(overtrick, name)
    own = {n: m for n, m in vars(kind).items() if not n.startswith("_")}
    silent = [
        n for n, m in own.items()
        if isinstance(m, property | classmethod | staticmethod) or inspect.isfunction(m)
        if not inspect.getdoc(getattr(kind, n))
    ]  # fmt: skip
    assert not silent, f"{name}: {silent}"


LAZY = [overtrick, overtrick.web, overtrick.worlds]


@pytest.mark.parametrize("package", LAZY, ids=lambda p: p.__name__)
def test_type_checkers_see_the_same_names(package: ModuleType) -> None:
    """Lazy names are listed twice, for Python and for mypy: the lists must agree."""
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If))
    told = {
        (alias.asname or alias.name, node.module)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    (given,) = (n.value for n in block.orelse if isinstance(n, ast.Assign))
    assert isinstance(given, ast.Call)
    where, *modules = (ast.literal_eval(argument) for argument in given.args[1:])
    real = {(name, module) for module, names in where.items() for name in names}
    real |= {(name, package.__name__) for found in modules for name in found}
    assert told == real
    assert {name for name, _ in real} == set(package.__all__) - {"__version__"}
    assert (files("overtrick") / "py.typed").is_file()


def test_every_data_file_is_packed() -> None:
    project = Path(__file__).parents[1] / "pyproject.toml"
    tool = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]
    patterns = tool["setuptools"]["package-data"]["overtrick"]
    home = Path(str(overtrick.__file__)).parent
    files_of = [p for p in home.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")]
    data = {p.relative_to(home).as_posix() for p in files_of}
    assert {n for n in data if not any(fnmatch(n, pattern) for pattern in patterns)} == set()
    assert {Path(n).suffix for n in data} >= {".bid", ".onnx", ".json", ".npz", ".typed", ".html"}


def test_importing_costs_almost_nothing() -> None:
    code = "import sys, overtrick; print(sorted({'numpy', 'click', 'msgspec'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_other_names_are_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'overtrick' has no attribute 'ruff'"):
        overtrick.ruff  # noqa: B018
