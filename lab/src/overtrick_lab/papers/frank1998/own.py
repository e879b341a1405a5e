"""A tree of one's own: what best defence leaves of it, and where each algorithm goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from overtrick.game.errors import BridgeError
from overtrick_lab.papers.frank1998.diagnosis import Diagnosis, diagnose
from overtrick_lab.papers.frank1998.drawing import draw
from overtrick_lab.papers.frank1998.flat import FlatTree, flatten
from overtrick_lab.papers.frank1998.fronts import plan_exact
from overtrick_lab.papers.frank1998.minimaxing import mm
from overtrick_lab.papers.frank1998.notation import load
from overtrick_lab.papers.frank1998.report import PLANNERS
from overtrick_lab.papers.frank1998.strategies import reduced
from overtrick_lab.papers.frank1998.tree import ChoiceNode, GameTreeError, Node

_LARGEST = 1_000_000  # bytes of a file


def read(path: Path) -> FlatTree:
    """The tree in a file; an extensive form is laid out flat, world over world."""
    if path.stat().st_size > _LARGEST:
        raise BridgeError(f"{path} is no tree: it has more than {_LARGEST:,} bytes")
    try:
        tree = load(path)
        return tree if isinstance(tree, FlatTree) else flatten(tree)
    except UnicodeDecodeError:
        raise BridgeError(f"{path} is no tree: it is no text") from None
    except GameTreeError as error:
        raise BridgeError(f"{path}: {error}") from None


def study(tree: FlatTree) -> dict[str, Any]:
    """Values, the best strategy, and every algorithm with its faults, as plain data."""
    best = plan_exact(tree)
    kept = reduced(tree, best.strategy)
    found = [diagnose(tree, plan(tree)) for plan in PLANNERS.values()]
    return {
        "title": tree.title,
        "worlds": list(tree.worlds),
        "best defence": str(best.claimed),
        "cards seen": str(mm(tree)),
        "strategy": {name: _branch(tree.root, name, branch) for name, branch in kept.items()},
        "algorithms": [_shown(one) for one in found],
    }


def _shown(one: Diagnosis) -> dict[str, Any]:
    return {
        "algorithm": one.algorithm,
        "claims": str(one.claimed),
        "achieves": str(one.achieved),
        "faults": [{"fault": f.fault.value, "node": f.node, "why": f.text} for f in one.findings],
        "words": one.words(),
    }


def _branch(node: Node, name: str, branch: int) -> str:
    """The branch of a node as its tree names it, else its number from 1."""
    if isinstance(node, ChoiceNode) and node.name == name:
        return node.moves[branch] if node.moves else str(branch + 1)
    below = getattr(node, "children", ())
    return next((found for child in below if (found := _branch(child, name, branch))), "")


def words(found: dict[str, Any]) -> str:
    """The same for people."""
    lines = [f"# {found['title'] or 'A tree'}", ""]
    lines.append(f"Against best defence MAX gets {found['best defence']} in "
                 f"{len(found['worlds'])} worlds; {found['cards seen']} if both sides saw all."
                 )  # fmt: skip
    taken = ", ".join(f"{name} → {branch}" for name, branch in found["strategy"].items())
    lines += [f"Best: {taken}.", ""] if taken else [""]
    lines += [f"{one['words']}\n" for one in found["algorithms"]]
    return "\n".join(lines)


def picture(tree: FlatTree) -> str:
    """The tree with its best strategy, as SVG."""
    return draw(tree, reduced(tree, plan_exact(tree).strategy))
