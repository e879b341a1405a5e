"""The learned bidder: conformance, systems, disclosure, and one clear line for every bad file."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder, check_bidder
from overtrick.bidding.disclosure import (
    AskedCall,
    chances_of,
    disclose,
    posterior,
    random_hands,
)
from overtrick.bidding.policy import Policy
from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.game.view import Systems, View
from overtrick.nets.belief import seen_systems
from overtrick.nets.inference import NetworkError, network
from tests.small_networks import PLAIN, exported


def view(auction: str = "", systems: Systems = Systems()) -> View:
    calls = Auction.parse(auction)
    hand = Hand.parse("AQ5.K9732.QJ.A84")
    return View(calls.turn, hand, calls, Vulnerability.NS, systems=systems)


@pytest.mark.parametrize("features", ["auction-1+systems-1", PLAIN])
def test_conformance(tmp_path: Path, features: str) -> None:
    check_bidder(Policy(exported(tmp_path, "policy", features)), boards=5)


def test_shipped_policy_opens_a_notrump() -> None:
    engine = bidder("policy")
    assert bidder(engine.name) == engine
    hand = Hand.parse("AQ5.K973.QJ2.A84")
    decision = engine.bid(View(Auction.parse("").turn, hand, Auction.parse(""), Vulnerability.NONE))
    assert decision.call.ascii == "1NT"
    assert decision.candidates[0].action == decision.call


def test_each_side_sees_both_systems_from_its_own_seat(tmp_path: Path) -> None:
    net = network(exported(tmp_path, "policy"), "policy")
    seen = view("P", Systems("sayc, learned style", "precision"))  # East is on turn
    mine = seen_systems(net, seen)
    assert mine is not None
    assert list(np.flatnonzero(mine)) == [1, 5 + 3]
    assert list(np.flatnonzero(seen_systems(net, seen, 3))) == [1, 5 + 3]  # type: ignore[arg-type]
    assert list(np.flatnonzero(seen_systems(net, seen, 0))) == [3, 5 + 1]  # type: ignore[arg-type]
    assert not seen_systems(net, view("P", Systems("home brew", "")), 1).any()  # type: ignore[union-attr]
    plain = network(exported(tmp_path, "policy", PLAIN), "policy")
    assert seen_systems(plain, seen) is None


def test_systems_change_the_call_chances(tmp_path: Path) -> None:
    engine = Policy(exported(tmp_path, "policy"))
    told = engine.probabilities(view("", Systems("sayc", "precision")))
    untold = engine.probabilities(view(""))
    assert np.abs(told - untold).max() > 1e-6


def test_disclosure_describes_the_shipped_policy() -> None:
    net = network("policy", "policy")
    notrump = disclose(net, AskedCall((7,), 0, 0, 1, 1), 6000)
    assert notrump.hcp[0] >= 13
    assert notrump.hcp[1] <= 18
    assert not notrump.alert
    transfer = disclose(net, AskedCall((7, 0, 10), 0, 0, 1, 1), 6000)
    assert transfer.lengths[3][0] >= 5
    assert transfer.alert
    assert not disclose(
        net, AskedCall((5, 0, 10), 0, 0, 1, 1), 6000
    ).alert  # 1H P 2H: partner's suit
    sample = posterior(net, AskedCall((7,), 0, 0, 1, 1), 2000)
    assert abs(sample.weights.sum() - 1) < 1e-9


def test_exchanged_hands_are_those_that_bid_so() -> None:
    """After 1♥ – 1♠ – 2♣ few random hands are left; cards are exchanged, and what is said of them
    is what very many random hands say."""
    net = network("policy", "policy")
    asked = AskedCall(tuple(int(c) for c in Auction.parse("1H P 1S P 2C").calls), 0, 0, 1, 1)
    few = posterior(net, asked, 1800)
    bits = random_hands(np.random.default_rng(5), 40_000)
    logs = np.log(chances_of(net, asked.until(0), bits)[:, asked.calls[0]] + 1e-9)
    likely = bits[logs > -3], logs[logs > -3]
    logs = likely[1] + np.log(chances_of(net, asked.before, likely[0])[:, asked.calls[4]] + 1e-9)
    weights = np.exp(logs - logs.max())
    for name in ("clubs", "hearts", "points"):
        values = [_told(name, hands) for hands in (few.hands, likely[0])]
        means = few.weights @ values[0], weights @ values[1] / weights.sum()
        assert means[0] == pytest.approx(means[1], abs=0.25), name


def _told(name: str, hands: np.ndarray) -> np.ndarray:
    array = HandArray(hands)
    if name == "points":
        return feature("HCP")(array).astype(float) / 3
    return array.look("length", ("clubs", "diamonds", "hearts").index(name)).astype(float)


def test_meaning_is_given_to_opponents() -> None:
    decision = bidder("policy(disclose=1500)").bid(view())
    assert "hcp" in decision.meaning.words


def test_missing_network() -> None:
    with pytest.raises(NetworkError, match=r"no network 'nosuch' \(.*policy.*\)"):
        bidder("policy(net=nosuch)")


def test_missing_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = exported(tmp_path, "policy", seed=9)
    real = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("onnxruntime"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NetworkError, match=r"pip install 'overtrick\[nn\]'"):
        Policy(path)


def test_wrong_version_and_corrupt_file(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="unknown feature version 'auction-9'"):
        Policy(exported(tmp_path, "policy", "auction-9"))
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(Path(exported(tmp_path, "policy")).read_bytes()[:1000])
    with pytest.raises(NetworkError, match="cannot be read as a network") as caught:
        Policy(str(broken))
    assert "\n" not in str(caught.value)


def test_the_name_makes_the_engine_again() -> None:
    for spec in ("policy", "policy(disclose=200)", "policy(declares=acol, threads=2)"):
        assert bidder(bidder(spec).name) == bidder(spec)
