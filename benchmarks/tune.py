"""Finds numbers in the rule files that cost IMPs: every range and priority moved by a step, paired.
Run `python benchmarks/tune.py --deals 4000 --minutes 5 --out DIR`; only deals meant for tuning."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from overtrick.bidding.rules import last_resort
from overtrick.doubledummy.par import par
from overtrick.game import Contract, Seat, Vulnerability, imps, score
from overtrick.systems import Reading, load
from overtrick.systems.context import Context, join
from overtrick.systems.meanings import turned_vul
from overtrick.systems.reading import OfferedCall, natural_guess
from overtrick.systems.shows import HandValues, Template, holds, parse_shows
from overtrick.systems.system import Rule, ShowsRule, System
from rules import DATA, table_of, unpack

SYSTEMS = ("two-over-one", "sayc")
LAST_DEAL = 48_000  # beyond these, deals are for measuring only
_RANGE = re.compile(
    r"(?<![\w./-])(?:(?P<from>\d+)\+|(?P<low>\d+)?\.\.(?P<high>\d+)|(?P<one>\d+))(?![\w./])"
)


@dataclass(frozen=True, slots=True)
class Variant:
    """One change of one constraint set: new text and priority (an empty text takes it away)."""

    place: str
    index: int
    text: str
    new: str
    priority: int
    new_priority: int


def variants(system: System) -> dict[tuple[str, int], list[Variant]]:
    """All single steps from the sets of a system, by place."""
    out: dict[tuple[str, int], list[Variant]] = {}
    for rule in system.rules():
        for i, shows in enumerate(rule.text.sets):
            key, made = (str(rule.place), i), []
            for new in steps(shows.text):
                made.append(Variant(*key, shows.text, new, shows.priority, shows.priority))
            for step in (-12, 12):
                made.append(
                    Variant(*key, shows.text, shows.text, shows.priority, shows.priority + step)
                )
            if len(rule.text.sets) > 1:
                made.append(Variant(*key, shows.text, "", shows.priority, shows.priority))
            out[key] = made
    return out


def steps(text: str) -> list[str]:
    """The text with one end of one range moved by one, or without one of its clauses."""
    parts = text.split(", ")
    plain = len(parts) > 1 and "(" not in text
    out = [", ".join(parts[:i] + parts[i + 1 :]) for i in range(len(parts))] if plain else []
    for match in _RANGE.finditer(text):
        for new in _moved(match):
            out.append(text[: match.start()] + new + text[match.end() :])
    return out


def _moved(match: re.Match[str]) -> list[str]:
    if match["from"]:
        n = int(match["from"])
        return [f"{n + d}+" for d in (-1, 1) if n + d > 0]
    if match["one"]:
        n = int(match["one"])
        return [f"{n - 1}..{n}", f"{n}..{n + 1}"] if n > 0 else [f"..{n + 1}"]
    low, high = match["low"] or "", int(match["high"])
    ends = [(low, high - 1), (low, high + 1)]
    if low:
        ends += [(str(int(low) - 1), high), (str(int(low) + 1), high)]
    return [f"{a}..{b}" for a, b in ends if b >= 0 and (not a or 0 <= int(a) <= b)]


class Bench:
    """The deals of one worker bid once with one system, ready to be bid again with a change."""

    def __init__(self, name: str, deals: np.ndarray) -> None:
        self.system = load(name)
        self.defines = {k: v for f in self.system.files.values() for k, v in f.defines.items()}
        self.rules = {str(r.place): r for r in self.system.rules()}
        solved, extra = np.load(DATA / "double_dummy.npz"), np.load(DATA / "solved_auctions.npz")
        self.tricks = solved["tricks"][deals]
        self.dealer, self.vul = extra["dealer"][deals], extra["vul"][deals]
        self.hands = [[HandValues(int(b)) for b in row] for row in unpack(solved["owners"][deals])]
        self.par = [
            par(table_of(t), Vulnerability(int(v)), Seat(int(d))).score
            for t, v, d in zip(self.tricks, self.vul, self.dealer, strict=True)
        ]
        self.reading = Reading(self.system)
        self.paths: list[list[tuple[Context, OfferedCall | None, int]]] = []
        self.distance: list[int] = []
        # Where each set is on offer: for each context the deals that came by and at which step.
        self.seen: dict[int, tuple[Context, list[tuple[int, int]]]] = {}
        self.offers: dict[int, list[tuple[Context, OfferedCall]]] = defaultdict(list)
        for k in range(len(deals)):
            self._first(k)

    def _first(self, k: int) -> None:
        start = self.reading.context((), turned_vul(int(self.vul[k]), int(self.dealer[k])), 0)
        path, end = self.bid(k, self.reading, start)
        self.paths.append(path)
        self.distance.append(self.cost(k, end))
        for step, (ctx, _, _) in enumerate(path):
            if id(ctx) not in self.seen:
                self.seen[id(ctx)] = (ctx, [])
                for option in (o for o in self.reading.options(ctx) if not o.is_longest):
                    self.offers[id(option.shows)].append((ctx, option))
            self.seen[id(ctx)][1].append((k, step))

    def bid(
        self, k: int, reading: Reading, ctx: Context
    ) -> tuple[list[tuple[Context, OfferedCall | None, int]], Context]:
        path: list[tuple[Context, OfferedCall | None, int]] = []
        dealer = int(self.dealer[k])
        while not ctx.is_over:
            values = self.hands[k][(dealer + len(ctx.calls)) & 3]
            option = reading.choose(ctx, values)
            call = option.call if option else last_resort(ctx, values)
            path.append((ctx, option, call))
            ctx = reading.context((*ctx.calls, call), ctx.vul, 0)
        return path, ctx

    def cost(self, k: int, end: Context) -> int:
        """IMPs between the result and par."""
        made = 0
        if end.last_bid:
            strain, level = (end.last_bid - 3) % 5, (end.last_bid - 3) // 5 + 1
            first = next(
                i for i, c in enumerate(end.calls)
                if c >= 3 and (c - 3) % 5 == strain and (i - end.last_bidder) % 2 == 0
            )  # fmt: skip
            declarer = (int(self.dealer[k]) + first) & 3
            contract = Contract(level, strain, Seat(declarer), end.doubled)  # type: ignore[arg-type]
            tricks = int(self.tricks[k][strain][declarer])
            made = score(contract, tricks, Vulnerability(int(self.vul[k])))
        return abs(imps(made - self.par[k]))

    def evaluate(self, variant: Variant) -> tuple[int, int, int]:
        """(deals whose auction may change, IMPs gained, squares of the gains)."""
        rule = self.rules.get(variant.place)
        if rule is None:
            return 0, 0, 0
        old = rule.sets[variant.index]
        new = self._compiled(rule, old, variant)
        places = self._affected(rule, old, new)
        if not places:
            return 0, 0, 0
        kept = rule.sets
        changed = list(kept)
        if new is None:
            del changed[variant.index]
        else:
            changed[variant.index] = new
        object.__setattr__(rule, "sets", tuple(changed))
        try:
            return self._again(places)
        finally:
            object.__setattr__(rule, "sets", kept)

    def _compiled(self, rule: Rule, old: ShowsRule, variant: Variant) -> ShowsRule | None:
        if not variant.new:
            return None
        template: Template = parse_shows(variant.new, rule.place, self.defines)
        return ShowsRule(template, variant.new_priority, old.words, old.order)

    def _affected(self, rule: Rule, old: ShowsRule, new: ShowsRule | None) -> dict[int, int]:
        """Deals to bid again, and the first step at which they may differ."""
        first: dict[int, int] = {}
        for ctx, option in self.offers.get(id(old), ()):
            fresh = (
                None if new is None else OfferedCall(option.call, rule, new, option.bindings, ctx)
            )
            tells = self._tells_differently(ctx, option, fresh)
            top = max(old.priority, new.priority if new else 0)
            for k, step in self.seen[id(ctx)][1]:
                _, chosen, call = self.paths[k][step]
                if chosen is not None and chosen.priority > top and not (
                    tells and call == option.call
                ):  # fmt: skip
                    continue
                if tells and call == option.call:
                    first[k] = min(first.get(k, 99), step)
                    continue
                values = self.hands[k][(int(self.dealer[k]) + step) & 3]
                was = holds(option.items, values)
                now = fresh is not None and holds(fresh.items, values)
                if was != now or (was and new is not None and new.priority != old.priority):
                    first[k] = min(first.get(k, 99), step)
        return first

    def _tells_differently(
        self, ctx: Context, option: OfferedCall, fresh: OfferedCall | None
    ) -> bool:
        """Does the call show other ranges, or come from another rule, after the change?"""
        found = self.reading.of_call(ctx, option.call)
        others = [o for o in found if o is not option]
        after = [*others, fresh] if fresh else others
        if not after:
            return natural_guess(ctx, option.call)[0] != option.shown
        if join([o.shown for o in after]) != join([o.shown for o in found]):
            return True
        best = max(after, key=lambda o: o.priority)
        return best.rule is not found[0].rule

    def _again(self, places: dict[int, int]) -> tuple[int, int, int]:
        reading = Reading(self.system)
        total = squares = 0
        copies: dict[int, Context] = {}
        for k, step in places.items():
            ctx = self.paths[k][step][0]
            copy = copies.get(id(ctx))
            if copy is None:
                copy = copies[id(ctx)] = _copy(ctx)
                reading._contexts[(ctx.vul, 0, ctx.calls)] = copy
            _, end = self.bid(k, reading, copy)
            gain = self.distance[k] - self.cost(k, end)
            total += gain
            squares += gain * gain
        return len(places), total, squares


def _copy(ctx: Context) -> Context:
    made = Context.__new__(Context)
    for name in Context.__slots__:
        setattr(made, name, getattr(ctx, name))
    made.memo = {"first": 0}
    return made


def work(
    number: int, workers: int, deals: range, minutes: float, out: Path, only: str, seed: int
) -> None:
    """One worker: its share of the deals, all variants in the common order."""
    stop = time.monotonic() + 60 * minutes
    mine = np.array(deals)[number::workers]
    benches = [Bench(name, mine[i :: len(SYSTEMS)]) for i, name in enumerate(SYSTEMS)]
    todo = listed(only, seed)
    results = np.zeros((len(todo), len(SYSTEMS), 3), np.int64)
    saved = time.monotonic()
    done = 0
    for done, variant in enumerate(todo, 1):
        for j, bench in enumerate(benches):
            results[done - 1, j] = bench.evaluate(variant)
        if time.monotonic() > saved + 20 or time.monotonic() > stop:
            np.savez(out / f"part{number}.npz", results=results, done=done)
            saved = time.monotonic()
            if saved > stop:
                break
    np.savez(out / f"part{number}.npz", results=results, done=done)


def listed(only: str, seed: int) -> list[Variant]:
    """Every variant of both systems in one random order."""
    found: dict[tuple[str, int], list[Variant]] = {}
    for name in SYSTEMS:
        found.update(variants(load(name)))
    flat = [v for key in sorted(found) for v in found[key] if re.search(only, v.place)]
    order = np.random.default_rng(seed).permutation(len(flat))
    return [flat[i] for i in order]


def gather(out: Path, only: str, seed: int) -> list[dict[str, object]]:
    """The parts added up: gain, standard error and the change, best first."""
    parts = [np.load(p) for p in sorted(out.glob("part*.npz"))]
    done = min(int(p["done"]) for p in parts)
    total = sum(p["results"] for p in parts)[:done]
    rows: list[dict[str, object]] = []
    for variant, row in zip(listed(only, seed), total, strict=False):
        n, gain, squares = row.sum(axis=0)
        if not squares:
            continue
        rows.append({
            "t": round(float(gain / np.sqrt(squares)), 2), "gain": int(gain), "deals": int(n),
            "by_system": [int(x) for x in row[:, 1]], "place": variant.place,
            "set": variant.index, "old": variant.text, "new": variant.new,
            "priority": [variant.priority, variant.new_priority],
        })  # fmt: skip
    rows.sort(key=lambda r: -float(r["t"]))  # type: ignore[arg-type]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--only", default="", help="only sets whose place matches")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.start + args.deals > LAST_DEAL:
        parser.error(f"deals from {LAST_DEAL} on are for measuring")
    args.out.mkdir(parents=True, exist_ok=True)
    deals = range(args.start, args.start + args.deals)
    shared = (args.workers, deals, args.minutes, args.out, args.only, args.seed)
    running = [multiprocessing.Process(target=work, args=(i, *shared)) for i in range(args.workers)]
    for process in running:
        process.start()
    for process in running:
        process.join()
    rows = gather(args.out, args.only, args.seed)
    text = "\n".join(json.dumps(r, ensure_ascii=False) for r in rows)
    (args.out / "variants.jsonl").write_text(text + "\n")
    print(f"{len(rows)} variants change something; best:\n" + "\n".join(text.splitlines()[:20]))


if __name__ == "__main__":
    main()
