"""Reads LIN, the format of Bridge Base Online: single boards and vugraph files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from overtrick.game import (
    DECK,
    Auction,
    Call,
    Contract,
    Hand,
    Note,
    PartialDeal,
    Play,
    Record,
    Seat,
    Vulnerability,
    dealer_of,
    vulnerability_of,
)
from overtrick.game.errors import BridgeError
from overtrick.notation.reading import Warnings, impossible_result, shorten

# What goes on beyond any lawful length is left unread.
_MOST_CALLS: Final = 400
_MOST_CARDS: Final = 60
ORDER: Final = (2, 3, 0, 1)  # LIN lists hands and names as S, W, N, E
_VULS: Final = {
    **dict.fromkeys(("o", "0", "-", "none"), 0), "n": 1, "ns": 1, "e": 2, "ew": 2, "b": 3, "all": 3,
}  # fmt: skip
_CALL: Final = re.compile(r"([1-7])\s*(NT|[CDHSN])|(XX|RDBL|DBL|PASS|[PDRX])|(!|\*)", re.IGNORECASE)
_CARD: Final = re.compile(r"([SHDC])\s*(10|[2-9TJQKA])", re.IGNORECASE)
_BOARD: Final = re.compile(r"board\D{0,9}(\d{1,6})", re.IGNORECASE)
_ROOM: Final = re.compile(r"\s*([oc])?\D{0,9}(\d{1,6})", re.IGNORECASE)
_RESULT: Final = re.compile(
    r"\s*([1-7])\s*(NT|[CDHSN])\s*(XX|X|RR?|D)?\s*([NESW])\s*(XX|X|RR?|D)?\s*([=]|[+-]\d{1,2})?",
    re.IGNORECASE,
)


# The header's own words, kept so that a file written as LIN again has them.
EVENT_TAG: Final = "LIN_vg"
RESULTS_TAG: Final = "LIN_rs"


@dataclass(frozen=True, slots=True)
class LinBoard:
    """One board of a LIN file: its own text, and the file's header when it has one."""

    text: str
    header: str = ""
    header_names: tuple[str, ...] = ()
    result: str = ""
    tags: tuple[tuple[str, str], ...] = ()  # what the header says about the whole match


@dataclass(slots=True)
class _BoardState:
    """What is known while a board is read."""

    warnings: Warnings
    line: int
    names: tuple[str, ...] = ()
    number: int | None = None
    room: str = ""
    dealer: Seat | None = None
    vul: Vulnerability | None = None
    deal: PartialDeal | None = None
    calls: list[Call] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    tricks: int | None = None
    claimed: bool = False
    call_notes: dict[int, Note] = field(default_factory=dict)
    card_notes: dict[int, Note] = field(default_factory=dict)
    call_words: dict[int, list[str]] = field(default_factory=dict)  # commentary, piece by piece
    card_words: dict[int, list[str]] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)

    def warn(self, message: str) -> None:
        self.warnings.on(self.line, message)


def read(text: str, warnings: Warnings) -> list[Record]:
    """All boards of a LIN text, each with its own text as `source`."""
    records: list[Record] = []
    for board, position in _split(text):
        record = record_of(board, warnings, position)
        if record is not None:
            records.append(record)
    if not records and text.strip():
        warnings.on(0, "no board found")
    return records


def _pairs(text: str) -> list[tuple[str, str, int]]:
    """Tags (lower case, two letters), values and the position of each tag."""
    parts = text.split("|")
    out: list[tuple[str, str, int]] = []
    position = 0
    for name, value in zip(parts[::2], parts[1::2], strict=False):
        out.append((name.strip().lower(), value, position + len(name) - len(name.lstrip())))
        position += len(name) + len(value) + 2
    return out


def _split(text: str) -> list[tuple[LinBoard, int]]:
    """Boards and where they begin: at `qx` in vugraph files, else at `pn` or a second `md`."""
    pairs = _pairs(text)
    found = [tag for tag, _, _ in pairs]
    vugraph = "qx" in found
    starts: list[int] = []
    dealt = True
    for i, tag in enumerate(found):
        begins = tag == "qx" if vugraph else tag in ("pn", "md") and dealt
        if begins:
            starts.append(i)
            dealt = False
        if tag == "md":
            dealt = True
    if not starts:
        return []
    if not vugraph and starts[0] > 0:
        starts[0] = 0
    header = text[: pairs[starts[0]][2]] if vugraph else ""
    names, results, tags, first = _header(pairs[: starts[0]] if vugraph else [])
    boards: list[tuple[LinBoard, int]] = []
    for k, start in enumerate(starts):
        a = pairs[start][2] if k or vugraph else 0
        b = pairs[starts[k + 1]][2] if k + 1 < len(starts) else len(text)
        result = results.get(_place(pairs[start][1], first), "") if vugraph else ""
        boards.append((LinBoard(text[a:b], header, names, result, tags), a))
    return boards


def _place(label: str, first: int) -> int:
    """Where a board's result stands in the header's list: open room, closed room, next board."""
    found = _ROOM.match(label)
    if found is None:
        return -1
    return 2 * (int(found[2]) - first) + (1 if (found[1] or "o").lower() == "c" else 0)


def _header(
    pairs: list[tuple[str, str, int]],
) -> tuple[tuple[str, ...], dict[int, str], tuple[tuple[str, str], ...], int]:
    """Eight names, results by place, tags of the match, and the number of the first board."""
    names: tuple[str, ...] = ()
    results: dict[int, str] = {}
    tags: dict[str, str] = {}
    first = 1
    for tag, value, _ in pairs:
        if tag == "pn":
            names = tuple(name.strip() for name in value.replace("\n", "").split(","))
        elif tag == "rs":
            results = {i: r.strip() for i, r in enumerate(value.split(",")) if r.strip()}
            tags[RESULTS_TAG] = " ".join(value.split())
        elif tag == "vg":
            fields = [f.strip() for f in value.split(",")]
            tags |= _match_tags(fields)
            tags[EVENT_TAG] = " ".join(value.split())
            if len(fields) > 3 and fields[3].isdecimal() and len(fields[3]) < 7:
                first = int(fields[3])
    return names, results, tuple(tags.items()), first


def _match_tags(fields: list[str]) -> dict[str, str]:
    """A vugraph's own line: title, segment, scoring, first and last board, the teams and what each
    carried over."""
    title, segment, scoring, _, _, home, home_carry, visit, visit_carry = (fields + [""] * 9)[:9]
    carried = f"{home_carry}-{visit_carry}" if home_carry and visit_carry else ""
    found = {
        "Event": ", ".join(f for f in (title, segment) if f),
        "Scoring": {"I": "IMP", "P": "MP", "B": "BAM"}.get(scoring.upper(), ""),
        "HomeTeam": home,
        "VisitTeam": visit,
        "CarryOver": "" if carried == "0-0" else carried,
    }
    return {name: value for name, value in found.items() if value}


def record_of(board: LinBoard, warnings: Warnings, position: int) -> Record | None:
    """One board; None when it holds neither cards nor calls."""
    base = warnings.line_of(position)
    state = _BoardState(warnings, base, board.header_names)
    state.tags.update(board.tags)
    last = 0
    for tag, value, at in _pairs(board.text):
        state.line += board.text.count("\n", last, at)
        last = at
        _take(tag, value if tag == "nt" else value.strip(), state)
    if state.deal is None and not state.calls and not state.cards:
        return None
    return _finish(board, state)


def _take(tag: str, value: str, state: _BoardState) -> None:
    """One tag and its value."""
    reader = _READERS.get(tag)
    if reader is not None:
        reader(value, state)
    elif tag and not (tag.isalnum() and len(tag) <= 3):  # other tags are layout, kept as they are
        state.warn(f"no such tag: {shorten(tag)}")


def _vulnerability(value: str, state: _BoardState) -> None:
    vul = _VULS.get(value.lower())
    if vul is not None:
        state.vul = Vulnerability(vul)
    elif value:
        state.warn(f"no such vulnerability: {shorten(value)}")


def _explanation(value: str, state: _BoardState) -> None:
    if not state.calls:
        state.warn(f"an explanation before the first call: {shorten(value)}")
        return
    i = len(state.calls) - 1
    old = state.call_notes.get(i, Note())
    state.call_notes[i] = Note(value, old.alert, old.nags, old.comment)


def _cards(value: str, state: _BoardState) -> None:
    if len(state.cards) > _MOST_CARDS:
        return
    one = _NUMBER.get(value)  # as nearly all files have it
    if one is not None:
        state.cards.append(one)
        return
    for found in _CARD.finditer(value[:200]):
        rank = "T" if found[2] == "10" else found[2].upper()
        state.cards.append(_NUMBER[found[1].upper() + rank])
    if _CARD.sub("", value).strip():
        state.warn(f"not a card: {shorten(value)}")


def _claim(value: str, state: _BoardState) -> None:
    if value.isdecimal() and len(value) < 3 and int(value) <= 13:
        state.tricks, state.claimed = int(value), True
    else:
        state.warn(f"a claim is a number of tricks, not {shorten(value)}")


def _names(value: str, state: _BoardState) -> None:
    state.names = tuple(name.strip() for name in value.replace("\n", "").split(","))


def _room(value: str, state: _BoardState) -> None:
    found = _ROOM.match(value)
    if found is not None:
        state.number = int(found[2]) or state.number
        state.room = (found[1] or state.room).lower()


def _title(value: str, state: _BoardState) -> None:
    found = _BOARD.match(value)
    if found is not None:
        state.number = int(found[1]) or state.number
    elif value:
        state.tags["Title"] = value


def _comment(value: str, state: _BoardState) -> None:
    """Commentary belongs to the last call or card, or to the board."""
    if not value.strip():
        return
    if state.cards:
        notes, i = state.card_words, len(state.cards) - 1
    elif state.calls:
        notes, i = state.call_words, len(state.calls) - 1
    else:
        state.comments.append(value)
        return
    notes.setdefault(i, []).append(value)


def _hands(value: str, state: _BoardState) -> None:
    """`3SAK…H…D…C…,…,…,`: dealer digit (1 South), then hands S, W, N, E; the fourth may be left."""
    if value[:1] in "01234" and value[:1]:
        if value[0] != "0":
            state.dealer = Seat((int(value[0]) + 1) & 3)
        value = value[1:]
    parts = [p.strip() for p in value.replace("\n", "").split(",")][:4]
    hands = [Hand(), Hand(), Hand(), Hand()]
    for seat, part in zip(ORDER, parts, strict=False):
        try:
            hands[seat] = Hand.parse(part) if part else Hand()
        except BridgeError as error:
            state.warn(f"{Seat(seat)}: {error}")
            return
    try:
        known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
        full = [len(h) for h in known].count(13)
        short = [h for h in known if len(h) < 13]
        if full == 4 or (full == 3 and not short[0]):
            state.deal = known.complete()
        else:
            state.deal = known if any(known) else None
    except BridgeError as error:
        state.warn(str(error))


def _calls(value: str, state: _BoardState) -> None:
    if len(state.calls) > _MOST_CALLS:
        return
    rest = _CALL.sub("", value).strip()
    if rest and rest not in ("-", "?"):
        state.warn(f"not a call: {shorten(value)}")
        return
    for found in _CALL.finditer(value[:400]):
        if found[4]:
            if state.calls:
                i = len(state.calls) - 1
                old = state.call_notes.get(i, Note())
                state.call_notes[i] = Note(old.text, True, old.nags, old.comment)
            continue
        state.calls.append(Call.parse(found[0]))


def _finish(board: LinBoard, state: _BoardState) -> Record:
    """Put the pieces together, checking the auction and the play."""
    if state.number is not None:
        state.dealer = dealer_of(state.number) if state.dealer is None else state.dealer
        state.vul = vulnerability_of(state.number) if state.vul is None else state.vul
    auction = _auction(state)
    contract = auction.contract if auction is not None and auction.is_over else None
    play = _play(contract, state)
    if auction is None and contract is None and board.result:
        contract = _result_contract(board.result)
    tricks, claimed = _outcome(contract, play, board.result, state)
    if state.room:
        state.tags["Room"] = "Closed" if state.room == "c" else "Open"
    return Record(
        state.number, state.dealer, state.vul, state.deal, auction, contract, play, tricks, claimed,
        _seated(state), _with_words(state.call_notes, state.call_words),
        _with_words(state.card_notes, state.card_words), state.tags,
        {}, "\n".join(state.comments), board,
    )  # fmt: skip


def _outcome(
    contract: Contract | None, play: Play | None, result: str, state: _BoardState
) -> tuple[int | None, bool]:
    """Declarer's tricks, and whether they were claimed: cards first, then a claim, then the
    header's result."""
    tricks, claimed = state.tricks, state.claimed
    if play is not None and play.is_over:
        return play.declarer_tricks, False
    if play is not None and tricks is not None and (why := impossible_result(play, tricks)):
        state.warn(why)
    if contract is None and claimed:
        state.warn("a claim without a contract")
        return None, False
    if contract is not None and tricks is None and result:
        tricks = _result_tricks(result, contract)
    return tricks, claimed


def _seated(state: _BoardState) -> tuple[str, str, str, str]:
    """Names by seat; the closed room's are the second four of a header."""
    offset = 4 if state.room == "c" and len(state.names) > 4 else 0
    south, west, north, east = ([*state.names[offset : offset + 4]] + [""] * 4)[:4]
    return north, east, south, west


def _with_words(notes: dict[int, Note], words: dict[int, list[str]]) -> dict[int, Note]:
    """The notes with the commentary that was heard at each call or card."""
    for i, said in words.items():
        old = notes.get(i, Note())
        notes[i] = Note(old.text, old.alert, old.nags, "\n".join(said))
    return notes


def _auction(state: _BoardState) -> Auction | None:
    if not state.calls and state.dealer is None:
        return None
    auction = Auction(state.dealer if state.dealer is not None else Seat.SOUTH)
    for call in state.calls:
        if why := auction.why_illegal(call):
            state.warn(f"call {len(auction) + 1}, {call.ascii}: {why}")
            state.tags["UnreadCalls"] = " ".join(c.ascii for c in state.calls[len(auction) :])
            break
        auction = auction.then(call)
    if not state.calls and not state.cards:
        return None
    return auction


def _play(contract: Contract | None, state: _BoardState) -> Play | None:
    if contract is None:
        if state.cards:
            state.warn("cards played without a contract")
            state.tags["UnreadCards"] = " ".join(DECK[c].ascii for c in state.cards)
        return None
    if not state.cards and not state.claimed:
        return None
    fresh = _fresh(state.cards)
    if fresh < len(state.cards):
        state.warn(
            f"card {fresh + 1}, {DECK[state.cards[fresh]].ascii}: it has been played already"
        )
        state.tags["UnreadCards"] = " ".join(DECK[c].ascii for c in state.cards[fresh:])
    play = Play.of(contract, state.cards[:fresh])
    if state.deal is not None:
        for seat in Seat:
            if state.deal[seat] and (extra := play.played_by(seat) - state.deal[seat]):
                state.warn(f"{seat} plays {next(iter(extra)).ascii} but does not hold it")
                break
    return play


def _fresh(cards: list[int]) -> int:
    """How many cards there are before one that is there already."""
    seen = 0
    for place, card in enumerate(cards):
        if seen >> card & 1:
            return place
        seen |= 1 << card
    return len(cards)


def _result_contract(text: str) -> Contract | None:
    """The contract of a vugraph result, for boards without an auction."""
    found = _RESULT.match(text)
    if found is None:
        return None
    doubled = {"X": "X", "D": "X", "XX": "XX", "R": "XX", "RR": "XX"}
    risk = doubled.get((found[3] or found[5] or "").upper(), "")
    return Contract.parse(f"{found[1]}{found[2].upper()}{risk}", Seat.parse(found[4]))


def _result_tricks(text: str, contract: Contract) -> int | None:
    """Tricks from a vugraph result such as `4SN=`, `3NTW-1`, `5CXS+1`."""
    found = _RESULT.match(text)
    if found is None or Seat.parse(found[4]) != contract.declarer:
        return None
    over = 0 if found[6] in (None, "=") else int(found[6])
    tricks = contract.target + over
    return tricks if 0 <= tricks <= 13 else None


_NUMBER: Final = {card.ascii: int(card) for card in DECK}
_READERS: Final[Mapping[str, Callable[[str, _BoardState], None]]] = {
    "md": _hands, "sv": _vulnerability, "mb": _calls, "an": _explanation, "pc": _cards,
    "mc": _claim, "nt": _comment, "pn": _names, "qx": _room, "ah": _title,
}  # fmt: skip
