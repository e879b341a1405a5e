"""Who holds which card, given everything a seat has seen: for the page, and for what measures it.

Players want a few worlds to solve, and touching cards count as one there. A chance told by a few
layouts is too bold, though, and every card counts here: so there are many layouts, each itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator

from overtrick.cardplay.agreed import book_of
from overtrick.cardplay.knowledge import KINDS, Evidence, Worlds, voices, weighed_layouts
from overtrick.cardplay.lead import lead_worlds
from overtrick.cardplay.reading import Floats
from overtrick.cardplay.sampling import Hands, count_layouts, deal_layouts
from overtrick.cardplay.situation import Situation
from overtrick.worlds.weighted import effective, shares_of

WORTH: Final = 100  # independent layouts wanted: by luck a chance is then off by 5 points at most
_DEALT: Final = 100  # layouts dealt by the cards alone, which together count as one more
# Where whoever may have bid can be asked, the auction is taken at its word and the cards nearly so.
# At the 0.85 of players the odds should have been taken to the power of 1.09 ± 0.03 where systems
# are known (120 boards), 1.09 and 1.16 ± 0.06 where calls are explained and where nothing is (120
# others); here it is 1.03 ± 0.06 where they are known. More may be right, but modest is better.
_ASKED: Final = Evidence(auction=1.0, lead=0.95, carding=0.95, line=0.95)


def told(at: Situation) -> Evidence:
    """How far evidence is taken at its word for people: further where everybody whose hand is
    hidden, or who may bid like that, can be asked what they would have bid."""
    asked = {each.seat for each in voices(at, _ASKED)}
    known = all(seat in asked or book_of(at.view, seat) for seat in at.hidden)
    return _ASKED if known else KINDS["all"]


def could_be(at: Situation, kind: Evidence | None = None) -> Worlds:
    """Many layouts with their weights, the same for the same view; all of them where they are few.
    The evidence is what people are told by, unless another is given."""
    kind = told(at) if kind is None else kind
    rng = np.random.default_rng(at.view.seed)
    if len(at.hidden) == 3:  # before the opening lead
        drawn = lead_worlds(at, WORTH, rng, kind)
        return _and_one_more(at, drawn, rng)
    return as_worlds(at, *weighed_layouts(at, WORTH, rng, kind), rng)


def as_worlds(at: Situation, hands: Hands, logs: Floats, rng: Generator) -> Worlds:
    """Layouts with log-weights as they are told: alone where there are no others."""
    complete = len(hands) == count_layouts(at)
    found = Worlds(hands, shares_of(logs), complete, effective(logs))
    return found if complete else _and_one_more(at, found, rng)


def _and_one_more(at: Situation, drawn: Worlds, rng: Generator) -> Worlds:
    """Drawn layouts may miss what is so, and some auctions leave few that fit: so one more is
    added, spread over layouts that only the cards speak for. Its say is small where evidence found
    many, and what the cards make certain stays certain."""
    worth = drawn.effective
    bare = deal_layouts(at, _DEALT, rng)
    weights = np.concatenate([worth * drawn.weights, np.full(_DEALT, 1 / _DEALT)]) / (worth + 1)
    return Worlds(np.concatenate([drawn.hands, bare]), weights, False, worth)


def holders(worlds: Worlds) -> Floats:
    """P(seat still holds card) as [seat, card]: each seat's chances sum to the cards it has left,
    those of a card to 1 until it is played."""
    cards = np.arange(52, dtype=np.uint64)
    each = [
        (worlds.hands[:, seat, None] >> cards & np.uint64(1)).astype(float) for seat in range(4)
    ]
    return np.stack([worlds.weights @ has for has in each])
