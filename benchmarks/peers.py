"""The same work by Overtrick, endplay and OpenSpiel, in one run, for docs/results/library.md.
Run: python -m benchmarks.peers [--rounds 5]

Both take turns, and the best round of each counts (process CPU time), so that other work on the
machine changes little. What the peers do besides is said in the last column.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from benchmarks.pbn import record
from benchmarks.rows import Row
from overtrick import (
    Auction,
    Board,
    Contract,
    Deal,
    Hand,
    Play,
    Vulnerability,
    dd,
    deals,
    dumps,
    loads,
    score,
)

_BOARDS = 300
_NS = Vulnerability.NS


class Pair(NamedTuple):
    """One kind of work: how many items, ours, a peer's, and what has to be known."""

    name: str
    items: int
    ours: Callable[[], object]
    peer: str
    theirs: Callable[[], object]
    known: str = ""


def pairs() -> Iterator[Pair]:
    from endplay import dds, evaluate, types
    from endplay.dealer import generate_deals
    from endplay.parsers import lin, pbn

    rng = random.Random(3)
    records = [record(n, rng, False) for n in range(1, _BOARDS + 1)]
    text, links = dumps(records, "pbn"), dumps(records, "lin")
    boards = pbn.loads(text)
    yield Pair("read PBN", _BOARDS, lambda: loads(text, "pbn"), "endplay",
               lambda: pbn.loads(text))  # fmt: skip
    yield Pair("write PBN", _BOARDS, lambda: dumps(records, "pbn"), "endplay",
               lambda: pbn.dumps(boards))  # fmt: skip
    yield Pair("read LIN", _BOARDS, lambda: loads(links, "lin"), "endplay",
               lambda: lin.loads(links))  # fmt: skip
    yield Pair("write LIN", _BOARDS, lambda: dumps(records, "lin"), "endplay",
               lambda: lin.dumps(boards))  # fmt: skip

    dealt = [Deal.random(rng) for _ in range(_BOARDS)]
    texts = [str(deal) for deal in dealt]
    theirs = [types.Deal(text) for text in texts]
    yield Pair("read a deal", _BOARDS, lambda: [Deal(t) for t in texts], "endplay",
               lambda: [types.Deal(t) for t in texts])  # fmt: skip
    yield Pair("deal to text", _BOARDS, lambda: [str(d) for d in dealt], "endplay",
               lambda: [str(d) for d in theirs])  # fmt: skip
    hands = [deal.north for deal in dealt]
    yield Pair("points of a hand", _BOARDS, lambda: [Hand(h.bits).hcp for h in hands], "endplay",
               lambda: [evaluate.hcp(d.north) for d in theirs])  # fmt: skip
    yield Pair("random deals", 200, lambda: deals(200, 1), "endplay",
               lambda: list(generate_deals(produce=200, seed=1, show_progress=False)))  # fmt: skip
    yield Pair(
        "deals with 15–17 balanced", 20,
        lambda: deals(20, 1, {"N": "hcp 15..17, balanced"}), "endplay",
        lambda: list(generate_deals(_strong, produce=20, seed=1, show_progress=False)),
    )  # fmt: skip
    names = [f"{1 + i % 7}{('C', 'D', 'H', 'S', 'NT')[i % 5]}" for i in range(300)]
    contracts = [(Contract.parse(f"{name} N"), i % 14) for i, name in enumerate(names)]
    made = [types.Contract(f"{name}N=") for name in names]
    yield Pair("score a contract", 300, lambda: [score(c, t, _NS) for c, t in contracts], "endplay",
               lambda: [c.score(types.Vul.ns) for c in made])  # fmt: skip
    tables = [dd.table(deal) for deal in dealt[:3]]
    solved = [dds.calc_dd_table(deal) for deal in theirs[:3]]
    yield Pair("par of a table", 300,
               lambda: [dd.par(tables[i % 3], "None", "N") for i in range(300)], "endplay",
               lambda: [dds.par(solved[i % 3], types.Vul.none, types.Player.north)
                        for i in range(300)],
               "the solver's own routine, C++")  # fmt: skip
    yield Pair("double-dummy tables", 3, lambda: dd.tables(dealt[:3]), "endplay",
               lambda: dds.calc_all_tables(theirs[:3]), "the same solver")  # fmt: skip

    import pyspiel

    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    yield Pair("random auction with its deal", 60, lambda: _auctions(60), "OpenSpiel",
               lambda: _their_games(game, 60, auction_only=True), "C++")  # fmt: skip
    yield Pair("random whole game", 60, lambda: _games(60), "OpenSpiel",
               lambda: _their_games(game, 60, auction_only=False), "C++")  # fmt: skip


def _strong(deal: Any) -> bool:
    from endplay.evaluate import hcp, is_balanced

    return 15 <= hcp(deal.north) <= 17 and bool(is_balanced(deal.north))


def _auctions(count: int) -> list[Auction]:
    rng = random.Random(5)
    found = []
    for number in range(1, count + 1):
        board = Board.numbered(number, Deal.random(rng))
        auction = Auction(board.dealer)
        while not auction.is_over:
            auction = auction.then(rng.choice(auction.legal_calls()))
        found.append(auction)
    return found


def _games(count: int) -> int:
    rng = random.Random(5)
    tricks = 0
    for number in range(1, count + 1):
        board = Board.numbered(number, Deal.random(rng))
        auction = Auction(board.dealer)
        while not auction.is_over:
            auction = auction.then(rng.choice(auction.legal_calls()))
        contract = auction.contract
        if contract is None:
            continue
        play = Play.of(contract)
        while not play.is_over:
            legal = play.legal_cards(board.deal[play.turn]).cards()
            play = play.then(legal[0] if len(legal) == 1 else rng.choice(legal))
        tricks += play.declarer_tricks
    return tricks


def _their_games(game: Any, count: int, auction_only: bool) -> int:
    rng = random.Random(5)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            actions = state.legal_actions()
            if auction_only and actions[0] < 52:
                break
            state.apply_action(rng.choice(actions))
    return count


def measured(rounds: int) -> Iterator[tuple[Pair, float, float]]:
    """Microseconds an item, ours and theirs."""
    for pair in pairs():
        ours = theirs = float("inf")
        pair.ours(), pair.theirs()
        for _ in range(rounds):
            gc.collect()
            ours = min(ours, _spent(pair.ours))
            theirs = min(theirs, _spent(pair.theirs))
        yield pair, 1e6 * ours / pair.items, 1e6 * theirs / pair.items


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def run() -> list[Row]:
    """For `python -m benchmarks`."""
    return [Row(f"{p.name}: {p.peer}'s time ÷ ours", f"{b / a:.2f}") for p, a, b in measured(3)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| work | ours, µs | peer | theirs, µs | we are faster by | |\n|---|---|---|---|---|---|")
    for pair, ours, theirs in measured(options.rounds):
        cells = (pair.name, f"{ours:,.1f}", pair.peer, f"{theirs:,.1f}", f"{theirs / ours:.2f}")
        print("|", " | ".join((*cells, pair.known)), "|", flush=True)


if __name__ == "__main__":
    main()
