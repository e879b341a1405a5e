"""A player put together: one for the opening lead, one for declarer and dummy, one for defence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from overtrick.cardplay.base import Player, player
from overtrick.engines import Spec
from overtrick.game import Decision, View

Part = Literal["lead", "declarer", "defence"]


@dataclass(frozen=True)
class Parts:
    """Each part of the play by a player of its own, to see what one of them is worth.

    >>> Parts(lead="random", declarer="highest", defence="highest").name
    'parts(lead=random, declarer=highest, defence=highest)'
    """

    lead: str = "alphamu"
    declarer: str = "alphamu"
    defence: str = "alphamu"
    _made: dict[str, Player] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for spec in (self.lead, self.declarer, self.defence):
            self._made.setdefault(spec, player(spec))

    @property
    def name(self) -> str:
        named = {"lead": self.lead, "declarer": self.declarer, "defence": self.defence}
        return str(Spec("parts", named))

    def spec_for(self, view: View) -> str:
        """Whose turn this is."""
        return str(getattr(self, part_of(view)))

    def play(self, view: View) -> Decision:
        return replace(self._made[self.spec_for(view)].play(view), engine=self.name)


def part_of(view: View) -> Part:
    """Which part of the play the next card belongs to."""
    play = view.play
    if play is None or not play.cards:
        return "lead"
    return "declarer" if play.turn.side == play.declarer.side else "defence"
