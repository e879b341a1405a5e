"""Hands with nothing to say, as an observation shows them: learned bidders pass with these.

Plain arithmetic, so that arrays of numpy and of JAX are both taken.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from overtrick.nets.features import BIDS, HAND_START, HISTORY_START, PASS, PLAIN_WIDTH

_LEARNED: Final = frozenset({"policy"})
"""Networks that learned to pass with such hands, one in two hundred apart."""
_ONE_OF_A_SUIT: Final = 4  # so many bids are lower than 1NT
_LHO, _PARTNER, _RHO = 1, 2, 3  # seats from the player to call
_VALUES: Final = np.array([0] * 9 + [1, 2, 3, 4], np.int32)


def points_and_lengths(observation: Any) -> tuple[Any, Any]:
    """HCP [n] and suit lengths [n, 4] of the hand to call."""
    hand = observation[:, HAND_START:PLAIN_WIDTH].reshape(-1, 13, 4).astype(np.int32)
    return (hand.sum(axis=2) * _VALUES).sum(axis=1), hand.sum(axis=1)


def nothing_to_say(observation: Any) -> Any:
    """[n]: would any call but a pass be a bluff, because the hand has nothing to say?

    Nobody's system has a call for such hands: at most 7 points without a five-card suit, or at
    most 4 without a six-card suit, while partner has only passed; or at most 4 points without a
    five-card suit, when partner's opening of one in a suit is the only bid. Opponents who believe
    what they are told cannot answer such calls, and networks that do not learn never will.
    """
    history = observation[:, HISTORY_START:HAND_START].reshape(-1, BIDS, 3, 4).astype(bool)
    acted = history.any(axis=(1, 2))  # [n, seat], from the player to call
    opened = history[:, :_ONE_OF_A_SUIT, 0, _PARTNER].any(axis=1)
    only = history[:, :, :, _PARTNER].sum(axis=(1, 2)) == 1
    others = acted[:, 0] | acted[:, _LHO] | acted[:, _RHO]
    points, lengths = points_and_lengths(observation)
    longest = lengths.max(axis=1)
    poor = (points <= 4) & (longest <= 4)
    responding = acted[:, _PARTNER] & opened & only & ~others & poor
    nothing = (points <= 7) & (longest <= 4) | (points <= 4) & (longest <= 5)
    return responding | ~acted[:, _PARTNER] & nothing


def kept_quiet(name: str, observations: Any, chances: Any) -> Any:
    """[n, 38]: the chances of calls as a bidder keeps to them: a network that learned to pass with
    nothing to say has no exceptions."""
    if name not in _LEARNED:
        return chances
    passing = np.arange(chances.shape[1]) == PASS
    return np.where(nothing_to_say(observations)[:, None], passing, chances)
