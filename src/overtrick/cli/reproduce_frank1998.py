"""`overtrick reproduce frank1998`: the trees, the suits and the comparison of "Search in games
with incomplete information". Used from the command line; work in `gametree` and `suitplay`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from overtrick.cli.common import echo_json, progress

# The paper's suits: figure, North, South, tricks, its figure in per cent ('' when it has none).
SUITS: Final = (
    ("3 (Encyclopedia)", "AKQJ9", "32", 5, "87"),
    ("22", "J876", "AT32", 3, ""),
)
_QUICK_PROBLEMS: Final = 12


@click.command("frank1998")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("frank1998"),
    show_default=True,
    help="Where the report and the drawn trees go.",
)
@click.option("--problems", default=400, show_default=True, help="Random suits to compare on.")
@click.option("--seed", default=1, show_default=True, help="Which random suits.")
@click.option("--quick", is_flag=True, help=f"Only {_QUICK_PROBLEMS} random suits.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def command(out: Path, problems: int, seed: int, quick: bool, as_json: bool) -> None:
    """Repeat Frank & Basin 1998: every tree, the suits, and the algorithms on random suits.

    Example: overtrick reproduce frank1998 --quick --out frank1998
    """
    from overtrick.gametree import report

    out.mkdir(parents=True, exist_ok=True)
    drawn = _draw(out)
    rows = _compare(_QUICK_PROBLEMS if quick else problems, seed)
    parts = [
        "# Search in games with incomplete information",
        "## The trees",
        report.markdown(),
        "## The trees, drawn",
        *(f"![{name}]({name}.svg)" for name in drawn),
        "## The suits",
        _suits(),
        "## The algorithms on random suits",
        f"{len(rows) and rows[0]['problems']} random holdings of six to nine cards on which "
        f"double-dummy play beats every line, seed {seed}; best defence, exact values.",
        _table(rows),
    ]
    (out / "report.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    if as_json:
        echo_json({"report": str(out / "report.md"), "algorithms": rows})
    else:
        click.echo(_table(rows))
        click.echo(f"report: {out / 'report.md'}")


def _draw(out: Path) -> list[str]:
    from overtrick.gametree.drawing import draw
    from overtrick.gametree.paper import FIGURES

    names = []
    for entry in FIGURES:
        name = f"figure-{entry.number}"
        (out / f"{name}.svg").write_text(draw(entry.tree()), encoding="utf-8")
        names.append(name)
    return names


def _suits() -> str:
    from overtrick.suitplay import solve

    lines = ["| Fig. | holding | tricks | paper | here | line |", "|---|---|---|---|---|---|"]
    for figure, north, south, tricks, paper in SUITS:
        suit = solve(north, south)
        best = max(suit.lines, key=lambda line: line.chances[tricks])
        chance = f"{100 * suit.chances[tricks]:.2f} %"
        said = f"{paper} %" if paper else "–"
        words = suit.words(best)
        lines.append(f"| {figure} | {north} / {south} | {tricks} | {said} | {chance} | {words} |")
    return "\n".join(lines)


def _compare(count: int, seed: int) -> list[dict[str, float | str | int]]:
    import numpy as np

    from overtrick.suitplay.algorithms import compare, random_problems

    problems = []
    with progress("random suits", count) as update:
        for problem in random_problems(np.random.default_rng(seed), count):
            problems.append(problem)
            update(len(problems), count)
    return [
        {
            "algorithm": s.algorithm,
            "problems": s.problems,
            "optimal": s.optimal,
            "loss": s.loss,
            "seconds": round(s.seconds, 2),
        }
        for s in compare(problems)
    ]


def _table(rows: list[dict[str, float | str | int]]) -> str:
    lines = ["| algorithm | optimal | mean loss | CPU s |", "|---|---|---|---|"]
    for r in rows:
        optimal, loss = float(r["optimal"]), float(r["loss"])
        lines.append(
            f"| {r['algorithm']} | {100 * optimal:.1f} % | {100 * loss:.2f} % | {r['seconds']} |"
        )
    return "\n".join(lines)
