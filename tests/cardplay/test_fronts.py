"""Fronts, alpha-mu, endings and claims against a plain search over all layouts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.cardplay_checks import line_holds
from overtrick.cardplay import check_player, player
from overtrick.cardplay.alphamu import AlphaMu
from overtrick.cardplay.claim import claim, sure_tricks
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.sampling import all_layouts, deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.values import goal_is_open
from overtrick.cardplay.vectors import FrontNode, Game, covered
from overtrick.game import OptionError, Seat, View, view_of
from overtrick.game.reasons import Blind
from overtrick.suitplay.search import undominated
from overtrick_lab.engines.exact import Exact
from tests.cardplay.helpers import contract_auction, plain_front, random_ending

FULL = 52


def looked_at(left: int, strain: int, seed: int) -> Situation:
    board, play = random_ending(left, strain, seed)
    view = view_of(board, contract_auction(3, strain), play, seat=Seat.SOUTH)
    return situation(view, on_turn=False)


def searched(at: Situation, goals: tuple[int, ...], limit: int = 70, **options: object) -> Search:
    hands = all_layouts(at, limit)
    assert hands is not None
    values = tuple(1 / len(hands) for _ in range(len(hands) * len(goals)))
    return Search(Game(hands, at.strain, 2, goals, values), **options)  # type: ignore[arg-type]


def small(left: int, count: int, most: int = 70) -> list[Situation]:
    found = []
    for seed in range(10_000):
        at = looked_at(left, seed % 5, seed)
        if all_layouts(at, most) is not None:
            found.append(at)
        if len(found) == count:
            return found
    raise AssertionError("no such endings")


def rows(at: Situation, limit: int = 70) -> tuple[tuple[int, int, int, int], ...]:
    hands = all_layouts(at, limit)
    assert hands is not None
    return tuple(tuple(int(x) for x in row) for row in hands)  # type: ignore[misc]


def test_vectors_that_are_covered_go() -> None:
    assert undominated([1, 3, 4, 2]) == [3, 4]
    assert covered([1, 2], [3])
    assert not covered([4], [3])


@pytest.mark.parametrize(("left", "count"), [(2, 10), (3, 3)])
def test_the_front_to_the_end_is_the_plain_front(left: int, count: int, times: int) -> None:
    for at in small(left, count * times):
        for goal in range(1, left + 1):
            search = searched(at, (goal,))
            found, _ = search.front(FrontNode(0, at.leader, (), 0), FULL, search.game.all)
            plain = plain_front(rows(at), at.strain, at.leader, goal)
            assert sorted(found) == sorted(plain)


def test_unary_tricks_are_the_single_goals_side_by_side() -> None:
    for at in small(2, 8):
        both = searched(at, (1, 2))
        front, _ = both.front(FrontNode(0, at.leader, (), 0), FULL, both.game.all)
        for k, goal in enumerate((1, 2)):
            one = searched(at, (goal,))
            single, _ = one.front(FrontNode(0, at.leader, (), 0), FULL, one.game.all)
            worlds = len(one.game.hands)
            best = max(sum(vector >> 2 * w + k & 1 for w in range(worlds)) for vector in front)
            assert best == max(v.bit_count() for v in single)


def test_looking_further_never_promises_more() -> None:
    for at in small(3, 5):
        search = searched(at, (2,))
        root = FrontNode(0, at.leader, (), 0)
        values = [search.best(search.front(root, d, search.game.all)[0]) for d in (0, 1, 2, FULL)]
        assert values == sorted(values, reverse=True)


def test_what_is_secured_is_secured_in_the_plain_search(times: int) -> None:
    for at in small(3, 3 * times):
        for goal in (1, 2, 3):
            search = searched(at, (goal,))
            proved = search.secures(FrontNode(0, at.leader, (), 0), search.game.all)
            plain = plain_front(rows(at), at.strain, at.leader, goal)
            assert proved == (search.game.all in plain)


def test_top_tricks_are_proved_by_the_plain_search() -> None:
    checked = 0
    for at in small(3, 30):
        if at.turn.side != Seat.SOUTH.side:
            continue
        count, line = sure_tricks(at)
        if count:
            search = searched(at, (count,))
            assert search.secures(FrontNode(0, at.leader, (), 0), search.game.all)
            assert len(line) == count
            checked += 1
    assert checked > 5


@pytest.mark.parametrize("left", [5, 8, 11])
def test_claimed_lines_hold_in_any_layout(left: int) -> None:
    rng = np.random.default_rng(left)
    seen = 0
    for seed in range(150 if left < 8 else 60):
        at = looked_at(left, seed % 5, seed)
        if at.turn.side != Seat.SOUTH.side:
            continue
        count, line = sure_tricks(at)
        for row in deal_layouts(at, 30, rng).tolist():
            assert line_holds(line, (row[1], row[3]), at.strain)
        seen += bool(count)
    assert seen > 10


def test_claims_are_what_the_solver_allows() -> None:
    from overtrick.doubledummy import solve_worlds

    offered = 0
    for seed in range(25):
        board, play = random_ending(4, seed % 5, seed)
        view = view_of(board, contract_auction(3, seed % 5), play, seat=Seat.SOUTH)
        found = claim(view)
        if found is None:
            continue
        offered += 1
        at = situation(view, on_turn=False)
        hands = deal_layouts(at, 40, np.random.default_rng(seed))
        best = solve_worlds(hands, at.strain, at.leader, ()).max(axis=1)
        mine = best if at.turn.side == 0 else at.left - best
        assert (mine >= found.tricks).all()
    assert offered > 3


def test_alphamu_at_depth_one_is_pimc() -> None:
    one = player("alphamu(worlds=20, depth=1, knowledge=cards)")
    other = player("pimc(worlds=20, knowledge=cards)")
    for seed in range(12):
        board, play = random_ending(7, seed % 5, seed)
        if play.controller != Seat.SOUTH:
            continue
        view: View = view_of(board, contract_auction(3, seed % 5), play)
        a, b = one.play(view), other.play(view)
        assert a.card == b.card


@pytest.mark.parametrize(
    "spec",
    [
        "alphamu(worlds=4)",
        "alphamu(worlds=4, depth=3, plan=keep)",
        "alphamu(worlds=4, plan=filter, objective=tricks)",
        "exact(worlds=4, limit=30, cards=4)",
    ],
)
def test_players_keep_the_contract_of_a_player(spec: str) -> None:
    check_player(player(spec), boards=1, seed=2)


def test_wrong_options_are_named() -> None:
    with pytest.raises(OptionError, match="plan"):
        player("alphamu(plan=hope)")
    with pytest.raises(OptionError):
        player("alphamu(depth=0)")
    with pytest.raises(OptionError):
        player("exact(limit=0)")


def test_a_kept_plan_can_be_made_again() -> None:
    """An engine without memory of the trick's first card plays the second one the same way."""
    for seed in range(30):
        board, play = random_ending(6, seed % 5, seed)
        if play.controller != Seat.SOUTH:
            continue
        auction = contract_auction(3, seed % 5)
        first = player("alphamu(worlds=10, plan=keep)")
        while True:
            view = view_of(board, auction, play)
            card = (
                first.play(view).card
                if play.controller == Seat.SOUTH
                else view.legal_cards().cards()[-1]
            )
            if play.controller == Seat.SOUTH and play.trick.cards:
                fresh = player("alphamu(worlds=10, plan=keep)")
                assert fresh.play(view).card == card
            play = play.then(card)
            if len(play) >= 40 or play.is_over:
                break
        return


def test_a_player_remembers_nothing() -> None:
    """The order of the questions does not matter, nor what was asked at another table."""
    views = []
    for seed in range(12):
        board, play = random_ending(5, seed % 5, seed)
        view = view_of(board, contract_auction(3, seed % 5), play)
        if play.controller == Seat.SOUTH and len(situation(view).groups()) > 1:
            views += [view, replace(view, scoring="matchpoints")]
    assert len(views) > 4
    engine = AlphaMu(8, plan="keep")
    cards = [engine.play(view).card for view in views]
    again = [AlphaMu(8, plan="keep").play(view).card for view in reversed(views)]
    assert again[::-1] == cards


def test_a_searched_card_is_explained_by_the_search() -> None:
    told = []
    for seed in range(30):
        board, play = random_ending(6, seed % 5, seed)
        if play.controller == Seat.SOUTH:
            view = view_of(board, contract_auction(3, seed % 5), play)
            decision = AlphaMu(12).play(view)
            assert decision.meaning.words in ("a card", "forced", "one of equals")
            told.append(any(isinstance(r, Blind) for r in decision.reasons))
    assert any(told)
    assert not all(told)


def test_an_ending_at_matchpoints_is_not_played_for_the_contract_alone() -> None:
    compared = 0
    for seed in range(20):
        board, play = random_ending(4, seed % 5, seed)
        view = view_of(board, contract_auction(3, seed % 5), play, scoring="matchpoints")
        if play.controller != Seat.SOUTH or not goal_is_open(situation(view)):
            continue
        found, wanted = Exact(8).play(view), AlphaMu(8).play(view)
        assert (found.card, found.reasons) == (wanted.card, wanted.reasons)
        compared += 1
    assert compared > 2


def test_views_of_others_are_refused() -> None:
    from overtrick.game import BridgeError

    board, play = random_ending(5, 4, 1)
    view = view_of(board, contract_auction(3, 4), play, seat=play.turn.lho)
    if play.controller != view.seat:
        with pytest.raises(BridgeError, match="chooses"):
            situation(replace(view))
