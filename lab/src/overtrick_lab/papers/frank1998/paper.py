"""The game trees of Frank & Basin 1998 as data, with where each payoff comes from.
The card diagrams of the paper live with `suitplay` and `cardplay`.

The figures themselves are lost in the text we have. Each tree here is rebuilt from the prose; the
tests check that the prose fixes the payoffs (by trying all others) or say how far it does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from overtrick_lab.papers.frank1998.flat import FlatTree, extensive
from overtrick_lab.papers.frank1998.game import StrategicGame
from overtrick_lab.papers.frank1998.notation import flat_tree
from overtrick_lab.papers.frank1998.tree import ChoiceNode, EndNode, MaxMin, Payoff


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its number, what it shows, the tree and how sure the payoffs are."""

    number: str
    shows: str
    text: str
    basis: str

    def tree(self) -> FlatTree:
        """The tree, flat."""
        return flat_tree(f"title: Fig. {self.number}: {self.shows}\n{self.text}")


_GUESS = "a( b[11100 00011] c[00111 11000] )"
_FIXED = "the four strategies' results and the counts at b and c fix all twenty payoffs"

FIGURES: tuple[Figure, ...] = (
    Figure("7", "the game of Fig. 1, flattened", _GUESS, _FIXED),
    Figure(
        "8",
        "complete binary tree of MAX and MIN moves",
        "1[ x( 2[0 0] 3[0 0] ) y( 4[0 0] 5[0 0] ) ]",
        "shape only: the paper counts strategies and needs no payoffs",
    ),
    Figure(
        "10",
        "misjudged by exhaustive minimaxing",
        "d[ a( b[11100 00011] c[00111 11000] ) e( f[11111] ) ]",
        "Fig. 7 with the path d, e, f that wins everywhere and adds one strategy",
    ),
    Figure(
        "11a",
        "the right-hand branch is best",
        "d[ a( b[11100 00011] c[00111 11000] ) e( f[00111] ) ]",
        "Fig. 10 with the right-hand branch losing in w1 and w2",
    ),
    Figure(
        "11b",
        "same minimax values as 11a, the left-hand branch is best",
        "d[ a( b[11110 00011] c[11110 00011] ) e( f[00111] ) ]",
        "right-hand branch as in 11a; the left is a choice of ours among the many that fit: "
        "minimax value 1 in every world, a strategy worth more than 3 worlds",
    ),
    Figure("15", "node b alone: one MAX choice", "b[11100 00011]", "node b of Fig. 7"),
    Figure("17", "Fig. 7 again, for non-locality", _GUESS, _FIXED),
    Figure(
        "19a",
        "the left-hand MAX branch is best",
        "a( b[10 01] c[10] )",
        "fixed by the prose up to the names of the worlds",
    ),
    Figure(
        "19b",
        "the right-hand MAX branch is best",
        "a( b[10 01] c[01] )",
        "fixed by the prose up to the names of the worlds",
    ),
    Figure(
        "21",
        "two tactics by East's holding in Q95, position of Fig. 20",
        "worlds: Q95 Q9 Q5 95 Q 9 5 void\nodds: 5 6 6 6 6 6 6 5\n"
        "tactic[ finesse-7=11011101 finesse-J=11111110 ]",
        "the paper's table; odds with twelve cards left unseen in each hand",
    ),
    Figure(
        "22",
        "the tactics of Fig. 21 below East's choice at the trick before",
        "worlds: Q95 Q9 Q5 95 Q 9 5 void\nodds: 5 6 6 6 6 6 6 5\n"
        "East( play-king=tactic[ finesse-7=11011101 finesse-J=11111110 ] duck=11011101 )",
        "our sketch of section 7.1: ducking holds declarer to two tricks where East has Q5 or 5 "
        "with his king; the full card tree is solved in suitplay",
    ),
)


def figure(number: str) -> FlatTree:
    """The tree of one figure, e.g. "11a"."""
    for entry in FIGURES:
        if entry.number == number:
            return entry.tree()
    known = ", ".join(f.number for f in FIGURES)
    raise ValueError(f"no tree for Fig. {number}; there are {known}")


def figure_1() -> StrategicGame:
    """Fig. 1: the extensive form, five deals and two information sets for MAX."""
    game = extensive(figure("7"))
    return StrategicGame(game.root, "Fig. 1: information sets in the extensive form")


FIGURE_5_STRATEGY = {"b": 0, "c": 0}
"""Fig. 5 works out strategy (1, 1) on the tree of Fig. 1."""


def figure_9(values: Sequence[Sequence[Payoff]]) -> FlatTree:
    """Fig. 9, the scheme of repeated minimaxing: moves M_i with values e_ij in world w_j."""
    leaves = tuple(EndNode(tuple(row)) for row in values)
    moves = tuple(f"M{i + 1}" for i in range(len(leaves)))
    return FlatTree(
        ChoiceNode(MaxMin.MAX, leaves, "move", moves=moves),
        title="Fig. 9: the minimax values of each move in each world",
    )


def figure_18(values: Sequence[Sequence[Payoff]], elsewhere: Sequence[Payoff]) -> FlatTree:
    """Fig. 18, the scheme of non-locality: node n as in Fig. 9 and what MIN can have elsewhere."""
    leaves = tuple(EndNode(tuple(row)) for row in values)
    node = ChoiceNode(MaxMin.MAX, leaves, "n")
    return FlatTree(
        ChoiceNode(MaxMin.MIN, (node, EndNode(tuple(elsewhere))), "above"),
        title="Fig. 18: a choice made incorrect by a payoff elsewhere in the tree",
    )
