"""Systems with artificial openings: what they bid, how others read them, and that switches leave no
hole."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from overtrick.bidding import bidder
from overtrick.bidding.rules import reading_of
from overtrick.game import Auction, Board, Hand, Seat, Systems, Vulnerability, view_of
from overtrick.systems import RuleError, load
from overtrick.systems.meanings import knowledge
from overtrick.systems.moved import parse_move
from overtrick.systems.reading import Reading
from overtrick.systems.shows import HandValues

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.cards import card_of, faults, random_cards

ARTIFICIAL = ("acol", "polish", "precision", "sef")


def choice(ours: str, theirs: str, auction: str, hand: str) -> tuple[str, str]:
    """The call of a hand whose opponents dealt and play `theirs`, and its words."""
    reading = reading_of(ours, theirs)
    calls = tuple(int(c) for c in Auction.parse(auction, Seat.NORTH).calls)
    ctx = reading.context(calls, 0, first=1)
    option = reading.choose(ctx, HandValues(Hand.parse(hand).bits))
    assert option is not None
    return str(option.rule.text.call), option.words


@pytest.mark.parametrize(
    ("theirs", "auction", "hand", "call"),
    [
        ("precision", "1C", "KQ874.AJ53.42.82", "X"),  # both majors over a strong club
        ("sayc", "1C", "KQ874.AJ953.4.82", "2m"),  # Michaels over a natural one
        ("polish", "1C", "KQ874.AJ953.4.82", "2D"),  # takes the cue-bid's place
        ("polish", "2D", "K84.AJ5.KQ42.J92", "X"),  # the multi: balanced
        ("precision", "2D", "84.A5.KQJ942.J92", "3D"),  # short diamonds: ours
        ("acol", "1NT", "AQ84.KJ5.KQ42.92", "X"),  # a weak notrump is doubled with 15
        ("sayc", "1NT", "AQ84.KJ5.KQ42.92", "Pass"),
        ("precision", "2C", "AQ84.KJ52.KQ42.2", "X"),  # natural clubs: takeout
    ],
)
def test_a_defence_is_chosen_by_what_they_declared(
    theirs: str, auction: str, hand: str, call: str
) -> None:
    assert choice("two-over-one", theirs, auction, hand)[0] == call


def test_the_same_opening_means_what_they_declared() -> None:
    """One club: clubs, or sixteen points, or one of three things."""
    auction = Auction.parse("1C")
    for name, least in (("sayc", 10), ("precision", 16), ("polish", 12)):
        north = knowledge(Reading(load(name)), auction, Vulnerability.NONE)[0]
        weak, strong = Hand.parse("Q8.J95.K842.KQ92"), Hand.parse("AK84.KQ5.AQ42.92")
        assert north.holds(strong) is (name != "sayc")
        assert not north.holds(weak) or least <= 11


@pytest.mark.parametrize("name", ARTIFICIAL)
@pytest.mark.parametrize("engine", ["rules", "pidm", "pragma"])
def test_engines_play_them(engine: str, name: str) -> None:
    options = {"pidm": ", worlds=4, instances=1", "pragma": ", rounds='4', outer=0"}
    player = bidder(f"{engine}(system={name}{options.get(engine, '')})")
    board = Board.random(3, seed=2)
    view = view_of(board, Auction(board.dealer), systems=Systems(name, "polish"))
    assert view.auction.is_legal(player.bid(view).call)


def test_a_notrump_structure_is_moved_to_its_range() -> None:
    """Three points more for responder, three fewer for opener."""
    move = parse_move("1NT -3")
    assert [move.of(p) for p in ("1NT", "1NT 2C", "1NT (2X)", "1NT 2C (X) P (P)")] == [3, -3, 3, 3]
    assert [move.of(p) for p in ("2NT 3C", "(1NT)", "1H 1NT")] == [0, 0, 0]
    assert choice_of("acol", "1NT P", "KJ4.Q3.KQ732.T95") == "2NT"
    assert choice_of("sayc", "1NT P", "KJ4.Q3.KQ732.T95") == "3NT"
    with pytest.raises(RuleError, match="a move reads"):
        parse_move("1NT three")


def choice_of(name: str, auction: str, hand: str) -> str:
    reading = Reading(load(name))
    calls = tuple(int(c) for c in Auction.parse(auction).calls)
    option = reading.choose(reading.context(calls), HandValues(Hand.parse(hand).bits))
    return option.rule.text.call if option else ""


@pytest.mark.parametrize(
    ("name", "card"), [("acol", "+jacoby-2nt"), ("polish", "-multi"), ("simple", "-blackwood")]
)
def test_a_switch_leaves_no_hole(name: str, card: str) -> None:
    assert faults(card_of(name, card), 40, 0) == []


def test_random_cards_are_clean() -> None:
    for name, card in random_cards(2, seed=5):
        assert faults(card_of(name, card), 20, 0) == [], card
