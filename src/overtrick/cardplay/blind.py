"""A defender who asks what to play against a declarer who does not see his cards."""

from __future__ import annotations

from dataclasses import dataclass, field

from overtrick.cardplay.ending import Ending, Front, shared_out
from overtrick.cardplay.endings import NODES, EndingSolver
from overtrick.engines.clock import Clock


@dataclass(frozen=True, slots=True)
class Defence:
    """A defender's question: the layouts, and which suits each seat is known to be out of.

    Declarer plays the line that is best for who sees two hands, over every layout that declarer
    must think possible; the defenders, who see everything, defend against that line. `need` are
    the tricks the defenders want, from here on.
    """

    game: Ending
    barred: tuple[int, int, int, int]
    merge: bool = True
    most: int = NODES  # nodes for all of declarer's questions together
    clock: Clock | None = None
    spent: list[int] = field(default_factory=lambda: [0], compare=False)

    def cards(self) -> tuple[int, ...]:
        """The defender's cards, one of each that touch, high ones first."""
        solver = EndingSolver(self.game)
        return tuple(card for card, _ in solver.moves(solver.root))

    def beaten(self, card: int, surely: int = 0) -> list[float]:
        """For every layout the chance that the contract is beaten after this card.

        Where declarer has several lines that are equally good, each is as likely. `surely` are
        layouts in which it is beaten even if declarer sees all cards.
        """
        game = self.game
        lines: dict[int, tuple[dict[int, int], Front]] = {}
        out = []
        for w, row in enumerate(game.hands):
            if surely >> w & 1:
                out.append(1.0)
                continue
            held = row[game.declarer]
            if held not in lines:
                lines[held] = self._lines(row, card)
            index, best = lines[held]
            bit = index[row[game.chooser ^ 2]]
            out.append(sum(not v >> bit & 1 for v in best) / len(best))
        return out

    def _lines(self, row: tuple[int, int, int, int], card: int) -> tuple[dict[int, int], Front]:
        """Declarer's best vectors after a card, and the layout each hand of partner's is."""
        game = self.game
        me, partner = game.chooser, game.chooser ^ 2
        mine = row[me] & ~(1 << card)
        pairs = shared_out(
            mine | row[partner],
            (row[partner].bit_count(), mine.bit_count()),
            (self.barred[partner], self.barred[me]),
        )
        rows = []
        for theirs, ours in pairs:
            hands = list(row)
            hands[partner], hands[me] = theirs, ours
            rows.append((hands[0], hands[1], hands[2], hands[3]))
        index = {theirs: i for i, (theirs, _) in enumerate(pairs)}
        need = row[me].bit_count() - game.need + 1
        trick = (*game.trick, card)
        leader = game.leader
        if len(trick) == 4:
            # Who wins is seen by everybody: the next trick is declarer's question.
            winner = (leader + _winner(trick, game.strain)) & 3
            need -= (winner ^ game.declarer) & 1 == 0
            left = row[me].bit_count() - 1
            if need <= 0 or need > left:
                return index, [((1 << len(rows)) - 1) if need <= 0 else 0]
            leader, trick = winner, ()
        seen = Ending(tuple(rows), game.strain, leader, trick, need, game.declarer, game.declarer)
        rest = self.most - self.spent[0]
        solver = EndingSolver(seen, merge=self.merge, most=rest, clock=self.clock)
        front = solver.front(solver.root, solver.every)
        self.spent[0] += solver.nodes
        top = max(v.bit_count() for v in front)
        return index, [v for v in front if v.bit_count() == top]


def _winner(trick: tuple[int, ...], strain: int) -> int:
    led = trick[0] // 13
    return max(
        range(len(trick)),
        key=lambda i: (
            trick[i] + 52 * (trick[i] // 13 == strain) if trick[i] // 13 in (led, strain) else -1
        ),
    )
