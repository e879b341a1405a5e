"""Opening leads measured: deals to learn from, leads in many worlds, and the test against rules.
Run `PYTHONPATH=src python -m benchmarks.cardplay_leads learn|worlds|test|report …`.

  learn    boards bid and solved: tricks after every lead, how the hidden cards lie on average
  worlds   tricks of every lead in many worlds of a board, to choose the parameters of lead.py on
  test     double-dummy cost of leads by three sets of rules and by engines, on new boards
  report   the same again from the file
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.cardplay_common import Row, bid, in_pool, rows
from benchmarks.cardplay_lead_rules import longest_lead, textbook_lead
from overtrick.bidding import bidder
from overtrick.cardplay import player
from overtrick.cardplay.evidence.rules import RulesWitness
from overtrick.cardplay.leadfacts import mean_facts
from overtrick.cardplay.leadrules import rule_lead
from overtrick.cardplay.situation import Situation, situation
from overtrick.cardplay.staged import staged_layouts
from overtrick.doubledummy import Position, reach_worlds, solve, solve_worlds_counting
from overtrick.game import Board, Play, Systems, View, view_of

Arrays = dict[str, NDArray[Any]]


def bidders_of(seed: int) -> str:
    """Three boards of four are bid by rules, one by points, whose system nobody can look up."""
    return ("rules", "rules", "rules", "points")[seed % 4]


def lead_problem(seed: int) -> tuple[Board, View] | None:
    """A board bid by four bidders, as the opening leader sees it at a table."""
    name = bidders_of(seed)
    board, auction, meanings = bid(seed, name)
    if auction.contract is None:
        return None
    system = bidder(name).system
    play = Play.of(auction.contract)
    systems = Systems(system, system)
    return board, view_of(board, auction, play, meanings=meanings, systems=systems)


def layouts_for(at: Situation, enough: float = 150) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Weighted layouts given the auction."""
    rng = np.random.default_rng(at.view.seed)
    found = staged_layouts(at, (RulesWitness(),), enough, rng)
    return found.deals, found.shares


def one_to_learn(seed: int) -> Arrays | None:
    """Everything about one lead that learning needs, as small numbers."""
    found = lead_problem(seed)
    if found is None:
        return None
    board, view = found
    at = situation(view)
    contract = at.contract
    hands, weights = layouts_for(at)
    tricks = np.full(52, -1, np.int8)
    for card, won in solve(Position.of_contract(board.deal, contract)).items():
        tricks[card] = won
    return {
        "seed": np.int64(seed),  # type: ignore[dict-item]
        "deal": np.array([h.bits for h in board.deal.hands], np.uint64),
        "contract": np.array(
            [contract.level, contract.strain, contract.doubled, contract.declarer], np.int8
        ),
        "tricks": tricks,
        "facts": np.round(255 * mean_facts(hands, weights, at.leader)[0]).astype(np.uint8),
        "rule": np.int8(rule_lead(view)),  # type: ignore[dict-item]
    }


def one_in_worlds(job: tuple[int, int]) -> Arrays | None:
    """The same with exact tricks of every lead in many worlds, drawn by weight."""
    seed, count = job
    row = one_to_learn(seed)
    if row is None:
        return None
    found = lead_problem(seed)
    assert found is not None
    at = situation(found[1])
    hands, weights = layouts_for(at)
    rng = np.random.default_rng(seed)
    some = hands[rng.choice(len(hands), count, p=weights)]
    seconds = [time.process_time()]
    tricks, nodes = solve_worlds_counting(some, at.strain, at.leader)
    seconds.append(time.process_time())
    for goal in (at.target, at.target - 1, at.target + 1):  # what yes or no would cost
        if 0 < goal <= 13:
            reach_worlds(some[: count // 8], at.strain, at.leader, (), goal)
        seconds.append(time.process_time())
    return row | {
        "worlds": some,
        "in worlds": tricks[:, at.cards()].astype(np.int8),
        "cards": np.array(at.cards(), np.int8),
        "nodes": nodes,
        "goal": np.int8(at.target),  # type: ignore[dict-item]
        "seconds": np.diff(seconds).astype(np.float32),
    }


def gather(args: argparse.Namespace) -> None:
    """Work through board numbers until the time is up; the file is written again and again."""
    seeds = range(args.start, args.start + args.count)
    work: Any = one_to_learn if args.stage == "learn" else one_in_worlds
    jobs: Any = seeds if args.stage == "learn" else ((s, args.worlds) for s in seeds)
    have: list[Arrays] = []
    saved = time.monotonic()
    for row in in_pool(work, jobs, args.workers, args.minutes):
        if row is not None:
            have.append(row)
        if time.monotonic() - saved > 60:
            _save(args.out, have)
            saved = time.monotonic()
    _save(args.out, have)
    print(f"{len(have)} boards in {args.out}")


def _save(path: str, have: list[Arrays]) -> None:
    if have:
        part = Path(path).with_suffix(".part.npz")
        np.savez_compressed(part, **{k: np.array([r[k] for r in have]) for k in have[0]})
        os.replace(part, path)


RULES: Final = {"longest": longest_lead, "textbook": textbook_lead, "rules": rule_lead}


def one_test(job: tuple[int, str]) -> Row | None:
    """What each way to lead costs on one board, all cards seen: rules, and engines by name."""
    seed, engines = job
    found = lead_problem(seed)
    if found is None:
        return None
    board, view = found
    contract = view.contract
    assert contract is not None
    tricks = solve(Position.of_contract(board.deal, contract))
    best = max(tricks.values())
    row: Row = {"seed": seed, "contract": contract.ascii, "bidder": bidders_of(seed)}
    cards = {name: lead(view) for name, lead in RULES.items()}
    for name in engines.split("|"):
        began = time.process_time()
        decision = player(name).play(view)
        cards[name] = decision.card
        row[f"{name} s"] = round(time.process_time() - began, 3)
        row[f"{name} worlds"] = decision.worlds
    row["cost"] = {name: best - tricks[card] for name, card in cards.items()}
    row["cost"]["any"] = round(best - sum(tricks.values()) / len(tricks), 4)
    row["beats"] = {name: tricks[card] >= 14 - contract.target for name, card in cards.items()}
    row["beats"]["best"] = best >= 14 - contract.target
    return row


def test(args: argparse.Namespace) -> None:
    """Go on with a file of tested boards until the count or the time is reached."""
    have = rows(args.out)
    seed = max((r["seed"] for r in have), default=args.start - 1) + 1
    left = args.count - len(have)
    jobs = ((s, args.engines) for s in range(seed, args.start + 10**8))
    with open(args.out, "a", encoding="utf-8") as out:
        for row in in_pool(one_test, jobs, args.workers, args.minutes) if left > 0 else ():
            if row is not None:
                out.write(json.dumps(row) + "\n")
                out.flush()
                left -= 1
            if left <= 0:
                break
    report(args)


def report(args: argparse.Namespace) -> None:
    """Costs with 95 % intervals, and what each engine saves against each set of rules."""
    have = rows(args.out)
    for kind in ("all", "rules", "points", "notrump", "suit"):
        some = [r for r in have if _is(r, kind)]
        if some:
            print(f"\n{kind}: {len(some)} boards")
            _table(some)


def _is(row: Row, kind: str) -> bool:
    if kind in ("notrump", "suit"):
        return ("NT" in row["contract"]) == (kind == "notrump")
    return kind in ("all", row["bidder"])


def _table(some: list[Row]) -> None:
    names = list(some[0]["cost"])
    cost = {n: np.array([r["cost"][n] for r in some], float) for n in names}
    engines = [n for n in names if n not in RULES and n != "any"]
    for name in names:
        line = f"{name:28} {_interval(cost[name])}"
        if name != "any":
            line += f"  best {100 * (cost[name] == 0).mean():5.2f} %"
            beats = np.array([r["beats"][name] for r in some], float)
            line += f"  beats {100 * beats.mean():5.2f} %"
        if name in engines:
            seconds = np.array([r[f"{name} s"] for r in some])
            worlds = np.mean([r[f"{name} worlds"] for r in some])
            line += f"  {worlds:.0f} worlds, {seconds.mean():.2f} s"
            line += f" (95 %: {np.quantile(seconds, 0.95):.2f}, most {seconds.max():.2f})"
        print(line)
    for engine in engines:
        for rule in RULES:
            saved = cost[rule] - cost[engine]
            beats = np.array([r["beats"][engine] - r["beats"][rule] for r in some], float)
            print(
                f"{engine} saves {_interval(saved)} against {rule}; "
                f"beats {_interval(100 * beats)} more of 100"
            )


def _interval(values: NDArray[np.float64]) -> str:
    return f"{values.mean():.4f} ± {1.96 * values.std() / np.sqrt(len(values)):.4f}"


def main() -> None:
    os.environ.setdefault("OVERTRICK_DDS_THREADS", "1")  # one process per core instead
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    stages = parser.add_subparsers(dest="stage", required=True)
    for name in ("learn", "worlds"):
        sub = stages.add_parser(name)
        sub.add_argument("--count", type=int, default=10**7)
        sub.add_argument("--worlds", type=int, default=64)
        sub.set_defaults(run=gather)
    sub = stages.add_parser("test")
    sub.add_argument("--count", type=int, default=3000)
    sub.add_argument("--engines", default="pimc")
    sub.set_defaults(run=test)
    for one in stages.choices.values():
        one.add_argument("--start", type=int, required=True)
        one.add_argument("--workers", type=int, default=1)
        one.add_argument("--minutes", type=float, default=600)
    stages.add_parser("report").set_defaults(run=report)
    for one in stages.choices.values():
        one.add_argument("--out", required=True)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
