"""No card is called what it is not: every name is held to its rule, all cards seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from overtrick.cardplay.carding import AGREEMENTS
from overtrick.cardplay.knowledge import CARDS, sample_worlds
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import situation
from overtrick.cardplay.why import known_count, safe_loss, tactic
from overtrick.game import Board, Decision, Meaning, Play, View, view_of
from overtrick.game.reasons import Reason
from overtrick.game.wording import words
from overtrick.table import play_table
from overtrick.table.seats import four
from tests.cardplay.helpers import contract_auction
from tests.cardplay.names import Moment, false_names, moments


@dataclass(frozen=True)
class Named:
    """Plays any card, and names it as players of ours do."""

    seed: int
    signals: str

    def play(self, view: View) -> Decision:
        rng = np.random.default_rng((self.seed, len(view.play.cards)))  # type: ignore[union-attr]
        at = situation(view)
        card, told = at.cards()[int(rng.integers(len(at.cards())))], None
        if not at.declaring and at.play.cards and rng.integers(2):
            suited = [c for c in at.cards() if c.suit == card.suit]
            card, told = signal(at, suited, AGREEMENTS[self.signals])
        reasons: list[Reason | None] = [told]
        if len(at.cards()) > 1 and view.dummy is not None:
            worlds = sample_worlds(at, 12, rng, CARDS)
            does = tactic(at, card, worlds)
            reasons += [does, safe_loss(at, does, worlds), known_count(at, card.suit)]
        return Decision(card, Meaning("any"), reasons=tuple(r for r in reasons if r is not None))


def played_anyhow(seed: int) -> list[tuple[Moment, Decision]]:
    """A board played at random, every card named."""
    board = Board.random(1, seed=seed)
    auction = contract_auction(3, seed % 5)
    assert auction.contract is not None
    player = Named(seed, sorted(AGREEMENTS)[seed // 5 % len(AGREEMENTS)])
    play = Play.of(auction.contract)
    decisions = []
    while not play.is_over:
        decisions.append(player.play(view_of(board, auction, play)))
        play = play.then(decisions[-1].card, board.deal[play.turn])
    out, before = [], Play.of(auction.contract)
    for index, decision in enumerate(decisions):
        rest = play.cards[index + 1 : 4 * (index // 4) + 4]
        out.append((Moment(board, before, decision.card, rest), decision))
        before = before.then(decision.card)
    return out


def complaints(found: list[tuple[Moment, Decision]]) -> list[str]:
    return [
        f"{m.play.strain} {m.play.tricks_played + 1} {m.seat}: {m.card} {words(reason)}"
        for m, decision in found
        for reason in false_names(m, decision.reasons)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_cards_played_anyhow_have_true_names(seed: int) -> None:
    assert complaints(played_anyhow(seed)) == []


@pytest.mark.slow
def test_many_boards_played_anyhow_have_true_names() -> None:
    assert [c for seed in range(5, 400) for c in complaints(played_anyhow(seed))] == []


@pytest.mark.slow
def test_sixty_boards_are_told_without_a_false_name() -> None:
    wrong = []
    for number in range(1, 61):
        engine = "rules+alphamu" if number % 4 == 0 else "rules+pimc(worlds=20)"
        board = Board.random(number % 16 + 1, seed=300 + number)
        state = play_table(board, four(engine, engine), seed=number)
        if state.play is not None:
            wrong += [f"board {number}, {c}" for c in complaints(list(moments(state)))]
    assert wrong == []
