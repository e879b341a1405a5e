"""The grammar of Table Manager lines: `read` takes what any program sends.
Its strict counterpart is `writing.write`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from overtrick.game import (
    DOUBLE,
    PASS,
    REDOUBLE,
    BridgeError,
    Call,
    Card,
    Hand,
    Seat,
    Vulnerability,
)
from overtrick.game.cards import RANKS, SUIT_LETTERS
from overtrick.protocol.messages import (
    Bid,
    BoardLine,
    Cards,
    Connect,
    DeclaredScoring,
    EndOfSession,
    ExplainCall,
    Garbage,
    Message,
    Notice,
    NoticeKind,
    Plays,
    Ready,
    ReadyFor,
    RoomName,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)

MAX_LINE: Final = 1000  # characters; the longest line a program needs is about 200

_SEAT: Final = r"(?P<seat>north|east|south|west)"
_WHO: Final = r"(?P<seat>north|east|south|west|dummy)"
_OF: Final = r"(?P<of>north|east|south|west|dummy)(?:['’`´]?s)?"
_EAST_WEST: Final = re.compile(r" ?[.,]? ?e/w ?:? ?", re.IGNORECASE)
_PLAYING: Final = re.compile(r" ?playing (imps?|mps?|matchpoints?)\b", re.IGNORECASE)
_CALL: Final = (
    r"(?P<call>passes|pass|doubles|redoubles|"
    r"bids? (?:[1-7] ?(?:nt|n|c|d|h|s)|pass|p|xx|x|double|redouble))"
)


def read(line: str) -> Message:
    """The message in a line; never raises, what cannot be read is Garbage with the reason.

    >>> read('NORTH  plays 7s')
    Plays(seat=Seat.NORTH, card=Card('S7'), text='')
    >>> read("West's cards: S A K. H -. D Q J T 9 8 7 6. C 5432").hand.lengths
    (4, 7, 0, 2)
    """
    if len(line) > MAX_LINE:
        return Garbage(line[:200], f"longer than {MAX_LINE} characters")
    text = " ".join("".join(c if c.isprintable() else " " for c in line).split())
    if not text:
        return Garbage("", "an empty line")
    for pattern, make in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        try:
            return make(match)
        except BridgeError as error:
            return Garbage(text, str(error))
    return Garbage(text, "no line of the protocol")


def _seat(match: re.Match[str], group: str = "seat") -> Seat | None:
    word = match[group].lower()
    return None if word in ("dummy", "anypl") else Seat.parse(word)


def _known_seat(match: re.Match[str]) -> Seat:
    return Seat.parse(match["seat"])


def _ready(match: re.Match[str]) -> Message:
    return Ready(_known_seat(match), _ready_word(match["what"].lower()))


def _ready_word(word: str) -> ReadyFor:
    words: dict[str, ReadyFor] = {
        "teams": "teams",
        "start": "start",
        "deal": "deal",
        "card": "cards",
        "cards": "cards",
        "dummy": "dummy",
    }
    return words[word]


def _ready_other(match: re.Match[str]) -> Message:
    trick = int(match["trick"]) if match["trick"] else None
    what: ReadyFor = "bid" if match["what"].lower().startswith("bid") else "card"
    return Ready(_known_seat(match), what, _seat(match, "of"), trick)


def _connect(match: re.Match[str]) -> Message:
    info = (match["info"] or "").strip(" .")
    return Connect(match["team"].strip(), _seat(match), int(match["version"]), info)


def _teams(match: re.Match[str]) -> Message:
    """Both names, quoted or not, and perhaps the scoring. Cut by hand: one pattern with two names
    of any length would take a time that grows with the cube of the line."""
    text = match["names"]
    scoring: DeclaredScoring = ""
    if said := _PLAYING.search(text):
        scoring = "imps" if said[1].lower().startswith("imp") else "matchpoints"
        text = text[: said.start()]
    if text.startswith('"'):
        ns, _, rest = text[1:].partition('"')
        between = _EAST_WEST.match(rest)
    else:
        between = _EAST_WEST.search(rest := text)
        ns = rest[: between.start()] if between else ""
    if between is None:
        raise BridgeError("a line about the teams names both of them")
    ew = rest[between.end() :]
    ew = ew.rstrip(" .") if ew.startswith('"') else ew.removesuffix(".")
    names = [name.strip().removeprefix('"').removesuffix('"').strip() for name in (ns, ew)]
    if any('"' in name for name in names):
        raise BridgeError("a team's name has no quotes inside")
    return Teams(names[0], names[1], scoring)


def _board(match: re.Match[str]) -> Message:
    vul = Vulnerability.parse(match["vul"])
    room: RoomName = ""
    if match["room"]:
        room = "open" if match["room"].lower() == "open" else "closed"
    return BoardLine(int(match["number"]), Seat.parse(match["dealer"]), vul, room)


def _cards(match: re.Match[str]) -> Message:
    return Cards(_seat(match), Hand.parse(match["hand"], size=13))


def _bid(match: re.Match[str]) -> Message:
    call = _read_call(match["call"])
    text = (match["text"] or "").strip()
    # A bare dot ends the line; a bare "Alert." is an alert without words.
    text = "" if text == "." else text
    return Bid(_known_seat(match), call, bool(match["alert"]), text)


def _read_call(words: str) -> Call:
    return Call.parse(words.split(" ", 1)[1] if words.lower().startswith("bid") else words)


def _plays(match: re.Match[str]) -> Message:
    return Plays(_seat(match), read_card(match["card"]), (match["text"] or "").strip(" ."))


def read_card(text: str) -> Card:
    """Rank then suit as on the wire (`7S`, `tc`, `10h`); the other order is understood too."""
    word = text.upper().replace("10", "T")
    rank = next((c for c in word if c in RANKS), "")
    suit = next((c for c in word if c in SUIT_LETTERS), "")
    return Card.parse(suit + rank)


def _to_lead(match: re.Match[str]) -> Message:
    return ToLead(_seat(match))


def _timing(match: re.Match[str]) -> Message:
    spans = [_seconds(t) for t in re.findall(r"\d{1,6}(?::\d{1,2}){1,2}", match["times"])]
    if len(spans) != 4:
        raise BridgeError(f"a timing line has four times, not {len(spans)}")
    return Timing(*spans)


def _seconds(text: str) -> int:
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


def _notice(kind: NoticeKind) -> Callable[[re.Match[str]], Message]:
    return lambda match: Notice(kind, match[0])


_PATTERNS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Message]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (rf"{_SEAT} ready (?:for|to) (?P<what>teams|start|deal|cards?|dummy) ?\.?", _ready),
        (
            rf"{_SEAT} ready for {_OF} (?P<what>bid|card)(?: to trick (?P<trick>\d+))? ?\.?",
            _ready_other,
        ),
        (rf"{_SEAT} {_CALL}(?P<text> ?\.?)(?P<alert>(?!))?", _bid),
        (rf"{_SEAT} {_CALL}[ .]*(?P<alert>alert)(?: ?[.:] ?| |$)(?P<text>.*)", _bid),
        (rf"{_SEAT} {_CALL}[ .]*infos?(?: ?[.:] ?| |$)(?P<text>.*)(?P<alert>(?!))?", _bid),
        (rf"{_SEAT} {_CALL} ?\. ?(?P<text>\S.*)(?P<alert>(?!))?", _bid),
        (
            rf"{_WHO} plays? (?P<card>(?:10|[2-9tjqka]) ?[cdhs]|[cdhs] ?(?:10|[2-9tjqka]))"
            r"(?: ?\. ?(?P<text>.*))?",
            _plays,
        ),
        (rf"{_WHO} to lead ?\.?", _to_lead),
        (
            r'connecting ?"?(?P<team>[^"]*?)"? as (?P<seat>north|east|south|west|anypl) '
            r"using protocol version ?(?P<version>\d{1,3})(?P<info>[ .].*)?",
            _connect,
        ),
        (
            rf'{_SEAT} ?\(? ?"?(?P<team>[^"]*?)"? ?\)? ?seated ?\.?',
            lambda m: Seated(_known_seat(m), m["team"].strip()),
        ),
        (r"teams ?:? ?n/s ?:? ?(?P<names>.*)", _teams),
        (r"start of board ?\.?", lambda m: StartOfBoard()),
        (r"end of session ?\.?|ns ?:.*", lambda m: EndOfSession()),
        (
            r"board number (?P<number>\d{1,6}) ?\.? ?dealer (?P<dealer>north|east|south|west) ?"
            r"\.? ?(?P<vul>neither|none|both|all|n/s|e/w|ns|ew) vulnerable ?\.?"
            r"(?: ?(?P<room>open|closed) room ?\.?)?.*",
            _board,
        ),
        (rf"{_WHO}(?:['’`´]?s)? cards ?: ?(?P<hand>.*)", _cards),
        (r"timing ?-? ?(?P<times>.*)", _timing),
        (
            rf"explain {_SEAT}(?:['’`´]?s)? {_CALL} ?\.?",
            lambda m: ExplainCall(_known_seat(m), _read_call(m["call"])),
        ),
        (rf"{_SEAT} received dummy ?\.?", _notice("ignore")),
        (r"illegal (?:bid|card|play|call).*", _notice("illegal")),
        (r"disconnect.*", _notice("disconnect")),
        (r"(?:unexpected|error|expected) ?.*", _notice("error")),
    )
)


def write_call(call: Call) -> str:
    """The words after the seat: `bids 1NT`, `passes`, `doubles`, `redoubles`."""
    words = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
    if call in words:
        return words[call]
    return f"bids {call.ascii}"


def write_card(card: Card) -> str:
    """Rank then suit: `7S`."""
    return RANKS[card.rank] + SUIT_LETTERS[card.suit]
