"""A made-up system and tiny settings, for the tests of the recipes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from overtrick_lab.training import disclosure
from overtrick_lab.training.settings import SelfplaySettings

DEALS = 300


def toy_calls(owner: np.ndarray, dealer: np.ndarray) -> np.ndarray:
    """A made-up system that depends on the hand: 12 points open their longest suit, 8 raise it."""
    points, lengths = disclosure.high_card_points(owner), disclosure.suit_lengths(owner)
    calls = np.full((len(owner), 9), -1, dtype=np.int8)
    for row in range(len(owner)):
        made: list[int] = []
        while len(made) < 4:
            seat = (int(dealer[row]) + len(made)) % 4
            if points[row, seat] >= 12:
                suit = int(lengths[row, seat].argmax())
                raised = 3 + suit + 5 if points[row, (seat + 2) % 4] >= 8 else 0
                made += [3 + suit, 0, raised, 0, 0] + [0] * (raised > 0)
                break
            made.append(0)
        calls[row, : len(made)] = made
    return calls


def tiny(folder: Path) -> SelfplaySettings:
    """Self-play of seconds."""
    return SelfplaySettings(
        supervised=folder / "sl.npz", deals=folder / "solved.npz", out=folder / "run", held_out=60,
        iterations=4, tables=32, calls=8, minibatch=64, critic_only=1, guests=2, guest_tables=8,
        league=2, snapshot_seconds=0, pool=64, refresh=2, evaluate_seconds=0, evaluate_deals=60,
        save_seconds=0, width=32, learning_rate=1e-3,
    )  # fmt: skip
