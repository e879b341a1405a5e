"""RBMBMC: counts, cut-off, contract, and samples that are fair whatever proposes them."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.evaluation import HandArray, feature
from overtrick.game import Hand, PartialDeal, Seat
from overtrick.worlds import Dealer, parse
from overtrick.worlds.consistent import CallTest, Sample, SamplingBudget, inconsistencies, rbmbmc

HAND = Hand.parse("AK32.Q54.K32.J98").bits


def says(seat: int, text: str, told: float = 1.0) -> CallTest:
    rule = parse(text)
    return CallTest(seat, lambda hands: rule.mask(hands), told)


def hcp(sample: Sample, seat: int) -> np.ndarray:
    return np.asarray(feature("HCP")(HandArray(sample.hands[:, seat])), float)


def test_counts_are_the_calls_a_deal_fails_to_explain():
    tests = [says(2, "hcp 12+"), says(2, "spades 4+"), says(1, "hcp ..10")]
    sample = rbmbmc(
        0,
        HAND,
        [],
        SamplingBudget(instances=200),
        200,
        rng=np.random.default_rng(1),
        proposal="plain",
    )
    counts = inconsistencies(sample.hands, tests, 99)
    for row, found in zip(sample.hands, counts, strict=True):
        north, east = HandArray(row[2:3]), HandArray(row[1:2])
        fails = [
            feature("HCP")(north)[0] < 12,
            feature("SUITLEN(S)")(north)[0] < 4,
            feature("HCP")(east)[0] > 10,
        ]
        assert found == sum(fails)


def test_counting_stops_at_the_cut_off():
    asked: list[int] = []

    def never(hands: HandArray) -> np.ndarray:
        asked.append(len(hands))
        return np.zeros(len(hands), bool)

    hands = rbmbmc(
        0, HAND, [], SamplingBudget(instances=50), 50, rng=np.random.default_rng(1)
    ).hands
    counts = inconsistencies(hands, [CallTest(2, never)] * 5, 2)
    assert set(counts.tolist()) == {2}
    assert asked == [50, 50]  # after the second failure nobody is asked any more


@pytest.mark.parametrize("proposal", ["plain", "staged", "auto"])
def test_deals_are_whole_and_explain_everything(proposal):
    tests = [says(2, "hcp 15..17, balanced"), says(1, "hcp ..9"), says(3, "hcp ..12")]
    sample = rbmbmc(
        0, HAND, tests, SamplingBudget(instances=100_000), 40,
        rng=np.random.default_rng(2), proposal=proposal,
    )  # fmt: skip
    assert sample.perfect
    assert len(sample) == 40
    assert (sample.hands[:, 0] == np.uint64(HAND)).all()
    assert (np.bitwise_or.reduce(sample.hands, axis=1) == np.uint64((1 << 52) - 1)).all()
    assert (np.bitwise_count(sample.hands) == 13).all()
    assert inconsistencies(sample.hands, tests, 9).sum() == 0


def test_the_most_consistent_deals_when_none_is_perfect():
    tests = [says(2, "hcp 30+"), says(2, "spades 4+"), says(1, "hearts 9+")]
    sample = rbmbmc(
        0,
        HAND,
        tests,
        SamplingBudget(instances=3_000),
        20,
        rng=np.random.default_rng(3),
        proposal="plain",
    )
    assert not sample.perfect
    assert len(sample) == 20
    assert set(sample.inconsistent.tolist()) == {2}
    assert (feature("SUITLEN(S)")(HandArray(sample.hands[:, 2])) >= 4).all()


def test_a_contract_by_instances_and_by_time():
    hard = [says(2, "hcp 22+"), says(2, "spades 7+")]
    few = rbmbmc(
        0,
        HAND,
        hard,
        SamplingBudget(instances=500),
        10,
        rng=np.random.default_rng(4),
        proposal="plain",
    )
    assert few.generated == 500
    short = rbmbmc(
        0,
        HAND,
        hard,
        SamplingBudget(seconds=0.05),
        10,
        rng=np.random.default_rng(4),
        proposal="plain",
    )
    assert short.seconds < 0.5
    assert len(short) == 10
    easy = rbmbmc(0, HAND, [], SamplingBudget(seconds=10), 10, rng=np.random.default_rng(4))
    assert easy.generated == 10  # every deal is consistent: the tenth completes the sample
    assert easy.perfect


def test_the_more_it_may_cost_the_more_consistent():
    tests = [says(2, "hcp 16+"), says(2, "hearts 5+"), says(1, "hcp 10+"), says(3, "diamonds 5+")]
    means = [
        rbmbmc(
            0, HAND, tests, SamplingBudget(instances=n), 30,
            rng=np.random.default_rng(5), proposal="plain",
        ).inconsistent.mean()
        for n in (30, 300, 3000)
    ]  # fmt: skip
    assert means[0] > means[1] > means[2]


def test_every_proposal_is_as_fair_as_rejection():
    """Partner opened 1♥ or has a hand no rule fits; the exact proposal deals only the former."""
    opens, odd = parse("hcp 12..21, hearts 5+"), parse("hearts 9+")
    denied = parse("hcp 15..17, balanced")

    def fits(hands: HandArray) -> np.ndarray:
        return (opens.mask(hands) | odd.mask(hands)) & ~denied.mask(hands)

    tests = [CallTest(2, fits), says(1, "hcp ..11"), says(3, "hcp ..14, spades ..4")]
    known = PartialDeal.of({Seat.NORTH: Hand(HAND)})

    def draw(proposal: str, k: int) -> Sample:
        return rbmbmc(
            0, HAND, tests, SamplingBudget(instances=2_000_000), k, rng=np.random.default_rng(6),
            proposal=proposal, dealer=lambda: Dealer({Seat.SOUTH: opens}, known=known),
        )  # fmt: skip

    plain = draw("plain", 2500)
    for proposal in ("staged", "exact", "auto"):
        other = draw(proposal, 2500)
        assert other.perfect
        for seat in (1, 2, 3):
            a, b = hcp(plain, seat), hcp(other, seat)
            mean = float(other.weights @ b)
            spread = a.std() * (1 / len(a) + (other.weights**2).sum()) ** 0.5
            assert abs(a.mean() - mean) < 4 * spread, (proposal, seat)


def test_rare_hands_outside_the_constraints_keep_their_weight():
    """The mixture's weights are right: the share of deals the dealer never deals comes out."""
    inside, both = parse("hcp 10..12"), parse("hcp 10..14")
    known = PartialDeal.of({Seat.NORTH: Hand(HAND)})
    tests = [CallTest(2, lambda hands: both.mask(hands))]

    def share(proposal: str) -> float:
        sample = rbmbmc(
            0, HAND, tests, SamplingBudget(instances=100_000), 6000, rng=np.random.default_rng(7),
            proposal=proposal, dealer=lambda: Dealer({Seat.SOUTH: inside}, known=known),
        )  # fmt: skip
        return float(sample.weights @ (hcp(sample, 2) > 12))

    assert share("exact") == pytest.approx(share("plain"), abs=0.05)


def test_staged_deals_are_not_repeated():
    tests = [says(2, "hcp 20+"), says(1, "hcp 12+")]  # hard, so that hands are split
    sample = rbmbmc(
        0, HAND, tests, SamplingBudget(instances=60_000), 200, rng=np.random.default_rng(2)
    )
    assert len(np.unique(sample.hands, axis=0)) == len(sample.hands)
