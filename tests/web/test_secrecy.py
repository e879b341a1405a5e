"""Every frame a browser gets is looked into: no card in it that its seat has not seen."""

from __future__ import annotations

import json
import re
import time
import warnings
from typing import Any

import pytest

from tests.web.conftest import Seat, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

_CARD = re.compile(r'"([CDHS][2-9TJQKA])"')
_DOTTED = re.compile(r"[2-9TJQKA]*\.[2-9TJQKA]*\.[2-9TJQKA]*\.[2-9TJQKA]*")
_SYMBOL = re.compile(r"[♣♦♥♠](?:[TJQKA]|[2-9](?![+–]))")  # a card in words; ranges like ♠5+ are not


class Watcher:
    """Knows what a seat may have seen, from the true deal and the public play."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.hand: set[str] = set()
        self.seen: set[str] = set()
        self.frames = 0

    def check(self, text: str) -> dict[str, Any]:
        frame = json.loads(text)
        self.frames += 1
        if frame["type"] != "state" or frame["phase"] == "over":
            return frame
        assert frame["seat"] == self.seat
        if not self.hand:
            self.hand = set(frame["hands"][self.seat])
            assert len(self.hand) == 13
        allowed = set(self.hand)
        for letter in self.sees(frame):
            allowed |= set(frame["hands"][letter])
        assert set(frame["hands"]) <= {self.seat, *self.sees(frame)}
        allowed |= self.played(frame)
        # Dummy's cards may be named again once they have been seen; each is seen by being shown.
        self.seen |= allowed
        allowed |= self.seen
        assert set(_CARD.findall(text)) <= allowed
        assert not _DOTTED.search(text)
        assert not _SYMBOL.search(text)
        return frame

    def sees(self, frame: dict[str, Any]) -> set[str]:
        """Dummy once a card is out; declarer when he is my robot partner, whose hand I play."""
        play, contract = frame["play"], frame["contract"]
        if not play:
            return set()
        out = {contract["dummy"]} if play["cards"] else set()
        robot = contract["declarer"] not in frame["humans"]
        return out | ({contract["declarer"]} if robot and contract["dummy"] == self.seat else set())

    def played(self, frame: dict[str, Any]) -> set[str]:
        tricks = [frame["play"]["trick"], frame["play"]["last"]] if frame["play"] else []
        return {c["card"] for trick in tricks if trick for c in trick["cards"]}


_MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in (5, 8)]


@pytest.mark.parametrize("seed", [4, *_MORE])
def test_two_people_and_two_robots_see_only_their_own(client: TestClient, seed: int) -> None:
    source = {"type": "random", "number": 1, "seed": seed}
    host = sit(client, seat="S", humans=["S", "E"], source=source)
    ticket = client.post(
        f"/api/tables/{host.table}/join", json={"invitation": host.invitations["E"]}
    ).json()
    guest = Seat(client, **ticket)
    people = {"S": host, "E": guest}
    watchers = {letter: Watcher(letter) for letter in people}
    path = f"/api/tables/{host.table}/socket"
    with client.websocket_connect(path) as south, client.websocket_connect(path) as east:
        sockets = {"S": south, "E": east}
        for letter, person in people.items():
            sockets[letter].send_text(json.dumps({"type": "join", "token": person.token}))
        _play(people)
        for letter, socket in sockets.items():
            while watchers[letter].check(socket.receive_text()).get("phase") != "over":
                pass
    assert min(w.frames for w in watchers.values()) > 8
    assert not watchers["S"].hand & watchers["E"].hand


def _play(people: dict[str, Seat]) -> None:
    """Everybody acts by REST whenever it is his turn; the sockets only listen."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        states = {letter: person.see() for letter, person in people.items()}
        if all(s["phase"] == "over" for s in states.values()):
            return
        for letter, state in states.items():
            if state["mine"]:
                people[letter].choose(state)
        time.sleep(0.03)
    raise AssertionError("the board did not end")


@pytest.mark.parametrize("token", ["x" * 32, ""])
def test_a_wrong_token_gets_nothing(client: TestClient, seat: Seat, token: str) -> None:
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as socket:
        socket.send_text(json.dumps({"type": "join", "token": token}))
        frame = json.loads(socket.receive()["bytes"])
        assert frame["type"] == "error"
        assert "hands" not in frame
        assert socket.receive()["type"] == "websocket.close"


def test_other_sites_may_not_connect(client: TestClient, seat: Seat) -> None:
    from starlette.websockets import WebSocketDisconnect

    path = f"/api/tables/{seat.table}/socket"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(path, headers={"origin": "https://elsewhere.example"}),
    ):
        pass


def test_the_log_holds_no_token(client: TestClient, seat: Seat) -> None:
    events = client.portal.call(client.app.state.room.log.events, seat.table)
    assert events
    assert seat.token not in repr(events)


def test_pages_cannot_be_framed_or_scripted_by_others(client: TestClient) -> None:
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "://" not in answer.text.replace("http://www.w3.org", "")
