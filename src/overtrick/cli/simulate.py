"""`overtrick simulate`: deals that fit, what makes on them, and which of two actions is better.
The work is in `analysis.simulation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from overtrick.cli.common import (
    ContractParam,
    coloured,
    console,
    dealer_option,
    echo_json,
    json_option,
    progress,
    vul_option,
)
from overtrick.cli.running import backend_of, where_option
from overtrick.game import Auction, Contract, Seat, Strain, Vulnerability

if TYPE_CHECKING:
    from overtrick.analysis import Simulation


@click.command("simulate")
@click.option("--north", help='North\'s hand, or what it holds: "hcp 15..17, balanced".')
@click.option("--east", help="East's.")
@click.option("--south", help="South's.")
@click.option("--west", help="West's.")
@click.option("--auction", help="Calls so far, from the dealer: the hands fit them.")
@click.option("--contract", "contracts", multiple=True, type=ContractParam(),
              help="Only this contract ('3NT N'), much quicker; may be repeated.")  # fmt: skip
@click.option("--compare", nargs=2, metavar="A B",
              help="Two contracts ('4S S' '3NT N'), or two calls to make now.")  # fmt: skip
@click.option(
    "--system",
    default="sayc",
    show_default=True,
    help="What the dealer's side plays: a system or a card.",
)
@click.option("--theirs", default="", help="What the other side plays; the same unless given.")
@click.option(
    "--engine", default="", help="Bids on after a call of --compare; the rules unless given."
)
@click.option("-n", "--deals", default=100, show_default=True, type=click.IntRange(1, 100_000),
              help="At most so many; fewer when it is decided.")  # fmt: skip
@click.option("--precision", type=click.FloatRange(0, 0.5), default=0.0,
              help="Stop when shares are known so well: 0.02 is two in a hundred.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same result.")
@dealer_option
@vul_option
@where_option
@json_option
def command(
    auction: str | None, contracts: tuple[Contract, ...], compare: tuple[str, str] | None,
    system: str, theirs: str, engine: str, deals: int, precision: float, seed: int,
    dealer: Seat | None, vul: Vulnerability | None, workers: str, ray: str | None, as_json: bool,
    **wishes: str | None,
) -> None:  # fmt: skip
    """Deal many hands that fit and say what makes, with the error of every figure.

    Each seat may be given a hand (AK3.QJ2.T98.7654), a description in the words of
    `overtrick deal`, or nothing. An auction is read by the systems. Contracts are played double
    dummy. Without --contract and --compare all contracts are solved, a few deals a second.

    With --compare the answer is in IMPs for the first of two actions, and dealing stops as soon
    as one is better by three standard errors, or they are too close to matter.

    \b
    Examples:
      overtrick simulate --north "hcp 15..17, balanced" --south "hcp 8..9" --contract "3NT N"
      overtrick simulate --south KQJ932.A4.72.K53 --auction "1NT P" --compare "4S S" "3NT N"
      overtrick simulate --auction "1S P 2S P" --north AQJ84.K7.A64.Q52 --compare Pass 3S
      overtrick simulate --north "hcp 20..21, balanced" --south "hcp 4..6" -n 60 --json
    """
    from overtrick.analysis import simulate

    made = Auction.parse(auction or "", Seat.NORTH if dealer is None else dealer)
    with progress("deals", deals) as update:
        found = simulate(
            {name: wish for name, wish in wishes.items() if wish}, auction=made,
            contracts=contracts,
            actions=compare or None, vul=Vulnerability.NONE if vul is None else vul,
            system=system, theirs=theirs, engine=engine, deals=deals, precision=precision,
            seed=seed, progress=update, backend=backend_of(workers, ray),
        )  # fmt: skip
    if as_json:
        echo_json(found.to_dict())
        return
    _show(found, contracts)


def _show(found: Simulation, contracts: tuple[Contract, ...]) -> None:
    out = console()
    rare = f", such as come once in {1 / found.chance:,.0f}" if found.chance < 0.5 else ""
    deals = "1 deal" if found.deals == 1 else f"{found.deals} deals"
    out.print(coloured(f"{deals}{rare}; {found.how}; {found.stopped}."))
    if found.actions is not None and found.gain is not None:
        _show_actions(found)
    for contract in contracts:
        mean = found.mean_score(contract)
        made, tricks = found.made(contract), found.mean_tricks(contract.strain, contract.declarer)
        text = f"{contract}: makes {made}, {tricks.mean:.2f} ± {tricks.error:.2f} tricks"
        out.print(coloured(f"{text}, {mean.mean:+.0f} ± {mean.error:.0f} points"))
        shares = found.distribution(contract.strain, contract.declarer).items()
        out.print(coloured("  " + ", ".join(f"{n}: {100 * s.value:.0f} %" for n, s in shares)))
    if len(found.solved) == 20:
        _show_all(found)


def _show_actions(found: Simulation) -> None:
    assert found.actions is not None
    assert found.gain is not None
    first, second = found.actions
    better, same, worse = found.ahead
    gain = found.gain
    named = first if gain.mean >= 0 else second
    said = "no difference so far" if gain.mean == 0 else f"{named} is better"
    text = f"{said}: {abs(gain.mean):.2f} ± {gain.error:.2f} IMPs a board"
    console().print(coloured(f"{first} or {second}? {text}"), style="bold")
    text = f"{first} better on {better}, {second} on {worse}, the same on {same}"
    console().print(coloured(text))


def _show_all(found: Simulation) -> None:
    from rich.table import Table

    out = console()
    table = Table("tricks", *(str(seat) for seat in Seat))
    for strain in reversed(Strain):
        cells = [f"{found.mean_tricks(strain, seat).mean:.1f}" for seat in Seat]
        table.add_row(coloured(str(strain)), *cells)
    out.print(table)
    best = Table("contract", "makes", "")
    for contract in _worth_showing(found):
        mean = found.mean_score(contract)
        best.add_row(
            coloured(str(contract)),
            coloured(str(found.made(contract))),
            coloured(f"{mean.mean:+.0f} ± {mean.error:.0f}"),
        )
    out.print(best)
    par, named = found.par()
    shares = ", ".join(f"{name} {100 * s.value:.0f} %" for name, s in named.items())
    out.print(coloured(f"Par for North-South {par.mean:+.0f} ± {par.error:.0f}; mostly {shares}"))


def _worth_showing(found: Simulation) -> list[Contract]:
    """Games and slams from the better hand of each side that make one time in ten or more."""
    levels = ((3, Strain.NT), (4, Strain.SPADES), (4, Strain.HEARTS), (5, Strain.DIAMONDS),
              (5, Strain.CLUBS), *((n, s) for n in (6, 7) for s in reversed(Strain)))  # fmt: skip
    out = []
    for level, strain in levels:
        for seats in ((Seat.NORTH, Seat.SOUTH), (Seat.EAST, Seat.WEST)):
            contracts = [Contract(level, strain, seat) for seat in seats]
            best = max(contracts, key=lambda c: found.made(c).value)
            if found.made(best).value >= 0.1:
                out.append(best)
    return out
