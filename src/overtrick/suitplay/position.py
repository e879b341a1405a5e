"""The play of one suit as a game: positions, tricks, and what each is worth double dummy.

Outcomes are whole numbers used as sets of bits: bit `(k - 1) * layouts + i` means "at least k more
tricks if the cards lie as in layout i". Declarer's choice between two outcomes is one or the other,
the defenders' choice is their intersection, and a card taken from East shifts every layout at once.
"""

from __future__ import annotations

from typing import NamedTuple

from overtrick.suitplay.holding import UNLIMITED, Holding, Layouts, SuitError

NORTH, SOUTH, START, LOST = range(4)  # where the lead is; START is either hand, LOST the defenders'
NO_CARD = 99  # the gap of a hand that has run out of the suit
_NIBBLE = 15


class SuitPosition(NamedTuple):
    """Our cards counted by gap (four bits each), missing cards by group, and who may lead."""

    north: int
    south: int
    left: tuple[int, ...]
    access: int  # 0 with unlimited entries, else 1 + lead | North's entries << 3 | South's << 7


class End(NamedTuple):
    """The fourth hand's card: the trick is over."""

    reach: int  # double-dummy outcome, with every bit set outside `mask`
    mask: int  # layouts (at every level) in which both defenders can play like this
    shift: int
    wins: bool
    child: SuitPosition
    east: int  # the groups they played from
    west: int


class Third(NamedTuple):
    """Our third-hand card (by its gap), and what the fourth hand can do about it."""

    reach: int
    gap: int
    ends: list[End]


class Reply(NamedTuple):
    """The second hand's card; `group` is the number of groups when it shows out."""

    mask: int
    group: int
    thirds: list[Third]


class Lead(NamedTuple):
    """A lead from one of our hands, and every reply of the second hand."""

    reach: int
    hand: int
    gap: int
    replies: list[Reply]


class SuitNode(NamedTuple):
    """A position worked out; `settled` when nothing is left to decide."""

    reach: int  # what is possible double dummy
    leads: list[Lead]
    settled: bool


class StillOut(NamedTuple):
    """What depends only on the missing cards still out."""

    box: int  # the layouts, once
    top: int  # the layouts at every level
    cards: int
    gone: int  # groups that have gone, as bits
    by_east: list[tuple[int, int, list[tuple[int, int, int, tuple[int, ...]]]]]
    by_west: list[tuple[int, int, list[tuple[int, int, int, tuple[int, ...]]]]]


class SuitGame:
    """Positions of one holding, each worked out once.

    Cards of ours with no live missing card between them are equals: a *gap* is the place above a
    group of missing cards, and a hand is the number of its cards in each gap. With limited entries
    it matters which of our hands wins, so North's and South's runs are then gaps of their own.
    """

    def __init__(
        self, holding: Holding, layouts: Layouts, entries: tuple[int, int] | None = None
    ) -> None:
        self.holding = holding
        self.layouts = layouts
        self.size = len(layouts)
        self.groups = len(layouts.groups)
        self.levels = holding.most_tricks
        self.every_level = sum(1 << (self.size * k) for k in range(self.levels))
        self.ordered = entries is not None
        above, north, south = _gaps(holding, self.ordered)
        # A gap beats whole groups of equals, whether or not honours among them are kept apart.
        beaten = [sum(map(len, holding.missing_groups[:g])) for g in above]
        held = [sum(map(len, layouts.groups[:g])) for g in range(len(layouts.groups) + 1)]
        self.above = [held.index(cards) for cards in beaten]
        self._lefts: dict[tuple[int, ...], StillOut] = {}
        self._nodes: dict[SuitPosition, SuitNode] = {}
        self._merged: dict[tuple[int, int, int], tuple[int, int]] = {}
        access = 0
        if entries is not None:
            if min(entries) < 0:
                raise SuitError(f"entries cannot be negative: {entries[0]} {entries[1]}")
            access = _access(START, *(min(e, UNLIMITED) for e in entries))
        self.root = SuitPosition(*self.merge(north, south, 0), layouts.sizes, access)

    def gaps(self, hand: int) -> list[int]:
        """The gaps in which a hand has cards, lowest cards first."""
        return [g for g in range(len(self.above) - 1, -1, -1) if hand >> (4 * g) & _NIBBLE]

    def left(self, left: tuple[int, ...]) -> StillOut:
        known = self._lefts.get(left)
        if known is None:
            known = self._lefts[left] = self._work_out_left(left)
        return known

    def _work_out_left(self, left: tuple[int, ...]) -> StillOut:
        strides, out = self.layouts.strides, self.groups

        def box(sizes: tuple[int, ...]) -> int:
            bits = 1
            for stride, size in zip(strides, sizes, strict=True):
                bits = sum(bits << (i * stride) for i in range(size + 1))
            return bits

        whole, level = box(left), self.every_level
        live = [g for g in range(out - 1, -1, -1) if left[g]]
        east = {out: level}  # showing out leaves one layout
        west = {out: level << sum(n * s for n, s in zip(left, strides, strict=True))}
        for g in live:
            fewer = box(_less(left, g))
            west[g], east[g] = fewer * level, (fewer << strides[g]) * level
        both = {}
        for e in east:
            for w in west:
                if mask := east[e] & west[w]:
                    child = _less(_less(left, e), w)
                    both[e, w] = (mask, strides[e] if e < out else 0, child)
        order = [*live, out]
        by_east = [(east[e], e, [(w, *both[e, w]) for w in order if (e, w) in both]) for e in order]
        by_west = [(west[w], w, [(e, *both[e, w]) for e in order if (e, w) in both]) for w in order]
        gone = sum(1 << g for g in range(out) if not left[g])
        return StillOut(whole, whole * level, sum(left), gone, by_east, by_west)

    def node(self, position: SuitPosition) -> SuitNode:
        known = self._nodes.get(position)
        if known is None:
            known = self._nodes[position] = self._work_out(position)
        return known

    def _work_out(self, position: SuitPosition) -> SuitNode:
        left = self.left(position.left)
        north, south = self.gaps(position.north), self.gaps(position.south)
        if not position.access and not left.cards:  # all ours: as many tricks as the longer hand
            most = max(length(position.north), length(position.south))
            return SuitNode(sum(left.box << (self.size * k) for k in range(most)), [], True)
        leads, reach = [], 0
        tricks: dict[int, _Trick] = {}
        for hand, access in self._leaders(position.access):
            trick = tricks.setdefault(access, _Trick(self, position, access))
            for gap in (north, south)[hand]:
                lead = trick.lead(hand, gap, (south, north)[hand] or [NO_CARD])
                leads.append(lead)
                reach |= lead.reach
        leads.sort(key=lambda lead: lead.reach.bit_count(), reverse=True)
        return SuitNode(reach, leads, not reach or left.box.bit_count() == 1)

    def _leaders(self, access: int) -> list[tuple[int, int]]:
        """Hands that can lead, each with the access left after getting there."""
        if not access:
            return [(NORTH, 0), (SOUTH, 0)]
        place, *entries = _unpack(access)
        hands = []
        for hand in NORTH, SOUTH:
            after = list(entries)
            if place not in (hand, START):
                if not after[hand]:
                    continue
                after[hand] -= after[hand] != UNLIMITED
            hands.append((hand, _access(place, *after)))
        return hands

    def merge(self, north: int, south: int, gone: int) -> tuple[int, int]:
        """Move cards up to the highest gap that is equal to theirs."""
        key = (north, south, gone)
        known = self._merged.get(key)
        if known is not None:
            return known
        hands = [[h >> (4 * g) & _NIBBLE for g in range(len(self.above))] for h in (north, south)]
        for g in range(1, len(self.above)):
            for hand, other in (hands[0], hands[1]), (hands[1], hands[0]):
                to = g
                while to and self._open(to, gone) and not (self.ordered and other[to - 1]):
                    to -= 1
                if to != g:
                    hand[to] += hand[g]
                    hand[g] = 0
        packed = [sum(n << (4 * g) for g, n in enumerate(hand)) for hand in hands]
        self._merged[key] = (packed[0], packed[1])
        return packed[0], packed[1]

    def _open(self, gap: int, gone: int) -> bool:
        """True when no live missing card lies between a gap and the one above it."""
        return all(gone >> g & 1 for g in range(self.above[gap - 1], self.above[gap]))


class _Trick:
    """The ways one trick can go from a position; both leads share their ends."""

    def __init__(self, game: SuitGame, position: SuitPosition, access: int) -> None:
        self.game = game
        self.position = position
        self.access = access
        self.known: dict[tuple[int, int, int, int], End] = {}
        self.left = game.left(position.left)

    def lead(self, hand: int, gap: int, partner: list[int]) -> Lead:
        reach = self.left.top
        replies = []
        for mask, group, fourth in self.left.by_west if hand else self.left.by_east:
            thirds, either = [], 0
            for card in self._worth_playing(gap, group, partner, [f[0] for f in fourth]):
                bound, ends = mask & reach, []
                for then, meet, shift, left in fourth:
                    end = (
                        self._end((card, gap, then, group), meet, shift, left)
                        if hand
                        else self._end((gap, card, group, then), meet, shift, left)
                    )
                    bound &= end.reach
                    ends.append(end)
                thirds.append(Third(bound, card, ends))
                either |= bound
            replies.append(Reply(mask, group, thirds))
            reach &= either | ~mask
        return Lead(reach, hand, gap, replies)

    def _worth_playing(
        self, gap: int, group: int, cards: list[int], fourth: list[int]
    ) -> list[int]:
        """Third-hand cards, lowest first, less those that only waste a higher card.

        A higher card is never worse to keep when it does not matter who of us is on lead, so of
        the cards that win against the same fourth hands only the lowest is of use.
        """
        if self.game.ordered or len(cards) == 1:
            return cards
        above = self.game.above
        chosen, seen = [], set()
        for card in cards:
            beats = above[min(gap, card)]
            wins = tuple(beats <= group and beats <= f for f in fourth)
            if wins not in seen:
                seen.add(wins)
                chosen.append(card)
        return chosen

    def _end(self, key: tuple[int, int, int, int], mask: int, shift: int,
             left: tuple[int, ...]) -> End:  # fmt: skip
        known = self.known.get(key)
        if known is not None:
            return known
        game = self.game
        north, south, east, west = key
        wins = game.above[min(north, south)] <= min(east, west)
        access = 0
        if self.access:
            _, *entries = _unpack(self.access)
            winner = NORTH if north < south else SOUTH
            access = _access(winner if wins else LOST, *entries)
        after = game.left(left)
        hands = game.merge(
            self.position.north - (1 << 4 * north) if north != NO_CARD else 0,
            self.position.south - (1 << 4 * south) if south != NO_CARD else 0,
            after.gone,
        )
        child = SuitPosition(*hands, left, access)
        reach = game.node(child).reach
        if wins:
            reach = reach << game.size | after.box
        known = End(reach << shift | ~mask, mask, shift, wins, child, east, west)
        self.known[key] = known
        return known


def _gaps(holding: Holding, ordered: bool) -> tuple[list[int], int, int]:
    """The first group each gap beats, and North's and South's cards counted by gap."""
    above, hands = [0], [0, 0]
    owner, groups = -1, 0
    for rank in range(12, -1, -1):
        if rank in holding.gone:
            continue
        if rank not in holding.north and rank not in holding.south:
            groups += owner >= 0 or not groups
            owner = -1
            continue
        held = int(rank in holding.south)
        if groups != above[-1] or (ordered and owner == 1 - held):
            above.append(groups)
        hands[held] += 1 << (4 * (len(above) - 1))
        owner = held
    return above, hands[0], hands[1]


def _less(left: tuple[int, ...], group: int) -> tuple[int, ...]:
    if group == len(left):
        return left
    return (*left[:group], left[group] - 1, *left[group + 1 :])


def length(hand: int) -> int:
    """The number of cards in a hand."""
    total = 0
    while hand:
        total += hand & _NIBBLE
        hand >>= 4
    return total


def _access(place: int, north: int, south: int) -> int:
    return 1 + place | north << 3 | south << 7


def _unpack(access: int) -> tuple[int, int, int]:
    return (access & 7) - 1, access >> 3 & _NIBBLE, access >> 7 & _NIBBLE
