"""A PBN file as a document: games, tags in order, section tokens and comments, every byte kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from overtrick.notation.reading import Warnings, shorten

# A tag pair and the plain text after it, up to anything that needs a closer look.
_TAG: Final = re.compile(
    r'\[[ \t\n]*([A-Za-z][\w-]*)[ \t\n]*"([^"\\\n]*(?:\\[^\n][^"\\\n]*)*)"[ \t\n]*\]([^\[{;%"]*)'
)
# Most games are tags on lines of their own and plain words: those are read at one go.
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
_BETWEEN: Final = {  # what stands between two values when nothing but the next tag follows
    f"]\n[{name} ": name
    for name in (
        "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal",
        "Scoring", "Declarer", "Contract", "Result", "Auction", "Play",
    )
}  # fmt: skip
_NOT_PLAIN: Final = ("{", ";", "%", "\\", "\t", "\n ", "\f", "\v")
_RUN: Final = re.compile(r'(?:\[[A-Za-z][A-Za-z0-9_]* "[^"\\\n]*"\]\n(?=\[))+')
_LONG_GAME: Final = 8_000
# Some programs leave out the empty line between games: after a deal the next one may begin here.
_UNPARTED: Final = re.compile(
    r"""^\[Deal\ "[^\n]*\n
        (?:(?!\[(?:Event|Board|Deal)\ ")[\ \t\f\v]*+[^\ \t\f\v\n][^\n]*\n)*+
        (?=\[(?:Event|Board)\ ")""",
    re.MULTILINE | re.VERBOSE,
)
_LOOSE_TAG: Final = re.compile(
    r'\[[ \t]{0,9}([A-Za-z][\w-]{0,99})[ \t]{1,9}"?([^\n]{0,2000}?)"?'
    r"[ \t]{0,9}\][ \t]{0,9}(?=\n|\Z)"
)
_BLANK: Final = re.compile(r"\n[ \t\f\v]*\n")
_HEADER: Final = re.compile(r"(?:%[^\n]*(?:\n|\Z)|[ \t]*\n)*")
_ITEM: Final = re.compile(
    r"""(?P<blank>\n[ \t\f\v]*(?=\n|\Z))|(?P<space>\s)
      |(?P<escape>(?m:^)%[^\n]*)|(?P<comment>\{[^}]*\}|;[^\n]*)|(?P<open>\{[^}]*\Z)
      |(?P<string>"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*")|(?P<word>[^\s\[{;]+)|(?P<tag>\[)""",
    re.VERBOSE,
)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_TO_ESCAPE: Final = re.compile(r'"|\\(?=["\\]|\Z)')
SECTIONS: Final = frozenset({"Auction", "Play", "Note"})


class PbnTag(NamedTuple):
    """`[name "value"]` and what follows it: words of its section, `{…}`, `;…` and `%…` texts."""

    name: str
    value: str
    items: tuple[str, ...] = ()


# What `PbnTag` says, as a plain tuple: thousands of them do not burden the garbage collector.
RawTag = tuple[str, str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class PbnGame:
    """One game: its text to the last byte, and its tags in the order of the file.

    `before` are comments and `%` lines ahead of the first tag; `inherited` are values that
    come from earlier games (`#`, `##`); `place` is the game's number in its file (from 0).
    """

    text: str
    before: tuple[str, ...] = ()
    inherited: Mapping[str, str] = field(default_factory=dict)
    place: int = 0
    start: int = 0
    header: str = ""
    _raw: tuple[RawTag, ...] | None = field(default=None, compare=False, repr=False)

    @property
    def raw(self) -> tuple[RawTag, ...]:
        """The tags as plain tuples; read from the text again when they were let go."""
        if self._raw is not None:
            return self._raw
        return next(split(self.text, Warnings(self.text), headed=False)).raw

    def let_go(self) -> None:
        """Keep the text only: a large file's tags need not stay in memory."""
        object.__setattr__(self, "_raw", None)

    @property
    def tags(self) -> tuple[PbnTag, ...]:
        return tuple(PbnTag(name, value, tuple(items)) for name, value, items in self.raw)

    def spans(self) -> list[tuple[int, int]]:
        """Where each tag's value stands in the text, between its quotes."""
        text, pos = self.text, 0
        out: list[tuple[int, int]] = []
        ignore = Warnings(text)
        while pos < len(text):
            tag, end, _, span = _tag(text, pos, ignore)
            if tag is None:
                _, end, _ = _items(text, pos, ignore)
            else:
                out.append(span)
            pos = end
        return out

    def with_tag(self, name: str, value: str) -> PbnGame:
        """The game with one tag's value changed and every other byte as it was."""
        names = [name for name, _, _ in self.raw]
        spans = self.spans()
        if name in names:
            a, b = spans[names.index(name)]
            text = self.text[:a] + escape(value) + self.text[b:]
        else:
            new = f'[{name} "{escape(value)}"]'
            sections = {n for n in names if n in SECTIONS or n.endswith("Table")}
            places = [i for i, n in enumerate(names) if n not in sections]
            if places:
                at = self.text.index("]", spans[places[-1]][1]) + 1
                text = f"{self.text[:at]}\n{new}{self.text[at:]}"
            else:
                at = max(self.text.find("["), 0)
                text = f"{self.text[:at]}{new}\n{self.text[at:]}"
        changed = next(split(text, Warnings(text), headed=False))
        kept = {k: v for k, v in self.inherited.items() if k != name}
        return replace(
            changed, inherited=kept, place=self.place, start=self.start, header=self.header
        )


def escape(value: str) -> str:
    """A tag value as it stands between quotes."""
    return _TO_ESCAPE.sub(lambda m: "\\" + m[0], value)


def unescape(value: str) -> str:
    return _ESCAPED.sub(r"\1", value) if "\\" in value else value


def split(text: str, warnings: Warnings, *, headed: bool = True) -> Iterator[PbnGame]:
    """Games one by one; together with the header their texts are the whole text.

    Some programs put a blank line before the auction: such a piece belongs to the game before,
    and so does text without tags at the end of a file.
    """
    pieces: list[PbnGame] = []
    names: set[str] = set()
    place = 0
    for game in _cut(text, warnings, headed):
        first = game.raw[0][0] if game.raw else ""
        if pieces and first and not (first == "Note" or (first in SECTIONS and first not in names)):
            yield _joined(pieces, place)
            pieces, names, place = [], set(), place + 1
        elif pieces and first:
            warnings.at(game.start, f"a blank line before {first}: taken as part of the same game")
        pieces.append(game)
        names.update(name for name, _, _ in game.raw)
    if pieces:
        yield _joined(pieces, place)


def _joined(pieces: Sequence[PbnGame], place: int) -> PbnGame:
    """Pieces with blank lines between them as one game."""
    first = pieces[0]
    if len(pieces) == 1:
        return first if first.place == place else replace(first, place=place)
    raw = list(first.raw)
    for piece in pieces[1:]:
        if piece.raw and piece.before and raw:
            name, value, items = raw[-1]
            raw[-1] = (name, value, (*items, *piece.before))
        raw += piece.raw
    text = "".join(piece.text for piece in pieces)
    return replace(first, text=text, place=place, _raw=tuple(raw))


def _cut(text: str, warnings: Warnings, headed: bool) -> Iterator[PbnGame]:
    """Pieces between blank lines, or where a next game begins without one; only the last may be
    without tags."""
    head = _HEADER.match(text) if headed else None
    pos = start = head.end() if head else 0
    ends = iter([*(found.end() for found in _UNPARTED.finditer(text)), len(text) + 1])
    end = next(ends)
    header, size, place = text[:start], len(text), 0
    tags: list[RawTag] = []
    before: list[str] = []
    while pos < size:
        while end <= pos:
            end = next(ends)
        if not tags and (plain := _plain_game(text, pos, end)) is not None:
            raw, pos = plain
            yield PbnGame(text[start:pos], tuple(before), {}, place, start, header, raw)
            start, before, place = pos, [], place + 1
            continue
        run = _RUN.match(text, pos, end)
        if run is not None:
            tags += _plain_tags(text[pos : run.end()].split('"')) or ()
            pos = run.end()
        tag, pos, blank, _ = _tag(text, pos, warnings)
        if tag is not None:
            tags.append(tag)
        else:
            more, pos, blank = _items(text, pos, warnings)
            if tags:
                name, value, items = tags[-1]
                tags[-1] = (name, value, (*items, *more))
            else:
                before += more
        unparted = pos == end and text[pos + 1 : pos + 6] in {name for name, _, _ in tags}
        if unparted:
            warnings.at(pos, "a game begins without an empty line before it")
        if (blank or unparted) and tags:
            yield PbnGame(text[start:pos], tuple(before), {}, place, start, header, tuple(tags))
            start, tags, before, place = pos, [], [], place + 1
    if tags or before:
        yield PbnGame(text[start:], tuple(before), {}, place, start, header, tuple(tags))


def _plain_game(text: str, pos: int, before: int) -> tuple[tuple[RawTag, ...], int] | None:
    """The game at `pos`, which ends at `before` at the latest, and where the next one begins; None
    when it needs a closer look."""
    end = text.find("\n\n", pos, pos + _LONG_GAME) + 1
    if before < (end or len(text)):
        return None
    if not end:
        if len(text) - pos > _LONG_GAME:
            return None
        end = len(text)
    chunk = text[pos:end]
    for mark in _NOT_PLAIN:
        if mark in chunk:
            return None
    raw = _plain_tags(chunk.split('"'))
    if raw is None:
        return None
    while text.startswith("\n", end):
        end += 1
    return tuple(raw), end


def _plain_tags(parts: list[str]) -> list[RawTag] | None:
    """Tags from the text of a game cut at its quotes: values stand at the odd places."""
    name = parts[0][1:-1]
    values = parts[1::2]
    if len(parts) % 2 == 0 or parts[0] != f"[{name} " or "\n" in "".join(values):
        return None
    if not _NAME.match(name):
        return None
    raw: list[RawTag] = []
    between, bracket = _BETWEEN, "["
    for value, part in zip(values, parts[2::2], strict=True):
        if not bracket:  # quotes go on after what looked like the last tag
            return None
        following = between.get(part)
        if following is None:
            body, bracket, label = part[2:].rpartition("[")
            if part[:2] != "]\n" or "[" in body:
                return None
            following = label[:-1]
            if not bracket:  # the last tag
                body = label
            elif label[-1:] != " " or not _NAME.match(following):
                return None
            raw.append((name, value, tuple(body.split())))
        else:
            raw.append((name, value, ""))
        name = following
    return raw if len(raw) == len(values) and not bracket else None


def _tag(
    text: str, pos: int, warnings: Warnings
) -> tuple[RawTag | None, int, bool, tuple[int, int]]:
    """The tag pair at `pos` with its items, where they end, was there a blank line, its value."""
    found = _TAG.match(text, pos)
    if found is None:
        found = _LOOSE_TAG.match(text, pos)
        if found is None:
            return None, pos, False, (pos, pos)
        warnings.at(pos, f'tag {found[1]} is not written as [{found[1]} "value"]')
        items, end, blank = _items(text, found.end(), warnings)
        return (found[1], unescape(found[2]), items), end, blank, found.span(2)
    name, value, body = found.groups()
    if "\\" in value:
        value = unescape(value)
    end, span = found.end(), found.span(2)
    gap = _BLANK.search(body)
    simple = end == len(text) or text[end] == "["
    if simple and (gap is None or not body[gap.end() :].strip()):
        return (name, value, tuple(body.split())), end, gap is not None, span
    items, end, blank = _items(text, found.start(3), warnings)
    return (name, value, items), end, blank, span


def _items(text: str, pos: int, warnings: Warnings) -> tuple[tuple[str, ...], int, bool]:
    """Tokens from `pos` to the next tag pair or blank line; where they end; was it a blank line."""
    items: list[str] = []
    size, blank = len(text), False
    while pos < size:
        found = _ITEM.match(text, pos)
        if found is None:  # cannot be: every character begins one of the alternatives
            pos += 1
            continue
        kind = found.lastgroup
        if blank and kind not in ("space", "blank"):
            break
        if kind == "tag":
            if _TAG.match(text, pos) or _LOOSE_TAG.match(text, pos):
                break
            end = text.find("\n", pos)
            end = size if end < 0 else end
            warnings.at(pos, f"not a tag pair: {shorten(text[pos:end])}")
            items.append(text[pos:end].rstrip())
            pos = end
            continue
        if kind == "blank":
            blank = True
        elif kind == "open":
            warnings.at(pos, "a comment in braces is never closed")
            items.append(found[0] + "}")
        elif kind != "space":
            items.append(found[0])
        pos = found.end()
    return tuple(items), pos, blank
