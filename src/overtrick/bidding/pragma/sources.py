"""Knowledge sources 1 and 2 (sections 3.5.1 and 3.5.2 of the PRAGMA paper): simple domination over
choice sets, and continuation trees. They are asked in order of cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import PRAGMA_CHOICES, PRAGMA_CLEARLY
from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    Contracts,
    LaterTurns,
    Leaves,
    RulesCaller,
    SeatHands,
    Walk,
)
from overtrick.bidding.kernel.callers import Floats, Hands, Node, Split, WorldSet
from overtrick.bidding.kernel.position import Contract
from overtrick.bidding.pragma.thought import RDeals, Thought
from overtrick.systems.many import Pool
from overtrick.worlds.sets import as_mask


@dataclass(frozen=True, slots=True, eq=False)
class AnyRule:
    """The system without its priorities: every call is made that is one of the first `most` calls
    the hand may choose, so worlds go on with several calls at once."""

    rules: RulesCaller
    most: int

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        return self.rules.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        pool = held.pool(nodes[0][0].turn)
        return [possible_calls(self.rules, at, pool, here, self.most) for at, here in nodes]


def possible_calls(
    rules: RulesCaller, at: AuctionPosition, pool: Pool, here: WorldSet, most: int = PRAGMA_CHOICES
) -> Split:
    """For each call, the worlds in which it is one of the first `most` calls the hand may choose.
    The sets overlap."""
    ctx = rules.context(at)
    out: Split = {}
    chosen = [here, *[0] * most]  # chosen[k]: worlds that have k calls so far
    for option in rules.reading.options(ctx):
        found = pool.satisfying(option.items) & here & ~chosen[most] & ~out.get(option.call, 0)
        if not found:
            continue
        out[option.call] = out.get(option.call, 0) | found
        for k in range(most, 0, -1):
            moved = chosen[k - 1] & found
            chosen[k] |= moved
            chosen[k - 1] &= ~moved
        if chosen[most] == here:
            break
    if chosen[0]:
        for call, found in pool.by_call(rules.reading, ctx, chosen[0]).items():
            out[call] = out.get(call, 0) | found
    return out


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

    @property
    def determined(self) -> bool:
        """Does every R-deal lead to one result, whatever the system leaves open?"""
        return self.complete and bool((self.worst == self.best).all())


def choice_set(
    after: AuctionPosition,
    held: SeatHands,
    leaves: Leaves,
    reference: Floats,
    callers: Sequence[RulesCaller],
    *,
    most: int,
    limit: int,
) -> ChoiceSet:
    """Run the system without its priorities on every R-deal (section 3.5)."""
    walk = Walk(held, [AnyRule(caller, most) for caller in callers], most=limit)
    found: dict[Contract, WorldSet] = {}
    for ending in walk.endings([(after, held.every)]):
        found[ending.contract] = found.get(ending.contract, 0) | ending.worlds
    every = np.tile(np.array(list(found), np.int64), (len(held), 1, 1))
    values = leaves.imps(Contracts.of(every), reference)
    reached = np.stack([as_mask(worlds, len(held)) for worlds in found.values()], axis=1)
    worst = np.where(reached, values, np.inf).min(axis=1)
    best = np.where(reached, values, -np.inf).max(axis=1)
    return ChoiceSet(frozenset(found), worst, best, walk.complete, walk.nodes)


def dominates(x: ChoiceSet, y: ChoiceSet, *, strictly: bool = False) -> bool:
    """Is the worst of X at least the best of Y in every R-deal, and better in some? `strictly`, as
    the paper prints it: better in all."""
    if not x.complete or not y.complete:
        return False
    if strictly:
        return bool((x.worst > y.best).all())
    return bool((x.worst >= y.best).all() and (x.worst > y.best).any())


def simple_domination(
    thought: Thought, sample: RDeals, *, strictly: bool = False, most: int = 2, limit: int = 60
) -> bool:
    """Knowledge source 1: drop every choice that another one dominates; is one left?"""
    race, sets = thought.race, dict[int, ChoiceSet]()
    for i in race.open:
        thought.clock.check()
        sets[i] = choice_set(
            thought.position.then(race.calls[i]), sample.held, sample.leaves, sample.reference,
            thought.rules(), most=most, limit=limit,
        )  # fmt: skip
        thought.nodes += sets[i].nodes
    thought.determined = all(found.determined for found in sets.values())
    for i in list(race.open):
        if any(dominates(sets[j], sets[i], strictly=strictly) for j in race.open if j != i):
            race.drop(i, "is dominated: its best contract is worse than another's worst")
    return len(race.open) == 1


def continuation(thought: Thought, sample: RDeals, *, again: int = 0) -> None:
    """Knowledge source 2: value every choice still open in these R-deals.

    The others follow the system, and so do we, unless `again` R-deals come to a turn of our own:
    then its calls are compared again.
    """
    race, walk = thought.race, thought.walk(sample)
    if again:
        walk.callers = _choosing(thought, sample, walk, again)
    planned = 0 in race.open and not again  # the rules' own continuation is known already
    ways = [c for i, c in zip(race.open, race.open_calls, strict=True) if i or not planned]
    found = walk.after(thought.position, ways)[0]
    thought.nodes += walk.nodes
    if planned:
        found = sample.plan.beside(found)
    thought.add(sample, sample.imps(found))
    for way, i in enumerate(race.open):
        columns = (x[:, way].tolist() for x in (found.bids, found.declarers, found.doubled))
        thought.reached[i].update(zip(*columns, strict=True))


def _choosing(thought: Thought, sample: RDeals, walk: Walk, again: int) -> list[Caller]:
    """The callers, with our own later turns chosen again where that is clearly better."""
    me, callers = int(thought.view.seat), list(thought.rules())
    rules = callers[me]

    def options(at: AuctionPosition, hands: NDArray[np.uint64]) -> list[list[int]]:
        pool = Pool(hands[:1])
        (first,) = pool.by_call(rules.reading, rules.context(at))
        allowed = possible_calls(rules, at, pool, 1)
        return [[first, *(c for c in allowed if c != first)]]

    def clearly(gains: Floats) -> float:
        return float(gains.std() / np.sqrt(len(gains))) + PRAGMA_CLEARLY

    chosen = LaterTurns(
        walk, me, rules, options, sample.leaves, turns=60, fewest=again, least=clearly
    )
    return [*callers[:me], chosen, *callers[me + 1 :]]
