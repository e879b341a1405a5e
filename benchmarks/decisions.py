"""What every engine decides on fixed boards, a line a board, with the clocks of engines stopped:
two runs of one program give the same file on any machine. A change of the code that is not meant to
change play proves it with a file from before and one from after.

    python -m benchmarks.decisions partner pimc --boards 100 --out before.jsonl
    python -m benchmarks.decisions partner pimc --boards 100 --against before.jsonl

A line has a hash of the decisions (action, meaning, candidates with values and errors, worlds) and
one of what was said of them (reasons and notes). The small log in tests/golden is made likewise.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from overtrick.bidding import BIDDERS, bid_board, bidder
from overtrick.cardplay import play_board, player
from overtrick.engines.clock import counted_by
from overtrick.game import Board, Decision, Strain
from overtrick.game.auction import Auction
from overtrick.game.calls import Call

SEED: Final = 20_000


def lines(spec: str, boards: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """The log of one engine: its decisions on boards first, first + 1, …"""
    for number in range(first, first + boards):
        made = list(decisions(spec, number))
        decided = digest(map(facts, made))
        said = digest((d.why, *(c.note for c in d.candidates)) for d in made)
        yield {"engine": spec, "board": number, "count": len(made), "decisions": decided,
               "said": said}  # fmt: skip


def decisions(spec: str, number: int) -> list[Decision]:
    """All calls of a board bid by four of the engine, or all its cards played by four of them in
    the contract that simple bidders reach."""
    board = Board.random(number, seed=SEED + number)
    with counted_by(lambda: 0.0):
        if spec.partition("(")[0] in BIDDERS.names():
            return bid_board(board, [bidder(spec)] * 4)[1]
        auction, _ = bid_board(board, [bidder("points")] * 4)
        if auction.contract is None:
            auction = Auction(board.dealer).then(Call.bid(1, Strain.NT)).closed()
        return play_board(board, auction, [player(spec)] * 4)[1]


def facts(decision: Decision) -> tuple[object, ...]:
    """All that was decided, without a word of why."""
    values = [
        (c.action.ascii, c.value, c.error, sorted(_plain(c.details).items()))
        for c in decision.candidates
    ]
    meaning = decision.meaning.to_dict()
    return decision.action.ascii, meaning, values, decision.worlds, decision.seed, decision.cut


def _plain(details: Any) -> dict[str, object]:
    return {k: v for k, v in details.items() if v is None or isinstance(v, bool | int | float)}


def digest(values: Iterable[object]) -> str:
    """Sixteen digits that stand for the values; numbers count to the last bit."""
    found = hashlib.sha256()
    for value in values:
        found.update(repr(value).encode() + b"\n")
    return found.hexdigest()[:16]


def differences(made: Iterable[dict[str, Any]], known: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where two logs of the same boards differ, a line each."""
    before = {(line["engine"], line["board"]): line for line in known}
    for line in made:
        old = before.get((line["engine"], line["board"]))
        where = f"{line['engine']}, board {line['board']}"
        if old is None:
            yield f"{where}: not in the log"
        elif old["decisions"] != line["decisions"]:
            yield f"{where}: other decisions"
        elif old["said"] != line["said"]:
            yield f"{where}: the same decisions, other words"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engines", nargs="+", help="bidders and players, e.g. partner alphamu")
    parser.add_argument("--boards", type=int, default=20, help="of each engine")
    parser.add_argument("--out", type=Path, help="the log goes here; else to the screen")
    parser.add_argument("--against", type=Path, help="compare with a log made before")
    options = parser.parse_args()
    known = read(options.against) if options.against else None
    made = []
    with options.out.open("w", encoding="utf-8") if options.out else sys.stdout as out:
        for spec in options.engines:
            for line in lines(spec, options.boards):
                made.append(line)
                if known is None or options.out:
                    out.write(json.dumps(line) + "\n")
                    out.flush()
        found = list(differences(made, known)) if known is not None else []
        if known is not None:
            count = sum(line["count"] for line in made)
            summary = f"{count} decisions on {len(made)} boards, {len(found)} differences"
            sys.stdout.write("\n".join([*found, summary]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
