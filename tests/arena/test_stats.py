"""Statistics of a match: known values, clustering, and honest coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest

from overtrick.arena.stats import estimate, student_95
from overtrick.arena.tally import Tally


def test_mean_and_error_of_a_small_sample() -> None:
    e = estimate([1, 2, 3, 4])
    assert e.mean == 2.5
    assert e.error == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2)


def test_an_engine_against_itself_is_exactly_nothing() -> None:
    e = estimate([0] * 50)
    assert (e.mean, e.error, e.better) == (0, 0, 0.5)


def test_no_boards_know_nothing() -> None:
    assert math.isinf(estimate([]).error)
    assert math.isinf(estimate([3]).error)
    assert estimate([]).wins_match(32) == estimate([3]).wins_match(32) == 0.5


@pytest.mark.parametrize(("df", "value"), [(1, 12.706), (5, 2.571), (10, 2.228), (30, 2.042)])
def test_student_quantiles(df: int, value: float) -> None:
    assert student_95(df) == pytest.approx(value, abs=0.006)


def test_repeating_every_deal_does_not_shrink_the_error() -> None:
    rng = np.random.default_rng(1)
    once = rng.normal(0, 5, 200)
    single = estimate(list(once))
    doubled = estimate(list(np.repeat(once, 4)), [i for i in range(200) for _ in range(4)])
    assert doubled.error == pytest.approx(single.error, rel=1e-9)
    assert doubled.clusters == 200


@pytest.mark.parametrize("boards", [16, 64, 400])
def test_intervals_cover_the_truth_95_times_in_100(boards: int) -> None:
    """IMP results are heavy at zero and long-tailed; the interval must still be honest."""
    rng = np.random.default_rng(boards)
    values = np.array([0, 0, 0, 0, 0, 1, -1, 5, -5, 10, -10, 13, 2, -1, 6])
    truth = values.mean()
    covered = 0
    rounds = 2000
    for _ in range(rounds):
        e = estimate(list(rng.choice(values, boards)))
        low, high = e.interval
        covered += low <= truth <= high
    assert 0.93 <= covered / rounds <= 0.97


def test_coverage_with_clusters() -> None:
    """Four boards of one deal share its luck; treating them as independent would be dishonest."""
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(600):
        luck = rng.normal(0, 5, 60)
        values = np.repeat(luck, 4) + rng.normal(0.3, 2, 240)
        low, high = estimate(list(values), [i // 4 for i in range(240)]).interval
        covered += low <= 0.3 <= high
    assert 0.92 <= covered / 600 <= 0.98


def test_coverage_when_a_match_stops_itself() -> None:
    """Stopping on the error (never on the mean) keeps the interval honest."""
    rng = np.random.default_rng(11)
    values = np.array([0] * 6 + [1, -1, 5, -5, 10, -10, 13, 2, -1, 6])
    covered, rounds = 0, 400
    for _ in range(rounds):
        tally = Tally(20, until=0.5)
        for number, imps in enumerate(rng.choice(values, 600).tolist(), 1):
            tally.add(number, imps)
            if tally.stopped():
                break
        result = tally.final(600)
        assert result.error <= 0.5
        assert result.boards % 20 == 0
        low, high = result.interval
        covered += low <= values.mean() <= high
    assert 0.91 <= covered / rounds <= 0.97
