"""Ridge regressions for every call of every bidding node, for several models side by side.
The state of a training run lives here.

Calls that end the auction are always updated together in a full update, so they share one Gram
matrix per node; only the calls that go on (and every call in a single update) need their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from overtrick_lab.uncontested.features import CONTRACTS
from overtrick_lab.uncontested.nodes import TERMINAL, Nodes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(slots=True)
class Ridge:
    """Sufficient statistics and weights; node numbers run on through the stacked models."""

    gram_of: Ints  # [node, call] which Gram matrix a call's regression uses
    moments: Floats  # [node, call, dim] sum of reward * x
    counts: Floats  # [gram] examples seen
    grams: Floats  # [gram, dim, dim]
    inverses: Floats  # [gram, dim, dim], as of the last refresh
    weights: Floats  # [node, call, dim], as of the last refresh


def empty(nodes: Nodes, *, models: int, dim: int, penalty: float, shared: bool) -> Ridge:
    """Zero weights for `models` copies of `nodes`; `shared` Gram matrices need full updates."""
    one = _gram_numbers(nodes, shared)
    size = int(one.max()) + 1
    offsets = np.repeat(np.arange(models) * size, len(nodes))
    gram_of = np.tile(one, (models, 1)) + offsets[:, None]
    total = models * len(nodes)
    eye = np.eye(dim)
    return Ridge(
        gram_of=gram_of,
        moments=np.zeros((total, CONTRACTS, dim)),
        counts=np.zeros(models * size),
        grams=np.tile(eye * penalty, (models * size, 1, 1)),
        inverses=np.tile(eye / penalty, (models * size, 1, 1)),
        weights=np.zeros((total, CONTRACTS, dim)),
    )


def _gram_numbers(nodes: Nodes, shared: bool) -> Ints:
    if not shared:
        return np.arange(len(nodes) * CONTRACTS).reshape(len(nodes), CONTRACTS)
    goes_on = nodes.child != TERMINAL
    numbers = np.tile(np.arange(len(nodes))[:, None], (1, CONTRACTS))
    numbers[goes_on] = len(nodes) + np.arange(int(goes_on.sum()))
    return numbers


def group(keys: Ints) -> tuple[Ints, Ints, Ints]:
    """Order that sorts `keys`, where each group starts in that order, and the groups' keys."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return order, starts, ordered[starts]


def add_grams(ridge: Ridge, grams: Ints, x: Floats) -> Ints:
    """Add x xᵀ to the Gram matrix of every example; the numbers of those touched."""
    order, starts, touched = group(grams)
    sizes = np.diff(np.append(starts, len(grams)))
    rows = x[order]
    small = sizes <= 4
    if small.any():
        pick = np.repeat(small, sizes)
        kept = rows[pick]
        outer = kept[:, :, None] * kept[:, None, :]
        inner = np.cumsum(sizes[small]) - sizes[small]
        ridge.grams[touched[small]] += np.add.reduceat(outer, inner, axis=0)
    for place in np.flatnonzero(~small):
        block = rows[starts[place] : starts[place] + sizes[place]]
        ridge.grams[touched[place]] += block.T @ block
    ridge.counts[touched] += sizes
    return touched


def add_moments(ridge: Ridge, nodes: Ints, rewards: Floats, x: Floats) -> Ints:
    """Add a whole row of rewards `[n, call]` (zero where unknown); the nodes touched."""
    order, starts, touched = group(nodes)
    ends = np.append(starts[1:], len(nodes))
    rows, values = x[order], rewards[order]
    sizes = ends - starts
    for place in np.flatnonzero(sizes > 1):
        part = slice(starts[place], ends[place])
        ridge.moments[touched[place]] += values[part].T @ rows[part]
    lone = np.flatnonzero(sizes == 1)
    at = starts[lone]
    ridge.moments[touched[lone]] += values[at][:, :, None] * rows[at][:, None, :]
    return touched


def refresh(ridge: Ridge, grams: Ints) -> None:
    """Recompute the inverses of the Gram matrices named."""
    ridge.inverses[grams] = np.linalg.inv(ridge.grams[grams])


def reweigh(ridge: Ridge, nodes: Ints, calls: Ints) -> None:
    """Recompute the weight vectors of single (node, call) regressions."""
    inverse = ridge.inverses[ridge.gram_of[nodes, calls]]
    ridge.weights[nodes, calls] = np.matmul(inverse, ridge.moments[nodes, calls][:, :, None])[
        :, :, 0
    ]


def solve(ridge: Ridge, nodes: Ints, calls: Ints) -> None:
    """Like `refresh` and `reweigh`, without an inverse: for UCB1, which never looks at it."""
    grams = ridge.grams[ridge.gram_of[nodes, calls]]
    found = np.linalg.solve(grams, ridge.moments[nodes, calls][:, :, None])
    ridge.weights[nodes, calls] = found[:, :, 0]


def reweigh_nodes(ridge: Ridge, nodes: Ints, lead: Ints) -> None:
    """Recompute the weights of all calls of `nodes` that use the Gram matrix `lead[node]`."""
    fresh = np.matmul(ridge.moments[nodes], ridge.inverses[lead])
    same = ridge.gram_of[nodes] == lead[:, None]
    ridge.weights[nodes] = np.where(same[:, :, None], fresh, ridge.weights[nodes])
