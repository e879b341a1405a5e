"""Any of the recipes in turn within a fixed time, while idle cores solve deals.

Every stage is a recipe of this package; the campaign only shares out the time and writes one
report.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from overtrick.notation.whole import write_whole
from overtrick.training import dd_labels
from overtrick.training.data import DataError
from overtrick.training.settings import (
    BeliefSettings,
    CampaignSettings,
    LabelSettings,
    SelfplaySettings,
    SupervisedSettings,
    TricksSettings,
    plain,
)

LOGGER = logging.getLogger(__name__)


def start_labels(settings: CampaignSettings) -> BaseProcess | None:
    """Solvers in a process of their own, so that they share nothing with the accelerator's."""
    library = settings.data / "libdds.so"
    if not settings.label_workers or not library.exists():
        return None
    wanted = LabelSettings(
        out=settings.out / "solved.npz",
        library=library.resolve(),
        minutes=settings.minutes - settings.reserve / 60,
        workers=settings.label_workers,
        seed=settings.label_seed,
    )
    started = get_context("spawn").Process(target=dd_labels.run, args=(wanted,))
    started.start()
    return started


def supervised_file(settings: CampaignSettings) -> Path:
    """SL's network: of the campaign that is resumed, or this one's own."""
    old = settings.resume / "sl.npz" if settings.resume is not None else None
    return old if old is not None and old.exists() else settings.out / "sl.npz"


def supervised_settings(settings: CampaignSettings) -> SupervisedSettings:
    """The supervised stage's share."""
    mixed = settings.data / "auctions_mixed.npz"
    made = SupervisedSettings(
        auctions=settings.data / "auctions_sayc.npz",
        more_auctions=mixed if mixed.exists() else None,
        out=settings.out / "sl.npz",
        steps=settings.steps,
        seed=settings.seed,
    )
    return replace(made, width=64, batch=256, held_out=500) if settings.tiny else made


def selfplay_settings(settings: CampaignSettings, seconds: float) -> SelfplaySettings:
    """The self-play stage's share."""
    more = settings.data / "solved"
    made = SelfplaySettings(
        supervised=supervised_file(settings),
        deals=settings.data / "double_dummy.npz",
        more_deals=more if more.is_dir() else None,
        out=settings.out,
        resume=settings.resume,
        minutes=seconds / 60,
        learning_rate=settings.learning_rate,
        final_rate=settings.final_rate,
        anchor=settings.anchor,
        guard_lead=settings.guard_lead,
        critic=settings.critic,
        seed=settings.seed,
    )
    if not settings.tiny:
        return made
    return replace(
        made, tables=128, calls=16, minibatch=512, guest_tables=16, league=4, pool=512, width=64,
        held_out=500, evaluate_deals=500, evaluate_seconds=5, snapshot_seconds=3, save_seconds=10,
        learning_rate=5e-4,
    )  # fmt: skip


def belief_settings(settings: CampaignSettings, seconds: float) -> BeliefSettings:
    """The belief stage's share: from this campaign's policy, or from the one resumed."""
    policy = settings.out / "policy.npz"
    if not policy.exists() and settings.resume is not None:
        policy = settings.resume / "policy.npz"
    guest = supervised_file(settings)
    made = BeliefSettings(
        policy=policy,
        guest=guest if guest.exists() else None,
        out=settings.out / "belief.npz",
        minutes=min(settings.belief_minutes, seconds / 60),
        seed=settings.seed,
    )
    if not settings.tiny:
        return made
    return replace(made, tables=64, calls=8, width=64, evaluate=200, average=0.9)


def tricks_settings(settings: CampaignSettings, seconds: float) -> TricksSettings:
    """The tricks stage's share."""
    more = settings.data / "solved"
    made = TricksSettings(
        deals=settings.data / "double_dummy.npz",
        more_deals=more if more.is_dir() else None,
        out=settings.out / "tricks.npz",
        minutes=min(settings.tricks_minutes, seconds / 60),
        rest=settings.tricks_rest,
        seed=settings.seed,
    )
    if not settings.tiny:
        return made
    return replace(
        made, teachers=2, teacher_suits=64, teacher_strains=96, suits=48, strains=64, batch=256,
        chunk=5, held_out=1000, validation=500, average=0.98,
    )  # fmt: skip


class Campaign:
    """The stages and what they found."""

    def __init__(self, settings: CampaignSettings) -> None:
        self.settings = settings
        self.deadline = time.monotonic() + 60 * settings.minutes
        self.report: dict[str, Any] = {"settings": plain(settings)}

    def left(self) -> float:
        """Seconds until the campaign must be over."""
        return self.deadline - time.monotonic()

    def supervised(self) -> None:
        """Train SL, unless the campaign that is resumed has it."""
        from overtrick.training import data, network, supervised

        if supervised_file(self.settings) != self.settings.out / "sl.npz":
            return
        results: dict[str, float] = supervised.run(supervised_settings(self.settings))
        params, card = network.load(self.settings.out / "sl.npz", "policy")
        real = self.settings.data / "wbridge5_auctions.txt"
        if real.exists():
            seen = supervised.positions(data.read_auctions(real))
            results["wbridge5"], _ = supervised.accuracy(params, seen, card)
        self.report["supervised"] = results

    def selfplay(self) -> None:
        """Self-play for all the time but what later stages need."""
        from overtrick.training import selfplay

        later = self.settings.stages.split("selfplay")[-1]
        seconds = self.left() - self.settings.reserve
        seconds -= 60 * self.settings.belief_minutes * ("belief" in later)
        seconds -= 60 * self.settings.tricks_minutes * ("tricks" in later)
        selfplay.run(selfplay_settings(self.settings, seconds))

    def belief(self) -> None:
        """Where the cards are, learned from the policy's auctions."""
        from overtrick.training import belief

        seconds = self.left() - self.settings.reserve
        self.report["belief"] = belief.run(belief_settings(self.settings, seconds))

    def tricks(self) -> None:
        """How many tricks there are, learned from solved deals."""
        from overtrick.training import tricks

        found = tricks.run(tricks_settings(self.settings, self.left() - 15))
        self.report["tricks"] = found

    def report_stage(self) -> None:
        """The final policy against SL in every system, told and not told, and its openings."""
        from overtrick.training.report import full_report

        sizes = selfplay_settings(self.settings, 60.0)
        if not (sizes.out / "policy.npz").exists() and self.settings.resume is not None:
            sizes = replace(sizes, out=self.settings.resume)
        rounds = self.settings.report_rounds
        self.report.update(full_report(sizes, rounds, until=self.deadline - 5))

    def stages(self) -> Mapping[str, Callable[[], None]]:
        return {
            "supervised": self.supervised,
            "selfplay": self.selfplay,
            "belief": self.belief,
            "tricks": self.tricks,
            "report": self.report_stage,
        }

    def run(self) -> None:
        """All stages in order; the report is written after each."""
        stages, names = self.stages(), self.settings.stages.split(",")
        unknown = [name for name in names if name not in stages]
        if unknown:
            raise DataError(f"no stage {unknown[0]!r}; there are {', '.join(stages)}")
        labels = start_labels(self.settings)
        try:
            for name in names:
                LOGGER.info("== %s, %.0f s left", name, self.left())
                stages[name]()
                write_whole(self.settings.out / "report.json", self.text())
            LOGGER.info("== over, %.0f s left\n%s", self.left(), self.text())
            if labels is not None:
                labels.join(timeout=60)
        finally:  # the solvers do not outlive a campaign that failed
            if labels is not None and labels.is_alive():
                labels.terminate()
                labels.join()

    def text(self) -> str:
        """The report as JSON."""
        return json.dumps(self.report, indent=1)


def run(settings: CampaignSettings) -> dict[str, Any]:
    """Everything that was asked for; the report as it was written."""
    campaign = Campaign(settings)
    campaign.run()
    return campaign.report
