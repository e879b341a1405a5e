"""Figure 3 as printed beside PIDM in batches: with resources for everything they are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from overtrick import bidder
from overtrick.bidding.base import check_bidder
from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.kernel.leaves import utility_of
from overtrick.bidding.pidm import decide as batched
from overtrick.bidding.pidm.decide import PidmOutcome
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.settings import Counts, PidmSettings
from overtrick.engines.clock import counting_work
from overtrick.game import Auction, Hand, OptionError, Seat
from overtrick_lab.engines import figure3
from overtrick_lab.engines.figure3 import PrintedSettings

PLENTY = PrintedSettings(resource=1e12, worlds=4, epsilon=0)
SAME = PidmSettings(
    seconds=1e9, worlds=4, simulated_worlds=0, batch=99, instances=None, depth=99, own="world",
    own_turns=99, doubt=1.0, proposal="plain",
)  # fmt: skip


def player() -> PlayerModel:
    model = PlayerModel("two-over-one", "pass", near=60, utility=utility_of("ltc"))
    return replace(model, partner=model)


def at(calls: str) -> AuctionPosition:
    auction = Auction.parse(calls, Seat.NORTH)
    return AuctionPosition(tuple(int(c) for c in auction.calls), 0, 0)


def literal(calls: str, held: str, settings: PrintedSettings) -> tuple[PidmOutcome, Counts]:
    counts = Counts()
    found = figure3.decide(
        player(), at(calls), Hand.parse(held).bits, settings,
        rng=np.random.default_rng(7), counts=counts,
    )  # fmt: skip
    return found, counts


@pytest.mark.parametrize(
    ("calls", "held"),
    [
        ("1S P 2S P", "QJ742.A8.A82.AJ4"),
        ("1S P 2S P", "AT764.A.KJT5.A96"),
        ("1S P 2S P 3D P", "K964.QT5.975.KT2"),
        ("1H P 1S P 2H P", "KJT962.KT..QT654"),
        ("1S P 3S P", "AQJ53.Q84.T54.KJ"),
        ("1H P 2H P 2S P", "K.K62.T9762.T842"),
    ],
)
def test_batches_give_what_is_printed(calls: str, held: str) -> None:
    one, counts = literal(calls, held, PLENTY)
    hand, rng = Hand.parse(held).bits, np.random.default_rng(7)
    with counting_work():
        other = batched.decide(player(), at(calls), hand, SAME, rng=rng)
    assert len(one.calls) > 1
    assert counts.simulations > 10
    assert one.calls == other.calls
    assert (one.race.worlds.deals == other.race.worlds.deals).all()
    assert one.race.values == pytest.approx(other.race.values)
    assert one.call == other.call


def test_resources_are_divided_until_first_choices_are_left() -> None:
    case = "1H P 1S P 2H P", "KJT962.KT..QT654"
    spent = [literal(*case, PrintedSettings(resource, worlds=4))[1] for resource in (20, 500, 1e6)]
    assert [c.lookaheads for c in spent] == sorted(c.lookaheads for c in spent)
    assert spent[0].simulations == 0  # 20 instances: nothing is left to look ahead with
    assert spent[0].lookaheads == 1
    assert spent[1].simulations > 0
    assert spent[2].simulations > spent[1].simulations
    for settings in ({"resource": 0}, {"worlds": 0}, {"g": 1}, {"r": 0}, {"epsilon": -1}):
        with pytest.raises(OptionError):
            PrintedSettings(**settings)


def test_it_is_an_engine() -> None:
    """By name, with a decision that says what it compared."""
    engine = bidder("figure3(utility=ltc, resource=40, worlds=2, system=sayc)")
    assert engine.name == "figure3(resource=40, worlds=2, system=sayc, utility=ltc)"
    check_bidder(engine, boards=1)


def test_work_is_counted_alike_everywhere() -> None:
    """A limit of work cuts a search at the same place twice, however fast the machine is."""
    position, hand = at("1S P 2S P"), Hand.parse("AT764.A.KJT5.A96").bits
    hurried = replace(SAME, seconds=0.05, worlds=8)

    def once() -> tuple[int, int, bool]:
        counts = Counts()
        with counting_work():
            found = batched.decide(
                player(), position, hand, hurried, rng=np.random.default_rng(7), counts=counts
            )
        return counts.instances, counts.simulations, found.cut

    assert once() == once()
