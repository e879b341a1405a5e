"""BEN, Lorand Dali's and Thorvald Aagaard's robot, asked over HTTP as its `gameapi.py` answers.

    ben(url="http://127.0.0.1:8085")

BEN is a program of its own, which a user starts; nothing of it is here. Each call is one question
to `/bid`: the seat's hand, dealer, vulnerability and the calls so far. Its words for the call are
the meaning. How to start it is in docs/howto/opponents.md.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.game import Call, Decision, Meaning, OptionError, View
from overtrick.game.errors import BridgeError, printable
from overtrick.systems import declared

_MOST_ANSWER: Final = 1 << 20  # bytes
_MOST_WORDS: Final = 200
_TOO_MANY: Final = 429
_SEEN: Final = {0: "--", 1: "Db", 2: "Rd"}  # how it writes Pass, double, redouble


class BenError(BridgeError):
    """BEN is not there, or its answer is none."""


@dataclass(frozen=True, slots=True)
class Ben:
    """BEN's bidder at `url`; it may be silent for `seconds`. `plays` is the system of its
    configuration, which its opponents are told. `anywhere` lets it be on another machine, which
    then sees the hand."""

    url: str = "http://127.0.0.1:8085"
    plays: str = "two-over-one"
    seconds: float = 60.0
    anywhere: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.seconds, int | float) and 0 < self.seconds <= 3600):
            raise OptionError(f"ben: seconds are more than 0, at most 3600, not {self.seconds}")
        host = _host(self.url)
        if not self.anywhere and not _is_here(host):
            raise OptionError(
                f"ben: {host} is another machine, which would see the hands; "
                "add anywhere=True if that is meant"
            )

    @property
    def name(self) -> str:
        return spelled("ben", self)

    @property
    def system(self) -> str:
        return declared(self.plays) or self.plays

    def bid(self, view: View) -> Decision:
        started = now()
        said = self._asked(view)
        call = _call_in(said)
        words = printable(str(said.get("explanation") or "").strip(), _MOST_WORDS)
        alert = str(said.get("alert", "")).lower() == "true"
        return Decision(
            call, Meaning(words or "natural", alert=alert),
            why=f"BEN: {printable(str(said.get('who', '')), 40)}", seed=view.seed,
            milliseconds=1000 * (now() - started), engine=self.name,
        )  # fmt: skip

    def _asked(self, view: View) -> Mapping[str, Any]:
        """The answer to one question; whatever is wrong with it is one line."""
        given = {
            "hand": str(view.hand), "seat": view.seat.letter, "dealer": view.dealer.letter,
            "vul": ("None", "NS", "EW", "All")[int(view.vul)],
            "ctx": "".join(_SEEN.get(int(c), c.ascii[:2]) for c in view.auction.calls),
            "tournament": "mp" if view.scoring == "matchpoints" else "imps",
        }  # fmt: skip
        parts = urlsplit(self.url)
        made = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        line = made(_host(self.url), parts.port, timeout=self.seconds)
        try:
            line.request("GET", f"{parts.path.rstrip('/')}/bid?{urlencode(given)}")
            answer = line.getresponse()
            text = answer.read(_MOST_ANSWER + 1)
        except (OSError, http.client.HTTPException) as error:
            raise BenError(f"ben: nobody answers at {self.url}: {error}; is it started?") from None
        finally:
            line.close()
        if len(text) > _MOST_ANSWER:
            raise BenError(f"ben: an answer of more than {_MOST_ANSWER:,} bytes")
        if answer.status == _TOO_MANY:
            raise BenError("ben: it takes no more questions for now; start it with --nolimit true")
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict) or "bid" not in said:
            told = said.get("error", "") if isinstance(said, dict) else ""
            raise BenError(f"ben: no call in its answer ({answer.status}) {printable(str(told))}")
        return said


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


def _call_in(said: Mapping[str, Any]) -> Call:
    try:
        return Call.parse(str(said["bid"])[:8])
    except BridgeError:
        raise BenError(f"ben: {printable(str(said['bid']), 20)!r} is no call") from None
