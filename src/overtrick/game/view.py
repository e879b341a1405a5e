"""A View: exactly what one seat may lawfully know when it has to act.
Every engine gets one and nothing else; the table and the match runner build them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal

from overtrick.game.auction import Auction
from overtrick.game.board import Board
from overtrick.game.cards import ALL_CARDS
from overtrick.game.contract import Contract
from overtrick.game.errors import BridgeError, WrongType
from overtrick.game.hand import Hand
from overtrick.game.meaning import Action, Meaning
from overtrick.game.play import Play
from overtrick.game.seats import Seat, Vulnerability

Scoring = Literal["imps", "matchpoints"]


@dataclass(frozen=True, slots=True)
class Systems:
    """What each side has declared to play, by name; '' when nothing was declared.

    >>> Systems("sayc", "acol").theirs
    'acol'
    """

    ours: str = ""
    theirs: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """What `seat` sees. `hand` and `dummy` are the original thirteen cards.

    `meanings[i]` is what the maker of call i disclosed to this seat: opponents' explanations,
    never partner's (partner's calls are read through the agreed system). Views are made by
    `view_of` and by tables, or for a hand alone:

    >>> view = View("S", "AK3.QJ2.T98.7654", "P 1NT", "None")
    >>> view.turn, view.hand.hcp, len(view.unseen)
    (Seat.SOUTH, 10, 39)
    """

    seat: Seat
    hand: Hand
    auction: Auction
    vul: Vulnerability
    number: int = 1
    scoring: Scoring = "imps"
    systems: Systems = Systems()
    meanings: tuple[Meaning | None, ...] = ()
    play: Play | None = None
    dummy: Hand | None = None
    table_seed: int = 0

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self,
            seat: Seat | str,
            hand: Hand | str,
            auction: Auction | str,
            vul: Vulnerability | str,
            number: int = 1,
            scoring: Scoring = "imps",
            systems: Systems = Systems(),
            meanings: tuple[Meaning | None, ...] = (),
            play: Play | None = None,
            dummy: Hand | None = None,
            table_seed: int = 0,
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.seat) is not Seat:
            object.__setattr__(self, "seat", Seat(self.seat))
        if type(self.vul) is not Vulnerability:
            object.__setattr__(self, "vul", Vulnerability(self.vul))
        hand: object = self.hand
        auction: object = self.auction
        if isinstance(hand, str):
            object.__setattr__(self, "hand", Hand(hand))
        if isinstance(auction, str):
            object.__setattr__(self, "auction", Auction.parse(auction))
        if not isinstance(self.hand, Hand):
            raise WrongType("a hand", "text like 'AK3.QJ2.T98.7654'", hand)
        if len(self.hand) != 13:
            raise BridgeError(f"a view shows 13 cards of its own, not {len(self.hand)}")
        if self.dummy is not None and len(self.dummy) != 13:
            raise BridgeError(f"dummy has 13 cards, not {len(self.dummy)}")
        if self.play is not None and self.auction.contract is None:
            raise BridgeError("there is no play without a contract")

    def untold(self) -> View:
        """The same seat when opponents neither declare a system nor explain a call."""
        return replace(self, systems=Systems(self.systems.ours), meanings=())

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.auction.dealer

    @property
    def we_are_vulnerable(self) -> bool:
        """Is the seat's own side vulnerable?"""
        return self.vul.of(self.seat)

    @property
    def they_are_vulnerable(self) -> bool:
        """Are the opponents vulnerable?"""
        return self.vul.of(self.seat.lho)

    @property
    def contract(self) -> Contract | None:
        """The contract as it stands; None when nobody has bid."""
        return self.auction.contract

    @property
    def turn(self) -> Seat:
        """Whose call or card is next."""
        return self.auction.turn if self.play is None else self.play.turn

    @property
    def known(self) -> dict[Seat, Hand]:
        """Original hands this seat sees in full: its own, and dummy's once it is down."""
        out = {self.seat: self.hand}
        if self.dummy is not None and self.play is not None:
            out[self.play.dummy] = self.dummy
        return out

    @property
    def unseen(self) -> Hand:
        """Cards this seat has never seen: not its own, not dummy's, not played."""
        seen = self.hand.bits | (self.dummy.bits if self.dummy is not None else 0)
        if self.play is not None:
            seen |= self.play.played.bits
        return Hand(ALL_CARDS & ~seen)

    def legal_cards(self) -> Hand:
        """What may be played now from the hand whose turn it is (own or dummy)."""
        if self.play is None:
            raise BridgeError("the auction is not over")
        hand = self.known.get(self.play.turn)
        if hand is None:
            raise BridgeError(f"{self.seat} does not see the cards of {self.play.turn}")
        return self.play.legal_cards(hand)

    def why_illegal(self, action: Action) -> str | None:
        """None when this call or card may be made now, else the reason in words."""
        if self.play is None:
            return self.auction.why_illegal(action)
        hand = self.known.get(self.play.turn)
        if hand is None:
            return f"{self.seat} does not see the cards of {self.play.turn}"
        return self.play.why_illegal(action, hand)

    @property
    def seed(self) -> int:
        """A seed made from all this seat knows, so that the same situation is met the same way."""
        play = bytes(self.play.cards) if self.play is not None else b""
        parts = (
            (self.table_seed & (1 << 64) - 1).to_bytes(8, "little"),
            self.hand.bits.to_bytes(7, "little"),
            (self.dummy.bits if self.dummy is not None else 0).to_bytes(7, "little"),
            bytes([self.seat, self.dealer, self.vul]),
            bytes(self.auction.calls),
            b"|",
            play,
        )
        digest = blake2b(b"".join(parts), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> 1


def view_of(
    board: Board,
    auction: Auction | str = "",
    play: Play | None = None,
    *,
    seat: Seat | str | None = None,
    systems: Systems = Systems(),
    meanings: tuple[Meaning | None, ...] = (),
    scoring: Scoring = "imps",
    table_seed: int = 0,
) -> View:
    """The view of `seat` (default: whoever has to act) at a point of a board.

    `meanings` are all explanations so far; partner's and one's own are held back here.

    >>> board = Board.random(2, seed=1)
    >>> view = view_of(board, "P 1NT")
    >>> view.seat, view.hand == board.deal[view.seat], len(view.unseen), view.we_are_vulnerable
    (Seat.WEST, True, 39, False)
    """
    if not isinstance(board, Board):
        raise WrongType("a board", "a Board, as Board.random(1) makes one", board)
    auction = Auction.parse(auction, board.dealer) if isinstance(auction, str) else auction
    seat = None if seat is None else Seat(seat)
    if seat is None:
        seat = auction.turn if play is None else play.controller
    disclosed = tuple(
        m if auction.seat_of(i).side != seat.side else None for i, m in enumerate(meanings)
    )
    dummy: Hand | None = None
    if play is not None and len(play.cards) > 0:
        dummy = board.deal[play.dummy]
    return View(
        seat=seat,
        hand=board.deal[seat],
        auction=auction,
        vul=board.vul,
        number=board.number,
        scoring=scoring,
        systems=systems,
        meanings=disclosed,
        play=play,
        dummy=dummy,
        table_seed=table_seed,
    )
