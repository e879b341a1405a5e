"""What tables know of an engine beside its calls and cards: its cost, its hurry, its offers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from overtrick.bidding import BIDDERS, bidder, meaning_of, usual_bidder
from overtrick.cardplay import PLAYERS, player
from overtrick.cardplay.pacing import Paced
from overtrick.engines.terms import Cost, cost_of, hurried
from overtrick.game import PASS, Auction, Decision, Hand, Meaning, View, Vulnerability


@dataclass(frozen=True)
class Silent:
    """Passes, and says nothing of its cost."""

    name: str = "silent"
    system: str = "rules of the house"

    def bid(self, view: View) -> Decision:
        return Decision(PASS, Meaning("nothing"))


@pytest.mark.parametrize(
    ("spec", "cost"),
    [("rules(system=acol)", Cost.INSTANT), ("partner", Cost.QUICK), ("pidm(worlds=9)", Cost.SLOW)],
)
def test_a_kind_of_bidders_knows_its_cost(spec: str, cost: Cost) -> None:
    assert BIDDERS.cost(spec) is cost


def test_who_says_nothing_is_slow_and_takes_its_time() -> None:
    engine = Silent()
    assert cost_of(engine) is Cost.SLOW
    assert hurried(engine, 0.1) is engine
    BIDDERS.add("silent", Silent)
    assert BIDDERS.cost("silent") is Cost.SLOW


def test_a_hurried_player_thinks_by_a_shorter_clock() -> None:
    made = hurried(player("pimc(worlds=20, seconds=3)"), 1.0)
    assert isinstance(made, Paced)
    assert made.player.name == "pimc(worlds=20, seconds=1.0)"  # type: ignore[attr-defined]
    at_once = hurried(player("highest"), 1.0)
    assert at_once == player("highest")


def test_offers_are_data_and_leave_the_laboratory_out() -> None:
    players = [offer.spec for offer in PLAYERS.offers()]
    bidders = [offer.spec for offer in BIDDERS.offers()]
    assert players[:3] == ["pimc(worlds=20)", "pimc", "alphamu"]
    assert bidders[0] == usual_bidder()
    assert all(PLAYERS.as_data(spec) == spec for spec in players)
    assert all(BIDDERS.as_data(spec) == spec for spec in bidders)
    assert not {"parts", "exact", "planner", "external"} & set(players)
    assert player("exact(worlds=3)").name.startswith("exact")  # its string opens all the same


def test_what_a_call_means_is_said_by_the_bidder_or_by_its_system() -> None:
    auction = Auction()
    view = View(auction.turn, Hand.parse("AQ5.K973.QJ2.A84"), auction, Vulnerability.NONE)
    assert meaning_of(Silent(), view, 7) is None
    by_system = meaning_of(Silent(system="sayc"), view, 7)
    assert by_system is not None
    assert by_system.hcp == (15, 17)
    assert meaning_of(bidder("rules(system=sayc)"), view, 7) == by_system
