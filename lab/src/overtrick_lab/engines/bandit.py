"""Bidders that taught themselves: Ho & Lin's bandit tree, Yeh's Q-networks and our relay policy.
Once opponents bid, another engine takes over.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Final

import numpy as np

from overtrick.bidding.base import Bidder, bidder
from overtrick.game import PASS, Auction, Call, Candidate, Decision, Forcing, Meaning, Seat, View
from overtrick.game.reasons import (
    CostEstimate,
    LeastCost,
    PolicyBids,
    Probability,
    Reason,
    Remark,
    TakesOver,
)
from overtrick_lab.uncontested import shipped
from overtrick_lab.uncontested.census import bits_of, call_of, index_of, is_artificial
from overtrick_lab.uncontested.describe import meaning_words
from overtrick_lab.uncontested.models import NetModel, TreeModel, auction_over
from overtrick_lab.uncontested.pricing import estimates, partners

FALLBACK: Final = "rules(system=sayc)"
_BEST_REWARD: Final = 24.0  # the tree learns 24 - cost
_NET_SCALE: Final = 4.0  # the Q-networks learn -cost / 4
_SHOWN: Final = 5  # candidates in a decision
_LEAST: Final = 0.001  # probability below which relay's calls are not listed
_SELDOM, _NEARLY_ALWAYS = 0.02, 0.9  # shares of partner's passes: forcing, sign-off


def our_calls(auction: Auction, seat: Seat) -> tuple[int, ...] | None:
    """Our side's calls as contract indices; None once the opponents have done more than pass."""
    ours = []
    for place, call in enumerate(auction.calls):
        if auction.seat_of(place).side == seat.side:
            if call in (1, 2):
                return None
            ours.append(index_of(call))
        elif call != PASS:
            return None
    return tuple(ours)


@lru_cache(maxsize=8)
def _substitute(spec: str) -> Bidder:
    return bidder(spec)


@lru_cache(maxsize=4096)
def _meaning(model: str, calls: tuple[int, ...], call: int) -> Meaning:
    """What a call shows: the hands with which the model makes it, described (cached)."""
    census = shipped.census(model)
    line = (*calls, call)
    what = census.shown(calls, call)
    if what is None:
        return Meaning("rare: too few hands make this call to say what it shows", rule=model)
    over = auction_over(line)
    passed = None if over else census.passes(line)
    return Meaning(
        meaning_words(line, what, passed),
        hcp=what.hcp,
        lengths=what.lengths,
        forcing=_forcing(passed) if call else Forcing.NONE,
        alert=is_artificial(line, what, passed),
        rule=model,
    )


def _forcing(passed: float | None) -> Forcing:
    """How far a bid binds partner, judged by how often partner passes it."""
    if passed is None:
        return Forcing.NONE
    if passed < _SELDOM:
        return Forcing.ONE_ROUND
    return Forcing.SIGN_OFF if passed > _NEARLY_ALWAYS else Forcing.NONE


@dataclass(frozen=True, slots=True)
class _Learned(ABC):
    """What the three engines share; `model` is a name in the package or a file."""

    model: str
    fallback: str = FALLBACK

    def __post_init__(self) -> None:
        self._check()
        _substitute(self.fallback)  # fail now, not at the table

    @abstractmethod
    def _check(self) -> None:
        """Refuse a model of another kind."""

    @property
    def name(self) -> str:
        kind, options = self._identity()[0], ", ".join(self._options())
        return f"{kind}({options})" if options else kind

    @abstractmethod
    def _identity(self) -> tuple[str, str]:
        """The engine's name and its model when none is named."""

    def _options(self) -> list[str]:
        """Options that differ from the defaults, as they are written."""
        options = []
        if self.model != self._identity()[1]:
            options.append(f"model={self.model!r}")
        if self.fallback != FALLBACK:
            options.append(f"fallback={self.fallback!r}")
        return options

    @property
    def system(self) -> str:
        return f"{self._identity()[0]}: learned without being taught, see overtrick describe"

    def bid(self, view: View) -> Decision:
        started = perf_counter()
        calls = our_calls(view.auction, view.seat)
        if calls is None:
            return self._hand_over(view)
        values = shipped.model(self.model).values(bits_of(view.hand), calls)[0]
        order = np.argsort(-values, kind="stable")
        chosen = int(order[0])
        listed = [int(call) for call in order if np.isfinite(values[call])][:_SHOWN]
        candidates, worlds = self._candidates(view, calls, listed, values)
        return Decision(
            call_of(chosen),
            _meaning(self.model, calls, chosen),
            candidates,
            reasons=self._reasons(calls, candidates[0]),
            worlds=worlds,
            seed=view.seed,
            milliseconds=1000 * (perf_counter() - started),
            engine=self.name,
        )

    def _hand_over(self, view: View) -> Decision:
        decision = _substitute(self.fallback).bid(view)
        handed = TakesOver(self._identity()[0], self.fallback)
        return replace(decision, reasons=(handed, *decision.reasons), engine=self.name)

    def _candidates(
        self, view: View, calls: Sequence[int], listed: Sequence[int], values: np.ndarray
    ) -> tuple[tuple[Candidate, ...], int]:
        """Calls with minus their estimated cost, best first, and how many worlds were looked at."""
        found = []
        for call in listed:
            cost = self._cost(float(values[call]))
            found.append(Candidate(call_of(call), -cost, reasons=(CostEstimate(cost),)))
        return tuple(found), 0

    def _cost(self, value: float) -> float:
        """IMPs behind the best contract, from the number the model gives a call."""
        return -value

    def _reasons(self, calls: Sequence[int], best: Candidate) -> tuple[Reason, ...]:
        if len(calls) >= shipped.model(self.model).turns:
            return (Remark.MODEL_ENDS,)
        assert isinstance(best.action, Call)
        return (LeastCost(best.action, -(best.value or 0.0)),)


@dataclass(frozen=True, slots=True)
class Bandit(_Learned):
    """Ho & Lin's multi-layer bandit: a tree of ridge regressions on points and lengths."""

    model: str = "tree"

    def _check(self) -> None:
        if not isinstance(shipped.model(self.model), TreeModel):
            raise shipped.ModelError(f"{self.model} is no bandit tree")

    def _identity(self) -> tuple[str, str]:
        return "bandit", "tree"

    def _cost(self, value: float) -> float:
        return _BEST_REWARD - value


@dataclass(frozen=True, slots=True)
class Penetrative(_Learned):
    """Yeh, Hsieh & Lin's Q-learning: one network per turn that estimates the final cost."""

    model: str = "penetrative"

    def _check(self) -> None:
        found = shipped.model(self.model)
        if not isinstance(found, NetModel) or len(found.nets) < 2:
            raise shipped.ModelError(f"{self.model} is no set of Q-networks")

    def _identity(self) -> tuple[str, str]:
        return "penetrative", "penetrative"

    def _cost(self, value: float) -> float:
        return -_NET_SCALE * value


@dataclass(frozen=True, slots=True)
class Relay(_Learned):
    """Our learner: one policy network for both partners, any length of auction.

    The network gives probabilities; costs are estimated over `worlds` hands that partner may hold
    (0: probabilities only).
    """

    model: str = "relay"
    worlds: int = 60

    def _check(self) -> None:
        found = shipped.model(self.model)
        if not isinstance(found, NetModel) or len(found.nets) > 1:
            raise shipped.ModelError(f"{self.model} is no relay policy")

    def _identity(self) -> tuple[str, str]:
        return "relay", "relay"

    def _options(self) -> list[str]:
        # zero-argument super() does not survive slots=True
        return _Learned._options(self) + ([f"worlds={self.worlds}"] if self.worlds != 60 else [])

    def _candidates(
        self, view: View, calls: Sequence[int], listed: Sequence[int], values: np.ndarray
    ) -> tuple[tuple[Candidate, ...], int]:
        chances = np.exp(values - values.max())
        chances /= chances.sum()
        kept = [call for call in listed if chances[call] >= _LEAST]
        likely = [Probability(float(chances[call])) for call in kept]
        if self.worlds < 2:
            pairs = zip(kept, likely, strict=True)
            return tuple(Candidate(call_of(c), p.chance, reasons=(p,)) for c, p in pairs), 0
        hand = bits_of(view.hand)
        model = shipped.model(self.model)
        rng = np.random.default_rng(view.seed)
        others = partners(model, hand, calls, self.worlds, rng)
        costs = estimates((model, shipped.price()), hand, calls, kept, others)
        return tuple(
            Candidate(call_of(c), -e.cost, e.error, reasons=(p, CostEstimate(e.cost)))
            for c, p, e in zip(kept, likely, costs, strict=True)
        ), len(others)

    def _reasons(self, calls: Sequence[int], best: Candidate) -> tuple[Reason, ...]:
        if len(calls) >= shipped.model(self.model).turns:
            return (Remark.MODEL_ENDS,)
        assert isinstance(best.action, Call)
        return (PolicyBids(best.action), *best.reasons)
