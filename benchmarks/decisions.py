"""What every engine decides on fixed boards, a line a board, with the clocks of engines stopped:
two runs of one program give the same file on any machine. A change of the code that is not meant to
change play proves it with a file from before and one from after.

    python -m benchmarks.decisions partner pimc --boards 100 --out before.jsonl
    python -m benchmarks.decisions partner pimc --boards 100 --against before.jsonl

A line has a hash of the decisions (action, meaning, candidates with values and errors, worlds) and
one of what was said of them (reasons and notes). The small log in tests/golden is made likewise.

Of four boards that players play one was bid by strangers, one by a system that was declared and
explained, one by a learned style, and one comes without an auction: cards are read differently
after each. `people` in place of an engine stands for what people are told: who holds which card,
and what the cards of a board cost.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from overtrick.bidding import BIDDERS, bid_board, bidder
from overtrick.cardplay import player
from overtrick.cardplay.holders import could_be, holders
from overtrick.cardplay.review import review_play, without_auction
from overtrick.cardplay.situation import situation
from overtrick.engines.clock import counted_by
from overtrick.game import Board, Decision, Meaning, Play, Strain, Systems, View, view_of
from overtrick.game.auction import Auction
from overtrick.game.calls import Call

SEED: Final = 20_000
_BID_BY: Final = ("points", "rules(system=sayc)", "policy", "")  # board by board; "": by nobody
_CARDS: Final = (0, 1, 14, 30, 41)  # after so many cards people are told who holds which
PEOPLE: Final = "people"


def lines(spec: str, boards: int, first: int = 1) -> Iterator[dict[str, Any]]:
    """The log of one engine: its decisions on boards first, first + 1, …"""
    for number in range(first, first + boards):
        if spec == PEOPLE:
            yield told(number)
            continue
        made = list(decisions(spec, number))
        decided = digest(map(facts, made))
        said = digest((d.why, *(c.note for c in d.candidates)) for d in made)
        yield {"engine": spec, "board": number, "count": len(made), "decisions": decided,
               "said": said}  # fmt: skip


def decisions(spec: str, number: int) -> list[Decision]:
    """All calls of a board bid by four of the engine, or all its cards played by four of them in
    the contract that simple bidders reach."""
    board = Board.random(number, seed=SEED + number)
    with counted_by(lambda: 0.0):
        if spec.partition("(")[0] in BIDDERS.names():
            return bid_board(board, [bidder(spec)] * 4)[1]
        return _played(spec, number, _bid(board, number))


@dataclass(frozen=True, slots=True)
class _Bid:
    """A board as it was bid, with what the seats hear of it."""

    board: Board
    auction: Auction
    meanings: tuple[Meaning | None, ...] = ()
    system: str = ""

    def view(self, play: Play) -> View:
        declared = Systems(self.system, self.system)
        return view_of(
            self.board, self.auction, play, meanings=self.meanings, systems=declared
        )  # fmt: skip


def _bid(board: Board, number: int) -> _Bid:
    name = _BID_BY[(number - 1) % len(_BID_BY)]
    who = bidder(name or "points")
    auction, made = bid_board(board, [who] * 4)
    if auction.contract is None:
        return _Bid(board, Auction(board.dealer).then(Call.bid(1, Strain.NT)).closed())
    if not name:
        return _Bid(board, *without_auction(auction.contract))
    if name == "points":
        return _Bid(board, auction)
    return _Bid(board, auction, tuple(d.meaning for d in made), who.system)


def _played(spec: str, number: int, bid: _Bid) -> list[Decision]:
    who = player(spec)
    contract = bid.auction.contract
    assert contract is not None
    play, made = Play.of(contract), []
    while not play.is_over:
        made.append(who.play(bid.view(play)))
        play = play.then(made[-1].card, bid.board.deal[play.turn])
    return made


def told(number: int) -> dict[str, Any]:
    """What people are told of a board whose cards were played from the top: who holds which card at
    several stages, and what each of the last cards cost."""
    board = Board.random(number, seed=SEED + number)
    with counted_by(lambda: 0.0):
        bid = _bid(board, number)
        contract = bid.auction.contract
        assert contract is not None
        play, held = Play.of(contract), []
        while not play.is_over:
            if len(play) in _CARDS:
                held.append(holders(could_be(situation(bid.view(play)))).tolist())
            legal = play.legal_cards(board.deal[play.turn]).cards()
            play = play.then(legal[0])
        meanings = tuple(m or Meaning("") for m in bid.meanings)
        costs = review_play(board, bid.auction, play, worlds=4, meanings=meanings)
    return {"engine": PEOPLE, "board": number, "count": len(held) + len(costs),
            "decisions": digest(held), "said": digest(costs)}  # fmt: skip


def facts(decision: Decision) -> tuple[object, ...]:
    """All that was decided, without a word of why."""
    values = [
        (c.action.ascii, c.value, c.error, sorted(_plain(c.details).items()))
        for c in decision.candidates
    ]
    meaning = decision.meaning.to_dict()
    return decision.action.ascii, meaning, values, decision.worlds, decision.seed, decision.cut


def _plain(details: Any) -> dict[str, object]:
    return {k: v for k, v in details.items() if v is None or isinstance(v, bool | int | float)}


def digest(values: Iterable[object]) -> str:
    """Sixteen digits that stand for the values; numbers count to the last bit."""
    found = hashlib.sha256()
    for value in values:
        found.update(repr(value).encode() + b"\n")
    return found.hexdigest()[:16]


def differences(made: Iterable[dict[str, Any]], known: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Where two logs of the same boards differ, a line each."""
    before = {(line["engine"], line["board"]): line for line in known}
    for line in made:
        old = before.get((line["engine"], line["board"]))
        where = f"{line['engine']}, board {line['board']}"
        if old is None:
            yield f"{where}: not in the log"
        elif old["decisions"] != line["decisions"]:
            yield f"{where}: other decisions"
        elif old["said"] != line["said"]:
            yield f"{where}: the same decisions, other words"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("engines", nargs="+", help="bidders and players, e.g. partner alphamu")
    parser.add_argument("--boards", type=int, default=20, help="of each engine")
    parser.add_argument("--first", type=int, default=1, help="the first board")
    parser.add_argument("--out", type=Path, help="the log goes here; else to the screen")
    parser.add_argument("--against", type=Path, help="compare with a log made before")
    options = parser.parse_args()
    known = read(options.against) if options.against else None
    made = []
    with options.out.open("w", encoding="utf-8") if options.out else sys.stdout as out:
        for spec in options.engines:
            for line in lines(spec, options.boards, options.first):
                made.append(line)
                if known is None or options.out:
                    out.write(json.dumps(line) + "\n")
                    out.flush()
        found = list(differences(made, known)) if known is not None else []
        if known is not None:
            count = sum(line["count"] for line in made)
            summary = f"{count} decisions on {len(made)} boards, {len(found)} differences"
            sys.stdout.write("\n".join([*found, summary]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
