"""What a feature is: its class, its suits, its range, its name (`HCP`, `HCP(S)`,
`LOSERS(S,ALL)`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from overtrick.evaluation.hands import Hands, Value
from overtrick.game.cards import suit_of
from overtrick.game.errors import ParseError

Variation = Literal["", "S", "A", "TS", "TA", "T*A", "2S"]
Compute = Callable[..., Value]
ALL: Final = 4
NT: Final = 4
_SUITS_DOWN: Final = (3, 2, 1, 0)
_WHOLE: Final = (3, 2, 1, 0, ALL)

_ARGUMENTS: Final[dict[str, tuple[tuple[int, ...], ...]]] = {
    "": ((),),
    "S": tuple((s,) for s in _SUITS_DOWN),
    "A": tuple((s,) for s in _WHOLE),
    "TS": tuple((t, s) for t in _SUITS_DOWN for s in _SUITS_DOWN),
    "TA": tuple((t, s) for t in _SUITS_DOWN for s in _WHOLE),
    "T*A": tuple((t, s) for t in (NT, 3, 2, 1, 0) for s in _WHOLE),
    "2S": tuple((a, b) for a in _SUITS_DOWN for b in _SUITS_DOWN if a != b),
}


class FeatureError(ParseError, KeyError):
    """A feature that does not exist; a KeyError too, since features of a hand are a mapping.

    >>> str(FeatureError("no such feature 'HPC'"))
    "no such feature 'HPC'"
    """

    __str__ = Exception.__str__  # KeyError would show its words in quotes


@dataclass(frozen=True, slots=True)
class FeatureClass:
    """One row of the appendix: a function of the hand and of the suits it varies over.

    >>> from overtrick.evaluation import feature_classes
    >>> found = feature_classes()[0]
    >>> found.name, len(found.instances())
    ('HCP', 5)
    """

    name: str
    variation: Variation
    section: str
    range: tuple[float, float]
    description: str
    compute: Compute = field(repr=False, compare=False)
    whole: tuple[float, float] | None = None  # the range for the whole hand, if it differs
    paper: bool = True
    step: float = 1  # values are multiples of it; 0 for a real number

    def instances(self) -> tuple[Feature, ...]:
        """Its features, one for each combination of suits."""
        return tuple(Feature(self, a) for a in _ARGUMENTS[self.variation])


@dataclass(frozen=True, slots=True)
class Feature:
    """One number about a hand: a feature class with its suits filled in.

    Its name reads `HCP`, `HCP(S)`, `LOSERS(S,ALL)` or `FAST(NT,H)`.

    >>> from overtrick.evaluation import feature
    >>> found = feature("HCP(S)")
    >>> found.name, found.low, found.high
    ('HCP(S)', 0, 10)
    """

    of: FeatureClass
    suits: tuple[int, ...]
    name: str = field(init=False)
    low: float = field(init=False, repr=False)
    high: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        whole = self.of.whole if self.suits and self.suits[-1] == ALL else None
        low, high = whole or self.of.range
        object.__setattr__(self, "name", _name(self.of, self.suits))
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def __call__(self, hands: Hands) -> Value:
        """The number for one hand, or the column for many."""
        columns = hands.columns
        if self.name not in columns:
            columns[self.name] = self.of.compute(hands, *self.suits)
        return columns[self.name]

    def __str__(self) -> str:
        return self.name


def _name(of: FeatureClass, suits: tuple[int, ...]) -> str:
    if not suits or (of.variation == "A" and suits == (ALL,)):
        return of.name
    shown = ["CDHS"[s] if s < 4 else "ALL" for s in suits]
    if of.variation == "T*A" and suits[0] == NT:
        shown[0] = "NT"
    return f"{of.name}({','.join(shown)})"


def split_name(text: str) -> tuple[str, tuple[int, ...]]:
    """`losers( ♠ , all )` → ("LOSERS", (3, 4)); no check that it exists."""
    base, bracket, rest = text.strip().partition("(")
    if not bracket:
        return base.upper(), ()
    if not rest.endswith(")"):
        raise FeatureError("a feature's suits end with a bracket", text)
    suits = []
    for part in rest[:-1].split(","):
        word = part.strip()
        suit = suit_of(word)
        if suit is None and word.upper() not in ("ALL", "NT"):
            raise FeatureError(f"no such suit {word!r}", text)
        suits.append(ALL if suit is None else suit)
    return base.strip().upper(), tuple(suits)


@lru_cache(maxsize=4096)
def feature(text: str) -> Feature:
    """The feature of this name.

    >>> feature("losers(♠, all)").name
    'LOSERS(S,ALL)'
    """
    from overtrick.evaluation.features import registry

    known = registry()
    if text in known:
        return known[text]
    base, suits = split_name(text)
    for name in _spellings(base, suits):
        if name in known:
            return known[name]
    raise FeatureError(f"no such feature {text.strip()!r}; `overtrick eval --list` names them")


def _spellings(base: str, suits: tuple[int, ...]) -> list[str]:
    if not suits or suits == (ALL,):
        return [base]
    shown = ["CDHS"[s] if s < 4 else "ALL" for s in suits]
    plain = f"{base}({','.join(shown)})"
    if shown[0] == "ALL":
        return [plain, f"{base}({','.join(['NT', *shown[1:]])})"]
    return [plain]
