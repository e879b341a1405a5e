"""A server, a browser and its windows, for the tests that look at the page and for measuring it.
Used by the browser tests through fixtures, and by `tests.web.measure`."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")

CHROMIUM = next(
    (p for p in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(p).exists()), ""
)
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
PATIENCE = 120.0  # seconds; nothing here measures time, and the machine may be busy
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
LIN = (
    "pn|a,b,c,d|st||md|3SAKQ2HAK3DAK2CA32,SJT98HQJTDQJTCQJT,S7654H654D654C654,|sv|o|ah|Board 1|"
    "mb|p|mb|p|mb|3N|mb|p|mb|p|mb|p|pc|SJ|pc|S4|pc|S3|pc|SA|pc|C2|pc|CT|pc|C4|pc|C7|"
)
PLAYED = LIN.split("pc|")[0] + "pc|SJ|pc|S4|pc|S3|pc|SA|pc|SK|pc|S8|pc|S5|pc|H2|mc|8|"

SLAM = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"


_SERVE = "from overtrick.cli import main; main()"
# The beats at which robots answer are half of the time of a board; they have tests of their own.
_AT_ONCE = """
from functools import partial
from overtrick.web import application, robots
application.Config = partial(application.Config, patience=robots.Patience(tempo=0))
"""


class Server:
    """`overtrick serve` as a program of its own, so that it can be killed."""

    def __init__(
        self,
        log: Path,
        errors: Path | None = None,
        matches: Path | None = None,
        at_once: bool = False,
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log, self.errors, self.matches = log, errors, matches
        self.run = (_AT_ONCE if at_once else "") + _SERVE
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        arguments = ["serve", "--port", str(self.port), "--log", str(self.log)]
        arguments += [] if self.matches is None else ["--matches", str(self.matches)]
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.run, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=None if self.errors is None else self.errors.open("ab"),
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        for _ in range(1200):  # a busy machine takes its time
            try:
                urlopen(self.address + "/api/health", timeout=5).read()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def has_engines(self, seconds: float = 300) -> None:
        """Until the engines are made; a busy machine may need several attempts."""
        end = time.monotonic() + seconds
        while True:
            try:
                urlopen(self.address + "/api/engines", timeout=60).read()
                return
            except OSError:  # HTTPError and timeouts are among them
                if time.monotonic() > end:
                    raise

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


class Window:
    """A browser of one person; every frame it receives is kept."""

    def __init__(self, chromium: Any, server: Server, **options: Any) -> None:
        # Cards that fly are half of a browser's work; what moves has tests of its own.
        self.context = chromium.new_context(**{"reduced_motion": "reduce", **options})
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self.server = server
        self.frames: list[str] = []
        self.problems: list[str] = []
        self.page.on("websocket", lambda ws: ws.on("framereceived", self._frame))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.add_init_script(
            "localStorage.getItem('overtrick.prefs') ??"
            " localStorage.setItem('overtrick.prefs', JSON.stringify({pace: 'quick'}))"
        )

    def _frame(self, payload: Any) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())

    def go(self, path: str) -> Any:
        self.page.goto(self.server.address + path)
        return self.page

    def sit(self, **wish: Any) -> dict[str, Any]:
        """Open a table as the start page does, with a wish of our own."""
        answer = self.context.request.post(self.server.address + "/api/tables", data=wish)
        ticket: dict[str, Any] = answer.json()
        self.sit_with(ticket)
        return ticket

    def sit_with(self, ticket: dict[str, Any]) -> None:
        """The table of a ticket, perhaps in another window of the same person."""
        kept = json.dumps(json.dumps([{**ticket, "at": 1}]))
        self.page.add_init_script(
            f"if (!localStorage.getItem('overtrick.tickets')?.includes('{ticket['table']}'))"
            f" localStorage.setItem('overtrick.tickets', {kept})"
        )
        self.go(f"/table/{ticket['table']}")
        self.ready()

    def ready(self, seconds: float = PATIENCE) -> None:
        """Until it is our turn or the board is over."""
        self.page.wait_for_selector(
            "main.table.mine, main.phase-over", timeout=1000 * seconds, state="attached"
        )

    @property
    def phase(self) -> str:
        found = self.page.get_attribute("main.table", "class") or ""
        return re.search(r"phase-(\w+)", found)[1]  # type: ignore[index]

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return self.page.eval_on_selector_all(
                ".box .bid[data-call]:not([aria-disabled])", "xs => xs.map(x => x.dataset.call)"
            )
        return self.page.eval_on_selector_all(
            "button.card:not([aria-disabled])", "xs => xs.map(x => x.dataset.card)"
        )

    def at(self) -> int:
        state = next(json.loads(f) for f in reversed(self.frames) if '"state"' in f[:20])
        return int(state["at"])

    def moved(self, before: int, seconds: float = PATIENCE) -> bool:
        """Has something been called or played since then, and is it our turn again?"""
        end = time.monotonic() + seconds
        while self.at() == before:
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(10)
        self.ready()
        return True

    def go_on(self, call: str = "p", which: int = -1) -> None:
        """One call or card by keyboard; asked again when robots moved meanwhile."""
        before = self.at()
        while not self.moved(before, 0.0):
            if self.phase == "over":
                return
            legal = self.legal()
            if self.phase == "auction" or legal:
                self.page.keyboard.type(call if self.phase == "auction" else legal[which].lower())
            if self.moved(before, 2.0):
                return
            self.page.keyboard.press("Escape")

    def until(self, done: Callable[[Any], bool], seconds: float = PATIENCE) -> None:
        """Ask again and again; the page's policy allows no function strings inside it."""
        end = time.monotonic() + seconds
        while not done(self.page):
            assert time.monotonic() < end, self.page.inner_text("body")[:300]
            self.page.wait_for_timeout(30)

    def without(self, *asked: str) -> None:
        """What a page asks for beside what a test looks at is never answered, nor worked out."""
        for path in asked:
            self.page.route(f"**/api/review/{path}", lambda route: None)

    def close(self) -> None:
        self.context.close()
        assert not self.problems


def board(seed: int) -> dict[str, Any]:
    return {"source": {"type": "random", "number": 3, "seed": seed}}


QUICK = {"bidder": "points", "player": "highest"}


def quick(seed: int, **wish: Any) -> dict[str, Any]:
    """A board with robots that do not think."""
    return {**board(seed), "ns": QUICK, "ew": QUICK, **wish}
