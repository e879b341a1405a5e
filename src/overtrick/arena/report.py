"""The reports of matches and tournaments: figures with errors, charts, what each engine did.
Each is one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from html import escape

from overtrick.arena.diff import Parting, partings_of
from overtrick.arena.job import Match
from overtrick.arena.page import (
    auction_table,
    deal_diagram,
    heat_map,
    page,
    suits,
    swing_chart,
    swing_histogram,
    table,
    tiles,
)
from overtrick.arena.profile import BANDS, Profile, profiles
from overtrick.arena.results import BoardResult, RoomResult
from overtrick.arena.standings import cross_table, standings
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.store import Store
from overtrick.arena.tournament import FinishedTournament
from overtrick.game import Contract
from overtrick.game.scoring import result_text

_SHOWN_SWINGS = 12
_SHOWN_RULINGS = 20


def summary_rows(job: Match, result: Estimate) -> list[tuple[str, str]]:
    """The figures every report begins with."""
    low, high = result.interval
    method = "double dummy" if job.method == "dd" else "played out"
    return [
        ("A", job.a),
        ("B", job.b),
        ("IMPs/board for A", f"{result.mean:+.3f} ± {result.error:.3f}"),
        ("95 % interval", f"{low:+.3f} … {high:+.3f}"),
        ("A is the better side", f"{100 * result.better:.1f} %"),
        ("A wins a 32-board match", f"{100 * result.wins_match(32):.1f} %"),
        ("Boards", f"{result.boards} in both rooms, {method}, {job.dealt}"),
    ]


def profile_rows(pair: tuple[Profile, Profile]) -> list[tuple[str, str, str]]:
    """Opening rates, doubles and times of both engines, side by side."""
    rows = []
    for k, (low, high) in enumerate(BANDS):
        label = f"opens with {low}+ hcp" if high == 37 else f"opens with {low}–{high} hcp"
        rows.append((label, *(_percent(p.opening_rates()[k]) for p in pair)))
    rows.append(("contracts declared", *(str(p.declared) for p in pair)))
    rows.append(("of them made", *(_share(p.made, p.declared) for p in pair)))
    rows.append(("doubled", *(_share(p.doubled, p.declared) for p in pair)))
    rows.append(("doubled and made", *(_share(p.doubled_made, p.doubled) for p in pair)))
    rows.append(("director's rulings", *(str(p.rulings) for p in pair)))
    rows.append(("ms per call, median", *(_time(p.calls.quantile(0.5)) for p in pair)))
    rows.append(("ms per call, 99th of 100", *(_time(p.calls.quantile(0.99)) for p in pair)))
    rows.append(("ms per call, most", *(_time(p.calls.most) for p in pair)))
    if any(p.cards.count for p in pair):
        rows.append(("ms per card, median", *(_time(p.cards.quantile(0.5)) for p in pair)))
        rows.append(("ms per card, 99th of 100", *(_time(p.cards.quantile(0.99)) for p in pair)))
        rows.append(("ms per card, most", *(_time(p.cards.most) for p in pair)))
    return [(r[0], r[1], r[2]) for r in rows]


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "–"


def _time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "–"
    return f"{milliseconds:.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"


def markdown(store: Store, result: Estimate) -> str:
    """The report as Markdown, for docs/results.md."""
    job = store.job
    pair = profiles(store.results(result.boards), job.a, job.b)
    lines = ["| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in summary_rows(job, result)]
    lines += ["", "| | A | B |", "|---|---|---|"]
    lines += [f"| {name} | {a} | {b} |" for name, a, b in profile_rows(pair)]
    return "\n".join(lines) + "\n"


def html(store: Store, last: int | None = None, why: bool = False) -> str:
    """The whole report of a match as one page; boards are read one at a time.

    `why` plays the boards with the biggest swings again, to say what each engine was thinking
    where the two tables parted.
    """
    job = store.job
    scores: list[int] = []
    rulings: list[tuple[str, str, str]] = []
    for r in store.results(last):
        scores.append(r.imps)
        for room, result in (("open", r.open), ("closed", r.closed)):
            if len(rulings) < _SHOWN_RULINGS:
                rulings += [(str(r.number), room, text) for text in result.rulings]
    found = estimate(scores)
    pair = profiles(store.results(last), job.a, job.b)
    swings = (r for r in store.results(last) if r.imps)
    shown = nlargest(_SHOWN_SWINGS, swings, key=lambda r: (abs(r.imps), -r.number))
    reasons = {p.board.number: p for p in partings_of(store, shown)} if why else {}
    parts = [
        f"<h1><span class=a>{escape(job.a)}</span> <span class=soft>against</span> "
        f"<span class=b>{escape(job.b)}</span></h1>",
        _tiles(job, found, sum(scores)),
        "<h2>The match, board by board</h2>",
        swing_chart(scores),
        "<p class='soft small'>Running total of IMPs for A. The grey band holds 95 % of what equal "
        "sides would show by luck alone.</p>",
        swing_histogram(scores),
        "<h2>What each engine did</h2>",
        table(("", f"A: {job.a}", f"B: {job.b}"), profile_rows(pair)),
        "<h2>Contracts declared</h2>",
        f"<div class=pair>{''.join(heat_map(p.name, p.contracts) for p in pair)}</div>",
        *_ruling_section(rulings, pair),
        "<h2>Biggest swings</h2>" if shown else "<h2>No swings</h2>",
        *(_board_section(r, reasons.get(r.number)) for r in shown),
    ]
    return page(f"{job.a} – {job.b}", parts)


def _tiles(job: Match, result: Estimate, total: int) -> str:
    low, high = result.interval
    method = "double-dummy scores" if job.method == "dd" else "played out"
    return tiles(
        [
            ("IMPs a board for A ± standard error", f"{result.mean:+.3f} ± {result.error:.3f}"),
            ("95 % interval", f"{low:+.2f} … {high:+.2f}"),
            ("probability that A is the better side", f"{100 * result.better:.1f} %"),
            ("A's chance in a match of 32 boards", f"{100 * result.wins_match(32):.0f} %"),
            ("IMPs in all for A", f"{total:+d}"),
            (f"boards in both rooms, {method}, {job.dealt}", f"{result.boards:,}"),
        ]
    )


def _ruling_section(
    rulings: Sequence[tuple[str, str, str]], pair: tuple[Profile, Profile]
) -> list[str]:
    total = sum(p.rulings for p in pair)
    if not total:
        return []
    more = f"<p class='soft small'>The first {len(rulings)} of {total}.</p>"
    return ["<h2>The director's rulings</h2>", table(("board", "room", "ruling"), rulings), more]


def _board_section(result: BoardResult, parting: Parting | None = None) -> str:
    board = result.board()
    side = "a" if result.imps > 0 else "b"
    head = (
        f"<h3>Board {result.number} <span class={side}>{result.imps:+d} IMPs for A</span> "
        f"<span class='soft small'>dealer {board.dealer}, vulnerable {board.vul}</span></h3>"
    )
    rooms = "".join(
        auction_table(name, room.auction(board.dealer), _result(room))
        for name, room in (("Open room, A North–South", result.open),
                           ("Closed room, B North–South", result.closed))
    )  # fmt: skip
    inside = f"{deal_diagram(board)}{rooms}"
    reasons = "" if parting is None else _reasons(parting)
    return f"<div class=board>{head}<div class='inside scroll'>{inside}</div>{reasons}</div>"


def _reasons(parting: Parting) -> str:
    """What each table did where they parted, and what it said about it."""
    lines = []
    for room, decision in (("open", parting.open), ("closed", parting.closed)):
        words, why = decision.meaning.words, decision.why
        more = f" <span class=soft>{suits(why)}</span>" if why and why != words else ""
        lines.append(f"<b>{suits(str(decision.action))}</b> ({room}): {suits(words)}{more}")
    if parting.index == 0:
        where = "Parted at the first call."
    elif parting.index < 12:
        where = f"Parted after {suits(parting.before)}."
    else:
        where = f"Parted at action {parting.index + 1}."
    shown = "<br>".join(lines)
    return f"<p class=small><span class=soft>{where}</span><br>{shown}</p>"


def _result(room: RoomResult) -> str:
    """'4♠ South =, 420' with the score for North-South."""
    if not room.contract:
        return "<b>passed out</b>"
    contract = Contract.parse(room.contract)
    made = result_text(contract, room.tricks) if room.tricks is not None else ""
    return f"<b>{suits(str(contract))} {made}</b> <span class=soft>N–S {room.score:+d}</span>"


def tournament_html(played: FinishedTournament) -> str:
    """The report of a tournament: the table, who beat whom, every match."""
    t = played.tournament
    rows = standings(played)
    numbers = {engine: i for i, engine in enumerate(t.engines)}
    cells = cross_table(played)
    unit = {"pairs": "matchpoints %", "ladder": "rung"}.get(t.kind, "victory points")
    places = table(
        ("engine", "place", unit, "won", "drawn", "matches", "IMPs/board ± error"),
        [
            (r.engine, str(r.place), f"{r.points:g}", str(r.won), str(r.drawn), str(r.matches),
             f"{r.rating:+.3f} ± {r.error:.3f}")
            for r in rows
        ],
    )  # fmt: skip
    cross = table(
        ("IMPs against", *(r.engine for r in rows)),
        [
            (r.engine, *(cells[numbers[r.engine]][numbers[o.engine]] or "–" for o in rows))
            for r in rows
        ],
    )
    matches = table(
        ("match", "round", "IMPs", "victory points"),
        [
            (f"{t.engines[e.a]} – {t.engines[e.b]}", str(e.round + 1), f"{e.imps:+d}",
             "{:.2f} – {:.2f}".format(*e.victory_points))
            for e in played.encounters
        ],
    )  # fmt: skip
    method = "double-dummy scores" if t.method == "dd" else "played out"
    dealt = t.match(0, 0, 1).dealt
    head = f"{len(t.engines)} engines, {t.boards} boards a match, {method}, {dealt}"
    parts = [
        f"<h1>{t.kind.capitalize()}</h1><p class=soft>{escape(head)}. The last column rates an "
        "engine against the average of the field, from all boards at once.</p>",
        places,
        "<h2>Who beat whom</h2>",
        cross,
        "<h2>Matches</h2>",
        matches,
    ]
    return page(f"{t.kind} of {len(t.engines)} engines", parts)
