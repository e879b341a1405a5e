"""Settings of every test: no test fails because the machine is busy, and few examples are many."""

from __future__ import annotations

import gc

import pytest
from hypothesis import settings

# `make slow` asks for the thorough profile.
settings.register_profile("untimed", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile("untimed")


def pytest_collection_finish() -> None:
    """Modules stay, and so does what systems and networks remember: looking through them for
    garbage again and again took a sixth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.fixture(params=[1, pytest.param(4, marks=pytest.mark.slow)], ids=["some", "many"])
def times(request: pytest.FixtureRequest) -> int:
    """How many times as many random examples as usual: once, and in `make slow` four times."""
    found: int = request.param
    return found
