"""A server of one's own to be attacked, with or without the host guide's nginx in front of it.
Used by `benchmarks.attack` and by the tests of that guide."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import ClientConnection, connect

# Quick robots: how long the strongest ones think is not what is measured here.
ROBOTS = {"bidder": "rules(system=two-over-one)", "player": "pimc(worlds=20)"}
TABLE = {"ns": ROBOTS, "ew": ROBOTS}
NAME = "bridge.example"
PAGE = Path(__file__).parents[1] / "docs" / "howto" / "host.md"
_JSON = {"Content-Type": "application/json"}
_LOOK = 0.01

# The server writes down when its loop was late: when, for how long, how much of it it worked.
_WATCHED = f"""
import asyncio, sys, time, uvicorn
places = open(sys.argv.pop(1), "a", buffering=1)
async def look():
    while True:
        began, worked = time.monotonic(), time.thread_time()
        await asyncio.sleep({_LOOK})
        late, own = time.monotonic() - began - {_LOOK}, time.thread_time() - worked
        if late > 0.02:
            print(time.monotonic(), late, min(late, own), file=places)
serve = uvicorn.Server.serve
async def watched(self, *args, **options):
    looking = asyncio.create_task(look())
    await serve(self, *args, **options)
    looking.cancel()
uvicorn.Server.serve = watched
from overtrick.cli import main
main()
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@cache
def trusting() -> ssl.SSLContext:
    """For the certificate that nginx gets here, which nobody has signed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass(frozen=True)
class Site:
    """Where a server is reached, from whichever of the loopback addresses."""

    port: int
    tls: bool = False

    @property
    def host(self) -> str:
        return NAME if self.tls else "127.0.0.1"

    def line(self, source: str, timeout: float = 10.0) -> socket.socket:
        """A connection on which anything can be sent."""
        where = ("127.0.0.1", self.port)
        raw = socket.create_connection(where, timeout, source_address=(source, 0))
        if not self.tls:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return raw
        try:
            return trusting().wrap_socket(raw, server_hostname=NAME)
        except BaseException:
            raw.close()
            raise

    def connection(self, source: str, timeout: float = 90.0) -> http.client.HTTPConnection:
        place = {"timeout": timeout, "source_address": (source, 0)}
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, context=trusting(), **place)
        return http.client.HTTPConnection("127.0.0.1", self.port, **place)

    def ask(
        self, source: str, path: str, body: Any = None, headers: Any = None, timeout: float = 90.0
    ) -> tuple[int, Any]:
        """One request; its status and answer."""
        line = self.connection(source, timeout)
        try:
            data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            given = {"Host": self.host, **_JSON, **(headers or {})}
            line.request("GET" if data is None else "POST", path, data, given)
            answer = line.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text[:1] in b"{[" else text
        finally:
            line.close()

    def window(self, source: str, ticket: dict[str, Any]) -> ClientConnection:
        """A window at a table that whoever opened it closes, or leaves to the server to close."""
        scheme, options = ("wss", {"ssl": trusting()}) if self.tls else ("ws", {})
        path = f"/api/tables/{ticket['table']}/socket"
        found = connect(
            f"{scheme}://{self.host}:{self.port}{path}", sock=self._plain(source),
            max_queue=1, ping_interval=None, server_hostname=NAME if self.tls else None, **options,
        ).__enter__()  # fmt: skip
        found.send(json.dumps({"type": "join", "token": ticket["token"]}))
        return found

    def _plain(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 20, source_address=(source, 0))

    def table(self, address: str, **wish: Any) -> dict[str, Any]:
        status, ticket = self.ask(address, "/api/tables", {**TABLE, **wish}, timeout=30)
        if status != 201:
            raise ConnectionError(f"{status} {ticket}")
        return dict(ticket)


class Server:
    """`overtrick serve` as a program of its own, on a free port, with its log in a new folder."""

    def __init__(self, *options: str) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="overtrick-attack-"))
        self.errors, self.late = self.folder / "errors.txt", self.folder / "late.txt"
        self.process = subprocess.Popen(
            [sys.executable, "-c", _WATCHED, str(self.late), "serve", "--port", str(self.port),
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

    @property
    def site(self) -> Site:
        return Site(self.port)

    def megabytes(self) -> float:
        """Memory of the server alone, without the processes that think."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def seconds(self) -> float:
        """Processor time of the server alone."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def blocked(self, since: float) -> tuple[float, float]:
        """The longest time the loop was late since then, and the longest it worked meanwhile."""
        lines = [line.split() for line in self.late.read_text().splitlines()]
        rows = [(float(r[1]), float(r[2])) for r in lines if len(r) == 3 and float(r[0]) > since]
        return max((r[0] for r in rows), default=0.0), max((r[1] for r in rows), default=0.0)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        self.process.kill()


class Nginx:
    """nginx with the configuration of docs/howto/host.md, taken from the page, before a server."""

    def __init__(self, server: Server) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="overtrick-nginx-"))
        self.folder.chmod(0o755)
        self.https, self.http = free_port(), free_port()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
             "-keyout", self.folder / "privkey.pem", "-out", self.folder / "fullchain.pem"],
            check=True, capture_output=True,
        )  # fmt: skip
        settings = self.folder / "nginx.conf"
        settings.write_text(self._settings(server.port))
        command = [shutil.which("nginx") or "nginx", "-p", str(self.folder), "-c", str(settings)]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        if checked.returncode:
            raise SystemExit(checked.stderr)
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with contextlib.suppress(OSError):
                self.site.ask("127.0.0.1", "/api/engines")
                return
            time.sleep(0.1)
        raise SystemExit("nginx did not start")

    def _settings(self, port: int) -> str:
        page = PAGE.read_text(encoding="utf-8")
        found, above = re.findall(r"```nginx\n(.*?)```", page, re.DOTALL)
        text = found.replace(f"/etc/letsencrypt/live/{NAME}", str(self.folder))
        text = re.sub(r"listen \[::\].*\n", "", text)
        text = text.replace("listen 443", f"listen 127.0.0.1:{self.https}")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.http};")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
        places = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        return (
            f"daemon off;\npid {self.folder}/pid;\nerror_log {self.folder}/errors.txt;\n"
            f"{above}http {{\naccess_log off;\n{places}{text}\n}}\n"
        )

    @property
    def site(self) -> Site:
        return Site(self.https, tls=True)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)
