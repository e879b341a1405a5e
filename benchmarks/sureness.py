"""How sure are bidders of their calls? Run `PYTHONPATH=src:. python -m benchmarks.sureness`.

Two bidders bid random deals, the first one side. At its last turn every hidden hand that has bid is
weighed against random ones by how likely the network that stands for its seat makes its calls, with
preferences divided by each `heat`: the mean of the logarithm in nats, and the worst fiftieth. Who
searches, or plays another way than the network, is read best by one that is less sure than it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from overtrick.bidding import Bidder, bidder
from overtrick.bidding.bmcs import Bmcs
from overtrick.bidding.kernel import AuctionPosition, Caller, CallerMixture, NetworkCaller
from overtrick.bidding.partner import Partner
from overtrick.game import Auction, Board, Systems, View, view_of

HEATS: Final = (1.0, 1.5, 2.0, 3.0, 4.5)
DOUBT: Final = 0.01  # as searching bidders have it
_HANDS: Final = 3000
Floats = NDArray[np.float64]


def last_turns(
    ours: Bidder, theirs: Bidder, start: int, count: int
) -> Iterator[tuple[Board, View]]:
    """The last turn of the first bidder on each deal, sides changing from deal to deal."""
    for seed in range(start, start + count):
        board = Board.random(seed % 16 + 1, seed=seed)
        auction, last = Auction(board.dealer), None
        while not auction.is_over:
            mine = auction.turn % 2 == seed // 16 % 2
            one, other = (ours, theirs) if mine else (theirs, ours)
            view = view_of(board, auction, systems=Systems(one.system, other.system))
            last = view if mine else last
            auction = auction.then(one.bid(view).call)
        if last is not None:
            yield board, last


def network_of(caller: Caller) -> NetworkCaller | None:
    """The network of a caller, where there is one."""
    if isinstance(caller, CallerMixture):
        caller = caller.parts[0][1]
    return caller if isinstance(caller, NetworkCaller) else None


def others(view: View, rng: Generator) -> NDArray[np.uint64]:
    """Random hands from the cards that a seat does not hold."""
    cards = np.array([c for c in range(52) if not view.hand.bits >> c & 1], np.uint64)
    order = rng.random((_HANDS, len(cards))).argsort(axis=1)[:, :13]
    return np.asarray(np.bitwise_or.reduce(np.uint64(1) << cards[order], axis=1))


def told(
    caller: NetworkCaller, at: AuctionPosition, seat: int, hands: NDArray[np.uint64]
) -> Floats:
    """[heats]: nats by which the seat's calls speak for the first hand against the others."""
    out = []
    for heat in HEATS:
        who = NetworkCaller(caller.net, caller.ours, caller.theirs, heat)
        logs = np.zeros(len(hands))
        for turn, call in enumerate(at.calls):
            if at.seat_of(turn) == seat:
                chance = who.chances(at.before(turn), hands)[:, call]
                logs += np.log((1 - DOUBT) * chance + DOUBT / 38)
        out.append(logs[0] - np.logaddexp.reduce(logs) + np.log(len(hands)))
    return np.array(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bidder", default="bmcs", help="bmcs or partner, with options")
    parser.add_argument("--opponent", default="policy(net=sl)")
    parser.add_argument("--start", type=int, default=88_000_000)
    parser.add_argument("--count", type=int, default=150)
    args = parser.parse_args()
    ours, theirs, rng = bidder(args.bidder), bidder(args.opponent), np.random.default_rng(1)
    if not isinstance(ours, Bmcs | Partner):
        raise SystemExit("bidder is bmcs or partner: who else would imagine hands?")
    found: dict[str, list[Floats]] = {"partner": [], "opponents": []}
    for board, view in last_turns(ours, theirs, args.start, args.count):
        at, search = AuctionPosition.of(view), ours if isinstance(ours, Bmcs) else ours.search
        callers, hands = search.callers(view), others(view, rng)
        for away in (1, 2, 3):
            seat = (int(view.seat) + away) % 4
            bids = any(at.calls[t] for t in range(len(at.calls)) if at.seat_of(t) == seat)
            if bids and (caller := network_of(callers[seat])) is not None:
                true = np.array([board.deal.hands[seat].bits], np.uint64)
                nats = told(caller, at, seat, np.concatenate([true, hands]))
                found["partner" if away == 2 else "opponents"].append(nats)
    for who, values in found.items():
        nats = np.array(values).reshape(-1, len(HEATS))
        for heat, column in zip(HEATS, nats.T, strict=True):
            error = column.std() / max(len(column), 1) ** 0.5
            print(f"{who:9} heat {heat}: {column.mean():.2f} ± {error:.2f} nats, worst fiftieth "
                  f"{np.quantile(column, 0.02):+.2f} ({len(column)} hands)")  # fmt: skip


if __name__ == "__main__":
    main()
