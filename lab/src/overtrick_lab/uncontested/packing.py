"""Arrays of weights in few bits: whole multiples of one step, in two pieces that deflate well.

The step follows the weights' root mean square, not their largest: after deflate a rare large number
costs little, and one step for all leaves the least error for the size of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float32]

_STEPS_PER_OCTAVE: Final = 4
"""Steps come from a coarse ladder, so that an array which is read and written again stays the same
although rounding has moved its mean square a little."""


def packed(name: str, weights: Weights, fine: float) -> dict[str, npt.NDArray[Any]]:
    """The entries of an npz that hold `weights`, rounded to about a `fine`th of their usual size.

    Deflate sees no pattern in bits below a byte: what does not fit into the 8 high bits is stored
    as plain rows of bits.
    """
    usual = max(float(np.sqrt(np.square(weights, dtype=np.float64).mean())), 1e-12)
    step = 2 ** (round(_STEPS_PER_OCTAVE * np.log2(usual / fine)) / _STEPS_PER_OCTAVE)
    whole = np.round(weights.astype(np.float64) / np.float32(step)).astype(np.int32)
    rows = max(int(np.abs(whole).max()).bit_length() - 7, 0)
    low = (whole.ravel() >> np.arange(rows)[:, None]) & 1
    return {
        name: (whole >> rows).astype(np.int8),
        f"{name}_low": np.packbits(low.astype(np.uint8), axis=1),
        f"{name}_step": np.array(step, dtype=np.float32),
    }


def unpacked(file: Mapping[str, Any], name: str) -> Weights:
    """The weights that `packed` has stored under this name."""
    high, low = file[name].astype(np.int32), file[f"{name}_low"]
    bits = np.unpackbits(low, axis=1, count=high.size).astype(np.int32)
    rest = (bits << np.arange(len(low))[:, None]).sum(axis=0).reshape(high.shape)
    weights: Weights = ((high << len(low)) + rest).astype(np.float32) * file[f"{name}_step"]
    return weights
