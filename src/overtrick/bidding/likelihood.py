"""How likely an auction is in each of many proposed worlds, by a policy network.
Used by bmcs to weigh worlds; hopeless worlds are dropped on the way, so most cost one question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.policy import seen_systems
from overtrick.game import View
from overtrick.nets.features import legal_calls, observe, public_bits
from overtrick.nets.inference import Network, softmax

Floats = NDArray[np.float64]
_PILOT: Final = 48  # worlds on which it is found out which calls say most
_HOPELESS: Final = 7.0  # log weight below the best at which a world is dropped
_FLOOR: Final = 1e-9


def turns_of(view: View, seats: Sequence[int]) -> list[int]:
    """The calls that these seats made."""
    return [t for t in range(len(view.auction.calls)) if view.dealer.plus(t) in seats]


def most_told(view: View) -> int:
    """Which hidden seat (1 LHO, 2 partner, 3 RHO) has said most: bids and doubles, partner's first.

    His hand is drawn first, and worlds go on only from hands that would have bid like that.
    """
    calls = view.auction.calls
    said = [0.0, 0.0, 0.5, 0.0]
    for turn in range(len(calls)):
        said[(view.dealer.plus(turn) - view.seat) % 4] += 1.0 if int(calls[turn]) else 0.2
    return max((2, 1, 3), key=lambda step: said[step])


def call_chances(
    net: Network, view: View, hands: NDArray[np.uint64], turn: int
) -> NDArray[np.float64]:
    """P(the call that was made) at that turn, for each world [n, seat]."""
    calls = [int(c) for c in view.auction.calls]
    seat = view.dealer.plus(turn)
    public = public_bits(calls[:turn], view.dealer, view.vul, seat)
    rows = observe(hands[:, seat], public, seen_systems(net, view, seat))
    legal = legal_calls(rows[:1])[0]  # the same for every hand
    place = int(legal[: calls[turn]].sum())
    return softmax(net.run(rows)[:, legal])[:, place].astype(float)


def log_likelihood(
    net: Network,
    view: View,
    hands: NDArray[np.uint64],
    prior: Floats,
    *,
    seats: Sequence[int],
    doubt: float,
    least: int,
) -> Floats:
    """log P(all calls of these seats | world), -inf for worlds dropped as hopeless.

    `prior` (log weights so far) only serves to see which worlds are hopeless; at least `least`
    worlds are kept to the end. `doubt` is how often a player does something else entirely.
    """
    found = np.zeros(len(hands))
    alive = np.arange(len(hands))

    def logs(worlds: NDArray[np.intp], turn: int) -> Floats:
        chance = call_chances(net, view, hands[worlds], turn)
        found: Floats = np.log((1 - doubt) * chance + max(doubt / 38, _FLOOR))
        return found

    for turn in _by_weight(turns_of(view, seats), alive[:_PILOT], logs):
        found[alive] += logs(alive, turn)
        if len(alive) <= least:
            continue
        score = (found + prior)[alive]
        bar = min(score.max() - _HOPELESS, np.partition(score, -least)[-least])
        found[alive[score < bar]] = -np.inf
        alive = alive[score >= bar]
    return found


def _by_weight(
    turns: Sequence[int],
    pilot: NDArray[np.intp],
    logs: Callable[[NDArray[np.intp], int], Floats],
) -> list[int]:
    """Calls that most worlds do not explain come first."""
    if len(turns) < 2:
        return list(turns)
    told = {turn: float(logs(pilot, turn).mean()) for turn in turns}
    return sorted(turns, key=lambda turn: told[turn])
