"""Many tables at one server, on the cores that are here: how long people wait for an answer.

    python -m benchmarks.tables people --tables 64 --minutes 2
    python -m benchmarks.tables robots --tables 32 --minutes 2

`people`: four by script at each table; an answer is the table after one's own call or card, as it
comes back. `robots`: one by script and three of the usual robots, whose calls and cards are answers
to the action before them. Everybody thinks for a second or two, opens 1NT or passes, and plays any
legal card; tables come from several addresses, since one alone may not open so many windows. The
server, the robots and the people by script share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
from websockets.asyncio.client import connect

from tests.web.browsing import Server
from tests.web.soak import memory

_EACH = 16  # tables of an address


def address(table: int) -> str:
    return f"127.0.0.{2 + table // _EACH}"


def post(port: int, path: str, body: Any, source: str, browser: str) -> Any:
    line = HTTPConnection("127.0.0.1", port, timeout=120, source_address=(source, 0))
    headers = {"content-type": "application/json", "overtrick-browser": browser}
    line.request("POST", path, json.dumps(body), headers)
    answer = json.loads(line.getresponse().read())
    line.close()
    return answer


async def person(port: int, ticket: Any, source: str, pause: float, found: Any, end: float) -> None:
    """One who plays until the time is over; waits are noted as the table's kind wants it."""
    rng = random.Random(ticket["token"])
    path = f"ws://127.0.0.1:{port}/api/tables/{ticket['table']}/socket"
    async with connect(path, max_size=1 << 22, local_addr=(source, 0)) as socket:
        await socket.send(json.dumps({"type": "join", "token": ticket["token"]}))
        sent: float | None = None
        seen, acted, boards = -1, (-1, -1), -1
        last = time.monotonic()
        while time.monotonic() < end:
            try:
                frame = json.loads(await asyncio.wait_for(socket.recv(), 1))
            except TimeoutError:
                continue
            now = time.monotonic()
            if frame["type"] == "error":
                found["errors"].append(frame["error"])
                continue
            if frame["type"] != "state":
                continue
            if sent is not None:
                found["own"].append(now - sent)
                sent = None
            elif frame["boards"] == boards and frame["at"] > seen >= 0:
                found["robots"].append(now - last)
            seen, boards, last = frame["at"], frame["boards"], now
            over = frame["phase"] == "over"
            found["boards"] += over and acted != (frame["boards"], frame["at"])
            if acted == (frame["boards"], frame["at"]) or not (frame["mine"] or over):
                continue
            if over and ticket["seat"] != "S":
                continue
            acted = (frame["boards"], frame["at"])
            await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
            wish: dict[str, Any] = {"type": "next"}
            if not over and frame["phase"] == "auction":
                opens = "1NT" in frame["legal"] and len(frame["auction"]) < 4
                call = "1NT" if opens and rng.random() < 0.5 else "Pass"
                wish = {"type": "call", "call": call, "at": frame["at"]}
            elif not over:
                wish = {"type": "card", "card": rng.choice(frame["legal"]), "at": frame["at"]}
            sent = last = time.monotonic()
            await socket.send(json.dumps(wish))


async def run(server: Server, kind: str, tables: int, pause: float, minutes: float) -> Any:
    found: Any = {"own": [], "robots": [], "errors": [], "boards": 0}
    tickets = []
    for number in range(tables):
        source = address(number)
        humans = list("NESW") if kind == "people" else ["S"]
        wish = {"seat": "S", "humans": humans, "boards": 16}
        made = await asyncio.to_thread(
            post, server.port, "/api/tables", wish, source, f"south-{number}"
        )
        tickets.append((made, source))
        for seat, invitation in made["invitations"].items():
            join = {"invitation": invitation, "name": seat}
            path = f"/api/tables/{made['table']}/join"
            ticket = await asyncio.to_thread(
                post, server.port, path, join, source, f"{seat}-{number}"
            )
            tickets.append((ticket, source))
    end = time.monotonic() + 60 * minutes
    jobs = [person(server.port, t, source, pause, found, end) for t, source in tickets]
    await asyncio.gather(*jobs)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("kind", choices=["people", "robots"])
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--pause", type=float, default=1.5)
    options = parser.parse_args()
    server = Server(Path(tempfile.mkdtemp()) / "tables.sqlite")
    try:
        server.has_engines()
        work = run(server, options.kind, options.tables, options.pause, options.minutes)
        found = asyncio.run(work)
        alone, whole = memory(server.process.pid)
    finally:
        server.stop()
    print(f"{options.tables} tables of {options.kind}, {options.minutes:g} minutes; errors:",
          len(found["errors"]), sorted(set(found["errors"]))[:3])  # fmt: skip
    for name in ("own", "robots"):
        if found[name] and (name == "own" or options.kind == "robots"):
            low, high, most = np.percentile(found[name], [50, 99, 100])
            print(f"{name}: {len(found[name])} answers, median {low:.3f} s, 99 % {high:.3f} s, "
                  f"slowest {most:.2f} s")  # fmt: skip
    print(f"boards seen to the end: {found['boards']}; memory {alone} MB, with engines {whole} MB")


if __name__ == "__main__":
    main()
