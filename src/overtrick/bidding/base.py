"""What a bidder is, how to get one by name, and the check every bidder must pass.
Each bidder is a file of its own beside this one."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final, Protocol, runtime_checkable

from overtrick.engines import ConformanceError, Registry, Spec, seated
from overtrick.engines.clock import counting_looks
from overtrick.game import Auction, Board, Call, Decision, Meaning, Systems, View, view_of
from overtrick.game.errors import expect


@runtime_checkable
class Bidder(Protocol):
    """Anything that turns what a seat sees into a call and its explanation.

    `name` is the string that makes it again; `system` is what it declares to the opponents.
    Bidders keep no memory between calls: the same view gives the same decision.
    """

    @property
    def name(self) -> str: ...

    @property
    def system(self) -> str: ...

    def bid(self, view: View) -> Decision: ...


@runtime_checkable
class Explaining(Bidder, Protocol):
    """A bidder that says what a call of this seat would show after this auction, whoever holds the
    cards; nothing where it does not know. Of others the meaning is what their system says."""

    def meaning(self, view: View, call: int) -> Meaning | None: ...


_BUILTIN: Final = {
    "pass": "overtrick.bidding.points:AlwaysPass",
    "points": "overtrick.bidding.points:Points",
    "rules": "overtrick.bidding.rules:RulesBidder",
    "policy": "overtrick.bidding.policy:Policy",
    "bmcs": "overtrick.bidding.bmcs:Bmcs",
    "partner": "overtrick.bidding.partner:Partner",
    "pragma": "overtrick.bidding.pragma:Pragma",
    "pidm": "overtrick.bidding.pidm:Pidm",
    "bandit": "overtrick.bidding.bandit:Bandit",
    "penetrative": "overtrick.bidding.bandit:Penetrative",
    "relay": "overtrick.bidding.bandit:Relay",
    "external": "overtrick.bidding.external:External",
    "inside": "overtrick.bidding.external:inside",
    "epbot": "overtrick.bidding.epbot:Epbot",
    "ben": "overtrick.bidding.ben:Ben",
}
USUAL: Final = "partner"
"""Who bids unless somebody chose otherwise."""
BIDDERS: Final[Registry[Bidder]] = Registry("bidder", _BUILTIN, "overtrick.bidders")


def usual_bidder() -> str:
    """Who bids unless somebody chose otherwise: the partner, or its system's rules alone where the
    package that runs networks is not installed.

    >>> usual_bidder() in ("partner", "rules(system=two-over-one)")
    True
    """
    return USUAL if find_spec("onnxruntime") else "rules(system=two-over-one)"


def bidder(spec: str | Spec) -> Bidder:
    """A bidder by name, e.g. `bidder("points")` or `bidder("rules(system=sayc)")`.

    >>> bidder("points").name
    'points'
    """
    return BIDDERS.make(spec)


def bid_board(board: Board, bidders: Iterable[Bidder | str]) -> tuple[Auction, list[Decision]]:
    """Bid one board with four bidders (N, E, S, W): the auction and every decision.

    The bare loop, for analysis and tests: each is told what both sides play, as at a table;
    `table` adds clocks, rulings and records.

    >>> auction, decisions = bid_board(Board.random(1, seed=1), [bidder("pass")] * 4)
    >>> auction.is_passed_out, len(decisions)
    (True, 4)
    """
    expect(board, Board, "a board", "a Board, as Board.random(1) makes one")
    seats = seated(bidders, bidder)
    auction = Auction(board.dealer)
    decisions: list[Decision] = []
    while not auction.is_over:
        ours, theirs = seats[auction.turn], seats[auction.turn.lho]
        view = view_of(
            board,
            auction,
            meanings=tuple(d.meaning for d in decisions),
            systems=Systems(ours.system, theirs.system),
        )
        decision = ours.bid(view)
        decisions.append(decision)
        auction = auction.then(decision.call)
    return auction, decisions


def check_bidder(engine: Bidder, boards: int = 20, seed: int = 0) -> None:
    """Play the contract of a bidder through on random boards; raise ConformanceError if it breaks.

    Checked: a name and a system, legal calls always, a meaning in words, the same call for the same
    view unless a clock ended the thinking, and a sane answer after auctions it did not choose
    itself. Seconds do not pass meanwhile: engines count how often they look at the clock.

    >>> check_bidder(bidder("points"), boards=2)
    """
    import random

    if not isinstance(engine, Bidder) or not engine.name:
        raise ConformanceError(f"{engine!r} is no bidder: it needs name, system and bid(view)")
    rng = random.Random(seed)
    for number in range(1, boards + 1):
        board = Board.random(number, seed=rng.getrandbits(32))
        auction = Auction(board.dealer)
        wild = rng.random() < 0.5  # half the boards: other seats call at random
        while not auction.is_over:
            view = view_of(board, auction)
            decision = _checked(engine, view)
            call = decision.call
            if wild and rng.random() < 0.4:
                call = rng.choice(auction.legal_calls()[:8])
            auction = auction.then(call)


def _checked(engine: Bidder, view: View) -> Decision:
    with counting_looks():
        decision, again = engine.bid(view), engine.bid(view)
    where = f"{engine.name} after {view.auction.ascii or 'no call'!r} with {view.hand}"
    if not isinstance(decision, Decision) or not isinstance(decision.action, Call):
        raise ConformanceError(f"{where}: a bidder returns a Decision with a Call")
    why = view.auction.why_illegal(decision.action)
    if why:
        raise ConformanceError(f"{where}: {decision.action} is illegal: {why}")
    if not decision.meaning.words:
        raise ConformanceError(f"{where}: {decision.action} has no meaning in words")
    told = engine.meaning(view, decision.action) if isinstance(engine, Explaining) else None
    if told is not None and not told.words:
        raise ConformanceError(f"{where}: {decision.action} would show something without words")
    for candidate in decision.candidates:
        if not isinstance(candidate.action, Call) or not view.auction.is_legal(candidate.action):
            raise ConformanceError(f"{where}: candidate {candidate.action} is not a legal call")
    if again.action != decision.action and not (decision.cut or again.cut):
        raise ConformanceError(f"{where}: another call for the same view")
    return decision
