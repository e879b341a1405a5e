"""The gate: a new policy takes the place of the old one only if it wins, and stays natural.
Exported networks play, so it needs no accelerator."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.nets.features import UNKNOWN_SYSTEM, system_number
from overtrick.nets.inference import models, network
from overtrick.notation.solved import SolvedDeals
from overtrick.notation.whole import write_whole
from overtrick_lab.training.data import DataError
from overtrick_lab.training.exported_match import MatchSide, duel, opening_style
from overtrick_lab.training.settings import GateSettings

Measured = dict[str, Any]


def run(settings: GateSettings) -> Measured:
    """Play, look at the openings, decide; with `install` the winner is put in its place."""
    deals = last_deals(settings.deals, settings.boards)
    number = system_number(settings.system)
    system = UNKNOWN_SYSTEM if number is None else number
    new, old = (MatchSide(network(name, "policy"), system) for name in (settings.new, settings.old))
    won = duel(new, old, deals)
    mean = float(won.mean())
    error = float(won.std(ddof=1) / np.sqrt(len(won)))
    style = opening_style(new, deals)
    found: Measured = {
        "new": settings.new,
        "old": settings.old,
        "deals": len(deals),
        "imps": round(mean, 4),
        "error": round(error, 4),
        "wins": mean > settings.confidence * error,
        "natural": style.rises and style.slack() >= 0,
        "openings": asdict(style),
    }
    found["passed"] = found["wins"] and found["natural"]
    if settings.install and found["passed"]:
        _install(Path(settings.new), settings.old)
    return found


def last_deals(path: Path, count: int) -> SolvedDeals:
    """The last deals of a file: those that self-play holds out."""
    solved = SolvedDeals.load(path)
    if not 2 <= count <= len(solved):
        raise DataError(f"{path} holds {len(solved)} deals; a gate wants 2 to that many")
    return SolvedDeals(solved.owners[-count:], solved.tricks[-count:])


def _install(new: Path, old: str) -> None:
    place = Path(old) if old.endswith(".onnx") else models()[old]
    for suffix in (".onnx", ".json"):
        source = new.with_suffix(suffix)
        if source.exists():
            write_whole(place.with_suffix(suffix), source.read_bytes())
