"""Positions, cards with scores, targets and play analysis, against plain search and each other.
endplay is the second witness in test_oracle.py."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from overtrick import dd
from overtrick.doubledummy import Position, PositionError, solve_worlds_counting
from overtrick.doubledummy.tables import bits_of
from overtrick.game import (
    BridgeError,
    Card,
    Contract,
    Deal,
    Hand,
    IllegalPlay,
    Play,
    Record,
    Seat,
    Strain,
)

from .helpers import _value, exhaustive, random_play, random_position


def test_small_endings_agree_with_plain_search_at_every_point_of_a_trick() -> None:
    rng = random.Random(5)
    positions = [random_position(rng.randrange(40, 52), rng) for _ in range(120)]
    for position, solved in zip(positions, dd.solve_all(positions), strict=True):
        assert solved == {c: _value(position, c) for c in position.legal_cards()}
        assert dd.best(position) == exhaustive(position)


def test_cards_come_best_first_and_one_at_a_time_gives_the_same() -> None:
    rng = random.Random(6)
    positions = [random_position(n, rng) for n in (28, 33, 38, 43, 51)]
    for position, together in zip(positions, dd.solve_all(positions), strict=True):
        assert list(together.values()) == sorted(together.values(), reverse=True)
        assert dd.solve(position) == together


def test_targets_agree_with_numbers() -> None:
    rng = random.Random(7)
    for _ in range(25):
        position = random_position(rng.randrange(30, 52), rng)
        solved = dd.solve(position)
        for target in range(-1, position.tricks_left + 2):
            good = [c for c in position.legal_cards() if solved[c] >= target]
            assert dd.reaches(position, target) == bool(good)
            assert dd.cards_reaching(position, target) == good


def test_more_than_one_batch() -> None:
    rng = random.Random(8)
    few = [random_position(48, rng) for _ in range(30)]
    many = [few[i % 30] for i in range(450)]
    solved = dd.solve_all(many)
    assert solved == [solved[i % 30] for i in range(450)]
    assert dd.reaches_all(many, [1] * 450).tolist() == [max(s.values()) >= 1 for s in solved]
    assert dd.best_all(many).tolist() == [max(s.values()) for s in solved]
    assert dd.solve_all([]) == []
    assert dd.reaches_all([], []).tolist() == []


def test_many_threads_may_ask_at_once() -> None:
    rng = random.Random(12)
    positions = [random_position(rng.randrange(36, 50), rng) for _ in range(60)]
    alone = [dd.solve(p) for p in positions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(dd.solve, positions)) == alone


def test_worlds_as_arrays() -> None:
    rng = random.Random(9)
    position = random_position(30, rng)
    hands = np.array([[h.bits for h in position.hands]] * 3, dtype=np.uint64)
    rows = dd.solve_worlds(hands, position.strain, position.leader, position.trick)
    solved = dd.solve(position)
    for row in rows:
        assert {Card(i): int(v) for i, v in enumerate(row) if v >= 0} == solved
    reach = dd.reach_worlds(hands, position.strain, position.leader, position.trick, 2)
    assert {Card(i) for i in np.flatnonzero(reach[0])} == {c for c, v in solved.items() if v >= 2}
    with pytest.raises(PositionError, match="world 0 does not fit"):
        dd.solve_worlds(hands, position.strain, position.leader, (*position.trick, 0)[:1])
    with pytest.raises(PositionError, match="target"):
        dd.reach_worlds(hands, position.strain, position.leader, position.trick, 12)


def test_position_of_a_play() -> None:
    rng = random.Random(10)
    deal = Deal.random(rng)
    play = random_play(deal, 18, rng)
    position = Position.of_play(deal, play)
    assert position.turn == play.turn
    assert position.trick == play.trick.cards
    assert position.tricks_left == 13 - play.tricks_played
    assert position.legal_cards() == play.legal_cards(deal[play.turn])
    contract = Contract.parse("4S E")
    assert Position.of_contract(deal, contract).turn == Seat.SOUTH


def test_bad_positions_are_refused() -> None:
    deal = Deal.random(1)
    other = deal.rotated(1)
    foreign = Play(Strain.NT, Seat.NORTH).then(other[Seat.NORTH].cards()[0])
    with pytest.raises(IllegalPlay, match="North does not hold it"):
        Position.of_play(deal, foreign)
    a, b, c, d = (Hand.parse(t) for t in ("A...", "K...", "Q...", "J..."))
    with pytest.raises(PositionError, match="SA of North is somewhere else"):
        Position((a, b, c, d), Strain.NT, Seat.WEST, (Card.parse("SA"),))
    with pytest.raises(PositionError, match="West should have 0 cards, not 1"):
        Position((a, b, c, d), Strain.NT, Seat.WEST, (Card.parse("S2"),))
    with pytest.raises(PositionError, match="at most 3"):
        Position((a, b, c, d), Strain.NT, Seat.WEST, tuple(Card(i) for i in range(4)))
    with pytest.raises(PositionError, match="no card left"):
        Position((Hand(), Hand(), Hand(), Hand()), Strain.NT, Seat.WEST)
    with pytest.raises(PositionError, match="2 positions but 1 targets"):
        dd.reaches_all([Position((a, b, c, d), Strain.NT, Seat.WEST)] * 2, [1])
    with pytest.raises(IllegalPlay, match="North cannot play H2"):
        Position((a, b, c, d), Strain.NT, Seat.NORTH).then(Card.parse("H2"))


@pytest.mark.parametrize("cards", [0, 1, 5, 30, 48, 49, 51, 52])
def test_play_analysis_is_the_solver_after_every_card(cards: int) -> None:
    rng = random.Random(cards)
    deal = Deal.random(rng)
    play = random_play(deal, cards, rng)
    found = dd.analyse(deal, play)
    assert len(found.tricks) == cards + 1
    for n in range(max(0, cards - 20), cards + 1):  # the first cards cost too much to check all
        part = Play(play.strain, play.opening_leader, play.cards[:n])
        if n == 52:
            assert found.tricks[n] == part.declarer_tricks
            break
        position = Position.of_play(deal, part)
        rest = dd.best(position)
        if position.turn.side != part.declarer.side:
            rest = position.tricks_left - rest
        assert found.tricks[n] == part.declarer_tricks + rest
    costs = [lost for _, _, lost in found.costs()]
    assert len(costs) == cards
    assert all(lost >= 0 for lost in costs)


def test_play_analysis_of_a_record() -> None:
    deal = Deal.random(3)
    play = random_play(deal, 8, random.Random(3))
    assert dd.analyse_play(Record(deal=deal, play=play)) == dd.analyse(deal, play)
    with pytest.raises(BridgeError, match="no play"):
        dd.analyse_play(Record(deal=deal))
    with pytest.raises(BridgeError, match="complete deal"):
        dd.analyse_play(Record(play=play))
    revoke = Play(play.strain, play.opening_leader, (*play.cards[:1], *play.cards[4:5]))
    with pytest.raises(IllegalPlay, match="card 2"):
        dd.analyse(deal, revoke)


def test_what_was_solved_before_changes_no_count() -> None:
    """Searches are cut by nodes, and the same question is to get the same answer."""
    hands = bits_of([Deal.random(n) for n in range(3)])
    found, nodes = solve_worlds_counting(hands, 2, 1)
    for asked in (hands, hands[:1], hands[1:]):
        again, counted = solve_worlds_counting(asked, 2, 1)
        rows = [i for i, row in enumerate(hands) if (asked == row).all(axis=1).any()]
        assert (again == found[rows]).all()
        assert counted.tolist() == nodes[rows].tolist()
