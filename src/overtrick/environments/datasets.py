"""Solved deals under names: what to learn from, what to be measured on, each with its SHA-256.

Two small sets are part of the package. The large ones are the repository's `data/solved_deals.npz`,
cut so that nobody is measured on what he learned from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from overtrick.game import OptionError
from overtrick.notation.solved import Owners, SolvedDeals

_PACKAGE: Final = Path(__file__).parent
_REPOSITORY: Final = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Deals `first` to `first + deals` of a file of solved deals that has this SHA-256.

    >>> sorted(set(d.deals > 0 for d in DATASETS.values()))
    [True]
    """

    name: str
    path: Path
    sha256: str
    first: int
    deals: int
    purpose: str

    def load(self) -> SolvedDeals:
        """The deals, once it is sure that they are these."""
        try:
            found = sha256(self.path.read_bytes()).hexdigest()
        except OSError:
            raise OptionError(
                f"the deals of {self.name!r} are in {self.path.name} of the project's repository,"
                f" which is not at {self.path.parent}"
            ) from None
        if found != self.sha256:
            raise OptionError(f"{self.path} is not the file of {self.name!r}: its SHA-256 differs")
        whole = SolvedDeals.load(self.path)
        if len(whole) < self.first + self.deals:
            raise OptionError(f"{self.path} holds {len(whole)} deals, too few for {self.name!r}")
        part = slice(self.first, self.first + self.deals)
        return SolvedDeals(whole.owners[part], whole.tricks[part])


def _large(name: str, first: int, deals: int, purpose: str) -> Dataset:
    return Dataset(
        name, _REPOSITORY / "data" / "solved_deals.npz",
        "f5f620b5e589210c94a4ab22755a510fdec248d36a3d7eacd75661ef0db86210",
        first, deals, purpose,
    )  # fmt: skip


def _small(name: str, digest: str, deals: int, purpose: str) -> Dataset:
    return Dataset(name, _PACKAGE / f"{name}.npz", digest, 0, deals, purpose)


DATASETS: Final[Mapping[str, Dataset]] = MappingProxyType({
    known.name: known
    for known in (
        _small("practice", "e1ef17ad6a50e44d1a4e6369e473be8759a58268b1afe42af4f4a17119a95e3a",
               1000, "to try things out: the last deals of the large file"),
        _small("benchmark", "72404fa7f5e8658b873e15307d3479da01ec3e383248cad574567114c9b9eba6",
               1000, "to be measured on; nothing that ships with the program learned from it"),
        _large("train", 0, 50_000, "to learn from"),
        _large("validation", 50_000, 6_000, "to choose by"),
    )
})  # fmt: skip


def dataset(name: str) -> SolvedDeals:
    """The solved deals of one of the named sets.

    >>> deals = dataset("practice")
    >>> len(deals), deals.deal(0).north.hcp
    (1000, 16)
    """
    if name not in DATASETS:
        raise OptionError(f"no deals called {name!r} ({', '.join(DATASETS)})")
    return DATASETS[name].load()


def dealt(seed: int, count: int) -> Owners:
    """Random deals as the benchmark's were dealt: [count, 52], who holds each card.

    >>> dealt(2026, 1000).shape
    (1000, 52)
    """
    pack = np.repeat(np.arange(4, dtype=np.uint8), 13)
    return np.random.default_rng(seed).permuted(np.tile(pack, (count, 1)), axis=1)
