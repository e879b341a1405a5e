"""Opening leads without any search: three sets of rules, from plain to ours.
Used as baselines, by lead.py as one opinion among others, and where there is no time to think."""

from __future__ import annotations

from overtrick.cardplay.carding import STANDARD, Carding, lead_card
from overtrick.game import PASS, Card, View
from overtrick.game.cards import DECK


def rule_lead(view: View, carding: Carding = STANDARD) -> Card:
    """The lead by our rules of thumb: partner's suit, a sequence, else the longest suit.

    Against a suit contract a singleton comes before length, and aces are not underled.
    """
    hand, trumps = view.hand, _trumps(view)
    partner, theirs = bid_suits(view)

    def worth(suit: int) -> tuple[float, ...]:
        held = hand.holding(suit)
        count = held.bit_count()
        top = held.bit_length() - 1
        sequence = top >= 10 and bool(held >> top - 1 & 1)
        ace = trumps is not None and top == 12 and not sequence
        short = trumps is not None and count == 1 and hand.length(trumps) > 0
        score = 3.0 * (suit in partner) + 2.0 * sequence + 1.5 * short - 2.0 * (suit in theirs)
        score += 0.4 * count * (1 if trumps is None else 0.4) - 1.5 * ace
        return (score, top, suit)

    return _agreed(view, max(_side_suits(view), key=worth), carding)


def textbook_lead(view: View, carding: Carding = STANDARD) -> Card:
    """As beginners are taught, the first that applies: partner's suit; against trumps a
    singleton; the top of an honour sequence; the longest suit they have not bid, fourth best."""
    hand, trumps = view.hand, _trumps(view)
    partner, theirs = bid_suits(view)
    suits = _side_suits(view)
    length = {s: hand.length(s) for s in suits}
    tops = {s: hand.holding(s).bit_length() - 1 for s in suits}
    touching = {s: tops[s] >= 9 and hand.holding(s) >> tops[s] - 1 & 1 for s in suits}
    third = {s: hand.holding(s) >> max(tops[s] - 2, 0) & 1 for s in suits}
    enough = {s: touching[s] and (trumps is not None or bool(third[s])) for s in suits}
    unbid = [s for s in suits if s not in theirs] or suits
    for some in (
        [s for s in suits if s in partner],
        [s for s in unbid if trumps is not None and length[s] == 1 and hand.length(trumps)],
        [s for s in unbid if enough[s]],
        unbid,
    ):
        if some:
            return _agreed(view, max(some, key=lambda s: (length[s], tops[s], s)), carding)
    raise AssertionError("a hand has a suit")


def longest_lead(view: View, carding: Carding = STANDARD) -> Card:
    """Partner's suit, or else the longest suit but trumps, whatever was bid."""
    hand = view.hand
    partner, _ = bid_suits(view)
    suits = _side_suits(view)
    some = [s for s in suits if s in partner] or suits
    best = max(some, key=lambda s: (hand.length(s), hand.holding(s), s))
    return _agreed(view, best, carding)


def bid_suits(view: View) -> tuple[set[int], set[int]]:
    """Suits bid by partner and by the declaring side."""
    partner: set[int] = set()
    theirs: set[int] = set()
    for i, call in enumerate(view.auction.calls):
        if call == PASS or not call.is_bid or call.strain > 3:
            continue
        seat = view.auction.seat_of(i)
        if seat == view.seat.partner:
            partner.add(int(call.strain))
        elif seat.side != view.seat.side:
            theirs.add(int(call.strain))
    return partner, theirs


def _trumps(view: View) -> int | None:
    assert view.contract is not None
    return int(view.contract.strain) if view.contract.strain < 4 else None


def _side_suits(view: View) -> list[int]:
    """The suits held, without trumps if there is another."""
    trumps = _trumps(view)
    held = [s for s in range(4) if view.hand.length(s)]
    return [s for s in held if s != trumps] or held


def _agreed(view: View, suit: int, carding: Carding) -> Card:
    holding = [DECK[c] for c in range(51, -1, -1) if view.hand.suit(suit).bits >> c & 1]
    return lead_card(holding, carding, trumps=_trumps(view) is not None)
