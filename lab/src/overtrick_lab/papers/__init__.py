"""What exists only to repeat a paper: one package per paper, named by its authors and year.

A package holds the paper's experiments, its printed numbers and the report that sets ours beside
them. The engines that came out of a paper live where engines live and know nothing of this room:
only the command line imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper, as its readers know it."""

    title: str
    authors: str
    year: int
    where: str
    short: str
    """What the command line says of it."""

    @property
    def citation(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.where}."

    def __str__(self) -> str:
        return f"{self.authors} {self.year}: {self.title}"


PAPERS: Final = {
    "amit2006": Paper(
        "Learning to bid in bridge",
        "Amit & Markovitch",
        2006,
        "Machine Learning 63, 287–327",
        "the PIDM algorithm and the co-training of partners (BIDI)",
    ),
    "frank1998": Paper(
        "Search in games with incomplete information: a case study using bridge card play",
        "Frank & Basin",
        1998,
        "Artificial Intelligence 100, 87–123",
        "best defence, strategy fusion and non-locality",
    ),
    "gamback1993": Paper(
        "Pragmatic reasoning in bridge",
        "Gambäck, Rayner & Pell",
        1993,
        "University of Cambridge Computer Laboratory, Technical Report 299",
        "imagined deals, contract nets and knowledge sources (PRAGMA)",
    ),
    "ho2015": Paper(
        "Contract bridge bidding by learning",
        "Ho & Lin",
        2015,
        "AAAI-15 Workshop on Computer Poker and Imperfect Information",
        "a tree of contextual bandits that invents a bidding system",
    ),
    "qiu2024": Paper(
        "Bridge bidding via deep reinforcement learning and belief Monte Carlo search",
        "Qiu, Wang, You & Zhou",
        2024,
        "IEEE/CAA Journal of Automatica Sinica 11(10), 2111–2122",
        "self-play, a belief network and search",
    ),
}
