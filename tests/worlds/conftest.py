"""Random hands for the tests of constraints and dealing."""

import numpy as np
import pytest
from numpy.typing import NDArray


def random_hands(n: int, seed: int) -> NDArray[np.uint64]:
    order = np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)[:, :13]
    return np.bitwise_or.reduce(np.uint64(1) << order.astype(np.uint64), axis=1)


@pytest.fixture(scope="session")
def hands() -> NDArray[np.uint64]:
    return random_hands(20_000, 7)
