"""The constraint language: `hcp 12..14, spades 5+, not balanced, hearts 4 or M 4`.
One grammar for `overtrick deal`, the web, people and rule files; these add a few words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import ClassVar, Final, NoReturn

from overtrick.evaluation import FeatureError, feature
from overtrick.evaluation.features import feature_classes
from overtrick.evaluation.registry import Feature
from overtrick.game.cards import SUIT_LETTERS, SUIT_WORDS, rank_of
from overtrick.game.errors import ParseError, did_you_mean
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    NEVER,
    Constraint,
    shape_set,
)
from overtrick.worlds.cursor import BIG, ConstraintError, Cursor, Interval
from overtrick.worlds.templates import Atom, Either, Held, Item, Negation, Template, bound
from overtrick.worlds.vocabulary import BALANCE, PAIRS, SHAPED, SHORT, VOCABULARY, WORDS, Word

Names = Mapping[str, "Constraint | str"]


_FIRST: Final = frozenset(w.split("-")[0] for w in WORDS if "-" in w) | {"four-card"}
_ENDS: Final = frozenset(("", ",", ")", "or", "and", "|", "||", "&", "&&", "but", "with"))
_SHAPE: Final = re.compile(r"(?=.*\d)(?:[\dx]{4}|\d+(?:[=-]\d+){3}|[\dx]*\([\dx]+\)[\dx()]*)")
_DEEPEST: Final = 60
_MOST_NAMED: Final = 100_000  # characters of all defined pieces in one text
_EXAMPLES: Final = "`overtrick deal --words` lists what there is, such as hcp, losers, balanced"
_END: Final = "expected a comma, 'and', 'or' or the end"


def parse(
    source: str, suits: Mapping[str, int] | None = None, names: Names | None = None
) -> Constraint:
    """The constraint a text describes.

    `suits` binds suit variables (`{"M": 3, "oM": 2}`); `names` holds defined pieces, as
    constraints or as text that is read with the same binding.

    >>> parse("hcp 9+, M 4, oM 5+", {"M": 2, "oM": 3}).words()
    '9+ hcp, 4 hearts, 5+ spades'
    >>> parse("losers S ..7 or 2 of AKQ in hearts").words()
    'at most 7 losers with spades as trumps or 2 of ♥AKQ'
    >>> parse("15-17 balanced") == parse("hcp 15..17, balanced")
    True
    """
    bindings = suits or {}
    return bound(Reader(source, bindings, names or {}).whole(), bindings)


def variables(source: str) -> list[str]:
    """The suit variables a text uses, in order of appearance.

    >>> variables("M 4, oM 5+, losers M ..7")
    ['M', 'oM']
    """
    return list(Reader(source, None, {}).whole().variables)


@lru_cache(maxsize=4096)
def _feature(name: str, suits: tuple[str, ...]) -> Feature | None:
    """The feature, or one like it where suit variables stand; None if there is none."""
    letters = [s if s in ("C", "D", "H", "S", "ALL") else "CDHS"[i] for i, s in enumerate(suits)]
    if len(letters) == 2 and letters[0] == letters[1] and suits[0] != suits[1]:
        letters[0] = "S" if letters[1] != "S" else "H"
    try:
        return feature(f"{name}({','.join(letters)})" if letters else name)
    except FeatureError:
        return None


@cache
def _classes() -> frozenset[str]:
    return frozenset(c.name for c in feature_classes())


class Reader(Cursor):
    """Recursive descent: comma, then `or`, then `and`, then `not`, then one statement. Rule files
    read with a subclass that knows a few words more."""

    more_words: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        source: str,
        suits: Mapping[str, int] | None,
        names: Names,
        within: tuple[str, ...] = (),
    ) -> None:
        super().__init__(source, suits)
        self.names, self.within = names, within
        self.depth = 0
        self.named_size = [0]  # of this text and of the pieces it is made of
        self.strength = False  # did the last statement speak of hcp alone?
        self.shared = False
        self.plain = True  # nothing but ranges of features so far

    def whole(self) -> Template:
        """The whole text."""
        items = self.commas()
        if self.at < len(self.texts) - 1:
            self.fail(_END)
        return Template(tuple(items), tuple(self.variables), self.shared)

    # --- and, or, not

    def commas(self) -> list[Item]:
        items = self.either()
        while self.words[self.at] in (",", "but", "with"):
            self.at += 1
            items += self.either()
        return items

    def either(self) -> list[Item]:
        items = self.both()
        if self.words[self.at] not in ("or", "|", "||"):
            return items
        parts = [Template(tuple(items))]
        while self.accept("or", "|", "||"):
            parts.append(Template(tuple(self.both())))
        return [Either(tuple(parts))]

    def both(self) -> list[Item]:
        items = self.negation()
        while (word := self.words[self.at]) not in (",", "", ")", "or"):
            if word in ("and", "&", "&&"):
                self.at += 1
            elif not self.adjoins(word):
                break
            items += self.negation()
        return items

    def adjoins(self, word: str) -> bool:
        """`15-17 balanced` and `balanced 15-17` need no comma."""
        if self.words[self.at - 1] in SHAPED:
            return self.at_range()
        if not self.strength:
            return False
        return word in SHAPED or (word == "not" and self.word(1) in SHAPED) or self.is_shape()

    def negation(self) -> list[Item]:
        word = self.words[self.at]
        if word in ("not", "!", "no", "without"):
            self.at += 1
            if word == "no" and self.accept("hand"):
                return self.other_item(NEVER)
            if word in ("no", "without") and self.is_suit() and self.word(1) in _ENDS:
                return [Atom("SUITLEN", (self.suit(),), 0, 0)]
            return [Negation(Template(tuple(self.deeper(self.negation))))]
        if word == "(":
            self.at += 1
            items = self.deeper(self.commas)
            if not self.accept(")"):
                self.fail("expected a closing bracket")
            return items
        return self.statement()

    def deeper(self, read: Callable[[], list[Item]]) -> list[Item]:
        """Read what is inside; texts that nest without end are refused."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("too many brackets inside each other")
        items = read()
        self.depth -= 1
        return items

    # --- one statement

    def statement(self) -> list[Item]:
        text, word = self.texts[self.at], self.words[self.at]
        self.strength = False
        if text in self.names:
            return self.named(text)
        if phrase := _STATEMENTS.get(word):
            return phrase(self)
        if self.suit_named(text):
            return self.about_suit()
        if self.is_shape():
            return self.shapes()
        if self.at_range():
            return self.number_first()
        if not word or word in _ENDS:
            self.fail("expected a constraint")
        if word not in WORDS and self.card_run(text):
            return self.cards_all()
        return self.about_feature()

    def other_item(self, item: Item) -> list[Item]:
        """An item that is not a range of a feature."""
        self.plain = False
        return [item]

    def named(self, name: str) -> list[Item]:
        """A defined piece; text is read with the same suits."""
        piece = self.names[name]
        if isinstance(piece, Constraint):
            self.at += 1
            return self.other_item(piece)
        if name in self.within:
            self.fail(f"{name!r} is defined by itself")
        self.at += 1
        inner = type(self)(piece, self.suits, self.names, (*self.within, name))
        inner.depth, inner.named_size = self.depth + 1, self.named_size
        self.named_size[0] += len(piece) + 10
        if self.named_size[0] > _MOST_NAMED:
            self.fail("too many defined pieces inside each other")
        found = inner.whole()
        self.variables.update(inner.variables)
        self.shared |= inner.shared
        self.plain &= inner.plain
        return list(found.items)

    def everything(self) -> list[Item]:
        """`any` alone is every hand; otherwise shapes follow."""
        if self.words[self.at] == "any" and self.is_shape(1):
            return self.shapes()
        self.at += 1
        self.accept("hand")
        return []

    def nothing(self) -> list[Item]:
        self.at += 1
        return self.other_item(NEVER)

    def article(self) -> list[Item]:
        """`a stopper in hearts`, `exactly 5 spades`."""
        self.at += 1
        return self.deeper(self.statement)

    def cards_all(self) -> list[Item]:
        """`has SA SK`, `♠AK`."""
        self.accept("has", "holds", "hold")
        cards = self.cards()
        return self.other_item(Held(cards, len(cards), len(cards)))

    def cards_none(self) -> list[Item]:
        """`none of ♠AK`."""
        self.at += 1
        self.accept("of")
        return self.other_item(Held(self.cards(), 0, 0))

    def short(self) -> list[Item]:
        """`void S`, `singleton in hearts`; `void` alone is one in any suit."""
        size = SHORT[self.words[self.at]]
        self.at += 1
        if self.word() == "in" or self.is_suit():
            self.accept("in")
            return [Atom("SUITLEN", (self.suit(),), size, size)]
        return [_one_of(Atom("SUITLEN", (s,), size, size) for s in SUIT_LETTERS)]

    def control(self) -> list[Item]:
        """`control X` is the first or second round; with a range it counts aces and kings."""
        start = self.at
        self.at += 1
        self.accept("in")
        if self.is_suit():
            suit = self.suit()
            if not self.at_range():
                return [
                    _one_of(
                        (
                            Atom("ACE", (suit,), 1, 1),
                            Atom("KING", (suit,), 1, 1),
                            Atom("SUITLEN", (suit,), 0, 1),
                        )
                    )
                ]
        self.at = start
        return self.about_feature()

    def majors(self) -> list[Item]:
        """`either major 4+`, `both minors 4+`."""
        every = self.words[self.at] == "both"
        self.at += 1
        if self.words[self.at] not in PAIRS:
            self.fail("expected 'major' or 'minor'")
        pair = PAIRS[self.words[self.at]]
        self.at += 1
        values = self.values("SUITLEN", (), None)
        found = [_within("SUITLEN", (s,), values) for s in pair]
        if every:
            return list(found)
        return [Either(tuple(Template((item,)) for item in found))]

    def more(self) -> list[Item]:
        """`more spades than hearts`, `fewer spades than hearts`, `as many spades as hearts`."""
        word = self.words[self.at]
        self.at += 1
        if word == "as" and not self.accept("many"):
            self.fail("expected 'many'")
        return self.difference(word)

    def difference(self, word: str) -> list[Item]:
        low, high = {"more": (1, BIG), "fewer": (-BIG, -1), "as": (0, 0), "least": (0, BIG)}[word]
        suit = self.suit()
        if not self.accept("as" if word in ("as", "least") else "than"):
            self.fail("expected another suit")
        return [Atom("DIF", (suit, self.other_than(suit)), low, high)]

    def any_suit(self) -> list[Item]:
        """`a suit longer than hearts`, `no suit shorter than hearts`."""
        self.at += 1
        word = self.words[self.at]
        if word not in ("longer", "shorter") or self.word(1) != "than":
            self.fail("expected 'longer than' or 'shorter than'")
        self.at += 2
        if word == "longer":
            return [Atom("LONGEST", (self.suit(),), 0, 0)]
        return [Atom("LONG", (self.suit(),), 1, 1)]

    # --- shapes

    def balanced(self) -> list[Item]:
        """`balanced` and its kin; `- 4333` and the like make it a set of shapes."""
        if self.word(1) in ("+", "-") and (self.is_shape(2) or self.word(2) == "any"):
            return self.shapes()
        found = BALANCE[self.words[self.at]]
        self.at += 1
        self.accept("hand")
        return [Atom("BAL", (), *found)]

    def shape(self) -> list[Item]:
        """`shape 5332`, `shape any 4441`; with a range it is how far from balanced: `shape ..1`."""
        if self.is_shape(1) or self.word(1) in SHAPED or self.word(1) == "any":
            self.at += 1
            return self.shapes()
        return self.about_feature()

    def is_shape(self, ahead: int = 0) -> bool:
        text = self.text(ahead)
        return len(text) > 3 and _SHAPE.fullmatch(text) is not None

    def shapes(self) -> list[Item]:
        """Patterns joined by + and -: `any 4333 + any 4432 - 4=4=3=2`."""
        bits, sign = 0, "+"
        while True:
            new = self.one_shape()
            bits = bits | new if sign == "+" else bits & ~new
            follows = self.is_shape(1) or self.word(1) == "any"
            if self.words[self.at] not in ("+", "-") or not follows:
                break
            sign = self.words[self.at]
            self.at += 1
        self.accept("hand")
        return self.other_item(shape_set(bits))

    def one_shape(self) -> int:
        loose = self.accept("any")
        text = self.texts[self.at]
        known = sh.named(text.lower()) if text.lower() in SHAPED else None
        if known is not None:
            self.at += 1
            return known
        if not self.is_shape():
            self.fail("expected a shape such as 5332, 5=3=3=2 or (54)31")
        self.at += 1
        loose = self.accept("any") or loose
        try:
            return sh.parse_shape(f"any {text}" if loose else text)
        except ParseError as error:
            raise ConstraintError(error.what, self.source, self.place(self.at - 1)) from None

    # --- ranges

    def values(self, name: str, suits: tuple[str, ...], default: Interval | None) -> list[Interval]:
        """One or more ranges: `12..14`, `1/4`, `1 or 4`; `default` where none is written."""
        if not self.at_range():
            if default is None:
                self.fail(f"expected a range for {_spoken(name)} such as 5+, 2..4 or ..3")
            return [default]
        if self.words[self.at] in ("<", ">"):
            found = _feature(name, suits)
            self.step = found.of.step or 1 if found else 1
        out = [self.interval()]
        self.step = 1
        while (word := self.words[self.at]) in ("/", "or"):
            if word == "or" and not self.value_ends():
                break
            self.at += 1
            out.append(self.interval())
        return out

    def value_ends(self) -> bool:
        """Does `or` go on with a bare value, not with a statement such as `4+ spades`?"""
        i = 1
        if not self.word(1)[:1].isdigit() and self.word(1) != "..":
            return False
        while re.fullmatch(r"-?[\d.]+½?|\.\.|\+|[-–—]", self.word(i)):
            i += 1
        return self.word(i) in _ENDS or self.word(i) in SHAPED

    def ranged(
        self, name: str, suits: tuple[str, ...], default: Interval | None = None
    ) -> list[Item]:
        """A feature followed by its ranges."""
        found = _within(name, suits, self.values(name, suits, default))
        self.strength = name == "HCP" and not suits
        return [found]

    def number_first(self) -> list[Item]:
        """`12–14 hcp`, `5+ spades`, `2 of AKQ in hearts`, `0 or 3 keycards X`; a range alone is
        one of high-card points."""
        if self.word(1) in ("<", "<="):
            return self.chain()
        if self.follow("at least as many"):
            return self.difference("least")
        if self.word(2) == "half" and self.follow("at least"):
            return self.about_feature()
        start = self.at
        ranges = [self.interval()]
        while self.accept("/") or (
            self.word() == "or" and self.word(1)[:1].isdigit() and not self.is_shape(1)
        ):
            self.accept("or")
            ranges.append(self.interval())
        if self.accept("of"):
            return self.other_item(self.some_of(ranges))
        name, suits = self.noun()
        if name == "SUITLEN" and len(ranges) > 1 and max(low for low, _ in ranges) > 13:
            self.fail("a suit has thirteen cards; write hcp before the points", start)
        self.strength = name == "HCP" and not suits
        return [_within(name, suits, ranges)]

    def some_of(self, ranges: list[Interval]) -> Item:
        """`2 of AKQ in hearts`, `2 of AKQ in the long suit`."""
        ranks = [rank_of(c) for c in self.text()]
        if self.words[self.at + 1 : self.at + 3] == ["in", "the"] and None not in ranks:
            self.at += 1
            if not (self.follow("in the long suit") or self.follow("in the longest suit")):
                self.fail("expected 'in hearts' or 'in the long suit'")
            ways = [tuple((suit, r) for r in ranks if r is not None) for suit in SUIT_LETTERS]
            parts = [
                Template((Atom("LONGEST", (way[0][0],), 1, 1), _held(way, ranges))) for way in ways
            ]
            return Either(tuple(parts))
        return _held(self.cards(), ranges)

    def noun(self) -> tuple[str, tuple[str, ...]]:
        """What a number counts."""
        if self.accept("card", "cards"):
            if self.follow("from balanced"):
                return "BAL", ()
            self.accept("in")
            self.accept("the")
        if self.is_suit():
            suit = self.suit()
            if self.words[self.at - 2] == "in" and self.word() in ("and", "+") and self.is_suit(1):
                self.at += 1
                return "SUITLEN", (suit, self.other_than(suit))
            return "SUITLEN", (suit,)
        word = self.words[self.at]
        if not word[:1].isalpha() or word in _ENDS or word in SHAPED or word == "not":
            return "HCP", ()
        name, suits, _ = self.subject()
        if suits is None:
            self.fail(f"expected a suit after {self.texts[self.at - 1]!r}")
        return name, suits

    def chain(self) -> list[Item]:
        """`5 <= HCP <= 10`, as mathematics writes it."""
        low = self.number()
        sign = self.words[self.at].replace("<", ">")
        self.at += 1
        name, suits = self.noun()
        found = _feature(name, suits)
        self.step = found.of.step or 1 if found else 1
        items: list[Item] = [Atom(name, suits, *self.compared(sign, low))]
        if self.words[self.at] in ("<", "<="):
            sign = self.words[self.at]
            self.at += 1
            items.append(Atom(name, suits, *self.compared(sign, self.number())))
        self.step = 1
        return items

    # --- suits

    def about_suit(self) -> list[Item]:
        """`spades 5+`, `X > Y`, `X longer than Y`, `X + Y 9+`."""
        suit = self.suit()
        word = self.words[self.at]
        if word in ("longer", "+", ">", ">=", "<", "<=", "=") and self.two_suits(word):
            if word == "+":
                return self.ranged("SUITLEN", (suit, self.other_than(suit)))
            other = self.other_than(suit)
            if word == "=":
                return [Atom("DIF", (suit, other), 0, 0)]
            if word[0] == "<":
                suit, other = other, suit
            return [Atom("DIF", (suit, other), 0 if word in (">=", "<=") else 1, BIG)]
        if word in ("up", "the", "not"):
            if self.follow("up the line over"):
                return [Atom("UPLINE", (suit, self.other_than(suit)), 1, 1)]
            if self.follow("the suit to open"):
                return [Atom("FIRSTBID", (suit,), 1, 1)]
            if self.follow("not the suit to open"):
                return [Atom("FIRSTBID", (suit,), 0, 0)]
        return self.ranged("SUITLEN", (suit,))

    def two_suits(self, word: str) -> bool:
        """Step over a sign that is followed by a suit."""
        ahead = 2 if word == "longer" and self.word(1) == "than" else 1
        if not self.is_suit(ahead):
            return False
        self.at += ahead
        return True

    def other_than(self, suit: str) -> str:
        """The next suit, which must be another one."""
        other = self.suit()
        if other == suit:
            self.fail("expected another suit", self.at - 1)
        return other

    # --- features

    def about_feature(self) -> list[Item]:
        """A feature and its range; `quality 6+ in spades` names the suit last."""
        start = self.at
        name, suits, default = self.subject()
        if suits is not None:
            return self.ranged(name, suits, default)
        after = f"expected a suit after {self.texts[self.at - 1]!r}"
        if not self.at_range():
            self.fail(after)
        rest = WORDS[self.words[start]].rest if self.words[start] in WORDS else ()
        values = self.values(name, (), None)
        if not (self.accept("in", "for") and self.is_suit()):
            self.fail(after)
        return [_within(name, (self.suit(), *rest), values)]

    def subject(self) -> tuple[str, tuple[str, ...] | None, Interval | None]:
        """A feature by a word such as `losers` or by its own name, with its suits; None where the
        suit is still missing. Last the range that is meant when none is written."""
        text = self.texts[self.at]
        if text.endswith(")"):
            return *self.spelled(text), None
        if text in _classes() and (suits := self.class_suits(text)) is not None:
            return text, suits, _DEFAULTS.get(text)
        found = self.vocabulary()
        if found.suited and self.is_suit():
            return found.suited, (self.suit(), *found.rest), found.default
        if self.words[self.at] in ("in", "for", "with", "at"):
            named = self.phrased_suit(found)
            if named is not None:
                return *named, found.default
        if found.alone:
            return found.alone, (), found.default
        return found.suited, None, found.default

    def vocabulary(self) -> Word:
        """One word, or several that stand for one: `key cards`, `half a stopper`."""
        word = self.words[self.at]
        if word in _FIRST:
            for size in (3, 2):
                joined = "-".join(w for w in self.words[self.at : self.at + size] if w != "a")
                if "-" in joined[len(word) :] and joined in WORDS:
                    self.at += size
                    return WORDS[joined]
        found = WORDS.get(word)
        if found is None:
            self.unknown()
        self.at += 1
        return found

    def phrased_suit(self, word: Word) -> tuple[str, tuple[str, ...]] | None:
        """`in hearts`, `for hearts`, `in support of hearts`, `with hearts as trumps`."""
        if word.suited and (trumps := self.trumps()):
            return word.suited, (trumps, *word.rest)
        if word.suited and self.follow("in support of"):
            return word.suited, (self.suit(), *word.rest)
        if self.word() not in ("in", "for") or not self.is_suit(1):
            return None
        inside = self.accept("in") or not self.accept("for")
        suit = self.suit()
        if inside and word.rest and (trumps := self.trumps()):
            return word.suited, (trumps, suit)
        if inside and word.alone and _feature(word.alone, (suit,)) is not None:
            return word.alone, (suit,)
        if not word.suited:
            self.fail("expected a range", self.at - 2)
        return word.suited, (suit, *word.rest)

    def trumps(self) -> str:
        """`with spades as trumps`, `at notrump`."""
        if self.word() == "with" and self.is_suit(1) and self.word(2) == "as":
            self.at += 1
            suit = self.suit()
            if not self.follow("as trumps"):
                self.fail("expected 'as trumps'")
            return suit
        return "ALL" if self.follow("at notrump") else ""

    def class_suits(self, name: str) -> tuple[str, ...] | None:
        """The suits after a feature's own name, `FAST NT H ..2`; None if it is used as a word."""
        start = self.at
        out: list[str] = []
        self.at += 1
        while len(out) < 2 and (self.is_suit() or self.text() in ("ALL", "NT")):
            if self.is_suit():
                out.append(self.suit())
            else:
                out.append("ALL")
                self.at += 1
        if _feature(name, tuple(out)) is None:
            self.at = start
            return None
        return tuple(out)

    def spelled(self, text: str) -> tuple[str, tuple[str, ...]]:
        """A feature with its suits in brackets: `LOSERS(X,ALL)`, `quality(S)`."""
        name, _, rest = text[:-1].partition("(")
        word = WORDS.get(name.lower())
        if name.upper() in _classes():
            name = name.upper()
        elif word is not None:
            name = word.suited
        suits = []
        for part in rest.split(","):
            known = self.suit_named(part.strip())
            if not known and part.strip().upper() not in ("ALL", "NT"):
                self.unknown()
            suits.append(self.use(known, self.at) if known else "ALL")
        if len(suits) == 1 and word is not None and _feature(name, tuple(suits)) is None:
            suits += word.rest
        if _feature(name, tuple(suits)) is None:
            self.unknown()
        self.at += 1
        if suits == ["ALL"]:
            return name, ()
        return name, tuple(suits)

    def unknown(self) -> NoReturn:
        """Refuse a word, with the nearest one that exists."""
        text = self.texts[self.at]
        if not text[:1].isalpha():
            self.fail("expected a constraint")
        known = [*VOCABULARY, *_PHRASED, *SHAPED, *self.names, *SUIT_WORDS, *self.more_words]
        hint = did_you_mean(text.lower(), known) or _EXAMPLES
        raise ConstraintError(
            f"no such feature {text!r} ({hint})", self.source, self.place(self.at)
        )


_STATEMENTS: Final[dict[str, Callable[[Reader], list[Item]]]] = {
    "any": Reader.everything, "always": Reader.everything, "anything": Reader.everything,
    "never": Reader.nothing, "nothing": Reader.nothing,
    "a": Reader.article, "an": Reader.article, "the": Reader.article, "even": Reader.article,
    "exactly": Reader.article,
    "has": Reader.cards_all, "holds": Reader.cards_all, "hold": Reader.cards_all,
    "none": Reader.cards_none,
    "void": Reader.short, "singleton": Reader.short, "doubleton": Reader.short,
    "control": Reader.control, "either": Reader.majors, "both": Reader.majors,
    "more": Reader.more, "fewer": Reader.more, "as": Reader.more,
    "suit": Reader.any_suit, "shape": Reader.shape, "flat": Reader.shapes,
    **dict.fromkeys(BALANCE, Reader.balanced), "hcp": Reader.about_feature,
}  # fmt: skip
_PHRASED: Final = [word for word in _STATEMENTS if len(word) > 3]
# What a feature by its own name means when no number follows it.
_DEFAULTS: Final[dict[str, Interval]] = {
    "STOP-NT": (3, BIG), "LONGEST": (1, 1), "LONG": (1, 1), "FIRSTBID": (1, 1), "UPLINE": (1, 1),
}  # fmt: skip


def _within(name: str, suits: tuple[str, ...], ranges: list[Interval]) -> Item:
    """A feature in one of some ranges."""
    if len(ranges) == 1:
        return Atom(name, suits, *ranges[0])
    return _one_of(Atom(name, suits, *r) for r in ranges)


def _one_of(items: Iterable[Item]) -> Item:
    parts = tuple(Template((item,)) for item in items)
    return Either(parts) if len(parts) > 1 else parts[0].items[0]


def _held(cards: tuple[tuple[str, int], ...], ranges: list[Interval]) -> Item:
    return _one_of(Held(cards, *_whole(r, len(cards))) for r in ranges)


def _whole(values: Interval, most: int) -> tuple[int, int]:
    return max(0, int(values[0])), min(most, int(values[1]))


def _spoken(name: str) -> str:
    """How the language itself calls a feature."""
    for word, entry in VOCABULARY.items():
        if name in (entry.alone, entry.suited):
            return word
    return name
