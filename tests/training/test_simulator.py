"""The vectorised auctions against the rules in game/ and the features in nets/."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra train brings JAX")
import jax.numpy as jnp  # noqa: E402

from overtrick.environments import simulator  # noqa: E402
from overtrick.game.auction import Auction  # noqa: E402
from overtrick.game.scoring import imps, score  # noqa: E402
from overtrick.game.seats import Seat, Vulnerability  # noqa: E402
from overtrick.nets import features  # noqa: E402
from overtrick_lab.training import data  # noqa: E402

TABLES = 64


@pytest.fixture(scope="module")
def deals() -> simulator.Deals:
    rng = np.random.default_rng(5)
    owner = data.random_owners(TABLES, rng)
    tricks = rng.integers(0, 14, (TABLES, 5, 4)).astype(np.int8)

    @jax.jit
    def made(owner: jax.Array, tricks: jax.Array) -> simulator.Deals:
        drawn = simulator.sample_deals(jax.random.PRNGKey(0), owner, tricks, TABLES)
        side, foreign = jnp.arange(TABLES) % 2, jnp.arange(TABLES) < 50
        return simulator.with_systems(
            jax.random.PRNGKey(1), drawn, side, foreign, 0.2, len(features.SYSTEMS)
        )

    return made(jnp.asarray(owner), jnp.asarray(tricks))


def hands_of(owner: np.ndarray) -> list[int]:
    """Four 52-bit hands from owners in observation order."""
    hands = [0, 0, 0, 0]
    for place, seat in enumerate(owner):
        hands[int(seat)] |= 1 << int(features.CARD_AT[place])
    return hands


def test_every_state_agrees_with_the_rules(deals: simulator.Deals) -> None:
    rng = np.random.default_rng(6)
    tables = simulator.start(deals)
    auctions = [Auction(Seat(int(dealer))) for dealer in deals.dealer]
    step, observe = jax.jit(simulator.step), jax.jit(simulator.observe, static_argnums=1)
    legal_now, others_now = jax.jit(simulator.legal), jax.jit(simulator.other_hands)
    owners, systems, vuls = (np.asarray(x) for x in (deals.owner, deals.systems, deals.vul))
    tricks = np.asarray(deals.tricks)
    hands = [hands_of(owner) for owner in owners]
    for turn in range(36):
        legal, seen = (
            np.asarray(legal_now(tables)),
            np.asarray(observe(tables, len(features.SYSTEMS))),
        )
        others, done = np.asarray(others_now(tables)), np.asarray(tables.done)
        calls = np.zeros(TABLES, dtype=np.int32)
        for row, auction in enumerate(auctions):
            assert done[row] == auction.is_over
            if auction.is_over:
                continue
            seat, vul = int(auction.turn), int(vuls[row])
            assert set(np.flatnonzero(legal[row])) == {int(c) for c in auction.legal_calls()}
            public = features.public_bits(auction.calls, int(auction.dealer), vul, seat)
            ours, theirs = int(systems[row, seat % 2]), int(systems[row, 1 - seat % 2])
            version = features.feature_version("auction-1+systems-2")
            suffix = features.system_bits(ours, theirs, version)
            assert (seen[row] == features.observe(hands[row][seat], public, suffix)[0]).all()
            around = features.hand_bits([hands[row][(seat + step) % 4] for step in (1, 2, 3)])
            assert (others[row] == around.reshape(-1)).all()
            choices = np.flatnonzero(legal[row])[:6]
            if turn < 30:  # then everybody passes
                calls[row] = rng.choice(choices, p=_weights(len(choices)))
            auctions[row] = auction.then(int(calls[row]))
        tables = step(tables, jnp.asarray(calls))
    assert np.asarray(tables.done).all()
    points = np.asarray(jax.jit(simulator.score)(tables))
    for row, auction in enumerate(auctions):
        contract = auction.contract
        taken = 0
        if contract is not None:
            taken = int(tricks[row, contract.strain, contract.declarer])
        assert points[row] == score(contract, taken, Vulnerability(int(vuls[row])))


def _weights(count: int) -> np.ndarray:
    weights = np.array([0.45, 0.2, 0.15, 0.1, 0.05, 0.05][:count])
    return weights / weights.sum()


def test_imps_agree_with_the_rules() -> None:
    differences = np.arange(-4200, 4201, 10)
    ours = np.asarray(simulator.imps(jnp.asarray(differences, jnp.float32)))
    assert list(ours) == [imps(int(d)) for d in differences]


def test_symmetries_move_hands_and_tricks_together() -> None:
    """A suit's length in a hand and the tricks in it must meet again after the change."""
    rng = np.random.default_rng(7)
    owner = data.random_owners(200, rng)
    lengths = np.stack([(owner.reshape(-1, 13, 4) == s).sum(axis=1) for s in range(4)], axis=2)
    tricks = np.concatenate([lengths, np.full((200, 1, 4), 9)], axis=1).astype(np.int8)
    drawn = jax.jit(simulator.sample_deals, static_argnums=3)(
        jax.random.PRNGKey(3), jnp.asarray(owner), jnp.asarray(tricks), 500
    )
    by_rank = np.asarray(drawn.owner).reshape(-1, 13, 4)
    again = np.stack([(by_rank == seat).sum(axis=1) for seat in range(4)], axis=2)
    assert (again == np.asarray(drawn.tricks)[:, :4]).all()
    assert (np.asarray(drawn.tricks)[:, 4] == 9).all()


def test_contract_imps_are_those_of_the_better_declarer(deals: simulator.Deals) -> None:
    reference = jnp.full((TABLES,), 110.0)
    table = np.asarray(simulator.contract_values(deals, reference, simulator.imps))
    from overtrick.game.cards import Strain
    from overtrick.game.contract import Contract

    rng = np.random.default_rng(8)
    tricks, vuls = np.asarray(deals.tricks), np.asarray(deals.vul)
    for _ in range(200):
        row, side, doubled, bid = (int(rng.integers(0, n)) for n in (TABLES, 2, 2, 35))
        strain, vul = bid % 5, Vulnerability(int(vuls[row]))
        best = max((side, side + 2), key=lambda seat: int(tricks[row, strain, seat]))
        contract = Contract(bid // 5 + 1, Strain(strain), Seat(best), doubled)
        points = score(contract, int(tricks[row, strain, best]), vul)
        assert table[row, side, doubled, bid] == imps(points - 110)


def test_owners_survive_packing() -> None:
    owner = data.random_owners(20, np.random.default_rng(9))
    assert (data.unpack_owners(data.pack_owners(owner)) == owner).all()
    assert all((np.bincount(row, minlength=4) == 13).all() for row in owner)


def test_hands_of_owners_are_house_hands() -> None:
    owner = data.random_owners(5, np.random.default_rng(2))
    hands = data.hands_of(owner)
    for row in range(5):
        for place in range(52):
            card = (place % 4) * 13 + place // 4
            assert int(hands[row, owner[row, place]]) >> card & 1


def test_labels_are_the_solver_s() -> None:
    from overtrick.doubledummy import SolverError, table
    from overtrick.game import Deal, Hand
    from overtrick_lab.training import dd_labels

    owner = data.random_owners(1, np.random.default_rng(6))
    try:
        tricks = dd_labels.solve(owner)
    except SolverError as error:
        pytest.skip(str(error))
    deal = Deal(tuple(Hand(int(bits)) for bits in data.hands_of(owner)[0]))  # type: ignore[arg-type]
    assert (tricks[0] == np.asarray(table(deal).tricks)).all()


def test_labels_are_written_until_the_time_is_over(tmp_path: Path) -> None:
    from overtrick_lab.training import dd_labels
    from overtrick_lab.training.predicting_settings import LabelSettings

    path = tmp_path / "solved.npz"
    settings = LabelSettings(path, minutes=0.0, workers=2, seed=5)
    assert dd_labels.run(settings) == 2 * dd_labels.AT_ONCE  # once each, even without time
    solved = data.read_solved(path)
    assert ((solved.tricks >= 0) & (solved.tricks <= 13)).all()
    assert len({row.tobytes() for row in solved.owner}) == len(solved) == 16
    with pytest.raises(data.DataError, match="at least one worker"):
        dd_labels.run(LabelSettings(path, workers=0))


def test_a_solver_that_dies_is_an_error_not_a_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from overtrick.doubledummy import SolverError
    from overtrick_lab.training import dd_labels
    from overtrick_lab.training.predicting_settings import LabelSettings

    monkeypatch.setenv("OVERTRICK_DDS_THREADS", "none")  # every worker fails at its start
    settings = LabelSettings(tmp_path / "solved.npz", minutes=1, workers=2)
    with pytest.raises(SolverError, match="solver ended"):
        list(dd_labels.solving(settings))
