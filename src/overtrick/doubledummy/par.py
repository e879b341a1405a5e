"""Par: the result when both sides see all cards and bid to their best, from a double-dummy
table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overtrick.doubledummy.tables import Table, table
from overtrick.game import Contract, Deal, Seat, Side, Strain, Vulnerability, points
from overtrick.game.scoring import result_text

_BIDS: Final = 35
_INFINITY: Final = 10**6


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


class _Bidding:
    """The auction as a game of perfect information; all scores are North-South's."""

    def __init__(self, solved: Table, vul: Vulnerability) -> None:
        self._solved = solved
        self.result = [[_result(solved, vul, bid, seat) for seat in Seat] for bid in range(_BIDS)]

    def value(self, dealer: Seat) -> int:
        """The score both sides reach from an empty auction."""
        raising = self._best_bids()
        value = 0  # all pass
        for passes in (3, 2, 1, 0):
            seat = dealer.plus(passes)
            value = _better(seat, value, raising[seat])
        return value

    def _best_bids(self) -> list[int]:
        """For each seat what opening with its best bid is worth, bidding backwards from 7NT."""
        worst = (-_INFINITY, _INFINITY)
        raising = [worst[seat.side] for seat in Seat]  # the best bid above the current one
        for bid in range(_BIDS - 1, -1, -1):
            bidden = []
            for bidder in Seat:
                value = self.result[bid][bidder]  # three passes
                for turn in (bidder.rho, bidder.partner, bidder.lho):
                    value = _better(turn, value, raising[turn])
                bidden.append(value)
            raising = [_better(s, raising[s], bidden[s]) for s in Seat]
        return raising

    def contracts_at(self, score: int, dealer: Seat) -> tuple[ParContract, ...]:
        """Contracts with this score which the opponents can neither outbid nor bid first.

        Of several levels of one strain (1♥+2, 2♥+1, 3♥=) the lowest that will do is named.
        """
        lowest: dict[tuple[int, int], ParContract] = {}
        for side in Side:
            for bid in range(_BIDS - 1, -1, -1):
                better = [
                    s
                    for s in (Seat(1 - side), Seat(3 - side))
                    if _better(s, self.result[bid][s], score) != score
                ]
                for seat in (Seat(side), Seat(side + 2)):
                    first = all((seat - dealer) % 4 < (s - dealer) % 4 for s in better)
                    if self.result[bid][seat] == score and first:
                        lowest[bid % 5, seat] = self._named(bid, seat)
                if better:
                    break  # a lower contract of this side would be outbid by this one
        return tuple(sorted(lowest.values(), key=lambda p: (p.contract.level, p.contract.strain)))

    def _named(self, bid: int, seat: Seat) -> ParContract:
        level, strain = bid // 5 + 1, Strain(bid % 5)
        tricks = self._solved.tricks[strain][seat]
        return ParContract(Contract(level, strain, seat, int(tricks < level + 6)), tricks)


def _result(solved: Table, vul: Vulnerability, bid: int, seat: Seat) -> int:
    """The score when `seat` plays bid number 0..34, doubled exactly if it fails."""
    level, strain = bid // 5 + 1, bid % 5
    tricks = solved.tricks[strain][seat]
    won = points(level, strain, int(tricks < level + 6), vul.of(seat), tricks)
    return won if seat.side == Side.NS else -won


def _better(seat: Seat, first: int, second: int) -> int:
    return max(first, second) if seat.side == Side.NS else min(first, second)
