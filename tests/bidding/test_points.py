"""The baselines `pass` and `points`: the conformance check, honest meanings, textbook calls."""

from __future__ import annotations

import pytest

from overtrick.bidding import BIDDERS, bid_board, bidder, check_bidder
from overtrick.bidding.points import Points, fits
from overtrick.bidding.points.natural import meaning_of, rules
from overtrick.evaluation import feature, one_hand
from overtrick.game import (
    PASS,
    Auction,
    Board,
    Decision,
    Hand,
    Meaning,
    Seat,
    View,
    Vulnerability,
)
from overtrick.game.reasons import Agreed

SILENCE = "nothing more to say"


@pytest.mark.parametrize("name", ["pass", "points"])
def test_conformance(name: str) -> None:
    check_bidder(bidder(name), boards=40)
    assert name in BIDDERS.names()


def test_what_is_disclosed_is_true() -> None:
    """Every call of 150 boards: the hand lies within the ranges that the call shows."""
    engine = Points()
    for number in range(1, 151):
        board = Board.random(number, seed=number)
        auction, decisions = bid_board(board, [engine] * 4)
        assert auction.is_over
        for i, decision in enumerate(decisions):
            hand = board.deal[auction.seat_of(i)]
            meaning = decision.meaning
            assert all(
                low <= n <= high
                for n, (low, high) in zip(hand.lengths, meaning.lengths, strict=True)
            )
            low, high = meaning.hcp
            assert low <= feature("HCP")(one_hand(hand.bits)) <= high
            assert decision.call in [c.action for c in decision.candidates]


def test_a_call_means_the_same_whoever_makes_it() -> None:
    """1♣ on four clubs and on three: the opponents hear the same."""
    meanings = {_decide(h).meaning for h in ("AQ8.KJ53.Q84.972", "AQ8.KJ53.Q8.T972")}
    assert len(meanings) == 1
    (one,) = meanings
    assert one.lengths[0] == (3, 13)


def test_a_pass_with_a_meaning_is_exhaustive() -> None:
    """Where a pass shows a range, no hand outside it has to pass."""
    engine = Points()
    for number in range(1, 301):
        board = Board.random(number, seed=number)
        auction, decisions = bid_board(board, [engine] * 4)
        for prefix, decision in zip(auction.prefixes(), decisions, strict=True):
            if decision.call == PASS:
                assert decision.meaning in (meaning_of(prefix, PASS), Meaning(SILENCE))
                assert decision.reasons != (Agreed(SILENCE),) or meaning_of(prefix, PASS) is None


def _decide(hand: str, auction: str = "", dealer: Seat = Seat.NORTH) -> Decision:
    so_far = Auction.parse(auction, dealer)
    view = View(so_far.turn, Hand.parse(hand, size=13), so_far, Vulnerability.NONE)
    return Points().bid(view)


def _call(hand: str, auction: str = "", dealer: Seat = Seat.NORTH) -> str:
    return _decide(hand, auction, dealer).call.ascii


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("AQ6.KJ5.QJ84.K74", "1NT"),
        ("AQ62.KJ5.QJ84.AK", "2NT"),
        ("AKQ5.AKJ.AQ84.K7", "2C"),
        ("AQ864.KJ532.Q4.7", "1S"),
        ("AQ86.KJ532.Q4.72", "1H"),
        ("AQ86.KJ5.Q842.72", "1D"),
        ("AQ86.KJ53.Q84.72", "1D"),
        ("AQ8.KJ53.Q84.972", "1C"),
        ("A8643.K.AQJ842.7", "1D"),
        ("83.KQT984.A62.72", "2H"),
        ("8.64.KQJT974.A62", "3D"),
        ("AQ86.J53.Q84.972", "Pass"),
    ],
)
def test_openings(hand: str, call: str) -> None:
    assert _call(hand) == call


@pytest.mark.parametrize(
    ("auction", "hand", "call"),
    [
        ("1NT P", "K86.A53.QJ84.972", "3NT"),
        ("1NT P", "K8653.53.J84.972", "2S"),
        ("1NT P", "KQ8653.A3.J84.72", "4S"),
        ("1H P", "86.A53.QJ84.9742", "2H"),
        ("1H P", "K6.AJ53.QJ84.974", "3H"),
        ("1H P", "KQ86.53.QJ84.974", "1S"),
        ("1H P", "86.53.J9842.J974", "Pass"),
        ("1C P", "86.AQ53.Q842.J74", "1D"),
        ("1H P 3H P", "A6.KQ853.KJ4.K74", "4H"),
        ("1H P 2H P", "A6.KQ853.K84.J74", "Pass"),
        ("1NT P 3S P", "AQ6.KJ5.QJ84.K74", "4S"),
        ("1D", "AQ865.K53.84.974", "1S"),
        ("1D", "AQ86.KJ53.4.Q974", "X"),
        ("1D", "AQ8.KJ5.QJ84.K74", "1NT"),
        ("1D", "8.Q53.84.KQJ9742", "3C"),
        ("1D X P", "8642.Q53.84.J974", "1S"),
        ("1D X P", "A8642.AQ3.84.K97", "4S"),
        ("1S X XX", "8642.53.84.J9742", "Pass"),
    ],
)
def test_later_calls(auction: str, hand: str, call: str) -> None:
    assert _call(hand, auction) == call


def test_a_hand_outside_the_meaning_does_not_fit() -> None:
    from overtrick.bidding.points.natural import NaturalRule
    from overtrick.game import Call

    rule = NaturalRule(Call.parse("1NT"), Meaning("15–17", (15, 17)), balanced=True)
    assert fits(Hand.parse("AQ6.KJ5.QJ84.K74"), rule)
    assert not fits(Hand.parse("AQ6.KJ5.J984.974"), rule)
    assert not fits(Hand.parse("AQ65.KJ52.QJ984."), rule)


@pytest.mark.parametrize("auction", ["1H X XX P", "1H X XX 2C", "1NT X XX P"])
def test_partner_may_redouble_our_opening(auction: str) -> None:
    """Points never redoubles itself, but a human partner does: no answer to be rebid over."""
    made = Auction.parse(auction)
    assert made.is_legal(_at("AQ852.KJ5.Q84.97", auction).call)


def test_responder_is_no_opener() -> None:
    """Partner opened 1♥, we answered 1♠: reopening is not a rebid that shows an opening bid."""
    decision = _at("K9852.3.KQ84.975", "1H P 1S 2C P P")
    assert "12–" not in decision.meaning.words
    words = [rule.meaning.words for rule in rules(Auction.parse("1H P 1S 2C P P"))]
    assert not any(w.startswith("12–15, six or more ♠") for w in words)


def _at(hand: str, auction: str) -> Decision:
    made = Auction.parse(auction)
    return Points().bid(View(made.turn, Hand.parse(hand), made, Vulnerability.NONE))
