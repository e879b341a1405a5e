"""The messages of the Table Manager protocol, as values; `lines` reads and `writing` writes them.
One class per kind of line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from overtrick.game import Call, Card, Hand, Seat, Vulnerability

ReadyFor = Literal["teams", "start", "deal", "cards", "bid", "card", "dummy"]
RoomName = Literal["", "open", "closed"]
DeclaredScoring = Literal["", "imps", "matchpoints"]
NoticeKind = Literal["illegal", "error", "disconnect", "ignore"]


@dataclass(frozen=True, slots=True)
class Connect:
    """A client asks for a seat; None is `ANYPL`, any seat."""

    team: str
    seat: Seat | None
    version: int = 18
    info: str = ""


@dataclass(frozen=True, slots=True)
class Seated:
    """The manager has given a client its seat."""

    seat: Seat
    team: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A client asks for the next thing. `of` is whose bid or card, None stands for dummy's."""

    seat: Seat
    what: ReadyFor
    of: Seat | None = None
    trick: int | None = None


@dataclass(frozen=True, slots=True)
class Teams:
    """Who plays whom; version 19 adds the scoring."""

    ns: str
    ew: str
    scoring: DeclaredScoring = ""


@dataclass(frozen=True, slots=True)
class StartOfBoard:
    """A board begins, or begins again."""


@dataclass(frozen=True, slots=True)
class EndOfSession:
    """Nothing more will come."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """Number, dealer and vulnerability; version 19 adds the room."""

    number: int
    dealer: Seat
    vul: Vulnerability
    room: RoomName = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """Thirteen cards of a seat, or of dummy (None)."""

    seat: Seat | None
    hand: Hand


@dataclass(frozen=True, slots=True)
class Bid:
    """A call, perhaps alerted, perhaps with an explanation."""

    seat: Seat
    call: Call
    alert: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Plays:
    """A card of a seat, or of dummy (None); version 19 may explain a signal."""

    seat: Seat | None
    card: Card
    text: str = ""


@dataclass(frozen=True, slots=True)
class ToLead:
    """A hand is on lead; sent to whoever controls it. None is dummy."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds used by each side on the board and in all."""

    ns_board: int = 0
    ns_total: int = 0
    ew_board: int = 0
    ew_total: int = 0


@dataclass(frozen=True, slots=True)
class ExplainCall:
    """Version 19: what does this call of this seat show?"""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class Notice:
    """Something said in words: an error, an illegal action, a disconnection."""

    kind: NoticeKind
    text: str


@dataclass(frozen=True, slots=True)
class Garbage:
    """A line that is none of these, with the reason."""

    text: str
    why: str


Message = (
    Connect
    | Seated
    | Ready
    | Teams
    | StartOfBoard
    | EndOfSession
    | BoardLine
    | Cards
    | Bid
    | Plays
    | ToLead
    | Timing
    | ExplainCall
    | Notice
    | Garbage
)
