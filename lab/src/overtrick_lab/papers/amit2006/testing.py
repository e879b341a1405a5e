"""Pairs tested on bidding challenges with PIDM at the table's budget (section 5.1.1).
Every dependent variable of the paper comes from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from overtrick.bidding.kernel import AuctionPosition
from overtrick.bidding.pidm.decide import decide
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.bidding.pidm.settings import Counts, Own, PidmSettings
from overtrick.engines.clock import counting_work
from overtrick.systems.refined import AuctionKey
from overtrick_lab.engines import figure3
from overtrick_lab.engines.figure3 import PrintedSettings
from overtrick_lab.papers.amit2006.cotrain import CotrainSettings, four, players_of, training_deals
from overtrick_lab.papers.amit2006.problems import Challenge, as_challenges, challenges, result
from overtrick_lab.papers.amit2006.states import bid_deals
from overtrick_lab.papers.workforce import Workforce


@dataclass(frozen=True, slots=True)
class ExamSettings:
    """How a pair is examined."""

    problems: int = 100
    first: int = 0
    """The number of the first problem in the set."""
    repeats: int = 1
    seed: int = 1_000_003
    """The set; training deals come from other seeds."""
    seconds: float = 0.5
    """Work a call, in seconds of one quiet core (`engines.clock.counting_work`)."""
    worlds: int = 3
    depth: int = 1
    """Levels of simulated players that search themselves."""
    own: Own = "world"
    own_turns: int = 1
    """Own later turns at which calls are compared again."""
    doubt: float = 0.1
    """Weight of a world for every call it does not explain; the paper knows no such thing: 1."""
    g: float = 0.3
    r: float = 0.2
    told: bool = True
    """Does each partner know what the other wants?"""
    resource: float = 0.0
    """Figure 3 as printed (`printed`), with so many instances a call instead of seconds; 0: PIDM in
    batches."""
    only: str = ""
    """Problems in which the rules bid one of these sequences of our calls."""

    def pidm(self) -> PidmSettings:
        return PidmSettings(
            seconds=self.seconds, worlds=self.worlds, depth=self.depth, own=self.own, g=self.g,
            r=self.r, own_turns=self.own_turns, doubt=self.doubt, proposal="staged",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExamJob:
    """Some problems for one pair."""

    settings: CotrainSettings
    nets: tuple[str, str]
    test: ExamSettings
    problems: tuple[Challenge, ...]
    repeat: int


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One problem bid once."""

    number: int
    imps: int
    calls: tuple[int, ...]
    decisions: int
    searched: int
    lookaheads: int
    instances: int
    failures: int
    stages: int
    used: tuple[str, ...]
    """Refined nets that this auction went through."""


def bid_challenge(
    pair: tuple[PlayerModel, PlayerModel], one: Challenge, test: ExamSettings, repeat: int
) -> ProblemRow:
    """One problem, both partners thinking with PIDM, the opponents silent."""
    position, counts, settings = AuctionPosition(one.start, 0, 0), Counts(), test.pidm()
    decisions = searched = 0
    used: list[str] = []
    while not position.is_over:
        if position.turn & 1:
            position = position.then(0)
            continue
        player = pair[position.turn // 2]
        rng = np.random.default_rng([test.seed, one.number, len(position.calls), repeat])
        if player.refined(position):
            used.append(AuctionKey.of(position.calls).words())
        hand = one.hands[position.turn]
        if test.resource:
            as_printed = PrintedSettings(test.resource, test.worlds, test.g, test.r)
            found = figure3.decide(player, position, hand, as_printed, rng=rng, counts=counts)
        else:
            found = decide(player, position, hand, settings, rng=rng, counts=counts)
        decisions += 1
        searched += len(found.calls) > 1
        position = position.then(found.call)
    return ProblemRow(
        one.number, result(one, position.calls), position.calls, decisions, searched,
        counts.lookaheads, counts.instances, counts.failures, sum(counts.stages), tuple(used),
    )  # fmt: skip


def run_job(job: ExamJob) -> list[ProblemRow]:
    pair = players_of(job.settings, job.nets, job.test.told)
    with counting_work():  # the limits are work: the same on any machine
        return [bid_challenge(pair, p, job.test, job.repeat) for p in job.problems]


def problem_set(settings: CotrainSettings, test: ExamSettings) -> list[Challenge]:
    """The held-out problems; with `only`, those that the rules begin that way, from there on."""
    if not test.only:
        return challenges(test.first + test.problems, test.seed)[test.first :]
    limited = replace(settings, only=test.only)
    wanted = test.first + test.problems
    found = [
        c
        for start, many in training_deals(limited, wanted, test.seed)
        for c in as_challenges(many, start)
    ]
    mixed = np.random.default_rng(test.seed).permutation(len(found))[test.first : wanted]
    return [replace(found[int(i)], number=n) for n, i in enumerate(mixed)]


def run_test(
    settings: CotrainSettings, nets: tuple[str, str], test: ExamSettings, workers: Workforce
) -> dict[str, Any]:
    """All problems and repetitions, on all workers; one cell of results."""
    problems = problem_set(settings, test)
    size = max(1, min(5, len(problems) // (2 * workers.hands) or 1))
    chunks = [tuple(problems[i : i + size]) for i in range(0, len(problems), size)]
    jobs = [ExamJob(settings, nets, test, c, r) for r in range(test.repeats) for c in chunks]
    rows = [row for part in workers.map(run_job, jobs) for row in part]
    return summary(rows, test)


def summary(rows: Sequence[ProblemRow], test: ExamSettings) -> dict[str, Any]:
    """Means a problem, with the error over problems; counts are a whole pass over the set."""
    by: dict[int, list[int]] = {}
    for row in rows:
        by.setdefault(row.number, []).append(row.imps)
    imps = np.array([np.mean(v) for _, v in sorted(by.items())])
    passes = max(1, test.repeats)
    total = {
        name: sum(getattr(r, name) for r in rows)
        for name in ("decisions", "searched", "lookaheads", "instances", "failures", "stages")
    }
    return {
        "imps": float(imps.mean()), "error": float(imps.std() / np.sqrt(max(len(imps), 1))),
        "by_problem": [round(float(x), 2) for x in imps],
        **{k: v / passes for k, v in total.items() if k != "stages"},
        "ratio": total["searched"] / max(total["decisions"], 1),
        "stage": total["stages"] / max(total["lookaheads"], 1),
        "nets_used": len({k for r in rows for k in r.used}),
        "uses": sum(len(r.used) for r in rows) / passes,
    }  # fmt: skip


def quick_score(
    settings: CotrainSettings, nets: tuple[str, str], problems: Sequence[Challenge]
) -> dict[str, float]:
    """First choices only, no search: what the nets themselves are worth; thousands a minute."""
    table = four(players_of(settings, nets))
    imps: list[int] = []
    open_ = decisions = 0
    for start in dict.fromkeys(c.start for c in problems):
        these = [c for c in problems if c.start == start]
        found = bid_deals(table, np.array([c.hands for c in these], np.uint64), start=start)
        imps += [result(c, a) for c, a in zip(these, found.auctions, strict=True)]
        open_ += len(found.states)
        decisions += found.decisions
    return {
        "imps": float(np.mean(imps)), "error": float(np.std(imps) / np.sqrt(len(imps))),
        "open": open_ / max(decisions, 1),
    }  # fmt: skip
