"""Why a call or card was chosen, as values: one class for each kind of reason, a few typed fields,
no text. `wording` says them in English; whoever wants to know what a reason is asks for its class.

A reason's `id` names its sentence in every catalogue, `fields` are what the sentence speaks of.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum, StrEnum
from typing import Any, Final

from overtrick.game.calls import Call
from overtrick.game.cards import Card, Suit
from overtrick.game.seats import Seat

_MARKED: Final = 0.995  # a chance beyond which a card is where it is said to be


class Reason:
    """What speaks for an action. Every kind is a class below this one."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """The name of its sentence."""
        variant = self.variant
        return f"{_named(type(self))}.{variant}" if variant else _named(type(self))

    @property
    def variant(self) -> str:
        """Which of several sentences, where the fields decide that."""
        return ""

    @property
    def fields(self) -> dict[str, Any]:
        """What the sentence speaks of, by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]


def _named(kind: type) -> str:
    """`BestMean` → `best-mean`."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__)[1:]


@dataclass(frozen=True, slots=True)
class Said(Reason):
    """Text and nothing else: what engines of other programs and old logs give."""

    text: str


class Remark(Reason, Enum):
    """Reasons that need nothing but their name."""

    ONLY_CARD = "only-card"
    ONLY_LEGAL = "only-legal"
    ALL_EQUAL = "all-equal"
    HIGHEST = "highest"
    AS_PLANNED = "as-planned"
    SOLVED = "solved"
    BEST_BLIND = "best-blind"
    LED_BY_RULE = "led-by-rule"
    USUAL_LEAD = "usual-lead"
    PLAYED_BY_RULE = "played-by-rule"
    CUT_SHORT = "cut-short"
    NO_RULE = "no-rule"
    NO_DOUBT = "no-doubt"
    TOO_WEAK = "too-weak"
    ONLY_CALL = "only-call"
    NO_CHOICE = "no-choice"
    OUTSIDE = "outside"
    DOMINATED = "dominated"
    NO_TIME = "no-time"
    NO_WORLD = "no-world"
    DEPARTED_BEFORE = "departed-before"
    MODEL_ENDS = "model-ends"

    @property
    def id(self) -> str:
        return str(self.value)

    @property
    def fields(self) -> dict[str, Any]:
        return {}


# ---------------------------------------------------------------- cards


class Deed(StrEnum):
    """What a card does, as players call it."""

    DRAWS_TRUMPS = "draws-trumps"
    CASHES = "cashes"
    LEADS_FOR_A_RUFF = "leads-for-a-ruff"
    LEADS_TOWARDS = "leads-towards"
    LEADS_FOR_A_FINESSE = "leads-for-a-finesse"
    DRIVES_OUT = "drives-out"
    PREPARES_A_RUFF = "prepares-a-ruff"
    SETS_UP = "sets-up"
    GIVES_UP_THE_LEAD = "gives-up-the-lead"
    WINS = "wins"
    PUTS_UP = "puts-up"
    KEEPS_AN_ENTRY = "keeps-an-entry"
    OVERTAKES = "overtakes"
    THROWS_A_LOSER = "throws-a-loser"
    LOSER_ON_LOSER = "loser-on-loser"
    THROWS = "throws"
    RUFFS = "ruffs"
    OVERRUFFS = "overruffs"
    UNDERRUFFS = "underruffs"
    PLAYS_FOR_THE_DROP = "plays-for-the-drop"
    HOLDS_UP = "holds-up"
    DUCKS = "ducks"
    PLAYS_LOW = "plays-low"
    LETS_RUN = "lets-run"
    COVERS = "covers"
    SECOND_LOW = "second-low"
    SECOND_HIGH = "second-high"
    THIRD_LOW = "third-low"
    THIRD_HIGH = "third-high"
    INSERTS = "inserts"
    LEADS_A_TRUMP = "leads-a-trump"
    GIVES_A_RUFF = "gives-a-ruff"
    DUMMY_CAN_RUFF = "dummy-can-ruff"
    DECLARER_CAN_RUFF = "declarer-can-ruff"
    RETURNS = "returns"
    GOES_ON = "goes-on"
    COMES_BACK = "comes-back"
    LEADS_THEIRS = "leads-theirs"
    SWITCHES = "switches"


@dataclass(frozen=True, slots=True)
class Does(Reason):
    """What the card does, to which other card or in which suit."""

    deed: Deed
    card: Card | None = None
    suit: Suit | None = None

    @property
    def variant(self) -> str:
        return self.deed.value


@dataclass(frozen=True, slots=True)
class Finesse(Reason):
    """A higher card is kept behind an honour that is out. It works if `seat` has that honour, and
    the chance of it is that of the worlds."""

    against: Card
    seat: Seat
    chance: float

    @property
    def variant(self) -> str:
        return "marked" if self.chance > _MARKED else ""


@dataclass(frozen=True, slots=True)
class SafeLoss(Reason):
    """A finesse loses, if it does, to a hand that has none left of the suit they would run."""

    seat: Seat
    suit: Suit


@dataclass(frozen=True, slots=True)
class KnownLengths(Reason):
    """How a suit lies between the two hidden hands, where all worlds agree."""

    suit: Suit
    seat: Seat
    length: int
    other: Seat
    rest: int


@dataclass(frozen=True, slots=True)
class Fate(Reason):
    """What becomes of the contract, by the chance of the chooser's side to make or beat it, and
    the tricks of that side in the whole hand where they were counted."""

    chance: float
    tricks: float | None = None
    declaring: bool = True

    @property
    def variant(self) -> str:
        side = "declarer" if self.declaring else "defender"
        return f"{side}.{_likely(self.chance)}" + ("" if self.tricks is None else ".tricks")


@dataclass(frozen=True, slots=True)
class Otherwise(Reason):
    """What becomes of the contract with the best other card."""

    card: Card
    chance: float
    declaring: bool = True

    @property
    def variant(self) -> str:
        return f"{'declarer' if self.declaring else 'defender'}.{_likely(self.chance)}"


def _likely(chance: float) -> str:
    near = round(chance, 9)  # weights sum to 1 but for rounding
    return "maybe" if 0 < near < 1 else "sure" if near else "never"


@dataclass(frozen=True, slots=True)
class OtherTricks(Reason):
    """The contract's fate is the same; with the best other card the side takes so many tricks."""

    card: Card
    tricks: float


@dataclass(frozen=True, slots=True)
class FewerTricks(Reason):
    """The contract's fate is the same, and the best other card is worth less."""

    card: Card


@dataclass(frozen=True, slots=True)
class LittleBetter(Reason):
    """Better than the best other card by less than can be told."""

    card: Card


@dataclass(frozen=True, slots=True)
class AsGood(Reason):
    """Another action is worth as much."""

    action: Call | Card

    @property
    def variant(self) -> str:
        return "card" if isinstance(self.action, Card) else "call"


@dataclass(frozen=True, slots=True)
class Blind(Reason):
    """The chance to make the contract for a declarer who does not see the hidden cards."""

    chance: float


class Says(StrEnum):
    """What an agreed card tells partner."""

    ENCOURAGING = "encouraging"
    DISCOURAGING = "discouraging"
    ENCOURAGING_ODD = "encouraging-odd"
    DISCOURAGING_EVEN = "discouraging-even"
    EVEN = "even"
    ODD = "odd"
    TRUMPS_EVEN = "trumps-even"
    TRUMPS_ODD = "trumps-odd"
    ASKS_FOR = "asks-for"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Signal(Reason):
    """A signal by agreement."""

    says: Says
    suit: Suit | None = None

    @property
    def variant(self) -> str:
        return self.says.value


class LeadKind(StrEnum):
    """What a suit looks like from which the agreed card is led."""

    SEQUENCE = "sequence"
    SINGLETON = "singleton"
    DOUBLETON = "doubleton"
    INSIDE = "inside"
    ACE = "ace"
    FOURTH = "fourth"
    THIRD = "third"
    FIFTH = "fifth"
    HONOUR = "honour"
    SECOND = "second"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class LedFrom(Reason):
    """An opening lead by agreement; `partners` says that partner has bid the suit."""

    kind: LeadKind
    partners: bool = False

    @property
    def variant(self) -> str:
        return self.kind.value + (".partners" if self.partners else "")


@dataclass(frozen=True, slots=True)
class AskedFor(Reason):
    """A lead in the suit that partner's double asked for."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Coup(Reason):
    """A line with a name ("simple squeeze"), what is done in it, and with what. `way` is the name
    of the sentence, `cards`, `suits` and `seats` are those it speaks of, in order."""

    name: str
    way: str
    cards: tuple[Card, ...] = ()
    suits: tuple[Suit, ...] = ()
    seats: tuple[Seat, ...] = ()

    @property
    def variant(self) -> str:
        return self.way

    @property
    def fields(self) -> dict[str, Any]:
        """The cards, suits and seats one by one, and all suits together."""
        found: dict[str, Any] = {"name": self.name, "suits": self.suits}
        found |= zip(("card", "card2"), self.cards, strict=False)
        found |= zip(("suit", "suit2"), self.suits, strict=False)
        return found | dict(zip(("seat", "seat2"), self.seats, strict=False))


class Way(StrEnum):
    """How a trick of a plan is meant to go."""

    THEY_LEAD = "they-lead"
    THEY_LEAD_AND_WIN = "they-lead-and-win"
    GIVE_UP = "give-up"
    RUFF = "ruff"
    DRAW = "draw"
    RUN = "run"
    CASH = "cash"
    FINESSE = "finesse"
    CROSS = "cross"


@dataclass(frozen=True, slots=True)
class Planned(Reason):
    """A trick of a plan: who leads which card, who wins it with which."""

    way: Way
    leader: Seat
    led: Card
    winner: Seat
    won: Card
    declarer: Seat

    @property
    def variant(self) -> str:
        return self.way.value

    @property
    def fields(self) -> dict[str, Any]:
        return {
            "leader": self.leader,
            "suit": self.led.suit,
            "led": self.led,
            "won": self.won,
            "winner": self._hand(self.winner),
            "hand": self._hand(self.leader),
            "other": self._hand(self.leader.partner),
        }

    def _hand(self, seat: Seat) -> str:
        hand, dummy = self.declarer, self.declarer.partner
        return "hand" if seat is hand else "dummy" if seat is dummy else str(seat)


# ---------------------------------------------------------------- calls


@dataclass(frozen=True, slots=True)
class Agreed(Reason):
    """The agreement that asks for the call, in the words of the system; the rule it stands in."""

    words: str
    rule: str = ""
    priority: int = 0

    @property
    def variant(self) -> str:
        return "rule" if self.rule else ""


class Lack(StrEnum):
    """In what a hand is not what its call shows; points with shape are high cards and more."""

    FEWER_POINTS = "fewer-points"
    MORE_POINTS = "more-points"
    FEWER_WITH_SHAPE = "fewer-with-shape"
    MORE_WITH_SHAPE = "more-with-shape"
    SHORTER = "shorter"
    LONGER = "longer"
    NEAREST = "nearest"


@dataclass(frozen=True, slots=True)
class Departs(Reason):
    """The hand has so much where something else is agreed; partner is told the agreement. Nothing
    fits at all where the call is only the nearest."""

    lack: Lack
    holds: int = 0
    agreed: int = 0
    suit: Suit | None = None

    @property
    def variant(self) -> str:
        return self.lack.value


class Merit(StrEnum):
    """What speaks for a call that departs, as a player sees it in the hand."""

    LONG_SUIT = "long-suit"
    TRUMPS = "trumps"
    VOID = "void"
    SINGLETON = "singleton"
    HONOUR = "honour"
    CONTROLS = "controls"
    SPOTS = "spots"
    FLAT = "flat"
    SOFT = "soft"
    ACELESS = "aceless"
    DEALS = "deals"


@dataclass(frozen=True, slots=True)
class MakesUp(Reason):
    """Why the call is made all the same: something in the hand, or only the deals imagined."""

    merit: Merit
    count: int = 0
    suit: Suit | None = None

    @property
    def variant(self) -> str:
        return self.merit.value


class Favourite(StrEnum):
    """Who proposed the call that others must beat."""

    FIRST = "first"
    POLICY = "policy"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Gains(Reason):
    """So many IMPs a board better than the first choice, with the standard error."""

    gain: float
    error: float
    over: Call
    worlds: int


@dataclass(frozen=True, slots=True)
class GainsOnly(Reason):
    """Another call is better by too little to overrule the first choice."""

    call: Call
    gain: float
    error: float


@dataclass(frozen=True, slots=True)
class Agrees(Reason):
    """The search found nothing better than the first choice."""

    favourite: Favourite
    worlds: int

    @property
    def variant(self) -> str:
        return self.favourite.value


@dataclass(frozen=True, slots=True)
class Untried(Reason):
    """There was nothing to compare calls in."""

    favourite: Favourite

    @property
    def variant(self) -> str:
        return self.favourite.value


@dataclass(frozen=True, slots=True)
class BestOfRest(Reason):
    """The best in so many worlds, where the first choice cannot win."""

    worlds: int
    first: Call


@dataclass(frozen=True, slots=True)
class BestMean(Reason):
    """The highest mean in so many worlds."""

    worlds: int


@dataclass(frozen=True, slots=True)
class TooFewWorlds(Reason):
    """Too few effective worlds to overrule the first choice."""

    worlds: float


@dataclass(frozen=True, slots=True)
class Costs(Reason):
    """The next best call is so many IMPs worse."""

    call: Call
    imps: float


@dataclass(frozen=True, slots=True)
class Ends(Reason):
    """The commonest end of the auction after the call: who plays what, how often, and how often
    it is made. Without a bid everybody passes."""

    contract: Call | None
    doubled: int
    ours: bool
    share: float
    makes: float

    @property
    def variant(self) -> str:
        if self.contract is None:
            return "passed"
        return ("ours" if self.ours else "theirs") + ("", ".doubled", ".redoubled")[self.doubled]


@dataclass(frozen=True, slots=True)
class Unexplained(Reason):
    """Hardly a deal explains all calls: most fail so many."""

    calls: int


@dataclass(frozen=True, slots=True)
class NotLegal(Reason):
    """The call found is not legal here."""

    call: Call


@dataclass(frozen=True, slots=True)
class Learned(Reason):
    """The line of a learned agreement that settled the choice, as its file has it."""

    line: str


@dataclass(frozen=True, slots=True)
class NetworkBids(Reason):
    """A network's likeliest call and how likely it is."""

    call: Call
    chance: float


@dataclass(frozen=True, slots=True)
class PolicyBids(Reason):
    """The call of a policy; what it is worth comes after."""

    call: Call


@dataclass(frozen=True, slots=True)
class Probability(Reason):
    """The probability that a network gives the call."""

    chance: float


@dataclass(frozen=True, slots=True)
class CostEstimate(Reason):
    """What the call costs against the best contract, by a model's estimate."""

    imps: float


@dataclass(frozen=True, slots=True)
class LeastCost(Reason):
    """No other call costs less by a model's estimate."""

    call: Call
    imps: float


@dataclass(frozen=True, slots=True)
class TakesOver(Reason):
    """The opponents bid, and a model of uncontested auctions hands over to another engine."""

    model: str
    engine: str
