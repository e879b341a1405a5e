"""One board at one table: the state everybody shares, the seats, the director and the loop.
A table shows each seat its View and nothing more."""

from overtrick.table.director import Fault, Ruling, rule
from overtrick.table.loop import Limits, excused, handed_over, judged, play_table
from overtrick.table.seats import Occupant, Robot, robot
from overtrick.table.state import Entry, TableState

__all__ = [
    "Entry",
    "Fault",
    "Limits",
    "Occupant",
    "Robot",
    "Ruling",
    "TableState",
    "excused",
    "handed_over",
    "judged",
    "play_table",
    "robot",
    "rule",
]
