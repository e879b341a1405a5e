"""A club evening from upload to the last verdict, with the server killed half-way.

Robots play the boards first, then the file is sent to a server of its own, which is ended with
kill -9 when half of the work is done and started again.

    python -m benchmarks.evening --tables 8 --boards 24
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from urllib.request import Request, urlopen

from overtrick import notation
from overtrick.doubledummy import solver
from overtrick.game import Board, Record
from overtrick.table import play_table, robot
from tests.web.browsing import Server

_ROBOTS = (
    "rules(system=two-over-one)+pimc(worlds=1)", "rules(system=sayc)+highest",
    "points+pimc(worlds=1)", "rules(system=sayc)+pimc(worlds=1)", "points+highest",
)  # fmt: skip


def played(tables: int, boards: int) -> str:
    """So many tables by robots of different strength, with names."""
    solver().set_threads(1)
    records: list[Record] = []
    for number in range(1, boards + 1):
        board = Board.random(number, 900 + number)
        for t in range(tables):
            ns = robot(_ROBOTS[t % len(_ROBOTS)])
            ew = robot(_ROBOTS[(t + 1 + t // len(_ROBOTS)) % len(_ROBOTS)])
            names = (f"Nora {t}", f"Emil {t}", f"Sven {t}", f"Wilma {t}")
            state = play_table(board, [ns, ew, ns, ew])
            records.append(state.record(names, {"Event": "Club evening"}))
    return notation.dumps(records, "pbn")


def ask(server: Server, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(server.address + path, data, {"content-type": "application/json"})
    return json.load(urlopen(request, timeout=120))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--boards", type=int, default=24)
    parser.add_argument("--file", type=Path, help="an evening of your own instead")
    options = parser.parse_args()
    text = options.file.read_text() if options.file else played(options.tables, options.boards)
    server = Server(Path(tempfile.mkdtemp()) / "tables.sqlite")
    began, killed = perf_counter(), 0.0
    name = ask(server, "/api/evenings", {"text": text})["evening"]
    while True:
        told = ask(server, f"/api/evenings/{name}?brief=1")
        seconds = perf_counter() - began
        print(f"{seconds:6.0f} s: {told['done']} of {told['jobs']}", flush=True)
        if told["done"] == told["jobs"]:
            break
        solved = told["jobs"] > options.boards  # what is to judge is known
        if not killed and solved and 2 * told["done"] >= told["jobs"]:
            server.kill()
            killed = seconds
            server.start()
            after = ask(server, f"/api/evenings/{name}?brief=1")
            print(f"killed at {killed:.0f} s with {told['done']} done; {after['done']} kept")
        sleep(1 if told["jobs"] < 60 else 5)
    report = ask(server, f"/api/evenings/{name}")
    words = Counter(d["word"] for p in report["players"] for d in p["decisions"])
    print(f"{len(report['tables'])} results ranked in {seconds:.0f} s; decisions {dict(words)}")
    print("first:", report["pairs"][0]["names"], report["pairs"][0]["percent"], "%")
    server.stop()


if __name__ == "__main__":
    main()
