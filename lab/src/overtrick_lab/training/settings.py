"""The settings of every recipe: one frozen dataclass each, which is also its command line.
`options` makes options of them. Free of JAX, so that --help needs no extra."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from overtrick.game import OptionError
from overtrick.nets.features import SYSTEMS


def numbered(systems: str) -> tuple[int, ...]:
    """The numbers of systems named with commas between them, as networks know them."""
    names = [name for name in systems.split(",") if name]
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown:
        raise OptionError(f"networks know no system {unknown[0]!r}; they know {', '.join(SYSTEMS)}")
    return tuple(SYSTEMS.index(name) for name in names)


def plain(settings: Any) -> dict[str, str]:
    """The settings of a recipe (any dataclass) as text, for the card of what it made."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in asdict(settings).items()
    }


@dataclass(frozen=True, slots=True)
class LessonSettings:
    """Bid random deals by our own written systems: auctions for a network to learn from."""

    systems: str = "two-over-one,sayc"
    """The systems, separated by commas; each plays against each."""
    count: int = 100_000
    """Deals."""
    explore: float = 0.15
    """Share of calls, where the system leaves a choice, drawn from all that it allows."""
    character: str = "disciplined"
    """How freely calls may depart from what they show: disciplined, usual, free; or letter, not at

    all while another call keeps to its meaning."""
    workers: int = 1
    """Processes."""
    ray: str = ""
    """Or on Ray: auto, an address, or local."""
    out: Path = Path("lessons.npz")
    """Where the auctions go, with the call prescribed and the calls allowed at every turn."""
    save_seconds: float = 30.0
    """What is bid is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """The deals follow from this."""


@dataclass(frozen=True, slots=True)
class CallerSettings:
    """Teach a small network to call by your card, for `partner(system=…, net=…)`, without a GPU."""

    card: str = "two-over-one"
    """The card: a system, its line (`two-over-one +dont`) or its file."""
    against: str = "two-over-one,sayc"
    """What the opponents play, separated by commas."""
    deals: int = 16_000
    """Random deals to learn from; a tenth is held out."""
    explore: float = 0.15
    """Share of calls, where the card leaves a choice, drawn from all that it allows."""
    width: int = 256
    """Units in each of the four hidden layers."""
    steps: int = 4_000
    """Gradient steps."""
    batch: int = 512
    """Positions per step."""
    workers: int = 1
    """Processes that bid the lessons."""
    out: Path = Path("caller.onnx")
    """Where the network goes."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class SupervisedSettings:
    """Learn to make the calls of given auctions (the paper's section III)."""

    auctions: Path = Path("auctions_sayc.npz")
    """Auctions to imitate: packed npz, OpenSpiel trajectories (.txt), or .pbn, .lin, .rbn."""
    target: str = "made"
    """What to learn: the calls made; of lessons also those prescribed, or all those allowed."""
    choice: float = 0.0
    """prescribed: a share of the probability that goes to all calls allowed, in equal parts."""
    teacher: str = ""
    """Imitate this bidder of ours instead, for instance rules(system=sayc), on random deals …"""
    lessons: int = 100_000
    """… so many of them; they are kept in `auctions` for the next time …"""
    workers: int = 1
    """… and bid by so many processes."""
    more_auctions: Path | None = None
    """A second file, for instance with other systems; its own last deals are held out too."""
    out: Path = Path("sl.npz")
    """Where the network goes."""
    resume: Path | None = None
    """A policy network to start from (fine-tuning)."""
    held_out: int = 20_000
    """The last deals of each file, never trained on."""
    systems: bool = True
    """Add one flag per side for the declared system to the input."""
    untold: float = 0.1
    """Share of positions whose flags are hidden, so that the network can do without."""
    width: int = 1024
    """Units in each of the four hidden layers."""
    activation: str = "relu"
    """relu, or gelu as in the paper."""
    steps: int = 30_000
    """Gradient steps."""
    minutes: float = 0.0
    """Train for this long instead of a number of steps (0: by steps)."""
    batch: int = 8192
    """Positions per step."""
    learning_rate: float = 1e-3
    """Adam's rate at the start; it falls to a hundredth along a cosine."""
    save_seconds: float = 60.0
    """The place reached is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """Learn to bid as somebody does, from their boards: .pbn, .lin or .rbn files, or folders."""

    files: tuple[Path, ...] = ()
    """The boards."""
    pair: str = ""
    """Learn only the calls of this player and partner, or of `ANN,BOB` when they play together."""
    system: str = ""
    """What they play; a side that the file says plays something else is left out."""
    out: Path = Path("club.onnx")
    """Where the network goes; its weights lie beside it as .npz, to go on from."""
    resume: Path | None = None
    """A policy network (.npz) to start from, for instance caller.npz of `train all`."""
    held_out: float = 0.1
    """Share of the deals that are kept apart to see how often it makes the same call."""
    width: int = 256
    """Units in each of the four hidden layers."""
    steps: int = 0
    """Gradient steps (0: ten passes over the boards)."""
    batch: int = 512
    """Positions per step."""
    learning_rate: float = 0.0
    """Adam's rate at the start (0: 0.001, or 0.0002 with --resume)."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class SelfplaySettings:
    """Improve a policy by bidding against itself and its past selves (the paper's section IV)."""

    supervised: Path = Path("sl.npz")
    """The SL policy: start, yardstick, reference table and anchor."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals."""
    more_deals: Path | None = None
    """More solved deals, for training only."""
    out: Path = Path("selfplay")
    """Folder for policy.npz, critic.npz, past selves and the curve."""
    resume: Path | None = None
    """Folder of an earlier run to go on from."""
    tricks: Path | None = None
    """A tricks network: train on random deals without end, their tricks drawn from what it expects;

    the solved deals are then for evaluation only."""
    table: Path | None = None
    """Score what declarers take at the table instead of double dummy, in training and matches: a

    file of `train table-tricks`, or the word shipped."""
    at_table: float = 1.0
    """Share of the deals on which that counts; the others stay double dummy."""
    reward: str = "imps"
    """imps, or matchpoints: a better score than the other table's counts 4, whatever it is."""
    reference: str = "sl"
    """Who bids at the other table of each deal, which rewards are measured against: sl, or self,

    the learner as it calls when the deals are drawn (the paper's: each deal is played twice)."""
    held_out: int = 10_000
    """The last deals of `deals` are for evaluation alone."""
    algorithm: str = "ppo"
    """ppo, or a2c: the paper's, which replays its calls by priority."""
    opponent: Path | None = None
    """Train against this fixed policy alone, at every table, instead of itself and past selves."""
    within: Path | None = None
    """A network of the calls a written system allows: the learner makes no others."""
    escape: float = 0.1
    """Weight on what the policy, left alone, would call outside the system."""
    yardstick: Path | None = None
    """The policy it is measured against, if not SL itself."""
    systems: str = "sayc"
    """The systems that the learner plays, separated by commas; each side draws its own."""
    measured_in: str = "sayc"
    """The system that both sides declare in the matches against the yardstick."""
    minutes: float = 9.0
    """Time to train; the schedules below run over it."""
    iterations: int = 0
    """Run the schedules over this many iterations instead, still within the time (0: by time)."""
    tables: int = 8192
    """Auctions side by side."""
    calls: int = 32
    """Calls per table and iteration."""
    epochs: int = 2
    """Passes over each iteration's calls."""
    minibatch: int = 16_384
    """Calls per gradient step."""
    learned: float = 1.0
    """ppo: share of the calls that is learned from, drawn by how much the policy hesitated."""
    learning_rate: float = 6e-5
    """Adam's rate for the policy at the start."""
    final_rate: float = 0.1
    """The share of it that is left at the end (linear)."""
    critic_rate: float = 3e-4
    """Adam's rate for the critic at the start; falls alike."""
    target_kl: float = 0.01
    """An iteration that moves the policy further than this slows the next ones down."""
    slip: float = 0.25
    """A policy so many IMPs worse than it was learns more slowly from then on."""
    clip: float = 0.2
    """PPO's clip."""
    entropy: float = 0.003
    """Weight of the entropy at the start."""
    final_entropy: float = 0.0
    """The share of it that is left at the end (linear)."""
    trace: float = 0.95
    """Lambda of the advantage estimate."""
    optimizer: str = "adam"
    """adam, or the paper's adan."""
    replay: int = 3
    """a2c: iterations whose calls the replay buffer holds."""
    priority_exponent: float = 0.8
    """a2c: preference for calls whose result surprised the critic (0: none, Table IV's No PR)."""
    importance_exponent: float = 0.6
    """a2c: how far weights undo that preference (1: fully)."""
    critic: str = "contracts"
    """What the critic sees: own (480 bits), hands (636), contracts (and what each is worth)."""
    critic_only: int = 20
    """Iterations at the start in which only the critic learns."""
    guests: int = 4
    """Groups of tables where a guest plays one side: SL in the first, past selves in the rest."""
    guest_tables: int = 1024
    """Tables in each of these groups."""
    league: int = 24
    """How many past selves are kept."""
    snapshot_seconds: float = 15.0
    """A past self is added this often."""
    pool: int = 65_536
    """Fresh deals with their reference score, drawn anew every `refresh` iterations."""
    refresh: int = 4
    """Iterations between fresh deals and new guests."""
    anchor: float = 0.002
    """Weight of KL(policy || SL) over all calls."""
    guard: float = 0.02
    """First weight on openings that do not conform to SAYC; it adapts, bid by bid."""
    guard_lead: float = 0.03
    """How much more conformity than the paper's agent the guard asks for."""
    conformity: str = ""
    """Percent of the openings 1C, 1D, 1H, 1S, 1NT that shall conform, by commas, instead of
    that."""
    average: float = 0.995
    """Memory of the weight average that is evaluated and saved, per iteration."""
    evaluate_seconds: float = 20.0
    """Matches against SL on the held-out deals this often."""
    evaluate_deals: int = 20_000
    """Deals in each of them (held-out deals are reused with suits permuted)."""
    pause: int = 10
    """Iterations between two looks at what is due; an accelerator is not kept waiting meanwhile."""
    every: int = 0
    """Past selves and matches every so many iterations instead: a run by iterations that nobody

    can tell from one that was killed and went on (0: by time)."""
    save_seconds: float = 60.0
    """Checkpoints this often; the same command goes on from there after a kill."""
    width: int = 1024
    """Units in each hidden layer of the critic."""
    seed: int = 0
    """Everything random comes from this."""

    @property
    def played(self) -> tuple[int, ...]:
        """The numbers of the systems that the learner plays."""
        return numbered(self.systems)


@dataclass(frozen=True, slots=True)
class GrowSettings:
    """Make a trained policy larger, calling as before, for self-play to go on with (--resume)."""

    resume: Path = Path("selfplay")
    """Folder of the run to go on from: policy.npz and critic.npz."""
    out: Path = Path("grown")
    """Folder for the larger ones."""
    width: int = 1536
    """Units in each hidden layer; what is larger already stays as it is."""
    layers: int = 6
    """Hidden layers."""
    critic_width: int = 0
    """Units in each hidden layer of the critic (0: as they are)."""
    heat: float = 1.0
    """Divide what speaks for each call by this: a policy sure of every call explores again."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class AverageSettings:
    """Give a network the mean of the weights of several runs that began with the same one."""

    networks: tuple[Path, ...] = ()
    """The networks, all of one form."""
    kind: str = "policy"
    """policy, critic or belief."""
    out: Path = Path("average.npz")
    """Where their mean goes."""


@dataclass(frozen=True, slots=True)
class QuietSettings:
    """Teach an exported policy to pass where a hand has nothing to say, and change nothing else."""

    policy: Path = Path("policy")
    """The policy to start from: a shipped one by its name, or an .onnx file."""
    out: Path = Path("quiet.npz")
    """Where the quiet one goes; its card has the measurements."""
    met: str = "sayc"
    """It takes every side for players of this system: the one whose players learned when it did."""
    guest: str = "partner"
    """The exported policy that plays one side in half of the auctions."""
    guests: str = "two-over-one,sayc,acol,sef,polish,precision,simple"
    """The systems it plays there, separated by commas."""
    deals: int = 20_000
    """Random deals bid by the policy alone, and as many with the guest."""
    explore: float = 0.05
    """Share of calls that are drawn instead of being the best."""
    lead: float = 8.0
    """By so many nats a pass shall be ahead where there is nothing to say."""
    weight: float = 1.0
    """What a weak hand counts beside the hand that was dealt."""
    minutes: float = 20.0
    """Time to bid and train; the schedule runs over it."""
    steps: int = 0
    """Train for this many steps instead (0: by time)."""
    batch: int = 512
    """Positions of either kind in a step."""
    learning_rate: float = 1e-4
    """Adam's rate at the start; it falls to 0 along a cosine."""
    average: float = 0.998
    """Memory of the weight average that is saved, per step."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class DistilSettings:
    """Teach a small policy to call as larger ones do, in auctions of both on random deals."""

    teachers: tuple[Path, ...] = ()
    """The policies to learn from; of several the mean of their probabilities."""
    pupil: Path | None = None
    """The policy to start from, which has the size that is wanted; without one a new network of the

    form below sees what the first teacher sees."""
    width: int = 256
    """Units of a hidden layer of a new network."""
    layers: int = 3
    """Its hidden layers."""
    strangers: float = 0.0
    """Beside each position the same auction with somebody else's hand, learned with this weight:

    for a network that is asked which hands would have bid like that."""
    out: Path = Path("pupil.npz")
    """Where the pupil goes; its card has the measurements."""
    guest: Path | None = None
    """It plays one side, in any of the systems, at some of the tables: SL, or the partner."""
    systems: str = "sayc"
    """The systems that pupil and teachers play, separated by commas; each side draws its own."""
    visiting: str = ""
    """Those of the guest (none named: all that it knows)."""
    foreign: float = 0.25
    """Share of the tables at which the guest plays."""
    both: float = 0.0
    """Share of the guest's tables at which it plays both sides, each in a system of its own."""
    untold: float = 0.1
    """Share of the other tables at which nobody is told a system."""
    mix: float = 0.5
    """Share of the calls at the table that are the pupil's; the others are the teachers'."""
    explore: float = 0.3
    """Share of calls that are drawn instead of being the best."""
    deals: Path | None = None
    """Solved deals; on the last ones the pupil plays what it was at the start."""
    held_out: int = 10_000
    """How many of them."""
    boards: int = 20_000
    """Boards of that match (deals are reused with suits permuted)."""
    minutes: float = 3.0
    """Time to train; the schedule runs over it."""
    steps: int = 0
    """Train for this many calls to the accelerator instead (0: by time)."""
    tables: int = 8192
    """Auctions side by side: after every call their positions are one gradient step."""
    calls: int = 32
    """Calls, and so steps, per call to the accelerator."""
    learning_rate: float = 3e-4
    """Adam's rate at the start; it falls to 0 along a cosine."""
    average: float = 0.999
    """Memory of the weight average that is measured and saved, per step."""
    evaluate: int = 10_000
    """Auctions on which it is measured how far the pupil is from its teachers."""
    save_seconds: float = 60.0
    """The place reached is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class PostMortemSettings:
    """Improve a policy by what its other calls would have brought on the same cards."""

    policy: Path = Path("policy.npz")
    """The policy to start from."""
    out: Path = Path("better.npz")
    """Where the improved one goes; its card has the measurements."""
    tricks: Path = Path("checkpoints/tricks.npz")
    """The network for the tricks of random deals."""
    table: Path | None = None
    """Score what declarers take at the table instead of double dummy, in training and matches: a

    file of `train table-tricks`, or the word shipped."""
    at_table: float = 1.0
    """Share of the deals on which that counts; the others stay double dummy."""
    reward: str = "imps"
    """imps, or matchpoints: a better score than the other call's counts 4, whatever it is."""
    guest: Path | None = None
    """It plays one side, in any of the systems, at some of the tables: SL, or the partner."""
    systems: str = "sayc"
    """The systems that the policy plays, separated by commas; each side draws its own."""
    visiting: str = ""
    """Those of the guest (none named: all that it knows)."""
    within: Path | None = None
    """A network for the calls that a written system allows (train supervised --target allowed):
    only these are made and compared."""
    escape: float = 0.5
    """Weight on calls outside that the policy, left alone, would like better than …"""
    lead: float = 2.0
    """… so much below the best call inside."""
    soften: float = 1.0
    """The start's preferences are divided by this: it undoes what an earlier run sharpened."""
    foreign: float = 0.25
    """Share of the tables at which the guest plays."""
    both: float = 0.0
    """Share of the guest's tables at which it plays both sides: nothing is learned there."""
    untold: float = 0.1
    """Share of the other tables at which nobody is told a system."""
    explore: float = 0.2
    """Share of calls at the tables that are drawn instead of being the best."""
    alternatives: int = 2
    """Calls compared at a position, the policy's own among them."""
    draws: int = 8
    """How often the tricks of a deal are drawn for it."""
    heat: float = 2.0
    """Positions are chosen by the doubt of a policy this much less sure."""
    keep: float = 0.8
    """What remains of a score from one round to the next."""
    step: float = 1.0
    """Score for one IMP."""
    sharpen: float = 3.0
    """The network that is saved prefers so much more sharply: who plays it takes the best call."""
    others: float = 0.05
    """Weight on calls that rise above their place without having been compared."""
    guard: float = 0.3
    """IMPs that an opening costs at first if it breaks SAYC, or is made on 0-7 points."""
    bluff: float = 4.0
    """IMPs that a call costs on a hand with nothing to say, in any seat and against any system."""
    guard_lead: float = 0.03
    """One-level openings shall conform to SAYC this much more often than the paper's policy."""
    conformity: str = ""
    """Or how often, in percent: 1C,1D,1H,1S,1NT."""
    refresh: int = 200
    """Steps of a round; then what has been learned bids at the tables."""
    deals: Path = Path("double_dummy.npz")
    """Solved deals; on the last ones the policy plays what it was at the start."""
    held_out: int = 10_000
    """How many of them."""
    boards: int = 20_000
    """Boards of that match (deals are reused with suits permuted)."""
    minutes: float = 8.0
    """Time to train; the schedule runs over it."""
    steps: int = 0
    """Train for this many calls to the accelerator instead (0: by time)."""
    tables: int = 65_536
    """Auctions side by side."""
    positions: int = 32_768
    """Positions looked at after every call."""
    minibatch: int = 8_192
    """Positions of one gradient step."""
    calls: int = 4
    """Steps per call to the accelerator."""
    learning_rate: float = 1.5e-4
    """Adam's rate at the start; it falls to 0 along a cosine."""
    average: float = 0.998
    """Memory of the weight average that is measured, saved and bids, per gradient step."""
    save_seconds: float = 60.0
    """The place reached is kept this often; the same command goes on from there after a kill."""
    seed: int = 0
    """Everything random comes from this."""


@dataclass(frozen=True, slots=True)
class UncontestedSettings:
    """Learn to bid with silent opponents from nothing: penetrative Q and the relay learner."""

    deals: Path = Path("double_dummy.npz")
    """Solved deals, of which 80 % are trained on."""
    published: Path | None = None
    """The published pairs (uncontested_costs.npz), only measured on."""
    out: Path = Path("uncontested")
    """Folder for results.json, penetrative.zip and relay_SEED.npz, written every minute."""
    seeds: int = 5
    """How many learners side by side."""
    priced: float = 0.5
    """Share of the relay learner's deals that are random and priced by the spectator."""
    penetrative_seconds: float = 140.0
    """Time of the penetrative learners, compilation included (0: not at all)."""
    spectator_seconds: float = 50.0
    """Time of the spectator, which prices random deals."""
    relay_seconds: float = 250.0
    """Time of the relay learners (0: neither these nor the spectator)."""
    chunks: int = 0
    """A fixed number of chunks instead of the time."""
    tiny: bool = False
    """Tiny networks: a rehearsal on a CPU."""


@dataclass(frozen=True, slots=True)
class AllSettings:
    """Train a partner for a card from its rules alone: lessons, networks, self-play, export, gate.

    The same command goes on after a kill."""

    card: str = "two-over-one"
    """The card: a system, its line (`two-over-one +dont`) or its file."""
    against: str = "sayc"
    """The other systems it meets and learns, separated by commas."""
    out: Path = Path("mine")
    """One folder for everything; the network is NAME.onnx there, with its card."""
    name: str = ""
    """What the network is called (default: the folder's own name)."""
    minutes: float = 30.0
    """All of it, shared out between the stages; what is fixed by a number below takes its time."""
    tiny: bool = False
    """A rehearsal of a minute or two: everything much smaller, by numbers and not by time."""
    lessons: int = 0
    """Deals bid by the rules (0: as many as there is time for)."""
    steps: int = 0
    """Gradient steps of each of the two networks that learn from them (0: by time)."""
    iterations: int = 0
    """Iterations of self-play, and calls to the accelerator for belief and tricks (0: by time)."""
    deals: Path | None = None
    """Solved deals to be measured on (default: those of a clone, or new ones, solved here)."""
    tricks: Path | None = None
    """A tricks network for self-play on random deals (default: a clone's, or one trained here)."""
    width: int = 0
    """Units in each hidden layer (0: 1024 with an accelerator, 256 without)."""
    workers: int = 0
    """Processes that bid lessons and solve deals (0: one for each core)."""
    ray: str = ""
    """Lessons are bid and deals solved on Ray instead: auto, an address, or local."""
    rival: str = "partner"
    """The network that it must beat at the gate: a shipped one by name, or a file."""
    report: str = "quick"
    """Size of `reproduce qiu2024` at the end: quick, usual, full, or none."""
    save_seconds: float = 60.0
    """The place reached is kept this often."""
    seed: int = 0
    """Everything random comes from this."""
