"""Exported networks compute what the trained ones do, say what they are, and are checked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from overtrick.nets.features import SAYC, UNKNOWN_SYSTEM, legal_calls
from overtrick.nets.inference import NetworkError, network, softmax
from overtrick.notation.solved import SolvedDeals
from overtrick_lab.training import data, export, exported_match, gate
from overtrick_lab.training.exported_match import MatchSide
from overtrick_lab.training.trials_settings import ExportSettings, GateSettings
from tests.small_networks import PLAIN, SYSTEMS, exported, trained


@pytest.fixture
def auctions(tmp_path: Path) -> Path:
    """Some auctions: everybody passes or opens at random and the rest pass."""
    rng = np.random.default_rng(1)
    count = 60
    calls = np.full((count, 8), -1, np.int8)
    for row in calls:
        bid = rng.integers(3, 38)
        row[: rng.integers(0, 4)] = 0
        opened = int((row == 0).sum())
        row[opened : opened + 4] = [bid, 0, 0, 0]
    length = (calls >= 0).sum(axis=1).astype(np.int16)
    dealer, vul = rng.integers(0, 4, count), rng.integers(0, 4, count)
    systems = rng.integers(0, 5, (count, 2)).astype(np.int8)
    owner = data.random_owners(count, rng)
    path = tmp_path / "auctions.npz"
    data.write_auctions(
        path,
        data.Auctions(owner, dealer.astype(np.int8), vul.astype(np.int8), length, calls, systems),
    )
    return path


def solved(count: int, seed: int = 0) -> SolvedDeals:
    rng = np.random.default_rng(seed)
    owners = rng.permuted(np.tile(np.arange(52) % 4, (count, 1)), axis=1).astype(np.uint8)
    return SolvedDeals(owners, rng.integers(0, 14, (count, 5, 4)).astype(np.uint8))


@pytest.mark.parametrize("features", [SYSTEMS, PLAIN])
@pytest.mark.parametrize("precision", export.PRECISIONS)
def test_policy_makes_the_same_calls(
    tmp_path: Path, auctions: Path, features: str, precision: str
) -> None:
    source = export.read(trained(tmp_path / "p.npz", "policy", features))
    rows = export.some_positions(auctions, 200, 0, systems=5 * (features == SYSTEMS))
    assert legal_calls(rows).any(axis=1).all()
    net = network(exported(tmp_path, "policy", features, precision=precision), "policy")
    found = export.same_calls(source, net, rows)
    assert found["positions"] == len(rows)
    assert found["same_call"] >= (0.9 if precision == "int8" else 0.999)


def test_tricks_network_is_the_recipes(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    from overtrick_lab.training import network as files
    from overtrick_lab.training import trick_network

    params, card = files.load(trained(tmp_path / "t.npz", "tricks"), "tricks")
    owner = data.random_owners(5, np.random.default_rng(0))
    hands = np.asarray(trick_network.hands_of(owner)).astype(np.uint8)
    expected = np.asarray(trick_network.forward(params, hands, card.activation))
    found = network(exported(tmp_path, "tricks"), "tricks").run(hands)
    assert found.shape == (5, 5, 4, 14)
    assert np.abs(found - expected).max() < 1e-3


@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_a_policy_is_compared_with_itself_whatever_its_activation(
    tmp_path: Path, auctions: Path, activation: str
) -> None:
    source = trained(tmp_path / "p.npz", "policy", activation=activation)
    settings = ExportSettings(source, tmp_path / "out", precision="fp32", auctions=auctions)
    checked = export.run(settings)["export_check"]
    assert checked["same_call"] == 1
    assert checked["probability_moved"] < 1e-4


def test_a_refused_network_leaves_the_old_one_in_its_place(
    tmp_path: Path, auctions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ExportSettings(
        trained(tmp_path / "p.npz", "policy"), tmp_path / "out", precision="fp32", auctions=auctions
    )
    export.run(settings)
    before = sorted((p.name, p.read_bytes()) for p in settings.out.iterdir())
    monkeypatch.setitem(export.REQUIRED, "fp32", 1.1)
    trained(tmp_path / "p.npz", "policy", seed=1)
    with pytest.raises(data.DataError, match="makes other calls"):
        export.run(settings)
    assert sorted((p.name, p.read_bytes()) for p in settings.out.iterdir()) == before


def test_a_network_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "p.onnx"
    rows = np.random.default_rng(0).integers(0, 2, (4, 490)).astype(np.uint8)
    said = []
    for seed in (0, 1):
        source = export.read(trained(tmp_path / "p.npz", "policy", seed=seed))
        export.to_onnx(source, "p", path, "fp32")
        said.append(network(str(path), "policy").run(rows))
    assert np.abs(said[0] - said[1]).max() > 0.01


def test_run_writes_network_and_card(tmp_path: Path, auctions: Path) -> None:
    notes = tmp_path / "notes.json"
    notes.write_text('{"results": "none"}')
    source = trained(tmp_path / "mine.npz", "policy")
    settings = ExportSettings(
        source, tmp_path / "out", precision="fp16", auctions=auctions, notes=notes
    )
    card = export.run(settings)
    written = json.loads((tmp_path / "out" / "mine.json").read_text())
    assert written == card
    assert card["export_check"]["same_call"] >= 0.999
    assert card["bytes"] == (tmp_path / "out" / "mine.onnx").stat().st_size
    assert card["results"] == "none"
    assert network(str(tmp_path / "out" / "mine.onnx"), "policy").name == "mine"


def test_run_measures_tricks(tmp_path: Path) -> None:
    solved(30).save(tmp_path / "deals.npz")
    source = trained(tmp_path / "tricks.npz", "tricks")
    card = export.run(ExportSettings(source, tmp_path / "out", deals=tmp_path / "deals.npz"))
    assert card["export_check"]["deals"] == 30
    assert 1 < card["export_check"]["median_error"] < 10


def test_a_network_draws_with_itself_and_style_is_measured(tmp_path: Path) -> None:
    deals = solved(40)
    net = network(exported(tmp_path, "policy"), "policy")
    other = network(exported(tmp_path, "policy", seed=1), "policy")
    assert not exported_match.duel(MatchSide(net), MatchSide(net), deals).any()
    there = exported_match.duel(MatchSide(net), MatchSide(other), deals)
    back = exported_match.duel(MatchSide(other), MatchSide(net), deals)
    assert there.any()
    assert (there == -back).all()
    style = exported_match.opening_style(MatchSide(net), deals)
    assert sum(style.chances.values()) >= 40


def test_the_gate_asks_strangers_told_and_not_told(tmp_path: Path) -> None:
    solved(40).save(tmp_path / "deals.npz")
    old, new, other = (str(exported(tmp_path, "policy", seed=n)) for n in (0, 1, 2))
    wish = GateSettings(new, old, tmp_path / "deals.npz", boards=40, strangers=f"{other} sayc")
    found = gate.run(wish)
    assert set(found["strangers"]) == {f"{other} sayc disclosed", f"{other} sayc undisclosed"}
    assert found["passed"] == (found["wins"] and found["holds"] and found["natural"])
    same = gate.run(replace(wish, new=old))
    assert (same["imps"], same["over_strangers"]["imps"]) == (0, 0)
    assert not same["wins"]
    assert not same["holds"]


def test_who_is_not_told_knows_no_system(tmp_path: Path) -> None:
    net = network(exported(tmp_path, "policy"), "policy")
    assert MatchSide(net).declared == SAYC
    assert MatchSide(net, disclosed=False).declared == UNKNOWN_SYSTEM


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(data.DataError, match="is not a network file"):
        export.read(tmp_path / "nothing.npz")
    with pytest.raises(data.DataError, match="precision must be"):
        export.to_onnx(
            export.read(trained(tmp_path / "p.npz", "policy")), "x", tmp_path / "x.onnx", "int4"
        )
    with pytest.raises(NetworkError, match="is a policy network, not belief"):
        network(exported(tmp_path, "policy"), "belief")


def test_a_belief_of_sigmoids_keeps_its_chances(tmp_path: Path) -> None:
    """What a reader makes of the export is what training measured: the sigmoids, normalised."""
    source = trained(tmp_path / "belief.npz", "belief", form="cards")
    export.to_onnx(export.read(source), "belief", tmp_path / "belief.onnx", "fp32")
    rows = np.random.default_rng(1).integers(0, 2, (5, 490)).astype(np.uint8)
    read = softmax(network(str(tmp_path / "belief.onnx"), "belief").run(rows))
    separate = 1 / (1 + np.exp(-export.forward(export.read(source), rows).reshape(5, 52, 3)))
    assert np.allclose(read, separate / separate.sum(axis=2, keepdims=True), atol=1e-5)
    odd = trained(tmp_path / "odd.npz", "belief", form="whole deals")
    with pytest.raises(data.DataError, match="cannot be exported"):
        export.to_onnx(export.read(odd), "odd", tmp_path / "odd.onnx", "fp32")
