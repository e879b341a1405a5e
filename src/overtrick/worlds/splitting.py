"""Uniformly random splits of card sets, many rows at a time, without shuffling."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Bits = NDArray[np.uint64]


def random_words(rng: Generator, density: tuple[int, int], n: int) -> Bits:
    """n words whose bits are independently 1 with probability k/2^b, for density (k, b)."""
    k, b = density
    out: Bits | None = None
    for i in range(b):
        # Reading k from its lowest bit: `or` makes a half more likely, `and` a half less.
        fresh = rng.integers(0, 1 << 64, size=n, dtype=np.uint64)
        if out is None:
            out = fresh
        elif k >> i & 1:
            out |= fresh
        else:
            out &= fresh
    assert out is not None
    return out


@cache
def best_density(size: int, among: int) -> tuple[int, int]:
    """The density with which a set of `size` cards is hit soonest, words being the main cost."""
    best, choice = float("inf"), (1, 1)
    for b in range(1, 5):
        for k in range(1, 1 << b, 2):
            p = k / (1 << b)
            hit = comb(among, size) * p**size * (1 - p) ** (among - size)
            cost = (2.4 * b + 4.0) / max(hit, 1e-300)
            if cost < best:
                best, choice = cost, (k, b)
    return choice


def choose(rng: Generator, pool: Bits, size: int) -> Bits:
    """From each row's set a uniformly random subset of `size` cards.

    Independent coin flips, kept when the number is right: given the number, every subset is
    equally likely, whatever the coin. All rows must hold equally many cards.
    """
    if size == 0 or not len(pool):
        return np.zeros_like(pool)
    among = int(pool[0]).bit_count()
    if size == among:
        return pool.copy()
    density = best_density(size, among)
    out = np.zeros_like(pool)
    todo = np.arange(len(pool))
    while len(todo):
        # A few tries at once for the last rows, since each pass has a fixed cost.
        repeat = max(1, min(64, 2048 // len(todo)))
        rows = np.repeat(todo, repeat) if repeat > 1 else todo
        tries = pool[rows] & random_words(rng, density, len(rows))
        right = np.bitwise_count(tries) == size
        out[rows[right]] = tries[right]
        if repeat > 1:
            todo = todo[~right.reshape(-1, repeat).any(axis=1)]
        else:
            todo = todo[~right]
    return out


def choose_from(rng: Generator, pool: int, size: int, n: int) -> Bits:
    """About n uniformly random subsets of `size` cards of one set (as many as came up)."""
    among = pool.bit_count()
    if size in (0, among):
        return np.full(n, pool if size else 0, np.uint64)
    k, b = density = best_density(size, among)
    p = k / (1 << b)
    hit = comb(among, size) * p**size * (1 - p) ** (among - size)
    tries = random_words(rng, density, int(n / hit) + 16)
    tries &= np.uint64(pool)
    found: Bits = tries[np.bitwise_count(tries) == size]
    return found


def deal_out(rng: Generator, pool: Bits, needs: Sequence[int]) -> list[Bits]:
    """Deal each row's cards to hands of these sizes; the sizes add up to the cards."""
    if len(needs) == 1:
        return [pool]
    half = len(needs) // 2
    first = choose(rng, pool, sum(needs[:half]))
    return [*deal_out(rng, first, needs[:half]), *deal_out(rng, pool ^ first, needs[half:])]
