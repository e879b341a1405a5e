"""Do ratings find true differences within their stated error? Simulated seasons of a club.

    python -m benchmarks.seasons --seasons 1000 --out docs/results/ratings.json

The model of the simulation is not that of the ratings: people make mistakes, so many a board; a
mistake is a step down a ladder of real scores (an overtrick, a game that fails, a slam missed), and
results are compared in IMPs. What somebody is worth is measured on fresh boards among the same
people. In a season of 30 evenings 24 of 32 people come, half of them with partners that change, and
play a Mitchell of six tables; every other season a pair of robots of known strength fills in.

`steady` people stay as they are. In `improve` every fourth learns, steadily or at once; in `tire`
every third errs more in the last two rounds; in `collude` two pairs throw boards to a friend of
theirs; `all` is all of that.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Row, at_least, at_most
from overtrick.duplicate.movements import mitchell
from overtrick.duplicate.ratings import RankedResult, strengths
from overtrick.game import imps

Floats = NDArray[np.float64]
MODELS: Final = ("steady", "improve", "tire", "collude", "all")
EVENINGS: Final = 30
PEOPLE: Final = 32
PLAYING: Final = 24
_MISTAKES: Final = 0.35  # of somebody of middling strength, a board
_SKILL: Final = 0.35  # by which the logarithm of that varies between people
_THROWN: Final = 1.5  # mistakes more a board against a friend
_FEWEST: Final = 80  # boards of those who are compared
_ROBOT: Final = 0.3  # the strength of the robots, in spreads of people

# Scores for the declaring side, best first, from where a board without mistakes ends (the third or
# fourth) a mistake of one's own down, of an opponent's up.
LADDERS: Final = (
    ((170, 140, 140, 110, -50, -100, -150, -300), 2),
    ((150, 120, 90, 90, -50, -100, -100, -200), 2),
    ((480, 450, 420, 420, -50, -100, -150, -300), 2),
    ((680, 650, 620, 620, -100, -200, -300, -500), 2),
    ((460, 430, 400, 150, -50, -100, -150, -300), 2),
    ((660, 630, 600, 150, -100, -200, -300, -500), 2),
    ((490, 460, 430, 180, 180, -50, -100, -300), 2),
    ((1010, 980, 980, 480, -50, -100, -150, -300), 2),
    ((1460, 1430, 1430, 680, -100, -200, -300, -500), 2),
    ((800, 500, 300, 100, -140, -170, -420, -450), 3),
)


@dataclass
class Club:
    """The people of a season: skill when it begins, what they gain, who tires, who throws boards
    to whom."""

    skill: Floats
    gain: Floats
    at_once: NDArray[np.bool_]
    tiring: NDArray[np.bool_]
    friends: set[tuple[int, int]] = field(default_factory=set)

    def now(self, evening: int) -> Floats:
        part = evening / (EVENINGS - 1)
        return self.skill + self.gain * np.where(self.at_once, part > 0.4, part)


def club_of(model: str, rng: np.random.Generator) -> Club:
    everybody = np.arange(PEOPLE)
    improving = model in ("improve", "all")
    tiring = model in ("tire", "all")
    made = Club(
        rng.normal(size=PEOPLE),
        np.where(everybody % 4 == 1, 1.0, 0.0) * improving,
        everybody % 8 == 1,
        (everybody % 3 == 2) & tiring,
    )
    if model in ("collude", "all"):
        # Pairs of people who always play together: 0 with 1, 2 with 3, …
        made.friends = {(a, b) for a in (4, 5) for b in (0, 1)} | {
            (a, b) for a in (6, 7) for b in (2, 3)
        }
    return made


def mistakes(skill: Floats, tired: Floats | float = 0.0) -> Floats:
    found: Floats = _MISTAKES * np.exp(-_SKILL * skill) * (1 + 0.5 * np.asarray(tired))
    return found


def scores(rng: np.random.Generator, kinds: Any, declaring: Any, own: Any, other: Any) -> Any:
    """Declaring sides' scores: `own` and `other` are mean mistakes of the two sides. One board in
    three turns on a guess, too."""
    steps = rng.poisson(own) - rng.poisson(other)
    steps = steps + (rng.random(steps.shape) < 0.17) - (rng.random(steps.shape) < 0.17)
    table = np.array([ladder for ladder, _ in LADDERS])
    start = np.array([at for _, at in LADDERS])
    found = table[kinds, np.clip(start[kinds] + steps, 0, table.shape[1] - 1)]
    return np.where(declaring == 0, found, -found)


_IMPS = np.array([imps(10 * d) for d in range(-400, 401)])


def in_imps(points: Any) -> Any:
    return _IMPS[np.clip(points // 10, -400, 400) + 400]


def worth(points: int = 400_000, seed: int = 5) -> tuple[Floats, Floats, Floats]:
    """What a person of some skill adds to a pair among average people, in IMPs a board: fresh and
    tired."""
    rng = np.random.default_rng(seed)
    skills = np.linspace(-4, 4, 17)
    field_ = rng.normal(size=(points, 7))
    kinds, declaring = rng.integers(len(LADDERS), size=points), rng.integers(2, size=points)
    m = mistakes(field_)
    theirs = m[:, 3] + m[:, 4]
    ns = np.where(declaring == 0, m[:, 5] + m[:, 6], theirs)
    ew = np.where(declaring == 0, theirs, m[:, 5] + m[:, 6])
    there = scores(rng, kinds, declaring, ns, ew)
    found = []
    for tired in (0.0, 1.0):
        values = []
        for skill in skills:
            again = np.random.default_rng(seed + 1)
            ours = mistakes(np.full(points, skill), tired) + m[:, 0]
            against = m[:, 1] + m[:, 2]
            own = np.where(declaring == 0, ours, against)
            other = np.where(declaring == 0, against, ours)
            here = scores(again, kinds, declaring, own, other)
            values.append(float(in_imps(here - there).mean()))
        found.append(np.array(values))
    middle = float(np.interp(0.0, skills, found[0]))
    return skills, found[0] - middle, found[1] - middle


def season(model: str, seed: int, robots: bool) -> tuple[list[RankedResult], Club]:
    """A season's results, and the people as they are when it is over."""
    rng = np.random.default_rng(seed)
    club, movement = club_of(model, rng), mitchell(12, each=4)
    results: list[RankedResult] = []
    names = [f"p{i:02}" for i in range(PEOPLE)] + ["Robot"]
    for evening in range(EVENINGS):
        skill = np.append(club.now(evening), _ROBOT)
        couples = [(2 * i, 2 * i + 1) for i in range(8)]
        single = rng.permutation(np.arange(16, PEOPLE))
        couples += [(int(a), int(b)) for a, b in zip(single[::2], single[1::2], strict=True)]
        chosen = [couples[i] for i in rng.permutation(len(couples))[: PLAYING // 2]]
        if robots:
            chosen[-1] = (PEOPLE, PEOPLE)
        order = [chosen[i] for i in rng.permutation(len(chosen))]
        rows = []
        for number, places in enumerate(movement.rounds):
            late = number >= len(movement.rounds) - 2
            tired = np.append(club.tiring * late, False).astype(float)
            m = mistakes(skill, tired)
            for p in places:
                ns, ew = order[p.ns - 1], order[p.ew - 1]
                thrown = [
                    _THROWN * any((a, b) in club.friends for a in x for b in y)
                    for x, y in ((ns, ew), (ew, ns))
                ]
                made = m[list(ns)].sum() + thrown[0], m[list(ew)].sum() + thrown[1]
                rows += [(b, ns, ew, *made) for b in movement.boards(p.boards)]
        boards = np.array([r[0] for r in rows])
        kinds = rng.integers(len(LADDERS), size=boards.max() + 1)[boards]
        declaring = rng.integers(2, size=boards.max() + 1)[boards]
        ns_made, ew_made = np.array([r[3] for r in rows]), np.array([r[4] for r in rows])
        own = np.where(declaring == 0, ns_made, ew_made)
        other = np.where(declaring == 0, ew_made, ns_made)
        found = scores(rng, kinds, declaring, own, other)
        for (board, ns, ew, *_), score in zip(rows, found.tolist(), strict=True):
            seats = (names[ns[0]], names[ew[0]], names[ns[1]], names[ew[1]])
            results.append(RankedResult(f"{board}", f"{evening}", 7.0 * evening, seats, score))
    return results, club


@dataclass
class Told:
    """What ratings said of differences, and what they were."""

    off: list[float] = field(default_factory=list)
    error: list[float] = field(default_factory=list)
    true: list[float] = field(default_factory=list)
    level: list[float] = field(default_factory=list)  # against robots, in errors
    friends: list[float] = field(default_factory=list)  # the same for who was helped
    doubted: int = 0
    caught: int = 0
    seasons: int = 0
    seconds: float = 0.0


def measure(model: str, seeds: range, known: tuple[Floats, Floats, Floats]) -> Told:
    skills, fresh, weary = known
    told = Told()
    for seed in seeds:
        robots = seed % 2 == 0
        results, club = season(model, seed, robots)
        now = club.now(EVENINGS - 1)
        true = np.interp(now, skills, fresh)
        true = np.where(club.tiring, 0.6 * true + 0.4 * np.interp(now, skills, weary), true)
        anchor = float(np.interp(_ROBOT, skills, fresh))
        began = perf_counter()
        found = strengths(results, {"Robot": anchor})
        told.seconds += perf_counter() - began
        told.seasons += 1
        rated = [i for i in range(PEOPLE) if (s := found.people.get(f"p{i:02}"))
                 and s.boards >= _FEWEST]  # fmt: skip
        for a, b in combinations(rated, 2):
            between = found.between(f"p{a:02}", f"p{b:02}")
            told.off.append(between.value - (true[a] - true[b]))
            told.error.append(between.error)
            told.true.append(float(true[a] - true[b]))
        if robots:
            told.level += [
                (s.value - true[i]) / s.error for i in rated for s in [found.people[f"p{i:02}"]]
            ]
        told.friends += [
            (s.value - true[i]) / s.error
            for i in {b for _, b in club.friends} & set(rated)
            for s in [found.people[f"p{i:02}"]] if robots
        ]  # fmt: skip
        together = {frozenset((f"p{a:02}", f"p{b:02}")) for a, b in club.friends}
        told.doubted += len(found.doubts)
        told.caught += sum(frozenset(d.people) in together for d in found.doubts)
    return told


def figures(told: Told) -> dict[str, Any]:
    off, error, true = np.array(told.off), np.array(told.error), np.array(told.true)
    z = off / error
    apart = np.abs(true) > 2 * error
    return {
        "seasons": told.seasons,
        "differences": len(off),
        "within_1_error": round(float((np.abs(z) < 1).mean()), 3),
        "within_2_errors": round(float((np.abs(z) < 1.96).mean()), 3),
        "rms_errors": round(float(np.sqrt((z**2).mean())), 3),
        "stated_error": round(float(np.sqrt((error**2).mean())), 3),
        "actual_error": round(float(np.sqrt((off**2).mean())), 3),
        "spread_of_truth": round(float(true.std()), 3),
        "slope": round(float((true * (true + off)).sum() / (true**2).sum()), 3),
        "right_way_round": round(float(((true + off) * true > 0)[apart].mean()), 4),
        "against_robots_within_2_errors": round(
            float((np.abs(np.array(told.level)) < 1.96).mean()), 3
        ),
        "friends_mean_errors": round(float(np.mean(told.friends)), 2) if told.friends else None,
        "doubted": told.doubted,
        "doubted_rightly": told.caught,
        "ms_a_season": round(1000 * told.seconds / max(1, told.seasons)),
    }


def run() -> list[Row]:
    """A few seasons of each model."""
    known, rows = worth(100_000), []
    for model in MODELS:
        found = figures(measure(model, range(8), known))
        rows.append(at_least(f"{model}: differences within 1.96 errors", found["within_2_errors"],
                             0.9))  # fmt: skip
        rows.append(at_most(f"{model}: RMS of differences, in errors", found["rms_errors"], 1.15))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seasons", type=int, default=1000, help="in all, shared by the models")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    known, each = worth(), options.seasons // len(MODELS)
    found = {}
    for i, model in enumerate(MODELS):
        first = options.seed * 1_000_000 + i * each
        found[model] = figures(measure(model, range(first, first + each), known))
        print(model, json.dumps(found[model]), flush=True)
    if options.out:
        commit = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
        ).stdout.strip()
        told = {
            "command": f"python -m benchmarks.seasons --seasons {options.seasons}"
            f" --seed {options.seed}",
            "commit": commit,
            "date": f"{datetime.now(UTC):%Y-%m-%d}",
            "machine": f"one core, {platform.machine()}",
            "models": found,
        }
        options.out.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
