"""The experiments as a Markdown page: tables beside the paper's, learned rules to read.

It can be written during a run: missing pieces are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from overtrick_lab.papers.amit2006 import example
from overtrick_lab.papers.amit2006.experiments import (
    SAMPLE_SIZES,
    SECONDS,
    VARIANTS,
    ExperimentFolder,
)
from overtrick_lab.papers.amit2006.learning import LearningRun
from overtrick_lab.papers.cells import Cell
from overtrick_lab.papers.site import markdown_table as table

_WORDS = {
    "plain": "all simulated by first choices",
    "large": "the same, ten times as many problems",
    "hopeful": "own later turns at their best in each world",
    "deep": "the same, partner searching one level deep",
    "printed": "PIDM in batches, everybody searching, 10 worlds",  # of runs kept from before
    "figure3": "Figure 3 as printed (`figure3`): everybody searches, 10 worlds",
}
Curve = list[dict[str, Any]]


def curve_of(run: LearningRun) -> Curve:
    """The measurements of a run that were made."""
    return run.curve() if run.store.folder.is_dir() else []


def gain(before: Cell, after: Cell) -> tuple[float, float]:
    """Mean improvement a problem with its error, problem by problem."""
    gains = np.array(after["by_problem"]) - np.array(before["by_problem"])
    spread = gains.std(ddof=1) if len(gains) > 1 else 0.0
    return float(gains.mean()), float(spread / np.sqrt(len(gains)))


def pooled(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The mean of independent seeds with its error."""
    means, errors = np.array(pairs).T
    return float(means.mean()), float(np.sqrt((errors**2).sum()) / len(pairs))


def families(bench: ExperimentFolder) -> dict[str, dict[int, Curve]]:
    """The ways to learn, each with the learning curves of the seeds that were run."""
    found = {
        "tags by first choices": {s: curve_of(bench.learning(s)) for s in bench.scale.seeds},
        "tags that look ahead": {s: curve_of(bench.ahead(s)) for s in bench.scale.seeds},
        "intersection nodes": {s: curve_of(bench.nets(s)) for s in bench.scale.seeds},
    }
    kept = {words: {s: c for s, c in curves.items() if c} for words, curves in found.items()}
    return {words: curves for words, curves in kept.items() if curves}


def page(bench: ExperimentFolder, figures: Sequence[Path] = ()) -> str:
    """The whole report."""
    parts = ["# Learning to bid in bridge (Amit & Markovitch 2006)", _setting(bench)]
    found = families(bench)
    if found:
        parts.append(_headline(found))
        parts += [
            _curve_table(f"Seed {seed}, {words}", curve)
            for words, curves in found.items()
            for seed, curve in curves.items()
        ]
    parts += [
        _searches(bench),
        _raises(bench),
        _samples(bench),
        _times(bench),
        _utilities(bench),
        _exchange(bench),
    ]
    parts += [_published(bench), _rules(bench)]
    parts += ["## Figure 7: examples become rules of a net", example.markdown()]
    parts += [f"![{path.stem}]({path.name})" for path in figures]
    return "\n\n".join(p for p in parts if p) + "\n"


def _setting(bench: ExperimentFolder) -> str:
    s, test = bench.scale.learning, VARIANTS["plain"]
    return (
        f"System {s.system}; φ(s) holds every call with a rule that fits the hand or misses it by "
        f"{s.slack} points. {bench.scale.problems} held-out problems a seed, "
        f"{bench.scale.repeats} time(s) each, {test.seconds:g} s of work a call, "
        f"{test.worlds} worlds; IMPs against the best of the 35 contracts by the losing-trick "
        "count (0 is perfect)."
    )


def _headline(found: dict[str, dict[int, Curve]]) -> str:
    parts = ["## What learning brings (Figures 9 to 12)"]
    head = ["PIDM in the test", "seed", "nets refined", "before", "after", "gain", "lookaheads",
            "sampling failures", "instances"]  # fmt: skip
    for words, curves in found.items():
        rows = [row for variant in _WORDS for row in _headline_rows(variant, curves)]
        if rows:
            parts.append(f"### {words.capitalize()}\n\n{table(head, rows)}")
    parts.append(
        "Gains are means over problems of after minus before, with the error of that difference. "
        "Paper: about −3.7 before, −2.7 after (+1 IMP); GIB 6.1.0 −3.03."
    )
    return "\n\n".join(parts)


def _headline_rows(variant: str, curves: dict[int, Curve]) -> list[list[str]]:
    rows, pairs = [], []
    for seed, curve in curves.items():
        if len(curve) < 2 or variant not in curve[0] or variant not in curve[-1]:
            continue
        before, after = curve[0][variant], curve[-1][variant]
        pairs.append(gain(before, after))
        rows.append([
            _WORDS[variant], str(seed), str(curve[-1]["refined"]), _imps(before), _imps(after),
            _signed(*pairs[-1]), _fall(before, after, "lookaheads"),
            _fall(before, after, "failures"), _fall(before, after, "instances"),
        ])  # fmt: skip
    if len(pairs) > 1 and variant != "large":  # the large set is the same for all seeds
        rows.append([_WORDS[variant], "all", "", "", "", _signed(*pooled(pairs)), "", "", ""])
    return rows


def _imps(cell: Cell) -> str:
    return f"{cell['imps']:.2f} ± {cell['error']:.2f}"


def _signed(mean: float, error: float) -> str:
    return f"{mean:+.2f} ± {error:.2f}"


def _fall(before: Cell, after: Cell, name: str) -> str:
    words = f"{before[name]:,.0f} → {after[name]:,.0f}"
    return f"{words} ({100 * (after[name] / before[name] - 1):+.0f} %)" if before[name] else words


def _curve_table(title: str, curve: Curve) -> str:
    parts = []
    for variant, words in list(_WORDS.items())[:1]:
        rows = [
            [str(c["refined"]), f"{c['train_seconds'] / 60:.1f}", _imps(c[variant]),
             _imps(c["quick"]), f"{c[variant]['lookaheads']:,.0f}",
             f"{100 * c[variant]['ratio']:.0f} %",
             f"{c[variant]['nets_used']}", f"{c[variant]['instances']:,.0f}",
             f"{c[variant]['failures']:,.0f}", f"{c[variant]['stage']:.1f}"]
            for c in curve if variant in c
        ]  # fmt: skip
        if rows:
            head = ["nets refined", "minutes", "IMPs a problem", "nets alone", "lookaheads",
                    "own calls searched", "refined nets used", "instances", "failures",
                    "stage"]  # fmt: skip
            parts.append(f"### {title}; {words}\n\n{table(head, rows)}")
    return "\n\n".join(parts)


def _searches(bench: ExperimentFolder) -> str:
    """Before learning, on the same problems: how far to simulate."""
    rows = []
    for variant, words in _WORDS.items():
        found = {s: bench.store.get(f"search-{s}-{variant}") for s in bench.scale.seeds}
        more = []
        for seed, cell in found.items():
            if cell is None:
                continue
            plain = bench.store.get(f"search-{seed}-plain")
            more += [gain(plain, cell)] if plain is not None and variant != "plain" else []
            rows.append([
                words, str(seed), _imps(cell), _signed(*more[-1]) if more else "",
                f"{cell['lookaheads']:,.0f}", f"{cell['failures']:,.0f}",
                f"{cell['instances']:,.0f}",
            ])  # fmt: skip
        if len(more) > 1:
            rows.append([words, "all", "", _signed(*pooled(more)), "", "", ""])
    head = ["PIDM", "seed", "IMPs a problem", "more than by first choices", "lookaheads",
            "sampling failures", "instances"]  # fmt: skip
    return f"## Before learning: how far to simulate\n\n{table(head, rows)}" if rows else ""


def _raises(bench: ExperimentFolder) -> str:
    parts = []
    for seed in bench.scale.seeds:
        curve = curve_of(bench.restricted(seed))
        rows = [
            [str(c["refined"]), _imps(c["plain"]), _imps(c["quick"]),
             f"{c['plain']['instances']:,.0f}", f"{c['plain']['lookaheads']:,.0f}"]
            for c in curve if "plain" in c
        ]  # fmt: skip
        if rows:
            head = ["nets refined", "IMPs a problem", "nets alone", "instances", "lookaheads"]
            parts.append(f"Seed {seed}\n\n{table(head, rows)}")
    return "## Raises of a major only (Figure 13)\n\n" + "\n\n".join(parts) if parts else ""


def _grid(bench: ExperimentFolder, name: str, points: Sequence[float], label: str) -> str:
    """What learning brings at each point: all seeds together, and the gain of every one."""
    rows = []
    for point in points:
        found = [
            tuple(bench.store.get(f"{name}-{s}-{point:g}-{when}") for when in ("before", "after"))
            for s in bench.scale.seeds
        ]
        pairs = [(before, after) for before, after in found if before and after]
        if pairs:
            rows.append([f"{point:g}", *_together(pairs)])
    head = [label, "before", "after", "gain", "gain of each seed", "instances before", "after"]
    return table(head, rows) if rows else ""


def _together(pairs: Sequence[tuple[Cell, Cell]]) -> list[str]:
    """Seeds, each with problems of its own, before and after learning."""
    sides = list(zip(*pairs, strict=True))
    means = [pooled([(c["imps"], c["error"]) for c in side]) for side in sides]
    gains = [gain(*pair) for pair in pairs]
    return [
        *(f"{mean:.2f} ± {error:.2f}" for mean, error in means),
        _signed(*pooled(gains)),
        ", ".join(f"{mean:+.2f}" for mean, _ in gains),
        *(f"{np.mean([c['instances'] for c in side]):,.0f}" for side in sides),
    ]


def _samples(bench: ExperimentFolder) -> str:
    found = _grid(bench, "sample", SAMPLE_SIZES, "sample size")
    return f"## Sample size (Figure 14)\n\n{found}" if found else ""


def _times(bench: ExperimentFolder) -> str:
    found = _grid(bench, "time", SECONDS, "seconds of work a call")
    return f"## Time limit (Figure 15)\n\n{found}" if found else ""


def utilities(bench: ExperimentFolder, seed: int) -> dict[str, dict[int, Cell]]:
    """Figure 16's two curves, as far as they were measured: nets refined, and the test."""
    found = {
        name: {n: bench.store.get(f"utility-{seed}-{name}-{n}") for n in bench.points}
        for name in ("same", "different")
    }
    return {name: {n: c for n, c in by.items() if c is not None} for name, by in found.items()}


def _utilities(bench: ExperimentFolder) -> str:
    rows, less = [], []
    for seed in bench.scale.seeds:
        found = utilities(bench, seed)
        if any(len(cells) < len(bench.points) for cells in found.values()):
            continue
        rows += [[str(seed), name, *map(_imps, cells.values())] for name, cells in found.items()]
        both = zip(found["same"].values(), found["different"].values(), strict=True)
        less.append([gain(same, different) for same, different in both])
    if len(less) > 1:
        worth = [_signed(*pooled(of_seeds)) for of_seeds in zip(*less, strict=True)]
        rows.append(["all", "different less same", *worth])
    head = ["seed", "utilities", *(f"after {n} nets" for n in bench.points)]
    return f"## Utility functions (Figure 16)\n\n{table(head, rows)}" if rows else ""


def _exchange(bench: ExperimentFolder) -> str:
    rows = []
    for words in ("raises only", "whole system"):
        last = []
        for seed in bench.scale.seeds:
            together, apart = _with_and_without(bench, seed, words)
            met = [(c, o) for c in together if (o := _nearest(apart, int(c["refined"])))]
            for cell, other in met:
                rows.append([
                    words, str(seed), f"{other['refined']} / {cell['refined']}",
                    _imps(other["quick"]), _imps(cell["quick"]), _imps(other["plain"]),
                    _imps(cell["plain"]), _signed(*gain(other["plain"], cell["plain"])),
                ])  # fmt: skip
            last += [gain(o["plain"], c["plain"]) for c, o in met[-1:]]
        if len(last) > 1:
            rows.append([words, "all, last", "", "", "", "", "", _signed(*pooled(last))])
    head = ["states", "seed", "nets, apart / exchanged", "nets alone, apart", "exchanged",
            "PIDM, apart", "exchanged", "exchange brings"]  # fmt: skip
    paper = (
        "Paper: −1.76 and −1.80 without exchange, −1.69 and −1.57 with it (1 and 2 nets). Of ours "
        "2 nets are one of each partner: nothing was known then that could have been exchanged."
    )
    return f"## Exchange of nets (5.4.3)\n\n{table(head, rows)}\n\n{paper}" if rows else ""


def _with_and_without(bench: ExperimentFolder, seed: int, words: str) -> tuple[Curve, Curve]:
    if words == "whole system":
        return curve_of(bench.learning(seed)), curve_of(bench.apart(seed))
    apart = bench.restricted(seed, "apart", exchange=False)
    return curve_of(bench.restricted(seed)), curve_of(apart)


def _nearest(curve: Curve, refined: int) -> dict[str, Any] | None:
    """The measurement with about as many nets: rounds end a few nets apart."""
    near = [c for c in curve if refined and abs(c["refined"] - refined) <= 0.15 * refined]
    return min(near, key=lambda c: abs(c["refined"] - refined), default=None)


def _published(bench: ExperimentFolder) -> str:
    before, after = (bench.store.get(f"published-{when}") for when in ("before", "after"))
    if before is None or after is None:
        return ""
    rows = [
        [name, f"{pair[0]:.0f}", f"{after[name][0]:.0f}", f"{pair[1]:.0f}"]
        for name, pair in before.items()
    ]
    return f"## Published problems\n\n{table(['set', 'before', 'after', 'of'], rows)}"


def _rules(bench: ExperimentFolder, most: int = 40) -> str:
    path: Path = bench.out / f"seed{bench.scale.seeds[0]}" / "learned.bid"
    if not path.exists():
        return ""
    lines = path.read_text(encoding="utf-8").splitlines()[:most]
    return "## Learned agreements (the first of them)\n\n```\n" + "\n".join(lines) + "\n```"
