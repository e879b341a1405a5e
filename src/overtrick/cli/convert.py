"""`overtrick convert`: records from one notation into another, or shown as text or HTML.
The work is in `notation`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from overtrick.cli.common import echo_json, json_option, warn
from overtrick.game import Note, ParseError, Record
from overtrick.game.errors import printable, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overtrick.notation import Loaded

_TARGETS: Final = ("pbn", "lin", "openspiel", "url", "text", "html", "json")
_BY_NAME: Final = {".html": "html", ".htm": "html", ".json": "json", ".txt": "text"}
_SHOWN_WARNINGS: Final = 20


@click.command("convert")
@click.argument("source")
@click.argument("target", required=False)
@click.option("--from", "origin", type=click.Choice(["pbn", "lin", "rbn", "openspiel"]),
              help="Format of SOURCE, when name and text do not tell.")  # fmt: skip
@click.option("--to", "wanted", type=click.Choice(_TARGETS), help="Format of TARGET.")
@click.option("--keep", is_flag=True,
              help="Leave boards that need no change byte for byte as they are.")  # fmt: skip
@click.option("--strict", is_flag=True,
              help="Fail on any warning, and on what the format does not allow.")  # fmt: skip
@json_option
def command(
    source: str,
    target: str | None,
    origin: str | None,
    wanted: str | None,
    keep: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Convert SOURCE (a file, a hand viewer link, or - for standard input) to TARGET.

    Without TARGET, or with -, the result goes to standard output. Warnings go to standard error
    with their line. Exit status: 0 done, 1 strict and there were warnings, 2 nothing to convert.

    \b
    Examples:
      overtrick convert match.lin match.pbn
      overtrick convert deal.pbn --to url
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
    if form == "json" and target in (None, "-"):
        echo_json({"records": [as_plain(r) for r in loaded.records],
                   "warnings": [str(w) for w in loaded.warnings]})  # fmt: skip
        return
    text = _text(loaded, form, keep=keep, strict=strict)
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
        boards = f"{len(loaded.records)} board" + ("s" if len(loaded.records) > 1 else "")
        click.echo(f"{boards} to {target}", err=True)


def _form_of(target: str | None) -> str:
    from overtrick.notation import format_of

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


def _text(loaded: Loaded, form: str, *, keep: bool, strict: bool) -> str:
    """The target as text."""
    from overtrick.notation import dumps, to_url
    from overtrick.notation.diagram import html_record, text_record

    records = loaded.records
    if form == "url":
        return "".join(to_url(r) + "\n" for r in records)
    if form == "text":
        return "\n\n\n".join(text_record(r) for r in records) + "\n"
    if form == "html":
        body = "<br><br>".join(html_record(r) for r in records)
        return f"<!doctype html><meta charset='utf-8'><title>Overtrick</title>{body}\n"
    if form == "json":
        import msgspec

        return msgspec.json.encode([as_plain(r) for r in records]).decode() + "\n"
    return dumps(records, form, layout="keep" if keep else "export", strict=strict)


def as_plain(record: Record) -> dict[str, Any]:
    """A record as JSON has it; what is unknown is null."""
    contract, play = record.contract, record.play
    return {
        "board": record.number,
        "dealer": None if record.dealer is None else record.dealer.letter,
        "vulnerable": None if record.vul is None else str(record.vul),
        "deal": None if record.deal is None else record.deal.pbn(),
        "names": dict(zip(("N", "E", "S", "W"), record.names, strict=True)),
        "auction": None if record.auction is None else [c.ascii for c in record.auction.calls],
        "contract": None if contract is None else f"{contract.ascii} {contract.declarer.letter}",
        "play": None if play is None else [c.ascii for c in play.cards],
        "tricks": record.tricks,
        "claimed": record.claimed,
        "score": record.ns_score,
        "call_notes": _notes(record.call_notes),
        "card_notes": _notes(record.card_notes),
        "tags": dict(record.tags),
        "tables": {name: [list(row) for row in rows] for name, rows in record.tables.items()},
        "comment": record.comment,
    }


def _notes(notes: Mapping[int, Note]) -> dict[str, dict[str, Any]]:
    return {
        str(i): {"text": n.text, "alert": n.alert, "nags": list(n.nags), "comment": n.comment}
        for i, n in notes.items()
    }


def _short(name: str) -> str:
    return name if len(name) <= 60 else name[:57] + "…"
