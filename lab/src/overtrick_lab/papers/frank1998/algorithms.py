"""Other ways to choose a card in a suit, played out against best defence beside the exact solver.

All play for a target number of tricks with every layout at hand, weighted by its chance:
`Averaging` averages double-dummy results at each card; `VectorMinimaxing` backs up one vector of
results; `PayoffReduction` does so after dropping layouts that a perfect defence has saved already;
`Replanning` solves exactly, but afresh at each card.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time

import numpy as np

from overtrick.game.cards import RANKS
from overtrick.suitplay.goals import at_least
from overtrick.suitplay.holding import Holding, Layouts
from overtrick.suitplay.lines import Goal, LineSearch
from overtrick.suitplay.position import End, Lead, Reply, SuitGame, SuitPosition, Third
from overtrick.suitplay.search import FrontSearch


@dataclass(frozen=True, slots=True)
class SuitProblem:
    """Take at least `tricks` tricks with a holding."""

    holding: Holding
    tricks: int

    def game(self) -> SuitGame:
        return SuitGame(self.holding, Layouts.of(self.holding))


class SuitPlayer(ABC):
    """Plays a suit for a target by choosing leads and third-hand cards; subclasses say how.

    An outcome is here the set of layouts in which the target is reached. `alive` are the layouts
    that count, `offset` what East has played (as a shift of layouts).
    """

    def __init__(self, game: SuitGame) -> None:
        self.game = game
        self.weigh = Goal(game.layouts.weights)
        self._known: dict[tuple[SuitPosition, int, int, int], int] = {}

    def value(self, tricks: int) -> float:
        """The chance that the line played reaches the target against best defence."""
        box = self.game.left(self.game.root.left).box
        return self.weigh(self.play(self.game.root, tricks, 0, box)) / self.game.layouts.total

    def play(self, position: SuitPosition, tricks: int, offset: int, alive: int) -> int:
        node = self.game.node(position)
        if tricks <= 0:
            return self.game.left(position.left).box & alive
        if node.settled:
            return self.level(node.reach, tricks) & alive
        key = (position, tricks, offset, alive)
        if key not in self._known:
            self._known[key] = self.choose_lead(node.leads, (tricks, offset, alive))
        return self._known[key]

    @abstractmethod
    def choose_lead(self, leads: Sequence[Lead], at: tuple[int, int, int]) -> int:
        """The outcome of the lead chosen; `at` is (tricks needed, offset, alive)."""

    def after_lead(self, lead: Lead, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        outcome = alive
        for reply in lead.replies:
            mask = reply.mask & self.once & alive
            if mask:
                outcome &= self.answer(reply, (tricks, offset, mask)) | ~mask
        return outcome

    @abstractmethod
    def answer(self, reply: Reply, at: tuple[int, int, int]) -> int:
        """The outcome of the third-hand card chosen after a reply."""

    def after_third(self, third: Third, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        outcome = alive
        for end in third.ends:
            if mask := end.mask & self.once & alive:
                outcome &= self.end(end, (tricks, offset, mask)) | ~mask
        return outcome

    def end(self, end: End, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        rest = self.play(end.child, tricks - end.wins, offset + end.shift, alive >> end.shift)
        return rest << end.shift

    @property
    def once(self) -> int:
        return (1 << self.game.size) - 1

    def level(self, reach: int, tricks: int) -> int:
        """The layouts in which an outcome has at least so many tricks."""
        return reach >> ((tricks - 1) * self.game.size) & self.once

    def double_dummy(self, item: Lead | Third, tricks: int, mask: int) -> int:
        """The layouts of a mask in which a card is good enough with all cards seen."""
        if isinstance(item, Lead):
            return self.level(item.reach, tricks) & mask
        good = mask
        for end in item.ends:
            good &= self.level(end.reach, tricks)
        return good


class Averaging(SuitPlayer):
    """Takes the card with the best double-dummy average, afresh at each turn."""

    def choose_lead(self, leads: Sequence[Lead], at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        lead = max(leads, key=lambda x: self.weigh(self.double_dummy(x, tricks, alive) << offset))
        return self.after_lead(lead, at)

    def answer(self, reply: Reply, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        third = max(
            reply.thirds,
            key=lambda x: self.weigh(self.double_dummy(x, tricks, alive) << offset),
        )
        return self.after_third(third, at)


class VectorMinimaxing(SuitPlayer):
    """Backs up the one vector of results with the highest average."""

    def choose_lead(self, leads: Sequence[Lead], at: tuple[int, int, int]) -> int:
        outcomes = [self.after_lead(lead, at) for lead in leads]
        return max(outcomes, key=lambda x: self.weigh(x << at[1]))

    def answer(self, reply: Reply, at: tuple[int, int, int]) -> int:
        outcomes = [self.after_third(third, at) for third in reply.thirds]
        return max(outcomes, key=lambda x: self.weigh(x << at[1]))


class Filtered(SuitPlayer):
    """Drops the layouts that were lost double dummy at a defender's earlier turn."""

    def after_lead(self, lead: Lead, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        return super().after_lead(lead, (tricks, offset, self.double_dummy(lead, tricks, alive)))

    def after_third(self, third: Third, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        return super().after_third(third, (tricks, offset, self.double_dummy(third, tricks, alive)))


class PayoffReduction(Filtered, VectorMinimaxing):
    """Vector minimaxing on the layouts that a perfect defence has not saved yet."""


class Replanning(SuitPlayer):
    """Solves exactly at each of its turns, for all layouts that fit the cards seen so far.

    What it finds is right at the first card; later it no longer knows what it gave up for it.
    """

    def __init__(self, game: SuitGame) -> None:
        super().__init__(game)
        self.lines = LineSearch(FrontSearch(game))

    def choose_lead(self, leads: Sequence[Lead], at: tuple[int, int, int]) -> int:
        return self.after_lead(max(leads, key=lambda x: self._worth(x, at)), at)

    def answer(self, reply: Reply, at: tuple[int, int, int]) -> int:
        def worth(third: Third) -> int:
            reach = reply.mask
            for end in third.ends:
                reach &= end.reach
            alone = Reply(reply.mask, reply.group, [Third(reach, third.gap, third.ends)])
            return self._worth(Lead(reach, 0, 0, [alone]), at)

        return self.after_third(max(reply.thirds, key=worth), at)

    def _worth(self, lead: Lead, at: tuple[int, int, int]) -> int:
        tricks, offset, alive = at
        size, weights = self.game.size, self.game.layouts.weights
        here = [weights[i + offset] if alive >> i & 1 else 0 for i in range(size - offset)]
        before = [0] * (size * (tricks - 1))
        after = [0] * (size * self.game.levels - len(before) - len(here))
        return self.lines.among([lead], Goal([*before, *here, *after])).value


class FilteredReplanning(Filtered, Replanning):
    """Replanning on the layouts that a perfect defence has not saved yet."""


def _play(player: type[SuitPlayer], game: SuitGame, tricks: int) -> float:
    return player(game).value(tricks)


def exact(game: SuitGame, tricks: int) -> float:
    """The chance of the best line of all."""
    found = LineSearch(FrontSearch(game)).best(at_least(game, tricks))
    return found.value / game.layouts.total


def double_dummy(game: SuitGame, tricks: int) -> float:
    """The chance that double-dummy play would reach the target: what no line can beat."""
    reach = game.node(game.root).reach
    bits = reach >> ((tricks - 1) * game.size) & ((1 << game.size) - 1)
    return Goal(game.layouts.weights)(bits) / game.layouts.total


ALGORITHMS: dict[str, Callable[[SuitGame, int], float]] = {
    "exact": exact,
    "payoff-reduction minimaxing": partial(_play, PayoffReduction),
    "exact, replanned each card, filtered": partial(_play, FilteredReplanning),
    "vector minimaxing": partial(_play, VectorMinimaxing),
    "exact, replanned each card": partial(_play, Replanning),
    "PIMC, all layouts": partial(_play, Averaging),
}


@dataclass(frozen=True, slots=True)
class AlgorithmScore:
    """How an algorithm did over a set of problems."""

    algorithm: str
    problems: int
    optimal: float  # share of problems played as well as possible
    loss: float  # mean chance given away
    seconds: float  # beyond the double-dummy results


def random_problems(
    rng: np.random.Generator, count: int, cards: tuple[int, int] = (6, 9), gap: float = 0.005
) -> Iterator[SuitProblem]:
    """Random holdings and targets where double-dummy play is better than any line by `gap`."""
    while count:
        size = int(rng.integers(cards[0], cards[1] + 1))
        ranks = rng.permutation(len(RANKS))[:size].tolist()
        split = int(rng.integers(1, size))
        holding = Holding(
            tuple(sorted(ranks[:split], reverse=True)), tuple(sorted(ranks[split:], reverse=True))
        )
        problem = SuitProblem(holding, int(rng.integers(1, holding.most_tricks + 1)))
        game = problem.game()
        bound = double_dummy(game, problem.tricks)
        if bound >= gap and bound - exact(game, problem.tricks) >= gap:
            count -= 1
            yield problem


def compare(problems: Sequence[SuitProblem]) -> list[AlgorithmScore]:
    """Let every algorithm play every problem against best defence.

    They share the double-dummy results of a problem; `seconds` is what each needs beyond those.
    """
    losses: dict[str, list[float]] = {name: [] for name in ALGORITHMS}
    seconds = dict.fromkeys(ALGORITHMS, 0.0)
    for problem in problems:
        game = problem.game()
        double_dummy(game, problem.tricks)
        best = exact(game, problem.tricks)
        for name, algorithm in ALGORITHMS.items():
            start = process_time()
            losses[name].append(best - algorithm(game, problem.tricks))
            seconds[name] += process_time() - start
    return [
        AlgorithmScore(
            name,
            len(lost),
            sum(loss < 1e-9 for loss in lost) / len(lost),
            sum(lost) / len(lost),
            seconds[name],
        )
        for name, lost in losses.items()
    ]


def pooled(parts: Sequence[Sequence[AlgorithmScore]]) -> list[AlgorithmScore]:
    """Scores of several sets of problems as those of one set."""
    out = []
    for same in zip(*parts, strict=True):
        count = sum(s.problems for s in same)
        out.append(
            AlgorithmScore(
                same[0].algorithm,
                count,
                sum(s.optimal * s.problems for s in same) / count,
                sum(s.loss * s.problems for s in same) / count,
                sum(s.seconds for s in same),
            )
        )
    return out
