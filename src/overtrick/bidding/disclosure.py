"""What a learned call shows: the hands with which the network makes it, described."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from overtrick.evaluation import HandArray, feature
from overtrick.game import SUIT_WORDS, Forcing, Hand, Meaning
from overtrick.nets.features import FIRST_BID, observe, public_bits, system_bits
from overtrick.nets.inference import Network

_TAILS = 0.05  # of the hands may lie outside a range on each side
_ENOUGH = 20.0  # effective hands below which nothing is promised
_NEVER = 1e-6
_HOPELESS = 9.0  # log weight below the best at which a hand is forgotten


@dataclass(frozen=True, slots=True)
class Posterior:
    """Random hands weighted by how likely they make the calls they made."""

    hands: NDArray[np.uint64]
    weights: NDArray[np.float64]  # sum 1

    @property
    def effective(self) -> float:
        return float(1 / (self.weights**2).sum())

    def quantile(self, values: NDArray[np.integer], share: float) -> int:
        order = np.argsort(values, kind="stable")
        at = np.searchsorted(np.cumsum(self.weights[order]), share)
        return int(values[order[min(int(at), len(order) - 1)]])

    def middle(self, values: NDArray[np.integer]) -> tuple[int, int]:
        """The range that leaves out only the tails."""
        return self.quantile(values, _TAILS), self.quantile(values, 1 - _TAILS)

    def typical(self, count: int = 3) -> list[Hand]:
        """The likeliest sampled hands."""
        best = np.argsort(-self.weights, kind="stable")[:count]
        return [Hand(int(self.hands[i])) for i in best]


@dataclass(frozen=True, slots=True)
class AskedCall:
    """An auction whose last call is to be explained, and what both sides declared.

    Systems are numbers of nets.features.SYSTEMS, None when unknown; `ours` is the caller's side.
    """

    calls: tuple[int, ...]
    dealer: int
    vul: int
    ours: int | None = None
    theirs: int | None = None

    @property
    def seat(self) -> int:
        """Who made the last call."""
        return (self.dealer + len(self.calls) - 1) % 4

    @property
    def before(self) -> AskedCall:
        """The auction without the last call."""
        return replace(self, calls=self.calls[:-1])


@dataclass(frozen=True, slots=True)
class Known:
    """Random hands of the seat on turn, how they fit its calls so far, what they would call now."""

    hands: NDArray[np.uint64]
    logs: NDArray[np.float64]
    chances: NDArray[np.float32]  # [hands, 38]

    def calling(self, call: int) -> NDArray[np.float64]:
        """Log weights of the hands once they have made this call."""
        found: NDArray[np.float64] = self.logs + np.log(np.maximum(self.chances[:, call], _NEVER))
        return found

    @property
    def shares(self) -> NDArray[np.float64]:
        """How often each call is made."""
        weights = np.exp(self.logs - self.logs.max())
        return np.asarray(weights / weights.sum() @ self.chances)


@lru_cache(maxsize=64)
def known(net: Network, so_far: AskedCall, sample: int) -> Known:
    """What is known of the seat on turn. `ours` is that seat's side.

    Only hands that still fit are asked again, and one question answers for all 38 calls, so a
    whole hover menu costs no more than one call of it.
    """
    turn = len(so_far.calls)
    if turn < 4:
        hands = random_hands(np.random.default_rng(97 + so_far.vul), sample)
        logs = np.zeros(sample)
    else:
        earlier = known(net, replace(so_far, calls=so_far.calls[:-4]), sample)
        logs = earlier.calling(so_far.calls[-4])
        fits = logs > logs.max() - _HOPELESS
        hands, logs = earlier.hands[fits], logs[fits]
    seat = (so_far.dealer + turn) % 4
    told = system_bits(so_far.ours, so_far.theirs, net.version)
    public = public_bits(so_far.calls, so_far.dealer, so_far.vul, seat)
    return Known(hands, logs, net.call_probabilities(observe(hands, public, told)))


def posterior(net: Network, asked: AskedCall, sample: int) -> Posterior:
    """Hands of the seat that made the last call, given all calls that seat made."""
    found = known(net, asked.before, sample)
    logs = found.calling(asked.calls[-1])
    weights = np.exp(logs - logs.max())
    return Posterior(found.hands, weights / weights.sum())


def disclose(net: Network, asked: AskedCall, sample: int) -> Meaning:
    """The meaning of the last call: ranges that hold for nine hands in ten."""
    return described(net, asked, posterior(net, asked, sample))


def described(net: Network, asked: AskedCall, found: Posterior) -> Meaning:
    """The same in words and ranges, when the hands have been drawn already."""
    if found.effective < _ENOUGH:
        return Meaning("rare: too few hands make this call to say what it shows", rule=net.name)
    hands = HandArray(found.hands)
    hcp = found.middle(feature("HCP")(hands))
    lengths = [found.middle(hands.look("length", suit)) for suit in range(4)]
    return Meaning(
        _words(hcp, lengths),
        hcp=hcp,
        lengths=tuple(lengths),  # type: ignore[arg-type]
        forcing=Forcing.NONE,
        alert=_artificial(asked, lengths),
        rule=net.name,
    )


def _artificial(asked: AskedCall, lengths: list[tuple[int, int]]) -> bool:
    """A bid up to four in a suit that may be short and is not partner's: told without asking."""
    bid = asked.calls[-1] - FIRST_BID
    if not 0 <= bid < 20 or bid % 5 == 4 or lengths[bid % 5][0] >= 3:
        return False
    by_partner = [call - FIRST_BID for call in asked.calls[-3::-4]]
    return all(other < 0 or other % 5 != bid % 5 for other in by_partner)


def _words(hcp: tuple[int, int], lengths: list[tuple[int, int]]) -> str:
    """Only what distinguishes the hand: strength, and suits that are surely long or short."""
    parts = [f"{hcp[0]}–{hcp[1]} hcp"]
    for suit in (3, 2, 1, 0):
        low, high = lengths[suit]
        if low >= 4:
            parts.append(f"{low}+ {SUIT_WORDS[suit]}")
        elif high <= 3:
            parts.append(f"at most {high} {SUIT_WORDS[suit]}")
    return ", ".join(parts)


def random_hands(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """Uniformly random hands of 13 cards as 52-bit numbers."""
    order = np.argpartition(rng.random((count, 52)), 13, axis=1)[:, :13].astype(np.uint64)
    found: NDArray[np.uint64] = np.bitwise_or.reduce(np.uint64(1) << order, axis=1)
    return found
