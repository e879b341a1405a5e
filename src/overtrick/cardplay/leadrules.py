"""Opening leads without any search: rules of thumb, and which suits the auction named."""

from __future__ import annotations

from overtrick.cardplay.carding import STANDARD, Carding, lead_card
from overtrick.game import PASS, Card, View
from overtrick.game.cards import DECK


def rule_lead(view: View, carding: Carding = STANDARD) -> Card:
    """The lead by our rules of thumb: partner's suit, a sequence, else the longest suit.

    Against a suit contract a singleton comes before length, and aces are not underled.
    """
    hand, trumps = view.hand, trumps_of(view)
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

    return agreed_lead(view, max(side_suits(view), key=worth), carding)


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


def trumps_of(view: View) -> int | None:
    assert view.contract is not None
    return int(view.contract.strain) if view.contract.strain < 4 else None


def side_suits(view: View) -> list[int]:
    """The suits held, without trumps if there is another."""
    trumps = trumps_of(view)
    held = [s for s in range(4) if view.hand.length(s)]
    return [s for s in held if s != trumps] or held


def agreed_lead(view: View, suit: int, carding: Carding) -> Card:
    holding = [DECK[c] for c in range(51, -1, -1) if view.hand.suit(suit).bits >> c & 1]
    return lead_card(holding, carding, trumps=trumps_of(view) is not None)
