"""What a good player does: no trick for nothing, the count believed, winners cashed."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding import bid_board, bidder
from overtrick.cardplay import player
from overtrick.cardplay.alphamu import _deepen
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.situation import situation
from overtrick.cardplay.vectors import FrontNode, Game
from overtrick.game import (
    Auction,
    Board,
    Card,
    Deal,
    Play,
    Seat,
    Systems,
    View,
    Vulnerability,
    view_of,
)
from overtrick.game.reasons import Fate
from tests.cardplay.helpers import contract_auction, random_ending


def at_table(deal: str, auction: str, dealer: Seat, cards: str) -> tuple[Board, Auction, Play]:
    """A board after these cards, everyone's turn as it comes."""
    board = Board(1, dealer, Vulnerability.NONE, Deal.parse(deal))
    calls = Auction.parse(auction, dealer)
    assert calls.contract is not None
    play = Play.of(calls.contract)
    for text in cards.split():
        play = play.then(Card.parse(text), board.deal[play.turn])
    return board, calls, play


def finished(table: tuple[Board, Auction, Play], declarer: str, defenders: str) -> Play:
    board, auction, play = table
    robots = {True: player(declarer), False: player(defenders)}
    while not play.is_over:
        view = view_of(board, auction, play)
        card = robots[play.controller == play.declarer].play(view).card
        play = play.then(card, board.deal[play.turn])
    return play


PREEMPT = "N:J54.KQ76.AJ7.A76 AKQT987.32.32.32 32.AJT98.KT8.KQ5 6.54.Q9654.JT984"
COUNTED = "S6 S4 SK S2 SA S3 D4 S5 H2 H8 H4 H6 HA H5 H7 H3 CK C8 C6 C2 CQ C9 C7 C3 C5 CT CA S7"


def test_a_hand_that_is_counted_out_is_not_finessed() -> None:
    """East opened 3♠ and had two hearts and two clubs: the long diamonds, and the queen, are
    West's."""
    table = at_table(PREEMPT, "3S 5H Pass Pass Pass", Seat.EAST, COUNTED)
    play = finished(table, "alphamu(worlds=20)", "pimc(worlds=4)")
    assert play.declarer_tricks == 11


SPADES = "N:43.A32.KQJT9.Q32 8765.T976.54.T76 K2.KQ84.876.KJ54 AQJT9.J5.A32.A98"


@pytest.mark.parametrize("engine", ["alphamu(worlds=20)", "pimc(worlds=20)"])
def test_setting_tricks_are_cashed(engine: str) -> None:
    """West has the ace of diamonds, four spades that are high, and no reason to wait."""
    table = at_table(
        SPADES, "1NT Pass 3NT Pass Pass Pass", Seat.SOUTH, "SQ S3 S5 SK D6 D2 DK D4 D9 D5 D7 DA"
    )
    play = finished(table, "pimc(worlds=4)", engine)
    assert [c.suit for c in play.cards[12::4][:4]] == [3, 3, 3, 3]
    assert play.declarer_tricks == 7


def test_an_ace_is_not_laid_down_from_a_long_suit_against_notrump() -> None:
    board = Board(
        1,
        Seat.SOUTH,
        Vulnerability.NONE,
        Deal.parse("N:AJ5.QT2.KT83.QT7 QT972.8.Q954.653 K83.K4.AJ6.AKJ92 64.AJ97653.72.84"),
    )
    auction = Auction.parse("1NT Pass 3NT Pass Pass Pass", Seat.SOUTH)
    assert auction.contract is not None
    view = view_of(board, auction, Play.of(auction.contract))
    for seed in range(2):
        assert player(f"pimc(seed={seed})").play(view).card.ascii != "HA"


# ♣AQ8 opposite J972: eight tricks are there whatever happens, the ninth needs no duck.
SAFE = "N:A32.A32.A432.J97 KQJ9.JT9.JT9.T43 8654.KQ4.K65.AQ8 T7.8765.Q87.K652"


@pytest.mark.parametrize("engine", ["alphamu(worlds=20)", "pimc(worlds=20)"])
def test_no_trick_for_nothing_when_the_contract_is_safe(engine: str) -> None:
    """Double-dummy tricks that every layout gives are taken, made contract or not."""
    table = at_table(SAFE, "1NT Pass Pass Pass", Seat.SOUTH, "H5 H2 H9 HQ")
    before = situation(_view(table))
    play = finished(table, engine, "pimc(worlds=4)")
    assert before.target > 0
    assert play.declarer_tricks >= 8


CLUBS = "N:AQ.AQT3.KQT.QT54 97.J87.AJ5.A8732 KT632.K95.8432.K J854.642.976.J96"
SPADE_KING = "S9 S2 S4 SQ SA S7 S3 S5 HQ H7 H5 H2 H3 H8 HK H6 SK S8"


def test_no_trick_for_a_difference_that_worlds_cannot_tell() -> None:
    """A discard on the spade king: the ♣10 costs a trick that a small club does not, and is better
    for the search by less than its worlds tell."""
    board = Board(12, Seat.WEST, Vulnerability.NS, Deal.parse(CLUBS))
    auction, decisions = bid_board(board, [bidder("rules")] * 4)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for text in SPADE_KING.split():
        play = play.then(Card.parse(text), board.deal[play.turn])
    meanings = tuple(d.meaning for d in decisions)
    view = view_of(board, auction, play, meanings=meanings, systems=Systems("sayc", "sayc"))
    assert player("alphamu").play(view).card.ascii in ("C4", "C5")


def test_the_first_of_near_equals_stays() -> None:
    """The search leaves its first card only for one that is better by what is asked."""
    board, play = random_ending(3, 4, 13)
    at = situation(view_of(board, contract_auction(3, 4), play))
    hands = np.array([[h.bits & ~play.state.played for h in board.deal.hands]], np.uint64)
    search = Search(Game(hands, at.strain, 2, (1,), (1.0,)))
    root = FrontNode(0, at.leader, (), 0)
    first, other = search.my_cards(root)[:2]
    order = {first: 0.2, other: 0.21}
    for least, chosen in ((0.02, first), (0.0, other)):
        best, _ = _deepen(search, root, order, 2, (float("inf"), least))
        assert best.card == chosen


def test_words_speak_of_the_whole_hand() -> None:
    table = at_table(SAFE, "1NT Pass Pass Pass", Seat.SOUTH, "H5 H2 H9 HQ C8 C2 CJ CT")
    decision = player("pimc(worlds=12)").play(_view(table))
    assert any(isinstance(r, Fate) for r in decision.reasons)
    tricks = [c.details["tricks"] for c in decision.candidates]
    assert all(t is not None and t >= 2 for t in tricks)  # two are won already


def test_declarers_cards_tell_defenders_about_declarers_hand() -> None:
    """Declarer took the jack with the ace: with the queen too it would have been the queen. Which
    of king and queen takes a trick says nothing."""
    deal = "N:AJ32.432.A432.J9 95.QJ98.T98.T743 KQ4.A6.KQ75.A862 T876.KT75.J6.KQ5"
    cards = "H5 H2 HJ HA S4 S6 SA S5 S2 S9 SK S7"
    board, auction, play = at_table(deal, "1NT Pass 3NT Pass Pass Pass", Seat.SOUTH, cards)
    at = situation(view_of(board, auction, play, seat=Seat.WEST), on_turn=False)
    share: dict[tuple[str, str], float] = {}
    for name in ("auction", "line"):
        worlds = sample_worlds(at, 400, np.random.default_rng(0), evidence(name))
        for card in ("HQ", "SQ"):
            bit = np.uint64(int(Card.parse(card)))
            has = worlds.deals[:, Seat.SOUTH] >> bit & np.uint64(1)
            share[name, card] = float(worlds.shares @ has)
    assert share["line", "HQ"] < 0.5 * share["auction", "HQ"]
    assert share["line", "SQ"] > 0.5 * share["auction", "SQ"]


def _view(table: tuple[Board, Auction, Play]) -> View:
    return view_of(*table)
