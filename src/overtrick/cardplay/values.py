"""What each legal card is worth in sampled worlds, in what the scoring pays: the contract, and
every trick more or less. The double-dummy solver does the work in batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.constants import (
    EFFORT,
    EXCUSED_BY_FAR,
    LITTLE,
    SOLVED_EASIER,
    SOLVED_FEW,
    SOLVED_FIRST,
    SOLVED_LATER,
    SOLVED_QUESTIONS,
    SOLVED_STEP,
    SOLVED_TAKES,
    SOLVED_TAKES_LATER,
    SOLVED_WORLDS,
)
from overtrick.cardplay.situation import Situation
from overtrick.doubledummy import reach_worlds_counting, solve_worlds_counting
from overtrick.engines.clock import Clock, worked
from overtrick.game import Card, OptionError, imps
from overtrick.game.reasons import Fate
from overtrick.game.scoring import points
from overtrick.worlds.weighted import Floats, Worlds

Objective = Literal["imps", "matchpoints", "tricks"]
Rule = Literal["mean", "best", "floor"]
OBJECTIVES: Final = ("imps", "matchpoints", "tricks")
RULES: Final = ("mean", "best", "floor")
_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Worth:
    """One card: the chance to reach the side's goal (nan where nothing was solved), tricks of the
    whole hand and the score where they were solved, and the value: IMPs above just missing the
    goal, matchpoints, or tricks."""

    card: Card
    chance: float
    tricks: float | None
    score: float | None
    error: float
    value: float

    def fate(self, at: Situation) -> Fate:
        """What becomes of the contract, and the side's tricks of the whole hand."""
        return Fate(self.chance, self.tricks, at.declaring)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cards by worlds: whether the goal is reached, and tricks to come where solved exactly.

    `steps` are, after yes-or-no questions, how many of the numbers asked about are reached, in
    the first worlds, in which all of them were asked.
    """

    cards: tuple[Card, ...]
    reached: NDArray[np.bool_]  # (worlds, cards)
    tricks: NDArray[np.int8] | None  # (worlds, cards)
    weights: Floats  # of the worlds solved
    steps: NDArray[np.int8] | None = None  # (some of the worlds, cards)
    spent: int = 0  # nodes of the solver

    @property
    def told(self) -> NDArray[np.int8] | None:
        """What tells the cards apart: tricks, or else the numbers of tricks that are reached."""
        return self.steps if self.tricks is None else self.tricks


def goal_is_open(at: Situation) -> bool:
    """Is the contract neither made nor lost yet?"""
    return 0 < at.target <= at.left


def look(
    at: Situation,
    worlds: Worlds,
    *,
    exact: bool = False,
    shift: int = 0,
    effort: float = EFFORT,
    most: int | None = None,
    clock: Clock | None = None,
    pace: Pace | None = None,
) -> Outcome:
    """Solve the legal cards in worlds: yes or no at the goal (moved by `shift`), or exactly.

    Worlds are solved in their order, `most` or as many as the cards left allow, until the effort is
    spent (or, on a machine that is too slow for that, until the clock cuts in; one world is solved
    always). When the goal is out of reach or reached already, the answer is the same for every
    card. `pace` is that of questions before this one, in the same position.
    """
    columns = at.cards()
    goal = at.target + shift
    if not exact and not 0 < goal <= at.left:
        reached = np.full((len(worlds), len(columns)), goal <= 0)
        return Outcome(tuple(columns), reached, None, worlds.shares)
    tricks: list[NDArray[np.int8]] = []
    reaches: list[NDArray[np.bool_]] = []
    spent = done = 0
    most = min(len(worlds), most or SOLVED_WORLDS.get(at.left, len(worlds)))
    pace = pace or Pace.at(at.left, clock)
    step = SOLVED_LATER if at.left <= SOLVED_FEW else SOLVED_STEP
    while done < most and (done % step or not done or spent * (1 + step / done) <= effort):
        room = pace.room(min(step - done % step, most - done))
        if done and not room:
            break
        some = worlds.deals[done : done + max(room, 1)]
        if exact:
            numbers, nodes = solve_worlds_counting(some, at.strain, at.leader, at.trick)
            tricks.append(numbers[:, columns])
            reaches.append(tricks[-1] >= goal)
        else:
            yes, nodes = reach_worlds_counting(some, at.strain, at.leader, at.trick, goal)
            reaches.append(yes[:, columns])
        spent += int(nodes.sum())
        done += len(some)
    return Outcome(
        tuple(columns),
        np.concatenate(reaches),
        np.concatenate(tricks) if exact else None,
        worlds.part(0, done).shares,
        spent=spent,
    )


def outdone(mine: NDArray[np.int8], every: NDArray[np.int8]) -> bool:
    """Is another card as good in every world, and better in one?"""
    other = every - mine[:, None]
    return bool(((other >= 0).all(axis=0) & (other > 0).any(axis=0)).any())


def outweighed(mine: NDArray[np.int8], every: NDArray[np.int8], weights: Floats) -> bool:
    """Does another card win more tricks against this one than it loses, by far?

    >>> mine, other = np.array([3, 3, 3], np.int8), np.array([[4], [3], [2]], np.int8)
    >>> [outweighed(mine, other, np.array(w)) for w in ([0.8, 0.1, 0.1], [0.4, 0.2, 0.4])]
    [True, False]
    """
    other = every - mine[:, None]
    return bool(
        (weights @ other.clip(0) > EXCUSED_BY_FAR * (weights @ (-other).clip(0)) + _SAME).any()
    )


class Pace:
    """How many worlds can be solved before the deadline: all that are asked for, as a rule.

    The solver cannot be stopped inside a call, and one world in a hundred is ten times as hard as
    its neighbours: several are begun together only if all of them might be hard, near the deadline
    one at a time, and none when even an ordinary one would end too late.

    A hard world takes `hard` seconds of work and an ordinary one no more than `usual`, as far as
    nothing is solved yet.
    """

    def __init__(self, clock: Clock | None, hard: float, usual: float) -> None:
        self._clock = clock
        self._least = (0.5 * hard, usual)
        self._hard, self._usual = hard, usual
        self._first = True
        self._begun: tuple[float, int] | None = None  # when, by work, and how many worlds

    @classmethod
    def at(cls, left: int, clock: Clock | None) -> Pace:
        """With so many cards left."""
        hard = SOLVED_TAKES.get(left, SOLVED_TAKES_LATER)
        return cls(clock, hard, SOLVED_EASIER * hard)

    def room(self, wanted: int) -> int:
        """So many of the wanted worlds; none means that the clock has cut in."""
        if self._clock is None:
            return wanted
        self._learn()
        room = self._clock.room(self._hard)
        found = int(min(wanted, room))
        if self._first and 2 * wanted > room:
            found = min(found, 1)  # one tells how hard they are, before several are begun
        if wanted and not found and not self._clock.late(self._usual):
            found = 1
        self._first, self._begun = False, (worked(), max(found, 1))
        return found

    def late(self) -> bool:
        """Would one more world end after the deadline?"""
        self._learn()
        return self._clock is not None and self._clock.late(self._usual)

    def _learn(self) -> None:
        """From the worlds begun last: easy ones bring the numbers down, slowly, not to nothing."""
        if self._begun is not None:
            (began, solved), self._begun = self._begun, None
            took = (worked() - began) / solved
            self._hard = max(2 * took, 0.5 * self._hard, self._least[0])
            self._usual = max(2 * took, 0.5 * self._usual, self._least[1])


def worths(at: Situation, seen: Outcome, objective: Objective, rule: Rule = "mean") -> list[Worth]:
    """The cards with their values, best first."""
    chance = seen.weights @ seen.reached
    error = np.sqrt(np.maximum(chance * (1 - chance), 0) * (seen.weights**2).sum())
    tricks: Floats | None = None
    score: Floats | None = None
    value = stake(at) * scored(seen.reached.astype(float), seen.weights, rule)
    if seen.tricks is not None:
        weights = seen.weights
        tricks = weights @ seen.tricks + at.play.tricks_won(at.turn.side)
        table = score_table(at)
        score = weights @ table[seen.tricks]
        if objective == "imps":
            value = value + weights @ beside_table(at)[seen.tricks]
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


def asked(
    at: Situation,
    worlds: Worlds,
    rule: Rule = "mean",
    effort: float = EFFORT,
    clock: Clock | None = None,
) -> tuple[list[Worth], Outcome]:
    """The cards at IMPs by yes-or-no questions only, which early on cost far less than numbers.

    First the goal; then one trick more, or one less, and so on until one card is best.
    """
    pace = Pace.at(at.left, clock)
    seen = look(at, worlds, effort=SOLVED_FIRST * effort, pace=pace)
    found = worths(at, seen, "imps", rule)
    steps, spent = seen.reached.astype(np.int8), seen.spent
    beside = beside_table(at)
    step = 1 if found[0].chance >= 0.5 else -1
    for i in range(1, SOLVED_QUESTIONS + 1):
        goal = at.target + step * i
        if not 0 < goal <= at.left or _one_is_best(at, found):
            break
        if pace.late():
            break
        more = look(at, worlds, shift=step * i, effort=(1 - SOLVED_FIRST) * effort, pace=pace)
        pays = float(beside[goal] - beside[goal - 1])
        extra = dict(zip(more.cards, (pays * (more.weights @ more.reached)).tolist(), strict=True))
        found = [replace(w, value=w.value + extra[w.card]) for w in found]
        found.sort(key=lambda w: -w.value)
        both = min(len(steps), len(more.reached))
        steps = steps[:both] + more.reached[:both]
        spent += more.spent
    return found, replace(seen, steps=steps, spent=spent)


def _one_is_best(at: Situation, found: list[Worth]) -> bool:
    """Is the best card, with those that touch it, ahead of all others, and not by next to nothing?

    Cards that near are taken for equals in the end, and then all that they pay must be known.
    """
    top = {w.card for w in found if w.value >= found[0].value - LITTLE}
    return sum(bool(top & set(group)) for group in at.groups()) == 1


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
    """IMPs of each result against the one in which the goal is just reached, trick by trick.

    The other table plays the same cards, probably in the same contract, and ends a trick away if
    not level: what a trick pays is the swing to the next number. (Against one fixed result far
    away a trick is often lost in the rounding of the IMP scale.)
    """
    steps = [0.0, *(imps(int(x)) for x in np.diff(score_table(at)))]
    table = np.cumsum(steps)
    out: Floats = table - table[min(max(at.target, 0), at.left)]
    return out


def stake(at: Situation) -> float:
    """IMPs between just reaching the goal and just missing it; 0 once that is decided."""
    return float(-imp_table(at)[at.target - 1]) if goal_is_open(at) else 0.0


def beside_table(at: Situation) -> Floats:
    """IMPs of each number of further tricks beside the contract itself: over- and undertricks."""
    lost = np.arange(at.left + 1) < at.target
    out: Floats = imp_table(at) + stake(at) * lost
    return out


def _against_others(points_: Floats) -> Floats:
    """Matchpoints of each card against the same hands played with every other card."""
    better = (points_[:, :, None] > points_[:, None, :]).mean(axis=2)
    same = (points_[:, :, None] == points_[:, None, :]).mean(axis=2)
    out: Floats = better + 0.5 * same
    return out
