"""A card's reason in words: finesse, drop, ruff, duck, the count that is known, the numbers.
All of it comes from what the player computed."""

from __future__ import annotations

import numpy as np

from overtrick.cardplay.knowledge import Worlds
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.values import Worth, tricks_in_all
from overtrick.game import DECK, SUIT_WORDS, Card, Seat
from overtrick.game.cards import SUIT_BITS

_HONOUR = 9
_TEN = 8
_SURE = 0.995
_SAME = 0.005
_LOW = {1: "second hand low", 2: "third hand low"}
_HIGH = {1: "second hand high", 2: "third hand high"}


def explain(at: Situation, card: Card, found: list[Worth], worlds: Worlds) -> str:
    """One line: what the card does, what is known, and how much better it is than the next."""
    parts = [tactic(at, card, worlds), known_count(at, card, worlds), comparison(at, card, found)]
    return "; ".join(p for p in parts if p)


def tactic(at: Situation, card: Card, worlds: Worlds) -> str:
    """What the card does, as players call it; empty when it is just a card."""
    if at.declaring:
        return _led(at, card) if not at.trick else _declarer_follows(at, card, worlds)
    return _defender(at, card)


def comparison(at: Situation, card: Card, found: list[Worth]) -> str:
    """The card's worth against the best other card that is no equal of it.

    Where the contract's fate is the same, the difference is told in tricks.
    """
    mine = next((w for w in found if w.card == card), found[0])
    same = next((set(g) for g in at.groups() if card in g), {card})
    others = [w for w in found if w.card not in same]
    text = mine.words(at)
    if not others:
        return text
    other = max(others, key=lambda w: w.value)
    if abs(other.value - mine.value) < 1e-6:
        return f"{text}; {other.card} would do as well"
    if abs(other.chance - mine.chance) >= _SAME:
        return f"{text}; {other.card} {other.fate(at)}"
    if mine.tricks is None or other.tricks is None:
        return f"{text}; fewer tricks with {other.card}"
    theirs = tricks_in_all(other.tricks)
    if theirs == tricks_in_all(mine.tricks):
        return f"{text}; a little better than {other.card}"
    return f"{text}; {theirs} with {other.card}"


def known_count(at: Situation, card: Card, worlds: Worlds) -> str:
    """Where every world agrees how a suit lies between the hidden hands, and it matters."""
    pool = at.pool >> 13 * card.suit & SUIT_BITS
    if len(at.hidden) != 2 or not pool or pool.bit_count() < 2 or len(worlds) < 2:
        return ""
    one, other = at.hidden
    mask = np.uint64(SUIT_BITS << 13 * card.suit)
    lengths = np.bitwise_count(worlds.hands[:, one] & mask)
    if (lengths != lengths[0]).any():
        return ""
    mine, rest = int(lengths[0]), pool.bit_count() - int(lengths[0])
    word = SUIT_WORDS[card.suit]
    return f"the {word} are known: {Seat(one)} {mine}, {Seat(other)} {rest}"


def _led(at: Situation, card: Card) -> str:
    pool = at.pool >> 13 * card.suit & SUIT_BITS
    if card.suit == at.strain and pool:
        return "draws trumps"
    partner = at.known[at.turn.partner] >> 13 * card.suit & SUIT_BITS
    if not pool or card.rank > pool.bit_length() - 1:
        if card.suit != at.strain and not partner and at.strain < 4:
            trumps = at.known[at.turn.partner] >> 13 * at.strain & SUIT_BITS
            return "leads for a ruff or a discard" if trumps else "cashes"
        return "cashes"
    if partner.bit_length() - 1 >= _HONOUR and partner.bit_length() - 1 > card.rank:
        return f"leads towards the {DECK[13 * card.suit + partner.bit_length() - 1]}"
    if card.rank >= _HONOUR:
        missing = _above(at, card)
        return f"leads through the {missing}" if missing is not None else ""
    return "gives up the lead to set up the suit" if not partner >> pool.bit_length() else ""


def _declarer_follows(at: Situation, card: Card, worlds: Worlds) -> str:
    if card.suit != at.trick[0].suit:
        return _without_the_suit(at, card)
    if not _winning(at, card):
        could = any(_winning(at, c) for c in at.cards())
        return _lets_go(at) if could else ""
    missing = _above(at, card)
    if len(at.trick) < 3:
        if missing is not None:
            return _finesse(at, missing, worlds) if _finesses(at, card, missing) else ""
        if dropped := _plays_for_the_drop(at, card):
            return dropped
    return "wins"


def _without_the_suit(at: Situation, card: Card) -> str:
    """Declarer cannot follow: a ruff or a discard."""
    if card.suit != at.strain:
        return "throws a loser"
    best = max((c for c in at.trick if c.suit == at.strain), default=None)
    if best is None:
        return "ruffs"
    return "overruffs" if card > best else "ruffs low"


def _finesses(at: Situation, card: Card, missing: Card) -> bool:
    """Is an honour that is out passed by, with a higher card kept behind it?"""
    higher = (at.known[at.turn] >> 13 * card.suit & SUIT_BITS) >> card.rank + 1
    top = card.rank + higher.bit_length()
    return bool(higher) and _TEN <= missing.rank < top


def _plays_for_the_drop(at: Situation, card: Card) -> str:
    """A top card from our own lead where a lower one might have won as well."""
    hand = at.known[at.turn] >> 13 * card.suit & SUIT_BITS
    ours = at.leader & 1 == at.turn.side
    if not ours or hand >> card.rank + 1 or len(at.groups()) == 1:
        return ""
    lower = _below_honour(at, card)
    choice = any(c < card and c.suit == card.suit and _winning(at, c) for c in at.cards())
    return f"plays for the drop of the {lower}" if lower is not None and choice else ""


def _winning(at: Situation, card: Card) -> bool:
    """Does this card win the trick as it stands?"""
    return at.play.trick._replace(cards=(*at.trick, card)).winner(at.strain) == at.turn


def _lets_go(at: Situation) -> str:
    """Not beating what could be beaten: a duck, or partner's card that is left to run."""
    if at.play.trick.winner(at.strain) != at.turn.partner:
        return "ducks" if len(at.trick) > 1 else "plays low"
    ahead = at.trick[-2]
    return f"lets the {ahead} run" if _above(at, ahead) is not None and len(at.trick) == 2 else ""


def _finesse(at: Situation, missing: Card, worlds: Worlds) -> str:
    seat, share = _place(at, missing, worlds)
    if share > _SURE:
        return f"takes the marked finesse against the {missing} ({seat} has it)"
    return f"finesses against the {missing} ({seat} has it {100 * share:.0f}%)"


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
    has = (worlds.hands[:, one] >> np.uint64(int(card)) & np.uint64(1)).astype(float)
    share = float(worlds.weights @ has)
    return (Seat(one), share) if share >= 0.5 else (Seat(other), 1 - share)


def _defender(at: Situation, card: Card) -> str:
    if not at.trick:
        return _defender_leads(at, card)
    if card.suit != at.trick[0].suit:
        return "ruffs" if card.suit == at.strain else "throws"
    if not _winning(at, card):
        could = any(_winning(at, c) for c in at.cards())
        return _LOW.get(len(at.trick), "ducks") if could else ""
    if len(at.trick) == 3:
        return "wins"
    if at.trick[-1].rank >= _TEN and at.play.trick.winner(at.strain) == at.turn.rho:
        return f"covers the {at.trick[-1]}"
    return _HIGH[len(at.trick)] if card.rank >= _TEN else ""


def _defender_leads(at: Situation, card: Card) -> str:
    """Partner's suit, a trump, a winner, or through and up to dummy."""
    if not at.play.cards:
        return "leads a trump" if card.suit == at.strain else ""
    led = [t for t in at.play.tricks() if t.cards and t.cards[0].suit == card.suit]
    if any(t.leader == at.turn.partner for t in led):
        return "returns partner's suit"
    if card.suit == at.strain:
        return "leads a trump"
    if _above(at, card) is None and not _dummy_beats(at, card):
        return "cashes"
    word = SUIT_WORDS[card.suit]
    return f"goes on with {word}" if led else f"switches to {word}"


def _dummy_beats(at: Situation, card: Card) -> bool:
    return bool((at.known[at.contract.dummy] >> 13 * card.suit & SUIT_BITS) >> card.rank + 1)
