"""A bidding system: rule files read, switches set, rules compiled and indexed by auction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from overtrick.game.calls import Call
from overtrick.game.errors import BridgeError
from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.systems.card import (
    ConventionCard,
    card_of,
    fitted,
    is_file,
    parse_line,
    read,
    split_names,
)
from overtrick.systems.compiled import Block, Rule, ShowsRule
from overtrick.systems.conditions import Condition, is_about_tags, parse_condition, parse_suits
from overtrick.systems.context import Context
from overtrick.systems.errors import RuleError, UnknownSystem, did_you_mean
from overtrick.systems.moved import RangeShift, moved, parse_move
from overtrick.systems.patterns import CUE, VARIABLES, CallTerm, choices, expand, parse_call
from overtrick.systems.shows import parse_shows
from overtrick.systems.switches import Convention, exclude_each_other, merged, rivals, settled
from overtrick.systems.syntax import (
    BlockText,
    ConventionText,
    Example,
    RuleFile,
    RuleText,
    read_rules,
)

_NO_BINDINGS: Final[Mapping[str, int]] = {}
_MOST_ANSWERS: Final = 4096


@dataclass(slots=True, eq=False)
class System:
    """Everything a partnership has agreed, ready to be matched.

    >>> from overtrick.systems import load
    >>> found = load("acol")
    >>> found.name, "stayman" in found.playing
    ('acol', True)
    """

    name: str
    title: str
    files: dict[str, RuleFile]
    switches: dict[str, bool]
    told: dict[str, ConventionText]  # what the files say about each convention
    index: dict[tuple[int, ...], list[tuple[Block, dict[str, int]]]] = field(default_factory=dict)
    generic: list[Block] = field(default_factory=list)
    never: list[tuple[Block, CallTerm]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    standard: dict[str, bool] = field(default_factory=dict)  # the switches before any change
    one_of: list[tuple[str, ...]] = field(default_factory=list)  # of each exactly one is on
    moves: tuple[RangeShift, ...] = ()  # notrump structures of other systems' files, for our ranges
    without: tuple[str, ...] = ()  # openings after which other systems' files do not count
    source: str = ""
    folders: tuple[str, ...] = ()  # its own and those of the systems it extends
    offers: dict[tuple[int, ...], Any] = field(default_factory=dict, repr=False)  # of `reading`
    # What generic blocks ask: every different question has a bit.
    _bits: dict[str, int] = field(default_factory=dict, repr=False)
    _of_tags: list[tuple[int, Condition]] = field(default_factory=list, repr=False)
    _others: list[tuple[int, Condition]] = field(default_factory=list, repr=False)
    _asked: list[tuple[int, Block]] = field(default_factory=list, repr=False)
    _tags: dict[tuple[object, ...], int] = field(default_factory=dict, repr=False)
    _answers: dict[int, list[Block]] = field(default_factory=dict, repr=False)

    def ask(self, block: Block) -> None:
        """One more `anytime` block, for auctions in which all it asks is so."""
        every = 0
        for question, asked in zip(block.asks, block.when, strict=True):
            if question not in self._bits:
                bit = self._bits[question] = 1 << len(self._bits)
                (self._of_tags if is_about_tags(question) else self._others).append((bit, asked))
            every |= self._bits[question]
        found = replace(block, when=())
        self.generic.append(found)
        self._asked.append((every, found))

    def generic_for(self, ctx: Context) -> list[Block]:
        """The `anytime` blocks whose conditions hold. Each different question is asked once; the
        same answers give the same blocks."""
        me, lho, partner, rho = ctx.me, ctx.lho, ctx.partner, ctx.rho
        told = ctx.told
        key = (told[me].tags, told[lho].tags, told[partner].tags, told[rho].tags)
        known = self._tags.get(key)
        if known is None:
            if len(self._tags) >= _MOST_ANSWERS:
                self._tags.clear()
            known = self._tags[key] = _yes(self._of_tags, ctx)
        known |= _yes(self._others, ctx)
        found = self._answers.get(known)
        if found is None:
            if len(self._answers) >= _MOST_ANSWERS:
                self._answers.clear()
            found = self._answers[known] = [b for every, b in self._asked if not every & ~known]
        return found

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """Every convention the system knows, as its card shows it, in the order of the files."""
        return tuple(
            Convention(
                t.name, t.title, t.about, t.players, t.gives_up, t.topic, t.needs,
                rivals(self.told, t.name),
                t.fixed, self.standard[t.name], self.switches[t.name],
            )
            for t in self.told.values()
        )  # fmt: skip

    @property
    def own(self) -> list[RuleFile]:
        """The files of the system and of those it extends, without what it borrows from others."""
        return [f for key, f in self.files.items() if key.partition("/")[0] in self.folders]

    @property
    def titles(self) -> dict[str, str]:
        """The title of each convention."""
        return {t.name: t.title for t in self.told.values()}

    @property
    def playing(self) -> frozenset[str]:
        """Names of the switches that are on."""
        return frozenset(n for n, on in self.switches.items() if on)

    def rules(self) -> Iterator[Rule]:
        for block in self.blocks:
            yield from block.rules

    def examples(self) -> Iterator[Example]:
        """Examples of the files, without those of conventions that are off."""
        own = self.own
        for file in self.files.values():
            for example in file.examples:
                if file not in own and self._means_otherwise(example.auction):
                    continue
                off = any(self.switches.get(u, False) for u in example.unless)
                used = all(self.switches.get(u, True) for u in example.uses)
                if example.standard and self.switches != self.standard:
                    continue
                if used and self.switches.get(example.convention, True) and not off:
                    yield example

    def _means_otherwise(self, auction: str) -> bool:
        """Does an example of another system begin with a call that has another meaning here (ours
        or theirs: both are read by this system), or go on after a notrump of another range?"""
        opened = next((word for word in auction.split() if word != "P"), "").strip("()")
        return opened in self.without or any(m.of(auction) for m in self.moves)

    def concrete_rules(self) -> int:
        """How many rules there are once suit variables are written out (generic ones count once
        for each suit they may stand for)."""
        total = 0
        for entries in self.index.values():
            for block, bound in entries:
                total += sum(_expansions(rule, bound) for rule in block.rules)
        for block in self.generic:
            suits = 4 if block.each else 1
            total += sum(len(r.sets) * suits * (3 if r.free else 1) for r in block.rules)
        return total


def _expansions(rule: Rule, bound: Mapping[str, int]) -> int:
    count = len(rule.sets)
    for variable in rule.free:
        count *= max(1, len(choices(variable, bound)))
    return count


_LIBRARY: Final = "library"


def library_names() -> list[str]:
    """The systems that ship with the package.

    >>> "acol" in library_names(), "sayc" in library_names()
    (True, True)
    """
    root = files("overtrick.systems") / _LIBRARY
    return sorted(d.name for d in root.iterdir() if d.is_dir() and (d / "system.bid").is_file())


def title_of(name: str) -> str:
    """The title of a system, without reading its rules."""
    head = _Loader().chain(name)[0][1]
    return next(iter(head.header.get("title", (name,))), name)


def load(name: str, on: tuple[str, ...] = (), off: tuple[str, ...] = ()) -> System:
    """A system by name, by a card (its line or its file) or by the path of a folder with a
    system.bid, with switches changed. The same question gives the same system, so that what it
    remembers is shared.

    >>> load("sayc").title
    'Standard American Yellow Card'
    >>> "drury" in load("sayc", on=("drury",)).playing
    True
    """
    card = named_card(name)
    both = {*on, *off}
    return _loaded(
        card.system,
        (*(n for n in card.on if n not in both), *on),
        (*(n for n in card.off if n not in both), *off),
    )


def named_card(name: str) -> ConventionCard:
    """What a text that names a system says: a folder may have any name, a card has its line."""
    if not is_file(name):
        return ConventionCard(name) if (Path(name) / "system.bid").is_file() else parse_line(name)
    found = read(Path(name))
    return found.card if name.endswith(".toml") else fitted(found).card


def agreed(name: str, on: str = "", off: str = "") -> str:
    """The line of the card that is played: what a side declares, and what is kept of it. A file is
    read now and not named in it.

    >>> agreed("sayc"), agreed("sayc", on="drury")
    ('sayc', 'sayc +drury')
    """
    if not (on or off) and name in library_names():
        return name
    return card_of(load(name, split_names(on), split_names(off))).line


@lru_cache(maxsize=256)
def declared(text: str) -> str:
    """The card that a side declared, if it is one of a system of the library; '' for any other.
    What somebody else says never makes us read a file.

    >>> declared("sayc +drury"), declared("something else")
    ('sayc +drury', '')
    """
    if text in library_names():
        return text
    try:
        card = parse_line(text)
        if card.system not in library_names():
            return ""
        return card_of(_loaded(card.system, card.on, card.off)).line
    except BridgeError:
        return ""


@lru_cache(maxsize=64)
def _loaded(name: str, on: tuple[str, ...], off: tuple[str, ...]) -> System:
    loader = _Loader()
    chain = loader.chain(name)
    made = loader.assemble(name, chain)
    made.switches = settled(made.told, made.standard, on, off, made.name, made.one_of)
    _compile(made)
    return made


def load_with(name: str, switches: Mapping[str, bool]) -> System:
    """The same with a mapping of switches, as a convention card gives it.

    >>> "drury" in load_with("sayc", {"drury": True}).playing
    True
    """
    on = tuple(sorted(n for n, v in switches.items() if v))
    off = tuple(sorted(n for n, v in switches.items() if not v))
    return load(name, on, off)


def system_of_text(text: str, name: str = "text") -> System:
    """A system from the text of one rule file: for tests, notebooks and the web editor.

    >>> system_of_text("", "mine").name
    'mine'
    """
    file = read_rules(text, name)
    made = System(name, name, {name: file}, {}, {}, folders=(name.partition("/")[0],))
    _describe(made, [file])
    made.standard.update(dict.fromkeys(made.told, True))
    made.standard.update(dict.fromkeys(file.header.get("off", ()), False))
    made.switches = dict(made.standard)
    _compile(made)
    return made


class _Loader:
    """Finds and reads the files of a system and of those it extends."""

    def __init__(self) -> None:
        self.root = Path(str(files("overtrick.systems"))) / _LIBRARY

    def folder(self, name: str) -> Path:
        for candidate in (self.root / name, Path(name)):
            if (candidate / "system.bid").is_file():
                return candidate
        hint = did_you_mean(name, library_names())
        known = hint or f"there are {', '.join(library_names())}"
        raise UnknownSystem(f"no bidding system called {name!r}; {known}")

    def chain(self, name: str) -> list[tuple[Path, RuleFile]]:
        """The system's own description first, then those it extends."""
        out: list[tuple[Path, RuleFile]] = []
        seen: dict[str, None] = {}
        while name:
            if name in seen:
                raise UnknownSystem(f"systems extend each other in a circle: {', '.join(seen)}")
            seen[name] = None
            folder = self.folder(name)
            head = read_rules(
                (folder / "system.bid").read_text(encoding="utf-8"), f"{folder.name}/system.bid"
            )
            out.append((folder, head))
            name = next(iter(head.header.get("extends", ())), "")
        return out

    def assemble(self, name: str, chain: list[tuple[Path, RuleFile]]) -> System:
        own = chain[0][1]
        title = next(iter(own.header.get("title", (name,))), name)
        made = System(own.header.get("system", (name,))[0], title, {}, {}, {}, source=name)
        made.folders = tuple(folder.name for folder, _ in chain)
        for folder, head in reversed(chain):
            for stem in head.header.get("include", ()):
                self._include(made, folder, stem)
        heads = [head for _, head in reversed(chain)]
        _describe(made, [*made.files.values(), *heads])
        made.without = tuple(c for head in heads for c in head.header.get("without", ()))
        made.moves = tuple(parse_move(m) for head in heads for m in head.header.get("move", ()))
        made.standard = dict.fromkeys(made.told, False)
        free = {n: replace(t, fixed=False) for n, t in made.told.items()}  # to those who write it
        for head in heads:
            on, off = (self._known(made, head.header.get(key, ())) for key in ("on", "off"))
            made.standard = settled(free, made.standard, on, off, made.name)
        return made

    def _known(self, made: System, names: Iterable[str]) -> list[str]:
        """Those that a file defines; the others are a mistake of the system's description."""
        unknown = [n for n in names if n not in made.told]
        made.warnings += [f"{made.name}: no file defines the convention {n!r}" for n in unknown]
        return [n for n in names if n in made.told]

    def _include(self, made: System, folder: Path, stem: str) -> None:
        path = folder / f"{stem}.bid" if "/" not in stem else self.root / f"{stem}.bid"
        if not path.is_file():
            raise UnknownSystem(
                f"{folder.name}/system.bid includes {stem!r}, but there is no {path.name}"
            )
        key = f"{path.parent.name}/{path.name}"
        made.files[key] = read_rules(path.read_text(encoding="utf-8"), key)


def _describe(made: System, read: Iterable[RuleFile]) -> None:
    """Gather what the files say about conventions."""
    groups: list[str] = []
    read = list(read)
    ruled = {block.convention for file in read for block in file.blocks}
    for file in read:  # a convention that is only described belongs to another system
        merged(made.told, (c for c in file.conventions.values() if c.name in ruled or c.bare))
        groups += file.header.get("either", ())
        for names in file.header.get("one", ()):
            made.one_of.append(tuple(n for n in names.split("|") if n in ruled))
    for group in [*(g.split("|") for g in groups), *made.one_of]:
        exclude_each_other(made.told, group)


def _compile(system: System) -> None:
    defines: dict[str, str] = {}
    for file in system.files.values():
        defines.update(file.defines)
    order = 0
    own = system.own
    openings = {int(Call.parse(call)) for call in system.without}
    for file in system.files.values():
        foreign = file not in own
        for text in file.blocks:
            if text.convention and not system.switches.get(text.convention, False):
                continue
            if any(system.switches.get(u, False) for u in text.unless):
                continue
            for moving in moved(text, system.moves if foreign else ()):
                block, order = _block(moving, defines, order)
                _place(system, block, openings if foreign else set())


def _yes(questions: list[tuple[int, Condition]], ctx: Context) -> int:
    """The bits of the questions that are answered with yes."""
    out = 0
    for bit, ask in questions:
        if ask(ctx, _NO_BINDINGS):
            out |= bit
    return out


def _place(system: System, block: Block, without: set[int]) -> None:
    text = block.text
    if text.negative:
        system.never.append((block, block.rules[0].term))
        return
    system.blocks.append(block)
    if not text.patterns:
        system.ask(block)
        return
    for pattern in text.patterns:
        found = False
        ours = not pattern.startswith("(")
        for calls, bound in expand(pattern, text.place):
            found = True
            if ours and calls and calls[0] in without:
                continue
            system.index.setdefault(calls, []).append((block, bound))
        if not found:
            raise text.place.error(f"no auction fits the pattern {pattern!r}")


def _block(text: BlockText, defines: Mapping[str, str], order: int) -> tuple[Block, int]:
    bound = {name for name, _ in text.each}
    if text.patterns:  # only what every alternative binds is surely bound
        bound |= set.intersection(*(_pattern_variables(p) for p in text.patterns))
    each = tuple((name, parse_suits(suits, text.place)) for name, suits in text.each)
    early: dict[str, Condition] = {}
    late: list[Condition] = []
    names = {name for name, _ in text.each}
    for clause in text.when:
        made = parse_condition(clause, text.place)
        loose = set(clause.split()) & set(VARIABLES) - bound
        if loose:
            raise text.place.error(f"{loose.pop()} in `when {clause}` is not bound by the auction")
        if names & set(clause.replace(",", " ").split()):
            late.append(made)
        else:
            early[clause] = made
    rules = []
    for rule in text.rules:
        made_rule, order = _rule(rule, text, bound, defines, order)
        rules.append(made_rule)
    when, asks = tuple(early.values()), tuple(early)
    return Block(when, tuple(late), each, tuple(rules), text, text.layer, asks), order


def _pattern_variables(pattern: str) -> set[str]:
    found = set(re.findall(r"[1-7](oM|om|M|m|X|Y|Z|W|T)\b", pattern))
    found |= set(re.findall(r"(?:cheapest|jump|game) (oM|om|M|m|X|Y|Z|W|T)\b", pattern))
    return found


def _rule(
    text: RuleText, block: BlockText, bound: set[str], defines: Mapping[str, str], order: int
) -> tuple[Rule, int]:
    term = parse_call(text.call, text.place)
    sets = []
    used = {term.variable} - {""}
    for shows in text.sets:
        template = parse_shows(shows.text, shows.place, defines)
        used |= set(template.variables)
        sets.append(ShowsRule(template, shows.priority, shows.words, order))
        order += 1
    if text.agree:
        used.add(text.agree)
    free = tuple(sorted(v for v in used if v not in bound and v not in _FIXED_SUITS))
    for clause in text.when:
        loose = set(clause.split()) & set(VARIABLES) - bound - used
        if loose:
            raise text.place.error(f"{loose.pop()} in `when {clause}` is bound by nothing")
    stem = text.place.file.removesuffix(".bid")
    when = [parse_condition(w, text.place) for w in text.when]
    if term.variable == CUE:
        when.append(lambda c, b: bool(c.their_suits >> b[CUE] & 1))
    made = Rule(
        f"{stem}:{text.place.line}", term, text.words, tuple(sets),
        tuple(when), free, text.forcing,
        _act(text, term), text.alert, text.agree, text.tags, text.artificial, block.convention,
        text.place, text, block.layer,
    )  # fmt: skip
    return made, order


_FIXED_SUITS: Final = frozenset({"C", "D", "H", "S", "clubs", "diamonds", "hearts", "spades"})


def _act(text: RuleText, term: CallTerm) -> SpeechAct:
    """The speech act a rule names, or the one its call suggests."""
    if text.act is not None:
        return text.act
    if text.forcing is Forcing.SIGN_OFF:
        return SpeechAct.ORDERING
    if term.kind == "call" and term.number == 0:
        return SpeechAct.DENYING
    return SpeechAct.ASSERTING


__all__ = [
    "Block", "Convention", "Rule", "RuleError", "ShowsRule", "System", "agreed", "declared",
    "library_names", "load", "load_with", "system_of_text",
]  # fmt: skip
