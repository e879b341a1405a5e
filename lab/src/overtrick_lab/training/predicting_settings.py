"""The settings of recipes for networks that predict tricks, cards and leads, and of their data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class TricksSettings:
    """Learn how many tricks every declarer takes in every strain, as 14 probabilities each."""

    deals: Path = Path("double_dummy.npz")
    """Solved deals."""
    more_deals: Path | None = None
    """More solved deals (a file or a folder of them), for training only."""
    out: Path = Path("tricks.npz")
    """Where the network goes; its card has the measurements."""
    held_out: int = 10_000
    """The last deals of `deals` are for the test alone."""
    validation: int = 4000
    """The training deals on which the teachers' best moment is chosen."""
    hands: str = "four"
    """four, or two: only North's and South's cards are seen."""
    minutes: float = 4.5
    """Time to train; all schedules run over it."""
    steps: int = 0
    """Train teachers and pupil for this many calls to the accelerator each instead (0: by time)."""
    teachers: int = 4
    """Networks trained on the solved deals, whose mean the shipped one learns (0: no teachers)."""
    teacher_suits: int = 768
    """Units of a teacher's suit stage."""
    teacher_strains: int = 1536
    """Units of a teacher's strain stage."""
    teacher_share: float = 0.5
    """Share of the time that goes to the teachers."""
    dropout: float = 0.15
    """Share of a teacher's units that rest at each step."""
    decay: float = 0.01
    """Weight decay, relative to the rate."""
    average: float = 0.999
    """Memory of the weight average that is measured and saved, per step."""
    suits: int = 384
    """Units of the suit stage."""
    strains: int = 768
    """Units of the strain stage."""
    blocks: int = 2
    """Hidden blocks of the strain stage."""
    batch: int = 4096
    """Deals per step."""
    learning_rate: float = 1e-3
    """Adam's rate at the start; it falls to 0 along a cosine, for teachers and pupil."""
    chunk: int = 25
    """Steps per call to the accelerator."""
    rest: float = 0.0
    """Pause after each of them, as a share of its time: for a second run on the same device."""
    save_seconds: float = 60.0
    """The place reached is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """Learn where the unseen cards are from auctions of a policy (the paper's section V)."""

    policy: Path = Path("policy.npz")
    """The policy whose auctions are watched."""
    guest: Path | None = None
    """It plays one side, in any of the systems, at some of the tables: SL, or the partner."""
    also: Path | None = None
    """Another guest of the same form, who takes every second one of these tables."""
    start: Path | None = None
    """A belief network to go on from, instead of from nothing."""
    out: Path = Path("belief.npz")
    """Where the network goes; its card has the measurements."""
    form: str = "players"
    """players: one of three players for each card; cards: the paper's 156 separate sigmoids."""
    minutes: float = 2.0
    """Time to train; the schedule runs over it."""
    steps: int = 0
    """Train for this many calls to the accelerator instead (0: by time)."""
    explore: float = 0.3
    """Share of calls that are drawn from the policy instead of being its best."""
    foreign: float = 0.25
    """Share of the tables at which the guest plays."""
    both: float = 0.0
    """Share of the guest's tables at which it plays both sides, each in a system of its own; with

    any, what the guest could know is learned as well: it is a bidder that searches."""
    untold: float = 0.1
    """Share of the other tables at which nobody is told a system."""
    tables: int = 8192
    """Auctions side by side: after every call their positions are one gradient step."""
    calls: int = 32
    """Calls, and so steps, per call to the accelerator."""
    width: int = 1024
    """Units in each of the four hidden layers."""
    activation: str = "relu"
    """relu, or gelu as in the paper."""
    learning_rate: float = 1e-3
    """Adam's rate at the start; it falls to 0 along a cosine."""
    average: float = 0.999
    """Memory of the weight average that is measured and saved, per step."""
    evaluate: int = 10_000
    """Auctions on which the loss is measured at the end (about ten positions each)."""
    save_seconds: float = 60.0
    """The place reached is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class CalibrateSettings:
    """Make a tricks network's probabilities honest: one power for all, fitted on unseen deals."""

    network: Path = Path("tricks.npz")
    """The trained tricks network; its last layer is scaled in place."""
    deals: Path = Path("solved_deals.npz")
    """Solved deals; the last ones must be new to the network."""
    fit: int = 12_000
    """How many of the last deals to fit on."""
    test: Path | None = None
    """Other solved deals whose last 10,000 measure the outcome, for the card."""
    precision: str = "int8"
    """The export whose probabilities are looked at."""


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
    recipe: str = "softmax"
    """`softmax`: chances of every number of tricks, Adam. `paper`: fourteen separate outputs, P(at
    least so many), squared errors and plain gradient descent at a hundred times the rate."""
    restarts: int = 3
    """A net that has learned next to nothing starts again from other weights, so often at most."""
    seed: int = 0
    """Everything random comes from this."""


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


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """Solve random deals until the time is over."""

    out: Path = Path("solved.npz")
    """Where the solved deals go."""
    library: Path | None = None
    """The DDS shared library, if it is not where it is usually looked for."""
    minutes: float = 9.0
    """How long to go on."""
    workers: int = 4
    """Solver processes."""
    seed: int = 1
    """The deals follow from this; never use one twice."""


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Bid and play random boards with our own engines: what declarers really take."""

    bidders: str = "policy|partner(batches=1)|rules"
    """Who bids, separated by |; each meets each, itself included, in turn."""
    player: str = "pimc(worlds=6, lead_worlds=1, early=2, ties=3)"
    """Who plays the cards in every seat."""
    start: int = 0
    """The number of the first board; a board follows from its number."""
    count: int = 30_000
    """Boards."""
    minutes: float = 600.0
    """No new boards are begun after this."""
    workers: int = 1
    """Processes."""
    ray: str = ""
    """Or on Ray: auto, an address, or local."""
    out: Path = Path("played.npz")
    """Where the boards go; what it has already is not played again."""
    library: Path | None = None
    """The DDS shared library, if it is not where it is usually looked for."""
    save_seconds: float = 30.0
    """What is played is kept this often; the same command goes on from there after a kill."""


@dataclass(frozen=True, slots=True)
class TableTrickSettings:
    """Learn what declarers take at the table beside double dummy, from boards of our players."""

    boards: Path = Path("played.npz")
    """Played boards (`overtrick train boards`): a file, or a folder of them."""
    out: Path = Path("table_tricks.npz")
    """Where the weights go, in half precision."""
    hidden: str = "16"
    """Units of the hidden layers, by commas."""
    steps: int = 2_000
    """Gradient steps."""
    batch: int = 512
    """Boards a step."""
    learning_rate: float = 0.003
    """At the start; it falls to nothing along a cosine."""
    prior: float = 5.0
    """How far weights are held small: the more boards there are, the less it matters."""
    folds: int = 5
    """Parts of the boards, by number; each is measured with a network that learned from the others.

    What is written has learned from all."""
    seed: int = 0
    """Everything random comes from this."""
