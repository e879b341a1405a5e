"""Measures the systems and their switches.

    python benchmarks/cards.py properties --deals 20000          every system, self-play and others
    python benchmarks/cards.py switches --combinations 200       single switches, random cards
                                                                 (--system none: random ones only)
    python benchmarks/cards.py gains --deals 20000 --system two-over-one
    python benchmarks/cards.py strength --deals 5000 --against sl
    python benchmarks/cards.py prices ROWS.jsonl … --machine WORDS --commit ID > prices.json

`properties` counts what no system may do; `switches` lints every card that one switch makes and
random ones; `gains` asks what each convention is worth, on solved deals, against the same system
(`--against`: silent, or a network). Rows go to standard output as JSON lines, one for each
card. `--seed` chooses the next so many deals, so that runs can be put together.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np

from overtrick.bidding.audit import (
    SELF,
    AuditDeals,
    AuditSettings,
    compared_many,
    faults_in,
    match_imps,
)
from overtrick.notation.solved import SolvedDeals, hands_of
from overtrick.systems import System, UnknownSystem, library_names, load
from overtrick.systems.lint import lint
from overtrick.systems.prices import with_run
from overtrick.systems.properties import Silly
from overtrick.systems.switches import settled

SOLVED = Path(__file__).parent.parent / "data" / "solved_deals.npz"
CHUNK = 5_000  # deals bid together; the vulnerability changes from one chunk to the next


def tables(deals: int, solved: Path, skip: int = 0) -> Iterator[AuditDeals]:
    found = SolvedDeals.load(solved)
    for chunk, start in enumerate(range(skip, skip + deals, CHUNK)):
        part = slice(start, min(start + CHUNK, skip + deals))
        yield AuditDeals(hands_of(found.owners[part]), chunk & 3, found.tricks[part])


def properties(
    system: str, against: str, deals: int, solved: Path, seed: int = 0
) -> dict[str, object]:
    """What the rules did that no system may do. Illegal calls would end the walk with an error."""
    counts: Counter[str] = Counter()
    if against == SELF:
        report = lint(load(system), deals, seed + 1, surveyed=0)
        counts["decisions"] = report.calls
        counts["gaps"] = sum(f.count for f in report.gaps.values())
        counts["forcing passed"] = sum(f.count for f in report.forcing_passed.values())
        counts["below game"] = sum(f.count for f in report.below_game.values())
        counts["outside"] = sum(f.count for f in report.inconsistent.values())
        for kind, found in report.silly.items():
            counts[kind.partition(":")[0]] += found.count
    else:
        for table in tables(deals, solved, seed * deals):
            decisions, seen = faults_in(table, AuditSettings(system, against))
            counts["decisions"] += decisions
            for fault in seen:
                gap = fault.kind == Silly.GENERIC and not fault.rule
                counts["gaps" if gap else _KINDS.get(fault.kind, fault.kind)] += fault.count
    outside = counts["outside"] + counts["gaps"]
    return {
        "system": system, "against": against, "seed": seed, "deals": deals,
        "decisions": counts["decisions"],
        "gaps": counts["gaps"], "forcing_passed": counts["forcing passed"],
        "below_game": counts["below game"], "asks_passed": counts[str(Silly.ASK_PASSED)],
        "inside": 1 - outside / max(1, counts["decisions"]),
    }  # fmt: skip


_KINDS = {
    str(Silly.OUTSIDE): "outside",
    str(Silly.FORCING_PASSED): "forcing passed",
    str(Silly.BELOW_GAME): "below game",
}


def single_cards(name: str) -> Iterator[str]:
    """Every card that differs from the standard by one switch (and what follows from it)."""
    usual = load(name)
    for convention in usual.conventions:
        card = f"{'-' if convention.on else '+'}{convention.name}"
        if _is_possible(usual, *_wishes(card)):
            yield card


def card_of(name: str, card: str) -> System:
    return load(name, *_wishes(card))


def _wishes(card: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = card.split()
    on, off = (tuple(w[1:] for w in words if w[0] == sign) for sign in "+-")
    return on, off


def _is_possible(usual: System, on: tuple[str, ...], off: tuple[str, ...]) -> bool:
    try:
        settled(usual.told, usual.standard, on, off, usual.name, usual.one_of)
    except UnknownSystem:
        return False  # a part of the system, or a contradiction
    return True


def random_cards(count: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Cards with every switch thrown by chance; a throw that contradicts earlier ones is void."""
    rng = np.random.default_rng(seed)
    names = [n for n in library_names() if n != "natural"]
    for number in range(count):
        usual = load(names[number % len(names)])
        card = ""
        for place in rng.permutation(len(usual.conventions)):
            sign = "+" if rng.random() < 0.5 else "-"
            wish = f"{card} {sign}{usual.conventions[place].name}"
            card = wish if _is_possible(usual, *_wishes(wish)) else card
        yield usual.name, card.strip()


def faults(system: System, deals: int, seed: int, surveyed: int = 0) -> list[str]:
    """What lint has against a card, gaps included; nothing when it is clean."""
    report = lint(system, deals, seed, surveyed=surveyed)
    found = [*report.examples, *report.warnings, *report.impossible]
    for what in (report.forcing_passed, report.below_game, report.gaps):
        found += [f"{f.count} times {key}" for key, f in what.items()]
    return found


def switches(
    names: list[str], deals: int, combinations: int, seed: int
) -> Iterator[dict[str, object]]:
    """Single switches of these systems, then cards drawn by chance."""
    for name in names:
        for card in single_cards(name):
            found = faults(card_of(name, card), deals, 0)
            yield {"system": name, "card": card, "deals": deals, "faults": found}
    for number, (name, card) in enumerate(random_cards(combinations, seed)):
        found = faults(card_of(name, card), deals, number + 1)
        yield {"system": name, "card": card, "random": number, "deals": deals, "faults": found}


def gains(
    system: str, names: list[str], against: str, deals: int, solved: Path, seed: int
) -> Iterator[dict[str, object]]:
    """IMPs a deal (the mean of its two rooms) that a convention gains where it is played."""
    usual = load(system)
    chosen = [c for c in usual.conventions if not names or c.name in names]
    cards = [("-" if c.on else "+") + c.name for c in chosen]
    kept = [(c, card) for c, card in zip(chosen, cards, strict=True)
            if _is_possible(usual, *_wishes(card))]  # fmt: skip
    settings = [AuditSettings(system, against, *_wishes(card)) for _, card in kept]
    each = np.concatenate(
        [compared_many(t, settings, AuditSettings(system, against))
         for t in tables(deals, solved, seed * deals)], axis=1
    )  # fmt: skip
    for (convention, _), row in zip(kept, each / 2, strict=True):
        worth = -row if convention.on else row
        yield {
            "system": system, "convention": convention.name, "standard": convention.on,
            "against": against, "seed": seed, "deals": deals, "changed": int((row != 0).sum()),
            "sum": float(worth.sum()), "squares": float(np.square(worth).sum()),
        }  # fmt: skip


def priced(files: list[Path], machine: str, commit: str) -> dict[str, object]:
    """What `overtrick.systems.prices` reads; rows of one convention are put together."""
    sums: dict[tuple[str, str], dict[str, object]] = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            kept = sums.setdefault((row["system"], row["convention"]), {
                "system": row["system"], "convention": row["convention"], "deals": 0,
                "changed": 0, "sum": 0.0, "squares": 0.0,
            })  # fmt: skip
            for key in ("deals", "changed", "sum", "squares"):
                kept[key] += row[key]
    return with_run({
        "command": "python benchmarks/cards.py gains --deals 20000 --system NAME",
        "commit": commit, "machine": machine, "date": date.today().isoformat(),
        "rows": list(sums.values()),
    })  # fmt: skip


def strength(system: str, against: str, deals: int, solved: Path, seed: int) -> dict[str, object]:
    """IMPs a deal of the rules of a system in a match against a network."""
    settings = AuditSettings(system, against)
    rows = [match_imps(t, settings) for t in tables(deals, solved, seed * deals)]
    each = np.concatenate(rows)
    return {
        "system": system, "against": against, "seed": seed, "deals": deals,
        "sum": float(each.sum()), "squares": float(np.square(each).sum()),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("properties", "switches", "gains", "strength", "prices"))
    parser.add_argument("rows", nargs="*", type=Path, help="of gains, for prices")
    parser.add_argument("--machine", default="")
    parser.add_argument("--commit", default="")
    parser.add_argument("--system", default="")
    parser.add_argument("--against", default="self")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--combinations", type=int, default=200)
    parser.add_argument("--conventions", default="")
    parser.add_argument("--solved", type=Path, default=SOLVED)
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args()
    if wish.what == "prices":
        print(json.dumps(priced(wish.rows, wish.machine, wish.commit), indent=1))
        return
    names = [wish.system] if wish.system else [n for n in library_names() if n != "natural"]
    rows: Iterator[dict[str, object]]
    if wish.what == "properties":
        rows = (
            properties(n, a, wish.deals, wish.solved, wish.seed)
            for n in names
            for a in wish.against.split()
        )
    elif wish.what == "strength":
        rows = (strength(n, wish.against, wish.deals, wish.solved, wish.seed) for n in names)
    elif wish.what == "switches":
        names = [] if wish.system == "none" else names
        rows = switches(names, wish.deals, wish.combinations, wish.seed)
    else:
        rows = (
            row for n in names
            for row in gains(
                n, wish.conventions.split(), wish.against, wish.deals, wish.solved, wish.seed
            )
        )  # fmt: skip
    for row in rows:
        print(json.dumps(row, ensure_ascii=False), flush=True)
    sys.stderr.write("done\n")


if __name__ == "__main__":
    main()
