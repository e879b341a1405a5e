"""A system read loosely: more calls for a hand, the same meanings."""

from __future__ import annotations

import numpy as np

from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.game import Hand
from overtrick.systems import Reading, load
from overtrick.systems.loose import LooseReading, widened
from overtrick.systems.meanings import call_meaning
from overtrick.systems.shows import feature_number

OPEN = AuctionPosition((), 0, 0)


def calls(slack: int, hand: str, position: AuctionPosition = OPEN) -> list[int]:
    player = PlayerModel("two-over-one", near=5000, slack=slack)
    return player.selection(position, np.array([Hand.parse(hand).bits], np.uint64)).calls()


def test_a_point_or_two_short() -> None:
    ten = "AJ832.K4.Q982.83"
    assert 6 not in calls(0, ten)
    assert 6 in calls(3, ten)  # 1S with ten points
    assert calls(3, ten)[0] == calls(0, ten)[0]  # the rules' own choice stays in front


def test_slack_only_adds() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        hand = int(sum(1 << int(c) for c in rng.permutation(52)[:13]))
        bits = np.array([hand], np.uint64)
        found = [
            set(PlayerModel("sayc", near=5000, slack=s).selection(OPEN, bits).calls())
            for s in (0, 1, 3)
        ]
        assert found[0] <= found[1] <= found[2]


def test_meanings_stay_as_agreed() -> None:
    strict = Reading(load("two-over-one"))
    loose = LooseReading(strict, 3)
    ctx = loose.context(())
    assert len(loose.options(ctx)) > len(strict.options(ctx))
    assert call_meaning(loose, ctx, 7) == call_meaning(strict, strict.context(()), 7)
    assert loose.context((7, 0)) is strict.context((7, 0))


def test_only_points_are_widened() -> None:
    hcp, spades = feature_number("HCP", ()), feature_number("SUITLEN", (3,))
    items = ((hcp, 12, 14), (spades, 5, 99), ("or", (((hcp, 20, 99),), ((spades, 6, 6),))))
    assert widened(items, 2) == (
        (hcp, 10, 16), (spades, 5, 99), ("or", (((hcp, 18, 99),), ((spades, 6, 6),))),
    )  # fmt: skip
