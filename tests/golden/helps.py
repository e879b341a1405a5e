"""The help of every verb, as an 80-column terminal shows it."""

from __future__ import annotations

import click
from click.testing import CliRunner

from overtrick.cli import main


def files() -> dict[str, str]:
    """File name → help text, for the whole tree of verbs."""
    out: dict[str, str] = {}
    todo: list[tuple[tuple[str, ...], click.Command]] = [((), main)]
    while todo:
        path, command = todo.pop()
        runner = CliRunner(env={"COLUMNS": "80"})
        shown = runner.invoke(main, [*path, "--help"], prog_name="overtrick", terminal_width=80)
        out[f"{'_'.join(('overtrick', *path))}.txt"] = shown.output
        if isinstance(command, click.Group):
            context = click.Context(command)
            for verb in command.list_commands(context):
                inner = command.get_command(context, verb)
                assert inner is not None
                todo.append(((*path, verb), inner))
    return out
