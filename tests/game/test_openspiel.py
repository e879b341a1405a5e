"""OpenSpiel's bridge as the witness for the rules: legal calls, legal cards, turns and scores.
A few hundred boards every time; the 10,000 of the issue under `make slow`."""

from __future__ import annotations

import random
from typing import Any

import pytest

from overtrick.game import Auction, Deal, Play, Seat, Vulnerability, score

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel is in the dev extra")

FIRST_CALL = 52  # OpenSpiel's number of Pass; X, XX and the bids follow in our order


def to_card(action: int) -> int:
    """OpenSpiel counts cards rank by rank, clubs first: 4 * rank + suit."""
    return action % 4 * 13 + action // 4


def to_action(card: int) -> int:
    return card % 13 * 4 + card // 13


def game_of(vul: Vulnerability) -> Any:
    """OpenSpiel's dealer is always North."""
    return pyspiel.load_game(
        "bridge",
        {
            "use_double_dummy_result": False,
            "dealer_vul": vul.of(Seat.NORTH),
            "non_dealer_vul": vul.of(Seat.EAST),
        },
    )


def dealt(game: Any, deal: Deal) -> Any:
    """A state with these hands; cards go to N, E, S, W in turn."""
    state = game.new_initial_state()
    hands = [hand.cards() for hand in deal]
    for i in range(52):
        state.apply_action(to_action(hands[i % 4][i // 4]))
    return state


def random_auction(state: Any, rng: random.Random) -> Auction:
    """A random auction in both, with the same legal calls at every point."""
    auction = Auction(Seat.NORTH)
    while not auction.is_over:
        legal = auction.legal_calls()
        assert [c + FIRST_CALL for c in legal] == state.legal_actions()
        assert state.current_player() == auction.turn
        # Mostly passes, low bids and doubles: auctions of all lengths, contracts of all levels.
        weights = [6.0 if c == 0 else 3.0 if c < 3 else 2.0 / (i + 1) for i, c in enumerate(legal)]
        call = rng.choices(legal, weights)[0]
        auction = auction.then(call)
        state.apply_action(call + FIRST_CALL)
    return auction


def random_play(state: Any, deal: Deal, auction: Auction, rng: random.Random) -> Play:
    contract = auction.contract
    assert contract is not None
    play = Play.of(contract)
    while not play.is_over:
        legal = play.legal_cards(deal[play.turn]).cards()
        assert sorted(map(to_action, legal)) == state.legal_actions()
        assert state.current_player() == play.controller
        card = rng.choice(legal)
        play = play.then(card, deal[play.turn])
        state.apply_action(to_action(card))
    return play


def agree(boards: int, seed: int) -> int:
    """Play random boards through in both; returns how many had a play."""
    rng = random.Random(seed)
    games = [game_of(vul) for vul in Vulnerability]
    played = 0
    for i in range(boards):
        vul, deal = Vulnerability(i % 4), Deal.random(rng)
        state = dealt(games[vul], deal)
        auction = random_auction(state, rng)
        tricks = 0
        if not auction.is_passed_out:
            tricks = random_play(state, deal, auction, rng).declarer_tricks
            played += 1
        assert state.is_terminal()
        ns = score(auction.contract, tricks, vul)
        assert state.returns() == [ns, -ns, ns, -ns]
    return played


def test_rules_and_scores_agree_on_some_boards() -> None:
    assert agree(400, seed=1) > 300


@pytest.mark.slow
def test_rules_and_scores_agree_on_ten_thousand_boards() -> None:
    assert agree(10_000, seed=2) > 9_000


def test_cards_go_there_and_back() -> None:
    assert [to_card(to_action(card)) for card in range(52)] == list(range(52))
