"""Recipe: self-play with one part left out, all variants equally long; the paper's Table IV.
The results of variants are paired deal by deal."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict, replace
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
    "final_rate": 1.0, "minibatch": 2048, "tables": 2048, "calls": 10, "replay": 4, "epochs": 1,
    "critic_only": 0, "width": 2048, "pool": 16_384,
}  # fmt: skip
"""Qiu et al. 2024, Table I: Adan, batches of 2,048, a buffer of 80 K calls that is a quarter full
before the first update, actors synchronised every ten updates. SL has to be 4 × 2048 with GELU
(`train supervised --width 2048 --activation gelu`). What still differs: the entropy weight falls to
nothing, the reward is measured against SL's table, 2,048 tables stand for 1,800 environments, and
the length: the paper's 2.5 million updates are 250,000 iterations."""
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "full": {},
    "no-past-selves": {"guests": 1},
    "no-hidden": {"critic": "own"},
    "hands-only": {"critic": "hands"},
    "a2c": _PAPER,
    "a2c-no-priority": {**_PAPER, "priority_exponent": 0.0},
    "a2c-no-hidden": {**_PAPER, "critic": "own"},
    "table-i": _TABLE_I,
}
"""What each variant changes in the recipe: a2c is the paper's learner in our sizes, table-i in its
own."""


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
        average=0.98,
        evaluate_seconds=40.0,
        seed=settings.seed,
        **VARIANTS[settings.variant],
    )
    return smaller(made) if settings.tiny else made


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
    curve = selfplay.run(made)
    solved = data.read_solved(settings.deals)
    test = solved[len(solved) - made.held_out :]
    policy = network.load(made.out / "policy.npz", "policy")
    sl = network.load(settings.supervised, "policy")
    boards = [match.boards(test, made.evaluate_deals, 100 + s) for s in range(settings.rounds)]
    won = report.won(policy, sl, boards)
    found: dict[str, Any] = {
        "variant": settings.variant,
        "seed": settings.seed,
        "over_sl": report.shown(match.summary(won, len(test))),
        "iterations": curve[-1]["iteration"],
        "seconds": round(time.monotonic() - began, 1),
        "openings": asdict(match.opening_report(policy, boards[0])),
        "changes": VARIANTS[settings.variant],
        "curve": curve,
    }
    per_deal = won.reshape(-1, len(test)).mean(axis=0).astype(np.float16)
    data.save_atomically(settings.out / f"{settings.variant}.npz", imps=per_deal)
    write_whole(settings.out / f"{settings.variant}.json", json.dumps(found, indent=1))
    LOGGER.info("ablation %s: %s", settings.variant, found["over_sl"])
    return {name: found[name] for name in ("variant", "over_sl", "iterations", "seconds")}
