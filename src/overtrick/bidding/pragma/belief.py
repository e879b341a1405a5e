"""Nested belief (PRAGMA, section 3.1): does partner think their hand better than they have shown?
For invitations, and to weigh game now against an invitation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.nets.contract import ContractModel, score_table
from overtrick.worlds import Constraint
from overtrick.worlds.annealing import Cooling, anneal

Hands = NDArray[np.uint64]
Floats = NDArray[np.float64]
# From a deal that already fits, harmless swaps alone make the others forget it.
NESTED: Final = Cooling(heat=2.0, cooling=0.9, most=60, harmless=60)


@dataclass(frozen=True, slots=True)
class Mind:
    """What it takes to imagine: contract nets, chance, and deals at the second and third level."""

    model: ContractModel
    rng: Generator
    inner: int = 8
    deeper: int = 4


def reimagined(
    hands: Hands, seat: int, constraints: Sequence[Constraint], copies: int, rng: Generator
) -> tuple[Hands, NDArray[np.intp]]:
    """R-deals as `seat` of each deal must imagine them: it keeps its own hand, the other three
    are anything the auction allows. Also the number of the deal each one belongs to."""
    group = np.repeat(np.arange(len(hands)), copies)
    others = [s for s in range(4) if s != seat]
    found, _ = anneal(hands[group], constraints, others, rng, schedule=NESTED)
    # Chains that never fitted are missing from `found`: find each deal's group by its own hand.
    owner = {int(h): i for i, h in enumerate(hands[:, seat])}
    return found, np.array([owner[int(h)] for h in found[:, seat]], np.intp)


def expected_tricks(model: ContractModel, hands: Hands, strain: int, declarer: int) -> Floats:
    """Mean number of tricks of one contract in each deal."""
    found: Floats = model.table(hands)[:, strain, declarer] @ np.arange(14.0)
    return found


def better_than_shown(
    hands: Hands,
    constraints: Sequence[Constraint],
    partner: int,
    contract: tuple[int, int],
    mind: Mind,
) -> Floats:
    """For each R-deal, by how many tricks partner will think their hand better than shown.

    N1 is partner's hand in the deal. They imagine ours (S2), and for each of those what we must
    think they have (N3); their hand is better if N1 with S2 takes more tricks than N3 with S2
    does on average. `contract` is strain and declarer; `constraints` say what all four have shown.
    """
    strain, declarer = contract
    second, of_deal = reimagined(hands, partner, constraints, mind.inner, mind.rng)
    us = (partner + 2) % 4
    third, of_second = reimagined(second, us, constraints, mind.deeper, mind.rng)
    theirs = expected_tricks(mind.model, second, strain, declarer)
    usual = expected_tricks(mind.model, third, strain, declarer)
    count = len(hands)
    mine = _means(theirs, of_deal, count)
    average = _means(usual, of_deal[of_second], count)
    return mine - average


def _means(values: Floats, group: NDArray[np.intp], count: int) -> Floats:
    sizes = np.bincount(group, minlength=count)
    sums = np.bincount(group, values, count)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), 0.0)


@dataclass(frozen=True, slots=True)
class Weighed:
    """Game now against an invitation, in points, as Figure 2 asks."""

    game: float
    invitation: float
    accepted: float  # how often partner would go on
    makes: float  # how often game makes
    error: float = 0.0  # the standard error of game less invitation

    @property
    def bid_game(self) -> bool:
        return self.game >= self.invitation


def game_or_invite(
    hands: Hands,
    constraints: Sequence[Constraint],
    partner: int,
    bids: tuple[int, int, int],
    mind: Mind,
    *,
    vulnerable: bool = False,
) -> Weighed:
    """Weigh game at once against an invitation that partner accepts with more than they showed.

    `bids` are the invitation and the game (0 = 1♣), and declarer.
    """
    invite, game, declarer = bids
    strain = game % 5
    better = better_than_shown(hands, constraints, partner, (strain, declarer), mind)
    chances = mind.model.table(hands)[:, strain, declarer]
    scores = score_table()[:, 0, int(vulnerable)]
    at_game, below = chances @ scores[game], chances @ scores[invite]
    accept = better > 0
    made = chances[:, 6 + game // 5 + 1 :].sum(axis=1)
    invited = np.where(accept, at_game, below)
    return Weighed(
        float(at_game.mean()),
        float(invited.mean()),
        float(accept.mean()),
        float(made.mean()),
        float((at_game - invited).std(ddof=1) / np.sqrt(len(hands))) if len(hands) > 1 else 0.0,
    )
