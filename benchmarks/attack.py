"""What one client can do to the others: attacks on a web server of one's own, on loopback.
`python -m benchmarks.attack` measures a victim's answers, at rest and under attack by turns;
`python -m benchmarks.attack --soak 600` keeps fifty tables playing with two attackers at work."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any
from urllib.request import urlopen

from websockets.asyncio.client import connect as connect_later
from websockets.sync.client import ClientConnection, connect

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
IMPOSSIBLE = {"script": "condition 1 == 2", "count": 5000}
# Quick robots: how long the strongest ones think is not what is measured here.
ROBOTS = {"bidder": "rules(system=two-over-one)", "player": "pimc(worlds=20)"}
TABLE = {"ns": ROBOTS, "ew": ROBOTS}
JSON = {"Content-Type": "application/json"}
_MOST = 2.0  # times as long as at rest
_SETTLE = 2.5  # seconds until an attack, or a rest, has begun
_victims = count(10)


class Server:
    """`overtrick serve` as a program of its own, on a free port, with its log in a new folder."""

    def __init__(self, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.folder = Path(tempfile.mkdtemp(prefix="overtrick-attack-"))
        self.errors = self.folder / "errors.txt"
        run = "from overtrick.cli import main; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", run, "serve", "--port", str(self.port),
             "--log", str(self.folder / "web.sqlite"), *options],
            stdout=subprocess.DEVNULL, stderr=self.errors.open("wb"),
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        for _ in range(600):
            with contextlib.suppress(OSError):
                urlopen(f"http://127.0.0.1:{self.port}/api/engines", timeout=120).read()
                return
            time.sleep(0.1)
        raise SystemExit("the server did not start")

    def megabytes(self) -> float:
        """Memory of the server alone, without the processes that think."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.process.kill()


def ask(
    port: int, source: str, path: str, body: Any = None, headers: Any = None
) -> tuple[int, Any]:
    """One request from one of the loopback addresses; its status and answer."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=90, source_address=(source, 0))
    try:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        line.request("GET" if data is None else "POST", path, data, {**JSON, **(headers or {})})
        answer = line.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text[:1] in b"{[" else text
    finally:
        line.close()


def _connect(address: str, source: str) -> ClientConnection:
    """A window that whoever opened it closes, or leaves to the server to close."""
    return connect(address, source_address=(source, 0), max_queue=1, ping_interval=None).__enter__()


def seated(port: int, source: str, **wish: Any) -> tuple[ClientConnection, dict[str, Any]]:
    """A window at a new table."""
    status, ticket = ask(port, source, "/api/tables", {**TABLE, **wish})
    if status != 201:
        raise ConnectionError(f"{status} {ticket}")
    window = _connect(f"ws://127.0.0.1:{port}/api/tables/{ticket['table']}/socket", source)
    window.send(json.dumps({"type": "join", "token": ticket["token"]}))
    return window, ticket


# ---------------------------------------------------------------- victims


def call_answered(port: int) -> float:
    """Seconds from one's own call until the robots have answered."""
    source = f"127.0.0.{next(_victims) % 50 + 10}"
    window, _ = seated(port, source)
    with window:
        while not (state := json.loads(window.recv(60))).get("mine"):
            pass
        began = time.perf_counter()
        window.send(json.dumps({"type": "call", "call": "Pass", "at": state["at"]}))
        while True:
            state = json.loads(window.recv(60))
            if state["type"] == "state" and (state["mine"] or state["phase"] == "over"):
                return time.perf_counter() - began
            if state["type"] == "error":
                raise ConnectionError(state["error"])


def deal_answered(port: int) -> float:
    """Seconds for a few deals to order."""
    source = f"127.0.0.{next(_victims) % 50 + 10}"
    began = time.perf_counter()
    status, answer = ask(port, source, "/api/deal", {"north": "hcp 15..17", "count": 200})
    if status != 200:
        raise ConnectionError(f"{status} {answer}")
    return time.perf_counter() - began


def page_answered(port: int) -> float:
    source = f"127.0.0.{next(_victims) % 50 + 10}"
    began = time.perf_counter()
    status, _ = ask(port, source, "/")
    if status != 200:
        raise ConnectionError(str(status))
    return time.perf_counter() - began


# ---------------------------------------------------------------- attackers


@dataclass
class Attack:
    """Threads that do one thing again and again until they are told to stop."""

    port: int
    source: str
    stop: Any = field(default_factory=threading.Event)
    resting: Any = field(default_factory=threading.Event)
    met: Counter[str] = field(default_factory=Counter)

    def again(self, deed: Callable[[], str], times: int, pause: float) -> list[threading.Thread]:
        def work() -> None:
            while not self.stop.is_set():
                if self.resting.is_set():
                    self.stop.wait(0.05)
                    continue
                try:
                    self.met[deed()] += 1
                except Exception as error:  # whatever the server does to an attacker is counted
                    self.met[type(error).__name__] += 1
                self.stop.wait(pause)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(times)]
        for thread in threads:
            thread.start()
        return threads


def scripts(attack: Attack) -> list[threading.Thread]:
    """Ten tables at a time by a script that no deal fulfils."""
    body = {"source": {"type": "script", "text": "condition 1 == 2"}}

    def deed() -> str:
        return str(ask(attack.port, attack.source, "/api/tables", body)[0])

    return attack.again(deed, 10, 0.05)


def cards(attack: Attack) -> list[threading.Thread]:
    """Tables with ever new convention cards, each of which has to be worked out."""
    switches = ("dont", "bergen", "drury", "texas", "gerber", "jordan", "mathe", "lebensohl")

    def deed() -> str:
        some = " ".join(random.choice("+-") + name for name in random.sample(switches, 4))
        own = {"bidder": f"rules(system='sayc {some}')", "player": "highest"}
        return str(ask(attack.port, attack.source, "/api/tables", {"ns": own, "ew": own})[0])

    return attack.again(deed, 6, 0.2)


def abandoned(attack: Attack) -> list[threading.Thread]:
    """Sixty questions a second that take long, and nobody stays for the answer."""
    data = json.dumps(IMPOSSIBLE).encode()
    head = (
        f"POST /api/deal HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    ).encode()

    def deed() -> str:
        where = ("127.0.0.1", attack.port)
        with socket.create_connection(where, 5, source_address=(attack.source, 0)) as line:
            line.sendall(head + data)
            time.sleep(0.02)
        return "sent"

    return attack.again(deed, 20, 0.3)


def mute(attack: Attack) -> list[threading.Thread]:
    """Eleven hundred requests that are never finished."""
    lines: list[socket.socket] = []

    def deed() -> str:
        where = ("127.0.0.1", attack.port)
        line = socket.create_connection(where, 5, source_address=(attack.source, 0))
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        lines.append(line)
        while len(lines) > 1100:
            lines.pop(0).close()
        return "sent"

    return attack.again(deed, 8, 0.05)


def deaf(attack: Attack) -> list[threading.Thread]:
    """Long texts at a table, twenty windows that do not read, and an action after the other."""
    hands = dict(zip("NESW", DEAL[2:].split(), strict=True))
    problem = {"set": "x" * 900_000, "board": "1", "dealer": "N", "vul": "None", "hands": hands,
               "awards": {"7NT": 10}}  # fmt: skip
    source = {"type": "problems", "text": json.dumps(problem)}
    status, _ = ask(attack.port, attack.source, "/api/tables", {"source": source})
    attack.met[f"long text {status}"] += 1
    window, ticket = seated(attack.port, attack.source)
    path = f"/api/tables/{ticket['table']}"
    headers = {"Authorization": f"Bearer {ticket['token']}"}
    windows = [window]

    def deed() -> str:
        if len(windows) < 20:
            address = f"ws://127.0.0.1:{attack.port}{path}/socket"
            another = _connect(address, attack.source)
            another.send(json.dumps({"type": "join", "token": ticket["token"]}))
            windows.append(another)
        status, state = ask(attack.port, attack.source, path, headers=headers)
        if status == 200 and state.get("mine") and state["phase"] == "auction":
            deed = {"type": "call", "call": "Pass", "at": state["at"]}
        else:
            deed = {"type": "undo"}
        return str(ask(attack.port, attack.source, f"{path}/act", deed, headers)[0])

    return attack.again(deed, 3, 0.02)


def upload(attack: Attack) -> list[threading.Thread]:
    """A small file in which every board repeats a long text of the first."""
    board = f'[Board "1"][Deal "{DEAL}"]'
    names = "".join(f'[{s} "##{"x" * 60_000}"]' for s in ("North", "East", "South", "West"))
    body = {"text": board + names + "\n\n" + (board + "\n\n") * 600}

    def deed() -> str:
        status, answer = ask(attack.port, attack.source, "/api/review/read", body)
        return f"{status}, {len(str(answer)) >> 20} MB"

    return attack.again(deed, 3, 0.1)


def rubbish(attack: Attack) -> list[threading.Thread]:
    """Bytes that are no text, from a page of another site, with escapes for who reads the log."""
    headers = {"X-Forwarded-For": "\x1b[2J9.9.9.9", "User-Agent": "\x1b]0;x\x07"}

    def deed() -> str:
        return str(ask(attack.port, attack.source, "/api/deal", b'{"\xff": 1}', headers)[0])

    return attack.again(deed, 6, 0.02)


def flood(attack: Attack) -> list[threading.Thread]:
    """Pages, files and cheap questions as fast as they are answered, on lines that stay open."""
    paths = ("/static/app.js", "/", "/api/health", "/nothing", "/api/openapi.json")
    lines = threading.local()

    def deed() -> str:
        if getattr(lines, "line", None) is None:
            source = (attack.source, 0)
            where = ("127.0.0.1", attack.port)
            lines.line = http.client.HTTPConnection(*where, timeout=30, source_address=source)
        try:
            lines.line.request("GET", random.choice(paths), headers={"Accept-Encoding": "gzip"})
            answer = lines.line.getresponse()
            answer.read()
            return str(answer.status)
        except (OSError, http.client.HTTPException):
            lines.line.close()
            lines.line = None
            raise

    return attack.again(deed, 8, 0.0)


def questions(attack: Attack) -> list[threading.Thread]:
    """Whole boards for robots to play, asked as programs ask, and abandoned."""
    deal = DEAL[2:].replace(" ", "%20").replace(".", "_")
    head = f"GET /autoplay?deal={deal} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    def deed() -> str:
        where = ("127.0.0.1", attack.port)
        with socket.create_connection(where, 5, source_address=(attack.source, 0)) as line:
            line.sendall(head)
            time.sleep(0.02)
        return "sent"

    return attack.again(deed, 10, 0.3)


ATTACKS: dict[str, tuple[Callable[[Attack], list[threading.Thread]], Callable[[int], float]]] = {
    "scripts": (scripts, call_answered),
    "abandoned": (abandoned, deal_answered),
    "mute": (mute, page_answered),
    "deaf": (deaf, call_answered),
    "upload": (upload, deal_answered),
    "rubbish": (rubbish, deal_answered),
    "flood": (flood, page_answered),
    "questions": (questions, deal_answered),
    "cards": (cards, call_answered),
}


def _attacking(names: list[str], port: int, source: str, events: Any, met: Any) -> None:
    os.nice(10)  # attackers have machines of their own: what they work must not slow down this one
    attack = Attack(port, source, *events)
    for name in names:
        ATTACKS[name][0](attack)
    attack.stop.wait()
    met.put(attack.met.copy())  # whoever still waits for an answer is not waited for


@dataclass
class Attacker:
    """An attacker in a process of its own: it must not slow down who measures."""

    names: list[str]
    port: int
    source: str
    met: Counter[str] = field(default_factory=Counter)

    def __enter__(self) -> Attacker:
        context = get_context("spawn")
        self.events = (context.Event(), context.Event())
        self.told = context.Queue()
        self.process = context.Process(
            target=_attacking, args=(self.names, self.port, self.source, self.events, self.told)
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


def sampled(victim: Callable[[int], float], port: int, samples: int) -> tuple[list[float], int]:
    """Times of a victim's questions, and how many were not answered as they should be."""
    times, errors = [], 0
    for _ in range(samples):
        try:
            times.append(victim(port))
        except (OSError, TimeoutError, http.client.HTTPException):
            errors += 1
        time.sleep(0.1)
    return times, errors


@dataclass
class Measured:
    """A victim's answers, at rest and under attack by turns, so that whatever else the machine does
    meanwhile falls on both alike."""

    rest: list[float] = field(default_factory=list)
    under: list[float] = field(default_factory=list)
    errors: int = 0
    memory: float = 0.0

    @property
    def ratio(self) -> float:
        """Of the medians."""
        if not self.rest or not self.under:
            return float("inf")
        return statistics.median(self.under) / statistics.median(self.rest)

    def interval(self, draws: int = 2000) -> tuple[float, float]:
        """Where nine in ten such ratios lie when answers are drawn again from those measured."""
        if not self.rest or not self.under:
            return float("inf"), float("inf")
        rng, found = random.Random(1), []
        for _ in range(draws):
            rest = rng.choices(self.rest, k=len(self.rest))
            under = rng.choices(self.under, k=len(self.under))
            found.append(statistics.median(under) / statistics.median(rest))
        found.sort()
        return found[draws // 20], found[-draws // 20]


def under_attack(name: str, server: Server, attacker: Attacker, samples: int) -> Measured:
    """Rest, attack, rest, attack, rest."""
    victim, out = ATTACKS[name][1], Measured()
    sampled(victim, server.port, 3)  # nothing is loaded for the first time
    for turn in range(5):
        attacked = turn % 2 == 1
        (attacker.go if attacked else attacker.rest)()
        time.sleep(_SETTLE if turn else 0)
        parts = 2 if attacked else 3
        times, errors = sampled(victim, server.port, -(-samples // parts))
        (out.under if attacked else out.rest).extend(times)
        out.errors += errors
        if attacked:
            out.memory = max(out.memory, server.megabytes())
    return out


def measured(names: list[str], samples: int) -> int:
    server = Server()
    failed = []
    print("| attack | at rest, ms (quartiles) | under attack, ms (quartiles) | ratio (nine in ten) "
          "| errors | server, MB | log, kB | what the attacker met |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    try:
        for number, name in enumerate(names, 70):  # each from an address of its own
            with Attacker([name], server.port, f"127.0.0.{number}") as attacker:
                found = under_attack(name, server, attacker, samples)
            low, high = found.interval()
            answers = ", ".join(f"{n} × {what}" for what, n in attacker.met.most_common(4))
            log = server.errors.stat().st_size / 1000
            print(f"| {name} | {_spread(found.rest)} | {_spread(found.under)} | {found.ratio:.2f} "
                  f"({low:.2f}–{high:.2f}) | {found.errors} | {found.memory:.0f} | {log:.0f} "
                  f"| {answers} |", flush=True)  # fmt: skip
            failed += [name] if found.errors or found.ratio > _MOST else []
    finally:
        server.stop()
    print(f"more than {_MOST:g} times as slow, or with errors: {', '.join(failed) or 'none'}")
    print(f"load {os.getloadavg()[0]:.1f}; what the server logged: {server.errors}")
    return len(failed)


def _spread(times: list[float]) -> str:
    """The median and the quartiles in milliseconds."""
    if len(times) < 2:
        return "–"
    low, middle, high = (1000 * q for q in statistics.quantiles(times, n=4))
    return f"{middle:.1f} ({low:.1f}–{high:.1f})"


# ---------------------------------------------------------------- a long time


async def person(port: int, number: int, end: float, met: Counter[str], waits: list[float]) -> None:
    """Somebody who plays board after board at a table of their own."""
    source, rng = f"127.0.1.{number + 1}", random.Random(number)
    status, ticket = await asyncio.to_thread(ask, port, source, "/api/tables", TABLE)
    if status != 201:
        met[f"no table: {status}"] += 1
        return
    address = f"ws://127.0.0.1:{port}/api/tables/{ticket['table']}/socket"
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
        people = [person(server.port, n, end, met, waits) for n in range(tables)]
        ends = await asyncio.gather(*people, return_exceptions=True)
        for error in ends:
            if error is not None:
                met[f"{type(error).__name__}: {error}"[:80]] += 1

    try:
        with contextlib.ExitStack() as stack:
            deeds = (["deaf", "scripts"], ["abandoned", "mute"])[:many]
            attackers = [
                stack.enter_context(Attacker(names, server.port, f"127.0.0.{66 + i}"))
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
    parser.add_argument("--samples", type=int, default=15, help="questions of the victim")
    parser.add_argument("--soak", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--tables", type=int, default=50, help="of the soak")
    parser.add_argument("--attackers", type=int, default=2, choices=[0, 1, 2], help="of the soak")
    args = parser.parse_args()
    if args.soak:
        return int(bool(soak(args.soak, args.tables, args.attackers)))
    return int(bool(measured(args.attacks or list(ATTACKS), args.samples)))


if __name__ == "__main__":
    sys.exit(main())
