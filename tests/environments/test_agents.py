"""Bridge for learning agents: what others' checks of environments ask, and what bridge asks."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from overtrick import View, bidder, check_bidder
from overtrick.environments import (
    ACTIONS,
    DATASETS,
    WIDTHS,
    Leaderboard,
    LeaderRow,
    dataset,
    legal,
    observe,
)
from overtrick.environments.datasets import dealt
from overtrick.game import OptionError, ParseError
from overtrick.nets.features import CALLS

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from overtrick.environments.solo import SoloTable  # noqa: E402
from overtrick.environments.tables import BridgeTable, env  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_bidder.py"
TASKS = ("bidding", "play", "whole")


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_accepts_the_table_for_four(task: str) -> None:
    api_test(env(task), num_cycles=60)
    seed_test(lambda: env(task), num_cycles=20)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.filterwarnings("ignore")
def test_gymnasium_accepts_the_table_for_one(task: str) -> None:
    check_env(SoloTable(task), skip_render_check=True)


@pytest.mark.parametrize("task", TASKS)
def test_a_board_ends_and_both_sides_win_the_same(task: str) -> None:
    table = BridgeTable(task)
    table.reset(seed=4)
    rng = np.random.default_rng(5)
    rewards = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter(300):
        seen, reward, over, _, _ = table.last()
        rewards[agent] += reward
        assert seen is not None
        assert seen["observation"].shape == (WIDTHS[table.task],)
        may = np.flatnonzero(seen["action_mask"])
        table.step(None if over else int(rng.choice(may)))
    assert not table.agents
    assert rewards["north"] == rewards["south"] == -rewards["east"] == -rewards["west"]


def test_what_an_agent_sees_does_not_depend_on_hidden_cards() -> None:
    """The observation is made of a view, which has no other hand."""
    view = View("S", "AK3.QJ2.T98.7654", "P 1NT", "None")
    assert observe(view, "bidding").tolist() == observe(view, "whole")[:480].tolist()
    assert observe(view, "whole")[480:].sum() == 0
    assert legal(view)[:CALLS].tolist() == legal(view, "whole")[:CALLS].tolist()
    assert len(legal(view, "play")) == ACTIONS["play"]


def test_an_illegal_action_is_ruled_on() -> None:
    table = SoloTable("bidding")
    seen, _ = table.reset(seed=1, options={"board": 3})
    *_, told = table.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert "ruling" in told


def test_named_deals_are_what_their_digests_say() -> None:
    for name, known in DATASETS.items():
        assert len(dataset(name)) == known.deals, name
    assert (dataset("benchmark").owners == dealt(2026, 1000)).all()


def test_what_is_measured_on_was_not_learned_from() -> None:
    """The deals to choose by and the small set to try things on share none with those to learn."""
    learned = {row.tobytes() for row in dataset("train").owners}
    for name in ("validation", "practice", "benchmark"):
        assert not learned & {row.tobytes() for row in dataset(name).owners}, name


def test_a_leaderboard_goes_through_a_file(tmp_path: Path) -> None:
    empty = Leaderboard.on("benchmark", against="points")
    rows = [
        LeaderRow(name, imps, 0.1, 100, "2026-01-01", "…")
        for name, imps in (("a", 0.5), ("b", 1.0))
    ]
    board = empty.with_row(rows[0]).with_row(rows[1]).with_row(rows[0])
    assert [row.bidder for row in board.rows] == ["b", "a"]
    board.write(tmp_path / "board.json")
    assert Leaderboard.read(tmp_path / "board.json") == board
    (tmp_path / "board.json").write_text('{"deals": "benchmark"}')
    with pytest.raises(ParseError, match="no leaderboard"):
        Leaderboard.read(tmp_path / "board.json")
    with pytest.raises(OptionError, match="no deals called"):
        dataset("everything")


def test_sixty_lines_learn_to_bid() -> None:
    """So many lines of code, without what is told about them."""
    code = re.sub(r'"""[\s\S]*?"""|#.*', "", EXAMPLE.read_text(encoding="utf-8"))
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 60


def test_what_was_learned_bids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    np.savez("trained.npz", *(rng.normal(size=n) for n in ((480, 8), (8,), (8, 39), (39,))))
    check_bidder(bidder(f"inside(engine='{EXAMPLE}')"), boards=3)


@pytest.mark.slow
def test_the_example_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optax")
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLE))["train"](2, count=16, width=8)
    check_bidder(bidder(f"inside(engine='{EXAMPLE}')"), boards=1)


@pytest.mark.slow
def test_a_thousand_tables_see_what_single_ones_see() -> None:
    """The vectorised environment's observations, legal calls, rewards and par are those of views,
    auctions, scores and DDS's own par."""
    jax = pytest.importorskip("jax")
    from overtrick import Auction, Board, Call, Deal, Vulnerability, dd
    from overtrick.environments import vectorised as many
    from overtrick.game import Seat, view_of
    from overtrick.nets.features import CARD_AT

    count = 40
    state = many.reset(jax.random.key(3), many.source(dataset("practice")), count)
    rng = np.random.default_rng(1)
    owners = np.zeros((count, 52), np.uint8)
    owners[:, CARD_AT] = np.asarray(state.tables.deals.owner)
    dealers = [Seat(int(d)) for d in np.asarray(state.tables.deals.dealer)]
    vuls = [Vulnerability(int(v)) for v in np.asarray(state.tables.deals.vul)]
    auctions = [Auction(d) for d in dealers]
    deals = [Deal.from_owners(row.tobytes()) for row in owners]
    for place in range(6):
        table, par = dd.table(deals[place]), np.asarray(state.par)[place]
        assert dd.par(table, vuls[place], dealers[place]).score == par
    while not all(a.is_over for a in auctions):
        seen, may = np.asarray(many.observe(state)), np.asarray(many.legal(state))
        calls = np.zeros(count, np.int32)
        for n, auction in enumerate(auctions):
            if auction.is_over:
                continue
            view = view_of(Board(n + 1, dealers[n], vuls[n], deals[n]), auction)
            assert seen[n].tolist() == observe(view).tolist()
            assert may[n].tolist() == legal(view)[:CALLS].tolist()
            calls[n] = rng.choice(np.flatnonzero(may[n]))
            auctions[n] = auction.then(Call(int(calls[n])))
        state = many.step(state, jax.numpy.asarray(calls))
    assert np.asarray(state.done).all()
