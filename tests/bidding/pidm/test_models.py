"""Players: what they consider agrees with the rules engine; near, learned, silent and finite."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding import bid_board, bidder
from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.kernel.leaves import utility_of
from overtrick.bidding.pidm.models import DEFAULT_PRIORITY, PlayerModel
from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Board, Call, Hand, Seat
from overtrick.systems.explain import random_hands
from overtrick.systems.many import Pool
from overtrick.systems.nets import hands_actions, net_of
from overtrick.systems.refined import read_refinements

LTC = utility_of("ltc")


def player(**options: object) -> PlayerModel:
    return PlayerModel("two-over-one", utility=LTC, **options)  # type: ignore[arg-type]


def position(calls: str, dealer: int = 0, vul: int = 0) -> AuctionPosition:
    auction = Auction.parse(calls, Seat(dealer))
    return AuctionPosition(tuple(int(c) for c in auction.calls), dealer, vul)


@pytest.mark.parametrize("near", [0, 40])
def test_first_choices_are_the_rules_engines(near):
    engine, model = bidder("rules(system=two-over-one)"), player(near=near)
    for number in range(1, 9):
        board = Board.random(number, seed=number)
        auction, _ = bid_board(board, [engine] * 4)
        hands = np.array([h.bits for h in board.deal.hands], np.uint64)
        for turn, call in enumerate(auction.calls):
            at = AuctionPosition(
                tuple(int(c) for c in auction.calls[:turn]), board.dealer, board.vul
            )
            found = model.selection(at, hands)
            assert int(found.first[at.turn]) == int(call)
            assert found.allowed[at.turn, int(call)]
            assert found.calls(at.turn)[0] == int(call)


def test_selection_is_the_net_of_appendix_b():
    """With `near=0`, φ is what the decision net built on the fly gives, where rules are boxes."""
    model, at = player(near=0), position("1NT P")
    hands = random_hands(400, seed=4)
    net = hands_actions(net_of(model.reading, model.context(at)), hands)
    found = model.selection(at, hands.bits)
    agree = (found.allowed == net).all(axis=1)
    assert agree.mean() > 0.95
    # The net joins rules of one priority by generality; it never allows less than one call.
    assert (found.allowed & net).any(axis=1).all()


def test_nearer_priorities_are_more_calls():
    at, hands = position("1H P"), random_hands(500, seed=5).bits
    sizes = [player(near=n).selection(at, hands).size for n in (0, 30, 100)]
    assert (sizes[0] <= sizes[1]).all()
    assert (sizes[1] <= sizes[2]).all()
    assert sizes[2].mean() > sizes[0].mean()
    assert sizes[0].min() >= 1


def test_a_call_made_tests_its_maker():
    model, hands = player(near=30), random_hands(600, seed=6)
    for calls in ("P", "1S", "1NT P 2C", "1H 1S X", "1D P 1H P 2H P 4NT"):
        at = position(calls)
        turn = len(at.calls) - 1
        found = model.test(at, turn)
        allowed = model.selection(at.before(turn), hands.bits).allowed
        assert found.seat == turn & 3
        assert (found.test(HandArray(hands.bits)) == allowed[:, at.calls[turn]]).all(), calls


def test_hands_no_rule_fits_may_do_anything_legal():
    model, at = player(), position("1H P 7NT P")
    found = model.selection(at, random_hands(50, seed=1).bits)
    lost = (found.priority == DEFAULT_PRIORITY).any(axis=1)
    for row in np.flatnonzero(lost):
        assert found.allowed[row, found.first[row]]


def test_chosen_sets_are_disjoint_and_whole():
    model, at = player(near=50), position("1C 1S")
    pool = Pool(random_hands(300, seed=2))
    sets = model.chosen(at, pool)
    assert sum(sets.values()) == pool.everyone
    first = model.selection(at, pool).first
    assert all(first[i] == c for c, s in sets.items() for i in range(300) if s >> i & 1)


LEARNED = """
refines two-over-one "by hand"

after 1H 2H
  Pass : hcp ..15
  4H : hcp 16+
"""


def test_learned_agreements_narrow_and_are_never_empty():
    refined = read_refinements(LEARNED)
    at, hands = position("1H P 2H P"), random_hands(4000, seed=3).bits
    plain = player(near=200)
    taught = player(near=200, refinement=refined)
    before, after = plain.selection(at, hands), taught.selection(at, hands)
    assert taught.refined(at)
    assert not taught.refined(position("1S P 2S P"))
    assert (after.allowed <= before.allowed).all()
    assert (after.size >= 1).all()
    assert (after.size < before.size).any()
    rows = np.flatnonzero(after.size < before.size)
    assert after.allowed[rows, after.first[rows]].all()
    # Partner hears it too: the same test, narrower.
    call = int(Call.parse("4H"))
    at4 = position("1H P 2H P 4H")
    heard = taught.test(at4, 4).test(HandArray(hands))
    assert (heard == after.allowed[:, call]).all()


def test_agreements_may_choose_from_more_than_the_player_considers():
    learned = read_refinements("refines two-over-one\n\nafter 1S 2S\n  4S > Pass : hcp 13..15\n")
    at, hands = position("1S P 2S P"), random_hands(4000, 5).bits
    plain, wide = player(), player(near=5000, slack=3)
    agreed = player(refinement=learned, wide=(5000, 3))
    before, choice, after = (m.selection(at, hands) for m in (plain, wide, agreed))
    moved = after.first != before.first
    assert moved.any()
    points = HandArray(hands[moved])
    assert ((feature("HCP")(points) >= 13) & (feature("HCP")(points) <= 15)).all()
    assert (choice.size[moved] > 1).all()  # the rules come near it: there was a choice
    assert (after.size[moved] == 1).all()
    assert (after.allowed[~moved] == before.allowed[~moved])[before.size[~moved] == 1].all()
    assert agreed.unlearned.near == 5000


def test_players_imagine_players_to_a_finite_depth():
    alone = player()
    assert alone.depth == 0
    assert alone.other(2).depth == 0
    assert alone.other(2).system == "two-over-one"
    assert alone.other(1).system == "two-over-one"
    partner = player(partner=alone)
    both = PlayerModel("sayc", "two-over-one", utility=LTC, partner=partner)
    assert both.depth == 2
    assert both.other(2) is partner
    assert both.other(1).system == "two-over-one"
    assert both.other(1).theirs == "sayc"


def test_two_systems_are_read_from_either_side():
    """1♠–3♣ is Bergen in one system, a strong or natural jump in the other."""
    ours, theirs = PlayerModel("two-over-one", "sayc"), PlayerModel("sayc", "two-over-one")
    at = position("1S P", dealer=0)
    assert ours.context(at).conventions[0] != theirs.context(at).conventions[0]
    assert ours.context(at).conventions[0] == theirs.context(at).conventions[1]


def test_silent_players_pass_and_say_nothing():
    silent = PlayerModel("pass", "two-over-one")
    hands = random_hands(40, seed=8)
    at = position("1H")
    assert silent.chosen(at, Pool(hands)) == {0: (1 << 40) - 1}
    assert silent.selection(at, hands.bits).calls(0) == [0]
    assert silent.test(position("1H P"), 1).test(hands).all()
    opposed = PlayerModel("two-over-one", "pass")
    assert opposed.other(1).silent
    assert opposed.other(3).silent
    strong = np.array([Hand.parse("AKQ.AKQ.AKQ.AKQJ").bits], np.uint64)
    assert opposed.other(1).chosen(position("P"), Pool(strong)) == {0: 1}
