"""Opening leads: which suit by network, sampling and double dummy; which card by agreement.
Leading by rules alone is in leadrules.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.cardplay.carding import Carding, lead_card
from overtrick.cardplay.knowledge import Evidence
from overtrick.cardplay.leadnet import leads_in, leads_on_average
from overtrick.cardplay.leadrules import bid_suits, rule_lead
from overtrick.cardplay.situation import Situation
from overtrick.cardplay.staged import NARROW, WIDE, staged_layouts
from overtrick.cardplay.values import Objective, Pace, Worth
from overtrick.doubledummy import solve_worlds_counting
from overtrick.engines.clock import Clock
from overtrick.game import Card
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import LeadKind, LedFrom
from overtrick.nets.belief import believed
from overtrick.worlds.weighted import Floats, Worlds, systematic

MOST: Final = 60  # worlds solved if nobody says otherwise
_SHARE: Final = 0.5  # of the effort a card may take: beyond a third of a second little is gained
# Double dummy overrates leads that only gain when declarer sees through the backs of the cards;
# in tricks; measured in docs/results.
_UNDERLEAD_ACE: Final = 0.025  # against a suit contract
_FROM_HONOUR: Final = 0.01  # away from an unsupported king, queen or jack
_BARE_HONOUR: Final = 0.015  # a singleton or doubleton honour
_TRUMP: Final = 0.005
_BARE_ACE: Final = 0.3  # the ace from a long suit against notrump: it saves an overtrick when
# nothing beats the contract, and cuts partner off when something does
_NEAR: Final = 0.035
_BEATS: Final = {"imps": 0.5, "matchpoints": 0.0, "tricks": 0.0}  # tricks that beating it is worth
_RULES: Final = 0.01  # tricks that the rules' opinion is worth
_AVERAGE: Final = 0.35  # of the opinion is that of the network which sees averages
_TRUST: Final = 20.0  # solved worlds that count as much as the opinion
_GLANCED: Final = 600  # worlds that the networks look at
_ENOUGH: Final = 150.0  # independent layouts that the dealing must be worth
_STEP: Final = 4  # worlds solved at a time
_TAKES: Final = 0.25  # seconds of work a hard world may take, for the clock only, and …
_NO_LESS: Final = 0.12  # … that any must have: the networks say nearly as much, and are not late
_LEAST: Final = 12
_BEATEN: Final = 0.29  # of contracts are beaten, by any lead: what is said when nothing was solved
_SPREAD: Final = 0.3  # tricks that the network is off by in a world, at least
_SURE: Final = 1.6  # standard errors by which a suit must be ahead to stop early


def lead_worlds(
    at: Situation, n: int, rng: Generator, kind: Evidence, clock: Clock | None = None
) -> Worlds:
    """At least n worlds given the auction, equally likely and in no order."""
    mixtures = kind.mixtures(at.view)
    witnesses = kind.hand_by_hand(mixtures)
    unwritten = any(not mixture.written for mixture in mixtures.values())
    beliefs = believed(at.view) if unwritten else None
    width = NARROW if mixtures else WIDE
    found = staged_layouts(at, witnesses, max(_ENOUGH, n), rng, beliefs, width, clock)
    weights = np.exp(found.logs - found.logs.max())
    count = max(n, _GLANCED)
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
        return cls(asked, float("inf")) if asked else cls(min(worlds, MOST), _SHARE * nodes)


@dataclass(frozen=True, slots=True)
class JudgedLead:
    """One lead of each touching group, with what is expected of it."""

    cards: NDArray[np.int64]
    tricks: Floats | None  # None when no world was solved
    chance: Floats  # to beat the contract
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
) -> tuple[Card, list[Worth], int, LedFrom | None]:
    """The lead, every card's worth, the number of worlds solved, and what the card tells partner.

    The suit with the best card is led, and from it the agreed card unless that gives something up.
    """
    extra = {suit: _extra(at, suit, carding) for suit in {int(c.suit) for c in at.cards()}}
    judged = judge(at, worlds, budget, objective, extra, clock)
    found = _worths(at, judged)
    best = {w.card.suit: w.value for w in reversed(found)}
    suit = max(best, key=lambda s: best[s] + extra[int(s)])
    holding = [c for c in at.cards() if c.suit == suit]
    agreed = lead_card(holding, carding, trumps=at.strain < 4)
    value = {w.card: w.value for w in found}
    if value[agreed] < best[suit] - _NEAR:
        card = max(holding, key=lambda c: (value[c], c))  # the top of the best run
        return card, found, judged.solved, None
    tells = LedFrom(_kind(holding, agreed), suit in bid_suits(at.view)[0])
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
    is noisy, so that n worlds count in part, `n / (n + _TRUST)`. Worlds are solved a few at a
    time, until a suit is clearly ahead; if the clock cuts in before the first, the opinion stands.
    """
    cards, said = leads_in(at, worlds.deals)
    prior = (1 - _AVERAGE) * said.mean(axis=0) + _AVERAGE * leads_on_average(at, worlds.deals)
    suits = cards // 13
    bonus = np.array([extra[s] for s in suits.tolist()])
    tricks = np.zeros((0, len(cards)))
    effort = 0
    pace = Pace(clock, _TAKES, _NO_LESS)
    room = pace.room(min(_STEP, budget.worlds))
    if not room:
        return _unsolved(cards, prior)
    while True:
        start = len(tricks)
        some = worlds.deals[start : start + room]
        solved, nodes = solve_worlds_counting(some, at.strain, at.leader)
        tricks = np.concatenate([tricks, solved[:, cards]])
        effort += int(nodes.sum())
        judged, off = _weighed(at, cards, (said, prior), tricks, _BEATS[objective])
        spent = effort * (1 + _STEP / len(tricks)) > budget.nodes  # with the next step
        room = pace.room(min(_STEP, budget.worlds - len(tricks)))
        done = spent or not room
        if done or (len(tricks) >= _LEAST and _clear(judged.value + bonus, off, suits)):
            return judged


def _unsolved(cards: NDArray[np.int64], prior: Floats) -> JudgedLead:
    """The opinion alone."""
    same = np.ones(len(cards))
    return JudgedLead(cards, None, _BEATEN * same, _SPREAD / np.sqrt(_TRUST) * same, prior, 0)


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
    trust = n / (n + _TRUST)
    off = tricks - tricks.mean(axis=1, keepdims=True) - said[:n]
    rest = (1 - trust) * prior + trust * (said.mean(axis=0) + off.mean(axis=0))
    chance = (tricks >= at.target).mean(axis=0)
    chance = chance.mean() + trust * (chance - chance.mean())
    spread = np.maximum(off.std(axis=0), _SPREAD)
    error = spread / np.sqrt(n + _TRUST)
    level = tricks.mean()
    return JudgedLead(cards, level + rest, chance, error, rest + beats * chance, n), off


def _clear(value: Floats, off: Floats, suits: NDArray[np.int64]) -> bool:
    """Is the best card ahead of the best card of every other suit by more than chance?"""
    best = int(value.argmax())
    for suit in set(suits.tolist()) - {int(suits[best])}:
        rival = int(np.where(suits == suit, value, -np.inf).argmax())
        spread = max(float((off[:, best] - off[:, rival]).std()), _SPREAD)
        if value[best] - value[rival] < _SURE * spread / np.sqrt(len(off) + _TRUST):
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
        value -= _BARE_ACE * _is_bare_ace(at, group[0])
        out += [Worth(card, chance, tricks, None, error, value) for card in group]
    return sorted(out, key=lambda w: -w.value)


def _extra(at: Situation, suit: int, carding: Carding) -> float:
    """What else speaks for a suit: the rules' opinion, less double dummy's flattery."""
    by_rule = int(rule_lead(at.view, carding).suit) == suit
    return _RULES * by_rule - _flattery(at.known[at.turn], suit, at.strain)


def _flattery(hand: int, suit: int, strain: int) -> float:
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


def _is_bare_ace(at: Situation, card: Card) -> bool:
    """The ace of five cards or more without the king, against notrump below slam."""
    held = at.known[at.turn] >> 13 * card.suit & SUIT_BITS
    king = held >> 11 & 1
    in_notrump = at.strain == 4 and at.contract.level < 6
    return card.rank == 12 and not king and held.bit_count() >= 5 and in_notrump


def _kind(holding: list[Card], card: Card) -> LeadKind:
    index = holding.index(card)
    if card.rank >= 9 and index + 1 < len(holding) and holding[index + 1].rank == card.rank - 1:
        return LeadKind.SEQUENCE
    if len(holding) == 1:
        return LeadKind.SINGLETON
    if len(holding) == 2:
        return LeadKind.DOUBLETON
    if len(holding) >= 4 and index == 3:
        return LeadKind.FOURTH
    return LeadKind.HONOUR if holding[0].rank > 8 else LeadKind.NOTHING
