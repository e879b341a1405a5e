"""The auction section of a PBN game, and what sections share: tokens, notes, glyphs, warnings.
The quick path is a section of plain calls."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import (
    CALLS,
    DECK,
    Auction,
    Note,
    Seat,
)
from overtrick.game.auction import of_calls
from overtrick.game.errors import BridgeError
from overtrick.notation.pbn.document import PbnGame, PbnTag
from overtrick.notation.reading import Warnings, shorten

SEATS: Final = {letter: Seat(i & 3) for i, letter in enumerate("NESWnesw")}
SUFFIXES: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SPELLINGS: Final = {
    **{c.ascii: c for c in CALLS},
    **{c.ascii.removesuffix("T"): c for c in CALLS if c.ascii.endswith("NT")},
    "P": CALLS[0], "D": CALLS[1], "DBL": CALLS[1], "R": CALLS[2], "RDBL": CALLS[2],
}  # fmt: skip
_CALLS: Final[dict[str, int]] = {
    form: int(call)
    for text, call in _SPELLINGS.items()
    for form in (text, text.upper(), text.lower(), text.capitalize())
}
# Plain ints: twice as quick to calculate with as the cards and calls they number.
CARDS: Final[dict[str, int]] = {
    form: int(card)
    for card in DECK
    for text in ({card.ascii, card.ascii[0] + "10"} if card.ascii[1] == "T" else {card.ascii})
    for form in (text, text.lower(), text[0].lower() + text[1:], text[0] + text[1:].lower())
}
TOKEN: Final = re.compile(
    r"=(?P<note>\d{1,6})=\Z|\$(?P<nag>\d{1,6})\Z|(?P<mark>!!|\?\?|!\?|\?!|!|\?)\Z|(?P<odd>\^[A-Za-z])\Z"
)
_GLUED: Final = re.compile(r"(\^[A-Za-z])?([^=$!?^]+)?([!?]{1,2})?((?:=\d{1,6}=|\$\d{1,6})*)\Z")
_TAIL: Final = re.compile(r"=\d{1,6}=|\$\d{1,6}")


@dataclass(slots=True)
class Section:
    """A section tag, its tokens and the notes that follow it."""

    tag: PbnTag
    tokens: tuple[str, ...]
    notes: dict[int, str] = field(default_factory=dict)
    unread_notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Places:
    """Warns about tags of a game by their number; finds out where they stand only once."""

    game: PbnGame
    warnings: Warnings
    starts: list[int] | None = None

    def warn(self, place: int, message: str) -> None:
        if self.warnings.full:
            return
        if self.starts is None:
            self.starts = [a for a, _ in self.game.spans()]
        inside = self.starts[place] if place < len(self.starts) else 0
        self.warnings.at(self.game.start + inside, message)


@dataclass(slots=True)
class GameReading:
    """What is gathered while one game is read.

    `kept` are raw values that a record's field cannot hold; `odd` names the sections that say
    more than the record does (irregularities, gaps, stray notes): a writer copies those.
    """

    game: PbnGame
    places: Places
    kept: dict[str, str] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    tables: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    odd: set[str] = field(default_factory=set)

    def warn(self, name: str, message: str, place: int | None = None) -> None:
        """Warn about the tag at `place`, or the first one of that name."""
        if place is None:
            names = [name for name, _, _ in self.game.raw]
            place = names.index(name) if name in names else 0
        self.places.warn(place, message)

    def keep(self, name: str, value: str, message: str) -> None:
        self.kept[name] = value
        if message:
            self.warn(name, message)

    def seat(self, name: str, value: str | None) -> Seat | None:
        if value is None or value in ("", "?"):
            return None
        seat = SEATS.get(value)
        if seat is None:
            self.keep(name, value, f"no such seat: {shorten(value)}")
        return seat

    def outside(self, item: str, place: int) -> None:
        """A comment, an escape line or a stray word outside the sections."""
        if item[0] in "{;":
            self.comments.append(comment_text(item))
        elif item[0] != "%":
            self.warn("", f"stray text: {shorten(item)}", place)

    def table(self, name: str, head: str, items: tuple[str, ...]) -> None:
        width = head.count(";") + 1
        words = [i for i in items if i[0] not in "{;%"]
        if len(words) != len(items):
            self.odd.add(name)
            for item in items:
                if item[0] in "{;":
                    self.comments.append(comment_text(item))
        if len(words) % width:
            self.warn(name, f"{len(words)} entries do not fill rows of {width} columns")
        self.tables[name] = tuple(tuple(words[i : i + width]) for i in range(0, len(words), width))


class Notes:
    """Notes under construction: texts, glyphs and comments by call or card number."""

    def __init__(self, section: Section, reading: GameReading, base: int) -> None:
        self.section, self.reading, self.base = section, reading, base
        self.texts: dict[int, list[str]] = {}
        self.nags: dict[int, set[int]] = {}
        self.comments: dict[int, list[str]] = {}
        self.used: set[int] = set()

    def odd(self, message: str) -> None:
        name = self.section.tag.name
        self.reading.odd.add(name)
        if message:
            self.reading.warn(name, message)

    def add(self, index: int, token: str) -> bool:
        """Take a comment, note reference, glyph or suffix; False when it is something else."""
        if token[0] in "{;":
            if index < 0:
                self.reading.comments.append(comment_text(token))
            else:
                self.comments.setdefault(index, []).append(comment_text(token))
            return True
        if token[0] == "%":
            self.odd("")
            return True
        found = TOKEN.match(token)
        if found is None or found["odd"]:
            return False
        if index < 0:
            self.odd(f"{token} belongs to nothing")
        elif found["note"]:
            number = int(found["note"])
            self.used.add(number)
            if number not in self.section.notes:
                self.odd(f"there is no note {number}")
            elif index in self.texts:
                self.odd("")
            self.texts.setdefault(index, []).append(self.section.notes.get(number, ""))
        else:
            nag = int(found["nag"]) if found["nag"] else SUFFIXES[found["mark"]] + self.base
            self.nags.setdefault(index, set()).add(nag)
        return True

    def done(self) -> dict[int, Note]:
        if any(n not in self.used for n in self.section.notes):
            self.odd("")
        alert = self.base == 0
        return {
            i: Note(
                "; ".join(self.texts.get(i, ())),
                alert and i in self.texts,
                tuple(sorted(self.nags.get(i, ()))),
                "\n".join(self.comments.get(i, ())),
            )
            for i in sorted({*self.texts, *self.nags, *self.comments})
        }


def call_number(token: str) -> int | None:
    return _CALLS.get(token)


def card_number(token: str) -> int | None:
    return CARDS.get(token)


def comment_text(item: str) -> str:
    return item[1:-1] if item[0] == "{" else item[1:]


def read_auction(
    section: Section, dealer: Seat | None, reading: GameReading
) -> tuple[Auction | None, dict[int, Note]]:
    """The calls as far as they are lawful, and the notes on them."""
    tokens = section.tokens
    first = SEATS.get(section.tag.value)
    calls = [_CALLS.get(t) for t in tokens]
    if first is not None and first == dealer and None not in calls and not section.notes:
        try:
            return of_calls(first, calls), {}  # type: ignore[arg-type]
        except BridgeError:
            pass  # found again and reported below
    if first is not None and first == dealer:
        noted = _noted_auction(section, first, reading)
        if noted is not None:
            return noted
    if first is None:
        if section.tag.value not in ("", "?"):
            reading.odd.add("Auction")
            reading.warn("Auction", f"no such seat: {shorten(section.tag.value)}")
        first = dealer if dealer is not None else Seat.NORTH
        if dealer is None and not tokens:
            return None, {}
    return _slow_auction(section, first, dealer, reading)


def _noted_auction(
    section: Section, dealer: Seat, reading: GameReading
) -> tuple[Auction, dict[int, Note]] | None:
    """Lawful calls with notes, glyphs and comments; None when there is anything else."""
    numbers: list[int] = []
    marks: list[tuple[int, str]] = []
    for token in section.tokens:
        call = _CALLS.get(token)
        if call is not None:
            numbers.append(call)
        elif token[0] in "{;" or (numbers and token[0] in "=$" and TOKEN.match(token)):
            marks.append((len(numbers) - 1, token))
        else:
            return None
    try:
        auction = of_calls(dealer, numbers)
    except BridgeError:
        return None
    notes = Notes(section, reading, 0)
    for index, token in marks:
        notes.add(index, token)
    return auction, notes.done()


def _slow_auction(
    section: Section, first: Seat, dealer: Seat | None, reading: GameReading
) -> tuple[Auction | None, dict[int, Note]]:
    notes = Notes(section, reading, 0)
    auction, index, over = Auction(first), -1, False
    for token in unglued(section.tokens):
        if notes.add(index, token):
            continue
        call = _CALLS.get(token)
        if over:
            notes.odd(f"after the end of the auction: {shorten(token)}")
            break
        if token == "-" and not auction.calls:
            auction = Auction(auction.dealer.lho)
        elif token in ("*", "+"):
            over = True
        elif token[0] == "^":
            notes.odd("")  # an irregularity the laws know but a lawful auction cannot hold
            break
        elif token.upper() == "AP":
            index, over = len(auction), True
            auction = auction.closed()
        elif call is None:
            notes.odd(f"not a call: {shorten(token)}")
            break
        elif why := auction.why_illegal(call):
            notes.odd(f"call {len(auction) + 1}, {CALLS[call].ascii}: {why}")
            break
        else:
            index = len(auction)
            auction = auction.then(call)
    if dealer is not None and auction.dealer != dealer:
        notes.odd(f"{dealer} deals but {auction.dealer} begins the auction")
    return auction, notes.done()


def unglued(tokens: tuple[str, ...]) -> list[str]:
    """Split `3H!=1=$4` into its parts; anything else stays as it is."""
    out: list[str] = []
    for token in tokens:
        if len(token) < 2 or token[0] in '{;%"' or token in _CALLS or token in CARDS:
            out.append(token)
            continue
        found = _GLUED.match(token)
        if found is None or len(token) > 100:
            out.append(token)
            continue
        irregular, word, mark, tail = found.groups()
        if mark and mark not in SUFFIXES:
            out.append(token)
            continue
        out.extend(part for part in (irregular, word, mark) if part)
        out.extend(_TAIL.findall(tail))
    return out
