"""An event of pairs that is played here: who has entered, which movement, who sits where in which
round, what the director ruled. A value, which is nothing but its events replayed; the boards and
their results are a contest's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

import msgspec

from overtrick.duplicate.movements import MOST_PAIRS, Movement, Placement, howell, mitchell
from overtrick.duplicate.results import ClubEvent
from overtrick.duplicate.scoring import Method, TableScore
from overtrick.game import BridgeError, Contract
from overtrick.game.seats import SeatLetter
from overtrick.web.contests import Contest
from overtrick.web.events import Engines

MovementKind = Literal["mitchell", "howell"]
MOST_LINES: Final = 400  # of a director's log
_NAMED: Final = "pairs/"  # before an event's name in the log: no table is called so
_SEATS: Final[dict[str, tuple[SeatLetter, SeatLetter]]] = {"ns": ("N", "S"), "ew": ("E", "W")}

# ---------------------------------------------------------------- what happens


class Arranged(msgspec.Struct, frozen=True, tag="arranged"):
    """An event is announced; the director's token is kept as a hash."""

    title: str
    movement: MovementKind
    each: int
    rounds: int | None
    method: Method
    minutes: int
    director: str
    ns: Engines
    ew: Engines
    systems: tuple[str, str]
    at: float


class Enrolled(msgspec.Struct, frozen=True, tag="enrolled"):
    """Somebody is a member of an entry now: as the first, as the partner, or in another's place.
    An `invitation` is for the partner; `used` is the one he came by."""

    entry: int
    member: Literal[0, 1]
    name: str
    token: str = ""  # none: a robot
    person: str = ""
    invitation: str = ""
    used: str = ""
    at: float = 0.0


class PlaceOffered(msgspec.Struct, frozen=True, tag="place-offered"):
    """The director's link for a substitute."""

    entry: int
    member: Literal[0, 1]
    invitation: str


class Withdrawn(msgspec.Struct, frozen=True, tag="withdrawn"):
    """An entry is taken out before the event begins."""

    entry: int


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """The entries in this order are pairs 1, 2, …; the boards are this contest's."""

    contest: str
    order: tuple[int, ...]
    at: float


class RoundBegun(msgspec.Struct, frozen=True, tag="round-begun"):
    """A round: which table of ours is which of the movement."""

    number: int
    tables: dict[str, int]
    at: float


class Adjusted(msgspec.Struct, frozen=True, tag="adjusted"):
    """The director's result for one board of one table: per cent for both sides, or a contract
    with its tricks ("" was passed out). It stands in place of what was played."""

    number: int  # the round
    table: int
    board: int
    reason: str
    awarded: tuple[float, float] | None = None
    contract: str = ""
    tricks: int | None = None
    at: float = 0.0


class Penalised(msgspec.Struct, frozen=True, tag="penalised"):
    """Points given to a pair, or taken from it."""

    pair: int
    points: float
    reason: str
    at: float


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """A word of the director to everybody."""

    text: str
    at: float


class Summoned(msgspec.Struct, frozen=True, tag="summoned"):
    """Somebody calls the director to a table, or the director has been there."""

    table: int
    words: str
    at: float
    done: bool = False


class EventClosed(msgspec.Struct, frozen=True, tag="event-closed"):
    """The event is over: results are final, hands are open."""

    at: float


Happening = (
    Arranged | Enrolled | PlaceOffered | Withdrawn | Begun | RoundBegun | Adjusted | Penalised
    | Announced | Summoned | EventClosed
)  # fmt: skip


def stream(name: str) -> str:
    """Under which name an event's log is kept."""
    return _NAMED + name


# ---------------------------------------------------------------- the value


@dataclass(frozen=True, slots=True)
class Member:
    """One of a pair; without a token a robot, or somebody who is still to come."""

    name: str
    token: str = ""
    person: str = ""
    robot: bool = False

    @property
    def missing(self) -> bool:
        return not self.token and not self.robot


NOBODY: Final = Member("")


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line of the director's log."""

    at: float
    words: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairsEvent:
    """An event as far as it has come. Entries are numbered as they came, pairs as they play."""

    name: str
    arranged: Arranged
    entries: dict[int, tuple[Member, Member]] = field(default_factory=dict)
    invitations: dict[str, tuple[int, Literal[0, 1]]] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    contest: str = ""
    rounds: tuple[RoundBegun, ...] = ()
    adjusted: dict[tuple[int, int, int], Adjusted] = field(default_factory=dict)
    penalties: tuple[Penalised, ...] = ()
    announced: tuple[Announced, ...] = ()
    summons: dict[int, Summoned] = field(default_factory=dict)
    log: tuple[DeskLine, ...] = ()
    over: bool = False
    version: int = 1

    @property
    def state(self) -> Literal["open", "playing", "over"]:
        return "over" if self.over else "playing" if self.order else "open"

    @property
    def pairs(self) -> dict[int, tuple[Member, Member]]:
        """Who plays, by number."""
        return {i: self.entries[entry] for i, entry in enumerate(self.order, 1)}

    @property
    def room_for_more(self) -> bool:
        """Can somebody enter now? Once it has begun one pair can take the place of the one that is
        missing, while a round is left."""
        if self.state == "open":
            return len(self.entries) < MOST_PAIRS
        late = self.state == "playing" and len(self.order) % 2 == 1
        return late and len(self.rounds) < len(self.movement.rounds)

    @property
    def movement(self) -> Movement:
        """The movement of as many pairs as there are now: a late one only fills its empty place."""
        made = self.arranged
        count = len(self.order) or len(self.entries)
        return (mitchell if made.movement == "mitchell" else howell)(count, made.rounds, made.each)

    def pair_of(self, entry: int) -> int | None:
        return self.order.index(entry) + 1 if entry in self.order else None

    def member_of(self, token: str) -> tuple[int, Literal[0, 1]] | None:
        """The entry that a token is of, and which of the two."""
        for entry, members in self.entries.items():
            for i, member in enumerate(members):
                if token and member.token == token:
                    return entry, 1 if i else 0
        return None

    def place(self, pair: int, number: int) -> Placement | None:
        """Where a pair sits in a round that has begun; who came later sat nowhere."""
        if not 1 <= number <= len(self.rounds):
            return None
        found = self.movement.place(pair, number)
        seated = self.rounds[number - 1].tables.values()
        return found if found is not None and found.table in seated else None

    def table_name(self, number: int, table: int) -> str:
        """Which table of ours a table of the movement is in a round."""
        return next(n for n, t in self.rounds[number - 1].tables.items() if t == table)

    def seats(self, place: Placement) -> dict[SeatLetter, tuple[int, Literal[0, 1]]]:
        """Who of which entry sits where."""
        found: dict[SeatLetter, tuple[int, Literal[0, 1]]] = {}
        for side, pair in (("ns", place.ns), ("ew", place.ew)):
            first, second = _SEATS[side]
            found[first], found[second] = (self.order[pair - 1], 0), (self.order[pair - 1], 1)
        return found

    # ------------------------------------------------------------ results

    def results(self, contest: Contest) -> Iterator[tuple[TableScore, str]]:
        """Every result there is, and why one waits for the director instead: "known", "twice"."""
        for number, begun in enumerate(self.rounds, 1):
            tables = {table: name for name, table in begun.tables.items()}
            for place in self.movement.rounds[number - 1]:
                for board in self.movement.boards(place.boards) if place.table in tables else ():
                    made = self.adjusted.get((number, place.table, board))
                    if made is not None:
                        yield _ruled(made, place), ""
                        continue
                    line = contest.lines.get(board - 1, {}).get(tables[place.table])
                    if line is not None:
                        contract = f"{line.contract} {line.declarer}" if line.contract else None
                        score = TableScore(
                            board, place.ns, place.ew, contract, line.tricks, number=number
                        )
                        yield score, line.unranked

    def club_event(self, contest: Contest) -> ClubEvent:
        """What counts so far, for rankings and travellers."""
        adjusted: dict[int, float] = {}
        for penalty in self.penalties:
            adjusted[penalty.pair] = adjusted.get(penalty.pair, 0.0) + penalty.points
        names = {number: (a.name or "?", b.name or "?") for number, (a, b) in self.pairs.items()}
        counted = tuple(score for score, waits in self.results(contest) if not waits)
        made = self.arranged
        return ClubEvent(
            self.movement, counted, made.method, names, adjusted, made.title, day_of(made.at)
        )

    def missing(self, contest: Contest) -> list[tuple[int, int]]:
        """Tables and boards of this round without a result that counts."""
        if not self.rounds:
            return []
        number = len(self.rounds)
        done = {(s.ns, s.board) for s, waits in self.results(contest)
                if s.number == number and not waits}  # fmt: skip
        here = self.rounds[-1].tables.values()
        return [
            (place.table, board)
            for place in self.movement.rounds[number - 1] if place.table in here
            for board in self.movement.boards(place.boards) if (place.ns, board) not in done
        ]  # fmt: skip


def day_of(at: float) -> str:
    """A moment's day, in the world's time."""
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def _ruled(made: Adjusted, place: Placement) -> TableScore:
    if made.awarded is not None:
        return TableScore(made.board, place.ns, place.ew, awarded=made.awarded, number=made.number)
    return TableScore(
        made.board, place.ns, place.ew, made.contract or None, made.tricks, number=made.number
    )


# ---------------------------------------------------------------- replay


def replayed(name: str, found: PairsEvent | None, event: Happening) -> PairsEvent:
    """The event after one more thing; the first must be `Arranged`."""
    if isinstance(event, Arranged):
        return PairsEvent(name, event)
    if found is None:
        raise BridgeError("an event's log begins with its announcement")
    found = replace(found, version=found.version + 1)
    if isinstance(event, Enrolled):
        return _enrolled(found, event)
    if isinstance(event, PlaceOffered):
        offers = {k: v for k, v in found.invitations.items() if v != (event.entry, event.member)}
        return replace(found, invitations={**offers, event.invitation: (event.entry, event.member)})
    if isinstance(event, Withdrawn):
        entries = {k: v for k, v in found.entries.items() if k != event.entry}
        offers = {k: v for k, v in found.invitations.items() if v[0] != event.entry}
        return replace(found, entries=entries, invitations=offers)
    if isinstance(event, Begun):
        return replace(found, contest=event.contest, order=event.order)
    if isinstance(event, RoundBegun):
        return replace(found, rounds=(*found.rounds, event), summons={})
    return _ruling(found, event)


def _enrolled(found: PairsEvent, event: Enrolled) -> PairsEvent:
    """A new member; a new entry while it is played is the pair that was missing."""
    old = found.entries.get(event.entry)
    member = Member(event.name, event.token, event.person, robot=not event.token)
    pair = list(old or (NOBODY, NOBODY))
    before, pair[event.member] = pair[event.member], member
    invitations = {k: v for k, v in found.invitations.items() if k != event.used}
    if event.invitation:
        invitations[event.invitation] = (event.entry, 1)
    order = found.order
    lines: tuple[DeskLine, ...] = ()
    if order and event.entry not in order:
        order = (*order, event.entry)
        lines = (DeskLine(event.at, f"pair {len(order)} came late: {event.name}"),)
    elif before.token or (before.robot and order):
        number = found.pair_of(event.entry)
        lines = (DeskLine(event.at, f"pair {number}: {event.name} instead of {before.name}"),)
    return replace(
        found, entries={**found.entries, event.entry: (pair[0], pair[1])},
        invitations=invitations, order=order, log=(*found.log, *lines),
    )  # fmt: skip


def _ruling(
    found: PairsEvent, event: Adjusted | Penalised | Announced | Summoned | EventClosed
) -> PairsEvent:
    """What the director did, with a line in the log."""
    if isinstance(event, Adjusted):
        words = f"round {event.number}, table {event.table}, board {event.board}: {told(event)}"
        key = (event.number, event.table, event.board)
        found = replace(found, adjusted={**found.adjusted, key: event})
        return _noted(found, DeskLine(event.at, words, event.reason))
    if isinstance(event, Penalised):
        words = f"pair {event.pair}: {event.points:+g}"
        found = replace(found, penalties=(*found.penalties, event))
        return _noted(found, DeskLine(event.at, words, event.reason))
    if isinstance(event, Announced):
        return replace(found, announced=(*found.announced, event)[-20:])
    if isinstance(event, Summoned):
        summons = {t: s for t, s in found.summons.items() if t != event.table}
        if event.done:
            return replace(found, summons=summons)
        found = replace(found, summons={**summons, event.table: event})
        return _noted(found, DeskLine(event.at, f"table {event.table} called", event.words))
    return replace(found, over=True)


def _noted(found: PairsEvent, line: DeskLine) -> PairsEvent:
    return replace(found, log=(*found.log, line)[-MOST_LINES:])


def told(event: Adjusted) -> str:
    """A ruling in words."""
    if event.awarded is not None:
        ns, ew = event.awarded
        return f"{ns:g} % and {ew:g} %"
    return f"{event.contract}, {event.tricks} tricks" if event.contract else "passed out"


def checked(event: Adjusted, places: Mapping[int, Placement]) -> Adjusted:
    """The ruling, if it can be scored."""
    if event.table not in places:
        raise BridgeError(f"there was no table {event.table} in round {event.number}")
    if event.contract:
        Contract.parse(event.contract)
    elif event.tricks is not None:
        raise BridgeError("tricks belong to a contract")
    _ruled(event, places[event.table])
    return event
