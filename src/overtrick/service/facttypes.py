"""What the tools for language models answer, as types, and what their parameters mean. The schemas
that a client sees are made from both."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from overtrick.game.view import Scoring

Side = Literal["N", "E", "S", "W"]
SeatName = Literal["North", "East", "South", "West"]
Vul = Literal["None", "NS", "EW", "All"]

AuctionText = Annotated[str, "calls from the dealer on, such as '1NT P 3NT P P P'; '' when none"]
HandText = Annotated[str, "thirteen cards, spades.hearts.diamonds.clubs: AK3.QJ2.T98.7654"]
Wish = Annotated[str, "what this seat holds: 'hcp 15..17, balanced', 'spades 5+', a whole hand; "
                      "the resource overtrick://words lists the words"]  # fmt: skip
DealText = Annotated[str, "four hands as PBN writes them: 'N:AKQ2.K53.A84.752 J6… T853… 974…'"]
System = Annotated[str, "a system, or a card such as 'sayc +dont'; the usual robot's if ''"]
Theirs = Annotated[str, "what the other side declared; '' when nothing is known of it"]
DealerSide = Annotated[Side, "who dealt and calls first"]
Vulnerable = Annotated[Vul, "which side is vulnerable"]
ContractText = Annotated[str, "level, strain, doubling and declarer: '3NT N', '4SX E'"]
Engine = Annotated[str, "an engine by its string, such as 'rules(system=acol)'; '' for the usual"]
Seed = Annotated[int, "the same seed gives the same result"]
Places = Annotated[str, "cards that are placed, as PBN writes them: 'N:AKQ2.K53.A84.752 - - -'"]
Scored = Annotated[Scoring, "what counts"]
Suited = Annotated[str, "cards of one suit in one hand, such as AQT98; x for small ones"]
TableName = Annotated[str, "the name that play_a_hand gave"]


class Grounds(TypedDict, total=False):
    """Where an answer comes from."""

    source: str
    exact: bool
    deals: int
    seed: int
    system: str
    how: str
    stopped: str
    chance_is: str
    deals_per_card: int
    cut_by_clock: bool
    robots: str


class Fact(TypedDict):
    """Anything a tool answers."""

    evidence: Grounds


class LegalFact(Fact):
    legal: bool
    reason: NotRequired[str]
    calls: NotRequired[list[str]]
    over: NotRequired[bool]
    turn: NotRequired[str | None]
    legal_calls: NotRequired[list[str]]
    contract: NotRequired[str | None]
    declarer: NotRequired[str | None]
    opening_leader: NotRequired[str | None]


class ScoreFact(Fact):
    contract: str
    tricks: int
    needed: int
    made: bool
    score_declarer: int
    score_ns: int


class ImpsFact(Fact):
    points: int
    imps: int


class HandFact(Fact):
    hand: str
    hcp: int
    shape: str
    balanced: bool
    losers: float
    controls: float
    quick_tricks: float


class SystemFact(TypedDict):
    name: str
    title: str


class SystemsFact(Fact):
    systems: list[str]
    titles: list[SystemFact]


class CallFact(TypedDict):
    """What a call shows."""

    seat: NotRequired[str]
    call: str
    shows: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: str
    alert: bool
    convention: str
    rule: str
    hands: list[str]
    denies: list[str]


class CallsFact(Fact):
    system: str
    turn: NotRequired[str]
    calls: list[CallFact]


class MeaningFact(TypedDict):
    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: str
    alert: bool
    act: str
    convention: str
    rule: str
    announce: str
    delayed: bool


class ConsideredFact(TypedDict):
    action: str
    value: float | None
    error: float | None
    note: str
    chance: float | None
    tricks: float | None


class ThoughtFact(Fact):
    action: str
    meaning: MeaningFact
    candidates: list[ConsideredFact]
    why: str
    worlds: int
    seed: int
    milliseconds: float
    engine: str
    cut: bool
    note: str


class DealsFact(Fact):
    deals: list[str]
    chance: float


class SolvedFact(Fact):
    tricks: dict[str, dict[Side, int]]
    par_score_ns: int
    par_contracts: list[str]
    declarer_tricks_by_lead: NotRequired[dict[str, int]]


class EndingFact(Fact):
    turn: str
    tricks_left: int
    tricks_by_card: dict[str, int]
    best: list[str]


class PlannedSuit(TypedDict):
    chosen: str | None
    lines: list[str]


class PlannedTrick(TypedDict):
    leader: str
    cards: list[str]
    words: str


class PlanFact(TypedDict):
    evidence: NotRequired[Grounds]
    contract: str
    tricks: int
    possible: int
    suits: dict[str, PlannedSuit]
    play: list[PlannedTrick]


class SimulatedFact(Fact):
    deals: int
    chance: float
    vul: str
    dealer: str
    stopped: str
    how: str
    contracts: list[dict[str, Any]]
    actions: dict[str, Any] | None
    par: NotRequired[dict[str, Any]]


class SuitWay(TypedDict):
    name: str
    good_for: list[str]
    how: str
    chances: dict[str, float]


class SuitFact(Fact):
    north: str
    south: str
    chances: dict[str, float]
    mean_tricks: float
    lines: list[SuitWay]
    best_line: NotRequired[str]


class LeadChance(TypedDict):
    card: str
    beats_contract: float | None
    tricks: float | None
    error: float | None


class LeadFact(Fact):
    contract: str | None
    card: str
    reason: str
    cards: list[LeadChance]


class CostFact(TypedDict):
    trick: int
    seat: str
    card: str
    tricks_lost_all_cards_seen: int | None
    chance_lost_as_seen: float | None
    tricks_lost_as_seen: float | None
    better_as_seen: str | None


class ReviewedFact(TypedDict):
    board: int
    contract: str
    cards: list[CostFact]
    cards_that_cost_nothing: int


class ReviewFact(Fact):
    boards: list[ReviewedFact]
    left_out: int
    warnings: list[str]


class MatchFact(Fact):
    a: str
    b: str
    boards: int
    imps_a_board: float
    error: float
    clear: bool


class SeatCall(TypedDict):
    seat: str
    call: str
    explained: str | None


class PlayedTrick(TypedDict):
    leader: str
    cards: list[str]


class ResultFact(TypedDict):
    said: str
    declarer_tricks: int | None
    score_for_you: int
    par_for_you: int
    imps_against_par: int
    hands: dict[str, str]


class ClaimFact(TypedDict):
    tricks: int
    proof: str


class SeatFact(Fact):
    """A table as one seat sees it."""

    table: str
    seat: str
    board: int
    dealer: str
    vulnerable: str
    phase: str
    turn: str | None
    your_turn: bool
    hand: str
    auction: list[SeatCall]
    contract: str | None
    dummy: NotRequired[str | None]
    dummy_seat: NotRequired[str]
    tricks: NotRequired[list[PlayedTrick]]
    declarer_tricks: NotRequired[int]
    legal: NotRequired[list[str]]
    playing_from: NotRequired[str]
    result: NotRequired[ResultFact]
    claim: NotRequired[ClaimFact]
