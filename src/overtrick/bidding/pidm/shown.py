"""A PIDM decision for people: candidates with means and errors, where they lead, a small tree.
Used by the engine for its `Decision`s; windows and `overtrick think` show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from overtrick.bidding.pidm.decide import Outcome
from overtrick.bidding.pidm.lookahead import Endings
from overtrick.game import CALLS, Auction, Candidate, Seat
from overtrick.systems.many import members

_BRANCHES: Final = 3
_DEPTH: Final = 8
_SMALL: Final = 0.04  # shares below this are not drawn


def candidates_of(
    outcome: Outcome, dealer: int, words: Callable[[int], str]
) -> tuple[Candidate, ...]:
    """The calls, best first; those given up on the way with what was known by then."""
    found = [_candidate(outcome, i, dealer, words) for i in range(len(outcome.calls))]
    return tuple(sorted(found, key=lambda c: -(c.value if c.value is not None else -1e9)))


def _candidate(outcome: Outcome, i: int, dealer: int, words: Callable[[int], str]) -> Candidate:
    call = outcome.calls[i]
    note = words(call)
    if not len(outcome.values):
        return Candidate(CALLS[call], None, None, note)
    looked = np.flatnonzero(~np.isnan(outcome.values[:, i]))
    mean, error = float(outcome.mean[i]), float(outcome.error[i])
    if len(looked) < len(outcome.values):
        shares = outcome.weights[looked] / outcome.weights[looked].sum()
        seen = outcome.values[looked, i]
        mean = float(shares @ seen)
        error = float(np.sqrt(shares**2 @ (seen - mean) ** 2))
        note += f" (given up after {len(looked)} worlds)"
    weights = outcome.weights.tolist()
    details = {
        "leads_to": leads_to(outcome.endings[i], weights, dealer),
        "continuations": continuations(outcome.endings[i], weights, outcome.start + 1),
        "worlds": len(looked),
    }
    return Candidate(CALLS[call], mean, error, note, details)


def leads_to(
    endings: Endings, weights: Sequence[float], dealer: int, most: int = 3
) -> dict[str, float]:
    """The contracts reached most often, with their shares."""
    shares: Counter[str] = Counter()
    for calls, worlds in endings:
        contract = Auction(Seat(dealer), tuple(CALLS[c] for c in calls)).contract
        name = str(contract) if contract is not None else "passed out"
        shares[name] += sum(weights[i] for i in members(worlds))  # type: ignore[assignment]
    total = sum(shares.values()) or 1
    return {name: share / total for name, share in shares.most_common(most)}


@dataclass(slots=True)
class _Node:
    share: float
    under: dict[int, _Node]


def continuations(endings: Endings, weights: Sequence[float], start: int) -> list[dict[str, Any]]:
    """Nested {call, share, then} of the commonest auctions after call number `start`."""
    root = _Node(0.0, {})
    for calls, worlds in endings:
        share = sum(weights[i] for i in members(worlds))
        node = root
        node.share += share
        for call in calls[start:]:
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


def details_of(outcome: Outcome) -> dict[str, Any]:
    """Counts, worlds with weights and inconsistencies, and the continuations of each call."""
    out: dict[str, Any] = {"counts": outcome.counts.to_dict()}
    if len(outcome.values):
        weights = outcome.weights.tolist()
        out |= {
            "worlds": outcome.hands,
            "weights": outcome.weights,
            "inconsistent": outcome.inconsistent,
            "effective_worlds": outcome.effective,
            "continuations": {
                CALLS[call].ascii: continuations(some, weights, outcome.start + 1)
                for call, some in zip(outcome.calls, outcome.endings, strict=True)
            },
        }
    return out
