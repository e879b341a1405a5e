"""Twenty falsecard situations with the frequencies that theory gives, worked out with a pencil.

Both of declarer's hands are in sight of the defenders, as in the literature. Declarer starts as
`path` says; the last card of `path` is the one asked about, played by a defender who holds `held`
(or by declarer, then `held` is empty). `low` and `high` bound its weight in every best strategy:
the product of that player's own frequencies along the path, so for a first card its frequency.

Cards of the path are written seat and rank: "SK W2 N7 EQ". Where nothing else is said a card of a
group of equals stands for the group; `apart` keeps equals apart.

Where the numbers are from. "Restricted choice" (the Official Encyclopedia of Bridge, Reese's The
Expert Game): with touching honours the chance to have had no choice is compared with the chance
to have chosen; a defender's choice is good as long as neither card gives him away, which is the
interval from 1 - r to r with r = (a hand with the single honour) / (a hand with both), turned
round when r is below a half. "Obligatory falsecard" (the Official Encyclopedia, Lawrence's False
Cards): a defender with J9xx must sometimes drop the nine so that a single nine is believed; enough
is the share at which declarer does not gain by believing him. "Ducking" (Kelsey's Killing
Defence): the ace in front of KJ or behind KQT is not taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class Situation:
    name: str
    north: str
    south: str
    tricks: int
    path: str
    held: str
    low: float
    high: float
    why: str
    vacant: tuple[int, int] = (13, 13)
    apart: bool = False


def _ways(missing: int, east: int, vacant: tuple[int, int] = (13, 13)) -> int:
    """Ways to deal East these very cards."""
    return comb(sum(vacant) - missing, vacant[1] - east)


_R9 = _ways(4, 1) / _ways(4, 2)  # a bare honour against queen and jack, nine cards: 11/12
_R9_9 = _ways(4, 1, (9, 13)) / _ways(4, 2, (9, 13))  # 7/12
_R9_7 = _ways(4, 1, (7, 13)) / _ways(4, 2, (7, 13))  # 5/12
_R8 = _ways(5, 1) / _ways(5, 2)  # the same with eight cards: 5/6
_R7 = _ways(6, 2) / _ways(6, 3)  # a doubleton with one honour against three with both: 10/11
_NINE = _ways(5, 1, (9, 13)) / (3 * _ways(5, 4, (9, 13)))  # single nine against J9xx

SITUATIONS = (
    Situation("queen from QJ, nine cards", "AT987", "K654", 5, "SK W2 N7 EQ", "QJ",
              1 - _R9, _R9, "restricted choice", apart=True),
    Situation("queen from QJ, four known elsewhere with West", "AT987", "K654", 5, "SK W2 N7 EQ",
              "QJ", 1 - _R9_9, _R9_9, "restricted choice", (9, 13), True),
    Situation("queen from QJ where the drop is right", "AT987", "K654", 5, "SK W2 N7 EQ", "QJ",
              _R9_7, 1 - _R9_7, "restricted choice: here the drop is the better play",
              (7, 13), True),
    Situation("declarer finesses after an honour", "AT987", "K654", 5, "SK W2 N7 EQ S4 W3 NT", "",
              1, 1, "restricted choice: a bare honour is 6.2 %, half of queen and jack 3.4 %"),
    Situation("queen from QJ with West", "K654", "AT987", 5, "NK E2 S7 WQ", "QJ",
              1 - _R9, _R9, "restricted choice, seen from the other side", apart=True),
    Situation("queen from QJ, eight cards", "AKT98", "432", 5, "NA EQ", "QJ",
              1 - _R8, _R8, "restricted choice", apart=True),
    Situation("queen from QJ, eight cards, East short of places", "AKT98", "432", 5, "NA EQ", "QJ",
              0, 1, "a bare honour is likelier than both: any choice will do", (13, 9), True),
    Situation("king from KQ under the double finesse", "AJT98", "5432", 4, "S2 W6 NJ EK", "KQ",
              1 - _R9, _R9, "restricted choice: a second low card from West leaves the bare king "
              "and both honours", apart=True),
    Situation("jack from JTx on the second round", "AKQ9", "432", 4, "NA E5 S2 W6 S3 W7 NK EJ",
              "JT5", 0, _R7, "restricted choice, and the small card may be kept", apart=True),
    Situation("never both honours from JTx", "AKQ9", "432", 4, "NA EJ S2 W6 S3 W7 NK ET", "JT5",
              0, 0, "who shows both tells that the suit runs"),
    Situation("nine from J9xx, ace led", "K832", "AQT4", 4, "SA W5 N2 E9", "J976",
              1 / 3, 1, "obligatory falsecard: one single nine against three times J9xx"),
    Situation("nine from J9xx, king led", "A832", "KQT4", 4, "SK W5 N2 E9", "J976",
              1 / 3, 1, "obligatory falsecard"),
    Situation("nine from J9xx, ace led from ace and king", "Q832", "AKT4", 4, "SA W5 N2 E9",
              "J976", 1 / 3, 1, "obligatory falsecard"),
    Situation("nine from J9xx with West", "AQT4", "K832", 4, "NA E5 S2 W9", "J976",
              1 / 3, 1, "obligatory falsecard, seen from the other side"),
    Situation("nine from J9xx, East known to be short", "K832", "AQT4", 4, "SA W5 N2 E9", "J976",
              1, 1, "the single nine is likelier than three times J9xx: always", (13, 9)),
    Situation("nine from J9xx, West known to be short", "K832", "AQT4", 4, "SA W5 N2 E9", "J976",
              _NINE, 1, "the single nine is rare: a little is enough", (9, 13)),
    Situation("ace ducked behind KQT", "KQT", "432", 2, "S2 W5 NK E6", "A6",
              14 / 15, 1, "who takes the king shows where to finesse next; a little is covered by "
              "hands with ace and jack, which may take it too"),
    Situation("ace ducked in front of KQT", "KQT", "432", 2, "S2 W5", "A5",
              0, 1, "declarer plays the queen next whatever West does, who has no jack"),
    Situation("ace ducked in front of KJ", "KJ", "32", 1, "S2 W4", "A4",
              1, 1, "taking it saves declarer the guess; West has no queen"),
    Situation("queen kept from Qx behind AKJ", "AKJ", "432", 3, "NA EQ", "Q5",
              0, 0, "dropped, it makes the jack good"),
)  # fmt: skip
