"""What an engine did in a match: opening rates by strength, contracts, doubles, time.
The opening rates are the disclosure figures every strength claim carries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log10
from typing import Final

from overtrick.arena.results import BoardResult, RoomResult
from overtrick.evaluation import feature, one_hand
from overtrick.game import Board, Contract, Play, Seat

BANDS = ((0, 3), (4, 7), (8, 11), (12, 15), (16, 37))


class Times:
    """How long decisions took, in a few hundred counters however many there were.

    Quantiles are right within 1.2 %.
    """

    __slots__ = ("_counts", "count", "most", "total")
    _STEPS: Final = 100  # counters per factor of ten

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self.count = 0
        self.most = self.total = 0.0

    def add(self, milliseconds: float) -> None:
        step = round(self._STEPS * log10(max(milliseconds, 1e-3)))
        self._counts[step] = self._counts.get(step, 0) + 1
        self.count += 1
        self.most = max(self.most, milliseconds)
        self.total += milliseconds

    def quantile(self, q: float) -> float | None:
        """The time within which a share q of the decisions was made; None without any."""
        left = q * self.count
        for step in sorted(self._counts):
            left -= self._counts[step]
            if left <= 0:
                return float(min(10 ** (step / self._STEPS), self.most))
        return None


@dataclass(slots=True)
class Profile:
    """Counts over all boards of a match for one side; `add_room` fills it."""

    name: str
    seen: list[int] = field(default_factory=lambda: [0] * len(BANDS))
    opened: list[int] = field(default_factory=lambda: [0] * len(BANDS))
    contracts: dict[tuple[int, int], int] = field(default_factory=dict)  # (level, strain)
    declared: int = 0
    made: int = 0
    doubled: int = 0
    doubled_made: int = 0
    passed_out: int = 0
    rulings: int = 0
    calls: Times = field(default_factory=Times)
    cards: Times = field(default_factory=Times)

    def add_room(self, board: Board, room: RoomResult, side: int) -> None:
        """Count one table at which this engine sat on `side`."""
        self._openings(board, room, side)
        self.rulings += sum(Seat.parse(r.split(":")[0]).side == side for r in room.rulings)
        calls = len(room.calls)
        for i, milliseconds in enumerate(room.milliseconds[:calls]):
            if (board.dealer + i) % 2 == side:
                self.calls.add(milliseconds)
        if not room.contract:
            self.passed_out += 1
            return
        contract = Contract.parse(room.contract)
        self._card_times(contract, room, side)
        if contract.declarer.side != side:
            return
        self.declared += 1
        made = room.tricks is not None and room.tricks >= contract.target
        self.made += made
        if contract.doubled:
            self.doubled += 1
            self.doubled_made += made
        key = (contract.level, int(contract.strain))
        self.contracts[key] = self.contracts.get(key, 0) + 1

    def _openings(self, board: Board, room: RoomResult, side: int) -> None:
        """Everyone who had the chance to open, up to the seat that did."""
        for i, call in enumerate(room.calls[:4]):
            seat = board.dealer.plus(i)
            if seat.side == side:
                hcp = feature("HCP")(one_hand(board.deal[seat].bits))
                band = next(k for k, (low, high) in enumerate(BANDS) if low <= hcp <= high)
                self.seen[band] += 1
                self.opened[band] += call != 0
            if call != 0:
                return

    def _card_times(self, contract: Contract, room: RoomResult, side: int) -> None:
        """Dummy's cards are declarer's thoughts."""
        play = Play.of(contract)
        times = room.milliseconds[len(room.calls) :]
        for card, milliseconds in zip(room.cards, times, strict=False):
            if play.controller.side == side:
                self.cards.add(milliseconds)
            play = play.then(card)

    def opening_rates(self) -> list[float | None]:
        """Share of hands opened when there was the chance, by band of high-card points."""
        return [o / s if s else None for o, s in zip(self.opened, self.seen, strict=True)]


def profiles(results: Iterable[BoardResult], a: str, b: str) -> tuple[Profile, Profile]:
    """Both engines' profiles over a match, each in both rooms."""
    first, second = Profile(a), Profile(b)
    for result in results:
        board = result.board()
        first.add_room(board, result.open, 0)
        second.add_room(board, result.open, 1)
        second.add_room(board, result.closed, 0)
        first.add_room(board, result.closed, 1)
    return first, second
