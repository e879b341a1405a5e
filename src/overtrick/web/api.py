"""The REST handlers: engines, tables, review. Every refusal is one line of JSON.
Bodies are read with a limit and checked by msgspec."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from overtrick import __version__
from overtrick.game import BridgeError
from overtrick.web import (
    cards,
    evening,
    lessons,
    matches,
    messages,
    possible,
    problems,
    review,
    thinking,
    tools,
)
from overtrick.web.answers import (
    EngineOffer,
    Health,
    LobbyPage,
    LobbyRow,
    NewContest,
    Offered,
    Refusal,
)
from overtrick.web.club import NoContest, NotDirector, digest
from overtrick.web.contests import Contest, entries, told
from overtrick.web.evenings import Evenings, NoEvening
from overtrick.web.events import Engines, Founded, Settings
from overtrick.web.lessons import NoLesson
from overtrick.web.limits import Clients, Rates, TooMuch, client_name
from overtrick.web.live import Room
from overtrick.web.lobby import Lobby
from overtrick.web.reviewed import NewEvening
from overtrick.web.seated import NoTable, NotAllowed
from overtrick.web.sources import Drawn, board_of
from overtrick.web.store import LogError
from overtrick.web.workers import CLIENT, Busy, WorkerError, Workers

LOGGER = logging.getLogger(__name__)
T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]
_MISSING = (NoTable, NoContest, NoEvening, NoLesson)
_FORBIDDEN = (NotAllowed, NotDirector)
_REVIEW_SECONDS = 40.0
KEPT_ACTION = 300.0  # bytes in the log for what somebody does, about …
KEPT_OPINION = 5000.0  # … and for what an engine thinks of it
# What part of the longest body a question may have: only files of boards are long, and whatever
# is read is read at once, on the loop.
_PARTS: dict[Any, float] = {messages.Read: 1.0, messages.Upload: 1.0, messages.Open: 0.5}
_PART = 0.125
_KEPT_TABLE = 4.0  # times its request: a table is in memory, too
KEPT_WORDS = "you have filled your share of this server's disk; try again tomorrow"
_OFFERS_SECONDS = 60.0
_MOST_SPEC = 2000  # characters
_BOUND = re.compile(r"Expected `\w+` ([<>]=) (-?[\d.]+) - at `\$(?:\.\w+)*\.(\w+)`")
_BOUNDS = {"<=": "most", ">=": "least"}
_MOST_CARDS = 500  # of which the server remembers that they can be played


class Refused(Exception):
    """A request that is answered with a status and one line."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


def reply(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def client_of(request: Any) -> str:
    return client_name(request.client.host if request.client is not None else "")


def guarded(handler: Handler, foreign: bool = False) -> Handler:
    """Rates first, then the handler; whatever is wrong with the request becomes one line.
    Pages of other sites are refused, unless the handler itself looks who is `foreign`."""

    async def answer(request: Request) -> Response:
        clients: Clients = request.app.state.clients
        client = client_of(request)
        if not clients.may_ask(client):
            clients.note(client, "429 too many requests")
            return reply(Refusal(error="too many requests; slow down"), 429)
        CLIENT.set(client)
        try:
            with clients.holding(client) as request.state.held:
                if not foreign:
                    _check_sender(request)
                return await handler(request)
        except Exception as error:  # nothing a client sends may end in a page of our own code
            status, text = _refusal(error)
            if status == 500:
                LOGGER.exception("%s failed", request.scope.get("route", handler))
        clients.note(client, f"{request.method} {request.url.path[:60]}: {status} {text}")
        return reply(Refusal(error=text), status)

    return answer


def _refusal(error: Exception) -> tuple[int, str]:
    """The status and the line for whatever a handler raised."""
    if isinstance(error, Refused):
        return error.status, error.text
    if isinstance(error, Busy | TooMuch):
        return 429, str(error)
    if isinstance(error, TimeoutError | WorkerError | LogError):
        return 503, str(error) or "the engines did not answer in time"
    if isinstance(error, BridgeError):
        forbidden, missing = isinstance(error, _FORBIDDEN), isinstance(error, _MISSING)
        return 403 if forbidden else 404 if missing else 422, str(error)
    return 500, "that failed, through no fault of yours; the host can read why in the log"


def _check_sender(request: Request) -> None:
    """Pages of other sites may not act, or ask, for somebody who looks at them."""
    if not same_origin(request.headers):
        raise Refused(403, "this request comes from a page of another site")
    if request.method != "POST":
        return
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "send JSON, with Content-Type: application/json")


def same_origin(headers: Mapping[str, str]) -> bool:
    """Does this come from our own page, or was it typed? Programs name no origin at all; browsers
    leave it out of a GET, and say in another header where that comes from."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # no address at all
        return False


async def body(request: Request, kind: type[T]) -> T:
    """The checked body; too long, too slow, no JSON or a wrong field are refused."""
    rates: Rates = request.app.state.clients.rates
    limit = int(rates.body_bytes * _PARTS.get(kind, _PART))
    declared = request.headers.get("content-length", "0")
    if not (declared.isascii() and declared.isdecimal()) or int(declared) > limit:
        raise Refused(413, f"a request has at most {limit} bytes")
    data = bytearray()
    try:
        async with asyncio.timeout(rates.body_seconds):
            async for chunk in request.stream():
                request.state.held.more(len(chunk))
                data += chunk
                if len(data) > limit:
                    raise Refused(413, f"a request has at most {limit} bytes")
    except TimeoutError:
        raise Refused(408, "the request came too slowly") from None
    except ClientDisconnect:
        raise Refused(400, "the request broke off") from None
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused(400, f"not understood: {_plainly(str(error))}") from None


def _plainly(error: str) -> str:
    """What a number must be, for who typed it; other errors as they are.

    >>> _plainly("Expected `int` <= 9999 - at `$.source.number`")
    'number must be at most 9999'
    """
    found = _BOUND.fullmatch(error)
    return f"{found[3]} must be at {_BOUNDS[found[1]]} {found[2]}" if found else error


def _keep(request: Request, size: float) -> None:
    """So many bytes stay on the disk for this client, unless it has filled its share."""
    clients: Clients = request.app.state.clients
    if not clients.may_keep(client_of(request), size):
        raise Refused(429, KEPT_WORDS)


def bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not 16 <= len(token) <= 64:
        raise Refused(401, "send your seat's token as Authorization: Bearer …")
    return token


def browser_of(request: Request) -> str:
    """The key by which a browser names itself, the same at all tables; programs need none."""
    return request.headers.get("overtrick-browser", "")[:64]


def room_of(request: Request) -> Room:
    room: Room = request.app.state.room
    return room


# ---------------------------------------------------------------- engines


async def engines(request: Request) -> Response:
    """What this server offers; the first of each list is the default."""
    return reply(await offers_of(request))


async def offers_of(request: Request, *wanted: str) -> Offered:
    """What this server offers, as soon as it is known, and of `wanted` those that are an offered
    engine with somebody's own card; asked again if that failed."""
    state = request.app.state
    task: asyncio.Task[Offered] = state.offers
    if task.done() and (task.cancelled() or task.exception() is not None):
        task = state.offers = ask_offers(state.study)
    found = await asyncio.shield(task)
    plain = tuple(o.spec for o in found.bidders)
    own = [await _carded(request, spec, plain) for spec in wanted if spec and spec not in plain]
    more = tuple(o for o in own if o is not None)
    return msgspec.structs.replace(found, bidders=(*found.bidders, *more)) if more else found


async def _carded(request: Request, spec: str, plain: tuple[str, ...]) -> EngineOffer | None:
    """An offered engine with another card; what was worked out is remembered."""
    known: dict[str, EngineOffer | None] = request.app.state.carded
    if len(spec) > _MOST_SPEC or "system=" not in spec:
        return None
    if spec not in known:
        study: Workers = request.app.state.study
        asked = study.ask(cards.card_offer, spec, plain, seconds=_OFFERS_SECONDS)
        found: EngineOffer | None = await while_here(request, asked)
        while len(known) >= _MOST_CARDS:
            del known[next(iter(known))]
        known[spec] = found
    return known[spec]


def ask_offers(study: Workers) -> asyncio.Task[Offered]:
    """The list of engines, on its way from the process that makes each of them once."""
    return asyncio.create_task(study.ask(thinking.offers, seconds=_OFFERS_SECONDS))


def chosen(found: Offered, wanted: Engines | None) -> Engines:
    """Engines somebody asked for; only offered ones are ever made."""
    if wanted is None:
        return Engines(found.bidders[0].spec, found.players[0].spec)
    _offered(wanted.bidder, found.bidders)
    _offered(wanted.player, found.players)
    return wanted


def _named(*wanted: Engines | None) -> list[str]:
    return [engines.bidder for engines in wanted if engines is not None]


def _offered(spec: str, offers: tuple[EngineOffer, ...]) -> EngineOffer:
    for offer in offers:
        if offer.spec == spec:
            return offer
    raise Refused(422, f"this server offers no engine {spec[:60]!r}; see /api/engines")


# ---------------------------------------------------------------- tables


async def open_table(request: Request) -> Response:
    wanted = await body(request, messages.Open)
    clients: Clients = request.app.state.clients
    if not clients.may_open(client_of(request)):
        raise Refused(429, "you opened many tables lately; play one of them")
    _keep(request, _KEPT_TABLE * request.state.held.size)
    offers = await offers_of(request, *_named(wanted.ns, wanted.ew))
    ns, ew = chosen(offers, wanted.ns), chosen(offers, wanted.ew)
    declared = [_offered(side.bidder, offers.bidders).system for side in (ns, ew)]
    systems = (declared[0], declared[1])
    humans: Any = tuple(s for s in "NESW" if s == wanted.seat or s in wanted.humans)
    settings = Settings(
        humans, ns, ew, systems, wanted.scoring, wanted.take_over, wanted.auto,
        wanted.auction_only, wanted.silent,
    )  # fmt: skip
    room = room_of(request)
    drawn = await while_here(
        request, board_of(wanted.source, request.app.state.study, room.patience.script)
    )
    name, boards = person(wanted.name), wanted.boards
    ticket = room.open(
        settings, wanted.seat, drawn, name, boards=boards, browser=browser_of(request)
    )
    return reply(ticket, 201)


def person(name: str) -> str:
    """A name as it is shown to others: one line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


async def join_table(request: Request) -> Response:
    wanted = await body(request, messages.Accept)
    table, name = request.path_params["table"], person(wanted.name)
    browser = browser_of(request)
    return reply(await room_of(request).join(table, wanted.invitation, name, browser), 201)


async def see_lobby(request: Request) -> Response:
    """Who waits for company."""
    lobby: Lobby = request.app.state.lobby
    return reply(LobbyPage(wait="", waiting=_waiting(lobby), ticket=None))


async def seek_company(request: Request) -> Response:
    wanted = await body(request, messages.Seek)
    clients: Clients = request.app.state.clients
    lobby: Lobby = request.app.state.lobby
    if wanted.leave:
        lobby.leave(wanted.wait)
        return reply(LobbyPage(wait="", waiting=_waiting(lobby), ticket=None))
    if not wanted.wait and not clients.may_open(client_of(request)):
        raise Refused(429, "you opened many tables lately; play one of them")
    offers = await offers_of(request)
    usual = chosen(offers, None), offers.bidders[0].system
    name, browser = person(wanted.name), browser_of(request)
    key, mine = await lobby.seek(wanted.wait, name, browser, wanted.boards, usual, wanted.begin)
    return reply(LobbyPage(wait=key, waiting=_waiting(lobby), ticket=mine.ticket))


def _waiting(lobby: Lobby) -> list[LobbyRow]:
    now = monotonic()
    return [
        LobbyRow(name=w.name, boards=w.boards, seconds=int(now - w.since)) for w in lobby.waiting()
    ]


# ---------------------------------------------------------------- matches of several people


async def found_contest(request: Request) -> Response:
    wanted = await body(request, messages.Found)
    clients: Clients = request.app.state.clients
    if not clients.may_open(client_of(request)):
        raise Refused(429, "you opened many tables lately; play one of them")
    offers = await offers_of(request, *_named(wanted.ns, wanted.ew))
    ns, ew = chosen(offers, wanted.ns), chosen(offers, wanted.ew)
    declared = [_offered(side.bidder, offers.bidders).system for side in (ns, ew)]
    token = secrets.token_urlsafe(24)
    founded = Founded(
        person(wanted.title), secrets.randbits(62), wanted.boards, wanted.scoring, ns, ew,
        (declared[0], declared[1]), director=digest(token),
    )  # fmt: skip
    page = told(room_of(request).club.found(founded), [])
    return reply(NewContest(**msgspec.structs.asdict(page), director=token), 201)


async def see_entries(request: Request) -> Response:
    """All entries of a match, for its director."""
    found = room_of(request).club.direct(request.path_params["contest"], bearer(request))
    return reply(entries(found))


async def remove_entry(request: Request) -> Response:
    token, wanted = bearer(request), await body(request, messages.Remove)
    club, name = room_of(request).club, request.path_params["contest"]
    return reply(entries(club.remove(name, token, wanted.entry)))


async def _contest(request: Request) -> Contest:
    """The contest of an address; `daily` is today's."""
    club, name = room_of(request).club, request.path_params["contest"]
    if name != "daily":
        return club.find(name)
    offers = await offers_of(request)
    return club.today(chosen(offers, None), offers.bidders[0].system)


async def see_contest(request: Request) -> Response:
    """Who plays and how well; nothing about any board. A table sees which row is its own."""
    contest, mine = await _contest(request), request.query_params.get("table", "")[:32]
    club = room_of(request).club
    ordered, promises = club.standings(contest.name), club.promises(contest.name)
    return reply(told(contest, ordered, mine, promises))


async def enter_contest(request: Request) -> Response:
    wanted = await body(request, messages.Enter)
    clients: Clients = request.app.state.clients
    if not clients.may_open(client_of(request)):
        raise Refused(429, "you opened many tables lately; play one of them")
    room, contest = room_of(request), await _contest(request)
    humans: Any = tuple(s for s in "NESW" if s == wanted.seat or s in wanted.humans)
    founded = contest.founded
    settings = Settings(humans, founded.ns, founded.ew, founded.systems, founded.scoring)
    board = await room.club.board(contest.name, 0, room.patience.script)
    drawn = Drawn(board, contest.player_seed(0))
    name, browser = person(wanted.name), browser_of(request)
    ticket = room.open(settings, wanted.seat, drawn, name, contest.name, browser=browser)
    return reply(ticket, 201)


async def here(request: Request) -> Response:
    """At which addresses other machines reach this server, if it listens to them at all."""
    return reply(request.app.state.reach(request.url.port or 80, request.url.scheme))


async def see_table(request: Request) -> Response:
    token, room = bearer(request), room_of(request)
    live = await room.find(request.path_params["table"])
    guest = room.guest(live, token, _ignored, browser_of(request))
    return reply(room.shown(live, guest))


def _ignored(message: Any) -> None:
    """Requests are answered once; nothing is sent later."""


async def act_at_table(request: Request) -> Response:
    token, room = bearer(request), room_of(request)
    live = await room.find(request.path_params["table"])
    guest = room.guest(live, token, _ignored, browser_of(request))
    action: messages.Action = await body(request, messages.Action)  # type: ignore[arg-type]
    _keep(request, kept_of(action))
    return reply(await room.act(live, guest, action))


def kept_of(action: messages.Action) -> float:
    """How much is kept of what somebody does, in bytes."""
    return KEPT_OPINION if isinstance(action, messages.Hint) else KEPT_ACTION


async def see_thoughts(request: Request) -> Response:
    """What was thought on a board that is over: ?board=, of this table, and perhaps ?at=."""
    token, room = bearer(request), room_of(request)
    live = await room.find(request.path_params["table"])
    guest = room.guest(live, token, _ignored, browser_of(request))
    board, at = _number(request, "board"), _number(request, "at")
    if at is not None:
        _keep(request, KEPT_OPINION)
    wanted = live.table.boards if board is None else board
    return reply(await while_here(request, room.thoughts(live, guest, wanted, at)))


def _number(request: Request, name: str) -> int | None:
    """A small number of the query, if it is there."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Refused(422, f"{name} is a number")
    return int(text)


# ---------------------------------------------------------------- review


async def read_boards(request: Request) -> Response:
    wanted = await body(request, messages.Read)
    return await _studied(request, review.boards, wanted.text)


async def upload_evening(request: Request) -> Response:
    wanted = await body(request, messages.Upload)
    clients: Clients = request.app.state.clients
    if not clients.may_upload(client_of(request)):
        raise Refused(429, "you sent many evenings lately; look at one of them")
    _keep(request, request.state.held.size)
    study: Workers = request.app.state.study
    reading = study.ask(evening.read, wanted.text, person(wanted.title), seconds=_REVIEW_SECONDS)
    found = await while_here(request, reading)
    return reply(NewEvening(evening=_evenings(request).add(found, client_of(request))), 201)


async def see_evening(request: Request) -> Response:
    """The ranking, everybody's decisions, all tables; with `?brief` how far the work has come."""
    name = request.path_params["evening"]
    kept = _evenings(request)
    if "brief" in request.query_params:
        return reply(await kept.progress(name))
    small = "gzip" in request.headers.get("accept-encoding", "")
    return _packed(*await kept.report(name, small))


def _evenings(request: Request) -> Evenings:
    found: Evenings = request.app.state.evenings
    return found


async def solve_board(request: Request) -> Response:
    wanted = await body(request, messages.Look)
    return await _studied(request, review.solved, wanted.text)


async def look_at_calls(request: Request) -> Response:
    wanted = await body(request, messages.LookAtCalls)
    bidders = (await offers_of(request, wanted.ns, wanted.ew)).bidders
    ns, ew = _offered(wanted.ns, bidders).spec, _offered(wanted.ew, bidders).spec
    return await _studied(request, review.called, wanted.text, ns, ew)


async def look_at_cards(request: Request) -> Response:
    wanted = await body(request, messages.LookAtCards)
    offers = await offers_of(request, wanted.ns, wanted.ew)
    spec = _offered(wanted.player, offers.players).spec
    job = (wanted.text, spec, wanted.start, wanted.count, _bidders(offers, wanted.ns, wanted.ew))
    return await _studied(request, review.carded, *job)


async def look_at_worlds(request: Request) -> Response:
    wanted = await body(request, messages.LookAtWorlds)
    ns, ew = _bidders(await offers_of(request, wanted.ns, wanted.ew), wanted.ns, wanted.ew)
    job = (wanted.text, wanted.kind, wanted.index, ns, ew)
    return await _studied(request, possible.possible, *job)


async def judge_decision(request: Request) -> Response:
    wanted = await body(request, messages.JudgeDecision)
    ns, ew = _bidders(await offers_of(request, wanted.ns, wanted.ew), wanted.ns, wanted.ew)
    if wanted.kind == "card":
        return await _studied(request, possible.judged_card, wanted.text, wanted.index, ns, ew)
    job = (wanted.text, wanted.index, ns, ew, None, wanted.also)
    return await _studied(request, possible.judged_call, *job)


async def play_on(request: Request) -> Response:
    wanted = await body(request, messages.PlayOn)
    offers = await offers_of(request, wanted.ns, wanted.ew)
    bidders = _bidders(offers, wanted.ns, wanted.ew)
    player = _offered(wanted.player or offers.players[0].spec, offers.players).spec
    change = review.Change(wanted.kind, wanted.index, wanted.action, bidders, player)
    return await _studied(request, review.played_on, wanted.text, change)


def _bidders(offers: Offered, ns: str, ew: str) -> tuple[str, str]:
    """Offered bidders by name; the default one where none was named."""
    usual = offers.bidders[0].spec
    return _offered(ns or usual, offers.bidders).spec, _offered(ew or usual, offers.bidders).spec


async def other_table(request: Request) -> Response:
    wanted = await body(request, messages.OtherTable)
    offers = await offers_of(request, wanted.ns, wanted.ew)
    bidders = tuple(_offered(b, offers.bidders).spec for b in (wanted.ns, wanted.ew))
    player = _offered(wanted.player, offers.players).spec
    return await _studied(request, review.other_table, wanted.text, bidders, player)


# ---------------------------------------------------------------- tools


async def decode_auction(request: Request) -> Response:
    wanted = await body(request, messages.Decode)
    spec = _offered(wanted.bidder, (await offers_of(request, wanted.bidder)).bidders).spec
    return await _studied(request, tools.decoded, wanted, spec)


async def play_suit(request: Request) -> Response:
    wanted = await body(request, messages.SuitWish)
    return await _studied(request, tools.suit, wanted)


async def deal_to_order(request: Request) -> Response:
    wanted = await body(request, messages.DealWish)
    return await _studied(request, tools.deals, wanted)


async def systems(request: Request) -> Response:
    return await _studied(request, tools.systems)


async def system_book(request: Request) -> Response:
    wanted = await body(request, messages.BookWish)
    return await _studied(request, tools.book, wanted)


async def see_card(request: Request) -> Response:
    """A card with every switch, once the line's are set."""
    return await _studied(request, cards.shown, await body(request, messages.CardWish))


async def read_card(request: Request) -> Response:
    return await _studied(request, cards.imported, await body(request, messages.CardFile))


async def cost_of_card(request: Request) -> Response:
    """One piece of a comparison; whoever wants to know more asks again, and waits in turn."""
    return await _studied(request, cards.cost, await body(request, messages.CardCost))


async def print_card(request: Request) -> Response:
    """The card as a page to print, which brings its own style and nothing else."""
    asked = request.query_params
    line, name, form = (asked.get(key, "")[:1800] for key in ("card", "name", "form"))
    study: Workers = request.app.state.study
    text: str = await while_here(
        request, study.ask(cards.printed, line, person(name)[:60], form, seconds=_REVIEW_SECONDS)
    )
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return Response(text, media_type="text/html", headers={"content-security-policy": policy})


async def problem_sets(request: Request) -> Response:
    return reply(problems.sets())


async def lesson_list(request: Request) -> Response:
    """The lessons this server has, without their positions."""
    return reply(lessons.listed())


async def see_lesson(request: Request) -> Response:
    return reply(lessons.lesson(request.path_params["lesson"]))


async def match_list(request: Request) -> Response:
    folder = request.app.state.matches
    return await _studied(request, matches.listed, folder)


async def match_report(request: Request) -> Response:
    folder, name = request.app.state.matches, request.path_params["name"]
    try:
        return await _studied(request, matches.report, folder, name)
    except BridgeError as error:
        raise Refused(404, str(error)) from None


async def tournament_list(request: Request) -> Response:
    folder = request.app.state.matches
    return await _studied(request, matches.tournaments, folder)


async def tournament_report(request: Request) -> Response:
    folder, name = request.app.state.matches, request.path_params["name"]
    try:
        return await _studied(request, matches.tournament, folder, name)
    except BridgeError as error:
        raise Refused(404, str(error)) from None


async def match_piece(request: Request) -> Response:
    wanted = await body(request, messages.MatchPiece)
    bidders = (await offers_of(request, wanted.a, wanted.b)).bidders
    _offered(wanted.a, bidders), _offered(wanted.b, bidders)
    return await _studied(request, matches.piece, wanted)


async def _studied(request: Request, function: Callable[..., Any], *arguments: Any) -> Response:
    """What a studying process works out, as its answer; only as long as somebody waits for it."""
    study: Workers = request.app.state.study
    small = "gzip" in request.headers.get("accept-encoding", "")
    packed, data = await while_here(
        request,
        study.ask(thinking.packed, function, arguments, small, seconds=_REVIEW_SECONDS),
    )
    return _packed(packed, data)


def _packed(packed: bool, data: bytes) -> Response:
    headers = {"content-encoding": "gzip", "vary": "Accept-Encoding"} if packed else None
    return Response(data, media_type="application/json", headers=headers)


async def while_here(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is given up when the client has gone."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refused(499, "the client has gone")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def health(request: Request) -> Response:
    """Is everything as it should be? With 503 when tables cannot be kept."""
    room = room_of(request)
    trouble = room.log.trouble
    found = Health(
        ok=not trouble, version=__version__, waiting=room.think.waiting, trouble=trouble or UNSET
    )
    return reply(found, 503 if trouble else 200)
