"""What results on the same boards are worth: matchpoints with unequal tops, IMPs across the field,
victory points of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from overtrick.game import (
    BridgeError,
    Contract,
    imps,
    matchpoints,
    score,
    victory_points,
    vulnerability_of,
)

Method = Literal["matchpoints", "imps"]
_AVERAGE: Final = 50.0
_PLUS_IMPS: Final = 3.0  # for an average plus, Law 86; as much less for an average minus


@dataclass(frozen=True, slots=True)
class TableScore:
    """What one table did on a board: a contract with its tricks, a board that was passed out, or
    what the director awarded in place of a score, in per cent for each side.

    >>> TableScore(7, ns=1, ew=5, contract="3NT N", tricks=9).ns_score
    600
    >>> TableScore(7, ns=1, ew=5, awarded=(60.0, 40.0)).ns_score is None
    True
    """

    board: int
    ns: int
    ew: int
    contract: Contract | str | None = None
    tricks: int | None = None
    awarded: tuple[float, float] | None = None
    number: int = 1  # the round

    def __post_init__(self) -> None:
        if isinstance(self.contract, str):
            object.__setattr__(self, "contract", Contract.parse(self.contract))
        if self.awarded is not None:
            if not all(0 <= percent <= 100 for percent in self.awarded):
                raise BridgeError(f"a director awards 0 to 100 per cent, not {self.awarded}")
        elif (self.contract is None) != (self.tricks is None):
            raise BridgeError(f"board {self.board}: a contract and its tricks, or neither")

    @property
    def ns_score(self) -> int | None:
        """Points for North-South; None where an award stands in their place."""
        if self.awarded is not None:
            return None
        assert not isinstance(self.contract, str)
        return score(self.contract, self.tricks or 0, vulnerability_of(self.board))


@dataclass(frozen=True, slots=True)
class BoardWorth:
    """What a result on a board is worth for each side: matchpoints, or IMPs for every comparison.
    `top` is the most that can be had (0 with IMPs)."""

    ns: float
    ew: float
    top: float


def worths(
    results: Sequence[TableScore], method: Method = "matchpoints", tables: int | None = None
) -> list[BoardWorth]:
    """What each result of one board is worth among all of them.

    `tables` is how often the board most often played was: with fewer scores, matchpoints are put
    on that top by Neuberg's formula, M = N/n (m + ½) − ½, as if each missing score had been like
    the others, and awards are per cent of that top. IMPs are the mean over the other scores.

    >>> [w.ns for w in worths([TableScore(1, 1, 4, "3NT N", 9), TableScore(1, 2, 5, "3NT N", 10),
    ...                        TableScore(1, 3, 6, awarded=(60, 40))])]
    [0.25, 1.75, 1.2]
    """
    scores = [s for r in results if (s := r.ns_score) is not None]
    whole = max(tables or 0, len(results))
    if method == "imps":
        return [_by_imps(r, scores) for r in results]
    top = whole - 1
    own = iter(matchpoints(scores))
    out = []
    for result in results:
        if result.awarded is not None:
            ns, ew = (top * percent / 100 for percent in result.awarded)
        else:
            ns = whole / len(scores) * (next(own) + 0.5) - 0.5
            ew = top - ns
        out.append(BoardWorth(ns, ew, top))
    return out


def _by_imps(result: TableScore, scores: Sequence[int]) -> BoardWorth:
    own = result.ns_score
    if own is None:
        assert result.awarded is not None
        ns, ew = (_awarded_imps(percent) for percent in result.awarded)
        return BoardWorth(ns, ew, 0)
    others = len(scores) - 1
    won = sum(imps(own - other) for other in scores) / others if others else 0.0
    return BoardWorth(won, -won, 0)


def _awarded_imps(percent: float) -> float:
    """60 % are three IMPs, 40 % as many less, and others in proportion."""
    return _PLUS_IMPS * (percent - _AVERAGE) / 10


def match_points(
    here: Sequence[TableScore], there: Sequence[TableScore]
) -> tuple[int, tuple[float, float]]:
    """A match of two teams: the IMPs of the one whose pair sat North-South `here`, and the victory
    points of both. Boards that only one table played do not count.

    >>> match_points([TableScore(1, 1, 2, "4S N", 10)], [TableScore(1, 3, 4, "4S N", 9)])
    (10, (18.09, 1.91))
    """
    other = {r.board: r.ns_score for r in there}
    both = [
        (own, others) for r in here
        if (own := r.ns_score) is not None and (others := other.get(r.board)) is not None
    ]  # fmt: skip
    if not both:
        raise BridgeError("no board was played at both tables of the match")
    won = sum(imps(own - others) for own, others in both)
    return won, victory_points(won, len(both))
