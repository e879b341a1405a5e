"""Textbook positions: the partner and the rules make the call that every standard makes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="the extra nn runs networks")

from overtrick.bidding import Bidder, bidder
from overtrick.game import Auction, Call, Hand, Seat, Systems, View

FILE = Path(__file__).with_name("textbook.tsv")
SYSTEMS = Systems("two-over-one", "two-over-one")


@dataclass(frozen=True)
class Position:
    """One position: any of the calls is right."""

    kind: str
    view: View
    right: tuple[Call, ...]


def positions() -> list[Position]:
    found = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, _, auction, hand, calls = line.split("\t")
        heard = Auction.parse(auction)
        view = View(Seat(heard.turn), Hand(hand), heard, "None", systems=SYSTEMS)
        found.append(Position(kind, view, tuple(Call(call) for call in calls.split(","))))
    return found


def wrong(engine: Bidder, asked: list[Position]) -> dict[str, list[str]]:
    """By kind, what was called instead."""
    found = defaultdict(list)
    for position in asked:
        call = engine.bid(position.view).call
        if call not in position.right:
            told = f"{position.view.auction}: {position.view.hand} {call}, not {position.right}"
            found[position.kind].append(told)
    return dict(found)


def judged(engine: Bidder, asked: list[Position], least: float) -> None:
    """96 in a hundred are right, and so many of every kind."""
    missed = wrong(engine, asked)
    count = sum(map(len, missed.values()))
    assert count <= 0.04 * len(asked), missed
    for kind, cases in missed.items():
        assert len(cases) <= (1 - least) * sum(p.kind == kind for p in asked), (kind, cases)


def test_the_rules_bid_as_the_books_do() -> None:
    judged(bidder("rules(system=two-over-one)"), positions(), least=0.88)


@pytest.mark.slow
def test_the_partner_bids_as_the_books_do() -> None:
    judged(bidder("partner"), positions(), least=0.9)
