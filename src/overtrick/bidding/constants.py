"""What bidders take as given: how opponents are imagined, when a race ends, what is told.
Values, units and origins are tabled in docs/reference/constants.md, which is made from here."""

from __future__ import annotations

from typing import Final

from overtrick.engines.constants import Measurement, constant

_DECLARED: Final = Measurement("lab/notes/decisions/kernel.md", "60 of each opponent", "2026-11-15")
_OKBRIDGE: Final = Measurement("30 million results of OKbridge")

LIKELIHOOD_PILOT: Final = constant(48, "worlds", "on which it is found out which calls say most")
LIKELIHOOD_HOPELESS: Final = constant(7.0, "nats", "below the best world one is dropped")
LIKELIHOOD_FLOOR: Final = constant(1e-9, "probability", "the least of any call")
DECLARED_STRANGER: Final = constant(
    0.6,
    "probability",
    "that a side which declares a system bids like the imitation and not by our rules",
    _DECLARED,
    "-1.69 to -0.24 nats a call against the imitation, -0.01 to -0.10 against rules",
)
DECLARED_HEAT: Final = constant(1.5, "temperature", "of opponents, who may search as well")
LEAVES_PLAYED: Final = constant(
    {"+played": 1.0, "+both": 0.5}, "share", "of the network of our players, beside double dummy"
)
LEAVES_SUIT_LEVELS: Final = constant(
    (0.37, 0.15, 0.14, -0.01, 0.06, -0.09, -0.09),
    "tricks",
    "beyond double dummy in suit contracts, by level",
    _OKBRIDGE,
)
LEAVES_NOTRUMP_LEVELS: Final = constant(
    (0.41, 0.30, 0.19, 0.06, 0.06, -0.09, -0.09),
    "tricks",
    "beyond double dummy in notrump, by level",
    _OKBRIDGE,
)
RACE_HOPE: Final = constant(
    1.5, "standard errors", "of a difference within which a call may still turn out better"
)
IMAGINED_ROOM: Final = constant(1.25, "worlds", "effective ones drawn for each that is walked")
IMAGINED_WALKED: Final = constant(3, "worlds", "walked for each effective one")
IMAGINED_FEWEST: Final = constant(0.25, "share", "of the proposals, however well they do")
RACE_EVIDENCE: Final = constant(
    40, "worlds", "effective ones from which on it is asked what more are worth"
)
PARTNER_RULES_OWN: Final = constant(
    0.02, "probability", "the least of the call that the rules prescribe"
)
PARTNER_BESIDE: Final = constant(
    0.3, "ratio", "another call's to the rules' own where no network knows"
)
PARTNER_EXPLAINED: Final = constant(100, "worlds", "behind an explanation")
PARTNER_TEMPTING: Final = constant(
    0.05, "probability", "less probable departures are not worth a thought"
)
PARTNER_CLEAR: Final = constant(
    1.0, "standard errors", "beyond which one call is said to be better"
)
EXPLAINED_HANDS: Final = constant(
    4000, "hands", "behind an explanation at the table: a tenth of a second for a new position"
)
EXPLAINED_TRIED: Final = constant(
    4, "hands", "typical ones, of which the first that the bidder bids so is shown"
)
EXPLAINED_RARE: Final = constant(0.01, "share", "next calls made less often are not shown")
PIDM_HOPE: Final = constant(2.0, "standard errors", "within which a call may still turn out better")
PIDM_FIRST_HOPE: Final = constant(3.5, "standard errors", "the same after the first few worlds")
PIDM_FIRST_BATCH: Final = constant(10, "worlds", "of the first batch")
PIDM_TRIED: Final = constant(2000, "hands", "on which a call is tried")
PIDM_RARE: Final = constant(0.002, "share", "of them, below which it is hardly ever made")
PIDM_FEW: Final = constant(
    0.1, "share", "of the worlds wanted: fewer that explain the auction explain nothing"
)
TRUST_WORLDS: Final = constant(80, "worlds", "in which partner is asked")
TRUST_DEALS: Final = constant(8, "deals", "from their side of the table, each time")
TRUST_EACH: Final = constant(100, "deals", "tried for a world at a time")
TRUST_ROUNDS: Final = constant(40, "rounds", "of such tries")
TRUST_SHARED: Final = constant(2.0, "deals", "that stand for what is common to all worlds")
TRUST_BAR: Final = constant(0.5, "IMPs", "that slam must be worth to them")
TRUST_DOUBT: Final = constant(
    0.15, "weight", "kept by a world in which they would surely have bid it"
)
PRAGMA_STRETCH: Final = constant(
    15.0, "priority", "that a point of stretching costs in the order of candidates"
)
PRAGMA_IDEAS: Final = constant(3, "calls", "that partner weighs")
PRAGMA_DEEPER: Final = constant(3, "deals", "that partner imagines us to imagine")
PRAGMA_PATIENCE: Final = constant(150_000, "deals", "drawn before deals are annealed")
PRAGMA_SPARE: Final = constant(
    1.6, "deals", "drawn for each one kept, so that odd ones can be left out"
)
PRAGMA_CHOICES: Final = constant(
    3, "calls", "of one hand that are compared again at an own later turn"
)
PRAGMA_CLEARLY: Final = constant(
    0.2, "IMPs", "and a standard error, by which one must be better there"
)
