"""Who sits at a table: anything that can call and play; robots pair a bidder with a player.
Remote and human seats implement the same two verbs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from overtrick.bidding import BIDDERS, Bidder, bidder
from overtrick.cardplay import PLAYERS, Player, player
from overtrick.engines import OUTSIDE, Spec, parse_spec, split_outside
from overtrick.game import Decision, View
from overtrick.game.errors import expect
from overtrick.systems import agreed
from overtrick.systems.card import SUFFIXES, is_file

# They name places of this machine, and hear calls but no words.
_MOVED: Final = frozenset({"epbot", "ben"})


class Occupant(Protocol):
    """A seat's brain: bids and plays from its own view only.

    >>> def seated(one: Occupant) -> str:
    ...     return f"{one.name}: {one.system}"
    >>> seated(robot("pass+random"))
    'pass+random: always passes'
    """

    @property
    def name(self) -> str: ...

    @property
    def system(self) -> str: ...

    def bid(self, view: View) -> Decision: ...

    def play(self, view: View) -> Decision: ...


@dataclass(frozen=True, slots=True)
class Robot:
    """A bidder and a card player as one occupant.

    >>> Robot(bidder("points"), player("highest")).name
    'points+highest'
    """

    bidder: Bidder
    player: Player

    @property
    def name(self) -> str:
        return f"{self.bidder.name}+{self.player.name}"

    @property
    def system(self) -> str:
        return self.bidder.system

    def bid(self, view: View) -> Decision:
        return self.bidder.bid(view)

    def play(self, view: View) -> Decision:
        return self.player.play(view)


class Untold(Robot):
    """A robot to which the opponents declare and explain nothing.

    >>> Untold(bidder("points"), player("highest")).name
    'points+highest'
    """

    def bid(self, view: View) -> Decision:
        return self.bidder.bid(view.untold())

    def play(self, view: View) -> Decision:
        return self.player.play(view.untold())


def robot(spec: str) -> Robot:
    """A robot from `bidder` or `bidder+player`; the player defaults to `highest`.

    >>> robot("pass+random").name
    'pass+random'
    """
    bids, plays = bidder_and_player(spec)
    return Robot(bidder(bids), player(plays))


def telling(made: Robot) -> Robot:
    """The same robot at a table where somebody hears what calls show, if that has to be measured.

    >>> telling(robot("pass")).name
    'pass+highest'
    """
    from overtrick.bidding.explained import explaining

    return replace(made, bidder=explaining(made.bidder))


def is_foreign(spec: str) -> bool:
    """Does code that is not ours take part in this robot?

    >>> is_foreign("rules+pimc"), is_foreign("points+./mine.py")
    (False, True)
    """
    bids, plays = bidder_and_player(spec)
    return BIDDERS.is_foreign(bids) or PLAYERS.is_foreign(plays)


def _name_of(part: str) -> str:
    return part.partition("(")[0].strip()


def _hears(spec: str) -> bool:
    """Does code of others take part that is told what calls show? BBA and BEN hear calls only."""
    bids, plays = bidder_and_player(spec)
    of_others = (BIDDERS.is_foreign(bids) and bids, PLAYERS.is_foreign(plays) and plays)
    return any(part and _name_of(part) not in _MOVED for part in of_others)


def is_sealed(spec: str) -> bool:
    """Was all of it that is not ours told to stay in processes of its own?

    >>> is_sealed("rules+./mine.py"), is_sealed("inside(engine='./mine.py')+pimc")
    (True, False)
    """
    bids, plays = bidder_and_player(spec)
    return BIDDERS.is_sealed(bids) and PLAYERS.is_sealed(plays)


def four(ns: str, ew: str, ours: Callable[[str], Robot] = robot) -> list[Robot]:
    """A table's robots, N E S W. Partners share one of `ours`; of robots in which code of others
    takes part each seat has its own, which knows nothing of the other seats, and hears what our
    calls show."""
    made: dict[str, Robot] = {}
    heard = _hears(ns) or _hears(ew)
    seats = []
    for spec in (ns, ew, ns, ew):
        if is_foreign(spec):
            seats.append(robot(spec))
            continue
        if spec not in made:
            made[spec] = telling(ours(spec)) if heard else ours(spec)
        seats.append(made[spec])
    return seats


def as_data(spec: str) -> str:
    """A robot's string that came from a file, if making it starts no program.

    >>> as_data("pass+random")
    'pass+random'
    >>> as_data("points+external(command='touch x')")
    Traceback (most recent call last):
    ...
    overtrick.engines.Untrusted: external(command='touch x') could start a program of its own
    """
    bids, plays = bidder_and_player(spec)
    BIDDERS.as_data(bids), PLAYERS.as_data(plays)
    return spec


def kept(spec: str) -> str:
    """A robot's string as a match keeps it: for the file of a card the card's line. A program from
    outside reads its card itself.

    >>> kept("rules(system='sayc +dont')+pimc")
    "rules(system='sayc +dont')+pimc"
    """
    bids, *plays = split_outside(spec, "+", 1)
    if not any(ending in bids for ending in SUFFIXES):
        return spec
    parsed = parse_spec(bids)
    if parsed.name in OUTSIDE:
        return spec
    options = {
        key: agreed(value) if isinstance(value, str) and is_file(value) else value
        for key, value in parsed.options.items()
    }
    return "+".join([str(Spec(parsed.name, options)), *plays])


def wherever(spec: str) -> str:
    """A robot's string without where its programs from outside are and how long they are waited
    for: they may be moved in the middle of a match.

    >>> wherever("ben(url='http://127.0.0.1:8085', plays=sayc)+ben(seconds=300)")
    'ben(plays=sayc)+ben'
    >>> wherever("epbot(lib=/opt/bba/libEPBot.so, card=cards/BBA-Sayc.bbsa)")
    "epbot(lib='libEPBot.so', card='BBA-Sayc.bbsa')"
    """
    return "+".join(map(_wherever, split_outside(spec, "+", 1)))


def _wherever(spec: str) -> str:
    if _name_of(spec) not in _MOVED:
        return spec
    parsed = parse_spec(spec)
    options = {
        key: value.replace("\\", "/").rpartition("/")[2] if isinstance(value, str) else value
        for key, value in parsed.options.items()
        if key not in ("url", "seconds")
    }
    return str(Spec(parsed.name, options))


def bidder_and_player(spec: str) -> tuple[str, str]:
    """The bidder and the player in a robot's string.

    >>> bidder_and_player("rules+pimc(worlds=20)")
    ('rules', 'pimc(worlds=20)')
    """
    expect(spec, str, "a robot", "text like 'rules' or 'rules+pimc'")
    bids, *plays = split_outside(spec, "+", 1)
    return bids, plays[0] if plays and plays[0] else "highest"
