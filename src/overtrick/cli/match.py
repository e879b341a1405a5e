"""`overtrick match`: two engines over many boards, duplicate, with honest statistics.
The work is in `arena`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from overtrick.arena import Backend, Estimate, Match
    from overtrick.arena.shares import PartShare
    from overtrick.arena.store import Store


@click.command("match")
@click.argument("a")
@click.argument("b")
@click.option("-n", "--boards", default=100, show_default=True, type=click.IntRange(min=1),
              help="Boards, each in both rooms.")  # fmt: skip
@click.option("--seed", type=int,
              help="Which random deals; 0, or secret ones for engines of others.")  # fmt: skip
@click.option("--play", is_flag=True,
              help="Play the cards too (default: double-dummy score); name players, as in "
              "rules+pimc, or they follow a simple rule.")  # fmt: skip
@click.option("--shares", is_flag=True,
              help="With --play: what bidding, leads, declarer play and defence are worth, each "
              "exchanged on the same boards; with --db the stages are kept beside it.")  # fmt: skip
@click.option(
    "--deals",
    default="random",
    show_default=True,
    help="'random', 'secret', or a PBN, LIN or solved-deals (.npz) file.",
)
@where_option
@click.option("--until", type=click.FloatRange(min=0, min_open=True),
              help="Stop when the standard error is this small.")  # fmt: skip
@click.option("--call-seconds", type=click.FloatRange(min=0, min_open=True),
              help="Clock for one call; late calls are ruled Pass.")  # fmt: skip
@click.option("--card-seconds", type=click.FloatRange(min=0, min_open=True),
              help="Clock for one card.")  # fmt: skip
@click.option("--undisclosed", is_flag=True,
              help="Neither side is told the other's system, or what its calls mean.")  # fmt: skip
@click.option("--chunk", default=20, show_default=True, type=click.IntRange(min=1),
              help="Boards handed to a worker at once.")  # fmt: skip
@click.option("--db", type=NewFile(), help="Keep the match here; goes on later.")
@click.option("--report", type=NewFile(), help="Write an HTML report.")
@click.option("--why", is_flag=True, help="In the report: what both thought on big swings.")
@click.option("--pbn", type=NewFile(".pbn", ".lin"),
              help="Write every board of both rooms, as PBN or LIN.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    a: str,
    b: str,
    boards: int,
    seed: int | None,
    play: bool,
    shares: bool,
    deals: str,
    workers: str,
    ray: str | None,
    until: float | None,
    call_seconds: float | None,
    card_seconds: float | None,
    undisclosed: bool,
    chunk: int,
    db: Path | None,
    report: Path | None,
    why: bool,
    pbn: Path | None,
    as_json: bool,
) -> None:
    """Let engine A play a duplicate match against engine B.

    An engine is BIDDER or BIDDER+PLAYER, each with options in brackets (see overtrick engines).

    Of an engine that is not ours (a program, ./my_engine.py) every seat of each room is a process
    of its own that sees only what that seat may see, and the boards come from a secret deck: its
    SHA-256 is printed before the first board, and with --db anybody can check it (see verify).

    \b
    Examples:
      overtrick match rules points -n 200 --report match.html
      overtrick match "rules(system=sayc)+pimc" points+pimc -n 32 --play --db results/match.sqlite
      overtrick match rules+alphamu "rules+pimc(worlds=20)" -n 64 --play --shares
    """
    from overtrick.arena import Match, play_match
    from overtrick.arena.match import stopping_board
    from overtrick.arena.store import Store
    from overtrick.table import robot

    if shares and (until is not None or not play):
        wrong = (
            "--shares needs --play" if not play else "--shares plays all boards, without --until"
        )
        raise click.UsageError(wrong)
    for spec in (a, b):
        robot(spec)  # a wrong name is an error now, not in a worker later
    number, source = chosen_deals(seed, deals, (a, b), _kept(db))
    job = Match(
        a,
        b,
        boards,
        seed=number,
        method="play" if play else "dd",
        deals=source,
        chunk=chunk,
        call_seconds=call_seconds,
        card_seconds=card_seconds,
        disclosed=not undisclosed,
    )
    backend = backend_of(workers, ray)
    store = Store(db or ":memory:", job)
    say_how_it_is_played((a, b), source, number)
    with goes_on(db), Bar(boards, quiet=as_json) as bar:
        parts = _shares(store, db, backend, bar) if shares else []
        result = play_match(
            job, store, backend, until=until, progress=bar.show, promised=say_promise
        )
    last = stopping_board(store, until)
    _print(store, result, parts, as_json)  # first: whatever happens to the files below
    if report is not None:
        from overtrick.arena.report import html
        from overtrick.notation.whole import write_whole

        write_whole(report, html(store, last, why))
    if pbn is not None:
        _write_pbn(store, last, pbn)
    for path, words in ((report, "report"), (pbn, "boards")):
        if path is not None and not as_json:
            click.echo(f"{words}: {path}")
    if db is not None and not as_json:
        look = f"overtrick diff {db}, or overtrick serve --matches {db.parent}"
        console().print(f"to look at it: {look}", markup=False)
        if store.opened():
            console().print(f"to check the boards: overtrick verify {db}", markup=False)


def _kept(db: Path | None) -> Match | None:
    """The match that goes on."""
    from overtrick.arena.store import Store

    if db is None or not db.exists():
        return None
    with Store(db) as store:
        return store.job


def _shares(store: Store, db: Path | None, backend: Backend, bar: Bar) -> list[PartShare]:
    """Play the match and the stages before it, each in a store of its own."""
    from overtrick.arena.shares import play_shares, stage_files, stages
    from overtrick.arena.store import Store

    earlier = zip(stage_files(db)[:-1], stages(store.job)[:-1], strict=True)
    stores = [*(Store(path, stage) for path, stage in earlier), store]
    return play_shares(store.job, stores, backend, bar.show, say_promise)


def _print(store: Store, result: Estimate, parts: list[PartShare], as_json: bool) -> None:
    from overtrick.arena.profile import profiles
    from overtrick.arena.report import profile_rows, summary_rows

    job = store.job
    pair = profiles(store.results(result.boards), job.a, job.b)
    if as_json:
        low, high = result.interval
        out: dict[str, Any] = {
            "a": job.a,
            "b": job.b,
            "boards": result.boards,
            "imps_per_board": result.mean,
            "standard_error": result.error,
            "interval": [low, high],
            "better": result.better,
            "method": job.method,
            "seed": job.seed,
            "deals": job.deals,
            "sittings": [{"engines": s.sealing, "promise": s.promise} for s in store.sittings()],
            "opening_rates": {"a": pair[0].opening_rates(), "b": pair[1].opening_rates()},
        }
        if parts:
            out["shares"] = {
                p.part: {
                    "imps_per_board": p.estimate.mean,
                    "standard_error": p.estimate.error,
                    "boards": p.boards,
                }
                for p in parts
            }
        echo_json(out)
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    head = Table.grid(padding=(0, 2))
    for name, value in summary_rows(job, result):
        head.add_row(name, f"[bold]{value}[/]" if name.startswith("IMPs") else value)
    console.print(head)
    if parts:
        split = Table("A's", "IMPs/board", "s.e.", "boards it changed")
        for p in parts:
            e = p.estimate
            split.add_row(p.part, f"{e.mean:+.3f}", f"{e.error:.3f}", str(p.boards))
        console.print(split)
    table = Table("", "A", "B")
    for row in profile_rows(pair):
        table.add_row(*row)
    console.print(table)


def _write_pbn(store: Store, last: int, path: Path) -> None:
    """Board by board: a match of any length is written in little memory."""
    from overtrick.notation import dumps
    from overtrick.notation.whole import whole_file

    job = store.job
    kind = "lin" if path.suffix == ".lin" else "pbn"
    # Explanations may hold suit symbols: the file is UTF-8 and says so in its first lines.
    with whole_file(path) as file:
        if kind == "pbn":
            file.write(b"% PBN 2.1\r\n% EXPORT\r\n% Content-type: text/x-pbn; charset=utf-8\r\n")
        for result in store.results(last):
            for record in result.records(job.a, job.b):
                text = dumps(record, kind)
                lines = [line for line in text.splitlines() if not line.startswith("%")]
                end = "\r\n\r\n" if kind == "pbn" else "\r\n"
                file.write(("\r\n".join(lines).strip("\r\n") + end).encode())
