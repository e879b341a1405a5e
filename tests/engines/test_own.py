"""Engines of one's own, named by a file or a module: found, adapted, and refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick import Board, Card, View, bidder, check_bidder, check_player, player, robot, view_of
from overtrick.bidding import bid_board
from overtrick.cli import main
from overtrick.engines.wire import WireError
from overtrick.game import OptionError, WrongType

_FUNCTION = """
def bid(view):
    fresh = not view.auction.calls_of(view.seat)
    return "3NT" if fresh and view.auction.is_legal("3NT") else "Pass"

def play(view):
    return view.legal_cards().cards()[0]
"""
_CLASSES = """
from dataclasses import dataclass
from overtrick import Call, Decision, Meaning

@dataclass(frozen=True)
class Opener:
    level: int = 1

    def bid(self, view):
        wish = Call.bid(self.level, "NT")
        call = wish if view.auction.is_legal(wish) else Call.PASS
        return Decision(call, Meaning("notrump" if call else "nothing"))

class Other:
    def bid(self, view):
        return 17

class Cards:
    name = "cards"
    def play(self, view):
        return view.legal_cards().cards()[-1]
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain.py").write_text(_FUNCTION)
    (tmp_path / "my_classes.py").write_text(_CLASSES)
    (tmp_path / "broken.py").write_text("import no_such_thing_anywhere")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("spec", ["./plain.py", "my_classes.py:Opener(level=2)"])
def test_bidders_conform(spec: str) -> None:
    made = bidder(spec)
    check_bidder(made, boards=3)
    assert made.name
    assert made.system == ""


@pytest.mark.parametrize("spec", ["./plain.py", "./my_classes.py", "./my_classes.py:Cards"])
def test_players_conform(spec: str) -> None:
    check_player(player(spec), boards=1)


def test_a_module_of_the_current_folder_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    found = bidder("my_classes:Opener(level=3)").bid(view_of(Board.random(1, seed=1)))
    assert str(found.call) == "3NT"


def test_both_halves_of_a_robot() -> None:
    made = robot("./plain.py+./my_classes.py:Cards")
    assert made.name == "./plain.py+cards"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("./nothing.py", "there is no file './nothing.py'"),
        ("no_module_here:Class", "there is no module 'no_module_here'"),
        ("./my_classes.py", "write ./my_classes.py:Opener or ./my_classes.py:Other"),
        ("./my_classes.py:Missing", "no class or function 'Missing'"),
        ("./broken.py", "cannot be loaded: ModuleNotFoundError"),
        ("./my_classes.py:Opener(depth=3)", "has no option 'depth'; it takes level"),
        ("pimc", "pimc plays cards and does not bid; the bidders are"),
        ("pragmas", "did you mean pragma?"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(spec: str, words: str) -> None:
    with pytest.raises(OptionError) as error:
        bidder(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_an_answer_of_the_wrong_kind() -> None:
    view = view_of(Board.random(1, seed=1))
    with pytest.raises(WrongType, match="a Decision, a Call or its text, not 17"):
        bidder("inside(engine='./my_classes.py:Other')").bid(view)
    with pytest.raises(WireError, match="a Decision, a Call or its text, not 17"):
        bidder("./my_classes.py:Other").bid(view)


@pytest.mark.parametrize(
    "words",
    [
        ["bid", "--seed", "1", "--no-dd", "--engine", "./plain.py"],
        ["think", "AK3.QJ2.T98.7654", "--engine", "my_classes:Opener"],
        ["match", "./plain.py+./plain.py", "pass", "-n", "2"],
        ["play", "--seed", "1", "--bidder", "./plain.py", "--engine", "./plain.py"],
    ],
    ids=lambda w: w[0],
)
def test_every_verb_takes_them(words: list[str]) -> None:
    shown = CliRunner().invoke(main, words)
    assert shown.exit_code == 0, shown.output


def test_an_object_needs_no_name_and_no_system() -> None:
    class Shy:
        def bid(self, view: View) -> str:
            return "1NT" if view.auction.is_legal("1NT") else "Pass"

        def play(self, view: View) -> Card:
            return view.legal_cards().cards()[0]

    check_bidder(Shy(), boards=2)  # type: ignore[arg-type]
    check_player(Shy(), boards=1)  # type: ignore[arg-type]
    auction, decisions = bid_board(Board.random(1, seed=1), [Shy(), "pass"] * 2)  # type: ignore[list-item]
    assert (auction.ascii, decisions[0].engine) == ("1NT Pass Pass Pass", "Shy")
