"""The 35 feature classes of Amit & Markovitch 2006, Appendix A (250 features), and some of our own.
One definition for one or many hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, reduce
from typing import Final

from overtrick.evaluation.hands import Hands, Value
from overtrick.evaluation.registry import ALL, NT, Compute, Feature, FeatureClass, Variation

SUITS: Final = (0, 1, 2, 3)
HIGH: Final = "high cards"
SHAPE: Final = "distribution"
SUIT: Final = "suit quality"
HAND: Final = "hand quality"
DYNAMIC: Final = "dynamic"


def per_suit(hands: Hands, name: str, suit: int) -> Value:
    """A suit table for one suit, or its sum over the four suits for ALL."""
    if suit != ALL:
        return hands.look(name, suit)
    return hands.keep(
        (name, ALL), lambda: reduce(lambda a, b: a + b, (hands.look(name, s) for s in SUITS))
    )


def _lengths(hands: Hands) -> list[Value]:
    return [hands.look("length", s) for s in SUITS]


def longest(hands: Hands) -> Value:
    """Length of the longest suit."""
    return hands.keep("longest", lambda: reduce(hands.maximum, _lengths(hands)))


def shortest(hands: Hands) -> Value:
    """Length of the shortest suit."""
    return hands.keep("shortest", lambda: reduce(hands.minimum, _lengths(hands)))


def key_cards(hands: Hands, suit: int) -> Value:
    return per_suit(hands, "ace", ALL) + hands.look("king", suit)


def balance(hands: Hands) -> Value:
    """How many cards would have to change suit to make the hand 4333, 4432 or 5332; at most 6.

    Cards missing to two in each suit, cards over five, and where neither is missing, one for
    a second doubleton.
    """
    lengths = _lengths(hands)
    lacking = reduce(lambda a, b: a + b, (hands.maximum(0, 2 - n) for n in lengths))
    surplus = reduce(lambda a, b: a + b, (hands.maximum(0, n - 5) for n in lengths))
    over_three = reduce(lambda a, b: a + b, (hands.maximum(0, n - 3) for n in lengths))
    # 5332 has two cards over three, 4432 two, 4333 one: all beyond two must move.
    need = hands.maximum(hands.maximum(lacking, surplus), over_three - 2)
    return hands.minimum(6, need)


def short_suit_points(hands: Hands, trump: int, suit: int) -> Value:
    if suit == ALL:
        return per_suit(hands, "short_points", ALL) - hands.look("short_points", trump)
    points = hands.look("short_points", suit)
    return points * 0 if suit == trump else points


def biddable_suits(hands: Hands) -> Value:
    return reduce(lambda a, b: a + b, (hands.number(n > 3) for n in _lengths(hands)))


def opening_suit(hands: Hands, suit: int) -> Value:
    """Is this the suit to open with five-card majors?

    The longest suit if it has five cards, the higher of equals; otherwise the longer minor,
    diamonds with 4-4 and clubs with 3-3. Exactly one suit qualifies.
    """
    clubs, diamonds, hearts, spades = _lengths(hands)
    top = longest(hands)
    five = top >= 5
    pick_spades = five & (spades == top)
    pick_hearts = five & (hearts == top) & (spades != top)
    no_major = (five & (spades != top) & (hearts != top)) | (top < 5)
    # A five-card suit goes to the higher of equals, and so does 4-4; only 3-3 is opened 1♣.
    prefer_diamonds = (diamonds > clubs) | ((diamonds == clubs) & (diamonds >= 4))
    chosen = (
        no_major & (prefer_diamonds == 0),
        no_major & prefer_diamonds,
        pick_hearts,
        pick_spades,
    )
    return hands.number(chosen[suit])


def up_the_line(hands: Hands, suit: int, last: int) -> Value:
    """After `last` was bid, is `suit` the cheapest other suit with four cards?"""
    between = [(last + i) % 4 for i in range(1, (suit - last) % 4)]
    fits = hands.look("length", suit) >= 4
    for skipped in between:
        fits = fits & (hands.look("length", skipped) < 4)
    return hands.number(fits)


def trump_losers(hands: Hands, trump: int, suit: int) -> Value:
    """Textbook losers of a suit; short side suits need trumps to ruff with.

    A void counts no losers only with three trumps in the hand, a singleton only its one with
    two: each missing trump turns a ruff back into a loser.
    """
    if suit == ALL:
        return reduce(lambda a, b: a + b, (_losers(hands, trump, s) for s in SUITS))
    return _losers(hands, trump, suit)


def _losers(hands: Hands, trump: int, suit: int) -> Value:
    losers = hands.look("losers", suit)
    if suit == trump:
        return losers
    unruffed = hands.look("short_points", suit) - hands.look("length", trump)
    return losers + hands.maximum(0, unruffed)


def trump_stopper(hands: Hands, trump: int, suit: int) -> Value:
    """Stopper by honours, or by ruffing: void 4, singleton 3, doubleton 2, with trumps to ruff.

    A void needs two trumps (one is worth 3), a singleton or doubleton one.
    """
    honours = hands.look("stopper_by_honours", suit)
    if suit == trump:
        return honours
    short = hands.look("short_points", suit)
    trumps = hands.look("length", trump)
    ruffs = hands.where(short > 0, hands.minimum(short + 1, trumps + 2), 0)
    return hands.maximum(honours, hands.where(trumps > 0, ruffs, 0))


def ratio(hands: Hands) -> Value:
    """HCP of the two longest suits over all HCP (the higher suits among equals); 0 without HCP."""
    keys = [4 * n + s for s, n in enumerate(_lengths(hands))]
    total = per_suit(hands, "hcp", ALL)
    inside: Value = 0
    for s in SUITS:
        longer = reduce(lambda a, b: a + b, (hands.number(k > keys[s]) for k in keys))
        inside = inside + hands.number(longer < 2) * hands.look("hcp", s)
    return inside / hands.maximum(total, 1)


def unsupported_losers(hands: Hands, suit: int) -> Value:
    """Losers with this suit as trumps opposite a small doubleton: see holdings.lone_losers."""
    sides = [hands.look("losers", s) for s in SUITS if s != suit]
    return reduce(lambda a, b: a + b, sides, hands.look("lone_losers", suit))


def covers(hands: Hands, trump: int, suit: int) -> Value:
    """Cover cards: A, K, Q of trumps; A, K and helped queens beside; ruffs with three trumps.

    A side doubleton, singleton or void covers ½, 1 or 2 losers with at least three trumps,
    since honours that would have been counted there are missing by themselves.
    """
    if suit == ALL:
        return reduce(lambda a, b: a + b, (covers(hands, trump, s) for s in SUITS))
    if suit == trump:
        return hands.look("covers_trump", suit)
    ruffs = hands.where(hands.look("length", trump) >= 3, hands.look("ruffs", suit), 0)
    return hands.look("covers_side", suit) + ruffs


def fast(hands: Hands, strain: int, suit: int) -> Value:
    """Fast losers: the top cards the enemies hold of the suit, over which they need not finesse."""
    name = "fast_losers_notrump" if strain == NT else "fast_losers"
    if suit != ALL:
        return hands.look(name, suit)
    return hands.minimum(13, per_suit(hands, name, ALL))


def _sum(name: str) -> Compute:
    return lambda hands, suit: per_suit(hands, name, suit)


def _length(hands: Hands, suit: int) -> Value:
    return hands.look("length", suit)


def _length_difference(hands: Hands, a: int, b: int) -> Value:
    return hands.look("length", a) - hands.look("length", b)


def _two_suits(hands: Hands, a: int, b: int) -> Value:
    return hands.look("length", a) + hands.look("length", b)


def _is_longest(hands: Hands, suit: int) -> Value:
    return hands.number(hands.look("length", suit) == longest(hands))


def _is_not_shortest(hands: Hands, suit: int) -> Value:
    return hands.number(hands.look("length", suit) > shortest(hands))


def _points(hands: Hands, trump: int, suit: int) -> Value:
    return per_suit(hands, "hcp", suit) + short_suit_points(hands, trump, suit)


def notrump_points(hands: Hands) -> Value:
    return per_suit(hands, "notrump_points", ALL)


def playing_points(hands: Hands) -> Value:
    return per_suit(hands, "playing_points", ALL)


@cache
def feature_classes() -> tuple[FeatureClass, ...]:
    """All classes: the paper's 35 in its order, then the house's own.

    >>> len(feature_classes()), feature_classes()[0].name
    (38, 'HCP')
    """
    return (*_high_cards(), *_distribution(), *_suit_quality(), *_hand_quality(), *_house())


@cache
def registry() -> dict[str, Feature]:
    """Every feature by its name.

    >>> registry()["HCP(S)"].high
    10
    """
    return {f.name: f for c in feature_classes() for f in c.instances()}


def paper_features() -> tuple[Feature, ...]:
    """The 250 features of the appendix.

    >>> len(paper_features())
    250
    """
    return tuple(f for f in registry().values() if f.of.paper)


def _high_cards() -> tuple[FeatureClass, ...]:
    def row(name: str, table: str, top: float, whole: float, text: str) -> FeatureClass:
        return FeatureClass(name, "A", HIGH, (0, top), text, _sum(table), (0, whole))

    return (
        row("HCP", "hcp", 10, 37, "high-card points: A=4, K=3, Q=2, J=1"),
        row("CONTROLS", "controls", 3, 12, "controls: A=2, K=1"),
        row("HC", "top3", 3, 12, "how many of A, K, Q"),
        row("HONOR", "honours", 5, 13, "how many of A, K, Q, J, T"),
        row("ACE", "ace", 1, 4, "aces"),
        row("KING", "king", 1, 4, "kings"),
        row("QUEEN", "queen", 1, 4, "queens"),
        row("JACK", "jack", 1, 4, "jacks"),
        row("TEN", "ten", 1, 4, "tens"),
        FeatureClass(
            "RKCB", "S", HIGH, (0, 5), "key cards: aces and the king of the suit", key_cards
        ),
    )


def _distribution() -> tuple[FeatureClass, ...]:
    def longest_of(a: int, b: int) -> Callable[[Hands], Value]:
        return lambda hands: hands.maximum(hands.look("length", a), hands.look("length", b))

    def row(name: str, varies: Variation, top: float, text: str, f: Compute) -> FeatureClass:
        return FeatureClass(name, varies, SHAPE, (0, top), text, f)

    return (
        row("BAL", "", 6, "cards away from a balanced hand (6: freak)", balance),
        replace(
            row("DP", "TA", 3, "points for short suits beside trumps", short_suit_points),
            whole=(0, 9),
        ),
        replace(
            row("DIF", "2S", 13, "length of a suit less another's", _length_difference),
            range=(-13, 13),
        ),
        replace(row("SUITS", "", 3, "suits of four cards or more", biddable_suits), range=(1, 3)),
        row("SUITLEN", "S", 13, "length of the suit", _length),
        row("SUITLEN", "2S", 13, "length of two suits together", _two_suits),
        row("LMAJ", "", 13, "length of the longer major", longest_of(2, 3)),
        row("LMIN", "", 13, "length of the longer minor", longest_of(0, 1)),
        row("LONGEST", "S", 1, "no suit is longer", _is_longest),
        row("LONG", "S", 1, "some suit is shorter", _is_not_shortest),
        row("FIRSTBID", "S", 1, "the suit to open with five-card majors", opening_suit),
        row("UPLINE", "2S", 1, "the cheapest four-card suit after the second was bid", up_the_line),
    )


def _suit_quality() -> tuple[FeatureClass, ...]:
    def row(name: str, varies: Variation, top: float, text: str, f: Compute) -> FeatureClass:
        return FeatureClass(name, varies, SUIT, (0, top), text, f)

    return (
        row("BIDDBLE", "S", 8, "how often the suit can be bid", _sum("biddable")),
        replace(
            row("INTER", "A", 3.5, "intermediates: T=2, 9=1, 8=½", _sum("intermediates")),
            whole=(0, 14),
            step=0.5,
        ),
        replace(
            row("LOSERS", "TA", 3, "losers with the first suit as trumps", trump_losers),
            whole=(0, 12),
        ),
        row("STOP-NT", "S", 4, "stopper at notrump: 3 sure, 4 double", _sum("stopper")),
        row("STOP-TRUMP", "TS", 4, "stopper beside these trumps", trump_stopper),
        row("QLTY", "S", 9, "suit quality: 0 bad to 9 solid", _sum("quality")),
    )


def _hand_quality() -> tuple[FeatureClass, ...]:
    def row(name: str, varies: Variation, top: float, text: str, f: Compute) -> FeatureClass:
        return FeatureClass(name, varies, HAND, (0, top), text, f)

    return (
        replace(row("NTLP", "", 60, "playing points at notrump", notrump_points), step=0.25),
        replace(row("RATIO", "", 1, "share of the HCP in the two longest suits", ratio), step=0),
        replace(row("POINTS", "TA", 10, "HCP and short-suit points", _points), whole=(0, 46)),
        row("UNLOS", "S", 13, "losers with the suit as trumps, no support", unsupported_losers),
        replace(
            row("COVER", "TA", 13, "cover cards for partner's losers", covers),
            section=DYNAMIC,
            step=0.5,
        ),
        replace(
            row("FAST", "T*A", 4, "losers the enemies can cash at once", fast),
            section=DYNAMIC,
            whole=(0, 13),
        ),
        replace(
            row("LP", "", 60, "playing points in a suit contract", playing_points),
            section=DYNAMIC,
            step=0.25,
        ),
    )


def _house() -> tuple[FeatureClass, ...]:
    def own(name: str, table: str, top: float, whole: float, text: str) -> FeatureClass:
        return FeatureClass(
            name, "A", "house", (0, top), text, _sum(table), (0, whole), paper=False
        )

    return (
        own("LTC", "losers", 3, 12, "textbook losing-trick count, no regard to trumps"),
        own(
            "TP",
            "length_points",
            19,
            40,
            "total points: HCP and 1 for each card over four in a suit",
        ),
        replace(
            own("QUICK", "quick_tricks", 2, 8, "quick tricks: AK=2, AQ=1½, A or KQ=1, Kx=½"),
            step=0.5,
        ),
    )
