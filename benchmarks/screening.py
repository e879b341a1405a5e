"""What agreements of a system are worth, one by one and in pairs, against several opponents.

    python benchmarks/screening.py --seconds 240 --workers 2 --out screen.json
    python benchmarks/screening.py --pairs light-majors,free-jumps,light-doubles --out pairs.json
    python benchmarks/screening.py --priced screen.json --machine WORDS --commit ID > prices.json
    python benchmarks/screening.py --cards "+light-majors +free-jumps" --seed 7 --out bundle.json

A card is the system with switches thrown (`+on -off`). Random deals are bid in both rooms by the
usual card, and again by another one where its side calls otherwise; a network says what tricks the
contracts take. The agreements are played by the rules, or by the partner without a search
(`--bidders rules,partner`), who judges among the calls that the rules leave to a hand. What is
written holds IMPs a deal (the mean of its rooms) summed by card, bidder and opponent, every half
minute, until the time is over.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations, count
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.audit import AuditDeals, AuditSettings, compared_many
from overtrick.game.errors import BridgeError
from overtrick.systems import load
from overtrick.systems.card import split_names
from overtrick.systems.prices import with_run

Floats = NDArray[np.float64]

SYSTEM: Final = "overtrick"
EVERY: Final = 30.0


@dataclass(frozen=True, slots=True)
class ScreenTask:
    """Some cards on some deals against one opponent."""

    system: str
    base: str
    cards: tuple[str, ...]
    bidder: str
    against: str
    deals: int
    seed: int


@dataclass(slots=True)
class Gain:
    """IMPs a deal, summed."""

    deals: int = 0
    changed: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def add(self, each: Floats) -> None:
        self.deals += len(each)
        self.changed += int((each != 0).sum())
        self.sum += float(each.sum())
        self.squares += float(np.square(each).sum())

    @property
    def mean(self) -> float:
        return self.sum / self.deals

    @property
    def error(self) -> float:
        return float((max(self.squares / self.deals - self.mean**2, 0.0) / self.deals) ** 0.5)


@dataclass(slots=True)
class Screened:
    """Gains by card, bidder and opponent."""

    rows: dict[tuple[str, str, str], Gain] = field(default_factory=dict)

    def together(self, card: str) -> tuple[float, float]:
        """The mean over bidders and opponents, and its standard error."""
        found = [gain for key, gain in self.rows.items() if key[0] == card and gain.deals]
        mean = sum(gain.mean for gain in found) / len(found)
        return mean, sum(gain.error**2 for gain in found) ** 0.5 / len(found)

    def to_rows(self) -> list[dict[str, object]]:
        return [
            {
                "card": card, "bidder": bidder, "against": against, "deals": gain.deals,
                "changed": gain.changed, "gain": gain.mean, "error": gain.error,
                "sum": gain.sum, "squares": gain.squares,
            }
            for (card, bidder, against), gain in self.rows.items()
        ]  # fmt: skip


def wishes(card: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = card.split()
    on, off = (tuple(w[1:] for w in words if w[0] == sign) for sign in "+-")
    return on, off


def candidates(system: str, base: str, every: bool = False) -> list[str]:
    """Each switch of the system's own files thrown, or each that it knows."""
    made = load(system, *wishes(base))
    own = {name for key, file in made.files.items() if key.startswith(f"{system}/")
           for name in file.conventions}  # fmt: skip
    thrown = [c for c in made.conventions if not c.fixed and (every or c.name in own)]
    return [f"{'-' if c.on else '+'}{c.name}" for c in thrown if _matters(system, base, c.name)]


def _matters(system: str, base: str, name: str) -> bool:
    """Can the switch be thrown alone, and are there rules behind it?"""
    on, off = wishes(base)
    usual = load(system, on, off)
    sign = (on, (*off, name)) if usual.switches[name] else ((*on, name), off)
    try:
        mine = load(system, *sign)
    except BridgeError:
        return False
    return {b.text.place for b in mine.blocks} != {b.text.place for b in usual.blocks}


def screen(task: ScreenTask) -> tuple[ScreenTask, Floats]:
    """IMPs [cards, deals] that each card gains over the base."""
    rng = np.random.default_rng(task.seed)
    order = np.argsort(rng.random((task.deals, 52)), axis=1).astype(np.uint64)
    ones = np.uint64(1) << order.reshape(task.deals, 4, 13)
    table = AuditDeals(np.bitwise_or.reduce(ones, axis=2), task.seed & 3)
    base, *cards = (_settings(task, card) for card in ("", *task.cards))
    return task, compared_many(table, cards, base, calls_only=True) / 2


def _settings(task: ScreenTask, card: str) -> AuditSettings:
    on, off = both(task.base, card)
    return AuditSettings(task.system, task.against, on, off, bidder=task.bidder)


def both(base: str, card: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The switches thrown by one card and another."""
    (on, off), (more, less) = wishes(base), wishes(card)
    return on + more, off + less


def run(
    cards: list[str], wish: argparse.Namespace, seconds: float, seed: int, workers: int
) -> Screened:
    """Deals until the time is over: every opponent and bidder in turn, all cards on the same."""
    found = Screened()
    until, told = time.monotonic() + seconds, time.monotonic()
    pairs = [(b, a) for b in split_names(wish.bidders) for a in split_names(wish.against)]

    def tasks() -> Iterator[ScreenTask]:
        for number in count():
            bidder, against = pairs[number % len(pairs)]
            deal = 1_000_003 * seed + number // len(pairs)
            yield ScreenTask(
                wish.system, wish.base, tuple(cards), bidder, against, wish.chunk, deal
            )

    for card in ["", *cards]:  # read once, before the processes part
        load(wish.system, *both(wish.base, card))
    with get_context("fork").Pool(workers) as pool:
        for task, gains in _in_turn(pool, tasks(), workers, until):
            for card, each in zip(task.cards, gains, strict=True):
                found.rows.setdefault((card, task.bidder, task.against), Gain()).add(each)
            if time.monotonic() > told + EVERY:
                told = time.monotonic()
                write(found, wish)
    write(found, wish)
    return found


def _in_turn(
    pool: Pool, tasks: Iterator[ScreenTask], workers: int, until: float
) -> Iterator[tuple[ScreenTask, Floats]]:
    """Results as they come, as many tasks under way as workers. None is begun that would not be
    done in time, if it takes as long as the longest so far."""
    waiting: dict[AsyncResult[tuple[ScreenTask, Floats]], float] = {}
    longest, more = 0.0, True
    while (more or waiting) and time.monotonic() < until:
        more = more and time.monotonic() + longest < until
        task = next(tasks, None) if more and len(waiting) < workers else None
        if task is not None:
            waiting[pool.apply_async(screen, (task,))] = time.monotonic()
            continue
        ready = [one for one in waiting if one.ready()]
        for one in ready:
            longest = max(longest, time.monotonic() - waiting.pop(one))
            yield one.get()
        if not ready:
            time.sleep(0.02)
    pool.terminate()


def write(found: Screened, wish: argparse.Namespace) -> None:
    out = {"system": wish.system, "base": wish.base, "rows": found.to_rows()}
    Path(wish.out).write_text(json.dumps(out, indent=1), encoding="utf-8")


def table_of(found: Screened) -> str:
    """The cards, best first."""
    cards = sorted({key[0] for key in found.rows}, key=lambda card: -found.together(card)[0])
    lines = []
    for card in cards:
        mean, error = found.together(card)
        each = "  ".join(
            f"{bidder}/{against} {gain.mean:+.4f}±{gain.error:.4f}"
            for (name, bidder, against), gain in found.rows.items() if name == card
        )  # fmt: skip
        lines.append(f"{mean:+.4f} ± {error:.4f}  {card:40s} {each}")
    return "\n".join(lines)


def priced(wish: argparse.Namespace) -> dict[str, object]:
    """What `overtrick.systems.prices` reads: the single switches of these files, every bidder and
    opponent together; a switch that is usually on is worth what its loss costs."""
    sums: dict[str, dict[str, Any]] = {}
    for file in wish.priced:
        found = json.loads(file.read_text(encoding="utf-8"))
        for row in found["rows"]:
            sign, name = row["card"][0], row["card"][1:]
            if " " in name:
                continue
            kept = sums.setdefault(name, {
                "system": found["system"], "convention": name, "deals": 0, "changed": 0, "sum": 0.0,
                "squares": 0.0,
            })  # fmt: skip
            for key in ("deals", "changed", "squares"):
                kept[key] += row[key]
            kept["sum"] += row["sum"] * (1 if sign == "+" else -1)
    return with_run({
        "command": "python benchmarks/screening.py", "commit": wish.commit,
        "machine": wish.machine, "date": date.today().isoformat(), "rows": list(sums.values()),
    })  # fmt: skip


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    found.add_argument("--system", default=SYSTEM)
    found.add_argument("--base", default="", help="switches thrown in the usual card")
    found.add_argument("--cards", default="", help="cards to try, divided by semicolons")
    found.add_argument("--every", action="store_true", help="conventions of other files, too")
    found.add_argument("--pairs", default="", help="conventions whose pairs are tried")
    found.add_argument("--priced", nargs="+", type=Path, default=[], help="make prices of these")
    found.add_argument("--machine", default="")
    found.add_argument("--commit", default="")
    found.add_argument("--bidders", default="rules,partner")
    found.add_argument("--against", default="sl,policy,self")
    found.add_argument("--seconds", type=float, default=60)
    found.add_argument("--workers", type=int, default=1)
    found.add_argument("--chunk", type=int, default=1000, help="deals bid together")
    found.add_argument("--seed", type=int, default=1)
    found.add_argument("--out", default="screen.json")
    return found


def main() -> None:
    wish = parser().parse_args()
    if wish.priced:
        print(json.dumps(priced(wish), indent=1))
        return
    cards = [card.strip() for card in wish.cards.split(";") if card.strip()]
    cards += [f"+{a} +{b}" for a, b in combinations(split_names(wish.pairs), 2)]
    cards = cards or candidates(wish.system, wish.base, wish.every)
    print(table_of(run(cards, wish, wish.seconds, wish.seed, wish.workers)))


if __name__ == "__main__":
    main()
