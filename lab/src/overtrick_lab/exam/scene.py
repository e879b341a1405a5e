"""A scene: an ending as its chooser meets it, before it has a history and a contract.
South declares, North is dummy; the chooser is South or a defender."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.cardplay.ending import Ending, shared_out
from overtrick.game.cards import SUIT_BITS

DECLARER, DUMMY = 2, 0
Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class EndingScene:
    """One layout of an ending, of which the chooser sees two hands and who has shown out.

    `hands` do not have the cards of the trick in progress. `barred` are suits a seat has shown out
    of; `need` counts tricks of the chooser's side.
    """

    hands: Four
    strain: int
    leader: int
    trick: tuple[int, ...]
    barred: Four
    need: int
    chooser: int

    @property
    def declaring(self) -> bool:
        return self.chooser == DECLARER

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) & 3

    @property
    def left(self) -> int:
        return self.hands[self.turn].bit_count()

    @property
    def hidden(self) -> tuple[int, int]:
        return (1, 3) if self.declaring else (DECLARER, self.chooser ^ 2)

    def shown(self) -> Four:
        """Suits each seat is known to be out of, the trick in progress included."""
        out = list(self.barred)
        for i, card in enumerate(self.trick):
            if card // 13 != self.trick[0] // 13:
                out[(self.leader + i) & 3] |= SUIT_BITS << 13 * (self.trick[0] // 13)
        return (out[0], out[1], out[2], out[3])

    def is_sound(self) -> bool:
        """Do hands, trick and shown voids go together, and is it the chooser's turn?"""
        counts = [self.hands[(self.leader + i) & 3].bit_count() for i in range(4)]
        done = len(self.trick)
        even = all(c == counts[-1] - (i < done) for i, c in enumerate(counts))
        own = self.turn == self.chooser or (self.declaring and self.turn == DUMMY)
        shown = self.shown()
        return even and own and not any(self.hands[s] & shown[s] for s in range(4))

    def rows(self) -> tuple[Four, ...]:
        """Every layout the chooser must think possible."""
        one, other = self.hidden
        shown = self.shown()
        pairs = shared_out(
            self.hands[one] | self.hands[other],
            (self.hands[one].bit_count(), self.hands[other].bit_count()),
            (shown[one], shown[other]),
        )
        out = []
        for mine, theirs in pairs:
            hands = list(self.hands)
            hands[one], hands[other] = mine, theirs
            out.append((hands[0], hands[1], hands[2], hands[3]))
        return tuple(out)

    def ending(self) -> Ending:
        return Ending(
            self.rows(), self.strain, self.leader, self.trick, self.need, self.chooser, DECLARER
        )

    def likeness(self) -> tuple[object, ...]:
        """The same for scenes that differ in names of suits and in ranks that tell nothing."""
        own = _pattern(self, 0)
        return min(own, _pattern(self, 2)) if self.declaring else own


def _pattern(scene: EndingScene, turned: int) -> tuple[object, ...]:
    shown = scene.shown()
    suits = []
    for suit in range(4):
        row = []
        for card in range(13 * suit + 12, 13 * suit - 1, -1):
            for seat in range(4):
                if scene.hands[seat] >> card & 1:
                    row.append("?" if seat in scene.hidden else str((seat + turned) & 3))
            if card in scene.trick:
                row.append("t" + str(scene.trick.index(card)))
        out = "".join(
            str((s + turned) & 3)
            for s in sorted(range(4), key=lambda s: (s + turned) & 3)
            if shown[s] >> 13 * suit & 1
        )
        if not row:
            suits.append(("", "", ""))  # nobody has any: not even trumps matter
            continue
        suits.append(("T" if suit == scene.strain else "", "".join(row), out))
    where = (scene.leader + turned) & 3
    who = 0 if scene.declaring else scene.chooser
    return (*sorted(suits), where, scene.need, who)
