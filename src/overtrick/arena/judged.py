"""Where a margin comes from, as double dummy sees it: one match with the cards played is enough.

The contract of each room is first worth what perfect play of all four hands makes of it; then the
tricks count that the opening leads gave up, then those of the declarers, then those of the
defenders, and that is the result. A part is worth what it changes in IMPs, so the parts of a board
add up to its margin. `shares` says more of a player (a brilliancy that only deceives costs double
dummy and wins at the table) and has to play every board several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.shares import PARTS
from overtrick.arena.stats import Estimate, estimate
from overtrick.doubledummy.analysis import analyse
from overtrick.game import Board, Card, Contract, Play, imps, score

_PLAYED: Final = PARTS[1:]


class Given(NamedTuple):
    """Tricks that were given up in one room, by part, and by whom (0 for side A, 1 for B)."""

    declaring: int
    lead: int
    declarer: int
    defence: int


@dataclass(frozen=True, slots=True)
class JudgedBoard:
    """One board: what each part was worth to A in IMPs, and the tricks given up in each room."""

    parts: tuple[int, ...]
    given: tuple[Given, ...]


def judged(result: BoardResult) -> JudgedBoard:
    """A board with the cards played, part by part."""
    board = result.board()
    rooms = [_room(board, room, side) for side, room in enumerate((result.open, result.closed))]
    worth = [imps(opened - closed) for opened, closed in zip(rooms[0][0], rooms[1][0], strict=True)]
    before = (0, *worth)
    parts = tuple(now - then for now, then in zip(worth, before, strict=False))
    return JudgedBoard(parts, tuple(given for _, given in rooms if given is not None))


def _room(board: Board, room: RoomResult, ew: int) -> tuple[tuple[int, ...], Given | None]:
    """North-South's score after each part, and who gave up what; in the open room A sits NS."""
    if not room.contract:
        return (0,) * len(PARTS), None
    contract = Contract.parse(room.contract)
    cards = [Card(c) for c in room.cards]
    found = analyse(board.deal, Play.of(contract, cards))
    lost = [0, 0, 0]  # by the lead, by declarer, by the defence after the lead
    for index, (seat, _, cost) in enumerate(found.costs()):
        ours = seat.side == contract.declarer.side
        lost[1 if ours else 2 if index else 0] += cost
    led = found.tricks[0] + lost[0]
    tricks = (found.tricks[0], led, max(0, led - lost[1]))
    scores = (score(contract, t, board.vul) for t in tricks)
    declaring = int(contract.declarer.side) ^ ew
    return (*scores, room.score), Given(declaring, *lost)


def parts_of(boards: Sequence[JudgedBoard]) -> dict[str, Estimate]:
    """What each part was worth, in IMPs a board."""
    columns = zip(*(b.parts for b in boards), strict=True)
    return {part: estimate(column) for part, column in zip(PARTS, columns, strict=True)}


def given_up(boards: Sequence[JudgedBoard], side: int) -> dict[str, Estimate]:
    """Tricks that a side gave up a room in which it led, declared, defended."""
    rooms = [given for board in boards for given in board.given]
    theirs = [g for g in rooms if g.declaring != side]
    found = {
        "lead": [g.lead for g in theirs],
        "declarer": [g.declarer for g in rooms if g.declaring == side],
        "defence": [g.defence for g in theirs],
    }
    return {part: estimate(found[part]) for part in _PLAYED}
