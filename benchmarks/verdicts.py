"""Do verdicts depend on the sample? Boards by careless robots, what cost something judged with
several seeds: of the decisions that any seed calls wrong, how many do all of them? Boards that are
done are kept in a file, and a second run goes on behind them.

    python benchmarks/verdicts.py --boards 12 --seeds 3 --keep verdicts.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

from overtrick import doubledummy as dd
from overtrick.game import Board
from overtrick.table import Robot, play_table
from overtrick.table import robot as made
from overtrick.web import possible, thinking
from overtrick.web.review import Played, bidding_loss

_CARELESS = ("points+pimc(worlds=2)", "rules(system=sayc)+pimc(worlds=2)")


def played(number: int, seed: int) -> Played:
    """A board on which robots that think little bid and play."""
    robots: list[Robot] = [made(spec) for spec in _CARELESS] * 2
    state = play_table(Board.random(number, seed), robots)
    return Played(state.record(), state.board, state.auction, state.play)


def costly(at: Played) -> Iterator[tuple[str, int]]:
    """The decisions that the review asks about first: calls of the side that lost to par, cards
    that cost a trick."""
    table = dd.table(at.board.deal)
    lost = bidding_loss(at, table, dd.par(table, at.board.vul, at.board.dealer))
    if lost is not None:
        for i in range(len(at.auction)):
            if at.auction.seat_of(i).letter in lost.side:
                yield "call", i
    if at.play is not None:
        for i, (_, _, cost) in enumerate(dd.analyse(at.board.deal, at.play).costs()):
            if cost > 0:
                yield "card", i


def judged(number: int, seeds: int) -> list[dict[str, Any]]:
    """Every costly decision of a board with its verdict by each seed."""
    specs = (thinking.USUAL_BIDDER, thinking.USUAL_BIDDER)
    at, rows = played(number, 1000 + number), []
    for kind, index in costly(at):
        judge = possible.call_fault if kind == "call" else possible.card_fault
        began = process_time()
        verdicts = [judge(at, index, specs, seed) for seed in range(seeds)]
        rows.append({
            "board": number, "kind": kind, "index": index, "done": verdicts[0].done,
            "words": [v.word for v in verdicts], "seconds": round(process_time() - began, 2),
            "loss": [round(v.loss, 3) for v in verdicts],
            "error": [round(v.error, 3) for v in verdicts],
            "worlds": [v.worlds for v in verdicts], "how": verdicts[0].how,
        })  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("verdicts.jsonl"))
    options = parser.parse_args()
    dd.solver().set_threads(1)
    lines = options.keep.read_text().splitlines() if options.keep.exists() else []
    known = {row["board"]: row["rows"] for row in map(json.loads, lines)}
    words: Counter[str] = Counter()
    agreed: dict[str, Counter[bool]] = {"call": Counter(), "card": Counter()}
    seconds = 0.0
    for number in range(options.first, options.first + options.boards):
        if number not in known:
            known[number] = judged(number, options.seeds)
            with options.keep.open("a") as out:
                out.write(json.dumps({"board": number, "rows": known[number]}) + "\n")
        for row in known[number]:
            found = set(row["words"])
            words.update(row["words"])
            seconds += row["seconds"]
            if "wrong" in found:
                agreed[row["kind"]][len(found) == 1] += 1
                if len(found) > 1:
                    told = ", ".join(
                        f"{w} {loss:.2f} ± {e:.2f} ({n})"
                        for w, loss, e, n in zip(
                            row["words"], row["loss"], row["error"], row["worlds"], strict=True
                        )
                    )
                    print(f"board {number} {row['kind']} {row['index']} {row['done']}: {told}")
        both = sum(agreed.values(), Counter[bool]())
        told = f"{both[True]} of {both.total()} wrong by every seed"
        print(f"{number}: {told}, {seconds:.0f} s", flush=True)
    print({kind: f"{n[True]} of {n.total()}" for kind, n in agreed.items()}, dict(words))


if __name__ == "__main__":
    main()
