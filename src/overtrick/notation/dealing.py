"""Files of dealing machines and of the programs that feed them: BRI, DGE, DUP and DLM.
They hold four hands a board and nothing else; dealer and vulnerability follow from the number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from overtrick.game import Deal, Hand, Record, Seat, dealer_of, vulnerability_of
from overtrick.game.errors import BridgeError
from overtrick.notation.pbn.writer import NotationError
from overtrick.notation.reading import Warnings, shorten

_CARDS: Final = 52
_BRI_CARDS: Final = 78  # characters: North, East and South, two digits a card
_DGE_HANDS: Final = 68  # four hands of four suit signs and thirteen ranks
_PADDED: Final = 128  # a board of BRI or of DGE with what fills it up
_DUP: Final = _BRI_CARDS + _DGE_HANDS + 10
_DGE_SUITS: Final = "\x06\x03\x04\x05"  # spades, hearts, diamonds, clubs of the old PC fonts
_DGE: Final = re.compile(r"\x06([2-9TJQKA]*)\x03([2-9TJQKA]*)\x04([2-9TJQKA]*)\x05([2-9TJQKA]*)")
_MOST_DLM: Final = 99  # a DLM file always lists boards 1 to 99
_DLM_BOARD: Final = re.compile(r"Board (\d\d)=([a-p]{26})(\d{3})\Z")
_DLM_FIELD: Final = re.compile(r"(From|To) board=(\d{1,2})\Z")


def _ours(number: int) -> int:
    """A card counted from 0, the ace of spades, to 51, the deuce of clubs, as ours; the other way
    as well."""
    return (3 - number // 13) * 13 + 12 - number % 13


def _record(number: int, deal: Deal) -> Record:
    return Record(number, dealer_of(number), vulnerability_of(number), deal)


def _pieces(text: str, size: int, warnings: Warnings) -> Iterator[str]:
    """Boards of a fixed length; the last may lack what only fills it up."""
    for start in range(0, len(text), size):
        piece = text[start : start + size]
        if piece.strip("\0\r\n\x1a "):
            yield piece
    if len(text) % size and len(text) > size:
        warnings.on(0, f"{len(text)} characters are no whole number of boards of {size}")


def _by_numbers(piece: str) -> Deal:
    """North, East and South as card numbers 01 to 52; West has the rest."""
    digits = piece[:_BRI_CARDS]
    if len(digits) < _BRI_CARDS or not (digits.isascii() and digits.isdecimal()):
        raise BridgeError(f"39 card numbers of two digits are missing: {shorten(digits, 30)}")
    owners = [int(Seat.WEST)] * _CARDS
    seen: set[int] = set()
    for i in range(_BRI_CARDS // 2):
        number = int(digits[2 * i : 2 * i + 2])
        if not 1 <= number <= _CARDS or number in seen:
            raise BridgeError(f"card number {number:02} is no card, or comes twice")
        seen.add(number)
        owners[_ours(number - 1)] = i // 13
    return Deal.from_owners(owners)


def _by_signs(piece: str) -> Deal:
    """Four hands with the old suit signs."""
    hands = [Hand.parse(".".join(found.groups())) for found in _DGE.finditer(piece)]
    if len(hands) != 4:
        raise BridgeError("four hands with the signs of DGE are missing")
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def _read(
    text: str, size: int, deal_of: Callable[[str], Deal], first: int, warnings: Warnings
) -> list[Record]:
    records: list[Record] = []
    for number, piece in enumerate(_pieces(text, size, warnings), first):
        try:
            records.append(_record(number, deal_of(piece)))
        except BridgeError as error:
            warnings.on(0, f"board {number}: {error}")
    return records


def read_bri(text: str, warnings: Warnings) -> list[Record]:
    """Boards from number 1, 128 characters each, or 78 without the filling."""
    plain = len(text) % _PADDED and len(text) % _BRI_CARDS == 0
    return _read(text, _BRI_CARDS if plain else _PADDED, _by_numbers, 1, warnings)


def read_dge(text: str, warnings: Warnings) -> list[Record]:
    """Boards from number 1, 128 characters each."""
    return _read(text, _PADDED, _by_signs, 1, warnings)


def read_dup(text: str, warnings: Warnings) -> list[Record]:
    """Boards from the lowest number that the first of them names, 156 characters each."""
    lowest = text[_BRI_CARDS + _DGE_HANDS + 2 : _DUP][:3].strip()
    first = int(lowest) if lowest.isascii() and lowest.isdecimal() and int(lowest) else 1
    return _read(text, _DUP, _by_numbers, first, warnings)


def read_dlm(text: str, warnings: Warnings) -> list[Record]:
    """The boards between `From board` and `To board`; the others only fill the file up."""
    first, last = 1, _MOST_DLM
    records: list[Record] = []
    for line, words in enumerate(text.split("\n"), 1):
        if named := _DLM_FIELD.match(words.strip()):
            first, last = (int(named[2]), last) if named[1] == "From" else (first, int(named[2]))
        elif board := _DLM_BOARD.match(words.strip()):
            number, letters = int(board[1]), board[2]
            if not first <= number <= last:
                continue
            if _checked(number, letters) != int(board[3]):
                warnings.on(line, f"the check number of board {number} is wrong")
            try:
                records.append(_record(number, _by_letters(letters)))
            except BridgeError as error:
                warnings.on(line, f"board {number}: {error}")
        elif words.startswith("Board "):
            warnings.on(line, f"no board of DLM: {shorten(words)}")
    return records


def _by_letters(letters: str) -> Deal:
    """A letter says who holds two cards, from the ace of spades down."""
    owners = [0] * _CARDS
    for i, letter in enumerate(letters):
        pair = ord(letter) - ord("a")
        owners[_ours(2 * i)], owners[_ours(2 * i + 1)] = pair >> 2, pair & 3
    return Deal.from_owners(owners)


def _checked(number: int, letters: str) -> int:
    for letter in letters:
        number ^= ord(letter)
    return number


def write_bri(records: Iterable[Record]) -> str:
    """Boards in order; their numbers are not told."""
    return "".join(_numbers(d) + " " * 32 + "\0" * 18 for _, d in _numbered(records, "BRI"))


def write_dge(records: Iterable[Record]) -> str:
    """Boards in order; their numbers are not told."""
    return "".join(_signs(d).ljust(_PADDED, "\0") for _, d in _numbered(records, "DGE"))


def write_dup(records: Iterable[Record]) -> str:
    """Boards in order, from the number of the first to that of the last."""
    boards = _numbered(records, "DUP")
    if not boards:
        return ""
    for (number, _), (following, _) in pairwise(boards):
        if following != number + 1:
            raise NotationError(f"DUP counts boards; number {following} follows {number}")
    tail = f"YN{boards[0][0]:<3}0 {boards[-1][0]:<3}"
    return "".join(_numbers(deal) + _signs(deal) + tail for _, deal in boards)


def write_dlm(records: Iterable[Record]) -> str:
    """A file for boards 1 to 99, those outside the set filled up."""
    boards = dict(_numbered(records, "DLM"))
    if not boards:
        return ""
    first, last = min(boards), max(boards)
    if last > _MOST_DLM:
        raise NotationError(f"DLM numbers boards up to 99, not {last}")
    head = (
        f"[Document]\nHeadline=Overtrick\nStatus=Show\nDuplicates=0\nFrom board={first}\n"
        f"To board={last}\nNext board to duplimate=0\nPrintOuts=0\nCrypto key=0\n"
        f"Checksum={1 ^ first ^ last}\n"
    )
    filling = _letters([i // 13 for i in range(_CARDS)])
    lines = [head]
    for number in range(1, _MOST_DLM + 1):
        deal = boards.get(number)
        if deal is None and first <= number <= last:
            raise NotationError(f"DLM lists boards without gaps; number {number} is missing")
        letters = filling if deal is None else _letters(_owners(deal))
        check = _checked(number, letters)
        lines.append(f"Duplicates {number:02}=0\nBoard {number:02}={letters}{check:03}\n")
    return "".join(lines)


def _numbered(records: Iterable[Record], form: str) -> list[tuple[int, Deal]]:
    """Numbers and deals; a board without a number has its place."""
    found: list[tuple[int, Deal]] = []
    for place, record in enumerate(records, 1):
        if not isinstance(record.deal, Deal) or not record.deal.is_complete:
            raise NotationError(f"record {place}: {form} holds whole deals only")
        found.append((record.number or place, record.deal))
    return found


def _owners(deal: Deal) -> list[int]:
    """Who holds each card, from the ace of spades to the deuce of clubs."""
    held = {int(card): int(seat) for seat in Seat for card in deal[seat].cards()}
    return [held[_ours(number)] for number in range(_CARDS)]


def _letters(owners: Sequence[int]) -> str:
    pairs = zip(owners[::2], owners[1::2], strict=True)
    return "".join(chr(ord("a") + 4 * first + second) for first, second in pairs)


def _numbers(deal: Deal) -> str:
    owners = _owners(deal)
    return "".join(
        f"{number + 1:02}"
        for seat in (Seat.NORTH, Seat.EAST, Seat.SOUTH)
        for number, owner in enumerate(owners)
        if owner == seat
    )


def _signs(deal: Deal) -> str:
    return "".join(
        sign + deal[seat].ranks(suit)
        for seat in Seat
        for sign, suit in zip(_DGE_SUITS, (3, 2, 1, 0), strict=True)
    )
