"""A record: what happened on one board at one table, and whatever a file said beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from overtrick.game.auction import Auction
from overtrick.game.board import Board, dealer_of, vulnerability_of
from overtrick.game.contract import Contract
from overtrick.game.deal import PartialDeal
from overtrick.game.errors import BridgeError
from overtrick.game.handrecord import PAR_TAG, SCORE_TAG, Analysis
from overtrick.game.play import Play
from overtrick.game.scoring import score
from overtrick.game.seats import Seat, Vulnerability


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on one call or card: its explanation, whether it was alerted, quality marks.

    >>> Note("15–17, balanced", alert=True).text
    '15–17, balanced'
    """

    text: str = ""
    alert: bool = False
    nags: tuple[int, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One board as played (or as far as it is known). Everything may be missing but the seats.

    `call_notes[i]` and `card_notes[i]` belong to call and card number i (from 0);
    `tags` holds what has no field of its own, `tables` the rows of table sections (their column
    heads are in `tags`), `comment` remarks on the board as a whole, `source` the reader's own
    document, if any.

    >>> record = Record(1, vul="None", contract="3NT N", tricks=8)
    >>> record.ns_score, record.is_passed_out
    (-50, False)
    """

    number: int | None = None
    dealer: Seat | None = None
    vul: Vulnerability | None = None
    deal: PartialDeal | None = None
    auction: Auction | None = None
    contract: Contract | None = None
    play: Play | None = None
    tricks: int | None = None
    claimed: bool = False
    names: tuple[str, str, str, str] = ("", "", "", "")
    call_notes: Mapping[int, Note] = field(default_factory=dict)
    card_notes: Mapping[int, Note] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    comment: str = ""
    source: Any = field(default=None, compare=False, repr=False)

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self,
            number: int | None = None,
            dealer: Seat | str | None = None,
            vul: Vulnerability | str | None = None,
            deal: PartialDeal | str | None = None,
            auction: Auction | str | None = None,
            contract: Contract | str | None = None,
            play: Play | None = None,
            tricks: int | None = None,
            claimed: bool = False,
            names: tuple[str, str, str, str] = ("", "", "", ""),
            call_notes: Mapping[int, Note] = ...,
            card_notes: Mapping[int, Note] = ...,
            tags: Mapping[str, str] = ...,
            tables: Mapping[str, tuple[tuple[str, ...], ...]] = ...,
            comment: str = "",
            source: Any = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        if self.dealer is not None and type(self.dealer) is not Seat:
            object.__setattr__(self, "dealer", Seat(self.dealer))
        if self.vul is not None and type(self.vul) is not Vulnerability:
            object.__setattr__(self, "vul", Vulnerability(self.vul))
        kinds: tuple[type, ...] = (type(self.deal), type(self.auction), type(self.contract))
        if str in kinds:
            self._read_text(self.deal, self.auction, self.contract)

    def _read_text(self, deal: object, auction: object, contract: object) -> None:
        if isinstance(deal, str):
            object.__setattr__(self, "deal", PartialDeal.parse(deal))
        if isinstance(auction, str):
            read = Auction.parse(auction, self.dealer if self.dealer is not None else "N")
            object.__setattr__(self, "auction", read)
        if isinstance(contract, str):
            object.__setattr__(self, "contract", Contract.parse(contract))

    @property
    def is_passed_out(self) -> bool:
        """Nobody bid."""
        if self.auction is not None:
            return self.auction.is_passed_out
        return self.tags.get("Contract") == "Pass"

    @property
    def ns_score(self) -> int | None:
        """The score for North-South, when contract, tricks and vulnerability are known."""
        if self.is_passed_out:
            return 0
        if self.contract is None or self.tricks is None or self.vul is None:
            return None
        return score(self.contract, self.tricks, self.vul)

    def board(self, place: int = 1) -> Board | None:
        """The board that was played, its conditions filled in from its number, and the number from
        its place in the file; None when more than one hand is unknown.

        >>> Record(7, deal="N:AKQJT98765432... - - -").board() is None
        True
        """
        if self.deal is None:
            return None
        try:
            deal = self.deal.complete()
        except BridgeError:
            return None
        if not deal.is_complete:
            return None
        number = self.number if self.number and self.number > 0 else place
        dealer = dealer_of(number) if self.dealer is None else self.dealer
        vul = vulnerability_of(number) if self.vul is None else self.vul
        return Board(number, dealer, vul, deal)

    @property
    def analysis(self) -> Analysis:
        """The double-dummy tricks and the par that this record carries, as its file told them.

        >>> Record(tags={"OptimumScore": "EW 420"}).analysis.par.score
        -420
        """
        return Analysis.of(self.tags, self.tables)

    def with_analysis(self, found: Analysis) -> Record:
        """The record with this analysis in place of what it says now; None leaves that alone.

        >>> carried = Record(1).with_analysis(Analysis.of({"OptimumScore": "NS 140"}))
        >>> carried.analysis.par
        Par(score=140, contracts=())
        """
        tags, tables = found.tags()
        kept = {
            name: value
            for name, value in self.tags.items()
            if not (found.par is not None and name in (SCORE_TAG, PAR_TAG))
        }
        return replace(self, tags={**kept, **tags}, tables={**self.tables, **tables})

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_record

        return html_record(self)
