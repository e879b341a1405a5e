"""Where a run is, so that the same command goes on exactly there after it was killed.

Every array of a learner as it is (networks are stored in half precision, this is not), random keys,
and a few plain figures. The file lies beside the run's output and goes when the run is over.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from overtrick.archives import UNREADABLE, arrays
from overtrick.notation.whole import whole_file
from overtrick_lab.training.data import DataError
from overtrick_lab.training.settings import plain

LOGGER = logging.getLogger(__name__)
_TOLD: Final = "told"
_NO_MATTER: Final = ("save_seconds", "workers", "ray", "rest")
"""Settings that change nothing but the pace."""


def beside(out: Path) -> Path:
    """Where the state of a run lies whose output is one file."""
    return out.with_name(f"{out.stem}.state.npz")


def wish(settings: Any) -> dict[str, str]:
    """The settings that must be the same for a run to go on."""
    return {name: text for name, text in plain(settings).items() if name not in _NO_MATTER}


def save(path: Path, tree: Any, told: dict[str, Any], settings: Any) -> None:
    """Keep a tree of arrays and what is told beside it, whole or not at all."""
    text = json.dumps({"settings": wish(settings), **told})
    kept = {_TOLD: np.array(text)}
    for number, leaf in enumerate(jax.tree.leaves(tree)):
        array = np.asarray(leaf)
        # Files know no bfloat16; the same bits as whole numbers.
        kept[f"a{number}"] = array.view(np.uint16) if array.dtype == jnp.bfloat16 else array
    with whole_file(path) as stream:
        np.savez(stream, **kept)  # type: ignore[arg-type]


def read_told(path: Path, settings: Any) -> dict[str, Any] | None:
    """What was told beside the arrays; None where there is no state, or one of another run."""
    if not path.exists():
        return None
    try:
        told: dict[str, Any] = json.loads(str(arrays(path, _TOLD)[_TOLD]))
    except UNREADABLE as error:
        raise _unreadable(path, error) from None
    if told.pop("settings", None) != wish(settings):
        LOGGER.info("%s is of other settings: beginning anew", path)
        return None
    return told


def load(path: Path, like: Any, settings: Any) -> tuple[Any, dict[str, Any]] | None:
    """A tree of the same form as `like`, and what was told; None where there is none to go on."""
    told = read_told(path, settings)
    if told is None:
        return None
    leaves, form = jax.tree.flatten(like)
    try:
        stored = arrays(path)
        found = [stored[f"a{number}"] for number in range(len(stored) - 1)]
    except UNREADABLE as error:
        raise _unreadable(path, error) from None
    if [array.shape for array in found] != [np.shape(leaf) for leaf in leaves]:
        LOGGER.info("%s is of another version: beginning anew", path)
        return None
    filled = [
        jnp.asarray(array.view(leaf.dtype) if leaf.dtype == jnp.bfloat16 else array)
        for array, leaf in zip(found, leaves, strict=True)
    ]
    return jax.tree.unflatten(form, filled), told


def _unreadable(path: Path, error: Exception) -> DataError:
    return DataError(f"{path} is no state of a run: {error}; without the file it begins anew")
