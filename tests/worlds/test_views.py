"""Worlds never contradict what a seat has seen, at any point of auction and play."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import Auction, Board, Play, Seat, View, view_of
from overtrick.game.cards import ALL_CARDS
from overtrick.worlds import parse, sample


def auction_of(board: Board) -> Auction:
    auction = Auction(board.dealer)
    for call in (7, 0, 0, 0):  # 1NT by the dealer
        auction = auction.then(call)
    return auction


def played(board: Board, cards: int, seed: int) -> tuple[Auction, Play]:
    """A random legal play of some cards."""
    rng = random.Random(seed)
    auction = auction_of(board)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for _ in range(cards):
        legal = list(play.legal_cards(board.deal[play.turn]))
        play = play.then(rng.choice(legal), board.deal[play.turn])
    return auction, play


def check(view: View, board: Board, play: Play | None, hands: np.ndarray) -> None:
    assert (np.bitwise_or.reduce(hands, axis=1) == ALL_CARDS).all()
    assert (np.bitwise_count(hands) == 13).all()
    for seat, hand in view.known.items():
        assert (hands[:, seat] == hand.bits).all()
    if play is None:
        return
    for seat in Seat:
        gone = np.uint64(play.played_by(seat).bits)
        assert ((hands[:, seat] & gone) == gone).all()
        for suit in play.voids()[seat]:
            assert ((hands[:, seat] & ~gone) >> np.uint64(13 * suit) & np.uint64(0x1FFF) == 0).all()


@given(st.integers(0, 10_000), st.integers(0, 51), st.sampled_from(list(Seat)))
def test_worlds_agree_with_what_is_seen(seed: int, cards: int, seat: Seat) -> None:
    board = Board.random(1 + seed % 16, seed=seed)
    auction, play = played(board, cards, seed)
    view = view_of(board, auction, play, seat=seat)
    worlds = sample(view, 30)
    check(view, board, play, worlds.hands)
    assert (worlds.hands == sample(view, 30).hands).all()


def test_constraints_on_unseen_seats_hold() -> None:
    board = Board.random(1, seed=8)
    view = view_of(board, Auction(board.dealer))
    other = view.seat.partner
    rule = parse("hcp 12..14, balanced")
    worlds = sample(view, 200, {other: rule}, np.random.default_rng(1))
    check(view, board, None, worlds.hands)
    assert rule.mask(np.ascontiguousarray(worlds.hands[:, other])).all()


def test_a_seen_hand_is_not_held_against_its_bidding() -> None:
    board = Board.random(1, seed=8)
    auction, play = played(board, 4, 3)
    view = view_of(board, auction, play, seat=play.declarer)
    worlds = sample(view, 5, {play.dummy: parse("hcp 37")})
    assert len(worlds) == 5


@pytest.mark.parametrize("cards", [1, 13, 30, 47])
def test_the_true_deal_is_among_the_worlds(cards: int) -> None:
    board = Board.random(3, seed=21)
    auction, play = played(board, cards, 5)
    view = view_of(board, auction, play)
    worlds = sample(view, 400)
    check(view, board, play, worlds.hands)
    if cards >= 47:
        truth = [h.bits for h in board.deal]
        assert truth in worlds.hands.tolist()
