"""OpenSpiel's Blue Chip code talks to ours: it is the manager, our player is the client."""

from __future__ import annotations

import asyncio
import queue
import random
import threading
from typing import Any

import pytest

from overtrick.game import Seat
from overtrick.protocol import Place, preset
from overtrick.protocol.lines import read
from overtrick.protocol.messages import Message
from overtrick.protocol.player import Client
from overtrick.protocol.stream import Gone
from overtrick.protocol.writing import write
from overtrick.table import robot

bluechip = pytest.importorskip("open_spiel.python.bots.bluechip_bridge")
pyspiel = pytest.importorskip("pyspiel")


class Controller:
    """What OpenSpiel asks of a connection, with our player at the other end in a thread."""

    def __init__(self, engine: str) -> None:
        self._to_client: queue.Queue[str | None] = queue.Queue()
        self._from_client: queue.Queue[str] = queue.Queue()
        self.heard: list[str] = []
        lines = _Bridge(self._to_client, self._from_client)
        client = Client(lines, robot(engine), Place("Overtrick", None))
        self._thread = threading.Thread(target=lambda: _until_gone(client), daemon=True)
        self._thread.start()

    def read_line(self) -> str:
        line = self._from_client.get(timeout=10)
        self.heard.append(line)
        return line

    def send_line(self, line: str) -> None:
        self._to_client.put(line)

    def terminate(self) -> None:
        self._to_client.put(None)
        self._thread.join(10)


class _Bridge:
    """Lines over two queues."""

    def __init__(self, inbox: queue.Queue[str | None], outbox: queue.Queue[str]) -> None:
        self.who, self.quirks = "openspiel", preset("openspiel")
        self._inbox, self._outbox = inbox, outbox

    async def receive(self) -> Message:
        line = await asyncio.to_thread(self._inbox.get)
        if line is None:
            raise Gone("terminated")
        return read(line)

    async def send(self, message: Message) -> None:
        self._outbox.put(write(message, self.quirks))

    def close(self) -> None:
        return

    @property
    def is_closed(self) -> bool:
        return False


def _until_gone(client: Client) -> None:
    try:
        asyncio.run(client.run())
    except ConnectionError:
        return


def _play(player: int, seed: int) -> tuple[Any, Controller]:
    """A whole deal: our client in one seat, random legal calls and cards in the others."""
    game = pyspiel.load_game("bridge(use_double_dummy_result=false)")
    made: list[Controller] = []

    def factory() -> Controller:
        made.append(Controller("points+random"))
        return made[-1]

    bot = bluechip.BlueChipBridgeBot(game, player, factory)
    rng = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([a for a, _ in state.chance_outcomes()]))
            continue
        legal = state.legal_actions()
        if state.current_player() == player:
            action = bot.step(state)
            assert action in legal
        else:
            # Few high bids, so that there is something to play.
            action = rng.choice(legal[:3] if legal[0] >= 52 else legal)
        state.apply_action(action)
    bot.inform_state(state)
    bot.terminate()
    return state, made[0]


@pytest.mark.parametrize("player", range(4))
def test_a_deal_with_openspiel_as_the_manager(player: int) -> None:
    cards = 0
    for seed in range(3):
        state, controller = _play(player, 10 * seed + player)
        assert state.is_terminal()
        cards += sum("plays" in line for line in controller.heard)
        assert controller.heard[0].endswith("as ANYPL using protocol version 18")
        assert f"{Seat(player)!s} ready to start".upper() in [h.upper() for h in controller.heard]
    assert cards, "no deal was played out"
