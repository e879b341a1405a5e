"""Files of solved deals (.npz): owners packed two bits a card, tricks by strain and declarer.
The one place that knows the packing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.archives import UNREADABLE, arrays
from overtrick.game import Deal, ParseError
from overtrick.notation.whole import whole_file

# The file orders cards spades A..2, hearts, diamonds, clubs; ours is clubs 2..A up to spades.
_FILE_ORDER: Final = 51 - np.arange(52)
_BYTE: Final = np.arange(52) // 4
_SHIFT: Final = (2 * (np.arange(52) % 4)).astype(np.uint8)

Owners = npt.NDArray[np.uint8]


def unpack_owners(packed: npt.NDArray[np.uint8]) -> Owners:
    """[n, 13] bytes → [n, 52] seats, indexed by our card number."""
    in_file_order = packed[:, _BYTE] >> _SHIFT & 3
    return in_file_order[:, _FILE_ORDER].astype(np.uint8)


def pack_owners(owners: Owners) -> npt.NDArray[np.uint8]:
    """[n, 52] seats by our card number → [n, 13] bytes."""
    shifted = owners[:, _FILE_ORDER].astype(np.uint8) << _SHIFT
    packed: npt.NDArray[np.uint8] = np.bitwise_or.reduce(
        shifted.reshape(len(owners), 13, 4), axis=2
    )
    return packed


def hands_of(owners: npt.NDArray[np.integer]) -> npt.NDArray[np.uint64]:
    """[n, 52] seats by our card number → [n, 4]: the hands as 52-bit numbers."""
    bit = np.uint64(1) << np.arange(52, dtype=np.uint64)
    held = [np.where(owners == seat, bit, np.uint64(0)).sum(axis=1) for seat in range(4)]
    return np.stack(held, axis=1).astype(np.uint64)


@dataclass(frozen=True, slots=True)
class SolvedDeals:
    """Many deals with their double-dummy tables, as arrays."""

    owners: Owners  # [n, 52]
    tricks: npt.NDArray[np.uint8]  # [n, strain C D H S NT, declarer N E S W]

    @classmethod
    def load(cls, path: Path) -> SolvedDeals:
        try:
            stored = arrays(path, "owners", "tricks")
            owners, tricks = stored["owners"], stored["tricks"]
        except UNREADABLE as error:
            raise ParseError(f"{path} is no file of solved deals: {error}") from None
        if owners.ndim != 2 or owners.shape[1] != 13 or tricks.shape != (len(owners), 5, 4):
            raise ParseError(f"{path} is no file of solved deals: shapes do not fit")
        return cls(unpack_owners(owners.astype(np.uint8)), tricks.astype(np.uint8))

    def save(self, path: Path) -> None:
        """Write atomically: a crash leaves the old file or the new one, never half."""
        with whole_file(path) as file:
            np.savez_compressed(file, owners=pack_owners(self.owners), tricks=self.tricks)

    def __len__(self) -> int:
        return len(self.owners)

    @property
    def hands(self) -> npt.NDArray[np.uint64]:
        """[n, 4]: the hands as 52-bit numbers."""
        return hands_of(self.owners)

    def deal(self, index: int) -> Deal:
        return Deal.from_owners(self.owners[index].tobytes())

    def tricks_of(self, index: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(int(t) for t in row) for row in self.tricks[index])
