"""Simulations and leads: figures against brute counting, stopping, the same answer again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from overtrick import BridgeError, Hand, Seat, dd, lead, simulate
from overtrick.analysis import Share
from overtrick.engines.clock import counted_by
from overtrick.worlds import parse

_SOUTH = "KQJ932.A4.72.K53"
_QUICK = "pimc(lead_worlds=4)"


def test_shares_are_those_of_the_deals() -> None:
    found = simulate({"N": "hcp 15..17, balanced"}, contracts=["2NT N", "1S S"], deals=12, seed=3)
    north = parse("hcp 15..17, balanced")
    for i, board in enumerate(found.boards()):
        assert north.holds(board.deal.north)
        assert found.tricks[i, 4, Seat.NORTH] == dd.tricks(board.deal, "NT", "N")
    made = int((found.tricks[:, 4, Seat.NORTH] >= 8).sum())
    assert found.made("2NT N") == Share.of(made, 12)
    assert sum(s.value for s in found.distribution("NT", "N").values()) == pytest.approx(1)
    assert found.solved == [(4, 0), (3, 2)]


def test_the_same_arguments_give_the_same_answer() -> None:
    first, second = (simulate({"S": "hcp 20+"}, contracts=["3NT S"], deals=6, seed=4).to_dict()
                     for _ in range(2))  # fmt: skip
    other = simulate({"S": "hcp 20+"}, contracts=["3NT S"], deals=6, seed=5)
    assert first == second
    assert not np.array_equal(other.hands, simulate({"S": "hcp 20+"}, deals=6, seed=4,
                                                    contracts=["3NT S"]).hands)  # fmt: skip


def test_known_hands_stay_where_they_are() -> None:
    found = simulate(known={"S": _SOUTH}, auction="1NT P", contracts=["4S S"], deals=6)
    for board in found.boards():
        assert board.deal.south == Hand(_SOUTH)
        assert 14 <= board.deal.north.hcp <= 17
    assert found.how == "deals that fit every call"


def test_it_stops_when_it_is_decided() -> None:
    """A grand slam off two aces against game: forty deals are enough."""
    known = {"N": "KQJ2.KQ3.KQ4.KQ2", "S": "T9853.J2.J3.JT43"}
    found = simulate(known=known, actions=("4S N", "7S N"), deals=400)
    assert (found.deals, found.stopped) == (40, "decided")
    assert found.gain is not None
    assert found.gain.mean > 3
    assert found.ahead[2] == 0
    other = simulate(known=known, actions=("7S N", "4S N"), deals=400)
    assert other.gain is not None
    assert other.gain.mean == -found.gain.mean


def test_equal_actions_are_too_close_to_matter() -> None:
    found = simulate(actions=("1NT N", "1NT N"), deals=100, seed=1)
    assert found.gain is not None
    assert (found.deals, found.gain.mean, found.stopped) == (40, 0, "too close to matter")


def test_two_calls_are_bid_on() -> None:
    found = simulate(known={"N": "AQJ84.K7.A64.Q52"}, auction="1S P 2S P", actions=("P", "4S"),
                     deals=4, engine="points")  # fmt: skip
    assert found.gain is not None
    assert found.gain.boards == 4
    assert not found.solved


def test_whole_tables_have_a_par() -> None:
    found = simulate({"N": "hcp 20+"}, deals=2)
    mean, named = found.par()
    assert len(found.solved) == 20
    tables = [dd.par(board.deal, "None", "N").score for board in found.boards()]
    assert mean.mean == pytest.approx(sum(tables) / 2)
    assert sum(s.value for s in named.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deals": 0}, "between 1 and"),
        ({"actions": ("4S S", "4S E")}, "the same side"),
        ({"actions": ("3NT", "4S"), "auction": "P P P P"}, "the auction is over"),
        ({"actions": ("1C", "7NT"), "auction": "1NT P"}, "insufficient"),
        ({"constraints": {"N": "hcp 38+"}}, "no hand"),
        ({"constraints": {"N": "hcp 30+", "S": "hcp 30+"}}, "hcp"),
        ({"known": {"N": "AK.."}, "contracts": ["3NT N"]}, "four suits"),
        ({"auction": "1NT", "system": "no-such"}, "no-such"),
    ],
)
def test_mistakes(options: dict[str, object], words: str) -> None:
    with pytest.raises(BridgeError, match=words):
        simulate(**options)  # type: ignore[arg-type]


def test_leads_are_ranked() -> None:
    with counted_by(lambda: 0.0):  # a busy machine cuts no search short here
        found = lead("QJT95.82.K73.962", "1NT P 3NT", engine=_QUICK)
        again = lead("QJT95.82.K73.962", "1NT P 3NT P P P", engine=_QUICK)
    values = [c.value for c in found.candidates]
    assert len(values) == 13
    assert values == sorted(values, key=lambda v: -(v or 0))
    assert (again.action, again.candidates) == (found.action, found.candidates)


@pytest.mark.parametrize(
    ("hand", "auction", "words"),
    [
        ("QJT95.82.K73.962", "P P P P", "nobody bid"),
        ("QJT95.82.K73.9", "1NT", "13 cards"),
        ("QJT95.82.K73.962", "1NT 1C", "insufficient"),
    ],
)
def test_mistakes_about_leads(hand: str, auction: str, words: str) -> None:
    with pytest.raises(BridgeError, match=words):
        lead(hand, auction)


def test_a_share_of_nothing_has_an_error() -> None:
    assert Share.of(0, 0).error == float("inf")
    assert Share.of(0, 100).error > 0
    assert Share.of(100, 100).value == 1


def test_the_order_of_answers_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes answer in any order, and some of what they answer is not needed."""

    def turned(work: Any, tasks: Any, backend: Any) -> Iterator[tuple[int, Any]]:
        for start in range(0, len(tasks), 4):
            for index in reversed(range(start, min(start + 4, len(tasks)))):
                yield index, work(tasks[index])

    asked: dict[str, Any] = {"contracts": ["3NT N"], "deals": 90, "precision": 0.08, "seed": 5}
    here = simulate({"N": "hcp 15..17"}, **asked)
    monkeypatch.setattr("overtrick.analysis.simulation.run_jobs", turned)
    there = simulate({"N": "hcp 15..17"}, **asked)
    assert here == there
    assert here.stopped == "precise enough"
    assert (here.tricks == there.tricks).all()
    assert (here.hands == there.hands).all()
