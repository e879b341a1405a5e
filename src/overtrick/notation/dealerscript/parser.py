"""Reads the language of Debian's `dealer` into a syntax tree, with precise errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import Seat, Vulnerability
from overtrick.game.cards import rank_of, suit_of
from overtrick.notation.dealerscript import nodes
from overtrick.notation.dealerscript.expressions import FUNCTIONS, SEATS, SUITS, Expressions
from overtrick.notation.dealerscript.lexer import tokens
from overtrick.notation.dealerscript.nodes import Expr

_VULS: Final = {"none": Vulnerability.NONE, "ns": Vulnerability.NS, "ew": Vulnerability.EW,
                "all": Vulnerability.ALL}  # fmt: skip
_PRINTS: Final = frozenset(
    {"printall", "printew", "printpbn", "printcompact", "printoneline", "print", "printes"}
)
_STATEMENTS: Final = frozenset(
    {"generate", "produce", "vulnerable", "dealer", "predeal", "pointcount", "altcount",
     "condition", "action"}
)  # fmt: skip
_RESERVED: Final = (
    FUNCTIONS | _PRINTS | _STATEMENTS | {"and", "or", "not", "any", "average", "frequency"}
    | set(SEATS)
)  # fmt: skip
_HOLDING: Final = re.compile(r"([SHDC])([2-9AKQJT]*)\Z")


def parse(text: str) -> nodes.Script:
    """Read a whole script.

    >>> script = parse("condition hcp(north) >= 20 and shape(north, any 4333 + 5xxx)")
    >>> type(script.condition).__name__
    'And'
    """
    return _Parser(tokens(text)).script()


@dataclass(slots=True)
class _Parser(Expressions):
    """Statements and actions."""

    definitions: list[tuple[str, Expr]] = field(default_factory=list)
    predeal: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    lengths: list[nodes.FixedLength] = field(default_factory=list)
    counts: list[tuple[int, ...]] = field(default_factory=lambda: list(nodes.DEFAULT_COUNTS))
    settings: dict[str, object] = field(default_factory=dict)

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
            self.settings["dealer"] = self.choose(SEATS, "seat")
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
        while self.word.text in SEATS or self.word.text in SUITS:
            token = self.take()
            if token.text in SUITS:
                self.expect("(")
                seat = self.choose(SEATS, "seat")
                self.expect(")")
                self.expect("==")
                count = self.number()
                if not 0 <= count <= 13:
                    self.fail(f"a suit has 0 to 13 cards, not {count}", token)
                self.lengths.append(nodes.FixedLength(seat, SUITS[token.text], count))
                continue
            seat = SEATS[token.text]
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
            seats = [self.choose(SEATS, "seat")]
            while self.accept(","):
                seats.append(self.choose(SEATS, "seat"))
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
            or word.text in FUNCTIONS
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
