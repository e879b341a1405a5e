"""The PIDM bidder: candidates, consistent worlds, simulated auctions, the best mean.
Used at tables as `pidm(system=two-over-one, seconds=0.5, worlds=60, nets=refined.bid)`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Final, Literal

import numpy as np

from overtrick.bidding.models import SILENT, PlayerModel, Position
from overtrick.bidding.pidm.candidates import SLAM_BIDS, candidates
from overtrick.bidding.pidm.decide import Outcome, decide
from overtrick.bidding.pidm.settings import Own, Settings
from overtrick.bidding.pidm.shown import candidates_of, details_of
from overtrick.bidding.pidm.trust import placed
from overtrick.bidding.utility import utility_of
from overtrick.engines import spelled
from overtrick.game import CALLS, Decision, Meaning, OptionError, View
from overtrick.systems.many import Pool
from overtrick.systems.meanings import call_meaning
from overtrick.systems.refined import Refinements, load_refinements
from overtrick.systems.shows import HandValues
from overtrick.systems.system import library_names
from overtrick.worlds.consistent import Proposal

# What a model, which may be anybody's, can fail with; the table must get a call all the same.
_FAILURES: Final = (
    ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


_IMP: Final = {"matchpoints": 0.15, "points": 40.0}  # what an IMP is about, in other scorings


@dataclass(frozen=True, slots=True)
class Pidm:
    """Partial-information decision making at the table.

    The first choice is what the rules (and learned nets) would call; another call is made when
    it is better by `margin` standard errors and `least` IMPs in simulated auctions, over worlds
    that explain the bidding. `widen` adds candidates to φ(s): 0 none (the paper), 1 every call
    with a rule for the hand, 2 natural alternatives as well. `theirs=pass` imagines opponents who
    always pass. `own` is as in Settings, or `auto`: `set` while our side bids alone, else `model`.
    """

    system: str = "two-over-one"
    theirs: str = ""
    seconds: float = 0.5
    worlds: int = 200
    nets: str = ""
    near: int = 0
    slack: int = 0  # calls the hand misses by so many points are in φ too (near=5000 takes them)
    widen: int = 2
    most: int = 9
    utility: str = "tricks"
    depth: int = 0
    own: Own | Literal["auto"] = "auto"
    own_widen: int = 2
    own_most: int = 6
    own_turns: int = 1
    crossed: bool = False  # at own later turns half of the worlds chooses for the other
    batch: int = 100
    trust: bool = True  # partner who placed the contract thought of slam himself
    proposal: Proposal = "auto"
    margin: float = 1.0  # 0: simply the highest mean, as in the paper
    strange: float = 1.0  # standard errors more for calls no rule allows the hand
    bold: float = 0.3  # how much of `strange` and `early` holds when both sides bid
    closing: float = 0.5  # standard errors when both calls end the auction
    misread: float = 0.6  # IMPs: what partner may take amiss, an error that no sampling lowers
    least: float = 0.1  # IMPs in any case …
    early: float = 1.0  # … and at the first bid of a hand, when most is still to come
    g: float = 0.3
    r: float = 0.2

    def __post_init__(self) -> None:
        if self.widen not in (0, 1, 2) or self.most < 1 or self.near < 0:
            raise OptionError("pidm needs widen 0, 1 or 2, most ≥ 1 and near ≥ 0")
        self.settings  # noqa: B018  (fail now, not at the table)
        player = _player(self.system, self.theirs, (self.near, self.slack), self.nets, self.utility)
        player.reading  # noqa: B018  (the system is read now, not on the clock)

    @property
    def settings(self) -> Settings:
        return Settings(
            seconds=self.seconds, worlds=self.worlds, g=self.g, r=self.r, depth=self.depth,
            own="model" if self.own == "auto" else self.own, own_widen=self.own_widen,
            own_most=self.own_most, crossed=self.crossed,
            own_turns=self.own_turns, batch=self.batch, natural=True, trust=self.trust,
            proposal=self.proposal,
        )  # fmt: skip

    @property
    def name(self) -> str:
        return spelled("pidm", self)

    def player(self, view: View) -> PlayerModel:
        """The player of this seat: our system, and theirs as declared."""
        theirs, scoring = self.theirs, self.utility
        declared = view.systems.theirs
        if not theirs and declared in library_names():
            theirs = declared
        if view.scoring == "matchpoints" and "/" not in scoring:
            scoring += "/matchpoints"
        return _player(self.system, theirs, (self.near, self.slack), self.nets, scoring)

    def bid(self, view: View) -> Decision:
        return self.decide(view)

    def decide(self, view: View, seconds: float | None = None) -> Decision:
        """The decision within this many seconds (default: the engine's own)."""
        started = perf_counter()
        player, position = self.player(view), Position.of(view)
        # Nothing is known of the opponents: then they are thought to stay out if they have so far.
        quiet = not self.theirs and not view.systems.theirs
        settings = replace(self.settings, quiet=quiet, seconds=seconds or self.seconds)
        if self.own == "auto" and _ours_alone(position):
            settings = replace(settings, own="set")
        try:
            calls = candidates(player, position, view.hand.bits, self.widen, self.most)
            outcome = decide(
                player, position, view.hand.bits, settings,
                rng=np.random.default_rng(view.seed), calls=calls, started=started,
            )  # fmt: skip
            call, why = self._choice(player, position, view, outcome)
        except _FAILURES as error:
            outcome = None
            call, why = _without_search(player, position, view.hand.bits, error)
        if not view.auction.is_legal(call):
            call, why = 0, f"fallback: {CALLS[call]} is not legal here, so pass ({why})"
        return self._decision(view, player, call, outcome, why, started)

    def _choice(
        self, player: PlayerModel, position: Position, view: View, outcome: Outcome
    ) -> tuple[int, str]:
        """The call and why: the search overrules the first choice only with enough evidence."""
        if len(outcome.calls) < 2:
            return outcome.call, _no_choice(player, position, view.hand.bits)
        first, used = outcome.calls[0], len(outcome.values)
        if not used:
            return first, "fallback: no time for a single world, the rules decide"
        if not self.margin:  # the paper: the highest mean
            return outcome.call, f"the best mean in {used} worlds"
        lost = int(np.median(outcome.inconsistent))  # of most worlds: one freak explains nothing
        note = f" (fallback: hardly a deal explains all calls, most fail {lost})" if lost else ""
        ours = set(player.selection(position, np.array([view.hand.bits], np.uint64)).calls())
        over = placed(player, position)
        first_turn = not any(position.calls[len(position.calls) & 3 :: 4])
        # With the opponents in it there are fewer messages to spoil, and more to win.
        bold = 1.0 if not view.systems.theirs or _ours_alone(position) else self.bold
        least = (bold * self.early if first_turn else self.least) * _imp(player)
        best, gain = 0, 0.0
        for i in range(1, len(outcome.calls)):
            strange = outcome.calls[i] not in ours
            if lost and strange:
                continue  # what cannot be understood is no ground for new ideas
            margin = self.margin * (1 + lost) + bold * self.strange * strange
            error = float(np.hypot(outcome.error[i], bold * self.misread * _imp(player)))
            slam = outcome.calls[i] >= SLAM_BIDS
            if self._closes(outcome, i, over if slam else strange):
                margin, error = self.closing, float(outcome.error[i])
            bar = max(margin * error, least)
            if outcome.mean[i] - outcome.mean[0] > max(bar, gain):
                best, gain = i, float(outcome.mean[i] - outcome.mean[0])
        if best:
            return outcome.calls[best], (
                f"gains {gain:.2f} ± {outcome.error[best]:.2f} over {CALLS[first]} "
                f"in {used} worlds{note}"
            )
        learned = _learned(player, position, view.hand.bits)
        note += f"; {learned}" if learned else ""
        return first, f"nothing better than {CALLS[first]} in {used} worlds{note}"

    @staticmethod
    def _closes(outcome: Outcome, i: int, doubtful: bool) -> bool:
        """Is it a mere choice of contract, with nothing to misunderstand? A bid below slam that no
        rule allows the hand is heard as what it should be, and partner may go on; a slam over the
        game he has placed overrules him."""
        call = outcome.calls[i]
        if call in (1, 2) or (doubtful and call):
            return False
        return outcome.closes(0) and outcome.closes(i)

    def _decision(
        self, view: View, player: PlayerModel, call: int, outcome: Outcome | None, why: str,
        started: float,
    ) -> Decision:  # fmt: skip
        ctx = player.context(Position.of(view))
        known = player.reading.of_call(ctx, call)
        meaning = (
            call_meaning(player.reading, ctx, call) if known else Meaning("outside the system")
        )

        def words(call: int) -> str:
            found = player.reading.of_call(ctx, call)
            return found[0].words if found else "no rule's call"

        shown = candidates_of(outcome, int(view.dealer), words) if outcome else ()
        return Decision(
            CALLS[call], meaning, shown, why,
            worlds=len(outcome.values) if outcome else 0, seed=view.seed, engine=self.name,
            milliseconds=1000 * (perf_counter() - started),
            details=details_of(outcome) if outcome else {},
        )  # fmt: skip


def _no_choice(player: PlayerModel, position: Position, hand: int) -> str:
    if not player.reading.options(player.context(position)):
        return "fallback: the auction is outside the system"
    return _learned(player, position, hand) or "the rules leave no choice"


def _learned(player: PlayerModel, position: Position, hand: int) -> str:
    """The learned line that settled a choice of this hand, as its file has it; or nothing."""
    if not isinstance(player.refinement, Refinements) or not player.refined(position):
        return ""
    allowed = player.unlearned.selection(position, np.array([hand], np.uint64)).calls()
    if len(allowed) < 2:
        return ""
    return player.refinement.explain(position.calls, allowed, HandValues(hand))


def _without_search(
    player: PlayerModel, position: Position, hand: int, error: Exception
) -> tuple[int, str]:
    """A model failed: the rules alone decide, and if they cannot either, pass."""
    what = f"fallback: {type(error).__name__}: {error}"
    plain = PlayerModel(player.system, player.theirs)
    try:
        (call,) = plain.chosen(position, Pool(np.array([hand], np.uint64)))
    except _FAILURES as again:
        return 0, f"{what}; the rules fail too ({again}), so pass"
    return call, f"{what}; the rules decide"


def _imp(player: PlayerModel) -> float:
    return _IMP.get(player.utility.name.rpartition("/")[2], 1.0)


def _ours_alone(position: Position) -> bool:
    """Has our side opened, and the other said nothing? Then there is room to ask and to answer."""
    ours = position.calls[len(position.calls) & 1 :: 2]
    theirs = position.calls[1 - (len(position.calls) & 1) :: 2]
    return any(ours) and not any(theirs)


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
