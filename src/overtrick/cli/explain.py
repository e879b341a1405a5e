"""`overtrick explain`: what each call of an auction means, and what could come next.
The web table shows the same texts on hover."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from overtrick.cli.common import (
    coloured,
    console,
    echo_json,
    json_option,
    thinking,
    vul_option,
    words_argument,
)
from overtrick.game import Forcing, SpeechAct, Vulnerability

if TYPE_CHECKING:
    from overtrick.game import Auction, Meaning
    from overtrick.systems.explain import Explained


@click.command("explain")
@words_argument("auction")
@click.option(
    "--system",
    default="sayc",
    show_default=True,
    help="A system, a card (its line or file), or a folder of rules.",
)
@click.option("--theirs", default="", help="The opponents' system, when it is another one.")
@click.option("--engine", default="rules", show_default=True, help="rules, or policy: learned.")
@click.option("--samples", default=2, show_default=True, type=click.IntRange(0, 20))
@click.option("--next/--no-next", "following", default=True, help="Also every possible next call.")
@vul_option
@click.option("--seed", default=0, show_default=True, help="Which sample hands.")
@json_option
def command(
    auction: str, system: str, theirs: str, engine: str, samples: int, following: bool,
    vul: Vulnerability | None, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Explain an auction call by call, with hands that would make each call.

    \b
    Examples:
      overtrick explain "1NT P 2H P"
      overtrick explain "1S (2H) X" --system two-over-one --json
      overtrick explain --engine policy "1N P 2H"
    """
    from overtrick.bidding.rules import reading_of
    from overtrick.game import Auction
    from overtrick.systems.explain import explain_auction, next_calls

    parsed = Auction.parse(auction)
    at = vul if vul is not None else Vulnerability.NONE
    if engine != "rules":
        with thinking("bidding deals to see what the calls show"):
            told, coming = _learned(engine, parsed, at, (system, theirs or system), samples)
        coming = coming if following else []
    else:
        reading = reading_of(system, theirs)
        told = explain_auction(reading, parsed, at, samples=samples, seed=seed, ends=as_json)
        if following and not parsed.is_over:
            coming = next_calls(reading, parsed, at, samples=min(samples, 1), seed=seed)
        else:
            coming = []
    if as_json:
        echo_json({
            "system": system, "engine": engine, "auction": parsed.ascii,
            "calls": [e.to_dict() for e in told], "next": [e.to_dict() for e in coming],
        })  # fmt: skip
        return
    _show(told, coming)


def _learned(
    engine: str, auction: Auction, vul: Vulnerability, systems: tuple[str, str], samples: int
) -> tuple[list[Explained], list[Explained]]:
    """From the hands with which a network makes these calls."""
    from overtrick.bidding import Illustrating, bidder
    from overtrick.game import OptionError

    made = bidder(engine)
    if not isinstance(made, Illustrating):
        raise OptionError(f"calls of {engine} cannot be explained; take rules, policy or bmcs")
    return made.explain(auction, vul, systems, samples=samples)


_KINDS: Final = (SpeechAct.ASKING, SpeechAct.ANSWERING, SpeechAct.INVITING, SpeechAct.PREEMPTING)


def _kinds(meaning: Meaning) -> list[str]:
    """What a call does, in a player's words."""
    out = [str(meaning.act)] if meaning.act in _KINDS else []
    if meaning.forcing is not Forcing.NONE:
        to_play = meaning.forcing is Forcing.SIGN_OFF
        out.append("to play" if to_play else f"forcing {meaning.forcing}")
    if meaning.announce:
        out.append(f"announced: “{meaning.announce}”")
    if meaning.delayed:
        out.append("alert after the auction")
    return out + (["alert"] if meaning.alert else [])


def _show(told: list, coming: list) -> None:  # type: ignore[type-arg]
    from rich.table import Table

    out = console()
    for title, rows in (("The auction", told), ("What could come next", coming)):
        if not rows:
            continue
        table = Table(title=title, title_justify="left")
        for name in ("call", "means", "shows", "kind"):
            table.add_column(name, overflow="fold")
        for e in rows:
            m = e.meaning
            kind = ", ".join(_kinds(m))
            shown = m.ranges() or "–"
            if e.samples:
                shown += "\n" + "\n".join(h.pretty() for h in e.samples)
            name = f" ({m.convention})" if m.convention else ""
            means = "\n".join([m.words + name, *(f"· {c.words}" for c in e.denies)])
            table.add_row(coloured(str(e.call)), coloured(means), coloured(shown), kind)
        out.print(table)
