"""`overtrick train all`: from the rules of a card to its network, and on after any kill."""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
pytest.importorskip("onnx", reason="the extra train brings onnx")

from overtrick.bidding import bidder  # noqa: E402
from overtrick.game import Auction, Hand, Seat, Systems, View, Vulnerability  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick_lab.training import (  # noqa: E402
    belief,
    campaign,
    network,
    post_mortem,
    trick_network,
)
from overtrick_lab.training.data import DataError  # noqa: E402
from overtrick_lab.training.predicting_settings import BeliefSettings  # noqa: E402
from overtrick_lab.training.settings import AllSettings, PostMortemSettings  # noqa: E402
from overtrick_lab.verbs.train import command  # noqa: E402

ROOT = Path(__file__).parents[2]
_SOURCES = (ROOT / "src", ROOT / "lab" / "src")


def test_all_from_rules_to_a_network(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even tinier than tiny, without the report; belief and post-mortem have their own tests."""

    def untaught(wish: BeliefSettings) -> dict[str, float]:
        inputs = features.VERSIONS["auction-1+systems-2"].width
        params = network.init(jax.random.PRNGKey(0), inputs, belief.OUTPUTS, 8)
        network.save(wish.out, params, network.NetworkCard("belief", "auction-1+systems-2"))
        return {"loss": 1.1, "uniform_loss": 1.1}

    def unchanged(wish: PostMortemSettings) -> dict[str, float]:
        assert wish.within is not None
        network.save(wish.out, *network.load(wish.policy, "policy"))
        return {"steps": 0, "over_start": 0.0, "error": 0.0}

    monkeypatch.setattr(belief, "run", untaught)
    monkeypatch.setattr(post_mortem, "run", unchanged)
    smaller = replace(
        campaign.TINY, width=16, lessons=60, steps=8, iterations=2, apart=20,
        selfplay={**campaign.TINY.selfplay, "guests": 0, "every": 2},
    )  # fmt: skip
    monkeypatch.setattr(campaign, "TINY", smaller)
    small = trick_network.init(jax.random.PRNGKey(0), 8, 8, 1)
    network.save(tmp_path / "tricks.npz", small, network.NetworkCard("tricks", "hands-1"))
    wish = AllSettings(
        tiny=True, out=tmp_path / "mine", deals=folder / "solved.npz", workers=1, report="none",
        tricks=tmp_path / "tricks.npz",
    )  # fmt: skip
    found = campaign.run(wish)
    card = json.loads((wish.out / "mine.json").read_text())
    assert card["lineage"]["outside_auctions"] == "none"
    assert card["lineage"]["systems"] == ["two-over-one", "sayc"]
    assert found["gate"]["deals"] == 20
    engine = bidder(found["engine"].replace(")", ", batches=0)"))
    view = View(
        Seat.NORTH, Hand.parse("AKQ432.K32.Q43.2"), Auction(), Vulnerability.NONE,
        systems=Systems(engine.system, "sayc"),
    )  # fmt: skip
    assert engine.bid(view).call.ascii == "1S"
    assert campaign.run(wish) == found  # nothing is done twice
    with pytest.raises(DataError, match="holds a run with --seed 0, not 1"):
        campaign.run(replace(wish, seed=1))


def test_wishes_that_cannot_be_fulfilled(tmp_path: Path) -> None:
    plain = AllSettings(out=tmp_path / "none")
    with pytest.raises(DataError, match="train caller"):
        campaign.run(replace(plain, card="natural"))
    with pytest.raises(DataError, match="quick, usual"):
        campaign.run(replace(plain, report="long"))
    assert not plain.out.exists()
    plain.out.mkdir()
    (plain.out / "run.json").write_text("{}")
    with pytest.raises(DataError, match="not what a run leaves"):
        campaign.run(plain)


@pytest.mark.slow
def test_an_installed_package_solves_its_own_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "shipped", lambda name: None)
    found = campaign.run(AllSettings(tiny=True, out=tmp_path / "mine", workers=1))
    assert "labels" in (tmp_path / "mine" / "run.json").read_text()
    assert found["printed"].startswith("| A | B |")
    card = json.loads((tmp_path / "mine" / "mine.json").read_text())
    assert card["lineage"]["rewards"] == "double-dummy tricks as tricks.npz expects them"


@pytest.mark.parametrize("page", ["training.md", "howto/train.md"])
def test_commands_of_the_documentation_are_understood(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^overtrick train (.+?)(?: +#.*)?$", text, re.MULTILINE)
    assert len(lines) > 4
    for line in lines:
        verb, *words = [word for word in shlex.split(line) if word != "…"]  # as above
        # A command remembers how its help is asked for: the same as in the whole program.
        command.commands[verb].make_context(verb, words, help_option_names=["-h", "--help"])


def _started(place: Path, cache: Path) -> subprocess.Popen[bytes]:
    """The command as somebody types it, in a process group of its own."""
    words = ["train", "all", "--tiny", "--out", "mine", "--workers", "2", "--save-seconds", "0"]
    place.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "overtrick", *words, "--report", "none"],
        cwd=place,
        env={
            **os.environ, "PYTHONPATH": os.pathsep.join(map(str, _SOURCES)),
            "JAX_COMPILATION_CACHE_DIR": str(cache),
            "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
        },
        start_new_session=True,
    )  # fmt: skip


def _files(folder: Path) -> dict[str, bytes]:
    """Everything but the clock of the curve."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}
    for name in [name for name in found if name.endswith("curve.jsonl")]:
        points = [json.loads(line) for line in found[name].splitlines()]
        found[name] = json.dumps([{**point, "seconds": 0} for point in points]).encode()
    return found


@pytest.mark.slow
def test_killed_at_three_moments_it_ends_with_the_same_files(tmp_path: Path) -> None:
    cache, rng = tmp_path / "compiled", random.Random()
    began = time.monotonic()
    assert _started(tmp_path / "whole", cache).wait() == 0
    took = time.monotonic() - began
    kills = []
    # Early on; a little after self-play has kept its place; and the same of belief.
    for sign, most in (("", 0.3 * took), ("self/state.npz", 0.5), ("belief.state.npz", 0.3)):
        run = _started(tmp_path / "cut", cache)
        while run.poll() is None and not (tmp_path / "cut" / "mine" / sign).exists():
            time.sleep(0.05)
        moment = rng.uniform(0.0, most)
        try:
            run.wait(timeout=moment)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
        kills.append((sign, moment, run.wait()))
    assert _started(tmp_path / "cut", cache).wait() == 0
    whole, cut = _files(tmp_path / "whole" / "mine"), _files(tmp_path / "cut" / "mine")
    assert sorted(whole) == sorted(cut), kills
    assert [name for name in whole if whole[name] != cut[name]] == [], kills
    assert [code for _, _, code in kills].count(-signal.SIGKILL) >= 2, kills
