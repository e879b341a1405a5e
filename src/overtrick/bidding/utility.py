"""What the end of an auction is worth to a side: an estimate of tricks, and a way of scoring.
Used by bidding.pidm at its leaves, by learning for tags, and by `overtrick reproduce bidi`.

Tricks: `ltc` (seed 000, 5.1.2), `total` (its footnote 11), `dd` (double dummy), or a tricks network
(`tricks`, or the path of an .onnx file). `tricks+table` takes what declarers at tables take on
average, which is more than double dummy in low contracts and less in slams.
Scoring: `imps`, `points`, `matchpoints`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.values import expected_imps, side_scores, trick_chances, trick_table
from overtrick.evaluation import HandArray
from overtrick.evaluation.tricks import expected_tricks, total_tricks
from overtrick.game import OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Scoring = Literal["imps", "points", "matchpoints"]
SCORINGS: Final = ("imps", "points", "matchpoints")
_TABLE: Final = "+table"
# Tricks of declarers beyond double dummy by level, in 30 million results of OKbridge.
_SUIT_LEVELS: Final = (0.37, 0.15, 0.14, -0.01, 0.06, -0.09, -0.09)
_NOTRUMP_LEVELS: Final = (0.41, 0.30, 0.19, 0.06, 0.06, -0.09, -0.09)


@dataclass(frozen=True, slots=True)
class Contracts:
    """The ends of auctions, [worlds, ways]: bid (-1: passed out), declarer, doubling."""

    bids: Ints
    declarers: Ints
    doubled: Ints

    @classmethod
    def of(cls, found: Ints) -> Contracts:
        """From one array [worlds, ways, 3]."""
        return cls(found[..., 0], found[..., 1], found[..., 2])


@runtime_checkable
class Utility(Protocol):
    """Values of contracts in known deals, higher is better for `side` (0 N-S, 1 E-W)."""

    @property
    def name(self) -> str: ...

    def leaves(self, worlds: NDArray[np.uint64], vul: int, side: int) -> Leaves:
        """The worlds [n, seat] of one decision, ready to be asked many times."""


class Leaves(Protocol):
    """A utility over fixed worlds; what is costly is computed once."""

    def values(self, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        """[rows, ways]: what each way is worth in those worlds. With IMPs or matchpoints it is
        measured against the first way in the same world, so the first column is zero."""

    def points(self, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        """[rows, ways]: expected points of each contract for the side."""


@dataclass(frozen=True, slots=True)
class TrickUtility:
    """Tricks by some estimate, scored as the event scores.

    >>> TrickUtility("ltc", "points").name
    'ltc/points'
    """

    tricks: str = "tricks"
    scoring: Scoring = "imps"

    def __post_init__(self) -> None:
        if self.scoring not in SCORINGS:
            raise OptionError(f"scoring is one of {', '.join(SCORINGS)}, not {self.scoring!r}")

    @property
    def name(self) -> str:
        return f"{self.tricks}/{self.scoring}"

    def leaves(self, worlds: NDArray[np.uint64], vul: int, side: int) -> TrickLeaves:
        return TrickLeaves(self, worlds, int(vul), int(side))


class TrickLeaves:
    """The leaves of one decision: P(tricks) of every strain and declarer, made when needed."""

    def __init__(
        self, utility: TrickUtility, worlds: NDArray[np.uint64], vul: int, side: int
    ) -> None:
        self.utility, self.worlds, self.vul, self.side = utility, worlds, vul, side
        self._table: Floats | None = None

    def chances(self, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        """P(tricks = 0..13), [rows, ways, 14]."""
        how = self.utility.tricks.removesuffix(_TABLE)
        if how == self.utility.tricks:
            return self._double_dummy(how, rows, contracts)
        return at_the_table(self._double_dummy(how, rows, contracts), contracts.bids)

    def _double_dummy(self, how: str, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        if how == "dd":
            return trick_chances(how, self.worlds[rows], contracts.bids, contracts.declarers)
        if self._table is None:
            self._table = table_of(how, self.worlds)
        strains = np.maximum(contracts.bids, 0) % 5
        found: Floats = self._table[rows[:, None], strains, contracts.declarers]
        return found

    def points(self, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        chances = self.chances(rows, contracts)
        scores = side_scores(
            contracts.bids, contracts.declarers, contracts.doubled, vul=self.vul, side=self.side
        )
        return np.asarray((chances * scores).sum(axis=-1))

    def values(self, rows: NDArray[np.intp], contracts: Contracts) -> Floats:
        if self.utility.scoring == "points":
            return self.points(rows, contracts)
        c = contracts
        if self.utility.scoring == "imps":
            return expected_imps(
                self.chances(rows, c), c.bids, c.declarers, c.doubled, vul=self.vul, side=self.side
            )
        chances = self.chances(rows, c)
        scores = side_scores(c.bids, c.declarers, c.doubled, vul=self.vul, side=self.side)
        return _matchpoints(scores, chances)


def at_the_table(chances: Floats, bids: Ints) -> Floats:
    """Chances [..., 14] of double dummy moved to what declarers take in such contracts."""
    level, strain = np.maximum(bids, 0) // 5, np.maximum(bids, 0) % 5
    more = np.where(strain == 4, np.array(_NOTRUMP_LEVELS)[level], np.array(_SUIT_LEVELS)[level])
    up, down = np.zeros_like(chances), np.zeros_like(chances)
    up[..., 1:], down[..., :-1] = chances[..., :-1], chances[..., 1:]
    up[..., 13] += chances[..., 13]
    down[..., 0] += chances[..., 0]
    moved = np.where(more[..., None] > 0, up, down)
    share = np.abs(more)[..., None]
    return np.asarray((1 - share) * chances + share * moved)


def _matchpoints(scores: Floats, chances: Floats) -> Floats:
    """P(better than the first way) - P(worse): twice the matchpoints of a board, less one."""
    out = np.zeros(scores.shape[:2])
    for way in range(1, scores.shape[1]):
        sign = np.sign(scores[:, way, :, None] - scores[:, 0, None, :])
        out[:, way] = np.einsum("wij,wi,wj->w", sign, chances[:, way], chances[:, 0])
    return out


def table_of(how: str, worlds: NDArray[np.uint64]) -> Floats:
    """P(tricks) of every strain and declarer by one estimate: [worlds, 5, 4, 14]."""
    if how not in ("ltc", "total"):
        return trick_table(how, worlds)
    seats = [HandArray(worlds[:, seat]) for seat in range(4)]
    tricks = np.zeros((len(worlds), 5, 4), np.int64)
    for declarer in range(4):
        mine, his = seats[declarer], seats[declarer ^ 2]
        for strain in range(5):
            if how == "ltc":
                tricks[:, strain, declarer] = expected_tricks(mine, his)
            else:
                tricks[:, strain, declarer] = total_tricks(mine, his, strain)
    return np.eye(14)[np.clip(tricks, 0, 13)]


@lru_cache(maxsize=32)
def utility_of(text: str = "tricks/imps") -> TrickUtility:
    """A utility by name: `ltc`, `dd/matchpoints`, `tricks/imps` (IMPs unless said otherwise).

    >>> utility_of("ltc") == TrickUtility("ltc", "imps")
    True
    """
    tricks, _, scoring = text.rpartition("/")
    if scoring not in SCORINGS:
        tricks, scoring = text, "imps"
    how = tricks.removesuffix(_TABLE)
    if how not in ("ltc", "total", "dd"):
        from overtrick.nets.inference import network

        network(how, "tricks")  # fail now, not at the table
    return TrickUtility(tricks, scoring)  # type: ignore[arg-type]
