"""The verb of docs/howto/verb.md, as printed, is a verb; the notation guide's code runs."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli.lazy import LazyGroup
from tests.docs.blocks import files_of

HOWTO = Path(__file__).parents[2] / "docs" / "howto"


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LazyGroup:
    package = tmp_path / "guided_verbs"
    package.mkdir()
    (package / "__init__.py").touch()
    for name, text in files_of((HOWTO / "verb.md").read_text(encoding="utf-8")).items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [m for m in sys.modules if m.startswith("guided_verbs")]:
        monkeypatch.delitem(sys.modules, name)
    sections = {"Hands": {"shape": "the lengths of a hand's suits"}}
    return LazyGroup("guided", sections=sections, package="guided_verbs")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["shape", "AQ3.KJ4.QJ52.K82"], 0, "4-3-3-3"),
        (["shape", "AQ3.KJ4.QJ52.K82", "--json"], 0, '"shape": "4-3-3-3"'),
        (["shape", "AQ3.KJ4"], 2, "error: "),
        (["shape", "--help"], 0, "Example:"),
        (["--help"], 0, "the lengths of a hand's suits"),
    ],
)
def test_the_guides_verb_is_one(group: LazyGroup, words: list[str], code: int, said: str) -> None:
    result = CliRunner().invoke(group, words)
    assert result.exit_code == code, result.output
    assert said in result.output


def test_the_code_of_the_notation_guide_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(
        r"```python\n(.*?)```", (HOWTO / "notation.md").read_text(encoding="utf-8"), re.DOTALL
    )
    exec(compile(code, "notation.md", "exec"), {"__name__": "page"})
    assert "lin" in capsys.readouterr().out
