"""Bridge as a task for learning agents: solved deals with names, observations made from views, and
tables for one agent (`solo`), four agents (`tables`) or thousands of auctions (`vectorised`).

`tables` and `solo` need the `rl` extra, `vectorised` the `jax` extra; what is named here needs
neither."""

from typing import TYPE_CHECKING

from overtrick.lazily import lazily

__all__ = [
    "ACTIONS",
    "DATASETS",
    "WIDTHS",
    "Dataset",
    "LeaderRow",
    "Leaderboard",
    "dataset",
    "legal",
    "measured",
    "observe",
]  # fmt: skip

if TYPE_CHECKING:
    from overtrick.environments.datasets import DATASETS, Dataset, dataset
    from overtrick.environments.leaderboard import Leaderboard, LeaderRow, measured
    from overtrick.environments.observation import ACTIONS, WIDTHS, legal, observe
else:
    __getattr__ = lazily(
        __name__,
        {
            "overtrick.environments.datasets": ("DATASETS", "Dataset", "dataset"),
            "overtrick.environments.leaderboard": ("Leaderboard", "LeaderRow", "measured"),
            "overtrick.environments.observation": ("ACTIONS", "WIDTHS", "legal", "observe"),
        },
    )
