"""PBN boards read per second: Overtrick's reader against endplay's parser, on one file.
Run: python -m benchmarks.pbn [--boards 3000] [--rounds 5]

The file has complete auctions and plays; a tenth of the boards carries notes and comments as well.
Both read the same text; each takes turns, and the best round of each counts (process CPU time).
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable

from benchmarks.rows import Row, at_least
from overtrick.game import Auction, Board, Deal, Note, Play, Record
from overtrick.notation import dumps, loads


def record(number: int, rng: random.Random, annotated: bool) -> Record:
    board = Board.numbered(number, Deal.random(rng))
    auction = Auction(board.dealer)
    while not auction.is_over:
        legal = auction.legal_calls()
        weights = [14.0] + [0.5 if call < 3 else 8 * 0.5**i for i, call in enumerate(legal[1:], 1)]
        auction = auction.then(rng.choices(legal, weights)[0])
    contract, play = auction.contract, None
    if contract is not None:
        play = Play.of(contract)
        while not play.is_over:
            hand = board.deal[play.turn]
            play = play.then(rng.choice(play.legal_cards(hand).cards()))
    notes = {1: Note("shows something, or perhaps not", True)} if annotated else {}
    return Record(
        number, board.dealer, board.vul, board.deal, auction, contract, play,
        None if play is None else play.declarer_tricks, names=("Nora", "Eve", "Sam", "Will"),
        call_notes=notes, tags={"Event": "Benchmark", "Site": "here", "Scoring": "IMP"},
        comment="A remark on the board." if annotated else "",
    )  # fmt: skip


def best(function: Callable[[], object], seconds: float) -> float:
    gc.collect()
    start = time.process_time()
    function()
    return min(seconds, time.process_time() - start)


def measure(boards: int, rounds: int) -> tuple[int, float, float]:
    """Characters of the file, and boards per second of Overtrick and of endplay."""
    from endplay.parsers import pbn as endplay

    rng = random.Random(1)
    text = dumps([record(n, rng, n % 10 == 0) for n in range(1, boards + 1)], "pbn")
    assert len(loads(text, "pbn")) == len(endplay.loads(text)) == boards
    assert not loads(text, "pbn").warnings
    ours = theirs = 1e9
    for _ in range(rounds):
        ours = best(lambda: loads(text, "pbn"), ours)
        theirs = best(lambda: endplay.loads(text), theirs)
    return len(text), boards / ours, boards / theirs


def run() -> list[Row]:
    """For `python -m benchmarks`."""
    _, ours, theirs = measure(3000, 5)
    return [
        at_least("PBN boards read per second, ours ÷ endplay's", ours / theirs, 3.0),
        Row("PBN boards read per second", f"{ours:,.0f}"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    characters, ours, theirs = measure(options.boards, options.rounds)
    print(f"{options.boards} boards, {characters:,} characters")
    print(
        f"Overtrick {ours:,.0f} boards/s, endplay {theirs:,.0f} boards/s, ratio {ours / theirs:.2f}"
    )


if __name__ == "__main__":
    main()
