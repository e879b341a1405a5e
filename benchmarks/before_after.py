"""One engine in two versions of the program: the same deals, the same third opponent, in pairs.

    PYTHONPATH=old/src python benchmarks/before_after.py play "bmcs" before.json -n 4000
    PYTHONPATH=src python benchmarks/before_after.py play "bmcs" after.json  -n 4000
    python benchmarks/before_after.py compare before.json after.json

Every deal is bid twice, the engine North-South and then East-West, the opponent in the other seats;
the result is the IMPs between the two double-dummy scores. It uses nothing but what both versions
have in common.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from overtrick import doubledummy
from overtrick.bidding import Bidder, bidder
from overtrick.game import Auction, Board, Systems, imps, score, view_of


@cache
def _made(spec: str) -> Bidder:
    return bidder(spec)


def _room(board: Board, sides: tuple[Bidder, Bidder]) -> tuple[int, float]:
    """North-South's score, and the CPU seconds of all decisions."""
    auction, spent = Auction(board.dealer), list[float]()
    while not auction.is_over:
        ours, theirs = sides[auction.turn & 1], sides[1 - (auction.turn & 1)]
        view = view_of(board, auction, systems=Systems(ours.system, theirs.system))
        began = time.process_time()
        call = ours.bid(view).call
        spent.append(time.process_time() - began)
        auction = auction.then(call)
    contract = auction.contract
    if contract is None:
        return 0, sum(spent)
    tricks = doubledummy.tricks(board.deal, int(contract.strain), int(contract.declarer))
    return score(contract, tricks, board.vul), sum(spent)


def play(job: tuple[str, str, int, int]) -> tuple[int, int, float]:
    """One deal: its number, the engine's IMPs, and CPU seconds of both tables."""
    spec, opponent, number, seed = job
    board = Board.random(number, seed=1_000_003 * seed + number)
    engine, other = _made(spec), _made(opponent)
    one, first = _room(board, (engine, other))
    two, second = _room(board, (other, engine))
    return number, imps(one - two), first + second


def run(args: argparse.Namespace) -> None:
    began = time.perf_counter()
    made = _made(args.engine)
    start = time.perf_counter() - began
    jobs = [(args.engine, args.opponent, i + 1, args.seed) for i in range(args.boards)]
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        found = sorted(pool.map(play, jobs, chunksize=8))
    out = {
        "engine": made.name, "opponent": args.opponent, "seed": args.seed, "start": start,
        "imps": [f[1] for f in found], "cpu": sum(f[2] for f in found),
    }  # fmt: skip
    Path(args.out).write_text(json.dumps(out), encoding="utf-8")
    print(_words(out))


def _words(found: dict[str, Any]) -> str:
    values = np.array(found["imps"], float)
    error = values.std(ddof=1) / len(values) ** 0.5
    cpu = found["cpu"] / len(values)
    return (
        f"{found['engine']} against {found['opponent']}, {len(values)} deals: "
        f"{values.mean():+.3f} ± {error:.3f} IMPs, {cpu:.2f} CPU seconds a deal, "
        f"made in {found['start']:.2f} s"
    )


def compare(args: argparse.Namespace) -> None:
    """The second file against the first, deal by deal."""
    one, two = (json.loads(Path(p).read_text("utf-8")) for p in (args.before, args.after))
    if (one["seed"], one["opponent"]) != (two["seed"], two["opponent"]):
        raise SystemExit("the two files are about different deals or opponents")
    count = min(len(one["imps"]), len(two["imps"]))
    gain = np.array(two["imps"][:count], float) - np.array(one["imps"][:count], float)
    print(_words(one), _words(two), sep="\n")
    error = gain.std(ddof=1) / count**0.5
    alike = float(np.mean(gain == 0))
    print(f"after - before: {gain.mean():+.3f} ± {error:.3f} IMPs, {alike:.1%} of deals alike")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("play")
    one.add_argument("engine")
    one.add_argument("out")
    one.add_argument("--opponent", default="policy(net=sl)")
    one.add_argument("-n", "--boards", type=int, default=200)
    one.add_argument("--workers", type=int, default=1)
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(run=run)
    two = verbs.add_parser("compare")
    two.add_argument("before")
    two.add_argument("after")
    two.set_defaults(run=compare)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
