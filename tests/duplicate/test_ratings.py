"""Ratings: the same as one large regression, what must hold for all, and simulated seasons."""

from __future__ import annotations

import random

import numpy as np
import pytest

from overtrick.duplicate.ratings import RankedResult, _Season, strengths

SEATS = [("a", "c", "b", "d"), ("e", "g", "f", "h"), ("a", "e", "c", "g"), ("x", "b", "x", "a")]


def _played(evenings: int = 3, boards: int = 4, seed: int = 1) -> list[RankedResult]:
    """Results of eight people and a robot; evenings on one day, so that nobody changes."""
    rng = random.Random(seed)
    return [
        RankedResult(f"{b}", f"{evening}", 0.0, seats, rng.choice([-100, -50, 110, 140, 420, 620]))
        for evening in range(evenings)
        for b in range(boards)
        for seats in rng.sample(SEATS, 3)
    ]


def test_the_same_as_one_regression_of_everything() -> None:
    season = _Season(_played(), {"x": 0.4})
    state, spreads = season.state, season.spreads
    size = len(state.value)
    people = len(season.person)
    prior = np.diag(
        np.r_[np.full(people, spreads.people**2), np.full(size - people, spreads.people**2 / 4)]
    )
    prior[:people, :people] += 9.0
    rows, forms, won = [], [], []
    for number, (o, (chosen, given)) in enumerate(
        zip(season.occasions, season.selected, strict=True)
    ):
        rows.append(o.design @ chosen)
        won.append(o.won - o.design @ given)
        block = [np.zeros((len(o.won), len(other.pairs))) for other in season.occasions]
        block[number] = o.design
        forms.append(np.hstack(block))
    a = np.hstack((np.vstack(rows), np.vstack(forms)))
    y = np.concatenate(won)
    days = np.array(
        [1e-12 if p == ("x", "x") else spreads.form**2 for o in season.occasions for p in o.pairs]
    )
    precision = np.zeros((a.shape[1], a.shape[1]))
    precision[:size, :size] = np.linalg.inv(prior)
    precision[size:, size:] = np.diag(1 / days)
    covariance = np.linalg.inv(precision + a.T @ a / season.noise)
    value = covariance @ a.T @ y / season.noise
    assert np.allclose(value[:size], state.value)
    assert np.allclose(covariance[:size, :size], state.covariance)


def test_results_come_in_any_order_and_from_either_side() -> None:
    results = _played()
    found = strengths(results, {"x": 0.0})
    turned = [
        RankedResult(r.board, r.occasion, r.day, (*r.seats[1:], r.seats[0]), -r.score)
        for r in random.Random(3).sample(results, len(results))
    ]
    again = strengths(turned, {"x": 0.0})
    for name, strength in found.people.items():
        assert again.people[name].value == pytest.approx(strength.value)
        assert again.people[name].error == pytest.approx(strength.error)


def test_robots_are_where_nought_is_and_else_the_average() -> None:
    results = _played()
    low, high = strengths(results, {"x": 0.0}), strengths(results, {"x": 1.0})
    assert low.anchored
    assert "x" not in low.people
    between = high.people["a"].value - low.people["a"].value
    assert 0.5 < between < 2.0
    alone = strengths([r for r in results if "x" not in r.seats])
    assert not alone.anchored
    assert sum(s.value for s in alone.people.values()) == pytest.approx(0.0)
    assert alone.people["a"].error < low.people["a"].error


def test_who_always_plays_together_is_known_as_a_pair() -> None:
    results = [
        RankedResult(f"{b}", f"{e}", 0.0, seats, score)
        for e in range(6)
        for b in range(8)
        for seats, score in (
            (("ann", "u", "bob", "v"), 420 if b % 3 else 170),
            (("cyd", "w", "dan", "x"), 170 if b % 4 else -50),
        )
    ]
    found = strengths(results)
    assert found.people["ann"].value == pytest.approx(found.people["bob"].value)
    pair = found.pairs["ann", "bob"]
    assert pair.boards == 48
    assert found.between("ann", "bob").error > found.people["ann"].error
    assert pair.error < 2 * found.people["ann"].error  # more is known of both than of each


def test_a_board_that_nobody_else_played_says_nothing() -> None:
    assert strengths([RankedResult("1", "x", 0, ("a", "b", "c", "d"), 420)]).people == {}
    assert strengths([]).pairs == {}


def test_friends_who_throw_boards_to_each_other_are_doubted() -> None:
    rng = random.Random(5)
    results = []
    for evening in range(12):
        people = [f"{i}" for i in range(12)]
        couples = [(people[i], people[i + 1]) for i in range(0, 12, 2)]
        rng.shuffle(couples)
        for b in range(12):
            for i in range(0, 6, 2):
                (n, s), (e, w) = couples[i], couples[i + 1]
                score = rng.choice([420, 420, 450, -50])
                friends = {n, e} == {"0", "2"}
                if friends:
                    score = 990 if n == "0" else -990
                results.append(RankedResult(f"{b}", f"{evening}", evening, (n, e, s, w), score))
    found = strengths(results)
    assert {d.people for d in found.doubts} == {("0", "2"), ("0", "3"), ("1", "2"), ("1", "3")}
    assert all(d.imps > 5 for d in found.doubts)
    assert found.between("0", "4").value < 1.0


@pytest.mark.slow
def test_seasons_are_recovered_within_the_stated_error() -> None:
    seasons = pytest.importorskip("benchmarks.seasons")
    known = seasons.worth(100_000)
    for model in seasons.MODELS:
        found = seasons.figures(seasons.measure(model, range(20), known))
        assert found["within_2_errors"] > 0.92, (model, found)
        assert found["rms_errors"] < 1.1, (model, found)
        assert found["stated_error"] < 1.3 * found["actual_error"], (model, found)
