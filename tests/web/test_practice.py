"""Decks: problems with awards, boards one after the other, scripts that deal again, judgement."""

from __future__ import annotations

import asyncio
import json
import warnings
from typing import Any

import pytest

from overtrick.arena.challenge import award
from overtrick.arena.problemsets import shipped
from overtrick.web import problems
from overtrick.web.problems import deck_of
from overtrick.web.robots import Patience
from tests.web.conftest import SLAM, Seat, sit

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

HANDS = dict(zip("NESW", SLAM[2:].split(), strict=True))
PROBLEM = {
    "set": "club night", "board": "1", "dealer": "W", "vul": "None", "hands": HANDS,
    "awards": {"7N": 10, "6N": 4}, "opponents_calls": ["1H", "AC", "P"],
}  # fmt: skip
BIDS = {"bidder": "points", "player": "highest"}


def _problems(*more: dict[str, Any]) -> dict[str, Any]:
    lines = [PROBLEM, *({**PROBLEM, **m} for m in more)]
    return {"type": "problems", "text": "\n".join(json.dumps(line) for line in lines)}


def _judged(seat: Seat) -> dict[str, Any]:
    seat.finish()
    return seat.wait(lambda s: s["result"] is not None and s["result"]["judged"] is not None)


def test_our_own_sets_are_sound() -> None:
    assert len(shipped()) >= 4
    for found in shipped():
        assert len(found.problems) >= 10
        for problem in found.problems:
            problem.table()
            assert problem.best == 10
            assert award(problem, None) >= 0


def test_a_problem_is_bid_against_its_script_and_judged(client: TestClient) -> None:
    seat = sit(client, seat="N", ns=BIDS, source=_problems(), auction_only=True)
    state = seat.my_turn()
    assert [c["call"] for c in state["auction"]] == ["1H"]
    assert state["practice"]["count"] == 1
    seat.act(type="call", call="7NT", at=state["at"])
    over = _judged(seat)
    judged = over["result"]["judged"]
    assert judged["award"] == 10
    assert judged["tricks"] == 13
    assert judged["imps"] == 0
    assert judged["robots"]["auction"].startswith("1H")
    assert over["practice"]["earned"] == 10


def test_the_first_result_counts_and_the_deck_goes_on(client: TestClient) -> None:
    source = _problems({"board": "2", "dealer": "N", "opponents_calls": []})
    seat = sit(client, seat="N", ns=BIDS, source=source, auction_only=True)
    first = _judged(seat)
    assert first["practice"]["earned"] == 0
    seat.act(type="again")
    state = seat.my_turn()
    seat.act(type="call", call="7NT", at=state["at"])
    again = _judged(seat)
    assert again["result"]["judged"]["award"] == 10
    assert again["practice"]["earned"] == 0
    seat.act(type="next")
    second = seat.my_turn()
    assert second["practice"]["index"] == 1
    assert second["dealer"] == "N"
    seat.act(type="call", call="7NT", at=second["at"])
    assert _judged(seat)["practice"]["earned"] == 10
    seat.act(type="next")
    assert seat.see()["practice"]["index"] == 0


def test_a_shipped_set(client: TestClient) -> None:
    sets = client.get("/api/problems").json()
    assert "problems" in sets[0]
    name = sets[0]["name"]
    seat = sit(client, ns=BIDS, source={"type": "problems", "set": name}, auction_only=True)
    assert seat.see()["practice"]["count"] == sets[0]["problems"]
    wrong = client.post("/api/tables", json={"source": {"type": "problems", "set": "nothing"}})
    assert wrong.status_code == 422


def test_silent_opponents(client: TestClient) -> None:
    seat = sit(client, source={"type": "random", "number": 2, "seed": 5}, auction_only=True,
               silent=True)  # fmt: skip
    over = _judged(seat)
    theirs = [c["call"] for c in over["auction"] if c["seat"] in "EW"]
    assert set(theirs) == {"Pass"}
    assert over["result"]["judged"]["award"] is None


def test_pasted_boards_come_one_after_the_other(client: TestClient) -> None:
    other = SLAM.replace("N:", "E:")
    text = f'[Board "1"]\n[Deal "{SLAM}"]\n\n[Board "2"]\n[Deal "{other}"]\n'
    seat = sit(client, seat="N", source={"type": "text", "text": text}, auction_only=True)
    north = seat.see()["hands"]["N"]
    _judged(seat)
    seat.act(type="next")
    assert seat.see()["number"] == 2
    assert seat.see()["hands"]["N"] != north


def test_a_script_deals_again(client: TestClient) -> None:
    source = {"type": "script", "text": "condition hcp(south) >= 20", "seed": 1}
    seat = sit(client, source=source, auction_only=True)
    first = seat.see()["hands"]["S"]
    _judged(seat)
    assert seat.act(type="next").status_code == 200
    second = seat.see()["hands"]["S"]
    honours = {"A": 4, "K": 3, "Q": 2, "J": 1}
    assert first != second
    assert sum(honours.get(c[1], 0) for c in second) >= 20


def test_problems_that_are_none(client: TestClient) -> None:
    broken = [
        json.dumps({**PROBLEM, "dealer": "X"}), json.dumps({**PROBLEM, "hands": {"N": "AKQ"}}),
        json.dumps({**PROBLEM, "opponents_calls": ["9Z"]}), "{", '{"set": 1}', "",
    ]  # fmt: skip
    for text in broken:
        answer = client.post("/api/tables", json={"source": {"type": "problems", "text": text}})
        assert answer.status_code == 422, text
    assert deck_of(json.dumps(PROBLEM)).name == "club night"


def test_the_next_board_goes_on_while_the_last_one_is_judged(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, judged = client.app.state.room, []
    real = room.study.ask

    async def slow(what: Any, *rest: Any, **more: Any) -> Any:
        if what is problems.judge:
            judged.append(what)
            await asyncio.sleep(1.0)
        return await real(what, *rest, **more)

    monkeypatch.setattr(room.study, "ask", slow)
    seat = sit(client, seat="N", auction_only=True, source={"type": "random", "number": 1})
    seat.finish()
    assert seat.act(type="next").status_code == 200
    with client.websocket_connect(f"/api/tables/{seat.table}/socket") as window:
        window.send_text(json.dumps({"type": "join", "token": seat.token}))
        while not (state := json.loads(window.receive_text())).get("mine"):
            pass
    assert judged
    assert state["phase"] == "auction"


def test_a_player_without_time_plays_by_rule(client: TestClient) -> None:
    room = client.app.state.room
    room.patience = Patience(hard=0.0, tempo=0)
    try:
        over = sit(client, source={"type": "random", "number": 1, "seed": 9}).finish()
    finally:
        room.patience = Patience(grace=0, tempo=0)
    assert over["result"]["tricks"] is not None
    assert not over["rulings"]
