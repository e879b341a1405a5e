"""From records to PBN: unchanged games byte for byte, changed or new ones in export format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from overtrick.game import CALLS, DECK, Auction, Note, Play, Record, Seat
from overtrick.game.errors import BridgeError
from overtrick.notation.pbn.document import PbnGame, escape
from overtrick.notation.pbn.reader import MANDATORY, record_of
from overtrick.notation.pbn.sections import SUFFIXES, call_number, card_number, unglued

Layout = Literal["keep", "export"]
HEADER: Final = "% PBN 2.1\n% EXPORT\n"
_COLUMN: Final = re.compile(r"[+-]?(\w*)(?:\\(\d{1,3})([LR]?))?")
_LONGEST: Final = 253  # with CR and LF a line has at most 255 characters
_SEATS: Final = {"North": 0, "East": 1, "South": 2, "West": 3}


class NotationError(BridgeError):
    """A record that a format cannot hold as it is; raised by strict writers only.

    >>> issubclass(NotationError, BridgeError)
    True
    """


def write(records: Iterable[Record], layout: Layout = "keep", *, strict: bool = False) -> str:
    """The text of a PBN file, with newlines as line ends.

    "keep" leaves every game that has not been changed since it was read exactly as it was;
    "export" writes all of them in export format. `strict` refuses what export format forbids.
    """
    parts: list[str] = []
    previous: PbnGame | None = None
    for i, record in enumerate(records):
        game = record.source if isinstance(record.source, PbnGame) else None
        text = _kept(record, game, previous) if layout == "keep" and game is not None else None
        if i == 0:
            parts.append(_header(game, layout, text is not None))
        elif not parts[-1].endswith("\n\n"):
            parts.append("\n" if parts[-1].endswith("\n") else "\n\n")
        if text is None:
            text = "\n".join(export_lines(record)) + "\n"
            if i:
                text = text if parts[-1].endswith("\n") else "\n" + text
            if strict:
                _check(text, i + 1)
        parts.append(text)
        previous = game
    return "".join(parts)


def _header(game: PbnGame | None, layout: Layout, kept: bool) -> str:
    if game is None or (layout == "export" and not game.header):
        return HEADER
    if kept:
        return game.header
    other = [
        line
        for line in game.header.splitlines()
        if line.strip() and not re.match(r"%\s*(PBN\s|EXPORT|IMPORT)", line, re.IGNORECASE)
    ]
    return HEADER + "".join(line + "\n" for line in other)


def _check(text: str, number: int) -> None:
    for line in text.split("\n"):
        if len(line) > _LONGEST:
            raise NotationError(f"game {number}: a line of {len(line)} characters, 253 is the most")
    try:
        text.encode("latin-1")
    except UnicodeEncodeError as error:
        bad = text[error.start]
        raise NotationError(f"game {number}: {bad!r} is not a Latin-1 character") from None


def _kept(record: Record, game: PbnGame, previous: PbnGame | None) -> str | None:
    """The game's own text where the record still says the same, or with only tags changed."""
    view, _ = record_of(game)
    follows = game.place == 0
    if previous is not None:  # in the same file, and next to it?
        end = previous.start + len(previous.text)
        beside = end == game.start and previous.header == game.header
        follows = beside and previous.place + 1 == game.place
    if game.inherited and not follows:
        for name, value in game.inherited.items():
            game = game.with_tag(name, value)
    if view == record:
        return game.text
    same = replace(
        record, number=view.number, dealer=view.dealer, vul=view.vul, deal=view.deal,
        contract=view.contract, tricks=view.tricks, names=view.names, tags=view.tags,
    )  # fmt: skip
    if same != view or any(name not in record.tags for name in view.tags if name not in MANDATORY):
        return None
    for name in (*MANDATORY, *record.tags):
        value = _value(name, record)
        if value != _value(name, view):
            game = game.with_tag(name, value)
    return game.text


def export_lines(record: Record) -> list[str]:
    """One game in export format, with everything its source says beside the record."""
    game = record.source if isinstance(record.source, PbnGame) else None
    if game is None:
        view, reading = None, None
    else:
        view, reading = record_of(game)
    beside: dict[str, Sequence[str]] = {}
    lines: list[str] = []
    keep_comments = view is not None and view.comment == record.comment
    if game is not None:
        lines += _aside(game.before, keep_comments)
        for name, _, items in reversed(game.raw):
            beside[name] = items
    others = sorted(n for n in record.tags if n not in MANDATORY and n not in record.tables)
    for name in (*MANDATORY, *others):
        lines.append(f'[{name} "{_clean(escape(_value(name, record)))}"]')
        lines += _aside(beside.get(name, ()), keep_comments)
    if record.comment and not keep_comments:
        lines += _comment(record.comment).split("\n")
    odd = reading.odd if reading is not None else set()
    lines += _both_sections(record, game, view, odd)
    for name in sorted(record.tables):
        lines += _table(name, record)
        if name in odd:
            asides = [item for item in beside.get(name, ()) if item[0] in "{;%"]
            lines += _aside(asides, keep_comments)
    return lines


def _both_sections(
    record: Record, game: PbnGame | None, view: Record | None, odd: set[str]
) -> list[str]:
    """Auction and play; one that says more than the record, and is unchanged, is copied."""
    lines: list[str] = []
    same_calls = view is not None and (view.auction, view.call_notes) == (
        record.auction, record.call_notes)  # fmt: skip
    same_cards = view is not None and (view.play, view.card_notes) == (
        record.play, record.card_notes)  # fmt: skip
    if game is not None and "Auction" in odd and same_calls:
        lines += _raw_section(game, "Auction", 0)
    elif record.auction is not None:
        lines += _auction(record.auction, record.call_notes, record.contract is not None)
    if game is not None and "Play" in odd and same_cards:
        lines += _raw_section(game, "Play", 6)
    elif record.play is not None:
        lines += _play(record.play, record.card_notes, record.claimed)
    return lines


def _table(name: str, record: Record) -> list[str]:
    """A table section: its head and its rows."""
    rows = record.tables[name]
    head = record.tags.get(name, ";".join("?" * max(map(len, rows), default=1)))
    return [f'[{name} "{_clean(escape(head))}"]', *_rows(head, rows)]


def _value(name: str, record: Record) -> str:
    """A tag's value: the field where it is known, else the raw value, else unknown."""
    raw = record.tags.get(name)
    known = _known(name, record)
    if known is None:
        value = "?" if raw is None else raw
    else:
        value = raw if raw is not None and raw == "^" + known else known
    return " " + value if value.startswith("#") else value  # or it would mean inheritance


def _known(name: str, record: Record) -> str | None:
    if name in _SEATS:
        return record.names[_SEATS[name]] or None
    match name:
        case "Board":
            return None if record.number is None else str(record.number)
        case "Dealer":
            return None if record.dealer is None else record.dealer.letter
        case "Vulnerable":
            return None if record.vul is None else str(record.vul)
        case "Deal":
            if record.deal is None:
                return None
            return record.deal.pbn(record.dealer if record.dealer is not None else Seat.NORTH)
        case "Declarer" | "Contract" | "Result":
            return _outcome(name, record)
    return None


def _outcome(name: str, record: Record) -> str | None:
    if record.contract is None:
        return ("Pass" if name == "Contract" else "") if record.is_passed_out else None
    if name == "Declarer":
        return record.contract.declarer.letter
    if name == "Contract":
        return record.contract.ascii
    return None if record.tricks is None else str(record.tricks)


def _clean(value: str) -> str:
    """Tag values are one line."""
    return " ".join(value.splitlines()) if "\n" in value or "\r" in value else value


def _comment(text: str) -> str:
    """A comment in braces; one with a closing brace in it as rest-of-line comments."""
    if "}" not in text:
        return "{" + text + "}"
    return "\n".join(";" + line for line in text.split("\n"))


def _aside(items: Sequence[str], comments: bool) -> list[str]:
    """Comments, escape lines and stray words beside a tag, each on a line of its own."""
    return [
        line
        for item in items
        if comments or item[0] not in "{;"
        for line in (_comment(item[1:]) if item[0] == ";" else item).split("\n")
    ]


class _Numbers:
    """Note numbers of one section: the same text has the same number."""

    def __init__(self, notes: Mapping[int, Note], base: int) -> None:
        self.notes, self.base = notes, base
        self.numbers: dict[str, int] = {}

    def mark(self, index: int, word: str) -> str:
        """A call or card with its note reference, glyphs and comment."""
        note = self.notes.get(index)
        if note is None:
            return word
        parts = [word]
        if note.text or note.alert:
            text = _clean(note.text)
            parts.append(f"={self.numbers.setdefault(text, len(self.numbers) + 1)}=")
        parts += [f"${nag}" for nag in sorted(note.nags)]
        if note.comment:
            text = _comment(note.comment)
            parts.append(text if text[0] == "{" else text + "\n")
        return " ".join(parts)

    def lines(self) -> list[str]:
        return [f'[Note "{n}:{escape(text)}"]' for text, n in self.numbers.items()]


def _fours(words: Sequence[str], widths: Sequence[int] = (0, 0, 0, 0)) -> list[str]:
    """Four words a line, in columns where nothing longer than a note reference stands."""
    padded = [w.ljust(widths[i % 4]) for i, w in enumerate(words)]
    rows = [" ".join(padded[i : i + 4]) for i in range(0, len(words), 4)]
    return [line.strip(" ") for row in rows for line in row.rstrip("\n").split("\n")]


def _widths(words: Sequence[str]) -> list[int]:
    """As wide as the widest word of each column that is not a comment."""
    return [max((len(w) for w in words[i::4] if len(w) < 16), default=0) for i in range(4)]


def _auction(auction: Auction, notes: Mapping[int, Note], settled: bool) -> list[str]:
    numbers = _Numbers(notes, 0)
    words = [numbers.mark(i, call.ascii) for i, call in enumerate(auction.calls)]
    if not auction.is_over:
        words.append("*" if settled else "+")
    rows = _fours(words, _widths(words))
    return [f'[Auction "{auction.dealer.letter}"]', *rows, *numbers.lines()]


def _play(play: Play, notes: Mapping[int, Note], claimed: bool) -> list[str]:
    numbers = _Numbers(notes, 6)
    rows: list[str] = []
    index = 0
    for trick in play.tricks():
        row = ["-"] * 4
        for k, card in enumerate(trick.cards):
            column = (trick.leader + k - play.opening_leader) % 4
            row[column] = numbers.mark(index, card.ascii)
            index += 1
        if len(trick.cards) < 4 and not claimed:
            row[(play.turn - play.opening_leader) % 4] = "+"
        rows += row
    if claimed and not play.is_over:
        rows.append("*")
    elif not play.is_over and len(play) % 4 == 0:
        row = ["-"] * 4
        row[(play.turn - play.opening_leader) % 4] = "+"
        rows += row
    return [f'[Play "{play.opening_leader.letter}"]', *_fours(rows, (2, 2, 2, 2)), *numbers.lines()]


def _raw_section(game: PbnGame, name: str, base: int) -> list[str]:
    """A section copied token by token, spelled as export format wants it."""
    found = [(value, items) for n, value, items in game.raw if n == name]
    value, items = next((f for f in found if f[1]), found[0] if found else ("?", ()))
    rows = _fours(_merged(_copied(unglued(tuple(items)), base)))
    return [f'[{name} "{escape(value)}"]', *filter(None, rows), *_notes_of(game, name)]


def _copied(tokens: Iterable[str], base: int) -> list[str]:
    """Each call or card with what belongs to it."""
    words: list[list[str]] = []
    for token in tokens:
        spelled = _spelled(token, base)
        beside = None if spelled is not None else _beside(token, base, first=not words)
        if beside is not None and words:
            words[-1].append(beside)
        elif beside is None and spelled is None and words and _is_irregularity(words[-1]):
            words[-1].append(" " + token)
        else:
            words.append([spelled or (token if beside is None else beside.strip(" "))])
    return ["".join(word) for word in words]


def _merged(words: Sequence[str]) -> list[str]:
    """An irregularity stands before its call or card."""
    merged: list[str] = []
    for word in words:
        if merged and re.fullmatch(r"\^[A-Za-z]", merged[-1]) and not word.startswith("^S"):
            merged[-1] += " " + word
        else:
            merged.append(word)
    return merged


def _spelled(token: str, base: int) -> str | None:
    """A call (of an auction, base 0) or a card (of a play, base 6) in its usual spelling."""
    if base == 0:
        call = call_number(token)
        return None if call is None else CALLS[call].ascii
    card = card_number(token)
    return None if card is None else DECK[card].ascii


def _beside(token: str, base: int, first: bool) -> str | None:
    """What a glyph, a reference or a comment adds to the word before it; None for other tokens."""
    if token in SUFFIXES and not first:
        return f" ${SUFFIXES[token] + base}"
    if token[0] in "=$" and not first:
        return " " + token
    if token[0] not in "{;%":
        return None
    text = _comment(token[1:]) if token[0] == ";" else token
    return f" {text}" if text[0] == "{" else f"\n{text}\n"


def _is_irregularity(word: list[str]) -> bool:
    return len(word) == 1 and len(word[0]) == 2 and word[0][0] == "^"


def _notes_of(game: PbnGame, section: str) -> list[str]:
    """The notes that follow a section in the file (before any section: the auction's)."""
    current, out = "Auction", []
    for name, value, _ in game.raw:
        if name in ("Auction", "Play"):
            current = name
        elif name == "Note" and current == section:
            out.append(f'[Note "{escape(value)}"]')
    return out


def _rows(head: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Table rows with the column widths that the head asks for."""
    shapes = [_COLUMN.match(column.strip()) for column in head.split(";")]
    lines: list[str] = []
    for row in rows:
        words: list[str] = []
        for i, word in enumerate(row):
            shape = shapes[i] if i < len(shapes) else None
            width = int(shape[2]) if shape is not None and shape[2] else 0
            right = shape is not None and shape[3] == "R"
            words.append(word.rjust(width) if right else word.ljust(width))
        line = " ".join(words).rstrip()
        lines.append(line if line.strip() else "-")
    return lines
