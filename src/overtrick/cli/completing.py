"""What the shell completes: engines, systems, problem sets, wherever a verb asks for one.
Nothing is imported before somebody presses Tab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import click
from click.shell_completion import CompletionItem

Names = Callable[[], list[str]]


def _bidders() -> list[str]:
    from overtrick.bidding import BIDDERS

    return BIDDERS.names()


def _players() -> list[str]:
    from overtrick.cardplay import PLAYERS

    return PLAYERS.names()


def _both() -> list[str]:
    return sorted({*_bidders(), *_players()})


def _systems() -> list[str]:
    from overtrick.systems import library_names

    return list(library_names())


def _sets() -> list[str]:
    from overtrick.arena.problemsets import shipped

    return [s.name for s in shipped()]


# By verb and parameter, or by parameter alone.
_NAMES: Final[dict[str | tuple[str, str], Names]] = {
    ("play", "engine"): _players, ("play", "ns"): _players, ("play", "ew"): _players,
    ("lead", "engine"): _players, ("engines", "name"): _both, ("challenge", "source"): _sets,
    ("challenge", "problems"): _sets, ("challenge", "set"): _sets,
    "engine": _bidders, "ns": _bidders, "ew": _bidders, "bids": _bidders, "bidder": _bidders,
    "a": _bidders, "b": _bidders, "opponent": _bidders, "spec": _bidders, "engines": _bidders,
    "system": _systems, "theirs": _systems, "ours": _systems,
}  # fmt: skip


def complete(command: click.Command) -> None:
    """Let the parameters of a verb complete the names they take."""
    for parameter in command.params:
        key = (command.name or "", parameter.name or "")
        names = _NAMES.get(key) or _NAMES.get(parameter.name or "")
        if names is not None and isinstance(parameter.type, click.types.StringParamType):
            parameter.type = _Named(names)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            complete(inner)


class _Named(click.types.StringParamType):
    """Text that names something; the shell is told which names there are."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        # A robot is written bidder+player: the part after the last + is completed.
        before, plus, last = incomplete.rpartition("+")
        found = _players() if plus else self._names()
        return [CompletionItem(before + plus + n) for n in found if n.startswith(last)]
