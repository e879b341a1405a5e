"""The clock of an engine counts what it is told to count."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from overtrick.engines.clock import Clock, counted_by, now


class Time:
    """A wall and a processor that stand still until they are moved."""

    def __init__(self) -> None:
        self.wall = self.work = 100.0

    def passes(self, wall: float, work: float) -> None:
        self.wall += wall
        self.work += work


@pytest.fixture
def time() -> Iterator[Time]:
    found = Time()
    with counted_by(lambda: found.wall, lambda: found.work):
        yield found


def test_seconds_are_counted_as_somebody_says() -> None:
    usual = now()
    time = Time()
    with counted_by(lambda: time.wall):
        clock = Clock(now() + 3)
        time.passes(1, 1)
        assert clock.left == 2
        assert not clock.late(ahead=2)
        assert not clock.reasons
        time.passes(1, 1)
        assert clock.late(ahead=2)
        assert clock.reasons
    assert now() >= usual


def test_work_counts_as_one_to_one_until_something_else_is_seen(time: Time) -> None:
    clock = Clock(now() + 3)
    assert clock.stretch == 1
    time.passes(0.001, 0.0)  # a moment without the processor says next to nothing
    assert clock.stretch == pytest.approx(1.05)
    time.passes(0.999, 1.0)
    assert clock.stretch == pytest.approx(1, abs=0.01)


def test_a_step_needs_as_much_longer_as_the_machine_is_busy(time: Time) -> None:
    clock = Clock(now() + 3)
    assert not clock.late(ahead=2)
    assert clock.room(0.5) == 6
    time.passes(1.5, 0.5)  # a third of a core
    assert clock.stretch == pytest.approx(3, abs=0.1)
    assert clock.room(0.5) == pytest.approx(1, abs=0.1)
    assert not clock.late(ahead=0.4)
    assert not clock.cut
    assert clock.late(ahead=0.6)
    assert clock.cut


def test_cores_that_work_together_make_steps_shorter(time: Time) -> None:
    clock = Clock(now() + 3)
    time.passes(1.0, 4.0)
    assert clock.stretch == pytest.approx(0.25, abs=0.01)
    assert not clock.late(ahead=7)


def test_nothing_ends_before_a_deadline_that_is_over(time: Time) -> None:
    clock = Clock(now() + 1)
    time.passes(2, 2)
    assert clock.room(0.1) == 0
    assert clock.late()


def test_without_a_deadline_there_is_room_for_everything() -> None:
    clock = Clock()
    assert clock.room(1.0) == float("inf")
    assert not clock.late(1e9)


def test_where_work_is_what_is_counted_nothing_is_stretched(time: Time) -> None:
    with counted_by(lambda: time.work):
        clock = Clock(now() + 3)
        time.passes(5, 1)
        assert clock.stretch == 1
        assert clock.left == 2
