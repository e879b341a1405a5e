"""Hand diagrams as SVG and HTML: four-colour suits, compass, auction, tricks, notes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from overtrick.game import (
    Auction,
    Board,
    Call,
    Candidate,
    Card,
    Decision,
    Hand,
    Note,
    PartialDeal,
    Play,
    Record,
    Seat,
)
from overtrick.game.cards import SUIT_SYMBOLS
from overtrick.game.scoring import result_text

SUIT_COLOURS: Final = ("#14803c", "#d96a00", "#cf1f2e", "#1f3fb4")  # ♣ ♦ ♥ ♠
_FONT: Final = "font-family='Segoe UI,Helvetica Neue,Arial,DejaVu Sans,sans-serif'"
_INK, _FAINT, _FELT, _VUL, _SAFE = "#1d2530", "#6b7684", "#1c6b4a", "#d43f3f", "#f4f1e6"
_LINE: Final = "1px solid #ded8c6"
_WIDTH, _HEIGHT = 520, 372
_LISTED: Final = 16  # boards or warnings of a file that are shown
# Upper left corner of each hand's block, N, E, S, W.
_CORNER: Final = ((196, 22), (356, 136), (196, 262), (24, 136))
_CODE: Final = re.compile(r"[\\!]([SHDCshdc])(?![A-Za-z])")


def html_deal(deal: PartialDeal) -> str:
    """The four hands for a notebook."""
    return panel(svg_deal(deal))


def html_board(board: Board) -> str:
    """The four hands with number, dealer and vulnerability."""
    return panel(_svg(board.deal, Record(board.number, board.dealer, board.vul, board.deal)))


def html_record(record: Record) -> str:
    """Hands, auction with explanations, contract and result, tricks, remarks."""
    left = _svg(record.deal, record) if record.deal is not None else ""
    right: list[str] = []
    event = record.tags.get("Event", "")
    if event and event != "?":
        style = f"color:{_FAINT};margin-bottom:6px;max-width:320px"
        right.append(f"<div style='{style}'>{escape(event)}</div>")
    if record.auction is not None:
        right.append(_auction(record.auction, record.call_notes, record.names))
    right.append(_outcome(record))
    below = _tricks(record.play, record.card_notes) if record.play is not None else ""
    if record.comment.strip():
        drawn = ";font-family:monospace" if "    " in record.comment else ""  # columns of spaces
        style = f"margin-top:10px;white-space:pre-wrap{drawn}"
        below += f"<div style='{style}'>{_words(record.comment)}</div>"
    top = (
        "<div style='display:flex;flex-wrap:wrap;gap:18px;align-items:flex-start'>"
        f"<div>{left}</div><div style='padding-top:8px'>{''.join(right)}</div></div>"
    )
    return panel(top + below)


def html_hand(hand: Hand) -> str:
    """One hand on a line, suits in colour."""
    suits = (f"{_suit(s)}{hand.ranks(s).replace('T', '10') or '–'}" for s in (3, 2, 1, 0))
    return f"<span style='font-size:16px;letter-spacing:1px'>{' &nbsp; '.join(suits)}</span>"


def html_auction(auction: Auction) -> str:
    """The auction in columns, West to the left."""
    return panel(_auction(auction, {}, ("",) * 4))


def html_play(play: Play) -> str:
    """The tricks so far, one column each."""
    inside = _tricks(play, {}) or f"No card has been played; {play.turn} leads"
    return panel(inside)


def html_lines(text: str) -> str:
    """Words, a line for each of theirs."""
    return panel("<br>".join(_words(line) for line in text.split("\n")))


def html_loaded(records: Sequence[Record], warnings: Sequence[str]) -> str:
    """What a file held, a line for each of its first boards, and what was wrong with it."""
    shown = []
    for record in records[:_LISTED]:
        names = ", ".join(escape(name) for name in record.names if name)
        said = [
            f"<b>{'–' if record.number is None else record.number}</b>",
            _outcome(record),
            names,
        ]
        cells = "".join(f"<td style='padding:2px 14px 2px 0;border:0'>{c}</td>" for c in said)
        shown.append(f"<tr style='background:none;text-align:left'>{cells}</tr>")
    more = len(records) - len(shown)
    end = [f"and {more} more boards"] if more else []
    end += [_words(w) for w in warnings[:_LISTED]]
    end += [f"and {len(warnings) - _LISTED} more warnings"] if len(warnings) > _LISTED else []
    count = f"{len(records)} board" + ("" if len(records) == 1 else "s")
    return panel(
        f"<div>{count}</div><table style='border-collapse:collapse'>{''.join(shown)}</table>"
        f"<div style='color:{_FAINT}'>{'<br>'.join(end)}</div>"
    )


def html_decision(decision: Decision) -> str:
    """The action, what it means and why, and what else was considered."""
    shown = _action(decision.action)
    meaning = decision.meaning
    ranges = f" <span style='color:{_FAINT}'>[{_words(meaning.ranges())}]</span>"
    top = f"<b style='font-size:17px'>{shown}</b> &nbsp; {_words(meaning.words)}"
    top += ranges if meaning.ranges() else ""
    why = f"<div style='margin-top:4px'>{_words(decision.why)}</div>" if decision.why else ""
    style = "padding:2px 14px 2px 0;text-align:left;border:0;background:none"
    rows = "".join(
        f"<tr style='background:none'><td style='{style}'>{_action(c.action)}</td>"
        f"<td style='{style}'>{_valued(c)}</td><td style='{style}'>{_words(c.note)}</td></tr>"
        for c in decision.candidates
    )
    table = f"<table style='border-collapse:collapse;margin-top:8px'>{rows}</table>" if rows else ""
    end = f"{decision.worlds} deals imagined, " if decision.worlds else ""
    end += f"{escape(decision.engine)}, {decision.milliseconds:.0f} ms"
    end += ", stopped by the clock" if decision.cut else ""
    return panel(f"{top}{why}{table}<div style='color:{_FAINT};margin-top:6px'>{end}</div>")


def _action(action: Call | Card) -> str:
    return _call(action) if isinstance(action, Call) else _card(action)


def _valued(candidate: Candidate) -> str:
    if candidate.value is None:
        return ""
    error = f" ± {candidate.error:.2f}" if candidate.error else ""
    return f"{candidate.value:+.2f}{error}"


def svg_deal(deal: PartialDeal) -> str:
    """The four hands around a compass as a stand-alone SVG picture."""
    return _svg(deal, Record(deal=deal))


def panel(inside: str) -> str:
    """Its own light panel, so that it can be read on a dark page too."""
    return (
        f"<div style='display:inline-block;background:#fffdf7;border:{_LINE};"
        f"border-radius:10px;padding:12px 16px;color:{_INK};"
        "font:14px/1.45 Segoe UI,Helvetica Neue,Arial,DejaVu Sans,sans-serif'>"
        f"{inside}</div>"
    )


def _svg(deal: PartialDeal | None, record: Record) -> str:
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDTH}' height='{_HEIGHT}' "
        f"viewBox='0 0 {_WIDTH} {_HEIGHT}' {_FONT} role='img' "
        f"aria-label='{escape(_spoken(deal), quote=True)}'>",
        f"<rect width='{_WIDTH}' height='{_HEIGHT}' rx='8' fill='#fffdf7'/>",
    ]
    lines = [] if record.number is None else [f"Board {record.number}"]
    lines += [] if record.dealer is None else [f"Dealer {record.dealer}"]
    lines += [] if record.vul is None else [f"Vul {record.vul}"]
    for i, line in enumerate(lines):
        weight, colour = ("600", _INK) if i == 0 else ("400", _FAINT)
        parts.append(
            f"<text x='24' y='{38 + 20 * i}' font-size='14' font-weight='{weight}' "
            f"fill='{colour}'>{line}</text>"
        )
    parts.append(_compass(record))
    for seat in Seat:
        if deal is not None and deal[seat]:
            parts.append(_hand(deal[seat], _CORNER[seat], record.names[seat]))
    parts.append("</svg>")
    return "".join(parts)


def _compass(record: Record) -> str:
    """A card table: red edges are vulnerable sides, the dealer's letter is filled in."""
    x, y, size = 200, 136, 108
    out = [f"<rect x='{x}' y='{y}' width='{size}' height='{size}' rx='10' fill='{_FELT}'/>"]
    middle, near, far = size / 2, 20, size - 20
    places = ((middle, near), (far, middle), (middle, far), (near, middle))
    edges = ((22, 0, 64, 5), (size - 5, 22, 5, 64), (22, size - 5, 64, 5), (0, 22, 5, 64))
    for seat in Seat:
        (px, py), (ex, ey, w, h) = places[seat], edges[seat]
        if record.vul is not None:
            colour = _VUL if record.vul.of(seat) else _SAFE
            out.append(
                f"<rect x='{x + ex}' y='{y + ey}' width='{w}' height='{h}' rx='2' fill='{colour}'/>"
            )
        deals = record.dealer == seat
        if deals:
            out.append(f"<circle cx='{x + px}' cy='{y + py}' r='11' fill='{_SAFE}'/>")
        out.append(
            f"<text x='{x + px}' y='{y + py + 5.2}' text-anchor='middle' font-size='15' "
            f"font-weight='600' fill='{_FELT if deals else '#fff'}'>{seat.letter}</text>"
        )
    return "".join(out)


def _hand(hand: Hand, corner: tuple[int, int], name: str) -> str:
    x, y = corner
    title = escape(name if len(name) <= 18 else name[:17] + "…")
    out = [f"<text x='{x}' y='{y}' font-size='12.5' fill='{_FAINT}'>{title}</text>"] if name else []
    for i, suit in enumerate((3, 2, 1, 0)):
        ranks = hand.ranks(suit).replace("T", "10") or "–"
        baseline = y + 20 + 21 * i
        out.append(
            f"<text x='{x}' y='{baseline}' font-size='17' fill='{SUIT_COLOURS[suit]}'>"
            f"{SUIT_SYMBOLS[suit]}</text>"
            f"<text x='{x + 20}' y='{baseline}' font-size='16' fill='{_INK}' "
            f"letter-spacing='1.6'>{ranks}</text>"
        )
    return "".join(out)


def _spoken(deal: PartialDeal | None) -> str:
    """For screen readers."""
    if deal is None:
        return "no cards"
    names = ("clubs", "diamonds", "hearts", "spades")
    hands = []
    for seat in Seat:
        suits = (f"{names[s]} {' '.join(deal[seat].ranks(s)) or 'none'}" for s in (3, 2, 1, 0))
        if deal[seat]:
            hands.append(f"{seat} {', '.join(suits)}")
    return "; ".join(hands)


def _suit(suit: int) -> str:
    return f"<span style='color:{SUIT_COLOURS[suit]}'>{SUIT_SYMBOLS[suit]}</span>"


def _call(call: Call) -> str:
    if call < 3:
        colour = (_FAINT, "#b3261e", "#1f3fb4")[call]
        return f"<span style='color:{colour}'>{('Pass', 'X', 'XX')[call]}</span>"
    return f"{call.level}{'NT' if call.strain == 4 else _suit(call.strain)}"


def _card(card: Card) -> str:
    return _suit(card.suit) + card.ascii[1].replace("T", "10")


def _words(text: str) -> str:
    """Escaped text in which `\\S` or `!s` are suit symbols."""
    return _CODE.sub(lambda m: _suit("CDHS".index(m[1].upper())), escape(text))


def _auction(auction: Auction, notes: Mapping[int, Note], names: tuple[str, ...]) -> str:
    seats = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    cells = [""] * seats.index(auction.dealer)
    explained: list[str] = []
    for i, call in enumerate(auction.calls):
        cell, note = _call(call), notes.get(i)
        if note is not None and (note.text or note.alert):
            text = _words(note.text) if note.text else "alerted"
            number = len(explained) + 1
            explained.append(f"<div><sup style='line-height:0'>{number}</sup> {text}</div>")
            cell += f"<sup style='color:{_FAINT};line-height:0'>{number}</sup>"
        cells.append(cell)
    if not auction.is_over:
        cells.append("?")
    style = "padding:3px 16px 3px 0;text-align:left;min-width:44px;border:0;background:none"
    top = f"{style};font-weight:600;border-bottom:{_LINE}"
    head = "".join(f"<th style='{top}'{_title(names[seat])}>{seat}</th>" for seat in seats)
    rows = "".join(
        "<tr style='background:none'>"
        + "".join(f"<td style='{style}'>{c}</td>" for c in cells[i : i + 4])
        + "</tr>"
        for i in range(0, len(cells), 4)
    )
    texts = f"<div style='margin-top:6px;color:{_FAINT};max-width:300px'>{''.join(explained)}</div>"
    return (
        "<table style='border-collapse:collapse;font-size:15px;margin:0'>"
        f"<tr>{head}</tr>{rows}</table>" + (texts if explained else "")
    )


def _title(name: str) -> str:
    return f" title='{escape(name, quote=True)}'" if name else ""


def _outcome(record: Record) -> str:
    if record.is_passed_out:
        return "<div style='margin-top:10px;font-weight:600'>Passed out</div>"
    contract = record.contract
    if contract is None:
        return ""
    strain = "NT" if contract.strain == 4 else _suit(contract.strain)
    said = f"{contract.level}{strain}{'X' * contract.doubled} by {contract.declarer}"
    if record.tricks is not None:
        said += f" {escape(result_text(contract, record.tricks))}"
    if record.ns_score is not None:
        said += f" <span style='color:{_FAINT};font-weight:400'>N-S {record.ns_score:+d}</span>"
    return f"<div style='margin-top:10px;font-weight:600;font-size:16px'>{said}</div>"


def _tricks(play: Play, notes: Mapping[int, Note]) -> str:
    """One column a trick, one row a seat; the winner's card is shaded, the leader's underlined."""
    tricks = list(play.tricks())
    if not tricks:
        return ""
    style = "padding:2px 7px;text-align:center;border:0;min-width:26px"
    faint = f"{style};color:{_FAINT};font-weight:400"
    head = "".join(f"<th style='{faint}'>{i}</th>" for i in range(1, len(tricks) + 1))
    rows: list[str] = []
    for seat in Seat:
        cells = [f"<th style='{style};font-weight:600'>{seat.letter}</th>"]
        for number, trick in enumerate(tricks):
            card = trick.card_of(seat)
            won = len(trick.cards) == 4 and trick.winner(play.strain) == seat
            mark = "background:#e4efe2;border-radius:4px;" if won else ""
            mark += "text-decoration:underline;" if trick.leader == seat else ""
            note = notes.get(4 * number + (seat - trick.leader) % 4)
            said = "" if note is None or card is None else note.text or note.comment
            shown = _card(card) if card is not None else ""
            cells.append(f"<td style='{style};{mark}'{_title(said)}>{shown}</td>")
        rows.append(f"<tr style='background:none'>{''.join(cells)}</tr>")
    return (
        f"<div style='margin-top:12px;border-top:{_LINE};padding-top:8px;overflow-x:auto'>"
        "<table style='border-collapse:collapse;font-size:13.5px;margin:0'>"
        f"<tr><th></th>{head}</tr>{''.join(rows)}</table></div>"
    )
