"""What card players take as given: how far evidence is believed, how many layouts are looked at.
Values, units and origins are tabled in docs/reference/constants.md, which is made from here."""

from __future__ import annotations

from typing import Final

from overtrick.engines.constants import Measurement, constant

_DECISIONS: Final = "docs/decisions/cardplay.md"
_STRANGERS: Final = Measurement(_DECISIONS, "WBridge5's 1–450 and 50–80 of each of our bidders")
_BELIEF: Final = Measurement(_DECISIONS, "60 of the belief's own")
_LEARNED: Final = Measurement(_DECISIONS, "boards of policy and bmcs")
_TOLD: Final = Measurement(_DECISIONS)
_DEALT: Final = Measurement(_DECISIONS, "positions with 200 worlds")
_HOLDERS: Final = Measurement(_DECISIONS, "two sets, 120 each")

BIDDERS_ANY: Final = constant(
    0.001, "probability", "of any call that the network would not make", _TOLD
)
BIDDERS_HOPELESS: Final = constant(
    6.0, "nats", "below the best layout a bidder is not asked any more"
)
STRANGERS_RANGES: Final = constant(
    0.3, "share", "of the word of what was explained, or of common sense", _STRANGERS
)
STRANGERS_BELIEF: Final = constant(0.3, "share", "of the word of the belief network", _STRANGERS)
STRANGERS_MIXTURE: Final = constant(
    0.6,
    "share",
    "of the word of those who may have bid like that",
    _STRANGERS,
    "the whole word makes the worst cases of WBridge5 worse",
)
RANGES_PER_POINT: Final = constant(
    1.3, "nats", "a high-card point outside the range that was told", _TOLD
)
RANGES_PER_CARD: Final = constant(2.5, "nats", "a card outside the length that was told", _TOLD)
RANGES_BROKEN: Final = constant(
    3.0, "nats", "a hand that the exact constraint of a call excludes", _TOLD
)
RANGES_FLOOR: Final = constant(-12.0, "nats", "the least that ranges say of a hand")
RANGES_GUESSED: Final = constant(
    0.6,
    "share",
    "of the word of what an unexplained call usually means",
)
RANGES_PASSES: Final = constant(
    12, "points", "a pass said to be weaker than this has been explained"
)
RANGES_SUREST: Final = constant(
    0.97, "probability", "at most that a hand would have acted instead of passing"
)
RULES_MISSED: Final = constant(
    4.5, "nats", "a call that the declared system would not make with this hand", _TOLD
)
RULES_SOFT: Final = constant(
    0.5, "share", "of what the ranges say of such a hand, so that near misses stay nearer"
)
RULES_FLOOR: Final = constant(-16.0, "nats", "the least that rules say of a hand")
RULES_SENSE: Final = constant(
    0.7, "share", "of the word of common sense beside the network", _BELIEF
)
RULES_LOST: Final = constant(100, "hands", "without a rule that are asked one by one")
FUNNEL_DEALT: Final = constant(125, "layouts", "dealt at a time for each world kept")
FUNNEL_DEALS: Final = constant(
    5,
    "times",
    "that many, at most, where the cheapest witnesses leave few",
    _DEALT,
    "worlds worth 223 instead of 106 independent ones, for 20 ms",
)
FUNNEL_FITTING: Final = constant(4, "layouts", "that fit, for each world kept, are enough", _DEALT)
FUNNEL_GLANCE: Final = constant(
    1.0, "µs", "a layout: cheaper witnesses are asked about all that are dealt"
)
FUNNEL_WIDTHS: Final = constant(
    ((2.0, 50), (4.0, 25), (float("inf"), 8)),
    "(µs, layouts)",
    "witnesses up to this cost are asked about so many for each world kept",
    _LEARNED,
    "a third of the time of a board",
)
FUNNEL_SETTLED: Final = constant(
    4.0, "µs", "a layout: from here on a round is judged by the layouts that are left"
)
FUNNEL_ROUNDS: Final = constant(3, "rounds", "at most")
FUNNEL_AHEAD: Final = constant(
    3, "times", "what a round takes must be left on the clock for another one"
)
HOLDERS_WORTH: Final = constant(
    100, "layouts", "independent ones wanted: by luck a chance is then off by 5 points at most"
)
HOLDERS_DEALT: Final = constant(
    100,
    "layouts",
    "by the cards alone, which together count as one more",
    _HOLDERS,
    "five or more are too modest from nine cards left on",
)
CLAIM_LAYOUTS: Final = constant(
    80, "layouts", "searched at most; four cards each and no void known are 70"
)
CLAIM_CARDS: Final = constant(4, "cards", "left in a hand, at most, for a search over every layout")
CLAIM_NODES: Final = constant(30_000, "nodes", "of a proof")
CLAIM_SEARCH_NODES: Final = constant(2_000, "nodes", "of the search for more tricks")
ENDINGS_CARDS: Final = constant(
    {True: 7, False: 5}, "cards", "left from which an ending is solved, by declaring"
)
ENDINGS_LAYOUTS: Final = constant(
    {True: 100, False: 40}, "layouts", "of an ending that is solved, at most, by declaring"
)
ENDINGS_PROOF: Final = constant(5_000, "nodes", "with every card an observation of its own")
ENDINGS_NODES: Final = constant(
    30_000, "nodes", "with touching cards taken for one: a quarter of a second"
)
ENDINGS_NAMED: Final = constant(
    12_000, "nodes", "more to name the line, and for each defender who is tested"
)
ENDINGS_LOOKED: Final = constant(3, "layouts", "played through for the name")
