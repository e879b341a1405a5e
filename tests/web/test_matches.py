"""Every board is a match: the other room, the score sheet, contests, the daily boards."""

from __future__ import annotations

import warnings
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import QUICK, SLAM, Seat, named, plain, quick_config, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from overtrick.game import imps
from overtrick.web import app, contests
from overtrick.web.events import Engines, Entered, Founded, Line, OtherRoom, Scored

ENGINES = Engines("points", "highest")


def _compared(seat: Seat) -> dict[str, Any]:
    """The table once the other room has finished the board that is over here."""
    return seat.wait(
        lambda s: (
            s["phase"] == "over"
            and any(r["robots"] for r in s["match"]["sheet"] if r["index"] == s["match"]["index"])
        )
    )


def test_a_board_is_compared_with_the_other_room(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 4, "seed": 11})
    before = seat.my_turn()
    assert before["match"]["sheet"] == []  # nothing of the other room before the board is over
    seat.finish()
    state = _compared(seat)
    row = state["match"]["sheet"][0]
    assert row["number"] == 4
    assert row["line"]["score"] == state["result"]["score_ns"]
    assert row["imps"] == imps(row["line"]["score"] - row["robots"]["score"])
    assert row["percent"] in (0.0, 50.0, 100.0)
    assert row["par_contracts"] or row["par"] == 0
    assert state["match"]["boards"] == 16
    seat.act(type="next")
    after = seat.wait(lambda s: s["phase"] != "over")
    assert after["match"]["index"] == 1
    assert after["number"] == 5
    assert len(after["match"]["sheet"]) == 1


def test_the_first_result_counts(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 1, "seed": 21})
    first = seat.finish()
    seat.act(type="again")
    seat.act(type="call", call="7NT", at=seat.my_turn()["at"])
    seat.finish()
    assert _compared(seat)["match"]["sheet"][0]["line"]["score"] == first["result"]["score_ns"]


def test_east_west_see_it_the_other_way_round(client: TestClient) -> None:
    seat = sit(client, seat="E", source={"type": "text", "text": SLAM})
    seat.finish()
    row = _compared(seat)["match"]["sheet"][0]
    assert row["line"]["score"] == -seat.see()["result"]["score_ns"]
    assert row["imps"] == imps(row["line"]["score"] - row["robots"]["score"])


def _club(client: TestClient, **wish: Any) -> str:
    body = {"boards": 2, "title": "Tuesday", "ns": QUICK, "ew": QUICK, **wish}
    answer = client.post("/api/contests", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["contest"])


def _enter(client: TestClient, contest: str, name: str, **wish: Any) -> Seat:
    """Everybody has a browser of his own."""
    path, browser = f"/api/contests/{contest}/enter", wish.pop("browser", name)
    answer = client.post(path, json={"name": name, **wish}, headers=named(browser))
    assert answer.status_code == 201, answer.text
    return Seat(client, **answer.json(), browser=browser)


def test_a_club_plays_the_same_boards_and_is_ranked(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On some boards down seven is a bargain, so these are no random ones.
    monkeypatch.setattr("overtrick.web.club.secrets.token_hex", lambda size: "7")
    contest = _club(client, scoring="matchpoints")
    people = [_enter(client, contest, name) for name in ("Ann", "Bob", "Cyd")]
    hands = [p.my_turn()["hands"]["S"] for p in people]
    assert hands[0] == hands[1] == hands[2]
    bid = people[2].my_turn()
    people[2].act(type="call", call="7NT", at=bid["at"])
    for _ in range(2):
        for person in people:
            person.finish()
            person.act(type="next")
    told = client.get(f"/api/contests/{contest}").json()
    assert [r["name"] for r in told["ranking"]][-1] == "Cyd"
    assert [r["boards"] for r in told["ranking"]] == [2, 2, 2]
    assert told["ranking"][0]["place"] == told["ranking"][1]["place"] == 1
    assert sum(len(r) for r in told["ranking"]) == 3 * 8  # totals only: no card, no contract
    # After the last board everybody goes on with a match of their own.
    assert people[0].see()["match"]["contest"] != contest


def test_a_ranking_marks_who_was_helped(client: TestClient) -> None:
    contest = _club(client, boards=1)
    person = _enter(client, contest, "Dee")
    person.my_turn()
    assert person.hint().status_code == 200
    person.finish()
    assert client.get(f"/api/contests/{contest}").json()["ranking"][0]["helped"] == 1


def test_the_daily_boards_come_from_the_date(client: TestClient) -> None:
    told = client.get("/api/contests/daily").json()
    assert told["contest"].startswith("daily-")
    assert told["boards"] == contests.DAILY
    one, two = (contests.daily(date(2026, 3, d), ENGINES, "")[1] for d in (1, 2))
    assert one.seed != two.seed
    assert one == contests.daily(date(2026, 3, 1), ENGINES, "")[1]
    again = client.get("/api/contests/daily").json()
    assert again["contest"] == told["contest"]


def test_no_such_match(client: TestClient) -> None:
    assert client.get("/api/contests/nowhere").status_code == 404
    assert client.post("/api/contests/nowhere/enter", json={}).status_code == 404
    assert client.get("/api/tables/contest%2Fnowhere").status_code in (401, 404)


def test_a_restart_loses_no_table_and_no_match(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    with TestClient(app(quick_config(log))) as first:
        alone = sit(first, source={"type": "random", "number": 2, "seed": 5})
        alone.choose(alone.my_turn())
        alone.my_turn()
        seen = alone.see()
        contest = _club(first)
        table = _enter(first, contest, "Eve")
        table.finish()
        before = _compared(table)["match"]
    with TestClient(app(quick_config(log))) as second:
        alone.client = table.client = second
        assert {**alone.see(), "version": 0} == {**seen, "version": 0}
        assert alone.finish()["phase"] == "over"
        assert table.see()["match"] == before
        assert second.get(f"/api/contests/{contest}").json()["ranking"][0]["name"] == "Eve"


def _contest(scoring: Any = "imps", robots: int = 420) -> contests.Contest:
    founded = Founded("", 1, 2, scoring, ENGINES, ENGINES)
    found = contests.replayed("x", None, founded)
    line = Line("4S", "S", "=", 10, robots)
    for event in (
        Entered("a", "Ann", 0),
        Entered("b", "Bob", 0),
        Entered("w", "Wes", 1),
        OtherRoom(0, line, 420, ("4S-S",), ""),
        Scored("a", 0, Line("4S", "S", "+1", 11, 450)),
        Scored("b", 0, Line("4S", "S", "-1", 9, -50)),
        Scored("w", 0, Line("4S", "S", "=", 10, 420)),
    ):
        found = contests.replayed("x", found, event)
    return found


def test_imps_and_matchpoints_of_a_field() -> None:
    rows = {s.player.name: s for s in contests.standings(_contest())}
    assert {n: s.imps for n, s in rows.items()} == {"Ann": 1, "Bob": -10, "Wes": 0}
    assert rows["Ann"].percent == 100.0
    assert rows["Bob"].percent == 0.0
    assert rows["Wes"].percent == 50.0  # beaten by -50, level with the robots, beating 450


@pytest.mark.parametrize(("scoring", "order"), [("imps", "Ann"), ("matchpoints", "Ann")])
def test_ranking_by_the_form_of_scoring(scoring: str, order: str) -> None:
    found = _contest(scoring)
    ranked = plain(contests.ranking(found, contests.standings(found), "b"))
    assert ranked[0]["name"] == order
    assert [r["mine"] for r in ranked if r["name"] == "Bob"] == [True]


def test_boards_of_a_set_differ_and_stay(client: TestClient) -> None:
    contest = _contest()
    assert contest.board(0) == contest.board(0)
    assert contest.board(0).deal != contest.board(1).deal
    assert [contest.board(i).number for i in range(2)] == [1, 2]
