"""The finished pieces of the Ho & Lin experiment as a Markdown page and plots.

It can be written during a run: missing pieces are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from overtrick_lab.papers.cells import Cell, CellStore
from overtrick_lab.papers.ho2015.experiment import (
    COMBINATIONS,
    SETS,
    UPDATE_PENETRATIONS,
    name_of,
)
from overtrick_lab.papers.ho2015.standins import ENGINES
from overtrick_lab.papers.site import markdown_table
from overtrick_lab.training.data import DataError
from overtrick_lab.training.uncontested.costs import CATEGORIES

PAPER_TABLE_1 = {
    "table1-csosr": (3.8329, 1.8985),
    "table1-cstsr1": (3.9428, 2.7697),
    "table1-cstsr2": (3.8465, 2.1106),
    "table1-cstsr3": (3.8272, 1.9228),
}
PAPER_TABLE_2 = {
    "tree-2-ucb1": 3.0755, "tree-2-linucb": 3.0933, "tree-4-ucb1": 2.9672,
    "tree-4-linucb": 3.0672, "tree-6-ucb1": 2.9616, "tree-6-linucb": 3.0477,
    "layered-4-ucb1": 3.0561, "layered-4-linucb": 3.0290, "layered-6-ucb1": 3.1214,
    "layered-6-linucb": 3.0660,
}  # fmt: skip
PAPER_CATEGORIES = {
    "pass": (828, 1816), "partial": (5014, 5165), "game": (-2424, 2339), "slam": (-2152, 521),
    "grand slam": (-586, 159),
}  # fmt: skip
"""Total cost of WBridge5 less that of the paper's tree, and deals."""
_LENGTHS = range(200_000, 1_000_001, 200_000)
PAPER_UPDATES = {
    "single": dict(zip(_LENGTHS, (5.50, 4.00, 3.92, 3.81, 3.77), strict=True)),
    "full": dict(zip(_LENGTHS, (3.33, 3.26, 3.23, 3.24, 3.25), strict=True)),
}
"""Validation cost after so many iterations."""


def figure(cell: Cell | None) -> str:
    """'2.971 ± 0.008 ± 0.041': mean, standard error over seeds, over deals."""
    if cell is None:
        return "–"
    if len(cell["seeds"]) < 2:
        return f"{cell['mean']:.3f} ± {cell['se_deals']:.3f}"
    return f"{cell['mean']:.3f} ± {cell['se_seeds']:.3f} ± {cell['se_deals']:.3f}"


def table_1(store: CellStore) -> str:
    """Baselines and optimistic methods: test and published sets beside the paper."""
    names = {"table1-csosr": "CSOSR, Gaussian kernel", "table1-cstsr1": "CSTSR, condensed",
             "table1-cstsr2": "CSTSR, 2nd order", "table1-cstsr3": "CSTSR, 3rd order",
             "table1-sparse": "CSTSR, single cards (sparse)"}  # fmt: skip
    rows = []
    for key, words in names.items():
        one, two = store.get(f"{key}-baseline"), store.get(f"{key}-optimistic")
        if one is None or two is None:
            continue
        paper = [f"{p:.2f}" for p in PAPER_TABLE_1.get(key, ())] or ["no better"] * 2
        rows.append([
            words, paper[0], figure(one["test"]), figure(one.get("published")),
            paper[1], figure(two["test"]), figure(two.get("published")),
        ])  # fmt: skip
    if rows:
        rows.append(["WBridge5", "2.96", "–", "–", "–", "–", "–"])
    head = ["method", "paper", "baseline: test", "published", "paper", "optimistic: test",
            "published"]  # fmt: skip
    return _filled(head, rows)


def _filled(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table without the columns in which nobody has anything."""
    wanted = [i for i in range(len(head)) if any(row[i] not in ("", "–") for row in rows)]
    return markdown_table([head[i] for i in wanted], [[row[i] for i in wanted] for row in rows])


def updates_table(store: CellStore) -> str:
    """Single against full update, validation cost by iterations; every seed at the end."""
    rows = []
    done_at: list[int] = []
    for update in PAPER_UPDATES:
        for p in UPDATE_PENETRATIONS:
            cell = store.get(f"updates-{update}-{p:g}")
            if cell is None:
                continue
            curve = cell["curve"][1::2]
            done_at = [done for done, _ in curve]
            rows.append(_costs(f"{update}, p = {p:g}", curve, done_at))
    instant = store.get("updates-single-instant")
    if instant is not None and done_at:
        words = "single, p = 0, piles of 1"
        rows.insert(1, _costs(words, instant["curve"], done_at))
    for update, paper in reversed(PAPER_UPDATES.items()):
        first = next((n for n, row in enumerate(rows) if row[0].startswith(update)), None)
        if first is not None:  # the paper's costs are of its own lengths, and of no other
            printed = [f"{paper[done]:.2f}" if done in paper else "–" for done in done_at]
            rows.insert(first, [f"{update}, paper", *printed, ""])
    marks = [f"{done:,}" for done in done_at]
    return markdown_table(["update", *marks, "every seed at the end"], rows) if marks else ""


def _costs(words: str, curve: list[Any], done_at: Sequence[int]) -> list[str]:
    """A row: mean validation cost after so many iterations, and every seed's last."""
    known = {done: f"{mean(values):.3f}" for done, values in curve}
    seeds = ", ".join(f"{value:.2f}" for value in sorted(curve[-1][1]))
    return [words, *(known.get(done, "–") for done in done_at), seeds]


def piles_table(store: CellStore) -> str:
    """Fig. 2 in numbers: final validation cost and seconds by pile size."""
    rows = []
    for pile in (1, 10, 100, 1000):
        for alpha in ("10", "100"):
            cell = store.get(f"piles-{pile}-{alpha}")
            if cell is not None:
                done = cell["curve"][-1][0]
                seconds = f"{cell['seconds'] / len(cell['validation']['seeds']):.0f}"
                row = [str(pile), alpha, f"{done:,}", figure(cell["validation"]), seconds]
                rows.append(row)
    head = ["pile", "alpha", "iterations", "validation", "seconds per training"]
    return markdown_table(head, rows)


def table_2(store: CellStore) -> str:
    """Structures: mean ± standard error over seeds ± over deals, and every seed on test deals.

    Runs may differ in length; then one column compares all of them after as many iterations.
    """
    names = [name_of(base) for base in COMBINATIONS]
    cells = {name: cell for name in names if (cell := store.get(f"table2-{name}")) is not None}
    if not cells:
        return ""
    lengths = {name: cell["curve"][-1][0] for name, cell in cells.items()}
    common = min(lengths.values())
    alike = len(set(lengths.values())) == 1
    rows = []
    for name, cell in cells.items():
        knobs = f"α {cell['alpha']:g}, p {cell['penetration']:g}"
        same = ["", ""] if alike else [f"{lengths[name]:,}", _at(cell, common)]
        values = [figure(cell.get(part)) for part in SETS]
        seeds = ", ".join(f"{value:.2f}" for value in cell["test"]["seeds"])
        rows.append([name, knobs, *same, *values, seeds, f"{PAPER_TABLE_2[name]:.2f}"])
    rows.append(["WBridge5", *[""] * (len(SETS) + 4), "2.96"])
    head = ["model", "chosen", "iterations", f"validation after {common:,}", *SETS,
            "every seed (test)", "paper (test)"]  # fmt: skip
    words = f"{common:,} iterations in every row.\n\n" if alike else ""
    return words + _filled(head, rows)


def _at(cell: Cell, iterations: int) -> str:
    """Validation cost over seeds after so many iterations, where the curve has that point."""
    found = [values for done, values in cell["curve"] if done == iterations]
    if not found:
        return "–"
    return f"{mean(found[0]):.3f} ± {_spread(found[0]):.3f}"


def _spread(values: Sequence[float]) -> float:
    """The standard error over seeds."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def timing(store: CellStore) -> str:
    """One training alone: wall and CPU seconds."""
    cell = store.get("timing-tree-4-ucb1")
    if cell is None:
        return ""
    return (
        f"One ℓ=4 tree, {cell['iterations']:,} iterations in piles of 100: "
        f"{cell['seconds']:.0f} s on the clock, {cell['cpu']:.0f} s of CPU on one core\n\n"
        "(the paper: over four hours with instant updates, under one hour with piles of 100)."
    )


def categories_table(store: CellStore) -> str:
    """Mean cost by the kind of the best contract, one column per learner."""
    learners: dict[str, Cell] = {}
    for key in ("tree", "penetrative", "relay"):
        learners |= store.get(f"categories-{key}") or {}
    if not learners:
        return ""
    first = next(iter(learners.values()))
    rows = [
        [
            kind,
            str(first[kind]["deals"]),
            *[
                f"{cell[kind]['cost'] / max(cell[kind]['deals'], 1):.2f}"
                f" ({cell[kind]['cost'] - first[kind]['cost']:+.0f})"
                for cell in learners.values()
            ],
            "{:+d} on {}".format(*PAPER_CATEGORIES[kind]),
        ]
        for kind in CATEGORIES
    ]
    head = ["best contract", "deals", *learners, "paper: WBridge5 against its tree"]
    return markdown_table(head, rows)


def networks_table(store: CellStore) -> str:
    """Penetrative Q and relay, measured with the numpy code that plays them."""
    rows = []
    for learner in ("penetrative", "relay"):
        cell = store.get(f"networks-{learner}")
        if cell is not None:
            values = [figure(cell.get(part)) for part in SETS[1:]]
            rows.append([learner, str(len(cell["test"]["seeds"])), *values])
    return markdown_table(["learner", "seeds", *SETS[1:]], rows) if rows else ""


def engines_table(store: CellStore) -> str:
    """Our engines in the place of WBridge5."""
    rows = []
    for engine in ENGINES:
        cell = store.get(f"engines-{engine}")
        if cell is not None:
            rows.append([f"`{engine}`", f"{cell['pairs']:,} of {cell['set']}", figure(cell)])
    if not rows:
        return ""
    rows.append(["WBridge5, paper", "10,000 of its test deals", "2.955"])
    return markdown_table(["engine", "pairs", "cost"], rows)


def page(store: CellStore, plots: Sequence[Path] = ()) -> str:
    """The whole report in Markdown; sections without finished pieces are left out."""
    sections = [
        ("Table 1: one hand, and both hands", table_1(store)),
        ("Single and full update (ℓ=4 tree, UCB1, α=10, validation)", updates_table(store)),
        ("Fig. 2: delayed update (ℓ=4 tree, UCB1)", piles_table(store)),
        ("Table 2: structures", table_2(store)),
        ("Time", timing(store)),
        ("Network learners", networks_table(store)),
        ("Engines, opponents silent", engines_table(store)),
        (
            "By the kind of the best contract (mean cost; total against the first column)",
            categories_table(store),
        ),
    ]
    parts = [
        "# Contract bridge bidding by learning (Ho & Lin 2015), and after",
        "Costs in IMPs per deal; lower is better. `±` are standard errors: over seeds, then over "
        "deals (one `±`: over deals). `published` is the 20,000-pair set nobody trained on.",
    ]
    for title, text in sections:
        if text.count("\n") > 1:
            parts += [f"## {title}", text]
    parts += [f"![{path.stem}]({path.name})" for path in plots]
    return "\n\n".join(parts) + "\n"


def plot(store: CellStore, folder: Path) -> list[Path]:
    """Fig. 2 and the update table as PNG files; needs matplotlib."""
    try:
        import matplotlib
    except ImportError as error:
        raise DataError("plots need matplotlib: pip install 'overtrick[plots]'") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    piles = {f"piles of {pile}, α {alpha}": f"piles-{pile}-{alpha}"
             for alpha in ("10", "100") for pile in (1, 10, 100, 1000)}  # fmt: skip
    updates = {f"{u}, p = {p:g}": f"updates-{u}-{p:g}"
               for u in PAPER_UPDATES for p in UPDATE_PENETRATIONS}  # fmt: skip
    made = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, keys in {"fig2-delayed-update": piles, "updates": updates}.items():
        cells = {words: cell for words, key in keys.items() if (cell := store.get(key)) is not None}
        if not cells:
            continue
        drawing, axes = pyplot.subplots(figsize=(7, 4.5))
        for words, cell in cells.items():
            x = [done / 1e5 for done, _ in cell["curve"]]
            y = [mean(values) for _, values in cell["curve"]]
            axes.errorbar(x, y, [_spread(values) for _, values in cell["curve"]], marker="o",
                          markersize=3, elinewidth=0.8, label=words)  # fmt: skip
        if name == "updates":
            for update, costs in PAPER_UPDATES.items():
                axes.plot(
                    [done / 1e5 for done in costs],
                    list(costs.values()),
                    "k:",
                    marker="x",
                    label=f"{update}, paper",
                )
        axes.set_xlabel("iterations (10⁵)")
        axes.set_ylabel("validation cost (IMPs)")
        axes.legend(fontsize=7, ncols=2, loc="upper right", bbox_to_anchor=(1.0, 0.88))
        path = folder / f"{name}.png"
        drawing.tight_layout()
        drawing.savefig(path, dpi=80)
        pyplot.close(drawing)
        made.append(path)
    return made
