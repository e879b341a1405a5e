"""Layouts of the hidden cards with their weights: many are dealt, cheap witnesses choose among
them, and the dear ones are asked about the few that have hope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from overtrick.cardplay.constants import (
    FUNNEL_AHEAD,
    FUNNEL_DEALS,
    FUNNEL_DEALT,
    FUNNEL_FITTING,
    FUNNEL_GLANCE,
    FUNNEL_ROUNDS,
    FUNNEL_SETTLED,
    FUNNEL_WIDTHS,
)
from overtrick.cardplay.sampling import all_layouts, deal_layouts
from overtrick.cardplay.situation import Situation
from overtrick.engines.clock import Clock, worked
from overtrick.worlds.weighted import Deals, Worlds
from overtrick.worlds.witness import Witness


@dataclass(frozen=True, slots=True)
class Funnel:
    """Witnesses about the hidden cards of a situation, in the order of what they speak of."""

    at: Situation
    witnesses: tuple[Witness, ...]

    def every(self, layouts: Deals) -> Worlds:
        """Layouts that are all there are, asked about by everybody; whole deals."""
        return self._asked(self.witnesses, self._whole(layouts))

    def drawn(self, n: int, rng: Generator, clock: Clock | None = None) -> Worlds:
        """Whole deals, more of them until they are worth n independent ones or the rounds are over.
        All layouts where they are few."""
        every = all_layouts(self.at, FUNNEL_WIDTHS[1][1] * n)
        if every is not None:
            return self.every(every[rng.permutation(len(every))])
        began = worked()
        found = self._round(n, rng)
        took = worked() - began
        for _ in range(FUNNEL_ROUNDS - 1):
            if found.effective >= n or (clock is not None and clock.late(FUNNEL_AHEAD * took)):
                break
            found = Worlds.joined([found, self._round(n, rng)])
        return found

    def _round(self, n: int, rng: Generator) -> Worlds:
        """Layouts for n worlds. Rounds differ in how well they fit, and that has to show when they
        are joined: the mean weight of all that were dealt stays with them."""
        by_cost = sorted(self.witnesses, key=lambda witness: witness.cost)
        quick = [witness for witness in by_cost if witness.cost <= FUNNEL_GLANCE]
        worlds = self._asked(quick, self._dealt(n, rng))
        for _ in range(FUNNEL_DEALS - 1):
            if worlds.effective >= FUNNEL_FITTING * n:
                break
            worlds = Worlds.joined([worlds, self._asked(quick, self._dealt(n, rng))])
        dealt = len(worlds)
        for witness in by_cost[len(quick) :]:
            width = next(width for cost, width in FUNNEL_WIDTHS if witness.cost <= cost)
            settled = witness.cost >= FUNNEL_SETTLED
            worlds = worlds.thinned(width * n, rng, dealt if settled else 1)
            dealt = 1 if settled else dealt
            worlds = self._asked((witness,), worlds)
        return worlds

    def _dealt(self, n: int, rng: Generator) -> Worlds:
        return self._whole(deal_layouts(self.at, FUNNEL_DEALT * n, rng))

    def _whole(self, layouts: Deals) -> Worlds:
        return Worlds.even(layouts | np.array(self.at.shown, np.uint64))

    def _asked(self, witnesses: Sequence[Witness], worlds: Worlds) -> Worlds:
        for witness in witnesses:
            worlds = worlds.weighed(witness.log_likelihood(self.at.view, worlds))
        return worlds
