"""Options and offers: the constraint sets of an auction, best first, and what follows from them.
Made by `reading`, shared between auctions that ask or offer the same; read by everything else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from overtrick.game.calls import strain_of
from overtrick.systems.context import CallMeant, Context, Shown, join
from overtrick.systems.shows import BIG, Filled, Item, Items, feature_number
from overtrick.systems.system import Rule, ShowsRule
from overtrick.worlds.constraints import Constraint

_SECOND: Final = "or "


class OfferedCall:
    """A constraint set of a rule with its suits and shared values filled in: a call a hand might
    choose. Auctions that ask the same share it, so it knows nothing of the context.

    >>> from overtrick import Call
    >>> from overtrick.systems import Reading, load
    >>> reading = Reading(load("sayc"))
    >>> [str(c.shown.hcp) for c in reading.of_call(reading.context(()), Call("1NT"))]
    ['(15, 17)', '(15, 17)', '(15, 17)', '(15, 16)']
    """

    __slots__ = ("bindings", "by_length", "call", "filled", "is_longest", "items", "rule", "shows")

    def __init__(
        self, call: int, rule: Rule, shows: ShowsRule, bindings: Mapping[str, int], ctx: Context
    ) -> None:
        self.call, self.rule, self.shows, self.bindings = call, rule, shows, bindings
        self.filled = shows.filled(bindings, ctx)
        self.items: Items = self.filled.items
        self.is_longest = False
        self.by_length: dict[int, OfferedCall] = {}

    def longest(self, suits: int) -> OfferedCall:
        """The same set for hands with no longer suit among `suits` (bits): of two equal suits the
        higher with five cards, the lower with four."""
        found = self.by_length.get(suits)
        if found is None:
            found = OfferedCall.__new__(OfferedCall)
            found.call, found.rule, found.shows = self.call, self.rule, self.shows
            found.bindings, found.by_length, found.is_longest = self.bindings, {}, True
            found.filled = Filled((*self.items, *_no_longer(strain_of(self.call), suits)))
            found.items = found.filled.items
            self.by_length[suits] = found
        return found

    @property
    def priority(self) -> int:
        return self.shows.priority

    @property
    def shown(self) -> Shown:
        return self.filled.shown

    @property
    def is_second(self) -> bool:
        """Do its words say that it is another kind of hand, told beside the first?"""
        return self.shows.words.startswith(_SECOND)

    @property
    def words(self) -> str:
        text = self.shows.words.removeprefix(_SECOND)
        if "{" not in text:
            return text
        for name, suit in self.bindings.items():
            text = text.replace("{" + name + "}", "♣♦♥♠"[suit])
        return text


class AuctionOffer:
    """The options of an auction, best first, and what follows from them alone. Auctions that offer
    the same share it: two of three contexts of unseen auctions find theirs made already."""

    __slots__ = ("_of", "_tells", "classes", "options", "positive", "sets", "shows")

    def __init__(self, options: list[OfferedCall]) -> None:
        self.options = options
        # By call, worked out when first asked for:
        self._of: dict[int, list[OfferedCall]] = {}
        self._tells: dict[int, tuple[CallMeant, Shown, int, int]] = {}
        self.sets: dict[int, list[tuple[OfferedCall, int]]] = {}  # each with the classes left to it
        self.classes: dict[int, int] = {}  # of all sets together
        self.positive: dict[int, Constraint] = {}  # what a call says …
        self.shows: dict[int, Constraint] = {}  # … and with what it denies

    def of_call(self, call: int) -> list[OfferedCall]:
        """The options that explain a call, best first (not their twins for the longest suit)."""
        found = self._of.get(call)
        if found is None:
            found = [o for o in self.options if o.call == call and not o.is_longest]
            self._of[call] = found
        return found

    def tells(self, call: int) -> tuple[CallMeant, Shown, int, int]:
        """What a call of this offer tells the context: the rule's part of it, the ranges, the suits
        and the suit it agrees (or -1)."""
        found = self._tells.get(call)
        if found is None:
            found = self._tells[call] = _tells(call, self.of_call(call))
        return found


NO_OFFER: Final = AuctionOffer([])


def offer_of(options: list[OfferedCall]) -> AuctionOffer:
    """The offer of these options, in whatever order they were found."""
    return AuctionOffer(_longest_first(sorted(options, key=_rank)))


def _rank(option: OfferedCall) -> tuple[int, int, int]:
    return option.shows.rank


def _longest_first(options: list[OfferedCall]) -> list[OfferedCall]:
    """Where one set offers several suits it asks length in, the longest is bid: each run of such
    options is preceded by the same options for hands in which no other of the suits is longer."""
    out: list[OfferedCall] = []
    last = len(options)
    i = 0
    while i < last:
        option = options[i]
        shows, j = option.shows, i + 1
        while j < last and options[j].shows is shows:
            j += 1
        if j > i + 1:
            run = options[i:j]
            suits = 0
            for option in run:
                suits |= _long_suit(option)
            if suits & (suits - 1) and suits < 16:
                out += [option.longest(suits) for option in run]
            out += run
        else:
            out.append(option)
        i = j
    return out


def _long_suit(option: OfferedCall) -> int:
    """The bit of the suit a call bids and shows length in; 16 for any other call."""
    strain = strain_of(option.call)
    if strain not in range(4) or option.rule.artificial or option.shown.low[strain] < 3:
        return 16
    return 1 << strain


@cache
def _no_longer(suit: int, suits: int) -> Items:
    items: list[Item] = []
    four = ((feature_number("SUITLEN", (suit,)), 0, 4),)
    for other in range(4):
        if other == suit or not suits >> other & 1:
            continue
        ahead = feature_number("DIF", (suit, other))
        longer, equal = ((ahead, 1, BIG),), ((ahead, 0, 0), *four)
        if other < suit:
            equal = ((ahead, 0, 0), (feature_number("SUITLEN", (suit,)), 5, BIG))
        items.append(("or", (longer, equal)))
    return tuple(items)


def _tells(call: int, found: list[OfferedCall]) -> tuple[CallMeant, Shown, int, int]:
    shown = join([o.shown for o in found])
    best = found[0].rule
    suits = 0
    if strain_of(call) in range(4) and not best.artificial:
        suits = 1 << strain_of(call)
    for s in range(4):
        if shown.low[s] >= 4:
            suits |= 1 << s
    agree = -1
    if best.agree:
        fixed = {"C": 0, "D": 1, "H": 2, "S": 3}.get(best.agree)
        agree = found[0].bindings[best.agree] if fixed is None else fixed
    told = CallMeant(call, best.forcing, best.tags, best.id, best.convention, best.artificial)
    return told, shown, suits, agree
