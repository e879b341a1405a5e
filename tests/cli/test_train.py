"""`overtrick train`: settings are the command line, mistakes are one line."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from overtrick.cli import main
from overtrick_lab.training.options import RECIPES
from overtrick_lab.verbs.train import command


@pytest.mark.parametrize("verb", list(RECIPES))
def test_every_setting_is_an_option(verb: str) -> None:
    names = {p.name for p in command.commands[verb].params}
    assert names == {f.name for f in fields(RECIPES[verb][0])} | {"as_json"}
    shown = CliRunner().invoke(main, ["train", verb, "--help"], prog_name="overtrick").output
    assert f"overtrick train {verb}" in shown


def test_export_from_the_command_line(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from tests.small_networks import trained

    source = trained(tmp_path / "small.npz", "policy")
    words = ["train", "export", "--network", str(source), "--out", str(tmp_path), "--json"]
    result = CliRunner().invoke(main, [*words, "--precision", "fp16"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["found"]["precision"] == "fp16"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["export", "--network", "gone.npz"], "gone.npz is not a network file"),
        (["gate", "--new", "gone.onnx"], "gone.npz|no file of solved deals|no network"),
        (["curve", "--curve", "gone.jsonl"], "cannot read gone.jsonl"),
        (["supervise"], "no such command|No such command"),
    ],
)
def test_mistakes_are_one_line(words: list[str], text: str) -> None:
    import re

    result = CliRunner().invoke(main, ["train", *words])
    assert result.exit_code == 2
    assert re.search(text, result.stderr)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["selfplay"], ["all", "--tiny"], ["from-pbn", "club.pbn"]])
def test_a_missing_extra_is_named_in_one_line(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [m for m in sys.modules if m.startswith("overtrick_lab.training.")]:
        if not name.endswith("settings"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jax", None)
    result = CliRunner().invoke(main, ["train", *words])
    assert result.exit_code != 0
    assert "needs jax: pip install 'overtrick-lab[train]'" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_accelerator_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    jax = pytest.importorskip("jax")
    pytest.importorskip("optax")

    def none_here() -> None:
        raise RuntimeError("Unable to initialize backend 'cuda'")

    monkeypatch.setattr(jax, "devices", none_here)
    monkeypatch.setenv("JAX_PLATFORMS", "cuda")
    result = CliRunner().invoke(main, ["train", "tricks", "--deals", "gone.npz"])
    assert result.exit_code != 0
    assert "unset it" in result.stderr
    assert result.stderr.count("\n") == 1


def test_wrong_versions_and_cut_files_are_one_line(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    from tests.small_networks import trained

    old = trained(tmp_path / "old.npz", "policy", "auction-0")
    whole = trained(tmp_path / "whole.npz", "policy")
    (tmp_path / "cut.npz").write_bytes(whole.read_bytes()[:3000])
    for file, text in ((old, "sees features 'auction-0'"), (tmp_path / "cut.npz", "not a network")):
        result = CliRunner().invoke(main, ["train", "selfplay", "--supervised", str(file)])
        assert result.exit_code == 2, result.output
        # The other line says that there is no accelerator, where there is none.
        lines = [line for line in result.stderr.splitlines() if "accelerator" not in line]
        assert [text in line for line in lines if "training on" not in line] == [True]


def test_no_accelerator_is_said_in_one_line() -> None:
    jax = pytest.importorskip("jax")
    pytest.importorskip("optax")
    result = CliRunner().invoke(main, ["train", "tricks", "--deals", "gone.npz"])
    assert result.exit_code == 2
    said = result.stderr.splitlines()[0]
    if jax.devices()[0].platform == "cpu":
        assert said.startswith("no accelerator found")
    else:
        assert said.startswith("training on")
    assert "gone.npz" in result.stderr.splitlines()[-1]


def test_curve_and_gate(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("onnx")
    from tests.small_networks import exported
    from tests.training.test_export import solved

    line = {
        "calls": 1e6, "over_sl": 0.5, "error": 0.1, "newest_over_sl": 0.4, "light_rate": 0.1,
        "conforms": {"1C": 0.8},
    }  # fmt: skip
    (tmp_path / "curve.jsonl").write_text(json.dumps(line) + "\n" + json.dumps(line) + "\n{")
    out = tmp_path / "curve.png"
    words = ["train", "curve", "--curve", str(tmp_path / "curve.jsonl"), "--out", str(out)]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert out.stat().st_size > 1000
    solved(20).save(tmp_path / "deals.npz")
    new, old = exported(tmp_path, "policy", seed=3), exported(tmp_path, "policy", seed=4)
    words = ["train", "gate", "--new", new, "--old", old, "--deals", str(tmp_path / "deals.npz")]
    result = CliRunner().invoke(main, [*words, "--boards", "20", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)["found"]
    assert found["deals"] == 20
    assert not found["natural"]
    assert not found["passed"]
