"""What the end of an auction is worth: contracts in worlds to points, IMPs or matchpoints.

Tricks come from an estimate: `ltc` (losing trick count) and `total` (total tricks, both as in
Amit & Markovitch's BIDI), `dd` (double dummy, slow), `paper` (PRAGMA's contract nets), or a tricks
network by name or path (`tricks`). `tricks+table` takes what declarers at tables take on average,
which is more than double dummy in low contracts and less in slams; `tricks+played` what our own
players take in such a contract with such hands, as a network learned it from boards they played;
`tricks+both` thinks double dummy as likely as that, for who may meet players of any kind.
Anything with `estimated` can be added: it is asked for chances of tricks in given contracts, so it
may depend on the contract too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import LEAVES_NOTRUMP_LEVELS, LEAVES_PLAYED, LEAVES_SUIT_LEVELS
from overtrick.evaluation import HandArray
from overtrick.evaluation.tricks import expected_tricks, total_tricks
from overtrick.game import Deal, Hand, OptionError
from overtrick.nets.contract import ContractModel, contract_model, imps_of, score_table
from overtrick.nets.table_tricks import Contracted, TableTricks, table_tricks

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Deals = NDArray[np.uint64]
Rows = NDArray[np.intp]
Scoring = Literal["imps", "points", "matchpoints"]
SCORINGS: Final = ("imps", "points", "matchpoints")
_TABLE: Final = "+table"
# Tricks of declarers beyond double dummy by level, in 30 million results of OKbridge.


@dataclass(frozen=True, slots=True, eq=False)
class Contracts:
    """The ends of auctions, [worlds, ways]: bid (-1: passed out), declarer, doubling."""

    bids: Ints
    declarers: Ints
    doubled: Ints

    @classmethod
    def of(cls, found: Ints) -> Contracts:
        """From one array [worlds, ways, 3]."""
        return cls(found[..., 0], found[..., 1], found[..., 2])

    def taken(self, rows: Rows) -> Contracts:
        return Contracts(self.bids[rows], self.declarers[rows], self.doubled[rows])

    def ways(self, columns: list[int]) -> Contracts:
        return Contracts.of(self.array[:, columns])

    def beside(self, more: Contracts) -> Contracts:
        """These ways, then the others."""
        return Contracts.of(np.concatenate([self.array, more.array], axis=1))

    @property
    def array(self) -> Ints:
        """One array [worlds, ways, 3]."""
        return np.stack([self.bids, self.declarers, self.doubled], axis=-1)


class Estimated(Protocol):
    """An estimate of tricks over fixed deals; what is costly is computed once."""

    def chances(self, rows: Rows, contracts: Contracts) -> Floats:
        """P(tricks = 0..13) of contracts [rows, ways] in those deals, [rows, ways, 14]."""


class TrickEstimate(Protocol):
    """Anything that knows how many tricks contracts take."""

    def estimated(self, deals: Deals) -> Estimated:
        """The deals [n, seat] of one decision, ready to be asked many times."""


@dataclass(frozen=True, slots=True)
class ByTable:
    """Tricks that depend on the deal, strain and declarer alone."""

    model: ContractModel

    def estimated(self, deals: Deals) -> Estimated:
        return _Tabled(self.model, deals)


class _Tabled:
    def __init__(self, model: ContractModel, deals: Deals) -> None:
        self.model, self.deals = model, deals
        self.table: Floats | None = None  # made when first asked for

    def chances(self, rows: Rows, contracts: Contracts) -> Floats:
        if self.table is None:
            self.table = self.model.table(self.deals)
        strains = np.maximum(contracts.bids, 0) % 5
        found: Floats = self.table[rows[:, None], strains, contracts.declarers]
        return found


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """Exact double dummy, solved for the contracts that come up."""

    def estimated(self, deals: Deals) -> Estimated:
        return _Solved(deals)


class _Solved:
    def __init__(self, deals: Deals) -> None:
        self.deals = deals
        self.known: dict[tuple[int, int, int], int] = {}

    def chances(self, rows: Rows, contracts: Contracts) -> Floats:
        from overtrick import doubledummy

        out = np.zeros((*contracts.bids.shape, 14))
        for (row, way), bid in np.ndenumerate(contracts.bids):
            tricks = 0
            if bid >= 0:
                key = (int(rows[row]), int(bid) % 5, int(contracts.declarers[row, way]))
                if key not in self.known:
                    deal = Deal(tuple(Hand(int(h)) for h in self.deals[key[0]]))  # type: ignore[arg-type]
                    self.known[key] = doubledummy.tricks(deal, key[1], key[2])
                tricks = self.known[key]
            out[row, way, tricks] = 1
        return out


@dataclass(frozen=True, slots=True)
class AtTheTable:
    """Another estimate, moved to what declarers at tables take on average."""

    base: TrickEstimate

    def estimated(self, deals: Deals) -> Estimated:
        return _Moved(self.base.estimated(deals))


@dataclass(frozen=True, slots=True)
class _Moved:
    base: Estimated

    def chances(self, rows: Rows, contracts: Contracts) -> Floats:
        return at_the_table(self.base.chances(rows, contracts), contracts.bids)


@dataclass(frozen=True, slots=True)
class AsPlayed:
    """Another estimate of double-dummy tricks, turned into what our players take, or a share of
    it."""

    base: TrickEstimate
    network: TableTricks
    share: float = 1.0

    def estimated(self, deals: Deals) -> Estimated:
        return _Played(self.base.estimated(deals), self.network, self.share, deals)


@dataclass(frozen=True, slots=True)
class _Played:
    base: Estimated
    network: TableTricks
    share: float
    deals: Deals

    def chances(self, rows: Rows, contracts: Contracts) -> Floats:
        chances = self.base.chances(rows, contracts)
        ways = contracts.bids.shape[1]
        one = Contracted(
            np.maximum(contracts.bids, 0).ravel(),
            contracts.declarers.ravel(),
            contracts.doubled.ravel(),
        )
        hands = self.deals[np.repeat(rows, ways)]
        played = self.network.at_table(chances.reshape(-1, 14), hands, one).reshape(chances.shape)
        return self.share * played + (1 - self.share) * chances


@dataclass(frozen=True, slots=True)
class CountedTricks:
    """`ltc` or `total`: a number of tricks counted from the two hands of a side."""

    name: str

    def table(self, hands: Deals) -> Floats:
        seats = [HandArray(hands[:, seat]) for seat in range(4)]
        tricks = np.zeros((len(hands), 5, 4), np.int64)
        for declarer in range(4):
            mine, partners = seats[declarer], seats[declarer ^ 2]
            for strain in range(5):
                if self.name == "ltc":
                    tricks[:, strain, declarer] = expected_tricks(mine, partners)
                else:
                    tricks[:, strain, declarer] = total_tricks(mine, partners, strain)
        return np.eye(14)[np.clip(tricks, 0, 13)]


@lru_cache(maxsize=32)
def estimate_of(name: str, threads: int = 1) -> TrickEstimate:
    """An estimate by name; a network that is missing is an error now, not at the table."""
    plain = unmoved(name)
    found: TrickEstimate = DoubleDummy() if plain == "dd" else ByTable(_model(plain, threads))
    moved = name.removeprefix(plain)
    if moved in LEAVES_PLAYED:
        return AsPlayed(found, table_tricks(), LEAVES_PLAYED[moved])
    return AtTheTable(found) if moved else found


def unmoved(name: str) -> str:
    """The estimate of double-dummy tricks in a name.

    >>> unmoved("tricks+played"), unmoved("tricks")
    ('tricks', 'tricks')
    """
    for suffix in (_TABLE, *LEAVES_PLAYED):
        name = name.removesuffix(suffix)
    return name


def table_of(name: str, deals: Deals) -> Floats:
    """P(tricks) of every strain and declarer by one estimate: [deals, 5, 4, 14]."""
    return _model(name, 1).table(deals)


def _model(name: str, threads: int) -> ContractModel:
    return CountedTricks(name) if name in ("ltc", "total") else contract_model(name, threads)


@dataclass(frozen=True, slots=True)
class Utility:
    """Tricks by some estimate, scored as the event scores.

    >>> Utility("ltc", "points").name
    'ltc/points'
    """

    tricks: str = "tricks"
    scoring: Scoring = "imps"
    threads: int = 1

    def __post_init__(self) -> None:
        if self.scoring not in SCORINGS:
            raise OptionError(f"scoring is one of {', '.join(SCORINGS)}, not {self.scoring!r}")

    @property
    def name(self) -> str:
        return f"{self.tricks}/{self.scoring}"

    def leaves(self, deals: Deals, vul: int, side: int) -> Leaves:
        """The deals of one decision, ready to be asked many times."""
        estimate = estimate_of(self.tricks, self.threads)
        return Leaves(estimate, deals, int(vul), int(side), self.scoring)

    def values(self, deals: Deals, contracts: Contracts, vul: int, side: int) -> Floats:
        """What each way is worth (`Leaves.values`), asked once. Against the first way, a world in
        which all ways end alike is worth nothing and costs nothing."""
        found = contracts.array
        at = np.flatnonzero((found != found[:, :1]).any(axis=(1, 2)))
        if self.scoring == "points" or len(at) == len(found):
            return self.leaves(deals, vul, side).values(contracts)
        values = np.zeros(found.shape[:2])
        if len(at):
            values[at] = self.leaves(deals[at], vul, side).values(contracts.taken(at))
        return values


@lru_cache(maxsize=32)
def utility_of(text: str = "tricks/imps") -> Utility:
    """A utility by name: `ltc`, `dd/matchpoints`, `tricks/imps` (IMPs unless said otherwise).

    >>> utility_of("ltc") == Utility("ltc", "imps")
    True
    """
    tricks, _, scoring = text.rpartition("/")
    if scoring not in SCORINGS:
        tricks, scoring = text, "imps"
    estimate_of(tricks)  # fail now, not at the table
    return Utility(tricks, scoring)  # type: ignore[arg-type]


class Leaves:
    """Values of contracts in fixed deals [n, seat] for one side (0 N-S, 1 E-W), higher is better.

    `rows` are the deals that the contracts belong to, all of them unless said otherwise.
    """

    __slots__ = ("_estimated", "count", "scoring", "side", "vul")

    def __init__(
        self, tricks: TrickEstimate, deals: Deals, vul: int, side: int, scoring: Scoring = "imps"
    ) -> None:
        self._estimated = tricks.estimated(deals)
        self.count, self.vul, self.side, self.scoring = len(deals), vul, side, scoring

    def chances(self, contracts: Contracts, rows: Rows | None = None) -> Floats:
        """P(tricks = 0..13), [rows, ways, 14]."""
        return self._estimated.chances(np.arange(self.count) if rows is None else rows, contracts)

    def points(self, contracts: Contracts, rows: Rows | None = None) -> Floats:
        """Expected points of each contract, [rows, ways]."""
        scores = side_scores(contracts, vul=self.vul, side=self.side)
        return np.asarray((self.chances(contracts, rows) * scores).sum(axis=-1))

    def imps(self, contracts: Contracts, reference: Floats, rows: Rows | None = None) -> Floats:
        """Expected IMPs of each contract against a score in points for each row."""
        scores = side_scores(contracts, vul=self.vul, side=self.side)
        swings = imps_of(scores - reference[:, None, None])
        return np.asarray((swings * self.chances(contracts, rows)).sum(axis=-1))

    def values(self, contracts: Contracts, rows: Rows | None = None) -> Floats:
        """What each way is worth as the event scores. IMPs and matchpoints are measured against the
        first way in the same world, so the first column is zero."""
        if self.scoring == "points":
            return self.points(contracts, rows)
        chances = self.chances(contracts, rows)
        if self.scoring == "imps":
            return expected_imps(chances, contracts, vul=self.vul, side=self.side)
        return _matchpoints(side_scores(contracts, vul=self.vul, side=self.side), chances)


def at_the_table(chances: Floats, bids: Ints) -> Floats:
    """Chances [..., 14] of double dummy moved to what declarers take in such contracts."""
    level, strain = np.maximum(bids, 0) // 5, np.maximum(bids, 0) % 5
    more = np.where(
        strain == 4, np.array(LEAVES_NOTRUMP_LEVELS)[level], np.array(LEAVES_SUIT_LEVELS)[level]
    )
    up, down = np.zeros_like(chances), np.zeros_like(chances)
    up[..., 1:], down[..., :-1] = chances[..., :-1], chances[..., 1:]
    up[..., 13] += chances[..., 13]
    down[..., 0] += chances[..., 0]
    moved = np.where(more[..., None] > 0, up, down)
    share = np.abs(more)[..., None]
    return np.asarray((1 - share) * chances + share * moved)


def side_scores(contracts: Contracts, *, vul: int, side: int) -> Floats:
    """Points for `side` at 0..13 tricks of each contract, [worlds, ways, 14]."""
    bids, declarers = contracts.bids, contracts.declarers
    sign = np.where(declarers % 2 == side, 1.0, -1.0)
    vulnerable = (vul >> (declarers % 2)) & 1
    table = score_table()[np.maximum(bids, 0), contracts.doubled, vulnerable]
    scores: Floats = table * sign[..., None]
    scores[bids < 0] = 0
    return scores


def expected_imps(chances: Floats, contracts: Contracts, *, vul: int, side: int) -> Floats:
    """Expected IMPs for `side` of every way against the first, [worlds, ways].

    Two contracts of one side in the same strain take the same tricks, whoever declares; other
    pairs of contracts are taken as independent given the world.
    """
    scores = side_scores(contracts, vul=vul, side=side)
    bids, declarers, doubled = contracts.bids, contracts.declarers, contracts.doubled
    value: Floats = np.zeros(bids.shape)
    for way in range(1, bids.shape[1]):
        first, other = (bids[:, 0], declarers[:, 0]), (bids[:, way], declarers[:, way])
        played = (first[0] >= 0) & (other[0] >= 0) & (first[1] % 2 == other[1] % 2)
        alike = played & (first[0] % 5 == other[0] % 5)
        same = (first[0] == other[0]) & (first[1] == other[1])
        same &= doubled[:, 0] == doubled[:, way]
        for where, joint in ((alike & ~same, True), (~alike & ~same, False)):
            at = np.flatnonzero(where)
            if len(at):
                likely = chances[at][:, [0, way]]
                if joint:  # the higher contract says how many tricks there are
                    higher = (first[0] > other[0])[at] & (first[1] == other[1])[at]
                    likely[higher, 1] = likely[higher, 0]
                value[at, way] = _worth(scores[at][:, [0, way]], likely, joint)
    return value


def _worth(scores: Floats, chances: Floats, joint: bool) -> Floats:
    """Expected IMPs of the second of two contracts over the first, [worlds, 2, 14] each."""
    first, second = scores[:, 0], scores[:, 1]
    if joint:
        return np.asarray((imps_of(second - first) * chances[:, 1]).sum(axis=1))
    table = imps_of(second[:, :, None] - first[:, None, :])
    return np.asarray(np.einsum("wij,wi,wj->w", table, chances[:, 1], chances[:, 0]))


def _matchpoints(scores: Floats, chances: Floats) -> Floats:
    """P(better than the first way) - P(worse): twice the matchpoints of a board, less one."""
    out = np.zeros(scores.shape[:2])
    for way in range(1, scores.shape[1]):
        sign = np.sign(scores[:, way, :, None] - scores[:, 0, None, :])
        out[:, way] = np.einsum("wij,wi,wj->w", sign, chances[:, way], chances[:, 0])
    return out
