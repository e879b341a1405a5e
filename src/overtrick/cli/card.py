"""`overtrick card`: convention cards shown, checked, compared and written in several forms."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import NewFile, coloured, console, echo_json, json_option
from overtrick.cli.lazy import TellingGroup

if TYPE_CHECKING:
    from overtrick.systems.card import ConventionCard, Imported
    from overtrick.systems.system import System

_FORMS = ("toml", "bbsa", "bml", "bboalert", "acbl", "wbf")
_ENDINGS = {".toml": "toml", ".bbsa": "bbsa", ".bml": "bml", ".html": "acbl", ".htm": "acbl"}


@click.group("card", cls=TellingGroup)
def command() -> None:
    """Your convention card: a system and the switches by which you differ.

    CARD is a system (`sayc`), a card in one line (`"two-over-one +dont -bergen"`) or a file:
    `.toml` is ours, `.bbsa` is BBA's.

    \b
    Examples:
      overtrick card show two-over-one
      overtrick card write "two-over-one +dont -bergen" mine.toml --name "Anna and Bert"
      overtrick card write mine.toml mine.html
      overtrick bid --engine "rules(system=mine.toml)"
    """


_on = click.option("--on", default="", help="Conventions to switch on.")
_off = click.option("--off", default="", help="Conventions to switch off.")


def _read(text: str, on: str = "", off: str = "") -> tuple[Imported, System]:
    """A card from what somebody typed, and the system that plays it."""
    from overtrick.systems import load
    from overtrick.systems.card import (
        ConventionCard,
        Imported,
        card_of,
        fitted,
        is_file,
        read,
        split_names,
    )
    from overtrick.systems.system import named_card

    found = Imported(named_card(text) if not is_file(text) else ConventionCard(text))
    if is_file(text):
        path = Path(text)
        if not path.is_file():
            raise click.UsageError(f"there is no file {text!r}")
        found = read(path) if path.suffix == ".toml" else fitted(read(path))
    elif Path(text).is_file():
        found = read(Path(text))  # says which files are cards
    system = load(found.card.line, split_names(on), split_names(off))
    made = card_of(system)
    card = replace(found.card, system=made.system, switches=made.switches)
    return Imported(card, found.unmapped), system


def _tell(unmapped: tuple[str, ...]) -> None:
    """What a card of another program says and ours cannot, line by line."""
    for line in unmapped:
        click.echo(f"not on the card: {line}", err=True)


@command.command("show")
@click.argument("card")
@_on
@_off
@json_option
def show(card: str, on: str, off: str, as_json: bool) -> None:
    """Every switch of a card, what it is, and what differs from the standard.

    \b
    Examples:
      overtrick card show two-over-one
      overtrick card show mine.bbsa
    """
    read, system = _read(card, on, off)
    if as_json:
        echo_json(_data(read, system))
        return
    out = console()
    topic = ""
    for c in sorted(system.conventions, key=lambda c: _topics(system).index(c.topic)):
        if c.topic != topic:
            topic = c.topic
            out.print(f"\n[bold]{topic or 'Other'}[/bold]")
        mark = "✓" if c.on else "–"
        note = "  (changed)" if c.is_changed else "  (part of the system)" if c.fixed else ""
        out.print(coloured(f"{mark} {c.name:<22} {c.about or c.title}{note}"))
    click.echo(f"\nthe card in one line: {read.card.line}")
    if read.card.character:
        click.echo(f"the character of a partner who plays it: {read.card.character}")
    click.echo(f'to play it: --engine "{_engine(read.card)}"')
    _tell(read.unmapped)


def _engine(card: ConventionCard) -> str:
    """Who plays it: the rules alone, or a partner where the card gives one a character."""
    return f"{'partner' if card.character else 'rules'}(system='{card.line}')"


@command.command("about")
@click.argument("convention")
@click.option("--card", default="two-over-one", show_default=True, help="The card it is a part of.")
@json_option
def about(convention: str, card: str, as_json: bool) -> None:
    """A convention: what it is, who plays it, what it gives up.

    \b
    Examples:
      overtrick card about drury
      overtrick card about cappelletti --card sayc-extras
    """
    from overtrick.systems.errors import did_you_mean
    from overtrick.systems.prices import origin, prices

    _, system = _read(card)
    found = next((c for c in system.conventions if c.name == convention), None)
    if found is None:
        hint = did_you_mean(convention, [c.name for c in system.conventions])
        told = f"{system.name} has no convention {convention!r}"
        raise click.UsageError(f"{told}; {hint}" if hint else told)
    price = prices(system.name).get(convention)
    examples = [e for e in system.examples() if e.convention == convention][:6]
    if as_json:
        echo_json({
            "name": found.name, "title": found.title, "about": found.about, "on": found.on,
            "players": found.players, "gives_up": found.gives_up, "needs": found.needs,
            "excludes": found.excludes,
            "price": None if price is None else {
                "gain": price.gain, "error": price.error, "deals": price.deals,
                "changed": price.changed,
            },
            "examples": [
                {"hand": e.hand, "after": e.auction, "call": e.call} for e in examples
            ],
        })  # fmt: skip
        return
    out = console()
    out.print(coloured(f"{found.title} ({'on' if found.on else 'off'})"), style="bold")
    rows = [
        ("", found.about), ("who plays it", found.players), ("what it gives up", found.gives_up),
        ("here", "" if price is None else f"it {price.words}"),
        ("needs", ", ".join(found.needs)), ("not with", ", ".join(found.excludes)),
    ]  # fmt: skip
    for title, words in rows:
        if words:
            out.print(coloured(f"{title}: {words}" if title else words), highlight=False)
    for e in examples:
        out.print(coloured(f"  {e.hand} after {e.auction or 'opening'}: {e.call}"), highlight=False)
    if price is not None:
        out.print(f"measured: {origin(system.name)}", highlight=False)


def _topics(system: System) -> list[str]:
    return list(dict.fromkeys(c.topic for c in system.conventions))


def _data(read: Imported, system: System) -> dict[str, Any]:
    return {
        "card": read.card.line,
        "name": read.card.name,
        "system": read.card.system,
        "title": system.title,
        **({"character": str(read.card.character)} if read.card.character else {}),
        "engine": _engine(read.card),
        "changed": dict(read.card.switches),
        "notes": dict(read.card.notes),
        "unmapped": list(read.unmapped),
        "switches": [
            {"name": c.name, "title": c.title, "about": c.about, "topic": c.topic, "on": c.on,
             "standard": c.standard, "fixed": c.fixed, "needs": c.needs, "excludes": c.excludes}
            for c in system.conventions
        ],
    }  # fmt: skip


@command.command("check")
@click.argument("cards", nargs=-1, required=True)
@json_option
def check(cards: tuple[str, ...], as_json: bool) -> None:
    """Can these cards be played? Each mistake is one line.

    Example: overtrick card check mine.toml theirs.bbsa
    """
    from overtrick.game import BridgeError

    rows = []
    for text in cards:
        try:
            read, _ = _read(text)
        except (BridgeError, click.UsageError) as error:
            told = error.message if isinstance(error, click.UsageError) else str(error)
            rows.append({"card": text, "fine": False, "error": told, "unmapped": []})
            continue
        rows.append({"card": text, "fine": True, "line": read.card.line,
                     "unmapped": list(read.unmapped)})  # fmt: skip
    if as_json:
        echo_json(rows)
    else:
        for row in rows:
            click.echo(f"{row['card']}: {row['line'] if row['fine'] else row['error']}")
            _tell(tuple(str(u) for u in row["unmapped"]))  # type: ignore[attr-defined]
    if not all(row["fine"] for row in rows):
        raise click.exceptions.Exit(1)


@command.command("diff")
@click.argument("card")
@click.argument("other", required=False)
@json_option
def diff(card: str, other: str | None, as_json: bool) -> None:
    """What differs from the system's standard, or from another card.

    \b
    Examples:
      overtrick card diff mine.toml
      overtrick card diff mine.toml theirs.bbsa
    """
    read, system = _read(card)
    theirs_read, theirs = _read(other or read.card.system)
    rows = []
    for name in sorted({*system.switches, *theirs.switches}):
        mine, usual = system.switches.get(name), theirs.switches.get(name)
        if bool(mine) is not bool(usual):
            title = (system.titles | theirs.titles)[name]
            rows.append({"switch": name, "title": title, "first": mine, "second": usual})
    if as_json:
        echo_json({"first": read.card.line, "second": theirs_read.card.line, "differences": rows})
        return
    if not rows:
        click.echo("the same switches")
    for row in rows:
        console().print(
            coloured(f"{'+' if row['first'] else '-'} {row['switch']:<22} {row['title']}")
        )
    _tell((*read.unmapped, *theirs_read.unmapped))


@command.command("write")
@click.argument("card")
@click.argument("file", type=NewFile(), required=False)
@click.option("--to", "form", type=click.Choice(_FORMS),
              help="The form; otherwise by the file's ending: .toml .bbsa .bml .html.")  # fmt: skip
@click.option("--name", default="", help="Whose card it is.")
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 12),
              help="Calls other than passes, for bml and bboalert.")  # fmt: skip
@_on
@_off
def write(
    card: str, file: Path | None, form: str | None, name: str, depth: int, on: str, off: str
) -> None:
    """Write a card as a file, or to standard output: our TOML, BBA's card, the whole system as BML
    or as alerts for BBO, or the ACBL's or WBF's form to print.

    \b
    Examples:
      overtrick card write "two-over-one +dont" mine.toml --name "Anna and Bert"
      overtrick card write mine.bbsa mine.toml
      overtrick card write mine.toml mine.html --to wbf
      overtrick card write sayc --to bml
    """
    from dataclasses import replace

    from overtrick.notation.whole import write_whole

    wanted = form or _ENDINGS.get(file.suffix.lower() if file else ".toml", "")
    if not wanted:
        raise click.UsageError("say the form with --to: " + ", ".join(_FORMS))
    read, system = _read(card, on, off)
    made = replace(read.card, name=name or read.card.name)
    text = _written(wanted, system, made, depth)
    _tell(read.unmapped)
    if wanted == "bbsa":
        _tell_own(system)
    if file is None:
        click.echo(text, nl=False)
        return
    write_whole(file, text)
    click.echo(f"wrote {file}")


def _written(form: str, system: System, card: Any, depth: int) -> str:
    from overtrick.systems import bbsa, book, cardpage
    from overtrick.systems.card import dumps

    if form == "toml":
        return dumps(card)
    if form == "bbsa":
        return bbsa.dumps(system)
    if form == "bml":
        return book.to_bml(system, depth)
    if form == "bboalert":
        return book.to_bbo_alerts(system, depth)
    return cardpage.page(system, card, "wbf" if form == "wbf" else "acbl")


def _tell_own(system: System) -> None:
    from overtrick.systems.bbsa import unnamed

    for name in unnamed(system):
        click.echo(f"BBA has no name for {name}: it stands in a line that only we read", err=True)


@command.command("text")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("auction", required=False)
@click.option("--seat", default=1, show_default=True, type=click.IntRange(1, 4),
              help="The seat of the first call.")  # fmt: skip
@click.option("--vul", type=click.Choice(["none", "we", "they", "all"]), default="none")
@json_option
def text(file: Path, auction: str | None, seat: int, vul: str, as_json: bool) -> None:
    """Read the text of a system in BML: what it says of an auction, or what could not be placed.

    \b
    Examples:
      overtrick card text our-system.bml
      overtrick card text our-system.bml "1N-2C"
      overtrick card text our-system.bml "(1N)-2C-(D)"
    """
    from overtrick.game import CALLS
    from overtrick.systems import bml

    found = bml.load(file)
    if auction is not None:
        steps = bml.steps_of(auction)
        flags = (vul in ("we", "all"), vul in ("they", "all"))
        said = found.says(steps, seat, *flags)
        following = found.calls_after(steps)
        if as_json:
            echo_json({"auction": auction, "says": said,
                       "next": {CALLS[c].ascii: words for c, words in following}})  # fmt: skip
            return
        console().print(coloured(f"{auction}: {said or 'the text says nothing of it'}"))
        for call, words in following:
            console().print(coloured(f"  {CALLS[call]!s:<5} {words}"))
        return
    share = 100 * found.unmapped_share
    if as_json:
        echo_json({"title": found.title, "author": found.author, "lines": found.lines,
                   "rows": len(found.rows), "auctions": sum(1 for _ in found.auctions()),
                   "unmapped": [str(u) for u in found.unmapped],
                   "unmapped_percent": round(share, 2)})  # fmt: skip
        return
    counts = ", ".join(f"{n} {kind}" for kind, n in found.lines.items())
    click.echo(f"{found.title or file.name}: {len(found.rows)} calls explained ({counts} lines)")
    click.echo(
        f"{len(found.unmapped)} of {sum(found.lines.values())} lines not placed ({share:.1f} %)"
    )
    for line in found.unmapped:
        click.echo(f"  {line}")
