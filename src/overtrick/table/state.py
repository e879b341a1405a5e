"""A table in the middle of a board, as a value: what has happened, who acts, what each seat sees.
The loop, the Table Manager and the web server all move it forward with `after`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Contract,
    Decision,
    Meaning,
    Note,
    Play,
    Record,
    Seat,
    Systems,
    View,
    score,
    view_of,
)
from overtrick.game.view import Scoring
from overtrick.table.director import Ruling

Phase = Literal["auction", "play", "over"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One action at the table: who acted, the whole decision, the time it took, any ruling.

    >>> from overtrick.table import play_table
    >>> entry = play_table(Board.random(1, seed=2), ["pass"] * 4).log[0]
    >>> entry.seat.letter, str(entry.decision.action), entry.ruling
    ('N', 'Pass', None)
    """

    seat: Seat
    decision: Decision
    milliseconds: float = 0.0
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that happened on one board at one table; `TableState.start(board)` begins.

    >>> state = TableState.start(Board.random(1, seed=2))
    >>> state.phase, state.view().seat.letter
    ('auction', 'N')
    """

    board: Board
    auction: Auction
    play: Play | None = None
    log: tuple[Entry, ...] = ()
    systems: tuple[str, str] = ("", "")  # declared by North-South and by East-West
    scoring: Scoring = "imps"
    seed: int = 0
    auction_only: bool = False
    claimed: int | None = None  # declarer's total tricks, once claimed and agreed

    @classmethod
    def start(
        cls,
        board: Board,
        *,
        systems: tuple[str, str] = ("", ""),
        scoring: Scoring = "imps",
        seed: int = 0,
        auction_only: bool = False,
    ) -> TableState:
        return cls(
            board,
            Auction(board.dealer),
            systems=systems,
            scoring=scoring,
            seed=seed,
            auction_only=auction_only,
        )

    @property
    def phase(self) -> Phase:
        if not self.auction.is_over:
            return "auction"
        if self.play is None or self.claimed is not None or self.play.is_over:
            return "over"
        return "play"

    @property
    def contract(self) -> Contract | None:
        return self.auction.contract

    @property
    def actor(self) -> Seat:
        """Who has to act: the caller, or whoever controls the hand to play."""
        if self.phase == "over":
            raise BridgeError("the board is over")
        return self.auction.turn if self.play is None else self.play.controller

    @property
    def meanings(self) -> tuple[Meaning, ...]:
        """What every call so far was said to show."""
        return tuple(e.decision.meaning for e in self.log[: len(self.auction)])

    def view(self, seat: Seat | None = None) -> View:
        """What a seat may know now (default: the one who has to act)."""
        who = self.actor if seat is None else seat
        ours, theirs = self.systems[who & 1], self.systems[1 - (who & 1)]
        return view_of(
            self.board,
            self.auction,
            self.play,
            seat=who,
            systems=Systems(ours, theirs),
            meanings=self.meanings,
            scoring=self.scoring,
            table_seed=self.seed,
        )

    def why_illegal(self, decision: Decision) -> str | None:
        """None when the decision's action may be taken now, else the reason."""
        if self.phase == "over":
            return "the board is over"
        if self.play is None:
            return self.auction.why_illegal(decision.call)
        return self.play.why_illegal(decision.card, self.board.deal[self.play.turn])

    def after(
        self, decision: Decision, milliseconds: float = 0.0, ruling: Ruling | None = None
    ) -> TableState:
        """The table after one more call or card; illegal ones raise."""
        log = (*self.log, Entry(self.actor, decision, milliseconds, ruling))
        if self.play is not None:
            hand = self.board.deal[self.play.turn]
            return replace(self, play=self.play.then(decision.card, hand), log=log)
        auction = self.auction.then(decision.call)
        play = None
        if auction.is_over and auction.contract is not None and not self.auction_only:
            play = Play.of(auction.contract)
        return replace(self, auction=auction, play=play, log=log)

    def back_to(self, keep: int) -> TableState:
        """The table as it was after so many actions; a claim is taken back, too."""
        calls, auction, play = min(keep, len(self.auction)), self.auction, self.play
        if calls < len(auction):
            auction, play = Auction(auction.dealer, auction.calls[:calls]), None
        if play is not None:
            play = Play(play.strain, play.opening_leader, play.cards[: keep - calls])
        return replace(self, auction=auction, play=play, log=self.log[:keep], claimed=None)

    def after_claim(self, declarer_tricks: int) -> TableState:
        """The board ends here with this many tricks for declarer (soundness is checked outside)."""
        if self.phase != "play" or self.play is None:
            raise BridgeError("claims are made during the play")
        won = self.play.declarer_tricks
        left = 13 - self.play.tricks_played
        if not won <= declarer_tricks <= won + left:
            raise BridgeError(
                f"declarer has {won} tricks with {left} to come and cannot end with "
                f"{declarer_tricks}"
            )
        return replace(self, claimed=declarer_tricks)

    @property
    def tricks(self) -> int | None:
        """Declarer's tricks once the play is over or claimed."""
        if self.claimed is not None:
            return self.claimed
        return self.play.declarer_tricks if self.play is not None and self.play.is_over else None

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return tuple(e.ruling for e in self.log if e.ruling is not None)

    def score(self, tricks: int | None = None) -> int | None:
        """North-South's score; `tricks` stands in when the board was not played out."""
        if self.contract is None:
            return 0 if self.auction.is_over else None
        made = self.tricks if tricks is None else tricks
        return None if made is None else score(self.contract, made, self.board.vul)

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_record

        return html_record(self.record())

    def record(
        self,
        names: tuple[str, str, str, str] = ("", "", "", ""),
        tags: Mapping[str, str] | None = None,
    ) -> Record:
        """What happened, for PBN, LIN and the review; explanations become notes."""
        calls = len(self.auction)
        return Record(
            number=self.board.number,
            dealer=self.board.dealer,
            vul=self.board.vul,
            deal=self.board.deal,
            auction=self.auction,
            contract=self.contract if self.auction.is_over else None,
            play=self.play,
            tricks=self.tricks,
            claimed=self.claimed is not None,
            names=names,
            call_notes={
                i: Note(e.decision.meaning.words, alert=e.decision.meaning.alert)
                for i, e in enumerate(self.log[:calls])
                if e.decision.meaning.alert
            },
            tags=dict(tags or {}),
        )
