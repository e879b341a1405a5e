"""A bidder that is another program, asked over JSON lines.
Used as `external(command="…")`; the lines are described in docs/howto/external.md."""

from __future__ import annotations

from dataclasses import dataclass, field

from overtrick.engines.process import Outside
from overtrick.game import Decision, View


@dataclass(frozen=True, slots=True)
class External:
    """Bids as the program behind `command` does; it has `seconds` for each call."""

    command: str
    seconds: float = 30.0
    _outside: Outside = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_outside", Outside(self.command, self.seconds))

    @property
    def name(self) -> str:
        return f"external(command={self.command!r}, seconds={self.seconds:g})"

    @property
    def system(self) -> str:
        return str(self._outside.hello().get("system", ""))

    def bid(self, view: View) -> Decision:
        return self._outside.ask(view)
