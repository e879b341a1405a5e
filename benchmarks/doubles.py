"""What a double of (or a bid over) every artificial call does: silly contracts, games missed, IMPs.
Run `python benchmarks/doubles.py --system sayc`; the data folder is named by OVERTRICK_DATA."""

from __future__ import annotations

import argparse
import json
from collections import Counter

import numpy as np

from overtrick.bidding.rules import last_resort
from overtrick.game import Auction, Hand, Seat, imps
from overtrick.systems import Reading, load
from overtrick.systems.context import GAME_CALLS, Context
from overtrick.systems.meanings import turned_vul
from overtrick.systems.reading import OfferedCall
from overtrick.systems.shows import HandValues
from rules import CALLS, DATA, NESW, auction_score, unpack


def disturbed(
    reading: Reading, hands: list[HandValues], dealer: int, vul: int, side: int, how: str
) -> tuple[tuple[int, ...], list[OfferedCall | None], int]:
    """`side` doubles (or passes, or bids its longest suit) over every artificial bid of the other
    side from the two level on, and passes ever after; otherwise all four bid by the rules.
    Also: how often it did so."""
    turned = turned_vul(vul, dealer)
    calls: tuple[int, ...] = ()
    used: list[OfferedCall | None] = []
    doubles = 0
    while True:
        ctx = reading.context(calls, turned, 0)
        if ctx.is_over:
            return calls, used, doubles
        seat = (dealer + len(calls)) & 3
        option: OfferedCall | None = None
        if seat & 1 == side and _is_artificial(ctx):
            call, doubles = _nuisance(ctx, hands[seat], how), doubles + 1
        elif seat & 1 == side and doubles:
            call = 0
        else:
            option = reading.choose(ctx, hands[seat])
            call = option.call if option else last_resort(ctx, hands[seat])
        used.append(option)
        calls = (*calls, call)


def _is_artificial(ctx: Context) -> bool:
    told = ctx.told[ctx.rho]
    return told.call >= 3 and told.artificial and ctx.doubled == 0 and ctx.level >= 2


def _nuisance(ctx: Context, hand: HandValues, how: str) -> int:
    if how != "overcall":
        return {"pass": 0, "double": 1}[how]
    longest = max(range(4), key=lambda s: hand.hand.look("length", s))
    call = 3 + 5 * (ctx.level - 1) + longest
    call += 5 * (call <= ctx.last_bid)
    return call if call <= 22 else 0  # nobody goes beyond four spades for a nuisance


def silly(ctx: Context, lengths: list[list[int]], dealer: int, before: int) -> list[str]:
    """What is wrong with the contract the disturbed side plays (`ctx` is the context after its
    last bid); `before` is what it played when nobody doubled."""
    out: list[str] = []
    strain, level = (ctx.last_bid - 3) % 5, (ctx.last_bid - 3) // 5 + 1
    told = ctx.told[ctx.last_bidder]
    seat = (dealer + ctx.last_bidder) & 3
    fit = lengths[seat][strain] + lengths[seat ^ 2][strain] if strain < 4 else 13
    if told.artificial and (fit < 7 or strain == 4):
        out.append("artificial call passed out")
    if "keycard-ask" in told.tags:
        out.append("question for key cards passed out")
    if fit <= 5:
        out.append("fit of five cards or fewer")
    elif fit == 6:
        out.append("six-card fit")
    if before in GAME_CALLS and ctx.last_bid not in GAME_CALLS:
        out.append("game missed")
    if before >= 28 and level < 6:
        out.append("slam missed")
    if level >= 6 and before < 28:
        out.append("slam bid that was not bid before")
    return out


def _last(reading: Reading, calls: tuple[int, ...], dealer: int, vul: int) -> Context:
    """The context after the last bid."""
    last = max(j for j, c in enumerate(calls) if c >= 3)
    return reading.context(calls[: last + 1], turned_vul(vul, dealer), 0)


def run(system: str, deals: int, start: int, show: int, how: str) -> dict[str, object]:
    """The deals with an artificial bid: the contracts of the side that made it, doubled or not."""
    reading = Reading(load(system))
    solved, extra = np.load(DATA / "double_dummy.npz"), np.load(DATA / "solved_auctions.npz")
    hands = unpack(solved["owners"][start : start + deals])
    counts: Counter[str] = Counter()
    where: Counter[str] = Counter()
    lost: list[int] = []
    stories: list[tuple[int, str]] = []
    for k in range(deals):
        i = start + k
        dealer, vul = int(extra["dealer"][i]), int(extra["vul"][i])
        values = [HandValues(int(b)) for b in hands[k]]
        lengths = [[Hand(int(h)).length(s) for s in range(4)] for h in hands[k]]
        for side in (0, 1):
            bid = [disturbed(reading, values, dealer, vul, side, c) for c in ("pass", how)]
            (plain, _, asked), (calls, used, _) = bid
            if not asked:
                continue
            counts["deals with an artificial bid"] += 1
            a, b = (auction_score(c, dealer, vul, solved["tricks"][i]) for c in (plain, calls))
            lost.append(imps(a - b) * (1 if side else -1))
            ends = [_last(reading, c, dealer, vul) for c in (plain, calls)]
            wrong: list[str] = []
            for name, end in zip(("left alone", "disturbed"), ends, strict=True):
                if (dealer + end.last_bidder) & 1 == side:
                    continue
                wrong = silly(end, lengths, dealer, ends[0].last_bid)
                counts.update(f"{name}: {w}" for w in wrong)
                counts[f"{name}: any of these"] += bool(wrong)
            if (wrong or lost[-1] >= 5) and plain != calls:
                at = next(j for j, o in enumerate(used) if o is None and calls[j])
                text = Auction(Seat(dealer), tuple(CALLS[c] for c in calls[: at + 1])).ascii
                where[text] += lost[-1]
                stories.append((lost[-1], _story(calls, used, plain, hands[k], dealer, wrong)))
    played = np.array(lost or [0])
    out: dict[str, object] = {
        "system": system, "how": how, "deals": deals, **dict(sorted(counts.items())),
        "imps_lost_per_deal": float(played.mean()),
        "error": float(played.std() / max(1, len(played)) ** 0.5),
    }  # fmt: skip
    if show:
        out["where"] = where.most_common(show)
        out["stories"] = [f"{a} {b}" for a, b in sorted(stories, reverse=True)[:show]]
    return out


def _story(calls, used, plain, hands, dealer, wrong) -> str:  # type: ignore[no-untyped-def]
    shown = " ".join(
        f"{NESW[(dealer + j) & 3]}:{Hand(int(hands[(dealer + j) & 3]))}" for j in range(4)
    )
    ours = " ".join(
        f"{CALLS[c].ascii}[{o.rule.id.split('/')[-1] if o else '-'}]"
        for c, o in zip(calls, used, strict=True)
    )
    return f"{wrong} {shown}\n    {ours}\n    plain: {' '.join(CALLS[c].ascii for c in plain)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="two-over-one")
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--start", type=int, default=70_000)
    parser.add_argument("--show", type=int, default=0, help="worst deals and auctions to print")
    parser.add_argument("--how", choices=["double", "overcall"], default="double")
    args = parser.parse_args()
    out = run(args.system, args.deals, args.start, args.show, args.how)
    print(json.dumps(out, indent=1, ensure_ascii=False).replace("\\n", "\n"))


if __name__ == "__main__":
    main()
