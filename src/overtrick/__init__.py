"""Overtrick bids, plays, explains and analyses contract bridge.
The names below are the public library; everything is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

__version__ = "0.2.0"
__all__ = [
    "Auction", "Board", "BridgeError", "Call", "Candidate", "Card", "Contract", "Deal", "Dealer",
    "Decision", "Hand", "Match", "Meaning", "Note", "PartialDeal", "Play", "Record", "Seat", "Side",
    "Simulation", "Strain", "Suit", "Systems", "Table", "View", "Vulnerability", "WrongType",
    "__version__", "bid_board", "bidder", "check_bidder", "check_player", "dd", "deals", "dump",
    "dumps", "imps", "lead", "load", "loads", "play_board", "play_match", "play_table", "player",
    "robot", "score", "simulate", "view_of",
]  # fmt: skip

# Public name → where it lives. Lazy, so that `import overtrick` costs almost nothing.
_WHERE: Final = {
    **dict.fromkeys(
        (
            "Auction", "Board", "BridgeError", "Call", "Candidate", "Card", "Contract", "Deal",
            "Decision", "Hand", "Meaning", "Note", "PartialDeal", "Play", "Record", "Seat", "Side",
            "Strain", "Suit", "Systems", "View", "Vulnerability", "WrongType", "imps", "score",
            "view_of",
        ),
        "overtrick.game",
    ),
    **dict.fromkeys(("Dealer", "deals"), "overtrick.worlds"),
    **dict.fromkeys(("Simulation", "lead", "simulate"), "overtrick.analysis"),
    **dict.fromkeys(("bid_board", "bidder", "check_bidder"), "overtrick.bidding"),
    **dict.fromkeys(("check_player", "play_board", "player"), "overtrick.cardplay"),
    **dict.fromkeys(("dump", "dumps", "load", "loads"), "overtrick.notation"),
    **dict.fromkeys(("play_table", "robot"), "overtrick.table"),
    **dict.fromkeys(("Match", "play_match"), "overtrick.arena"),
    "Table": "overtrick.doubledummy",
}  # fmt: skip
_MODULES: Final = {"dd": "overtrick.doubledummy"}

if TYPE_CHECKING:
    from overtrick import doubledummy as dd
    from overtrick.analysis import Simulation, lead, simulate
    from overtrick.arena import Match, play_match
    from overtrick.bidding import bid_board, bidder, check_bidder
    from overtrick.cardplay import check_player, play_board, player
    from overtrick.doubledummy import Table
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
        Note,
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
        WrongType,
        imps,
        score,
        view_of,
    )
    from overtrick.notation import dump, dumps, load, loads
    from overtrick.table import play_table, robot
    from overtrick.worlds import Dealer, deals


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
