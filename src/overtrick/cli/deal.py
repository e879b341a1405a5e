"""`overtrick deal`: deals at random, to order, or from a dealer script, in any notation.
The work is in `worlds`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import coloured, console, echo_json, json_option, seed_option
from overtrick.game import (
    Board,
    BridgeError,
    Hand,
    ParseError,
    PartialDeal,
    Record,
    Seat,
    Suit,
    Vulnerability,
)

if TYPE_CHECKING:
    import numpy as np

    from overtrick.worlds import Constraint, DealSample


@click.command("deal")
@click.option("-n", "--number", "count", type=click.IntRange(1, 10_000_000),
              help="How many deals; 1 unless a script says more.")  # fmt: skip
@click.option("--north", help='What North holds, such as "hcp 15..17, balanced".')
@click.option("--east", help="What East holds.")
@click.option("--south", help="What South holds.")
@click.option("--west", help="What West holds.")
@click.option("--known", help='Cards already placed, as PBN: "N:AK... - .QJ.. -".')
@click.option("--void", "voids", multiple=True, metavar="SEAT:SUITS",
              help="Suits of which a seat gets no further card: E:SH.")  # fmt: skip
@click.option("--script", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="A script in the language of `dealer`.")  # fmt: skip
@click.option("-f", "--format", "form",
              type=click.Choice(["text", "line", "pbn", "lin", "json"]),
              help="How to print; text unless a script says otherwise.")  # fmt: skip
@click.option("--stats", is_flag=True, help="Say how rare such deals are and what they look like.")
@click.option("--words", "reference", is_flag=True,
              help="List the words that describe a hand, and stop.")  # fmt: skip
@seed_option
@json_option
def command(
    count: int | None,
    known: str | None,
    voids: tuple[str, ...],
    script: Path | None,
    form: str | None,
    stats: bool,
    reference: bool,
    seed: int | None,
    as_json: bool,
    **wishes: str | None,
) -> None:
    """Deal hands: at random, or uniformly among all deals that fit.

    Each seat may be given a description: points (hcp 12..14), lengths (spades 5+, ♥ ..3), shapes
    (15-17 balanced, any 5431, 5=4=2=2, (54)xx), holdings (has SA, 2 of AKQ in hearts), losers,
    controls, quality S 6+, stopper H, with and, or, not and brackets. --words lists them all.

    \b
    Examples:
      overtrick deal -n 4 --seed 7
      overtrick deal --north "hcp 15..17, balanced" --south "hcp 8+, either major 4" -n 100 -f pbn
      overtrick deal --known "N:AKQ... - - -" --void E:S --stats
      overtrick deal --script stayman.dl -n 10
    """
    import numpy as np

    if reference:
        _print_words(as_json)
        return
    form = "json" if as_json else form
    rng = np.random.default_rng(seed)
    if script is not None:
        if any(wishes.values()) or known or voids:
            raise click.UsageError("a script says itself what the hands are")
        dealt, boards = _from_script(script, count, form, rng)
    else:
        dealt = _dealt(count or 1, wishes, (known, voids), rng)
        boards = [Board.numbered(i, d) for i, d in enumerate(dealt, 1)]
    if form == "json":
        echo_json(_as_json(boards, dealt if stats else None))
        return
    _print(boards, form or "text")
    if stats:
        _print_statistics(dealt, err=form in ("pbn", "lin"))


def _print_words(as_json: bool) -> None:
    """The reference of the constraint language."""
    from overtrick.worlds.vocabulary import REFERENCE

    if as_json:
        echo_json({title: dict(rows) for title, rows in REFERENCE})
        return
    for title, rows in REFERENCE:
        click.echo(f"{title}:")
        for write, means in rows:
            click.echo(f"  {write:<36} {means.replace('`', '')}")


def _from_script(
    script: Path, count: int | None, form: str | None, rng: np.random.Generator
) -> tuple[DealSample, list[Board]]:
    """Deal by a script; without a wish for another form, what its actions print is printed."""
    from overtrick.notation.reading import decode
    from overtrick.worlds.script import printed, run

    text, _, _ = decode(script.read_bytes())
    outcome = run(text, rng, count)
    if form is None and (lines := printed(outcome)):
        click.echo("\n".join(lines))
        return outcome.dealt, []
    boards = [
        Board(r.number or 1, r.dealer or Seat.NORTH, r.vul or Vulnerability.NONE, deal)
        for r, deal in zip(outcome.records(), outcome.dealt, strict=True)
    ]
    return outcome.dealt, boards


def _dealt(
    count: int,
    wishes: dict[str, str | None],
    fixed: tuple[str | None, tuple[str, ...]],
    rng: np.random.Generator,
) -> DealSample:
    from overtrick.worlds import Dealer

    known, voids = fixed
    dealer = Dealer(
        _constraints(wishes),
        known=PartialDeal.parse(known) if known else None,
        voids=dict(_void(v) for v in voids),
    )
    return dealer.sample(count, rng)


def _is_hand(name: str, text: str) -> str:
    """What to write where somebody gave a hand for a constraint; nothing if it is none."""
    try:
        hand = Hand.parse(text)
    except BridgeError:
        return ""
    hands = " ".join(str(hand) if seat == name[0].upper() else "-" for seat in "NESW")
    return f"--{name} says what the hand is like; for this very hand: --known 'N:{hands}'"


def _constraints(wishes: dict[str, str | None]) -> dict[Seat, Constraint]:
    from overtrick.worlds import parse

    out = {}
    for name, text in wishes.items():
        if text is not None:
            try:
                wish = parse(text)
            except ParseError as error:
                raise BridgeError(_is_hand(name, text) or f"--{name}: {error}") from None
            if wish.is_impossible:
                raise BridgeError(f"--{name}: no hand has {text!r}")
            out[Seat.parse(name)] = wish
    return out


def _void(text: str) -> tuple[Seat, list[Suit]]:
    seat, colon, suits = text.partition(":")
    if not colon or not suits:
        raise click.BadParameter(f"a void reads like E:S, not {text!r}")
    return Seat.parse(seat), [Suit.parse(s) for s in suits]


def _print(boards: list[Board], form: str) -> None:
    if form in ("pbn", "lin"):
        from overtrick import notation

        records = [Record(number=b.number, dealer=b.dealer, vul=b.vul, deal=b.deal) for b in boards]
        click.echo(notation.dumps(records, form), nl=False)
        return
    if form == "line":
        for board in boards:
            click.echo(str(board.deal))
        return
    from overtrick.notation.diagram import text_board

    out = console()
    for board in boards:
        out.print(coloured(text_board(board)))
        out.print()


def _as_json(boards: list[Board], dealt: DealSample | None) -> dict[str, Any] | list[Any]:
    rows = [
        {
            "board": b.number,
            "dealer": b.dealer.letter,
            "vul": str(b.vul),
            "deal": str(b.deal),
            "hands": {s.letter: str(b.deal[s]) for s in Seat},
        }
        for b in boards
    ]
    if dealt is None:
        return rows
    return {"deals": rows, "statistics": _statistics(dealt)}


def _statistics(dealt: DealSample) -> dict[str, Any]:
    """How rare such deals are, and the mean points, lengths and losers of each seat."""
    import numpy as np

    from overtrick.evaluation import HandArray, feature

    names = ("HCP", "LTC", "CONTROLS", *(f"SUITLEN({s})" for s in "SHDC"))
    seats = {}
    for seat in Seat:
        hands = HandArray(np.ascontiguousarray(dealt.hands[:, seat]))
        seats[seat.letter] = {n: round(float(np.mean(feature(n)(hands))), 3) for n in names}
    return {
        "deals": len(dealt),
        "proposals": dealt.proposals,
        "acceptance": dealt.acceptance,
        "chance": dealt.chance,
        "means": seats,
    }


def _print_statistics(dealt: DealSample, err: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    found = _statistics(dealt)
    table = Table(box=None)
    for head in ("mean", "hcp", "losers", "controls", "♠", "♥", "♦", "♣"):
        table.add_column(head, justify="left" if head == "mean" else "right")
    for letter, means in found["means"].items():
        table.add_row(str(Seat.parse(letter)), *(f"{x:.2f}" for x in means.values()))
    out = Console(stderr=err, highlight=False)
    rare = 1 / dealt.chance
    out.print(table)
    how_rare = f"{rare:,.1f}" if rare < 100 else f"{rare:,.0f}"
    deals = "1 deal" if len(dealt) == 1 else f"{len(dealt):,} deals"
    out.print(f"{deals}; such a deal comes about once in {how_rare}.")
