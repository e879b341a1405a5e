"""What README, the how-tos and every `--help` tell people to type: it parses, and links lead
somewhere. (README's Python runs as a doctest, its console blocks in tests/docs.)"""

from __future__ import annotations

import ast
import re
import shlex
from importlib import import_module
from pathlib import Path

import click
import pytest

from overtrick.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def _typed(text: str) -> list[str]:
    """Every whole command in a text: in a console block, in code quotes, or a line of its own."""
    lines = re.findall(r"^ *(?:\$ )?(overtrick [a-z].*)$", text, re.MULTILINE)
    quoted = re.findall(r"`(overtrick [a-z][^`]*)`", text)
    return [re.split(r" {2,}| #| && | >", line)[0] for line in [*lines, *quoted]]


def _helps() -> list[tuple[str, str]]:
    out = []
    todo: list[tuple[str, click.Command]] = [("overtrick", main)]
    while todo:
        name, command = todo.pop()
        out.append((name, command.help or ""))
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=name)
            for verb in command.list_commands(context):
                inner = command.get_command(context, verb)
                assert inner is not None
                todo.append((f"{name} {verb}", inner))
    return out


def _parsed(line: str) -> None:
    """Parse a command without running it; that its files are not here is no fault of the text."""
    _, *words = shlex.split(line)
    command: click.Command = main
    context = click.Context(main, info_name="overtrick")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        inner = command.get_command(context, words[0])
        assert inner is not None, f"no verb in {line!r}"
        command, words = inner, words[1:]
    try:
        command.make_context(line, list(words), parent=context)
    except click.exceptions.Exit:
        return
    except click.UsageError as error:
        if "does not exist" not in error.format_message():
            raise AssertionError(f"{line}: {error.format_message()}") from None


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERTRICK_CACHE", "off")


def test_readme_commands_parse() -> None:
    lines = _typed(README)
    assert len(lines) > 15
    for line in lines:
        _parsed(line)


@pytest.mark.parametrize(("name", "text"), _helps(), ids=lambda x: x if len(x) < 40 else "")
def test_the_examples_of_every_help_parse(name: str, text: str) -> None:
    lines = [line for line in _typed(text.replace("Example: ", "\n")) if "…" not in line]
    for line in lines:
        if "|" not in line:
            _parsed(line)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda p: p.name)
def test_python_in_the_docs_imports_what_there_is(page: Path) -> None:
    for block in _blocks(page.read_text(encoding="utf-8"), "python"):
        if ">>>" in block:
            continue
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("overtrick"):
                module = import_module(node.module or "")
                for name in node.names:
                    assert hasattr(module, name.name), f"{page.name}: {node.module}.{name.name}"
