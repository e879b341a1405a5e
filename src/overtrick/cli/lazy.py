"""A click group that loads a verb when it is called and turns every user's mistake into one line.
Used by the main command and by verbs that have verbs of their own."""

from __future__ import annotations

import os
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, NoReturn

import click

Sections = Mapping[str, Mapping[str, str]]
_WRONG_INPUT: Final = 2
_FAILED: Final = 1
_INTERRUPTED: Final = 130


class LazyGroup(click.Group):
    """Verbs by purpose, each in `overtrick.cli.<prefix><verb>` as `command`."""

    def __init__(
        self, *args: Any, sections: Sections | None = None, prefix: str = "", **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._sections = sections or {}
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [verb for verbs in self._present().values() for verb in verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        module = import_module(f"overtrick.cli.{self._prefix}{cmd_name}")
        command: click.Command = module.command
        return command

    def _present(self) -> dict[str, dict[str, str]]:
        """The sections with the verbs whose modules exist."""
        import overtrick.cli

        found = {m.name for m in pkgutil.iter_modules(overtrick.cli.__path__)}
        out = {
            title: {v: text for v, text in verbs.items() if self._prefix + v in found}
            for title, verbs in self._sections.items()
        }
        return {title: verbs for title, verbs in out.items() if verbs}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        known = self.list_commands(ctx)
        if not name.startswith("-") and name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise click.UsageError(f"no such command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, verbs in self._present().items():
            with formatter.section(title):
                formatter.write_dl(list(verbs.items()))

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run; a mistake in the input prints one line and exits 2, Ctrl-C exits 130."""
        if not extra.get("standalone_mode", True):
            return super().main(args, *rest, **extra)
        extra["standalone_mode"] = False
        try:
            code = super().main(args, *rest, **extra)
            sys.stdout.flush()
        except (click.Abort, KeyboardInterrupt):
            sys.exit(_INTERRUPTED)
        except BrokenPipeError:  # the reader (head, less) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except click.UsageError as error:
            where = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
            _fail(error.format_message() + where, _WRONG_INPUT)
        except click.ClickException as error:
            _fail(error.format_message(), _WRONG_INPUT)
        except ValueError as error:
            from overtrick.game.errors import BridgeError

            if not isinstance(error, BridgeError):
                raise
            _fail(str(error), _WRONG_INPUT)
        except OSError as error:
            what = f"{error.filename}: " if error.filename else ""
            _fail(f"{what}{error.strerror or error}", _WRONG_INPUT)
        except ImportError as error:
            if "overtrick[" not in str(error):
                raise
            _fail(str(error), _FAILED)
        except RuntimeError as error:
            if type(error).__name__ != "SolverError":  # named, so that numpy stays unloaded
                raise
            _fail(str(error), _FAILED)
        sys.exit(code if isinstance(code, int) else 0)


def _fail(text: str, code: int) -> NoReturn:
    click.echo("error: " + " ".join(text.split()), err=True)
    sys.exit(code)
