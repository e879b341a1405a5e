"""Contract evaluation: four hands in, chances of every number of tricks in every contract out.
The nets are those of PRAGMA's paper, or the modern one.

A model gives a table [n, strain C D H S NT, declarer N E S W, tricks 0..13]; all that a bidder asks
(P(at least k tricks), expected points, expected IMPs) is read off the table.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.game import imps, points
from overtrick.nets.contract_features import FEATURES, suit_columns, view_from
from overtrick.nets.features import hand_bits
from overtrick.nets.inference import NetworkError, network, softmax

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
Layers = list[tuple[NDArray[np.float32], ...]]
STRAINS: Final = 5
TRICKS: Final = 14
_CHUNK: Final = 4096


class ContractModel(Protocol):
    """Anything that knows how many tricks contracts take."""

    @property
    def name(self) -> str: ...

    def table(self, hands: Hands) -> Floats:
        """P(tricks) as [n, 5, 4, 14] for deals [n, seat]."""
        ...


class ModernNet:
    """The tricks network of the package (or a file): all twenty contracts of a deal in one go."""

    def __init__(self, name: str = "tricks", threads: int = 1) -> None:
        self.name = name
        self._net = network(name, "tricks", threads)

    def table(self, hands: Hands) -> Floats:
        rows = np.concatenate([hand_bits(hands[:, seat]) for seat in range(4)], axis=1)
        logits = self._net.run(rows).reshape(len(hands), STRAINS, 4, TRICKS)
        return softmax(logits).astype(float)


class PaperNets:
    """The two nets of the paper, 100-16-16-14: one for notrump, one for suits with trumps first.

    The outputs are the chances of each number of tricks; with `cumulative` fourteen separate
    chances of at least so many, as Figure 7 prints them.
    """

    name = "paper"

    def __init__(
        self,
        weights: dict[str, Layers],
        *,
        cumulative: bool = False,
    ) -> None:
        self.weights, self._cumulative = weights, cumulative

    def table(self, hands: Hands) -> Floats:
        out = np.empty((len(hands), STRAINS, 4, TRICKS))
        for start in range(0, len(hands), _CHUNK):
            part = slice(start, start + _CHUNK)
            columns = suit_columns(hands[part])
            for strain in range(STRAINS):
                for declarer in range(4):
                    out[part, strain, declarer] = self.one(columns, strain, declarer)
        return out

    def one(self, columns: NDArray[np.float32], strain: int, declarer: int) -> Floats:
        """P(tricks) [n, 14] of one contract, from the columns of the deals."""
        kind = "notrump" if strain == 4 else "suit"
        outputs = forward(self.weights[kind], view_from(columns, strain, declarer))
        return exactly(sigmoid(outputs)) if self._cumulative else softmax(outputs).astype(float)

    def tricks(self, hands: Hands, strain: int, declarer: int) -> Floats:
        """P(tricks) [n, 14] of one contract."""
        return self.one(suit_columns(hands), strain, declarer)


def forward(layers: Layers, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Inputs [n, 100] through two hidden layers of sigmoid units to fourteen sums."""
    hidden = inputs
    for weight, threshold in layers[:-1]:
        hidden = sigmoid(hidden @ weight + threshold)
    weight, threshold = layers[-1]
    return np.asarray(hidden @ weight + threshold, np.float32)


def sigmoid(x: NDArray[Any]) -> NDArray[Any]:
    """Between 0 and 1."""
    return np.asarray(1 / (1 + np.exp(-x)))


@lru_cache(maxsize=4)
def contract_model(name: str = "tricks", threads: int = 1) -> ContractModel:
    """`paper` for the paper's two nets; otherwise a tricks network by name or path."""
    if name == "paper":
        return paper_nets()
    return ModernNet(name, threads)


def paper_nets(path: str = "") -> PaperNets:
    """The paper's nets: those shipped, or of a file the recipe wrote."""
    from importlib.resources import files

    where = path or str(files("overtrick.nets") / "models" / "contract_paper.npz")
    try:
        stored = arrays(where)
        version = int(stored["features"])
        if version == FEATURES:
            weights: dict[str, Layers] = {
                kind: [(stored[f"{kind}_w{i}"], stored[f"{kind}_b{i}"]) for i in range(3)]
                for kind in ("notrump", "suit")
            }
            return PaperNets(weights, cumulative=bool(stored.get("cumulative", False)))
    except UNREADABLE as error:
        raise NetworkError(f"no contract nets in {where}: {error}") from None
    raise NetworkError(f"{where} is of another version of the inputs: {version}, not {FEATURES}")


def at_least(chances: Floats) -> Floats:
    """P(at least k tricks), k = 0..13, from P(exactly k): what Figure 7 prints."""
    return np.asarray(chances[..., ::-1].cumsum(axis=-1)[..., ::-1])


def exactly(least: Floats) -> Floats:
    """P(exactly k) from fourteen separate estimates of P(at least k): never more for more tricks,
    and at least none is certain."""
    falling = np.minimum.accumulate(least, axis=-1)
    falling[..., 0] = 1.0
    return np.asarray(-np.diff(falling, axis=-1, append=0.0))


@cache
def score_table() -> Floats:
    """Declarer's points [bid 0..34, doubled, vulnerable, tricks]."""
    table = np.zeros((35, 3, 2, TRICKS))
    for bid, doubled, vulnerable, tricks in np.ndindex(table.shape):
        table[bid, doubled, vulnerable, tricks] = points(
            bid // 5 + 1, bid % 5, doubled, bool(vulnerable), tricks
        )
    return table


@cache
def _imp_table() -> Floats:
    return np.array([imps(10 * d) for d in range(-1600, 1601)], dtype=float)


def imps_of(difference: Floats) -> Floats:
    """IMPs for differences of scores, rounded to tens as scores are."""
    at = np.rint(difference / 10).astype(np.int64) + 1600
    return np.asarray(_imp_table()[np.clip(at, 0, 3200)])


def expected_score(chances: Floats, bid: int, doubled: int = 0, vulnerable: bool = False) -> Floats:
    """Declarer's expected points: each result times its chance (the paper's section 3.1)."""
    return np.asarray(chances @ score_table()[bid, doubled, int(vulnerable)])
