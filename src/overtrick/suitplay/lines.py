"""The best line for a goal: a search of the first trick that weighs outcomes, not lists them.

Every goal is a sum of weights over outcome bits (see `position`). Of the outcome bits of one reply,
those that no other reply can spoil only count by their total weight, so partial lines are compared
by "bits others may spoil, plus weight of the rest": this and bounds keep the root small where
its full front would have thousands of outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from overtrick.suitplay.position import Lead
from overtrick.suitplay.search import Front, FrontSearch, undominated

_LARGE = 200  # outcomes of one reply above which it is not worked out on its own


class Goal:
    """Weights of outcome bits; calling it adds up the weights of an outcome."""

    def __init__(self, weights: Sequence[int]) -> None:
        self.support = sum(1 << i for i, w in enumerate(weights) if w)
        self._bytes: list[list[int]] = []
        for i in range(0, len(weights), 8):
            sums = [0]
            for weight in weights[i : i + 8]:
                sums += [s + weight for s in sums]
            self._bytes.append(sums)
        self._known: dict[int, int] = {}

    def __call__(self, outcome: int) -> int:
        value = self._known.get(outcome)
        if value is None:
            value = 0
            for sums, byte in zip(
                self._bytes, outcome.to_bytes(len(self._bytes), "little"), strict=True
            ):
                if byte:
                    value += sums[byte]
            self._known[outcome] = value
        return value


class Limit(NamedTuple):
    """A second goal that a line must reach."""

    goal: Goal
    least: int


class ThirdHand(NamedTuple):
    """A third-hand card: the bits within its reach and the fronts that bind it."""

    alive: int
    fronts: list[tuple[int, Front]]


class Factor(NamedTuple):
    """A second-hand card that costs something, and our answers to it."""

    alive: int
    options: list[ThirdHand]


@dataclass(frozen=True, slots=True)
class BestOutcome:
    """The best outcome for a goal and its value; `outcome` is None when nothing beats the floor."""

    value: int
    outcome: int | None


class LineSearch:
    """Best lines from the start of the play."""

    def __init__(self, fronts: FrontSearch) -> None:
        self.fronts = fronts
        self.game = fronts.game

    def best(self, goal: Goal, floor: int = -1, limits: Sequence[Limit] = ()) -> BestOutcome:
        """The line of highest value above `floor` that keeps within the limits."""
        node = self.game.node(self.game.root)
        support = _support(goal, limits)
        if not node.leads or node.settled:
            only = node.reach & support
            good = goal(only) > floor and _within(only, limits)
            return BestOutcome(goal(only), only) if good else BestOutcome(floor, None)
        return self.among(node.leads, goal, floor, limits)

    def among(
        self, leads: Sequence[Lead], goal: Goal, floor: int = -1, limits: Sequence[Limit] = ()
    ) -> BestOutcome:
        """The best line that starts with one of these leads."""
        support = _support(goal, limits)
        value = floor
        best: int | None = None
        todo = []
        for lead in sorted(leads, key=lambda x: -goal(x.reach & support)):
            reach = lead.reach & support
            if goal(reach) <= value:
                break
            factors = self._factors(lead, reach, goal)
            bound = goal(reach) - _least_losses(reach, factors, goal)
            if bound <= value or not all(
                limit.goal(reach) - _least_losses(reach, factors, limit.goal) >= limit.least
                for limit in limits
            ):
                continue
            todo.append((bound, reach, factors))
            quick = _greedy(reach, factors, [*(limit.goal for limit in limits), goal])
            if goal(quick) > value and _within(quick, limits):
                value, best = goal(quick), quick
        for bound, reach, factors in sorted(todo, key=lambda t: -t[0]):
            if bound <= value:
                break
            outcome = _Product(goal, value, limits).best(reach, factors)
            if outcome is not None and goal(outcome) > value and _within(outcome, limits):
                value, best = goal(outcome), outcome
        return BestOutcome(value, best)

    def _factors(self, lead: Lead, reach: int, goal: Goal) -> list[Factor]:
        factors = []
        for reply in lead.replies:
            alive = reply.mask & reach
            options: list[ThirdHand] = []
            if not alive:
                continue
            for third in sorted(reply.thirds, key=lambda t: -goal(t.reach & alive)):
                target = third.reach & alive
                if any(target & o.alive == target and not o.fronts for o in options):
                    continue
                options.append(ThirdHand(target, self.fronts.binding(third.ends, target)))
                if target == alive and not options[-1].fronts:
                    break  # nothing lost: this reply costs nothing
            else:
                factors.append(Factor(alive, options))
        return factors


def _support(goal: Goal, limits: Sequence[Limit]) -> int:
    """The bits that any of the goals counts."""
    bits = goal.support
    for limit in limits:
        bits |= limit.goal.support
    return bits


def _within(outcome: int, limits: Sequence[Limit]) -> bool:
    return all(limit.goal(outcome) >= limit.least for limit in limits)


def _least_loss(region: int, factor: Factor, goal: Goal) -> int:
    """What the defenders' card must cost among the bits of a region, whatever we answer."""
    return min(
        goal(region & ~option.alive) + _fronts_loss(region & option.alive, option.fronts, goal)
        for option in factor.options
    )


def _fronts_loss(region: int, fronts: Sequence[tuple[int, Front]], goal: Goal) -> int:
    loss = 0
    for mask, front in fronts:
        own = region & mask
        region &= ~mask  # each bit is charged once
        if own:
            loss += min(goal(own & ~outcome) for outcome in front)
    return loss


def _least_losses(region: int, factors: Sequence[Factor], goal: Goal) -> int:
    loss = 0
    for factor in factors:
        loss += _least_loss(region & factor.alive, factor, goal)
        region &= ~factor.alive
    return loss


def _greedy(reach: int, factors: Sequence[Factor], goals: Sequence[Goal]) -> int:
    """A line found by answering every card as well as possible on its own."""

    def worth(outcome: int) -> tuple[int, ...]:
        return tuple(goal(outcome) for goal in goals)

    outcome = reach
    for factor in factors:
        answers = []
        for option in factor.options:
            answer = outcome & (option.alive | ~factor.alive)
            for mask, front in option.fronts:
                answer = max((answer & (x | ~mask) for x in front), key=worth)
            answers.append(answer)
        outcome = max(answers, key=worth)
    return outcome


class _Product:
    """All answers to all replies to one lead, pruned."""

    def __init__(self, goal: Goal, floor: int, limits: Sequence[Limit]) -> None:
        self.goal = goal
        # What every goal must reach; the first one has to beat the floor.
        self.aims = [Limit(goal, floor + 1), *limits]

    def best(self, reach: int, factors: Sequence[Factor]) -> int | None:
        """Small replies are worked out on their own, large ones for each line that is left."""
        ranked = sorted(factors, key=_size)
        small = [f for f in ranked if _size(f) <= _LARGE]
        large = ranked[len(small) :]
        fronts = []
        for factor in small:
            others = [f for f in ranked if f is not factor]
            front = self._answers(reach, factor, others)
            if not front:
                return None
            fronts.append((factor.alive, front))
        fronts.sort(key=lambda pair: len(pair[1]))
        outcomes = [reach]
        untouched = reach
        for i, (alive, front) in enumerate(fronts):
            untouched &= ~alive
            later = fronts[i + 1 :]
            rest = untouched & ~_union(later)
            losses = [
                _fronts_loss(untouched, later, aim.goal) + _least_losses(rest, large, aim.goal)
                for aim in self.aims
            ]
            outcomes = self._meet(outcomes, (alive, front), 0, losses)
            outcomes = self._prune(outcomes, 0, losses, _union(later) | _union(large))
        for i, factor in enumerate(large):
            outcomes = self._in_turn(outcomes, factor, large[i + 1 :], untouched)
            untouched &= ~factor.alive
        return max(outcomes, key=self.goal, default=None)

    def _in_turn(
        self, lines: list[int], factor: Factor, later: Sequence[Factor], untouched: int
    ) -> list[int]:
        """Outcomes of the lines so far after one more reply; only untouched bits are charged."""
        elsewhere = untouched & ~factor.alive
        to_come = [_least_losses(elsewhere, later, aim.goal) for aim in self.aims]
        after = _union(later)
        found = []
        for option in factor.options:
            outcomes = [x & (option.alive | ~factor.alive) for x in lines]
            region = option.alive & untouched & ~after
            for i, (mask, front) in enumerate(option.fronts):
                region &= ~mask
                rest = option.fronts[i + 1 :]
                losses = [
                    loss + _fronts_loss(region, rest, aim.goal)
                    for aim, loss in zip(self.aims, to_come, strict=True)
                ]
                outcomes = self._meet(outcomes, (mask, front), 0, losses)
                outcomes = self._prune(outcomes, 0, losses, after | _union(rest))
            found += outcomes
        return self._prune(found, 0, to_come, after)

    def _answers(self, reach: int, factor: Factor, others: Sequence[Factor]) -> list[int]:
        """Outcomes of one reply, within the bits it touches."""
        elsewhere = reach & ~factor.alive
        elsewhere_losses = [_least_losses(elsewhere, others, aim.goal) for aim in self.aims]
        shared = factor.alive & _union(others)
        answers = []
        for option in factor.options:
            outcomes = [option.alive]
            untouched = option.alive
            for i, (mask, front) in enumerate(option.fronts):
                untouched &= ~mask
                later = option.fronts[i + 1 :]
                losses = [
                    loss + _fronts_loss(untouched, later, aim.goal)
                    for aim, loss in zip(self.aims, elsewhere_losses, strict=True)
                ]
                outcomes = self._meet(outcomes, (mask, front), elsewhere, losses)
                outcomes = self._prune(outcomes, elsewhere, losses, shared | _union(later))
            answers += outcomes
        return self._prune(answers, elsewhere, elsewhere_losses, shared)

    def _meet(
        self, outcomes: list[int], binding: tuple[int, Front], extra: int, losses: Sequence[int]
    ) -> list[int]:
        """Every outcome with every member of a front, less what falls short of the first aim.

        Outcomes that agree within the mask lose the same, so that is worked out once for them.
        """
        mask, front = binding
        goal, least = self.aims[0].goal, self.aims[0].least + losses[0]
        groups: dict[int, list[int]] = {}
        for outcome in outcomes:
            groups.setdefault(outcome & mask, []).append(outcome)
        met = []
        for part, members in groups.items():
            kept = undominated([part & x for x in front])
            costs = sorted((goal(part & ~x), x) for x in kept)
            for outcome in members:
                spare = goal(outcome | extra) - least
                rest = outcome & ~mask
                for cost, x in costs:
                    if cost > spare:
                        break
                    met.append(rest | x)
        return met

    def _prune(
        self, outcomes: list[int], extra: int, losses: Sequence[int], open_bits: int
    ) -> list[int]:
        """Drop what cannot reach the aims and what another outcome makes superfluous."""
        least = [(a.goal, a.least + loss) for a, loss in zip(self.aims, losses, strict=True)]
        best: dict[int, list[tuple[int, ...]]] = {}
        for outcome in set(outcomes):
            whole = outcome | extra
            if not all(goal(whole) >= needed for goal, needed in least):
                continue
            key = outcome & open_bits
            closed = outcome & ~open_bits
            worth = (*(goal(closed) for goal, _ in least), outcome)
            same = best.setdefault(key, [])
            if not any(_no_less(other, worth) for other in same):
                same[:] = [other for other in same if not _no_less(worth, other)]
                same.append(worth)
        kept: list[tuple[int, tuple[int, ...]]] = []
        ranked = [(key, worth) for key, worths in best.items() for worth in worths]
        ranked.sort(key=lambda pair: (pair[1][0], pair[0].bit_count()), reverse=True)
        for key, worth in ranked:
            for other_key, other in kept:
                if key & other_key == key and _no_less(other, worth):
                    break
            else:
                kept.append((key, worth))
        return [worth[-1] for _, worth in kept]


def _no_less(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    return all(a >= b for a, b in zip(one[:-1], two[:-1], strict=True))


def _size(factor: Factor) -> int:
    """How many outcomes the answers to a reply can have before any are dropped."""
    return max(prod(len(front) for _, front in option.fronts) for option in factor.options)


def _union(parts: Sequence[Factor] | Sequence[tuple[int, Front]]) -> int:
    bits = 0
    for part in parts:
        bits |= part[0]
    return bits
