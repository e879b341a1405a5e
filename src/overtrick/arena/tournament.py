"""Tournaments of many engines: round robin, Swiss, pairs with matchpoints, ladder.
Every encounter is a match, so everything is resumable."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Literal

from overtrick.arena.deck import SECRET, SecretDeck
from overtrick.arena.job import Match, Method
from overtrick.arena.match import MatchProgress, play_match
from overtrick.arena.pairing import ladder_order, ladder_pairs, swiss_pairs
from overtrick.arena.ratings import Meeting
from overtrick.arena.results import BoardResult
from overtrick.arena.run import Backend
from overtrick.arena.store import Store, StoreError
from overtrick.engines.seal import hide
from overtrick.game import OptionError, victory_points
from overtrick.game.errors import printable
from overtrick.notation.whole import write_whole

Kind = Literal["round-robin", "swiss", "pairs", "ladder"]
IDENTITY = "tournament.json"  # in its folder: what is played there
KINDS: tuple[Kind, ...] = ("round-robin", "swiss", "pairs", "ladder")
BYE_VICTORY_POINTS = 12.0  # what sitting out a Swiss round is worth


@dataclass(frozen=True, slots=True)
class Tournament:
    """Who plays what. `boards` is the length of one match, `rounds` counts for Swiss and ladder.

    Round robin and pairs: everyone meets everyone on the same boards. Swiss: neighbours in the
    table meet, never twice while it can be helped. Ladder: neighbours meet, the winner climbs;
    engines are given from the top.
    """

    kind: Kind
    engines: tuple[str, ...]
    boards: int = 16
    rounds: int = 5
    seed: int = 0
    method: Method = "dd"
    deals: str = "random"
    chunk: int = 20

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"a tournament is {', '.join(KINDS)}, not {self.kind!r}")
        if len(self.engines) < 2:
            raise OptionError("a tournament needs at least two engines")
        if len(set(self.engines)) < len(self.engines):
            raise OptionError("every engine of a tournament enters once")
        if self.rounds < 1:
            raise OptionError(f"a tournament has at least one round, not {self.rounds}")

    def match(self, round_number: int, a: int, b: int) -> Match:
        """The match of two engines in a round (from 0)."""
        return Match(
            self.engines[a],
            self.engines[b],
            self.boards,
            seed=self.seed,
            method=self.method,
            deals=self.deals,
            chunk=self.chunk,
            offset=round_number * self.boards,
        )


@dataclass(frozen=True, slots=True)
class Encounter:
    """A finished match of a tournament."""

    round: int
    a: int
    b: int
    results: tuple[BoardResult, ...]

    @property
    def imps(self) -> int:
        """The margin for a."""
        return sum(r.imps for r in self.results)

    @property
    def victory_points(self) -> tuple[float, float]:
        return victory_points(self.imps, len(self.results))

    def meeting(self, boards: int) -> Meeting:
        first = self.round * boards
        return Meeting(
            self.a,
            self.b,
            tuple(r.imps for r in self.results),
            tuple(first + r.number for r in self.results),
        )


@dataclass(frozen=True, slots=True)
class FinishedTournament:
    """A tournament that is over."""

    tournament: Tournament
    encounters: tuple[Encounter, ...]
    byes: tuple[tuple[int, int], ...] = ()  # round, engine
    order: tuple[int, ...] = ()  # the ladder from the top, else empty

    def victory_points(self) -> list[float]:
        """The totals by engine."""
        totals = [0.0] * len(self.tournament.engines)
        for e in self.encounters:
            for engine, won in zip((e.a, e.b), e.victory_points, strict=True):
                totals[engine] += won
        for _, engine in self.byes:
            totals[engine] += BYE_VICTORY_POINTS
        return [round(t, 2) for t in totals]


Report = Callable[[int, int, int, MatchProgress], None]  # round, a, b, how far


def play_tournament(
    tournament: Tournament,
    folder: Path | None = None,
    backend: Backend = Backend(),
    report: Report | None = None,
    promised: Callable[[str], None] | None = None,
) -> FinishedTournament:
    """Play what is missing. In `folder` every match is a file of its own; without one, nothing
    is kept. Pairings follow from results, which follow from the description: a run that was
    interrupted anywhere goes on to the same end."""
    if folder is not None:
        _claim(folder, tournament)
    hall = _Encounters(tournament, folder, backend, report, promised)
    if tournament.kind in ("round-robin", "pairs"):
        pairs = combinations(range(len(tournament.engines)), 2)
        return FinishedTournament(tournament, tuple(hall.play(0, a, b) for a, b in pairs))
    if tournament.kind == "swiss":
        return _swiss(tournament, hall)
    return _ladder(tournament, hall)


def _swiss(tournament: Tournament, hall: _Encounters) -> FinishedTournament:
    played = FinishedTournament(tournament, ())
    for number in range(tournament.rounds):
        met = {frozenset((e.a, e.b)) for e in played.encounters}
        sat_out = [engine for _, engine in played.byes]
        pairs, bye = swiss_pairs(played.victory_points(), met, sat_out)
        encounters = tuple(hall.play(number, a, b) for a, b in pairs)
        byes = played.byes if bye is None else (*played.byes, (number, bye))
        played = replace(played, encounters=(*played.encounters, *encounters), byes=byes)
    return played


def _ladder(tournament: Tournament, hall: _Encounters) -> FinishedTournament:
    order = tuple(range(len(tournament.engines)))
    encounters: list[Encounter] = []
    for number in range(tournament.rounds):
        now = [hall.play(number, a, b) for a, b in ladder_pairs(order, number)]
        encounters += now
        # The upper engine is a; it keeps its rung unless it loses.
        order = ladder_order(order, {e.b for e in now if e.imps < 0})
    return FinishedTournament(tournament, tuple(encounters), order=order)


class _Encounters:
    """Plays encounters, each in its own store."""

    def __init__(
        self,
        tournament: Tournament,
        folder: Path | None,
        backend: Backend,
        report: Report | None,
        promised: Callable[[str], None] | None,
    ) -> None:
        self._tournament = tournament
        self._folder = folder
        self._backend = backend
        self._report = report
        self._promised = promised
        self._decks: dict[int, SecretDeck] = {}  # by round

    def play(self, number: int, a: int, b: int) -> Encounter:
        job = self._tournament.match(number, a, b)
        path: Path | str = ":memory:"
        if self._folder is not None:
            path = self._folder / f"{number + 1:03d}-{a + 1}-{b + 1}.sqlite"

        def tell(progress: MatchProgress) -> None:
            if self._report is not None:
                self._report(number, a, b, progress)

        with Store(path, job) as store:
            deck = self._deck(number) if job.deals == SECRET else None
            hide(self._files())
            play_match(job, store, self._backend, progress=tell, deck=deck)
            return Encounter(number, a, b, tuple(store.results(job.boards)))

    def _deck(self, number: int) -> SecretDeck:
        """The boards of a round: all its matches are played on them. Those that a run before this
        one has opened stay what they are."""
        if number not in self._decks:
            known: dict[int, str] = {}
            for path in self._files(f"{number + 1:03d}-*.sqlite"):
                with Store(path) as played:
                    known.update(played.opened())
            deck = SecretDeck.drawn(range(1, self._tournament.boards + 1), known)
            self._decks[number] = deck
            if self._promised is not None:
                self._promised(deck.promise)
        return self._decks[number]

    def _files(self, pattern: str = "*.sqlite*") -> list[Path]:
        return [] if self._folder is None else sorted(self._folder.glob(pattern))


def _claim(folder: Path, tournament: Tournament) -> None:
    """The folder belongs to this tournament, or to none yet. More rounds may be added."""
    folder.mkdir(parents=True, exist_ok=True)
    identity = asdict(tournament)
    del identity["rounds"], identity["chunk"]
    identity["engines"] = list(tournament.engines)
    path = folder / IDENTITY
    if path.exists():
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {printable(str(error))}") from None
        if held != identity:
            raise StoreError(f"{folder} holds another tournament")
        return
    write_whole(path, json.dumps(identity))


def tables(played: FinishedTournament) -> Iterator[tuple[int, int, int, dict[int, int]]]:
    """Every table of a tournament: round, North-South, East-West, North-South's scores."""
    for e in played.encounters:
        yield e.round, e.a, e.b, {r.number: r.open.score for r in e.results}
        yield e.round, e.b, e.a, {r.number: r.closed.score for r in e.results}
