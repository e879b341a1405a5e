"""Diagnosis beyond the paper's trees, drawing, and the report."""

from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest

from overtrick_lab.papers.frank1998 import (
    MaxMin,
    Mishandling,
    diagnose,
    draw,
    flat_tree,
    front,
    fusion_nodes,
    plan_repeated,
    plan_vector,
    sample_worlds,
)
from overtrick_lab.papers.frank1998.minimaxing import MaxPlan
from overtrick_lab.papers.frank1998.paper import FIGURES, figure, figure_1
from overtrick_lab.papers.frank1998.report import algorithm_rows, markdown, tree_rows
from overtrick_lab.papers.frank1998.tree import choices

SVG = "{http://www.w3.org/2000/svg}"


def test_fusion_nodes_name_the_branch_for_each_world():
    told = fusion_nodes(figure("7"))
    assert told == {
        "b": "branch 1 in w1, w2 and w3, branch 2 in w4 and w5",
        "c": "branch 1 in w3, w4 and w5, branch 2 in w1 and w2",
    }
    assert fusion_nodes(figure("10"), {"d": 1, "f": 0}) == {}


def test_choices_that_must_change_together():
    """Each choice is best given the other; only both together reach the optimum."""
    tree = flat_tree("a( b[1100 0111] c[1100 0111] )")
    stuck = MaxPlan(
        "stuck",
        {"b": 0, "c": 0},
        Fraction(1, 2),
        {"b": (Fraction(1, 2), Fraction(3, 4)), "c": (Fraction(1, 2), Fraction(3, 4))},
    )
    (finding,) = diagnose(tree, stuck).findings
    assert (finding.fault, finding.node, finding.chosen) == (Mishandling.NON_LOCALITY, "a", None)
    assert "3/4 instead of 1/2" in finding.text


def test_a_sampled_plan_is_not_diagnosed():
    tree = figure("7")
    weights = sample_worlds(tree, 3, np.random.default_rng(0))
    assert sum(weights) == 3
    with pytest.raises(ValueError, match="sample"):
        diagnose(tree, plan_repeated(tree, weights=weights))


def test_words():
    words = diagnose(figure("11a"), plan_repeated(figure("11a"))).words()
    assert words.splitlines()[0] == "minimaxing: claims 1, achieves 1/5; the optimum is 3/5."
    assert (
        "Strategy fusion at d: branch 1 is valued 1, but no one strategy gets more than 2/5"
        in words
    )
    assert diagnose(figure("15"), plan_vector(figure("15"))).words().endswith("optimal.")


def test_front_lists_all_undominated_vectors():
    found = front(figure("7"))
    assert set(found.vectors) == {(0, 0, 1, 0, 0), (1, 1, 0, 0, 0), (0, 0, 0, 1, 1)}
    assert found.value == Fraction(2, 5)
    general = front(flat_tree("a[0,5,-1 2,2,1/2 1,4,-1]"))
    assert set(general.vectors) == {(0, 5, -1), (2, 2, Fraction(1, 2)), (1, 4, -1)}


@pytest.mark.parametrize("number", [f.number for f in FIGURES])
def test_drawings_have_a_shape_for_every_node(number):
    tree = figure(number)
    root = ElementTree.fromstring(draw(tree))
    minimum = len(choices(tree.root, MaxMin.MIN))
    assert len(root.findall(f"{SVG}circle")) == minimum
    texts = [t.text for t in root.findall(f"{SVG}text")]
    assert set(tree.worlds) <= set(texts)
    assert tree.title in texts
    width = float(root.attrib["width"])
    assert all(0 <= float(t.attrib["x"]) <= width for t in root.findall(f"{SVG}text"))


def test_drawing_of_figure_5_marks_the_strategy():
    plain, marked = draw(figure_1()), draw(figure_1(), {"b": 0, "c": 0}, {"a.w3": "pays"})
    assert plain.count('stroke-width="3.2"') == 0
    assert marked.count('stroke-width="3.2"') == 10  # two chosen branches in each of five deals
    assert "pays" in marked
    assert plain.count("stroke-dasharray") == 8  # two sets of five nodes
    assert plain.count("<polygon") == 1
    assert "&lt;" in draw(figure_1(), values={"a.w1": "<1"})


def test_report_agrees_with_the_paper_throughout():
    rows = tree_rows()
    assert [r for r in rows if not r.agrees] == []
    assert sum(not r.given for r in rows) >= 14
    told = {r.figure for r in rows}
    assert {"1", "5", "7", "8", "9", "10", "11a", "11b", "15", "17", "18", "19", "21"} <= told
    assert all(d.optimal for _, d in algorithm_rows() if d.algorithm == "exact")
    text = markdown()
    assert "**no**" not in text
    assert "strategy fusion at d" in text
