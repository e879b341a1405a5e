"""The worlds of a decision: deals that the models of all players find consistent with the auction.
Used by the PIDM engine, by the players it simulates, and by learning."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from overtrick.bidding.models import PlayerModel, Position
from overtrick.game import Hand, PartialDeal, Seat, View
from overtrick.systems.meanings import positive
from overtrick.worlds.consistent import Budget, CallTest, Proposal, Sample, rbmbmc
from overtrick.worlds.constraints import Constraint, all_of
from overtrick.worlds.dealer import Dealer
from overtrick.worlds.problem import DealingError


def call_tests(player: PlayerModel, position: Position, seat: int) -> list[CallTest]:
    """The calls of the other three seats, as tests by this player's models of them."""
    tests = []
    for turn in range(len(position.calls)):
        step = (position.dealer + turn - seat) & 3
        if step:
            tests.append(player.other(step).test(position, turn))
    return tests


def consistent_worlds(
    view: View,
    player: PlayerModel,
    budget: Budget,
    k: int,
    *,
    proposal: Proposal = "auto",
    rng: Generator | None = None,
) -> Sample:
    """The k most consistent worlds found for a view within the budget; the same view gives the
    same worlds unless time cuts the search short."""
    return sample_worlds(
        player, Position.of(view), view.hand.bits, budget, k,
        proposal=proposal, rng=rng or np.random.default_rng(view.seed),
    )  # fmt: skip


def sample_worlds(
    player: PlayerModel,
    position: Position,
    hand: int,
    budget: Budget,
    k: int,
    *,
    proposal: Proposal = "auto",
    rng: Generator,
) -> Sample:
    """RBMBMC(PartialState, History, Agent, ResourceLimit, SampleSize) for the player on turn."""
    seat = position.turn
    tests = call_tests(player, position, seat)
    return rbmbmc(
        seat, hand, tests, budget, k, rng=rng, proposal=proposal,
        dealer=lambda: constraint_dealer(player, position, hand),
    )  # fmt: skip


def constraint_dealer(player: PlayerModel, position: Position, hand: int) -> Dealer | None:
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
