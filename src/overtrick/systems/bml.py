"""BML, the bridge bidding markup language, in which players write their systems down.

A text has headings, paragraphs, lists and tables of calls. A row of a table is a call and words; a
row that is indented further answers the one above it:

    1N  15--17, balanced
      2C  Stayman
        2D  No four-card major

What is read is a `Book`: which words stand beside which call after which auction. Suit variables
(`1M`, `2oM`, `3X`, `2red`, `1step`) are written out as auctions. The words are somebody's prose; no
rule is made of them. Every line is accounted for: what has no place in the book is listed with its
number and the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from overtrick.game.calls import CALLS
from overtrick.game.errors import ParseError

MOST_BYTES: Final = 1 << 20
_MOST_LINES: Final = 40_000  # with everything that is pasted and included
_MOST_AUCTIONS: Final = 256  # of one row …
_MOST_ON_THE_WAY: Final = 4096  # … and while its calls are gone through
_MOST_IN_ALL: Final = 200_000
_LONGEST: Final = 320  # calls; no auction has more
_DEEPEST: Final = 8  # files that include files, pieces that paste pieces
_SUITS: Final = "CDHS"
_PASS, _DOUBLE, _REDOUBLE, _FIRST_BID = 0, 1, 2, 3
_WORDS: Final = {
    "p": _PASS, "pass": _PASS, "d": _DOUBLE, "x": _DOUBLE, "dbl": _DOUBLE, "r": _REDOUBLE,
    "xx": _REDOUBLE, "rdbl": _REDOUBLE,
}  # fmt: skip

Include = Callable[[str], str | None]


@dataclass(frozen=True, slots=True, order=True)
class LinePlace:
    """Where a line stands."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Unmapped:
    """A line that has no place in the book, and why."""

    place: LinePlace
    why: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why}: {self.text.strip()}"


@dataclass(frozen=True, slots=True)
class Step:
    """One call of an auction; `theirs` when the other side makes it."""

    theirs: bool
    call: int


Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class BmlRow:
    """A call and what the text says of it, after each auction it stands for.

    `seat` has the seats of the first call for which it holds (empty: all), `vul` whether we and
    they must be vulnerable (None: no matter).
    """

    place: LinePlace
    words: str
    auctions: tuple[Steps, ...]
    seat: str = ""
    vul: tuple[bool | None, bool | None] = (None, None)
    literal: bool = True  # without a suit variable: goes before rows that have one

    def holds(self, seat: int, we_vul: bool, they_vul: bool) -> bool:
        """Does it hold for this seat of the first call and this vulnerability?"""
        wanted = zip(self.vul, (we_vul, they_vul), strict=True)
        return (not self.seat or str(seat) in self.seat) and all(w in (None, v) for w, v in wanted)


@dataclass(frozen=True, slots=True)
class Book:
    """A text of a system that was read: its rows, its prose, and what could not be placed."""

    title: str
    author: str
    description: str
    rows: tuple[BmlRow, ...]
    headings: tuple[str, ...]
    prose: tuple[str, ...]
    unmapped: tuple[Unmapped, ...]
    lines: dict[str, int]  # how many lines of each kind, blank ones apart
    _index: dict[Steps, list[BmlRow]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for row in sorted(self.rows, key=lambda r: not r.literal):
            for steps in row.auctions:
                self._index.setdefault(steps, []).append(row)

    @property
    def unmapped_share(self) -> float:
        """How many of the lines have no place in the book."""
        return len(self.unmapped) / max(1, sum(self.lines.values()))

    def says(
        self, steps: Steps, seat: int = 1, we_vul: bool = False, they_vul: bool = False
    ) -> str | None:
        """What the text says of the last call of an auction; the first that holds counts."""
        for row in self._index.get(steps, ()):
            if row.holds(seat, we_vul, they_vul):
                return row.words
        return None

    def calls_after(self, steps: Steps) -> list[tuple[int, str]]:
        """Every call of ours that has a meaning after an auction, cheapest first."""
        side = _passed(steps, theirs=False)
        found = {s[-1].call: rows[0].words for s, rows in self._index.items()
                 if len(s) == len(side) + 1 and s[:-1] == side and not s[-1].theirs}  # fmt: skip
        return sorted(found.items())

    def auctions(self) -> Iterator[tuple[Steps, str]]:
        """Every auction with the words of its last call."""
        for steps, rows in self._index.items():
            yield steps, rows[0].words


def steps_of(text: str) -> Steps:
    """An auction as BML writes it, without variables.

    >>> [CALLS[s.call].ascii for s in steps_of("1N-2C")]
    ['1NT', 'Pass', '2C']
    """
    head = _head(text.strip() + " ")
    made = _grown([_Path()], head.calls) if head is not None else []
    if len(made) != 1:
        raise ParseError("an auction reads like 1N-2C or 1D-(1S)-D", text)
    return made[0].steps


# ---------------------------------------------------------------- lines, pieces and other files


@dataclass(frozen=True, slots=True)
class _BmlLine:
    text: str
    place: LinePlace

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


class _Text:
    """The lines of a document with everything included and pasted, and what was wrong there."""

    def __init__(self, include: Include | None) -> None:
        self._include = include
        self.pieces: dict[str, list[_BmlLine]] = {}
        self.pasted: set[str] = set()
        self.cut: dict[str, list[_BmlLine]] = {}
        self.problems: dict[LinePlace, Unmapped] = {}
        self.directives: set[LinePlace] = set()
        self._count = self._size = 0

    def problem(self, line: _BmlLine, why: str) -> None:
        self.problems.setdefault(line.place, Unmapped(line.place, why, line.text))

    def read(self, text: str, name: str, within: tuple[str, ...] = ()) -> list[_BmlLine]:
        if len(text) > MOST_BYTES:
            raise ParseError(
                f"a BML text has at most {MOST_BYTES >> 20} MB; {name} has {len(text) / 1e6:.1f} MB"
            )
        lines = [
            _BmlLine(t.expandtabs(1).rstrip(), LinePlace(name, i))
            for i, t in enumerate(text.lstrip("\ufeff").splitlines(), 1)
        ]
        return list(self._whole(self._without_pieces(lines), within or (name,)))

    def _without_pieces(self, lines: Iterable[_BmlLine]) -> Iterator[_BmlLine]:
        """Take #COPY and #CUT pieces down; what is cut is left out."""
        name, is_cut = "", False
        kept: list[_BmlLine] = []
        opened: _BmlLine | None = None
        for line in lines:
            word, _, rest = line.text.strip().partition(" ")
            if word in ("#COPY", "#CUT") and not name:
                name, kept, is_cut, opened = rest.strip() or "?", [], word == "#CUT", line
                self.directives.add(line.place)
            elif word in ("#ENDCOPY", "#ENDCUT") and name:
                self.pieces[name] = kept
                if is_cut:
                    self.cut[name] = kept
                self.directives.add(line.place)
                name = ""
            else:
                if name:
                    kept.append(line)
                if not (name and is_cut):
                    yield line
        if name and opened is not None:
            self.problem(opened, "a piece that is never ended")

    def _whole(self, lines: Iterable[_BmlLine], within: tuple[str, ...]) -> Iterator[_BmlLine]:
        for line in lines:
            word, _, rest = line.text.strip().partition(" ")
            if word == "#INCLUDE":
                self.directives.add(line.place)
                yield from self._included(line, rest.strip(), within)
            elif word == "#PASTE":
                self.directives.add(line.place)
                yield from self._pasted(line, rest.split(), within)
            else:
                self._count += 1
                self._grow(line, len(line.text))
                if self._count > _MOST_LINES:
                    raise ParseError(
                        f"more than {_MOST_LINES} lines with everything that is pasted",
                        line.text[:80],
                    )
                yield line

    def _grow(self, line: _BmlLine, size: int) -> None:
        """What is pasted into what is pasted can be far longer than the file."""
        self._size += size
        if self._size > 4 * MOST_BYTES:
            raise ParseError(f"{line.place}: more than {MOST_BYTES >> 18} MB are pasted together")

    def _included(self, line: _BmlLine, name: str, within: tuple[str, ...]) -> Iterator[_BmlLine]:
        if name in within:
            raise ParseError(f"{line.place}: {name} includes itself")
        if len(within) > _DEEPEST:
            raise ParseError(f"{line.place}: files include each other {_DEEPEST} deep; no more")
        text = self._include(name) if self._include is not None else None
        if text is None:
            self.problem(line, "a file that is not here")
            return
        yield from self.read(text, name, (*within, name))

    def _pasted(
        self, line: _BmlLine, words: list[str], within: tuple[str, ...]
    ) -> Iterator[_BmlLine]:
        name = words[0] if words else ""
        piece = self.pieces.get(name)
        if piece is None:
            self.problem(line, "nothing was copied under this name")
            return
        mark = f"#{name}"
        if mark in within or len(within) > _DEEPEST:
            raise ParseError(f"{line.place}: {name} pastes itself")
        self.pasted.add(name)
        first = min((p.indent for p in piece if p.text.strip()), default=0)
        swaps = [w.partition("=") for w in words[1:]]
        made = []
        for part in piece:
            text = part.text[first:]
            for old, _, new in swaps:
                self._grow(line, text.count(old) * max(0, len(new) - len(old)) if old else 0)
                text = text.replace(old, new) if old else text
            made.append(_BmlLine(" " * line.indent + text, part.place))
        yield from self._whole(made, (*within, mark))


# ---------------------------------------------------------------- calls with suit variables

_ONE: Final = re.compile(
    r"([1-7])(NT|N|steps?|red|black|oM|om|M|m|[XYZ]|[CDHSN]{1,5}|[cdhs](?![a-z]))"
    r"|(Pass|pass|P|Dbl|Rdbl|D|R|XX|X)(?![A-Za-z])"
)
_CALL: Final = re.compile(rf"\((?:{_ONE.pattern})\)|(?:{_ONE.pattern})(?:/(?:{_ONE.pattern}))*")
_CLASSES: Final = {
    "m": "CD", "M": "HS", "X": "CDHS", "Y": "CDHS", "Z": "CDHS", "red": "DH", "black": "CS",
}  # fmt: skip
_ORDER: Final = "XYZ"


@dataclass(frozen=True, slots=True)
class _Head:
    """The calls at the start of a row, and where its words begin."""

    calls: tuple[str, ...]
    is_history: bool
    words: str
    column: int


@dataclass(frozen=True, slots=True)
class _Path:
    """An auction on the way, and which suit each variable stands for in it."""

    steps: Steps = ()
    bound: tuple[tuple[str, str], ...] = ()

    @property
    def last_bid(self) -> int:
        return max((s.call for s in self.steps), default=0)

    @property
    def used(self) -> set[str]:
        """Suits that were bid: a variable stands for another one."""
        return {CALLS[s.call].ascii[1] for s in self.steps if s.call >= _FIRST_BID}


def _head(text: str) -> _Head | None:
    """The call or calls a line begins with, if it does."""
    at = len(text) - len(text.lstrip())
    calls: list[str] = []
    history = False
    while len(calls) < _LONGEST and (found := _CALL.match(text, at)):
        calls.append(found[0])
        at = found.end()
        dashes = re.compile(r"-+").match(text, at)
        if dashes is None:
            break
        history, at = True, dashes.end()
    if not calls:
        return None
    if text[at : at + 1] == ";":
        history, at = True, at + 1
    rest = text[at:]
    if rest.strip() and not re.match(r"\s*=|\s", rest):
        return None  # a word that only begins like a call
    words = re.sub(r"^\s*=\s*", "", rest).strip()
    column = len(text.rstrip()) - len(words) if words else len(text) + 1
    return _Head(tuple(calls), history or len(calls) > 1, words, column)


def _grown(paths: Sequence[_Path], calls: Iterable[str]) -> list[_Path]:
    """Every auction that the calls can stand for after one of these."""
    for call in calls:
        made: dict[Steps, _Path] = {}
        for path in paths:
            for longer in _next(path, call):
                made.setdefault(longer.steps, longer)
            if len(made) > _MOST_ON_THE_WAY:
                return list(made.values())
        paths = list(made.values())
    return list(paths)


def _next(path: _Path, text: str) -> Iterator[_Path]:
    theirs = text.startswith("(")
    steps = _passed(path.steps, theirs)
    if len(steps) >= _LONGEST:
        return
    for one in text.strip("()").split("/"):
        for call, bound in _choices(path, one):
            if _is_legal(steps, call, theirs):
                yield _Path((*steps, Step(theirs, call)), (*path.bound, *bound))


def _passed(steps: Steps, theirs: bool) -> Steps:
    """With the pass of the other side, when the same side calls twice in a row."""
    again = bool(steps) and steps[-1].theirs == theirs
    return (*steps, Step(not theirs, _PASS)) if again else steps


def _choices(path: _Path, text: str) -> Iterator[tuple[int, tuple[tuple[str, str], ...]]]:
    """The calls that one spelling stands for, and what each binds."""
    if (word := _WORDS.get(text.lower())) is not None:
        yield word, ()
        return
    level, name = int(text[0]), text[1:]
    if name in ("step", "steps"):
        yield path.last_bid + level, ()
    elif name in ("N", "NT"):
        yield _bid(level, "N"), ()
    elif name in _CLASSES or name in ("oM", "om"):
        for suit in _suits(path, name):
            yield _bid(level, suit), ((name, suit),)
    else:
        for suit in name.upper():
            yield _bid(level, suit), ()


def _suits(path: _Path, name: str) -> str:
    """The suits a variable may stand for: those nobody bid, if there are any."""
    bound = dict(path.bound)
    if name in bound:
        return bound[name]
    if name in ("oM", "om"):
        suits, known = _CLASSES[name[1]], bound.get(name[1])
        return "".join(s for s in suits if s != known) if known else ""
    suits = _CLASSES[name]
    if name in _ORDER:  # X is below Y, and Y below Z
        for other, suit in bound.items():
            if other in _ORDER:
                below = _ORDER.index(name) < _ORDER.index(other)
                suits = "".join(s for s in suits if s != suit and (s < suit) == below)
    if name in ("red", "black"):
        return suits
    return "".join(s for s in suits if s not in path.used) or suits


def _bid(level: int, suit: str) -> int:
    return _FIRST_BID + 5 * (level - 1) + "CDHSN".index(suit)


def _is_legal(steps: Steps, call: int, theirs: bool) -> bool:
    if call >= _FIRST_BID:
        return call < len(CALLS) and call > max((s.call for s in steps), default=0)
    if call == _PASS:
        return True
    spoken = next((s for s in reversed(steps) if s.call != _PASS), None)
    if spoken is None or spoken.theirs == theirs:
        return False
    return spoken.call >= _FIRST_BID if call == _DOUBLE else spoken.call == _DOUBLE


# ---------------------------------------------------------------- the document

_LIST: Final = re.compile(r"\s*(-|\d+[.)])\s+\S")
_META: Final = re.compile(r"#\+([A-Z_]+):\s*(.*)")
_HAND: Final = re.compile(r"\s*[NESW]:?(\s+([AKQJTx2-9]+|-)){4}$")
_VUL: Final = {"Y": True, "N": False, "0": None}
_KINDS: Final = ("call", "heading", "prose", "list", "directive", "comment", "deal")


class _BmlReader:
    """Walks over the elements of a document, which blank lines divide."""

    def __init__(self, text: _Text) -> None:
        self.text = text
        self.rows: list[BmlRow] = []
        self.words: list[list[str]] = []  # of each row
        self.auctions = 0  # of all rows
        self.meta: dict[str, str] = {}
        self.headings: list[str] = []
        self.prose: list[str] = []
        self.kinds: dict[LinePlace, str] = {}
        self.seat = ""
        self.vul: tuple[bool | None, bool | None] = (None, None)

    def read(self, lines: Iterable[_BmlLine]) -> None:
        element: list[_BmlLine] = []
        for line in lines:
            if not line.text.strip():
                self._element(element)
                element = []
            elif not self._aside(line):
                if line.text.startswith("*"):
                    self._element(element)
                    element = []
                    self._heading(line)
                else:
                    element.append(line)
        self._element(element)

    def _kind(self, line: _BmlLine, kind: str) -> None:
        self.kinds.setdefault(line.place, kind)

    def _aside(self, line: _BmlLine) -> bool:
        """Comments, facts about the document, and where the next tables hold."""
        text = line.text.strip()
        if text.startswith("//"):
            self._kind(line, "comment")
        elif found := _META.match(text):
            self.meta.setdefault(found[1], found[2].strip())
            self._kind(line, "directive")
        elif re.match(r"#[A-Z]+\b", text):
            self._kind(line, "directive")
            word, _, rest = text.partition(" ")
            if not self._directed(word, rest.strip().upper()):
                self.text.problem(line, "not an instruction of BML")
        else:
            return False
        return True

    def _directed(self, word: str, rest: str) -> bool:
        if word == "#SEAT" and re.fullmatch(r"0|[1-4]{1,4}", rest):
            self.seat = "" if rest == "0" else rest
            return True
        if word == "#VUL" and re.fullmatch(r"[YN0]{2}", rest):
            self.vul = (_VUL[rest[0]], _VUL[rest[1]])
            return True
        return word in ("#HIDE", "#BIDTABLE", "#PARAGRAPH", "#TITLE", "#AUTHOR", "#DESCRIPTION")

    def _heading(self, line: _BmlLine) -> None:
        self.headings.append(plain(line.text.lstrip("* ")))
        self._kind(line, "heading")

    def _element(self, element: list[_BmlLine]) -> None:
        if not element:
            return
        if _LIST.match(element[0].text):
            self._keep(element, "list")
        elif any(_HAND.match(line.text) for line in element[:2]):
            self._keep(element, "deal")
        elif _is_table(element):
            self._table(element)
        else:
            self._keep(element, "prose")

    def _keep(self, element: list[_BmlLine], kind: str) -> None:
        self.prose.append(plain(" ".join(line.text.strip() for line in element)))
        for line in element:
            self._kind(line, kind)

    def _table(self, element: list[_BmlLine]) -> None:
        root = [_Path()]
        stack: list[tuple[int, list[_Path]]] = []
        column = -1
        for number, line in enumerate(element):
            self._kind(line, "call")
            head = _head(line.text)
            indent = line.indent
            deeper = bool(stack) and indent > stack[-1][0]
            if number and (indent == column or (head is None and deeper)):
                self._more_words(line)
                continue
            if head is None:
                self.text.problem(line, "not a call")
                continue
            while stack and stack[-1][0] >= indent:
                stack.pop()
            before = stack[-1][1] if stack else root
            paths = _grown(before, head.calls)
            self.auctions += len(paths)
            if self.auctions > _MOST_IN_ALL:
                raise ParseError(f"{line.place}: the text stands for more auctions than are read")
            if not paths:
                self.text.problem(line, "no legal auction")
            elif len(paths) > _MOST_AUCTIONS:
                self.text.problem(line, f"more than {_MOST_AUCTIONS} auctions")
                paths = []
            if head.is_history and number == 0:
                root = paths  # what follows at the same indentation answers it
            stack.append((indent, paths))
            column = head.column
            if paths and (head.words or not head.is_history):
                self._add(line, head, paths)

    def _add(self, line: _BmlLine, head: _Head, paths: list[_Path]) -> None:
        variable = any(re.search(r"[1-7](oM|om|M|m|[XYZ]|red|black)", c) for c in head.calls)
        auctions = tuple(p.steps for p in paths)
        self.rows.append(BmlRow(line.place, "", auctions, self.seat, self.vul, not variable))
        self.words.append([plain(head.words)])

    def _more_words(self, line: _BmlLine) -> None:
        if self.rows:
            self.words[-1].append(plain(line.text.strip()))

    def worded(self) -> tuple[BmlRow, ...]:
        """The rows with all lines of their words."""
        both = zip(self.rows, self.words, strict=True)
        return tuple(replace(row, words=" ".join(words).strip()) for row, words in both)


def _is_table(element: list[_BmlLine]) -> bool:
    """A table begins with a call; so may a sentence, whose other lines do not."""
    first = _head(element[0].text)
    if first is None:
        return False
    if not first.words or first.is_history or re.match(r"\s*\S+(\s\s+|\s*=)", element[0].text):
        return True
    rows = sum(_head(line.text) is not None or line.indent > element[0].indent for line in element)
    return (
        rows * 2 > len(element) and re.match(r"\s*\(?[1-7]|\s*[PDR]\s", element[0].text) is not None
    )


def plain(text: str) -> str:
    """Words as they are shown: suits as symbols, ranges with a short dash.

    >>> plain("5+!h, 11--13 hcp")
    '5+♥, 11–13 hcp'
    """
    for letter, symbol in zip("cdhs", "♣♦♥♠", strict=True):
        text = re.sub(rf"!{letter}(?![a-z])", symbol, text)
    return re.sub(r"(?<=\d)--(?=\d)", "–", text)


def loads(text: str, name: str = "text", include: Include | None = None) -> Book:
    """Read a text; `include` gives the text of a file that it names, or None."""
    source = _Text(include)
    reader = _BmlReader(source)
    reader.read(source.read(text, name))
    for piece in source.cut.keys() - source.pasted:
        for line in source.cut[piece]:
            if line.text.strip():
                reader.kinds.setdefault(line.place, "call")
                source.problem(line, f"cut as {piece!r} and never pasted")
    for place in source.directives:
        reader.kinds.setdefault(place, "directive")
    counted = Counter(reader.kinds.values())
    return Book(
        reader.meta.get("TITLE", ""), reader.meta.get("AUTHOR", ""),
        reader.meta.get("DESCRIPTION", ""), reader.worded(), tuple(reader.headings),
        tuple(reader.prose), tuple(source.problems[p] for p in sorted(source.problems)),
        {kind: counted[kind] for kind in _KINDS if counted[kind]},
    )  # fmt: skip


def load(path: Path) -> Book:
    """Read a file; files that it includes must lie in its folder or below."""
    folder = path.resolve().parent

    def include(name: str) -> str | None:
        wanted = (folder / name).resolve()
        ours = wanted.is_relative_to(folder) and wanted.suffix in (".bml", ".txt")
        return _bounded(wanted) if ours and wanted.is_file() else None

    return loads(_bounded(path), path.name, include)


def _bounded(path: Path) -> str:
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise ParseError(
            f"a BML text has at most {MOST_BYTES >> 20} MB; {path.name} has {size / 1e6:.1f} MB"
        )
    return path.read_text(encoding="utf-8", errors="replace")
