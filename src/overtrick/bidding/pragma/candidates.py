"""The calls pragma weighs: those the system allows the hand, and those it nearly allows. The first
one is what the rules would call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from overtrick.bidding.constants import PRAGMA_STRETCH
from overtrick.bidding.rules import hand_values
from overtrick.evaluation import HandArray
from overtrick.game import CALLS, View
from overtrick.game.meaning import SpeechAct
from overtrick.systems import OfferedCall, Reading
from overtrick.systems.context import Context
from overtrick.systems.meanings import option_constraint
from overtrick.systems.reading import last_resort
from overtrick.systems.shows import holds
from overtrick.worlds.satisfaction import shortfall

_BINDING: Final = (SpeechAct.ANSWERING, SpeechAct.PROMISING)


@dataclass(frozen=True, slots=True)
class CallChoice:
    """A call that might be made: what it says, and how far the hand is from saying the truth."""

    call: int
    words: str
    lie: float = 0.0
    rank: float = 0.0  # the priority of its rule

    def __str__(self) -> str:
        return str(CALLS[self.call])


def choices(
    reading: Reading, ctx: Context, view: View, *, most: int = 6, stretch: float = 2.0
) -> list[CallChoice]:
    """The rules' call first, then others the hand fits or misses by a little, by the priority of
    their rules; passing, where it is allowed, is always among them.

    `stretch` is how far a hand may be from what a call shows, in points or twice the cards
    missing; 0 keeps to the system.
    """
    values = hand_values(view.hand.bits)
    options = reading.options(ctx)
    fits: dict[int, CallChoice] = {}
    for option in options:
        if option.call not in fits and holds(option.items, values):
            fits[option.call] = CallChoice(option.call, option.words, rank=option.priority)
    if fits:
        first = next(iter(fits.values()))
    else:
        found = reading.choose(ctx, values)
        call = last_resort(ctx, values) if found is None else found.call
        first = CallChoice(call, "no rule fits this hand" if found is None else found.words)
    rest = {c.call: c for c in fits.values()}
    for choice in near_misses(options, view, stretch) if stretch > 0 else ():
        rest.setdefault(choice.call, choice)
    quiet = rest.pop(0, CallChoice(0, "nothing more to say", stretch / 2))
    rest.pop(first.call, None)
    ranked = sorted(rest.values(), key=lambda c: PRAGMA_STRETCH * c.lie - c.rank)
    if first.call == 0 or ctx.forced:
        return [first, *ranked][:most]
    return [first, *ranked[: max(0, most - 2)], quiet][:most]


def near_misses(options: list[OfferedCall], view: View, stretch: float) -> list[CallChoice]:
    """Calls whose nearest constraint set the hand misses by at most `stretch`."""
    hand = HandArray([view.hand.bits])
    least: dict[int, tuple[float, OfferedCall]] = {}
    for option in options:
        if option.rule.artificial or option.rule.act in _BINDING:
            continue  # neither a wrong answer nor a broken promise is judgement
        away = float(shortfall(option_constraint(option), hand)[0])
        if 0 < away <= stretch and away < least.get(option.call, (stretch + 1, option))[0]:
            least[option.call] = away, option
    ranked = sorted(least.values(), key=lambda pair: (pair[0], -pair[1].priority))
    return [CallChoice(o.call, o.words, away, o.priority) for away, o in ranked]
