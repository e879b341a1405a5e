"""People at a table: undo by consent, substitutes, onlookers, changing seats, chat, new links."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

from tests.web.conftest import SLAM, Seat, named, plain, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from overtrick.web.application import reach


def _join(
    client: TestClient, table: str, invitation: str, name: str = "", browser: str = ""
) -> Seat:
    path, wish = f"/api/tables/{table}/join", {"invitation": invitation, "name": name}
    answer = client.post(path, json=wish, headers=named(browser))
    assert answer.status_code == 201, answer.text
    return Seat(client, **answer.json(), browser=browser)


def _two(client: TestClient, seats: str = "NE", **wish: Any) -> tuple[Seat, Seat]:
    wish = {"source": {"type": "random", "number": 1, "seed": 1}, **wish}
    host = sit(client, "ann", seat=seats[0], humans=list(seats), name="Ann", **wish)
    return host, _join(client, host.table, host.invitations[seats[1]], "  Bob\n ", "bob")


class Online:
    """A seat whose browser is connected while the block runs."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.socket = seat.client.websocket_connect(f"/api/tables/{seat.table}/socket")

    def __enter__(self) -> Online:
        self.socket.__enter__()
        self.socket.send_text(json.dumps({"type": "join", "token": self.seat.token}))
        self.until(lambda f: f["type"] == "state")
        return self

    def until(self, wanted: Any) -> dict[str, Any]:
        while True:
            frame: dict[str, Any] = json.loads(self.socket.receive_text())
            if wanted(frame):
                return frame

    def __exit__(self, *error: Any) -> None:
        self.socket.__exit__(*error)


def test_names_are_shown_in_one_line(client: TestClient) -> None:
    host, guest = _two(client)
    assert host.see()["names"] == {"N": "Ann", "E": "Bob"}
    assert guest.seat == "E"


def test_undo_needs_the_others(client: TestClient) -> None:
    host, guest = _two(client)
    with Online(host), Online(guest):
        host.choose(host.my_turn())
        assert host.act(type="undo").status_code == 200
        asked = guest.wait(lambda s: s["asked"] is not None)
        assert asked["asked"] == {"seat": "N", "what": "undo", "about": None, "agreed": []}
        assert len(asked["auction"]) == 1  # nothing happens before they agree
        assert host.act(type="agree").status_code == 403  # not one's own wish
        assert guest.act(type="agree", yes=False).status_code == 200
        assert len(host.see()["auction"]) == 1
        host.act(type="undo")
        guest.wait(lambda s: s["asked"] is not None)
        assert guest.act(type="agree").status_code == 200
        assert host.see()["auction"] == []


def test_no_undo_once_a_robots_card_is_seen(client: TestClient) -> None:
    wish = {"source": {"type": "text", "text": SLAM}, "auto": False}
    host = sit(client, seat="N", humans=["N", "S"], **wish)
    guest = _join(client, host.table, host.invitations["S"])
    with Online(host), Online(guest):
        host.act(type="call", call="7NT", at=host.my_turn()["at"])
        guest.choose(guest.my_turn())
        state = host.wait(lambda s: s["phase"] == "play" and s["mine"])
        host.act(type="card", card=state["legal"][0], at=state["at"])
        host.wait(lambda s: s["play"]["cards"] >= state["play"]["cards"] + 2)
        assert not host.see()["can_undo"]


def test_undo_of_a_claim_leaves_the_cards(client: TestClient) -> None:
    seat = sit(client, seat="N", source={"type": "text", "text": SLAM}, auto=False)
    seat.act(type="call", call="7NT", at=seat.my_turn()["at"])
    while (state := seat.my_turn())["phase"] == "auction":
        seat.choose(state)
    while state["play"]["trick"]:
        seat.act(type="card", card=state["legal"][0], at=state["at"])
        state = seat.wait(lambda s: s["mine"])
    played = state["play"]["cards"]
    assert seat.act(type="claim", tricks=state["play"]["left"]).status_code == 200
    assert seat.act(type="undo").status_code == 200
    after = seat.see()
    assert after["phase"] == "play"
    assert after["play"]["cards"] == played


def test_a_robot_stands_in_and_gives_the_seat_back(client: TestClient) -> None:
    host, guest = _two(client)
    with Online(host):
        host.choose(host.my_turn())
        state = host.wait(lambda s: s["turn"] == "E")
        assert not state["mine"]
        assert host.act(type="substitute", seat="E").status_code == 200
        host.wait(lambda s: len(s["auction"]) >= 2)
        assert host.see()["away"] == ["E"]
        with Online(guest):
            assert host.see()["away"] == []


def test_nobody_who_is_there_is_replaced(client: TestClient) -> None:
    host, guest = _two(client)
    with Online(guest):
        assert host.act(type="substitute", seat="E").status_code == 403
    assert host.act(type="substitute", seat="W").status_code == 403


def test_a_new_link_for_a_seat_that_was_left(client: TestClient) -> None:
    host, guest = _two(client)
    made = host.act(type="invite", seat="E").json()
    answer = _take(host, made["invitation"], "cyd")
    assert answer.status_code == 403  # whoever is away holds a hand of this board
    assert guest.see()["hands"].keys() == {"E"}
    _over(host, guest)
    other = _join(client, host.table, made["invitation"], "Cyd", "cyd")
    assert other.see()["names"]["E"] == "Cyd"
    assert guest.act(type="call", call="Pass", at=0).status_code == 403  # the old token is void


def _take(at: Seat, invitation: str, browser: str) -> Any:
    path = f"/api/tables/{at.table}/join"
    return at.client.post(path, json={"invitation": invitation}, headers=named(browser))


def _over(*people: Seat) -> None:
    """Everybody plays until the board is over."""
    while (states := [p.see() for p in people])[0]["phase"] != "over":
        for person, state in zip(people, states, strict=True):
            if state["mine"]:
                person.choose(state)


def test_onlookers_see_one_hand_and_do_nothing(client: TestClient) -> None:
    host, _ = _two(client)
    made = host.act(type="invite", watch=True).json()
    for _ in range(2):  # the link works for many
        watcher = _join(client, host.table, made["invitation"])
        state = watcher.see()
        assert state["watching"]
        assert set(state["hands"]) == {"N"}
        assert not state["mine"]
        for action in ({"type": "call", "call": "Pass", "at": 0}, {"type": "hint"},
                       {"type": "undo"}, {"type": "invite", "watch": True},
                       {"type": "chat", "text": "the ace is offside"}):  # fmt: skip
            assert watcher.act(**action).status_code == 403


def test_seats_are_changed_between_boards(client: TestClient) -> None:
    host, guest = _two(client)
    assert host.act(type="move", to="E").status_code == 403  # taken
    assert host.act(type="move", to="S").status_code == 403  # a dealt board is seen
    _over(host, guest)
    assert host.act(type="move", to="S").status_code == 200
    assert host.act(type="next").status_code == 200
    state = host.see()
    assert state["seat"] == "S"
    assert set(state["hands"]) == {"S"}
    assert sorted(state["humans"]) == ["E", "S"]
    assert guest.see()["seat"] == "E"
    assert guest.see()["seen"] == state["seen"] == 0


def test_chat_reaches_everybody_in_one_line(client: TestClient) -> None:
    host, guest = _two(client)
    with Online(guest) as listening:
        assert host.act(type="chat", text="good\nevening").status_code == 200
        word = listening.until(lambda f: f["type"] == "chat")
    assert word["text"] == "good evening"
    assert word["name"] == "Ann"
    with Online(guest) as later:
        assert later.socket is not None  # what was said is told again to who comes back


@pytest.mark.parametrize(("host", "opened"), [("127.0.0.1", False), ("localhost", False),
                                              ("192.0.2.7", True), ("0.0.0.0", True)])  # fmt: skip
def test_the_page_knows_how_others_reach_it(host: str, opened: bool) -> None:
    found = plain(reach(host, 8000))
    assert found["open"] is opened
    if host == "192.0.2.7":
        assert found["addresses"] == ["http://192.0.2.7:8000"]
