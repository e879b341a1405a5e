"""`overtrick play`: engines play a board from a file, a deal or a seed; the record comes out.
The loop is `table.play_table`, the cards are `cardplay`'s."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from overtrick.cli.common import (
    ContractParam,
    NewFile,
    coloured,
    console,
    dealer_option,
    echo_json,
    json_option,
    played_from,
    progress,
    seed_option,
    usual,
    vul_option,
    words_argument,
)
from overtrick.cli.solved import with_conditions
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Contract,
    Decision,
    Meaning,
    Seat,
    View,
    Vulnerability,
)

if TYPE_CHECKING:
    from overtrick.table import Occupant, TableState


@click.command("play")
@words_argument("source", required=False)
@click.option("--engine", default="alphamu", show_default=True, help="Plays all four hands.")
@click.option("--ns", help="Player for North-South instead.")
@click.option("--ew", help="Player for East-West instead.")
@click.option("--bidder", "bids", default=usual, show_default="partner", help="Bids the board.")
@click.option("--contract", type=ContractParam(), help="Play this instead of bidding: '4S S'.")
@click.option("-b", "--board", "number", type=click.IntRange(min=1), help="Board number.")
@seed_option
@dealer_option
@vul_option
@click.option("--why", is_flag=True, help="Say why every card was played.")
@click.option("--out", type=NewFile(".pbn", ".lin"), help="Write the records, as PBN or LIN.")
@json_option
def command(
    source: str | None,
    engine: str,
    ns: str | None,
    ew: str | None,
    bids: str,
    contract: Contract | None,
    number: int | None,
    seed: int | None,
    dealer: Seat | None,
    vul: Vulnerability | None,
    why: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Let engines play boards and show the tricks.

    SOURCE is a deal in PBN text or a file (PBN, LIN, …); without it the board is random. Boards
    of a file that have an auction are played in its contract, others are bid first. alphamu takes
    a tenth of a second for most cards and a second for some; "pimc(worlds=20)" is quicker.

    \b
    Examples:
      overtrick play --seed 7 --why
      overtrick play boards.pbn --engine "pimc(worlds=60)" --out played.pbn
      overtrick play --seed 3 --contract "3NT S" --ns alphamu --ew "pimc(worlds=20)"
    """
    from overtrick.cardplay.evidence.ranges import NOT_KNOWN
    from overtrick.cardplay.review import shortest_auction

    # Nobody may take a contract that was asked for as an auction that tells something.
    meaning = Meaning("as given") if contract is None else NOT_KNOWN
    players = (ns or engine, ew or engine)
    jobs = _jobs(source, number, seed)
    boards = with_conditions([board for board, _ in jobs], dealer, vul)
    states = []
    with progress("playing", 52 * len(boards)) as update:
        for i, (board, (_, auction)) in enumerate(zip(boards, jobs, strict=True)):
            given = auction if contract is None else shortest_auction(contract, board.dealer)

            def told(state: TableState, before: int = 52 * i) -> None:
                update(before + (0 if state.play is None else len(state.play)), 52 * len(boards))

            brain = None if given is None else _Script(given, meaning)
            states.append(_played(board, brain or bids, players, (seed or 0, told)))
    if out is not None:
        from overtrick import notation

        names = (players[0], players[1], players[0], players[1])
        notation.dump([s.record(names) for s in states], out)
    if as_json:
        rows = [_row(s, players) for s in states]
        echo_json(rows if len(rows) > 1 else rows[0])
        return
    for state in states:
        _show(state, why)


def _jobs(
    source: str | None, number: int | None, seed: int | None
) -> list[tuple[Board, Auction | None]]:
    """Boards, with the auction where a file has one."""
    if source is None:
        chosen = random.Random(seed)
        number = chosen.randint(1, 16) if number is None else number
        return [(Board.random(number, chosen.getrandbits(62)), None)]
    found = [(board, _whole(record.auction)) for board, record in played_from(source)]
    if number is None:
        return found
    picked = [job for job in found if job[0].number == number]
    if not picked:
        raise click.UsageError(f"{source} has no board {number}")
    return picked


def _whole(auction: Auction | None) -> Auction | None:
    """An auction that ends in a contract."""
    return auction if auction is not None and auction.is_over and auction.contract else None


@dataclass(frozen=True, slots=True)
class _Script:
    """A bidder that makes the calls of a given auction."""

    auction: Auction
    meaning: Meaning
    name: str = "as given"
    system: str = ""

    def bid(self, view: View) -> Decision:
        return Decision(self.auction.calls[len(view.auction)], self.meaning)


def _played(
    board: Board,
    bids: str | _Script,
    players: tuple[str, str],
    how: tuple[int, Callable[[TableState], None]],
) -> TableState:
    from overtrick.table import Robot, play_table
    from overtrick.table.seats import four

    if isinstance(bids, _Script) and bids.auction.dealer != board.dealer:
        raise BridgeError(f"board {board.number}: the auction begins with {bids.auction.dealer}")
    ns, ew = players
    if isinstance(bids, str):
        seats: Sequence[Occupant] = four(f"{bids}+{ns}", f"{bids}+{ew}")
    else:
        seats = [Robot(bids, made.player) for made in four(f"pass+{ns}", f"pass+{ew}")]
    return play_table(board, seats, seed=how[0], watch=how[1])


def _row(state: TableState, players: tuple[str, str]) -> dict[str, Any]:
    calls = len(state.auction)
    contract = state.contract
    return {
        "board": state.board.number,
        "dealer": state.board.dealer.letter,
        "vul": str(state.board.vul),
        "deal": state.board.deal.pbn(),
        "players": {"NS": players[0], "EW": players[1]},
        "auction": [c.ascii for c in state.auction.calls],
        "contract": None if contract is None else contract.ascii,
        "declarer": None if contract is None else contract.declarer.letter,
        "cards": [] if state.play is None else [c.ascii for c in state.play.cards],
        "tricks": state.tricks,
        "score": state.score(),
        "rulings": [str(r) for r in state.rulings],
        "decisions": [e.decision.to_dict() for e in state.log[calls:]],
    }


def _show(state: TableState, why: bool) -> None:
    from overtrick.game.scoring import result_text
    from overtrick.notation.diagram import text_board

    out = console()
    out.print(coloured(text_board(state.board)))
    out.print()
    out.print(coloured("Auction: " + " ".join(str(c) for c in state.auction.calls)))
    contract, play = state.contract, state.play
    if contract is None or play is None or state.tricks is None:
        out.print("Passed out\n")
        return
    out.print(coloured(f"{contract}\n"))
    decisions = [e.decision for e in state.log[len(state.auction) :]]
    index = 0
    for number, trick in enumerate(play.tricks(), 1):
        cards = " ".join(f"{c!s:<3}" for c in trick.cards)
        winner = trick.winner(play.strain)
        out.print(coloured(f"{number:>2}  {trick.leader!s:<5}  {cards}  {winner} wins"))
        for offset in range(len(trick.cards)):
            decision = decisions[index]
            index += 1
            if why and decision.why:
                seat = trick.leader.plus(offset)
                out.print(coloured(f"      {seat!s:<5} {decision.card!s:<3} {decision.why}"))
    result = result_text(contract, state.tricks)
    out.print(coloured(f"\n{contract} {result}, {state.score():+d} for North-South"))
    for ruling in state.rulings:
        out.print(coloured(f"Director: {ruling}"))
