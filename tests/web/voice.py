"""Does the program speak with one voice? Boards played by a script that takes every hint.

Every hint's sentences are checked against the cards (`checked`), its question is counted, and the
decision is judged afterwards as in the review, which reads the same record. In some places a
blunder is planted instead, a choice that the record itself values far lower: the verdict should
find it. Boards that are done are kept in a file, and a second run goes on behind them.

    python -m tests.web.voice --boards 20 --keep voice.jsonl
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from overtrick import doubledummy as dd
from overtrick.game import Auction, Board, Call, Decision, Play, View
from overtrick.game.scoring import imps
from overtrick.table import TableState, play_table
from overtrick.web import possible, thinking
from overtrick.web.opinions import Opinion
from overtrick.web.review import Played
from tests.web import checked

BIDDER, PLAYER = thinking.USUAL_BIDDER, thinking.USUAL_PLAYER.replace(")", ", seconds=60)")
SPECS = (BIDDER, BIDDER)
_CARDS = 4  # hinted cards of a board that are judged; all its calls are
_FAR = {"call": 3.0, "card": 2.0}  # IMPs by which a planted choice is worse in the record


@dataclass
class Listener:
    """A player who asks for every hint and does what it says."""

    views: list[tuple[View, Opinion]] = field(default_factory=list)
    name: str = "listener"

    @property
    def system(self) -> str:
        return thinking.bidder_of(BIDDER).system

    def _hinted(self, spec: str, view: View) -> Decision:
        opinion = thinking.opinion(spec, view)
        self.views.append((view, opinion))
        return opinion.found

    def bid(self, view: View) -> Decision:
        return self._hinted(BIDDER, view)

    def play(self, view: View) -> Decision:
        return self._hinted(PLAYER, view)


def board(number: int, seed: int) -> dict[str, Any]:
    """One board: what was said, what is wrong with it, and the verdicts."""
    dealt, listener, robot = (
        Board.random(number, seed),
        Listener(),
        thinking.DisclosingRobot(BIDDER, PLAYER),
    )
    other = play_table(dealt, [robot] * 4, seed=seed)
    state = play_table(dealt, [robot, robot, listener, robot], seed=seed)
    rng = random.Random(seed)
    return {
        "board": number, "seed": seed, "imps": imps((state.score() or 0) - (other.score() or 0)),
        "hints": {"call": _of(listener, False), "card": _of(listener, True)},
        "nudges": [o.told.nudge[-1].id for v, o in listener.views if v.play is not None],
        "faults": [fault for view, o in listener.views for fault in _faults(dealt, view, o)],
        "verdicts": list(_verdicts(state, listener, rng)),
        "planted": list(_planted(state, listener, rng)),
    }  # fmt: skip


def _of(listener: Listener, cards: bool) -> int:
    return sum((view.play is not None) is cards for view, _ in listener.views)


def _faults(dealt: Board, view: View, opinion: Opinion) -> Iterator[str]:
    told = {} if view.play is not None else thinking.heard(BIDDER, view)
    yield from checked.faults(checked.Scene(dealt, view, opinion.found, told, opinion.told))


def _place(view: View) -> int:
    return len(view.auction) if view.play is None else len(view.play.cards)


def _verdicts(state: TableState, listener: Listener, rng: random.Random) -> Iterator[list[Any]]:
    """The kind, the action and the word for decisions that a hint made."""
    at = Played(state.record(), state.board, state.auction, state.play)
    calls = [found for found in listener.views if found[0].play is None]
    cards = [found for found in listener.views if found[0].play is not None]
    for view, opinion in calls + rng.sample(cards, min(_CARDS, len(cards))):
        yield _judged(at, view, opinion, str(opinion.found.action.ascii))


def _judged(at: Played, view: View, opinion: Opinion, done: str) -> list[Any]:
    index, made = _place(view), opinion.found
    if view.play is None:
        considered = [made.call, *(c.action for c in made.candidates if isinstance(c.action, Call))]
        verdict = possible.call_fault(at, index, SPECS, considered=considered[:4])
    else:
        verdict = possible.card_fault(at, index, SPECS)
    kind = "call" if view.play is None else "card"
    return [kind, done, verdict.word, round(verdict.loss, 2), round(verdict.error, 2)]


def _planted(state: TableState, listener: Listener, rng: random.Random) -> Iterator[list[Any]]:
    """At most one call and one card that the record values far lower than its own choice."""
    for kind in ("call", "card"):
        places = [
            (view, opinion, candidate.action)
            for view, opinion in listener.views
            if (view.play is None) == (kind == "call")
            for candidate in opinion.found.candidates
            if (worse := _worse(opinion.found, candidate.action)) is not None
            and worse >= _FAR[kind]
        ]
        if places:
            view, opinion, action = rng.choice(places)
            yield _judged(_with(state, view, action), view, opinion, action.ascii)


def _worse(made: Decision, action: Any) -> float | None:
    """How much lower a choice is in the record, less twice its error."""
    values = {c.action: (c.value, c.error or 0.0) for c in made.candidates}
    (best, _), (value, error) = values.get(made.action, (None, 0.0)), values[action]
    return None if best is None or value is None else best - value - 2 * error


def _with(state: TableState, view: View, action: Any) -> Played:
    """The board up to a place, and another action there."""
    if view.play is None:
        auction = Auction(state.board.dealer, view.auction.calls).then(action)
        record = replace(state.record(), auction=auction, play=None, contract=None, tricks=None)
        return Played(record, state.board, auction, None)
    play = Play(view.play.strain, view.play.opening_leader, (*view.play.cards, action))
    record = replace(state.record(), play=play, tricks=None)
    return Played(record, state.board, state.auction, play)


def report(rows: list[dict[str, Any]]) -> str:
    """What was seen on these boards."""
    found = [r["imps"] for r in rows]
    nudges = Counter(n for r in rows for n in r["nudges"])
    total = max(1, nudges.total())
    lines = [f"{len(rows)} boards, {sum(found) / len(rows):+.2f} IMPs a board against robots"]
    counts = {k: sum(r["hints"][k] for r in rows) for k in ("call", "card")}
    lines.append(f"{counts['call']} calls and {counts['card']} cards by hint")
    for name in ("verdicts", "planted"):
        for kind in ("call", "card"):
            words = Counter(v[2] for r in rows for v in r[name] if v[0] == kind)
            lines.append(f"{name} on {kind}s: {dict(words)}")
    lines.append("questions: " + ", ".join(
        f"{name} {100 * n / total:.1f} %" for name, n in nudges.most_common(8)))  # fmt: skip
    wrong = [fault for r in rows for fault in r["faults"]]
    lines += [f"{len(wrong)} sentences that their cards contradict", *wrong]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--keep", type=Path, default=Path("voice.jsonl"))
    options = parser.parse_args()
    dd.solver().set_threads(1)
    lines = options.keep.read_text().splitlines() if options.keep.exists() else []
    rows = [json.loads(line) for line in lines]
    for number in range(len(rows) + 1, options.boards + 1):
        rows.append(board(number, 4000 + number))
        with options.keep.open("a") as out:
            out.write(json.dumps(rows[-1], ensure_ascii=False) + "\n")
    sys.stdout.write(report(rows[: options.boards]) + "\n")


if __name__ == "__main__":
    main()
