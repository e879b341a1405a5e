"""Settings of the recipe for the networks about opening leads, which are also its command line.
Used by training.leads and cli.train."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LeadSettings:
    """Learn how many tricks opening leads take, from what the leader knows or from whole deals."""

    deals: Path = Path("leads.npz")
    """Solved leads (`benchmarks.cardplay_leads learn`): a file, or a folder of them."""
    out: Path = Path("leadnet.npz")
    """Where the weights go, in half precision."""
    sees: str = "info"
    """`info`: what the auction tells on average; `deal`: all four hands."""
    hidden: str = "64,32"
    """Units of the hidden layers."""
    epochs: int = 25
    """Passes through the boards."""
    batch: int = 512
    """Boards a step."""
    learning_rate: float = 0.003
    """At the start; it falls to nothing along a cosine."""
    decay: float = 0.02
    """Weight decay."""
    dropout: float = 0.0
    """Share of hidden units left out in each step."""
    held_out: int = 3000
    """The last boards, never trained on."""
    seed: int = 0
    """Everything random comes from this."""

    def plain(self) -> dict[str, str]:
        """For the card."""
        return {name: str(value) for name, value in asdict(self).items()}
