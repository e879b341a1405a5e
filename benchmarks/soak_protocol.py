"""Soak of the Table Manager: eight clients in two rooms with delays, garbage, silence and breaks.
Run `python -m benchmarks.soak_protocol --boards 200`; a short one is in tests/protocol."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from overtrick.game import Board, Call, Seat
from overtrick.protocol import Gone, Journal, Manager, ManagerPatience, Session, Stream, WantedSeat
from overtrick.protocol.messages import Bid, Garbage, Message
from overtrick.protocol.player import Client
from overtrick.protocol.quirks import Quirks
from overtrick.protocol.stream import BUFFER
from overtrick.table import robot

_NONSENSE = ("xyzzy", "North bids 8NT", "plays plays", "\x07\x08", "A" * 3000, "Start of bored")


@dataclass(frozen=True, slots=True)
class Chaos:
    """Chances per line sent."""

    garbage: float = 0.01
    disconnect: float = 0.0008
    silence: float = 0.0004
    illegal: float = 0.002  # per call
    delay: float = 0.002  # mean seconds, one line in ten


class Unruly:
    """A connection whose client misbehaves; counts what it did."""

    def __init__(self, stream: Stream, chaos: Chaos, rng: random.Random, done: Counter[str]):
        self.who, self.quirks = stream.who, Quirks()
        self._stream, self._chaos, self._rng, self._done = stream, chaos, rng, done

    @property
    def is_closed(self) -> bool:
        return self._stream.is_closed

    def close(self) -> None:
        self._stream.close()

    async def receive(self) -> Message:
        return await self._stream.receive()

    async def send(self, message: Message) -> None:
        rng, chaos = self._rng, self._chaos
        if rng.random() < 0.1:
            await asyncio.sleep(rng.expovariate(1 / chaos.delay))
        if rng.random() < chaos.garbage:
            self._done["garbage"] += 1
            await self._stream.send(Garbage(rng.choice(_NONSENSE), ""))
        if rng.random() < chaos.silence:
            self._done["silence"] += 1
            await asyncio.sleep(1.5)
        if rng.random() < chaos.disconnect:
            self._done["disconnect"] += 1
            self.close()
            raise Gone("hung up on purpose")
        if isinstance(message, Bid) and rng.random() < chaos.illegal:
            self._done["illegal"] += 1
            message = Bid(message.seat, Call.parse("XX"))
        await self._stream.send(message)


async def unruly(port: int, place: WantedSeat, chaos: Chaos, seed: int, done: Counter[str]) -> None:
    """One client that comes back whenever its connection breaks, until the session ends."""
    rng = random.Random(seed)
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=BUFFER)
        except OSError:
            return  # the session is over
        lines = Unruly(Stream(reader, writer, Journal()), chaos, rng, done)
        try:
            await Client(lines, robot("points+random"), place).run()
            return
        except ConnectionError:
            await asyncio.sleep(rng.random() * 0.1)


async def soak(boards: int, chaos: Chaos, seed: int, path: Path) -> dict[str, object]:
    """The whole session; what happened, in figures."""
    deals = tuple(Board.random(n, seed=1000 * seed + n) for n in range(1, boards + 1))
    patience = ManagerPatience(call=0.8, card=0.8, ready=0.8, arrive=30, reconnect=0.5)
    injected: Counter[str] = Counter()
    started = time.perf_counter()
    with path.open("w", encoding="utf-8") as file:
        journal = Journal(file)
        manager = Manager(Session(deals, ("A", "B"), patience=patience), journal)
        session = asyncio.create_task(manager.run(port=0))
        await manager.listening.wait()
        places = [WantedSeat(t, s, 18 + s % 2) for t in ("A", "B") for s in Seat]
        clients = [
            asyncio.create_task(unruly(manager.port, p, chaos, seed + i, injected))
            for i, p in enumerate(places)
        ]
        await session
        await asyncio.wait(clients, timeout=5)
        for task in clients:
            task.cancel()
    results = [room.results for room in manager.rooms]
    whole = [sum(s.phase == "over" and s.score() is not None for s in r) for r in results]
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    faults = [e for e in entries if e["what"] == "fault"]
    return {
        "boards": boards,
        "finished": whole,
        "in order": all([s.board.number for s in r] == [b.number for b in deals] for r in results),
        "restarts": [room.restarts for room in manager.rooms],
        "injected": dict(injected),
        "faults": dict(journal.faults),
        "faults without ruling": sum(not e["ruling"] for e in faults),
        "rulings in the records": sum(len(s.rulings) for r in results for s in r),
        "lines": journal.counts["in"] + journal.counts["out"],
        "seconds": round(time.perf_counter() - started, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        figures = asyncio.run(soak(options.boards, Chaos(), options.seed, path))
    for name, value in figures.items():
        print(f"{name:24} {value}")
    lost = figures["finished"] != [options.boards] * 2 or figures["faults without ruling"]
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
