"""Tricks that could have been played before a scene, so that any player can be asked about it.
They show exactly the voids that the scene says are known, and nothing else is meant by them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from overtrick.game.cards import ALL_CARDS, SUIT_BITS
from overtrick_lab.exam.scene import EndingScene, Four

NODES: Final = 600
_WAYS: Final = 24  # ways to play one trick that are tried
_OURS: Final = 0.6  # declarer's side wins more of the tricks: contracts worth fighting for
_VOIDS: Final = tuple(1 << i for i in range(16))  # seat and suit as one bit


class _TrickShape(NamedTuple):
    """Who led, the suits of four cards in playing order, and who won."""

    leader: int
    suits: tuple[int, ...]
    winner: int


class _Now(NamedTuple):
    """Cards of each suit still to be played, who has shown out of what, and who leads."""

    counts: tuple[int, ...]
    out: int
    leader: int


def history(scene: EndingScene, rng: random.Random, nodes: int = NODES) -> list[int] | None:
    """The cards of the tricks before, West leading first; None when none were found."""
    return _Past(scene, rng, nodes).cards()


def any_history(scene: EndingScene, rng: random.Random, nodes: int = NODES) -> EndingScene | None:
    """The scene with the voids that some past shows, whichever they are."""
    hands = list(scene.hands)
    for i, card in enumerate(scene.trick):
        hands[(scene.leader + i) & 3] |= 1 << card
    past = _Past(replace(scene, barred=_voids(hands)), rng, nodes)
    past.must = 0
    tricks = past.tricks()
    if tricks is None:
        return None
    barred = [0, 0, 0, 0]
    for trick in tricks:
        led = trick.suits[0]
        for i, suit in enumerate(trick.suits):
            if suit != led:
                barred[(trick.leader + i) & 3] |= SUIT_BITS << 13 * led
    return replace(scene, barred=(0, barred[1], barred[2], barred[3]))


def _voids(hands: Sequence[int]) -> Four:
    suits = [SUIT_BITS << 13 * s for s in range(4)]
    one, two, three, four = (sum(s for s in suits if not hand & s) for hand in hands)
    return one, two, three, four


class _Past:
    """Suits are chosen first, trick by trick, going back where it cannot be finished; ranks are
    dealt at the end, so that the chosen seat wins each trick."""

    def __init__(self, scene: EndingScene, rng: random.Random, nodes: int) -> None:
        self.scene, self.rng, self.nodes = scene, rng, nodes
        alive, held = 0, list(scene.hands)
        for i, card in enumerate(scene.trick):
            held[(scene.leader + i) & 3] |= 1 << card
        for hand in held:
            alive |= hand
        gone = ALL_CARDS & ~alive
        self.gone = [[c for c in range(13 * s, 13 * s + 13) if gone >> c & 1] for s in range(4)]
        # Hands that are seen by everybody who asks may be out of a suit without saying so.
        free = {0, 2} if scene.declaring else {0}
        self.may = self.must = 0
        for seat, suit in product(range(4), range(4)):
            known = bool(scene.barred[seat] >> 13 * suit & 1)
            if not held[seat] >> 13 * suit & SUIT_BITS and (seat in free or known):
                self.may |= _VOIDS[4 * seat + suit]
            if known and seat not in free:
                self.must |= _VOIDS[4 * seat + suit]
        self.failed: set[_Now] = set()

    def tricks(self) -> list[_TrickShape] | None:
        counts = tuple(map(len, self.gone))
        return self._rest(_Now(counts, 0, 3)) if sum(counts) % 4 == 0 else None

    def cards(self) -> list[int] | None:
        tricks = self.tricks()
        if tricks is None:
            return None
        for suit in self.gone:
            self.rng.shuffle(suit)
        return [card for trick in tricks for card in self._ranks(trick)]

    def _rest(self, now: _Now) -> list[_TrickShape] | None:
        if not any(now.counts):
            done = now.leader == self.scene.leader and not self.must & ~now.out
            return [] if done else None
        self.nodes -= 1
        if self.nodes < 0 or now in self.failed or self._hopeless(now):
            return None
        for trick, after in self._tricks(now):
            rest = self._rest(after)
            if rest is not None:
                return [trick, *rest]
        self.failed.add(now)
        return None

    def _hopeless(self, now: _Now) -> bool:
        """Must somebody still show out of a suit that cannot be led any more, or follow in one
        that has too few cards for that?"""
        open_ = self.must & ~now.out
        for suit, count in enumerate(now.counts):
            if count == 0 and any(open_ & _VOIDS[4 * seat + suit] for seat in range(4)):
                return True
            least = sum(not (self.may | now.out) & _VOIDS[4 * seat + suit] for seat in range(4))
            if 0 < count < least and self._only_led(now, suit):
                return True
        return False

    def _only_led(self, now: _Now, suit: int) -> bool:
        """Can nobody discard from this suit?"""
        for seat in range(4):
            if not now.out & _VOIDS[4 * seat + suit] and any(
                self.may & _VOIDS[4 * seat + s] and now.counts[s] for s in range(4) if s != suit
            ):
                return False
        return True

    def _tricks(self, now: _Now) -> Iterator[tuple[_TrickShape, _Now]]:
        """Some ways to play the next trick, likely ones first."""
        rng, strain = self.rng, self.scene.strain
        last = sum(now.counts) == 4
        for _ in range(_WAYS):
            played = self._suits(now)
            if played is None:
                continue
            suits, counts, out = played
            top = strain if strain in suits else suits[0]
            winners = [(now.leader + i) & 3 for i, s in enumerate(suits) if s == top]
            ours = [w for w in winners if not w & 1 and rng.random() < _OURS]
            winner = self.scene.leader if last else rng.choice(ours or winners)
            if winner in winners:
                yield _TrickShape(now.leader, suits, winner), _Now(counts, out, winner)

    def _suits(self, now: _Now) -> tuple[tuple[int, ...], tuple[int, ...], int] | None:
        rng, counts, out = self.rng, list(now.counts), now.out
        can = [s for s in range(4) if counts[s] and not out & _VOIDS[4 * now.leader + s]]
        if not can:
            return None
        led = max(can, key=lambda s: counts[s] * rng.random())
        suits = [led]
        counts[led] -= 1
        for i in range(1, 4):
            seat = (now.leader + i) & 3
            void = _VOIDS[4 * seat + led]
            short = rng.random() < (0.3 if counts[led] > 2 else 0.6)
            follows = counts[led] and not out & void and not (self.may & void and short)
            if not follows and not (out | self.may) & void:
                return None
            suit = led if follows else self._thrown(counts, out, seat, led)
            if suit is None:
                return None
            out |= 0 if follows else void
            suits.append(suit)
            counts[suit] -= 1
        return tuple(suits), tuple(counts), out

    def _thrown(self, counts: list[int], out: int, seat: int, led: int) -> int | None:
        rng, strain = self.rng, self.scene.strain
        others = [s for s in range(4) if s != led and counts[s] and not out & _VOIDS[4 * seat + s]]
        plain = [s for s in others if s != strain]
        choice = plain if plain and (strain == 4 or rng.random() < 0.8) else others
        return max(choice, key=lambda s: counts[s] * rng.random()) if choice else None

    def _ranks(self, trick: _TrickShape) -> list[int]:
        cards = [self.gone[s].pop() for s in trick.suits]
        strain = self.scene.strain
        top = strain if strain in trick.suits else trick.suits[0]
        best = max((i for i, s in enumerate(trick.suits) if s == top), key=lambda i: cards[i])
        place = (trick.winner - trick.leader) & 3
        cards[place], cards[best] = cards[best], cards[place]
        return cards
