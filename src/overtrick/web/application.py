"""The web application: routes, pages, headers, start and end.
`app(Config(...))` is all there is to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

import msgspec

try:
    from starlette.applications import Starlette
    from starlette.datastructures import Headers, MutableHeaders
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.requests import Request
    from starlette.responses import RedirectResponse, Response
    from starlette.routing import Route, WebSocketRoute
except ImportError as error:
    raise ImportError(f"the web table needs `pip install overtrick[web]` ({error})") from None

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overtrick.web import api, apidocs, lessons, pairs_api, robot, thinking
from overtrick.web.answers import Reach, Refusal
from overtrick.web.budgets import Budgets
from overtrick.web.desk import Desk
from overtrick.web.evenings import Evenings, beside
from overtrick.web.limits import Clients, Rates, client_name
from overtrick.web.live import Room
from overtrick.web.lobby import Lobby
from overtrick.web.openapi import description
from overtrick.web.pages import Files
from overtrick.web.rated import Ratings
from overtrick.web.robots import Patience
from overtrick.web.sockets import table_socket
from overtrick.web.store import Log
from overtrick.web.workers import Shares, Workers

STATIC: Final = Path(__file__).parent / "static"
_FILES: Final = Files(STATIC)
_ANY_REQUEST: Final = 0.25  # of a client's allowance; what is asked of the API costs more
_TALKING: Final = 2  # processes for calls and what they mean
_STUDYING: Final = 3  # processes for reviews and tools
_JUDGING: Final = 2  # processes for evenings, which nobody waits for
_TALK: Final = Shares(waiting_each=60, idle=600.0)
_THINK: Final = Shares(waiting_each=20, running_each=1, spare=1, nice=5)
_STUDY: Final = Shares(
    waiting=120,
    waiting_each=8,
    running_each=1,
    slice=10.0,
    abandoned=0.5,
    idle=120.0,
    nice=10,
)
_JUDGE: Final = Shares(running_each=_JUDGING, idle=120.0, nice=10)
_OTHER: Final = Shares(waiting_each=60, nice=10)  # whole boards: too long to begin again
_KEPT: Final = 180 * 24 * 3600.0  # seconds a table that nobody visits is kept
_PAGES: Final = (
    "/", "/table/{table}", "/review", "/practice", "/decode", "/suit", "/deal", "/book", "/match",
    "/club", "/club/{contest}", "/me", "/evening/{evening}",
    "/lesson/{lesson}", "/card", "/event", "/event/{event}", "/lobby",
)  # fmt: skip
_HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


def default_log() -> Path:
    """Where tables are kept: OVERTRICK_TABLES, else the user's data folder."""
    named = os.environ.get("OVERTRICK_TABLES")
    if named:
        return Path(named)
    base = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_DATA_HOME")
    folder = Path(base) if base else Path.home() / ".local" / "share"
    return folder / "overtrick" / "web.sqlite"


@dataclass(frozen=True, slots=True)
class Config:
    """How a server runs: its log, the processes that think, its limits."""

    log: Path | str = field(default_factory=default_log)
    processes: int = 2
    rates: Rates = field(default_factory=Rates)
    matches: str = ""  # a folder of match files to show
    host: str = "127.0.0.1"  # what the server listens to, for the links it shows
    names: tuple[str, ...] = ()  # under which browsers may call it, besides addresses
    keys: robot.Keys = field(default_factory=lambda: robot.Keys(()))  # of programs elsewhere
    origins: frozenset[str] = frozenset()  # whose pages may ask the robot
    patience: Patience = field(default_factory=Patience)  # how long robots are waited for
    warm: bool = True  # load the usual engines before the first person waits for them


def app(config: Config | None = None) -> Starlette:
    """The application; engines are asked for when it starts."""
    config = config or Config()
    clients, budgets = Clients(config.rates), Budgets()
    made = Starlette(
        routes=_routes(),
        lifespan=_lifespan(config),
        exception_handlers={404: _no_page},
        middleware=[
            Middleware(_Timed, budgets=budgets),
            Middleware(_Headers),
            Middleware(_Sparing, clients=clients),
            Middleware(_Names, names=own_names(config)),
            Middleware(robot.Origins, origins=config.origins),
            Middleware(GZipMiddleware, minimum_size=600, compresslevel=5),
        ],
    )
    made.state.clients, made.state.budgets = clients, budgets
    made.state.matches = config.matches
    made.state.reach = lambda port, scheme: reach(config.host, port, scheme)
    made.state.keys, made.state.origins = config.keys, config.origins
    made.state.carded = {}
    return made


def reach(host: str, port: int, scheme: str = "http") -> Reach:
    """The addresses under which other machines find a server that listens to `host`."""
    local = host in ("127.0.0.1", "localhost", "::1")
    if local:
        return Reach(open=False, addresses=[])
    names = [host] if host not in ("0.0.0.0", "::") else sorted(_own_addresses())
    found = [f"[{n}]" if ":" in n else n for n in names]
    return Reach(open=True, addresses=[f"{scheme}://{n}:{port}" for n in found])


def _own_addresses() -> set[str]:
    """This machine's address in the network it would send through; nothing is sent."""
    found: set[str] = set()
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.add(probe.getsockname()[0])
    return {a for a in found if not a.startswith(("127.", "0."))}


def _lifespan(config: Config) -> Any:
    @asynccontextmanager
    async def lifespan(made: Starlette) -> AsyncIterator[None]:
        log = Log(config.log)
        log.forget(_KEPT)
        # Whoever sits at a table waits for nobody who studies, and for no other room: those have
        # processes of their own. No client alone can keep any of them busy.
        talk = Workers(_TALKING, _TALK, first=thinking.loaded)
        think = Workers(config.processes, _THINK, first=thinking.loaded)
        study = Workers(_STUDYING, _STUDY, first=thinking.loaded)
        other = Workers(1, _OTHER, first=thinking.loaded)
        judges = Workers(_JUDGING, _JUDGE, first=thinking.loaded)
        pools = (talk, think, study, other, judges)
        for workers in pools:
            workers.start()
        evenings = Evenings(beside(config.log), judges)
        try:
            made.state.evenings = evenings
            evenings.resume()
            made.state.study = study
            most = config.rates.tables_in_memory
            made.state.room = Room(log, talk, think, most, study, other)
            made.state.desk = Desk(made.state.room)
            made.state.lobby = Lobby(made.state.room)
            made.state.ratings = Ratings(log, study)
            made.state.room.patience = config.patience
            # The page is served at once; who needs the list of engines waits for it, while the
            # processes that talk and think load the usual engines and are ready for a table.
            made.state.offers = api.ask_offers(study)
            if config.warm:
                lessons.listed()  # read once, before anybody would have to wait for it
            usual = _warm(talk, think, config.processes) if config.warm else asyncio.sleep(0)
            warming = asyncio.create_task(usual)
            watching = asyncio.create_task(made.state.room.watch())
            looking = asyncio.create_task(made.state.budgets.watch())
            yield
            warming.cancel()
            watching.cancel()
            looking.cancel()
            made.state.offers.cancel()
        finally:
            await evenings.stop()
            for workers in pools:
                await workers.stop()
            log.close()

    return lifespan


async def _warm(talk: Workers, think: Workers, processes: int) -> None:
    """Let every process load the usual engines now, not when the first call or card is due."""
    bidders, players = (thinking.USUAL_BIDDER,), (thinking.USUAL_PLAYER,)
    jobs = [talk.ask(thinking.warm, bidders, (), seconds=60.0) for _ in range(_TALKING)]
    # A bidder that searches thinks with the card players.
    jobs += [think.ask(thinking.warm, bidders, players, seconds=60.0) for _ in range(processes)]
    await asyncio.gather(*jobs, return_exceptions=True)


def _routes() -> list[Any]:
    def post(path: str, handler: api.Handler) -> Route:
        return Route(path, api.guarded(handler), methods=["POST"])

    def get(path: str, handler: api.Handler) -> Route:
        return Route(path, api.guarded(handler), methods=["GET"])

    return [
        get("/api/health", api.health),
        get("/api/openapi.json", _openapi),
        get("/docs", _docs),
        get("/docs.css", _docs_style),
        get("/api/engines", api.engines),
        post("/api/tables", api.open_table),
        get("/api/tables/{table}", api.see_table),
        get("/api/tables/{table}/thoughts", api.see_thoughts),
        post("/api/tables/{table}/join", api.join_table),
        post("/api/tables/{table}/act", api.act_at_table),
        get("/api/here", api.here),
        get("/api/ratings", pairs_api.see_ratings),
        get("/api/lobby", api.see_lobby),
        post("/api/lobby", api.seek_company),
        post("/api/contests", api.found_contest),
        get("/api/contests/{contest}", api.see_contest),
        post("/api/contests/{contest}/enter", api.enter_contest),
        get("/api/contests/{contest}/entries", api.see_entries),
        post("/api/contests/{contest}/remove", api.remove_entry),
        post("/api/events", pairs_api.arrange_event),
        get("/api/events/{event}", pairs_api.see_event),
        post("/api/events/{event}/enter", pairs_api.enter_event),
        post("/api/events/{event}/join", pairs_api.join_event),
        post("/api/events/{event}/call", pairs_api.call_director),
        get("/api/events/{event}/desk", pairs_api.see_desk),
        post("/api/events/{event}/direct", pairs_api.direct_event),
        get("/api/events/{event}/results", pairs_api.event_file),
        post("/api/review/read", api.read_boards),
        post("/api/review/solve", api.solve_board),
        post("/api/evenings", api.upload_evening),
        get("/api/evenings/{evening}", api.see_evening),
        post("/api/review/calls", api.look_at_calls),
        post("/api/review/cards", api.look_at_cards),
        post("/api/review/table", api.other_table),
        post("/api/review/worlds", api.look_at_worlds),
        post("/api/review/judge", api.judge_decision),
        post("/api/review/play-on", api.play_on),
        post("/api/decode", api.decode_auction),
        post("/api/suit", api.play_suit),
        post("/api/deal", api.deal_to_order),
        get("/api/systems", api.systems),
        post("/api/book", api.system_book),
        post("/api/card", api.see_card),
        post("/api/card/read", api.read_card),
        post("/api/card/cost", api.cost_of_card),
        get("/api/card/print", api.print_card),
        get("/api/problems", api.problem_sets),
        get("/api/lessons", api.lesson_list),
        get("/api/lessons/{lesson}", api.see_lesson),
        get("/api/matches", api.match_list),
        get("/api/matches/{name:path}", api.match_report),
        get("/api/tournaments", api.tournament_list),
        get("/api/tournaments/{name}", api.tournament_report),
        post("/api/match", api.match_piece),
        *robot.routes(),
        WebSocketRoute("/api/tables/{table}/socket", table_socket),
        *(Route(path, _page) for path in _PAGES),
        Route("/favicon.ico", _favicon),
        Route("/worker.js", _worker),
        Route("/static/{name}", _file),
    ]


@lru_cache(maxsize=1)
def _description() -> bytes:
    return msgspec.json.encode(description())


async def _openapi(request: Request) -> Response:
    return Response(_description(), media_type="application/json")


@lru_cache(maxsize=1)
def _docs_page() -> str:
    return apidocs.page(description())


async def _docs(request: Request) -> Response:
    return Response(_docs_page(), media_type="text/html")


async def _docs_style(request: Request) -> Response:
    return Response(apidocs.STYLE, media_type="text/css")


async def _page(request: Request) -> Response:
    return _FILES.answer(request, "index.html")


async def _no_page(request: Request, error: Exception) -> Response:
    """For programs an error to read, for people the start page, which says so."""
    reads = request.headers.get("accept", "")
    if request.url.path.startswith(("/api", "/static")) or "text/html" not in reads:
        return api.reply(Refusal(error="there is nothing here; see /docs"), 404)
    return _FILES.answer(request, "index.html", 404)


async def _file(request: Request) -> Response:
    return _FILES.answer(request, request.path_params["name"])


async def _worker(request: Request) -> Response:
    """The page's service worker; from the root, so that it may keep every page."""
    return _FILES.answer(request, "worker.js")


async def _favicon(request: Request) -> Response:
    return RedirectResponse("/static/icon.svg")


def own_names(config: Config) -> frozenset[str]:
    """The names of this server. Addresses need none: a page of another site that lets its own name
    point to this machine is known by that name."""
    names = {"localhost", config.host, *config.names}
    if config.host not in ("127.0.0.1", "localhost", "::1"):
        names |= {socket.gethostname(), f"{socket.gethostname()}.local", socket.getfqdn()}
    return frozenset(n.lower() for n in names)


def is_own_name(host: str, names: frozenset[str]) -> bool:
    """May a browser have called this server by this `Host`?

    >>> is_own_name("127.0.0.1:8000", frozenset()), is_own_name("[::1]", frozenset())
    (True, True)
    >>> is_own_name("evil.example:8000", frozenset({"club.example"}))
    False
    """
    name = host.lower()
    name = name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]
    if name in names:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class _Timed:
    """Every step of an answer is time that its client uses of the loop."""

    def __init__(self, inner: ASGIApp, budgets: Budgets) -> None:
        self._inner, self._budgets = inner, budgets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        work: Any = self._inner(scope, receive, send)
        if scope["type"] in ("http", "websocket"):
            client = client_name(scope["client"][0] if scope.get("client") else "")
            work = self._budgets.timed(client, work)
        await work


class _Sparing:
    """Counts every request; a client that asks for far too much is answered in a word, and has to
    connect again."""

    def __init__(self, inner: ASGIApp, clients: Clients) -> None:
        self._inner, self._clients = inner, clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        client = client_name(scope["client"][0] if scope.get("client") else "")
        if self._clients.may_ask(client, _ANY_REQUEST):
            await self._inner(scope, receive, send)
            return
        self._clients.note(client, "429 too many requests")
        refusal = api.reply(Refusal(error="too many requests; slow down"), 429)
        refusal.headers["connection"] = "close"
        await refusal(scope, receive, send)


class _Names:
    """Refuses whoever calls this server by a name that is not its own."""

    def __init__(self, inner: ASGIApp, names: frozenset[str]) -> None:
        self._inner, self._names = inner, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._inner(scope, receive, send)
            return
        if is_own_name(Headers(scope=scope).get("host", ""), self._names):
            await self._inner(scope, receive, send)
        elif scope["type"] == "http":
            words = "this server has another name; its host can add yours with --name"
            await api.reply({"error": words}, 421)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})


class _Headers:
    """Adds the headers that keep pages from being framed, sniffed or scripted by others."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._inner(scope, receive, with_headers)
