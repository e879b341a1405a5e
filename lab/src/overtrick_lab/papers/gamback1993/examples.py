"""The examples of the paper, computed again: section 1.1 and Figures 2, 3, 4, 6, 7 and 9.

Figures 3, 4, 6 and 7 are one chain on one system: rules, what the calls say by them, deals that
have it, and what the nets make of these deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding.kernel import AuctionPosition, RulesCaller, SeatHands, utility_of
from overtrick.bidding.pragma.belief import Mind, Weighed, game_or_invite
from overtrick.bidding.pragma.sources import choice_set
from overtrick.evaluation import HandArray, feature
from overtrick.game import CALLS, Auction, Call, Deal, Hand, PartialDeal, Seat, Vulnerability
from overtrick.nets.contract import ContractModel, at_least
from overtrick.systems import Reading, system_of_text
from overtrick.systems.meanings import knowledge
from overtrick.systems.pragmatics import Conclusion, conclusions, speech_acts
from overtrick.worlds import Annealer, Constraint, Dealer, parse
from overtrick_lab.papers.gamback1993.diagnostics import Bias, bias

Hands = NDArray[np.uint64]

# Section 1.1: 2NT shows 11 to 14 and a balanced hand, and says more by what it is not.
SECTION_1: Final = """
opening
  1S "natural" : hcp 11..20, spades 5+ @10
after 1S
  2D "natural" forcing : hcp 10+, diamonds 4+ @10
after 1S 2D
  2NT "balanced" : hcp 11..14, semi-balanced @5
  2H "a second suit" : hearts 4+ @8
  2S "rebiddable spades" : spades 5+, quality S 5+ @8
  3D "support" : diamonds 3+, hcp 11..12 @7
"""
# The rules of Figure 3 (the take-out double is one of five cases there), and enough of Modern
# Standard for the other examples. Support and a second suit come before a repeated one: that is
# what footnote 6 misses in the constraints.
MODERN_STANDARD: Final = """
opening
  3S "pre-emptive, seven spades" preempts : hcp 5..10, spades 7, biddable S 4+ @20
  1H "natural" : hcp 13..20, hearts 5+ @10
  Pass "less than an opening" : hcp ..12 @5
after (1M) | (2M)
  X "take-out: asks for the best suit" asks : hcp 13+, biddable oM 1..2 @10
  Pass "nothing to say" : any @1
after 1M (X)
  XX "balanced, 8–10 with three cards in partner's suit" : hcp 8..10, M 3+, balanced @10
     : hcp 10+, balanced @10 "balanced, 10 or more"
after 1H
  1S "biddable spades, no fit" : hcp 5+, biddable S 1+, hearts ..3 @10
  Pass "too weak" : hcp ..4 @5
after 1H 1S
  2S "support" : spades 4, hcp 13..15 @12
  3S "support, strong" : spades 4+, hcp 16..20 @12
  3C "a strong second suit" : clubs 5+, biddable C 2+, hcp 16..20 @11
  3H "rebiddable hearts" : hcp 18..19, balanced, biddable H 2+ @10
     : hcp 16..20, unbalanced, biddable H 2+ @10
after 1H 1S 3H
  3NT "a stopper in the unbid suits" promises : hcp 6..11, stopper C, stopper D @10
  4H "to play" : hcp 6+ @5
  Pass "nothing more" : hcp ..5 @5
"""
# Figure 9: the tree is not printed; these rules have its choice sets.
FIGURE_9: Final = """
opening
  1NT "strong" : hcp ..40 @10
after 1NT
  Pass "to play" : hcp ..40 @3
  2D "asks" : hcp ..40 @2
  2S "range" : hcp ..40 @1
after 1NT 2D
  Pass "diamonds" : diamonds 4+ @5
  2H "hearts" : hearts 4+ @4
  2S "spades" : spades 4+ @4
  2NT "neither" : hcp ..40 @3
  3D "a big fit" : diamonds 5+ @6
after 1NT 2S
  Pass "lowest" : hcp ..9 @5
  2NT "more" : hcp 10+ @5
anytime
  Pass "nothing more" : hcp ..40 @1
"""
FIGURE_2_DEAL: Final = "N:K97.KJ42.T974.85 T543.95.KJ32.T72 Q6.AT87.A5.KQJ43 AJ82.Q63.Q86.A96"
# The figure has the seven of spades twice and no five: North gets the five.
FIGURE_4_DEAL: Final = "N:QT95.Q874.2.9542 A.AJT962.QJ54.Q3 8642.K3.T87.AKT7 KJ73.5.AK963.J86"
PAPER_FIGURE_7: Final = (*[100] * 10, 91, 78, 5, 0)


def section_1() -> list[Conclusion]:
    """What North's 2NT says indirectly after 1♠ – 2♦."""
    reading = Reading(system_of_text(SECTION_1))
    calls = tuple(int(c) for c in Auction.parse("1S P 2D P").calls)
    return conclusions(reading, reading.context(calls), 12, most=6)


def figure_2(north: str, mind: Mind, *, deals: int = 60, vulnerable: bool = True) -> Weighed:
    """South weighs 4♥ against 3♥ when North's 1♥ has shown `north`."""
    shown = {
        Seat.NORTH: parse(north),
        Seat.EAST: parse("hcp 0..7"),
        Seat.WEST: parse("hcp 12+, clubs 0..3, hearts 3+, spades 3+"),
    }
    inviting = parse("hcp 15..17, clubs 4+, hearts 4")
    everyone = [shown[Seat.NORTH], shown[Seat.EAST], inviting, shown[Seat.WEST]]
    known = PartialDeal.of({Seat.SOUTH: Deal.parse(FIGURE_2_DEAL)[Seat.SOUTH]})
    hands = Dealer(shown, known=known).sample(deals, mind.rng).hands
    three, four = 2 * 5 + 2, 3 * 5 + 2
    bids = (three, four, int(Seat.NORTH))
    return game_or_invite(hands, everyone, Seat.NORTH, bids, mind, vulnerable=vulnerable)


def modern_standard() -> Reading:
    """The one system of the chain."""
    return Reading(system_of_text(MODERN_STANDARD))


def figure_3() -> dict[str, str]:
    """What the double of one heart and the redouble of a double show."""
    reading, vul = modern_standard(), Vulnerability(0)
    said = {}
    for name, text in (("double", "1H X"), ("redouble", "1H X XX")):
        auction = Auction.parse(text, Seat.NORTH)
        told = knowledge(reading, auction, vul, name == "double", deny=False)
        said[name] = told[len(auction.calls) - 1].words()
    return said


def figure_4(*, deny: bool = False) -> tuple[Constraint, Constraint, Constraint, Constraint]:
    """The constraints on the four hands after P 1♥ P 1♠ P 3♥; with `deny` also what better calls
    that were not made exclude (footnote 6)."""
    auction = Auction.parse("P 1H P 1S P 3H", Seat.NORTH)
    return knowledge(modern_standard(), auction, Vulnerability(0), 1, deny=deny)


def figure_6_constraints(*, deny: bool = False) -> tuple[dict[Seat, Constraint], PartialDeal]:
    """What West knows in Figure 6 (Figure 4's constraints on the others), and West's hand."""
    north, east, south, _ = figure_4(deny=deny)
    rules = {Seat.NORTH: north, Seat.EAST: east, Seat.SOUTH: south}
    return rules, PartialDeal.of({Seat.WEST: Deal.parse(FIGURE_4_DEAL)[Seat.WEST]})


@dataclass(frozen=True, slots=True)
class Figure6:
    """R-deals by annealing, what they show about East, and how far they are from exact ones."""

    hands: Hands
    unbalanced: float
    weaker: float  # at most 17 points
    short_diamonds: float
    short_without: float  # the same before the auction
    support: float  # four spades, which footnote 6 says East cannot have
    bias: Bias


def figure_6(count: int, rng: Generator, *, deny: bool = False) -> Figure6:
    rules, known = figure_6_constraints(deny=deny)
    hands = Annealer(rules, known=known).sample(count, rng).hands
    truth = Dealer(rules, known=known).sample(10 * count, rng).hands
    before = HandArray(Dealer(known=known).sample(count, rng).hands[:, Seat.EAST])
    east = HandArray(hands[:, Seat.EAST])
    return Figure6(
        hands,
        float(1 - parse("balanced").mask(east).mean()),
        float((np.asarray(feature("HCP")(east)) <= 17).mean()),
        float((east.look("length", 1) <= 1).mean()),
        float((before.look("length", 1) <= 1).mean()),
        float((east.look("length", 3) >= 4).mean()),
        bias(hands, truth),
    )


def figure_7(model: ContractModel, hands: Hands | None = None) -> list[int]:
    """P(at least 0..13 tricks) in diamonds by West, in per cent: on the deal of the figure, or as
    West must see it, on average over R-deals."""
    if hands is None:
        deal = Deal.parse(FIGURE_4_DEAL)
        hands = np.array([[h.bits for h in deal.hands]], np.uint64)
    said = at_least(model.table(hands)[:, 1, Seat.WEST].mean(axis=0))
    return [round(100 * float(p)) for p in said]


def section_1_4(deals: int = 20_000, seed: int = 1) -> dict[str, dict[str, float]]:
    """Two plans of South: one works if West has the ♣A, one if East has four of six diamonds;
    before anybody has called, and after West's 3♠."""
    table = PartialDeal.of(
        {Seat.NORTH: Hand.parse("A5.K732.Q62.J842"), Seat.SOUTH: Hand.parse("94.AQJ6.AK54.K63")}
    )
    opening = knowledge(modern_standard(), Auction.parse("3S", Seat.WEST), Vulnerability(0), 1)
    out = {}
    for when, rules in (("before", {}), ("after 3♠", {Seat.WEST: opening[Seat.WEST]})):
        hands = Dealer(rules, known=table).sample(deals, np.random.default_rng(seed)).hands
        east = HandArray(hands[:, Seat.EAST]).look("length", 1) >= 4
        ace = np.asarray(feature("ACE(C)")(HandArray(hands[:, Seat.WEST]))) > 0
        out[when] = {"ace of clubs": float(ace.mean()), "four diamonds": float(east.mean())}
    return out


def acts() -> dict[str, list[str]]:
    """Section 1.2: what the calls of these examples do, and a bid that lies."""
    reading = modern_standard()
    shown = {}
    for text, hand in (
        ("3S", None), ("(1H) X", None), ("1H P 1S P 3H", None), ("1H P 1S P 3H P 3NT", None),
        ("1H P 1S P 3H", "A3.KQJ96.Q542.K3"),
    ):  # fmt: skip
        calls = [int(Call.parse(word.strip("()"))) for word in text.split()]
        ctx = reading.context(tuple(calls[:-1]), 0, int(text.startswith("(")))
        holding = None if hand is None else Hand.parse(hand)
        denied = conclusions(reading, ctx, calls[-1])
        found = speech_acts(reading, ctx, calls[-1], denied, holding)
        name = text if hand is None else f"{text} with {hand}"
        shown[name] = [f"{act.act}: {act.words}" for act in found]
    return shown


def figure_9(deals: int = 60, seed: int = 3) -> dict[str, list[str]]:
    """The choice sets of Pass, 2♦ and 2♠ after partner's 1NT."""
    reading = Reading(system_of_text(FIGURE_9))
    deals_ = Dealer().sample(deals, np.random.default_rng(seed)).hands
    leaves = utility_of("paper").leaves(deals_, 0, 0)
    callers = [RulesCaller(reading)] * 4
    out = {}
    for call in (0, 9, 11):
        after = AuctionPosition((7, 0, call), int(Seat.NORTH), 0)
        found = choice_set(
            after, SeatHands(deals_), leaves, np.zeros(deals), callers, most=5, limit=500
        )  # fmt: skip
        out[str(CALLS[call])] = [str(CALLS[b + 3]) for b in sorted({c[0] for c in found.contracts})]
    return out
