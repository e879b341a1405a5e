"""The paper's card examples: what it says of each card is what comes out."""

from __future__ import annotations

import pytest

from overtrick.game import Card
from overtrick_lab.papers.frank1998 import cards
from overtrick_lab.papers.frank1998.minimaxing import average, plan_propagated, product
from overtrick_lab.papers.frank1998.paper import figure


def test_figure_3_split_by_split() -> None:
    text = cards.figure_3()
    for split, share in zip(range(7), cards.PAPER_SPLITS, strict=True):
        assert f"| {split}–{6 - split} |" in text
        assert f"| {share:.3f} | {share:.3f} |" in text


def test_figures_12_and_13_strategy_fusion() -> None:
    assert cards.figure_12_anyhow() == 1
    assert max(cards.figure_12().values()) < 1
    seen = cards.figure_13()
    assert seen[Card.parse("SA")] == seen[Card.parse("HA")] == 1
    assert max(seen[Card.parse("DA")], seen[Card.parse("CA")]) < 1
    assert max(cards.figure_13_after_the_heart(suit) for suit in (0, 1)) < 1


def test_figure_14_every_card_but_the_ace_and_the_king_keeps_the_illusion() -> None:
    for who, (share, best) in cards.figure_14().items():
        assert (share == 1) == (who not in ("North K", "South A"))
        assert best == pytest.approx(0.5283, abs=1e-4)


def test_figure_16_only_the_top_spades_are_seen_to_lose() -> None:
    for card, share in cards.figure_16(20).items():
        assert (share == 1) == (card.ascii not in ("SA", "SK"))


@pytest.mark.parametrize("rule", [average, product])
def test_no_rule_of_propagation_is_right_in_both_trees_of_figure_19(rule) -> None:  # type: ignore[no-untyped-def]
    left, right = (plan_propagated(figure(n), rule).strategy["b"] for n in ("19a", "19b"))
    assert left == right
