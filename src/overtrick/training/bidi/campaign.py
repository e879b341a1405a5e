"""One visit to a machine with many cores: co-training with tests in between, within fixed minutes.
Run as `python -m overtrick.training.bidi.campaign --out DIR --minutes 8 --workers 8`; resumable."""

from __future__ import annotations

import argparse
import json
import logging
import tarfile
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from time import perf_counter
from typing import Any

from overtrick.arena.run import Backend
from overtrick.training.bandit.store import Store
from overtrick.training.bidi.cotrain import AGENTS, Cotraining, CotrainSettings
from overtrick.training.bidi.problems import challenges
from overtrick.training.bidi.testing import TestSettings, quick_score, run_test
from overtrick.training.bidi.workforce import Workforce

LOGGER = logging.getLogger(__name__)
_QUICK_SET = 2_000_003
_START: tuple[str, str] = ("", "")


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pack", type=Path, help="also keep a tar of the folder here")
    parser.add_argument("--workers", default="1")
    parser.add_argument(
        "--tests", default="0,16,32,64,96,192,384,768", help="nets at which to test"
    )
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--reserve", type=float, default=0.8, help="minutes kept for the last test")
    for one in fields(CotrainSettings):
        kind = type(one.default)
        if kind is bool:
            parser.add_argument(f"--no-{one.name}", dest=one.name, action="store_false")
        else:
            parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, default=one.default)
    return parser.parse_args(words)


def texts(run: Cotraining) -> tuple[str, str]:
    """Both agents' nets; before learning there are none."""
    north, south = (run.nets[a].text() if len(run.nets[a]) else "" for a in AGENTS)
    return north, south


class Campaign:
    """The folder of one seed: the run, its snapshots and its measurements."""

    def __init__(self, options: argparse.Namespace) -> None:
        names = {f.name for f in fields(CotrainSettings)}
        self.settings = CotrainSettings(**{k: v for k, v in vars(options).items() if k in names})
        self.options, self.began = options, perf_counter()
        self.store = Store(options.out / "cells")
        self.run = Cotraining(self.settings, options.out)
        self.test = TestSettings(
            problems=options.problems, repeats=options.repeats,
            first=options.problems * self.settings.seed,
        )  # fmt: skip
        self.at = sorted(int(x) for x in options.tests.split(",") if x)
        self.packed = perf_counter()

    @property
    def minutes_left(self) -> float:
        limit = self.settings.minutes or 1e9
        return limit - (perf_counter() - self.began) / 60

    def measure(self, workers: Workforce, name: str) -> dict[str, Any]:
        """Test the pair as it is now, once; keep its nets beside the result."""
        cell = self.store.get(name)
        if cell is None:
            began = perf_counter()
            cell = run_test(self.settings, texts(self.run), self.test, workers)
            cell |= {"refined": self.run.progress.refined, "seconds": perf_counter() - began}
            quick = challenges(1000, _QUICK_SET)
            cell["quick"] = quick_score(self.settings, texts(self.run), quick)
            self.store.put(name, cell)
            for agent in AGENTS:
                path = self.options.out / f"{name}-{agent}.bid"
                path.write_text(self.run.nets[agent].text(), encoding="utf-8")
            LOGGER.info("%s", {k: v for k, v in cell.items() if k != "by_problem"})
            self.pack()
        return cell

    def pack(self) -> None:
        """The whole folder as one file, whole or not at all."""
        self.packed = perf_counter()
        if self.options.pack is None:
            return
        draft = self.options.pack.with_suffix(".part")
        with tarfile.open(draft, "w:gz") as tar:
            tar.add(self.options.out, arcname=self.options.out.name)
        draft.replace(self.options.pack)

    def go(self) -> None:
        with Workforce(Backend.parse(self.options.workers)) as workers:
            while True:
                refined = self.run.progress.refined
                due = [n for n in self.at if n <= refined]
                if due and self.store.get(f"test-{due[-1]:04d}") is None:
                    self.measure(workers, f"test-{due[-1]:04d}")
                if self.run.finished or self.minutes_left < self.options.reserve:
                    break
                entry = self.run.round(workers)
                LOGGER.info("%s", json.dumps(entry))
                if perf_counter() - self.packed > 30:
                    self.pack()
            self.measure(workers, f"last-{self.run.progress.refined:04d}")
        self.pack()


def main(words: Sequence[str] | None = None) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    Campaign(arguments(words)).go()


if __name__ == "__main__":
    main()
