"""The self-taught bidders: conformance, uncontested auctions, handing over when opponents bid."""

from __future__ import annotations

import pytest

from overtrick.bidding import bid_board, bidder, check_bidder
from overtrick.game import Auction, Board, Hand, Seat, Vulnerability
from overtrick.game.reasons import CostEstimate, LeastCost, TakesOver
from overtrick.game.view import View
from overtrick_lab.engines.bandit import our_calls
from overtrick_lab.uncontested.shipped import ModelError

ENGINES = ("bandit", "penetrative", "relay(worlds=0)")


@pytest.mark.parametrize("name", ENGINES)
def test_conformance(name: str) -> None:
    check_bidder(bidder(name), boards=4)


@pytest.mark.parametrize("name", [*ENGINES, "relay", "bandit(fallback='points')"])
def test_the_name_makes_the_engine_again(name: str) -> None:
    engine = bidder(name)
    assert bidder(engine.name) == engine
    assert engine.system


def _view(hand: str, auction: str, dealer: Seat = Seat.NORTH) -> View:
    calls = Auction.parse(auction, dealer)
    return View(calls.turn, Hand.parse(hand), calls, Vulnerability.NONE)


def test_our_calls_skip_silent_opponents() -> None:
    assert our_calls(Auction.parse("P P 1C P"), Seat.NORTH) == (0, 1)
    assert our_calls(Auction.parse("P 1H P 2H P", Seat.EAST), Seat.SOUTH) == (3, 8)
    assert our_calls(Auction.parse("1C 1D"), Seat.SOUTH) is None
    assert our_calls(Auction.parse("1C X"), Seat.SOUTH) is None
    assert our_calls(Auction.parse("P 1D X"), Seat.WEST) is None


@pytest.mark.parametrize("name", ENGINES)
def test_uncontested_decisions_explain_themselves(name: str) -> None:
    decision = bidder(name).bid(_view("AQ6.AKJ52.J8.KJ7", ""))
    assert decision.call.is_bid
    assert decision.meaning.hcp[0] >= 5
    assert decision.meaning.words
    assert decision.candidates[0].action == decision.call
    values = [c.value for c in decision.candidates if c.value is not None]
    assert values == sorted(values, reverse=True)


def test_relay_prices_its_candidates() -> None:
    decision = bidder("relay(worlds=20)").bid(_view("AQ6.AKJ5.J8.KJ74", ""))
    best = decision.candidates[0]
    assert decision.worlds == 20
    assert best.value is not None
    assert -8 < best.value < 0
    assert best.error is not None
    assert isinstance(decision.reasons[-1], LeastCost | CostEstimate)


@pytest.mark.parametrize("name", ENGINES)
def test_contested_auctions_are_handed_over(name: str) -> None:
    view = _view("AQ6.AKJ52.J8.KJ7", "P 1D")
    engine = bidder(f"{name.split('(')[0]}(fallback='points')")
    decision = engine.bid(view)
    assert decision.call == bidder("points").bid(view).call
    assert isinstance(decision.reasons[0], TakesOver)
    assert "points takes over: " in decision.why
    assert decision.engine == engine.name


def test_a_pair_reaches_game_with_game_values() -> None:
    board = Board.numbered(
        1, _deal("N:AKQ4.K53.A84.Q92 T872.Q2.KJ3.T863 J95.AJT98.QT7.AK 63.764.9652.J754")
    )
    silent = bidder("pass")
    relay = bidder("relay(worlds=0)")
    auction, decisions = bid_board(board, [relay, silent, relay, silent])
    assert auction.contract is not None
    assert auction.contract.level >= 3
    assert all(d.meaning.words for d in decisions)


def _deal(text: str):  # type: ignore[no-untyped-def]
    from overtrick.game import Deal

    return Deal.parse(text)


def test_a_model_of_another_kind_is_refused() -> None:
    for name in ("bandit(model=relay)", "penetrative(model=relay)", "relay(model=tree)"):
        with pytest.raises(ModelError):
            bidder(name)
