"""The calls pragma weighs: those the system allows the hand, and those it nearly allows.
Used by the engine before any thinking; the first candidate is what the rules would call."""

from __future__ import annotations

from dataclasses import dataclass

from overtrick.bidding.rules import hand_values
from overtrick.evaluation import HandArray
from overtrick.game import CALLS, View
from overtrick.game.meaning import SpeechAct
from overtrick.systems import Option, Reading
from overtrick.systems.context import Context
from overtrick.systems.meanings import option_constraint
from overtrick.systems.reading import last_resort
from overtrick.systems.shows import holds
from overtrick.worlds.satisfaction import shortfall


@dataclass(frozen=True, slots=True)
class Choice:
    """A call that might be made: what it says, and how far the hand is from saying the truth."""

    call: int
    words: str
    lie: float = 0.0

    def __str__(self) -> str:
        return str(CALLS[self.call])


def choices(
    reading: Reading, ctx: Context, view: View, *, most: int = 6, stretch: float = 2.0
) -> list[Choice]:
    """The rules' call first, then other calls the hand fits, then those it misses by a little.

    `stretch` is how far a hand may be from what a call shows, in points or twice the cards
    missing; 0 keeps to the system.
    """
    values = hand_values(view.hand.bits)
    options = reading.options(ctx)
    out: dict[int, Choice] = {}
    for option in options:
        if option.call not in out and holds(option.items, values):
            out[option.call] = Choice(option.call, option.words)
    if not out:
        found = reading.choose(ctx, values)
        call = last_resort(ctx, values) if found is None else found.call
        out[call] = Choice(call, "no rule fits this hand" if found is None else found.words)
    if not ctx.forced and 0 not in out:
        out[0] = Choice(0, "nothing more to say", stretch / 2)
    for choice in near_misses(options, view, stretch) if stretch > 0 else ():
        if choice.call not in out:
            out[choice.call] = choice
    return list(out.values())[:most]


def near_misses(options: list[Option], view: View, stretch: float) -> list[Choice]:
    """Calls whose nearest constraint set the hand misses by at most `stretch`."""
    hand = HandArray([view.hand.bits])
    least: dict[int, tuple[float, Option]] = {}
    for option in options:
        if option.rule.artificial or option.rule.act is SpeechAct.ANSWERING:
            continue  # a wrong answer to a question is no judgement
        away = float(shortfall(option_constraint(option), hand)[0])
        if 0 < away <= stretch and away < least.get(option.call, (stretch + 1, option))[0]:
            least[option.call] = away, option
    ranked = sorted(least.values(), key=lambda pair: (pair[0], -pair[1].priority))
    return [Choice(o.call, o.words, away) for away, o in ranked]
