"""How many tricks two hands take together: losing tricks and covers.

The quick utility of bidding search (Amit & Markovitch 2006, 5.1.2); double dummy is the slow and
exact one."""

from __future__ import annotations

from typing import Final

from overtrick.evaluation.features import SUITS
from overtrick.evaluation.hands import HandArray, Hands, OneHand, Value, one_hand
from overtrick.game import Contract, Hand, Vulnerability
from overtrick.game.scoring import declarer_score

_HALF: Final = 20  # points, of 40
_NO_TRUMPS: Final = 7  # trumps that notrump is worth


def _view(hand: Hand | HandArray) -> Hands:
    return hand if isinstance(hand, HandArray) else one_hand(hand.bits)


def losers_left(hand: Hand | HandArray, partner: Hand | HandArray) -> Value:
    """Losers of a hand that partner's aces, kings and queens of the same suit do not cover.

    A, K, Q and every card after the third are winners, the other cards losers.
    """
    mine, other = _view(hand), _view(partner)
    if isinstance(mine, OneHand) != isinstance(other, OneHand):
        raise TypeError("two hands or two arrays of hands")
    left: Value = 0
    for suit in SUITS:
        lost = mine.look("plain_losers", suit) - other.look("top3", suit)
        left = left + mine.maximum(0, lost)
    return left


def expected_tricks(hand: Hand | HandArray, partner: Hand | HandArray) -> Value:
    """Tricks the losing-trick count expects, seen from the first hand.

    >>> hand, partner = Hand.parse("A432.AKQ.AKQ.AKQ"), Hand.parse("K765.432.432.432")
    >>> expected_tricks(hand, partner)  # footnote 8: Axxx opposite Kxxx takes three tricks
    12
    """
    return 13 - losers_left(hand, partner)


def total_tricks(hand: Hand | HandArray, partner: Hand | HandArray, trump: int) -> Value:
    """Footnote 11's other estimate: every trump is a trick, and so are three points more than half
    the pack has (fewer take one away); notrump is worth what a seven-card fit is.

    Read word by word, three points of all that there are for a trick and a trick for each trump, 25
    points and eight trumps would be sixteen tricks, and nearly every deal a grand slam.

    >>> hand, partner = Hand.parse("AK432.K32.K2.432"), Hand.parse("QJ65.A54.A43.765")
    >>> total_tricks(hand, partner, 3)  # nine spades and 24 points
    10
    """
    mine, other = _view(hand), _view(partner)
    points: Value = 0
    for suit in SUITS:
        points = points + mine.look("hcp", suit) + other.look("hcp", suit)
    trumps = _NO_TRUMPS if trump == 4 else mine.look("length", trump) + other.look("length", trump)
    more = (points - _HALF + 1) // 3  # to the nearest trick
    return mine.maximum(0, mine.minimum(13, trumps + more))


def expected_score(contract: Contract, tricks: int, vul: Vulnerability = Vulnerability.NONE) -> int:
    """Points for the declaring side when it takes that many tricks.

    >>> heart = [Contract.parse(f"{level}H N") for level in (2, 4, 6)]
    >>> [expected_score(c, 11) for c in heart]  # footnote 9
    [200, 450, -50]
    """
    return declarer_score(contract, tricks, vul)
