"""The bidder of BBA, Edward Piwowar's program, asked through the C interface of its native library.

    epbot(lib="libEPBot.so", card="BBA-21GF.bbsa")

The library is closed, comes with no licence and is never shipped here: a user brings a copy and
names its path. It is a .NET library compiled ahead of time, which does not survive a fork, so it
is loaded by the process that first asks it for a call. Every call is asked on a fresh hand with
the auction told again: the same view has the same answer. How to sit it at a table, and what it is
told of the other side, is in docs/howto/opponents.md.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.game import CALLS, Call, Decision, Hand, Meaning, OptionError, Suit, View
from overtrick.game.errors import BridgeError
from overtrick.game.meaning import ANY_HCP, Lengths
from overtrick.systems import bbsa, declared, load

TYPES: Final = ("two-over-one", "sayc", "polish", "precision", "acol")
"""Our names for its systems, by its number."""
_NEAREST: Final = TYPES.index("sayc")  # what a side plays of which nothing better is known
_TYPE, _OPPONENTS = "System type", "Opponent type"
_MATCHPOINTS, _IMPS = 0, 1
_INTERPRETED: Final = 13  # where it puts what it was asked to interpret
_LEAST_HCP, _MOST_HCP = 402, 403  # places in its list of features
_ROOM: Final = 4096  # for the numbers of an answer, and for the bytes of a text
_FIRST_BID: Final = 5  # its number of 1♣; Pass, X and XX are 0, 1, 2 as ours are
_OURS_FIRST: Final = 3
_SUIT: Final = re.compile("!([CDHS])")  # how it writes ♣ ♦ ♥ ♠
# Our bits are N–S 1 and E–W 2; it counts E–W 1 and N–S 2.
_VULNERABLE: Final = (0, 2, 1, 3)


class EpbotError(BridgeError):
    """The library cannot be loaded, or refuses what it was told."""


@dataclass(frozen=True, slots=True)
class BbsaCard:
    """A `.bbsa` card as the library takes it: a system's number and its conventions in order."""

    kind: int
    opponents: int
    conventions: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, text: str, where: str = "the card") -> BbsaCard:
        """Read `Name = 0 or 1` lines.

        >>> BbsaCard.of("System type = 1\\nBergen = 1\\nDrury = 0\\n").conventions
        (('Drury', 0), ('Bergen', 1))
        """
        found: dict[str, int] = {}
        for line in text.splitlines():
            name, equals, value = line.rpartition("=")
            if equals and value.strip().isdigit():
                found[name.strip()] = int(value)
        kind = found.pop(_TYPE, -1)
        if not 0 <= kind < len(TYPES):
            raise OptionError(f"epbot: {where} is no .bbsa card of a system that BBA plays")
        opponents = found.pop(_OPPONENTS, 0)
        # Conventions form groups in which a 0 for the only active member is ignored, so what is
        # on is said last.
        each = tuple(sorted(found.items(), key=lambda row: row[1]))
        return cls(kind, opponents, each)


@dataclass(frozen=True, slots=True)
class Epbot:
    """BBA's bidder: `lib` is the path of its native library, `card` that of its `.bbsa` card.

    `theirs` is the card it believes its opponents to play; without one it is told what they
    declare, and takes strangers for SAYC.
    """

    lib: str
    card: str
    theirs: str = ""

    def __post_init__(self) -> None:
        for path in filter(None, (self.lib, self.card, self.theirs)):
            if not Path(path).is_file():
                raise OptionError(f"epbot: there is no file {path}")
        self._own  # noqa: B018  (fail now, not at the table, when the card cannot be read)

    @property
    def name(self) -> str:
        return spelled("epbot", self)

    @property
    def _own(self) -> BbsaCard:
        return _card_of(self.card)

    @property
    def system(self) -> str:
        """What opponents are told: its card as near as a card of ours comes to it."""
        return _told_of(self.card)

    def bid(self, view: View) -> Decision:
        started = now()
        seat = self._seated(view)
        call = seat.call()
        if not view.auction.is_legal(call):
            raise EpbotError(f"epbot bids {call}, which is illegal here")
        return Decision(
            call, seat.meaning(call), why=f"BBA bids {call}", seed=view.seed,
            milliseconds=1000 * (now() - started), engine=self.name,
        )  # fmt: skip

    def meaning(self, view: View, call: int) -> Meaning:
        """What it would take the call to show, whoever holds the cards."""
        return self._seated(view).meaning(CALLS[call])

    def _seated(self, view: View) -> _Seat:
        other = _card_of(self.theirs) if self.theirs else _card_declared(view.systems.theirs)
        side = int(view.seat) & 1
        cards = (self._own, other) if side == 0 else (other, self._own)
        handle = _Handle(self.lib, int(view.seat), cards)
        handle.tell(view)
        return _Seat(handle)


@lru_cache(maxsize=64)
def _card_of(path: str) -> BbsaCard:
    return BbsaCard.of(Path(path).read_text(errors="replace"), path)


@lru_cache(maxsize=64)
def _told_of(path: str) -> str:
    kind = TYPES[_card_of(path).kind]
    near = bbsa.loads(Path(path).read_text(errors="replace"), path).card
    return declared(near.line) if near.system == kind else kind


@lru_cache(maxsize=64)
def _card_declared(system: str) -> BbsaCard:
    """The card of a side that declared a system: of ours as our cards say, else plain SAYC."""
    known = declared(system)
    if not known:
        return BbsaCard(_NEAREST, 0, ())
    return BbsaCard.of(bbsa.dumps(load(known)))


@dataclass(frozen=True, slots=True)
class _Seat:
    """One seat that has been told its hand and the auction."""

    handle: _Handle

    def call(self) -> Call:
        return _ours(self.handle.number("epbot_get_bid"))

    def meaning(self, call: Call) -> Meaning:
        """In its words, with the points and lengths it gives."""
        ask = self.handle
        ask.number("epbot_interpret_bid", _theirs(int(call)))
        features = ask.numbers("epbot_get_info_feature")
        low, high = features[_LEAST_HCP], features[_MOST_HCP]
        least = ask.numbers("epbot_get_info_min_length")
        most = ask.numbers("epbot_get_info_max_length")
        spans = [(max(a, 0), min(b, 13)) for a, b in zip(least[:4], most[:4], strict=True)]
        lengths: Lengths = (spans[0], spans[1], spans[2], spans[3])
        words = _SUIT.sub(lambda it: str(Suit.parse(it[1])), ask.text("epbot_get_info_meaning"))
        return Meaning(
            words.strip() or "natural",
            hcp=(low, min(high, ANY_HCP[1])) if 0 <= low <= high else ANY_HCP,
            lengths=lengths if all(a <= b for a, b in spans) else ((0, 13),) * 4,
            alert=bool(ask.number("epbot_get_info_alerting", _INTERPRETED)),
        )


def _ours(call: int) -> Call:
    """Its number of a call as ours."""
    return CALLS[call if call < _FIRST_BID else call - _FIRST_BID + _OURS_FIRST]


def _theirs(call: int) -> int:
    """Our number of a call as its own."""
    return call if call < _OURS_FIRST else call - _OURS_FIRST + _FIRST_BID


def _holding(hand: Hand) -> bytes:
    """Clubs, diamonds, hearts, spades, a line each."""
    return "\n".join(hand.ranks(suit) for suit in Suit).encode()


class _Handle:
    """One engine inside the library: it knows both sides' cards and is told a hand at a time."""

    def __init__(self, lib: str, seat: int, cards: tuple[BbsaCard, BbsaCard]) -> None:
        self._dll = _library(lib)
        self._seat = seat
        self._at = self._dll["epbot_create"]()
        if not self._at:
            raise EpbotError(f"epbot: {self._said()}")
        for side, card in enumerate(cards):
            self.number("epbot_set_system_type", side, card.kind)
            for name, on in card.conventions:
                self.number("epbot_set_conventions", side, name.encode(), on)
            self.number("epbot_set_opponent_type", side, card.opponents)

    def __del__(self) -> None:
        if getattr(self, "_at", None):
            self._dll["epbot_destroy"](self._at)

    def tell(self, view: View) -> None:
        """A new hand, and every call so far."""
        scoring = _MATCHPOINTS if view.scoring == "matchpoints" else _IMPS
        self.number("epbot_set_scoring", scoring)
        self.number(
            "epbot_new_hand", self._seat, _holding(view.hand), int(view.dealer),
            _VULNERABLE[int(view.vul)], 0, 0,
        )  # fmt: skip
        for turn, call in enumerate(view.auction.calls):
            self.number("epbot_set_bid", int(view.auction.seat_of(turn)), _theirs(int(call)), b"")

    def number(self, question: str, *given: Any) -> int:
        found: int = self._dll[question](self._at, *given)
        if found < 0:
            raise EpbotError(f"epbot: {question} says {self._said() or found}")
        return found

    def numbers(self, question: str) -> list[int]:
        """A list of numbers, zeros after its end; room is counted in bytes."""
        room, count = (ctypes.c_int * _ROOM)(), ctypes.c_int(0)
        size = ctypes.sizeof(room)
        self.number(question, _INTERPRETED, room, size, ctypes.byref(count))
        return list(room)

    def text(self, question: str) -> str:
        room = ctypes.create_string_buffer(_ROOM)
        self.number(question, _INTERPRETED, room, _ROOM)
        return room.value.decode(errors="replace")

    def _said(self) -> str:
        words: bytes | None = self._dll["epbot_get_last_error"]()
        return (words or b"").decode(errors="replace")


_P, _I, _S = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
_QUESTIONS: Final[Mapping[str, tuple[Any, tuple[Any, ...]]]] = {
    "epbot_create": (_P, ()),
    "epbot_destroy": (None, (_P,)),
    "epbot_get_last_error": (_S, ()),
    "epbot_set_system_type": (_I, (_P, _I, _I)),
    "epbot_set_opponent_type": (_I, (_P, _I, _I)),
    "epbot_set_conventions": (_I, (_P, _I, _S, _I)),
    "epbot_set_scoring": (_I, (_P, _I)),
    "epbot_new_hand": (_I, (_P, _I, _S, _I, _I, _I, _I)),
    "epbot_set_bid": (_I, (_P, _I, _I, _S)),
    "epbot_get_bid": (_I, (_P,)),
    "epbot_interpret_bid": (_I, (_P, _I)),
    "epbot_get_info_meaning": (_I, (_P, _I, _S, _I)),
    "epbot_get_info_alerting": (_I, (_P, _I)),
    "epbot_get_info_feature": (_I, (_P, _I, _P, _I, ctypes.POINTER(_I))),
    "epbot_get_info_min_length": (_I, (_P, _I, _P, _I, ctypes.POINTER(_I))),
    "epbot_get_info_max_length": (_I, (_P, _I, _P, _I, ctypes.POINTER(_I))),
}


@lru_cache(maxsize=4)
def _library(path: str) -> dict[str, Callable[..., Any]]:
    os.environ.setdefault("DOTNET_gcServer", "0")  # one heap, not one for each core
    os.environ.setdefault("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
    try:
        dll = ctypes.CDLL(str(Path(path).resolve()))
        found = {name: getattr(dll, name) for name in _QUESTIONS}
    except (OSError, AttributeError) as error:
        raise EpbotError(f"epbot: {path} is not BBA's native library: {error}") from None
    for name, (answer, given) in _QUESTIONS.items():
        found[name].restype, found[name].argtypes = answer, given
    return found
