"""`overtrick convert`: records from one notation into another, or shown as text or HTML.
The work is in `notation`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from overtrick.cli.common import echo_json, json_option, warn
from overtrick.game import ParseError
from overtrick.game.errors import printable, refusal
from overtrick.notation.files import FORMATS, WRITTEN, format_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overtrick.game import Record
    from overtrick.notation import Loaded

_TARGETS: Final = (*WRITTEN, "url", "text", "html")
_BY_NAME: Final = {".html": "html", ".htm": "html", ".txt": "text"}
_SHOWN_WARNINGS: Final = 20


@click.command("convert")
@click.argument("source")
@click.argument("target", required=False)
@click.option("--from", "origin", type=click.Choice(FORMATS),
              help="Format of SOURCE, when name and text do not tell.")  # fmt: skip
@click.option("--to", "wanted", type=click.Choice(_TARGETS), help="Format of TARGET.")
@click.option("--keep", is_flag=True,
              help="Leave boards that need no change byte for byte as they are.")  # fmt: skip
@click.option("--strict", is_flag=True,
              help="Fail on any warning, and on what the format does not allow.")  # fmt: skip
@click.option("--tables", is_flag=True,
              help="Put in double-dummy tables, as hand records have them.")  # fmt: skip
@click.option("--par", is_flag=True, help="Put in tables and par.")
@click.option("--check", is_flag=True,
              help="Solve tables that SOURCE carries again, instead of trusting them.")  # fmt: skip
@json_option
def command(
    source: str,
    target: str | None,
    origin: str | None,
    wanted: str | None,
    keep: bool,
    strict: bool,
    tables: bool,
    par: bool,
    check: bool,
    as_json: bool,
) -> None:
    """Convert SOURCE (a file, a hand viewer link, or - for standard input) to TARGET.

    Without TARGET, or with -, the result goes to standard output. Warnings go to standard error
    with their line. Exit status: 0 done, 1 strict and there were warnings, 2 nothing to convert.

    \b
    Examples:
      overtrick convert match.lin match.pbn
      overtrick convert deal.pbn --to url
      overtrick convert evening.lin evening.pbn --par
      overtrick convert boards.pbn boards.dlm
      overtrick convert "https://www.bridgebase.com/tools/handviewer.html?lin=…" board.pbn
      cat boards.rbn | overtrick convert - --to text
    """
    form = "json" if as_json else wanted or _form_of(target)
    loaded = _read(source, origin)
    warn(loaded.warnings, _SHOWN_WARNINGS)
    if not loaded.records:
        raise ParseError(f"no board in {'standard input' if source == '-' else _short(source)}")
    if strict and loaded.warnings:
        click.echo(f"error: {len(loaded.warnings)} warnings; nothing was written", err=True)
        raise click.exceptions.Exit(1)
    records: Sequence[Record] = loaded.records
    if tables or par or check:
        records = _analysed(records, par=par, check=check)
    if form == "json" and target in (None, "-"):
        import msgspec

        from overtrick.notation.plain import PlainFile, plain

        told = tuple(str(w) for w in loaded.warnings)
        echo_json(msgspec.to_builtins(PlainFile(tuple(plain(r) for r in records), told)))
        return
    text = _text(records, form, keep=keep, strict=strict)
    if target is None or target == "-":
        if (
            sys.stdout.isatty()
        ):  # data for programs goes out as it is, people's terminals are spared
            text = "\n".join(printable(line, len(line)) for line in text.split("\n"))
        click.echo(text, nl=False)
    else:
        from overtrick.notation.files import encoded
        from overtrick.notation.whole import write_whole

        write_whole(Path(target), encoded(text, form))
        boards = f"{len(records)} board" + ("s" if len(records) > 1 else "")
        click.echo(f"{boards} to {target}", err=True)


def _form_of(target: str | None) -> str:
    if target is None or target == "-":
        return "pbn"
    form = _BY_NAME.get(Path(target).suffix.lower()) or format_of(target)
    if form is None:
        raise click.UsageError(f"what format is {target}? say --to ({', '.join(_TARGETS)})")
    return form


def _read(source: str, origin: str | None) -> Loaded:
    from overtrick import notation

    if source == "-":
        return notation.loads(sys.stdin.buffer.read(), origin)
    if source.lower().startswith(("http://", "https://")):
        return notation.from_url(source)
    if not Path(source).exists():
        raise ParseError(f"there is no file {_short(source)!r}")
    try:
        return notation.load(source, origin)
    except OSError as error:
        raise ParseError(f"{_short(source)}: {refusal(error)}") from None


def _analysed(records: Sequence[Record], *, par: bool, check: bool) -> Sequence[Record]:
    from overtrick.analysis import analysed

    found, remarks = analysed(records, par=par, check=check)
    for remark in remarks:
        click.echo(f"warning: {remark}", err=True)
    return found


def _text(records: Sequence[Record], form: str, *, keep: bool, strict: bool) -> str:
    """The target as text."""
    from overtrick.notation import dumps, to_url
    from overtrick.notation.diagram import html_record, text_record

    if form == "url":
        return "".join(to_url(r) + "\n" for r in records)
    if form == "text":
        return "\n\n\n".join(text_record(r) for r in records) + "\n"
    if form == "html":
        body = "<br><br>".join(html_record(r) for r in records)
        return f"<!doctype html><meta charset='utf-8'><title>Overtrick</title>{body}\n"
    return dumps(records, form, layout="keep" if keep else "export", strict=strict)


def _short(name: str) -> str:
    return name if len(name) <= 60 else name[:57] + "…"
