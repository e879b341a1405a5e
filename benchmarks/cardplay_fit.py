"""Fit the models of defenders and of declarers to played boards: conditional logit by Newton.
Run `PYTHONPATH=src python -m benchmarks.cardplay_fit defenders|declarers|worth --boards FILE …`
with boards that `cardplay_costs boards` or `cardplay boards --tricks 13` wrote.

  defenders, declarers   the weights, written to `--out JSON`
  worth   what the evidence says about the true layout against random ones, in nats, with the
          packaged model of defenders and with each of the files in `--models`
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, restored, rows
from overtrick.bidding import bidder
from overtrick.cardplay.carding import STANDARD, Carding, agreement
from overtrick.cardplay.evidence import declarers, defenders
from overtrick.cardplay.evidence.rules import agreed_likelihood
from overtrick.cardplay.evidence.scenes import Scene, scenes
from overtrick.cardplay.knowledge import KINDS, Evidence, funnel
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import Auction, Deal, IllegalPlay, Play, Seat, Systems, view_of

Floats = NDArray[np.float64]
_STEPS: Final = 30
_RIDGE: Final = 1.0
_LEFT: Final = (11, 9, 7, 5)  # cards left where the evidence is weighed
_RANDOM: Final = 600  # layouts for that


@dataclass(slots=True)
class Choices:
    """Choices of one kind: rows of features for every legal card, and which was played."""

    names: list[str] = field(default_factory=list)
    rows: list[Floats] = field(default_factory=list)
    played: list[int] = field(default_factory=list)


def collect(
    boards: Iterable[tuple[Deal, Auction, Play]], whose: str, carding: Carding = STANDARD
) -> dict[str, Choices]:
    """Every real choice of the defenders, or of declarer's side, of these boards, by kind."""
    out: dict[str, Choices] = defaultdict(Choices)
    for deal, auction, play in boards:
        side = (play.declarer, play.dummy)
        if whose == "defenders":
            side = (play.opening_leader, play.opening_leader.partner)
        gone = 0
        seats = tuple(int(s) for s in side)
        listed = {s.index: s for s in scenes(auction, play, deal[play.dummy].bits, seats)}
        for index, card in enumerate(play.cards):
            scene = listed.get(index)
            if scene is not None:
                seat = scene.seat if whose == "defenders" else play.declarer
                hands = deal[seat].bits & ~gone, deal[scene.seat].bits & ~gone
                _add(out, scene, hands, whose, carding)
            gone |= 1 << card
    return out


def _add(
    out: dict[str, Choices], scene: Scene, hands: tuple[int, int], whose: str, carding: Carding
) -> None:
    """One choice: the hand to be read from it, and the hand it was played from."""
    hidden, hand = hands
    kind, led = scene.kind, scene.led
    suits: tuple[int, ...] = (0, 1, 2, 3)
    if led is not None:
        follows = bool(hand >> 13 * led & 0x1FFF)
        kind = kind if follows else "discard"
        suits = (int(led),) if follows else suits
    bits = np.array([hidden], np.uint64)
    named: Any
    if whose == "defenders":
        columns = defenders.Columns.of(bits, suits)
        legal, played = columns.held[0], columns.cards.index(int(scene.card))
        named = defenders.features(scene, columns, kind, carding)
    else:
        seen = declarers.ChoiceColumns.of(scene, declarers.Hands.of(scene, bits), kind)
        legal, played = seen.choice[0], int(seen.same(int(scene.card))[0].argmax())
        named = declarers.features(scene, seen, kind)
    if legal.sum() < 2:
        return
    listed = list(named)
    choices = out[kind]
    if len(listed) < len(choices.names):  # a signal that this choice does not give
        nothing = np.zeros((1, len(legal)))
        listed += [(name, nothing) for name in choices.names[len(listed) :]]
    for row in range(len(choices.rows) if len(listed) > len(choices.names) else 0):
        old = choices.rows[row]
        more = np.zeros((len(old), len(listed) - old.shape[1]))
        choices.rows[row] = np.concatenate([old, more], axis=1)
    choices.names = [name for name, _ in listed]
    shape = (1, len(legal))
    columns_of = [np.broadcast_to(v, shape)[0].astype(float)[legal] for _, v in listed]
    choices.rows.append(np.stack(columns_of, axis=1))
    choices.played.append(int(legal[:played].sum()))


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

    def worth(w: Floats) -> float:
        chosen = _softmax(x @ w, legal)[np.arange(count), played]
        return float(np.log(np.maximum(chosen, 1e-300)).sum() - ridge * (w @ w) / 2)

    for _ in range(_STEPS):
        p = _softmax(x @ w, legal)
        mean = np.einsum("ncf,nc->nf", x, p)
        gradient = x[np.arange(count), played].sum(axis=0) - mean.sum(axis=0) - ridge * w
        centred = x - mean[:, None, :]
        hessian = np.einsum("ncf,nc,ncg->fg", centred, p, centred, optimize=True)
        step = np.linalg.solve(hessian + ridge * np.eye(size), gradient)
        now = worth(w)
        while worth(w + step) < now and np.abs(step).max() > 1e-6:
            step = step / 2  # a full step can overshoot where choices are nearly certain
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


def played_boards(path: str) -> Iterator[tuple[Deal, Auction, Play]]:
    """The boards of a file; those that are bid differently today are left out."""
    for row in rows(path):
        board, auction, _ = restored(row)
        assert auction.contract is not None
        play = Play.of(auction.contract)
        try:
            for card in row["cards"]:
                play = play.then(card, board.deal[play.turn])
        except IllegalPlay:
            continue
        yield board.deal, auction, play


# ---------------------------------------------------------------- what evidence is worth


def positions(row: Row) -> Iterator[tuple[str, int, Situation, NDArray[np.uint64]]]:
    """Who looks, cards left, what he knows, and the true layout with random ones."""
    board, auction, meanings = restored(row)
    system = bidder(row["bidder"]).system
    contract = auction.contract
    assert contract is not None
    for left in _LEFT:
        play = Play.of(contract)
        for card in row["cards"][: 4 * (13 - left)]:
            play = play.then(card)
        true = np.array([[h.bits & ~play.state.played for h in board.deal.hands]], np.uint64)
        for seat in (contract.declarer, contract.leader, contract.leader.partner):
            view = view_of(
                board, auction, play,
                seat=seat, meanings=meanings, systems=Systems(system, system),
            )  # fmt: skip
            at = situation(view, on_turn=False)
            others = deal_layouts(at, _RANDOM, np.random.default_rng(row["seed"]))
            who = "declarer" if seat == contract.declarer else "a defender"
            yield who, left, at, np.concatenate([true, others])


def nats(at: Situation, hands: NDArray[np.uint64], kind: Evidence) -> float:
    """The weight of the first layout against the mean of the others, as a logarithm."""
    logs = funnel(at, replace(kind, auction=0.0)).every(hands).logs
    for seat in at.hidden:
        full = hands[:, seat] | np.uint64(at.shown[seat])
        logs = logs + kind.auction * agreed_likelihood(at.view, Seat(seat), full)
    top = float(logs.max())
    return float(logs[0]) - top - float(np.log(np.exp(logs[1:] - top).mean()))


def worth(args: argparse.Namespace) -> None:
    """Means by who looks and cards left; errors by board, in pairs with the packaged model."""
    packaged = defenders.DEFENDERS.weights
    models = {"packaged": packaged}
    models |= {path: json.loads(Path(path).read_text("utf-8"))["weights"] for path in args.models}
    found: dict[tuple[str, int], list[list[float]]] = defaultdict(list)
    for row in [r for path in args.boards for r in rows(path)][args.skip :]:
        of_board: dict[tuple[str, int], list[list[float]]] = defaultdict(list)
        for who, left, at, hands in positions(row):
            said = []
            for model in models.values():
                vars(defenders.DEFENDERS)["weights"] = model
                defenders.forget()
                said.append(nats(at, hands, KINDS["all"]))
            of_board[who, left].append(said)
        for key, many in of_board.items():
            found[key].append(np.mean(many, axis=0).tolist())
    for (who, left), values in sorted(found.items()):
        table = np.array(values)
        error = table.std(axis=0) / len(table) ** 0.5
        words = [f"{m:.2f} ± {e:.2f}" for m, e in zip(table.mean(axis=0), error, strict=True)]
        for i in range(1, len(models)):
            gain = table[:, i] - table[:, 0]
            words.append(f"more {gain.mean():+.3f} ± {gain.std() / len(gain) ** 0.5:.3f}")
        print(f"{who}, {left} cards left, {len(table)} boards:", ", ".join(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("whose", choices=("defenders", "declarers", "worth"))
    parser.add_argument("--boards", required=True, nargs="+")
    parser.add_argument("--signals", default="standard", help="those of the boards' defenders")
    parser.add_argument("--out", default="", help="where the weights go")
    parser.add_argument("--models", default=[], nargs="*", help="worth: weights to compare")
    parser.add_argument("--skip", type=int, default=0, help="worth: boards that the fit has seen")
    parser.add_argument("--most", type=int, help="a fit: so many of the boards")
    args = parser.parse_args()
    if args.whose == "worth":
        worth(args)
    elif args.out:
        fitted(args)
    else:
        parser.error("a fit needs --out JSON")


def fitted(args: argparse.Namespace) -> None:
    """Weights of every kind of choice, and how well they predict the boards they come from."""
    data = [board for path in args.boards for board in played_boards(path)][: args.most]
    listed = collect(data, args.whose, agreement(args.signals))
    found = {kind: fit(choices) for kind, choices in listed.items()}
    for kind, one in found.items():
        print(
            f"{kind:8} {one.choices:6} choices  log-likelihood {one.log_likelihood:.3f} "
            f"(any card {one.uniform:.3f})  right {100 * one.hits:.1f} %"
        )
    text = {
        "source": f"{len(data)} boards played by robots",
        "weights": {kind: one.weights for kind, one in found.items()},
    }
    Path(args.out).write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
