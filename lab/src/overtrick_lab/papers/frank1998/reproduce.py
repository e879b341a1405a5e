"""The cells and the report of Frank & Basin 1998: trees, suits, the algorithms on random suits, and
alpha-mu's protocol on whole hands."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from overtrick.notation.whole import write_whole
from overtrick_lab.papers.cells import Cell, CellStore, Task
from overtrick_lab.papers.frank1998 import cards, report
from overtrick_lab.papers.frank1998.algorithms import (
    AlgorithmScore,
    compare,
    pooled,
    random_problems,
)
from overtrick_lab.papers.frank1998.drawing import draw
from overtrick_lab.papers.frank1998.duels import Duel, duel
from overtrick_lab.papers.frank1998.esm import esm
from overtrick_lab.papers.frank1998.fronts import solve
from overtrick_lab.papers.frank1998.paper import FIGURES
from overtrick_lab.papers.frank1998.randomtrees import complete_tree, trial
from overtrick_lab.papers.site import markdown_table
from overtrick_lab.papers.workforce import Workforce

DECLARERS: Final = {
    "PIMC (M = 1)": "pimc(worlds=20, knowledge=cards)",
    "alpha-mu, M = 2": "alphamu(worlds=20, depth=2, knowledge=cards)",
    "alpha-mu, M = 3": "alphamu(worlds=20, depth=3, knowledge=cards)",
    "alpha-mu, M = 2, evidence weighed": "alphamu(worlds=20, depth=2)",
}
"""The alpha-mu protocol: the name in the table and the declarer. The last is not in its papers."""
DEFENDERS: Final = {"PIMC": "pimc(worlds=20, knowledge=auction)", "double dummy": "dd"}
LEVELS: Final = (3, 5, 7, 8, 9)
LISTED: Final = (3, 5, 7)
WORLDS: Final = 10
_AT_ONCE: Final = 10  # problems of one job
_TREES_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class SuitSizes:
    """Random suits, deals of the protocol, cards left in them, random trees, and the seed."""

    problems: int = 400
    deals: int = 60
    cards: int = 36
    trees: int = 1000
    seed: int = 1


def tasks(size: SuitSizes) -> list[Task]:
    """One cell for each table that takes time."""
    s = size
    return [
        Task("cards", "card examples", job=(_cards, None)),
        Task("listing", "strategies listed", job=(_listing, None)),
        Task(f"trees-{s.trees}-{s.seed}", "random trees", partial(_trees, size)),
        Task(f"suits-{s.problems}-{s.seed}", "random suits", partial(_algorithms, size)),
        Task(f"hands-{s.deals}-{s.cards}-{s.seed}", "1NT–3NT", partial(_protocol, size)),
    ]


def _cards(_: None) -> Cell:
    return {"numbers": cards.numbers(), "markdown": cards.markdown()}


def _listing(_: None) -> Cell:
    """Exhaustive strategy minimisation beside fronts: the same value, in how many CPU seconds."""
    rows = []
    for levels in LISTED:
        tree = complete_tree(np.random.default_rng(levels), levels, WORLDS)
        began = time.process_time()
        listed = esm(tree)
        between = time.process_time()
        if solve(tree) != listed.value:
            raise AssertionError(f"fronts and strategies differ at depth {levels}")
        seconds = between - began, time.process_time() - between
        rows.append({"depth": levels, "strategies": listed.tried, "seconds": seconds})
    return {"rows": rows}


def listing_table(rows: list[dict[str, Any]]) -> str:
    """How long each took."""
    shown = []
    for r in rows:
        listed, fronts = (1000 * s for s in r["seconds"])
        shown.append([str(r["depth"]), f"{r['strategies']:,}", f"{listed:.1f}", f"{fronts:.2f}"])
    return markdown_table(["depth", "strategies", "listed, ms", "fronts, ms"], shown)


def _some_trees(job: tuple[int, int, int, int]) -> dict[str, tuple[int, float]]:
    seed, levels, number, count = job
    found = trial(np.random.default_rng([seed, levels, number]), levels, count, WORLDS)
    return {name: (t.right, t.short) for name, t in found.items()}


def _trees(size: SuitSizes, workers: Workforce) -> Cell:
    """How often each algorithm is right, and how much it misses, by the depth of the tree."""
    jobs = [
        (size.seed, levels, number, min(_TREES_AT_ONCE, size.trees - number))
        for levels in LEVELS
        for number in range(0, size.trees, _TREES_AT_ONCE)
    ]
    rows: dict[str, dict[str, list[float]]] = {}
    for job, part in zip(jobs, workers.map(_some_trees, jobs), strict=True):
        row = rows.setdefault(str(job[1]), {name: [0.0, 0.0] for name in part})
        for name, (right, short) in part.items():
            row[name][0] += right / size.trees
            row[name][1] += short / size.trees
    return {"trees": size.trees, "rows": rows}


def trees_table(rows: dict[str, dict[str, list[float]]]) -> str:
    """Share of trees played right and chance missed, by depth."""
    names = list(next(iter(rows.values())))
    shown = [
        [depth, *(f"{100 * right:.1f} / {short:.3f}" for right, short in row.values())]
        for depth, row in rows.items()
    ]
    return markdown_table(["depth", *names], shown)


def _some_problems(job: tuple[int, int, int]) -> list[AlgorithmScore]:
    seed, number, count = job
    return compare(list(random_problems(np.random.default_rng([seed, number]), count)))


def _algorithms(size: SuitSizes, workers: Workforce) -> Cell:
    starts = range(0, size.problems, _AT_ONCE)
    jobs = [(size.seed, i, min(_AT_ONCE, size.problems - i)) for i in starts]
    scores = pooled(workers.map(_some_problems, jobs))
    return {"rows": [asdict(score) for score in scores]}


def _protocol(size: SuitSizes, workers: Workforce) -> Cell:
    """Every declarer against every defence on the same deals in doubt."""
    engines, defences = tuple(DECLARERS.values()), tuple(DEFENDERS.values())
    work = partial(duel, declarers=engines, defences=defences, played=52 - size.cards)
    found: list[Duel] = []
    seed, batch = 1_000_000 * size.seed, 8 * workers.hands
    while len(found) < size.deals:  # most random deals are not in doubt
        found += [one for one in workers.map(work, range(seed, seed + batch)) if one is not None]
        seed += batch
    return {"rows": _counted(found[: size.deals])}


def _counted(found: list[Duel]) -> list[dict[str, Any]]:
    engines = tuple(DECLARERS.values())
    out: list[dict[str, Any]] = []
    for defence, defender in DEFENDERS.items():
        base = [one.finishes[defender, engines[0]].made for one in found]
        for name, declarer in DECLARERS.items():
            finishes = [one.finishes[defender, declarer] for one in found]
            pairs = [(f.made, b) for f, b in zip(finishes, base, strict=True)]
            out.append(
                {
                    "defence": defence,
                    "declarer": name,
                    "deals": len(found),
                    "made": sum(f.made for f in finishes),
                    "won": sum(m and not b for m, b in pairs),
                    "lost": sum(b and not m for m, b in pairs),
                    "seconds": round(sum(f.mean for f in finishes) / max(1, len(found)), 4),
                }
            )
    return out


def draw_trees(out: Path) -> list[str]:
    """Every tree of the paper as a picture."""
    names = []
    for entry in FIGURES:
        name = f"figure-{entry.number}"
        write_whole(out / f"{name}.svg", draw(entry.tree()))
        names.append(name)
    return names


def page(size: SuitSizes, store: CellStore, drawn: list[str]) -> str:
    """The whole report; tables that were not computed are left out."""
    examples, listed, trees, suits, hands = (store.get(task.key) for task in tasks(size))
    parts = [
        "# Search in games with incomplete information (Frank & Basin 1998)",
        "## The trees",
        report.markdown(),
        "## The trees, drawn",
        *(f"![{name}]({name}.svg)" for name in drawn),
    ]
    if examples is not None:
        parts += ["## The card examples", examples["markdown"]]
    if listed is not None:
        parts += ["## Listing strategies against fronts", listing_table(listed["rows"])]
    if trees is not None:
        parts += [
            "## Random trees",
            f"{trees['trees']} complete binary trees a depth, MAX first, {WORLDS} equally likely "
            "worlds, MIN sees the world: share of trees played as well as possible in per cent, "
            "and mean chance missed. Published for depth 9 (Frank, Basin & Matsubara 1998): "
            "sampling wrong in 99.9 %, vector minimaxing wrong in 96 %, payoff reduction right in "
            "more than 40 %.",
            trees_table(trees["rows"]),
        ]
    if suits is not None:
        parts += [
            "## The algorithms on random suits",
            f"{suits['rows'][0]['problems']} random holdings of six to nine cards on which "
            f"double-dummy play beats every line, seed {size.seed}; best defence, exact values.",
            algorithms_table(suits["rows"]),
            "The paper's own program (section 7.2) backs up one vector of tactics: wrong on 218 of "
            "650 problems of the Encyclopedia (33.5 %), 0.07 less where it is wrong, so 2.3 % of "
            "all. Its problems were easier: ours are only those in which double dummy play beats "
            "every line.",
        ]
    if hands is not None:
        parts += [
            "## Alpha-mu on whole hands",
            f"1NT–3NT, {size.cards} cards left, deals that make double dummy in 30 to 70 % of the "
            "layouts, 20 worlds, same seeds and defenders for every declarer. Differ: deals on "
            "which the result is not that of M = 1; of them: how many alpha-mu won, ± one standard "
            "error.",
            protocol_table(hands["rows"]),
        ]
    return "\n\n".join(parts) + "\n"


def algorithms_table(rows: list[dict[str, Any]]) -> str:
    """How each algorithm did."""
    shown = [
        [r["algorithm"], _share(r["optimal"], r["problems"]), f"{100 * r['loss']:.2f} %",
         f"{r['loss'] / (1 - r['optimal']):.3f}" if r["optimal"] < 1 else "–",
         f"{r['seconds']:.1f}"]
        for r in rows
    ]  # fmt: skip
    head = ["algorithm", "optimal", "mean loss", "loss where wrong", "CPU s"]
    return markdown_table(head, shown)


def _share(share: float, count: int) -> str:
    """'58.4 ± 2.2 %'; a share without exceptions has no error."""
    error = (share * (1 - share) / count) ** 0.5
    return f"{100 * share:.1f} ± {100 * error:.1f} %" if error else f"{100 * share:.0f} %"


def protocol_table(rows: list[dict[str, Any]]) -> str:
    """How each declarer did against each defence."""
    shown = []
    for r in rows:
        differ = r["won"] + r["lost"]
        share = r["won"] / differ if differ else 0.0
        error = (share * (1 - share) / differ) ** 0.5 if differ else 0.0
        won = f"{100 * share:.0f} % ± {100 * error:.0f}" if differ else "–"
        makes = f"{100 * r['made'] / max(1, r['deals']):.1f} %"
        shown.append(
            [r["defence"], r["declarer"], str(r["deals"]), makes, str(differ), won,
             f"{1000 * r['seconds']:.0f}"]
        )  # fmt: skip
    head = ["defence", "declarer", "deals", "makes", "differ", "of them won", "ms a card"]
    return markdown_table(head, shown)
