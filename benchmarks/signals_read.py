"""What partner learns from signals: the chance that he gives to what was told, when he reads the
card as agreed and when he reads it as a card that tells nothing. Run

    python -m benchmarks.signals_read --start 99000000 --count 20 --minutes 8

Boards are bid by `rules` and played by four `--engine`. After every signal partner's layouts are
dealt from the cards he sees, and weighed by this one card alone.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from typing import Final

import numpy as np

from benchmarks.cardplay_common import bid
from overtrick.cardplay import player
from overtrick.cardplay.carding import SILENT, STANDARD, Carding
from overtrick.cardplay.evidence.defenders import choice_likelihood
from overtrick.cardplay.evidence.scenes import Scene, scenes
from overtrick.cardplay.messages import HandFacts, asks, subject
from overtrick.cardplay.sampling import deal_layouts
from overtrick.cardplay.situation import Situation, situation
from overtrick.game import Play, Seat, Systems, view_of
from overtrick.game.cards import SUIT_BITS
from overtrick.game.reasons import Signal
from overtrick.worlds.weighted import Floats

_LAYOUTS: Final = 2000
_SYSTEMS: Final = Systems("two-over-one", "two-over-one")


def read(scene: Scene, at: Situation, true: int, seed: int) -> tuple[str, Floats] | None:
    """What the card told, and partner's chances of the truth: before it, by a silent reader, as
    agreed."""
    about = subject(scene, int(scene.card.suit), STANDARD)
    seat = scene.seat
    shown = at.shown[seat] & ~(1 << scene.card)
    dealt = deal_layouts(at, _LAYOUTS, np.random.default_rng(seed))[:, seat]
    hands = np.append(dealt | np.uint64(1 << scene.card), np.uint64(true & ~shown))
    suits = [hands >> np.uint64(13 * s) & np.uint64(SUIT_BITS) for s in range(4)]
    facts = HandFacts(
        [np.bitwise_count(h) for h in suits],
        [np.frexp(h.astype(float))[1] - 1 for h in suits],
    )
    told = np.asarray(asks(about, scene, int(scene.card.suit), facts))
    same = told[:-1] == told[-1]
    chances = [float(same.mean())]
    for carding in (SILENT, STANDARD):
        weights = _weights(scene, hands[:-1], carding)
        chances.append(float(weights @ same))
    return about.value, np.array(chances)


def _weights(scene: Scene, hands: np.ndarray, carding: Carding) -> Floats:
    logs = choice_likelihood(scene, hands, carding)
    weights = np.exp(logs - logs.max())
    found: Floats = weights / weights.sum()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--engine", default="pimc(worlds=20)")
    parser.add_argument("--start", type=int, default=99_000_000)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=8)
    args = parser.parse_args()
    engine, end = player(args.engine), time.monotonic() + 60 * args.minutes
    found: dict[str, list[Floats]] = defaultdict(list)
    boards = 0
    for seed in range(args.start, args.start + args.count):
        board, auction, meanings = bid(seed)
        if auction.contract is None or time.monotonic() > end:
            continue
        play, boards = Play.of(auction.contract), boards + 1
        while not play.is_over:
            view = view_of(board, auction, play, meanings=meanings, systems=_SYSTEMS)
            decision, seat = engine.play(view), play.turn
            play = play.then(decision.card, board.deal[seat])
            if not any(isinstance(r, Signal) and r.says != "nothing" for r in decision.reasons):
                continue
            partners = view_of(board, auction, play, seat=seat.partner, systems=_SYSTEMS)
            dummy = board.deal[play.dummy].bits
            scene = list(scenes(auction, play, dummy, (int(seat),)))[-1]
            at = situation(partners, on_turn=False)
            told = read(scene, at, board.deal[Seat(seat)].bits, seed)
            if told is not None:
                found[told[0]].append(told[1])
    print(f"{boards} boards: chance of what was told before the card, silent, as agreed; bits")
    for kind, many in {**found, "all": [c for rows in found.values() for c in rows]}.items():
        table = np.array(many)
        bits = np.log2(table[:, 2] / table[:, 1])
        error = bits.std() / len(bits) ** 0.5
        means = ", ".join(f"{100 * m:.1f} %" for m in table.mean(axis=0))
        print(f"{kind:12} {len(many):4}: {means}; {bits.mean():+.3f} ± {error:.3f}")


if __name__ == "__main__":
    main()
