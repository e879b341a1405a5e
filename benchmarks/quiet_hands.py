"""How often does a bidder bid on a hand with nothing to say?

    python -m benchmarks.quiet_hands --engine policy --hands 2000
    python -m benchmarks.quiet_hands --engine bmcs --hands 4

Hands of at most seven points without a five-card suit, as opener in every seat, over every opening
of one, directly, by a passed hand and in the balancing seat; of at most four points opposite an
opening of one in a suit. Under every system that opponents may declare and under none, at every
vulnerability. A policy is asked with thousands of hands at once, other engines hand by hand.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding import Bidder, bidder
from overtrick.bidding.disclosure import random_hands
from overtrick.bidding.policy import Policy
from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Hand, Systems, View, Vulnerability
from overtrick.nets.belief import seen_systems
from overtrick.nets.features import observe, public_bits
from overtrick.nets.quiet import kept_quiet
from overtrick.systems import library_names

ONE = ("1C", "1D", "1H", "1S", "1NT")
PLACES = {
    "opener": ("", "P", "P P", "P P P"),
    "overcaller": ONE,
    "passed overcaller": tuple(f"P P {bid}" for bid in ONE),
    "balancer": tuple(f"{bid} P P" for bid in ONE),
    "responder": tuple(f"{bid} P" for bid in ONE[:4]),
}
VULNERABILITIES = ("None", "NS", "EW", "All")
_SAMPLE = 60_000


@cache
def quiet_hands(points: int) -> NDArray[np.uint64]:
    """Random hands of at most so many points without a five-card suit."""
    bits = random_hands(np.random.default_rng(71), _SAMPLE)
    hands = HandArray(bits)
    longest = np.max([hands.look("length", suit) for suit in range(4)], axis=0)
    found: NDArray[np.uint64] = bits[(feature("HCP")(hands) <= points) & (longest <= 4)]
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody's turn: what they are in the auction, who declared what."""

    role: str
    auction: str
    vul: str
    theirs: str

    @property
    def hands(self) -> NDArray[np.uint64]:
        return quiet_hands(4 if self.role == "responder" else 7)

    def view(self, hand: int, ours: str) -> View:
        auction = Auction.parse(self.auction)
        vul = Vulnerability.parse(self.vul)
        systems = Systems(ours, self.theirs)
        return View(auction.turn, Hand(int(hand)), auction, vul, systems=systems)


def places(systems: tuple[str, ...] = ("", *library_names())) -> Iterator[Place]:
    """Every turn at which a hand with nothing to say passes."""
    for theirs in systems:
        for vul in VULNERABILITIES:
            for role, auctions in PLACES.items():
                for auction in auctions:
                    yield Place(role, auction, vul, theirs)


def spoke(engine: Bidder, place: Place, hands: NDArray[np.uint64]) -> int:
    """With how many of these hands it bids or doubles."""
    if not isinstance(engine, Policy):
        views = (place.view(hand, engine.system) for hand in hands)
        return sum(bool(int(engine.bid(view).call)) for view in views)
    view = place.view(int(hands[0]), engine.system)
    calls = [int(call) for call in view.auction.calls]
    public = public_bits(calls, view.dealer, view.vul, view.seat)
    rows = observe(hands, public, seen_systems(engine.network, view))
    chances = kept_quiet(engine.network.name, rows, engine.network.call_probabilities(rows))
    return int((chances.argmax(axis=1) != 0).sum())


def main() -> None:
    """Command line."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--engine", default="policy")
    words.add_argument("--hands", type=int, default=1000, help="at each turn")
    words.add_argument("--every", type=int, default=1, help="only every so many turns are asked")
    asked = words.parse_args()
    engine, loud, number = bidder(asked.engine), Counter[str](), Counter[str]()
    for place in list(places())[:: asked.every]:
        hands = place.hands[: asked.hands]
        bids = spoke(engine, place, hands)
        for name in ("all", place.role, f"against {place.theirs or 'nothing declared'}"):
            loud[name] += bids
            number[name] += len(hands)
    shares = {name: [loud[name], number[name], loud[name] / number[name]] for name in number}
    print(json.dumps({"engine": engine.name, "bids, hands, share": shares}, indent=1))


if __name__ == "__main__":
    main()
