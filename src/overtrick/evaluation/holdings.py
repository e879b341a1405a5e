"""Numbers about the cards of one suit, as tables over all 8192 holdings.
Every feature of a hand is put together from these; one hand and many read the same rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Table = Any  # NDArray of 8192 numbers; numpy's own types of sums and selections do not agree
HOLDINGS: Final = 1 << 13


@cache
def holding_bits() -> NDArray[np.bool_]:
    """[8192, 13]: does holding h contain rank r?"""
    numbers = np.arange(HOLDINGS, dtype=np.int64)
    return (numbers[:, None] >> np.arange(13) & 1).astype(bool)


def _rank(letter: str) -> Table:
    column: Table = holding_bits()[:, "23456789TJQKA".index(letter)].astype(np.int8)
    return column


def _ranks(letters: str) -> list[Table]:
    return [_rank(c) for c in letters]


def length() -> Table:
    """Number of cards."""
    return holding_bits().sum(axis=1).astype(np.int8)


def hcp() -> Table:
    """High-card points: A=4, K=3, Q=2, J=1."""
    a, k, q, j = _ranks("AKQJ")
    return 4 * a + 3 * k + 2 * q + j


def controls() -> Table:
    """A=2, K=1."""
    a, k = _ranks("AK")
    return 2 * a + k


def top3() -> Table:
    """How many of A, K, Q."""
    return sum(_ranks("AKQ"), np.zeros(HOLDINGS, np.int8))


def honours() -> Table:
    """How many of A, K, Q, J, T."""
    return sum(_ranks("AKQJT"), np.zeros(HOLDINGS, np.int8))


def intermediates() -> Table:
    """T=2, 9=1, 8=½."""
    t, nine, eight = _ranks("T98")
    return (2 * t + nine + np.float32(0.5) * eight).astype(np.float32)


def short_points() -> Table:
    """1 for a doubleton, 2 for a singleton, 3 for a void."""
    return np.maximum(0, 3 - table("length")).astype(np.int8)


def length_points() -> Table:
    """HCP and one point for every card after the fourth."""
    return (table("hcp") + np.maximum(0, table("length") - 4)).astype(np.int8)


def losers() -> Table:
    """Textbook losing tricks: the missing ones of A, K, Q in the first three rounds.

    Only the top card of a singleton and the top two of a doubleton can be winners, so a bare
    king is a loser and Qx is two.
    """
    n = table("length")
    a, k, q = _ranks("AKQ")
    winners = np.where(n >= 3, a + k + q, np.where(n == 2, a + k, a))
    return (np.minimum(n, 3) - winners).astype(np.int8)


def plain_losers() -> Table:
    """Losers as Amit & Markovitch (5.1.2) count them: A, K, Q and all cards after the third win."""
    return (np.minimum(table("length"), 3) - np.minimum(table("top3"), table("length"))).astype(
        np.int8
    )


def quick_tricks() -> Table:
    """AK=2, AQ=1½, A or KQ=1, Kx=½."""
    a, k, q = (r.astype(bool) for r in _ranks("AKQ"))
    kx = k & (table("length") >= 2)
    return np.select([a & k, a & q, a | (k & q), kx], [2.0, 1.5, 1.0, 0.5], 0.0).astype(np.float32)


def stopper() -> Table:
    """Stopper at notrump: 0 none, 1 a hope (Jxx, Txxx, bare K), 2 half (Qx, Jxxx), 3 sure, 4 two.

    Sure: A, Kx, Qxx, JTxx. Double: AK, or three of A K Q J T in one of the combinations AQJ, AQT,
    AJT, KQJ, KQT with a small card.
    """
    n = table("length")
    a, k, q, j, t = (r.astype(bool) for r in _ranks("AKQJT"))
    double = (a & k) | (a & q & (j | t)) | (a & j & t) | (k & q & j) | (k & q & t & (n >= 4))
    sure = a | (k & (n >= 2)) | (q & (n >= 3)) | (j & t & (n >= 4))
    half = (q & (n == 2)) | (j & (n >= 4))
    hope = k | (j & (n == 3)) | (t & (n >= 4))
    return np.select([double, sure, half, hope], [4, 3, 2, 1], 0).astype(np.int8)


def stopper_by_honours() -> Table:
    """High-card part of a stopper at a suit contract: the first two rounds matter.

    4 AK, KQJ or AQJ; 3 A or KQ; 2 Kx; 1 Qxx or a bare K; 0 otherwise.
    """
    n = table("length")
    a, k, q, j = (r.astype(bool) for r in _ranks("AKQJ"))
    double = (a & k) | (a & q & j) | (k & q & j)
    return np.select(
        [double, a | (k & q), k & (n >= 2), k | (q & (n >= 3))], [4, 3, 2, 1], 0
    ).astype(np.int8)


def quality() -> Table:
    """Suit quality 0 (bad) to 9 (solid).

    2 each for A, K and Q (a queen without A or K counts 1), 1 each for J and T beside a higher
    honour, and 1 for every card after the fourth; never more than 9. KQJxxx is 7, Axxxxx 4.
    """
    a, k, q, j, t = (r.astype(bool) for r in _ranks("AKQJT"))
    score = 2 * a.astype(np.int8) + 2 * k + q * np.where(a | k, 2, 1)
    score = score + (j & (a | k | q)) + (t & (a | k | q | j))
    return np.minimum(9, score + np.maximum(0, table("length") - 4)).astype(np.int8)


def biddable() -> Table:
    """How often the suit can be bid: a card over four each, and once more for a good suit.

    Good: two of A, K, Q or three of the five honours. A suit of three cards is never bid.
    """
    n = table("length")
    good = (table("top3") >= 2) | (table("honours") >= 3)
    times = np.where(n >= 4, n - 4 + good, 0)
    return np.minimum(8, times).astype(np.int8)


# Longer half of the likeliest break of m missing cards (2-1, 3-1, 3-2, 4-2 …).
_ROUNDS: Final = (0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)


def lone_losers() -> Table:
    """Losers of a trump suit opposite a small doubleton on the likeliest break.

    In each round the enemies can follow, their best card beats ours if it is higher; ours is
    then the smallest we have. AKQxxx 0, AKJxxx 1, QJTxxx 2, xxxxxx 3.
    """
    out = np.zeros(HOLDINGS, np.int8)
    for h in range(HOLDINGS):
        ours = [r for r in range(12, -1, -1) if h >> r & 1]
        rounds = _ROUNDS[max(0, 11 - len(ours))]
        theirs = [r for r in range(12, -1, -1) if not h >> r & 1]
        lost = 0
        for _ in range(min(rounds, len(ours))):
            if theirs and theirs[0] > ours[0]:
                theirs.pop(0)
                ours.pop()
                lost += 1
            else:
                ours.pop(0)
        out[h] = lost
    return out


def fast_losers() -> Table:
    """Top cards the enemies can cash at once beside trumps: 0 with the ace, 1 with the king …

    Never more than the length, nor more than three rounds.
    """
    a, k, q = (r.astype(bool) for r in _ranks("AKQ"))
    missing = np.select([a, k, q], [0, 1, 2], 3)
    return np.minimum(missing, table("length")).astype(np.int8)


def fast_losers_notrump() -> Table:
    """Tricks the enemies can cash at notrump before the suit is stopped.

    0 with the ace, 1 with Kx, 2 with Qxx, 3 with Jxxx; without any of these four, the length
    of an ordinary enemy suit beyond which something else is led.
    """
    n = table("length")
    a, k, q, j = (r.astype(bool) for r in _ranks("AKQJ"))
    conditions = [a, k & (n >= 2), q & (n >= 3), j & (n >= 4)]
    return np.select(conditions, [0, 1, 2, 3], 4).astype(np.int8)


def covers_trump() -> Table:
    """Cover cards in the trump suit: A, K and Q one each."""
    return table("top3").astype(np.float32)


def covers_side() -> Table:
    """Cover cards in a side suit: A and K one each, a queen ½, or 1 beside A, K or J."""
    a, k, q, j = (r.astype(bool) for r in _ranks("AKQJ"))
    queen = np.where(q, np.where(a | k | j, 1.0, 0.5), 0.0)
    return (a.astype(np.float32) + k + queen).astype(np.float32)


def ruffs() -> Table:
    """What a short side suit covers: doubleton ½, singleton 1, void 2."""
    return np.select([table("length") == n for n in (2, 1, 0)], [0.5, 1.0, 2.0], 0.0).astype(
        np.float32
    )


def notrump_points() -> Table:
    """Playing points of a suit at notrump: A=4½, K=3, Q=1¾, J=1, T=¼; two points are a trick.

    ¼ for every card after the fifth; a queen or jack in a doubleton or alone loses ¼. Fitted to
    double-dummy notrump tricks of balanced pairs and rounded: nine tricks need nearly 27 together.
    """
    n = table("length")
    a, k, q, j, t = _ranks("AKQJT")
    honours = 4.5 * a + 3 * k + 1.75 * q + j + 0.25 * t
    wasted = 0.25 * ((n <= 2) & (q + j > 0))
    return (honours + 0.25 * np.maximum(0, n - 5) - wasted).astype(np.float32)


def playing_points() -> Table:
    """Playing points of a suit in a suit contract, on Lindelöf's scale.

    His 28 points in two hands for ten tricks and 3 for each further trick; the weights are a
    fit to double-dummy tricks in the best trump suit: A=4½, K=3, Q=1½, J=¾, T=¼; doubleton ¾,
    singleton 2¼, void 4¼; ¼ for every card after the fourth; a bare king loses 1¼, a short
    queen ½ and a short jack ¼.
    """
    n = table("length")
    a, k, q, j, t = _ranks("AKQJT")
    honours = 4.5 * a + 3 * k + 1.5 * q + 0.75 * j + 0.25 * t
    wasted = 1.25 * (k * (n == 1)) + (n <= 2) * (0.5 * q + 0.25 * j)
    shape = np.select([n == 2, n == 1, n == 0], [0.75, 2.25, 4.25], 0.25 * np.maximum(0, n - 4))
    return (honours + shape - wasted).astype(np.float32)


_RANK_TABLES: Final = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T"}
_BUILDERS: Final[dict[str, Callable[[], Table]]] = {
    f.__name__: f
    for f in (
        length, hcp, controls, top3, honours, intermediates, short_points, length_points, losers,
        plain_losers, quick_tricks, stopper, stopper_by_honours, quality, biddable, lone_losers,
        fast_losers, fast_losers_notrump, covers_trump, covers_side, ruffs, notrump_points,
        playing_points,
    )
}  # fmt: skip


@cache
def table(name: str) -> Table:
    """The table of this name: one number for each of the 8192 holdings of a suit."""
    column = _rank(_RANK_TABLES[name]) if name in _RANK_TABLES else _BUILDERS[name]()
    column.setflags(write=False)
    return column


@cache
def row(name: str) -> list[float]:
    """The same table as a list, which is faster for one hand."""
    numbers: list[float] = table(name).tolist()
    return numbers
