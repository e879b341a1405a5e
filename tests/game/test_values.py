"""Cards, hands, deals, calls and contracts: print and read again, and errors that say what."""

from __future__ import annotations

import pickle
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import (
    CALLS,
    DECK,
    Board,
    BridgeError,
    Call,
    Card,
    Contract,
    ContractError,
    Deal,
    DealError,
    Hand,
    HandError,
    ParseError,
    PartialDeal,
    Seat,
    Strain,
    Suit,
    Vulnerability,
    dealer_of,
    vulnerability_of,
)

from . import strategies as some


def test_cards_print_and_read() -> None:
    for card in DECK:
        assert (
            Card.parse(str(card))
            == Card.parse(card.ascii)
            == Card.parse(card.ascii.lower())
            == card
        )
        assert Card.of(card.suit, card.rank) is card
        assert card.bit == 1 << card
    assert Card.parse(" S10 ") == Card.parse("♤T") == Card.parse("♠\ufe0fT")


def test_calls_print_and_read() -> None:
    for call in CALLS:
        assert (
            Call.parse(str(call))
            == Call.parse(call.ascii)
            == Call.parse(call.ascii.lower())
            == call
        )
        if call.is_bid:
            assert Call.bid(call.level, call.strain) is call
    assert Call.parse("1N") == Call.parse("1nt") == Call.bid(1, Strain.NT)


@given(some.hands)
def test_hands_print_and_read(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == hand
    assert Hand.parse(hand.pretty()) == hand
    assert Hand.of(hand) == hand
    assert sum(hand.lengths) == len(hand) == len(hand.cards())
    assert "".join(hand.ranks(s) for s in (3, 2, 1, 0)) == str(hand).replace(".", "")
    assert all(card in hand and card not in hand.without(card) for card in hand)
    assert Hand(hand.bits) - hand == Hand()


@given(some.deals, some.seats, st.integers(0, 7))
def test_deals_print_and_read(deal: Deal, first: Seat, turns: int) -> None:
    assert Deal.parse(deal.pbn(first)) == deal
    assert PartialDeal.parse(deal.pbn(first)).complete() == deal
    assert Deal.from_owners(deal.owners) == deal
    assert deal.rotated(turns).rotated(-turns) == deal
    assert deal.rotated(turns)[first.plus(turns)] == deal[first]
    assert all(deal.owner(card) == seat for seat in Seat for card in deal[seat])
    assert pickle.loads(pickle.dumps(deal)) == deal


@given(some.deals, some.seats)
def test_the_fourth_hand_follows_from_three(deal: Deal, hidden: Seat) -> None:
    known = PartialDeal.of({s: deal[s] for s in Seat if s != hidden})
    assert known.unknown_cards == deal[hidden]
    assert known.complete() == deal
    assert Deal.parse(known.pbn()) == deal


@given(some.contracts)
def test_contracts_print_and_read(contract: Contract) -> None:
    assert Contract.parse(str(contract)) == contract
    assert Contract.parse(contract.ascii, contract.declarer) == contract
    assert Contract.parse(f"{contract.ascii} by {contract.declarer}") == contract
    assert eval(repr(contract)) == contract
    assert contract.leader.partner.lho == contract.declarer


@given(some.vulnerabilities, some.seats)
def test_seats_and_vulnerabilities_print_and_read(vul: Vulnerability, seat: Seat) -> None:
    assert Vulnerability.parse(str(vul)) == vul
    assert Seat.parse(str(seat)) == Seat.parse(seat.letter) == seat
    assert seat.lho.rho == seat.partner.partner == seat.plus(4) == seat
    assert vul.of(seat) == vul.of(seat.partner) == vul.of(seat.side)


def test_the_cycle_of_sixteen_boards() -> None:
    shown = " ".join(f"{dealer_of(n).letter}{vulnerability_of(n)}" for n in range(1, 17))
    assert shown == ("NNone ENS SEW WAll NNS EEW SAll WNone NEW EAll SNone WNS NAll ENone SNS WEW")
    assert vulnerability_of(17) == vulnerability_of(1)
    assert dealer_of(18) == Seat.EAST


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    readers = (Card.parse, Call.parse, Hand.parse, Deal.parse, PartialDeal.parse, Contract.parse)
    for read in (*readers, Seat.parse, Vulnerability.parse, Suit.parse, Strain.parse):
        with suppress(BridgeError):
            read(text)


@given(st.text("AKQJT98765432.SHDCx -10♠♥:N", max_size=60))
def test_nearly_right_text_is_read_or_refused(text: str) -> None:
    for read in (Hand.parse, Deal.parse, PartialDeal.parse, Card.parse):
        with suppress(BridgeError):
            read(text)


@pytest.mark.parametrize(
    ("read", "text", "kind", "words"),
    [
        (Card.parse, "ZA", ParseError, "begins with its suit"),
        (Card.parse, "S1", ParseError, "no such rank '1' at position 2 of 'S1'"),
        (Call.parse, "8C", ParseError, "no such call '8C'"),
        (Hand.parse, "AKQ.J", ParseError, "four suits separated by dots (spades first), found 2"),
        (Hand.parse, "AKQ.J.Z.2", ParseError, "no such rank 'Z' at position 7 of 'AKQ.J.Z.2'"),
        (Hand.parse, "AKx.J.2.2", ParseError, "spot cards must be named"),
        (Hand.parse, "AKA.J.2.2", HandError, "holds SA twice"),
        (Hand.parse, "SAK SQ", ParseError, "suit 'S' twice at position 5"),
        (Deal.parse, "N:A... K... Q...", ParseError, "a deal has four hands, found 3"),
        (Deal.parse, "N:A... K... Q... A...", DealError, "SA is in two hands, North and West"),
        (Deal.parse, "N:AK... Q... J... T...", DealError, "North 2, East 1, South 1, West 1"),
        (Deal.parse, "E:A... K..Z. Q... J...", DealError, "South: no such rank 'Z'"),
        (Deal.parse, "N:AKQJT98765432.2... - - -", DealError, "North:"),
        (Deal.parse, "N:AKQJT98765432... - - -", DealError, "East and South and West"),
        (PartialDeal.parse, "N:AKQJT98765432.2.. - - -", DealError, "at most 13 are possible"),
        (Contract.parse, "4S", ParseError, "who declares?"),
        (Contract.parse, "4Hearts", ParseError, "a contract reads like"),
        (Contract.parse, "9S N", ParseError, "a contract reads like"),
        (Seat.parse, "Q", ParseError, "no such seat 'Q'"),
        (Vulnerability.parse, "maybe", ParseError, "no such vulnerability"),
    ],
)
def test_errors_say_what_and_where(read, text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        read(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_impossible_numbers() -> None:
    for make in (Card, Call):
        for number in (-1, 60):
            with pytest.raises(ParseError, match="numbers run from 0"):
                make(number)
    for number in (-1, 52):
        with pytest.raises(HandError, match="no card number"):
            Hand.of([number])
        with pytest.raises(HandError, match="is not in"):
            Hand().without(number)
        assert number not in Hand((1 << 52) - 1)
    with pytest.raises(HandError, match="52 cards"):
        Hand(1 << 52)
    with pytest.raises(HandError, match="C2 twice"):
        Hand.of([0, 0])
    with pytest.raises(DealError, match="owners"):
        Deal.from_owners(bytes(51))
    with pytest.raises(DealError, match="C2 belongs to seat number 9"):
        Deal.from_owners([9] * 52)
    with pytest.raises(ContractError, match="level 8"):
        Contract(8, Strain.NT, Seat.NORTH)
    with pytest.raises(BridgeError, match="begin at 1"):
        Board.random(0)


def test_end_positions_are_deals_too() -> None:
    ending = Deal.parse("N:A..2. K..3. 3..A. 2..K.")
    assert Deal.from_owners(ending.owners) == ending
    assert ending.owner(Card.parse("H2")) is None
    assert not ending.is_complete


def test_a_random_deal_is_the_same_for_the_same_seed() -> None:
    assert Deal.random(5) == Deal.random(5) != Deal.random(6)
    assert Board.random(3, seed=5).deal == Deal.random(5)
