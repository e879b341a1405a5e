"""The figures of section 5, drawn from finished pieces.
A figure whose pieces are missing is not drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from overtrick.game.errors import BridgeError
from overtrick_lab.papers.amit2006.experiments import SAMPLE_SIZES, SECONDS, ExperimentFolder
from overtrick_lab.papers.amit2006.report import Curve, curve_of, families, gain, utilities
from overtrick_lab.papers.cells import Cell

_ONCE = ("imps", "quick", "nets_used")  # drawn for one way to test only
_FEW = 6  # curves whose names have room beside them
GIB = -3.03  # the horizontal line of Figure 9
_SHORT = {
    "tags by first choices": "first choices", "tags that look ahead": "looking ahead",
    "intersection nodes": "paper's nets",
}  # fmt: skip

_LEARNING = (
    ("fig09", "IMPs a problem | nets alone, IMPs a problem", ("imps", "quick")),
    ("fig10", "lookaheads | refined nets used", ("lookaheads", "nets_used")),
    ("fig11", "instances | sampling failures", ("instances", "failures")),
    ("fig12", "calls before a lookahead", ("stage",)),
)


def draw(bench: ExperimentFolder) -> list[Path]:
    """All figures that can be drawn; the files."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BridgeError("figures need matplotlib: pip install 'overtrick[plots]'") from None
    out: list[Path] = []
    curves = {
        f"seed {seed}, {_SHORT[words]}": curve
        for words, found in families(bench).items()
        for seed, curve in found.items()
        if len(curve) > 1
    }
    if curves:
        out += [_learning(bench, Figure, spec, curves) for spec in _LEARNING]
    raises = {f"seed {s}": curve_of(bench.restricted(s)) for s in bench.scale.seeds}
    raises = {words: c for words, c in raises.items() if len(c) > 1}
    if raises:
        spec = ("fig13", "IMPs a problem | instances", ("imps", "instances"))
        out.append(_learning(bench, Figure, spec, raises))
    wants = _wants(bench)
    if wants:
        out.append(_learning(bench, Figure, ("fig16", "IMPs a problem", ("imps",)), wants))
    for name, points, file, label in (
        ("sample", SAMPLE_SIZES, "fig14", "sample size"),
        ("time", SECONDS, "fig15", "seconds of work a call"),
    ):
        found = _grid(bench, Figure, (name, points, file, label))
        out += [found] if found else []
    return out


def _wants(bench: ExperimentFolder) -> dict[str, Curve]:
    """Figure 16's curves."""
    return {
        f"seed {s}, {name} utilities": [{"refined": n, "plain": c} for n, c in by.items()]
        for s in bench.scale.seeds
        for name, by in utilities(bench, s).items()
        if len(by) > 1
    }


def _learning(
    bench: ExperimentFolder,
    figure_class: Any,
    spec: tuple[str, str, tuple[str, ...]],
    curves: dict[str, Curve],
) -> Path:
    name, labels, fields = spec
    figure = figure_class(figsize=(5.2 * len(fields), 3.6), layout="constrained")
    axes = figure.subplots(1, len(fields), squeeze=False)[0]
    for axis, field, label in zip(axes, fields, labels.split(" | "), strict=True):
        for color, (words, curve) in enumerate(curves.items()):
            for variant, style in (("plain", "-o"), ("deep", "--s")):
                cells = [c for c in curve if variant in c]
                if len(cells) < 2 or (field in _ONCE and variant == "deep"):
                    continue
                x = [c["refined"] for c in cells]
                y = [c["quick"]["imps"] if field == "quick" else c[variant][field] for c in cells]
                more = ", partner searching" if variant == "deep" else ""
                e = [_error(c, variant, field) for c in cells]
                axis.errorbar(
                    x, y, e if any(e) else None, fmt=style, ms=3, elinewidth=0.8,
                    color=f"C{color}", label=words + more,
                )  # fmt: skip
        if name == "fig09" and field == "imps":
            axis.axhline(GIB, color="0.4", linestyle=":", label="GIB 6.1.0, as the paper has it")
        axis.set(xlabel="nets refined", ylabel=label)
        axis.set_xscale("symlog", linthresh=16)
        if field in ("lookaheads", "failures", "instances"):
            axis.set_yscale("symlog", linthresh=10)  # searching partners need ten times as many
        axis.grid(alpha=0.3)
    if len(curves) > _FEW:
        handles, names = axes[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside right upper", fontsize="x-small")
    else:
        axes[0].legend(fontsize="x-small")
    path = bench.out / f"{name}.png"
    figure.savefig(path, dpi=80)
    return path


def _error(cell: Cell, variant: str, field: str) -> float:
    """The standard error of IMPs; counts have none."""
    if field == "quick":
        return float(cell["quick"]["error"])
    return float(cell[variant]["error"]) if field == "imps" else 0.0


def _grid(
    bench: ExperimentFolder, figure_class: Any, spec: tuple[str, tuple[float, ...], str, str]
) -> Path | None:
    name, points, file, label = spec
    figure = figure_class(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    found = {seed: _before_and_after(bench, f"{name}-{seed}", points) for seed in bench.scale.seeds}
    found = {seed: done for seed, done in found.items() if done}
    for seed, done in found.items():
        x = [p for p, _, _ in done]
        left.plot(x, [b["imps"] for _, b, _ in done], "--s", ms=3, label=f"before, seed {seed}")
        left.plot(x, [a["imps"] for _, _, a in done], "-o", ms=3, label=f"after, seed {seed}")
        if name == "time":
            gains = [gain(b, a) for _, b, a in done]
            right.errorbar(x, [g for g, _ in gains], [e for _, e in gains], label=f"seed {seed}")
            right.set(ylabel="gain of learning, IMPs a problem")
        else:
            right.plot(x, [b["instances"] for _, b, _ in done], "--s", ms=3, label="before")
            right.plot(x, [a["instances"] for _, _, a in done], "-o", ms=3, label="after")
            right.set(ylabel="instances")
    if not found:
        return None
    left.set(xlabel=label, ylabel="IMPs a problem")
    right.set(xlabel=label)
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(fontsize="small")
    path = bench.out / f"{file}.png"
    figure.savefig(path, dpi=80)
    return path


def _before_and_after(
    bench: ExperimentFolder, name: str, points: tuple[float, ...]
) -> list[tuple[float, Cell, Cell]]:
    """The points that were measured both before and after learning."""
    found = []
    for point in points:
        before, after = (bench.store.get(f"{name}-{point:g}-{w}") for w in ("before", "after"))
        if before and after:
            found.append((point, before, after))
    return found
