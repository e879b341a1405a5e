"""Four hands: complete deals, and partial deals in which some cards are unknown."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from overtrick.game.cards import ALL_CARDS, DECK, Card
from overtrick.game.errors import DealError, HandError, ParseError, WrongType
from overtrick.game.hand import EMPTY, Hand
from overtrick.game.seats import Seat

Hands = tuple[Hand, Hand, Hand, Hand]
_CARD_BITS: Final = tuple(1 << card for card in range(52))
_PLAYED: Final = 255


@dataclass(frozen=True, slots=True)
class PartialDeal:
    """What is known of four hands: disjoint sets of at most thirteen cards each.

    >>> known = PartialDeal.of({"N": "AKQJT98765432..."})
    >>> len(known.unknown_cards), known["N"].spades, known.pbn()
    (39, 'AKQJT98765432', 'N:AKQJT98765432... - - -')
    """

    hands: Hands

    if TYPE_CHECKING:  # what may be passed; text is read

        def __init__(self, hands: Hands | str) -> None: ...

    def __post_init__(self) -> None:
        if type(self.hands) is not tuple:
            object.__setattr__(self, "hands", self._read(self.hands))
        if len(self.hands) != 4:
            raise DealError(f"a deal has four hands, not {len(self.hands)}")
        a, b, c, d = [hand.bits for hand in self.hands]
        counts = (a.bit_count(), b.bit_count(), c.bit_count(), d.bit_count())
        if max(counts) <= 13 and (a | b | c | d).bit_count() == sum(counts):
            return
        seen = 0
        for seat, hand in zip(Seat, self.hands, strict=True):
            if len(hand) > 13:
                raise DealError(f"{seat} has {len(hand)} cards, at most 13 are possible")
            if twice := seen & hand.bits:
                card = DECK[twice.bit_length() - 1]
                other = next(s for s in Seat if card in self.hands[s])
                raise DealError(f"{card.ascii} is in two hands, {other} and {seat}")
            seen |= hand.bits

    @classmethod
    def _read(cls, given: object) -> Hands:
        """The hands of text; subclasses of tuple as they are."""
        if isinstance(given, str):
            return cls.parse(given).hands
        if isinstance(given, tuple):
            return given
        raise WrongType("a deal", "PBN text or a tuple of four hands", given)

    @classmethod
    def of(cls, hands: Mapping[Seat, Hand] | Mapping[str, Hand | str]) -> PartialDeal:
        """Known hands by seat (`{"N": "AKQ…"}`); the others hold nothing yet."""
        known = {Seat(s): h if isinstance(h, Hand) else Hand.parse(h) for s, h in hands.items()}
        return cls(tuple(known.get(s, EMPTY) for s in Seat))  # type: ignore[arg-type]

    @classmethod
    def parse(cls, text: str) -> PartialDeal:
        """PBN text `N:hand hand hand hand` clockwise from the named seat; `-` is unknown."""
        return cls(parse_hands(text))

    @property
    def unknown_cards(self) -> Hand:
        """The cards that no hand is known to hold."""
        return Hand(ALL_CARDS & ~self.known_cards.bits)

    @property
    def known_cards(self) -> Hand:
        """The cards whose place is known."""
        a, b, c, d = self.hands
        return Hand(a.bits | b.bits | c.bits | d.bits)

    @property
    def is_complete(self) -> bool:
        """Thirteen cards in each hand."""
        return all(len(h) == 13 for h in self.hands)

    def complete(self) -> Deal:
        """The deal, when at most one hand is unknown; that hand gets the remaining cards."""
        short = [s for s in Seat if len(self.hands[s]) < 13]
        if len(short) > 1:
            names = " and ".join(str(s) for s in short)
            raise DealError(f"{names} are not fully known")
        hands = list(self.hands)
        for seat in short:
            hands[seat] = hands[seat] | self.unknown_cards
        return Deal(tuple(hands))  # type: ignore[arg-type]

    def __getitem__(self, seat: int | str) -> Hand:
        if isinstance(seat, str):
            seat = Seat.parse(seat)
        return self.hands[seat]

    @property
    def north(self) -> Hand:
        """North's hand."""
        return self.hands[0]

    @property
    def east(self) -> Hand:
        """East's hand."""
        return self.hands[1]

    @property
    def south(self) -> Hand:
        """South's hand."""
        return self.hands[2]

    @property
    def west(self) -> Hand:
        """West's hand."""
        return self.hands[3]

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def pbn(self, first: Seat | str = Seat.NORTH) -> str:
        """PBN text beginning with `first`; an unknown hand is a dash."""
        first = Seat(first)
        parts = (self.hands[first.plus(i)] for i in range(4))
        return f"{first.letter}:" + " ".join(str(h) if h else "-" for h in parts)

    def __str__(self) -> str:
        return self.pbn()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.pbn()!r})"

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_deal

        return html_deal(self)


@dataclass(frozen=True, slots=True, repr=False)
class Deal(PartialDeal):
    """A complete deal, or an end position in which all hands have equally many cards.

    >>> deal = Deal.random(seed=1)
    >>> Deal(str(deal)) == deal, deal.north == deal["N"]
    (True, True)
    """

    if TYPE_CHECKING:  # as in PartialDeal

        def __init__(self, hands: Hands | str) -> None: ...

    def __post_init__(self) -> None:
        PartialDeal.__post_init__(self)
        counts = [h.bits.bit_count() for h in self.hands]
        if counts[0] == 0 or counts.count(counts[0]) != 4:
            shown = ", ".join(f"{s} {n}" for s, n in zip(Seat, counts, strict=True))
            raise DealError(f"the four hands of a deal have equally many cards, here {shown}")

    @classmethod
    def parse(cls, text: str) -> Deal:
        """PBN text; one hand may be `-` and gets the cards that remain."""
        hands = parse_hands(text)
        if any(not h for h in hands):
            return PartialDeal(hands).complete()
        return cls(hands)

    @classmethod
    def random(cls, seed: int | random.Random | None = None) -> Deal:
        """A uniformly random deal; the same seed gives the same deal."""
        if seed is not None and not isinstance(seed, int | random.Random):
            raise WrongType("a seed", "a whole number", seed)
        rng = seed if isinstance(seed, random.Random) else random.Random(seed)
        order = list(_CARD_BITS)
        rng.shuffle(order)
        hands = [Hand(sum(order[first : first + 13])) for first in (0, 13, 26, 39)]
        return cls(tuple(hands))  # type: ignore[arg-type]

    @classmethod
    def from_owners(cls, owners: bytes | list[int]) -> Deal:
        """The deal in which card i belongs to seat owners[i] (255 when played already)."""
        if len(owners) != 52:
            raise DealError(f"52 cards have owners, not {len(owners)}")
        bits = [0, 0, 0, 0]
        for card, seat in enumerate(owners):
            if 0 <= seat < 4:
                bits[seat] |= 1 << card
            elif seat != _PLAYED:
                raise DealError(f"{DECK[card].ascii} belongs to seat number {seat}")
        return cls(tuple(Hand(b) for b in bits))  # type: ignore[arg-type]

    @property
    def owners(self) -> bytes:
        """For each card 0..51 the seat that holds it (255 when played already)."""
        out = bytearray([_PLAYED] * 52)
        for seat, hand in enumerate(self.hands):
            for card in hand:
                out[card] = seat
        return bytes(out)

    def owner(self, card: int | str) -> Seat | None:
        """Who holds a card; None in an end position when it has been played."""
        if isinstance(card, str):
            card = Card.parse(card)
        return next((s for s in Seat if card in self.hands[s]), None)

    def rotated(self, n: int) -> Deal:
        """Every hand moves n seats clockwise."""
        return Deal(tuple(self.hands[(i - n) % 4] for i in range(4)))  # type: ignore[arg-type]


def parse_hands(text: str) -> Hands:
    """The four hands of PBN text in the order N, E, S, W; `-` is an empty hand."""
    if not isinstance(text, str):
        raise WrongType("a deal", "PBN text like 'N:AK2… … … …'", text)
    stripped = text.strip()
    first = Seat.NORTH
    if len(stripped) > 1 and stripped[1] == ":":
        first = Seat.parse(stripped[0])
        stripped = stripped[2:]
    parts = stripped.split()
    if len(parts) != 4:
        raise ParseError(f"a deal has four hands, found {len(parts)}", text)
    hands = [EMPTY] * 4
    for seat, part in enumerate(parts, first):
        try:
            hands[seat & 3] = EMPTY if part == "-" else Hand.parse(part)
        except (ParseError, HandError) as error:
            raise DealError(f"{Seat(seat & 3)}: {error}") from None
    return tuple(hands)  # type: ignore[return-value]
