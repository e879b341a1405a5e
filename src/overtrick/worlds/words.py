"""Constraints in words, as a player explains a call, and in their own language; both read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from overtrick.evaluation import Feature, feature
from overtrick.evaluation.registry import ALL, NT
from overtrick.game import SUIT_WORDS
from overtrick.game.cards import RANKS, SUIT_LETTERS, SUIT_SYMBOLS
from overtrick.worlds import shapes as sh
from overtrick.worlds.constraints import (
    AllOf,
    Always,
    AnyOf,
    Between,
    Constraint,
    HoldsCards,
    Never,
    Not,
    Shapes,
)


def words(constraint: Constraint) -> str:
    """A short English phrase; alternatives inside a list go into brackets."""
    match constraint:
        case Always():
            return "any hand"
        case Never():
            return "no hand"
        case Between():
            return _range_words(constraint)
        case Shapes(bits):
            return _shape_words(bits)
        case HoldsCards():
            return _holding_words(constraint)
        case AllOf(parts):
            return ", ".join(f"({words(p)})" if isinstance(p, AnyOf) else words(p) for p in parts)
        case AnyOf(parts):
            return _either(parts)
        case Not(part):
            return _not_words(constraint, part)
    return type(constraint).__name__


def _not_words(constraint: Constraint, part: Constraint) -> str:
    if isinstance(part, Between) and part.name != "BAL":  # "not 12+ hcp" is "at most 11 hcp"
        flipped = constraint.simplify()
        if isinstance(flipped, Between):
            return words(flipped)
    inside = words(part)
    simple = not isinstance(part, AllOf | AnyOf) and " or " not in inside and ", " not in inside
    return f"not {inside}" if simple else f"not ({inside})"


def _either(parts: tuple[Constraint, ...]) -> str:
    """'1 or 4 key cards' rather than '1 key card or 4 key cards'."""
    said = [f"({w})" if ", " in (w := words(p)) else w for p in parts]
    same = len({p.name if isinstance(p, Between) else str(i) for i, p in enumerate(parts)}) == 1
    heads = [s.partition(" ")[0] for s in said]
    if same and all(h[:1].isdigit() for h in heads):
        return " or ".join(heads) + " " + said[-1].partition(" ")[2]
    return " or ".join(said)


def _shape_words(bits: int) -> str:
    """A name or patterns, or the lengths when these alone describe the set."""
    short = sh.describe(bits).replace("any ", "").replace(" + ", " or ")
    if short.count(" or ") < 3:
        return short
    lengths = sh.lengths_array()[sh.as_mask(bits)[: sh.COUNT]]
    low, high = lengths.min(axis=0), lengths.max(axis=0)
    inside = ((sh.lengths_array() >= low) & (sh.lengths_array() <= high)).all(axis=1)
    if int(inside.sum()) != len(lengths):
        return short
    free = [int(high[s]) == 13 - int(low.sum() - low[s]) and low[s] == 0 for s in range(4)]
    return ", ".join(
        f"{span(int(low[s]), int(high[s]), 0, 13)} {SUIT_WORDS[s]}"
        for s in (3, 2, 1, 0)
        if not free[s]
    )


def span(low: float, high: float, bottom: float, top: float) -> str:
    """'12–14', '5+', 'at most 3', '4'."""
    if low == high:
        return _number(low)
    if high >= top:
        return f"{_number(low)}+"
    if low <= bottom:
        return f"at most {_number(high)}"
    return f"{_number(low)}–{_number(high)}"


def _number(x: float) -> str:
    whole = int(x // 1)
    if x == whole:
        return str(whole)
    if x == whole + 0.5:
        return f"{whole or ''}½"
    return f"{x:g}"


def _range_words(c: Between) -> str:
    f = feature(c.name)
    special = _SPECIAL.get(f.of.name)
    if special is not None and (said := special(c, f.suits)):
        return said
    amount = span(c.low, c.high, f.low, f.high)
    suits = [SUIT_WORDS[s] if s < 4 else "" for s in f.suits]
    phrase = _PHRASES.get(f.of.name)
    if phrase is None:
        return f"{c.name} {amount}"
    noun = phrase[0] if amount == "1" else phrase[1]
    if f.of.variation in ("TA", "T*A", "TS"):
        trump = suits[0] or "notrump"
        where = f" in {suits[1]}" if suits[1] else ""
        return (
            f"{amount} {noun}{where} with {trump} as trumps"
            if trump != "notrump"
            else (f"{amount} {noun}{where} at notrump")
        )
    where = f" in {suits[0]}" if suits and suits[0] else ""
    return f"{amount} {noun}{where}"


_PHRASES: Final[dict[str, tuple[str, str]]] = {
    "HCP": ("hcp", "hcp"),
    "CONTROLS": ("control", "controls"),
    "HC": ("top honour", "top honours"),
    "HONOR": ("honour", "honours"),
    "ACE": ("ace", "aces"),
    "KING": ("king", "kings"),
    "QUEEN": ("queen", "queens"),
    "JACK": ("jack", "jacks"),
    "TEN": ("ten", "tens"),
    "LTC": ("loser", "losers"),
    "LOSERS": ("loser", "losers"),
    "COVER": ("cover card", "cover cards"),
    "FAST": ("fast loser", "fast losers"),
    "INTER": ("intermediate point", "intermediate points"),
    "QUICK": ("quick trick", "quick tricks"),
    "TP": ("total point", "total points"),
    "LP": ("playing point", "playing points"),
    "NTLP": ("notrump playing point", "notrump playing points"),
    "SUITS": ("four-card suit", "four-card suits"),
    "LMAJ": ("card in the longer major", "cards in the longer major"),
    "LMIN": ("card in the longer minor", "cards in the longer minor"),
}


def _length_words(c: Between, suits: tuple[int, ...]) -> str:
    if len(suits) == 2:
        both = " and ".join(SUIT_WORDS[s] for s in suits)
        return f"{span(c.low, c.high, 0, 13)} cards in {both}"
    name = SUIT_WORDS[suits[0]]
    if c.high == 0:
        return f"no {name}"
    if (c.low, c.high) == (1, 1):
        return f"1 {name[:-1]}"
    return f"{span(c.low, c.high, 0, 13)} {name}"


def _stopper_words(c: Between, suits: tuple[int, ...]) -> str:
    suit = SUIT_WORDS[suits[-1]]
    kind = {4: "a double stopper", 3: "a stopper", 2: "at least half a stopper", 1: "a hope"}
    if c.high == 4 and c.low in kind:
        return f"{kind[int(c.low)]} in {suit}"
    lacks = {2: "no stopper", 1: "not even half a stopper", 0: "not even a hope"}
    if c.low == 0 and c.high in lacks:
        return f"{lacks[int(c.high)]} in {suit}"
    return ""


def _difference_words(c: Between, suits: tuple[int, ...]) -> str:
    a, b = (SUIT_WORDS[s] for s in suits)
    known = {
        (1, 13): f"more {a} than {b}",
        (0, 13): f"at least as many {a} as {b}",
        (0, 0): f"as many {a} as {b}",
        (-13, -1): f"fewer {a} than {b}",
        (-13, 0): f"no more {a} than {b}",
    }
    return known.get((int(c.low), int(c.high)), "")


def _flag(yes: str, no: str) -> Callable[[Between, tuple[int, ...]], str]:
    def say(c: Between, suits: tuple[int, ...]) -> str:
        names = [SUIT_WORDS[s] for s in suits]
        return (yes if c.low >= 1 else no if c.high <= 0 else "").format(*names)

    return say


_BALANCE: Final = {(0, 0): "balanced", (0, 1): "semi-balanced", (1, 6): "unbalanced"}


def _balance_words(c: Between) -> str:
    """The feature counts cards away from a balanced hand."""
    named = _BALANCE.get((int(c.low), int(c.high)))
    cards = "card" if c.low == c.high == 1 else "cards"
    return named or f"{span(c.low, c.high, 0, 6)} {cards} from balanced"


_SPECIAL: Final[dict[str, Callable[[Between, tuple[int, ...]], str]]] = {
    "SUITLEN": _length_words,
    "STOP-NT": _stopper_words,
    "DIF": _difference_words,
    "LONGEST": _flag("no suit longer than {}", "a suit longer than {}"),
    "LONG": _flag("a suit shorter than {}", "no suit shorter than {}"),
    "FIRSTBID": _flag("{} the suit to open", "{} not the suit to open"),
    "UPLINE": _flag("{} up the line over {}", "no {} up the line over {}"),
    "BAL": lambda c, s: _balance_words(c),
    "QLTY": lambda c, s: f"quality {span(c.low, c.high, 0, 9)} in {SUIT_WORDS[s[0]]}",
    "RKCB": lambda c, s: (
        f"{span(c.low, c.high, 0, 5)} key card{'' if c.low == c.high == 1 else 's'}"
        f" for {SUIT_WORDS[s[0]]}"
    ),
    "POINTS": lambda c, s: (
        f"{span(c.low, c.high, 0, 46)} points in support of {SUIT_WORDS[s[0]]}" if s[1] == 4 else ""
    ),
}


def _cards(cards: int, symbols: str) -> str:
    parts = []
    for s in (3, 2, 1, 0):
        held = cards >> 13 * s & 0x1FFF
        if held:
            parts.append(symbols[s] + "".join(RANKS[r] for r in range(12, -1, -1) if held >> r & 1))
    return " ".join(parts)


def _holding_words(c: HoldsCards) -> str:
    cards, size = _cards(c.cards, SUIT_SYMBOLS), c.cards.bit_count()
    if c.low == size:
        return cards
    if c.high == 0:
        return f"without {cards}" if size == 1 else f"none of {cards}"
    return f"{span(c.low, c.high, 0, size)} of {cards}"


def text(constraint: Constraint) -> str:
    """The constraint in the language that `parse` reads."""
    match constraint:
        case Always():
            return "any"
        case Never():
            return "never"
        case Between(name, low, high):
            return phrase(name, low, high)
        case Shapes(bits):
            said = sh.describe(bits)
            return f"shape {said}" if said[0] in "a0123456789" else said
        case HoldsCards(cards, low, high):
            return f"{low}..{high} of {_cards(cards, SUIT_LETTERS)}"
        case AllOf(parts):
            return "(" + ", ".join(text(p) for p in parts) + ")"
        case AnyOf(parts):
            return "(" + " or ".join(text(p) for p in parts) + ")"
        case Not(part):
            return f"not {text(part)}"
    raise TypeError(f"{type(constraint).__name__} has no text")


_WHOLE: Final = {
    "HCP": "hcp", "LP": "points", "LTC": "losers", "CONTROLS": "controls", "HONOR": "honours",
    "QUICK": "quick", "ACE": "aces", "KING": "kings", "QUEEN": "queens", "BAL": "shape",
    "LMAJ": "longer-major", "LMIN": "longer-minor", "SUITS": "suits",
}  # fmt: skip
_SUITED: Final = {
    "HCP": "hcp", "CONTROLS": "controls", "HONOR": "honours", "QUICK": "quick", "ACE": "ace",
    "KING": "king", "QUEEN": "queen", "JACK": "jack", "RKCB": "keycards", "QLTY": "quality",
    "HC": "top", "STOP-NT": "stopper", "BIDDBLE": "biddable", "UNLOS": "playing-losers",
    "LONGEST": "longest",
}  # fmt: skip
_TRUMP: Final = {"POINTS": "points", "LOSERS": "losers", "COVER": "cover"}


def phrase(name: str, low: float, high: float) -> str:
    """One range of one feature as the language writes it.

    >>> phrase("SUITLEN(S)", 5, 13), phrase("LOSERS(H,ALL)", 0, 7), phrase("BAL", -np.inf, 1)
    ('spades 5+', 'losers H ..7', 'semi-balanced')
    """
    what = feature(name)
    low, high = max(low, what.low), min(high, what.high)
    if name == "BAL" and (said := _BALANCE.get((int(low), int(high)))):
        return said
    return f"{_subject(what)} {_range(what, low, high)}"


def phrases(ranges: Iterable[tuple[str, float, float]]) -> str:
    """Several ranges that all must hold; `any` for none."""
    return ", ".join(phrase(*r) for r in ranges) or "any"


def _subject(what: Feature) -> str:
    name, suits = what.of.name, what.suits
    if name == "SUITLEN":
        return " + ".join(SUIT_WORDS[s] for s in suits)
    if (not suits or suits == (ALL,)) and name in _WHOLE:
        return _WHOLE[name]
    if len(suits) == 1 and suits[0] != ALL and name in _SUITED:
        return f"{_SUITED[name]} {SUIT_LETTERS[suits[0]]}"
    if len(suits) == 2 and suits[1] == ALL and suits[0] != NT and name in _TRUMP:
        return f"{_TRUMP[name]} {SUIT_LETTERS[suits[0]]}"
    if suits == (ALL,):  # the whole hand, which a plain name means
        return name
    words = [(SUIT_LETTERS[s] if s < 4 else "ALL") for s in suits]
    if name == "FAST" and suits[0] == NT:
        words[0] = "NT"
    return " ".join([name, *words])


def _range(what: Feature, low: float, high: float) -> str:
    if low == high:
        return _exact(low)
    if high >= what.high:
        return f"{_exact(low)}+"
    if low <= what.low:
        return f"..{_exact(high)}"
    return f"{_exact(low)}..{_exact(high)}"


def _exact(x: float) -> str:
    """A number with every digit it has, as few as read back to it."""
    return str(int(x)) if x == int(x) else np.format_float_positional(x, trim="-")
