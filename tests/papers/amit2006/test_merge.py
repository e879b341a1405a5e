"""Refining a net by examples: the paper's Figure 7 step by step, and what must not change."""

from __future__ import annotations

import numpy as np

from overtrick.evaluation import HandArray, feature_matrix, features
from overtrick.game import Hand
from overtrick.papers.amit2006.inducer import (
    Examples,
    Leaf,
    Limits,
    Split,
    boxes,
    feature_names,
    induce,
    predict,
)
from overtrick.papers.amit2006.merge import (
    attach,
    insert_examples,
    most_specific,
    node_for,
)
from overtrick.systems.explain import random_hands
from overtrick.systems.nets import Box, Node, State, hands_actions, state_actions

HEART, NOTRUMP = 5, 7
FIGURE_7C = (  # the hands the paper's figure shows with their tags, and some of the same kind
    ("AK2.87654.K32.AQ", NOTRUMP), ("AQ2.QJ854.K4.AT3", NOTRUMP), ("AK3.T9643.AQ.Q32", NOTRUMP),
    ("KQ2.QJ854.AK.Q43", NOTRUMP), ("Q2.KQJ43.KQ3.Q62", HEART), ("QJ.KQJ43.KQ3.Q62", HEART),
    ("Q32.KQJT4.KQ.QJ3", HEART), ("QJ4.KQJ32.QJ3.QJ", HEART), ("A32.AK432.K32.K2", NOTRUMP),
    ("A32.KQ432.A32.A2", NOTRUMP), ("K32.AQ432.A2.A32", NOTRUMP), ("A43.AQJ32.K2.K32", NOTRUMP),
)  # fmt: skip


def state_of(hand: Hand) -> State:
    """The two features the rules ask for, as exact values."""
    numbers = features(hand)
    return {n: (numbers[n], numbers[n]) for n in ("HCP", "BAL", "SUITLEN(H)", "HCP(H)", "CONTROLS")}


def figure_7a() -> Node:
    notrump = Node(Box.of({"BAL": (0, 0), "HCP": (15, 17)}), {NOTRUMP})
    heart = Node(Box.of({"HCP": (11, 23), "SUITLEN(H)": (5, 13)}), {HEART})
    return Node(Box(), set(range(38)), [notrump, heart])


def test_7b_two_nodes_get_an_intersection_node() -> None:
    net = figure_7a()
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
    net = figure_7a()
    hands = [Hand.parse(h) for h, _ in FIGURE_7C]
    stored = insert_examples(
        net, [(state_of(h), t) for h, (_, t) in zip(hands, FIGURE_7C, strict=True)]
    )
    assert len(stored) == 1
    names = ("HCP(H)", "CONTROLS")
    matrix = feature_matrix(HandArray.of(hands), names)
    tree = induce(Examples.of_tags(names, matrix, stored[0].tags), Limits(least=2, tie=0))
    assert isinstance(tree, Split)
    attach(stored[0].node, tree)
    assert stored[0].node.others
    assert stored[0].node.others[0].box == stored[0].node.box
    allowed = hands_actions(net, HandArray.of(hands))
    for row, (_, tag) in zip(allowed, FIGURE_7C, strict=True):
        assert set(np.flatnonzero(row)) == {tag}


def test_7d_the_papers_tree_gives_its_three_rules() -> None:
    """Little in hearts or three controls: 1NT; otherwise 1H."""
    paper = Split(
        "HCP(H)", 5, Leaf((NOTRUMP,), 1),
        Split("CONTROLS", 3, Leaf((HEART,), 1), Leaf((NOTRUMP,), 1)),
    )  # fmt: skip
    net = figure_7a()
    node = node_for(net, state_of(Hand.parse("AQ2.QJ854.K4.AT3")))
    attach(node, paper)
    assert len(list(boxes(paper, node.box))) == 3
    for text, call in (
        ("AK2.87654.K32.AQ", NOTRUMP), ("QJ4.KQJ32.QJ3.QJ", HEART), ("A32.KQ432.A32.A2", NOTRUMP),
    ):  # fmt: skip
        hand = Hand.parse(text)
        assert state_actions(net, state_of(hand)) == {call}
        assert set(np.flatnonzero(hands_actions(net, HandArray.of([hand]))[0])) == {call}


def test_learning_is_monotonic() -> None:
    """No hand gets more calls than before, and those with one call keep it."""
    net, hands = figure_7a(), random_hands(4000, 5)
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
    tree = induce(examples, Limits(tie=0, depth=1))
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
        tree = induce(Examples(names, matrix, (0, 6), values), Limits(criterion=criterion))  # type: ignore[arg-type]
        assert isinstance(tree, Split)
        assert (tree.feature, tree.threshold) == ("SUITLEN(S)", 4)
