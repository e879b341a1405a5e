"""Results that other runs left in a folder: training curves, ablations, matches of searches.
Files are known by what is in them, not by their name.

    *.jsonl with `over_sl`           a curve of `overtrick train selfplay`
    *.json with `variant`            `overtrick train ablation`, any number of seeds; VARIANT.npz
                                     beside it has its deals
    *.json with `engines`, `summary` `overtrick train search`, whole or as `kept` leaves it
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.arena.stats import estimate
from overtrick.engines import Spec, parse_spec
from overtrick_lab.training import curve
from overtrick_lab.training.data import DataError
from overtrick_lab.training.search_match import summary

Entry = dict[str, Any]
Recipe = tuple[str, int]
"""A variant and its iterations: trainings that differ by their seed alone are one recipe."""
WORDS: Final = {
    "full": "our recipe (PPO, past selves, critic sees contracts)",
    "no-past-selves": "without past selves",
    "no-hidden": "critic without hidden information",
    "hands-only": "critic sees hands, not contracts",
    "a2c": "the paper's learner (A2C, prioritised replay), our reward and pace",
    "a2c-no-priority": "the same without prioritised replay (No PR)",
    "a2c-no-hidden": "the same without hidden information (No HI)",
    "table-i": "Table I: the paper's learner, reward and pace",
    "table-i-no-priority": "Table I without prioritised replay (No PR)",
    "table-i-no-hidden": "Table I without hidden information (No HI)",
}
_BASE: Final = {
    "a2c-no-priority": "a2c",
    "a2c-no-hidden": "a2c",
    "table-i": "a2c",
    "table-i-no-priority": "table-i",
    "table-i-no-hidden": "table-i",
}
_FILTERS: Final = {"importance": "importance weights", "rejection": "the paper's rejection"}
_KEPT: Final = ("calls", "iteration", "over_sl", "error", "newest_over_sl")


class Training(NamedTuple):
    """One training: what it left, and IMPs over SL deal by deal where they were kept."""

    entry: Entry
    imps: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class FolderResults:
    """What a folder has."""

    curves: dict[str, list[Entry]] = field(default_factory=dict)
    ablations: list[Entry] = field(default_factory=list)
    searches: list[Entry] = field(default_factory=list)


def read(*folders: Path | None) -> FolderResults:
    """Everything known in the folders and below; other files are passed over.

    Of two results of the same variant, length and seed, or the same engines, the later file counts.
    """
    places = [folder for folder in folders if folder is not None]
    found = FolderResults(
        curves=_curves(p for folder in places for p in sorted(folder.rglob("*.jsonl")))
    )
    trained: dict[Recipe, dict[int, Training]] = {}
    searches: dict[str, Entry] = {}
    for path in (p for folder in places for p in sorted(folder.rglob("*.json"))):
        entry = _json(path)
        if "variant" in entry and "over_sl" in entry:
            recipe = str(entry["variant"]), int(entry.get("iterations") or 0)
            seed = int(entry.get("seed") or 0)
            imps = _imps(path.with_suffix(".npz"))
            trained.setdefault(recipe, {})[seed] = Training(_ablation(entry), imps)
        elif "engines" in entry and "engines" in entry.get("summary", {}):
            searches[str((entry["engines"], entry["opponent"]))] = _search(entry)
    found.searches.extend(searches.values())
    for recipe in sorted(trained, key=lambda r: (r[1], _place(r[0]))):
        mine, base = trained[recipe], _BASE.get(recipe[0], "full")
        others = trained.get((base, recipe[1]), {}) if base != recipe[0] else {}
        found.ablations.append(_over_seeds(mine) | _beside(base, others, mine))
    return found


def _curves(paths: Iterable[Path]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for path in paths:
        try:
            points = curve.read(path)
        except DataError:
            continue
        found[path.stem] = [{k: p[k] for k in _KEPT if k in p} for p in points]
    return found


def surest(ablations: list[Entry]) -> list[Entry]:
    """Of every variant the length with most seeds, of these the longest."""
    found: dict[str, Entry] = {}
    for entry in ablations:
        known = found.get(entry["variant"])
        if known is None or _weight(entry) > _weight(known):
            found[entry["variant"]] = entry
    return sorted(found.values(), key=lambda entry: _place(entry["variant"]))


def _weight(entry: Entry) -> tuple[int, int]:
    return len(entry["seeds"]), int(entry["iterations"] or 0)


def _place(variant: str) -> int:
    return list(WORDS).index(variant) if variant in WORDS else len(WORDS)


def _json(path: Path) -> Entry:
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _imps(path: Path) -> NDArray[np.float64] | None:
    try:
        return np.asarray(arrays(path, "imps")["imps"], dtype=np.float64)
    except UNREADABLE:
        return None


def _ablation(entry: Entry) -> Entry:
    curve_points = [{k: p[k] for k in _KEPT if k in p} for p in entry.get("curve", [])]
    return {
        "variant": entry["variant"],
        "words": WORDS.get(entry["variant"], entry["variant"]),
        **{k: entry["over_sl"][k] for k in ("imps", "error", "deals")},
        "iterations": entry.get("iterations"),
        "curve": curve_points,
    }


def _over_seeds(trained: dict[int, Training]) -> Entry:
    """Trainings of one recipe as one row: the mean of all, every seed, and their curves."""
    seeds = sorted(trained)
    rows = [trained[seed].entry for seed in seeds]
    over = [float(row["imps"]) for row in rows]
    # All seeds play the same deals, so more of them do not make the deals' share smaller.
    errors = _error(over), sum(float(row["error"]) for row in rows) / len(rows)
    return rows[0] | {
        "seeds": seeds,
        "imps": round(sum(over) / len(over), 4),
        "error": round(math.hypot(*errors), 4),
        "every_seed": over,
        "curves": [row["curve"] for row in rows],
    }


def _beside(base: str, others: dict[int, Training], mine: dict[int, Training]) -> Entry:
    """What the recipe it is a variant of has more after training as long with the same seeds, deal
    by deal; the error is that of seeds and deals together."""
    more = [
        other - own
        for seed in sorted(mine)
        if (own := mine[seed].imps) is not None
        and seed in others
        and (other := others[seed].imps) is not None
        and len(own) == len(other)
    ]
    if not more:
        return {}
    every = [float(one.mean()) for one in more]
    by_deal = np.mean(more, axis=0)
    deals = float(by_deal.std(ddof=1) / np.sqrt(len(by_deal)))
    return {
        "base": base,
        "base_is_better_by": round(float(np.mean(every)), 4),
        "paired_error": round(math.hypot(_error(every), deals), 4),
        "base_is_better_every_seed": [round(one, 4) for one in every],
    }


def _error(values: Sequence[float]) -> float:
    """Standard error over seeds; nothing is known of it from one."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _search(entry: Entry) -> Entry:
    rows = [
        {"engine": name, "words": search_words(name), **figures}
        for name, figures in entry["summary"]["engines"].items()
    ]
    found = {"opponent": entry["opponent"], "deals": entry["summary"]["deals"], "engines": rows}
    return found | {"belief": _worth_of_belief(entry)}


def _worth_of_belief(entry: Entry) -> list[Entry]:
    """What worlds from the belief network bring over uniform ones under the same filter, on the
    same deals."""
    out = []
    for name in entry["engines"]:
        spec = parse_spec(name)
        options = {k: v for k, v in spec.options.items() if k != "belief"}
        same = [
            n for n in entry["engines"] if n != name and parse_spec(n) == Spec(spec.name, options)
        ]
        if spec.options.get("belief") == "" and same:
            pairs = zip(_by_deal(entry, same[0]), _by_deal(entry, name), strict=True)
            won = [mine - other for mine, other in pairs]
            found = estimate(won)
            error = round(found.error, 4) if len(won) > 1 else None
            weighting = str(options.get("weighting", "importance")).lower()
            out.append({"filter": _FILTERS.get(weighting, "no filter"), "deals": len(won),
                        "imps": round(found.mean, 4), "error": error})  # fmt: skip
    return out


def _by_deal(entry: Entry, engine: str) -> list[int]:
    """IMPs deal by deal: from what a match leaves, or as it is kept, without calls and seconds."""
    if "imps" in entry:
        return list(entry["imps"][engine])
    return [record[engine][0] for record in entry["records"].values()]


def kept(*matches: Entry) -> Entry:
    """Matches of searches against the same opponent on the same deals as one, on the deals that all
    of them have, and small enough to lie beside a page."""
    names = [name for match in matches for name in match["engines"]]
    played = set.intersection(*(set(match["records"]) for match in matches))
    records = {
        int(n): {name: row for match in matches for name, row in match["records"][n].items()}
        for n in played
    }
    imps = {name: [int(records[n][name][0]) for n in sorted(records)] for name in names}
    told = {name: matches[0][name] for name in ("opponent", "skip")}
    return {"engines": names, **told, "summary": summary(records, names), "imps": imps}


def search_words(engine: str) -> str:
    """What an engine string leaves out of the search, in the paper's words where it has them."""
    spec = parse_spec(engine)
    options = dict(spec.options)
    uniform = options.get("belief", "belief") == ""
    weighting = str(options.get("weighting", "importance")).lower()
    if spec.name == "algorithm3":
        leaves = {"tricks": ", leaves by the tricks network", "dd": ""}
        valued = ", valued in IMPs" if options.get("scoring") == "imps" else ""
        return "Algorithm 3 as printed" + leaves.get(str(options.get("tricks", "dd")), "") + valued
    if spec.name != "bmcs":
        return engine
    if options.get("opponents") == "own" and options.get("sure") == 1.0:
        return "Algorithm 3's filter and sums in our race, leaves by the tricks network"
    name = "RL-MCS (uniform worlds)" if uniform else "RL-BMCS"
    filters = {"importance": "", "rejection": ", the paper's rejection filter"}
    return name + filters.get(weighting, ", no filter")
