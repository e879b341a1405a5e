"""The gate: a new policy takes the place of the old one only if it wins, gains against strangers,
and stays natural. Exported networks play, so it needs no accelerator.

A policy that wins against its elder may only have learned how to confuse it. So both meet the same
strangers on the same deals, once with both systems told and once with neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.nets.features import UNKNOWN_SYSTEM, system_number
from overtrick.nets.inference import models, network
from overtrick.notation.solved import SolvedDeals
from overtrick.notation.whole import write_whole
from overtrick_lab.training.data import DataError
from overtrick_lab.training.exported_match import MatchSide, duel, opening_style
from overtrick_lab.training.trials_settings import GateSettings

Measured = dict[str, Any]


def run(settings: GateSettings) -> Measured:
    """Play, look at the openings, decide; with `install` the winner is put in its place."""
    deals = last_deals(settings.deals, settings.boards)
    system = _numbered(settings.system)
    new, old = (MatchSide(network(name, "policy"), system) for name in (settings.new, settings.old))
    won = duel(new, old, deals)
    gained = dict(_gains(new, old, settings.strangers, deals))
    together = np.mean([*gained.values()], axis=0) if gained else won
    style = opening_style(new, deals)
    found: Measured = {
        "new": settings.new,
        "old": settings.old,
        "deals": len(deals),
        **_estimate(won),
        "strangers": {name: _estimate(gain) for name, gain in gained.items()},
        "over_strangers": _estimate(together),
        "wins": _surely(won, settings.confidence),
        "holds": _surely(together, settings.confidence)
        and not any(_surely(-gain, settings.confidence) for gain in gained.values()),
        "natural": style.rises and style.slack() >= 0,
        "openings": asdict(style),
    }
    found["passed"] = found["wins"] and found["holds"] and found["natural"]
    if settings.install and found["passed"]:
        _install(Path(settings.new), settings.old)
    return found


def _gains(
    new: MatchSide, old: MatchSide, strangers: str, deals: SolvedDeals
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """What the new one wins more than the old one from each stranger, deal by deal."""
    for words in filter(None, map(str.split, strangers.split(";"))):
        name, system = (*words, "")[:2]
        stranger = MatchSide(network(name, "policy"), _numbered(system))
        for disclosed in (True, False):
            told = replace(stranger, disclosed=disclosed)
            ours, elders = (duel(replace(s, disclosed=disclosed), told, deals) for s in (new, old))
            yield " ".join([*words, "disclosed" if disclosed else "undisclosed"]), ours - elders


def _numbered(system: str) -> int:
    number = system_number(system)
    return UNKNOWN_SYSTEM if number is None else number


def _estimate(won: NDArray[np.float64]) -> dict[str, float]:
    return {"imps": round(float(won.mean()), 4), "error": round(_error(won), 4)}


def _surely(won: NDArray[np.float64], confidence: float) -> bool:
    return bool(won.mean() > confidence * _error(won))


def _error(won: NDArray[np.float64]) -> float:
    return float(won.std(ddof=1) / np.sqrt(len(won)))


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
