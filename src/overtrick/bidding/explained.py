"""A learned auction explained call by call: what hands the network makes each call with.
Used by `overtrick explain --engine policy` and by windows that show the same on hover."""

from __future__ import annotations

from typing import Final

import numpy as np

from overtrick.bidding.disclosure import Asked, described, posterior
from overtrick.bidding.policy import system_number
from overtrick.game import CALLS, Auction, Vulnerability
from overtrick.nets.features import observe, public_bits, system_bits
from overtrick.nets.inference import Network
from overtrick.systems.explain import Explained

_RARE: Final = 0.01  # next calls made less often than this are not shown


def asked_of(
    auction: Auction, turn: int, vul: Vulnerability, systems: tuple[str, str] = ("", "")
) -> Asked:
    """Call number `turn` of an auction; `systems` are the dealer's side's and the other's."""
    calls = tuple(int(c) for c in auction.calls[: turn + 1])
    ours, theirs = (system_number(name) for name in systems)
    if turn % 2:
        ours, theirs = theirs, ours
    return Asked(calls, int(auction.dealer), int(vul), ours, theirs)


def explain_calls(
    net: Network,
    auction: Auction,
    vul: Vulnerability,
    systems: tuple[str, str],
    *,
    samples: int = 2,
    sample: int = 20_000,
) -> list[Explained]:
    """Every call with ranges and the likeliest of `sample` random hands."""
    out = []
    for turn in range(len(auction.calls)):
        asked = asked_of(auction, turn, vul, systems)
        found = posterior(net, asked, sample)
        meaning = described(net, asked, found)
        shows = f"{found.effective:.0f} of {sample} random hands"
        typical = tuple(found.typical(samples))
        out.append(Explained(CALLS[asked.calls[-1]], meaning, shows, typical))
    return out


def next_calls(
    net: Network,
    auction: Auction,
    vul: Vulnerability,
    systems: tuple[str, str],
    *,
    sample: int = 20_000,
) -> list[Explained]:
    """The calls the network makes next with at least one hand in a hundred, commonest first."""
    turn = len(auction.calls)
    # What is known of the hand so far: the calls this seat has made.
    before = asked_of(auction, turn - 4, vul, systems) if turn >= 4 else None
    asked = asked_of(auction, turn, vul, systems)
    seat = int(auction.turn)
    known = posterior(net, before or Asked((), 0, int(vul)), sample)
    public = public_bits([int(c) for c in auction.calls], asked.dealer, asked.vul, seat)
    told = system_bits(asked.ours, asked.theirs) if net.version.systems else None
    shares = known.weights @ net.call_probabilities(observe(known.hands, public, told))
    out = []
    for call in np.argsort(-shares, kind="stable"):
        if shares[call] < _RARE:
            break
        then = Asked((*asked.calls, int(call)), asked.dealer, asked.vul, asked.ours, asked.theirs)
        meaning = described(net, then, posterior(net, then, sample))
        out.append(Explained(CALLS[int(call)], meaning, f"{100 * shares[call]:.0f} % of hands"))
    return out
