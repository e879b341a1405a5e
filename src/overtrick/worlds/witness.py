"""A witness says how well hidden hands fit one kind of evidence: what was bid, what was played.

Whoever thinks about hidden cards asks the same witnesses: a bidder who searches, the opening lead,
every later card, the review and the picture of possible hands. docs/howto/witness.md shows how to
add one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final, Protocol

from overtrick.engines.loading import code_of
from overtrick.game import Seat, View
from overtrick.worlds.weighted import Deals, Floats, Worlds


class Witness(Protocol):
    """One kind of evidence about hidden hands."""

    @property
    def cost(self) -> float:
        """Microseconds a layout, roughly: cheap witnesses choose whom the dear ones are asked
        about."""

    def log_likelihood(self, view: View, worlds: Worlds) -> Floats:
        """log P(what was seen | the hands) for every layout, up to a constant.

        The deals are whole hands, as they were before the first card; `hidden_hands` has those
        to speak about. The weights of the worlds say which of them have hope.
        """


def hidden_hands(view: View, worlds: Worlds) -> Iterator[tuple[Seat, Deals]]:
    """The hidden seats with their whole hands, layout by layout. Before the opening lead hands are
    dealt one seat at a time, and weighed each time: then only that seat is among them."""
    known = view.known
    for seat in Seat:
        if seat not in known and (len(worlds) == 0 or worlds.deals[0, seat]):
            yield seat, worlds.deals[:, seat]


NAMED: Final = "OVERTRICK_WITNESSES"
"""The variable that names files or modules of witnesses, for every process that is started; `:` (on
Windows `;`) stands between them."""
_ADDED: Final[dict[str, Witness]] = {}


def add_witness(name: str, witness: Witness) -> None:
    """From now on everybody in this process asks this witness too."""
    _ADDED[name] = witness


def added_witnesses() -> tuple[Witness, ...]:
    """Those that were named to the program, then those added in this process, in that order."""
    named = os.environ.get(NAMED, "")
    return (*(_made(named) if named else ()), *_ADDED.values())


@cache
def _made(names: str) -> tuple[Witness, ...]:
    return tuple(code_of(name, "log_likelihood")() for name in names.split(os.pathsep) if name)


def asked_also(view: View, worlds: Worlds) -> Worlds:
    """The same worlds after what the added witnesses say of them."""
    for witness in added_witnesses():
        worlds = worlds.weighed(witness.log_likelihood(view, worlds))
    return worlds


@contextmanager
def asking_also(witness: Witness) -> Iterator[None]:
    """Ask one more witness for a while: in tests, and to measure what it is worth."""
    name = f"for a while, {len(_ADDED)}"
    add_witness(name, witness)
    try:
        yield
    finally:
        del _ADDED[name]
