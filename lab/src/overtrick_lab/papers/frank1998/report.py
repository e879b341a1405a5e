"""The tree results of Frank & Basin 1998 worked out again: figure, claim, computed, agrees?
The card examples of the paper come from other rooms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from overtrick_lab.papers.frank1998.diagnosis import Diagnosis, diagnose
from overtrick_lab.papers.frank1998.esm import BestDefence, esm, esm_of
from overtrick_lab.papers.frank1998.flat import FlatTree, flatten, outcome, value
from overtrick_lab.papers.frank1998.fronts import front, plan_exact, plan_local, solve
from overtrick_lab.papers.frank1998.game import information_sets
from overtrick_lab.papers.frank1998.minimaxing import (
    MaxPlan,
    Score,
    best_moves,
    by_best_count,
    by_mean,
    by_mean_above,
    minimax,
    mm,
    move_scores,
    plan_reduction,
    plan_repeated,
    plan_vector,
)
from overtrick_lab.papers.frank1998.normal import majorant, minorant, mixed_value, normal_form
from overtrick_lab.papers.frank1998.paper import (
    FIGURE_5_STRATEGY,
    FIGURES,
    figure,
    figure_1,
    figure_9,
    figure_18,
)
from overtrick_lab.papers.frank1998.strategies import (
    count_alternating,
    count_by_recurrence,
    count_strategies,
    strategies,
)
from overtrick_lab.papers.frank1998.tree import Chance, ChoiceNode, MaxMin, Vector, written

SCORES: dict[str, Score] = {
    "mean": by_mean,
    "best in most worlds": by_best_count,
    "mean above a floor": by_mean_above(1),
}
PLANNERS: dict[str, Callable[[FlatTree], MaxPlan]] = {
    "minimaxing": plan_repeated,
    "local": plan_local,
    "vector": plan_vector,
    "reduction": plan_reduction,
    "exact": plan_exact,
}


@dataclass(frozen=True, slots=True)
class StatementRow:
    """One statement of the paper and what we compute.

    `given` marks statements from which the tree itself was rebuilt: they agree by construction.
    """

    figure: str
    claim: str
    computed: str
    agrees: bool
    given: bool = False

    def verdict(self) -> str:
        """yes, no, or why yes is no surprise."""
        if not self.agrees:
            return "**no**"
        return "yes (tree rebuilt from this)" if self.given else "yes"


def tree_rows() -> list[StatementRow]:
    """All statements of the paper about its trees, in the paper's order."""
    return [
        *_extensive_form(),
        *_exhaustive(),
        *_counting(),
        *_fusion(),
        *_non_locality(),
    ]


def algorithm_rows() -> list[tuple[str, Diagnosis]]:
    """Every algorithm on every tree that has payoffs."""
    trees = [(f.number, f.tree()) for f in FIGURES if f.number not in ("8", "17")]
    return [
        (number, diagnose(tree, make(tree))) for number, tree in trees for make in PLANNERS.values()
    ]


def markdown() -> str:
    """The whole report as Markdown."""
    lines = ["| Fig. | claim | computed | agrees |", "|---|---|---|---|"]
    lines += [f"| {r.figure} | {r.claim} | {r.computed} | {r.verdict()} |" for r in tree_rows()]
    lines += ["", "| Fig. | algorithm | claims | achieves | optimum | at fault |"]
    lines += ["|---|---|---|---|---|---|"]
    for number, d in algorithm_rows():
        told = "; ".join(f"{f.fault.value} at {f.node}" for f in d.findings)
        told = told or (f"claim inflated by fusion at {', '.join(d.fused)}" if d.fused else "")
        lines.append(
            f"| {number} | {d.algorithm} | {d.claimed} | {d.achieved} | {d.optimum} | {told} |"
        )
    lines += ["", "Where the payoffs come from (the text has no figures):", ""]
    lines += [f"- Fig. {f.number}, {f.shows}: {f.basis}." for f in FIGURES]
    return "\n".join(lines) + "\n"


def _bits(vector: Vector) -> str:
    return "[" + " ".join(str(p) for p in vector) + "]"


def _names(solution: BestDefence, sets: str) -> str:
    return " and ".join(sorted(written(s, list(sets)) for s in solution.strategies))


def _extensive_form() -> Iterator[StatementRow]:
    game = figure_1()
    assert isinstance(game.root, Chance)
    sizes = [len(nodes) for nodes in information_sets(game, MaxMin.MAX).values()]
    alone = all(len(nodes) == 1 for nodes in information_sets(game, MaxMin.MIN).values())
    yield StatementRow(
        "1",
        "five outcomes of the chance move; MIN always knows his node; MAX has two sets",
        f"{len(game.root.children)} outcomes; MIN's sets single: {alone}; MAX's sets hold {sizes}",
        len(game.root.children) == 5 and alone and sizes == [5, 5],
    )
    same = flatten(game) == figure("7")
    yield StatementRow(
        "7", "the same game as Fig. 1, flattened", f"flatten(Fig. 1) = Fig. 7: {same}", same
    )


def _exhaustive() -> Iterator[StatementRow]:
    game, tree = figure_1(), figure("7")
    root = game.root
    assert isinstance(root, Chance)
    deals: Vector = tuple(esm_of(child, FIGURE_5_STRATEGY) for child in root.children)
    total = esm_of(root, FIGURE_5_STRATEGY)
    yield StatementRow(
        "5",
        "strategy (1, 1) pays only in the third outcome: 1/5",
        f"{_bits(deals)}, {total}",
        deals == (0, 0, 1, 0, 0) and total == Fraction(1, 5),
        given=True,
    )
    results = {written(s, ["b", "c"]): outcome(tree, s) for s in strategies(tree)}
    said: dict[str, Vector] = {
        "(1, 2)": (1, 1, 0, 0, 0),
        "(2, 1)": (0, 0, 0, 1, 1),
        "(2, 2)": (0,) * 5,
    }
    for name, vector in said.items():
        paid = [tree.worlds[w] for w, p in enumerate(vector) if p]
        claim = f"strategy {name} pays in " + (" and ".join(paid) if paid else "no world")
        yield StatementRow("1, 7", claim, _bits(results[name]), results[name] == vector, given=True)
    yield from _against_minimaxing()


def _against_minimaxing() -> Iterator[StatementRow]:
    game = figure_1()
    best = esm(game)
    yield StatementRow(
        "4 on 1",
        "the best strategies are (1, 2) and (2, 1)",
        f"{_names(best, 'bc')}, worth {best.value}",
        _names(best, "bc") == "(1, 2) and (2, 1)",
    )
    form = normal_form(game)
    first, second, mixed = minorant(form), majorant(form), mixed_value(form)[0]
    yield StatementRow(
        "(5)",
        "exhaustive strategy minimisation computes max min K of the best-defence form",
        f"max min {first}; min max {second}; with mixed strategies {mixed}",
        first == best.value,
    )
    yield StatementRow(
        "6 on 1",
        "minimaxing never evaluates lower than the best strategy",
        f"mm {mm(game)} against {best.value}; all figures: "
        f"{all(mm(f.tree()) >= esm(f.tree()).value for f in FIGURES)}",
        all(mm(f.tree()) >= esm(f.tree()).value for f in FIGURES),
    )
    equal = [solve(f.tree()) == esm(f.tree()).value for f in FIGURES]
    widest = max(front(f.tree()).widest for f in FIGURES)
    yield StatementRow(
        "all",
        "(ours) the front of undominated vectors gives the value of exhaustive minimisation",
        f"equal on {sum(equal)} of {len(equal)} trees, widest front {widest}",
        all(equal),
    )


def _counting() -> Iterator[StatementRow]:
    tree = figure("8")
    listed = [written(s, list("12345")) for s in strategies(tree)]
    yield StatementRow(
        "8",
        "eight strategies, (1, 1, 1, _, _) to (2, _, _, 2, 2)",
        f"{len(listed)}, {listed[0]} to {listed[-1]}",
        len(listed) == 8 == count_strategies(tree.root) and listed[-1] == "(2, _, _, 2, 2)",
    )
    counts = [count_alternating(2, n) for n in range(1, 5)]
    yield StatementRow(
        "4.5",
        "g(n) = b g(n-1)^b = b^((b^n - 1)/(b - 1))",
        "b = 2: " + ", ".join(map(str, counts)),
        counts == [count_by_recurrence(2, n) for n in range(1, 5)] == [2, 8, 128, 32768],
    )


def _samples() -> Iterator[tuple[int, ...]]:
    """Every non-empty set of worlds that five-world sampling can come to see."""
    for size in range(1, 6):
        for seen in combinations(range(5), size):
            yield tuple(int(w in seen) for w in range(5))


def _children(tree: FlatTree) -> tuple[Vector, ...]:
    assert isinstance(tree.root, ChoiceNode)
    return tuple(minimax(child) for child in tree.root.children)


def _fusion() -> Iterator[StatementRow]:
    nine = figure_9([(1, 1, 0), (3, 0, 0), (0, 1, 1)])
    means, counts = (move_scores(nine.root, (1, 1, 2), s) for s in (by_mean, by_best_count))
    yield StatementRow(
        "9",
        "a move's score is its mean value, or the number of worlds where it is best",
        f"for values [1 1 0], [3 0 0], [0 1 1] and odds 1 1 2: {means} and {counts}",
        (means, counts) == ([2, 3, 3], [1, 1, 2]),
    )
    ten = figure("10")
    best = esm(ten)
    yield StatementRow(
        "10",
        "one strategy more than Fig. 7; the right-hand branch wins everywhere",
        f"{best.tried} strategies; best {_names(best, 'dbcf')}, worth {best.value}",
        best.tried == 5 and best.value == 1 and best.strategies[0]["d"] == 1,
        given=True,
    )
    level = all(len(set(move_scores(ten.root, w, s))) == 1
                for w in _samples() for s in SCORES.values())  # fmt: skip
    yield StatementRow(
        "10",
        "whatever the score and the sample, both branches score the same",
        f"equal in all 31 samples under all three scores: {level}",
        level,
    )
    yield from _figure_11()
    fifteen = figure("15")
    top = Fraction(max(move_scores(fifteen.root, fifteen.weights))) / fifteen.total
    yield StatementRow(
        "15",
        "at the root neither branch is valued 1, though the node's minimax value is 1",
        f"best branch {top}, minimax value {mm(fifteen)}",
        top < 1 == mm(fifteen),
    )


def _figure_11() -> Iterator[StatementRow]:
    a, b = figure("11a"), figure("11b")
    wrong = all(best_moves(move_scores(a.root, a.weights, s)) == [0] for s in SCORES.values())
    best_a, best_b = esm(a), esm(b)
    yield StatementRow(
        "11a",
        "right-hand branch best with 3 worlds; exhaustive minimaxing always goes left",
        f"best {best_a.value} to the right; all scores go left: {wrong}",
        wrong and best_a.value == Fraction(3, 5) and best_a.strategies[0]["d"] == 1,
    )
    guess = all(
        (1 in best_moves(move_scores(a.root, w, s))) == (w[0] + w[1] == 0)
        for w in _samples()
        for s in SCORES.values()
    )
    yield StatementRow(
        "11a",
        "a sample can go right only if it misses w1 and w2, and then by a guess",
        f"so in all 31 samples: {guess}",
        guess,
    )
    same = _children(a) == _children(b)
    yield StatementRow(
        "11b",
        "minimax values as in 11a, but left is best: no score is right in both",
        f"same values: {same}; best {best_b.value} to the left",
        same and {s["d"] for s in best_b.strategies} == {0},
        given=True,
    )


def _non_locality() -> Iterator[StatementRow]:
    tree = figure("17")
    picked = {written(plan_repeated(tree, s).strategy, ["b", "c"]) for s in SCORES.values()}
    yield StatementRow(
        "17",
        "exhaustive minimaxing plays (1, 1) under every score; (1, 2) and (2, 1) are best",
        f"plays {' or '.join(picked)}; best {_names(esm(tree), 'bc')}",
        picked == {"(1, 1)"} and _names(esm(tree), "bc") == "(1, 2) and (2, 1)",
    )
    local = diagnose(tree, plan_local(tree))
    yield StatementRow(
        "17",
        "exact values of the subtrees do not cure it",
        f"exact local choices achieve {local.achieved} of {local.optimum}: "
        + ", ".join(f"{f.fault.value} at {f.node}" for f in local.findings),
        not local.optimal,
    )
    values, elsewhere = [(1, 1, 1, 0), (0, 0, 1, 1)], (0, 0, 1, 1)
    alone, inside = plan_vector(figure_9(values)), plan_exact(figure_18(values, elsewhere))
    yield StatementRow(
        "18",
        "lower payoffs elsewhere can make another branch best",
        f"alone branch {alone.strategy['move'] + 1}, below MIN branch {inside.strategy['n'] + 1}",
        alone.strategy["move"] != inside.strategy["n"],
    )
    a, b = figure("19a"), figure("19b")
    best = [esm(t).strategies[0]["b"] + 1 for t in (a, b)]
    zero = [[value(t, outcome(t, s)) for s in strategies(t)].count(Fraction(0)) for t in (a, b)]
    yield StatementRow(
        "19",
        "same left subtree; left best in one tree, right in the other, the rest always lose",
        f"best branches {best[0]} and {best[1]}; losing strategies {zero[0]} and {zero[1]}",
        best == [1, 2] and zero == [1, 1],
        given=True,
    )
    yield from _tactics()


def _tactics() -> Iterator[StatementRow]:
    scores = move_scores(figure("21").root, (1,) * 8)
    yield StatementRow(
        "21",
        "the finesse of the J wins in 7 of 8 worlds, of the 7 in 6",
        f"{scores[1]} and {scores[0]}",
        scores == [6, 7],
        given=True,
    )
    alone, inside = plan_exact(figure("21")), plan_exact(figure("22"))
    took = ["7J"[plan.strategy["tactic"]] for plan in (alone, inside)]
    yield StatementRow(
        "20, 22",
        "alone the finesse of the J is best; once East's duck rules out Q5 and 5, that of the 7",
        f"alone finesse {took[0]} ({alone.claimed}); below East's choice finesse {took[1]} "
        f"({inside.claimed})",
        took == ["J", "7"],
    )
