"""`overtrick completion`: the script that completes verbs and options in a shell.
Used once, when setting up a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for SHELL.

    \b
    Examples:
      overtrick completion bash >> ~/.bashrc
      overtrick completion fish > ~/.config/fish/completions/overtrick.fish
    """
    from overtrick.cli import main

    kind = get_completion_class(shell)
    assert kind is not None
    # Writing the script out needs no shell; bash's own check of its version would start one.
    finished = kind(main, {}, "overtrick", "_OVERTRICK_COMPLETE")
    click.echo(finished.source_template % finished.source_vars())
