"""How many worlds are begun before a deadline, on a time that only the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from overtrick.cardplay.values import Pace
from overtrick.engines.clock import Clock, counted_by, now

Passes = Callable[[float, float], None]


@pytest.fixture
def passes() -> Iterator[Passes]:
    """Moves the wall and the processor."""
    time = [0.0, 0.0]

    def move(wall: float, work: float) -> None:
        time[0] += wall
        time[1] += work

    with counted_by(lambda: time[0], lambda: time[1]):
        yield move


def test_with_time_enough_all_worlds_are_begun(passes: Passes) -> None:
    clock = Clock(now() + 60)
    pace = Pace(clock, 0.3, 0.05)
    for wanted in (8, 8, 3):
        assert pace.room(wanted) == wanted
        passes(0.5, 0.5)
    assert pace.room(0) == 0
    assert not pace.late()
    assert not clock.cut


def test_without_a_clock_too() -> None:
    pace = Pace(None, 0.3, 0.06)
    assert [pace.room(n) for n in (8, 40)] == [8, 40]
    assert not pace.late()


def test_where_time_is_short_one_tells_how_hard_they_are(passes: Passes) -> None:
    pace = Pace(Clock(now() + 2), 0.1, 0.02)
    assert pace.room(12) == 1
    passes(0.01, 0.01)
    assert pace.room(12) == 12  # half as long as was feared, at worst


def test_worlds_that_may_all_be_hard_are_begun_together_only_if_they_end_in_time(
    passes: Passes,
) -> None:
    pace = Pace(Clock(now() + 1), 0.1, 0.02)
    assert pace.room(8) == 1
    passes(0.1, 0.1)
    assert pace.room(8) == 4  # twice as long as the last
    passes(0.7, 0.4)
    assert pace.room(8) == 0


def test_on_a_busy_machine_they_come_one_at_a_time_and_then_not_at_all(passes: Passes) -> None:
    clock = Clock(now() + 0.7)
    pace = Pace(clock, 0.25, 0.05)
    passes(0.1, 0.03)
    begun = []
    while room := pace.room(4):
        begun.append(room)
        passes(0.06, 0.02)  # an easy world, with a third of a core
    assert set(begun) == {1}
    assert 4 <= len(begun) <= 8
    assert clock.cut
    assert pace.late()
    assert clock.left > 0  # there is no time for another one, and some for what comes after


def test_what_was_learnt_is_learnt_once(passes: Passes) -> None:
    pace = Pace(Clock(now() + 1), 0.1, 0.02)
    pace.room(1)
    passes(0.2, 0.2)  # a hard one: the next may take 0.4
    assert not pace.late()
    passes(0.45, 0.45)
    assert [pace.late(), pace.late(), pace.late()] == [True] * 3
