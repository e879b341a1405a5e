"""A club evening: names, ranking, decisions, what could not be read, and going on after a kill."""

from __future__ import annotations

import asyncio
import time
import warnings
from pathlib import Path
from typing import Any

import msgspec
import pytest

from overtrick.web import evening, lessons
from overtrick.web.evening import Job
from overtrick.web.evenings import Evenings, NoEvening
from tests.web.conftest import plain

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

DEAL = "N:KQJ52.A4.KQ3.762 T9.KJ82.A742.K43 A843.Q73.865.AQ5 76.T965.JT9.JT98"


def _board(names: str, contract: str, result: int, number: int = 1, deal: str = DEAL) -> str:
    north, east, south, west = names.split()
    return (
        f'[Event "Tuesday pairs"]\n[Board "{number}"]\n[West "{west}"]\n[North "{north}"]\n'
        f'[East "{east}"]\n[South "{south}"]\n[Dealer "N"]\n[Vulnerable "All"]\n[Deal "{deal}"]\n'
        f'[Declarer "N"]\n[Contract "{contract}"]\n[Result "{result}"]\n\n'
    )


TEXT = _board("Ann Bob Cy Di", "4S", 10) + _board("Eve Fay Gus Hal", "2S", 10)
TEXT += _board("Ivo Jan Kim Leo", "4S", 9) + '[Board "9"]\n[Deal "N:AK... - - -"]\n'


def test_names_scores_and_what_was_not_read() -> None:
    found = evening.read(TEXT)
    assert found.title == "Tuesday pairs"
    assert [t.names[0] for t in found.tables] == ["Ann", "Eve", "Ivo"]
    assert len(found.by_deal()) == 1
    assert any("board 9" in w for w in found.unread)
    told = plain(evening.report(found, {}))
    ranked = [(p["side"], p["place"], *p["names"], p["percent"]) for p in told["pairs"]]
    assert ranked == [
        ("NS", 1, "Ann", "Cy", 100.0), ("NS", 2, "Eve", "Gus", 50.0), ("NS", 3, "Ivo", "Kim", 0.0),
        ("EW", 1, "Jan", "Leo", 100.0), ("EW", 2, "Fay", "Hal", 50.0), ("EW", 3, "Bob", "Di", 0.0),
    ]  # fmt: skip
    assert sum(p["imps"] for p in told["players"]) == pytest.approx(0, abs=0.2)
    everybody = {name for t in found.tables for name in t.names}
    assert {p["name"] for p in told["players"]} == everybody
    assert len(everybody) == 12
    assert told["done"] < told["jobs"]


def test_one_list_where_somebody_sits_both_ways() -> None:
    text = _board("Bob Ann Di Cy", "4S", 10, number=2) + TEXT
    told = plain(evening.report(evening.read(text), {}))
    assert {p["side"] for p in told["pairs"]} == {""}
    assert [p["place"] for p in told["pairs"]] == [1, 2, 3, 4, 5, 6]


def test_people_without_names_are_known_by_seat_and_table() -> None:
    text = TEXT.replace('"Ann"', '""')
    assert evening.read(text).tables[0].names[0] == "North 1"


def test_what_is_to_judge_is_known_when_the_deals_are_solved() -> None:
    found = evening.read(TEXT)
    body = msgspec.json.encode(found)
    deal = Job("deal", 0)
    assert evening.jobs(found, {}) == [deal]
    solved = msgspec.json.encode(evening.work(body, deal))
    done = {deal.key: evening.kept(deal.key, solved)}
    assert plain(done[deal.key])["tables"]["1"]["bidding"]["kind"] == "missed game"
    later = evening.jobs(found, done)
    assert Job("calls", 1, side="NS") in later
    told = plain(evening.report(found, done))
    assert told["tables"][0]["par_ns"] is not None


def test_the_decision_that_cost_most_comes_first() -> None:
    found = evening.read(TEXT)
    verdict = {"better": "4S N", "loss": 4.0, "error": 0.3, "worlds": 128}
    bidding = {"side": "NS", "imps": 10, "kind": "missed game", "best": "4S", "by": "N"}
    cards = [{"index": 3, "seat": "S", "card": "S3", "imps": 1, "cost": 1, "best": ["SA"]}]
    done: dict[str, Any] = {
        Job("deal", 0).key: {
            "tables": {"1": {"par_ns": 620, "par": [], "bidding": bidding, "cards": cards}}
        },
        Job("calls", 1, side="NS").key: {
            "calls": [{"index": 2, "seat": "N", "word": "wrong", "done": "Pass", **verdict}]
        },
        Job("card", 1, 3).key: {"word": "wrong", "done": "S3", **verdict},
    }
    done = {key: evening.kept(key, msgspec.json.encode(row)) for key, row in done.items()}
    players = {p["name"]: p["decisions"] for p in plain(evening.report(found, done))["players"]}
    # Eve declares: the card from dummy is hers, and the missed game counts more.
    assert [(d["kind"], d["cost"]) for d in players["Eve"]] == [("call", 10), ("card", 1)]
    assert players["Gus"] == []


class _Slow:
    """Works off jobs one by one, and can be stopped in between."""

    def __init__(self, most: int) -> None:
        self.most, self.asked = most, 0

    async def ask(self, function: Any, body: bytes, job: Job, **_: Any) -> Any:
        self.asked += 1
        if self.asked > self.most:
            await asyncio.Event().wait()
        if job.kind == "deal":
            return {"tables": {}}
        return {}


async def _until_done(kept: Evenings, name: str, jobs: int) -> None:
    async with asyncio.timeout(60):
        while (await kept.progress(name)).done < jobs:
            await asyncio.sleep(0.01)
    assert (await kept.progress(name)).done == jobs


def test_an_evening_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    text = "".join(_board("A B C D", "4S", 9 + i % 2, i + 1) for i in range(6))

    async def first() -> str:
        kept = Evenings(tmp_path / "e.sqlite", _Slow(3))  # type: ignore[arg-type]
        name = kept.add(evening.read(text))
        await _until_done(kept, name, 3)
        # As after kill -9: nothing is closed in order but the file's lock.
        kept._db.close()
        return name

    async def second(name: str) -> None:
        workers = _Slow(1000)
        kept = Evenings(tmp_path / "e.sqlite", workers)  # type: ignore[arg-type]
        kept.resume()
        jobs = (await kept.progress(name)).jobs
        await _until_done(kept, name, jobs)
        assert workers.asked == jobs - 3
        with pytest.raises(NoEvening):
            await kept.report("nothing")
        await kept.stop()

    name = asyncio.run(first())
    asyncio.run(second(name))


def test_an_evening_over_the_api(client: TestClient) -> None:
    made = client.post("/api/evenings", json={"text": TEXT})
    assert made.status_code == 201
    address = f"/api/evenings/{made.json()['evening']}"
    end = time.monotonic() + 60
    while client.get(address + "?brief=1").json()["done"] == 0:
        assert time.monotonic() < end
        time.sleep(0.1)
    told = client.get(address).json()
    assert told["title"] == "Tuesday pairs"
    assert told["tables"][0]["par_ns"] is not None
    assert client.get("/api/evenings/nothing").status_code == 404
    assert client.post("/api/evenings", json={"text": "nothing"}).status_code == 422


# ---------------------------------------------------------------- lessons


def test_there_are_enough_positions_and_each_is_answered(client: TestClient) -> None:
    listed = client.get("/api/lessons").json()
    assert {s["name"] for s in listed} == {
        "opening", "responses", "competition", "slam", "declarer", "defence", "leads",
        "technique-declarer", "technique-defender",
    }  # fmt: skip
    assert sum(len(s["positions"]) for s in listed) >= 300
    names = [n for s in listed for n in s["positions"]]
    assert len(set(names)) == len(names)
    for lesson in lessons.shipped():
        grades = [p.grade for p in lesson.positions]
        assert grades == sorted(grades)
        for p in lesson.positions:
            offered = {o.action for o in p.options}
            right = offered & set(p.answers)
            assert right
            assert len(offered) > len(right)
            assert p.reasons
            assert p.worlds >= 1  # late in the play, all layouts there are
            for option in p.options:
                if option.action not in p.answers:
                    assert option.imps < -0.2
    assert client.get("/api/lessons/nothing").status_code == 404


def test_a_question_of_technique_tells_only_what_was_counted() -> None:
    lesson = lessons.lesson("technique-declarer")
    for p in lesson.positions:
        assert p.auction == ""  # made up, so nobody sees it
        assert p.nudge
        best, *others = p.options
        assert all(o.chance is not None and o.chance <= (best.chance or 0) for o in others)
