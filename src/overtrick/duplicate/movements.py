"""Movements: who meets whom in which round, at which table, with which boards. Values that are
generated and then proved: what a movement promises is checked pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from overtrick.arena.pairing import swiss_pairs
from overtrick.duplicate.howell import starter
from overtrick.game import OptionError

Kind = Literal["mitchell", "howell", "swiss"]
MOST_PAIRS: Final = 40


@dataclass(frozen=True, slots=True)
class Placement:
    """A table in a round: who sits North-South and East-West, and which set of boards they play."""

    table: int
    ns: int
    ew: int
    boards: int


@dataclass(frozen=True, slots=True)
class Movement:
    """Rounds of places; pairs, tables and sets of boards are numbered from 1.

    `each` boards are in a set. With `two_fields` some pairs sit North-South throughout and others
    East-West, who do not compare with each other and have a list of their own. A pair that is not
    in a round sits out.
    """

    kind: Kind
    pairs: int
    rounds: tuple[tuple[Placement, ...], ...]
    sets: int
    each: int = 2
    two_fields: bool = False

    def place(self, pair: int, number: int) -> Placement | None:
        """Where a pair sits in a round (from 1); None when it sits out."""
        return next((p for p in self.rounds[number - 1] if pair in (p.ns, p.ew)), None)

    def sits_out(self, number: int) -> tuple[int, ...]:
        """Who sits out in a round."""
        seated = {pair for place in self.rounds[number - 1] for pair in (place.ns, place.ew)}
        return tuple(pair for pair in range(1, self.pairs + 1) if pair not in seated)

    def boards(self, number: int) -> range:
        """The boards of a set."""
        return range((number - 1) * self.each + 1, number * self.each + 1)

    def field(self, pair: int) -> str:
        """Where the two sides have lists of their own, NS or EW; else nothing."""
        if not self.two_fields:
            return ""
        return "NS" if any(pair == p.ns for places in self.rounds for p in places) else "EW"

    @property
    def copies(self) -> int:
        """How many tables play the same set at the same time, at most: so many copies of every
        board are needed, or tables that share them."""
        return max(
            (n for places in self.rounds for n in Counter(p.boards for p in places).values()),
            default=0,
        )


def mitchell(pairs: int, rounds: int | None = None, each: int = 2) -> Movement:
    """Half of the pairs stay North-South, the others move on a table each round, the boards go
    back one. With an even number of tables East-West skip one halfway: they would meet boards that
    they have played. With an odd number of pairs one East-West is missing, whom North-South meet by
    sitting out.

    >>> movement = mitchell(7)
    >>> len(movement.rounds), movement.sits_out(1), movement.rounds[1][0]
    (3, (4,), Placement(table=2, ns=2, ew=5, boards=3))
    """
    tables = (_pairs(pairs) + 1) // 2
    most = tables if tables % 2 else tables - 1
    played = []
    for r in range(_rounds(rounds, most)):
        step = r + (tables % 2 == 0 and r >= tables // 2)
        found = []
        for k in range(tables):
            ew = tables + 1 + (k - step) % tables
            if ew <= pairs:
                found.append(Placement(k + 1, k + 1, ew, (k + r) % tables + 1))
        played.append(tuple(found))
    return proved(Movement("mitchell", pairs, tuple(played), tables, each, two_fields=True))


def howell(pairs: int, rounds: int | None = None, each: int = 2) -> Movement:
    """Everybody meets everybody and plays every set once, in one list. With an odd number of pairs
    one is missing, whom the others meet by sitting out. Fewer `rounds` are the first of these: then
    nobody meets anybody twice, and not all boards are played equally often.

    >>> howell(8).rounds[0][0]
    Placement(table=1, ns=8, ew=1, boards=1)
    """
    v = (_pairs(pairs) + 1) // 2 * 2 - 1
    design, played = starter(v), []
    for r in range(_rounds(rounds, v)):
        found = [Placement(1, v + 1, r + 1, r + 1)]
        for table, (ns, ew, adder) in enumerate(design.tables, 2):
            ns, ew = (ns + r) % v + 1, (ew + r) % v + 1
            found.append(Placement(table, ns, ew, (r - adder) % v + 1))
        played.append(tuple(p for p in found if max(p.ns, p.ew) <= pairs))
    return proved(Movement("howell", pairs, tuple(played), v, each))


def swiss(pairs: int, each: int = 4) -> Movement:
    """A Swiss event before its first round; `with_round` adds one after the other."""
    return Movement("swiss", _pairs(pairs), (), 0, each)


def with_round(movement: Movement, points: Sequence[float]) -> Movement:
    """The next round of a Swiss event: neighbours by points meet, and nobody twice while that can
    be avoided. All tables play the same new boards. Of an odd number the lowest who has sat out
    least often sits out.

    >>> next_one = with_round(with_round(swiss(4), [0, 0, 0, 0]), [12, 8, 15, 5])
    >>> [(p.ns, p.ew) for p in next_one.rounds[1]]
    [(3, 1), (2, 4)]
    """
    if len(points) != movement.pairs:
        raise OptionError(f"{movement.pairs} pairs have so many points, not {len(points)}")
    places = [p for places in movement.rounds for p in places]
    met = {frozenset((p.ns - 1, p.ew - 1)) for p in places}
    sat_out = [
        pair - 1 for r in range(1, len(movement.rounds) + 1) for pair in movement.sits_out(r)
    ]
    found, _ = swiss_pairs(points, met, sat_out)
    north = Counter(p.ns for p in places)
    number = len(movement.rounds) + 1
    new = []
    for table, (a, b) in enumerate(((a + 1, b + 1) for a, b in found), 1):
        ns, ew = (a, b) if north[a] <= north[b] else (b, a)
        new.append(Placement(table, ns, ew, number))
    return Movement("swiss", movement.pairs, (*movement.rounds, tuple(new)), number, movement.each)


# ---------------------------------------------------------------- proof


def proved(movement: Movement) -> Movement:
    """The movement, or an error that says what is wrong with it."""
    if wrong := faults(movement):
        raise OptionError(f"a {movement.kind} of {movement.pairs} pairs: {wrong[0]}")
    return movement


def faults(movement: Movement) -> list[str]:
    """What keeps this from being a movement: somebody at two tables, or at none without need, a
    meeting or a board that comes twice, a side that does not stay, boards that are nowhere."""
    return [
        *_in_rounds(movement), *_meetings(movement), *_boards(movement), *_fields(movement),
    ]  # fmt: skip


def _in_rounds(movement: Movement) -> Iterator[str]:
    for number, places in enumerate(movement.rounds, 1):
        seated = Counter(pair for p in places for pair in (p.ns, p.ew))
        for pair, times in sorted(seated.items()):
            if not 1 <= pair <= movement.pairs:
                yield f"there is no pair {pair}"
            if times > 1:
                yield f"pair {pair} sits at {times} tables in round {number}"
        if len({p.table for p in places}) != len(places):
            yield f"two places of round {number} are the same table"
        if len(movement.sits_out(number)) > movement.pairs % 2:
            yield f"more pairs than needed sit out in round {number}"
    if movement.pairs % 2:
        out = Counter(
            pair for r in range(1, len(movement.rounds) + 1) for pair in movement.sits_out(r)
        )
        if (
            out
            and max(out.values()) > 1
            and (movement.kind != "swiss" or len(out) < movement.pairs)
        ):
            yield "somebody sits out twice"


def _meetings(movement: Movement) -> Iterator[str]:
    places = [p for places in movement.rounds for p in places]
    for (a, b), times in Counter((min(p.ns, p.ew), max(p.ns, p.ew)) for p in places).items():
        if a == b:
            yield f"pair {a} meets itself"
        if times > 1:
            yield f"pairs {a} and {b} meet {times} times"
    if movement.kind == "howell" and len(movement.rounds) >= movement.sets:
        met = {frozenset((p.ns, p.ew)) for p in places}
        for a, b in combinations(range(1, movement.pairs + 1), 2):
            if frozenset((a, b)) not in met:
                yield f"pairs {a} and {b} never meet"


def _boards(movement: Movement) -> Iterator[str]:
    played = Counter(
        (pair, p.boards) for places in movement.rounds for p in places for pair in (p.ns, p.ew)
    )
    for (pair, number), times in sorted(played.items()):
        if not 1 <= number <= movement.sets:
            yield f"there is no set {number}"
        if times > 1:
            yield f"pair {pair} plays set {number} {times} times"


def _fields(movement: Movement) -> Iterator[str]:
    if not movement.two_fields:
        return
    north = {p.ns for places in movement.rounds for p in places}
    east = {p.ew for places in movement.rounds for p in places}
    yield from (f"pair {pair} changes sides" for pair in sorted(north & east))


def _pairs(pairs: int) -> int:
    if not 4 <= pairs <= MOST_PAIRS:
        raise OptionError(f"a movement is for 4 to {MOST_PAIRS} pairs, not {pairs}")
    return pairs


def _rounds(wanted: int | None, most: int) -> int:
    if wanted is not None and not 1 <= wanted <= most:
        raise OptionError(f"this movement has 1 to {most} rounds, not {wanted}")
    return most if wanted is None else wanted
