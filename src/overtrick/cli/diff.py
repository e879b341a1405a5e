"""`overtrick diff`: where the engines of a stored match parted ways, with both explanations.
The work is in `arena.diff`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import coloured, console, echo_json

if TYPE_CHECKING:
    from overtrick.arena.diff import Parting
    from overtrick.arena.results import RoomResult


@click.command("diff")
@click.argument("db", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-n", "--boards", default=5, show_default=True, type=click.IntRange(min=1),
    help="How many of the biggest swings.",
)  # fmt: skip
@click.option("--trust", is_flag=True,
              help="Start the programs that the file names as engines.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def command(db: Path, boards: int, trust: bool, as_json: bool) -> None:
    """Show the boards on which two engines differ most, and why each did what it did.

    \b
    Example:
      overtrick match rules points --db m.sqlite
      overtrick diff m.sqlite
    """
    from overtrick.arena.diff import partings
    from overtrick.arena.store import Store
    from overtrick.engines import Untrusted
    from overtrick.game.errors import printable

    store = Store(db)
    try:
        found = partings(store, boards, trusted=trust)
    except Untrusted as error:
        raise Untrusted(f"{db}: {error}; with --trust it is started") from None
    if as_json:
        rows = [
            {
                "board": p.board.number,
                "deal": p.board.deal.pbn(),
                "imps": p.imps,
                "before": p.before,
                "open": {**p.open.to_dict(), **_table(p.result.open)},
                "closed": {**p.closed.to_dict(), **_table(p.result.closed)},
            }
            for p in found
        ]
        echo_json(rows)
        return
    out = console()
    a, b = store.job.a, store.job.b
    heading = f"A is {a}, North-South in the open room; B is {b}"
    out.print(printable(heading, 500), markup=False)
    for p in found:
        _show(p)
    if not found:
        out.print("The two tables never parted: the engines did the same everywhere.")


def _show(p: Parting) -> None:
    from overtrick.notation.diagram import text_board

    out = console()
    out.print(f"\n[bold]Board {p.board.number}: {p.imps:+d} IMPs for A[/bold]")
    out.print(coloured(text_board(p.board)))
    if p.index == 0:
        where = "The tables parted at the first call:"
    else:
        where = f"The tables parted after {p.before}:"
    out.print(coloured(where))
    rooms = (("open  ", p.open, p.result.open), ("closed", p.closed, p.result.closed))
    for room, decision, _ in rooms:
        words, why = decision.meaning.words, decision.why
        more = f" — {why}" if why and why != words else ""
        out.print(coloured(f"  {room} {decision.action}: {words}{more}"))
    out.print("The contracts they came to:")
    for room, _, table in rooms:
        out.print(coloured(f"  {room} {_ended(table)}"))


def _table(room: RoomResult) -> dict[str, Any]:
    """How a table ended, for programs."""
    return {"contract": room.contract, "tricks": room.tricks, "score_ns": room.score}


def _ended(room: RoomResult) -> str:
    """The same in words: `4♠+1 by South: N-S +450`."""
    from overtrick.game import Contract
    from overtrick.game.scoring import result_text

    if not room.contract:
        return "passed out"
    contract = Contract.parse(room.contract)
    made = "" if room.tricks is None else result_text(contract, room.tricks)
    return f"{contract.pretty()}{made} by {contract.declarer}: N-S {room.score:+d}"
