"""A card's reasons: what it does by its name, the count that is known, the numbers.

A name is given only where the trick bears it out: names are about cards in sight and cards that are
out, never about what is hoped for. tests/cardplay/names.py has the rules of every name once more.
"""

from __future__ import annotations

import numpy as np

from overtrick.cardplay.situation import Situation
from overtrick.cardplay.values import Worth
from overtrick.game import DECK, Card, Seat, Strain, Suit
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import (
    AsGood,
    Deed,
    Does,
    FewerTricks,
    Finesse,
    KnownLengths,
    LittleBetter,
    OtherTricks,
    Otherwise,
    Reason,
    SafeLoss,
)
from overtrick.game.wording import tricks_counted
from overtrick.worlds.weighted import Worlds

_JACK = 9
_TEN = 8
_NINE = 7
_SAME = 0.005
_LOW = {1: Deed.SECOND_LOW, 2: Deed.THIRD_LOW}
_POSSIBLE = 0.02  # a finesse that works less often is none


def explain(at: Situation, card: Card, found: list[Worth], worlds: Worlds) -> tuple[Reason, ...]:
    """What the card does, what is known, and how much better it is than the next."""
    does = tactic(at, card, worlds)
    follows = not at.trick or card.suit == at.trick[0].suit
    count = known_count(at, card.suit) if follows else None
    known = (does, safe_loss(at, does, worlds), count)
    return (*(reason for reason in known if reason), *comparison(at, card, found))


def tactic(at: Situation, card: Card, worlds: Worlds) -> Reason | None:
    """What the card does, as players call it; nothing when it is just a card."""
    if at.declaring:
        return _led(at, card) if not at.trick else _declarer_follows(at, card, worlds)
    return _defender(at, card)


def comparison(at: Situation, card: Card, found: list[Worth]) -> tuple[Reason, ...]:
    """The card's worth against the best other card that is no equal of it.

    Where the contract's fate is the same, the difference is told in tricks.
    """
    mine = next((w for w in found if w.card == card), found[0])
    same = next((set(g) for g in at.groups() if card in g), {card})
    others = [w for w in found if w.card not in same]
    fate = mine.fate(at)
    return (fate, _against(at, mine, max(others, key=lambda w: w.value))) if others else (fate,)


def _against(at: Situation, mine: Worth, other: Worth) -> Reason:
    if abs(other.value - mine.value) < 1e-6:
        return AsGood(other.card)
    if abs(other.chance - mine.chance) >= _SAME:
        return Otherwise(other.card, other.chance, at.declaring)
    if mine.tricks is None or other.tricks is None:
        return FewerTricks(other.card)
    if tricks_counted(other.tricks) == tricks_counted(mine.tricks):
        return LittleBetter(other.card)
    return OtherTricks(other.card, other.tricks)


def known_count(at: Situation, suit: Suit) -> KnownLengths | None:
    """How a suit lies between the hidden hands, where the cards seen leave only one way."""
    pool = _pool(at, suit)
    if len(at.hidden) != 2 or pool.bit_count() < 2:
        return None
    one, other = at.hidden
    most, least = _most(at, one, suit), pool.bit_count() - _most(at, other, suit)
    if most != least or (at.trick and most in (0, pool.bit_count())):
        return None  # or one that everybody has seen to show out
    return KnownLengths(suit, Seat(one), most, Seat(other), pool.bit_count() - most)


def _most(at: Situation, seat: int, suit: int) -> int:
    """The most cards of a suit that a hidden hand can hold: suits that the other hidden hand has
    shown out of take their places."""
    if at.barred[seat] >> 13 * suit & 1:
        return 0
    other = next(s for s in at.hidden if s != seat)
    forced = sum(
        _pool(at, s).bit_count() for s in range(4) if s != suit and at.barred[other] >> 13 * s & 1
    )
    return min(_pool(at, suit).bit_count(), at.needs[seat] - forced)


def safe_loss(at: Situation, does: Reason | None, worlds: Worlds) -> SafeLoss | None:
    """A finesse at notrump that loses, if it does, to the hand without the suit they would run."""
    if not isinstance(does, Finesse) or at.strain < Strain.NT:
        return None
    one, other = at.hidden
    loses_to = one if other == does.seat else other
    for suit in Suit:
        out = _pool(at, suit)
        ours = _hand(at, at.turn, suit) | _hand(at, at.turn.partner, suit)
        if suit == does.against.suit or out.bit_count() < 2 or ours > out:
            continue  # the better of two sets of one suit has the higher number
        held = worlds.deals[:, loses_to] & np.uint64(SUIT_BITS << 13 * suit)
        if not held.any():
            return SafeLoss(Seat(loses_to), suit)
    return None


# ---------------------------------------------------------------- suits


def _hand(at: Situation, seat: Seat, suit: int) -> int:
    """The cards of a suit in a hand in sight, 13 bits."""
    return at.known[seat] >> 13 * suit & SUIT_BITS


def _pool(at: Situation, suit: int) -> int:
    """Its cards that are out, 13 bits."""
    return at.pool >> 13 * suit & SUIT_BITS


def _top(held: int) -> int:
    """The rank of the best of these cards; below all for none."""
    return held.bit_length() - 1


def _card(suit: int, rank: int) -> Card:
    return DECK[13 * suit + rank]


def _above(at: Situation, card: Card) -> Card | None:
    """The lowest unseen card that beats this one."""
    higher = _pool(at, card.suit) >> card.rank + 1
    return DECK[card + (higher & -higher).bit_length()] if higher else None


def _winning(at: Situation, card: Card) -> bool:
    """Does this card win the trick as it stands?"""
    return at.play.trick._replace(cards=(*at.trick, card)).winner(at.strain) == at.turn


def _winners(at: Situation) -> list[Card]:
    """The cards that win the trick as it stands."""
    return [c for c in at.cards() if _winning(at, c)]


def _may_be_ruffed(at: Situation) -> bool:
    """Is a trump out that could fall on a plain suit?"""
    led = at.trick[0].suit if at.trick else None
    return at.strain < 4 and led != at.strain and bool(_pool(at, at.strain))


# ---------------------------------------------------------------- declarer leads


def _led(at: Situation, card: Card) -> Reason | None:
    suit = card.suit
    out, other = _pool(at, suit), _hand(at, at.turn.partner, suit)
    if suit == at.strain and out:
        return _drives_out(at, card) or Does(Deed.DRAWS_TRUMPS)
    if card.rank > _top(out):
        return Does(Deed.CASHES)
    trumps = at.strain < 4 and _hand(at, at.turn.partner, at.strain)
    if not other and trumps:
        return Does(Deed.LEADS_FOR_A_RUFF)
    missing = _above(at, card)
    assert missing is not None
    if card.rank >= _TEN and _top(other) > missing.rank:
        return Does(Deed.LEADS_FOR_A_FINESSE, missing)
    if _top(other) > card.rank and (towards := _honour_to_lead_to(other, out)) is not None:
        return Does(Deed.LEADS_TOWARDS, _card(suit, towards))
    if _top(other) > _top(out):
        return Does(Deed.LEADS_TOWARDS, _card(suit, _top(other)))
    return _drives_out(at, card) or _gives_up(at, card)


def _honour_to_lead_to(other: int, out: int) -> int | None:
    """The best card, from the jack upwards, that a card that is out could still beat."""
    beaten = other & ((1 << max(_top(out), 0)) - 1)
    return _top(beaten) if _top(beaten) >= _JACK else None


def _drives_out(at: Situation, card: Card) -> Reason | None:
    """One card is out above all of ours, and once it is gone the next best is ours."""
    suit, out = card.suit, _pool(at, card.suit)
    ours = _hand(at, at.turn, suit) | _hand(at, at.turn.partner, suit)
    if (out >> _top(ours) + 1).bit_count() != 1:
        return None
    kept = ours & ~(1 << card.rank)
    rest = out & ~(1 << _top(out))
    return Does(Deed.DRIVES_OUT, _card(suit, _top(out))) if _top(kept) > _top(rest) else None


def _gives_up(at: Situation, card: Card) -> Reason:
    """They can win this trick by right: for a ruff that follows, for long cards, or to get off
    lead."""
    suit = card.suit
    hands = [(_hand(at, seat, suit), seat) for seat in (at.turn, at.turn.partner)]
    if at.strain < 4 and suit != at.strain:
        for (short, seat), (long, _) in (hands, hands[::-1]):
            trumps = _hand(at, seat, at.strain)
            if short.bit_count() == 1 and long.bit_count() > 1 and trumps:
                return Does(Deed.PREPARES_A_RUFF, suit=suit)
    length = max(held.bit_count() for held, _ in hands) - 1
    out = max(_pool(at, suit).bit_count() - 2, 0)
    if length and 2 * length > out + 1:
        return Does(Deed.SETS_UP)
    return Does(Deed.GIVES_UP_THE_LEAD)


# ---------------------------------------------------------------- declarer follows


def _declarer_follows(at: Situation, card: Card, worlds: Worlds) -> Reason | None:
    if card.suit != at.trick[0].suit:
        return _without_the_suit(at, card) or _discards(at, card)
    if not _winning(at, card):
        return _lets_go(at) if _winners(at) else None
    last, missing = len(at.trick) == 3, _above(at, card)
    if missing is not None and not last:
        return _finesse(at, card, missing, worlds)
    if not last and (dropped := _plays_for_the_drop(at, card)):
        return dropped
    return _wins(at, card)


def _wins(at: Situation, card: Card) -> Reason | None:
    """The trick is ours, unless a last trump is found: with what is kept for later."""
    suit, seat = card.suit, at.turn.partner
    ahead = at.trick[-2] if len(at.trick) > 1 else None
    kept = _top(_hand(at, seat, suit))
    if ahead is not None and ahead.suit == suit:
        if at.play.trick.winner(at.strain) == seat and ahead.rank > _top(_pool(at, suit)):
            return Does(Deed.OVERTAKES, ahead)
        highest = max(_top(_pool(at, suit)), *(c.rank for c in at.trick if c.suit == suit))
        if kept > highest and _hand(at, at.turn, suit).bit_count() > 1:
            return Does(Deed.KEEPS_AN_ENTRY, _card(suit, kept))
    sure = len(at.trick) == 3 or (len(at.trick) == 2 and not _may_be_ruffed(at))
    if sure:
        return Does(Deed.WINS)
    return Does(Deed.PUTS_UP, card) if card.rank >= _JACK else None


def _without_the_suit(at: Situation, card: Card) -> Reason | None:
    """A ruff, and how high."""
    if card.suit != at.strain:
        return None
    best = max((c for c in at.trick if c.suit == at.strain), default=None)
    if best is None:
        return Does(Deed.RUFFS)
    if card < best:
        return Does(Deed.UNDERRUFFS)
    theirs = at.play.trick.winner(at.strain).side != at.turn.side
    return Does(Deed.OVERRUFFS, best) if theirs else Does(Deed.RUFFS)


def _discards(at: Situation, card: Card) -> Reason:
    """A loser is a card that they could still beat, in a suit in which this hand has more cards
    than both hands have top cards, and in which the other hand cannot ruff for it."""
    suit, out = card.suit, _pool(at, card.suit)
    mine, other = _hand(at, at.turn, suit), _hand(at, at.turn.partner, suit)
    tops = (mine | other) >> _top(out) + 1
    loser = card.rank < _top(out) and mine.bit_count() > tops.bit_count()
    trumps = [at.strain < 4 and _hand(at, s, at.strain) for s in (at.turn, at.turn.partner)]
    if not loser or (trumps[1] and other.bit_count() < mine.bit_count()):
        return Does(Deed.THROWS)
    if at.play.trick.winner(at.strain).side == at.turn.side:
        return Does(Deed.THROWS_A_LOSER)
    return Does(Deed.LOSER_ON_LOSER if trumps[0] and len(at.trick) == 3 else Deed.THROWS)


def _finesse(at: Situation, card: Card, missing: Card, worlds: Worlds) -> Finesse | None:
    """An honour that is out is passed by, with a higher card kept behind it. It works if the hand
    has it that has played already."""
    higher = _hand(at, at.turn, card.suit) >> card.rank + 1
    if not higher or not _TEN <= missing.rank < card.rank + higher.bit_length():
        return None
    seat = at.turn.rho
    has = (worlds.deals[:, seat] >> np.uint64(int(missing)) & np.uint64(1)).astype(float)
    works = float(worlds.shares @ has)
    return Finesse(missing, seat, works) if works >= _POSSIBLE else None


def _plays_for_the_drop(at: Situation, card: Card) -> Reason | None:
    """A top card from our own lead where a lower one, past an honour that is out, might have won
    as well."""
    ours = at.leader & 1 == at.turn.side
    if not ours or _hand(at, at.turn, card.suit) >> card.rank + 1:
        return None
    under = _pool(at, card.suit) & ((1 << card.rank) - 1)
    if _top(under) < _JACK:
        return None
    choice = any(c.rank < _top(under) for c in _winners(at))
    dropped = _card(card.suit, _top(under))
    return Does(Deed.PLAYS_FOR_THE_DROP, dropped) if choice else None


def _lets_go(at: Situation) -> Reason | None:
    """Not beating what could be beaten: a hold-up, a duck, or the other hand's card left to run."""
    if at.play.trick.winner(at.strain) == at.turn.partner:
        ahead = at.trick[-2]
        if _above(at, ahead) is None or len(at.trick) == 3:
            return None
        return Does(Deed.LETS_RUN, ahead) if ahead.rank >= _NINE else Does(Deed.DUCKS)
    theirs = at.leader & 1 != at.turn.side
    if not theirs:
        return Does(Deed.DUCKS)
    best = max(_winners(at))
    other = _hand(at, at.turn.partner, best.suit)
    alone = len(at.trick) == 3 or (
        bool(other) and _top(other) < max(c.rank for c in at.trick if c.suit == best.suit)
    )
    if alone and best.rank > max(_top(_pool(at, best.suit)), _top(other)):
        return Does(Deed.HOLDS_UP, best)
    return Does(Deed.DUCKS if alone else Deed.PLAYS_LOW)


# ---------------------------------------------------------------- defenders


def _defender(at: Situation, card: Card) -> Reason | None:
    if not at.trick:
        return _defender_leads(at, card)
    if card.suit != at.trick[0].suit:
        return _without_the_suit(at, card) or Does(Deed.THROWS)
    partners = at.play.trick.winner(at.strain) == at.turn.partner
    if not _winning(at, card):
        return None if partners or not _winners(at) else _lets_them(at)
    if partners and at.trick[-2].rank >= _TEN:
        return Does(Deed.OVERTAKES, at.trick[-2])
    if len(at.trick) == 3:
        return Does(Deed.WINS)
    return _second_hand(at, card) if len(at.trick) == 1 else _third_hand(at, card)


def _lets_them(at: Situation) -> Reason:
    best = max(_winners(at))
    if len(at.trick) == 3 and _above(at, best) is None and not _dummy_beats(at, best):
        return Does(Deed.HOLDS_UP, best)
    return Does(_LOW.get(len(at.trick), Deed.DUCKS))


def _is_high(at: Situation, card: Card) -> bool:
    """Is it an honour, and the best card of the hand but for cards that touch it?"""
    group = next(g for g in at.groups() if card in g)
    return card.rank >= _TEN and _top(_hand(at, at.turn, card.suit)) == max(group).rank


def _dummy_beats(at: Situation, card: Card) -> bool:
    return _top(_hand(at, at.contract.dummy, card.suit)) > card.rank


def _second_hand(at: Situation, card: Card) -> Reason | None:
    led = at.trick[0]
    if _above(at, card) is None and not _dummy_beats(at, card):
        return Does(Deed.PUTS_UP, card) if card.rank >= _JACK else None
    if led.rank >= _TEN and card.rank >= _JACK:
        return Does(Deed.COVERS, led)
    return Does(Deed.SECOND_HIGH) if card.rank >= _JACK and _is_high(at, card) else None


def _third_hand(at: Situation, card: Card) -> Reason | None:
    if _is_high(at, card):
        return Does(Deed.THIRD_HIGH)
    dummy = _hand(at, at.contract.dummy, card.suit)
    kept = [c for c in at.cards() if c > card and c.suit == card.suit]
    over = [c for c in kept if dummy & ((1 << c.rank) - (1 << card.rank + 1))]
    if over and at.turn.rho == at.contract.dummy:
        return Does(Deed.INSERTS, min(over))
    return None


def _defender_leads(at: Situation, card: Card) -> Reason | None:
    """A trump, a ruff, a winner, or the suit with its past."""
    suit, strain = card.suit, at.strain
    if not at.play.cards:
        return Does(Deed.LEADS_A_TRUMP) if suit == strain else None
    if suit == strain:
        return Does(Deed.LEADS_A_TRUMP)
    if strain < 4 and (ruffed := _who_ruffs(at, suit)) is not None:
        return ruffed
    done = [t for t in at.play.tricks() if t.cards and t.leader.side == at.turn.side]
    same = [t for t in done if t.cards[0].suit == suit]
    if same and all(t.leader == at.turn.partner for t in same):
        return Does(Deed.RETURNS)
    if _above(at, card) is None and not _dummy_beats(at, card):
        return Does(Deed.CASHES)
    if same:
        last = done[-1].cards[0].suit == suit
        return Does(Deed.GOES_ON if last else Deed.COMES_BACK, suit=suit)
    theirs = any(t.cards and t.cards[0].suit == suit for t in at.play.tricks())
    return Does(Deed.LEADS_THEIRS if theirs else Deed.SWITCHES, suit=suit)


def _who_ruffs(at: Situation, suit: Suit) -> Reason | None:
    """A suit that partner, dummy or declarer is known to have no more of, with trumps perhaps."""
    partner, declarer = at.turn.partner, at.contract.declarer
    void = 1 << 13 * suit
    if at.barred[partner] & void and not at.barred[partner] >> 13 * at.strain & 1:
        return Does(Deed.GIVES_A_RUFF, suit=suit)
    dummy = at.contract.dummy
    if not _hand(at, dummy, suit) and _hand(at, dummy, at.strain):
        return Does(Deed.DUMMY_CAN_RUFF, suit=suit)
    if at.barred[declarer] & void and not at.barred[declarer] >> 13 * at.strain & 1:
        return Does(Deed.DECLARER_CAN_RUFF, suit=suit)
    return None
