"""Checks a system: examples, gaps, dead rules, ties, impossible meanings, inconsistent calls.
Used by `overtrick system lint|test|coverage`; a system that fails still loads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from overtrick.game import Auction, Call, Hand, Seat, Vulnerability
from overtrick.game.calls import CALLS
from overtrick.game.errors import BridgeError
from overtrick.systems.context import Context
from overtrick.systems.meanings import option_constraint, turned_vul
from overtrick.systems.reading import Option, Reading
from overtrick.systems.shows import HandValues, holds
from overtrick.systems.syntax import Example
from overtrick.systems.system import System


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
        auction = Auction.parse(_with_passes(example.auction), Seat.NORTH)
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


def _with_passes(text: str) -> str:
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
    reading = Reading(system)
    return [run_example(reading, e) for e in system.examples()]


@dataclass(slots=True)
class Report:
    """What lint found; `walked` self-bid deals stand behind the counts."""

    walked: int = 0
    calls: int = 0
    fired: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    ties: Counter[str] = field(default_factory=Counter)
    inconsistent: Counter[str] = field(default_factory=Counter)
    dead: list[str] = field(default_factory=list)
    impossible: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def named(self) -> float:
        return 1 - sum(self.gaps.values()) / max(1, self.calls)

    @property
    def is_clean(self) -> bool:
        return not (self.impossible or self.examples or self.warnings)


def lint(
    system: System, deals: int = 2000, seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Report:  # fmt: skip
    """Walk self-bid deals and list what is wrong or never used."""
    reading = Reading(system)
    report = Report(warnings=list(system.warnings))
    report.examples = [r.problem for r in run_examples(system) if r.problem]
    rng = np.random.default_rng(seed)
    checked: set[tuple[str, int]] = set()
    for number in range(deals):
        order = rng.permutation(52)
        hands = [
            HandValues(int(sum(1 << int(c) for c in order[13 * s : 13 * s + 13]))) for s in range(4)
        ]
        _walk(reading, hands, int(rng.integers(4)), report, checked)
        if progress is not None:
            progress(number + 1)
    report.walked = deals
    report.dead = [
        f"{r.place}: {r.text.call} “{r.words}” never fired"
        for r in system.rules() if not report.fired[r.id]
    ]  # fmt: skip
    return report


def _walk(
    reading: Reading, hands: list[HandValues], vul: int, report: Report,
    checked: set[tuple[str, int]],
) -> None:  # fmt: skip
    calls: tuple[int, ...] = ()
    while True:
        ctx = reading.context(calls, vul, 0)
        if ctx.is_over:
            return
        values = hands[len(calls) & 3]
        fits = [o for o in reading.options(ctx) if holds(o.items, values)]
        report.calls += 1
        chosen = fits[0] if fits else reading.choose(ctx, values)
        shown = " ".join(CALLS[c].ascii for c in calls) or "opening"
        if chosen is None:
            report.gaps[shown] += 1
            calls = (*calls, 0)
            continue
        report.fired[chosen.rule.id] += 1
        _tie(fits, shown, report)
        if not any(holds(o.items, values) for o in reading.of_call(ctx, chosen.call)):
            report.inconsistent[f"{chosen.rule.id} after {shown}"] += 1
        _possible(ctx, chosen, report, checked)
        calls = (*calls, chosen.call)


def _tie(fits: list[Option], shown: str, report: Report) -> None:
    if len(fits) < 2:
        return
    first, second = fits[0], fits[1]
    if (
        first.call != second.call
        and first.priority == second.priority
        and (len(first.shows.template.items) == len(second.shows.template.items))
    ):
        names = " / ".join(sorted((first.rule.id, second.rule.id)))
        report.ties[f"{names} (@{first.priority}) after {shown}"] += 1


def _possible(ctx: Context, option: Option, report: Report, checked: set[tuple[str, int]]) -> None:
    """Sibling sets of a rule that fired: does some hand satisfy each?"""
    for shows in option.rule.sets:
        key = (option.rule.id, shows.order)
        if key in checked:
            continue
        checked.add(key)
        twin = Option(option.call, option.rule, shows, option.bindings, ctx)
        if not shows.template.shared and option_constraint(twin).is_impossible:
            report.impossible.append(f"{option.rule.place}: no hand satisfies `{shows.words}`")


def equal_priority_overlaps(reading: Reading, ctx: Context) -> list[tuple[Option, Option]]:
    """Pairs of options for different calls with equal priority that some hand may satisfy both."""
    options = reading.options(ctx)
    out = []
    for i, a in enumerate(options):
        for b in options[i + 1 :]:
            if b.priority != a.priority:
                break
            if a.call != b.call and not option_constraint(a).excludes(option_constraint(b)):
                out.append((a, b))
    return out
