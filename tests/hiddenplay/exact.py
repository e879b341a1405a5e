"""Games of hidden hands solved by linear programming (scipy's HiGHS): the second opinion.

The sequence form: declarer's plan is a weight for every sequence of his own cards; what a defender
makes of an information set is a variable bounded by each of his cards. Written from the rows of a
tree, it shares no step with regret matching.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from overtrick.hiddenplay.tree import DECLARER, Tree


class Program:
    """One side's sequences: the last own choice before each row, and before each own sight."""

    def __init__(self, tree: Tree, declarer: bool) -> None:
        self.tree, self.declarer = tree, declarer
        self.mine = (tree.owner == DECLARER) == self.declarer
        self.last = np.full(tree.size, -1, np.int64)
        self.before = np.full(len(tree.sights), -1, np.int64)
        for level in tree.levels:
            for row, parent, choice in zip(
                range(level.rows.start, level.rows.stop), level.parent, level.choice, strict=True
            ):
                if self.mine[choice]:
                    self.before[tree.sight_of[choice]] = self.last[parent]
                    self.last[row] = choice
                else:
                    self.last[row] = self.last[parent]
        self.number = {int(c): i + 1 for i, c in enumerate(np.flatnonzero(self.mine))} | {-1: 0}

    @property
    def size(self) -> int:
        return len(self.number)

    def plans(self) -> tuple[csr_matrix, np.ndarray]:
        """What makes weights a plan: the empty sequence is 1, a sight shares out what led to it."""
        rows, cols, data = [0], [0], [1.0]
        count = 1
        for number, sight in enumerate(self.tree.sights):
            if (sight.actor == DECLARER) != self.declarer:
                continue
            rows.append(count)
            cols.append(self.number[int(self.before[number])])
            data.append(-1.0)
            for choice in range(sight.choices.start, sight.choices.stop):
                rows.append(count)
                cols.append(self.number[choice])
                data.append(1.0)
            count += 1
        matrix = csr_matrix((data, (rows, cols)), shape=(count, self.size))
        right = np.zeros(count)
        right[0] = 1
        return matrix, right


def solved(tree: Tree) -> tuple[float, np.ndarray]:
    """The value, and declarer's plan."""
    mine, theirs = Program(tree, True), Program(tree, False)
    payoff = _payoffs(tree, mine, theirs)
    plan, one = mine.plans()
    other, first = theirs.plans()
    # Against a plan x the defenders' best answer is max first·v with other' v <= payoff' x.
    size, answers = mine.size, other.shape[0]
    upper = csr_matrix(_beside(-payoff.T, other.T))
    equal = csr_matrix(_beside(plan, csr_matrix((plan.shape[0], answers))))
    found = linprog(
        np.concatenate([np.zeros(size), -first]),
        A_ub=upper, b_ub=np.zeros(upper.shape[0]), A_eq=equal, b_eq=one,
        bounds=[(0, None)] * size + [(None, None)] * answers, method="highs",
    )  # fmt: skip
    assert found.status == 0, found.message
    return -float(found.fun), found.x[:size]


def weights(tree: Tree, choice: int, value: float, slack: float = 1e-7) -> tuple[float, float]:
    """The least and the most a defenders' (or declarer's) choice weighs in any best plan."""
    declarer = tree.owner[choice] == DECLARER
    mine, theirs = Program(tree, declarer), Program(tree, not declarer)
    payoff = _payoffs(tree, mine, theirs) * (1 if declarer else -1)
    plan, one = mine.plans()
    other, first = theirs.plans()
    size, answers = mine.size, other.shape[0]
    worst = value if declarer else -value
    upper = _beside(-payoff.T, other.T)
    upper = csr_matrix(np.vstack([upper.toarray(), np.concatenate([np.zeros(size), -first])]))
    right = np.concatenate([np.zeros(other.shape[1]), [slack - worst]])
    equal = csr_matrix(_beside(plan, csr_matrix((plan.shape[0], answers))))
    aim = np.zeros(size + answers)
    aim[mine.number[choice]] = 1
    ends = []
    for sign in (1, -1):
        found = linprog(
            sign * aim, A_ub=upper, b_ub=right, A_eq=equal, b_eq=one,
            bounds=[(0, None)] * size + [(None, None)] * answers, method="highs",
        )  # fmt: skip
        assert found.status == 0, found.message
        ends.append(sign * float(found.fun))
    return ends[0], ends[1]


def _payoffs(tree: Tree, mine: Program, theirs: Program) -> csr_matrix:
    ends = np.flatnonzero(tree.payoff)
    rows = [mine.number[int(c)] for c in mine.last[ends]]
    cols = [theirs.number[int(c)] for c in theirs.last[ends]]
    data = tree.payoff[ends] * tree.weight[ends]
    return csr_matrix((data, (rows, cols)), shape=(mine.size, theirs.size))


def _beside(left: csr_matrix, right: csr_matrix) -> csr_matrix:
    from scipy.sparse import hstack

    return csr_matrix(hstack([left, right]))
