"""Sets of worlds, or of hands, as integers: bit i is number i, so one more test is one `&`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def as_set(mask: NDArray[np.bool_]) -> int:
    """A mask as an integer with one bit per hand."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def as_mask(many: int, count: int) -> NDArray[np.bool_]:
    """The integer as a mask again."""
    raw = np.frombuffer(many.to_bytes((count + 7) // 8, "little"), np.uint8)
    return np.unpackbits(raw, count=count, bitorder="little").astype(bool)


def members(many: int) -> Iterator[int]:
    """The numbers of the hands in a set."""
    while many:
        bit = many & -many
        yield bit.bit_length() - 1
        many ^= bit
