"""What a browser is told of a table: the frames of its socket, as types.
The description of the API and the types of the page (web/src/wire.ts) are made from them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from overtrick.game import Forcing, SpeechAct
from overtrick.game.seats import SeatLetter
from overtrick.game.view import Scoring
from overtrick.web.deciding import Deciding
from overtrick.web.events import Engines, Judged, Unranked
from overtrick.web.sentences import Sentence

SideLetters = Literal["NS", "EW"]
SuitLetter = Literal["C", "D", "H", "S"]
EVERY: Final = {"every": True}  # marks the keys of objects that have all of them
EverySeat = Annotated[SeatLetter, msgspec.Meta(extra=EVERY)]
EverySuit = Annotated[SuitLetter, msgspec.Meta(extra=EVERY)]
Bounds = tuple[int, int]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Anything the server says. A field that is not set is left out."""


# ---------------------------------------------------------------- meanings


class Told(Answer, frozen=True, kw_only=True):
    """What a call or a card tells."""

    words: str
    hcp: Bounds
    lengths: dict[EverySuit, Bounds]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: str | UnsetType = UNSET
    delayed: bool | UnsetType = UNSET


class ToldInShort(Told, frozen=True, kw_only=True):
    """With the ranges that tell something, as players say them."""

    ranges: str


class ToldExactly(ToldInShort, frozen=True, kw_only=True):
    """With the exact text of what it shows, where there is one that is not too long."""

    exact: str


class CallToMake(ToldExactly, frozen=True, kw_only=True):
    """A call with what it would tell."""

    call: str


class MadeCall(Answer, frozen=True, kw_only=True):
    """A call that was made: what the opponents disclosed of it, or our own side agreed."""

    seat: SeatLetter
    call: str
    alert: bool
    meaning: ToldInShort | None


# ---------------------------------------------------------------- the table


class EnginesOfSides(Answer, frozen=True, kw_only=True):
    """Who bids and plays for the robots."""

    NS: Engines
    EW: Engines


class SystemsOfSides(Answer, frozen=True, kw_only=True):
    """What each side plays."""

    NS: str
    EW: str


class ContractShown(Answer, frozen=True, kw_only=True):
    """The contract, and how many tricks it takes in all."""

    text: str
    declarer: SeatLetter
    dummy: SeatLetter
    target: int


class CardOnTable(Answer, frozen=True, kw_only=True):
    """A card and who has played it."""

    seat: SeatLetter
    card: str


class TrickShown(Answer, frozen=True, kw_only=True):
    """A trick, and who wins it as it is."""

    leader: SeatLetter
    cards: list[CardOnTable]
    winner: SeatLetter


class PlayShown(Answer, frozen=True, kw_only=True):
    """The play so far: this trick, the last one, and who has won the others."""

    cards: int
    trick: TrickShown | None
    last: TrickShown | None
    won: list[SeatLetter]
    ns: int
    ew: int
    declarer_tricks: int
    left: int


class Seal(Answer, frozen=True, kw_only=True):
    """The promise of the cards, and once they are open the text that it is of."""

    promise: str
    text: str | None


class Wish(Answer, frozen=True, kw_only=True):
    """What somebody would like that the others must agree to, about which seat, and who agrees."""

    seat: SeatLetter
    what: Literal["undo", "substitute", "invite"]
    about: SeatLetter | None
    agreed: list[SeatLetter]


class Practice(Answer, frozen=True, kw_only=True):
    """How far a deck is and what was earned; only the boards that are over count."""

    name: str
    title: str
    index: int
    count: int
    done: int
    earned: float
    possible: int
    imps: int


class BoardResult(Answer, frozen=True, kw_only=True):
    """A board that is over: all four hands are open, and everything may be told."""

    text: str
    tricks: int | None
    score_ns: int | None
    claimed: bool
    claim: str
    hands: dict[EverySeat, list[str]]
    lin: str
    judged: Judged | None
    awards: dict[str, float]


class SheetLine(Answer, frozen=True, kw_only=True):
    """A result as a score sheet has it, for the reader's side."""

    contract: str
    declarer: SeatLetter | Literal[""]
    made: str
    tricks: int | None
    score: int


class SheetRow(Answer, frozen=True, kw_only=True):
    """A finished board of a match: my result, the robots', and what that is worth."""

    index: int
    number: int
    line: SheetLine
    robots: SheetLine | None
    imps: int | None
    percent: float | None
    unranked: Unranked
    tables: int
    par: int | None
    par_contracts: list[str]


class MatchShown(Answer, frozen=True, kw_only=True):
    """The match a table plays: its score sheet so far, the totals, the place among all; `other` is
    how robots played this board."""

    contest: str
    title: str
    day: str
    boards: int
    index: int
    players: int
    sheet: list[SheetRow]
    other: str
    imps: int
    percent: float | None
    place: int | None
    ranked: int
    event: str = ""  # the event of pairs whose table this is
    round_over: bool = False  # the last board that this table plays in its round


class State(Answer, frozen=True, kw_only=True, tag_field="type", tag="state"):
    """The whole table as one seat may see it."""

    version: int
    at: int
    seat: SeatLetter
    phase: Literal["auction", "play", "over"]
    number: int
    boards: int
    dealer: SeatLetter
    vul: str
    scoring: Scoring
    humans: list[SeatLetter]
    connected: list[SeatLetter]
    open: list[SeatLetter]
    names: dict[SeatLetter, str]
    away: list[SeatLetter]
    match: MatchShown | None
    asked: Wish | None
    engines: EnginesOfSides
    systems: SystemsOfSides
    hands: dict[SeatLetter, list[str]]
    places: dict[SeatLetter, list[str]]
    auction: list[MadeCall]
    contract: ContractShown | None
    play: PlayShown | None
    turn: SeatLetter | None
    mine: bool
    legal: list[str]
    rulings: list[str]
    can_undo: bool
    can_claim: bool
    practice: Practice | None
    chosen: bool  # whoever opened the table chose the cards
    links: dict[SeatLetter, int]  # to look on, by seat
    shared: list[str]  # seats that are played from one browser
    seen: int  # other people who have seen the reader's hand
    sealed: Seal | None
    result: BoardResult | None
    trouble: str  # why nothing can be kept at the moment
    watching: bool
    watchers: int


# ---------------------------------------------------------------- the other frames


class Presence(Answer, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """Who is there now: the rest of the table is as it was."""

    connected: list[SeatLetter]
    watchers: int


class ChatWord(Answer, frozen=True, kw_only=True, tag_field="type", tag="chat"):
    """Somebody said something."""

    seat: SeatLetter
    name: str
    text: str
    watching: bool


class Invited(Answer, frozen=True, kw_only=True, tag_field="type", tag="invited"):
    """A new link, told once to who has asked for it."""

    seat: SeatLetter
    watch: bool
    invitation: str


class HintCandidate(Answer, frozen=True, kw_only=True):
    """An action that was considered, what is to be said of it, and what a call would tell."""

    action: str
    value: float | None
    error: float | None
    note: str
    said: list[Sentence]
    meaning: ToldInShort | None


class HintAnswer(Answer, frozen=True, kw_only=True, tag_field="type", tag="hint"):
    """What an engine would do, in the coach's steps: a question, reasons, at last what gives the
    answer away; and in one sentence what the action does."""

    at: int
    action: str
    meaning: ToldInShort
    candidates: list[HintCandidate]
    why: str
    worlds: int
    milliseconds: float
    engine: str
    cut: bool | UnsetType = UNSET
    nudge: list[Sentence]
    reasons: list[Sentence]
    late: list[Sentence]
    short: Sentence
    deciding: Deciding | None = None


class MeaningsAnswer(Answer, frozen=True, kw_only=True, tag_field="type", tag="meanings"):
    """What each call would tell partner."""

    at: int
    calls: list[CallToMake]


class Trouble(Answer, frozen=True, kw_only=True, tag_field="type", tag="error"):
    """What was wrong with a message."""

    error: str


Done = State | HintAnswer | MeaningsAnswer | Invited  # how an action is answered
Frame = Done | Presence | ChatWord | Trouble
