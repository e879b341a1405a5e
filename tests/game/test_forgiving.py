"""A library that forgives: text where values are meant, reprs that evaluate, one line for the wrong
kind of value, pictures in notebooks, and nothing that fails on what is merely missing."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import overtrick
from overtrick import (
    Auction,
    Board,
    BridgeError,
    Call,
    Candidate,
    Card,
    Contract,
    Deal,
    Dealer,
    Decision,
    Hand,
    Match,
    Meaning,
    PartialDeal,
    Play,
    Record,
    Seat,
    Side,
    Strain,
    Suit,
    Systems,
    View,
    Vulnerability,
    WrongType,
    bidder,
    dd,
    imps,
    score,
    simulate,
    view_of,
)
from overtrick.game import Forcing, SpeechAct
from tests.game.strategies import auctions, deals

DEAL = Deal.random(7)
VALUES: list[Any] = [
    *Seat, *Side, *Suit, *Strain, *Vulnerability, *Forcing, *SpeechAct, Card("SA"), Call("1NT"),
    Call.PASS, DEAL.north, DEAL, PartialDeal.of({"N": DEAL.north}), Auction.parse("1NT P 3NT", "E"),
    Contract(4, "S", "W", 1), Board(7, "S", "All", DEAL), Play("NT", "W", ["SK", "SA"]),
    Record(1, "N", "None", DEAL, "1NT AP", "1NT N", tricks=8), Systems("sayc"), Meaning("weak"),
    Candidate(Call("1S"), 1.5), Decision(Call("1S"), Meaning("spades"), (Candidate(Call("X")),)),
    View("S", DEAL.south, "P 1NT", "NS"), Match("points", "pass", 4), dd.Table(((1,) * 4,) * 5),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=lambda v: f"{type(v).__name__}-{v!s:.12}")
def test_reprs_evaluate(value: Any) -> None:
    names = {n: getattr(overtrick, n) for n in overtrick.__all__}
    names |= {"Forcing": Forcing, "SpeechAct": SpeechAct, "_State": None}
    assert eval(repr(value), names) == value


@given(deals, auctions())
def test_reprs_of_any_deal_and_auction(deal: Deal, auction: Auction) -> None:
    names = {"Deal": Deal, "Auction": Auction}
    assert eval(repr(deal), names) == deal
    assert eval(repr(auction), names) == auction


def test_text_is_as_good_as_values() -> None:
    assert Auction("E", ["1H", "P"]) == Auction(Seat.EAST, (Call("1H"), Call.PASS))
    assert Auction("E").then("1H").is_legal("X")
    assert Board.numbered(7, str(DEAL)) == Board.numbered(7, DEAL)
    assert DEAL["N"] == DEAL[0] == DEAL.north
    assert DEAL.owner("SA") == DEAL.owner(Card("SA"))
    assert Hand.of(["SA", "HK"]) == Hand("A.K..")
    assert "SA" in Hand("A.K..")
    assert Hand("A.K..").without("SA") == Hand(".K..")
    assert (Hand("AK.Q..").length("S"), Hand("AK.Q..").ranks("♥")) == (2, "Q")
    assert Play.of("3NT S", ["SK"]).turn == Seat.NORTH
    assert score("4SX E", 9, "EW") == 200
    assert Contract(3, "NT", "W") == Contract.parse("3NT", "W")
    assert view_of(Board(1, "N", "None", DEAL), "P 1NT").seat == Seat.SOUTH
    assert Side("ns") is Side.NS
    first = Dealer({"N": "hcp 15..17"}).sample(5, seed=7)
    assert np.array_equal(first.hands, Dealer({Seat.NORTH: "hcp 15..17"}).sample(5, 7).hands)


def test_numbers_about_a_hand() -> None:
    hand = Hand("AK32.QJ2.T98.765")
    assert (hand.hcp, hand.shape, hand.pattern, hand.is_balanced) == (10, "4=3=3=3", "4333", True)
    assert (hand.spades, hand.hearts, hand.diamonds, hand.clubs) == ("AK32", "QJ2", "T98", "765")
    assert not Hand("AKQJT98765432...").is_balanced


@given(deals)
def test_points_are_those_of_the_features(deal: Deal) -> None:
    from overtrick.evaluation import features

    assert sum(hand.hcp for hand in deal) == 40
    assert all(hand.hcp == features(hand)["HCP"] for hand in deal)


WRONG: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (Card, (None,), "a card is text like 'SA'"),
    (Call, (1.5,), "a call is text like '1NT'"),
    (Seat, (None,), "a seat is 'N', 'E', 'S' or 'W'"),
    (Suit, ([],), "a suit is 'S'"),
    (Strain, (9,), "a strain is 'S'"),
    (Vulnerability, (7,), "a vulnerability is 'None'"),
    (Side, ("X",), "a side is 'NS' or 'EW'"),
    (Hand, (["SA"],), "see also Hand.of(cards)"),
    (Hand.parse, (13,), "a hand is text"),
    (Deal, (None,), "a deal is PBN text"),
    (Deal.parse, (7,), "a deal is PBN text"),
    (Deal.random, ([1],), "a seed is a whole number"),
    (Auction, (5.5,), "a seat is"),
    (Auction, ("N", "1NT P"), "calls is a list"),
    (Auction.parse, (["1NT"],), "an auction is text"),
    (Auction().then, (None,), "a call is text"),
    (Board, ("1", "N", "None", DEAL), "a board number is a whole number"),
    (Board, (1, "N", "None", 5), "a deal is a Deal or PBN text"),
    (Play("NT", "W").then, (None,), "a card is text"),
    (Play, ("NT", "W", "SA"), "cards is a list"),
    (View, ("N", 5, "", "None"), "a hand is text"),
    (view_of, (None,), "a board is a Board"),
    (score, (5, 9, "None"), "a contract is text"),
    (score, ("3NT S", "9", "None"), "the number of tricks is a whole number"),
    (imps, ("100",), "a difference is a number"),
    (Dealer, ("hcp 12",), "constraints is a dict"),
    (Dealer, ({"N": 12},), "a constraint is text"),
    (Dealer({}).sample, (1, "seven"), "a seed is a whole number"),
    (dd.table, (None,), "a deal is a Deal or PBN text"),
]


@pytest.mark.parametrize(
    ("function", "values", "words"), WRONG, ids=lambda v: str(getattr(v, "__qualname__", v))[:24]
)
def test_the_wrong_kind_is_one_line(
    function: Callable[..., Any], values: tuple[Any, ...], words: str
) -> None:
    with pytest.raises(BridgeError) as error:
        function(*values)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert isinstance(error.value, ValueError | TypeError)


_FUNCTIONS = [
    name
    for name in overtrick.__all__
    if callable(found := getattr(overtrick, name)) and not name.startswith("check_")
    if not (isinstance(found, type) and issubclass(found, Exception))
]


@pytest.mark.parametrize("name", _FUNCTIONS)
@pytest.mark.parametrize("bad", [None, 5.5, object()], ids=["None", "5.5", "object"])
def test_nothing_public_stumbles_over_a_wrong_value(name: str, bad: object) -> None:
    """Either it takes the value, or it says what to pass."""
    function = getattr(overtrick, name)
    little = {"deals": 1} if name == "simulate" else {}  # no constraint at all is a question, too
    needed = [
        p for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]  # fmt: skip
    with contextlib.suppress(BridgeError):
        function(*[bad] * max(1, len(needed)), **little)


def test_strings_sit_at_tables() -> None:
    board = Board(1, "N", "None", DEAL)
    auction, _ = overtrick.bid_board(board, ["pass"] * 4)
    assert auction.is_passed_out
    assert overtrick.play_table(board, ["points+highest"] * 4).phase == "over"
    with pytest.raises(WrongType, match="a list of four engines"):
        overtrick.bid_board(board, "pass")
    with pytest.raises(WrongType, match="a list of four engines"):
        overtrick.bid_board(board, ["pass"] * 3)


def test_wrong_type_is_both_kinds_of_error() -> None:
    assert issubclass(WrongType, TypeError)
    assert issubclass(WrongType, ValueError)


def test_what_is_missing_is_none_and_no_error() -> None:
    empty = Record()
    assert (empty.ns_score, empty.contract, empty.auction, empty.is_passed_out) == (None,) * 3 + (
        False,
    )
    assert Auction().contract is None
    assert Auction().last_bid is None
    assert Play("NT", "W").led_suit is None
    assert score(None, 0, "None") == 0
    assert View("N", DEAL.north, "", "None").contract is None
    with pytest.raises(BridgeError, match="a player's action is a Card, not Call"):
        Decision(Call("1S"), Meaning("x")).card  # noqa: B018
    with pytest.raises(BridgeError, match="names no strain"):
        Call.PASS.strain  # noqa: B018
    with pytest.raises(BridgeError, match="not simulated"):
        simulate({"N": "hcp 20+"}, contracts=["3NT N"], deals=1).made("4S S")


@pytest.mark.parametrize(
    "value",
    [
        DEAL.north, DEAL, Board(1, "N", "None", DEAL), Auction.parse("1NT P 2H"),
        Record(1, "N", "None", DEAL, "1NT AP", "1NT N", tricks=8),
        bidder("rules").bid(view_of(Board(1, "N", "None", DEAL))),
        Match("a<b>", "pass", 4), dd.Table(((1,) * 4,) * 5),
    ],
    ids=lambda v: type(v).__name__,
)  # fmt: skip
def test_pictures_for_notebooks(value: Any) -> None:
    drawn = value._repr_html_()
    assert drawn.startswith("<")
    assert "<b>" not in drawn or isinstance(value, Decision)
    assert drawn.count("<table") == drawn.count("</table>")


def test_a_decision_cut_short_says_so() -> None:
    cut = Decision(Call("1S"), Meaning("spades"), cut=True)
    assert cut.to_dict()["cut"] is True
    assert "stopped by the clock" in cut._repr_html_()
    assert "cut" not in Decision(Call("1S"), Meaning("spades")).to_dict()
