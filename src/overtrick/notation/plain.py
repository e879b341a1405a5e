"""Records as JSON and back: what `overtrick convert --json` prints and reads.
The classes below are the format; its schema is docs/reference/record.schema.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from overtrick.game import (
    Auction,
    Card,
    Contract,
    Deal,
    Note,
    PartialDeal,
    Play,
    Record,
    Seat,
    Strain,
    Vulnerability,
)
from overtrick.game.errors import BridgeError
from overtrick.notation.reading import Warnings

_MOST_CALLS: Final = 319  # no auction is longer


class PlainNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was said of one call or card."""

    text: str = ""
    alert: bool = False
    nags: tuple[int, ...] = ()
    comment: str = ""


class PlainNames(msgspec.Struct, frozen=True):
    """Who sat where."""

    N: str = ""
    E: str = ""
    S: str = ""
    W: str = ""


class PlainRecord(msgspec.Struct, frozen=True):
    """One board; what is unknown is null."""

    board: int | None = None
    dealer: str | None = None
    vulnerable: str | None = None
    deal: str | None = None
    names: PlainNames = PlainNames()
    auction: tuple[str, ...] | None = None
    contract: str | None = None
    play: tuple[str, ...] | None = None
    trumps: str | None = None  # and who led, where cards were played and no contract is known
    leader: str | None = None
    tricks: int | None = None
    claimed: bool = False
    score: int | None = None
    call_notes: dict[str, PlainNote] = {}  # by the number of the call, from 0
    card_notes: dict[str, PlainNote] = {}
    tags: dict[str, str] = {}
    tables: dict[str, tuple[tuple[str, ...], ...]] = {}
    comment: str = ""


class PlainFile(msgspec.Struct, frozen=True):
    """What the command prints: the boards and what the reader did not like."""

    records: tuple[PlainRecord, ...] = ()
    warnings: tuple[str, ...] = ()


def schema() -> dict[str, Any]:
    """The JSON schema of a file."""
    return msgspec.json.schema(PlainFile)


def plain(record: Record) -> PlainRecord:
    """The record as JSON has it; the score follows from the rest and is told for readers' sake."""
    contract, play = record.contract, record.play
    return PlainRecord(
        board=record.number,
        dealer=None if record.dealer is None else record.dealer.letter,
        vulnerable=None if record.vul is None else str(record.vul),
        deal=None if record.deal is None else record.deal.pbn(),
        names=PlainNames(*record.names),
        auction=None if record.auction is None else tuple(c.ascii for c in record.auction.calls),
        contract=None if contract is None else f"{contract.ascii} {contract.declarer.letter}",
        play=None if play is None else tuple(c.ascii for c in play.cards),
        trumps=None if play is None or contract is not None else play.strain.letter,
        leader=None if play is None or contract is not None else play.opening_leader.letter,
        tricks=record.tricks,
        claimed=record.claimed,
        score=record.ns_score,
        call_notes=_plain_notes(record.call_notes),
        card_notes=_plain_notes(record.card_notes),
        tags=dict(record.tags),
        tables=dict(record.tables),
        comment=record.comment,
    )


def record_of(said: PlainRecord) -> Record:
    """The record that JSON tells; raises a `BridgeError` that names what is wrong."""
    if said.tricks is not None and not 0 <= said.tricks <= 13:
        raise BridgeError(f"tricks: {said.tricks} is no number of tricks")
    contract = None if said.contract is None else Contract.parse(said.contract)
    dealer = None if said.dealer is None else Seat.parse(said.dealer)
    return Record(
        said.board,
        dealer,
        None if said.vulnerable is None else Vulnerability.parse(said.vulnerable),
        None if said.deal is None else _deal(said.deal),
        None if said.auction is None else _auction(said.auction, dealer),
        contract,
        _play(said, contract),
        said.tricks,
        said.claimed,
        (said.names.N, said.names.E, said.names.S, said.names.W),
        _notes(said.call_notes),
        _notes(said.card_notes),
        said.tags,
        said.tables,
        said.comment,
    )


def read(text: str, warnings: Warnings) -> list[Record]:
    """Boards of a file, of a list, or one; what cannot be read is left out with a warning."""
    try:
        file = msgspec.json.decode(text, type=PlainFile | tuple[PlainRecord, ...])
    except (msgspec.DecodeError, RecursionError) as error:
        warnings.on(0, f"no boards in JSON: {error}")
        return []
    records: list[Record] = []
    said = file.records if isinstance(file, PlainFile) else file
    for place, one in enumerate(said, 1):
        try:
            records.append(record_of(one))
        except BridgeError as error:
            warnings.on(0, f"record {place}: {error}")
    return records


def write(records: Iterable[Record]) -> str:
    """A file with these boards."""
    file = PlainFile(tuple(plain(record) for record in records))
    return msgspec.json.format(msgspec.json.encode(file), indent=1).decode() + "\n"


def _deal(text: str) -> PartialDeal:
    known = PartialDeal.parse(text)
    sizes = {len(hand) for hand in known.hands}
    return Deal(known.hands) if len(sizes) == 1 and sizes != {0} else known


def _auction(calls: tuple[str, ...], dealer: Seat | None) -> Auction:
    if len(calls) > _MOST_CALLS:
        raise BridgeError(f"auction: no auction has {len(calls)} calls")
    return Auction.parse(" ".join(calls), Seat.NORTH if dealer is None else dealer)


def _play(said: PlainRecord, contract: Contract | None) -> Play | None:
    if said.play is None:
        return None
    if contract is not None:
        play = Play.of(contract)
    elif said.trumps is None or said.leader is None:
        raise BridgeError("play: cards need a contract, or trumps and leader")
    else:
        play = Play(Strain.parse(said.trumps), Seat.parse(said.leader))
    for number, text in enumerate(said.play, 1):
        card = Card(text)
        if play.is_over or card in play.played:
            raise BridgeError(f"play: card {number}, {text}, has been played already")
        play = play.then(card)
    return play


def _plain_notes(notes: Mapping[int, Note]) -> dict[str, PlainNote]:
    return {str(i): PlainNote(n.text, n.alert, n.nags, n.comment) for i, n in notes.items()}


def _notes(notes: Mapping[str, PlainNote]) -> dict[int, Note]:
    return {
        int(i): Note(n.text, n.alert, n.nags, n.comment) for i, n in notes.items() if i.isdecimal()
    }
