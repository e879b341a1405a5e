"""A card player that is another program, asked over JSON lines.
Used as `external(command="…")`; the lines are described in docs/howto/external.md."""

from __future__ import annotations

from overtrick.cardplay.base import PLAYERS, Player
from overtrick.engines.process import Program
from overtrick.game import Decision, View


class ExternalPlayer(Program):
    """Plays as the program behind `command` does; it has `seconds` for each card."""

    __slots__ = ()

    def play(self, view: View) -> Decision:
        return self._outside.ask(view)


def inside(engine: str) -> Player:
    """An engine of others that plays within this program, as `inside(engine='./my_engine.py')`:
    faster, and trusted, since it could look at everything that this program knows."""
    return PLAYERS.make_here(engine)
