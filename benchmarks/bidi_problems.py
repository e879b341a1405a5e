"""Bidding problems looked at closely: what an engine reached, what it believed, what was right.
Run `python -m benchmarks.bidi_problems bid FILE --set NAME --engine pidm --out rows.jsonl`; then
`… truth FILE --out truth.npy` (double dummy, the opponents' cards dealt 40 times) and
`… table rows.jsonl --file FILE --truth truth.npy`."""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from overtrick.arena.challenge import Problem, award, bid_problem, load
from overtrick.game import Contract, Seat, Strain, Vulnerability, imps, score
from overtrick.table import Robot, robot


@lru_cache(maxsize=4)
def _robot(spec: str) -> Robot:
    return robot(spec)


def bid_one(job: tuple[str, Problem]) -> dict[str, Any]:
    """One problem with every decision of ours."""
    spec, problem = job
    state = bid_problem(problem, _robot(spec))
    decisions = [
        {
            "turn": turn, "call": d.action.ascii, "why": d.why, "worlds": d.worlds,
            "ms": round(d.milliseconds),
            "candidates": [
                [c.action.ascii, c.value, c.error, c.details.get("leads_to", {})]
                for c in d.candidates
            ],
        }
        for turn, d in enumerate(e.decision for e in state.log)
        if d.engine
    ]  # fmt: skip
    contract = state.contract
    return {
        "set": problem.set, "board": problem.board, "auction": state.auction.ascii,
        "contract": str(contract) if contract else "passed out", "award": award(problem, contract),
        "best": problem.best, "best_contracts": problem.best_contracts, "decisions": decisions,
    }  # fmt: skip


def bid(args: argparse.Namespace) -> None:
    """All problems of a set (or of the file) with one engine."""
    problems = load(args.file, args.set or None)
    began = time.time()
    with get_context("spawn").Pool(args.workers) as pool:
        rows = pool.map(bid_one, [(args.engine, p) for p in problems], chunksize=1)
    if args.out:
        Path(args.out).write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    for name in sorted({r["set"] for r in rows}):
        some = [r for r in rows if r["set"] == name]
        times = [d["ms"] for r in some for d in r["decisions"]]
        print(json.dumps({
            "engine": args.engine, "set": name, "award": sum(r["award"] for r in some),
            "of": sum(r["best"] for r in some), "slowest_ms": max(times),
            "seconds": round(time.time() - began),
        }), flush=True)  # fmt: skip


def solve_one(job: tuple[Problem, int, int]) -> np.ndarray:
    """Tricks [deal, strain, declarer]: the real deal, then the opponents' cards dealt anew."""
    from overtrick.doubledummy.tables import table_array

    problem, count, seed = job
    rng = np.random.default_rng([seed, int(problem.board)])
    hands = [h.bits for h in problem.table().deal.hands]
    theirs = np.flatnonzero([(hands[1] | hands[3]) >> c & 1 for c in range(52)])
    deals = [hands]
    for _ in range(count):
        mixed = rng.permutation(theirs).tolist()
        east, west = (sum(1 << c for c in part) for part in (mixed[:13], mixed[13:]))
        deals.append([hands[0], east, hands[2], west])
    return table_array(np.array(deals, np.uint64)).reshape(len(deals), 5, 4)


def truth(args: argparse.Namespace) -> None:
    """Tricks [problem, deal, strain, declarer] of every problem of a set."""
    jobs = [(p, args.count, args.seed) for p in load(args.file, args.set)]
    with get_context("spawn").Pool(args.workers) as pool:
        found = pool.map(solve_one, jobs, chunksize=1)
    np.save(args.out, np.array(found, np.int8))


def contract_of(words: str) -> Contract | None:
    """From `6♥X North` back to the contract."""
    if words == "passed out":
        return None
    bid_, seat = words.split()
    doubled = bid_.count("X")
    strain = bid_.rstrip("X")[1:]
    letter = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}.get(strain, strain)
    return Contract(int(bid_[0]), Strain.parse(letter), Seat.parse(seat[0]), doubled)


def worth(contract: Contract | None, tricks: np.ndarray, vul: Vulnerability) -> np.ndarray:
    """Points for North-South on every deal [n, strain, declarer]."""
    if contract is None:
        return np.zeros(len(tricks))
    sign = 1 if contract.declarer & 1 == 0 else -1
    taken = tricks[:, int(contract.strain), int(contract.declarer)]
    return np.array([sign * score(contract, int(t), vul) for t in taken], float)


def _best_of(problem: Problem, tricks: np.ndarray) -> list[np.ndarray]:
    out = []
    for key in problem.best_contracts:
        body = key.rstrip("P")
        seats = [Seat.parse(body[0])] if body[0] in "NESW" else [Seat.NORTH, Seat.SOUTH]
        body = body[1:] if body[0] in "NESW" else body
        doubled = body.count("X")
        strain = Strain.parse(body.rstrip("X")[1:].replace("N", "NT"))
        vul = problem.table().vul
        out += [worth(Contract(int(body[0]), strain, s, doubled), tricks, vul) for s in seats]
    return out


def kind_of(row: dict[str, Any], best: list[str], swing: float) -> str:
    """Why a problem lost something, by what the search believed on the way.

    `sound`: our contract is as good double dummy. `hole`: the best contract was never in sight.
    `misled`: a call led elsewhere than expected. `unlucky`: the best one was seen and judged worse.
    """
    if swing < 0.5:
        return "sound"
    seen, misled = False, False
    for d in row["decisions"]:
        for call, *_, leads in d["candidates"]:
            seen = seen or any(_short(words) in best for words in leads)
            if call == d["call"] and leads:
                top = max(leads, key=lambda words: leads[words])
                misled = misled or (leads[top] >= 0.75 and top != row["contract"])
    return "misled" if misled else "unlucky" if seen else "hole"


def _short(words: str) -> str:
    """`6♥ North` as `6H`."""
    found = contract_of(words)
    if found is None:
        return "P"
    strain = "N" if found.strain == Strain.NT else found.strain.letter
    return f"{found.level}{strain}{'X' * found.doubled}"


def table(args: argparse.Namespace) -> None:
    """Every problem that lost something: what double dummy says of our contract and the best."""
    problems = {(p.set, p.board): (i, p) for i, p in enumerate(load(args.file, args.set))}
    tricks = np.load(args.truth)
    kinds: dict[str, list[float]] = defaultdict(list)
    for row in map(json.loads, Path(args.rows).read_text(encoding="utf-8").splitlines()):
        lost = row["best"] - row["award"]
        if row["set"] != args.set or lost <= 0:
            continue
        number, problem = problems[row["set"], row["board"]]
        ours = worth(contract_of(row["contract"]), tricks[number], problem.table().vul)
        swings = [
            np.mean([imps(round(b)) for b in (other - ours)[1:]])
            for other in _best_of(problem, tricks[number])
        ]
        swing = float(max(swings, default=0.0))
        best = [k.lstrip("NSEW").rstrip("P") for k in row["best_contracts"]]
        kind = kind_of(row, best, swing)
        kinds[kind].append(lost)
        print(
            f"{row['board']:>4} −{lost:<3g} {kind:8} {row['contract']:12} best "
            f"{','.join(row['best_contracts']):12} {swing:+5.1f} IMPs   {row['auction']}"
        )
    for kind, values in sorted(kinds.items()):
        print(f"{kind}: {len(values)} problems, {sum(values):g} points")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    sub = parser.add_subparsers(dest="what", required=True)
    b = sub.add_parser("bid")
    b.add_argument("file", type=Path)
    b.add_argument("--set", default="")
    b.add_argument("--engine", default="pidm")
    b.add_argument("--workers", type=int, default=1)
    b.add_argument("--out", default="")
    b.set_defaults(run=bid)
    t = sub.add_parser("truth")
    t.add_argument("file", type=Path)
    t.add_argument("--out", required=True)
    t.add_argument("--count", type=int, default=40)
    t.add_argument("--seed", type=int, default=7)
    t.add_argument("--set", default="pavlicek-1")
    t.add_argument("--workers", type=int, default=1)
    t.set_defaults(run=truth)
    w = sub.add_parser("table")
    w.add_argument("rows")
    w.add_argument("--file", type=Path, required=True)
    w.add_argument("--truth", required=True)
    w.add_argument("--set", default="pavlicek-1")
    w.set_defaults(run=table)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
