"""The description of the REST API (OpenAPI 3.1), made from the types that check the requests.
Served at /api/openapi.json."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from overtrick import __version__
from overtrick.service.robot import FIELD_WORDS, FIELDS, QUESTIONS
from overtrick.web import messages, thinking

_BODIES: Final[dict[tuple[str, str], tuple[Any, str, str]]] = {
    ("post", "/api/tables"): (messages.Open, "Open a table", "201"),
    ("post", "/api/tables/{table}/join"): (messages.Accept, "Use an invitation", "201"),
    ("post", "/api/tables/{table}/act"): (
        messages.Action, "Call, play, undo, claim, ask; answers with the state or what was asked",
        "200",
    ),
    ("post", "/api/contests"): (messages.Found, "A match for several people", "201"),
    ("post", "/api/contests/{contest}/enter"): (messages.Enter, "Play in a match", "201"),
    ("post", "/api/contests/{contest}/remove"): (
        messages.Remove, "The director takes an entry out; all that are left", "200"
    ),
    ("post", "/api/review/read"): (messages.Read, "Read and list boards of any notation", "200"),
    ("post", "/api/review/solve"): (messages.Look, "Double dummy, par, cost of each card", "200"),
    ("post", "/api/review/calls"): (messages.LookAtCalls, "What engines would have called", "200"),
    ("post", "/api/review/cards"): (messages.LookAtCards, "What an engine would play", "200"),
    ("post", "/api/review/table"): (messages.OtherTable, "Four robots play the board", "200"),
    ("post", "/api/review/worlds"): (messages.LookAtWorlds, "What a seat thought possible", "200"),
    ("post", "/api/review/judge"): (messages.JudgeDecision, "Was a call or card wrong?", "200"),
    ("post", "/api/review/play-on"): (messages.PlayOn, "Robots finish a changed board", "200"),
    ("post", "/api/evenings"): (messages.Upload, "A whole evening, ranked and judged", "201"),
    ("post", "/api/decode"): (messages.Decode, "Explain an auction and every next call", "200"),
    ("post", "/api/suit"): (messages.SuitWish, "The best way to play one suit", "200"),
    ("post", "/api/deal"): (messages.DealWish, "Deals to order, with statistics", "200"),
    ("post", "/api/book"): (messages.BookWish, "A page of a system's book", "200"),
    ("post", "/api/card"): (messages.CardWish, "A convention card with all its switches", "200"),
    ("post", "/api/card/read"): (messages.CardFile, "A card of ours or of BBA's, read", "200"),
    ("post", "/api/card/cost"): (
        messages.CardCost, "Some deals bid by a card and by its standard: what it gains", "200"
    ),
    ("post", "/api/match"): (messages.MatchPiece, "Boards of a match between bidders", "200"),
}  # fmt: skip
_GETS: Final = {
    "/api/health": "Is the server there?",
    "/api/engines": "The engines it offers, the default ones first",
    "/api/openapi.json": "This description",
    "/api/tables/{table}": "The table as my seat sees it",
    "/api/contests/{contest}": "A match: who plays, the ranking; `daily` is today's",
    "/api/contests/{contest}/entries": "All entries of a match, for its director",
    "/api/here": "The addresses under which other machines find this server",
    "/api/systems": "The systems whose books can be read",
    "/api/card/print": "A card as a page to print: card, name, form acbl or wbf",
    "/api/problems": "The sets of bidding problems",
    "/api/evenings/{evening}": "An uploaded evening; with ?brief only how far it has come",
    "/api/lessons": "The lessons: positions with answers",
    "/api/lessons/{lesson}": "One lesson with its positions",
    "/api/matches": "The arena's matches in this server's folder",
    "/api/matches/{name}": "One match: figures and boards; TOURNAMENT/FILE for one of those",
    "/api/tournaments": "The arena's tournaments in this server's folder",
    "/api/tournaments/{name}": "One tournament: table, ratings, who beat whom, matches",
}
_ANSWERS: Final = {
    ("post", "/api/tables"): messages.Ticket,
    ("post", "/api/tables/{table}/join"): messages.Ticket,
    ("post", "/api/contests/{contest}/enter"): messages.Ticket,
    ("get", "/api/engines"): thinking.Offers,
}
_REFUSALS: Final = {
    "400": "not understood", "401": "no token", "403": "not allowed", "404": "no such table",
    "408": "too slow", "413": "too long", "415": "no JSON",
    "422": "wrong in the sense of bridge", "429": "too many requests",
    "503": "engines busy, or nothing can be kept",
}  # fmt: skip


def description() -> dict[str, Any]:
    """The whole document."""
    kinds = [kind for kind, _, _ in _BODIES.values()]
    kinds += [*_ANSWERS.values(), messages.Problem, messages.Join]
    schemas, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    by_kind = {id(k): s for k, s in zip(kinds, schemas, strict=True)}
    problem = by_kind[id(messages.Problem)]
    paths: dict[str, dict[str, Any]] = {}
    for (verb, path), (kind, words, status) in _BODIES.items():
        operation = _operation(path, words, status, problem, by_kind.get(id(_answer(verb, path))))
        operation["requestBody"] = {"required": True, "content": _json(by_kind[id(kind)])}
        paths.setdefault(path, {})[verb] = operation
    for path, words in _GETS.items():
        answer = by_kind.get(id(_answer("get", path)))
        paths.setdefault(path, {})["get"] = _operation(path, words, "200", problem, answer)
    paths.update(_robot_paths(problem))
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Overtrick tables",
            "version": __version__,
            "description": "The socket /api/tables/{table}/socket takes a Join message first, then "
            "the same messages as /act; it sends state, hint, meanings and error frames, each "
            "made for the seat whose token joined.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer"},
                "key": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _robot_paths(problem: Any) -> dict[str, Any]:
    """The questions to the robot; their fields come in the query."""
    out: dict[str, Any] = {}
    for question, fields in FIELDS.items():
        words = " ".join((QUESTIONS[question].__doc__ or "").split())
        operation = _operation(f"/{question}", words, "200", problem, None)
        operation["parameters"] = [
            {"name": name, "in": "query", "required": False, "schema": {"type": "string"},
             "description": FIELD_WORDS[name]}
            for name in fields
        ]  # fmt: skip
        operation["security"] = [{}, {"key": []}]
        out[f"/{question}"] = {"get": operation}
    return out


def _answer(verb: str, path: str) -> Any:
    return _ANSWERS.get((verb, path))


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _operation(path: str, words: str, status: str, problem: Any, answer: Any) -> dict[str, Any]:
    good: dict[str, Any] = {"description": words}
    good["content"] = _json(answer if answer is not None else {})
    out: dict[str, Any] = {"summary": words, "responses": {status: good}}
    for code, text in _REFUSALS.items():
        out["responses"][code] = {"description": text, "content": _json(problem)}
    for name in re.findall(r"{(\w+)}", path):
        parameter = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        out["parameters"] = [parameter]
    if "{table}" in path and not path.endswith("/join"):
        out["security"] = [{"seat": []}]
    return out
