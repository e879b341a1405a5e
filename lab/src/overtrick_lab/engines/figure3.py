"""Figure 3 of Amit & Markovitch 2006 as it is printed, as the bidder `figure3`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.pidm import Pidm
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import Decision, View
from overtrick.game.reasons import BestMean, Reason, Remark
from overtrick_lab.papers.amit2006.printed import PrintedSettings, decide


@dataclass(frozen=True, slots=True)
class Figure3(PrintedSettings):
    """PIDM as printed: one sample size for everybody, players who simulate players until their
    share of the resources is used up, no candidates but the selection's, no margins.

    `resource` is the ResourceLimit of a call, in deals that sampling looks at. `near` and `slack`
    say what the selection holds, as for `pidm`; here every call with a rule for the hand, or one
    that it misses by three points.
    """

    system: str = "two-over-one"
    theirs: str = ""
    nets: str = ""
    near: int = 5000
    slack: int = 3
    utility: str = "tricks"
    cost: ClassVar = Cost.SLOW
    pidm: Pidm = field(init=False, repr=False)

    def __post_init__(self) -> None:
        PrintedSettings.__post_init__(self)
        made = Pidm(
            system=self.system, theirs=self.theirs, nets=self.nets, near=self.near,
            slack=self.slack, utility=self.utility,
        )  # fmt: skip
        object.__setattr__(self, "pidm", made)
        object.__setattr__(self, "system", made.system)

    @property
    def name(self) -> str:
        return spelled("figure3", self)

    def bid(self, view: View) -> Decision:
        started, player = now(), self.pidm.player(view)
        position, rng = AuctionPosition.of(view), np.random.default_rng(view.seed)
        found = decide(player, position, view.hand.bits, self, rng=rng)
        alone = len(found.calls) < 2
        reason: Reason = Remark.NO_CHOICE if alone else BestMean(found.race.used)
        return self.pidm.decision(
            view, player, found.call, found, (reason,), started, engine=self.name
        )
