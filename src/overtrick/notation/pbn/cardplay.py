"""The play section of a PBN game: columns are seats, so the playing order has to be worked out.
The quick path is a table of whole tricks and nothing else."""

from __future__ import annotations

from typing import Final

from overtrick.game import DECK, Note, PartialDeal, Play, Seat, Strain
from overtrick.game.play import strengths
from overtrick.notation.pbn.sections import (
    CARDS,
    SEATS,
    TOKEN,
    GameReading,
    Notes,
    Section,
    unglued,
)
from overtrick.notation.reading import shorten

# Bit 4 * column + suit for each column of a trick and each card.
_COLUMN_BITS: Final = tuple(
    tuple(1 << 4 * column + card // 13 for card in range(52)) for column in range(4)
)
_BITS: Final = tuple(1 << card for card in range(52))


def read_play(
    section: Section, strain: Strain, deal: PartialDeal | None, reading: GameReading
) -> tuple[Play | None, dict[int, Note], bool]:
    """The cards in playing order, the notes on them, and whether a `*` closes the section."""
    first = SEATS.get(section.tag.value)
    if first is None:
        reading.odd.add("Play")
        if section.tokens or section.tag.value not in ("", "?"):
            reading.warn("Play", f"no such opening leader: {shorten(section.tag.value)}")
        return None, {}, False
    tokens, closed = section.tokens, False
    if tokens and tokens[-1] == "*":
        tokens, closed = tokens[:-1], True
    cells: list[int | None] = [CARDS.get(t) for t in tokens]
    if None not in cells and not section.notes and deal is not None:
        quick = _plain_play(cells, strain, first, deal)  # type: ignore[arg-type]
        if quick is not None:
            return quick, {}, closed
    return _slow_play(section, Play(strain, first), deal, reading)


def _plain_play(cells: list[int], strain: Strain, first: Seat, deal: PartialDeal) -> Play | None:
    """Whole tricks of the right cards and nothing else; None when it is not so simple."""
    size = len(cells)
    if size % 4 or size > 52:
        return None
    hands = [deal.hands[first + column & 3].bits for column in range(4)]
    played = 0
    for column in range(4):
        own = sum([_BITS[c] for c in cells[column::4]])
        if own & ~hands[column]:
            return None
        played |= own
    if played.bit_count() != size:
        return None
    leader = ns_tricks = shown_out = 0
    cards: list[int] = []
    first_bits, second_bits, third_bits, fourth_bits = _COLUMN_BITS
    cell = iter(cells)
    for a, b, c, d in zip(cell, cell, cell, cell, strict=True):
        trick = (a, b, c, d, a, b, c, d)[leader : leader + 4]
        cards += trick
        followed = first_bits[a] | second_bits[b] | third_bits[c] | fourth_bits[d]
        if followed & shown_out:
            return None  # a revoke
        led = trick[0] // 13
        out = (0x1111 << led) & ~followed
        if out:
            shown_out |= out
            best = max(trick, key=strengths(strain, led).__getitem__)
        else:
            best = max(trick)
        leader = 0 if best == a else 1 if best == b else 2 if best == c else 3
        ns_tricks += 1 - (first + leader & 1)
    for column in range(4):
        left, out = hands[column] & ~played, shown_out >> 4 * column
        if left and any(out >> suit & 1 and left >> 13 * suit & 8191 for suit in range(4)):
            return None
    return Play.trusted(strain, first, cards, (first + leader & 3, size, ns_tricks, played))


def _slow_play(
    section: Section, start: Play, deal: PartialDeal | None, reading: GameReading
) -> tuple[Play, dict[int, Note], bool]:
    """Annotations, gaps, irregularities and mistakes."""
    notes = Notes(section, reading, 6)
    revokes: set[int] = set()
    cells, marks, closed = _cells(unglued(section.tokens), notes, revokes)
    order = _playing_order(cells, start.strain)
    if len(order) < sum(c is not None for c in cells):
        notes.odd("cards after a gap are not part of the play")
    distinct = _distinct(cells, order)
    if distinct < len(order):
        again = DECK[cells[order[distinct]] or 0].ascii
        notes.odd(f"card {distinct + 1}, {again}: it has been played already")
        order = order[:distinct]
    play = Play(start.strain, start.opening_leader, tuple([cells[i] for i in order]))  # type: ignore[misc]
    if deal is not None and (wrong := _wrong_cards(play, deal, revokes, order)):
        reading.warn("Play", wrong)
    for index, cell in enumerate(order):
        for token in marks.pop(cell, ()):
            notes.add(index, token)
    for left in marks.values():
        notes.odd("")
        notes.used.update(int(t.strip("=")) for t in left if t[0] == "=")
    return play, notes.done(), closed


def _distinct(cells: list[int | None], order: list[int]) -> int:
    """How many cards, in playing order, come before the first repetition (at most 52)."""
    seen: set[int | None] = set()
    for i, cell in enumerate(order):
        if cells[cell] in seen or i == 52:
            return i
        seen.add(cells[cell])
    return len(order)


def _cells(
    tokens: list[str], notes: Notes, revokes: set[int]
) -> tuple[list[int | None], dict[int, list[str]], bool]:
    """The table of cards, four columns a trick; annotations by cell; was there a `*`."""
    cells: list[int | None] = []
    marks: dict[int, list[str]] = {}
    for token in tokens:
        card = CARDS.get(token)
        if card is not None or token in ("-", "+"):
            cells.append(card)
        elif token == "*":
            return cells, marks, True
        elif token in ("^R", "^r"):
            revokes.add(len(cells))
            notes.odd("")
        elif token[0] == "^":  # a lead out of turn: from here on a lawful play cannot hold it
            notes.odd("")
            break
        elif token[0] in "{;%" or TOKEN.match(token):
            if not cells:
                notes.add(-1, token)
            else:
                marks.setdefault(len(cells) - 1, []).append(token)
        else:
            notes.odd(f"not a card: {shorten(token)}")
            break
    return cells, marks, False


def _playing_order(cells: list[int | None], strain: int) -> list[int]:
    """Cell numbers in the order the cards were played, up to the first one that is missing."""
    order: list[int] = []
    leader, size = 0, len(cells)
    for row in range(0, size, 4):
        best, top = 0, -1
        led = -1
        for k in range(4):
            at = row + (leader + k & 3)
            card = cells[at] if at < size else None
            if card is None:
                return order
            order.append(at)
            suit = card // 13
            if k == 0:
                led = suit
            rank = card % 13 + (26 if suit == strain else 13 if suit == led else -26)
            if rank > top:
                best, top = k, rank
        leader = leader + best & 3
    return order


def _wrong_cards(play: Play, deal: PartialDeal, revokes: set[int], order: list[int]) -> str | None:
    """The first card its player did not hold, or an unmarked revoke, in words."""
    hands = [h.bits for h in deal]
    full = [h.bit_count() > 0 for h in hands]
    cards, leader, strain = play.cards, int(play.opening_leader), play.strain
    for start in range(0, len(cards), 4):
        led, best, top = cards[start] // 13, 0, -1
        for k, card in enumerate(cards[start : start + 4]):
            seat, suit = leader + k & 3, card // 13
            hand = hands[seat]
            if not hand >> card & 1:
                if full[seat]:
                    return f"card {start + k + 1}: {Seat(seat)} does not hold {card.ascii}"
            elif suit != led and hand >> 13 * led & 8191 and order[start + k] not in revokes:
                return f"card {start + k + 1}, {card.ascii}: {Seat(seat)} could follow suit"
            hands[seat] = hand & ~(1 << card)
            rank = card % 13 + (26 if suit == strain else 13 if suit == led else -26)
            if rank > top:
                best, top = k, rank
        leader = leader + best & 3
    return None
