"""The settings of what measures networks, compares recipes and lets networks into the package."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class AblationSettings:
    """Train with one part of the recipe left out, for a table like the paper's Table IV."""

    variant: str = "full"
    """full, no-past-selves, no-hidden, hands-only, a2c, a2c-no-priority, a2c-no-hidden, table-i,

    table-i-no-priority, table-i-no-hidden."""
    supervised: Path = Path("checkpoints/sl.npz")
    """The SL policy: start, yardstick and reference."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals; the last 10,000 are for evaluation alone."""
    more_deals: Path | None = None
    """More solved deals, for training only."""
    out: Path = Path("ablations")
    """Folder for VARIANT.json, the result of every held-out deal (VARIANT.npz) and the networks."""
    minutes: float = 8.0
    """No variant may take longer."""
    iterations: int = 400
    """Iterations, the same number for all variants (0: as many as the minutes allow)."""
    every: int = 0
    """Measure also after every so many iterations: VARIANT-N.json, so that variants which train by

    the clock are compared after equally many."""
    rounds: int = 4
    """How often the held-out boards are played at the end, with new suit orders."""
    seed: int = 0
    """Everything random comes from this."""
    tiny: bool = False
    """Everything much smaller: a rehearsal on a CPU."""


@dataclass(frozen=True, slots=True)
class InformedSettings:
    """Fine-tune SL on a policy's own auctions, and see what is left of the policy's margin.

    A policy that wins by confusing opponents loses its margin to one that has seen its auctions."""

    policy: Path = Path("checkpoints/policy.npz")
    """The policy whose auctions are learned from, and which is then played."""
    supervised: Path = Path("checkpoints/sl.npz")
    """The SL policy that is fine-tuned."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals; the last ones are for the matches."""
    more_deals: Path | None = None
    """More solved deals, for training only."""
    auctions: Path | None = None
    """Auctions whose last 20,000 show whether it still imitates its own teacher."""
    out: Path = Path("informed")
    """Folder for informed.json and the networks."""
    ways: str = "response,control"
    """Any of response (learn what pays against the policy, near SL), control (the same against SL,

    so without learning anything about the policy), shown (imitate both sides, told who is who),
    mixed (imitate both sides as one), clone (imitate the policy)."""
    anchors: str = "0.3,0.1,0.03"
    """response and control: weights of KL(it || SL), one network each."""
    iterations: int = 250
    """response and control: iterations for each."""
    steps: int = 3000
    """Imitation: gradient steps."""
    tables: int = 4096
    """Auctions side by side."""
    watched: int = 200_000
    """Imitation: auctions to learn from."""
    learning_rate: float = 6e-5
    """Adam's rate at the start."""
    held_out: int = 10_000
    """The last deals of `deals` are for the matches."""
    rounds: int = 4
    """How often they are played, two boards each, with new suit orders."""
    minutes: float = 8.0
    """No new network is begun after this."""
    seed: int = 0
    """Everything random comes from this."""
    tiny: bool = False
    """Everything much smaller: a rehearsal on a CPU."""


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Turn a trained network into the ONNX file that engines load, with its card."""

    network: Path = Path("policy.npz")
    """The trained network: policy, belief or tricks."""
    out: Path = Path("models")
    """Folder for NAME.onnx and its card NAME.json."""
    name: str = ""
    """What engines call it (default: the file's own name)."""
    precision: str = "int8"
    """fp32, fp16 (weights only) or int8."""
    auctions: Path | None = None
    """Auctions whose last positions check that a policy still makes the same calls."""
    deals: Path | None = None
    """Solved deals whose last ones check a tricks network."""
    positions: int = 100_000
    """Positions to check (a solved deal counts as 20)."""
    notes: Path | None = None
    """JSON to add to the card: results, commands."""
    seed: int = 0
    """Which positions are drawn."""


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Let a new policy in only if it wins a match with significance and stays natural."""

    new: str = "models/policy.onnx"
    """The exported network that wants in."""
    old: str = "policy"
    """The network it must beat: a shipped one by name, or a file."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals; the last ones are played, as self-play holds them out."""
    boards: int = 10_000
    """How many of them."""
    system: str = "sayc"
    """The system that both declare, if they know it."""
    confidence: float = 1.96
    """Standard errors by which it must win."""
    strangers: str = "sl sayc; sl two-over-one; partner two-over-one"
    """Whom both must meet, too: networks and what they play, separated by semicolons. Each is met
    twice: both sides told what the other plays, and neither."""
    install: bool = False
    """Put the winner in the loser's place."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Let searching bidders play the same deals against one opponent, and compare them in pairs."""

    engines: str = (
        "bmcs(seconds=60); bmcs(seconds=60, belief=''); bmcs(seconds=60, weighting=rejection); "
        "bmcs(seconds=60, belief='', weighting=rejection); bmcs(seconds=60, weighting=none); "
        "bmcs(seconds=60, belief='', weighting=none)"
    )
    """Who plays, separated by semicolons; the others are compared with the first."""
    opponent: str = "policy"
    """Whom they all play."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals."""
    skip: int = 0
    """Leave out so many deals at the start of the file (negative: take the last ones)."""
    boards: int = 1500
    """At most so many deals, each in both rooms, dealer and vulnerability by the 16-board cycle."""
    workers: int = 1
    """Processes."""
    minutes: float = 600.0
    """No new deals are begun after this."""
    out: Path = Path("search.json")
    """What is known so far, written every half minute; what it already has is not played again."""


@dataclass(frozen=True, slots=True)
class CurveSettings:
    """Draw the training curve of self-play."""

    curve: Path = Path("selfplay/curve.jsonl")
    """What self-play wrote."""
    out: Path = Path("curve.png")
    """The picture."""


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """Measure a policy against SL in every system, told of it and not, and look at its openings."""

    policy: Path = Path("selfplay/policy.npz")
    """The policy."""
    supervised: Path = Path("checkpoints/sl.npz")
    """The SL policy that it plays."""
    deals: Path = Path("data/solved_deals.npz")
    """Solved deals; the last ones are played."""
    held_out: int = 10_000
    """How many of them."""
    boards: int = 20_000
    """Boards of a round (deals are reused with suits permuted)."""
    rounds: int = 4
    """Rounds, with new suit orders."""
    minutes: float = 600.0
    """No new match is begun after this."""
