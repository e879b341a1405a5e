"""Many tables at a running server: how long robots take, whether memory grows, what goes wrong.
Run by hand: `python -m tests.web.soak http://127.0.0.1:8000 --idle 50 --active 10`."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import statistics
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect


def opened(server: str, seed: int) -> dict[str, Any]:
    body = json.dumps({"source": {"type": "random", "number": 1 + seed % 16, "seed": seed}})
    request = Request(server + "/api/tables", body.encode(), {"content-type": "application/json"})
    ticket: dict[str, Any] = json.loads(urlopen(request, timeout=60).read())
    return ticket


async def play(server: str, seed: int, end: float, pause: float, found: dict[str, Any]) -> None:
    """One person who thinks for `pause` seconds; board after board until the time is over."""
    ticket = await asyncio.to_thread(opened, server, seed)
    rng = random.Random(seed)
    address = server.replace("http", "ws") + f"/api/tables/{ticket['table']}/socket"
    async with connect(address) as socket:
        await socket.send(json.dumps({"type": "join", "token": ticket["token"]}))
        waiting: float | None = None
        while time.monotonic() < end:
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), 1))
            except TimeoutError:
                continue
            if frame["type"] == "error":
                found["errors"].append(frame["error"])
                continue
            if frame["type"] != "state":
                continue
            now = time.monotonic()
            if waiting is not None:
                found["seconds"].append(now - waiting)
            robots = not frame["mine"] and frame["phase"] != "over"
            waiting = now if robots else None
            found["rulings"] += len(frame["rulings"])
            if robots or pause < 0:
                continue
            await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
            await socket.send(json.dumps(_choice(frame, rng)))
            found["boards"] += frame["phase"] == "over"


def _choice(frame: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if frame["phase"] == "over":
        return {"type": "next"}
    if frame["phase"] == "auction":
        return {"type": "call", "call": "Pass", "at": frame["at"]}
    return {"type": "card", "card": rng.choice(frame["legal"]), "at": frame["at"]}


def memory(pid: int) -> tuple[float, float]:
    """Megabytes of the server alone, and with its engine processes."""
    total = alone = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        own = int(status.parent.name) == pid or re.search(rf"^PPid:\t{pid}$", text, re.MULTILINE)
        if own and (size := re.search(r"^VmRSS:\s+(\d+)", text, re.MULTILINE)):
            total += int(size[1])
            alone += int(size[1]) if int(status.parent.name) == pid else 0
    return round(alone / 1024, 1), round(total / 1024, 1)


async def main(options: argparse.Namespace) -> dict[str, Any]:
    end = time.monotonic() + options.seconds
    found: dict[str, Any] = {"seconds": [], "errors": [], "boards": 0, "rulings": 0}
    idle: dict[str, Any] = {"seconds": [], "errors": [], "boards": 0, "rulings": 0}
    jobs = [play(options.server, 1000 + i, end, -1.0, idle) for i in range(options.idle)]
    jobs += [play(options.server, i, end, options.pause, found) for i in range(options.active)]
    sizes: list[tuple[float, float]] = []

    async def watch() -> None:
        while time.monotonic() < end:
            await asyncio.sleep(options.seconds / 10)
            if options.pid:
                sizes.append(memory(options.pid))

    await asyncio.gather(watch(), *jobs)
    waits = sorted(found["seconds"])
    return {
        "tables": {"idle": options.idle, "active": options.active},
        "robot_actions": len(waits),
        "median_s": round(statistics.median(waits), 3),
        "p95_s": round(waits[int(0.95 * len(waits))], 3),
        "p99_s": round(waits[int(0.99 * len(waits))], 3),
        "slowest_s": round(waits[-1], 3),
        "boards": found["boards"],
        "errors": found["errors"][:5] + idle["errors"][:5],
        "rulings": found["rulings"],
        "server_mb": [alone for alone, _ in sizes],
        "memory_mb": [total for _, total in sizes],
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--idle", type=int, default=50)
    parser.add_argument("--active", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=2.0)
    parser.add_argument("--pid", type=int, default=0, help="of the server, to watch its memory")
    sys.stdout.write(json.dumps(asyncio.run(main(parser.parse_args()))) + "\n")
