"""Why a call was chosen, in a sentence a player would say: what the hand has, where the auction
goes in the deals that were imagined, and what the next best call would have done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.kernel import Contracts, Leaves, Race
from overtrick.game import CALLS
from overtrick.systems.allowed import Allowed

_CLEAR: Final = 1.0  # standard errors beyond which one call is said to be better
_FIRST_BID: Final = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class End:
    """The commonest end of the auction after a call: who plays what, how often, does it make?"""

    contract: str
    ours: bool
    share: float
    makes: float

    def __str__(self) -> str:
        if self.contract == "Pass":
            return f"everybody passes in {_hundred(self.share)}"
        if not self.ours:
            return (
                f"they play {self.contract} in {_hundred(self.share)} "
                f"and make it in {round(100 * self.makes)} of 100"
            )
        return (
            f"we play {self.contract} in {_hundred(self.share)} "
            f"and make it in {round(100 * self.makes)} of 100"
        )


def _hundred(share: float) -> str:
    return f"{round(100 * share)} of 100 deals"


def commonest_end(contracts: Contracts, leaves: Leaves, shares: Floats, side: int) -> End:
    """The end that one call's contracts [worlds, 1] share most often."""
    rows = contracts.array[:, 0]
    kinds, which = np.unique(
        np.stack([rows[:, 0], rows[:, 1] % 2, rows[:, 2]], axis=1), axis=0, return_inverse=True
    )
    weight = np.bincount(which.ravel(), shares, len(kinds))
    best = int(weight.argmax())
    bid, declaring, doubled = (int(x) for x in kinds[best])
    if bid < 0:
        return End("Pass", ours=True, share=float(weight[best]), makes=0.0)
    chances = leaves.chances(contracts)[:, 0]
    made = chances[:, bid // 5 + 7 :].sum(axis=1)
    here = which.ravel() == best
    makes = float(shares[here] @ made[here] / shares[here].sum())
    name = f"{CALLS[bid + _FIRST_BID]}{('', ' doubled', ' redoubled')[doubled]}"
    return End(name, declaring == side, float(weight[best]), makes)


def best_other(race: Race, place: int) -> int | None:
    """The call that came nearest to the chosen one."""
    means = {
        i: race.gain(i, place)[0] for i in range(len(race.calls)) if i != place and race.seen(i)
    }
    return max(means, key=lambda i: means[i]) if means else None


def reason(way: Allowed, race: Race | None = None, place: int = 0, end: End | None = None) -> str:
    """The whole sentence."""
    parts = [way.option.words + (f", stretched: {way.lacks}" if way.lacks else "")]
    if end is not None:
        parts.append(str(end))
    other = best_other(race, place) if race is not None else None
    if race is not None and other is not None:
        gain, error = race.gain(place, other)
        name = CALLS[race.calls[other]]
        if gain > _CLEAR * error:
            parts.append(f"{name} would cost {gain:.1f} IMPs")
        else:
            parts.append(f"{name} is about as good")
    return "; ".join(parts)
