"""The recipes from end to end, tiny, on a CPU, without any data but what they make themselves."""

from __future__ import annotations

import json
import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick_lab.training import (  # noqa: E402
    data,
    disclosure,
    match,
    network,
    report,
    rewards,
    rollout,
    selfplay,
    supervised,
    trick_network,
)
from overtrick_lab.training.options import field_help  # noqa: E402
from overtrick_lab.training.settings import SelfplaySettings, SupervisedSettings  # noqa: E402
from overtrick_lab.training.trials_settings import ReportSettings  # noqa: E402
from tests.training.toys import DEALS, tiny, toy_calls  # noqa: E402


def test_positions_are_the_features_of_the_auction(folder: Path) -> None:
    auctions = data.read_auctions(folder / "auctions.npz")
    these = supervised.positions(auctions)
    chosen = np.random.default_rng(0).integers(0, these.total, 80)
    look_up = jax.jit(supervised.look_up, static_argnames="systems")
    seen, wanted = look_up(these, jnp.asarray(chosen), systems=len(features.SYSTEMS))
    calls = wanted.call
    legal = np.asarray(jax.jit(supervised.legal_calls)(seen))
    assert (legal == features.legal_calls(np.asarray(seen).astype(np.uint8))).all()
    for row, number in enumerate(chosen):
        deal, turn = int(these.deal[number]), int(these.turn[number])
        seat = (int(auctions.dealer[deal]) + turn) % 4
        hand = sum(
            1 << int(features.CARD_AT[p]) for p in np.flatnonzero(auctions.owner[deal] == seat)
        )
        before = [int(call) for call in auctions.calls[deal, :turn]]
        public = features.public_bits(
            before, int(auctions.dealer[deal]), int(auctions.vul[deal]), seat
        )
        ours, theirs = (int(auctions.systems[deal, side]) for side in (seat % 2, 1 - seat % 2))
        version = features.feature_version("auction-1+systems-2")
        whole = features.observe(hand, public, features.system_bits(ours, theirs, version))[0]
        assert (np.asarray(seen[row]) == whole).all()
        assert int(calls[row]) == auctions.calls[deal, turn]


def test_supervised_learns_and_says_what_it_is(folder: Path) -> None:
    params, card = network.load(folder / "sl.npz", "policy")
    these = supervised.positions(data.read_auctions(folder / "auctions.npz"))
    right, _ = supervised.accuracy(params, these, card, batch=512)
    assert right > 0.6
    assert card.features == "auction-1+systems-2"
    assert card.made_by["settings"]["steps"] == "60"
    assert "auctions" in card.made_by["test_accuracy"]


def test_selfplay_trains_saves_and_resumes(folder: Path) -> None:
    settings = tiny(folder)
    curve = selfplay.run(settings)
    before, _card = network.load(folder / "sl.npz", "policy")
    after, _ = network.load(settings.out / "policy.npz", "policy")
    assert any((a[0] != b[0]).any() for a, b in zip(before, after, strict=True))
    assert all(np.isfinite(point["over_sl"]) for point in curve)
    assert len((settings.out / "curve.jsonl").read_text().splitlines()) == len(curve)
    again = selfplay.prepare(replace(settings, resume=settings.out))
    assert len(again.past) == 2
    assert (again.policy[0][0] == after[0][0]).all()


def test_selfplay_on_random_deals_needs_no_solver(folder: Path, tmp_path: Path) -> None:
    tricks = trick_network.init(jax.random.PRNGKey(0), 8, 8, 1)
    network.save(tmp_path / "tricks.npz", tricks, network.NetworkCard("tricks", "hands-1"))
    settings = replace(
        tiny(folder), tricks=tmp_path / "tricks.npz", out=tmp_path, iterations=2,
        table=rewards.SHIPPED, reward="matchpoints",
    )  # fmt: skip
    run = selfplay.SelfplayRun(settings, selfplay.prepare(settings), began=time.monotonic())
    known = {bytes(row) for row in np.asarray(run.stock.owner)}
    assert not any(bytes(row) in known for row in np.asarray(run.pool.deals.owner))
    list(selfplay.training(run))
    assert (tmp_path / "policy.npz").exists()


def test_more_systems_do_not_change_what_a_network_says() -> None:
    five, seven = (features.feature_version(f"auction-1+systems-{k}") for k in (1, 2))
    params = network.init(jax.random.PRNGKey(0), five.width, features.CALLS, 16)
    public = features.public_bits([], 0, 0, 0)
    seen = [features.observe([1], public, features.system_bits(1, 4, v)) for v in (five, seven)]
    wide = network.widen(params, five, seven)
    before, after = network.forward(params, seen[0]), network.forward(wide, seen[1])
    assert np.allclose(before, after)


def test_selfplay_whose_time_went_on_reading_still_learns_once() -> None:
    class Late:
        """A run that has no time left when it begins."""

        settings = SelfplaySettings()
        iterations = saved = ended = 0
        curve: tuple[()] = ()

        def progress(self) -> float:
            return 1.0

        time_used = progress

        def iterate(self) -> str:
            self.iterations += 1
            return "metrics"

        def evaluate(self, metrics: str) -> dict[str, str]:
            return {"metrics": metrics}

        def save(self) -> None:
            self.saved += 1

        def over(self) -> None:
            self.ended += 1

    run = Late()
    assert list(selfplay.training(run)) == [(1.0, {"metrics": "metrics"})]  # type: ignore[arg-type]
    assert (run.iterations, run.saved, run.ended) == (1, 1, 1)


@pytest.mark.slow
def test_full_report_compares_systems(folder: Path) -> None:
    settings = replace(tiny(folder), out=folder / "reported")
    selfplay.run(settings)
    figures = ReportSettings(
        policy=settings.out / "policy.npz", supervised=settings.supervised, deals=settings.deals,
        held_out=60, boards=60, rounds=1,
    )  # fmt: skip
    found = report.run(figures)
    assert json.dumps(found)
    told = found["over_sl_by_system"]["sayc"]
    assert told["told"] == told["told sayc"] == found["over_sl_by_system"]["sayc"]["told"]


def test_a_network_draws_with_itself(folder: Path) -> None:
    policy = network.load(folder / "sl.npz", "policy")
    test = data.read_solved(folder / "solved.npz")
    result = match.duel(policy, policy, match.boards(test, 2 * DEALS, seed=3), DEALS)
    assert result.mean == 0
    assert result.error == 0
    assert result.boards == 2 * DEALS


def test_advantages_change_sign_with_the_side() -> None:
    """Without a critic the advantage of the k-th call from the end is the reward, sign by side."""
    shape = (4, 1)
    zeros = jnp.zeros(shape)
    done = jnp.array([[False], [False], [False], [True]])
    reward = jnp.array([[0.0], [0.0], [0.0], [2.0]])
    calls = rollout.Calls(*[zeros] * 8, value=zeros, reward=reward, done=done, ours=zeros)
    found = rollout.advantages(calls, jnp.zeros(1), trace=1.0)
    assert found[:, 0].tolist() == [-2.0, 2.0, -2.0, 2.0]


def test_guard_sees_the_faults_that_disclosure_measures() -> None:
    rng = np.random.default_rng(4)
    owner = data.random_owners(400, rng)
    deals = simulator.Deals(
        jnp.asarray(owner), jnp.zeros((400, 5, 4), jnp.int8), jnp.zeros(400, jnp.int32),
        jnp.zeros(400, jnp.int32), jnp.ones((400, 2), jnp.int8),
    )  # fmt: skip
    faults_of = jax.jit(lambda t: rollout.opening_faults(simulator.observe(t, 5)))
    tables = simulator.start(deals)
    faults = np.asarray(faults_of(tables))
    points = disclosure.high_card_points(owner)[:, 0]
    lengths = disclosure.suit_lengths(owner)[:, 0]
    for number, bid in enumerate(disclosure.ONE_LEVEL):
        assert (faults[:, number] == ~disclosure.conforms_to_sayc(bid, points, lengths)).all()
    assert (faults[:, 5] == (points <= 7)).all()
    opened = jax.jit(simulator.step)(tables, jnp.full(400, 3))
    assert not np.asarray(faults_of(opened)).any()


def test_openings_count_chances_and_conformity() -> None:
    owner = data.random_owners(2000, np.random.default_rng(5))
    dealer = np.zeros(2000, dtype=np.int8)
    calls = toy_calls(owner, dealer)
    turn = (calls >= 3).argmax(axis=1)
    opened = calls[np.arange(2000), turn] >= 3
    opener = np.where(opened, turn % 4, -1)
    bid = np.where(opened, calls[np.arange(2000), turn] - 3, -1)
    seen = disclosure.openings(owner, dealer, opener, bid)
    assert seen.rate["0-3"] == seen.rate["8-11"] == 0
    assert seen.rate["16+"] == 1
    assert seen.light_rate == 0
    assert seen.made["1NT"] == 0
    assert 0.5 < seen.conforms["1S"] < 1


def test_settings_are_their_command_line() -> None:
    for settings in (SupervisedSettings, SelfplaySettings):
        assert set(field_help(settings)) == {entry.name for entry in fields(settings)}


def test_bad_files_are_one_clear_line(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(data.DataError, match="is no file of solved deals"):
        data.read_solved(tmp_path / "none.npz")
    with pytest.raises(data.DataError, match="cannot read"):
        data.read_auctions(tmp_path / "none.npz")
    (tmp_path / "junk.npz").write_bytes(b"junk")
    with pytest.raises(data.DataError, match="not a network file"):
        network.load(tmp_path / "junk.npz", "policy")
    with pytest.raises(data.DataError, match="is a policy network"):
        network.load(folder / "sl.npz", "critic")
    with pytest.raises(data.DataError, match="has no array"):
        data.read_auctions(folder / "solved.npz")
    auctions = data.read_auctions(folder / "auctions.npz")
    data.save_atomically(
        tmp_path / "short.npz", owners=data.pack_owners(auctions.owner), dealer=auctions.dealer,
        vul=auctions.vul, length=auctions.length, calls=np.zeros(3, np.uint8),
    )  # fmt: skip
    with pytest.raises(data.DataError, match="do not fit"):
        data.read_auctions(tmp_path / "short.npz")
    dealt = " ".join(str(card) for card in range(52))
    for line, what in (("♠", "cannot read"), (dealt, "not a complete"), (f"{dealt} 90", "no call")):
        (tmp_path / "games.txt").write_text(line + "\n", encoding="utf-8")
        with pytest.raises(data.DataError, match=what):
            data.read_auctions(tmp_path / "games.txt")
    for change in ({"steps": 0}, {"held_out": 0}):
        plain = SupervisedSettings(auctions=folder / "auctions.npz", out=tmp_path / "x.npz")
        with pytest.raises(data.DataError, match="at least one"):
            supervised.run(replace(plain, **change))  # type: ignore[arg-type]
    with pytest.raises(data.DataError, match="multiple of the minibatch"):
        selfplay.prepare(replace(tiny(folder), minibatch=100))
