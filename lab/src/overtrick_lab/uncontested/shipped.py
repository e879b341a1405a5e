"""The learned strategies that come with the package, by name, with their cards."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from overtrick.archives import UNREADABLE
from overtrick.game import BridgeError
from overtrick_lab.uncontested.census import Census
from overtrick_lab.uncontested.models import NetModel, TreeModel, load
from overtrick_lab.uncontested.pricing import Price

NAMES = ("tree", "penetrative", "relay")
_FOLDER = resources.files("overtrick_lab.uncontested") / "models"


class ModelError(BridgeError):
    """A model that is not there or is of another kind than its engine plays."""


@lru_cache(maxsize=8)
def model(name: str) -> TreeModel | NetModel:
    """A model by its name in the package or by the path of a file."""
    if name in NAMES:
        with (_FOLDER / f"{name}.npz").open("rb") as file:
            return load(file)
    path = Path(name)
    if not path.is_file():
        raise ModelError(f"no model {name!r}: there are {', '.join(NAMES)}, or give a file")
    try:
        return load(path)
    except UNREADABLE as error:
        raise ModelError(f"{name} is no model of uncontested bidding: {error}") from error


@lru_cache(maxsize=1)
def price() -> Price:
    """The estimator of costs that comes with the package."""
    with (_FOLDER / "price.npz").open("rb") as file:
        return Price.load(file)


@lru_cache(maxsize=8)
def census(name: str) -> Census:
    """One shared census for a model: what its calls show is found once in a process."""
    return Census(model(name))


def card(name: str) -> dict[str, Any]:
    """Where a shipped model comes from: data, recipe, command, results, checksum."""
    if name not in NAMES:
        return {}
    cards: dict[str, Any] = json.loads((_FOLDER / "card.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = cards["models"][name]
    return found
