"""Fronts: every outcome of a position that declarer can be sure of and that no other contains.

A line of play is its outcome against best defence, layout by layout. Declarer picks an outcome, the
defenders intersect; a front keeps those not contained in another. This is exact for any goal that
never prefers fewer tricks, because layouts do not interact once the line is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable

from overtrick.suitplay.position import End, Lead, SuitGame, SuitPosition, Third

Front = list[int]


def undominated(outcomes: Iterable[int]) -> Front:
    """The outcomes that are not part of another, largest first.

    >>> undominated([0b001, 0b011, 0b100])
    [3, 4]
    """
    kept: Front = []
    for outcome in sorted(set(outcomes), key=int.bit_count, reverse=True):
        for other in kept:
            if outcome & other == outcome:
                break
        else:
            kept.append(outcome)
    return kept


def contained(outcome: int, front: Front) -> bool:
    """Is there one in the front that is sure of all this outcome is?"""
    return any(outcome & other == outcome for other in front)


class FrontSearch:
    """Fronts of positions after the first trick are small, and every goal shares them."""

    def __init__(self, game: SuitGame) -> None:
        self.game = game
        self._fronts: dict[SuitPosition, Front] = {}

    def front(self, position: SuitPosition) -> Front:
        known = self._fronts.get(position)
        if known is None:
            known = self._fronts[position] = self._work_out(position)
        return known

    def _work_out(self, position: SuitPosition) -> Front:
        node = self.game.node(position)
        if node.settled:
            return [node.reach]
        front: Front = []
        for lead in node.leads:
            if contained(lead.reach, front):
                continue
            front = undominated(front + self._lead(lead, front))
            if front[0] == node.reach:  # as good as double dummy in every layout
                break
        return front

    def end(self, end: End, alive: int) -> tuple[int, Front]:
        """The front after a trick, seen from before it, on the bits that still count."""
        mask = end.mask & alive
        front = self.front(end.child)
        shift = end.shift
        if end.wins:
            size, box = self.game.size, self.game.left(end.child.left).box
            if len(front) == 1:
                return mask, [(front[0] << size | box) << shift & mask]
            return mask, undominated([(x << size | box) << shift & mask for x in front])
        if len(front) == 1:
            return mask, [front[0] << shift & mask]
        return mask, undominated([x << shift & mask for x in front])

    def binding(self, ends: list[End], alive: int) -> list[tuple[int, Front]]:
        """The fourth hand's cards that cost something, with their fronts, smallest first."""
        fronts = []
        for end in ends:
            if end.mask & alive:
                mask, front = self.end(end, alive)
                if front[0] != mask:
                    fronts.append((mask, front))
        fronts.sort(key=lambda pair: len(pair[1]))
        return fronts

    def of_lead(self, lead: Lead) -> Front:
        """What can be secured with a lead."""
        return self._lead(lead, [])

    def of_third(self, third: Third, alive: int) -> Front:
        """What can be secured with a third-hand card, on the bits that still count."""
        return self._product(third.reach & alive, third.ends)

    def _lead(self, lead: Lead, rivals: Front) -> Front:
        """Outcomes of a lead that are not contained in an outcome of the rivals."""
        reach = lead.reach
        factors = []
        for reply in lead.replies:
            alive = reply.mask & reach
            if not alive:
                continue
            front: Front = []
            for third in sorted(reply.thirds, key=lambda t: -(t.reach & alive).bit_count()):
                target = third.reach & alive
                if not contained(target, front):
                    front = undominated(front + self._product(target, third.ends))
            if front[0] != alive:
                elsewhere = reach & ~reply.mask
                factors.append([x | elsewhere for x in front])
        factors.sort(key=len)
        outcomes = [reach]
        for factor in factors:
            outcomes = undominated([x & y for x in outcomes for y in factor])
            outcomes = [x for x in outcomes if not contained(x, rivals)]
            if not outcomes:
                break
        return outcomes

    def _product(self, target: int, ends: list[End]) -> Front:
        outcomes = [target]
        for mask, front in self.binding(ends, target):
            free = target & ~mask
            outcomes = undominated([x & (y | free) for x in outcomes for y in front])
        return outcomes
