"""Where a bidding system loses: every call of its rules against what else the hand could have bid.

Deals are bid to the end with the rules on one side and chosen opponents on the other. Wherever the
rules offer the hand another call, or the judge (a network) prefers one, the rest of the auction is
bid again after that call in the same deal. A deal that reaches a position is a world its auction
allows, so the difference in IMPs, averaged over the deals that reach a rule, is what the rule loses
or gains there; `confirmed` races single hands in worlds drawn for them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from overtrick.arena.stats import Estimate, estimate
from overtrick.bidding.kernel import (
    Caller,
    Contracts,
    Held,
    Leaves,
    NetworkCaller,
    Passing,
    Position,
    Race,
    RulesCaller,
    Walk,
    Worlds,
    contracts_of,
    estimate_of,
    log_likelihood,
    system_number,
)
from overtrick.bidding.kernel.callers import Node, Split
from overtrick.bidding.kernel.leaves import ByTable, TrickEstimate
from overtrick.bidding.rules import reading_of
from overtrick.game import Hand, OptionError, ParseError
from overtrick.game.calls import CALLS, strain_of
from overtrick.nets.inference import models, network
from overtrick.notation.solved import SolvedDeals
from overtrick.systems.context import Context
from overtrick.systems.many import members
from overtrick.systems.offers import Option
from overtrick.systems.properties import Silly, silly_calls, stops_below_game
from overtrick.systems.system import System, load
from overtrick.systems.walk import Found

Hands = NDArray[np.uint64]
Tricks = NDArray[np.uint8]
CHUNK: Final = 250  # deals that are bid together
JUDGE: Final = "policy"
_SPECIAL: Final = 10  # the layer of rules written for an auction
_OTHERS: Final = 2  # other calls of the rules that are tried for a hand
_REDEALT: Final = 600  # deals dealt anew for one hand …
_WORLDS: Final = 80  # … of which so many are raced
_DOUBT: Final = 0.01
_LEAST: Final = 20  # cases behind a finding


@dataclass(frozen=True, slots=True)
class Plan:
    """What is audited, against whom, on which deals."""

    system: str
    against: str = "self"
    deals: int = 2000
    seed: int = 0
    judge: str = JUDGE
    solved: str = ""  # a file of solved deals; without it the tricks network values contracts
    start: int = 0  # its first deal
    off: tuple[str, ...] = ()
    without: str = ""  # a convention: the same deals are bid without it, nothing else is asked

    @property
    def chunks(self) -> int:
        return -(-self.deals // CHUNK)

    def size(self, chunk: int) -> int:
        return min(CHUNK, self.deals - chunk * CHUNK)


class Row(NamedTuple):
    """One decision with another call tried: what it gained, and what the hand looked like."""

    rule: str
    auction: str
    call: str
    instead: str
    by: str  # who proposed the other call: "rules" or the judge's name
    gain: float  # IMPs
    hcp: int
    length: int  # in the suit of the other call (of our own call where that names none)
    theirs: int  # length in the opponents' last suit, -1 where there is none
    vulnerable: bool
    hand: str


@dataclass(slots=True)
class Part:
    """What one chunk of deals showed."""

    deals: int = 0
    calls: int = 0
    rows: list[Row] = field(default_factory=list)
    swings: list[float] = field(default_factory=list)  # a deal: with the convention less without
    silly: dict[str, Found] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)  # silly calls by kind
    generic: Counter[str] = field(default_factory=Counter)  # auctions with generic rules only
    fired: Counter[str] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, Any]:
        return {
            **asdict(self), "rows": [list(r) for r in self.rows],
            "silly": {k: asdict(f) for k, f in self.silly.items()},
        }  # fmt: skip

    @classmethod
    def of(cls, data: dict[str, Any]) -> Part:
        return cls(
            int(data["deals"]), int(data["calls"]), [Row(*r) for r in data["rows"]],
            [float(s) for s in data["swings"]],
            {k: Found(**f) for k, f in data["silly"].items()},
            Counter(data["kinds"]), Counter(data["generic"]), Counter(data["fired"]),
        )  # fmt: skip

    def add(self, more: Part) -> None:
        self.deals += more.deals
        self.calls += more.calls
        self.rows += more.rows
        self.swings += more.swings
        self.kinds += more.kinds
        self.generic += more.generic
        self.fired += more.fired
        for key, found in more.silly.items():
            mine = self.silly.setdefault(key, Found())
            mine.add(found.count, found.cases[0] if found.cases else "")


@dataclass(frozen=True, slots=True)
class Doubler:
    """Doubles whatever it can about one time in three, and otherwise passes: the same hand in the
    same auction always does the same. Opponents who make no sense find holes nobody else finds."""

    def _doubles(self, at: Position, hands: Hands) -> NDArray[np.bool_]:
        doubled, ours = 0, True
        for i, call in enumerate(reversed(at.calls)):
            if call >= 3:
                ours = i % 2 == 1
                break
            doubled = max(doubled, call)
        if ours or doubled or not any(c >= 3 for c in at.calls):
            return np.zeros(len(hands), bool)
        mixed = hands * np.uint64(0x9E3779B97F4A7C15) + np.uint64(len(at.calls))
        return np.asarray((mixed >> np.uint64(40)) % np.uint64(3) == 0)

    def chances(self, at: Position, hands: Hands) -> NDArray[np.float64]:
        return np.eye(38)[self._doubles(at, hands).astype(np.int64)]

    def choose(self, nodes: Sequence[Node], held: Held) -> list[Split]:
        out: list[Split] = []
        for at, worlds in nodes:
            rows = held.rows(worlds)
            which = self._doubles(at, held.deals[rows, at.turn])
            split = {1: rows[which], 0: rows[~which]}
            out.append({call: held.set_of(r) for call, r in split.items() if len(r)})
        return out


def opponents(plan: Plan) -> Caller:
    """Who sits against the rules: `self`, `silent`, `doubler`, or a network."""
    if plan.against == "self":
        return RulesCaller(reading_of(plan.system, "", (), plan.off), 1)
    if plan.against == "silent":
        return Passing()
    if plan.against == "doubler":
        return Doubler()
    if plan.against not in models() and not plan.against.endswith(".onnx"):
        known = ", ".join(("self", "silent", "doubler", *models()))
        raise OptionError(f"no opponents called {plan.against!r} ({known})")
    net = network(plan.against, "policy")
    return NetworkCaller(net, system_number("sayc"), system_number(plan.system))


class Watched:
    """The rules' caller that remembers every decision it made."""

    def __init__(self, rules: RulesCaller) -> None:
        self.rules = rules
        self.seen: list[tuple[Position, Context, list[tuple[Option | None, int]]]] = []

    def chances(self, at: Position, hands: Hands) -> NDArray[np.float64]:
        return self.rules.chances(at, hands)

    def choose(self, nodes: Sequence[Node], held: Held) -> list[Split]:
        pool = held.pool(nodes[0][0].turn)
        for at, worlds in nodes:
            ctx = self.rules.context(at)
            chosen = list(pool.chosen(self.rules.reading, ctx, worlds))
            self.seen.append((at, ctx, chosen))
        return self.rules.choose(nodes, held)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Tricks that a file of solved deals tells."""

    tricks: Tricks
    name: str = "solved"

    def table(self, hands: Hands) -> NDArray[np.float64]:
        return np.eye(14)[self.tricks]


@lru_cache(maxsize=2)
def _solved(path: str) -> SolvedDeals:
    return SolvedDeals.load(Path(path))


def _deals(plan: Plan, chunk: int) -> tuple[Hands, TrickEstimate]:
    count = plan.size(chunk)
    if plan.solved:
        file = _solved(plan.solved)
        first = plan.start + chunk * CHUNK
        if first + count > len(file):
            raise OptionError(f"{plan.solved} has {len(file)} deals, not {plan.start + plan.deals}")
        rows = slice(first, first + count)
        part = SolvedDeals(file.owners[rows], file.tricks[rows])
        return part.hands, ByTable(_Known(part.tricks))
    rng = np.random.default_rng([plan.seed, chunk])
    cards = np.argsort(rng.random((count, 52)), axis=1).astype(np.uint64)
    bits = np.uint64(1) << cards.reshape(count, 4, 13)
    return np.bitwise_or.reduce(bits, axis=2), estimate_of("tricks")


class _Table:
    """One chunk of deals with the rules on one side."""

    def __init__(self, plan: Plan, chunk: int, side: int) -> None:
        deals, estimate = _deals(plan, chunk)
        self.plan, self.side = plan, side
        self.start = Position((), chunk & 3, chunk >> 2 & 3)
        self.held = Held(deals)
        self.leaves = Leaves(estimate, deals, self.start.vul, side)
        self.rules = RulesCaller(reading_of(plan.system, "", (), plan.off))
        self.others = opponents(plan)

    def callers(self, ours: Caller) -> list[Caller]:
        return [ours if seat & 1 == self.side else self.others for seat in range(4)]

    def bid(self, ours: Caller) -> tuple[Contracts, list[tuple[Position, int]]]:
        """All deals to the end: the contract of each, and the auctions."""
        walk = Walk(self.held, self.callers(ours))
        ends = walk.endings([(self.start, self.held.every)])
        return contracts_of([ends], self.held), [(e.at, e.worlds) for e in ends]


def audit_chunk(plan: Plan, chunk: int) -> Part:
    """Bid one chunk of deals, the rules in both directions, and try what else could be bid."""
    out = Part(deals=plan.size(chunk))
    tables = [_Table(plan, chunk, side) for side in (0, 1)]
    if plan.without:
        out.swings = [a + b for a, b in zip(*map(_paired, tables), strict=True)]
        return out
    for table in tables:
        _audit_side(table, out)
    return out


def _paired(table: _Table) -> list[float]:
    """IMPs of each deal with the convention against without it."""
    plan = table.plan
    bare = RulesCaller(reading_of(plan.system, "", (), (*plan.off, plan.without)))
    off, _ = table.bid(bare)
    on, _ = table.bid(table.rules)
    return [float(v) for v in table.leaves.values(off.beside(on))[:, 1]]


def _audit_side(table: _Table, out: Part) -> None:
    watched = Watched(table.rules)
    reached, auctions = table.bid(watched)
    reading = table.rules.reading
    for at, worlds in auctions:
        ctx = table.rules.context(at)
        if stops_below_game(ctx) and (at.contract[1] & 1) == table.side:
            _silly(out, Silly.BELOW_GAME, "", at, worlds, table)
    tried: dict[int, dict[tuple[Position, int], int]] = defaultdict(dict)  # by length
    who: dict[tuple[Position, int], list[tuple[Option, int, str]]] = defaultdict(list)
    for at, ctx, chosen in watched.seen:
        pool = table.held.pool(at.turn)
        out.calls += sum(hands.bit_count() for _, hands in chosen)
        for kind, option, hands in silly_calls(reading, ctx, pool, chosen):
            _silly(out, kind, option.rule.id if option else "", at, hands, table)
        if not any(o.rule.layer >= _SPECIAL for o in reading.options(ctx)):
            out.generic[_text(at)] += sum(hands.bit_count() for _, hands in chosen)
        for option, hands in chosen:
            if option is None:
                continue
            out.fired[option.rule.id] += hands.bit_count()
            for call, some, by in _others(table, at, ctx, option, hands):
                key = (at, call)
                tried[len(at.calls)][key] = tried[len(at.calls)].get(key, 0) | some
                who[key].append((option, some, by))
    for keys in tried.values():
        _try(table, keys, who, reached, out)


def _others(
    table: _Table, at: Position, ctx: Context, option: Option, hands: int
) -> Iterator[tuple[int, int, str]]:
    """Other calls for hands that chose an option: those the rules also allow, and the judge's."""
    pool = table.held.pool(at.turn)
    reading, left, found = table.rules.reading, hands, 0
    for other in reading.options(ctx):
        if other.call == option.call or not left:
            continue
        some = left & pool.satisfying(other.items)
        if some:
            yield other.call, some, "rules"
            found += 1
            left ^= some
            if found == _OTHERS:
                break
    if table.plan.judge:
        system = system_number(table.plan.system)
        judge = NetworkCaller(network(table.plan.judge, "policy"), system, system_number("sayc"))
        for call, some in judge.choose([(at, hands)], table.held)[0].items():
            if call != option.call and not (call == 0 and ctx.must_bid):
                yield call, some, table.plan.judge


def _try(
    table: _Table,
    keys: dict[tuple[Position, int], int],
    who: dict[tuple[Position, int], list[tuple[Option, int, str]]],
    reached: Contracts,
    out: Part,
) -> None:
    """Bid on after each of these calls and note what it gained for every hand that tried it."""
    length = len(next(iter(keys))[0].calls)
    walk = Walk(table.held, table.callers(table.rules))
    ends: dict[tuple[tuple[int, ...], int], list[Any]] = defaultdict(list)
    for ending in walk.endings([(at.then(call), worlds) for (at, call), worlds in keys.items()]):
        ends[ending.at.calls[:length], ending.at.calls[length]].append(ending)
    for (at, call), worlds in keys.items():
        rows = table.held.rows(worlds)
        there = contracts_of([ends[at.calls, call]], table.held)
        both = reached.beside(there).taken(rows)
        gains = dict(zip(rows.tolist(), table.leaves.values(both, rows)[:, 1], strict=True))
        for option, hands, by in who[at, call]:
            for i in members(hands):
                out.rows.append(_row(table, at, option, call, by, i, float(gains[i])))


def _row(
    table: _Table, at: Position, option: Option, call: int, by: str, i: int, gain: float
) -> Row:  # fmt: skip
    values = table.held.pool(at.turn).values(i).hand
    suit = strain_of(call) if 0 <= strain_of(call) < 4 else strain_of(option.call)
    last = next((c for c in reversed(at.calls) if c >= 3), 0)
    over = strain_of(last)
    lengths = [int(values.look("length", s)) for s in range(4)]
    return Row(
        f"{option.rule.id} “{option.words}”", _text(at), CALLS[option.call].ascii,
        CALLS[call].ascii, by, round(gain, 2),
        sum(int(values.look(h, s)) * n for s in range(4) for h, n in _HIGH),
        lengths[suit] if 0 <= suit < 4 else -1, lengths[over] if 0 <= over < 4 else -1,
        bool(at.vul >> (at.turn & 1) & 1), str(Hand(int(table.held.deals[i, at.turn]))),
    )  # fmt: skip


_HIGH: Final = (("ace", 4), ("king", 3), ("queen", 2), ("jack", 1))


def _silly(out: Part, kind: Silly, by: str, at: Position, worlds: int, table: _Table) -> None:
    out.kinds[kind] += worlds.bit_count()
    first = next(members(worlds))
    hand = "" if at.is_over else str(Hand(int(table.held.deals[first, at.turn])))
    key = f"{kind}: {by or 'no rule'} after {_text(at)}"
    out.silly.setdefault(key, Found()).add(worlds.bit_count(), hand)


def _text(at: Position) -> str:
    """The auction from its first bid, the other side's calls in brackets, as rule files write."""
    calls = list(at.calls)
    first = next((i for i, c in enumerate(calls) if c), len(calls))
    mine = len(calls) & 1
    return " ".join(
        CALLS[c].ascii if i & 1 == mine else f"({CALLS[c].ascii})"
        for i, c in enumerate(calls) if i >= first
    ) or "opening"  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule (or an auction) and another call: what it would gain a deal, and for which hands."""

    what: str
    call: str
    instead: str
    cases: int
    gain: Estimate  # IMPs a case
    a_deal: float  # IMPs a deal
    error: float
    hands: str  # which of them want it, in words
    examples: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "what": self.what, "call": self.call, "instead": self.instead, "cases": self.cases,
            "imps_a_case": self.gain.mean, "imps_a_deal": self.a_deal, "error": self.error,
            "hands": self.hands, "examples": [r._asdict() for r in self.examples],
        }  # fmt: skip


def findings(
    part: Part, key: Callable[[Row], tuple[str, str, str]], shown: int = 3
) -> list[Finding]:
    """The groups of decisions that lose most a deal, surest first."""
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in part.rows:
        groups[key(row)].append(row)
    out = []
    for (what, call, instead), rows in groups.items():
        if len(rows) < _LEAST:
            continue
        share = len(rows) / max(1, part.deals)
        found = estimate([r.gain for r in rows])
        best = sorted(rows, key=lambda r: -r.gain)[:shown]
        out.append(
            Finding(
                what, call, instead, len(rows), found, found.mean * share, found.error * share,
                _who_wants_it(rows), tuple(best),
            )
        )  # fmt: skip
    return sorted(out, key=lambda f: f.error - f.a_deal)


def by_rule(row: Row) -> tuple[str, str, str]:
    """Another call of the rules' kind: pass, double, a bid."""
    return row.rule, row.call, _kind(row.instead)


def by_auction(row: Row) -> tuple[str, str, str]:
    return row.auction, row.call, row.instead


def _kind(call: str) -> str:
    return call if call in ("Pass", "X", "XX", "P") else "a bid"


_SIDES: Final = (("hcp", "{} or more points"), ("length", "{} or more cards in the suit"),
                 ("theirs", "{} or more cards in their suit"))  # fmt: skip


def _who_wants_it(rows: Sequence[Row]) -> str:
    """The one split by points or lengths after which one side gains most, in words."""
    gains = np.array([r.gain for r in rows])
    best, words = gains.mean() if len(gains) else 0.0, "all of them"
    for name, text in _SIDES:
        values = np.array([getattr(r, name) for r in rows])
        for cut in np.unique(values)[1:]:
            for side, said in ((values >= cut, text), (values < cut, "fewer than " + text)):
                if side.sum() >= max(10, len(rows) // 5) and gains[side].mean() > best + 0.2:
                    best = float(gains[side].mean())
                    words = said.format(int(cut)).replace("fewer than ", "not ")
                    words += f" ({best:+.1f} in {int(side.sum())})"
    return words


def confirmed(plan: Plan, row: Row, seed: int = 0) -> tuple[float, float, int] | None:
    """The race of one hand: the other call against the rules', in worlds its auction allows.

    The other three hands are dealt anew and weighted by how likely their calls are; None where the
    auction does not come from this plan's deals.
    """
    from overtrick.game import Auction, Seat

    words = row.auction.replace("(", "").replace(")", "") if row.auction != "opening" else ""
    calls = tuple(int(c) for c in Auction.parse(words, Seat.NORTH).calls)
    at = Position(calls, 0, 0 if not row.vulnerable else 3)
    hand = Hand.parse(row.hand, size=13).bits
    rng = np.random.default_rng([seed, hand & 0xFFFFFFFF])
    deals = _redealt(hand, at.turn, _REDEALT, rng)
    rules = RulesCaller(reading_of(plan.system, "", (), plan.off))
    other = opponents(plan)
    callers = [rules if seat & 1 == at.turn & 1 else other for seat in range(4)]
    others = [s for s in range(4) if s != at.turn]
    logs = log_likelihood(
        callers, at, deals, np.zeros(len(deals)), seats=others, doubt=_DOUBT, least=_WORLDS
    )
    alive = np.flatnonzero(np.isfinite(logs))
    if not len(alive):
        return None
    worlds = Worlds(deals[alive], logs[alive]).resampled(_WORLDS, rng)
    ways = [int(_call(row.call)), int(_call(row.instead))]
    contracts, _ = Walk(Held(worlds.deals), callers).after(at, ways)
    race = Race(ways)
    leaves = Leaves(estimate_of("tricks"), worlds.deals, at.vul, at.turn & 1)
    race.add(worlds, leaves.values(contracts))
    gain, error = race.gain(1)
    return gain, error, len(worlds)


def _call(text: str) -> int:
    return next(int(c) for c in CALLS if c.ascii == text)


def _redealt(hand: int, seat: int, count: int, rng: np.random.Generator) -> Hands:
    rest = np.array([c for c in range(52) if not hand >> c & 1], np.uint64)
    cards = rest[np.argsort(rng.random((count, 39)), axis=1)]
    held = np.bitwise_or.reduce(np.uint64(1) << cards.reshape(count, 3, 13), axis=2)
    return np.insert(held, seat, np.uint64(hand), axis=1)


@dataclass(frozen=True, slots=True)
class Audit:
    """A whole audit: the plan, what was seen, and what never was."""

    plan: Plan
    part: Part
    unused: tuple[str, ...]  # rules that no call came from

    @property
    def swing(self) -> Estimate | None:
        """What the convention of `without` gains a deal, both directions together."""
        return estimate(self.part.swings) if self.part.swings else None

    def rate(self, kind: Silly) -> float:
        """How many calls in a hundred are silly in this way, as a share."""
        return self.part.kinds[kind] / max(1, self.part.calls)

    def worst(self, most: int) -> list[Finding]:
        """The rules that lose most, surest first."""
        return findings(self.part, by_rule)[:most] if most else []

    def to_dict(self, most: int = 200) -> dict[str, Any]:
        part, swing = self.part, self.swing
        found: dict[str, Any] = {
            "plan": asdict(self.plan), "deals": part.deals, "calls": part.calls,
            "silly": {str(k): part.kinds[k] for k in Silly},
            "silly_cases": _counted(part.silly, most),
            "generic_only": part.generic.most_common(most), "unused": list(self.unused),
            "rules": [f.to_dict() for f in findings(part, by_rule)[:most]],
            "auctions": [f.to_dict() for f in findings(part, by_auction)[:most]],
        }  # fmt: skip
        if swing is not None:
            found["without"] = {"imps_a_deal": swing.mean, "error": swing.error}
        return found


def _counted(found: dict[str, Found], most: int) -> list[dict[str, Any]]:
    rows = sorted(found.items(), key=lambda pair: -pair[1].count)[:most]
    return [{"what": k, "count": f.count, "cases": f.cases} for k, f in rows]


def audit(
    plan: Plan,
    *,
    jobs: int = 1,
    state: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Audit a system. With `state`, finished chunks are kept there and not bid again."""
    opponents(plan)  # fail now
    whole = Part()
    done = _kept(state, plan)
    for part in done.values():
        whole.add(part)
    left = [c for c in range(plan.chunks) if c not in done]
    finished = len(done)
    for chunk, part in _parts(plan, left, jobs):
        whole.add(part)
        if state is not None:
            _keep(state, plan, chunk, part)
        finished += 1
        if progress is not None:
            progress(min(plan.deals, finished * CHUNK), plan.deals)
    return Audit(plan, whole, _unused(load(plan.system, (), plan.off), whole))


def _parts(plan: Plan, chunks: Sequence[int], jobs: int) -> Iterator[tuple[int, Part]]:
    if jobs < 2 or len(chunks) < 2:
        yield from ((c, audit_chunk(plan, c)) for c in chunks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from zip(chunks, pool.map(audit_chunk, [plan] * len(chunks), chunks), strict=True)


def _unused(system: System, part: Part) -> tuple[str, ...]:
    return tuple(
        f"{r.place}: {r.text.call} “{r.words}”" for r in system.rules() if not part.fired[r.id]
    )


def _head(plan: Plan) -> str:
    """Kept chunks count for the same question on any number of deals, and the same rules."""
    import hashlib

    system = load(plan.system, (), plan.off)
    text = repr([(f.name, f.blocks) for f in system.files.values()]) + repr(system.switches)
    asked = asdict(replace(plan, deals=0))
    return json.dumps({**asked, "rules": hashlib.sha256(text.encode()).hexdigest()[:16]})


def _keep(path: Path, plan: Plan, chunk: int, part: Part) -> None:
    """One line for each whole chunk; a line cut off by a crash is left out when read."""
    if part.deals < CHUNK:
        return
    fresh = not path.exists()
    with path.open("a", encoding="utf-8") as file:
        if fresh:
            file.write(_head(plan) + "\n")
        file.write(json.dumps([chunk, part.to_dict()]) + "\n")


def _kept(path: Path | None, plan: Plan) -> dict[int, Part]:
    if path is None or not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or json.loads(lines[0]) != json.loads(_head(plan)):
        raise ParseError(f"{path} is the state of another audit or other rules; name a new file")
    out: dict[int, Part] = {}
    for line in lines[1:]:
        try:
            chunk, data = json.loads(line)
            out[int(chunk)] = Part.of(data)
        except (ValueError, KeyError, TypeError):
            continue
    return {c: p for c, p in out.items() if plan.size(c) == CHUNK and c < plan.chunks}
