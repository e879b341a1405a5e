"""Overtrick bids, plays, explains and analyses contract bridge.
The names below are the public library; everything is imported when it is first used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overtrick.lazily import lazily

__version__ = "0.2.0"
__all__ = [
    "Auction", "Board", "BridgeError", "Call", "Candidate", "Card", "Contract", "Deal", "Dealer",
    "Decision", "Hand", "Match", "Meaning", "Note", "PartialDeal", "Play", "Record", "Seat", "Side",
    "Simulation", "Strain", "Suit", "Systems", "Table", "View", "Vulnerability", "WrongType",
    "__version__", "bid_board", "bidder", "check_bidder", "check_player", "dd", "deals", "dump",
    "dumps", "imps", "lead", "load", "loads", "play_board", "play_match", "play_table", "player",
    "robot", "score", "simulate", "think", "view_of",
]  # fmt: skip

if TYPE_CHECKING:
    from overtrick import doubledummy as dd
    from overtrick.analysis import Simulation, lead, simulate, think
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
else:
    __getattr__ = lazily(
        __name__,
        {
            "overtrick.game": (
                "Auction", "Board", "BridgeError", "Call", "Candidate", "Card", "Contract", "Deal",
                "Decision", "Hand", "Meaning", "Note", "PartialDeal", "Play", "Record", "Seat",
                "Side", "Strain", "Suit", "Systems", "View", "Vulnerability", "WrongType", "imps",
                "score", "view_of",
            ),
            "overtrick.worlds": ("Dealer", "deals"),
            "overtrick.analysis": ("Simulation", "lead", "simulate", "think"),
            "overtrick.bidding": ("bid_board", "bidder", "check_bidder"),
            "overtrick.cardplay": ("check_player", "play_board", "player"),
            "overtrick.notation": ("dump", "dumps", "load", "loads"),
            "overtrick.table": ("play_table", "robot"),
            "overtrick.arena": ("Match", "play_match"),
            "overtrick.doubledummy": ("Table",),
        },
        {"dd": "overtrick.doubledummy"},
    )  # fmt: skip


def __dir__() -> list[str]:
    return list(__all__)
