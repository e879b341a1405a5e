"""`overtrick reproduce frank1998`: the trees, the suits and the comparison of "Search in games
with incomplete information", and alpha-mu's protocol. Used from the command line; the work is done
in `gametree`, `suitplay` and `cardplay`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from overtrick.cli.common import echo_json, progress

# The paper's suits: figure, North, South, tricks, its figure in per cent ('' when it has none).
SUITS: Final = (
    ("3 (Encyclopedia)", "AKQJ9", "32", 5, "87"),
    ("22", "J876", "AT32", 3, ""),
)
_QUICK_PROBLEMS: Final = 12
_QUICK_DEALS: Final = 2
# The alpha-mu protocol: the name in the table and the declarer.
DECLARERS: Final = {
    "PIMC (M = 1)": "pimc(worlds=20, knowledge=cards)",
    "alpha-mu, M = 2": "alphamu(worlds=20, depth=2, knowledge=cards)",
    "alpha-mu, M = 3": "alphamu(worlds=20, depth=3, knowledge=cards)",
    "alpha-mu, M = 2, evidence weighed": "alphamu(worlds=20, depth=2)",  # ours, not the paper's
}
DEFENDERS: Final = {"PIMC": "pimc(worlds=20)", "double dummy": "dd"}


@click.command("frank1998")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("frank1998"),
    show_default=True,
    help="Where the report and the drawn trees go.",
)
@click.option("--problems", default=400, show_default=True, help="Random suits to compare on.")
@click.option("--deals", default=60, show_default=True, help="Deals of the alpha-mu protocol.")
@click.option("--cards", default=36, show_default=True, help="Cards left in them: 52, 48 … 20.")
@click.option("--workers", default=1, show_default=True, help="Processes for the deals.")
@click.option("--seed", default=1, show_default=True, help="Which random suits and deals.")
@click.option(
    "--quick", is_flag=True, help=f"Only {_QUICK_PROBLEMS} random suits, {_QUICK_DEALS} deals."
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def command(
    out: Path,
    problems: int,
    deals: int,
    cards: int,
    workers: int,
    seed: int,
    quick: bool,
    as_json: bool,
) -> None:
    """Repeat Frank & Basin 1998: every tree, the suits, the algorithms on random suits, and on
    whole hands alpha-mu against Monte Carlo (1NT–3NT, deals in doubt, the same defenders).

    Example: overtrick reproduce frank1998 --quick --out frank1998
    """
    from overtrick.gametree import report

    out.mkdir(parents=True, exist_ok=True)
    drawn = _draw(out)
    rows = _compare(_QUICK_PROBLEMS if quick else problems, seed)
    played = 52 - cards
    if not 0 <= played <= 32 or played % 4:
        raise click.UsageError(f"--cards is 52, 48 … 20, not {cards}")
    hands = _protocol(_QUICK_DEALS if quick else deals, played, workers, seed)
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
        "## Alpha-mu on whole hands",
        f"1NT–3NT, {cards} cards left, deals that make double dummy in 30 to 70 % of the layouts, "
        "20 worlds, same seeds and defenders for every declarer. Differ: deals on which the result "
        "is not that of M = 1; of them: how many alpha-mu won, ± one standard error.",
        _protocol_table(hands),
    ]
    (out / "report.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    if as_json:
        echo_json({"report": str(out / "report.md"), "algorithms": rows, "alphamu": hands})
    else:
        click.echo(_table(rows))
        click.echo(_protocol_table(hands))
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


def _protocol(count: int, played: int, workers: int, seed: int) -> list[dict[str, Any]]:
    """Every declarer against every defence on the same deals in doubt."""
    from overtrick.cardplay.duels import Duel, duels

    found: list[Duel] = []
    seeds = range(1_000_000 * seed, 1_000_000 * seed + 100 * count)
    engines, defences = tuple(DECLARERS.values()), tuple(DEFENDERS.values())
    with progress("1NT–3NT", count) as update:
        for one in duels(seeds, engines, defences, played, workers):
            found.append(one)
            update(len(found), count)
            if len(found) >= count:
                break
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


def _protocol_table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| defence | declarer | deals | makes | differ | of them won | ms a card |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        differ = r["won"] + r["lost"]
        share = r["won"] / differ if differ else 0.0
        error = (share * (1 - share) / differ) ** 0.5 if differ else 0.0
        won = f"{100 * share:.0f} % ± {100 * error:.0f}" if differ else "–"
        makes = f"{100 * r['made'] / max(1, r['deals']):.1f} %"
        lines.append(
            f"| {r['defence']} | {r['declarer']} | {r['deals']} | {makes} | {differ} | {won} "
            f"| {1000 * r['seconds']:.0f} |"
        )
    return "\n".join(lines)
