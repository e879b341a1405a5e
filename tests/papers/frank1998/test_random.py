"""All algorithms against exhaustive strategy minimisation on random trees.
A thousand seeded ones, and whatever hypothesis thinks of."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.suitplay.search import undominated
from overtrick_lab.papers.frank1998 import (
    FlatTree,
    MaxMin,
    count_strategies,
    diagnose,
    dumps,
    esm,
    extensive,
    flatten,
    front,
    loads,
    mm,
    outcome,
    plan_exact,
    plan_local,
    plan_reduction,
    plan_repeated,
    plan_vector,
    solve,
    strategies,
    value,
)
from overtrick_lab.papers.frank1998.game import best_defence, perfect_recall
from overtrick_lab.papers.frank1998.minimaxing import reduce_payoffs
from overtrick_lab.papers.frank1998.normal import majorant, minorant, mixed_value, normal_form
from overtrick_lab.papers.frank1998.randomtrees import Ragged, complete_tree, ragged_tree
from overtrick_lab.papers.frank1998.tree import depth

SHAPES = [
    Ragged(levels=5, stop=0.1),
    Ragged(worlds=6, levels=6, branches=2, stop=0.1),
    Ragged(worlds=3, levels=4, payoffs=5, stop=0.1),
    Ragged(worlds=4, levels=5, missing=0.3),
    Ragged(worlds=4, levels=6, branches=2, payoffs=4, stop=0.1, missing=0.3, weighted=False),
]
PLANS = (plan_repeated, plan_vector, plan_reduction, plan_local)


def small_trees(seed: int, count: int, limit: int = 600) -> list[FlatTree]:
    """Random trees of all shapes with few enough strategies to list."""
    rng = np.random.default_rng(seed)
    found: list[FlatTree] = []
    while len(found) < count:
        tree = ragged_tree(rng, SHAPES[len(found) % len(SHAPES)])
        if 5 < count_strategies(tree.root) <= limit:
            found.append(tree)
    return found


def check_all(tree: FlatTree) -> None:
    """ESM equals the front search, and every other algorithm keeps its promises."""
    listed = [(s, outcome(tree, s)) for s in strategies(tree)]
    best = esm(tree).value
    assert best == max(value(tree, v) for _, v in listed)
    found = front(tree)
    assert found.value == solve(tree) == best
    not_beaten = {
        v
        for _, v in listed
        if not any(u != v and all(a >= b for a, b in zip(u, v, strict=True)) for _, u in listed)
    }
    assert set(found.vectors) == not_beaten
    exact = plan_exact(tree)
    assert value(tree, outcome(tree, exact.strategy)) == best
    assert mm(tree) >= best
    for make in PLANS:
        plan = make(tree)
        diagnosis = diagnose(tree, plan)
        assert diagnosis.optimum == best >= diagnosis.achieved
        assert diagnosis.optimal == (not diagnosis.findings)
        assert make is plan_repeated or plan.claimed == diagnosis.achieved


@pytest.mark.parametrize("count", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_esm_equals_front_search(count: int):
    trees = small_trees(1998, count)
    assert sum(count_strategies(t.root) for t in trees) > 40 * count
    for tree in trees:
        assert solve(tree) == esm(tree).value


def test_everything_on_many_trees():
    for tree in small_trees(7, 60, limit=60):
        check_all(tree)


@given(st.integers(0, 2**32 - 1), st.sampled_from(SHAPES))
def test_everything_on_what_hypothesis_finds(seed, shape):
    tree = ragged_tree(np.random.default_rng(seed), shape)
    if count_strategies(tree.root) <= 100:
        check_all(tree)
    assert loads(dumps(tree)) == tree


def test_extensive_form_gives_the_same_values():
    for tree in small_trees(3, 40, limit=40):
        game = extensive(tree)
        assert mm(game) == mm(tree)
        assert perfect_recall(game, MaxMin.MAX)
        assert best_defence(game) == game
        again = flatten(game)
        assert esm(again).value == esm(tree).value
        if all(len(s) <= 6 for s in esm(tree).strategies) and count_strategies(tree.root) <= 12:
            assert esm(game).value == esm(tree).value


def test_normal_form_bounds():
    """Minorant = ESM; mixing lies between minorant and majorant."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        tree = ragged_tree(rng, Ragged(worlds=2, levels=3, branches=2, payoffs=3))
        form = normal_form(extensive(tree))
        mixed, mixture = mixed_value(form)
        assert minorant(form) == esm(tree).value
        assert minorant(form) <= mixed <= majorant(form)
        assert sum(mixture) == 1
        assert min(mixture) >= 0


def test_reduction_never_changes_what_a_strategy_yields():
    for tree in small_trees(11, 60, limit=40):
        cut = FlatTree(reduce_payoffs(tree.root), tree.weights, tree.worlds)
        for strategy in strategies(tree):
            assert outcome(cut, strategy) == outcome(tree, strategy)


def test_complete_tree():
    tree = complete_tree(np.random.default_rng(0), 5, 10)
    assert depth(tree.root) == 5
    assert count_strategies(tree.root) == 2**7
    assert complete_tree(np.random.default_rng(0), 5, 10) == tree
    assert solve(tree) == esm(tree).value


@given(st.lists(st.integers(0, 255), max_size=30))
def test_undominated(codes):
    kept = undominated(codes)
    assert set(kept) <= set(codes)
    assert all(any(c & k == c for k in kept) for c in codes)
    assert not any(a != b and a & b == a for a in kept for b in kept)


@pytest.mark.slow
def test_random_trees_of_depth_nine_as_published():
    """Frank, Basin & Matsubara 1998: sampling and vector hopeless, reduction often right."""
    rng = np.random.default_rng(9)
    right = dict.fromkeys(PLANS, 0)
    for _ in range(200):
        tree = complete_tree(rng, 9, 10)
        best = solve(tree)
        for make in PLANS:
            right[make] += value(tree, outcome(tree, make(tree).strategy)) == best
    assert right[plan_repeated] <= 0.05 * 200
    assert right[plan_vector] <= 0.15 * 200
    assert right[plan_reduction] >= 0.4 * 200
    assert Fraction(right[plan_reduction], 200) > Fraction(right[plan_vector], 200)
