"""Belief search: fair worlds, exact values, conformance, ablations, and what it may override."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder, check_bidder
from overtrick.bidding.bmcs import Bmcs
from overtrick.bidding.likelihood import call_chances, log_likelihood, most_told
from overtrick.bidding.proposal import card_beliefs, propose
from overtrick.bidding.search import Search, _resample, _systematic, contracts_after
from overtrick.bidding.values import expected_imps
from overtrick.game import CALLS, Auction, Hand, OptionError, Vulnerability, imps, points
from overtrick.game.view import Systems, View
from overtrick.nets.features import observe, public_bits
from overtrick.nets.inference import NetworkError, network
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


def test_flat_proposals_deal_fairly() -> None:
    seen = view()
    drawn = propose(seen, None, 4000, np.random.default_rng(0))
    whole = np.uint64((1 << 52) - 1)
    assert (np.bitwise_or.reduce(drawn.hands, axis=1) == whole).all()
    assert (drawn.hands[:, seen.seat] == np.uint64(seen.hand.bits)).all()
    bits = (drawn.hands[:, :, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    assert (bits.sum(axis=2) == 13).all()
    unseen = np.array([not seen.hand.bits >> c & 1 for c in range(52)])
    share = bits.mean(axis=0)[[s for s in range(4) if s != seen.seat]][:, unseen]
    assert np.abs(share - 1 / 3).max() < 0.04
    assert np.ptp(drawn.log_density) < 1e-9  # every deal equally likely


def test_densities_make_weights_fair(folder: Path) -> None:
    """Weighted by 1/density, worlds drawn from a belief are uniform again."""
    seen = view()
    net = network(exported(folder, "belief"), "belief")
    beliefs = card_beliefs(seen, net)
    hidden = np.array([not seen.hand.bits >> c & 1 for c in range(52)])
    assert np.allclose(beliefs[hidden].sum(axis=0), 13, atol=0.5)
    drawn = propose(seen, net, 20_000, np.random.default_rng(1))
    weights = np.exp(-(drawn.log_density - drawn.log_density.min()))
    weights /= weights.sum()
    partner = (drawn.hands[:, (seen.seat + 2) % 4, None] >> np.arange(52, dtype=np.uint64)) & 1
    if 1 / (weights**2).sum() > 300:
        assert np.abs((weights @ partner)[hidden] - 1 / 3).mean() < 0.05


def test_likelihood_is_the_product_of_call_chances(folder: Path) -> None:
    seen = view("1C P 1H 1S")
    net = network(exported(folder, "policy"), "policy")
    drawn = propose(seen, None, 30, np.random.default_rng(2))
    others = [s for s in range(4) if s != seen.seat]
    even = np.zeros(30)
    found = log_likelihood(net, seen, drawn.hands, even, seats=others, doubt=0.02, least=30)
    expected = np.zeros(30)
    calls = [int(c) for c in seen.auction.calls]
    for turn, call in enumerate(calls):
        seat = seen.dealer.plus(turn)
        if seat == seen.seat:
            continue
        public = public_bits(calls[:turn], seen.dealer, seen.vul, seat)
        suffix = np.zeros(10, np.uint8)
        side = (1, 9) if (seat - seen.seat) % 2 == 0 else (4, 6)  # sayc is 1, acol 4
        suffix[list(side)] = 1
        rows = observe(drawn.hands[:, seat], public, suffix)
        chance = net.call_probabilities(rows)[:, call]
        assert np.allclose(chance, call_chances(net, seen, drawn.hands, turn), atol=1e-5)
        expected += np.log(0.98 * chance.astype(float) + 0.02 / 38)
    assert np.allclose(found, expected, atol=1e-4)
    pruned = log_likelihood(net, seen, drawn.hands, even, seats=others, doubt=0.02, least=5)
    kept = np.isfinite(pruned)
    assert kept.sum() >= 5
    assert np.allclose(pruned[kept], expected[kept], atol=1e-4)


def test_the_seat_that_said_most_is_drawn_first() -> None:
    assert most_told(view("P P 1S P")) == 2
    assert most_told(view("1S P P")) == 1  # West on turn, North (LHO) opened
    assert most_told(view("")) == 2


def test_rollouts_follow_the_policy_with_everybodys_systems(folder: Path) -> None:
    seen = view("1C P")
    net = network(exported(folder, "policy"), "policy")
    drawn = propose(seen, None, 4, np.random.default_rng(3))
    bids, declarers, doubled = contracts_after(net, seen, drawn.hands, [0, 1 + 7])
    for world in range(4):
        for way, call in enumerate((0, 8)):
            auction = seen.auction.then(CALLS[call])
            while not auction.is_over:
                seat = auction.turn
                ours = (seat - seen.seat) % 2 == 0
                hand = Hand(int(drawn.hands[world, seat]))
                now = Systems("sayc", "acol") if ours else Systems("acol", "sayc")
                best = _best(net, View(seat, hand, auction, seen.vul, systems=now))
                auction = auction.then(CALLS[best])
            contract = auction.contract
            assert contract is not None
            assert bids[world, way] == 5 * (contract.level - 1) + contract.strain
            assert declarers[world, way] == contract.declarer
            assert doubled[world, way] == contract.doubled


def _best(net: object, seen: View) -> int:
    from overtrick.bidding.policy import seen_systems

    calls = [int(c) for c in seen.auction.calls]
    public = public_bits(calls, seen.dealer, seen.vul, seen.seat)
    rows = observe(seen.hand.bits, public, seen_systems(net, seen))  # type: ignore[arg-type]
    return int(net.call_probabilities(rows)[0].argmax())  # type: ignore[attr-defined]


def test_values_are_imps_over_the_first_way() -> None:
    bids = np.array([[14, 15, -1, 14, 17]])  # 3NT, 4C, passed out, 3NT again, 4H
    declarers = np.array([[0, 2, 0, 0, 1]])
    doubled = np.array([[0, 0, 0, 0, 1]])
    chances = np.zeros((1, 5, 14))
    chances[0, [0, 1, 3], [9, 10, 9]] = 1
    chances[0, [2, 4], [0, 7]] = 1
    value = expected_imps(chances, bids, declarers, doubled, vul=1, side=0)[0]
    game = points(3, 4, 0, True, 9)
    assert value[0] == value[3] == 0
    assert value[1] == imps(points(4, 0, 0, True, 10) - game)
    assert value[2] == imps(-game)
    assert value[4] == imps(-points(4, 2, 1, False, 7) - game)


def test_same_strain_takes_the_same_tricks() -> None:
    bids, declarers = np.array([[13, 18]]), np.array([[3, 3]])  # 3S, 4S by West
    chances = np.zeros((1, 2, 14))
    chances[..., [9, 10]] = 0.5
    value = expected_imps(chances, bids, declarers, np.zeros((1, 2), int), vul=0, side=1)
    fails = imps(points(4, 3, 0, False, 9) - points(3, 3, 0, False, 9))
    makes = imps(points(4, 3, 0, False, 10) - points(3, 3, 0, False, 10))
    assert value[0, 1] == (fails + makes) / 2


def test_resampling_keeps_sums() -> None:
    rng = np.random.default_rng(0)
    logs = rng.normal(0, 2, 500)
    totals = []
    for _ in range(300):
        kept, weights = _resample(logs, 50, rng)
        assert len(kept) == len(weights)
        totals.append(np.exp(weights).sum())
    assert abs(np.mean(totals) / np.exp(logs).sum() - 1) < 0.05
    chosen = np.bincount(_systematic(np.log([0.5, 0.25, 0.25]), 8, rng), minlength=3)
    assert list(chosen) == [4, 2, 2]


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
    made = engine(folder, margin=2.0)
    search = Search(made, made.policy.network, view(), [0, 8])
    search.effective, search.used = 50.0, 50
    search.mean, search.error = [0.0, 1.0], [0.0, 0.6]
    assert search.choice()[0] == 0
    search.error = [0.0, 0.3]
    assert search.choice()[0] == 8
    search.effective = 0.5
    assert search.choice()[0] == 0


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
    for bad in ({"weighting": "magic"}, {"seconds": 0}, {"proposals": 1}, {"doubt": 1.0}):
        with pytest.raises(OptionError):
            Bmcs(**bad)  # type: ignore[arg-type]
    with pytest.raises(NetworkError, match="no network 'gone'"):
        Bmcs(belief="gone")
    with pytest.raises(NetworkError, match="is a policy network, not tricks"):
        Bmcs(tricks=str(_shipped("policy")))


def _shipped(name: str) -> Path:
    from overtrick.nets.inference import models

    return models()[name]


def test_one_world_may_be_no_world(folder: Path) -> None:
    """With room for a single world the fair draw may leave none: then the policy decides."""
    found = [
        engine(folder, worlds=1, proposals=8, batches=1, k=4, p_min=0.0).bid(view(text))
        for text in ("", "P", "P P", "P P P", "1C", "1D", "1H", "1S", "P P 1S P", "1H P", "1NT P")
    ]
    empty = [d for d in found if d.worlds == 0]
    assert 0 < len(empty) < len(found)
    for decision in empty:
        assert all(c.value is None and c.error is None for c in decision.candidates)
