"""The PIDM bidder: candidates, consistent worlds, simulated auctions, the best mean.
Used at tables as `pidm(system=two-over-one, seconds=0.5, worlds=60, nets=refined.bid)`."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.game import Decision, View


@dataclass(frozen=True, slots=True)
class Pidm:
    """PIDM(PartialState, Agent, ResourceLimit) as a bidder."""

    system: str = "two-over-one"
    seconds: float = 0.5
    worlds: int = 60
    nets: str = ""

    def decide(self, view: View, seconds: float | None = None) -> Decision:
        """The decision within this many seconds (default: the engine's own)."""
        raise NotImplementedError  # the next commit
