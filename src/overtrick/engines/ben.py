"""What BEN, Lorand Dali's and Thorvald Aagaard's robot, is asked over HTTP, as its `gameapi.py`
answers. BEN is a program of its own, which a user starts; nothing of it is here."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from ipaddress import ip_address
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from overtrick.game import OptionError, View
from overtrick.game.errors import BridgeError, printable

_MOST_ANSWER: Final = 1 << 20  # bytes
_TOO_MANY: Final = 429
_PAUSE: Final = 1.0  # seconds
_SEEN: Final = {0: "--", 1: "Db", 2: "Rd"}  # how it writes Pass, double, redouble


class BenError(BridgeError):
    """BEN is not there, or its answer is none."""


def checked(url: str, seconds: float, anywhere: bool) -> None:
    """Raise where an address or a patience makes no sense, or hands would leave this machine."""
    if not (isinstance(seconds, int | float) and 0 < seconds <= 3600):
        raise OptionError(f"ben: seconds are more than 0, at most 3600, not {seconds}")
    host = _host(url)
    if not anywhere and not _is_here(host):
        raise OptionError(
            f"ben: {host} is another machine, which would see the hands; "
            "add anywhere=True if that is meant"
        )


def seen(view: View) -> dict[str, str]:
    """What it has to know of a seat for any question: hand, dealer, vulnerability, calls."""
    return {
        "hand": str(view.hand), "seat": view.seat.letter, "dealer": view.dealer.letter,
        "vul": ("None", "NS", "EW", "All")[int(view.vul)],
        "ctx": "".join(_SEEN.get(int(c), c.ascii[:2]) for c in view.auction.calls),
        "tournament": "mp" if view.scoring == "matchpoints" else "imps",
    }  # fmt: skip


def ask(
    url: str, question: str, given: Mapping[str, str], seconds: float, wanted: str
) -> Mapping[str, Any]:
    """The answer to one question, with what is `wanted` in it; whatever is wrong with it is one
    line. It takes so many questions a minute: where there were more, we wait our turn."""
    until = monotonic() + seconds
    while True:
        status, text = _asked(url, question, given, seconds)
        if status != _TOO_MANY or monotonic() + _PAUSE > until:
            break
        sleep(_PAUSE)
    if status == _TOO_MANY:
        raise BenError(f"ben: it takes no more questions for {seconds:g} seconds")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or wanted not in said:
        told = said.get("error") or said.get("message") if isinstance(said, dict) else None
        kind = "call" if wanted == "bid" else wanted
        why = f"({status}) {printable(str(told or ''))}".rstrip()
        raise BenError(f"ben: no {kind} in its answer {why}")
    return said


def _asked(url: str, question: str, given: Mapping[str, str], seconds: float) -> tuple[int, bytes]:
    """Its status and its words."""
    parts = urlsplit(url)
    made = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    line = made(_host(url), parts.port, timeout=seconds)
    try:
        line.request("GET", f"{parts.path.rstrip('/')}/{question}?{urlencode(given)}")
        answer = line.getresponse()
        text = answer.read(_MOST_ANSWER + 1)
    except (OSError, http.client.HTTPException) as error:
        raise BenError(f"ben: nobody answers at {url}: {error}; is it started?") from None
    finally:
        line.close()
    if len(text) > _MOST_ANSWER:
        raise BenError(f"ben: an answer of more than {_MOST_ANSWER:,} bytes")
    return answer.status, text


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.scheme in ("http", "https") and parts.port != 0 else ""
    except ValueError:
        host = ""
    if not host:
        raise OptionError(f"ben: {printable(url)!r} is no address like http://127.0.0.1:8085")
    return host


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
