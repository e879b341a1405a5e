"""Where a table's board comes from: chance, a dealer script, or something pasted.
Used when a table is opened and when the review reads files; mistakes become one line."""

from __future__ import annotations

import secrets

from overtrick import notation
from overtrick.game import Board, BridgeError, Deal, Record, dealer_of, vulnerability_of
from overtrick.web import messages, thinking
from overtrick.web.workers import Workers


class NoBoard(BridgeError):
    """Nothing in the text could be used as a board."""


async def board_of(source: messages.Source, talk: Workers, seconds: float) -> tuple[Board, int]:
    """The board and the seed from which the robots' choices are drawn."""
    if isinstance(source, messages.TextDeal):
        records, _ = read(source.text)
        boards = [b for r in records if (b := board_from(r)) is not None]
        if source.index >= len(boards):
            raise NoBoard(f"there are {len(boards)} complete boards in this text")
        return boards[source.index], secrets.randbits(48)
    seed = secrets.randbits(48) if source.seed is None else source.seed
    number = secrets.randbelow(16) + 1 if source.number is None else source.number
    if isinstance(source, messages.RandomDeal):
        return Board.random(number, seed), seed
    try:
        board: Board = await talk.ask(
            thinking.deal_script, source.text, number, seed, seconds=seconds
        )
    except TimeoutError:
        raise NoBoard("no deal was found in time; the script asks for too rare a hand") from None
    return board, seed


def read(text: str) -> tuple[list[Record], list[str]]:
    """Records of a text and what the reader did not like; a bare deal in one line is a board."""
    loaded = notation.loads(text)
    warnings = [str(w) for w in loaded.warnings[:20]]
    records = list(loaded.records)
    if not records:
        bare = text.strip()
        try:
            records = [Record(number=1, deal=Deal.parse(bare))]
            warnings = []
        except BridgeError as error:
            reason = warnings[0] if warnings else str(error)
            raise NoBoard(f"no board in this text: {reason}") from None
    return records, warnings


def board_from(record: Record, fallback: int = 1) -> Board | None:
    """A record's board, conditions filled in from its number; None when hands are missing."""
    if record.deal is None:
        return None
    try:
        deal = record.deal.complete()
    except BridgeError:
        return None
    if len(deal[0]) != 13:
        return None
    number = record.number if record.number and record.number > 0 else fallback
    dealer = dealer_of(number) if record.dealer is None else record.dealer
    vul = vulnerability_of(number) if record.vul is None else record.vul
    return Board(number, dealer, vul, deal)
