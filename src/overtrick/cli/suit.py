"""`overtrick suit`: the best way to play one suit, for every goal, in words, trees and tables.
The work is in `overtrick.suitplay`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import ParamType, console, echo_json, json_option, vul_option
from overtrick.game import Contract, Seat, Vulnerability

if TYPE_CHECKING:
    from rich.console import Console

    from overtrick.hiddenplay import HiddenSuit
    from overtrick.suitplay import Line, SuitAnalysis

_ROWS = 24


class _Entries(ParamType):
    """A number of entries, or `any` for as many as needed."""

    name = "entries"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from overtrick.suitplay import UNLIMITED

        if isinstance(value, int):
            return value
        if value.lower() in {"any", "all", "inf", "*"}:
            return UNLIMITED
        if not value.isdigit():
            self.fail(f"{value!r} is neither a number of entries nor 'any'", param, ctx)
        return min(int(value), UNLIMITED)


@click.command("suit")
@click.argument("north")
@click.argument("south")
@click.option("--tricks", type=int, help="Tricks you need: show the line for them.")
@click.option("--vacant", type=int, nargs=2, metavar="W E", default=(13, 13),
              help="Vacant places of West and East (13 13).")  # fmt: skip
@click.option("--entries", type=_Entries(), nargs=2, metavar="N S", default=None,
              help="Entries to North and South outside the suit, or 'any'.")  # fmt: skip
@click.option("--missing", help="The defenders' cards, if some of the suit has been played.")
@click.option("--contract", default="3NT", show_default=True, help="For the IMP comparison.")
@vul_option
@click.option("--tree", is_flag=True, help="Show the line card by card.")
@click.option("--all", "everything", is_flag=True, help="Show every layout.")
@click.option("--defence", type=click.Choice(["seen", "hidden"]), default="seen",
              show_default=True, help="Do they see all cards, or their own?")  # fmt: skip
@click.option("--opening", metavar="CARDS",
              help="Declarer's first card or two (SA, 'S2 NQ'), if hidden.")  # fmt: skip
@json_option
def command(
    north: str,
    south: str,
    tricks: int | None,
    vacant: tuple[int, int],
    entries: tuple[int, int] | None,
    missing: str | None,
    contract: str,
    vul: Vulnerability | None,
    tree: bool,
    everything: bool,
    defence: str,
    opening: str | None,
    as_json: bool,
) -> None:
    """How to play one suit, NORTH opposite SOUTH, against the best defence there is.

    An x is a small card, - a void. Chances assume that the defenders see all the cards; no
    outside entry is needed unless --entries says how many there are. After losing a trick, and to
    lead from the other hand, declarer then spends an entry of the hand he wants to be in.

    With --defence hidden the defenders see dummy, their own cards and what was played, do not know
    declarer's line, and choose the cards that tell least: falsecards come with their shares.

    \b
    Examples:
      overtrick suit AQT98 5432
      overtrick suit AQT98 5432 --tricks 4 --tree
      overtrick suit KJxx Axxx --vacant 8 6
      overtrick suit AQJx xxx --entries 0 any
      overtrick suit AQT98 5432 --defence hidden --tricks 5
      overtrick suit K832 AQT4 --defence hidden --tricks 4 --opening SA
    """
    from overtrick.suitplay import Stakes, SuitError, solve

    if tricks is not None and tricks < 1:
        raise SuitError(f"the number of tricks must be at least 1, not {tricks}")
    if defence == "hidden":
        _hidden(north, south, tricks, vacant, entries, missing, opening, as_json)
        return
    if opening is not None:
        raise click.UsageError("--opening is for --defence hidden")
    stakes = Stakes(Contract.parse(contract, Seat.SOUTH), vul or Vulnerability.NONE, tricks)
    found = solve(north, south, vacant, entries, stakes, missing=missing)
    line = found.line_for(tricks) if tricks is not None else found.mean_line
    if as_json:
        echo_json(_json(found, line, tree))
        return
    out = console()
    _goals(out, found)
    _contests(out, found)
    _compare(out, found)
    _layouts(out, found, everything)
    wanted = f"{tricks} tricks or more" if tricks is not None else "most tricks on average"
    out.print(f"\n[bold]For {wanted}: line {line.name}.[/bold] {found.words(line)}",
              soft_wrap=False)  # fmt: skip
    if tree:
        for indent, text in found.tree(line):
            out.print("  " * (indent + 1) + text)


def _hidden(
    north: str,
    south: str,
    tricks: int | None,
    vacant: tuple[int, int],
    entries: tuple[int, int] | None,
    missing: str | None,
    opening: str | None,
    as_json: bool,
) -> None:
    from overtrick.hiddenplay import solve as hidden
    from overtrick.suitplay import solve

    def answer(goal: int | None) -> HiddenSuit:
        return hidden(north, south, goal, vacant, entries, missing=missing, opening=opening)

    chances = solve(north, south, vacant, entries, missing=missing).chances
    open_goals = [k for k in range(1, len(chances)) if 0 < chances[k] < 1]
    if tricks is not None and tricks not in open_goals:
        open_goals.append(tricks)
    found = [answer(goal) for goal in [*sorted(open_goals), None]]
    asked = next(one for one in found if one.tricks == tricks)
    if as_json:
        echo_json({"holding": str(asked.holding), "goals": [one.to_dict() for one in found]})
        return
    out = console()
    _defences(out, found)
    _choices(out, asked)


def _defences(out: Console, found: list[HiddenSuit]) -> None:
    """Each goal against three defences."""
    from rich.table import Table

    table = Table(title=f"{found[0].holding}, by what the defenders know", title_justify="left",
                  title_style="bold", box=None, pad_edge=False)  # fmt: skip
    for heading in ("goal", "all cards and the line", "their own cards", "no falsecards"):
        table.add_column(heading, justify="left" if heading == "goal" else "right")
    for one in found:
        values = (one.seen, one.hidden, one.plain)
        if one.tricks is None:
            table.add_row("mean", *(f"{value:.4f}" for value in values))
        else:
            table.add_row(f"{one.tricks}+", *(f"{100 * value:.2f} %" for value in values))
    out.print(table)


def _choices(out: Console, found: HiddenSuit) -> None:
    """What declarer mixes, and the defenders' falsecards."""
    from overtrick.hiddenplay import choice_words

    goal = "most tricks" if found.tricks is None else f"{found.tricks} tricks or more"
    mixed = [choice for choice in found.line if choice.is_mixed]
    ours = "mixes" if mixed else "need not mix"
    theirs = "have these falsecards" if found.falsecards else "need no falsecard"
    out.print(f"\n[bold]For {goal}:[/bold] declarer {ours}; the defenders {theirs}.",
              soft_wrap=True)  # fmt: skip
    for choice in mixed:
        out.print(f"  {choice_words(choice)}", soft_wrap=True)
    for choice in found.falsecards[:_ROWS]:
        out.print(f"  {choice_words(choice)}  ({100 * choice.chance:.1f} % of deals)",
                  soft_wrap=True)  # fmt: skip
    if len(found.falsecards) > _ROWS:
        out.print(f"  … and {len(found.falsecards) - _ROWS} rarer ones (--json has them all)")


def _json(found: SuitAnalysis, line: Line, tree: bool) -> dict[str, Any]:
    value = found.to_dict()
    value["line"] = line.name
    if tree:
        value["tree"] = [{"indent": i, "text": text} for i, text in found.tree(line)]
    return value


def _goals(out: Console, found: SuitAnalysis) -> None:
    from rich.table import Table

    title = str(found.holding)
    if found.vacant != (13, 13):
        title += f", vacant places West {found.vacant[0]}, East {found.vacant[1]}"
    if found.entries is not None:
        from overtrick.suitplay import UNLIMITED

        entries = ["any" if e >= UNLIMITED else str(e) for e in found.entries]
        title += f", entries North {entries[0]}, South {entries[1]}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for heading in ("goal", "chance", "line", "how"):
        table.add_column(heading, justify="right" if heading == "chance" else "left")
    told: set[str] = set()
    for k in range(1, len(found.chances)):
        line = found.line_for(k)
        chance = found.chances[k]
        how = _once(found, line, told) if 0 < chance < 1 else "certain" if chance else "impossible"
        table.add_row(f"{k}+", f"{100 * chance:.2f} %", line.name, how)
    line = found.mean_line
    table.add_row("mean", f"{found.mean:.4f}", line.name, _once(found, line, told))
    out.print(table)


def _once(found: SuitAnalysis, line: Line, told: set[str]) -> str:
    """A line in words the first time it comes up."""
    if line.name in told:
        return "the same"
    told.add(line.name)
    return found.words(line)


def _contests(out: Console, found: SuitAnalysis) -> None:
    """The lines that no other beats at matchpoints and at IMPs."""
    at_imps = f"{found.contract.pretty()} needing {found.need}, {found.vul} vulnerable"
    for name, best, cycle, unit in (
        ("Matchpoints", found.matchpoint_best, found.matchpoint_cycle, "mp"),
        (f"IMPs ({at_imps})", found.imp_best, found.imp_cycle, "imp"),
    ):
        if best is None:
            names = " < ".join(line.name for line in (*cycle, cycle[0]))
            out.print(f"[bold]{name}[/bold]: no line is best, each is beaten by another: {names}",
                      soft_wrap=False)  # fmt: skip
            continue
        text = f"[bold]{name}[/bold]: line {best.name}"
        if best is not found.mean_line:
            ahead = (
                f"{100 * found.ahead(best, found.mean_line):.4f} %"
                if unit == "mp"
                else f"{found.imps(best, found.mean_line):.4f} IMPs"
            )
            text += f", ahead of {found.mean_line.name} by {ahead}. {found.words(best)}"
        out.print(text, soft_wrap=False)


def _compare(out: Console, found: SuitAnalysis) -> None:
    """Lines by goals, and each against each at matchpoints."""
    from rich.table import Table

    if len(found.lines) < 2:
        return
    table = Table(title="Lines", title_justify="left", box=None, pad_edge=False)
    table.add_column("line")
    open_goals = [k for k in range(1, len(found.chances)) if 0 < found.chances[k] < 1]
    levels = open_goals or [len(found.chances) - 1]
    headings = (*(f"{k}+" for k in levels), "mean", *(f"v {line.name}" for line in found.lines))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("best for", no_wrap=True)
    for line in found.lines:
        values = [f"{100 * line.chances[k]:.2f}" for k in levels]
        rivals = [
            "" if line is other else f"{100 * found.ahead(line, other):+.2f}"
            for other in found.lines
        ]
        certain = [f"{k}+" for k in range(1, len(found.chances)) if k not in open_goals]
        goals = ", ".join(g for g in line.good_for if g.split()[0] not in certain)
        table.add_row(line.name, *values, f"{line.mean:.4f}", *rivals, goals)
    out.print()
    out.print(table)


def _layouts(out: Console, found: SuitAnalysis, everything: bool) -> None:
    from rich.table import Table

    rows = found.table()
    shown = rows if everything else rows[:_ROWS]
    table = Table(title="Tricks by layout", title_justify="left", box=None, pad_edge=False)
    table.add_column("West", justify="right")
    table.add_column("East")
    table.add_column("%", justify="right")
    for line in found.lines:
        table.add_column(line.name, justify="right")
    for row in shown:
        tricks = [str(row.tricks[line.name]) for line in found.lines]
        best = max(tricks)
        cells = [f"[bold]{t}[/bold]" if t == best != min(tricks) else t for t in tricks]
        table.add_row(row.west, row.east, f"{100 * row.chance:.2f}", *cells)
    out.print()
    out.print(table)
    if len(shown) < len(rows):
        left = 100 * sum(row.chance for row in rows[len(shown) :])
        out.print(f"… and {len(rows) - len(shown)} more, {left:.1f} % together (--all shows them)")
