"""Why an algorithm errs: names strategy fusion and non-locality, and the node where each bites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from overtrick_lab.papers.frank1998.flat import FlatTree, outcome, value
from overtrick_lab.papers.frank1998.fronts import Coding, coding, join, local_fronts, plan_exact
from overtrick_lab.papers.frank1998.minimaxing import MaxPlan, minimax
from overtrick_lab.papers.frank1998.strategies import reduced
from overtrick_lab.papers.frank1998.tree import ChoiceNode, EndNode, MaxMin, Node, Strategy, choices


class Mishandling(Enum):
    """The two ways of handling strategies wrongly."""

    FUSION = "strategy fusion"
    NON_LOCALITY = "non-locality"


@dataclass(frozen=True, slots=True)
class WrongChoice:
    """One wrong choice: where, which branch, which was better, and the reason in words."""

    fault: Mishandling
    node: str
    chosen: int | None
    better: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What a plan claims, what it achieves against best defence, what was there to be had.

    `fused` are the MAX nodes whose fusion lifts the claim too high, whether or not it costs.
    """

    algorithm: str
    claimed: Fraction
    achieved: Fraction
    optimum: Fraction
    findings: tuple[WrongChoice, ...]
    fused: tuple[str, ...]

    @property
    def optimal(self) -> bool:
        """Does the plan attain the value of the game?"""
        return self.achieved == self.optimum

    @property
    def faults(self) -> frozenset[Mishandling]:
        """The faults that cost something."""
        return frozenset(f.fault for f in self.findings)

    def words(self) -> str:
        """The whole diagnosis as a short paragraph."""
        verdict = "optimal" if self.optimal else f"the optimum is {self.optimum}"
        lines = [f"{self.algorithm}: claims {self.claimed}, achieves {self.achieved}; {verdict}."]
        lines += [f"{f.fault.value.capitalize()} at {f.node}: {f.text}" for f in self.findings]
        if self.fused and Mishandling.FUSION not in self.faults:
            lines.append("The claim is inflated by strategy fusion at " + _and(self.fused) + ".")
        return "\n".join(lines)


def diagnose(tree: FlatTree, plan: MaxPlan) -> Diagnosis:
    """Compare a plan with the optimum and explain each wrong choice it can come to.

    A choice is wrong if, everything else in the plan as it is, another branch would be worth more.
    It is strategy fusion if the algorithm expected more of its branch than any one strategy can
    get there, and was misled about the node's own subtree; otherwise the subtree was judged as a
    game of its own and the rest of the tree makes the judgement wrong, which is non-locality.
    """
    if not plan.all_worlds:
        raise ValueError("the plan saw only a sample of worlds: diagnose one made with all")
    strategy = reduced(tree, plan.strategy)
    achieved = value(tree, outcome(tree, strategy))
    optimum = plan_exact(tree).claimed
    case = _Case(tree, plan, strategy, coding(tree))
    findings = tuple(case.findings()) if achieved < optimum else ()
    fuses = plan.claimed > optimum or any(f.fault is Mishandling.FUSION for f in findings)
    fused = tuple(fusion_nodes(tree, strategy)) if fuses else ()
    return Diagnosis(plan.algorithm, plan.claimed, achieved, optimum, findings, fused)


def fusion_nodes(tree: FlatTree, strategy: Strategy | None = None) -> dict[str, str]:
    """MAX nodes where minimaxing needs different branches in different worlds, told in words.

    With a strategy, only the nodes that it can come to.
    """
    names = {n.name for n in choices(tree.root, MaxMin.MAX)} if strategy is None else set(strategy)
    told: dict[str, str] = {}
    for node in choices(tree.root, MaxMin.MAX):
        vectors = [minimax(child) for child in node.children]
        best = minimax(node)
        if node.name not in names or best in vectors:
            continue
        parts = []
        for branch, vector in enumerate(vectors):
            needed = [
                w
                for w, (p, b) in enumerate(zip(vector, best, strict=True))
                if p is not None and p == b and not any(v[w] == b for v in vectors[:branch])
            ]
            if needed:
                parts.append(f"branch {node.move(branch)} in {_worlds(tree, needed)}")
        told[node.name] = ", ".join(parts)
    return told


@dataclass(frozen=True, slots=True)
class _Case:
    """One plan on trial; `caps` are what MIN can hold each world to by turning off earlier."""

    tree: FlatTree
    plan: MaxPlan
    strategy: dict[str, int]
    code: Coding

    def findings(self) -> Iterator[WrongChoice]:
        local = local_fronts(self.tree.root, self.code)
        found = list(self._visit(self.tree.root, -1, "", local))
        yield from found or self._joint(self.tree.root, -1, local)

    def _outcome(self, node: Node) -> int:
        if isinstance(node, EndNode):
            return self.code.encode(node.payoffs)
        assert isinstance(node, ChoiceNode)
        if node.player is MaxMin.MAX:
            return self._outcome(node.children[self.strategy[node.name]])
        result = -1
        for child in node.children:
            result &= self._outcome(child)
        return result

    def _inside(self, node: ChoiceNode, caps: int) -> Iterator[tuple[Node, int, bool]]:
        """The children play can come to, each with its caps, and whether they got tighter."""
        if node.player is MaxMin.MAX:
            yield node.children[self.strategy[node.name]], caps, False
            return
        results = [self._outcome(child) for child in node.children]
        for i, child in enumerate(node.children):
            tight = caps
            for j, result in enumerate(results):
                tight &= result if j != i else -1
            yield child, tight, tight != caps

    def _visit(
        self, node: Node, caps: int, turns: str, local: dict[str, list[list[int]]]
    ) -> Iterator[WrongChoice]:
        if isinstance(node, EndNode):
            return
        assert isinstance(node, ChoiceNode)
        if node.player is MaxMin.MAX:
            finding = self._judge(node, caps, turns, local[node.name])
            if finding:
                yield finding
        for child, inner, tighter in self._inside(node, caps):
            where = f"{turns} or {node.name}" if turns and tighter else turns or node.name
            yield from self._visit(child, inner, where if tighter else turns, local)

    def _judge(
        self, node: ChoiceNode, caps: int, turns: str, fronts: list[list[int]]
    ) -> WrongChoice | None:
        """Is another branch of this MAX node worth more, the rest of the plan unchanged?"""
        chosen, seen = self.strategy[node.name], self.code.possible(node)
        context = [max(self.code.worth(c & caps, seen) for c in part) for part in fronts]
        better = context.index(max(context))
        if context[better] == context[chosen]:
            return None
        alone = [max(self.code.worth(c, seen) for c in part) for part in fronts]
        claimed = self.plan.estimates[node.name]
        total = self.tree.total
        inflated = claimed[chosen] > Fraction(alone[chosen]) / total
        if inflated and alone[chosen] < max(alone):
            return WrongChoice(
                Mishandling.FUSION,
                node.name,
                chosen,
                better,
                self._fusion_text(node, chosen, claimed[chosen], alone),
            )
        text = (
            f"taken by itself branch {node.move(chosen)} is valued {claimed[chosen]} and "
            f"branch {node.move(better)} {claimed[better]}, but "
        )
        lost = [w for w in range(len(self.tree.worlds)) if self.code.world(w) & seen & ~caps]
        text += (
            f"in {_worlds(self.tree, lost)} MIN holds MAX to less by turning off at {turns}; "
            if lost
            else "the choices below were made as if each came alone; "
        )
        text += (
            f"with that, branch {node.move(better)} is worth "
            f"{Fraction(context[better]) / total} and branch {node.move(chosen)} "
            f"{Fraction(context[chosen]) / total}."
        )
        return WrongChoice(Mishandling.NON_LOCALITY, node.name, chosen, better, text)

    def _fusion_text(
        self, node: ChoiceNode, chosen: int, claimed: Fraction, alone: list[int | Fraction]
    ) -> str:
        child = node.children[chosen]
        inside = {n.name for n in choices(child)}
        fused = {n: told for n, told in fusion_nodes(self.tree).items() if n in inside}
        real = [Fraction(x) / self.tree.total for x in alone]
        best = real.index(max(real))
        spelt = "; ".join(f"at {name} it takes {told}" for name, told in fused.items())
        return (
            f"branch {node.move(chosen)} is valued {claimed}, but no one strategy gets more "
            f"than {real[chosen]} there: {spelt}. "
            f"Branch {node.move(best)} is worth {real[best]}."
        )

    def _joint(
        self, node: Node, caps: int, local: dict[str, list[list[int]]]
    ) -> Iterator[WrongChoice]:
        """No single choice is wrong by itself: the lowest MIN node whose branches must agree."""
        if isinstance(node, EndNode):
            return
        assert isinstance(node, ChoiceNode)
        below = [
            f
            for child, inner, _ in self._inside(node, caps)
            for f in self._joint(child, inner, local)
        ]
        seen = self.code.possible(node)
        parts = local[node.name]
        whole = join(parts) if node.player is MaxMin.MIN else [c for part in parts for c in part]
        best = max(self.code.worth(c & caps, seen) for c in whole)
        now = self.code.worth(self._outcome(node) & caps, seen)
        if below or best == now:
            yield from below
            return
        yield WrongChoice(
            Mishandling.NON_LOCALITY,
            node.name,
            None,
            None,
            "no single choice below it is wrong by itself, but made together they could "
            f"be worth {Fraction(best) / self.tree.total} instead of "
            f"{Fraction(now) / self.tree.total}.",
        )


def _worlds(tree: FlatTree, worlds: list[int]) -> str:
    return _and(tuple(tree.worlds[w] for w in worlds))


def _and(names: tuple[str, ...]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
