"""Messages as lines, exactly as the protocol has them, adapted to the peer's quirks.
The counterpart of `lines.read`."""

from __future__ import annotations

from overtrick.game import Hand, Seat, Vulnerability
from overtrick.game.cards import SUIT_LETTERS
from overtrick.protocol.lines import MAX_LINE, write_call, write_card
from overtrick.protocol.messages import (
    Bid,
    BoardLine,
    Cards,
    Connect,
    EndOfSession,
    ExplainCall,
    Garbage,
    Message,
    Notice,
    Plays,
    Ready,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
)
from overtrick.protocol.quirks import Quirks

_PLAIN = Quirks()
_VULNERABLE = {
    Vulnerability.NONE: "Neither",
    Vulnerability.NS: "N/S",
    Vulnerability.EW: "E/W",
    Vulnerability.ALL: "Both",
}


def write(message: Message, quirks: Quirks = _PLAIN) -> str:
    """The line of a message, without its line end; plain ASCII, at most MAX_LINE characters.

    >>> from overtrick.game import Call, Seat
    >>> write(Bid(Seat.NORTH, Call.parse("1NT"), True, "15–17"))
    'North bids 1NT Alert. 15-17'
    """
    return _ascii(_compose(message, quirks))[:MAX_LINE]


def _compose(message: Message, q: Quirks) -> str:
    match message:
        case Connect(team, seat, version, info):
            who = "ANYPL" if seat is None else _seat(seat, q)
            extra = f" {info}" if info else ""
            return f'Connecting "{_name(team)}" as {who} using protocol version {version}{extra}'
        case Seated(seat, team):
            return f'{_seat(seat, q)} ("{_name(team)}") seated'
        case Ready():
            return _ready(message, q)
        case Teams():
            return _teams(message, q)
        case StartOfBoard():
            return "Start of board"
        case EndOfSession():
            return "End of session"
        case BoardLine(number, dealer, vul, room):
            tail = f" {room.capitalize()} room." if room else ""
            side = _VULNERABLE[vul]
            return f"Board number {number}. Dealer {_seat(dealer, q)}. {side} vulnerable.{tail}"
        case Cards(seat, hand):
            gap = " : " if q.colon_gap else ": "
            return f"{_seat(seat, q)}'s cards{gap}{_hand(hand, q)}"
        case Bid() | Plays():
            return _action(message, q)
        case ToLead(seat):
            return f"{_seat(seat, q)} to lead"
        case Timing():
            return _timing(message, q)
        case ExplainCall(seat, call):
            return f"Explain {_seat(seat, q)}'s {write_call(call)}"
        case Notice(_, text) | Garbage(text, _):
            return text


def _seat(seat: Seat | None, q: Quirks) -> str:
    name = "Dummy" if seat is None else str(seat)
    return name.upper() if q.shout and seat is not None else name


def _name(team: str) -> str:
    return team.replace('"', "'")[:60]


def _teams(message: Teams, q: Quirks) -> str:
    colon = " :" if q.teams_colons else ""
    gap = " :" if q.colon_gap else ":"
    tail = {"imps": ". Playing IMP", "matchpoints": ". Playing MP"}.get(message.scoring, "")
    ns, ew = _name(message.ns), _name(message.ew)
    return f'Teams{gap} N/S{colon} "{ns}" E/W{colon} "{ew}"{tail}'


def _ready(message: Ready, q: Quirks) -> str:
    who = _seat(message.seat, q)
    if message.what == "start":
        return f"{who} ready to start"
    if message.what in ("bid", "card"):
        whose = "dummy" if message.of is None else _seat(message.of, q)
        tail = f"card to trick {message.trick}" if message.what == "card" else "bid"
        return f"{who} ready for {whose}'s {tail}"
    return f"{who} ready for {message.what}"


def _action(message: Bid | Plays, q: Quirks) -> str:
    who = _seat(message.seat, q)
    if isinstance(message, Plays):
        card = write_card(message.card)
        tail = f". {message.text}" if message.text else ""
        return f"{who} plays {card.lower() if q.shout else card}{tail}"
    words = write_call(message.call)
    if q.shout and not message.call.is_bid:
        words = words.upper()
    # A bare "Alert." makes some clients wait for words that never come.
    if not message.text:
        return f"{who} {words}"
    return f"{who} {words} {'Alert' if message.alert else 'Infos'}. {message.text}"


def _hand(hand: Hand, q: Quirks) -> str:
    suits = (
        f"{SUIT_LETTERS[s]} {' '.join(hand.ranks(s)) or q.void}".rstrip() + "."
        for s in (3, 2, 1, 0)
    )
    return q.suit_gap.join(suits)


def _timing(t: Timing, q: Quirks) -> str:
    ns = f"N/S : this board  {_minutes(t.ns_board)},  total  {_hours(t.ns_total)}."
    ew = f"E/W : this board  {_minutes(t.ew_board)},  total  {_hours(t.ew_total)}"
    return f"Timing - {ns}  {ew}{'.' if q.timing_dot else ''}"


def _minutes(seconds: int) -> str:
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


def _hours(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


_TO_ASCII = str.maketrans(
    {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "–": "-", "—": "-", "≥": ">=", "≤": "<=", "’": "'"}
)


def _ascii(text: str) -> str:
    """Only the characters 32..126 travel; suit symbols become letters."""
    plain = " ".join(text.split("\n")).translate(_TO_ASCII)
    return "".join(c if 32 <= ord(c) < 127 else "?" for c in plain)
