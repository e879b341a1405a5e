"""What a suit is worth when defenders see only their own cards, and how both sides then play it.

Three defences are compared. Those of `overtrick.suitplay` see all cards and know declarer's line.
*Hidden* defenders know what people know, and mix as they should. *Plain* ones make no mistake with
all cards in sight, but always with the cheapest card that does, so that their cards can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from overtrick.game.cards import RANKS
from overtrick.hiddenplay.regret import Sides, Solution, best_answer, certified, reach
from overtrick.hiddenplay.regret import solve as solve_tree
from overtrick.hiddenplay.suits import Opening, SuitQuestion, SuitTree
from overtrick.hiddenplay.tree import DECLARER, DEFENDERS, EAST, Floats, InformationSet, Tree
from overtrick.suitplay import Holding, SuitError
from overtrick.suitplay import solve as solve_seen

TOLERANCE: Final = 2e-5  # tricks, or chance
_SIMPLER: Final = 1e-5  # what may be lost when choices are made simpler
_RARE: Final = 1e-3  # choices that come up less often are not told


@dataclass(frozen=True, slots=True)
class MixedPlay:
    """What somebody plays at one point: each card with its share."""

    seat: str  # "N", "S", "W" or "E"
    path: tuple[str, ...]  # the cards played so far
    held: str  # a defender's cards of the suit at the start; empty for declarer
    cards: tuple[tuple[str, float], ...]
    plain: str  # what a plain defender plays; empty for declarer
    chance: float  # that this choice comes up

    @property
    def is_mixed(self) -> bool:
        return len(self.cards) > 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "path": list(self.path),
            "held": self.held,
            "cards": {card: round(share, 4) for card, share in self.cards},
            "plain": self.plain,
            "chance": round(self.chance, 6),
        }


@dataclass(frozen=True, slots=True)
class HiddenSuit:
    """One goal in a suit: its worth against three defences, and how both sides play.

    Worth is a chance of `tricks` or, where `tricks` is None, tricks on average. What hidden
    defenders hold declarer to is proved to lie between `low` and `high`.
    """

    holding: Holding
    tricks: int | None
    vacant: tuple[int, int]
    entries: tuple[int, int] | None
    seen: float  # against defenders who see all cards and know the line
    low: float
    high: float
    plain: float  # against defenders whose cards can be read
    line: tuple[MixedPlay, ...]  # declarer's
    falsecards: tuple[MixedPlay, ...]  # where a plain card would cost the defenders something
    rounds: int

    @property
    def hidden(self) -> float:
        return (self.low + self.high) / 2

    @property
    def mixing_gains(self) -> float:
        """What declarer has because the defenders do not know his line."""
        return max(0.0, self.hidden - self.seen)

    @property
    def falsecards_gain(self) -> float:
        """What the defenders have because their cards cannot be read."""
        return max(0.0, self.plain - self.hidden)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "tricks": self.tricks,
            "seen": self.seen,
            "hidden": [self.low, self.high],
            "plain": self.plain,
            "line": [choice.to_dict() for choice in self.line],
            "falsecards": [choice.to_dict() for choice in self.falsecards],
        }


def solve(
    north: str,
    south: str,
    tricks: int | None = None,
    vacant: tuple[int, int] = (13, 13),
    entries: tuple[int, int] | None = None,
    *,
    missing: str | None = None,
    opening: str | None = None,
) -> HiddenSuit:
    """Play a suit for `tricks` (None: for most tricks) against defenders who see their own cards.

    The arguments are those of `overtrick.suitplay.solve`; `opening` settles declarer's first card,
    or his first two (`"SA"`, `"S2 NQ"`). Whatever is mixed is as simple as can be without loss: a
    choice told as mixed has to be.

    >>> suit = solve("K832", "AQT4", 4)
    >>> f"{suit.seen:.4f} {suit.hidden:.4f} {suit.plain:.4f}"
    '0.8674 0.8674 0.8957'
    """
    known = solve_seen(north, south, vacant, entries, missing=missing)
    if tricks is not None and not 1 <= tricks < len(known.chances):
        raise SuitError(
            f"{known.holding} can take 1 to {len(known.chances) - 1} tricks, not {tricks}"
        )
    first = None if opening is None else opening_of(known.holding, opening)
    asked = SuitTree(SuitQuestion(known.holding, tricks, vacant, known.entries, first))
    tree = asked.tree()
    plain = plain_cards(tree)
    sides = Sides(tree, DEFENDERS)
    read, _ = best_answer(tree, plain, sides, declarer=True)
    found = simplified(tree, solve_tree(tree, TOLERANCE), plain)
    return HiddenSuit(
        known.holding, tricks, vacant, known.entries,
        known.mean if tricks is None else known.chances[tricks],
        found.low, found.high, read,
        _line(tree, found.strategy), _falsecards(asked, tree, found.strategy, plain),
        found.rounds,
    )  # fmt: skip


def opening_of(holding: Holding, text: str) -> Opening:
    """Declarer's first card, or his first two, by hand and rank."""
    cards = text.upper().replace("10", "T").split()
    ours = {"N": holding.north, "S": holding.south}
    for card in cards:
        if len(card) != 2 or card[0] not in ours or RANKS.find(card[1]) not in ours[card[0]]:
            raise SuitError(
                f"{card} is no card of declarer's: write the hand and the rank, as in SA"
            )
    if len(cards) not in (1, 2) or len({card[0] for card in cards}) != len(cards):
        raise SuitError(f"an opening is one card, or one of each hand: {text!r}")
    return cards[0][0], RANKS.index(cards[0][1]), RANKS.index(cards[1][1]) if cards[1:] else None


def plain_cards(tree: Tree) -> Floats:
    """Defenders who play the cheapest card that costs nothing with all cards in sight."""
    worth = tree.payoff.copy()  # of each row with all cards in sight
    for level in reversed(tree.levels):
        sign = np.where(tree.owner[level.choice] == DECLARER, 1.0, -1.0)
        best = np.maximum.reduceat(sign * worth[level.rows], level.starts)
        worth[level.parents] = sign[level.starts] * best
    costs = np.zeros(tree.choices)
    for level in tree.levels:
        np.add.at(costs, level.choice, tree.weight[level.rows] * worth[level.rows])
    out = tree.uniform()
    for sight in tree.sights:
        if sight.actor != DECLARER:
            here = costs[sight.choices]
            right = np.flatnonzero(here <= here.min() + 1e-12)
            out[sight.choices] = 0.0
            out[sight.first + min(right, key=lambda i: _rank(sight.cards[i]))] = 1.0
    return out


def _rank(card: str) -> int:
    """Of a card by name, or of the lowest that the name stands for; a void is below all."""
    return RANKS.find(card[-1])


def simplified(tree: Tree, found: Solution, plain: Floats) -> Solution:
    """Mixtures that nothing is lost without are taken out, those that come up most seldom first.

    A defender's becomes the plain card, declarer's the card he played most. What is left is
    certified again, so the bounds hold for what is returned.
    """
    sums = _chances(tree, found.strategy)
    order = sorted(tree.sights, key=lambda s: (sums[s.first], s.first))
    return _purged(tree, found, order, plain)


def _purged(
    tree: Tree, best: Solution, sights: Sequence[InformationSet], plain: Floats
) -> Solution:
    """Of these sights as many at once as cost nothing; a group that costs something is halved."""
    tried = best.strategy.copy()
    for sight in sights:
        tried[sight.choices] = _purer(sight, best.strategy[sight.choices], plain)
    if np.array_equal(tried, best.strategy):
        return best
    looked = certified(tree, tried, best.rounds)
    if max(best.low - looked.low, looked.high - best.high) <= _SIMPLER:
        return looked
    if len(sights) == 1:
        return best
    half = len(sights) // 2
    return _purged(tree, _purged(tree, best, sights[:half], plain), sights[half:], plain)


def _purer(sight: InformationSet, here: Floats, plain: Floats) -> Floats:
    if sight.actor != DECLARER:
        return plain[sight.choices]
    out = np.zeros(len(here))
    out[int(np.argmax(here))] = 1.0
    return out


def _chances(tree: Tree, strategy: Floats) -> Floats:
    """How likely each choice's information set is to come up, told for every choice of it."""
    everybody = np.ones(tree.choices, np.bool_)
    likely = reach(tree, strategy, everybody) * tree.weight
    out = np.zeros(tree.choices)
    for level in tree.levels:
        np.add.at(out, level.choice, likely[level.parent])
    return out


def _line(tree: Tree, strategy: Floats) -> tuple[MixedPlay, ...]:
    """Declarer's choices that come up, in the order of play."""
    sums = _chances(tree, strategy)
    return tuple(
        MixedPlay(seat_of(sight), sight.path, "", _mixture(sight, strategy), "", sums[sight.first])
        for sight in sorted(tree.sights, key=lambda s: s.path)
        if sight.actor == DECLARER and sums[sight.first] > _RARE
    )


def _falsecards(
    asked: SuitTree, tree: Tree, strategy: Floats, plain: Floats
) -> tuple[MixedPlay, ...]:
    """Where defenders must play another card than the plain one, the likeliest first."""
    sums = _chances(tree, strategy)
    found = []
    for sight in tree.sights:
        differs = np.abs(strategy[sight.choices] - plain[sight.choices]).max() > 0.005
        if sight.actor == DECLARER or not differs or sums[sight.first] <= _RARE:
            continue
        (world,) = sight.worlds
        held = asked.held(world)[sight.actor == EAST]
        usual = sight.cards[int(np.argmax(plain[sight.choices]))]
        found.append(
            MixedPlay(seat_of(sight), sight.path, held, _mixture(sight, strategy), usual,
                   sums[sight.first])
        )  # fmt: skip
    return tuple(sorted(found, key=lambda c: (-c.chance, c.path, c.held)))


def seat_of(sight: InformationSet) -> str:
    """Whose card it is: its first letter."""
    return sight.cards[0][0]


def _mixture(sight: InformationSet, strategy: Floats) -> tuple[tuple[str, float], ...]:
    shares = strategy[sight.choices]
    pairs = [(card, float(p)) for card, p in zip(sight.cards, shares, strict=True) if p > 0.005]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))
