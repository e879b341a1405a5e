"""A match that was played at the Table Manager (`overtrick tm serve --pbn`), with its contracts
scored double dummy as those of all other matches: so whoever owns WBridge5 fills Table III."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from overtrick.arena.ladder import both_rooms
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.doubledummy import tricks
from overtrick.game import Record, Seat, Vulnerability, imps, score


@dataclass(frozen=True, slots=True)
class Rooms:
    """The boards of two teams; A sits North-South in the open room."""

    a: str
    b: str
    boards: tuple[BoardResult, ...]

    def results(self) -> Iterator[BoardResult]:
        """Boards in order."""
        return iter(self.boards)

    def turned(self) -> Rooms:
        """The same seen by the other team: what was the open room is now the closed one."""
        boards = (
            BoardResult(r.number, r.dealer, r.vul, r.deal, r.closed, r.open, -r.imps)
            for r in self.boards
        )
        return Rooms(self.b, self.a, tuple(boards))


def read(path: Path) -> Rooms:
    """A PBN file of both rooms; boards without two whole auctions are left out."""
    pairs = both_rooms(path)
    boards = [_board(*pair) for pair in pairs]
    names = pairs[0][0].names
    return Rooms(names[0], names[1], tuple(board for board in boards if board is not None))


def _board(opened: Record, closed: Record) -> BoardResult | None:
    one, two = _room(opened), _room(closed)
    if one is None or two is None or opened.deal is None:
        return None
    dealer, vul = opened.dealer or Seat.NORTH, opened.vul or Vulnerability.NONE
    won = imps(one.score - two.score)
    return BoardResult(opened.number or 0, int(dealer), int(vul), opened.deal.pbn(), one, two, won)


def _room(record: Record) -> RoomResult | None:
    auction, deal = record.auction, record.deal
    if auction is None or not auction.is_over or deal is None:
        return None
    calls, found = [int(call) for call in auction.calls], auction.contract
    if found is None:
        return RoomResult(calls, "", None, 0)
    taken = tricks(deal.pbn(), found.strain, found.declarer)
    shown = f"{found.ascii} {found.declarer.letter}"
    return RoomResult(calls, shown, taken, score(found, taken, record.vul or Vulnerability.NONE))
