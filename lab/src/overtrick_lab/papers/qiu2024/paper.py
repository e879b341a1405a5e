"""What the paper reports: Tables III and IV and the few numbers of its text, to set ours beside.

Table V is in `training.disclosure`: self-play measures its openings against it."""

from __future__ import annotations

from typing import Final

TABLE_III: Final = {
    "DNNs": (0.25, None),
    "Simple": (0.41, 0.27),
    "JPS": (0.63, 0.22),
    "PI": (0.57, 0.05),
    "PI-Search": (0.85, 0.05),
    "RL": (0.68, 0.05),
    "RL-BMCS": (0.98, 0.05),
}
"""IMPs a deal against WBridge5 and their standard error, nobody vulnerable."""

TABLE_IV: Final = {
    "No PR": 0.53,
    "No HI": 0.58,
    "RL": 0.68,
    "RL-MCS": 0.80,
    "RL-BMCS": 0.98,
}
"""The variants against WBridge5, 10,000 deals, error 0.05 each."""

TABLE_VI: Final = {
    "vulnerability": 2 * 2,
    "opening pass": 1 * 4,
    "bid making history": 35 * 4,
    "bid double history": 35 * 4,
    "bid redouble history": 35 * 4,
    "own hand": 52,
    "hands of other players": 52 * 3,
}
"""Bits of the networks' input."""

OVER_SL: Final = (0.87, 0.02)
"""The best RL network over SL (section VI-B)."""

OPENED: Final = (10_862 / 20_000, 11_226 / 20_000)
"""Share of the games that RL and RL-BMCS opened, rather than WBridge5 or nobody."""
