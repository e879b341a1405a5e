"""Natural bidding as rules: for any auction the calls that could be made and what each shows.
Partner's calls are read through the same rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from overtrick.game import PASS, Auction, Call, Forcing, Meaning, Seat
from overtrick.game.meaning import ANY_HCP, ANY_LENGTH, ANY_LENGTHS, Lengths, Range

SUITS: Final = (0, 1, 2, 3)


class SuitChoice(NamedTuple):
    """A suit that must be longer than others (or as long, where the flag says a tie will do)."""

    suit: int = 0
    over: tuple[tuple[int, bool], ...] = ()


ANY_CHOICE: Final = SuitChoice()


@dataclass(frozen=True, slots=True)
class NaturalRule:
    """A call, what it shows, and what decides when several suits would do."""

    call: Call
    meaning: Meaning
    balanced: bool = False
    choice: SuitChoice = ANY_CHOICE


@dataclass(frozen=True, slots=True)
class NaturalShown:
    """What a seat's calls have shown so far."""

    hcp: Range = ANY_HCP
    lengths: Lengths = ANY_LENGTHS
    last: Meaning | None = None

    @property
    def points(self) -> int:
        """What to count on: the middle of a narrow range, the bottom of a wide one."""
        low, high = self.hcp
        return (low + high) // 2 if high - low <= 6 else low

    def shortest(self, suit: int) -> int:
        return self.lengths[suit][0]

    def suits(self) -> list[int]:
        """Suits shown with four cards or more, longest first."""
        shown = [s for s in SUITS if self.shortest(s) >= 4]
        return sorted(shown, key=lambda s: (-self.shortest(s), -s))


@dataclass(frozen=True, slots=True)
class SeatScene:
    """An auction as the seat on turn sees it."""

    auction: Auction
    mine: tuple[Call, ...]  # bids and doubles only, in order
    partners: tuple[Call, ...]
    theirs: tuple[Call, ...]
    they_began: bool

    @classmethod
    def of(cls, auction: Auction) -> SeatScene:
        me = auction.turn
        acts: dict[int, list[Call]] = {seat: [] for seat in Seat}
        first: int | None = None
        for i, call in enumerate(auction.calls):
            if call != PASS:
                seat = auction.seat_of(i)
                acts[seat].append(call)
                first = seat & 1 if first is None else first
        theirs = tuple(
            c for i, c in enumerate(auction.calls) if c != PASS and auction.seat_of(i) & 1 != me & 1
        )
        began = first is not None and first != me & 1
        return cls(auction, tuple(acts[me]), tuple(acts[me.partner]), theirs, began)

    @property
    def partner(self) -> NaturalShown:
        return shown(self.auction, self.auction.turn.partner)

    @property
    def must_bid(self) -> bool:
        """Partner's last call was forcing and the opponent to the right passed."""
        calls, last = self.auction.calls, self.partner.last
        if len(calls) < 2 or calls[-1] != PASS or calls[-2] == PASS or last is None:
            return False
        return last.forcing in (Forcing.ONE_ROUND, Forcing.GAME)

    @property
    def their_suits(self) -> set[int]:
        return {int(c.strain) for c in self.theirs if c.is_bid and c.strain < 4}

    def cheapest(self, strain: int) -> int:
        """The lowest level at which a strain may still be bid (8 when it may not)."""
        last = self.auction.last_bid
        if last is None:
            return 1
        return last.level + (strain <= last.strain)


def lengths(**held: Range | int) -> Lengths:
    """Lengths by suit letter; a number n means n or more."""
    out = []
    for letter in "CDHS":
        value = held.get(letter, ANY_LENGTH)
        out.append((value, 13) if isinstance(value, int) else value)
    return tuple(out)  # type: ignore[return-value]


def longest(suit: int, among: tuple[int, ...] = SUITS, *, low: bool = False) -> SuitChoice:
    """`suit` is the longest of these; equal length goes to the higher suit (or the lower)."""
    rivals = ((s, (s > suit) if low else (s < suit)) for s in among if s != suit)
    return SuitChoice(suit, tuple(rivals))


def suit_lengths(suit: int, at_least: int, at_most: int = 13) -> Lengths:
    out = list(ANY_LENGTHS)
    out[suit] = (at_least, at_most)
    return tuple(out)  # type: ignore[return-value]


def calling(
    level: int,
    strain: int,
    meaning: Meaning,
    *,
    balanced: bool = False,
    choice: SuitChoice = ANY_CHOICE,
) -> Iterator[NaturalRule]:
    """The rule for a bid; nothing when there is no such level."""
    if 1 <= level <= 7:
        yield NaturalRule(Call.bid(level, strain), meaning, balanced, choice)


@lru_cache(maxsize=8192)
def rules(auction: Auction) -> tuple[NaturalRule, ...]:
    """Rules for the seat on turn, best first; the last is a pass that any hand may make."""
    from overtrick.bidding.points.natural_rules import situation

    scene = SeatScene.of(auction)
    legal = [rule for rule in situation(scene) if auction.is_legal(rule.call)]
    return (*legal, NaturalRule(PASS, Meaning("nothing more to say")))


def meaning_of(auction: Auction, call: int) -> Meaning | None:
    """What a call shows to everybody: all the hands that would make it, whichever rule they follow.

    None for a call that no rule makes, and for a pass that says nothing.
    """
    found = _distinct([r.meaning for r in rules(auction)[:-1] if r.call == call])
    if len(found) < 2:
        return found[0] if found else None
    words = dict.fromkeys(m.words for m in found)
    return replace(
        found[0],
        words="; or ".join(words),
        hcp=_hull([m.hcp for m in found]),
        lengths=tuple(_hull([m.lengths[s] for m in found]) for s in SUITS),  # type: ignore[arg-type]
    )


@lru_cache(maxsize=8192)
def shown(auction: Auction, seat: Seat) -> NaturalShown:
    """What the calls of a seat have shown, read by these rules."""
    known = NaturalShown()
    for prefix in auction.prefixes():
        if prefix.turn == seat:
            known = _narrowed(known, meaning_of(prefix, auction.calls[len(prefix)]))
    return known


def _narrowed(known: NaturalShown, meaning: Meaning | None) -> NaturalShown:
    if meaning is None:
        return NaturalShown(known.hcp, known.lengths, None)
    held = tuple(_meet(known.lengths[s], meaning.lengths[s]) for s in SUITS)
    return NaturalShown(_meet(known.hcp, meaning.hcp), held, meaning)  # type: ignore[arg-type]


def _distinct(meanings: list[Meaning]) -> list[Meaning]:
    return list(dict.fromkeys(meanings))


def _hull(ranges: list[Range]) -> Range:
    return min(a for a, _ in ranges), max(b for _, b in ranges)


def _meet(old: Range, new: Range) -> Range:
    low, high = max(old[0], new[0]), min(old[1], new[1])
    return (low, high) if low <= high else new  # a contradiction: believe the later call
