"""Par: the result when both sides see all cards and bid to their best, from a double-dummy
table."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Final

from overtrick.doubledummy.tables import Table, table
from overtrick.game import (
    Contract,
    Deal,
    Par,
    ParContract,
    Seat,
    Side,
    Strain,
    Vulnerability,
    points,
)

_BIDS: Final = 35
_INFINITY: Final = 10**6
_BETTER: Final = (max, min, max, min)  # what each seat prefers of two scores for North-South


def par(deal: Deal | Table | str, vul: Vulnerability | str, dealer: Seat | str) -> Par:
    """Par of a deal (solved first) or of a table.

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> print(par(deal, vul="None", dealer="N"))
    Par +430: 3NT North+1, 3NT South+1

    The auction is a game of four players who see all cards: each in turn passes or outbids.
    A contract that makes is left undoubled, one that fails is doubled. The dealer matters when
    two sides want the same last bid: it goes to whoever can say it first.
    """
    vul, dealer = Vulnerability(vul), Seat(dealer)
    bidding = _Bidding(deal if isinstance(deal, Table) else table(deal), vul)
    score = bidding.value(dealer)
    return Par(score, bidding.contracts_at(score, dealer) if score else ())


@cache
def _worth(side: int, vulnerable: bool) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """By strain, tricks and level: the score of a contract of this side for North-South, doubled
    exactly if it fails."""
    sign = -1 if side else 1
    return tuple(
        tuple(
            tuple(
                sign * points(level, strain, int(tricks < level + 6), vulnerable, tricks)
                for level in range(1, 8)
            )
            for tricks in range(14)
        )
        for strain in range(5)
    )


class _Bidding:
    """The auction as a game of perfect information; all scores are North-South's."""

    def __init__(self, solved: Table, vul: Vulnerability) -> None:
        self._solved = solved
        columns = []
        for seat in range(4):
            worth = _worth(seat & 1, vul.of(Seat(seat)))
            levels = zip(*(worth[s][solved.tricks[s][seat]] for s in range(5)), strict=True)
            columns.append(chain.from_iterable(levels))
        self.result = list(zip(*columns, strict=True))  # by bid and seat

    def value(self, dealer: Seat) -> int:
        """The score both sides reach from an empty auction."""
        raising = self._best_bids()
        value = 0  # all pass
        for passes in (3, 2, 1, 0):
            seat = (dealer + passes) % 4
            value = _BETTER[seat](value, raising[seat])
        return value

    def _best_bids(self) -> list[int]:
        """For each seat what opening with its best bid is worth, bidding backwards from 7NT."""
        n = s = -_INFINITY  # the best bid above the current one
        e = w = _INFINITY
        for north, east, south, west in reversed(self.result):
            # The bidder's result where three passes follow, else what the next three prefer. As
            # comparisons: min and max take three times as long.
            north = w if w < north else north
            north = s if s > north else north
            north = e if e < north else north
            east = n if n > east else east
            east = w if w < east else east
            east = s if s > east else east
            south = e if e < south else south
            south = n if n > south else south
            south = w if w < south else south
            west = s if s > west else west
            west = e if e < west else west
            west = n if n > west else west
            n = n if n > north else north
            e = e if e < east else east
            s = s if s > south else south
            w = w if w < west else west
        return [n, e, s, w]

    def contracts_at(self, score: int, dealer: Seat) -> tuple[ParContract, ...]:
        """Contracts with this score which the opponents can neither outbid nor bid first.

        Of several levels of one strain (1♥+2, 2♥+1, 3♥=) the lowest that will do is named.
        """
        lowest: dict[tuple[int, int], int] = {}
        for side in Side:
            partners, others = (side, side + 2), (1 - side, 3 - side)
            gains = 1 if side else -1  # what is more for North-South is better for these others
            for bid in range(_BIDS - 1, -1, -1):
                result = self.result[bid]
                better = [s for s in others if (result[s] - score) * gains > 0]
                for seat in partners:
                    if result[seat] == score:
                        turn = (seat - dealer) % 4
                        if all(turn < (s - dealer) % 4 for s in better):
                            lowest[bid % 5, seat] = bid
                if better:
                    break  # a lower contract of this side would be outbid by this one
        found = (self._named(bid, Seat(seat)) for (_, seat), bid in lowest.items())
        return tuple(sorted(found, key=lambda p: (p.contract.level, p.contract.strain)))

    def _named(self, bid: int, seat: Seat) -> ParContract:
        level, strain = bid // 5 + 1, Strain(bid % 5)
        tricks = self._solved.tricks[strain][seat]
        return ParContract(Contract(level, strain, seat, int(tricks < level + 6)), tricks)
