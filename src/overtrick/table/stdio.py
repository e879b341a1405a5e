"""One of our engines driven by somebody else's program over JSON lines.
The same lines as our external engines speak."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from overtrick import __version__
from overtrick.engines.wire import PROTOCOL, Follower, Line, decode, encode
from overtrick.game import BridgeError, View
from overtrick.table.seats import Occupant, Robot

LOGGER = logging.getLogger(__name__)


def serve(occupant: Occupant, lines: Iterable[bytes], write: Callable[[bytes], Any]) -> None:
    """Answer lines until they end or say quit; a bad line is answered with an error line."""
    follower = Follower()
    for raw in lines:
        if not raw.strip():
            continue
        try:
            line = decode(raw)
            if line["type"] == "quit":
                return
            answer = _answer(occupant, follower, line)
        except BridgeError as error:
            answer = {"type": "error", "text": str(error)}
        if answer is not None:
            write(encode(answer))


def _answer(occupant: Occupant, follower: Follower, line: Line) -> Line | None:
    kind = line["type"]
    if kind == "hello":
        return {
            "type": "hello",
            "protocol": PROTOCOL,
            "name": occupant.name,
            **_parts(occupant),
            "system": occupant.system,
            "version": __version__,
        }
    if kind != "act":
        follower.follow(line)
        return None
    started = perf_counter()
    decision = _decide(occupant, follower.view())
    spent = round(1000 * (perf_counter() - started), 3)
    answer = {"type": "decision", **decision, "milliseconds": spent}
    return {**answer, "id": line["id"]} if "id" in line else answer


def _parts(occupant: Occupant) -> Line:
    if not isinstance(occupant, Robot):
        return {}
    return {"bidder": occupant.bidder.name, "player": occupant.player.name}


def _decide(occupant: Occupant, view: View) -> dict[str, Any]:
    """The whole Decision; what an engine throws becomes an error line, not the end."""
    try:
        decision = occupant.bid(view) if view.play is None else occupant.play(view)
    except BridgeError:
        raise
    except Exception as error:  # the other program must hear about it
        LOGGER.exception("%s failed", occupant.name)
        raise BridgeError(f"the engine failed: {type(error).__name__}: {error}") from None
    return decision.to_dict()
