"""All that the report says, as one dictionary: numbers.json is this, tables and pictures show
it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from overtrick.nets import features
from overtrick_lab.papers.qiu2024 import belief_curve
from overtrick_lab.papers.qiu2024.belief_curve import BeliefPoint
from overtrick_lab.papers.qiu2024.games import Games, opening_rates
from overtrick_lab.papers.qiu2024.results import FolderResults
from overtrick_lab.training.disclosure import BAND_NAMES, BANDS

Numbers = dict[str, Any]
AGENTS: Final = ("RL", "RL-BMCS", "SL", "rules")
"""Whose games are looked into; RL is our policy, SL its start, both shipped."""


def of_games(agents: Mapping[str, Games]) -> Numbers:
    """Table V, Figs. 4 to 6: each agent's games in all its matches."""
    return {"agents": {name: _agent(games) for name, games in agents.items() if len(games)}}


def _agent(games: Games) -> Numbers:
    by_points = games.by_points()
    light = by_points[:, :8]
    return {
        "games": len(games),
        "openings": games.openings().tolist(),
        "contracts": games.contracts().tolist(),
        "lengths": games.lengths().tolist(),
        "conformity": {bid: c._asdict() for bid, c in games.conformity().items()},
        "by_points": by_points.tolist(),
        "opening_rates": dict(zip(BAND_NAMES, opening_rates(by_points, BANDS), strict=True)),
        "light_rate": float(1 - light[0].sum() / max(int(light.sum()), 1)),
    }


def of_belief(points: Sequence[BeliefPoint]) -> Numbers:
    """Fig. 3."""
    return {
        "belief": {
            "points": [asdict(point) for point in points],
            "positions": sum(point.positions for point in points),
            "uniform_loss": belief_curve.UNIFORM_LOSS,
            "uniform_card_loss": belief_curve.UNIFORM_CARD,
        }
    }


def of_results(found: FolderResults) -> Numbers:
    """Fig. 2 and Table IV."""
    return {
        "curves": found.curves,
        "ablations": found.ablations,
        "searches": found.searches,
    }


def inputs() -> Numbers:
    """Table VI, counted in the features themselves."""
    history = features.HAND_START - features.HISTORY_START
    each = history // 3
    return {
        "inputs": {
            "vulnerability": 4,
            "opening pass": features.HISTORY_START - 4,
            "bid making history": each,
            "bid double history": each,
            "bid redouble history": each,
            "own hand": features.PLAIN_WIDTH - features.HAND_START,
            "hands of other players": features.CRITIC_WIDTH - features.PLAIN_WIDTH,
            "declared systems (ours only)": 2
            * features.feature_version("auction-1+systems-1").systems,
        }
    }
