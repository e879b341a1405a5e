"""The robot for programs: questions with the fields that clients of BEN send, answers they read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the service needs the web extra")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

from starlette.testclient import TestClient

from overtrick.game import Auction, BridgeError, Call, Play
from overtrick.service import robot
from overtrick.service.queries import FIELD_WORDS, FIELDS, cards_of
from overtrick.service.robot import ANSWERS, QUESTIONS, answer
from overtrick.service.words import call_out
from overtrick.web import Config, app
from overtrick.web.limits import Rates
from overtrick.web.robot import Keys

_NORTH, _SOUTH = "AKQ2.K53.A84.752", "T853.A72.QJ3.AK4"
_DEAL = f"{_NORTH} J6.QJT9.KT6.QJ83 {_SOUTH} 974.864.9752.T96"
_GAME = {"dealer": "N", "vul": "", "ctx": "1N--3N------"}


@pytest.mark.parametrize(
    ("query", "call"),
    [
        ({"hand": "AQ3.KJ4.QJ52.K82", "seat": "N", "dealer": "N", "vul": "", "ctx": ""}, "1N"),
        ({"hand": "AQ3_KJ4_QJ52_Kxx", "seat": "N", "dealer": "N", "vul": "@v", "ctx": ""}, "1N"),
        (
            {"hand": "432.432.432.5432", "seat": "E", "dealer": "N", "vul": "@v@V", "ctx": "1S"},
            "PASS",
        ),
        (
            {"hand": "432.432.432.5432", "seat": "S", "dealer": "N", "vul": "", "ctx": "1S Db"},
            "PASS",
        ),
    ],
)
def test_bid(query: dict[str, str], call: str) -> None:
    found = answer("bid", query)
    assert found["bid"] == call
    assert {"bid", "alert", "explanation", "who", "quality", "cut"} <= set(found)
    assert found["explanation"]


def test_bid_with_details() -> None:
    query = {"hand": _SOUTH, "seat": "S", "details": "true", **_GAME, "ctx": "1N--"}
    found = answer("bid", query)
    assert {"candidates", "samples", "hcp", "shape", "explanations"} <= set(found)
    assert [e[0] for e in found["explanations"]] == ["1N", "PASS"]
    assert all(re.fullmatch(r"[1-7][CDHSN]|PASS|X|XX", c["call"]) for c in found["candidates"])


@pytest.mark.parametrize(
    ("question", "query", "words"),
    [
        ("bid", {"hand": _NORTH, "seat": "N", **_GAME}, "Bidding is over"),
        ("lead", {"hand": _NORTH, "seat": "N", **_GAME}, "Not this player to lead"),
        ("play", {"hand": _NORTH, "seat": "N", **_GAME, "played": "SJ"}, "No dummy provided"),
        ("play", {"hand": _NORTH, "dummy": _NORTH, "seat": "N", **_GAME, "played": "SJ"},
         "Hand and dummy are identical"),
        ("play", {"hand": _SOUTH, "dummy": _NORTH, "seat": "S", **_GAME, "played": "SJ"},
         "Called as dummy or with wrong dealer / seat 3NT"),
    ],
)  # fmt: skip
def test_messages(question: str, query: dict[str, str], words: str) -> None:
    assert answer(question, query) == {"message": words}


def test_lead_and_play() -> None:
    quick = {"engine": "pimc(worlds=4, lead_worlds=4, seconds=60)"}
    east = "J6.QJT9.KT6.QJ83"
    found = answer("lead", {"hand": east, "seat": "E", "details": "true", **_GAME, **quick})
    assert found["card"] == "HQ"
    assert {"card", "expected_tricks_dd", "p_make_contract", "msg"} == set(found["candidates"][0])
    query = {"hand": _NORTH, "dummy": _SOUTH, "seat": "N", "played": "HQ", **_GAME, **quick}
    card = answer("play", query)
    assert card["player"] == 3
    assert card["card"] in ("H2", "H7", "HA")  # declarer plays from dummy


def test_cards_in_the_order_of_pbn_are_the_same_play() -> None:
    """Two tricks: East leads, North wins the first and leads to the second."""
    played = "HQ H2 H4 HK S2 SJ S3 S4"
    by_seat = "HQ H2 H4 HK SJ S3 S4 S2"
    contract = Auction.parse("1NT P 3NT AP").contract
    assert contract is not None
    first = cards_of(played, contract, by_seat=False)
    assert cards_of(by_seat, contract, by_seat=True) == first
    assert Play.of(contract, first).tricks_played == 2


def test_claims_are_proved() -> None:
    hand, dummy = "AKQJ.AKQ.AKQ.AKQ", "6543.876.876.876"
    query = {"hand": hand, "dummy": dummy, "seat": "N", "dealer": "N", "vul": "", "ctx": "7N------",
             "played": "STS3S2SA"}  # fmt: skip
    found = answer("claim", {**query, "tricks": "12"})
    assert "Accepted declarer's claim of 12" in found["result"]
    weak = answer("claim", {"hand": _NORTH, "dummy": _SOUTH, "seat": "N", **_GAME,
                            "played": "HQH2H4HK", "tricks": "12"})  # fmt: skip
    assert "Rejected" in weak["result"]


def test_meanings() -> None:
    query = {"seat": "N", "dealer": "N", "vul": "", "ctx": "1N--2H"}
    one = answer("explain", query)
    assert one["Alert"] is False  # the ACBL has transfers announced
    assert "transfer" in one["explanation"]
    assert answer("explain", {**query, "ctx": "1H--2N"})["Alert"] is True
    every = answer("explain_auction", query)
    assert every["explanation"].count("<li>") == 3
    assert every["bba_controlled"] is False
    listed = answer("bids", {"ctx": "1N--"})
    assert {"2C", "2D", "2H", "3N"} <= {row["bid"] for row in listed}


def test_autoplay() -> None:
    quick = {"engine": "points", "player": "highest"}
    found = answer("autoplay", {"deal": _DEAL, "board": "1", **quick})
    assert found["auction"][:3] == ["1N", "PASS", "3N"]
    assert (found["dealer"], found["vulnerability"], found["declarer"]) == ("N", "None", "N")
    play = Play.of(Auction.parse("1NT P 3NT AP").contract or "3NT N", found["play"])
    assert play.is_over
    assert play.declarer_tricks == found["tricks"]
    assert found["cut"] == 0
    assert found["score"] == found["ns_score"]


def test_recorded_requests_of_the_other_robots_clients() -> None:
    """Fields as such clients send them, those that mean nothing here among them."""
    given = "1N,PASS,3N,PASS,PASS,PASS"
    sent = {"deal": _DEAL.replace(".", "_"), "board": "3", "user": "somebody", "tournament": "mp",
            "bidding_only": "True", "auction": given, "engine": "points"}  # fmt: skip
    told = answer("autoplay", {**sent, "dealer": "N"})
    assert told["auction"] == given.split(",")
    assert [c["bid"] for c in told["auction_with_explanations"]] == told["auction"]
    assert (told["contract"], told["declarer"], told["opening_leader"]) == ("3N", "N", "E")
    assert told["bidding_only"] is True
    assert told["play"] == []
    assert told["tricks"] is told["score"] is None
    assert told["ignored"] == ["user"]
    east = answer("autoplay", {**sent, "dealer": "E", "auction": "1H,PASS,4H,PASS,PASS,PASS"})
    assert (east["declarer"], east["opening_leader"]) == ("E", "S")
    whole = answer("bid", {"user": "x", "dealno": "12345", "dealer": "N", "seat": "N", "vul": "@v",
                           "ctx": "", "hand": _NORTH, "details": "true", "explain": "true",
                           "engine": "rules"})  # fmt: skip
    assert whole["ignored"] == ["dealno", "explain", "user"]
    first = answer("bids", {"dealer": "N", "ctx": "1N--", "file_us": "ours.bbsa"})[0]
    assert {"bid", "description"} <= set(first)


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(BridgeError, match="no field engin; did you mean engine"):
        answer("bid", {"hand": _NORTH, "seat": "N", "ctx": "", "engin": "partner"})
    with pytest.raises(BridgeError, match="could start a program"):
        answer("bid", {"hand": _NORTH, "seat": "N", "ctx": "", "engine": "./mine.py"})
    with pytest.raises(BridgeError, match="no system 'nonsense'"):
        answer("explain", {"ctx": "1N", "system": "nonsense"})


def test_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robot, "_CONTRACT_DEALS", 4)
    found = answer("contract", {"hand": _NORTH, "dummy": _SOUTH, "seat": "N", "vul": ""})
    assert found
    for name, row in found.items():
        assert re.fullmatch(r"[1-7][CDHSN]", name)
        assert set(row) == {"score", "Tricks", "Percentage"}
        assert len(row["Tricks"]) == len(row["Percentage"])


@pytest.mark.parametrize(
    ("question", "query", "words"),
    [
        ("bid", {}, "seat is missing"),
        ("bid", {"seat": "N"}, "hand is missing"),
        ("bid", {"seat": "N", "hand": _NORTH}, "ctx is missing"),
        ("bid", {"seat": "Q", "hand": _NORTH, "ctx": ""}, "no such seat"),
        ("bid", {"seat": "N", "hand": "AK", "ctx": ""}, "four suits"),
        ("bid", {"seat": "N", "hand": "AKQ2.K53.A84.75", "ctx": ""}, "13 cards"),
        ("bid", {"seat": "N", "hand": _NORTH, "ctx": "1N--1C"}, "insufficient"),
        ("bid", {"seat": "N", "hand": _NORTH, "ctx": "zz"}, "no such call"),
        ("bid", {"seat": "S", "hand": _NORTH, "ctx": ""}, "North's turn"),
        ("play", {"seat": "N", "hand": _NORTH, "dummy": _SOUTH, **_GAME, "played": "SJS"},
         "two characters"),
        ("claim", {"seat": "N", "hand": _NORTH, "dummy": _SOUTH, **_GAME, "played": "HQH2H4HK",
                   "tricks": "14"}, "from 0 to 12"),
        ("autoplay", {"deal": "rubbish"}, "four hands"),
        ("autoplay", {"deal": _DEAL, "board": "0"}, "number from 1"),
        ("explain", {"ctx": ""}, "no call to explain"),
        ("bid", {"seat": "N", "hand": "A" * 5000}, "longer than"),
        ("dance", {}, "no question"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(question: str, query: dict[str, str], words: str) -> None:
    with pytest.raises(BridgeError, match=words) as error:
        answer(question, query)
    assert "\n" not in str(error.value)


def test_every_question_is_described() -> None:
    assert set(FIELDS) == set(QUESTIONS) == set(ANSWERS)
    assert {f for fields in FIELDS.values() for f in fields} == set(FIELD_WORDS)
    assert all(function.__doc__ for function in QUESTIONS.values())


# ---------------------------------------------------------------- over HTTP

_KEY = "a-key-of-some-length"
_BID = {"hand": _NORTH, "seat": "N", "dealer": "N", "vul": "", "ctx": ""}


async def _nothing(*_: Any) -> None:
    """Nobody here plays at a table: no engines are loaded for one."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    patched = pytest.MonkeyPatch()
    patched.setattr("overtrick.web.api.ask_offers", lambda *_: asyncio.create_task(_nothing()))
    log = tmp_path_factory.mktemp("web") / "web.sqlite"
    rates = Rates(per_second=1e6, burst=1e6)
    config = Config(log, processes=1, rates=rates, keys=Keys([_KEY]), warm=False)
    with TestClient(app(config), base_url="http://localhost", client=("127.0.0.1", 50000)) as made:
        yield made
    patched.undo()


def test_from_this_machine(client: TestClient) -> None:
    shown = client.get("/bid", params=_BID)
    assert (shown.status_code, shown.json()["bid"]) == (200, "1N")
    wrong = client.get("/bid", params={**_BID, "ctx": "zz"})
    assert wrong.status_code == 422
    assert "no such call" in wrong.json()["error"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Forwarded-For": "203.0.113.9"}, 401),
        ({"X-Forwarded-For": "203.0.113.9", "Authorization": f"Bearer {_KEY}"}, 200),
        ({"X-Forwarded-For": "203.0.113.9", "X-API-Key": _KEY}, 200),
        ({"X-API-Key": "another-key-of-length"}, 401),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_from_elsewhere(client: TestClient, headers: dict[str, str], status: int) -> None:
    shown = client.get("/explain", params={"ctx": "1N"}, headers=headers)
    assert shown.status_code == status


def test_the_description_names_every_question(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    assert {f"/{q}" for q in QUESTIONS} <= set(paths)


def test_short_keys_are_refused() -> None:
    with pytest.raises(BridgeError, match="16 characters"):
        Keys(["short"])


def test_calls_go_there_and_back() -> None:
    assert [call_out(Call(c)) for c in ("P", "X", "XX", "1NT", "4S")] == [
        "PASS", "X", "XX", "1N", "4S",
    ]  # fmt: skip
