"""What a PIDM decision may cost and how it thinks; what it did cost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from overtrick.game import OptionError
from overtrick.worlds.consistent import Proposal

Own = Literal["auto", "model", "set", "world"]
OWN: Final = ("auto", "model", "set", "world")


@dataclass(frozen=True, slots=True)
class PidmSettings:
    """The paper's parameters, and ours.

    `own` says what I am thought to do at my own later turns: follow my first choice (`model`),
    take the call that is best on average over the worlds I could not tell apart then (`set`), or
    the best one world by world (`world`, Figure 3 as printed, which sees through the cards).
    `auto` is `set` while our side bids alone, else `model`.
    """

    seconds: float = 0.5  # ResourceLimit
    worlds: int = 60  # SampleSize
    g: float = 0.3  # the share of the time for sampling
    r: float = 0.2  # the share of what is left for one simulated decision
    epsilon: float = 0.002  # seconds below which a simulated player takes its first choice
    instances: int | None = 40_000  # a bound on sampled instances, besides the time
    depth: int = 0  # levels of simulated players who search themselves; the rest take first choices
    simulated_worlds: int = 3  # SampleSize of simulated players; 0: the same
    own: Own = "model"
    own_turns: int = 1  # own later turns at which there is a choice; then `model`
    own_widen: int = 0  # what is considered there beside φ(s), as for the candidates …
    own_most: int = 6  # … and at most so many calls
    crossed: bool = False  # there one half of the worlds chooses for the other
    quiet: bool = False  # opponents who have not bid so far are imagined to go on passing
    natural: bool = False  # bids that no model explains are read as anybody would
    trust: bool = False  # partner who placed the contract thought of slam themselves
    proposal: Proposal = "auto"
    doubt: float = 0.1  # weight of a world for every call it does not explain (the paper: 1)
    batch: int = 40  # worlds rolled out together, after a first few

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.worlds < 1 or self.batch < 1:
            raise OptionError("pidm needs seconds > 0, worlds ≥ 1 and batch ≥ 1")
        if not 0 < self.g < 1 or not 0 < self.r < 1:
            raise OptionError("the shares g and r lie between 0 and 1")
        if self.own not in OWN or self.depth < 0:
            raise OptionError(f"own is one of {', '.join(OWN)}; depth is 0 or more")

    def simulated(self, seconds: float) -> PidmSettings:
        """For a player that is simulated within this many seconds."""
        return replace(
            self, seconds=max(seconds, 1e-6), worlds=self.simulated_worlds or self.worlds,
            depth=self.depth - 1,
            proposal="staged" if self.proposal == "auto" else self.proposal,
        )  # fmt: skip


@dataclass(slots=True)
class Counts:
    """The dependent variables of section 5.1.1, summed over a decision and what it simulated."""

    decisions: int = 0  # PIDM called
    lookaheads: int = 0  # … with two calls or more to choose from
    instances: int = 0  # deals generated and checked
    failures: int = 0  # samples that were not wholly consistent
    simulations: int = 0  # searching players simulated
    refined: int = 0  # decisions a learned net took part in
    nodes: int = 0  # auctions looked at
    stages: list[int] = field(default_factory=list)  # calls before each lookahead

    def to_dict(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}
