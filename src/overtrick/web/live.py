"""The room of live tables: people act, robots answer, everything is logged before it is shown.
One task per table moves its robots."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from dataclasses import replace
from math import inf
from time import monotonic, perf_counter, time
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from overtrick.game import Call, Card, Decision, Meaning, Seat
from overtrick.game.errors import printable
from overtrick.game.seats import SeatLetter
from overtrick.table import Entry
from overtrick.web import messages, thinking
from overtrick.web.answers import Ticket
from overtrick.web.club import Club, Helpers
from overtrick.web.coaching import hint_of
from overtrick.web.company import STREAM, BlockedPerson, Company, ReportedPerson
from overtrick.web.contests import MATCH, Contest, match_of, sheet
from overtrick.web.dealing import Dealing
from overtrick.web.events import (
    NO_DECK,
    BoardText,
    Claimed,
    Deck,
    Founded,
    Helped,
    Joined,
    Left,
    Looked,
    Moved,
    Opened,
    Opens,
    Settings,
    Table,
    TableEvent,
    Undone,
    entry_out,
    replayed,
)
from overtrick.web.frames import (
    CallToMake,
    ChatWord,
    Done,
    HintAnswer,
    Invited,
    MeaningsAnswer,
    Presence,
    State,
    Trouble,
)
from overtrick.web.recall import Recall, spec_for
from overtrick.web.reviewed import ThoughtShown
from overtrick.web.robots import Patience, Robots
from overtrick.web.runner import Runner
from overtrick.web.seated import Asked, Guest, Live, NoTable, NotAllowed, Send, hashed, idle
from overtrick.web.showing import (
    Around,
    alone,
    claimant,
    letters,
    may_undo,
    people,
    pilot,
    shown,
)
from overtrick.web.sight import person_of
from overtrick.web.sources import Drawn
from overtrick.web.store import Log, LogError
from overtrick.web.workers import CLIENT, URGENT, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
_MOST_LINKS = 40  # of one table
_MOST_EVENTS = 12_000  # some 180 boards; whoever comes back waits until they are replayed
_FEW = 10  # events that are replayed before others have their turn
_TURNS = 2.0  # times as long as they took
_BLIP = 15.0  # seconds without a line after which somebody counts as absent
_MOST_LOOKING = 40  # people who came by links to look on
# Who plays in an event neither asks nor lets others in: that is for its director.
DIRECTORS = (
    messages.Hint, messages.Again, messages.Substitute, messages.Move, messages.Invite,
)  # fmt: skip

Complaint = messages.BlockSeat | messages.ReportSeat


class Room:
    """All tables of a server. Idle ones leave memory and come back from the log."""

    def __init__(
        self,
        log: Log,
        talk: Workers,
        think: Workers,
        most: int = 2000,
        study: Workers | None = None,
        other: Workers | None = None,
    ) -> None:
        self.log = log
        self.talk, self.think, self.study = talk, think, study or talk
        self.club = Club(log, Helpers(self.study, other), self._other_room_came)
        self.robots, self.patience = Robots(talk, think), Patience()
        self.runner = Runner(self)
        self.dealing = Dealing(self)
        self.recall = Recall(log, think)
        self.company = Company(log.events(STREAM))  # type: ignore[arg-type]
        self._most = most
        self.blip = _BLIP
        self._live: OrderedDict[str, Live] = OrderedDict()
        # Tables that have left `_live` while somebody still works at them: there must never be two
        # of one name, since both would write the same log.
        self._held: WeakValueDictionary[str, Live] = WeakValueDictionary()
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    # ------------------------------------------------------------ opening and finding

    def open(
        self,
        settings: Settings,
        mine: SeatLetter,
        drawn: Drawn,
        name: str = "",
        contest: str = "",
        boards: int = MATCH,
        browser: str = "",
    ) -> Ticket:
        """A new table; the ticket holds my token and the others' invitations, told only now.

        Every board that is played to the end belongs to a match: one that exists, or a new one.
        """
        table, token = secrets.token_urlsafe(9), secrets.token_urlsafe(24)
        invitations = {s: secrets.token_urlsafe(24) for s in settings.humans if s != mine}
        if not contest and not settings.auction_only:
            contest = self._found(settings, drawn, boards).name
        index = drawn.index if settings.auction_only else 0
        event = Opened(
            settings,
            BoardText.of(drawn.board),
            # Nothing that robots are told leads back to the cards.
            secrets.randbits(62),
            {hashed(token): mine},
            {hashed(text): s for s, text in invitations.items()},
            drawn.deck if settings.auction_only else NO_DECK,
            index,
            contest,
            {mine: name} if name else {},
            {hashed(token): person_of(browser, CLIENT.get())},
            drawn.chosen,
            secrets.token_hex(16),
        )
        if contest:
            found = self.club.enter(contest, table, name, Seat.parse(mine) & 1)
            event = msgspec.structs.replace(
                event, board=BoardText.of(found.board(0)), seed=found.player_seed(0),
                chosen=found.founded.chosen, salt=found.salt(0),
            )  # fmt: skip
        live = Live(table, replayed(None, event))
        self.adopt(live, event)
        self.runner.move(live)
        return Ticket(table=table, seat=mine, token=token, invitations=invitations)

    def opened(self, name: str) -> Live:
        """A table that has just been opened."""
        return self._live[name]

    def adopt(self, live: Live, event: Opened) -> None:
        """Keep a new table."""
        self._record(live.name, live.table)
        self.log.add(live.name, 1, event)
        self._keep(live)

    def _found(self, settings: Settings, drawn: Drawn, boards: int) -> Contest:
        """A match on the boards of a source, beginning with the one that was drawn."""
        deck = drawn.deck
        posed = deck.boards[drawn.index :] + deck.boards[: drawn.index]
        deck = Deck(deck.script, posed, deck.name)
        found = self.club.found(
            Founded(
                "", drawn.seed, len(posed) or boards, settings.scoring, settings.ns, settings.ew,
                settings.systems, drawn.board.number, deck, chosen=drawn.chosen,
            )
        )  # fmt: skip
        return self.club.post(found.name, 0, drawn.board) if deck.script else found

    async def find(self, name: str) -> Live:
        """A table by name, from memory or from the log."""
        live = self._live.get(name) or self._held.get(name)
        if live is None:
            lock = self._reading.setdefault(name, asyncio.Lock())
            async with lock:  # there must never be two tables of one name
                live = self._live.get(name) or self._held.get(name)
                if live is None:
                    live = Live(name, await self._read(name))
                self._keep(live)
        self._keep(live)
        self.runner.move(live)
        return live

    async def _read(self, name: str) -> Table:
        """A table from the log, a few events at a time: nobody waits for somebody's long table."""
        table: Table | None = None
        while len(name) <= 32:
            began = perf_counter()
            events = self.log.events(name, table.version if table else 0, _FEW)
            for event in events:
                table = replayed(table, event)  # type: ignore[arg-type]
            if len(events) < _FEW:
                break
            await asyncio.sleep(_TURNS * (perf_counter() - began))
        if table is None:
            raise NoTable("there is no such table (any more)")
        return table

    def seat_of(self, live: Live, token: str) -> Seat:
        """Whose token this is; a wrong one is refused."""
        letter = live.table.tokens.get(hashed(token))
        if letter is None:
            raise NotAllowed("this token opens no seat at this table")
        return Seat.parse(letter)

    def guest(self, live: Live, token: str, send: Send, browser: str = "") -> Guest:
        """The browser that shows this token: somebody at the table, or somebody who looks on, which
        is noted before anything is shown."""
        key = hashed(token)
        if key not in live.table.watchers:
            self.seat_of(live, token)
            return Guest(key, send)
        came = (key, person_of(browser, CLIENT.get()))
        if came not in live.table.looking:
            if len(live.table.looking) >= _MOST_LOOKING:
                raise NotAllowed("enough people have looked on at this table")
            self.add(live, Looked(*came))
        return Guest(key, send, watching=True, person=came[1])

    async def join(self, table: str, invitation: str, name: str = "", browser: str = "") -> Ticket:
        """Exchange an invitation for a token; it works once. Links to look on work for many."""
        live, link = await self.find(table), hashed(invitation)
        watched = live.table.watchers.get(link)
        if watched is not None:
            return Ticket(table=table, seat=watched, token=invitation, watching=True)
        seat = live.table.invitations.get(link)
        if seat is None:
            raise NotAllowed("this invitation has been used or was never made")
        person = person_of(browser, CLIENT.get())
        self._may_take(live, seat, link, person)
        token = secrets.token_urlsafe(24)
        self.add(live, Joined(seat, link, hashed(token), name, person))
        return Ticket(table=table, seat=seat, token=token)

    def _may_take(self, live: Live, seat: SeatLetter, link: str, person: str) -> None:
        """A seat nobody has taken is free. One that somebody has is handed over by himself to who
        has seen no other hand; given away by others it is taken between boards, unseen."""
        table = live.table
        holder = table.holder(seat)
        if not holder or table.state.phase == "over":
            if holder and seat in live.connected and table.makers.get(link) != holder:
                raise NotAllowed("somebody sits there")
            return
        if table.makers.get(link) != holder:
            raise NotAllowed("this seat can be taken when the board is over")
        if table.sights.hands(person) - {Seat.parse(seat)}:
            raise NotAllowed("you have seen another hand of this board; come when it is over")

    def _keep(self, live: Live) -> None:
        self._live[live.name] = self._held[live.name] = live
        self._live.move_to_end(live.name)
        if len(self._live) > self._most:
            for name in [n for n, t in self._live.items() if not t.guests and idle(t)]:
                del self._live[name]
                if len(self._live) <= self._most:
                    return

    # ------------------------------------------------------------ guests

    def enter(self, live: Live, guest: Guest) -> None:
        live.guests.add(guest)
        for speaker, word in live.said:
            if not self.company.apart(speaker, self._who(live, guest)):
                guest.send(word)
        letter: Any = live.table.tokens.get(guest.key)
        if letter in live.table.away:
            with contextlib.suppress(LogError):  # the table says so itself
                self.add(live, Left(letter, back=True))
        guest.send(self.shown(live, guest))
        self._tell_presence(live, guest)

    def leave(self, live: Live, guest: Guest) -> None:
        live.guests.discard(guest)
        letter = live.table.tokens.get(guest.key)
        if letter is not None and letter not in live.connected:
            live.gone[letter] = monotonic()
        self._tell_presence(live)

    def _tell_presence(self, live: Live, newest: Guest | None = None) -> None:
        """Who is there, when that has changed: the whole table is for who has just come."""
        watchers = sum(g.watching for g in live.guests)
        told = Presence(connected=letters(live.connected), watchers=watchers)
        if told != live.told:
            live.told = told
            for guest in live.guests - {newest}:
                guest.send(told)

    def show(self, live: Live) -> None:
        """Send everybody what his own seat sees, made once for all windows of a seat; a key that
        opens none any more shows nothing."""
        frames: dict[tuple[Seat, bool], State] = {}
        for guest in list(live.guests):
            try:
                place = (self.seat(live, guest), guest.watching)
                if place not in frames:
                    frames[place] = self.shown(live, guest)
                guest.send(frames[place])
            except NotAllowed as error:
                live.guests.discard(guest)
                guest.send(Trouble(error=str(error)))

    def seat(self, live: Live, guest: Guest) -> Seat:
        """Where the key of a guest leads."""
        keys = live.table.watchers if guest.watching else live.table.tokens
        letter = keys.get(guest.key)
        if letter is None:
            raise NotAllowed("your link opens no seat any more; somebody else has taken it")
        return Seat.parse(letter)

    def shown(self, live: Live, guest: Guest) -> State:
        """The table as a guest sees it, with its match; who looks on can do nothing."""
        table, asked, seat = live.table, live.asked, self.seat(live, guest)
        match = None
        if table.contest:
            contest = self.club.find(table.contest)
            ordered = self.club.standings(table.contest)
            rows = sheet(contest, live.name, seat & 1, table.side)
            over = table.state.phase == "over"
            match = match_of(contest, ordered, live.name, table.index, rows, over)
            if table.event:
                done = table.last is not None and table.index >= table.last
                match = msgspec.structs.replace(match, event=table.event, round_over=done)
        wish = None
        if asked is not None and asked.version == table.version:
            wish = asked.shown
        watchers = sum(g.watching for g in live.guests)
        around = Around(live.connected, match, wish, self.log.trouble, guest.watching, watchers)
        return shown(table, seat, around)

    async def watch(self) -> None:
        """Tell every table when nothing can be kept any more, and when that is over."""
        told = self.log.turns
        while True:
            await asyncio.sleep(self.patience.trouble)
            self.log.try_again()
            if self.log.turns != told:
                told = self.log.turns
                for live in [t for t in self._live.values() if t.guests]:
                    self.show(live)

    def _other_room_came(self, contest: str) -> None:
        for live in list(self._live.values()):
            if live.table.contest == contest and live.guests:
                self.show(live)

    def add(self, live: Live, event: TableEvent) -> None:
        """Log first, then believe, then show."""
        after = replayed(live.table, event)
        self._record(live.name, after)
        self.log.add(live.name, after.version, event)
        live.table = after
        self.show(live)

    def _record(self, name: str, table: Table) -> None:
        """Let the match know who may look at this board: they have seen it wherever else they play.
        It is shown to nobody before that is kept."""
        if table.contest:
            self.club.saw(table.contest, name, table.index, table.present)

    # ------------------------------------------------------------ what people do

    async def act(self, live: Live, guest: Guest, action: messages.Action) -> Done:
        """Do what a guest asks; the answer is for him alone."""
        seat = self.seat(live, guest)
        if isinstance(action, messages.Chat):
            self._chat(live, seat, action.text, guest)
            return self.shown(live, guest)
        if isinstance(action, Complaint):
            self._complain(live, guest, action)
            return self.shown(live, guest)
        if guest.watching:
            raise NotAllowed("you are looking on")
        if live.table.event and isinstance(action, DIRECTORS):
            raise NotAllowed("this is a table of an event; call the director")
        if isinstance(action, messages.Hint | messages.Explain):
            asking = self._hint if isinstance(action, messages.Hint) else self._explain
            answer = await asking(live, seat)
            self.seat(live, guest)
            return answer
        finishing = messages.MakeCall | messages.PlayCard | messages.Claim
        if live.table.version > _MOST_EVENTS and not isinstance(action, finishing):
            raise NotAllowed("this table has seen a great deal; please open a new one")
        async with live.lock:
            seat = self.seat(live, guest)  # it may have changed while somebody else acted
            if live.table.contest and live.table.state.phase == "over":
                self.runner.score(live)  # what is over counts, whatever becomes of it
            if isinstance(action, messages.MakeCall):
                await self._call(live, seat, action)
            elif isinstance(action, messages.PlayCard):
                self._card(live, seat, action)
            elif isinstance(action, messages.Undo):
                self._undo(live, seat, action.to)
            elif isinstance(action, messages.Agree):
                self._agree(live, seat, action.yes)
            elif isinstance(action, messages.Claim):
                await self._claim(live, seat, action.tricks)
            elif isinstance(action, messages.Substitute):
                self._substitute(live, seat, action.seat)
            elif isinstance(action, messages.Move):
                self._change_seats(live, seat, action.to)
            elif isinstance(action, messages.Invite):
                if (link := self._invite(live, seat, action)) is not None:
                    return link
            else:
                await self.dealing.deal(live, again=isinstance(action, messages.Again))
        self.runner.move(live)
        return self.shown(live, guest)

    def _on_turn(self, live: Live, seat: Seat, at: int) -> None:
        if at != len(live.table.state.log):
            raise NotAllowed("the table has moved on; look again")
        if pilot(live.table) != seat:
            raise NotAllowed("it is not your turn")

    async def _call(self, live: Live, seat: Seat, action: messages.MakeCall) -> None:
        self._on_turn(live, seat, action.at)
        state, call = live.table.state, Call.parse(action.call)
        why = state.why_illegal(Decision(call, Meaning(""))) if state.play is None else "no auction"
        if why:
            raise NotAllowed(f"{call.ascii}: {why}")
        spec = live.table.settings.engines(seat).bidder
        version = live.table.version
        try:
            decision = await self.talk.ask(
                thinking.own_call, spec, state.view(seat), int(call),
                seconds=self.patience.meaning, priority=URGENT,
            )  # fmt: skip
        except (TimeoutError, WorkerError) as error:
            LOGGER.warning("no meaning for %s: %s", call.ascii, error)
            decision = Decision(call, Meaning("not explained"), engine="human")
        if live.table.version != version:
            raise NotAllowed("the table has moved on; look again")
        self.add(live, entry_out(Entry(seat, decision), seat.letter))

    def _card(self, live: Live, seat: Seat, action: messages.PlayCard) -> None:
        self._on_turn(live, seat, action.at)
        if live.table.state.play is None:
            raise NotAllowed("the auction is not over")
        decision = Decision(Card.parse(action.card), Meaning("a card"), engine="human")
        # A card that somebody else holds gets the same answer as one that has been played:
        # the reason would tell where it is not.
        if live.table.state.why_illegal(decision):
            raise NotAllowed(f"{decision.card.ascii} cannot be played now")
        self.add(live, entry_out(Entry(seat, decision), seat.letter))

    def _undo(self, live: Live, seat: Seat, to: int | None = None) -> None:
        """Alone with robots at once, as far back as somebody likes, since they could go on taking
        back; with other people once they agree."""
        table, keep = live.table, may_undo(live.table, seat)
        if keep is None or (table.event and alone(table, seat)):
            raise NotAllowed("there is nothing of yours to take back")
        if to is not None:
            if not alone(table, seat) or to > keep or table.by[to] != seat.letter:
                raise NotAllowed("that was no call or card of yours")
            keep = to
        if alone(table, seat) or self._ask(live, Asked(seat, Undone(keep), table.version)):
            self.add(live, Undone(keep))

    def _asked_of(self, live: Live, asked: Asked) -> frozenset[str]:
        """Who has to agree: everybody who is there, and whose cards or actions it is about."""
        table = live.table
        there: frozenset[str] = frozenset(people(table)) & set(table.tokens.values())
        if isinstance(asked.wish, Undone):
            return (there | {table.tokens[k] for k in table.actors}) - {asked.seat.letter}
        if isinstance(asked.wish, Left):
            there &= live.connected  # several may have gone
        return there - {asked.seat.letter, str(asked.wish.seat)}

    def _agree(self, live: Live, seat: Seat, yes: bool) -> None:
        asked = live.asked
        if asked is None or asked.version != live.table.version or seat == asked.seat:
            raise NotAllowed("nobody asks for anything")
        if not yes:
            live.asked = None
            self.show(live)
            return
        live.asked = asked = replace(asked, agreed=asked.agreed | {seat.letter})
        if not self._asked_of(live, asked) <= asked.agreed:
            self.show(live)
            return
        live.asked = None
        if not isinstance(asked.wish, messages.Invite):
            self.add(live, asked.wish)
            return
        link = self.link(live, asked.wish, "")
        for guest in [g for g in live.guests if live.table.tokens.get(g.key) == asked.seat.letter]:
            guest.send(link)

    def _ask(self, live: Live, asked: Asked) -> bool:
        """Ask the others; true when there are none."""
        if not self._asked_of(live, asked):
            return True
        live.asked = asked
        self.show(live)
        return False

    # ------------------------------------------------------------ people come, go and talk

    def _who(self, live: Live, guest: Guest) -> str:
        """The person at a window."""
        return guest.person if guest.watching else live.table.person(guest.key)

    def _chat(self, live: Live, seat: Seat, text: str, guest: Guest) -> None:
        """Words go to everybody but those who have blocked the speaker; who looks on speaks only
        when no card can be betrayed."""
        if guest.watching and live.table.state.phase != "over":
            raise NotAllowed("who looks on may speak when the board is over")
        speaker = self._who(live, guest)
        if self.company.silent(speaker):
            raise NotAllowed("several people have reported what you said; you may listen")
        clean = "".join(c if c.isprintable() else " " for c in text).strip()
        if not clean:
            raise NotAllowed("say something")
        name = live.table.names.get(seat.letter, "")
        word = ChatWord(seat=seat.letter, name=name, text=clean, watching=guest.watching)
        live.said.append((speaker, word))
        for other in list(live.guests):
            if not self.company.apart(speaker, self._who(live, other)):
                other.send(word)

    def _complain(
        self, live: Live, guest: Guest, action: messages.BlockSeat | messages.ReportSeat
    ) -> None:
        """Somebody at the table is blocked, or reported with what he said last."""
        holder = live.table.holder(action.seat)
        if not holder or guest.watching:
            raise NotAllowed("nobody sits there")
        by, person = self._who(live, guest), live.table.person(holder)
        event: BlockedPerson | ReportedPerson = BlockedPerson(by, person)
        if isinstance(action, messages.ReportSeat):
            said = tuple(word.text for who, word in live.said if who == person)[-5:]
            event = ReportedPerson(by, person, live.name, action.why, said, time())
            LOGGER.warning("table %s: somebody was reported: %s", live.name, printable(action.why))
        self.company.check(event)
        self.log.add(STREAM, self.company.count + 1, event)
        self.company.believe(event)

    def _substitute(self, live: Live, seat: Seat, letter: SeatLetter) -> None:
        """A robot for somebody who is not there, if everybody who is agrees."""
        if letter not in live.table.settings.humans or letter in live.table.away:
            raise NotAllowed("a robot sits there already")
        self._absent(live, seat, letter)
        if self._ask(live, Asked(seat, Left(letter), live.table.version)):
            self.add(live, Left(letter))

    def _absent(self, live: Live, seat: Seat, letter: SeatLetter) -> None:
        """A line that breaks for a moment takes nobody's seat away."""
        if letter in live.connected or letter == seat.letter:
            raise NotAllowed("somebody sits there")
        if monotonic() - live.gone.get(letter, -inf) < self.blip:
            raise NotAllowed("their line broke a moment ago; wait a little")

    def _change_seats(self, live: Live, seat: Seat, to: SeatLetter) -> None:
        """A dealt board is seen, so seats are changed when one is over and none is dealt."""
        if live.table.state.phase != "over":
            raise NotAllowed("seats are changed between two boards")
        if to in live.table.settings.humans:
            raise NotAllowed("that seat is taken")
        letter: Any = seat.letter
        self.add(live, Moved(letter, to))

    def _invite(self, live: Live, seat: Seat, wish: messages.Invite) -> Invited | None:
        """A new link: to look on with me, for my own seat, for one that nobody has taken if I
        opened the table, or for an absent person's if the others agree."""
        table, mine = live.table, live.table.holder(seat.letter)
        wanted: Any = seat.letter if wish.watch else wish.seat
        wish = messages.Invite(wanted, wish.watch)
        if wanted not in table.settings.humans:
            raise NotAllowed("nobody can be invited to that seat")
        if len(table.watchers) + len(table.invitations) >= _MOST_LINKS:
            raise NotAllowed("this table has made enough links")
        if wanted == seat.letter:
            return self.link(live, wish, mine)
        self._absent(live, seat, wanted)
        if not table.holder(wanted):
            if mine != table.opener:
                raise NotAllowed("whoever opened the table invites to that seat")
            return self.link(live, wish, mine)
        if self._ask(live, Asked(seat, wish, table.version)):
            return self.link(live, wish, "")
        return None

    def link(self, live: Live, wish: messages.Invite, maker: str) -> Invited:
        invitation, wanted = secrets.token_urlsafe(24), wish.seat
        assert wanted is not None
        self.add(live, Opens(wanted, hashed(invitation), wish.watch, maker))
        return Invited(seat=wanted, watch=wish.watch, invitation=invitation)

    async def _claim(self, live: Live, seat: Seat, tricks: int) -> None:
        who, version = claimant(live.table, seat), live.table.version
        if who is None:
            raise NotAllowed("claims are made during the play, by declarer or a defender")
        view = live.table.state.view(who)
        try:
            total, words = await self.think.ask(
                thinking.check_claim, view, tricks, seconds=self.patience.claim
            )
        except TimeoutError:
            total, words = None, "that could not be proved in time; please play on"
        if total is None:
            raise NotAllowed(words)
        if live.table.version != version:
            raise NotAllowed("the table has moved on; look again")
        self.add(live, Claimed(total, words))

    async def _hint(self, live: Live, seat: Seat) -> HintAnswer:
        table = live.table
        if pilot(table) != seat:
            raise NotAllowed("a hint is for the one whose turn it is")
        if seat in live.hinting:
            raise NotAllowed("the coach is still thinking about your last question")
        view = table.state.view(_acting_eye(table, seat))
        spec = spec_for(table, view)
        if not live.table.helped:  # before it is thought about: when it ends tells nobody anything
            self.add(live, Helped())
        live.hinting.add(seat)
        try:
            found = await self.recall.opinion(live.name, spec, view, self.patience.hint)
        except TimeoutError:
            raise NotAllowed("the coach is still thinking; no hint this time") from None
        finally:
            live.hinting.discard(seat)
        if live.table.boards != table.boards:
            raise NotAllowed("the table has moved on; look again")
        if not live.table.helped:
            self.add(live, Helped())
        return hint_of(len(table.state.log), found)

    async def thoughts(
        self, live: Live, guest: Guest, board: int, at: int | None
    ) -> list[ThoughtShown]:
        """What was thought on a board of this table once it is over, for who was there then; with a
        place, what the robot thinks of the person's decision there."""
        found = await self.recall.board(live.name, board)
        self.seat(live, guest)
        if found is None:
            raise NoTable("this table has not played that board")
        table, acted = found
        # Others may still have these cards before them: only who has seen them all is told.
        if guest.key not in (table.watchers if guest.watching else table.tokens):
            raise NotAllowed("you were not there on that board")
        if table.state.phase != "over":
            raise NotAllowed("what was thought is told when the board is over")
        if at is None:
            return self.recall.thoughts(live.name, table, acted)
        if guest.watching or at >= len(table.state.log) or not acted[at].by:
            raise NotAllowed("nobody of yours decided there")
        return [await self.recall.thought(live.name, table, at, self.patience.hint)]

    async def _explain(self, live: Live, seat: Seat) -> MeaningsAnswer:
        state = live.table.state
        at = len(state.log)
        if state.phase != "auction" or state.auction.turn != seat:
            return MeaningsAnswer(at=at, calls=[])
        spec = live.table.settings.engines(seat).bidder
        try:
            calls: list[CallToMake] = await self.talk.ask(
                thinking.meanings, spec, state.view(seat), seconds=self.patience.meaning
            )
        except TimeoutError:
            calls = []
        return MeaningsAnswer(at=at, calls=calls)


def _acting_eye(table: Table, seat: Seat) -> Seat:
    """The seat a human acts for: his own, or the declarer's he plays for."""
    return table.eyes(seat)[-1]
