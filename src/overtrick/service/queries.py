"""Reading the questions that clients of BEN, the best-known open robot, send: everything is text.
What is wrong with a field is a BridgeError in one line."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from overtrick.analysis import Inquiry
from overtrick.game import Auction, BridgeError, Call, Card, Contract, Hand, Seat, Vulnerability
from overtrick.game.cards import RANKS
from overtrick.game.errors import printable
from overtrick.game.play import Trick

Query = Mapping[str, str]
_TWO: Final = {"--": "P", "DB": "X", "RD": "XX", "P-": "P", "PA": "P"}
_LONGEST: Final = (
    2400  # characters of one value: an auction of all bids, or a card with its switches
)
_HEARD: Final = ("seat", "dealer", "vul", "ctx", "system", "theirs")
_ASKED: Final = ("engine", "system", "theirs", "seconds")
_SEEN: Final = ("hand", "seat", "dealer", "vul", "ctx", "tournament", "details", *_ASKED)
_PLAYED: Final = (*_SEEN, "dummy", "played", "format")
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bid": (*_SEEN, "character"),
    "bids": ("dealer", "vul", "ctx", "system", "theirs"),
    "lead": _SEEN,
    "play": _PLAYED,
    "claim": ("hand", "dummy", "seat", "dealer", "vul", "ctx", "played", "format", "tricks"),
    "contract": ("hand", "dummy", "seat", "vul"),
    "explain": _HEARD,
    "explain_auction": _HEARD,
    "autoplay": (
        "deal", "board", "dealer", "vul", "tournament", "bidding_only", "auction", "engine",
        "player", "system", "character",
    ),
}  # fmt: skip
FIELD_WORDS: Final[Mapping[str, str]] = {
    "hand": "the seat's thirteen cards: AQ3.KJ4.QJ52.K82; _ may stand for dots, x for small cards",
    "dummy": "dummy's thirteen cards",
    "seat": "whose view it is: N, E, S or W; for dummy's card ask as declarer",
    "dealer": "N, E, S or W",
    "vul": "@v in it when North-South are vulnerable, @V for East-West; or None, NS, EW, All",
    "ctx": "the calls from the dealer, two characters each: 1C 1N -- Db Rd",
    "played": "the cards played, two characters each (SA), in playing order",
    "format": "true when `played` is in the order of the opening leader's table, as in PBN",
    "tricks": "how many more tricks are claimed; all that are left unless given",
    "tournament": "mp for matchpoints, else IMPs",
    "details": "true adds candidates and samples",
    "deal": "four hands N E S W separated by spaces",
    "board": "its number, which tells dealer and vulnerability",
    "engine": "who answers; partner calls and alphamu plays unless another is named",
    "player": "who plays the cards of a whole board; alphamu unless another is named",
    "system": "what our side plays: a system, or a card in one line such as sayc +dont",
    "theirs": "what the other side declared; nothing is known of it unless given",
    "character": "how freely calls depart from what they show: disciplined, usual, free",
    "seconds": "how long somebody waits; the work is fixed, and the answer the same, unless given",
    "bidding_only": "true ends a whole board after its auction",
    "auction": "calls that were made already, from the dealer, with commas: 1N,PASS,3N",
}  # fmt: skip
_THEIRS: Final = frozenset({"user", "dealno", "verbose", "explain", "file_us", "file_them"})
"""Fields that BEN's clients send and that change nothing here; answers name them as ignored."""


def ignored(question: str, query: Query) -> list[str]:
    """The fields of a question that change nothing; those that nobody knows are refused."""
    known = FIELDS[question]
    for key, value in query.items():
        if len(value) > _LONGEST:
            raise BridgeError(f"{printable(key)} is longer than {_LONGEST} characters")
    beside = [key for key in query if key not in known]
    for key in beside:
        if key not in _THEIRS and key not in FIELD_WORDS:
            close = get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"it takes {', '.join(known)}"
            raise BridgeError(f"{question} has no field {printable(key[:40])}; {hint}")
    return sorted(beside)


def call_out(call: Call) -> str:
    """As these clients write calls: PASS, X, XX, 1N, 4S."""
    return "PASS" if call == Call.PASS else call.ascii.replace("NT", "N")


def need(query: Query, key: str) -> str:
    value = query.get(key, "").strip()
    if not value:
        raise BridgeError(f"{key} is missing")
    return value


def yes(query: Query, key: str) -> bool:
    return query.get(key, "").lower() in ("true", "1", "t", "y", "yes")


def vulnerability(query: Query) -> Vulnerability:
    """`@v` is in it when North-South are vulnerable, `@V` for East-West; words will do, too."""
    text = query.get("vul", "").strip()
    if "@" in text or not text:
        return Vulnerability(("@v" in text) + 2 * ("@V" in text))
    return Vulnerability.parse(text)


def auction_of(query: Query, required: bool = True) -> Auction:
    """`ctx` has two characters a call (1C, 1N, --, Db, Rd), or calls with spaces or dashes."""
    dealer = Seat.parse(query.get("dealer", "").strip() or "N")
    if required and "ctx" not in query:
        raise BridgeError("ctx is missing: the calls so far, two characters each")
    text = query.get("ctx", "").strip()
    if " " in text or "," in text:
        return Auction.parse(text, dealer)
    calls = [text[i : i + 2] for i in range(0, len(text), 2)]
    try:
        return Auction(dealer, [_TWO.get(c.upper(), c) for c in calls])
    except BridgeError:
        if "-" not in text.replace("--", ""):
            raise
        return Auction.parse(text.replace("-", " "), dealer)


def hand_of(text: str, taken: Hand = Hand(0), had: Hand = Hand(0)) -> Hand:
    """Thirteen cards; underscores may stand for dots, and x for small cards: those that the seat
    `had`, since it played them, and then any that nobody else has `taken`."""
    suits = text.replace("_", ".").upper().split(".")
    if len(suits) != 4:
        raise BridgeError(f"a hand has four suits separated by dots or underscores, not {text!r}")
    out = []
    for suit, ranks in zip("SHDC", suits, strict=True):
        own = had.ranks(suit)
        gone = set(ranks) | set(taken.ranks(suit)) | set(own)
        small = iter([r for r in own if r not in ranks] + [r for r in RANKS if r not in gone])
        out.append("".join(next(small, "X") if r == "X" else r for r in ranks))
    return Hand.parse(".".join(out), size=13)


def contract_of(auction: Auction) -> Contract:
    found = auction.closed().contract
    if found is None:
        raise BridgeError("nobody has bid in ctx")
    return found


def cards_of(text: str, contract: Contract, by_seat: bool) -> list[Card]:
    """Two characters a card, in playing order, or (`by_seat`) trick by trick in the order of the
    opening leader's table, as PBN writes them."""
    text = text.replace(" ", "")
    if len(text) % 2:
        raise BridgeError("played has two characters a card")
    cards = [Card.parse(text[i : i + 2]) for i in range(0, len(text), 2)]
    if not by_seat:
        return cards
    out: list[Card] = []
    leader = contract.leader
    for start in range(0, len(cards), 4):
        row = cards[start : start + 4]
        if len(row) < 4:
            return [*out, *row]
        turn = (leader - contract.leader) % 4
        trick = Trick(leader, tuple(row[turn:] + row[:turn]))
        out.extend(trick.cards)
        leader = trick.winner(contract.strain)
    return out


def seconds_of(query: Query) -> float | None:
    """How long somebody waits, if that was said."""
    text = query.get("seconds", "").strip()
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise BridgeError(f"seconds is a number, not {printable(text[:40])}") from None


def inquiry_of(query: Query, **more: object) -> Inquiry:
    """The question to the robot in these fields; `more` is what they said of the play."""
    told: dict[str, object] = {
        "hand": hand_of(need(query, "hand")),
        "auction": auction_of(query),
        "vul": vulnerability(query),
        "engine": query.get("engine", ""),
        "system": query.get("system", ""),
        "theirs": query.get("theirs", ""),
        "character": query.get("character", ""),
        "scoring": "matchpoints" if query.get("tournament", "").lower() == "mp" else "imps",
        "seconds": seconds_of(query),
    }
    return Inquiry(**{**told, **more})  # type: ignore[arg-type]
