"""The twenty falsecard situations: every best strategy, by linear programming, and ours by name."""

from __future__ import annotations

import pytest

from overtrick.game.cards import RANKS
from overtrick.hiddenplay.regret import solve
from overtrick.hiddenplay.suits import SuitQuestion, SuitTree
from overtrick.hiddenplay.tree import DECLARER, InformationSet, Tree
from overtrick.suitplay import Holding
from tests.hiddenplay.exact import solved, weights
from tests.hiddenplay.situations import SITUATIONS, Situation


def _question(situation: Situation) -> SuitQuestion:
    """Declarer's first two cards are as the path has them."""
    first = situation.path.split()
    partner = next((c for c in first[1:4] if c[0] in "NS"), None)
    opening = (first[0][0], RANKS.index(first[0][1]), partner and RANKS.index(partner[1]))
    return SuitQuestion(
        Holding.parse(situation.north, situation.south),
        situation.tricks,
        situation.vacant,
        opening=opening,
        apart=situation.apart,
    )


def _cards(label: str) -> str:
    """The ranks a defender's card stands for: 8–5 is 8765."""
    name = label[1:]
    if "–" in name[1:]:
        high, low = RANKS.index(name[0]), RANKS.index(name[-1])
        return "".join(RANKS[low : high + 1])
    return name


def _world(tree: SuitTree, situation: Situation) -> int:
    """The layout in which the player asked about holds his cards."""
    seat = situation.path.split()[-1][0]
    groups = tree.layouts.groups
    mine = [sum(RANKS[r] in situation.held for r in group) for group in groups]
    east = mine if seat == "E" else [len(g) - n for g, n in zip(groups, mine, strict=True)]
    for layout in range(len(tree.layouts)):
        if tree.layouts.east_counts(layout) == tuple(east):
            return layout
    raise AssertionError(situation.name)


def choice_of(asked: SuitTree, tree: Tree, situation: Situation) -> list[int]:
    """The choices of the player asked about along the path; the last one is the question."""
    path = situation.path.split()
    seat = path[-1][0]
    world = _world(asked, situation) if situation.held else None
    found = []
    for sight in tree.sights:
        n = len(sight.path)
        if n >= len(path) or not all(_same(a, b) for a, b in zip(sight.path, path, strict=False)):
            continue
        mine = sight.actor == DECLARER if seat in "NS" else world in sight.worlds
        if sight.actor != DECLARER and "DWE"[sight.actor] != seat:
            continue
        if sight.actor == DECLARER and seat in "EW":
            continue
        if mine:
            found += _chosen(sight, path[n])
    return found


def _chosen(sight: InformationSet, card: str) -> list[int]:
    return [sight.first + i for i, label in enumerate(sight.cards) if _same(label, card)]


def _same(label: str, card: str) -> bool:
    if label[0] != card[0]:
        return False
    return label[1:] == card[1:] if label[0] in "NS" else card[1:] in _cards(label)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda s: s.name)
def test_best_strategies_play_as_theory_says(situation: Situation) -> None:
    asked = SuitTree(_question(situation))
    tree = asked.tree()
    choices = choice_of(asked, tree, situation)
    assert choices, "nobody has a choice there"
    value, _ = solved(tree)
    low, high = weights(tree, choices[-1], value)
    assert (low, high) == pytest.approx((situation.low, situation.high), abs=1e-4)
    found = solve(tree, 1e-6)
    weight = float(found.strategy[choices].prod())
    assert low - 0.01 <= weight <= high + 0.01
