"""The partner's promises over many deals: inside what it states, departures named, nothing silly.
Run `PYTHONPATH=src python -m benchmarks.partner --deals 400 --workers 2`; `--json` for programs,
`--show 5` for the hands and auctions of the first broken promises of each kind.

With `--seconds 60` it ends in time, with `--out FILE` the numbers are also written there, every
half minute, with the kinds of calls: how many lie outside what they told, how many depart, and the
share of random hands that what they told leaves possible.

Each deal is bid by `partner` for one pair against one of four kinds of opponents in turn: the
imitation network, the policy, a pair that always passes, and itself.

How wide a meaning is, in high-card points, is told by kinds of bids. A limit bid is a notrump bid,
a raise or a rebid after the opening that binds partner to nothing and leaves the next step to him;
each range is that of all its maker has shown until then.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, process_time

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding import bidder
from overtrick.bidding.base import Bidder
from overtrick.bidding.honesty import Honesty, StatedCall, said
from overtrick.bidding.rules import context_of, hand_values, reading_of
from overtrick.game import Auction, Board, Decision, Systems, View, view_of
from overtrick.game.calls import level_of, strain_of
from overtrick.game.meaning import Forcing, SpeechAct
from overtrick.game.reasons import Departs, Remark
from overtrick.nets.inference import Network
from overtrick.systems import Reading, library_names
from overtrick.systems.allowed import allowed, fits, stated
from overtrick.systems.card import Character
from overtrick.systems.many import Pool
from overtrick.systems.properties import Silly, silly_calls, stops_below_game

OPPONENTS = ("policy(net=sl)", "policy", "pass", "")
KINDS = ("one of a suit", "other openings", "limit bids", "overcalls and new suits", "sign-offs")
Widths = list[tuple[str, int]]
EVERY = 30.0  # seconds between two writings
KEPT = ("calls", "inside what it states", "departs, and says so")
"""What is counted and is no fault."""


@cache
def engine(spec: str) -> Bidder:
    return bidder(spec)


@cache
def _counter() -> Counter[str]:
    """Counts the rows that go through networks in this process, from its first use on."""
    found: Counter[str] = Counter()
    run = Network.run

    def counted(net: Network, rows: NDArray[np.uint8]) -> NDArray[np.float32]:
        found[net.name] += len(rows)
        return run(net, rows)

    Network.run = counted  # type: ignore[assignment,method-assign]
    return found


def asked_rows() -> int:
    return _counter().total()


def kind_of(view: View, decision: Decision) -> str:
    """Which of `KINDS` a call is, or "": passes, doubles, and bids that ask, answer or force."""
    call, meaning = int(decision.call), decision.meaning
    if call < 3:
        return ""
    if not any(int(c) for c in view.auction.calls):
        suit = level_of(call) == 1 and strain_of(call) < 4
        return KINDS[0] if suit else KINDS[1]
    if meaning.forcing is Forcing.SIGN_OFF:
        return KINDS[4]
    asks = meaning.alert or meaning.act in (SpeechAct.ASKING, SpeechAct.ANSWERING)
    if asks or meaning.forcing is not Forcing.NONE:
        return ""
    ours = view.auction.calls[len(view.auction.calls) % 2 :: 2]
    bid_before = any(int(c) > 2 and strain_of(int(c)) == strain_of(call) for c in ours)
    return KINDS[2] if strain_of(call) == 4 or bid_before else KINDS[3]


@dataclass(slots=True)
class Told:
    """One deal, or many: what was counted, milliseconds a call by the clock and of the processor,
    rows through networks, widths of the hcp ranges by kind of bid, broken promises in words."""

    counted: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    widths: Widths = field(default_factory=list)
    broken: dict[str, list[str]] = field(default_factory=dict)
    said: list[StatedCall] = field(default_factory=list)

    def add(self, other: Told) -> None:
        self.counted.update(other.counted)
        self.times += other.times
        self.cpu += other.cpu
        self.rows += other.rows
        self.widths += other.widths
        for kind, some in other.broken.items():
            self.broken.setdefault(kind, []).extend(some)

    def note(self, found: Counter[str], words: str) -> None:
        self.counted.update(found)
        for kind in found:
            if found[kind] and kind not in KEPT:
                self.broken.setdefault(kind, []).append(words)


def bid(spec: str, number: int) -> Told:
    """One deal."""
    partner, other = engine(spec), OPPONENTS[number % 4]
    theirs = engine(other) if other else partner
    board = Board.random(number % 16 + 1, seed=760_000_000 + number)
    auction, ours = Auction(board.dealer), number // 4 % 2
    told = Told()
    where = f"deal {number}, against {other or 'itself'}"
    while not auction.is_over:
        mine = auction.turn % 2 == ours
        sides = Systems(partner.system, theirs.system)
        view = view_of(board, auction, systems=sides if mine else Systems(sides.theirs, sides.ours))
        rows, cpu = asked_rows(), process_time()
        decision = (partner if mine else theirs).bid(view)
        if mine:
            told.times.append(decision.milliseconds)
            told.cpu.append(1000 * (process_time() - cpu))
            told.rows.append(asked_rows() - rows)
            words = f"{where}: {view.auction} {view.hand} {decision.call} ({decision.why})"
            told.note(faults(view, decision, partner.system), words)
            told.said.append(said(number, view.hand, auction, decision))
            low, high = decision.meaning.hcp
            if kind := kind_of(view, decision):
                told.widths.append((kind, high - low))
        auction = auction.then(decision.call)
    reading = read_as(partner.system, theirs.system)
    last = tuple(int(c) for c in auction.calls)
    end = reading.context(last, 0, int(board.dealer) % 2 != ours)
    we_play = (int(board.dealer) + end.last_bidder) % 2 == ours
    if we_play and stops_below_game(end):
        told.note(Counter([str(Silly.BELOW_GAME)]), f"{where}: {auction}")
    return told


def faults(view: View, decision: Decision, system: str) -> Counter[str]:
    """One call: is the hand inside what it states, does it depart, was it silly?"""
    reading = read_as(system, view.systems.theirs)
    ctx, values = context_of(reading, view), hand_values(view.hand.bits)
    call = int(decision.call)
    found = Counter({"calls": 1})
    inside = fits(stated(reading, ctx, call), values)
    named = Remark.DEPARTED_BEFORE in decision.reasons or any(
        isinstance(r, Departs) for r in decision.reasons
    )
    found["inside what it states"] += inside
    found["departs, and says so"] += named
    found["neither"] += not inside and not named
    way = next((w for w in allowed(reading, ctx, values, Character.FREE) if w.call == call), None)
    chosen = [(way.option if way else None, 1)]
    pool = Pool(np.array([view.hand.bits], np.uint64))
    found.update(str(kind) for kind, _, _ in silly_calls(reading, ctx, pool, chosen))
    return found


def read_as(ours: str, theirs: str) -> Reading:
    """How the partner reads the auction: opponents of an unknown system as its own."""
    return reading_of(ours, theirs if theirs in library_names() else "")


def middle(widths: list[int]) -> float:
    return float(np.median(widths)) if widths else 0.0


def main() -> None:
    """Command line."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--engine", default="partner")
    words.add_argument("--deals", type=int, default=200)
    words.add_argument("--workers", type=int, default=1)
    words.add_argument("--first", type=int, default=0, help="the number of the first deal")
    words.add_argument("--show", type=int, default=0, help="broken promises of each kind in words")
    words.add_argument("--json", action="store_true")
    words.add_argument("--seconds", type=float, default=1e9, help="ends in time, if need be short")
    words.add_argument("--out", type=Path, help="a JSON file, written every half minute")
    asked = words.parse_args()
    told, honesty = Told(), Honesty(asked.engine, "four kinds of opponents")
    until, written = monotonic() + asked.seconds, monotonic()
    with get_context("spawn").Pool(asked.workers) as pool:
        deals = range(asked.first, asked.first + asked.deals)
        for one in pool.imap_unordered(partial(bid, asked.engine), deals, chunksize=4):
            told.add(one)
            honesty.boards += 1
            for call in one.said:
                honesty.add(call)
            if asked.out and monotonic() > written + EVERY:
                written = monotonic()
                write(asked, told, honesty)
            if monotonic() > until:
                break
        pool.terminate()
    if asked.out:
        write(asked, told, honesty)
    numbers = numbers_of(asked.engine, told, honesty.boards)
    broken = {kind: some[: asked.show] for kind, some in told.broken.items()}
    if asked.json:
        print(json.dumps(numbers | ({"broken": broken} if asked.show else {}), ensure_ascii=False))
        return
    for name, value in numbers.items():
        share = told.counted[name] / told.counted["calls"]
        print(f"{name:50} {value}" + (f"  {share:.3%}" if name in told.counted else ""))
    for kind, some in broken.items():
        print(f"\n{kind}:", *some, sep="\n  ")
    print(f"\nbids: {honesty.bids.words}\npasses: {honesty.passes.words}")


def numbers_of(spec: str, told: Told, deals: int) -> dict[str, object]:
    """What was counted, by name."""
    return {
        "engine": spec, "deals": deals, **dict(told.counted.most_common()),
        "ms median": round(float(np.median(told.times)), 1),
        "ms 99 of 100": round(float(np.quantile(told.times, 0.99)), 1),
        "cpu ms mean": round(float(np.mean(told.cpu)), 1),
        "cpu ms 99 of 100": round(float(np.quantile(told.cpu, 0.99)), 1),
        "network rows mean": round(float(np.mean(told.rows))),
        "network rows 99 of 100": round(float(np.quantile(told.rows, 0.99))),
        **{f"hcp range, median: {kind}": middle([w for k, w in told.widths if k == kind])
           for kind in KINDS},
        "hcp range, median: first three": middle([w for k, w in told.widths if k in KINDS[:3]]),
    }  # fmt: skip


def write(asked: argparse.Namespace, told: Told, honesty: Honesty) -> None:
    found = honesty.to_dict()
    found["calls"] = found["calls"][:60]
    broken = {kind: some[: max(asked.show, 5)] for kind, some in told.broken.items()}
    numbers = numbers_of(asked.engine, told, honesty.boards)
    text = json.dumps(numbers | {"broken": broken, "said": found}, ensure_ascii=False, indent=1)
    asked.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
