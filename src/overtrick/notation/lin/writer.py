"""Writes LIN: unchanged boards as they were read, others afresh, one board a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from overtrick.game import CALLS, Call, Deal, Hand, Note, Record
from overtrick.notation.lin.reader import EVENT_TAG, ORDER, RESULTS_TAG, LinBoard, record_of
from overtrick.notation.reading import Warnings

_DIGIT: Final = "3412"  # dealer digits of N, E, S, W
_CALL_NAMES: Final = ("p", "d", "r", *(c.ascii.replace("NT", "N") for c in CALLS[3:]))


def write(records: Iterable[Record], layout: Literal["keep", "export"] = "keep") -> str:
    """A LIN text: unchanged boards as they were read, others afresh, one board a line."""
    parts: list[str] = []
    header = ""
    many = list(records)
    # A single board is what the hand viewer takes, which knows no rooms.
    rooms = len(many) > 1 and any("Room" in record.tags for record in many)
    for record in many:
        board = record.source if isinstance(record.source, LinBoard) else None
        if board is not None and layout == "keep" and _same(record, board):
            if board.header and board.header != header:
                header = board.header
                parts.append(header)
            parts.append(board.text)
        else:
            if parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            known = _header(record)
            if known and known not in parts:
                parts.append(known)
            parts.append((_place(record) if rooms else "") + board_text(record) + "\n")
    return "".join(parts)


def _place(record: Record) -> str:
    """Room and board, with which each board of a vugraph file begins."""
    room = record.tags.get("Room", "")[:1].lower()
    return f"qx|{room}{record.number or ''}|"


def _header(record: Record) -> str:
    """The first lines of a vugraph file, when the record knows them."""
    named = (("vg", record.tags.get(EVENT_TAG, "")), ("rs", record.tags.get(RESULTS_TAG, "")))
    return "".join(f"{tag}|{_word(value)}|\n" for tag, value in named if value)


def _same(record: Record, board: LinBoard) -> bool:
    return record_of(board, Warnings(board.text), 0) == record


def board_text(record: Record) -> str:
    """One board on one line, as the handviewer takes it."""
    names = [_word(record.names[seat]).replace(",", " ") for seat in ORDER]
    out = ["pn|" + ",".join(names) + "|st||"]
    digit = "0" if record.dealer is None else _DIGIT[record.dealer]
    hands = ["", "", "", ""] if record.deal is None else [_hand(record.deal[s]) for s in ORDER]
    if isinstance(record.deal, Deal) and record.deal.is_complete:
        hands[3] = ""
    out.append(f"md|{digit}{','.join(hands)}|rh||")
    title = record.tags.get("Title", "")
    if record.number is not None:
        title = f"Board {record.number}"
    if title:
        out.append(f"ah|{_word(title)}|")
    if record.vul is not None:
        out.append(f"sv|{'oneb'[record.vul]}|")
    if record.comment:
        out.append(f"nt|{_word(record.comment)}|pg||")
    if record.auction is not None:
        for i, call in enumerate(record.auction.calls):
            out.append(_call(call, record.call_notes.get(i)))
        out.append("pg||")
    out += _cards(record)
    return "".join(out)


def _call(call: Call, note: Note | None) -> str:
    text = f"mb|{_CALL_NAMES[call]}"
    if note is None:
        return text + "|"
    text += "!|" if note.alert else "|"
    if note.text:
        text += f"an|{_word(note.text)}|"
    if note.comment:
        text += f"nt|{_word(note.comment)}|pg||"
    return text


def _cards(record: Record) -> list[str]:
    if record.play is None:
        return []
    out: list[str] = []
    for i, card in enumerate(record.play.cards):
        out.append(f"pc|{card.ascii}|")
        note: Note | None = record.card_notes.get(i)
        said = "\n".join(t for t in (note.text, note.comment) if t) if note is not None else ""
        if said:
            out.append(f"nt|{_word(said)}|")
        if i % 4 == 3:
            out.append("pg||")
    if record.claimed and record.tricks is not None:
        out.append(f"mc|{record.tricks}|")
    return out


def _hand(hand: Hand) -> str:
    return "".join("SHDC"[3 - s] + hand.ranks(s) for s in (3, 2, 1, 0)) if hand else ""


def _word(text: str) -> str:
    """A value cannot hold the separator."""
    return text.replace("|", "/")
