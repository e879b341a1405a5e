"""The tools: suits, deals, the book, the decoder's hands, matches, and the worlds of a decision."""

from __future__ import annotations

import sqlite3
import warnings
from pathlib import Path

import pytest

from overtrick.arena import Match, play_match
from overtrick.arena.store import Store
from overtrick.arena.tournament import Tournament, play_tournament
from overtrick.game import Deal
from overtrick.web import app, matches, messages, tools
from tests.web.conftest import plain, quick_config

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

FIELD = ("points", "pass", "points+random")
LIN = (
    "pn|a,b,c,d|st||md|1SK5HAJ73DQ82CKQ94,SAJ73HKT4DAK94C86,SQ9862HQ85DJ5CA52,|sv|o|ah|Board 1|"
    "mb|1C|mb|X|mb|1S|mb|p|mb|1N|mb|p|mb|p|mb|p|pc|DA|pc|D5|pc|DT|pc|D2|pc|DK|pc|DJ|pc|D6|pc|D8|"
)


def test_a_suit_with_its_line(client: TestClient) -> None:
    found = client.post("/api/suit", json={"north": "AQT98", "south": "5432", "tricks": 4}).json()
    chances = {g["tricks"]: round(100 * g["chance"], 2) for g in found["goals"]}
    assert chances[4] == 82.78
    assert chances[5] == 26.57
    plan = found["plans"][found["line"]]
    assert plan["hand"] == "S"
    assert plan["answers"]
    assert sum(r["chance"] for r in found["layouts"]) == pytest.approx(1)
    wrong = client.post("/api/suit", json={"north": "AAK", "south": "xx"})
    assert wrong.status_code == 422


def test_deals_in_words(client: TestClient) -> None:
    wish = {"north": "hcp 15..17, balanced", "south": "spades 5+", "count": 200, "solve": 1}
    found = client.post("/api/deal", json=wish).json()
    assert found["deals"] == 200
    assert sum(found["hands"]["N"]["hcp"][15:]) == pytest.approx(1, abs=0.01)
    assert len(found["boards"]) == 8
    assert all(sum(c[0] == "S" for c in b["hands"]["S"]) >= 5 for b in found["boards"])
    assert len(found["solved"]) == 1
    assert '[Deal "' in found["pbn"]
    again = client.post("/api/deal", json=wish).json()
    assert again["boards"] == found["boards"]


@pytest.mark.parametrize("wish", ["hcp 40", "hcp ..", "spades 14", "!!"])
def test_deals_that_cannot_be(client: TestClient, wish: str) -> None:
    answer = client.post("/api/deal", json={"west": wish})
    assert answer.status_code == 422
    assert "West" in answer.json()["error"]


def test_deals_by_a_script(client: TestClient) -> None:
    script = 'condition hcp(north) >= 20\naction average "mine" hcp(north)'
    found = client.post("/api/deal", json={"script": script, "count": 100}).json()
    assert found["statistics"][0]["label"] == "mine"
    assert found["statistics"][0]["value"] >= 20


def test_the_book_goes_on_call_by_call(client: TestClient) -> None:
    names = [s["name"] for s in client.get("/api/systems").json()]
    assert "sayc" in names
    first = client.post("/api/book", json={"system": "sayc"}).json()
    assert {"1C", "1NT", "2C"} <= {c["call"] for c in first["next"]}
    assert first["card"]
    after = client.post("/api/book", json={"system": "sayc", "auction": "1NT Pass"}).json()
    stayman = next(c for c in after["next"] if c["call"] == "2C")
    assert stayman["convention"] == "stayman"
    assert all(len(hand) == 13 for hand in stayman["samples"])
    assert client.post("/api/book", json={"system": "nothing"}).status_code == 422
    assert client.post("/api/book", json={"system": "../x"}).status_code == 400


def test_the_decoder_shows_hands(client: TestClient) -> None:
    body = {"auction": "1NT Pass 2H", "bidder": "rules(system=sayc)", "samples": 2}
    found = client.post("/api/decode", json=body).json()
    hands = found["calls"][2]["samples"]
    assert len(hands) == 2
    assert all(sum(c[0] == "S" for c in hand) >= 5 for hand in hands)
    assert found["turn"] == "W"


def test_the_decoder_lists_only_calls_that_some_hand_makes() -> None:
    asked = messages.Decode(bidder="partner", auction="1NT Pass 2H Pass")
    found = plain(tools.decoded(asked, "partner(system=two-over-one)"))
    assert [row["call"] for row in found["next"]] == ["2S", "3S"]
    assert all(row["samples"] for row in found["next"])


@pytest.mark.parametrize(("kind", "index", "hidden"), [("call", 2, "ESW"), ("card", 5, "EW")])
def test_the_worlds_of_a_decision(client: TestClient, kind: str, index: int, hidden: str) -> None:
    body = {"text": LIN, "kind": kind, "index": index}
    found = client.post("/api/review/worlds", json=body).json()
    assert found["worlds"] > 100
    assert set(found["hands"]) == set(hidden)
    seen = {c for s in found["known"] for c in _hand(s)}
    for letter, hand in found["hands"].items():
        assert sum(hand["cards"].values()) == pytest.approx(13, abs=0.1)
        assert sum(hand["hcp"]) == pytest.approx(1, abs=0.01)
        assert not seen & set(hand["cards"])
        assert hand["truth"]["cards"] == _hand(letter)
    total: dict[str, float] = {}
    for hand in found["hands"].values():
        for card, chance in hand["cards"].items():
            total[card] = total.get(card, 0) + chance
    assert max(total.values()) < 1.01


def _hand(letter: str) -> list[str]:
    from overtrick import notation

    deal = notation.loads(LIN).records[0].deal
    assert isinstance(deal, Deal)
    return [c.ascii for c in deal["NESW".index(letter)]]


def test_a_decision_that_is_not_there(client: TestClient) -> None:
    body = {"text": LIN, "kind": "card", "index": 40}
    assert client.post("/api/review/worlds", json=body).status_code == 422


def test_boards_of_a_match(client: TestClient) -> None:
    wish = {"a": "points", "b": "pass", "start": 3, "count": 2}
    found = client.post("/api/match", json=wish).json()
    assert [b["number"] for b in found] == [3, 4]
    assert all(b["open"]["lin"].startswith("pn|") for b in found)
    refused = client.post("/api/match", json={**wish, "a": "external(command=x)"})
    assert refused.status_code == 422


def test_stored_matches_and_tournaments(tmp_path: Path) -> None:
    job = Match("points", "pass", 4)
    store = Store(tmp_path / "four.sqlite", job)
    play_match(job, store)
    store.close()
    (tmp_path / "notes.sqlite").write_text("no match, though it has the name of one " * 30)
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE letters (text TEXT)")
    other.close()
    before = (tmp_path / "other.sqlite").read_bytes()
    play_tournament(Tournament("swiss", FIELD, 2, rounds=2, method="play"), tmp_path / "cup")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "tournament.json").write_text("{")
    config = quick_config(":memory:", str(tmp_path))
    with TestClient(app(config)) as client:
        (listed,) = client.get("/api/matches").json()
        assert listed["name"] == "four.sqlite"
        assert listed["boards"] == 4
        report = client.get("/api/matches/four.sqlite").json()
        assert len(report["boards"]) == 4
        assert report["figures"]
        assert client.get("/api/matches/notes.sqlite").status_code == 404
        assert (tmp_path / "other.sqlite").read_bytes() == before
        assert client.get("/api/matches/..%2Ffour.sqlite").status_code == 404
        _look_at_the_cup(client)


def _look_at_the_cup(client: TestClient) -> None:
    (listed,) = client.get("/api/tournaments").json()
    assert (listed["name"], listed["kind"], listed["matches"]) == ("cup", "swiss", 2)
    cup = client.get("/api/tournaments/cup").json()
    assert cup["engines"] == list(FIELD)
    assert cup["rows"][0]["place"] == 1
    assert len(cup["byes"]) == 2
    assert sum(r["rating"] for r in cup["rows"]) == pytest.approx(0, abs=1e-9)
    first = cup["matches"][0]
    assert first["over"]
    report = client.get("/api/matches/" + first["file"]).json()
    assert sum(b["imps"] for b in report["boards"]) == first["imps"]
    for name in ("nothing", "broken", "cup%2Fcup"):
        assert client.get(f"/api/tournaments/{name}").status_code == 404
    for name in ("cup/nothing.sqlite", "cup/tournament.json", "..%2Fcup/x.sqlite", "cup/.sqlite"):
        assert client.get(f"/api/matches/{name}").status_code == 404


def test_a_folder_that_is_a_tournament(tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    play_tournament(Tournament("pairs", FIELD, 2, method="play"), folder)
    assert matches.listed(str(folder)) == []
    assert [t["name"] for t in plain(matches.tournaments(str(folder)))] == ["cup"]
    cup = plain(matches.tournament(str(folder), "cup"))
    assert len(plain(matches.report(str(folder), cup["matches"][0]["file"]))["boards"]) == 2
    assert sum(r["points"] for r in cup["rows"]) == pytest.approx(150, abs=0.1)
    assert matches.tournaments("") == matches.tournaments(str(tmp_path / "none")) == []


def test_a_call_judged_over_possible_deals(client: TestClient) -> None:
    body = {"text": LIN, "kind": "call", "index": 4}
    found = client.post("/api/review/judge", json=body).json()
    assert found["done"] == "1NT"
    assert found["word"] in ("good", "close", "wrong")
    assert {"1NT", "Pass"} <= {c["action"] for c in found["choices"]}
    own = next(c for c in found["choices"] if c["action"] == "1NT")
    assert (own["imps"], own["error"]) == (0, pytest.approx(0, abs=0.1))
    assert client.post("/api/review/judge", json={**body, "index": 30}).status_code == 422
