"""Minutes of work: whole boards by four robots, and ten thousand claims checked."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.cardplay_checks import line_holds
from overtrick.cardplay import player
from overtrick.cardplay.claim import claim
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import solve_worlds
from overtrick.game import Auction, Board, Call, Play, Strain, view_of


def _auction(board: Board, rng: np.random.Generator) -> Auction:
    bid = Call.bid(int(rng.integers(1, 8)), Strain(int(rng.integers(5))))
    return Auction(board.dealer).then(bid).closed()


@pytest.mark.slow
def test_two_thousand_boards_without_an_illegal_card() -> None:
    seats = [player(s) for s in ("pimc(worlds=4)", "alphamu(worlds=6)", "exact(worlds=5)",
                                 "pimc(worlds=4, knowledge=all)")]  # fmt: skip
    rng = np.random.default_rng(1)
    for number in range(1, 2001):
        board = Board.random(number, seed=number)
        auction = _auction(board, rng)
        assert auction.contract is not None
        play = Play.of(auction.contract)
        while not play.is_over:
            card = seats[play.controller].play(view_of(board, auction, play)).card
            play = play.then(card, board.deal[play.turn])


@pytest.mark.slow
def test_ten_thousand_claims_are_sound() -> None:
    rng = np.random.default_rng(2)
    claims = 0
    number = 0
    while claims < 10_000:
        number += 1
        board = Board.random(number, seed=number)
        auction = _auction(board, rng)
        assert auction.contract is not None
        play = Play.of(auction.contract)
        while not play.is_over:
            if play.cards and not play.trick.cards:
                claims += _check_claims(board, auction, play, rng)
            legal = play.legal_cards(board.deal[play.turn]).cards()
            play = play.then(legal[int(rng.integers(len(legal)))])


def _check_claims(board: Board, auction: Auction, play: Play, rng: np.random.Generator) -> int:
    """Every seat's claim, in the true layout and in forty others."""
    offered = 0
    for seat in (play.declarer, play.opening_leader, play.opening_leader.partner):
        view = view_of(board, auction, play, seat=seat)
        found = claim(view)
        if found is None:
            continue
        offered += 1
        at = situation(view, on_turn=False)
        true = np.array([[h.bits & ~play.state.played for h in board.deal.hands]], np.uint64)
        hands = np.concatenate([true, deal_layouts(at, 40, rng)])
        if found.line:
            for row in hands.tolist():
                defenders = (row[play.opening_leader], row[play.opening_leader.partner])
                assert line_holds(found.line, defenders, at.strain)
        best = solve_worlds(hands, at.strain, at.leader, ()).max(axis=1)
        mine = best if at.turn.side == seat.side else at.left - best
        assert (mine >= found.tricks).all()
        if seat != play.declarer:
            assert (mine == 0).all()
    return offered
