"""Where a margin comes from: bidding, opening leads, declarer play and defence.

Between B and A stand robots that have one more part of A each: A's bidding, then A's leads, then
A's declarer play, and with the defence it is A. All of them play B on the same boards, and a part
is worth the difference it makes, board by board: the parts add up to the whole margin, and boards
on which a part changes nothing add no noise to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from overtrick.arena.deck import board_in
from overtrick.arena.job import Match
from overtrick.arena.match import (
    MatchProgress,
    board_result,
    both_tables,
    chunks,
    prepared,
    rooms_of,
)
from overtrick.arena.results import BoardResult
from overtrick.arena.run import Backend, run_jobs
from overtrick.arena.stats import Estimate, estimate
from overtrick.arena.store import Store
from overtrick.arena.tally import Tally
from overtrick.cardplay.parts import Parts
from overtrick.engines import Spec
from overtrick.engines.seal import hide
from overtrick.game import Decision, OptionError, View
from overtrick.table import Robot, robot
from overtrick.table.seats import bidder_and_player

PARTS: Final = ("bidding", "lead", "declarer", "defence")


@dataclass(frozen=True, slots=True)
class PartShare:
    """What one part of a robot is worth, in IMPs per board, and how often it mattered."""

    part: str
    estimate: Estimate
    boards: int  # on which it changed the result


def stages(job: Match) -> tuple[Match, ...]:
    """The matches on the way from B to A, one for each part; the last is the match itself.

    >>> [m.a for m in stages(Match("rules+pimc", "points+highest", 4, method="play"))][:2]
    ['rules+highest', 'rules+parts(lead=pimc, declarer=highest, defence=highest)']
    """
    if job.method != "play":
        raise OptionError("the shares of a match are seen when the cards are played: add --play")
    bids, plays = bidder_and_player(job.a)
    _, theirs = bidder_and_player(job.b)
    leads = {"lead": plays, "declarer": theirs, "defence": theirs}
    declares = {**leads, "declarer": plays}
    players = (theirs, str(Spec("parts", leads)), str(Spec("parts", declares)))
    return (*(replace(job, a=f"{bids}+{p}") for p in players), job)


def stage_files(path: Path | None) -> tuple[Path | str, ...]:
    """The files of the stages: the match's own, and one beside it for each part but the last."""
    if path is None:
        return (":memory:",) * len(PARTS)
    beside = (path.with_name(f"{path.stem}-{part}{path.suffix}") for part in PARTS[:-1])
    return (*beside, path)


def play_shares(
    job: Match,
    stores: Sequence[Store],
    backend: Backend = Backend(),
    progress: Callable[[MatchProgress], None] | None = None,
    promised: Callable[[str], None] | None = None,
) -> list[PartShare]:
    """Play what is missing of all stages and say what each part of A is worth."""
    path = stages(job)
    job.check()
    kept: list[set[int]] = [store.done() for store in stores]
    done = set[int].intersection(*kept)
    missing = [n for n in range(1, job.boards + 1) if n not in done]
    tally = Tally(job.chunk)
    for result in stores[-1].results(job.boards):
        if result.number in done:
            tally.add(result.number, result.imps)
    pieces = prepared(stores, chunks(job, missing), promised=promised)
    work = [_Work(path, c.numbers, c.texts, c.hidden) for c in pieces]
    for _, rows in run_jobs(play_stages, work, backend):
        for store, results in zip(stores, zip(*rows, strict=True), strict=True):
            store.add(results)
        for row in rows:
            tally.add(row[-1].number, row[-1].imps)
        if progress is not None:
            progress(MatchProgress(len(tally), job.boards, tally.so_far()))
    return shares([list(store.results(job.boards)) for store in stores])


def shares(stages_: Sequence[Sequence[BoardResult]]) -> list[PartShare]:
    """What each part is worth, from the boards of the stages in order."""
    found = []
    before = [0] * len(stages_[0])
    for part, results in zip(PARTS, stages_, strict=True):
        now = [r.imps for r in results]
        made = [x - y for x, y in zip(now, before, strict=True)]
        found.append(PartShare(part, estimate(made), sum(x != 0 for x in made)))
        before = now
    return found


class _Work(NamedTuple):
    """Some boards of all stages."""

    stages: tuple[Match, ...]
    numbers: tuple[int, ...]
    texts: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def play_stages(work: _Work) -> list[tuple[BoardResult, ...]]:
    """Some boards, each at every stage; runs in a worker."""
    hide(work.hidden)
    rooms = [rooms_of(stage, _robot) for stage in work.stages]
    out = []
    for i, number in enumerate(work.numbers):
        memory: _Memory = {}
        rows = []
        # The match itself first: its times are the true ones.
        for stage, (opened, closed) in reversed([*zip(work.stages, rooms, strict=True)]):
            sides = stage.a, stage.b
            seats = (
                [_Remembering(made, sides[seat % 2], memory) for seat, made in enumerate(opened)],
                [
                    _Remembering(made, sides[1 - seat % 2], memory)
                    for seat, made in enumerate(closed)
                ],
            )
            board = board_in(work.texts[i]) if work.texts else stage.board(number)
            rows.append(board_result(stage, board, both_tables(stage, board, seats)))
        out.append(tuple(reversed(rows)))
    return out


@lru_cache(maxsize=16)
def _robot(spec: str) -> Robot:
    return robot(spec)


_Memory = dict[tuple[object, ...], Decision]


class _Remembering:
    """A robot that thinks once about the same turn: stages have most of their turns in common."""

    def __init__(self, made: Robot, spec: str, memory: _Memory) -> None:
        self._robot, self._memory = made, memory
        self._bids, self._plays = bidder_and_player(spec)

    @property
    def name(self) -> str:
        return self._robot.name

    @property
    def system(self) -> str:
        return self._robot.system

    def bid(self, view: View) -> Decision:
        return self._once(self._robot.bid, view, self._bids, ())

    def play(self, view: View) -> Decision:
        made = self._robot.player
        who = made.spec_for(view) if isinstance(made, Parts) else self._plays
        cards = view.play.cards if view.play is not None else ()
        return self._once(self._robot.play, view, who, cards)

    def _once(
        self, think: Callable[[View], Decision], view: View, who: str, cards: tuple[object, ...]
    ) -> Decision:
        # Of one board a seat sees nothing else; the bidder stands for what the calls mean.
        key = (self._bids, who, view.seat, view.auction.calls, cards)
        if key not in self._memory:
            self._memory[key] = think(view)
        return self._memory[key]
