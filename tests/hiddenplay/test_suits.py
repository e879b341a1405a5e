"""The game of hidden hands against linear programming, and what its analysis promises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from overtrick.game.cards import RANKS
from overtrick.hiddenplay import choice_words, solve
from overtrick.hiddenplay.regret import solve as solve_tree
from overtrick.hiddenplay.suits import SuitQuestion, SuitTree
from overtrick.suitplay import Holding, SuitError
from overtrick.suitplay import solve as solve_seen
from tests.hiddenplay.exact import solved


def small_suits(cards: int) -> Iterator[tuple[str, str, str]]:
    """Every way to share out the lowest `cards` cards: North's, South's and the defenders'.

    Where North and South change places nothing changes, so North has the higher first card.
    """
    for owners in product(range(3), repeat=cards):
        held = list(zip(RANKS, owners, strict=False))[::-1]
        north, south, missing = ("".join(r for r, o in held if o == k) for k in range(3))
        ours = [RANKS.index(hand[0]) if hand else -1 for hand in (north, south)]
        if missing and ours[0] > ours[1]:
            yield north, south or "-", missing


def check(north: str, south: str, missing: str) -> int:
    """Compare every open goal of a suit with the exact value; how many there were."""
    chances = solve_seen(north, south, missing=missing).chances
    goals = [k for k in range(1, len(chances)) if 0 < chances[k] < 1]
    for goal in goals:
        asked = SuitTree(SuitQuestion(Holding.parse(north, south, missing), goal))
        tree = asked.tree()
        value, _ = solved(tree)
        found = solve_tree(tree, 1e-6)
        assert found.low - 1e-7 <= value <= found.high + 1e-7, (north, south, missing, goal)
        assert found.gap <= 1e-4, (north, south, missing, goal)
        assert value >= chances[goal] - 1e-9  # who knows less defends no better
    return len(goals)


@pytest.mark.parametrize("cards", [4, 5])
def test_small_suits_have_their_exact_value(cards: int) -> None:
    assert sum(check(*suit) for suit in small_suits(cards)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("cards", [6, 7, 8])
def test_larger_suits_have_their_exact_value(cards: int) -> None:
    assert sum(check(*suit) for suit in small_suits(cards)) > 0


def test_the_nine_from_jack_nine_fourth_is_a_falsecard() -> None:
    """Without it the queen's side would be known: `plain` is what that would be worth."""
    suit = solve("K832", "AQT4", 4, opening="SA")
    assert suit.plain > suit.hidden + 0.02
    (nine,) = [c for c in suit.falsecards if c.held == "J9xx"]
    assert (nine.seat, nine.plain, dict(nine.cards)["E9"] > 1 / 3 - 0.01) == ("E", "E7–5", True)
    assert choice_words(nine).startswith("East with J9xx, after SA W7–5 N2: 9")


def test_who_sees_less_defends_no_better() -> None:
    for north, south in (("AJ9", "432"), ("AKJ9", "432"), ("KQT", "432")):
        suit = solve(north, south)
        assert suit.seen - 1e-4 <= suit.hidden <= suit.plain + 1e-4
        assert suit.low <= suit.high <= suit.low + 1e-3


def test_the_same_question_has_the_same_answer() -> None:
    assert solve("AKJ9", "432", 4) == solve("AKJ9", "432", 4)


@pytest.mark.parametrize("opening", ["SJ", "A", "SA SK", "SA N2 S4", ""])
def test_an_opening_that_cannot_be_is_refused(opening: str) -> None:
    with pytest.raises(SuitError):
        solve("K832", "AQT4", 4, opening=opening)
