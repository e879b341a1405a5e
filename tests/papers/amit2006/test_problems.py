"""Challenges: the generator's filter, references, results in IMPs, states worth learning."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.kernel.leaves import utility_of
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.evaluation import expected_score
from overtrick.game import Contract, Hand
from overtrick.systems.refined import AuctionKey
from overtrick_lab.papers.amit2006.problems import (
    Challenge,
    challenges,
    contract_of,
    deals,
    opens,
    pair_player,
    result,
)
from overtrick_lab.papers.amit2006.states import (
    beginnings,
    begun,
    bid_deals,
    rank_nets,
    spread,
)


@pytest.fixture(scope="module")
def player() -> PlayerModel:
    base = PlayerModel("two-over-one", near=5000, slack=3, utility=utility_of("ltc"))
    return pair_player(base)


def table(player: PlayerModel) -> list[PlayerModel]:
    return [player, player.other(1), player, player.other(3)]


def test_deals_are_deals_and_somebody_opens() -> None:
    many = deals(200, 4)
    assert (np.bitwise_count(many) == 13).all()
    assert (np.bitwise_or.reduce(many, axis=1) == np.uint64((1 << 52) - 1)).all()
    assert (opens(many[:, 0]) | opens(many[:, 2])).all()
    assert (deals(200, 4) == many).all()
    assert (deals(200, 5) != many).any()


def test_reference_is_the_best_contract() -> None:
    hands = ("A432.AKQ.AKQ.AKQ", "QJT9.JT9.JT9.JT9", "K765.432.432.432", "8.8765.8765.8765")
    # Footnote 8 with three solid suits: twelve tricks, and nothing beats 6NT.
    found = challenges(1, 0)[0]
    bits = tuple(Hand.parse(h).bits for h in hands)
    one = Challenge(0, bits, 990)  # type: ignore[arg-type]
    slam = expected_score(Contract.parse("6NT N"), 12)
    assert slam == 990
    assert result(one, (32, 0, 0, 0)) == 0
    assert result(one, (17, 0, 0, 0)) == -11  # 3NT with three overtricks: 490
    assert result(one, (0, 0, 0, 0)) == -14  # passed out
    assert found.reference >= -50


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ((0, 0, 0, 0), (-1, 0, 0)),
        ((5, 0, 10, 0, 20, 0, 0, 0), (17, 0, 0)),  # 1H 2H 4H: North
        ((0, 0, 7, 0, 17, 0, 0, 0), (14, 2, 0)),  # 1NT by South, 3NT
        ((3, 0, 6, 0, 11, 1, 0, 0, 0), (8, 2, 1)),  # South bid spades first, doubled
    ],
)
def test_contract_of_an_auction(calls: tuple[int, ...], contract: tuple[int, int, int]) -> None:
    assert contract_of(calls) == contract


def test_states_have_a_choice_and_a_cost(player: PlayerModel) -> None:
    found = bid_deals(table(player), deals(150, 1))
    assert all(a[-3:] == (0, 0, 0) for a in found.auctions)
    assert all(c == 0 for a in found.auctions for c in a[1::2])
    assert found.states
    for state in found.states[::20]:
        chosen = player.selection(state.position, np.array([state.hand], np.uint64))
        assert sorted(chosen.calls()) == list(state.calls)
        assert len(state.calls) >= 2
        assert state.cost >= len(state.calls)


def test_dear_nets_come_first(player: PlayerModel) -> None:
    states = bid_deals(table(player), deals(300, 2)).states
    ranked = rank_nets(states, 5)
    assert [t.cost for t in ranked] == sorted((t.cost for t in ranked), reverse=True)
    assert ranked[0].key == AuctionKey((), False)  # the opening: met most, most behind it
    assert ranked[0].key not in [t.key for t in rank_nets(states, 5, [ranked[0].key])]
    some = spread(ranked[0], 30, np.random.default_rng(0))
    assert 20 <= len(some) <= 30
    assert {s.key for s in some} == {ranked[0].key}


def test_beginnings_of_restricted_problems(player: PlayerModel) -> None:
    assert beginnings("1H 2H") == [(5, 0, 10, 0), (0, 0, 5, 0, 10, 0)]
    many = deals(2000, 3)
    start = (6, 0, 11, 0)
    those = many[begun(table(player), many, start)]
    assert 0 < len(those) < 200
    ended = bid_deals(table(player), those[:10]).auctions
    assert all(a[:4] == start for a in ended)


def test_wandering_leaves_the_first_choices(player: PlayerModel) -> None:
    many = deals(200, 6)
    straight = bid_deals(table(player), many).auctions
    strayed = bid_deals(table(player), many, wander=0.5, rng=np.random.default_rng(1)).auctions
    assert straight == bid_deals(table(player), many).auctions
    assert sum(a != b for a, b in zip(straight, strayed, strict=True)) > 20
    assert AuctionPosition(straight[0], 0, 0).calls == straight[0]
