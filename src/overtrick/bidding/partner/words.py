"""Why a call was chosen, as a player would say it: what the hand has, where the auction goes in the
deals that were imagined, and what the next best call would have done."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.constants import PARTNER_CLEAR
from overtrick.bidding.kernel import Contracts, Leaves, Race
from overtrick.game import CALLS
from overtrick.game.reasons import Agreed, AsGood, Costs, Ends, MakesUp, Reason
from overtrick.systems.allowed import Allowed

_FIRST_BID: Final = 3

Floats = NDArray[np.float64]


def commonest_end(contracts: Contracts, leaves: Leaves, shares: Floats, side: int) -> Ends:
    """The end that one call's contracts [worlds, 1] share most often."""
    rows = contracts.array[:, 0]
    kinds, which = np.unique(
        np.stack([rows[:, 0], rows[:, 1] % 2, rows[:, 2]], axis=1), axis=0, return_inverse=True
    )
    weight = np.bincount(which.ravel(), shares, len(kinds))
    best = int(weight.argmax())
    bid, declaring, doubled = (int(x) for x in kinds[best])
    if bid < 0:
        return Ends(None, 0, ours=True, share=float(weight[best]), makes=0.0)
    chances = leaves.chances(contracts)[:, 0]
    made = chances[:, bid // 5 + 7 :].sum(axis=1)
    here = which.ravel() == best
    makes = float(shares[here] @ made[here] / shares[here].sum())
    contract = CALLS[bid + _FIRST_BID]
    return Ends(contract, doubled, declaring == side, float(weight[best]), makes)


def best_other(race: Race, place: int) -> int | None:
    """The call that came nearest to the chosen one."""
    means = {
        i: race.gain(i, place)[0] for i in range(len(race.calls)) if i != place and race.seen(i)
    }
    return max(means, key=lambda i: means[i]) if means else None


def reasons(
    way: Allowed,
    merit: MakesUp | None,
    race: Race | None = None,
    place: int = 0,
    end: Ends | None = None,
) -> tuple[Reason, ...]:
    """What the hand has, how it departs and what makes up for that, where the auction goes, and the
    next best call."""
    found: list[Reason] = [Agreed(way.option.words)]
    found += [r for r in (way.departs, merit, end) if r is not None]
    other = best_other(race, place) if race is not None else None
    if race is not None and other is not None:
        gain, error = race.gain(place, other)
        call = CALLS[race.calls[other]]
        found.append(Costs(call, gain) if gain > PARTNER_CLEAR * error else AsGood(call))
    return tuple(found)
