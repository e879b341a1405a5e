"""An evening of several tables: who sat where, what each board was worth, whose decisions cost.
Pure: tables and what was worked out about them in, a report out; `evenings` keeps and works."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from overtrick import notation
from overtrick.game import Seat, imps
from overtrick.game.scoring import matchpoints
from overtrick.web import possible, review, thinking
from overtrick.web.sources import NoBoard

Row = dict[str, Any]
MOST_TABLES: Final = 640
SHOWN: Final = 5  # decisions of a player
_LOOKED_AT: Final = 6  # cards of a player that are judged …
_PAIR_LOOKED_AT: Final = 4  # … and auctions of a pair
# The first rounds of the review's own: what is still close then, stays close.
_LEAD_ROUNDS, _CARD_ROUNDS, _CALL_ROUNDS = (24,), (64, 256), (128, 512)
_LEAST_CARD, _LEAST_CALL = 1, 3  # IMPs that are worth a look


class Played(msgspec.Struct, frozen=True):
    """One board at one table."""

    deal: int  # which of the evening's deals
    number: int
    names: tuple[str, str, str, str]
    contract: str | None
    declarer: str | None
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
    tables: tuple[Played, ...]
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
    deals: dict[Any, int] = {}
    tables: list[Played] = []
    seen: dict[int, int] = defaultdict(int)
    for at in found[:MOST_TABLES]:
        deal = deals.setdefault((at.board.number, at.board.deal), len(deals))
        seen[deal] += 1
        listed = review.listed(at)
        names = [_name(n, s, seen[deal]) for n, s in zip(at.record.names, Seat, strict=True)]
        tables.append(Played(
            deal, at.board.number, (names[0], names[1], names[2], names[3]), listed["contract"],
            listed["declarer"], listed["result"], listed["score_ns"], listed["source"],
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


def jobs(evening: Evening, done: Mapping[str, Row]) -> list[Job]:
    """Everything there is to do, as far as it is known: what to judge is known when all deals are
    solved."""
    at = evening.by_deal()
    deals = [Job("deal", d) for d in range(len(at))]
    alone = [Job("robots", d) for d in range(len(at)) if len(at[d]) == 1]
    if any(j.key not in done for j in deals):
        return [*deals, *alone]
    return [*deals, *_calls_to_judge(evening, done), *_cards_to_judge(evening, done), *alone]


def work(evening_text: bytes, job: Job) -> Row:
    """Do one job; a failure is an answer, too, so that nothing is tried for ever."""
    evening = msgspec.json.decode(evening_text, type=Evening)
    usual = (thinking.USUAL_BIDDER, thinking.USUAL_BIDDER)
    if job.kind == "deal":
        return {"tables": {i: _solved(evening.tables[i]) for i in evening.by_deal()[job.at]}}
    if job.kind == "robots":
        table = evening.tables[evening.by_deal()[job.at][0]]
        return review.other_table(table.text, usual, thinking.USUAL_PLAYER)
    at = review.one(evening.tables[job.at].text)
    if job.kind == "card":
        rounds = _LEAD_ROUNDS if job.index == 0 else _CARD_ROUNDS
        return possible.card_fault(at, job.index, usual, rounds=rounds).to_dict()
    return {"calls": [_judged(at, i, usual) for i in _calls_of(at, job.side)]}


def _solved(table: Played) -> Row:
    found = review.solved(table.text)
    return {
        "par_ns": found["par"]["score_ns"],
        "par": found["par"]["contracts"][:2],
        "bidding": found["bidding"],
        "cards": [
            {"index": i, "seat": c["seat"], "card": c["card"], "cost": c["cost"],
             "imps": c["imps"], "best": c["best"][:1]}
            for i, c in enumerate(found["cards"])
            if c["cost"] and c["imps"] >= _LEAST_CARD
        ],
    }  # fmt: skip


def _calls_of(at: review.Played, side: str) -> Iterator[int]:
    if not at.auction.is_over:
        return
    for i in range(len(at.auction)):
        if at.auction.seat_of(i).letter in side:
            yield i


def _judged(at: review.Played, index: int, specs: tuple[str, str]) -> Row:
    verdict = possible.call_fault(at, index, specs, rounds=_CALL_ROUNDS).to_dict()
    return {"index": index, "seat": at.auction.seat_of(index).letter, **verdict}


def _solutions(evening: Evening, done: Mapping[str, Row]) -> Iterator[tuple[int, Played, Row]]:
    """Every table with what is known double dummy."""
    for deal in range(len(evening.by_deal())):
        for i, row in done.get(Job("deal", deal).key, {}).get("tables", {}).items():
            yield int(i), evening.tables[int(i)], row


def _cards_to_judge(evening: Evening, done: Mapping[str, Row]) -> list[Job]:
    """The most costly cards of each player."""
    by_player: dict[str, list[tuple[int, Job]]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        for card in row["cards"]:
            name = _player(table, card["seat"])
            by_player[name].append((card["imps"], Job("card", i, card["index"])))
    worst = (sorted(found, key=lambda f: -f[0])[:_LOOKED_AT] for found in by_player.values())
    return [job for found in worst for _, job in found]


def _calls_to_judge(evening: Evening, done: Mapping[str, Row]) -> list[Job]:
    """The auctions in which each pair lost most against par."""
    by_pair: dict[tuple[str, str], list[tuple[int, Job]]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        lost = row["bidding"]
        if lost is not None and lost["imps"] >= _LEAST_CALL:
            side = lost["side"]
            by_pair[table.of(side)].append((lost["imps"], Job("calls", i, side=side)))
    worst = (sorted(found, key=lambda f: -f[0])[:_PAIR_LOOKED_AT] for found in by_pair.values())
    return [job for found in worst for _, job in found]


def _player(table: Played, seat: str) -> str:
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

    def row(self, **who: Any) -> Row:
        percent = round(100 * self.shares / self.boards, 1) if self.boards else None
        return {**who, "boards": self.boards, "imps": round(self.imps, 1), "percent": percent}


def report(evening: Evening, done: Mapping[str, Row]) -> Row:
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
    return {
        "title": evening.title,
        "done": sum(j.key in done for j in work_),
        "jobs": len(work_),
        "unread": list(evening.unread),
        "warnings": list(evening.warnings),
        "pairs": _ranked([t.row(names=list(p)) for p, t in pairs.items()]),
        "players": _ranked([
            t.row(name=n, decisions=decisions.get(n, [])[:SHOWN]) for n, t in players.items()
        ]),
        "tables": [
            {
                "table": i, "board": t.number, "deal": t.deal, "names": list(t.names),
                "contract": t.contract, "declarer": t.declarer, "result": t.result,
                "score_ns": t.score_ns, "text": t.text,
                "imps_ns": round(scores[i][0], 1) if i in scores else None,
                "percent_ns": round(100 * scores[i][1], 1) if i in scores else None,
                "par_ns": solved[i]["par_ns"] if i in solved else None,
            }
            for i, t in enumerate(evening.tables)
        ],
    }  # fmt: skip


def _ranked(rows: list[Row]) -> list[Row]:
    """Best first; who has the same matchpoints and IMPs has the same place."""
    rows.sort(key=lambda r: (-(r["percent"] or 0), -r["imps"]))
    keys = [(r["percent"], r["imps"]) for r in rows]
    places: list[int] = []
    for i, key in enumerate(keys):
        places.append(places[-1] if i and key == keys[i - 1] else i + 1)
    return [{"place": place, **row} for place, row in zip(places, rows, strict=True)]


def _scores(evening: Evening, done: Mapping[str, Row]) -> dict[int, tuple[float, float]]:
    """North-South's IMPs against the average of the other tables, and its share of matchpoints.
    A board that one table played is compared with robots."""
    out: dict[int, tuple[float, float]] = {}
    for deal, played in enumerate(evening.by_deal()):
        at = [i for i in played if evening.tables[i].score_ns is not None]
        scores = [evening.tables[i].score_ns or 0 for i in at]
        robots = done.get(Job("robots", deal).key, {}).get("score_ns")
        if robots is not None and len(at) == 1:
            scores.append(robots)
        if len(scores) < 2:
            continue
        shares = matchpoints(scores)
        for place, i in enumerate(at):
            others = [s for k, s in enumerate(scores) if k != place]
            won = sum(imps(scores[place] - other) for other in others) / len(others)
            out[i] = (won, shares[place] / (len(scores) - 1))
    return out


def _decisions(evening: Evening, done: Mapping[str, Row]) -> dict[str, list[Row]]:
    """What cost each player most: wrong decisions first, then close ones, then bad luck."""
    out: dict[str, list[Row]] = defaultdict(list)
    for i, table, row in _solutions(evening, done):
        for card in row["cards"]:
            verdict = done.get(Job("card", i, card["index"]).key)
            if verdict is None or "word" not in verdict:
                continue
            out[_player(table, card["seat"])].append({
                "table": i, "board": table.number, "kind": "card", "index": card["index"],
                "seat": card["seat"], "done": card["card"], "cost": card["imps"],
                "best": card["best"], **_told(verdict),
            })  # fmt: skip
        _add_calls(out, i, table, row["bidding"], done)
    order = {"wrong": 0, "close": 1}
    for found in out.values():
        found.sort(key=lambda d: (order.get(d["word"], 2), -d["cost"]))
    return out


def _add_calls(
    out: dict[str, list[Row]], i: int, table: Played, lost: Row | None, done: Mapping[str, Row]
) -> None:
    """The call that was most at fault for what the auction cost; several cannot all be charged."""
    if lost is None:
        return
    calls = done.get(Job("calls", i, side=lost["side"]).key, {}).get("calls", [])
    judged = [c for c in calls if c["word"] in ("wrong", "close")]
    if not judged:
        return
    worst = max(judged, key=lambda c: (c["word"] == "wrong", c["loss"]))
    out[table.names[Seat.parse(worst["seat"])]].append({
        "table": i, "board": table.number, "kind": "call", "index": worst["index"],
        "seat": worst["seat"], "done": worst["done"], "cost": lost["imps"], "fault": lost["kind"],
        "best": [f"{lost['best']} {lost['by']}"] if lost["best"] else [], **_told(worst),
    })  # fmt: skip


def _told(verdict: Row) -> Row:
    return {k: verdict[k] for k in ("word", "better", "loss", "error", "worlds")}
