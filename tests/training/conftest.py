"""Tests of recipes compile much and run little: the compiler need not try hard, and only once.
The tiny auctions, solved deals and SL network that the recipes are tested with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from overtrick.nets import features
from overtrick_lab.training import data, disclosure
from overtrick_lab.training.settings import SupervisedSettings
from tests.training.toys import DEALS, toy_calls


@pytest.fixture(autouse=True, scope="session")
def compiled_once(pytestconfig: pytest.Config) -> None:
    """What was compiled before, in this run or an earlier one, is read from .make/jax."""
    if "jax" not in sys.modules:  # imported while tests were collected, if any of them needs it
        return
    import jax

    # Each worker of a parallel run has a folder of its own: nobody reads a half-written entry.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    place = pytestconfig.rootpath / ".make" / "jax" / worker
    jax.config.update("jax_compilation_cache_dir", str(place))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


@pytest.fixture(autouse=True, scope="module")
def quick_compiler(request: pytest.FixtureRequest) -> Iterator[None]:
    """For the modules of this folder, not for those below it."""
    if request.path.parent.name != "training":
        yield
        return
    jax = pytest.importorskip("jax", reason="the extra train brings JAX")
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)
    jax.clear_caches()  # the compiled programs of all modules together take gigabytes


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Auctions and 'solved' deals (tricks follow combined length and strength, roughly), and SL."""
    jax = pytest.importorskip("jax", reason="the extra train brings JAX")
    pytest.importorskip("optax", reason="the extra train brings optax")
    from overtrick_lab.training import network, supervised

    place, rng = tmp_path_factory.mktemp("training"), np.random.default_rng(3)
    owner = data.random_owners(DEALS, rng)
    dealer = rng.integers(0, 4, DEALS).astype(np.int8)
    calls = toy_calls(owner, dealer)
    systems = rng.integers(0, 5, (DEALS, 2)).astype(np.int8)
    vul = rng.integers(0, 4, DEALS).astype(np.int8)
    length = (calls >= 0).sum(axis=1).astype(np.int16)
    data.write_auctions(
        place / "auctions.npz", data.Auctions(owner, dealer, vul, length, calls, systems)
    )
    points, lengths = disclosure.high_card_points(owner), disclosure.suit_lengths(owner)
    pair = (points + np.roll(points, 2, axis=1))[:, None, :]
    fit = np.swapaxes(lengths + np.roll(lengths, 2, axis=1), 1, 2)
    fit = np.concatenate([fit, np.full((DEALS, 1, 4), 7)], axis=1)
    tricks = np.clip(np.round((pair - 20) / 3 + fit - 1), 0, 13).astype(np.int8)
    data.write_solved(place / "solved.npz", data.ObservedDeals(owner, tricks))
    # One hidden layer instead of four: self-play compiles it in half the time.
    shallow = network.init(jax.random.PRNGKey(0), 490, features.CALLS, 48, layers=1)
    network.save(
        place / "untaught.npz", shallow, network.NetworkCard("policy", "auction-1+systems-1")
    )
    settings = SupervisedSettings(
        auctions=place / "auctions.npz", resume=place / "untaught.npz", out=place / "sl.npz",
        held_out=50, steps=60, batch=128, learning_rate=3e-3,
    )  # fmt: skip
    jax.config.update("jax_disable_most_optimizations", True)
    supervised.run(settings)
    jax.config.update("jax_disable_most_optimizations", False)
    return place
