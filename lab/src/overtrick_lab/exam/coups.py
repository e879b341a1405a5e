"""Endings built for the rarer techniques, backwards from the position they are about.

A squeeze is a question only where averaging over seen cards cannot tell it from a guess: so its
suits leave a guess that the squeeze makes needless, and who guards what is known from the suits
the defenders have shown out of.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from overtrick.cardplay.vectors import cards_of
from overtrick.game import Hand
from overtrick.game.cards import SUIT_BITS
from overtrick_lab.exam.scene import DECLARER, DUMMY, EndingScene

Suit = tuple[str, str, str]  # the one hand's cards, the other's, and what is out
LENGTHS: Final = (3, 6)
_BUSY: Final = 0.6

COUPS: Final = frozenset(
    ("double squeeze", "criss-cross squeeze", "Vienna coup", "show-up squeeze", "triple squeeze",
     "simple squeeze", "trump coup", "dummy reversal", "uppercut",
     "forcing declarer", "hold-up", "count for partner")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """One suit of an ending: how it may look, and whose the cards are that are out.

    `whose` has letters to choose from: L is the defender on the left of the first hand, R the
    other, each known to have all of the suit because partner has shown out; a question mark
    leaves it open.
    """

    suits: tuple[Suit, ...]
    whose: str = "?"


@dataclass(frozen=True, slots=True)
class CoupPlan:
    """The parts of an ending, trumps first where there are any, and how many cards of the trick
    have been played (the first hand leads its top card of the first part)."""

    parts: tuple[Part, ...]
    trumps: bool = False
    played: tuple[int, ...] = (0, 0, 0, 2)


def _turned(suits: tuple[Suit, ...]) -> tuple[Suit, ...]:
    return tuple((other, mine, out) for mine, other, out in suits)


_RUN: Final = (
    ("A", "2", ""), ("AK", "32", ""), ("A", "", ""), ("AK", "2", ""), ("AK", "", ""),
    ("A2", "K3", ""), ("AQ", "K", ""), ("A", "2", "3"),
)  # fmt: skip
_LONE: Final = (
    ("J", "", "Q"), ("J", "2", "Q"), ("T", "", "QJ"), ("J", "", "KQ"), ("9", "", "T"),
    ("J3", "2", "Q4"), ("T", "2", "J3"), ("J", "", "Q3"),
)  # fmt: skip
_FINESSE: Final = (
    ("3", "AQ", "KJT"), ("3", "AQ", "K"), ("3", "AQ", "KJ"), ("32", "AQ", "KJT9"),
    ("2", "AQ", "K543"), ("32", "AQ", "K54"), ("J3", "AQ", "K54"), ("3", "AQ", "K5"),
    ("2", "KJ", "Q54"), ("A2", "KJ", "Q54"), ("K2", "AJ", "Q543"),
)  # fmt: skip
_TWO_WAY: Final = (
    ("KT", "AJ3", "Q987"), ("KT", "AJ3", "Q98"), ("KT2", "AJ3", "Q987"), ("AJ3", "KT", "Q987"),
    ("AT", "KJ3", "Q98"), ("KJ2", "AT3", "Q98"), ("K2", "AJ3", "QT9"), ("A2", "KJ3", "QT9"),
    ("K3", "AJ", "QT"), ("K", "AJ3", "QT9"),
)  # fmt: skip
_KING_OR_JACK: Final = (  # which to play?
    ("3", "KJ", "AQ"), ("32", "KJ", "AQ4"), ("3", "KJ", "AQT"), ("3", "QT", "AKJ"),
    ("3", "KJ2", "AQT"), ("32", "K4", "AQ"), ("3", "K4", "AQJ"), ("2", "QT", "KJ3"),
)  # fmt: skip
_LONG: Final = (
    ("2", "AJ", "KQ"), ("2", "AT", "KQJ"), ("2", "AK3", "QJT"), ("K2", "A43", "QJT"),
    ("A2", "K43", "QJT9"), ("2", "A5", "KQJ"), ("2", "AJ", "KQT"), ("3", "K2", "QJT"),
)  # fmt: skip
_VIENNA: Final = (
    ("Q3", "A", "KJT"), ("Q3", "A", "K54"), ("J3", "A", "KQ5"), ("Q32", "A4", "KJT"),
    ("J3", "K", "Q54"), ("T3", "A", "KQJ"), ("Q3", "A", "K5"), ("Q3", "A", "KJ"),
)  # fmt: skip
_CROSS: Final = (
    ("Q3", "A", "K54"), ("J3", "A", "KQ5"), ("Q2", "A", "K5"), ("J3", "K", "Q54"),
    ("J2", "A", "KQ"), ("QJ2", "A", "K5"),
)  # fmt: skip
_IDLE: Final = (("", "", ""), ("", "", ""), ("2", "", "3"), ("", "2", "3"), ("", "2", ""))
_TENACE: Final = (  # trumps over a defender's, longer than they are
    ("AQ", "", "K2"), ("AQ3", "", "K4"), ("AQ3", "", "KJ"), ("AQ2", "", "K3"), ("KJ2", "", "Q4"),
    ("AJ2", "", "Q3"), ("AQ32", "", "K5"), ("AQ2", "3", "K5"), ("AQT", "", "KJ2"),
    ("AQJ", "2", "K43"), ("AQJ3", "2", "K54"), ("AQ3", "2", "K54"), ("AJ3", "2", "Q54"),
)  # fmt: skip
_DUMMYS: Final = (  # plain winners of the hand without trumps, and ways to it
    ("2", "A", "K"), ("2", "AK", "QJ"), ("", "A2", "KQ"), ("3", "A2", "KQ"), ("2", "A", "KQ"),
    ("", "AK", "QJ"), ("", "2", "AK"), ("2", "A3", "KQJ"),
)  # fmt: skip
_LONGER: Final = (  # trumps: the hand that ruffs, the hand that draws
    ("A98", "KQ", "76"), ("AK98", "QJT", "765"), ("A987", "KQJ", "654"), ("A98", "KQJ", "76"),
    ("AQ9", "KJ", "87"), ("AT98", "KQJ", "76"), ("A95", "KQ", "876"), ("AK9", "QJ", "T8"),
)  # fmt: skip
_RUFFS: Final = (("", "32", "AK"), ("", "32", "KQJ"), ("", "A32", "KQ"), ("2", "A3", "KQ"),
                 ("2", "A43", "KQJ"), ("", "Q2", "AK"))  # fmt: skip
_ENTRIES: Final = (  # a threat in the one hand, and a way to each
    ("K2", "AJ4", "QT9"), ("K2", "AJ4", "QT"), ("K2", "A43", "QJT"), ("A2", "KJ4", "QT9"),
    ("K3", "AJ", "QT"), ("A3", "K42", "QJT"), ("Q2", "AK4", "JT9"), ("A4", "K2", "QJ"),
)  # fmt: skip

PLANS: Final = {
    "show-up squeeze": CoupPlan((Part(_RUN), Part(_LONE, "LLL?R"), Part(_FINESSE), Part(_IDLE))),
    "show-up again": CoupPlan(
        (Part(_RUN), Part(_turned(_LONE), "LLL?R"), Part(_FINESSE), Part(_IDLE))
    ),
    "double squeeze": CoupPlan(
        (Part(_RUN), Part(_LONE, "LR"), Part(_turned(_LONE), "LR"), Part(_TWO_WAY + _ENTRIES))
    ),
    "double show-up": CoupPlan(
        (Part(_RUN), Part(_LONE, "LR?"), Part(_turned(_LONE), "LR?"), Part(_FINESSE))
    ),
    "simple squeeze": CoupPlan(
        (Part(_RUN), Part(_LONE + _turned(_LONE), "LR?"), Part(_LONG + _ENTRIES), Part(_IDLE))
    ),
    "king or jack": CoupPlan((Part(_RUN), Part(_LONE, "LLR?"), Part(_KING_OR_JACK), Part(_IDLE))),
    "two tenaces": CoupPlan((Part(_RUN), Part(_FINESSE, "LR?"), Part(_FINESSE), Part(_IDLE))),
    "Vienna coup": CoupPlan((Part(_RUN), Part(_VIENNA), Part(_ENTRIES), Part(_IDLE))),
    "Vienna show-up": CoupPlan((Part(_RUN), Part(_VIENNA, "LR?"), Part(_FINESSE), Part(_IDLE))),
    "criss-cross squeeze": CoupPlan((Part(_RUN), Part(_CROSS), Part(_turned(_CROSS)), Part(_IDLE))),
    "trump coup": CoupPlan(
        (Part(_TENACE, "RR?"), Part(_DUMMYS, "LR?"), Part(_DUMMYS), Part(_IDLE)), trumps=True,
        played=(0,),
    ),
    "trump squeeze": CoupPlan(
        (Part(_RUN), Part(_RUFFS, "LR?"), Part(_FINESSE, "?"), Part(_LONE, "LR?")), trumps=True
    ),
    "dummy reversal": CoupPlan(
        (Part(_LONGER), Part(_RUFFS, "LR"), Part(_IDLE), Part(_FINESSE, "LR?")), trumps=True,
        played=(0,),
    ),
}  # fmt: skip


def drawn(rng: random.Random, name: str = "") -> EndingScene | None:
    """An ending after a plan, a certain one or any; None when its parts do not go together."""
    plan = PLANS[name or rng.choice(list(PLANS))]
    places = rng.sample(range(4), 4)
    first = rng.choice((DUMMY, DECLARER))
    hands, barred, free = [0] * 4, [0] * 4, list[int]()
    for part, place in zip(plan.parts, places, strict=False):
        mine, other, out = (_of(cards, place) for cards in rng.choice(part.suits))
        hands[first] |= mine
        hands[first ^ 2] |= other
        seat = {"L": first + 1 & 3, "R": first + 3 & 3}.get(rng.choice(part.whose))
        if seat is None:
            free += cards_of(out)
        else:
            hands[seat] |= out
            barred[seat ^ 2] |= SUIT_BITS << 13 * place
    lengths = [hand.bit_count() for hand in hands]
    n = max(*lengths, (lengths[1] + lengths[3] + len(free) + 1) // 2)
    if not LENGTHS[0] <= n <= LENGTHS[1]:
        return None
    busy = rng.choice((1, 3))  # most of what matters is in one hand, as squeezes want it
    rng.shuffle(free)
    for card in free:
        room = [s for s in (1, 3) if hands[s].bit_count() < n]
        hands[busy if busy in room and rng.random() < _BUSY else rng.choice(room)] |= 1 << card
    if rng.random() < _BUSY and not hands[busy] & SUIT_BITS << 13 * places[-1]:
        barred[busy] |= SUIT_BITS << 13 * places[-1]
    if not _filled(hands, barred, n, places[-1], rng):
        return None
    leader = rng.choice((first, first ^ 2))
    scene = EndingScene(
        (hands[0], hands[1], hands[2], hands[3]), places[0] if plan.trumps else 4, leader, (),
        (0, barred[1], 0, barred[3]), 1, DECLARER,
    )  # fmt: skip
    return _begun(scene, places[0], rng) if rng.choice(plan.played) else scene


def _filled(hands: list[int], barred: list[int], n: int, idle: int, rng: random.Random) -> bool:
    """Low cards that do nothing, most of them of one suit, until all hands are as long."""
    for seat in rng.sample(range(4), 4):
        while (missing := n - hands[seat].bit_count()) > 0:
            used = hands[0] | hands[1] | hands[2] | hands[3] | barred[seat]
            suits = range(4) if rng.random() < 0.3 else (idle,)
            low = [c for s in suits for c in range(13 * s, 13 * s + 8) if not used >> c & 1]
            if not low:
                low = [c for c in range(52) if c % 13 < 8 and not used >> c & 1]
            if len(low) < missing:
                return False
            hands[seat] |= 1 << rng.choice(low)
    return True


def _begun(scene: EndingScene, suit: int, rng: random.Random) -> EndingScene | None:
    """Our top card of a suit has been led and the next defender has played: a discard is due."""
    leads = [s for s in (DUMMY, DECLARER) if scene.hands[s] & SUIT_BITS << 13 * suit]
    if not leads:
        return None
    led = max(leads, key=lambda s: scene.hands[s] & SUIT_BITS << 13 * suit)
    hands, trick = list(scene.hands), list[int]()
    for seat in (led, (led + 1) & 3):
        legal = hands[seat] & SUIT_BITS << 13 * suit or hands[seat]
        card = cards_of(legal)[-1] if not trick else rng.choice(cards_of(legal))
        hands[seat] &= ~(1 << card)
        trick.append(card)
    return replace(
        scene, hands=(hands[0], hands[1], hands[2], hands[3]), leader=led, trick=tuple(trick)
    )


def _of(cards: str, suit: int) -> int:
    return Hand.parse(f"...{cards}").bits << 13 * suit
