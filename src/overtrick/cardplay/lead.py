"""Opening leads: which suit by sampling and double dummy, corrected; which card by agreement.
Used by pimc and alphamu for the first card; `rule_lead` leads by rules alone, for comparison."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.carding import Carding, lead_card
from overtrick.cardplay.knowledge import Worlds
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.values import Objective, Worth, look, worths
from overtrick.game import PASS, Card, View
from overtrick.game.cards import DECK, SUIT_BITS

# Double dummy overrates leads that only gain when declarer sees through the backs of the cards;
# in chances of beating the contract. Section 4 of the design notes; measured in docs/results.
_UNDERLEAD_ACE: Final = 0.025  # against a suit contract
_FROM_HONOUR: Final = 0.01  # away from an unsupported king, queen or jack
_BARE_HONOUR: Final = 0.015  # a singleton or doubleton honour
_TRUMP: Final = 0.005
_NEAR: Final = 0.035
_BESIDE: Final = 1.0  # weight of one trick more and one trick less beside the contract itself
_RULES: Final = 0.15  # thirty worlds are noisy: the suit that rules would lead gets so much
MOST: Final = 32  # worlds; more cost time and save nothing
_STEP: Final = 6  # worlds solved at a time
_LEAST: Final = 12
_SURE: Final = 1.5  # standard errors by which a suit must be ahead to stop early


def choose_lead(
    at: Situation, worlds: Worlds, objective: Objective, carding: Carding
) -> tuple[Card, list[Worth], str]:
    """The lead, every candidate's worth, and what the card tells partner."""
    hand = at.known[at.turn]
    by_rule = rule_lead(at.view, carding).suit
    partner, _ = _bid_suits(at.view)
    bonus: dict[int, float] = {
        int(suit): _RULES * (suit == by_rule) - _correction(hand, suit, at.strain)
        for suit in {c.suit for c in at.cards()}
    }
    found = _solved(at, worlds, objective, bonus)
    best: dict[int, float] = {}
    for w in found:
        best[w.card.suit] = max(best.get(w.card.suit, -1.0), w.value)
    suit = max(best, key=lambda s: best[s] + bonus[s])
    holding = [c for c in at.cards() if c.suit == suit]
    agreed = lead_card(holding, carding, trumps=at.strain < 4)
    value = {w.card: w.value for w in found}
    if value[agreed] >= best[suit] - _NEAR:
        tells = _tells(holding, agreed)
        return agreed, found, f"partner's suit, {tells}" if suit in partner else tells
    card = max(holding, key=lambda c: (value[c], -c))
    return card, found, ""


def _solved(
    at: Situation, worlds: Worlds, objective: Objective, bonus: dict[int, float]
) -> list[Worth]:
    """Worth by the chance to beat the contract, or to take a trick more or less than that.

    Worlds are solved a few at a time, until the best suit is clearly ahead. Where the contract
    is hardly ever (or nearly always) beaten, the neighbouring number of tricks decides.
    """
    if objective == "tricks":
        return worths(at, look(at, worlds, exact=True), objective)
    share = _BESIDE if objective == "imps" else 1.0
    cards = at.cards()
    suits = np.array([c.suit for c in cards])
    extra = np.array([bonus[c.suit] for c in cards])
    reached = np.zeros((0, len(cards)))
    beside = np.zeros((0, len(cards)))
    for start in range(0, len(worlds), _STEP):
        some = worlds.part(start, start + _STEP)
        reached = np.concatenate([reached, look(at, some).reached])
        chance = float(reached.mean(axis=0).max())
        shift = -1 if chance < 0.5 else 1
        beside = np.concatenate([beside, look(at, some, shift=shift).reached])
        if len(reached) >= _LEAST and _clear(reached + share * beside, extra, suits):
            break
    weights = worlds.weights[: len(reached)] / worlds.weights[: len(reached)].sum()
    chances, others = weights @ reached, weights @ beside
    wide = np.sqrt(np.maximum(chances * (1 - chances), 0) / len(reached))
    rows = zip(cards, chances, others, wide, strict=True)
    changed = [
        Worth(c, float(p), None, None, float(e), float(p + share * q)) for c, p, q, e in rows
    ]
    return sorted(changed, key=lambda w: -w.value)


def _clear(
    payoff: NDArray[np.float64], extra: NDArray[np.float64], suits: NDArray[np.int64]
) -> bool:
    """Is the best card ahead of the best card of every other suit by more than chance?"""
    value = payoff.mean(axis=0) + extra
    best = int(value.argmax())
    for suit in set(suits.tolist()) - {int(suits[best])}:
        rival = int(np.where(suits == suit, value, -np.inf).argmax())
        ahead = payoff[:, best] - payoff[:, rival]
        if value[best] - value[rival] < _SURE * ahead.std() / np.sqrt(len(payoff)):
            return False
    return True


def _correction(hand: int, suit: int, strain: int) -> float:
    """How much double dummy flatters a lead of this suit."""
    held = hand >> 13 * suit & SUIT_BITS
    count, top = held.bit_count(), held.bit_length() - 1
    supported = top >= 9 and held >> top - 1 & 1
    out = 0.0
    if suit == strain:
        out += _TRUMP
    if strain < 4 and top == 12 and not supported and count > 1:
        out += _UNDERLEAD_ACE
    elif top in (9, 10, 11) and not supported:
        out += _BARE_HONOUR if count <= 2 else _FROM_HONOUR
    return out


def _tells(holding: list[Card], card: Card) -> str:
    index = holding.index(card)
    if card.rank >= 9 and index + 1 < len(holding) and holding[index + 1].rank == card.rank - 1:
        return "top of a sequence"
    if len(holding) == 1:
        return "a singleton"
    if len(holding) == 2:
        return "top of a doubleton"
    if len(holding) >= 4 and index == 3:
        return "fourth best"
    return "low from an honour" if holding[0].rank > 8 else "top of nothing"


def rule_lead(view: View, carding: Carding) -> Card:
    """The lead by rules of thumb alone: partner's suit, a sequence, else the longest suit.

    Against a suit contract a singleton comes before length, and aces are not underled.
    """
    hand, contract = view.hand, view.contract
    assert contract is not None
    trumps = int(contract.strain) if contract.strain < 4 else None
    partner, theirs = _bid_suits(view)

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

    suits = [s for s in range(4) if hand.length(s) and s != trumps] or [int(contract.strain)]
    suit = max(suits, key=worth)
    holding = [DECK[c] for c in range(51, -1, -1) if hand.suit(suit).bits >> c & 1]
    return lead_card(holding, carding, trumps=trumps is not None)


def _bid_suits(view: View) -> tuple[set[int], set[int]]:
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
