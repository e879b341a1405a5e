"""The multi-layer bandit learner: UCB1 or LinUCB; single or full, penetrative, delayed updates.

Several settings (seeds, alphas, penetration probabilities) are trained side by side on one
structure: their node tables are stacked, so one numpy call serves them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from overtrick_lab.papers.ho2015 import ridge as rd
from overtrick_lab.training.uncontested.costs import CONTRACTS, MAX_COST
from overtrick_lab.training.uncontested.deals import Pairs
from overtrick_lab.uncontested.features import condensed, polynomial
from overtrick_lab.uncontested.models import TreeModel
from overtrick_lab.uncontested.nodes import TERMINAL, Shape, build

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Ucb = Literal["ucb1", "linucb"]
Update = Literal["full", "single"]


@dataclass(frozen=True, slots=True)
class LearnerSetting:
    """One training run: the paper's knobs and a seed."""

    shape: Shape = "tree"
    length: int = 4
    width: int = 5
    ucb: Ucb = "ucb1"
    update: Update = "full"
    alpha: float = 10.0
    penetration: float = 0.5
    pile: int = 100
    penalty: float = 1e-3
    iterations: int = 1_000_000
    seed: int = 0

    def structure(self) -> tuple[object, ...]:
        """What settings trained side by side must share."""
        return (
            self.shape, self.length, self.width, self.ucb, self.update, self.pile, self.penalty,
            self.iterations,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Data:
    """Expanded features of both hands and the cost vectors."""

    opener: Floats
    responder: Floats
    costs: Floats

    def __len__(self) -> int:
        return len(self.opener)


def prepare(pairs: Pairs, order: int = 2) -> Data:
    """Condensed polynomial features and costs of pairs, ready to train or test on."""
    return Data(
        polynomial(condensed(pairs.opener), order),
        polynomial(condensed(pairs.responder), order),
        pairs.costs.astype(np.float64),
    )


def cost(model: TreeModel, data: Data) -> Floats:
    """Cost of the contract a model reaches on every pair."""
    contract, _ = model.bid_out(data.opener, data.responder)
    return np.asarray(data.costs[np.arange(len(data)), contract])


Watcher = Callable[[int, "Trainer"], None]


class Trainer:
    """Trains settings that share a structure, pile by pile, all at once."""

    def __init__(self, settings: Sequence[LearnerSetting], data: Data) -> None:
        if len({setting.structure() for setting in settings}) != 1:
            raise ValueError("settings trained together must differ only in alpha, p and seed")
        first = settings[0]
        self.setting = first
        self.settings = tuple(settings)
        self.data = data
        self.nodes = build(first.shape, first.length, first.width)
        self.full = first.update == "full"
        self.ridge = rd.empty(
            self.nodes,
            models=len(settings),
            dim=data.opener.shape[1],
            penalty=first.penalty,
            shared=self.full,
        )
        self.rngs = [np.random.default_rng(setting.seed) for setting in settings]
        self._alpha = np.array([setting.alpha for setting in settings])
        self._penetration = np.array([setting.penetration for setting in settings])
        self._children = self._child_calls()

    def _child_calls(self) -> Ints:
        """The calls of each node that go on `[node, width]`, padded by the last one."""
        label = self.nodes.label
        calls = label[:, None] + 1 + np.arange(self.setting.width)[None, :]
        return np.asarray(np.minimum(calls, CONTRACTS - 1))

    def run(self, watch: Watcher | None = None, every: int = 100_000) -> list[TreeModel]:
        """Train to the end; `watch(iterations, trainer)` is called every so many iterations."""
        done, mark = 0, every
        while done < self.setting.iterations:
            size = min(self.setting.pile, self.setting.iterations - done)
            self.step(size)
            done += size
            if watch is not None and (done >= mark or done == self.setting.iterations):
                watch(done, self)
                mark += every
        return self.models()

    def models(self) -> list[TreeModel]:
        """The strategies learned so far, one per setting."""
        weights = self.ridge.weights.astype(np.float32)
        size = len(self.nodes)
        return [
            TreeModel(self.nodes, weights[place * size : (place + 1) * size])
            for place in range(len(self.settings))
        ]

    def step(self, size: int) -> None:
        """One pile: bid `size` random deals with every model, then update what they touched."""
        total = len(self.data)
        index = np.concatenate([rng.integers(total, size=size) for rng in self.rngs])
        owner = np.repeat(np.arange(len(self.settings)), size)
        luck = np.concatenate([rng.random((size, self.setting.length)) for rng in self.rngs])
        visits = self._bid(index, owner, luck)
        self._learn(index, visits)

    def _bid(self, index: Ints, owner: Ints, luck: Floats) -> list[tuple[Ints, ...]]:
        """Play the pile; for each turn: rows still bidding, stacked node, local node, call."""
        node = np.zeros(len(index), dtype=np.int64)
        rows = np.arange(len(index))
        visits: list[tuple[Ints, ...]] = []
        for turn in range(self.setting.length):
            hands = self.data.responder if turn % 2 else self.data.opener
            x = hands[index[rows]]
            stacked = node + owner[rows] * len(self.nodes)
            value = self._upper_bounds(stacked, node, x, self._alpha[owner[rows]])
            call = value.argmax(axis=1)
            if turn + 1 < self.setting.length:
                stops = self.nodes.child[node, call] == TERMINAL
                again = stops & (luck[rows, turn] < self._penetration[owner[rows]])
                call = np.where(again, self._best_child(node, value, call), call)
            visits.append((rows, stacked, node, call))
            after = self.nodes.child[node, call]
            goes_on = after != TERMINAL
            rows, node = rows[goes_on], after[goes_on]
            if not len(rows):
                break
        return visits

    def _best_child(self, node: Ints, value: Floats, call: Ints) -> Ints:
        """The call of highest bound among those that go on (the old call where none does)."""
        options = self._children[node]
        open_ = np.take_along_axis(self.nodes.child[node], options, axis=1) != TERMINAL
        bounds = np.where(open_, np.take_along_axis(value, options, axis=1), -np.inf)
        best = np.take_along_axis(options, bounds.argmax(axis=1)[:, None], axis=1)[:, 0]
        return np.where(open_.any(axis=1), best, call)

    def _upper_bounds(self, stacked: Ints, node: Ints, x: Floats, alpha: Floats) -> Floats:
        ridge = self.ridge
        mean = np.matmul(ridge.weights[stacked], x[:, :, None])[:, :, 0]
        grams = ridge.gram_of[stacked]
        if self.setting.ucb == "ucb1":
            count = ridge.counts[grams]
            seen = np.where(self.nodes.legal[node], count, 0.0).sum(axis=1, keepdims=True)
            with np.errstate(divide="ignore", invalid="ignore"):
                width = np.sqrt(2.0 * np.log(np.maximum(seen, 1.0)) / count)
            width = np.where(count > 0, width, np.inf)
        else:
            width = self._linucb_width(node, grams, x)
        bound = mean + alpha[:, None] * width
        return np.where(self.nodes.legal[node], bound, -np.inf)

    def _linucb_width(self, node: Ints, grams: Ints, x: Floats) -> Floats:
        inverses = self.ridge.inverses
        if not self.full:
            quadratic = np.einsum("nd,ncde,ne->nc", x, inverses[grams], x, optimize=True)
            return np.asarray(np.sqrt(np.maximum(quadratic, 0.0)))
        shared = grams[:, -1]  # 7NT always ends the auction, so it shows the node's shared Gram
        common = np.einsum("nd,nde,ne->n", x, inverses[shared], x, optimize=True)
        quadratic = np.tile(common[:, None], (1, CONTRACTS))
        own = np.flatnonzero(self.nodes.layer[node] + 1 < self.setting.length)
        if len(own):
            options = self._children[node[own]]
            picked = inverses[np.take_along_axis(grams[own], options, axis=1)]
            part = np.matmul(picked, x[own][:, None, :, None])[..., 0]
            part = (part * x[own][:, None, :]).sum(axis=2)
            quadratic[own[:, None], options] = part
        return np.asarray(np.sqrt(np.maximum(quadratic, 0.0)))

    def _learn(self, index: Ints, visits: list[tuple[Ints, ...]]) -> None:
        """Rewards travel back from the end of each auction; then regressions are refreshed."""
        reward = np.empty(len(index))
        for rows, _, node, call in visits:  # the last visit of a row leaves its final reward
            contract = self.nodes.contract[node, call]
            reward[rows] = MAX_COST - self.data.costs[index[rows], contract]
        touched = []
        for turn, (rows, stacked, node, call) in enumerate(visits):
            x = (self.data.responder if turn % 2 else self.data.opener)[index[rows]]
            if self.full:
                touched.append(self._learn_ends(stacked, node, x, self.data.costs[index[rows]]))
                rows_on = np.flatnonzero(self.nodes.child[node, call] != TERMINAL)
            else:
                rows_on = np.arange(len(rows))
            if len(rows_on):
                picked = (stacked[rows_on], call[rows_on])
                touched.append(self._learn_calls(picked, x[rows_on], reward[rows[rows_on]]))
        # in layered models a node lies in one layer only, so nothing is touched twice
        for nodes, calls, grams in touched:
            if calls is not None and self.setting.ucb == "ucb1":
                rd.solve(self.ridge, nodes, calls)
                continue
            rd.refresh(self.ridge, grams)
            if calls is None:
                rd.reweigh_nodes(self.ridge, nodes, grams)
            else:
                rd.reweigh(self.ridge, nodes, calls)

    def _learn_ends(
        self, stacked: Ints, node: Ints, x: Floats, costs: Floats
    ) -> tuple[Ints, Ints | None, Ints]:
        """Full update: every call that would end the auction has a known reward."""
        ends = self.nodes.legal[node] & (self.nodes.child[node] == TERMINAL)
        outcome = np.take_along_axis(costs, self.nodes.contract[node], axis=1)
        rewards = np.where(ends, MAX_COST - outcome, 0.0)
        touched = rd.add_moments(self.ridge, stacked, rewards, x)
        rd.add_grams(self.ridge, self.ridge.gram_of[stacked, CONTRACTS - 1], x)
        return touched, None, self.ridge.gram_of[touched, CONTRACTS - 1]

    def _learn_calls(
        self, picked: tuple[Ints, Ints], x: Floats, reward: Floats
    ) -> tuple[Ints, Ints | None, Ints]:
        """Update the regression of the call made at each visited node."""
        nodes, calls = picked
        order, starts, keys = rd.group(nodes * CONTRACTS + calls)
        moments = np.add.reduceat(reward[order][:, None] * x[order], starts, axis=0)
        nodes, calls = np.divmod(keys, CONTRACTS)
        self.ridge.moments[nodes, calls] += moments
        rd.add_grams(self.ridge, self.ridge.gram_of[picked], x)
        return nodes, calls, self.ridge.gram_of[nodes, calls]
