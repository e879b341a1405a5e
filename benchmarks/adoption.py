"""Three programs a bridge programmer would write, with Overtrick and with endplay, in one run.

    analyse     read a PBN file, solve every deal, print tricks and par
    match       a bidder of one's own against another, duplicate, with the error of the result
    simulate    10,000 deals with 15–17 balanced opposite a hand: how often is there a fit?

Each program is the text of a function below; its lines are counted as statements, without
imports; a bidder's own file counts, too. Where both libraries do the same they must agree.
endplay has no bidders, no matches and no dealing to order beyond rejection: what it lacks is
written out in its program.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.rows import Row, at_least, at_most

_BOARDS = 6
_DEALS = 10_000


def ours_analyse(path: str) -> None:
    from overtrick import dd, load

    for record in load(path):
        table = dd.table(record.deal.complete())
        print(record.number, table["NT", "S"], dd.par(table, record.vul, record.dealer).score)


def theirs_analyse(path: str) -> None:
    from endplay.dds import calc_dd_table, par
    from endplay.parsers import pbn
    from endplay.types import Denom, Player

    with open(path) as file:
        boards = pbn.load(file)
    for board in boards:
        table = calc_dd_table(board.deal)
        print(
            board.board_num,
            table[Denom.nt, Player.south],
            par(table, board.vul, board.dealer).score,
        )


ENGINE = """\
class Opener:
    def __init__(self, hcp: int = 15) -> None:
        self.hcp = hcp

    def bid(self, view):
        opened = any(call.is_bid for call in view.auction.calls)
        return "3NT" if not opened and view.hand.hcp >= self.hcp else "Pass"
"""


def ours_match(path: str) -> None:
    from overtrick import Match, play_match

    result = play_match(Match(f"{path}(hcp=18)", path, boards=16, seed=1))
    print(f"{result.mean:+.3f} ± {result.error:.3f}")


def theirs_match(path: str) -> None:
    """endplay has deals, tables and scores; bidders, legality and the loop are the programmer's."""
    from math import sqrt

    from endplay.dds import calc_dd_table
    from endplay.dealer import generate_deal
    from endplay.evaluate import hcp
    from endplay.types import Denom, Player, Vul

    seats = [Player.north, Player.east, Player.south, Player.west]
    vuls = [Vul.none, Vul.ns, Vul.ew, Vul.both]
    steps = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500]

    def contract(deal: Any, dealer: int, needs: list[int]) -> Any:
        for turn in range(4):
            seat = seats[(dealer + turn) % 4]
            if hcp(deal[seat]) >= needs[(dealer + turn) % 2]:
                return seat
        return None

    def points(table: Any, declarer: Any, vul: Any) -> int:
        if declarer is None:
            return 0
        tricks = table[Denom.nt, declarer]
        ns = declarer in (Player.north, Player.south)
        at_risk = vul in (Vul.both, Vul.ns if ns else Vul.ew)
        if tricks >= 9:
            won = 100 + (500 if at_risk else 300) + 30 * (tricks - 9)
        else:
            won = (tricks - 9) * (100 if at_risk else 50)
        return won if ns else -won

    swings = []
    for number in range(16):
        deal = generate_deal(seed=number)
        table = calc_dd_table(deal)
        vul = vuls[number % 4]
        first = points(table, contract(deal, number % 4, [18, 15]), vul)
        second = points(table, contract(deal, number % 4, [15, 18]), vul)
        apart = first - second
        imps = sum(abs(apart) >= step for step in steps)
        swings.append(imps if apart > 0 else -imps)
    mean = sum(swings) / len(swings)
    error = sqrt(sum((s - mean) ** 2 for s in swings) / (len(swings) - 1) / len(swings))
    print(f"{mean:+.3f} ± {error:.3f}")


def ours_simulate() -> None:
    from overtrick import Dealer

    dealt = Dealer({"N": "hcp 15..17, balanced"}, known="S:KQJ93.A42.72.853 - - -").sample(
        10_000, 7
    )
    print(round(sum(len(deal.north.spades) >= 3 for deal in dealt) / len(dealt), 2))


def theirs_simulate() -> None:
    from endplay.dealer import generate_deals
    from endplay.evaluate import hcp, is_balanced
    from endplay.types import Deal

    def fits(deal: Any) -> bool:
        return 15 <= hcp(deal.north) <= 17 and is_balanced(deal.north)

    deals = generate_deals(
        fits, predeal=Deal("S:KQJ93.A42.72.853 ... ... ..."), produce=10_000, seed=7
    )
    print(round(sum(len(deal.north.spades) >= 3 for deal in deals) / 10_000, 2))


def close(first: str, second: str) -> bool:
    """The same, or two samples' shares within four standard errors of each other."""
    if first == second:
        return True
    try:
        return abs(float(first) - float(second)) < 4 * 0.5 * (2 / _DEALS) ** 0.5 + 0.01
    except ValueError:
        return False


def lines_of(text: str) -> int:
    """Statements somebody has to write, however they are laid out; no imports, no docstrings."""
    found = 0
    for node in ast.walk(ast.parse(textwrap.dedent(text))):
        told = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        found += isinstance(node, ast.stmt) and not isinstance(node, ast.Import | ast.ImportFrom)
        found -= told
    return found


def lines_in(function: Callable[..., Any]) -> int:
    """The same for the body of a function."""
    return lines_of(inspect.getsource(function)) - 1


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, str]:
    """CPU seconds, and what it printed."""
    out = io.StringIO()
    started = process_time()
    with contextlib.redirect_stdout(out):
        function(*arguments)
    return process_time() - started, out.getvalue()


def measure(folder: Path) -> dict[str, tuple[int, int, float, float, bool | None]]:
    """Lines and CPU seconds of both, and whether they print the same (None: not comparable)."""
    from overtrick import Board, Record, dump

    path = folder / "boards.pbn"
    boards = [Board.random(n, seed=n) for n in range(1, _BOARDS + 1)]
    dump([Record(b.number, b.dealer, b.vul, b.deal) for b in boards], path)
    engine = folder / "opener.py"
    engine.write_text(ENGINE)
    out = {}
    for name, ours, theirs, arguments, same in (
        ("analyse a PBN file", ours_analyse, theirs_analyse, (str(path),), True),
        ("a bidder of one's own in a match", ours_match, theirs_match, (str(engine),), False),
        ("10,000 deals to order", ours_simulate, theirs_simulate, (), True),
    ):
        mine, printed = timed(ours, *arguments)
        other, also = timed(theirs, *arguments)
        alike = close(printed, also) if same else None
        extra = lines_of(ENGINE) if ours is ours_match else 0
        out[name] = (lines_in(ours) + extra, lines_in(theirs), mine, other, alike)
    return out


def run() -> list[Row]:
    """For `python -m benchmarks`."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (mine, other, seconds, theirs, alike) in measure(Path(folder)).items():
            text = f"{name}: lines, with endplay {other}"
            found.append(at_most(text, mine, other - 1, "{:.0f}"))
            faster = theirs / seconds
            found.append(Row(f"{name}: CPU seconds", f"{seconds:.2f}, endplay {theirs:.2f}"))
            found.append(Row(f"{name}: endplay's time ÷ ours", f"{faster:.1f}"))
            if alike is not None:
                found.append(at_least(f"{name}: both print the same", float(alike), 1.0))
    return found
