"""One robot at every door: Python, the command line, HTTP in BEN's fields, HTTP in JSON and the
Model Context Protocol give the same answer to the same question."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the service needs the web extra")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")
pytest.importorskip("mcp", reason="the server needs the mcp extra")

import anyio
import msgspec
from click.testing import CliRunner
from mcp import Client
from starlette.testclient import TestClient

from overtrick import Board, think
from overtrick.bidding import bid_board
from overtrick.cardplay import play_board
from overtrick.cli import main
from overtrick.game import Play, View, view_of
from overtrick.service.hands import Tables
from overtrick.service.mcp import server
from overtrick.service.replies import ThinkIn
from overtrick.service.robot import answer
from overtrick.service.thoughts import thought
from overtrick.service.words import call_out
from overtrick.web import Config, app
from overtrick.web.limits import Rates

Asked = dict[str, Any]
Told = tuple[str, str, bool]
"""Action, why, and whether a clock cut the thinking short."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    async def nothing() -> None:
        """No table is opened here."""

    patched = pytest.MonkeyPatch()
    patched.setattr("overtrick.web.api.ask_offers", lambda *_: asyncio.create_task(nothing()))
    log = tmp_path_factory.mktemp("web") / "web.sqlite"
    rates = Rates(per_second=1e6, burst=1e6)
    config = Config(log, processes=1, rates=rates, warm=False,
                    origins=frozenset({"https://club.example"}))  # fmt: skip
    with TestClient(app(config), base_url="http://localhost", client=("127.0.0.1", 50000)) as made:
        yield made
    patched.undo()


def _questions(number: int, cards: int, engines: tuple[Asked, Asked]) -> Iterator[Asked]:
    """Views of random boards bid by `points` and played by rule, as questions."""
    rng = random.Random(20261119)
    for i in range(number):
        board = Board.random(i % 16 + 1, seed=rng.getrandbits(40))
        auction, _ = bid_board(board, ["points"] * 4)
        if i < cards and auction.contract is not None:
            played = play_board(board, auction, ["highest"] * 4)[0]
            some = Play.of(auction.contract, played.cards[: rng.randrange(0, 40)])
            yield _asked(view_of(board, auction, some), engines[1])
        else:
            before = rng.choice(list(auction.prefixes()))
            yield _asked(view_of(board, before), engines[0])


def _asked(view: View, engine: Asked) -> Asked:
    asked: Asked = {"hand": str(view.hand), "auction": view.auction.ascii, **engine,
                    "dealer": view.dealer.letter, "vul": str(view.vul)}  # fmt: skip
    if view.play is not None and view.play.cards:
        asked["dummy"] = str(view.dummy)
        asked["played"] = " ".join(c.ascii for c in view.play.cards)
    return asked


def _python(asked: Asked) -> Told:
    found = think(**asked)
    return found.action.ascii, found.why, found.cut


def _command(asked: Asked) -> Told:
    words = [asked["hand"], asked["auction"], "--json", "--deals", "0"]
    for name in set(asked) - {"hand", "auction"}:
        words += [f"--{name}", str(asked[name])]
    shown = CliRunner().invoke(main, ["think", *words])
    assert shown.exit_code == 0, shown.output
    found = json.loads(shown.stdout)
    return found["action"], found["why"], found.get("cut", False)


def _in_bens_fields(client: TestClient, asked: Asked) -> Told:
    view = _view(asked)
    calls = [call_out(c) for c in view.auction.calls]
    ctx = "".join({"PASS": "--", "X": "Db", "XX": "Rd"}.get(c, c) for c in calls)
    query = {"hand": asked["hand"], "seat": view.seat.letter, "dealer": asked["dealer"],
             "vul": asked["vul"], "ctx": ctx}  # fmt: skip
    query |= {k: asked[k] for k in ("engine", "system", "dummy") if k in asked}
    question = "bid" if view.play is None else "play" if view.play.cards else "lead"
    if question == "play":
        query["played"] = asked["played"].replace(" ", "")
    if question == "bid":
        query["details"] = "true"
    shown = client.get(f"/{question}", params=query)
    assert shown.status_code == 200, (shown.text, query)
    found = shown.json()
    if question == "bid":
        return found["bid"], "", found["cut"]
    return found["card"], found["explanation"], found["cut"]


def _view(asked: Asked) -> View:
    from overtrick.analysis import Inquiry

    return Inquiry(**asked).view()


def _in_json(client: TestClient, asked: list[Asked]) -> list[Told]:
    """All questions in one request, answered line by line."""
    with client.stream("POST", "/api/think/all", json={"questions": asked, "stream": True}) as sent:
        assert sent.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in sent.iter_lines()]
    assert lines.pop() == {"type": "end", "answered": len(asked), "error": ""}
    thoughts = [line["thought"] for line in lines]
    return [(t["action"], t["why"], t["cut"]) for t in thoughts]


def _by_a_model(asked: list[Asked]) -> list[Told]:
    told: list[Told] = []

    async def work() -> None:
        async with Client(server(Tables("pass+highest"))) as model:
            for one in asked:
                found = await model.call_tool("think", one)
                assert not found.is_error, found.content
                text = json.loads(found.content[0].text)
                told.append((text["action"], text["why"], text["cut"]))

    anyio.run(work)
    return told


def _same_at_every_door(client: TestClient, asked: list[Asked]) -> int:
    """How many were compared; where a clock cut in at some door, answers may differ."""
    compared = 0
    at_once, models = _in_json(client, asked), _by_a_model(asked)
    for one, batch, model in zip(asked, at_once, models, strict=True):
        first, command, ben = _python(one), _command(one), _in_bens_fields(client, one)
        if any(told[2] for told in (first, command, ben, batch, model)):
            continue
        compared += 1
        assert first == command == batch == model, one
        said = "PASS" if first[0] in ("P", "Pass") else first[0].replace("NT", "N")
        assert ben[0] in (said, first[0]), one
        assert ben[1] in ("", first[1]), one
    return compared


def test_five_doors(client: TestClient) -> None:
    quick = (
        {"engine": "rules", "system": "simple"},
        {"engine": "pimc(worlds=4, lead_worlds=4, seconds=60)"},
    )
    asked = list(_questions(4, 1, quick))
    assert _same_at_every_door(client, asked) == 4


@pytest.mark.slow
def test_five_doors_with_the_usual_robot(client: TestClient) -> None:
    asked = list(_questions(200, 30, ({}, {})))
    assert _same_at_every_door(client, asked) > 150


# ---------------------------------------------------------------- whole boards and mistakes

_DEAL = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
_SIDE = {"engine": "points", "player": "highest"}


def test_a_board_in_one_request_as_it_happens(client: TestClient) -> None:
    wish = {"deal": _DEAL, "ns": _SIDE, "ew": _SIDE}
    whole = client.post("/api/board", json=wish).json()
    with client.stream("POST", "/api/board", json={**wish, "stream": True}) as sent:
        lines = [json.loads(line) for line in sent.iter_lines()]
    assert [line["type"] for line in lines[-2:]] == ["board", "end"]
    actions = [line["action"] for line in lines if line["type"] == "action"]
    assert actions[-52:] == whole["play"] == lines[-2]["board"]["play"]
    assert {**whole, "elapsed": 0} == {**lines[-2]["board"], "elapsed": 0}
    asked = client.get("/autoplay", params={"deal": _DEAL[2:], "board": "1", **_SIDE}).json()
    assert {**whole, "elapsed": 0} == {**asked, "elapsed": 0}


def test_one_mistake_leaves_the_other_answers(client: TestClient) -> None:
    good = {"hand": "AQ3.KJ4.QJ52.K82", "engine": "rules"}
    bad = {"hand": "AK", "engine": "rules"}
    found = client.post("/api/think/all", json={"questions": [bad, good]}).json()["answers"]
    assert [one["type"] for one in found] == ["failed", "thought"]
    assert "four suits" in found[0]["error"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "words"),
    [
        ("/api/think", {"hand": "AQ3.KJ4.QJ52.K82", "engin": "rules"}, 400, "engin"),
        ("/api/think", {"hand": "AQ3.KJ4.QJ52.K82", "engine": "x(command='rm')"}, 422, "program"),
        ("/api/think", {"hand": "AQ3.KJ4.QJ52.K82", "system": "/etc/passwd"}, 422, "file"),
        ("/api/think", {"hand": "AQ3.KJ4.QJ52.K82", "seconds": 1e9}, 422, "seconds"),
        ("/api/think/all", {"questions": []}, 422, "from 1 to"),
        ("/api/board", {"deal": "rubbish"}, 422, "four hands"),
        ("/api/board", {"deal": _DEAL, "board": 0}, 422, "from 1 to"),
    ],
)
def test_what_is_wrong_is_said(
    client: TestClient, path: str, asked: Asked, status: int, words: str
) -> None:
    shown = client.post(path, json=asked)
    assert shown.status_code == status, shown.text
    assert words in shown.json()["error"]


def test_pages_of_chosen_sites_may_ask(client: TestClient) -> None:
    mine, other = "https://club.example", "https://evil.example"
    asked = {"hand": "AQ3.KJ4.QJ52.K82", "engine": "rules"}
    preflight = {"access-control-request-method": "POST", "sec-fetch-site": "cross-site"}
    shown = client.options("/api/think", headers={"origin": mine, **preflight})
    assert shown.status_code == 204
    assert shown.headers["access-control-allow-origin"] == mine
    assert client.options("/api/think", headers={"origin": other, **preflight}).status_code == 405
    answers = {
        origin: client.post(
            "/api/think", json=asked, headers={"origin": origin, "sec-fetch-site": "cross-site"}
        )
        for origin in (mine, other)
    }
    assert answers[mine].json()["action"] == "1NT"
    assert answers[mine].headers["access-control-allow-origin"] == mine
    assert answers[other].status_code == 403
    # Tables are not for other sites, chosen or not.
    table = client.post("/api/tables", json={}, headers={"origin": mine})
    assert table.status_code == 403


def test_the_page_for_programs_has_every_path(client: TestClient) -> None:
    shown = client.get("/docs")
    described = client.get("/api/openapi.json").json()
    assert shown.headers["content-type"].startswith("text/html")
    assert "://" not in shown.text.replace("http://localhost", "")  # nothing from elsewhere
    assert all(f"<code>{path}</code>" in shown.text for path in described["paths"])
    missing = client.get("/cuebid")
    assert (missing.status_code, list(missing.json())) == (404, ["error"])


def test_every_answer_has_a_type(client: TestClient) -> None:
    for path, verbs in client.get("/api/openapi.json").json()["paths"].items():
        for verb in verbs.values():
            good = verb["responses"].get("200") or verb["responses"]["201"]
            if path != "/api/openapi.json":
                assert all(media["schema"] for media in good["content"].values()), path


def test_without_networks_it_is_said_who_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.bidding.base.find_spec", lambda _: None)
    asked = {"hand": "AQ3.KJ4.QJ52.K82", "seat": "N", "ctx": ""}
    told = [answer("bid", asked), msgspec.to_builtins(thought(ThinkIn(hand=asked["hand"])))]
    for found in told:
        assert "pip install overtrick[nn]" in found["note"]
    shown = CliRunner().invoke(main, ["think", asked["hand"]])
    assert "pip install overtrick[nn]" in shown.stderr
    assert "note" not in answer("bid", {**asked, "engine": "rules"})
