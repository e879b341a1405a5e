"""What recipes reward at the end of an auction: IMPs or matchpoints against another table on the
same cards, with double-dummy tricks or with what declarers take at the table.

At the table tricks are drawn from what `nets.table_tricks` expects of the contract. One coin for
each strain and side decides how lucky declarer is, so that two tables which play the same contract
score the same, and two contracts in one strain nearly so. A share of the deals can stay double
dummy: a policy that is to win by either count learns from both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from overtrick.environments import simulator
from overtrick.environments.simulator import AuctionTables
from overtrick.nets.table_tricks import MOST, Contracted, Layers, beside, facts, scores
from overtrick.nets.table_tricks import table_tricks as load
from overtrick_lab.training.data import DataError
from overtrick_lab.training.settings import PostMortemSettings, SelfplaySettings

MATCHPOINTS: Final = 4.0
"""What a better score counts at matchpoints, so that rewards are about as large as IMPs."""
SHIPPED: Final = Path("shipped")
KINDS: Final = ("imps", "matchpoints")
_SOLVED: Final = -1.0  # the coin of a deal that is scored double dummy


class Reward(NamedTuple):
    """How scores are made and compared; a plain value, so compiled functions may depend on it."""

    kind: str = "imps"
    table: Path | None = None
    at_table: float = 1.0  # share of the deals on which table tricks count

    @classmethod
    def of(cls, settings: SelfplaySettings | PostMortemSettings) -> Reward:
        """As the settings say; what is wrong or missing is an error now."""
        if settings.reward not in KINDS:
            raise DataError(f"the reward is imps or matchpoints, not {settings.reward}")
        if not 0 <= settings.at_table <= 1:
            raise DataError("at-table is a share, from 0 to 1")
        found = cls(settings.reward, settings.table, settings.at_table)
        if settings.table is not None:
            found.layers()
        return found

    def layers(self) -> Layers:
        """The network of table tricks."""
        return load("" if self.table == SHIPPED else str(self.table)).layers

    def score(self, tables: AuctionTables, coin: Array) -> Array:
        """North-South's score in the contract as it stands; `coin` is one of `coins`."""
        if self.table is not None:
            tables = as_played(tables, coin, self.layers())
        return simulator.score(tables)

    def coins(self, key: Array, count: int) -> Array:
        """[n, strain, side]: declarer's luck on each deal, between 0 and 1, or double dummy."""
        luck_key, solved_key = jax.random.split(key)
        luck = jax.random.uniform(luck_key, (count, 5, 2))
        if self.at_table == 1:
            return luck
        solved = jax.random.uniform(solved_key, (count, 1, 1)) >= self.at_table
        return jnp.where(solved, _SOLVED, luck)

    def won(self, difference: Array) -> Array:
        """What a difference in points is worth, with its sign."""
        if self.kind == "matchpoints":
            return MATCHPOINTS * jnp.sign(difference)
        return simulator.imps(difference)


def as_played(tables: AuctionTables, coin: Array, layers: Layers) -> AuctionTables:
    """The tables with table tricks instead of double dummy in the contract as it stands."""
    bid, strain, declarer = simulator.contract(tables)
    rows = jnp.arange(bid.shape[0])
    solved = tables.deals.tricks[rows, strain, declarer].astype(jnp.int32)
    held = tables.deals.owner[:, None, :] == jnp.arange(4)[:, None]
    known = facts(held, Contracted(bid, declarer, tables.doubled), jnp)
    inputs = jnp.concatenate([known, beside(bid, solved, jnp)], axis=1)
    below = jnp.cumsum(jax.nn.softmax(scores(layers, inputs, solved, jnp)), axis=1)
    luck = coin[rows, strain, declarer % 2][:, None]
    shift = jnp.minimum((below < luck).sum(axis=1), 2 * MOST) - MOST
    shift = jnp.where(luck[:, 0] == _SOLVED, 0, shift)
    taken = jnp.clip(solved + shift, 0, 13).astype(tables.deals.tricks.dtype)
    tricks = tables.deals.tricks.at[rows, strain, declarer].set(taken)
    return tables._replace(deals=tables.deals._replace(tricks=tricks))
