"""The tools for language models, asked by the official client: every tool, a hundred questions
with answers checked against the engines, and hands in which nothing unseen is told."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from importlib import resources
from math import comb
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the server needs the mcp extra")

import anyio
from mcp import Client, StdioServerParameters

from overtrick import dd, think
from overtrick.bidding.rules import reading_of
from overtrick.game import (
    CALLS,
    Auction,
    Board,
    BridgeError,
    Contract,
    Deal,
    Hand,
    Seat,
    Vulnerability,
)
from overtrick.game.scoring import imps, score
from overtrick.service import cardfacts, facts
from overtrick.service.hands import Tables
from overtrick.service.mcp import server
from overtrick.service.tools import TOOLS
from overtrick.suitplay import solve as solve_suit
from overtrick.systems.explain import explain_auction

_QUICK = "points+highest"
_DEAL = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
Ask = Callable[..., Coroutine[Any, Any, dict[str, Any]]]


def _run(work: Callable[[Ask], Coroutine[Any, Any, None]], tables: Tables | None = None) -> None:
    async def main() -> None:
        async with Client(server(tables or Tables(_QUICK))) as client:

            async def ask(tool: str, **values: Any) -> dict[str, Any]:
                found = await client.call_tool(tool, values)
                assert not found.is_error, found.content
                told: dict[str, Any] = json.loads(found.content[0].text)
                assert told["evidence"], tool
                return told

            await work(ask)

    anyio.run(main)


@pytest.mark.parametrize(
    ("tool", "values"),
    [
        (facts.simulate, {"contracts": ["3NT N"], "system": "/etc"}),
        (facts.simulate, {"contracts": ["3NT N"], "seed": -1}),
        (facts.sample_deals, {"seed": -(10**30)}),
        (facts.sample_deals, {"count": 10**9}),
        (cardfacts.opening_lead, {"hand": "x" * 100_000, "auction": "1NT P P P"}),
        (facts.explain_calls, {"auction": "P " * 1000, "system": "../library/sayc"}),
        (cardfacts.review, {"text": "x" * 300_000}),
    ],
)
def test_what_a_model_makes_up_is_refused(tool: Any, values: dict[str, Any]) -> None:
    with pytest.raises(BridgeError):
        tool(**values)


def test_every_tool_is_listed_and_answers() -> None:
    played = (resources.files("overtrick") / "samples" / "evening.pbn").read_text(encoding="utf-8")
    asked: dict[str, dict[str, Any]] = {
        "check_auction": {"auction": "1NT P 3NT AP"},
        "score": {"contract": "4SX S", "tricks": 9},
        "imps": {"points": 430},
        "evaluate_hand": {"hand": "AQ3.KJ4.QJ52.K82"},
        "systems": {},
        "explain_calls": {"auction": "1NT P 2H"},
        "possible_calls": {"auction": "1NT P"},
        "think": {"hand": "AQ3.KJ4.QJ52.K82"},
        "sample_deals": {"count": 2, "north": "hcp 20+"},
        "double_dummy": {"deal": _DEAL, "contract": "3NT N"},
        "simulate": {"north": "hcp 20..21, balanced", "contracts": ["3NT N"], "deals": 4},
        "suit_play": {"north": "AQT98", "south": "5432", "tricks": 5},
        "opening_lead": {"hand": "QJT95.82.K73.962", "auction": "1NT P 3NT"},
        "solve": {"hands": "N:AQ..2. K3..4. 54..A. 62..K.", "strain": "NT", "leader": "N"},
        "plan": {"deal": _DEAL, "contract": "3NT N", "lead": "HQ"},
        "match": {"a": "points", "b": "pass", "boards": 2},
        "review": {"text": played, "board": 1, "single_dummy": False},
    }

    async def work(ask: Ask) -> None:
        for tool, values in asked.items():
            await ask(tool, **values)
        table = (await ask("play_a_hand", seat="N"))["table"]
        assert (await ask("look_at_table", table=table))["seat"] == "North"

    tables = Tables(_QUICK)
    names = {t.__name__ for t in (*TOOLS, *tables.tools())}
    assert names == set(asked) | {
        "play_a_hand", "look_at_table", "make_call", "play_card", "claim_rest",
    }  # fmt: skip

    async def listed() -> None:
        async with Client(server(tables)) as client:
            tools = (await client.list_tools()).tools
            assert {t.name for t in tools} == names
            for t in tools:
                assert t.description, t.name
                fields = t.input_schema["properties"]
                assert all(f.get("description") for f in fields.values()), t.name
                told = t.output_schema
                assert told is not None
                assert "evidence" in told["properties"], t.name
                assert len(told["properties"]) > 1, t.name

    anyio.run(listed)
    _run(work, tables)


def test_over_standard_input_and_output() -> None:
    async def main() -> None:
        words = ["-m", "overtrick", "mcp"]
        command = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        async with Client(command) as client:
            found = await client.call_tool("imps", {"points": -620})
            assert json.loads(found.content[0].text)["imps"] == -12

    anyio.run(main)


def test_over_http_with_things_to_read_and_prompts() -> None:
    """The whole of it by the official client, as another program on this machine would."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = [sys.executable, "-m", "overtrick", "mcp", "--http", str(port), "--robots", _QUICK]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    async def main() -> None:
        for _ in range(600):
            try:
                await (await anyio.connect_tcp("127.0.0.1", port)).aclose()
                break
            except OSError:
                await anyio.sleep(0.1)
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            asked = {"south": "KQJ932.A4.72.K53", "north": "hcp 15..17, balanced",
                     "compare": ["4S S", "3NT N"], "deals": 20}  # fmt: skip
            found = await client.call_tool("simulate", asked)
            assert found.structured_content is not None
            assert found.structured_content["actions"]["imps"] > 0
            named = {str(r.uri) for r in (await client.list_resources()).resources}
            assert named == {"overtrick://words", "overtrick://systems", "overtrick://problems"}
            for address, part in (
                ("overtrick://words", "balanced"), ("overtrick://systems", "two-over-one"),
                ("overtrick://systems/acol", "1N"), ("overtrick://cards/sayc", "+"),
                ("overtrick://problems", ":"),
            ):  # fmt: skip
                read = await client.read_resource(address)
                assert part in read.contents[0].text, address
            prompts = {p.name for p in (await client.list_prompts()).prompts}
            assert prompts == {"review_my_board", "teach_me", "plan_this_hand"}
            asked = {"convention": "Bergen raises", "system": "two-over-one"}
            text = (await client.get_prompt("teach_me", asked)).messages[0].content.text
            assert "Bergen raises" in text

    try:
        anyio.run(main)
    finally:
        process.kill()
        process.wait()


def test_what_the_readme_asks_can_be_asked() -> None:
    """Its examples by a model: the same call, the same suit, the same comparison."""

    async def work(ask: Ask) -> None:
        hand = {"hand": "AQ954.83.KJ6.952", "auction": "1H X 3H", "vul": "NS"}
        found = await ask("think", **hand)
        assert found["action"] == think(**hand).action.ascii
        assert (await ask("suit_play", north="AQT98", south="5432", tricks=5))["best_line"]
        assert (await ask("explain_calls", auction="1NT P 2H"))["calls"][-1]["shows"]

    _run(work)


# ---------------------------------------------------------------- a hundred questions

Question = tuple[str, dict[str, Any], Callable[[dict[str, Any]], bool]]


def _has(right: dict[str, Any]) -> Callable[[dict[str, Any]], bool]:
    return lambda told: all(told[key] == value for key, value in right.items())


def _rules(rng: random.Random) -> Iterator[Question]:
    """Auctions made at random, half of them with a call that is not allowed."""
    for i in range(24):
        auction = Auction(Seat(i % 4))
        while not auction.is_over and len(auction) < 6:
            auction = auction.then(rng.choice(auction.legal_calls()[:9]))
        dealer, text = auction.dealer.letter, auction.ascii
        if i % 2 or auction.is_over:
            right = {
                "legal": True,
                "legal_calls": [c.ascii for c in auction.legal_calls()],
                "turn": None if auction.is_over else str(auction.turn),
            }
            yield "check_auction", {"auction": text, "dealer": dealer}, _has(right)
        else:
            wrong = rng.choice([c for c in CALLS if not auction.is_legal(c)])
            asked = {"auction": f"{text} {wrong.ascii}", "dealer": dealer}
            yield "check_auction", asked, _has({"legal": False})


def _scores(rng: random.Random) -> Iterator[Question]:
    for _ in range(20):
        strain, declarer = "CDHS"[rng.randrange(4)], "NESW"[rng.randrange(4)]
        contract = Contract(rng.randint(1, 7), strain, declarer, rng.randrange(3))
        tricks, vul = rng.randint(0, 13), rng.choice(("None", "NS", "EW", "All"))
        asked = {"contract": f"{contract.ascii} {declarer}", "tricks": tricks, "vul": vul}
        yield "score", asked, _has({"score_ns": score(contract, tricks, vul)})
    for _ in range(10):
        points = 10 * rng.randint(-500, 500)
        yield "imps", {"points": points}, _has({"imps": imps(points)})


def _hands(rng: random.Random) -> Iterator[Question]:
    for _ in range(17):
        hand = Deal.random(rng).north
        right = {"hcp": hand.hcp, "shape": hand.shape, "balanced": hand.is_balanced}
        yield "evaluate_hand", {"hand": str(hand)}, _has(right)


def _meanings() -> Iterator[Question]:
    auctions = (
        "1NT", "1NT P 2C", "1NT P 2H", "1S P 2S", "1H X", "2C P 2D", "2H", "1C 1S X", "1NT P 3NT",
        "1D P 1H P 1NT", "3S", "1S P 4S", "P P 1NT", "1C P 1H P 2H",
    )  # fmt: skip
    reading = reading_of("two-over-one", "")

    def same(right: list[Any]) -> Callable[[dict[str, Any]], bool]:
        return lambda a: [(c["call"], c["shows"], c["hcp"]) for c in a["calls"]] == right

    for text in auctions:
        told = explain_auction(reading, Auction.parse(text), Vulnerability.NONE, samples=0)
        right = [(e.call.ascii, e.meaning.words, list(e.meaning.hcp)) for e in told]
        yield "explain_calls", {"auction": text, "samples": 0}, same(right)


def _odds() -> Iterator[Question]:
    """Suit combinations, solved exactly; the chance of a kind of hand, from combinatorics."""

    def about(key: str, right: Any, rel: float) -> Callable[[dict[str, Any]], bool]:
        return lambda told: told[key] == pytest.approx(right, rel=rel)

    suits = (
        ("AQT98", "5432"), ("AQ2", "543"), ("KJ4", "532"), ("AJT", "432"), ("KQ32", "A54"),
        ("AKJ43", "52"), ("QJ32", "K54"), ("A432", "K65"), ("AQJT9", "432"), ("K32", "J54"),
    )  # fmt: skip
    for north, south in suits:
        right = {str(k): c for k, c in enumerate(solve_suit(north, south).chances) if k}
        yield "suit_play", {"north": north, "south": south}, about("chances", right, 1e-9)
    long_spades = sum(comb(13, n) * comb(39, 13 - n) for n in range(5, 14)) / comb(52, 13)
    for north, chance in (
        ("hcp 12..14", 0.2064),
        ("spades 5+", long_spades),
        ("hcp 15..17", 0.1010),
    ):
        yield "sample_deals", {"count": 50, "north": north}, about("chance", chance, 0.002)


def _thoughts(rng: random.Random) -> Iterator[Question]:
    """The strong engine asked: the calls it makes in Python."""
    auctions = ("", "P", "1H", "1NT P", "1S P 2S P", "1D X")
    for i in range(30):
        asked = {"hand": str(Deal.random(rng).north), "auction": auctions[i % 6], "vul": "All"}
        found = think(**asked)
        yield "think", asked, _has({"action": found.action.ascii, "why": found.why})


def _solved(rng: random.Random) -> Iterator[Question]:
    for _ in range(2):
        deal = Deal.random(rng)
        table = dd.table(deal)
        right = {"tricks": table.to_dict(), "par_score_ns": dd.par(table, "NS", "E").score}
        yield "double_dummy", {"deal": str(deal), "vul": "NS", "dealer": "E"}, _has(right)


def test_a_hundred_questions() -> None:
    rng = random.Random(20261115)
    asked = [*_rules(rng), *_scores(rng), *_hands(rng), *_meanings(), *_odds(), *_solved(rng)]
    asked += _thoughts(rng)
    assert len(asked) >= 130

    async def work(ask: Ask) -> None:
        for tool, values, right in asked:
            found = await ask(tool, **values)
            assert right(found), (tool, values, found)

    _run(work)


@pytest.mark.parametrize(
    ("tool", "values", "words"),
    [
        ("score", {"contract": "8S S", "tricks": 9}, "a contract reads like"),
        ("score", {"contract": "4S S", "tricks": 14}, "0 to 13 tricks, not 14"),
        ("evaluate_hand", {"hand": "AK"}, "four suits"),
        ("sample_deals", {"count": 5000}, "between 1 and 50"),
        ("sample_deals", {"north": "hcp 12..", "south": "hcp 38+"}, "South: no hand"),
        ("explain_calls", {"auction": "1NT", "system": "../../etc"}, "no system"),
        ("double_dummy", {"deal": "N:AK... KQ... QJ... JT..."}, "two hands"),
        ("simulate", {}, "which contracts"),
        ("look_at_table", {"table": "nowhere"}, "no such table"),
        ("review", {"text": "nothing"}, "no such board"),
    ],
)
def test_mistakes_are_one_line(tool: str, values: dict[str, Any], words: str) -> None:
    async def main() -> None:
        async with Client(server(Tables(_QUICK))) as client:
            found = await client.call_tool(tool, values)
            assert found.is_error
            text = found.content[0].text
            assert words in text
            assert len(text.splitlines()) == 1

    anyio.run(main)


# ---------------------------------------------------------------- nothing unseen is told


def _cards_told(told: dict[str, Any]) -> Hand:
    """Every card that an answer mentions."""
    cards = Hand(told["hand"])
    if told.get("dummy"):
        cards |= Hand(told["dummy"])
    for trick in told.get("tricks", ()):
        cards |= Hand.of(trick["cards"])
    return cards


@pytest.mark.parametrize("seat", ["N", "E", "S", "W"])
def test_a_seat_sees_its_own_cards(seat: str) -> None:
    drawn = 11
    tables = Tables(_QUICK, lambda: drawn)
    board = Board.random(drawn % 16 + 1, seed=drawn)
    me = Seat(seat)

    async def work(ask: Ask) -> None:
        told = await ask("play_a_hand", seat=seat)
        while told["phase"] != "over":
            lawful = board.deal[me]
            if told.get("tricks"):
                dummy = Seat(told["dummy_seat"])
                lawful |= board.deal[dummy]
                lawful |= Hand.of([c for t in told["tricks"] for c in t["cards"]])
            assert not _cards_told(told) - lawful
            assert "hands" not in json.dumps(told)
            kind, name = (
                ("make_call", "call") if told["phase"] == "auction" else ("play_card", "card")
            )
            told = await ask(kind, table=told["table"], **{name: told["legal"][0]})
        assert told["result"]["hands"]["North"] == str(board.deal.north)

    _run(work, tables)


def test_the_unseen_hands_change_nothing() -> None:
    """Two deals with the same hand for the dealer: before anybody acts the answers are equal."""
    first = Deal.random(1)
    swapped = Deal((first.north, first.west, first.south, first.east))
    answers = []
    for deal in (first, swapped):
        tables = Tables(_QUICK, lambda: 16)  # board 1: North deals
        original = Board.random
        try:
            Board.random = classmethod(lambda cls, n, seed, d=deal: cls.numbered(n, d))  # type: ignore
            told = tables.play_a_hand("N")
        finally:
            Board.random = original  # type: ignore[method-assign]
        del told["table"]
        answers.append(told)
    assert answers[0] == answers[1]


def test_tables_do_not_pile_up() -> None:
    tables = Tables("pass+highest")
    first = tables.play_a_hand("N")["table"]
    for _ in range(64):
        tables.play_a_hand("N")
    with pytest.raises(ValueError, match="no such table"):
        tables.look_at_table(first)
