"""People by script: they enter an event, find their tables round by round, bid and play."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Coroutine
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def ask(server: str, path: str, body: Any = None, token: str = "", browser: str = "") -> Any:
    browser = browser.replace(" ", "-")
    headers = {"content-type": "application/json", "overtrick-browser": browser}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    try:
        return json.loads(urlopen(Request(server + path, data, headers), timeout=60).read())
    except HTTPError as error:
        raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from None


class Crowd:
    """Scripted people, each in a loop of its own, on one thread."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.loop = asyncio.new_event_loop()
        self.problems: list[str] = []
        self.threads = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.threads.start()
        self.stopped = False

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(self._minding(work), self.loop)

    async def _minding(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # told by the test, which waits in another thread
            self.problems.append(repr(error))

    def close(self) -> None:
        self.stopped = True
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.threads.join(10)

    # ------------------------------------------------------------ one person

    def pair(self, event: str, a: str, b: str) -> list[str]:
        """Two people enter and play; their tokens."""
        path = f"/api/events/{event}"
        one = ask(self.server, f"{path}/enter", {"name": a}, browser=a)
        two = ask(
            self.server, f"{path}/join", {"name": b, "invitation": one["invitation"]}, browser=b
        )
        for name, ticket in ((a, one), (b, two)):
            self.start(self.play(event, name, ticket["token"]))
        return [one["token"], two["token"]]

    async def play(self, event: str, name: str, token: str) -> None:
        """Sit down at the table of each round, until the event is over."""
        rng, at = random.Random(name), ""
        while not self.stopped:
            page = await asyncio.to_thread(
                ask, self.server, f"/api/events/{event}", None, token, name
            )
            mine = page["mine"]
            if page["state"] == "over" or mine is None:
                return  # a substitute has come
            if mine["table"] and mine["table"] != at:
                at = mine["table"]
                await self._sit(at, token, name, rng)
            await asyncio.sleep(2)  # as pages do, which are not many for one address

    async def _sit(self, table: str, token: str, name: str, rng: random.Random) -> None:
        address = self.server.replace("http", "ws") + f"/api/tables/{table}/socket"
        join = {"type": "join", "token": token, "browser": name.replace(" ", "-")}
        async with connect(address, max_size=1 << 22) as socket:
            await socket.send(json.dumps(join))
            done = (-1, -1)
            try:
                async for text in socket:
                    frame = json.loads(text)
                    if frame["type"] != "state":
                        continue
                    over = frame["phase"] == "over"
                    if over and frame["match"]["round_over"]:
                        return
                    if done == (frame["boards"], frame["at"]):
                        continue
                    if over or frame["mine"]:
                        done = (frame["boards"], frame["at"])
                        await asyncio.sleep(rng.uniform(0.1, 0.5))  # all have one address
                        await socket.send(json.dumps(choice(frame, rng)))
            except ConnectionClosed:
                return


def choice(frame: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Next board; open 1NT now and then; any legal card."""
    if frame["phase"] == "over":
        return {"type": "next"}
    if frame["phase"] == "auction":
        opens = "1NT" in frame["legal"] and len(frame["auction"]) < 4 and rng.random() < 0.5
        return {"type": "call", "call": "1NT" if opens else "Pass", "at": frame["at"]}
    return {"type": "card", "card": rng.choice(frame["legal"]), "at": frame["at"]}
