"""A click group that loads a verb when it is called and turns every user's mistake into one
line."""

from __future__ import annotations

import os
import pkgutil
import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from overtrick.cli.completing import complete
from overtrick.cli.terminal import interruptible, prepare_streams

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

Sections = Mapping[str, Mapping[str, str]]
_WRONG_INPUT: Final = 2
_FAILED: Final = 1
_INTERRUPTED: Final = 130
_BUG: Final = 70
VERBS: Final = "overtrick.verbs"
"""The entry points by which other distributions bring verbs that are listed here."""


# What click says of a missing file, and how every verb says it.
_MISSING: Final = re.compile(r"(File|Directory|Path) ('.*?') does not exist\.")


def _no_file(found: re.Match[str]) -> str:
    return f"there is no {'folder' if found[1] == 'Directory' else 'file'} {found[2]}"


class LazyGroup(click.Group):
    """Verbs by purpose, each in `<package>.<prefix><verb>` as `command`. Verbs of another
    distribution, by its name in `elsewhere`, are listed as well, and say what to install where
    it is missing."""

    def __init__(
        self, *args: Any, sections: Sections | None = None, package: str = "overtrick.cli",
        prefix: str = "", elsewhere: Mapping[str, str] | None = None, **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **options)
        self._sections = sections or {}
        self._package = package
        self._prefix = prefix
        self._elsewhere = elsewhere or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [verb for verbs in self._present().values() for verb in verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        if cmd_name in self._elsewhere:
            command = _brought(cmd_name) or _absent(cmd_name, self._elsewhere[cmd_name])
        else:
            command = import_module(f"{self._package}.{self._prefix}{cmd_name}").command
        complete(command)
        _ask_alike(command)
        return command

    def _present(self) -> dict[str, dict[str, str]]:
        """The sections with the verbs whose modules exist, here or in another distribution."""
        found = {m.name for m in pkgutil.iter_modules(import_module(self._package).__path__)}
        out = {
            title: {
                v: text
                for v, text in verbs.items()
                if self._prefix + v in found or v in self._elsewhere
            }
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
                formatter.write_dl([(v, text + self._lacking(v)) for v, text in verbs.items()])

    def _lacking(self, verb: str) -> str:
        """What to install first, where a verb's distribution is missing."""
        there = verb not in self._elsewhere or any(_entry_points(verb))
        return "" if there else f" (pip install {self._elsewhere[verb]})"

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        """Run; a mistake in the input prints one line and exits 2, Ctrl-C exits 130.

        What nobody expected is one line, too, and exit 70; OVERTRICK_DEBUG=1 shows the traceback.
        """
        if not extra.get("standalone_mode", True):
            return super().main(args, *rest, **extra)
        extra["standalone_mode"] = False
        if "OVERTRICK_STARTER" in os.environ:
            from overtrick.processes import end_with_starter

            end_with_starter()
        prepare_streams()
        try:
            with interruptible():
                code = super().main(args, *rest, **extra)
                sys.stdout.flush()
        except (click.Abort, KeyboardInterrupt):
            _fail("stopped", _INTERRUPTED, before="")
        except BrokenPipeError:  # the reader (head, less) has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except click.exceptions.NoArgsIsHelpError as error:  # a group without its verb
            click.echo(error.format_message())
            sys.exit(0)
        except click.UsageError as error:
            where = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
            _fail(_MISSING.sub(_no_file, error.format_message()) + where, _WRONG_INPUT)
        except click.ClickException as error:
            _fail(error.format_message(), _WRONG_INPUT)
        except FileNotFoundError as error:
            _fail(f"there is no file {str(error.filename)!r}", _WRONG_INPUT)
        except OSError as error:
            from overtrick.game.errors import refusal

            what = f"{error.filename}: " if error.filename else ""
            _fail(f"{what}{refusal(error)}", _WRONG_INPUT)
        except Exception as error:  # the outermost place: whoever types a command gets one line
            _explain(error)
        sys.exit(code if isinstance(code, int) else 0)


def _entry_points(verb: str) -> EntryPoints:
    """Where installed distributions have a verb."""
    from importlib.metadata import entry_points

    return entry_points(group=VERBS, name=verb)


def _brought(verb: str) -> click.Command | None:
    """The verb of another distribution, where it is installed."""
    for entry in _entry_points(verb):
        command: click.Command = entry.load()
        return command
    return None


def _absent(verb: str, distribution: str) -> click.Command:
    """Stands for a verb whose distribution is missing, whatever is asked of it."""

    def say(words: Sequence[str]) -> NoReturn:
        raise click.ClickException(
            f"`overtrick {verb}` is in {distribution}: pip install {distribution} "
            "(in a clone: pip install . ./lab)"
        )

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)
    taking_all = {"ignore_unknown_options": True, "allow_interspersed_args": False}
    return click.Command(
        verb, callback=say, params=[words], add_help_option=False, context_settings=taking_all
    )


class TellingGroup(click.Group):
    """A group whose list says the whole first sentence of each verb."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                rows.append((name, command.get_short_help_str(limit=300)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _explain(error: Exception) -> NoReturn:
    """Mistakes in data and missing packages say what to do; anything else is our mistake."""
    from overtrick.game.errors import BridgeError

    if isinstance(error, BridgeError):
        _fail(str(error), _WRONG_INPUT)
    if isinstance(error, UnicodeDecodeError):
        where = f"byte {error.start + 1}, {error.object[error.start]:#04x}"
        _fail(f"a file that should be text in {error.encoding} is not ({where})", _WRONG_INPUT)
    missing = isinstance(error, ImportError) and _names_a_package(str(error))
    if missing or type(error).__name__ == "SolverError":  # named, so that numpy stays unloaded
        _fail(str(error), _FAILED)
    if isinstance(error, UnicodeDecodeError):
        _fail("a file is not text in UTF-8; save it as UTF-8 and try again", _WRONG_INPUT)
    if os.environ.get("OVERTRICK_DEBUG"):
        raise error
    what = f"{type(error).__name__}: {error}"
    _fail(f"this is a mistake in Overtrick, please report it ({what}); "
          "OVERTRICK_DEBUG=1 shows where it happened", _BUG)  # fmt: skip


def _fail(text: str, code: int, before: str = "error: ") -> NoReturn:
    if "pip install" in text and _names_a_package(text):
        code = _FAILED  # nothing is wrong with what was typed: a package is missing
    click.echo(before + " ".join(_plain(text).split()), err=True)
    sys.exit(code)


def _names_a_package(text: str) -> bool:
    """Does an error say what of ours to install?"""
    return "overtrick[" in text or "overtrick-" in text


def _plain(text: str) -> str:
    """Without control characters, which a broken file may send to the terminal."""
    return "".join(c if c.isprintable() or c.isspace() else "·" for c in text)


def _ask_alike(command: click.Command) -> None:
    """`-h` asks for help of every verb. Click keeps the option as the first context has it, which
    need not be one below the main command."""
    command.context_settings.setdefault("help_option_names", ["-h", "--help"])
    for inner in getattr(command, "commands", {}).values():
        _ask_alike(inner)
