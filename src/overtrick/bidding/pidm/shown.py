"""A PIDM decision for people: candidates with means and errors, where they lead, a small tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from overtrick.bidding.kernel import AuctionEnding
from overtrick.bidding.pidm.decide import PidmOutcome
from overtrick.game import CALLS, Auction, Candidate, Seat
from overtrick.worlds.sets import members

_BRANCHES: Final = 3
_DEPTH: Final = 8
_SMALL: Final = 0.04  # shares below this are not drawn


def candidates_of(
    outcome: PidmOutcome, dealer: int, words: Callable[[int], str]
) -> tuple[Candidate, ...]:
    """The calls, best first; those given up on the way with what was known by then."""
    found = [_candidate(outcome, i, dealer, words) for i in range(len(outcome.calls))]
    return tuple(sorted(found, key=lambda c: -(c.value if c.value is not None else -1e9)))


def _candidate(outcome: PidmOutcome, i: int, dealer: int, words: Callable[[int], str]) -> Candidate:
    race = outcome.race
    call = race.calls[i]
    note, found = words(call), race.mean(i)
    if found is None:
        return Candidate(CALLS[call], None, None, note)
    looked = race.seen(i)
    if looked < race.used:
        note += f" (given up after {looked} worlds)"
    weights = race.worlds.shares.tolist()
    details = {
        "leads_to": leads_to(outcome.endings[i], weights, dealer),
        "continuations": continuations(outcome.endings[i], weights, outcome.start + 1),
        "worlds": looked,
    }
    return Candidate(CALLS[call], *found, note, details)


def leads_to(
    endings: Sequence[AuctionEnding], weights: Sequence[float], dealer: int, most: int = 3
) -> dict[str, float]:
    """The contracts reached most often, with their shares."""
    shares: Counter[str] = Counter()
    for ending in endings:
        calls = tuple(CALLS[c] for c in ending.at.calls)
        contract = Auction(Seat(dealer), calls).contract
        name = str(contract) if contract is not None else "passed out"
        shares[name] += sum(weights[i] for i in members(ending.worlds))  # type: ignore[assignment]
    total = sum(shares.values()) or 1
    return {name: share / total for name, share in shares.most_common(most)}


@dataclass(slots=True)
class _Node:
    share: float
    under: dict[int, _Node]


def continuations(
    endings: Sequence[AuctionEnding], weights: Sequence[float], start: int
) -> list[dict[str, Any]]:
    """Nested {call, share, then} of the commonest auctions after call number `start`."""
    root = _Node(0.0, {})
    for ending in endings:
        share = sum(weights[i] for i in members(ending.worlds))
        node = root
        node.share += share
        for call in ending.at.calls[start:]:
            node = node.under.setdefault(call, _Node(0.0, {}))
            node.share += share
    return _drawn(root, 0)


def _drawn(node: _Node, depth: int) -> list[dict[str, Any]]:
    if depth == _DEPTH:
        return []
    order = sorted(node.under.items(), key=lambda item: (-item[1].share, item[0]))
    return [
        {
            "call": CALLS[call].ascii,
            "share": round(child.share, 3),
            "then": _drawn(child, depth + 1),
        }
        for call, child in order[:_BRANCHES]
        if child.share >= _SMALL
    ]


def details_of(outcome: PidmOutcome) -> dict[str, Any]:
    """Counts, worlds with weights and inconsistencies, and the continuations of each call."""
    out: dict[str, Any] = {"counts": outcome.counts.to_dict()}
    worlds = outcome.race.worlds
    if len(worlds):
        weights = worlds.shares.tolist()
        out |= {
            "worlds": worlds.deals,
            "weights": worlds.shares,
            "inconsistent": outcome.inconsistent,
            "effective_worlds": worlds.effective,
            "continuations": {
                CALLS[call].ascii: continuations(some, weights, outcome.start + 1)
                for call, some in zip(outcome.calls, outcome.endings, strict=True)
            },
        }
    return out
