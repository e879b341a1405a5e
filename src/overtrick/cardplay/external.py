"""A card player that is another program, asked over JSON lines.
Used as `external(command="…")`; the lines are described in docs/howto/external.md."""

from __future__ import annotations

from overtrick.engines.process import Program
from overtrick.game import Decision, View


class ExternalPlayer(Program):
    """Plays as the program behind `command` does; it has `seconds` for each card."""

    __slots__ = ()

    def play(self, view: View) -> Decision:
        return self._outside.ask(view)
