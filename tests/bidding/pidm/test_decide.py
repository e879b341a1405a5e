"""PIDM and LookAheadSearch: Figure 3's behaviour on small cases, resources, and who sees what."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from overtrick.bidding.kernel import AuctionPosition, Clock, OutOfTime, Race, Walk, Worlds
from overtrick.bidding.kernel.leaves import utility_of
from overtrick.bidding.kernel.walk import halves
from overtrick.bidding.pidm import decide as module
from overtrick.bidding.pidm.decide import PidmOutcome, decide
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.sampling import sample_worlds
from overtrick.bidding.pidm.settings import Counts, PidmSettings
from overtrick.game import Auction, Call, Hand, OptionError, Seat
from overtrick.worlds.consistent import SamplingBudget

LTC = utility_of("ltc")
QUICK = PidmSettings(seconds=30, worlds=8, batch=8, instances=3000, own="model")
OPENER = Hand.parse("AQ974.K3.AJ52.84").bits


def player(**options: object) -> PlayerModel:
    return PlayerModel("two-over-one", utility=LTC, **options)  # type: ignore[arg-type]


def position(calls: str, dealer: int = 0, vul: int = 0) -> AuctionPosition:
    auction = Auction.parse(calls, Seat(dealer))
    return AuctionPosition(tuple(int(c) for c in auction.calls), dealer, vul)


def call(text: str) -> int:
    return int(Call.parse(text))


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_one_action_needs_no_search():
    counts = Counts()
    found = decide(player(), position("1S P 2S P"), OPENER, QUICK, rng=rng(), counts=counts)
    assert len(found.calls) == 1
    assert found.call == found.calls[0]
    assert counts.decisions == 1
    assert counts.lookaheads == counts.instances == 0


def test_several_actions_are_compared_in_consistent_worlds():
    calls = [call("Pass"), call("3S"), call("4S")]
    counts = Counts()
    found = decide(
        player(), position("1S P 2S P"), OPENER, QUICK, rng=rng(), counts=counts, calls=calls
    )
    assert found.calls == calls
    assert found.call in calls
    assert counts.lookaheads == 1
    assert counts.stages == [4]
    assert counts.instances >= 8
    race = found.race
    assert race.values.shape == (8, 3)
    assert race.worlds.shares.sum() == pytest.approx(1)
    assert found.call == calls[int(np.nanargmax(race.values.mean(axis=0)))]
    assert (race.values[:, 0] == 0).all()  # IMPs against the first choice
    assert (found.inconsistent == 0).all()


def test_the_same_seed_gives_the_same_decision():
    calls = [call("Pass"), call("4S")]
    twice = [
        decide(player(), position("1S P 2S P"), OPENER, QUICK, rng=rng(), calls=calls)
        for _ in range(2)
    ]
    assert (twice[0].race.values == twice[1].race.values).all()


def walk_of(
    model: PlayerModel, settings: PidmSettings, at: AuctionPosition, hand: int, count: int = 8
) -> Walk:
    """The walk of one batch of worlds of a decision."""
    worlds = sample_worlds(model, at, hand, SamplingBudget(instances=3000), count, rng=rng())
    even = Worlds.even(worlds.hands)
    batches = module._Batches(model, at, settings, Counts(), Clock(), even, [])
    walk = Walk(batches.held, [])
    walk.callers = batches.callers(walk)
    return walk


def test_some_worlds_end_as_they_do_among_all():
    at = position("1S P 2S P")
    walk = walk_of(player(near=60), QUICK, at, OPENER)
    calls, rows = [call("3S"), call("4S")], np.array([1, 4, 6])
    some, ways = walk.after(at, calls, walk.held.set_of(rows))
    assert (some.taken(rows).array == walk.after(at, calls)[0].taken(rows).array).all()
    assert all(sum(e.worlds for e in ends) == 0b1010010 for ends in ways)


def test_auctions_are_bid_to_their_ends():
    at = position("1S P 2S P")
    walk = walk_of(player(near=60), QUICK, at, OPENER)
    contracts, (ends,) = walk.after(at, [call("4S")])
    assert sum(e.worlds for e in ends) == (1 << 8) - 1  # every world ends once
    assert (contracts.bids >= call("4S") - 3).all()
    for ending in ends:
        assert Auction(Seat.NORTH, tuple(Call(c) for c in ending.at.calls)).is_over


def test_without_resources_the_contract_as_it_stands_is_the_leaf():
    at = position("1S P 2S P")
    walk = walk_of(player(near=60), QUICK, at, OPENER)
    walk.clock, walk.strict = Clock(0.0), False
    contracts, _ = walk.after(at, [call("3S")])
    assert (contracts.array == [call("3S") - 3, 0, 0]).all()
    assert not walk.complete
    walk.strict = True
    with pytest.raises(OutOfTime):
        walk.after(at, [call("3S")])


def test_what_i_do_later_model_set_or_world():
    """At my own later turn the best call world by world is worth at least the best on average,
    which is worth at least my first choice."""
    at = position("1NT P")
    hand = Hand.parse("KJ73.A8.QT54.972").bits
    points = []
    for own in ("model", "set", "world"):
        settings = replace(QUICK, own=own, own_turns=1)
        model = PlayerModel("two-over-one", "pass", near=100, utility=utility_of("ltc/points"))
        walk = walk_of(model, settings, at, hand, 10)
        contracts, _ = walk.after(at, [call("2C")])
        leaves = model.utility.leaves(walk.held.deals, at.vul, at.turn & 1)
        points.append(leaves.points(contracts).mean())
    assert points[0] <= points[1] + 1e-9 <= points[2] + 2e-9


def test_simulated_players_see_only_their_own_hand(monkeypatch):
    at = position("1S P")
    seen: list[tuple[int, int]] = []

    def watched(model, now, mine, settings, **_):  # type: ignore[no-untyped-def]
        assert settings.depth == 0
        assert settings.worlds == QUICK.simulated_worlds
        seen.append((now.turn, mine))
        first = int(model.selection(now, np.array([mine], np.uint64)).first[0])
        return PidmOutcome(Race([first]), np.zeros(0, np.int64), Counts())

    hand = Hand.parse("K83.A974.K62.J95").bits
    walk = walk_of(player(near=60), replace(QUICK, depth=1), at, hand, 4)
    monkeypatch.setattr(module, "decide", watched)
    walk.after(at, [call("2S")])
    assert seen
    assert all(turn != at.turn for turn, _ in seen)
    assert all(mine in walk.held.deals[:, turn].tolist() for turn, mine in seen)


def test_recursion_is_finite_and_counts_what_it_simulates():
    counts = Counts()
    settings = replace(QUICK, depth=1, worlds=3, simulated_worlds=2, seconds=3.0)
    found = decide(
        player(near=60), position("1S P 2S P"), OPENER, settings, rng=rng(),
        counts=counts, calls=[call("Pass"), call("3S")],
    )  # fmt: skip
    assert found.call in (call("Pass"), call("3S"))
    assert counts.decisions == 1 + counts.simulations


@dataclass(frozen=True)
class Slow:
    """A model of a refinement that takes its time."""

    def covers(self, position: AuctionPosition) -> bool:
        return len(position.calls) > 4

    def narrow(self, position, hands, allowed):  # type: ignore[no-untyped-def]
        from time import sleep

        sleep(0.01)
        return allowed


def test_any_time_with_a_deadline():
    settings = PidmSettings(seconds=0.15, worlds=500, own="model")
    found = decide(
        player(partner=player(refinement=Slow())), position("1S P 2S P"), OPENER, settings,
        rng=rng(), calls=[call("Pass"), call("3S"), call("4S")],
    )  # fmt: skip
    assert 1 <= found.race.used < 500
    assert found.cut


def test_impossible_auctions_give_the_least_inconsistent_worlds():
    """Partner opened 7NT, then passed? Nothing explains it, the search goes on all the same."""
    counts = Counts()
    at = position("P P 7NT P P X P P")
    hand = Hand.parse("5432.5432.5432.2").bits
    found = decide(
        player(), AuctionPosition(at.calls[:7], 0, 0), hand, QUICK, rng=rng(), counts=counts,
        calls=[0, 2],
    )  # fmt: skip
    assert found.call in (0, 2)
    assert counts.failures == 1
    assert found.inconsistent.min() >= 1


def test_settings_are_checked():
    for wrong in ({"g": 1.0}, {"worlds": 0}, {"seconds": 0}, {"own": "best"}, {"depth": -1}):
        with pytest.raises(OptionError):
            PidmSettings(**wrong)  # type: ignore[arg-type]


def test_half_of_the_worlds_chooses_for_the_other():
    for chosen_for, by in halves(7, True):
        assert not set(chosen_for) & set(by)
    assert sorted(i for part, _ in halves(7, True) for i in part) == list(range(7))
    assert len(halves(7, False)) == 1
