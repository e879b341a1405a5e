"""Learned agreements against the rules they refine: silent opponents, first choices, double dummy.
Run as `python -m benchmarks.bidi_nets learned.bid --start 10000 --count 5000`."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from overtrick.bidding.models import PlayerModel
from overtrick.bidding.utility import utility_of
from overtrick.bidding.values import side_scores
from overtrick.game import imps
from overtrick.notation.solved import SolvedDeals
from overtrick.systems.refined import Refinements, load_refinements
from overtrick.training.bidi.cotrain import four
from overtrick.training.bidi.problems import contract_of, opens, pair_player
from overtrick.training.bidi.states import bid_deals


def points(calls: tuple[int, ...], tricks: np.ndarray) -> float:
    """What North and South score, not vulnerable."""
    bid, declarer, doubled = contract_of(calls)
    if bid < 0:
        return 0.0
    one = (np.array([[bid]]), np.array([[declarer]]), np.array([[doubled]]))
    return float(side_scores(*one, vul=0, side=0)[0, 0, int(tricks[bid % 5, declarer])])


def table(nets: Refinements | None, near: int, slack: int) -> list[PlayerModel]:
    base = PlayerModel(
        nets.system if nets else "two-over-one", near=near, slack=slack, refinement=nets,
        utility=utility_of("ltc"),
    )  # fmt: skip
    return four((pair_player(base), pair_player(base)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nets")
    parser.add_argument("--deals", default="data/solved_deals.npz")
    parser.add_argument("--start", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--near", type=int, default=5000)
    parser.add_argument("--slack", type=int, default=3)
    parser.add_argument("--without", default="", help="leave out nets whose auction begins so")
    args = parser.parse_args()
    nets = load_refinements(args.nets)
    if args.without:
        kept = {k: n for k, n in nets.nets.items() if not k.words().startswith(args.without)}
        nets = replace(nets, nets=kept)
    solved = SolvedDeals.load(Path(args.deals))
    part = slice(args.start, args.start + args.count)
    owners, tricks = solved.owners[part], solved.tricks[part]
    cards = np.uint64(1) << np.arange(52, dtype=np.uint64)
    hands = np.stack([((owners == seat) * cards).sum(axis=1) for seat in range(4)], axis=1)
    hands = hands.astype(np.uint64)
    keep = opens(hands[:, 0]) | opens(hands[:, 2])
    hands, tricks = hands[keep], tricks[keep]
    rules = bid_deals(table(None, 0, 0), hands).auctions
    learned = bid_deals(table(nets, args.near, args.slack), hands).auctions
    swings = [points(b, t) - points(a, t) for a, b, t in zip(rules, learned, tricks, strict=True)]
    found = np.array([imps(round(s)) for s in swings])
    print(json.dumps({
        "nets": len(nets), "deals": len(found), "other_contract": float(np.mean(found != 0)),
        "imps": round(float(found.mean()), 3),
        "error": round(float(found.std(ddof=1) / np.sqrt(len(found))), 3),
    }))  # fmt: skip


if __name__ == "__main__":
    main()
