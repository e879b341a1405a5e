"""Algorithm 3 beside a transcription that takes one deal, one call and one candidate at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick import doubledummy
from overtrick.bidding.base import check_bidder
from overtrick.bidding.kernel import NetworkCaller, Utility, system_number
from overtrick.game import Auction, Deal, Hand, OptionError, Seat, Vulnerability
from overtrick.game.scoring import score
from overtrick.game.view import Systems, View
from overtrick.nets.belief import card_beliefs, seen_systems
from overtrick.nets.features import observe, public_bits
from overtrick.nets.inference import network
from overtrick_lab.engines import algorithm3
from overtrick_lab.engines.algorithm3 import Algorithm3, PublishedSettings
from tests.small_networks import exported


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Algorithm3:
    folder = tmp_path_factory.mktemp("networks")
    nets = {kind: exported(folder, kind) for kind in ("policy", "belief", "tricks")}
    return Algorithm3(3, 0.0, 2, 6, 2000, nets["policy"], nets["belief"], nets["tricks"])


def view(calls: str) -> View:
    auction = Auction.parse(calls, Seat.NORTH)
    systems = Systems("sayc", "acol")
    return View(auction.turn, Hand.parse("AQ5.K973.QJ2.A84"), auction, Vulnerability.EW,
                systems=systems)  # fmt: skip


def chances(engine: Algorithm3, seen: View) -> list[float]:
    """π(· | h), of the network itself."""
    net = engine.policy.network
    calls = [int(call) for call in seen.auction.calls]
    public = public_bits(calls, seen.dealer, seen.vul, seen.seat)
    rows = observe(seen.hand.bits, public, seen_systems(net, seen))
    return [float(chance) for chance in net.call_probabilities(rows)[0]]


def at_turn(deal: Deal, auction: Auction, seen: View) -> View:
    """What the player on turn sees of a deal; systems are by side."""
    ours, theirs = seen.systems.ours, seen.systems.theirs
    mine = (auction.turn - seen.seat) % 2 == 0
    systems = Systems(ours, theirs) if mine else Systems(theirs, ours)
    return View(auction.turn, deal[auction.turn], auction, seen.vul, systems=systems)


def rollout(engine: Algorithm3, deal: Deal, auction: Auction, seen: View) -> float:
    """Algorithm 4: greedy calls to the end, and the score of the contract for the player."""
    while not auction.is_over:
        found = chances(engine, at_turn(deal, auction, seen))
        auction = auction.then(max(range(38), key=lambda call: found[call]))
    contract = auction.contract
    if contract is None:
        return 0.0
    tricks = doubledummy.tricks(deal, contract.strain, contract.declarer)
    sign = 1 if seen.seat % 2 == 0 else -1
    return sign * score(contract, tricks, seen.vul)


def literal(
    engine: Algorithm3, seen: View, calls: list[int], seed: int
) -> tuple[dict[int, float], int, int]:
    """Algorithm 3, a deal at a time: V, R and P."""
    belief, rng = network(engine.belief, "belief"), np.random.default_rng(seed)
    total = dict.fromkeys(calls, 0.0)
    rolled = sampled = 0
    while sampled < engine.p_max and rolled < engine.r_max:
        count = min(800, engine.p_max - sampled)
        deals = algorithm3.drawn(seen, card_beliefs(seen, belief), count, rng)
        for hands, luck in zip(deals, rng.random(count), strict=True):
            if rolled == engine.r_max:
                break
            sampled += 1
            deal = Deal(tuple(Hand(int(hand)) for hand in hands))
            before, stays = Auction(seen.dealer), 1.0
            for call in seen.auction.calls:
                stays *= chances(engine, at_turn(deal, before, seen))[int(call)]
                if luck >= stays:  # skip to the next deal
                    break
                before = before.then(call)
            else:
                for call in calls:
                    total[call] += rollout(engine, deal, seen.auction.then(call), seen)
                rolled += 1
    return total, rolled, sampled


@pytest.mark.parametrize(("calls", "seed"), [("P", 1), ("1S P", 2), ("", 3)])
def test_it_is_algorithm_3(engine: Algorithm3, calls: str, seed: int) -> None:
    seen = view(calls)
    wanted = algorithm3.candidates(np.array(chances(engine, seen)), engine)[:3]
    net = engine.policy.network
    ours, theirs = (system_number(name) for name in ("sayc", "acol"))
    sides = [NetworkCaller(net, ours, theirs), NetworkCaller(net, theirs, ours)]
    found = algorithm3.search(
        seen, wanted, engine, beliefs=card_beliefs(seen, network(engine.belief, "belief")),
        callers=[sides[(seat - seen.seat) % 2] for seat in range(4)],
        utility=Utility("dd", "points"), rng=np.random.default_rng(seed),
    )  # fmt: skip
    total, rolled, sampled = literal(engine, seen, wanted, seed)
    assert (found.race.used, found.sampled) == (rolled, sampled)
    assert found.race.values.sum(axis=0) == pytest.approx([total[call] for call in wanted])
    assert found.enough == (rolled > engine.r_min)
    best = max(wanted, key=lambda call: total[call]) if rolled > engine.r_min else wanted[0]
    assert found.call == best


def test_candidates_are_the_likeliest_above_p_min() -> None:
    found = np.zeros(38)
    found[[0, 5, 9, 3, 7]] = 0.6, 0.2, 0.1, 0.06, 0.04
    settings = PublishedSettings(k=4, p_min=0.06)
    assert algorithm3.candidates(found, settings) == [0, 5, 9]  # 3 is not more probable than p_min
    assert algorithm3.candidates(found, PublishedSettings(k=2)) == [0, 5]
    assert algorithm3.candidates(found, PublishedSettings(k=1)) == [0]
    for wrong in ({"k": 0}, {"r_max": 0}, {"p_max": 0}, {"r_min": -1}):
        with pytest.raises(OptionError):
            PublishedSettings(**wrong)


def test_it_is_an_engine(engine: Algorithm3) -> None:
    quick = replace(engine, tricks=engine.tricks, r_max=3, p_max=40)
    check_bidder(quick, boards=1)
    assert "algorithm3(" in quick.name
