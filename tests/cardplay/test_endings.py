"""Endings to the last card: the same values as the search with the solver, and textbook lines."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from overtrick.cardplay import solved, values
from overtrick.cardplay.blind import Defence
from overtrick.cardplay.defences import defenders
from overtrick.cardplay.ending import Ending, ending, shared_out
from overtrick.cardplay.endings import EndingSolver
from overtrick.cardplay.fronts import Search
from overtrick.cardplay.situation import situation
from overtrick.cardplay.technique import declarers
from overtrick.cardplay.values import Outcome, Worth
from overtrick.cardplay.vectors import FrontNode, Game
from overtrick.game import Card, Hand
from overtrick.game.cards import SUIT_BITS
from tests.cardplay.helpers import ending_view

NT, HEARTS = 4, 2
NORTH, EAST, SOUTH, WEST = range(4)


def _random(rng: random.Random, n: int, count: int) -> list[list[int]]:
    deck = rng.sample(range(52), 4 * n)
    north, south = (sum(1 << c for c in deck[i * n : i * n + n]) for i in (0, 1))
    pool = deck[2 * n :]
    ways = rng.sample(list(combinations(pool, n)), count)
    every = sum(1 << c for c in pool)
    hands = [sum(1 << c for c in way) for way in ways]
    return [[north, every & ~west, south, west] for west in hands]


@pytest.mark.parametrize("seed", range(8))
def test_values_are_those_of_the_search_that_asks_the_solver(seed: int) -> None:
    rng = random.Random(seed)
    hands = _random(rng, 3, 12)
    strain, goal = rng.choice((NT, HEARTS)), rng.choice((1, 2))
    solver = EndingSolver(ending(hands, strain, SOUTH, (), goal, SOUTH, SOUTH))
    game = Game(np.array(hands, np.uint64), strain, SOUTH, (goal,), (1 / 12,) * 12)
    search = Search(game)
    root = FrontNode(0, SOUTH, (), 0)
    assert solver.double_dummy(solver.root, solver.every) == search.double_dummy(root, game.all)
    mine = max(v.bit_count() for v in solver.front(solver.root, solver.every))
    theirs = max(v.bit_count() for v in search.front(root, 52, game.all)[0])
    assert mine == theirs


@pytest.mark.parametrize("seed", range(4))
def test_cards_that_lie_together_for_certain_are_one(seed: int) -> None:
    """One hand is known to be out of two suits: fewer nodes, the same values."""
    rng = random.Random(seed)
    deck = rng.sample(range(52), 16)
    north, south = (sum(1 << c for c in deck[i : i + 4]) for i in (0, 4))
    barred = SUIT_BITS | SUIT_BITS << 26
    pool = sorted(deck[8:], key=lambda c: c // 13 % 2)
    west, east = (sum(1 << c for c in part) for part in (pool[:4], pool[4:]))
    pairs = shared_out(east | west, (4, 4), (barred & ~east, 0))
    hands = [[north, theirs, south, ours] for theirs, ours in pairs]
    solver = EndingSolver(ending(hands, NT, SOUTH, (), 2, SOUTH, SOUTH))
    apart = EndingSolver(ending(hands, NT, SOUTH, (), 2, SOUTH, SOUTH), settled=(0, 0))
    assert solver.secured().keys() == apart.secured().keys()
    for card, won in solver.secured().items():
        assert solver.worth(won) == apart.worth(apart.secured()[card])
    assert solver.nodes <= apart.nodes


def _ending(
    hands: str, strain: int, leader: int, need: int, chooser: int = SOUTH, trick: str = ""
) -> Ending:
    """One layout, N E S W, with few cards each."""
    four = [Hand.parse(h).bits for h in hands.split()]
    cards = [Card.parse(c) for c in trick.split()]
    return ending([four], strain, leader, cards, need, chooser, SOUTH)


TEXTBOOK = [
    # A squeeze card, a threat with the entry in North, a lone threat in South.
    ("AJ..2. ...987 2.Q.A. KQ.K..", NT, SOUTH, 3, "DA", "simple squeeze", "West in spades and h"),
    # East has the tenace-killing king and no way out.
    ("AQ.2.. KJ.A.. 32.3.. ..987.", NT, SOUTH, 2, "H3", "throw-in", "throws East in"),
    # North's trumps are as long as West's once a spade is ruffed; South leads through them.
    (".2.2.AQ3 874.J3.. T3.K4.A. 5.Q.K.KJ", 0, NORTH, 5, "D2", "trump coup", "West's trumps"),
    # The suit runs only if the honour of the short hand goes first.
    ("AQJ.2.. 976..3. K.A.2.2 8543...", NT, SOUTH, 4, "SK", "unblocking", "short hand"),
]


@pytest.mark.parametrize(("hands", "strain", "leader", "need", "card", "name", "words"), TEXTBOOK)
def test_lines_have_the_names_players_give_them(
    hands: str, strain: int, leader: int, need: int, card: str, name: str, words: str
) -> None:
    solver = EndingSolver(_ending(hands, strain, leader, need))
    played = int(Card.parse(card))
    secured = solver.secured()
    assert secured[played] == 1
    found = declarers(solver, played, 1, 0)
    assert found is not None
    assert found.name == name
    assert words in found.words


def test_nobody_is_squeezed_who_has_a_card_to_spare() -> None:
    """A trick to lose is not a trick to win: with an idle heart at West it cannot be made."""
    idle = _ending("AJ..32. ...9876 2.Q.AK. KQ.K3..", NT, SOUTH, 4)
    spare = _ending("AJ..2.3 .4..987 2.Q.A.2 KQ.K5..", NT, SOUTH, 4)
    assert EndingSolver(idle).secured()[int(Card.parse("DK"))] == 1  # stands for the ace too
    assert not any(EndingSolver(spare).secured().values())


def _second_hand() -> Defence:
    """South leads towards dummy's king and jack; West has the ace."""
    north, east, south, west = (Hand.parse(h).bits for h in ["KJ.2..", "Q6.4..", "3.A..", "A5.3.."])
    rows = []
    for theirs, ours in shared_out(south | east, (2, 3), (0, 0)):
        rows.append((north, ours, theirs, west))
    trick = (int(Card.parse("S2")),)
    game = Ending(tuple(rows), NT, SOUTH, trick, 2, WEST, SOUTH)
    return Defence(game, (0, 0, 0, 0), merge=False)


def test_a_declarer_who_does_not_see_may_guess_wrong() -> None:
    asked = _second_hand()
    low, ace = int(Card.parse("S5")), int(Card.parse("SA"))
    assert set(asked.cards()) == {low, ace}
    seen = EndingSolver(asked.game).seen()
    for card in (low, ace):
        blind = asked.beaten(card)
        # Who is beaten with all cards seen is beaten without.
        assert all(b == 1 for w, b in enumerate(blind) if seen[card] >> w & 1)
    assert sum(asked.beaten(low)) > sum(asked.beaten(ace))
    found = defenders(asked, low, [ace])
    assert found is not None
    assert found.name == "second hand low"


DEFENCE = [  # hands N E S W, the trick, who chooses, his card and the other
    # Dummy's long suit is dead once South has no card of it.
    ("KQJ.2.. A54..3. .A.A.A 876...", "S3 S6 ST", EAST, "S4", "SA", NT, "hold-up"),
    # Over both honours, so that West's queen grows.
    ("..32. J2..4. AK..A. QT3...", "H7 H2", EAST, "SJ", "S2", 3, "uppercut"),
    # South is to lose control; nobody can overruff.
    (".2.32. 5.43.. AK..A. QJ.A..", "", WEST, "HA", "SJ", 3, "forcing declarer"),
    # East is out of hearts too and has a trump.
    (".2.32. 9..54. AK..A. QJ.A..", "", WEST, "HA", "SJ", 3, "trump promotion"),
]  # fmt: skip


@pytest.mark.parametrize(("hands", "trick", "chooser", "card", "rival", "strain", "name"), DEFENCE)
def test_defences_have_the_names_players_give_them(
    hands: str, trick: str, chooser: int, card: str, rival: str, strain: int, name: str
) -> None:
    leader = (chooser - len(trick.split())) & 3
    game = _ending(hands, strain, leader, 1, chooser, trick)
    asked = Defence(game, (0, 0, 0, 0))
    found = defenders(asked, int(Card.parse(card)), [int(Card.parse(rival))])
    assert found is not None
    assert found.name == name


def test_layouts_keep_to_the_voids_shown() -> None:
    pool = Hand.parse("AK.Q..32").bits
    pairs = shared_out(pool, (2, 3), (SUIT_BITS, 0))
    assert pairs
    assert all(not first & SUIT_BITS for first, _ in pairs)
    assert all(first | second == pool for first, second in pairs)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_known_of_the_first_cards_saves_work_and_changes_no_answer(seed: int) -> None:
    hands = _random(random.Random(seed), 4, 20)
    asked, told = (
        EndingSolver(ending(hands, HEARTS, SOUTH, (), 2, SOUTH, SOUTH)) for _ in range(2)
    )
    told.expect(asked.seen())
    assert told.secured() == asked.secured()
    assert told.nodes < asked.nodes


def test_of_equals_none_is_played_that_needs_a_wrong_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both cards beat the contract, one of them only because declarer must guess wrong."""
    monkeypatch.setattr(solved, "stake", lambda at: 4.0)
    at = situation(ending_view(4, 3, 1))
    sure, lucky = Card.parse("S9"), Card.parse("DA")
    found = [Worth(sure, 1.0, 6.0, None, 0.0, 4.0), Worth(lucky, 0.0, 5.0, None, 0.0, 0.0)]
    tricks = np.array([[2, 1], [1, 0]], np.int8)
    seen = Outcome((sure, lucky), tricks > 0, tricks, np.array([0.5, 0.5]))
    exact = {int(sure): 1.0, int(lucky): 1.0}
    assert solved._best(at, exact, found, seen) == [int(sure)]


def test_questions_go_on_while_cards_would_be_taken_for_equals() -> None:
    at = situation(ending_view(12, 4, 3))
    cards = [group[0] for group in at.groups()][:2]
    assert len(cards) == 2

    def by(*values: float) -> list[Worth]:
        return [Worth(c, 1.0, None, None, 0.0, v) for c, v in zip(cards, values, strict=True)]

    assert values._one_is_best(at, by(6.0, 5.9))
    assert not values._one_is_best(at, by(6.0, 5.98))
