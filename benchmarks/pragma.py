"""R-deals a second and their bias, contract nets against solved deals, their speed and calibration.
Run: python -m benchmarks pragma, or python -m benchmarks.pragma --deals FILE --plot FILE.png;
`overtrick reproduce gamback1993 --stage match` plays the match."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rows import Row, at_least, at_most, markdown
from overtrick.nets.contract import PaperNets, contract_model
from overtrick.worlds import Dealer
from overtrick.worlds.annealing import Annealer
from overtrick_lab.papers.gamback1993.diagnostics import Bias, bias
from overtrick_lab.papers.gamback1993.examples import figure_6_constraints
from overtrick_lab.training.data import hands_of, read_solved
from overtrick_lab.training.trick_figures import measured

DEALS = Path("data/solved_deals.npz")
FIGURE_6, KNOWN = figure_6_constraints()


def r_deals(count: int = 40_000) -> tuple[float, float, Bias]:
    """Annealed and exact deals per CPU second for Figure 6, and the bias of the former."""
    annealer = Annealer(FIGURE_6, known=KNOWN)
    annealer.sample(500, np.random.default_rng(0))
    began = time.process_time()
    found = annealer.sample(count, np.random.default_rng(1)).hands
    annealed = count / (time.process_time() - began)
    began = time.process_time()
    truth = Dealer(FIGURE_6, known=KNOWN).sample(10 * count, np.random.default_rng(2)).hands
    exact = 10 * count / (time.process_time() - began)
    return annealed, exact, bias(found, truth)


def nets(path: Path, last: int) -> dict[str, dict[str, Any]]:
    """Both nets on the last deals of a file: errors, calibration, contracts per CPU second."""
    solved = read_solved(path)
    hands, tricks = hands_of(solved.owner[-last:]), solved.tricks[-last:]
    out = {}
    for name in ("paper", "tricks"):
        model = contract_model(name)
        model.table(hands[:64])
        began = time.process_time()
        table = model.table(hands)
        seconds = time.process_time() - began
        out[name] = measured(table, tricks)
        out[name]["contracts_per_second"] = 20 * len(hands) / seconds
        out[name]["worst_decile"] = max(
            100 * abs(r["said"] - r["happened"]) for r in out[name]["calibration"]
        )
    paper = contract_model("paper")
    assert isinstance(paper, PaperNets)
    began = time.process_time()
    paper.tricks(hands, 3, 0)
    out["paper"]["single"] = len(hands) / (time.process_time() - began)
    return out


def draw(nets: Mapping[str, Sequence[Mapping[str, Any]]], path: Path) -> None:
    """Write a picture; each net's rows have `said`, `happened` and `n` by decile."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4))
    left.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, rows in nets.items():
        said = [row["said"] for row in rows]
        off = [100 * (row["happened"] - row["said"]) for row in rows]
        left.plot(said, [row["happened"] for row in rows], "o-", markersize=3, label=name)
        right.plot(said, off, "o-", markersize=3, label=name)
    left.set_xlabel("said: P(at least k tricks)")
    left.set_ylabel("happened")
    left.legend()
    right.axhspan(-2, 2, color="0.93")
    right.axhline(0, color="0.7", linewidth=1)
    right.set_xlabel("said")
    right.set_ylabel("happened − said, points")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def rows_of(path: Path, last: int, plot: Path | None = None) -> list[Row]:
    annealed, exact, found = r_deals()
    rows = [
        at_least("R-deals of Figure 6 by annealing, per CPU second", annealed, 2000, "{:.0f}"),
        Row("the same by the exact dealer", f"{exact:.0f}"),
        at_most("largest distance on points and lengths", found.worst, 0.03, "{:.4f}"),
        Row("what two fair samples of that size show (points)", f"{found.noise:.4f}"),
        Row("largest difference in who holds an A, K, Q", f"{found.worst_card:.4f}"),
    ]
    both = nets(path, last)
    for name, m in both.items():
        rows += [
            Row(f"{name}: mean absolute error, tricks", f"{m['mean_absolute_error']:.3f}")
            if name == "paper"
            else at_most(f"{name}: mean absolute error, tricks", m["mean_absolute_error"], 0.55),
            Row(f"{name}: log-loss", f"{m['log_loss']:.3f}"),
            at_most(f"{name}: worst decile of calibration, points", m["worst_decile"], 2.0),
            at_least(f"{name}: contracts a second", m["contracts_per_second"], 50_000, "{:.0f}"),
        ]
    rows.append(
        at_least("paper: single contracts a second", both["paper"]["single"], 50_000, "{:.0f}")
    )
    if plot is not None:
        draw({n: m["calibration"] for n, m in both.items()}, plot)
    return rows


def run() -> list[Row]:
    return rows_of(DEALS, 5000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=Path, default=DEALS)
    parser.add_argument("--last", type=int, default=5000, help="take the last deals of the file")
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    print(markdown(rows_of(args.deals, args.last, args.plot)))


if __name__ == "__main__":
    main()
