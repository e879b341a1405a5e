"""Trees as values: notation, validation, information sets, conversion between the two forms."""

from fractions import Fraction

import pytest

from overtrick_lab.papers.frank1998 import (
    Chance,
    ChoiceNode,
    EndNode,
    FlatTree,
    GameTreeError,
    MaxMin,
    NotFlatError,
    StrategicGame,
    TooManyStrategiesError,
    TreeTextError,
    best_defence,
    dump,
    dumps,
    esm,
    extensive,
    flat_tree,
    flatten,
    load,
    loads,
    min_is_informed,
    mm,
    outcome,
    plan_exact,
    solve,
    subtree,
)
from overtrick_lab.papers.frank1998.game import perfect_information, perfect_recall
from overtrick_lab.papers.frank1998.strategies import reduced

DROP = """
title: Two cards missing, finesse or drop
worlds: Qx-x Q-xx x-Qx
odds: 3 1 2
lead( low=[ finesse=110 drop=010 ] queen=-1- )
"""


def test_notation_of_a_flat_tree():
    tree = flat_tree(DROP)
    assert tree.title == "Two cards missing, finesse or drop"
    assert tree.worlds == ("Qx-x", "Q-xx", "x-Qx")
    assert tree.probability(0) == Fraction(1, 2)
    assert tree.root.name == "lead"
    assert tree.root.children[1] == EndNode((None, 1, None))
    assert tree.root.children[0].name == "a"  # unnamed nodes get letters
    assert loads(dumps(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "a(b[11100 00011] c[00111 11000])",
        "n(0,3/2,-1 2,-,10)",
        "odds: 1 5\na[1,12 3,-4]",
        "[12, 13,]",
        "<1/3: x@s[1 0] 2/3: y@s[0 1]>",
        "form: extensive\na(b@s[1 -2] c@s[1/2 12])",
        "z< a(1 0) b(0 1) >",
    ],
)
def test_round_trip(text, tmp_path):
    tree = loads(text)
    assert loads(dumps(tree)) == tree
    dump(tree, tmp_path / "tree")
    assert load(tmp_path / "tree") == tree


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a(b[1 0", "ends inside"),
        ("a[1 0] 1", "after the end"),
        ("a[1 x]", "not a payoff"),
        ("a[left=1 0]", "all its branches or none"),
        ("<1/2: 1 1/3: 0>", "sum to 1"),
        ("a[b[1 0] b[0 1]]", "two nodes are called 'b'"),
        ("a[]", "no branches"),
        ("a[11 0]", "different numbers"),
        ("odds: 1 1 1\na[11 01]", "3 weights"),
        ("odds: 1 0\na[11 01]", "without weight"),
        ("a[1- -1]", "different worlds"),
        ("a(1- 1-)", "no play is possible"),
        ("a[x=1 x=0]", "repeated"),
        ("<x@s[1 0] y@s(0 1)>", "both players"),
        ("<x@s[1 0] y@s[0 1 1]>", "different moves"),
        ("a( b@s[1 0] c@s[0 1] )", "sees every move"),
    ],
)
def test_errors_say_what_is_wrong(text, message):
    with pytest.raises(GameTreeError, match=message):
        loads(text)
    assert issubclass(TreeTextError, GameTreeError)
    assert issubclass(GameTreeError, ValueError)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<>", "no branches"),
        ("<1/0: 1 1: 0>", "chance node"),
        ("a[1/0, 1,]", "not a payoff: '1/0'"),
        ("odds: 1 x\na[10 01]", "odds are whole numbers"),
        ("a[" * 5000, "more than 100 moves"),
        ("a[1 0", "ends inside"),
        ("a[1 0] b", "text after the end"),
    ],
)
def test_text_that_is_no_tree_says_so(text: str, error: str) -> None:
    with pytest.raises(GameTreeError, match=error):
        loads(text)


def test_wide_trees_are_read_in_one_go() -> None:
    tree = loads("a[" + "10 " * 20_000 + "]")
    assert len(tree.root.children) == 20_000  # type: ignore[union-attr]


def test_flat_tree_wants_a_flat_tree():
    with pytest.raises(TreeTextError, match="extensive form"):
        flat_tree("< 1 0 >")
    with pytest.raises(GameTreeError, match="no chance nodes"):
        FlatTree(Chance((Fraction(1),), (EndNode((1,)),)))
    with pytest.raises(GameTreeError, match="exactly one payoff"):
        StrategicGame(EndNode((1, 2)))


def test_best_defence_opens_the_cards_for_min():
    """MIN holds two nodes he cannot tell apart; under A-I he can."""
    game = loads("< x@m( a@s[1 0] b@t[0 1] ) y@m( c@s[0 1] d@t[1 0] ) >")
    assert isinstance(game, StrategicGame)
    assert not min_is_informed(game)
    informed = best_defence(game)
    assert min_is_informed(informed)
    assert not perfect_information(informed)
    assert best_defence(informed) == informed


def test_missing_branches_bind_nobody():
    tree = flat_tree(DROP)
    assert outcome(tree, {"a": 0}) == (1, 1, 0)
    assert solve(tree) == esm(tree).value == Fraction(2, 3)
    game = extensive(tree)
    assert esm(game).value == Fraction(2, 3)
    again = flatten(game)
    assert again.root == tree.root
    assert again.weights == tree.weights


def test_subtree_leaves_out_impossible_worlds():
    tree = flat_tree("a( b[11- 01-] c[--1 --0] )")
    assert subtree(tree, "c").worlds == ("w3",)
    assert subtree(tree, "b").weights == (1, 1)
    with pytest.raises(GameTreeError, match="no node"):
        subtree(tree, "z")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("< a[1 0] 1 >", "same kinds of move"),
        ("< a[1 0] b(1 0) >", "same kinds of move"),
        ("< a[1 0] b[1 0] >", "tell the worlds apart"),
        ("< m( a@s[1 0] b@s[1 0] ) n( c@s[1 0] d@s[0 1] ) >", "two places"),
    ],
)
def test_games_that_cannot_be_flattened(text, message):
    game = loads(text)
    assert isinstance(game, StrategicGame)
    with pytest.raises(NotFlatError, match=message):
        flatten(game)


def test_esm_where_max_does_not_see_mins_move():
    """Matching pennies with MIN informed last: a general extensive form, beyond flat trees."""
    game = loads("form: extensive\nm( a@s[1 -1] b@s[-1 1] )")
    assert isinstance(game, StrategicGame)
    assert esm(game).value == -1
    assert mm(game) == 1


def test_later_chance_moves():
    game = loads("form: extensive\na[ safe=1 throw=coin<3/4: 2 1/4: b(0 1)> ]")
    assert isinstance(game, StrategicGame)
    assert esm(game).value == mm(game) == Fraction(3, 2)
    assert esm(game).strategies == ({"a": 1},)


def test_perfect_recall():
    forgets = loads("form: extensive\na[ b@s[1 0] c@s[0 1] ]")
    assert isinstance(forgets, StrategicGame)
    assert not perfect_recall(forgets, MaxMin.MAX)
    assert perfect_recall(extensive(flat_tree(DROP)), MaxMin.MAX)


def test_too_many_strategies():
    tree = flat_tree("a(" + " ".join("[1 0]" for _ in range(25)) + ")")
    with pytest.raises(TooManyStrategiesError, match="33554432"):
        esm(tree)
    assert solve(tree) == 1


def test_reduced_strategy_and_names():
    tree = flat_tree("a[ b[1 0] c[0 1] ]")
    assert reduced(tree, {"a": 1, "b": 0, "c": 1}) == {"a": 1, "c": 1}
    assert plan_exact(tree).strategy == {"a": 0, "b": 0}
    with pytest.raises(GameTreeError, match="no blanks"):
        ChoiceNode(MaxMin.MAX, (EndNode((1,)),), "two words")
