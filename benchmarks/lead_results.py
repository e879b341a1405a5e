"""What leads take when everybody plays without sight, beside what they take double dummy.

    python -m benchmarks.lead_results play --start 98000000 --count 400 --minutes 8 --out led.jsonl
    python -m benchmarks.lead_results fit led.jsonl

`play` takes boards as `rules` bid them, leads the agreed card of every suit in turn, and has fast
players play the rest, the same for every lead. `fit` says how much more or less a kind of lead
takes than double dummy has it, compared with the other leads of the same hand: the weights that
`cardplay/lead.py` corrects double dummy by. A job is one board; a machine with more cores takes
`--workers`. A hundred thousand leads, 27,000 boards, are eleven hours of one core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from benchmarks.cardplay_common import Row, bid, in_pool, rows
from overtrick.cardplay import Player, player
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.leadkinds import kinds_of
from overtrick.cardplay.leadrules import agreed_lead, bid_suits
from overtrick.cardplay.pimc import Pimc
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import Position, solve
from overtrick.game import Board, Card, Play, Systems, View, view_of

FAST: Final = "pimc(worlds=6, ties=0, effort=0.3)"
_RIDGE: Final = 4.0


def led(job: tuple[int, str]) -> Row | None:
    """Every suit of one board led and played out."""
    seed, engine = job
    board, auction, meanings = bid(seed, "rules")
    contract = auction.contract
    if contract is None:
        return None
    systems = Systems("two-over-one", "two-over-one")
    seen = view_of(board, auction, Play.of(contract), meanings=meanings, systems=systems)
    exact = solve(Position.of_contract(board.deal, contract))
    leads = []
    for suit in range(4):
        if seen.hand.length(suit):
            card = agreed_lead(seen, suit, STANDARD)
            taken = 13 - _played(board, seen, card, _player(engine))
            leads.append({"card": card.ascii, "taken": taken, "exact": exact[card],
                          "kinds": kinds_of(situation(seen), card, *bid_suits(seen))})  # fmt: skip
    return {"seed": seed, "contract": str(contract), "trumps": contract.strain < 4, "leads": leads}


@cache
def _player(engine: str) -> Player:
    """A player who reads what was bid by ranges and rules alone, in half the time."""
    found = player(engine)
    if isinstance(found, Pimc):
        object.__setattr__(found, "kind", replace(found.kind, networks=False))
    return found


def _played(board: Board, seen: View, card: Card, everybody: Player) -> int:
    """Declarer's tricks after this lead."""
    assert seen.play is not None
    play = seen.play.then(card, board.deal[seen.play.turn])
    while not play.is_over:
        view = view_of(board, seen.auction, play, meanings=seen.meanings, systems=seen.systems)
        play = play.then(everybody.play(view).card, board.deal[play.turn])
    return play.declarer_tricks


def fit(found: Iterable[Row], trumps: bool) -> None:
    """Ridge regression of what was taken beyond double dummy, inside each hand."""
    boards = [row["leads"] for row in found if row["trumps"] == trumps and len(row["leads"]) > 1]
    names = sorted({k for leads in boards for one in leads for k in one["kinds"]})
    x, y, count = [], [], dict.fromkeys(names, 0)
    for leads in boards:
        rows_ = np.array([[name in one["kinds"] for name in names] for one in leads], float)
        beyond = np.array([one["taken"] - one["exact"] for one in leads], float)
        x.append(rows_ - rows_.mean(axis=0))
        y.append(beyond - beyond.mean())
        for one in leads:
            for kind in one["kinds"]:
                count[kind] += 1
    a, b = np.concatenate(x), np.concatenate(y)
    inner = np.linalg.inv(a.T @ a + _RIDGE * np.eye(len(names)))
    weights = inner @ (a.T @ b)
    spread = float(np.sqrt(((b - a @ weights) ** 2).mean()))
    print(f"{'trumps' if trumps else 'notrump'}: {len(boards)} hands, {len(b)} leads")
    for name, weight, error in zip(names, weights, spread * np.sqrt(np.diag(inner)), strict=True):
        print(f"  {name:24} {weight:+.3f} ± {error:.3f}  ({count[name]})")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("stage", choices=("play", "fit"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--engine", default=FAST)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", default="led.jsonl")
    args = parser.parse_args()
    if args.stage == "fit":
        every = [row for path in args.files for row in rows(path)]
        fit(every, False)
        fit(every, True)
        return
    jobs = ((seed, args.engine) for seed in range(args.start, args.start + args.count))
    with open(args.out, "a", encoding="utf-8") as file:
        for row in in_pool(led, jobs, args.workers, args.minutes):
            if row is not None:
                print(json.dumps(row), file=file, flush=True)


if __name__ == "__main__":
    main()
