"""Play analysis: declarer's double-dummy tricks after every card, and what each card cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from overtrick.doubledummy.dds import encode, solver
from overtrick.doubledummy.position import Position
from overtrick.doubledummy.tables import bits_of
from overtrick.game import BridgeError, Card, Deal, Play, Record, Seat
from overtrick.game.errors import expect


@dataclass(frozen=True, slots=True)
class PlayAnalysis:
    """`tricks[i]` is declarer's final number with best play after i cards; `play` is what was led.

    `tricks[0]` is the contract's double-dummy result before the opening lead.

    >>> deal = "N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96"
    >>> found = analyse(Deal.parse(deal), Play.of("3NT N", ["HQ", "H2", "H4", "HK"]))
    >>> found.tricks, [cost for _, _, cost in found.costs()]
    ((10, 10, 10, 10, 10), [0, 0, 0, 0])
    """

    play: Play
    tricks: tuple[int, ...]

    def costs(self) -> Iterator[tuple[Seat, Card, int]]:
        """Every card with its seat and the tricks it gave away (0 for a perfect card)."""
        before = self.tricks[0]
        index = 0
        for trick in self.play.tricks():
            for offset, card in enumerate(trick.cards):
                seat = trick.leader.plus(offset)
                index += 1
                change = self.tricks[index] - before
                lost = -change if seat.side == self.play.declarer.side else change
                yield seat, card, lost
                before = self.tricks[index]


def analyse_play(record: Record) -> PlayAnalysis:
    """Analyse the play of a record; it needs a complete deal and the cards.

    >>> deal = Deal.parse("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96")
    >>> analyse_play(Record(deal=deal, play=Play.of("3NT N", ["HQ"]))).tricks
    (10, 10)
    """
    expect(record, Record, "what is analysed", "a Record")
    if record.deal is None or not record.deal.is_complete:
        raise BridgeError("play analysis needs the complete deal")
    if record.play is None:
        raise BridgeError("the record has no play to analyse")
    return analyse(record.deal.complete(), record.play)


def analyse(deal: Deal, play: Play) -> PlayAnalysis:
    """Analyse a play of a deal; every card is checked against the hand it comes from.

    >>> deal = Deal.parse("N:AKQ2.K53.A84.752 J6.QJT9.KT6.QJ83 T853.A72.QJ3.AK4 974.864.9752.T96")
    >>> analyse(deal, Play.of("3NT N", ["HQ", "HA"])).tricks
    (10, 10, 10)
    """
    expect(play, Play, "a play", "a Play of the deal")
    checked = Play(play.strain, play.opening_leader)
    for card in play.cards:
        checked = checked.then(card, deal[checked.turn])
    start = Position.start(deal, play.strain, play.opening_leader)
    board = encode(bits_of([deal]), start.strain, start.leader, ())[0]
    found = solver().trace(board, play.cards)
    # The library stops before the last trick, which nobody can change.
    found += found[-1:] * (len(play.cards) + 1 - len(found))
    return PlayAnalysis(play, tuple(found))
