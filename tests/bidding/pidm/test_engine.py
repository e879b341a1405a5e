"""The PIDM bidder at the table: conformance, decisions that explain themselves, fallbacks."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from overtrick.bidding import bidder
from overtrick.bidding.base import check_bidder
from overtrick.bidding.kernel import AuctionPosition, Clock
from overtrick.bidding.pidm import Pidm
from overtrick.bidding.pidm.candidates import answered, candidates
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import sample_worlds
from overtrick.bidding.pidm.trust import placed, stopping
from overtrick.evaluation import HandArray
from overtrick.game import Auction, Call, Hand, Seat, View, Vulnerability
from overtrick.game.reasons import Agrees, GainsOnly, Learned, Remark
from overtrick.table.loop import excused
from overtrick.worlds.consistent import Sample, SamplingBudget

SMALL = "pidm(utility=ltc, seconds=30, worlds=6, most=4)"


def view(hand: str, calls: str, dealer: Seat = Seat.NORTH) -> View:
    auction = Auction.parse(calls, dealer)
    return View(auction.turn, Hand.parse(hand), auction, Vulnerability.NONE)


def worlds_of(seen: View, player: PlayerModel, instances: int, count: int) -> Sample:
    rng = np.random.default_rng(seen.seed)
    budget = SamplingBudget(instances=instances)
    position = AuctionPosition.of(seen)
    return sample_worlds(player, position, seen.hand.bits, budget, count, rng=rng, natural=True)


def test_it_keeps_the_contract_of_a_bidder():
    check_bidder(bidder(SMALL), boards=2, seed=3)


def test_the_name_makes_it_again():
    engine = bidder("pidm(system=sayc, seconds=1, worlds=40, near=60, own=world, utility=dd)")
    assert bidder(engine.name) == engine
    assert engine.system == "sayc"
    assert bidder("pidm").name == "pidm"


@pytest.mark.parametrize(
    "options",
    ["widen=3", "g=2", "own=me", "system=pass", "nets=no-such-file.bid", "utility=no-such", "r=0"],
)
def test_wrong_options_fail_before_the_table(options):
    with pytest.raises(ValueError):
        bidder(f"pidm({options})")


def test_a_decision_shows_its_thinking():
    decision = bidder("pidm(utility=ltc, seconds=30, worlds=12)").bid(
        view("AQ974.K3.AJ52.84", "1S P 2S P")
    )
    assert decision.worlds == 12
    assert len(decision.candidates) >= 2
    best = [c.value for c in decision.candidates if c.value is not None]
    assert best == sorted(best, reverse=True)
    assert all(c.error is not None for c in decision.candidates if c.value is not None)
    details = decision.details
    assert details["worlds"].shape == (12, 4)
    assert details["weights"].sum() == pytest.approx(1)
    trees = details["continuations"]
    assert set(trees) == {c.action.ascii for c in decision.candidates}
    some = next(tree for tree in trees.values() if tree)
    assert sum(branch["share"] for branch in some) <= 1.001
    assert "then" in some[0]
    assert details["counts"]["lookaheads"] == 1
    json.dumps(decision.to_dict())


def test_candidates_are_rules_first_then_neighbours():
    engine = Pidm(utility="ltc")
    seen = view("AQ974.K3.AJ52.84", "1S P 2S P")
    player, at = engine.player(seen), AuctionPosition.of(seen)
    paper = candidates(player, at, seen.hand.bits, 0, 9)
    wide = candidates(player, at, seen.hand.bits, 2, 9)
    assert wide[: len(paper)] == paper
    assert {"Pass", "3S", "4S"} <= {Call(c).ascii for c in wide}
    assert all(seen.auction.is_legal(c) for c in wide)


def test_forced_calls_are_not_passed():
    """The negative rule of Figure 18 holds for candidates too."""
    engine = Pidm(utility="ltc")
    seen = view("AQ974.K3.AJ52.84", "1S P 2H P")
    assert 0 not in candidates(engine.player(seen), AuctionPosition.of(seen), seen.hand.bits, 2, 20)


def test_impossible_auctions_have_a_stated_fallback():
    decision = bidder(SMALL).bid(view("AKQJ.AKQ.AKQ.AKQ", "1NT 2H 3H X P 4H"))
    assert decision.call is not None
    wild = bidder("pidm(utility=ltc, seconds=0.3)").bid(view("AKQJ.AKQ.AKQ.AKQ", "7C P P X P P"))
    assert "fallback" in wild.why or wild.worlds == 0


class Broken:
    """A learned net that fails whenever it is asked."""

    def covers(self, position: AuctionPosition) -> bool:
        raise KeyError("no such net")

    def narrow(self, position, hands, allowed):  # type: ignore[no-untyped-def]
        raise AssertionError


def test_a_model_that_fails_is_the_tables_business(monkeypatch):
    """The engine hides nothing: the table rules on what it throws, and the board goes on."""
    from overtrick.bidding.pidm import engine as module

    broken = PlayerModel("two-over-one", refinement=Broken())
    monkeypatch.setattr(module, "_player", lambda *_: broken)
    seen = view("AQ974.K3.AJ52.84", "")
    with pytest.raises(KeyError, match="no such net") as thrown:
        Pidm(utility="ltc").bid(seen)
    decision, ruling = excused(thrown.value, seen, None)
    assert seen.auction.is_legal(decision.call)
    assert "no such net" in str(ruling)


def test_a_clock_that_cuts_in_is_told():
    seen = view("AQ974.K3.AJ52.84", "1S P 2S P")
    cut = bidder("pidm(utility=ltc, seconds=0.0001, worlds=2000)").bid(seen)
    assert Remark.CUT_SHORT in cut.reasons
    assert 0 < cut.worlds < 2000
    long = bidder("pidm(utility=ltc, seconds=600, worlds=12)").bid(seen)
    assert Remark.CUT_SHORT not in long.reasons


def test_learned_nets_are_read_from_a_file(tmp_path):
    path = tmp_path / "learned.bid"
    path.write_text('refines two-over-one "test"\n\nafter 1S 2S\n  4S > 3S > Pass : any\n')
    wide = "utility=ltc, seconds=30, worlds=4, widen=0, near=5000, slack=3"
    seen = view("AQ974.K3.AJ52.84", "1S P 2S P")
    assert bidder(f"pidm({wide})").bid(seen).worlds > 0
    decision = bidder(f"pidm({wide}, nets='{path}')").bid(seen)
    assert decision.worlds == 0
    assert str(decision.call) in ("3♠", "4♠")
    assert decision.reasons == (Learned("4S > 3S > Pass : any"),)
    minimum = bidder(f"pidm({wide}, nets='{path}')").bid(view("AQ974.K3.J652.84", "1S P 2S P"))
    assert minimum.reasons == (Remark.NO_CHOICE,)


def test_worlds_of_a_view_are_the_same_again():
    seen = view("K83.A974.K62.J95", "1S P")
    player = Pidm(utility="ltc").player(seen)
    one, two = (worlds_of(seen, player, 5000, 10) for _ in range(2))
    assert (one.hands == two.hands).all()
    assert one.perfect
    assert (one.hands[:, seen.seat] == np.uint64(seen.hand.bits)).all()


def test_matchpoints_are_played_for_when_the_event_says_so():
    seen = view("AQ974.K3.AJ52.84", "1S P 2S P")
    seen = replace(seen, scoring="matchpoints")
    engine = bidder(SMALL)
    assert engine.player(seen).utility.name == "ltc/matchpoints"
    decision = engine.bid(seen)
    assert all(-1 <= c.value <= 1 for c in decision.candidates if c.value is not None)


def test_given_up_calls_keep_what_was_known():
    engine = bidder("pidm(utility=ltc, seconds=30, worlds=60)")
    decision = engine.bid(view("AQ974.K3.AJ52.84", "1S P 2S P"))
    given_up = [c for c in decision.candidates if "given up" in c.note]
    assert given_up
    for candidate in given_up:
        assert candidate.value is not None
        assert candidate.details["worlds"] < decision.worlds
        assert sum(candidate.details["leads_to"].values()) <= 1.001


def test_questions_are_answered_and_slams_are_not_raised():
    engine = Pidm(utility="ltc")
    asked = view("AQ974.K3.AJ52.84", "1S P 2NT P 3S P 4NT P")
    player = engine.player(asked)
    assert len(candidates(player, AuctionPosition.of(asked), asked.hand.bits, 2, 9)) == 1
    slam = view("AQ974.K3.AJ52.84", "1S P 6S P")
    found = candidates(engine.player(slam), AuctionPosition.of(slam), slam.hand.bits, 2, 9)
    assert all(c < int(Call.parse("7C")) for c in found)


def position(calls: str) -> AuctionPosition:
    return AuctionPosition(tuple(int(Call.parse(c)) for c in calls.split()), 0, 0)


def test_who_asked_for_key_cards_places_the_contract():
    engine = bidder(SMALL)
    hand = Hand.parse("3.AK4.K8762.K872").bits
    calls = "1D P 2D P 4D P 4NT P 5D P"
    before = position(calls)
    player = engine.player(view("3.AK4.K8762.K872", calls, Seat.NORTH))
    assert answered(player, before)
    assert candidates(player, before, hand, 2, 9) == [0]
    assert not answered(player, position("1D P 2D P 3D P"))


def test_partners_opening_is_not_passed_against_the_rules():
    engine = bidder(SMALL)
    hand = Hand.parse("52.QT2.J9652.KJ9").bits
    player = engine.player(view("52.QT2.J9652.KJ9", "1D P"))
    assert 0 not in candidates(player, position("1D P"), hand, 2, 9)


def test_bids_that_nobody_would_make_are_read_naturally():
    calls = "1H 3C 3S 5C"  # the rules raise to game with a strong hand only, and there is no room
    seen = view("A854.AKJ92.43.82", calls)
    player = bidder(SMALL).player(seen)
    sample = worlds_of(seen, player, 80_000, 20)
    assert not sample.inconsistent.any()
    clubs = HandArray(sample.hands[:, Seat.WEST]).look("length", 0)
    assert clubs.min() >= 3


def test_silence_begins_with_our_opening():
    seen = view("2.97.QJT9763.J84", "")
    engine = bidder("pidm(utility=ltc, seconds=30, worlds=30, own=model)")
    passed = next(c for c in engine.bid(seen).candidates if c.action == Call.parse("P"))
    assert set(passed.details["leads_to"]) != {"passed out"}


def test_small_gains_do_not_pay_for_misunderstandings():
    seen = view("AQ974.K3.AJ52.84", "1S P 2S P")
    careful = bidder("pidm(utility=ltc, seconds=30, worlds=12, misread=50, closing=99)")
    decision = careful.bid(seen)
    assert decision.call == bidder("rules(system=two-over-one)").bid(seen).call
    assert isinstance(decision.reasons[0], GainsOnly | Agrees)


def test_partner_who_stopped_had_a_reason():
    player = bidder("pidm").player(view("AQ32.K54.KQ3.A32", "1NT P 3NT P"))
    assert not placed(player, position("1S P 2S P"))
    over = position("1NT P 3NT P")
    assert placed(player, over)
    hands = np.array(
        [[Hand.parse(h).bits for h in row.split()] for row in (
            "AQ32.K54.KQ3.A32 JT98.QJT9.82.T98 K4.A82.AJT954.KQ 765.763.76.J7654",
            "AQ32.K54.KQ3.A32 KJT9.AQ98.A2.T98 84.JT2.JT954.KQ7 765.763.876.J654",
        )],
        np.uint64,
    )  # fmt: skip
    chances = stopping(player, over, hands, [28 + 4], np.random.default_rng(1), Clock())
    assert chances.min() > 0
    assert chances.max() <= 1
    assert chances[0] < chances[1]  # with seventeen points they would have bid it
