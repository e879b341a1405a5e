"""What players and directors of an event of pairs are shown. Nothing here has a card: travellers
come when the event is over, and until then nobody is told what was done on a board."""

from __future__ import annotations

from typing import Literal

from overtrick.duplicate.results import ClubEvent
from overtrick.duplicate.scoring import Method
from overtrick.duplicate.sheets import outcome
from overtrick.game.seats import SeatLetter
from overtrick.web.contests import Contest
from overtrick.web.frames import Answer
from overtrick.web.pairs import DeskLine, MovementKind, PairsEvent
from overtrick.web.seated import Live
from overtrick.web.showing import letters

EventState = Literal["open", "playing", "over"]


class EventPair(Answer, frozen=True, kw_only=True):
    """A pair that has entered; `number` once it plays."""

    entry: int
    number: int | None
    names: tuple[str, str]
    missing: tuple[bool, bool]
    robots: tuple[bool, bool]


class PairPlace(Answer, frozen=True, kw_only=True):
    """A line of a ranking: per cent, or IMPs a board."""

    place: int
    pair: int
    names: tuple[str, str]
    boards: int
    total: float
    percent: float | None
    adjusted: float
    mine: bool


class FieldRanking(Answer, frozen=True, kw_only=True):
    """The ranking of a direction, or of all."""

    field: str
    rows: list[PairPlace]


class ScoreShown(Answer, frozen=True, kw_only=True):
    """A result on a board: what was played, or awarded, and what it was worth."""

    number: int
    ns: int
    ew: int
    text: str
    score: int | None
    ns_worth: float
    ew_worth: float
    ruled: bool


class TravellerShown(Answer, frozen=True, kw_only=True):
    """A board with all its results and hands, once the event is over."""

    board: int
    dealer: SeatLetter
    vul: str
    deal: str
    top: float
    rows: list[ScoreShown]


class MyEvent(Answer, frozen=True, kw_only=True):
    """Where I play: my pair, and in this round my table, seat and opponents."""

    entry: int
    pair: int | None
    name: str
    partner: str
    table: str
    number: int | None
    seat: SeatLetter | None
    against: tuple[str, str] | None
    sits_out: bool


class Announcement(Answer, frozen=True, kw_only=True):
    """A word of the director."""

    text: str
    at: float


class LogLine(Answer, frozen=True, kw_only=True):
    """A line of the director's log."""

    at: float
    words: str
    reason: str


class EventPage(Answer, frozen=True, kw_only=True):
    """An event for everybody who has its link."""

    event: str
    title: str
    day: str
    state: EventState
    movement: MovementKind
    method: Method
    each: int
    round: int
    rounds: int | None
    ends: float | None
    more: bool
    pairs: list[EventPair]
    announced: list[Announcement]
    rankings: list[FieldRanking]
    travellers: list[TravellerShown]
    log: list[LogLine]
    mine: MyEvent | None


class TableOfRound(Answer, frozen=True, kw_only=True):
    """A table as the director sees it: how far it is, who is there; no card."""

    table: int
    ns: int
    ew: int
    board: int
    done: int
    of: int
    phase: str
    turn: SeatLetter | None
    connected: list[SeatLetter]
    away: list[SeatLetter]
    called: str | None


class Waiting(Answer, frozen=True, kw_only=True):
    """A board of a table without a result that counts; `why` a result of its own does not."""

    table: int
    board: int
    why: str


class DeskPage(EventPage, frozen=True, kw_only=True):
    """The event for its director; a link that he asked for, told only now."""

    tables: list[TableOfRound]
    waiting: list[Waiting]
    invitation: str = ""
    look: str = ""


class NewEvent(Answer, frozen=True, kw_only=True):
    """An event that was arranged, with the token of its director, told only now."""

    event: str
    director: str


class EventTicket(Answer, frozen=True, kw_only=True):
    """My place in an event: a token for all my tables, and the link for my partner."""

    event: str
    entry: int
    token: str
    invitation: str


# ---------------------------------------------------------------- made


def shown(found: PairsEvent, contest: Contest | None, key: str = "") -> EventPage:
    """The event for everybody, and for the holder of a token's hash his own place."""
    mine = _mine(found, key)
    event = found.club_event(contest) if contest is not None else None
    pair = mine.pair if mine is not None else None
    made = found.arranged
    minutes = 60.0 * made.minutes
    return EventPage(
        event=found.name,
        title=made.title,
        day=event.day if event is not None else "",
        state=found.state,
        movement=made.movement,
        method=made.method,
        each=made.each,
        round=len(found.rounds),
        rounds=len(found.movement.rounds) if found.order else made.rounds,
        ends=found.rounds[-1].at + minutes if minutes and found.rounds and not found.over else None,
        more=found.room_for_more,
        pairs=_pairs(found),
        announced=[Announcement(text=a.text, at=a.at) for a in found.announced],
        rankings=[] if event is None else rankings(event, pair),
        travellers=[] if event is None or contest is None or not found.over
        else _travellers(event, contest),
        log=[_line(line) for line in found.log] if found.over else [],
        mine=mine,
    )  # fmt: skip


def desk(found: PairsEvent, contest: Contest | None, tables: dict[int, Live]) -> DeskPage:
    """The event for its director."""
    from msgspec.structs import asdict

    why: dict[tuple[int, int, int], str] = {}
    if contest is not None:
        why = {(s.number, s.ns, s.board): w for s, w in found.results(contest) if w}
    number = len(found.rounds)
    waiting = []
    for table, board in found.missing(contest) if contest is not None else []:
        ns = next(p.ns for p in found.movement.rounds[number - 1] if p.table == table)
        waiting.append(Waiting(table=table, board=board, why=why.get((number, ns, board), "")))
    page = shown(found, contest)
    parts = {**asdict(page), "log": [_line(line) for line in found.log]}
    left = {w.table: 0 for w in waiting}
    for w in waiting:
        left[w.table] += 1
    return DeskPage(
        **parts,
        tables=[_table(found, live, table, left.get(table, 0)) for table, live in tables.items()],
        waiting=waiting,
    )


def _table(found: PairsEvent, live: Live, table: int, left: int) -> TableOfRound:
    number = len(found.rounds)
    place = next(p for p in found.movement.rounds[number - 1] if p.table == table)
    state = live.table.state
    summoned = found.summons.get(table)
    return TableOfRound(
        table=table,
        ns=place.ns,
        ew=place.ew,
        board=state.board.number,
        done=found.arranged.each - left,
        of=found.arranged.each,
        phase=state.phase,
        turn=None if state.phase == "over" else state.actor.letter,
        connected=letters(live.connected),
        away=letters(live.table.away),
        called=None if summoned is None else summoned.words or "director, please",
    )


def _line(line: DeskLine) -> LogLine:
    return LogLine(at=line.at, words=line.words, reason=line.reason)


def _pairs(found: PairsEvent) -> list[EventPair]:
    rows = []
    for entry, (a, b) in found.entries.items():
        rows.append(
            EventPair(
                entry=entry, number=found.pair_of(entry), names=(a.name, b.name),
                missing=(a.missing, b.missing), robots=(a.robot, b.robot),
            )
        )  # fmt: skip
    return rows


def _mine(found: PairsEvent, key: str) -> MyEvent | None:
    who = found.member_of(key)
    if who is None:
        return None
    entry, member = who
    pair, number = found.pair_of(entry), len(found.rounds)
    place = None if pair is None else found.place(pair, number)
    seat, table, against = None, "", None
    if place is not None and not found.over:
        seats = found.seats(place)
        seat = next(s for s, at in seats.items() if at == (entry, member))
        table = found.table_name(number, place.table)
        a, b = found.pairs[place.ew if pair == place.ns else place.ns]
        against = (a.name, b.name)
    return MyEvent(
        entry=entry,
        pair=pair,
        name=found.entries[entry][member].name,
        partner=found.entries[entry][1 - member].name,
        table=table,
        number=place.table if place is not None else None,
        seat=seat,
        against=against,
        sits_out=pair is not None and number > 0 and place is None and not found.over,
    )


def rankings(event: ClubEvent, mine: int | None = None) -> list[FieldRanking]:
    """The lists; with IMPs the total is for a board."""
    by_imps = event.method == "imps"
    return [
        FieldRanking(
            field=field,
            rows=[
                PairPlace(
                    place=r.place, pair=r.pair, names=r.names, boards=r.boards,
                    total=round(r.total / r.boards if by_imps else r.total, 2),
                    percent=None if r.percent is None else round(r.percent, 2),
                    adjusted=r.adjusted, mine=r.pair == mine,
                )
                for r in rows
            ],
        )
        for field, rows in event.rankings().items()
    ]  # fmt: skip


def _travellers(event: ClubEvent, contest: Contest) -> list[TravellerShown]:
    out = []
    for board, lines in event.travellers().items():
        dealt = contest.board(board - 1)
        out.append(
            TravellerShown(
                board=board, dealer=dealt.dealer.letter, vul=str(dealt.vul),
                deal=dealt.deal.pbn(), top=lines[0].worth.top,
                rows=[
                    ScoreShown(
                        number=line.result.number, ns=line.result.ns, ew=line.result.ew,
                        text=outcome(line.result), score=line.result.ns_score,
                        ns_worth=round(line.worth.ns, 2), ew_worth=round(line.worth.ew, 2),
                        ruled=line.result.awarded is not None,
                    )
                    for line in lines
                ],
            )
        )  # fmt: skip
    return out
