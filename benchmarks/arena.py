"""What tables and matches cost beyond the engines' own time, and long matches in bounded memory.
`python -m benchmarks arena` for the first, `python -m benchmarks.arena --long FILE` for both."""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.rows import Row, at_most, markdown
from overtrick.arena import Backend, Match, play_match
from overtrick.arena.report import html
from overtrick.arena.store import Store
from overtrick.bidding.base import BIDDERS, bidder
from overtrick.cardplay.base import PLAYERS, player
from overtrick.game import Decision, View
from overtrick.notation.solved import SolvedDeals

BOARDS = 400
LONG = 20_000
BAR_MS = 0.3


class Timed:
    """An engine with a stopwatch around its own thoughts."""

    spent = 0.0
    actions = 0

    def __init__(self) -> None:
        self._bidder, self._player = bidder("points"), player("highest")
        self.name, self.system = "timed", self._bidder.system

    def bid(self, view: View) -> Decision:
        return self._clocked(self._bidder.bid, view)

    def play(self, view: View) -> Decision:
        return self._clocked(self._player.play, view)

    def _clocked(self, work, view: View) -> Decision:  # type: ignore[no-untyped-def]
        started = time.perf_counter()
        decision: Decision = work(view)
        Timed.spent += time.perf_counter() - started
        Timed.actions += 1
        return decision


def made_up_deals(path: Path, count: int) -> None:
    """Deals with trick counts out of thin air: good for timing, for nothing else."""
    rng = np.random.default_rng(1)
    owners = np.argsort(rng.random((count, 52)), axis=1).astype(np.uint8) // 13
    tricks = rng.integers(0, 14, (count, 5, 4), dtype=np.uint8)
    SolvedDeals(owners, tricks).save(path)


def overhead(method: str, folder: Path) -> float:
    """Milliseconds per call or card beyond the engines' own, everything included: deals, views,
    legality, results, SQLite."""
    deals = folder / "deals.npz"
    made_up_deals(deals, BOARDS)
    spec = "timed+timed"
    job = Match(spec, spec, BOARDS, method=method, deals=str(deals))  # type: ignore[arg-type]
    store = Store(folder / f"{method}.sqlite", job)
    job.board(1)  # the file is read once, before the clock starts
    Timed.spent, Timed.actions = 0.0, 0
    started = time.perf_counter()
    play_match(job, store)
    total = time.perf_counter() - started
    return 1000 * (total - Timed.spent) / Timed.actions


def run() -> list[Row]:
    """The rows of `make bench`."""
    BIDDERS.add("timed", Timed)
    PLAYERS.add("timed", Timed)
    rows = []
    for method, words in (("dd", "bidding only"), ("play", "bidding and play")):
        with tempfile.TemporaryDirectory() as folder:
            best = min(overhead(method, _fresh(Path(folder), k)) for k in range(3))
        what = f"table + arena per action, {words}, ms beyond the engines"
        rows.append(at_most(what, best, BAR_MS, "{:.3f}"))
    return rows


def _fresh(folder: Path, number: int) -> Path:
    out = folder / str(number)
    out.mkdir()
    return out


def one_match(deals: str, boards: int, path: str, where: str) -> None:
    """In a process of its own: play, write the report, print bytes' hash, seconds and memory."""
    job = Match("points", "pass", boards, deals=deals)
    started = time.perf_counter()
    store = Store(path, job)
    result = play_match(job, store, Backend.parse(where))
    page = html(store)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    digest = hashlib.sha256(b"".join(r.canonical() for r in store.results())).hexdigest()[:16]
    seconds = time.perf_counter() - started
    print(f"{digest} {seconds:.1f} s, {peak:.0f} MB, {result}, report {len(page) // 1024} kB")


def _child(deals: str, boards: int, path: Path, where: str) -> subprocess.Popen[str]:
    words = [
        sys.executable,
        "-m",
        "benchmarks.arena",
        "--one",
        deals,
        str(boards),
        str(path),
        where,
    ]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def long(deals: str, boards: int, with_ray: bool) -> None:
    """The same long match in every way, and a short one for comparison of memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, count, where in (
            ("one worker, a tenth of it", boards // 10, "here"),
            ("one worker", boards, "here"),
            ("two workers", boards, "2"),
            *([("Ray", boards, "ray")] if with_ray else []),
        ):
            out, _ = _child(deals, count, folder / f"{label}.sqlite", where).communicate()
            print(f"{label}: {out.strip()}", flush=True)
        path = folder / "killed.sqlite"
        for k in range(1, 4):
            child = _child(deals, boards, path, "here")
            while not path.exists() or len(Store(path).done()) < k * boards // 5:
                time.sleep(0.5)
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            print(f"killed with {len(Store(path).done())} boards stored", flush=True)
        out, _ = _child(deals, boards, path, "here").communicate()
        print(f"after three kills: {out.strip()}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", metavar="DEALS", help="a file of solved deals")
    parser.add_argument("--boards", type=int, default=LONG)
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        deals, boards, path, where = options.one
        one_match(deals, int(boards), path, where)
    elif options.long:
        long(options.long, options.boards, options.ray)
    else:
        print(markdown(run()))


if __name__ == "__main__":
    main()
