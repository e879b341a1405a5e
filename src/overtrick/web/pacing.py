"""Players with a clock: as many worlds as the time allows, and a card at once when there is
none."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from time import perf_counter
from typing import Any, Final

from overtrick.cardplay import Player
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.leadrules import rule_lead
from overtrick.game import Card, Decision, Meaning, Play, View
from overtrick.game.reasons import Remark

_FIRST: Final = 3  # worlds of the first, quick look
_SHARE: Final = 0.8  # of the time left that a second look may be planned for
_LEAST_SECONDS: Final = 0.3
_LEAST: Final = 2  # a second look is worth it with so many times the worlds


def paced(engine: Player, view: View, seconds: float) -> Decision:
    """The engine's card within about so many seconds.

    Early in the play a search is slow: a few worlds are looked at first, and then as many as the
    time that is left allows, all of them when it allows that.
    """
    engine = _braked(engine, seconds)
    wanted = worlds_of(engine)
    if wanted <= _LEAST * _FIRST or not slow(view):
        return engine.play(view)
    started = perf_counter()
    quick = with_worlds(engine, _FIRST).play(view)
    spent = perf_counter() - started
    if not quick.candidates:  # nothing to think about
        return quick
    many = int(_SHARE * (seconds - spent) / spent * _FIRST)
    if many < _LEAST * _FIRST:
        return quick
    return with_worlds(engine, min(many, wanted)).play(view)


def _braked(engine: Any, seconds: float) -> Player:
    """With its own clock, if it has one, set to no more than this."""
    made: Any = engine
    if is_dataclass(engine) and any(f.name == "seconds" for f in fields(engine)):
        own = float(made.seconds)
        made = replace(made, seconds=min(own, max(_LEAST_SECONDS, seconds)))
    found: Player = made
    return found


def slow(view: View) -> bool:
    """Opening leads and the first trick."""
    return view.play is not None and len(view.play) < 4


def worlds_of(engine: Any) -> int:
    known = is_dataclass(engine) and any(f.name == "worlds" for f in fields(engine))
    return int(engine.worlds) if known else 0


def with_worlds(engine: Any, count: int) -> Player:
    """With no more worlds than this, for opening leads too."""
    leads = int(getattr(engine, "lead_worlds", 0))
    more = {"lead_worlds": min(leads, count)} if leads else {}
    made: Player = replace(engine, worlds=count, **more)
    return made


def at_once(view: View) -> Decision:
    """A sensible card without any search: leads by rule, else second hand low, third hand high."""
    play = view.play
    assert play is not None
    if not play.cards:
        card, reason = rule_lead(view, STANDARD), Remark.LED_BY_RULE
    else:
        card, reason = _plain(view, play), Remark.PLAYED_BY_RULE
    return Decision(card, Meaning("a card"), reasons=(reason,), seed=view.seed, engine="at once")


def _plain(view: View, play: Play) -> Card:
    legal = view.legal_cards().cards()
    low = min(legal, key=lambda c: (int(c.suit) == play.strain, c.rank, c.suit))
    trick = play.trick
    if not trick.cards:
        return max(
            legal, key=lambda c: (c.rank == 12, sum(d.suit == c.suit for d in legal), c.rank)
        )
    if trick.winner(play.strain) == play.turn.partner and len(trick.cards) > 1:
        return low
    winners = [c for c in legal if _wins(c, play)]
    if not winners or len(trick.cards) == 1:
        return low
    if len(trick.cards) == 3:
        return min(winners, key=lambda c: (int(c.suit) == play.strain, c.rank))
    return max(winners, key=lambda c: (int(c.suit) != play.strain, c.rank))


def _wins(card: Card, play: Play) -> bool:
    trick = play.trick
    return type(trick)(trick.leader, (*trick.cards, card)).winner(play.strain) == play.turn
