"""The exact search without listing strategies: fronts of undominated outcome vectors.
Used wherever the optimum against best defence is wanted; `esm` finds the same value, far slower.

A strategy is as good as its outcome vector. Below any node a vector that is nowhere better than
another is never needed, so it is enough to back up the undominated ones: at MAX nodes the union of
the branches' fronts, at MIN nodes the world-by-world minimum of one vector from each branch.
Vectors are coded in unary as one integer: a bit for each step of the payoff scale in each world, so
that minimum is `&` and "nowhere better" is the subset test, for tricks and scores as for 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from overtrick.suitplay.search import undominated
from overtrick_lab.papers.frank1998.flat import FlatTree, outcome, value
from overtrick_lab.papers.frank1998.minimaxing import MaxPlan
from overtrick_lab.papers.frank1998.tree import (
    ChoiceNode,
    EndNode,
    MaxMin,
    Node,
    Vector,
    choices,
    walk,
)


@dataclass(frozen=True, slots=True)
class Coding:
    """The unary code of a tree's payoffs: bit w * steps + k is set where payoff >= scale[k + 1]."""

    scale: tuple[int | Fraction, ...]
    weights: tuple[int, ...]

    @property
    def steps(self) -> int:
        """Bits per world."""
        return len(self.scale) - 1

    def world(self, world: int) -> int:
        """All bits of one world."""
        return ((1 << self.steps) - 1) << (world * self.steps)

    def encode(self, vector: Vector) -> int:
        """A vector as bits; worlds that cannot occur are all ones, which binds nobody."""
        code = 0
        for w, payoff in enumerate(vector):
            height = self.steps if payoff is None else self.scale.index(payoff)
            code |= ((1 << height) - 1) << (w * self.steps)
        return code

    def decode(self, code: int) -> Vector:
        """Bits as a vector."""
        return tuple(
            self.scale[((code & self.world(w)) >> (w * self.steps)).bit_count()]
            for w in range(len(self.weights))
        )

    def possible(self, node: Node) -> int:
        """All bits of the worlds in which play can come to the node."""
        worlds: set[int] = set()
        for leaf in walk(node):
            if isinstance(leaf, EndNode):
                worlds |= {w for w, p in enumerate(leaf.payoffs) if p is not None}
        return sum(self.world(w) for w in worlds)

    def worth(self, code: int, possible: int = -1) -> int | Fraction:
        """The weighted sum of the payoffs over the possible worlds."""
        total: int | Fraction = 0
        block, code = (1 << self.steps) - 1, code & possible
        for w, weight in enumerate(self.weights):
            if possible >> (w * self.steps) & 1:
                total += weight * self.scale[(code >> (w * self.steps) & block).bit_count()]
        return total


@dataclass(frozen=True, slots=True)
class Front:
    """The undominated outcome vectors of a tree, best mean first."""

    tree: FlatTree
    vectors: tuple[Vector, ...]
    nodes_searched: int
    widest: int

    @property
    def value(self) -> Fraction:
        """The best mean: the value of the best-defence form."""
        return value(self.tree, self.vectors[0])


def coding(tree: FlatTree) -> Coding:
    """The code that fits the tree's payoffs."""
    leaves = [n for n in walk(tree.root) if isinstance(n, EndNode)]
    scale = sorted({p for leaf in leaves for p in leaf.payoffs if p is not None})
    return Coding(tuple(scale) if len(scale) > 1 else (*scale, scale[0] + 1), tree.weights)


@dataclass(slots=True)
class _FrontSearch:
    """One bottom-up pass; `fronts` keeps each node's front so that a strategy can be read off."""

    code: Coding
    fronts: dict[str, list[int]]
    minimax: dict[int, int]
    nodes: int = 0

    def double_dummy(self, node: Node) -> int:
        """The minimax code of each node in one pass: `|` for MAX, `&` for MIN."""
        if isinstance(node, EndNode):
            best = self.code.encode(node.payoffs)
        else:
            assert isinstance(node, ChoiceNode)
            best = 0 if node.player is MaxMin.MAX else -1
            for child in node.children:
                below = self.double_dummy(child)
                best = best | below if node.player is MaxMin.MAX else best & below
        self.minimax[id(node)] = best
        return best

    def front(self, node: Node, useful: int) -> list[int]:
        """The front of a node. Bits outside `useful` are lost double dummy at a node above."""
        self.nodes += 1
        useful &= self.minimax[id(node)]
        if isinstance(node, EndNode):
            return [useful]
        assert isinstance(node, ChoiceNode)
        if useful == 0:
            result = [0]
        else:
            result = (self._union if node.player is MaxMin.MAX else self._product)(node, useful)
        self.fronts[node.name] = result
        return result

    def covers(self, node: Node, goal: int) -> bool:
        """Does some vector found below the node reach the goal? (Unsearched: only nothing.)"""
        if isinstance(node, EndNode):
            return goal & ~self.minimax[id(node)] == 0
        assert isinstance(node, ChoiceNode)
        return any(goal & ~code == 0 for code in self.fronts.get(node.name, [0]))

    def _union(self, node: ChoiceNode, useful: int) -> list[int]:
        found: list[int] = []
        for child in node.children:
            found += self.front(child, useful)
            if found[-1] == useful:  # wins all that can be won: the other branches cannot add
                return [useful]
        return undominated(found) if len(node.children) > 1 else found

    def _product(self, node: ChoiceNode, useful: int) -> list[int]:
        found = [useful]
        for child in node.children:
            below = self.front(child, useful)
            found = undominated(a & b for a in found for b in below)
            useful = 0
            for code in found:
                useful |= code  # what MIN has already taken away needs no further search
        return found


def front(tree: FlatTree) -> Front:
    """All undominated outcome vectors of the tree."""
    search, codes = _search(tree)
    codes.sort(key=search.code.worth, reverse=True)
    widest = max(map(len, search.fronts.values()), default=1)
    return Front(tree, tuple(map(search.code.decode, codes)), search.nodes, widest)


def plan_exact(tree: FlatTree) -> MaxPlan:
    """The best strategy against best defence, from the front of undominated vectors."""
    search, codes = _search(tree)
    best = max(codes, key=search.code.worth)
    return MaxPlan(
        "exact", _strategy(search, tree.root, best), value(tree, search.code.decode(best))
    )


def solve(tree: FlatTree) -> Fraction:
    """The value of the best-defence form."""
    search, codes = _search(tree)
    return Fraction(max(map(search.code.worth, codes))) / tree.total


def local_fronts(node: Node, code: Coding) -> dict[str, list[list[int]]]:
    """The front of each branch of every choice, each subtree taken as if it were the whole game."""
    table: dict[str, list[list[int]]] = {}

    def visit(node: Node) -> list[int]:
        if isinstance(node, EndNode):
            return [code.encode(node.payoffs)]
        assert isinstance(node, ChoiceNode)
        below = [visit(child) for child in node.children]
        table[node.name] = below
        if node.player is MaxMin.MAX:
            return undominated(c for part in below for c in part)
        return join(below)

    visit(node)
    return table


def join(below: list[list[int]]) -> list[int]:
    """The front of a MIN node: one vector from each branch, `&` world by world."""
    found = below[0]
    for part in below[1:]:
        found = undominated(a & b for a in found for b in part)
    return found


def plan_local(tree: FlatTree) -> MaxPlan:
    """Choose at each MAX node what would be best if its subtree were the whole game.

    Every evaluation is exact and yet the plan can be wrong: what remains is non-locality alone.
    """
    code = coding(tree)
    table = local_fronts(tree.root, code)
    strategy: dict[str, int] = {}
    estimates: dict[str, tuple[Fraction, ...]] = {}
    for node in choices(tree.root, MaxMin.MAX):
        possible = code.possible(node)
        means = [max(code.worth(c, possible) for c in part) for part in table[node.name]]
        strategy[node.name] = means.index(max(means))
        estimates[node.name] = tuple(Fraction(m) / tree.total for m in means)
    return MaxPlan("local", strategy, value(tree, outcome(tree, strategy)), estimates)


def _search(tree: FlatTree) -> tuple[_FrontSearch, list[int]]:
    search = _FrontSearch(coding(tree), {}, {})
    search.double_dummy(tree.root)
    return search, list(search.front(tree.root, -1))


def _strategy(search: _FrontSearch, root: Node, target: int) -> dict[str, int]:
    """A strategy whose outcome is at least `target`: below MIN any vector of a branch that covers
    the target will do, since together they do."""
    strategy: dict[str, int] = {}

    def visit(node: Node, goal: int) -> None:
        if isinstance(node, EndNode):
            return
        assert isinstance(node, ChoiceNode)
        if node.player is MaxMin.MIN:
            for child in node.children:
                visit(child, goal)
            return
        branch = next(i for i, child in enumerate(node.children) if search.covers(child, goal))
        strategy[node.name] = branch
        visit(node.children[branch], goal)

    visit(root, target)
    return strategy
