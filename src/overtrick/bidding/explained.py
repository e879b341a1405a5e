"""A learned auction explained call by call: what hands the network makes each call with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from overtrick.bidding.base import Bidder, Disclosing
from overtrick.bidding.constants import EXPLAINED_HANDS, EXPLAINED_RARE, EXPLAINED_TRIED
from overtrick.bidding.disclosure import AskedCall, disclose, known, posterior
from overtrick.game import CALLS, Auction, View, Vulnerability
from overtrick.nets.features import system_number
from overtrick.nets.inference import Network
from overtrick.systems import Reading, explain
from overtrick.systems.explain import Explained


def explaining(engine: Bidder, hands: int = EXPLAINED_HANDS) -> Bidder:
    """The same bidder, which also says what its calls show, if that has to be computed.

    Matches leave that out, because it takes longer than the call itself; whoever shows an auction
    to people asks for it.
    """
    made: Any = engine
    found: Bidder = made.disclosing(hands) if isinstance(engine, Disclosing) else engine
    return found


def by_rules(
    engine: Bidder, reading: Reading, auction: Auction, vul: Vulnerability, samples: int
) -> tuple[list[Explained], list[Explained]]:
    """The calls made and those that could come next, as the rules of both sides say, with sample
    hands that the engine itself bids so."""
    told = explain.explain_auction(reading, auction, vul, samples=samples)
    coming: list[Explained] = []
    if not auction.is_over:
        coming = explain.next_calls(reading, auction, vul, samples=EXPLAINED_TRIED)
    before = auction.prefixes()
    told = [_bid_so(engine, e, at, vul) for e, at in zip(told, before, strict=True)]
    return told, [_bid_so(engine, e, auction, vul, most=1) for e in coming]


def _bid_so(
    engine: Bidder, told: Explained, before: Auction, vul: Vulnerability, most: int | None = None
) -> Explained:
    views = [View(before.turn, hand, before, vul) for hand in told.samples]
    kept = [view.hand for view in views if engine.bid(view).call == told.call]
    return replace(told, samples=tuple(kept[:most]))


def by_network(
    net: Network,
    auction: Auction,
    vul: Vulnerability,
    systems: tuple[str, str],
    samples: int,
    heat: float = 1.0,
) -> tuple[list[Explained], list[Explained]]:
    """The calls made and those that could come next, from the hands a network makes them with."""
    told = explain_calls(
        net, auction, vul, systems, samples=samples, sample=EXPLAINED_HANDS, heat=heat
    )
    if auction.is_over:
        return told, []
    return told, next_calls(net, auction, vul, systems, sample=EXPLAINED_HANDS, heat=heat)


def asked_of(
    auction: Auction,
    turn: int,
    vul: Vulnerability,
    systems: tuple[str, str] = ("", ""),
    heat: float = 1.0,
) -> AskedCall:
    """Call number `turn` of an auction; `systems` are the dealer's side's and the other's."""
    calls = tuple(int(c) for c in auction.calls[: turn + 1])
    ours, theirs = (system_number(name) for name in systems)
    if turn % 2:
        ours, theirs = theirs, ours
    return AskedCall(calls, int(auction.dealer), int(vul), ours, theirs, heat)


def explain_calls(
    net: Network,
    auction: Auction,
    vul: Vulnerability,
    systems: tuple[str, str],
    *,
    samples: int = 2,
    sample: int = 20_000,
    heat: float = 1.0,
) -> list[Explained]:
    """Every call with ranges and typical hands; it begins with `sample` random ones."""
    out = []
    for turn in range(len(auction.calls)):
        asked = asked_of(auction, turn, vul, systems, heat)
        found = posterior(net, asked, sample)
        meaning = disclose(net, asked, sample)
        shows = f"{100 * found.share:.1f} % of the hands that bid so far"
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
    heat: float = 1.0,
) -> list[Explained]:
    """The calls the network makes next with at least one hand in a hundred, commonest first."""
    asked = asked_of(auction, len(auction.calls), vul, systems, heat)
    shares = known(net, asked, sample).shares
    out = []
    for call in np.argsort(-shares, kind="stable"):
        if shares[call] < EXPLAINED_RARE:
            break
        meaning = disclose(net, asked.then(int(call)), sample)
        out.append(Explained(CALLS[int(call)], meaning, f"{100 * shares[call]:.0f} % of hands"))
    return out
