"""A card's reasons: finesse, drop, ruff, duck, the count that is known, the numbers.
All of it comes from what the player computed."""

from __future__ import annotations

import numpy as np

from overtrick.cardplay.situation import Situation
from overtrick.cardplay.values import Worth
from overtrick.game import DECK, Card, Seat
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
)
from overtrick.game.wording import tricks_counted
from overtrick.worlds.weighted import Worlds

_HONOUR = 9
_TEN = 8
_SAME = 0.005
_LOW = {1: Deed.SECOND_LOW, 2: Deed.THIRD_LOW}
_HIGH = {1: Deed.SECOND_HIGH, 2: Deed.THIRD_HIGH}


def explain(at: Situation, card: Card, found: list[Worth], worlds: Worlds) -> tuple[Reason, ...]:
    """What the card does, what is known, and how much better it is than the next."""
    known = (tactic(at, card, worlds), known_count(at, card, worlds))
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


def known_count(at: Situation, card: Card, worlds: Worlds) -> KnownLengths | None:
    """Where every world agrees how a suit lies between the hidden hands, and it matters."""
    pool = at.pool >> 13 * card.suit & SUIT_BITS
    if len(at.hidden) != 2 or not pool or pool.bit_count() < 2 or len(worlds) < 2:
        return None
    one, other = at.hidden
    mask = np.uint64(SUIT_BITS << 13 * card.suit)
    lengths = np.bitwise_count(worlds.deals[:, one] & mask)
    if (lengths != lengths[0]).any():
        return None
    mine, rest = int(lengths[0]), pool.bit_count() - int(lengths[0])
    return KnownLengths(card.suit, Seat(one), mine, Seat(other), rest)


def _led(at: Situation, card: Card) -> Reason | None:
    pool = at.pool >> 13 * card.suit & SUIT_BITS
    if card.suit == at.strain and pool:
        return Does(Deed.DRAWS_TRUMPS)
    partner = at.known[at.turn.partner] >> 13 * card.suit & SUIT_BITS
    if not pool or card.rank > pool.bit_length() - 1:
        if card.suit != at.strain and not partner and at.strain < 4:
            trumps = at.known[at.turn.partner] >> 13 * at.strain & SUIT_BITS
            return Does(Deed.LEADS_FOR_A_RUFF if trumps else Deed.CASHES)
        return Does(Deed.CASHES)
    if partner.bit_length() - 1 >= _HONOUR and partner.bit_length() - 1 > card.rank:
        return Does(Deed.LEADS_TOWARDS, DECK[13 * card.suit + partner.bit_length() - 1])
    if card.rank >= _HONOUR:
        missing = _above(at, card)
        return Does(Deed.LEADS_THROUGH, missing) if missing is not None else None
    return Does(Deed.SETS_UP) if not partner >> pool.bit_length() else None


def _declarer_follows(at: Situation, card: Card, worlds: Worlds) -> Reason | None:
    if card.suit != at.trick[0].suit:
        return _without_the_suit(at, card)
    if not _winning(at, card):
        could = any(_winning(at, c) for c in at.cards())
        return _lets_go(at) if could else None
    missing = _above(at, card)
    if len(at.trick) < 3:
        if missing is not None:
            return _finesse(at, missing, worlds) if _finesses(at, card, missing) else None
        if dropped := _plays_for_the_drop(at, card):
            return dropped
    return Does(Deed.WINS)


def _without_the_suit(at: Situation, card: Card) -> Reason:
    """Declarer cannot follow: a ruff or a discard."""
    if card.suit != at.strain:
        return Does(Deed.THROWS_A_LOSER)
    best = max((c for c in at.trick if c.suit == at.strain), default=None)
    if best is None:
        return Does(Deed.RUFFS)
    return Does(Deed.OVERRUFFS if card > best else Deed.RUFFS_LOW)


def _finesses(at: Situation, card: Card, missing: Card) -> bool:
    """Is an honour that is out passed by, with a higher card kept behind it?"""
    higher = (at.known[at.turn] >> 13 * card.suit & SUIT_BITS) >> card.rank + 1
    top = card.rank + higher.bit_length()
    return bool(higher) and _TEN <= missing.rank < top


def _plays_for_the_drop(at: Situation, card: Card) -> Reason | None:
    """A top card from our own lead where a lower one might have won as well."""
    hand = at.known[at.turn] >> 13 * card.suit & SUIT_BITS
    ours = at.leader & 1 == at.turn.side
    if not ours or hand >> card.rank + 1 or len(at.groups()) == 1:
        return None
    lower = _below_honour(at, card)
    choice = any(c < card and c.suit == card.suit and _winning(at, c) for c in at.cards())
    return Does(Deed.PLAYS_FOR_THE_DROP, lower) if lower is not None and choice else None


def _winning(at: Situation, card: Card) -> bool:
    """Does this card win the trick as it stands?"""
    return at.play.trick._replace(cards=(*at.trick, card)).winner(at.strain) == at.turn


def _lets_go(at: Situation) -> Reason | None:
    """Not beating what could be beaten: a duck, or partner's card that is left to run."""
    if at.play.trick.winner(at.strain) != at.turn.partner:
        return Does(Deed.DUCKS if len(at.trick) > 1 else Deed.PLAYS_LOW)
    ahead = at.trick[-2]
    runs = _above(at, ahead) is not None and len(at.trick) == 2
    return Does(Deed.LETS_RUN, ahead) if runs else None


def _finesse(at: Situation, missing: Card, worlds: Worlds) -> Finesse:
    seat, share = _place(at, missing, worlds)
    return Finesse(missing, seat, share)


def _above(at: Situation, card: Card) -> Card | None:
    """The lowest unseen card that beats this one."""
    higher = (at.pool >> 13 * card.suit & SUIT_BITS) >> card.rank + 1
    if not higher:
        return None
    return DECK[card + (higher & -higher).bit_length()]


def _below_honour(at: Situation, card: Card) -> Card | None:
    """The highest unseen honour below this card."""
    lower = at.pool >> 13 * card.suit & ((1 << card.rank) - 1)
    rank = lower.bit_length() - 1
    return DECK[13 * card.suit + rank] if rank >= _HONOUR else None


def _place(at: Situation, card: Card, worlds: Worlds) -> tuple[Seat, float]:
    """Who more likely holds a card, by the weights of the worlds."""
    one, other = at.hidden
    has = (worlds.deals[:, one] >> np.uint64(int(card)) & np.uint64(1)).astype(float)
    share = float(worlds.shares @ has)
    return (Seat(one), share) if share >= 0.5 else (Seat(other), 1 - share)


def _defender(at: Situation, card: Card) -> Reason | None:
    if not at.trick:
        return _defender_leads(at, card)
    if card.suit != at.trick[0].suit:
        return Does(Deed.RUFFS if card.suit == at.strain else Deed.THROWS)
    if not _winning(at, card):
        could = any(_winning(at, c) for c in at.cards())
        return Does(_LOW.get(len(at.trick), Deed.DUCKS)) if could else None
    if len(at.trick) == 3:
        return Does(Deed.WINS)
    if at.trick[-1].rank >= _TEN and at.play.trick.winner(at.strain) == at.turn.rho:
        return Does(Deed.COVERS, at.trick[-1])
    return Does(_HIGH[len(at.trick)]) if card.rank >= _TEN else None


def _defender_leads(at: Situation, card: Card) -> Reason | None:
    """Partner's suit, a trump, a winner, or through and up to dummy."""
    if not at.play.cards:
        return Does(Deed.LEADS_A_TRUMP) if card.suit == at.strain else None
    led = [t for t in at.play.tricks() if t.cards and t.cards[0].suit == card.suit]
    if any(t.leader == at.turn.partner for t in led):
        return Does(Deed.RETURNS)
    if card.suit == at.strain:
        return Does(Deed.LEADS_A_TRUMP)
    if _above(at, card) is None and not _dummy_beats(at, card):
        return Does(Deed.CASHES)
    return Does(Deed.GOES_ON if led else Deed.SWITCHES, suit=card.suit)


def _dummy_beats(at: Situation, card: Card) -> bool:
    return bool((at.known[at.contract.dummy] >> 13 * card.suit & SUIT_BITS) >> card.rank + 1)
