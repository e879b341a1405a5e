"""`overtrick deal` in every form, and its one-line errors."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick.game import Deal
from overtrick.worlds import parse


def run(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["deal", *arguments])
    assert done.exit_code == code, done.output
    return done.output


def test_lines_satisfy_what_was_asked_and_repeat_with_the_seed() -> None:
    asked = ("--north", "hcp 15..17, balanced", "-n", "20", "-f", "line", "--seed", "4")
    shown = run(*asked)
    deals = [Deal.parse(line) for line in shown.splitlines()]
    assert len(deals) == 20
    assert all(parse("hcp 15..17, balanced").holds(d[0]) for d in deals)
    assert shown == run(*asked)


def test_text_shows_every_suit() -> None:
    shown = run("--seed", "1")
    assert shown.startswith("Board 1")
    assert shown.count("♠") == 4


def test_json_with_statistics() -> None:
    found = json.loads(run("--south", "spades 6+", "-n", "50", "--seed", "2", "--json", "--stats"))
    assert len(found["deals"]) == 50
    assert found["statistics"]["means"]["S"]["SUITLEN(S)"] >= 6
    assert 0 < found["statistics"]["chance"] < 0.2


@pytest.mark.parametrize("form", ["pbn", "lin"])
def test_files_can_be_read_again(form: str) -> None:
    from overtrick import notation

    shown = run("-n", "3", "--seed", "5", "-f", form)
    records = notation.loads(shown).records
    assert [str(r.deal) for r in records] == run("-n", "3", "--seed", "5", "-f", "line").split(
        "\n"
    )[:3]


def test_known_cards_voids_and_statistics() -> None:
    shown = run("--known", "N:AKQ... - - -", "--void", "E:S", "-n", "5", "-f", "line", "--stats")
    deals = [Deal.parse(line) for line in shown.splitlines() if line.startswith("N:")]
    assert all(d[0].ranks(3).startswith("AKQ") and not d[1].ranks(3) for d in deals)
    assert "once in" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--north", "hcp 12 14"), "--north: expected a comma"),
        (("--north", "hcp 30+", "--south", "hcp 11+"), "need 41 hcp together"),
        (("--void", "E"), "a void reads like E:S"),
        (("--known", "N:AA... - - -"), "twice"),
    ],
)
def test_errors_are_one_line(arguments: tuple[str, ...], message: str) -> None:
    shown = run(*arguments, code=2)
    assert message in shown
    assert len(shown.strip().splitlines()) == 1


def test_a_script_deals(tmp_path: Path) -> None:
    script = tmp_path / "x.dl"
    script.write_text("condition hcp(north) >= 12\naction printoneline\n")
    shown = run("--script", str(script), "-n", "3", "-f", "line", "--seed", "1")
    assert all(parse("hcp 12+").holds(Deal.parse(t)[0]) for t in shown.splitlines())
    assert len(run("--script", str(script), "-n", "3", "--seed", "1").splitlines()) == 3
    script.write_text("condition hcp(north >= 12\n")
    assert len(run("--script", str(script), code=2).strip().splitlines()) == 1


def test_a_script_excludes_other_wishes(tmp_path: Path) -> None:
    script = tmp_path / "x.dl"
    script.write_text("condition hcp(north) >= 12\n")
    assert "a script says itself" in run("--script", str(script), "--north", "hcp 3", code=2)
