"""Opening leads: which suit by network, sampling and double dummy; which card by agreement.
Leading by rules alone is in leadrules.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.carding import Carding, lead_card
from overtrick.cardplay.constants import (
    LEAD_AVERAGE,
    LEAD_BARE_ACE,
    LEAD_BEATS,
    LEAD_EFFORT,
    LEAD_ENOUGH,
    LEAD_GLANCED,
    LEAD_LEAST,
    LEAD_NEAR,
    LEAD_NO_LESS,
    LEAD_RULES,
    LEAD_SPREAD,
    LEAD_STEP,
    LEAD_SURE,
    LEAD_TAKES,
    LEAD_TRUST,
    LEAD_WORLDS,
)
from overtrick.cardplay.knowledge import Evidence
from overtrick.cardplay.leadkinds import worth_of
from overtrick.cardplay.leadnet import leads_in, leads_on_average
from overtrick.cardplay.leadrules import agreed_lead, rule_lead
from overtrick.cardplay.leadtalk import asked_suit, heard, own_suits
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.staged import NARROW, WIDE, staged_layouts
from overtrick.cardplay.values import Objective, Pace, Worth
from overtrick.doubledummy import solve_worlds_counting
from overtrick.engines.clock import Clock
from overtrick.game import Card
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import AskedFor, LeadKind, LedFrom
from overtrick.nets.belief import believed
from overtrick.worlds.weighted import Floats, Worlds, systematic

_TEN: Final = 8
_ACE: Final = 12


def lead_worlds(
    at: Situation, n: int, rng: Generator, kind: Evidence, clock: Clock | None = None
) -> Worlds:
    """At least n worlds given the auction, equally likely and in no order."""
    mixtures = kind.mixtures(at.view)
    witnesses = kind.hand_by_hand(mixtures)
    unwritten = any(not mixture.written for mixture in mixtures.values())
    beliefs = believed(at.view) if unwritten else None
    width = NARROW if mixtures else WIDE
    found = staged_layouts(at, witnesses, max(LEAD_ENOUGH, n), rng, beliefs, width, clock)
    weights = np.exp(found.logs - found.logs.max())
    count = max(n, LEAD_GLANCED)
    picked = systematic(weights, count, rng)
    even = np.full(count, 1 / count)
    layouts = found.deals[rng.permutation(picked)]
    return Worlds.weighing(layouts, even, drawn=found.effective)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be solved: worlds, and nodes, which are the same on every machine."""

    worlds: int
    nodes: float

    @classmethod
    def of(cls, worlds: int, asked: int, nodes: float) -> Budget:
        """What was asked for, whatever it takes; else as much as a table waits for."""
        return (
            cls(asked, float("inf"))
            if asked
            else cls(min(worlds, LEAD_WORLDS), LEAD_EFFORT * nodes)
        )


@dataclass(frozen=True, slots=True)
class JudgedLead:
    """One lead of each touching group, with what is expected of it."""

    cards: NDArray[np.int64]
    tricks: Floats | None  # None when no world was solved
    chance: Floats  # to beat the contract; nan when no world was solved
    error: Floats  # of the tricks
    value: Floats
    solved: int  # worlds


def choose_lead(
    at: Situation,
    worlds: Worlds,
    budget: Budget,
    objective: Objective,
    carding: Carding,
    clock: Clock | None = None,
) -> tuple[Card, list[Worth], int, LedFrom | AskedFor | None]:
    """The lead, every card's worth, the number of worlds solved, and what the card tells partner.

    The suit that partner's double asks for is led, else that with the best card; from it the agreed
    card unless that gives something up.
    """
    calls, contract = heard(at.view), at.contract
    asked = asked_suit(at.view)
    partners = own_suits(calls, at.turn.partner)
    theirs = own_suits(calls, contract.declarer) + own_suits(calls, contract.dummy)
    by_rule = int(rule_lead(at.view, carding).suit)
    extra = {}
    for suit in {int(c.suit) for c in at.cards()}:
        card = agreed_lead(at.view, suit, carding)
        extra[suit] = LEAD_RULES * (suit == by_rule) + worth_of(at, card, partners, theirs)
    judged = judge(at, worlds, budget, objective, extra, clock)
    found = _worths(at, judged)
    best = {w.card.suit: w.value for w in reversed(found)}
    suit = max(best, key=lambda s: best[s] + extra[int(s)]) if asked is None else asked
    holding = [c for c in at.cards() if c.suit == suit]
    agreed = lead_card(holding, carding, trumps=at.strain < 4)
    if asked is not None:
        return agreed, found, judged.solved, AskedFor(asked)
    value = {w.card: w.value for w in found}
    if value[agreed] < best[suit] - LEAD_NEAR:
        card = max(holding, key=lambda c: (value[c], c))  # the top of the best run
        return card, found, judged.solved, None
    tells = LedFrom(_kind(holding, agreed), suit in partners)
    return agreed, found, judged.solved, tells


def judge(
    at: Situation,
    worlds: Worlds,
    budget: Budget,
    objective: Objective,
    extra: dict[int, float],
    clock: Clock | None = None,
) -> JudgedLead:
    """What each lead is worth: the networks' opinion, corrected by the solver in some worlds.

    The solver is asked how far the network is off in a world. The mean of that over a few worlds
    is noisy, so that n worlds count in part, `n / (n + LEAD_TRUST)`. Worlds are solved a few at a
    time, until a suit is clearly ahead; if the clock cuts in before the first, the opinion stands.
    """
    cards, said = leads_in(at, worlds.deals)
    prior = (1 - LEAD_AVERAGE) * said.mean(axis=0) + LEAD_AVERAGE * leads_on_average(
        at, worlds.deals
    )
    suits = cards // 13
    bonus = np.array([extra[s] for s in suits.tolist()])
    tricks = np.zeros((0, len(cards)))
    effort = 0
    pace = Pace(clock, LEAD_TAKES, LEAD_NO_LESS)
    room = pace.room(min(LEAD_STEP, budget.worlds))
    if not room:
        return _unsolved(cards, prior)
    while True:
        start = len(tricks)
        some = worlds.deals[start : start + room]
        solved, nodes = solve_worlds_counting(some, at.strain, at.leader)
        tricks = np.concatenate([tricks, solved[:, cards]])
        effort += int(nodes.sum())
        judged, off = _weighed(at, cards, (said, prior), tricks, LEAD_BEATS[objective])
        spent = effort * (1 + LEAD_STEP / len(tricks)) > budget.nodes  # with the next step
        # Near the deadline a step is taken in parts; whether it is enough is asked at its end.
        part = len(tricks) % LEAD_STEP if len(tricks) < budget.worlds else 0
        room = pace.room(min(LEAD_STEP - part, budget.worlds - len(tricks)))
        if not room:
            return judged
        sure = len(tricks) >= LEAD_LEAST and _clear(judged.value + bonus, off, suits)
        if not part and (spent or sure):
            return judged


def _unsolved(cards: NDArray[np.int64], prior: Floats) -> JudgedLead:
    """The opinion alone."""
    same = np.ones(len(cards))
    return JudgedLead(
        cards, None, np.nan * same, LEAD_SPREAD / np.sqrt(LEAD_TRUST) * same, prior, 0
    )


def _weighed(
    at: Situation,
    cards: NDArray[np.int64],
    opinion: tuple[Floats, Floats],
    tricks: Floats,
    beats: float,
) -> tuple[JudgedLead, Floats]:
    """The opinion and the solved worlds together; and how far the network is off in each."""
    said, prior = opinion
    n = len(tricks)
    trust = n / (n + LEAD_TRUST)
    off = tricks - tricks.mean(axis=1, keepdims=True) - said[:n]
    rest = (1 - trust) * prior + trust * (said.mean(axis=0) + off.mean(axis=0))
    chance = (tricks >= at.target).mean(axis=0)
    chance = chance.mean() + trust * (chance - chance.mean())
    spread = np.maximum(off.std(axis=0), LEAD_SPREAD)
    error = spread / np.sqrt(n + LEAD_TRUST)
    level = tricks.mean()
    return JudgedLead(cards, level + rest, chance, error, rest + beats * chance, n), off


def _clear(value: Floats, off: Floats, suits: NDArray[np.int64]) -> bool:
    """Is the best card ahead of the best card of every other suit by more than chance?"""
    best = int(value.argmax())
    for suit in set(suits.tolist()) - {int(suits[best])}:
        rival = int(np.where(suits == suit, value, -np.inf).argmax())
        spread = max(float((off[:, best] - off[:, rival]).std()), LEAD_SPREAD)
        if value[best] - value[rival] < LEAD_SURE * spread / np.sqrt(len(off) + LEAD_TRUST):
            return False
    return True


def _worths(at: Situation, judged: JudgedLead) -> list[Worth]:
    """Every legal card, best first; touching cards are worth the same."""
    place = {int(card): i for i, card in enumerate(judged.cards)}
    out = []
    for group in at.groups():
        i = place[int(group[0])]
        tricks = None if judged.tricks is None else float(judged.tricks[i])
        chance, error, value = (float(x[i]) for x in (judged.chance, judged.error, judged.value))
        value -= LEAD_BARE_ACE * _is_bare_ace(at, group[0])
        out += [Worth(card, chance, tricks, None, error, value) for card in group]
    return sorted(out, key=lambda w: -w.value)


def _is_bare_ace(at: Situation, card: Card) -> bool:
    """The ace of five cards or more without the king, against notrump below slam."""
    held = at.known[at.turn] >> 13 * card.suit & SUIT_BITS
    king = held >> 11 & 1
    in_notrump = at.strain == 4 and at.contract.level < 6
    return card.rank == 12 and not king and held.bit_count() >= 5 and in_notrump


def _kind(holding: list[Card], card: Card) -> LeadKind:
    """What the agreed card is, in a holding from the highest to the lowest."""
    index, count = holding.index(card), len(holding)
    touches = index + 1 < count and holding[index + 1].rank == card.rank - 1
    if card.rank >= _TEN and touches:
        return LeadKind.SEQUENCE if index == 0 else LeadKind.INSIDE
    if count <= 2:
        return LeadKind.SINGLETON if count == 1 else LeadKind.DOUBLETON
    if index == 0:
        return LeadKind.ACE if card.rank == _ACE else LeadKind.NOTHING
    if holding[0].rank <= _TEN:
        return LeadKind.SECOND if index == 1 else LeadKind.NOTHING
    later = {2: LeadKind.THIRD, 3: LeadKind.FOURTH, 4: LeadKind.FIFTH}
    return later.get(index, LeadKind.HONOUR) if count > 3 else LeadKind.HONOUR
