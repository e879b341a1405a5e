"""BEN's bidder, asked over HTTP (`engines.ben`).

    ben(url="http://127.0.0.1:8085")

Each call is one question to `/bid`: the seat's hand, dealer, vulnerability and the calls so far.
Its words for the call are the meaning. How to start BEN is in docs/howto/opponents.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from overtrick.engines import spelled
from overtrick.engines.ben import BenError, ask, checked, seen
from overtrick.engines.clock import now
from overtrick.game import Call, Decision, Meaning, View
from overtrick.game.errors import BridgeError, printable
from overtrick.systems import declared

_MOST_WORDS: Final = 200


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
        checked(self.url, self.seconds, self.anywhere)

    @property
    def name(self) -> str:
        return spelled("ben", self)

    @property
    def system(self) -> str:
        return declared(self.plays) or self.plays

    def bid(self, view: View) -> Decision:
        started = now()
        said = ask(self.url, "bid", seen(view), self.seconds, "bid")
        call = _call_in(said)
        words = printable(str(said.get("explanation") or "").strip(), _MOST_WORDS)
        alert = str(said.get("alert", "")).lower() == "true"
        return Decision(
            call, Meaning(words or "natural", alert=alert),
            why=f"BEN: {printable(str(said.get('who', '')), 40)}", seed=view.seed,
            milliseconds=1000 * (now() - started), engine=self.name,
        )  # fmt: skip


def _call_in(said: Mapping[str, Any]) -> Call:
    try:
        return Call.parse(str(said["bid"])[:8])
    except BridgeError:
        raise BenError(f"ben: {printable(str(said['bid']), 20)!r} is no call") from None
