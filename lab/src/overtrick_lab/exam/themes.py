"""Endings built backwards: suits that have a technique in them are put together to a hand.
What comes out is only likely to have it; the proof and the name decide."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from overtrick.cardplay.vectors import cards_of
from overtrick.game import Hand
from overtrick.game.cards import SUIT_BITS

Suit = tuple[str, str, str]  # North's and South's cards (or the other way round), and what is out
LENGTHS: Final = (3, 6)


@dataclass(frozen=True, slots=True)
class EndingTheme:
    """What the suits are, trumps first where there are any, and how many cards of the trick
    have been played when the choice comes."""

    suits: tuple[tuple[Suit, ...], ...]
    trumps: bool = False
    tricks: tuple[int, ...] = (0,)
    led: int | None = None  # the suit of the trick in progress, as listed
    together: float = 0.6  # how often the cards of a suit that are out lie in one hand


_TWO: Final = (  # a threat with its own entry
    ("AJ", "2", "KQ"), ("AJ", "", "KQ"), ("AQ", "2", "KJ"), ("KJ", "A", "QT"),
    ("AT", "3", "KJ9"), ("KT", "A2", "QJ9"), ("AJ2", "3", "KQ4"), ("AK3", "2", "QJ5"),
    ("AQ", "3", "K54"), ("KJ2", "A3", "QT5"), ("AT2", "K3", "QJ54"), ("A2", "3", "K54"),
    ("A3", "K2", "QJT"),
)  # fmt: skip
_ONE: Final = (  # a lone threat
    ("J", "2", "Q"), ("Q", "2", "K"), ("", "Q", "K"), ("", "J", "KQ"), ("T", "", "QJ"),
    ("9", "3", "T4"), ("Q", "J", "AK"), ("K", "", "A"), ("8", "", "9"), ("", "Q", "K3"),
    ("Q", "", "A2"),
)  # fmt: skip
_CROSS: Final = (
    ("A", "Q2", "K5"), ("A", "J2", "KQ"), ("K", "J3", "Q5"), ("A", "K3", "QJ"),
    ("A", "T3", "K54"), ("K", "AJ", "Q54"), ("A", "Q3", "KJT"), ("A", "Q", "K2"),
    ("A", "QJ", "K32"),
)  # fmt: skip
_RUN: Final = (  # winners that are led through somebody
    ("", "A", ""), ("", "AK", ""), ("2", "A", ""), ("3", "AK", "2"), ("32", "AK", "54"),
    ("A", "", ""), ("", "AKQ", "2"), ("2", "A3", "54"), ("K", "A", ""), ("", "AQ", "2"),
)  # fmt: skip
_TENACE: Final = (
    ("AQ", "32", "KJ"), ("AQ", "3", "K4"), ("KJ", "32", "AQ"), ("AJ", "32", "KQ"),
    ("K2", "43", "AQ"), ("AQ", "", "K3"), ("KT", "A2", "QJ"), ("AJT", "32", "KQ4"),
    ("K3", "2", "A4"), ("Q2", "J3", "AK5"), ("Q2", "A3", "KJ"), ("AQ2", "43", "KJ5"),
    ("K", "2", "AQ"), ("Q2", "K3", "AJT"),
)  # fmt: skip
_EXIT: Final = (
    ("2", "3", "A"), ("2", "3", "K4"), ("A2", "3", "K5"), ("3", "Q2", "AK"), ("J", "2", "Q5"),
    ("32", "A4", "KQ"), ("", "3", "A2"), ("A3", "42", "KQ"),
)  # fmt: skip
_TOPS: Final = (  # trumps of ours only, or nearly
    ("A", "K", ""), ("AQ", "K", ""), ("A2", "K", ""), ("A", "KQ", "2"), ("AJ", "KQ", ""),
    ("KQ", "A2", "3"), ("A2", "Q3", "K"), ("Q2", "A3", "K"),
)  # fmt: skip
_THEIRS: Final = (  # trumps that must be caught
    ("AQ", "", "K2"), ("AQ", "", "KJ"), ("AJ", "2", "KQ"), ("AKJ", "", "Q32"),
    ("KJ", "A", "Q32"), ("AQ", "3", "KJ2"), ("AJ", "", "Q3"), ("AQT", "", "KJ2"),
    ("AK", "", "QJ"), ("QT", "A", "KJ"),
)  # fmt: skip
_CROSSED: Final = (
    ("AJ", "KQ", "T"), ("AQ", "K2", "J"), ("A92", "KQ", "T3"), ("AQ2", "KJ", "T"),
    ("KT", "A9", "QJ"), ("AJ3", "Q", "KT"), ("Q92", "AK", "J3"), ("T2", "AKQ", "J3"),
)  # fmt: skip
_RUFF: Final = (
    ("", "32", "AK"), ("", "A2", "KQ"), ("2", "A3", "KQ"), ("", "Q2", "AKJ"), ("A", "32", "KQ"),
    ("A", "K32", "QJT"), ("2", "43", "AKQ"),
)  # fmt: skip
_BLOCKED: Final = (
    ("AQJ", "K", "T3"), ("AKJ", "Q", "T32"), ("QJ2", "AK", "T3"), ("KQ2", "A", "J43"),
    ("AK2", "QJ", "T3"), ("KJ3", "AQ", "T42"), ("AT2", "KQ", "J54"), ("QJT", "A", "K32"),
    ("AQ32", "K", "JT9"), ("K32", "AQ", "J54"),
)  # fmt: skip
_SAFE: Final = (
    ("AK92", "Q3", "JT54"), ("AQ92", "K3", "JT54"), ("AJ32", "K9", "QT54"),
    ("KT2", "AQ3", "J954"), ("AKT", "32", "QJ54"), ("AK3", "J2", "QT5"), ("AQT", "K2", "J543"),
    ("KJ2", "A93", "QT54"), ("AT2", "KJ3", "Q954"), ("K92", "AJ3", "QT54"),
    ("AK9", "Q2", "JT43"), ("QT2", "AK3", "J954"), ("AJ9", "32", "KQT4"), ("KT9", "A2", "QJ43"),
    ("A43", "QJ2", "KT5"),
)  # fmt: skip
_LEDSUIT: Final = (
    ("A2", "43", "KQJ"), ("A3", "2", "KQJ"), ("K2", "A3", "QJT"), ("A2", "J3", "KQ4"),
    ("", "A3", "KQJ"), ("32", "A4", "KQJ5"), ("K3", "42", "AQJ"), ("Q2", "A3", "KJT"),
    ("2", "AJ", "KQ3"), ("K3", "2", "AQ"),
)  # fmt: skip
_EITHER: Final = (  # who has the queen?
    ("KJ", "AT", "Q5"), ("KJ2", "AT3", "Q54"), ("AJ", "KT", "Q5"), ("AJ2", "KT", "Q54"),
    ("KT2", "AJ", "Q5"), ("KJ", "A2", "QT"), ("AKJ", "T", "Q52"), ("AQ", "32", "K5"),
    ("AJ2", "K3", "QT4"), ("KJ", "A3", "Q52"), ("AQ2", "J", "K53"), ("KT", "AJ", "Q32"),
)  # fmt: skip
_DUMMYS: Final = (  # long in dummy, with a card missing
    ("KQJ", "32", "A54"), ("KQJ", "2", "A543"), ("KQT", "J2", "A43"), ("QJ2", "K3", "A54"),
    ("KQ2", "J3", "A54"), ("KJT", "Q2", "A43"), ("KQJ2", "3", "A54"), ("QJT", "K", "A32"),
)  # fmt: skip
_UPPER: Final = (  # trumps of which a defender's may grow
    ("", "AK5", "QT42"), ("", "AQ5", "KJ32"), ("3", "AK", "QJ2"), ("", "AK9", "QJ2"),
    ("", "AJ9", "KQ2"), ("", "KQ5", "AJ2"), ("2", "AK8", "QT3"), ("", "AK4", "JT32"),
    ("", "AQ8", "KJ3"), ("", "A95", "KJ3"), ("3", "AJ5", "KQ2"),
)  # fmt: skip
_SPARE: Final = (("", "", ""), ("2", "3", "4"), ("", "2", "3"), ("A", "2", "3"), ("K", "A", "32"))

DECLARER: Final = {
    "squeeze": EndingTheme((_TWO, _ONE, _RUN), tricks=(0, 0, 2)),
    "two squeezes": EndingTheme((_TWO, _ONE, _ONE, _RUN), tricks=(0, 0, 2)),
    "entries both ways": EndingTheme((_TWO, _TWO, _RUN), tricks=(0, 0, 2)),
    "criss-cross": EndingTheme((_CROSS, _CROSS, _RUN), tricks=(0, 0, 2)),
    "vienna": EndingTheme((_CROSS, _ONE, _RUN), tricks=(0,)),
    "show-up": EndingTheme((_TENACE, _ONE, _RUN), tricks=(0, 0, 2)),
    "squeeze or guess": EndingTheme((_EITHER, _ONE, _RUN), tricks=(0, 0, 2)),
    "squeeze or finesse": EndingTheme((_EITHER, _TWO, _RUN), tricks=(0, 0, 2)),
    "guess or throw-in": EndingTheme((_EITHER, _EXIT, _RUN), tricks=(0, 0, 2)),
    "guess or elimination": EndingTheme((_TOPS, _EITHER, _EXIT), trumps=True),
    "two guesses": EndingTheme((_EITHER, _EITHER, _SPARE), tricks=(0, 0, 2)),
    "trump squeeze": EndingTheme((_TOPS, _TWO, _RUFF, _ONE), trumps=True),
    "throw-in": EndingTheme((_TENACE, _EXIT, _RUN), tricks=(0, 0, 2)),
    "two tenaces": EndingTheme((_TENACE, _TENACE, _EXIT), tricks=(0, 0, 1, 3)),
    "elimination": EndingTheme((_TOPS, _TENACE, _EXIT, _SPARE), trumps=True),
    "trump coup": EndingTheme((_THEIRS, _RUN, _SPARE, _RUN), trumps=True, tricks=(0, 0, 1, 2)),
    "trump endplay": EndingTheme((_THEIRS, _TENACE, _EXIT), trumps=True, tricks=(0, 0, 1)),
    "crossruff": EndingTheme((_CROSSED, _RUFF, _RUFF, _SPARE), trumps=True, tricks=(0, 0, 2)),
    "dummy reversal": EndingTheme((_CROSSED, _RUFF, _RUN), trumps=True),
    "unblocking": EndingTheme((_BLOCKED, _EXIT, _ONE), tricks=(0, 0, 1, 2)),
    "unblocking in time": EndingTheme((_BLOCKED, _LEDSUIT), tricks=(1, 3, 2), led=1),
    "safety": EndingTheme((_SAFE, _SPARE), tricks=(0, 0, 2)),
    "two chances": EndingTheme((_SAFE, _TENACE), tricks=(0, 0, 2)),
    "hold-up": EndingTheme((_LEDSUIT, _TENACE, _RUN), tricks=(1, 1, 3), led=0),
    "hold-up too": EndingTheme((_LEDSUIT, _SAFE), tricks=(1, 3), led=0),
    "safe hand": EndingTheme((_TENACE, _LEDSUIT, _SAFE), tricks=(0, 0, 1)),
    "loser on loser": EndingTheme((_CROSSED, _EXIT, _RUFF), trumps=True, tricks=(0, 1, 2)),
}

DEFENDER: Final = {
    "second hand": EndingTheme((_TENACE, _SPARE, _EXIT), tricks=(1,), led=0),
    "guess": EndingTheme((_SAFE, _SPARE), tricks=(1, 1, 3), led=0),
    "cut off": EndingTheme((_BLOCKED, _EXIT), tricks=(3, 1), led=0),
    "cut off early": EndingTheme((_BLOCKED, _TENACE), tricks=(0, 1)),
    "third hand": EndingTheme((_TENACE, _LEDSUIT), tricks=(2, 2, 0), led=0),
    "squeezed": EndingTheme((_TWO, _ONE, _RUN), tricks=(1, 3, 3), led=2),
    "promotion": EndingTheme((_THEIRS, _RUFF, _SPARE), trumps=True, tricks=(0, 0, 2, 3)),
    "overruff": EndingTheme((_THEIRS, _RUFF, _RUN), trumps=True, tricks=(2, 2, 3, 1), led=1),
    "uppercut": EndingTheme((_THEIRS, _ONE, _RUN), trumps=True, tricks=(2, 1, 2), led=1),
    "forcing": EndingTheme((_CROSSED, _RUFF, _RUN), trumps=True, tricks=(0, 0, 2)),
    "unblock": EndingTheme((_LEDSUIT, _TENACE), tricks=(1, 2, 3), led=0),
    "exit": EndingTheme((_TENACE, _TENACE, _SPARE), tricks=(0,)),
    "entry": EndingTheme((_BLOCKED, _LEDSUIT), tricks=(0,)),
    "hold-up": EndingTheme((_DUMMYS, _SPARE, _RUN), tricks=(3, 1), led=0),
    "hold-up again": EndingTheme((_DUMMYS, _EXIT, _ONE), tricks=(3, 1), led=0),
    "upper": EndingTheme((_UPPER, _RUFF, _SPARE), trumps=True, tricks=(2, 2, 3), led=1),
    "upper again": EndingTheme((_UPPER, _ONE, _EXIT), trumps=True, tricks=(2,), led=1),
    "force": EndingTheme((_UPPER, _RUFF, _TENACE), trumps=True),
    "trump suit": EndingTheme((_THEIRS, _TENACE), trumps=True, tricks=(0, 1, 3), led=0),
}


RARER: Final = (
    "uppercut", "forcing", "hold-up", "hold-up again", "upper", "upper again", "force", "cut off",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Built:
    """Four hands of one length, the trump suit or 4, the suit that is led or None, and how far
    into the trick the choice comes."""

    hands: list[int]
    strain: int
    led: int | None
    cards: int


def built(rng: random.Random, declaring: bool, names: Sequence[str] = ()) -> Built | None:
    """An ending with a theme, one of these or any; None when the suits do not go together."""
    themes = DECLARER if declaring else DEFENDER
    theme = themes[rng.choice(names or list(themes))]
    places = rng.sample(range(4), 4)
    hands, out = [0, 0, 0, 0], list[list[int]]()
    swap = rng.random() < 0.5
    for pool, place in zip(theme.suits, places, strict=False):
        north, south, others = rng.choice(pool)
        if swap if rng.random() < 0.85 else not swap:
            north, south = south, north
        hands[0] |= _of(north, place)
        hands[2] |= _of(south, place)
        out.append(cards_of(_of(others, place)))
    n = max(hands[0].bit_count(), hands[2].bit_count(), (sum(map(len, out)) + 1) // 2)
    n = max(n, LENGTHS[0])
    if n == LENGTHS[1] and rng.random() < 0.7:
        return None  # long ones take long to prove
    if n > LENGTHS[1] - (not declaring) or not _dealt_out(hands, out, n, theme.together, rng):
        return None
    if not _padded(hands, n, rng):
        return None
    strain = places[0] if theme.trumps else 4
    led = None if theme.led is None else places[theme.led]
    return Built(hands, strain, led, rng.choice(theme.tricks))


def _of(cards: str, suit: int) -> int:
    return Hand.parse(f"...{cards}").bits << 13 * suit


def _dealt_out(
    hands: list[int], out: list[list[int]], n: int, together: float, rng: random.Random
) -> bool:
    """The cards that are out, most of them a suit in one hand."""
    for suit in out:
        seat = rng.choice((1, 3))
        apart = rng.random() >= together
        for card in suit:
            here = rng.choice((1, 3)) if apart else seat
            if hands[here].bit_count() >= n:
                here ^= 2
            hands[here] |= 1 << card
    return max(h.bit_count() for h in hands) <= n


def _padded(hands: list[int], n: int, rng: random.Random) -> bool:
    """Low cards for hands that have too few: in suits of which the others know nothing good."""
    for seat in rng.sample(range(4), 4):
        while hands[seat].bit_count() < n:
            used = hands[0] | hands[1] | hands[2] | hands[3]
            suits = list(range(4))
            if seat & 1 and rng.random() < 0.7:  # idle cards seldom show a new suit
                suits = [s for s in suits if hands[seat] & SUIT_BITS << 13 * s] or suits
            suit = rng.choice(suits)
            low = [c for c in range(13 * suit, 13 * suit + 8) if not used >> c & 1]
            if not low:
                return False
            hands[seat] |= 1 << rng.choice(low)
    return True
