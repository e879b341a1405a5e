"""What the verbs that play matches share: where work runs, the progress bar, whole files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from overtrick.arena import Backend, Match, MatchProgress
    from overtrick.arena.tournament import Tournament


def where_option(command: Callable[..., None]) -> Callable[..., None]:
    """`--workers N`, or `--ray auto`, an address or 'local'."""
    ray = click.option("--ray", help="Run on Ray: 'auto', an address, or 'local'.")
    workers = click.option("-w", "--workers", default="1", show_default=True, help="Processes.")
    return workers(ray(command))


def backend_of(workers: str, ray: str | None) -> Backend:
    """What `where_option` says."""
    from overtrick.arena import Backend

    return Backend.of(workers, ray)


def chosen_deals(
    seed: int | None, deals: str, engines: Sequence[str], kept: Match | Tournament | None
) -> tuple[int, str]:
    """The seed and the source of the deals: as the user says, as what goes on says (`kept`), else
    random ones of seed 0, the same for everybody.

    Where code of others plays they are secret instead: it could deal the boards of a seed for
    itself and know all four hands.
    """
    from overtrick.arena.deck import SECRET
    from overtrick.table.seats import is_foreign

    if deals != "random" or seed is not None:
        return seed or 0, deals
    if kept is not None and kept.deals in ("random", SECRET):
        return kept.seed, kept.deals
    return 0, SECRET if any(is_foreign(spec) for spec in engines) else deals


def say_how_it_is_played(engines: Sequence[str], deals: str = "", seed: int = 0) -> None:
    """On standard error, when code of others plays: what it can get at."""
    from overtrick.arena.match import sealing
    from overtrick.engines.seal import WORDS
    from overtrick.table.seats import is_foreign

    foreign = [spec for spec in engines if is_foreign(spec)]
    if not foreign:
        return
    how = sealing(foreign)
    click.echo(f"engines that are not ours are {WORDS[how]}", err=True)
    if deals == "random":
        also = "" if how == "namespaces" else ", and those engines could find it"
        click.echo(f"the cards of all boards follow from the seed {seed}{also}", err=True)


def say_promise(promise: str) -> None:
    """Before the first board: what nobody can change any more."""
    click.echo(f"the boards have the SHA-256 {promise}", err=True)


class Bar:
    """Progress with the time to come and the score so far, on stderr."""

    def __init__(self, boards: int, quiet: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeRemainingColumn as Eta

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Eta(),
            console=Console(stderr=True),
            disable=quiet,
        )
        self._task = self._progress.add_task("boards", total=boards)

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, now: MatchProgress, before: str = "") -> None:
        e = now.estimate
        text = f"{before}{e.mean:+.2f} ± {e.error:.2f} IMPs"
        self._progress.update(self._task, completed=now.done, description=text)


@contextmanager
def goes_on(kept: Path | None) -> Iterator[None]:
    """Ctrl-C says what has become of the work so far."""
    try:
        yield
    except KeyboardInterrupt:
        said = f"what is finished is kept in {kept}; the same command goes on from there"
        click.echo(said if kept else "nothing was kept: --db or --dir would have", err=True)
        raise
