"""The rules engine: the first rule, by priority, that the hand satisfies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from overtrick.bidding.base import NONE, Pair
from overtrick.engines import Spec
from overtrick.engines.terms import Cost, Offer
from overtrick.game import CALLS, Auction, Candidate, Decision, Meaning, View, Vulnerability
from overtrick.game.reasons import Agreed, Reason, Remark
from overtrick.systems import Reading, agreed, declared, library_names, load
from overtrick.systems.context import Context
from overtrick.systems.meanings import call_meaning, turned_vul
from overtrick.systems.reading import OfferedCall, last_resort
from overtrick.systems.shows import HandValues, holds
from overtrick.systems.system import title_of

if TYPE_CHECKING:
    from overtrick.systems.explain import Explained

_MOST_CANDIDATES = 6


@lru_cache(maxsize=16)
def reading_of(ours: str, theirs: str) -> Reading:
    """One shared reading for a pair of systems: contexts stay warm between engines."""
    mine = load(ours)
    return Reading(mine, load(theirs) if theirs and theirs != ours else mine)


@lru_cache(maxsize=4096)
def hand_values(bits: int) -> HandValues:
    """Feature values of a hand, kept while the hand is being bid."""
    return HandValues(bits)


class RulesBidder:
    """Bids a system of the library, or a card: its line, its file, or a folder of rule files.

    `theirs` is the opponents' system; empty means what they declared, or else our own.
    `on` and `off` are switches of the convention card, separated by commas or spaces.
    """

    cost: ClassVar = Cost.INSTANT

    @classmethod
    def offers(cls) -> Iterator[Offer]:
        """Every system of the library."""
        for system in library_by_use():
            words = f"{title_of(system)}, by the letter of its rules"
            yield Offer(f"rules(system={system})", words, system)

    def __init__(self, system: str = "sayc", theirs: str = "", on: str = "", off: str = "") -> None:
        self._system = agreed(system, on, off)
        self._theirs = theirs and agreed(theirs)
        self._reading = reading_of(self._system, self._theirs)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what it plays, not as the rules that this makes of it."""
        return RulesBidder, (self._system, self._theirs)

    @property
    def name(self) -> str:
        options = {"system": self._system, "theirs": self._theirs}
        return str(Spec("rules", {k: v for k, v in options.items() if v}))

    @property
    def system(self) -> str:
        return self._system

    def reading(self, view: View) -> Reading:
        """How this seat reads the auction: our system and theirs."""
        theirs = declared(view.systems.theirs)
        if self._theirs or theirs in ("", self._system):
            return self._reading
        return reading_of(self._system, theirs)

    def meaning(self, view: View, call: int) -> Meaning:
        """What the system says of a call: every way to make it."""
        reading = self.reading(view)
        return call_meaning(reading, context_of(reading, view), call)

    def explain(
        self, auction: Auction, vul: Vulnerability, systems: Pair = NONE, *, samples: int = 2
    ) -> tuple[list[Explained], list[Explained]]:
        """What the rules say, with hands that they bid so."""
        from overtrick.bidding.explained import by_rules

        return by_rules(self, reading_of(self._system, systems[1]), auction, vul, samples)

    def bid(self, view: View) -> Decision:
        started = perf_counter()
        reading = self.reading(view)
        ctx = context_of(reading, view)
        values = hand_values(view.hand.bits)
        options = reading.options(ctx)
        fits: list[OfferedCall] = []
        for option in options:
            if len(fits) == _MOST_CANDIDATES:
                break
            if all(option.call != f.call for f in fits) and holds(option.items, values):
                fits.append(option)
        if not fits:  # a generic meaning that a special one had displaced
            rest = (o for o in reading.displaced(ctx) if holds(o.items, values))
            fits.extend(o for o in (next(rest, None),) if o is not None)
        if fits:
            chosen = fits[0]
            call = chosen.call
            # Opponents are told the agreement: every way to make the call, not this hand's.
            meaning = call_meaning(reading, ctx, call)
            reason: Reason = Agreed(chosen.words, chosen.rule.id, chosen.priority)
        else:
            call = last_resort(ctx, values)
            meaning = Meaning("outside the system")
            reason = Remark.NO_RULE
        # Priorities rank rules and are worth nothing: a candidate has no value here.
        candidates = tuple(
            Candidate(CALLS[o.call], note=o.words, details={"priority": o.priority}) for o in fits
        )
        return Decision(
            CALLS[call], meaning, candidates, reasons=(reason,), seed=view.seed, engine=self.name,
            milliseconds=(perf_counter() - started) * 1000,
        )  # fmt: skip


def context_of(reading: Reading, view: View) -> Context:
    """The context of a view, with our own side on the reading's first system."""
    calls = tuple(int(c) for c in view.auction.calls)
    vul = turned_vul(view.vul, view.dealer)
    return reading.context(calls, vul, int(view.dealer & 1 != view.seat & 1))


def library_by_use() -> list[str]:
    """The systems of the library in the order in which they are offered: the usual one first, the
    one that is a part of the others last."""
    return sorted(library_names(), key=lambda s: (s != "two-over-one", s == "natural", s))


def set_card(engine: Any) -> None:
    """Give an engine, while it is made, the line of the card it plays for the names, files and
    switches it was asked to play: that line is what it declares."""
    for name in ("system", "theirs"):
        text = getattr(engine, name, "")
        if text and text != "pass":
            switches = [getattr(engine, k, "") if name == "system" else "" for k in ("on", "off")]
            object.__setattr__(engine, name, agreed(text, *switches))
    for name in ("on", "off"):
        if hasattr(engine, name):
            object.__setattr__(engine, name, "")
