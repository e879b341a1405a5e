"""Refining a net by examples: the paper's Figure 7 step by step, and what must not change."""

from __future__ import annotations

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix
from overtrick.game import Hand
from overtrick.systems.explain import random_hands
from overtrick.systems.nets import Box, Node, hands_actions, state_actions
from overtrick_lab.papers.amit2006.example import (
    HEART,
    NOTRUMP,
    PRINTED,
    TAGGED,
    learned,
    markdown,
    state_of,
)
from overtrick_lab.papers.amit2006.example import net as net_7a
from overtrick_lab.papers.amit2006.inducer import (
    Examples,
    Leaf,
    Split,
    SplitLimits,
    boxes,
    feature_names,
    induce,
    predict,
)
from overtrick_lab.papers.amit2006.merge import (
    attach,
    most_specific,
    node_for,
)


def test_7b_two_nodes_get_an_intersection_node() -> None:
    net = net_7a()
    state = state_of(Hand.parse("AQ2.QJ854.K4.AT3"))
    assert state_actions(net, state) == {HEART, NOTRUMP}
    new = node_for(net, state)
    assert {n: (a, b) for n, a, b in new.box.ranges} == {
        "BAL": (0, 0), "HCP": (15, 17), "SUITLEN(H)": (5, 13),
    }  # fmt: skip
    assert all(new in parent.children for parent in net.children)
    assert state_actions(net, state) == {HEART, NOTRUMP}  # not yet decided
    assert most_specific(net, state) == [new]
    assert node_for(net, state) is new  # a second state of the class finds it


def test_7c_7d_examples_become_a_tree_on_an_else_link() -> None:
    net, tree = learned()
    assert isinstance(tree, Split)
    hands = HandArray.of([Hand.parse(h) for h, _ in TAGGED])
    for row, (_, tag) in zip(hands_actions(net, hands), TAGGED, strict=True):
        assert set(np.flatnonzero(row)) == {tag}
    assert "12 of 12" in markdown()


def test_7d_the_papers_tree_gives_its_three_rules() -> None:
    """Little in hearts or three controls: 1NT; otherwise 1H."""
    net = net_7a()
    node = node_for(net, state_of(Hand.parse("AQ2.QJ854.K4.AT3")))
    attach(node, PRINTED)
    assert len(list(boxes(PRINTED, node.box))) == 3
    for text, call in (
        ("AK2.87654.K32.AQ", NOTRUMP), ("QJ4.KQJ32.QJ3.QJ", HEART), ("A32.KQ432.A32.A2", NOTRUMP),
    ):  # fmt: skip
        hand = Hand.parse(text)
        assert state_actions(net, state_of(hand)) == {call}
        assert set(np.flatnonzero(hands_actions(net, HandArray.of([hand]))[0])) == {call}


def test_learning_is_monotonic() -> None:
    """No hand gets more calls than before, and those with one call keep it."""
    net, hands = net_7a(), random_hands(4000, 5)
    before = hands_actions(net, hands)
    attach(
        node_for(net, state_of(Hand.parse("AQ2.QJ854.K4.AT3"))),
        Split("HCP(H)", 5, Leaf((NOTRUMP,), 1), Leaf((HEART,), 1)),
    )
    after = hands_actions(net, hands)
    assert not (after & ~before).any()
    single = before.sum(1) == 1
    assert (after[single] == before[single]).all()
    assert (after.sum(1) < before.sum(1)).any()


def test_children_of_a_node_keep_priority_over_the_tree() -> None:
    child = Node(Box.of({"HCP": (10, 12)}), {3})
    node = Node(Box.of({"HCP": (10, 20)}), {4, 5}, [child])
    net = Node(Box(), set(range(38)), [node])
    attach(node, Split("HCP", 15, Leaf((4,), 1), Leaf((5,), 1)))
    assert [state_actions(net, {"HCP": (v, v)}) for v in (11, 14, 16)] == [{3}, {4}, {5}]


def test_a_uniform_node_takes_its_action() -> None:
    node = Node(Box(), {3, 4})
    attach(node, Leaf((4,), 9))
    assert node.actions == {4}


def test_inducer_finds_the_rule_among_all_features() -> None:
    hands = random_hands(120, 1)
    names = feature_names()
    matrix = feature_matrix(hands, names)
    hcp = feature_matrix(hands, ["HCP"])[:, 0]
    tags = [NOTRUMP if p >= 11 else HEART for p in hcp]
    tree = induce(Examples.of_tags(names, matrix, tags))
    assert isinstance(tree, Split)
    assert (tree.feature, tree.threshold) == ("HCP", 11)
    assert [leaf.order[0] for leaf in predict(tree, matrix, names)] == tags


def test_values_outweigh_counts() -> None:
    """Three small gains for 1H lose against one large gain for 1NT where no feature separates."""
    values = np.array([[0.1, 0.0]] * 3 + [[0.0, 5.0]])
    examples = Examples(("HCP",), np.zeros((4, 1), np.float32), (HEART, NOTRUMP), values)
    tree = induce(examples)
    assert isinstance(tree, Leaf)
    assert tree.actions == {NOTRUMP}


def test_stakes_choose_the_split() -> None:
    """Many examples that hardly matter do not outweigh a few that do."""
    rows = []
    for first in (0, 1):
        for second in (0, 1):
            rows += [((first, second), (0.0, 4.0) if first else (4.0, 0.0))] * 2
            rows += [((first, second), (0.0, 0.1) if second else (0.1, 0.0))] * 10
    matrix, values = np.array([m for m, _ in rows], np.float32), np.array([v for _, v in rows])
    examples = Examples(("CONTROLS", "HCP"), matrix, (HEART, NOTRUMP), values)
    tree = induce(examples, SplitLimits(tie=0, depth=1))
    assert isinstance(tree, Split)
    assert tree.feature == "CONTROLS"


def test_preferences_with_different_choices() -> None:
    """Calls that are never compared directly find their order through a third."""
    nan = float("nan")
    values = np.array([[2.0, 1.0, nan], [nan, 3.0, 2.5], [1.0, nan, 0.2], [4.0, 3.0, 1.0]])
    tree = induce(Examples(("HCP",), np.zeros((4, 1), np.float32), (0, HEART, NOTRUMP), values))
    assert isinstance(tree, Leaf)
    assert tree.order == (0, HEART, NOTRUMP)


def test_both_criteria_find_a_threshold() -> None:
    hands = random_hands(200, 4)
    names = feature_names()
    matrix = feature_matrix(hands, names)
    spades = feature_matrix(hands, ["SUITLEN(S)"])[:, 0]
    values = np.stack([np.zeros(200), np.where(spades >= 4, 2.0, -1.0)], axis=1)
    for criterion in ("information", "value"):
        tree = induce(Examples(names, matrix, (0, 6), values), SplitLimits(criterion=criterion))  # type: ignore[arg-type]
        assert isinstance(tree, Split)
        assert (tree.feature, tree.threshold) == ("SUITLEN(S)", 4)
