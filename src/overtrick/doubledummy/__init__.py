"""Double dummy: what is possible when all four hands are seen, solved by the DDS library.
Public as `overtrick.dd`.

>>> from overtrick import dd
>>> dd.tricks("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96", "NT", "N")
10
"""

from overtrick.doubledummy.analysis import PlayAnalysis, analyse, analyse_play
from overtrick.doubledummy.cache import TableCache
from overtrick.doubledummy.dds import solver
from overtrick.doubledummy.library import LibraryInfo, SolverError
from overtrick.doubledummy.par import par
from overtrick.doubledummy.pool import label, label_array
from overtrick.doubledummy.position import Position, PositionError
from overtrick.doubledummy.solve import (
    best,
    best_all,
    cards_reaching,
    reach_worlds,
    reach_worlds_counting,
    reaches,
    reaches_all,
    solve,
    solve_all,
    solve_worlds,
    solve_worlds_counting,
    tricks_array,
)
from overtrick.doubledummy.tables import Table, bits_of, table, table_array, tables, tricks
from overtrick.game import Par, ParContract

__all__ = [
    "LibraryInfo", "Par", "ParContract", "PlayAnalysis", "Position", "PositionError",
    "SolverError", "Table", "TableCache", "analyse", "analyse_play", "best", "best_all",
    "bits_of", "cards_reaching", "label", "label_array", "par", "reach_worlds",
    "reach_worlds_counting", "reaches",
    "reaches_all", "solve", "solve_all", "solve_worlds", "solve_worlds_counting",
    "solver", "table", "table_array",
    "tables", "tricks", "tricks_array",
]  # fmt: skip
