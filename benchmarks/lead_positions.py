"""Opening leads as teachers would have them: positions of `lead_positions.txt`, and how often an
engine leads one of the right cards. Run

    python -m benchmarks.lead_positions alphamu --out leads.jsonl

The clocks of engines stand still meanwhile, so that a busy machine leads as a quiet one does.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.cardplay import player
from overtrick.engines.clock import counted_by
from overtrick.game import Auction, Board, Card, Deal, Hand, Play, Seat, Systems, View, view_of
from overtrick.game.cards import ALL_CARDS

FILE: Final = Path(__file__).with_suffix(".txt")
SYSTEM: Final = "two-over-one"


@dataclass(frozen=True, slots=True)
class LeadPosition:
    """What West should lead against South, and why."""

    auction: Auction
    hand: Hand
    right: frozenset[Card]
    reason: str
    theme: str

    @classmethod
    def parse(cls, line: str, theme: str) -> LeadPosition:
        calls, cards, right, reason = (part.strip() for part in line.split(" ; "))
        hand = Hand.parse(cards)
        return cls(_declared_by_south(calls), hand, _cards(right, hand), reason, theme)

    def view(self) -> View:
        """West's view. The other cards lie as they come; nobody sees them."""
        rest = [c for c in range(52) if ALL_CARDS & ~self.hand.bits & 1 << c]
        north, east, south = (Hand(sum(1 << c for c in rest[i::3])) for i in range(3))
        board = Board(1, self.auction.dealer, "None", Deal((north, east, south, self.hand)))
        contract = self.auction.contract
        assert contract is not None
        return view_of(board, self.auction, Play.of(contract), systems=Systems(SYSTEM, SYSTEM))


def positions() -> Iterator[LeadPosition]:
    """All of them, in the order of the file."""
    theme = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# -- "):
            theme = line[5:]
        elif line and not line.startswith("#"):
            yield LeadPosition.parse(line, theme)


def _declared_by_south(calls: str) -> Auction:
    for dealer in Seat:
        auction = Auction.parse(calls, dealer).closed()
        if auction.contract is not None and auction.contract.declarer == Seat.SOUTH:
            return auction
    raise ValueError(f"South does not play {calls}")


def _cards(right: str, hand: Hand) -> frozenset[Card]:
    found: set[Card] = set()
    for text in right.split():
        same = {c for c in hand if c.ascii == text or (text[1] == "*" and c.ascii[0] == text[0])}
        if not same:
            raise ValueError(f"{hand} has no {text}")
        found |= same
    return frozenset(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--out", default="")
    parser.add_argument("--every", type=int, default=1, help="the first of so many, …")
    parser.add_argument("--from", type=int, default=0, dest="first", help="… or a later one")
    args = parser.parse_args()
    engine = player(args.engine)
    rows: list[str] = []
    score: dict[str, list[bool]] = {}
    for position in list(positions())[args.first :: args.every]:
        with counted_by(lambda: 0.0):
            decision = engine.play(position.view())
            card = decision.card
        good = card in position.right
        score.setdefault(position.theme, []).append(good)
        row = {
            "auction": " ".join(c.ascii for c in position.auction.calls),
            "hand": str(position.hand), "led": card.ascii, "good": good,
            "right": sorted(c.ascii for c in position.right), "reason": position.reason,
            "values": {c.action.ascii: c.value for c in decision.candidates},
        }  # fmt: skip
        rows.append(json.dumps(row) + "\n")
    if args.out:
        Path(args.out).write_text("".join(rows), encoding="utf-8")
    for theme, told in score.items():
        print(f"{sum(told):4} of {len(told):3}  {theme}")
    every = [good for told in score.values() for good in told]
    print(f"{sum(every):4} of {len(every):3}  {100 * sum(every) / len(every):.1f} %")


if __name__ == "__main__":
    main()
