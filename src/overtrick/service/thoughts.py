"""A thought as plain data: the same answer for HTTP, for language models and for files."""

from __future__ import annotations

from typing import Final

import msgspec

from overtrick.analysis import Inquiry, decided
from overtrick.game import BridgeError, Decision
from overtrick.service.replies import Considered, ShownByCall, ThinkIn, ThoughtReply

_LONGEST: Final = 2400  # characters of an auction, or of a play


def thought(asked: ThinkIn) -> ThoughtReply:
    """The robot's answer to one question; what is wrong with it is a BridgeError in one line.

    >>> found = thought(ThinkIn(hand="AQ3.KJ4.QJ52.K82", engine="rules"))
    >>> found.action, found.cut
    ('1NT', False)
    """
    if len(asked.auction) > _LONGEST or len(asked.played) > _LONGEST:
        raise BridgeError(f"a question has at most {_LONGEST} characters of auction and play")
    inquiry = Inquiry(**msgspec.structs.asdict(asked))
    return reply_of(decided(inquiry), inquiry.note)


def reply_of(decision: Decision, note: str = "") -> ThoughtReply:
    """A decision as it is told."""
    plain = decision.to_dict()
    return ThoughtReply(
        action=plain["action"],
        meaning=msgspec.convert(plain["meaning"], ShownByCall),
        candidates=[
            Considered(
                action=c.action.ascii,
                value=c.value,
                error=c.error,
                note=c.note,
                chance=c.details.get("chance"),
                tricks=c.details.get("tricks"),
            )
            for c in decision.candidates
        ],
        why=decision.why,
        worlds=decision.worlds,
        seed=decision.seed,
        milliseconds=plain["milliseconds"],
        engine=decision.engine,
        cut=decision.cut,
        note=note,
    )
