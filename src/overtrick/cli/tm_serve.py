"""`overtrick tm serve`: host a two-room match for network robots and our own engines.
The work is in `protocol.manager`."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from overtrick.cli.common import NewFile, boards_from, echo_json
from overtrick.cli.running import say_how_it_is_played

if TYPE_CHECKING:
    from overtrick.protocol import Manager
    from overtrick.protocol.deck import KeyedDeck
    from overtrick.protocol.room import ManagedRoom
    from overtrick.table import TableState


def _pairs(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    out = {}
    for text in values:
        key, equals, value = text.partition("=")
        if not equals or not value:
            raise click.BadParameter(f"{text!r} should read like NAME=VALUE")
        out[key.strip()] = value.strip()
    return out


@click.command("serve")
@click.option("--boards", "source", help="A PBN, LIN or other file of boards.")
@click.option("-n", "--random", "count", type=click.IntRange(min=1),
              help="So many random boards instead.")  # fmt: skip
@click.option("--seed", help="Which random boards, for a rehearsal: whoever knows or guesses it "
              "knows all cards. Without it a secret is drawn, and told at the end.")  # fmt: skip
@click.option("--teams", nargs=2, default=("Home", "Visitors"), show_default=True)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    callback=_pairs,
    help="TEAM=ENGINE or open:N=ENGINE; all other seats are for clients.",
)
@click.option("--quirk", "quirks", multiple=True, callback=_pairs, help="TEAM=PRESET, e.g. A=gib.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=2000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--rooms", type=click.Choice(["1", "2"]), default="2", show_default=True)
@click.option("--seconds", default=180.0, show_default=True,
              type=click.FloatRange(min=0, min_open=True),
              help="Clock for one call or card; whoever is late is warned first.")  # fmt: skip
@click.option("--warnings", default=2, show_default=True, type=click.IntRange(min=0),
              help="Warnings on a board before the director acts.")  # fmt: skip
@click.option("--reconnect", default=30.0, show_default=True, type=click.FloatRange(min=0),
              help="Wait for a lost client.")  # fmt: skip
@click.option("--matchpoints", is_flag=True, help="Announce matchpoints instead of IMPs.")
@click.option("--log", type=NewFile(), help="Every line and ruling, JSON lines.")
@click.option("--pbn", type=NewFile(), help="Write every board of both rooms.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    source: str | None,
    count: int | None,
    seed: str | None,
    teams: tuple[str, str],
    engines: dict[str, str],
    quirks: dict[str, str],
    host: str,
    port: int,
    rooms: str,
    seconds: float,
    warnings: int,
    reconnect: float,
    matchpoints: bool,
    log: Path | None,
    pbn: Path | None,
    as_json: bool,
) -> None:
    """Host a match; in the open room the first team sits North-South, in the closed East-West.

    Random boards come from a secret. Its SHA-256 is printed before the first board and the secret
    after the last one, so that everybody can check that the boards were fixed and known to nobody.

    \b
    Example:
      overtrick tm serve -n 8 --teams A B --engine "B=rules+pimc" --log tm.jsonl
    """
    from overtrick.engines.seal import hide
    from overtrick.protocol import Journal, Manager, ManagerPatience, Session, preset
    from overtrick.protocol.deck import KeyedDeck
    from overtrick.table.seats import is_foreign

    if (source is None) == (count is None):
        raise click.UsageError("give --boards FILE or --random N")
    deck = KeyedDeck.drawn() if seed is None else KeyedDeck(seed)
    boards = boards_from(source) if source is not None else deck.boards(count or 0)
    promise = None if source is not None or seed is not None else deck.promise
    session = Session(
        tuple(boards),
        teams,
        engines,
        rooms=int(rooms),
        patience=ManagerPatience(
            call=seconds, card=seconds, ready=seconds, reconnect=reconnect, warnings=warnings
        ),
        quirks={team: preset(name) for team, name in quirks.items()},
        scoring="matchpoints" if matchpoints else "imps",
        seed=deck.player_seed,
    )
    specs = [*engines.values()]
    private = any(is_foreign(spec) for spec in specs)
    hide(path for path in (source, log, pbn) if path is not None)
    say_how_it_is_played(specs)
    with ExitStack() as stack:
        file = stack.enter_context(_opened(log, private)) if log else None
        journal = Journal(file)
        manager = Manager(session, journal, None if as_json else _show)
        if promise is not None:
            journal.event("manager", f"the secret of these boards has the SHA-256 {promise}")
            click.echo(f"the secret of these boards has the SHA-256 {promise}", err=True)
        if not as_json:
            seats = sum(len(room.clients) for room in manager.rooms)
            click.echo(f"waiting for {seats} clients on {host} port {port}", err=True)
        asyncio.run(manager.run(host, port))
        if promise is not None:
            journal.event("manager", f"the secret was {deck.secret}")
    if pbn is not None:
        _write_pbn(manager, pbn)
    _summary(manager, as_json, None if promise is None else deck)


def _opened(log: Path, private: bool) -> TextIO:
    """The journal, which tells all cards: nothing for engines of others that run as other users."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600 if private else 0o666)
    return open(descriptor, "a", encoding="utf-8")


def _show(room: ManagedRoom, state: TableState) -> None:
    contract = str(state.contract) if state.contract else "passed out"
    tricks = f", {state.tricks} tricks" if state.tricks is not None else ""
    ruled = f", {len(state.rulings)} rulings" if state.rulings else ""
    click.echo(
        f"{room.programme.name:6} board {state.board.number}: {contract}{tricks}, "
        f"{state.score():+d}{ruled}"
    )


def _write_pbn(manager: Manager, path: Path) -> None:
    from overtrick.notation import dumps

    records = [
        state.record(
            (r.programme.ns, r.programme.ew, r.programme.ns, r.programme.ew),
            {"Room": r.programme.name.capitalize()},
        )
        for r in manager.rooms
        for state in r.results
    ]
    path.write_text(dumps(records, "pbn"), encoding="utf-8", newline="")


def _summary(manager: Manager, as_json: bool, deck: KeyedDeck | None) -> None:
    from overtrick.protocol import comparison

    rows = []
    if len(manager.rooms) == 2:
        rows = comparison(manager.rooms[0].results, manager.rooms[1].results)
    total = sum(row[3] for row in rows)
    faults = dict(manager.journal.faults)
    if as_json:
        echo_json(
            {
                "teams": list(manager.session.teams),
                "boards": [
                    {"number": n, "open": a, "closed": b, "imps": won} for n, a, b, won in rows
                ],
                "imps": total,
                "faults": faults,
                **({} if deck is None else {"secret": deck.secret, "promise": deck.promise}),
            }
        )
        return
    for number, a, b, won in rows:
        click.echo(f"board {number:3}  open {a:+6d}  closed {b:+6d}  {won:+3d} IMPs")
    if rows:
        click.echo(f"{manager.session.teams[0]}: {total:+d} IMPs over {len(rows)} boards")
    if faults:
        words = ", ".join(f"{n} × {name.lower()}" for name, n in faults.items())
        click.echo(f"faults ruled on: {words}")
    if deck is not None:
        click.echo(f"the secret of the boards was {deck.secret} (SHA-256 {deck.promise})")
