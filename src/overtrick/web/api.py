"""The REST handlers: engines, tables, review. Every refusal is one line of JSON.
Bodies are read with a limit and checked by msgspec."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from overtrick import __version__
from overtrick.game import BridgeError
from overtrick.web import matches, messages, possible, problems, review, thinking, tools
from overtrick.web.events import Engines, Settings
from overtrick.web.limits import Clients
from overtrick.web.live import NoTable, NotAllowed, Room
from overtrick.web.showing import shown
from overtrick.web.sources import board_of
from overtrick.web.workers import WorkerError, Workers

T = TypeVar("T")
Handler = Callable[[Request], Awaitable[Response]]
_REVIEW_SECONDS = 40.0
_OFFERS_SECONDS = 60.0


class Refused(Exception):
    """A request that is answered with a status and one line."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status, self.text = status, text


def reply(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def client_of(request: Any) -> str:
    return request.client.host if request.client is not None else "somewhere"


def guarded(handler: Handler) -> Handler:
    """Rates first, then the handler; whatever is wrong with the request becomes one line."""

    async def answer(request: Request) -> Response:
        clients: Clients = request.app.state.clients
        client = client_of(request)
        if not clients.may_ask(client):
            clients.note(client, "429 too many requests")
            return reply(messages.Problem("too many requests; slow down"), 429)
        try:
            return await handler(request)
        except (Refused, BridgeError, TimeoutError, WorkerError) as error:
            status, text = _refusal(error)
        clients.note(client, f"{request.method} {request.url.path[:60]}: {status} {text}")
        return reply(messages.Problem(text), status)

    return answer


def _refusal(error: Exception) -> tuple[int, str]:
    if isinstance(error, Refused):
        return error.status, error.text
    if isinstance(error, TimeoutError | WorkerError):
        return 503, str(error) or "the engines did not answer in time"
    status = 403 if isinstance(error, NotAllowed) else 404 if isinstance(error, NoTable) else 422
    return status, str(error)


async def body(request: Request, kind: type[T]) -> T:
    """The checked body; too long, no JSON or a wrong field are refused."""
    limit = request.app.state.clients.rates.body_bytes
    declared = request.headers.get("content-length", "0")
    if not declared.isdecimal() or int(declared) > limit:
        raise Refused(413, f"a request has at most {limit} bytes")
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > limit:
            raise Refused(413, f"a request has at most {limit} bytes")
    try:
        return msgspec.json.decode(bytes(data), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refused(400, f"not understood: {error}") from None


def bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not 16 <= len(token) <= 64:
        raise Refused(401, "send your seat's token as Authorization: Bearer …")
    return token


def room_of(request: Request) -> Room:
    room: Room = request.app.state.room
    return room


# ---------------------------------------------------------------- engines


async def engines(request: Request) -> Response:
    """What this server offers; the first of each list is the default."""
    found = await offers_of(request)
    return reply({"version": __version__, **msgspec.to_builtins(found)})


async def offers_of(request: Request) -> thinking.Offers:
    """What this server offers, as soon as it is known; asked again if that failed."""
    state = request.app.state
    task: asyncio.Task[thinking.Offers] = state.offers
    if task.done() and (task.cancelled() or task.exception() is not None):
        task = state.offers = ask_offers(state.study)
    return await asyncio.shield(task)


def ask_offers(study: Workers) -> asyncio.Task[thinking.Offers]:
    """The list of engines, on its way from the process that makes each of them once."""
    return asyncio.create_task(study.ask(thinking.offers, seconds=_OFFERS_SECONDS))


def chosen(found: thinking.Offers, wanted: Engines | None) -> Engines:
    """Engines somebody asked for; only offered ones are ever made."""
    if wanted is None:
        return Engines(found.bidders[0].spec, found.players[0].spec)
    _offered(wanted.bidder, found.bidders)
    _offered(wanted.player, found.players)
    return wanted


def _offered(spec: str, offers: tuple[thinking.Offer, ...]) -> thinking.Offer:
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
    offers = await offers_of(request)
    ns, ew = chosen(offers, wanted.ns), chosen(offers, wanted.ew)
    declared = [_offered(side.bidder, offers.bidders).system for side in (ns, ew)]
    systems = (declared[0], declared[1])
    humans: Any = tuple(s for s in "NESW" if s == wanted.seat or s in wanted.humans)
    settings = Settings(
        humans, ns, ew, systems, wanted.scoring, wanted.take_over, wanted.auto,
        wanted.auction_only, wanted.silent,
    )  # fmt: skip
    room = room_of(request)
    drawn = await board_of(wanted.source, room.talk, room.patience.script)
    return reply(room.open(settings, wanted.seat, drawn), 201)


async def join_table(request: Request) -> Response:
    wanted = await body(request, messages.Accept)
    return reply(room_of(request).join(request.path_params["table"], wanted.invitation), 201)


async def see_table(request: Request) -> Response:
    token, room = bearer(request), room_of(request)
    live = room.find(request.path_params["table"])
    return reply(shown(live.table, room.seat_of(live, token), live.connected))


async def act_at_table(request: Request) -> Response:
    token, room = bearer(request), room_of(request)
    live = room.find(request.path_params["table"])
    seat = room.seat_of(live, token)
    action: messages.Action = await body(request, messages.Action)  # type: ignore[arg-type]
    return reply(await room.act(live, seat, action))


# ---------------------------------------------------------------- review


async def read_boards(request: Request) -> Response:
    wanted = await body(request, messages.Read)
    return reply(await _studied(request, review.boards, wanted.text))


async def solve_board(request: Request) -> Response:
    wanted = await body(request, messages.Look)
    return reply(await _studied(request, review.solved, wanted.text))


async def look_at_calls(request: Request) -> Response:
    wanted = await body(request, messages.LookAtCalls)
    bidders = (await offers_of(request)).bidders
    ns, ew = _offered(wanted.ns, bidders).spec, _offered(wanted.ew, bidders).spec
    return reply(await _studied(request, review.called, wanted.text, ns, ew))


async def look_at_cards(request: Request) -> Response:
    wanted = await body(request, messages.LookAtCards)
    offers = await offers_of(request)
    spec = _offered(wanted.player, offers.players).spec
    job = (wanted.text, spec, wanted.start, wanted.count, _bidders(offers, wanted.ns, wanted.ew))
    return reply(await _studied(request, review.carded, *job))


async def look_at_worlds(request: Request) -> Response:
    wanted = await body(request, messages.LookAtWorlds)
    ns, ew = _bidders(await offers_of(request), wanted.ns, wanted.ew)
    job = (wanted.text, wanted.kind, wanted.index, ns, ew)
    return reply(await _studied(request, possible.possible, *job))


async def weigh_call(request: Request) -> Response:
    wanted = await body(request, messages.WeighCall)
    ns, ew = _bidders(await offers_of(request), wanted.ns, wanted.ew)
    job = (wanted.text, wanted.index, ns, ew, wanted.worlds)
    return reply(await _studied(request, possible.weighed, *job))


def _bidders(offers: thinking.Offers, ns: str, ew: str) -> tuple[str, str]:
    """Offered bidders by name; the default one where none was named."""
    usual = offers.bidders[0].spec
    return _offered(ns or usual, offers.bidders).spec, _offered(ew or usual, offers.bidders).spec


async def other_table(request: Request) -> Response:
    wanted = await body(request, messages.OtherTable)
    offers = await offers_of(request)
    bidders = tuple(_offered(b, offers.bidders).spec for b in (wanted.ns, wanted.ew))
    player = _offered(wanted.player, offers.players).spec
    return reply(await _studied(request, review.other_table, wanted.text, bidders, player))


# ---------------------------------------------------------------- tools


async def decode_auction(request: Request) -> Response:
    wanted = await body(request, messages.Decode)
    spec = _offered(wanted.bidder, (await offers_of(request)).bidders).spec
    return reply(await _studied(request, tools.decoded, wanted, spec))


async def play_suit(request: Request) -> Response:
    wanted = await body(request, messages.SuitWish)
    return reply(await _studied(request, tools.suit, wanted))


async def deal_to_order(request: Request) -> Response:
    wanted = await body(request, messages.DealWish)
    return reply(await _studied(request, tools.deals, wanted))


async def systems(request: Request) -> Response:
    return reply(await room_of(request).talk.ask(tools.systems, seconds=10.0))


async def system_book(request: Request) -> Response:
    wanted = await body(request, messages.BookWish)
    return reply(await room_of(request).talk.ask(tools.book, wanted, seconds=10.0))


async def problem_sets(request: Request) -> Response:
    """The sets this server has, without their cards."""
    found = [
        {"name": s.name, "title": s.title, "words": s.words, "problems": len(s.problems)}
        for s in problems.shipped()
    ]
    return reply(found)


async def match_list(request: Request) -> Response:
    folder = request.app.state.matches
    return reply(await _studied(request, matches.listed, folder))


async def match_report(request: Request) -> Response:
    folder, name = request.app.state.matches, request.path_params["name"]
    try:
        return reply(await _studied(request, matches.report, folder, name))
    except BridgeError as error:
        raise Refused(404, str(error)) from None


async def tournament_list(request: Request) -> Response:
    folder = request.app.state.matches
    return reply(await _studied(request, matches.tournaments, folder))


async def tournament_report(request: Request) -> Response:
    folder, name = request.app.state.matches, request.path_params["name"]
    try:
        return reply(await _studied(request, matches.tournament, folder, name))
    except BridgeError as error:
        raise Refused(404, str(error)) from None


async def match_piece(request: Request) -> Response:
    wanted = await body(request, messages.MatchPiece)
    bidders = (await offers_of(request)).bidders
    _offered(wanted.a, bidders), _offered(wanted.b, bidders)
    return reply(await _studied(request, matches.piece, wanted))


async def _studied(request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
    study: Workers = request.app.state.study
    return await study.ask(function, *arguments, seconds=_REVIEW_SECONDS)


async def health(request: Request) -> Response:
    room = room_of(request)
    return reply({"ok": True, "version": __version__, "waiting": room.think.waiting})
