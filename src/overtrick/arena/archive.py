"""Tournaments read back from their folder, finished or still going on.
Nothing is played and nothing is written."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from overtrick.arena.pairing import ladder_order, ladder_pairs
from overtrick.arena.store import Store, StoreError
from overtrick.arena.tournament import IDENTITY, Encounter, FinishedTournament, Tournament

_FILE: Final = re.compile(r"(\d{3,})-(\d+)-(\d+)\.sqlite")
_MOST: Final = 5000  # boards read of one match


def is_tournament(folder: Path) -> bool:
    """Has a tournament been played here, or begun?"""
    return (folder / IDENTITY).is_file()


def described(folder: Path) -> Tournament:
    """What is played in a folder, with as many rounds as have begun."""
    try:
        found = json.loads((folder / IDENTITY).read_text(encoding="utf-8"))
        told = msgspec.convert(found, Tournament)
    except (OSError, ValueError, RecursionError):  # also what msgspec and our own checks raise
        raise StoreError(f"{folder.name} holds no tournament that can be read") from None
    last = max((number for number, _, _ in match_files(folder)), default=0)
    return replace(told, rounds=last + 1)


def match_files(folder: Path) -> dict[tuple[int, int, int], Path]:
    """The files of a tournament's matches by round and engines, all counted from 0."""
    found = {}
    for path in sorted(folder.iterdir()):
        if named := _FILE.fullmatch(path.name):
            number, a, b = (int(x) - 1 for x in named.groups())
            found[number, a, b] = path
    return found


def stored(folder: Path, most: int = _MOST) -> FinishedTournament:
    """A tournament as far as it is stored: each match with the boards it has so far."""
    tournament = described(folder)
    encounters = []
    for (number, a, b), path in match_files(folder).items():
        if max(a, b) >= len(tournament.engines):
            continue
        try:
            with Store(path) as store:
                boards = tuple(store.results(min(most, tournament.boards)))
        except StoreError:  # just being made, or not a match
            continue
        if boards:
            encounters.append(Encounter(number, a, b, boards))
    played = FinishedTournament(tournament, tuple(encounters))
    if tournament.kind == "swiss":
        return replace(played, byes=_byes(played))
    return replace(played, order=_ladder(played)) if tournament.kind == "ladder" else played


def _byes(played: FinishedTournament) -> tuple[tuple[int, int], ...]:
    """Who sat out a round in which everybody else has a match."""
    engines = range(len(played.tournament.engines))
    byes = []
    for number in range(played.tournament.rounds):
        busy = {e for m in played.encounters if m.round == number for e in (m.a, m.b)}
        missing = [e for e in engines if e not in busy]
        if len(missing) == 1:
            byes.append((number, missing[0]))
    return tuple(byes)


def _ladder(played: FinishedTournament) -> tuple[int, ...]:
    """The ladder after the last round that is over."""
    t = played.tournament
    margins = {(e.round, e.a, e.b): e.imps for e in played.encounters if len(e.results) >= t.boards}
    order = tuple(range(len(t.engines)))
    for number in range(t.rounds):
        pairs = ladder_pairs(order, number)
        if any((number, a, b) not in margins for a, b in pairs):
            break
        order = ladder_order(order, {b for a, b in pairs if margins[number, a, b] < 0})
    return order
