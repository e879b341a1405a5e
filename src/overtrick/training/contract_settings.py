"""Settings of the recipe for the paper's contract nets, which are also its command line.
Used by training.contract_net and cli.train."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ContractSettings:
    """Learn the paper's contract nets: one for notrump, one for suits, 100-16-16-14."""

    deals: Path = Path("data/solved_deals.npz")
    """Solved deals: a file, or a folder of them."""
    out: Path = Path("contract_paper.npz")
    """Where the two nets go; a card is written beside."""
    held_out: int = 5000
    """The last deals, never trained on."""
    steps: int = 12_000
    """Steps for each net."""
    batch: int = 1024
    """Contracts per step."""
    learning_rate: float = 0.01
    """At the start; it falls to nearly nothing along a cosine."""
    seed: int = 0
    """Everything random comes from this."""
