"""The Model Context Protocol server: tools, things to read and prompts for language models, over
standard input and output or HTTP. Used by `overtrick mcp`; needs the official `mcp` package."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ResourceError, ToolError
    from mcp.server.mcpserver.prompts import Prompt
    from mcp.types import ToolAnnotations
    from pydantic import Field, RootModel
except ImportError as error:
    raise ImportError(f"the server needs `pip install 'overtrick[mcp]'` ({error})") from None

from overtrick import __version__
from overtrick.doubledummy import SolverError
from overtrick.game import BridgeError
from overtrick.service import library
from overtrick.service.hands import Tables
from overtrick.service.tools import TOOLS, answer_schema

INSTRUCTIONS: Final = """\
Facts about contract bridge, computed and not remembered. Use these tools for every question about
what to call or play, what a call means, what is legal, odds, suit combinations, double dummy, leads
and scores, and repeat their figures with the errors given; do not estimate what a tool can answer.
`think` asks the strongest engine here; `explain_calls` what a system says.
Notation: hands are spades.hearts.diamonds.clubs (AK3.QJ2.T98.7654), deals are PBN
(N:hand hand hand hand, clockwise), cards are suit and rank (SA, HT), calls 1C..7NT, Pass, X, XX.
Each answer has `evidence`: where it comes from, how many deals, whether it is exact.
overtrick://words lists the words for what a seat holds. play_a_hand opens a table: you see your
seat's cards only, as a player does."""
_MOST_SESSIONS: Final = 64


def server(tables: Tables | None = None) -> MCPServer[Any]:
    """The server with all it offers."""
    made: MCPServer[Any] = MCPServer(
        "overtrick", title="Overtrick", version=__version__, instructions=INSTRUCTIONS,
        log_level="WARNING",
    )  # fmt: skip
    for tool in TOOLS:
        made.add_tool(_described(tool), annotations=ToolAnnotations(read_only_hint=True))
    for tool in (tables or Tables()).tools():
        looks = tool.__name__ == "look_at_table"
        made.add_tool(_described(tool), annotations=ToolAnnotations(read_only_hint=looks))
    for address, read in library.READABLE:
        made.resource(address, name=read.__name__, mime_type="text/plain")(_reading(read))
    for prompt in library.PROMPTS:
        made.add_prompt(Prompt.from_function(prompt))
    return made


def serve_http(tables: Tables, port: int) -> None:
    """Over streamable HTTP, for programs and pages of this machine only."""
    server(tables).run("streamable-http", host="127.0.0.1", port=port, max_sessions=_MOST_SESSIONS)


def _described(tool: Callable[..., Any]) -> Callable[..., Any]:
    """The tool with its words and its answer's schema where the protocol has them; what is wrong
    with a question comes back as one line."""
    hints = get_type_hints(tool, include_extras=True)

    @wraps(tool)
    def asked(*args: Any, **values: Any) -> Any:
        try:
            return tool(*args, **values)
        except (BridgeError, SolverError) as error:
            raise ToolError(" ".join(str(error).split())) from None

    parameters = [
        p.replace(annotation=_worded(hints[p.name]))
        for p in inspect.signature(tool).parameters.values()
    ]
    answers = _answers(tool)
    signature = inspect.Signature(parameters, return_annotation=answers)
    asked.__signature__ = signature  # type: ignore[attr-defined]
    asked.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": answers}
    return asked


def _answers(tool: Callable[..., Any]) -> type[RootModel[dict[str, Any]]]:
    """What a tool answers, as a model that has our own schema of it."""

    class ToolAnswer(RootModel[dict[str, Any]]):
        @classmethod
        def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
            return answer_schema(tool)

    return ToolAnswer


def _worded(hint: Any) -> Any:
    """A type whose words are a plain text, with them as pydantic wants them."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *about = get_args(hint)
    words = " ".join(text for text in about if isinstance(text, str))
    return Annotated[kind, Field(description=words)]


def _reading(read: Callable[..., str]) -> Callable[..., str]:
    @wraps(read)
    def found(*args: Any, **values: Any) -> str:
        try:
            return read(*args, **values)
        except BridgeError as error:
            raise ResourceError(" ".join(str(error).split())) from None

    return found
