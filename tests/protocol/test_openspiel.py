"""OpenSpiel's Blue Chip code talks to ours: its manager to our player, its client's lines to us."""

from __future__ import annotations

import ast
import asyncio
import queue
import random
import threading
from pathlib import Path
from typing import Any

import pytest

from overtrick.bidding.base import BIDDERS
from overtrick.cardplay.base import PLAYERS
from overtrick.game import Board, Decision, Meaning, Record, Seat, View, Vulnerability
from overtrick.notation import loads
from overtrick.protocol import Manager, Session, WantedSeat, preset
from overtrick.protocol.lines import read
from overtrick.protocol.messages import Message
from overtrick.protocol.player import Client
from overtrick.protocol.stream import Gone
from overtrick.protocol.writing import write
from overtrick.table import robot
from tests.protocol.harness import wire

bluechip = pytest.importorskip("open_spiel.python.bots.bluechip_bridge")
pyspiel = pytest.importorskip("pyspiel")


class Controller:
    """What OpenSpiel asks of a connection, with our player at the other end in a thread."""

    def __init__(self, engine: str) -> None:
        self._to_client: queue.Queue[str | None] = queue.Queue()
        self._from_client: queue.Queue[str] = queue.Queue()
        self.heard: list[str] = []
        lines = _Bridge(self._to_client, self._from_client)
        client = Client(lines, robot(engine), WantedSeat("Overtrick", None, 18))
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


def test_wbridge5_as_openspiel_met_it_plays_at_our_table() -> None:
    """OpenSpiel's own test quotes what WBridge5 sent on a whole deal: the same lines, our manager.

    They are read from the installed package, not kept here.
    """
    lines, history = _quoted_session()
    record = loads(" ".join(map(str, history)), "openspiel").records[0]
    assert record.deal is not None
    assert record.auction is not None
    assert record.play is not None
    BIDDERS.add("follow", lambda: _Follow(record))
    PLAYERS.add("follow", lambda: _Follow(record))
    board = Board(1, Seat.NORTH, Vulnerability.NONE, record.deal.complete())
    engines = {f"open:{seat}": "follow+follow" for seat in "NSW"}
    manager = Manager(Session((board,), ("House", "WBridge5"), engines, rooms=1))

    async def meet() -> None:
        ours, theirs = wire()
        ours.quirks = preset("wbridge5")
        # The quotation ends with the client's last card; one card of the deal is still to come.
        for line in [*lines, "EAST ready for SOUTH's card to trick 13"]:
            theirs.other.inbox.put_nowait(line)
        await asyncio.wait_for(asyncio.gather(manager.greet(ours), manager.play()), 20)

    asyncio.run(meet())
    (state,) = manager.rooms[0].results
    assert state.auction == record.auction
    assert state.play == record.play
    assert not manager.journal.faults


class _Follow:
    """Bids and plays what a record says."""

    name, system = "follow", ""

    def __init__(self, record: Record) -> None:
        self._record = record

    def bid(self, view: View) -> Decision:
        assert self._record.auction is not None
        return Decision(self._record.auction.calls[len(view.auction)], Meaning("as recorded"))

    def play(self, view: View) -> Decision:
        assert self._record.play is not None
        assert view.play is not None
        return Decision(self._record.play.cards[len(view.play)], Meaning("as recorded"))


def _quoted_session() -> tuple[list[str], list[int]]:
    """The client's lines and OpenSpiel's actions in the package's own test of this code."""
    path = Path(bluechip.__file__).with_name("bluechip_bridge_test.py")
    if not path.exists():
        pytest.skip("this OpenSpiel has no such test")
    lists = [
        ast.literal_eval(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.List) and all(isinstance(e, ast.Constant) for e in node.elts)
    ]
    lines = next(x for x in lists if x and str(x[0]).startswith("Connecting"))
    history = next(x for x in lists if len(x) > 52 and isinstance(x[0], int))
    return lines, history
