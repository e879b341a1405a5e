"""Choose the models that come with the package (best on validation) and write their card."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.notation.whole import write_whole
from overtrick_lab.papers.cells import Cell
from overtrick_lab.papers.ho2015 import baselines
from overtrick_lab.papers.ho2015.experiment import CellSource
from overtrick_lab.papers.ho2015.networks import read
from overtrick_lab.training.data import DataError
from overtrick_lab.training.uncontested.deals import pairs, read_solved, split
from overtrick_lab.uncontested.features import condensed_both, polynomial
from overtrick_lab.uncontested.models import NetModel, TreeModel, load, save
from overtrick_lab.uncontested.pricing import Price

HOME = Path(str(files("overtrick_lab.uncontested").joinpath("models")))
_DATA = (
    "double_dummy.npz: 79,830 random deals solved with DDS 2.9, 80 % of them for training "
    "(suit-permuted copies and all four openers); validated on 10 %, tested on 10 %"
)
_STORIES = {
    "tree": "A tree of small regressions on points and suit lengths, taught by a million deals "
    "with silent opponents (Ho & Lin 2015). Nobody told it what any bid means.",
    "penetrative": "One small network per turn, each learning what its call will cost when the "
    "later networks go on (Yeh, Hsieh & Lin 2016). Nobody told it what any bid means.",
    "relay": "One network bids for both partners and has learned by playing whole auctions with "
    "itself, opponents silent. Nobody told it what any bid means.",
}
_RECIPES = {
    "tree": "papers.ho2015.learner, tree of 4 layers, UCB1, full update, piles of 100",
    "penetrative": "training.uncontested.penetrative: 5 networks 4×128, leaky ReLU 0.2",
    "relay": "training.uncontested.relay: policy 3×512, policy gradient with a critic that sees "
    "both hands, half of the deals priced by training.uncontested.spectator",
}
_COMMANDS = {
    "tree": "overtrick reproduce ho2015 --data DIR --scale full",
    "penetrative": "overtrick train uncontested (one NVIDIA H200)",
    "relay": "overtrick train uncontested (one NVIDIA H200)",
}


def ship_models(source: CellSource) -> None:
    """Write tree, penetrative, relay, price and card.json into the package."""
    if source.networks is None:
        raise DataError("only a run with --networks has all the models that ship")
    store = source.store
    cards: dict[str, Any] = {}
    for name in ("tree", "penetrative", "relay"):
        key = "table2-tree-4-ucb1" if name == "tree" else f"networks-{name}"
        cell = store.get(key)
        if cell is None:
            raise DataError(f"{key} is not finished in {source.out}")
        place = int(np.argmin(cell["validation"]["seeds"]))
        model = (
            load(source.out / "models" / "tree.npz")
            if name == "tree"
            else read(source.networks, name)[place]
        )
        cards[name] = _ship(name, model, cell, place)
    _price(source.deals).save(HOME / "price.npz")
    text = {"data": _DATA, "never trained on": "uncontested_costs.npz (published pairs)",
            "models": cards}  # fmt: skip
    write_whole(HOME / "card.json", json.dumps(text, indent=1, ensure_ascii=False) + "\n")


def _ship(name: str, model: TreeModel | NetModel, cell: Cell, place: int) -> dict[str, Any]:
    path = HOME / f"{name}.npz"
    save(path, model)
    sets = {"our test deals": "test", "published pairs": "published"}
    return {
        "story": _STORIES[name],
        "recipe": _RECIPES[name],
        "command": _COMMANDS[name],
        "seed": place,
        "chosen by": "least cost on our validation deals, of five seeds",
        "results": {
            words: {"cost": round(cell[key]["seeds"][place], 4),
                    "error": round(cell[key]["se_deals"], 4)}
            for words, key in sets.items()
        },
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }  # fmt: skip


def _price(deals: Path) -> Price:
    """Third-order ridge on both hands (CSTSR, optimistic) of the training deals."""
    train = pairs(split(read_solved(deals))[0])
    x = polynomial(condensed_both(train.opener, train.responder), 3)
    model = baselines.two_sided(x, train.costs.astype(np.float64), 1e-2)
    return Price(model.weights.astype(np.float32))
