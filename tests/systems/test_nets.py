"""Decision nets: the paper's Figures 4, 5, 7, 17–21."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.evaluation import HandArray, feature
from overtrick.game import Auction, Hand, Vulnerability
from overtrick.systems import Reading, load, system_of_text
from overtrick.systems.explain import context_after, random_hands
from overtrick.systems.nets import (
    Box,
    Node,
    Triplet,
    build_net,
    hands_actions,
    net_of,
    net_svg,
    net_text,
    state_actions,
)
from overtrick.systems.shows import HandValues

A, B, C = 3, 4, 5


def box(f1: tuple[int, int], f2: tuple[int, int]) -> Box:
    return Box.of({"f1": f1, "f2": f2})


def at(f1: int, f2: int) -> dict[str, tuple[float, float]]:
    return {"f1": (f1, f1), "f2": (f2, f2)}


def figure_4() -> Node:
    """Six nodes over two features of 0..3; node 5 hangs on an else link."""
    six = Node(box((2, 2), (1, 1)), {A})
    two = Node(box((2, 3), (0, 1)), {A, B}, [six])
    three = Node(box((1, 2), (1, 2)), {B}, [six])
    four = Node(box((0, 1), (2, 3)), {C})
    five = Node(box((2, 3), (2, 3)), {A})
    return Node(Box(), {A, B, C}, [two, three, four], [five])


def test_figure_4_states() -> None:
    net = figure_4()
    assert state_actions(net, at(0, 2)) == {C}
    assert state_actions(net, at(1, 2)) == {B, C}
    assert state_actions(net, at(2, 1)) == {A}
    assert state_actions(net, at(2, 2)) == {B}
    assert state_actions(net, at(3, 3)) == {A}
    assert state_actions(net, at(0, 0)) == {A, B, C}


def test_figure_5_partial_states() -> None:
    net = figure_4()
    assert state_actions(net, {"f1": (0, 1), "f2": (2, 3)}) == {C}
    assert state_actions(net, {"f1": (0, 3), "f2": (0, 3)}) == {A, B, C}
    assert state_actions(net, {}) == {A, B, C}


FIGURE_7 = """
opening
  1NT "balanced, 15–17" : balanced, hcp 15..17 @100
  1H "five hearts" : hcp 11..23, hearts 5+ @100
"""


def test_figure_7_two_rules_conflict_and_the_root_allows_everything() -> None:
    reading = Reading(system_of_text(FIGURE_7))
    net = net_of(reading, reading.context(()))
    hands = HandArray.of([
        Hand.parse("AK2.87654.K32.AQ"), Hand.parse("AK2.876.K432.AQ5"),
        Hand.parse("2.K87654.KQ32.A5"), Hand.parse("5432.876.K432.65"),
    ])  # fmt: skip
    allowed = [set(np.flatnonzero(row)) for row in hands_actions(net, hands)]
    assert allowed[0] == {5, 7}
    assert allowed[1] == {7}
    assert allowed[2] == {5}
    assert allowed[3] == {0, *range(3, 38)}


MULTI = """
opening
  2D "weak two in a major or strong" :
     hcp 5..10, spades 6, hearts ..3, losers S 2+ @100
     : hcp 5..10, hearts 6, spades ..3, losers H 2+ @100
     : hcp 18+, spades 6+, suits 1, LOSERS S ALL 4..5 @110
     : hcp 18+, hearts 6+, suits 1, LOSERS H ALL 4..5 @110
     : hcp 18+, diamonds 6+, suits 1, LOSERS D ALL 4..5 @110
     : hcp 18+, clubs 6+, suits 1, LOSERS C ALL 4..5 @110
     : hcp 20+, suits 3, longer-major 4, longer-minor 4 @130
""".replace(" :\n     hcp 5..10, spades", " : hcp 5..10, spades")


def test_figure_17_sets_have_their_own_priorities() -> None:
    reading = Reading(system_of_text(MULTI))
    ctx = reading.context(())
    assert [o.priority for o in reading.options(ctx)] == [130, 110, 110, 110, 110, 100, 100]
    net = net_of(reading, ctx)
    priorities, node = [], net
    while True:
        priorities.append(node.priority)
        if not node.others:
            break
        node = node.others[0]
    assert priorities == [130, 110, 100]


@pytest.mark.parametrize(
    ("hand", "fits"),
    [
        ("KQT765.82.Q43.54", True),  # a weak two in spades …
        ("82.KQT765.Q43.54", True),  # … or hearts,
        ("KQT765.8243.Q4.5", False),  # without four of the other major
        ("AKJ765.A4.KQ3.K4", True),  # one strong suit, whichever it is
        ("A4.AKJ765.KQ3.K4", True),
        ("KQ3.A4.AKJ765.K4", True),
        ("KQ3.A4.K4.AKJ765", True),
        ("AKQ2.AKJ3.A543.4", True),  # three suits, strong
        ("AKQJ765.AKQ.AK.4", False),  # too good for one suit
        ("KQ2.K82.Q43.5432", False),
    ],
)
def test_figure_17_hands(hand: str, fits: bool) -> None:
    reading = Reading(system_of_text(MULTI))
    found = reading.choose(reading.context(()), HandValues(Hand.parse(hand).bits))
    assert (found is not None) is fits


def test_figure_18_negative_rules_leave_the_defaults() -> None:
    text = 'opening\n  2C "game force" gf : hcp 22+ @100\nnever Pass when forced\n'
    reading = Reading(system_of_text(text))
    net = net_of(reading, reading.context((8, 0)))
    last = next(n for n in net.walk() if not n.others)
    assert 0 not in last.actions
    assert set(range(9, 38)) <= last.actions


def test_figure_20_insertion_cases() -> None:
    wide, narrow = box((0, 3), (0, 1)), box((1, 2), (0, 1))
    merged = build_net(
        [Triplet(frozenset({A}), wide, 100), Triplet(frozenset({B}), wide, 100)], [C]
    )
    assert merged.children[0].actions == {A, B}  # case 2
    for order in (0, 1):  # cases 3–5: whichever comes first, the narrow one hangs below
        triplets = [Triplet(frozenset({A}), wide, 100), Triplet(frozenset({B}), narrow, 100)]
        net = build_net(triplets[::-1] if order else triplets, [C])
        assert [c.box for c in net.children] == [wide]
        assert [c.box for c in net.children[0].children] == [narrow]
        assert state_actions(net, at(1, 1)) == {B}
        assert state_actions(net, at(0, 1)) == {A}
        assert state_actions(net, at(0, 3)) == {C}
    two = build_net([Triplet(frozenset({A}), wide, 90), Triplet(frozenset({B}), narrow, 100)], [C])
    assert two.children[0].box == narrow  # case 1: the lower priority went down the skeleton
    assert two.others[0].children[0].box == wide


INTERVAL = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted)
TRIPLET = st.builds(
    lambda call, ranges, priority: Triplet(frozenset({call}), Box.of(ranges), priority),
    st.sampled_from([A, B, C]),
    st.dictionaries(st.sampled_from(["X", "Y"]), INTERVAL.map(tuple)),
    st.sampled_from([1, 2]),
)


@given(st.lists(TRIPLET, max_size=6).flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))))
def test_the_order_of_the_triplets_does_not_matter(orders: tuple[list[Triplet], ...]) -> None:
    """The most specific triplets of the highest priority decide, in whatever order they come."""
    nets = [build_net(order, [9]) for order in orders]
    for x, y in itertools.product(range(4), repeat=2):
        state = {"X": (x, x), "Y": (y, y)}
        fits = [t for t in orders[0] if t.box.holds(state)]
        top = [t for t in fits if t.priority == max(f.priority for f in fits)]
        wanted = {
            call
            for t in top
            if not any(t.box != o.box and t.box.contains(o.box) for o in top)
            for call in t.actions
        }
        assert [state_actions(net, state) for net in nets] == [wanted or {9}] * 2


def test_batch_agrees_with_single_states() -> None:
    reading = Reading(load("sayc"))
    net = net_of(reading, context_after(reading, Auction.parse("1H P"), Vulnerability.NONE))
    hands = random_hands(60, 3)
    names = {n for node in net.walk() for n, _, _ in node.box.ranges}
    many = hands_actions(net, hands)
    for i in range(len(hands)):
        one = HandArray(hands.bits[i : i + 1])
        state = {n: (float(feature(n)(one)[0]),) * 2 for n in names}
        assert state_actions(net, state) == set(np.flatnonzero(many[i]))


def test_drawing() -> None:
    net = figure_4()
    assert "else" in net_text(net)
    assert net_svg(net).startswith("<svg")
