"""Co-training with tests in between: the learning curves of Figures 9 to 12, one seed.
The folder holds all state, a stopped run goes on."""

from __future__ import annotations

import json
import logging
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from overtrick_lab.papers.amit2006.cotrain import AGENTS, Cotraining, CotrainSettings
from overtrick_lab.papers.amit2006.problems import challenges
from overtrick_lab.papers.amit2006.testing import ExamSettings, problem_set, quick_score, run_test
from overtrick_lab.papers.cells import CellStore
from overtrick_lab.papers.workforce import Workforce

LOGGER = logging.getLogger(__name__)
_QUICK_SET: Final = 2_000_003
_LARGE_SET: Final = 3_000_017
VARIANTS: Final = {
    "plain": ExamSettings(depth=0, own="model"),
    "large": ExamSettings(depth=0, own="model"),
    "hopeful": ExamSettings(depth=0, own="world"),
    "deep": ExamSettings(depth=1, own="world"),
    "figure3": ExamSettings(worlds=10, resource=50_000.0),
}
"""How the partners think in a test: everybody simulated by first choices; my own next turn at its
best in every world; partner simulated by a search of their own besides; and Figure 3 as printed:
players who simulate players without end, until the resources of each are used up."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """What is measured on the way."""

    at: tuple[int, ...] = (0, 16, 48, 96, 192, 384, 768, 1536)
    """Numbers of refined nets at which the pair is tested."""
    variants: tuple[str, ...] = ("plain",)
    ends: tuple[str, ...] = ("large", "hopeful", "deep", "figure3")
    """Measured before learning and at the end only."""
    large: int = 1000
    """Problems of the variant `large`: plain, for a smaller error, the same for all seeds."""
    problems: int = 100
    repeats: int = 1
    quick: int = 2000
    """Problems for the nets alone, without search."""
    reserve: float = 0.9
    """Minutes kept for the last test."""
    pack: Path | None = None
    """A tar of the folder, renewed twice a minute."""


def _number(path: Path) -> int:
    return int(path.name.split("-")[1])


class LearningRun:
    """The folder of one seed: the co-training, its snapshots and its measurements."""

    def __init__(self, settings: CotrainSettings, plan: Measuring, folder: Path) -> None:
        self.settings, self.plan, self.folder = settings, plan, folder
        self.began = self.packed = perf_counter()
        self.store = CellStore(folder / "cells")
        self.run = Cotraining(settings, folder)

    @property
    def minutes_left(self) -> float:
        return (self.settings.minutes or 1e9) - (perf_counter() - self.began) / 60

    def test(self, variant: str) -> ExamSettings:
        """The held-out problems of this seed; each seed has its own."""
        plan = self.plan
        if variant == "large":
            return replace(
                VARIANTS[variant], problems=plan.large, seed=_LARGE_SET, only=self.settings.only
            )
        if variant in plan.ends:
            plan = replace(plan, repeats=1)
        return replace(
            VARIANTS[variant], problems=plan.problems, repeats=plan.repeats,
            first=plan.problems * self.settings.seed, only=self.settings.only,
        )  # fmt: skip

    def texts(self) -> tuple[str, str]:
        """Both agents' nets; before learning there are none."""
        north, south = (self.run.nets[a].text() if len(self.run.nets[a]) else "" for a in AGENTS)
        return north, south

    def texts_at(self, refined: int) -> tuple[str, str]:
        """Both agents' nets as they were when the pair was tested after so many nets."""
        found = min(self.folder.glob("*-north.bid"), key=lambda p: abs(_number(p) - refined))
        return found.read_text(encoding="utf-8"), found.with_name(
            found.name.replace("north", "south")
        ).read_text(encoding="utf-8")

    def measure(self, workers: Workforce, name: str) -> dict[str, Any]:
        """Test the pair as it is now, once; keep its nets beside the result."""
        cell = self.store.get(name)
        if cell is not None:
            return cell
        cell = {"refined": self.run.progress.refined, "train_seconds": self.run.progress.seconds}
        cell["quick"] = quick_score(self.settings, self.texts(), self._quick_set())
        self.folder.mkdir(parents=True, exist_ok=True)
        for agent in AGENTS:
            path = self.folder / f"{name}-{agent}.bid"
            path.write_text(self.run.nets[agent].text(), encoding="utf-8")
        last = self.run.finished or name.startswith("last")
        ends = self.plan.ends if last or not self.run.progress.refined else ()
        for variant in (*self.plan.variants, *ends):
            began = perf_counter()
            cell[variant] = run_test(self.settings, self.texts(), self.test(variant), workers)
            cell[variant]["seconds"] = perf_counter() - began
            shown = {k: v for k, v in cell[variant].items() if k != "by_problem"}
            LOGGER.info("%s %s %s", name, variant, shown)
        LOGGER.info("%s first choices %s", name, cell["quick"])
        self.store.put(name, cell)
        self.pack()
        return cell

    def _quick_set(self) -> Any:
        if self.settings.only:
            test = ExamSettings(problems=self.plan.quick, seed=_QUICK_SET, only=self.settings.only)
            return problem_set(self.settings, test)
        return challenges(self.plan.quick, _QUICK_SET)

    def pack(self) -> None:
        """The whole folder as one file, whole or not at all."""
        self.packed = perf_counter()
        if self.plan.pack is None:
            return
        draft = self.plan.pack.with_suffix(".part")
        with tarfile.open(draft, "w:gz") as tar:
            tar.add(self.folder, arcname=self.folder.name)
        draft.replace(self.plan.pack)

    def go(self, workers: Workforce, say: Callable[[str], None] = LOGGER.info) -> None:
        """Learn and test until the sweeps or the minutes are over."""
        while True:
            due = [n for n in self.plan.at if n <= self.run.progress.refined]
            if due:
                self.measure(workers, f"test-{due[-1]:04d}")
            if self.run.finished or self.minutes_left < self.plan.reserve:
                break
            entry = self.run.round(workers)
            say(json.dumps(entry))
            if perf_counter() - self.packed > 30:
                self.pack()
        if all(cell["refined"] != self.run.progress.refined for cell in self.curve()):
            self.measure(workers, f"last-{self.run.progress.refined:04d}")
        self.pack()

    def curve(self) -> list[dict[str, Any]]:
        """The measurements so far, by nets refined."""
        names = sorted(p.stem for p in self.store.folder.glob("*.json"))
        cells = [c for n in names if (c := self.store.get(n)) is not None]
        return sorted(cells, key=lambda c: int(c["refined"]))
