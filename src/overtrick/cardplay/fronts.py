"""Fronts of outcome vectors over sampled worlds: integers as bit sets, cuts, a table of positions.
What declarer can secure without knowing which world it is.

A vector has a bit for each (world, goal): declarer surely reaches that goal in that world. MAX
nodes unite fronts, MIN nodes combine them world by world; a card a defender does not hold in a
world says nothing about that world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.vectors import (
    WHOLE,
    Front,
    FrontNode,
    Game,
    cards_of,
    covered,
    covering,
    packed,
)
from overtrick.doubledummy import reach_worlds, solve_worlds
from overtrick.engines.clock import OutOfTime, now
from overtrick.game.cards import DECK, SUIT_BITS
from overtrick.game.play import winning_index
from overtrick.suitplay.search import undominated

_WIDEST: Final = 48  # vectors kept in a front; more are seen only in pathological endings


@dataclass(slots=True)
class Search:
    """One search: its tables, its limits, and the cuts."""

    game: Game
    seconds: float = 5.0
    most_nodes: int = 200_000
    most_solved: int = 1 << 30  # a limit that does not depend on the clock
    merge: bool = False  # take a defender's touching cards as one (quicker, but trusts the spots)
    nodes: int = 0
    solved: int = 0
    _deadline: float = 0.0
    _has: dict[int, tuple[int, int, int, int]] = field(default_factory=dict)
    _cards: dict[FrontNode, tuple[int, dict[int, int]]] = field(default_factory=dict)
    _known: dict[FrontNode, tuple[int, int]] = field(default_factory=dict)
    _table: dict[tuple[FrontNode, int, int], Front] = field(default_factory=dict)
    _proved: dict[tuple[FrontNode, int], bool] = field(default_factory=dict)
    _mine: tuple[int, int, int, int] = (0, 0, 0, 0)
    _pool: int = 0
    _size: int = 0
    _worth: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = self.game
        self._deadline = now() + self.seconds
        first = [int(x) for x in game.hands[0]]
        self._mine = tuple(  # type: ignore[assignment]
            first[s] if s & 1 == game.declarer & 1 else 0 for s in range(4)
        )
        self._size = sum(h.bit_count() for h in first)
        wide = (1 << len(game.goals)) - 1
        for s in range(4):
            if s & 1 != game.declarer & 1:
                self._pool |= first[s]
        for card in range(52):
            if self._pool >> card & 1:
                masks = [0, 0, 0, 0]
                for w, row in enumerate(game.hands.tolist()):
                    for s in range(4):
                        if row[s] >> card & 1:
                            masks[s] |= wide << w * len(game.goals)
                self._has[card] = tuple(masks)  # type: ignore[assignment]

    # ------------------------------------------------------------ values

    def worth(self, vector: int) -> float:
        """Expected value of a vector."""
        known = self._worth.get(vector)
        if known is None:
            known, rest = 0.0, vector
            while rest:
                low = rest & -rest
                known += self.game.values[low.bit_length() - 1]
                rest ^= low
            self._worth[vector] = known
        return known

    def best(self, front: Front) -> float:
        return max((self.worth(v) for v in front), default=0.0)

    # ------------------------------------------------------------ the tree

    def is_max(self, node: FrontNode) -> bool:
        return node.turn & 1 == self.game.declarer & 1

    def after(self, node: FrontNode, card: int) -> FrontNode:
        trick = (*node.trick, card)
        gone = node.gone | 1 << card
        if len(trick) < 4:
            return FrontNode(gone, node.leader, trick, node.won)
        cards = tuple(DECK[c] for c in trick)
        winner = (node.leader + winning_index(cards, self.game.strain)) & 3
        return FrontNode(gone, winner, (), node.won + (winner & 1 == self.game.declarer & 1))

    def my_cards(self, node: FrontNode) -> list[int]:
        """Declarer's legal cards at a node, one of each group that touches, highest first."""
        hand = self._mine[node.turn] & ~node.gone
        if node.trick:
            follow = hand & SUIT_BITS << 13 * (node.trick[0] // 13)
            hand = follow or hand
        others = self._alive(node) & ~(self._mine[node.turn] & ~node.gone)
        out: list[int] = []
        for card in range(51, -1, -1):
            if hand >> card & 1:
                if out and out[-1] // 13 == card // 13:
                    between = (1 << out[-1]) - (1 << card + 1)
                    if not others & between:
                        out[-1] = card  # the lowest stands for its group
                        continue
                out.append(card)
        return out

    def their_cards(self, node: FrontNode, worlds: int) -> list[tuple[int, int]]:
        """Cards the defender may hold, with the worlds in which he can play them.

        With `merge`, where he holds the next lower card too, that one is played for both.
        """
        seat = node.turn
        pool = self._pool & ~node.gone
        follows = 0
        if node.trick:
            suit = pool & SUIT_BITS << 13 * (node.trick[0] // 13)
            for card in cards_of(suit):
                follows |= self._has[card][seat]
        alive = self._alive(node)
        out = []
        for card in cards_of(pool):
            can = self._has[card][seat] & worlds
            if node.trick and card // 13 != node.trick[0] // 13:
                can &= ~follows
            below = alive & ((1 << card) - (1 << card - card % 13))
            if can and below and self.merge:
                lower = below.bit_length() - 1
                if lower in self._has and not node.gone >> lower & 1:
                    can &= ~self._has[lower][seat]
            if can:
                out.append((card, can))
        out.sort(key=lambda pair: (-pair[1].bit_count(), pair[0]))
        return out

    def _alive(self, node: FrontNode) -> int:
        """Cards in hands or on the table."""
        table = 0
        for card in node.trick:
            table |= 1 << card
        every = self._pool | self._mine[0] | self._mine[1] | self._mine[2] | self._mine[3]
        return (every & ~node.gone) | table

    # ------------------------------------------------------------ double dummy

    def double_dummy(self, node: FrontNode, worlds: int) -> int:
        """Bits of `worlds` that declarer reaches when all cards are seen."""
        done, won = self._known.get(node, (0, 0))
        if missing := worlds & ~done:
            cards = self.by_card(node, missing)
            if self.is_max(node):
                for vector in cards.values():
                    won |= vector
            else:
                bad = missing
                for vector in cards.values():
                    bad &= vector
                won |= bad
            self._known[node] = (done | missing, won)
        return won & worlds

    def by_card(self, node: FrontNode, worlds: int) -> dict[int, int]:
        """For each card of the seat on turn the bits reached after it, at least those of `worlds`.

        A card that cannot be played in a world is all ones there for a defender, none for us.
        """
        done, found = self._cards.get(node, (0, {}))
        if missing := worlds & ~done:
            for card, vector in self._solve(node, missing).items():
                # A defender's card that was impossible in the worlds solved before is neutral.
                before = found.get(card, 0 if self.is_max(node) else done)
                found[card] = before | vector
            if not self.is_max(node):
                can = dict(self.their_cards(node, missing))
                for card in found:
                    found[card] |= missing & ~can.get(card, 0)
            self._cards[node] = (done | missing, found)
        return found

    def expect(self, node: FrontNode, worlds: int, won: int) -> None:
        """Note a double-dummy result known from the card that led here."""
        done, known = self._known.get(node, (0, 0))
        self._known[node] = (done | worlds, known | won & worlds)

    def note(self, node: FrontNode, cards: Sequence[int], reached: NDArray[np.bool_]) -> None:
        """Take over double-dummy results of declarer's cards in all worlds (one goal only)."""
        column = {int(c): i for i, c in enumerate(cards)}
        every = list(range(len(reached)))
        found = {c: packed(reached[:, column[c], None], every, 1) for c in self.my_cards(node)}
        self._cards[node] = (self.game.all, found)

    def _solve(self, node: FrontNode, worlds: int) -> dict[int, int]:
        game, count = self.game, len(self.game.goals)
        wide = (1 << count) - 1
        indices = [w for w in range(len(game.hands)) if worlds >> w * count & wide]
        hands = game.hands[indices] & ~np.uint64(node.gone)
        self.solved += len(indices)
        left = int(np.bitwise_count(hands[0, node.turn]))
        maximising = self.is_max(node)
        trick = tuple(node.trick)
        if count == 1:
            need = game.goals[0] - node.won
            goal = need if maximising else left - need + 1
            if 0 < goal <= left:
                reached = reach_worlds(hands, game.strain, node.leader, trick, goal)
                legal = None
            else:
                reached = np.full((len(hands), 52), goal <= 0)
                legal = None
            table = reached if maximising else ~reached
            return self._vectors(node, indices, table[:, :, None], legal)
        tricks = solve_worlds(hands, game.strain, node.leader, trick).astype(np.int16)
        mine = tricks if maximising else left - tricks
        needs = np.array([g - node.won for g in game.goals], np.int16)
        table = mine[:, :, None] >= needs
        return self._vectors(node, indices, table, tricks >= 0)

    def _vectors(
        self,
        node: FrontNode,
        indices: list[int],
        table: NDArray[np.bool_],
        legal: NDArray[np.bool_] | None,
    ) -> dict[int, int]:
        """Arrays (worlds, cards, goals) as integers by card."""
        count = len(self.game.goals)
        if self.is_max(node):
            cards = self.my_cards(node)
            return {c: packed(table[:, c], indices, count) for c in cards}
        every = 0
        for w in indices:
            every |= ((1 << count) - 1) << w * count
        out = {}
        for card, can in self.their_cards(node, every):
            out[card] = packed(table[:, card], indices, count) | (every & ~can)
        return out

    # ------------------------------------------------------------ alpha-mu

    def front(
        self, node: FrontNode, depth: int, worlds: int, above: Sequence[Front] = ()
    ) -> tuple[Front, int]:
        """Undominated vectors declarer can secure from here, looking `depth` own cards ahead.

        `worlds` are the bits still possible and useful; `above` are fronts of MAX ancestors, the
        oldest first, as far as they bear on these worlds. The number is the oldest of them that
        cut something off: what was cut is covered there, so only younger nodes are incomplete.
        """
        if not worlds:
            return [0], WHOLE
        known = self._table.get((node, depth, worlds))
        if known is not None:
            return known, WHOLE
        self.nodes += 1
        self._check()
        if node.gone.bit_count() == self._size:
            return [self._final(node, worlds)], WHOLE
        useful = self.double_dummy(node, worlds)
        cut = covering([useful], above)
        if cut != WHOLE:
            return [useful], cut  # early cut: even with all cards seen it adds nothing
        if not useful:
            found: Front = [0]
        elif depth == 0 or useful.bit_count() == 1:
            found = [useful]
        elif self.is_max(node):
            found, cut = self._maximum(node, depth, useful, above)
        else:
            found, cut = self._minimum(node, depth, useful, above)
        if cut == WHOLE:
            self._table[node, depth, worlds] = found
        return found, cut

    def _check(self) -> None:
        if self.nodes > self.most_nodes or self.solved > self.most_solved:
            raise OutOfTime
        if now() > self._deadline:
            raise OutOfTime

    def _final(self, node: FrontNode, worlds: int) -> int:
        reached = sum(1 << k for k, g in enumerate(self.game.goals) if node.won >= g)
        count, out = len(self.game.goals), 0
        for w in range(len(self.game.hands)):
            out |= reached << w * count
        return out & worlds

    def _maximum(
        self, node: FrontNode, depth: int, worlds: int, above: Sequence[Front]
    ) -> tuple[Front, int]:
        mine = self.my_cards(node)
        cards = self.by_card(node, worlds) if len(mine) > 1 else {mine[0]: worlds}
        order = sorted(cards, key=lambda c: -self.worth(cards[c] & worlds))
        if depth == 1:
            return undominated(cards[c] & worlds for c in order), WHOLE
        out: Front = []
        oldest = WHOLE
        for card in order:
            bound = cards[card] & worlds
            if covered([bound], out):
                continue  # it cannot add a vector
            child = self.after(node, card)
            self.expect(child, worlds, bound)
            below, cut = self.front(child, depth - 1, bound, (*above, out))
            if cut < len(above):
                oldest = min(oldest, cut)
            out = undominated([*out, *below])[:_WIDEST]
            if worlds in out:
                break
        return out, oldest

    def _minimum(
        self, node: FrontNode, depth: int, worlds: int, above: Sequence[Front]
    ) -> tuple[Front, int]:
        out: Front = [worlds]
        left = worlds
        oldest = WHOLE
        for card, can in self.their_cards(node, worlds):
            here = can & left
            if not here:
                continue
            free = left & ~can
            # Deep cut: an ancestor's vector matters below only if it has all worlds left out here.
            deeper = [[y for y in front if free & ~y == 0] for front in above]
            child = self.after(node, card)
            self.expect(child, here, here)  # what is won here is won after each of their cards
            below, cut = self.front(child, depth, here, deeper)
            oldest = min(oldest, cut)
            out = undominated(x & (y | free) for x in out for y in below)[:_WIDEST]
            left = 0
            for vector in out:
                left |= vector
            if not left:
                break
            cut = covering(out, above)
            if cut != WHOLE:
                return out, min(oldest, cut)
        return out, oldest

    # ------------------------------------------------------------ proofs

    def secures(self, node: FrontNode, worlds: int) -> bool:
        """Can declarer reach the goal in every one of these worlds, whatever the defenders do?

        A proof only when the worlds are all there are and `merge` is off.
        """
        if not worlds:
            return True
        known = self._proved.get((node, worlds))
        if known is not None:
            return known
        self.nodes += 1
        self._check()
        if node.gone.bit_count() == self._size:
            return self._final(node, worlds) == worlds
        if self.double_dummy(node, worlds) != worlds:
            found = False
        elif self.is_max(node):
            mine = self.my_cards(node)
            if len(mine) > 1:
                cards = self.by_card(node, worlds)
                mine = [c for c in mine if cards[c] & worlds == worlds]
            found = any(self._secured(node, c, worlds) for c in mine)
        else:
            found = all(self._secured(node, c, can) for c, can in self.their_cards(node, worlds))
        self._proved[node, worlds] = found
        return found

    def _secured(self, node: FrontNode, card: int, worlds: int) -> bool:
        """After a card that loses nothing double dummy: so much is known and not solved again."""
        child = self.after(node, card)
        self.expect(child, worlds, worlds)
        return self.secures(child, worlds)
