"""Tests of recipes compile much and run little: the compiler need not try hard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def quick_compiler(request: pytest.FixtureRequest) -> Iterator[None]:
    """For the modules of this folder, not for those below it."""
    if request.path.parent.name != "training":
        yield
        return
    jax = pytest.importorskip("jax")
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)
