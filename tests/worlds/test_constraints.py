"""Constraints test hands, combine soundly, and say what they mean."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.evaluation import HandArray, registry
from overtrick.game import Card, Hand
from overtrick.worlds import (
    ALWAYS,
    NEVER,
    Constraint,
    all_of,
    any_of,
    between,
    has,
    hcp,
    length,
    negated,
    parse,
    shape,
)
from overtrick.worlds.regions import region
from overtrick.worlds.shapes import shape_number
from tests.worlds.conftest import random_hands

SAMPLE = random_hands(3000, 11)
FEATURES = sorted(registry())


@st.composite
def ranges(draw: st.DrawFn) -> Constraint:
    f = registry()[draw(st.sampled_from(FEATURES))]
    points = st.integers(int(f.low), int(f.high))
    low, high = sorted((draw(points), draw(points)))
    return between(f.name, low, high)


atoms = st.one_of(
    ranges(),
    st.builds(lambda a, b: hcp(min(a, b), max(a, b)), st.integers(0, 25), st.integers(0, 25)),
    st.builds(
        lambda s, a, b: length(s, min(a, b), max(a, b)),
        st.integers(0, 3),
        st.integers(0, 8),
        st.integers(0, 8),
    ),
    st.sampled_from(["balanced", "any 5431", "(54)xx", "4=4=3=2", "unbalanced"]).map(shape),
    st.sets(st.integers(0, 51), min_size=1, max_size=5).map(lambda c: has(c, 1)),
    st.sampled_from([ALWAYS, NEVER]),
)
constraints = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(all_of),
        st.lists(inner, min_size=2, max_size=3).map(any_of),
        inner.map(negated),
    ),
    max_leaves=6,
)


@given(constraints)
def test_one_and_many_hands_agree_and_bounds_are_sound(c: Constraint) -> None:
    hands = HandArray(SAMPLE[:400])
    mask = c.mask(hands)
    assert mask.dtype == bool
    assert [c.holds(int(b)) for b in SAMPLE[:40]] == mask[:40].tolist()
    outer, inner = region(c)
    for bits, inside in zip(SAMPLE[:400], mask, strict=True):
        hand = Hand(int(bits))
        place = (shape_number()[hand.lengths], int(registry()["HCP"](HandArray([bits]))[0]))
        assert outer[place] or not inside
        assert inside or not inner[place]


@given(constraints)
def test_simplified_and_reread_constraints_mean_the_same(c: Constraint) -> None:
    hands = HandArray(SAMPLE)
    mask = c.mask(hands)
    assert (c.simplify().mask(hands) == mask).all()
    assert parse(c.text()) == c
    assert (parse(c.words()).mask(hands) == mask).all()
    assert (negated(c).mask(hands) != mask).all()


@given(constraints, constraints)
def test_implication_and_exclusion_are_sound(a: Constraint, b: Constraint) -> None:
    hands = HandArray(SAMPLE)
    one, two = a.mask(hands), b.mask(hands)
    if a.implies(b):
        assert not (one & ~two).any()
    if a.excludes(b):
        assert not (one & two).any()
    assert (a & b).implies(a)
    assert a.implies(a | b)


def test_impossible_things_are_proven_impossible() -> None:
    for text in (
        "hcp 12+, hcp ..11",
        "spades 7+, hearts 7+",
        "hcp 38+",
        "balanced, spades 6+",
        "aces 4, hcp ..15",
        "has SA SK SQ, hcp ..8",
        "spades 5+, hearts 5+, diamonds 4+",
        "losers ..2, hcp ..3",
        "controls 10+, hcp ..18",
    ):
        assert parse(text).is_impossible, text
        assert parse(text).simplify() == NEVER
    assert parse("hcp 0..37 or spades 3").is_certain
    assert parse("spades 3+ or hearts 3+ or diamonds 3+ or clubs 4+").is_certain
    assert not parse("hcp 37, balanced").is_impossible


def test_bounds_go_through_and_or_not() -> None:
    c = parse("(hcp 12..14, spades 5+) or (hcp 20+, hearts 6+, not spades 1+)")
    assert c.bounds().hcp == (12, 29)  # six hearts, AKQJ and AKQ beside
    assert parse("hcp 12..14 or hcp 18..19").bounds().hcp == (12, 19)
    assert parse("balanced").bounds().lengths == ((2, 5),) * 4
    assert NEVER.bounds().hcp == (1, 0)


def test_simplify_merges_and_drops() -> None:
    assert parse("hcp 10+, hcp ..14, spades 5+, spades 4+").simplify().words() == (
        "10–14 hcp, 5+ spades"
    )
    assert parse("hcp 8..10 or hcp 11..12").simplify().words() == "8–12 hcp"
    assert parse("not (hcp 12+ or balanced)").simplify().words() == "at most 11 hcp, unbalanced"
    assert parse("balanced, spades 2+").simplify() == shape("balanced")


def test_holdings() -> None:
    hand = Hand.parse("AK3.QJ2.T98.7654")
    assert has([Card.parse("SA"), Card.parse("SK")]).holds(hand)
    assert parse("2 of AKQ in spades").holds(hand)
    assert not parse("3 of AKQ in spades").holds(hand)
    assert parse("0 of AKQ in clubs").holds(hand)
    assert has([1, 2], 0, 2) == ALWAYS


def test_a_hundred_thousand_hands_in_a_tenth_of_a_second() -> None:
    hands = random_hands(100_000, 3)
    c = parse("hcp 12..14, spades 5+, not balanced, losers S ..7, (hearts 4 or controls 4+)")
    c.mask(HandArray(hands[:10]))  # tables are built once
    best = min(_seconds(c, hands) for _ in range(3))
    assert best < 0.1


def _seconds(c: Constraint, hands: np.ndarray) -> float:
    start = time.process_time()
    c.mask(HandArray(hands))
    return time.process_time() - start


def test_incomplete_hands_have_no_shape() -> None:
    assert not shape("balanced").holds(Hand.parse("AK..."))
    assert not shape("balanced").mask(HandArray.of([Hand.parse("AK...")]))[0]


def test_unknown_features_are_named() -> None:
    with pytest.raises(ValueError, match="no such feature 'FOO'"):
        between("FOO", 1)
