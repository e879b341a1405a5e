"""A bidder that is another program, asked over JSON lines.
Used as `external(command="…")`; the lines are described in docs/howto/external.md."""

from __future__ import annotations

from overtrick.bidding.base import BIDDERS, Bidder
from overtrick.engines.process import Program
from overtrick.game import Decision, View


class External(Program):
    """Bids as the program behind `command` does; it has `seconds` for each call."""

    __slots__ = ()

    @property
    def system(self) -> str:
        return str(self._outside.hello().get("system", ""))

    def bid(self, view: View) -> Decision:
        return self._outside.ask(view)


def inside(engine: str) -> Bidder:
    """An engine of others that bids within this program, as `inside(engine='./my_engine.py')`:
    faster, and trusted, since it could look at everything that this program knows."""
    return BIDDERS.make_here(engine)
