"""endplay, which wraps the same library on its own, as the witness: tables, cards, play.
The 200 deals take a minute: `make slow`; a handful runs every time."""

from __future__ import annotations

import random

import pytest

from overtrick import dd
from overtrick.doubledummy import Position
from overtrick.game import Deal, Seat, Strain

from .helpers import random_position

DENOMS = ("clubs", "diamonds", "hearts", "spades", "nt")


def _agrees(deals: list[Deal]) -> None:
    dds = pytest.importorskip("endplay.dds")
    types = pytest.importorskip("endplay.types")
    ours = dd.tables(deals)
    for start in range(0, len(deals), 30):
        part = deals[start : start + 30]
        theirs = dds.calc_all_tables([types.Deal(d.pbn()) for d in part])
        for i, their in enumerate(theirs):
            for strain, name in zip(Strain, DENOMS, strict=True):
                for seat in Seat:
                    player = types.Player.find(seat.letter)
                    assert ours[start + i][strain, seat] == their[types.Denom[name], player]


def test_tables_equal_endplays_on_a_few_deals() -> None:
    _agrees([Deal.random(seed) for seed in range(100, 102)])


@pytest.mark.slow
def test_tables_equal_endplays_on_200_deals() -> None:
    _agrees([Deal.random(seed) for seed in range(1000, 1200)])


def test_cards_equal_endplays_in_mid_trick_positions() -> None:
    dds = pytest.importorskip("endplay.dds")
    rng = random.Random(11)
    for _ in range(40):
        position = random_position(rng.randrange(24, 51), rng)
        theirs = {str(c): t for c, t in dds.solve_board(_endplay_deal(position))}
        ours = {_endplay_name(c): t for c, t in dd.solve(position).items()}
        assert ours == theirs


def _endplay_name(card: int) -> str:
    from overtrick.game import DECK

    suit, rank = DECK[card].ascii
    return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[suit] + rank


def _endplay_deal(position: Position) -> object:
    """The same position as endplay builds it: cards of the trick go back and are played."""
    types = pytest.importorskip("endplay.types")
    hands = list(position.hands)
    for i, card in enumerate(position.trick):
        seat = position.leader.plus(i)
        hands[seat] = hands[seat] | type(hands[seat])(1 << card)
    deal = types.Deal("N:" + " ".join(str(h) for h in hands))
    deal.first = types.Player.find(position.leader.letter)
    deal.trump = types.Denom[DENOMS[position.strain]]
    for card in position.trick:
        deal.play(
            types.Card(
                _endplay_name(card)
                .replace("♠", "S")
                .replace("♥", "H")
                .replace("♦", "D")
                .replace("♣", "C")
            )
        )
    return deal
