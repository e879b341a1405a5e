"""The race: paired gains, who is dropped, when it is settled, and what overrules the favourite."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding.kernel import Clock, Few, Margin, OutOfTime, Race, Worlds, run
from overtrick.bidding.kernel.race import Floats
from overtrick.game import CALLS
from overtrick.game.reasons import Favourite, Gains, GainsOnly

PASS, ONE_CLUB, ONE_HEART = 0, 3, 5


def worlds(count: int, logs: Floats | None = None) -> Worlds:
    return Worlds(np.zeros((count, 4), np.uint64), np.zeros(count) if logs is None else logs)


def raced(values: Floats, margins: Margin = Margin(), **options: float) -> Race:
    race = Race([PASS, ONE_CLUB, ONE_HEART][: values.shape[1]], margins, **options)
    race.add(worlds(len(values)), values)
    return race


def test_gains_are_paired() -> None:
    """A large common swing says nothing about the difference."""
    rng = np.random.default_rng(1)
    swing, noise = rng.normal(0, 10, 400), rng.normal(0, 1, 400)
    race = raced(np.stack([swing, swing + 0.5 + noise], axis=1))
    gain, error = race.gain(1)
    assert gain == pytest.approx(0.5 + noise.mean())
    assert error == pytest.approx(noise.std(ddof=1) / 20)
    assert race.gain(0, 1) == (pytest.approx(-gain), pytest.approx(error))
    alone = race.mean(1)
    assert alone is not None
    assert alone[1] > 5 * error


def test_weights_count_and_copies_of_a_world_are_one_world() -> None:
    race = Race([PASS, ONE_CLUB])
    logs = np.log([0.5, 0.25, 0.25])
    race.add(worlds(3, logs), np.array([[0.0, 4.0], [0.0, 0.0], [0.0, -4.0]]))
    assert race.gain(1)[0] == pytest.approx(0.5 * 4 - 0.25 * 4)
    assert race.worlds.effective == pytest.approx(1 / (0.25 + 2 / 16))


def test_one_world_proves_nothing() -> None:
    race = raced(np.array([[0.0, 10.0]]))
    assert race.gain(1) == (0.0, float("inf"))
    assert race.verdict().place == 0


def test_few_equal_worlds_do_not_prove_equality() -> None:
    even = np.zeros((4, 2))
    assert raced(even).gain(1)[1] == 0
    few = Race([PASS, ONE_CLUB], few=Few(swing=1.0, wider=8.0))
    few.add(worlds(4), even)
    assert few.gain(1)[1] == pytest.approx(0.25 * 3)


def test_a_margin_is_errors_or_imps_and_a_price() -> None:
    assert Margin(2.0, 0.1).needed(0.5) == 1.0
    assert Margin(2.0, 0.1).needed(0.01) == 0.1
    assert Margin(2.0, 0.1, price=0.3).needed(0.5) == 1.3
    assert Margin(1.0, 0.1, blur=0.4).needed(0.3) == pytest.approx(0.5)


def test_calls_that_cannot_win_leave_and_keep_what_was_known() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 0.5, (40, 3)) * [0, 1, 1]
    race = raced(noise + np.array([0, 1.0, -3.0]))
    race.prune()
    assert race.open == [0, 1]
    assert "behind" in race.log[0]
    race.add(worlds(10), np.zeros((10, 2)))
    assert (race.seen(1), race.seen(2)) == (50, 40)
    assert race.gain(2)[0] == pytest.approx(-3.0, abs=0.3)
    assert race.verdict().place == 1


def test_the_favourite_stays_unless_it_may_go() -> None:
    clear = np.tile([0.0, 5.0], (20, 1))
    race = raced(clear)
    race.prune()
    assert race.open == [0, 1]
    assert race.settled
    race.prune(favourite=False)
    assert race.open == [1]
    assert race.verdict().place == 1


def test_only_proof_overrules() -> None:
    rng = np.random.default_rng(3)
    gains = np.stack([np.zeros(30), 0.3 + rng.normal(0, 2, 30)], axis=1)
    careful = raced(gains, Margin(3.0, 0.1)).verdict(Favourite.RULES)
    assert careful.place == 0
    assert isinstance(careful.reason, GainsOnly)
    assert careful.reason.call == CALLS[ONE_CLUB]
    bold = raced(gains + np.array([0, 3]), Margin(3.0, 0.1)).verdict(Favourite.RULES)
    assert bold.place == 1
    assert bold.reason == Gains(bold.gain, bold.error, CALLS[0], 30)


def test_a_price_decides_between_two_that_proved_better() -> None:
    values = np.tile([0.0, 2.0, 2.2], (30, 1)) + np.random.default_rng(4).normal(0, 0.01, (30, 3))
    assert raced(values).verdict().place == 2
    assert raced(values, [Margin(), Margin(), Margin(price=0.5)]).verdict().place == 1  # type: ignore[arg-type]


def test_rounds_end_when_it_is_settled_or_cut() -> None:
    rng = np.random.default_rng(5)

    def value(some: Worlds, calls: list[int]) -> Floats:
        return rng.normal(0, 1, (len(some), len(calls))) + [0, 9][: len(calls)]

    race = Race([PASS, ONE_CLUB])
    run(race, [lambda: worlds(20)] * 5, value, Clock())  # type: ignore[arg-type]
    assert race.used == 20

    open_ = Race([PASS, ONE_CLUB], Margin(least=99.0), hope=1e9)
    run(open_, [lambda: worlds(20)] * 5, value, Clock())  # type: ignore[arg-type]
    assert open_.used == 100

    clock = Clock(0.0)
    late = Race([PASS, ONE_CLUB], Margin(least=99.0), hope=1e9)
    run(late, [lambda: worlds(20)] * 5, value, clock)  # type: ignore[arg-type]
    assert late.used == 20  # the first round is always done
    assert clock.reasons


def test_a_round_that_was_interrupted_does_not_count() -> None:
    def value(some: Worlds, calls: list[int]) -> Floats:
        raise OutOfTime

    race = Race([PASS, ONE_CLUB])
    run(race, [lambda: worlds(20)], value, Clock())  # type: ignore[arg-type]
    assert race.used == 0
    assert race.verdict(Favourite.RULES).place == 0


def test_the_value_of_more_worlds_falls_with_the_lead() -> None:
    noise = np.random.default_rng(6).normal(0, 1, 30)
    close, clear = (raced(np.stack([noise * 0, noise - lead], axis=1)) for lead in (0, 5))
    assert clear.worth_of_more(30) < close.worth_of_more(30) / 10
    assert clear.regret() < 0.01


def test_further_rounds_are_worth_little_far_from_the_margin() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 2, 400)
    noise -= noise.mean()
    worth = [
        raced(np.stack([np.zeros(400), gain + noise], axis=1)).worth_of_turning(5)
        for gain in (-1.0, 0.1, 1.0)
    ]
    assert worth[0] < 1e-6  # it never gets there …
    assert worth[1] > 0.02  # … it is close …
    assert worth[2] < 1e-6  # … and nothing takes it back
    close = raced(np.stack([np.zeros(400), 0.1 + noise], axis=1))
    assert close.worth_of_turning(1) < close.worth_of_turning(5)
    assert close.worth_of_turning(0) == 0
    assert raced(np.array([[0.0, 1.0]])).worth_of_turning(5) == float("inf")
