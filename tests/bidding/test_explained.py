"""Learned auctions explained: what the shipped policy's calls show, and what may come next."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

pytest.importorskip("onnxruntime")

from overtrick.bidding import bidder
from overtrick.bidding.disclosure import AskedCall, known, posterior
from overtrick.bidding.explained import asked_of, explain_calls, explaining, next_calls
from overtrick.cli import main
from overtrick.game import Auction, Hand, View, Vulnerability
from overtrick.nets.inference import network

SAYC = ("sayc", "sayc")


def test_systems_belong_to_the_caller() -> None:
    auction = Auction.parse("1N P 2H")
    assert asked_of(auction, 0, Vulnerability.NONE, ("sayc", "precision")).ours == 1
    second = asked_of(auction, 1, Vulnerability.NONE, ("sayc", "precision"))
    assert (second.ours, second.theirs) == (3, 1)
    assert second.calls == (7, 0)


def test_a_transfer_shows_spades() -> None:
    net = network("policy", "policy")
    auction = Auction.parse("1N P 2H")
    told = explain_calls(net, auction, Vulnerability.NONE, SAYC, samples=1, sample=8000)
    assert [str(e.call) for e in told] == ["1NT", "Pass", "2♥"]
    assert told[2].meaning.lengths[3][0] >= 5
    assert len(told[2].samples) == 1


def test_what_comes_next() -> None:
    net = network("policy", "policy")
    coming = next_calls(net, Auction.parse("1N P 2H P"), Vulnerability.NONE, SAYC, sample=1500)
    assert coming[0].call.ascii == "2S"
    opening = next_calls(net, Auction.parse(""), Vulnerability.NONE, SAYC, sample=800)
    assert opening[0].call.ascii in ("P", "Pass")


def test_explaining_adds_meanings_where_they_must_be_computed() -> None:
    quiet, telling = bidder("policy"), explaining(bidder("policy"), hands=2000)
    auction = Auction.parse("")
    view = View(auction.turn, Hand.parse("AQ5.K973.QJ2.A84"), auction, Vulnerability.NONE)
    assert quiet.bid(view).meaning.hcp == (0, 37)
    told = telling.bid(view)
    assert told.call == quiet.bid(view).call
    assert told.meaning.hcp[0] >= 13
    assert explaining(telling) == telling
    assert explaining(bidder("bmcs"), 600).disclose == 600  # type: ignore[attr-defined]
    points = bidder("points")
    assert explaining(points) is points


def test_a_menu_of_meanings_is_one_question() -> None:
    known.cache_clear()
    net = network("policy", "policy")
    for call in (0, 3, 4, 5, 6, 7):
        posterior(net, AskedCall((call,), 0, 0, 1, 1), 300)
    assert known.cache_info().misses == 1


def test_the_command() -> None:
    words = ["explain", "--engine", "policy", "1N", "--no-next", "--json"]
    told = json.loads(CliRunner().invoke(main, words).output)
    assert told["engine"] == "policy"
    assert told["calls"][0]["hcp"][0] >= 13
    result = CliRunner().invoke(main, ["explain", "--engine", "points", "1N"])
    assert result.exit_code == 2
    assert "cannot be explained" in result.stderr
