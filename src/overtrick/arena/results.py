"""What one board of a match gave in each room, as plain values that travel and are stored."""

from __future__ import annotations

import msgspec

from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Card,
    Contract,
    Deal,
    Note,
    Play,
    Record,
    Seat,
    Vulnerability,
    imps,
    score,
)
from overtrick.game.auction import of_calls


class RoomResult(msgspec.Struct, frozen=True):
    """One table: calls, cards, result. `milliseconds` are per action and not part of identity.

    >>> room = RoomResult([3, 0, 0, 0], "1C N", 7, 70, [])
    >>> str(room.auction(Seat.NORTH))
    '1♣ Pass Pass Pass'
    """

    calls: list[int]
    contract: str  # '' when passed out, else like '4SX N'
    tricks: int | None
    score: int  # North-South
    cards: list[int] = []
    alerts: dict[str, str] = {}  # call index → explanation given to the opponents
    rulings: list[str] = []
    milliseconds: list[float] = []

    def auction(self, dealer: Seat) -> Auction:
        return of_calls(dealer, self.calls)

    def check(self, dealer: Seat, vul: Vulnerability) -> None:
        """Raise where contract and score do not follow from the calls and the tricks."""
        auction = self.auction(dealer)
        contract = auction.contract if auction.is_over else None
        told = f"{contract.ascii} {contract.declarer.letter}" if contract else ""
        if told != self.contract:
            raise BridgeError(f"the calls end in {told or 'nothing'}, not in {self.contract}")
        if contract is not None and (self.tricks is None or not 0 <= self.tricks <= 13):
            raise BridgeError(f"{self.tricks} tricks")
        if self.score != (0 if contract is None else score(contract, self.tricks or 0, vul)):
            raise BridgeError(f"{self.score} points do not follow from contract and tricks")


class BoardResult(msgspec.Struct, frozen=True):
    """One board in both rooms; in the open room side A sits North-South.

    >>> from overtrick.arena import Match, play_match
    >>> from overtrick.arena.store import Store
    >>> job = Match("points", "pass", boards=1)
    >>> store = Store(":memory:", job)
    >>> _ = play_match(job, store)
    >>> [result.board().number for result in store.results()]
    [1]
    """

    number: int
    dealer: int
    vul: int
    deal: str
    open: RoomResult
    closed: RoomResult
    imps: int  # for A

    def board(self) -> Board:
        return Board(self.number, Seat(self.dealer), Vulnerability(self.vul), Deal.parse(self.deal))

    def check(self) -> None:
        """Raise where the board cannot have been played: files may have been changed by hand."""
        if not (0 <= self.dealer <= 3 and 0 <= self.vul <= 3):
            raise BridgeError(f"no dealer {self.dealer} or vulnerability {self.vul}")
        for room in (self.open, self.closed):
            room.check(Seat(self.dealer), Vulnerability(self.vul))
        if self.imps != imps(self.open.score - self.closed.score):
            raise BridgeError(f"{self.imps} IMPs do not follow from the scores")

    def canonical(self) -> bytes:
        """The result without its timings: equal bytes for equal play."""
        return msgspec.json.encode(
            msgspec.structs.replace(
                self,
                open=msgspec.structs.replace(self.open, milliseconds=[]),
                closed=msgspec.structs.replace(self.closed, milliseconds=[]),
            )
        )

    def records(self, a: str, b: str) -> tuple[Record, Record]:
        """Both tables as records for PBN or LIN, named by engine."""
        board = self.board()
        return (
            _record(board, self.open, (a, b), "Open"),
            _record(board, self.closed, (b, a), "Closed"),
        )


def _record(board: Board, room: RoomResult, sides: tuple[str, str], name: str) -> Record:
    auction = room.auction(board.dealer)
    contract = Contract.parse(room.contract) if room.contract else None
    play = Play.of(contract, [Card(c) for c in room.cards]) if contract and room.cards else None
    return Record(
        number=board.number,
        dealer=board.dealer,
        vul=board.vul,
        deal=board.deal,
        auction=auction,
        contract=contract,
        play=play,
        tricks=room.tricks,
        names=(sides[0], sides[1], sides[0], sides[1]),
        call_notes={int(i): Note(words, alert=True) for i, words in room.alerts.items()},
        tags={"Room": name, "Scoring": "IMP"},
    )
