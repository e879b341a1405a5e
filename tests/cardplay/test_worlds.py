"""Situations, layouts and weights: what a seat knows becomes worlds that fit it."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from overtrick.cardplay.evidence.ranges import auction_likelihood
from overtrick.cardplay.knowledge import CARDS, evidence, sample_worlds
from overtrick.cardplay.sampling import all_layouts, count_layouts, deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.game import (
    Auction,
    Board,
    Card,
    Deal,
    Hand,
    Meaning,
    OptionError,
    Play,
    Seat,
    Strain,
    View,
    view_of,
)
from overtrick.worlds.weighted import fewer
from tests.cardplay.helpers import contract_auction, ending_view, random_ending


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("left", [3, 6, 9, 12])
def test_layouts_fit_all_that_was_seen(seed: int, left: int) -> None:
    view = ending_view(left, seed % 5, seed)
    at = situation(view)
    hands = deal_layouts(at, 200, np.random.default_rng(seed))
    union = np.bitwise_or.reduce(hands, axis=1)
    assert (np.bitwise_count(union) == np.bitwise_count(hands).sum(axis=1)).all()
    for seat in at.hidden:
        assert (np.bitwise_count(hands[:, seat]) == at.needs[seat]).all()
        assert not (hands[:, seat] & np.uint64(at.barred[seat])).any()
    for seat, hand in view.known.items():
        assert (hands[:, seat] == np.uint64(hand.bits & ~view.play.played.bits)).all()  # type: ignore[union-attr]


def test_layouts_are_uniform_and_complete() -> None:
    at = situation(ending_view(4, Strain.NT, 3))
    every = all_layouts(at, 1000)
    assert every is not None
    assert len(every) == count_layouts(at) == len(np.unique(every[:, at.hidden[0]]))
    drawn = deal_layouts(at, 20_000, np.random.default_rng(0))
    counts = np.unique(drawn[:, at.hidden[0]], return_counts=True)[1]
    assert len(counts) == len(every)
    expected = 20_000 / len(every)
    assert ((counts - expected) ** 2 / expected).sum() < 2.5 * len(every)


def test_three_hands_are_hidden_before_the_lead() -> None:
    board = Board.random(1, seed=4)
    view = view_of(board, contract_auction(4, 3), Play(Strain.SPADES, Seat.WEST))
    at = situation(view)
    assert len(at.hidden) == 3
    assert count_layouts(at) == comb(39, 13) * comb(26, 13)
    assert all_layouts(at, 10**6) is None
    hands = deal_layouts(at, 50, np.random.default_rng(1))
    assert (np.bitwise_count(hands) == 13).all()


def test_cards_on_the_table_separate_equals() -> None:
    """♠A and ♠Q are no equals in the trick to which ♠K was played."""
    north = Hand.parse("AQ2.432.5432.432")
    deal = Deal.parse(f"N:{north} K87.A98.A98.A987 JT9.765.KQJ.KQJ6 6543.KQJT.T76.T5")
    board = Board.numbered(1, deal)
    play = Play(Strain.NT, Seat.WEST, (Card.parse("S3"),))
    view = view_of(board, contract_auction(1, Strain.NT), play)
    groups = [[c.ascii for c in g] for g in situation(view).groups()]
    assert groups == [["SA"], ["SQ"], ["S2"]]
    lead = Play(Strain.NT, Seat.EAST, (Card.parse("SK"), Card.parse("S9"), Card.parse("S3")))
    after = View(Seat.NORTH, north, Auction.parse("1NT Pass Pass Pass", Seat.NORTH),
                 board.vul, play=lead, dummy=deal[Seat.SOUTH])  # fmt: skip
    assert next([c.ascii for c in g] for g in situation(after).groups()) == ["SA"]


def test_the_goal_of_each_side() -> None:
    board, play = random_ending(5, Strain.NT, 8)
    auction = contract_auction(3, Strain.NT)
    declarer = situation(view_of(board, auction, play, seat=Seat.SOUTH), on_turn=False)
    assert declarer.left == 5
    defender = view_of(board, auction, play, seat=Seat.WEST)
    if play.controller == Seat.WEST:
        assert situation(defender).target == 5 - play.tricks_won(1)


def test_a_disclosed_notrump_is_believed() -> None:
    auction = Auction.parse("1NT Pass 3NT Pass Pass Pass", Seat.SOUTH)
    meaning = Meaning("15–17 balanced", (15, 17), ((2, 5), (2, 5), (2, 5), (2, 5)))
    board = Board.random(1, seed=2)
    view = View(Seat.WEST, board.deal[Seat.WEST], auction, board.vul,
                meanings=(meaning, None, None, None, None, None),
                play=Play(Strain.NT, Seat.WEST))  # fmt: skip
    fits = Hand.parse("AK32.KJ4.Q92.K84").bits
    weak = Hand.parse("8732.KJ4.Q92.K84").bits
    logs = auction_likelihood(view, Seat.SOUTH, np.array([fits, weak], np.uint64))
    assert logs[0] > -0.5
    assert logs[1] < -5
    at = situation(view)
    worlds = sample_worlds(at, 40, np.random.default_rng(0), evidence("auction"))
    points = [_hcp(int(h)) for h in worlds.deals[:, Seat.SOUTH]]
    assert 14 <= np.average(points, weights=worlds.shares) <= 18


def test_a_hand_that_could_not_open_is_not_strong() -> None:
    auction = Auction.parse("Pass 1S Pass 4S Pass Pass Pass", Seat.WEST)
    board = Board.random(1, seed=2)
    view = View(Seat.NORTH, board.deal[Seat.NORTH], auction, board.vul)
    strong = Hand.parse("2.AKQ43.AK32.K32").bits
    weak = Hand.parse("2.JT943.K532.Q32").bits
    logs = auction_likelihood(view, Seat.WEST, np.array([strong, weak], np.uint64))
    assert logs[0] < logs[1] - 2


def test_worlds_weigh_one_and_repeat() -> None:
    at = situation(ending_view(8, Strain.HEARTS, 5))
    for name in ("cards", "auction", "lead", "all"):
        one = sample_worlds(at, 40, np.random.default_rng(7), evidence(name))
        two = sample_worlds(at, 40, np.random.default_rng(7), evidence(name))
        assert one.shares.sum() == pytest.approx(1)
        assert (one.deals == two.deals).all()
        assert len(one) <= 40


def test_few_layouts_are_taken_whole() -> None:
    at = situation(ending_view(2, Strain.NT, 5))
    worlds = sample_worlds(at, 40, np.random.default_rng(7), CARDS)
    assert worlds.complete
    assert len(worlds) == count_layouts(at)


def test_unknown_evidence_is_named() -> None:
    with pytest.raises(OptionError, match="auction"):
        evidence("telepathy")


def _hcp(hand: int) -> int:
    return sum(max(0, c % 13 - 8) for c in range(52) if hand >> c & 1)


def test_equal_weights_are_drawn_the_same_way_on_every_machine() -> None:
    """numpy's quick sort orders ties by the instructions a CPU has; the draw must not know."""

    class InOrder:
        def permutation(self, found: Any) -> Any:
            return found

        def random(self) -> float:
            return 0.5

    weights = np.full(2000, 1.0)
    weights[700] = 5000.0
    picked, share = fewer(weights / weights.sum(), 101, InOrder())  # type: ignore[arg-type]
    assert picked[0] == 700
    assert picked[1:].tolist() == sorted(picked[1:])
    assert share.sum() == pytest.approx(1)
