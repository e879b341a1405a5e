"""The simulated continuations of a decision as a small tree to show.
Used in `Decision.details["continuations"]`; windows and `overtrick explain` draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from overtrick.bidding.pidm.lookahead import Endings
from overtrick.game import CALLS
from overtrick.systems.many import members

_BRANCHES: Final = 3
_DEPTH: Final = 8
_SMALL: Final = 0.04  # shares below this are not drawn


@dataclass(slots=True)
class _Node:
    share: float
    under: dict[int, _Node]


def continuations(endings: Endings, weights: list[float], start: int) -> list[dict[str, Any]]:
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
