"""Who holds which card, given everything a seat has seen: for the page, and for what measures it.

Players want a few worlds to solve, and touching cards count as one there. A chance told by a few
layouts is too bold, though, and every card counts here: so there are many layouts, each itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from overtrick.cardplay.knowledge import KINDS, Evidence, Worlds, weighed_layouts
from overtrick.cardplay.lead import lead_worlds
from overtrick.cardplay.reading import Floats
from overtrick.cardplay.sampling import count_layouts, deal_layouts
from overtrick.cardplay.situation import Situation
from overtrick.worlds.weighted import effective, shares_of

_WORTH: Final = 100  # independent layouts wanted: by luck a chance is then off by 5 points at most
_DEALT: Final = 100  # layouts dealt by the cards alone, which together count as one more


def could_be(at: Situation, kind: Evidence = KINDS["all"]) -> Worlds:
    """Many layouts with their weights, the same for the same view; all of them where they are few.

    Drawn layouts may miss what is so, and some auctions leave few that fit: so one more is added,
    spread over layouts that only the cards speak for. Its say is small where evidence found many,
    and what the cards make certain stays certain.
    """
    rng = np.random.default_rng(at.view.seed)
    if len(at.hidden) == 3:  # before the opening lead
        drawn = lead_worlds(at, _WORTH, rng, kind)
        hands, weights, worth = drawn.hands, drawn.weights, drawn.effective
    else:
        hands, logs = weighed_layouts(at, _WORTH, rng, kind)
        weights, worth = shares_of(logs), effective(logs)
        if len(hands) == count_layouts(at):
            return Worlds(hands, weights, True, worth)
    bare = deal_layouts(at, _DEALT, rng)
    weights = np.concatenate([worth * weights, np.full(_DEALT, 1 / _DEALT)]) / (worth + 1)
    return Worlds(np.concatenate([hands, bare]), weights, False, worth)


def holders(worlds: Worlds) -> Floats:
    """P(seat still holds card) as [seat, card]: each seat's chances sum to the cards it has left,
    those of a card to 1 until it is played."""
    cards = np.arange(52, dtype=np.uint64)
    each = [
        (worlds.hands[:, seat, None] >> cards & np.uint64(1)).astype(float) for seat in range(4)
    ]
    return np.stack([worlds.weights @ has for has in each])
