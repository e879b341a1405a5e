"""The words of the web API: what a browser may send, as types that msgspec checks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from overtrick.game.seats import SeatLetter
from overtrick.game.view import Scoring
from overtrick.web.events import Engines

Token = Annotated[str, msgspec.Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Browser = Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")]
Tricks = Annotated[int, msgspec.Meta(ge=0, le=13)]
Number = Annotated[int, msgspec.Meta(ge=1, le=9999)]
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Short = Annotated[str, msgspec.Meta(max_length=12)]
Text = Annotated[str, msgspec.Meta(max_length=200_000)]
Evening = Annotated[str, msgspec.Meta(max_length=4_000_000)]
Script = Annotated[str, msgspec.Meta(max_length=20_000)]
Spec = Annotated[str, msgspec.Meta(max_length=2000)]  # with the switches of a card
CardLine = Annotated[str, msgspec.Meta(max_length=1800, pattern=r"^[a-z0-9+= -]+$")]
Name = Annotated[str, msgspec.Meta(max_length=24)]
Count = Annotated[int, msgspec.Meta(ge=0, le=400)]


class _In(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything a browser sends; unknown fields are refused."""


# ---------------------------------------------------------------- at the table


class Join(_In, frozen=True, tag="join"):
    """The first message on a socket: who I am; a browser names itself by a key it has drawn."""

    token: Token
    browser: Browser = ""


class MakeCall(_In, frozen=True, tag="call"):
    """A call; `at` is how many actions I had seen, so that a late click does nothing else."""

    call: Short
    at: Count


class PlayCard(_In, frozen=True, tag="card"):
    """A card of my hand, or of dummy's when I declare."""

    card: Short
    at: Count


class Undo(_In, frozen=True, tag="undo"):
    """Take back my last action and everything after it; alone with robots, an earlier one of mine:
    the board is as it was after `to` actions."""

    to: Count | None = None


class Claim(_In, frozen=True, tag="claim"):
    """I take this many of the tricks that are left (0 concedes them all)."""

    tricks: Tricks


class Hint(_In, frozen=True, tag="hint"):
    """What would the engine do in my place?"""


class Explain(_In, frozen=True, tag="explain"):
    """What would each call I can make tell partner?"""


class Next(_In, frozen=True, tag="next"):
    """The board is over: deal another."""


class Again(_In, frozen=True, tag="again"):
    """The board is over: the same cards once more."""


class Agree(_In, frozen=True, tag="agree"):
    """Somebody asked to take an action back: may they?"""

    yes: bool = True


class Chat(_In, frozen=True, tag="chat"):
    """A word to the table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=300)]


class Substitute(_In, frozen=True, tag="substitute"):
    """Somebody is not there: let a robot act for the seat until they are back."""

    seat: SeatLetter


class Move(_In, frozen=True, tag="move"):
    """Between two boards: I want to sit where a robot sits."""

    to: SeatLetter


class Invite(_In, frozen=True, tag="invite"):
    """A new link: for a person's seat that nobody has taken, or to watch over my shoulder."""

    seat: SeatLetter | None = None
    watch: bool = False


class BlockSeat(_In, frozen=True, tag="block"):
    """I do not want to meet, or to read, whoever sits there."""

    seat: SeatLetter


class ReportSeat(_In, frozen=True, tag="report"):
    """Whoever sits there has said what nobody should say; the host can read it."""

    seat: SeatLetter
    why: Annotated[str, msgspec.Meta(max_length=200)] = ""


Action = (
    MakeCall | PlayCard | Undo | Claim | Hint | Explain | Next | Again | Agree | Chat | Substitute
    | Move | Invite | BlockSeat | ReportSeat
)  # fmt: skip
ACTIONS: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)
JOIN: msgspec.json.Decoder[Join] = msgspec.json.Decoder(Join)

# ---------------------------------------------------------------- opening a table


class RandomDeal(_In, frozen=True, tag="random"):
    """A random board; number and seed make it the same one again."""

    number: Number | None = None
    seed: Seed | None = None


class ScriptDeal(_In, frozen=True, tag="script"):
    """Boards by a script in the language of `dealer`."""

    text: Script
    number: Number | None = None
    seed: Seed | None = None


class TextDeal(_In, frozen=True, tag="text"):
    """A pasted board: PBN, LIN, RBN, a hand viewer link or a deal in one line."""

    text: Text
    index: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0


class ProblemDeal(_In, frozen=True, tag="problems"):
    """Problems to bid: a set of this server by name, or a text of problems or boards."""

    set: Annotated[str, msgspec.Meta(max_length=40)] = ""
    text: Annotated[str, msgspec.Meta(max_length=1_000_000)] = ""
    index: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0


Source = RandomDeal | ScriptDeal | TextDeal | ProblemDeal


class Open(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. `humans` are the people's seats, `seat` is mine; engines default to the best."""

    seat: SeatLetter = "S"
    humans: Annotated[tuple[SeatLetter, ...], msgspec.Meta(max_length=4)] = ()
    ns: Engines | None = None
    ew: Engines | None = None
    source: Source = RandomDeal()
    scoring: Scoring = "imps"
    take_over: bool = True
    auto: bool = True
    auction_only: bool = False
    silent: bool = False
    boards: Annotated[int, msgspec.Meta(ge=1, le=64)] = 16
    name: Name = ""


class Accept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An invitation from a link, to be exchanged for a seat's token."""

    invitation: Token
    name: Name = ""


# ---------------------------------------------------------------- matches


class Found(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match for several people: everybody plays the same boards, and is ranked."""

    title: Annotated[str, msgspec.Meta(max_length=60)] = ""
    boards: Annotated[int, msgspec.Meta(ge=1, le=64)] = 16
    scoring: Scoring = "imps"
    ns: Engines | None = None
    ew: Engines | None = None


class Enter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """I play in a match: under which name, where, and with which friends at the table."""

    name: Name = ""
    seat: SeatLetter = "S"
    humans: Annotated[tuple[SeatLetter, ...], msgspec.Meta(max_length=4)] = ()


class Remove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The director of a match takes an entry and its results out."""

    entry: Annotated[str, msgspec.Meta(max_length=32)]


# ---------------------------------------------------------------- review


class Read(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boards as text, to be read and listed: a board, a link, or a whole evening's file."""

    text: Evening


class Upload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An evening's file, to be kept, compared and judged in the background."""

    text: Evening
    title: Annotated[str, msgspec.Meta(max_length=60)] = ""


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board as LIN or PBN, to be looked into."""

    text: Text


class LookAtCalls(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board and the bidders of both sides: what would they have called?"""

    text: Text
    ns: Spec
    ew: Spec


class LookAtCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board, a player, and which cards: what would it have played?"""

    text: Text
    player: Spec
    start: Annotated[int, msgspec.Meta(ge=0, le=51)] = 0
    count: Annotated[int, msgspec.Meta(ge=1, le=8)] = 4
    ns: Spec = ""
    ew: Spec = ""


class LookAtWorlds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One decision of a board: what could the other hands be, as that seat saw it?"""

    text: Text
    kind: Literal["call", "card"]
    index: Annotated[int, msgspec.Meta(ge=0, le=399)]
    ns: Spec = ""
    ew: Spec = ""


class JudgeDecision(LookAtWorlds, frozen=True, forbid_unknown_fields=True):
    """One decision of a board: was it wrong, close, or as good as any? For a call, `also` are those
    to compare it with, the robot's first; where there are none the robot is asked."""

    also: Annotated[tuple[Short, ...], msgspec.Meta(max_length=6)] = ()


class PlayOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board with another call or card at one place: how do robots finish it?"""

    text: Text
    kind: Literal["call", "card"]
    index: Annotated[int, msgspec.Meta(ge=0, le=399)]
    action: Short
    ns: Spec = ""
    ew: Spec = ""
    player: Spec = ""


class OtherTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One board and four robots: how would they have bid and played it?"""

    text: Text
    ns: Spec
    ew: Spec
    player: Spec


class Decode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An auction typed in, to be explained call by call, with every next call."""

    auction: Annotated[str, msgspec.Meta(max_length=400)]
    bidder: Spec
    vul: Short = "None"
    dealer: SeatLetter = "N"
    samples: Annotated[int, msgspec.Meta(ge=0, le=6)] = 3


# ---------------------------------------------------------------- tools

Ranks = Annotated[str, msgspec.Meta(max_length=14)]
Wish = Annotated[str, msgspec.Meta(max_length=400)]


class SuitWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One suit, North opposite South; an entry count of -1 is as many as needed."""

    north: Ranks
    south: Ranks
    tricks: Annotated[int, msgspec.Meta(ge=1, le=13)] | None = None
    vacant: tuple[Tricks, Tricks] = (13, 13)
    entries: tuple[Annotated[int, msgspec.Meta(ge=-1, le=13)],
                   Annotated[int, msgspec.Meta(ge=-1, le=13)]] | None = None  # fmt: skip


class DealWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Deals by wishes for each seat, or by a script; `solve` of them, after the first `skip`, are
    solved double dummy."""

    north: Wish = ""
    east: Wish = ""
    south: Wish = ""
    west: Wish = ""
    script: Script = ""
    count: Annotated[int, msgspec.Meta(ge=1, le=5000)] = 1000
    seed: Seed = 0
    show: Annotated[int, msgspec.Meta(ge=0, le=64)] = 8
    solve: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    skip: Annotated[int, msgspec.Meta(ge=0, le=5000)] = 0


class BookWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in a system's book."""

    system: CardLine
    auction: Annotated[str, msgspec.Meta(max_length=400)] = ""
    vul: Short = "None"


class CardWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card in one line, to be shown with all its switches."""

    card: CardLine
    name: Annotated[str, msgspec.Meta(max_length=60)] = ""


class CardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card's file, of ours or of BBA's, to be read."""

    text: Annotated[str, msgspec.Meta(max_length=65536)]
    file: Annotated[str, msgspec.Meta(max_length=200)] = ""


class CardCost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next deals on which a card is compared with the standard of its system."""

    card: CardLine
    seed: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    start: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0


class MatchPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some boards of a duplicate match between two bidders, scored double dummy."""

    a: Spec
    b: Spec
    seed: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    start: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    count: Annotated[int, msgspec.Meta(ge=1, le=8)] = 4


# ---------------------------------------------------------------- events of pairs

Title = Annotated[str, msgspec.Meta(max_length=60)]
Words = Annotated[str, msgspec.Meta(max_length=200)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
EntryNumber = Annotated[int, msgspec.Meta(ge=1, le=10_000)]
TableNumber = Annotated[int, msgspec.Meta(ge=1, le=40)]
MemberNumber = Annotated[int, msgspec.Meta(ge=0, le=1)]


class Arrange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of pairs, with me as its director."""

    title: Title = ""
    movement: Literal["mitchell", "howell"] = "mitchell"
    each: Annotated[int, msgspec.Meta(ge=1, le=8)] = 3
    rounds: Annotated[int, msgspec.Meta(ge=1, le=39)] | None = None
    method: Literal["matchpoints", "imps"] = "matchpoints"
    minutes: Annotated[int, msgspec.Meta(ge=0, le=180)] = 0  # a round's; 0 is no clock


class EnterPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """We enter: I and a friend, who comes by a link, or I and a robot."""

    name: Name
    robot: bool = False


class JoinPair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """I am the partner, or the substitute, by a link."""

    invitation: Token
    name: Name


class CallDirector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Director, please."""

    words: Words = ""


class BeginEvent(_In, frozen=True, tag="begin"):
    """Everybody who has entered plays."""


class NextRound(_In, frozen=True, tag="next"):
    """The next round; with `unplayed`, boards without a result get an average for both sides."""

    unplayed: bool = False


class AdjustScore(_In, frozen=True, tag="adjust"):
    """A result for a board of a table: per cent for both sides, or a contract ("4SX N") and its
    tricks; neither is passed out."""

    number: Annotated[int, msgspec.Meta(ge=1, le=40)]
    table: TableNumber
    board: Annotated[int, msgspec.Meta(ge=1, le=400)]
    reason: Words
    ns: Percent | None = None
    ew: Percent | None = None
    contract: Short = ""
    tricks: Tricks | None = None


class PenalisePair(_In, frozen=True, tag="penalty"):
    """Points for a pair, or less than none."""

    pair: Annotated[int, msgspec.Meta(ge=1, le=80)]
    points: Annotated[float, msgspec.Meta(ge=-1000, le=1000)]
    reason: Words


class Announce(_In, frozen=True, tag="announce"):
    """A word to everybody."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class OfferPlace(_In, frozen=True, tag="offer"):
    """A link for a substitute, or for a partner who has lost his."""

    entry: EntryNumber
    member: MemberNumber


class StandIn(_In, frozen=True, tag="stand-in"):
    """A robot acts for somebody who is not there."""

    entry: EntryNumber
    member: MemberNumber


class WithdrawPair(_In, frozen=True, tag="withdraw"):
    """An entry is taken out before the event begins."""

    entry: EntryNumber


class AddRobots(_In, frozen=True, tag="robots"):
    """A pair of robots enters."""


class Attended(_In, frozen=True, tag="attended"):
    """The director has been at a table that called."""

    table: TableNumber


class LookAtTable(_In, frozen=True, tag="look"):
    """A link to look on at a table; the table is told, and whoever looks knows the cards."""

    table: TableNumber


class CloseEvent(_In, frozen=True, tag="close"):
    """Results are final."""


DirectorsWord = (
    BeginEvent | NextRound | AdjustScore | PenalisePair | Announce | OfferPlace | StandIn
    | WithdrawPair | AddRobots | Attended | LookAtTable | CloseEvent
)  # fmt: skip


# ---------------------------------------------------------------- the lobby


class Seek(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """I would like company for so many boards; `wait` is what I was told the first time. With
    `begin` I sit down with robots, whose seats are for those who come."""

    name: Name = ""
    boards: Literal[1, 4, 8] = 4
    wait: Annotated[str, msgspec.Meta(max_length=64)] = ""
    begin: bool = False
    leave: bool = False
