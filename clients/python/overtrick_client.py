"""A client of Overtrick 0.2.0 over HTTP, which needs nothing but Python 3.11.

Made by clients/generate.py from the server's description of itself; do not edit. Answers are
dictionaries with the types below. What the server refuses is raised as `Refused`.

    robot = Overtrick("http://127.0.0.1:8000")
    robot.think(hand="AQ3.KJ4.QJ52.K82")["action"]
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NotRequired, TypedDict
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class Refused(Exception):
    """The server did not do it: the status, and why in words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{status}: {words}")
        self.status, self.words = status, words


Forcing = Literal["none", "one round", "sign-off", "to game", "to slam"]

SpeechAct = Literal[
    "answering",
    "asking",
    "asserting",
    "denying",
    "inviting",
    "lying",
    "ordering",
    "pre-empting",
    "promising",
]


class Open(TypedDict):
    """A new table. `humans` are the people's seats, `seat` is mine; engines default to the
    best.
    """

    seat: NotRequired[Literal["E", "N", "S", "W"]]
    humans: NotRequired[list[Literal["E", "N", "S", "W"]]]
    ns: NotRequired[Engines | None]
    ew: NotRequired[Engines | None]
    source: NotRequired[RandomDeal | ScriptDeal | TextDeal | ProblemDeal]
    scoring: NotRequired[Literal["imps", "matchpoints"]]
    take_over: NotRequired[bool]
    auto: NotRequired[bool]
    auction_only: NotRequired[bool]
    silent: NotRequired[bool]
    boards: NotRequired[int]
    name: NotRequired[str]


class Engines(TypedDict):
    """Who bids and plays for the robots of one side; the bidder's system is the side's
    system.
    """

    bidder: str
    player: str


class RandomDeal(TypedDict):
    """A random board; number and seed make it the same one again."""

    type: Literal["random"]
    number: NotRequired[int | None]
    seed: NotRequired[int | None]


class ScriptDeal(TypedDict):
    """Boards by a script in the language of `dealer`."""

    type: Literal["script"]
    text: str
    number: NotRequired[int | None]
    seed: NotRequired[int | None]


class TextDeal(TypedDict):
    """A pasted board: PBN, LIN, RBN, a hand viewer link or a deal in one line."""

    type: Literal["text"]
    text: str
    index: NotRequired[int]


class ProblemDeal(TypedDict):
    """Problems to bid: a set of this server by name, or a text of problems or boards."""

    type: Literal["problems"]
    set: NotRequired[str]
    text: NotRequired[str]
    index: NotRequired[int]


class Accept(TypedDict):
    """An invitation from a link, to be exchanged for a seat's token."""

    invitation: str
    name: NotRequired[str]


class MakeCall(TypedDict):
    """A call; `at` is how many actions I had seen, so that a late click does nothing else."""

    type: Literal["call"]
    call: str
    at: int


class PlayCard(TypedDict):
    """A card of my hand, or of dummy's when I declare."""

    type: Literal["card"]
    card: str
    at: int


class Undo(TypedDict):
    """Take back my last action and everything after it; alone with robots, an earlier one
    of mine: the board is as it was after `to` actions.
    """

    type: Literal["undo"]
    to: NotRequired[int | None]


class Claim(TypedDict):
    """I take this many of the tricks that are left (0 concedes them all)."""

    type: Literal["claim"]
    tricks: int


class Hint(TypedDict):
    """What would the engine do in my place?"""

    type: Literal["hint"]


class Explain(TypedDict):
    """What would each call I can make tell partner?"""

    type: Literal["explain"]


class Next(TypedDict):
    """The board is over: deal another."""

    type: Literal["next"]


class Again(TypedDict):
    """The board is over: the same cards once more."""

    type: Literal["again"]


class Agree(TypedDict):
    """Somebody asked to take an action back: may they?"""

    type: Literal["agree"]
    yes: NotRequired[bool]


class Chat(TypedDict):
    """A word to the table."""

    type: Literal["chat"]
    text: str


class Substitute(TypedDict):
    """Somebody is not there: let a robot act for the seat until they are back."""

    type: Literal["substitute"]
    seat: Literal["E", "N", "S", "W"]


class Move(TypedDict):
    """Between two boards: I want to sit where a robot sits."""

    type: Literal["move"]
    to: Literal["E", "N", "S", "W"]


class Invite(TypedDict):
    """A new link: for a person's seat that nobody has taken, or to watch over my shoulder."""

    type: Literal["invite"]
    seat: NotRequired[Literal["E", "N", "S", "W"] | None]
    watch: NotRequired[bool]


class BlockSeat(TypedDict):
    """I do not want to meet, or to read, whoever sits there."""

    type: Literal["block"]
    seat: Literal["E", "N", "S", "W"]


class ReportSeat(TypedDict):
    """Whoever sits there has said what nobody should say; the host can read it."""

    type: Literal["report"]
    seat: Literal["E", "N", "S", "W"]
    why: NotRequired[str]


class Found(TypedDict):
    """A match for several people: everybody plays the same boards, and is ranked."""

    title: NotRequired[str]
    boards: NotRequired[int]
    scoring: NotRequired[Literal["imps", "matchpoints"]]
    ns: NotRequired[Engines | None]
    ew: NotRequired[Engines | None]


class Enter(TypedDict):
    """I play in a match: under which name, where, and with which friends at the table."""

    name: NotRequired[str]
    seat: NotRequired[Literal["E", "N", "S", "W"]]
    humans: NotRequired[list[Literal["E", "N", "S", "W"]]]


class Remove(TypedDict):
    """The director of a match takes an entry and its results out."""

    entry: str


class Seek(TypedDict):
    """I would like company for so many boards; `wait` is what I was told the first time.
    With `begin` I sit down with robots, whose seats are for those who come.
    """

    name: NotRequired[str]
    boards: NotRequired[Literal[1, 4, 8]]
    wait: NotRequired[str]
    begin: NotRequired[bool]
    leave: NotRequired[bool]


class Arrange(TypedDict):
    """An event of pairs, with me as its director."""

    title: NotRequired[str]
    movement: NotRequired[Literal["howell", "mitchell"]]
    each: NotRequired[int]
    rounds: NotRequired[int | None]
    method: NotRequired[Literal["imps", "matchpoints"]]
    minutes: NotRequired[int]


class EnterPair(TypedDict):
    """We enter: I and a friend, who comes by a link, or I and a robot."""

    name: str
    robot: NotRequired[bool]


class JoinPair(TypedDict):
    """I am the partner, or the substitute, by a link."""

    invitation: str
    name: str


class CallDirector(TypedDict):
    """Director, please."""

    words: NotRequired[str]


class BeginEvent(TypedDict):
    """Everybody who has entered plays."""

    type: Literal["begin"]


class NextRound(TypedDict):
    """The next round; with `unplayed`, boards without a result get an average for both
    sides.
    """

    type: Literal["next"]
    unplayed: NotRequired[bool]


class AdjustScore(TypedDict):
    """A result for a board of a table: per cent for both sides, or a contract ("4SX N") and
    its tricks; neither is passed out.
    """

    type: Literal["adjust"]
    number: int
    table: int
    board: int
    reason: str
    ns: NotRequired[float | None]
    ew: NotRequired[float | None]
    contract: NotRequired[str]
    tricks: NotRequired[int | None]


class PenalisePair(TypedDict):
    """Points for a pair, or less than none."""

    type: Literal["penalty"]
    pair: int
    points: float
    reason: str


class Announce(TypedDict):
    """A word to everybody."""

    type: Literal["announce"]
    text: str


class OfferPlace(TypedDict):
    """A link for a substitute, or for a partner who has lost his."""

    type: Literal["offer"]
    entry: int
    member: int


class StandIn(TypedDict):
    """A robot acts for somebody who is not there."""

    type: Literal["stand-in"]
    entry: int
    member: int


class WithdrawPair(TypedDict):
    """An entry is taken out before the event begins."""

    type: Literal["withdraw"]
    entry: int


class AddRobots(TypedDict):
    """A pair of robots enters."""

    type: Literal["robots"]


class Attended(TypedDict):
    """The director has been at a table that called."""

    type: Literal["attended"]
    table: int


class LookAtTable(TypedDict):
    """A link to look on at a table; the table is told, and whoever looks knows the cards."""

    type: Literal["look"]
    table: int


class CloseEvent(TypedDict):
    """Results are final."""

    type: Literal["close"]


class Read(TypedDict):
    """Boards as text, to be read and listed: a board, a link, or a whole evening's file."""

    text: str


class Look(TypedDict):
    """One board as LIN or PBN, to be looked into."""

    text: str


class LookAtCalls(TypedDict):
    """One board and the bidders of both sides: what would they have called?"""

    text: str
    ns: str
    ew: str


class LookAtCards(TypedDict):
    """One board, a player, and which cards: what would it have played?"""

    text: str
    player: str
    start: NotRequired[int]
    count: NotRequired[int]
    ns: NotRequired[str]
    ew: NotRequired[str]


class OtherTable(TypedDict):
    """One board and four robots: how would they have bid and played it?"""

    text: str
    ns: str
    ew: str
    player: str


class LookAtWorlds(TypedDict):
    """One decision of a board: what could the other hands be, as that seat saw it?"""

    text: str
    kind: Literal["call", "card"]
    index: int
    ns: NotRequired[str]
    ew: NotRequired[str]


class JudgeDecision(TypedDict):
    """One decision of a board: was it wrong, close, or as good as any? For a call, `also`
    are those to compare it with, the robot's first; where there are none the robot is
    asked.
    """

    text: str
    kind: Literal["call", "card"]
    index: int
    ns: NotRequired[str]
    ew: NotRequired[str]
    also: NotRequired[list[str]]


class PlayOn(TypedDict):
    """One board with another call or card at one place: how do robots finish it?"""

    text: str
    kind: Literal["call", "card"]
    index: int
    action: str
    ns: NotRequired[str]
    ew: NotRequired[str]
    player: NotRequired[str]


class Upload(TypedDict):
    """An evening's file, to be kept, compared and judged in the background."""

    text: str
    title: NotRequired[str]


class Decode(TypedDict):
    """An auction typed in, to be explained call by call, with every next call."""

    auction: str
    bidder: str
    vul: NotRequired[str]
    dealer: NotRequired[Literal["E", "N", "S", "W"]]
    samples: NotRequired[int]


class SuitWish(TypedDict):
    """One suit, North opposite South; an entry count of -1 is as many as needed."""

    north: str
    south: str
    tricks: NotRequired[int | None]
    vacant: NotRequired[list[int]]
    entries: NotRequired[list[int] | None]


class DealWish(TypedDict):
    """Deals by wishes for each seat, or by a script; `solve` of them, after the first
    `skip`, are solved double dummy.
    """

    north: NotRequired[str]
    east: NotRequired[str]
    south: NotRequired[str]
    west: NotRequired[str]
    script: NotRequired[str]
    count: NotRequired[int]
    seed: NotRequired[int]
    show: NotRequired[int]
    solve: NotRequired[int]
    skip: NotRequired[int]


class BookWish(TypedDict):
    """A place in a system's book."""

    system: str
    auction: NotRequired[str]
    vul: NotRequired[str]


class CardWish(TypedDict):
    """A card in one line, to be shown with all its switches."""

    card: str
    name: NotRequired[str]


class CardFile(TypedDict):
    """A card's file, of ours or of BBA's, to be read."""

    text: str
    file: NotRequired[str]


class CardCost(TypedDict):
    """The next deals on which a card is compared with the standard of its system."""

    card: str
    seed: NotRequired[int]
    start: NotRequired[int]


class MatchPiece(TypedDict):
    """Some boards of a duplicate match between two bidders, scored double dummy."""

    a: str
    b: str
    seed: NotRequired[int]
    start: NotRequired[int]
    count: NotRequired[int]


class Join(TypedDict):
    """The first message on a socket: who I am; a browser names itself by a key it has
    drawn.
    """

    type: Literal["join"]
    token: str
    browser: NotRequired[str]


class Ticket(TypedDict):
    """My seat at a table; the invitations are for the other people's links."""

    table: str
    seat: Literal["E", "N", "S", "W"]
    token: str
    invitations: dict[str, str]
    watching: bool


class State(TypedDict):
    """The whole table as one seat may see it."""

    type: Literal["state"]
    version: int
    at: int
    seat: Literal["E", "N", "S", "W"]
    phase: Literal["auction", "over", "play"]
    number: int
    boards: int
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    scoring: Literal["imps", "matchpoints"]
    humans: list[Literal["E", "N", "S", "W"]]
    connected: list[Literal["E", "N", "S", "W"]]
    open: list[Literal["E", "N", "S", "W"]]
    names: dict[str, str]
    away: list[Literal["E", "N", "S", "W"]]
    match: MatchShown | None
    asked: Wish | None
    engines: EnginesOfSides
    systems: SystemsOfSides
    hands: dict[str, list[str]]
    places: dict[str, list[str]]
    auction: list[MadeCall]
    contract: ContractShown | None
    play: PlayShown | None
    turn: Literal["E", "N", "S", "W"] | None
    mine: bool
    legal: list[str]
    rulings: list[str]
    can_undo: bool
    can_claim: bool
    practice: Practice | None
    chosen: bool
    links: dict[str, int]
    shared: list[str]
    seen: int
    sealed: Seal | None
    result: BoardResult | None
    trouble: str
    watching: bool
    watchers: int


class MatchShown(TypedDict):
    """The match a table plays: its score sheet so far, the totals, the place among all;
    `other` is how robots played this board.
    """

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
    event: str
    round_over: bool


class SheetRow(TypedDict):
    """A finished board of a match: my result, the robots', and what that is worth."""

    index: int
    number: int
    line: SheetLine
    robots: SheetLine | None
    imps: int | None
    percent: float | None
    unranked: Literal["", "chosen", "known", "twice"]
    tables: int
    par: int | None
    par_contracts: list[str]


class SheetLine(TypedDict):
    """A result as a score sheet has it, for the reader's side."""

    contract: str
    declarer: Literal["E", "N", "S", "W"] | Literal[""]
    made: str
    tricks: int | None
    score: int


class Wish(TypedDict):
    """What somebody would like that the others must agree to, about which seat, and who
    agrees.
    """

    seat: Literal["E", "N", "S", "W"]
    what: Literal["invite", "substitute", "undo"]
    about: Literal["E", "N", "S", "W"] | None
    agreed: list[Literal["E", "N", "S", "W"]]


class EnginesOfSides(TypedDict):
    """Who bids and plays for the robots."""

    NS: Engines
    EW: Engines


class SystemsOfSides(TypedDict):
    """What each side plays."""

    NS: str
    EW: str


class MadeCall(TypedDict):
    """A call that was made: what the opponents disclosed of it, or our own side agreed."""

    seat: Literal["E", "N", "S", "W"]
    call: str
    alert: bool
    meaning: ToldInShort | None


class ToldInShort(TypedDict):
    """With the ranges that tell something, as players say them."""

    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: NotRequired[str]
    delayed: NotRequired[bool]
    ranges: str


class ContractShown(TypedDict):
    """The contract, and how many tricks it takes in all."""

    text: str
    declarer: Literal["E", "N", "S", "W"]
    dummy: Literal["E", "N", "S", "W"]
    target: int


class PlayShown(TypedDict):
    """The play so far: this trick, the last one, and who has won the others."""

    cards: int
    trick: TrickShown | None
    last: TrickShown | None
    won: list[Literal["E", "N", "S", "W"]]
    ns: int
    ew: int
    declarer_tricks: int
    left: int


class TrickShown(TypedDict):
    """A trick, and who wins it as it is."""

    leader: Literal["E", "N", "S", "W"]
    cards: list[CardOnTable]
    winner: Literal["E", "N", "S", "W"]


class CardOnTable(TypedDict):
    """A card and who has played it."""

    seat: Literal["E", "N", "S", "W"]
    card: str


class Practice(TypedDict):
    """How far a deck is and what was earned; only the boards that are over count."""

    name: str
    title: str
    index: int
    count: int
    done: int
    earned: float
    possible: int
    imps: int


class Seal(TypedDict):
    """The promise of the cards, and once they are open the text that it is of."""

    promise: str
    text: str | None


class BoardResult(TypedDict):
    """A board that is over: all four hands are open, and everything may be told."""

    text: str
    tricks: int | None
    score_ns: int | None
    claimed: bool
    claim: str
    hands: dict[str, list[str]]
    lin: str
    judged: Judged | None
    awards: dict[str, float]


class Judged(TypedDict):
    """A board that ends with the auction, scored double dummy; IMPs are for the practising
    side.
    """

    type: Literal["judged"]
    tricks: int | None
    score_ns: int
    par_ns: int
    par: list[str]
    imps: int
    award: float | None
    best: float | None
    best_contracts: list[str]
    robots: RobotsBid | None
    field_imps: int | None
    mark: float | None


class RobotsBid(TypedDict):
    """What two robots bid on the same cards."""

    auction: str
    contract: str
    score_ns: int
    award: float | None
    mark: float | None


class HintAnswer(TypedDict):
    """What an engine would do, in the coach's steps: a question, reasons, at last what
    gives the answer away; and in one sentence what the action does.
    """

    type: Literal["hint"]
    at: int
    action: str
    meaning: ToldInShort
    candidates: list[HintCandidate]
    why: str
    worlds: int
    milliseconds: float
    engine: str
    cut: NotRequired[bool]
    nudge: list[Sentence]
    reasons: list[Sentence]
    late: list[Sentence]
    short: Sentence
    deciding: Deciding | None


class HintCandidate(TypedDict):
    """An action that was considered, what is to be said of it, and what a call would tell."""

    action: str
    value: float | None
    error: float | None
    note: str
    said: list[Sentence]
    meaning: ToldInShort | None


class Sentence(TypedDict):
    """A sentence for a person: which one, what it speaks of, and how it reads in English."""

    id: str
    text: str
    args: dict[str, str | int | float | list[str]]


class Deciding(TypedDict):
    """Of `worlds` layouts the card is better in `better`, the other in `worse`; one of
    each.
    """

    other: str
    worlds: int
    better: int
    worse: int
    layouts: list[ShownLayout]
    said: list[Sentence]


class ShownLayout(TypedDict):
    """Hidden hands as they could be, and whether the card or the other one is better there."""

    hands: dict[str, str]
    better: bool


class MeaningsAnswer(TypedDict):
    """What each call would tell partner."""

    type: Literal["meanings"]
    at: int
    calls: list[CallToMake]


class CallToMake(TypedDict):
    """A call with what it would tell."""

    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: NotRequired[str]
    delayed: NotRequired[bool]
    ranges: str
    exact: str
    call: str


class Invited(TypedDict):
    """A new link, told once to who has asked for it."""

    type: Literal["invited"]
    seat: Literal["E", "N", "S", "W"]
    watch: bool
    invitation: str


class NewContest(TypedDict):
    """A match just founded, with the token of its director, told only now."""

    contest: str
    title: str
    day: str
    boards: int
    scoring: Literal["imps", "matchpoints"]
    players: int
    most_players: int
    chosen: bool
    promise: str
    promises: list[str]
    ranking: list[RankRow]
    director: str


class RankRow(TypedDict):
    """A place in a match; nothing about any board."""

    place: int
    name: str
    boards: int
    imps: int
    percent: float | None
    helped: int
    unranked: int
    mine: bool


class EntryRow(TypedDict):
    """An entry as the director sees it, with the name under which it is removed."""

    entry: str
    name: str
    boards: int
    address: int | None


class LobbyPage(TypedDict):
    """Who waits; with a ticket once a table is found. `wait` is to be sent again."""

    wait: str
    waiting: list[LobbyRow]
    ticket: Ticket | None


class LobbyRow(TypedDict):
    """Somebody who waits for company, for so many seconds already."""

    name: str
    boards: int
    seconds: int


class RatingPage(TypedDict):
    """Who is how strong; with `anchored` nought is where the usual robots are, else the
    average. Listed are those with the fewest boards or more.
    """

    people: list[RatedRow]
    pairs: list[RatedRow]
    anchored: bool
    fewest: int


class RatedRow(TypedDict):
    """Somebody's strength, or a pair's: IMPs a board with the standard error."""

    names: list[str]
    value: float
    error: float
    boards: int
    mine: bool


class NewEvent(TypedDict):
    """An event that was arranged, with the token of its director, told only now."""

    event: str
    director: str


class EventTicket(TypedDict):
    """My place in an event: a token for all my tables, and the link for my partner."""

    event: str
    entry: int
    token: str
    invitation: str


class EventPage(TypedDict):
    """An event for everybody who has its link."""

    event: str
    title: str
    day: str
    state: Literal["open", "over", "playing"]
    movement: Literal["howell", "mitchell"]
    method: Literal["imps", "matchpoints"]
    each: int
    round: int
    rounds: int | None
    ends: float | None
    more: bool
    pairs: list[EventPair]
    announced: list[Announcement]
    rankings: list[FieldRanking]
    travellers: list[TravellerShown]
    log: list[LogLine]
    mine: MyEvent | None


class EventPair(TypedDict):
    """A pair that has entered; `number` once it plays."""

    entry: int
    number: int | None
    names: list[str]
    missing: list[bool]
    robots: list[bool]


class Announcement(TypedDict):
    """A word of the director."""

    text: str
    at: float


class FieldRanking(TypedDict):
    """The ranking of a direction, or of all."""

    field: str
    rows: list[PairPlace]


class PairPlace(TypedDict):
    """A line of a ranking: per cent, or IMPs a board."""

    place: int
    pair: int
    names: list[str]
    boards: int
    total: float
    percent: float | None
    adjusted: float
    mine: bool


class TravellerShown(TypedDict):
    """A board with all its results and hands, once the event is over."""

    board: int
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    deal: str
    top: float
    rows: list[ScoreShown]


class ScoreShown(TypedDict):
    """A result on a board: what was played, or awarded, and what it was worth."""

    number: int
    ns: int
    ew: int
    text: str
    score: int | None
    ns_worth: float
    ew_worth: float
    ruled: bool


class LogLine(TypedDict):
    """A line of the director's log."""

    at: float
    words: str
    reason: str


class MyEvent(TypedDict):
    """Where I play: my pair, and in this round my table, seat and opponents."""

    entry: int
    pair: int | None
    name: str
    partner: str
    table: str
    number: int | None
    seat: Literal["E", "N", "S", "W"] | None
    against: list[str] | None
    sits_out: bool


class DeskPage(TypedDict):
    """The event for its director; a link that he asked for, told only now."""

    event: str
    title: str
    day: str
    state: Literal["open", "over", "playing"]
    movement: Literal["howell", "mitchell"]
    method: Literal["imps", "matchpoints"]
    each: int
    round: int
    rounds: int | None
    ends: float | None
    more: bool
    pairs: list[EventPair]
    announced: list[Announcement]
    rankings: list[FieldRanking]
    travellers: list[TravellerShown]
    log: list[LogLine]
    mine: MyEvent | None
    tables: list[TableOfRound]
    waiting: list[Waiting]
    invitation: str
    look: str


class TableOfRound(TypedDict):
    """A table as the director sees it: how far it is, who is there; no card."""

    table: int
    ns: int
    ew: int
    board: int
    done: int
    of: int
    phase: str
    turn: Literal["E", "N", "S", "W"] | None
    connected: list[Literal["E", "N", "S", "W"]]
    away: list[Literal["E", "N", "S", "W"]]
    called: str | None


class Waiting(TypedDict):
    """A board of a table without a result that counts; `why` a result of its own does not."""

    table: int
    board: int
    why: str


class ReadBoards(TypedDict):
    """Every complete board of a text, and what was wrong with the rest."""

    boards: list[ListedBoard]
    unread: list[str]
    warnings: list[str]


class ListedBoard(TypedDict):
    """A board and what happened on it, and the same in the notations people exchange."""

    number: int
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    names: list[str]
    hands: dict[str, list[str]]
    calls: list[NotedCall]
    contract: str | None
    declarer: Literal["E", "N", "S", "W"] | None
    leader: Literal["E", "N", "S", "W"] | None
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


class NotedCall(TypedDict):
    """A call as a record has it."""

    call: str
    alert: bool
    note: str


class SolvedBoard(TypedDict):
    """The double-dummy table, par, and the worth of every card played."""

    table: dict[str, dict[str, int]]
    par: ParResult
    cards: list[CardCosts]
    contract: ContractWorth | None
    bidding: BiddingLoss | None


class ParResult(TypedDict):
    """Par, and the contracts that reach it."""

    score_ns: int
    contracts: list[str]


class CardCosts(TypedDict):
    """A card that was played: declarer's tricks after it, what it cost, and every other
    card.
    """

    seat: Literal["E", "N", "S", "W"]
    card: str
    tricks: int
    cost: int
    imps: int
    best: list[str]
    worth: dict[str, int]


class ContractWorth(TypedDict):
    """What the contract makes double dummy, and how far from par that is."""

    tricks: int
    score_ns: int
    imps_to_par: int


class BiddingLoss(TypedDict):
    """What the auction gave away against par, as a player would say it."""

    side: Literal["EW", "NS"]
    imps: int
    kind: str
    best: str | None
    by: Literal["E", "N", "S", "W"] | None
    vulnerable: bool
    score_ns: int
    par_ns: int


class CallBeside(TypedDict):
    """A call beside an engine's own, and what the difference is worth."""

    seat: Literal["E", "N", "S", "W"]
    call: str
    meaning: ToldInShort
    engine: str
    engine_meaning: str
    why: str
    imps: int | None
    instead: str


class CardBeside(TypedDict):
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


class CardChoice(TypedDict):
    """A card that an engine considered."""

    action: str
    value: float | None
    note: str


class BoardAgain(TypedDict):
    """The same board played otherwise, with the IMPs between the two."""

    number: int
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    names: list[str]
    hands: dict[str, list[str]]
    calls: list[NotedCall]
    contract: str | None
    declarer: Literal["E", "N", "S", "W"] | None
    leader: Literal["E", "N", "S", "W"] | None
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
    imps_ns: int | None


class PossibleHands(TypedDict):
    """What the other hands could be, as the seat that had to act saw it."""

    seat: Literal["E", "N", "S", "W"]
    known: list[Literal["E", "N", "S", "W"]]
    worlds: int
    effective: float
    how: str
    hands: dict[str, HiddenHand]


class HiddenHand(TypedDict):
    """The chance of every card, of points and lengths, and what the hand really was."""

    cards: dict[str, float]
    shown: list[str]
    hcp: list[float]
    lengths: dict[str, list[float]]
    truth: HandTruth


class HandTruth(TypedDict):
    """What a hidden hand really was."""

    cards: list[str]
    hcp: int
    lengths: dict[str, int]


class JudgedDecision(TypedDict):
    """The same at a place of a board; for cards with declarer's tricks double dummy after
    each.
    """

    word: Literal["close", "forced", "good", "wrong"]
    done: str
    better: str
    loss: float
    error: float
    worlds: int
    how: str
    choices: list[JudgedChoice]
    index: int
    double: NotRequired[dict[str, int]]


class JudgedChoice(TypedDict):
    """An action: IMPs gained over what was done, and for cards the chance and the tricks."""

    action: str
    imps: float
    error: float
    chance: float | None
    tricks: float | None
    tricks_error: float | None


class NewEvening(TypedDict):
    """Under which name an evening is found."""

    evening: str


class DecodedAuction(TypedDict):
    """An auction explained call by call, and every next call."""

    auction: str
    turn: Literal["E", "N", "S", "W"]
    over: bool
    calls: list[ExplainedCall]
    next: list[IllustratedCall]


class ExplainedCall(TypedDict):
    """A call that a seat has made, explained."""

    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: NotRequired[str]
    delayed: NotRequired[bool]
    ranges: str
    exact: str
    call: str
    samples: NotRequired[list[list[str]]]
    denies: NotRequired[list[str]]
    acts: NotRequired[list[str]]
    seat: Literal["E", "N", "S", "W"]


class IllustratedCall(TypedDict):
    """A call with what it tells, hands that would make it, and what can be read between the
    lines where an engine explains that much.
    """

    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: NotRequired[str]
    delayed: NotRequired[bool]
    ranges: str
    exact: str
    call: str
    samples: NotRequired[list[list[str]]]
    denies: NotRequired[list[str]]
    acts: NotRequired[list[str]]


class SolvedSuit(TypedDict):
    """Every goal of a holding with its chance, the lines for it in words and as a tree."""

    north: str
    south: str
    vacant: list[int]
    entries: list[int] | None
    chances: dict[str, float]
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


class SuitLine(TypedDict):
    """A way to play a suit: its words and the chance of so many tricks."""

    name: str
    good_for: list[str]
    words: str
    chances: dict[str, float]
    mean: float


class SuitGoal(TypedDict):
    """So many tricks, with the best line for them."""

    tricks: int
    chance: float
    line: str


class SuitLayout(TypedDict):
    """How the missing cards may lie, and what each line takes then."""

    west: str
    east: str
    chance: float
    tricks: dict[str, int]


class SuitTrick(TypedDict):
    """A trick of a plan; a sure one has no answers to wait for."""

    hand: Literal["N", "S"]
    card: str
    low: bool
    tactic: str
    sure: bool
    answers: list[SuitAnswer]
    third: NotRequired[str | None]


class SuitAnswer(TypedDict):
    """What the second hand plays, and the card against it."""

    cards: list[str]
    chance: float
    card: str | None
    outcomes: list[SuitOutcome]


class SuitOutcome(TypedDict):
    """What the fourth hand shows, whether the trick is won, and how the suit goes on."""

    cards: list[str]
    wins: bool
    chance: float
    then: SuitTrick | None


class DealtDeals(TypedDict):
    """Deals that fit, how rare they are, what the hands look like, and what makes double
    dummy: tricks of North-South in clubs, diamonds, hearts, spades and notrump.
    """

    deals: int
    chance: float
    hands: dict[str, DealtHand]
    statistics: list[DealtStatistic]
    boards: list[DealtBoard]
    pbn: str
    solved: list[list[int]]


class DealtHand(TypedDict):
    """Points and lengths of one seat over all deals."""

    hcp: list[float]
    mean: float
    lengths: dict[str, list[float]]
    shapes: list[ShapeShare]


class ShapeShare(TypedDict):
    """A shape, and in what share of the deals the seat has it."""

    shape: str
    share: float


class DealtStatistic(TypedDict):
    """What a script counted: a mean, or how often each number came."""

    label: str
    value: NotRequired[float]
    low: NotRequired[float]
    counts: NotRequired[list[int]]


class DealtBoard(TypedDict):
    """A deal as a board."""

    number: int
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    hands: dict[str, list[str]]


class BookPage(TypedDict):
    """A page of a system's book: the auction so far, every call that has a meaning, the
    card.
    """

    system: str
    title: str
    auction: str
    turn: Literal["E", "N", "S", "W"]
    calls: list[ExplainedCall]
    next: list[IllustratedCall]
    legal: list[str]
    card: list[CardLineRow]
    rules: int


class CardLineRow(TypedDict):
    """A convention, and whether the system plays it."""

    name: str
    title: str
    on: bool


class CardShown(TypedDict):
    """A convention card with all its switches, and the robot that plays it."""

    card: str
    name: str
    system: str
    title: str
    robot: str
    character: str
    switches: list[SwitchRow]


class SwitchRow(TypedDict):
    """A switch of a convention card."""

    name: str
    title: str
    about: str
    topic: str
    on: bool
    standard: bool
    fixed: bool
    needs: list[str]
    excludes: list[str]


class CardRead(TypedDict):
    """A card's file, and every line of it that has no switch here."""

    card: str
    name: str
    system: str
    title: str
    robot: str
    character: str
    switches: list[SwitchRow]
    unmapped: list[str]


class CardGains(TypedDict):
    """What a card gains on some deals over its standard: the sum and the sum of squares, in
    IMPs, both rooms of a deal together.
    """

    deals: int
    sum: float
    squares: float
    changed: int


class MatchBoard(TypedDict):
    """One board: both tables in short, and each as LIN for the review."""

    number: int
    imps: int
    open: MatchRoom
    closed: MatchRoom


class MatchRoom(TypedDict):
    """One table of a board."""

    contract: str
    declarer: Literal["E", "N", "S", "W"] | Literal[""]
    made: str
    score_ns: int
    lin: str


class Health(TypedDict):
    """Is everything as it should be?"""

    ok: bool
    version: str
    waiting: int
    trouble: NotRequired[str]


class Offered(TypedDict):
    """The engines this server offers; the first of each list is the default."""

    version: str
    bidders: list[EngineOffer]
    players: list[EngineOffer]


class EngineOffer(TypedDict):
    """An engine this server offers: its string, what it is in words, the system it
    declares.
    """

    spec: str
    words: str
    system: str


class ThoughtShown(TypedDict):
    """What an engine thought of a decision on a board that is over: its own, or a person's,
    whom it may have told (`told`). `made` is what was done.
    """

    at: int
    seat: Literal["E", "N", "S", "W"]
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
    deciding: Deciding | None


class ContestPage(TypedDict):
    """A match for people who may play in it, with its standings and what is promised."""

    contest: str
    title: str
    day: str
    boards: int
    scoring: Literal["imps", "matchpoints"]
    players: int
    most_players: int
    chosen: bool
    promise: str
    promises: list[str]
    ranking: list[RankRow]


class Reach(TypedDict):
    """The addresses under which other machines find this server, if it is open to them."""

    open: bool
    addresses: list[str]


class SystemName(TypedDict):
    """A system whose book can be read."""

    name: str
    title: str


class ProblemSet(TypedDict):
    """A set of bidding problems, without its cards."""

    name: str
    title: str
    words: str
    problems: int


class EveningReport(TypedDict):
    """The ranking of an evening, everybody's decisions, all tables."""

    title: str
    done: int
    jobs: int
    unread: list[str]
    warnings: list[str]
    pairs: list[PairRow]
    players: list[PlayerRow]
    tables: list[TableRow]


class PairRow(TypedDict):
    """A pair's place, its IMPs against the other tables, its matchpoints in per cent. Where
    nobody changes sides, as in a Mitchell, each direction has a list with places of its
    own.
    """

    side: Literal["", "EW", "NS"]
    place: int
    names: list[str]
    boards: int
    imps: float
    percent: float | None


class PlayerRow(TypedDict):
    """A player's place, and what cost most."""

    place: int
    name: str
    decisions: list[CostlyDecision]
    boards: int
    imps: float
    percent: float | None


class CostlyDecision(TypedDict):
    """A decision that cost a player something, and whether it was wrong or unlucky."""

    table: int
    board: int
    kind: Literal["call", "card"]
    index: int
    seat: Literal["E", "N", "S", "W"]
    done: str
    cost: int
    best: list[str]
    fault: NotRequired[str]
    word: Literal["close", "forced", "good", "wrong"]
    better: str
    loss: float
    error: float
    worlds: int


class TableRow(TypedDict):
    """One board at one table, beside the others."""

    table: int
    board: int
    deal: int
    names: list[str]
    contract: str | None
    declarer: Literal["E", "N", "S", "W"] | None
    result: str | None
    score_ns: int | None
    text: str
    imps_ns: float | None
    percent_ns: float | None
    par_ns: int | None


class Progress(TypedDict):
    """How far the work has come."""

    done: int
    jobs: int


class LessonListed(TypedDict):
    """A lesson with the names of its positions."""

    name: str
    title: str
    words: str
    kind: Literal["call", "card"]
    positions: list[str]


class Lesson(TypedDict):
    """Positions of one kind, the easier ones first."""

    name: str
    title: str
    words: str
    kind: Literal["call", "card"]
    positions: list[Position]


class Position(TypedDict):
    """A decision as its seat sees it. `hand` and `dummy` are whole, `play` is what has
    gone.
    """

    name: str
    grade: Literal[1, 2, 3]
    dealer: Literal["E", "N", "S", "W"]
    vul: str
    seat: Literal["E", "N", "S", "W"]
    hand: str
    auction: str
    answers: list[str]
    options: list[Option]
    reasons: list[str | Sentence]
    worlds: int
    nudge: NotRequired[list[Sentence]]
    contract: NotRequired[str]
    declarer: NotRequired[Literal["E", "N", "S", "W"] | None]
    dummy: NotRequired[str]
    play: NotRequired[str]
    turn: NotRequired[Literal["E", "N", "S", "W"] | None]


class Option(TypedDict):
    """A choice: IMPs it gains over the answer (so below zero), their error, and words for
    it.
    """

    action: str
    imps: float
    error: float
    words: str
    chance: float | None


class MatchListed(TypedDict):
    """A match in the server's folder."""

    name: str
    a: str
    b: str
    boards: int
    method: str


class MatchReport(TypedDict):
    """Figures and boards of a match as far as it is played."""

    a: str
    b: str
    method: str
    mean: float
    error: float | None
    figures: list[list[str]]
    profile: list[list[str]]
    boards: list[MatchBoard]


class TournamentListed(TypedDict):
    """A tournament in the server's folder."""

    name: str
    kind: Literal["ladder", "pairs", "round-robin", "swiss"]
    engines: list[str]
    boards: int
    matches: int
    method: str


class TournamentReport(TypedDict):
    """The table, ratings with errors, who beat whom, every match."""

    name: str
    kind: Literal["ladder", "pairs", "round-robin", "swiss"]
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


class TournamentRow(TypedDict):
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


class EnginePair(TypedDict):
    """Two engines that met: IMPs for a over all their matches."""

    a: int
    b: int
    imps: int
    boards: int
    mean: float
    error: float | None


class EncounterRow(TypedDict):
    """One match of a tournament."""

    a: int
    b: int
    imps: int
    boards: int
    mean: float
    error: float | None
    file: str
    round: int
    over: bool
    points: list[float]


class ByeRow(TypedDict):
    """Who had no opponent in a round."""

    round: int
    engine: int


class Refusal(TypedDict):
    """Why a request was refused, in one line."""

    error: str


class Presence(TypedDict):
    """Who is there now: the rest of the table is as it was."""

    type: Literal["presence"]
    connected: list[Literal["E", "N", "S", "W"]]
    watchers: int


class ChatWord(TypedDict):
    """Somebody said something."""

    type: Literal["chat"]
    seat: Literal["E", "N", "S", "W"]
    name: str
    text: str
    watching: bool


class Trouble(TypedDict):
    """What was wrong with a message."""

    type: Literal["error"]
    error: str


class ThinkIn(TypedDict):
    """What a seat sees, and whom to ask: the fields of `overtrick.think`."""

    hand: str
    auction: NotRequired[str]
    dealer: NotRequired[Literal["E", "N", "S", "W"]]
    vul: NotRequired[Literal["All", "EW", "NS", "None"]]
    dummy: NotRequired[str]
    played: NotRequired[str]
    engine: NotRequired[str]
    system: NotRequired[str]
    theirs: NotRequired[str]
    character: NotRequired[str]
    scoring: NotRequired[Literal["imps", "matchpoints"]]
    seconds: NotRequired[float | None]
    seed: NotRequired[int]


class ThoughtReply(TypedDict):
    """A decision: the call or card, what it shows, why, what else there was, and what it
    rests on. `cut`: a clock ended the thinking. `note`: what is missing here.
    """

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


class ShownByCall(TypedDict):
    """What a call or a card tells."""

    words: str
    hcp: list[int]
    lengths: dict[str, list[int]]
    forcing: Forcing
    alert: bool
    act: SpeechAct
    convention: str
    rule: str
    announce: str
    delayed: bool


class Considered(TypedDict):
    """An action that was considered. Values of calls are IMPs, or matchpoints, over the
    first choice; of cards the chance and the tricks tell more.
    """

    action: str
    value: float | None
    error: float | None
    note: str
    chance: float | None
    tricks: float | None


class ThinkAllIn(TypedDict):
    """Several questions at once; with `stream` each answer comes as soon as it is there."""

    questions: list[ThinkIn]
    stream: NotRequired[bool]


class Thoughts(TypedDict):
    """The answers to several questions, in their order."""

    answers: list[ThoughtLine | FailedLine]


class ThoughtLine(TypedDict):
    """The answer to one question of several."""

    type: Literal["thought"]
    index: int
    thought: ThoughtReply


class FailedLine(TypedDict):
    """A question of several that could not be answered, and why."""

    type: Literal["failed"]
    index: int
    error: str


class ActionLine(TypedDict):
    """A call or a card on the way through a board."""

    type: Literal["action"]
    index: int
    seat: Literal["E", "N", "S", "W"]
    action: str
    explanation: str
    why: str
    cut: bool


class FinishedBoard(TypedDict):
    """The end of a board."""

    type: Literal["board"]
    board: BoardReply


class BoardReply(TypedDict):
    """A board that four robots bid, and played unless only the auction was asked for."""

    boardNumber: int
    dealer: Literal["E", "N", "S", "W"]
    vulnerability: str
    deal: str
    auction: list[str]
    auction_with_explanations: list[ToldCall]
    contract: str
    declarer: Literal["E", "N", "S", "W"] | Literal[""]
    opening_leader: Literal["E", "N", "S", "W"] | Literal[""]
    bidding_only: bool
    tricks: int | None
    score: int | None
    ns_score: int | None
    play: list[str]
    cut: int
    rulings: list[str]
    elapsed: float
    note: NotRequired[str]
    ignored: NotRequired[list[str]]


class ToldCall(TypedDict):
    """A call of a board with its explanation."""

    bid: str
    explanation: str
    alert: bool


class EndLine(TypedDict):
    """The last line: so many answers, and what ended it early, if anything did."""

    type: Literal["end"]
    answered: int
    error: str


class BoardIn(TypedDict):
    """A whole board for four robots. Dealer and vulnerability follow from the number unless
    given; `auction` are calls that were made already; with `stream` each action comes as
    it is made.
    """

    deal: str
    board: NotRequired[int]
    dealer: NotRequired[Literal["E", "N", "S", "W"] | None]
    vul: NotRequired[Literal["All", "EW", "NS", "None"] | None]
    ns: NotRequired[SideIn]
    ew: NotRequired[SideIn]
    scoring: NotRequired[Literal["imps", "matchpoints"]]
    auction: NotRequired[str]
    auction_only: NotRequired[bool]
    stream: NotRequired[bool]


class SideIn(TypedDict):
    """Who sits for one side: the usual robot unless others are named."""

    engine: NotRequired[str]
    player: NotRequired[str]
    system: NotRequired[str]
    character: NotRequired[str]


class BidReply(TypedDict):
    """What to call. `cut`: a clock ended the thinking, and the same question may get
    another answer on another day.
    """

    bid: str
    alert: bool
    explanation: str
    who: str
    cut: bool
    quality: float | None
    note: NotRequired[str]
    ignored: NotRequired[list[str]]
    candidates: NotRequired[list[CallChance]]
    hcp: NotRequired[list[int]]
    shape: NotRequired[list[list[int]]]
    samples: NotRequired[list[str]]
    explanations: NotRequired[list[list[str]]]


class CallChance(TypedDict):
    """A call that was considered; its value is in IMPs, or matchpoints, over the first
    choice.
    """

    call: str
    explanation: str
    value: float | None
    error: float | None


class NothingToDo(TypedDict):
    """Why there is no call or card to make."""

    message: str


class NextCall(TypedDict):
    """A call that has a meaning here."""

    bid: str
    description: str
    ranges: str
    alert: bool
    forcing: Forcing


class CardReply(TypedDict):
    """Which card to play; `player` is 0 for the leader's seat, 1 dummy, 2 leader's partner,
    3 declarer.
    """

    card: str
    who: str
    explanation: str
    cut: bool
    quality: float | None
    player: NotRequired[int]
    matchpoint: NotRequired[bool]
    note: NotRequired[str]
    ignored: NotRequired[list[str]]
    candidates: NotRequired[list[CardChance]]
    samples: NotRequired[int]


class CardChance(TypedDict):
    """A card that was considered, over the deals that were imagined."""

    card: str
    expected_tricks_dd: float | None
    p_make_contract: float | None
    msg: str


class ClaimReply(TypedDict):
    """Is a claim proved, and how?"""

    tricks: int
    result: str
    proof: str


class ContractChance(TypedDict):
    """How often a contract is the best one, and the tricks of its strain."""

    score: float
    Tricks: list[int]
    Percentage: list[float]


class LastCall(TypedDict):
    """What the last call means."""

    explanation: str
    Alert: bool


class EveryCall(TypedDict):
    """What every call means: as a list in HTML, and as pairs."""

    explanation: str
    explanations: list[list[str]]
    bba_controlled: bool


def _said(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["error"])
    except (ValueError, KeyError, TypeError):
        return str(answer[:300], "utf-8", "replace")


def _quoted(place: str) -> str:
    return quote(place, safe="/")


class Overtrick:
    """A server. `key` is what programs on other machines need; `token`, which some methods take, is
    the seat's or the director's, as the answer to opening or joining has it."""

    def __init__(
        self, address: str = "http://127.0.0.1:8000", key: str = "", seconds: float = 120.0
    ) -> None:
        self.address, self.key, self.seconds = address.rstrip("/"), key, seconds

    def _open(
        self,
        verb: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        token: str,
    ) -> Any:
        given = {k: v for k, v in (query or {}).items() if v is not None}
        headers = {"Accept": "*/*"}
        data = None
        if body is not None:
            data = json.dumps({k: v for k, v in body.items() if v is not None}).encode()
            headers["Content-Type"] = "application/json"
        if token or self.key:
            headers["Authorization"] = f"Bearer {token or self.key}"
        address = self.address + path + ("?" + urlencode(given) if given else "")
        try:
            return urlopen(Request(address, data, headers, method=verb), timeout=self.seconds)
        except HTTPError as error:
            with error:
                raise Refused(error.code, _said(error.read())) from None

    def _text(
        self,
        verb: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        token: str = "",
    ) -> str:
        with self._open(verb, path, query, body, token) as answer:
            return str(answer.read(), "utf-8")

    def _json(
        self,
        verb: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        token: str = "",
    ) -> Any:
        return json.loads(self._text(verb, path, query=query, body=body, token=token))

    def _lines(self, verb: str, path: str, *, body: Mapping[str, Any]) -> Iterator[Any]:
        with self._open(verb, path, None, body, "") as answer:
            for line in answer:
                yield json.loads(line)

    def new_table(
        self,
        *,
        seat: Literal["E", "N", "S", "W"] | None = None,
        humans: list[Literal["E", "N", "S", "W"]] | None = None,
        ns: Engines | None = None,
        ew: Engines | None = None,
        source: RandomDeal | ScriptDeal | TextDeal | ProblemDeal | None = None,
        scoring: Literal["imps", "matchpoints"] | None = None,
        take_over: bool | None = None,
        auto: bool | None = None,
        auction_only: bool | None = None,
        silent: bool | None = None,
        boards: int | None = None,
        name: str | None = None,
    ) -> Ticket:
        """Open a table."""
        found: Ticket = self._json(
            "POST",
            "/api/tables",
            body={
                "seat": seat,
                "humans": humans,
                "ns": ns,
                "ew": ew,
                "source": source,
                "scoring": scoring,
                "take_over": take_over,
                "auto": auto,
                "auction_only": auction_only,
                "silent": silent,
                "boards": boards,
                "name": name,
            },
        )
        return found

    def table_join(self, table: str, *, invitation: str, name: str | None = None) -> Ticket:
        """Use an invitation."""
        found: Ticket = self._json(
            "POST",
            f"/api/tables/{_quoted(table)}/join",
            body={"invitation": invitation, "name": name},
        )
        return found

    def table_act(
        self,
        table: str,
        token: str,
        asked: (
            MakeCall
            | PlayCard
            | Undo
            | Claim
            | Hint
            | Explain
            | Next
            | Again
            | Agree
            | Chat
            | Substitute
            | Move
            | Invite
            | BlockSeat
            | ReportSeat
        ),
    ) -> State | HintAnswer | MeaningsAnswer | Invited:
        """Call, play, undo, claim, ask; answers with the state or what was asked."""
        found: State | HintAnswer | MeaningsAnswer | Invited = self._json(
            "POST", f"/api/tables/{_quoted(table)}/act", body=dict(asked), token=token
        )
        return found

    def new_contest(
        self,
        *,
        title: str | None = None,
        boards: int | None = None,
        scoring: Literal["imps", "matchpoints"] | None = None,
        ns: Engines | None = None,
        ew: Engines | None = None,
    ) -> NewContest:
        """A match for several people."""
        found: NewContest = self._json(
            "POST",
            "/api/contests",
            body={"title": title, "boards": boards, "scoring": scoring, "ns": ns, "ew": ew},
        )
        return found

    def contest_enter(
        self,
        contest: str,
        *,
        name: str | None = None,
        seat: Literal["E", "N", "S", "W"] | None = None,
        humans: list[Literal["E", "N", "S", "W"]] | None = None,
    ) -> Ticket:
        """Play in a match."""
        found: Ticket = self._json(
            "POST",
            f"/api/contests/{_quoted(contest)}/enter",
            body={"name": name, "seat": seat, "humans": humans},
        )
        return found

    def contest_remove(self, contest: str, token: str, *, entry: str) -> list[EntryRow]:
        """The director takes an entry out; all that are left."""
        found: list[EntryRow] = self._json(
            "POST", f"/api/contests/{_quoted(contest)}/remove", body={"entry": entry}, token=token
        )
        return found

    def lobby(
        self,
        *,
        name: str | None = None,
        boards: Literal[1, 4, 8] | None = None,
        wait: str | None = None,
        begin: bool | None = None,
        leave: bool | None = None,
    ) -> LobbyPage:
        """Company for some boards; asked again and again."""
        found: LobbyPage = self._json(
            "POST",
            "/api/lobby",
            body={"name": name, "boards": boards, "wait": wait, "begin": begin, "leave": leave},
        )
        return found

    def get_lobby(self) -> LobbyPage:
        """Who waits for company."""
        found: LobbyPage = self._json("GET", "/api/lobby")
        return found

    def get_ratings(self) -> RatingPage:
        """Who is how strong, with the error."""
        found: RatingPage = self._json("GET", "/api/ratings")
        return found

    def new_event(
        self,
        *,
        title: str | None = None,
        movement: Literal["howell", "mitchell"] | None = None,
        each: int | None = None,
        rounds: int | None = None,
        method: Literal["imps", "matchpoints"] | None = None,
        minutes: int | None = None,
    ) -> NewEvent:
        """Arrange an event of pairs."""
        found: NewEvent = self._json(
            "POST",
            "/api/events",
            body={
                "title": title,
                "movement": movement,
                "each": each,
                "rounds": rounds,
                "method": method,
                "minutes": minutes,
            },
        )
        return found

    def event_enter(self, event: str, *, name: str, robot: bool | None = None) -> EventTicket:
        """Enter as a pair."""
        found: EventTicket = self._json(
            "POST", f"/api/events/{_quoted(event)}/enter", body={"name": name, "robot": robot}
        )
        return found

    def event_join(self, event: str, *, invitation: str, name: str) -> EventTicket:
        """Join as the partner or a substitute, by a link."""
        found: EventTicket = self._json(
            "POST",
            f"/api/events/{_quoted(event)}/join",
            body={"invitation": invitation, "name": name},
        )
        return found

    def event_call(self, event: str, *, words: str | None = None) -> EventPage:
        """Director, please."""
        found: EventPage = self._json(
            "POST", f"/api/events/{_quoted(event)}/call", body={"words": words}
        )
        return found

    def event_direct(
        self,
        event: str,
        asked: (
            BeginEvent
            | NextRound
            | AdjustScore
            | PenalisePair
            | Announce
            | OfferPlace
            | StandIn
            | WithdrawPair
            | AddRobots
            | Attended
            | LookAtTable
            | CloseEvent
        ),
    ) -> DeskPage:
        """What the director does; answers with the desk."""
        found: DeskPage = self._json(
            "POST", f"/api/events/{_quoted(event)}/direct", body=dict(asked)
        )
        return found

    def get_event(self, event: str) -> EventPage:
        """An event of pairs, and my own place in it."""
        found: EventPage = self._json("GET", f"/api/events/{_quoted(event)}")
        return found

    def get_event_results(self, event: str) -> str:
        """Results to print; ?form=csv, pbn or xml are files, csv with ?what=ranking, recap or
        travellers.
        """
        return self._text("GET", f"/api/events/{_quoted(event)}/results")

    def get_event_desk(self, event: str) -> DeskPage:
        """The event as its director sees it."""
        found: DeskPage = self._json("GET", f"/api/events/{_quoted(event)}/desk")
        return found

    def review_read(self, *, text: str) -> ReadBoards:
        """Read and list boards of any notation."""
        found: ReadBoards = self._json("POST", "/api/review/read", body={"text": text})
        return found

    def review_solve(self, *, text: str) -> SolvedBoard:
        """Double dummy, par, cost of each card."""
        found: SolvedBoard = self._json("POST", "/api/review/solve", body={"text": text})
        return found

    def review_calls(self, *, text: str, ns: str, ew: str) -> list[CallBeside]:
        """What engines would have called."""
        found: list[CallBeside] = self._json(
            "POST", "/api/review/calls", body={"text": text, "ns": ns, "ew": ew}
        )
        return found

    def review_cards(
        self,
        *,
        text: str,
        player: str,
        start: int | None = None,
        count: int | None = None,
        ns: str | None = None,
        ew: str | None = None,
    ) -> list[CardBeside]:
        """What an engine would play."""
        found: list[CardBeside] = self._json(
            "POST",
            "/api/review/cards",
            body={
                "text": text,
                "player": player,
                "start": start,
                "count": count,
                "ns": ns,
                "ew": ew,
            },
        )
        return found

    def review_table(self, *, text: str, ns: str, ew: str, player: str) -> BoardAgain:
        """Four robots play the board."""
        found: BoardAgain = self._json(
            "POST", "/api/review/table", body={"text": text, "ns": ns, "ew": ew, "player": player}
        )
        return found

    def review_worlds(
        self,
        *,
        text: str,
        kind: Literal["call", "card"],
        index: int,
        ns: str | None = None,
        ew: str | None = None,
    ) -> PossibleHands:
        """What a seat thought possible."""
        found: PossibleHands = self._json(
            "POST",
            "/api/review/worlds",
            body={"text": text, "kind": kind, "index": index, "ns": ns, "ew": ew},
        )
        return found

    def review_judge(
        self,
        *,
        text: str,
        kind: Literal["call", "card"],
        index: int,
        ns: str | None = None,
        ew: str | None = None,
        also: list[str] | None = None,
    ) -> JudgedDecision:
        """Was a call or card wrong?"""
        found: JudgedDecision = self._json(
            "POST",
            "/api/review/judge",
            body={"text": text, "kind": kind, "index": index, "ns": ns, "ew": ew, "also": also},
        )
        return found

    def review_play_on(
        self,
        *,
        text: str,
        kind: Literal["call", "card"],
        index: int,
        action: str,
        ns: str | None = None,
        ew: str | None = None,
        player: str | None = None,
    ) -> BoardAgain:
        """Robots finish a changed board."""
        found: BoardAgain = self._json(
            "POST",
            "/api/review/play-on",
            body={
                "text": text,
                "kind": kind,
                "index": index,
                "action": action,
                "ns": ns,
                "ew": ew,
                "player": player,
            },
        )
        return found

    def new_evening(self, *, text: str, title: str | None = None) -> NewEvening:
        """A whole evening, ranked and judged."""
        found: NewEvening = self._json("POST", "/api/evenings", body={"text": text, "title": title})
        return found

    def decode(
        self,
        *,
        auction: str,
        bidder: str,
        vul: str | None = None,
        dealer: Literal["E", "N", "S", "W"] | None = None,
        samples: int | None = None,
    ) -> DecodedAuction:
        """Explain an auction and every next call."""
        found: DecodedAuction = self._json(
            "POST",
            "/api/decode",
            body={
                "auction": auction,
                "bidder": bidder,
                "vul": vul,
                "dealer": dealer,
                "samples": samples,
            },
        )
        return found

    def suit(
        self,
        *,
        north: str,
        south: str,
        tricks: int | None = None,
        vacant: list[int] | None = None,
        entries: list[int] | None = None,
    ) -> SolvedSuit:
        """The best way to play one suit."""
        found: SolvedSuit = self._json(
            "POST",
            "/api/suit",
            body={
                "north": north,
                "south": south,
                "tricks": tricks,
                "vacant": vacant,
                "entries": entries,
            },
        )
        return found

    def deal(
        self,
        *,
        north: str | None = None,
        east: str | None = None,
        south: str | None = None,
        west: str | None = None,
        script: str | None = None,
        count: int | None = None,
        seed: int | None = None,
        show: int | None = None,
        solve: int | None = None,
        skip: int | None = None,
    ) -> DealtDeals:
        """Deals to order, with statistics."""
        found: DealtDeals = self._json(
            "POST",
            "/api/deal",
            body={
                "north": north,
                "east": east,
                "south": south,
                "west": west,
                "script": script,
                "count": count,
                "seed": seed,
                "show": show,
                "solve": solve,
                "skip": skip,
            },
        )
        return found

    def book(self, *, system: str, auction: str | None = None, vul: str | None = None) -> BookPage:
        """A page of a system's book."""
        found: BookPage = self._json(
            "POST", "/api/book", body={"system": system, "auction": auction, "vul": vul}
        )
        return found

    def card(self, *, card: str, name: str | None = None) -> CardShown:
        """A convention card with all its switches."""
        found: CardShown = self._json("POST", "/api/card", body={"card": card, "name": name})
        return found

    def card_read(self, *, text: str, file: str | None = None) -> CardRead:
        """A card of ours or of BBA's, read."""
        found: CardRead = self._json("POST", "/api/card/read", body={"text": text, "file": file})
        return found

    def card_cost(
        self, *, card: str, seed: int | None = None, start: int | None = None
    ) -> CardGains:
        """Some deals bid by a card and by its standard: what it gains."""
        found: CardGains = self._json(
            "POST", "/api/card/cost", body={"card": card, "seed": seed, "start": start}
        )
        return found

    def match(
        self,
        *,
        a: str,
        b: str,
        seed: int | None = None,
        start: int | None = None,
        count: int | None = None,
    ) -> list[MatchBoard]:
        """Boards of a match between bidders."""
        found: list[MatchBoard] = self._json(
            "POST",
            "/api/match",
            body={"a": a, "b": b, "seed": seed, "start": start, "count": count},
        )
        return found

    def get_health(self) -> Health:
        """Is the server there?"""
        found: Health = self._json("GET", "/api/health")
        return found

    def get_engines(self) -> Offered:
        """The engines it offers, the default ones first."""
        found: Offered = self._json("GET", "/api/engines")
        return found

    def get_openapi(self) -> dict[str, Any]:
        """This description."""
        found: dict[str, Any] = self._json("GET", "/api/openapi.json")
        return found

    def get_table(self, table: str, token: str) -> State:
        """The table as my seat sees it."""
        found: State = self._json("GET", f"/api/tables/{_quoted(table)}", token=token)
        return found

    def get_table_thoughts(
        self, table: str, token: str, *, board: str | None = None, at: str | None = None
    ) -> list[ThoughtShown]:
        """What was thought on a board that is over."""
        found: list[ThoughtShown] = self._json(
            "GET",
            f"/api/tables/{_quoted(table)}/thoughts",
            query={"board": board, "at": at},
            token=token,
        )
        return found

    def get_contest(self, contest: str, *, table: str | None = None) -> ContestPage:
        """A match: who plays, the ranking; `daily` is today's."""
        found: ContestPage = self._json(
            "GET", f"/api/contests/{_quoted(contest)}", query={"table": table}
        )
        return found

    def get_contest_entries(self, contest: str, token: str) -> list[EntryRow]:
        """All entries of a match, for its director."""
        found: list[EntryRow] = self._json(
            "GET", f"/api/contests/{_quoted(contest)}/entries", token=token
        )
        return found

    def get_here(self) -> Reach:
        """The addresses under which other machines find this server."""
        found: Reach = self._json("GET", "/api/here")
        return found

    def get_systems(self) -> list[SystemName]:
        """The systems whose books can be read."""
        found: list[SystemName] = self._json("GET", "/api/systems")
        return found

    def get_card_print(
        self, *, card: str | None = None, name: str | None = None, form: str | None = None
    ) -> str:
        """A card as a page to print."""
        return self._text(
            "GET", "/api/card/print", query={"card": card, "name": name, "form": form}
        )

    def get_problems(self) -> list[ProblemSet]:
        """The sets of bidding problems."""
        found: list[ProblemSet] = self._json("GET", "/api/problems")
        return found

    def get_evening(self, evening: str, *, brief: str | None = None) -> EveningReport | Progress:
        """An uploaded evening."""
        found: EveningReport | Progress = self._json(
            "GET", f"/api/evenings/{_quoted(evening)}", query={"brief": brief}
        )
        return found

    def get_lessons(self) -> list[LessonListed]:
        """The lessons: positions with answers."""
        found: list[LessonListed] = self._json("GET", "/api/lessons")
        return found

    def get_lesson(self, lesson: str) -> Lesson:
        """One lesson with its positions."""
        found: Lesson = self._json("GET", f"/api/lessons/{_quoted(lesson)}")
        return found

    def get_matches(self) -> list[MatchListed]:
        """The arena's matches in this server's folder."""
        found: list[MatchListed] = self._json("GET", "/api/matches")
        return found

    def get_match(self, name: str) -> MatchReport:
        """One match: figures and boards; TOURNAMENT/FILE for one of those."""
        found: MatchReport = self._json("GET", f"/api/matches/{_quoted(name)}")
        return found

    def get_tournaments(self) -> list[TournamentListed]:
        """The arena's tournaments in this server's folder."""
        found: list[TournamentListed] = self._json("GET", "/api/tournaments")
        return found

    def get_tournament(self, name: str) -> TournamentReport:
        """One tournament: table, ratings, who beat whom, matches."""
        found: TournamentReport = self._json("GET", f"/api/tournaments/{_quoted(name)}")
        return found

    def think(
        self,
        *,
        hand: str,
        auction: str | None = None,
        dealer: Literal["E", "N", "S", "W"] | None = None,
        vul: Literal["All", "EW", "NS", "None"] | None = None,
        dummy: str | None = None,
        played: str | None = None,
        engine: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
        character: str | None = None,
        scoring: Literal["imps", "matchpoints"] | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ) -> ThoughtReply:
        """What the robot calls, or plays, for what one seat sees."""
        found: ThoughtReply = self._json(
            "POST",
            "/api/think",
            body={
                "hand": hand,
                "auction": auction,
                "dealer": dealer,
                "vul": vul,
                "dummy": dummy,
                "played": played,
                "engine": engine,
                "system": system,
                "theirs": theirs,
                "character": character,
                "scoring": scoring,
                "seconds": seconds,
                "seed": seed,
            },
        )
        return found

    def think_all(self, *, questions: list[ThinkIn]) -> Thoughts:
        """Several questions; with stream each answer as it comes."""
        found: Thoughts = self._json("POST", "/api/think/all", body={"questions": questions})
        return found

    def think_all_lines(
        self, *, questions: list[ThinkIn]
    ) -> Iterator[ThoughtLine | FailedLine | ActionLine | FinishedBoard | EndLine]:
        """Several questions; with stream each answer as it comes. Each line as it comes; the
        last one is of type `end`.
        """
        return self._lines("POST", "/api/think/all", body={"questions": questions, "stream": True})

    def board(
        self,
        *,
        deal: str,
        board: int | None = None,
        dealer: Literal["E", "N", "S", "W"] | None = None,
        vul: Literal["All", "EW", "NS", "None"] | None = None,
        ns: SideIn | None = None,
        ew: SideIn | None = None,
        scoring: Literal["imps", "matchpoints"] | None = None,
        auction: str | None = None,
        auction_only: bool | None = None,
    ) -> BoardReply:
        """A whole board by four robots; with stream action by action."""
        found: BoardReply = self._json(
            "POST",
            "/api/board",
            body={
                "deal": deal,
                "board": board,
                "dealer": dealer,
                "vul": vul,
                "ns": ns,
                "ew": ew,
                "scoring": scoring,
                "auction": auction,
                "auction_only": auction_only,
            },
        )
        return found

    def board_lines(
        self,
        *,
        deal: str,
        board: int | None = None,
        dealer: Literal["E", "N", "S", "W"] | None = None,
        vul: Literal["All", "EW", "NS", "None"] | None = None,
        ns: SideIn | None = None,
        ew: SideIn | None = None,
        scoring: Literal["imps", "matchpoints"] | None = None,
        auction: str | None = None,
        auction_only: bool | None = None,
    ) -> Iterator[ThoughtLine | FailedLine | ActionLine | FinishedBoard | EndLine]:
        """A whole board by four robots; with stream action by action. Each line as it comes;
        the last one is of type `end`.
        """
        return self._lines(
            "POST",
            "/api/board",
            body={
                "deal": deal,
                "board": board,
                "dealer": dealer,
                "vul": vul,
                "ns": ns,
                "ew": ew,
                "scoring": scoring,
                "auction": auction,
                "auction_only": auction_only,
                "stream": True,
            },
        )

    def bid(
        self,
        *,
        hand: str | None = None,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        tournament: str | None = None,
        details: str | None = None,
        engine: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
        seconds: str | None = None,
        character: str | None = None,
    ) -> BidReply | NothingToDo:
        """What to call: hand, seat, dealer, vul, ctx; details=true adds what else was
        considered.
        """
        found: BidReply | NothingToDo = self._json(
            "GET",
            "/bid",
            query={
                "hand": hand,
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "tournament": tournament,
                "details": details,
                "engine": engine,
                "system": system,
                "theirs": theirs,
                "seconds": seconds,
                "character": character,
            },
        )
        return found

    def bids(
        self,
        *,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
    ) -> list[NextCall]:
        """Every call that has a meaning after ctx, with the meaning."""
        found: list[NextCall] = self._json(
            "GET",
            "/bids",
            query={"dealer": dealer, "vul": vul, "ctx": ctx, "system": system, "theirs": theirs},
        )
        return found

    def lead(
        self,
        *,
        hand: str | None = None,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        tournament: str | None = None,
        details: str | None = None,
        engine: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
        seconds: str | None = None,
    ) -> CardReply | NothingToDo:
        """The opening lead: hand, seat, dealer, vul, ctx."""
        found: CardReply | NothingToDo = self._json(
            "GET",
            "/lead",
            query={
                "hand": hand,
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "tournament": tournament,
                "details": details,
                "engine": engine,
                "system": system,
                "theirs": theirs,
                "seconds": seconds,
            },
        )
        return found

    def play(
        self,
        *,
        hand: str | None = None,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        tournament: str | None = None,
        details: str | None = None,
        engine: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
        seconds: str | None = None,
        dummy: str | None = None,
        played: str | None = None,
        format: str | None = None,
    ) -> CardReply | NothingToDo:
        """The next card: hand, dummy, seat, dealer, vul, ctx, played; for dummy ask as
        declarer.
        """
        found: CardReply | NothingToDo = self._json(
            "GET",
            "/play",
            query={
                "hand": hand,
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "tournament": tournament,
                "details": details,
                "engine": engine,
                "system": system,
                "theirs": theirs,
                "seconds": seconds,
                "dummy": dummy,
                "played": played,
                "format": format,
            },
        )
        return found

    def claim(
        self,
        *,
        hand: str | None = None,
        dummy: str | None = None,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        played: str | None = None,
        format: str | None = None,
        tricks: str | None = None,
    ) -> ClaimReply | NothingToDo:
        """May the side to play claim `tricks` more? Only what holds in every layout is
        accepted.
        """
        found: ClaimReply | NothingToDo = self._json(
            "GET",
            "/claim",
            query={
                "hand": hand,
                "dummy": dummy,
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "played": played,
                "format": format,
                "tricks": tricks,
            },
        )
        return found

    def contract(
        self,
        *,
        hand: str | None = None,
        dummy: str | None = None,
        seat: str | None = None,
        vul: str | None = None,
    ) -> dict[str, ContractChance]:
        """Where two hands belong: hand, dummy, seat, vul. A contract's score is the share of
        deals in which no other is better for the side, with silent opponents and double-
        dummy play.
        """
        found: dict[str, ContractChance] = self._json(
            "GET", "/contract", query={"hand": hand, "dummy": dummy, "seat": seat, "vul": vul}
        )
        return found

    def explain(
        self,
        *,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
    ) -> LastCall:
        """What the last call of ctx means."""
        found: LastCall = self._json(
            "GET",
            "/explain",
            query={
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "system": system,
                "theirs": theirs,
            },
        )
        return found

    def explain_auction(
        self,
        *,
        seat: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        ctx: str | None = None,
        system: str | None = None,
        theirs: str | None = None,
    ) -> EveryCall:
        """What every call of ctx means; as a list in HTML, and as pairs."""
        found: EveryCall = self._json(
            "GET",
            "/explain_auction",
            query={
                "seat": seat,
                "dealer": dealer,
                "vul": vul,
                "ctx": ctx,
                "system": system,
                "theirs": theirs,
            },
        )
        return found

    def autoplay(
        self,
        *,
        deal: str | None = None,
        board: str | None = None,
        dealer: str | None = None,
        vul: str | None = None,
        tournament: str | None = None,
        bidding_only: str | None = None,
        auction: str | None = None,
        engine: str | None = None,
        player: str | None = None,
        system: str | None = None,
        character: str | None = None,
    ) -> BoardReply:
        """A whole board by four robots: deal, and board or dealer and vul; bidding_only=true
        ends it after the auction, which may be given.
        """
        found: BoardReply = self._json(
            "GET",
            "/autoplay",
            query={
                "deal": deal,
                "board": board,
                "dealer": dealer,
                "vul": vul,
                "tournament": tournament,
                "bidding_only": bidding_only,
                "auction": auction,
                "engine": engine,
                "player": player,
                "system": system,
                "character": character,
            },
        )
        return found
