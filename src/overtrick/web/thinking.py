"""What the worker processes do: engines decide, explain, hint, check claims and deal to order.
Used through `workers`; every function takes a View or text and returns plain values."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from overtrick import __version__
from overtrick.bidding import BIDDERS, Bidder, bidder, meaning_of, usual_bidder
from overtrick.bidding.explained import explaining
from overtrick.cardplay import PLAYERS, Player, base, player
from overtrick.cardplay.simple import at_once
from overtrick.engines import terms
from overtrick.engines.decided import decision_out
from overtrick.engines.terms import first_line, hurried
from overtrick.engines.wire import meaning_out
from overtrick.game import (
    CALLS,
    Action,
    Auction,
    Board,
    BridgeError,
    Call,
    Decision,
    Meaning,
    Seat,
    View,
    Vulnerability,
)
from overtrick.web.answers import EngineOffer, Offered
from overtrick.web.coaching import HeardFrom, coached, hint_of
from overtrick.web.deciding import deciding
from overtrick.web.frames import CallToMake, HintAnswer
from overtrick.web.meanings import exactly
from overtrick.web.opinions import Opinion

_MOST_ANSWER: Final = 8 << 20  # bytes
_OWN_CARD: Final = re.compile(r" [+-]")
USUAL_BIDDER = usual_bidder()
USUAL_PLAYER = base.USUAL


# Strings come from the log or from a browser: what they name may think, and nothing else.
def bidder_of(spec: str) -> Bidder:
    """The bidder of a string that came from outside. People's own cards, of which there can be any
    number, do not drive out the engines that everybody uses."""
    return _own_bidder(spec) if _OWN_CARD.search(spec) else _usual_bidder(spec)


@lru_cache(maxsize=64)
def _usual_bidder(spec: str) -> Bidder:
    return explaining(bidder(BIDDERS.as_data(spec)))


@lru_cache(maxsize=12)
def _own_bidder(spec: str) -> Bidder:
    return explaining(bidder(BIDDERS.as_data(spec)))


@lru_cache(maxsize=32)
def player_of(spec: str) -> Player:
    """The card player of a string that came from outside."""
    return player(PLAYERS.as_data(spec))


def offers() -> Offered:
    """The engines that can be made in this installation, asked of the registries."""
    bidders = [o for way in BIDDERS.offers() if (o := _offer(way, bidder_of)) is not None]
    players = [o for way in PLAYERS.offers() if (o := _offer(way, player_of)) is not None]
    return Offered(version=__version__, bidders=tuple(bidders), players=tuple(players))


def _offer(way: terms.Offer, make: Callable[[str], Any]) -> EngineOffer | None:
    """An engine as it is offered; nothing where it needs what is not installed. One of a system of
    the library can be made: reading all their rules would take seconds."""
    if way.system:
        return EngineOffer(spec=way.spec, words=way.words, system=way.system)
    try:
        engine = make(way.spec)
    except (BridgeError, ImportError, OSError, TypeError):
        return None
    system = engine.system if isinstance(engine, Bidder) else ""
    return EngineOffer(spec=way.spec, words=way.words or first_line(engine), system=system)


def _any_view() -> View:
    return View(Seat.NORTH, Board.random(1, seed=1).deal[0], Auction(), Vulnerability.NONE)


def decide(spec: str, view: View, within: float | None = None) -> Decision:
    """A robot's call or card, for somebody who waits so many seconds at most. What a call is said
    to show is what the agreement says of it, never which of several rules this very hand followed.
    """
    if view.play is not None:
        return player_of(spec).play(view)
    bidder = bidder_of(spec) if within is None else hurried(bidder_of(spec), within)
    decision = bidder.bid(view)
    return replace(decision, meaning=plain(meaning(spec, view, decision.call) or decision.meaning))


@dataclass(frozen=True, slots=True)
class DisclosingRobot:
    """A robot that decides and discloses as one at a live table does, so that both rooms of a
    match see the same views and do the same in them."""

    bidder: str
    player: str

    @property
    def name(self) -> str:
        return f"{self.bidder}+{self.player}"

    @property
    def system(self) -> str:
        return bidder_of(self.bidder).system

    def bid(self, view: View) -> Decision:
        return decide(self.bidder, view)

    def play(self, view: View) -> Decision:
        return decide(self.player, view)


def decide_by(spec: str, view: View, seconds: float) -> Decision:
    """A card within about so many seconds; with none left, one by rule."""
    if seconds <= 0.05:
        return at_once(view)
    return hurried(player_of(spec), seconds).play(view)


def plain(found: Meaning) -> Meaning:
    """Without the constraint object, which the log does not keep."""
    return replace(found, shows=None)


def meaning(spec: str, view: View, call: Call) -> Meaning | None:
    """What the agreement says about a call after this auction; the hand has no part in it."""
    return meaning_of(bidder_of(spec), view, int(call))


def system_of(spec: str) -> str:
    """The library system by whose rules an engine's calls are read and bid on; the usual one for
    an engine that declares none."""
    return _library(bidder_of(spec).system) or _library(bidder_of(USUAL_BIDDER).system)


def _library(system: str) -> str:
    """The library system that a bidder declares, if it is one."""
    from overtrick.systems import declared

    return declared(system)


def meanings(spec: str, view: View) -> list[CallToMake]:
    """Every legal call with what partner would read in it."""
    out = []
    for call in view.auction.legal_calls():
        found = meaning(spec, view, call)
        if found is not None:
            out.append(CallToMake(call=call.ascii, **exactly(found)))
    return out


def own_call(spec: str, view: View, call: int) -> Decision:
    """A human's call with what it tells by the side's agreement."""
    action = CALLS[call]
    found = meaning(spec, view, action)
    return Decision(action, plain(found or Meaning("not explained")), engine="human")


def opinion(spec: str, view: View) -> Opinion:
    """What the engine would do here, with all it considered and what the coach says of it."""
    if view.play is not None:
        found, told = player_of(spec).play(view), {}
        meanings: tuple[dict[str, Any] | None, ...] = (None,) * len(found.candidates)
    else:
        found, told = decide(spec, view), heard(spec, view)
        meanings = tuple(_told(spec, view, c.action) for c in found.candidates)
    advice, layouts = coached(view, found, told), deciding(view, found)
    kept = decision_out(found)
    return Opinion(view.seed, spec, __version__, kept, meanings, advice, layouts)


def _told(spec: str, view: View, call: Action) -> dict[str, Any] | None:
    found = meaning(spec, view, Call(call))
    return None if found is None else meaning_out(found)


def hint(spec: str, view: View) -> HintAnswer:
    """An opinion as a hint."""
    at = len(view.auction) + (0 if view.play is None else len(view.play.cards))
    return hint_of(at, opinion(spec, view))


def heard(spec: str, view: View) -> dict[Seat, HeardFrom]:
    """What every other seat has shown: partner by our agreement, opponents as they disclosed."""
    out: dict[Seat, HeardFrom] = {}
    for i, (before, call) in enumerate(
        zip(view.auction.prefixes(), view.auction.calls, strict=True)
    ):
        maker = view.auction.seat_of(i)
        if maker == view.seat:
            continue
        if maker == view.seat.partner:
            # The agreement speaks of the call alone; any hand will do for asking.
            told = meaning(spec, replace(view, seat=maker, auction=before, meanings=()), call)
        else:
            told = view.meanings[i] if i < len(view.meanings) else None
        out[maker] = out.get(maker, HeardFrom()).then(call, told or Meaning(""))
    return out


def check_claim(view: View, tricks: int) -> tuple[int | None, str]:
    """Declarer's total when at least `tricks` more are proved for the claimer, else the reason."""
    from overtrick.cardplay.claim import claim, sure_tricks
    from overtrick.cardplay.situation import situation

    at = situation(view, on_turn=False)
    if at.trick:
        return None, "finish the trick first, then claim"
    if tricks > at.left:
        return None, f"there are only {at.left} tricks left"
    found = claim(view)
    declaring = view.seat == at.contract.declarer
    if found is not None and found.tricks >= tricks:
        return found.declarer_total, found.proof
    if not declaring:
        return None, "that is not certain for every lie of the cards; please play on"
    sure = 0
    if at.turn.side == view.seat.side:
        sure, _ = sure_tricks(at)
    if sure >= tricks:
        return at.play.declarer_tricks + tricks, "top tricks, the rest conceded"
    return None, "that is not certain for every lie of the cards; please play on"


def deal_script(text: str, number: int, seed: int) -> Board:
    """One board by a dealer script; its dealer and vulnerability stand when it names them."""
    import numpy as np

    from overtrick.worlds.script import run

    outcome = run(text, np.random.default_rng(seed), 1)
    record = next(iter(outcome.records()))
    deal = next(iter(outcome.dealt))
    board = Board.numbered(number, deal)
    script = outcome.script
    dealer = board.dealer if script.dealer is None else Seat(record.dealer or 0)
    vul = board.vul if script.vul is None else Vulnerability(record.vul or 0)
    return Board(number, dealer, vul, deal)


def packed(
    function: Callable[..., Any], arguments: tuple[Any, ...], small: bool
) -> tuple[bool, bytes]:
    """The answer of a function as JSON, and whether it was compressed: neither is for the loop."""
    data = msgspec.json.encode(function(*arguments))
    if len(data) > _MOST_ANSWER:
        raise BridgeError(
            f"the answer would have {len(data) >> 20} MB, which is too long; send fewer boards"
        )
    return (True, gzip.compress(data, 5)) if small and len(data) > 600 else (False, data)


def loaded() -> None:
    """What a new process does first: this module is loaded by being named, the solver here."""
    from overtrick.doubledummy import solver

    solver().set_threads(1)


def warm(bidders: tuple[str, ...], players: tuple[str, ...]) -> int:
    """Load engines and the solver before the first person waits for them."""
    from overtrick.doubledummy import solver

    solver().set_threads(1)
    made = 0
    for spec in bidders:
        decide(spec, _any_view())
        made += 1
    for spec in players:
        player_of(spec)
        made += 1
    return made
