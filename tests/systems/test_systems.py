"""The systems of the library: examples, self-bid deals, inference, explanations, exports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from overtrick.bidding import bid_board, bidder, check_bidder
from overtrick.game import Auction, Board, Forcing, Hand, SpeechAct, Vulnerability
from overtrick.systems import Reading, library_names, load
from overtrick.systems.book import to_bbo_alerts, to_bml
from overtrick.systems.context import GAME_CALLS
from overtrick.systems.explain import explain_auction, next_calls
from overtrick.systems.lint import lint, run_examples
from overtrick.systems.meanings import contexts, knowledge, read_auction, shows
from overtrick.systems.site import write_book

NONE = Vulnerability.NONE


@pytest.mark.parametrize("name", library_names())
def test_examples_beside_the_rules(name: str) -> None:
    assert name in library_names()
    assert not load(name).warnings
    wrong = [r.problem for r in run_examples(load(name)) if not r.passed]
    assert not wrong


@pytest.mark.parametrize("name", ["sayc", "two-over-one"])
def test_at_least_two_thousand_concrete_rules(name: str) -> None:
    assert load(name).concrete_rules() >= 2000


@pytest.mark.parametrize("name", ["sayc", "two-over-one"])
def test_self_bid_deals(name: str) -> None:
    report = lint(load(name), 400, seed=11, surveyed=0)
    assert report.named >= 0.99
    assert report.consistent >= 0.98
    assert not report.impossible
    assert not report.forcing_passed
    assert not report.below_game


@pytest.mark.parametrize("name", ["sayc", "two-over-one"])
def test_forcing_calls_and_game_forces_are_kept(name: str) -> None:
    engine = bidder(f"rules(system={name})")
    reading = Reading(load(name))
    for seed in range(60):
        board = Board.random(seed + 1, seed=seed)
        auction, decisions = bid_board(board, [engine] * 4)
        for ctx, call in contexts(reading, auction, board.vul, board.dealer & 1):
            assert not (call == 0 and ctx.forced), auction.ascii
        assert all(d.meaning.words for d in decisions)
        end = reading.context(tuple(int(c) for c in auction.calls))
        if end.last_bid and end.game_force[end.last_bidder & 1] and not end.doubled:
            assert end.last_bid in GAME_CALLS, auction.ascii


def test_the_engine_keeps_its_contract() -> None:
    check_bidder(bidder("rules(system=sayc)"), boards=6)
    check_bidder(bidder("rules(system=two-over-one, theirs=sayc)"), boards=3)


def test_negative_inference() -> None:
    """Footnote 6 of the PRAGMA paper: what a better call would have said is denied."""
    reading = Reading(load("sayc"))
    ctx = reading.context(tuple(int(c) for c in Auction.parse("1NT P 2C P").calls))
    diamonds = shows(reading, ctx, 9)
    assert diamonds.holds(Hand.parse("AQ5.K84.QJ62.KJ5"))
    assert not diamonds.holds(Hand.parse("AQ5.K842.QJ6.KJ5"))
    ctx = reading.context(tuple(int(c) for c in Auction.parse("1S P").calls))
    pass_ = shows(reading, ctx, 0)
    assert not pass_.holds(Hand.parse("KQ84.A73.QJ65.K2"))
    assert pass_.holds(Hand.parse("84.J73.Q9653.942"))


def test_knowledge_holds_for_the_hands_that_bid() -> None:
    reading = Reading(load("sayc"))
    engine = bidder("rules(system=sayc)")
    held = total = 0
    for seed in range(25):
        board = Board.random(1, seed=seed)
        auction, _ = bid_board(board, [engine] * 4)
        for seat, constraint in enumerate(knowledge(reading, auction, board.vul, deny=False)):
            total += 1
            held += constraint.holds(board.deal[seat])
    assert held >= 0.95 * total


def test_meanings_forcing_acts_and_outside_calls() -> None:
    reading = Reading(load("two-over-one"))
    told = read_auction(reading, Auction.parse("1S P 2NT P 3C"), NONE, 0)
    assert told[2].meaning.forcing is Forcing.GAME
    assert told[2].meaning.act is SpeechAct.ASKING
    assert told[4].meaning.act is SpeechAct.ANSWERING
    assert told[4].meaning.lengths[0][1] == 1
    odd = read_auction(reading, Auction.parse("7C P P"), NONE, 0)
    assert "outside the system" in odd[0].meaning.words


def test_explain_and_next_calls() -> None:
    reading = Reading(load("sayc"))
    told = explain_auction(reading, Auction.parse("1NT P 2H P"), samples=1)
    assert told[0].meaning.hcp == (15, 17)
    assert told[2].meaning.lengths[3][0] == 5
    assert told[2].meaning.announce == "spades"
    assert all(len(h) == 13 for e in told for h in e.samples)
    assert "2S" in {e.call.ascii for e in next_calls(reading, Auction.parse("1NT P 2H P"))}


def test_book_and_exports(tmp_path: Path) -> None:
    system = load("two-over-one")
    assert "1N = 15–17" in to_bml(system, 1)
    assert ",2C," in to_bbo_alerts(system, 1) or "2C" in to_bbo_alerts(system, 2)
    written = {p.name: p.read_text(encoding="utf-8") for p in write_book(system, tmp_path, depth=2)}
    pages = {"index.html", "uncontested.html", "contested.html", "examples.html"}
    assert set(written) == pages | {"learn.html", "learn.md"}
    links = re.findall(r'href="#([^"]+)"', written["uncontested.html"])
    anchors = set(re.findall(r'id="([^"]+)"', written["uncontested.html"]))
    assert links
    assert set(links) <= anchors


def test_shapes_of_two_over_one() -> None:
    reading = Reading(load("two-over-one"))
    ctx = reading.context(tuple(int(c) for c in Auction.parse("1S P 2D P").calls))
    assert ctx.forced_to_game
    assert ctx.forced
