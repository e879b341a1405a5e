"""What verbs share: options, parameter types, suit colours, reading boards, progress.
Rich and numpy are imported when something is shown or solved."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from overtrick.cli.terminal import fitting, is_narrow, is_unicode
from overtrick.game import (
    Board,
    BridgeError,
    Contract,
    Deal,
    ParseError,
    Record,
    Seat,
    Vulnerability,
)
from overtrick.game.errors import refusal

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    ParamType = click.ParamType[Any]  # generic for type checkers only (click 8.1 has no brackets)
else:
    ParamType = click.ParamType

F = TypeVar("F", bound=Callable[..., Any])
SUIT_STYLES: Final = {"♠": "blue", "♥": "red", "♦": "dark_orange", "♣": "green"}

_LINE_SECONDS: Final = 10.0  # between signs of life where nobody watches a bar
_FILES: Final = frozenset((".json", ".lin", ".npz", ".pbn", ".rbn", ".txt"))


def json_option(function: F) -> F:
    """`--json`, passed as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def seed_option(function: F) -> F:
    """`--seed`, passed as `seed`; None when not given."""
    return click.option("--seed", type=int, help="The same seed gives the same result.")(function)


def vul_option(function: F) -> F:
    """`--vul`, passed as `vul`; None when not given."""
    return click.option("--vul", type=VulParam(), help="None, NS, EW or All.")(function)


def dealer_option(function: F) -> F:
    """`--dealer`, passed as `dealer`; None when not given."""
    return click.option("--dealer", type=SeatParam(), help="N, E, S or W.")(function)


def words_argument(
    name: str, required: bool = True, kind: ParamType | None = None
) -> Callable[[F], F]:
    """An argument of several words: `explain 1NT P 2H` needs no quotes. None when not given."""

    def join(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> Any:
        text = " ".join(value) if value else None
        return text if kind is None or text is None else kind.convert(text, parameter, context)

    return click.argument(name, nargs=-1, required=required, callback=join)


class _Parsed(ParamType):
    """A parameter read by one of the game's own `parse` functions."""

    parse: Callable[[str], Any]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return type(self).parse(value)
        except BridgeError as error:
            self.fail(str(error), param, ctx)


class SeatParam(_Parsed):
    name = "seat"
    parse = Seat.parse


class VulParam(_Parsed):
    name = "vul"
    parse = Vulnerability.parse


class ContractParam(_Parsed):
    name = "contract"
    parse = Contract.parse


class NewFile(click.Path):
    """A file to be written: its folder is made, or the wish refused, before any work is done.
    One that is perhaps only read is not `tried`."""

    def __init__(self, *suffixes: str, tried: bool = True) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self.suffixes, self.tried = suffixes, tried

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path: Path = Path(str(super().convert(value, param, ctx)))
        if self.suffixes and path.suffix.lower() not in self.suffixes:
            self.fail(f"{path.name!r} should end in {' or '.join(self.suffixes)}", param, ctx)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.fail(f"cannot make the folder {str(path.parent)!r}: {refusal(error)}", param, ctx)
        from overtrick.notation.whole import why_not_written

        if self.tried and (why := why_not_written(path)) is not None:
            self.fail(f"{str(path)!r} cannot be written: {why}", param, ctx)
        return path


def warn(warnings: Sequence[object], most: int = 5) -> None:
    """What a reader complains about, on standard error; the first few tell enough."""
    for warning in warnings[:most]:
        text = "".join(c if c.isprintable() else "·" for c in str(warning))
        click.echo(f"warning: {text}", err=True)
    if len(warnings) > most:
        click.echo(f"warning: and {len(warnings) - most} more like these", err=True)


def usual() -> str:
    """Who bids unless somebody chose otherwise. Where another has to stand in, that is said, since
    it would call otherwise."""
    from overtrick.bidding.base import standing_in, usual_bidder

    told = standing_in()
    if told:
        click.echo(f"note: {told}", err=True)
    return usual_bidder()


def echo_json(value: Any) -> None:
    """One JSON document on standard output; what is infinite or no number is null there."""
    plain = not is_unicode()
    click.echo(json.dumps(_finite(value), ensure_ascii=plain, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    return [_finite(v) for v in value] if isinstance(value, list | tuple) else value


def console() -> Console:
    """Where people read; colours follow the terminal and NO_COLOR."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not is_narrow())


def coloured(text: str) -> Text:
    """Text with the suit symbols in four colours, or as letters where there are none."""
    from rich.text import Text

    out = Text()
    for c in fitting(text):
        out.append(c, style=SUIT_STYLES.get(c, ""))
    return out


@contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error; yields `update(done, total)`.

    Where standard error is a file, a line every ten seconds says how far it is.
    """
    if total < 2:
        yield lambda done, of: None
        return
    if not sys.stderr.isatty():
        yield _Lines(words).update if _is_ours() else lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _is_ours() -> bool:
    """Is standard error that of the process, and not what a caller in Python put there?"""
    return sys.stderr is sys.__stderr__


class _Lines:
    """Progress as lines, a few a minute."""

    def __init__(self, words: str) -> None:
        self._words, self._next = words, monotonic() + _LINE_SECONDS

    def update(self, done: int, total: int) -> None:
        if monotonic() >= self._next:
            click.echo(f"{self._words}: {done} of {total}", err=True)
            self._next = monotonic() + _LINE_SECONDS


@contextmanager
def thinking(words: str) -> Iterator[None]:
    """A sign of life on standard error while something thinks; as a line where that is a file."""
    if not sys.stderr.isatty():
        said = Timer(_LINE_SECONDS, click.echo, [f"{words} …"], {"err": True})
        said.daemon = True
        if _is_ours():
            said.start()
        try:
            yield
        finally:
            said.cancel()
        return
    from rich.console import Console

    with Console(stderr=True).status(words):
        yield


def boards_from(source: str) -> list[Board]:
    """Boards from deal text as PBN writes it, a file of any notation, a link, or `-` for stdin."""
    return [board for board, _ in played_from(source)]


def played_from(source: str) -> list[tuple[Board, Record]]:
    """Complete boards with the records they come from.

    A record without a dealer or vulnerability gets those of its board number.
    """
    link = source.lower().startswith(("http://", "https://"))
    if source != "-" and not link and not os.path.isfile(source):
        board = Board.numbered(1, _deal_text(source))
        return [(board, Record(1, board.dealer, board.vul, board.deal))]
    from overtrick import notation

    if link:
        loaded = notation.from_url(source)
    else:
        loaded = notation.loads(sys.stdin.read()) if source == "-" else notation.load(source)
    warn(loaded.warnings)
    found = []
    for i, record in enumerate(loaded.records, 1):
        played = record.board(i)
        if played is not None:
            found.append((played, record))
    if not found:
        raise ParseError(f"no complete deal in {'standard input' if source == '-' else source}")
    return found


def only_board(boards: list[Board], number: int | None, source: str) -> list[Board]:
    """The boards of that number, or all; a deal without a number takes any."""
    if number is None:
        return boards
    found = [b for b in boards if b.number == number]
    if not found:
        raise ParseError(f"{source if len(source) < 60 else 'the deal'} has no board {number}")
    return found


def _deal_text(text: str) -> Deal:
    """A deal written out; what looks like a file name is said to be missing."""
    if os.path.isdir(text):
        raise ParseError(f"{text!r} is a folder, not a file of boards")
    if os.path.exists(text):
        raise ParseError(f"{text!r} is no plain file; for standard input write -")
    if "/" in text or Path(text).suffix.lower() in _FILES:
        raise ParseError(f"there is no file {text!r}")
    if text.strip() and not set(text) & set(". -"):  # one word: neither hands nor a file
        raise ParseError(f"there is no file {text!r}, and a deal reads like 'N:AK2.QJ4.… … … …'")
    return Deal.parse(text)


def cache_wanted() -> bool:
    """Tables are cached unless OVERTRICK_CACHE is set to nothing or 'off'."""
    return os.environ.get("OVERTRICK_CACHE", "on").lower() not in ("", "off", "0", "no")
