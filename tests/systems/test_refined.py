"""Learned agreements as a file: reading, writing, narrowing φ, messages."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from overtrick.evaluation import HandArray, feature, registry
from overtrick.game import Hand
from overtrick.systems import RuleError
from overtrick.systems.explain import random_hands
from overtrick.systems.meanings import constraint_of
from overtrick.systems.refined import (
    AuctionKey,
    Refinements,
    load_refinements,
    read_refinements,
    ruling_of,
    shipped,
)
from overtrick.systems.shows import HandValues
from overtrick.worlds.words import phrase, phrases

TEXT = """refines two-over-one "an example"

after 1H 2H
  Pass > 3H : hcp ..13 "9 examples"
  3H : hcp 14..15, losers H 6+
  4H > 3H > Pass : hcp 16+

opening when we passed
  Pass : FAST NT H 2+, DIF S H ..-1

after (1H) X (2H)
  2S : spades 5+, INTER S 2.5+
"""
PASS, H2, H3, H4 = 0, 10, 15, 20


def test_a_line_may_speak_of_one_choice_only() -> None:
    """The paper's intersection nodes: hands with exactly these calls open, and no others."""
    text = "refines x\n\nafter 1H 2H\n  4H among 3H 4H : hcp 14+\n  Pass > 4H : any\n"
    made = read_refinements(text)
    assert made.text() == text
    (net,) = made.nets.values()
    hand = Hand.parse("AK2.AQ765.K32.32")
    values = HandValues(hand.bits)
    assert net.choose({H3, H4}, values) == {H4}
    assert net.choose({PASS, H3, H4}, values) == {PASS}
    allowed = np.zeros((2, 38), bool)
    allowed[0, [H3, H4]] = allowed[1, [PASS, H3, H4]] = True
    kept = net.restrict(allowed, HandArray.of([hand, hand]))
    assert [np.flatnonzero(row).tolist() for row in kept] == [[H4], [PASS]]


def test_a_file_is_read_and_written_back() -> None:
    made = read_refinements(TEXT)
    assert made.text() == TEXT
    assert list(made.nets) == [
        AuctionKey((5, 0, H2, 0), False), AuctionKey((), True), AuctionKey((5, 1, H2), False),
    ]  # fmt: skip
    assert made.system == "two-over-one"


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ((), "opening"),
        ((0,), "opening"),
        ((0, 0), "opening when we passed"),
        ((5, 0), "after (1H) Pass"),  # partner of the player in turn passed over their 1H
        ((5, 0, H2, 0), "after 1H 2H"),
        ((0, 5, 0, H2, 0), "after 1H 2H"),
        ((0, 0, 5, 0, H2, 0), "after 1H 2H when we passed"),
        ((5, 6, 0), "after (1H) 1S"),
    ],
)
def test_keys_in_words(calls: tuple[int, ...], words: str) -> None:
    key = AuctionKey.of(calls)
    if calls == (5, 0):  # two calls, the player in turn is the opener's partner
        words = "after 1H"
    assert key.words() == words
    assert next(iter(read_refinements(f"refines x\n{words}\n").nets)) == key


def test_narrowing_one_hand_and_many() -> None:
    made, hands = read_refinements(TEXT), random_hands(3000, 2)
    position = SimpleNamespace(calls=(5, 0, H2, 0))
    allowed = np.zeros((len(hands), 38), bool)
    allowed[:1000, [PASS, H3, H4]] = True
    allowed[1000:2000, [PASS, H4]] = True
    allowed[2000:, H4] = True
    after = made.narrow(position, hands, allowed)
    assert made.covers(position)
    assert (after[2000:] == allowed[2000:]).all()  # no choice, nothing to learn
    assert not (after & ~allowed).any()
    net = made.at(position.calls)
    assert net is not None
    for i in range(0, 3000, 7):
        before = set(np.flatnonzero(allowed[i]))
        one = net.choose(before, HandValues(int(hands.bits[i])))
        assert one == set(np.flatnonzero(after[i]))
    assert set(after[:1000].sum(1)) == {1, 3}


def test_nothing_learned_changes_nothing() -> None:
    allowed = np.ones((4, 38), bool)
    position = SimpleNamespace(calls=(5, 0))
    assert Refinements().narrow(position, random_hands(4), allowed) is allowed
    assert not Refinements().covers(position)


def test_the_head_may_say_how_wide_the_choice_was() -> None:
    made = read_refinements(TEXT)
    assert made.width is None
    wide = replace(made, width=(5000, 3))
    assert wide.text().splitlines()[0].startswith("refines two-over-one near 5000 slack 3")
    assert read_refinements(wide.text()).width == (5000, 3)
    assert read_refinements(wide.text()).text() == wide.text()
    with pytest.raises(RuleError, match="refines system"):
        read_refinements("refines two-over-one near\n")


def test_explanation_quotes_the_line() -> None:
    made = read_refinements(TEXT)
    weak = HandValues(Hand.parse("K32.AQ432.K32.J2").bits)
    said = made.explain((5, 0, H2, 0), {PASS, H4}, weak)
    assert said.startswith("Pass > 3H : hcp ..13")
    assert made.explain((5, 0, H2, 0), {H2, H4}, weak) == ""


def test_every_feature_has_a_phrase_that_reads_back() -> None:
    hands = random_hands(300, 3)
    for name in registry():
        column = feature(name)(hands)
        low, high = (round(float(np.quantile(column, q)), 4) for q in (0.3, 0.7))
        for a, b in ((low, high), (-99, high), (low, 99)):
            text = phrase(name, a, b)
            found = constraint_of(ruling_of([PASS], text).items).mask(hands)
            assert (found == ((column >= a) & (column <= b))).all(), text


def test_phrases_as_players_write_them() -> None:
    assert phrases([("HCP", 12, 14), ("SUITLEN(S)", 5, 13), ("LOSERS(H,ALL)", 0, 7)]) == (
        "hcp 12..14, spades 5+, losers H ..7"
    )
    assert phrase("SUITLEN(S,H)", 9, 99) == "spades + hearts 9+"
    assert phrase("FAST(NT,H)", -99, 2) == "FAST NT H ..2"
    assert phrases([]) == "any"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("after 1H 2Z\n", "no such call"),
        ("Pass > 3H : hcp 3+\n", "below an auction"),
        ("after 1H\n  2H > 3Z : hcp 3+\n", "no such call"),
        ("after 1H\n  2H : hpc 3+\n", "hpc"),
        ("after 1H\n  what is this\n", "cannot read"),
    ],
)
def test_mistakes_name_the_line(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message) as caught:
        read_refinements("refines x\n" + text, "mine.bid")
    assert "mine.bid:" in str(caught.value)


def test_shipped_agreements_are_found_by_the_name_of_their_system() -> None:
    assert "two-over-one" in shipped()
    for name in shipped():
        made = load_refinements(name)
        assert made.system == name
        assert made.width is not None
        assert len(made) >= 1
        assert all(net.rulings for net in made.nets.values())
        assert not any(key.words().startswith("opening") for key in made.nets)
