"""Checks a system: examples, gaps, unreachable sets, ties, impossible meanings, broken promises.
A system that fails still loads."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final

from overtrick.game import Auction, Call, Hand, Seat, Vulnerability
from overtrick.game.calls import CALLS
from overtrick.game.errors import BridgeError, ParseError
from overtrick.systems.explain import random_hands
from overtrick.systems.many import Pool
from overtrick.systems.meanings import option_constraint, turned_vul
from overtrick.systems.reading import OfferedCall, Reading
from overtrick.systems.shows import HandValues
from overtrick.systems.syntax import Example
from overtrick.systems.system import Rule, ShowsRule, System
from overtrick.systems.walk import CountedCases, Tie, WalkTally, deal_pools, survey, walk

_CHUNK: Final = 10_000  # deals that are bid together
_SURVEYED: Final = 20_000  # random hands tried in every auction that rules are written for


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """An example of a rule file and what the system bid."""

    example: Example
    bid: str
    rule: str
    problem: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


def run_example(reading: Reading, example: Example) -> ExampleResult:
    """Bid one example; `problem` is empty when the system finds the call."""
    try:
        hand = Hand.parse(example.hand, size=13)
        auction = Auction.parse(with_passes(example.auction), Seat.NORTH)
        vul = Vulnerability.parse(example.vul)
        wanted = Call.parse(example.call)
    except BridgeError as error:
        return ExampleResult(example, "", "", f"{example.place}: {error}")
    calls = tuple(int(c) for c in auction.calls)
    ctx = reading.context(calls, turned_vul(vul, auction.dealer), 0)
    option = reading.choose(ctx, HandValues(hand.bits))
    bid = CALLS[option.call] if option else CALLS[0]
    problem = ""
    if bid != wanted:
        rule = option.rule.id if option else "no rule"
        problem = f"{example.place}: {example.hand} bids {bid.ascii} ({rule}), not {wanted.ascii}"
    return ExampleResult(example, bid.ascii, option.rule.id if option else "", problem)


def with_passes(text: str) -> str:
    """Brackets mark opponents; where two calls of one side meet, a pass is missing."""
    words, ours = [], None
    for word in text.split():
        theirs = word.startswith("(")
        if "(" in text and ours is not None and ours is not theirs:
            words.append("P")
        words.append(word.strip("()"))
        ours = not theirs
    if "(" in text and ours:
        words.append("P")
    return " ".join(words)


def run_examples(system: System) -> list[ExampleResult]:
    """All examples; those of another system's file only where its hand bids so far as they say."""
    reading, own = Reading(system), {file.name for file in system.own}
    return [
        run_example(reading, e)
        for e in system.examples()
        if e.place.file in own or _comes_so_far(reading, e)
    ]


def _comes_so_far(reading: Reading, example: Example) -> bool:
    """Would this hand have made its earlier calls?"""
    try:
        hand = HandValues(Hand.parse(example.hand, size=13).bits)
        calls = tuple(int(c) for c in Auction.parse(with_passes(example.auction), Seat.NORTH).calls)
    except BridgeError:
        return True  # `run_example` says what is wrong
    vul = turned_vul(Vulnerability.parse(example.vul), Seat.NORTH)
    for at in range(len(calls) % 4, len(calls), 4):
        option = reading.choose(reading.context(calls[:at], vul, 0), hand)
        if option is None or option.call != calls[at]:
            return False
    return True


@dataclass(slots=True)
class LintReport:
    """What lint found; `walked` self-bid deals stand behind the counts."""

    system: str = ""
    walked: int = 0
    calls: int = 0
    seconds: float = 0.0
    fired: Counter[str] = field(default_factory=Counter)
    gaps: dict[str, CountedCases] = field(default_factory=dict)
    ties: dict[Tie, CountedCases] = field(default_factory=dict)
    inconsistent: dict[str, CountedCases] = field(default_factory=dict)
    holes: list[str] = field(default_factory=list)  # hands that written auctions have no set for
    forcing_passed: dict[str, CountedCases] = field(default_factory=dict)
    below_game: dict[str, CountedCases] = field(default_factory=dict)
    silly: dict[str, CountedCases] = field(
        default_factory=dict
    )  # other silly calls (see `properties`)
    unreachable: list[str] = field(default_factory=list)  # the auction never offers them
    unsatisfied: list[str] = field(default_factory=list)  # offered, but no hand fits
    beaten: list[str] = field(default_factory=list)  # hands fit, but better sets take them all
    rare: list[str] = field(default_factory=list)  # did not come up, but a hand can reach them
    impossible: list[str] = field(default_factory=list)
    untested: list[str] = field(default_factory=list)  # conventions without an example hand
    examples: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def named(self) -> float:
        """The share of calls that a rule stands behind."""
        return 1 - _total(self.gaps) / max(1, self.calls)

    @property
    def consistent(self) -> float:
        """The share of calls whose maker holds what the call shows."""
        return 1 - (_total(self.inconsistent) + _total(self.gaps)) / max(1, self.calls)

    @property
    def is_clean(self) -> bool:
        broken = self.forcing_passed or self.below_game
        return not (self.impossible or self.examples or self.warnings or broken)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for `--json`; everything, the commonest first."""
        out: dict[str, Any] = {
            "system": self.system, "deals": self.walked, "calls": self.calls,
            "seconds": round(self.seconds, 1), "named": self.named, "consistent": self.consistent,
            "clean": self.is_clean,
        }  # fmt: skip
        for name in _COUNTED:
            rows = most(getattr(self, name))
            out[name] = [{"what": k, "count": f.count, "cases": f.cases} for k, f in rows]
        out["ties"] = [
            {**tie._asdict(), "count": f.count, "cases": f.cases} for tie, f in most(self.ties)
        ]
        for name in (
            "holes", "unreachable", "unsatisfied", "beaten", "rare", "impossible", "untested",
            "examples",
        ):  # fmt: skip
            out[name] = getattr(self, name)
        return {**out, "warnings": self.warnings}

    def sections(self) -> Iterator[tuple[str, list[str]]]:
        """Titles with one line for each finding, gravest first."""
        yield "examples that bid something else", self.examples
        yield "warnings", self.warnings
        yield "conventions without an example hand", self.untested
        yield "meanings no hand satisfies", self.impossible
        yield "passes of forcing calls", _lines(self.forcing_passed)
        yield "stops below game after a game force", _lines(self.below_game)
        yield "other silly calls", _lines(self.silly)
        yield "gaps: no rule fits", _lines(self.gaps)
        ties = [
            f"{f.count}× @{t.priority} {t.first} before {t.second}, by {t.by}: {'; '.join(f.cases)}"
            for t, f in most(self.ties)
        ]
        yield "equal priority, different calls, same hands", ties
        yield "calls whose maker does not hold what they show", _lines(self.inconsistent)
        yield "hands that written auctions have no set for (of random hands)", self.holes
        yield "sets that no auction offers", self.unreachable
        yield "sets that no hand satisfies where they are offered", self.unsatisfied
        yield "sets whose hands better sets always take", self.beaten
        yield "sets that did not come up in these deals, but can", self.rare


def most(found: dict[Any, CountedCases]) -> list[tuple[Any, CountedCases]]:
    """The commonest first."""
    return sorted(found.items(), key=lambda pair: -pair[1].count)


def _lines(found: dict[Any, CountedCases]) -> list[str]:
    return [f"{f.count}× {key}" + (f": {'; '.join(f.cases)}" if any(f.cases) else "")
            for key, f in most(found)]  # fmt: skip


def _total(found: dict[Any, CountedCases]) -> int:
    return sum(f.count for f in found.values())


def lint(
    system: System, deals: int = 2000, seed: int = 0,
    progress: Callable[[int], None] | None = None, *,
    minutes: float = 0.0, state: Path | None = None, surveyed: int = _SURVEYED,
) -> LintReport:  # fmt: skip
    """Walk self-bid deals and the written auctions, and list what is wrong or never used.

    `minutes` bounds the walk (0: no bound); with `state`, what was seen is kept in that file after
    every 10,000 deals, and a later call with the same system, rules and seed goes on from there.
    """
    started = time.monotonic()
    reading, tally = Reading(system), _resumed(state, system, seed)
    while tally.deals < deals:
        chunk = tally.deals // _CHUNK
        count = min(_CHUNK, deals - tally.deals)
        walk(reading, deal_pools(count, seed * 1_000_003 + chunk), chunk & 3, tally)
        if state is not None and count == _CHUNK:
            _keep(state, system, seed, tally)
        if progress is not None:
            progress(tally.deals)
        if minutes and time.monotonic() - started > 60 * minutes:
            break
    report = LintReport(
        system.name, tally.deals, tally.calls, 0.0, tally.fired, tally.gaps, tally.ties,
        tally.inconsistent, [], tally.forcing_passed, tally.below_game, tally.silly,
    )  # fmt: skip
    report.warnings = list(system.warnings)
    report.examples = [r.problem for r in run_examples(system) if r.problem]
    tested = {e.convention for f in system.files.values() for e in f.examples}
    report.untested = sorted(set(system.titles) - tested)
    _unused(system, reading, tally, report, surveyed)
    report.seconds = time.monotonic() - started
    return report


def _unused(
    system: System, reading: Reading, tally: WalkTally, report: LintReport, surveyed: int
) -> None:  # fmt: skip
    """Sets that never fired: why not? Every written auction is tried on hands that may hold it."""
    fired = set(tally.sets)
    pool = Pool(random_hands(max(1, surveyed), 1))
    written = WalkTally()
    options: dict[int, set[OfferedCall]] = {}
    for key, passes in product(system.index, range(4)) if surveyed else ():
        calls = (0,) * passes + key  # each number of passes before it, with its vulnerability
        ctx = reading.context(calls, passes)
        if ctx.is_over:
            continue
        for option in reading.options(ctx):
            options.setdefault(option.shows.order, set()).add(option)
        among = pool.followers(reading, calls, passes, len(calls) & 3)
        survey(reading, ctx, pool, among, written)
    for tie, found in written.ties.items():
        report.ties.setdefault(tie, CountedCases(0, found.cases))
    report.holes = _holes(written)
    for rule in system.rules():
        for shows in rule.sets:
            if shows.order in fired:
                continue
            _verdict(rule, shows, (tally, written), report)
            seen = options.get(shows.order)
            if seen and not shows.template.shared and all(map(_is_impossible, seen)):
                report.impossible.append(_line(rule, shows))


def _holes(written: WalkTally) -> list[str]:
    """Where more than one random hand in a hundred falls back on a generic rule, worst first; with
    whatever number of passes before the auction it is worst."""
    rows: dict[str, tuple[float, str]] = {}
    for key, found in {**written.inconsistent, **written.gaps}.items():
        what, after, auction = key.partition(" after ")
        auction = auction if after else key
        share = found.count / max(1, written.asked[auction])
        short = auction
        while short.startswith("Pass "):
            short = short.removeprefix("Pass ")
        name = f"{what} after {short}" if after else short
        if share > max(0.01, rows.get(name, (0.0, ""))[0]) and found.count >= 5:
            rows[name] = share, f"{share:.0%} {name}: {'; '.join(found.cases)}"
    return [line for _, line in sorted(rows.values(), reverse=True)]


def _verdict(
    rule: Rule, shows: ShowsRule, seen: tuple[WalkTally, WalkTally], report: LintReport
) -> None:
    order, line = shows.order, _line(rule, shows)
    if not any(order in t.offered for t in seen):
        report.unreachable.append(line)
    elif seen[1].sets[order]:
        report.rare.append(line)
    elif not any(order in t.fitted for t in seen):
        report.unsatisfied.append(line)
    else:
        winners = seen[1].beaten.get(order, Counter()).most_common(2)
        by = ", ".join(name for name, _ in winners)
        report.beaten.append(line + (f" — taken by {by}" if by else ""))


def _is_impossible(option: OfferedCall) -> bool:
    return option_constraint(option).is_impossible


def _line(rule: Rule, shows: ShowsRule) -> str:
    number = f" (set {rule.sets.index(shows) + 1})" if len(rule.sets) > 1 else ""
    return f"{rule.place}: {rule.text.call} “{shows.words}”{number} @{shows.priority}"


def fingerprint(system: System, seed: int) -> str:
    """Changes when the rules do: a kept walk of other rules is worth nothing."""
    import hashlib

    text = repr([(f.name, f.blocks) for f in system.files.values()]) + repr(system.switches)
    return f"{system.name} {seed} {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _keep(path: Path, system: System, seed: int, tally: WalkTally) -> None:
    data = {
        "of": fingerprint(system, seed), "deals": tally.deals, "calls": tally.calls,
        "fired": tally.fired, "sets": list(tally.sets.items()), "offered": sorted(tally.offered),
        "fitted": sorted(tally.fitted),
        "ties": [[*tie, asdict(f)] for tie, f in tally.ties.items()],
        **{name: {k: asdict(f) for k, f in getattr(tally, name).items()} for name in _COUNTED},
    }  # fmt: skip
    fresh = path.with_suffix(path.suffix + ".new")
    fresh.write_text(json.dumps(data), encoding="utf-8")
    fresh.replace(path)


_COUNTED: Final = ("gaps", "inconsistent", "forcing_passed", "below_game", "silly")


def _resumed(path: Path | None, system: System, seed: int) -> WalkTally:
    if path is None or not path.is_file():
        return WalkTally()
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["of"] != fingerprint(system, seed):
            return WalkTally()
        tally = WalkTally(data["deals"], data["calls"], Counter(data["fired"]))
        tally.sets.update(dict(data["sets"]))
        tally.offered.update(data["offered"])
        tally.fitted.update(data["fitted"])
        tally.ties = {Tie(a, b, c, d): CountedCases(**f) for a, b, c, d, f in data["ties"]}
        for name in _COUNTED:
            setattr(tally, name, {k: CountedCases(**f) for k, f in data[name].items()})
    except (KeyError, TypeError, ValueError) as error:
        raise ParseError(f"{path} is not a state of lint; delete it to begin anew") from error
    return tally
