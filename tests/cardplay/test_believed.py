"""A belief network weighs layouts where nobody explained the auction; whoever may have made the
calls is asked what they would have bid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnxruntime")

from overtrick.bidding import bid_board, bidder
from overtrick.bidding.policy import Policy
from overtrick.cardplay import player
from overtrick.cardplay.evidence import beliefs as beliefs_
from overtrick.cardplay.evidence import bidders, rules
from overtrick.cardplay.evidence.beliefs import belief_likelihood
from overtrick.cardplay.evidence.bidders import Mixture, mean_of, mixture_of
from overtrick.cardplay.evidence.ranges import Hands13, auction_likelihood
from overtrick.cardplay.evidence.rules import agreed_likelihood, believable, rules_likelihood
from overtrick.cardplay.knowledge import KINDS, funnel
from overtrick.cardplay.lead import lead_worlds
from overtrick.cardplay.review import without_auction
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import situation
from overtrick.cardplay.staged import staged_layouts
from overtrick.game import Board, Play, Seat, Systems, View, view_of
from overtrick.nets import belief as nets_belief
from overtrick.nets import inference
from overtrick.nets.belief import among
from overtrick.table import play_table, robot
from tests.cardplay.helpers import ByHand

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
    for module in (rules, beliefs_):
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
    holder = at.hidden[-1]
    card = max(c for c in range(52) if at.pool >> c & 1 and not at.barred[holder] >> c & 1)
    sure[card] = 1e-9
    sure[card, (holder - view.seat) % 4 - 1] = 1.0
    believing(monkeypatch, sure)
    kind, rng = replace(KINDS["all"], networks=False), np.random.default_rng(0)
    if cards:  # before touching cards are taken for one
        worlds = funnel(at, kind).drawn(40, rng)
    else:
        worlds = lead_worlds(at, 40, rng, kind)
    there = (worlds.deals[:, holder] >> np.uint64(card) & np.uint64(1)).astype(bool)
    assert float(worlds.shares[there].sum()) > 0.999


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
    assert believable(view, seat)
    assert (agreed_likelihood(view, seat, bits) != plain).any()
    assert (agreed_likelihood(view, seat, bits, 0.0) == plain).all()
    _, rules = learned(4, name="rules")
    assert not believable(rules, seat)
    assert not believable(replace(rules, systems=Systems()), seat)  # they explain what they bid
    contract = view.contract
    assert contract is not None
    made_up, nothing = without_auction(contract)
    bare = view_of(board, made_up, Play.of(contract), meanings=nothing)
    assert not believable(bare, seat)
    assert mixture_of(bare, seat) is None


def test_the_same_view_gets_the_same_card_whatever_was_asked_before() -> None:
    _, view = learned(4, 5)
    engine = player("pimc(worlds=10)")
    first = engine.play(view)
    nets_belief._believed.cache_clear()
    beliefs_._by_holding.cache_clear()
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
    assert not believable(view, seat)
    assert (agreed_likelihood(view, seat, bits) == auction_likelihood(view, seat, bits)).all()
    assert player("pimc(worlds=5)").play(view).card is not None


def test_learned_styles_are_asked_for_the_chances_of_their_calls() -> None:
    board, view = learned(4)
    at = situation(view)
    deals = np.array([[hand.bits for hand in board.deal.hands]], np.uint64)
    expected = 0.0
    for turn, call in enumerate(view.auction.calls):
        seat = view.auction.seat_of(turn)
        if seat in at.hidden:
            before = replace(view.auction, calls=view.auction.calls[:turn])
            seen = View(seat, board.deal[seat], before, view.vul, systems=view.systems)
            expected += np.log(0.999 * Policy().probabilities(seen)[call] + 0.001)
    found = sum(heard(view, s).likelihood(deals[:, s]) for s in at.hidden)
    assert np.allclose(found, expected, atol=0.05)  # the network is of eight bits
    assert expected > -1


def heard(view: View, seat: int) -> Mixture:
    found = mixture_of(view, Seat(seat))
    assert found is not None
    return found


def test_who_is_asked_follows_from_what_each_side_declared() -> None:
    _, view = learned(4)
    style = view.systems.ours
    ours, theirs = view.seat, Seat((view.seat + 1) % 4)
    told = replace(view, systems=Systems("two-over-one", style))
    assert heard(told, theirs).learned
    assert heard(told, ours).written
    assert [net.name for net in heard(told, theirs).readers] == ["policy_reader"]
    assert [net.name for net in heard(told, ours).readers] == ["partner_reader"]
    for nothing in ("", "home brew"):
        stranger = heard(replace(view, systems=Systems("two-over-one", nothing)), theirs)
        assert stranger.stranger
        assert not stranger.written
        assert stranger.worded.systems == Systems("two-over-one", "sayc")
        assert {net.name for net in stranger.readers} == {"partner_reader", "policy_reader"}
        assert stranger.bidder.name == "sl"
    assert mixture_of(replace(view, systems=Systems("natural", style)), ours) is None  # rules alone


def test_what_one_bidder_explains_is_explained() -> None:
    by_rules, judged = np.array([0.0, -9.0, -4.5]), np.array([-0.1, -0.5, -7.0])
    found = mean_of([by_rules, judged])
    assert np.allclose(np.exp(found), (np.exp(by_rules) + np.exp(judged)) / 2)
    assert found[1] > -1.3


def test_a_bidder_is_one_more_or_speaks_for_its_reader() -> None:
    """Where every layout has hope, the likelihood is the mean over all of them."""
    board, view = learned(5, name="rules")
    at = situation(view)
    seat = Seat(at.hidden[0])
    bits = deal_layouts(at, 30, np.random.default_rng(1))[:, seat] | np.uint64(at.shown[seat])
    bits[0] = board.deal[seat].bits
    written, flat = heard(view, seat), np.zeros(30)
    alone = replace(written, learned=True, readers=(written.bidder,))
    judges = replace(written, learned=True)
    every = [judges.by_readers(bits), alone.by_readers(bits), rules_likelihood(view, seat, bits)]
    found = written.by_readers(bits) + written.by_bidder(bits, flat)
    assert np.allclose(found, mean_of(every), atol=0.02)
    assert np.allclose(judges.by_readers(bits) + judges.by_bidder(bits, flat), every[1], atol=0.02)
    nobody = np.full(30, -99.0)
    nobody[3] = 0.0
    assert set(np.flatnonzero(written.by_bidder(bits, nobody))) <= {3}  # the others have no hope


def test_silence_is_not_a_made_up_auction() -> None:
    _, view = learned(4)
    seat = Seat((view.seat + 1) % 4)
    for said in ((), (None,) * len(view.auction.calls)):
        assert mixture_of(replace(view, systems=Systems(), meanings=said), seat) is not None


def gained(board: Board, view: View, seed: int) -> float:
    """Nats by which networks make the true layout likelier, beside random ones."""
    at = situation(view)
    true = np.array([[h.bits & ~at.play.state.played for h in board.deal.hands]], np.uint64)
    hands = np.concatenate([true, deal_layouts(at, 200, np.random.default_rng(seed))])
    kinds = KINDS["all"], replace(KINDS["all"], networks=False)
    logs = [funnel(at, kind).every(hands).logs for kind in kinds]
    asked, quick = (float(x[0] - np.log(np.exp(x[1:]).mean())) for x in logs)
    return asked - quick


@pytest.mark.parametrize("name", ["policy(net=sl)", "rules", "policy"])
def test_strangers_are_read_better_than_by_common_sense(name: str) -> None:
    gains = []
    for seed in (5, 8, 11, 13, 17, 20):
        board, view = learned(seed, name=name)
        gains.append(gained(board, replace(view, systems=Systems(), meanings=()), seed))
    assert np.mean(gains) > 0


def test_hands_that_the_rules_would_bid_otherwise_stay_possible() -> None:
    """The partner judges inside its system; the rules alone take some hands for hopeless."""
    seeds = (5, 8, 11, 13, 17, 20)
    assert min(gained(*learned(s, name="partner(batches=0)"), s) for s in seeds) > -4


def test_learned_styles_make_the_true_hands_likelier() -> None:
    """With every call asked, layouts that fit the auction come out; the truth is one of them."""
    gains = []
    for seed in range(4, 10):
        board, view = learned(seed)
        at = situation(view)
        true = np.array([[h.bits for h in board.deal.hands]], np.uint64)
        others = deal_layouts(at, 200, np.random.default_rng(seed)) | np.array(at.shown, np.uint64)
        deals, flat = np.concatenate([true, others]), np.zeros(201)
        logs = sum((heard(view, s).likelihood(deals[:, s]) for s in at.hidden), flat)
        gains.append(logs[0] - np.log(np.exp(logs[1:]).mean()))
    assert np.mean(gains) > 1


def test_drawing_from_a_belief_does_not_change_the_law_of_layouts() -> None:
    _, view = learned(4, 0)
    at = situation(view)
    beliefs = nets_belief.believed(view)
    assert beliefs is not None
    points = np.maximum(np.arange(52) % 13 - 8, 0)
    pool = np.array([bool(at.pool >> c & 1) for c in range(52)])
    wanted = {
        seat: float((points * pool) @ beliefs[:, (seat - view.seat) % 4 - 1]) + place - 1
        for place, seat in enumerate(at.hidden)
    }

    def likely(seat: Seat, bits: NDArray[np.uint64]) -> Floats:
        found: Floats = -0.1 * (Hands13(bits).hcp - wanted[seat]) ** 2.0
        return found

    means = []
    for drawn_from in (None, beliefs):
        found = staged_layouts(at, (ByHand(likely),), 1e9, np.random.default_rng(1), drawn_from)
        means.append([float(found.shares @ Hands13(found.deals[:, s]).hcp) for s in at.hidden])
    assert np.abs(np.subtract(*means)).max() < 0.35


def test_without_the_imitation_cards_are_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who wants no network that imitates another program deletes its file."""
    others = {name: path for name, path in inference.models().items() if name != "sl"}
    monkeypatch.setattr(inference, "models", lambda: others)
    monkeypatch.setattr(bidders, "models", lambda: others)
    board = Board.random(1, seed=3)
    state = play_table(board, [robot("rules+pimc(worlds=4, lead_worlds=2)")] * 4)
    assert state.rulings == ()
