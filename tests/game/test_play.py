"""The play: following suit, who wins, what is known; and errors that say what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import (
    Card,
    Contract,
    Deal,
    Hand,
    IllegalPlay,
    Play,
    Seat,
    Side,
    Strain,
    Trick,
)

from . import strategies as some


def winner_by_the_book(trick: Trick, strain: int) -> Seat:
    """The highest trump, else the highest card of the suit led: said as the laws say it."""
    trumps = [c for c in trick.cards if c.suit == strain]
    best = max(trumps or [c for c in trick.cards if c.suit == trick.cards[0].suit])
    return trick.leader.plus(trick.cards.index(best))


@given(some.plays())
def test_what_always_holds(dealt: tuple[Deal, Play]) -> None:
    deal, play = dealt
    tricks = list(play.tricks())
    leader, won = play.opening_leader, [0, 0]
    for trick in tricks:
        assert trick.leader == leader
        if len(trick.cards) == 4:
            leader = winner_by_the_book(trick, play.strain)
            assert trick.winner(play.strain) == leader
            won[leader.side] += 1
    assert [play.tricks_won(side) for side in Side] == won
    assert play.declarer_tricks == won[play.declarer.side]
    assert play.turn == leader.plus(len(play) % 4)
    assert play.trick.cards == play.cards[len(play) // 4 * 4 :]
    for seat in Seat:
        assert play.played_by(seat) == deal[seat] & play.played
        left = deal[seat] - play.played
        assert all(left.length(suit) == 0 for suit in play.voids()[seat])
    legal = play.legal_cards(deal[play.turn])
    assert bool(legal) != play.is_over
    for card in deal[play.turn]:
        assert (play.why_illegal(card, deal[play.turn]) is None) == (card in legal)


@given(some.plays())
def test_card_by_card_and_all_at_once_are_the_same(dealt: tuple[Deal, Play]) -> None:
    _, play = dealt
    again = Play(play.strain, play.opening_leader, play.cards)
    assert again == play
    assert again.state == play.state
    assert Play.trusted(play.strain, play.opening_leader, play.cards, play.state) == play


@given(st.permutations(range(52)), some.strains, some.seats)
def test_any_cards_have_a_winner(order: list[int], strain: Strain, leader: Seat) -> None:
    """Readers of files meet revokes too; the play only needs different cards."""
    play = Play(strain, leader, tuple(order[:16]))  # type: ignore[arg-type]
    for trick in play.tricks():
        assert trick.winner(strain) == winner_by_the_book(trick, strain)


def test_illegal_cards_say_why() -> None:
    hands = ("AK2...", "Q3..2.", "54...2", "J76...")
    deal = Deal.parse("N:" + " ".join(hands))
    play = Play(Strain.NT, Seat.NORTH).then(Card.parse("SA"), deal[Seat.NORTH])
    east = deal[Seat.EAST]
    for card, words in [
        ("D2", "card 2, D2: East must follow suit"),
        ("SA", "card 2, SA: it has been played already"),
        ("S5", "card 2, S5: East does not hold it"),
    ]:
        with pytest.raises(IllegalPlay) as caught:
            play.then(Card.parse(card), east)
        assert str(caught.value) == words
    with pytest.raises(IllegalPlay, match="card 2, SA: it has been played already"):
        play.then(Card.parse("SA"))
    with pytest.raises(IllegalPlay, match="card 3, SA: it has been played already"):
        Play(Strain.NT, Seat.NORTH, tuple(Card.parse(c) for c in ("SA", "SK", "SA")))


@pytest.mark.parametrize("number", [-1, 52, 99])
def test_impossible_card_numbers(number: int) -> None:
    empty = Play(Strain.NT, Seat.NORTH)
    for build in (
        lambda: empty.then(number),
        lambda: empty.then(number, Hand((1 << 52) - 1)),
        lambda: Play(Strain.NT, Seat.NORTH, (number,)),  # type: ignore[arg-type]
        lambda: Play.of(Contract.parse("3NT S"), [number]),
    ):
        with pytest.raises(IllegalPlay, match=f"there is no card number {number}"):
            build()


def test_after_the_last_card() -> None:
    deal = Deal.random(1)
    play = Play(Strain.SPADES, Seat.WEST)
    while not play.is_over:
        play = play.then(play.legal_cards(deal[play.turn]).cards()[0], deal[play.turn])
    assert play.tricks_played == 13
    assert play.tricks_won(Side.NS) + play.tricks_won(Side.EW) == 13
    with pytest.raises(IllegalPlay, match="the play is over"):
        play.then(0, deal[Seat.NORTH])
    with pytest.raises(IllegalPlay, match="the play is over"):
        play.then(0)


def test_who_is_who() -> None:
    play = Play.of(Contract.parse("4S E"))
    assert (play.opening_leader, play.declarer, play.dummy) == (Seat.SOUTH, Seat.EAST, Seat.WEST)
    play = play.then(Card.parse("H2"))
    assert (play.turn, play.controller) == (Seat.WEST, Seat.EAST)
