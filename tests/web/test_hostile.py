"""Rubbish, too much of it, and malice: refused with one line, and the table goes on."""

from __future__ import annotations

import json
import random
import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.conftest import Seat, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from starlette.websockets import WebSocketDisconnect

from overtrick.web.budgets import Budgets
from overtrick.web.limits import Clients, Rates
from overtrick.web.openapi import description
from overtrick.web.sockets import _MOST_QUEUED, _MOST_STRIKES, _Visit

PATHS = [p for p, verbs in description()["paths"].items() if "post" in verbs]
RUBBISH = [
    b"", b"null", b"[]", b"{", b'"x"', b"\xff\xfe\x00", b"{}", b'{"type":"call"}',
    b'{"type":"call","call":1,"at":0}', b'{"type":"call","call":"1C","at":-1}',
    b'{"type":"call","call":"1C","at":0,"seat":"N"}', b'{"type":"sudo"}', b"[" * 3000,
    b'{"type":"card","card":"' + b"S" * 2000 + b'","at":0}', b'{"type":"claim","tricks":99}',
    b'{"type":"claim","tricks":1e999}', b'{"type":"card","card":"\\u0000","at":0}',
]  # fmt: skip


@pytest.mark.parametrize("rubbish", RUBBISH)
def test_rubbish_on_the_socket(client: TestClient, seat: Seat, rubbish: bytes) -> None:
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
        socket.send_text(json.dumps({"type": "join", "token": seat.token}))
        assert json.loads(socket.receive_text())["type"] == "state"
        socket.send_bytes(rubbish)
        while (frame := json.loads(socket.receive_text()))["type"] == "state":
            pass
        assert frame["type"] == "error"
        socket.send_text('{"type":"explain"}')  # and it still listens
        while json.loads(socket.receive_text())["type"] != "meanings":
            pass
    assert seat.my_turn()["mine"]


def test_a_message_that_is_too_long_ends_the_connection(client: TestClient, seat: Seat) -> None:
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
        socket.send_text(json.dumps({"type": "join", "token": seat.token}))
        socket.receive_text()
        socket.send_text(json.dumps({"type": "call", "call": "x" * 100_000, "at": 0}))
        while (message := socket.receive())["type"] != "websocket.close":
            pass
        assert message["code"] == 1009
    assert seat.my_turn()["mine"]


def test_somebody_who_sends_only_rubbish_is_sent_away(client: TestClient, seat: Seat) -> None:
    rng = random.Random(1)
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
        socket.send_text(json.dumps({"type": "join", "token": seat.token}))
        for _ in range(60):
            socket.send_bytes(rng.randbytes(rng.randrange(1, 400)))
        while socket.receive()["type"] != "websocket.close":
            pass
    assert seat.my_turn()["mine"]


def test_an_origin_that_is_no_address(client: TestClient, seat: Seat) -> None:
    path = f"/api/tables/{seat.table}/socket"
    for origin in ("http://[", "null", "https://elsewhere.example"):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(path, headers={"origin": origin}) as socket,
        ):
            socket.receive_text()


def test_rubbish_from_somebody_who_does_not_read() -> None:
    """The queue is full when the last strike comes: the line is cut, nothing is thrown."""
    state = SimpleNamespace(room=None, budgets=Budgets())
    socket: Any = SimpleNamespace(client=None, app=SimpleNamespace(state=state))
    visit = _Visit(socket, Clients(Rates()))
    for _ in range(_MOST_QUEUED):
        visit.send({"type": "state"})
    visit._strikes = _MOST_STRIKES
    visit._strike("not understood")
    assert visit._out.get_nowait() is None
    assert visit._out.empty()


def test_bodies_that_are_too_long(client: TestClient) -> None:
    answer = client.post("/api/review/read", content=b" " * (5 << 20))
    assert answer.status_code == 413
    assert client.post("/api/decode", content=b" " * (1 << 20)).status_code == 413
    long = json.dumps({"source": {"type": "script", "text": "x" * 30_000}})
    assert client.post("/api/tables", content=long).status_code == 400


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "text", "seat", "source", "ns", "auction", "bidder", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(suppress_health_check=list(HealthCheck))
@given(path=st.sampled_from(PATHS), body=_JSON)
def test_any_json_is_answered_as_documented(client: TestClient, path: str, body: object) -> None:
    answer = client.post(path.replace("{table}", "somewhere"), json=body)
    documented = description()["paths"][path]["post"]["responses"]
    assert str(answer.status_code) in documented
    assert isinstance(answer.json(), dict | list)
    assert answer.status_code < 500


@pytest.mark.parametrize(
    "text",
    ["md|9|", "[Deal \"N:AKQ\"]", "\0" * 50, "pn|a|md|3S,H,D,C|", "[" * 5000, "https://x/?lin=%ff",
     "N:AKQJT98765432... - - -", "[Deal \"N:A.A.A.A A.A.A.A - -\"]"],
)  # fmt: skip
def test_broken_boards(client: TestClient, text: str) -> None:
    for path in ("/api/review/read", "/api/review/solve"):
        answer = client.post(path, json={"text": text})
        assert answer.status_code in (200, 422)
        if answer.status_code == 200:
            assert not answer.json()["boards"]
    opened = client.post("/api/tables", json={"source": {"type": "text", "text": text}})
    assert opened.status_code == 422


def test_paths_that_are_not_there(client: TestClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/api/nothing", "/.git/config"):
        assert client.get(path).status_code == 404


_CALLS = st.sampled_from(["Pass", "X", "XX", "1C", "3NT", "7NT", "8S", "", "pass", "1♠"])
_CARDS = st.sampled_from(["SA", "H2", "CT", "DK", "S", "XX", "♠A", "10S"])
_AT = st.integers(-1, 60) | st.sampled_from([10**30, True, None])
_MESSAGES = st.one_of(
    st.builds(lambda c, a: {"type": "call", "call": c, "at": a}, _CALLS, _AT),
    st.builds(lambda c, a: {"type": "card", "card": c, "at": a}, _CARDS, _AT),
    st.builds(lambda t: {"type": "claim", "tricks": t}, st.integers(-2, 15)),
    st.sampled_from(["undo", "hint", "explain", "next", "again", "join", "state", "dealt"]).map(
        lambda t: {"type": t}
    ),
    _JSON,
)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(said=st.lists(_MESSAGES, min_size=4, max_size=14))
def test_anything_said_on_the_socket(client: TestClient, said: list[object]) -> None:
    """Every message gets an answer or does what it says; the table can be played afterwards."""
    seat = sit(client, source={"type": "random", "number": 1, "seed": 7})
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
        socket.send_text(json.dumps({"type": "join", "token": seat.token}))
        for message in said:
            socket.send_text(json.dumps(message))
        socket.send_text('{"type":"explain"}')
        kinds = set()
        while (frame := json.loads(socket.receive_text()))["type"] != "meanings":
            kinds.add(frame["type"])
    assert kinds <= {"state", "error", "hint"}
    assert seat.my_turn()["phase"] in ("auction", "play", "over")
