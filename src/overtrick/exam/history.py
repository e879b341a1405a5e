"""Tricks that could have been played before a scene, so that any player can be asked about it.
They show exactly the voids that the scene says are known, and nothing else is meant by them."""

from __future__ import annotations

import random
from typing import Final

from overtrick.exam.scene import Scene
from overtrick.game.cards import ALL_CARDS, SUIT_BITS

TRIES: Final = 150


def history(scene: Scene, rng: random.Random, tries: int = TRIES) -> list[int] | None:
    """The cards of the tricks before, West leading first; None when none were found."""
    for _ in range(tries):
        found = _Attempt(scene, rng).run()
        if found is not None:
            return found
    return None


class _Attempt:
    """One random way to play what has gone, the last trick first settled by who leads then.

    Only suits are chosen first; ranks are dealt so that the chosen seat wins each trick.
    """

    def __init__(self, scene: Scene, rng: random.Random) -> None:
        self.scene, self.rng = scene, rng
        alive = 0
        for card in scene.trick:
            alive |= 1 << card
        for hand in scene.hands:
            alive |= hand
        gone = ALL_CARDS & ~alive
        self.gone = [[c for c in range(13 * s, 13 * s + 13) if gone >> c & 1] for s in range(4)]
        for suit in self.gone:
            rng.shuffle(suit)
        self.tricks = sum(map(len, self.gone)) // 4
        held = list(scene.hands)
        for i, card in enumerate(scene.trick):
            held[(scene.leader + i) & 3] |= 1 << card
        # Hands that are seen by everybody who asks may be out of a suit without saying so.
        free = {0, 2} if scene.declaring else {0}
        self.may = [
            [
                not held[seat] >> 13 * s & SUIT_BITS
                and (seat in free or bool(scene.barred[seat] >> 13 * s & 1))
                for s in range(4)
            ]
            for seat in range(4)
        ]
        self.must = {
            (seat, s)
            for seat in range(4)
            for s in range(4)
            if seat not in free and scene.barred[seat] >> 13 * s & 1
        }
        self.out = [[False] * 4 for _ in range(4)]

    def run(self) -> list[int] | None:
        cards: list[int] = []
        leader = 3  # the hand on the left of South, who declares
        for number in range(self.tricks):
            last = number == self.tricks - 1
            trick = self._trick(leader)
            if trick is None:
                return None
            winner = self._settle(leader, trick, self.scene.leader if last else None)
            if winner is None:
                return None
            leader = winner
            cards += trick
        if any(map(len, self.gone)) or any(not self.out[s][x] for s, x in self.must):
            return None
        return cards

    def _trick(self, leader: int) -> list[int] | None:
        suits = [s for s in range(4) if self.gone[s] and not self.out[leader][s]]
        if not suits:
            return None
        led = max(suits, key=lambda s: len(self.gone[s]) * self.rng.random())
        trick = [self.gone[led].pop()]
        for i in range(1, 4):
            card = self._follow((leader + i) & 3, led)
            if card is None:
                return None
            trick.append(card)
        return trick

    def _follow(self, seat: int, led: int) -> int | None:
        short = len(self.gone[led]) < 2 or self.rng.random() < 0.3
        if not self.out[seat][led] and self.gone[led] and not (self.may[seat][led] and short):
            return self.gone[led].pop()
        if not self.out[seat][led] and not self.may[seat][led]:
            return None
        self.out[seat][led] = True
        strain = self.scene.strain
        others = [s for s in range(4) if s != led and self.gone[s] and not self.out[seat][s]]
        plain = [s for s in others if s != strain]
        choice = plain if plain and (self.rng.random() < 0.8 or strain == 4) else others
        if not choice:
            return None
        suit = max(choice, key=lambda s: len(self.gone[s]) * self.rng.random())
        return self.gone[suit].pop()

    def _settle(self, leader: int, trick: list[int], wanted: int | None) -> int | None:
        """Who wins; the last trick must be won by who leads to the scene."""
        strain, led = self.scene.strain, trick[0] // 13
        top = strain if any(c // 13 == strain for c in trick) else led
        places = [i for i, c in enumerate(trick) if c // 13 == top]
        best = max(places, key=lambda i: trick[i])
        if wanted is not None:
            place = (wanted - leader) & 3
            if place not in places:
                return None
            trick[place], trick[best] = trick[best], trick[place]
            return wanted
        return (leader + best) & 3
