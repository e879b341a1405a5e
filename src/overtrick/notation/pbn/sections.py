"""The auction and play sections of a PBN game: tokens, notes, glyphs and irregularities.
Used by the PBN reader; the quick path is a section of plain calls or cards."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import (
    CALLS,
    DECK,
    Auction,
    Note,
    PartialDeal,
    Play,
    Seat,
    Strain,
)
from overtrick.game.auction import of_calls
from overtrick.game.errors import BridgeError
from overtrick.game.play import strengths
from overtrick.notation.pbn.document import PbnGame, PbnTag
from overtrick.notation.reading import Warnings, shorten

_SEAT: Final = {letter: Seat(i & 3) for i, letter in enumerate("NESWnesw")}
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
_CARDS: Final[dict[str, int]] = {
    form: int(card)
    for card in DECK
    for text in ({card.ascii, card.ascii[0] + "10"} if card.ascii[1] == "T" else {card.ascii})
    for form in (text, text.lower(), text[0].lower() + text[1:], text[0] + text[1:].lower())
}
# Bit 4 * column + suit for each column of a trick and each card.
_COLUMN_BITS: Final = tuple(
    tuple(1 << 4 * column + card // 13 for card in range(52)) for column in range(4)
)
_BITS: Final = tuple(1 << card for card in range(52))
_TOKEN: Final = re.compile(
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
class Reading:
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
        seat = _SEAT.get(value)
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


class _Notes:
    """Notes under construction: texts, glyphs and comments by call or card number."""

    def __init__(self, section: Section, reading: Reading, base: int) -> None:
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
        found = _TOKEN.match(token)
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
    return _CARDS.get(token)


def comment_text(item: str) -> str:
    return item[1:-1] if item[0] == "{" else item[1:]


def read_auction(
    section: Section, dealer: Seat | None, reading: Reading
) -> tuple[Auction | None, dict[int, Note]]:
    """The calls as far as they are lawful, and the notes on them."""
    tokens = section.tokens
    first = _SEAT.get(section.tag.value)
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
    section: Section, dealer: Seat, reading: Reading
) -> tuple[Auction, dict[int, Note]] | None:
    """Lawful calls with notes, glyphs and comments; None when there is anything else."""
    numbers: list[int] = []
    marks: list[tuple[int, str]] = []
    for token in section.tokens:
        call = _CALLS.get(token)
        if call is not None:
            numbers.append(call)
        elif token[0] in "{;" or (numbers and token[0] in "=$" and _TOKEN.match(token)):
            marks.append((len(numbers) - 1, token))
        else:
            return None
    try:
        auction = of_calls(dealer, numbers)
    except BridgeError:
        return None
    notes = _Notes(section, reading, 0)
    for index, token in marks:
        notes.add(index, token)
    return auction, notes.done()


def _slow_auction(
    section: Section, first: Seat, dealer: Seat | None, reading: Reading
) -> tuple[Auction | None, dict[int, Note]]:
    notes = _Notes(section, reading, 0)
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
        if len(token) < 2 or token[0] in '{;%"' or token in _CALLS or token in _CARDS:
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


def read_play(
    section: Section, strain: Strain, deal: PartialDeal | None, reading: Reading
) -> tuple[Play | None, dict[int, Note], bool]:
    """The cards in playing order, the notes on them, and whether a `*` closes the section."""
    first = _SEAT.get(section.tag.value)
    if first is None:
        reading.odd.add("Play")
        if section.tokens or section.tag.value not in ("", "?"):
            reading.warn("Play", f"no such opening leader: {shorten(section.tag.value)}")
        return None, {}, False
    tokens, closed = section.tokens, False
    if tokens and tokens[-1] == "*":
        tokens, closed = tokens[:-1], True
    cells: list[int | None] = [_CARDS.get(t) for t in tokens]
    if None not in cells and not section.notes and deal is not None:
        quick = _plain_play(cells, strain, first, deal)  # type: ignore[arg-type]
        if quick is not None:
            return quick, {}, closed
    return _slow_play(section, Play(strain, first), deal, reading)


def _plain_play(cells: list[int], strain: Strain, first: Seat, deal: PartialDeal) -> Play | None:
    """Whole tricks of the right cards and nothing else; None when it is not so simple."""
    size = len(cells)
    if size % 4 or size > 52:
        return None
    hands = [deal.hands[first + column & 3].bits for column in range(4)]
    played = 0
    for column in range(4):
        own = sum([_BITS[c] for c in cells[column::4]])
        if own & ~hands[column]:
            return None
        played |= own
    if played.bit_count() != size:
        return None
    leader = ns_tricks = shown_out = 0
    cards: list[int] = []
    first_bits, second_bits, third_bits, fourth_bits = _COLUMN_BITS
    cell = iter(cells)
    for a, b, c, d in zip(cell, cell, cell, cell, strict=True):
        trick = (a, b, c, d, a, b, c, d)[leader : leader + 4]
        cards += trick
        followed = first_bits[a] | second_bits[b] | third_bits[c] | fourth_bits[d]
        if followed & shown_out:
            return None  # a revoke
        led = trick[0] // 13
        out = (0x1111 << led) & ~followed
        if out:
            shown_out |= out
            best = max(trick, key=strengths(strain, led).__getitem__)
        else:
            best = max(trick)
        leader = 0 if best == a else 1 if best == b else 2 if best == c else 3
        ns_tricks += 1 - (first + leader & 1)
    for column in range(4):
        left, out = hands[column] & ~played, shown_out >> 4 * column
        if left and any(out >> suit & 1 and left >> 13 * suit & 8191 for suit in range(4)):
            return None
    return Play.trusted(strain, first, cards, (first + leader & 3, size, ns_tricks, played))


def _slow_play(
    section: Section, start: Play, deal: PartialDeal | None, reading: Reading
) -> tuple[Play, dict[int, Note], bool]:
    """Annotations, gaps, irregularities and mistakes."""
    notes = _Notes(section, reading, 6)
    revokes: set[int] = set()
    cells, marks, closed = _cells(unglued(section.tokens), notes, revokes)
    order = _playing_order(cells, start.strain)
    if len(order) < sum(c is not None for c in cells):
        notes.odd("cards after a gap are not part of the play")
    distinct = _distinct(cells, order)
    if distinct < len(order):
        again = DECK[cells[order[distinct]] or 0].ascii
        notes.odd(f"card {distinct + 1}, {again}: it has been played already")
        order = order[:distinct]
    play = Play(start.strain, start.opening_leader, tuple([cells[i] for i in order]))  # type: ignore[misc]
    if deal is not None and (wrong := _wrong_cards(play, deal, revokes, order)):
        reading.warn("Play", wrong)
    for index, cell in enumerate(order):
        for token in marks.pop(cell, ()):
            notes.add(index, token)
    for left in marks.values():
        notes.odd("")
        notes.used.update(int(t.strip("=")) for t in left if t[0] == "=")
    return play, notes.done(), closed


def _distinct(cells: list[int | None], order: list[int]) -> int:
    """How many cards, in playing order, come before the first repetition (at most 52)."""
    seen: set[int | None] = set()
    for i, cell in enumerate(order):
        if cells[cell] in seen or i == 52:
            return i
        seen.add(cells[cell])
    return len(order)


def _cells(
    tokens: list[str], notes: _Notes, revokes: set[int]
) -> tuple[list[int | None], dict[int, list[str]], bool]:
    """The table of cards, four columns a trick; annotations by cell; was there a `*`."""
    cells: list[int | None] = []
    marks: dict[int, list[str]] = {}
    for token in tokens:
        card = _CARDS.get(token)
        if card is not None or token in ("-", "+"):
            cells.append(card)
        elif token == "*":
            return cells, marks, True
        elif token in ("^R", "^r"):
            revokes.add(len(cells))
            notes.odd("")
        elif token[0] == "^":  # a lead out of turn: from here on a lawful play cannot hold it
            notes.odd("")
            break
        elif token[0] in "{;%" or _TOKEN.match(token):
            if not cells:
                notes.add(-1, token)
            else:
                marks.setdefault(len(cells) - 1, []).append(token)
        else:
            notes.odd(f"not a card: {shorten(token)}")
            break
    return cells, marks, False


def _playing_order(cells: list[int | None], strain: int) -> list[int]:
    """Cell numbers in the order the cards were played, up to the first one that is missing."""
    order: list[int] = []
    leader, size = 0, len(cells)
    for row in range(0, size, 4):
        best, top = 0, -1
        led = -1
        for k in range(4):
            at = row + (leader + k & 3)
            card = cells[at] if at < size else None
            if card is None:
                return order
            order.append(at)
            suit = card // 13
            if k == 0:
                led = suit
            rank = card % 13 + (26 if suit == strain else 13 if suit == led else -26)
            if rank > top:
                best, top = k, rank
        leader = leader + best & 3
    return order


def _wrong_cards(play: Play, deal: PartialDeal, revokes: set[int], order: list[int]) -> str | None:
    """The first card its player did not hold, or an unmarked revoke, in words."""
    hands = [h.bits for h in deal]
    full = [h.bit_count() > 0 for h in hands]
    cards, leader, strain = play.cards, int(play.opening_leader), play.strain
    for start in range(0, len(cards), 4):
        led, best, top = cards[start] // 13, 0, -1
        for k, card in enumerate(cards[start : start + 4]):
            seat, suit = leader + k & 3, card // 13
            hand = hands[seat]
            if not hand >> card & 1:
                if full[seat]:
                    return f"card {start + k + 1}: {Seat(seat)} does not hold {card.ascii}"
            elif suit != led and hand >> 13 * led & 8191 and order[start + k] not in revokes:
                return f"card {start + k + 1}, {card.ascii}: {Seat(seat)} could follow suit"
            hands[seat] = hand & ~(1 << card)
            rank = card % 13 + (26 if suit == strain else 13 if suit == led else -26)
            if rank > top:
                best, top = k, rank
        leader = leader + best & 3
    return None
