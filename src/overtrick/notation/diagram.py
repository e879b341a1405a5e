"""Hand diagrams and auction tables in plain text with suit symbols.
HTML and SVG come from `notation.pictures`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from overtrick.game import Auction, Board, Hand, Note, PartialDeal, Record, Seat, Vulnerability
from overtrick.game.cards import SUIT_SYMBOLS
from overtrick.game.errors import printable
from overtrick.game.scoring import result_text
from overtrick.notation.pictures import html_board, html_deal, html_record, svg_deal

__all__ = [
    "hand_lines", "html_board", "html_deal", "html_record", "side_by_side", "svg_deal",
    "text_auction", "text_board", "text_deal", "text_record",
]  # fmt: skip
_VUL_WORDS = ("None vulnerable", "N-S vulnerable", "E-W vulnerable", "All vulnerable")


def hand_lines(hand: Hand) -> list[str]:
    """Four lines, spades first; a void is a dash."""
    return [f"{SUIT_SYMBOLS[s]} {hand.ranks(s) or '–'}" for s in (3, 2, 1, 0)]


def side_by_side(deal: PartialDeal, seats: Sequence[Seat]) -> list[str]:
    """Some hands next to each other, with a blank line after them."""
    columns = [[str(seat), *hand_lines(deal[seat])] for seat in seats]
    width = max((len(line) for column in columns for line in column), default=0) + 3
    rows = zip(*columns, strict=True)
    return ["".join(cell.ljust(width) for cell in row).rstrip() for row in rows] + [""]


def text_deal(deal: PartialDeal, corner: Sequence[str] = ()) -> str:
    """The four hands around a compass; `corner` are lines for the upper left.

    >>> from overtrick.game import Deal
    >>> print(text_deal(Deal.random(7)).splitlines()[0].strip()[0])
    ♠
    """
    north, east, south, west = (hand_lines(deal[seat]) if deal[seat] else [""] * 4 for seat in Seat)
    left = max(14, *(len(line) + 3 for line in (*west, *corner)))
    middle = max(16, *(len(line) + 3 for line in (*north, *south)))
    compass = ["┌───N───┐", "│       │", "W       E", "│       │", "└───S───┘"]
    head = [*corner, *[""] * 4][: max(4, len(corner))]
    above = [*north, *[""] * (len(head) - 4)]
    lines = [a.ljust(left) + b for a, b in zip(head, above, strict=True)]
    sides = zip([*west, ""], compass, [*east, ""], strict=True)
    lines += [w.ljust(left) + c.ljust(middle) + e for w, c, e in sides]
    lines += [" " * left + line for line in south]
    return "\n".join(line.rstrip() for line in lines)


def text_board(board: Board) -> str:
    """A deal with its number, dealer and vulnerability."""
    corner = [f"Board {board.number}", f"Dealer {board.dealer}", _VUL_WORDS[board.vul]]
    return text_deal(board.deal, corner)


def text_auction(auction: Auction, notes: Mapping[int, Note] | None = None) -> str:
    """Columns West, North, East, South; explained calls are numbered below."""
    notes = notes or {}
    seats = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    cells = [""] * seats.index(auction.dealer)
    explained: list[str] = []
    for i, call in enumerate(auction.calls):
        word, note = str(call), notes.get(i)
        if note is not None and (note.text or note.alert):
            explained.append(f"{len(explained) + 1}. {word}: {note.text or 'alerted'}")
            word += f"({len(explained)})"
        cells.append(word)
    if not auction.is_over:
        cells.append("?")
    width = max(8, *(len(cell) + 2 for cell in cells)) if cells else 8
    lines = ["".join(str(seat).ljust(width) for seat in seats).rstrip()]
    for start in range(0, len(cells), 4):
        lines.append("".join(c.ljust(width) for c in cells[start : start + 4]).rstrip())
    return "\n".join([*lines, *explained])


def text_record(record: Record) -> str:
    """Everything a record knows: hands, auction, result, tricks."""
    corner = [f"Board {record.number}"] if record.number is not None else []
    corner += [f"Dealer {record.dealer}"] if record.dealer is not None else []
    corner += [_VUL_WORDS[Vulnerability(record.vul)]] if record.vul is not None else []
    parts = [
        text_deal(record.deal, corner) if record.deal is not None else "\n".join(corner),
        "  ".join(f"{s}: {record.names[s]}" for s in Seat if record.names[s]),
        text_auction(record.auction, record.call_notes) if record.auction is not None else "",
        _text_result(record),
        _text_tricks(record),
    ]
    text = "\n\n".join(p for p in parts if p)
    # Names and notes come from files: nothing in them may move the cursor of a terminal.
    return "\n".join(printable(line, len(line)) for line in text.split("\n"))


def _text_result(record: Record) -> str:
    if record.is_passed_out:
        return "Passed out"
    if record.contract is None:
        return ""
    result = result_text(record.contract, record.tricks) if record.tricks is not None else ""
    points = f", N-S {record.ns_score:+d}" if record.ns_score is not None else ""
    return f"{record.contract} {result}".rstrip() + points


def _text_tricks(record: Record) -> str:
    tricks = record.play.tricks() if record.play is not None else ()
    return "\n".join(
        f"{i:>2}. {t.leader.letter}: " + " ".join(str(c) for c in t.cards)
        for i, t in enumerate(tricks, 1)
    )
