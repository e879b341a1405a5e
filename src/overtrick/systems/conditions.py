"""`when` clauses and suit sets: questions about an auction, asked of its context."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from overtrick.game.calls import strain_of as _strain
from overtrick.systems.context import LEAD, Context
from overtrick.systems.errors import did_you_mean
from overtrick.systems.syntax import Place
from overtrick.worlds.cursor import Cursor

Bound = Mapping[str, int]
Condition = Callable[[Context, Bound], bool]
SuitSet = Callable[[Context, Bound], tuple[int, ...]]
_BITS: Final = tuple(tuple(s for s in range(4) if b >> s & 1) for b in range(16))
_SUIT_NAMES: Final = {"clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3}


def _game_in_reach(c: Context, _: Bound) -> bool:
    return c.last_bid < 3 + 5 * 2 + 4  # below 3NT


def _takeout(c: Context, _: Bound) -> bool:
    """Is a double now for takeout? Low level, a suit, no fit of ours, nobody showed notrump."""
    if c.ours or c.doubled or not c.last_bid or _strain(c.last_bid) == 4 or c.level > 3:
        return False
    if c.agreed[c.side] >= 0 or c.forced_to_game:
        return False
    if _strain(c.told[c.partner].call) == 4 or _strain(c.told[c.me].call) == 4:
        return False
    settled = ("penalty", "redouble", "cards")
    return not any(t in settled for s in (c.me, c.partner) for t in c.told[s].tags)


_FLAGS: Final[dict[str, Condition]] = {
    "uncontested": lambda c, b: c.uncontested,
    "contested": lambda c, b: not c.uncontested,
    "we opened": lambda c, b: c.opener >= 0 and c.opener & 1 == c.side,
    "they opened": lambda c, b: c.opener >= 0 and c.opener & 1 != c.side,
    "nobody opened": lambda c, b: c.opener < 0,
    "i opened": lambda c, b: c.opener == c.me,
    "partner opened": lambda c, b: c.opener == c.partner,
    "lho opened": lambda c, b: c.opener == c.lho,
    "rho opened": lambda c, b: c.opener == c.rho,
    "passed hand": lambda c, b: bool(c.passed >> c.me & 1),
    "partner passed hand": lambda c, b: bool(c.passed >> c.partner & 1),
    "vul": lambda c, b: bool(c.vul >> c.side & 1),
    "they vul": lambda c, b: bool(c.vul >> (1 - c.side) & 1),
    "favourable": lambda c, b: c.vul >> c.side & 1 == 0 and c.vul >> (1 - c.side) & 1 == 1,
    "unfavourable": lambda c, b: c.vul >> c.side & 1 == 1 and c.vul >> (1 - c.side) & 1 == 0,
    "forced": lambda c, b: c.forced,
    "must bid": lambda c, b: c.must_bid,
    "forced to game": lambda c, b: c.forced_to_game,
    "below game": lambda c, b: not c.at_game,
    "at game": lambda c, b: c.at_game,
    "agreed": lambda c, b: c.agreed[c.side] >= 0,
    "agreed major": lambda c, b: c.agreed[c.side] >= 2,
    "agreed minor": lambda c, b: c.agreed[c.side] in (0, 1),
    "ours": lambda c, b: c.ours,
    "theirs": lambda c, b: c.last_bidder >= 0 and not c.ours,
    "doubled": lambda c, b: c.doubled == 1,
    "redoubled": lambda c, b: c.doubled == 2,
    "pass-out seat": lambda c, b: c.passes == 2 and c.last_bid > 0,
    # A double of an artificial bid (tag `lead`) is a pass as far as our answers go.
    "rho passed": lambda c, b: c.told[c.rho].call == 0 or LEAD in c.told[c.rho].tags,
    "rho doubled": lambda c, b: c.told[c.rho].call == 1,
    "rho redoubled": lambda c, b: c.told[c.rho].call == 2,
    "rho bid": lambda c, b: c.told[c.rho].call >= 3,
    "rho bid a suit": lambda c, b: 0 <= _strain(c.told[c.rho].call) < 4,
    "rho bid notrump": lambda c, b: _strain(c.told[c.rho].call) == 4,
    "lho passed": lambda c, b: c.told[c.lho].call == 0,
    "lho bid": lambda c, b: c.told[c.lho].call >= 3,
    "partner passed": lambda c, b: c.told[c.partner].call == 0,
    "partner doubled": lambda c, b: c.told[c.partner].call == 1,
    "partner redoubled": lambda c, b: c.told[c.partner].call == 2,
    "partner bid": lambda c, b: c.told[c.partner].call >= 3,
    "partner bid a suit": lambda c, b: 0 <= _strain(c.told[c.partner].call) < 4,
    "partner bid notrump": lambda c, b: _strain(c.told[c.partner].call) == 4,
    "partner signed off": lambda c, b: c.told[c.partner].forcing.value == "sign-off",
    "partner forcing": lambda c, b: c.told[c.partner].forcing.value[:2] in ("on", "to"),
    "partner limited": lambda c, b: c.shown[c.partner].hcp[1] - c.shown[c.partner].hcp[0] <= 5,
    "i doubled": lambda c, b: c.told[c.me].call == 1,
    "i passed": lambda c, b: c.told[c.me].call == 0,
    "i bid notrump": lambda c, b: _strain(c.told[c.me].call) == 4,
    "last bid notrump": lambda c, b: _strain(c.last_bid) == 4,
    "last bid a suit": lambda c, b: 0 <= _strain(c.last_bid) < 4,
    "below 3NT": _game_in_reach,
    "takeout double": _takeout,
    "penalty double": lambda c, b: (
        not c.ours and c.last_bid > 0 and not c.doubled and not _takeout(c, b)
    ),
    "partner raised": lambda c, b: bool(
        c.told[c.partner].call >= 3 and _strain(c.told[c.partner].call) < 4
        and c.suits[c.me] >> _strain(c.told[c.partner].call) & 1
    ),
    "they fit": lambda c, b: any(
        c.shown[c.lho].low[s] + c.shown[c.rho].low[s] >= 7
        and c.suits[c.lho] >> s & 1 and c.suits[c.rho] >> s & 1 for s in range(4)
    ),
    "never": lambda c, b: False,
}  # fmt: skip
_WHO: Final = {"partner": 2, "i": 0, "lho": 1, "rho": 3}
_RANGE: Final = r"(\d+\+|\d+\.\.\d+|\.\.\d+|\d+)"
_SUIT: Final = r"(oM|om|M|m|X|Y|Z|W|T|clubs|diamonds|hearts|spades)"
_SHOWN: Final = re.compile(rf"(partner|i|lho|rho) (max )?(hcp|points|{_SUIT}) {_RANGE}\Z")
_WE: Final = re.compile(rf"(we|they) (hcp|{_SUIT}) {_RANGE}\Z")
_COUNT: Final = re.compile(rf"(seat|round|level|bids|partner bids|their bids) {_RANGE}\Z")
_TAG: Final = re.compile(r"(my tag|tag|lho tag|rho tag) ([\w-]+)\Z")
_LEVEL_OF: Final = re.compile(rf"{_SUIT} level {_RANGE}\Z")
_SUIT_IS: Final = re.compile(
    rf"{_SUIT} is (partner's|mine|ours|theirs|unbid|agreed|major|minor|lho's|rho's|their last"
    r"|the contract|the next step)\Z"
)
_ORDER: Final = re.compile(rf"{_SUIT} (below|above) {_SUIT}\Z")
_LAST: Final = re.compile(rf"(partner|i|rho|lho) last bid {_SUIT}\Z")
_ON: Final = re.compile(r"(?:playing) ([\w-]+)\Z")


def span(text: str) -> tuple[float, float]:
    """`12+`, `3..5`, `..2`, `4` as (low, high)."""
    return Cursor(text, {}).interval()


def _suit_getter(name: str) -> Callable[[Bound], int]:
    if name in _SUIT_NAMES:
        fixed = _SUIT_NAMES[name]
        return lambda b: fixed
    return lambda b: b[name]


def parse_condition(text: str, place: Place) -> Condition:
    """Compile one clause; `not …` and `… or …` work on any of them."""
    key = " ".join(text.split())
    if " or " in key:
        return _either([parse_condition(t, place) for t in key.split(" or ")])
    if key.startswith("not "):
        inner = parse_condition(key[4:], place)
        return lambda c, b: not inner(c, b)
    flag = _FLAGS.get(key)
    if flag is not None:
        return flag
    for reader in (_shown, _we, _count, _tag, _level_of, _suit_is, _order, _last, _playing):
        made = reader(key)
        if made is not None:
            return made
    raise place.error(f"no such condition {key!r}", did_you_mean(key, _FLAGS))


def _either(parts: list[Condition]) -> Condition:
    first, rest = parts[0], parts[1:]
    if not rest:
        return first
    second = _either(rest)
    return lambda c, b: first(c, b) or second(c, b)


def is_about_tags(text: str) -> bool:
    """Does the answer depend on nothing but the tags of the last four calls?"""
    parts = " ".join(text.split()).split(" or ")
    return all(_TAG.match(p.removeprefix("not ")) for p in parts)


def _shown(key: str) -> Condition | None:
    match = _SHOWN.match(key)
    if match is None:
        return None
    offset, top, what = _WHO[match[1]], 1 if match[2] else 0, match[3]
    low, high = span(match[5])
    if what == "hcp":
        return lambda c, b: low <= c.shown[(c.me + offset) & 3].hcp[top] <= high
    if what == "points":
        return lambda c, b: low <= c.points_of((c.me + offset) & 3)[top] <= high
    suit = _suit_getter(what)
    if top:
        return lambda c, b: low <= c.shown[(c.me + offset) & 3].high[suit(b)] <= high
    return lambda c, b: low <= c.shown[(c.me + offset) & 3].low[suit(b)] <= high


def _we(key: str) -> Condition | None:
    match = _WE.match(key)
    if match is None:
        return None
    turn, what = (0, 2) if match[1] == "we" else (1, 3), match[2]
    low, high = span(match[4])
    if what == "hcp":
        return lambda c, b: low <= sum(c.shown[(c.me + t) & 3].hcp[0] for t in turn) <= high
    suit = _suit_getter(what)
    return lambda c, b: low <= sum(c.shown[(c.me + t) & 3].low[suit(b)] for t in turn) <= high


def _count(key: str) -> Condition | None:
    match = _COUNT.match(key)
    if match is None:
        return None
    low, high = span(match[2])
    count: dict[str, Callable[[Context], int]] = {
        "seat": lambda c: len(c.calls) + 1,
        "round": lambda c: len(c.calls) // 4 + 1,
        "level": lambda c: c.level,
        "bids": lambda c: c.bids[c.me],
        "partner bids": lambda c: c.bids[c.partner],
        "their bids": lambda c: c.bids[c.lho] + c.bids[c.rho],
    }
    number = count[match[1]]
    return lambda c, b: low <= number(c) <= high


def _tag(key: str) -> Condition | None:
    match = _TAG.match(key)
    if match is None:
        return None
    offset = {"tag": 2, "my tag": 0, "lho tag": 1, "rho tag": 3}[match[1]]
    tag = match[2]
    return lambda c, b: tag in c.told[(c.me + offset) & 3].tags


def _level_of(key: str) -> Condition | None:
    match = _LEVEL_OF.match(key)
    if match is None:
        return None
    suit, (low, high) = _suit_getter(match[1]), span(match[2])

    def cheapest(c: Context, b: Bound) -> bool:
        level = c.level or 1
        if 3 + 5 * (level - 1) + suit(b) <= c.last_bid:
            level += 1
        return low <= level <= high

    return cheapest


def _suit_is(key: str) -> Condition | None:
    match = _SUIT_IS.match(key)
    if match is None:
        return None
    suit, what = _suit_getter(match[1]), match[2]
    tests: dict[str, Callable[[Context, int], bool]] = {
        "partner's": lambda c, s: bool(c.suits[c.partner] >> s & 1),
        "mine": lambda c, s: bool(c.suits[c.me] >> s & 1),
        "ours": lambda c, s: bool(c.our_suits >> s & 1),
        "theirs": lambda c, s: bool(c.their_suits >> s & 1),
        "lho's": lambda c, s: bool(c.suits[c.lho] >> s & 1),
        "rho's": lambda c, s: bool(c.suits[c.rho] >> s & 1),
        "unbid": lambda c, s: not (c.our_suits | c.their_suits) >> s & 1,
        "agreed": lambda c, s: c.agreed[c.side] == s,
        "major": lambda c, s: s >= 2,
        "minor": lambda c, s: s < 2,
        "the next step": lambda c, s: _strain(c.last_bid + 1) == s,
        "the contract": lambda c, s: _strain(c.last_bid) == s,
        "their last": lambda c, s: not c.ours and _strain(c.last_bid) == s,
    }
    test = tests[what]
    return lambda c, b: test(c, suit(b))


def _order(key: str) -> Condition | None:
    match = _ORDER.match(key)
    if match is None:
        return None
    first, second = _suit_getter(match[1]), _suit_getter(match[3])
    if match[2] == "below":
        return lambda c, b: first(b) < second(b)
    return lambda c, b: first(b) > second(b)


def _last(key: str) -> Condition | None:
    match = _LAST.match(key)
    if match is None:
        return None
    offset, suit = _WHO[match[1]], _suit_getter(match[2])
    return lambda c, b: _strain(c.told[(c.me + offset) & 3].call) == suit(b)


def _playing(key: str) -> Condition | None:
    match = _ON.match(key)
    if match is None:
        return None
    name = match[1]
    return lambda c, b: name in c.conventions[c.side]


def _bits(c: Context, mask: int) -> tuple[int, ...]:
    return _BITS[mask & 15]


def _bit(suit: int) -> int:
    return 1 << suit if suit >= 0 else 0


def _one(suit: int) -> tuple[int, ...]:
    return (suit,) if 0 <= suit < 4 else ()


_SETS: Final[dict[str, Callable[[Context], tuple[int, ...]]]] = {
    "partner's suits": lambda c: _BITS[c.suits[c.partner]],
    # Partner's suits and the agreed one: an artificial raise shows trumps without bidding them.
    "supported suits": lambda c: _BITS[c.suits[c.partner] | _bit(c.agreed[c.side])],
    "my suits": lambda c: _BITS[c.suits[c.me]],
    "our suits": lambda c: _BITS[c.our_suits],
    "their suits": lambda c: _BITS[c.their_suits],
    "unbid suits": lambda c: _BITS[15 & ~(c.our_suits | c.their_suits)],
    "unbid majors": lambda c: _BITS[12 & ~(c.our_suits | c.their_suits)],
    "unbid minors": lambda c: _BITS[3 & ~(c.our_suits | c.their_suits)],
    "suits not theirs": lambda c: _BITS[15 & ~c.their_suits],
    "majors not theirs": lambda c: _BITS[12 & ~c.their_suits],
    "agreed suit": lambda c: _one(c.agreed[c.side]),
    "any suit": lambda c: (0, 1, 2, 3),
    "majors": lambda c: (2, 3),
    "minors": lambda c: (0, 1),
    "partner's last suit": lambda c: _one(_strain(c.told[c.partner].call)),
    "my last suit": lambda c: _one(_strain(c.told[c.me].call)),
    "rho's suit": lambda c: _one(_strain(c.told[c.rho].call)),
    "their last suit": lambda c: () if c.ours else _one(_strain(c.last_bid)),
    "opened suit": lambda c: _one(_strain(next((x for x in c.key if x >= 3), 0))),
}


def parse_suits(text: str, place: Place) -> SuitSet:
    """Compile a suit set of a `for` clause."""
    key = " ".join(text.split())
    found = _SETS.get(key)
    if found is None:
        raise place.error(f"no such set of suits {key!r}", did_you_mean(key, _SETS))
    chosen = found

    def suits(c: Context, b: Bound) -> tuple[int, ...]:
        if not b:
            return chosen(c)
        taken = set(b.values())
        return tuple(s for s in chosen(c) if s not in taken)

    return suits
