"""What somebody should ask himself before a card, from the cards in sight: a question that belongs
to this position, and what is still needed. Nothing here knows which card the engine has chosen, but
for the names of what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overtrick.cardplay.claim import sure_tricks
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import Card, Seat, Suit, View
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import Coup, Deed, Does, Finesse, Reason, Signal
from overtrick.web.sentences import Sentence, sentence

_ENOUGH: Final = 7  # cards of both hands, with which a suit is worth playing
_WEAK: Final = 10  # dummy's best card in a suit that defenders may attack: below the queen

_DEEDS: Final = {
    Deed.PLAYS_FOR_THE_DROP: "ask.drop",
    Deed.RUFFS: "ask.ruff",
    Deed.UNDERRUFFS: "ask.ruff",
    Deed.PREPARES_A_RUFF: "ask.ruff",
    Deed.GIVES_A_RUFF: "ask.ruff",
    Deed.OVERRUFFS: "ask.ruff",
    Deed.LEADS_FOR_A_RUFF: "ask.ruff",
    Deed.THROWS: "ask.discard",
    Deed.THROWS_A_LOSER: "ask.discard",
    Deed.LOSER_ON_LOSER: "ask.discard",
    Deed.DRAWS_TRUMPS: "ask.trumps",
    Deed.LEADS_A_TRUMP: "ask.trumps",
    Deed.DUCKS: "ask.duck",
    Deed.HOLDS_UP: "ask.duck",
    Deed.PLAYS_LOW: "ask.duck",
    Deed.LETS_RUN: "ask.duck",
    Deed.CASHES: "ask.winners",
    Deed.LEADS_TOWARDS: "ask.towards",
    Deed.LEADS_FOR_A_FINESSE: "ask.through",
    Deed.DRIVES_OUT: "ask.set-up",
    Deed.SETS_UP: "ask.set-up",
    Deed.COVERS: "ask.cover",
    Deed.RETURNS: "ask.return",
    Deed.SECOND_LOW: "ask.second",
    Deed.SECOND_HIGH: "ask.second",
    Deed.THIRD_LOW: "ask.third",
    Deed.THIRD_HIGH: "ask.third",
    Deed.INSERTS: "ask.third",
}
_COUPS: Final = {
    "finesse": "ask.who-has-it",
    "ruffing in": "ask.ruff",
    "ruffing high": "ask.ruff",
    "ruffing low": "ask.ruff",
    "ruffing": "ask.ruff",
    "uppercut": "ask.ruff",
    "dummy reversal": "ask.ruff",
    "loser on loser": "ask.discard",
    "keeping guard": "ask.discard",
    "drawing trumps": "ask.trumps",
    "trump lead": "ask.trumps",
    "hold-up": "ask.duck",
    "ducking": "ask.duck",
    "second hand low": "ask.duck",
    "cashing in time": "ask.winners",
    "cashing out": "ask.winners",
    "covering an honour": "ask.cover",
    "third hand high": "ask.third",
}


def question(at: Situation, why: tuple[Reason, ...]) -> Sentence:
    """The question that leads to the reasons, or else to what can be seen."""
    for reason in why:
        asked = _asks(at, reason)
        if asked:
            return sentence(asked)
    return _follows(at) if at.trick else _leads(at)


def asked_before(view: View, coup: str) -> tuple[Sentence, ...]:
    """The nudge of an exercise whose technique has a name, which would give it away."""
    at = situation(view)
    asked = _COUPS.get(coup)
    return (sentence(asked) if asked else question(at, ()),)


def _asks(at: Situation, reason: Reason) -> str:
    """What somebody should ask who does not see the reason yet."""
    match reason:
        case Finesse():
            return "ask.who-has-it"
        case Does(deed=Deed.LEADS_TOWARDS, card=Card() as card) if crosses(at, card):
            return "ask.cross"
        case Does(deed=deed):
            return _DEEDS.get(deed, "")
        case Coup(name=name):
            return _COUPS.get(name, "")
        case Signal() if not at.declaring and not _can_win(at):
            return "ask.signal"
    return ""


def crosses(at: Situation, card: Card) -> bool:
    """Is a card towards which somebody leads a winner anyhow, so that only the lead moves?"""
    return not at.trick and card.rank > _top(at.pool, card.suit)


# ---------------------------------------------------------------- from the cards in sight


def _follows(at: Situation) -> Sentence:
    """In the middle of a trick: who wins it as it is, and what can be done about that."""
    seat = at.play.trick.winner(at.strain)
    best = at.trick[(int(seat) - at.leader) % 4]
    led, legal = at.trick[0].suit, at.cards()
    last, side = len(at.trick) == 3, "declarer" if at.declaring else "defender"
    if not any(c.suit == led for c in legal):
        return sentence("ask.discard")
    if seat == at.turn.partner:
        if last or best.rank > _top(at.pool, best.suit):
            return sentence(f"ask.ours.{side}", card=best)
        return sentence("ask.ours.yet", card=best)
    if not _can_win(at):
        return sentence(f"ask.beaten.{side}", card=best)
    if last:
        return sentence("ask.last", card=best)
    return sentence("ask.high", card=best, after=at.turn.plus(1))


def _can_win(at: Situation) -> bool:
    if not at.trick:
        return True
    trick = at.play.trick
    return any(
        trick._replace(cards=(*at.trick, c)).winner(at.strain) == at.turn for c in at.cards()
    )


def _leads(at: Situation) -> Sentence:
    """Before a trick: the suits that can give something."""
    if not at.declaring:
        return _defender_leads(at)
    suits = tuple(_to_develop(at))
    if suits:
        return sentence(f"ask.develop.{'one' if len(suits) == 1 else 'some'}", suits=suits)
    tops = top_tricks(at)
    return sentence("ask.order" if tops else "ask.new-trick", tops=tops)


def _to_develop(at: Situation) -> Iterator[Suit]:
    """Suits with cards enough in which they still have something to beat ours with."""
    for suit in (3, 2, 1, 0):
        ours = (at.known[at.turn] | at.known[at.turn.partner]) >> 13 * suit & SUIT_BITS
        out = at.pool >> 13 * suit & SUIT_BITS
        longest = max(_length(at, at.turn, suit), _length(at, at.turn.partner, suit))
        if suit == at.strain or not out or ours.bit_count() < min(_ENOUGH, at.left + 1):
            continue
        if longest > (ours >> out.bit_length()).bit_count():
            yield Suit(suit)


def _defender_leads(at: Situation) -> Sentence:
    if not at.play.cards:
        return _opening_lead(at.view)
    led = [t for t in at.play.tricks() if t.cards]
    partners = next((t.cards[0].suit for t in led if t.leader == at.turn.partner), None)
    mine = at.known[at.turn]
    if partners is not None and mine >> 13 * partners & SUIT_BITS and partners != at.strain:
        return sentence("ask.go-on", suit=Suit(partners))
    dummy = at.known[at.contract.dummy]
    weak = tuple(
        Suit(s)
        for s in (3, 2, 1, 0)
        if s != at.strain
        and mine >> 13 * s & SUIT_BITS
        and (dummy >> 13 * s & SUIT_BITS).bit_length() - 1 < _WEAK
        and dummy >> 13 * s & SUIT_BITS
    )
    if weak:
        return sentence(f"ask.weak.{'one' if len(weak) == 1 else 'some'}", suits=weak)
    return sentence("ask.new-trick")


def _opening_lead(view: View) -> Sentence:
    """The suits of the auction: partner's, else theirs and those nobody bid."""
    bid: dict[int, list[int]] = {0: [], 1: []}
    for i, call in enumerate(view.auction.calls):
        if call.is_bid and call.strain < 4:
            seat = view.auction.seat_of(i)
            bid[int(seat.side != view.seat.side)].append(int(call.strain))
            if seat == view.seat.partner and view.hand.lengths[call.strain]:
                return sentence("ask.partner-bid", suit=Suit(call.strain))
    unbid = tuple(Suit(s) for s in (3, 2, 1, 0) if s not in (*bid[0], *bid[1]))
    if bid[1] and unbid:
        return sentence(f"ask.unbid.{'one' if len(unbid) == 1 else 'some'}", suits=unbid)
    return sentence("ask.auction")


# ---------------------------------------------------------------- tricks that are missing


def need(at: Situation) -> Sentence:
    """How many tricks are missing, and how many are on top, as players count them."""
    left = at.target
    if left > at.left or left <= 0:
        return sentence("need.lost" if left > at.left else "need.done")
    one = ".one" if left == 1 else ""
    if not at.declaring:
        return sentence(f"need.beat{one}", tricks=left)
    if at.trick or at.view.dummy is None:
        return sentence(f"need{one}", tricks=left)
    sure, _ = sure_tricks(at)
    if sure >= left:
        return sentence(f"need.safe{one}", tricks=left, tops=min(13, sure))
    tops = min(top_tricks(at), at.left)
    if tops >= left:
        return sentence(f"need.enough{one}", tricks=left, tops=tops)
    if one or tops:
        return sentence(f"need.tops{one}", tricks=left, tops=tops)
    return sentence("need.no-tops", tricks=left)


def top_tricks(at: Situation) -> int:
    """Tricks from the top in every suit: as many as there are cards above theirs, and as the longer
    hand has rounds. Ruffs and entries are not looked at."""
    found = 0
    for suit in range(4):
        ours = (at.known[at.turn] | at.known[at.turn.partner]) >> 13 * suit & SUIT_BITS
        out = at.pool >> 13 * suit & SUIT_BITS
        masters = (ours >> out.bit_length()).bit_count()
        longest = max(_length(at, at.turn, suit), _length(at, at.turn.partner, suit))
        # When as many rounds as they have cards are ours, the rest of a suit is, too.
        found += longest if masters >= out.bit_count() else min(masters, longest)
    return found


def _length(at: Situation, seat: Seat, suit: int) -> int:
    return (at.known[seat] >> 13 * suit & SUIT_BITS).bit_count()


def _top(cards: int, suit: int) -> int:
    """The rank of the highest of these cards in a suit, −1 for none."""
    return (cards >> 13 * suit & SUIT_BITS).bit_length() - 1
