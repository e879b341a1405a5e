"""Where in an auction two cards of one system can differ at all.

Most switches matter in few auctions. As long as the rules offered so far are the same for both
cards, their calls and what these show are the same, so whoever compares two cards need only bid
again the deals whose auctions pass a place that this module marks.
"""

from __future__ import annotations

from overtrick.systems.compiled import Block
from overtrick.systems.context import Context
from overtrick.systems.syntax import Place
from overtrick.systems.system import System


class Changed:
    """The places where `mine` may bid or read otherwise than `usual`."""

    def __init__(self, usual: System, mine: System) -> None:
        self.usual, self.mine = usual, mine
        self._everywhere = usual.source != mine.source
        names = {n for n, on in usual.switches.items() if mine.switches.get(n) is not on}
        before, after = ({b.text.place for b in s.blocks} for s in (usual, mine))
        asking = {b.text.place for s in (usual, mine) for b in s.blocks if _asks(b, names)}
        self._places: set[Place] = (before ^ after) | asking
        self._auctions = {
            key
            for system in (usual, mine)
            for key, entries in system.index.items()
            if any(block.text.place in self._places for block, _ in entries)
        }

    def at(self, ctx: Context) -> bool:
        """May the player in turn, of the side that plays the card, choose otherwise here?"""
        if self._everywhere or ctx.key in self._auctions or ctx.quiet[ctx.side] in self._auctions:
            return True
        return any(
            block.text.place in self._places
            for system in (self.usual, self.mine)
            for block in system.generic_for(ctx)
        )


def _asks(block: Block, names: set[str]) -> bool:
    """Does a block ask whether one of these conventions is played?"""
    clauses = [*block.text.when, *(clause for rule in block.text.rules for clause in rule.when)]
    return any(f"playing {name}" in clause for clause in clauses for name in names)


__all__ = ["Changed"]
