"""When a call is alerted, announced or neither: the procedures of federations, as data.

A procedure is a file of rows beside this module; the first row that fits a call decides, and
without one its being natural or artificial. Which procedure holds is a switch of the card
(`alerts-wbf`, `alerts-ebu`; the ACBL's without one). What rule files mark as `alert` or
`artificial` is artificial here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final

from overtrick.game.calls import CALLS, level_of, strain_of
from overtrick.game.cards import SUIT_WORDS, Suit
from overtrick.game.meaning import ANY_HCP, Forcing, Lengths, Range
from overtrick.systems.context import Context
from overtrick.systems.errors import BiddingSystemError
from overtrick.systems.reading import OfferedCall

_HERE: Final = Path(__file__).parent
_SWITCH: Final = "alerts-"
_DEFAULT: Final = "acbl"
_BOUND: Final = (Forcing.ONE_ROUND, Forcing.GAME, Forcing.SLAM)
_SHOWN: Final = 4  # cards of a suit that is shown
_ROUND: Final = 4


class Duty(StrEnum):
    """What is owed to the opponents when a call is made."""

    NOTHING = ""
    ALERT = "alert"
    ANNOUNCE = "announce"
    DELAYED = "delayed"  # alerted when the auction is over


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What is owed for a call, the words of an announcement, and the row that says so."""

    duty: Duty
    words: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A call as procedures look at it."""

    ctx: Context
    call: int
    option: OfferedCall
    hcp: Range
    lengths: Lengths

    @property
    def artificial(self) -> bool:
        rule = self.option.rule
        return rule.artificial or (rule.alert and self.call not in (1, 2) and not self.marked)

    @property
    def marked(self) -> bool:
        """Natural, with a meaning that the rule file marks all the same."""
        rule = self.option.rule
        if not rule.alert or rule.artificial or self.call < 3:
            return False
        strain = strain_of(self.call)
        return strain == 4 or self.lengths[strain][0] >= _SHOWN

    @property
    def partner(self) -> str:
        call = self.ctx.told[self.ctx.partner].call
        return CALLS[call].ascii if call >= 0 else ""

    @property
    def asked(self) -> tuple[str, ...]:
        """The tags of partner's bid, if it is the last but for passes and doubles."""
        ctx = self.ctx
        return ctx.told[ctx.partner].tags if ctx.last_bidder == ctx.partner else ()

    @property
    def first(self) -> bool:
        return not self.ctx.bids[self.ctx.me]

    @property
    def response(self) -> bool:
        """The first call to partner's opening of one of a suit."""
        ctx = self.ctx
        opened = ctx.opener == ctx.partner and self.first and ctx.bids[ctx.partner] == 1
        return opened and level_of(ctx.told[ctx.partner].call) == 1

    @property
    def is_raise(self) -> bool:
        """Does it bid the suit that partner bid last?"""
        theirs = self.ctx.told[self.ctx.partner].call
        return self.call >= 3 and theirs >= 3 and strain_of(self.call) == strain_of(theirs) < 4

    @property
    def suit(self) -> int:
        return strain_of(self.call) if self.call >= 3 and strain_of(self.call) < 4 else -1

    @property
    def jump(self) -> bool:
        return self.call - 5 > self.ctx.last_bid

    @property
    def doubled(self) -> str:
        """What was doubled: "suit", "notrump" or "artificial"."""
        ctx = self.ctx
        last = ctx.told[ctx.last_bidder]
        if last.artificial and last.call == ctx.last_bid:
            return "artificial"
        return "notrump" if strain_of(ctx.last_bid) == 4 else "suit"


def _at_least(name: str) -> Callable[[Seen, str], bool]:
    def test(seen: Seen, wanted: str) -> bool:
        level = seen.call if seen.call >= 3 else seen.ctx.last_bid
        limit = next(i for i, c in enumerate(CALLS) if c.ascii == wanted)
        return level > limit if name == "above" else level < limit

    return test


def _kind(call: int) -> str:
    return ("pass", "double", "redouble", "bid")[min(call, 3)]


def _shortest(seen: Seen, wanted: int) -> bool:
    return seen.suit >= 0 and seen.lengths[seen.suit][0] < wanted


_TESTS: Final[Mapping[str, Callable[[Seen, Any], bool]]] = {
    "kind": lambda s, v: _kind(s.call) in v,
    "calls": lambda s, v: CALLS[s.call].ascii in v,
    "opening": lambda s, v: (not s.ctx.last_bid) is v,
    "opened": lambda s, v: (s.ctx.opener & 1 == s.ctx.side and s.ctx.opener >= 0) is v,
    "artificial": lambda s, v: s.artificial is v,
    "marked": lambda s, v: s.marked is v,
    "forcing": lambda s, v: (_force(s) in _BOUND) is v,
    "tags": lambda s, v: any(t in v for t in s.option.rule.tags),
    "without": lambda s, v: not any(t in v for t in s.option.rule.tags),
    "answers": lambda s, v: any(t in v for t in s.asked),
    "partner": lambda s, v: s.partner in v,
    "response": lambda s, v: s.response is v,
    "raise": lambda s, v: s.is_raise is v,
    "newsuit": lambda s, v: (
        s.suit >= 0 and not (s.ctx.our_suits | s.ctx.their_suits) >> s.suit & 1
    ) is v,
    "cue": lambda s, v: (s.suit >= 0 and bool(s.ctx.their_suits >> s.suit & 1)) is v,
    "notrump": lambda s, v: (s.call >= 3 and strain_of(s.call) == 4) is v,
    "jump": lambda s, v: s.jump is v,
    "first": lambda s, v: s.first is v,
    "late": lambda s, v: (len(s.ctx.key) >= _ROUND) is v,
    "round": lambda s, v: len(s.ctx.key) // _ROUND + 1 >= v,
    "contested": lambda s, v: (not s.ctx.uncontested) is v,
    "passed": lambda s, v: bool(s.ctx.passed >> s.ctx.me & 1) is v,
    "most": lambda s, v: s.hcp[1] <= v,
    "shorter": _shortest,
    "above": _at_least("above"),
    "below": _at_least("below"),
    "doubled": lambda s, v: s.doubled == v,
}  # fmt: skip


def _force(seen: Seen) -> Forcing:
    rule = seen.option.rule
    return seen.ctx.force_of(rule.forcing, rule.artificial)


@dataclass(frozen=True, slots=True)
class Provision:
    """A row of a procedure: the calls it is about, and what is owed for them."""

    name: str
    tests: tuple[tuple[str, Any], ...]
    duty: Duty
    words: str

    def fits(self, seen: Seen) -> bool:
        return all(_TESTS[key](seen, value) for key, value in self.tests)


@dataclass(frozen=True, slots=True)
class Procedure:
    """When a federation wants calls alerted or announced."""

    name: str
    title: str
    artificial: Duty
    natural: Duty
    rows: tuple[Provision, ...]
    before: tuple[Provision, ...]

    def of(self, seen: Seen) -> Disclosure:
        """What is owed for a call."""
        for row in self.rows:
            if row.fits(seen):
                return Disclosure(row.duty, _announced(row.words, seen), row.name)
        return Disclosure(self.artificial if seen.artificial or seen.marked else self.natural)


def _announced(words: str, seen: Seen) -> str:
    """The words of an announcement: as they stand, the range, or the suit that is shown."""
    if words == "range":
        low, high = seen.hcp
        return f"{low}+" if high >= ANY_HCP[1] else f"{low}–{high}"
    if words == "suit":
        long = max(range(4), key=lambda s: (s != seen.suit, seen.lengths[s][0]))
        return SUIT_WORDS[Suit(long)] if seen.lengths[long][0] >= _SHOWN else "a transfer"
    return words


def procedures() -> list[str]:
    """The names of all procedures."""
    return sorted(p.stem for p in _HERE.glob("*.toml"))


@cache
def procedure(name: str) -> Procedure:
    """A procedure by its name.

    >>> procedure("wbf").title
    'WBF alerting policy'
    """
    if name not in procedures():
        raise BiddingSystemError(f"no alert procedure {name!r}; there are {procedures()}")
    found = tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))
    rows = tuple(_line(row, name) for row in found["row"])
    before = tuple(_line(row, name) for row in found.get("before", ()))
    return Procedure(
        name, found["title"], Duty(found["artificial"]), Duty(found["natural"]), rows, before
    )


def _line(row: Mapping[str, Any], where: str) -> Provision:
    tests = {k: v for k, v in row.items() if k not in ("name", "say", "words")}
    unknown = sorted(set(tests) - set(_TESTS))
    if unknown:
        raise BiddingSystemError(f"{where}.toml: no such condition {unknown[0]!r}")
    return Provision(
        row["name"], tuple(tests.items()), Duty(row.get("say", "")), row.get("words", "")
    )


def before_play(seen: Iterable[Seen], rules: Procedure) -> list[Seen]:
    """The openings among these that opponents are told of before the first board."""
    told = [s for s in seen if s.artificial or _force(s) in _BOUND]
    return [s for s in told if any(row.fits(s) for row in rules.before)]


def in_force(conventions: frozenset[str]) -> Procedure:
    """The procedure that a card's switches choose."""
    chosen = [c.removeprefix(_SWITCH) for c in conventions if c.startswith(_SWITCH)]
    return procedure(chosen[0] if chosen else _DEFAULT)


def disclosure(seen: Seen) -> Disclosure:
    """What the side in turn owes for its call by the procedure of its card."""
    return in_force(seen.ctx.conventions[seen.ctx.side]).of(seen)


__all__ = [
    "Disclosure", "Duty", "Procedure", "Provision", "Seen", "before_play", "disclosure", "in_force",
    "procedure", "procedures",
]  # fmt: skip
