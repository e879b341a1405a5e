"""Two plain ways to lead that beginners are taught, as baselines for the lead chooser."""

from __future__ import annotations

from overtrick.cardplay.carding import STANDARD, Carding
from overtrick.cardplay.leadrules import agreed_lead, bid_suits, side_suits, trumps_of
from overtrick.game import Card, View


def textbook_lead(view: View, carding: Carding = STANDARD) -> Card:
    """As beginners are taught, the first that applies: partner's suit; against trumps a
    singleton; the top of an honour sequence; the longest suit they have not bid, fourth best."""
    hand, trumps = view.hand, trumps_of(view)
    partner, theirs = bid_suits(view)
    suits = side_suits(view)
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
            return agreed_lead(view, max(some, key=lambda s: (length[s], tops[s], s)), carding)
    raise AssertionError("a hand has a suit")


def longest_lead(view: View, carding: Carding = STANDARD) -> Card:
    """Partner's suit, or else the longest suit but trumps, whatever was bid."""
    hand = view.hand
    partner, _ = bid_suits(view)
    suits = side_suits(view)
    some = [s for s in suits if s in partner] or suits
    best = max(some, key=lambda s: (hand.length(s), hand.holding(s), s))
    return agreed_lead(view, best, carding)
