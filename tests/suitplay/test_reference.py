"""The solver against a plain search over real cards, and its plans against every defence."""

from __future__ import annotations

import random

import pytest

from overtrick.game.cards import RANKS
from overtrick.suitplay import PlanTrick, SuitAnalysis, solve
from overtrick.suitplay import lines as lines_module
from overtrick.suitplay.goals import margin, matchpoint_gain, tricks_of
from tests.suitplay.reference import all_outcomes, weights

Cards = tuple[int, ...]


def _text(cards: Cards) -> str:
    return "".join(RANKS[c] for c in cards) or "-"


def _sample(rng: random.Random, most: tuple[int, int, int]) -> tuple[Cards, Cards, Cards]:
    north, south, missing = (
        rng.randint(1, most[0]),
        rng.randint(0, most[1]),
        rng.randint(1, most[2]),
    )
    ranks = rng.sample(range(13), north + south + missing)
    cut = [sorted(part, reverse=True) for part in
           (ranks[:north], ranks[north : north + south], ranks[north + south :])]  # fmt: skip
    return tuple(cut[0]), tuple(cut[1]), tuple(cut[2])


def _check(
    cards: tuple[Cards, Cards, Cards],
    prune: bool = True,
    entries: tuple[int, int] | None = None,
    vacant: tuple[int, int] = (13, 13),
) -> SuitAnalysis:
    north, south, missing = cards
    easts, vectors = all_outcomes(north, south, missing, prune, entries)
    ways = weights(easts, len(missing), vacant)
    total = sum(ways)
    suit = solve(_text(north), _text(south), vacant=vacant, entries=entries, missing=_text(missing))
    for k, chance in enumerate(suit.chances):
        best = max(sum(w for w, t in zip(ways, v, strict=True) if t >= k) for v in vectors)
        assert chance == pytest.approx(best / total, abs=1e-12), (cards, k)
    best = max(sum(w * t for w, t in zip(ways, v, strict=True)) for v in vectors)
    assert suit.mean == pytest.approx(best / total, abs=1e-12), cards
    return suit


def test_small_holdings(times: int) -> None:
    rng = random.Random(1998)
    for _ in range(75 * times):
        _check(_sample(rng, (3, 3, 4)))


def test_larger_holdings(times: int) -> None:
    rng = random.Random(7)
    for _ in range(10 * times):
        _check(_sample(rng, (4, 3, 5)))


def test_every_pure_line_of_tiny_holdings() -> None:
    """Without dropping anything: exhaustive strategy minimisation itself."""
    rng = random.Random(4)
    for _ in range(60):
        _check(_sample(rng, (2, 2, 3)), prune=False)


def test_limited_entries(times: int) -> None:
    rng = random.Random(20)
    for _ in range(30 * times):
        entries = rng.randint(0, 3), rng.randint(0, 3)
        _check(_sample(rng, (3, 3, 4)), entries=entries)


def test_vacant_places() -> None:
    rng = random.Random(8)
    for _ in range(60):
        west, east = rng.randint(2, 13), rng.randint(2, 13)
        _check(_sample(rng, (3, 3, 4)), vacant=(west, east))


@pytest.mark.slow
def test_1500_holdings() -> None:
    rng = random.Random(2026)
    for _ in range(1500):
        _check(_sample(rng, (4, 3, 5)))


def _deal(rng: random.Random, least: int = 5, most: int = 9) -> tuple[str, str]:
    ranks = rng.sample(range(13), rng.randint(least, most))
    cut = rng.randint(1, len(ranks) - 1)
    north, south = sorted(ranks[:cut], reverse=True), sorted(ranks[cut:], reverse=True)
    return _text(tuple(north)), _text(tuple(south))


@pytest.mark.parametrize("cycle", [("AJ98", "K32"), ("KT54", "A982"), ("A853", "KT97"), None])
def test_contest_is_right_about_the_whole_front(cycle: tuple[str, str] | None, times: int) -> None:
    """Matchpoint-best found by best answers equals the one found by comparing all lines."""
    rng = random.Random(12)
    for _ in range(1 if cycle else 10 * times):
        suit = solve(*(cycle or _deal(rng, 7, 9)))
        fronts = suit._reader.fronts
        game = fronts.game
        if game.size > 24:
            continue
        lines = [tricks_of(game, x) for x in fronts.front(game.root)]
        unbeaten = [
            a for a in lines if all(margin(game, matchpoint_gain, a, b) >= 0 for b in lines)
        ]
        found = suit.matchpoint_best
        assert (found is not None) == bool(unbeaten), suit.holding
        assert (found is None) == (cycle is not None)
        if found is not None:
            assert all(margin(game, matchpoint_gain, found.tricks, b) >= 0 for b in lines)


@pytest.mark.parametrize("large", [0, 8, 200, 10**9])
def test_line_search_finds_the_best_of_the_front(
    large: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the replies at the root are split up, nothing good is cut off."""
    monkeypatch.setattr(lines_module, "_LARGE", large)
    rng = random.Random(31)
    holdings = [_deal(rng, 5, 9) for _ in range(6 * times)] + [("QT2", "A743"), ("K84", "T763")]
    for north, south in holdings:
        suit = solve(north, south)
        game = suit._reader.game
        if game.size > 24 and (north, south) not in holdings[-2:]:
            continue
        ways, total = game.layouts.weights, game.layouts.total
        lines = [tricks_of(game, x) for x in suit._reader.fronts.front(game.root)]
        best = max(sum(w * t for w, t in zip(ways, v, strict=True)) for v in lines)
        assert suit.mean == pytest.approx(best / total, abs=1e-12), suit.holding
        for k, chance in enumerate(suit.chances):
            best = max(sum(w for w, t in zip(ways, v, strict=True) if t >= k) for v in lines)
            assert chance == pytest.approx(best / total, abs=1e-12), suit.holding
        assert {line.tricks for line in suit.lines} <= set(lines)


class _Defence:
    """The worst a plan can come to in one layout."""

    def __init__(self, suit: SuitAnalysis, layout: int) -> None:
        self.groups = suit.layouts.groups
        east = suit.layouts.east_counts(layout)
        self.start = east, tuple(len(g) - e for g, e in zip(self.groups, east, strict=True))
        self.known: dict[tuple[int, Cards, Cards, Cards], int] = {}

    def worst(self, trick: PlanTrick | None, ours: tuple[Cards, Cards]) -> int:
        return self._trick(trick, self.start, ours)

    def _plays(self, held: Cards) -> list[int | None]:
        return [g for g, n in enumerate(held) if n] or [None]

    def _trick(self, trick: PlanTrick | None, held: tuple[Cards, Cards],
               ours: tuple[Cards, Cards]) -> int:  # fmt: skip
        if trick is None:
            return max(map(len, ours)) if not any(map(sum, held)) else 0
        second = 0 if trick.hand == "N" else 1  # East after North
        results = []
        for play in self._plays(held[second]):
            cards = self.groups[play] if play is not None else ()
            answer = next(a for a in trick.answers if a.cards == cards)
            for last in self._plays(held[1 - second]):
                four = self.groups[last] if last is not None else ()
                outcome = next(o for o in answer.outcomes if o.cards == four)
                mine = max(trick.card, -1 if answer.card is None else answer.card)
                theirs = max((*cards, *four), default=-1)
                assert outcome.wins == (mine > theirs)
                left = [list(held[0]), list(held[1])]
                for who, group in ((second, play), (1 - second, last)):
                    if group is not None:
                        left[who][group] -= 1
                played = {trick.card, answer.card}
                rest = tuple(tuple(c for c in hand if c not in played) for hand in ours)
                after = self._trick(
                    outcome.then, (tuple(left[0]), tuple(left[1])), (rest[0], rest[1])
                )
                results.append(outcome.wins + after)
        return min(results)


def test_plans_take_the_tricks_they_promise(times: int) -> None:
    rng = random.Random(5)
    for _ in range(6 * times):
        suit = solve(*_deal(rng, 7, 10))
        for line in suit.lines:
            plan = suit.plan(line)
            ours = suit.holding.north, suit.holding.south
            for layout, promised in enumerate(line.tricks):
                assert _Defence(suit, layout).worst(plan, ours) >= promised
