"""Figs. 2 to 6 as PNG files, and one more: what is opened by strength.
Matplotlib is loaded only here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick_lab.papers.qiu2024 import paper
from overtrick_lab.papers.qiu2024.games import KINDS
from overtrick_lab.papers.qiu2024.numbers import Numbers
from overtrick_lab.papers.qiu2024.results import surest
from overtrick_lab.training.data import DataError

_STRAINS: Final = "♣♦♥♠"
_LEAST_POSITIONS: Final = 30  # fewer say nothing about a length of auction
_BLUE, _ORANGE, _GREY = "#2f6db5", "#d9822b", "#888888"
Draw = Callable[[Any, Numbers], None]


def check() -> None:
    """An error in one line, before hours of matches, when pictures cannot be drawn."""
    _figure((1, 1))


def draw(numbers: Numbers, folder: Path) -> list[Path]:
    """Every picture for which there are numbers; returns their files."""
    shown = [name for name in ("RL", "RL-BMCS") if name in numbers["agents"]]
    plans: list[tuple[str, tuple[float, float], Draw, bool]] = [
        ("fig2_training", (8.4, 3.6), _training, bool(numbers["curves"])),
        ("fig3_belief", (6.2, 3.6), _belief, bool(numbers["belief"]["points"])),
        ("fig4_openings", (8.4, 3.7), _grids("openings"), bool(shown)),
        ("fig5_contracts", (8.4, 3.7), _grids("contracts"), bool(shown)),
        ("fig6_lengths", (8.4, 3.2), _lengths, bool(shown)),
        ("openings_by_strength", (8.4, 3.8), _strength, "RL" in shown),
    ]
    made = []
    for name, size, plan, wanted in plans:
        if wanted:
            figure = _figure(size)
            plan(figure, numbers)
            path = folder / f"{name}.png"
            figure.savefig(path, dpi=110)
            made.append(path)
    return made


def _figure(size: tuple[float, float]) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise DataError(
            "pictures need matplotlib: pip install 'overtrick[plots]', or --no-plots"
        ) from None
    return Figure(figsize=size, layout="constrained")


def suited(bid: str) -> str:
    """'1H' with its symbol."""
    if len(bid) == 2 and bid[1] in "CDHS":
        return bid[0] + _STRAINS["CDHS".index(bid[1])]
    return bid


def _training(figure: Any, numbers: Numbers) -> None:
    """Strength over SL by calls bid, visits one after the other; the variants beside it."""
    curved = [entry for entry in surest(numbers["ablations"]) if len(entry["curve"]) > 1]
    axes = figure.subplots(1, 2 if curved else 1, sharey=True, squeeze=False)[0]
    start = 0.0
    for place, points in enumerate(numbers["curves"].values()):
        calls = [start + p["calls"] / 1e6 for p in points]
        gain, error = (np.array([p[k] for p in points]) for k in ("over_sl", "error"))
        axes[0].fill_between(calls, gain - error, gain + error, alpha=0.25, color=_BLUE, lw=0)
        axes[0].plot(calls, gain, color=_BLUE, label=None if place else "RL (± standard error)")
        if place:
            axes[0].axvline(start, color="0.8", lw=0.8, zorder=0)
        start = calls[-1]
    axes[0].axhline(paper.OVER_SL[0], ls=":", color=_GREY, label="paper's best, +0.87")
    axes[0].axhline(0, color="0.8", lw=0.8, zorder=0)
    axes[0].set(xlabel="million calls of self-play", ylabel="IMPs a deal over SL")
    axes[0].legend(loc="lower right", frameon=False)
    for number, entry in enumerate(curved):
        style = "--" if entry["variant"].startswith("a2c") else "-"
        for seed, points in enumerate(entry["curves"]):
            bid, over = ([p[k] for p in points] for k in ("calls", "over_sl"))
            axes[1].plot(
                [calls / 1e6 for calls in bid], over, style, color=f"C{number}",
                lw=0.7 if seed else 1.3, label=None if seed else entry["variant"],
            )  # fmt: skip
    if curved:
        axes[1].axhline(0, color="0.8", lw=0.8, zorder=0)
        axes[1].set(xlabel="million calls", title="the same with parts left out (Table IV)")
        axes[0].set(title="self-play that began with SL")
        axes[1].legend(loc="upper left", frameon=False, fontsize="small", ncols=2)


def _belief(figure: Any, numbers: Numbers) -> None:
    axes = figure.subplots()
    belief = numbers["belief"]
    points = [p for p in belief["points"] if p["positions"] >= _LEAST_POSITIONS]
    points = points or belief["points"]
    calls = [p["calls"] for p in points]
    loss, error = (np.array([p[k] for p in points]) for k in ("loss", "error"))
    flat = belief["uniform_loss"]
    axes.axhline(flat, color=_ORANGE, label="uniform deals")
    axes.fill_between(calls, loss - 2 * error, loss + 2 * error, alpha=0.25, color=_BLUE, lw=0)
    axes.plot(calls, loss, "o-", ms=3.5, color=_BLUE, label="belief network (± 2 standard errors)")
    axes.set(xlabel="calls made so far", ylabel="cross-entropy, 156 questions")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False, loc="lower left")


def _grids(key: str) -> Draw:
    """Two heat-maps of level by strain, cells by their share of the agent's games."""
    verb = {"openings": "opened", "contracts": "declared"}[key]

    def plan(figure: Any, numbers: Numbers) -> None:
        shown = [name for name in ("RL", "RL-BMCS") if name in numbers["agents"]]
        grids = [np.array(numbers["agents"][name][key], dtype=float) for name in shown]
        shares = [100 * grid / max(grid.sum(), 1) for grid in grids]
        top = max(share.max() for share in shares)
        for axes, name, share, grid in zip(
            figure.subplots(1, len(shown), squeeze=False)[0], shown, shares, grids, strict=True
        ):
            _heat(axes, share, [*_STRAINS, "NT"], [str(level) for level in range(1, 8)], top)
            axes.set(title=f"{verb} by {name} (% of {int(grid.sum()):,})")

    return plan


def _heat(
    axes: Any,
    share: NDArray[np.float64],
    columns: Sequence[str],
    rows: Sequence[str],
    top: float,
) -> None:
    """Cells with their percentage; colours go by the square root, so that rare ones show."""
    axes.imshow(np.sqrt(share), cmap="Blues", vmin=0, vmax=np.sqrt(max(top, 1e-9)), aspect="auto")
    for (row, column), value in np.ndenumerate(share):
        if value > 0:
            text = f"{value:.1f}" if value >= 0.05 else "·"
            dark = np.sqrt(value) > 0.6 * np.sqrt(top)
            colour = "white" if dark else "#333333"
            axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(length=0)
    _red_suits(axes.get_xticklabels())
    for side in axes.spines.values():
        side.set_visible(False)


def _red_suits(labels: Sequence[Any]) -> None:
    for label in labels:
        if any(suit in label.get_text() for suit in "♦♥"):
            label.set_color("#c0392b")


def _lengths(figure: Any, numbers: Numbers) -> None:
    shown = [name for name in ("RL", "RL-BMCS") if name in numbers["agents"]]
    all_axes = figure.subplots(1, len(shown), sharey=True, sharex=True, squeeze=False)[0]
    for axes, name in zip(all_axes, shown, strict=True):
        counts = np.array(numbers["agents"][name]["lengths"], dtype=float)
        share = 100 * counts / max(counts.sum(), 1)
        axes.bar(np.arange(len(share)), share, width=0.85, color=_BLUE)
        mean = float((np.arange(len(counts)) * counts).sum() / max(counts.sum(), 1))
        axes.axvline(mean, color=_ORANGE, lw=1)
        axes.set(title=f"{name}: mean {mean:.1f} calls", xlabel="calls in the auction")
        axes.set_xlim(3, max(26, len(share)))
        for edge in ("top", "right"):
            axes.spines[edge].set_visible(False)
    all_axes[0].set(ylabel="% of the games")


def _strength(figure: Any, numbers: Numbers) -> None:
    """What a hand with the chance to open does, by its points; columns add up to 100 %."""
    shown = [name for name in ("RL", "SL") if name in numbers["agents"]]
    all_axes = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for axes, name in zip(all_axes, shown, strict=True):
        counts = np.array(numbers["agents"][name]["by_points"], dtype=float)
        share = 100 * counts / np.maximum(counts.sum(axis=0), 1)
        axes.imshow(np.sqrt(share), cmap="Blues", vmin=0, vmax=10, aspect="auto")
        points = counts.shape[1]
        ticks = list(range(0, points, 2))
        axes.set_xticks(ticks, [f"{t}+" if t == points - 1 else str(t) for t in ticks])
        axes.set_yticks(range(len(KINDS)), [suited(kind) for kind in KINDS])
        axes.set_xticks(np.arange(points) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(KINDS)) - 0.5, minor=True)
        axes.grid(which="minor", color="white", lw=0.6)
        axes.tick_params(which="both", length=0)
        axes.set(title=f"{name} opens", xlabel="high-card points")
        _red_suits(axes.get_yticklabels())
