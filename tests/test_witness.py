"""A witness in one file, the guide's, is asked wherever somebody thinks about hidden cards."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from overtrick import Auction, Board, Card, Deal, Play, Record, Seat, View, bidder, player, view_of
from overtrick.cardplay.review import single_dummy_cost
from overtrick.engines.loading import code_of
from overtrick.notation import dumps
from overtrick.web.possible import possible
from overtrick.worlds.weighted import Floats, Worlds
from overtrick.worlds.witness import NAMED, Witness, added_witnesses, asking_also
from tests.docs.blocks import files_of

PAGE = Path(__file__).parents[1] / "docs" / "howto" / "witness.md"
DEAL = Deal.parse("N:Q74.A65.KJ83.Q92 AK963.T2.975.K84 JT5.KQJ3.AQ4.A65 82.9874.T62.JT73")
AUCTION = Auction.parse("1D 1S X P 2NT P 3NT AP", dealer=Seat.NORTH)
BOARD = Board(1, Seat.NORTH, Board.random(1).vul, DEAL)


@dataclass
class Asked:
    """The guide's witness, which counts the layouts that it is asked about."""

    inner: Witness
    views: list[View] = field(default_factory=list)
    cost: float = 0.1

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        self.views.append(view)
        return self.inner.log_likelihood(view, worlds)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in files_of(PAGE.read_text(encoding="utf-8")).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "good_suits.py"
    sys.modules.pop("good_suits", None)


def _in_the_auction() -> None:
    pytest.importorskip("onnxruntime")
    bidder("bmcs(batches=1, worlds=8, proposals=40, sure=2, p_min=0)").bid(
        view_of(BOARD, Auction(Seat.NORTH, AUCTION.calls[:2]))
    )


def _at_the_lead() -> None:
    player("pimc(lead_worlds=4)").play(_view(0))


def _in_the_play() -> None:
    player("pimc(worlds=4)").play(_view(1))


def _in_the_review() -> None:
    single_dummy_cost(_view(1), Card.parse("ST"), 4)


def _on_the_page() -> None:
    text = dumps([Record(1, Seat.NORTH, BOARD.vul, DEAL, AUCTION)], "lin")
    possible(text, "call", 4, "rules(system=sayc)", "rules(system=sayc)")


def _view(cards: int) -> View:
    assert AUCTION.contract is not None
    play = Play.of(AUCTION.contract)
    return view_of(BOARD, AUCTION, play.then(Card.parse("S6"), DEAL[Seat.EAST]) if cards else play)


@pytest.mark.parametrize(
    "think", [_in_the_auction, _at_the_lead, _in_the_play, _in_the_review, _on_the_page]
)
def test_the_guides_witness_is_asked_everywhere(written: Path, think: Callable[[], None]) -> None:
    asked = Asked(code_of(str(written), "log_likelihood")())
    with asking_also(asked):
        think()
    assert asked.views


def test_it_is_short(written: Path) -> None:
    assert len(written.read_text(encoding="utf-8").splitlines()) <= 60


def test_a_variable_names_it_to_every_process(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert added_witnesses() == ()
    monkeypatch.setenv(NAMED, str(written))
    (made,) = added_witnesses()
    assert type(made).__name__ == "GoodSuits"


def test_the_guide_prints_what_it_says(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    exec(compile(code, "witness.md", "exec"), {"__name__": "page"})
    assert capsys.readouterr().out == "True\n"
