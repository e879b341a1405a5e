"""Files are written whole or not at all, and what stands in the way is said of the right file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.notation.whole import whole_file, why_not_written, write_whole


def test_a_file_takes_its_place_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_whole(path, "one")
    with pytest.raises(KeyError), whole_file(path) as file:
        file.write({}["half"])
    assert path.read_text() == "one"
    assert [p.name for p in path.parent.iterdir()] == ["a.txt"]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that nobody can write to")
def test_an_error_names_the_file_that_was_asked_for() -> None:
    with pytest.raises(OSError) as error:
        write_whole(Path("/proc/report.html"), "x")
    assert error.value.filename == "/proc/report.html"
    assert "cannot be written" in str(error.value)
    assert why_not_written(Path("/proc/report.html"))


def test_trying_leaves_nothing(tmp_path: Path) -> None:
    assert why_not_written(tmp_path / "a") is None
    assert why_not_written(Path("/dev/stdout")) is None
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that nobody can write to")
@pytest.mark.parametrize("option", ["--report", "--pbn", "--db"])
def test_a_match_is_not_begun_for_a_file_that_cannot_be_written(option: str) -> None:
    name = "/proc/x.pbn"
    said = CliRunner().invoke(main, ["match", "points", "pass", "-n", "1000000", option, name])
    assert said.exit_code == 2
    assert f"'{name}' cannot be written" in said.output
    assert ".part" not in said.output


def test_a_result_is_told_before_its_report_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("overtrick.notation.whole.write_whole", full)
    report = str(tmp_path / "r.html")
    said = CliRunner().invoke(main, ["match", "points", "pass", "-n", "2", "--report", report])
    assert said.exit_code == 2
    assert "IMPs/board for A" in said.output
    assert f"{report}: the disk is full" in said.output
