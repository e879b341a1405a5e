"""Tables over REST: opening, playing, undoing, claiming, tokens, limits, restarts."""

from __future__ import annotations

import asyncio
import sqlite3
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.web.conftest import QUICK, SLAM, Seat, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from overtrick.game import Board, Call, Deal, Decision, Meaning
from overtrick.game import Seat as BridgeSeat
from overtrick.table import Entry
from overtrick.web import api, messages, thinking
from overtrick.web.answers import Offered
from overtrick.web.events import (
    BoardText,
    Engines,
    Opened,
    Settings,
    Table,
    Undone,
    entry_out,
    replayed,
)
from overtrick.web.limits import Bucket, Clients, Rates
from overtrick.web.live import _FEW, Room
from overtrick.web.robots import Patience
from overtrick.web.seated import NoTable, NotAllowed
from overtrick.web.sources import Drawn
from overtrick.web.store import Log, LogError
from overtrick.web.workers import Workers

NONE = Offered(version="", bidders=(), players=())


def test_engines_offered_are_those_that_work(client: TestClient) -> None:
    found = client.get("/api/engines").json()
    bidders = [o["spec"] for o in found["bidders"]]
    assert bidders[0] == thinking.USUAL_BIDDER
    assert "points" in bidders
    assert not any("external" in spec for spec in bidders)
    assert found["players"][0]["spec"] == "pimc(worlds=20)"


@pytest.mark.parametrize(
    "spec", ["external(command='true')", "rules(system=/etc)", "points(x=1)", "nobody"]
)
def test_no_other_engine_is_ever_made(client: TestClient, spec: str) -> None:
    answer = client.post("/api/tables", json={"ns": {"bidder": spec, "player": "highest"}})
    assert answer.status_code == 422
    assert "offers no engine" in answer.json()["error"]


def test_the_list_of_engines_lets_none_bid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "decide", lambda *_: pytest.fail("it bid"))
    assert "pidm" in [offer.spec for offer in thinking.offers().bidders]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ({"type": "random", "number": 99999}, "number must be at most 9999"),
        ({"type": "text", "text": " "}, "paste a board"),
        ({"type": "text", "text": "hello"}, "such as PBN or LIN"),
    ],
)
def test_a_source_that_is_none_is_refused_in_plain_words(
    client: TestClient, source: dict[str, object], told: str
) -> None:
    answer = client.post("/api/tables", json={"ns": QUICK, "ew": QUICK, "source": source})
    assert told in answer.json()["error"]


def test_a_board_from_the_first_call_to_the_result(seat: Seat) -> None:
    state = seat.my_turn()
    assert state["number"] == 1
    assert len(state["hands"]["S"]) == 13
    over = seat.finish()
    result = over["result"]
    assert sum(len(h) for h in result["hands"].values()) == 52
    assert result["lin"].startswith("pn|")
    if over["contract"]:
        assert over["play"]["ns"] + over["play"]["ew"] == 13


def test_the_same_number_and_seed_give_the_same_board(client: TestClient) -> None:
    source = {"type": "random", "number": 5, "seed": 99}
    first, second = (sit(client, source=source).finish() for _ in range(2))
    assert first["result"] == second["result"]


def test_a_late_click_does_nothing(seat: Seat) -> None:
    state = seat.my_turn()
    answer = seat.act(type="call", call="Pass", at=state["at"] + 1)
    assert answer.status_code == 403
    assert "moved on" in answer.json()["error"]


def test_illegal_calls_and_cards_are_refused(client: TestClient) -> None:
    table = sit(client, source={"type": "text", "text": SLAM}, auto=False)
    state = table.my_turn()
    assert table.act(type="call", call="XX", at=state["at"]).status_code == 403
    assert table.act(type="call", call="8C", at=state["at"]).status_code == 422
    assert table.act(type="card", card="SA", at=state["at"]).status_code == 403
    while state["phase"] == "auction":
        table.choose(state)
        state = table.my_turn()
    not_mine = next(c for c in ("SA", "ST", "S2", "H2", "HJ") if c not in state["legal"])
    answer = table.act(type="card", card=not_mine, at=state["at"])
    assert answer.status_code == 403
    # The refusal must not tell who holds the card.
    assert answer.json()["error"] == f"{not_mine} cannot be played now"


def test_undo_goes_back_to_my_last_decision(seat: Seat) -> None:
    before = seat.my_turn()
    seat.choose(before)
    seat.wait(lambda s: s["at"] > before["at"])
    assert seat.act(type="undo").status_code == 200
    assert seat.see()["at"] == before["at"]
    assert seat.act(type="undo").status_code == 403


def test_explanations_before_the_call_and_after(client: TestClient) -> None:
    engines = {"bidder": "rules(system=two-over-one)", "player": "highest"}
    table = sit(client, ns=engines, ew=engines, source={"type": "random", "number": 3, "seed": 11})
    state = table.my_turn()
    answer = table.act(type="explain").json()
    told = {c["call"]: c for c in answer["calls"]}
    assert answer["at"] == state["at"]
    assert set(told) == set(state["legal"])
    assert "♥5+" in told["1H"]["ranges"]
    table.act(type="call", call="1H", at=state["at"])
    made = table.see()["auction"][state["at"]]
    assert made["call"] == "1H"
    assert made["meaning"]["words"] == told["1H"]["words"]


def test_hint_has_reasons_and_candidates(client: TestClient) -> None:
    table = sit(client, ns={"bidder": "rules(system=sayc)", "player": "pimc"})
    state = table.my_turn()
    hint = table.hint().json()
    assert hint["type"] == "hint"
    assert hint["action"] in state["legal"]
    assert hint["meaning"]["words"]
    assert hint["candidates"]


def _slam(client: TestClient, **wish: object) -> Seat:
    """North, a person, declares 7NT with thirteen tops."""
    wish = {"seat": "N", "source": {"type": "text", "text": SLAM}, "auto": False, **wish}
    table = sit(client, **wish)
    state = table.my_turn()
    table.act(type="call", call="7NT", at=state["at"])
    while (state := table.my_turn())["phase"] == "auction":
        table.choose(state)
    return table


def test_a_claim_is_granted_when_it_is_proved(client: TestClient) -> None:
    table = _slam(client)
    assert table.act(type="claim", tricks=13).status_code == 403  # in the middle of a trick
    state = table.my_turn()
    table.choose(state)
    state = table.wait(lambda s: s["mine"])
    while state["play"]["trick"]:
        table.act(type="card", card=state["legal"][0], at=state["at"])
        state = table.wait(lambda s: s["mine"])
    assert state["can_claim"]
    assert table.act(type="claim", tricks=state["play"]["left"]).status_code == 200
    over = table.see()
    assert over["result"]["claimed"]
    assert over["result"]["tricks"] == 13


def test_a_claim_that_is_not_certain_is_refused(client: TestClient) -> None:
    table = sit(client, seat="N", source={"type": "random", "number": 1, "seed": 3}, auto=False)
    state = table.my_turn()
    table.act(type="call", call="7NT", at=state["at"])
    while (state := table.my_turn())["phase"] == "auction":
        table.choose(state)
    for _ in range(2):
        table.choose(state)
        state = table.my_turn()
    while state["play"]["trick"]:
        table.choose(state)
        state = table.my_turn()
    answer = table.act(type="claim", tricks=state["play"]["left"])
    assert answer.status_code == 403
    assert "play on" in answer.json()["error"]


def test_next_and_again(seat: Seat) -> None:
    first = seat.finish()
    assert seat.act(type="again").status_code == 200
    again = seat.finish()
    assert again["result"]["hands"] == first["result"]["hands"]
    assert seat.act(type="next").status_code == 200
    after = seat.see()
    assert after["number"] == first["number"] + 1
    assert seat.act(type="next").status_code == 403


def test_the_human_plays_the_hand_of_a_robot_partner(client: TestClient) -> None:
    table = sit(client, seat="S", source={"type": "text", "text": SLAM}, auto=False)
    while (state := table.my_turn())["phase"] == "auction":
        table.choose(state)
    assert state["contract"]["declarer"] == "N"
    assert state["mine"]
    assert set(state["hands"]) == {"S", "N"}
    deal = Deal.parse(SLAM)
    assert {c.ascii for c in deal[0]} == set(state["hands"]["N"])


def test_without_take_over_the_robot_plays_it(client: TestClient) -> None:
    table = sit(client, source={"type": "text", "text": SLAM}, take_over=False)
    state = table.finish()
    assert state["contract"]["declarer"] == "N"
    assert set(state["hands"]) == {"S"}


def test_bidding_only(client: TestClient) -> None:
    over = sit(client, auction_only=True).finish()
    assert over["play"] is None
    assert over["result"]["tricks"] is None


def test_tokens_open_one_seat_of_one_table(client: TestClient) -> None:
    mine, other = sit(client), sit(client)
    path = f"/api/tables/{mine.table}"
    assert client.get(path).status_code == 401
    assert client.get(path, headers=other.headers).status_code == 403
    assert client.get(path, headers={"Authorization": "Bearer " + "x" * 32}).status_code == 403
    assert client.get("/api/tables/nowhere", headers=mine.headers).status_code == 404


def test_an_invitation_works_once(client: TestClient) -> None:
    host = sit(client, humans=["S", "N"])
    path = f"/api/tables/{host.table}/join"
    invitation = {"invitation": host.invitations["N"]}
    guest = Seat(client, **client.post(path, json=invitation).json())
    assert guest.seat == "N"
    assert guest.token != host.token
    assert client.post(path, json=invitation).status_code == 403
    assert set(guest.see()["hands"]) == {"N"}
    assert guest.act(type="call", call="Pass", at=0).status_code in (200, 403)


def test_undo_with_people_only_until_they_act(client: TestClient) -> None:
    host = sit(
        client, seat="N", humans=["N", "S"], source={"type": "random", "number": 1, "seed": 1}
    )
    path = f"/api/tables/{host.table}/join"
    guest = Seat(client, **client.post(path, json={"invitation": host.invitations["S"]}).json())
    host.choose(host.my_turn())
    assert host.see()["can_undo"]
    guest.choose(guest.my_turn())
    assert not host.see()["can_undo"]
    assert host.act(type="undo").status_code == 403


def test_a_late_robot_is_ruled_on_and_the_board_goes_on(client: TestClient) -> None:
    room = client.app.state.room
    room.patience = Patience(call=0.0, tempo=0)
    try:
        table = sit(client, seat="W", source={"type": "random", "number": 1, "seed": 2})
        state = table.my_turn()
    finally:
        room.patience = Patience(grace=0, tempo=0)
    assert [c["call"] for c in state["auction"]] == ["Pass"] * 3


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("not a database, just a text that is long enough " * 20)
    with pytest.raises(LogError, match="no log"):
        Log(wrong)


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "accounts.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE accounts (name TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(LogError, match="accounts"):
        Log(path)
    assert path.read_bytes() == before


def test_a_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="is a directory"):
        Log(tmp_path)


def test_a_table_is_never_in_memory_twice() -> None:
    """Pushed out by others while a request works at it, it comes back as the same object."""

    async def main() -> None:
        room = Room(Log(":memory:"), Workers(1), Workers(1), most=1)
        engines = Engines("points", "highest")
        settings = Settings(("S",), engines, engines)
        first = room.open(settings, "S", Drawn(Board.random(3, 1), 1))  # South deals
        live = await room.find(first.table)
        await asyncio.sleep(0.01)
        room.open(settings, "S", Drawn(Board.random(3, 2), 1))
        assert first.table not in room._live
        assert await room.find(first.table) is live

    asyncio.run(main())


def test_a_long_table_is_read_back_a_few_events_at_a_time(tmp_path: Path) -> None:
    """Calls and undoing for an hour, then a restart: others have their turns meanwhile, and whoever
    asks twice finds the same table."""
    engines = Engines("points", "highest")
    settings = Settings(("N", "E", "S", "W"), engines, engines)
    log, name = Log(tmp_path / "log.sqlite"), "t"
    board = Board.random(1, 1)
    table: Table | None = None
    asked = Decision(Call.parse("1C"), Meaning("clubs"))
    events: list[Any] = [Opened(settings, BoardText.of(board), 1, {"n": "N"}, {})]
    for i in range(300):
        again = Undone(0) if i % 2 else entry_out(Entry(BridgeSeat.NORTH, asked), "N")
        events.append(again)
    for number, event in enumerate(events, 1):
        table = replayed(table, event)
        log.add(name, number, event)

    async def main() -> None:
        room = Room(log, Workers(1), Workers(1))
        reading = [asyncio.create_task(room.find(name)) for _ in range(3)]
        turns = 0
        while not all(task.done() for task in reading):
            await asyncio.sleep(0)
            turns += 1
        assert turns >= len(events) / _FEW
        first, *others = [task.result() for task in reading]
        assert first.table == table
        assert all(live is first for live in others)
        with pytest.raises(NoTable):
            await room.find("nothing")

    asyncio.run(main())
    log.close()


def test_one_hint_at_a_time() -> None:
    """Somebody who keeps asking does not fill the queue that the robots of all tables share."""

    async def main() -> None:
        room = Room(Log(":memory:"), Workers(1), Workers(1))
        engines = Engines("points", "highest")
        ticket = room.open(Settings(("S",), engines, engines), "S", Drawn(Board.random(3, 1), 1))
        live = await room.find(ticket.table)
        south = room.guest(live, ticket.token, lambda frame: None)
        first = asyncio.create_task(room.act(live, south, messages.Hint()))
        await asyncio.sleep(0.01)
        with pytest.raises(NotAllowed, match="still thinking"):
            await room.act(live, south, messages.Hint())
        assert room.think.waiting == 1
        first.cancel()
        await asyncio.wait([first])
        assert not live.hinting

    asyncio.run(main())


def test_a_list_of_engines_that_failed_is_asked_for_again() -> None:
    async def main() -> None:
        answers = [TimeoutError("too late"), NONE]

        async def ask(function: object, seconds: float) -> Offered:
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        study = SimpleNamespace(ask=ask)
        state = SimpleNamespace(study=study, offers=api.ask_offers(study))  # type: ignore[arg-type]
        request = SimpleNamespace(app=SimpleNamespace(state=state))
        with pytest.raises(TimeoutError):
            await api.offers_of(request)  # type: ignore[arg-type]
        assert await api.offers_of(request) == NONE  # type: ignore[arg-type]
        assert await api.offers_of(request) == NONE  # type: ignore[arg-type]

    asyncio.run(main())


def test_limits_per_client() -> None:
    clients = Clients(Rates(per_second=0, burst=2, tables_per_client=1, sockets_per_client=1))
    assert [clients.may_ask("a") for _ in range(3)] == [True, True, False]
    assert clients.may_ask("b")
    assert [clients.may_open("a") for _ in range(2)] == [True, False]
    assert [clients.socket_opened("a") for _ in range(2)] == [True, False]
    clients.socket_closed("a")
    assert clients.socket_opened("a")
    assert Bucket(Rates(per_second=1e9, burst=1)).take()


def test_deals_by_script_and_by_paste(client: TestClient) -> None:
    script = "condition hcp(south) >= 20"
    state = sit(client, source={"type": "script", "text": script, "seed": 1}).see()
    honours = {"A": 4, "K": 3, "Q": 2, "J": 1}
    assert sum(honours.get(c[1], 0) for c in state["hands"]["S"]) >= 20
    bad = client.post("/api/tables", json={"source": {"type": "script", "text": "condition ("}})
    assert bad.status_code == 422
    none = client.post("/api/tables", json={"source": {"type": "text", "text": "hello"}})
    assert none.status_code == 422
    assert "no board" in none.json()["error"]


def test_alone_one_goes_back_to_any_decision_of_ones_own(client: TestClient) -> None:
    """Undo again and again would lead there, too; a robot's call is nobody's to take back."""
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    state = seat.finish()
    assert state["can_undo"]
    mine = next(i for i, c in enumerate(state["auction"]) if c["seat"] == "S")
    robots = next(i for i, c in enumerate(state["auction"]) if c["seat"] != "S")
    assert seat.act(type="undo", to=robots).status_code == 403
    assert seat.act(type="undo", to=300).status_code == 403
    assert seat.act(type="undo", to=mine).status_code == 200
    back = seat.see()
    assert (back["at"], back["mine"], back["phase"]) == (mine, True, "auction")
