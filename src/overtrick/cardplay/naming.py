"""A technique as a value: its name, what is done in it, and the steps of a line that show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from overtrick.cardplay.ending import EndingState
from overtrick.cardplay.endings import EndingSolver
from overtrick.game.cards import DECK, SUIT_BITS, Suit
from overtrick.game.reasons import Coup
from overtrick.game.seats import Seat
from overtrick.game.wording import done

HONOUR: Final = 8


@dataclass(slots=True)
class Resting:
    """The same question for each defender who may keep all cards, within so many nodes."""

    most: int
    solvers: dict[int, EndingSolver] = field(default_factory=dict)

    def asked(self, solver: EndingSolver, seat: int) -> EndingSolver:
        if seat not in self.solvers:
            self.solvers[seat] = EndingSolver(
                solver.game, merge=solver.merge, resting=(seat,), most=self.most, clock=solver.clock
            )
        return self.solvers[seat]


class Technique(NamedTuple):
    """A line with a name, and its cards in one layout."""

    coup: Coup
    line: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.coup.name

    @property
    def words(self) -> str:
        """What is done, without the name."""
        return done(self.coup)


def named(
    name: str,
    way: str,
    cards: Iterable[int] = (),
    suits: Iterable[int] = (),
    seats: Iterable[int] = (),
) -> Technique:
    """A technique by its name, what is done in it, and with which cards, suits and seats."""
    coup = Coup(
        name, way, tuple(DECK[c] for c in cards), tuple(map(Suit, suits)), tuple(map(Seat, seats))
    )
    return Technique(coup)


@dataclass(frozen=True, slots=True)
class LineStep:
    """One card of a line: where it was played, by whom, and the layouts won from there."""

    state: EndingState
    seat: int
    card: int
    promised: int = 0


def alone(solver: EndingSolver, layout: int, resting: tuple[int, ...] = ()) -> EndingSolver:
    game = replace(solver.game, hands=(solver.game.hands[layout],))
    return EndingSolver(game, merge=solver.merge, resting=resting, settled=solver.settled)


def suit_of(hand: int, suit: int) -> int:
    return hand & SUIT_BITS << 13 * suit


def beats(solver: EndingSolver, trick: Sequence[int], card: int) -> bool:
    strain, led = solver.game.strain, trick[0] // 13
    if card // 13 not in (led, strain):
        return False

    def rank(c: int) -> int:
        return -1 if c // 13 not in (led, strain) else c + 52 * (c // 13 == strain)

    return rank(card) > max(map(rank, trick))
