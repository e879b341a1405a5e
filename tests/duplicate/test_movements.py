"""Movements are proved for every number of pairs, and the proof sees what is wrong with others."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.duplicate.howell import starter
from overtrick.duplicate.movements import (
    Movement,
    faults,
    howell,
    mitchell,
    swiss,
    with_round,
)
from overtrick.game import OptionError

_PAIRS = [n if n <= 20 else pytest.param(n, marks=pytest.mark.slow) for n in range(4, 41)]


def _met(movement: Movement) -> Counter[frozenset[int]]:
    return Counter(frozenset((p.ns, p.ew)) for places in movement.rounds for p in places)


@pytest.mark.parametrize("pairs", range(4, 41))
def test_in_a_mitchell_everybody_of_one_side_meets_the_other(pairs: int) -> None:
    movement = mitchell(pairs)
    tables = (pairs + 1) // 2
    assert len(movement.rounds) == tables - (tables % 2 == 0)
    assert not faults(movement)
    assert movement.copies == 1
    for ns in range(1, tables + 1):
        against = {p.ew for places in movement.rounds for p in places if p.ns == ns}
        out = sum(ns in movement.sits_out(r + 1) for r in range(len(movement.rounds)))
        assert len(against) + out == len(movement.rounds)
        assert out <= pairs % 2
    assert {movement.field(pair) for pair in range(1, tables + 1)} == {"NS"}
    assert {movement.field(pair) for pair in range(tables + 1, pairs + 1)} == {"EW"}


@pytest.mark.parametrize("pairs", _PAIRS)
def test_in_a_howell_everybody_meets_everybody_and_plays_every_board(pairs: int) -> None:
    movement = howell(pairs, each=1)
    assert not faults(movement)
    assert _met(movement) == Counter(frozenset(c) for c in combinations(range(1, pairs + 1), 2))
    whole = pairs - pairs % 2  # in a field with an odd pair, each sits out with one set
    for pair in range(1, pairs + 1):
        sets = [p.boards for places in movement.rounds for p in places if pair in (p.ns, p.ew)]
        assert len(sets) == len(set(sets)) == movement.sets - pairs % 2
    played = Counter(p.boards for places in movement.rounds for p in places)
    assert set(played.values()) == {whole // 2}
    assert movement.copies == (1 if pairs > 6 else pairs // 2)


@pytest.mark.parametrize("pairs", [8, 12, 14])
def test_in_a_howell_nobody_competes_with_one_pair_much_more_than_with_others(pairs: int) -> None:
    """How often two pairs sit the same way with the same boards, less how often they do not."""
    movement = howell(pairs, each=1)
    side = {
        (pair, p.boards): 1 if pair == p.ns else -1
        for places in movement.rounds for p in places for pair in (p.ns, p.ew)
    }  # fmt: skip
    likeness = [
        sum(side[a, s] * side[b, s] for s in range(1, movement.sets + 1))
        for a, b in combinations(range(1, pairs + 1), 2)
    ]
    assert sum(likeness) == -len(likeness)  # −1 in the mean: opponents count against each other
    assert max(abs(x + 1) for x in likeness) <= 4
    if pairs == 8:
        assert set(likeness) == {-1}  # as even as can be


@given(st.integers(4, 24), st.integers(1, 9), st.integers(0, 10_000))
def test_a_swiss_pairs_nobody_twice(pairs: int, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    movement, points = swiss(pairs), [0.0] * pairs
    for number in range(1, min(rounds, pairs // 2) + 1):
        movement = with_round(movement, points)
        assert not faults(movement)
        for p in movement.rounds[-1]:
            won = chance.randint(0, 20)
            points[p.ns - 1] += won
            points[p.ew - 1] += 20 - won
        assert len(movement.sits_out(number)) == pairs % 2
    assert max(_met(movement).values()) == 1


def test_neighbours_meet_in_a_swiss() -> None:
    movement = with_round(swiss(6), [5, 30, 10, 25, 20, 15])
    assert [{p.ns, p.ew} for p in movement.rounds[0]] == [{2, 4}, {5, 6}, {3, 1}]
    with pytest.raises(OptionError, match="6 pairs have so many points, not 5"):
        with_round(movement, [1, 2, 3, 4, 5])


def test_fewer_rounds_are_the_first_ones() -> None:
    whole, cut = howell(14), howell(14, rounds=8)
    assert cut.rounds == whole.rounds[:8]
    assert mitchell(9, rounds=4).rounds == mitchell(9).rounds[:4]
    for wrong in (0, 14):
        with pytest.raises(OptionError, match="this movement has 1 to 13 rounds"):
            howell(14, rounds=wrong)
    for wrong in (3, 41):
        with pytest.raises(OptionError, match="for 4 to 40 pairs"):
            mitchell(wrong)


def test_a_design_is_the_same_every_time() -> None:
    starter.cache_clear()
    first = starter(15)
    starter.cache_clear()
    assert starter(15) == first


def _changed(movement: Movement, number: int, at: int, **fields: int) -> Movement:
    places = list(movement.rounds[number])
    places[at] = replace(places[at], **fields)
    rounds = (*movement.rounds[:number], tuple(places), *movement.rounds[number + 1 :])
    return replace(movement, rounds=rounds)


@pytest.mark.parametrize("whole", [mitchell(10), howell(4), howell(8)])
@given(data=st.data())
def test_whatever_is_changed_in_a_movement_is_seen(whole: Movement, data: st.DataObject) -> None:
    """Everybody plays every set here: another pair, board or table at one place is a fault."""
    number = data.draw(st.integers(0, len(whole.rounds) - 1))
    at = data.draw(st.integers(0, len(whole.rounds[number]) - 1))
    field = data.draw(st.sampled_from(["ns", "ew", "boards", "table"]))
    most = len(whole.rounds[number]) if field == "table" else whole.pairs + 1
    value = data.draw(st.integers(1, most))
    if value != getattr(whole.rounds[number][at], field):
        assert faults(_changed(whole, number, at, **{field: value}))
