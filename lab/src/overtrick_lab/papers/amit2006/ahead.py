"""Simulated auctions of many hands at once, with a choice at the tagged player's own next turns:
LookAheadSearch (Amit & Markovitch, Figure 3) for all states of an auction together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    LaterTurns,
    Leaves,
    SeatHands,
    Walk,
    contracts_of,
)
from overtrick.bidding.kernel.callers import Floats, Node, Split
from overtrick.bidding.kernel.walk import Own
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.worlds.sets import as_set
from overtrick_lab.papers.amit2006.problems import Hands
from overtrick_lab.papers.amit2006.states import first_choices

Ends = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class FirstChoices:
    """A player who follows its first choices; learned nets are asked about the hands here only."""

    model: PlayerModel

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        return self.model.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        pool = held.pool(nodes[0][0].turn)
        return [first_choices(self.model, at, pool, here) for at, here in nodes]


class Ahead:
    """Worlds [n, seat] of several hands of one player: `owner[n]` says whose world each is.

    The others follow their first choices. The player itself, at its next `turns` turns at which
    its net before learning leaves a choice, compares its calls again: over those of its worlds that
    have come to the same auction (`set`), or world by world (`world`, as printed in the paper).
    """

    def __init__(
        self,
        players: Sequence[PlayerModel],
        seat: int,
        worlds: Hands,
        owner: NDArray[np.intp],
        leaves: Leaves,
        own: Own = "set",
    ) -> None:
        self.seat, self.owner, self.leaves, self.own = seat, owner, leaves, own
        self.held = SeatHands(worlds)
        self.callers: list[Caller] = [FirstChoices(player) for player in players]
        # What was learned about the next turn came from earlier tags; this one looks for itself.
        self.me = replace(players[seat], refinement=None)

    def after(self, position: AuctionPosition, among: NDArray[np.bool_], turns: int) -> Ends:
        """The contract [n, 3] that each of these worlds reaches from a position on."""
        walk = Walk(self.held, self.callers)
        if turns:
            walk.callers[self.seat] = LaterTurns(
                walk, self.seat, self.callers[self.seat], self._options, self.leaves,
                own=self.own, turns=turns, owner=self.owner,
            )  # fmt: skip
        ends = walk.endings([(position, as_set(among))])
        return contracts_of([ends], self.held).array[:, 0]

    def _options(self, at: AuctionPosition, hands: Hands) -> list[list[int]]:
        chosen = self.me.selection(at, hands)
        return [chosen.calls(row) for row in range(len(hands))]
