"""Questions players ask of many deals: what makes, which action is better, what to lead.
Public as `overtrick.simulate` and `lead`."""

from overtrick.analysis.handrecords import analysed, par_of, table_of
from overtrick.analysis.leads import lead
from overtrick.analysis.simulation import Share, Simulation, simulate

__all__ = ["Share", "Simulation", "analysed", "lead", "par_of", "simulate", "table_of"]
