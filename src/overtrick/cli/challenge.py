"""`overtrick challenge`: an engine bids a set of problems and earns awards.
The work is in `arena.challenge`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.bidding import usual_bidder
from overtrick.cli.common import coloured, console, echo_json, progress
from overtrick.cli.running import backend_of

if TYPE_CHECKING:
    from overtrick.arena.challenge import Answer, Problem


@click.command("challenge")
@click.argument("source", required=False)
@click.option(
    "--engine", default=usual_bidder, show_default="partner", help="Who bids North-South."
)
@click.option("--set", "only", help="Only this set of the file.")
@click.option("-w", "--workers", default="1", show_default=True, help="Processes.")
@click.option("--totals", "short", is_flag=True, help="Only the totals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    source: str | None, engine: str, only: str | None, workers: str, short: bool, as_json: bool
) -> None:
    """Bid problems with awards for each contract; the opponents follow the problem's script.

    SOURCE is one of the sets that come with Overtrick, or a file of problems (JSON lines, see
    docs/howto/match.md). Without it the sets are listed.

    \b
    Examples:
      overtrick challenge
      overtrick challenge slams --engine pragma
      overtrick challenge problems.jsonl --engine "rules(system=two-over-one)" --set pavlicek-1
    """
    from overtrick.arena.challenge import solve, totals
    from overtrick.table import robot

    robot(engine)
    if source is None:
        _list(as_json)
        return
    problems = _problems(source, only)
    backend = backend_of(workers, None)
    answers: list[Answer] = []
    with progress("bidding problems", len(problems)) as update:
        for answer in solve(engine, problems, backend):
            answers.append(answer)
            update(len(answers), len(problems))
    sums = totals(answers)
    if as_json:
        echo_json(
            {
                "engine": engine,
                "totals": {name: list(pair) for name, pair in sums.items()},
                "problems": [_plain(a) for a in answers],
            }
        )
        return
    if not short:
        _show(answers)
    for name, (earned, possible) in sums.items():
        click.echo(f"{name}: {earned:g} of {possible:g} ({100 * earned / possible:.1f} %)")


def _list(as_json: bool) -> None:
    from overtrick.web.problems import shipped

    if as_json:
        rows = [(s.name, s.title, s.words, len(s.problems)) for s in shipped()]
        echo_json([dict(zip(("name", "title", "words", "problems"), r, strict=True)) for r in rows])
        return
    for s in shipped():
        console().print(coloured(f"{s.name:<12} {len(s.problems):>3} problems  {s.words}"))


def _problems(source: str, only: str | None) -> list[Problem]:
    from overtrick.arena.challenge import load
    from overtrick.web.problems import shipped

    named = {s.name: list(s.problems) for s in shipped()}
    if source in named:
        return named[source]
    if not Path(source).is_file():
        raise click.UsageError(f"there is no file {source!r}, and the sets are {', '.join(named)}")
    return load(Path(source), only)


def _plain(answer: Answer) -> dict[str, object]:
    p = answer.problem
    return {
        "set": p.set,
        "board": p.board,
        "auction": answer.auction,
        "contract": answer.contract,
        "award": answer.award,
        "best": p.best,
        "best_contracts": p.best_contracts,
    }


def _pretty(text: str) -> str:
    """A call or contract with its suit's symbol: 6S is 6♠."""
    return re.sub(r"\b([1-7])([CDHS])(?=X*\b)", lambda m: m[1] + "♣♦♥♠"["CDHS".index(m[2])], text)


def _show(answers: list[Answer]) -> None:
    from rich.table import Table

    table = Table("problem", "auction", "contract", "award", "best")
    for a in answers:
        p = a.problem
        best = coloured(f"{p.best:g} for {', '.join(_pretty(c) for c in p.best_contracts)}")
        auction = coloured(" ".join(_pretty(c) for c in a.auction.split()))
        contract = coloured(_pretty(a.contract))
        table.add_row(f"{p.set} {p.board}", auction, contract, f"{a.award:g}", best)
    console().print(table)
