"""The robot for programs over HTTP: `/bid`, `/lead`, `/play`, … without tables and memory.
Used by the application; from the same machine at once, from others with a key."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from overtrick.game import BridgeError
from overtrick.service.robot import QUESTIONS, answer
from overtrick.web import api
from overtrick.web.limits import Clients
from overtrick.web.workers import Workers

KEYS_VARIABLE: Final = "OVERTRICK_API_KEYS"
_SHORTEST: Final = 16
_SECONDS: Final = 60.0
# What a question costs of a client's allowance, where a page view costs 1.
_COSTS: Final = {"autoplay": 30.0, "contract": 10.0, "play": 4.0, "lead": 4.0, "claim": 2.0}
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
    return [
        Route(f"/{question}", api.guarded(_handler(question), foreign=True), methods=["GET"])
        for question in QUESTIONS
    ]


def _handler(question: str) -> api.Handler:
    async def handle(request: Request) -> Response:
        _check_sender(request)
        clients: Clients = request.app.state.clients
        if not clients.may_ask(api.client_of(request), _COSTS.get(question, 1.0)):
            raise api.Refused(429, "too many requests; slow down")
        study: Workers = request.app.state.study
        query = {k: v for k, v in request.query_params.items() if k != "key"}
        work = study.ask(answer, question, query, seconds=_SECONDS)
        return api.reply(await api.while_here(request, work))

    return handle


def _check_sender(request: Request) -> None:
    """A program on this machine, or one with a key."""
    keys: Keys = request.app.state.keys
    given = _key_of(request)
    if given and keys.has(given):
        return
    if given:
        raise api.Refused(401, "this key is not known here")
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
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
