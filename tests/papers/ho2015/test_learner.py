"""The multi-layer bandit against a slow, literal version of the paper's algorithm."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick_lab.papers.ho2015 import baselines
from overtrick_lab.papers.ho2015.learner import Data, LearnerSetting, Trainer, cost, prepare
from overtrick_lab.training.uncontested.deals import TabledDeals, pairs
from overtrick_lab.uncontested.features import condensed, polynomial
from overtrick_lab.uncontested.nodes import TERMINAL, Nodes, build


@pytest.mark.parametrize(
    ("shape", "length", "count"),
    [("tree", 2, 6), ("tree", 4, 156), ("tree", 6, 3906), ("layered", 2, 6), ("layered", 4, 28)],
)
def test_number_of_nodes(shape: str, length: int, count: int) -> None:
    assert len(build(shape, length)) == count  # type: ignore[arg-type]


def test_layers_hold_rising_bids_only() -> None:
    for shape in ("tree", "layered"):
        nodes = build(shape, 4)  # type: ignore[arg-type]
        for node in range(len(nodes)):
            goes_on = np.flatnonzero(nodes.child[node] != TERMINAL)
            assert (goes_on > nodes.label[node]).all()
            assert nodes.legal[node, 0]
            assert (nodes.label[nodes.child[node, goes_on]] == goes_on).all()
            expected = 5 if nodes.layer[node] < 3 else 0
            assert len(goes_on) == expected


def test_polynomial_sizes(solved: TabledDeals) -> None:
    x = condensed(solved.hands[:, 0])
    assert [polynomial(x, order).shape[1] for order in (1, 2, 3)] == [6, 21, 56]
    assert np.allclose(polynomial(x, 2)[:, :6], x)


class Literal:
    """Algorithm 1 of the paper, one example and one regression at a time."""

    def __init__(self, setting: LearnerSetting, data: Data) -> None:
        self.setting, self.data = setting, data
        self.nodes: Nodes = build(setting.shape, setting.length, setting.width)
        dim = data.opener.shape[1]
        size = (len(self.nodes), 36)
        self.gram = np.tile(np.eye(dim) * setting.penalty, (*size, 1, 1))
        self.moment = np.zeros((*size, dim))
        self.weight = np.zeros((*size, dim))
        self.count = np.zeros(size)
        self.examples: list[tuple[int, int, np.ndarray, float]] = []

    def bound(self, node: int, x: np.ndarray) -> np.ndarray:
        mean = self.weight[node] @ x
        count = self.count[node]
        legal = self.nodes.legal[node]
        if self.setting.ucb == "ucb1":
            total = max(count[legal].sum(), 1.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                width = np.sqrt(2 * np.log(total) / count)
            width = np.where(count > 0, width, np.inf)
        else:
            width = np.array([np.sqrt(x @ np.linalg.inv(g) @ x) for g in self.gram[node]])
        return np.where(legal, mean + self.setting.alpha * width, -np.inf)

    def visit(self, node: int, row: int, turn: int, luck: np.ndarray) -> float:
        x = (self.data.responder if turn % 2 else self.data.opener)[row]
        bound = self.bound(node, x)
        call = int(bound.argmax())
        child = self.nodes.child[node]
        stops = child[call] == TERMINAL
        if stops and turn + 1 < self.setting.length and luck[turn] < self.setting.penetration:
            call = int(np.where(child != TERMINAL, bound, -np.inf).argmax())
        costs = self.data.costs[row][self.nodes.contract[node]]
        if child[call] == TERMINAL:
            reward = 24 - costs[call]
        else:
            reward = self.visit(int(child[call]), row, turn + 1, luck)
        if self.setting.update == "single" or child[call] != TERMINAL:
            self.examples.append((node, call, x, reward))
        if self.setting.update == "full":
            for end in np.flatnonzero(self.nodes.legal[node] & (child == TERMINAL)):
                self.examples.append((node, int(end), x, 24 - costs[end]))
        return float(reward)

    def run(self) -> np.ndarray:
        rng = np.random.default_rng(self.setting.seed)
        size = self.setting.pile
        for _ in range(self.setting.iterations // size):
            rows = rng.integers(len(self.data), size=size)
            luck = rng.random((size, self.setting.length))
            for row, chance in zip(rows, luck, strict=True):
                self.visit(0, int(row), 0, chance)
            self.learn()
        return self.weight

    def learn(self) -> None:
        for node, call, x, reward in self.examples:
            self.gram[node, call] += np.outer(x, x)
            self.moment[node, call] += reward * x
            self.count[node, call] += 1
        for node, call in {(node, call) for node, call, _, _ in self.examples}:
            self.weight[node, call] = np.linalg.solve(
                self.gram[node, call], self.moment[node, call]
            )
        self.examples = []


@pytest.mark.parametrize("shape", ["tree", "layered"])
@pytest.mark.parametrize("ucb", ["ucb1", "linucb"])
@pytest.mark.parametrize("update", ["full", "single"])
def test_vectorised_learner_is_the_literal_one(
    solved: TabledDeals, shape: str, ucb: str, update: str
) -> None:
    data = prepare(pairs(solved), order=1)
    setting = LearnerSetting(
        shape=shape,  # type: ignore[arg-type]
        length=3,
        width=3,
        ucb=ucb,  # type: ignore[arg-type]
        update=update,  # type: ignore[arg-type]
        alpha=4.0,
        penetration=0.5,
        pile=10,
        penalty=0.1,
        iterations=100,
        seed=5,
    )
    slow = Literal(setting, data).run()
    fast = Trainer([setting], data)
    fast.run()
    assert np.allclose(fast.ridge.weights, slow, atol=1e-6)


def test_settings_side_by_side_do_not_touch_each_other(solved: TabledDeals) -> None:
    data = prepare(pairs(solved))
    settings = [LearnerSetting(alpha=a, iterations=400, seed=s) for a, s in ((1.0, 0), (16.0, 1))]
    together = Trainer(settings, data).run()
    for setting, model in zip(settings, together, strict=True):
        (alone,) = Trainer([setting], data).run()
        assert np.allclose(alone.weights, model.weights, atol=1e-4)
    with pytest.raises(ValueError, match="differ only"):
        Trainer([LearnerSetting(), LearnerSetting(length=2)], data)


def test_learning_beats_the_one_hand_baseline(solved: TabledDeals) -> None:
    data = prepare(pairs(solved))
    (model,) = Trainer([LearnerSetting(length=2, alpha=4.0, iterations=20_000)], data).run()
    alone = baselines.two_sided(data.opener, data.costs, 1e-3).cost(data.opener, data.costs)
    assert cost(model, data).mean() < alone.mean() - 0.3


def test_one_sided_regression_is_never_worse_than_guessing(solved: TabledDeals) -> None:
    data = prepare(pairs(solved))
    model = baselines.one_sided(data.opener, data.costs, 1.0)
    assert model.cost(data.opener, data.costs).mean() < data.costs[:, 0].mean()
