"""Hands with nothing to say pass, whatever opponents declare, at every seat and vulnerability."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("onnxruntime", reason="the extra nn runs networks")

from benchmarks.quiet_hands import places, quiet_hands, spoke
from overtrick.bidding import bidder
from overtrick.bidding.bmcs import Bmcs
from overtrick.game.reasons import Remark

RARELY = 0.01


def test_the_sample_is_what_it_says() -> None:
    assert len(quiet_hands(4)) > 500
    assert len(quiet_hands(7)) > 3000


def test_the_policy_passes(times: int) -> None:
    """One hand in a hundred may speak, in every place and against every system."""
    engine, loud, asked = bidder("policy"), Counter[str](), Counter[str]()
    for place in places():
        hands = place.hands[: 40 * times]
        for name in ("all", place.role, place.theirs):
            loud[name] += spoke(engine, place, hands)
            asked[name] += len(hands)
    assert asked["all"] > 20_000
    assert loud["all"] <= RARELY * asked["all"]
    for name, count in asked.items():
        assert loud[name] <= RARELY * count, name


@pytest.mark.parametrize("name", ["bmcs", "partner"])
def test_the_search_brings_nothing_back(name: str, times: int) -> None:
    engine = bidder(name)
    some = list(places())[:: 9 // times]
    loud = sum(spoke(engine, place, place.hands[7:8]) for place in some)
    assert loud <= RARELY * len(some)


def test_a_search_leaves_these_hands_to_the_policy() -> None:
    place = next(p for p in places() if p.auction == "1C")
    view = place.view(int(place.hands[0]), Bmcs().system)
    found = Bmcs(sure=1.0, p_min=0.0).bid(view)
    assert found.reasons == (Remark.TOO_WEAK,)
    assert not found.worlds
    assert len(found.candidates) == 1
