"""`overtrick league`: a schedule of matches, ours and other people's programs.
The work is in `arena.league`."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from overtrick.cli.common import NewFile, console, echo_json
from overtrick.cli.running import Bar, backend_of, goes_on, where_option

if TYPE_CHECKING:
    from overtrick.arena import MatchProgress
    from overtrick.arena.league import Pair, Results, Schedule, Where


@click.command("league")
@click.argument("schedule", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dir", "folder", required=True, type=click.Path(file_okay=False, path_type=Path),
              help="Keep every match here; an interrupted league goes on.")  # fmt: skip
@click.option("--with", "outside", multiple=True, metavar="NAME=ENGINE",
              help="How to start a program from outside that the schedule names.")  # fmt: skip
@click.option("--only", metavar="TEXT", help="Only matches of robots with this in a name.")
@click.option("--results", type=NewFile(".json"),
              help="The file of results; results.json in the folder unless given.")  # fmt: skip
@click.option("--take", "played", multiple=True, metavar="FILE",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A match of both rooms played at a Table Manager (PBN).")  # fmt: skip
@click.option("--name", "names", multiple=True, metavar="TEAM=ROBOT",
              help="Which team of such a file is which robot of the schedule.")  # fmt: skip
@click.option("--as-it-stands", is_flag=True,
              help="Play nothing; count matches that were broken off.")  # fmt: skip
@click.option("--seed", type=int, help="Repeat a league on its deals; drawn unless given.")
@where_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    schedule: Path,
    folder: Path,
    outside: tuple[str, ...],
    only: str | None,
    results: Path | None,
    played: tuple[Path, ...],
    names: tuple[str, ...],
    as_it_stands: bool,
    seed: int | None,
    workers: str,
    ray: str | None,
    as_json: bool,
) -> None:
    """Play a league of robots, ours and others, and say how strong each is.

    The schedule names robots and who meets whom; docs/howto/opponents.md has one.

    \b
    Examples:
      overtrick league docs/results/league.toml --dir league
      overtrick league docs/results/league.toml --dir league
                --with "BBA two-over-one=epbot(lib=libEPBot.so, card=BBA-21GF.bbsa)"
    """
    from overtrick.arena.league import (
        Results,
        Schedule,
        commitment,
        play_league,
        seed_of,
        taken,
    )

    plan = Schedule.read(schedule)
    known = dict(_named("--with", text) for text in outside)
    called = dict(_named("--name", text) for text in names)
    place = results or folder / "results.json"
    drawn = seed_of(folder, seed)
    hashed = commitment(drawn)
    found = Results(_typed(), drawn, hashed)
    if place.exists() and (held := Results.read(place)).seed == drawn:
        found = held
    if not as_json:
        console().print(f"deals: sha256 {hashed}", markup=False)
    chosen = [p for p in plan.match if not only or only in p.a or only in p.b]
    total = sum(p.boards for p in chosen)
    where = _where()
    with goes_on(folder), Bar(total, quiet=as_json) as bar:
        done: dict[Pair, int] = {}

        def tell(pair: Pair, now: MatchProgress) -> None:
            done[pair] = now.done
            bar.show(replace(now, done=sum(done.values())), f"{pair.a} – {pair.b}: ")

        backend = backend_of(workers, ray)
        runs = play_league(
            plan, known, found, folder, where, backend, only=chosen, report=tell,
            play=not as_it_stands,
        )  # fmt: skip
        for found in runs:
            found.write(place)
    for path in played:
        found = taken(plan, found, path, called, where)
        found.write(place)
    _show(plan, found, as_json)


def _named(option: str, text: str) -> tuple[str, str]:
    # An engine has = in its options, and so has a team that is named by its engine.
    cut = text.partition if option == "--with" else text.rpartition
    name, equals, spec = cut("=")
    if not equals or not name.strip():
        raise click.UsageError(f"{option} reads NAME=VALUE, not {text!r}")
    return name.strip(), spec.strip()


def _typed() -> str:
    """The command that plays it, with names of files but not the folders of this machine."""
    typed = (w for w in sys.argv[1:] if w != "--as-it-stands")
    words = ["overtrick", *(re.sub(r"(?<![\w.])/(?:[^/\s'\",)]+/)+", "", w) for w in typed)]
    return shlex.join(words)


def _where() -> Where:
    from overtrick.arena.league import Where
    from overtrick.cli.origin import commit, machine

    return Where(f"{datetime.now(UTC):%Y-%m-%d}", commit(), machine())


def _show(plan: Schedule, found: Results, as_json: bool) -> None:
    from rich.table import Table

    from overtrick.arena.league import as_plain

    if as_json:
        echo_json(as_plain(plan, found))
        return
    rows = Table("", "against", "boards", "scored", "IMPs a board", "seconds, ours", "theirs")
    for pair in plan.match:
        row = found.found(pair)
        how = pair.how
        if row is None or not row.boards:
            rows.add_row(pair.a, pair.b, "0", how, "not yet played", "", "")
            continue
        rows.add_row(
            pair.a, pair.b, str(row.boards), how, f"{row.imps:+.3f} ± {row.error:.3f}",
            row.a.seconds, row.b.seconds,
        )  # fmt: skip
    console().print(rows)
    for row in found.rows:
        if row.shares:
            told = ", ".join(f"{k} {x:+.2f} ± {e:.2f}" for k, (x, e) in row.shares.items())
            console().print(f"{row.a.name} – {row.b.name}: {told}", markup=False)
    if found.ratings:
        rated = Table("IMPs a board above the average", "scored", "rating")
        for r in found.ratings:
            how = "played" if r.play else "double dummy"
            rated.add_row(r.name, how, f"{r.imps:+.3f} ± {r.error:.3f}")
        console().print(rated)
