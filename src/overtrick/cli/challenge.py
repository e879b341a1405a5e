"""`overtrick challenge`: an engine bids a set of problems and earns awards, or plays the exam.
The work is in `arena.challenge` and in `exam`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from overtrick.cli.common import coloured, console, echo_json, progress, usual
from overtrick.cli.running import backend_of, where_option

if TYPE_CHECKING:
    from overtrick.arena import Backend
    from overtrick.arena.challenge import Problem, ProblemAnswer
    from overtrick.cardplay import Player
    from overtrick.exam.questions import ExamAnswer, Question

_EXAM: Final = "technique"
_EXAMINED: Final = "alphamu(knowledge=cards)"  # what went before is made up and tells nothing


@click.command("challenge")
@click.argument("source", required=False)
@click.option("--engine", help="Who bids North-South (partner), or plays the exam (alphamu).")
@click.option("--set", "only", help="Only this set of the file, or this kind of the exam.")
@where_option
@click.option("--totals", "short", is_flag=True, help="Only the totals.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    source: str | None,
    engine: str | None,
    only: str | None,
    workers: str,
    ray: str | None,
    short: bool,
    as_json: bool,
) -> None:
    """Bid problems with awards for each contract, or find the one right card.

    SOURCE is one of the sets that come with Overtrick, or a file of problems (JSON lines, see
    docs/howto/match.md); the opponents follow the problem's script. Without it the sets are listed.
    "technique" is the exam of card play, by kinds: avoidance, unblocking and others. A file of such
    questions (docs/howto/technique.md) can be given instead.

    \b
    Examples:
      overtrick challenge
      overtrick challenge slams --engine pragma
      overtrick challenge technique --engine "pimc(knowledge=cards)" --totals
      overtrick challenge technique --set avoidance
      overtrick challenge problems.jsonl --engine "rules(system=two-over-one)" --set pavlicek-1
    """
    from overtrick.arena.challenge import solve, totals
    from overtrick.table import robot

    backend = backend_of(workers, ray)
    if source is not None and _is_exam(source):
        _examine(source, engine or _EXAMINED, only, short, as_json, backend)
        return
    engine = engine or usual()
    robot(engine)
    if source is None:
        _list(as_json)
        return
    problems = _problems(source, only)
    answers: list[ProblemAnswer] = []
    with progress("bidding problems", len(problems)) as update:
        for answer in solve(engine, problems, backend):
            answers.append(answer)
            update(len(answers), len(problems))
    sums = totals(answers)
    if as_json:
        echo_json(
            {
                "engine": engine,
                "totals": {name: list(pair) for name, pair in sums.items()},
                "problems": [_plain(a) for a in answers],
            }
        )
        return
    if not short:
        _show(answers)
    for name, (earned, possible) in sums.items():
        click.echo(f"{name}: {earned:g} of {possible:g} ({100 * earned / possible:.1f} %)")


def _is_exam(source: str) -> bool:
    """The shipped exam, or a file whose first line is a question of one."""
    path = Path(source)
    if source == _EXAM or not path.is_file():
        return source == _EXAM
    with path.open("rb") as file:
        return b'"answers"' in file.readline(4096)


def _examine(
    source: str, engine: str, only: str | None, short: bool, as_json: bool, backend: Backend
) -> None:
    from overtrick.arena.run import in_order, run_jobs
    from overtrick.cardplay import player
    from overtrick.exam.questions import load, shipped
    from overtrick.exam.report import report

    questions = list(shipped()) if source == _EXAM else load(Path(source))
    if only:
        questions = [q for q in questions if only in (q.kind, q.side)]
        if not questions:
            raise click.UsageError(f"no question is of the kind {only!r}")
    name = player(engine).name
    answers = []
    with progress("questions", len(questions)) as update:
        for answer in in_order(run_jobs(_asked, [(engine, q) for q in questions], backend)):
            answers.append(answer)
            update(len(answers), len(questions))
    found = report(name, answers)
    if as_json:
        echo_json(found.plain())
        return
    if not short:
        for line in found.faults():
            console().print(coloured(line))
    console().print(coloured(found.table()))


def _asked(task: tuple[str, Question]) -> ExamAnswer:
    """One question of the exam; runs in a worker."""
    from overtrick.exam.questions import ask

    return ask(_player(task[0]), task[1])


@lru_cache(maxsize=1)
def _player(spec: str) -> Player:
    from overtrick.cardplay import player

    return player(spec)


def _list(as_json: bool) -> None:
    from overtrick.arena.problemsets import shipped
    from overtrick.exam.questions import shipped as exam

    rows = [(s.name, s.title, s.words, len(s.problems)) for s in shipped()]
    rows.append((_EXAM, "Technique", "Card play: one right card, proved.", len(exam())))
    if as_json:
        echo_json([dict(zip(("name", "title", "words", "problems"), r, strict=True)) for r in rows])
        return
    for name, _, words, count in rows:
        console().print(coloured(f"{name:<12} {count:>4} problems  {words}"))


def _problems(source: str, only: str | None) -> list[Problem]:
    from overtrick.arena.challenge import load
    from overtrick.arena.problemsets import shipped

    named = {s.name: list(s.problems) for s in shipped()}
    if source in named:
        return named[source]
    if not Path(source).is_file():
        raise click.UsageError(
            f"there is no file {source!r}, and the sets are {', '.join([*named, _EXAM])}"
        )
    return load(Path(source), only)


def _plain(answer: ProblemAnswer) -> dict[str, object]:
    p = answer.problem
    return {
        "set": p.set,
        "board": p.board,
        "auction": answer.auction,
        "contract": answer.contract,
        "award": answer.award,
        "best": p.best,
        "best_contracts": p.best_contracts,
    }


def _pretty(text: str) -> str:
    """A call or contract with its suit's symbol: 6S is 6♠."""
    return re.sub(r"\b([1-7])([CDHS])(?=X*\b)", lambda m: m[1] + "♣♦♥♠"["CDHS".index(m[2])], text)


def _show(answers: list[ProblemAnswer]) -> None:
    from rich.table import Table

    table = Table("problem", "auction", "contract", "award", "best")
    for a in answers:
        p = a.problem
        best = coloured(f"{p.best:g} for {', '.join(_pretty(c) for c in p.best_contracts)}")
        auction = coloured(" ".join(_pretty(c) for c in a.auction.split()))
        contract = coloured(_pretty(a.contract))
        table.add_row(f"{p.set} {p.board}", auction, contract, f"{a.award:g}", best)
    console().print(table)
