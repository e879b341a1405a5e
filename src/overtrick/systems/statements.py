"""What a call shows, as rules write it: the constraint language of `worlds` with suit variables
and the words that depend on the auction. Read once for each rule; `shows` binds the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, Final

from overtrick.game.cards import RANKS, SUIT_LETTERS
from overtrick.systems.syntax import Place
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import Between, Constraint, Never, Shapes
from overtrick.worlds.cursor import BIG, ConstraintError
from overtrick.worlds.language import Reader
from overtrick.worlds.templates import Atom, Either, Held, Item, Negation, Template

FIXED_SUITS: Final = {letter: i for i, letter in enumerate(SUIT_LETTERS)}
_MODES: Final = ("combined", "possible", "likely", "extra")
_SHARED: Final = ("HCP", "LP", "POINTS", "SUITLEN")
_HONOURS: Final = {"A": "ACE", "K": "KING", "Q": "QUEEN", "J": "JACK", "T": "TEN"}
_MOST_CARDS: Final = 6  # each combination of them becomes an alternative


class _RuleReader(Reader):
    """The language with values shared with partner and suits that the auction names."""

    more_words: ClassVar[tuple[str, ...]] = (*_MODES, "stopped", "half-stopped", "unbid")

    def statement(self) -> list[Item]:
        special = _SPECIAL.get(self.words[self.at])
        if special is not None and self.texts[self.at] not in self.names:
            return special(self)
        if self.words[self.at] == "control" and self.word(1) in ("unbid", "side"):
            self.at += 2
            return self.each(Atom("CONTROL", (self.words[self.at - 1],), 1, 1))
        return super().statement()

    def with_partner(self) -> list[Item]:
        """`combined points T 26+`: together with the least partner can have."""
        mode, start = self.words[self.at], self.at
        self.at += 1
        self.shared = True
        return [self.in_mode(item, mode, start) for item in super().statement()]

    def in_mode(self, item: Item, mode: str, at: int) -> Item:
        if isinstance(item, Either):
            parts = [[self.in_mode(i, mode, at) for i in p.items] for p in item.parts]
            return Either(tuple(Template(tuple(p)) for p in parts))
        if not isinstance(item, Atom) or item.name not in _SHARED:
            self.fail("`combined` and its like go with hcp, points or the length of a suit", at)
        return replace(item, mode=mode)

    def each(self, atom: Atom) -> list[Item]:
        """A statement about each suit of a kind, which the auction tells."""
        self.shared = True
        return [replace(atom, mode="each")]

    def unbid(self) -> list[Item]:
        """`unbid 3+`: in every suit nobody has bid."""
        self.at += 1
        low, high = self.values("SUITLEN", (), None)[0]
        return self.each(Atom("SUITLEN", ("unbid",), low, high))

    def stopped(self) -> list[Item]:
        """`stopped theirs`, `half-stopped unbid`."""
        low = 3 if self.words[self.at] == "stopped" else 2
        word, which = self.words[self.at], self.word(1)
        self.at += 1
        if which not in ("theirs", "unbid"):
            self.fail(f"`{word}` is followed by `theirs` or `unbid`")
        self.at += 1
        return self.each(Atom("STOP-NT", (which,), low, BIG))


_SPECIAL: Final[dict[str, Callable[[_RuleReader], list[Item]]]] = {
    **dict.fromkeys(_MODES, _RuleReader.with_partner),
    "unbid": _RuleReader.unbid,
    "stopped": _RuleReader.stopped,
    "half-stopped": _RuleReader.stopped,
}


def parse_shows(text: str, place: Place, defines: Mapping[str, str]) -> Template:
    """Read a constraint set; errors name the place in the rule file."""
    try:
        reader = _RuleReader(text, None, defines)
        read = reader.whole()
        return read if reader.plain else replace(read, items=tuple(_as_ranges(read.items)))
    except ConstraintError as error:
        raise place.error(error.what) from None


def _as_ranges(items: Iterable[Item]) -> list[Item]:
    """Shapes and cards as ranges of features, which is all that rules are made of."""
    out: list[Item] = []
    for item in items:
        match item:
            case Atom():
                out.append(item)
            case Either(parts):
                out.append(Either(tuple(Template(tuple(_as_ranges(p.items))) for p in parts)))
            case Negation(part):
                out.append(Negation(Template(tuple(_as_ranges(part.items)))))
            case Held():
                out.append(_held(item))
            case Constraint():
                out += _shaped(item)
    return out


@lru_cache(maxsize=1024)
def _shaped(constraint: Constraint) -> tuple[Item, ...]:
    """A set of shapes as lengths: the ways to hold it, or one range a suit where that is all."""
    if isinstance(constraint, Never):
        return (Negation(Template(())),)
    if isinstance(constraint, Between):  # `shape any 4333 + any 4432 + any 5332` is `balanced`
        return (Atom(constraint.name, (), constraint.low, constraint.high),)
    if not isinstance(constraint, Shapes):
        return ()
    ways = sh.members(constraint.bits)
    spans = [(min(w[s] for w in ways), max(w[s] for w in ways)) for s in range(4)]
    inside = (all(a <= w[s] <= b for s, (a, b) in enumerate(spans)) for w in sh.shapes())
    if sum(inside) == len(ways):
        return tuple(_length(s, low, high) for s, (low, high) in enumerate(spans))
    return (
        Either(tuple(Template(tuple(_length(s, n, n) for s, n in enumerate(w))) for w in ways)),
    )


def _length(suit: int, low: int, high: int) -> Atom:
    return Atom("SUITLEN", (SUIT_LETTERS[suit],), low, high)


def _held(item: Held) -> Item:
    """So many of some honours, as each combination of them."""
    names = [(_HONOURS.get(RANKS[rank]), suit) for suit, rank in item.cards]
    if len(names) > _MOST_CARDS or any(name is None for name, _ in names):
        raise ConstraintError(f"a rule names up to {_MOST_CARDS} cards, none below the ten")
    ways = []
    for size in range(item.low, item.high + 1):
        for chosen in combinations(range(len(names)), size):
            atoms = (
                Atom(str(name), (suit,), int(i in chosen), int(i in chosen))
                for i, (name, suit) in enumerate(names)
            )
            ways.append(Template(tuple(atoms)))
    return Either(tuple(ways))


__all__ = ["BIG", "FIXED_SUITS", "Atom", "Either", "Negation", "Template", "parse_shows"]
