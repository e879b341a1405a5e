"""What a call shows as one statement: merged words, ranges that hold the hands, typical samples."""

from __future__ import annotations

import re

import pytest

from benchmarks.meanings import EMPTY, measure
from overtrick.game import Auction, Vulnerability
from overtrick.game.meaning import ANY_LENGTH, ANY_LENGTHS, Meaning, Range
from overtrick.systems import Reading, library_names, load
from overtrick.systems.descriptions import RulePart, Sort, described, read_phrase
from overtrick.systems.explain import explain_auction
from overtrick.systems.meanings import read_auction
from overtrick.systems.pragmatics import Certainty
from overtrick.worlds.constraints import negated


def told(system: str, auction: str) -> Meaning:
    """The meaning of the last call."""
    reading = Reading(load(system))
    return read_auction(reading, Auction.parse(auction), Vulnerability.NONE, 0)[-1].meaning


def way(words: str, share: float, hcp: Range, points: Range | None = None, suit: int = -1,
        cards: Range = ANY_LENGTH, second: bool = False) -> RulePart:  # fmt: skip
    clubs, diamonds, hearts, spades = (cards if s == suit else ANY_LENGTH for s in range(4))
    return RulePart(words, share, hcp, points, (clubs, diamonds, hearts, spades), second)


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        # ranges and lengths become those of all the hands
        (
            [way("six cards, 16–18", 0.5, (16, 18), None, 3, (6, 6)),
             way("six cards and shape, 14", 0.3, (14, 14), None, 3, (6, 6)),
             way("seven cards, 15", 0.2, (15, 15), None, 3, (7, 7))],
            "six or more cards, 14–18",
        ),
        # a detail that few share is left out, what it belongs to stays
        (
            [way("competes with a fit: nine trumps", 0.4, (5, 9)),
             way("competes with a fit: extra values", 0.35, (10, 12)),
             way("a long suit", 0.25, (5, 9))],
            "competes with a fit",
        ),
        # what hardly any hand has widens nothing
        (
            [way("raise, 5–9 points", 0.9, (5, 9), (5, 9)),
             way("raise, 10–11 points", 0.09, (8, 10), (10, 11)),
             way("raise, 12 points", 0.01, (5, 7), (12, 12))],
            "raise, 5–11 points",
        ),
        # the agreement itself has two kinds of hands; a third is not told
        (
            [way("takeout of ♥", 0.3, (11, 17)), way("any 18+", 0.6, (18, 37), second=True),
             way("17+ with a five-card major", 0.1, (17, 37), second=True)],
            "takeout of ♥; or any 18+",
        ),
        ([way("any 18+", 1.0, (18, 37), second=True)], "any 18+"),
    ],
)  # fmt: skip
def test_rules_are_told_as_one_statement(ways: list[RulePart], words: str) -> None:
    assert described(ways, 3).words == words


def test_one_rule_speaks_for_itself() -> None:
    """Whatever the hands are, the words stay, but for ends that no hand reaches."""
    assert described([way("11–14, balanced", 1.0, (12, 14))], -1).words == "12–14, balanced"
    words = "no interest, or a control is missing"
    assert described([RulePart(words, 1.0, (0, 37), None, ANY_LENGTHS)], 2).words == words
    words = "five or more hearts, perhaps light"
    assert described([way(words, 1.0, (10, 21), None, 2, (5, 8))], 2).words == words


@pytest.mark.parametrize("name", library_names())
def test_the_words_of_rules_read_back(name: str) -> None:
    """Phrases keep their text, and no rule says that there is nothing to say."""
    for rule in load(name).rules():
        for words in (rule.words, *(s.words for s in rule.sets)):
            parts = [read_phrase(part, 0) for part in words.split(", ")]
            assert ", ".join(map(str, parts)) == words
            assert all(p.span[0] <= p.span[1] for p in parts if p.sort is not Sort.IDEA)
            assert not EMPTY.search(words), rule.place


def test_shape_bounds_every_suit() -> None:
    """Balanced with five spades: two or three cards in each other suit."""
    meaning = told("two-over-one", "1S P 2C P 2NT")
    assert meaning.lengths == ((2, 3), (2, 3), (2, 3), (5, 5))


def test_strength_without_an_end() -> None:
    assert told("two-over-one", "1H X").hcp == (11, 37)
    assert told("two-over-one", "1S").hcp[1] == 21


@pytest.mark.parametrize(
    ("auction", "words"),
    [
        ("1H X", "takeout of ♥; or any 18+"),
        ("1NT", "15–17, balanced"),
        ("1C P 1H", "four or more hearts"),
        ("1S P 2S", "raise, 5–10 points with support"),
        ("1NT P 4NT", "15–17, quantitative"),
        ("1S X 2NT", "limit raise or better, three trumps"),
    ],
)
def test_what_a_player_would_say(auction: str, words: str) -> None:
    assert told("two-over-one", auction).words == words


def test_self_bid_auctions() -> None:
    found = measure(["two-over-one", "sayc"], 4, seed=50)
    assert not found.many_ors
    assert not found.empty
    assert found.length <= 60
    assert found.nearly == found.sampled > 20
    assert found.tight >= 0.85 * found.sampled


@pytest.mark.slow
def test_ranges_hold_the_hands_and_end_where_they_do() -> None:
    """A thousand hands for every call of eighty auctions."""
    found = measure(["two-over-one", "sayc"], 40)
    assert found.nearly == found.sampled > 200
    assert found.tight >= 0.95 * found.sampled, found.loose


def test_samples_are_typical() -> None:
    """Of usual strength, with honours in the suit that is bid."""
    explained = explain_auction(Reading(load("two-over-one")), Auction.parse("1S 2H X P"))
    hands = [hand for e in explained if e.call.ascii == "2H" for hand in e.samples]
    assert len(hands) == 2
    assert all(set(hand.hearts) & set("AKQ") and 10 <= hand.hcp <= 15 for hand in hands)


def test_inferences_add_to_the_ranges() -> None:
    """None says less than the ranges do, and none is only possible."""
    for auction in ("1H X 1S P", "1S 2H X P", "1NT P P P", "1C P 1H P 1NT"):
        for e in explain_auction(Reading(load("two-over-one")), Auction.parse(auction), samples=0):
            assert len(e.denies) <= 2
            for c in e.denies:
                assert c.certainty is not Certainty.POSSIBLE
                if match := re.fullmatch(r"at most (\d+) hcp", negated(c.denied).words()):
                    assert int(match[1]) <= e.meaning.hcp[1], (auction, c.words)
