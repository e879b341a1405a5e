"""A decision is thought once: hint, review and whoever asks later read one record, and nobody
reads it before he may see the hands it follows from."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from overtrick.bidding import bidder
from overtrick.cardplay import player
from overtrick.engines.decided import decision_of, decision_out, reason_of, reason_out
from overtrick.game import Board, Call, Card, Decision, Meaning, Seat, reasons
from overtrick.table import Robot, play_table
from overtrick.web import thinking
from tests.web.conftest import Seat as Sitting
from tests.web.conftest import sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

RULES = {"bidder": "rules(system=two-over-one)", "player": "highest"}
BOARD = {"type": "random", "number": 1, "seed": 7}


def _thoughts(seat: Sitting, query: str = "") -> Any:
    return seat.client.get(f"/api/tables/{seat.table}/thoughts{query}", headers=seat.headers)


def _hinted(seat: Sitting) -> dict[int, dict[str, Any]]:
    """Finish the board, taking every hint; the hints by their place."""
    hints = {}
    while (state := seat.my_turn())["phase"] != "over":
        hint = seat.hint().json()
        hints[state["at"]] = hint
        kind = "call" if state["phase"] == "auction" else "card"
        answer = seat.act(type=kind, **{kind: hint["action"]}, at=state["at"])
        assert answer.status_code == 200, answer.text
    return hints


def test_the_review_reads_what_the_hint_said(client: TestClient) -> None:
    seat = sit(client, ns=RULES, ew=RULES, source=BOARD)
    hints = _hinted(seat)
    found = {row["at"]: row for row in _thoughts(seat).json()}
    assert hints
    for at, hint in hints.items():
        row = found[at]
        assert (row["action"], row["made"], row["told"]) == (hint["action"], hint["action"], True)
        assert row["candidates"] == hint["candidates"]
        assert row["reasons"] == [*hint["reasons"], *hint["late"]]
        assert row["worlds"] == hint["worlds"]
    robots = [row for row in found.values() if not row["told"]]
    assert robots
    assert all(row["action"] == row["made"] and row["version"] for row in robots)


def test_who_asks_twice_hears_the_same(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = sit(client, ns=RULES, ew=RULES, source=BOARD)
    seat.my_turn()
    first = seat.hint().json()
    room = client.app.state.room  # type: ignore[attr-defined]
    real = room.think.ask

    async def ask(what: Any, *rest: Any, **more: Any) -> Any:
        assert what is not thinking.opinion
        return await real(what, *rest, **more)

    monkeypatch.setattr(room.think, "ask", ask)
    assert seat.hint().json() == first


def test_nothing_is_told_before_the_board_is_over(client: TestClient) -> None:
    seat = sit(client, source=BOARD)
    seat.my_turn()
    assert _thoughts(seat).status_code == 403
    assert _thoughts(seat, "?board=1&at=0").status_code == 403
    assert _thoughts(seat, "?board=2").status_code == 404
    assert _thoughts(seat, "?board=-1").status_code == 422
    seat.finish()
    assert _thoughts(seat).status_code == 200


def test_a_board_of_before_is_told_to_who_was_there(client: TestClient) -> None:
    seat = sit(client, source=BOARD, humans=["S", "N"])
    partner = seat.client.post(
        f"/api/tables/{seat.table}/join",
        headers={"content-type": "application/json"},
        json={"invitation": seat.invitations["N"]},
    ).json()
    north = Sitting(seat.client, partner["table"], partner["seat"], partner["token"])
    while seat.see()["phase"] != "over":
        for one in (seat, north):
            state = one.see()
            if state["mine"]:
                one.choose(state)
    assert seat.act(type="next").status_code == 200
    link = north.act(type="invite", seat="N", watch=True).json()["invitation"]
    later = Sitting(seat.client, seat.table, "N", link)
    assert _thoughts(seat, "?board=1").status_code == 200
    assert _thoughts(later, "?board=1").status_code == 403
    assert _thoughts(later).status_code == 403  # the new board is not over


def test_what_nobody_asked_is_thought_later_and_kept(client: TestClient) -> None:
    seat = sit(client, ns=RULES, ew=RULES, source=BOARD)
    seat.finish()
    before = {row["at"] for row in _thoughts(seat).json()}
    at = next(i for i in range(4) if i not in before)
    (row,) = _thoughts(seat, f"?at={at}").json()
    assert row["at"] == at
    assert row["reasons"]
    assert at in {r["at"] for r in _thoughts(seat).json()}
    robot = min(before)
    assert _thoughts(seat, f"?at={robot}").status_code == 403


def test_a_table_is_not_its_opinions(client: TestClient) -> None:
    seat = sit(client, ns=RULES, ew=RULES, source=BOARD)
    seat.my_turn()
    assert seat.hint().status_code == 200
    answer = client.get(f"/api/tables/{seat.table}.opinions", headers=seat.headers)
    assert answer.status_code in (404, 422)


# ---------------------------------------------------------------- decisions as plain data


def test_every_kind_of_reason_comes_back() -> None:
    made: list[reasons.Reason] = [
        reasons.Remark.ALL_EQUAL,
        reasons.Said("anything; at all"),
        reasons.Does(reasons.Deed.LEADS_TOWARDS, Card("SK")),
        reasons.Does(reasons.Deed.SWITCHES, suit=Card("H2").suit),
        reasons.Finesse(Card("HQ"), Seat.WEST, 1.0),
        reasons.Fate(0.5, None, declaring=False),
        reasons.Coup("simple squeeze", "squeezes", (Card("C2"),), (Card("D2").suit,), (Seat.EAST,)),
        reasons.AsGood(Card("DT")),
        reasons.AsGood(Call.parse("4D")),
        reasons.Ends(Call.parse("3NT"), 0, True, 0.25, 0.5),
        reasons.Ends(None, 0, True, 0.25, 0.5),
        reasons.Planned(
            reasons.Way.CASH, Seat.SOUTH, Card("SA"), Seat.SOUTH, Card("SA"), Seat.SOUTH
        ),
    ]
    for reason in made:
        assert reason_of(reason_out(reason)) == reason
    assert reason_of({"reason": "Does", "deed": "flies"}) is None
    assert reason_of({"reason": "Hunch"}) is None
    assert reason_of(7) is None


def test_a_kept_decision_says_what_it_said() -> None:
    seats = [Robot(bidder("rules(system=sayc)"), player("highest"))] * 4
    state, pimc = play_table(Board.random(3, seed=4), seats), player("pimc(worlds=4)")
    cards = [pimc.play(state.back_to(len(state.auction) + n).view()) for n in (0, 34, 41)]
    for decision in (*(e.decision for e in state.log), *cards):
        again = decision_of(decision_out(decision), type(decision.action))
        assert (again.action, again.reasons, again.why) == (
            decision.action, decision.reasons, decision.why,
        )  # fmt: skip
        assert [c.note for c in again.candidates] == [c.note for c in decision.candidates]


def test_old_lines_have_their_words() -> None:
    old = Decision(Call.parse("1NT"), Meaning("strong"), why="16 points").to_dict()
    assert decision_of(old, Call).why == "16 points"
