"""Learned agreements against the rules they refine: first choices, scored double dummy.
Run as `python -m benchmarks.bidi_nets learned.bid --start 10000 --count 5000`."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from overtrick.bidding.kernel.leaves import Contracts, side_scores, utility_of
from overtrick.bidding.pidm.models import PlayerModel
from overtrick.game import imps
from overtrick.notation.solved import SolvedDeals
from overtrick.systems.refined import Refinements, load_refinements
from overtrick_lab.papers.amit2006.cotrain import four
from overtrick_lab.papers.amit2006.problems import contract_of, opens, pair_player
from overtrick_lab.papers.amit2006.states import bid_deals


def points(calls: tuple[int, ...], tricks: np.ndarray, vul: int) -> float:
    """What North and South score."""
    bid, declarer, doubled = contract_of(calls)
    if bid < 0:
        return 0.0
    one = Contracts.of(np.array([[[bid, declarer, doubled]]]))
    return float(side_scores(one, vul=vul, side=0)[0, 0, int(tricks[bid % 5, declarer])])


def table(nets: Refinements | None, contested: bool) -> list[PlayerModel]:
    """North and South with these agreements; the others pass, or bid by the rules."""
    rules = PlayerModel(nets.system if nets else "two-over-one", utility=utility_of("ltc"))
    ours = replace(rules, refinement=nets, wide=nets.width if nets else None)
    if contested:
        return [ours, rules, ours, rules]
    return four((pair_player(ours), pair_player(ours)))


@dataclass(frozen=True)
class Deals:
    """Solved deals and what the rules score on them."""

    hands: np.ndarray
    tricks: np.ndarray
    contested: bool
    vul: int

    @classmethod
    def load(cls, args: argparse.Namespace, part: slice) -> Deals:
        solved = SolvedDeals.load(Path(args.deals))
        owners, tricks = solved.owners[part], solved.tricks[part]
        cards = np.uint64(1) << np.arange(52, dtype=np.uint64)
        hands = np.stack([((owners == seat) * cards).sum(axis=1) for seat in range(4)], axis=1)
        hands = hands.astype(np.uint64)
        if not args.contested:
            keep = opens(hands[:, 0]) | opens(hands[:, 2])
            hands, tricks = hands[keep], tricks[keep]
        return cls(hands, tricks, args.contested, args.vul)

    def scored(self, nets: Refinements | None) -> np.ndarray:
        auctions = bid_deals(table(nets, self.contested), self.hands).auctions
        return np.array(
            [points(a, t, self.vul) for a, t in zip(auctions, self.tricks, strict=True)]
        )

    def gains(self, nets: Refinements, rules: np.ndarray) -> np.ndarray:
        """IMPs a deal over the rules."""
        return np.array([imps(round(s)) for s in self.scored(nets) - rules])


def summary(found: np.ndarray) -> dict[str, float]:
    return {
        "deals": len(found), "other_contract": round(float(np.mean(found != 0)), 3),
        "imps": round(float(found.mean()), 3),
        "error": round(float(found.std(ddof=1) / np.sqrt(len(found))), 3),
    }  # fmt: skip


_WORK: list[tuple[Refinements, Deals, np.ndarray]] = []  # of a worker process


def _begin(nets: Refinements, deals: Deals, rules: np.ndarray) -> None:
    _WORK[:] = [(nets, deals, rules)]


def _alone(number: int) -> tuple[float, float]:
    """What one net gains by itself, with its error."""
    nets, deals, rules = _WORK[0]
    key, net = list(nets.nets.items())[number]
    found = deals.gains(replace(nets, nets={key: net}), rules)
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(len(found)))


def keep(
    nets: Refinements, deals: Deals, rules: np.ndarray, margin: float, workers: int
) -> Refinements:
    """The nets that gain by themselves, by so many standard errors."""
    kept = {}
    with get_context("spawn").Pool(workers, _begin, (nets, deals, rules)) as pool:
        found = pool.map(_alone, range(len(nets)), chunksize=1)
    for (key, net), (mean, error) in zip(nets.nets.items(), found, strict=True):
        if mean > margin * error:
            kept[key] = net
        print(f"{key.words():40} {1000 * mean:+7.1f} ± {1000 * error:.1f} IMPs in 1,000 deals")
    return replace(nets, nets=kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets", help="a file of learned agreements, or a system that has some")
    parser.add_argument("--deals", default="data/solved_deals.npz")
    parser.add_argument("--start", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--contested", action="store_true", help="opponents bid by the rules")
    parser.add_argument("--vul", type=int, default=0, help="in the scores only")
    parser.add_argument("--without", default="", help="leave out nets whose auction begins so")
    parser.add_argument("--keep", type=Path, help="write the nets that gain by themselves here")
    parser.add_argument("--margin", type=float, default=1.0, help="standard errors for --keep")
    parser.add_argument("--workers", type=int, default=1, help="processes for --keep")
    args = parser.parse_args()
    nets = load_refinements(args.nets)
    if args.without:
        kept = {k: n for k, n in nets.nets.items() if not k.words().startswith(args.without)}
        nets = replace(nets, nets=kept)
    deals = Deals.load(args, slice(args.start, args.start + args.count))
    rules = deals.scored(None)
    if args.keep:
        nets = keep(nets, deals, rules, args.margin, args.workers)
        args.keep.write_text(nets.text(), encoding="utf-8")
    print(json.dumps({"nets": len(nets), **summary(deals.gains(nets, rules))}))


if __name__ == "__main__":
    main()
