"""The experiments of Ho & Lin 2015, piece by piece: tables 1 and 2, updates, Fig. 2, categories.

Every piece is one cell that a process of its own works out (`CellSource` says from what); `report`
turns the finished ones into Markdown and plots.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from overtrick_lab.papers.cells import Cell, CellStore, Task
from overtrick_lab.papers.ho2015 import baselines, standins
from overtrick_lab.papers.ho2015.learner import (
    Data,
    LearnerSetting,
    Trainer,
    Ucb,
    Update,
    cost,
    prepare,
)
from overtrick_lab.training.data import DataError
from overtrick_lab.training.uncontested.costs import CATEGORIES, category
from overtrick_lab.training.uncontested.deals import (
    Pairs,
    pairs,
    read_published,
    read_solved,
    split,
    training_pairs,
)
from overtrick_lab.uncontested.features import condensed, condensed_both, polynomial
from overtrick_lab.uncontested.models import save
from overtrick_lab.uncontested.nodes import Shape

Floats = npt.NDArray[np.float64]
SETS = ("train", "validation", "test", "published")
PENETRATIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
UPDATE_PENETRATIONS = (0.0, 0.25, 0.5)
ALPHAS = (1.0, 4.0, 16.0, 64.0, 256.0)
_SHAPES: tuple[tuple[Shape, int], ...] = (
    ("tree", 2), ("tree", 4), ("tree", 6), ("layered", 4), ("layered", 6),
)  # fmt: skip
_BOUNDS: tuple[Ucb, ...] = ("ucb1", "linucb")
_UPDATES: tuple[Update, ...] = ("single", "full")
COMBINATIONS = tuple(
    LearnerSetting(shape=shape, length=length, ucb=ucb)
    for shape, length in _SHAPES
    for ucb in _BOUNDS
)


@dataclass(frozen=True, slots=True)
class WorkScale:
    """How much work to spend: `SCALES` names three; `quick` is for a first look and for tests."""

    seeds: int = 5
    iterations: int = 1_000_000  # of every structure
    grid_iterations: int = 200_000
    update_iterations: int = 1_000_000
    pile_iterations: int = 1_000_000  # Fig. 2
    instant_iterations: int = 200_000
    curve_seeds: int = 5
    copies: int = 8  # suit-permuted copies of the training deals
    engine_pairs: int = 2000  # on which our engines bid
    kernel: int = 300
    kernel_rows: int = 20_000
    alphas: tuple[float, ...] = ALPHAS
    penetrations: tuple[float, ...] = PENETRATIONS


SCALES = {
    "full": WorkScale(),
    "medium": WorkScale(
        iterations=400_000, grid_iterations=100_000, pile_iterations=300_000,
        instant_iterations=50_000, curve_seeds=3, alphas=(1.0, 4.0, 16.0),
        penetrations=(0.0, 0.25, 0.5, 0.75),
    ),
    "quick": WorkScale(
        2, 20_000, 4_000, 20_000, 20_000, 2_000, 2, 1, 30, 40, 2_000, alphas=(4.0,),
        penetrations=(0.0, 0.5),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bench:
    """The data of the protocol: hands for the baselines, expanded features for the bandit."""

    raw: dict[str, Pairs]
    data: dict[str, Data]
    copies: Data
    scale: WorkScale
    store: CellStore


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of work: its key in the store, what it is in words, how to make it."""

    key: str
    words: str
    make: Callable[[], Cell]


def open_bench(deals: Path, published: Path | None, out: Path, scale: WorkScale) -> Bench:
    """Read the deals and split them; the published pairs are measured on, never trained on."""
    train, validation, test = split(read_solved(deals))
    raw = dict(zip(SETS, (pairs(train), pairs(validation), pairs(test)), strict=False))
    if published is not None:
        raw["published"] = read_published(published)
    more = training_pairs(train, copies=scale.copies, rng=np.random.default_rng(24))
    prepared = {name: prepare(part) for name, part in raw.items()}
    return Bench(raw, prepared, prepare(more), scale, CellStore(out / "cells"))


def summary(costs: Sequence[Floats]) -> Cell:
    """Mean over seeds, its standard error, and the standard error from the deals drawn."""
    means = np.array([values.mean() for values in costs])
    spread = float(means.std(ddof=1) / np.sqrt(len(means))) if len(means) > 1 else 0.0
    deals = float(costs[0].std(ddof=1) / np.sqrt(len(costs[0])))
    return {"mean": float(means.mean()), "se_seeds": spread, "se_deals": deals,
            "seeds": means.tolist()}  # fmt: skip


# --- Table 1 -------------------------------------------------------------------------------


def baseline_tasks(bench: Bench) -> Iterator[Piece]:
    """CSTSR with three expansions and on single cards, and CSOSR, on opener's hand alone and on
    both hands."""
    for both in (False, True):
        word = "optimistic" if both else "baseline"
        for order in (1, 2, 3):
            yield Piece(
                f"table1-cstsr{order}-{word}",
                f"CSTSR order {order}, {word}",
                partial(_two_sided, bench, partial(_expanded, both, order)),
            )
        yield Piece(
            f"table1-sparse-{word}",
            f"CSTSR on cards, {word}",
            partial(_two_sided, bench, partial(_sparse, both)),
        )
        yield Piece(f"table1-csosr-{word}", f"CSOSR, {word}", partial(_one_sided, bench, both))


def _features(part: Pairs, both: bool) -> Floats:
    return condensed_both(part.opener, part.responder) if both else condensed(part.opener)


def _expanded(both: bool, order: int, part: Pairs) -> Floats:
    return polynomial(_features(part, both), order)


def _sparse(both: bool, part: Pairs) -> Floats:
    """One column for every card; the constant is in the sum of thirteen cards."""
    seen = [part.opener, part.responder] if both else [part.opener]
    return np.concatenate(seen, axis=1).astype(np.float64)


def _two_sided(bench: Bench, features: Callable[[Pairs], Floats]) -> Cell:
    x = {name: features(part) for name, part in bench.raw.items()}
    costs = {name: data.costs for name, data in bench.data.items()}
    tried = []
    for penalty in baselines.PENALTIES:
        model = baselines.two_sided(x["train"], costs["train"], penalty)
        loss = model.cost(x["validation"], costs["validation"]).mean()
        tried.append((float(loss), penalty, model))
    _, penalty, best = min(tried, key=lambda item: item[0])
    row = {name: summary([best.cost(x[name], costs[name])]) for name in x}
    return {"penalty": penalty, "dimensions": x["train"].shape[1], **row}


def _one_sided(bench: Bench, both: bool) -> Cell:
    raw = {name: _features(part, both)[:, 1:] for name, part in bench.raw.items()}
    costs = {name: data.costs for name, data in bench.data.items()}
    rng = np.random.default_rng(7)
    size = min(bench.scale.kernel_rows, len(raw["train"]))

    def fit(gamma: float, penalty: float, count: int) -> dict[str, Floats]:
        rows = rng.choice(len(raw["train"]), count, replace=False)
        seen = raw | {"train": raw["train"][rows]}
        known = costs | {"train": costs["train"][rows]}
        kernel = baselines.nystrom(seen["train"], gamma, bench.scale.kernel, rng)
        x = {name: kernel.expand(part) for name, part in seen.items()}
        model = baselines.one_sided(x["train"], known["train"], penalty)
        return {name: model.cost(x[name], known[name]) for name in x}

    grid = [(gamma, penalty) for gamma in (0.03, 0.1) for penalty in (1e-3, 1e-2, 1e-1)]
    trials = [(float(fit(*cell, size // 2)["validation"].mean()), cell) for cell in grid]
    gamma, penalty = min(trials)[1]
    runs = [fit(gamma, penalty, size) for _ in range(bench.scale.seeds)]
    row = {name: summary([run[name] for run in runs]) for name in raw}
    return {"gamma": gamma, "penalty": penalty, "dimensions": raw["train"].shape[1] + 1, **row}


# --- the multi-layer bandit ----------------------------------------------------------------


def learn(bench: Bench, settings: Sequence[LearnerSetting], points: int = 10) -> Cell:
    """Train settings side by side; learning curve on validation, then all four sets."""
    trainer = Trainer(settings, bench.copies)
    curve: list[tuple[int, list[float]]] = []

    def watch(done: int, at: Trainer) -> None:
        validation = bench.data["validation"]
        curve.append((done, [float(cost(m, validation).mean()) for m in at.models()]))

    began = time.perf_counter()
    models = trainer.run(watch, every=max(settings[0].iterations // points, 1))
    seconds = time.perf_counter() - began
    row = {
        name: summary([cost(model, data) for model in models]) for name, data in bench.data.items()
    }
    return {"curve": curve, "seconds": seconds, **row}


def update_tasks(bench: Bench) -> Iterator[Piece]:
    """Single against full update on the ℓ=4 tree with alpha 10.

    The paper does not say with which penetration. Without any, a single update almost never leaves
    the openings that end the auction: what lies behind the others is judged by the few deals with
    which its own calls were first tried.
    """
    for update in _UPDATES:
        for p in UPDATE_PENETRATIONS:
            base = LearnerSetting(
                alpha=10.0, penetration=p, update=update, iterations=bench.scale.update_iterations
            )
            yield Piece(
                f"updates-{update}-{p:g}",
                f"{update} update, penetration {p:g}",
                partial(learn, bench, _seeds(base, bench.scale.curve_seeds)),
            )
    count = 2 * bench.scale.update_iterations // 5
    base = LearnerSetting(penetration=0.0, update="single", pile=1, iterations=count)
    yield Piece(
        "updates-single-instant",
        "single update, penetration 0, piles of 1",
        partial(learn, bench, _seeds(base, 2 * bench.scale.curve_seeds), 2),
    )


def pile_tasks(bench: Bench) -> Iterator[Piece]:
    """Fig. 2: piles of 1 (instant), 10, 100 and 1000, alpha 10 and 100."""
    for pile in (1, 10, 100, 1000):
        for alpha in (10.0, 100.0):
            count = bench.scale.instant_iterations if pile == 1 else bench.scale.pile_iterations
            base = LearnerSetting(alpha=alpha, penetration=0.0, pile=pile, iterations=count)
            points = 2 if pile == 1 else 10
            yield Piece(
                f"piles-{pile}-{alpha:g}",
                f"piles of {pile}, alpha {alpha:g}",
                partial(learn, bench, _seeds(base, bench.scale.curve_seeds), points),
            )


def _seeds(setting: LearnerSetting, count: int) -> list[LearnerSetting]:
    return [replace(setting, seed=seed) for seed in range(count)]


def name_of(setting: LearnerSetting) -> str:
    """'tree-4-ucb1'."""
    return f"{setting.shape}-{setting.length}-{setting.ucb}"


def grid_tasks(bench: Bench) -> Iterator[Piece]:
    """Alpha and penetration of every structure."""
    for base in COMBINATIONS:
        name = name_of(base)
        for alpha in bench.scale.alphas:
            yield Piece(
                f"grid-{name}-{alpha:g}",
                f"grid {name}, alpha {alpha:g}",
                partial(_grid_row, bench, base, alpha),
            )


def structure_tasks(bench: Bench) -> Iterator[Piece]:
    """Table 2: the best setting of every structure with all seeds."""
    for base in COMBINATIONS:
        name = name_of(base)
        yield Piece(f"table2-{name}", f"{name}, best setting", partial(_best, bench, base))


def _grid_row(bench: Bench, base: LearnerSetting, alpha: float) -> Cell:
    count = bench.scale.grid_iterations
    settings = [
        replace(base, alpha=alpha, penetration=p, iterations=count, seed=99)
        for p in bench.scale.penetrations
    ]
    cell = learn(bench, settings, points=2)
    return {
        "penetration": list(bench.scale.penetrations),
        "alpha": alpha,
        "validation": cell["validation"]["seeds"],
        "seconds": cell["seconds"],
    }


def _best(bench: Bench, base: LearnerSetting) -> Cell:
    alpha, penetration = _choice(bench, base)
    count = bench.scale.iterations
    best = replace(base, alpha=alpha, penetration=penetration, iterations=count)
    cell = learn(bench, _seeds(best, bench.scale.seeds))
    return {"alpha": alpha, "penetration": penetration, **cell}


def _choice(bench: Bench, base: LearnerSetting) -> tuple[float, float]:
    """Alpha and penetration of a structure: the best of the grid on validation deals."""
    name = name_of(base)
    tried: list[tuple[float, float, float]] = []
    for alpha in bench.scale.alphas:
        row = bench.store.get(f"grid-{name}-{alpha:g}")
        if row is None:
            raise DataError(f"the grid search of {name} is not finished: run the stage grid")
        tried += [
            (value, alpha, p)
            for value, p in zip(row["validation"], row["penetration"], strict=True)
        ]
    _, alpha, penetration = min(tried)
    return alpha, penetration


# --- engines ---------------------------------------------------------------------------------


def engine_tasks(bench: Bench) -> Iterator[Piece]:
    """Our engines on the pairs that nobody trained on: the published ones, or our test deals."""
    for engine in standins.ENGINES:
        yield Piece(f"engines-{engine}", engine, partial(_engine, bench, engine))


def _engine(bench: Bench, engine: str) -> Cell:
    name = "published" if "published" in bench.raw else "test"
    every = bench.raw[name]
    count = min(bench.scale.engine_pairs, len(every))
    rows = np.random.default_rng(5).choice(len(every), count, replace=False)
    found = standins.costs(engine, every.take(rows), np.random.default_rng(6))
    return {"set": name, "pairs": count, **summary([found])}


# --- categories ----------------------------------------------------------------------------


def category_cell(costs: Floats, chosen: Floats) -> Cell:
    """Deals and total cost by the kind of the best contract."""
    kind = category(costs)
    return {
        name: {
            "deals": int((kind == place).sum()),
            "cost": float(chosen[kind == place].sum()),
        }
        for place, name in enumerate(CATEGORIES)
    }


def category_tasks(bench: Bench, models: Path) -> Iterator[Piece]:
    """The ℓ=4 UCB1 tree (best seed on validation) by category on the test set.

    It is trained once more alone, for the clock, and its model is kept for the engine.
    """

    def make() -> Cell:
        best = bench.store.get("table2-tree-4-ucb1")
        if best is None:
            raise DataError("the categories need the row tree-4-ucb1: run the stage structures")
        setting = LearnerSetting(
            alpha=best["alpha"],
            penetration=best["penetration"],
            iterations=bench.scale.iterations,
            seed=int(np.argmin(best["validation"]["seeds"])),
        )
        began, busy = time.perf_counter(), time.process_time()
        (model,) = Trainer([setting], bench.copies).run()
        clock = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - busy}
        bench.store.put("timing-tree-4-ucb1", {"iterations": setting.iterations, **clock})
        models.mkdir(parents=True, exist_ok=True)
        save(models / "tree.npz", model)
        test = bench.data["test"]
        return {"tree-4-ucb1": category_cell(test.costs, cost(model, test))}

    yield Piece("categories-tree", "categories of the ℓ=4 tree", make)


# --- cells by name ---------------------------------------------------------------------------


STAGES = (
    "baselines", "updates", "piles", "grid", "structures", "categories", "engines", "networks",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellSource:
    """What the cells are made from: small enough to be sent to any worker."""

    deals: Path
    published: Path | None
    out: Path
    scale: str
    networks: Path | None = None

    @property
    def store(self) -> CellStore:
        return CellStore(self.out / "cells")


@lru_cache(maxsize=1)
def _opened(source: CellSource) -> Bench:
    """Read once a process: preparing the features takes longer than some cells."""
    return open_bench(source.deals, source.published, source.out, SCALES[source.scale])


def pieces(source: CellSource, stage: str) -> list[Piece]:
    """The pieces of one stage; a stage may need the cells of those before it."""
    from overtrick_lab.papers.ho2015 import networks

    bench = _opened(source)
    if stage == "networks":
        return list(networks.pieces(bench, source.networks)) if source.networks else []
    makers: dict[str, Callable[[], Iterator[Piece]]] = {
        "baselines": lambda: baseline_tasks(bench),
        "updates": lambda: update_tasks(bench),
        "piles": lambda: pile_tasks(bench),
        "grid": lambda: grid_tasks(bench),
        "structures": lambda: structure_tasks(bench),
        "categories": lambda: category_tasks(bench, source.out / "models"),
        "engines": lambda: engine_tasks(bench),
    }
    return list(makers[stage]())


def cell(job: tuple[CellSource, str, str]) -> Cell:
    """One cell, by stage and key."""
    source, stage, key = job
    (found,) = (piece for piece in pieces(source, stage) if piece.key == key)
    return found.make()


def tasks(source: CellSource, stage: str) -> list[Task]:
    """The cells of a stage as jobs for any process."""
    found = pieces(source, stage)
    return [Task(p.key, p.words, job=(cell, (source, stage, p.key))) for p in found]
