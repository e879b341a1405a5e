"""The Model Context Protocol server: the tools of `facts` and `hands` for language models.
Used by `overtrick mcp`; needs the official `mcp` package (the `mcp` extra)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

try:
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp.types import ToolAnnotations
except ImportError as error:
    raise ImportError(f"the server needs `pip install 'overtrick[mcp]'` ({error})") from None

from overtrick import __version__
from overtrick.doubledummy import SolverError
from overtrick.game import BridgeError
from overtrick.service import facts
from overtrick.service.hands import Tables

INSTRUCTIONS: Final = """\
Facts about contract bridge, computed and not remembered. Use these tools for every question about
what a call means, what is legal, odds, suit combinations, double dummy, leads and scores, and
repeat their figures with the errors given; do not estimate what a tool can answer.
Notation: hands are spades.hearts.diamonds.clubs (AK3.QJ2.T98.7654), deals are PBN
(N:hand hand hand hand, clockwise), cards are suit and rank (SA, HT), calls 1C..7NT, Pass, X, XX.
Each answer has `evidence`: where it comes from, how many deals, whether it is exact.
play_a_hand opens a table: you see your seat's cards only, as a player does."""


def server(tables: Tables | None = None) -> MCPServer[Any]:
    """The server with every tool."""
    made: MCPServer[Any] = MCPServer(
        "overtrick", title="Overtrick", version=__version__, instructions=INSTRUCTIONS,
        log_level="WARNING",
    )  # fmt: skip
    for tool in facts.TOOLS:
        made.add_tool(_guarded(tool), annotations=ToolAnnotations(read_only_hint=True))
    for tool in (tables or Tables()).tools():
        looks = tool.__name__ == "look_at_table"
        made.add_tool(_guarded(tool), annotations=ToolAnnotations(read_only_hint=looks))
    return made


def _guarded(tool: Callable[..., facts.Fact]) -> Callable[..., facts.Fact]:
    """What is wrong with a question comes back as one line."""

    @wraps(tool)
    def asked(*args: Any, **values: Any) -> facts.Fact:
        try:
            return tool(*args, **values)
        except (BridgeError, SolverError) as error:
            raise ToolError(" ".join(str(error).split())) from None

    return asked
