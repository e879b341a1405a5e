"""Who may have made a seat's calls, and how likely they make them with a hand.

A learned style is one bidder: its network. Who declared a written system bids by its rules, or
judges inside it, or plays it as people elsewhere do; who declared nothing may bid like any of our
players, beside what was explained and what the belief network says. Nobody tells which of them it
is; after a call that one of them explains well it is hardly another.

Small networks, the readers, answer for thousands of hands; a bidder's own network, five times as
slow, is asked last about few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.constants import (
    BIDDERS_ANY,
    BIDDERS_HOPELESS,
    STRANGERS_BELIEF,
    STRANGERS_MIXTURE,
    STRANGERS_RANGES,
)
from overtrick.cardplay.evidence.beliefs import belief_likelihood
from overtrick.cardplay.evidence.ranges import auction_likelihood, made_up
from overtrick.cardplay.evidence.rules import (
    agreed_likelihood,
    book_of,
    declared_by,
    rules_likelihood,
    spoken,
)
from overtrick.game import Seat, View
from overtrick.nets.features import system_number
from overtrick.nets.inference import Network, installed, models, network
from overtrick.nets.styles import IMITATION, JUDGES, LEARNED, PLAYED_BY, READER, chances_of
from overtrick.worlds.weighted import Floats, Worlds
from overtrick.worlds.witness import hidden_hands

# Of strangers; of WBridge5, our players and the imitation the true hands are likeliest like this:


@dataclass(frozen=True, slots=True)
class Mixture:
    """Who may have made a seat's calls: readers, the rules, and a bidder who is asked last."""

    view: View
    worded: View  # the same with systems in whose words networks can be asked
    seat: Seat
    readers: tuple[Network, ...]
    bidder: Network
    learned: bool = False  # one learned style: its bidder speaks in place of its reader
    stranger: bool = False  # nothing declared: other evidence counts beside the mixture
    belief: float = 1.0

    @property
    def written(self) -> bool:
        """Did they declare a written system?"""
        return not self.learned and not self.stranger

    @property
    def quick_share(self) -> float:
        """How much of the quick word counts before readers are asked: half of it where they may
        find hands which it would not bid like that."""
        return 1.0 if self.learned else 0.5

    def by_readers(self, hands: NDArray[np.uint64]) -> Floats:
        """log P(calls | hand), as long as the bidder has not been asked."""
        found = self._trust * self._mean(hands)
        if self.stranger:
            found += STRANGERS_RANGES * auction_likelihood(self.view, self.seat, hands)
            if self.belief:
                found += (
                    self.belief * STRANGERS_BELIEF * belief_likelihood(self.view, self.seat, hands)
                )
        return found

    def by_bidder(self, hands: NDArray[np.uint64], prior: Floats) -> Floats:
        """What the bidder changes about that; asked about layouts that have hope by `prior`, log
        weights with what readers say."""
        alive = prior >= prior.max() - BIDDERS_HOPELESS
        mean = self._mean(hands[alive])
        own = _calls(self.bidder, self.worded, self.seat, hands[alive])
        if not self.learned:
            others = len(self.readers) + 1
            own = np.logaddexp(mean + np.log(others), own) - np.log(others + 1)
        change = np.zeros(len(hands))
        change[alive] = self._trust * (own - mean)
        return change

    def likelihood(self, hands: NDArray[np.uint64]) -> Floats:
        """Both, one after the other."""
        read = self.by_readers(hands)
        return read + self.by_bidder(hands, read)

    @property
    def _trust(self) -> float:
        return STRANGERS_MIXTURE if self.stranger else 1.0

    def _mean(self, hands: NDArray[np.uint64]) -> Floats:
        """The mean over readers and, but for a learned style, rules."""
        each = [_calls(net, self.worded, self.seat, hands) for net in self.readers]
        if not self.learned:
            each.append(rules_likelihood(self.view, self.seat, hands))
        return mean_of(each)


def mixture_of(view: View, seat: Seat, belief: float = 1.0) -> Mixture | None:
    """Who may have made the calls of a seat; None where a written system is all there is to ask,
    where the auction was made up, and where no network can be run."""
    if not installed() or made_up(view):
        return None
    if declared_by(view, seat) == LEARNED:
        reader, bidder = _net(READER), _net(PLAYED_BY)
        return Mixture(view, view, seat, (reader,), bidder, learned=True, belief=belief)
    judges = _net(JUDGES)
    others = _net(IMITATION) if IMITATION in models() else judges  # who wants none may leave it out
    if book := book_of(view, seat):
        number = system_number(book)
        if number is None or number >= judges.version.systems:
            return None
        return Mixture(view, view, seat, (judges,), others, belief=belief)
    worded, readers = replace(view, systems=spoken(view)), (judges, _net(READER))
    return Mixture(view, worded, seat, readers, others, stranger=True, belief=belief)


Mixtures = dict[Seat, Mixture]


def mixtures_of(view: View, belief: float = 1.0) -> Mixtures:
    """Those of the hidden seats that can be asked."""
    seats = [seat for seat in Seat if seat not in view.known]
    found = {seat: mixture_of(view, seat, belief) for seat in seats}
    return {seat: mixture for seat, mixture in found.items() if mixture is not None}


@dataclass(frozen=True, slots=True)
class ReaderWitness:
    """What readers say of the auction, in place of the quick word about their seats."""

    mixtures: Mixtures
    trust: float = 1.0

    @property
    def cost(self) -> float:
        """A learned style has one reader and no rules to be asked beside it."""
        return 2.0 if any(mixture.learned for mixture in self.mixtures.values()) else 3.0

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        out = np.zeros(len(worlds))
        for seat, hands in hidden_hands(view, worlds):
            if mixture := self.mixtures.get(seat):
                quick = agreed_likelihood(view, seat, hands, mixture.belief)
                out += self.trust * (mixture.by_readers(hands) - mixture.quick_share * quick)
        return out


@dataclass(frozen=True, slots=True)
class BidderWitness:
    """What bidders themselves say, in place of what their readers do."""

    mixtures: Mixtures
    trust: float = 1.0
    cost: ClassVar = 10.0

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        out = np.zeros(len(worlds))
        for seat, hands in hidden_hands(view, worlds):
            if mixture := self.mixtures.get(seat):
                out += self.trust * mixture.by_bidder(hands, worlds.logs + out)
        return out


@dataclass(frozen=True, slots=True)
class AuctionWitness:
    """All that is said of the auction at once, for hands that are dealt one seat at a time."""

    mixtures: Mixtures
    trust: float = 1.0
    belief: float = 1.0
    cost: ClassVar = 10.0

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        out = np.zeros(len(worlds))
        for seat, hands in hidden_hands(view, worlds):
            mixture = self.mixtures.get(seat)
            if mixture is not None:
                out += self.trust * mixture.likelihood(hands)
            else:
                out += self.trust * agreed_likelihood(view, seat, hands, self.belief)
        return out


def mean_of(each: list[Floats]) -> Floats:
    """log of the mean of likelihoods."""
    return np.asarray(np.logaddexp.reduce(each) - np.log(len(each)))


def _net(name: str) -> Network:
    return network(name, "policy")


def _calls(net: Network, view: View, seat: int, hands: NDArray[np.uint64]) -> Floats:
    """log P(all calls of the seat | hand), each hand asked about once."""
    each, back = np.unique(hands, return_inverse=True)
    found: Floats = np.zeros(len(each))
    for turn in range(len(view.auction.calls)):
        if view.auction.seat_of(turn) == seat:
            found += np.log((1 - BIDDERS_ANY) * chances_of(net, view, turn, each) + BIDDERS_ANY)
    return found[back.ravel()]
