"""What the verbs that play matches share: where work runs, the progress bar, whole files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from overtrick.arena import Backend, Progress


def backend_of(workers: str, ray: str | None) -> Backend:
    """Where to run: `--workers N`, or `--ray auto`, an address or 'local'."""
    from overtrick.arena import Backend

    if ray:
        return Backend.parse("ray" if ray == "local" else f"ray:{ray}")
    return Backend.parse(workers)


def deals_seed(given: int | None, engines: Sequence[str], kept: int | None) -> int:
    """Which deals are played: as the user says, as a match that goes on says (`kept`), else 0.

    A program from outside could deal the boards of seed 0 for itself and know all four hands: where
    one plays, a seed is drawn that it cannot guess. It is told with the result.
    """
    from secrets import randbits

    from overtrick.engines import Untrusted
    from overtrick.table.seats import as_data

    if given is not None:
        return given
    if kept is not None:
        return kept
    try:
        for spec in engines:
            as_data(spec)
    except Untrusted:
        return randbits(62)
    return 0


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

    def show(self, now: Progress, before: str = "") -> None:
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
