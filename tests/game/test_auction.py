"""Auctions: what legality means, in general (hypothesis) and in the known hard cases."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import (
    CALLS,
    DOUBLE,
    PASS,
    REDOUBLE,
    Auction,
    BridgeError,
    Call,
    IllegalCall,
    ParseError,
    Seat,
    Strain,
)
from overtrick.game.auction import of_calls

from . import strategies as some


@given(some.auctions())
def test_legal_calls_are_exactly_those_that_can_be_made(auction: Auction) -> None:
    legal = auction.legal_calls()
    assert legal == sorted(set(legal))
    for call in CALLS:
        assert auction.is_legal(call) == (call in legal)
        if call in legal:
            assert auction.then(call).calls == (*auction.calls, call)
        else:
            with pytest.raises(IllegalCall, match=f"call {len(auction) + 1}, {call.ascii}: "):
                auction.then(call)


@given(some.auctions())
def test_print_read_and_rebuild(auction: Auction) -> None:
    assert Auction.parse(auction.ascii, auction.dealer) == auction
    assert Auction.parse(str(auction), auction.dealer) == auction
    again = Auction(auction.dealer, auction.calls)
    assert again == of_calls(auction.dealer, [int(c) for c in auction]) == auction
    # The state is carried forward call by call, and must be the one found by replaying.
    assert again._state == auction._state
    assert hash(again) == hash(auction)


@given(some.auctions())
def test_what_always_holds(auction: Auction) -> None:
    bids = [c for c in auction if c.is_bid]
    assert bids == sorted(set(bids))
    assert auction.last_bid == (bids[-1] if bids else None)
    assert auction.is_over == (auction.legal_calls() == [])
    assert auction.is_passed_out == (auction.calls == (PASS,) * 4)
    assert [len(p) for p in auction.prefixes()] == list(range(len(auction)))
    assert sum(len(auction.calls_of(seat)) for seat in Seat) == len(auction)
    if not auction.is_over:
        assert not auction.contract or auction.is_legal(PASS)
    over = auction.closed()
    assert over.is_over
    assert over.calls[: len(auction)] == auction.calls


@given(some.auctions())
def test_declarer_named_the_strain_first(auction: Auction) -> None:
    contract = auction.contract
    if contract is None:
        assert all(not c.is_bid for c in auction)
        return
    side = auction.last_bidder.side  # type: ignore[union-attr]
    named = [
        auction.seat_of(i)
        for i, c in enumerate(auction)
        if c.is_bid and c.strain == contract.strain and auction.seat_of(i).side == side
    ]
    assert contract.declarer == named[0]
    last = max(i for i, c in enumerate(auction) if c.is_bid)
    after = auction.calls[last + 1 :]
    assert contract.doubled == (2 if REDOUBLE in after else 1 if DOUBLE in after else 0)


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ("1S 1H", "call 2, 1H: insufficient, the last bid is 1S"),
        ("1S 1S", "call 2, 1S: insufficient"),
        ("X", "call 1, X: there is no bid to double"),
        ("P XX", "call 2, XX: nothing is doubled"),
        ("1S P X", "call 3, X: the last bid is our own side's"),
        ("1S X X", "call 3, X: it is doubled already"),
        ("1S X P XX", "call 4, XX: the doubled bid is the opponents'"),
        ("1S X XX XX", "call 4, XX: it is redoubled already"),
        ("1S XX", "call 2, XX: nothing is doubled"),
        ("P P P P P", "call 5, Pass: the auction is over"),
        ("1S P P P 2S", "call 5, 2S: the auction is over"),
    ],
)
def test_illegal_calls_say_why(calls: str, words: str) -> None:
    with pytest.raises(IllegalCall) as caught:
        Auction.parse(calls)
    assert words in str(caught.value)
    numbers = tuple(Call.parse(c) for c in calls.split())
    for build in (lambda: Auction(Seat.NORTH, numbers), lambda: of_calls(Seat.NORTH, numbers)):
        with pytest.raises(IllegalCall) as again:
            build()
        assert str(again.value) == str(caught.value)


@pytest.mark.parametrize("number", [-1, 38, 99])
def test_impossible_call_numbers(number: int) -> None:
    for build in (lambda: Auction().then(number), lambda: of_calls(Seat.NORTH, [number])):
        with pytest.raises(IllegalCall, match=f"there is no call number {number}"):
            build()


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("1NT P 3NT AP", "3NT North"),
        ("1NT - P - 3NT - all pass", "3NT North"),
        ("1S (2H) 4S (P) P (X) AllPass", "4♠X North"),
        ("1H! 1S 2H* 2S 3H P P P", "3♥ North"),
        ("P 1C P 1S P 2S AP", "2♠ West"),
        ("1D 1S X XX P 2S AP", "2♠ East"),
        ("7NT X XX P P P", "7NTXX North"),
    ],
)
def test_reading_auctions(text: str, contract: str) -> None:
    auction = Auction.parse(text)
    assert auction.is_over
    assert str(auction.contract) == contract


def test_text_that_is_no_call() -> None:
    with pytest.raises(ParseError, match="call 2: no such call '9S'"):
        Auction.parse("1S 9S")


@given(st.text("1234567CDHSNTPXpass -()!", max_size=40), some.seats)
def test_any_text_is_read_or_refused(text: str, dealer: Seat) -> None:
    with suppress(BridgeError):
        assert Auction.parse(text, dealer).dealer == dealer


def test_the_longest_auction() -> None:
    """Three passes, then every bid passed, doubled, passed, redoubled: 319 calls."""
    auction = Auction()
    for call in (PASS,) * 3:
        auction = auction.then(call)
    for level in range(1, 8):
        for strain in Strain:
            auction = auction.then(Call.bid(level, strain))
            for call in (PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS):
                auction = auction.then(call)
    assert len(auction.then(PASS)) == 319
    assert auction.then(PASS).is_over
