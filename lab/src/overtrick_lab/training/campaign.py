"""From the rules of a card to a network that plays it, in one command and one folder.

    lessons    random deals bid by the card and the systems it meets
    caller     a network that makes the prescribed call
    allowed    a network that knows all calls the rules leave to judgement
    labels     deals solved double dummy, and …
    tricks     … a network of their tricks: only where a clone has not brought them along
    selfplay   the caller improves inside its system, on random deals
    better     … and by what its other calls would have brought
    belief     where the cards are, from its auctions
    export, gate, curve, report

Each stage is a recipe of this package; here they get their share of the time. `run.json` says which
are done: the same command after a kill goes on with the first that is not, and that one with its
own state. Where numbers fix the work and not the time, nobody can tell afterwards.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import jax

from overtrick.arena.labels import label
from overtrick.arena.run import Backend
from overtrick.engines import Spec
from overtrick.nets.features import SYSTEMS, system_number
from overtrick.nets.inference import network as shipped_network
from overtrick.notation.whole import write_whole
from overtrick.processes import run_program
from overtrick.systems import agreed
from overtrick_lab.training import (
    belief,
    curve,
    export,
    gate,
    lessons,
    post_mortem,
    selfplay,
    supervised,
    tricks,
)
from overtrick_lab.training.data import DataError, read_solved
from overtrick_lab.training.predicting_settings import BeliefSettings, TricksSettings
from overtrick_lab.training.settings import (
    AllSettings,
    LessonSettings,
    PostMortemSettings,
    SelfplaySettings,
    SupervisedSettings,
    plain,
)
from overtrick_lab.training.trials_settings import CurveSettings, ExportSettings, GateSettings

LOGGER = logging.getLogger(__name__)
Found = dict[str, Any]

SHARES: Final = {
    "lessons": 0.2, "caller": 0.13, "allowed": 0.13, "labels": 0.08, "tricks": 0.08,
    "selfplay": 0.27, "better": 0.13, "belief": 0.08,
}  # fmt: skip
"""Of the time; what labels and tricks need is taken from self-play, the rest is for the end."""
REPORTS: Final[dict[str, list[str]]] = {
    "none": [], "quick": ["--quick"], "usual": ["--deals", "400"], "full": ["--full"],
}  # fmt: skip
_CHOICE: Final = 0.1  # of the probability goes to all calls that the card allows
_HELD_OUT: Final = 0.05  # of the lessons are kept apart
_TRIAL: Final = 24  # deals that are bid or solved to see how fast that goes
_FREELY: Final = frozenset({"workers", "ray", "save_seconds", "report"})
"""Settings that may change from one call of the command to the next."""
_NO_END: Final = 1e6  # minutes, where numbers fix the work


@dataclass(frozen=True, slots=True)
class MachineSizes:
    """What fits a machine: widths, batches, tables, the solved deals that are kept apart to be
    measured on; and numbers where the time does not decide."""

    width: int
    batch: int
    selfplay: Mapping[str, Any] = field(default_factory=dict)
    better: Mapping[str, Any] = field(default_factory=dict)
    belief: Mapping[str, Any] = field(default_factory=dict)
    tricks: Mapping[str, Any] = field(default_factory=dict)
    apart: int = 10_000
    lessons: int = 0
    steps: int = 0
    iterations: int = 0
    labels: int = 0
    lesson_rate: float = 1e-3
    learning_rate: float = 8e-5


FULL: Final = MachineSizes(width=1024, batch=8192)
SMALL: Final = MachineSizes(
    width=256,
    batch=512,
    selfplay={
        "tables": 256, "calls": 16, "minibatch": 1024, "guest_tables": 32, "league": 8,
        "pool": 1024, "refresh": 8, "critic_only": 5, "pause": 1, "evaluate_deals": 1000,
        "evaluate_seconds": 60.0, "snapshot_seconds": 30.0,
    },
    better={"tables": 1024, "positions": 256, "minibatch": 256, "draws": 4, "boards": 1000},
    belief={"tables": 256, "calls": 16, "evaluate": 1000},
    tricks={"teachers": 0, "suits": 64, "strains": 128, "batch": 512, "chunk": 10},
    apart=1000,
    learning_rate=3e-4,
)  # fmt: skip
"""Two cores."""
TINY: Final = MachineSizes(
    width=32,
    batch=128,
    selfplay={
        "tables": 64, "calls": 16, "minibatch": 256, "guests": 2, "guest_tables": 8, "league": 4,
        "pool": 128, "evaluate_deals": 64, "critic_only": 1, "every": 4, "average": 0.8,
    },
    better={
        "tables": 64, "positions": 32, "minibatch": 32, "calls": 2, "draws": 2, "refresh": 8,
        "average": 0.9, "boards": 64,
    },
    belief={"tables": 32, "calls": 4, "evaluate": 50, "average": 0.9},
    tricks={"teachers": 0, "suits": 8, "strains": 16, "batch": 64, "chunk": 2, "average": 0.9},
    apart=64,
    lessons=600,
    steps=400,
    iterations=16,
    labels=24,
    lesson_rate=4e-3,
    learning_rate=5e-4,
)  # fmt: skip


def shipped(name: str) -> Path | None:
    """A file that a clone of the repository has, wherever the program is called."""
    for root in (Path(), Path(__file__).parents[4]):
        if (root / name).exists():
            return root / name
    return None


class Ledger:
    """`run.json`: the wish, what was decided on the way, and what each stage found."""

    def __init__(self, settings: AllSettings) -> None:
        self._path = settings.out / "run.json"
        self.plan: dict[str, int] = {}
        self.done: dict[str, Found] = {}
        self._wish = plain(settings)
        if self._path.exists():
            self._take_over()

    def _take_over(self) -> None:
        try:
            told = json.loads(self._path.read_text(encoding="utf-8"))
            wish, self.plan, self.done = told["settings"], told["plan"], told["done"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{self._path} is not what a run leaves: {error}") from None
        for name, value in self._wish.items():
            if name not in _FREELY and wish.get(name) != value:
                flag = "--" + name.replace("_", "-")
                raise DataError(
                    f"{self._path.parent} holds a run with {flag} {wish.get(name)}, not {value}: "
                    "give another --out, or the same options"
                )

    def decide(self, name: str, number: int) -> int:
        """A number that is found out once; a run that goes on keeps to it."""
        if name not in self.plan:
            self.plan[name] = number
            self._write()
        return self.plan[name]

    def finish(self, stage: str, found: Found) -> None:
        """This stage is done."""
        self.done[stage] = found
        self._write()

    def _write(self) -> None:
        told = {"settings": self._wish, "plan": self.plan, "done": self.done}
        write_whole(self._path, json.dumps(told, indent=1) + "\n")


class Campaign:
    """The stages of a run, and where everything lies."""

    def __init__(self, settings: AllSettings) -> None:
        self.settings, self.out = settings, settings.out
        self.sizes = sizes_of(settings)
        self.name = settings.name or settings.out.resolve().name
        self.systems = systems_of(settings)
        if settings.report not in REPORTS:
            raise DataError(f"a report is {', '.join(REPORTS)}, not {settings.report}")
        shipped_network(settings.rival, "policy")  # fail now, not after all the work
        self.out.mkdir(parents=True, exist_ok=True)
        self.ledger = Ledger(settings)
        self.workers = settings.workers or os.cpu_count() or 1

    @property
    def flags(self) -> list[str]:
        """The systems by the names that networks know them by."""
        numbers = [system_number(card) for card in self.systems]
        return [SYSTEMS[number] for number in numbers if number is not None]

    @cached_property
    def deals(self) -> Path:
        """Solved deals: given, of a clone, or of the stage `labels`."""
        return self.settings.deals or shipped("data/solved_deals.npz") or self.out / "solved.npz"

    @cached_property
    def tricks_file(self) -> Path:
        """The tricks network: given, of a clone, or of the stage `tricks`."""
        return self.settings.tricks or shipped("checkpoints/tricks.npz") or self.out / "tricks.npz"

    def minutes(self, stage: str) -> float:
        """The stage's share of the time."""
        share = SHARES[stage]
        if stage == "selfplay":
            share -= sum(SHARES[name] for name in ("labels", "tricks") if name in self.stages)
        return share * self.settings.minutes

    @cached_property
    def stages(self) -> dict[str, Callable[[], Found]]:
        """What has to be done, in order."""
        every: dict[str, Callable[[], Found]] = {
            "lessons": self.lessons,
            "caller": lambda: self.taught("caller", "prescribed"),
            "allowed": lambda: self.taught("allowed", "allowed"),
            "labels": self.labels,
            "tricks": self.tricks,
            "selfplay": self.selfplay,
            "better": self.better,
            "belief": self.belief,
            "export": self.export,
            "gate": self.gate,
            "curve": self.curve,
            "report": self.report,
        }
        needless = {
            "labels": self.deals != self.out / "solved.npz",
            "tricks": self.tricks_file != self.out / "tricks.npz",
            "report": self.settings.report == "none",
        }
        return {name: stage for name, stage in every.items() if not needless.get(name)}

    def lessons(self) -> Found:
        """Bid by the rules, every card against every card."""
        pairs = [(one, other) for one in self.systems for other in self.systems]
        wish = LessonSettings(
            workers=self.workers, ray=self.settings.ray, out=self.out / "lessons.npz",
            seed=self.settings.seed, save_seconds=min(self.settings.save_seconds, 30.0),
        )  # fmt: skip
        if not self.sizes.lessons and "lessons" not in self.ledger.plan:
            alone = replace(wish, workers=1, ray="")
            lessons.in_pairs(pairs, replace(alone, count=len(pairs)))  # rules are read
            began = time.monotonic()
            lessons.in_pairs(pairs, replace(alone, count=_TRIAL))
            rate = self.workers * _TRIAL / (time.monotonic() - began)
            self.ledger.decide("lessons", max(400, int(60 * self.minutes("lessons") * rate)))
        count = self.sizes.lessons or self.ledger.plan["lessons"]
        return dict(lessons.teach(pairs, replace(wish, count=count)))

    def held_out(self) -> int:
        """The lessons that are kept apart."""
        return min(20_000, max(10, int(_HELD_OUT * self.ledger.done["lessons"]["auctions"])))

    def taught(self, name: str, target: str) -> Found:
        """A network that learns from the lessons: the prescribed call, or all that are allowed."""
        by_time = not self.sizes.steps
        wish = SupervisedSettings(
            auctions=self.out / "lessons.npz", target=target, out=self.out / f"{name}.npz",
            choice=_CHOICE if target == "prescribed" else 0.0, held_out=self.held_out(),
            width=self.sizes.width, batch=self.sizes.batch, steps=self.sizes.steps or 1,
            minutes=self.minutes(name) if by_time else 0.0, seed=self.settings.seed,
            learning_rate=self.sizes.lesson_rate, save_seconds=self.settings.save_seconds,
        )  # fmt: skip
        return {"test_accuracy": round(supervised.run(wish)["lessons"], 4)}

    def labels(self) -> Found:
        """Deals and their double-dummy tables."""
        place = self.out / "solved.npz"
        backend = Backend.of(self.workers, self.settings.ray)
        if not self.sizes.labels and "labels" not in self.ledger.plan:
            began = time.monotonic()
            trial = self.out / "trial.npz"
            label(trial, _TRIAL, seed=self.settings.seed + 1, backend=backend)
            trial.unlink()
            rate = _TRIAL / (time.monotonic() - began)
            self.ledger.decide("labels", max(200, int(60 * self.minutes("labels") * rate)))
        count = self.sizes.labels or self.ledger.plan["labels"]

        def tell(done: int, total: int) -> None:
            if done % 200 < 8 or done == total:
                LOGGER.info("labels: %d of %d deals solved", done, total)

        return {"deals": len(label(place, count, self.settings.seed, backend, tell))}

    def apart(self) -> int:
        """The solved deals that nothing is trained on: the last ones, a fifth at most."""
        return min(self.sizes.apart, max(2, len(read_solved(self.deals)) // 5))

    def tricks(self) -> Found:
        """How many tricks there are, where no network knows it yet."""
        apart = self.apart()
        wish = TricksSettings(
            deals=self.deals, out=self.out / "tricks.npz", held_out=apart,
            validation=max(2, apart // 4), steps=self.sizes.iterations, seed=self.settings.seed,
            minutes=_NO_END if self.sizes.iterations else self.minutes("tricks"),
            save_seconds=self.settings.save_seconds,
        )  # fmt: skip
        found = tricks.run(replace(wish, **self.sizes.tricks))
        return {"median_error": found["test"]["median_error"]}

    def selfplay(self) -> Found:
        """The caller improves inside its system; random deals never end."""
        fixed = self.sizes.iterations
        wish = SelfplaySettings(
            supervised=self.out / "caller.npz", within=self.out / "allowed.npz", deals=self.deals,
            tricks=self.tricks_file, systems=",".join(self.flags), measured_in=self.flags[0],
            out=self.out / "self", guard=0.0,
            held_out=self.apart(), anchor=0.004, entropy=0.008, width=self.sizes.width,
            learning_rate=self.sizes.learning_rate, iterations=fixed, seed=self.settings.seed,
            minutes=_NO_END if fixed else self.minutes("selfplay"),
            every=max(1, fixed // 10) if fixed else 0, save_seconds=self.settings.save_seconds,
        )  # fmt: skip
        last = selfplay.run(replace(wish, **self.sizes.selfplay))[-1]
        return {name: last[name] for name in ("iteration", "over_sl", "error", "light_rate")}

    def better(self) -> Found:
        """What other calls that the card allows would have brought, on the same cards."""
        fixed = self.sizes.iterations
        wish = PostMortemSettings(
            policy=self.out / "self" / "policy.npz", within=self.out / "allowed.npz",
            guest=self.out / "caller.npz", systems=",".join(self.flags),
            visiting=",".join(self.flags), out=self.out / "better.npz", tricks=self.tricks_file,
            deals=self.deals, held_out=self.apart(), guard=0.0, steps=fixed,
            learning_rate=2 * self.sizes.learning_rate, seed=self.settings.seed,
            minutes=_NO_END if fixed else self.minutes("better"),
            save_seconds=self.settings.save_seconds,
        )  # fmt: skip
        found = post_mortem.run(replace(wish, **self.sizes.better))
        return {name: found[name] for name in ("steps", "over_start", "error")}

    def belief(self) -> Found:
        """Where the cards are when the new policy bids."""
        fixed = self.sizes.iterations
        wish = BeliefSettings(
            policy=self.out / "better.npz", guest=self.out / "caller.npz",
            out=self.out / "belief.npz", width=self.sizes.width, steps=fixed,
            minutes=_NO_END if fixed else self.minutes("belief"), seed=self.settings.seed,
            save_seconds=self.settings.save_seconds,
        )  # fmt: skip
        found = belief.run(replace(wish, **self.sizes.belief))
        return {name: found[name] for name in ("loss", "uniform_loss")}

    def export(self) -> Found:
        """What engines load, with cards that say where it comes from."""
        notes = self.out / "lineage.json"
        write_whole(notes, json.dumps({"lineage": self.lineage()}, indent=1) + "\n")
        made: Found = {}
        sources = {self.name: self.out / "better.npz",
                   f"{self.name}-belief": self.out / "belief.npz"}  # fmt: skip
        for name, source in sources.items():
            wish = ExportSettings(
                network=source, out=self.out, name=name, auctions=self.out / "lessons.npz",
                notes=notes, positions=20_000,
            )  # fmt: skip
            card = export.smallest(wish)
            made[name] = {key: card[key] for key in ("precision", "bytes", "sha256")}
        return made

    def lineage(self) -> Found:
        """Everything the networks have learned from."""
        return {
            "outside_auctions": "none",
            "auctions": "random deals bid by our own written systems, self-play, and what other "
            "calls would have brought",
            "systems": self.systems,
            "lessons": self.ledger.done["lessons"]["auctions"],
            "rewards": f"double-dummy tricks as {self.tricks_file.name} expects them",
        }

    def gate(self) -> Found:
        """Against the network that ships; a policy that does not win is none the worse for it."""
        wish = GateSettings(
            new=str(self.policy), old=self.settings.rival, deals=self.deals, boards=self.apart(),
            system=self.systems[0],
        )  # fmt: skip
        found = gate.run(wish)
        return {name: found[name] for name in ("passed", "imps", "error", "natural", "deals")}

    @property
    def policy(self) -> Path:
        """The network that comes out of it all."""
        return self.out / f"{self.name}.onnx"

    def curve(self) -> Found:
        """The picture of self-play, where matplotlib can draw it."""
        wish = CurveSettings(curve=self.out / "self" / "curve.jsonl", out=self.out / "curve.png")
        try:
            return {"curve": curve.run(wish)["out"]}
        except DataError as error:
            LOGGER.info("no picture: %s", error)
            return {}

    def report(self) -> Found:
        """What `overtrick reproduce qiu2024 --net` says of it."""
        place = self.out / "report"
        words = [
            "reproduce", "qiu2024", "--net", str(self.policy), "--out", str(place), "--no-plots",
            "--workers", str(self.workers), *REPORTS[self.settings.report],
        ]  # fmt: skip
        LOGGER.info("overtrick %s", " ".join(words))
        ran = run_program(
            [sys.executable, "-m", "overtrick", *words], stdout=subprocess.PIPE, text=True
        )
        if ran.returncode:
            raise DataError(f"overtrick {' '.join(words)} ended with code {ran.returncode}")
        return {"report": str(place / "report.md"), "printed": ran.stdout}

    def run(self) -> Found:
        """Every stage that is not done yet."""
        for left in self.out.rglob(".*.part"):  # by a writer that was killed
            left.unlink()
        for number, (name, stage) in enumerate(self.stages.items(), start=1):
            if name in self.ledger.done:
                LOGGER.info("== %s: done before", name)
                continue
            LOGGER.info("== %s, stage %d of %d", name, number, len(self.stages))
            began = time.monotonic()
            found = stage()
            self.ledger.finish(name, found)
            LOGGER.info("== %s: %.0f s, %s", name, time.monotonic() - began, _brief(found))
        return self.summary()

    def summary(self) -> Found:
        """The outcome in a few lines."""
        done = self.ledger.done
        engine = Spec("partner", {"system": self.systems[0], "net": str(self.policy)})
        won = done["selfplay"]
        return {
            "network": str(self.policy),
            "engine": str(engine),
            "same_call": done["caller"]["test_accuracy"],
            "same_calls_allowed": done["allowed"]["test_accuracy"],
            "over_its_start": f"{won['over_sl']:+.2f} ± {won['error']:.2f} IMPs a deal",
            "belief_nats_a_card": done["belief"]["loss"],
            "gate": done["gate"],
            **done["curve"],
            **done.get("report", {}),
        }


def _brief(found: Found) -> str:
    return json.dumps({name: value for name, value in found.items() if name != "printed"})


def sizes_of(settings: AllSettings) -> MachineSizes:
    """What fits the machine, and the numbers that were asked for."""
    cpu = jax.default_backend() == "cpu"
    sizes = TINY if settings.tiny else SMALL if cpu else FULL
    asked = {name: getattr(settings, name) for name in ("width", "lessons", "steps", "iterations")}
    return replace(sizes, **{name: number for name, number in asked.items() if number})


def systems_of(settings: AllSettings) -> list[str]:
    """The card first, then what it meets; each needs a flag of its own among those of networks."""
    found: dict[int, str] = {}
    for text in (settings.card, *filter(None, settings.against.split(","))):
        card = agreed(text.strip())
        number = system_number(card)
        if number is None:
            raise DataError(
                f"no network has a flag for {card}, only for {', '.join(SYSTEMS)}: for a network "
                "that calls by any card use overtrick train caller"
            )
        found.setdefault(number, card)
    return list(found.values())


def run(settings: AllSettings) -> Found:
    """From the rules to the report; says what came out."""
    return Campaign(settings).run()
