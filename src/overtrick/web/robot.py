"""The robot for programs over HTTP: `/bid`, `/lead`, `/play`, … in BEN's fields, and `/api/think`,
`/api/board` in JSON, line by line where a stream is asked for. Without tables and memory; from the
same machine at once, from others with a key, for pages of chosen origins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overtrick.game import BridgeError
from overtrick.game.errors import printable
from overtrick.service import boards
from overtrick.service.queries import ignored
from overtrick.service.replies import (
    ActionLine,
    BoardIn,
    BoardReply,
    EndLine,
    FailedLine,
    FinishedBoard,
    StreamLine,
    ThinkAllIn,
    ThinkIn,
    ThoughtLine,
    Thoughts,
)
from overtrick.service.robot import QUESTIONS, answer
from overtrick.service.thoughts import thought
from overtrick.table import TableState
from overtrick.web import api
from overtrick.web.limits import Clients
from overtrick.web.workers import WorkerError, Workers

KEYS_VARIABLE: Final = "OVERTRICK_API_KEYS"
_SHORTEST: Final = 16
_SECONDS: Final = 60.0
# What a question costs of a client's allowance, where a page view costs 1.
_COSTS: Final = {"autoplay": 30.0, "contract": 10.0, "play": 4.0, "lead": 4.0, "claim": 2.0}
_REFILL: Final = 0.25
MOST_QUESTIONS: Final = 500
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


class Keys:
    """The keys of programs on other machines, kept as digests.

    >>> keys = Keys(["correct horse battery"])
    >>> keys.has("correct horse battery"), keys.has("correct horse"), bool(Keys([]))
    (True, False, False)
    """

    def __init__(self, keys: Iterable[str]) -> None:
        found = [k.strip() for k in keys]
        short = [k for k in found if k and len(k) < _SHORTEST]
        if short:
            raise BridgeError(f"a key has {_SHORTEST} characters or more")
        self._digests = [sha256(k.encode()).digest() for k in found if k]

    @classmethod
    def read(cls, path: Path) -> Keys:
        """One key a line; what begins with # is a remark."""
        lines = path.read_text(encoding="utf-8").splitlines()
        return cls(line for line in lines if not line.lstrip().startswith("#"))

    def __bool__(self) -> bool:
        return bool(self._digests)

    def has(self, key: str) -> bool:
        """Is this one of them? Takes as long for a wrong key as for a right one."""
        given = sha256(key.encode()).digest()
        same = [compare_digest(given, d) for d in self._digests]
        return True in same


def routes() -> list[Any]:
    """One route for each question."""

    def post(path: str, handler: api.Handler) -> Route:
        return Route(path, api.guarded(handler, foreign=True), methods=["POST"])

    return [
        *(
            Route(f"/{question}", api.guarded(_handler(question), foreign=True), methods=["GET"])
            for question in QUESTIONS
        ),
        post("/api/think", _think),
        post("/api/think/all", _think_all),
        post("/api/board", _board),
    ]


def _handler(question: str) -> api.Handler:
    async def handle(request: Request) -> Response:
        _check_sender(request)
        _pay(request, _COSTS.get(question, 1.0))
        query = {k: v for k, v in request.query_params.items() if k != "key"}
        if question == "autoplay":
            return api.reply(await api.while_here(request, _autoplay(request, query)))
        work = _study(request).ask(answer, question, query, seconds=_SECONDS)
        return api.reply(await api.while_here(request, work))

    return handle


async def _think(request: Request) -> Response:
    """One question, one answer."""
    _check_sender(request)
    asked = await api.body(request, ThinkIn)
    _pay(request, _COSTS["play"])
    work = _study(request).ask(thought, asked, seconds=_SECONDS)
    return api.reply(await api.while_here(request, work))


async def _think_all(request: Request) -> Response:
    """Several questions; a mistake in one of them leaves the others alone."""
    _check_sender(request)
    asked = await api.body(request, ThinkAllIn)
    if not 1 <= len(asked.questions) <= MOST_QUESTIONS:
        raise api.Refused(422, f"ask from 1 to {MOST_QUESTIONS} questions at once")
    lines = _thoughts(request, asked.questions)
    if asked.stream:
        return _streamed(lines)

    async def every() -> Thoughts:
        return Thoughts(answers=[line async for line in lines])

    return api.reply(await api.while_here(request, every()))


async def _thoughts(
    request: Request, questions: list[ThinkIn]
) -> AsyncIterator[ThoughtLine | FailedLine]:
    for index, asked in enumerate(questions):
        await _afford(request, _COSTS["play"])
        try:
            found = await _study(request).ask(thought, asked, seconds=_SECONDS)
        except (BridgeError, TimeoutError, WorkerError) as error:
            yield FailedLine(index=index, error=str(error) or "the engines did not answer in time")
        else:
            yield ThoughtLine(index=index, thought=found)


async def _board(request: Request) -> Response:
    """A whole board, action by action."""
    _check_sender(request)
    wish = await api.body(request, BoardIn)
    _pay(request, _COSTS["autoplay"])
    if wish.stream:
        return _streamed(_actions(request, wish))
    return api.reply(await api.while_here(request, _whole(request, wish)))


async def _autoplay(request: Request, query: Mapping[str, str]) -> BoardReply:
    beside = ignored("autoplay", query)
    found = await _whole(request, boards.wish_of(query))
    return msgspec.structs.replace(found, ignored=beside) if beside else found


async def _whole(request: Request, wish: BoardIn) -> BoardReply:
    found = [line async for line in _actions(request, wish)][-1]
    assert isinstance(found, FinishedBoard)
    return found.board


async def _actions(request: Request, wish: BoardIn) -> AsyncIterator[ActionLine | FinishedBoard]:
    """Each action in a process that thinks, so that others get their turn in between."""
    study, began = _study(request), perf_counter()
    specs, state = await study.ask(boards.begun, wish, seconds=_SECONDS)
    state = _state(state)
    given = len(state.log)
    for index in range(given):
        yield boards.told(state, index)
    while state.phase != "over":
        done = await study.ask(boards.act, specs, state.view(), seconds=_SECONDS)
        state = state.after(*done)
        yield boards.told(state, len(state.log) - 1)
    yield FinishedBoard(board=boards.finished(wish, state, perf_counter() - began))


def _state(found: Any) -> TableState:
    state: TableState = found
    return state


def _streamed(lines: AsyncIterator[StreamLine]) -> Response:
    """A line of JSON for each answer, sent when it is there; the last one says that it is."""

    async def sent() -> AsyncIterator[bytes]:
        count, trouble = 0, ""
        try:
            async for line in lines:
                count += 1
                yield msgspec.json.encode(line) + b"\n"
        except (BridgeError, TimeoutError, WorkerError) as error:
            trouble = str(error) or "the engines did not answer in time"
        except api.Refused as error:
            trouble = error.text
        yield msgspec.json.encode(EndLine(answered=count, error=trouble)) + b"\n"

    # Compressing would hold lines back.
    headers = {"content-encoding": "identity", "cache-control": "no-store"}
    return StreamingResponse(sent(), media_type="application/x-ndjson", headers=headers)


def _study(request: Request) -> Workers:
    study: Workers = request.app.state.study
    return study


def _pay(request: Request, cost: float) -> None:
    clients: Clients = request.app.state.clients
    if not clients.may_ask(api.client_of(request), cost):
        raise api.Refused(429, "too many requests; slow down")


async def _afford(request: Request, cost: float) -> None:
    """Wait until the client's allowance has refilled so far: who asks a lot at once is served at
    the pace of one who asks one by one."""
    clients: Clients = request.app.state.clients
    for _ in range(int(_SECONDS / _REFILL)):
        if clients.may_ask(api.client_of(request), cost):
            return
        await asyncio.sleep(_REFILL)
    raise api.Refused(429, "too many requests; slow down")


def _check_sender(request: Request) -> None:
    """A program on this machine, or one with a key."""
    if request.method == "POST":  # a form of another site's page cannot send this
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise api.Refused(415, "send JSON, with Content-Type: application/json")
    keys: Keys = request.app.state.keys
    given = _key_of(request)
    if given and keys.has(given):
        return
    if given:
        raise api.Refused(401, "this key is not known here")
    origins: frozenset[str] = request.app.state.origins
    chosen = request.headers.get("origin") in origins
    if not chosen and not api.same_origin(request.headers):
        raise api.Refused(403, "pages of other sites need a key")
    if _is_near(request):
        return
    if not keys:
        said = "programs on other machines need a key, and this server has none"
        raise api.Refused(403, f"{said}: overtrick serve --api-keys FILE")
    raise api.Refused(401, "send a key: Authorization: Bearer … or X-API-Key")


def _key_of(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token:
        return token.strip()
    return request.headers.get("x-api-key", "") or request.query_params.get("key", "")


def _is_near(request: Request) -> bool:
    """From this machine itself, and not passed on by a proxy that happens to run here."""
    if any(name in request.headers for name in _FORWARDED) or request.client is None:
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:  # a name, as test clients have
        return request.client.host in ("localhost", "testclient")


class Origins:
    """Lets pages of chosen origins ask the robot from a browser (CORS), and nothing else here."""

    def __init__(self, inner: ASGIApp, origins: frozenset[str]) -> None:
        self._inner, self._origins = inner, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in _ASKED_AT:
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin", "")
        if origin not in self._origins:
            await self._inner(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await Response(status_code=204, headers={
                **_allowed(origin),
                "access-control-allow-methods": "GET, POST",
                "access-control-allow-headers": "authorization, content-type, x-api-key",
                "access-control-max-age": "3600",
            })(scope, receive, send)  # fmt: skip
            return

        async def with_origin(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_allowed(origin))
            await send(message)

        await self._inner(scope, receive, with_origin)


_ASKED_AT: Final = frozenset(
    {*(f"/{q}" for q in QUESTIONS), "/api/think", "/api/think/all", "/api/board"}
    | {"/api/openapi.json"}
)


def _allowed(origin: str) -> dict[str, str]:
    return {"access-control-allow-origin": origin, "vary": "Origin"}


def origin_of(text: str) -> str:
    """An origin as browsers spell it.

    >>> origin_of("https://Club.example/"), origin_of("http://localhost:5173")
    ('https://club.example', 'http://localhost:5173')
    """
    found = text.strip().rstrip("/").lower()
    scheme, mark, host = found.partition("://")
    if scheme not in ("http", "https") or not mark or not host or set(host) & set("/?#@* "):
        raise BridgeError(f"an origin reads like https://club.example, not {printable(text[:60])}")
    return found
