"""Engines by string: `name(option=value, …)` is the one spelling in CLI, web, match files, Python.
Others add theirs by entry points."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from overtrick.engines.loading import completed, factory_of, names_code, place_of
from overtrick.engines.terms import Cost, Offer, Offering, cost_of, first_line
from overtrick.game.errors import BridgeError, OptionError, ParseError, WrongType, expect, printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

T = TypeVar("T")


class ConformanceError(AssertionError):
    """An engine breaks the contract of its kind; the text says how and where."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed engine string.

    >>> parse_spec("bmcs(seconds=1, system='sayc')")
    Spec(name='bmcs', options={'seconds': 1, 'system': 'sayc'})
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        inner = ", ".join(f"{k}={_show(v)}" for k, v in self.options.items())
        return f"{self.name}({inner})" if inner else self.name


_WORDS: Final = {"true": True, "false": False, "none": None}


def _show(value: Any) -> str:
    plain = isinstance(value, str) and value.replace("-", "").isidentifier()
    return value if plain and value.lower() not in _WORDS else repr(value)


def parse_spec(text: str) -> Spec:
    """Read `name` or `name(option=value, …)`; bare words as values are strings."""
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if not (name.replace("-", "_").isidentifier() or names_code(name)):
        raise ParseError("an engine reads like name, name(option=value) or ./my_engine.py", text)
    if not bracket:
        return Spec(name)
    if not rest.rstrip().endswith(")"):
        raise ParseError("the bracket is not closed", text)
    options: dict[str, Any] = {}
    for part in split_outside(rest.rstrip()[:-1], ","):
        if not part.strip():
            continue
        key, equals, value = part.partition("=")
        if not equals or not key.strip().isidentifier():
            raise ParseError(f"options read like key=value, not {part.strip()!r}", text)
        options[key.strip()] = _value(value.strip())
    return Spec(name, options)


def split_outside(text: str, mark: str, most: int | None = None) -> list[str]:
    """Split at a mark, `most` times at most, but not inside brackets or quotes.

    >>> split_outside("a(x=1, y='+')+b+c", "+", 1)
    ["a(x=1, y='+')", 'b+c']
    """
    parts: list[str] = []
    depth, quote, start, skip = 0, "", 0, False
    for i, c in enumerate(text):
        if skip:
            skip = False
        elif quote:
            skip = c == "\\"
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c == mark and depth == 0 and (most is None or len(parts) < most):
            parts.append(text[start:i])
            start = i + 1
        else:
            depth += (c in "([{") - (c in ")]}")
    return [*parts, text[start:]]


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):  # the last two: too nested
        return text


def spelled(name: str, engine: Any, *always: str) -> str:
    """The string of an engine that is a dataclass: its name, the options that differ from what they
    are without a word, and those that are `always` told."""
    options = {o.name: (getattr(engine, o.name), o.default) for o in fields(engine) if o.init}
    told = {k: v for k, (v, default) in options.items() if v != default or k in always}
    return str(Spec(name, told))


OUTSIDE: Final = frozenset({"external", "inside", "epbot", "ben"})
"""Engines that start, load or ask somebody else's program."""
_WITHIN: Final = frozenset({"inside", "epbot", "ben"})
"""Those of them that are trusted: they run in this program, or ask one that hears all seats."""
_SYSTEMS: Final = {"system", "theirs"}  # options that may be the path of a card or of rule files
_CARD: Final = re.compile(r"[a-z0-9-]*( [+-][a-z0-9-]+)*")


class Untrusted(OptionError):
    """An engine named by a file that could do more than think about bridge."""


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts([*value.keys(), *value.values()])
        elif isinstance(value, list | tuple | set | frozenset):
            yield from _texts(value)


def _named(spec: Spec) -> Iterator[str]:
    """The options of an engine that may name another engine, and theirs."""
    for text in _texts(spec.options.values()):
        try:
            inner = parse_spec(text)
        except BridgeError:
            continue
        yield text
        yield from _named(inner)


def seated(engines: Iterable[T | str], make: Callable[[str], T], method: str = "") -> list[T]:
    """Four engines, N E S W; those that are strings are made, and a name or a system that others
    lack is there."""
    found = [] if isinstance(engines, str) or not isinstance(engines, Iterable) else list(engines)
    if len(found) != 4:
        raise WrongType("who sits at a table", "a list of four engines, N E S W", engines)
    return [make(e) if isinstance(e, str) else completed(e, method) for e in found]


_REGISTRIES: Final[list[Registry[Any]]] = []
_KINDS: Final = ("overtrick.bidding.base", "overtrick.cardplay.base")


def _entry_points(group: str) -> EntryPoints:
    """What installed packages offer; most engines are ours, and reading that takes time."""
    from importlib.metadata import entry_points

    return entry_points(group=group)


class Registry(Generic[T]):
    """Names to factories; built-in ones are given as 'module:attribute' and loaded when used, the
    best for people first. Those of the `laboratory` are there for papers and measurements: they
    have strings like all others, no table offers them, and most are in a distribution of their
    own, without which they are not there."""

    def __init__(
        self, kind: str, builtin: Mapping[str, str], group: str,
        laboratory: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.kind = kind
        self._offered = tuple(builtin)
        self._builtin = {**builtin, **(laboratory or {})}
        self._laboratory = frozenset(laboratory or ())
        self._group = group
        self._added: dict[str, Callable[..., T]] = {}
        _REGISTRIES.append(self)

    def add(self, name: str, factory: Callable[..., T]) -> None:
        """Register a factory for this process (tests, notebooks)."""
        self._added[name] = factory

    def shipped(self) -> list[str]:
        """The engines of this package."""
        return sorted(self._builtin.keys() - self._absent())

    def _absent(self) -> set[str]:
        """Engines of the laboratory, where it is not installed."""
        places = {name: self._builtin[name].partition(".")[0] for name in self._laboratory}
        return {name for name, package in places.items() if find_spec(package) is None}

    def names(self) -> list[str]:
        """All engines there are: ours, those of other packages, those added in this process."""
        outside = {e.name for e in _entry_points(self._group)}
        return sorted({*self.shipped(), *self._added, *outside})

    def factory(self, name: str) -> Callable[..., T]:
        if name in self._added:
            return self._added[name]
        if name in self._laboratory and name in self._absent():
            raise OptionError(f"{name} is in overtrick-lab: pip install overtrick-lab")
        if name in self._builtin:
            module, _, attribute = self._builtin[name].partition(":")
            found: Callable[..., T] = getattr(import_module(module), attribute)
            return found
        if names_code(name):
            own: Callable[..., T] = factory_of(name, self.kind)
            return own
        for entry in _entry_points(self._group).select(name=name):
            loaded: Callable[..., T] = entry.load()
            return loaded
        names = ", ".join(self.names())
        for module in _KINDS:  # by name: this room knows nothing of the rooms above
            import_module(module)
        if any(name in other.names() for other in _REGISTRIES if other.kind != self.kind):
            wrong = "plays cards and does not bid" if self.kind == "bidder" else "bids only"
            raise OptionError(f"{name} {wrong}; the {self.kind}s are {names}")
        close = get_close_matches(name, self.names(), 1)
        hint = f"; did you mean {close[0]}?" if close else f"; there are {names}"
        raise OptionError(f"no {self.kind} called {name!r}{hint}")

    def cost(self, spec: str) -> Cost:
        """What a decision of an engine costs, which its kind knows: it need not be made."""
        return cost_of(self.factory(parse_spec(spec).name))

    def offers(self) -> Iterator[Offer]:
        """What a table can offer people of this package's engines, the best first. An offer
        without a system has to be made before anybody knows what it declares."""
        for name in self._offered:
            if name in OUTSIDE:
                continue
            kind = self.factory(name)
            ways = kind.offers() if isinstance(kind, Offering) else [Offer(name, first_line(kind))]
            yield from ways

    def as_data(self, spec: str) -> str:
        """The string of an engine that came from a file or from the network, if it is harmless.

        Only engines of this package that start no program may be made from such a string, and so
        for engines named in its options; all others need the word of the person at the keyboard.
        So do networks and systems by the path of a file: one file does not choose what else is
        read.
        """
        parsed = parse_spec(spec)
        if parsed.name not in self._builtin or parsed.name in OUTSIDE:
            raise Untrusted(f"{printable(spec)} could start a program of its own")
        for key in _SYSTEMS & set(parsed.options):
            if not _CARD.fullmatch(str(parsed.options[key])):
                raise Untrusted(
                    f"{printable(spec)} would read a file; a card in one line, such as "
                    "'sayc +dont', needs none"
                )
        for text in _texts(parsed.options.values()):
            if set(text) & {"/", "\\"} and "(" not in text:
                raise Untrusted(f"{printable(spec)} names a file that this one did not come with")
            named = text.partition("(")[0].strip()
            if set(text) & {"(", ":"} or named in OUTSIDE or names_code(named):
                try:
                    self.as_data(text)
                except BridgeError:
                    raise Untrusted(f"{printable(spec)} could start a program of its own") from None
        return spec

    def is_foreign(self, spec: str) -> bool:
        """Does code that is not ours take part in this engine?

        Python of others runs in a process of its own, unless `inside` or this program's own
        `add` says that it is trusted; adapters ask a library or a server as it is.
        """
        parsed = parse_spec(spec)
        known = parsed.name in self._added or parsed.name in self._builtin
        if not known or parsed.name in OUTSIDE:
            return True
        within = {parse_spec(text).name for text in _named(parsed)}
        return any(name in OUTSIDE or names_code(name) for name in within)

    def is_sealed(self, spec: str) -> bool:
        """Does its string leave what is not ours in it in a sealed process, where there is any?"""
        parsed = parse_spec(spec)
        if parsed.name in self._added or parsed.name in _WITHIN:
            return False
        if parsed.name == "external":
            return bool(parsed.options.get("sealed", True))
        return all(self.is_sealed(text) for text in _named(parsed))

    def make(self, spec: str | Spec) -> T:
        """An engine from its string; wrong options are named with the right ones. Python code
        that is not ours is run in a process of its own."""
        expect(spec, (str, Spec), f"a {self.kind}", "text like 'name' or 'name(option=value)'")
        parsed = parse_spec(spec) if isinstance(spec, str) else spec
        if self._is_code_of_others(parsed.name):
            from overtrick.engines.process import ForeignEngine

            needs = (place_of(parsed.name),) if names_code(parsed.name) else ()
            made: Any = ForeignEngine(str(parsed), self.kind, needs)
            return made  # type: ignore[no-any-return]
        return self.make_here(parsed)

    def _is_code_of_others(self, name: str) -> bool:
        if name in self._added or name in self._builtin:
            return False
        return names_code(name) or bool(_entry_points(self._group).select(name=name))

    def make_here(self, spec: str | Spec) -> T:
        """The same in this process, whoever wrote it."""
        parsed = parse_spec(spec) if isinstance(spec, str) else spec
        factory = self.factory(parsed.name)
        allowed = inspect.signature(factory).parameters
        free = any(p.kind is p.VAR_KEYWORD for p in allowed.values())
        for key in parsed.options:
            if key not in allowed and not free:
                known = ", ".join(allowed) or "no options"
                raise OptionError(f"{parsed.name} has no option {key!r}; it takes {known}")
        return factory(**{k: _fitting(parsed.name, allowed.get(k), k, v)
                          for k, v in parsed.options.items()})  # fmt: skip


def _fitting(engine: str, option: inspect.Parameter | None, key: str, value: Any) -> Any:
    """The value as the option's own type, where that is a plain one; else an error in words."""
    wanted = "" if option is None else getattr(option.annotation, "__name__", option.annotation)
    given = type(value)
    if wanted == "str" and given in (int, float):
        return str(value)
    if wanted == "bool" and given is not bool and value not in (0, 1):
        raise OptionError(f"{engine}: {key} is true or false, not {value!r}")
    if wanted in ("int", "float") and given not in (int, float):
        raise OptionError(f"{engine}: {key} is a number, not {value!r}")
    if wanted == "int" and (not float(value).is_integer() or (value < 0 and key != "seed")):
        raise OptionError(f"{engine}: {key} is a whole number, 0 or more, not {value!r}")
    return int(value) if wanted == "int" else value
