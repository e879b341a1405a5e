"""A belief network weighs layouts where nobody explained the auction, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnxruntime")

from overtrick.bidding import bid_board, bidder
from overtrick.cardplay import agreed, believed, player
from overtrick.cardplay.agreed import agreed_likelihood, believable
from overtrick.cardplay.believed import belief_likelihood
from overtrick.cardplay.knowledge import KINDS, sample_worlds
from overtrick.cardplay.lead import lead_worlds
from overtrick.cardplay.reading import auction_likelihood
from overtrick.cardplay.review import without_auction
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.game import Board, Play, Seat, Systems, View, view_of
from overtrick.nets import belief as nets_belief
from overtrick.nets import inference
from overtrick.nets.belief import among

Floats = NDArray[np.float64]


def learned(seed: int, cards: int = 1, name: str = "policy") -> tuple[Board, View]:
    """A board that learned bidders bid, some cards played."""
    board = Board.random(seed=seed)
    who = bidder(name)
    auction, decisions = bid_board(board, [who] * 4)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    while len(play) < cards:
        play = play.then(play.legal_cards(board.deal[play.turn]).cards()[0])
    seat = play.controller
    told = tuple(d.meaning for d in decisions)
    systems = Systems(who.system, who.system)
    return board, view_of(board, auction, play, seat=seat, meanings=told, systems=systems)


def believing(monkeypatch: pytest.MonkeyPatch, beliefs: Floats | None) -> None:
    for module in (agreed, believed):
        monkeypatch.setattr(module, "believed", lambda view: beliefs)


def weight(view: View, hands: NDArray[np.uint64]) -> Floats:
    at = situation(view)
    logs = np.zeros(len(hands))
    for seat in at.hidden:
        logs += belief_likelihood(view, Seat(seat), hands[:, seat] | np.uint64(at.shown[seat]))
    return logs


@pytest.mark.parametrize("cards", [0, 1, 22])
def test_a_flat_belief_changes_nothing(monkeypatch: pytest.MonkeyPatch, cards: int) -> None:
    _, view = learned(4, cards)
    hands = deal_layouts(situation(view), 300, np.random.default_rng(0))
    assert np.ptp(weight(view, hands)) > 0.1
    believing(monkeypatch, np.full((52, 3), 1 / 3))
    assert np.abs(weight(view, hands)).max() < 1e-9


@pytest.mark.parametrize("cards", [0, 1, 22])
def test_a_card_that_is_surely_with_one_seat_is_with_it(
    monkeypatch: pytest.MonkeyPatch, cards: int
) -> None:
    _, view = learned(4, cards)
    at = situation(view)
    sure = np.full((52, 3), 1 / 3)
    card, holder = max(c for c in range(52) if at.pool >> c & 1), at.hidden[-1]
    sure[card] = 1e-9
    sure[card, (holder - view.seat) % 4 - 1] = 1.0
    believing(monkeypatch, sure)
    draw = lead_worlds if not cards else sample_worlds
    worlds = draw(at, 40, np.random.default_rng(0), KINDS["all"])
    there = (worlds.hands[:, holder] >> np.uint64(card) & np.uint64(1)).astype(bool)
    assert float(worlds.weights[there].sum()) > 0.999


def test_weights_are_the_sum_over_cards_of_logarithms() -> None:
    _, view = learned(4)
    beliefs = nets_belief.believed(view)
    assert beliefs is not None
    at = situation(view)
    hands = deal_layouts(at, 20, np.random.default_rng(0))
    columns = [(s - view.seat) % 4 - 1 for s in at.hidden]
    expected = np.zeros(len(hands))
    for row, layout in enumerate(hands):
        for column, seat in zip(columns, at.hidden, strict=True):
            for card in range(52):
                if (int(layout[seat]) | at.shown[seat]) >> card & 1:
                    share = beliefs[card, column] / beliefs[card, columns].sum()
                    expected[row] += np.log(len(columns) * share)
    assert np.allclose(weight(view, hands), expected)


def test_chances_among_some_players_are_shares_of_theirs() -> None:
    rng = np.random.default_rng(3)
    beliefs = rng.dirichlet([1, 1, 1], 52)
    unseen = rng.random(52) < 0.5
    found = among(beliefs[:, :2], unseen)
    assert (found[~unseen] == 1).all()
    assert np.allclose(found[unseen].sum(axis=1), 2)
    assert np.allclose(found[unseen, 0] / found[unseen, 1], beliefs[unseen, 0] / beliefs[unseen, 1])


def test_a_belief_is_asked_only_where_nobody_explained_anything() -> None:
    board, view = learned(4)
    at = situation(view)
    bits = deal_layouts(at, 50, np.random.default_rng(0))[:, at.hidden[0]]
    bits |= np.uint64(at.shown[at.hidden[0]])
    seat = Seat(at.hidden[0])
    plain = auction_likelihood(view, seat, bits)
    assert believable(view)
    assert (agreed_likelihood(view, seat, bits) != plain).any()
    assert (agreed_likelihood(view, seat, bits, 0.0) == plain).all()
    _, rules = learned(4, name="rules")
    assert not believable(rules)
    assert not believable(replace(rules, systems=Systems()))  # they explain what they bid
    contract = view.contract
    assert contract is not None
    made_up, nothing = without_auction(contract)
    assert not believable(view_of(board, made_up, Play.of(contract), meanings=nothing))


def test_the_same_view_gets_the_same_card_whatever_was_asked_before() -> None:
    _, view = learned(4, 5)
    engine = player("pimc(worlds=10)")
    first = engine.play(view)
    nets_belief._believed.cache_clear()
    believed._by_holding.cache_clear()
    engine.play(learned(6, 5)[1])
    again = engine.play(view)
    assert (again.card, again.candidates) == (first.card, first.candidates)


def test_without_the_package_that_runs_networks_ranges_have_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, view = learned(4)
    monkeypatch.setattr(nets_belief, "installed", lambda: False)
    assert inference.installed()
    at = situation(view)
    bits = deal_layouts(at, 50, np.random.default_rng(0))[:, at.hidden[0]]
    bits |= np.uint64(at.shown[at.hidden[0]])
    seat = Seat(at.hidden[0])
    assert not believable(view)
    assert (agreed_likelihood(view, seat, bits) == auction_likelihood(view, seat, bits)).all()
    assert player("pimc(worlds=5)").play(view).card is not None
