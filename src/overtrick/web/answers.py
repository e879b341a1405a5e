"""What the REST API answers, as types; frames of a table are in `frames`.
The description of the API and the types of the page (web/src/wire.ts) are made from them."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from overtrick.arena.tournament import Kind
from overtrick.game.seats import SeatLetter
from overtrick.game.view import Scoring
from overtrick.web.frames import (
    Answer,
    EverySeat,
    EverySuit,
    ToldExactly,
)


class Refusal(Answer, frozen=True, kw_only=True):
    """Why a request was refused, in one line."""

    error: str


class Health(Answer, frozen=True, kw_only=True):
    """Is everything as it should be?"""

    ok: bool
    version: str
    waiting: int
    trouble: str | UnsetType = UNSET


class Reach(Answer, frozen=True, kw_only=True):
    """The addresses under which other machines find this server, if it is open to them."""

    open: bool
    addresses: list[str]


# ---------------------------------------------------------------- engines and tables


class EngineOffer(Answer, frozen=True, kw_only=True):
    """An engine this server offers: its string, what it is in words, the system it declares."""

    spec: str
    words: str
    system: str = ""


class Offered(Answer, frozen=True, kw_only=True):
    """The engines this server offers; the first of each list is the default."""

    version: str
    bidders: tuple[EngineOffer, ...]
    players: tuple[EngineOffer, ...]


class Ticket(Answer, frozen=True, kw_only=True):
    """My seat at a table; the invitations are for the other people's links."""

    table: str
    seat: SeatLetter
    token: str
    invitations: dict[SeatLetter, str] = msgspec.field(default_factory=dict)
    watching: bool = False


class RatedRow(Answer, frozen=True, kw_only=True):
    """Somebody's strength, or a pair's: IMPs a board with the standard error."""

    names: list[str]
    value: float
    error: float
    boards: int
    mine: bool


class RatingPage(Answer, frozen=True, kw_only=True):
    """Who is how strong; with `anchored` nought is where the usual robots are, else the average.
    Listed are those with the fewest boards or more."""

    people: list[RatedRow]
    pairs: list[RatedRow]
    anchored: bool
    fewest: int


class LobbyRow(Answer, frozen=True, kw_only=True):
    """Somebody who waits for company, for so many seconds already."""

    name: str
    boards: int
    seconds: int


class LobbyPage(Answer, frozen=True, kw_only=True):
    """Who waits; with a ticket once a table is found. `wait` is to be sent again."""

    wait: str
    waiting: list[LobbyRow]
    ticket: Ticket | None


# ---------------------------------------------------------------- matches of several people


class RankRow(Answer, frozen=True, kw_only=True):
    """A place in a match; nothing about any board."""

    place: int
    name: str
    boards: int
    imps: int
    percent: float | None
    helped: int
    unranked: int
    mine: bool


class ContestPage(Answer, frozen=True, kw_only=True):
    """A match for people who may play in it, with its standings and what is promised."""

    contest: str
    title: str
    day: str
    boards: int
    scoring: Scoring
    players: int
    most_players: int
    chosen: bool
    promise: str
    promises: tuple[str, ...]
    ranking: list[RankRow]


class NewContest(ContestPage, frozen=True, kw_only=True):
    """A match just founded, with the token of its director, told only now."""

    director: str


class EntryRow(Answer, frozen=True, kw_only=True):
    """An entry as the director sees it, with the name under which it is removed."""

    entry: str
    name: str
    boards: int
    address: int | None


# ---------------------------------------------------------------- review


# ---------------------------------------------------------------- evenings


# ---------------------------------------------------------------- tools


class IllustratedCall(ToldExactly, frozen=True, kw_only=True):
    """A call with what it tells, hands that would make it, and what can be read between the lines
    where an engine explains that much."""

    call: str
    samples: list[list[str]] | UnsetType = UNSET
    denies: list[str] | UnsetType = UNSET
    acts: list[str] | UnsetType = UNSET


class ExplainedCall(IllustratedCall, frozen=True, kw_only=True):
    """A call that a seat has made, explained."""

    seat: SeatLetter


class DecodedAuction(Answer, frozen=True, kw_only=True):
    """An auction explained call by call, and every next call."""

    auction: str
    turn: SeatLetter
    over: bool
    calls: list[ExplainedCall]
    next: list[IllustratedCall]


class SystemName(Answer, frozen=True, kw_only=True):
    """A system whose book can be read."""

    name: str
    title: str


class CardLineRow(Answer, frozen=True, kw_only=True):
    """A convention, and whether the system plays it."""

    name: str
    title: str
    on: bool


class BookPage(Answer, frozen=True, kw_only=True):
    """A page of a system's book: the auction so far, every call that has a meaning, the card."""

    system: str
    title: str
    auction: str
    turn: SeatLetter
    calls: list[ExplainedCall]
    next: list[IllustratedCall]
    legal: list[str]
    card: list[CardLineRow]
    rules: int


class SuitOutcome(Answer, frozen=True, kw_only=True):
    """What the fourth hand shows, whether the trick is won, and how the suit goes on."""

    cards: list[str]
    wins: bool
    chance: float
    then: SuitTrick | None


class SuitAnswer(Answer, frozen=True, kw_only=True):
    """What the second hand plays, and the card against it."""

    cards: list[str]
    chance: float
    card: str | None
    outcomes: list[SuitOutcome]


class SuitTrick(Answer, frozen=True, kw_only=True):
    """A trick of a plan; a sure one has no answers to wait for."""

    hand: Literal["N", "S"]
    card: str
    low: bool
    tactic: str
    sure: bool
    answers: list[SuitAnswer]
    third: str | UnsetType | None = UNSET


class SuitLine(Answer, frozen=True, kw_only=True):
    """A way to play a suit: its words and the chance of so many tricks."""

    name: str
    good_for: list[str]
    words: str
    chances: dict[int, float]
    mean: float


class SuitGoal(Answer, frozen=True, kw_only=True):
    """So many tricks, with the best line for them."""

    tricks: int
    chance: float
    line: str


class SuitLayout(Answer, frozen=True, kw_only=True):
    """How the missing cards may lie, and what each line takes then."""

    west: str
    east: str
    chance: float
    tricks: dict[str, int]


class SolvedSuit(Answer, frozen=True, kw_only=True):
    """Every goal of a holding with its chance, the lines for it in words and as a tree."""

    north: str
    south: str
    vacant: list[int]
    entries: list[int] | None
    chances: dict[int, float]
    mean: float
    lines: list[SuitLine]
    matchpoint_best: str | None
    matchpoint_cycle: list[str]
    imp_best: str | None
    imp_cycle: list[str]
    imp_contract: str
    imp_need: int | None
    goals: list[SuitGoal]
    layouts: list[SuitLayout]
    more_layouts: int
    missing: str
    line: str
    plans: dict[str, SuitTrick | None]


class ShapeShare(Answer, frozen=True, kw_only=True):
    """A shape, and in what share of the deals the seat has it."""

    shape: str
    share: float


class DealtHand(Answer, frozen=True, kw_only=True):
    """Points and lengths of one seat over all deals."""

    hcp: list[float]
    mean: float
    lengths: dict[EverySuit, list[float]]
    shapes: list[ShapeShare]


class DealtStatistic(Answer, frozen=True, kw_only=True):
    """What a script counted: a mean, or how often each number came."""

    label: str
    value: float | UnsetType = UNSET
    low: float | UnsetType = UNSET
    counts: list[int] | UnsetType = UNSET


class DealtBoard(Answer, frozen=True, kw_only=True):
    """A deal as a board."""

    number: int
    dealer: SeatLetter
    vul: str
    hands: dict[EverySeat, list[str]]


class DealtDeals(Answer, frozen=True, kw_only=True):
    """Deals that fit, how rare they are, what the hands look like, and what makes double dummy:
    tricks of North-South in clubs, diamonds, hearts, spades and notrump."""

    deals: int
    chance: float
    hands: dict[EverySeat, DealtHand]
    statistics: list[DealtStatistic]
    boards: list[DealtBoard]
    pbn: str
    solved: list[list[int]]


# ---------------------------------------------------------------- cards, problems and lessons


class SwitchRow(Answer, frozen=True, kw_only=True):
    """A switch of a convention card."""

    name: str
    title: str
    about: str
    topic: str
    on: bool
    standard: bool
    fixed: bool
    needs: tuple[str, ...]
    excludes: tuple[str, ...]


class CardShown(Answer, frozen=True, kw_only=True):
    """A convention card with all its switches, and the robot that plays it."""

    card: str
    name: str
    system: str
    title: str
    robot: str
    character: str
    switches: list[SwitchRow]


class CardRead(CardShown, frozen=True, kw_only=True):
    """A card's file, and every line of it that has no switch here."""

    unmapped: list[str]


class CardGains(Answer, frozen=True, kw_only=True):
    """What a card gains on some deals over its standard: the sum and the sum of squares, in IMPs,
    both rooms of a deal together."""

    deals: int
    sum: float
    squares: float
    changed: int


class ProblemSet(Answer, frozen=True, kw_only=True):
    """A set of bidding problems, without its cards."""

    name: str
    title: str
    words: str
    problems: int


class LessonListed(Answer, frozen=True, kw_only=True):
    """A lesson with the names of its positions."""

    name: str
    title: str
    words: str
    kind: Literal["call", "card"]
    positions: list[str]


# ---------------------------------------------------------------- matches of engines


class MatchListed(Answer, frozen=True, kw_only=True):
    """A match in the server's folder."""

    name: str
    a: str
    b: str
    boards: int
    method: str


class MatchRoom(Answer, frozen=True, kw_only=True):
    """One table of a board."""

    contract: str
    declarer: SeatLetter | Literal[""]
    made: str
    score_ns: int
    lin: str


class MatchBoard(Answer, frozen=True, kw_only=True):
    """One board: both tables in short, and each as LIN for the review."""

    number: int
    imps: int
    open: MatchRoom
    closed: MatchRoom


class MatchReport(Answer, frozen=True, kw_only=True):
    """Figures and boards of a match as far as it is played."""

    a: str
    b: str
    method: str
    mean: float
    error: float | None
    figures: list[list[str]]
    profile: list[list[str]]
    boards: list[MatchBoard]


class TournamentListed(Answer, frozen=True, kw_only=True):
    """A tournament in the server's folder."""

    name: str
    kind: Kind
    engines: list[str]
    boards: int
    matches: int
    method: str


class TournamentRow(Answer, frozen=True, kw_only=True):
    """An engine's place."""

    place: int
    engine: int
    points: float
    points_error: float | None
    matches: int
    won: int
    drawn: int
    rating: float
    error: float | None


class EnginePair(Answer, frozen=True, kw_only=True):
    """Two engines that met: IMPs for a over all their matches."""

    a: int
    b: int
    imps: int
    boards: int
    mean: float
    error: float | None


class EncounterRow(EnginePair, frozen=True, kw_only=True):
    """One match of a tournament."""

    file: str
    round: int
    over: bool
    points: tuple[float, float]


class ByeRow(Answer, frozen=True, kw_only=True):
    """Who had no opponent in a round."""

    round: int
    engine: int


class TournamentReport(Answer, frozen=True, kw_only=True):
    """The table, ratings with errors, who beat whom, every match."""

    name: str
    kind: Kind
    engines: list[str]
    boards: int
    rounds: int
    method: str
    deals: str
    seed: int
    rows: list[TournamentRow]
    pairs: list[EnginePair]
    matches: list[EncounterRow]
    byes: list[ByeRow]
