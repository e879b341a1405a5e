"""Bidding problems at the table: sets with awards, read from text or shipped, and their judgement.
Our own sets are made by `making`, other people's are uploaded."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from overtrick import doubledummy as dd
from overtrick.arena.challenge import Problem, award
from overtrick.arena.problemsets import shipped
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Contract,
    Decision,
    Meaning,
    Seat,
    Side,
    imps,
    score,
    view_of,
)
from overtrick.game.calls import PASS
from overtrick.web import thinking
from overtrick.web.answers import ProblemSet
from overtrick.web.events import BoardText, Deck, Judged, Posed, RobotsBid
from overtrick.web.sources import NoBoard, read

MOST: Final = 400  # boards of one deck
_ANY: Final = "AC"
_DECODER = msgspec.json.Decoder(Problem)


def sets() -> list[ProblemSet]:
    """The sets this server has, without their cards."""
    return [
        ProblemSet(name=s.name, title=s.title, words=s.words, problems=len(s.problems))
        for s in shipped()
    ]


def shipped_deck(name: str) -> Deck:
    """A shipped set as a deck."""
    for found in shipped():
        if found.name == name:
            return Deck(boards=tuple(posed(p) for p in found.problems), name=found.title)
    raise NoBoard(f"there is no problem set {name[:40]!r}; see /api/problems")


def deck_of(text: str) -> Deck:
    """Problems as JSON lines, or the boards of any notation; at most `MOST` of them."""
    if text.lstrip().startswith("{"):
        problems = _lines(text)
        name = problems[0].set
        return Deck(boards=tuple(posed(p) for p in problems[:MOST]), name=name[:60])
    records, _ = read(text)
    boards = [b for i, r in enumerate(records, 1) if (b := r.board(i)) is not None]
    if not boards:
        raise NoBoard("there is no complete board in this text")
    return Deck(boards=tuple(Posed(BoardText.of(b)) for b in boards[:MOST]))


def _lines(text: str) -> list[Problem]:
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            problem = _DECODER.decode(line)
            problem.table()
            for word in problem.opponents_calls:
                if word != _ANY:
                    Call.parse(word)
        except (msgspec.MsgspecError, RecursionError, KeyError, BridgeError) as error:
            raise NoBoard(f"line {number} is no problem: {error}") from None
        out.append(problem)
        if len(out) > MOST:
            break
    return out


def posed(problem: Problem) -> Posed:
    """A problem as it goes into a table's log."""
    return Posed(
        BoardText.of(problem.table()),
        dict(problem.awards),
        tuple(problem.opponents_calls),
        f"{problem.set} {problem.board}",
    )


def scripted(calls: tuple[str, ...], auction: Auction) -> Decision:
    """What an opponent of a problem does: the call of its script when that is legal, else pass."""
    word = calls[len(auction)] if len(auction) < len(calls) else _ANY
    call = PASS if word == _ANY else Call.parse(word)
    legal = call if auction.is_legal(call) else PASS
    words = "as the problem has it" if legal != PASS else "nothing"
    return Decision(legal, Meaning(words), engine="problem")


def judge(
    posed: Posed, board: Board, contract: Contract | None, spec: str, side: int, silent: bool
) -> Judged:
    """A contract beside par, beside the awards, and beside what robots bid on the same cards."""
    table = dd.table(board.deal)
    par = dd.par(table, board.vul, board.dealer)
    points = _points(board, contract, table)
    problem = _problem(posed)
    robots = _robots(posed, board, spec, side, silent)
    theirs = _points(board, robots.contract, table)
    sign = 1 if side == Side.NS else -1
    won = None if problem is None else award(problem, contract)
    best = None if problem is None else problem.best
    to_par, to_field = sign * imps(points - par.score), sign * imps(points - theirs)
    robots_won = None if problem is None else award(problem, robots.contract)
    return Judged(
        tricks=None if contract is None else table[contract.strain, contract.declarer],
        score_ns=points,
        par_ns=par.score,
        par=tuple(str(c) for c in par.contracts[:3]),
        imps=to_par,
        award=won,
        best=best,
        best_contracts=() if problem is None else tuple(problem.best_contracts[:4]),
        robots=RobotsBid(
            robots.ascii,
            "passed out" if robots.contract is None else str(robots.contract),
            theirs,
            robots_won,
            _mark(robots_won, best, 0, sign * imps(theirs - par.score)),
        ),
        field_imps=to_field,
        mark=_mark(won, best, to_field, to_par),
    )


def _mark(award: float | None, best: float | None, field: int, par: int) -> float:
    """Of ten: the mean of the contract's award, of the result against the robots' and of the result
    against par; each IMP behind costs a point. Who does what the robots do gets something.

    >>> _mark(0, 10, 0, -6), _mark(10, 10, 2, 0), _mark(None, None, -1, -3)
    (4.7, 10.0, 8.0)
    """
    parts = [max(0.0, 10.0 + min(0, behind)) for behind in (field, par)]
    if award is not None and best:
        parts.append(10.0 * award / best)
    return round(sum(parts) / len(parts), 1)


def _problem(posed: Posed) -> Problem | None:
    if not posed.awards:
        return None
    b = posed.board
    return Problem("", str(b.number), b.dealer, b.vul, {}, dict(posed.awards))


def _points(board: Board, contract: Contract | None, table: dd.Table) -> int:
    if contract is None:
        return 0
    return score(contract, table[contract.strain, contract.declarer], board.vul)


def _robots(posed: Posed, board: Board, spec: str, side: int, silent: bool) -> Auction:
    """The auction of two robots on the practising side against the same opponents."""
    auction = Auction(board.dealer)
    while not auction.is_over:
        if auction.turn & 1 != side and (silent or posed.awards):
            decision: Any = scripted(posed.opponents, auction)
        else:
            decision = thinking.decide(spec, view_of(board, auction))
        auction = auction.then(decision.call)
    return auction


def practising(humans: tuple[str, ...]) -> int:
    """The side that practises: the first person's."""
    return int(Seat.parse(humans[0]) & 1) if humans else 0
