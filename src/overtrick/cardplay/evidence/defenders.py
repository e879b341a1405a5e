"""How a defender, who sees one hand and dummy, chooses a card: a fitted, soft model of players.
cards.py weighs worlds by it; benchmarks/cardplay_fit.py fits it.

There is a table of weights for each kind of choice: opening lead, later lead, second, third and
fourth hand, discard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.carding import STANDARD, Carding
from overtrick.cardplay.evidence.choices import (
    FOLLOWING,
    IMPOSSIBLE,
    Answers,
    Bools,
    Named,
    SoftChoice,
)
from overtrick.cardplay.evidence.scenes import Scene, suit_cards
from overtrick.cardplay.messages import (
    HandFacts,
    Subject,
    asks,
    goes_high,
    is_odd,
    subject,
)
from overtrick.worlds.weighted import Floats

KINDS: Final = ("opening", "lead", "second", "third", "fourth", "discard")
_HONOUR: Final = 9  # the jack
_QUEEN: Final = 10
DEFENDERS: Final = SoftChoice("defenders.json", lapse=0.03, digits=np.float32)
_REMEMBERED: Final = 96  # choices whose answers are kept, 64 kB each: those of two boards


@dataclass(frozen=True, slots=True)
class Columns:
    """Many hands of one seat against the cards they may hold, suit by suit, low to high."""

    cards: tuple[int, ...]
    held: Bools  # (hands, cards)
    hands: NDArray[np.uint64]

    @classmethod
    def of(cls, hands: NDArray[np.uint64], suits: tuple[int, ...], union: int = 0) -> Columns:
        """`union`: what such hands may hold, where that matters; else what these hold."""
        if not union and len(hands):
            union = int(np.bitwise_or.reduce(hands))
        cards = [c for s in suits for c in suit_cards(union, s)]
        shifts = np.array(cards, np.uint64)
        held = (hands[:, None] >> shifts[None, :] & np.uint64(1)).astype(bool)
        return cls(tuple(cards), held, hands)


def choice_likelihood(
    scene: Scene, hands: NDArray[np.uint64], carding: Carding = STANDARD
) -> Floats:
    """log P(the card played | hand before it) for many hands of the seat."""
    out = np.zeros(len(hands))
    led = scene.led
    if led is None:
        return _chosen(scene, hands, scene.kind, carding)
    follows = (hands >> np.uint64(13 * led) & np.uint64(0x1FFF)) != 0
    if scene.card.suit == led:
        return _chosen(scene, hands, scene.kind, carding)
    out[follows] = IMPOSSIBLE
    if not follows.all():
        out[~follows] = _chosen(scene, hands[~follows], "discard", carding)
    return out


def chances(scene: Scene, hands: NDArray[np.uint64]) -> tuple[tuple[int, ...], Floats]:
    """The cards a seat may hold and, hand by hand, the chance of each to be played now."""
    led = scene.led
    every = Columns.of(hands, (0, 1, 2, 3))
    out = np.zeros(every.held.shape)
    column = {card: i for i, card in enumerate(every.cards)}
    follows = np.zeros(len(hands), bool)
    if led is not None:
        follows = (hands >> np.uint64(13 * led) & np.uint64(0x1FFF)) != 0
    for rows, kind in ((follows, scene.kind), (~follows, "discard" if led is not None else "")):
        if rows.any():
            columns, score = _scores(scene, hands[rows], kind or scene.kind)
            weight = np.exp(score - score.max(axis=1, keepdims=True)).astype(float)
            chance = (1 - DEFENDERS.lapse) * weight / weight.sum(axis=1, keepdims=True)
            chance += DEFENDERS.lapse * columns.held / columns.held.sum(axis=1, keepdims=True)
            held = [i for i, c in enumerate(columns.cards) if c in column]
            at = np.array([column[columns.cards[i]] for i in held])
            out[np.flatnonzero(rows)[:, None], at] = chance[:, held]
    return every.cards, out


def _scores(
    scene: Scene, hands: NDArray[np.uint64], kind: str, carding: Carding = STANDARD
) -> tuple[Columns, NDArray[np.floating]]:
    """The linear score of every card of every hand; minus infinity for cards not held."""
    if kind in FOLLOWING:  # the same columns whatever the hands: an answer depends on nothing else
        columns = Columns.of(hands, (int(scene.trick[0].suit),), scene.alive)
    else:
        columns = Columns.of(hands, (0, 1, 2, 3))
    named = features(scene, columns, kind, carding)
    return columns, DEFENDERS.scores(kind, named, columns.held)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice, as far as hands that are asked about differ in it."""

    scene: Scene
    kind: str
    carding: Carding
    union: int = 0  # all that whole hands hold: the last digits of an answer depend on it

    def of(self, hands: NDArray[np.uint64]) -> Floats:
        columns, score = _scores(self.scene, hands, self.kind, self.carding)
        played = columns.cards.index(int(self.scene.card))
        top = score.max(axis=1)
        total = np.log(np.exp(score - top[:, None]).sum(axis=1)) + top
        return DEFENDERS.with_lapses(np.exp((score[:, played] - total).astype(float)), columns.held)


_BY_HOLDING: Final[Answers[_Choice, Floats]] = Answers(_REMEMBERED)
"""Of a choice in the suit led, by the holding of that suit; NaN where it was not asked."""
_Hands = tuple[NDArray[np.uint64], Floats]
_BY_HAND: Final[Answers[_Choice, _Hands]] = Answers(_REMEMBERED)
"""Of a choice that depends on the whole hand, the hands asked about last, in order."""


def forget() -> None:
    """What was answered is not kept any longer: for those who change the weights."""
    _BY_HOLDING.clear()
    _BY_HAND.clear()


def _chosen(scene: Scene, hands: NDArray[np.uint64], kind: str, carding: Carding) -> Floats:
    if kind in FOLLOWING and not _speaks_of_others(scene, carding):
        return _by_holding(_Choice(scene, kind, carding), hands)
    return _by_hand(_Choice(scene, kind, carding, int(np.bitwise_or.reduce(hands))), hands)


def _speaks_of_others(scene: Scene, carding: Carding) -> bool:
    """Does a card of the suit led ask for another suit?"""
    return subject(scene, int(scene.trick[0].suit), carding) is Subject.PREFERENCE


def _by_holding(choice: _Choice, hands: NDArray[np.uint64]) -> Floats:
    """Only the suit led matters: each holding once, also in the decisions that follow this one."""
    shift = np.uint64(13 * choice.scene.trick[0].suit)
    holdings = (hands >> shift & np.uint64(0x1FFF)).astype(np.intp)

    def completed(known: Floats | None) -> Floats:
        table = np.full(1 << 13, np.nan) if known is None else known
        missing = np.isnan(table[holdings])
        if not missing.any():
            return table
        new = np.unique(holdings[missing])
        table = table.copy()
        table[new] = choice.of(new.astype(np.uint64) << shift)
        return table

    found: Floats = _BY_HOLDING.changed(choice, completed)[holdings]
    return found


def _by_hand(choice: _Choice, hands: NDArray[np.uint64]) -> Floats:
    """The next decision asks about some of the same hands."""

    def completed(
        known: tuple[NDArray[np.uint64], Floats] | None,
    ) -> _Hands:
        if known is not None and (known[0][_places(known[0], hands)] == hands).all():
            return known
        order = np.argsort(hands)
        return hands[order], choice.of(hands)[order]

    before, answers = _BY_HAND.changed(choice, completed)
    found: Floats = answers[_places(before, hands)]
    return found


def _places(ordered: NDArray[np.uint64], hands: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Where each hand stands in a list, if it is there."""
    return np.minimum(np.searchsorted(ordered, hands), len(ordered) - 1)


# ---------------------------------------------------------------- features


@dataclass(frozen=True, slots=True)
class _Suits:
    """What every kind of choice looks at, (hands, cards) each."""

    rank: NDArray[np.float32]
    length: NDArray[np.float32]
    low: Bools
    high: Bools
    place: NDArray[np.float32]  # 0 for the highest card of the suit held
    above: NDArray[np.float32]  # cards out against us that are higher
    touch_up: Bools
    touch_down: Bools
    top: NDArray[np.float32]  # rank of the best card of the suit held

    @classmethod
    def of(cls, scene: Scene, columns: Columns) -> _Suits:
        held = columns.held
        shape = held.shape
        ranks = np.array([c % 13 for c in columns.cards], np.float32)
        length = np.zeros(shape, np.float32)
        place = np.zeros(shape, np.float32)
        alive_up = np.zeros(shape[1], np.float32)
        up, down = np.zeros(shape, bool), np.zeros(shape, bool)
        top = np.zeros(shape, np.float32)
        for suit in range(4):
            at = [i for i, c in enumerate(columns.cards) if c // 13 == suit]
            if not at:
                continue
            own = held[:, at]
            length[:, at] = own.sum(axis=1, keepdims=True)
            place[:, at] = own[:, ::-1].cumsum(axis=1)[:, ::-1] - own
            top[:, at] = np.where(own, ranks[at], -1).max(axis=1, keepdims=True)
            order = suit_cards(scene.alive, suit)
            column = {columns.cards[i]: i for i in at}
            for i in at:
                position = order.index(columns.cards[i])
                alive_up[i] = len(order) - 1 - position
                nxt = column.get(order[position + 1]) if position + 1 < len(order) else None
                if nxt is not None:
                    up[:, i] = held[:, nxt]
                    down[:, nxt] = held[:, i]
        rank = np.broadcast_to(ranks, shape)
        return cls(
            rank, length, place == length - 1, place == 0, place,
            alive_up - place, up, down, top,
        )  # fmt: skip


def features(scene: Scene, columns: Columns, kind: str, carding: Carding = STANDARD) -> Named:
    """Named features (hands, cards) of a kind of choice.

    Signals are features of what the card would mean: upside down, a high spot shows what a low
    one shows otherwise, and the same weights tell how often players signal.
    """
    suits = _Suits.of(scene, columns)
    if kind in ("opening", "lead"):
        yield from _leading(scene, columns, suits, carding)
    elif kind == "discard":
        yield from _discarding(scene, columns, suits)
        yield from _by_attitude(scene, columns, suits, carding)
        if carding.odd_even and not scene.thrown:
            yield from _by_parity(columns, suits)
    else:
        yield from _following(scene, columns, suits, carding)


def _following(scene: Scene, columns: Columns, s: _Suits, carding: Carding) -> Named:
    best, led = scene.best, scene.trick[0].suit
    assert best is not None
    held = columns.held
    beats = np.array([best.suit == led and c > best for c in columns.cards])
    wins = np.broadcast_to(beats, held.shape)
    can = (held & wins).any(axis=1, keepdims=True)
    cheapest = wins & ((held & wins).cumsum(axis=1) == 1)
    spot = s.rank < _HONOUR
    dummy_top = max(suit_cards(scene.dummy, led), default=-1)
    over = np.array([c > dummy_top for c in columns.cards])
    about = subject(scene, int(led), carding)
    up = _up(about, scene, columns, int(led), carding)
    low_spot, high_spot = s.low & spot & ~up, _highest(held & spot) & up
    counts = about in (Subject.COUNT, Subject.TRUMPS)
    likes, prefers = about is Subject.ATTITUDE, about is Subject.PREFERENCE
    yield "low", s.low
    yield "high", s.high
    yield "wins", wins
    yield "cheapest winner", cheapest
    yield "cheapest winner, partner winning", cheapest & scene.partner_wins
    yield "wins, partner winning", wins & scene.partner_wins
    yield "cheapest winner, master", cheapest & (s.above == 0)
    yield "wins, master", wins & (s.above == 0)
    yield "low, cannot win", s.low & ~can
    yield "honour, not winning", ~spot & ~wins
    yield "rank", s.rank / 12
    yield "higher ones out", np.minimum(s.above, 4) / 4
    yield "wins, higher ones out", wins * np.minimum(s.above, 4) / 4
    yield "touches below", s.touch_down
    yield "touches above", s.touch_up
    yield "honour touches below", s.touch_down & ~spot
    yield "honour touches above", s.touch_up & ~spot
    yield "covers an honour", wins & (best.rank >= _HONOUR) & ~spot
    yield "beats dummy to come", wins & over & scene.dummy_follows
    yield "under dummy to come", wins & ~over & scene.dummy_follows
    yield "even, high spot", high_spot & counts
    yield "odd, low", low_spot & counts
    yield "even, low", s.low & spot & up & counts
    yield "likes, high spot", high_spot & likes
    yield "dislikes, low", low_spot & likes
    yield "trumps, low", s.low & (led == scene.strain and about is Subject.NOTHING)
    yield "two cards, low", s.low & (s.length == 2)
    yield "asks up, high spot", high_spot & prefers
    yield "asks down, low", low_spot & prefers


def _up(about: Subject, scene: Scene, columns: Columns, suit: int, carding: Carding) -> Bools:
    """Hand by hand, is what there is to tell told by a high card? As a column."""
    suits = [columns.hands >> np.uint64(13 * k) & np.uint64(0x1FFF) for k in range(4)]
    tops = [np.frexp(held.astype(float))[1] - 1 for held in suits]  # 2^k is 0.5 times 2^(k + 1)
    facts = HandFacts([np.bitwise_count(held) for held in suits], tops)
    asked = asks(about, scene, suit, facts)
    out: Bools = np.asarray(goes_high(about, carding, asked))[:, None]
    return out


def _highest(cards: Bools) -> Bools:
    """The highest of these cards, hand by hand."""
    found: Bools = cards & (cards[:, ::-1].cumsum(axis=1)[:, ::-1] == 1)
    return found


def _discarding(scene: Scene, columns: Columns, s: _Suits) -> Named:
    best = scene.best
    assert best is not None
    suit_of = np.array([c // 13 for c in columns.cards])
    trump = np.broadcast_to(suit_of == scene.strain, columns.held.shape)
    ruffs = np.array(
        [c // 13 == scene.strain and (best.suit != scene.strain or c > best) for c in columns.cards]
    )
    ruff = np.broadcast_to(ruffs, columns.held.shape)
    lowest_ruff = ruff & ((columns.held & ruff).cumsum(axis=1) == 1)
    plain = ~trump
    spot = s.rank < _HONOUR
    guard = (s.top >= _HONOUR - 1) & (s.length == 14 - s.top) & (s.top < 12)
    in_dummy = np.array([len(suit_cards(scene.dummy, k)) for k in range(4)], np.float32)
    dummy_length = in_dummy[suit_of]
    yield "ruff", ruff
    yield "lowest ruff", lowest_ruff
    yield "ruff, partner winning", ruff & scene.partner_wins
    yield "trump, no ruff", trump & ~ruff
    yield "low", s.low & plain
    yield "rank", s.rank / 12 * plain
    yield "honour", ~spot & plain
    yield "master", (s.above == 0) & plain
    yield "length", s.length / 5 * plain
    yield "longest", (s.length == s.length.max(axis=1, keepdims=True)) & plain
    yield "last card", (s.length == 1) & plain
    yield "unguards", guard & plain
    yield "honour suit", (s.top >= _QUEEN) & plain
    yield "honour suit, spot", (s.top >= _QUEEN) & spot & plain
    yield "dummy as long", (dummy_length >= s.length) & (dummy_length > 1) & plain
    yield "dummy short", (dummy_length <= 1) & plain
    yield "partner led", _among(scene.partner_led, suit_of) & plain
    yield "mine led", _among(scene.mine_led, suit_of) & plain
    yield "theirs led", _among(scene.theirs_led, suit_of) & plain
    yield "theirs bid", _among(scene.theirs_bid, suit_of) & plain
    yield "place", np.minimum(s.place, 4) / 4 * plain
    yield "touches above", s.touch_up & plain
    yield "two cards", (s.length == 2) & plain
    yield "few above", np.minimum(s.above, 4) / 4 * plain


def _by_attitude(scene: Scene, columns: Columns, s: _Suits, carding: Carding) -> Named:
    """A discard that tells by its height: a high spot of a suit we like, a low one of another."""
    suit_of = np.array([c // 13 for c in columns.cards])
    high, told, up = (np.zeros_like(columns.held) for _ in range(3))
    for suit in range(4):
        if subject(scene, suit, carding) is Subject.ATTITUDE:
            own = columns.held & (s.rank < _HONOUR) & (suit_of == suit)
            high |= _highest(own)
            told |= own
            up |= own & _up(Subject.ATTITUDE, scene, columns, suit, carding)
    yield "likes, discards high", high & ~s.low & up
    yield "dislikes, discards low", s.low & told & ~up
    yield "likes, discards low", s.low & told & up


def _by_parity(columns: Columns, s: _Suits) -> Named:
    """A first discard that tells by its parity."""
    odd = np.array([is_odd(c % 13) for c in columns.cards])
    spot = (s.rank < _HONOUR) & columns.held
    liked = s.top >= _QUEEN
    yield "odd, likes", spot & odd & liked
    yield "even, dislikes", spot & ~odd & ~liked


def _leading(scene: Scene, columns: Columns, s: _Suits, carding: Carding) -> Named:
    suit_of = np.array([c // 13 for c in columns.cards])
    trump = suit_of == scene.strain
    nt = scene.strain == 4
    honour = s.rank >= _HONOUR
    sequence = honour & s.touch_down & ~s.touch_up
    unsupported = (s.top >= _HONOUR) & (s.top < 12) & ~honour
    yield "trump", np.broadcast_to(trump, s.rank.shape)
    yield "rank", s.rank / 12
    yield "low", s.low
    yield "high", s.high
    yield "sequence", sequence
    yield "sequence, nt", sequence & nt
    yield "inside sequence", honour & s.touch_up
    yield "fourth", (s.place == 3) & (s.length >= 4)
    yield "fourth, honour on top", (s.place == 3) & (s.length >= 4) & (s.top >= _HONOUR)
    yield "second of nothing", (s.place == 1) & (s.length >= 3) & (s.top < _HONOUR)
    yield "top of nothing", s.high & (s.length >= 3) & (s.top < _HONOUR)
    yield "third low", s.low & (s.length == 3) & (s.top >= _HONOUR)
    yield "singleton", (s.length == 1) & (not nt)
    yield "doubleton top", s.high & (s.length == 2)
    yield "doubleton low", s.low & (s.length == 2)
    yield "length", s.length / 5
    yield "length, nt", s.length / 5 * nt
    yield "longest, nt", (s.length == s.length.max(axis=1, keepdims=True)) & nt
    yield "master", s.above == 0
    yield "master, trumps", (s.above == 0) & (not nt)
    yield "unsupported honour", honour & ~s.touch_down & ~s.touch_up & (s.above > 0)
    yield "from an honour", unsupported
    yield "from an honour, trumps", unsupported & (not nt)
    yield "under the ace", (s.top == 12) & (s.rank < 12)
    yield "under the ace, trumps", (s.top == 12) & (s.rank < 12) & (not nt)
    yield "higher ones out", np.minimum(s.above, 4) / 4
    yield "partner led", _among(scene.partner_led, suit_of)
    yield "mine led", _among(scene.mine_led, suit_of)
    yield "theirs led", _among(scene.theirs_led, suit_of)
    yield "partner bid", _among(scene.partner_bid, suit_of)
    yield "theirs bid", _among(scene.theirs_bid, suit_of)
    ruff = _among(scene.partner_void, suit_of) & (not nt)
    yield "partner void", ruff
    yield "partner void, high", ruff * s.rank / 12
    yield "asks for its suit", _asked(scene, columns, s, carding)
    if scene.dummy:
        yield from _with_dummy(scene, suit_of, s)


def _asked(scene: Scene, columns: Columns, s: _Suits, carding: Carding) -> Bools:
    """The card for partner to ruff that asks for the better of the other side suits."""
    suit_of = np.array([c // 13 for c in columns.cards])
    out = np.zeros_like(columns.held)
    for suit in range(4):
        if subject(scene, suit, carding) is Subject.PREFERENCE:
            up = _up(Subject.PREFERENCE, scene, columns, suit, carding)
            out |= (suit_of == suit) & np.where(up, s.high, s.low)
    return out & (s.length > 1)


def _with_dummy(scene: Scene, suit_of: NDArray[np.int64], s: _Suits) -> Named:
    """What a leader makes of the dummy in sight."""
    dummies = [suit_cards(scene.dummy, k) for k in range(4)]
    dummy_length = np.array([len(d) for d in dummies], np.float32)[suit_of]
    dummy_top = np.array([d[-1] % 13 if d else -1 for d in dummies])[suit_of]
    through = (scene.dummy_seat - scene.seat) & 3 == 1
    yield "dummy short", np.broadcast_to(dummy_length <= 1, s.rank.shape)
    yield "dummy strong", np.broadcast_to(dummy_top >= 11, s.rank.shape)
    yield "dummy weak", np.broadcast_to(dummy_top < _HONOUR, s.rank.shape)
    yield "through strength", np.broadcast_to((dummy_top >= _QUEEN) & through, s.rank.shape)
    yield "up to strength", np.broadcast_to((dummy_top >= _QUEEN) & (not through), s.rank.shape)
    yield "beats dummy", s.rank > dummy_top


def _among(suits: int, suit_of: NDArray[np.int64]) -> Bools:
    """Which cards belong to a 4-bit set of suits, as a row."""
    out: Bools = (suits >> suit_of & 1).astype(bool)[None, :]
    return out
