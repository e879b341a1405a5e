"""Verdicts: what is plainly wrong, what is close, what the auction lost, and playing on."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Card,
    Deal,
    Play,
    Seat,
    View,
    Vulnerability,
    view_of,
)
from overtrick.web import possible, review
from overtrick.web.verdicts import Alternatives, WeighedDraw, call_verdict, card_verdict
from tests.web.conftest import plain

RULES = "rules(system=two-over-one)"
GAME = """[Board "2"]
[Dealer "N"]
[Vulnerable "All"]
[Deal "N:KQJ52.A4.KQ3.762 T9.KJ82.A742.K43 A843.Q73.865.AQ5 76.T965.JT9.JT98"]
[Auction "N"]
1S Pass Pass Pass
[Contract "1S"]
[Declarer "N"]
[Result "11"]
"""
"""A vulnerable game nobody bid."""


def test_a_missed_vulnerable_game_is_what_the_auction_lost() -> None:
    lost = plain(review.solved(GAME))["bidding"]
    assert lost["kind"] == "missed game"
    assert lost["side"] == "NS"
    assert lost["vulnerable"]
    assert lost["imps"] >= 9
    assert lost["best"] in ("4S", "3NT", "5S")


def test_a_pass_below_game_is_wrong_for_every_seed() -> None:
    at = review.one(GAME)
    words = {possible.call_fault(at, 2, (RULES, RULES), seed, (128, 512)).word for seed in range(3)}
    assert words == {"wrong"}
    found = possible.call_fault(at, 2, (RULES, RULES), rounds=(128, 512))
    assert found.done == "Pass"
    assert found.loss > 2 * found.error


NO_BID = """[Board "4"]
[Dealer "W"]
[Vulnerable "All"]
[Deal "N:K8.543.A963.KT97 JT64.KJ97.KJ87.Q AQ.AQ6.Q54.J6432 97532.T82.T2.A85"]
[Auction "W"]
Pass Pass Pass 1NT Pass 3NT Pass Pass Pass
[Contract "3NT"]
[Declarer "S"]
[Result "10"]
"""
"""Seen from above East and West could play one spade; nobody would let them."""


def test_no_contract_is_wanted_that_the_others_would_not_leave_to_us() -> None:
    found = possible.call_fault(review.one(NO_BID), 0, (RULES, RULES), 0, (128,))
    assert found.word != "wrong"
    assert all(" " not in c.action for c in found.choices)


def test_the_same_question_gets_the_same_answer() -> None:
    at = review.one(GAME)
    first, again = (possible.call_fault(at, 0, (RULES, RULES), rounds=(64,)) for _ in range(2))
    assert first == again


TOPS = Deal.parse("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432")


def _after(cards: str) -> View:
    """North plays seven notrump, and so much has gone."""
    board = Board(1, Seat.NORTH, Vulnerability.NONE, TOPS)
    play = Play(4, Seat.EAST, ())
    for card in cards.split():
        play = play.then(Card.parse(card))
    return view_of(board, Auction.parse("7NT AP", "N"), play)


def test_every_choice_has_its_numbers() -> None:
    view = _after("HJ H6 H2 HA CA C9 C6 C2")
    found = card_verdict(view, Card.parse("SJ"))
    assert found.word in ("good", "forced")
    for choice in found.choices:
        assert choice.error >= 0
        assert 0 <= (choice.chance or 0) <= 1
        assert 0 <= (choice.tricks or 0) <= 13


def test_when_all_layouts_are_known_there_is_no_error() -> None:
    tricks = ["HJ H6 H2 HA", "SA S7 S3 S2", "SK S8 S4 H3", "SQ S9 S5 H4", "SJ ST S6 H5",
              "HK H9 H7 D2", "HQ HT H8 D3", "DA D9 D6 D4", "DK DT D7 D5",
              "DQ DJ D8 C2"]  # fmt: skip
    found = card_verdict(_after(" ".join(tricks)), Card.parse("CA"))
    assert found.word in ("good", "forced")
    assert all(c.error == 0 for c in found.choices)


def test_listed_layouts_give_every_seed_the_same_verdict() -> None:
    play = "HJ H6 H2 HA SA S7 S3 S2 SK S8 S4 H3 SQ S9 S5 H4 SJ ST S6 H5 HK H9 H7 D2"
    first, other = (card_verdict(_after(play), Card.parse("CA"), s) for s in (1, 2))
    assert first == other
    assert first.how == "every layout there is"


def test_a_call_without_an_alternative_is_good() -> None:
    board = Board.random(1, seed=4)
    view = view_of(board, Auction(board.dealer))
    found = call_verdict(
        view, Call.parse("Pass"), Alternatives((Call.parse("Pass"),)), ("sayc", "sayc"),
        lambda count, rng: WeighedDraw(np.zeros((0, 4), np.uint64), np.zeros(0), "", 0),
    )  # fmt: skip
    assert (found.word, found.worlds) == ("good", 0)


def test_playing_on_from_a_call_and_from_a_card() -> None:
    change = review.Change("call", 2, "4S", (RULES, RULES), "highest")
    found = plain(review.played_on(GAME, change))
    assert found["contract"] == "4S"
    assert found["imps_ns"] is not None
    assert [c["call"] for c in found["calls"]][:3] == ["1S", "Pass", "4S"]
    text = GAME + '[Play "E"]\nST S3 S6 S5\n'
    led = plain(review.played_on(text, review.Change("card", 0, "D2", (RULES, RULES), "highest")))
    assert led["cards"][0] == "D2"
    assert len(led["cards"]) == 52
    with pytest.raises(BridgeError, match="cannot be chosen"):
        plain(review.played_on(GAME, review.Change("call", 2, "1C", (RULES, RULES), "highest")))


def test_what_settles_a_contract() -> None:
    auction = Auction.parse("1S P 2S P P P")
    assert [review.settled(auction, i) for i in range(6)] == [False, True, True, True, True, True]
