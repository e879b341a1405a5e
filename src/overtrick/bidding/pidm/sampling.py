"""The worlds of a decision: deals that the models of all players find consistent with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.constants import PIDM_FEW, PIDM_RARE, PIDM_TRIED
from overtrick.bidding.kernel.position import AuctionPosition
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.evaluation import HandArray
from overtrick.game import Hand, PartialDeal, Seat
from overtrick.game.cards import ALL_CARDS
from overtrick.systems.meanings import positive
from overtrick.worlds.consistent import CallTest, Proposal, Sample, SamplingBudget, rbmbmc
from overtrick.worlds.constraints import Constraint, all_of
from overtrick.worlds.dealer import Dealer
from overtrick.worlds.problem import DealingError
from overtrick.worlds.splitting import choose

_NATURALLY: Final = "a bid that its maker's system does not explain, read naturally"


def call_tests(player: PlayerModel, position: AuctionPosition, seat: int) -> list[CallTest]:
    """The calls of the other three seats, as tests by this player's models of them."""
    tests = []
    for turn in range(len(position.calls)):
        step = (position.dealer + turn - seat) & 3
        if step:
            tests.append(player.other(step).test(position, turn))
    return tests


def sample_worlds(
    player: PlayerModel,
    position: AuctionPosition,
    hand: int,
    budget: SamplingBudget,
    k: int,
    *,
    proposal: Proposal = "auto",
    rng: Generator,
    natural: bool = False,
) -> Sample:
    """RBMBMC(PartialState, History, Agent, ResourceLimit, SampleSize) for the player on turn.

    With `natural`, bids of an auction that hardly any deal explains are read as anybody would.
    """
    seat = position.turn
    tests = call_tests(player, position, seat)
    sample = rbmbmc(
        seat, hand, tests, budget, k, rng=rng, proposal=proposal,
        dealer=lambda: constraint_dealer(player, position, hand),
    )  # fmt: skip
    if not natural or _explained(sample) >= PIDM_FEW * k:
        return sample
    for easier in natural_tests(player, position, (hand, tests), rng):
        again = rbmbmc(seat, hand, easier, _half(budget), k, rng=rng)
        used = sample.generated + again.generated
        better = _explained(again) > _explained(sample)
        sample = replace(again, notes=(_NATURALLY,)) if better else sample
        sample = replace(sample, generated=used)
        if _explained(sample) >= PIDM_FEW * k:
            break
    return sample


def _half(budget: SamplingBudget) -> SamplingBudget:
    seconds, instances = budget.seconds, budget.instances
    return SamplingBudget(seconds and seconds / 2, instances and instances // 2)


def _explained(sample: Sample) -> int:
    """How many worlds explain every call."""
    return int((sample.inconsistent == 0).sum())


def natural_tests(
    player: PlayerModel,
    position: AuctionPosition,
    heard: tuple[int, list[CallTest]],
    rng: Generator,
) -> Iterator[list[CallTest]]:
    """The tests with one bid, then two, read as anybody would, for auctions that no deal explains:
    bids their maker hardly ever makes come first, then the opponents' last ones."""
    hand, tests = heard
    rest = np.full(PIDM_TRIED, ALL_CARDS & ~hand, np.uint64)
    count = len(position.calls)
    turns = [t for t in range(count) if (count - t) & 3]
    order = []
    for i, (turn, test) in enumerate(zip(turns, tests, strict=True)):
        if position.calls[turn] >= 3:
            rare = test.test(HandArray(choose(rng, rest, 13))).mean() < PIDM_RARE
            order.append((not rare, (count - turn) & 1 == 0, -turn, i))
    out = list(tests)
    for *_, i in sorted(order)[:2]:
        out[i] = replace(out[i], test=_natural(position, turns[i]))
        yield list(out)


def _natural(position: AuctionPosition, turn: int) -> Callable[[HandArray], NDArray[np.bool_]]:
    """A bid by common sense: three cards in partner's suit, five in one's own."""
    bid = position.calls[turn] - 3
    strain, level = bid % 5, bid // 5 + 1
    partners = [c for c in position.calls[(turn - 2) & 3 : turn : 4] if c >= 3]
    least = 3 if strain in [(c - 3) % 5 for c in partners] else 4 if level == 1 else 5

    def fits(hands: HandArray) -> NDArray[np.bool_]:
        if strain == 4:
            return np.ones(len(hands), bool)
        return np.asarray(hands.look("length", strain) >= least)

    return fits


def constraint_dealer(player: PlayerModel, position: AuctionPosition, hand: int) -> Dealer | None:
    """A dealer of what the calls say for sure (without what they deny); None if impossible."""
    seat = position.turn
    said: dict[Seat, list[Constraint]] = {}
    for turn, call in enumerate(position.calls):
        step = (position.dealer + turn - seat) & 3
        model = player.other(step) if step else player
        if step and not model.silent:
            found = positive(model.reading, model.context(position.before(turn)), call)
            said.setdefault(Seat((position.dealer + turn) & 3), []).append(found)
    try:
        return Dealer(
            {place: all_of(parts) for place, parts in said.items()},
            known=PartialDeal.of({Seat(seat): Hand(hand)}),
        )
    except DealingError:
        return None
