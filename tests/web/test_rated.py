"""Which boards of a server make ratings: those whose cards nobody could have known."""

from __future__ import annotations

import random

import msgspec
import pytest

from overtrick.web.club import digest
from overtrick.web.contests import ROBOT
from overtrick.web.events import Deck, Engines, Entered, Founded, Line, OtherRoom, Scored
from overtrick.web.rated import counted, results_of, shown, worked_out

QUICK = Engines("points", "highest")
USUAL = f"{ROBOT}points highest"
FOUNDED = Founded("", 1, 8, "imps", QUICK, QUICK, secret="x")
SEATS = (USUAL, USUAL, "ann", USUAL)
LINE = Line("3NT", "S", "=", 9, 400, seats=SEATS, names=("", "", "Ann", ""))


@pytest.mark.parametrize(
    ("founded", "line"),
    [
        ({"chosen": True}, {}),
        ({"day": "2026-11-19"}, {}),
        ({"deck": Deck(script="produce 1")}, {}),
        ({}, {"unranked": "known"}),
        ({}, {"unranked": "twice"}),
        ({}, {"helped": True}),
        ({}, {"seats": ()}),
    ],
)
def test_what_somebody_could_have_known_does_not_count(
    founded: dict[str, object], line: dict[str, object]
) -> None:
    replace = msgspec.structs.replace
    assert counted(FOUNDED, LINE)
    assert not counted(replace(FOUNDED, **founded), replace(LINE, **line))


def test_people_are_rated_against_the_robots_of_the_other_room() -> None:
    rng = random.Random(1)
    results, names = [], {}
    for match in range(12):
        events: list[tuple[float, object]] = [(0.0, FOUNDED), (1.0, Entered("t", "Ann", 0))]
        for index in range(8):
            other = rng.choice([-50, 110, 140, 400, 420])
            mine = msgspec.structs.replace(LINE, score_ns=other + rng.choice([0, 0, 50, 200]))
            events.append((2.0, Scored("t", index, mine)))
            robots = msgspec.structs.replace(LINE, score_ns=other, seats=(), names=())
            events.append((3.0, OtherRoom(index, robots, 0, (), "")))
        found, told = results_of(f"match {match}", events)
        results += found
        names |= told
    assert len(results) == 12 * 8 * 2
    page = shown(worked_out(results, names, USUAL), "ann")
    (ann,) = page.people
    assert (ann.names, ann.boards, ann.mine) == (["Ann"], 96, True)
    assert page.anchored
    assert ann.value > 0.5
    assert 0.2 < ann.error < 1.0
    assert digest("ann") not in str(page)
