"""Who holds which card: chances that add up, certain where the cards are, the same for a view."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.cardplay_belief import Looked, answers, by_trust, sharpness
from overtrick.bidding import bid_board, bidder
from overtrick.cardplay.evidence.ranges import NOT_KNOWN
from overtrick.cardplay.holders import could_be, for_people, holders
from overtrick.cardplay.knowledge import CARDS, KINDS
from overtrick.cardplay.sampling import count_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import Board, Play, Seat, Systems, view_of
from overtrick.nets.inference import installed
from overtrick.nets.styles import LEARNED


@cache
def after(cards: int, seed: int = 4) -> Situation:
    """A board bid by rules, so many cards played, the highest legal ones."""
    board = Board.random(seed=seed)
    who = bidder("rules(system=sayc)")
    auction, decisions = bid_board(board, [who] * 4)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    while len(play) < cards:
        play = play.then(play.legal_cards(board.deal[play.turn]).cards()[0])
    told = tuple(d.meaning for d in decisions)
    return situation(
        view_of(board, auction, play, meanings=told, systems=Systems(who.system, who.system))
    )


@pytest.mark.parametrize("cards", [0, 1, 14, 33, 44])
def test_chances_add_up_to_the_cards_left(cards: int) -> None:
    at = after(cards)
    chances = holders(could_be(at))
    left = [at.known[s].bit_count() or at.needs[s] for s in range(4)]
    assert np.allclose(chances.sum(axis=1), left)
    alive = [bool((at.pool | sum(at.known)) >> card & 1) for card in range(52)]
    assert np.allclose(chances.sum(axis=0), alive)


@pytest.mark.parametrize("cards", [1, 14, 33, 44])
def test_what_is_seen_or_shown_is_certain(cards: int) -> None:
    at = after(cards)
    chances = holders(could_be(at))
    for seat in range(4):
        for card in range(52):
            if at.known[seat] >> card & 1:
                assert chances[seat, card] == pytest.approx(1)
            if not at.pool >> card & 1 and not at.known[seat] >> card & 1:
                assert chances[seat, card] == 0
            if at.barred[seat] >> card & 1:
                assert chances[seat, card] == 0


def test_a_suit_shown_out_of_is_with_the_other_hand() -> None:
    at = after(33)
    chances = holders(could_be(at))
    one, other = at.hidden
    sure = [(s, c) for s in at.hidden for c in range(52) if at.barred[s] & at.pool & 1 << c]
    assert sure
    for seat, card in sure:
        assert chances[one + other - seat, card] == pytest.approx(1)


def test_the_same_view_is_told_the_same() -> None:
    one, two = (holders(could_be(after(14))) for _ in range(2))
    assert (one == two).all()


def test_few_layouts_are_all_there_and_nothing_is_added() -> None:
    at = after(33)
    found = could_be(at)
    assert found.complete
    assert len(found) == count_layouts(at)
    even = could_be(at, CARDS)
    assert np.allclose(even.shares, 1 / len(even))
    assert not could_be(after(1)).complete


def test_where_only_cards_speak_everyone_has_a_fair_share() -> None:
    at = after(1)
    one, two = at.hidden
    fair = at.needs[one] / (at.needs[one] + at.needs[two])
    unseen = [card for card in range(52) if at.pool >> card & 1]
    assert np.abs(holders(could_be(at, CARDS))[one][unseen] - fair).max() < 0.05


def test_evidence_moves_the_chances() -> None:
    at = after(14)
    told, bare = holders(could_be(at, KINDS["all"])), holders(could_be(at, CARDS))
    assert np.abs(told - bare).max() > 0.1


def declared(at: Situation, ours: str, theirs: str) -> Situation:
    return situation(replace(at.view, systems=Systems(ours, theirs)), on_turn=False)


def test_evidence_counts_more_where_everybody_can_be_asked() -> None:
    at = after(14)
    known = for_people(at)
    assert min(known.auction, known.lead, known.carding, known.line) > KINDS["all"].auction
    for ours, theirs in (("", ""), ("sayc", ""), (LEARNED, LEARNED)):  # asked through networks
        assert (for_people(declared(at, ours, theirs)) == known) == installed()
    assert (holders(could_be(at)) == holders(could_be(at, known))).all()


def test_a_made_up_auction_is_no_reason_to_be_bold() -> None:
    at = after(14)
    nothing = (NOT_KNOWN,) * len(at.view.auction.calls)
    view = replace(at.view, systems=Systems(), meanings=nothing)
    assert for_people(situation(view, on_turn=False)) == KINDS["all"]


def test_what_a_kind_says_does_not_depend_on_the_others() -> None:
    at = after(14)
    board = Board.random(seed=4)
    look = Looked("declarer", 10, at, (), board)
    every = answers(look, 1, ("worlds, no network", "worlds", "worlds, as players"), ())
    alone = answers(look, 1, ("worlds",), ())
    assert list(alone) == ["worlds"]
    assert (alone["worlds"].chances == every["worlds"].chances).all()
    assert (alone["worlds"].draws == every["worlds"].draws).all()


def test_layouts_weighed_again_say_what_layouts_drawn_anew_do() -> None:
    at = after(33)  # all of them, so that there is no luck in it
    kind = KINDS["all"]
    (found,) = by_trust(at, [(kind.auction, kind.carding)])
    assert np.allclose(holders(found), holders(could_be(at, kind)))


def test_nothing_that_the_cards_allow_is_impossible() -> None:
    """However few layouts fit the auction, those of the cards alone are among them."""
    at = after(1)
    chances = holders(could_be(at))
    for seat in at.hidden:
        for card in range(52):
            if at.pool >> card & 1:
                assert 0 < chances[Seat(seat), card] < 1


def test_sharpness_tells_modest_from_bold() -> None:
    rng = np.random.default_rng(0)
    right = rng.uniform(0.02, 0.98, 20_000)
    true = rng.random(len(right)) < right
    odds = right / (1 - right)
    modest, bold = odds**0.5 / (1 + odds**0.5), odds**2 / (1 + odds**2)
    found = [sharpness(said, true) for said in (modest, right, bold)]
    assert found == pytest.approx([2, 1, 0.5], rel=0.05)


def test_sharpness_of_a_few_cards_is_a_number() -> None:
    said = np.array([0.3, 0.6, 0.9])
    assert sharpness(said, np.array([False, True, True])) == 5
    assert sharpness(said, np.array([True, False, False])) == 0
    assert sharpness(np.array([0.0, 0.5, 1.0]), np.array([False, True, True])) == 1
