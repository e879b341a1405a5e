"""A running application with quick engines, and helpers to sit down at its tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("starlette", reason="the web table needs the web extra")
pytest.importorskip("httpx", reason="starlette's test client needs httpx")

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from overtrick.arena.tournament import Tournament, play_tournament
from overtrick.web import Config, app
from overtrick.web.limits import Rates
from overtrick.web.robots import Patience

GENEROUS = Rates(per_second=1e6, burst=1e6, tables_per_client=10_000, sockets_per_client=10_000)
QUICK = {"bidder": "points", "player": "highest"}
SLAM = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
"""North has thirteen top tricks at notrump."""


@dataclass
class Seat:
    """One person's token at a table, over REST."""

    client: TestClient
    table: str
    seat: str
    token: str
    invitations: dict[str, str] = field(default_factory=dict)
    watching: bool = False
    browser: str = ""  # the key by which a page names itself; programs are told by their address

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **named(self.browser)}

    def see(self) -> dict[str, Any]:
        return self.client.get(f"/api/tables/{self.table}", headers=self.headers).json()

    def act(self, **message: Any) -> Any:
        return self.client.post(f"/api/tables/{self.table}/act", headers=self.headers, json=message)

    def hint(self, seconds: float = 120) -> Any:
        """Asked again while what other tests asked for fills the queue: they share a client."""
        end = time.monotonic() + seconds
        while (answer := self.act(type="hint")).status_code == 429 and time.monotonic() < end:
            time.sleep(0.1)
        return answer

    def wait(self, ready: Callable[[dict[str, Any]], bool], seconds: float = 120) -> dict[str, Any]:
        """Look until the table is as wanted."""
        end = time.monotonic() + seconds
        while True:
            state = self.see()
            if ready(state):
                return state
            assert time.monotonic() < end, json.dumps(state)[:500]
            time.sleep(0.03)  # asking is work too

    def my_turn(self) -> dict[str, Any]:
        return self.wait(lambda s: s["mine"] or s["phase"] == "over")

    def choose(self, state: dict[str, Any]) -> None:
        """Pass, or play the last legal card."""
        if state["phase"] == "auction":
            assert self.act(type="call", call="Pass", at=state["at"]).status_code == 200
        else:
            card = state["legal"][-1]
            assert self.act(type="card", card=card, at=state["at"]).status_code == 200

    def finish(self) -> dict[str, Any]:
        while True:
            state = self.my_turn()
            if state["phase"] == "over":
                return state
            self.choose(state)


def quick_config(log: Path | str, matches: str = "") -> Config:
    """One process that thinks; engines are loaded when they are asked, few of them are."""
    patience = Patience(grace=0, tempo=0)  # nobody here changes his mind
    return Config(log, 1, GENEROUS, matches, names=("testserver",), patience=patience, warm=False)


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    log = tmp_path_factory.mktemp("web") / "log.sqlite"
    config = quick_config(log)
    with TestClient(app(config), headers={"content-type": "application/json"}) as found:
        yield found


def plain(answer: Any) -> Any:
    """An answer as it is read by whoever gets it over the wire."""
    return msgspec.json.decode(msgspec.json.encode(answer))


def named(browser: str) -> dict[str, str]:
    return {"overtrick-browser": browser} if browser else {}


def sit(client: TestClient, browser: str = "", **wish: Any) -> Seat:
    """Open a table with quick engines."""
    body = {"ns": QUICK, "ew": QUICK, **wish}
    answer = client.post("/api/tables", json=body, headers=named(browser))
    assert answer.status_code == 201, answer.text
    return Seat(client, **answer.json(), browser=browser)


@pytest.fixture
def seat(client: TestClient) -> Seat:
    return sit(client, source={"type": "random", "number": 1, "seed": 7})


# ---------------------------------------------------------------- a real browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from tests.web.browsing import CHROMIUM, Server

    if not CHROMIUM:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    matches = tmp_path_factory.mktemp("results")
    field = ("points", "pass", "points+random")
    play_tournament(Tournament("round-robin", field, 4, method="play"), matches / "cup")
    found = Server(tmp_path_factory.mktemp("browser") / "log.sqlite", matches=matches, at_once=True)
    try:
        found.has_engines()
        yield found
    finally:
        found.stop()


@pytest.fixture(scope="module")
def chromium(server: Any) -> Iterator[Any]:
    """Closed after each module: while it is open its event loop runs in this thread, and tests of
    other modules, which a worker may take in between, could not run their own."""
    from tests.web.browsing import CHROMIUM, FLAGS, sync_api

    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Any, server: Any) -> Iterator[Any]:
    from tests.web.browsing import Window

    found = Window(chromium, server, viewport={"width": 1280, "height": 800})
    yield found
    found.close()
