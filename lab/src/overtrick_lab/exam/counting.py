"""Count for partner: the small card that tells how many, proved with a partner who reads it.

In the other proofs partner sees all cards, and signals are worth nothing. Here he sees his own hand
and dummy's when he has to play to this trick, believes the agreed signal (high for an even number),
and plays the card that beats the contract most often in the layouts it leaves.
"""

from __future__ import annotations

import random
from typing import Final

from overtrick.cardplay.blind import Defence
from overtrick.cardplay.ending import Ending, shared_out
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.naming import Technique, named
from overtrick.cardplay.vectors import cards_of
from overtrick.game import Hand
from overtrick.game.cards import SUIT_BITS
from overtrick_lab.exam.scene import DECLARER, EndingScene, Four

NAME: Final = "count for partner"
_TEN: Final = 8
_MOST: Final = 60_000  # nodes for partner's question after one card
_SAME: Final = 1e-9


def may_count(game: Ending) -> bool:
    """Does declarer lead a suit to dummy's equals, while we have small cards to choose from?"""
    if game.declaring or len(game.trick) != 1 or game.leader != game.declarer:
        return False
    suit = game.trick[0] // 13
    dummy = _suit(game.hands[0][game.declarer ^ 2], suit)
    mine = _suit(game.hands[0][game.chooser], suit)
    if suit == game.strain or dummy.bit_count() < 2 or mine.bit_count() < 2:
        return False
    high, low = dummy.bit_length() - 1, cards_of(dummy)[0]
    between = sum(1 << c for c in range(low, high)) & ~dummy
    others = any(hand & between for row in game.hands for hand in row)
    return not others and low > max(mine.bit_length() - 1, game.trick[0])


def counted(game: Ending, shown: Four) -> dict[int, float]:
    """How often the contract is beaten after each of our cards, partner reading it as count."""
    suit = game.trick[0] // 13
    held = _suit(game.hands[0][game.chooser], suit)
    return {card: _after(game, shown, card) for card in reversed(cards_of(held))}


def signalled(game: Ending, card: int) -> Technique:
    suit = card // 13
    even = _suit(game.hands[0][game.chooser], suit).bit_count() % 2 == 0
    return named(NAME, "shows-even" if even else "shows-odd", suits=(suit,))


# Dummy's suit, as many as declarer, we and partner have of it, the ace being partner's.
_DUMMYS: Final = (("KQJ", (1, 2)), ("KQJT", (1, 2)), ("KQ", (1, 2)), ("QJT", (1, 2)))
_SPOTS: Final = "98765432"


def built(rng: random.Random) -> EndingScene | None:
    """Declarer leads to a long suit of dummy's without another entry; who counts best is asked."""
    n = rng.choice((3, 4, 4))
    places = rng.sample(range(4), 4)
    long, counts = rng.choice(_DUMMYS)
    spots = rng.sample(_SPOTS, len(_SPOTS))
    ours, theirs = rng.choice((2, 2, 3)), rng.choice(counts)
    more = rng.choice((0, 1, 1))
    parts = [long, "A" + "".join(spots[:more]), "".join(spots[more : more + theirs]),
             "".join(spots[more + theirs : more + theirs + ours])]  # fmt: skip
    hands = [Hand.parse(f"...{p}").bits << 13 * places[0] for p in parts]
    for card in (13 * s + r for r in (12, 11, 10, 9, 8) for s in places[1:3]):
        room = [s for s in (2, 2, 2, 1, 3) if hands[s].bit_count() < n]
        if room:
            hands[rng.choice(room)] |= 1 << card
    for seat in rng.sample(range(4), 4):
        while hands[seat].bit_count() < n:
            used = hands[0] | hands[1] | hands[2] | hands[3]
            low = [13 * s + r for s in places[1:3] for r in range(7) if not used >> 13 * s + r & 1]
            hands[seat] |= 1 << rng.choice(low)
    if max(map(int.bit_count, hands)) > n:
        return None
    led = rng.choice(cards_of(_suit(hands[2], places[0])))
    four = hands[0], hands[1], hands[2] & ~(1 << led), hands[3]
    need = rng.randrange(1, n + 1)
    return EndingScene(four, 4, DECLARER, (led,), (0, 0, 0, 0), need, 3)


def _after(game: Ending, shown: Four, card: int) -> float:
    """Our chance after a card, over all layouts; partner's question is asked once for each hand he
    may hold."""
    answers: dict[int, dict[tuple[int, int], float]] = {}
    total = 0.0
    for row in game.hands:
        partner = row[game.chooser ^ 2]
        if partner not in answers:
            answers[partner] = _partners(game, row, shown, card)
        total += answers[partner][row[game.chooser] & ~(1 << card), row[game.declarer]]
    return total / len(game.hands)


def _partners(game: Ending, row: Four, shown: Four, card: int) -> dict[tuple[int, int], float]:
    """In each layout partner must think possible, how often the card he then plays beats it."""
    me, partner, declarer, dummy = game.chooser, game.chooser ^ 2, game.declarer, game.declarer ^ 2
    suit = card // 13
    top = _suit(row[dummy], suit).bit_length() - 1
    mine = row[me] & ~(1 << card)
    pairs = shared_out(
        mine | row[declarer],
        (mine.bit_count(), row[declarer].bit_count()),
        (shown[me], shown[declarer]),
    )
    rows = []
    for ours, theirs in pairs:
        hands = list(row)
        hands[me], hands[declarer], hands[dummy] = ours, theirs, row[dummy] & ~(1 << top)
        rows.append((hands[0], hands[1], hands[2], hands[3]))
    trick = (*game.trick, card, top)
    asked = Ending(tuple(rows), game.strain, game.leader, trick, game.need, partner, declarer)
    defence = Defence(asked, shown, merge=False, most=_MOST)
    seen = EndingSolver(asked, most=_MOST).seen()
    believed = [i for i, (ours, _) in enumerate(pairs) if agreed(ours | 1 << card, suit) == card]
    chances = {c: defence.beaten(c, seen[c]) for c in seen}
    worth = {c: sum(v[i] for i in believed or range(len(rows))) for c, v in chances.items()}
    best = [c for c in worth if worth[c] > max(worth.values()) - _SAME]
    return {pair: sum(chances[c][i] for c in best) / len(best) for i, pair in enumerate(pairs)}


def agreed(hand: int, suit: int) -> int:
    """The card that shows count: the highest small one of an even number, else the lowest."""
    held = cards_of(_suit(hand, suit))
    spots = [c for c in held if c % 13 <= _TEN] or held
    return spots[-1] if len(held) % 2 == 0 else spots[0]


def _suit(hand: int, suit: int) -> int:
    return hand & SUIT_BITS << 13 * suit
