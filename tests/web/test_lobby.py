"""Strangers find each other; robots give seats back; who is blocked stays away and is not read."""

from __future__ import annotations

import secrets
import warnings
from typing import Any

import pytest

from overtrick.web.lobby import Lobby
from tests.web.conftest import Seat, named
from tests.web.test_people import Online

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


class Stranger:
    """Somebody who waits in the lobby."""

    def __init__(self, client: TestClient, name: str, boards: int) -> None:
        self.client, self.name, self.boards = client, name, boards
        self.key, self.wait = f"{name}-{secrets.token_hex(4)}", ""
        self.seat: Seat | None = None

    def asks(self, status: int = 200, **wish: Any) -> dict[str, Any]:
        body = {"name": self.name, "boards": self.boards, "wait": self.wait, **wish}
        answer = self.client.post("/api/lobby", json=body, headers=named(self.key))
        assert answer.status_code == status, answer.text
        page: dict[str, Any] = answer.json()
        self.wait = page.get("wait", self.wait)
        if page.get("ticket"):
            self.seat = Seat(self.client, **page["ticket"], browser=self.key)
        return page

    def sits(self) -> Seat:
        self.asks()
        assert self.seat is not None
        return self.seat


@pytest.fixture(autouse=True)
def nobody_waits_from_before(client: TestClient) -> None:
    """The server is that of all tests, which may come in any order."""
    state: Any = client.app.state  # type: ignore[attr-defined]
    state.lobby = Lobby(state.room)


def test_two_strangers_are_partners_and_others_take_the_robots_seats(client: TestClient) -> None:
    ann, bob, cyd = (Stranger(client, name, 8) for name in ("Ann", "Bob", "Cyd"))
    assert ann.asks()["ticket"] is None
    assert [row["name"] for row in client.get("/api/lobby").json()["waiting"]] == ["Ann"]
    bob.asks()
    assert ann.sits().table == bob.sits().table
    assert {ann.sits().seat, bob.sits().seat} == {"N", "S"}
    state = bob.sits().see()
    assert state["names"] == {"N": "Ann", "S": "Bob"}
    assert sorted(state["away"]) == ["E", "W"]
    with Online(ann.sits()), Online(bob.sits()):
        assert cyd.sits().table == bob.sits().table
        assert cyd.sits().seat == "E"
        assert bob.sits().see()["away"] == ["W"]


def test_who_wants_other_boards_is_somebody_elses_company(client: TestClient) -> None:
    ann, bob = Stranger(client, "Ann", 1), Stranger(client, "Bob", 4)
    assert ann.asks()["ticket"] is None
    assert bob.asks()["ticket"] is None
    ann.asks(leave=True)
    assert [r["name"] for r in bob.asks()["waiting"]] == ["Bob"]
    with_robots = bob.asks(begin=True)
    assert with_robots["ticket"]["seat"] == "S"
    assert len(bob.sits().see()["away"]) == 3


def test_who_is_blocked_stays_away_and_is_not_read(client: TestClient) -> None:
    ann, bob = Stranger(client, "Ann", 8), Stranger(client, "Bob", 8)
    ann.asks()
    bob.asks()
    with Online(ann.sits()) as reading, Online(bob.sits()):
        assert bob.sits().act(type="chat", text="hello").status_code == 200
        assert reading.until(lambda f: f["type"] == "chat")["text"] == "hello"
        assert ann.sits().act(type="block", seat=bob.sits().seat).status_code == 200
        assert ann.sits().act(type="block", seat=bob.sits().seat).status_code == 422
        assert ann.sits().act(type="block", seat=ann.sits().seat).status_code == 422
        bob.sits().act(type="chat", text="and again")
        ann.sits().act(type="chat", text="to myself")
        assert reading.until(lambda f: f["type"] == "chat")["text"] == "to myself"
    ann.wait = bob.wait = ""
    ann.seat = bob.seat = None
    assert ann.asks()["ticket"] is None
    assert bob.asks()["ticket"] is None
    for somebody in (ann, bob):
        somebody.asks(leave=True)


def test_whom_several_have_reported_is_silent(client: TestClient) -> None:
    four = [Stranger(client, name, 1) for name in ("Ann", "Bob", "Cyd", "Dan")]
    four[0].asks()
    four[1].asks()
    four[0].asks()
    with Online(four[0].sits()), Online(four[1].sits()):
        for other in four[2:]:
            other.asks()
        rude = four[0].sits()
        assert rude.act(type="chat", text="you fool").status_code == 200
        for other in four[1:]:
            assert rude.act(type="chat", text="you fool").status_code == 200
            answer = other.sits().act(type="report", seat=rude.seat, why="rude")
            assert answer.status_code == 200
        assert "reported" in rude.act(type="chat", text="who, me?").json()["error"]
        assert four[1].sits().act(type="chat", text="thanks").status_code == 200


def test_nobody_is_seated_at_a_table_to_which_nobody_came(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ghost, ann = Stranger(client, "Ghost", 4), Stranger(client, "Ann", 4)
    table = ghost.asks(begin=True)["ticket"]["table"]
    monkeypatch.setattr("overtrick.web.lobby._ARRIVING", 0.0)
    assert ann.asks()["ticket"] is None
    assert ann.asks(begin=True)["ticket"]["table"] != table


def test_one_address_does_not_fill_the_lobby(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overtrick.web.lobby._MOST_EACH", 2)
    for boards in (1, 4):
        Stranger(client, "Junk", boards).asks()
    assert "your address" in Stranger(client, "Junk", 8).asks(403)["error"]
