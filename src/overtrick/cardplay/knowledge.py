"""From what a seat sees to weighted worlds: cards and voids always, then what was bid and what was
played, by the witnesses in `evidence`. Each kind of evidence can be switched off to measure it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.carding import STANDARD, Carding
from overtrick.cardplay.evidence.bidders import (
    AuctionWitness,
    BidderWitness,
    Mixtures,
    ReaderWitness,
    mixtures_of,
)
from overtrick.cardplay.evidence.cards import CardsWitness
from overtrick.cardplay.evidence.funnel import Funnel
from overtrick.cardplay.evidence.rules import RulesWitness
from overtrick.cardplay.sampling import all_layouts, deal_layouts
from overtrick.cardplay.situation import Situation
from overtrick.engines.clock import Clock
from overtrick.game import OptionError, View
from overtrick.worlds.weighted import Floats, Worlds, fewer
from overtrick.worlds.witness import Witness, added_witnesses


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is believed, from 0 (ignored) to 1 (taken at its word)."""

    auction: float = 1.0
    belief: float = 1.0  # a network's, within the auction, where systems cannot be asked
    networks: bool = True  # are those who may have bid like that asked through networks?
    lead: float = 0.0
    carding: float = 0.0
    line: float = 0.0  # declarer's cards, as a defender reads them
    ours: Carding = STANDARD  # how a defender reads partner's cards
    theirs: Carding = STANDARD  # how declarer reads the defenders'

    @property
    def any(self) -> bool:
        return bool(self.auction or self.lead or self.carding or self.line)

    def mixtures(self, view: View) -> Mixtures:
        """Those who may have made the calls of the hidden seats, where they can be asked."""
        return mixtures_of(view, self.belief) if self.auction and self.networks else {}

    def witnesses(self, view: View) -> tuple[Witness, ...]:
        """Who is asked, in the order of what they speak of."""
        asked: list[Witness] = []
        if self.auction:
            found = self.mixtures(view)
            shares = {seat: mixture.quick_share for seat, mixture in found.items()}
            asked.append(RulesWitness(self.auction, self.belief, shares))
            if found:
                asked += [ReaderWitness(found, self.auction), BidderWitness(found, self.auction)]
        asked.append(CardsWitness(self.lead, self.carding, self.line, self.ours, self.theirs))
        return (*asked, *added_witnesses()) if self.any else tuple(asked)

    def hand_by_hand(self, mixtures: Mixtures) -> tuple[Witness, ...]:
        """Who is asked before the opening lead, when hands are dealt one seat at a time."""
        if not self.auction:
            return ()
        return (AuctionWitness(mixtures, self.auction, self.belief), *added_witnesses())


CARDS: Final = Evidence(auction=0.0)
KINDS: Final = {
    "cards": CARDS,
    "auction": Evidence(),
    "lead": Evidence(lead=1.0),
    "carding": Evidence(carding=1.0),
    "line": Evidence(line=1.0),
    # Not quite at its word: worth the same against players like ours, and safer against others.
    "all": Evidence(auction=0.85, lead=0.85, carding=0.85, line=0.85),
}


def evidence(name: str) -> Evidence:
    """By name: cards, auction, lead, carding, line (each with the auction), or all."""
    if name not in KINDS:
        raise OptionError(f"no knowledge called {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]


def funnel(at: Situation, kind: Evidence) -> Funnel:
    """Whoever is asked about the hidden cards of a situation."""
    return Funnel(at, kind.witnesses(at.view))


def sample_worlds(
    at: Situation, n: int, rng: Generator, kind: Evidence, clock: Clock | None = None
) -> Worlds:
    """About n worlds, the cards that are left: all layouts when there are no more, else drawn and
    resampled by weight.

    With evidence, layouts that differ in touching cards only count as one (the solver and every
    player see no difference), and so n worlds stand for many more; fewer than n may come back.
    """
    everything = all_layouts(at, n)
    if everything is not None:
        everything = rng.permutation(everything)
        shares = funnel(at, kind).every(everything).shares
        return Worlds.weighing(everything, shares, complete=True)
    if not kind.any:
        even = np.full(n, 1 / n)
        return Worlds.weighing(deal_layouts(at, n, rng), even, drawn=float(n))
    drawn = cards_left(at, funnel(at, kind).drawn(n, rng, clock))
    rows, shares = np.arange(len(drawn)), drawn.shares
    if len(at.hidden) == 2:
        rows, shares = _merged(_kinds_of_layout(at, drawn.deals[:, at.hidden[0]]), shares)
    picked, shares = fewer(shares, n, rng)
    order = rng.permutation(len(picked))  # so that the first of them stand for all
    layouts = drawn.deals[rows[picked[order]]]
    return Worlds.weighing(layouts, shares[order], drawn=drawn.effective)


def listed_worlds(at: Situation, most: int, kind: Evidence) -> Worlds | None:
    """Every layout with its weight, those that differ in touching cards only as one; None when
    there are more than `most`. For judges: players think about fewer."""
    everything = all_layouts(at, most)
    if everything is None:
        return None
    shares = funnel(at, kind).every(everything).shares
    first, shares = _merged(_kinds_of_layout(at, everything[:, at.hidden[0]]), shares)
    return Worlds.weighing(everything[first], shares, complete=True)


def cards_left(at: Situation, worlds: Worlds) -> Worlds:
    """The worlds without the cards that have been played."""
    return replace(worlds, deals=worlds.deals & ~np.array(at.shown, np.uint64))


def _kinds_of_layout(at: Situation, hand: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A number for each layout; equal numbers differ in touching cards only.

    Touching: hidden cards of a suit with no card in sight, alive or in this trick, between them.
    """
    seen = at.alive() & ~at.pool
    key = np.zeros(len(hand), np.int64)
    run = size = 0
    for card in range(53):
        ends = card % 13 == 0 or seen >> card & 1
        if ends and run:
            key = key * (size + 1) + np.bitwise_count(hand & np.uint64(run))
            run = size = 0
        if card < 52 and at.pool >> card & 1:
            run |= 1 << card
            size += 1
    return key


def _merged(keys: NDArray[np.int64], weights: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The first layout of each kind, and the weight of all of its kind."""
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    return first, np.bincount(kind, weights=weights).astype(float)
