"""No trick for nothing: ties broken in layouts without evidence, and the check that counts them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.cardplay_costs import _if_certain, _judged, _more
from overtrick.cardplay.alphamu import _led_by, _safe_first
from overtrick.cardplay.knowledge import CARDS, sample_worlds
from overtrick.cardplay.pimc import near, safest
from overtrick.cardplay.sampling import all_layouts, deal_layouts, spread_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import Outcome, Worth, asked, look, outdone
from overtrick.doubledummy import solve_worlds
from overtrick.engines.clock import Clock
from overtrick.game import Auction, Board, Call, Card, Deal, Play, Seat, Strain, view_of
from overtrick.worlds.weighted import Worlds
from tests.cardplay.helpers import ending_view

# West plays 2♣ and North has led ♠8: dummy's ♠9 saves an overtrick in one layout of fifteen.
DEAL = Deal.parse("N:83.T843.QT985.T2 T942.K752.74.A95 AKQJ6.J96.62.K76 75.AQ.AKJ3.QJ843")
BOARD = Board.numbered(3, DEAL)


def _dummys_first_card() -> Situation:
    auction = Auction(Seat.WEST).then(Call.bid(2, Strain.CLUBS)).closed()
    play = Play(Strain.CLUBS, Seat.NORTH, (Card.parse("S8"),))
    return situation(view_of(BOARD, auction, play))


def _worlds(at: Situation) -> Worlds:
    return sample_worlds(at, 10, np.random.default_rng(1), CARDS)


def _breaks(hands: NDArray[np.uint64]) -> int:
    """In how many ways the suits break in these hands of one seat."""
    suits = [np.uint64(((1 << 13) - 1) << 13 * s) for s in range(4)]
    return len({tuple(int(np.bitwise_count(hand & s)) for s in suits) for hand in hands})


@pytest.mark.parametrize("seed", range(4))
def test_spread_layouts_fit_and_differ_in_how_the_suits_break(seed: int) -> None:
    at = situation(ending_view(9, seed, seed))
    hands, weights = spread_layouts(at, 60, np.random.default_rng(seed))
    union = np.bitwise_or.reduce(hands, axis=1)
    assert len(hands) == 60
    assert (np.bitwise_count(union) == np.bitwise_count(hands).sum(axis=1)).all()
    for seat in at.hidden:
        assert (np.bitwise_count(hands[:, seat]) == at.needs[seat]).all()
        assert not (hands[:, seat] & np.uint64(at.barred[seat])).any()
    assert weights.sum() == pytest.approx(1)
    mine = hands[:, at.hidden[0]]
    dealt = deal_layouts(at, 60, np.random.default_rng(seed))[:, at.hidden[0]]
    assert _breaks(mine) >= _breaks(dealt)
    assert len(np.unique(mine)) > 50  # and in which cards are where


def test_spread_layouts_weigh_as_much_as_their_kind() -> None:
    """Rare breaks come often and weigh little: means are those of layouts dealt at random."""
    at = situation(ending_view(9, 4, 2))
    seat = at.hidden[0]
    suit = np.uint64(((1 << 13) - 1) << 13 * 3)
    means = []
    for seed in range(20):
        hands, weights = spread_layouts(at, 60, np.random.default_rng(seed))
        means.append(float(weights @ np.bitwise_count(hands[:, seat] & suit)))
    dealt = deal_layouts(at, 20_000, np.random.default_rng(9))
    assert np.mean(means) == pytest.approx(
        float(np.bitwise_count(dealt[:, seat] & suit).mean()), abs=0.05
    )


def test_a_trick_in_one_layout_of_fifteen_is_not_thrown_away() -> None:
    at = _dummys_first_card()
    kept = safest(at, at.cards())
    assert {c.ascii for c in kept} == {"ST", "S9"}
    assert safest(at, at.cards()) == kept


def test_the_check_knows_a_needless_card_from_a_good_one() -> None:
    at = _dummys_first_card()
    tricks = _if_certain(at, BOARD, 60)
    assert tricks is not None
    low, high = Card.parse("S2"), Card.parse("S9")
    rivals = [c for c, more in _more(at, low, tricks).items() if more[0] > 0]
    assert high in rivals
    assert not any(more.any() for more in _more(at, high, tricks).values())
    assert _judged(at, high, []) == "a guess"


def test_what_was_asked_tells_near_cards_apart() -> None:
    """Better in one world of sixty by one trick is less than counts, but never worse."""
    at = situation(ending_view(12, 4, 3))
    one, two = (group[0] for group in at.groups()[:2])
    found = [Worth(c, 1.0, None, None, 0.0, v) for c, v in ((one, 6.02), (two, 6.0))]
    steps = np.full((60, 2), 2, np.int8)
    steps[7, 1] = 1
    seen = Outcome((one, two), steps > 0, None, np.full(60, 1 / 60))
    worlds = replace(_worlds(at), logs=np.zeros(10))
    assert [w.card for w in near(found, worlds, seen)] == [one, two]
    assert [w.card for w in near(found, worlds, replace(seen, steps=steps))] == [one]


def test_questions_leave_what_they_found() -> None:
    for seed in range(12):
        at = situation(ending_view(7, seed % 5, seed))
        worlds = _worlds(at)
        if not 0 < at.target <= at.left:
            continue
        _, seen = asked(at, worlds)
        exact = look(at, worlds, exact=True).tricks
        assert seen.steps is not None
        assert exact is not None
        better = seen.steps[:, :, None] > seen.steps[:, None, :]
        assert (exact[:, :, None] > exact[:, None, :])[better].all()


def test_the_card_of_sampling_is_searched_even_among_many_equals() -> None:
    at = situation(ending_view(9, 4, 1))
    cards = [int(group[-1]) for group in at.groups()]
    assert len(cards) > 2
    plain = Card(cards[-1])
    assert _led_by(at, plain, cards, cards[:1]) == [int(plain), cards[0]]
    assert _led_by(at, plain, cards, cards) == [int(plain), *cards[:-1]]


def test_few_layouts_are_all_looked_at() -> None:
    """No card is left that another one outdoes over every layout."""
    for seed in range(12):
        at = situation(ending_view(5, seed % 5, seed))
        every = all_layouts(at, 1000)
        assert every is not None
        tricks = solve_worlds(every, at.strain, at.leader, at.trick)
        kept = safest(at, at.cards())
        assert kept
        for card in kept:
            assert not outdone(tricks[:, card], tricks[:, at.cards()])


def test_sure_cards_that_worlds_cannot_tell_apart_come_in_the_order_of_safety() -> None:
    """The ace or low towards the queen: only the ace catches a bare king."""
    deal = "N:K73.K.Q83.JT6532 QT98.A2.KT92.AQ8 AJ62.97643.5.K74 54.QJT85.AJ764.9"
    board = Board(2, "E", "None", Deal.parse(deal))
    auction = Auction("E", ["1NT", "P", "2D", "P", "2H", "P", "3D", "P", "3NT", "P", "P", "P"])
    assert auction.contract is not None
    play = Play.of(auction.contract)
    for card in ["SA", "S4", "S7", "S8", "C4", "C9", "CT", "CQ"]:
        play = play.then(Card.parse(card))
    at = situation(view_of(board, auction, play))
    plain, low, ace = (Card.parse(card) for card in ("DT", "H2", "HA"))
    found = [
        Worth(plain, 0.98, 10.4, 435.0, 0.02, 11.2),
        Worth(low, 1.0, 10.0, 430.0, 0.0, 11.0),
        Worth(ace, 1.0, 10.0, 430.0, 0.0, 11.0),
    ]
    listed = [int(card) for card in (plain, low, ace)]
    assert _safe_first(at, listed, found, Clock()) == [int(c) for c in (plain, ace, low)]
    assert _safe_first(at, listed[:2], found, Clock()) == listed[:2]
