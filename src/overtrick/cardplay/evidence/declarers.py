"""How a declarer, who sees dummy too, chooses a card: a fitted, soft model like that of defenders.

A defender reads declarer's hand from it: from the cards declarer played from either hand, and from
those not played (no finesse taken, no trumps drawn, a trick won higher than needed). For each kind
of choice the chance of a card is a softmax over the legal cards, linear in the features below;
touching honours count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.evidence.choices import FOLLOWING, IMPOSSIBLE, Named, SoftChoice
from overtrick.cardplay.evidence.scenes import Scene
from overtrick.game.cards import SUIT_BITS
from overtrick.worlds.weighted import Floats

Bits = NDArray[np.uint64]
_SUIT: Final = np.uint64(SUIT_BITS)
_TEN: Final = 8
DECLARERS: Final = SoftChoice("declarers.json", lapse=0.05, digits=np.float64)


@dataclass(frozen=True, slots=True)
class Hands:
    """The hand a card is played from, the hand opposite, and the defenders' cards, many times."""

    own: Bits  # (n,)
    other: Bits
    out: Bits

    @classmethod
    def of(cls, scene: Scene, declarer: Bits) -> Hands:
        """For many hands of declarer, with this choice still to be made."""
        dummy = np.full(len(declarer), scene.dummy, np.uint64)
        table = sum(1 << int(c) for c in scene.trick)
        out = np.uint64(scene.alive & ~table) & ~(declarer | dummy)
        own, other = (dummy, declarer) if scene.seat == scene.dummy_seat else (declarer, dummy)
        return cls(own, other, out)

    def some(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Hands:
        return Hands(self.own[rows], self.other[rows], self.out[rows])


def declarer_likelihood(scene: Scene, declarer: Bits) -> Floats:
    """log P(the card played | declarer's hand before it) for many hands, dummy's cards included."""
    hands = Hands.of(scene, declarer)
    led = scene.led
    if led is None or scene.card.suit == led:
        return _chosen(scene, hands, scene.kind)
    out = np.full(len(declarer), IMPOSSIBLE)
    void = (hands.own >> np.uint64(13 * led) & _SUIT) == 0
    if void.any():
        out[void] = _chosen(scene, hands.some(void), "discard")
    return out


def _chosen(scene: Scene, hands: Hands, kind: str) -> Floats:
    if kind in FOLLOWING:  # only the suit led matters: each lie of it once
        suit = _SUIT << np.uint64(13 * scene.trick[0].suit)
        keys = np.stack([hands.own & suit, hands.other & suit])
        _, first, index = np.unique(keys, axis=1, return_index=True, return_inverse=True)
        return _likely(scene, hands.some(first), kind)[index.reshape(-1)]
    return _likely(scene, hands, kind)


def _likely(scene: Scene, hands: Hands, kind: str) -> Floats:
    columns = ChoiceColumns.of(scene, hands, kind)
    choice = columns.choice
    score = DECLARERS.scores(kind, features(scene, columns, kind), choice)
    chance = np.exp(score - score.max(axis=1, keepdims=True))
    share = (chance * columns.same(int(scene.card))).sum(axis=1) / chance.sum(axis=1)
    return DECLARERS.with_lapses(share, choice)


# ---------------------------------------------------------------- features


@dataclass(frozen=True, slots=True)
class ChoiceColumns:
    """What every kind of choice looks at: (hands, cards) each, for the cards that may be held."""

    cards: tuple[int, ...]
    held: NDArray[np.bool_]
    rank: NDArray[np.float64]
    length: NDArray[np.int64]  # of the suit in the hand played from
    opposite: NDArray[np.int64]  # in the hand opposite
    against: NDArray[np.int64]  # with the defenders
    low: NDArray[np.bool_]
    high: NDArray[np.bool_]
    above: NDArray[np.int64]  # defenders' cards that beat this one
    equal_below: NDArray[np.bool_]  # our next lower card is as good
    equal_above: NDArray[np.bool_]
    twin_below: NDArray[np.bool_]  # … and an honour, as this one is
    winner_above: NDArray[np.bool_]  # we hold a sure winner above this card in the same hand
    winner_opposite: NDArray[np.bool_]  # the hand opposite has a sure winner of the suit
    honour_opposite: NDArray[np.bool_]  # … an honour above this card that is no winner yet

    @classmethod
    def of(cls, scene: Scene, hands: Hands, kind: str) -> ChoiceColumns:
        union = int(np.bitwise_or.reduce(hands.own)) if len(hands.own) else 0
        if kind in FOLLOWING:
            union &= SUIT_BITS << 13 * scene.trick[0].suit
        cards = tuple(c for c in range(52) if union >> c & 1)
        suits = np.array([c // 13 for c in cards], np.uint64) * np.uint64(13)
        rank = np.array([c % 13 for c in cards], np.uint64)
        own = hands.own[:, None] >> suits & _SUIT
        other = hands.other[:, None] >> suits & _SUIT
        out = hands.out[:, None] >> suits & _SUIT
        one = np.uint64(1)
        higher = own >> rank + one
        lower = own & ((one << rank) - one)
        above = np.bitwise_count(out >> rank + one)
        out_top = _tops(out)
        own_top, other_top = _tops(own), _tops(other)
        next_low = _tops(lower)
        low_out = np.bitwise_count(out >> (np.maximum(next_low, 0) + 1).astype(np.uint64))
        up = higher & (~higher + one)  # our next higher card
        next_up = _tops(up << rank + one)
        up_out = np.bitwise_count(out >> (np.maximum(next_up, 0) + 1).astype(np.uint64))
        ranks = rank.astype(np.int64)
        return cls(
            cards,
            (own >> rank & one).astype(bool),
            np.broadcast_to(rank.astype(float), own.shape),
            np.bitwise_count(own).astype(np.int64),
            np.bitwise_count(other).astype(np.int64),
            np.bitwise_count(out).astype(np.int64),
            lower == 0,
            higher == 0,
            above.astype(np.int64),
            (lower != 0) & (low_out == above),
            (higher != 0) & (up_out == above),
            (next_low > _TEN) & (low_out == above),
            (own_top > out_top) & (own_top > ranks),
            (other_top > out_top) & (other != 0),
            (other_top > ranks) & (other_top < out_top) & (other_top >= _TEN),
        )

    @property
    def choice(self) -> NDArray[np.bool_]:
        """The cards to choose from, of touching honours only the lowest: which of them wins a
        trick is a matter of style, and may be meant to deceive. Small cards go lowest first."""
        return self.held & ~self.twin_below

    def same(self, card: int) -> NDArray[np.bool_]:
        """The choice that stands for a card."""
        suit = np.array([c // 13 == card // 13 for c in self.cards])
        out: NDArray[np.bool_] = self.choice & (np.array(self.cards) == card)
        if card % 13 > _TEN:
            above = self.above[:, self.cards.index(card), None]
            out = self.choice & suit & (self.rank > _TEN) & (self.above == above)
        return out


def _tops(cards: Bits) -> NDArray[np.int64]:
    """The highest rank of each holding, -1 if there is none."""
    return np.frexp(cards.astype(np.float64))[1].astype(np.int64) - 1


def features(scene: Scene, columns: ChoiceColumns, kind: str) -> Named:
    """Named features (hands, cards) of a kind of choice."""
    if kind == "lead":
        yield from _leading(scene, columns)
    elif kind == "discard":
        yield from _discarding(scene, columns)
    else:
        yield from _following(scene, columns)


def _following(scene: Scene, c: ChoiceColumns) -> Named:
    best, led = scene.best, scene.trick[0].suit
    assert best is not None
    beats = np.array([best.suit == led and card > best for card in c.cards])
    wins = np.broadcast_to(beats, c.held.shape)
    mine = c.held & wins
    can = mine.any(axis=1, keepdims=True)
    cheapest = wins & (mine.cumsum(axis=1) == 1)
    master = c.above == 0
    sure = (mine & master).any(axis=1, keepdims=True)
    to_come = scene.other_follows
    they_led = scene.leader & 1 != scene.seat & 1
    nt = scene.strain == 4
    first = scene.alive >> 13 * led & SUIT_BITS == SUIT_BITS
    yield "low", c.low
    yield "low, cannot win", c.low & ~can
    yield "high", c.high
    yield "rank", c.rank / 12
    yield "wins", wins
    yield "cheapest winner", cheapest
    yield "wins, master", wins & master
    yield "wins, higher ones out", wins * np.minimum(c.above, 4) / 4
    yield "wins, partner winning", wins & scene.partner_wins
    yield "cheapest, partner winning", cheapest & scene.partner_wins
    yield "finesse", wins & ~master & c.winner_above
    yield "finesse, one above", wins & (c.above == 1) & c.winner_above
    yield "winner, could finesse", wins & master & ~cheapest & ~c.equal_below
    yield "loses, has a winner", ~wins & sure
    yield "hold-up, nt", ~wins & sure & nt & they_led
    yield "hold-up, first round", ~wins & sure & nt & they_led & first
    yield "duck, trumps", ~wins & sure & (not nt) & they_led
    yield "wins, winner to come", wins & c.winner_opposite & to_come
    yield "low, winner to come", c.low & c.winner_opposite & to_come
    yield "wins, honour to come", wins & c.honour_opposite & to_come
    yield "honour, not winning", (c.rank > _TEN) & ~wins
    yield "equal below", c.equal_below
    yield "equal above", c.equal_above
    yield "equal below, wins", c.equal_below & wins
    yield "equal above, wins", c.equal_above & wins
    yield "higher ones out", np.minimum(c.above, 4) / 4


def _discarding(scene: Scene, c: ChoiceColumns) -> Named:
    best = scene.best
    assert best is not None
    trump = np.broadcast_to(np.array([x // 13 == scene.strain for x in c.cards]), c.held.shape)
    over = [x // 13 == scene.strain and (best.suit != scene.strain or x > best) for x in c.cards]
    ruff = np.broadcast_to(np.array(over), c.held.shape)
    plain = ~trump
    master = c.above == 0
    yield "ruff", ruff
    yield "lowest ruff", ruff & ((c.held & ruff).cumsum(axis=1) == 1)
    yield "ruff, partner winning", ruff & scene.partner_wins
    yield "ruff, last hand", ruff & (len(scene.trick) == 3)
    yield "ruff high", ruff & (c.rank > _TEN)
    yield "trump, no ruff", trump & ~ruff
    yield "low", c.low & plain
    yield "rank", c.rank / 12 * plain
    yield "master", master & plain
    yield "master, no winner opposite", master & ~c.winner_opposite & plain
    yield "honour", (c.rank > _TEN) & plain
    yield "length", c.length / 5 * plain
    yield "opposite", c.opposite / 5 * plain
    yield "longer than opposite", (c.length > c.opposite) & plain
    yield "last card", (c.length == 1) & plain
    yield "void opposite", (c.opposite == 0) & plain
    yield "winner opposite", c.winner_opposite & plain
    yield "higher ones out", np.minimum(c.above, 4) / 4 * plain
    yield "few out", np.minimum(c.against, 6) / 6 * plain
    yield "equal above", c.equal_above & plain


def _leading(scene: Scene, c: ChoiceColumns) -> Named:
    suit_of = np.array([x // 13 for x in c.cards])
    shape = c.held.shape
    trump = np.broadcast_to(suit_of == scene.strain, shape)
    nt = scene.strain == 4
    plain = ~trump
    master = c.above == 0
    out = c.against > 0
    ours = np.broadcast_to((scene.partner_led | scene.mine_led) >> suit_of & 1 == 1, shape)
    theirs = np.broadcast_to(scene.theirs_led >> suit_of & 1 == 1, shape)
    longest = c.length + c.opposite
    yield "trump, some out", trump & out
    yield "trump, few out", trump & out & (c.against <= 2)
    yield "trump, none out", trump & ~out
    yield "master", master & plain
    yield "master, trump", master & trump & out
    yield "master, nt", master & nt
    yield "master, none out", master & plain & ~out
    yield "rank", c.rank / 12
    yield "low", c.low
    yield "high", c.high
    yield "low to a winner", c.low & c.winner_opposite
    yield "to a winner", c.winner_opposite & ~master
    yield "towards an honour", c.honour_opposite & ~master
    yield "honour, led through", (c.rank > _TEN) & ~master
    yield "honour, equal below", (c.rank > _TEN) & ~master & c.equal_below
    yield "under our winner", c.winner_above & ~master
    yield "equal below", c.equal_below
    yield "equal above", c.equal_above
    yield "length", c.length / 5 * plain
    yield "opposite", c.opposite / 5 * plain
    yield "together, nt", longest / 8 * nt
    yield "together", longest / 8 * plain
    yield "many out", c.against / 6 * plain
    yield "ruff opposite", (c.opposite == 0) & plain & (not nt)
    yield "last card", (c.length == 1) & plain
    yield "ours again", ours & plain
    yield "theirs", theirs & plain
    yield "ours again, low", ours & c.low & plain
    yield "partner bid", np.broadcast_to(scene.partner_bid >> suit_of & 1 == 1, shape) & plain
    yield "theirs bid", np.broadcast_to(scene.theirs_bid >> suit_of & 1 == 1, shape) & plain
    yield "no winner anywhere", ~master & ~c.winner_above & ~c.winner_opposite & plain
