"""Calls and auctions with suit variables: `2M`, `jump X`, `(1S..2S)`, expanded to concrete
calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from overtrick.game.calls import DOUBLE, PASS, REDOUBLE, level_of, strain_of
from overtrick.systems.syntax import Place

Bindings = Mapping[str, int]
MAJORS: Final = (2, 3)
MINORS: Final = (0, 1)
SUITS: Final = (0, 1, 2, 3)
NT: Final = 4
# Which suits a variable may stand for; different letters are always different suits.
VARIABLES: Final[dict[str, tuple[int, ...]]] = {
    "M": MAJORS, "oM": MAJORS, "m": MINORS, "om": MINORS,
    "X": SUITS, "Y": SUITS, "Z": SUITS, "W": SUITS, "T": SUITS,
}  # fmt: skip
CUE: Final = "their suit"  # the variable behind `cue`: any suit the opponents have shown
_FIXED: Final = {"C": 0, "D": 1, "H": 2, "S": 3, "NT": 4, "N": 4}
_BID: Final = re.compile(r"([1-7])(NT|N|C|D|H|S|oM|om|M|m|X|Y|Z|W|T)\Z")
_WORDED: Final = re.compile(
    r"(cheapest|jump|double jump|game|small slam|grand slam)\s+(NT|N|C|D|H|S|oM|om|M|m|X|Y|Z|W|T)\Z"
)
_STEP: Final = re.compile(r"\+([1-9])\Z")
_PART: Final = re.compile(r"\([^)]*\)|(?:double jump|jump|cheapest|game)\s+\S+|\S+")
_GAME_LEVEL: Final = (5, 5, 4, 4, 3)


@dataclass(frozen=True, slots=True)
class CallTerm:
    """A call as rules write it. kind: call, bid, cheapest, jump, double jump, game, slams, step."""

    kind: str
    number: int = 0  # a fixed call, a level, or a count of steps
    strain: str = ""  # a strain letter or a variable

    @property
    def variable(self) -> str:
        return self.strain if self.strain in VARIABLES or self.strain == CUE else ""

    def call(self, bindings: Bindings, last_bid: int) -> int | None:
        """The concrete call, or None when it does not exist or is not sufficient."""
        table = _calls(self.kind, self.number)
        strain = _FIXED.get(self.strain, -1)
        if strain < 0:
            strain = bindings[self.strain] if self.strain else 0
        return table[strain][last_bid]


@cache
def _calls(kind: str, number: int) -> tuple[tuple[int | None, ...], ...]:
    """[strain][last bid]: the call that a term names."""
    return tuple(
        tuple(_call(kind, number, strain, last) for last in range(38)) for strain in range(5)
    )


def _call(kind: str, number: int, strain: int, last_bid: int) -> int | None:
    if kind == "call":
        return number
    if kind == "step":
        found = max(last_bid, 2) + number
        return found if found <= 37 else None
    if kind == "bid":
        level = number
    elif kind in ("game", "small slam", "grand slam"):
        level = {"game": _GAME_LEVEL[strain], "small slam": 6, "grand slam": 7}[kind]
    else:
        low = max(level_of(last_bid), 1)
        cheapest = low if 3 + 5 * (low - 1) + strain > last_bid else low + 1
        level = cheapest + ("cheapest", "jump", "double jump").index(kind)
    found = 3 + 5 * (level - 1) + strain
    return found if level <= 7 and found > last_bid else None


def parse_call(text: str, place: Place) -> CallTerm:
    """Read the call of a rule or of a pattern."""
    key = " ".join(text.split())
    fixed = {"P": PASS, "Pass": PASS, "X": DOUBLE, "Double": DOUBLE, "XX": REDOUBLE,
             "Redouble": REDOUBLE}.get(key)  # fmt: skip
    if fixed is not None:
        return CallTerm("call", int(fixed))
    match = _BID.match(key)
    if match:
        return CallTerm("bid", int(match[1]), match[2])
    match = _WORDED.match(key)
    if match:
        return CallTerm(match[1], 0, match[2])
    match = _STEP.match(key)
    if match:
        return CallTerm("step", int(match[1]))
    if key in ("cue", "jump cue"):
        return CallTerm("cheapest" if key == "cue" else "jump", 0, CUE)
    raise place.error(
        f"no such call {text!r}", "like 2M, 1NT, Pass, X, XX, cheapest X, jump M, game M, cue, +1"
    )


def choices(variable: str, bindings: Bindings) -> tuple[int, ...]:
    """Suits a variable may take, given what is bound."""
    if variable in bindings:
        return (bindings[variable],)
    if variable == CUE:
        return SUITS
    if variable == "oM" and "M" in bindings:
        return (5 - bindings["M"],)
    if variable == "om" and "m" in bindings:
        return (1 - bindings["m"],)
    taken = set(bindings.values())
    return tuple(s for s in VARIABLES[variable] if s not in taken)


@dataclass(frozen=True, slots=True)
class _Token:
    ours: bool
    text: str


def _tokens(pattern: str, place: Place) -> list[_Token]:
    """Calls in order with the missing passes filled in: strict alternation of the two sides."""
    found: list[_Token] = []
    for part in re.findall(_PART, pattern):
        theirs = part.startswith("(")
        text = part[1:-1] if theirs else part
        if found and found[-1].ours is not theirs:
            found.append(_Token(theirs, "P"))
        if theirs and not part.endswith(")"):
            raise place.error(f"the bracket in {pattern!r} is not closed")
        found.append(_Token(not theirs, text.strip()))
    if found and found[-1].ours:
        found.append(_Token(False, "P"))
    return found


def expand(pattern: str, place: Place) -> Iterator[tuple[tuple[int, ...], dict[str, int]]]:
    """Every concrete auction (from the first bid on) with the suits its variables stand for."""
    tokens = _tokens(pattern, place)
    yield from _expand(tokens, 0, (), {}, 0, place)


def _expand(
    tokens: list[_Token], i: int, calls: tuple[int, ...], bindings: dict[str, int],
    last: int, place: Place,
) -> Iterator[tuple[tuple[int, ...], dict[str, int]]]:  # fmt: skip
    if i == len(tokens):
        yield calls, bindings
        return
    for alternative in tokens[i].text.split("/"):
        for call, bound in _alternatives(alternative.strip(), bindings, last, place):
            top = call if call >= 3 else last
            yield from _expand(tokens, i + 1, (*calls, call), bound, top, place)


def _alternatives(
    text: str, bindings: dict[str, int], last: int, place: Place
) -> Iterator[tuple[int, dict[str, int]]]:
    if text in ("any", "bid", "suit"):
        if text == "any":
            yield from ((c, bindings) for c in (0, 1))
        for call in range(max(last + 1, 3), 23):
            if text != "suit" or strain_of(call) < 4:
                yield call, bindings
        return
    low, dots, high = text.partition("..")
    if dots:
        first, final = (parse_call(t, place).call({}, 0) for t in (low, high))
        if first is None or final is None or first < 3 or final < first:
            raise place.error(f"a range of bids reads 1S..2S, not {text!r}")
        yield from ((c, bindings) for c in range(max(first, last + 1), final + 1))
        return
    term = parse_call(text, place)
    variable = term.variable
    if not variable:
        found = term.call(bindings, last)
        if found is not None:
            yield found, bindings
        return
    for suit in choices(variable, bindings):
        bound = {**bindings, variable: suit}
        found = term.call(bound, last)
        if found is not None:
            yield found, bound
