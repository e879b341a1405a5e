"""Recipe: what declarers take at the table beside double dummy, from boards of our own players.
`nets.table_tricks` has the inputs and runs the result with numpy; `bidding.kernel.leaves` calls it
`+played`, and self-play and the post-mortem take it with `--table`.

Measured on every board by a network that has not learned from it, with tricks by the network of the
package as bidders have them: double dummy as it is, moved by published averages (`+table`), and by
what was learned here. What is written has learned from all boards.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

from overtrick.bidding.kernel.leaves import at_the_table, table_of
from overtrick.nets.contract import at_least
from overtrick.nets.table_tricks import (
    INPUTS,
    MOST,
    SHIFTS,
    WIDTH,
    Contracted,
    Layers,
    TableTricks,
    beside,
    facts,
    scores,
    seat_bits,
)
from overtrick.notation.whole import whole_file
from overtrick_lab.training import data, played
from overtrick_lab.training.predicting_settings import TableTrickSettings
from overtrick_lab.training.settings import plain
from overtrick_lab.training.trick_figures import log_loss

Floats = NDArray[np.float64]
_LEAST: Final = 100  # boards to learn from
Foreseen = dict[str, dict[str, Floats]]  # kind of double-dummy tricks, estimate → chances


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Contracts that were played, one a row."""

    hands: NDArray[np.uint64]  # [n, seat]
    contracts: Contracted
    double_dummy: NDArray[np.int64]
    tricks: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tricks)

    def __getitem__(self, rows: Any) -> Taken:
        contracts = Contracted(*(column[rows] for column in self.contracts))
        return Taken(self.hands[rows], contracts, self.double_dummy[rows], self.tricks[rows])

    @property
    def inputs(self) -> NDArray[np.float32]:
        """[n, WIDTH]: what the network sees of each."""
        known = facts(seat_bits(self.hands), self.contracts)
        return np.concatenate([known, beside(self.contracts.bids, self.double_dummy)], axis=1)

    @property
    def shift(self) -> NDArray[np.int64]:
        """Which of the network's answers was right."""
        off = self.tricks - self.double_dummy
        return np.asarray(np.clip(off, -MOST, MOST) + MOST)


def taken(boards: played.PlayedBoards) -> Taken:
    """The contracts of boards that were not passed out."""
    level, strain, doubled, declarer = boards.contract.astype(np.int64).T
    return Taken(
        data.hands_of(boards.auctions.owner),
        Contracted(5 * (level - 1) + strain, declarer, doubled),
        boards.double_dummy[:, 0].astype(np.int64),
        boards.tricks.astype(np.int64),
    )


def learn(boards: Taken, settings: TableTrickSettings) -> Layers:
    """The weights after all steps."""
    sizes = [WIDTH, *(int(n) for n in settings.hidden.split(",") if n), len(SHIFTS)]
    rng = np.random.default_rng(settings.seed)
    layers: Layers = tuple(
        (jnp.asarray(rng.normal(0, np.sqrt(1 / a), (a, b)), jnp.float32), jnp.zeros(b))
        for a, b in pairwise(sizes)
    )
    seen, right = jnp.asarray(boards.inputs), jnp.asarray(boards.shift)
    tricks = jnp.asarray(boards.double_dummy)
    rate = optax.cosine_decay_schedule(settings.learning_rate, settings.steps)
    method = optax.adam(rate)
    prior = settings.prior / len(boards)  # the more boards, the less it weighs

    def error(layers: Layers, rows: Any) -> Any:
        said = jax.nn.log_softmax(scores(layers, seen[rows], tricks[rows], jnp))
        large = sum((weight**2).sum() for weight, _ in layers)
        return prior * large - jnp.take_along_axis(said, right[rows][:, None], axis=1).mean()

    def step(carry: Any, key: Any) -> Any:
        layers, state = carry
        rows = jax.random.randint(key, (settings.batch,), 0, len(boards))
        cost, slope = jax.value_and_grad(error)(layers, rows)
        change, state = method.update(slope, state, layers)
        return (optax.apply_updates(layers, change), state), cost

    keys = jax.random.split(jax.random.PRNGKey(settings.seed), settings.steps)
    run_all = jax.jit(lambda first: jax.lax.scan(step, first, keys))
    (layers, _), _ = run_all((layers, method.init(layers)))
    return tuple((np.asarray(weight), np.asarray(bias)) for weight, bias in layers)


def estimates(boards: Taken, network: TableTricks, exact: bool) -> dict[str, Floats]:
    """Chances of tricks [n, 14] by double dummy, by published averages, and by the network."""
    rows = np.arange(len(boards))
    bids, declarers, _ = boards.contracts
    if exact:
        plain_chances = np.eye(14)[boards.double_dummy]
    else:
        plain_chances = table_of("tricks", boards.hands)[rows, bids % 5, declarers]
    return {
        "double dummy": plain_chances,
        "+table": at_the_table(plain_chances, bids),
        "+played": network.at_table(plain_chances, boards.hands, boards.contracts),
    }


def figures(chances: Floats, boards: Taken) -> dict[str, float]:
    """Log loss, errors of the mean number of tricks, and how well making is foreseen."""
    off = chances @ np.arange(14) - boards.tricks
    target = boards.contracts.bids // 5 + 7
    makes = np.take_along_axis(at_least(chances), target[:, None], axis=1)[:, 0]
    made = boards.tricks >= target
    return {
        "log_loss": round(log_loss(chances, boards.tricks), 4),
        "too_many_tricks": round(float(off.mean()), 4),
        "tricks_off": round(float(np.abs(off).mean()), 4),
        "makes_too_often": round(float((makes - made).mean()), 4),
        "brier": round(float(((makes - made) ** 2).mean()), 4),
    }


def by_kind(found: dict[str, Floats], boards: Taken) -> dict[str, dict[str, float]]:
    """By level and by strain: how many, tricks beyond double dummy as they were and as each
    estimate says, and how often contracts made and were said to."""
    bids = boards.contracts.bids
    level, strain = bids // 5 + 1, bids % 5
    kinds = {f"level {number}": level == number for number in range(1, 8)}
    kinds |= {"notrump": strain == 4, "major": (strain == 2) | (strain == 3), "minor": strain < 2}
    kinds["doubled"] = boards.contracts.doubled > 0
    out = {}
    for kind, rows in kinds.items():
        if not rows.any():
            continue
        some = boards[rows]
        target = some.contracts.bids // 5 + 7
        beyond = (some.tricks - some.double_dummy).astype(float)
        row: dict[str, float] = {
            "boards": len(some),
            "beyond": round(float(beyond.mean()), 3),
            "error": round(float(beyond.std() / np.sqrt(len(some))), 3),
            "made": round(float((some.tricks >= target).mean()), 3),
        }
        for name, chances in found.items():
            means = chances[rows] @ np.arange(14) - some.double_dummy
            makes = np.take_along_axis(at_least(chances[rows]), target[:, None], axis=1)
            row |= {
                f"beyond by {name}": round(float(means.mean()), 3),
                f"made by {name}": round(float(makes.mean()), 3),
            }
        out[kind] = row
    return out


def as_text(kinds: dict[str, dict[str, float]]) -> str:
    """The same as lines for a person."""
    lines = [
        f"{kind:9} {row['boards']:6.0f} boards, beyond double dummy {row['beyond']:+.2f} ± "
        f"{row['error']:.2f} (+table {row['beyond by +table']:+.2f}, "
        f"+played {row['beyond by +played']:+.2f}); made {100 * row['made']:.1f} % "
        f"({100 * row['made by double dummy']:.1f}, {100 * row['made by +table']:.1f}, "
        f"{100 * row['made by +played']:.1f})"
        for kind, row in kinds.items()
    ]
    return "\n".join(lines)


def foreseen(boards: Taken, part: NDArray[np.int64], settings: TableTrickSettings) -> Foreseen:
    """The estimates of all boards, each part by a network that has learned from the others; with
    double-dummy tricks as the network of the package has them, and solved."""
    found: Foreseen = {kind: {} for kind in ("by network", "solved")}
    for number in np.unique(part):
        rows = part == number
        network = TableTricks(learn(boards[~rows], settings))
        for kind, estimated in found.items():
            for name, chances in estimates(boards[rows], network, kind == "solved").items():
                estimated.setdefault(name, np.zeros((len(boards), 14)))[rows] = chances
    return found


def run(settings: TableTrickSettings) -> dict[str, Any]:
    """Read, measure on boards that were not learned from, learn from all of them, write."""
    every = played.read(settings.boards)
    some = every[every.contract[:, 0] > played.NOBODY]
    boards, part = taken(some), some.number % settings.folds
    if settings.folds < 2 or len(boards) < _LEAST or len(np.unique(part)) < settings.folds:
        raise data.DataError(f"{len(boards)} boards are too few for {settings.folds} parts")
    found = foreseen(boards, part, settings)
    measured: dict[str, Any] = {"boards": len(boards)}
    for kind, estimated in found.items():
        for name, chances in estimated.items():
            measured[f"{name}, {kind}"] = figures(chances, boards)
    arrays = {"inputs": np.int64(INPUTS)}
    for i, (weight, bias) in enumerate(learn(boards, settings)):
        arrays |= {f"w{i}": weight.astype(np.float16), f"b{i}": bias.astype(np.float16)}
    card = json.dumps({"settings": plain(settings), "measured": measured})
    with whole_file(settings.out) as stream:
        np.savez_compressed(stream, card=np.array(card), **arrays)  # type: ignore[arg-type]
    kinds = by_kind(found["by network"], boards)
    return measured | {"by kind": "\n" + as_text(kinds)}
