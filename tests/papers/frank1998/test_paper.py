"""Every statement Frank & Basin 1998 make about their trees, and that the prose fixes our payoffs.
Card diagrams of the paper are tested with `suitplay` and `cardplay`."""

from fractions import Fraction as F
from itertools import combinations, product

import pytest

from overtrick_lab.papers.frank1998 import (
    Chance,
    MaxMin,
    Mishandling,
    StrategicGame,
    best_defence,
    best_moves,
    by_best_count,
    by_mean,
    by_mean_above,
    count_alternating,
    count_strategies,
    diagnose,
    esm,
    esm_of,
    extensive,
    flat_tree,
    flatten,
    information_sets,
    min_is_informed,
    minimax,
    mm,
    move_scores,
    outcome,
    plan_exact,
    plan_local,
    plan_reduction,
    plan_repeated,
    plan_vector,
    solve,
    strategies,
    subtree,
    value,
    written,
)
from overtrick_lab.papers.frank1998.normal import (
    majorant,
    minorant,
    mixed_value,
    normal_form,
    saddle_points,
)
from overtrick_lab.papers.frank1998.paper import (
    FIGURE_5_STRATEGY,
    FIGURES,
    figure,
    figure_1,
    figure_9,
    figure_18,
)
from overtrick_lab.papers.frank1998.strategies import count_by_recurrence

SCORES = {"mean": by_mean, "count": by_best_count, "floor": by_mean_above(1)}
NUMBERS = [f.number for f in FIGURES]


def bits(mask: int, size: int = 5) -> tuple[int, ...]:
    return tuple(mask >> i & 1 for i in range(size))


@pytest.mark.parametrize("number", NUMBERS)
def test_esm_equals_front_search(number):
    tree = figure(number)
    reference = esm(tree)
    assert solve(tree) == reference.value == esm(extensive(tree)).value
    plan = plan_exact(tree)
    assert plan.claimed == value(tree, outcome(tree, plan.strategy)) == reference.value


# --- section 2: Fig. 1


def test_figure_1_has_five_deals_and_two_sets_for_max():
    game = figure_1()
    assert isinstance(game.root, Chance)
    assert len(game.root.children) == 5
    mine, theirs = (information_sets(game, p) for p in (MaxMin.MAX, MaxMin.MIN))
    assert [len(nodes) for nodes in mine.values()] == [5, 5]
    assert [len(nodes) for nodes in theirs.values()] == [1] * 5
    assert min_is_informed(game)
    assert best_defence(game) == game


def test_figures_1_and_7_are_the_same_game():
    assert flatten(figure_1()) == figure("7")
    assert extensive(figure("7")) == figure_1()


def test_prose_fixes_the_payoffs_of_figure_7():
    """Sections 4.2, 6 and 7 leave one table of payoffs out of 2^20."""
    fits = []
    for left_b, right_b in product(range(32), repeat=2):
        if left_b | right_b != 31 or left_b.bit_count() != 3 or left_b & 0b11000:
            continue  # b always has a winner; its left branch wins in three worlds, not w4 or w5
        for left_c, right_c in product(range(32), repeat=2):
            results = (left_b & left_c, left_b & right_c, right_b & left_c, right_b & right_c)
            if left_c | right_c == 31 and results == (0b00100, 0b00011, 0b11000, 0):
                fits.append((left_b, right_b, left_c, right_c))
    assert [tuple(map(bits, fit)) for fit in fits] == [
        ((1, 1, 1, 0, 0), (0, 0, 0, 1, 1), (0, 0, 1, 1, 1), (1, 1, 0, 0, 0))
    ]


# --- section 4: exhaustive strategy minimisation


def test_figure_5_strategy_1_1():
    game = figure_1()
    assert isinstance(game.root, Chance)
    by_deal = [esm_of(child, FIGURE_5_STRATEGY) for child in game.root.children]
    assert by_deal == [0, 0, 1, 0, 0]
    assert esm_of(game.root, FIGURE_5_STRATEGY) == F(1, 5)


def test_section_4_2_the_four_strategies():
    tree = figure("7")
    results = {written(s, "bc"): outcome(tree, s) for s in strategies(tree)}
    assert results == {
        "(1, 1)": (0, 0, 1, 0, 0),
        "(1, 2)": (1, 1, 0, 0, 0),
        "(2, 1)": (0, 0, 0, 1, 1),
        "(2, 2)": (0, 0, 0, 0, 0),
    }
    best = esm(figure_1())
    assert {written(s, "bc") for s in best.strategies} == {"(1, 2)", "(2, 1)"}
    assert best.value == F(2, 5)
    assert best.tried == 4


def test_esm_is_equation_5_of_the_best_defence_form():
    form = normal_form(figure_1())
    assert len(form.rows) == 4
    assert len(form.columns) == 32
    assert minorant(form) == esm(figure_1()).value == F(2, 5)


def test_order_of_choice_matters_and_mixing_helps():
    """A-II and A-III are real concessions here: no saddle point, and a mixture is worth 1/2."""
    form = normal_form(figure_1())
    assert majorant(form) > minorant(form)
    assert not saddle_points(form)
    worth, mixture = mixed_value(form)
    assert worth == F(1, 2)
    assert sum(mixture) == 1
    assert (
        min(
            sum(p * k for p, k in zip(mixture, column, strict=True))
            for column in zip(*form.payoff, strict=True)
        )
        == worth
    )


@pytest.mark.parametrize("number", NUMBERS)
def test_section_4_3_minimaxing_never_evaluates_lower(number):
    tree = figure(number)
    assert mm(tree) == mm(extensive(tree)) >= esm(tree).value


def test_perfect_information_is_solved_by_minimaxing():
    """With one world there is nothing hidden: v1 = v2 = mm = esm (the minimax theorem)."""
    game = extensive(flat_tree("d[ a( b[3, 1,] c[0, 4,] ) e( f[2,] g[5, 2,] ) ]"))
    form = normal_form(game)
    assert minorant(form) == majorant(form) == mm(game) == esm(game).value == 3
    assert saddle_points(form)


def test_figure_8_strategies():
    tree = figure("8")
    listed = [written(s, "12345") for s in strategies(tree)]
    assert listed == [
        "(1, 1, 1, _, _)", "(1, 2, 1, _, _)", "(1, 1, 2, _, _)", "(1, 2, 2, _, _)",
        "(2, _, _, 1, 1)", "(2, _, _, 2, 1)", "(2, _, _, 1, 2)", "(2, _, _, 2, 2)",
    ]  # fmt: skip
    assert count_strategies(tree.root) == count_alternating(2, 2) == 8


@pytest.mark.parametrize(
    ("branching", "levels"), [(1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (4, 2)]
)
def test_section_4_5_counts(branching, levels):
    def grow(level: int, mine: bool) -> str:
        if level == 0:
            return "0"
        inside = " ".join([grow(level - mine, not mine)] * branching)
        return f"[{inside}]" if mine else f"({inside})"

    assert count_by_recurrence(branching, levels) == count_alternating(branching, levels)
    if branching**levels < 100:
        first, second = flat_tree(grow(levels, True)), flat_tree(grow(levels, False))
        assert count_strategies(first.root) == count_alternating(branching, levels)
        assert count_strategies(second.root) == count_alternating(branching, levels, False)


# --- section 5: scoring functions


def test_figure_9_scores():
    tree = figure_9([(1, 1, 0), (3, 0, 0), (0, 1, 1)])
    assert move_scores(tree.root, (1, 1, 2)) == [2, 3, 3]
    assert move_scores(tree.root, (1, 1, 2), by_best_count) == [1, 1, 2]
    assert move_scores(tree.root, (1, 1, 2), by_mean_above(2)) == [0, 3, 0]


# --- section 6: strategy fusion


@pytest.mark.parametrize("score", SCORES)
def test_figure_10_scores_both_branches_the_same(score):
    tree = figure("10")
    assert count_strategies(tree.root) == count_strategies(figure("7").root) + 1
    best = esm(tree)
    assert best.value == 1
    assert best.strategies == ({"d": 1, "f": 0},)
    assert minimax(tree.root.children[0]) == minimax(tree.root.children[1]) == (1,) * 5
    for size in range(1, 6):
        for seen in combinations(range(5), size):
            weights = tuple(int(w in seen) for w in range(5))
            assert len(set(move_scores(tree.root, weights, SCORES[score]))) == 1


@pytest.mark.parametrize("score", SCORES)
def test_figure_11a_exhaustive_minimaxing_is_always_wrong(score):
    tree = figure("11a")
    assert esm(tree).value == F(3, 5)
    assert esm(tree).strategies == ({"d": 1, "f": 0},)
    assert best_moves(move_scores(tree.root, tree.weights, SCORES[score])) == [0]
    for size in range(1, 6):
        for seen in combinations(range(5), size):
            weights = tuple(int(w in seen) for w in range(5))
            best = best_moves(move_scores(tree.root, weights, SCORES[score]))
            lucky = not {0, 1} & set(seen)  # then it has to guess
            assert best == ([0, 1] if lucky else [0])


def test_figure_11b_looks_the_same_and_is_not():
    one, other = figure("11a"), figure("11b")
    for left, right in zip(one.root.children, other.root.children, strict=True):
        assert minimax(left) == minimax(right)
    assert {s["d"] for s in esm(one).strategies} == {1}
    assert {s["d"] for s in esm(other).strategies} == {0}
    assert esm(other).value > F(3, 5)


def test_figures_10_and_11_are_diagnosed_as_strategy_fusion():
    for number in ("10", "11a"):
        diagnosis = diagnose(figure(number), plan_repeated(figure(number)))
        assert (diagnosis.claimed, diagnosis.achieved) == (1, F(1, 5))
        first = diagnosis.findings[0]
        assert (first.fault, first.node, first.chosen, first.better) == (
            Mishandling.FUSION,
            "d",
            0,
            1,
        )
        assert diagnosis.fused == ("b", "c")
        for plan in (plan_vector, plan_reduction, plan_local, plan_exact):
            assert diagnose(figure(number), plan(figure(number))).optimal
    inflated = diagnose(figure("11b"), plan_repeated(figure("11b")))
    assert inflated.optimal
    assert inflated.fused == ("b", "c")
    assert "inflated by strategy fusion" in inflated.words()


def test_figure_15_at_the_root_the_choice_is_seen():
    tree = figure("15")
    assert tree.root == subtree(figure("7"), "b").root
    assert mm(tree) == 1
    assert max(move_scores(tree.root, tree.weights)) == 3 < tree.total
    assert plan_repeated(tree).claimed == F(3, 5)


# --- section 7: non-locality


@pytest.mark.parametrize("score", SCORES)
def test_figure_17_exhaustive_minimaxing_picks_1_1(score):
    tree = figure("17")
    assert written(plan_repeated(tree, SCORES[score]).strategy, "bc") == "(1, 1)"
    assert {written(s, "bc") for s in esm(tree).strategies} == {"(1, 2)", "(2, 1)"}


def test_figure_17_exact_local_values_do_not_help():
    tree = figure("17")
    for plan in (plan_repeated(tree), plan_vector(tree), plan_local(tree)):
        diagnosis = diagnose(tree, plan)
        assert diagnosis.faults == {Mishandling.NON_LOCALITY}
        assert {f.node for f in diagnosis.findings} == {"b", "c"}
    at_c = next(f for f in diagnose(tree, plan_vector(tree)).findings if f.node == "c")
    assert "in w4 and w5" in at_c.text
    assert "turning off at a" in at_c.text


def test_figure_17_payoff_reduction_fails_too():
    """Not in the paper: nothing is lost double dummy at a, so there is nothing to reduce."""
    tree = figure("17")
    assert outcome(tree, plan_reduction(tree).strategy) == (0, 0, 1, 0, 0)


def test_figure_18_a_payoff_elsewhere_turns_the_choice():
    values = [(1, 1, 1, 0), (0, 0, 1, 1)]
    assert plan_vector(figure_9(values)).strategy == {"move": 0}
    tree = figure_18(values, elsewhere=(0, 0, 1, 1))
    assert plan_vector(tree).strategy == {"n": 0}
    assert plan_exact(tree).strategy == {"n": 1}


def test_figure_19_same_left_subtree_opposite_best_choice():
    one, other = figure("19a"), figure("19b")
    assert one.root.children[0] == other.root.children[0]
    assert [s["b"] for s in esm(one).strategies] == [0]
    assert [s["b"] for s in esm(other).strategies] == [1]
    for tree in (one, other):
        results = sorted(outcome(tree, s) for s in strategies(tree))
        assert results[0] == (0, 0)
        assert sum(results[1]) == 1
    wrong = [
        diagnose(t, p(t)).optimal
        for p in (plan_vector, plan_local, plan_repeated)
        for t in (one, other)
    ]
    assert wrong == [True, False] * 3
    assert all(diagnose(t, plan_reduction(t)).optimal for t in (one, other))


def test_prose_fixes_figure_19_up_to_the_names_of_the_worlds():
    fits = []
    singles = [v for v in product((0, 1), repeat=2) if sum(v) == 1]
    for left, right in product(singles, repeat=2):
        for c_one, c_other in product(product((0, 1), repeat=2), repeat=2):

            def meet(x, y):
                return tuple(map(min, x, y))

            if (
                any(meet(left, c_one))
                and not any(meet(right, c_one))
                and any(meet(right, c_other))
                and not any(meet(left, c_other))
            ):
                fits.append((left, right, c_one, c_other))
    assert fits == [((0, 1), (1, 0), (0, 1), (1, 0)), ((1, 0), (0, 1), (1, 0), (0, 1))]


def test_figures_20_to_22_the_finesse_of_the_7_is_right_in_context():
    alone, below = figure("21"), figure("22")
    assert move_scores(alone.root, (1,) * 8) == [6, 7]
    assert plan_exact(alone).strategy == {"tactic": 1}
    assert plan_exact(below).strategy == {"tactic": 0}
    for plan in (plan_repeated(below), plan_vector(below), plan_local(below)):
        (finding,) = diagnose(below, plan).findings
        assert finding.fault is Mishandling.NON_LOCALITY
        assert "in Q5 and 5 MIN" in finding.text
    assert plan_reduction(below).strategy == {"tactic": 0}


def test_game_titles_do_not_matter_for_equality():
    assert StrategicGame(figure_1().root, "another title") == figure_1()


def test_unknown_figure():
    with pytest.raises(ValueError, match=r"no tree for Fig\. 12"):
        figure("12")
