"""What the auction says to the opening leader: the suits that were shown, by their meaning and not
by their name, and the suit that a double of partner's asks for."""

from __future__ import annotations

from collections.abc import Sequence

from overtrick.cardplay.evidence.rules import spoken
from overtrick.game import Call, Seat, Strain, Suit, View
from overtrick.game.calls import DOUBLE, PASS
from overtrick.systems import Reading, load
from overtrick.systems.meanings import CallRead, read_auction

_SHOWN = 4  # cards that make a suit a player's own; three where he bid it by its name
_NAMED = 3
_SLAM = 6
_GAME_LEVEL = 5  # a side that has bid so high may have sacrificed, and so may those who went on


def heard(view: View) -> list[CallRead]:
    """Every call with its meaning, by the systems that were declared or natural ones."""
    systems = spoken(view)
    reading = Reading(load(systems.ours), load(systems.theirs))
    return read_auction(reading, view.auction, view.vul, view.seat.side)


def is_suit(told: CallRead) -> bool:
    """Is it a bid in a suit that its bidder holds?"""
    call = told.call
    if not call.is_bid or call.strain == Strain.NT:
        return False
    return told.meaning.lengths[int(call.strain)][0] >= _NAMED


def own_suits(calls: Sequence[CallRead], seat: Seat) -> list[Suit]:
    """The suits that a player has shown, in that order."""
    found: list[Suit] = []
    for told in calls:
        if told.seat != seat or told.call == PASS:
            continue
        shown = {s for s in range(4) if told.meaning.lengths[s][0] >= _SHOWN}
        if is_suit(told):
            shown.add(int(told.call.strain))
        found += [Suit(s) for s in sorted(shown, reverse=True) if Suit(s) not in found]
    return found


def asked_suit(view: View) -> Suit | None:
    """The suit that partner's double asks for: a bid that was no suit of its bidder's and that he
    doubled, dummy's suit against a slam or at notrump, our own where our side has bid."""
    contract = view.contract
    doubles = [i for i, call in enumerate(view.auction.calls) if call == DOUBLE]
    mine = [i for i in doubles if view.auction.seat_of(i) == view.seat.partner]
    if contract is None or not mine:
        return None
    calls = heard(view)
    last = max(i for i, told in enumerate(calls) if told.call.is_bid)
    if mine[-1] > last:
        return _final(view, calls)
    for i in reversed(mine):
        if (suit := _doubled(calls, i)) is not None and view.hand.length(suit):
            return None if int(suit) == contract.strain else suit
    return None


def _doubled(calls: Sequence[CallRead], index: int) -> Suit | None:
    """The suit of a bid that was doubled and did not mean it. Theirs was not the first bid: over
    an opening, a double speaks of the doubler's whole hand."""
    bids = [i for i in range(index) if calls[i].call.is_bid]
    told = calls[bids[-1]]
    partner_bid = any(calls[i].seat == (told.seat + 2) % 4 for i in bids[:-1])
    if told.call.strain == Strain.NT or is_suit(told) or not partner_bid:
        return None
    return Suit(int(told.call.strain))


def _final(view: View, calls: Sequence[CallRead]) -> Suit | None:
    """What a double of the contract itself asks for."""
    contract, me = view.contract, view.seat
    assert contract is not None
    ours = [*own_suits(calls, me.partner), *own_suits(calls, me)]
    theirs = own_suits(calls, contract.dummy) + own_suits(calls, contract.declarer)
    side = [suit for suit in theirs if int(suit) != contract.strain]
    if contract.level >= _SLAM:
        if any(_is_high(told.call) for told in calls if Seat(told.seat).side == me.side):
            return None
        return _unusual(view, side, ours)
    if contract.strain != Strain.NT:
        return None
    dummys = own_suits(calls, contract.dummy)
    return next((s for s in [*ours, *dummys] if view.hand.length(s)), None)


def _is_high(call: Call) -> bool:
    return call.is_bid and call.level >= _GAME_LEVEL


def _unusual(view: View, side: Sequence[Suit], ours: Sequence[Suit]) -> Suit | None:
    """Against a slam: the first side suit they have shown, dummy's before declarer's; without one
    our longest suit, of which partner may have none. Never a suit that our side has bid."""
    contract, hand = view.contract, view.hand
    assert contract is not None
    shown = next((s for s in side if s not in ours and hand.length(s)), None)
    if shown is not None:
        return shown
    others = [s for s in Suit if int(s) != contract.strain and s not in ours]
    longest = max(others, key=lambda s: (hand.length(s), s), default=None)
    return longest if longest is not None and hand.length(longest) else None
