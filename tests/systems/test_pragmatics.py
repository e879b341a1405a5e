"""Indirect conclusions of calls: the paper's 1♠ – 2♦ – 2NT, real systems, grades and acts."""

from __future__ import annotations

import pytest

from overtrick.bidding.rules import reading_of
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.game.meaning import SpeechAct
from overtrick.systems.explain import explain_auction
from overtrick.systems.meanings import contexts
from overtrick.systems.pragmatics import (
    Certainty,
    Conclusion,
    conclusions,
    speech_acts,
)
from overtrick_lab.papers.gamback1993.examples import section_1


@pytest.fixture(scope="module")
def found() -> list[Conclusion]:
    return section_1()


def of(found: list[Conclusion], call: str) -> list[Conclusion]:
    return [c for c in found if c.instead.ascii == call]


def test_the_papers_three_inferences(found: list[Conclusion]) -> None:
    hearts = of(found, "2H")[0]
    assert hearts.certainty is Certainty.CERTAIN
    assert "at most 3 hearts" in hearts.words
    assert hearts.words.endswith("or they would have bid 2♥")
    spades = of(found, "2S")[0]
    assert spades.certainty is Certainty.CERTAIN
    assert not spades.denied.holds(Hand.parse("65432.A4.KQ3.KJ2"))
    support = [c for c in of(found, "3D") if c.certainty is not Certainty.CERTAIN]
    assert support  # less certainly: no diamond support
    assert "at most 2 diamonds" in support[0].words
    assert "might have bid 3♦" in support[0].words or "probably" in support[0].words


def test_surest_first_and_shares_make_sense(found: list[Conclusion]) -> None:
    order = [list(Certainty).index(c.certainty) for c in found]
    assert order == sorted(order)
    for c in found:
        assert 0 <= c.after < c.before <= 1
        assert c.to_dict()["certainty"] == str(c.certainty)


def test_real_system_one_notrump_rebid_denies_spades() -> None:
    reading = reading_of("sayc", "")
    *_, (ctx, call) = contexts(reading, Auction.parse("1C P 1H P 1NT"), Vulnerability.NONE, 0)
    denied = conclusions(reading, ctx, call)
    acts = speech_acts(reading, ctx, call, denied)
    assert any("at most 3 spades" in c.words and "1♠" in c.words for c in denied)
    assert {a.act for a in acts} >= {SpeechAct.ASSERTING, SpeechAct.DENYING}


def test_questions_and_answers_are_acts() -> None:
    reading = reading_of("sayc", "")
    calls = tuple(int(c) for c in Auction.parse("1NT P").calls)
    asks = speech_acts(reading, reading.context(calls), 8)
    assert asks[0].act is SpeechAct.ASKING
    assert any(a.act is SpeechAct.ORDERING for a in asks)
    after = tuple(int(c) for c in Auction.parse("1NT P 2C P").calls)
    answer = speech_acts(reading, reading.context(after), 10)
    assert any(a.act is SpeechAct.ANSWERING for a in answer)


def test_a_limit_raise_hands_over_the_decision() -> None:
    reading = reading_of("sayc", "")
    calls = tuple(int(c) for c in Auction.parse("1S P").calls)
    acts = speech_acts(reading, reading.context(calls), 16)
    assert any(a.act is SpeechAct.INVITING for a in acts)


def test_explanations_carry_them() -> None:
    reading = reading_of("sayc", "")
    told = explain_auction(reading, Auction.parse("1C P 1H P 1NT"), samples=0)
    last = told[-1].to_dict()
    assert last["denies"][0]["words"]
    assert any(a["act"] == "denying" for a in last["acts"])


def test_a_call_outside_the_system_denies_nothing_and_does_not_fail() -> None:
    reading = reading_of("sayc", "")
    calls = tuple(int(c) for c in Auction.parse("1C 4S P P").calls)
    assert isinstance(conclusions(reading, reading.context(calls), 37), list)
