"""PRAGMA: the paper's examples, the knowledge sources, stopping, and the engine's contract."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder, check_bidder
from overtrick.bidding.kernel import AuctionPosition, RulesCaller, SeatHands, Worlds, utility_of
from overtrick.bidding.kernel.leaves import Leaves
from overtrick.bidding.kernel.race import opportunity
from overtrick.bidding.pragma import Pragma
from overtrick.bidding.pragma.belief import Mind, Weighed, better_than_shown
from overtrick.bidding.pragma.candidates import CallChoice, choices
from overtrick.bidding.pragma.nested import Nested
from overtrick.bidding.pragma.rdeals import r_deals
from overtrick.bidding.pragma.sources import (
    ChoiceSet,
    choice_set,
    continuation,
    dominates,
    simple_domination,
)
from overtrick.bidding.pragma.thought import Thought
from overtrick.bidding.rules import context_of, reading_of
from overtrick.evaluation import HandArray, feature
from overtrick.game import (
    PASS,
    Auction,
    Board,
    Deal,
    Hand,
    OptionError,
    PartialDeal,
    Seat,
    View,
    Vulnerability,
    view_of,
)
from overtrick.game.reasons import BestOfRest, Remark
from overtrick.nets.contract import contract_model
from overtrick.systems import Reading, system_of_text
from overtrick.worlds import Dealer, parse
from overtrick_lab.papers.gamback1993 import examples as paper

FIGURE_2 = Deal.parse(paper.FIGURE_2_DEAL)


def view(hand: str, auction: str, dealer: Seat = Seat.NORTH, vul: int = 0) -> View:
    made = Auction.parse(auction, dealer)
    return View(made.turn, Hand.parse(hand), made, Vulnerability(vul))


# Figure 2: South weighs 4♥ now against inviting with 3♥.


def weighed(north: str) -> Weighed:
    mind = Mind(contract_model("tricks"), np.random.default_rng(1), inner=5, deeper=3)
    return paper.figure_2(north, mind)


def test_figure_2_game_now_against_an_invitation() -> None:
    good = weighed("hcp 9..11, hearts 4+")  # clearly more than a minimum response
    assert good.bid_game
    assert good.game > good.invitation > 0
    assert 0.2 < good.accepted < 0.8
    weak = weighed("hcp 5..9, hearts 4+")
    assert not weak.bid_game
    assert weak.makes < good.makes


def test_partner_knows_when_their_hand_is_better_than_shown() -> None:
    shown = [parse("hcp 6..11, hearts 4+"), parse("hcp 0..9"), parse("hcp 15..17, hearts 4"),
             parse("hcp 10+")]  # fmt: skip
    rng = np.random.default_rng(2)
    known = PartialDeal.of({Seat.SOUTH: FIGURE_2[Seat.SOUTH]})
    deals = Dealer({s: shown[s] for s in (0, 1, 3)}, known=known).sample(40, rng).hands
    mind = Mind(contract_model("tricks"), rng, inner=6, deeper=3)
    better = better_than_shown(deals, shown, 0, (2, 0), mind)
    points = np.asarray(feature("HCP")(HandArray(deals[:, 0])))
    assert np.corrcoef(points, better)[0, 1] > 0.4


# Figure 4: constraints after P 1♥ P 1♠ P 3♥.


def test_figure_4_constraints() -> None:
    north, east, _, west = paper.figure_4()
    assert north.bounds().hcp[1] == 12
    assert east.holds(Hand.parse("A.AKJ962.QJ54.Q3"))  # unbalanced, 17
    assert not east.holds(Hand.parse("A3.AKJ96.Q54.Q32"))  # balanced, only 16
    assert east.holds(Hand.parse("AQ3.AKJ96.QJ5.Q3"))  # 19, balanced
    assert not east.holds(Hand.parse("AQ.JT986.AKQ4.K3"))  # suit too thin
    assert west.bounds().hcp[0] == 5
    assert west.bounds().lengths[2][1] == 3
    assert west.bounds().lengths[3][0] == 4


# Figure 9: choice sets.


def test_figure_9_choice_sets() -> None:
    assert paper.figure_9() == {
        "Pass": ["1NT"],
        "2♦": ["2♦", "2♥", "2♠", "2NT", "3♦"],
        "2♠": ["2♠", "2NT"],
    }


def test_a_tree_that_is_too_large_proves_nothing() -> None:
    reading = Reading(system_of_text(paper.FIGURE_9))
    deals = Dealer().sample(60, np.random.default_rng(3)).hands
    leaves: Leaves = utility_of("paper").leaves(deals, 0, 0)
    cut = choice_set(
        AuctionPosition((7, 0, 9), 0, 0), SeatHands(deals), leaves, np.zeros(60),
        [RulesCaller(reading)] * 4, most=5, limit=3,
    )  # fmt: skip
    assert not cut.complete
    assert not dominates(cut, cut)


def test_domination_needs_every_deal() -> None:
    def made(worst: list[float], best: list[float]) -> ChoiceSet:
        return ChoiceSet(frozenset(), np.array(worst), np.array(best), True, 1)

    assert dominates(made([2, 3], [4, 4]), made([0, 0], [2, 1]))
    assert not dominates(made([2, 0], [4, 4]), made([0, 0], [2, 1]))
    assert not dominates(made([1, 1], [1, 1]), made([1, 1], [1, 1]))


# Knowledge sources on a real system.


def thought_of(
    seen: View, found: list[CallChoice] | None = None, tricks: str = "tricks"
) -> Thought:
    reading = reading_of("sayc", "")
    if found is None:
        found = choices(reading, context_of(reading, seen), seen, most=3)
    return Thought(seen, reading, found, np.random.default_rng(4), tricks)


@pytest.fixture(scope="module")
def slam_thought() -> Thought:
    return thought_of(view("KQJ62.A4.KQ3.852", "1H P", Seat.SOUTH))


def test_r_deals_fit_the_auction() -> None:
    seen = view("Q62.A4.K9853.J52", "1NT P", Seat.SOUTH)
    reading = reading_of("sayc", "")
    deals = r_deals(reading, seen, 40, np.random.default_rng(5))
    assert deals.shape == (40, 4)
    assert (deals[:, seen.seat] == np.uint64(seen.hand.bits)).all()
    points = np.asarray(feature("HCP")(HandArray(deals[:, Seat.SOUTH])))
    assert points.min() >= 15
    assert points.max() <= 17


def test_r_deals_are_found_by_annealing_or_looser_when_the_auction_is_odd() -> None:
    """Nobody has these hands by the rules: something is dealt all the same."""
    seen = view("AKQJT.AKQ.AKQ.AK", "1C 1H 2NT 3S 4NT 5D 6C", Seat.WEST)
    reading = reading_of("sayc", "")
    deals = r_deals(reading, seen, 20, np.random.default_rng(5))
    assert deals.shape == (20, 4)
    assert (np.bitwise_or.reduce(deals, axis=1) == np.uint64((1 << 52) - 1)).all()


def test_continuation_values_every_choice_deal_by_deal(slam_thought: Thought) -> None:
    sample, race = slam_thought.draw(12), slam_thought.race
    simple_domination(slam_thought, sample)
    race.open = list(range(len(race.calls)))
    continuation(slam_thought, sample)
    assert all(race.seen(i) == 12 for i in race.open)
    best = race.leader()
    gain, error = race.gain(best, (best + 1) % len(race.calls))
    assert gain >= 0
    assert error > 0
    assert slam_thought.nodes > 0


def test_own_later_turns_can_be_chosen() -> None:
    seen = view("KQJ62.A4.KQ3.852", "1H P", Seat.SOUTH)
    means = []
    for again in (0, 4):
        thought = thought_of(seen)
        continuation(thought, thought.draw(12), again=again)
        means.append(thought.race.values[:, 0].mean())
    assert means[1] >= means[0] - 1e-9


def test_partner_judges_for_themselves(slam_thought: Thought) -> None:
    nested = Nested(slam_thought, slam_thought.samples[-1], 4, 3)
    found = nested.corrections(0)
    assert found.shape == (4,)
    assert np.isfinite(found).all()
    assert nested.overruled >= np.count_nonzero(found)


def test_value_of_computation() -> None:
    assert opportunity(0.0, 1.0) == pytest.approx(0.3989, abs=1e-3)
    assert opportunity(3.0, 1.0) < 0.001  # clear: nothing to be won
    assert opportunity(-2.0, 1.0) > 2.0
    assert opportunity(1.0, 0.0) == 0.0


def test_more_deals_are_worth_less_when_the_lead_is_clear() -> None:
    noise = np.random.default_rng(6).normal(0, 1, 30)
    worth = []
    for lead in (0, 5):
        race = thought_of(view("KQJ62.A4.KQ3.852", "1H P", Seat.SOUTH)).race
        race.open = [0, 1]
        race.add(Worlds.even(np.zeros((30, 4), np.uint64)), np.stack([noise * 0, noise - lead], 1))
        worth.append(race.worth_of_more(30))
    assert worth[1] < worth[0] / 10
    assert race.regret() < 0.01


# The engine.


def test_candidates_start_with_the_rules_call_and_never_lie_in_answers() -> None:
    reading = reading_of("sayc", "")
    seen = view("AQ3.KJ4.QJ52.K82", "", Seat.NORTH)
    found = choices(reading, context_of(reading, seen), seen)
    assert str(found[0]) == "1NT"
    assert found[0].lie == 0
    assert any(str(c) == "Pass" for c in found)
    asked = view("AQ32.KJ4.QJ5.K82", "1NT P 2C P", Seat.NORTH)
    answers = choices(reading, context_of(reading, asked), asked)
    assert str(answers[0]) == "2♠"
    assert all(c.lie == 0 or str(c) == "Pass" for c in answers)


def test_the_decision_says_which_source_decided() -> None:
    engine = Pragma(seconds=30, rounds="8 16", outer=4, inner=3)
    board = Board.random(3, seed=12)
    decision = engine.bid(view_of(board, Auction(board.dealer)))
    assert decision.details["source"] in ("KS 1", "KS 2", "KS 3", "system")
    assert decision.meaning.words
    assert decision.engine == engine.name
    again = bidder(decision.engine)
    assert isinstance(again, Pragma)
    assert again == engine


def test_a_dominated_call_of_the_rules_is_not_made() -> None:
    """Dropped by knowledge source 1 before it was valued, it needs no proof against it."""
    seen = view("AQ92.KJ7.Q84.K52", "")
    found = [CallChoice(0, "pass"), CallChoice(3, "one club"), CallChoice(4, "one diamond")]
    thought = thought_of(seen, found)
    thought.race.drop(0, "is dominated")
    values = np.tile([1.0, 2.0], (16, 1))
    thought.race.add(Worlds.even(np.zeros((16, 4), np.uint64)), values)
    engine = Pragma()
    chosen, reason = engine._choose(thought)
    assert chosen.call == 4
    assert reason == BestOfRest(16, PASS)
    decision = engine._decision(thought, chosen, (reason,), 0.0)
    assert all(c.error is None for c in decision.candidates)


def test_it_is_a_bidder() -> None:
    check_bidder(Pragma(seconds=30, rounds="4", k=2, outer=0), boards=1, seed=1)


def test_a_clock_that_cuts_in_is_told() -> None:
    board = Board.random(5, seed=8)
    decision = Pragma(seconds=1e-9).bid(view_of(board, Auction(board.dealer)))
    assert Remark.CUT_SHORT in decision.reasons


def test_game_is_bid_when_the_values_are_there() -> None:
    """16 opposite an opening of 1NT: the rules and judgement both stop well above a part score."""
    seen = view("KQ3.A4.KQJ52.K82", "1NT P", Seat.SOUTH)
    decision = Pragma(seconds=30, rounds="12", outer=0).bid(seen)
    assert decision.call >= 3


def test_options_are_checked() -> None:
    with pytest.raises(OptionError):
        Pragma(seconds=0)
    with pytest.raises(OptionError):
        Pragma(rounds="2")
    with pytest.raises(OptionError):
        bidder("pragma(tricks=nowhere)")
