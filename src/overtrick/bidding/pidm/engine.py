"""The PIDM bidder, `pidm(system=two-over-one, worlds=60, nets=refined.bid)`: decisions under
partial information as in Amit & Markovitch, "Learning to bid in bridge".

    candidates   what the rules allow the hand, and sensible calls beside (`widen`)
    worlds       the deals most consistent with the auction (RBMBMC), weighted by what they explain
    callers      everybody by the models this player has of them; my own later turns chosen again
    leaves       tricks by `utility`, scored as the event scores, against the first choice
    margins      more for calls no rule allows, and for a hand's first bid; less to end the auction
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final, Self

import numpy as np

from overtrick.bidding.kernel import AuctionPosition, Margin, utility_of
from overtrick.bidding.pidm.candidates import SLAM_BIDS, candidates
from overtrick.bidding.pidm.decide import PidmOutcome, bid_alone, decide
from overtrick.bidding.pidm.models import SILENT, PlayerModel
from overtrick.bidding.pidm.settings import Own, PidmSettings
from overtrick.bidding.pidm.shown import candidates_of, details_of
from overtrick.bidding.pidm.trust import placed
from overtrick.bidding.rules import set_card
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost
from overtrick.game import CALLS, Decision, Meaning, OptionError, View
from overtrick.game.reasons import (
    BestMean,
    Favourite,
    Learned,
    NotLegal,
    Reason,
    Remark,
    Unexplained,
)
from overtrick.systems.context import Context
from overtrick.systems.meanings import call_meaning
from overtrick.systems.refined import Refinements, load_refinements
from overtrick.systems.shows import HandValues
from overtrick.systems.system import declared

_IMP: Final = {"matchpoints": 0.15, "points": 40.0}  # what an IMP is about, in other scorings


@dataclass(frozen=True, slots=True)
class Pidm(PidmSettings):
    """Partial-information decision making at the table.

    The first choice is what the rules (and learned nets) would call; another call is made when
    it is better by `margin` standard errors and `least` IMPs in simulated auctions, over worlds
    that explain the bidding. `widen` adds candidates to φ(s): 0 none (the paper), 1 every call
    with a rule for the hand, 2 natural alternatives as well. `theirs=pass` imagines opponents who
    always pass. Of `PidmSettings` it has larger budgets. The work is fixed by `worlds` and
    `instances`; `seconds` is a safety net, and a decision says when it cut in.
    """

    system: str = "two-over-one"
    theirs: str = ""
    seconds: float = 2.0
    worlds: int = 50
    own: Own = "auto"
    own_widen: int = 2
    batch: int = 20
    instances: int | None = 12_000
    natural: bool = True
    trust: bool = True
    nets: str = ""
    near: int = 0
    slack: int = 0  # calls the hand misses by so many points are in φ too (near=5000 takes them)
    widen: int = 2
    most: int = 9
    utility: str = "tricks"
    margin: float = 1.0  # 0: simply the highest mean, as in the paper
    off_system: float = 1.0  # standard errors more for calls no rule allows the hand
    contested: float = 0.3  # how much of `off_system` and `first_bid` holds when both sides bid
    closing: float = 0.5  # standard errors when both calls end the auction
    misread: float = 0.6  # IMPs: what partner may take amiss, an error that no sampling lowers
    least: float = 0.1  # IMPs in any case …
    first_bid: float = 1.0  # … and at the first bid of a hand, when most is still to come
    cost: ClassVar = Cost.SLOW

    def __post_init__(self) -> None:
        PidmSettings.__post_init__(self)
        if self.widen not in (0, 1, 2) or self.most < 1 or self.near < 0:
            raise OptionError("pidm needs widen 0, 1 or 2, most ≥ 1 and near ≥ 0")
        set_card(self)
        player = _player(self.system, self.theirs, (self.near, self.slack), self.nets, self.utility)
        player.reading  # noqa: B018  (the system is read now, not on the clock)

    @property
    def name(self) -> str:
        return spelled("pidm", self)

    def within(self, seconds: float) -> Self:
        return replace(self, seconds=min(self.seconds, seconds))

    def player(self, view: View) -> PlayerModel:
        """The player of this seat: our system, and theirs as declared."""
        theirs, scoring = self.theirs, self.utility
        theirs = theirs or declared(view.systems.theirs)
        if view.scoring == "matchpoints" and "/" not in scoring:
            scoring += "/matchpoints"
        return _player(self.system, theirs, (self.near, self.slack), self.nets, scoring)

    def bid(self, view: View) -> Decision:
        started = now()
        player, position, hand = self.player(view), AuctionPosition.of(view), view.hand.bits
        # Nothing is known of the opponents: then they are thought to stay out if they have so far.
        quiet = self.quiet or not (self.theirs or view.systems.theirs)
        settings = self if quiet == self.quiet else replace(self, quiet=quiet)
        calls = candidates(player, position, hand, self.widen, self.most)
        rng = np.random.default_rng(view.seed)
        outcome = decide(player, position, hand, settings, rng=rng, calls=calls, started=started)
        call, reasons = self._choice(player, position, view, outcome)
        if not view.auction.is_legal(call):
            call, reasons = 0, (NotLegal(CALLS[call]), *reasons)
        if outcome.cut:
            reasons = (*reasons, Remark.CUT_SHORT)
        return self.decision(view, player, call, outcome, reasons, started)

    def _choice(
        self, player: PlayerModel, position: AuctionPosition, view: View, outcome: PidmOutcome
    ) -> tuple[int, tuple[Reason, ...]]:
        """The call and why: the search overrules the first choice only with enough evidence."""
        race, hand = outcome.race, view.hand.bits
        if len(race.calls) < 2:
            return outcome.call, (_no_choice(player, position, hand),)
        if not race.used:
            return race.calls[0], (Remark.NO_WORLD,)
        if not self.margin:  # the paper: the highest mean
            return outcome.call, (BestMean(race.used),)
        lost = int(np.median(outcome.inconsistent))  # of most worlds: one freak explains nothing
        race.margins = self._margins(player, position, view, outcome, lost)
        found = race.verdict(Favourite.RULES)
        learned = None if found.place else _learned(player, position, hand)
        beside = (Unexplained(lost) if lost else None, learned)
        return race.calls[found.place], (found.reason, *(r for r in beside if r is not None))

    def _margins(
        self,
        player: PlayerModel,
        position: AuctionPosition,
        view: View,
        outcome: PidmOutcome,
        lost: int,
    ) -> list[Margin]:
        """What each call must gain. `lost` calls of the auction are not explained by most worlds:
        what cannot be understood is no ground for new ideas."""
        calls = outcome.calls
        allowed = set(player.selection(position, np.array([view.hand.bits], np.uint64)).calls())
        over = placed(player, position)
        # With the opponents in it there are fewer messages to spoil, and more to win.
        alone = not view.systems.theirs or bid_alone(position)
        weight, imp = 1.0 if alone else self.contested, _imp(player)
        first_turn = not any(position.calls[len(position.calls) & 3 :: 4])
        least = (weight * self.first_bid if first_turn else self.least) * imp
        out = []
        for place, call in enumerate(calls):
            new = call not in allowed
            if lost and new:
                out.append(Margin(least=float("inf")))
            elif _closes(outcome, place, over if call >= SLAM_BIDS else new):
                out.append(Margin(self.closing, least))
            else:
                errors = self.margin * (1 + lost) + weight * self.off_system * new
                out.append(Margin(errors, least, blur=weight * self.misread * imp))
        return out

    def decision(
        self, view: View, player: PlayerModel, call: int, outcome: PidmOutcome,
        reasons: tuple[Reason, ...], started: float, engine: str = "",
    ) -> Decision:  # fmt: skip
        """The call with what it means and what it was compared with; `engine` is who decided, if
        it was not this one."""
        ctx = player.context(AuctionPosition.of(view))
        known = player.reading.of_call(ctx, call)
        meaning = (
            call_meaning(player.reading, ctx, call) if known else Meaning("outside the system")
        )
        return Decision(
            CALLS[call], meaning, candidates_of(outcome, int(view.dealer), _words(player, ctx)),
            reasons=reasons, worlds=outcome.race.used, seed=view.seed, engine=engine or self.name,
            milliseconds=1000 * (now() - started), details=details_of(outcome),
            cut=outcome.cut,
        )  # fmt: skip


def _words(player: PlayerModel, ctx: Context) -> Callable[[int], str]:
    """What a call says by its rule."""

    def words(call: int) -> str:
        found = player.reading.of_call(ctx, call)
        return found[0].words if found else "no rule's call"

    return words


def _closes(outcome: PidmOutcome, place: int, doubtful: bool) -> bool:
    """Is it a mere choice of contract, with nothing to misunderstand? A bid below slam that no rule
    allows the hand is heard as what it should be, and partner may go on; a slam over the game
    partner has placed overrules them."""
    call = outcome.calls[place]
    if call in (1, 2) or (doubtful and call):
        return False
    return outcome.closes(0) and outcome.closes(place)


def _no_choice(player: PlayerModel, position: AuctionPosition, hand: int) -> Reason:
    if not player.reading.options(player.context(position)):
        return Remark.OUTSIDE
    return _learned(player, position, hand) or Remark.NO_CHOICE


def _learned(player: PlayerModel, position: AuctionPosition, hand: int) -> Learned | None:
    """The learned line that settled a choice of this hand, as its file has it; or nothing."""
    if not isinstance(player.refinement, Refinements) or not player.refined(position):
        return None
    allowed = player.unlearned.selection(position, np.array([hand], np.uint64)).calls()
    if len(allowed) < 2:
        return None
    line = player.refinement.explain(position.calls, allowed, HandValues(hand))
    return Learned(line) if line else None


def _imp(player: PlayerModel) -> float:
    return _IMP.get(player.utility.name.rpartition("/")[2], 1.0)


@lru_cache(maxsize=32)
def _player(
    system: str, theirs: str, width: tuple[int, int], nets: str, utility: str
) -> PlayerModel:
    if system == SILENT:
        raise OptionError("pidm needs a system to bid; `pass` is for opponents")
    refined = _refinements(nets) if nets else None
    near, slack = width
    wide = refined.width if refined else None
    return PlayerModel(system, theirs, near, refined, utility_of(utility), slack=slack, wide=wide)


@lru_cache(maxsize=16)
def _refinements(path: str) -> Refinements:
    return load_refinements(path)
