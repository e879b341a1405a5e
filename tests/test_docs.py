"""What the documentation tells people to type is typed: every command runs, Python prints what the
page says and satisfies strict type checkers, and every page is on the site. (That console blocks
print what they show is in tests/docs.)"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.exam.questions import shipped
from tests.docs.blocks import files_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TUTORIAL = DOCS / "tutorial"
PAGES = [
    TUTORIAL / "index.md", DOCS / "systems.md", *sorted((DOCS / "start").glob("*.md")),
    *sorted((DOCS / "howto").glob("*.md")),
]  # fmt: skip
QUICK = [TUTORIAL / "index.md", DOCS / "howto" / "engine.md", DOCS / "howto" / "service.md"]
# The same commands on a smaller scale: what is typed stays, what it costs does not.
_SMALLER = (
    (r"(-n|--boards|--deals) \d{2,}", r"\1 2"),
    (r"--worlds \d+", "--worlds 0"),
    (r"worlds=\d+", "worlds=2"),
    (r"worlds=\{20,40,80\}", "worlds={1,2}"),
    (r"(simulate .*--compare .*)$", r"\1 -n 2"),
    (r"\bmatch A B\b", "match points pass"),
    (r"-w 8", "-w 2"),
    (r"challenge technique(?!.*--set)", "challenge technique --set crossruff"),
    (r"lead (\S+) (\"[^\"]+\")$", r'lead \1 \2 --engine "pimc(lead_worlds=4)"'),
    (r"perl examples", f"perl {ROOT / 'examples'}"),
    (r"tournament (round-robin|swiss|pairs|ladder) ….*$", r"tournament \1 points pass -n 2"),
)
# These go on until they are stopped, or need a second machine, a program from outside or what one
# of those leaves; they have tests of their own.
_ELSEWHERE = re.compile(
    r"overtrick (serve|tm|league|mcp$|engine .*--stdio)|--ray|train |--add (boards|played).pbn"
    r"|epbot\(|\bben\("
)


def _blocks(page: Path, language: str) -> list[str]:
    found = re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    return [str(f) for f in found]


def _commands(page: Path) -> list[str]:
    """Every command of the page's code blocks, with lines that go on joined."""
    text = "\n".join([*_blocks(page, ""), *_blocks(page, "console")]).replace("\\\n", " ")
    lines = re.findall(r"^(?:\$ )?(overtrick [a-z].*)$", text, re.MULTILINE)
    return [re.split(r" +#| {2,}\(", line)[0].strip() for line in lines]


def _invoked(line: str) -> click.testing.Result:
    words = shlex.split(line)[1:]
    return CliRunner(env={"COLUMNS": "92"}).invoke(main, words, prog_name="overtrick", input="")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVERTRICK_CACHE", "off")


@pytest.mark.parametrize("page", QUICK, ids=lambda p: p.stem)
def test_every_command_runs(page: Path, tmp_path: Path) -> None:
    for name, text in files_of(page.read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for line in _commands(page):
        _run_small(line)


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if p not in QUICK], ids=lambda p: p.stem)
def test_every_command_of_the_other_pages_runs(page: Path, tmp_path: Path) -> None:
    problems = ROOT / "tests" / "arena" / "problems.jsonl"
    text = problems.read_text(encoding="utf-8").replace('"house"', '"pavlicek-1"')
    (tmp_path / "problems.jsonl").write_text(text, encoding="utf-8")
    (tmp_path / "data").symlink_to(ROOT / "data")
    lines = [msgspec.json.encode(q) + b"\n" for q in shipped()[:2]]
    (tmp_path / "my-questions.jsonl").write_bytes(b"".join(lines))
    assert _invoked("overtrick card write sayc theirs.bbsa").exit_code == 0
    for line in _commands(page):
        _run_small(line)


def _run_small(line: str) -> None:
    if _ELSEWHERE.search(line):
        return
    for pattern, smaller in _SMALLER:
        line = re.sub(pattern, smaller, line)
    shown = _invoked(line)
    assert shown.exit_code == 0, f"{line}\n{shown.output}"


def test_the_tutorial_says_how_its_match_ends() -> None:
    page = (TUTORIAL / "index.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^\$ (overtrick match .*)$", page, re.MULTILINE)
    (told,) = re.findall(r"Hardly: (\S+ ± \S+) IMPs", page)
    _invoked("overtrick samples")
    shown = _invoked(line)
    assert told in shown.stdout, shown.output


PROGRAMS = (TUTORIAL / "library.md", TUTORIAL / "programs.md", DOCS / "stability.md")
"""Pages whose Python is run; each block stands alone."""


@pytest.mark.parametrize("page", PROGRAMS, ids=lambda p: p.stem)
def test_programs_print_what_the_page_says(page: Path) -> None:
    """Comments after a block's code are what it printed."""
    _invoked("overtrick samples")
    for block in _blocks(page, "python"):
        said = re.findall(r"^# (.*)$", block, re.MULTILINE)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(block, page.name, "exec"), {"__name__": "page"})
        assert out.getvalue().splitlines() == said, block


def test_the_engine_page_conforms(tmp_path: Path) -> None:
    page = DOCS / "howto" / "engine.md"
    for name, text in files_of(page.read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    check = _blocks(page, "python")[1]
    exec(compile(check, "engine.md", "exec"), {"__name__": "page"})


def _typed_code(tmp_path: Path) -> list[str]:
    """README's and the tutorial's Python, each page as one module."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", readme, re.MULTILINE)
    (tmp_path / "page_readme.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for page in PROGRAMS:
        code = "\n".join(_blocks(page, "python"))
        (tmp_path / f"page_{page.stem}.py").write_text(code, encoding="utf-8")
    engine = _blocks(DOCS / "howto" / "engine.md", "python")[0]
    (tmp_path / "page_engine.py").write_text(engine, encoding="utf-8")
    sample = ROOT / "src" / "overtrick" / "samples" / "my_engine.py"
    return [*(str(p) for p in sorted(tmp_path.glob("page_*.py"))), str(sample)]


def test_mypy_accepts_the_code_of_the_pages(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    told, _, code = api.run([
        "--strict", "--cache-dir", str(ROOT / ".mypy_cache"), "--config-file",
        str(ROOT / "pyproject.toml"), *_typed_code(tmp_path),
    ])  # fmt: skip
    assert code == 0, told


@pytest.mark.slow
def test_pyright_accepts_the_code_of_the_pages(tmp_path: Path) -> None:
    pytest.importorskip("pyright")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command, *_typed_code(tmp_path)], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_every_page_is_on_the_site() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r": (\S+\.md)$", text, re.MULTILINE)
    pages = {p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md")}
    assert set(listed) == pages
    assert len(listed) == len(pages)


@pytest.mark.slow
def test_the_site_is_built(tmp_path: Path) -> None:
    if shutil.which("mkdocs") is None:
        pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "s")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "s" / "tutorial" / "index.html").is_file()
