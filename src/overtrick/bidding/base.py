"""What a bidder is, how to get one by name, and the check every bidder must pass.
Each bidder is a file of its own beside this one."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol, Self, runtime_checkable

from overtrick.engines import ConformanceError, Registry, Spec, seated
from overtrick.engines.clock import counting_looks
from overtrick.engines.loading import completed
from overtrick.engines.terms import Cost, cost_of, hurried
from overtrick.game import (
    Auction,
    Board,
    Call,
    Decision,
    Meaning,
    Systems,
    View,
    Vulnerability,
    view_of,
)
from overtrick.game.errors import expect
from overtrick.game.view import Scoring

if TYPE_CHECKING:
    from overtrick.systems.explain import Explained


Pair = tuple[str, str]
"""The systems of two sides."""
NONE: Final[Pair] = ("", "")


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


@runtime_checkable
class Disclosing(Protocol):
    """A bidder whose meanings have to be computed, which takes longer than the calls themselves:
    matches leave that out, and whoever shows an auction to people asks for it."""

    def disclosing(self, hands: int) -> Self:
        """The same bidder, whose calls are explained from so many random hands."""


@runtime_checkable
class Illustrating(Protocol):
    """A bidder that explains an auction with hands that it makes the calls with."""

    def explain(
        self, auction: Auction, vul: Vulnerability, systems: Pair = NONE, *, samples: int = 2
    ) -> tuple[list[Explained], list[Explained]]:
        """The calls made, and those that could come next. `systems` are what the dealer's side and
        the other declare; empty: what the bidder plays, where it plays one."""


_BUILTIN: Final = {
    "partner": "overtrick.bidding.partner:Partner",
    "rules": "overtrick.bidding.rules:RulesBidder",
    "bmcs": "overtrick.bidding.bmcs:Bmcs",
    "policy": "overtrick.bidding.policy:Policy",
    "pidm": "overtrick.bidding.pidm:Pidm",
    "pragma": "overtrick.bidding.pragma:Pragma",
    "points": "overtrick.bidding.points:Points",
    "pass": "overtrick.bidding.points:AlwaysPass",
    "external": "overtrick.bidding.external:External",
    "inside": "overtrick.bidding.external:inside",
    "epbot": "overtrick.bidding.epbot:Epbot",
    "ben": "overtrick.bidding.ben:Ben",
}
_LABORATORY: Final = {
    "bandit": "overtrick_lab.engines.bandit:Bandit",
    "algorithm3": "overtrick_lab.engines.algorithm3:Algorithm3",
    "figure3": "overtrick_lab.engines.figure3:Figure3",
    "penetrative": "overtrick_lab.engines.bandit:Penetrative",
    "relay": "overtrick_lab.engines.bandit:Relay",
}
USUAL: Final = "partner"
"""Who bids unless somebody chose otherwise."""
BIDDERS: Final[Registry[Bidder]] = Registry("bidder", _BUILTIN, "overtrick.bidders", _LABORATORY)


def usual_bidder() -> str:
    """Who bids unless somebody chose otherwise: the partner, or its system's rules alone where the
    package that runs networks is not installed.

    >>> usual_bidder() in ("partner", "rules(system=two-over-one)")
    True
    """
    return USUAL if find_spec("onnxruntime") else "rules(system=two-over-one)"


def standing_in() -> str:
    """Who bids in place of the usual bidder, and what to install; '' where that one is there."""
    found = usual_bidder()
    if found == USUAL:
        return ""
    return f"without networks {found} bids; for {USUAL}: pip install overtrick[nn]"


def bidder(spec: str | Spec) -> Bidder:
    """A bidder by name, e.g. `bidder("points")` or `bidder("rules(system=sayc)")`.

    >>> bidder("points").name
    'points'
    """
    return BIDDERS.make(spec)


def meaning_of(engine: Bidder, view: View, call: int) -> Meaning | None:
    """What a call of this seat would show after this auction, as everybody is told: what the
    bidder says of it, else what the library's system says that the bidder declares."""
    if isinstance(engine, Explaining):
        return engine.meaning(view, call)
    # Loaded when somebody has declared something: most of a start is reading the rules' language.
    from overtrick.systems import declared

    system = declared(engine.system)
    if not system:
        return None
    rules = bidder(Spec("rules", {"system": system}))
    return rules.meaning(view, call) if isinstance(rules, Explaining) else None


def bid_board(
    board: Board, bidders: Iterable[Bidder | str], scoring: Scoring = "imps"
) -> tuple[Auction, list[Decision]]:
    """Bid one board with four bidders (N, E, S, W): the auction and every decision.

    The bare loop, for analysis and tests: each is told what both sides play, as at a table;
    `table` adds clocks, rulings and records.

    >>> auction, decisions = bid_board(Board.random(1, seed=1), [bidder("pass")] * 4)
    >>> auction.is_passed_out, len(decisions)
    (True, 4)
    """
    expect(board, Board, "a board", "a Board, as Board.random(1) makes one")
    seats = seated(bidders, bidder, "bid")
    auction = Auction(board.dealer)
    decisions: list[Decision] = []
    while not auction.is_over:
        ours, theirs = seats[auction.turn], seats[auction.turn.lho]
        view = view_of(
            board,
            auction,
            meanings=tuple(d.meaning for d in decisions),
            systems=Systems(ours.system, theirs.system),
            scoring=scoring,
        )
        decision = ours.bid(view)
        decisions.append(decision)
        auction = auction.then(decision.call)
    return auction, decisions


def check_bidder(engine: Bidder, boards: int = 20, seed: int = 0) -> None:
    """Play the contract of a bidder through on random boards; raise ConformanceError if it breaks.

    Checked: a known cost, legal calls always, a meaning in words, the same
    call for the same view unless a clock ended the thinking, and a sane answer after auctions it
    did not choose itself. Seconds do not pass meanwhile: engines count how often they look at the
    clock.

    >>> check_bidder(bidder("points"), boards=2)
    """
    import random

    engine = completed(engine, "bid")
    if not isinstance(engine, Bidder) or not engine.name:
        raise ConformanceError(f"{engine!r} is no bidder: it needs bid(view)")
    if not isinstance(cost_of(engine), Cost):
        raise ConformanceError(f"{engine.name}: its cost is no Cost")
    if not isinstance(hurried(engine, 1.0), Bidder):
        raise ConformanceError(f"{engine.name}: within(seconds) returns a bidder")
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
