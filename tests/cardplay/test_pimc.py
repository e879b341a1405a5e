"""Sampled play: legal from every seat, finesses the right way, words and numbers that agree."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.cardplay import check_player, player
from overtrick.cardplay.carding import SILENT, STANDARD, Carding, lead_card
from overtrick.cardplay.knowledge import CARDS, evidence, sample_worlds
from overtrick.cardplay.leadrules import rule_lead
from overtrick.cardplay.review import review_play
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import situation
from overtrick.cardplay.values import imp_table, look, score_table, scored, worths
from overtrick.game import (
    Auction,
    Board,
    Card,
    Deal,
    Hand,
    OptionError,
    Play,
    Seat,
    Strain,
    Suit,
    view_of,
)
from overtrick.game.reasons import Remark, Says, Signal
from tests.cardplay.helpers import contract_auction, random_ending


@pytest.mark.parametrize(
    "spec",
    [
        "pimc(worlds=3)",
        pytest.param("pimc(worlds=3, objective=tricks, scoring=floor)", marks=pytest.mark.slow),
        "pimc(worlds=3, objective=matchpoints, scoring=best, knowledge=all)",
        pytest.param("pimc(worlds=3, knowledge=cards, signals=False)", marks=pytest.mark.slow),
    ],
)
def test_pimc_keeps_the_contract_of_a_player(spec: str) -> None:
    check_player(player(spec), boards=1, seed=1)


def test_the_name_makes_the_same_player_again() -> None:
    for spec in (
        "pimc(worlds=7, knowledge=all)",
        "alphamu(worlds=7, depth=3, plan=keep)",
        "alphamu(seconds=2, signals=False)",
        "exact(depth=3, seconds=2.5, signals=False)",
        "planner(plans=2, seed=5)",
    ):
        assert player(player(spec).name) == player(spec)


def test_yes_or_no_agrees_with_exact_numbers() -> None:
    for seed in range(8):
        board, play = random_ending(7, seed % 5, seed)
        at = situation(view_of(board, contract_auction(3, seed % 5), play))
        if not 0 < at.target <= at.left:
            continue
        worlds = sample_worlds(at, 20, np.random.default_rng(seed), CARDS)
        quick, slow = look(at, worlds), look(at, worlds, exact=True)
        assert slow.tricks is not None
        assert (quick.reached == (slow.tricks >= at.target)).all()


def test_the_points_are_placed_with_the_hand_that_opened() -> None:
    """East opened 1NT: the missing queen is his in most worlds, a coin without that."""
    deal = Deal.parse("N:KT84.432.A32.Q32 Q62.AKQJ5.K7.J54 AJ9.T76.Q654.AK6 753.98.JT98.T987")
    board = Board.numbered(1, deal)
    auction = Auction.parse("1NT 2D Pass Pass Pass", Seat.EAST)
    play = Play(Strain.DIAMONDS, Seat.WEST, (Card.parse("H9"),))
    view = view_of(board, auction, play)
    at = situation(view)
    queen = np.uint64(int(Card.parse("SQ")))
    share = {}
    for name in ("cards", "auction"):
        worlds = sample_worlds(at, 1000, np.random.default_rng(0), evidence(name))
        share[name] = worlds.shares @ (worlds.deals[:, Seat.EAST] >> queen & np.uint64(1))
    assert 0.35 < share["cards"] < 0.65
    assert share["auction"] > 0.75


def test_decisions_carry_their_numbers() -> None:
    board, play = random_ending(8, Strain.NT, 4)
    decision = player("pimc(worlds=20)").play(view_of(board, contract_auction(3, 4), play))
    assert 0 < decision.worlds <= 20
    assert decision.why
    assert decision.card in {c.action for c in decision.candidates}
    assert all(0 <= c.details["chance"] <= 1 for c in decision.candidates)
    assert decision.to_dict()["engine"].startswith("pimc")


def test_a_forced_card_takes_no_thought() -> None:
    board, play = random_ending(1, Strain.NT, 1)
    decision = player("pimc").play(view_of(board, contract_auction(3, 4), play))
    assert decision.reasons == (Remark.ONLY_CARD,)
    assert decision.worlds == 0


def test_the_three_scoring_functions() -> None:
    payoff = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.5]])
    even = np.full(3, 1 / 3)
    assert scored(payoff, even, "mean").argmax() == 0
    assert scored(payoff, even, "best").argmax() == 0
    assert scored(payoff, even, "floor", 1.0).argmax() == 1
    with pytest.raises(OptionError):
        scored(payoff, even, "median")  # type: ignore[arg-type]


def test_scores_rise_with_tricks_for_both_sides() -> None:
    for seed in range(6):
        board, play = random_ending(6, seed % 5, seed)
        at = situation(view_of(board, contract_auction(3, seed % 5), play))
        assert (np.diff(score_table(at)) >= 0).all()
        assert imp_table(at)[min(max(at.target, 0), at.left)] == 0
        assert (np.diff(imp_table(at)) >= 1).all()  # there is no trick that pays nothing


def test_matchpoints_and_tricks_are_solved_exactly() -> None:
    board, play = random_ending(6, Strain.NT, 2)
    at = situation(view_of(board, contract_auction(3, 4), play))
    worlds = sample_worlds(at, 10, np.random.default_rng(0), CARDS)
    for objective in ("tricks", "matchpoints"):
        found = worths(at, look(at, worlds, exact=True), objective)  # type: ignore[arg-type]
        assert all(w.tricks is not None for w in found)
        assert found[0].value == max(w.value for w in found)


@pytest.mark.parametrize(
    ("suit", "nt", "trumps"),
    [
        ("KJ852", "S5", "S5"),
        ("QJT5", "SQ", "SQ"),
        ("A9742", "S4", "SA"),
        ("K73", "S3", "S3"),
        ("86", "S8", "S8"),
        ("9752", "S7", "S7"),
        ("AQJT3", "SQ", "SA"),
    ],
)
def test_lead_conventions(suit: str, nt: str, trumps: str) -> None:
    holding = list(Hand.parse(f"{suit}..."))
    assert lead_card(holding, trumps=False).ascii == nt
    assert lead_card(holding, trumps=True).ascii == trumps


def test_third_and_fifth() -> None:
    holding = list(Hand.parse("KJ852..."))
    assert lead_card(holding, Carding(small="third-fifth"), trumps=False).ascii == "S2"


def test_count_is_given_on_declarers_suit() -> None:
    deal = Deal.parse("N:AKQ.432.5432.AQJ 8642.AKQ.QJT.K32 JT9.765.AK76.T98 753.JT98.98.7654")
    board = Board.numbered(1, deal)
    play = Play(Strain.NT, Seat.NORTH, (Card.parse("SA"),))
    auction = Auction.parse("1NT Pass Pass Pass", Seat.WEST)
    view = view_of(board, auction, play, seat=Seat.EAST)
    from dataclasses import replace

    at = situation(replace(view, dummy=deal[Seat.SOUTH]), on_turn=False)
    at = replace(at, legal=deal[Seat.EAST].suit(3).bits)
    cards = at.cards()
    assert signal(at, cards, SILENT)[0].ascii == "S2"
    assert signal(at, cards, STANDARD)[0] in cards


def test_a_lead_for_a_ruff_shows_where_the_entry_is() -> None:
    """West leads clubs for East to ruff again; spades are better than diamonds."""
    deal = Deal.parse("N:K32.KJ42.KQ2.K32 T987.75.J98765.6 QJ4.AQT98.AT.QJT A65.63.43.A98754")
    board = Board.numbered(1, deal)
    auction = contract_auction(4, Strain.HEARTS)
    play = Play(Strain.HEARTS, Seat.WEST)
    ruffed = ("CA", "C2", "C6", "CT", "C8", "CK", "H5", "CJ", "ST", "S4", "SA", "S2")
    for card in ruffed:
        play = play.then(Card.parse(card), board.deal[play.turn])
    at = situation(view_of(board, auction, play))
    clubs = [c for c in at.cards() if c.suit == 0]
    high, tells = signal(at, clubs, STANDARD)
    assert (high.ascii, tells) == ("C9", Signal(Says.ASKS_FOR, Suit.SPADES))
    assert signal(at, clubs, Carding(preference=False))[1] is None


def test_rule_leads_are_legal_and_sensible() -> None:
    for seed in range(20):
        board = Board.random(1, seed=seed)
        auction = contract_auction(3, seed % 5)
        assert auction.contract is not None
        view = view_of(board, auction, Play.of(auction.contract))
        assert rule_lead(view, STANDARD) in view.hand


def test_a_review_has_every_card() -> None:
    board, _ = random_ending(13, Strain.NT, 3)
    auction = contract_auction(3, Strain.NT)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    while not play.is_over:
        play = play.then(play.legal_cards(board.deal[play.turn]).cards()[-1])
    found = review_play(board, auction, play, worlds=0)
    assert len(found) == 52
    assert sum(r.dd_cost for r in found) > 0
    ending = review_play(board, auction, play, worlds=0)
    assert [r.card for r in ending] == list(play.cards)


@pytest.mark.parametrize("kind", ["pimc", "alphamu"])
def test_a_clock_that_cuts_in_says_so(kind: str) -> None:
    """With no time at all a card is played from one solved world, the first one from none; with
    enough nothing is cut."""
    board, auction = Board.random(3, seed=3), contract_auction(3, 4)
    hurried, calm = (player(f"{kind}(worlds=12, seconds={s})") for s in (1e-9, 1e9))
    contract = auction.contract
    assert contract is not None
    play = Play.of(contract)
    chosen = 0
    for card in range(30):
        view = view_of(board, auction, play)
        quick = hurried.play(view)
        if quick.candidates and len({c.value for c in quick.candidates}) > 1:
            chosen += 1
            assert quick.cut
            assert Remark.CUT_SHORT in quick.reasons
        if card > 24:
            assert not calm.play(view).cut
        play = play.then(quick.card, board.deal[play.turn])
    assert chosen > 5


def test_early_cards_may_have_worlds_of_their_own() -> None:
    robot = player("pimc(worlds=6, early=2)")
    assert robot.name == "pimc(worlds=6, early=2)"
    auction = contract_auction(3, Strain.NT)
    for left, worlds in ((12, 2), (11, 6)):
        board, play = random_ending(left, Strain.NT, seed=4)
        assert robot.play(view_of(board, auction, play)).worlds == worlds
    with pytest.raises(OptionError, match="early"):
        player("pimc(early=-1)")
    assert player("pimc(ties=3)").name == "pimc(worlds=100, ties=3)"
    with pytest.raises(OptionError, match="ties"):
        player("pimc(ties=-1)")
