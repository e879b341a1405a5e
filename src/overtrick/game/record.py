"""A record: what happened on one board at one table, and whatever a file said beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from overtrick.game.auction import Auction
from overtrick.game.contract import Contract
from overtrick.game.deal import PartialDeal
from overtrick.game.play import Play
from overtrick.game.scoring import score
from overtrick.game.seats import Seat, Vulnerability


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on one call or card: its explanation, whether it was alerted, quality marks."""

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

    >>> auction = Auction.parse("1NT P 3NT AP")
    >>> record = Record(1, vul=Vulnerability.NONE, contract=auction.contract, tricks=8)
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

    @property
    def is_passed_out(self) -> bool:
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
