"""A partner who keeps to a written system and judges within it, `partner(system=two-over-one)`.

    candidates   the calls whose written meaning the hand satisfies; departures by character
    worlds       deals drawn from the belief network, weighted by how their players would have bid
    callers      partner and we: a network that learned to judge inside the systems; opponents:
                 what they declared
    leaves       tricks by network, scored as the event scores, against the first choice
    margins      a little more for calls that the network hardly likes; for a call that departs from
                 its meaning a whole IMP, in worlds where partner takes it at its word

What a call means is what the system says; why it was chosen is what was seen in the worlds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.base import NONE, USUAL, Pair, usual_bidder
from overtrick.bidding.bmcs.engine import Bmcs
from overtrick.bidding.constants import (
    PARTNER_BESIDE,
    PARTNER_EXPLAINED,
    PARTNER_RULES_OWN,
    PARTNER_TEMPTING,
)
from overtrick.bidding.kernel import (
    AuctionPosition,
    Caller,
    Clock,
    Margin,
    NetworkCaller,
    Race,
    RulesCaller,
    SeatHands,
    Utility,
    Walk,
    system_number,
)
from overtrick.bidding.partner.believing import Believing
from overtrick.bidding.partner.keeping import Keeping
from overtrick.bidding.partner.merits import makes_up
from overtrick.bidding.partner.words import commonest_end, reasons
from overtrick.bidding.rules import (
    context_of,
    hand_values,
    library_by_use,
    reading_of,
    set_card,
)
from overtrick.engines import spelled
from overtrick.engines.clock import now
from overtrick.engines.terms import Cost, Offer
from overtrick.game import (
    CALLS,
    Auction,
    Candidate,
    Decision,
    Meaning,
    OptionError,
    View,
    Vulnerability,
)
from overtrick.game.reasons import Ends, Reason, Remark
from overtrick.nets.inference import models, network
from overtrick.systems import Reading, declared
from overtrick.systems.allowed import Allowed, allowed, fits, stated
from overtrick.systems.card import Character
from overtrick.systems.context import Context
from overtrick.systems.meanings import call_meaning
from overtrick.systems.reading import last_resort
from overtrick.systems.system import named_card, title_of

if TYPE_CHECKING:
    from overtrick.systems.explain import Explained

_SYSTEM: Final = "two-over-one"
NET: Final = "partner"
TRICKS: Final = "tricks+both"
_DEPARTING: Final = Margin(errors=2.0, least=1.0)
"""What a call that departs from its meaning must gain over the best that keeps to it."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Partner:
    """Plays a system of the library, or a card (its line or its file), and judges inside it.

    `on` and `off` are switches of the convention card, separated by commas or spaces; `character`
    says how freely calls depart from what they show: usual, free, or disciplined, which it is
    unless the card says otherwise; `stretch` is an older word for it: false is disciplined, true is
    free. The work is fixed by `batches`: the same view gives the same call, unless `seconds` cuts
    in, and then it says so.
    """

    system: str = _SYSTEM
    on: str = ""
    off: str = ""
    character: str = ""
    stretch: bool | None = None
    net: str = NET
    tricks: str = TRICKS
    seconds: float = 10.0  # a safety net: no new batch of worlds begins after this
    batches: int = 6  # at most so many; fewer when the answer is clear
    k: int = 4  # at most so many candidate calls
    p_min: float = 3e-4  # calls less probable than this are not considered
    sure: float = 0.9995  # a call more probable than this needs no search
    worth: float = 0.02  # IMPs that further batches must promise; with 0 all of them are drawn
    disclose: int = 0
    threads: int = 1
    cost: ClassVar = Cost.QUICK

    def __post_init__(self) -> None:
        if self.k < 1 or self.batches < 0:
            raise OptionError("partner needs k ≥ 1 and batches ≥ 0")
        if self.stretch is not None:
            object.__setattr__(self, "character", "free" if self.stretch else "disciplined")
            object.__setattr__(self, "stretch", None)
        if self.character not in ("", *Character):
            known = ", ".join(Character)
            raise OptionError(f"a partner's character is {known}, not {self.character}")
        chosen = self.character or str(named_card(self.system).character or "")
        object.__setattr__(self, "character", "" if chosen == Character.DISCIPLINED else chosen)
        set_card(self)
        self._reading("")
        if self.net != NET:
            network(self.net, "policy", self.threads)  # a name that no network has is refused
        if self._is_learned or self.tricks != TRICKS:
            self.search  # noqa: B018  (fail now, not at the table, when a network is missing)

    @classmethod
    def offers(cls) -> Iterator[Offer]:
        """The systems of the library, its own first, where networks can be run."""
        if usual_bidder() != USUAL:
            return
        for system in library_by_use():
            if system != "natural":
                spec = USUAL if system == _SYSTEM else f"{USUAL}(system={system})"
                yield Offer(spec, title_of(system), system)

    @property
    def name(self) -> str:
        return spelled("partner", self)

    @property
    def manner(self) -> Character:
        """The character that it has."""
        return Character(self.character or Character.DISCIPLINED)

    def within(self, seconds: float) -> Self:
        return replace(self, seconds=min(self.seconds, seconds))

    def disclosing(self, hands: int) -> Self:
        return self if self.disclose else replace(self, disclose=hands)

    def explain(
        self, auction: Auction, vul: Vulnerability, systems: Pair = NONE, *, samples: int = 2
    ) -> tuple[list[Explained], list[Explained]]:
        """What the system says, with hands that are bid so without a search: samples are many."""
        from overtrick.bidding.explained import by_rules

        at_once = replace(self, batches=0)
        return by_rules(at_once, reading_of(self.system, systems[1]), auction, vul, samples)

    @property
    def _is_learned(self) -> bool:
        """Does the network know this system? Others are judged by search alone, in which partner
        and we bid by the rules. A network of one's own (`overtrick train caller`) knows the card
        it was taught."""
        if self.net.endswith(".onnx"):
            return True
        number = system_number(self.system)
        if number is None or self.net not in models():
            return False
        return number < network(self.net, "policy", self.threads).version.systems

    @property
    def search(self) -> Bmcs:
        """The race that compares calls."""
        return Bmcs(
            net=self.net if self._is_learned else "policy",
            belief="belief" if self._is_learned else "",
            tricks=self.tricks,
            seconds=self.seconds,
            batches=max(self.batches, 1),
            k=self.k,
            worth=self.worth,
            threads=self.threads,
            declares=self.system,
        )

    def _reading(self, theirs: str) -> Reading:
        return reading_of(self.system, declared(theirs))

    def bid(self, view: View) -> Decision:
        started = now()
        reading = self._reading(view.systems.theirs)
        ctx = context_of(reading, view)
        values = hand_values(view.hand.bits)
        ways = allowed(reading, ctx, values, self.manner)
        if not ways:
            call = last_resort(ctx, values)
            told = Meaning("outside the system")
            return self._decision(view, call, told, (Remark.NO_RULE,), started)
        ways, chances = self.liked(view, ways)
        clock = Clock(started + self.seconds)
        ways, chances, place, race = self._decided(view, reading, ways, chances, clock)
        why = self._reasons(view, ctx, ways, place, race)
        meaning = _meaning(reading, ctx, ways[place].call)
        if not ways[place].departs and not fits(stated(reading, ctx, ways[place].call), values):
            why = (*why, Remark.DEPARTED_BEFORE)
        candidates = [_candidate(race, i, way, chances[i]) for i, way in enumerate(ways)]
        candidates.sort(key=lambda c: -(c.value or 0.0))
        decision = self._decision(
            view, ways[place].call, meaning, (*why, *clock.reasons), started, candidates, race
        )
        return clock.told(decision)

    def _ours(self, view: View, reading: Reading) -> Caller:
        """Who bids for partner and us in the worlds."""
        if not self._is_learned:
            return RulesCaller(reading)
        judging = NetworkCaller(
            self.search.policy.network, system_number(self.system),
            system_number(view.systems.theirs), self.search.heat,
        )  # fmt: skip
        return judging if self.manner is Character.FREE else Keeping(judging, reading)

    def _believing(self, view: View, reading: Reading) -> Caller:
        """Partner and we in worlds where a departure is tried: hands are drawn as we judge, and
        what follows is bid as partner does who takes the call at its word."""
        ours = self._ours(view, reading)
        return Believing(ours, RulesCaller(reading)) if self._is_learned else ours

    def liked(self, view: View, ways: list[Allowed]) -> tuple[list[Allowed], Floats]:
        """The ways worth comparing, likeliest first, and how much the network likes each. Ways
        that depart from their meaning come last, and only if they tempt."""
        chances = np.array([1.0, *[PARTNER_BESIDE] * (len(ways) - 1)])
        if self._is_learned:
            found = self.search.policy.probabilities(view)
            chances = np.array([found[way.call] for way in ways], float)
        chances[0] = max(chances[0], PARTNER_RULES_OWN)
        chances /= chances.sum()
        order = [int(i) for i in np.argsort(-chances, kind="stable")]
        least = [PARTNER_TEMPTING if way.departs else self.p_min for way in ways]
        kept = [i for i in order if chances[i] >= least[i]][: self.k] or order[:1]
        kept.sort(key=lambda i: bool(ways[i].departs))
        return [ways[i] for i in kept], chances[kept]

    def _decided(
        self, view: View, reading: Reading, ways: list[Allowed], chances: Floats, clock: Clock
    ) -> tuple[list[Allowed], Floats, int, Race | None]:
        """The ways that were compared last, the place of the best, and the race between them:
        first the calls that keep to their meaning, then their best against those that depart."""
        firm = sum(not way.departs for way in ways) or len(ways)
        kept, likely = ways[:firm], chances[:firm]
        race = None
        if firm > 1 and chances[0] < self.sure and self.batches:
            calls = [way.call for way in kept]
            race = self.search.race(view, calls, likely, clock, self._ours(view, reading))
        place = self._winner(race)
        if firm == len(ways) or not self.batches:
            return kept, likely, place, race
        others = [place, *range(firm, len(ways))]
        bold = [ways[i] for i in others]
        tried = self.search.race(
            view, [way.call for way in bold], chances[others], clock,
            self._believing(view, reading), _DEPARTING,
        )  # fmt: skip
        if winner := self._winner(tried):
            return bold, chances[others], winner, tried
        return kept, likely, place, race

    def _winner(self, race: Race | None) -> int:
        """The place of the call that won; the first where too little was seen."""
        if race is None or not race.used or race.worlds.effective < self.search.r_min:
            return 0
        return race.verdict().place

    def _reasons(
        self, view: View, ctx: Context, ways: list[Allowed], place: int, race: Race | None
    ) -> tuple[Reason, ...]:
        way = ways[place]
        merit = makes_up(view.hand, way.call, ctx, way.departs) if way.departs else None
        if race is None or not race.used:
            return reasons(way, merit)
        end = self._end(view, race, way.call) if self.disclose else None
        return reasons(way, merit, race, place, end)

    def _end(self, view: View, race: Race, call: int) -> Ends:
        """Where the auction goes after the call, in the worlds of the race."""
        worlds = race.worlds.fewer(PARTNER_EXPLAINED, np.random.default_rng(view.seed))
        reading = self._reading(view.systems.theirs)
        callers = self.search.callers(view, self._ours(view, reading))
        contracts, _ = Walk(SeatHands(worlds.deals), callers).after(
            AuctionPosition.of(view), [call]
        )
        utility = Utility(self.search.tricks, threads=self.threads)
        side = int(view.seat) & 1
        leaves = utility.leaves(worlds.deals, view.vul, side)
        return commonest_end(contracts, leaves, worlds.shares, side)

    def meaning(self, view: View, call: int) -> Meaning:
        """What a call of this seat would show after this auction."""
        reading = self._reading(view.systems.theirs)
        return _meaning(reading, context_of(reading, view), call)

    def _decision(
        self,
        view: View,
        call: int,
        meaning: Meaning,
        why: tuple[Reason, ...],
        started: float,
        candidates: list[Candidate] | None = None,
        race: Race | None = None,
    ) -> Decision:
        shown = {}
        if self.disclose and race is not None and race.used:
            shown["worlds"] = race.worlds.fewer(
                PARTNER_EXPLAINED, np.random.default_rng(view.seed)
            ).deals
        return Decision(
            CALLS[call], meaning, candidates=tuple(candidates or ()), reasons=why,
            worlds=race.used if race else 0, seed=view.seed, details=shown,
            milliseconds=1000 * (now() - started), engine=self.name,
        )  # fmt: skip


def _meaning(reading: Reading, ctx: Context, call: int) -> Meaning:
    """What the system says the call shows; the opponents are told the agreement, not why this hand
    chose it."""
    shown = stated(reading, ctx, call)
    clubs, diamonds, hearts, spades = zip(shown.low, shown.high, strict=True)
    lengths = clubs, diamonds, hearts, spades
    return replace(call_meaning(reading, ctx, call), hcp=shown.hcp, lengths=lengths)


def _candidate(race: Race | None, place: int, way: Allowed, chance: float) -> Candidate:
    value, error = race.gain(place) if race is not None and race.used else (None, None)
    note = way.option.words + (f": {way.words}" if way.departs else "")
    told = {"probability": float(chance), "departs": way.words}
    return Candidate(CALLS[way.call], value, error, note, told)
