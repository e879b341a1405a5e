"""Where a table's boards come from: chance, a dealer script, something pasted, a set of problems.
Used when a table is opened or deals again, and when the review reads files."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from overtrick import notation
from overtrick.game import Board, BridgeError, Deal, Record
from overtrick.notation.files import FORMATS
from overtrick.web import messages, thinking
from overtrick.web.events import NO_DECK, Deck
from overtrick.web.workers import Workers

_KNOWN = (f"({', '.join(FORMATS)})", "such as PBN or LIN")  # as players know them


class NoBoard(BridgeError):
    """Nothing in the text could be used as a board."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A board, the seed it was dealt from, and where the next come from; not `chosen` when nobody
    could know its cards: then a match is dealt from a secret of its own."""

    board: Board
    seed: int
    deck: Deck = NO_DECK
    index: int = 0
    chosen: bool = True


async def board_of(source: messages.Source, dealer: Workers, seconds: float) -> Drawn:
    """The first board of a source."""
    if isinstance(source, messages.TextDeal | messages.ProblemDeal):
        return await _from_deck(source, dealer, seconds)
    seed = secrets.randbits(62) if source.seed is None else source.seed
    number = 1 if source.number is None else source.number
    if isinstance(source, messages.RandomDeal):
        if source.seed is None:
            return Drawn(Board.random(number, secrets.randbits(128)), seed, chosen=False)
        return Drawn(Board.random(number, seed), seed)
    board = await by_script(source.text, number, seed, dealer, seconds)
    return Drawn(board, seed, Deck(script=source.text))


async def _from_deck(
    source: messages.TextDeal | messages.ProblemDeal, dealer: Workers, seconds: float
) -> Drawn:
    """The deck of a text; a long one takes a while to read, which is no business of the loop."""
    from overtrick.web import problems

    named = source.set if isinstance(source, messages.ProblemDeal) else ""
    if named:
        deck = problems.shipped_deck(named)
    else:
        try:
            deck = await dealer.ask(problems.deck_of, source.text, seconds=seconds)
        except TimeoutError:
            raise NoBoard("the text is too long to be read in time") from None
    if source.index >= len(deck.boards):
        raise NoBoard(f"there are {len(deck.boards)} complete boards in this text")
    board = deck.boards[source.index].board.board()
    return Drawn(board, secrets.randbits(62), deck, source.index)


async def by_script(text: str, number: int, seed: int, dealer: Workers, seconds: float) -> Board:
    """One board by a dealer script."""
    try:
        board: Board = await dealer.ask(thinking.deal_script, text, number, seed, seconds=seconds)
    except TimeoutError:
        raise NoBoard("no deal was found in time; the script asks for too rare a hand") from None
    return board


def read(text: str) -> tuple[list[Record], list[str]]:
    """Records of a text and what the reader did not like; a bare deal in one line is a board."""
    if not text.strip():
        raise NoBoard("there is no text yet: paste a board or choose a file")
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
            raise NoBoard(f"no board in this text: {reason.replace(*_KNOWN)}") from None
    return records, warnings
