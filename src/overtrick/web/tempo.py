"""When a robot's call or card is shown: at beats that follow from what everybody sees.
How long it thought about its own cards tells nobody anything."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from random import SystemRandom
from typing import Final

from overtrick.game import View

# Seconds from being on turn to a call, and to a card of each trick, at pace 1.
_CALL: Final = 0.4
_CARD: Final = (0.6, 0.6, 0.6, 0.6, 0.6, 0.36, 0.36, 0.36, 0.2, 0.2, 0.2, 0.1, 0.1)
_SETTLED: Final = 0.05  # everybody sees that there is no choice
_BLUR: Final = 0.02
_PACES: Final = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
_IN_TIME: Final = 0.98  # of the answers, by the pace of a board
_LATELY: Final = 150  # answers of an engine that count
_ENOUGH: Final = 16
_ENGINES: Final = 200
_BOARDS: Final = 4000


@dataclass(frozen=True, slots=True)
class Moment:
    """What everybody at the table sees of the moment in which somebody has to act."""

    calls: int
    cards: int | None = None  # None in the auction
    settled: bool = False


def moment(view: View) -> Moment:
    """The public side of a view. Nothing here may look at a hand that some player does not see."""
    play = view.play
    if play is None:
        return Moment(len(view.auction))
    last_trick = len(play.cards) >= 48
    single = play.turn == play.dummy and bool(play.cards) and len(view.legal_cards()) == 1
    return Moment(len(view.auction), len(play.cards), last_trick or single)


def beat(at: Moment, pace: float) -> float:
    """Seconds from being on turn to the first beat; the next ones follow in the same steps."""
    if at.settled:
        return _SETTLED * pace
    return pace * (_CALL if at.cards is None else _CARD[at.cards // 4])


def rest(spent: float, step: float) -> float:
    """Seconds until the next beat for an answer that took so long.

    >>> rest(0.1, 0.5), rest(0.75, 0.5), rest(3.0, 0.0)
    (0.4, 0.25, 0.0)
    """
    return max(1, ceil(spent / step)) * step - spent if step else 0.0


def blur() -> float:
    """A few milliseconds of chance after a beat: to write down and to show one action takes some
    tenths of a millisecond longer than another, which nobody is to measure."""
    return SystemRandom().uniform(0.0, _BLUR)


class Tempo:
    """The pace of each engine on this machine, from the answers it gave lately at all tables.

    A board keeps the pace with which it began: what happens on it does not change its beats. Only
    on the first boards of an engine, of which nothing is known, they grow longer when it is late.
    """

    def __init__(self) -> None:
        self._taken: OrderedDict[str, deque[float]] = OrderedDict()
        self._boards: OrderedDict[tuple[str, int], tuple[float, bool]] = OrderedDict()

    def pace(self, engine: str, board: int, usual: float = 1.0) -> float:
        """The pace for an engine on a board, which any number names; `usual` for an unknown one."""
        key, taken = (engine, board), self._taken.get(engine, ())
        if key not in self._boards:
            known = len(taken) >= _ENOUGH
            self._boards[key] = (_pace_for(taken) if known else usual, known)
            while len(self._boards) > _BOARDS:
                self._boards.popitem(last=False)
        pace, known = self._boards[key]
        if taken and not known:
            pace = max(pace, _pace_for(taken))
            self._boards[key] = pace, known
        return pace

    def learn(self, engine: str, at: Moment, spent: float) -> None:
        """An engine has thought so long."""
        if at.settled:
            return
        self._taken.setdefault(engine, deque(maxlen=_LATELY)).append(spent / beat(at, 1.0))
        self._taken.move_to_end(engine)
        while len(self._taken) > _ENGINES:
            self._taken.popitem(last=False)


def _pace_for(taken: Iterable[float]) -> float:
    """The quickest pace that leaves nearly everybody in time."""
    ordered = sorted(taken)
    needed = ordered[min(len(ordered) - 1, ceil(_IN_TIME * len(ordered)) - 1)]
    return next((p for p in _PACES if p >= needed), _PACES[-1])
