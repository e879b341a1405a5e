"""Whether hands are inside what calls are said to show."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from overtrick.bidding import bidder
from overtrick.bidding.honesty import CallKind, Gap, admitted, departure, gap, kind_of, listen
from overtrick.game import CALLS, Auction, Call, Candidate, Decision, Hand, Meaning, View

OPENING = Meaning("weak two", hcp=(6, 10), lengths=((0, 13), (0, 13), (0, 13), (6, 6)))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("KQT965.84.A82.T6", Gap()),
        ("KQT96.84.A82.T65", Gap(0, (0, 0, 0, -1))),
        ("KQT9654.84.A8.T6", Gap(0, (0, 0, 0, 1))),
        ("KQT965.A4.A82.T6", Gap(3)),
        ("T98765.84.982.T6", Gap(-6)),
    ],
)
def test_how_far_a_hand_is_outside(hand: str, expected: Gap) -> None:
    found = gap(Hand(hand), OPENING)
    assert found == expected
    assert bool(found) == bool(found.words)


@pytest.mark.parametrize(
    ("auction", "call", "kind"),
    [
        ("", "1S", CallKind.OPENING),
        ("P P", "1S", CallKind.OPENING),
        ("1S P", "2C", CallKind.RESPONSE),
        ("1S P 2C P", "2S", CallKind.REBID),
        ("1S", "2C", CallKind.OVERCALL),
        ("1S P 2S", "3C", CallKind.OVERCALL),
        ("1S P P", "2C", CallKind.OVERCALL),
        ("1S 2C P", "3C", CallKind.ADVANCE),
        ("1S X P", "2C", CallKind.ADVANCE),
        ("1S", "X", CallKind.DOUBLE),
        ("1S", "P", CallKind.PASS),
    ],
)
def test_the_kind_of_a_call(auction: str, call: str, kind: CallKind) -> None:
    assert kind_of(Auction.parse(auction), int(Call(call))) is kind


def test_what_tells_more_admits_fewer_hands() -> None:
    assert admitted(Meaning("anything")) == 1.0
    assert admitted(OPENING) < 0.02 < admitted(Meaning("", hcp=(12, 21))) < 0.5


@dataclass
class Boaster:
    """Opens one club on everything and says that it is strong."""

    name: str = "boaster"
    system: str = ""

    def bid(self, view: View) -> Decision:
        if any(view.auction.calls):
            return Decision(CALLS[0], Meaning("passes"))
        call = Call("1C")
        told = (Candidate(call, details={"departs": "no points"}),)
        return Decision(call, Meaning("strong", hcp=(37, 37)), told)


def test_a_bidder_who_says_what_it_does_not_hold_is_found_out() -> None:
    found = listen(Boaster(), None, 8)
    assert (found.bids.calls, found.bids.outside, found.bids.departing) == (8, 8, 8)
    assert found.kinds[CallKind.OPENING].points > 10
    assert found.passes.outside == 0
    ((call, _), kept), *rest = found.worst
    assert (call, kept.calls, rest) == ("1C", 8, [])
    assert "outside: -" in str(kept.examples[0])
    assert found.to_dict()["bids"]["outside_share"] == 1.0


def test_a_decision_without_candidates_departs_from_nothing() -> None:
    assert not departure(Decision(CALLS[0], Meaning("passes")))


@pytest.mark.parametrize("system", ["two-over-one", "acol", "polish"])
def test_the_rules_hold_what_they_tell(system: str, times: int) -> None:
    engine = bidder(f"rules(system={system})")
    found = listen(engine, bidder("points"), 30 * times, seed=3)
    assert found.bids.calls > 40
    assert not found.bids.outside, found.worst[0][1].examples[0]
