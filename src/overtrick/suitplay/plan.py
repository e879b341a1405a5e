"""A line of play as a tree of cards: what to lead, what to answer, what comes next.
Read off the fronts for a wanted outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from overtrick.game.cards import RANKS
from overtrick.suitplay.goals import most_tricks
from overtrick.suitplay.position import (
    NO_CARD,
    NORTH,
    End,
    Lead,
    Reply,
    SuitGame,
    SuitNode,
    SuitPosition,
    Third,
    length,
)
from overtrick.suitplay.search import FrontSearch


class Tactic(StrEnum):
    """What a trick is for, as players say it.

    >>> Tactic.DEEP_FINESSE.value
    'deep finesse'
    """

    CASH = "cash"
    FINESSE = "finesse"
    DEEP_FINESSE = "deep finesse"
    TOWARDS = "lead towards"
    RUN = "run"
    DUCK = "duck"


@dataclass(frozen=True, slots=True)
class TrickEnd:
    """The fourth hand plays one of `cards` (none of them: it shows out) and the trick is over.

    >>> from overtrick.suitplay import solve
    >>> suit = solve("AQ", "32")
    >>> [end.wins for end in suit.plan(suit.mean_line).main.outcomes]
    [True, False, True]
    """

    cards: tuple[int, ...]
    low: bool
    wins: bool
    chance: float
    then: PlanTrick | None


@dataclass(frozen=True, slots=True)
class SuitReply:
    """The second hand plays one of `cards`; partner's card follows, None when it has run out.

    >>> from overtrick.suitplay import solve
    >>> suit = solve("AQ", "32")
    >>> [round(reply.chance, 2) for reply in suit.plan(suit.mean_line).answers]
    [1.0, 0.5, 0.0]
    """

    cards: tuple[int, ...]
    low: bool
    card: int | None
    chance: float
    outcomes: tuple[TrickEnd, ...]

    @property
    def shape(self) -> tuple[object, ...]:
        """The same for answers after which everything is played alike."""
        return (self.cards, *self.sequel)

    @property
    def sequel(self) -> tuple[object, ...]:
        return (self.card, *((o.cards, o.wins, o.then and o.then.shape) for o in self.outcomes))


@dataclass(frozen=True, slots=True, eq=False)
class PlanTrick:
    """One trick of a plan. Chances are of the layouts in which the cards can fall like this.

    >>> from overtrick.suitplay import solve
    >>> suit = solve("AQ", "32")
    >>> trick = suit.plan(suit.mean_line)
    >>> trick.hand, trick.tactic.value
    ('S', 'finesse')
    """

    hand: str
    card: int
    low: bool
    tactic: Tactic
    answers: tuple[SuitReply, ...]
    sure: bool  # no more to decide: the layout is known, or we have only winners, or it is the last
    shape: int  # the same number for plans that are played alike

    @property
    def main(self) -> SuitReply:
        """The answer to the lowest card the second hand can play."""
        return self.answers[0]


_NINE = RANKS.index("9")
Hands = tuple[tuple[int, ...], tuple[int, ...]]


class PlanReader:
    """Reads plans off the fronts of a game."""

    def __init__(self, fronts: FrontSearch) -> None:
        self.fronts = fronts
        self.game: SuitGame = fronts.game
        self._mean = most_tricks(self.game)
        self._shapes: dict[tuple[object, ...], int] = {}
        self._known: dict[tuple[SuitPosition, tuple[int, int], Hands, bool], PlanTrick | None] = {}

    def read(self, outcome: int) -> PlanTrick | None:
        """The plan that is sure of an outcome, or None when there is nothing to play."""
        holding = self.game.holding
        return self._trick(self.game.root, (outcome, 0), (holding.north, holding.south), False)

    def _trick(
        self, position: SuitPosition, aim: tuple[int, int], hands: Hands, known: bool
    ) -> PlanTrick | None:
        """The next trick; `aim` is what to be sure of and how far East's play has shifted it."""
        key = (position, aim, hands, known)
        if key in self._known:
            return self._known[key]
        node = self.game.node(position)
        trick = None
        if node.leads and self.game.left(position.left).cards:
            lead = min(
                (x for x in node.leads if self._keeps(x, aim[0])),
                key=lambda x: self._naturalness(position, x),
            )
            trick = self._play(position, lead, aim, hands)
            if known and not trick.sure:
                trick = replace(trick, sure=True, shape=self._shape(trick, ()))
        self._known[key] = trick
        return trick

    def _keeps(self, lead: Lead, need: int) -> bool:
        return all(any(self._enough(t, r, need) for t in r.thirds) for r in lead.replies)

    def _enough(self, third: Third, reply: Reply, need: int) -> bool:
        wanted = need & reply.mask
        if wanted & ~third.reach:
            return False
        return all(self._best(end, need, 0) is not None for end in third.ends)

    def _best(self, end: End, need: int, offset: int) -> int | None:
        """What to aim for after a trick: the longest outcome that holds what is needed."""
        wanted = self._carry(end, need)
        choices = [x for x in self.fronts.front(end.child) if wanted & ~x == 0]
        if not choices:
            return None
        return max(choices, key=lambda x: self._mean(x << (offset + end.shift)))

    def _carry(self, end: End, need: int) -> int:
        wanted = (need & end.mask) >> end.shift
        return wanted >> self.game.size if end.wins else wanted

    def _naturalness(self, position: SuitPosition, lead: Lead) -> tuple[int, int, int]:
        """Cash a winner if that is no worse, else lead low; from the top of equals."""
        boss = live_above(self.game, position, lead.gap) == 0
        lowest = self.game.gaps((position.north, position.south)[lead.hand])[0]
        return (0 if boss else 1 if lead.gap == lowest else 2, -lead.reach.bit_count(), lead.hand)

    def _play(
        self, position: SuitPosition, lead: Lead, aim: tuple[int, int], hands: Hands
    ) -> PlanTrick:
        need, offset = aim
        game = self.game
        lowest = max(g for g, n in enumerate(position.left) if n)
        card = lead_card(game, position, hands, lead)
        answers: list[SuitReply] = []
        main = NO_CARD
        for reply in lead.replies:
            chance = self._chance(reply.mask, offset)
            if not chance:
                continue
            third = max(
                (t for t in reply.thirds if self._enough(t, reply, need)),
                key=lambda t: self._mean((t.reach & reply.mask) << offset),
            )
            main = third.gap if not answers else main
            partner = third_card(position, hands, lead, third.gap)
            left = without(hands, lead.hand, card, partner)
            outcomes = tuple(
                self._outcome(end, aim, left, end.west if lead.hand == NORTH else end.east)
                for end in third.ends
                if self._chance(end.mask, offset)
            )
            cards = self._cards(reply.group)
            answers.append(SuitReply(cards, reply.group == lowest, partner, chance, outcomes))
        low = lead.gap == game.gaps((position.north, position.south)[lead.hand])[0]
        run = answers[0].card is None or card > answers[0].card
        tactic = _tactic(game, position, lead, main, run)
        last = all(o.then is None for a in answers for o in a.outcomes)
        same = len({a.card for a in answers}) == 1
        sure = (last and same) or _sure(game, position, game.node(position))
        trick = PlanTrick("NS"[lead.hand], card, low, tactic, tuple(answers), sure, 0)
        rest = () if sure else tuple(a.shape for a in answers)
        return replace(trick, shape=self._shape(trick, rest))

    def _shape(self, trick: PlanTrick, rest: tuple[object, ...]) -> int:
        return self._shapes.setdefault((trick.hand, trick.card, rest), len(self._shapes))

    def _outcome(self, end: End, aim: tuple[int, int], hands: Hands, group: int) -> TrickEnd:
        need, offset = aim
        goal = self._best(end, need, offset)
        if goal is None:
            raise RuntimeError("the plan lost an outcome it had found")
        known = (end.mask & ((1 << self.game.size) - 1)).bit_count() == 1
        if known:
            goal &= end.mask >> end.shift  # other layouts no longer matter
        then = self._trick(end.child, (goal, offset + end.shift), hands, known)
        before = tuple(
            n + (g == group) for g, n in enumerate(end.child.left)
        )  # the fourth hand's choice at its turn
        lowest = max((g for g, n in enumerate(before) if n), default=-1)
        cards = self._cards(group)
        return TrickEnd(cards, group == lowest, end.wins, self._chance(end.mask, offset), then)

    def _cards(self, group: int) -> tuple[int, ...]:
        return self.game.layouts.groups[group] if group < self.game.groups else ()

    def _chance(self, mask: int, offset: int) -> float:
        once = mask & ((1 << self.game.size) - 1)
        return self._mean(once << offset) / self.game.layouts.total


def live_above(game: SuitGame, position: SuitPosition, gap: int) -> int:
    """How many missing cards are higher than a gap."""
    return sum(position.left[: game.above[gap]]) if gap != NO_CARD else 99


def _equals(position: SuitPosition, hands: Hands, hand: int, gap: int) -> tuple[int, ...]:
    """The real cards of a hand in a gap, highest first."""
    packed = (position.north, position.south)[hand]
    before = sum(packed >> (4 * g) & 15 for g in range(gap))
    return hands[hand][before : before + (packed >> (4 * gap) & 15)]


def lead_card(game: SuitGame, position: SuitPosition, hands: Hands, lead: Lead) -> int:
    """Of equals lead the highest, unless they are the small cards of the hand."""
    cards = _equals(position, hands, lead.hand, lead.gap)
    gaps = game.gaps((position.north, position.south)[lead.hand])
    small = lead.gap == gaps[0] and (len(gaps) > 1 or cards[0] <= _NINE)
    return cards[-1] if small and live_above(game, position, lead.gap) else cards[0]


def third_card(position: SuitPosition, hands: Hands, lead: Lead, gap: int) -> int | None:
    """Of equals play the highest to win or to finesse, the lowest otherwise."""
    if gap == NO_CARD:
        return None
    cards = _equals(position, hands, 1 - lead.hand, gap)
    return cards[0] if gap <= lead.gap else cards[-1]


def without(hands: Hands, hand: int, card: int | None, partner: int | None) -> Hands:
    played = (card, partner) if hand == NORTH else (partner, card)
    north = tuple(c for c in hands[0] if c != played[0])
    south = tuple(c for c in hands[1] if c != played[1])
    return north, south


def _tactic(game: SuitGame, position: SuitPosition, lead: Lead, third: int, run: bool) -> Tactic:
    """Name a trick by what happens when the second hand plays low."""
    low = max(g for g, n in enumerate(position.left) if n)
    best = min(lead.gap, third)
    if game.above[best] > low:
        return Tactic.DUCK
    if live_above(game, position, best) == 0:
        return Tactic.CASH
    if lead.gap < third or (lead.gap == third and run):
        return Tactic.RUN
    partner = (position.south, position.north)[lead.hand]
    higher = [g for g in game.gaps(partner) if g < third]
    if not higher:
        return Tactic.TOWARDS
    between = sum(position.left[game.above[higher[0]] : game.above[third]])
    return Tactic.DEEP_FINESSE if between > 1 else Tactic.FINESSE


def _sure(game: SuitGame, position: SuitPosition, node: SuitNode) -> bool:
    """True when the layout is known or a hand no shorter than the other has only winners."""
    if node.settled:
        return True
    hands = (position.north, position.south)
    longest = max(map(length, hands))
    return not position.access and any(
        length(hand) == longest and all(live_above(game, position, g) == 0 for g in game.gaps(hand))
        for hand in hands
    )


def cards_in(plan: PlanTrick | None, seen: set[int] | None = None) -> int:
    """How many different tricks a plan holds."""
    seen = set() if seen is None else seen
    if plan is None or id(plan) in seen:
        return 0
    seen.add(id(plan))
    subs: Sequence[PlanTrick | None] = [o.then for a in plan.answers for o in a.outcomes]
    return 1 + sum(cards_in(sub, seen) for sub in subs)
