"""The recipe for table tricks, and rewards made with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
pytest.importorskip("optax", reason="the extra train brings optax")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick.nets.table_tricks import SHIFTS, WIDTH, TableTricks  # noqa: E402
from overtrick.nets.table_tricks import table_tricks as load  # noqa: E402
from overtrick_lab.training import data, played, rewards, table_tricks  # noqa: E402
from overtrick_lab.training.played import PlayedBoards  # noqa: E402
from overtrick_lab.training.predicting_settings import TableTrickSettings  # noqa: E402
from overtrick_lab.training.rewards import Reward  # noqa: E402
from overtrick_lab.training.settings import PostMortemSettings, SelfplaySettings  # noqa: E402

TINY = TableTrickSettings(hidden="8", steps=400, folds=2, prior=0.1)


def invented(count: int = 600) -> PlayedBoards:
    """Boards on which notrump takes a trick more than double dummy and suits take one less."""
    rng = np.random.default_rng(1)
    zeros = np.zeros(count, np.int8)
    calls = np.zeros((count, 4), np.int8)
    systems = np.zeros((count, 2), np.int8)
    length = np.full(count, 4, np.int16)
    owner = data.random_owners(count, rng)
    strain = rng.choice([3, 4], count)
    solved = rng.integers(7, 11, count)
    contract = np.stack([np.full(count, 3), strain, zeros, rng.integers(0, 4, count)], axis=1)
    return PlayedBoards(
        data.Auctions(owner, zeros, zeros, length, calls, systems),
        np.arange(count),
        np.zeros((count, 2), np.uint8),
        contract.astype(np.int8),
        np.zeros((count, 52), np.uint8),
        (solved + np.where(strain == 4, 1, -1)).astype(np.int8),
        np.stack([solved, solved], axis=1).astype(np.int8),
        np.zeros((count, 2), np.int8),
    )


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("table")
    played.write(folder / "played.npz", invented(), {})
    wish = replace(TINY, boards=folder / "played.npz", out=folder / "table.npz")
    found = table_tricks.run(wish)
    assert found["+played, solved"]["log_loss"] < 0.3 < found["+table, solved"]["log_loss"]
    assert "level 3" in found["by kind"]
    return wish.out


def test_it_learns_what_was_played(learned: Path) -> None:
    boards = table_tricks.taken(invented(100))
    found = table_tricks.estimates(boards, load(str(learned)), exact=True)["+played"]
    off = found @ np.arange(14) - boards.double_dummy
    notrump = boards.contracts.bids % 5 == 4
    assert off[notrump].mean() > 0.8
    assert off[~notrump].mean() < -0.8


def test_too_few_boards_are_said(tmp_path: Path) -> None:
    played.write(tmp_path / "few.npz", invented(40), {})
    with pytest.raises(data.DataError, match="too few"):
        table_tricks.run(replace(TINY, boards=tmp_path / "few.npz"))


def three_notrump(count: int) -> simulator.AuctionTables:
    """Dealer North bids 3NT and everybody passes, on random deals with nine tricks everywhere."""
    deals = simulator.random_deals(jax.random.PRNGKey(0), count)
    deals = deals._replace(
        tricks=jnp.full((count, 5, 4), 9, jnp.int8), dealer=jnp.zeros(count, int)
    )
    tables = simulator.start(deals._replace(vul=jnp.zeros(count, int)))
    for call in (17, 0, 0, 0):
        tables = simulator.step(tables, jnp.full(count, call))
    return tables


def test_scores_are_those_of_the_table(learned: Path) -> None:
    tables = three_notrump(64)
    coin = Reward().coins(jax.random.PRNGKey(1), 64)
    assert (Reward().score(tables, coin) == 400).all()
    at_table = np.asarray(Reward(table=learned).score(tables, coin))
    assert (at_table == 430).mean() > 0.8, "a trick more in notrump"


def test_tables_draw_as_the_network_says() -> None:
    shift = np.log(np.array([1e-9] * 3 + [0.25, 0.5, 0.25] + [1e-9] * 3))
    network = TableTricks(((np.zeros((WIDTH, len(SHIFTS)), np.float32), shift),))
    tables = three_notrump(4000)
    coin = Reward().coins(jax.random.PRNGKey(2), 4000)
    taken = np.asarray(rewards.as_played(tables, coin, network.layers).deals.tricks[:, 4, 0])
    counts = np.bincount(taken, minlength=14)[8:11] / 4000
    assert counts == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_a_share_of_the_deals_stays_double_dummy(learned: Path) -> None:
    tables = three_notrump(2000)
    reward = Reward(table=learned, at_table=0.25)
    scores = np.asarray(reward.score(tables, reward.coins(jax.random.PRNGKey(3), 2000)))
    always = np.asarray(
        Reward(table=learned).score(tables, Reward().coins(jax.random.PRNGKey(3), 2000))
    )
    changed = (scores != 400).mean() / (always != 400).mean()
    assert changed == pytest.approx(0.25, abs=0.05)


def test_matchpoints_count_who_is_better() -> None:
    won = Reward("matchpoints").won(jnp.array([10.0, -1500.0, 0.0]))
    assert won.tolist() == [rewards.MATCHPOINTS, -rewards.MATCHPOINTS, 0]
    assert Reward().won(jnp.array([10.0, -1500.0])).tolist() == [0, -17]


@pytest.mark.parametrize("settings", [SelfplaySettings(), PostMortemSettings()])
def test_a_wrong_reward_is_said(settings: SelfplaySettings | PostMortemSettings) -> None:
    with pytest.raises(data.DataError, match="imps or matchpoints"):
        Reward.of(replace(settings, reward="aces"))
    assert Reward.of(replace(settings, table=rewards.SHIPPED)).layers()
