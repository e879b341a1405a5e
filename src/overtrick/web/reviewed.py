"""What the server answers about boards that were played: costs, verdicts, possible hands, whole
evenings."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from overtrick.game.seats import SeatLetter
from overtrick.web.deciding import Deciding
from overtrick.web.frames import (
    Answer,
    EverySeat,
    EverySuit,
    HintCandidate,
    SideLetters,
    ToldInShort,
)
from overtrick.web.sentences import Sentence

VerdictWord = Literal["forced", "good", "close", "wrong"]


class NotedCall(Answer, frozen=True, kw_only=True):
    """A call as a record has it."""

    call: str
    alert: bool
    note: str


class ListedBoard(Answer, frozen=True, kw_only=True):
    """A board and what happened on it, and the same in the notations people exchange."""

    number: int
    dealer: SeatLetter
    vul: str
    names: list[str]
    hands: dict[EverySeat, list[str]]
    calls: list[NotedCall]
    contract: str | None
    declarer: SeatLetter | None
    leader: SeatLetter | None
    cards: list[str]
    tricks: int | None
    claimed: bool
    result: str | None
    score_ns: int | None
    lin: str
    pbn: str
    source: str
    link: str
    text: str


class ReadBoards(Answer, frozen=True, kw_only=True):
    """Every complete board of a text, and what was wrong with the rest."""

    boards: list[ListedBoard]
    unread: list[str]
    warnings: list[str]


class BoardAgain(ListedBoard, frozen=True, kw_only=True):
    """The same board played otherwise, with the IMPs between the two."""

    imps_ns: int | None


class ParResult(Answer, frozen=True, kw_only=True):
    """Par, and the contracts that reach it."""

    score_ns: int
    contracts: list[str]


class ContractWorth(Answer, frozen=True, kw_only=True):
    """What the contract makes double dummy, and how far from par that is."""

    tricks: int
    score_ns: int
    imps_to_par: int


class BiddingLoss(Answer, frozen=True, kw_only=True):
    """What the auction gave away against par, as a player would say it."""

    side: SideLetters
    imps: int
    kind: str
    best: str | None
    by: SeatLetter | None
    vulnerable: bool = False
    score_ns: int = 0
    par_ns: int = 0


class CardCosts(Answer, frozen=True, kw_only=True):
    """A card that was played: declarer's tricks after it, what it cost, and every other card."""

    seat: SeatLetter
    card: str
    tricks: int
    cost: int
    imps: int
    best: list[str]
    worth: dict[str, int]


class SolvedBoard(Answer, frozen=True, kw_only=True):
    """The double-dummy table, par, and the worth of every card played."""

    table: dict[str, dict[EverySeat, int]]  # by strain and declarer
    par: ParResult
    cards: list[CardCosts]
    contract: ContractWorth | None
    bidding: BiddingLoss | None


class ThoughtShown(Answer, frozen=True, kw_only=True):
    """What an engine thought of a decision on a board that is over: its own, or a person's, whom it
    may have told (`told`). `made` is what was done."""

    at: int
    seat: SeatLetter
    made: str
    action: str
    meaning: ToldInShort | None
    candidates: list[HintCandidate]
    reasons: list[Sentence]
    worlds: int
    engine: str
    version: str
    cut: bool
    told: bool
    deciding: Deciding | None = None


class CallBeside(Answer, frozen=True, kw_only=True):
    """A call beside an engine's own, and what the difference is worth."""

    seat: SeatLetter
    call: str
    meaning: ToldInShort
    engine: str
    engine_meaning: str
    why: str
    imps: int | None
    instead: str


class CardChoice(Answer, frozen=True, kw_only=True):
    """A card that an engine considered."""

    action: str
    value: float | None
    note: str


class CardBeside(Answer, frozen=True, kw_only=True):
    """A card beside the one an engine would have played, and what the difference is worth."""

    index: int
    card: str
    engine: str
    why: str
    worlds: int
    lost: float | None
    chance: float | None
    tricks: float | None
    candidates: list[CardChoice]


class HandTruth(Answer, frozen=True, kw_only=True):
    """What a hidden hand really was."""

    cards: list[str]
    hcp: int
    lengths: dict[EverySuit, int]


class HiddenHand(Answer, frozen=True, kw_only=True):
    """The chance of every card, of points and lengths, and what the hand really was."""

    cards: dict[str, float]
    shown: list[str]
    hcp: list[float]
    lengths: dict[EverySuit, list[float]]
    truth: HandTruth


class PossibleHands(Answer, frozen=True, kw_only=True):
    """What the other hands could be, as the seat that had to act saw it."""

    seat: SeatLetter
    known: list[SeatLetter]
    worlds: int
    effective: float
    how: str
    hands: dict[SeatLetter, HiddenHand]


class JudgedChoice(Answer, frozen=True, kw_only=True):
    """An action: IMPs gained over what was done, and for cards the chance and the tricks."""

    action: str
    imps: float
    error: float
    chance: float | None
    tricks: float | None
    tricks_error: float | None


class JudgedAction(Answer, frozen=True, kw_only=True):
    """What was done beside what was best; `loss` is in IMPs, with its standard error."""

    word: VerdictWord
    done: str
    better: str
    loss: float
    error: float
    worlds: int
    how: str = ""
    choices: tuple[JudgedChoice, ...] = ()


class JudgedDecision(JudgedAction, frozen=True, kw_only=True):
    """The same at a place of a board; for cards with declarer's tricks double dummy after each."""

    index: int
    double: dict[str, int] | UnsetType = UNSET


class NewEvening(Answer, frozen=True, kw_only=True):
    """Under which name an evening is found."""

    evening: str


class Progress(Answer, frozen=True, kw_only=True):
    """How far the work has come."""

    done: int
    jobs: int


class PairRow(Answer, frozen=True, kw_only=True):
    """A pair's place, its IMPs against the other tables, its matchpoints in per cent. Where nobody
    changes sides, as in a Mitchell, each direction has a list with places of its own."""

    side: Literal["", "NS", "EW"]
    place: int
    names: list[str]
    boards: int
    imps: float
    percent: float | None


class CostlyDecision(Answer, frozen=True, kw_only=True):
    """A decision that cost a player something, and whether it was wrong or unlucky."""

    table: int
    board: int
    kind: Literal["call", "card"]
    index: int
    seat: SeatLetter
    done: str
    cost: int
    best: list[str]
    fault: str | UnsetType = UNSET
    word: VerdictWord
    better: str
    loss: float
    error: float
    worlds: int


class PlayerRow(Answer, frozen=True, kw_only=True):
    """A player's place, and what cost most."""

    place: int
    name: str
    decisions: list[CostlyDecision]
    boards: int
    imps: float
    percent: float | None


class TableRow(Answer, frozen=True, kw_only=True):
    """One board at one table, beside the others."""

    table: int
    board: int
    deal: int
    names: list[str]
    contract: str | None
    declarer: SeatLetter | None
    result: str | None
    score_ns: int | None
    text: str
    imps_ns: float | None
    percent_ns: float | None
    par_ns: int | None


class EveningReport(Answer, frozen=True, kw_only=True):
    """The ranking of an evening, everybody's decisions, all tables."""

    title: str
    done: int
    jobs: int
    unread: list[str]
    warnings: list[str]
    pairs: list[PairRow]
    players: list[PlayerRow]
    tables: list[TableRow]
