"""What each legal card is worth in sampled worlds: making chances first, tricks where it matters.
The double-dummy solver does the work in batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.knowledge import Worlds
from overtrick.cardplay.reading import Floats
from overtrick.cardplay.situation import Situation
from overtrick.doubledummy import reach_worlds, solve_worlds
from overtrick.game import Card, OptionError, imps
from overtrick.game.scoring import points

Objective = Literal["imps", "matchpoints", "tricks"]
Rule = Literal["mean", "best", "floor"]
OBJECTIVES: Final = ("imps", "matchpoints", "tricks")
RULES: Final = ("mean", "best", "floor")
# Exact solves grow quickly with the cards left; ties at the start are broken on fewer worlds.
_EXACT_WORLDS: Final = {13: 6, 12: 10, 11: 24}
_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Worth:
    """One card: the chance to reach the side's goal, and tricks and score if they were needed."""

    card: Card
    chance: float
    tricks: float | None
    score: float | None
    error: float
    value: float

    def words(self, declaring: bool) -> str:
        verb = "makes" if declaring else "beats it"
        parts = [f"{verb} {100 * self.chance:.0f}%"]
        if self.tricks is not None:
            parts.append(f"{self.tricks:.2f} tricks")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cards by worlds: whether the goal is reached, and tricks to come where solved exactly."""

    cards: tuple[Card, ...]
    reached: NDArray[np.bool_]  # (worlds, cards)
    tricks: NDArray[np.int8] | None  # (exact worlds, cards): the first worlds only
    weights: Floats


def goal_is_open(at: Situation) -> bool:
    """Is the contract neither made nor lost yet?"""
    return 0 < at.target <= at.left


def look(at: Situation, worlds: Worlds, *, exact: bool = False, shift: int = 0) -> Outcome:
    """Solve the legal cards in every world: yes or no at the goal (moved by `shift`), or exactly.

    When the goal is out of reach or reached already, the answer is the same for every card.
    """
    cards = tuple(at.cards())
    columns = list(cards)
    goal = at.target + shift
    reached = np.full((len(worlds), len(cards)), goal <= 0)
    tricks = None
    if exact:
        some = worlds.hands[: exact_worlds(at, len(worlds))]
        tricks = solve_worlds(some, at.strain, at.leader, at.trick)[:, columns]
        if len(some) == len(worlds):
            return Outcome(cards, tricks >= goal, tricks, worlds.weights)
    if 0 < goal <= at.left:
        found = reach_worlds(worlds.hands, at.strain, at.leader, at.trick, goal)
        reached = found[:, columns]
    return Outcome(cards, reached, tricks, worlds.weights)


def exact_worlds(at: Situation, n: int) -> int:
    """How many worlds to solve exactly with so many cards left."""
    return min(n, _EXACT_WORLDS.get(at.left, n))


def worths(at: Situation, seen: Outcome, objective: Objective, rule: Rule = "mean") -> list[Worth]:
    """The cards with their values, best first."""
    chance = seen.weights @ seen.reached
    error = np.sqrt(np.maximum(chance * (1 - chance), 0) * (seen.weights**2).sum())
    tricks: Floats | None = None
    score: Floats | None = None
    value = scored(seen.reached.astype(float), seen.weights, rule)
    if seen.tricks is not None:
        weights = seen.weights[: len(seen.tricks)] / seen.weights[: len(seen.tricks)].sum()
        tricks = weights @ seen.tricks
        table = score_table(at)
        score = weights @ table[seen.tricks]
        if objective == "imps":
            value = value + 1e-3 * scored(imp_table(at)[seen.tricks], weights, "mean")
        elif objective == "tricks":
            value = scored(seen.tricks.astype(float), weights, rule, at.target - 1)
        else:
            value = scored(_against_others(table[seen.tricks]), weights, rule)
    found = []
    for i, card in enumerate(seen.cards):
        mean = None if tricks is None else float(tricks[i])
        points_ = None if score is None else float(score[i])
        found.append(Worth(card, float(chance[i]), mean, points_, float(error[i]), float(value[i])))
    return sorted(found, key=lambda w: -w.value)


def scored(payoff: Floats, weights: Floats, rule: Rule, floor: float = 0.0) -> Floats:
    """The three scoring functions of Frank and Basin's section 5, worlds by cards.

    mean: expected payoff; best: how often the card is best or equal best; floor: expected
    payoff, counting only the worlds in which it is more than `floor`.

    >>> payoff = np.array([[3.0, 2.0], [0.0, 2.0], [0.0, 2.0]])
    >>> even = np.full(3, 1 / 3)
    >>> [scored(payoff, even, rule, 1).round(2).tolist() for rule in ("mean", "best", "floor")]
    [[1.0, 2.0], [0.33, 0.67], [1.0, 2.0]]
    """
    if rule == "mean":
        return np.asarray(weights @ payoff)
    if rule == "best":
        return np.asarray(weights @ (payoff >= payoff.max(axis=1, keepdims=True) - _SAME))
    if rule == "floor":
        return np.asarray(weights @ np.where(payoff > floor, payoff, 0.0))
    raise OptionError(f"no scoring function {rule!r}; there are {', '.join(RULES)}")


def score_table(at: Situation) -> Floats:
    """Points of the side on turn for each number of further tricks it takes."""
    contract = at.contract
    vulnerable = at.view.vul.of(contract.declarer)
    out = []
    for t in range(at.left + 1):
        total = at.play.declarer_tricks + (t if at.declaring else at.left - t)
        won = points(contract.level, contract.strain, contract.doubled, vulnerable, total)
        out.append(won if at.declaring else -won)
    return np.array(out, float)


def imp_table(at: Situation) -> Floats:
    """IMPs of each result against the one in which the goal is just reached."""
    table = score_table(at)
    par = table[min(max(at.target, 0), at.left)]
    return np.array([imps(int(x - par)) for x in table], float)


def _against_others(points_: Floats) -> Floats:
    """Matchpoints of each card against the same hands played with every other card."""
    better = (points_[:, :, None] > points_[:, None, :]).mean(axis=2)
    same = (points_[:, :, None] == points_[:, None, :]).mean(axis=2)
    out: Floats = better + 0.5 * same
    return out
