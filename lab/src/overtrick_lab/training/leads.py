"""Recipe: a small perceptron that says how opening leads differ in tricks, from solved boards.
`cardplay.leadnet` runs the result with numpy.

Only differences between the leads of one board are learned (outputs and tricks are taken from
their means), since only they matter for the choice. `info` sees what the leader knows, with the
others' cards as averages over worlds; `deal` sees the worlds themselves, one at a time.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.archives import UNREADABLE, arrays
from overtrick.cardplay.leadfacts import WIDTH, Problems, candidates, facts_of, inputs
from overtrick_lab.training.data import DataError
from overtrick_lab.training.predicting_settings import LeadSettings
from overtrick_lab.training.settings import plain

LOGGER = logging.getLogger(__name__)
Floats = NDArray[np.float32]
Layers = list[tuple[Any, Any]]
_MOST: Final = 13  # leads of a board
_CHUNK: Final = 4000


@dataclass(frozen=True, slots=True)
class Leads:
    """Boards with every lead's inputs and tricks; `rows` and `there` go from boards to leads."""

    inputs: NDArray[np.float16]  # (leads, WIDTH)
    tricks: Floats  # (leads,)
    rows: NDArray[np.int64]  # (boards, 13)
    there: Floats  # (boards, 13): 1 where there is such a lead
    rule: Floats  # (boards,): tricks of the lead by rules

    def __len__(self) -> int:
        return len(self.rows)


def read_leads(path: Path) -> dict[str, NDArray[Any]]:
    """All boards of a file, or of the files of a folder, in the order of their names."""
    files = sorted(path.glob("*.npz")) if path.is_dir() else [path]
    if not files or not all(f.exists() for f in files):
        raise DataError(f"no solved leads in {path}")
    try:
        parts = [arrays(f) for f in files]
        return {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    except UNREADABLE as error:
        raise DataError(f"no solved leads in {path}: {error}") from None


def problems_of(data: dict[str, NDArray[Any]], sees: str) -> Problems:
    """The boards as problems, seen with the leader's eyes or all cards."""
    level, strain, doubled, declarer = data["contract"].astype(np.int64).T
    leader = (declarer + 1) & 3
    deals = data["deal"]
    if sees == "info":
        facts: Floats = data["facts"].astype(np.float32) / np.float32(255)
    else:
        facts = np.zeros((len(deals), 4, 3, 10), np.float32)
        for seat in range(4):
            mine = leader == seat
            facts[mine] = facts_of(deals[mine], seat)
    return Problems(deals[np.arange(len(deals)), leader], facts, strain, level, doubled)


def leads_of(data: dict[str, NDArray[Any]], sees: str) -> Leads:
    """Every lead of every board as a row of inputs."""
    some = problems_of(data, sees)
    problem, card = candidates(some.hands)
    count = np.bincount(problem, minlength=len(some))
    start = np.cumsum(count) - count
    place = np.arange(_MOST)
    rows = start[:, None] + np.minimum(place, count[:, None] - 1)
    found = [
        inputs(some, problem[i : i + _CHUNK], card[i : i + _CHUNK]).astype(np.float16)
        for i in range(0, len(card), _CHUNK)
    ]
    return Leads(
        np.concatenate(found),
        data["tricks"][problem, card].astype(np.float32),
        rows,
        (place < count[:, None]).astype(np.float32),
        data["tricks"][np.arange(len(some)), data["rule"]].astype(np.float32),
    )


def split(data: dict[str, NDArray[Any]], held_out: int) -> tuple[Any, Any]:
    """Boards to learn from and the last ones, kept for measuring."""
    cut = max(1, len(data["tricks"]) - held_out)
    return {k: v[:cut] for k, v in data.items()}, {k: v[cut:] for k, v in data.items()}


def learn(leads: Leads, settings: LeadSettings) -> Layers:
    """The weights after all epochs."""
    import jax
    import jax.numpy as jnp
    import optax

    sizes = [WIDTH, *(int(n) for n in settings.hidden.split(",")), 1]
    rng = np.random.default_rng(settings.seed)
    layers: Layers = [
        (jnp.asarray(rng.normal(0, np.sqrt(2 / a), (a, b)), jnp.float32), jnp.zeros(b))
        for a, b in pairwise(sizes)
    ]
    batch = min(settings.batch, len(leads))
    steps = settings.epochs * (len(leads) // batch)
    rate = optax.warmup_cosine_decay_schedule(
        0.0, settings.learning_rate, min(200, steps // 4), steps
    )
    method = optax.adamw(rate, weight_decay=settings.decay)
    state = method.init(layers)
    seen, tricks = jnp.asarray(leads.inputs), jnp.asarray(leads.tricks)

    def error(layers: Layers, rows: Any, there: Any, key: Any) -> Any:
        x = seen[rows].astype(jnp.float32)
        for weight, bias in layers[:-1]:
            x = jax.nn.relu(x @ weight + bias)
            if settings.dropout:
                key, now = jax.random.split(key)
                kept = jax.random.bernoulli(now, 1 - settings.dropout, x.shape)
                x = x * kept / (1 - settings.dropout)
        said = (x @ layers[-1][0] + layers[-1][1])[..., 0]
        off = said - tricks[rows]
        off = off - (off * there).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
        return (off**2 * there).sum() / there.sum()

    @jax.jit
    def step(layers: Layers, state: Any, rows: Any, there: Any, key: Any) -> Any:
        cost, slope = jax.value_and_grad(error)(layers, rows, there, key)
        change, state = method.update(slope, state, layers)
        return optax.apply_updates(layers, change), state, cost

    key = jax.random.PRNGKey(settings.seed)
    began = time.monotonic()
    for epoch in range(settings.epochs):
        order = rng.permutation(len(leads))
        costs = []
        for i in range(0, len(order) - batch + 1, batch):
            some = order[i : i + batch]
            key, now = jax.random.split(key)
            layers, state, cost = step(layers, state, leads.rows[some], leads.there[some], now)
            costs.append(cost)
        mean = float(np.mean([float(c) for c in costs]))
        LOGGER.info("epoch %d: %.4f, %.0f s", epoch + 1, mean, time.monotonic() - began)
    return [(np.asarray(w), np.asarray(b)) for w, b in layers]


def say(layers: Layers, seen: NDArray[Any]) -> Floats:
    """What the network says of each row."""
    out = []
    for i in range(0, len(seen), _CHUNK):
        x = seen[i : i + _CHUNK].astype(np.float32)
        for weight, bias in layers[:-1]:
            x = np.maximum(x @ weight + bias, 0)
        out.append((x @ layers[-1][0] + layers[-1][1])[:, 0])
    return np.concatenate(out)


def measure(layers: Layers, leads: Leads) -> dict[str, Any]:
    """Share of the differences explained, and the cost of the network's leads and of rules."""
    tricks, there = leads.tricks[leads.rows], leads.there
    said = say(layers, leads.inputs)[leads.rows]
    many = there.sum(axis=1, keepdims=True)
    true = (tricks - (tricks * there).sum(axis=1, keepdims=True) / many) * there
    off = said - tricks
    off = (off - (off * there).sum(axis=1, keepdims=True) / many) * there
    best = np.where(there > 0, tricks, -1).max(axis=1)
    choice = np.where(there > 0, said, -np.inf).argmax(axis=1)
    cost = best - tricks[np.arange(len(leads)), choice]
    by_rule = best - leads.rule
    gain = by_rule - cost
    return {
        "boards": len(leads),
        "explained": round(1 - float((off**2).sum() / (true**2).sum()), 4),
        "cost": round(float(cost.mean()), 4),
        "cost_by_rules": round(float(by_rule.mean()), 4),
        "saved": round(float(gain.mean()), 4),
        "interval": round(1.96 * float(gain.std()) / np.sqrt(len(gain)), 4),
    }


def run(settings: LeadSettings) -> dict[str, Any]:
    """Read, learn, measure on the boards held out, write."""
    if settings.sees not in ("info", "deal"):
        raise DataError(f"a lead network sees info or deal, not {settings.sees}")
    mine, other = split(read_leads(settings.deals), settings.held_out)
    layers = learn(leads_of(mine, settings.sees), settings)
    found = measure(layers, leads_of(other, settings.sees)) | {"learned": len(mine["tricks"])}
    arrays: dict[str, NDArray[Any]] = {}
    for i, (weight, bias) in enumerate(layers):
        arrays |= {f"w{i}": weight.astype(np.float16), f"b{i}": bias.astype(np.float16)}
    card = json.dumps({"settings": plain(settings), "measured": found})
    settings.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(settings.out, card=np.array(card), **arrays)  # type: ignore[arg-type]
    return found
