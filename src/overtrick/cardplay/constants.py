"""What card players take as given: how far evidence is believed, how many layouts are looked at.
Values, units and origins are tabled in docs/reference/constants.md, which is made from here."""

from __future__ import annotations

from typing import Final

from overtrick.engines.constants import Measurement, constant

_DECISIONS: Final = "lab/notes/decisions/cardplay.md"
_STRANGERS: Final = Measurement(_DECISIONS, "WBridge5's 1–450 and 50–80 of each of our bidders")
_BELIEF: Final = Measurement(_DECISIONS, "60 of the belief's own")
_LEARNED: Final = Measurement(_DECISIONS, "boards of policy and bmcs")
_TOLD: Final = Measurement(_DECISIONS)
_DEALT: Final = Measurement(_DECISIONS, "positions with 200 worlds")
_HOLDERS: Final = Measurement(_DECISIONS, "two sets, 120 each")
_EFFORTS: Final = Measurement(_DECISIONS)
_FLATTERED: Final = Measurement(_DECISIONS)
_KINDS: Final = Measurement(_DECISIONS, "101 positions of benchmarks/lead_positions.txt, by halves")
_BEATS: Final = Measurement(_DECISIONS, "85 with 80 solved layouts each")
_SEARCHED: Final = Measurement(_DECISIONS)
_NUMBERS: Final = Measurement(_DECISIONS)
_TIES: Final = Measurement(_DECISIONS)
_WORLDS: Final = Measurement(_DECISIONS, "24 choices at the second trick")

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
LEAD_WORLDS: Final = constant(60, "worlds", "solved if nobody says otherwise")
LEAD_EFFORT: Final = constant(
    0.5,
    "share",
    "of the effort a card may take: beyond a third of a second little is gained",
    _EFFORTS,
)
LEAD_KINDS_NOTRUMP: Final = constant(
    {
        "partner's": 0.35, "long": 0.25, "sequence": 0.1, "from an honour": -0.05,
        "doubleton": -0.1, "theirs": -0.1, "three": -0.2,
    },
    "tricks",
    "that kinds of lead against notrump are worth beyond what the worlds say",
    _KINDS,
    "without them 69 % of experts' leads, with those of the other half 83 %",
)  # fmt: skip
LEAD_KINDS_TRUMPS: Final = constant(
    {
        "partner's": 0.1, "trump": -0.005, "from an honour": -0.01, "bare honour": -0.015,
        "under the ace": -0.025,
    },
    "tricks",
    "the same against a suit",
    _FLATTERED,
    "weights as at notrump: 0.10 ± 0.05 tricks more given up double dummy on 58 boards",
)  # fmt: skip
LEAD_BARE_ACE: Final = constant(
    0.3,
    "tricks",
    "that it flatters the ace from a long suit against notrump, which cuts partner off",
    _FLATTERED,
)
LEAD_BEATS: Final = constant(
    {"imps": 0.5, "matchpoints": 0.0, "tricks": 0.0},
    "tricks",
    "that beating the contract is worth beside them",
    _BEATS,
    "one, two, three or five tricks: 0.0 to 0.2 ± 0.2 of a hundred contracts more",
)
LEAD_RULES: Final = constant(
    0.01,
    "tricks",
    "that the rules' opinion is worth, to break ties",
    _FLATTERED,
    "nothing measurable",
)
LEAD_AVERAGE: Final = constant(
    0.35, "share", "of the opinion is that of the network which sees averages"
)
LEAD_TRUST: Final = constant(
    20.0,
    "worlds",
    "solved ones that count as much as the opinion",
    _FLATTERED,
    "as much as was best on other worlds",
)
LEAD_GLANCED: Final = constant(600, "worlds", "that the networks look at", _FLATTERED)
LEAD_ENOUGH: Final = constant(150.0, "layouts", "independent ones that the dealing must be worth")
LEAD_STEP: Final = constant(4, "worlds", "solved at a time")
LEAD_TAKES: Final = constant(0.25, "seconds", "of work a hard world may take, for the clock only")
LEAD_NO_LESS: Final = constant(
    0.12,
    "seconds",
    "of work that any world must have: the networks say nearly as much, and are not late",
)
LEAD_SPREAD: Final = constant(0.3, "tricks", "that the network is off by in a world, at least")
LEAD_SURE: Final = constant(1.6, "standard errors", "by which a suit must be ahead to stop early")
SEARCH_CARDS: Final = constant(5, "cards", "the best by double dummy that the search compares")
SEARCH_WORLDS: Final = constant(
    40, "worlds", "that the search looks at; more make it shallow, not better", _SEARCHED
)
SEARCH_SOLVED: Final = constant(5, "cards", "left from which a defender tries to solve the ending")
SEARCH_FIRST: Final = constant(
    11, "cards", "left from which the search is worth its time; before that pimc plays"
)
SEARCH_SOLVES: Final = constant(
    {11: 2500, 10: 4000, 9: 6000},
    "positions",
    "solved at most, by cards left: about two seconds each; with fewer cards 10,000",
)
EARLY_CARDS: Final = constant(
    12,
    "cards",
    "left from which yes-or-no questions are asked, not numbers",
    _NUMBERS,
    "a binary solve costs a fifth of an exact one",
)
TIES_DOUBTED: Final = constant(
    10, "cards", "left from which ties are looked at without evidence too", _TIES
)
TIES_UNSURE: Final = constant(
    0.01, "chance", "within which the contract is as good as made or lost, before that", _TIES
)
TIES_OTHERS: Final = constant(50, "layouts", "without evidence that ties are looked at in", _TIES)
TIES_MANY: Final = constant(
    200, "layouts", "in all when cards are still equal and tricks are all that matters", _TIES
)
TIES_LISTED: Final = constant(300, "layouts", "or all of them, if there are no more", _TIES)
SECONDS: Final = constant(
    4.0, "seconds", "for a card; the work of one takes a quarter of that on a slow core"
)
CLOCK_SPARED: Final = constant(
    0.25, "share", "of a clock that is kept for what cannot be broken off"
)
CLOCK_IN_HAND: Final = constant(0.05, "seconds", "of work that are kept for it at most")
# How many worlds one question is asked in, by cards left: about half a second of one core. Hard
# deals take ten times as long as others, hence the brake in nodes of the solver, a second of which
# searches some 2.8 million. One early card in a hundred meets it; there the number of worlds may
# depend on what was solved before, since the solver's tables do.
SOLVED_WORLDS: Final = constant(
    {13: 16, 12: 60, 11: 80},
    "worlds",
    "solved at most, by cards left",
    _WORLDS,
    "at the second trick 0.15, 0.125 and 0.125 tricks a choice with 40, 60 and 120",
)
EFFORT: Final = constant(
    2_000_000, "nodes", "of the solver a card may take: the brake, 0.7 seconds", _WORLDS
)
SOLVED_FIRST: Final = constant(0.6, "share", "of the effort is for the first of several questions")
SOLVED_STEP: Final = constant(8, "worlds", "solved at a time")
SOLVED_LATER: Final = constant(
    40, "worlds", "solved at a time when few cards are left, where a call costs as much"
)
SOLVED_FEW: Final = constant(9, "cards", "left are few")
SOLVED_TAKES: Final = constant(
    {13: 0.3, 12: 0.1, 11: 0.03},
    "seconds",
    "of work a hard world may take, by cards left, for the clock only",
)
SOLVED_TAKES_LATER: Final = constant(0.01, "seconds", "the same with fewer cards")
SOLVED_EASIER: Final = constant(0.2, "share", "of that is what most worlds take")
SOLVED_QUESTIONS: Final = constant(
    4, "questions", "about numbers of tricks, after the goal, while cards seem equal"
)
EXCUSED_BY_FAR: Final = constant(
    4, "times", "as many tricks won as lost: such a card makes another needless", _TIES
)
LITTLE: Final = constant(0.03, "IMPs", "or tricks: less cannot be told apart in some worlds", _TIES)
LEAD_NEAR: Final = constant(
    0.035, "tricks", "that the agreed card of a suit may cost against the best of it"
)
LEAD_LEAST: Final = constant(12, "worlds", "solved before a clear lead may end it")
