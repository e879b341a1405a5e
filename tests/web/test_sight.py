"""What people have been shown decides who may sit where, take back, look on and be ranked."""

from __future__ import annotations

import asyncio
import json
import warnings
from typing import Any

import msgspec
import pytest

from tests.web.conftest import QUICK, SLAM, Seat, named, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from overtrick.game import Board
from overtrick.game import Seat as At
from overtrick.game.commitment import opened
from overtrick.web import contests
from overtrick.web.events import DECODER, Engines, Founded, Joined, Moved, Opens
from overtrick.web.sight import Sights, person_of


def _join(at: Seat, invitation: str, browser: str) -> Any:
    path = f"/api/tables/{at.table}/join"
    return at.client.post(path, json={"invitation": invitation}, headers=named(browser))


def _sits(at: Seat, invitation: str, browser: str) -> Seat:
    answer = _join(at, invitation, browser)
    assert answer.status_code == 201, answer.text
    return Seat(at.client, **answer.json(), browser=browser)


def _friends(client: TestClient, seats: str, **wish: Any) -> list[Seat]:
    """A table of friends, each with a browser of his own."""
    host = sit(client, "host", seat=seats[0], humans=list(seats), **wish)
    return [host, *(_sits(host, host.invitations[s], f"friend-{s}") for s in seats[1:])]


def _club(client: TestClient, **wish: Any) -> str:
    body = {"boards": 2, "ns": QUICK, "ew": QUICK, **wish}
    answer = client.post("/api/contests", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["contest"])


def _enter(client: TestClient, contest: str, browser: str, **wish: Any) -> Seat:
    path = f"/api/contests/{contest}/enter"
    answer = client.post(path, json={"name": browser, **wish}, headers=named(browser))
    assert answer.status_code == 201, answer.text
    return Seat(client, **answer.json(), browser=browser)


def _play(*people: Seat) -> None:
    while (states := [p.see() for p in people])[0]["phase"] != "over":
        for person, state in zip(people, states, strict=True):
            if state["mine"]:
                person.choose(state)


def _ranking(client: TestClient, contest: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/contests/{contest}").json()["ranking"]
    return found


def _unranked(seat: Seat) -> str:
    """Why the board that is over here does not count."""
    state = seat.wait(lambda s: bool(s["match"]["sheet"]))
    return str(state["match"]["sheet"][-1]["unranked"])


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize("seat", "NESW")
def test_nobody_sees_four_hands_by_changing_seats(client: TestClient, seat: str) -> None:
    contest = _club(client)
    mine = _enter(client, contest, "mover", seat=seat)
    path = f"/api/tables/{mine.table}/socket"
    seen: set[str] = set()
    with client.websocket_connect(path) as socket:
        socket.send_text(json.dumps({"type": "join", "token": mine.token, "browser": "mover"}))
        for to in "ESWN":  # all in one burst, before a robot can have called
            socket.send_text(json.dumps({"type": "move", "to": to}))
        socket.send_text(json.dumps({"type": "explain"}))  # answered after them
        while (frame := json.loads(socket.receive_text()))["type"] != "meanings":
            seen |= frame.get("hands", {}).keys()
    assert seen == {seat}


def test_each_board_is_credited_to_the_side_that_was_played(client: TestClient) -> None:
    contest = _club(client, boards=2)
    mine = _enter(client, contest, "turncoat", seat="N")
    mine.finish()
    assert mine.act(type="move", to="E").status_code == 200
    assert mine.act(type="next").status_code == 200
    state = mine.my_turn()
    mine.act(type="call", call="7NT", at=state["at"])
    mine.finish()
    sheet = mine.wait(lambda s: all(r["robots"] for r in s["match"]["sheet"]))["match"]["sheet"]
    row = sheet[1]
    assert row["line"]["score"] == -mine.see()["result"]["score_ns"]
    (told,) = _ranking(client, contest)
    assert told["imps"] == sum(r["imps"] for r in sheet)


def test_a_robots_answer_is_not_entered_for_a_person(client: TestClient) -> None:
    """The robot of an absent person is still thinking when they come back."""
    host, guest = _friends(client, "NE")
    room = client.app.state.room
    answer = room.robots.answer
    thinking, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(*arguments: Any) -> Any:
        thinking.set()
        await go_on.wait()
        return await answer(*arguments)

    async def comes_back() -> list[str]:
        live = await room.find(host.table)
        await asyncio.wait_for(thinking.wait(), 30)
        back = room.guest(live, guest.token, lambda frame: None, "friend-E")
        room.enter(live, back)
        go_on.set()
        await asyncio.wait_for(live.task, 30)
        room.leave(live, back)
        return [entry.seat.letter for entry in live.table.state.log]

    state = host.my_turn()
    host.act(type="call", call="Pass", at=state["at"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room.robots, "answer", slowly)
        assert host.act(type="substitute", seat="E").status_code == 200
        assert client.portal.call(comes_back) == ["N"]
    assert guest.see()["mine"]


# ---------------------------------------------------------------- links


def test_a_handed_over_seat_has_no_eyes_of_others(client: TestClient) -> None:
    """Whoever opens a table sits down in a friend's seat, makes a link to look over that shoulder
    and hands the seat on: the friend is alone with his cards, and is told who has seen them."""
    host = sit(client, "host", seat="S", humans=["S", "E"])
    east = _sits(host, host.invitations["E"], "host")
    assert host.see()["shared"] == ["ES"]
    watch = east.act(type="invite", watch=True).json()["invitation"]
    link = east.act(type="invite", seat="E").json()["invitation"]
    path = f"/api/tables/{host.table}/socket"
    with client.websocket_connect(path) as over_the_shoulder:
        over_the_shoulder.send_text(json.dumps({"type": "join", "token": watch}))
        assert "hands" in over_the_shoulder.receive_text()
        friend = _sits(host, link, "friend")
        # The link is asked about first: where it still stands, no error ever comes.
        assert Seat(client, host.table, "E", watch).act(type="chat", text="x").status_code == 403
        assert "hands" not in Seat(client, host.table, "E", watch).see()
        frame = json.loads(over_the_shoulder.receive_text())
        while frame["type"] != "error":
            frame = json.loads(over_the_shoulder.receive_text())
    assert "hands" not in east.see()
    assert friend.see()["seen"] == 2  # the opener, and a program that looked on
    assert friend.see()["links"] == {}
    _play(friend, host)
    assert _unranked(friend) == "known"


def test_who_looks_on_is_counted_by_links(client: TestClient) -> None:
    host, guest = _friends(client, "NE")
    assert host.see()["links"] == {}
    made = host.act(type="invite", watch=True).json()
    assert guest.see()["links"] == host.see()["links"] == {"N": 1}
    assert host.see()["seen"] == 0
    watcher = _sits(host, made["invitation"], "onlooker")
    assert watcher.see()["watching"]
    assert host.see()["seen"] == 1
    assert guest.see()["seen"] == 0


def test_nobody_makes_links_to_the_seats_of_others(client: TestClient) -> None:
    host, guest, third = _friends(client, "NES")
    with _online(host), _online(guest):
        assert guest.act(type="invite", seat="N").status_code == 403  # he is here
        asked = guest.act(type="invite", seat="S")  # is not; the other one has to agree
        assert asked.json()["type"] == "state"
        assert asked.json()["asked"]["what"] == "invite"
        assert len(host.see()["open"]) == 0
        assert host.act(type="agree").status_code == 200
        assert host.see()["open"] == ["S"]
    assert third.see()["hands"].keys() == {"S"}
    spare = sit(client, "host", seat="N", humans=["N", "E", "S"])
    other = _sits(spare, spare.invitations["E"], "other")
    assert other.act(type="invite", seat="S").status_code == 403  # not the opener
    assert spare.act(type="invite", seat="S").status_code == 200


def test_a_line_that_breaks_gives_nobody_the_cards(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = _friends(client, "NE")
    room = client.app.state.room
    with _online(guest):
        pass
    for action in ({"type": "substitute", "seat": "E"}, {"type": "invite", "seat": "E"}):
        answer = host.act(**action)
        assert answer.status_code == 403
        assert "a moment ago" in answer.json()["error"]
    monkeypatch.setattr(room, "blip", 0.0)
    link = host.act(type="invite", seat="E").json()["invitation"]
    for browser in ("host", "another-browser-of-the-host"):
        assert _join(host, link, browser).status_code == 403
    assert guest.see()["hands"].keys() == {"E"}


def test_a_hand_that_was_seen_keeps_its_viewer_out_of_other_seats(client: TestClient) -> None:
    host, guest = _friends(client, "NE")
    watch = host.act(type="invite", watch=True).json()["invitation"]
    assert _sits(host, watch, "spy").see()["watching"]
    link = guest.act(type="invite", seat="E").json()["invitation"]
    assert _join(host, link, "spy").status_code == 403
    assert _join(host, link, "fresh").status_code == 201


class _online:
    """A seat whose browser is connected while the block runs."""

    def __init__(self, seat: Seat) -> None:
        path = f"/api/tables/{seat.table}/socket"
        self.seat, self.socket = seat, seat.client.websocket_connect(path)

    def __enter__(self) -> Any:
        self.socket.__enter__()
        hello = {"type": "join", "token": self.seat.token, "browser": self.seat.browser}
        self.socket.send_text(json.dumps(hello))
        while json.loads(self.socket.receive_text())["type"] != "state":
            pass
        return self.socket

    def __exit__(self, *error: Any) -> None:
        self.socket.__exit__(*error)


# ---------------------------------------------------------------- taking back


def test_nothing_is_taken_back_behind_somebodys_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A robot that stands in for somebody does not agree for him."""
    monkeypatch.setattr(client.app.state.room, "blip", 0.0)
    host, guest = _friends(client, "NE")
    with _online(host):
        with _online(guest):
            for person in (host, guest):
                state = person.wait(lambda s: s["mine"])
                call = "7NT" if person is host else "Pass"
                person.act(type="call", call=call, at=state["at"])
            guest.wait(lambda s: len(s["auction"]) >= 4)
        assert host.act(type="substitute", seat="E").status_code == 200
        before = host.wait(lambda s: s["mine"] or s["phase"] == "over")
        host.act(type="undo")
        after = host.see()
        assert after["at"] >= before["at"]
        assert len(after["auction"]) == len(before["auction"])


# ---------------------------------------------------------------- chosen cards


@pytest.mark.parametrize(
    ("source", "chosen"),
    [
        ({"type": "random"}, False),
        ({"type": "random", "number": 5}, False),
        ({"type": "random", "seed": 7}, True),
        ({"type": "text", "text": SLAM}, True),
        ({"type": "script", "text": "hcp(north) > 10"}, True),
    ],
)
def test_cards_that_the_opener_chose_are_marked(
    client: TestClient, source: Any, chosen: bool
) -> None:
    host, guest = _friends(client, "NS", source=source)
    assert host.see()["chosen"] is guest.see()["chosen"] is chosen
    _play(host, guest)
    assert _unranked(host) == ("chosen" if chosen else "")
    contest = host.see()["match"]["contest"]
    told = client.get(f"/api/contests/{contest}").json()
    assert told["chosen"] is chosen
    assert bool(told["ranking"]) is not chosen
    late = _enter(client, contest, "late")  # by the link that every match has
    assert late.see()["chosen"] is chosen
    late.finish()
    assert bool(_ranking(client, contest)) is not chosen


# ---------------------------------------------------------------- the same boards twice


def test_four_seats_of_one_browser_are_noticed_and_not_ranked(client: TestClient) -> None:
    contest = _club(client)
    four = _enter(client, contest, "curious", humans=list("NESW"))
    seats = [four, *(_sits(four, four.invitations[s], "curious") for s in "NEW")]
    assert four.see()["shared"] == ["ENSW"]
    again = _enter(client, contest, "curious")
    again.finish()
    assert _unranked(again) == "twice"
    _play(*seats)
    assert _unranked(four) == "known"
    assert _ranking(client, contest) == []
    honest = _enter(client, contest, "honest")
    honest.finish()
    assert [r["name"] for r in _ranking(client, contest)] == ["honest"]


def test_programs_are_known_by_their_address(client: TestClient) -> None:
    contest = _club(client)
    one, two = (_enter(client, contest, "") for _ in range(2))
    one.finish()
    two.finish()
    assert {_unranked(one), _unranked(two)} == {"twice"}


def test_who_looked_on_is_not_ranked(client: TestClient) -> None:
    contest = _club(client)
    played = _enter(client, contest, "played")
    watch = played.act(type="invite", watch=True).json()["invitation"]
    assert _sits(played, watch, "looked").see()["watching"]
    later = _enter(client, contest, "looked")
    later.finish()
    assert _unranked(later) == "twice"
    played.finish()
    assert _unranked(played) == ""  # whoever looks on says nothing to him


# ---------------------------------------------------------------- promises and seeds


def test_the_cards_are_promised_and_opened(client: TestClient) -> None:
    contest = _club(client)
    promises = client.get(f"/api/contests/{contest}").json()["promises"]
    assert len(promises) == 2
    mine = _enter(client, contest, "promised")
    for index in range(2):
        sealed = mine.see()["sealed"]
        assert sealed == {"promise": promises[index], "text": None}
        assert mine.finish()["sealed"]["promise"] == sealed["promise"]
        (board,) = opened(mine.see()["sealed"]["text"], sealed["promise"])
        hands = mine.see()["result"]["hands"]
        assert {s.letter: [c.ascii for c in board.deal[s]] for s in At} == hands
        mine.act(type="next")


@pytest.mark.parametrize("path", ["/api/contests/daily", ""])
def test_daily_boards_and_practice_are_promised(client: TestClient, path: str) -> None:
    if path:
        told = client.get(path).json()
        assert len(set(told["promises"])) == contests.DAILY
        assert _enter(client, "daily", "x").see()["sealed"]["promise"] == told["promises"][0]
    else:
        seat = sit(client, auction_only=True)
        assert len(seat.see()["sealed"]["promise"]) == 64


def test_robots_are_told_no_seed_of_the_deal(client: TestClient) -> None:
    for only in (True, False):
        seat = sit(client, auction_only=only, source={"type": "random", "seed": 77})
        table = client.app.state.room.find
        state = client.portal.call(table, seat.table).table.state
        assert Board.random(state.board.number, 77) == state.board
        assert Board.random(state.board.number, state.seed) != state.board


def test_boards_of_a_match_have_seeds_that_nobody_can_try_out() -> None:
    engines = Engines("points", "highest")
    founded = Founded("", 5, 8, "imps", engines, engines, secret="of this match")
    found = contests.replayed("x", None, founded)
    seeds = [found.seed(i) for i in range(8)]
    assert min(seed.bit_length() for seed in seeds) > 128
    assert len({found.board(i).deal for i in range(8)}) == 8


# ---------------------------------------------------------------- what was kept stays what it was


def test_matches_of_before_have_the_same_boards() -> None:
    engines = Engines("points", "highest")
    found = contests.replayed("x", None, Founded("", 5, 8, "imps", engines, engines))
    assert found.board(0) == Board.random(1, 5)
    assert found.seed(1) == 125849776937912
    assert found.salt(1) == ""
    assert found.promises == ()


def test_events_of_before_are_read() -> None:
    kept: dict[bytes, Any] = {
        b'{"type":"joined","seat":"E","invitation":"i","token":"t","name":"Bob"}': Joined(
            "E", "i", "t", "Bob"
        ),
        b'{"type":"opens","seat":"N","invitation":"i","watch":true}': Opens("N", "i", True),
        b'{"type":"moved","seat":"N","to":"S"}': Moved("N", "S"),
    }
    for text, event in kept.items():
        assert DECODER.decode(text) == event
    line = b'{"contract":"","declarer":"","made":"","tricks":null,"score_ns":0}'
    found = msgspec.json.decode(line, type=contests.Line)
    assert (found.unranked, found.side) == ("", None)


def test_sights_add_up() -> None:
    ann, bob = person_of("ann", ""), person_of("", "192.0.2.1")
    assert ann != bob != person_of("192.0.2.1", "") != person_of("", "ann")
    north, east = [At.NORTH], [At.EAST]
    sights = Sights().after({ann: north, bob: east}, {ann: north, bob: east}, 0)
    assert not sights.knowing
    assert sights.others(At.NORTH, [ann]) == frozenset()
    more = sights.after({bob: [At.EAST, At.NORTH]}, {bob: east}, 3)
    assert more.knowing == {bob}
    assert more.others(At.NORTH, [ann]) == {bob}
    assert [s.since for s in more.all] == [0, 0, 3]
    assert more.after({ann: north}, {}, 9) is more
