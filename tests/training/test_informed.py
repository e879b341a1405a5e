"""Opponents who know us: the lessons change SL, the examination says by how much."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.nets.features import UNKNOWN_SYSTEM  # noqa: E402
from overtrick_lab.training import data, informed, network  # noqa: E402
from overtrick_lab.training.match import network_form  # noqa: E402
from overtrick_lab.training.trials_settings import InformedSettings  # noqa: E402


@pytest.fixture(scope="module")
def settings(folder: Path) -> InformedSettings:
    """A 'policy' that is SL with an opinion of its own."""
    params, card = network.load(folder / "sl.npz", "policy")
    weight, bias = params[-1]
    loud = (*params[:-1], (weight, bias.at[3:8].add(2.0)))
    network.save(folder / "loud.npz", loud, card)
    return InformedSettings(
        policy=folder / "loud.npz", supervised=folder / "sl.npz", deals=folder / "solved.npz",
        auctions=folder / "auctions.npz", out=folder / "informed", ways="response",
        anchors="0.1,0.02", iterations=3, steps=20, tables=32, watched=64, rounds=1,
        learning_rate=1e-3, tiny=True,
    )  # fmt: skip


@pytest.mark.slow
def test_a_response_is_trained_and_examined(settings: InformedSettings) -> None:
    informed.run(settings)
    found = json.loads((settings.out / "informed.json").read_text())
    entry = found["opponents"][0]
    assert [e["opponent"] for e in found["opponents"]] == [
        "response, anchor 0.1",
        "response, anchor 0.02",
    ]
    assert entry["lessons"] == 3
    assert 0 < entry["calls_as_sl"] <= 1
    assert 0 < entry["teacher_accuracy"] <= 1
    before, _ = network.load(settings.supervised, "policy")
    after, card = network.load(settings.out / "response_0.1.npz", "policy")
    assert any((a[0] != b[0]).any() for a, b in zip(before, after, strict=True))
    assert card.made_by["policy_over_it"] == entry["policy_over_it"]


def test_sl_itself_is_wholly_sl(settings: InformedSettings) -> None:
    examiner = informed.Examiner(replace(settings, auctions=None))
    assert examiner.likeness(examiner.sl[0]) == 1
    assert examiner.likeness(examiner.policy[0]) < 1


def test_watched_auctions_are_whole_and_flagged(settings: InformedSettings) -> None:
    policy, card = network.load(settings.policy, "policy")
    sl, _ = network.load(settings.supervised, "policy")
    form = network_form(card)
    shown = informed.auctions_of(policy, sl, form, "shown", settings)
    assert len(shown) == settings.watched
    assert ((shown.systems == UNKNOWN_SYSTEM).sum(axis=1) == 1).all()
    for calls, length in zip(shown.calls, shown.length, strict=True):
        assert (calls[:length] >= 0).all()
        assert (calls[length:] == -1).all()
        assert (calls[length - 3 : length] == 0).all()
    assert jnp.asarray(shown.calls).max() < 38
    clone = informed.auctions_of(policy, sl, form, "clone", settings)
    assert (clone.systems == data.SAYC).all()
    assert (np.asarray(clone.owner) == np.asarray(shown.owner)).all()


@pytest.mark.slow
def test_a_clone_becomes_the_policy(settings: InformedSettings) -> None:
    informed.run(replace(settings, ways="clone", steps=600, out=settings.out / "c"))
    found = json.loads((settings.out / "c" / "informed.json").read_text())
    last = found["opponents"][-1]
    assert abs(last["policy_over_it"]["imps"]) < abs(found["plain_margin"]["imps"])


def test_an_unknown_way_is_one_clear_line(settings: InformedSettings) -> None:
    with pytest.raises(data.DataError, match="no way to learn called guess"):
        informed.run(replace(settings, ways="guess"))
