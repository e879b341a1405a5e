"""Cost vectors: scores against the game's own scoring, IMP edges, kinds of contract."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.game.scoring import points as game_points
from overtrick_lab.training.uncontested.costs import (
    CATEGORIES,
    category,
    contract_name,
    cost_vectors,
    imps,
    score,
    scores,
)


@pytest.mark.parametrize("level", range(1, 8))
@pytest.mark.parametrize("strain", range(5))
def test_scores_agree_with_the_game(level: int, strain: int) -> None:
    for tricks in range(14):
        down = level + 6 - tricks
        doubled = 1 if down > 3 else 0
        assert score(level, strain, tricks) == game_points(level, strain, doubled, False, tricks)


def test_a_difference_on_an_edge_rounds_up() -> None:
    assert imps(np.array([0, 9, 10, 40, 41, 80, 3989, 3990])).tolist() == [0, 0, 1, 2, 2, 3, 23, 24]


def test_cost_of_known_tricks() -> None:
    tricks = np.array([[6, 7, 8, 10, 9]])  # ten tricks in spades, nine in notrump
    values = scores(tricks)[0]
    costs = cost_vectors(tricks)[0]
    assert contract_name(int(costs.argmin())) == "4S"
    assert values[19] == 420
    assert values[15] == 400
    assert costs[19] == 0
    assert costs[15] == 1
    assert costs[0] == 10
    assert costs.min() == 0
    assert costs.max() <= 24


def test_categories() -> None:
    rows = np.ones((5, 36))
    for row, contract in enumerate((0, 2, 15, 29, 35)):
        rows[row, contract] = 0
    assert [CATEGORIES[kind] for kind in category(rows)] == list(CATEGORIES)


def test_contract_names() -> None:
    assert [contract_name(c) for c in (0, 1, 5, 6, 35)] == ["Pass", "1C", "1NT", "2C", "7NT"]
    with pytest.raises(ValueError, match="36"):
        contract_name(36)
