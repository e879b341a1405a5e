"""What no system may ever do, over deals against opponents who bid, pass or double at random."""

from __future__ import annotations

import pytest

from overtrick.arena.audit import AuditFile, AuditJob, bid_deals, findings_in
from overtrick.bidding.audit import AuditSettings
from overtrick.systems import Reading, load
from overtrick.systems.many import Pool
from overtrick.systems.properties import Silly, silly_calls
from overtrick.systems.system import library_names, system_of_text

NEVER = (
    Silly.FORCING_PASSED,
    Silly.ASK_PASSED,
    Silly.BELOW_GAME,
    Silly.TAKEOUT_LEFT,
)


@pytest.mark.parametrize("system", ["sayc", "two-over-one"])
@pytest.mark.parametrize("against", ["self", "silent", "doubler"])
def test_no_silly_calls(system: str, against: str) -> None:
    job = AuditJob(AuditSettings(system, against, stretch=False), boards=60, seed=3)
    with AuditFile(":memory:", job) as file:
        bid_deals(job, file)
        found = findings_in(job, file)
    assert {kind: found.kinds[kind] for kind in NEVER} == dict.fromkeys(NEVER, 0)
    assert found.share(Silly.GENERIC) < 0.01
    assert found.share(Silly.OUTSIDE) < 0.01


def test_the_library_is_known() -> None:
    assert {"sayc", "two-over-one"} <= set(library_names())


def _silly(text: str, calls: tuple[int, ...], hand: str) -> set[Silly]:
    from overtrick.game import Hand

    reading = Reading(system_of_text(text))
    ctx = reading.context(calls)
    pool = Pool([Hand.parse(hand, size=13)])
    return {kind for kind, _, _ in silly_calls(reading, ctx, pool, list(pool.chosen(reading, ctx)))}


def test_each_kind_is_seen() -> None:
    """A system that does everything wrong is caught at each of its calls."""
    text = """
opening
  1C "strong" forcing : any
  1NT "asks" asks : any
after 1C
  Pass "bad" : any
after 1NT
  Pass "bad" : any
after (1S)
  X "takeout" forcing tag takeout : any
after (1S) X
  Pass "bad" : any
"""
    weak = "432.5432.5432.32"
    assert _silly(text, (3, 0), weak) == {Silly.FORCING_PASSED}
    assert _silly(text, (7, 0), weak) == {Silly.ASK_PASSED}
    assert _silly(text, (6, 1, 0), weak) == {Silly.TAKEOUT_LEFT}
    assert _silly(text, (6, 1, 0), "KQJ98.5432.2.432") == set()


def test_lint_reports_them() -> None:
    from overtrick.systems.lint import lint

    report = lint(load("sayc"), 200, surveyed=0)
    assert not report.forcing_passed
    assert not report.below_game
    assert "silly" in report.to_dict()
