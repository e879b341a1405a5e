"""Network models of an accelerator run, measured with the numpy code that plays them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from overtrick.archives import members
from overtrick_lab.papers.cells import Cell
from overtrick_lab.papers.ho2015.experiment import Bench, Piece, category_cell, summary
from overtrick_lab.uncontested.models import NetModel, TreeModel, bid_out, load

LEARNERS = ("penetrative", "relay")


def read(folder: Path, learner: str) -> list[NetModel | TreeModel]:
    """All seeds of a learner, from `<learner>.zip` or `<learner>_<seed>.npz`."""
    bundle = folder / f"{learner}.zip"
    if bundle.exists():
        return [load(io.BytesIO(content)) for _, content in members(bundle)]
    return [load(path) for path in sorted(folder.glob(f"{learner}_[0-9]*.npz"))]


def pieces(bench: Bench, folder: Path) -> Iterator[Piece]:
    """Every seed on validation, test and published pairs; categories of the first seed."""
    for learner in LEARNERS:
        models = read(folder, learner)
        if models:
            yield Piece(
                f"networks-{learner}",
                f"{learner}, {len(models)} seeds",
                partial(_measure, bench, models),
            )
            yield Piece(
                f"categories-{learner}",
                f"categories of {learner}",
                partial(_categories, bench, models[0], learner),
            )


def _costs(bench: Bench, model: NetModel | TreeModel, name: str) -> npt.NDArray[np.float64]:
    part = bench.raw[name]
    contract, _ = bid_out(model, part.opener, part.responder)
    return np.asarray(bench.data[name].costs[np.arange(len(part)), contract])


def _measure(bench: Bench, models: list[NetModel | TreeModel]) -> Cell:
    return {
        name: summary([_costs(bench, model, name) for model in models])
        for name in ("validation", "test", "published")
        if name in bench.raw
    }


def _categories(bench: Bench, model: NetModel | TreeModel, learner: str) -> Cell:
    costs = bench.data["test"].costs
    return {learner: category_cell(costs, _costs(bench, model, "test"))}
