"""What an engine thinks of a decision that a person has to make: thought once, kept in the log
beside the board, and read by the hint, the result and the review. Robots' own decisions are kept
in the board's events; nobody is shown an opinion of a hand he does not see."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from overtrick.engines.decided import decision_of, reason_of
from overtrick.game import Call, Card, Decision
from overtrick.web.deciding import Deciding
from overtrick.web.sentences import Sentence, of

KEPT_UNDER: Final = ".opinions"  # after a table's name: no table's own name has a dot


class Advice(msgspec.Struct, frozen=True):
    """A decision told in steps: a question first, then reasons, at last what would give the answer
    away; and in one sentence what the action does."""

    nudge: tuple[Sentence, ...]
    reasons: tuple[Sentence, ...]
    late: tuple[Sentence, ...]
    short: Sentence


class Opinion(msgspec.Struct, frozen=True, tag="opinion"):
    """The whole decision with its candidates, and what the coach says of it. `position` is the seed
    of what the seat sees, by which the same question is known again; `engine` and `version` make
    it again. `meanings` are what each call that was considered would tell."""

    position: int
    engine: str
    version: str
    decision: dict[str, Any]
    meanings: tuple[dict[str, Any] | None, ...]
    told: Advice
    deciding: Deciding | None = None  # for cards

    @property
    def found(self) -> Decision:
        """The decision as a value."""
        text = str(self.decision.get("action", ""))
        return decision_of(self.decision, Card if text[:1] in ("C", "D", "H", "S") else Call)


def said_of(row: dict[str, Any]) -> list[Sentence]:
    """The reasons of a kept decision or candidate, as sentences."""
    found = (reason_of(data) for data in row.get("reasons", ()))
    return [of(reason) for reason in found if reason is not None]
