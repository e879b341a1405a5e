"""A player who looks at worlds, for somebody who waits: as many worlds as the time allows."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Final, Protocol, Self

from overtrick.game import Decision, View

_FIRST: Final = 3  # worlds of the first, quick look
_SHARE: Final = 0.8  # of the time left that a second look may be planned for
_LEAST: Final = 2  # a second look is worth it with so many times the worlds
_LEAST_SECONDS: Final = 0.3


class Sampling(Protocol):
    """A player whose work is a number of worlds."""

    @property
    def worlds(self) -> int: ...

    def thinned(self, worlds: int) -> Self:
        """The same player with so many worlds, for opening leads too."""

    def play(self, view: View) -> Decision: ...


@dataclass(frozen=True, slots=True)
class Paced:
    """The player's card within about so many seconds.

    Early in the play a search is slow: a few worlds are looked at first, and then as many as the
    time that is left allows, all of them when it allows that.
    """

    player: Sampling
    seconds: float

    @property
    def name(self) -> str:
        return f"{self.player} within {self.seconds:g} seconds"

    def play(self, view: View) -> Decision:
        wanted = self.player.worlds
        if wanted <= _LEAST * _FIRST or not _is_early(view):
            return self.player.play(view)
        started = perf_counter()
        quick = self.player.thinned(_FIRST).play(view)
        spent = perf_counter() - started
        if not quick.candidates:  # nothing to think about
            return quick
        many = int(_SHARE * (self.seconds - spent) / spent * _FIRST)
        if many < _LEAST * _FIRST:
            return quick
        return self.player.thinned(min(many, wanted)).play(view)


def shortened(own: float, seconds: float) -> float:
    """The seconds on a player's own clock where somebody waits only so long."""
    return min(own, max(_LEAST_SECONDS, seconds))


def _is_early(view: View) -> bool:
    """Opening leads and the first trick."""
    return view.play is not None and len(view.play) < 4
