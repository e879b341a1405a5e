"""Single-suit holdings solved exactly against best defence, with the lines in words."""

from overtrick.suitplay.analysis import Layout, Line, Stakes, SuitAnalysis, solve
from overtrick.suitplay.holding import UNLIMITED, Holding, Layouts, SuitError
from overtrick.suitplay.plan import Answer, Outcome, Tactic, Trick
from overtrick.suitplay.words import plan_tree, plan_words

__all__ = [
    "UNLIMITED",
    "Answer",
    "Holding",
    "Layout",
    "Layouts",
    "Line",
    "Outcome",
    "Stakes",
    "SuitAnalysis",
    "SuitError",
    "Tactic",
    "Trick",
    "plan_tree",
    "plan_words",
    "solve",
]
