"""Questions players ask: what makes, which action is better, what to lead, what to call.
Public as `overtrick.simulate`, `lead` and `think`."""

from overtrick.analysis.asking import Inquiry, decided, think
from overtrick.analysis.handrecords import analysed, par_of, table_of
from overtrick.analysis.leads import lead
from overtrick.analysis.simulation import Share, Simulation, simulate

__all__ = [
    "Inquiry", "Share", "Simulation", "analysed", "decided", "lead", "par_of", "simulate",
    "table_of", "think",
]  # fmt: skip
