"""Deals by a `dealer` script: the exact dealer does what the condition says of single seats.
Runs a script's actions too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.game import Deal, Hand, PartialDeal, Record, Seat, Vulnerability
from overtrick.notation.dealerscript import Script, nodes, parse
from overtrick.worlds.dealer import DEFAULT_BUDGET, Dealer, DealSample
from overtrick.worlds.scriptbounds import divide
from overtrick.worlds.scriptvalues import Evaluator


class ScriptDealer:
    """Deals that satisfy a script's condition, uniformly among all that do.

    >>> dealer = ScriptDealer("condition hcp(north) >= 20 and spades(south) > hearts(north)")
    >>> len(dealer.sample(10, np.random.default_rng(1)))
    10
    """

    def __init__(self, script: Script | str, *, budget: int = DEFAULT_BUDGET) -> None:
        self.script = parse(script) if isinstance(script, str) else script
        self.evaluator = Evaluator(self.script)
        divided = divide(self.script)
        self.constraints, self.rest = divided.seats, divided.rest
        hands = tuple(Hand(bits) for bits in self.script.predeal)
        known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
        self.dealer = Dealer(
            self.constraints,
            known=known if any(self.script.predeal) else None,
            accept=self._accept if self.rest else None,
            budget=budget,
        )

    def _accept(self, hands: NDArray[np.uint64]) -> NDArray[np.bool_]:
        return self.evaluator.accept(hands, self.rest)

    def sample(self, n: int, rng: Generator) -> DealSample:
        """n deals; raises `TooRare` or `ImpossibleDeal` where there are none to be had."""
        self.evaluator.rng = rng
        return self.dealer.sample(n, rng)


@dataclass(frozen=True, slots=True)
class Mean:
    """What an `average` action found."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """What a `frequency` action found: counts with a row (and column) below and above the range."""

    label: str
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ScriptOutcome:
    """The deals of a run, and the statistics of its actions in order."""

    script: Script
    dealt: DealSample
    statistics: tuple[Mean | Histogram, ...] = ()

    def records(self) -> Iterator[Record]:
        """The deals as boards, numbered from 1, with the script's dealer and vulnerability."""
        dealer = self.script.dealer if self.script.dealer is not None else Seat.NORTH
        vul = self.script.vul if self.script.vul is not None else Vulnerability.NONE
        for number, deal in enumerate(self.dealt, 1):
            yield Record(number=number, dealer=dealer, vul=vul, deal=deal)


def run(script: Script | str, rng: Generator, produce: int | None = None) -> ScriptOutcome:
    """Deal by a script and work out its averages and frequencies.

    As many deals as `produce` (or the script) asks for; else 40, or 100,000 when nothing is
    to be printed. `generate` is an upper limit too, but rejected deals do not count here.
    """
    dealer = ScriptDealer(script)
    program = dealer.script
    printing = any(isinstance(a, nodes.Print) for a in program.actions)
    number = produce or program.produce or (40 if printing else 100_000)
    if program.generate is not None:
        number = min(number, program.generate)
    dealt = dealer.sample(number, rng)
    found: list[Mean | Histogram] = []
    for action in program.actions:
        if isinstance(action, nodes.Average):
            values = dealer.evaluator.values(action.expr, dealt.hands)
            found.append(Mean(action.label, float(values.mean()) if len(values) else 0.0))
        elif isinstance(action, nodes.Frequency):
            found.append(_histogram(action, dealer.evaluator, dealt))
    return ScriptOutcome(program, dealt, tuple(found))


def _histogram(action: nodes.Frequency, evaluator: Evaluator, dealt: DealSample) -> Histogram:
    bins = []
    for axis in action.axes:
        values = evaluator.values(axis.expr, dealt.hands)
        bins.append(np.clip(values - axis.low + 1, 0, axis.high - axis.low + 2))
    counts = np.zeros([axis.high - axis.low + 3 for axis in action.axes], np.int64)
    np.add.at(counts, tuple(bins), 1)
    return Histogram(
        action.label,
        tuple(axis.low for axis in action.axes),
        tuple(axis.high for axis in action.axes),
        counts,
    )


def printed(outcome: ScriptOutcome) -> list[str]:
    """What the script's actions print, line by line, deals first and statistics after them."""
    evaluator = Evaluator(outcome.script)
    lines: list[str] = []
    prints = [a for a in outcome.script.actions if isinstance(a, nodes.Print)]
    shown = {
        id(item): evaluator.values(item, outcome.dealt.hands)
        for action in prints
        for item in action.items
        if not isinstance(item, str)
    }
    pending = ""
    for i, (deal, record) in enumerate(zip(outcome.dealt, outcome.records(), strict=True)):
        for action in prints:
            values = [x if isinstance(x, str) else str(int(shown[id(x)][i])) for x in action.items]
            if action.kind == "printes":
                *whole, pending = (pending + "".join(values)).split("\n")
                lines += whole
                continue
            if pending:
                lines.append(pending)
                pending = ""
            lines += _deal_lines(action, deal, record, values)
    if pending:
        lines.append(pending)
    for statistic in outcome.statistics:
        lines += _statistic_lines(statistic)
    return lines


def _deal_lines(action: nodes.Print, deal: Deal, record: Record, values: list[str]) -> list[str]:
    from overtrick.notation import dumps
    from overtrick.notation.diagram import side_by_side

    match action.kind:
        case "printpbn":
            return [*dumps(record, "pbn").removeprefix("% PBN 2.1\n% EXPORT\n").split("\n")]
        case "printoneline":
            hands = " ".join(f"{s.letter.lower()} {deal[s]}" for s in Seat)
            return [" ".join([hands, *values])]
        case "printcompact":
            return [*(f"{s.letter.lower()} {deal[s]}" for s in Seat), *values]
        case "printew":
            return side_by_side(deal, (Seat.WEST, Seat.EAST))
        case "print":
            return side_by_side(deal, action.seats)
    return side_by_side(deal, tuple(Seat))


def _statistic_lines(found: Mean | Histogram) -> list[str]:
    if isinstance(found, Mean):
        return [f"{found.label}: {found.value:.6g}" if found.label else f"{found.value:.6g}"]
    names = [
        ["Low", *(str(v) for v in range(low, high + 1)), "High"]
        for low, high in zip(found.lows, found.highs, strict=True)
    ]
    lines = [f"Frequency {found.label}:"]
    if len(names) == 1:
        lines += [
            f"{name:>5} {count:>8}"
            for name, count in zip(names[0], found.counts.tolist(), strict=True)
        ]
        return lines
    lines.append(" " * 5 + "".join(f"{n:>7}" for n in [*names[1], "Sum"]))
    for name, row in zip(names[0], found.counts, strict=True):
        lines.append(f"{name:>5}" + "".join(f"{c:>7}" for c in [*row.tolist(), int(row.sum())]))
    sums = found.counts.sum(axis=0).tolist()
    lines.append(f"{'Sum':>5}" + "".join(f"{c:>7}" for c in [*sums, int(found.counts.sum())]))
    return lines
