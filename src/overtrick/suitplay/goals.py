"""What a line may be good for: k tricks, most tricks, matchpoints, IMPs; and the lines best for it.
Each goal becomes weights of outcome bits for the line search.

At matchpoints and IMPs a line is best when no other line beats it on average over the layouts.
Against a given rival that is again a sum of weights, so the rival's best answer is one search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from overtrick.game.contract import Contract
from overtrick.game.scoring import imps, points
from overtrick.game.seats import Vulnerability
from overtrick.suitplay.lines import BestOutcome, Goal, Limit, LineSearch
from overtrick.suitplay.position import SuitGame

Gain = Callable[[int, int], int]  # what my tricks win against yours


def tricks_of(game: SuitGame, outcome: int) -> tuple[int, ...]:
    """The sure number of tricks in each layout."""
    tricks = [0] * game.size
    for level in range(game.levels):
        bits = outcome >> (level * game.size)
        for i in range(game.size):
            tricks[i] += bits >> i & 1
    return tuple(tricks)


def outcome_of(game: SuitGame, tricks: Sequence[int]) -> int:
    """The outcome of so many sure tricks in each layout; the inverse of `tricks_of`."""
    return sum(1 << (k * game.size + i) for i, t in enumerate(tricks) for k in range(t))


def at_least(game: SuitGame, k: int) -> Goal:
    """The chance of k tricks or more."""
    size, weights = game.size, game.layouts.weights
    return Goal([0] * (size * (k - 1)) + list(weights) + [0] * (size * (game.levels - k)))


def most_tricks(game: SuitGame) -> Goal:
    """As many tricks as possible on average."""
    return Goal(list(game.layouts.weights) * game.levels)


def best_line(search: LineSearch, goals: Sequence[Goal]) -> tuple[int, int]:
    """Value for the first goal and an outcome that is best for it, then for the next, and so on."""
    first = search.best(goals[0])
    limits: list[Limit] = []
    found = first
    for goal, then in pairwise(goals):
        limits.append(Limit(goal, found.value))
        found = search.best(then, limits=limits)
    if first.outcome is None or found.outcome is None:
        raise RuntimeError("the search lost a line it had found")
    return first.value, found.outcome


def matchpoint_gain(mine: int, yours: int) -> int:
    """+1 for more tricks, -1 for fewer."""
    return (mine > yours) - (mine < yours)


def imp_gain(contract: Contract, vul: Vulnerability, need: int) -> Gain:
    """IMPs won when `need` tricks in this suit are what the contract takes."""
    other = contract.target - need

    def score(tricks: int) -> int:
        taken = min(13, max(0, other + tricks))
        vulnerable = vul.of(contract.declarer)
        return points(contract.level, contract.strain, contract.doubled, vulnerable, taken)

    return lambda mine, yours: imps(score(mine) - score(yours))


def margin(game: SuitGame, gain: Gain, mine: Sequence[int], yours: Sequence[int]) -> int:
    """How far one line is ahead of another, in gain × weight of layouts."""
    rows = zip(game.layouts.weights, mine, yours, strict=True)
    return sum(w * gain(a, b) for w, a, b in rows)


def against(game: SuitGame, gain: Gain, rival: Sequence[int]) -> tuple[Goal, int]:
    """The goal of beating a rival, and its value at which the two are level."""
    weights = [
        game.layouts.weights[i] * (gain(k, rival[i]) - gain(k - 1, rival[i]))
        for k in range(1, game.levels + 1)
        for i in range(game.size)
    ]
    level = -sum(w * gain(0, t) for w, t in zip(game.layouts.weights, rival, strict=True))
    return Goal(weights), level


@dataclass(frozen=True, slots=True)
class LineContest:
    """The line no other beats, or None and lines each of which beats the one before it."""

    best: tuple[int, ...] | None
    cycle: tuple[tuple[int, ...], ...] = ()


def contest(search: LineSearch, gain: Gain, lines: Sequence[tuple[int, ...]]) -> LineContest:
    """Find the line that no other line beats, starting from some good ones.

    A candidate that holds its own against all known lines is tried against its best answer; the
    answer joins the known lines. When no known line qualifies, a search for any line that is not
    behind against all known ones either finds a new candidate or proves that there is none.
    """
    game = search.game
    mean = most_tricks(game)
    known = list(dict.fromkeys(lines))
    beaten: set[tuple[int, ...]] = set()
    while True:
        candidate = _candidate(game, gain, known, beaten)
        if candidate is None:
            limits = [Limit(*against(game, gain, line)) for line in known]
            found = search.best(mean, limits=limits)
            if found.outcome is None:
                return LineContest(None, _cycle(game, gain, known))
            known.append(tricks_of(game, found.outcome))
            continue
        goal, level = against(game, gain, candidate)
        answer = search.best(goal, floor=level)
        if answer.outcome is None:
            return LineContest(candidate)
        beaten.add(candidate)
        known.append(_completed(search, answer, goal, mean))


def _completed(search: LineSearch, answer: BestOutcome, goal: Goal, mean: Goal) -> tuple[int, ...]:
    """An answer says only what its goal asks; of the lines equally good for it, the longest run."""
    found = search.best(mean, limits=[Limit(goal, answer.value)])
    if found.outcome is None:
        raise RuntimeError("the search lost a line it had found")
    return tricks_of(search.game, found.outcome)


def _candidate(
    game: SuitGame, gain: Gain, known: Sequence[tuple[int, ...]], beaten: set[tuple[int, ...]]
) -> tuple[int, ...] | None:
    """A line that no known line beats; of several the one with most tricks."""
    good = [
        line
        for line in known
        if line not in beaten and all(margin(game, gain, line, k) >= 0 for k in known)
    ]
    weights = game.layouts.weights
    key = lambda line: sum(w * t for w, t in zip(weights, line, strict=True))  # noqa: E731
    return max(good, key=key, default=None)


def _cycle(
    game: SuitGame, gain: Gain, known: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, ...], ...]:
    """Follow "is beaten most by" until a line comes back."""
    path = [known[0]]
    while True:
        last = path[-1]
        worst = max(known, key=lambda line: margin(game, gain, line, last))
        if worst in path:
            return tuple(path[path.index(worst) :])
        path.append(worst)
