"""Everything about a single-suit holding: chances of k tricks, best lines, tables, comparisons.
Used through `overtrick.suitplay.solve`, by the `overtrick suit` command and by `reproduce`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from overtrick.game.contract import Contract
from overtrick.game.seats import Seat, Vulnerability
from overtrick.suitplay.goals import (
    Gain,
    LineContest,
    at_least,
    best_line,
    contest,
    imp_gain,
    margin,
    matchpoint_gain,
    most_tricks,
    outcome_of,
    tricks_of,
)
from overtrick.suitplay.holding import UNLIMITED, Holding, Layouts, SuitError, ranks_text
from overtrick.suitplay.lines import LineSearch
from overtrick.suitplay.plan import PlanReader, PlanTrick
from overtrick.suitplay.position import SuitGame
from overtrick.suitplay.search import FrontSearch
from overtrick.suitplay.words import plan_tree, plan_words

DEFAULT_CONTRACT = Contract.parse("3NT", Seat.SOUTH)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play, known by the tricks it is sure of in every layout.

    >>> from overtrick.suitplay import solve
    >>> line = solve("AQ", "32").mean_line
    >>> line.good_for, round(line.mean, 2)
    (('most tricks', '1+ trick', '2+ tricks', 'matchpoints', 'IMPs'), 1.5)
    """

    name: str
    tricks: tuple[int, ...]
    chances: tuple[float, ...]  # of at least 0, 1, 2, … tricks
    mean: float
    good_for: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """One way the missing cards can lie, and the tricks of each line there.

    >>> from overtrick.suitplay import solve
    >>> found = solve("AQT9", "432")
    >>> first = found.table([found.mean_line])[0]
    >>> first.west, first.east, round(first.chance, 3)
    ('Jxx', 'Kxx', 0.107)
    """

    west: str
    east: str
    chance: float
    tricks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SuitAnalysis:
    """What `solve` returns. All chances are against defenders who see every card.

    >>> from overtrick.suitplay import solve
    >>> [round(chance, 2) for chance in solve("AQ", "32").chances]
    [1.0, 1.0, 0.5]
    """

    holding: Holding
    vacant: tuple[int, int]
    entries: tuple[int, int] | None
    chances: tuple[float, ...]  # best chance of at least 0, 1, 2, … tricks
    mean: float  # the most tricks on average
    lines: tuple[Line, ...]
    matchpoint_best: Line | None
    imp_best: Line | None
    matchpoint_cycle: tuple[Line, ...]  # each beats the one before it, the first beats the last
    imp_cycle: tuple[Line, ...]
    need: int  # tricks the contract needs here, for the IMP comparison
    contract: Contract
    vul: Vulnerability
    _reader: PlanReader = field(repr=False, compare=False)

    @property
    def layouts(self) -> Layouts:
        return self._reader.game.layouts

    @property
    def mean_line(self) -> Line:
        return next(line for line in self.lines if "most tricks" in line.good_for)

    def line_for(self, tricks: int) -> Line:
        """The line with the best chance of at least so many tricks."""
        if not 0 <= tricks < len(self.chances):
            most = len(self.chances) - 1
            raise SuitError(f"{self.holding} can take 0 to {most} tricks, not {tricks}")
        wanted = _goal_name(max(1, tricks))
        return next(line for line in self.lines if wanted in line.good_for)

    def plan(self, line: Line) -> PlanTrick | None:
        return self._reader.read(outcome_of(self._reader.game, line.tricks))

    def words(self, line: Line) -> str:
        return plan_words(self.plan(line))

    def tree(self, line: Line, depth: int = 13) -> list[tuple[int, str]]:
        return list(plan_tree(self.plan(line), depth))

    def table(self, lines: Sequence[Line] | None = None) -> list[Layout]:
        """Tricks of each line in each layout, likeliest first."""
        layouts = self.layouts
        rows = []
        for i in range(len(layouts)):
            if layouts.weights[i]:
                west, east = layouts.hands(i)
                tricks = {line.name: line.tricks[i] for line in lines or self.lines}
                rows.append(Layout(west, east, layouts.chance(i), tricks))
        return sorted(rows, key=lambda row: -row.chance)

    def ahead(self, one: Line, two: Line) -> float:
        """Matchpoints: how much likelier `one` is to take more tricks than to take fewer."""
        game = self._reader.game
        return margin(game, matchpoint_gain, one.tricks, two.tricks) / self.layouts.total

    def imps(self, one: Line, two: Line) -> float:
        """IMPs a board that `one` wins from `two` in the contract."""
        game = self._reader.game
        gain = imp_gain(self.contract, self.vul, self.need)
        return margin(game, gain, one.tricks, two.tricks) / self.layouts.total

    def to_dict(self, table: bool = True) -> dict[str, Any]:
        """Plain values, for JSON."""
        read = {
            "north": ranks_text(self.holding.north),
            "south": ranks_text(self.holding.south),
            "vacant": list(self.vacant),
            "entries": None if self.entries is None else list(self.entries),
            "chances": {k: c for k, c in enumerate(self.chances) if k},
            "mean": self.mean,
            "lines": [
                {
                    "name": line.name,
                    "good_for": list(line.good_for),
                    "words": self.words(line),
                    "chances": {k: c for k, c in enumerate(line.chances) if k},
                    "mean": line.mean,
                }
                for line in self.lines
            ],
            "matchpoint_best": self.matchpoint_best and self.matchpoint_best.name,
            "matchpoint_cycle": [line.name for line in self.matchpoint_cycle],
            "imp_best": self.imp_best and self.imp_best.name,
            "imp_cycle": [line.name for line in self.imp_cycle],
            "imp_contract": self.contract.ascii,
            "imp_need": self.need,
        }
        if table:
            read["layouts"] = [
                {"west": r.west, "east": r.east, "chance": r.chance, "tricks": dict(r.tricks)}
                for r in self.table()
            ]
        return read


@dataclass(frozen=True, slots=True)
class Stakes:
    """What IMPs are counted in: the contract, and the tricks it needs from this suit.

    >>> from overtrick.suitplay import solve
    >>> solve("AQT98", "5432", stakes=Stakes(Contract.parse("6NT S"), need=5)).need
    5
    """

    contract: Contract = DEFAULT_CONTRACT
    vul: Vulnerability = Vulnerability.NONE
    need: int | None = None


def solve(
    north: str,
    south: str,
    vacant: tuple[int, int] = (13, 13),
    entries: tuple[int, int] | None = None,
    stakes: Stakes | None = None,
    *,
    missing: str | None = None,
) -> SuitAnalysis:
    """Play a suit as well as it can be played against defenders who see all the cards.

    `vacant` is West's and East's places for the missing cards; `entries` counts North's and South's
    entries outside the suit (UNLIMITED for as many as needed; None lets either hand lead always);
    `missing` names the defenders' cards when part of the suit has been played.

    >>> suit = solve("AQT98", "5432")
    >>> [round(100 * c, 2) for c in suit.chances], round(suit.mean, 4)
    ([100.0, 100.0, 100.0, 100.0, 82.78, 26.57], 4.0313)
    >>> best = suit.matchpoint_best
    >>> round(100 * suit.ahead(best, suit.mean_line), 4), suit.words(best)[:15]
    (3.6522, 'Low to the ten ')
    """
    stakes = stakes or Stakes()
    holding = Holding.parse(north, south, missing)
    layouts = Layouts.of(holding, vacant)
    if entries is not None and min(entries) >= UNLIMITED:
        entries = None
    game = SuitGame(holding, layouts, entries)
    search = LineSearch(FrontSearch(game))
    best, chances = _by_goal(search)
    need = _need(stakes, chances, holding)
    matchpoints = _contest(search, matchpoint_gain, best, "matchpoints")
    imps = _contest(search, imp_gain(stakes.contract, stakes.vul, need), best, "IMPs")
    lines = _named(game, best, (*matchpoints.cycle, *imps.cycle))
    by_tricks = {line.tricks: line for line in lines}
    return SuitAnalysis(
        holding,
        vacant,
        entries,
        tuple(chances),
        lines[0].mean,
        lines,
        by_tricks[matchpoints.best] if matchpoints.best else None,
        by_tricks[imps.best] if imps.best else None,
        tuple(by_tricks[t] for t in matchpoints.cycle),
        tuple(by_tricks[t] for t in imps.cycle),
        need,
        stakes.contract,
        stakes.vul,
        PlanReader(search.fronts),
    )


def _need(stakes: Stakes, chances: Sequence[float], holding: Holding) -> int:
    """The tricks that the contract needs here: as told, else the most at even chances or better."""
    if stakes.need is None:
        return max((k for k, c in enumerate(chances) if k and c >= 0.5), default=1)
    if not 0 <= stakes.need < len(chances):
        raise SuitError(f"{holding} can take 0 to {len(chances) - 1} tricks, not {stakes.need}")
    return stakes.need


def _by_goal(search: LineSearch) -> tuple[dict[str, tuple[int, ...]], list[float]]:
    """The line with most tricks, the lines for each number of tricks, and their chances."""
    game = search.game
    mean = most_tricks(game)
    _, outcome = best_line(search, [mean])
    best = {"most tricks": tricks_of(game, outcome)}
    chances = [1.0]
    for k in range(1, game.levels + 1):
        goal = at_least(game, k)
        # The line with most tricks will do unless another is better for this goal.
        better = search.best(goal, floor=goal(outcome)).value > goal(outcome)
        line = best_line(search, [goal, mean])[1] if better else outcome
        chances.append(goal(line) / game.layouts.total)
        best[_goal_name(k)] = tricks_of(game, line)
    return best, chances


def _goal_name(k: int) -> str:
    return f"{k}+ trick{'s' if k > 1 else ''}"


def _contest(
    search: LineSearch, gain: Gain, best: dict[str, tuple[int, ...]], name: str
) -> LineContest:
    result = contest(search, gain, list(best.values()))
    if result.best is not None:
        best[name] = result.best
    return result


def _named(
    game: SuitGame, best: Mapping[str, tuple[int, ...]], others: Sequence[tuple[int, ...]]
) -> tuple[Line, ...]:
    """Lines with letters: the one with most tricks on average is A."""
    goals: dict[tuple[int, ...], list[str]] = {}
    for goal, tricks in best.items():
        goals.setdefault(tricks, []).append(goal)
    for tricks in others:
        goals.setdefault(tricks, [])
    weights, total = game.layouts.weights, game.layouts.total
    lines = []
    for number, (tricks, names) in enumerate(goals.items()):
        chances = tuple(
            sum(w for w, t in zip(weights, tricks, strict=True) if t >= k) / total
            for k in range(game.levels + 1)
        )
        lines.append(Line(_letter(number), tricks, chances, sum(chances[1:]), tuple(names)))
    return tuple(lines)


def _letter(number: int) -> str:
    return chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
