"""The next board of a table: of its match, of its practice deck, or the same cards once more."""

from __future__ import annotations

import secrets

import msgspec

from overtrick.game import Board
from overtrick.web.events import BoardText, Dealt
from overtrick.web.runner import House
from overtrick.web.seated import Live, NotAllowed
from overtrick.web.sources import by_script


class Dealing:
    """Deals the boards of every table."""

    def __init__(self, room: House) -> None:
        self.room = room

    async def deal(self, live: Live, *, again: bool) -> None:
        """The next board of the match or of the practice deck, or the same once more."""
        table, state = live.table, live.table.state
        if state.phase != "over":
            raise NotAllowed("the board is not over")
        if again:
            board = BoardText.of(state.board)
            event = Dealt(
                board, state.seed, table.index, table.contest, table.chosen, table.salt
            )  # fmt: skip
            self.room.add(live, event)
        elif table.contest:
            await self._match(live)
        else:
            await self._practice(live)

    async def _match(self, live: Live) -> None:
        """The next board; after the last one a new match begins, on the same cards if pasted."""
        table, index = live.table, live.table.index + 1
        contest = self.room.club.find(table.contest)
        if table.last is not None and table.index >= table.last:
            raise NotAllowed("this round is over; the director begins the next one")
        if index >= contest.boards:
            seed = secrets.randbits(62)
            old = contest.founded
            chosen = old.chosen and bool(old.deck.boards or old.deck.script)
            founded = msgspec.structs.replace(
                old, seed=seed, title="", day="", first=1, chosen=chosen
            )
            contest, index = self.room.club.found(founded), 0
            name: str = table.names.get(table.tokens.get(table.opener), "")  # type: ignore[arg-type]
            self.room.club.enter(contest.name, live.name, name, table.side)
        board = await self.room.club.board(contest.name, index, self.room.patience.script)
        if live.table.version != table.version:
            raise NotAllowed("the table has moved on; look again")
        event = Dealt(
            BoardText.of(board), contest.player_seed(index), index, contest.name,
            contest.founded.chosen, contest.salt(index),
        )  # fmt: skip
        self.room.add(live, event)

    async def _practice(self, live: Live) -> None:
        table, state = live.table, live.table.state
        seed, index, version = secrets.randbits(62), table.index + 1, table.version
        number = state.board.number % 16 + 1
        if table.deck.boards:
            index %= len(table.deck.boards)
            board = table.deck.boards[index].board.board()
        elif table.deck.script:
            script = table.deck.script
            board = await by_script(
                script, number, secrets.randbits(63), self.room.study, self.room.patience.script
            )
            if live.table.version != version:
                raise NotAllowed("the table has moved on; look again")
        else:
            board = Board.random(number, secrets.randbits(128))  # unrelated to the robots' seed
        chosen, salt = bool(table.deck.boards or table.deck.script), secrets.token_hex(16)
        self.room.add(live, Dealt(BoardText.of(board), seed, index, "", chosen, salt))
