"""Overtrick bids, plays, explains and analyses contract bridge.
The names below are the public library; everything is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__ = "0.1.0"

# Public name → where it lives. Lazy, so that `import overtrick` costs almost nothing.
_WHERE: Final = {
    **dict.fromkeys(
        (
            "Auction", "Board", "BridgeError", "Call", "Candidate", "Card", "Contract", "Deal",
            "Decision", "Hand", "Meaning", "PartialDeal", "Play", "Record", "Seat", "Side",
            "Strain", "Suit", "Systems", "View", "Vulnerability", "imps", "score", "view_of",
        ),
        "overtrick.game",
    ),
    **dict.fromkeys(("bid_board", "bidder", "check_bidder"), "overtrick.bidding"),
    **dict.fromkeys(("check_player", "play_board", "player"), "overtrick.cardplay"),
    **dict.fromkeys(("dump", "dumps", "load", "loads"), "overtrick.notation"),
    **dict.fromkeys(("play_table", "robot"), "overtrick.table"),
}  # fmt: skip
_MODULES: Final = {"dd": "overtrick.doubledummy"}
__all__ = ["__version__", *sorted({*_WHERE, *_MODULES})]

if TYPE_CHECKING:
    from overtrick import doubledummy as dd
    from overtrick.bidding import bid_board, bidder, check_bidder
    from overtrick.cardplay import check_player, play_board, player
    from overtrick.game import (
        Auction,
        Board,
        BridgeError,
        Call,
        Candidate,
        Card,
        Contract,
        Deal,
        Decision,
        Hand,
        Meaning,
        PartialDeal,
        Play,
        Record,
        Seat,
        Side,
        Strain,
        Suit,
        Systems,
        View,
        Vulnerability,
        imps,
        score,
        view_of,
    )
    from overtrick.notation import dump, dumps, load, loads
    from overtrick.table import play_table, robot


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        found = getattr(import_module(_WHERE[name]), name)
    elif name in _MODULES:
        found = import_module(_MODULES[name])
    else:
        raise AttributeError(f"module 'overtrick' has no attribute {name!r}")
    globals()[name] = found  # the next time it is simply there
    return found


def __dir__() -> list[str]:
    return list(__all__)
