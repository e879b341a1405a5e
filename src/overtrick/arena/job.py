"""The description of a match, and the boards it is played on.
The same description gives the same boards anywhere."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from overtrick.arena.deck import SECRET
from overtrick.game import Board, Deal, OptionError
from overtrick.game.errors import expect
from overtrick.notation.solved import SolvedDeals
from overtrick.table.seats import kept, wherever

Method = Literal["dd", "play"]


@dataclass(frozen=True, slots=True)
class Match:
    """Two robots (`bidder+player` strings) over a number of boards, both rooms.

    `method` "dd" scores the contract reached with double-dummy play, "play" plays the cards.
    `deals` is "random", "secret" (drawn when they are played, promised before and told after) or
    the path of a PBN, LIN or solved-deals (.npz) file; `offset` skips so many of them, so that the
    rounds of a tournament have boards of their own. Unless `disclosed` neither side is told what
    the other one plays or what its calls mean.
    Dealer and vulnerability follow the sixteen-board cycle, so all conditions occur equally.

    >>> job = Match("rules", "points", boards=32, seed=7)
    >>> job.board(1).dealer, job.method
    (Seat.NORTH, 'dd')
    """

    a: str
    b: str
    boards: int
    seed: int = 0
    method: Method = "dd"
    deals: str = "random"
    chunk: int = 20
    call_seconds: float | None = None
    card_seconds: float | None = None
    offset: int = 0
    disclosed: bool = True

    def __post_init__(self) -> None:
        for spec in (self.a, self.b):
            expect(spec, str, "an engine", "text like 'rules' or 'rules+pimc'")
        object.__setattr__(self, "a", kept(self.a))
        object.__setattr__(self, "b", kept(self.b))
        expect(self.boards, int, "the number of boards", "a whole number from 1")
        if self.boards < 1:
            raise OptionError(f"a match has at least one board, not {self.boards}")
        if self.method not in ("dd", "play"):
            raise OptionError(f"a match is scored by dd or play, not {self.method!r}")
        if self.chunk < 1:
            raise OptionError(f"a chunk has at least one board, not {self.chunk}")
        if self.offset < 0:
            raise OptionError(f"deals are skipped forward, not {self.offset}")

    def _repr_html_(self) -> str:
        from html import escape

        how = "double dummy" if self.method == "dd" else "cards played"
        rows = [("A", self.a), ("B", self.b), ("boards", f"{self.boards} in both rooms, {how}"),
                ("deals", self.dealt)]  # fmt: skip
        cells = "".join(f"<tr><th>{k}</th><td>{escape(v)}</td></tr>" for k, v in rows)
        return f"<table>{cells}</table>"

    def identity(self) -> dict[str, Any]:
        """What makes two runs the same match: all but how many boards and how they are cut, and
        where programs from outside are."""
        fields = asdict(self) | {"a": wherever(self.a), "b": wherever(self.b)}
        del fields["boards"], fields["chunk"]
        if not self.offset:
            del fields["offset"]
        if self.disclosed:
            del fields["disclosed"]
        return fields

    def check(self) -> None:
        """Are there enough deals? One deal played twice would feign certainty."""
        if self.deals in ("random", SECRET):
            return
        found = len(_solved(self.deals) if self.deals.endswith(".npz") else _boards_of(self.deals))
        if found < self.offset + self.boards:
            asked = f"{self.boards} boards" + (f" after {self.offset}" if self.offset else "")
            raise OptionError(f"{self.deals} holds {found} deals, too few for {asked}")

    def board(self, number: int) -> Board:
        """Board `number` (from 1) of the match."""
        if self.deals == "random":
            return Board.numbered(number, _random_deal(self.seed, number + self.offset))
        if self.deals == SECRET:
            raise OptionError("boards of a secret deck are not in the description of a match")
        return _file_board(self.deals, number, number + self.offset)

    @property
    def dealt(self) -> str:
        """Where its boards come from, in a few words: `seed 7`, `secret deals`, a file."""
        if self.deals == SECRET:
            return "secret deals"
        file = "" if self.deals == "random" else f"{Path(self.deals).name}, "
        return f"{file}seed {self.seed}"

    @property
    def player_seed(self) -> int:
        """The seed that engines are given. They must not learn from it which deals are dealt: where
        `seed` chooses those, the engines' own seed is 0."""
        return 0 if self.deals in ("random", SECRET) else self.seed

    def known_tricks(self, number: int) -> tuple[tuple[int, ...], ...] | None:
        """Solved tricks [strain][declarer] when the deals file has them."""
        if self.deals.endswith(".npz"):
            return _solved(self.deals).tricks_of(number + self.offset - 1)
        return None


def _random_deal(seed: int, number: int) -> Deal:
    return Deal.random(random.Random(f"overtrick match {seed} board {number}"))


def _file_board(path: str, number: int, position: int) -> Board:
    """Board `number` of the match, dealt from place `position` (from 1) of a file."""
    if path.endswith(".npz"):
        return Board.numbered(number, _solved(path).deal(position - 1))
    board = _boards_of(path)[position - 1]
    return Board(number, board.dealer, board.vul, board.deal)


@lru_cache(maxsize=4)
def _solved(path: str) -> SolvedDeals:
    return SolvedDeals.load(Path(path))


@lru_cache(maxsize=4)
def _boards_of(path: str) -> tuple[Board, ...]:
    from overtrick.notation import load

    loaded = load(path)
    found = (record.board(place) for place, record in enumerate(loaded.records, 1))
    boards = tuple(board for board in found if board is not None)
    if not boards:
        raise OptionError(f"{path} holds no complete deal")
    return boards
