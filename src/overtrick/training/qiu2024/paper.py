"""What the paper reports: Tables III to V and the few numbers of its text.
Used by the report, which sets them beside ours."""

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

TABLE_V: Final = {
    "1C": (74.25, 61.11, 89.27),
    "1D": (76.76, 73.08, 88.26),
    "1H": (73.91, 63.72, 80.04),
    "1S": (75.47, 65.88, 79.80),
    "1NT": (76.15, 69.19, 85.71),
    "2C": (25.71, 26.26, 32.53),
    "2D": (92.13, 92.41, 94.89),
    "2H": (94.61, 90.66, 93.51),
    "2S": (94.18, 86.35, 95.35),
    "2NT": (53.53, 48.98, 82.22),
    "3C": (33.50, 28.70, 41.48),
    "3D": (49.38, 36.47, 74.73),
    "3H": (50.49, 41.13, 49.04),
    "3S": (65.35, 50.45, 55.44),
}
"""Openings that conform to SAYC, in percent: RL, RL-BMCS, WBridge5."""

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
