"""Who holds which card, given everything a seat has seen: for the page, and for what measures it.

Players want a few worlds to solve, and touching cards count as one there. A chance told by a few
layouts is too bold, though, and every card counts here: so there are many layouts, each itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.random import Generator

from overtrick.cardplay.constants import HOLDERS_DEALT, HOLDERS_WORTH
from overtrick.cardplay.evidence.bidders import mixtures_of
from overtrick.cardplay.evidence.rules import book_of
from overtrick.cardplay.knowledge import KINDS, Evidence, cards_left, funnel
from overtrick.cardplay.lead import lead_worlds
from overtrick.cardplay.sampling import count_layouts, deal_layouts
from overtrick.cardplay.situation import Situation
from overtrick.worlds.weighted import Floats, Worlds

# Where whoever may have bid can be asked, the auction is taken at its word and the cards nearly so.
# At the 0.85 of players the odds should have been taken to the power of 1.09 ± 0.03 where systems
# are known (120 boards), 1.09 and 1.16 ± 0.06 where calls are explained and where nothing is (120
# others); here it is 1.03 ± 0.06 where they are known. More may be right, but modest is better.
_ASKED: Final = Evidence(auction=1.0, lead=0.95, carding=0.95, line=0.95)


def for_people(at: Situation) -> Evidence:
    """How far evidence is taken at its word for people: further where everybody whose hand is
    hidden, or who may bid like that, can be asked what they would have bid."""
    asked = mixtures_of(at.view, _ASKED.belief)
    known = all(seat in asked or book_of(at.view, seat) for seat in at.hidden)
    return _ASKED if known else KINDS["all"]


def could_be(at: Situation, kind: Evidence | None = None) -> Worlds:
    """Many layouts with their weights, the same for the same view; all of them where they are few.
    The evidence is what people are told by, unless another is given."""
    kind = for_people(at) if kind is None else kind
    rng = np.random.default_rng(at.view.seed)
    if len(at.hidden) == 3:  # before the opening lead
        return _and_one_more(at, lead_worlds(at, HOLDERS_WORTH, rng, kind), rng)
    return as_told(at, cards_left(at, funnel(at, kind).drawn(HOLDERS_WORTH, rng)), rng)


def as_told(at: Situation, worlds: Worlds, rng: Generator) -> Worlds:
    """Layouts as people are told of them: alone where there are no others."""
    if len(worlds) == count_layouts(at):
        return replace(worlds, complete=True)
    return _and_one_more(at, worlds, rng)


def _and_one_more(at: Situation, drawn: Worlds, rng: Generator) -> Worlds:
    """Drawn layouts may miss what is so, and some auctions leave few that fit: so one more is
    added, spread over layouts that only the cards speak for. Its say is small where evidence found
    many, and what the cards make certain stays certain."""
    worth = drawn.effective
    bare = deal_layouts(at, HOLDERS_DEALT, rng)
    shares = np.concatenate([worth * drawn.shares, np.full(HOLDERS_DEALT, 1 / HOLDERS_DEALT)]) / (
        worth + 1
    )
    return Worlds.weighing(np.concatenate([drawn.deals, bare]), shares, drawn=worth)


def holders(worlds: Worlds) -> Floats:
    """P(seat still holds card) as [seat, card]: each seat's chances sum to the cards it has left,
    those of a card to 1 until it is played."""
    cards = np.arange(52, dtype=np.uint64)
    each = [
        (worlds.deals[:, seat, None] >> cards & np.uint64(1)).astype(float) for seat in range(4)
    ]
    return np.stack([worlds.shares @ has for has in each])
