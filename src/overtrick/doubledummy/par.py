"""Par: the result when both sides see all cards and bid to their best, from a double-dummy table.
Used by the command line, the review and matches as the yardstick of a board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from overtrick.doubledummy.tables import Table, table
from overtrick.game import Contract, Deal, Seat, Side, Strain, Vulnerability, points
from overtrick.game.scoring import result_text

_BIDS = 35


@dataclass(frozen=True, slots=True)
class ParContract:
    """A contract in which par is reached, with declarer's tricks."""

    contract: Contract
    tricks: int

    def __str__(self) -> str:
        return f"{self.contract}{result_text(self.contract, self.tricks)}"


@dataclass(frozen=True, slots=True)
class Par:
    """Par for North-South and the contracts that reach it; none when the deal is passed out."""

    score: int
    contracts: tuple[ParContract, ...]

    def __str__(self) -> str:
        if not self.contracts:
            return "Par 0, passed out"
        return f"Par {self.score:+d}: " + ", ".join(str(c) for c in self.contracts)


def par(deal: Deal | Table, vul: Vulnerability, dealer: Seat) -> Par:
    """Par of a deal (solved first) or of a table.

    The auction is a game in which each side in turn passes or outbids: contracts that make are
    left undoubled, contracts that fail are doubled. The dealer matters when both sides want the
    same last bid.
    """
    bidding = _Bidding(deal if isinstance(deal, Table) else table(deal), vul)
    score = bidding.opening(dealer, 0)
    contracts = tuple(bidding.contracts_at(score)) if score else ()
    return Par(score, contracts)


class _Bidding:
    """The auction as a game of perfect information between two sides; scores are North-South's."""

    def __init__(self, solved: Table, vul: Vulnerability) -> None:
        self._solved = solved
        self._vul = vul

    def played(self, bid: int, side: int) -> int:
        """The score when `side` plays bid number 0..34, doubled exactly if it fails."""
        return max(
            (self._result(bid, seat) for seat in (side, side + 2)),
            key=lambda score: score if side == Side.NS else -score,
        )

    def _result(self, bid: int, seat: int) -> int:
        level, strain = bid // 5 + 1, bid % 5
        tricks = self._solved.tricks[strain][seat]
        won = points(level, strain, int(tricks < level + 6), self._vul.of(seat), tricks)
        return won if seat & 1 == Side.NS else -won

    @cached_property
    def after(self) -> list[list[int]]:
        """after[side][bid]: the score once `side` has bid it and both bid on to their best."""
        value = [[0] * _BIDS, [0] * _BIDS]
        # What the best raise of each side is worth above the bid under consideration.
        raising: list[int | None] = [None, None]
        for bid in range(_BIDS - 1, -1, -1):
            for side in (Side.NS, Side.EW):
                stay, other = self.played(bid, side), raising[side.other]
                value[side][bid] = stay if other is None else _best(side.other, stay, other)
            for side in (Side.NS, Side.EW):
                known = raising[side]
                here = value[side][bid]
                raising[side] = here if known is None else _best(side, known, here)
        return value

    def opening(self, turn: Seat, passes: int) -> int:
        """The score with `turn` to call after that many passes and nothing else."""
        if passes == 4:
            return 0
        opened = self.after[turn.side]
        choices = (min if turn.side == Side.EW else max)(opened)
        return _best(turn.side, self.opening(turn.lho, passes + 1), choices)

    def contracts_at(self, score: int) -> list[ParContract]:
        """Contracts with this score above which the other side has nothing better of its own.

        Of several levels of one strain (1♥+2, 2♥+1, 3♥=) the lowest that will do is named.
        """
        lowest: dict[tuple[int, int], ParContract] = {}
        for side in (Side.NS, Side.EW):
            for bid in range(_BIDS - 1, -1, -1):
                for seat in (side, side + 2):
                    if self._result(bid, seat) == score:
                        lowest[bid % 5, seat] = self._named(bid, seat)
                other = self.played(bid, side.other)
                if _best(side.other, other, score) != score:
                    break  # a lower contract of ours would be outbid by this one
        return sorted(lowest.values(), key=lambda p: (p.contract.level, p.contract.strain))

    def _named(self, bid: int, seat: int) -> ParContract:
        level, strain = bid // 5 + 1, Strain(bid % 5)
        tricks = self._solved.tricks[strain][seat]
        return ParContract(Contract(level, strain, Seat(seat), int(tricks < level + 6)), tricks)


def _best(side: int, first: int, second: int) -> int:
    return max(first, second) if side == Side.NS else min(first, second)
