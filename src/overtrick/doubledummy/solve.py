"""Questions about positions: what each card is worth, and whether a target can be reached.
Batches are cut to the library's limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.doubledummy.dds import (
    MAX_BOARDS,
    HandBits,
    Ints,
    TrickCounts,
    best_scores,
    encode,
    scores,
    solver,
)
from overtrick.doubledummy.position import Position, PositionError
from overtrick.game import DECK, Card
from overtrick.game.errors import expect

_WHAT: Final = "a position"
_WANTED: Final = "a Position, as Position.of_contract makes one"
_EXACT: Final = np.int32(-1)  # no target: the number itself is wanted


def solve(position: Position) -> dict[Card, int]:
    """Every legal card with the tricks its side then takes from here on, best first.

    The trick in progress counts. Cards of equal worth come high cards first.

    >>> from overtrick import Deal
    >>> ending = Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")
    >>> {card.ascii: tricks for card, tricks in solve(Position.start(ending, 4, 2)).items()}
    {'S5': 2, 'S4': 2, 'DA': 2}
    """
    expect(position, Position, _WHAT, _WANTED)
    return solve_all([position])[0]


def solve_all(positions: Sequence[Position]) -> list[dict[Card, int]]:
    """`solve` for many positions, which need not have anything in common.

    >>> from overtrick import Deal
    >>> ending = Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")
    >>> found = solve_all([Position.start(ending, 4, leader) for leader in (0, 2)])
    >>> [max(tricks.values()) for tricks in found]
    [2, 2]
    """
    found = _in_batches(_encode_each(positions), np.full(len(positions), _EXACT), 3, scores)
    return [_by_card(row) for row in found]


def best(position: Position) -> int:
    """Tricks the side on turn takes from here with the best play of all; cheaper than `solve`.

    >>> from overtrick import Deal
    >>> best(Position.start(Deal.parse("N:AQ..2. K3..4. 54..A. 62..K."), 4, 2))
    2
    """
    expect(position, Position, _WHAT, _WANTED)
    return int(best_all([position])[0])


def best_all(positions: Sequence[Position]) -> Ints:
    """`best` for many positions.

    >>> from overtrick import Deal
    >>> ending = Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")
    >>> best_all([Position.start(ending, 4, leader) for leader in range(4)]).tolist()
    [2, 1, 2, 1]
    """
    return _in_batches(_encode_each(positions), np.full(len(positions), _EXACT), 1, best_scores)


def reaches(position: Position, target: int) -> bool:
    """Can the side on turn take at least `target` more tricks? Far cheaper than the number.

    >>> from overtrick import Deal
    >>> position = Position.start(Deal.parse("N:AQ..2. K3..4. 54..A. 62..K."), 4, 2)
    >>> reaches(position, 2), reaches(position, 3)
    (True, False)
    """
    expect(position, Position, _WHAT, _WANTED)
    return bool(reaches_all([position], [target])[0])


def reaches_all(positions: Sequence[Position], targets: Sequence[int]) -> NDArray[np.bool_]:
    """`reaches` for many positions, each with its own target.

    >>> from overtrick import Deal
    >>> position = Position.start(Deal.parse("N:AQ..2. K3..4. 54..A. 62..K."), 4, 2)
    >>> reaches_all([position, position], [2, 3]).tolist()
    [True, False]
    """
    if len(positions) != len(targets):
        raise PositionError(f"{len(positions)} positions but {len(targets)} targets")
    left = np.array([p.tricks_left for p in positions], dtype=np.int32)
    goal = np.array(targets, dtype=np.int32)
    out = goal <= 0
    open_ = np.flatnonzero((goal > 0) & (goal <= left))
    boards = _encode_each([positions[int(i)] for i in open_])
    out[open_] = _in_batches(boards, goal[open_], 1, best_scores) >= goal[open_]
    return out


def cards_reaching(position: Position, target: int) -> list[Card]:
    """The cards after which the side on turn still takes `target` more tricks, high cards first.

    >>> from overtrick import Deal
    >>> position = Position.start(Deal.parse("N:AQ..2. K3..4. 54..A. 62..K."), 4, 2)
    >>> [card.ascii for card in cards_reaching(position, 2)]
    ['S5', 'S4', 'DA']
    """
    expect(position, Position, _WHAT, _WANTED)
    if target <= 0:
        return position.legal_cards().cards()
    if target > position.tricks_left:
        return []
    hands = np.array([[h.bits for h in position.hands]], dtype=np.uint64)
    row = reach_worlds(hands, position.strain, position.leader, position.trick, target)[0]
    return [DECK[i] for i in range(51, -1, -1) if row[i]]


def solve_worlds(
    hands: HandBits, strain: int, leader: int, trick: tuple[int, ...] = ()
) -> TrickCounts:
    """Worth of every card (n, 52) in n worlds that share strain, leader and trick; -1 if illegal.

    `hands` are the remaining cards as 52-bit numbers (n, 4), without those of the trick.
    No Python object is made for a world: this is the fast way for sampling players.

    >>> from overtrick import Deal
    >>> from overtrick.doubledummy.tables import bits_of
    >>> hands = bits_of([Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")])
    >>> found = solve_worlds(hands, strain=4, leader=2)
    >>> found.shape, {DECK[i].ascii: int(found[0, i]) for i in range(52) if found[0, i] >= 0}
    ((1, 52), {'DA': 2, 'S4': 2, 'S5': 2})
    """
    boards = encode(_checked_worlds(hands, leader, trick), strain, leader, trick)
    return _in_batches(boards, np.full(len(boards), _EXACT), 3, scores)


def solve_worlds_counting(
    hands: HandBits, strain: int, leader: int, trick: tuple[int, ...] = ()
) -> tuple[TrickCounts, Ints]:
    """`solve_worlds`, with the nodes searched in each world (n,): effort, alike on every machine,
    whatever was solved before.

    >>> from overtrick import Deal
    >>> from overtrick.doubledummy.tables import bits_of
    >>> hands = bits_of([Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")])
    >>> found, nodes = solve_worlds_counting(hands, 4, 2)
    >>> int(found.max()), len(nodes)
    (2, 1)
    """
    boards = encode(_checked_worlds(hands, leader, trick), strain, leader, trick)
    solver().forget(boards)
    raw = _in_batches(boards, np.full(len(boards), _EXACT), 3, lambda rows: rows)
    return scores(raw), raw[:, 0]


def tricks_array(hands: HandBits, strain: int, declarer: int) -> TrickCounts:
    """Declarer's tricks (n,) in n complete deals; a fraction of the work of whole tables.

    >>> from overtrick import Deal
    >>> from overtrick.doubledummy.tables import bits_of
    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> tricks_array(bits_of([deal]), strain=4, declarer=0).tolist()
    [10]
    """
    leader = (declarer + 1) & 3
    boards = encode(_checked_worlds(hands, leader, ()), strain, leader, ())
    taken = _in_batches(boards, np.full(len(boards), _EXACT), 1, best_scores)
    return (13 - taken).astype(np.int8)


def reach_worlds(
    hands: HandBits, strain: int, leader: int, trick: tuple[int, ...], target: int
) -> NDArray[np.bool_]:
    """Which cards (n, 52) still reach `target` more tricks for the side on turn, in n worlds.

    >>> from overtrick import Deal
    >>> from overtrick.doubledummy.tables import bits_of
    >>> hands = bits_of([Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")])
    >>> [DECK[i].ascii for i in np.flatnonzero(reach_worlds(hands, 4, 2, (), 2)[0])]
    ['DA', 'S4', 'S5']
    """
    return reach_worlds_counting(hands, strain, leader, trick, target)[0]


def reach_worlds_counting(
    hands: HandBits, strain: int, leader: int, trick: tuple[int, ...], target: int
) -> tuple[NDArray[np.bool_], Ints]:
    """`reach_worlds`, with the nodes searched in each world (n,).

    >>> from overtrick import Deal
    >>> from overtrick.doubledummy.tables import bits_of
    >>> hands = bits_of([Deal.parse("N:AQ..2. K3..4. 54..A. 62..K.")])
    >>> cards, nodes = reach_worlds_counting(hands, 4, 2, (), 2)
    >>> int(cards.sum()), len(nodes)
    (3, 1)
    """
    hands = _checked_worlds(hands, leader, trick)
    turn = (leader + len(trick)) & 3
    if not len(hands):
        return np.zeros((0, 52), dtype=np.bool_), np.zeros(0, dtype=np.int32)
    left = int(np.bitwise_count(hands[0, turn]))
    if not 0 < target <= left:
        raise PositionError(f"a target lies between 1 and the {left} tricks left, not {target}")
    boards = encode(hands, strain, leader, trick)
    goal = np.full(len(boards), target, dtype=np.int32)
    raw = _in_batches(boards, goal, 2, lambda rows: rows)
    return scores(raw) >= target, raw[:, 0]


def _in_batches(
    boards: Ints, target: Ints, solutions: int, read: Callable[[Ints], NDArray[Any]]
) -> NDArray[Any]:
    if not len(boards):
        return read(np.zeros((0, 54), dtype=np.int32))
    parts = []
    for start in range(0, len(boards), MAX_BOARDS):
        piece = slice(start, start + MAX_BOARDS)
        parts.append(read(solver().solve(boards[piece], target[piece], solutions)))
    return np.concatenate(parts)


def _encode_each(positions: Sequence[Position]) -> Ints:
    if not positions:
        return np.zeros((0, 24), dtype=np.int32)
    parts = [
        encode(np.array([[h.bits for h in p.hands]], dtype=np.uint64), p.strain, p.leader, p.trick)
        for p in positions
    ]
    return np.concatenate(parts)


def _by_card(row: TrickCounts) -> dict[Card, int]:
    legal = [i for i in range(51, -1, -1) if row[i] >= 0]
    return {DECK[i]: int(row[i]) for i in sorted(legal, key=lambda i: -row[i])}


def _checked_worlds(hands: HandBits, leader: int, trick: tuple[int, ...]) -> HandBits:
    """Each world: as many cards as the trick leaves, none twice, none in the trick."""
    hands = np.asarray(hands, dtype=np.uint64)
    if hands.ndim != 2 or hands.shape[1] != 4:
        raise PositionError(f"worlds come as an array (n, 4), not {hands.shape}")
    if len(trick) > 3:
        raise PositionError(f"a trick in progress has at most 3 cards, not {len(trick)}")
    if not len(hands):
        return hands
    counts = np.bitwise_count(hands).astype(np.int32)
    for i in range(len(trick)):
        counts[:, (leader + i) & 3] += 1
    table_cards = np.uint64(sum(1 << c for c in set(trick)))
    union = np.bitwise_or.reduce(hands, axis=1) | table_cards
    good = (counts == counts[0, 0]).all(axis=1) & (np.bitwise_count(union) == 4 * counts[0, 0])
    good &= counts[0, 0] > 0
    if not good.all():
        raise PositionError(f"world {int(np.argmin(good))} does not fit the trick in progress")
    return hands
