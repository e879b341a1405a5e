"""A bidder against one from outside on solved deals: the margin in IMPs and matchpoints, and the
kinds of deals in which it is won and lost.

    python benchmarks/swings.py play rules "epbot(lib=…, card=…)" --deals 5000 > swings.jsonl
    python benchmarks/swings.py report swings.jsonl [more.jsonl …]

Each deal is bid in both rooms by engines in this process, which is fast and trusts them: a league
asks programs of others in processes of their own. Dealer and vulnerability follow the cycle of 16.
A board of two tables is worth one matchpoint: a whole one, a half or none. With `--scoring
matchpoints` both are told that they play for these.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from overtrick.bidding import Bidder, bid_board, bidder
from overtrick.game import Auction, Board, Contract, imps, score
from overtrick.game.view import Scoring
from overtrick.notation.solved import SolvedDeals

GAME: Final = (5, 5, 4, 4, 3)  # the level of game by strain
NS, EW = 0, 1
SOLVED: Final = Path(__file__).parent.parent / "data" / "solved_deals.npz"


def result(board: Board, auction: Auction, tricks: np.ndarray) -> tuple[str, int]:
    """The contract and its score for North-South."""
    contract = auction.contract
    if contract is None:
        return "passed out", 0
    made = int(tricks[int(contract.strain), int(contract.declarer)])
    points = score(contract, made, board.vul)
    return str(contract), points if contract.declarer.side == 0 else -points


def level_of(contract: str) -> str:
    """Part-score, game, small or grand slam, and whether it is doubled."""
    found = Contract.parse(contract)
    name = (
        "grand slam" if found.level == 7 else "slam" if found.level == 6
        else "game" if found.level >= GAME[int(found.strain)] else "part-score"
    )  # fmt: skip
    return name + (" doubled" if found.doubled else "")


def play(
    ours: Bidder, theirs: Bidder, deals: int, skip: int, solved: Path, scoring: Scoring = "imps"
) -> Iterator[dict[str, Any]]:
    """One row a deal: both rooms, ours North-South in the first."""
    found = SolvedDeals.load(solved)
    for index in range(skip, skip + deals):
        board = Board.numbered(index + 1, found.deal(index))
        rooms = []
        for seats in ([ours, theirs] * 2, [theirs, ours] * 2):
            auction, _ = bid_board(board, seats, scoring)
            contract, points = result(board, auction, found.tricks[index])
            rooms.append({"auction": str(auction), "contract": contract, "score": points})
        margin = rooms[0]["score"] - rooms[1]["score"]
        yield {
            "deal": str(board.deal), "number": index + 1, "rooms": rooms, "imps": imps(margin),
            "matchpoints": 0.5 * (1 + (margin > 0) - (margin < 0)),
        }  # fmt: skip


def kind(row: dict[str, Any]) -> str:
    """What the side that declares did in one room, beside what it did in the other."""
    (first, one), (second, other) = (_declared(room["contract"]) for room in row["rooms"])
    if one == other == NS:  # the first room's North-South are ours
        return f"we {first}, they {second}"
    if one == other == EW:
        return f"we {second}, they {first}"
    if None in (one, other):
        return f"{' and '.join(sorted((first, second)))}"
    who = "we" if one == NS else "they"
    return f"{who} play in both rooms: {', '.join(sorted((first, second)))}"


def _declared(contract: str) -> tuple[str, int | None]:
    """The kind of contract and the side that plays it."""
    if contract == "passed out":
        return contract, None
    return level_of(contract), Contract.parse(contract).declarer.side


def report(paths: list[Path]) -> None:
    """Margins, and the kinds of deals by what they bring."""
    for path in paths:
        rows = [json.loads(line) for line in path.read_text().splitlines() if line[0] == "{"]
        each = np.array([r["imps"] for r in rows if "imps" in r], float)
        points = np.array([r["matchpoints"] for r in rows if "imps" in r])
        print(f"{path.name}: {each.mean():+.3f} ± {each.std() / len(each) ** 0.5:.3f} IMPs a deal, "
              f"{100 * points.mean():.2f} ± {100 * points.std() / len(points) ** 0.5:.2f} %, "
              f"{len(each)} deals")  # fmt: skip
        kinds: dict[str, list[float]] = defaultdict(list)
        for row in rows:
            if row["imps"]:
                kinds[kind(row)].append(row["imps"])
        order = sorted(kinds, key=lambda k: sum(kinds[k]))
        for name in order[:15] + order[-10:]:
            total = np.array(kinds[name])
            error = np.sqrt((total**2).sum()) / len(each)
            print(f"  {total.sum() / len(each):+.4f} ± {error:.4f} {len(total):5} deals  {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["play", "report"])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--solved", type=Path, default=SOLVED)
    parser.add_argument("--scoring", choices=["imps", "matchpoints"], default="imps")
    args = parser.parse_args()
    if args.what == "report":
        report([Path(name) for name in args.names])
        return
    ours, theirs = (bidder(name) for name in args.names)
    for row in play(ours, theirs, args.deals, args.skip, args.solved, args.scoring):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
