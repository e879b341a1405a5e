"""What one client may take of a server: its loop, its disk, its queues and its connections."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import warnings
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from overtrick.game import BridgeError
from overtrick.web import api, contests, evening, evenings, live, robot
from overtrick.web.budgets import Budgets
from overtrick.web.club import Club, Helpers
from overtrick.web.connections import Doors, _Hall
from overtrick.web.contests import Contest, entries, sign
from overtrick.web.evening import Job
from overtrick.web.evenings import Evenings, NoEvening
from overtrick.web.events import ENCODER, Engines, Entered, Founded, Line, OtherRoom
from overtrick.web.limits import Clients, Rates
from overtrick.web.seated import Guest
from overtrick.web.sockets import _Visit
from overtrick.web.store import Log
from overtrick.web.workers import CLIENT
from tests.web.conftest import QUICK, Seat, named, plain, sit
from tests.web.test_evening import _board

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.requests import Request
    from starlette.testclient import TestClient
    from starlette.websockets import WebSocketDisconnect

# ---------------------------------------------------------------- the disk


def test_a_client_fills_its_share_of_the_disk_and_no_more() -> None:
    clients = Clients(Rates(kept_bytes=1000))
    assert clients.may_keep("a", 900)
    assert not clients.may_keep("a", 200)
    assert clients.may_keep("b", 900)


def test_evenings_of_one_client_are_counted_by_the_day() -> None:
    clients = Clients(Rates(evenings_per_client=2))
    assert [clients.may_upload("a") for _ in range(3)] == [True, True, False]
    assert clients.may_upload("b")
    assert clients.may_open("a")  # tables are another matter


def test_whoever_has_filled_it_is_told(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = sit(client)
    state = seat.my_turn()
    monkeypatch.setattr(client.app.state.clients, "may_keep", lambda *_: False)
    refused = [
        client.post("/api/tables", json={}),
        client.post("/api/evenings", json={"text": "x"}),
        seat.act(type="call", call="Pass", at=state["at"]),
    ]
    assert [r.status_code for r in refused] == [429] * 3
    assert all("your share" in r.json()["error"] for r in refused)


def test_a_table_does_not_grow_for_ever(seat: Seat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its log is replayed whole when somebody comes back."""
    state = seat.my_turn()
    monkeypatch.setattr(live, "_MOST_EVENTS", 0)
    assert seat.act(type="undo").json()["error"].startswith("this table has seen a great deal")
    assert seat.act(type="call", call="Pass", at=state["at"]).status_code == 200
    seat.finish()
    assert seat.act(type="next").status_code == 403


def test_nobody_pushes_out_the_evenings_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings, "_KEPT", 6)
    text = evening.read(_board("A B C D", "4S", 9))

    async def send() -> tuple[list[str], set[str]]:
        kept = Evenings(tmp_path / "e.sqlite", _Queue())  # type: ignore[arg-type]
        first = [kept.add(text, "192.0.2.1"), kept.add(text, "192.0.2.2")]
        greedy = [kept.add(text, f"192.0.2.{i % 3 + 60}") for i in range(12)]
        await kept.stop()
        again = Evenings(tmp_path / "e.sqlite", _Queue())  # type: ignore[arg-type]
        more = [again.add(text, "192.0.2.60") for _ in range(3)]
        left = {name for name in (*first, *greedy, *more) if _there(again, name)}
        await again.stop()
        assert greedy[0] not in left
        assert more[-1] in left
        return first, left

    first, left = asyncio.run(send())
    assert set(first) < left
    assert len(left) == 6


def _there(kept: Evenings, name: str) -> bool:
    try:
        kept._find(name)
    except NoEvening:
        return False
    return True


def test_evenings_of_a_file_without_senders_are_there(tmp_path: Path) -> None:
    async def old() -> None:
        kept = Evenings(tmp_path / "e.sqlite", _Queue())  # type: ignore[arg-type]
        name = kept.add(evening.read(_board("A B C D", "4S", 9)), "192.0.2.1")
        kept._db.execute("DROP TABLE senders")
        await kept.stop()
        again = Evenings(tmp_path / "e.sqlite", _Queue())  # type: ignore[arg-type]
        assert _there(again, name)
        again._make_room()
        await again.stop()

    asyncio.run(old())


# ---------------------------------------------------------------- matches


def test_one_address_does_not_fill_a_match(tmp_path: Path) -> None:
    """Who fills it with junk leaves room for everybody else, also after a restart."""
    engines = Engines("pass", "highest")

    def club(log: Log) -> Club:
        return Club(log, Helpers(None, None), lambda _: None)  # type: ignore[arg-type]

    log = Log(tmp_path / "log.sqlite")
    before = club(log)
    name = before.found(Founded("", 1, 8, "imps", engines, engines)).name
    CLIENT.set("192.0.2.66")
    for i in range(contests.MOST_EACH):
        before.enter(name, f"junk{i}", "x", 0)
    after = club(log)
    with pytest.raises(BridgeError, match="from your address"):
        after.enter(name, "another", "x", 0)
    CLIENT.set("192.0.2.1")
    assert "honest" in after.enter(name, "honest", "Anna", 0).players
    assert b"192.0.2" not in b"".join(ENCODER.encode(e) for e in log.events(contests.stream(name)))
    log.close()


def test_the_director_takes_junk_out(client: TestClient) -> None:
    founded = client.post("/api/contests", json={"boards": 1, "ns": QUICK, "ew": QUICK}).json()
    path = f"/api/contests/{founded['contest']}"
    director = {"Authorization": f"Bearer {founded['director']}"}
    seats = []
    for name in ("junk", "Anna"):
        entered = client.post(f"{path}/enter", json={"name": name}, headers=named(name))
        seats.append(Seat(client, **entered.json(), browser=name))
    seats[0].finish()
    listed = client.get(f"{path}/entries", headers=director).json()
    assert [(e["name"], e["boards"]) for e in listed] == [("junk", 1), ("Anna", 0)]
    junk = {"entry": listed[0]["entry"]}
    wrong = [{}, {"Authorization": f"Bearer {seats[0].token}"}]
    refused = [client.post(f"{path}/remove", json=junk, headers=h).status_code for h in wrong]
    assert refused == [401, 403]
    left = client.post(f"{path}/remove", json=junk, headers=director).json()
    assert [e["name"] for e in left] == ["Anna"]
    assert client.post(f"{path}/remove", json=junk, headers=director).status_code == 404
    assert client.get(path).json()["ranking"] == []
    assert seats[0].see()["match"]["place"] is None  # the table itself stays
    seats[1].finish()
    assert [row["name"] for row in client.get(path).json()["ranking"]] == ["Anna"]


def test_the_director_sees_what_comes_from_one_address() -> None:
    """A second browser of one person is no other address, and neither is a club."""
    engines = Engines("pass", "highest")
    players = {
        f"t{i}": Entered(f"t{i}", name, 0, by)
        for i, (name, by) in enumerate(
            [("Ann", "a"), ("Bob", "b"), ("Ann again", "a"), ("Cid", ""), ("Dora", "")]
        )
    }
    found = Contest("c", Founded("", 1, 1, "imps", engines, engines), players)
    assert [e.address for e in entries(found)] == [1, None, 1, None, None]


# ---------------------------------------------------------------- the loop


def _contest(players: int, boards: int, seed: int) -> Contest:
    rng = random.Random(seed)
    engines = Engines("pass", "highest")
    lines: dict[int, dict[str, Line]] = {}
    for index in range(boards):
        at = [f"t{i}" for i in range(players) if rng.random() < 0.7]
        scores = [rng.choice((-100, -50, 110, 140, 400, 420, 620)) for _ in at]
        lines[index] = {t: Line("x", "N", "=", 9, s) for t, s in zip(at, scores, strict=True)}
    robots = {
        i: OtherRoom(i, Line("x", "N", "=", 9, 140), 140, (), "")
        for i in range(boards)
        if rng.random() < 0.8
    }
    entered = {f"t{i}": Entered(f"t{i}", f"n{i}", i & 1) for i in range(players)}
    founded = Founded("", 1, boards, rng.choice(("imps", "matchpoints")), engines, engines)
    return Contest("c", founded, entered, lines, robots)


def _share(contest: Contest, index: int, line: Line, side: int) -> float | None:
    """Matchpoints by comparing with every other result: slow, and plainly right."""
    scores = [found.score_ns for found in contest.lines[index].values()]
    scores += [contest.robots[index].line.score_ns] if index in contest.robots else []
    if len(scores) < 2:
        return None
    mine, signed = sign(side) * line.score_ns, [sign(side) * s for s in scores]
    won = sum(s < mine for s in signed) + 0.5 * (signed.count(mine) - 1)
    return round(100 * won / (len(scores) - 1), 1)


@pytest.mark.parametrize("seed", range(6))
def test_shares_and_places_are_those_of_a_plain_count(seed: int) -> None:
    contest = _contest(12, 5, seed)
    for index, lines in contest.lines.items():
        scores = contests.field_of(contest, index)
        for table, line in lines.items():
            side = contest.players[table].side
            assert contests.share(scores, line, side) == _share(contest, index, line, side)
    ordered = contests.standings(contest)
    keys = [s.better(contest.scoring, s.boards == contest.boards)[:2] for s in ordered]
    ranked = plain(contests.ranking(contest, ordered, "t3"))
    assert [r["place"] for r in ranked] == [keys.index(k) + 1 for k in keys]
    place = next((r["place"] for r in ranked if r["mine"]), None)
    assert plain(contests.match_of(contest, ordered, "t3", 0, [], over=True))["place"] == place


def test_an_evening_is_worked_out_once_for_each_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Counter[str] = Counter()
    real = evening.report

    def counted(*args: Any) -> Any:
        made["report"] += 1
        return real(*args)

    monkeypatch.setattr(evening, "report", counted)

    async def look() -> None:
        kept = Evenings(tmp_path / "e.sqlite", _Queue())  # type: ignore[arg-type]
        name = kept.add(evening.read(_board("A B C D", "4S", 9)))
        answers = await asyncio.gather(*(kept.report(name) for _ in range(20)))
        assert len(set(answers)) == 1
        kept._find(name)[2][Job("deal", 0).key] = {"tables": {}}
        await kept.report(name)
        await kept.stop()

    asyncio.run(look())
    assert made["report"] == 2


def test_coming_and_going_shows_nobody_the_whole_table_again(client: TestClient) -> None:
    """Who comes is sent the table; the others hear who is there, and only when that has changed."""
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    seat.my_turn()
    live = client.portal.call(client.app.state.room.find, seat.table)  # type: ignore[union-attr]
    key, sent = next(iter(live.table.tokens)), list[list[str]]()
    live.table.watchers["link"] = "S"

    def window(watching: bool) -> Guest:
        mine: list[str] = []
        sent.append(mine)
        return Guest(
            "link" if watching else key, lambda frame: mine.append(plain(frame)["type"]), watching
        )

    def come_and_go() -> None:
        room = client.app.state.room
        first = window(False)
        room.enter(live, first)
        windows = [window(False) for _ in range(20)]
        for each in windows:
            room.enter(live, each)
        for each in windows:
            room.leave(live, each)
        room.enter(live, window(True))
        room.leave(live, first)
        live.guests.clear()

    client.portal.call(come_and_go)  # type: ignore[union-attr]
    assert sent[0] == ["state", "presence"]
    assert sent[1:21] == [["state"]] * 20
    assert sent[21] == ["state", "presence"]


def test_coming_to_a_table_is_counted(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = sit(client)
    narrow = Clients(Rates(per_second=0, burst=2))
    monkeypatch.setattr(client.app.state.clients, "may_ask", narrow.may_ask)
    came = 0
    with contextlib.suppress(WebSocketDisconnect):
        for _ in range(20):
            with client.websocket_connect(f"/api/tables/{seat.table}/socket") as window:
                window.send_text(json.dumps({"type": "join", "token": seat.token}))
                window.receive_text()
                came += 1
    assert came == 2


# ---------------------------------------------------------------- the queues


class _Queue:
    """Workers that never answer, and remember who asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    async def ask(self, *_: Any, client: str, **__: Any) -> Any:
        self.asked[client] += 1
        await asyncio.Event().wait()


def test_a_long_evening_does_not_keep_the_next_one_waiting(tmp_path: Path) -> None:
    long = "".join(_board("A B C D", "4S", 9, i + 1) for i in range(30))

    async def both() -> Counter[str]:
        queue = _Queue()
        kept = Evenings(tmp_path / "e.sqlite", queue)  # type: ignore[arg-type]
        for _ in range(3):
            kept.add(evening.read(long), "greedy")
        kept.add(evening.read(_board("E F G H", "4S", 9)), "modest")
        await asyncio.sleep(0.05)
        await kept.stop()
        return queue.asked

    assert asyncio.run(both()) == {"greedy": 6, "modest": 2}


def test_robots_do_not_think_for_programs_that_have_gone() -> None:
    ended: list[str] = []

    async def forever(*_: Any, **__: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("given up")

    async def gone() -> Any:
        return {"type": "http.disconnect"}

    async def ask() -> None:
        state = SimpleNamespace(
            clients=Clients(Rates()), keys=robot.Keys(()), origins=frozenset(),
            study=SimpleNamespace(ask=forever),
        )  # fmt: skip
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/bid",
            "query_string": b"seat=N",
            "headers": [],
            "client": ("127.0.0.1", 1),
            "app": SimpleNamespace(state=state),
        }
        with pytest.raises(api.Refused, match="gone"):
            await robot._handler("bid")(Request(scope, gone))
        await asyncio.sleep(0)

    asyncio.run(ask())
    assert ended


def test_all_windows_of_a_client_share_what_may_be_unread() -> None:
    clients = Clients(Rates(unread_bytes=10_000, unread_per_client=15_000))
    state = SimpleNamespace(room=None, budgets=Budgets())
    window: Any = SimpleNamespace(client=None, app=SimpleNamespace(state=state))
    visits = [_Visit(window, clients) for _ in range(3)]
    for visit in visits:
        for _ in range(8):
            visit.send({"type": "state", "text": "x" * 900})
    hung_up = [any(visit._out.get_nowait() is None for _ in range(visit._out.qsize()))
               for visit in visits]  # fmt: skip
    assert hung_up == [False, False, True]
    visits[0]._forget_unread()
    another = _Visit(window, clients)
    another.send({"type": "state", "text": "x" * 900})
    assert another._out.get_nowait() is not None


# ---------------------------------------------------------------- pages and connections


def test_pages_come_from_memory_and_are_counted(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = client.get("/static/app.js", headers={"accept-encoding": "gzip"})
    assert script.headers["content-encoding"] == "gzip"
    assert script.headers["content-type"].startswith("text/javascript")
    again = client.get("/static/app.js", headers={"if-none-match": script.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get("/static/app.js", headers={"accept-encoding": "identity"})
    assert plain.content == script.content
    for name in ("%2e%2e", "%2e%2e%2fapp.py", "nothing.js", "app.js/x", ".%00"):
        assert client.get(f"/static/{name}").status_code == 404
    narrow = Clients(Rates(per_second=0, burst=1))
    monkeypatch.setattr(client.app.state.clients, "may_ask", narrow.may_ask)
    answers = [client.get("/static/icon.svg") for _ in range(6)]
    assert [a.status_code for a in answers] == [200] * 4 + [429] * 2
    assert answers[-1].headers["connection"] == "close"


def test_whoever_connects_again_and_again_is_not_let_in() -> None:
    hall = _Hall(Doors(arrivals=Rates(per_second=0, burst=3), proxies=frozenset({"p"})), Budgets())

    def visits(who: str) -> list[bool]:
        came = []
        for _ in range(5):
            connection = object()
            came.append(hall.knocks(who) and hall.enter(who, connection))
            if came[-1]:
                hall.leave(who, connection)
        return came

    assert visits("a") == [True] * 3 + [False] * 2
    assert visits("b") == [True] * 3 + [False] * 2
    assert visits("p") == [True] * 5  # the proxy counts its own clients
