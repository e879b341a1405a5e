"""What the verbs of `overtrick reproduce` share: their common options, the run, report and page."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from overtrick.cli.common import echo_json
from overtrick_lab.papers import PAPERS

if TYPE_CHECKING:
    from overtrick.arena import Backend
    from overtrick_lab.papers.cells import CellStore, Task

F = TypeVar("F", bound=Callable[..., Any])
SETTING: Final = "setting.json"
MADE: Final = "made.json"


@dataclass(frozen=True, slots=True)
class Running:
    """Where results go, what computes them, and what is shown."""

    name: str
    out: Path
    workers: str
    ray: str | None
    report_only: bool
    as_json: bool
    scale: str = ""

    @property
    def backend(self) -> Backend:
        from overtrick.cli.running import backend_of

        wanted = str(os.cpu_count() or 1) if self.workers == "all" else self.workers
        return backend_of(wanted, self.ray)

    @property
    def store(self) -> CellStore:
        from overtrick_lab.papers.cells import CellStore

        return CellStore(self.out / "cells")

    def recall(self) -> None:
        """A report without a run of one's own is that of the run kept beside the paper's page."""
        from overtrick.notation.whole import write_whole
        from overtrick_lab.papers.cells import packed, unpack

        if self.report_only and self.kept.exists() and not packed(self.out):
            found = json.loads(self.kept.read_text(encoding="utf-8"))
            scale = found["setting"].get("scale", self.scale)
            if scale != self.scale:
                raise click.UsageError(
                    f"nothing was run in {self.out}; the run kept with the page is --scale {scale}"
                )
            unpack(found["cells"], self.out)
            write_whole(self.out / SETTING, json.dumps(found["setting"]))

    def remember(self) -> None:
        """What a run that begins here is made with, for whoever compares later."""
        from overtrick.notation.whole import write_whole
        from overtrick_lab.papers.madewith import made_with

        path = self.out / MADE
        if not self.report_only and not path.exists():
            write_whole(path, json.dumps(made_with(self.name)))

    def only(self, **setting: str) -> None:
        """Refuse a folder whose cells were made otherwise: their names do not tell."""
        from overtrick.notation.whole import write_whole

        path = self.out / SETTING
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        if known and known != setting:
            words = ", ".join(f"{name} {value}" for name, value in known.items())
            raise click.UsageError(f"{self.out} has a run with {words}: give another --out")
        if not self.report_only:
            write_whole(path, json.dumps(setting))

    @property
    def kept(self) -> Path:
        """The run of this scale, where there is one, or the one behind most of the page."""
        folder = Path("docs/papers") / self.name
        own = folder / f"cells-{self.scale}.json"
        return own if own.exists() else folder / "cells.json"

    def fill(self, tasks: Sequence[Task]) -> None:
        """Make every missing cell, with progress over the cells and inside them."""
        if self.report_only:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        from overtrick_lab.papers.cells import fill
        from overtrick_lab.papers.workforce import Workforce

        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Elapsed()
        store = self.store
        with Progress(*columns, console=Console(stderr=True), disable=self.as_json) as bars:
            whole = bars.add_task(self.name, total=len(tasks))
            part = bars.add_task("", total=1, visible=False)

            def tell(done: int, total: int) -> None:
                bars.update(part, completed=done, total=total, visible=total > 1)

            with Workforce(self.backend, tell) as workers:
                for task in fill(store, tasks, workers):
                    finished = sum(store.get(t.key) is not None for t in tasks)
                    bars.update(whole, completed=finished)
                    bars.update(part, description=task.words, completed=0)

    def report(self, text: str, found: Any, shown: str = "") -> None:
        """report.md and its page beside it; then the numbers, or what is worth seeing at once."""
        from overtrick.notation.whole import write_whole
        from overtrick_lab.papers.site import report_page

        write_whole(self.out / "report.md", text)
        write_whole(self.out / "index.html", report_page(PAPERS[self.name].title, text))
        if self.as_json:
            echo_json(found)
            return
        click.echo(shown or text)
        click.echo(
            f"report: {self.out / 'report.md'}, as a page: {self.out / 'index.html'}", err=True
        )


def shared_options(name: str) -> Callable[[F], F]:
    """The options every paper has; the verb gets them as `run: Running`."""

    def decorate(verb: F) -> F:
        def with_run(
            *, out: Path, workers: str, ray: str | None, report_only: bool, as_json: bool,
            **rest: Any,
        ) -> Any:  # fmt: skip
            source = click.get_current_context().get_parameter_source("out")
            if source is ParameterSource.DEFAULT and "scale" in rest:
                out = out / rest["scale"]
            out.mkdir(parents=True, exist_ok=True)
            run = Running(name, out, workers, ray, report_only, as_json, rest.get("scale") or "")
            run.recall()
            run.remember()
            return verb(run=run, **rest)

        with_run.__doc__ = verb.__doc__
        with_run.__click_params__ = list(getattr(verb, "__click_params__", []))  # type: ignore[attr-defined]
        for option in reversed(_options(name)):
            with_run = option(with_run)
        return with_run  # type: ignore[return-value]

    return decorate


def _options(name: str) -> list[Callable[[Any], Any]]:
    return [
        click.option(
            "--out",
            type=click.Path(file_okay=False, path_type=Path),
            default=Path("reproduced") / name,
            show_default=True,
            help="Finished pieces, report and figures (by scale, where there are scales); a second "
            "run goes on from there.",
        ),
        click.option(
            "-w", "--workers", default="all", show_default=True,
            help="Processes; `all` cores, or `here` for this process alone.",
        ),
        click.option("--ray", help="Run on Ray: 'auto', an address or 'local'."),
        click.option("--report-only", is_flag=True, help="Compute nothing: report what is there."),
        click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON."),
    ]  # fmt: skip
