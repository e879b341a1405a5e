"""What happened at a web table, event by event, and how events add up to a table.
A table is nothing but its events replayed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import msgspec

from overtrick import __version__
from overtrick.engines.decided import decision_of, decision_out
from overtrick.game import Board, BridgeError, Call, Card, Deal, Seat, Vulnerability
from overtrick.game.commitment import Sealed
from overtrick.game.seats import SeatLetter
from overtrick.game.view import Scoring
from overtrick.table import Entry, Fault, Ruling, TableState
from overtrick.web.opinions import Opinion
from overtrick.web.sight import NOTHING, Sights


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
        return cls(board.number, board.dealer.letter, str(board.vul), board.deal.pbn())

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
    mark: float | None = None  # of ten, counted as the person's


class Opened(msgspec.Struct, frozen=True, tag="opened"):
    """The table is there; tokens and invitations are kept as hashes only."""

    settings: Settings
    board: BoardText
    seed: int
    tokens: dict[str, SeatLetter]
    invitations: dict[str, SeatLetter]
    deck: Deck = Deck()
    index: int = 0
    contest: str = ""  # the set of boards this table plays
    names: dict[SeatLetter, str] = {}
    people: dict[str, str] = {}  # who holds a token
    chosen: bool = False  # the opener chose the cards
    salt: str = ""  # under which the cards are promised
    event: str = ""  # the event of pairs whose table this is
    last: int | None = None  # after which board of the contest this table is done


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """An invitation was used: it is gone, and the seat has its token."""

    seat: SeatLetter
    invitation: str
    token: str
    name: str = ""
    person: str = ""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """A person is away: a robot acts for the seat until `back`."""

    seat: SeatLetter
    back: bool = False


class Moved(msgspec.Struct, frozen=True, tag="moved"):
    """A person changed seats; whoever sat there, a robot, sits where the person came from."""

    seat: SeatLetter
    to: SeatLetter


class Opens(msgspec.Struct, frozen=True, tag="opens"):
    """A new invitation: to play a seat, or to watch what that seat sees; `by` is the token of
    whoever made it, empty when the others agreed to give an absent person's seat away."""

    seat: SeatLetter
    invitation: str
    watch: bool = False
    by: str = ""


class Looked(msgspec.Struct, frozen=True, tag="looked"):
    """Somebody came by a link to look on; it stays open to them."""

    link: str
    person: str


class Helped(msgspec.Struct, frozen=True, tag="helped"):
    """The coach was asked on this board."""


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A call or a card, with the whole decision, the program that made it, and any ruling."""

    decision: dict[str, Any]
    milliseconds: float = 0.0
    by: str = ""  # the letter of the human whose click it was, "" for a robot
    ruling: tuple[int, str, str, str] | None = None
    version: str = ""


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
    contest: str = ""
    chosen: bool = False
    salt: str = ""


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
    field_imps: int | None = None  # against what the robots reach on the same cards
    mark: float | None = None  # of ten: awards, field and par together


# ---------------------------------------------------------------- boards that several tables play


Unranked = Literal["", "chosen", "known", "twice"]


class Line(msgspec.Struct, frozen=True):
    """A result: contract, declarer and '=', '+1', '-2'; all empty when it was passed out."""

    contract: str
    declarer: SeatLetter | Literal[""]
    made: str
    tricks: int | None
    score_ns: int
    helped: bool = False  # the player asked the coach, or took something back
    side: int | None = None  # the side on which the entrant sat; None: that of the entry
    unranked: Unranked = ""  # why it does not count: "chosen" cards, "known" hands, played "twice"
    seats: tuple[str, ...] = ()  # who sat N, E, S and W as keys of persons; a robot by its engines
    names: tuple[str, ...] = ()  # what those people call themselves


class Founded(msgspec.Struct, frozen=True, tag="founded"):
    """A set of boards: by seed and first number, or those of a deck; `day` for daily ones."""

    title: str
    seed: int
    boards: int
    scoring: Scoring
    ns: Engines
    ew: Engines
    systems: tuple[str, str] = ("", "")
    first: int = 1
    deck: Deck = Deck()
    day: str = ""
    director: str = ""  # the hash of a token: whoever has it may remove entries
    chosen: bool = False  # the founder chose the cards
    secret: str = ""  # from which boards are dealt and promised
    event: bool = False  # pairs play it against each other: no robots' room, no ranking by tables


class Entered(msgspec.Struct, frozen=True, tag="entered"):
    """A table plays the set; `side` is the side its people sit on."""

    table: str
    name: str
    side: int
    by: str = ""  # a mark of the client, the same for all its entries


class Removed(msgspec.Struct, frozen=True, tag="removed"):
    """The director took an entry and its results out."""

    table: str


class Posted(msgspec.Struct, frozen=True, tag="posted"):
    """A board that was made to order, now the same for everybody."""

    index: int
    board: BoardText


class Saw(msgspec.Struct, frozen=True, tag="saw"):
    """These people have been shown a hand of a board at a table."""

    table: str
    index: int
    people: tuple[str, ...]


class OtherRoom(msgspec.Struct, frozen=True, tag="other-room"):
    """What four robots did on a board, and par."""

    index: int
    line: Line
    par_ns: int
    par: tuple[str, ...]
    lin: str


class Scored(msgspec.Struct, frozen=True, tag="scored"):
    """A table's first result on a board."""

    table: str
    index: int
    line: Line


TableEvent = (
    Opened | Joined | Left | Moved | Opens | Looked | Helped | Acted | Undone | Claimed | Dealt
    | Judged
)  # fmt: skip
ContestEvent = Founded | Entered | Removed | Posted | Saw | OtherRoom | Scored
Event = TableEvent | ContestEvent | Opinion
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
    contest: str = ""
    names: dict[SeatLetter, str] = field(default_factory=dict)
    away: frozenset[str] = frozenset()  # people for whom a robot acts
    watchers: dict[str, SeatLetter] = field(default_factory=dict)  # tokens that only look
    helped: bool = False
    people: dict[str, str] = field(default_factory=dict)  # who holds a token
    looking: frozenset[tuple[str, str]] = frozenset()  # links to look on, and who came by them
    makers: dict[str, str] = field(default_factory=dict)  # which token made a link
    opener: str = ""  # the token of who opened the table, or has taken over from him
    actors: frozenset[str] = frozenset()  # tokens that have acted on this board
    seated: frozenset[str] = frozenset()  # people who have had a seat at this board
    sights: Sights = NOTHING  # who has been shown which hand of this board
    chosen: bool = False  # the opener chose the cards
    salt: str = ""  # under which the cards are promised; empty: they are not
    event: str = ""  # the event of pairs whose table this is
    last: int | None = None  # after which board of the contest this table is done

    @property
    def posed(self) -> Posed | None:
        """The board as its deck has it, if it came from one."""
        boards = self.deck.boards
        return boards[self.index] if self.index < len(boards) else None

    def is_human(self, seat: Seat) -> bool:
        """Does a person act for this seat now?"""
        return self.settings.is_human(seat) and seat.letter not in self.away

    def holder(self, letter: str) -> str:
        """The token of whoever a seat belongs to; empty when nobody has taken it."""
        return next((key for key, seat in self.tokens.items() if seat == letter), "")

    def person(self, key: str) -> str:
        """Who holds a token; where nobody was noted, each token is somebody else."""
        return self.people.get(key, key)

    @property
    def present(self) -> frozenset[str]:
        """The people who may look at this board."""
        looking = (person for _, person in self.looking)
        return frozenset((*(self.person(key) for key in self.tokens), *looking))

    @property
    def side(self) -> int:
        """The side on which whoever opened the table sits."""
        letter = self.tokens.get(self.opener)
        return 0 if letter is None else Seat.parse(letter) & 1

    @property
    def sealed(self) -> Sealed | None:
        """The promise of this board's cards, and what opens it."""
        return Sealed.of([self.state.board], self.salt) if self.salt else None

    @property
    def declarer(self) -> Seat | None:
        return None if self.state.play is None else self.state.play.declarer

    @property
    def stand_in(self) -> Seat | None:
        """The human dummy who plays a robot declarer's hand, if the table is played that way."""
        declarer = self.declarer
        if declarer is None or not self.settings.take_over or self.is_human(declarer):
            return None
        return declarer.partner if self.is_human(declarer.partner) else None

    def eyes(self, seat: Seat) -> tuple[Seat, ...]:
        """The seats whose views a human has: his own, and declarer's when he plays that hand."""
        declarer = self.declarer
        if declarer is not None and self.stand_in == seat:
            return (seat, declarer)
        return (seat,)

    def hands(self, seat: Seat) -> frozenset[Seat]:
        """The hands that somebody who looks from this seat is shown."""
        if self.state.phase == "over":
            return frozenset(Seat)
        play = self.state.play
        dummy = () if play is None or not play.cards else (play.dummy,)
        return frozenset((*self.eyes(seat), *dummy))


def entry_out(entry: Entry, by: str) -> Acted:
    """An entry of the table's log as an event."""
    r = entry.ruling
    ruling = None if r is None else (int(r.seat), str(r.fault), r.detail, r.instead)
    decision = decision_out(entry.decision)
    return Acted(decision, round(entry.milliseconds, 1), by, ruling, __version__)


def replayed(table: Table | None, event: TableEvent) -> Table:
    """The table after one more event, with who has seen what; the first must be `Opened`."""
    after = _after_event(table, event)
    shown: dict[str, frozenset[Seat]] = {}
    seated: dict[str, frozenset[Seat]] = {}
    for key, letter in after.tokens.items():
        person, hands = after.person(key), after.hands(Seat.parse(letter))
        shown[person] = shown.get(person, frozenset()) | hands
        seated[person] = seated.get(person, hands) & hands
    for link, person in after.looking:
        hands = after.hands(Seat.parse(after.watchers[link]))
        shown[person] = shown.get(person, frozenset()) | hands
    sat = after.seated | seated.keys()
    if after.state.phase == "over":
        seated = {}
    sights = after.sights.after(shown, seated, len(after.state.log))
    if sights is after.sights and sat == after.seated:
        return after
    return replace(after, sights=sights, seated=sat)


def _after_event(table: Table | None, event: TableEvent) -> Table:
    if isinstance(event, Opened):
        state = _start(event.settings, event.board, event.seed)
        return Table(
            event.settings, state, dict(event.tokens), dict(event.invitations),
            deck=event.deck, index=event.index, contest=event.contest, names=dict(event.names),
            people=dict(event.people), opener=next(iter(event.tokens), ""), chosen=event.chosen,
            salt=event.salt, event=event.event, last=event.last,
        )  # fmt: skip
    if table is None:
        raise BridgeError("a table's log begins with its opening")
    version = table.version + 1
    if isinstance(event, Acted):
        state = _after(table.state, event)
        actors = table.actors | {table.holder(event.by)} if event.by else table.actors
        by = (*table.by, event.by)
        return replace(table, state=state, by=by, actors=actors, version=version)
    if isinstance(event, Undone):
        return replace(
            table, state=table.state.back_to(event.keep), by=table.by[: event.keep],
            version=version, claim_words="", judged=None, helped=True,
        )  # fmt: skip
    if isinstance(event, Claimed):
        state = table.state.after_claim(event.tricks)
        return replace(table, state=state, version=version, claim_words=event.words)
    if isinstance(event, Dealt):
        state = _start(table.settings, event.board, event.seed)
        # The same cards once more are no new ones to who has seen them.
        sights = table.sights if state.board == table.state.board else NOTHING
        return replace(
            table, state=state, by=(), boards=table.boards + 1, version=version,
            claim_words="", index=event.index, judged=None, contest=event.contest, helped=False,
            actors=frozenset(), seated=frozenset(), sights=sights, chosen=event.chosen,
            salt=event.salt,
        )  # fmt: skip
    if isinstance(event, Judged):
        first = all(index != table.index for index, _ in table.scores)
        scores = (*table.scores, (table.index, event)) if first else table.scores
        return replace(table, judged=event, scores=scores, version=version)
    if isinstance(event, Helped):
        return replace(table, helped=True, version=version)
    return replace(_seated(table, event), version=version)


def _seated(table: Table, event: Joined | Left | Moved | Opens | Looked) -> Table:
    """Who sits where after somebody came, left, changed seats or was invited."""
    if isinstance(event, Left):
        away = table.away - {event.seat} if event.back else table.away | {event.seat}
        return replace(table, away=away)
    if isinstance(event, Looked):
        return replace(table, looking=table.looking | {(event.link, event.person)})
    if isinstance(event, Opens):
        table = replace(table, makers={**table.makers, event.invitation: event.by})
        if event.watch:
            return replace(table, watchers={**table.watchers, event.invitation: event.seat})
        return replace(table, invitations={**table.invitations, event.invitation: event.seat})
    if isinstance(event, Moved):
        return _moved(table, event.seat, event.to)
    return _joined(table, event)


def _joined(table: Table, event: Joined) -> Table:
    """Whoever comes takes the seat over: every token and link to it is void."""
    old = table.holder(event.seat)
    watchers = {k: s for k, s in table.watchers.items() if s != event.seat}
    people = {**table.people, event.token: event.person} if event.person else table.people
    return replace(
        table,
        tokens={**{k: s for k, s in table.tokens.items() if k != old}, event.token: event.seat},
        invitations={k: s for k, s in table.invitations.items() if s != event.seat},
        watchers=watchers,
        looking=frozenset((link, person) for link, person in table.looking if link in watchers),
        names={**table.names, event.seat: event.name},
        away=table.away - {event.seat},
        people=people,
        opener=event.token if old and old == table.opener else table.opener,
    )


def _moved(table: Table, seat: SeatLetter, to: SeatLetter) -> Table:
    def new(s: SeatLetter) -> SeatLetter:
        return to if s == seat else seat if s == to else s

    settings = table.settings
    humans: Any = tuple(s for s in "NESW" if s in {new(h) for h in settings.humans})
    return replace(
        table,
        settings=msgspec.structs.replace(settings, humans=humans),
        tokens={k: new(s) for k, s in table.tokens.items()},
        invitations={k: new(s) for k, s in table.invitations.items()},
        watchers={k: new(s) for k, s in table.watchers.items()},
        names={new(s): name for s, name in table.names.items()},
        away=frozenset(new(s) for s in table.away),  # type: ignore[arg-type]
    )


def _start(settings: Settings, board: BoardText, seed: int) -> TableState:
    return TableState.start(
        board.board(),
        systems=settings.systems,
        scoring=settings.scoring,
        seed=seed,
        auction_only=settings.auction_only,
    )


def _after(state: TableState, event: Acted) -> TableState:
    wanted = Call if state.play is None else Card
    decision = decision_of(event.decision, wanted)
    ruling = None
    if event.ruling is not None:
        seat, fault, detail, instead = event.ruling
        ruling = Ruling(Seat(seat), Fault(fault), detail, instead)
    return state.after(decision, event.milliseconds, ruling)
