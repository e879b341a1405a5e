"""The clock of an engine counts what it is told to count."""

from __future__ import annotations

from overtrick.engines.clock import Clock, counted_by, now


def test_seconds_are_counted_as_somebody_says() -> None:
    usual = now()
    ticks = iter(range(100))
    with counted_by(lambda: float(next(ticks))):
        clock = Clock(now() + 3)
        assert clock.left == 2
        assert not clock.late()
        assert clock.late(ahead=1)
        assert clock.words
    assert now() >= usual
