"""One agent at a table of Overtrick's engines, as Gymnasium has environments.
Importing this registers them: `make("overtrick.environments.solo:overtrick/Whole-v0")`."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from overtrick.environments.datasets import dataset
from overtrick.environments.episode import Episode, drawn
from overtrick.environments.observation import ACTIONS, WIDTHS, Bits, task_of
from overtrick.game import BridgeError, OptionError, Seat
from overtrick.notation.solved import SolvedDeals
from overtrick.table import robot

_MOST = 100  # boards looked through for one on which the agent has something to do


class SoloTable(gymnasium.Env):
    """A seat for one agent; `partner` and `opponents` are robots, `bidder` or `bidder+player`.

    The reward comes at the end of the board: IMPs of the agent's side, as the four-handed table
    counts them. An illegal action is ruled on as at any table, and `info["ruling"]` says so.
    `info["imps"]` and `info["board"]` name result and deal. Boards on which the agent is dummy from
    the first card are passed over in card play. `options={"board": 17}` of `reset` takes that deal.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        task: str = "bidding",
        seat: Seat | str = "S",
        partner: str = "points+highest",
        opponents: str = "points+highest",
        deals: SolvedDeals | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise OptionError(f"a table is shown as text (ansi), not {render_mode!r}")
        self.task = task_of(task)
        self.seat = Seat(seat)
        theirs = robot(opponents)
        self._others = {self.seat.partner: robot(partner), self.seat.lho: theirs,
                        self.seat.rho: theirs}  # fmt: skip
        self._engine = partner.partition("+")[0]
        self.deals = dataset("practice") if deals is None else deals
        self.render_mode = render_mode
        width, actions = WIDTHS[self.task], ACTIONS[self.task]
        self.observation_space = spaces.Dict({
            "observation": spaces.Box(0, 1, (width,), np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        })  # fmt: skip
        self.action_space = spaces.Discrete(actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Bits], dict[str, Any]]:
        """A new board, up to the agent's first turn."""
        super().reset(seed=seed)
        place = drawn(self.np_random, self.deals, (options or {}).get("board"))
        for skipped in range(_MOST):
            at = (place + skipped) % len(self.deals)
            self.episode = Episode.of(self.deals, at, self.task, self._engine)
            self._others_act()
            if not self.episode.is_over:
                return self._seen(), self._told()
        raise BridgeError("there is no board on which this seat has a turn")

    def step(self, action: int) -> tuple[dict[str, Bits], float, bool, bool, dict[str, Any]]:
        """The agent's action, and what the others do until it is the agent's turn again."""
        self.episode = self.episode.after(int(action))
        told = {} if self.episode.ruling is None else {"ruling": str(self.episode.ruling)}
        self._others_act()
        won = self.episode.imps() * (1 if self.seat.side == Seat.NORTH.side else -1)
        return self._seen(), float(won), self.episode.is_over, False, {**self._told(), **told}

    def render(self) -> str | None:
        """All four hands and what happened, for people."""
        return self.episode.text() if self.render_mode == "ansi" else None

    def _others_act(self) -> None:
        while not self.episode.is_over and self.episode.actor != self.seat:
            view = self.episode.state.view()
            other = self._others[view.seat]
            decision = other.bid(view) if view.play is None else other.play(view)
            self.episode = self.episode.after(self.episode.action_of(decision))

    def _seen(self) -> dict[str, Bits]:
        return self.episode.observation(self.seat)

    def _told(self) -> dict[str, Any]:
        return {"board": self.episode.state.board.number - 1, "imps": self.episode.imps()}


for _task in ("bidding", "play", "whole"):
    gymnasium.register(
        id=f"overtrick/{_task.capitalize()}-v0", entry_point=SoloTable, kwargs={"task": _task}
    )
