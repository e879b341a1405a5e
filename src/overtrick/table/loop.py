"""The loop that plays one board at one table with four occupants, whatever they do.
The web and the Table Manager step a TableState themselves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from time import perf_counter

from overtrick.engines import seated
from overtrick.game import Board, Call, Card, Decision, Seat, View
from overtrick.game.errors import expect
from overtrick.game.view import Scoring
from overtrick.table.director import Fault, Ruling, rule
from overtrick.table.seats import Occupant, robot
from overtrick.table.state import TableState

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds an occupant has for one action; None means no clock.

    With a clock each seat thinks in a thread of its own. A seat that is late is ruled on at once;
    while its old thought is still running, its further turns are ruled on without waiting.

    >>> from overtrick import View
    >>> Limits(call=2.0, card=5.0).of(View("N", "AK3.QJ2.T98.7654", "", "None"))
    2.0
    """

    call: float | None = None
    card: float | None = None

    def of(self, view: View) -> float | None:
        """The seconds for the action that this view asks for."""
        return self.call if view.play is None else self.card


def play_table(
    board: Board,
    occupants: Sequence[Occupant | str],
    *,
    auction_only: bool = False,
    limits: Limits = Limits(),
    scoring: Scoring = "imps",
    seed: int = 0,
    watch: Callable[[TableState], None] | None = None,
) -> TableState:
    """Play one board with four occupants (N, E, S, W) to its end; never raises for what they do.

    `watch` is called with the state after every action.

    >>> from overtrick.table import robot
    >>> state = play_table(Board.random(1, seed=1), [robot("pass")] * 4)
    >>> state.phase, state.score(), state.rulings
    ('over', 0, ())
    """
    expect(board, Board, "a board", "a Board, as Board.random(1) makes one")
    seats: list[Occupant] = seated(occupants, robot)
    systems = (seats[0].system, seats[1].system)
    state = TableState.start(
        board, systems=systems, scoring=scoring, seed=seed, auction_only=auction_only
    )
    thinkers = [_Thinker(o, limits) for o in seats]
    while state.phase != "over":
        view = state.view()
        started = perf_counter()
        decision, ruling = thinkers[view.seat].act(view)
        elapsed = 1000 * (perf_counter() - started)
        if ruling is not None:
            LOGGER.warning("board %d: %s", board.number, ruling)
        state = state.after(decision, elapsed, ruling)
        if watch is not None:
            watch(state)
    return state


def judged(decision: object, view: View) -> tuple[Decision, Ruling | None]:
    """The decision when it is one and legal, else what the director puts in its place.

    >>> from overtrick import View
    >>> decision, ruling = judged("1NT", View("N", "AK3.QJ2.T98.7654", "", "None"))
    >>> str(decision.action), ruling.fault.value
    ('Pass', 'illegal action')
    """
    wanted = Call if view.play is None else Card
    if not isinstance(decision, Decision) or not isinstance(decision.action, wanted):
        return rule(view, Fault.ILLEGAL, f"not a {wanted.__name__.lower()}: {decision!r}")
    why = view.why_illegal(decision.action)
    if why is not None:
        return rule(view, Fault.ILLEGAL, f"{decision.action.ascii}: {why}")
    return decision, None


def excused(error: BaseException, view: View, limit: float | None) -> tuple[Decision, Ruling]:
    """What stands when an occupant threw this instead of deciding.

    >>> from overtrick import View
    >>> decision, ruling = excused(TimeoutError(), View("N", "AK3.QJ2.T98.7654", "", "None"), 2.0)
    >>> str(decision.action), str(ruling)
    ('Pass', 'North: too late (more than 2.0 s); Pass stands')
    """
    if isinstance(error, TimeoutError):
        return rule(view, Fault.LATE, str(error) or f"more than {limit} s")
    if isinstance(error, ConnectionError):
        return rule(view, Fault.DISCONNECTED, str(error))
    return rule(view, Fault.EXCEPTION, f"{type(error).__name__}: {error}")


class _Thinker:
    """One occupant behind a clock."""

    def __init__(self, occupant: Occupant, limits: Limits) -> None:
        self._occupant = occupant
        self._limits = limits
        self._busy: Future[Decision] | None = None

    def act(self, view: View) -> tuple[Decision, Ruling | None]:
        # The one place where anything an engine throws is caught: the board must go on.
        try:
            decision = self._think(view)
        except Exception as error:
            if not isinstance(error, TimeoutError | ConnectionError):
                LOGGER.exception("%s failed", self._occupant.name)
            return excused(error, view, self._limits.of(view))
        return judged(decision, view)

    def _think(self, view: View) -> Decision:
        work = self._occupant.bid if view.play is None else self._occupant.play
        limit = self._limits.of(view)
        if limit is None:
            return work(view)
        if self._busy is not None and not self._busy.done():
            raise TimeoutError
        # A daemon thread: an engine that never answers must not keep the program alive.
        answer: Future[Decision] = Future()
        Thread(target=_answer, args=(answer, work, view), daemon=True).start()
        self._busy = answer
        return answer.result(limit)


def _answer(future: Future[Decision], work: Callable[[View], Decision], view: View) -> None:
    try:
        future.set_result(work(view))
    except BaseException as error:  # handed over to the table, which rules on it
        future.set_exception(handed_over(error))


def handed_over(error: BaseException) -> Exception:
    """What an engine threw in a thread of its own, as something that its table can rule on.

    `sys.exit` in an engine ends its thought, not the program; a StopIteration would end the
    loop that waits for the answer, or never arrive there.

    >>> handed_over(SystemExit(2))
    RuntimeError('SystemExit: 2')
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    return RuntimeError(f"{type(error).__name__}: {error}")


def seats_ns_ew(ns: Occupant, ew: Occupant) -> list[Occupant]:
    """Four occupants from two: one for each side."""
    return [ns if seat.side == Seat.NORTH.side else ew for seat in Seat]
