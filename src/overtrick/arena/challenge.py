"""Bidding problems with awards: one engine bids North-South, the opponents follow a script.
A set of problems is a file of JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

from overtrick.arena.run import Backend, run_jobs
from overtrick.game import (
    PASS,
    Board,
    BridgeError,
    Call,
    Contract,
    Deal,
    Decision,
    Meaning,
    OptionError,
    ParseError,
    Seat,
    Side,
    Strain,
    View,
    Vulnerability,
)
from overtrick.game.hand import Hand
from overtrick.table import Occupant, Robot, TableState, play_table
from overtrick.table.seats import four

_ANY: Final = "AC"  # in the opponents' script: North-South may do as they like


# Problem files come from anywhere, and what they say is shown at every step of a table.
_Name = Annotated[str, msgspec.Meta(max_length=60)]
_Word = Annotated[str, msgspec.Meta(max_length=12)]


class Problem(msgspec.Struct, frozen=True):
    """One line of a problem file."""

    set: _Name
    board: _Word
    dealer: _Word
    vul: _Word
    hands: Annotated[dict[_Word, _Name], msgspec.Meta(max_length=4)]
    awards: Annotated[dict[_Word, float], msgspec.Meta(max_length=80)]
    opponents_calls: Annotated[list[_Word], msgspec.Meta(max_length=80)] = []

    def table(self) -> Board:
        """The problem as a board."""
        hands = tuple(Hand.parse(self.hands[s.letter], size=13) for s in Seat)
        number = int(self.board) if self.board.isdecimal() and int(self.board) else 1
        return Board(
            number,
            Seat.parse(self.dealer),
            Vulnerability.parse(self.vul),
            Deal(hands),  # type: ignore[arg-type]
        )

    def script(self) -> tuple[Call | None, ...]:
        """The opponents' calls by their place in the auction; None where it is not theirs."""
        return tuple(None if c == _ANY else Call.parse(c) for c in self.opponents_calls)

    @property
    def best(self) -> float:
        return max(self.awards.values(), default=0)

    @property
    def best_contracts(self) -> list[str]:
        return [c for c, a in self.awards.items() if a == self.best]


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """What an engine reached on a problem, and what it earned."""

    problem: Problem
    auction: str
    contract: str
    award: float
    rulings: int = 0


def load(path: Path, only: str | None = None) -> list[Problem]:
    """The problems of a file, or of one set in it."""
    decoder = msgspec.json.Decoder(Problem)
    problems = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ParseError(f"{path.name} is no file of problems, {error.reason}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            problem = decoder.decode(line)
            problem.table()
            problem.script()
        except (msgspec.MsgspecError, BridgeError, KeyError) as error:
            raise ParseError(f"{path.name}, line {number} is no problem: {error}") from None
        problems.append(problem)
    chosen = [p for p in problems if only is None or p.set == only]
    if not chosen:
        sets = ", ".join(sorted({p.set for p in problems}))
        where = f" in set {only!r}; there are {sets}" if only and sets else f" in {path.name}"
        raise OptionError(f"no problems{where}")
    return chosen


def award(problem: Problem, contract: Contract | None) -> float:
    """What a contract earns.

    A key is the contract (`4S`, `3N`, `1NX`), with the declarer in front when it matters or when
    the opponents declare (`N3N`, `W2DX`; a `P` behind says: passed, not doubled). An undoubled
    part-score that is not listed earns what the nearest higher listed part-score in its strain
    does; 3NT and four of a major likewise one level higher. Everything else earns nothing.
    """
    if contract is None:
        return problem.awards.get("P", 0)
    found = _listed(problem, contract)
    if found is not None:
        return found
    if contract.declarer.side != Side.NS or contract.doubled:
        return 0
    for level in _as_good(contract):
        higher = Contract(level, contract.strain, contract.declarer)
        found = _listed(problem, higher)
        if found is not None:
            return found
    return 0


def _listed(problem: Problem, contract: Contract) -> float | None:
    strain = "N" if contract.strain == Strain.NT else contract.strain.letter
    plain = f"{contract.level}{strain}{'X' * contract.doubled}"
    keys = [contract.declarer.letter + plain]
    if not contract.doubled:
        keys.append(keys[0] + "P")
    if contract.declarer.side == Side.NS:
        keys.append(plain)
    return next((problem.awards[k] for k in keys if k in problem.awards), None)


def _as_good(contract: Contract) -> range:
    """The higher levels that a contract which was not listed may stand for."""
    game = {Strain.NT: 3, Strain.SPADES: 4, Strain.HEARTS: 4}.get(contract.strain, 5)
    if contract.level < game:
        return range(contract.level + 1, game)
    if contract.level == game and game < 5:
        return range(game + 1, game + 2)
    return range(0)


@dataclass(frozen=True, slots=True)
class _Opponent:
    """Makes the calls of the script when they are legal, and passes otherwise."""

    script: tuple[Call | None, ...]
    name: str = "script"
    system: str = ""

    def bid(self, view: View) -> Decision:
        index = len(view.auction)
        call = self.script[index] if index < len(self.script) else None
        if call is None or not view.auction.is_legal(call):
            call = PASS
        return Decision(call, Meaning("as the problem has it"))

    def play(self, view: View) -> Decision:
        raise BridgeError("problems end with the auction")


def bid_problem(problem: Problem, engine: Robot, partner: Robot | None = None) -> TableState:
    """The auction of a problem with every decision."""
    opponent = _Opponent(problem.script())
    seats: list[Occupant] = [engine, opponent, partner or engine, opponent]
    return play_table(problem.table(), seats, auction_only=True)


class _Task(NamedTuple):
    engine: str
    problem: Problem


def _solve(task: _Task) -> ProblemAnswer:
    north, _, south, _ = _four(task.engine)
    state = bid_problem(task.problem, north, south)
    contract = state.contract
    return ProblemAnswer(
        task.problem,
        state.auction.ascii,
        str(contract) if contract else "passed out",
        award(task.problem, contract),
        len(state.rulings),
    )


@lru_cache(maxsize=4)
def _four(spec: str) -> list[Robot]:
    """Partners are two of it where it is not ours."""
    return four(spec, "pass")


def solve(
    engine: str, problems: Sequence[Problem], backend: Backend = Backend()
) -> Iterator[ProblemAnswer]:
    """Answers to all problems, in their order as far as they are known."""
    tasks = [_Task(engine, p) for p in problems]
    waiting: dict[int, ProblemAnswer] = {}
    following = 0
    for index, answer in run_jobs(_solve, tasks, backend):
        waiting[index] = answer
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def totals(answers: Iterable[ProblemAnswer]) -> dict[str, tuple[float, float]]:
    """Points earned and possible, by set."""
    out: dict[str, tuple[float, float]] = {}
    for a in answers:
        earned, possible = out.get(a.problem.set, (0.0, 0.0))
        out[a.problem.set] = (earned + a.award, possible + a.problem.best)
    return out
