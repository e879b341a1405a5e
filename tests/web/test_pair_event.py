"""An event of pairs by script: entering, rounds, a late pair, a substitute, rulings, results."""

from __future__ import annotations

import csv
import io
import warnings
from typing import Any

import pytest

from tests.web.conftest import named

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient


class Director:
    """Whoever has arranged an event."""

    def __init__(self, client: TestClient, **wish: Any) -> None:
        self.client = client
        made = client.post("/api/events", json={"title": "Tuesday", "each": 1, **wish})
        assert made.status_code == 201, made.text
        self.event, self.token = made.json()["event"], made.json()["director"]

    @property
    def path(self) -> str:
        return f"/api/events/{self.event}"

    def does(self, status: int = 200, **word: Any) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = self.client.post(f"{self.path}/direct", json=word, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def desk(self) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.client.get(f"{self.path}/desk", headers=headers).json()


class Player:
    """Somebody in an event, with one token for all tables."""

    def __init__(self, director: Director, name: str, invitation: str = "") -> None:
        self.director, self.client, self.name = director, director.client, name
        wish = {"name": name, **({"invitation": invitation} if invitation else {})}
        path = f"{director.path}/{'join' if invitation else 'enter'}"
        answer = self.client.post(path, json=wish, headers=named(name))
        assert answer.status_code == 201, answer.text
        self.token, self.invitation = answer.json()["token"], answer.json()["invitation"]

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **named(self.name)}

    def mine(self) -> dict[str, Any]:
        return self.client.get(self.director.path, headers=self.headers).json()["mine"]

    def see(self) -> dict[str, Any]:
        return self.client.get(f"/api/tables/{self.mine()['table']}", headers=self.headers).json()

    def act(self, **message: Any) -> Any:
        path = f"/api/tables/{self.mine()['table']}/act"
        return self.client.post(path, headers=self.headers, json=message)


def pair(director: Director, number: int) -> list[Player]:
    first = Player(director, f"Ann {number}")
    return [first, Player(director, f"Bob {number}", first.invitation)]


def pass_out(players: list[Player]) -> None:
    """Everybody who sits at a table passes until nobody has anything left to do."""
    for _ in range(4):
        for player in players:
            if player.mine()["table"] and (now := player.see())["mine"]:
                assert player.act(type="call", call="Pass", at=now["at"]).status_code == 200


@pytest.fixture
def director(client: TestClient) -> Director:
    return Director(client, movement="howell")


def test_an_event_from_entry_to_results(director: Director, client: TestClient) -> None:
    pairs = [pair(director, i) for i in range(1, 4)]
    director.does(403, type="begin")  # three pairs are too few
    robots = director.does(type="robots")["pairs"]
    director.does(type="withdraw", entry=robots[-1]["entry"])
    pairs.append(pair(director, 4))
    desk = director.does(type="begin")
    assert (desk["state"], desk["round"], desk["rounds"], len(desk["tables"])) == (
        "playing", 1, 3, 2,
    )  # fmt: skip
    everybody = [p for members in pairs for p in members]
    places = {(p.mine()["number"], p.mine()["seat"]) for p in everybody}
    assert len(places) == 8
    director.does(403, type="next")  # nobody has played
    pass_out(everybody)
    over = everybody[0].see()
    assert over["phase"] == "over"
    assert "the director begins the next" in everybody[0].act(type="next").json()["error"]
    assert not director.desk()["waiting"]
    director.does(type="adjust", number=1, table=1, board=desk["tables"][0]["board"],
                  reason="slow play", ns=40, ew=60)  # fmt: skip
    director.does(type="next")
    assert len({p.mine()["table"] for p in everybody}) == 2
    director.does(type="next", unplayed=True)
    director.does(type="penalty", pair=2, points=-1.5, reason="late")
    director.does(403, type="close")
    pass_out(everybody)
    page = client.get(director.path).json()
    assert page["travellers"] == page["log"] == []
    assert client.get(f"{director.path}/results").status_code == 403
    closed = director.does(type="close")
    reasons = [line["reason"] for line in closed["log"]]
    assert reasons == ["slow play", "not played in time", "not played in time", "late"]
    page = client.get(director.path).json()
    assert len(page["travellers"]) == 3
    (ranking,) = page["rankings"]
    assert sum(row["boards"] for row in ranking["rows"]) == 12
    assert ranking["rows"][-1]["pair"] == 2
    table = list(csv.reader(io.StringIO(client.get(f"{director.path}/results?form=csv").text)))
    assert len(table) == 5
    printed = client.get(f"{director.path}/results")
    assert "Ann 1 – Bob 1" in printed.text
    assert "slow play" in printed.text
    assert "[Board" in client.get(f"{director.path}/results?form=pbn").text
    assert "<USEBIO" in client.get(f"{director.path}/results?form=xml").text


def test_a_late_pair_takes_the_place_of_the_missing_one(director: Director) -> None:
    everybody = [p for i in range(1, 6) for p in pair(director, i)]
    desk = director.does(type="begin")
    assert desk["more"]
    idle = [p for p in everybody if p.mine()["sits_out"]]
    assert len(idle) == 2
    pass_out(everybody)
    late = pair(director, 6)
    assert late[0].mine()["pair"] == 6
    assert not late[0].mine()["table"]
    director.does(type="next")
    assert all(p.mine()["table"] for p in [*everybody, *late])
    assert not director.desk()["more"]
    answer = director.client.post(f"{director.path}/enter", json={"name": "Zoe"})
    assert "no place is empty" in answer.json()["error"]


def test_a_substitute_takes_the_seat(director: Director) -> None:
    pairs = [pair(director, i) for i in range(1, 5)]
    desk = director.does(type="begin")
    leaver = pairs[0][1]
    other = next(p for p in (*pairs[1], *pairs[2], *pairs[3])
                 if p.mine()["number"] != leaver.mine()["number"])  # fmt: skip
    place = leaver.mine()
    link = director.does(type="offer", entry=desk["pairs"][0]["entry"], member=1)["invitation"]
    path = f"{director.path}/join"
    taken = director.client.post(
        path, json={"invitation": link, "name": "Zoe"}, headers=named(other.name)
    )
    assert taken.status_code == 403  # who plays in another pair knows too much
    hands = leaver.see()["hands"]
    came = Player(director, "Zoe", link)
    assert came.mine()["seat"] == place["seat"]
    assert came.see()["hands"] == hands
    assert leaver.client.get(
        f"/api/tables/{place['table']}", headers=leaver.headers
    ).status_code == 403  # fmt: skip
    assert "Zoe instead of Bob 1" in director.desk()["log"][-1]["words"]


def test_who_has_not_come_is_played_by_a_robot_that_gives_the_seat_back(
    director: Director,
) -> None:
    others = [p for i in range(1, 4) for p in pair(director, i)]
    alone = Player(director, "Eve")
    director.does(type="begin")
    state = alone.see()
    assert len(state["away"]) == 1
    friend = Player(director, "Flo", alone.invitation)
    assert friend.see()["away"] == []
    assert friend.mine()["partner"] == "Eve"
    assert len(others) == 6


def test_tables_of_an_event_ask_nobody_and_let_nobody_in(director: Director) -> None:
    everybody = [p for i in range(1, 5) for p in pair(director, i)]
    desk = director.does(type="begin")
    for word in ("hint", "again", "invite"):
        assert "call the director" in everybody[0].act(type=word).json()["error"]
    headers = everybody[0].headers
    called = director.client.post(
        f"{director.path}/call", json={"words": "revoke"}, headers=headers
    )
    assert called.status_code == 200
    table = everybody[0].mine()["number"]
    shown = next(t for t in director.desk()["tables"] if t["table"] == table)
    assert shown["called"] == "revoke"
    assert "hands" not in shown
    director.does(type="attended", table=table)
    look = director.does(type="look", table=table)["look"]
    assert look.startswith("/table/")
    assert everybody[0].see()["links"]
    director.does(422, type="adjust", number=1, table=9, board=1, reason="x", ns=60, ew=40)
    director.does(422, type="adjust", number=1, table=1, board=1, reason="", ns=60, ew=40)
    board = desk["tables"][0]["board"]
    director.does(type="adjust", number=1, table=1, board=board, reason="by law 12",
                  contract="4SX N", tricks=9)  # fmt: skip


def test_only_the_director_directs(director: Director, client: TestClient) -> None:
    pair(director, 1)
    answer = client.post(
        f"{director.path}/direct", json={"type": "begin"},
        headers={"Authorization": "Bearer " + "x" * 32},
    )  # fmt: skip
    assert answer.status_code == 403
    assert client.get("/api/events/nothing").status_code == 404
