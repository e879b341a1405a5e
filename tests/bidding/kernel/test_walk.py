"""Callers and the walk: every seat by its own caller, batches as hand by hand, own turns again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from overtrick.bidding import bidder
from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    CallerMixture,
    LaterTurns,
    NetworkCaller,
    Passing,
    RulesCaller,
    SeatHands,
    Walk,
    utility_of,
)
from overtrick.bidding.kernel.declared import declared_caller
from overtrick.bidding.points.caller import PointsCaller
from overtrick.bidding.rules import reading_of
from overtrick.game import CALLS, Auction, Hand, PartialDeal, Seat, View, Vulnerability
from overtrick.nets.styles import LEARNED
from overtrick.worlds import Dealer

Deals = NDArray[np.uint64]


def dealt(count: int, seed: int = 0) -> Deals:
    return Dealer().sample(count, np.random.default_rng(seed)).hands


def by_hand(engines: list[str], deal: Deals, start: AuctionPosition) -> Auction:
    """A deal bid on by whole engines, one view after another."""
    auction = Auction(Seat(start.dealer), tuple(CALLS[c] for c in start.calls))
    while not auction.is_over:
        hand = Hand(int(deal[auction.turn]))
        view = View(auction.turn, hand, auction, Vulnerability(start.vul))
        auction = auction.then(bidder(engines[auction.turn]).bid(view).call)
    return auction


def test_every_seat_follows_its_own_caller() -> None:
    rules: Caller = RulesCaller(reading_of("sayc", ""))
    points = PointsCaller()
    deals, start = dealt(12, 3), AuctionPosition((0,), 2, 1)
    walk = Walk(SeatHands(deals), [rules, points, rules, points])
    contracts, (ends,) = walk.after(start, [3])
    engines = ["rules(system=sayc)", "points"] * 2
    for world in range(12):
        (mine,) = (e for e in ends if e.worlds >> world & 1)
        expected = by_hand(engines, deals[world], start.then(3))
        assert tuple(int(c) for c in expected.calls) == mine.at.calls
        contract = expected.contract
        assert contract is not None
        bid = 5 * (contract.level - 1) + int(contract.strain)
        assert contracts.array[world, 0].tolist() == [bid, contract.declarer, contract.doubled]


def test_many_points_hands_are_bid_as_one_by_one() -> None:
    deals = dealt(60, 5)
    for text in ("", "1C", "1H P", "1S X P", "P P 1NT P", "3D"):
        auction = Auction.parse(text)
        at = AuctionPosition(tuple(int(c) for c in auction.calls), 0, 0)
        chances = PointsCaller().chances(at, deals[:, at.turn])
        assert (chances.sum(axis=1) == 1).all()
        for row, hand in zip(chances, deals[:, at.turn], strict=True):
            view = View(auction.turn, Hand(int(hand)), auction, Vulnerability.NONE)
            assert row.argmax() == bidder("points").bid(view).call


def test_a_network_in_one_batch_calls_as_in_many() -> None:
    pytest.importorskip("onnxruntime")
    from overtrick.nets.inference import network

    caller = NetworkCaller(network("policy", "policy"), 1, 1)
    held = SeatHands(dealt(30, 7))
    nodes = [(AuctionPosition((5, 0), 0, 0), 0b1111), (AuctionPosition((7, 0), 0, 0), held.every)]
    together = caller.choose(nodes, held)
    for node, found in zip(nodes, together, strict=True):
        assert sum(found.values()) == node[1]  # disjoint, and everybody calls
        (alone,) = caller.choose([node], held)
        same = sum((found[c] & alone.get(c, 0)).bit_count() for c in found)
        assert same >= 0.9 * node[1].bit_count()  # its scales depend on the batch
        best = caller.chances(node[0], held.deals[:, node[0].turn]).argmax(axis=1)
        agree = [best[i] == c for c, worlds in found.items() for i in held.rows(worlds)]
        assert np.mean(agree) >= 0.9


def test_who_is_less_sure_calls_the_same_and_could_have_called_otherwise() -> None:
    pytest.importorskip("onnxruntime")
    from overtrick.nets.inference import network

    net, at, deals = network("policy", "policy"), AuctionPosition((5, 0), 0, 0), dealt(40, 3)
    sure, less_sure = NetworkCaller(net, 1, 1), NetworkCaller(net, 1, 1, heat=3.0)
    one, other = (caller.chances(at, deals[:, at.turn]) for caller in (sure, less_sure))
    assert np.allclose(other.sum(axis=1), 1)
    assert (one.argmax(axis=1) == other.argmax(axis=1)).all()
    assert (other.max(axis=1) <= one.max(axis=1) + 1e-9).all()
    power = one ** (1 / 3)
    assert np.allclose(other, power / power.sum(axis=1, keepdims=True), atol=1e-4)
    held = SeatHands(deals)
    assert sure.choose([(at, held.every)], held) == less_sure.choose([(at, held.every)], held)


def test_a_mixture_doubts_and_takes_the_likelier_side() -> None:
    rules = RulesCaller(reading_of("sayc", ""))
    mixed = CallerMixture(((0.7, rules), (0.3, Passing())), doubt=0.1)
    at, deals = AuctionPosition((), 0, 0), dealt(40, 2)
    chances = mixed.chances(at, deals[:, 0])
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances[:, 0] >= 0.27).all()
    assert chances.min() == pytest.approx(0.1 / 38)
    assert mixed.choose([(at, 255)], SeatHands(deals)) == rules.choose(
        [(at, 255)], SeatHands(deals)
    )


def test_who_declared_nothing_we_know_is_taken_for_a_natural_bidder() -> None:
    for unknown in ("", "home brew"):
        caller = declared_caller(unknown, "sayc")
        assert isinstance(caller, NetworkCaller)
        assert (caller.net.name, caller.ours, caller.theirs) == ("sl", None, 1)
        assert declared_caller(unknown, "sayc", imitation="none such") is None
    assert isinstance(declared_caller("natural", "sayc"), RulesCaller)


def test_who_declared_the_learned_style_is_asked_through_its_network() -> None:
    caller = declared_caller(LEARNED, "two-over-one")
    assert isinstance(caller, NetworkCaller)
    assert (caller.net.name, caller.ours, caller.theirs) == ("policy", 1, 0)


def test_the_contract_of_a_position_is_that_of_its_auction() -> None:
    for text in ("P P P P", "1H P 2H P 4H X P P", "1C 1S 2C 2S X XX P P P", "1NT", "P P 1D 2D"):
        auction = Auction.parse(text, Seat.EAST)
        at = AuctionPosition(tuple(int(c) for c in auction.calls), 1, 0)
        assert at.is_over == auction.is_over
        bid, declarer, doubled = at.contract
        stands = auction if auction.is_over else auction.then(CALLS[0])
        while not stands.is_over:
            stands = stands.then(CALLS[0])
        contract = stands.contract
        if contract is None:
            assert bid == -1
        else:
            expected = (5 * (contract.level - 1) + contract.strain, contract.declarer)
            assert (bid, declarer, doubled) == (*expected, contract.doubled)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([(), (3,), (0, 0, 7), (5, 0)]))
def test_every_world_ends_once(seed: int, calls: tuple[int, ...]) -> None:
    held = SeatHands(dealt(20, seed))
    walk = Walk(held, [RulesCaller(reading_of("sayc", ""))] * 4)
    ends = walk.endings([(AuctionPosition(calls, 0, 0), held.every)])
    assert sum(e.worlds for e in ends) == held.every
    assert sum(e.worlds.bit_count() for e in ends) == len(held)
    assert all(e.at.is_over for e in ends)


def test_own_turns_are_chosen_again_for_all_worlds_that_sound_alike() -> None:
    """Several hands of mine together choose as each of them alone."""
    rules = RulesCaller(reading_of("sayc", ""))
    mine = [Hand.parse(text).bits for text in ("KQJ62.A4.KQ3.852", "Q9632.K4.J83.852")]
    parts = [_around(hand, 12, i) for i, hand in enumerate(mine)]
    start = AuctionPosition((5, 0), 0, 0)  # 1♥ – Pass, and South is to call

    def options(at: AuctionPosition, hands: Deals) -> list[list[int]]:
        last = max(at.calls)
        return [[0, *(c for c in (17, 18) if c > last)] for _ in hands]

    def ends(deals: Deals, owner: NDArray[np.intp]) -> NDArray[np.int64]:
        leaves = utility_of("ltc").leaves(deals, 0, 0)
        walk = Walk(SeatHands(deals), [rules, Passing(), rules, Passing()])
        walk.callers[2] = LaterTurns(walk, 2, rules, options, leaves, owner=owner)
        return walk.after(start, [6])[0].array

    together = ends(np.concatenate(parts), np.repeat([0, 1], 12))
    for i, part in enumerate(parts):
        assert (ends(part, np.zeros(12, np.intp)) == together[12 * i : 12 * i + 12]).all()


def _around(hand: int, count: int, seed: int) -> Deals:
    known = PartialDeal.of({Seat.SOUTH: Hand(hand)})
    return Dealer(known=known).sample(count, np.random.default_rng(seed)).hands


def test_the_same_hand_in_the_same_auction_is_asked_once() -> None:
    pytest.importorskip("onnxruntime")
    from overtrick.nets.inference import network

    asked: list[int] = []

    class Counted:
        version = network("policy", "policy").version

        def run(self, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
            asked.append(len(rows))
            return network("policy", "policy").run(rows)

    deals = dealt(40, 8)
    deals[:, 2] = deals[0, 2]  # only what one seat is asked matters here
    deals[20:, 0] = deals[:20, 0]
    held, caller = SeatHands(deals), NetworkCaller(Counted(), 1, 1)  # type: ignore[arg-type]
    for dealer, fewer in ((2, 2), (0, 40)):
        nodes = [
            (AuctionPosition(calls, dealer, 0), held.every)
            for calls in ((0, 3, 0, 0), (0, 5, 0, 0))
        ]
        split = caller.choose(nodes, held)
        assert asked.pop() == fewer
        for (at, _), parts in zip(nodes, split, strict=True):
            chances = caller.chances(at, deals[:, at.turn])
            assert asked.pop() == 40
            rows = [held.rows(part) for part in parts.values()]
            assert sorted(np.concatenate(rows).tolist()) == list(range(40))
            for call, some in zip(parts, rows, strict=True):
                # 8-bit networks round by what else is in the batch: near ties may turn.
                assert (chances[some, call] > chances[some].max(axis=1) - 0.1).all()
