"""What one client can do to the others: attacks on a web server of one's own, on loopback.
`python -m benchmarks.attack` measures two victims' answers, at rest and under attack by turns;
`python -m benchmarks.attack --nginx` does it behind nginx as the host guide has it;
`python -m benchmarks.attack --both --keep FILE` does both and writes what a page is made from;
`python -m benchmarks.attack --soak 600` keeps fifty tables playing with two attackers at work."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import random
import signal
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import inf
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any

from websockets.asyncio.client import connect as connect_later
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from benchmarks.attack_deeds import ATTACKS, Attack
from benchmarks.attack_kept import Siege, Sieges, Struck
from benchmarks.attack_site import TABLE, Nginx, Server, Site

_TURNS = 13  # rest, attack, rest, attack, …
_ONSET = 0.3  # seconds until an attack has begun
_PAUSE = 0.005  # seconds between two questions of a victim
_BOARD = {"source": {"type": "random", "number": 3, "seed": 7}}  # South, a victim, deals
_victims = count(10)


# ---------------------------------------------------------------- victims


class Caller:
    """Somebody who makes the same call again and again, with robots at the table."""

    def __init__(self, site: Site, source: str) -> None:
        self._site, self._source = site, source
        self._window: ClientConnection | None = None

    def answered(self) -> float:
        """Seconds from one's own call until the robots have answered; then it is taken back."""
        try:
            if self._window is None:
                ticket = self._site.table(self._source, **_BOARD)
                self._window = self._site.window(self._source, ticket)
                self._until_mine(lambda at: True)
            began = time.perf_counter()
            self._window.send(json.dumps({"type": "call", "call": "Pass", "at": 0}))
            self._until_mine(lambda at: at > 0)
            took = time.perf_counter() - began
            self._window.send(json.dumps({"type": "undo"}))
            self._until_mine(lambda at: at == 0)
            return took
        except BaseException:
            self.close()
            raise

    def _until_mine(self, wanted: Callable[[int], bool]) -> None:
        assert self._window is not None
        while True:
            state = json.loads(self._window.recv(30))
            if state["type"] == "error":
                raise ConnectionError(state["error"])
            if state["type"] == "state" and state["mine"] and wanted(state["at"]):
                return

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


def page_answered(site: Site) -> float:
    source = f"127.0.0.{next(_victims) % 50 + 10}"
    began = time.perf_counter()
    status, _ = site.ask(source, "/", timeout=60)
    if status != 200:
        raise ConnectionError(str(status))
    return time.perf_counter() - began


# ---------------------------------------------------------------- attackers


def _attacking(names: list[str], site: Site, source: str, events: Any, met: Any) -> None:
    os.nice(19)  # attackers have machines of their own: what they work must not slow down this one
    attack = Attack(site, source, *events)
    for name in names:
        ATTACKS[name](attack)
    attack.stop.wait(600)
    met.put(attack.met.copy())  # whoever still waits for an answer is not waited for


@dataclass
class Attacker:
    """An attacker in a process of its own: it must not slow down who measures."""

    names: list[str]
    site: Site
    source: str
    met: Counter[str] = field(default_factory=Counter)

    def __enter__(self) -> Attacker:
        context = get_context("spawn")
        self.events = (context.Event(), context.Event())
        self.told = context.Queue()
        self.process = context.Process(
            target=_attacking, args=(self.names, self.site, self.source, self.events, self.told)
        )
        self.rest()
        self.process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.events[0].set()
        with contextlib.suppress(Empty):
            self.met.update(self.told.get(timeout=20))
        self.process.kill()
        self.process.join(5)

    def rest(self) -> None:
        self.events[1].set()

    def go(self) -> None:
        self.events[1].clear()


# ---------------------------------------------------------------- measuring


@dataclass
class Times:
    """A victim's answers in seconds, at rest and under attack by turns, so that whatever else the
    machine does meanwhile falls on both alike."""

    rest: list[float] = field(default_factory=list)
    under: list[float] = field(default_factory=list)

    def ratio(self, part: float) -> float:
        """Of the answers of which this part came sooner."""
        if not self.rest or not self.under:
            return float("inf")
        return _quantile(self.under, part) / _quantile(self.rest, part)

    def interval(self, part: float, draws: int = 400) -> tuple[float, float]:
        """Where nine in ten such ratios lie when answers are drawn again from those measured."""
        if not self.rest or not self.under:
            return float("inf"), float("inf")
        rng = random.Random(1)
        drawn = [
            Times(
                rng.choices(self.rest, k=len(self.rest)), rng.choices(self.under, k=len(self.under))
            )
            for _ in range(draws)
        ]
        found = sorted(times.ratio(part) for times in drawn)
        return found[draws // 20], found[-draws // 20]


@dataclass
class Measured:
    page: Times = field(default_factory=Times)
    call: Times = field(default_factory=Times)
    errors: Counter[str] = field(default_factory=Counter)
    memory: float = 0.0
    late: float = 0.0  # seconds the loop was late at most
    worked: float = 0.0  # of its own work
    busy: float = 0.0  # of a core, under attack
    recovery: float = 0.0

    def sample(self, site: Site, caller: Caller, attacked: bool, seconds: float) -> None:
        """Pages for so long, one after the other, and a call beside them."""
        end = time.perf_counter() + seconds
        call = threading.Thread(target=self._note, args=(caller.answered, self.call, attacked))
        call.start()
        while time.perf_counter() < end or call.is_alive():
            self._note(partial(page_answered, site), self.page, attacked)
            time.sleep(_PAUSE)

    def _note(self, victim: Callable[[], float], times: Times, attacked: bool) -> None:
        try:
            (times.under if attacked else times.rest).append(victim())
        except (OSError, http.client.HTTPException, WebSocketException) as error:
            self.errors[f"{type(error).__name__} {error}"[:60]] += 1


def _quantile(times: list[float], part: float) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _recovered(site: Site, usual: float) -> float:
    """Seconds until three pages in a row come as they do at rest, half as long again at most."""
    began = time.monotonic()
    well, first = 0, 0.0
    while well < 3 and time.monotonic() - began < 30:
        at = time.monotonic() - began
        try:
            soon = page_answered(site) <= max(1.5 * usual, usual + 0.005)
        except (OSError, http.client.HTTPException):
            soon = False
        first = at if soon and not well else first
        well = well + 1 if soon else 0
        time.sleep(0.01)
    return first if well == 3 else 30.0


def under_attack(
    server: Server, site: Site, attacker: Attacker, seconds: float, turns: int
) -> Measured:
    """Rest, attack, rest, attack, rest, …; after the last attack, how long it takes to recover."""
    out, caller = Measured(), Caller(site, f"127.0.0.{next(_victims) % 50 + 10}")
    page_answered(site), caller.answered()  # nothing is loaded for the first time
    for turn in range(turns):
        attacked = turn % 2 == 1
        (attacker.go if attacked else attacker.rest)()
        since, used = time.monotonic(), server.seconds()
        if attacked:
            time.sleep(_ONSET)
        elif turn:
            usual = _quantile(out.page.rest, 0.9)
            out.recovery = max(out.recovery, _recovered(site, usual))
        out.sample(site, caller, attacked, seconds)
        if attacked:
            out.memory = max(out.memory, server.megabytes())
            late, worked = server.blocked(since)
            busy = (server.seconds() - used) / (time.monotonic() - since)
            out.busy = max(out.busy, busy)
            out.late, out.worked = max(out.late, late), max(out.worked, worked)
    return out


_COLUMNS = (
    "attack", "page at rest, ms", "attacked", "times (nine in ten)",
    "99 %, times (nine in ten)", "pages", "call at rest, ms", "attacked", "times",
    "loop late, s (its own work)", "recovery, s", "of a core",
    "server, MB", "errors", "the attacker met",
)  # fmt: skip


def measured(names: list[str], seconds: float, turns: int, nginx: bool) -> Siege:
    """Every attack, one after the other; those beyond a bound once more, with more answers."""
    server = Server("--name", "bridge.example", "--proxy", "127.0.0.1") if nginx else Server()
    front = Nginx(server) if nginx else None
    site = front.site if front is not None else server.site
    print(f"| {' | '.join(_COLUMNS)} |\n{'|---' * len(_COLUMNS)}|", flush=True)
    numbers = count(70)  # each from an address of its own

    def attacked(name: str, turns: int) -> Struck:
        with Attacker([name], site, f"127.0.0.{next(numbers)}") as attacker:
            found = under_attack(server, site, attacker, seconds, turns)
        print(_row(name, found, attacker), flush=True)
        return _struck(name, found)

    try:
        rows = [attacked(name, turns) for name in names]
        again = [attacked(row.attack, turns + _TURNS) for row in rows if row.missed]
    finally:
        if front is not None:
            front.stop()
        server.stop()
    siege = Siege(nginx, rows, again)
    beyond = [f"{row.attack}: {', '.join(row.missed)}" for row in siege.last if row.missed]
    print(f"\nbeyond a bound: {'; '.join(beyond) or 'none'}")
    print(f"load {os.getloadavg()[0]:.1f}; what the server logged: {server.errors}, "
          f"{server.errors.stat().st_size / 1000:.0f} kB")  # fmt: skip
    return siege


def _struck(name: str, found: Measured) -> Struck:
    page, call = found.page, found.call
    low, high = page.interval(0.5)
    return Struck(
        attack=name,
        rest=_told(1000 * _quantile(page.rest or [inf], 0.5)),
        under=_told(1000 * _quantile(page.under or [inf], 0.5)),
        times=_told(page.ratio(0.5)),
        low=_told(low),
        high=_told(high),
        times_99=_told(page.ratio(0.99)),
        pages=(len(page.rest), len(page.under)),
        call=_told(call.ratio(0.5)),
        late=_told(found.late),
        worked=_told(found.worked),
        recovery=round(found.recovery, 2),
        core=round(found.busy, 2),
        memory=round(found.memory, 1),
        errors=found.errors.total(),
        load=round(os.getloadavg()[0], 1),
    )


def _told(value: float) -> float:
    """JSON has no infinity: so many times as long is as bad."""
    return round(min(value, 9999.0), 3)


def _row(name: str, found: Measured, attacker: Attacker) -> str:
    page, call = found.page, found.call
    (low, high), (least, most) = page.interval(0.5), page.interval(0.99)
    met = ", ".join(f"{n} × {what}" for what, n in attacker.met.most_common(3))
    cells = [
        name,
        _spread(page.rest),
        _spread(page.under),
        f"{page.ratio(0.5):.2f} ({low:.2f}–{high:.2f})",
        f"{page.ratio(0.99):.2f} ({least:.2f}–{most:.2f})",
        f"{len(page.rest)}, {len(page.under)}",
        _spread(call.rest),
        _spread(call.under),
        f"{call.ratio(0.5):.2f}",
        f"{found.late:.2f} ({found.worked:.2f})",
        f"{found.recovery:.2f}",
        f"{found.busy:.2f}",
        f"{found.memory:.0f}",
        ", ".join(f"{n} × {what}" for what, n in found.errors.items()) or "0",
        met,
    ]
    return f"| {' | '.join(cells)} |"


def _spread(times: list[float]) -> str:
    """The median and the 99th percentile in milliseconds."""
    if not times:
        return "–"
    return f"{1000 * _quantile(times, 0.5):.1f} ({1000 * _quantile(times, 0.99):.1f})"


# ---------------------------------------------------------------- a long time


async def person(
    site: Site, number: int, end: float, met: Counter[str], waits: list[float]
) -> None:
    """Somebody who plays board after board at a table of their own."""
    source, rng = f"127.0.1.{number + 1}", random.Random(number)
    status, ticket = await asyncio.to_thread(site.ask, source, "/api/tables", TABLE)
    if status != 201:
        met[f"no table: {status}"] += 1
        return
    address = f"ws://127.0.0.1:{site.port}/api/tables/{ticket['table']}/socket"
    async with connect_later(address, local_addr=(source, 0)) as window:
        await window.send(json.dumps({"type": "join", "token": ticket["token"]}))
        asked: float | None = None
        done: tuple[Any, ...] = ()  # the state in which something was done last
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                state = json.loads(await asyncio.wait_for(window.recv(), 2))
                if state["type"] == "error":
                    met[state["error"][:60]] += 1
                if state["type"] != "state":
                    continue
                if asked is not None and (state["mine"] or state["phase"] == "over"):
                    waits.append(time.monotonic() - asked)
                    asked = None
                now = (state["boards"], state["at"], state["phase"])
                if now == done or not (state["mine"] or state["phase"] == "over"):
                    continue
                done = now
                met["rulings"] += len(state["rulings"])
                await asyncio.sleep(rng.uniform(0.5, 2.5))
                await window.send(json.dumps(_choice(state, rng)))
                met["boards"] += state["phase"] == "over"
                asked = time.monotonic()


def _choice(state: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if state["phase"] == "over":
        return {"type": "next"}
    if state["phase"] == "auction":
        return {"type": "call", "call": "Pass", "at": state["at"]}
    return {"type": "card", "card": rng.choice(state["legal"]), "at": state["at"]}


def soak(seconds: float, tables: int, many: int) -> int:
    server = Server()
    met: Counter[str] = Counter()
    waits: list[float] = []
    memory = [server.megabytes()]

    async def evening() -> None:
        end = time.monotonic() + seconds
        people = [person(server.site, n, end, met, waits) for n in range(tables)]
        ends = await asyncio.gather(*people, return_exceptions=True)
        for error in ends:
            if error is not None:
                met[f"{type(error).__name__}: {error}"[:80]] += 1

    try:
        with contextlib.ExitStack() as stack:
            deeds = (["deaf", "scripts"], ["abandoned", "mute"])[:many]
            attackers = [
                stack.enter_context(Attacker(names, server.site, f"127.0.0.{66 + i}"))
                for i, names in enumerate(deeds)
            ]
            for attacker in attackers:
                attacker.go()
            asyncio.run(evening())
            memory.append(server.megabytes())
    finally:
        server.stop()
    boards, rulings = met.pop("boards", 0), met.pop("rulings", 0)
    waits.sort()
    print(f"{tables} tables, {seconds:g} s, {many} attackers: {boards} boards, "
          f"{len(waits)} answers, median {statistics.median(waits):.2f} s, 95 of 100 within "
          f"{waits[int(0.95 * len(waits))]:.2f} s, rulings {rulings}; "
          f"memory {memory[0]:.0f} → {memory[-1]:.0f} MB, "
          f"log {server.errors.stat().st_size / 1000:.0f} kB")  # fmt: skip
    print(f"what the attackers met: {[dict(attacker.met) for attacker in attackers]}")
    print(f"errors for the others: {dict(met) or 'none'}")
    return len(met)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", choices=[[], *ATTACKS], help="all unless named")
    parser.add_argument("--seconds", type=float, default=0.8, help="of a turn at least")
    parser.add_argument("--turns", type=int, default=_TURNS, help="of rest and of attack, in all")
    parser.add_argument("--nginx", action="store_true", help="in front, as the host guide has it")
    parser.add_argument("--both", action="store_true", help="without nginx, then with it")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="what a page is made from")
    parser.add_argument("--soak", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--tables", type=int, default=50, help="of the soak")
    parser.add_argument("--attackers", type=int, default=2, choices=[0, 1, 2], help="of the soak")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the server ends with this program
    if args.soak:
        return int(bool(soak(args.soak, args.tables, args.attackers)))
    ways = (False, True) if args.both else (args.nginx,)
    names = args.attacks or list(ATTACKS)
    sieges = [measured(names, args.seconds, args.turns, nginx) for nginx in ways]
    if args.keep:
        command = " ".join(["python -m benchmarks.attack", *sys.argv[1:]])
        Sieges.now(command, sieges).write(args.keep)
    return int(any(row.missed for siege in sieges for row in siege.last))


if __name__ == "__main__":
    sys.exit(main())
