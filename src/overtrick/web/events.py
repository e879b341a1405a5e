"""What happened at a web table, event by event, and how events add up to a table.
A table is nothing but its events replayed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import msgspec

from overtrick.engines.wire import decision_in
from overtrick.game import Board, BridgeError, Call, Card, Deal, Seat, Vulnerability
from overtrick.game.view import Scoring
from overtrick.table import Entry, Fault, Ruling, TableState

SeatLetter = Literal["N", "E", "S", "W"]


class Engines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who bids and plays for the robots of one side; the bidder's system is the side's system."""

    bidder: str
    player: str


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table is played; fixed when it is opened."""

    humans: tuple[SeatLetter, ...]
    ns: Engines
    ew: Engines
    systems: tuple[str, str] = ("", "")
    scoring: Scoring = "imps"
    take_over: bool = True  # the human plays the hand when a robot partner declares
    auto: bool = True  # a card without alternative is played by itself
    auction_only: bool = False
    silent: bool = False  # the other side passes throughout: for bidding practice

    def is_human(self, seat: Seat) -> bool:
        return seat.letter in self.humans

    def engines(self, seat: Seat) -> Engines:
        return self.ew if seat & 1 else self.ns


class BoardText(msgspec.Struct, frozen=True):
    """A board as text, for the log."""

    number: int
    dealer: SeatLetter
    vul: str
    deal: str

    @classmethod
    def of(cls, board: Board) -> BoardText:
        letter: Any = board.dealer.letter
        return cls(board.number, letter, str(board.vul), board.deal.pbn())

    def board(self) -> Board:
        dealer, vul = Seat.parse(self.dealer), Vulnerability.parse(self.vul)
        return Board(self.number, dealer, vul, Deal.parse(self.deal))


class Posed(msgspec.Struct, frozen=True):
    """A board of a deck: awards by contract and the opponents' calls when it is a problem."""

    board: BoardText
    awards: dict[str, float] = {}
    opponents: tuple[str, ...] = ()
    title: str = ""


class Deck(msgspec.Struct, frozen=True):
    """Where a table's next boards come from: a script, a list of boards, or chance."""

    script: str = ""
    boards: tuple[Posed, ...] = ()
    name: str = ""


NO_DECK: Final = Deck()


class RobotsBid(msgspec.Struct, frozen=True):
    """What two robots bid on the same cards."""

    auction: str
    contract: str
    score_ns: int
    award: float | None = None


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The table is there; tokens and invitations are kept as hashes only."""

    settings: Settings
    board: BoardText
    seed: int
    tokens: dict[str, SeatLetter]
    invitations: dict[str, SeatLetter]
    deck: Deck = Deck()
    index: int = 0


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """An invitation was used: it is gone, and the seat has its token."""

    seat: SeatLetter
    invitation: str
    token: str


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A call or a card, with the whole decision and any ruling."""

    decision: dict[str, Any]
    milliseconds: float = 0.0
    by: str = ""  # the letter of the human whose click it was, "" for a robot
    ruling: tuple[int, str, str, str] | None = None


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """Back to the position after `keep` actions."""

    keep: int


class Claimed(msgspec.Struct, frozen=True, tag="claimed"):
    """A claim that was proved: declarer's tricks in all."""

    tricks: int
    words: str = ""


class Dealt(msgspec.Struct, frozen=True, tag="dealt"):
    """Another board (or the same once more) at the same table; `index` is its place in the deck."""

    board: BoardText
    seed: int
    index: int = 0


class Judged(msgspec.Struct, frozen=True, tag="judged"):
    """A board that ends with the auction, scored double dummy; IMPs are for the practising side."""

    tricks: int | None
    score_ns: int
    par_ns: int
    par: tuple[str, ...]
    imps: int
    award: float | None = None
    best: float | None = None
    best_contracts: tuple[str, ...] = ()
    robots: RobotsBid | None = None


Event = Opened | Joined | Acted | Undone | Claimed | Dealt | Judged
ENCODER = msgspec.json.Encoder()
DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a value. `by[i]` tells whose click action i was; `version` counts events."""

    settings: Settings
    state: TableState
    tokens: dict[str, SeatLetter]
    invitations: dict[str, SeatLetter]
    by: tuple[str, ...] = ()
    boards: int = 1
    version: int = 1
    claim_words: str = ""
    deck: Deck = NO_DECK
    index: int = 0
    judged: Judged | None = None
    scores: tuple[tuple[int, Judged], ...] = ()  # the first result of each board counts

    @property
    def posed(self) -> Posed | None:
        """The board as its deck has it, if it came from one."""
        boards = self.deck.boards
        return boards[self.index] if self.index < len(boards) else None


def entry_out(entry: Entry, by: str) -> Acted:
    """An entry of the table's log as an event."""
    r = entry.ruling
    ruling = None if r is None else (int(r.seat), str(r.fault), r.detail, r.instead)
    return Acted(entry.decision.to_dict(), round(entry.milliseconds, 1), by, ruling)


def replayed(table: Table | None, event: Event) -> Table:
    """The table after one more event; the first must be `Opened`."""
    if isinstance(event, Opened):
        state = _start(event.settings, event.board, event.seed)
        return Table(
            event.settings, state, dict(event.tokens), dict(event.invitations),
            deck=event.deck, index=event.index,
        )  # fmt: skip
    if table is None:
        raise BridgeError("a table's log begins with its opening")
    version = table.version + 1
    if isinstance(event, Acted):
        state = _after(table.state, event)
        return replace(table, state=state, by=(*table.by, event.by), version=version)
    if isinstance(event, Undone):
        state = replace(table.state, claimed=None, play=None, log=(), auction=_empty(table.state))
        for entry in table.state.log[: event.keep]:
            state = state.after(entry.decision, entry.milliseconds, entry.ruling)
        return replace(
            table, state=state, by=table.by[: event.keep], version=version, claim_words="",
            judged=None,
        )  # fmt: skip
    if isinstance(event, Claimed):
        state = table.state.after_claim(event.tricks)
        return replace(table, state=state, version=version, claim_words=event.words)
    if isinstance(event, Dealt):
        state = _start(table.settings, event.board, event.seed)
        return replace(
            table, state=state, by=(), boards=table.boards + 1, version=version,
            claim_words="", index=event.index, judged=None,
        )  # fmt: skip
    if isinstance(event, Judged):
        first = all(index != table.index for index, _ in table.scores)
        scores = (*table.scores, (table.index, event)) if first else table.scores
        return replace(table, judged=event, scores=scores, version=version)
    invitations = {k: s for k, s in table.invitations.items() if k != event.invitation}
    tokens = {**table.tokens, event.token: event.seat}
    return replace(table, tokens=tokens, invitations=invitations, version=version)


def _start(settings: Settings, board: BoardText, seed: int) -> TableState:
    return TableState.start(
        board.board(),
        systems=settings.systems,
        scoring=settings.scoring,
        seed=seed,
        auction_only=settings.auction_only,
    )


def _empty(state: TableState) -> Any:
    return type(state.auction)(state.board.dealer)


def _after(state: TableState, event: Acted) -> TableState:
    wanted = Call if state.play is None else Card
    decision = decision_in(event.decision, wanted)
    ruling = None
    if event.ruling is not None:
        seat, fault, detail, instead = event.ruling
        ruling = Ruling(Seat(seat), Fault(fault), detail, instead)
    return state.after(decision, event.milliseconds, ruling)
