"""Par: the result when both sides see all cards and bid to their best, from a double-dummy
table."""

from __future__ import annotations

from functools import cache
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
def _worth(vulnerable: bool) -> tuple[tuple[int, ...], ...]:
    """By bid 0..34 and tricks: declarer's score, doubled exactly if the contract fails."""
    return tuple(
        tuple(
            points(bid // 5 + 1, bid % 5, int(tricks < bid // 5 + 7), vulnerable, tricks)
            for tricks in range(14)
        )
        for bid in range(_BIDS)
    )


class _Bidding:
    """The auction as a game of perfect information; all scores are North-South's."""

    def __init__(self, solved: Table, vul: Vulnerability) -> None:
        self._solved = solved
        worth = [_worth(vul.of(seat)) for seat in Seat]
        self.result = [
            [
                (worth[seat][bid][tricks], -worth[seat][bid][tricks])[seat & 1]
                for seat, tricks in enumerate(solved.tricks[bid % 5])
            ]
            for bid in range(_BIDS)
        ]

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
        raising = [-_INFINITY, _INFINITY, -_INFINITY, _INFINITY]  # the best bid above the current
        for result in reversed(self.result):
            north, east, south, west = raising
            raising = [  # the bidder's result where three passes follow, else what they prefer
                max(north, min(east, max(south, min(west, result[0])))),
                min(east, max(south, min(west, max(north, result[1])))),
                max(south, min(west, max(north, min(east, result[2])))),
                min(west, max(north, min(east, max(south, result[3])))),
            ]
        return raising

    def contracts_at(self, score: int, dealer: Seat) -> tuple[ParContract, ...]:
        """Contracts with this score which the opponents can neither outbid nor bid first.

        Of several levels of one strain (1♥+2, 2♥+1, 3♥=) the lowest that will do is named.
        """
        lowest: dict[tuple[int, int], int] = {}
        for side in Side:
            partners, others = (side, side + 2), (1 - side, 3 - side)
            for bid in range(_BIDS - 1, -1, -1):
                result = self.result[bid]
                better = [s for s in others if _BETTER[s](result[s], score) != score]
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
