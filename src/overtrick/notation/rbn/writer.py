"""Records as RBN. What it has no label for is left out: other tags, tables, marks of quality."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import (
    PASS,
    Auction,
    Call,
    Card,
    Note,
    PartialDeal,
    Record,
    dealer_of,
)
from overtrick.notation.rbn.reader import REPEATED, SCORINGS, TAGS

_SCORING_LETTERS: Final = {name: letter for letter, name in SCORINGS.items()}
_VUL_LETTERS: Final = "ZNEB"
_MOST_NOTES: Final = 9  # a note is one digit


def write(records: Iterable[Record]) -> str:
    """All records, an empty line after each."""
    written: list[str] = []
    holding: set[str] = set()  # labels that would hold for the next deal as well
    for record in records:
        lines = _labels(record)
        said = {label for label, _ in lines}
        lines += [(label, "") for label in REPEATED if label in holding - said]
        lines.sort(key=lambda line: _ORDER.index(line[0]))
        holding = {label for label, value in lines if value and label in REPEATED}
        text = [f"{label} {value}".rstrip() for label, value in lines]
        calls, cards = _calls(record), _cards(record)
        after = {"A": calls.texts, "P": cards.texts}
        block: list[str] = []
        for (label, _), line in zip(lines, text, strict=True):
            block += [line, *(f"{n} {note}" for note, n in after.get(label, {}).items())]
        block += _comment(record.comment)
        written.append("\n".join(block) + "\n")
    return "\n".join(written)


_ORDER: Final = "DTLEFSKNBHACPRMI"


def _labels(record: Record) -> list[tuple[str, str]]:
    """Labels with their data; those without data are left out."""
    tags = record.tags
    scoring = tags.get("Scoring", "")
    found = {
        "D": _date(tags.get("Date", "")),
        **{label: tags.get(name, "") for label, name in TAGS.items()},
        "F": _SCORING_LETTERS.get(scoring, scoring),
        "N": _names(record),
        "B": _board(record),
        "H": _hands(record.deal),
        "A": _calls(record).text,
        "C": _contract(record),
        "P": _cards(record).text,
        "R": _result(record),
        "M": tags.get("RbnMakes", ""),
        "I": tags.get("RbnItems", ""),
    }
    flat = ((label, " ".join(value.split())) for label, value in found.items())
    return [(label, value) for label, value in flat if value]


@dataclass(slots=True)
class _Noted:
    """Calls or cards with the marks of their notes, and the number of every text."""

    text: str = ""
    texts: dict[str, int] = field(default_factory=dict)

    def add(self, word: str, note: Note | None) -> None:
        """One more call or card; a note beyond the last digit keeps its mark and loses its text."""
        self.text += word
        if note is None:
            return
        told = " ".join(note.text.split())
        if told and told not in self.texts and len(self.texts) < _MOST_NOTES:
            self.texts[told] = len(self.texts) + 1
        self.text += f"*{self.texts[told]}" if told in self.texts else "!"


def _calls(record: Record) -> _Noted:
    dealer = record.dealer
    if dealer is None and record.number is not None:
        dealer = dealer_of(record.number)
    auction = record.auction
    if auction is None and dealer is not None:
        auction = Auction(dealer)
    noted = _Noted()
    if auction is None or (record.auction is None and record.dealer is None and record.vul is None):
        return noted
    vul = "?" if record.vul is None else _VUL_LETTERS[record.vul]
    noted.text = f"{auction.dealer.letter}{vul}:"
    last = _closing(auction, record.call_notes)
    for i, call in enumerate(auction.calls[:last]):
        noted.add(":" if i and i % 4 == 0 else "", None)
        noted.add(_word(call), record.call_notes.get(i))
    if last < len(auction.calls):
        noted.add(":" if last % 4 == 0 else "", None)
        noted.text += "A"
    return noted


def _closing(auction: Auction, notes: Mapping[int, Note]) -> int:
    """Where the three passes begin that one letter stands for."""
    last = len(auction.calls) - 3
    if (
        not auction.is_over
        or auction.is_passed_out
        or any(i in notes for i in range(last, last + 3))
    ):
        return len(auction.calls)
    return last


def _word(call: Call) -> str:
    if call.is_bid:
        return call.ascii.replace("NT", "N")
    return "P" if call == PASS else {"X": "X", "XX": "R"}[call.ascii]


def _cards(record: Record) -> _Noted:
    """Tricks in playing order; a card of the suit led is its rank alone."""
    noted = _Noted()
    if record.play is None:
        return noted
    for i, card in enumerate(record.play.cards):
        led: Card = record.play.cards[i - i % 4]
        noted.add(":" if i and i % 4 == 0 else "", None)
        word = card.ascii if i % 4 == 0 or card.suit != led.suit else card.ascii[1:]
        noted.add(word, record.card_notes.get(i))
    return noted


def _hands(deal: PartialDeal | None) -> str:
    if deal is None:
        return ""
    return "N:" + ":".join(str(hand) if hand else "" for hand in deal.hands)


def _contract(record: Record) -> str:
    contract = record.contract
    if contract is None:
        return "P" if record.is_passed_out else ""
    doubled = ("", "X", "XX")[contract.doubled]
    return f"{contract.level}{contract.strain.letter[0]}{doubled}{contract.declarer.letter}"


def _result(record: Record) -> str:
    told = record.tags.get("RbnResult", "")
    if told or record.tricks is None or record.contract is None:
        return told
    return str(record.tricks)


def _board(record: Record) -> str:
    return record.tags.get("RbnBoard") or ("" if record.number is None else str(record.number))


def _names(record: Record) -> str:
    north, east, south, west = (re.sub(r"[:+]", "/", name) for name in record.names)
    room = record.tags.get("Room", "")
    room = {"Open": "O", "Closed": "C"}.get(room, room) or record.tags.get("Table", "")
    if not any((north, east, south, west, room)):
        return ""
    return f"{north}+{south}:{west}+{east}" + (f":{room}" if room else "")


def _date(text: str) -> str:
    """PBN's date without what is unknown."""
    found = re.fullmatch(r"(\d{4})\.(\d\d|\?\?)\.(\d\d|\?\?)", text)
    if found is None:
        return text
    year, month, day = found.groups()
    return year + ("" if "?" in month else month + ("" if "?" in day else day))


def _comment(text: str) -> list[str]:
    """A paragraph in braces; an empty line would end the deal, a brace the paragraph."""
    lines = [line.strip() for line in text.replace("}", ")").replace("{", "(").split("\n")]
    kept = [line for line in lines if line]
    return ["{" + "\n".join(kept) + "}"] if kept else []
