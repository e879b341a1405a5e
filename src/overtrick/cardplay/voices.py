"""Who may have made a seat's calls, and how likely they make them with a hand.

A learned style is one voice: its network. Who declared a written system bids by its rules, or
judges inside it, or plays it as people elsewhere do; who declared nothing may bid like any of our
players, so that they all are voices, beside what was explained and what the belief network says.
Nobody tells which voice it is; after a call that one of them explains well it is hardly another.

Small networks answer for thousands of hands; a bidder's own network, five times as slow, is asked
last about few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.agreed import book_of, declared_by, rules_likelihood, spoken
from overtrick.cardplay.believed import belief_likelihood
from overtrick.cardplay.reading import Floats, auction_likelihood, made_up
from overtrick.game import Seat, View
from overtrick.nets.features import system_number
from overtrick.nets.inference import Network, installed, models, network
from overtrick.nets.styles import IMITATION, JUDGES, LEARNED, PLAYED_BY, READER, chances_of

_ANY: Final = 0.001  # how likely any call is that the network would not make
_HOPELESS: Final = 6.0  # a bidder is not asked about layouts so far below the best (log)
# Of strangers; of WBridge5, our players and the imitation the true hands are likeliest like this:
_SAID: Final = 0.3  # of what was explained, or of common sense
_BELIEF: Final = 0.3
_WORD: Final = 0.6  # of the voices


@dataclass(frozen=True, slots=True)
class Voices:
    """Who may have made a seat's calls: readers, the rules, and a bidder who is asked last."""

    view: View
    told: View  # with systems in whose words networks can be asked
    seat: Seat
    readers: tuple[Network, ...]
    bidder: Network
    style: bool = False  # one learned style: its bidder speaks in place of its reader
    stranger: bool = False  # nothing declared: other evidence counts beside the voices
    belief: float = 1.0

    @property
    def written(self) -> bool:
        """Did they declare a written system?"""
        return not self.style and not self.stranger

    @property
    def glance(self) -> float:
        """How much of the quick opinion counts before the voices are asked: half of it where the
        voices may find hands which it would not bid like that."""
        return 1.0 if self.style else 0.5

    def read(self, bits: NDArray[np.uint64]) -> Floats:
        """log P(calls | hand), as long as the bidder has not been asked."""
        found = self._word * self._heard(bits)
        if self.stranger:
            found += _SAID * auction_likelihood(self.view, self.seat, bits)
            if self.belief:
                found += self.belief * _BELIEF * belief_likelihood(self.view, self.seat, bits)
        return found

    def asked(self, bits: NDArray[np.uint64], prior: Floats) -> Floats:
        """What the bidder changes about that; asked about layouts that have hope by `prior`, log
        weights with what has been read."""
        alive = prior >= prior.max() - _HOPELESS
        heard = self._heard(bits[alive])
        said = _calls(self.bidder, self.told, self.seat, bits[alive])
        if not self.style:
            voices = len(self.readers) + 1
            said = np.logaddexp(heard + np.log(voices), said) - np.log(voices + 1)
        change = np.zeros(len(bits))
        change[alive] = self._word * (said - heard)
        return change

    def likelihood(self, bits: NDArray[np.uint64]) -> Floats:
        """Both, one after the other."""
        read = self.read(bits)
        return read + self.asked(bits, read)

    @property
    def _word(self) -> float:
        return _WORD if self.stranger else 1.0

    def _heard(self, bits: NDArray[np.uint64]) -> Floats:
        """The mean over readers and, but for a learned style, rules."""
        said = [_calls(net, self.told, self.seat, bits) for net in self.readers]
        if not self.style:
            said.append(rules_likelihood(self.view, self.seat, bits))
        return mean_of(said)


def voices_of(view: View, seat: Seat, belief: float = 1.0) -> Voices | None:
    """The voices of a seat; None where a written system is all there is to ask, where the auction
    was made up, and where no network can be run."""
    if not installed() or made_up(view):
        return None
    if declared_by(view, seat) == LEARNED:
        reader, bidder = _net(READER), _net(PLAYED_BY)
        return Voices(view, view, seat, (reader,), bidder, style=True)
    judges = _net(JUDGES)
    others = _net(IMITATION) if IMITATION in models() else judges  # who wants none may leave it out
    if book := book_of(view, seat):
        number = system_number(book)
        if number is None or number >= judges.version.systems:
            return None
        return Voices(view, view, seat, (judges,), others)
    told, readers = replace(view, systems=spoken(view)), (judges, _net(READER))
    return Voices(view, told, seat, readers, others, stranger=True, belief=belief)


def mean_of(said: list[Floats]) -> Floats:
    """log of the mean of likelihoods."""
    return np.asarray(np.logaddexp.reduce(said) - np.log(len(said)))


def _net(name: str) -> Network:
    return network(name, "policy")


def _calls(net: Network, view: View, seat: int, hands: NDArray[np.uint64]) -> Floats:
    """log P(all calls of the seat | hand), each hand asked about once."""
    each, back = np.unique(hands, return_inverse=True)
    found: Floats = np.zeros(len(each))
    for turn in range(len(view.auction.calls)):
        if view.auction.seat_of(turn) == seat:
            found += np.log((1 - _ANY) * chances_of(net, view, turn, each) + _ANY)
    return found[back.ravel()]
