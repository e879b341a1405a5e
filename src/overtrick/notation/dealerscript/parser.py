"""Reads the language of Debian's `dealer` into a syntax tree, with precise errors.
Used by worlds.script, `overtrick deal` and the web's practice tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn, TypeVar

from overtrick.game import Seat, Strain, Suit, Vulnerability
from overtrick.game.cards import rank_of, suit_of
from overtrick.notation.dealerscript import nodes
from overtrick.notation.dealerscript.lexer import ScriptError, Token, tokens
from overtrick.notation.dealerscript.nodes import Expr

T = TypeVar("T")
_SEATS: Final = {str(seat).lower(): seat for seat in Seat}
_SUITS: Final = {
    word: suit for suit in Suit for word in (suit.name.lower(), suit.name.lower().rstrip("s"))
}
_STRAINS: Final = {**{w: Strain(s) for w, s in _SUITS.items()},
                   "notrump": Strain.NT, "notrumps": Strain.NT}  # fmt: skip
_VULS: Final = {"none": Vulnerability.NONE, "ns": Vulnerability.NS, "ew": Vulnerability.EW,
                "all": Vulnerability.ALL}  # fmt: skip
_COUNTS: Final = {
    **{name: i for i, name in enumerate(nodes.COUNTS)},
    **{name.removesuffix("s"): i for i, name in enumerate(nodes.COUNTS) if name.endswith("s")},
    **{f"pt{i}": i for i in range(10)},
}
_FUNCTIONS: Final = frozenset(
    {"hcp", "hcps", "shape", "hascard", "control", "controls", "loser", "losers", "cccc", "quality",
     "tricks", "trick", "score", "imps", "imp", "rnd", *_SUITS, *_COUNTS}
)  # fmt: skip
_PRINTS: Final = frozenset(
    {"printall", "printew", "printpbn", "printcompact", "printoneline", "print", "printes"}
)
_STATEMENTS: Final = frozenset(
    {"generate", "produce", "vulnerable", "dealer", "predeal", "pointcount", "altcount",
     "condition", "action"}
)  # fmt: skip
_RESERVED: Final = (
    _FUNCTIONS | _PRINTS | _STATEMENTS | {"and", "or", "not", "any", "average", "frequency"}
    | set(_SEATS)
)  # fmt: skip
_RANKS_OF_OPERATORS: Final = (
    ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_DEEPEST: Final = 60
_CONTRACT: Final = re.compile(r"x([1-7])([CDHSN])\Z")
_HOLDING: Final = re.compile(r"([SHDC])([2-9AKQJT]*)\Z")


def parse(text: str) -> nodes.Script:
    """Read a whole script.

    >>> script = parse("condition hcp(north) >= 20 and shape(north, any 4333 + 5xxx)")
    >>> type(script.condition).__name__
    'And'
    """
    return _Parser(tokens(text)).script()


@dataclass(slots=True)
class _Parser:
    words: list[Token]
    at: int = 0
    depth: int = 0
    names: dict[str, int] = field(default_factory=dict)
    definitions: list[tuple[str, Expr]] = field(default_factory=list)
    predeal: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    lengths: list[nodes.FixedLength] = field(default_factory=list)
    counts: list[tuple[int, ...]] = field(default_factory=lambda: list(nodes.DEFAULT_COUNTS))
    settings: dict[str, object] = field(default_factory=dict)

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

    # statements

    def script(self) -> nodes.Script:
        while self.word.kind != "end":
            self.statement()
        return nodes.Script(
            definitions=tuple(self.definitions),
            predeal=(self.predeal[0], self.predeal[1], self.predeal[2], self.predeal[3]),
            lengths=tuple(self.lengths),
            counts=tuple(self.counts),
            **self.settings,  # type: ignore[arg-type]
        )

    def statement(self) -> None:
        token, following = self.word, self.words[min(self.at + 1, len(self.words) - 1)]
        if token.kind in ("name", "shape", "card") and following.text == "=":
            self.definition()
        elif token.text in ("generate", "produce"):
            self.take()
            self.settings[token.text] = self.number()
        elif token.text == "vulnerable":
            self.take()
            self.settings["vul"] = self.choose(_VULS | {k.upper(): v for k, v in _VULS.items()},
                                               "vulnerability (none, NS, EW, all)")  # fmt: skip
        elif token.text == "dealer":
            self.take()
            self.settings["dealer"] = self.choose(_SEATS, "seat")
        elif token.text == "pointcount":
            self.take()
            self.settings["points"] = self.thirteen()
        elif token.text == "altcount":
            self.take()
            which = self.number()
            if not 0 <= which <= 9:
                self.fail(f"alternate counts are numbered 0 to 9, not {which}", token)
            self.counts[which] = self.thirteen()
        elif token.text == "predeal":
            self.take()
            self.predeals()
        elif token.text == "action":
            self.take()
            self.settings["actions"] = self.actions()
        else:
            self.accept("condition")
            self.settings["condition"] = self.expr()

    def definition(self) -> None:
        token = self.take()
        if token.text in _RESERVED:
            self.fail(f"{token.text} is a word of the language, not a name", token)
        if token.text in self.names:
            self.fail(f"{token.text} is defined already", token)
        self.expect("=")
        value = self.expr()
        self.names[token.text] = len(self.definitions)
        self.definitions.append((token.text, value))

    def thirteen(self) -> tuple[int, ...]:
        values: list[int] = []
        while self.word.kind == "number" or self.word.text == "-":
            if len(values) == 13:
                self.fail("a count has at most 13 values, ace to two")
            values.append(self.number())
        if not values:
            self.fail("expected numbers, from the ace down")
        return tuple(values)

    def predeals(self) -> None:
        """`north SAK, HQ` and `spades(east)==1`, any number of them."""
        first = self.word
        while self.word.text in _SEATS or self.word.text in _SUITS:
            token = self.take()
            if token.text in _SUITS:
                self.expect("(")
                seat = self.choose(_SEATS, "seat")
                self.expect(")")
                self.expect("==")
                count = self.number()
                if not 0 <= count <= 13:
                    self.fail(f"a suit has 0 to 13 cards, not {count}", token)
                self.lengths.append(nodes.FixedLength(seat, _SUITS[token.text], count))
                continue
            seat = _SEATS[token.text]
            self.accept(",")
            self.holding(seat)
            while self.accept(","):
                self.holding(seat)
        if self.word is first:
            self.fail("expected a seat and its cards, or a suit length")

    def holding(self, seat: Seat) -> None:
        token = self.take()
        found = _HOLDING.match(token.text)
        if found is None:
            self.fail(f"expected cards such as SAK4, found {token.text!r}", token)
        suit = suit_of(found[1]) or 0
        for letter in found[2]:
            bit = 1 << suit * 13 + (rank_of(letter) or 0)
            if any(hand & bit for hand in self.predeal):
                self.fail(f"{found[1]}{letter} is dealt twice", token)
            self.predeal[seat] |= bit
        if self.predeal[seat].bit_count() > 13:
            self.fail(f"{seat} is dealt more than 13 cards", token)

    # actions

    def actions(self) -> tuple[nodes.Action, ...]:
        out: list[nodes.Action] = []
        if self.word.kind == "end" or self.word.text in _STATEMENTS:
            return ()
        out.append(self.action())
        while self.accept(","):
            if self.word.kind == "end":  # the original takes a comma at the end
                break
            out.append(self.action())
        return tuple(out)

    def action(self) -> nodes.Action:
        token = self.take()
        if token.text == "average":
            return nodes.Average(self.label(), self.expr())
        if token.text == "frequency":
            return self.frequency()
        if token.text == "print":
            self.expect("(")
            seats = [self.choose(_SEATS, "seat")]
            while self.accept(","):
                seats.append(self.choose(_SEATS, "seat"))
            self.expect(")")
            return nodes.Print("print", tuple(seats))
        if token.text == "printes":
            return nodes.Print("printes", (), self.print_items())
        if token.text in ("printcompact", "printoneline"):
            shown = self.expr() if self.begins_expression() else None
            return nodes.Print(token.text, (), () if shown is None else (shown,))
        if token.text not in _PRINTS:
            self.fail(f"no such action: {token.text or 'the end of the script'!r}", token)
        return nodes.Print(token.text)

    def print_items(self) -> tuple[str | Expr, ...]:
        bracketed = self.accept("(")
        items = [self.print_item()]
        while self.accept(","):
            if self.word.text in _PRINTS or self.word.text in ("average", "frequency"):
                self.at -= 1  # the comma belongs to the list of actions
                break
            items.append(self.print_item())
        if bracketed:
            self.expect(")")
        return tuple(items)

    def print_item(self) -> str | Expr:
        if self.accept("\\n"):
            return "\n"
        if self.word.kind == "string":
            return self.take().text[1:-1]
        return self.expr()

    def begins_expression(self) -> bool:
        word = self.word
        return (
            word.kind == "number"
            or word.text in ("(", "-", "!", "not")
            or word.text in _FUNCTIONS
            or word.text in self.names
        )

    def label(self) -> str:
        return self.take().text[1:-1] if self.word.kind == "string" else ""

    def frequency(self) -> nodes.Frequency:
        label = self.label()
        self.expect("(")
        axes = [self.axis()]
        if self.accept(","):
            axes.append(self.axis())
        self.expect(")")
        return nodes.Frequency(label, tuple(axes))

    def axis(self) -> nodes.Axis:
        expr = self.expr()
        self.expect(",")
        low = self.number()
        self.expect(",")
        token = self.word
        high = self.number()
        if not low <= high <= low + 10_000:
            self.fail(f"no histogram from {low} to {high}", token)
        return nodes.Axis(expr, low, high)

    # expressions, loosest binding first

    def expr(self) -> Expr:
        self.depth += 1
        if self.depth > _DEEPEST:
            self.fail("too deeply nested")
        condition = self.either()
        if self.accept("?"):
            yes = self.expr()
            self.expect(":")
            condition = nodes.Choice(condition, yes, self.expr())
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
        if token.text in _FUNCTIONS:
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
        if name in _SUITS:
            return nodes.Length(self.choose(_SEATS, "seat"), _SUITS[name])
        if name in _COUNTS:
            number = _COUNTS[name]
            return self.of_suit(lambda seat, suit: nodes.Count(number, seat, suit))
        if name in _BY_SUIT:
            return self.of_suit(_BY_SUIT[name])
        if name in ("score", "imps", "imp", "rnd"):
            return self.reckoning(name)
        seat = self.choose(_SEATS, "seat")
        if name == "cccc":
            return nodes.Cccc(seat)
        self.expect(",")
        if name == "quality":
            return nodes.Quality(seat, self.choose(_SUITS, "suit"))
        if name in ("tricks", "trick"):
            return nodes.Tricks(seat, self.choose(_STRAINS, "strain"))
        if name == "hascard":
            return nodes.HasCard(seat, self.card())
        return nodes.Shape(seat, self.patterns())

    def of_suit(self, make: Callable[[Seat, Suit | None], Expr]) -> Expr:
        seat = self.choose(_SEATS, "seat")
        return make(seat, self.choose(_SUITS, "suit") if self.accept(",") else None)

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
    "hcp": nodes.Points, "hcps": nodes.Points, "control": nodes.Controls,
    "controls": nodes.Controls, "loser": nodes.Losers, "losers": nodes.Losers,
}  # fmt: skip
