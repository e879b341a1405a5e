"""A view is exactly what a seat may know: unseen cards change nothing in it."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given

from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Deal,
    Hand,
    Meaning,
    Play,
    Seat,
    View,
    Vulnerability,
    view_of,
)

from . import strategies as some


def redealt(deal: Deal, keep: tuple[Seat, ...], rng: random.Random) -> Deal:
    """The same hands for some seats, the other cards dealt anew."""
    rest = [c for s in Seat if s not in keep for c in deal[s]]
    rng.shuffle(rest)
    hands = [deal[s] if s in keep else Hand.of([rest.pop() for _ in range(13)]) for s in Seat]
    return Deal(tuple(hands))  # type: ignore[arg-type]


@given(some.deals, some.auctions(most=12))
def test_the_auction_shows_one_hand(deal: Deal, auction: Auction) -> None:
    seat = auction.turn
    other = redealt(deal, (seat,), random.Random(1))
    views = [view_of(Board(1, auction.dealer, Vulnerability.NS, d), auction) for d in (deal, other)]
    assert views[0] == views[1]
    assert views[0].seed == views[1].seed
    assert views[0].unseen == Hand((1 << 52) - 1) - deal[seat]
    assert views[0].known == {seat: deal[seat]}


@given(some.plays())
def test_the_play_shows_dummy_after_the_lead_and_what_was_played(dealt: tuple[Deal, Play]) -> None:
    deal, play = dealt
    if play.is_over:
        return
    level_one = Auction(play.declarer).then(3 + play.strain).closed()
    board = Board(1, play.declarer, Vulnerability.NONE, deal)
    for seat in Seat:
        view = view_of(board, level_one, play, seat=seat)
        assert (view.dummy is None) == (len(play) == 0)
        visible = deal[seat] | play.played
        if len(play) > 0:
            visible = visible | deal[play.dummy]
        assert view.unseen == Hand((1 << 52) - 1) - visible
    on_turn = view_of(board, level_one, play)
    assert on_turn.seat == play.controller
    if len(play) > 0 or play.turn != play.dummy:
        assert on_turn.legal_cards() == play.legal_cards(deal[play.turn])


def test_partners_explanations_are_held_back() -> None:
    board = Board.random(1, seed=1)
    auction = Auction.parse("1NT 2C 2H")
    meanings = tuple(Meaning(w) for w in ("15–17", "both majors", "natural"))
    west = view_of(board, auction, meanings=meanings)
    assert west.seat == Seat.WEST
    assert west.meanings == (meanings[0], None, meanings[2])
    east = view_of(board, auction, meanings=meanings, seat=Seat.SOUTH)
    assert east.meanings == (None, meanings[1], None)


def test_impossible_views() -> None:
    hand = Hand.of(range(13))
    with pytest.raises(BridgeError, match="13 cards of its own"):
        View(Seat.NORTH, Hand(), Auction(), Vulnerability.NONE)
    with pytest.raises(BridgeError, match="dummy has 13"):
        View(Seat.NORTH, hand, Auction(), Vulnerability.NONE, dummy=Hand())
    with pytest.raises(BridgeError, match="without a contract"):
        View(Seat.NORTH, hand, Auction(), Vulnerability.NONE, play=Play(4, Seat.EAST))  # type: ignore[arg-type]
    with pytest.raises(BridgeError, match="auction is not over"):
        View(Seat.NORTH, hand, Auction(), Vulnerability.NONE).legal_cards()


def test_seeds_of_any_size() -> None:
    board = Board.random(1, seed=1)
    seeds = {
        view_of(board, Auction(), table_seed=s).seed
        for s in (0, -1, 1, 2**63, 2**64 - 2, 2**70 + 5)
    }
    assert len(seeds) == 6


def test_everything_travels_between_processes() -> None:
    board = Board.random(1, seed=1)
    auction = Auction.parse("1NT P 3NT AP")
    play = Play.of(auction.contract).then(board.deal[Seat.EAST].cards()[0])  # type: ignore[arg-type]
    view = view_of(board, auction, play)
    for value in (board, auction, play, view, auction.contract, view.hand):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert repr(again) == repr(value)
    assert pickle.loads(pickle.dumps(play)).then(0).turn == play.then(0).turn
