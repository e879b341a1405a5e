"""Co-training (section 4.3): two agents refine their nets at the same time and exchange them.
A folder holds all state, so a run goes on.

North deals and the opponents pass, so North and South never meet the same situation: each refines
the nets of its own turns, and what both have learned is one file for a partnership. If the
opponents bid (`theirs`), both may meet `after (1H)`; then South's net is the partnership's.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from overtrick.bidding.kernel.leaves import utility_of
from overtrick.bidding.kernel.walk import Own
from overtrick.bidding.pidm.models import SILENT, PlayerModel
from overtrick.systems.refined import AuctionKey, RefinedNet, Refinements, read_refinements
from overtrick_lab.papers.amit2006.problems import Hands, deals, pair_player
from overtrick_lab.papers.amit2006.refine import Learner, RefineLimits, refine_net
from overtrick_lab.papers.amit2006.states import (
    InformativeState,
    NetTask,
    beginnings,
    begun,
    bid_deals,
    rank_nets,
    spread,
)
from overtrick_lab.papers.amit2006.tagging import Heard, TagBudget, tag_states
from overtrick_lab.papers.workforce import Workforce

AGENTS: Final = ("north", "south")
BOOK: Final = "book"
"""The rules in the folder of this name beside this file. They are not the library's and do not
change with it, so what was once measured with them stays true."""
SEATS: Final = {"north": 0, "south": 2}
_PART: Final = 2000  # deals of one job: cut alike on every machine, so that all learn the same


@dataclass(frozen=True, slots=True)
class CotrainSettings:
    """Two partners learn which of the calls their system allows is best."""

    system: str = BOOK
    """The bidding system whose choices are to be settled: ours, one of the library, a folder."""
    theirs: str = SILENT
    """What the opponents play: `pass` (the paper), or a system by whose rules they bid."""
    near: int = 5000
    """How far below the best rule another rule may be for its call to be considered."""
    slack: int = 3
    """Calls a hand misses by this many points are considered too."""
    utility: str = "ltc"
    """What North wants: ltc, total, dd or tricks, perhaps with /imps, /points, /matchpoints."""
    partner_utility: str = ""
    """What South wants; empty: the same."""
    exchange: bool = True
    """Exchange nets after every round; otherwise only at the end."""
    nets: int = 100
    """Nets refined in one sweep by both agents together …"""
    sweeps: int = 3
    """… so many times: later sweeps tag anew with what has been learned meanwhile."""
    per_round: int = 16
    """Nets between two exchanges, both agents together."""
    examples: int = 150
    """Tagged states a net in the first sweep …"""
    growth: float = 1.3
    """… and so many times as many in every later one, when less is left to find …"""
    most: int = 1000
    """… up to this many."""
    worlds: int = 80
    """Worlds a tag (the paper: 10 within 5 seconds)."""
    instances: int = 8000
    """Sampled instances a tag at most."""
    turns: int = 0
    """Own later turns at which a tag compares calls again (0: first choices at once), …"""
    own: Own = "set"
    """… on average over what cannot be told apart then (set), or world by world (world)."""
    heard: Heard = "net"
    """What partner's calls say: they are in partner's net (the paper), or its first choice."""
    learner: Learner = "preferences"
    """How tags become nets: one order of preference, or the paper's trees on intersection nodes."""
    margin: float = 0.0
    """Standard errors by which learned lines must beat the calls of the rules (0: the paper)."""
    deals: int = 6000
    """Random deals from which a round takes its states."""
    wander: float = 0.15
    """How often an auction leaves the first choices while states are collected."""
    least: int = 12
    """States a net must have been met in before it is refined."""
    only: str = ""
    """Restrict learning to situations behind these calls of ours, for instance `1H 2H,1S 2S`."""
    minutes: float = 0.0
    """Stop after so many minutes of this call; 0: when the sweeps are done."""
    seed: int = 0


@dataclass(slots=True)
class CotrainProgress:
    """Where a run stands; written after every round."""

    sweep: int = 0
    rounds: int = 0
    refined: int = 0
    seconds: float = 0.0
    done: list[str] = field(default_factory=list)
    """Situations refined in this sweep, as agents know them: `north: after 1H`."""


@dataclass(frozen=True, slots=True)
class CollectJob:
    settings: CotrainSettings
    nets: tuple[str, str]
    count: int
    seed: int


@dataclass(frozen=True, slots=True)
class NetJob:
    """One net to refine: whose, what both know of each other's nets, and the states to tag."""

    settings: CotrainSettings
    agent: str
    nets: tuple[str, str]
    key: AuctionKey
    states: tuple[InformativeState, ...]
    seed: int


@lru_cache(maxsize=64)
def _read(text: str) -> Refinements | None:
    return read_refinements(text) if text else None


@lru_cache(maxsize=64)
def players_of(
    settings: CotrainSettings, nets: tuple[str, str], told: bool = True
) -> tuple[PlayerModel, PlayerModel]:
    """North and South with these nets, each with the other as its model of partner.

    Who is not `told` thinks that partner wants the same (Figure 16).
    """
    base = PlayerModel(rules_of(settings.system), near=settings.near, slack=settings.slack)
    wants = (settings.utility, settings.partner_utility or settings.utility)
    one, two = (
        replace(base, utility=utility_of(want), refinement=_read(text))
        for want, text in zip(wants, nets, strict=True)
    )
    theirs = settings.theirs
    if told:
        return pair_player(one, two, theirs), pair_player(two, one, theirs)
    return (
        pair_player(one, replace(two, utility=one.utility), theirs),
        pair_player(two, replace(one, utility=two.utility), theirs),
    )


def rules_of(system: str) -> str:
    """What `PlayerModel` calls a system: its name, or the folder of our own rules."""
    return str(files("overtrick_lab.papers.amit2006") / BOOK) if system == BOOK else system


def four(pair: tuple[PlayerModel, PlayerModel]) -> list[PlayerModel]:
    """The whole table of a challenge."""
    north, south = pair
    return [north, north.other(1), south, north.other(3)]


def collect(job: CollectJob) -> list[InformativeState]:
    """States in which the nets before learning leave a choice, met as both agents bid now."""
    table = four(players_of(job.settings, job.nets))
    before = four(players_of(job.settings, ("", "")))
    rng = np.random.default_rng(job.seed)
    out: list[InformativeState] = []
    for start, many in training_deals(job.settings, job.count, job.seed):
        met = bid_deals(table, many, nets=before, start=start, wander=job.settings.wander, rng=rng)
        out += met.states
    return out


def training_deals(
    settings: CotrainSettings, count: int, seed: int
) -> list[tuple[tuple[int, ...], Hands]]:
    """Random deals, or with `only` about as many that begin that way by the rules, with how."""
    if not settings.only:
        return [((), deals(count, seed, settings.theirs != SILENT))]
    table = four(players_of(settings, ("", "")))
    starts = beginnings(settings.only)
    kept: dict[tuple[int, ...], list[Hands]] = {s: [] for s in starts}
    found, attempt = 0, 0
    while found < count and attempt < 50:
        many = deals(8 * count, seed + 7919 * attempt)
        for start in starts:
            kept[start].append(many[begun(table, many, start)])
            found += len(kept[start][-1])
        attempt += 1
    return [(s, np.concatenate(k)) for s, k in kept.items() if sum(map(len, k))]


def learn_net(job: NetJob) -> tuple[str, str, float]:
    """Tag the states of one net and refine it: agent, the net as text, seconds."""
    began = perf_counter()
    s = job.settings
    player = players_of(s, job.nets)[AGENTS.index(job.agent)]
    tagged = tag_states(
        player, job.states, TagBudget(s.worlds, s.instances, s.turns, s.own, s.heard), job.seed
    )
    net = refine_net(job.key, tagged, RefineLimits(margin=s.margin, learner=s.learner))
    text = Refinements(s.system, "", {net.key: net}).text()
    return job.agent, text, perf_counter() - began


class Cotraining:
    """A run in a folder: `north.bid`, `south.bid`, `state.json`, `log.jsonl`."""

    def __init__(self, settings: CotrainSettings, folder: Path) -> None:
        self.settings, self.folder = settings, folder
        self.nets = {a: Refinements(settings.system, f"{a}, co-trained") for a in AGENTS}
        self.progress = CotrainProgress()
        if (folder / "state.json").exists():
            kept = json.loads((folder / "state.json").read_text(encoding="utf-8"))
            self.progress = CotrainProgress(**kept["progress"])
            for agent in AGENTS:
                text = (folder / f"{agent}.bid").read_text(encoding="utf-8")
                self.nets[agent] = read_refinements(text, f"{agent}.bid")

    def known(self, agent: str) -> tuple[str, str]:
        """North's and South's nets as this agent knows them now."""
        texts = tuple(
            self.nets[a].text() if a == agent or self.settings.exchange else "" for a in AGENTS
        )
        return texts[0], texts[1]

    @property
    def finished(self) -> bool:
        return self.progress.sweep >= self.settings.sweeps

    def round(self, workers: Workforce) -> dict[str, Any]:
        """Collect states, choose each agent's dearest nets, refine them, exchange, write down."""
        began = perf_counter()
        rng = np.random.default_rng([self.settings.seed, self.progress.rounds])
        met: dict[tuple[str, str], list[InformativeState]] = {}
        for known in map(self.known, AGENTS):
            if known not in met:  # with exchange both know the same, and meet the same states
                met[known] = self._collect(known, workers, rng)
        jobs = [j for agent in AGENTS for j in self._jobs(agent, met[self.known(agent)], rng)]
        found = workers.map(learn_net, jobs)
        for agent, text, _ in found:
            net = next(iter(read_refinements(text).nets.values()))
            self.nets[agent] = self.nets[agent].with_net(net)
            self.progress.done.append(f"{agent}: {net.key.words()}")
        self.progress.refined += len(found)
        self.progress.rounds += 1
        self.progress.seconds += perf_counter() - began
        entry = {
            "round": self.progress.rounds, "sweep": self.progress.sweep,
            "refined": self.progress.refined, "nets": [len(self.nets[a]) for a in AGENTS],
            "job_seconds": round(sum(t for *_, t in found), 1),
            "seconds": round(self.progress.seconds, 1),
            "learned": self.progress.done[-len(found) :] if found else [],
        }  # fmt: skip
        if not found or len(self.progress.done) >= self.settings.nets:
            self.progress.sweep += 1
            self.progress.done = []
        self._write(entry)
        return entry

    @property
    def effort(self) -> float:
        """How many times as large this sweep's samples are as those of the first."""
        s = self.settings
        return float(min(s.growth**self.progress.sweep, max(s.most / s.examples, 1)))

    def _collect(
        self, known: tuple[str, str], workers: Workforce, rng: np.random.Generator
    ) -> list[InformativeState]:
        s = self.settings
        count = int(s.deals * min(self.effort, 3.0))
        parts = max(1, count // _PART)
        tasks = [
            CollectJob(s, known, count // parts, int(rng.integers(2**31))) for _ in range(parts)
        ]
        return [state for part in workers.map(collect, tasks) for state in part]

    def _jobs(
        self, agent: str, states: list[InformativeState], rng: np.random.Generator
    ) -> list[NetJob]:
        s = self.settings
        mine = [x for x in states if x.position.turn == SEATS[agent]]
        done = set(self.progress.done)
        left = [k for k in {x.key for x in mine} if f"{agent}: {k.words()}" in done]
        ranked: list[NetTask] = rank_nets(mine, s.least, left)[: max(1, s.per_round // 2)]
        examples = round(s.examples * self.effort)
        return [
            NetJob(s, agent, self.known(agent), t.key, tuple(spread(t, examples, rng)),
                   int(rng.integers(2**31)))
            for t in ranked
        ]  # fmt: skip

    def _write(self, entry: dict[str, Any]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for agent in AGENTS:
            _whole(self.folder / f"{agent}.bid", self.nets[agent].text())
        _whole(self.folder / "learned.bid", self.partnership().text())
        kept = {"progress": asdict(self.progress), "settings": asdict(self.settings)}
        _whole(self.folder / "state.json", json.dumps(kept))
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")

    def partnership(self) -> Refinements:
        """What both have learned, as one file."""
        nets: dict[AuctionKey, RefinedNet] = {}
        for agent in AGENTS:
            nets.update(self.nets[agent].nets)
        title = f"{self.progress.refined} nets refined, seed {self.settings.seed}"
        return Refinements(
            self.settings.system, title, nets, (self.settings.near, self.settings.slack)
        )


def _whole(path: Path, text: str) -> None:
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
