"""The game of bridge as frozen values: cards, hands, deals, calls, auctions, play, scores, views.
Every other room imports from here; this room imports nothing but the standard library."""

from overtrick.game.auction import Auction
from overtrick.game.board import Board, dealer_of, vulnerability_of
from overtrick.game.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call
from overtrick.game.cards import DECK, SUIT_WORDS, Card, Strain, Suit
from overtrick.game.contract import Contract
from overtrick.game.deal import Deal, PartialDeal
from overtrick.game.errors import (
    BridgeError,
    ContractError,
    DealError,
    HandError,
    IllegalCall,
    IllegalPlay,
    OptionError,
    ParseError,
    WrongType,
)
from overtrick.game.hand import Hand
from overtrick.game.handrecord import Analysis, Par, ParContract
from overtrick.game.meaning import Action, Candidate, Decision, Forcing, Meaning, SpeechAct
from overtrick.game.play import Play, Trick
from overtrick.game.record import Note, Record
from overtrick.game.scoring import imps, matchpoints, points, score, victory_points
from overtrick.game.seats import Seat, Side, Vulnerability
from overtrick.game.view import Systems, View, view_of

__all__ = [
    "CALLS",
    "DECK",
    "DOUBLE",
    "PASS",
    "REDOUBLE",
    "SUIT_WORDS",
    "Action",
    "Analysis",
    "Auction",
    "Board",
    "BridgeError",
    "Call",
    "Candidate",
    "Card",
    "Contract",
    "ContractError",
    "Deal",
    "DealError",
    "Decision",
    "Forcing",
    "Hand",
    "HandError",
    "IllegalCall",
    "IllegalPlay",
    "Meaning",
    "Note",
    "OptionError",
    "Par",
    "ParContract",
    "ParseError",
    "PartialDeal",
    "Play",
    "Record",
    "Seat",
    "Side",
    "SpeechAct",
    "Strain",
    "Suit",
    "Systems",
    "Trick",
    "View",
    "Vulnerability",
    "WrongType",
    "dealer_of",
    "imps",
    "matchpoints",
    "points",
    "score",
    "victory_points",
    "view_of",
    "vulnerability_of",
]  # fmt: skip
