"""Recipe: self-play with one part left out, all variants equally long; the paper's Table IV.
The results of variants are paired deal by deal."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from overtrick.notation.whole import write_whole
from overtrick_lab.training import data, match, network, report, selfplay
from overtrick_lab.training.settings import SelfplaySettings
from overtrick_lab.training.trials_settings import AblationSettings

LOGGER = logging.getLogger(__name__)

_PAPER: Final[dict[str, Any]] = {
    "algorithm": "a2c", "critic": "hands", "guests": 0, "entropy": 0.01, "anchor": 0.0,
    "guard": 0.0,
}  # fmt: skip
_TABLE_I: Final[dict[str, Any]] = {
    **_PAPER, "optimizer": "adan", "learning_rate": 1.3e-5, "critic_rate": 1.3e-4,
    "final_rate": 1.0, "final_entropy": 1.0, "reference": "self", "minibatch": 2048,
    "tables": 2048, "calls": 10, "replay": 4, "epochs": 1, "critic_only": 0, "pool": 16_384,
    "refresh": 8, "slip": 99.0,
}  # fmt: skip
"""Qiu et al. 2024, Table I: Adan, batches of 2,048, a buffer of 80 K calls that is a quarter full
before the first update, actors synchronised every ten updates, rates and entropy that stay, and
the paper's reward: both tables of a deal are the learner's own. Hidden layers are as wide as SL's
(the paper's are 2,048 with GELU: `train supervised --width 2048 --activation gelu`). What still
differs: 2,048 tables stand for 1,800 environments, all vulnerabilities are played, the other table
of a deal was bid up to eight iterations earlier, and the length: the paper's 2.5 million updates
are 250,000 iterations."""
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "full": {},
    "no-past-selves": {"guests": 1},
    "no-hidden": {"critic": "own"},
    "hands-only": {"critic": "hands"},
    "a2c": _PAPER,
    "a2c-no-priority": {**_PAPER, "priority_exponent": 0.0},
    "a2c-no-hidden": {**_PAPER, "critic": "own"},
    "table-i": _TABLE_I,
    "table-i-no-priority": {**_TABLE_I, "priority_exponent": 0.0},
    "table-i-no-hidden": {**_TABLE_I, "critic": "own"},
}
"""What each variant changes in the recipe: a2c is the paper's learner with our reward and pace,
table-i with its own."""


def recipe(settings: AblationSettings) -> SelfplaySettings:
    """The self-play settings of the variant."""
    if settings.variant not in VARIANTS:
        raise data.DataError(f"no variant {settings.variant}; there are {', '.join(VARIANTS)}")
    made = SelfplaySettings(
        supervised=settings.supervised,
        deals=settings.deals,
        more_deals=settings.more_deals,
        out=settings.out / settings.variant,
        minutes=settings.minutes,
        iterations=settings.iterations,
        every=settings.every,
        average=0.98,
        evaluate_seconds=40.0,
        seed=settings.seed,
        **VARIANTS[settings.variant],
    )
    if settings.variant.startswith("table-i"):
        made = replace(made, width=_width(settings.supervised))
    return smaller(made) if settings.tiny else made


def _width(policy: Path) -> int:
    """Units in each hidden layer of a policy; the critic has as many."""
    return network.form(network.load(policy, "policy")[0])[0] if policy.exists() else 2048


def smaller(settings: SelfplaySettings) -> SelfplaySettings:
    """The same recipe for a rehearsal."""
    return replace(
        settings, tables=64, calls=16, minibatch=256, guest_tables=16, league=2, pool=128, width=32,
        held_out=60, evaluate_deals=60, evaluate_seconds=30, critic_only=1, learning_rate=5e-4,
    )  # fmt: skip


def run(settings: AblationSettings) -> dict[str, Any]:
    """Train, play the held-out boards against SL, write what came out."""
    began = time.monotonic()
    made = recipe(settings)
    training = selfplay.SelfplayRun(made, selfplay.prepare(made), began)
    training.go_on()
    for progress, point in selfplay.training(training):
        LOGGER.info("%s %3.0f %%: %s", settings.variant, 100 * progress, json.dumps(point))
        if settings.every and point["iteration"] % settings.every == 0:
            _measure(settings, training, f"{settings.variant}-{point['iteration']}")
    found = _measure(settings, training, settings.variant)
    LOGGER.info("ablation %s: %s", settings.variant, found["over_sl"])
    return {name: found[name] for name in ("variant", "over_sl", "iterations", "seconds")}


def _measure(
    settings: AblationSettings, training: selfplay.SelfplayRun, name: str
) -> dict[str, Any]:
    """The averaged policy as it is now, on the held-out boards against SL; kept under this name."""
    start, made = training.start, training.settings
    policy = training.learner.average, start.card
    deals = len(start.test)
    boards = [
        match.boards(start.test, made.evaluate_deals, 100 + s) for s in range(settings.rounds)
    ]
    won = report.won(policy, (start.supervised, start.card), boards)
    found: dict[str, Any] = {
        "variant": settings.variant,
        "seed": settings.seed,
        "over_sl": report.shown(match.summary(won, deals)),
        "iterations": training.curve[-1]["iteration"],
        "seconds": round(time.monotonic() - training.began, 1),
        "openings": asdict(match.opening_report(policy, boards[0])),
        "changes": VARIANTS[settings.variant],
        "curve": training.curve,
    }
    per_deal = won.reshape(-1, deals).mean(axis=0).astype(np.float16)
    data.save_atomically(settings.out / f"{name}.npz", imps=per_deal)
    write_whole(settings.out / f"{name}.json", json.dumps(found, indent=1))
    return found
