"""An auction: the calls so far, whose turn it is, what is legal and what contract results.
Immutable, `then` gives the next one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from overtrick.game.calls import CALLS, DOUBLE, PASS, REDOUBLE, Call, strain_of
from overtrick.game.cards import Strain
from overtrick.game.contract import Contract
from overtrick.game.errors import IllegalCall, ParseError, WrongType
from overtrick.game.seats import Seat


class _State(NamedTuple):
    """What legality needs, carried forward call by call."""

    last_bid: int = 0  # call number of the highest bid, 0 when none
    last_bidder: int = -1
    doubled: int = 0
    passes: int = 0  # consecutive passes at the end
    first_named: int = (1 << 40) - 1  # per side and strain 4 bits: who named it first, 15 nobody


_START: Final = _State()
_ALL_PASS: Final = re.compile(r"\ball\s*pass\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Auction:
    """Calls in order from the dealer.

    >>> auction = Auction.parse("1NT P 3NT P P P", dealer="N")
    >>> auction.is_over, str(auction.contract)
    (True, '3NT North')
    >>> Auction("E").then("1H").turn
    Seat.SOUTH
    """

    dealer: Seat = Seat.NORTH
    calls: tuple[Call, ...] = ()
    _state: _State = field(default=_START, compare=False, repr=False)

    if TYPE_CHECKING:  # what may be passed; text becomes the value that is meant

        def __init__(
            self,
            dealer: Seat | str = Seat.NORTH,
            calls: Iterable[int | str] = (),
            _state: _State = _START,
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.dealer) is not Seat:
            object.__setattr__(self, "dealer", Seat(self.dealer))
        if self._state is _START and self.calls:
            calls = tuple([CALLS[c] for c in _numbers(self.calls)])
            object.__setattr__(self, "_state", _replay(self.dealer, calls))
            object.__setattr__(self, "calls", calls)

    @classmethod
    def parse(cls, text: str, dealer: Seat | str = Seat.NORTH) -> Auction:
        """Read calls separated by spaces, dashes or commas; brackets for opponents are ignored.

        `AP` (or "all pass") closes the auction with as many passes as are needed.
        """
        if not isinstance(text, str):
            raise WrongType("an auction", "text like '1NT P 3NT AP'", text)
        auction = cls(dealer)
        cleaned = text
        for mark in "(),–—;":
            cleaned = cleaned.replace(mark, " ")
        cleaned = _ALL_PASS.sub("AP", cleaned.replace("-", " "))
        for word in cleaned.split():
            if word.upper() == "AP":
                while not auction.is_over:
                    auction = auction.then(PASS)
                continue
            try:
                call = Call.parse(word.rstrip("!?*"))
            except ParseError as error:
                raise ParseError(f"call {len(auction) + 1}: {error}") from None
            auction = auction.then(call)
        return auction

    @property
    def turn(self) -> Seat:
        """Whose turn it is (or would be, when the auction is over)."""
        return self.dealer.plus(len(self.calls))

    @property
    def is_over(self) -> bool:
        """Three passes after a bid, or four at the start."""
        return self._state.passes >= (3 if self._state.last_bid else 4)

    @property
    def is_passed_out(self) -> bool:
        """Nobody bid."""
        return self.is_over and not self._state.last_bid

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far; None when nobody has bid."""
        return CALLS[self._state.last_bid] if self._state.last_bid else None

    @property
    def last_bidder(self) -> Seat | None:
        """Who made the highest bid; None when nobody has bid."""
        return Seat(self._state.last_bidder) if self._state.last_bid else None

    @property
    def doubled(self) -> int:
        """0, 1 after a double, 2 after a redouble of the last bid."""
        return self._state.doubled

    @property
    def contract(self) -> Contract | None:
        """The contract as it stands now; final once `is_over`. None when nobody has bid."""
        state = self._state
        if not state.last_bid:
            return None
        bid = CALLS[state.last_bid]
        slot = 4 * (5 * (state.last_bidder & 1) + bid.strain)
        declarer = Seat(state.first_named >> slot & 15)
        return Contract(bid.level, Strain(bid.strain), declarer, state.doubled)

    def legal_calls(self) -> list[Call]:
        """All legal calls, Pass first; none when the auction is over."""
        if self.is_over:
            return []
        state, turn = self._state, self.turn
        legal = [PASS]
        if state.last_bid:
            ours = state.last_bidder & 1 == turn & 1
            if state.doubled == 0 and not ours:
                legal.append(DOUBLE)
            elif state.doubled == 1 and ours:
                legal.append(REDOUBLE)
        legal.extend(CALLS[max(state.last_bid + 1, 3) :])
        return legal

    def is_legal(self, call: int | str) -> bool:
        """May this call be made now?"""
        return self.why_illegal(call) is None

    def why_illegal(self, call: int | str) -> str | None:
        """None for a legal call, else the reason in words."""
        return _why_illegal(self._state, self.turn, _number(call))

    def then(self, call: int | str) -> Auction:
        """The auction after one more call."""
        call = _number(call)
        why = _why_illegal(self._state, self.turn, call)
        if why:
            raise IllegalCall(f"call {len(self.calls) + 1}, {_named(call)}: {why}")
        return Auction(self.dealer, (*self.calls, CALLS[call]), _next(self._state, self.turn, call))

    def closed(self) -> Auction:
        """With passes added until it is over."""
        auction = self
        while not auction.is_over:
            auction = auction.then(PASS)
        return auction

    def seat_of(self, index: int) -> Seat:
        """Who made call number `index` (from 0)."""
        return self.dealer.plus(index)

    def calls_of(self, seat: int | str) -> tuple[Call, ...]:
        """The calls one seat made."""
        if isinstance(seat, str):
            seat = Seat.parse(seat)
        return self.calls[(seat - self.dealer) % 4 :: 4]

    def prefixes(self) -> Iterator[Auction]:
        """The auction before each call, from the empty one."""
        auction = Auction(self.dealer)
        for call in self.calls:
            yield auction
            auction = auction.then(call)

    def __len__(self) -> int:
        return len(self.calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def __str__(self) -> str:
        return " ".join(str(c) for c in self.calls)

    @property
    def ascii(self) -> str:
        """The calls as PBN writes them, on one line."""
        return " ".join(c.ascii for c in self.calls)

    def __repr__(self) -> str:
        return f"Auction.parse({self.ascii!r}, {self.dealer.letter!r})"

    def _repr_html_(self) -> str:
        from overtrick.notation.pictures import html_auction

        return html_auction(self)


def of_calls(dealer: Seat, calls: Iterable[int]) -> Auction:
    """An auction from call numbers, checked."""
    numbers = list(calls)
    state = _replay(dealer, numbers)
    return Auction(dealer, tuple([CALLS[c] for c in numbers]), state)


def _number(call: int | str) -> int:
    """A call as its number; text is read."""
    if isinstance(call, int):
        return call
    if isinstance(call, str):
        return Call.parse(call)
    raise WrongType("a call", "text like '1NT', 'Pass' or 'X'", call)


def _numbers(calls: Iterable[int | str]) -> list[int]:
    if isinstance(calls, str):  # its letters would be read as calls
        raise WrongType("calls", "a list like ['1NT', 'P'], or Auction.parse(text)", calls)
    numbers = [_number(c) for c in calls]
    for i, number in enumerate(numbers):
        if not 0 <= number < 38:
            raise IllegalCall(f"call {i + 1}, {number}: there is no call number {number}")
    return numbers


def _named(call: int) -> str:
    return CALLS[call].ascii if 0 <= call < 38 else str(call)


def _why_illegal(state: _State, turn: int, call: int) -> str | None:
    if not 0 <= call < 38:
        return f"there is no call number {call}"
    if state.passes >= (3 if state.last_bid else 4):
        return "the auction is over"
    if call == PASS:
        return None
    if call >= 3:
        if call <= state.last_bid:
            return f"insufficient, the last bid is {CALLS[state.last_bid].ascii}"
        return None
    if not state.last_bid:
        return "there is no bid to double" if call == DOUBLE else "nothing is doubled"
    ours = state.last_bidder & 1 == turn & 1
    if call == DOUBLE:
        if state.doubled:
            return "it is doubled already"
        return "the last bid is our own side's" if ours else None
    if state.doubled == 2:
        return "it is redoubled already"
    if state.doubled == 0:
        return "nothing is doubled"
    return None if ours else "the doubled bid is the opponents'"


def _replay(dealer: int, calls: Iterable[int]) -> _State:
    """The state after all these calls at once; readers of files live on it."""
    state = _START
    last_bid, last_bidder, doubled, passes, named = state
    for i, call in enumerate(calls):
        turn = dealer + i & 3
        if call == 0 and passes < 2:
            passes += 1
        elif last_bid < call < 38 and call >= 3 and passes < (3 if last_bid else 4):
            slot = 4 * (5 * (turn & 1) + strain_of(call))
            if named >> slot & 15 == 15:
                named = named & ~(15 << slot) | turn << slot
            last_bid, last_bidder, doubled, passes = int(call), turn, 0, 0
        else:
            state = _State(last_bid, last_bidder, doubled, passes, named)
            why = _why_illegal(state, turn, call)
            if why:
                raise IllegalCall(f"call {i + 1}, {_named(call)}: {why}")
            last_bid, last_bidder, doubled, passes, named = _next(state, turn, call)
    return _State(last_bid, last_bidder, doubled, passes, named)


def _next(state: _State, turn: int, call: int) -> _State:
    if call == PASS:
        return state._replace(passes=state.passes + 1)
    if call == DOUBLE:
        return state._replace(doubled=1, passes=0)
    if call == REDOUBLE:
        return state._replace(doubled=2, passes=0)
    slot = 4 * (5 * (turn & 1) + strain_of(call))
    named = state.first_named
    if named >> slot & 15 == 15:
        named = named & ~(15 << slot) | turn << slot
    return _State(int(call), turn, 0, 0, named)
