"""Reversed simulated annealing: it fits, it is nearly uniform, and the paper's Figures 4 to 6."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.evaluation import HandArray, feature
from overtrick.game import Hand, PartialDeal, Seat
from overtrick.worlds import ALWAYS, Dealer, TooRare, parse
from overtrick.worlds.annealing import Annealer, Cooling, anneal
from overtrick.worlds.choosing import sample_deals
from overtrick.worlds.satisfaction import shortfall
from overtrick_lab.papers.gamback1993.diagnostics import bias, total_variation

# Figure 6: West's hand, and what he knows after P 1♥ P 1♠ P 3♥ (Figure 4).
WEST = Hand.parse("KJ73.5.AK963.J86")
NORTH_HAS = parse("hcp 0..12")
EAST_HAS = parse("(hcp 18..19, balanced) or (hcp 16..20, not balanced)") & parse("biddble(H) 2+")
KNOWN = PartialDeal.of({Seat.WEST: WEST})
FIGURE_6 = {Seat.NORTH: NORTH_HAS, Seat.EAST: EAST_HAS}


@pytest.fixture(scope="module")
def annealed() -> np.ndarray:
    return Annealer(FIGURE_6, known=KNOWN).sample(6000, np.random.default_rng(1)).hands


def test_every_deal_is_a_deal_and_fits(annealed: np.ndarray) -> None:
    assert (np.bitwise_or.reduce(annealed, axis=1) == np.uint64((1 << 52) - 1)).all()
    assert (np.bitwise_count(annealed) == 13).all()
    assert (annealed[:, Seat.WEST] == np.uint64(WEST.bits)).all()
    assert NORTH_HAS.mask(HandArray(annealed[:, Seat.NORTH])).all()
    assert EAST_HAS.mask(HandArray(annealed[:, Seat.EAST])).all()


def test_the_sample_is_hardly_biased(annealed: np.ndarray) -> None:
    truth = Dealer(FIGURE_6, known=KNOWN).sample(60_000, np.random.default_rng(2)).hands
    found = bias(annealed, truth)
    assert found.worst < 0.03
    assert found.worst_card < 0.03
    assert found.noise < 0.03
    assert found.rows()[0][1] >= found.rows()[-1][1]
    assert Seat.WEST not in found.points


def test_figure_6_unbalanced_hands_dominate_and_diamonds_are_short(annealed: np.ndarray) -> None:
    east = HandArray(annealed[:, Seat.EAST])
    balanced = parse("balanced").mask(east).mean()
    assert balanced < 0.1  # nearly all of the paper's ten hands are unbalanced
    points = np.asarray(feature("HCP")(east))
    assert (points <= 17).mean() > (points >= 18).mean()
    diamonds = east.look("length", 1)
    shortness = (diamonds <= 1).mean()
    free = Dealer(known=KNOWN).sample(6000, np.random.default_rng(3)).hands[:, Seat.EAST]
    assert shortness > 0.35
    assert shortness > 1.5 * (HandArray(free).look("length", 1) <= 1).mean()


def test_every_deal_may_have_its_own_known_hand() -> None:
    rng = np.random.default_rng(4)
    start = Dealer().sample(200, rng).hands
    rules = [parse("hcp 12+"), ALWAYS, ALWAYS, ALWAYS]
    found, swaps = anneal(start, rules, [0, 1, 3], rng)
    assert swaps > 0
    assert set(found[:, 2].tolist()) <= set(start[:, 2].tolist())
    assert len(set(found[:, 2].tolist())) > 150
    assert parse("hcp 12+").mask(HandArray(found[:, 0])).all()


def test_shown_voids_and_known_cards_stay() -> None:
    partial = PartialDeal.parse("N:AK... - - -")
    annealer = Annealer(known=partial, voids={Seat.EAST: [3]}, schedule=Cooling(harmless=30))
    hands = annealer.sample(100, np.random.default_rng(5)).hands
    assert ((hands[:, Seat.EAST] >> np.uint64(39)) == 0).all()
    assert (hands[:, 0] & np.uint64(partial[Seat.NORTH].bits) == partial[Seat.NORTH].bits).all()


def test_impossible_questions_end() -> None:
    rare = {s: parse("controls 9+") for s in (Seat.NORTH, Seat.EAST)}  # there are twelve
    quick = Cooling(most=10, harmless=1)
    with pytest.raises(TooRare):
        Annealer(rare, schedule=quick).sample(5, np.random.default_rng(6))


def test_a_few_hopeless_deals_are_given_up_in_a_few_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[int] = []

    def nothing(_: Annealer, size: int, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        sizes.append(size)
        return np.empty((0, 4), np.uint64), 1

    monkeypatch.setattr(Annealer, "_batch", nothing)
    with pytest.raises(TooRare):
        Annealer({}).sample(40, np.random.default_rng(1))
    assert len(sizes) < 16


@pytest.mark.parametrize(
    "text",
    ["hcp 15..17", "spades 5+, hearts 0..3", "not (balanced, hcp 12+)", "any 4432 or clubs 6+",
     "not any 4333", "LTC 0..6"],
)  # fmt: skip
def test_shortfall_is_zero_exactly_where_the_constraint_holds(text: str) -> None:
    constraint = parse(text)
    hands = HandArray(Dealer().sample(500, np.random.default_rng(7)).hands[:, 0])
    assert ((shortfall(constraint, hands) == 0) == constraint.mask(hands)).all()


def test_shortfall_counts_points_and_cards() -> None:
    hand = HandArray([Hand.parse("AKJ52.QJ82.8.Q64").bits])  # 13 points, five spades
    assert shortfall(parse("hcp 15+"), hand)[0] == 2
    assert shortfall(parse("spades 6+"), hand)[0] == 2
    assert shortfall(parse("hcp 15+") | parse("spades 7+"), hand)[0] == 2


def test_the_better_sampler_is_chosen() -> None:
    rng = np.random.default_rng(8)
    assert sample_deals(20, rng, FIGURE_6, known=KNOWN).how == "exact"
    rare = {s: parse("hcp 9..11, LTC 6, controls 3") for s in Seat}
    chosen = sample_deals(40, rng, rare)
    assert len(chosen.dealt) == 40
    again = [sample_deals(40, np.random.default_rng(5), rare) for _ in range(2)]
    assert again[0].how == again[1].how
    assert (again[0].dealt.hands == again[1].dealt.hands).all()
    for seat in Seat:
        assert rare[seat].mask(HandArray(chosen.dealt.hands[:, seat])).all()


def test_total_variation() -> None:
    assert total_variation(np.array([0, 1]), np.array([0, 1])) == 0
    assert total_variation(np.array([0, 0]), np.array([1, 1])) == 1
