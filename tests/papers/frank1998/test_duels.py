"""Duels: the notrump deals of the alpha-mu protocol, and declarers finishing the same positions."""

from __future__ import annotations

import pytest

from overtrick.cardplay import player
from overtrick.cardplay.evidence.ranges import Hands13
from overtrick.doubledummy import Position, best
from overtrick.game import Play, Seat, view_of
from overtrick_lab.papers.frank1998.duels import (
    DefendedBoard,
    SeeingDefender,
    duel,
    notrump_game,
    share_made,
)
from tests.cardplay.helpers import contract_auction, random_ending


def test_the_deals_are_one_notrump_three_notrump() -> None:
    import numpy as np

    bits = np.array(
        [[h.bits for h in notrump_game(seed)[0].deal.hands] for seed in range(40)], np.uint64
    )
    south, north = Hands13(bits[:, Seat.SOUTH]), Hands13(bits[:, Seat.NORTH])
    assert ((south.hcp >= 15) & (south.hcp <= 17)).all()
    assert ((north.hcp >= 10) & (north.hcp <= 14)).all()
    assert north.lengths[:, 2:].max() <= 3
    assert min(south.lengths.min(), north.lengths.min()) >= 2
    board, auction, meanings = notrump_game(3)
    assert auction.contract is not None
    assert (auction.contract.ascii, auction.contract.declarer) == ("3NT", Seat.SOUTH)
    assert len(meanings) == len(auction.calls)
    assert board.deal == notrump_game(3)[0].deal  # the seed decides


@pytest.mark.parametrize("seed", range(8))
def test_what_is_lost_against_perfect_defenders_stays_lost(seed: int) -> None:
    board, play = random_ending(5, 4, seed)
    auction = contract_auction(3, 4)
    table = DefendedBoard.of(board, auction, (), "dd")
    declarer = player("highest")
    found = table.finish(play, declarer)
    full = play
    while not full.is_over:
        view = view_of(board, auction, full)
        engine = declarer if full.controller == full.declarer else SeeingDefender(board.deal)
        full = full.then(engine.play(view).card, board.deal[full.turn])
    assert found.made == (full.declarer_tricks >= 9)


def test_a_perfect_defender_gives_nothing_away() -> None:
    board, play = random_ending(6, 2, 11)
    auction = contract_auction(3, 2)
    if play.controller == play.declarer:
        play = play.then(play.legal_cards(board.deal[play.turn]).cards()[0])
    before = best(Position.of_play(board.deal, play))
    card = SeeingDefender(board.deal).play(view_of(board, auction, play)).card
    after = play.then(card, board.deal[play.turn])
    assert after.turn.side != play.turn.side  # the trick goes on
    assert 13 - after.tricks_played - best(Position.of_play(board.deal, after)) == before


def test_duels_are_the_same_however_they_are_run() -> None:
    names, defences = ("highest", "random"), ("random", "highest")
    dealt = (duel(seed, names, defences, 0) for seed in range(6))
    found = [one for one in dealt if one is not None]
    assert found
    again = duel(found[0].seed, names, defences, 0)
    assert again is not None
    for one in found:
        assert set(one.finishes) == {(d, n) for d in defences for n in names}
        board, auction, _ = notrump_game(one.seed)
        assert auction.contract is not None
        assert 0.3 <= share_made(board, auction, Play.of(auction.contract), 20) <= 0.7
    for pair, first in found[0].finishes.items():
        assert (again.finishes[pair].made, again.finishes[pair].tricks) == (
            first.made,
            first.tricks,
        )
