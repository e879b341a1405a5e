"""One suit as a game of hidden hands: both of declarer's hands in sight, the defenders' not.

Who sees dummy, his own cards and declarer's knows the layout; so either defender knows all but
declarer's mind, and declarer knows neither the layout nor theirs. The two defenders are one player
then, and the game has one value: what declarer can be sure of with a mixture of lines, and what
the defenders can hold him to with a mixture of cards.

The tree is small because what cannot matter is left out, exactly: a position in which one pure
line takes in every layout what is possible with all cards seen is an end, and a card of declarer's
that could not take more anywhere than a pure line that starts with another card is not tried.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from overtrick.game.cards import RANKS
from overtrick.hiddenplay.tree import DECLARER, EAST, WEST, Builder, Rows, Tree
from overtrick.suitplay.holding import UNLIMITED, Holding, Layouts, SuitError
from overtrick.suitplay.plan import lead_card, third_card, without
from overtrick.suitplay.position import (
    NO_CARD,
    NORTH,
    End,
    Lead,
    Reply,
    SuitGame,
    SuitPosition,
    Third,
)
from overtrick.suitplay.search import Front, FrontSearch, contained, undominated

MOST_ROWS: Final = 100_000
Hands = tuple[tuple[int, ...], tuple[int, ...]]
Play = TypeVar("Play", Reply, End)
Opening = tuple[str, int, int | None]  # the hand that leads, its card, the other hand's card


class Spot(NamedTuple):
    """Where a play has come to: the position, tricks won, and how far the layouts have shifted."""

    position: SuitPosition
    won: int
    shift: int
    hands: Hands
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SuitQuestion:
    """A holding and what it is played for.

    `need` asks for the chance of so many tricks, None for tricks. `opening` settles declarer's
    first two cards. `apart` shows which of two equal cards a defender plays.
    """

    holding: Holding
    need: int | None = None
    vacant: tuple[int, int] = (13, 13)
    entries: tuple[int, int] | None = None
    opening: Opening | None = None
    apart: bool = False

    def worth(self, tricks: int) -> float:
        """What so many tricks in all are worth."""
        return float(tricks if self.need is None else tricks >= self.need)


class SuitTree:
    """Writes down the game of a question."""

    def __init__(self, question: SuitQuestion, most: int = MOST_ROWS) -> None:
        self.holding, self.need, self.opening = question.holding, question.need, question.opening
        self.worth = question.worth
        self.layouts = Layouts.of(question.holding, question.vacant, question.apart)
        entries = question.entries
        if entries is not None and min(entries) >= UNLIMITED:
            entries = None
        self.game = SuitGame(question.holding, self.layouts, entries)
        self.fronts = FrontSearch(self.game)
        if self.need is not None and not 1 <= self.need <= self.game.levels:
            raise SuitError(f"{self.holding} can take 1 to {self.game.levels} tricks")
        total = self.layouts.total
        self._builder = Builder([w / total for w in self.layouts.weights], most)

    def tree(self) -> Tree:
        start = Spot(self.game.root, 0, 0, (self.holding.north, self.holding.south), ())
        self._trick(start, self._builder.start())
        return self._builder.tree()

    # ------------------------------------------------------------ what counts

    def _counts(self, outcome: int, won: int, alive: int) -> int:
        """The bits of an outcome that the goal asks for, in the layouts that are alive."""
        if self.need is None:
            return outcome & alive
        level = self.need - won
        if not 1 <= level <= self.game.levels:
            return 0
        return outcome & alive & (self._box << self.game.size * (level - 1))

    @property
    def _box(self) -> int:
        return (1 << self.game.size) - 1

    def _end(self, spot: Spot, reach: int, rows: Rows) -> None:
        size, levels = self.game.size, self.game.levels

        def worth(layout: int) -> float:
            here = layout - spot.shift
            more = sum(reach >> size * k + here & 1 for k in range(levels))
            return self.worth(spot.won + more)

        self._builder.end(rows, worth)

    # ------------------------------------------------------------ the play

    def _alive(self, spot: Spot, rows: Rows) -> int:
        once = sum(1 << world - spot.shift for world in rows)
        return once * self.game.every_level

    def _trick(self, spot: Spot, rows: Rows) -> None:
        node = self.game.node(spot.position)
        alive = self._alive(spot, rows)
        first = not spot.path
        top = self._counts(node.reach, spot.won, alive)
        if not top or node.settled or len(rows) == 1:
            return self._end(spot, node.reach, rows)
        if not first:
            front = [self._counts(x, spot.won, alive) for x in self.fronts.front(spot.position)]
            if contained(top, front):
                return self._end(spot, node.reach, rows)
        leads = self._leads(node.leads, spot, alive, first)
        cards = [
            (self._name(lead.hand, lead_card(self.game, spot.position, spot.hands, lead)))
            for lead in leads
        ]
        after = self._declarer(spot.path, rows, cards)
        for lead, card, left in zip(leads, cards, after, strict=True):
            self._second(spot, lead, (*spot.path, card), left)

    def _leads(self, leads: Sequence[Lead], spot: Spot, alive: int, first: bool) -> list[Lead]:
        """The leads that could be better than those before them."""
        if first and self.opening is not None:
            hand, card, _ = self.opening
            settled = [
                lead
                for lead in leads
                if "NS"[lead.hand] == hand and lead.gap == self._gap(spot, lead.hand, card)
            ]
            if not settled:
                raise SuitError(f"{hand}{RANKS[card]} cannot be led from {self.holding} here")
            return settled
        kept: list[Lead] = []
        sure: Front = []
        for lead in leads:
            if contained(self._counts(lead.reach, spot.won, alive), sure):
                continue
            kept.append(lead)
            if not first:  # the front of a whole suit can be large, and one lead of it too
                found = self.fronts.of_lead(lead)
                sure = undominated([*sure, *(self._counts(x, spot.won, alive) for x in found)])
        return kept

    def _second(self, spot: Spot, lead: Lead, path: tuple[str, ...], rows: Rows) -> None:
        defender = EAST if lead.hand == NORTH else WEST
        for reply, card, left in self._defender(
            spot, lead.replies, [r.group for r in lead.replies], defender, path, rows
        ):
            self._third(spot, lead, reply, (*path, card), left)

    def _third(
        self, spot: Spot, lead: Lead, reply: Reply, path: tuple[str, ...], rows: Rows
    ) -> None:
        alive = self._alive(spot, rows)
        kept: list[Third] = []
        sure: Front = []
        for third in sorted(self._thirds(spot, lead, reply), key=lambda t: -_size(t, alive)):
            top = self._counts(third.reach, spot.won, alive)
            if contained(top, sure):
                continue
            kept.append(third)
            found = self.fronts.of_third(third, alive)
            sure = undominated([*sure, *(self._counts(x, spot.won, alive) for x in found)])
        partners = [third_card(spot.position, spot.hands, lead, t.gap) for t in kept]
        cards = [self._name(1 - lead.hand, card) for card in partners]
        led = lead_card(self.game, spot.position, spot.hands, lead)
        after = self._declarer(path, rows, cards)
        for third, partner, card, left in zip(kept, partners, cards, after, strict=True):
            hands = without(spot.hands, lead.hand, led, partner)
            self._fourth(spot, lead, third, hands, (*path, card), left)

    def _thirds(self, spot: Spot, lead: Lead, reply: Reply) -> Sequence[Third]:
        """All cards of the third hand, or the one that the opening settles if it can be played."""
        if spot.path or self.opening is None or self.opening[2] is None:
            return reply.thirds
        gap = self._gap(spot, 1 - lead.hand, self.opening[2])
        return [t for t in reply.thirds if t.gap == gap] or reply.thirds

    def _fourth(
        self,
        spot: Spot,
        lead: Lead,
        third: Third,
        hands: Hands,
        path: tuple[str, ...],
        rows: Rows,
    ) -> None:
        defender = WEST if lead.hand == NORTH else EAST
        groups = [end.west if lead.hand == NORTH else end.east for end in third.ends]
        for end, card, left in self._defender(spot, third.ends, groups, defender, path, rows):
            after = Spot(
                end.child, spot.won + end.wins, spot.shift + end.shift, hands, (*path, card)
            )
            self._trick(after, left)

    def _declarer(
        self, path: tuple[str, ...], rows: Rows, cards: Sequence[str]
    ) -> list[dict[int, int]]:
        options = [(card, lambda _: True) for card in cards]
        return self._builder.choose(DECLARER, path, rows, lambda _: 0, options)

    def _defender(
        self,
        spot: Spot,
        plays: Sequence[Play],
        groups: Sequence[int],
        defender: int,
        path: tuple[str, ...],
        rows: Rows,
    ) -> list[tuple[Play, str, dict[int, int]]]:
        """What a defender, who knows the layout, may play in it."""
        letter = "EW"[defender == WEST]
        cards = [letter + self.group_name(group) for group in groups]

        def legal(play: Play) -> Callable[[int], bool]:
            return lambda layout: bool(play.mask >> layout - spot.shift & 1)

        options = [(card, legal(play)) for card, play in zip(cards, plays, strict=True)]
        after = self._builder.choose(defender, path, rows, lambda layout: layout, options)
        return [x for x in zip(plays, cards, after, strict=True) if x[2]]

    # ------------------------------------------------------------ names

    def _gap(self, spot: Spot, hand: int, card: int) -> int:
        """The gap a card of ours is in; NO_CARD when the hand is void."""
        above = sum(1 for rank in self.holding.missing if rank > card)
        gaps = self.game.gaps((spot.position.north, spot.position.south)[hand])
        groups = self.layouts.groups
        for gap in gaps:
            higher = sum(len(g) for g in groups[: self.game.above[gap]])
            if higher == above:
                return gap
        return NO_CARD

    def _name(self, hand: int, card: int | None) -> str:
        return f"{'NS'[hand]}{'–' if card is None else RANKS[card]}"

    def group_name(self, group: int) -> str:
        """A defender's card: its rank, or those of its equals: `Q/J`, `8–5`; a dash for none."""
        if group >= len(self.layouts.groups):
            return "–"
        ranks = self.layouts.groups[group]
        if len(ranks) == 1:
            return RANKS[ranks[0]]
        return f"{RANKS[ranks[0]]}{'/' if len(ranks) == 2 else '–'}{RANKS[ranks[-1]]}"

    def held(self, layout: int) -> tuple[str, str]:
        """West's and East's cards in a layout."""
        return self.layouts.hands(layout)


def _size(third: Third, alive: int) -> int:
    return (third.reach & alive).bit_count()
