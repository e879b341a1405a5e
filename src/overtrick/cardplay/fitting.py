"""Fit the model of defenders to played boards: conditional logit by Newton's method."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.policy import Columns, features
from overtrick.cardplay.scenes import Scene, scenes
from overtrick.game import Auction, Deal, Play

Floats = NDArray[np.float64]
_STEPS: Final = 30
_RIDGE: Final = 1.0


@dataclass(slots=True)
class Choices:
    """Choices of one kind: rows of features for every legal card, and which was played."""

    names: list[str] = field(default_factory=list)
    rows: list[Floats] = field(default_factory=list)
    played: list[int] = field(default_factory=list)


def collect(boards: Iterable[tuple[Deal, Auction, Play]]) -> dict[str, Choices]:
    """Every real choice of the defenders of these boards, by kind."""
    out: dict[str, Choices] = defaultdict(Choices)
    for deal, auction, play in boards:
        defenders = (int(play.opening_leader), int(play.opening_leader.partner))
        gone = 0
        listed = {s.index: s for s in scenes(auction, play, deal[play.dummy].bits, defenders)}
        for index, card in enumerate(play.cards):
            scene = listed.get(index)
            if scene is not None:
                _add(out, scene, deal[scene.seat].bits & ~gone)
            gone |= 1 << card
    return out


def _add(out: dict[str, Choices], scene: Scene, hand: int) -> None:
    kind, led = scene.kind, scene.led
    suits: tuple[int, ...] = (0, 1, 2, 3)
    if led is not None:
        follows = bool(hand >> 13 * led & 0x1FFF)
        kind = kind if follows else "discard"
        suits = (int(led),) if follows else suits
    columns = Columns.of(np.array([hand], np.uint64), suits)
    if len(columns.cards) < 2:
        return
    named = list(features(scene, columns, kind))
    choices = out[kind]
    choices.names = [name for name, _ in named]
    shape = (1, len(columns.cards))
    choices.rows.append(
        np.stack([np.broadcast_to(v, shape)[0].astype(float) for _, v in named], axis=1)
    )
    choices.played.append(columns.cards.index(int(scene.card)))


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights of one kind of choice and how well they predict: mean log-likelihood, hits."""

    weights: dict[str, float]
    choices: int
    log_likelihood: float
    uniform: float
    hits: float


def fit(choices: Choices, ridge: float = _RIDGE) -> Fit:
    """The most likely weights, with a little pull towards zero."""
    width = max(len(r) for r in choices.rows)
    count, size = len(choices.rows), len(choices.names)
    x = np.zeros((count, width, size))
    legal = np.zeros((count, width), bool)
    for i, row in enumerate(choices.rows):
        x[i, : len(row)] = row
        legal[i, : len(row)] = True
    played = np.array(choices.played)
    w = np.zeros(size)
    for _ in range(_STEPS):
        p = _softmax(x @ w, legal)
        mean = np.einsum("ncf,nc->nf", x, p)
        gradient = x[np.arange(count), played].sum(axis=0) - mean.sum(axis=0) - ridge * w
        centred = x - mean[:, None, :]
        hessian = np.einsum("ncf,nc,ncg->fg", centred, p, centred, optimize=True)
        step = np.linalg.solve(hessian + ridge * np.eye(size), gradient)
        w = w + step
        if np.abs(step).max() < 1e-6:
            break
    p = _softmax(x @ w, legal)
    chosen = p[np.arange(count), played]
    return Fit(
        {n: round(float(v), 4) for n, v in zip(choices.names, w, strict=True)},
        count,
        float(np.log(chosen).mean()),
        float(-np.log(legal.sum(axis=1)).mean()),
        float((p.argmax(axis=1) == played).mean()),
    )


def _softmax(score: Floats, legal: NDArray[np.bool_]) -> Floats:
    score = np.where(legal, score, -np.inf)
    e = np.exp(score - score.max(axis=1, keepdims=True))
    found: Floats = e / e.sum(axis=1, keepdims=True)
    return found
