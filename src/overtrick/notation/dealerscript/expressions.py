"""Expressions of the `dealer` language, from the loosest operator down to single functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar

from overtrick.game import Seat, Strain, Suit
from overtrick.game.cards import rank_of, suit_of
from overtrick.notation.dealerscript import nodes
from overtrick.notation.dealerscript.lexer import ScriptError, Token
from overtrick.notation.dealerscript.nodes import Expr

T = TypeVar("T")
SEATS: Final = {str(seat).lower(): seat for seat in Seat}
SUITS: Final = {
    word: suit for suit in Suit for word in (suit.name.lower(), suit.name.lower().rstrip("s"))
}
_STRAINS: Final = {**{w: Strain(s) for w, s in SUITS.items()},
                   "notrump": Strain.NT, "notrumps": Strain.NT}  # fmt: skip
_COUNTS: Final = {
    **{name: i for i, name in enumerate(nodes.COUNTS)},
    **{name.removesuffix("s"): i for i, name in enumerate(nodes.COUNTS) if name.endswith("s")},
    **{f"pt{i}": i for i in range(10)},
}
FUNCTIONS: Final = frozenset(
    {"hcp", "hcps", "shape", "hascard", "control", "controls", "loser", "losers", "cccc", "quality",
     "tricks", "trick", "score", "imps", "imp", "rnd", *SUITS, *_COUNTS}
)  # fmt: skip
_RANKS_OF_OPERATORS: Final = (
    ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_DEEPEST: Final = 60
_CONTRACT: Final = re.compile(r"x([1-7])([CDHSN])\Z")


@dataclass(slots=True)
class Expressions:
    """The words of a script, where the reader stands, and the names defined so far."""

    words: list[Token]
    at: int = 0
    depth: int = 0
    names: dict[str, int] = field(default_factory=dict)

    # words

    @property
    def word(self) -> Token:
        return self.words[self.at]

    def fail(self, what: str, token: Token | None = None) -> NoReturn:
        where = token or self.word
        raise ScriptError(what, where.line, where.column)

    def take(self) -> Token:
        token = self.word
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, *texts: str) -> bool:
        if self.word.text in texts and self.word.kind in ("mark", "name"):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            found = self.word.text or "the end of the script"
            self.fail(f"expected {text!r}, found {found!r}")

    def number(self) -> int:
        sign = -1 if self.accept("-") else 1
        token = self.take()
        if token.kind != "number" or len(token.text) > 9:
            self.fail(f"expected a number, found {token.text!r}", token)
        return sign * int(token.text)

    def choose(self, table: Mapping[str, T], what: str) -> T:
        token = self.take()
        if token.text not in table:
            self.fail(f"no such {what}: {token.text!r}", token)
        return table[token.text]

    # expressions, loosest binding first

    def expr(self) -> Expr:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("too deeply nested")
        condition = self.either()
        if self.accept("?"):
            yes = self.expr()
            self.expect(":")
            condition = nodes.Conditional(condition, yes, self.expr())
        self.depth -= 1
        return condition

    def either(self) -> Expr:
        parts = [self.both()]
        while self.accept("||", "or"):
            parts.append(self.both())
        return nodes.Or(tuple(parts)) if len(parts) > 1 else parts[0]

    def both(self) -> Expr:
        parts = [self.ranked(0)]
        while self.accept("&&", "and"):
            parts.append(self.ranked(0))
        return nodes.And(tuple(parts)) if len(parts) > 1 else parts[0]

    def ranked(self, rank: int) -> Expr:
        """Comparisons, sums, products: operators of one rank go from left to right."""
        if rank == len(_RANKS_OF_OPERATORS):
            return self.unary()
        first = self.ranked(rank + 1)
        rest: list[tuple[str, Expr]] = []
        while self.word.kind == "mark" and self.word.text in _RANKS_OF_OPERATORS[rank]:
            rest.append((self.take().text, self.ranked(rank + 1)))
        return nodes.Chain(first, tuple(rest)) if rest else first

    def unary(self) -> Expr:
        signs: list[str] = []
        while self.word.text in ("-", "!", "not") and self.word.kind in ("mark", "name"):
            signs.append("-" if self.take().text == "-" else "!")
            if len(signs) > _DEEPEST:
                self.fail("too deeply nested")
        out = self.atom()
        for sign in reversed(signs):
            if sign == "-" and isinstance(out, nodes.Number):
                out = nodes.Number(-out.value)
            else:
                out = nodes.Unary(sign, out)
        return out

    def atom(self) -> Expr:
        token = self.word
        if self.accept("("):
            inside = self.expr()
            self.expect(")")
            return inside
        if token.kind == "number":
            return nodes.Number(self.number())
        if token.text in FUNCTIONS:
            return self.call(self.take().text)
        if token.kind in ("name", "shape", "card"):
            if token.text not in self.names:
                self.fail(f"{token.text} is not defined")
            self.take()
            return nodes.Name(token.text, self.names[token.text])
        return self.fail(f"expected a value, found {token.text or 'the end of the script'!r}")

    def call(self, name: str) -> Expr:
        self.expect("(")
        out = self.arguments(name)
        self.expect(")")
        return out

    def arguments(self, name: str) -> Expr:
        if name in SUITS:
            return nodes.Length(self.choose(SEATS, "seat"), SUITS[name])
        if name in _COUNTS:
            number = _COUNTS[name]
            return self.of_suit(lambda seat, suit: nodes.Count(number, seat, suit))
        if name in _BY_SUIT:
            return self.of_suit(_BY_SUIT[name])
        if name in ("score", "imps", "imp", "rnd"):
            return self.reckoning(name)
        seat = self.choose(SEATS, "seat")
        if name == "cccc":
            return nodes.Cccc(seat)
        self.expect(",")
        if name == "quality":
            return nodes.Quality(seat, self.choose(SUITS, "suit"))
        if name in ("tricks", "trick"):
            return nodes.Tricks(seat, self.choose(_STRAINS, "strain"))
        if name == "hascard":
            return nodes.HasCard(seat, self.card())
        return nodes.Shape(seat, self.patterns())

    def of_suit(self, make: Callable[[Seat, Suit | None], Expr]) -> Expr:
        seat = self.choose(SEATS, "seat")
        return make(seat, self.choose(SUITS, "suit") if self.accept(",") else None)

    def reckoning(self, name: str) -> Expr:
        if name in ("imps", "imp"):
            return nodes.Imps(self.expr())
        if name == "rnd":
            return nodes.Random(self.expr())
        vulnerable = self.choose({"vul": True, "nv": False}, "vulnerability (vul or nv)")
        self.expect(",")
        token = self.take()
        found = _CONTRACT.match(token.text)
        if found is None:
            self.fail(f"expected a contract such as x3N, found {token.text!r}", token)
        self.expect(",")
        return nodes.Score(vulnerable, int(found[1]), Strain.parse(found[2]), self.expr())

    def card(self) -> int:
        token = self.take()
        if len(token.text) == 2:
            for rank, suit in ((0, 1), (1, 0)):
                r, s = rank_of(token.text[rank]), suit_of(token.text[suit])
                if r is not None and s is not None:
                    return s * 13 + r
        return self.fail(f"expected a card such as TC, found {token.text!r}", token)

    def patterns(self) -> tuple[nodes.Pattern, ...]:
        out = [self.pattern(excluded=self.accept("-"))]
        while self.word.text in ("+", "-", ","):
            out.append(self.pattern(excluded=self.take().text == "-"))
        return tuple(out)

    def pattern(self, *, excluded: bool) -> nodes.Pattern:
        any_order = self.accept("any")
        token = self.take()
        if token.kind not in ("number", "shape", "name") or not re.fullmatch(
            r"[0-9x]{4}", token.text
        ):
            self.fail(f"expected a shape such as 5xx2, found {token.text!r}", token)
        a, b, c, d = (None if x == "x" else int(x) for x in token.text)
        known = [n for n in (a, b, c, d) if n is not None]
        if sum(known) > 13 or (len(known) == 4 and sum(known) != 13):
            self.fail(f"the lengths of {token.text} do not make 13 cards", token)
        return nodes.Pattern((a, b, c, d), any_order, excluded)


_BY_SUIT: Final[Mapping[str, Callable[[Seat, Suit | None], Expr]]] = {
    "hcp": nodes.PointCount, "hcps": nodes.PointCount, "control": nodes.Controls,
    "controls": nodes.Controls, "loser": nodes.Losers, "losers": nodes.Losers,
}  # fmt: skip
