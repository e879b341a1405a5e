"""Reading rule files: indented outlines of auctions, calls and what they show, as plain values.
Nothing here knows what a constraint or a condition means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.systems.errors import RuleError, did_you_mean

DEFAULT_PRIORITY: Final = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written."""

    file: str
    line: int

    def error(self, what: str, hint: str = "") -> RuleError:
        return RuleError(what, self.file, self.line, hint)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class ShowsText:
    """One constraint set of a rule: its text, its priority and, perhaps, words of its own."""

    text: str
    priority: int
    words: str
    place: Place


@dataclass(frozen=True, slots=True)
class RuleText:
    """A call with what it shows. `agree` and `tags` are what later rules may ask for."""

    call: str
    words: str
    sets: tuple[ShowsText, ...]
    place: Place
    forcing: Forcing = Forcing.NONE
    act: SpeechAct | None = None
    alert: bool = False
    agree: str = ""
    tags: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    artificial: bool = False


@dataclass(frozen=True, slots=True)
class BlockText:
    """Rules that share a position in the auction.

    `patterns` is empty for `anytime` blocks; `each` pairs a variable with the suits it runs over.
    """

    patterns: tuple[str, ...]
    each: tuple[tuple[str, str], ...]
    when: tuple[str, ...]
    rules: tuple[RuleText, ...]
    place: Place
    convention: str = ""
    layer: int = 10
    negative: bool = False
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A hand, the auction so far and the call the system must find."""

    hand: str
    auction: str
    call: str
    vul: str
    place: Place
    convention: str = ""
    unless: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()  # conventions its auction takes for granted
    standard: bool = False  # it holds for the card as it stands, no switch changed


@dataclass(frozen=True, slots=True)
class ConventionText:
    """What a file says about a convention besides its rules; a file may say nothing (`about` is
    empty) and leave it to another one."""

    name: str
    title: str
    place: Place
    about: str = ""
    players: str = ""  # who plays it
    gives_up: str = ""  # what the calls were good for otherwise
    topic: str = ""
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    fixed: bool = False  # part of the system: it cannot be switched off
    bare: bool = False  # it has no rules: something else asks whether it is on


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A whole file, read."""

    name: str
    blocks: tuple[BlockText, ...]
    examples: tuple[Example, ...]
    defines: dict[str, str]
    conventions: dict[str, ConventionText]
    header: dict[str, tuple[str, ...]]


_FORCING: Final = {
    "forcing": Forcing.ONE_ROUND,
    "gf": Forcing.GAME,
    "slam-forcing": Forcing.SLAM,
    "signoff": Forcing.SIGN_OFF,
}
_ACTS: Final = {
    "asks": SpeechAct.ASKING,
    "answers": SpeechAct.ANSWERING,
    "denies": SpeechAct.DENYING,
    "preempts": SpeechAct.PREEMPTING,
    "orders": SpeechAct.ORDERING,
    "invites": SpeechAct.INVITING,
    "promises": SpeechAct.PROMISING,
}
_HEADER: Final = (
    "system", "extends", "include", "on", "off", "layer", "title", "describe", "move", "without",
)  # fmt: skip
_SWITCH: Final = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_RULE: Final = re.compile(
    r'(?P<call>[^":]+?)\s*"(?P<words>[^"]*)"(?P<flags>[^:]*)(?::(?P<shows>.*))?\Z'
)
_PRIORITY: Final = re.compile(r"@\s*(-?\d+)\s*(?:\"([^\"]*)\")?\s*\Z")
_EXAMPLES: Final = re.compile(r"(?:with (?P<uses>[^:]*?))?\s*(?:without (?P<unless>[^:]*))?\Z")
_EXAMPLE: Final = re.compile(
    r"(?P<hand>\S+)\s+(?P<auction>.*?)\s*->\s*(?P<call>\S+)(?:\s+vul\s+(?P<vul>\w+))?\Z"
)


@dataclass(slots=True)
class _Line:
    indent: int
    text: str
    place: Place


@dataclass(slots=True)
class _Reader:
    """The state while one file is read."""

    name: str
    lines: list[_Line]
    at: int = 0
    convention: str = ""
    unless: tuple[str, ...] = ()
    layer: int = 10
    blocks: list[BlockText] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    conventions: dict[str, ConventionText] = field(default_factory=dict)
    topic: str = ""
    header: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def read(self) -> RuleFile:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.indent:
                raise line.place.error(
                    "this line is indented but belongs to nothing",
                    "blocks begin with `after`, `anytime` or `never` at the left margin",
                )
            self.at += 1
            self._top(line)
        return RuleFile(
            self.name, tuple(self.blocks), tuple(self.examples), self.defines,
            self.conventions, self.header,
        )  # fmt: skip

    def _top(self, line: _Line) -> None:
        word, _, rest = line.text.partition(" ")
        rest = rest.strip()
        if word in ("after", "opening", "anytime", "never"):
            self._block(word, rest, line)
        elif word == "convention":
            self._convention(rest, line)
        elif word == "unless":
            self.convention, self.unless = "", tuple(_names(rest))
        elif line.text in ("always", "always:"):
            self.convention, self.unless = "", ()
        elif word == "topic":
            self.topic = _quoted(rest, line.place)[1]
        elif word == "define":
            name, equals, text = rest.partition("=")
            if not equals or not name.strip():
                raise line.place.error("a definition reads `define name = constraints`")
            self.defines[name.strip()] = text.strip()
        elif word.rstrip(":") == "examples":
            self._read_examples(rest.rstrip(":"), line.place)
        elif word == "layer":
            if not rest.isdigit():
                raise line.place.error(f"a layer is a number, not {rest!r}")
            self.layer = int(rest)
        elif word == "either" or line.text.startswith("one of "):
            names = _names(rest.removeprefix("of ") if word == "one" else rest)
            if len(names) < 2:
                raise line.place.error(f"`{word}` names two or more conventions, with commas")
            self.header[word] = (*self.header.get(word, ()), "|".join(names))
        elif word in _HEADER:
            name, words = _quoted(rest, line.place)
            self.header[word] = (*self.header.get(word, ()), *_names(name))
            if word == "system" and words:
                self.header["title"] = (words,)
        else:
            known = (
                "after", "opening", "anytime", "never", "convention", "define", "either",
                "examples", "one of", "topic",
            )  # fmt: skip
            raise line.place.error(f"cannot read {word!r}", did_you_mean(word, [*known, *_HEADER]))

    def _convention(self, rest: str, line: _Line) -> None:
        """A section begins; indented lines tell what a player should know about the switch."""
        name, words = _quoted(rest, line.place)
        if not _SWITCH.match(name):
            raise line.place.error(
                f"{name!r} is no name for a convention", "small letters, digits and hyphens"
            )
        self.convention, self.unless = name, ()
        told = self.conventions.get(name) or ConventionText(
            name, words or name, line.place, topic=self.topic
        )
        while self.at < len(self.lines) and self.lines[self.at].indent > line.indent:
            inner = self.lines[self.at]
            self.at += 1
            word, _, text = inner.text.partition(" ")
            if word == "about":
                told = replace(told, about=_quoted(text, inner.place)[1])
            elif word == "players":
                told = replace(told, players=_quoted(text, inner.place)[1])
            elif word == "gives-up":
                told = replace(told, gives_up=_quoted(text, inner.place)[1])
            elif word == "needs":
                told = replace(told, needs=(*told.needs, *_names(text)))
            elif word == "excludes":
                told = replace(told, excludes=(*told.excludes, *_names(text)))
            elif inner.text == "fixed":
                told = replace(told, fixed=True)
            elif inner.text == "no rules":
                told = replace(told, bare=True)
            else:
                raise inner.place.error(
                    f"cannot read {inner.text[:40]!r} here",
                    'below `convention` stand about "…", players "…", gives-up "…", needs …, '
                    "excludes …, fixed, no rules",
                )
        self.conventions[name] = told

    def _block(self, kind: str, rest: str, line: _Line) -> None:
        call = ""
        if kind == "never":
            call, _, rest = rest.partition(" ")
        body, when = _split_when(rest)
        body, each = _split_each(body, line.place)
        patterns: tuple[str, ...] = ()
        if kind == "after":
            patterns = tuple(p.strip() for p in body.split("|") if p.strip())
            if not patterns:
                raise line.place.error("`after` needs an auction, like `after 1NT 2C`")
        elif body.strip():
            raise line.place.error(f"cannot read {body.strip()!r} here")
        elif kind == "opening":
            patterns = ("",)
        rules: list[RuleText] = []
        conditions = list(when)
        while self.at < len(self.lines) and self.lines[self.at].indent > line.indent:
            inner = self.lines[self.at]
            self.at += 1
            if inner.text.startswith("when "):
                conditions.extend(_names(inner.text[5:]))
            else:
                rules.append(self._rule(inner))
        if kind == "never":
            rules = [RuleText(call, f"never {call}", (), line.place)]
        elif not rules:
            raise line.place.error("a block without rules", "indent the calls below it")
        self.blocks.append(
            BlockText(patterns, each, tuple(conditions), tuple(rules), line.place,
                      self.convention, self.layer, kind == "never", self.unless)
        )  # fmt: skip

    def _rule(self, line: _Line) -> RuleText:
        match = _RULE.match(line.text)
        if match is None:
            raise line.place.error(
                f"cannot read the rule {line.text[:50]!r}",
                'a rule reads: call "words" flags : constraints @priority',
            )
        sets = []
        if match["shows"] is not None:
            sets.append(_shows(match["shows"], match["words"], line.place))
        while self.at < len(self.lines) and self.lines[self.at].indent > line.indent:
            more = self.lines[self.at]
            self.at += 1
            if not more.text.startswith(":"):
                raise more.place.error(f"expected `: constraints`, found {more.text[:40]!r}")
            sets.append(_shows(more.text[1:], match["words"], more.place))
        if not sets:
            sets.append(ShowsText("any", DEFAULT_PRIORITY, match["words"], line.place))
        flags = _flags(match["flags"], line.place)
        return RuleText(match["call"].strip(), match["words"], tuple(sets), line.place, **flags)  # type: ignore[arg-type]

    def _read_examples(self, rest: str, place: Place) -> None:
        """`examples:`, `examples with stayman without bergen:` for what their auctions take, or
        `examples of the standard card:`."""
        standard = rest == "of the standard card"
        match = _EXAMPLES.match("" if standard else rest)
        if match is None:
            raise place.error("examples read `examples:` or `examples with stayman, drury:`")
        uses, unless = _names(match["uses"] or ""), _names(match["unless"] or "")
        while self.at < len(self.lines) and self.lines[self.at].indent:
            line = self.lines[self.at]
            self.at += 1
            match = _EXAMPLE.match(line.text)
            if match is None:
                raise line.place.error("an example reads: hand auction -> call")
            self.examples.append(
                Example(match["hand"], match["auction"].strip(" -"), match["call"],
                        match["vul"] or "None", line.place, self.convention,
                        (*self.unless, *unless), tuple(uses), standard)
            )  # fmt: skip


def read_rules(text: str, name: str) -> RuleFile:
    """Parse the text of a rule file; errors name the file and the line."""
    return _Reader(name, list(_lines(text, name))).read()


def _lines(text: str, name: str) -> Iterator[_Line]:
    for number, raw in enumerate(text.splitlines(), 1):
        stripped = _without_comment(raw).rstrip()
        if stripped.strip():
            if "\t" in stripped[: len(stripped) - len(stripped.lstrip())]:
                raise RuleError("indent with spaces, not tabs", name, number)
            body = stripped.lstrip()
            yield _Line(len(stripped) - len(body), body, Place(name, number))


def _without_comment(line: str) -> str:
    quoted = False
    for i, c in enumerate(line):
        if c == '"':
            quoted = not quoted
        elif c == "#" and not quoted:
            return line[:i]
    return line


def _shows(text: str, words: str, place: Place) -> ShowsText:
    body, priority = text.strip(), DEFAULT_PRIORITY
    match = _PRIORITY.search(body)
    if match:
        priority, words = int(match[1]), match[2] or words
        body = body[: match.start()].strip()
    elif "@" in body:
        raise place.error("a priority is a number at the end: `… @110`")
    return ShowsText(body or "any", priority, words, place)


def _flags(text: str, place: Place) -> dict[str, object]:
    out: dict[str, object] = {}
    tags: list[str] = []
    body, when = _split_when(text)
    out["when"] = when
    words = body.split()
    i = 0
    while i < len(words):
        word = words[i]
        i += 1
        if word in _FORCING:
            out["forcing"] = _FORCING[word]
        elif word in _ACTS:
            out["act"] = _ACTS[word]
        elif word == "alert":
            out["alert"] = True
        elif word == "artificial":
            out["artificial"] = out["alert"] = True
        elif word in ("agree", "tag") and i < len(words):
            if word == "agree":
                out["agree"] = words[i]
            else:
                tags.append(words[i])
            i += 1
        else:
            known = [*_FORCING, *_ACTS, "alert", "artificial", "agree", "tag", "when"]
            raise place.error(f"no such flag {word!r}", did_you_mean(word, known))
    out["tags"] = tuple(tags)
    return out


def _split_when(text: str) -> tuple[str, tuple[str, ...]]:
    match = re.search(r"(?:^|\s)when\s", text)
    if not match:
        return text, ()
    return text[: match.start()], tuple(_names(text[match.end() :]))


def _split_each(text: str, place: Place) -> tuple[str, tuple[tuple[str, str], ...]]:
    match = re.search(r"(?:^|\s)for\s", text)
    if not match:
        return text, ()
    pairs = []
    for part in _names(text[match.end() :]):
        name, found, suits = part.partition(" in ")
        if not found:
            raise place.error("`for` reads: for X in unbid suits")
        pairs.append((name.strip(), suits.strip()))
    return text[: match.start()], tuple(pairs)


def _quoted(text: str, place: Place) -> tuple[str, str]:
    name, quote, rest = text.partition('"')
    if quote and not rest.endswith('"'):
        raise place.error("the quotation mark is not closed")
    return name.strip(), rest.rstrip('"')


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
