"""Belief search: fair worlds, exact values, conformance, ablations, and what it may override."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder, check_bidder
from overtrick.bidding.bmcs import Bmcs
from overtrick.bidding.bmcs.imagined import telling_order
from overtrick.bidding.kernel import (
    AuctionPosition,
    CallerMixture,
    Margin,
    NetworkCaller,
    Passing,
    Race,
    RulesCaller,
    SeatHands,
    Walk,
    Worlds,
    log_likelihood,
    system_number,
)
from overtrick.game import CALLS, Auction, Hand, OptionError, Vulnerability
from overtrick.game.reasons import Remark, TooFewWorlds
from overtrick.game.view import Systems, View
from overtrick.nets.belief import card_beliefs, seen_systems
from overtrick.nets.features import observe, public_bits
from overtrick.nets.inference import NetworkError, network
from overtrick.worlds.believing import by_belief
from overtrick.worlds.tellers import holding, teller_first
from tests.small_networks import exported

SMALL = {"proposals": 60, "worlds": 20, "batches": 2, "k": 3, "sure": 1.0, "r_min": 1.0}


def view(auction: str = "P P 1S P", systems: Systems = Systems("sayc", "acol")) -> View:
    calls = Auction.parse(auction)
    return View(
        calls.turn, Hand.parse("AQ5.K973.QJ2.A84"), calls, Vulnerability.EW, systems=systems
    )


def engine(folder: Path, **options: object) -> Bmcs:
    nets = {kind: exported(folder, kind) for kind in ("policy", "belief", "tricks")}
    given = {"net": nets["policy"], "belief": nets["belief"], "tricks": nets["tricks"]}
    return Bmcs(**{**given, **SMALL, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("networks")


@pytest.mark.parametrize(
    "options",
    [{}, {"belief": ""}, {"weighting": "none"}, {"weighting": "rejection"}],
)
def test_conformance(folder: Path, options: dict[str, object]) -> None:
    check_bidder(engine(folder, **options), boards=2)


def drawn_for(
    seen: View, count: int, seed: int, beliefs: NDArray[np.float64] | None = None
) -> Worlds:
    """Whole deals by a belief (none: all equally likely), without a question in between."""
    order, rng = telling_order(seen), np.random.default_rng(seed)
    known = card_beliefs(seen, None) if beliefs is None else beliefs
    start = holding(seen.seat, seen.hand.bits, count)
    return teller_first(start, order, by_belief(seen.seat, known, order, rng), lambda _, now: now)


def test_flat_proposals_deal_fairly() -> None:
    seen = view()
    drawn = drawn_for(seen, 4000, 0)
    whole = np.uint64((1 << 52) - 1)
    assert (np.bitwise_or.reduce(drawn.deals, axis=1) == whole).all()
    assert (drawn.deals[:, seen.seat] == np.uint64(seen.hand.bits)).all()
    bits = (drawn.deals[:, :, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    assert (bits.sum(axis=2) == 13).all()
    unseen = np.array([not seen.hand.bits >> c & 1 for c in range(52)])
    share = bits.mean(axis=0)[[s for s in range(4) if s != seen.seat]][:, unseen]
    assert np.abs(share - 1 / 3).max() < 0.04
    assert np.ptp(drawn.logs) < 1e-9  # every deal equally likely


def test_densities_make_weights_fair(folder: Path) -> None:
    """Weighted by 1/density, worlds drawn from a belief are uniform again."""
    seen = view()
    net = network(exported(folder, "belief"), "belief")
    beliefs = card_beliefs(seen, net)
    hidden = np.array([not seen.hand.bits >> c & 1 for c in range(52)])
    assert np.allclose(beliefs[hidden].sum(axis=0), 13, atol=0.5)
    # A network that was never trained is sure of nonsense; a tenth of its opinion is plenty.
    drawn = drawn_for(seen, 20_000, 1, 0.9 / 3 + 0.1 * beliefs)
    assert np.ptp(drawn.logs) > 1
    assert drawn.effective > 300
    partner = (drawn.deals[:, (seen.seat + 2) % 4, None] >> np.arange(52, dtype=np.uint64)) & 1
    assert np.abs((drawn.shares @ partner)[hidden] - 1 / 3).mean() < 0.05


def test_likelihood_is_the_product_of_call_chances(folder: Path) -> None:
    seen = view("1C P 1H 1S")
    net = network(exported(folder, "policy"), "policy")
    drawn = drawn_for(seen, 30, 2)
    others = [s for s in range(4) if s != seen.seat]
    at, even = AuctionPosition.of(seen), np.zeros(30)
    four = [NetworkCaller(net, *((1, 4) if (s - seen.seat) % 2 == 0 else (4, 1))) for s in range(4)]
    found = log_likelihood(four, at, drawn.deals, even, seats=others, doubt=0.02, least=30)
    expected = np.zeros(30)
    for turn, call in enumerate(at.calls):
        seat = at.seat_of(turn)
        if seat == seen.seat:
            continue
        public = public_bits(at.calls[:turn], seen.dealer, seen.vul, seat)
        suffix = np.zeros(10, np.uint8)
        side = (1, 9) if (seat - seen.seat) % 2 == 0 else (4, 6)  # sayc is 1, acol 4
        suffix[list(side)] = 1
        rows = observe(drawn.deals[:, seat], public, suffix)
        chance = net.call_probabilities(rows)[:, call]
        expected += np.log(0.98 * chance.astype(float) + 0.02 / 38)
    assert np.allclose(found, expected, atol=1e-4)
    pruned = log_likelihood(four, at, drawn.deals, even, seats=others, doubt=0.02, least=5)
    kept = np.isfinite(pruned)
    assert kept.sum() >= 5
    assert np.allclose(pruned[kept], expected[kept], atol=1e-4)


def test_the_seat_that_said_most_is_drawn_first() -> None:
    for text, step in (("P P 1S P", 2), ("1S P P", 1), ("", 2)):
        seen = view(text)  # in the second West is on turn, and North (LHO) opened
        order = telling_order(seen)
        assert order[0] == (seen.seat + step) % 4
        assert sorted([*order, int(seen.seat)]) == [0, 1, 2, 3]


def test_rollouts_follow_the_policy_with_everybodys_systems(folder: Path) -> None:
    seen = view("1C P")
    net = network(exported(folder, "policy"), "policy")
    drawn = drawn_for(seen, 4, 3)
    made = engine(folder, opponents="own")
    walk = Walk(SeatHands(drawn.deals), made.callers(seen))
    found, _ = walk.after(AuctionPosition.of(seen), [0, 1 + 7])
    for world in range(4):
        for way, call in enumerate((0, 8)):
            auction = seen.auction.then(CALLS[call])
            while not auction.is_over:
                seat = auction.turn
                ours = (seat - seen.seat) % 2 == 0
                hand = Hand(int(drawn.deals[world, seat]))
                now = Systems("sayc", "acol") if ours else Systems("acol", "sayc")
                best = _best(net, View(seat, hand, auction, seen.vul, systems=now))
                auction = auction.then(CALLS[best])
            contract = auction.contract
            assert contract is not None
            assert found.bids[world, way] == 5 * (contract.level - 1) + contract.strain
            assert found.declarers[world, way] == contract.declarer
            assert found.doubled[world, way] == contract.doubled


def _best(net: object, seen: View) -> int:
    calls = [int(c) for c in seen.auction.calls]
    public = public_bits(calls, seen.dealer, seen.vul, seen.seat)
    rows = observe(seen.hand.bits, public, seen_systems(net, seen))  # type: ignore[arg-type]
    return int(net.call_probabilities(rows)[0].argmax())  # type: ignore[attr-defined]


def test_decision_shows_its_evidence(folder: Path) -> None:
    decision = engine(folder).bid(view())
    assert decision.worlds > 0
    assert len(decision.candidates) == 3
    belief = decision.details["belief"]
    assert set(belief) == {0, 1, 2, 3} - {int(view().seat)}
    one = next(iter(belief.values()))
    assert 0 < one["hcp"] < 37
    assert np.isclose(sum(one["cards"]), 13)
    assert all(np.isclose(sum(lengths), 1) for lengths in one["lengths"])


def test_search_overrules_only_with_evidence(folder: Path) -> None:
    made = engine(folder, r_min=8.0)
    deals = np.zeros((40, 4), np.uint64)
    values = np.stack([np.zeros(40), np.tile([-1.0, 3.0], 20)], axis=1)  # gains 1.0 ± 0.32
    for errors, call in ((4.0, 0), (2.0, 8)):
        race = Race([0, 8], Margin(errors, 0.1))
        race.add(Worlds.even(deals), values)
        assert made.choice(race)[0] == call
    few = Race([0, 8], Margin(2.0, 0.1))
    few.add(Worlds.even(deals[:6]), values[:6] + np.array([0, 5]))
    call, reason = made.choice(few)
    assert call == 0
    assert isinstance(reason, TooFewWorlds)


def test_a_clock_that_cuts_in_is_told(folder: Path) -> None:
    slow = engine(folder, seconds=1e-9, batches=4, margin=1000.0)
    assert Remark.CUT_SHORT in slow.bid(view()).reasons
    assert Remark.CUT_SHORT not in engine(folder, seconds=600.0).bid(view()).reasons


def test_opponents_are_taken_by_what_they_declared(folder: Path) -> None:
    made = engine(folder)
    ours = view().seat % 2

    def other(system: str, **options: object) -> object:
        seen = view(systems=Systems("sayc", system))
        four = engine(folder, **options).callers(seen)
        assert all(four[s] == NetworkCaller(made.policy.network, *_numbers(system), made.heat)
                   for s in range(4) if s % 2 == ours)  # fmt: skip
        return four[1 - ours]

    for natural in ("polish-club", "home brew", ""):  # strangers are not taken for ourselves
        imitated = other(natural)
        assert isinstance(imitated, NetworkCaller)
        assert imitated.net.name != made.policy.network.name
    assert isinstance(
        other("sayc"), CallerMixture
    )  # a system of the library: its rules count as well
    assert isinstance(other("natural"), RulesCaller)
    own_way = other("polish-club", opponents="own")
    for own in (other(made.system), own_way):
        assert isinstance(own, NetworkCaller)
        assert own.net is made.policy.network


def _numbers(theirs: str) -> tuple[int | None, int | None]:
    return 1, system_number(theirs)


def test_names_make_the_engine_again() -> None:
    for name in (
        "bmcs",
        "bmcs(seconds=0.5, weighting=rejection)",
        "bmcs(weighting=none)",
        "bmcs(belief='')",
    ):
        made = bidder(name)
        assert bidder(made.name) == made


def test_bad_options_and_networks() -> None:
    for bad in (
        {"weighting": "magic"},
        {"seconds": 0},
        {"proposals": 1},
        {"doubt": 1.0},
        {"heat": 0.0},
    ):
        with pytest.raises(OptionError):
            Bmcs(**bad)  # type: ignore[arg-type]
    with pytest.raises(NetworkError, match="no network 'gone'"):
        Bmcs(belief="gone")
    with pytest.raises(NetworkError, match="is a policy network, not tricks"):
        Bmcs(tricks=str(_shipped("policy")))


def _shipped(name: str) -> Path:
    from overtrick.nets.inference import models

    return models()[name]


def test_no_world_may_be_left(folder: Path) -> None:
    """When the paper's filter leaves no world, the policy decides."""
    small = engine(
        folder, worlds=1, proposals=8, batches=1, k=4, p_min=0.0, weighting="rejection", doubt=0.0
    )
    found = [
        small.bid(view(text))
        for text in ("", "P", "P P", "P P P", "1C", "1D", "1H", "1S", "P P 1S P", "1H P", "1NT P")
    ]
    empty = [d for d in found if d.worlds == 0]
    assert 0 < len(empty) < len(found)
    for decision in empty:
        assert all(c.value is None and c.error is None for c in decision.candidates)


def test_proposals_follow_what_they_are_worth(folder: Path) -> None:
    made, seen = engine(folder, proposals=200), view("P P P")
    flat, rng = np.full((52, 3), 1 / 3), np.random.default_rng(1)
    sure = made.imagined(seen, flat, [Passing()] * 4, rng)  # all would pass: every deal explains it
    assert [len(sure.draw()) for _ in range(3)] == [200, 50, 50]
    assert len(sure.batch()) == made.worlds
    again = [
        made.imagined(seen, flat, made.callers(seen), np.random.default_rng(2)).draw().deals
        for _ in range(2)
    ]
    assert (again[0] == again[1]).all()
