"""Frank & Basin's formal games: best defence, exhaustive strategy minimisation, minimaxing, fronts.

>>> tree = flat_tree("a( b[11100 00011] c[00111 11000] )")  # squares MAX, circles MIN
>>> str(solve(tree)), str(esm(tree).value), str(mm(tree))
('2/5', '2/5', '1')
>>> print(diagnose(tree, plan_vector(tree)).findings[1].fault.value)
non-locality
"""

from overtrick_lab.papers.frank1998.diagnosis import (
    Diagnosis,
    Mishandling,
    WrongChoice,
    diagnose,
    fusion_nodes,
)
from overtrick_lab.papers.frank1998.drawing import draw
from overtrick_lab.papers.frank1998.esm import BestDefence, TooManyStrategiesError, esm, esm_of
from overtrick_lab.papers.frank1998.flat import (
    FlatTree,
    NotFlatError,
    extensive,
    flatten,
    outcome,
    subtree,
    value,
)
from overtrick_lab.papers.frank1998.fronts import Front, front, plan_exact, plan_local, solve
from overtrick_lab.papers.frank1998.game import (
    StrategicGame,
    best_defence,
    information_sets,
    min_is_informed,
)
from overtrick_lab.papers.frank1998.minimaxing import (
    MaxPlan,
    best_moves,
    by_best_count,
    by_mean,
    by_mean_above,
    minimax,
    mm,
    move_scores,
    plan_reduction,
    plan_repeated,
    plan_vector,
    sample_worlds,
)
from overtrick_lab.papers.frank1998.notation import (
    TreeTextError,
    dump,
    dumps,
    flat_tree,
    load,
    loads,
)
from overtrick_lab.papers.frank1998.strategies import (
    count_alternating,
    count_strategies,
    strategies,
    tuples,
)
from overtrick_lab.papers.frank1998.tree import (
    Chance,
    ChoiceNode,
    EndNode,
    GameTreeError,
    MaxMin,
    Node,
    Strategy,
    written,
)

__all__ = [
    "BestDefence",
    "Chance",
    "ChoiceNode",
    "Diagnosis",
    "EndNode",
    "FlatTree",
    "Front",
    "GameTreeError",
    "MaxMin",
    "MaxPlan",
    "Mishandling",
    "Node",
    "NotFlatError",
    "StrategicGame",
    "Strategy",
    "TooManyStrategiesError",
    "TreeTextError",
    "WrongChoice",
    "best_defence",
    "best_moves",
    "by_best_count",
    "by_mean",
    "by_mean_above",
    "count_alternating",
    "count_strategies",
    "diagnose",
    "draw",
    "dump",
    "dumps",
    "esm",
    "esm_of",
    "extensive",
    "flat_tree",
    "flatten",
    "front",
    "fusion_nodes",
    "information_sets",
    "load",
    "loads",
    "min_is_informed",
    "minimax",
    "mm",
    "move_scores",
    "outcome",
    "plan_exact",
    "plan_local",
    "plan_reduction",
    "plan_repeated",
    "plan_vector",
    "sample_worlds",
    "solve",
    "strategies",
    "subtree",
    "tuples",
    "value",
    "written",
]
