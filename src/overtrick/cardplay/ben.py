"""BEN's card player, asked over HTTP (`engines.ben`).

    ben(url="http://127.0.0.1:8085")

The opening lead is one question to `/lead`, every later card one to `/play`: the seat's hand and
dummy's, the auction, and the cards in the order in which they were played. Where only one card is
allowed nothing is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from overtrick.engines import spelled
from overtrick.engines.ben import BenError, ask, checked, seen
from overtrick.engines.clock import now
from overtrick.game import Card, Decision, Meaning, View
from overtrick.game.errors import BridgeError, printable
from overtrick.game.reasons import Remark


@dataclass(frozen=True, slots=True)
class BenPlayer:
    """BEN's card player at `url`; it may be silent for `seconds`. `anywhere` lets it be on another
    machine, which then sees the hands."""

    url: str = "http://127.0.0.1:8085"
    seconds: float = 60.0
    anywhere: bool = False

    def __post_init__(self) -> None:
        checked(self.url, self.seconds, self.anywhere)

    @property
    def name(self) -> str:
        return spelled("ben", self)

    def play(self, view: View) -> Decision:
        started = now()
        legal = view.legal_cards().cards()
        if len(legal) == 1:
            only = Meaning("a card")
            return Decision(legal[0], only, reasons=(Remark.ONLY_LEGAL,), engine=self.name)
        assert view.play is not None
        given = seen(view)
        if view.play.cards:
            played = "".join(card.ascii for card in view.play.cards)
            given |= {"dummy": str(view.dummy), "played": played}
        question = "play" if view.play.cards else "lead"
        said = ask(self.url, question, given, self.seconds, "card")
        return Decision(
            _card_in(said), Meaning("a card"),
            why=f"BEN: {printable(str(said.get('who', '')), 40)}", seed=view.seed,
            milliseconds=1000 * (now() - started), engine=self.name,
        )  # fmt: skip


def _card_in(said: Mapping[str, Any]) -> Card:
    try:
        return Card.parse(str(said["card"])[:8])
    except BridgeError:
        raise BenError(f"ben: {printable(str(said['card']), 20)!r} is no card") from None
