"""A learned auction explained call by call: what hands the network makes each call with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from overtrick.bidding.base import Bidder
from overtrick.bidding.disclosure import Asked, described, known, posterior
from overtrick.game import CALLS, Auction, Vulnerability
from overtrick.nets.features import system_number
from overtrick.nets.inference import Network
from overtrick.systems.explain import Explained

HANDS: Final = 4000  # behind an explanation at the table: a tenth of a second for a new position
_RARE: Final = 0.01  # next calls made less often than this are not shown


def explaining(engine: Bidder, hands: int = HANDS) -> Bidder:
    """The same bidder, which also says what its calls show, if that has to be computed.

    Matches leave that out, because it takes longer than the call itself; whoever shows an auction
    to people asks for it. A bidder joins in by having a field `disclose`, the number of random
    hands its answers are computed from.
    """
    made: Any = engine  # a Bidder may be of any class
    if "disclose" in getattr(made, "__dataclass_fields__", {}) and not made.disclose:
        return cast(Bidder, replace(made, disclose=hands))
    return engine


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
    asked = asked_of(auction, len(auction.calls), vul, systems)
    shares = known(net, asked, sample).shares
    out = []
    for call in np.argsort(-shares, kind="stable"):
        if shares[call] < _RARE:
            break
        then = Asked((*asked.calls, int(call)), asked.dealer, asked.vul, asked.ours, asked.theirs)
        meaning = described(net, then, posterior(net, then, sample))
        out.append(Explained(CALLS[int(call)], meaning, f"{100 * shares[call]:.0f} % of hands"))
    return out
