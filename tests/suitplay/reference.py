"""A suit solver that is plainly right and slow: real cards, every layout, every pure line of play.
Used only by the tests of `overtrick.suitplay`, which it shares no code with.

Each layout is its own world (no equals, no counting). The outcome of a line is a tuple of tricks,
one for each world; declarer's choices are sets of outcomes, the defenders take the worst of each.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb

World = tuple[frozenset[int], frozenset[int]] | None  # East's and West's cards; None: impossible
Vector = tuple[int, ...]
NEUTRAL = 99


def all_outcomes(
    north: tuple[int, ...],
    south: tuple[int, ...],
    missing: tuple[int, ...],
    prune: bool = True,
    entries: tuple[int, int] | None = None,
) -> tuple[list[frozenset[int]], set[Vector]]:
    """East's cards in every world and the outcomes of all pure lines (undominated if `prune`)."""
    easts = [
        frozenset(c for i, c in enumerate(missing) if bits >> i & 1)
        for bits in range(1 << len(missing))
    ]
    worlds: tuple[World, ...] = tuple((e, frozenset(missing) - e) for e in easts)

    def thin(vectors: set[Vector]) -> frozenset[Vector]:
        if not prune:
            return frozenset(vectors)
        return frozenset(
            v for v in vectors
            if not any(u != v and all(a >= b for a, b in zip(u, v, strict=True)) for u in vectors)
        )  # fmt: skip

    def worst(sets: list[frozenset[Vector]]) -> frozenset[Vector]:
        total = {tuple([NEUTRAL] * len(worlds))}
        for vectors in sets:
            total = {tuple(map(min, a, b)) for a, b in product(total, vectors)}
            total = set(thin(total))
        return frozenset(total)

    def defender(worlds: tuple[World, ...], who: int) -> list[tuple[int, tuple[World, ...]]]:
        """Each card (-1: shows out) with the worlds in which it can be played."""
        cards = {c for w in worlds if w for c in w[who]}
        options = []
        for card in [*sorted(cards), -1]:
            after = []
            for w in worlds:
                if w is None or (card not in w[who] if card >= 0 else bool(w[who])):
                    after.append(None)
                else:
                    hands = list(w)
                    hands[who] = w[who] - {card}
                    after.append((hands[0], hands[1]))
            if any(after):
                options.append((card, tuple(after)))
        return options

    @cache
    def lead(n: frozenset[int], s: frozenset[int], worlds: tuple[World, ...], at: str,
             e: tuple[int, int] | None) -> frozenset[Vector]:  # fmt: skip
        stop = tuple(NEUTRAL if w is None else 0 for w in worlds)
        vectors = {stop}
        for hand in "NS":
            cards = n if hand == "N" else s
            left = e
            if e is not None and at not in (hand, "any"):
                if not e["NS".index(hand)]:
                    continue
                left = (e[0] - (hand == "N"), e[1] - (hand == "S"))
            for card in cards:
                replies = []
                for second, after in defender(worlds, 0 if hand == "N" else 1):
                    replies.append(third(n, s, after, (hand, card, second), left))
                vectors |= worst(replies)
        return thin(vectors)

    def third(n: frozenset[int], s: frozenset[int], worlds: tuple[World, ...],
              trick: tuple[str, int, int], e: tuple[int, int] | None,
    ) -> frozenset[Vector]:  # fmt: skip
        hand, card, second = trick
        vectors: set[Vector] = set()
        for mine in (s if hand == "N" else n) or {-1}:
            ends = []
            for fourth, after in defender(worlds, 1 if hand == "N" else 0):
                wins = max(card, mine) > max(second, fourth)
                winner = hand if card > mine else "S" if hand == "N" else "N"
                rest = lead(n - {card, mine}, s - {card, mine}, after, winner if wins else "-", e)
                ends.append(frozenset(
                    tuple(t if t == NEUTRAL else t + wins for t in v) for v in rest))  # fmt: skip
            vectors |= worst(ends)
        return thin(vectors)

    found = lead(frozenset(north), frozenset(south), worlds, "any", entries)
    return easts, set(found)


def weights(easts: list[frozenset[int]], missing: int, vacant: tuple[int, int]) -> list[int]:
    west, east = vacant
    return [comb(west + east - missing, east - len(e)) if east >= len(e) else 0 for e in easts]
