"""A club evening by script, and a player who always takes the coach's advice.
Run by hand on a quiet machine: `python -m tests.web.club match` (64 people, eight boards, about
eight minutes) or `... hints`; the server is started here. The last lines say what was found."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect

from overtrick import doubledummy as dd
from overtrick.game import Card, Deal, Play, Strain
from tests.web.browsing import Server

Frame = dict[str, Any]


def post(server: str, path: str, body: Any, browser: str = "") -> Any:
    headers = {"content-type": "application/json", "overtrick-browser": browser}
    request = Request(server + path, json.dumps(body).encode(), headers)
    return json.loads(urlopen(request, timeout=60).read())


def get(server: str, path: str) -> Any:
    return json.loads(urlopen(server + path, timeout=60).read())


async def joined(server: str, ticket: Frame) -> ClientConnection:
    address = server.replace("http", "ws") + f"/api/tables/{ticket['table']}/socket"
    socket = await connect(address, max_size=1 << 22)
    await socket.send(json.dumps({"type": "join", "token": ticket["token"]}))
    return socket


# ---------------------------------------------------------------- a whole club


async def member(server: str, contest: str, number: int, pause: float, found: Frame) -> None:
    """One person who plays the whole match, thinking for a moment before every call and card."""
    rng = random.Random(number)
    await asyncio.sleep(rng.uniform(0, 4 * pause))
    wish = {"name": f"Member {number}"}
    ticket = await asyncio.to_thread(
        post, server, f"/api/contests/{contest}/enter", wish, f"member-{number}"
    )
    socket = await joined(server, ticket)
    waiting: float | None = None
    done: set[int] = set()
    acted = (-1, -1)
    try:
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "error":
                found["errors"].append(frame["error"])
                continue
            if frame["type"] != "state":
                continue
            now = time.monotonic()
            if waiting is not None:
                found["seconds"].append(now - waiting)
            over = frame["phase"] == "over"
            waiting = now if not frame["mine"] and not over else None
            if frame["match"]["contest"] != contest:
                return
            if over:
                if frame["match"]["index"] not in done:
                    done.add(frame["match"]["index"])
                    found["boards"] += 1
                    await socket.send('{"type": "next"}')
            elif frame["mine"] and acted != (frame["boards"], frame["at"]):
                acted = (frame["boards"], frame["at"])  # the same state may be shown twice
                await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
                await socket.send(json.dumps(_choice(frame, rng)))
    finally:
        await socket.close()


def _choice(frame: Frame, rng: random.Random) -> Frame:
    if frame["phase"] == "auction":
        return {"type": "call", "call": "Pass", "at": frame["at"]}
    return {"type": "card", "card": rng.choice(frame["legal"]), "at": frame["at"]}


async def match(server: str, people: int, boards: int, pause: float, minutes: float) -> Frame:
    made = post(server, "/api/contests", {"title": "Club evening", "boards": boards})
    found: Frame = {"seconds": [], "errors": [], "boards": 0}
    started = time.monotonic()
    jobs = [
        asyncio.create_task(member(server, made["contest"], i, pause, found)) for i in range(people)
    ]
    left: set[asyncio.Task[None]] = set(jobs)
    while left and time.monotonic() - started < 60 * minutes:
        _, left = await asyncio.wait(left, timeout=20)
        so_far = f"{time.monotonic() - started:4.0f} s: {found['boards']} boards"
        sys.stderr.write(f"{so_far}, {len(found['seconds'])} answers, {len(left)} still play\n")
    for job in left:
        job.cancel()
    for result in await asyncio.gather(*jobs, return_exceptions=True):
        if isinstance(result, Exception):
            found["errors"].append(repr(result))
    told = await asyncio.to_thread(get, server, f"/api/contests/{made['contest']}")
    waits = sorted(found["seconds"])
    return {
        "people": people,
        "boards": found["boards"],
        "ranked": len(told["ranking"]),
        "finished": sum(r["boards"] == boards for r in told["ranking"]),
        "robot_answers": len(waits),
        "median_s": round(statistics.median(waits), 3),
        "p99_s": round(waits[int(0.99 * len(waits))], 3),
        "slowest_s": round(waits[-1], 3),
        "errors": len(found["errors"]),
        "first_errors": found["errors"][:3],
        "load": [round(x, 1) for x in os.getloadavg()],
        "minutes": round((time.monotonic() - started) / 60, 1),
    }


def summary(told: Frame, boards: int) -> str:
    """What was found, a line each."""
    played, wanted = told["boards"], told["people"] * boards
    return (
        f"{told['people']} people, {boards} boards each: {played} of {wanted} boards played, "
        f"{told['ranked']} ranked, {told['finished']} finished all, {told['minutes']} minutes\n"
        f"{told['robot_answers']} answers of robots: median {told['median_s']} s, "
        f"99 % within {told['p99_s']} s, slowest {told['slowest_s']} s\n"
        f"errors: {told['errors'] or 'none'} {told['first_errors'] or ''}\n"
        f"cards by rule for want of time: {told['cards_by_rule']}; "
        f"load at the end {told['load'][0]}, {os.cpu_count()} cores\n"
    )


# ---------------------------------------------------------------- always the advised


async def hints(server: str, boards: int, seed: int) -> Frame:
    """Boards played by the answers of the coach, against the robots' room; where advice costs a
    trick although the contract is safe for every lie of the cards, it is listed."""
    body = {"source": {"type": "random", "number": 1, "seed": seed}, "boards": boards}
    socket = await joined(server, post(server, "/api/tables", body))
    costly: list[str] = []
    history: list[Frame] = []
    rows: list[Frame] = []
    asked = -1
    async for text in socket:
        frame = json.loads(text)
        if frame["type"] == "state":
            history.append(frame)
            sheet = frame["match"]["sheet"]
            if frame["phase"] == "over":
                if len(sheet) > len(rows) and sheet[-1]["imps"] is not None:
                    rows = sheet
                    costly += _safe_losses(frame, history)
                    history = []
                    if len(rows) == boards:
                        break
                    asked = -1
                    await socket.send('{"type": "next"}')
            elif frame["mine"] and asked != frame["at"]:
                asked = frame["at"]
                await socket.send('{"type": "hint"}')
        elif frame["type"] == "hint" and frame["at"] == history[-1]["at"]:
            kind = "call" if history[-1]["phase"] == "auction" else "card"
            history[-1]["advised"] = frame["action"]
            action = {"type": kind, kind: frame["action"], "at": frame["at"]}
            await socket.send(json.dumps(action))
        elif frame["type"] == "error":
            asked = -1
            await asyncio.sleep(1)
            await socket.send('{"type": "explain"}')
    imps = [r["imps"] for r in rows]
    return {
        "boards": len(imps),
        "imps": sum(imps),
        "mean": round(statistics.mean(imps), 2),
        "by_board": imps,
        "safe_and_costly": costly,
    }


def _safe_losses(over: Frame, history: list[Frame]) -> list[str]:
    """Advised cards that gave a trick away double dummy while all other tricks could be lost."""
    contract, lin = over["contract"], over["result"]["lin"]
    if contract is None or not any("advised" in f and f["phase"] == "play" for f in history):
        return []
    from overtrick import notation

    record = notation.loads(lin).records[0]
    assert record.deal is not None
    assert record.play is not None
    deal: Deal = record.deal.complete()
    walk = Play(Strain(record.play.strain), record.play.opening_leader)
    advised = {f["play"]["cards"]: f for f in history if f["phase"] == "play" and "advised" in f}
    out = []
    for i, card in enumerate(record.play.cards):
        state = advised.get(i)
        if state is not None and Card.parse(state["advised"]) == card:
            worth = dd.solve_all([dd.Position.of_play(deal, walk)])[0]
            lost = max(worth.values()) - worth[card]
            safe = state["play"]["declarer_tricks"] >= contract["target"]
            declaring = contract["declarer"] in "NS"
            if lost > 0 and safe and declaring:
                out.append(f"board {over['number']}, card {i + 1}: {card} costs {lost}")
        walk = walk.then(card)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["match", "hints"])
    parser.add_argument("--people", type=int, default=64)
    parser.add_argument("--boards", type=int, default=8)
    parser.add_argument("--pause", type=float, default=2.0, help="seconds a person thinks")
    parser.add_argument("--minutes", type=float, default=15, help="when the evening ends at last")
    parser.add_argument("--json", action="store_true", help="one line for a program")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "log.sqlite", errors=Path(folder) / "errors")
        try:
            server.has_engines()
            if options.what == "match":
                job = match(
                    server.address, options.people, options.boards, options.pause, options.minutes
                )
            else:
                job = hints(server.address, options.boards, options.seed)
            told = asyncio.run(job)
            told["cards_by_rule"] = (Path(folder) / "errors").read_text().count("had no time")
            if options.json or options.what != "match":
                sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
            else:
                sys.stdout.write(summary(told, options.boards))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
