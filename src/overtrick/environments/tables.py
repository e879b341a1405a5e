"""Four agents at one bridge table, as PettingZoo has games in turns (`AECEnv`)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from overtrick.environments.datasets import dataset
from overtrick.environments.episode import Episode, drawn
from overtrick.environments.observation import ACTIONS, WIDTHS, Bits, task_of
from overtrick.game import OptionError, Seat
from overtrick.notation.solved import SolvedDeals


def env(task: str = "bidding", **options: Any) -> Any:
    """A table with PettingZoo's guard against wrong order; options as `BridgeTable` takes them.

    >>> table = env("whole")
    >>> table.reset(seed=1)
    >>> table.agent_selection, table.observe("north")["observation"].shape
    ('east', (997,))
    """
    return wrappers.OrderEnforcingWrapper(BridgeTable(task, **options))


class BridgeTable(AECEnv):
    """Bidding, card play or the whole game for the agents "north", "east", "south" and "west".

    An observation is what `View` tells the agent's seat, with the mask of its legal actions.
    Rewards are IMPs at the end of the board, the opposite for the two sides. An illegal action is
    ruled on as at any table, and the agent's `infos` say so. `options={"board": 17}` of `reset`
    takes that deal instead of a random one.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "overtrick_v0", "render_modes": ["ansi"], "is_parallelizable": False,
    }  # fmt: skip

    def __init__(
        self,
        task: str = "bidding",
        deals: SolvedDeals | None = None,
        engine: str = "points",
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise OptionError(f"a table is shown as text (ansi), not {render_mode!r}")
        self.task = task_of(task)
        self.deals = dataset("practice") if deals is None else deals
        self.engine = engine
        self.render_mode = render_mode
        self.possible_agents = [seat.name.lower() for seat in Seat]
        self._seats = dict(zip(self.possible_agents, Seat, strict=True))
        self._rng, _ = seeding.np_random(None)
        width, actions = WIDTHS[self.task], ACTIONS[self.task]
        self.observation_spaces = {
            agent: spaces.Dict({
                "observation": spaces.Box(0, 1, (width,), np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            })
            for agent in self.possible_agents
        }  # fmt: skip
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent can do, legal or not."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new board."""
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
        place = drawn(self._rng, self.deals, (options or {}).get("board"))
        self.episode = Episode.of(self.deals, place, self.task, self.engine)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._named(self.episode.actor)

    def observe(self, agent: str) -> dict[str, Bits]:
        """What the agent's seat may lawfully know."""
        return self.episode.observation(self._seats[agent])

    def step(self, action: int | None) -> None:
        """The action of the agent whose turn it is; None once the board is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise OptionError("None is the action of agents whose board is over")
        self._cumulative_rewards[agent] = 0.0
        self.episode = self.episode.after(int(action))
        ruling = self.episode.ruling
        self.infos[agent] = {} if ruling is None else {"ruling": str(ruling)}
        if self.episode.is_over:
            won = float(self.episode.imps())
            for name, seat in self._seats.items():
                self.rewards[name] = won if seat.side == Seat.NORTH.side else -won
                self.terminations[name] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._named(self.episode.actor)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """All four hands and what happened, for people."""
        return self.episode.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""

    def _named(self, seat: Seat) -> str:
        return self.possible_agents[seat]
