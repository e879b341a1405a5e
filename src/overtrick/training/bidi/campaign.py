"""One visit to a machine with many cores: co-training with tests in between, within fixed minutes.
Run as `python -m overtrick.training.bidi.campaign --out DIR --minutes 8 --workers 8`; resumable."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from overtrick.arena.run import Backend
from overtrick.training.bidi.cotrain import CotrainSettings
from overtrick.training.bidi.learning import LearningRun, Plan
from overtrick.training.bidi.workforce import Workforce


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pack", type=Path, help="also keep a tar of the folder here")
    parser.add_argument("--workers", default="1")
    parser.add_argument("--tests", default="0,16,48,96,192,384,768,1536")
    parser.add_argument("--variants", default="plain")
    parser.add_argument("--ends", default="large,hopeful,deep")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--large", type=int, default=1000)
    parser.add_argument("--quick", type=int, default=2000)
    parser.add_argument("--reserve", type=float, default=0.9)
    for one in fields(CotrainSettings):
        kind = type(one.default)
        if kind is bool:
            parser.add_argument(f"--no-{one.name}", dest=one.name, action="store_false")
        else:
            parser.add_argument(f"--{one.name.replace('_', '-')}", type=kind, default=one.default)
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options = arguments(words)
    names = {f.name for f in fields(CotrainSettings)}
    settings = CotrainSettings(**{k: v for k, v in vars(options).items() if k in names})
    plan = Plan(
        tuple(int(n) for n in options.tests.split(",") if n),
        tuple(options.variants.split(",")), tuple(v for v in options.ends.split(",") if v),
        options.large, options.problems, options.repeats, options.quick,
        options.reserve, options.pack,
    )  # fmt: skip
    with Workforce(Backend.parse(options.workers)) as workers:
        LearningRun(settings, plan, options.out).go(workers)


if __name__ == "__main__":
    main()
