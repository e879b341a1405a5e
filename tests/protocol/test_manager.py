"""The manager over real connections: alerts, silence, breaks, refusals, floods."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

import pytest

from benchmarks.soak_protocol import Chaos, soak
from overtrick.game import Board, Decision, Meaning, OptionError, Seat, View
from overtrick.protocol import (
    Address,
    Gone,
    Journal,
    Manager,
    ManagerPatience,
    Session,
    WantedSeat,
    comparison,
    join,
)
from overtrick.protocol.chairs import ClientChair
from overtrick.protocol.deck import KeyedDeck
from overtrick.protocol.messages import Connect, Message
from overtrick.protocol.quirks import Quirks
from overtrick.table import TableState, robot
from overtrick.table.seats import telling
from tests.protocol import harness  # registers the scripted bidder

assert harness
HOST = "127.0.0.1"
QUICK = ManagerPatience(call=5, card=5, ready=5, arrive=5, reconnect=1)


def boards(count: int) -> tuple[Board, ...]:
    return tuple(Board.random(n, seed=n) for n in range(1, count + 1))


class Raw:
    """A client by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, port: int) -> Raw:
        return cls(*await asyncio.open_connection(HOST, port))

    async def say(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode("latin-1"))
        await self.writer.drain()

    async def hear(self) -> str:
        raw = await asyncio.wait_for(self.reader.readline(), 5)
        return raw.decode().rstrip("\r\n")

    async def sit(self, team: str, seat: str) -> None:
        await self.say(f'Connecting "{team}" as {seat} using protocol version 18')
        assert "seated" in await self.hear()
        await self.say(f"{seat} ready for teams")
        assert (await self.hear()).startswith("Teams")
        await self.say(f"{seat} ready to start")

    async def cards(self, seat: str) -> None:
        """From "Start of board" to the own cards."""
        while await self.hear() != "Start of board":
            pass
        await self.say(f"{seat} ready for deal")
        await self.hear()
        await self.say(f"{seat} ready for cards")
        assert "cards" in await self.hear()

    def hang_up(self) -> None:
        self.writer.close()


def run(
    session: Session, work: Callable[[Manager], Awaitable[None]], journal: Journal | None = None
) -> Manager:
    """A whole session with some client work beside it."""

    async def both() -> Manager:
        manager = Manager(session, journal)
        task = asyncio.create_task(manager.run(HOST, 0))
        await manager.listening.wait()
        await work(manager)
        await asyncio.wait_for(task, 30)
        return manager

    return asyncio.run(both())


def player(
    manager: Manager, team: str, seat: Seat | None, engine: str, version: int = 18
) -> Coroutine[None, None, int]:
    return join(Address(HOST, manager.port, 2, 0.1), WantedSeat(team, seat, version), robot(engine))


def test_two_rooms_of_clients_and_engines_agree_with_a_match() -> None:
    async def work(manager: Manager) -> None:
        seats = (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
        played = await asyncio.gather(*(player(manager, "A", s, "points") for s in seats))
        assert played == [3, 3, 3, 3]

    manager = run(Session(boards(3), ("A", "B"), {"B": "points"}, patience=QUICK), work)
    rows = comparison(manager.rooms[0].results, manager.rooms[1].results)
    assert [(n, imps) for n, _, _, imps in rows] == [(1, 0), (2, 0), (3, 0)]
    assert not manager.journal.faults


def test_alerts_reach_opponents_only(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with path.open("w") as file:

        async def work(manager: Manager) -> None:
            await asyncio.gather(
                player(manager, "A", Seat.NORTH, "script(calls='1C!')", 19),
                player(manager, "A", Seat.SOUTH, "script", 19),
                player(manager, "B", Seat.EAST, "script", 19),
                player(manager, "B", Seat.WEST, "script", 18),
            )

        run(Session(boards(1), ("A", "B"), rooms=1, patience=QUICK), work, Journal(file))
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    heard = {
        e["who"]: e["line"] for e in entries if e["what"] == "out" and "North bids" in e["line"]
    }
    assert heard == {
        "open E": "North bids 1C Alert. artificial",
        "open S": "North bids 1C",  # partner hears no words
        "open W": "North bids 1C",  # version 18, has never alerted: would not understand them
    }
    assert all(e["time"] for e in entries)


def test_a_silent_client_never_blocks_the_other_room() -> None:
    finished: dict[str, float] = {}
    started = time.perf_counter()

    async def both() -> Manager:
        engines = {"B": "pass", "open:S": "pass", "closed:E": "pass", "closed:W": "pass"}
        patience = ManagerPatience(call=0.6, card=0.6, ready=0.6, arrive=5, reconnect=0.1)
        manager = Manager(
            Session(boards(2), ("A", "B"), engines, patience=patience),
            report=lambda room, state: finished.setdefault(
                f"{room.programme.name} {state.board.number}", time.perf_counter() - started
            ),
        )
        task = asyncio.create_task(manager.run(HOST, 0))
        await manager.listening.wait()
        silent = await Raw.connect(manager.port)
        await silent.sit("A", "North")  # and then not a word more
        await asyncio.wait_for(task, 30)
        silent.hang_up()
        return manager

    manager = asyncio.run(both())
    assert finished["closed 2"] < finished["open 1"]
    assert [len(room.results) for room in manager.rooms] == [2, 2]
    assert manager.journal.faults["LATE"]


def test_after_a_break_in_the_auction_the_client_is_told_it_again() -> None:
    async def work(manager: Manager) -> None:
        first = await Raw.connect(manager.port)
        await first.sit("A", "North")
        await first.cards("North")
        first.hang_up()
        again = await Raw.connect(manager.port)
        await again.sit("A", "North")
        await again.cards("North")
        await again.say("North passes", "North ready for East's bid")
        await again.hear()

    manager = run(
        Session(
            boards(1), ("A", "B"), {"B": "pass", "open:S": "pass"}, rooms=1,
            patience=ManagerPatience(call=0.5, card=0.5, ready=0.5, arrive=5, reconnect=2),
        ),
        work,
    )  # fmt: skip
    assert manager.rooms[0].restarts == 1
    (state,) = manager.rooms[0].results
    assert state.log[0].ruling is None
    assert manager.journal.faults["DISCONNECTED"]


def test_a_client_that_never_returns_is_replaced_by_the_director() -> None:
    async def work(manager: Manager) -> None:
        client = await Raw.connect(manager.port)
        await client.sit("A", "North")
        await client.cards("North")
        client.hang_up()

    patience = ManagerPatience(call=1, card=1, ready=1, arrive=5, reconnect=0.1)
    manager = run(
        Session(boards(3), ("A", "B"), {"B": "points", "open:S": "points"}, rooms=1,
                patience=patience),
        work,
    )  # fmt: skip
    assert [s.phase for s in manager.rooms[0].results] == ["over"] * 3
    assert all(r.seat == Seat.NORTH for s in manager.rooms[0].results for r in s.rulings)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('Connecting "C" as North using protocol version 18', "Error Team name mismatch"),
        ('Connecting "B" as North using protocol version 18', "Error no such seat"),
        ('Connecting "A" as North using protocol version 3', "Error protocol version 3"),
        ("North ready for teams", "Error expected Connecting"),
    ],
)
def test_refusals_say_why(line: str, answer: str) -> None:
    async def work(manager: Manager) -> None:
        guest = await Raw.connect(manager.port)
        await guest.say(line)
        assert (await guest.hear()).startswith(answer)
        guest.hang_up()

    engines = {"B": "pass", "open:S": "pass"}
    patience = ManagerPatience(call=1, card=1, ready=1, arrive=0.3, reconnect=0.1)
    run(Session(boards(1), ("A", "B"), engines, rooms=1, patience=patience), work)


def test_a_taken_seat_is_refused_and_floods_are_bounded() -> None:
    async def work(manager: Manager) -> None:
        first = await Raw.connect(manager.port)
        await first.sit("A", "North")
        second = await Raw.connect(manager.port)
        await second.say('Connecting "A" as North using protocol version 18')
        assert await second.hear() == "Error the seat is taken"
        await first.cards("North")
        await first.say("x" * 100_000, *["junk"] * 300)

    patience = ManagerPatience(call=2, card=2, ready=2, arrive=5, reconnect=0.1)
    manager = run(
        Session(boards(1), ("A", "B"), {"B": "pass", "open:S": "pass"}, rooms=1,
                patience=patience),
        work,
    )  # fmt: skip
    assert 200 <= manager.journal.faults["UNREADABLE"] <= 202
    assert manager.journal.faults["DISCONNECTED"]


def test_a_late_player_keeps_the_chair_from_strangers() -> None:
    """Late with a call and with all that follows, it is not empty; when its line closes, it is."""

    async def work(manager: Manager) -> None:
        owner = await Raw.connect(manager.port)
        await owner.sit("A", "North")
        await owner.cards("North")
        while not manager.journal.faults["LATE"]:
            await asyncio.sleep(0.02)
        stranger = await Raw.connect(manager.port)
        await stranger.say('Connecting "A" as North using protocol version 18')
        assert await stranger.hear() == "Error the seat is taken"
        await owner.say("North ready for anything")  # the line still stands
        owner.hang_up()
        await asyncio.sleep(0.05)
        again = await Raw.connect(manager.port)
        await again.say('Connecting "A" as North using protocol version 18')
        assert "seated" in await again.hear()

    patience = ManagerPatience(call=0.3, card=0.3, ready=0.3, arrive=5, reconnect=0.1, warnings=0)
    engines = {"B": "pass", "open:S": "pass"}
    run(Session(boards(3), ("A", "B"), engines, rooms=1, patience=patience), work)


def test_mute_strangers_keep_nobody_out() -> None:
    async def work(manager: Manager) -> None:
        strangers = [await Raw.connect(manager.port) for _ in range(6)]
        players = [player(manager, "A", seat, "pass+random") for seat in (Seat.NORTH, Seat.SOUTH)]
        await asyncio.gather(*players)
        for s in strangers:
            s.hang_up()

    session = Session(boards(1), ("A", "B"), {"B": "pass"}, rooms=1, patience=QUICK,
                      max_connections=2)  # fmt: skip
    manager = run(session, work)
    assert not manager.journal.faults


def test_strangers_cannot_fill_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.protocol.journal._MOST_OF_STRANGERS", 2000)
    with (tmp_path / "j.jsonl").open("w+", encoding="utf-8") as file:
        journal = Journal(file)
        for _ in range(500):
            journal.line("in", "?", "x" * 100)
            journal.event("?", "left without saying who it is")
        journal.line("in", "open N", "North passes")
        file.seek(0)
        lines = file.read().splitlines()
    assert len(lines) < 20
    assert "North passes" in lines[-1]
    assert journal.counts["in"] == 501


def test_a_full_disk_stops_the_journal_and_not_the_match(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Full(io.StringIO):
        full = True

        def flush(self) -> None:
            if self.full:
                raise OSError(28, "No space left on device")

    file = Full()
    journal = Journal(file)
    for _ in range(3):
        journal.event("manager", "a board begins")
    assert len([r for r in caplog.records if "the match goes on" in r.message]) == 1
    file.full = False
    journal.event("manager", "a board ends")
    assert "can be written again" in caplog.text


def test_a_client_cannot_ask_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.protocol.chairs._MAX_LINES", 50)

    async def work(manager: Manager) -> None:
        asking = await Raw.connect(manager.port)
        await asking.sit("A", "North")
        await asking.cards("North")
        await asking.say(*["Explain East passes"] * 60)

    session = Session(boards(1), ("A", "B"), {"B": "pass", "open:S": "pass"}, rooms=1,
                      patience=QUICK)  # fmt: skip
    assert run(session, work).journal.faults["DISCONNECTED"]


def test_nobody_bids_anew_by_hanging_up() -> None:
    """Back at the table the auction is where it was, and another call than before counts not."""

    async def work(manager: Manager) -> None:
        first = await Raw.connect(manager.port)
        await first.sit("A", "North")
        await first.cards("North")
        await first.say("North bids 1NT", "North ready for East's bid")
        assert await first.hear() == "East passes"
        first.hang_up()
        again = await Raw.connect(manager.port)
        await again.sit("A", "North")
        await again.cards("North")
        await again.say("North passes")

    patience = ManagerPatience(call=2, card=0.5, ready=1, arrive=5, reconnect=2, warnings=0)
    session = Session(
        boards(1), ("A", "B"), {"B": "pass", "open:S": "pass"}, rooms=1, patience=patience
    )
    manager = run(session, work)
    (state,) = manager.rooms[0].results
    assert state.auction.ascii == "1NT Pass Pass Pass"
    assert manager.journal.faults["UNEXPECTED"]


def test_whoever_repeats_his_calls_plays_on() -> None:
    async def work(manager: Manager) -> None:
        first = await Raw.connect(manager.port)
        await first.sit("A", "North")
        await first.cards("North")
        await first.say("North bids 1NT", "North ready for East's bid")
        await first.hear()
        first.hang_up()
        # One of our own clients takes the seat: it hears the auction and makes the same call.
        script = player(manager, "A", Seat.NORTH, "script(calls='1NT')+random")
        await script

    session = Session(boards(1), ("A", "B"), {"B": "pass", "open:S": "pass+random"}, rooms=1,
                      patience=QUICK)  # fmt: skip
    manager = run(session, work)
    (state,) = manager.rooms[0].results
    assert state.auction.ascii == "1NT Pass Pass Pass"
    assert state.rulings == ()
    assert manager.rooms[0].restarts == 1


class Dawdler:
    """Plays the first card when it has been late once."""

    name, system = "dawdler", ""

    def bid(self, view: View) -> Decision:
        return robot("points").bid(view)

    def play(self, view: View) -> Decision:
        if view.play is not None and len(view.play) == 20:
            time.sleep(0.5)
        return robot("pass+random").play(view)


def test_one_late_card_costs_a_warning() -> None:
    async def work(manager: Manager) -> None:
        address = Address(HOST, manager.port, 2, 0.1)
        await asyncio.gather(
            *(join(address, WantedSeat("A", seat), Dawdler()) for seat in (Seat.NORTH, Seat.SOUTH))
        )

    patience = ManagerPatience(call=5, card=0.3, ready=5, arrive=5, reconnect=1)
    deals = tuple(Board.random(n, seed=n) for n in range(1, 5))
    session = Session(deals, ("A", "B"), {"B": "points+random"}, rooms=1, patience=patience)
    manager = run(session, work)
    assert all(not state.rulings for state in manager.rooms[0].results)
    assert manager.journal.faults["LATE"]


def test_a_deck_is_promised_and_checked() -> None:
    deck = KeyedDeck.drawn()
    assert KeyedDeck(deck.secret).promise == deck.promise != KeyedDeck.drawn().promise
    assert KeyedDeck(deck.secret).boards(3) == deck.boards(3)
    assert deck.player_seed != KeyedDeck.drawn().player_seed
    hands = {hand.bits for n in range(200) for hand in KeyedDeck(str(n)).boards(1)[0].deal.hands}
    assert len(hands) == 800


def test_our_robots_say_what_their_calls_show() -> None:
    pytest.importorskip("onnxruntime")
    assert telling(robot("policy")).bidder.disclose  # type: ignore[attr-defined]
    assert telling(robot("points+random")).name == "points+random"


def test_an_older_manager_is_asked_again_in_its_own_words() -> None:
    async def both() -> list[str]:
        heard: list[str] = []

        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            line = (await reader.readline()).decode()
            heard.append(line.split("version ")[1].split()[0])
            if heard[-1] == "19":
                writer.write(b"Error protocol version 19 is not supported\r\n")
            else:
                writer.write(b'North ("A") seated\r\nTeams : N/S : "A" E/W : "B"\r\n')
                await reader.readline()
                await reader.readline()
                writer.write(b"End of session\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(greet, HOST, 0)
        port = server.sockets[0].getsockname()[1]
        await join(Address(HOST, port, 2, 0.0), WantedSeat("A", Seat.NORTH), robot("pass"))
        server.close()
        return heard

    assert asyncio.run(both()) == ["19", "18"]


def test_sessions_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="different names"):
        Session(boards(1), ("A", " a "))
    with pytest.raises(OptionError, match="at least one board"):
        Session((), ("A", "B"))
    with pytest.raises(OptionError, match="neither a team nor a seat"):
        Session(boards(1), ("A", "B"), {"C": "pass"})
    with pytest.raises(OptionError, match="neither a team nor a seat"):
        Session(boards(1), ("A", "B"), {"open:X": "pass"})


def test_a_seat_s_own_engine_goes_before_its_team_s() -> None:
    session = Session(boards(1), ("A", "B"), {"A": "pass", "open:N": "points"})
    assert session.engine("open", Seat.NORTH) == "points"
    assert session.engine("open", Seat.SOUTH) == "pass"
    assert session.engine("closed", Seat.NORTH) is None


class Confused:
    """Plays a card when it should call, and nothing at all when it should play."""

    name = "confused"
    system = ""

    def bid(self, view: View) -> Decision:
        return Decision(view.hand.cards()[0], Meaning("a card"))

    def play(self, view: View) -> Decision:
        raise StopIteration


def test_a_confused_engine_does_not_take_its_client_down() -> None:
    """Our client rules on its own engine, so the manager hears lawful lines only."""

    async def work() -> Manager:
        session = Session(boards(1), ("A", "B"), {"B": "points+highest"}, rooms=1)
        manager = Manager(session)
        running = asyncio.create_task(manager.run(HOST, 0))
        await manager.listening.wait()
        address = Address(HOST, manager.port, 1, 0.0)
        players = [
            join(address, WantedSeat("A", seat), Confused()) for seat in (Seat.NORTH, Seat.SOUTH)
        ]
        await asyncio.wait_for(asyncio.gather(running, *players), 60)
        return manager

    manager = asyncio.run(work())
    (state,) = manager.rooms[0].results
    assert state.phase == "over"
    assert not state.rulings


class Silent:
    """A connection on which nothing is said until it is closed."""

    def __init__(self) -> None:
        self.who, self.quirks, self.over = "?", Quirks(), asyncio.Event()

    async def receive(self) -> Message:
        await self.over.wait()
        raise Gone("the connection was closed")

    async def send(self, message: Message) -> None:
        if self.over.is_set():
            raise Gone("the connection was closed")

    def close(self) -> None:
        self.over.set()

    @property
    def is_closed(self) -> bool:
        return self.over.is_set()


def test_whoever_takes_over_a_chair_keeps_it() -> None:
    """The end of the old connection is heard late, when another client sits there already."""

    async def work() -> None:
        hello = Connect("A", Seat.NORTH)
        for waiting in ("ready", "act"):
            chair = ClientChair(Seat.NORTH, "open", QUICK, Journal())
            old, new = Silent(), Silent()
            chair.reserve(old, hello)
            chair.sit()
            chair.fresh = False
            chair.begin(1)
            state = TableState.start(Board.random(1, seed=1))
            job: Awaitable[object] = chair.ready("deal") if waiting == "ready" else chair.act(state)
            task = asyncio.ensure_future(job)
            await asyncio.sleep(0)
            chair.reserve(new, hello)
            chair.sit()
            await asyncio.wait_for(task, 5)
            assert old.is_closed
            assert not new.is_closed
            assert chair.present
            assert not chair.lost

    asyncio.run(work())


def test_joining_nobody_is_an_error() -> None:
    with pytest.raises(Gone, match="no manager"):
        asyncio.run(join(Address(HOST, 1, 1, 0.0), WantedSeat("A"), robot("pass")))


def test_a_short_soak_loses_nothing(tmp_path: Path) -> None:
    chaos = Chaos(garbage=0.02, disconnect=0.003, silence=0.0)
    figures = asyncio.run(soak(4, chaos, 7, tmp_path / "journal.jsonl"))
    assert figures["finished"] == [4, 4]
    assert figures["in order"]
    assert figures["faults without ruling"] == 0
    assert figures["injected"]
    assert figures["faults"]
