"""Two versions of a card player on the same boards: what play alone is worth, cards played.
Run `PYTHONPATH=src:. python -m benchmarks.cardplay_rooms --before TREE …`; stopped runs go on.

TREE is a checkout of the other version, whose robot runs in a process of its own and is told no
more than a seat sees. Both versions' bidders bid every board, and the boards with one auction from
both are played: each player understands the calls, and neither gains by the bidding. Three rooms:
the new declarer against the old defenders, the old one against the new, and the old against the
old, so that lead and defence are compared against one declarer and the declarers against one
defence. What each card costs double dummy is kept with it; `--cards FILE` writes the new version's
part of that as `cardplay_costs certain --boards FILE` reads it. With `--before .` two players of
one version are compared: `--old-engine "alphamu(worlds=20, seconds=60)"`.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, bid, in_pool, rows
from benchmarks.cardplay_costs import PARTS, lines, part_of
from overtrick.bidding import bidder
from overtrick.cardplay import player
from overtrick.doubledummy import analyse
from overtrick.engines.process import Outside
from overtrick.game import (
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Meaning,
    Play,
    Systems,
    imps,
    score,
    view_of,
)

NEW, OLD = "new", "old"
ROOMS: Final = ((NEW, OLD), (OLD, NEW), (OLD, OLD))  # declarer, defenders
_SECONDS: Final = 300.0  # for an answer of the other version, on the busiest machine


class Job(NamedTuple):
    seed: int
    before: str
    bidder: str
    engine: str
    old_engine: str


@cache
def other_version(tree: str, robot: str) -> Outside:
    """The robot of another checkout, one for each process of ours."""
    path = os.path.join(os.path.abspath(tree), "src")
    if not os.path.isdir(path):
        raise SystemExit(f"no checkout of another version: {path} is missing")
    words = ["env", f"PYTHONPATH={path}", "OVERTRICK_DDS_THREADS=1", "OMP_NUM_THREADS=1"]
    words += [sys.executable, "-c", "from overtrick.cli import main; main()"]
    words += ["engine", robot, "--stdio"]
    return Outside(shlex.join(words), _SECONDS)


def bid_by(other: Outside, board: Board, system: str) -> Auction:
    """The auction of four of the other version's bidders."""
    auction = Auction(board.dealer)
    while not auction.is_over:
        view = view_of(board, auction, systems=Systems(system, system))
        call = other.ask(view).action
        assert isinstance(call, Call)
        auction = auction.then(call)
    return auction


def one_board(job: Job) -> Row:
    """Tricks of declarer in the three rooms; only the contract where the auctions differ."""
    other = other_version(job.before, f"{job.bidder}+{job.old_engine}")
    board, auction, meanings = bid(job.seed, job.bidder)
    system = bidder(job.bidder).system
    row: Row = {"seed": job.seed, "contract": "", "bidder": job.bidder, "scoring": "imps"}
    if bid_by(other, board, system) != auction or auction.contract is None:
        row["same"] = auction.contract is None
        return row
    row["same"] = True
    row["contract"], row["declarer"] = auction.contract.ascii, auction.contract.declarer.letter
    table = Rooms(board, auction, meanings, Systems(system, system), other, job.engine)
    plays = {f"{one} {two}": table.play(one, two) for one, two in ROOMS}
    tricks = {room: play.declarer_tricks for room, play in plays.items()}
    return row | {
        "calls": [int(c) for c in auction.calls],
        "meanings": [[m.words, m.hcp, m.lengths] for m in meanings],
        "tricks": tricks,
        "points": {room: score(auction.contract, n, board.vul) for room, n in tricks.items()},
        "cards": {room: [int(c) for c in play.cards] for room, play in plays.items()},
        "costs": {
            room: [cost for _, _, cost in analyse(board.deal, play).costs()]
            for room, play in plays.items()
        },
        "seconds": {version: round(spent, 2) for version, spent in table.seconds.items()},
    }


class Rooms:
    """The rooms of a board; what a version does is asked once while rooms are alike."""

    def __init__(
        self,
        board: Board,
        auction: Auction,
        meanings: tuple[Meaning, ...],
        systems: Systems,
        other: Outside,
        engine: str,
    ) -> None:
        self._board, self._auction, self._meanings = board, auction, meanings
        self._systems, self._other, self._player = systems, other, player(engine)
        self._known: dict[tuple[str, tuple[int, ...]], Card] = {}
        self.seconds = {NEW: 0.0, OLD: 0.0}

    def play(self, declarer: str, defence: str) -> Play:
        """The play with one version declaring and one defending."""
        contract = self._auction.contract
        assert contract is not None
        play = Play.of(contract)
        while not play.is_over:
            declares = play.controller.side == contract.declarer.side
            card = self._card(declarer if declares else defence, play)
            play = play.then(card, self._board.deal[play.turn])
        return play

    def _card(self, version: str, play: Play) -> Card:
        key = (version, tuple(int(c) for c in play.cards))
        if key not in self._known:
            view = view_of(
                self._board, self._auction, play, meanings=self._meanings, systems=self._systems
            )
            # The processor's seconds of ours; the other version's process has only the wall's.
            asked, clock = self._player.play, time.process_time
            if version == OLD:
                asked, clock = self._other.ask, time.perf_counter
            began = clock()
            self._known[key] = asked(view).card
            self.seconds[version] += clock() - began
        return self._known[key]


def run(args: argparse.Namespace) -> None:
    have = rows(args.out)
    seed = max((r["seed"] for r in have), default=args.start - 1) + 1
    left = args.count - sum(bool(r["contract"]) for r in have)
    job = Job(seed, args.before, args.bidder, args.engine, args.old_engine or args.engine)
    jobs = (job._replace(seed=s) for s in range(seed, seed + 10**7))
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_board, jobs, args.workers, args.minutes) if left > 0 else ():
            out.write(json.dumps(row) + "\n")
            out.flush()
            left -= bool(row["contract"])
            if left <= 0:
                break
    report(args.out)


def report(path: str) -> None:
    """IMPs and contracts beaten, with standard errors."""
    have = rows(path)
    some = [r for r in have if r["contract"]]
    alike = sum(r["same"] for r in have)
    print(f"{len(some)} boards played; {alike} of {len(have)} auctions alike")
    if len(some) < 2:
        return
    contracts = [Contract.parse(r["contract"], r["declarer"]) for r in some]
    sign = np.array([1 - 2 * int(c.declarer.side) for c in contracts])  # points are NS's

    def gain(room: str, base: str) -> NDArray[np.float64]:
        """IMPs of declarer's side in one room against the other."""
        return np.array(
            [s * imps(r["points"][room] - r["points"][base])
             for s, r in zip(sign.tolist(), some, strict=True)], float
        )  # fmt: skip

    def beaten(room: str) -> NDArray[np.float64]:
        down = [r["tricks"][room] < c.target for r, c in zip(some, contracts, strict=True)]
        return 100 * np.array(down, float)

    # A match has the same declaring side in both rooms: new declares in one, defends in the other.
    print(f"new - old, both rooms   {_mean(gain('new old', 'old new'))} IMPs a board")
    print(f"  declarer, same defence {_mean(gain('new old', 'old old'))}")
    print(f"  lead and defence, same declarer {_mean(gain('old old', 'old new'))}")
    print(f"contracts beaten of 100: by old {_mean(beaten('old old'))}, by new "
          f"{_mean(beaten('old new'))}; new - old {_mean(beaten('old new') - beaten('old old'))}"
          )  # fmt: skip
    made = beaten("old old") - beaten("new old")
    print(f"contracts made of 100 by new declarers more than by old {_mean(made)}")
    for version, rooms in ((NEW, ("new old", "old new")), (OLD, ("old new", "new old"))):
        given = [_given(r, rooms) for r in some]
        for part in PARTS:
            print(
                f"tricks given up by {version}, {part}: {_mean(np.array([g[part] for g in given]))}"
            )
        print(f"seconds a board in three rooms, {version}: "
              f"{np.mean([r['seconds'][version] for r in some]):.1f}")  # fmt: skip


def _given(row: Row, rooms: tuple[str, str]) -> dict[str, float]:
    """Tricks given up by the declarer of the first room and the defenders of the second."""
    out = dict.fromkeys(PARTS, 0.0)
    for room, declares in zip(rooms, (True, False), strict=True):
        for play, _, cost in lines(row | {k: row[k][room] for k in ("cards", "costs")}):
            part = part_of(play)
            if cost and (part == "declarer") == declares:
                out[part] += cost
    return out


def new_cards(row: Row, room: str) -> Row:
    """A room as cardplay_costs keeps a board; cards of the old version cost nothing."""
    one = row | {k: row[k][room] for k in ("cards", "costs")}
    declares = room.startswith(NEW)
    one["costs"] = [
        cost if (part_of(play) == "declarer") == declares else 0 for play, _, cost in lines(one)
    ]
    return one | {"seconds": [0.0] * 52}


def _mean(values: NDArray[np.float64]) -> str:
    return f"{values.mean():+.3f} ± {values.std(ddof=1) / len(values) ** 0.5:.3f}"


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--before", help="a checkout of the other version; none: only report")
    parser.add_argument("--out", required=True)
    parser.add_argument("--cards", help="where to write the new version's cards with their costs")
    parser.add_argument("--start", type=int, default=82_000_000)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--bidder", default="rules")
    parser.add_argument("--engine", default="alphamu(seconds=60)")  # no clock on a busy machine
    parser.add_argument("--old-engine", help="the other version's player, if not the same")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600)
    args = parser.parse_args()
    if args.before:
        run(args)
    else:
        report(args.out)
    if args.cards:
        some = [r for r in rows(args.out) if r["contract"]]
        found = [new_cards(r, room) for r in some for room in ("new old", "old new")]
        with open(args.cards, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(one) + "\n" for one in found)


if __name__ == "__main__":
    main()
