"""One board as a task for agents: whose turn it is, what an action does, what was won.
The rules both interfaces share; a value that moves forward."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from overtrick import doubledummy as dd
from overtrick.bidding import bid_board, bidder
from overtrick.environments.observation import ACTIONS, CALLS, Bits, Task, legal, observe
from overtrick.game import (
    CALLS as ALL_CALLS,
)
from overtrick.game import (
    DECK,
    Board,
    BridgeError,
    Decision,
    Meaning,
    OptionError,
    Seat,
    imps,
    score,
)
from overtrick.notation.solved import SolvedDeals
from overtrick.table import Fault, Ruling, TableState, rule

_MOST: Final = 1000  # boards looked through for one that is not passed out


@dataclass(frozen=True, slots=True)
class Episode:
    """A board on the way, its double-dummy table (which no agent sees) and the last ruling."""

    state: TableState
    solved: dd.Table
    task: Task
    ruling: Ruling | None = None

    @classmethod
    def of(cls, deals: SolvedDeals, index: int, task: Task, engine: str = "points") -> Episode:
        """A board of the deals: its number, and with it dealer and vulnerability, is its place.

        For card play four of `engine` bid it first; where they pass it out, a later board is taken.
        """
        if not 0 <= index < len(deals):
            raise OptionError(f"board {index} is not among the {len(deals)} deals (0 is the first)")
        for place in range(index, index + _MOST):
            at = place % len(deals)
            board = Board.numbered(at + 1, deals.deal(at))
            state = TableState.start(board, auction_only=task == "bidding")
            if task == "play":
                _, decisions = bid_board(board, [bidder(engine)] * 4)
                for decision in decisions:
                    state = state.after(decision)
            if state.phase != "over":
                return cls(state, dd.Table(deals.tricks_of(at)), task)  # type: ignore[arg-type]
        raise BridgeError(f"{engine} passes out every board")

    @property
    def is_over(self) -> bool:
        """Nothing is left to do."""
        return self.state.phase == "over"

    @property
    def actor(self) -> Seat:
        """Who acts next; declarer for dummy."""
        return self.state.actor

    def observation(self, seat: Seat) -> dict[str, Bits]:
        """What a seat sees, and what it may do now."""
        view = self.state.view(seat)
        return {"observation": observe(view, self.task), "action_mask": legal(view, self.task)}

    def after(self, action: int) -> Episode:
        """One action further. An illegal one is ruled on as at any table: pass, or the lowest card
        that is legal."""
        if not 0 <= action < ACTIONS[self.task]:
            raise OptionError(f"actions run from 0 to {ACTIONS[self.task] - 1}, not {action}")
        view = self.state.view()
        if not legal(view, self.task)[action]:
            decision, ruling = rule(view, Fault.ILLEGAL, f"action {action}")
            return replace(self, state=self.state.after(decision, ruling=ruling), ruling=ruling)
        if self.task == "bidding" or (self.task == "whole" and action < CALLS):
            decision = Decision(ALL_CALLS[action], Meaning("not explained"))
        else:
            card = DECK[action - CALLS if self.task == "whole" else action]
            decision = Decision(card, Meaning("not explained"))
        return self.decided(decision)

    def decided(self, decision: Decision) -> Episode:
        """One decision of an engine further."""
        return replace(self, state=self.state.after(decision), ruling=None)

    def action_of(self, decision: Decision) -> int:
        """The number of an engine's call or card among the actions of the task."""
        in_play = self.state.play is not None
        return int(decision.action) + (CALLS if in_play and self.task == "whole" else 0)

    def imps(self) -> int:
        """What North-South won once it is over, else 0.

        Bidding is scored double dummy against par, the whole game by the tricks taken against par,
        card play by the tricks taken against what the contract takes double dummy.
        """
        if not self.is_over:
            return 0
        board, contract = self.state.board, self.state.contract
        made = self.solved[contract.strain, contract.declarer] if contract is not None else 0
        won = self.state.score(made if self.task == "bidding" else None)
        assert won is not None, "a board that is over has a score"
        if self.task == "play":
            return imps(won - score(contract, made, board.vul))
        return imps(won - dd.par(self.solved, board.vul, board.dealer).score)

    def text(self) -> str:
        """All four hands and what happened: for people who watch, never for agents."""
        from overtrick.notation.diagram import text_record

        return text_record(self.state.record())


def drawn(rng: np.random.Generator, deals: SolvedDeals, wanted: object = None) -> int:
    """The place of a random deal, or of the one that was asked for by `options["board"]`."""
    if wanted is None:
        return int(rng.integers(len(deals)))
    if not isinstance(wanted, int | np.integer):
        raise OptionError(f"a board is named by its place among the deals, not {wanted!r}")
    return int(wanted)
