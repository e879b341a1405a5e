"""Claims and concessions that are proved: they hold for every layout of the unseen cards.
Players need not know about it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from overtrick.cardplay.constants import CLAIM_CARDS, CLAIM_LAYOUTS, CLAIM_NODES, CLAIM_SEARCH_NODES
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.sampling import all_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.vectors import FrontNode, Game
from overtrick.doubledummy import solve_worlds
from overtrick.engines.clock import OutOfTime
from overtrick.game import Card, View
from overtrick.game.cards import DECK, SUIT_BITS


@dataclass(frozen=True, slots=True)
class Claim:
    """`tricks` more for the side that speaks; `line` are its cards, two a trick, leader first."""

    tricks: int
    declarer_total: int
    proof: str
    line: tuple[tuple[Card, Card], ...] = ()

    @property
    def words(self) -> str:
        number = self.tricks or "no"
        return f"{number} more trick{'' if self.tricks == 1 else 's'}, {self.proof}"


def claim(view: View) -> Claim | None:
    """A claim or concession that declarer (or a defender: concession only) can prove now.

    Declarer claims when the tricks he is sure of are all that are left, or all that any layout
    gives him with every card seen. Nothing is offered in the middle of a trick.
    """
    at = situation(view, on_turn=False)
    if at.trick or at.view.dummy is None or at.left == 0:
        return None
    if view.seat != at.contract.declarer:
        return _concession(at)
    if at.turn.side == view.seat.side:
        count, line = sure_tricks(at)
        if count == at.left:
            return Claim(count, at.play.declarer_tricks + count, "top tricks", line)
    return _searched(at)


def _concession(at: Situation) -> Claim | None:
    """A defender gives up when no layout gives his side a trick, all cards seen."""
    if at.view.seat == at.play.dummy:
        return None
    most = _most(at)
    if most is None:
        return None
    ours = at.left - most[0]
    return Claim(0, 13 - _won(at), "in every layout") if ours == 0 else None


def _won(at: Situation) -> int:
    return at.play.tricks_won(at.view.seat.side)


def _most(at: Situation) -> tuple[int, int] | None:
    """The fewest and the most tricks of declarer's side over all layouts, double dummy."""
    if at.left > CLAIM_CARDS:
        return None
    hands = all_layouts(at, CLAIM_LAYOUTS)
    if hands is None:
        return None
    best = solve_worlds(hands, at.strain, at.leader, ()).max(axis=1)
    mine = best if at.turn.side == at.contract.declarer.side else at.left - best
    return int(mine.min()), int(mine.max())


def _searched(at: Situation) -> Claim | None:
    """Declarer's sure tricks by search over all layouts, when they are all he can ever get."""
    span = _most(at) if at.left <= CLAIM_CARDS else None
    if span is None or span[0] != span[1]:
        return None
    goal = span[1]
    if goal and not _secures(at, goal):
        return None
    return Claim(goal, at.play.declarer_tricks + goal, "in every layout")


def _secures(at: Situation, goal: int) -> bool:
    hands = all_layouts(at, CLAIM_LAYOUTS)
    assert hands is not None
    values = tuple(np.full(len(hands), 1 / len(hands)).tolist())
    game = Game(hands, at.strain, int(at.contract.declarer), (goal,), values)
    search = Search(game, seconds=10.0, most_nodes=CLAIM_SEARCH_NODES)
    try:
        return search.secures(FrontNode(0, at.leader, (), 0), game.all)
    except OutOfTime:
        return False  # not proved


# ---------------------------------------------------------------- top tricks


@dataclass(slots=True)
class _Cashing:
    """A search for a run of tricks that no layout can stop.

    The defenders are given everything: the unseen cards of a suit may all lie in one hand, and
    each round of a suit takes only one of them, the lowest.
    """

    tops: tuple[int, ...]  # best unseen rank of each suit, -1 for none
    counts: tuple[int, ...]  # unseen cards of each suit
    strain: int
    nodes: int = 0
    memo: dict[tuple[int, int, int, tuple[int, ...]], tuple[int, tuple[tuple[int, int], ...]]] = (
        field(default_factory=dict)
    )

    def best(
        self, lead: int, other: int, side: int, rounds: tuple[int, ...]
    ) -> tuple[int, tuple[tuple[int, int], ...]]:
        """The longest run with `lead` to play; `side` tells the two hands apart in the table."""
        key = (lead, other, side, rounds)
        known = self.memo.get(key)
        if known is not None:
            return known
        self.nodes += 1
        found: tuple[int, tuple[tuple[int, int], ...]] = (0, ())
        if self.nodes > CLAIM_NODES:
            return found
        goal = lead.bit_count()
        for a, b, winner in self.tricks(lead, other, rounds):
            after = list(rounds)
            after[a // 13] += 1
            one, two = lead & ~(1 << a), other & ~(1 << b)
            if winner:
                count, line = self.best(two, one, 1 - side, tuple(after))
            else:
                count, line = self.best(one, two, side, tuple(after))
            if count + 1 > found[0]:
                found = (count + 1, ((a, b), *line))
            if found[0] == goal:
                break
        self.memo[key] = found
        return found

    def tricks(self, lead: int, other: int, rounds: tuple[int, ...]) -> list[tuple[int, int, int]]:
        """Sure tricks: (card led, other hand's card, 1 if the other hand wins)."""
        ruffs = self.strain < 4 and self.counts[self.strain] > rounds[self.strain]
        out = []
        for suit in range(4):
            held = _ends(lead, suit)
            if not held:
                continue
            if ruffs and suit != self.strain:
                continue  # somebody may be void and have a trump
            for a in held:
                for b in _ends(other, suit) or self._others(other, suit):
                    winner = self._wins(a, b, rounds[suit])
                    if winner is not None:
                        out.append((a, b, winner))
        return out

    def _wins(self, a: int, b: int, rounds: int) -> int | None:
        suit = a // 13
        if b // 13 == self.strain and suit != self.strain:
            return 1
        best, winner = (b, 1) if b // 13 == suit and b > a else (a, 0)
        safe = self.counts[suit] <= rounds or best % 13 > self.tops[suit]
        return winner if safe else None

    def _others(self, hand: int, suit: int) -> list[int]:
        """What to throw, or to ruff with: the lowest card of each other suit."""
        return [_ends(hand, s)[-1] for s in range(4) if s != suit and _ends(hand, s)]


def _ends(hand: int, suit: int) -> list[int]:
    """The highest and the lowest card of a suit."""
    held = hand >> 13 * suit & SUIT_BITS
    if not held:
        return []
    high, low = held.bit_length() - 1, (held & -held).bit_length() - 1
    return [13 * suit + high] + ([13 * suit + low] if low != high else [])


def sure_tricks(at: Situation) -> tuple[int, tuple[tuple[Card, Card], ...]]:
    """How many tricks declarer's side, on lead, can take at once whatever lies where."""
    lead, other = at.known[at.turn], at.known[at.turn.partner]
    pools = [at.pool >> 13 * s & SUIT_BITS for s in range(4)]
    cashing = _Cashing(
        tuple(p.bit_length() - 1 for p in pools), tuple(p.bit_count() for p in pools), at.strain
    )
    count, line = cashing.best(lead, other, 0, (0, 0, 0, 0))
    return count, tuple((DECK[a], DECK[b]) for a, b in line)
