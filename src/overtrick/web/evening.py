"""An evening of several tables: who sat where, what each board was worth, whose decisions cost.
Pure: tables and what was worked out about them in, a report out; `evenings` keeps and works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import msgspec

from overtrick import notation
from overtrick.game import Deal, Seat, imps
from overtrick.game.scoring import matchpoints
from overtrick.game.seats import SeatLetter
from overtrick.web import possible, review, thinking
from overtrick.web.reviewed import (
    BiddingLoss,
    BoardAgain,
    CostlyDecision,
    EveningReport,
    JudgedAction,
    PairRow,
    PlayerRow,
    TableRow,
)
from overtrick.web.sources import NoBoard

MOST_TABLES: Final = 640
SHOWN: Final = 5  # decisions of a player
_LOOKED_AT: Final = 6  # cards of a player that are judged …
_PAIR_LOOKED_AT: Final = 4  # … and auctions of a pair
# The first rounds of the review's own: what is still close then, stays close.
_LEAD_ROUNDS, _CARD_ROUNDS, _CALL_ROUNDS = (24,), (64, 256), (128, 512)
_LEAST_CARD, _LEAST_CALL = 1, 3  # IMPs that are worth a look


class EveningBoard(msgspec.Struct, frozen=True):
    """One board at one table."""

    deal: int  # which of the evening's deals
    number: int
    names: tuple[str, str, str, str]
    contract: str | None
    declarer: SeatLetter | None
    result: str | None
    score_ns: int | None
    text: str

    def of(self, side: str) -> tuple[str, str]:
        """The pair that sits there."""
        north, east, south, west = self.names
        return (north, south) if side == "NS" else (east, west)


class Evening(msgspec.Struct, frozen=True):
    """What was uploaded, read."""

    title: str
    tables: tuple[EveningBoard, ...]
    unread: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def by_deal(self) -> list[list[int]]:
        """The tables that played each deal."""
        out: list[list[int]] = [
            [] for _ in range(1 + max((t.deal for t in self.tables), default=-1))
        ]
        for i, table in enumerate(self.tables):
            out[table.deal].append(i)
        return out


def read(text: str, title: str = "") -> Evening:
    """The tables of a text. People without a name are called by their seat and table."""
    found, unread, warnings = review.readable(text)
    if not found:
        reason = (unread or warnings or ["there is no complete board in this text"])[0]
        raise NoBoard(reason)
    if len(found) > MOST_TABLES:
        unread = [*unread, f"only the first {MOST_TABLES} results are looked at"]
    deals: dict[tuple[int, Deal], int] = {}
    tables: list[EveningBoard] = []
    seen: dict[int, int] = defaultdict(int)
    for at in found[:MOST_TABLES]:
        deal = deals.setdefault((at.board.number, at.board.deal), len(deals))
        seen[deal] += 1
        listed = review.listed(at)
        names = [_name(n, s, seen[deal]) for n, s in zip(at.record.names, Seat, strict=True)]
        tables.append(EveningBoard(
            deal, at.board.number, (names[0], names[1], names[2], names[3]), listed.contract,
            listed.declarer, listed.result, listed.score_ns, listed.source,
        ))  # fmt: skip
    return Evening(title or _title(text), tuple(tables), tuple(unread[:50]), tuple(warnings[:50]))


def _name(name: str, seat: Seat, table: int) -> str:
    plain = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:40]
    return plain or f"{seat} {table}"


def _title(text: str) -> str:
    """The event's name, when the file has one."""
    event = next((r.tags.get("Event", "") for r in notation.loads(text[:4000]).records), "")
    return " ".join(event.split())[:60] if event not in ("?", "#") else ""


# ---------------------------------------------------------------- work


class Job(msgspec.Struct, frozen=True):
    """Something to work out: a deal, robots on a deal, a card, or the calls of one side."""

    kind: str
    at: int  # the deal, or the table
    index: int = 0
    side: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.at}/{self.index}/{self.side}"


class CostlyCard(msgspec.Struct, frozen=True):
    """A card that cost something, seen double dummy."""

    index: int
    seat: SeatLetter
    card: str
    imps: int
    best: list[str]
    cost: int = 0


class SolvedTable(msgspec.Struct, frozen=True):
    """What a table gave away, seen double dummy."""

    par_ns: int
    par: list[str]
    bidding: BiddingLoss | None
    cards: list[CostlyCard]


class SolvedDeal(msgspec.Struct, frozen=True):
    """A deal at every table."""

    tables: dict[int, SolvedTable]


class RobotsResult(msgspec.Struct, frozen=True):
    """What robots scored on a deal."""

    score_ns: int | None


class JudgedCall(JudgedAction, frozen=True, kw_only=True):
    """A call, judged."""

    index: int
    seat: SeatLetter


class JudgedCalls(msgspec.Struct, frozen=True):
    """The calls of one side."""

    calls: list[JudgedCall]


class Failed(msgspec.Struct, frozen=True):
    """Why something could not be worked out; it is not tried for ever."""

    error: str = ""


Result = SolvedDeal | RobotsResult | JudgedAction | JudgedCalls | Failed
Done = Mapping[str, Result]
R = TypeVar("R", bound=Result)
W = TypeVar("W")
_RESULTS: Final[dict[str, type[Result]]] = {
    "deal": SolvedDeal, "robots": RobotsResult, "card": JudgedAction, "calls": JudgedCalls,
}  # fmt: skip


def kept(key: str, body: bytes) -> Result:
    """What a job found out, as it was kept; what has another form is taken for a failure."""
    try:
        return msgspec.json.decode(body, type=_RESULTS[key.partition("/")[0]])
    except (msgspec.ValidationError, KeyError):
        return Failed()


def _found(done: Done, job: Job, kind: type[R]) -> R | None:
    """The result of a job, if it is done and has succeeded."""
    result = done.get(job.key)
    return result if isinstance(result, kind) else None


def jobs(evening: Evening, done: Done) -> list[Job]:
    """Everything there is to do, as far as it is known: what to judge is known when all deals are
    solved."""
    at = evening.by_deal()
    deals = [Job("deal", d) for d in range(len(at))]
    alone = [Job("robots", d) for d in range(len(at)) if len(at[d]) == 1]
    if any(j.key not in done for j in deals):
        return [*deals, *alone]
    return [*deals, *_calls_to_judge(evening, done), *_cards_to_judge(evening, done), *alone]


def work(evening_text: bytes, job: Job) -> SolvedDeal | BoardAgain | JudgedAction | JudgedCalls:
    """Do one job; a failure is an answer, too, so that nothing is tried for ever."""
    evening = msgspec.json.decode(evening_text, type=Evening)
    usual = (thinking.USUAL_BIDDER, thinking.USUAL_BIDDER)
    if job.kind == "deal":
        return SolvedDeal({i: _solved(evening.tables[i]) for i in evening.by_deal()[job.at]})
    if job.kind == "robots":
        table = evening.tables[evening.by_deal()[job.at][0]]
        return review.other_table(table.text, usual, thinking.USUAL_PLAYER)
    at = review.one(evening.tables[job.at].text)
    if job.kind == "card":
        rounds = _LEAD_ROUNDS if job.index == 0 else _CARD_ROUNDS
        return possible.card_fault(at, job.index, usual, rounds=rounds).told
    return JudgedCalls([_judged(at, i, usual) for i in _calls_of(at, job.side)])


def _solved(table: EveningBoard) -> SolvedTable:
    found = review.solved(table.text)
    return SolvedTable(
        found.par.score_ns,
        found.par.contracts[:2],
        found.bidding,
        [
            CostlyCard(i, c.seat, c.card, c.imps, c.best[:1], c.cost)
            for i, c in enumerate(found.cards)
            if c.cost and c.imps >= _LEAST_CARD
        ],
    )


def _calls_of(at: review.Played, side: str) -> Iterator[int]:
    if not at.auction.is_over:
        return
    for i in range(len(at.auction)):
        if at.auction.seat_of(i).letter in side:
            yield i


def _judged(at: review.Played, index: int, specs: tuple[str, str]) -> JudgedCall:
    verdict = possible.call_fault(at, index, specs, rounds=_CALL_ROUNDS).told
    seat = at.auction.seat_of(index).letter
    return JudgedCall(index=index, seat=seat, **msgspec.structs.asdict(verdict))


def _solutions(evening: Evening, done: Done) -> Iterator[tuple[int, EveningBoard, SolvedTable]]:
    """Every table with what is known double dummy."""
    for deal in range(len(evening.by_deal())):
        solved = _found(done, Job("deal", deal), SolvedDeal)
        for i, row in solved.tables.items() if solved else ():
            yield i, evening.tables[i], row


def _cards_to_judge(evening: Evening, done: Done) -> list[Job]:
    """The most costly cards of each player."""
    by_player: dict[str, list[tuple[int, Job]]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        for card in row.cards:
            name = _player(table, card.seat)
            by_player[name].append((card.imps, Job("card", i, card.index)))
    worst = (sorted(found, key=lambda f: -f[0])[:_LOOKED_AT] for found in by_player.values())
    return [job for found in worst for _, job in found]


def _calls_to_judge(evening: Evening, done: Done) -> list[Job]:
    """The auctions in which each pair lost most against par."""
    by_pair: dict[tuple[str, str], list[tuple[int, Job]]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        lost = row.bidding
        if lost is not None and lost.imps >= _LEAST_CALL:
            by_pair[table.of(lost.side)].append((lost.imps, Job("calls", i, side=lost.side)))
    worst = (sorted(found, key=lambda f: -f[0])[:_PAIR_LOOKED_AT] for found in by_pair.values())
    return [job for found in worst for _, job in found]


def _player(table: EveningBoard, seat: str) -> str:
    """Who chose a card: declarer plays dummy's."""
    chair = Seat.parse(seat)
    if table.declarer is not None and chair.partner == Seat.parse(table.declarer):
        chair = chair.partner
    return table.names[chair]


# ---------------------------------------------------------------- the report


@dataclass(slots=True)
class _Total:
    """Boards, IMPs against the other tables and matchpoints of somebody."""

    boards: int = 0
    imps: float = 0.0
    shares: float = 0.0

    @property
    def percent(self) -> float | None:
        return round(100 * self.shares / self.boards, 1) if self.boards else None


def report(evening: Evening, done: Done) -> EveningReport:
    """The evening as its page shows it."""
    work_ = jobs(evening, done)
    scores = _scores(evening, done)
    solved = {i: row for i, _, row in _solutions(evening, done)}
    decisions = _decisions(evening, done)
    pairs: dict[tuple[str, str], _Total] = defaultdict(_Total)
    players: dict[str, _Total] = defaultdict(_Total)
    for i, (won, share) in scores.items():
        for side, sign in (("NS", 1), ("EW", -1)):
            pair = evening.tables[i].of(side)
            for total in (pairs[pair], *(players[name] for name in dict.fromkeys(pair))):
                total.boards += 1
                total.imps += sign * won
                total.shares += share if sign > 0 else 1 - share
    return EveningReport(
        title=evening.title,
        done=sum(j.key in done for j in work_),
        jobs=len(work_),
        unread=list(evening.unread),
        warnings=list(evening.warnings),
        pairs=[
            PairRow(
                side=name, place=place, names=list(p), boards=t.boards, imps=round(t.imps, 1),
                percent=t.percent,
            )
            for name, found in _lists(evening, pairs)
            for place, p, t in _ranked(found)
        ],
        players=[
            PlayerRow(
                place=place, name=n, decisions=decisions.get(n, [])[:SHOWN], boards=t.boards,
                imps=round(t.imps, 1), percent=t.percent,
            )
            for place, n, t in _ranked(players)
        ],
        tables=[
            TableRow(
                table=i, board=t.number, deal=t.deal, names=list(t.names),
                contract=t.contract, declarer=t.declarer, result=t.result,
                score_ns=t.score_ns, text=t.text,
                imps_ns=round(scores[i][0], 1) if i in scores else None,
                percent_ns=round(100 * scores[i][1], 1) if i in scores else None,
                par_ns=solved[i].par_ns if i in solved else None,
            )
            for i, t in enumerate(evening.tables)
        ],
    )  # fmt: skip


_Pair = tuple[str, str]
_Lists = list[tuple[Literal["", "NS", "EW"], dict[_Pair, _Total]]]


def _lists(evening: Evening, totals: Mapping[_Pair, _Total]) -> _Lists:
    """One list of all pairs, or two where nobody ever sits the other way: pairs of one direction
    have the cards of the same hands, and are compared with each other alone."""
    north, east = ({t.of(side) for t in evening.tables} for side in ("NS", "EW"))
    people = [{name for pair in side for name in pair} for side in (north, east)]
    if min(len(north), len(east)) < 2 or people[0] & people[1]:
        return [("", dict(totals))]
    return [
        ("NS", {pair: total for pair, total in totals.items() if pair in north}),
        ("EW", {pair: total for pair, total in totals.items() if pair in east}),
    ]


def _ranked(totals: Mapping[W, _Total]) -> list[tuple[int, W, _Total]]:
    """Best first; who has the same matchpoints and IMPs has the same place."""

    def better(item: tuple[W, _Total]) -> tuple[float, float]:
        return (-(item[1].percent or 0), -round(item[1].imps, 1))

    ordered = sorted(totals.items(), key=better)
    places: list[int] = []
    for i, item in enumerate(ordered):
        same = i and better(item) == better(ordered[i - 1])
        places.append(places[-1] if same else i + 1)
    return [(place, who, total) for place, (who, total) in zip(places, ordered, strict=True)]


def _scores(evening: Evening, done: Done) -> dict[int, tuple[float, float]]:
    """North-South's IMPs against the average of the other tables, and its share of matchpoints.
    A board that one table played is compared with robots."""
    out: dict[int, tuple[float, float]] = {}
    for deal, played in enumerate(evening.by_deal()):
        at = [i for i in played if evening.tables[i].score_ns is not None]
        scores = [evening.tables[i].score_ns or 0 for i in at]
        robots = _found(done, Job("robots", deal), RobotsResult)
        if robots is not None and robots.score_ns is not None and len(at) == 1:
            scores.append(robots.score_ns)
        if len(scores) < 2:
            continue
        shares = matchpoints(scores)
        for place, i in enumerate(at):
            others = [s for k, s in enumerate(scores) if k != place]
            won = sum(imps(scores[place] - other) for other in others) / len(others)
            out[i] = (won, shares[place] / (len(scores) - 1))
    return out


def _decisions(evening: Evening, done: Done) -> dict[str, list[CostlyDecision]]:
    """What cost each player most: wrong decisions first, then close ones, then bad luck."""
    out: dict[str, list[CostlyDecision]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        for card in row.cards:
            verdict = _found(done, Job("card", i, card.index), JudgedAction)
            if verdict is None:
                continue
            decision = CostlyDecision(
                table=i, board=table.number, kind="card", index=card.index, seat=card.seat,
                done=card.card, cost=card.imps, best=card.best, **_verdict(verdict),
            )  # fmt: skip
            out[_player(table, card.seat)].append(decision)
        _add_calls(out, i, table, row.bidding, done)
    order = {"wrong": 0, "close": 1}
    for found in out.values():
        found.sort(key=lambda d: (order.get(d.word, 2), -d.cost))
    return out


def _add_calls(
    out: dict[str, list[CostlyDecision]],
    i: int,
    table: EveningBoard,
    lost: BiddingLoss | None,
    done: Done,
) -> None:
    """The call that was most at fault for what the auction cost; several cannot all be charged."""
    found = None if lost is None else _found(done, Job("calls", i, side=lost.side), JudgedCalls)
    judged = [c for c in found.calls if c.word in ("wrong", "close")] if found else []
    if lost is None or not judged:
        return
    worst = max(judged, key=lambda c: (c.word == "wrong", c.loss))
    decision = CostlyDecision(
        table=i, board=table.number, kind="call", index=worst.index, seat=worst.seat,
        done=worst.done, cost=lost.imps, fault=lost.kind,
        best=[f"{lost.best} {lost.by}"] if lost.best else [], **_verdict(worst),
    )  # fmt: skip
    out[table.names[Seat.parse(worst.seat)]].append(decision)


def _verdict(found: JudgedAction) -> dict[str, Any]:
    return {k: getattr(found, k) for k in ("word", "better", "loss", "error", "worlds")}
