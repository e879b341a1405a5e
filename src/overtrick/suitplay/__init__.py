"""Single-suit holdings solved exactly against best defence, with the lines in words."""

from overtrick.suitplay.analysis import Layout, Line, Stakes, SuitAnalysis, solve
from overtrick.suitplay.holding import UNLIMITED, Holding, Layouts, SuitError
from overtrick.suitplay.plan import PlanTrick, SuitReply, Tactic, TrickEnd
from overtrick.suitplay.words import plan_tree, plan_words

__all__ = [
    "UNLIMITED",
    "Holding",
    "Layout",
    "Layouts",
    "Line",
    "PlanTrick",
    "Stakes",
    "SuitAnalysis",
    "SuitError",
    "SuitReply",
    "Tactic",
    "TrickEnd",
    "plan_tree",
    "plan_words",
    "solve",
]
