"""The natural rules themselves: openings, responses, rebids, overcalls and placing the contract.
Each function yields rules for one situation, best first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from overtrick.bidding.points.natural import (
    SUITS,
    NaturalRule,
    SeatScene,
    SuitChoice,
    calling,
    lengths,
    longest,
    suit_lengths,
)
from overtrick.game import DOUBLE, PASS, Call, Forcing, Meaning, SpeechAct
from overtrick.game.cards import SUIT_SYMBOLS
from overtrick.game.meaning import Range

CLUBS, DIAMONDS, HEARTS, SPADES, NT = 0, 1, 2, 3, 4
MAJORS: Final = (SPADES, HEARTS)
GAME, SLAM = 25, 33
_ONE_ROUND: Final = Forcing.ONE_ROUND


def situation(scene: SeatScene) -> Iterator[NaturalRule]:
    """The rules that apply, by who has done what."""
    if scene.auction.last_bid is None:
        yield from openings()
    elif not scene.mine and not scene.partners:
        yield from defence(scene)
    elif scene.partners and scene.partners[-1] == DOUBLE:
        if len(scene.partners) == 1 and not scene.mine and scene.they_began:
            yield from after_takeout_double(scene)
        # any other double of partner's is for penalties: pass
    elif scene.partners and not scene.mine and not scene.they_began:
        yield from responses(scene)
    else:
        if _answered(scene):
            yield from openers_rebid(scene)
        yield from placing(scene)


def _answered(scene: SeatScene) -> bool:
    """Did we open, and has partner bid once since? A redouble is no answer."""
    if len(scene.mine) != 1 or len(scene.partners) != 1 or scene.they_began:
        return False
    ours, answer = scene.mine[0], scene.partners[0]
    return ours.is_bid and ours < answer  # the opening is the lower of the two


def openings() -> Iterator[NaturalRule]:
    strong = Meaning("22+ points, any shape", (22, 37), forcing=_ONE_ROUND, alert=True)
    yield from calling(2, CLUBS, strong)
    yield from calling(2, NT, Meaning("20–21 balanced", (20, 21)), balanced=True)
    yield from calling(1, NT, Meaning("15–17 balanced", (15, 17)), balanced=True)
    for suit in MAJORS:
        words = f"12–21 points, five or more {SUIT_SYMBOLS[suit]}"
        yield from calling(
            1, suit, Meaning(words, (12, 21), suit_lengths(suit, 5)), choice=longest(suit)
        )
    yield from _minor_openings()
    for suit in (SPADES, HEARTS, DIAMONDS):
        weak = Meaning(
            f"weak two: six {SUIT_SYMBOLS[suit]}",
            (6, 10),
            suit_lengths(suit, 6, 6),
            act=SpeechAct.PREEMPTING,
        )
        yield from calling(2, suit, weak)
    for suit in reversed(SUITS):
        words = f"pre-emptive: seven or more {SUIT_SYMBOLS[suit]}"
        held = suit_lengths(suit, 7)
        yield from calling(3, suit, Meaning(words, (5, 10), held, act=SpeechAct.PREEMPTING))
    yield NaturalRule(PASS, Meaning("no opening bid", (0, 11)))


def _minor_openings() -> Iterator[NaturalRule]:
    """The better minor: diamonds with four each, clubs with three each."""
    words = "12–21 points, {} or more {}, no five-card major unless longer"
    diamonds, clubs = words.format("three", "♦"), words.format("three", "♣")
    points = (12, 21)
    no_major: dict[str, Range] = {"S": (0, 4), "H": (0, 4)}
    shape = lengths(D=4, **no_major)
    yield from calling(1, 1, Meaning(diamonds, points, shape), choice=SuitChoice(1, ((0, True),)))
    shape = lengths(S=(4, 4), H=(4, 4), D=(3, 3), C=(2, 2))
    yield from calling(1, 1, Meaning(diamonds, points, shape))
    yield from calling(1, 1, Meaning(diamonds, points, lengths(D=6)), choice=longest(1))
    shape = lengths(C=4, **no_major)
    yield from calling(1, 0, Meaning(clubs, points, shape), choice=SuitChoice(0, ((1, False),)))
    shape = lengths(C=(3, 3), D=(0, 3), **no_major)
    yield from calling(1, 0, Meaning(clubs, points, shape))
    yield from calling(1, 0, Meaning(clubs, points, lengths(C=6)), choice=longest(0))


def responses(scene: SeatScene) -> Iterator[NaturalRule]:
    """Partner opened and this is our first bid."""
    opening = scene.partners[0]
    if opening == Call.parse("1NT"):
        yield from _over_notrump()
        if not scene.theirs:  # otherwise hands pass that have lost their bid
            yield NaturalRule(PASS, Meaning("content with 1NT", (0, 7)))
    elif opening == Call.parse("2C"):
        yield from _over_two_clubs()
    elif opening.level == 1:
        yield from _over_one(scene, opening.strain)
    else:
        yield from placing(scene)


def _over_notrump() -> Iterator[NaturalRule]:
    yield from calling(6, NT, Meaning("18+: slam opposite 15", (18, 37)))
    invites = Meaning("16–17, invites slam", (16, 17), act=SpeechAct.INVITING)
    yield from calling(4, NT, invites)
    for suit in MAJORS:
        name = SUIT_SYMBOLS[suit]
        six, five = suit_lengths(suit, 6), suit_lengths(suit, 5, 5)
        yield from calling(4, suit, Meaning(f"to play, six or more {name}", (10, 15), six))
        asks = Meaning(f"10–15, five {name}: choose the game", (10, 15), five, Forcing.GAME)
        yield from calling(3, suit, asks)
        weak = Meaning(f"weak, to play in {name}", (0, 7), suit_lengths(suit, 5), Forcing.SIGN_OFF)
        yield from calling(2, suit, weak, choice=longest(suit))
    yield from calling(3, NT, Meaning("to play", (10, 15)))
    yield from calling(2, NT, Meaning("8–9, invites game", (8, 9), act=SpeechAct.INVITING))


def _over_two_clubs() -> Iterator[NaturalRule]:
    for suit in MAJORS:
        words = f"8+ points, five or more {SUIT_SYMBOLS[suit]}"
        meaning = Meaning(words, (8, 37), suit_lengths(suit, 5), Forcing.GAME)
        yield from calling(2, suit, meaning, choice=longest(suit))
    yield from calling(
        2, NT, Meaning("8+ points, no five-card major", (8, 37), forcing=Forcing.GAME)
    )
    yield from calling(2, DIAMONDS, Meaning("waiting, 0–7", (0, 7), forcing=_ONE_ROUND, alert=True))


def _over_one(scene: SeatScene, opened: int) -> Iterator[NaturalRule]:
    name, major = SUIT_SYMBOLS[opened], opened in MAJORS
    support = 3 if major else 5
    if major:
        game = Meaning(f"13–19, four or more {name}", (13, 19), suit_lengths(opened, 4))
        yield from calling(4, opened, game)
        yield from _raises(opened, support)
    yield from _new_suits(scene, opened)
    yield from calling(3, NT, Meaning("13–17 balanced", (13, 17)), balanced=True)
    invites = Meaning("11–12 balanced", (11, 12), act=SpeechAct.INVITING)
    yield from calling(2, NT, invites, balanced=True)
    if not major:
        yield from _raises(opened, support)
    yield from calling(1, NT, Meaning("6–10, nothing better", (6, 10)))
    if major:
        yield from calling(
            4, opened, Meaning(f"13+, support for {name}", (13, 37), suit_lengths(opened, 3))
        )
    yield from calling(3, NT, Meaning("13+, to play", (13, 37)))
    if not scene.theirs:
        yield NaturalRule(PASS, Meaning("fewer than six points", (0, 5)))


def _raises(suit: int, support: int) -> Iterator[NaturalRule]:
    held, name = suit_lengths(suit, support), SUIT_SYMBOLS[suit]
    invites = Meaning(f"10–12, support for {name}", (10, 12), held, act=SpeechAct.INVITING)
    yield from calling(3, suit, invites)
    yield from calling(2, suit, Meaning(f"6–9, support for {name}", (6, 9), held))


def _new_suits(scene: SeatScene, opened: int) -> Iterator[NaturalRule]:
    """At the one level with four cards and six points, up the line; at the two level with 11."""
    others = tuple(s for s in SUITS if s != opened and s not in scene.their_suits)
    cheap = tuple(s for s in others if scene.cheapest(s) == 1)
    for suit in cheap:
        words = f"6+ points, four or more {SUIT_SYMBOLS[suit]}"
        meaning = Meaning(words, (6, 37), suit_lengths(suit, 4), _ONE_ROUND)
        yield from calling(1, suit, meaning, choice=longest(suit, cheap, low=True))
    dear = tuple(s for s in others if scene.cheapest(s) == 2)
    for suit in reversed(dear):
        least = 5 if suit in MAJORS else 4
        words = f"11+ points, {'five' if least == 5 else 'four'} or more {SUIT_SYMBOLS[suit]}"
        meaning = Meaning(words, (11, 37), suit_lengths(suit, least), _ONE_ROUND)
        rivals = dear if suit in MAJORS else tuple(s for s in dear if s not in MAJORS)
        yield from calling(2, suit, meaning, choice=longest(suit, rivals))


def openers_rebid(scene: SeatScene) -> Iterator[NaturalRule]:
    """We opened, partner answered with a new suit (or 3 of a major over 1NT)."""
    opening, answer = scene.mine[0], scene.partners[0]
    suit = int(answer.strain)
    if opening == Call.parse("1NT") and answer.level == 3 and suit in MAJORS:
        fit = Meaning(f"three or more {SUIT_SYMBOLS[suit]}", (15, 17), suit_lengths(suit, 3))
        yield from calling(4, suit, fit)
        yield from calling(3, NT, Meaning("no fit", (15, 17), suit_lengths(suit, 0, 2)))
    elif opening.level == 1 and opening.strain < NT and suit < NT and suit != opening.strain:
        yield from _rebids(scene, int(opening.strain), suit)
    elif opening == Call.parse("2C"):
        yield from _strong_rebids(scene)


def _rebids(scene: SeatScene, own: int, partners: int) -> Iterator[NaturalRule]:
    name, mine = SUIT_SYMBOLS[partners], SUIT_SYMBOLS[own]
    level, fit = scene.cheapest(partners), suit_lengths(partners, 4)
    for up, points in ((2, (19, 21)), (1, (16, 18)), (0, (12, 15))):
        words = f"{points[0]}–{points[1]} points, four or more {name}"
        if level + up <= (4 if partners in MAJORS else 5):
            yield from calling(level + up, partners, Meaning(words, points, fit))
    notrump = scene.cheapest(NT)
    yield from calling(notrump + 1, NT, Meaning("18–19 balanced", (18, 19)), balanced=True)
    yield from calling(notrump, NT, Meaning("12–14 balanced", (12, 14)), balanced=True)
    again, six = scene.cheapest(own), suit_lengths(own, 6)
    yield from calling(again + 1, own, Meaning(f"16–18, six or more {mine}", (16, 18), six))
    yield from calling(again, own, Meaning(f"12–15, six or more {mine}", (12, 15), six))
    for suit in SUITS:
        if suit in (own, partners) or suit in scene.their_suits:
            continue
        where = scene.cheapest(suit)
        reverse = where > 1 and suit > own
        points = (16, 21) if reverse else (12, 18)
        words = f"{points[0]}–{points[1]}, four or more {SUIT_SYMBOLS[suit]}"
        forcing = _ONE_ROUND if reverse else Forcing.NONE
        if where <= 2:
            held = suit_lengths(suit, 4)
            yield from calling(where, suit, Meaning(words, points, held, forcing))
            strong = Meaning(
                f"19–21, four or more {SUIT_SYMBOLS[suit]}", (19, 21), held, Forcing.GAME
            )
            yield from calling(where + 1, suit, strong)
    yield from calling(3, NT, Meaning("18–21, to play", (18, 21)))
    yield from calling(again, own, Meaning(f"12–17, {mine} again", (12, 17)))


def _strong_rebids(scene: SeatScene) -> Iterator[NaturalRule]:
    yield from calling(scene.cheapest(NT), NT, Meaning("22–24 balanced", (22, 24)), balanced=True)
    yield from calling(3, NT, Meaning("25+ balanced", (25, 37)), balanced=True)
    for suit in reversed(SUITS):
        words = f"22+, {SUIT_SYMBOLS[suit]} the longest suit"
        meaning = Meaning(words, (22, 37), suit_lengths(suit, 4), Forcing.GAME)
        yield from calling(scene.cheapest(suit), suit, meaning, choice=longest(suit))


def defence(scene: SeatScene) -> Iterator[NaturalRule]:
    """They have bid, our side has not."""
    last = scene.auction.last_bid
    assert last is not None
    enemy = int(last.strain)
    if last.level == 1 and enemy < NT:
        words = f"15–18 balanced, {SUIT_SYMBOLS[enemy]} guarded by length"
        meaning = Meaning(words, (15, 18), suit_lengths(enemy, 3))
        yield from calling(1, NT, meaning, balanced=True)
    ours = tuple(s for s in SUITS if s not in scene.their_suits)
    low = last.level <= 3
    if last.level == 1:
        yield from _weak_jumps(scene, ours)
    yield from _overcalls(scene, tuple(s for s in ours if s in MAJORS), ours)
    if enemy < NT and low and scene.auction.doubled == 0:
        yield _takeout_double(enemy, ours)
    yield from _overcalls(scene, tuple(s for s in ours if s not in MAJORS), ours)
    if enemy < NT and low:
        yield NaturalRule(DOUBLE, Meaning("17+ points, any shape", (17, 37), forcing=_ONE_ROUND))
    elif low:
        yield NaturalRule(DOUBLE, Meaning("16+ points, for penalties", (16, 37)))


def _takeout_double(enemy: int, ours: tuple[int, ...]) -> NaturalRule:
    shape = tuple((3, 13) if s in ours else (0, 2 if s == enemy else 13) for s in SUITS)
    words = "takeout: 12+ points, support for the unbid suits"
    return NaturalRule(DOUBLE, Meaning(words, (12, 37), shape, _ONE_ROUND))  # type: ignore[arg-type]


def _weak_jumps(scene: SeatScene, ours: tuple[int, ...]) -> Iterator[NaturalRule]:
    """A long suit over their opening of one, up to the three level."""
    for suit in reversed(ours):
        jump = scene.cheapest(suit) + 1
        if jump <= 3:
            words = f"weak: six or more {SUIT_SYMBOLS[suit]}"
            meaning = Meaning(words, (6, 10), suit_lengths(suit, 6), act=SpeechAct.PREEMPTING)
            yield from calling(jump, suit, meaning)


def _overcalls(
    scene: SeatScene, suits: tuple[int, ...], ours: tuple[int, ...]
) -> Iterator[NaturalRule]:
    for suit in sorted(suits, reverse=True):
        level = scene.cheapest(suit)
        points = (8, 16) if level == 1 else (11, 16)
        if level <= 2:
            words = f"{points[0]}–{points[1]} points, five or more {SUIT_SYMBOLS[suit]}"
            meaning = Meaning(words, points, suit_lengths(suit, 5))
            yield from calling(level, suit, meaning, choice=longest(suit, ours))


def after_takeout_double(scene: SeatScene) -> Iterator[NaturalRule]:
    """Partner asked for our best suit; with a pass on the right we must answer."""
    last = scene.auction.last_bid
    assert last is not None
    if last.strain == NT:
        return  # partner doubled for penalties
    ours = tuple(s for s in SUITS if s not in scene.their_suits)
    enemy = int(last.strain)
    forced = scene.must_bid
    for suit in (s for s in MAJORS if s in ours):
        words = f"12+ points, four or more {SUIT_SYMBOLS[suit]}"
        meaning = Meaning(words, (12, 37), suit_lengths(suit, 4))
        yield from calling(
            4, suit, meaning, choice=longest(suit, tuple(s for s in MAJORS if s in ours))
        )
    yield from calling(3, NT, Meaning("12+ points, to play", (12, 37)))
    for suit in reversed(ours):
        level, name = scene.cheapest(suit), SUIT_SYMBOLS[suit]
        choice = longest(suit, ours)
        invites = Meaning(f"9–11, four or more {name}", (9, 11), suit_lengths(suit, 4))
        yield from calling(level + 1, suit, invites, choice=choice)
    guarded = Meaning(
        f"7–10, {SUIT_SYMBOLS[enemy]} guarded by length", (7, 10), suit_lengths(enemy, 4)
    )
    yield from calling(1, NT, guarded)
    for suit in reversed(ours):
        level, name = scene.cheapest(suit), SUIT_SYMBOLS[suit]
        points = (0, 11) if forced else (6, 11)
        words = f"{points[0]}–{points[1]}, {name} the best suit"
        meaning = Meaning(words, points, suit_lengths(suit, 3))
        yield from calling(level, suit, meaning, choice=longest(suit, ours))
    if forced:
        for suit in reversed(ours):
            yield from calling(scene.cheapest(suit), suit, Meaning("forced", (0, 11)))


def placing(scene: SeatScene) -> Iterator[NaturalRule]:
    """Add our points to what partner has shown, and name slam, game, invitation or part-score."""
    partner = scene.partner
    points = partner.points
    fits = [s for s in (SPADES, HEARTS, DIAMONDS, CLUBS) if partner.shortest(s) >= 2]
    majors = [s for s in fits if s in MAJORS]
    if scene.partners:
        slam, game = SLAM - points, GAME - points
        for suit in fits:
            yield from _fit(scene, suit, 6, (slam, 37), "slam")
        yield from calling(6, NT, Meaning(f"slam: {SLAM} points together", (slam, 37)))
        for suit in majors:
            yield from _fit(scene, suit, 4, (game, slam - 1), "game")
        yield from calling(3, NT, Meaning(f"game: {GAME} points together", (game, slam - 1)))
        yield from _invitations(scene, majors, game)
    yield from _competing(scene, fits)
    yield from _preference(scene)
    if scene.must_bid:
        yield from _forced(scene)


def _fit(
    scene: SeatScene, suit: int, level: int, points: Range, words: str
) -> Iterator[NaturalRule]:
    """A bid in a suit in which we then hold eight together."""
    need = max(0, 8 - scene.partner.shortest(suit))
    low, high = max(0, points[0]), max(points[0], points[1], 0)
    text = f"{words}: eight {SUIT_SYMBOLS[suit]} together"
    yield from calling(level, suit, Meaning(text, (low, high), suit_lengths(suit, need)))


def _invitations(scene: SeatScene, majors: list[int], game: int) -> Iterator[NaturalRule]:
    low, high = scene.partner.hcp
    if high - low < 2 or (scene.they_began and scene.theirs[-1].level > 2):
        return
    for suit in majors:
        yield from _fit(scene, suit, 3, (game - 2, game - 1), "invites game")
    points = (max(0, game - 2), max(0, game - 1))
    yield from calling(2, NT, Meaning("invites game", points, act=SpeechAct.INVITING))


def _competing(scene: SeatScene, fits: list[int]) -> Iterator[NaturalRule]:
    """When they have the last bid: as high as we have trumps, up to the three level."""
    bidder = scene.auction.last_bidder
    if bidder is None or bidder & 1 == scene.auction.turn & 1:
        return
    for suit in fits:
        level = scene.cheapest(suit)
        if level <= 3 and scene.partner.shortest(suit) >= 3:
            need = max(3, level + 6 - scene.partner.shortest(suit))
            words = f"competing with {need + scene.partner.shortest(suit)} trumps together"
            yield from calling(level, suit, Meaning(words, (5, 37), suit_lengths(suit, need)))


def _preference(scene: SeatScene) -> Iterator[NaturalRule]:
    """Partner has shown two suits and bid the one we like less."""
    last = scene.partners[-1] if scene.partners else None
    if last is None or not last.is_bid or last.strain == NT or last != scene.auction.last_bid:
        return
    named = int(last.strain)
    for suit in scene.partner.suits():
        if suit != named and scene.cheapest(suit) <= 3:
            first = scene.partner.shortest(suit) - scene.partner.shortest(named)
            words = f"prefers {SUIT_SYMBOLS[suit]}"
            choice = SuitChoice(suit, ((named, first > 0),))
            meaning = Meaning(words, (0, 37), suit_lengths(suit, 2))
            yield from calling(scene.cheapest(suit), suit, meaning, choice=choice)


def _forced(scene: SeatScene) -> Iterator[NaturalRule]:
    """Nothing fits but partner may not be passed: the cheapest sensible thing."""
    for suit in scene.partner.suits():
        words = f"support for {SUIT_SYMBOLS[suit]}"
        yield from calling(
            scene.cheapest(suit), suit, Meaning(words, lengths=suit_lengths(suit, 3))
        )
    for call in scene.mine[:1]:
        if call.is_bid and call.strain < NT:
            own = int(call.strain)
            words = f"{SUIT_SYMBOLS[own]} again"
            yield from calling(scene.cheapest(own), own, Meaning(words))
    yield from calling(scene.cheapest(NT), NT, Meaning("nothing better to say"))
