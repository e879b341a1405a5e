"""Knowledge sources 1 and 2: simple domination over choice sets, and continuation trees.
Used by pragma's refinement loop in order of cost (seed 004, sections 3.5.1 and 3.5.2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from overtrick.bidding.pragma.leaves import Contract, Floats, Leaves
from overtrick.bidding.pragma.thought import Sample, Thought
from overtrick.bidding.rollout import (
    Worlds,
    WorldSet,
    calls_of,
    ending_of,
    next_context,
    possible_calls,
)
from overtrick.systems import Reading
from overtrick.systems.context import Context

_LONGEST = 40


@dataclass(frozen=True, slots=True)
class ChoiceSet:
    """The contracts a call can lead to, and per R-deal the worst and the best of them.

    `complete` is False when the tree was too large to be walked to its end.
    """

    contracts: frozenset[Contract]
    worst: Floats
    best: Floats
    complete: bool
    nodes: int


def choice_set(
    reading: Reading, after: Context, worlds: Worlds, leaves: Leaves, *, most: int, limit: int
) -> ChoiceSet:
    """Run the system without its priorities on every R-deal (section 3.5)."""
    contracts: dict[Contract, WorldSet] = {}
    stack = [(after, worlds.every)]
    nodes = 0
    while stack and nodes < limit:
        ctx, here = stack.pop()
        nodes += 1
        if ctx.is_over or len(ctx.calls) > _LONGEST:
            ending = ending_of(ctx, worlds.dealer, here)
            contracts[ending.contract] = contracts.get(ending.contract, 0) | here
            continue
        for call, part in possible_calls(reading, ctx, worlds, here, most).items():
            stack.append((next_context(reading, ctx, call), part))
    worst, best = np.full(len(worlds), np.inf), np.full(len(worlds), -np.inf)
    for contract, those in contracts.items():
        rows = worlds.rows(those)
        values = leaves.imps(contract)[rows]
        worst[rows] = np.minimum(worst[rows], values)
        best[rows] = np.maximum(best[rows], values)
    return ChoiceSet(frozenset(contracts), worst, best, not stack, nodes)


def dominates(x: ChoiceSet, y: ChoiceSet) -> bool:
    """Is the worst of X at least the best of Y in every R-deal, and better in some?"""
    if not x.complete or not y.complete:
        return False
    return bool((x.worst >= y.best).all() and (x.worst > y.best).any())


def simple_domination(thought: Thought, sample: Sample, *, most: int = 2, limit: int = 60) -> bool:
    """Knowledge source 1: drop every choice that another one dominates; is one left?"""
    sets: dict[int, ChoiceSet] = {}
    for i in thought.alive:
        after = next_context(thought.reading, thought.ctx, thought.choices[i].call)
        thought.check_clock()
        sets[i] = choice_set(
            thought.reading, after, sample.worlds, sample.leaves, most=most, limit=limit
        )
        thought.nodes += sets[i].nodes
    for i in list(thought.alive):
        if any(dominates(sets[j], sets[i]) for j in thought.alive if j != i):
            thought.drop(i, "is dominated: its best contract is worse than another's worst")
    return len(thought.alive) == 1


@dataclass(slots=True)
class Tree:
    """Knowledge source 2's tree: others follow the system, we choose the best on average."""

    thought: Thought
    sample: Sample
    free: int  # R-deals a node of our own must have before we choose there by ourselves
    nodes: int = 0
    reached: Counter[Contract] = field(default_factory=Counter)

    def value(self, ctx: Context, here: WorldSet) -> Floats:
        """IMPs in each world of `here` (other rows stay 0) when the auction goes on from `ctx`."""
        out = np.zeros(len(self.sample.worlds))
        stack = [(ctx, here)]
        while stack:
            now, those = stack.pop()
            self.nodes += 1
            self.thought.check_clock()
            if now.is_over or len(now.calls) > _LONGEST:
                rows = self.sample.worlds.rows(those)
                contract = ending_of(now, self.sample.worlds.dealer, those).contract
                out[rows] = self.sample.leaves.imps(contract)[rows]
                self.reached[contract] += len(rows)
                continue
            if self._ours(now) and those.bit_count() >= self.free > 0:
                rows = self.sample.worlds.rows(those)
                out[rows] = self._choose(now, those)[rows]
                continue
            for call, part in calls_of(
                self.thought.reading, now, self.sample.worlds, those
            ).items():
                stack.append((next_context(self.thought.reading, now, call), part))
        return out

    def _ours(self, ctx: Context) -> bool:
        return self.sample.worlds.seat(ctx) == int(self.thought.view.seat)

    def _choose(self, ctx: Context, those: WorldSet) -> Floats:
        """Our own next turn: the rules' call, or another one that is clearly better there."""
        reading, worlds = self.thought.reading, self.sample.worlds
        (first,) = calls_of(reading, ctx, worlds, those & -those)
        allowed = possible_calls(reading, ctx, worlds, those & -those, 3)
        calls = [first, *(c for c in allowed if c != first)]
        found = [self.value(next_context(reading, ctx, c), those) for c in calls]
        rows = worlds.rows(those)
        best = found[0]
        for other in found[1:]:
            gain = other[rows] - best[rows]
            if gain.mean() > gain.std() / np.sqrt(len(rows)) + 0.2:
                best = other
        return best


def continuation(thought: Thought, sample: Sample, *, free: int) -> None:
    """Knowledge source 2: value every choice still alive in these R-deals."""
    tree = Tree(thought, sample, free)
    every = sample.worlds.every
    found: dict[int, Floats] = {}
    reached: dict[int, Counter[Contract]] = {}
    for i in thought.alive:
        after = next_context(thought.reading, thought.ctx, thought.choices[i].call)
        if i == 0 and not free:
            found[0] = np.zeros(len(sample.worlds))
            for ending in sample.plan:
                rows = sample.worlds.rows(ending.worlds)
                found[0][rows] = sample.leaves.imps(ending.contract)[rows]
                tree.reached[ending.contract] += len(rows)
        else:
            found[i] = tree.value(after, every)
        reached[i], tree.reached = tree.reached, Counter()
    for i, values in found.items():  # all of them or, when the clock runs out, none
        thought.add(i, values)
        thought.reached[i].update(reached[i])
    thought.nodes += tree.nodes
