"""What the robot answers, as types: the questions of other programs, thoughts and whole boards.
The description of the API, and clients made from it, have these types."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from overtrick.game import Forcing, SpeechAct
from overtrick.game.seats import SeatLetter
from overtrick.game.view import Scoring

Span = tuple[int, int]
SuitLetter = Literal["C", "D", "H", "S"]
Vulnerable = Literal["None", "NS", "EW", "All"]


class RobotReply(msgspec.Struct, frozen=True, kw_only=True):
    """Anything the robot says. A field that is not set is left out."""


class NothingToDo(RobotReply, frozen=True, kw_only=True):
    """Why there is no call or card to make."""

    message: str


# ---------------------------------------------------------------- as clients of BEN read them


class NextCall(RobotReply, frozen=True, kw_only=True):
    """A call that has a meaning here."""

    bid: str
    description: str
    ranges: str
    alert: bool
    forcing: Forcing


class CallChance(RobotReply, frozen=True, kw_only=True):
    """A call that was considered; its value is in IMPs, or matchpoints, over the first choice."""

    call: str
    explanation: str
    value: float | None = None
    error: float | None = None


class BidReply(RobotReply, frozen=True, kw_only=True):
    """What to call. `cut`: a clock ended the thinking, and the same question may get another answer
    on another day."""

    bid: str
    alert: bool
    explanation: str
    who: str
    cut: bool
    quality: float | None = None
    note: str | UnsetType = UNSET
    ignored: list[str] | UnsetType = UNSET
    candidates: list[CallChance] | UnsetType = UNSET
    hcp: Span | UnsetType = UNSET
    shape: list[Span] | UnsetType = UNSET
    samples: list[str] | UnsetType = UNSET
    explanations: list[tuple[str, str]] | UnsetType = UNSET


class CardChance(RobotReply, frozen=True, kw_only=True):
    """A card that was considered, over the deals that were imagined."""

    card: str
    expected_tricks_dd: float | None
    p_make_contract: float | None
    msg: str


class CardReply(RobotReply, frozen=True, kw_only=True):
    """Which card to play; `player` is 0 for the leader's seat, 1 dummy, 2 leader's partner, 3
    declarer."""

    card: str
    who: str
    explanation: str
    cut: bool
    quality: float | None = None
    player: int | UnsetType = UNSET
    matchpoint: bool | UnsetType = UNSET
    note: str | UnsetType = UNSET
    ignored: list[str] | UnsetType = UNSET
    candidates: list[CardChance] | UnsetType = UNSET
    samples: int | UnsetType = UNSET


class ClaimReply(RobotReply, frozen=True, kw_only=True):
    """Is a claim proved, and how?"""

    tricks: int
    result: str
    proof: str


_CONTRACT: Final = {"tricks": "Tricks", "percentage": "Percentage"}


class ContractChance(RobotReply, frozen=True, kw_only=True, rename=_CONTRACT):
    """How often a contract is the best one, and the tricks of its strain."""

    score: float
    tricks: list[int]
    percentage: list[float]


class LastCall(RobotReply, frozen=True, kw_only=True, rename={"alert": "Alert"}):
    """What the last call means."""

    explanation: str
    alert: bool


class EveryCall(RobotReply, frozen=True, kw_only=True):
    """What every call means: as a list in HTML, and as pairs."""

    explanation: str
    explanations: list[tuple[str, str]]
    bba_controlled: bool = False


class ToldCall(RobotReply, frozen=True, kw_only=True):
    """A call of a board with its explanation."""

    bid: str
    explanation: str
    alert: bool


class BoardReply(RobotReply, frozen=True, kw_only=True, rename={"number": "boardNumber"}):
    """A board that four robots bid, and played unless only the auction was asked for."""

    number: int
    dealer: SeatLetter
    vulnerability: str
    deal: str
    auction: list[str]
    auction_with_explanations: list[ToldCall]
    contract: str
    declarer: SeatLetter | Literal[""]
    opening_leader: SeatLetter | Literal[""]
    bidding_only: bool
    tricks: int | None
    score: int | None
    ns_score: int | None
    play: list[str]
    cut: int  # decisions that a clock ended
    rulings: list[str]
    elapsed: float
    note: str | UnsetType = UNSET
    ignored: list[str] | UnsetType = UNSET


# ---------------------------------------------------------------- thoughts


class ShownByCall(RobotReply, frozen=True, kw_only=True):
    """What a call or a card tells."""

    words: str
    hcp: Span
    lengths: dict[SuitLetter, Span]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: str = ""
    delayed: bool = False


class Considered(RobotReply, frozen=True, kw_only=True):
    """An action that was considered. Values of calls are IMPs, or matchpoints, over the first
    choice; of cards the chance and the tricks tell more."""

    action: str
    value: float | None
    error: float | None
    note: str
    chance: float | None = None
    tricks: float | None = None


class ThoughtReply(RobotReply, frozen=True, kw_only=True):
    """A decision: the call or card, what it shows, why, what else there was, and what it rests
    on. `cut`: a clock ended the thinking. `note`: what is missing here."""

    action: str
    meaning: ShownByCall
    candidates: list[Considered]
    why: str
    worlds: int
    seed: int
    milliseconds: float
    engine: str
    cut: bool
    note: str


# ---------------------------------------------------------------- lines of a stream


class ThoughtLine(RobotReply, frozen=True, kw_only=True, tag="thought", tag_field="type"):
    """The answer to one question of several."""

    index: int
    thought: ThoughtReply


class FailedLine(RobotReply, frozen=True, kw_only=True, tag="failed", tag_field="type"):
    """A question of several that could not be answered, and why."""

    index: int
    error: str


class Thoughts(RobotReply, frozen=True, kw_only=True):
    """The answers to several questions, in their order."""

    answers: list[ThoughtLine | FailedLine]


class ActionLine(RobotReply, frozen=True, kw_only=True, tag="action", tag_field="type"):
    """A call or a card on the way through a board."""

    index: int
    seat: SeatLetter
    action: str
    explanation: str
    why: str
    cut: bool


class FinishedBoard(RobotReply, frozen=True, kw_only=True, tag="board", tag_field="type"):
    """The end of a board."""

    board: BoardReply


class EndLine(RobotReply, frozen=True, kw_only=True, tag="end", tag_field="type"):
    """The last line: so many answers, and what ended it early, if anything did."""

    answered: int
    error: str = ""


StreamLine = ThoughtLine | FailedLine | ActionLine | FinishedBoard | EndLine


# ---------------------------------------------------------------- questions in JSON


class AskIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Anything that is asked in JSON; unknown fields are refused."""


class ThinkIn(AskIn, frozen=True, kw_only=True):
    """What a seat sees, and whom to ask: the fields of `overtrick.think`."""

    hand: str
    auction: str = ""
    dealer: SeatLetter = "N"
    vul: Vulnerable = "None"
    dummy: str = ""
    played: str = ""
    engine: str = ""
    system: str = ""
    theirs: str = ""
    character: str = ""
    scoring: Scoring = "imps"
    seconds: float | None = None
    seed: int = 0


class ThinkAllIn(AskIn, frozen=True, kw_only=True):
    """Several questions at once; with `stream` each answer comes as soon as it is there."""

    questions: list[ThinkIn]
    stream: bool = False


class SideIn(AskIn, frozen=True, kw_only=True):
    """Who sits for one side: the usual robot unless others are named."""

    engine: str = ""
    player: str = ""
    system: str = ""
    character: str = ""


class BoardIn(AskIn, frozen=True, kw_only=True):
    """A whole board for four robots. Dealer and vulnerability follow from the number unless given;
    `auction` are calls that were made already; with `stream` each action comes as it is made."""

    deal: str
    board: int = 1
    dealer: SeatLetter | None = None
    vul: Vulnerable | None = None
    ns: SideIn = SideIn()
    ew: SideIn = SideIn()
    scoring: Scoring = "imps"
    auction: str = ""
    auction_only: bool = False
    stream: bool = False
