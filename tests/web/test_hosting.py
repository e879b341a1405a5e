"""The nginx configuration of docs/howto/host.md, taken from the page and tried with the real
program: TLS, sockets, forged addresses, half-sent requests, and a whole club behind one address."""

from __future__ import annotations

import asyncio
import http.client
import json
import shutil
import socket
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from benchmarks.attack_site import NAME, TABLE, Nginx, Server, trusting
from overtrick.web.limits import Rates

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("nginx"), reason="needs nginx (apt-get install nginx)"),
    pytest.mark.skipif(not shutil.which("openssl"), reason="makes its certificate with openssl"),
]
CLUB = 64


@dataclass(frozen=True)
class Site:
    """Overtrick behind nginx."""

    server: Server
    https: int
    http: int

    def connect(self, source: str) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(
            "127.0.0.1", self.https, timeout=60, source_address=(source, 0), context=trusting()
        )

    def ask(
        self, path: str, body: Any = None, source: str = "127.0.0.1", **headers: str
    ) -> tuple[int, bytes, Any]:
        line = self.connect(source)
        try:
            return asked(line, path, body, headers)
        finally:
            line.close()


def asked(
    line: http.client.HTTPSConnection, path: str, body: Any, headers: dict[str, str]
) -> tuple[int, bytes, Any]:
    data = None if body is None else json.dumps(body)
    given = {"Host": NAME, "Content-Type": "application/json", **headers}
    line.request("GET" if data is None else "POST", path, data, given)
    answer = line.getresponse()
    return answer.status, answer.read(), answer.headers


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    server = Server("--name", NAME, "--proxy", "127.0.0.1")
    nginx = Nginx(server)
    yield Site(server, nginx.https, nginx.http)
    nginx.stop()
    server.stop()


def test_pages_and_answers_come_over_tls(site: Site) -> None:
    status, page, headers = site.ask("/")
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
    assert b"Overtrick" in page
    assert json.loads(site.ask("/api/health")[1])["ok"]
    assert site.ask("/api/tables", TABLE, Origin=f"https://{NAME}")[0] == 201


def test_without_tls_one_is_sent_to_it(site: Site) -> None:
    line = http.client.HTTPConnection("127.0.0.1", site.http, timeout=10)
    line.request("GET", "/review", headers={"Host": NAME})
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, f"https://{NAME}/review")
    line.close()


def test_other_sites_and_other_names_are_refused(site: Site) -> None:
    assert site.ask("/api/tables", TABLE, Origin="https://elsewhere.example")[0] == 403
    assert site.ask("/api/health", Host="elsewhere.example")[0] == 421


def test_nobody_chooses_the_address_he_is_counted_under(site: Site) -> None:
    """One client with ever new forged addresses is one client, and the next has his share."""
    line = site.connect("127.0.0.77")
    seen: Counter[int] = Counter()
    for i in range(int(2 * Rates().burst)):
        forged = {"X-Forwarded-For": f"10.0.{i >> 8}.{i & 255}", "Forwarded": f"for=10.1.1.{i}"}
        line.request("GET", "/api/health", headers={"Host": NAME, **forged})
        answer = line.getresponse()
        answer.read()
        seen[answer.status] += 1
    line.close()
    assert seen[429] > 0
    assert site.ask("/api/health", source="127.0.0.78")[0] == 200


def test_a_body_that_is_too_long_stops_at_the_proxy(site: Site) -> None:
    assert site.ask("/api/review/read", {"text": "x" * (5 << 20)})[0] == 413


def test_a_half_sent_request_ends(site: Site) -> None:
    raw = socket.create_connection(("127.0.0.1", site.https), 300)
    with trusting().wrap_socket(raw, server_hostname=NAME) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: bridge")
        try:
            answer = line.recv(100)  # where nobody hangs up, this is an error
        except ConnectionError:
            answer = b""
        assert b"200" not in answer


# ---------------------------------------------------------------- a club behind one address


def loaded(site: Site, met: Counter[str]) -> dict[str, Any]:
    """What a browser does until somebody has a table: the page, its files, a few questions."""
    line = site.connect("127.0.0.1")
    try:
        for path in ("/", "/static/app.js", "/static/style.css", "/static/de.json",
                     "/api/engines", "/api/here", "/api/contests/daily"):  # fmt: skip
            status, _, _ = asked(line, path, None, {})
            met[f"{path} {status}"] += status != 200
        status, body, _ = asked(line, "/api/tables", TABLE, {})
        assert status == 201, body
        ticket: dict[str, Any] = json.loads(body)
        return ticket
    finally:
        line.close()


async def arrives(site: Site, door: asyncio.Semaphore, club: asyncio.Barrier, met: Any) -> None:
    """Somebody opens the page, sits down, makes a call and stays until all have done so. A few at
    a time come through the `door`: all of the club are one process here, which has to be in time
    for every greeting."""
    async with door:
        ticket = await asyncio.to_thread(loaded, site, met)
        window = await _window(site, ticket)
    async with window:
        await window.send(json.dumps({"type": "join", "token": ticket["token"]}))
        called = False
        async with asyncio.timeout(120):
            while True:
                state = json.loads(await window.recv())
                if state["type"] != "state":
                    met[f"{state}"[:80]] += 1
                elif state["mine"] and not called:
                    called = True
                    said = {"type": "call", "call": "Pass", "at": state["at"]}
                    await window.send(json.dumps(said))
                elif called and (state["mine"] or state["phase"] == "over"):
                    break
        met["playing"] += 1
        async with asyncio.timeout(240):
            await club.wait()  # all windows are open now
        met["together"] += 1


async def _window(site: Site, ticket: dict[str, Any]) -> ClientConnection:
    host = f"{NAME}:{site.https}"
    return await connect(
        f"wss://{host}/api/tables/{ticket['table']}/socket", host="127.0.0.1", port=site.https,
        origin=Origin(f"https://{host}"), ssl=trusting(), open_timeout=60,
    )  # fmt: skip


def test_a_club_behind_one_address(site: Site) -> None:
    """Everybody of a full club plays at the same time, and all are seen as one client."""
    met: Counter[str] = Counter()

    async def evening() -> None:
        door, club = asyncio.Semaphore(8), asyncio.Barrier(CLUB)
        await asyncio.gather(*(arrives(site, door, club, met) for _ in range(CLUB)))

    asyncio.run(evening())
    assert +met == {"playing": CLUB, "together": CLUB}


def test_half_sent_requests_lock_nobody_out(site: Site) -> None:
    lines = []
    for i in range(2000):
        raw = socket.create_connection(
            ("127.0.0.1", site.https), 10, source_address=("127.0.0.88", 0)
        )
        lines.append(raw)
        raw.sendall(b"\x16\x03\x01")  # the beginning of TLS, and nothing more
        if i % 400 == 0:
            assert site.ask("/api/health", source="127.0.0.2")[0] == 200
    assert site.ask("/api/health", source="127.0.0.2")[0] == 200
    for raw in lines:
        raw.close()
