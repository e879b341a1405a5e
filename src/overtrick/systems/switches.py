"""The switches of a convention card: what each convention is, what it needs, what it excludes, and
how a change of some of them settles the others.

Switching one on brings what it needs and takes away what it excludes; switching one off takes away
what needs it. What somebody asked for by name is never undone in silence: two wishes that cannot
both come true are an error of one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from overtrick.systems.errors import UnknownSystem, did_you_mean
from overtrick.systems.syntax import ConventionText


@dataclass(frozen=True, slots=True)
class Convention:
    """A named agreement of a system, as a card shows it.

    >>> from overtrick.systems import load
    >>> stayman = next(c for c in load("sayc").conventions if c.name == "stayman")
    >>> stayman.on, stayman.topic
    (True, 'Notrump')
    """

    name: str
    title: str
    about: str  # one line for a player
    players: str  # who plays it
    gives_up: str  # what its calls were good for otherwise
    topic: str  # the part of a card it stands in
    needs: tuple[str, ...]
    excludes: tuple[str, ...]
    fixed: bool  # part of the system, cannot be switched off
    standard: bool  # is it on when nobody changes anything?
    on: bool

    @property
    def is_changed(self) -> bool:
        return self.on is not self.standard


Told = Mapping[str, ConventionText]


def merged(told: dict[str, ConventionText], more: Iterable[ConventionText]) -> None:
    """What another file says: the first title stays, the first explanation that there is too."""
    for new in more:
        old = told.get(new.name)
        told[new.name] = new if old is None else replace(
            old, about=old.about or new.about, topic=old.topic or new.topic,
            players=old.players or new.players, gives_up=old.gives_up or new.gives_up,
            needs=(*old.needs, *(n for n in new.needs if n not in old.needs)),
            excludes=(*old.excludes, *(n for n in new.excludes if n not in old.excludes)),
            fixed=old.fixed or new.fixed,
        )  # fmt: skip


def exclude_each_other(told: dict[str, ConventionText], group: Iterable[str]) -> None:
    """At most one of the group is played."""
    names = [n for n in group if n in told]
    for name in names:
        others = tuple(n for n in names if n != name and n not in told[name].excludes)
        told[name] = replace(told[name], excludes=(*told[name].excludes, *others))


def settled(
    told: Told, standard: Mapping[str, bool], on: Iterable[str], off: Iterable[str], system: str,
    one_of: Iterable[tuple[str, ...]] = (),
) -> dict[str, bool]:  # fmt: skip
    """All switches once these are on and those are off; of each group of `one_of` one is played."""
    wanted, unwanted = list(dict.fromkeys(on)), list(dict.fromkeys(off))
    for name in (*wanted, *unwanted):
        if name not in told:
            hint = did_you_mean(name, told)
            raise UnknownSystem(
                f"{system} has no convention {name!r}" + (f"; {hint}" if hint else "")
            )
    for name in unwanted:
        if name in wanted:
            raise UnknownSystem(f"{name} cannot be both on and off")
        if told[name].fixed:
            raise UnknownSystem(f"{name} is part of {system} and cannot be switched off")
    switches = dict(standard)
    for name in wanted:
        _turn_on(told, switches, name, frozenset(wanted), frozenset(unwanted), system)
    for name in unwanted:
        _turn_off(told, switches, name, frozenset(wanted), system)
    for group in one_of:
        if not any(switches.get(n) for n in group):
            left = [n for n in group if n in told and n not in unwanted]
            if not left:
                raise UnknownSystem(f"{system} must play one of {', '.join(group)}")
            _turn_on(told, switches, left[0], frozenset(wanted), frozenset(unwanted), system)
    return switches


def _turn_on(
    told: Told, switches: dict[str, bool], name: str, wanted: frozenset[str],
    unwanted: frozenset[str], system: str,
) -> None:  # fmt: skip
    switches[name] = True
    for other in rivals(told, name):
        if other in wanted:
            both = " and ".join(sorted((name, other)))
            raise UnknownSystem(f"{both} cannot be played together")
        if switches.get(other):
            if told[other].fixed:
                raise UnknownSystem(f"{name} cannot be played with {other}, a part of {system}")
            _turn_off(told, switches, other, wanted, system)
    for other in told[name].needs:
        if other in unwanted:
            raise UnknownSystem(f"{name} needs {other}, which is off")
        if other not in told:
            raise UnknownSystem(f"{name} needs {other}, which {system} does not have")
        if not switches.get(other):
            _turn_on(told, switches, other, wanted, unwanted, system)


def _turn_off(
    told: Told, switches: dict[str, bool], name: str, wanted: frozenset[str], system: str
) -> None:
    switches[name] = False
    for other, text in told.items():
        if name in text.needs and switches.get(other):
            if other in wanted:
                raise UnknownSystem(f"{other} needs {name}, which is off")
            if text.fixed:
                raise UnknownSystem(f"{other}, a part of {system}, needs {name}")
            _turn_off(told, switches, other, wanted, system)


def rivals(told: Told, name: str) -> tuple[str, ...]:
    """What cannot be played beside it, whichever of the two says so."""
    return tuple(n for n, t in told.items() if n in told[name].excludes or name in t.excludes)


__all__ = ["Convention", "exclude_each_other", "merged", "rivals", "settled"]
