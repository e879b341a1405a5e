"""A player who always takes the coach's answer, against the robots' room: what is that worth?

Every board is played twice: by four robots, and with the coach's answers for North and South. A
hint that gives a trick away double dummy although the contract is safe for every lie of the cards
is listed. Boards that are done are kept in a file, and a second run goes on behind them.

    python -m benchmarks.hints --boards 20 --keep hints.jsonl
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from overtrick import doubledummy as dd
from overtrick.cardplay.claim import sure_tricks
from overtrick.cardplay.situation import situation
from overtrick.game import Board, Call, Card, Decision, Meaning, View
from overtrick.game.scoring import imps
from overtrick.table import TableState, play_table
from overtrick.web.thinking import USUAL_BIDDER, USUAL_PLAYER, DisclosingRobot, hint, own_call

# As at a table, but no clock cuts in on a busy machine: the two rooms are compared card by card.
_PLAYER = USUAL_PLAYER.replace(")", ", seconds=120)")


@dataclass
class Pupil:
    """Asks for a hint, and does what it says."""

    robot: DisclosingRobot
    views: list[View] = field(default_factory=list)
    name: str = "pupil"

    @property
    def system(self) -> str:
        return self.robot.system

    def bid(self, view: View) -> Decision:
        answer = hint(self.robot.bidder, view).action
        return own_call(self.robot.bidder, view, int(Call.parse(answer)))

    def play(self, view: View) -> Decision:
        self.views.append(view)
        answer = hint(self.robot.player, view).action
        return Decision(Card.parse(answer), Meaning("a card"), engine="human")


def board(number: int, seed: int) -> dict[str, Any]:
    """One board in both rooms."""
    dealt, robot = Board.random(number, seed), DisclosingRobot(USUAL_BIDDER, _PLAYER)
    pupil = Pupil(robot)  # in both chairs: South plays the cards when North declares
    other = play_table(dealt, [robot] * 4, seed=seed)
    mine = play_table(dealt, [pupil, robot, pupil, robot], seed=seed)
    return {
        "board": number,
        "seed": seed,
        "imps": imps(mine.score() - other.score()),
        "mine": _told(mine),
        "robots": _told(other),
        "same": mine.record().auction == other.record().auction and mine.play == other.play,
        "safe": len(safe := [v for v in pupil.views if _is_safe(v)]),
        "costly": [text for v in safe if (text := _costs(mine, v))],
    }


def _told(state: TableState) -> str:
    return f"{state.contract} {state.score():+}"


def _is_safe(view: View) -> bool:
    """Is the contract made whatever the lie of the cards, by tricks won and certain?"""
    at = situation(view)
    if not at.declaring or view.dummy is None:
        return False
    sure = 0 if at.trick else sure_tricks(at)[0]
    return sure >= at.target


def _costs(state: TableState, view: View) -> str:
    assert view.play is not None
    assert state.play is not None
    card = state.play.cards[len(view.play.cards)]
    worth = dd.solve_all([dd.Position.of_play(state.board.deal, view.play)])[0]
    lost = max(worth.values()) - worth[card]
    return f"card {len(view.play.cards) + 1}: {card.ascii} costs {lost}" if lost else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("hints.jsonl"))
    options = parser.parse_args()
    dd.solver().set_threads(1)
    lines = options.keep.read_text().splitlines() if options.keep.exists() else []
    rows = {(r["board"], r["seed"]): r for r in map(json.loads, lines)}
    for number in range(1, options.boards + 1):
        key = (number, 1000 * options.seed + number)
        if key not in rows:
            rows[key] = board(*key)
            with options.keep.open("a") as out:
                out.write(json.dumps(rows[key], ensure_ascii=False) + "\n")
        row = rows[key]
        costly = f", {'; '.join(row['costly'])}" if row["costly"] else ""
        print(
            f"{number}: {row['mine']}, robots {row['robots']}: {row['imps']:+}{costly}", flush=True
        )
    wanted = [rows[n, 1000 * options.seed + n] for n in range(1, options.boards + 1)]
    found = [r["imps"] for r in wanted]
    error = statistics.stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
    print(
        f"{len(found)} boards: {statistics.mean(found):+.2f} ± {error:.2f} IMPs a board; "
        f"{sum(r['same'] for r in wanted)} card by card as the robots; "
        f"{sum(r['safe'] for r in wanted)} hints in safe contracts, "
        f"{sum(len(r['costly']) for r in wanted)} cost a trick"
    )


if __name__ == "__main__":
    main()
