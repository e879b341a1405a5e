"""`overtrick tournament`: many engines, round robin, Swiss, pairs or ladder.
The work is in `arena.tournament`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import NewFile, console, echo_json
from overtrick.cli.running import (
    Bar,
    backend_of,
    chosen_deals,
    goes_on,
    say_how_it_is_played,
    say_promise,
    where_option,
)

if TYPE_CHECKING:
    from overtrick.arena.standings import StandingsRow
    from overtrick.arena.tournament import FinishedTournament

_POINTS = {
    "round-robin": "victory points",
    "swiss": "victory points",
    "pairs": "matchpoints %",
    "ladder": "rung",
}


@click.command("tournament")
@click.argument("kind", type=click.Choice(list(_POINTS)))
@click.argument("engines", nargs=-1, required=True)
@click.option("-n", "--boards", default=16, show_default=True, type=click.IntRange(min=1),
              help="Boards of one match.")  # fmt: skip
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(min=1),
              help="Rounds (Swiss and ladder).")  # fmt: skip
@click.option("--seed", type=int,
              help="Which random deals; 0, or secret ones for engines of others.")  # fmt: skip
@click.option("--play", is_flag=True, help="Play the cards too (default: double-dummy score).")
@click.option("--deals", default="random", show_default=True, help="As in `overtrick match`.")
@where_option
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep every match here; an interrupted tournament goes on.",
)
@click.option("--report", type=NewFile(), help="Write an HTML report.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    kind: str,
    engines: tuple[str, ...],
    boards: int,
    rounds: int,
    seed: int | None,
    play: bool,
    deals: str,
    workers: str,
    ray: str | None,
    folder: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Let many engines play a tournament; ratings are IMPs per board above the average engine.

    \b
    Examples:
      overtrick tournament round-robin rules policy points -n 64 --dir cup --report cup.html
      overtrick tournament pairs rules+pimc points+pimc pass+highest -n 32 --play
    """
    from overtrick.arena.archive import described, is_tournament
    from overtrick.arena.standings import standings
    from overtrick.arena.tournament import Tournament, play_tournament
    from overtrick.table import robot

    for spec in engines:
        robot(spec)  # a wrong name is an error now, not in a worker later
    kept = described(folder) if folder is not None and is_tournament(folder) else None
    number, source = chosen_deals(seed, deals, engines, kept)
    tournament = Tournament(
        kind,  # type: ignore[arg-type]
        engines,
        boards,
        rounds=rounds,
        seed=number,
        method="play" if play else "dd",
        deals=source,
    )
    backend = backend_of(workers, ray)
    say_how_it_is_played(engines, source, number)
    with goes_on(folder), Bar(boards, quiet=as_json) as bar:
        played = play_tournament(
            tournament,
            folder,
            backend,
            lambda r, a, b, p: bar.show(p, f"round {r + 1}: "),
            say_promise,
        )
    rows = standings(played)
    if as_json:
        echo_json(_plain(played, rows))
    else:
        _show(played, rows)  # first: whatever happens to the report
    if report is not None:
        from overtrick.arena.report import tournament_html
        from overtrick.notation.whole import write_whole

        write_whole(report, tournament_html(played))
    if not as_json:
        if report is not None:
            click.echo(f"report: {report}")
        if folder is not None:
            click.echo(f"to look at every board: overtrick serve --matches {folder}")


def _plain(played: FinishedTournament, rows: list[StandingsRow]) -> dict[str, object]:
    engines = played.tournament.engines
    return {
        "kind": played.tournament.kind,
        "boards": played.tournament.boards,
        "standings": [
            {
                "place": r.place,
                "engine": r.engine,
                "points": r.points,
                "matches": r.matches,
                "won": r.won,
                "drawn": r.drawn,
                "rating": r.rating,
                "error": r.error,
            }
            for r in rows
        ],
        "matches": [
            {"round": e.round + 1, "a": engines[e.a], "b": engines[e.b], "imps": e.imps}
            for e in played.encounters
        ],
    }


def _show(played: FinishedTournament, rows: list[StandingsRow]) -> None:
    from rich.table import Table

    from overtrick.arena.standings import cross_table

    engines = played.tournament.engines
    numbers = {engine: i for i, engine in enumerate(engines)}
    cells = cross_table(played)
    out = console()
    table = Table("", "engine", _POINTS[played.tournament.kind], "won", "rating", "± error")
    for row in rows:
        table.add_row(
            str(row.place),
            row.engine,
            f"{row.points:g}",
            f"{row.won} of {row.matches}",
            f"{row.rating:+.2f}",
            f"{row.error:.2f}",
        )
    out.print(table)
    cross = Table("IMPs against", *(str(r.place) for r in rows))
    for row in rows:
        mine = cells[numbers[row.engine]]
        cross.add_row(row.engine, *(mine[numbers[other.engine]] for other in rows))
    out.print(cross)
