"""The experiments of section 5 as small cells that are computed once and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from overtrick_lab.papers.amit2006.cotrain import BOOK, CotrainSettings, rules_of
from overtrick_lab.papers.amit2006.learning import VARIANTS, LearningRun, Measuring
from overtrick_lab.papers.amit2006.testing import ExamSettings, run_test
from overtrick_lab.papers.cells import Cell, CellStore, Task
from overtrick_lab.papers.workforce import Workforce

STAGES: Final = (
    "search", "learning", "ahead", "nets", "restricted", "sample", "time", "utility", "exchange",
    "apart", "published",
)  # fmt: skip
RAISES: Final = "1H 2H,1S 2S"  # the restricted state space of section 5.4
SAMPLE_SIZES: Final = (1, 3, 5, 10, 20)
SECONDS: Final = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0)
_WHOLE: Final = CotrainSettings(nets=120, sweeps=8)
_RAISES: Final = CotrainSettings(nets=16, sweeps=2, per_round=2, deals=1500, only=RAISES)


@dataclass(frozen=True, slots=True)
class ExperimentScale:
    """How much of everything."""

    seeds: tuple[int, ...] = (1, 2)
    learning: CotrainSettings = _WHOLE
    at: tuple[int, ...] = (0, 16, 48, 96, 192, 384, 768)
    problems: int = 100
    repeats: int = 4
    quick: int = 2000
    restricted: CotrainSettings = _RAISES
    restricted_at: tuple[int, ...] = (0, 2, 4, 8, 16, 32)
    restricted_problems: int = 100
    ends: tuple[str, ...] = ("large", "hopeful", "deep", "figure3")
    """Ways to search that are tested before and after learning only."""


# The paper's budget: 100 nets once, from 2,000 deals; a tag looks at 10 worlds (the five seconds it
# may take are never used up).
_PAPER: Final = CotrainSettings(
    nets=100, sweeps=1, per_round=4, deals=2000, examples=1000, worlds=10, least=5
)
_PAPER_RAISES: Final = replace(_PAPER, nets=40, per_round=2, only=RAISES)
_TINY: Final = CotrainSettings(
    nets=4, sweeps=1, per_round=4, examples=40, worlds=15, deals=600, least=6
)
SCALES: Final = {
    "hour": ExperimentScale(),
    "quick": ExperimentScale(
        (1,), _TINY, (0, 4), 8, 1, 200, replace(_TINY, nets=4, per_round=2, deals=200, only=RAISES),
        (0, 2, 4), 8,
    ),
    # The paper's learning, but tested a few times only.
    "small": ExperimentScale(
        (1, 2, 3), _PAPER, (0, 8, 32, 100), 100, 1, 1000,
        replace(_PAPER_RAISES, nets=16), (0, 2, 4, 8, 16), 100, ("large",),
    ),
    # The same as often as in the paper: after every four nets, ten repetitions.
    "paper": ExperimentScale(
        (1, 2, 3), _PAPER, tuple(range(0, 101, 4)), repeats=10, restricted=_PAPER_RAISES,
        restricted_at=tuple(range(0, 41, 2)),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExperimentFolder:
    """A folder of results and how large they are to be."""

    out: Path
    scale: ExperimentScale
    minutes: float = 0.0
    data: Path | None = None
    system: str = BOOK
    """The rules to learn on; ours unless somebody wants to see another system learn."""

    @property
    def store(self) -> CellStore:
        return CellStore(self.out / "cells")

    def learning(self, seed: int, name: str = "seed", **changes: Any) -> LearningRun:
        """Figures 9 to 12: the whole system, one seed."""
        s = self.scale
        settings = replace(
            s.learning, seed=seed, minutes=self.minutes, system=self.system, **changes
        )
        plan = Measuring(
            s.at,
            ends=s.ends,
            problems=s.problems,
            repeats=s.repeats,
            large=10 * s.problems,
            quick=s.quick,
            reserve=0.0,
        )
        return LearningRun(settings, plan, self.out / f"{name}{seed}")

    def ahead(self, seed: int) -> LearningRun:
        """The same with tags that compare calls again at the own next turn, as in Figure 3, but
        over all worlds that sound alike there."""
        worlds = round(0.75 * self.scale.learning.worlds)  # a tag costs more
        return self.learning(seed, "set", turns=1, own="set", worlds=worlds)

    def nets(self, seed: int) -> LearningRun:
        """The same with the paper's learner: ID3 on intersection nodes."""
        return _without_ends(self.learning(seed, "nets", learner="nets"))

    def apart(self, seed: int) -> LearningRun:
        """The whole system learned without exchange."""
        sweeps = min(2, self.scale.learning.sweeps)
        return _without_ends(self.learning(seed, "apart-all", exchange=False, sweeps=sweeps))

    def utilities(self, seed: int) -> dict[str, LearningRun]:
        """Figure 16: two partners who want the same, and two who do not."""
        return {
            "same": self.restricted(seed),
            "different": self.restricted(seed, "total", partner_utility="total"),
        }

    @property
    def points(self) -> tuple[int, ...]:
        """Nets refined at which Figure 16 is measured."""
        at = [n for n in self.scale.restricted_at if n <= self.scale.restricted.nets]
        return tuple(dict.fromkeys([*at[:: max(1, len(at) // 4)], at[-1]]))

    def restricted(self, seed: int, name: str = "raises", **changes: Any) -> LearningRun:
        """Figure 13 and the studies around it: auctions that begin with a raise of a major."""
        s = self.scale
        settings = replace(s.restricted, seed=seed, system=self.system, **changes)
        plan = Measuring(
            s.restricted_at,
            ends=(),
            problems=s.restricted_problems,
            repeats=s.repeats,
            quick=s.quick // 2,
            reserve=0.0,
        )
        return LearningRun(settings, plan, self.out / f"{name}{seed}")


def _without_ends(run: LearningRun) -> LearningRun:
    run.plan = replace(run.plan, ends=())
    return run


def tasks(bench: ExperimentFolder, stage: str) -> Iterator[Task]:
    """The cells of one stage."""
    for seed in bench.scale.seeds:
        if stage == "search":
            yield from _searches(bench, seed)
        elif stage == "learning":
            yield Task(f"learning-{seed}", f"learning, seed {seed}", _run(bench.learning(seed)))
        elif stage == "ahead":
            words = f"learning with tags that look ahead, seed {seed}"
            yield Task(f"ahead-{seed}", words, _run(bench.ahead(seed)))
        elif stage == "nets":
            words = f"learning by the paper's nets, seed {seed}"
            yield Task(f"nets-{seed}", words, _run(bench.nets(seed)))
        elif stage == "restricted":
            run = bench.restricted(seed)
            yield Task(f"raises-{seed}", f"raises only, seed {seed}", _run(run))
        elif stage == "sample":
            yield from _sample_sizes(bench, seed)
        elif stage == "time":
            yield from _times(bench, seed)
        elif stage == "utility":
            yield from _utilities(bench, seed)
        elif stage == "exchange":
            run = bench.restricted(seed, "apart", exchange=False)
            yield Task(f"apart-{seed}", f"raises without exchange, seed {seed}", _run(run))
        elif stage == "apart":
            words = f"whole system without exchange, seed {seed}"
            yield Task(f"apart-all-{seed}", words, _run(bench.apart(seed)))
    if stage == "published" and bench.data is not None:
        yield from _published(bench)


def _run(run: LearningRun) -> Callable[[Workforce], Cell]:
    def make(workers: Workforce) -> Cell:
        run.go(workers)
        return {"done": run.run.finished, "curve": run.curve()}

    return make


def _tested(run: LearningRun, learned: bool, test: ExamSettings) -> Callable[[Workforce], Cell]:
    def make(workers: Workforce) -> Cell:
        # Tasks are listed before anything is learned: the nets are read when they are needed.
        nets = LearningRun(run.settings, run.plan, run.folder).texts() if learned else ("", "")
        return run_test(run.settings, nets, test, workers)

    return make


def _snapshot(run: LearningRun, refined: int, test: ExamSettings) -> Callable[[Workforce], Cell]:
    def make(workers: Workforce) -> Cell:
        nets = run.texts_at(refined) if refined else ("", "")
        return run_test(run.settings, nets, test, workers)

    return make


def _searches(bench: ExperimentFolder, seed: int) -> Iterator[Task]:
    """Before learning, one pass over the problems: every way to simulate the others."""
    run = bench.learning(seed)
    for variant in ("plain", "hopeful", "deep", "figure3"):
        test = replace(run.test(variant), repeats=1)
        words = f"PIDM {variant}, seed {seed}"
        yield Task(f"search-{seed}-{variant}", words, _tested(run, False, test))


def _sample_sizes(bench: ExperimentFolder, seed: int) -> Iterator[Task]:
    """Figure 14: IMPs and instances by sample size, before learning and after."""
    run = bench.restricted(seed)
    for size in SAMPLE_SIZES:
        for learned in (False, True):
            when = "after" if learned else "before"
            test = replace(run.test("plain"), worlds=size)
            words = f"sample size {size} {when} learning, seed {seed}"
            yield Task(f"sample-{seed}-{size}-{when}", words, _tested(run, learned, test))


def _times(bench: ExperimentFolder, seed: int) -> Iterator[Task]:
    """Figure 15: what learning brings at each time limit."""
    run = bench.restricted(seed)
    for seconds in SECONDS:
        for learned in (False, True):
            when = "after" if learned else "before"
            test = replace(run.test("deep"), seconds=seconds, repeats=1)
            words = f"{seconds:g} s a call {when} learning, seed {seed}"
            yield Task(f"time-{seed}-{seconds:g}-{when}", words, _tested(run, learned, test))


def _utilities(bench: ExperimentFolder, seed: int) -> Iterator[Task]:
    """Figure 16: partners with the same and with different utility functions. In the test each
    simulates the other's search with its own function, which is wrong if the other's differs."""
    for name, run in bench.utilities(seed).items():
        if name == "different":
            yield Task(f"total-{seed}", f"different utilities, seed {seed}", _run(run))
        test = replace(run.test("deep"), told=False, repeats=1)
        for refined in bench.points:
            words = f"{name} utilities after {refined} nets, seed {seed}"
            yield Task(f"utility-{seed}-{name}-{refined}", words, _snapshot(run, refined, test))


def _published(bench: ExperimentFolder) -> Iterator[Task]:
    """The problem sets of bidding_challenges.jsonl, before and after learning."""
    from overtrick.arena import challenge

    assert bench.data is not None
    path = bench.data / "bidding_challenges.jsonl"
    run = bench.learning(bench.scale.seeds[0])
    nets = bench.out / f"seed{bench.scale.seeds[0]}" / "learned.bid"
    s = run.settings
    base = f"system='{rules_of(s.system)}', theirs=pass, utility=ltc, widen=0, near={s.near}"
    base += f", slack={s.slack}, seconds=0.5, worlds=3, margin=0, least=0"
    for when, more in (("before", ""), ("after", f", nets='{nets}'")):
        engine = f"pidm({base}{more})"

        def make(workers: Workforce, engine: str = engine) -> Cell:
            found = list(challenge.solve(engine, challenge.load(path), workers.backend))
            return {name: list(pair) for name, pair in challenge.totals(found).items()}

        yield Task(f"published-{when}", f"published problems {when} learning", make)


__all__ = ["SCALES", "STAGES", "VARIANTS", "ExperimentFolder", "ExperimentScale", "Task", "tasks"]
