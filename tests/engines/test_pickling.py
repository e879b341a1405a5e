"""Engines travel to other processes as what their strings say."""

from __future__ import annotations

import pickle

import pytest

from overtrick import Board, bidder, player, view_of
from overtrick.bidding.base import BIDDERS
from overtrick.cardplay.base import PLAYERS
from overtrick.engines import OUTSIDE

OURS = [("bidder", name) for name in BIDDERS.shipped() if name not in OUTSIDE]
OURS += [("player", name) for name in PLAYERS.shipped() if name not in OUTSIDE]


@pytest.mark.parametrize(("kind", "name"), OURS)
def test_engines_are_pickled(kind: str, name: str) -> None:
    pytest.importorskip("onnxruntime", reason="networks come with the extra nn")
    made = (bidder if kind == "bidder" else player)(name)
    assert pickle.loads(pickle.dumps(made)).name == made.name


def test_a_card_travels_with_its_bidder() -> None:
    made = bidder("rules(system='two-over-one -bergen', theirs=acol)")
    again = pickle.loads(pickle.dumps(made))
    board = Board.random(3, seed=3)
    view = view_of(board, "")
    assert again.bid(view).call == made.bid(view).call
    assert again.system == made.system
