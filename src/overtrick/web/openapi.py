"""The description of the REST API (OpenAPI 3.1), made from the types of questions and answers.
Served at /api/openapi.json."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import inspect

from overtrick import __version__
from overtrick.service.queries import FIELD_WORDS, FIELDS
from overtrick.service.replies import (
    BoardIn,
    BoardReply,
    StreamLine,
    ThinkAllIn,
    ThinkIn,
    ThoughtReply,
    Thoughts,
)
from overtrick.service.robot import ANSWERS, QUESTIONS
from overtrick.web import messages
from overtrick.web.answers import (
    BookPage,
    CardGains,
    CardRead,
    CardShown,
    ContestPage,
    DealtDeals,
    DecodedAuction,
    EntryRow,
    Health,
    LessonListed,
    LobbyPage,
    MatchBoard,
    MatchListed,
    MatchReport,
    NewContest,
    Offered,
    ProblemSet,
    RatingPage,
    Reach,
    Refusal,
    SolvedSuit,
    SystemName,
    Ticket,
    TournamentListed,
    TournamentReport,
)
from overtrick.web.deskpages import DeskPage, EventPage, EventTicket, NewEvent
from overtrick.web.frames import Done, Frame, State
from overtrick.web.lessons import Lesson
from overtrick.web.reviewed import (
    BoardAgain,
    CallBeside,
    CardBeside,
    EveningReport,
    JudgedDecision,
    NewEvening,
    PossibleHands,
    Progress,
    ReadBoards,
    SolvedBoard,
    ThoughtShown,
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A verb on a path: what it does, what it is asked with and what it answers."""

    verb: str
    path: str
    words: str
    answer: Any
    question: Any = None
    status: str = "200"
    brief: Any = None  # what it answers where somebody wants to know less
    media: str = "application/json"
    lines: Any = None  # what it sends line by line where a stream is asked for
    keyed: bool = False  # programs on other machines need a key
    query: tuple[tuple[str, str], ...] = ()  # what may stand behind the question mark, and what for

    @property
    def name(self) -> str:
        """What a client calls it: `think_all`, `get_lesson`, `new_table`."""
        parts: list[str] = []
        for part in self.path.strip("/").removeprefix("api/").replace("-", "_").split("/"):
            if part.startswith("{"):
                parts[-1] = _one(parts[-1])
            else:
                parts.append(part.removesuffix(".json"))
        if self.status == "201" and len(parts) == 1:
            return f"new_{_one(parts[0])}"
        return "_".join(["get", *parts] if self.verb == "get" else parts)


def _one(noun: str) -> str:
    """One of many: `match` of `matches`."""
    return noun[:-2] if noun.endswith("ches") else noun.removesuffix("s")


def _post(path: str, question: Any, answer: Any, words: str, status: str = "200") -> Operation:
    return Operation("post", path, words, answer, question, status)


def _get(path: str, answer: Any, words: str) -> Operation:
    return Operation("get", path, words, answer)


OPERATIONS: Final = (
    _post("/api/tables", messages.Open, Ticket, "Open a table", "201"),
    _post("/api/tables/{table}/join", messages.Accept, Ticket, "Use an invitation", "201"),
    _post("/api/tables/{table}/act", messages.Action, Done,
          "Call, play, undo, claim, ask; answers with the state or what was asked"),
    _post("/api/contests", messages.Found, NewContest, "A match for several people", "201"),
    _post("/api/contests/{contest}/enter", messages.Enter, Ticket, "Play in a match", "201"),
    _post("/api/contests/{contest}/remove", messages.Remove, list[EntryRow],
          "The director takes an entry out; all that are left"),
    _post("/api/lobby", messages.Seek, LobbyPage, "Company for some boards; asked again and again"),
    _get("/api/ratings", RatingPage, "Who is how strong, with the error"),
    _get("/api/lobby", LobbyPage, "Who waits for company"),
    _post("/api/events", messages.Arrange, NewEvent, "Arrange an event of pairs", "201"),
    _post("/api/events/{event}/enter", messages.EnterPair, EventTicket, "Enter as a pair", "201"),
    _post("/api/events/{event}/join", messages.JoinPair, EventTicket,
          "Join as the partner or a substitute, by a link", "201"),
    _post("/api/events/{event}/call", messages.CallDirector, EventPage, "Director, please"),
    _post("/api/events/{event}/direct", messages.DirectorsWord, DeskPage,
          "What the director does; answers with the desk"),
    _get("/api/events/{event}", EventPage, "An event of pairs, and my own place in it"),
    Operation("get", "/api/events/{event}/results",
              "Results to print; ?form=csv, pbn or xml are files, csv with ?what=ranking, recap or"
              " travellers", str, media="text/html"),
    _get("/api/events/{event}/desk", DeskPage, "The event as its director sees it"),
    _post("/api/review/read", messages.Read, ReadBoards, "Read and list boards of any notation"),
    _post("/api/review/solve", messages.Look, SolvedBoard, "Double dummy, par, cost of each card"),
    _post("/api/review/calls", messages.LookAtCalls, list[CallBeside],
          "What engines would have called"),
    _post("/api/review/cards", messages.LookAtCards, list[CardBeside], "What an engine would play"),
    _post("/api/review/table", messages.OtherTable, BoardAgain, "Four robots play the board"),
    _post("/api/review/worlds", messages.LookAtWorlds, PossibleHands,
          "What a seat thought possible"),
    _post("/api/review/judge", messages.JudgeDecision, JudgedDecision,
          "Was a call or card wrong?"),
    _post("/api/review/play-on", messages.PlayOn, BoardAgain, "Robots finish a changed board"),
    _post("/api/evenings", messages.Upload, NewEvening, "A whole evening, ranked and judged",
          "201"),
    _post("/api/decode", messages.Decode, DecodedAuction, "Explain an auction and every next call"),
    _post("/api/suit", messages.SuitWish, SolvedSuit, "The best way to play one suit"),
    _post("/api/deal", messages.DealWish, DealtDeals, "Deals to order, with statistics"),
    _post("/api/book", messages.BookWish, BookPage, "A page of a system's book"),
    _post("/api/card", messages.CardWish, CardShown, "A convention card with all its switches"),
    _post("/api/card/read", messages.CardFile, CardRead, "A card of ours or of BBA's, read"),
    _post("/api/card/cost", messages.CardCost, CardGains,
          "Some deals bid by a card and by its standard: what it gains"),
    _post("/api/match", messages.MatchPiece, list[MatchBoard],
          "Boards of a match between bidders"),
    _get("/api/health", Health, "Is the server there?"),
    _get("/api/engines", Offered, "The engines it offers, the default ones first"),
    _get("/api/openapi.json", dict[str, Any], "This description"),
    _get("/api/tables/{table}", State, "The table as my seat sees it"),
    Operation("get", "/api/tables/{table}/thoughts", "What was thought on a board that is over",
              list[ThoughtShown],
              query=(("board", "the how manieth of the table, the last one unless given"),
                     ("at", "a person's decision, of which the robot says what it thinks"))),
    Operation("get", "/api/contests/{contest}",
              "A match: who plays, the ranking; `daily` is today's", ContestPage,
              query=(("table", "whose row is marked as one's own"),)),
    _get("/api/contests/{contest}/entries", list[EntryRow],
         "All entries of a match, for its director"),
    _get("/api/here", Reach, "The addresses under which other machines find this server"),
    _get("/api/systems", list[SystemName], "The systems whose books can be read"),
    Operation("get", "/api/card/print", "A card as a page to print", str, media="text/html",
              query=(("card", "the card in one line: sayc +dont"), ("name", "whose card it is"),
                     ("form", "acbl or wbf"))),
    _get("/api/problems", list[ProblemSet], "The sets of bidding problems"),
    Operation("get", "/api/evenings/{evening}",
              "An uploaded evening", EveningReport, brief=Progress,
              query=(("brief", "anything: only how far it has come"),)),
    _get("/api/lessons", list[LessonListed], "The lessons: positions with answers"),
    _get("/api/lessons/{lesson}", Lesson, "One lesson with its positions"),
    _get("/api/matches", list[MatchListed], "The arena's matches in this server's folder"),
    _get("/api/matches/{name}", MatchReport,
         "One match: figures and boards; TOURNAMENT/FILE for one of those"),
    _get("/api/tournaments", list[TournamentListed],
         "The arena's tournaments in this server's folder"),
    _get("/api/tournaments/{name}", TournamentReport,
         "One tournament: table, ratings, who beat whom, matches"),
)  # fmt: skip
ROBOT: Final = (
    Operation("post", "/api/think", "What the robot calls, or plays, for what one seat sees",
              ThoughtReply, ThinkIn, keyed=True),
    Operation("post", "/api/think/all", "Several questions; with stream each answer as it comes",
              Thoughts, ThinkAllIn, lines=StreamLine, keyed=True),
    Operation("post", "/api/board", "A whole board by four robots; with stream action by action",
              BoardReply, BoardIn, lines=StreamLine, keyed=True),
)  # fmt: skip
"""What programs ask in JSON; the page asks nothing of this."""
_DIRECTED: Final = ("/entries", "/remove")
"""What only the director of a match may do."""
_REFUSALS: Final = {
    "400": "not understood", "401": "no token", "403": "not allowed", "404": "no such table",
    "408": "too slow", "413": "too long", "415": "no JSON",
    "422": "wrong in the sense of bridge", "429": "too many requests",
    "503": "engines busy, or nothing can be kept",
}  # fmt: skip


def kinds() -> list[Any]:
    """Every type that goes over the wire, questions first."""
    asked = [o.question for o in OPERATIONS if o.question is not None]
    answered = [kind for o in OPERATIONS for kind in (o.answer, o.brief) if kind is not None]
    return [*asked, messages.Join, *answered, Refusal, Frame]


def robot_kinds() -> list[Any]:
    """What programs ask and are answered."""
    asked = [kind for o in ROBOT for kind in (o.question, o.answer, o.lines) if kind is not None]
    return [*asked, *(kind for kinds in ANSWERS.values() for kind in kinds)]


def structs(infos: Iterable[Any]) -> dict[str, inspect.StructType]:
    """Every struct that types are made of, by name."""
    found: dict[str, inspect.StructType] = {}
    waiting = list(infos)
    while waiting:
        match waiting.pop():
            case inspect.StructType() as info:
                if info.cls.__name__ not in found:
                    found[info.cls.__name__] = info
                    waiting.extend(field.type for field in info.fields)
            case inspect.UnionType() as info:
                waiting.extend(info.types)
            case inspect.DictType() as info:
                waiting.extend((info.key_type, info.value_type))
            case inspect.ListType() | inspect.VarTupleType() as info:
                waiting.append(info.item_type)
            case inspect.TupleType() as info:
                waiting.extend(info.item_types)
            case inspect.Metadata() as info:
                waiting.append(info.type)
    return found


def is_sparing(struct: inspect.StructType) -> bool:
    """May whatever has a default be left out? Of questions, and of answers that are short."""
    return struct.forbid_unknown_fields or bool(struct.cls.__struct_config__.omit_defaults)


def may_lack(field: inspect.Field) -> bool:
    """Is it left out where it is not set?"""
    given = (field.default, field.default_factory)
    return not field.required and given == (msgspec.NODEFAULT, msgspec.NODEFAULT)


def description() -> dict[str, Any]:
    """The whole document."""
    every = [*kinds(), *robot_kinds()]
    schemas, components = msgspec.json.schema_components(
        every, ref_template="#/components/schemas/{name}"
    )
    for name, struct in structs(inspect.multi_type_info(every)).items():
        if not is_sparing(struct):
            tag = [struct.tag_field] if struct.tag_field else []
            there = [f.encode_name for f in struct.fields if not may_lack(f)]
            components[name]["required"] = tag + there
    schema = {id(kind): found for kind, found in zip(every, schemas, strict=True)}
    refusal = schema[id(Refusal)]
    paths: dict[str, dict[str, Any]] = {}
    for o in (*OPERATIONS, *ROBOT):
        answer = schema[id(o.answer)]
        if o.brief is not None:
            answer = {"anyOf": [answer, schema[id(o.brief)]]}
        content = {o.media: {"schema": answer}}
        if o.lines is not None:
            content["application/x-ndjson"] = {"schema": schema[id(o.lines)]}
        found = _operation(o.name, o.path, o.words, o.status, refusal, content)
        if o.keyed:
            found["security"] = [{}, {"key": []}]
        found.setdefault("parameters", []).extend(_asked_by(o.query))
        if o.question is not None:
            found["requestBody"] = {"required": True, "content": _json(schema[id(o.question)])}
        paths.setdefault(o.path, {})[o.verb] = found
    paths.update(_robot_paths(refusal, schema))
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


def _robot_paths(refusal: Any, schema: dict[int, Any]) -> dict[str, Any]:
    """The questions to the robot; their fields come in the query."""
    out: dict[str, Any] = {}
    for question, fields in FIELDS.items():
        words = " ".join((QUESTIONS[question].__doc__ or "").split())
        found = [schema[id(kind)] for kind in ANSWERS[question]]
        answer = found[0] if len(found) == 1 else {"anyOf": found}
        operation = _operation(question, f"/{question}", words, "200", refusal, _json(answer))
        operation["parameters"] = _asked_by((name, FIELD_WORDS[name]) for name in fields)
        operation["security"] = [{}, {"key": []}]
        out[f"/{question}"] = {"get": operation}
    return out


def _asked_by(query: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": False, "schema": {"type": "string"},
         "description": words}
        for name, words in query
    ]  # fmt: skip


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _operation(
    name: str, path: str, words: str, status: str, refusal: Any, content: dict[str, Any]
) -> dict[str, Any]:
    good = {"description": words, "content": content}
    out: dict[str, Any] = {"operationId": name, "summary": words, "responses": {status: good}}
    for code, text in _REFUSALS.items():
        out["responses"][code] = {"description": text, "content": _json(refusal)}
    for name in re.findall(r"{(\w+)}", path):
        parameter = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        out["parameters"] = [parameter]
    if ("{table}" in path and not path.endswith("/join")) or path.endswith(_DIRECTED):
        out["security"] = [{"seat": []}]
    return out
