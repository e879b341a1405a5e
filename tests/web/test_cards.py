"""Cards over the web: shown, read, printed, measured, played at a table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import QUICK, sit

CARD = "two-over-one -bergen"


def test_a_card_and_its_switches(client: Any) -> None:
    found = client.post("/api/card", json={"card": "two-over-one +dont", "name": "Anna"}).json()
    assert found["card"] == "two-over-one -cappelletti +dont"  # what it excludes goes off
    assert found["robot"] == "partner(system='two-over-one -cappelletti +dont')"
    rows = {s["name"]: s for s in found["switches"]}
    assert rows["dont"]["on"]
    assert not rows["dont"]["standard"]
    assert rows["strong-2c"]["fixed"]
    assert all(s["about"] for s in found["switches"])
    page = client.get("/api/card/print", params={"card": CARD, "name": "A<b>", "form": "wbf"})
    assert page.headers["content-type"].startswith("text/html")
    assert "script" not in page.headers["content-security-policy"]
    assert "A&lt;b&gt;" in page.text


def test_a_card_of_another_program(client: Any) -> None:
    text = "System type = 0\nBergen = 0\nMulti = 1\nOpponent type = 0\n"
    found = client.post("/api/card/read", json={"text": text, "file": "mine.bbsa"}).json()
    assert found["card"] == CARD
    assert found["unmapped"] == ["mine.bbsa:3: Multi = 1: no switch here"]
    ours = 'card = 1\nname = "Anna"\nsystem = "two-over-one"\n[switches]\nbergen = false\n'
    again = client.post("/api/card/read", json={"text": ours, "file": "mine.toml"}).json()
    assert (again["card"], again["name"]) == (CARD, "Anna")


@pytest.mark.parametrize(
    ("path", "wish", "words"),
    [
        ("/api/card", {"card": "two-over-one +dont +cappelletti"}, "cannot be played together"),
        ("/api/card", {"card": "nonsense"}, "there is no system"),
        ("/api/card", {"card": "../../etc"}, "not understood"),
        ("/api/card", {"card": "sayc " + "+x" * 2000}, "not understood"),
        ("/api/card/read", {"text": 'card = 1\nsystem = "/etc/x.toml"\n'}, "there is no system"),
        ("/api/card/read", {"text": "rm -rf\n"}, "reads `Name = 0 or 1`"),
        ("/api/card/read", {"text": "x" * 70_000}, "not understood"),
        ("/api/tables", {"ns": {**QUICK, "bidder": "rules(system='sayc +dont +cappelletti')"}},
         "cannot be played together"),
        ("/api/tables", {"ns": {**QUICK, "bidder": "rules(system=./x.toml)"}}, "offers no engine"),
        ("/api/tables", {"ns": {**QUICK, "bidder": "pidm(system='sayc +dont', worlds=9)"}},
         "offers no engine"),
    ],
)  # fmt: skip
def test_wrong_cards_are_refused_in_one_line(
    client: Any, path: str, wish: dict[str, Any], words: str
) -> None:
    answer = client.post(path, json=wish)
    assert answer.status_code in (400, 422)
    assert words in answer.json()["error"]


def test_robots_play_the_card_and_declare_it(client: Any) -> None:
    mine = {"bidder": f"rules(system='{CARD}')", "player": "highest"}
    seat = sit(client, ns=mine, source={"type": "random", "number": 1, "seed": 7})
    state = seat.my_turn()
    assert state["systems"]["NS"] == CARD
    assert seat.finish()["phase"] == "over"


def test_what_a_card_costs_comes_piece_by_piece(client: Any) -> None:
    found = client.post("/api/card/cost", json={"card": "sayc", "seed": 1}).json()
    assert found == {"deals": 64, "sum": 0.0, "squares": 0.0, "changed": 0}  # beside itself
