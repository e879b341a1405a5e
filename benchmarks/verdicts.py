"""Do verdicts depend on the sample? Boards by careless robots, what cost something judged with
several seeds: of the decisions that any seed calls wrong, how many do all of them?

    python benchmarks/verdicts.py --boards 12 --seeds 3
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from time import perf_counter

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
            if at.auction.seat_of(i).letter in lost["side"]:
                yield "call", i
    if at.play is not None:
        for i, (_, _, cost) in enumerate(dd.analyse(at.board.deal, at.play).costs()):
            if cost > 0:
                yield "card", i


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    dd.solver().set_threads(1)
    specs = (thinking.USUAL_BIDDER, thinking.USUAL_BIDDER)
    words: Counter[str] = Counter()
    agreed: dict[str, Counter[bool]] = {"call": Counter(), "card": Counter()}
    started = perf_counter()
    for number in range(options.first, options.first + options.boards):
        at = played(number, 1000 + number)
        kinds = list(costly(at))
        for kind, index in kinds:
            judge = possible.call_fault if kind == "call" else possible.card_fault
            verdicts = [judge(at, index, specs, seed) for seed in range(options.seeds)]
            found = {v.word for v in verdicts}
            words.update(v.word for v in verdicts)
            if "wrong" in found:
                agreed[kind][len(found) == 1] += 1
                if len(found) > 1:
                    told = [f"{v.word} {v.loss:.2f}±{v.error:.2f} ({v.worlds})" for v in verdicts]
                    print(f"board {number} {kind} {index} {verdicts[0].done}: {', '.join(told)}")
        both = sum(agreed.values(), Counter[bool]())
        seconds = perf_counter() - started
        print(f"{number}: {both[True]} of {both.total()} wrong by every seed, {seconds:.0f} s")
    print({kind: f"{n[True]} of {n.total()}" for kind, n in agreed.items()}, dict(words))


if __name__ == "__main__":
    main()
