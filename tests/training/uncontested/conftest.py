"""A few hundred random "solved" deals: the tricks are invented but depend on the cards."""

from __future__ import annotations

import numpy as np
import pytest

from overtrick_lab.training.uncontested.deals import TabledDeals
from overtrick_lab.uncontested.features import lengths, points


@pytest.fixture(scope="session")
def solved() -> TabledDeals:
    rng = np.random.default_rng(3)
    owner = rng.permuted(np.tile(np.repeat(np.arange(4), 13), (600, 1)), axis=1)
    hands = (owner[:, None, :] == np.arange(4)[:, None]).astype(np.uint8)
    flat = hands.reshape(-1, 52)
    strength = points(flat).reshape(-1, 4)
    shape = lengths(flat).reshape(-1, 4, 4)
    pair = strength + np.roll(strength, 2, axis=1)
    fit = shape + np.roll(shape, 2, axis=1)
    tricks = np.empty((600, 5, 4), dtype=np.uint8)
    tricks[:, 4] = np.clip(np.round(pair * 13 / 40), 0, 13)
    for suit in range(4):
        tricks[:, suit] = np.clip(np.round(pair * 0.3 + fit[:, :, suit] - 6), 0, 13)
    return TabledDeals(hands, tricks)
