"""A server in the open: other sites, wrong names, mute and deaf connections, a full disk."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from overtrick.engines import Untrusted
from overtrick.game import Board
from overtrick.table import TableState
from overtrick.web import Config, app, contests, thinking
from overtrick.web.budgets import Budgets
from overtrick.web.events import Acted, Claimed, Engines
from overtrick.web.limits import Clients, Rates, TooMuch, client_name
from overtrick.web.logs import OneLine, Sparing
from overtrick.web.sockets import _Visit
from overtrick.web.store import Log, LogError
from tests.web.conftest import GENEROUS, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


# ---------------------------------------------------------------- other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
    ],
)
def test_a_page_of_another_site_opens_no_table(client: TestClient, headers: Any) -> None:
    answer = client.post("/api/tables", content=b"{}", headers=headers)
    assert answer.status_code in (403, 415)
    own = {"origin": "http://testserver", "content-type": "application/json"}
    assert client.post("/api/tables", content=b"{}", headers=own).status_code == 201


def test_a_name_that_is_not_ours_is_refused(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8000", "testserver.evil.example", "", "[", "a:b:c"):
        answer = client.get("/api/health", headers={"host": host})
        assert answer.status_code == 421, host
    for host in ("127.0.0.1:8000", "[::1]:8000", "localhost", "TestServer", "192.0.2.3"):
        assert client.get("/api/health", headers={"host": host}).status_code == 200, host


def test_bytes_that_are_no_text(client: TestClient) -> None:
    for data in (b'{"text": "\xff\xfe"}', b'{"\xc3": 1}', b"\xff", b'"\xed\xa0\x80"'):
        answer = client.post("/api/review/read", content=data)
        assert answer.status_code == 400
        assert "not understood" in answer.json()["error"]


def test_what_fails_in_our_own_code_is_one_line(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> None:
        raise RuntimeError("a secret path")

    monkeypatch.setattr(client.app.state.room, "find", broken)
    headers = {"authorization": "Bearer " + "x" * 20}
    answer = client.get("/api/tables/any", headers=headers)
    assert answer.status_code == 500
    assert "secret" not in answer.text


def test_clients_are_known_by_their_network() -> None:
    assert client_name("2001:db8::1") == client_name("2001:db8::ffff:1") != client_name("::1")
    assert client_name("::ffff:192.0.2.1") == "192.0.2.1"
    assert client_name("1.2.3.4\x1b[31m") == client_name("") == "somewhere"


# ---------------------------------------------------------------- too much


def test_a_client_has_a_budget_of_bytes() -> None:
    clients = Clients(Rates(bytes_per_client=100, bytes_in_all=150))
    with clients.holding("a") as a, clients.holding("b") as b:
        a.more(90)
        with pytest.raises(TooMuch, match="you"):
            a.more(20)
        with pytest.raises(TooMuch, match="server"):
            b.more(70)
    with clients.holding("b") as b:
        b.more(100)


def test_a_window_that_does_not_read_is_hung_up_on() -> None:
    state = SimpleNamespace(room=None, budgets=Budgets())
    window: Any = SimpleNamespace(client=None, app=SimpleNamespace(state=state))
    visit = _Visit(window, Clients(Rates(unread_bytes=10_000)))
    for _ in range(20):
        visit.send({"type": "state", "text": "x" * 900})
    frames = [visit._out.get_nowait() for _ in range(visit._out.qsize())]
    assert None in frames
    assert sum(len(f) for f in frames if f) <= 10_000


def test_a_problem_has_no_room_for_a_novel(client: TestClient) -> None:
    hands = {"N": "AKQJ.AKQ.AKQ.AKQ", "E": "T987.JT9.JT9.JT9", "S": "6543.876.876.876",
             "W": "2.5432.5432.5432"}  # fmt: skip
    problem = {"set": "x", "board": "1", "dealer": "N", "vul": "None", "hands": hands,
               "awards": {"7NT": 10}}  # fmt: skip
    good = {"type": "problems", "text": json.dumps(problem)}
    assert client.post("/api/tables", json={"source": good}).status_code == 201
    for field, value in (
        ("set", "x" * 900_000), ("board", "9" * 5000), ("awards", {str(i): 1 for i in range(500)}),
        ("opponents_calls", ["Pass"] * 5000),
    ):  # fmt: skip
        source = {"type": "problems", "text": json.dumps({**problem, field: value})}
        assert client.post("/api/tables", json={"source": source}).status_code == 422, field


def test_an_answer_is_never_much_longer_than_the_question(client: TestClient) -> None:
    """Tags that are repeated from board to board do not multiply."""
    board = '[Board "1"][Deal "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.'
    first = board + '5432"]' + "".join(f'[{s} "##{"x" * 60_000}"]' for s in ("North", "South"))
    text = first + "\n\n" + (board + '5432"]\n\n') * 1500
    answer = client.post("/api/review/read", json={"text": text})
    assert len(answer.content) < 8 << 20
    assert len(answer.content) < 40 * len(text)


def test_answers_have_an_end() -> None:
    with pytest.raises(ValueError, match="too long"):
        thinking.packed(_long, (), False)
    packed, data = thinking.packed(_long, (1000,), True)
    assert packed
    assert len(data) < 1000


def _long(size: int = 9 << 20) -> str:
    return "x" * size


def test_other_sites_ask_nothing_that_costs_work(client: TestClient) -> None:
    """A page elsewhere could let its visitors' browsers ask, each from an address of its own."""
    for path in ("/api/card/print", "/api/systems", "/api/contests/daily"):
        for site in ("cross-site", "same-site"):
            asked = client.get(path, headers={"sec-fetch-site": site})
            assert asked.status_code == 403, (path, site)
        named = client.get(path, headers={"origin": "https://elsewhere.example"})
        assert named.status_code == 403, path
    for site in ("same-origin", "none"):
        assert client.get("/api/systems", headers={"sec-fetch-site": site}).status_code == 200
    assert client.get("/table/x", headers={"sec-fetch-site": "cross-site"}).status_code == 200


# ---------------------------------------------------------------- the log


def test_a_flood_of_lines_is_a_few_lines() -> None:
    sparing = Sparing()
    record = lambda: logging.LogRecord("a", 30, "", 0, "no more sockets %s", ("x",), None)  # noqa: E731
    passed = [r for r in (record() for _ in range(500)) if sparing.filter(r)]
    assert len(passed) <= 12
    other = logging.LogRecord("a", 30, "", 0, "something else", (), None)
    assert sparing.filter(other)


def test_foreign_text_stays_on_its_line() -> None:
    record = logging.LogRecord("a", 30, "", 0, "refused %s", ("\x1b[2J\nroot: all is well",), None)
    line = OneLine("%(message)s").format(record)
    assert "\x1b" not in line
    assert "\n" not in line


class FullDisk:
    """A database whose disk is full: everything can be read, nothing can be added."""

    def __init__(self, real: sqlite3.Connection) -> None:
        self.real = real

    def execute(self, statement: str, *values: Any) -> Any:
        if statement.startswith(("INSERT", "PRAGMA user_version=")):
            raise sqlite3.OperationalError("database or disk is full")
        return self.real.execute(statement, *values)


def test_a_full_disk_is_told_from_other_trouble(tmp_path: Path) -> None:
    log = Log(tmp_path / "web.sqlite")
    (pages,) = log._db.execute("PRAGMA page_count").fetchone()
    log._db.execute(f"PRAGMA max_page_count={pages + 2}")
    written = 0
    with contextlib.suppress(LogError):
        while written < 2000:
            log.add("t", written + 1, Claimed(7, "x" * 900))
            written += 1
    assert "disk is full" in log.trouble
    with pytest.raises(LogError, match="disk is full"):
        log.add("t", written + 1, Claimed(7, "x" * 900))
    assert len(log.events("t")) == written
    log._db.execute("PRAGMA max_page_count=100000")
    log.add("t", written + 1, Claimed(7))
    assert not log.trouble
    log.trouble, log._db = "the disk is full", FullDisk(log._db)  # type: ignore[assignment]
    log.try_again()
    assert log.trouble
    log._db = log._db.real  # type: ignore[attr-defined]
    log.try_again()
    assert not log.trouble
    log.close()


def test_a_full_disk_is_said_and_nothing_is_lost(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    state = seat.my_turn()
    room = client.app.state.room
    room.patience = type(room.patience)(grace=0, tempo=0, trouble=0.05)
    real = room.log._db
    room.log._db = FullDisk(real)
    try:
        refused = seat.act(type="call", call="Pass", at=state["at"])
        assert refused.status_code == 503
        assert "disk is full" in refused.json()["error"]
        told = client.get("/api/health")
        assert (told.status_code, told.json()["ok"]) == (503, False)
        assert "disk is full" in seat.see()["trouble"]
        assert seat.see()["at"] == state["at"]
        assert client.post("/api/tables", json={}).status_code == 503
        with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
            socket.send_text(json.dumps({"type": "join", "token": seat.token}))
            while not json.loads(socket.receive_text()).get("trouble"):
                pass
            room.log._db = real
            while json.loads(socket.receive_text()).get("trouble"):  # nobody did anything
                pass
    finally:
        room.log._db = real
    assert client.get("/api/health").status_code == 200
    assert seat.act(type="call", call="Pass", at=state["at"]).status_code == 200
    over = seat.finish()
    assert client.get("/api/health").json()["ok"]
    assert not over["trouble"]
    assert len(client.portal.call(room.log.events, seat.table)) == seat.see()["version"]


def test_robots_go_on_when_there_is_room_again(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    state, room = seat.my_turn(), client.app.state.room
    room.patience = type(room.patience)(grace=0, tempo=0, trouble=0.05)
    real = room.log.add

    def once_full(table: str, number: int, event: Any) -> None:
        if isinstance(event, Acted) and not event.by:
            room.log.add = real
            raise LogError("nothing can be kept at the moment")
        real(table, number, event)

    room.log.add = once_full
    assert seat.act(type="call", call="Pass", at=state["at"]).status_code == 200
    assert seat.wait(lambda s: s["at"] > state["at"] + 1)


def test_two_servers_do_not_share_a_log(tmp_path: Path) -> None:
    path = tmp_path / "web.sqlite"
    first = Log(path)
    with pytest.raises(LogError, match="another program is using it"):
        Log(path)
    first.close()
    Log(path).close()


def test_a_foreign_lock_cannot_stop_the_loop(tmp_path: Path) -> None:
    log = Log(tmp_path / "web.sqlite")
    with (
        contextlib.closing(sqlite3.connect(tmp_path / "web.sqlite", timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")
    log.close()


def test_the_log_is_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "web.sqlite"
    Log(path).close()
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0
    path.chmod(0o644)
    log = Log(path)
    assert path.stat().st_mode & 0o077 == 0
    log.close()


def test_a_damaged_log_is_said_before_any_address(tmp_path: Path) -> None:
    path = tmp_path / "web.sqlite"
    log = Log(path)
    log._db.executemany(
        "INSERT INTO events VALUES (?, 1, 0, ?)", [(f"t{i}", b"x" * 500) for i in range(200)]
    )
    log.close()
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 9] = os.urandom(4096 * 6)
    path.write_bytes(bytes(data))
    with pytest.raises(LogError, match="damaged"):
        Log(path)
    run = "from overtrick.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", run, "serve", "--port", "0", "--log", str(path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode not in (0, 70)
    assert "http://" not in ended.stdout
    assert "damaged" in ended.stderr


def test_one_damaged_table_is_one_table(tmp_path: Path) -> None:
    log = Log(tmp_path / "web.sqlite")
    log._db.execute("INSERT INTO events VALUES ('t', 1, 0, ?)", (b"\xff{",))
    with pytest.raises(LogError, match="this table is damaged"):
        log.events("t")
    assert log.events("other") == []
    log.close()


def test_a_clock_that_jumps_takes_no_table_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(tmp_path / "web.sqlite")
    now, year, day = time.time(), 365 * 86_400.0, 86_400.0

    def played(table: str, at: float) -> None:
        log._db.execute("INSERT INTO events VALUES (?, 1, ?, ?)", (table, at, b"{}"))

    played("ours", now)
    played("in the future", now + 3 * year)  # while the clock was wrong
    monkeypatch.setattr("overtrick.web.store.time", lambda: now + 3 * year)
    assert log.forget(180 * day) == 0
    monkeypatch.setattr("overtrick.web.store.time", lambda: now + year)
    for i in range(40):
        played(f"later {i}", now + year - i * day)
    assert log.forget(180 * day) == 1
    assert log.count() == 41
    log.close()


# ---------------------------------------------------------------- connections


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A real server with narrow doors; its port."""
    import uvicorn

    from overtrick.web.connections import Door, Doors, guarded

    config = Config(tmp_path_factory.mktemp("door") / "log.sqlite", 1, GENEROUS, warm=False)
    doors = Doors(each=6, total=10, head_seconds=2.0)
    application = app(config)
    protocol = guarded(doors, application.state.budgets)
    made = uvicorn.Config(
        application, port=0, http=protocol, log_level="error", proxy_headers=False,
    )  # fmt: skip
    server = uvicorn.Server(made)
    listening = Door.at(socket.create_server(("127.0.0.1", 0)), protocol)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(10)


def half_sent(port: int, source: str) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 5, source_address=(source, 0))
    connection.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    return connection


def asked(port: int, source: str = "127.0.0.1") -> bytes:
    with socket.create_connection(("127.0.0.1", port), 5, source_address=(source, 0)) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return line.recv(65_536)


def closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(10) == b""
    except ConnectionError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="needs more than one loopback address")
def test_mute_connections_lock_nobody_out(served: int) -> None:
    mute = [half_sent(served, "127.0.0.66") for _ in range(6)]
    assert closed(half_sent(served, "127.0.0.66"))  # one too many for this client
    assert b"200 OK" in asked(served)
    others = [half_sent(served, f"127.0.0.{70 + i}") for i in range(12)]  # more than all places
    assert b"200 OK" in asked(served)
    assert all(closed(c) for c in mute + others)  # they had their time
    assert b"200 OK" in asked(served, "127.0.0.66")


def test_a_second_request_may_not_dawdle_either(served: int) -> None:
    with socket.create_connection(("127.0.0.1", served), 5) as line:
        line.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        heard = b""
        while not heard.endswith(b"}"):  # the head and the body may come apart
            heard += line.recv(65_536)
        assert b"200 OK" in heard
        line.sendall(b"GET /api/hea")
        assert closed(line)


def test_nobody_can_give_himself_another_address(served: int) -> None:
    with socket.create_connection(("127.0.0.1", served), 5) as line:
        line.sendall(
            b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n"
        )
        assert b"200 OK" in line.recv(65_536)


def test_work_ends_when_the_client_goes(served: int) -> None:
    """Somebody else's question is answered although four were asked and left alone before."""
    body = json.dumps({"script": "condition 1 == 2", "count": 5000}).encode()
    head = (
        b"POST /api/deal HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(body)
    )
    for _ in range(4):
        with socket.create_connection(("127.0.0.1", served), 5) as line:
            line.sendall(head + body)
            time.sleep(0.02)
    small = b'{"north": "15-17 hcp", "count": 1}'
    with socket.create_connection(("127.0.0.1", served), 120) as line:
        line.sendall(head.replace(b"%d" % len(body), b"%d" % len(small)) + small)
        assert b"200 OK" in line.recv(65_536)


# ---------------------------------------------------------------- fair play


def test_a_log_starts_no_program(tmp_path: Path) -> None:
    """A log is a file like any other: the engines it names are made only if they are ours."""
    mark = tmp_path / "mark"
    spec = f"external(command='touch {mark}')"
    view = TableState.start(Board.random(1, seed=1)).view()
    for deed in (thinking.decide, thinking.hint, thinking.meanings):
        with pytest.raises(Untrusted):
            deed(spec, view)
    board = Board.random(1, seed=1)
    for engines in (Engines(spec, "highest"), Engines("pass", spec)):
        with pytest.raises(Untrusted):
            contests.other_room(board, (engines, engines), {"scoring": "imps", "seed": 1})
    assert not mark.exists()


def test_hints_do_not_tell_the_seed(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    seat.my_turn()
    assert "seed" not in seat.hint().json()
