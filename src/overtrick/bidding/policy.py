"""The learned bidder: a policy network that sees the auction and its own hand (Qiu et al.,
sections III and IV)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.base import NONE, Pair
from overtrick.bidding.disclosure import measured
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import CALLS, Auction, Candidate, Decision, Meaning, View, Vulnerability
from overtrick.game.reasons import NetworkBids
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import observe, public_bits
from overtrick.nets.inference import Network, network
from overtrick.nets.quiet import kept_quiet, nothing_to_say
from overtrick.nets.styles import LEARNED

if TYPE_CHECKING:
    from overtrick.systems.explain import Explained

DEFAULT: Final = "policy"
STYLE: Final = LEARNED
_PLAYED: Final = {"sl": "sayc-extras"}  # what a shipped network plays that has no style of its own
_SHOWN: Final = 5  # candidates in a decision
_LEAST: Final = 0.001


@dataclass(frozen=True, slots=True)
class Policy:
    """Bids the network's most probable call.

    `disclose` is the number of random hands from which a call's meaning is measured (0: none, the
    opponents are told only that it is the network's natural style); `declares` is the system it is
    said to play, if not what its network learned.
    """

    net: str = DEFAULT
    disclose: int = 0
    threads: int = 1
    declares: str = ""
    cost: ClassVar = Cost.QUICK

    def __post_init__(self) -> None:
        self.network  # noqa: B018  (fail now, not at the table, when the network is missing)

    @property
    def name(self) -> str:
        return spelled("policy", self)

    @property
    def system(self) -> str:
        return self.declares or _PLAYED.get(self.net, STYLE)

    @property
    def network(self) -> Network:
        return network(self.net, "policy", self.threads)

    def disclosing(self, hands: int) -> Self:
        return self if self.disclose else replace(self, disclose=hands)

    def explain(
        self, auction: Auction, vul: Vulnerability, systems: Pair = NONE, *, samples: int = 2
    ) -> tuple[list[Explained], list[Explained]]:
        """What calls show by the hands that the network makes them with."""
        from overtrick.bidding.explained import by_network

        return by_network(self.network, auction, vul, systems, samples)

    def probabilities(self, view: View) -> NDArray[np.float32]:
        """The probability of each of the 38 calls."""
        rows = observe(view.hand.bits, _public(view), seen_systems(self.network, view))
        chances = self.network.call_probabilities(rows)
        found: NDArray[np.float32] = kept_quiet(self.network.name, rows, chances)[0]
        return found

    def has_nothing_to_say(self, view: View) -> bool:
        """Is it a hand with which any call but a pass would be a bluff?"""
        return bool(nothing_to_say(observe(view.hand.bits, _public(view)))[0])

    def bid(self, view: View) -> Decision:
        started = now()
        chances = self.probabilities(view)
        order = np.argsort(-chances, kind="stable")[:_SHOWN]
        call = CALLS[int(order[0])]
        return Decision(
            call,
            self.meaning(view, int(call)),
            candidates=tuple(
                Candidate(CALLS[int(c)], float(chances[c]), note="probability")
                for c in order
                if chances[c] > _LEAST
            ),
            reasons=(NetworkBids(call, float(chances[call])),),
            seed=view.seed,
            milliseconds=1000 * (now() - started),
            engine=self.name,
        )

    def meaning(self, view: View, call: int) -> Meaning:
        """What a call of this seat shows, by asking the network with which hands it makes it."""
        if not self.disclose:
            return Meaning("natural, in the network's own style", rule=self.net)
        return measured(self.network, view, call, self.disclose)


def _public(view: View) -> NDArray[np.uint8]:
    return public_bits([int(c) for c in view.auction.calls], view.dealer, view.vul, view.seat)
