"""PIMC, vector minimaxing and payoff reduction beside the exact solver."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.suitplay.holding import Holding
from overtrick_lab.papers.frank1998.algorithms import (
    Averaging,
    FilteredReplanning,
    PayoffReduction,
    Replanning,
    SuitProblem,
    VectorMinimaxing,
    compare,
    double_dummy,
    exact,
    random_problems,
)


def test_a_two_way_finesse_looks_certain_double_dummy() -> None:
    game = SuitProblem(Holding.parse("KJTx", "A98x"), 4).game()
    assert double_dummy(game, 4) == pytest.approx(1)
    assert exact(game, 4) == pytest.approx(0.5283, abs=1e-4)
    for player in (Averaging, VectorMinimaxing, PayoffReduction):
        assert player(game).value(4) <= exact(game, 4) + 1e-12


def test_non_locality_of_fig_22() -> None:
    """Vector minimaxing misjudges the position after 6-K-A; payoff reduction does not."""
    game = SuitProblem(Holding.parse("J876", "AT32"), 3).game()
    best = exact(game, 3)
    assert best == pytest.approx(0.4604, abs=1e-4)
    assert VectorMinimaxing(game).value(3) < best - 1e-6
    assert Averaging(game).value(3) < best - 1e-6


def test_order_of_the_algorithms() -> None:
    problems = [
        SuitProblem(Holding.parse("J876", "AT32"), 3), SuitProblem(Holding.parse("KJT5", "A982"), 4)
    ]  # fmt: skip
    scores = {s.algorithm: s for s in compare(problems)}
    assert scores["exact"].optimal == 1
    assert all(s.loss >= 0 for s in scores.values())
    assert scores["PIMC, all layouts"].loss > scores["payoff-reduction minimaxing"].loss


def test_random_problems_need_a_guess() -> None:
    (one,) = random_problems(np.random.default_rng(3), 1, cards=(6, 6))
    game = one.game()
    assert double_dummy(game, one.tricks) >= exact(game, one.tricks) + 0.005


def test_a_replanned_exact_search_loses_its_plan() -> None:
    game = SuitProblem(Holding.parse("J876", "AT32"), 3).game()
    assert Replanning(game).value(3) < exact(game, 3) - 1e-6
    assert Replanning(game).value(3) <= FilteredReplanning(game).value(3) <= exact(game, 3)
