"""The worlds of a decision: deals that the models of all players find consistent with the auction.
Used by the PIDM engine, by the players it simulates, and by learning."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from overtrick.bidding.models import PlayerModel, Position
from overtrick.game import PartialDeal, Seat, View
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
    proposal: Proposal = "staged",
    rng: Generator | None = None,
) -> Sample:
    """RBMBMC(PartialState, History, Agent, ResourceLimit, SampleSize): the k most consistent
    worlds found; the same view gives the same worlds unless time cuts the search short."""
    position = Position.of(view)
    tests = call_tests(player, position, int(view.seat))
    dealer = constraint_dealer(view, player) if proposal == "exact" else None
    return rbmbmc(
        int(view.seat), view.hand.bits, tests, budget, k,
        rng=rng or np.random.default_rng(view.seed), proposal=proposal, dealer=dealer,
    )  # fmt: skip


def constraint_dealer(view: View, player: PlayerModel) -> Dealer | None:
    """A dealer of what the calls say for sure (without what they deny); None if impossible."""
    position = Position.of(view)
    said: dict[Seat, list[Constraint]] = {}
    for turn, call in enumerate(position.calls):
        step = (position.dealer + turn - view.seat) & 3
        if step:
            model = player.other(step)
            ctx = model.context(position.before(turn))
            found = positive(model.reading, ctx, call)
            said.setdefault(Seat((position.dealer + turn) & 3), []).append(found)
    try:
        return Dealer(
            {seat: all_of(parts) for seat, parts in said.items()},
            known=PartialDeal.of({view.seat: view.hand}),
            budget=200_000,
        )
    except DealingError:
        return None
