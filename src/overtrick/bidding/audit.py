"""What the rules of a system cost: each call of theirs beside the other calls the system allows.

Deals are bid by the rules against some opponents. At every turn of the audited side the other calls
are tried, the rest of the auction bid by the same callers, and the difference is taken in IMPs:
    in the deal itself   one true world a decision; averaged over many deals it is unbiased
    in imagined worlds   deals the auction allows (as a player at the table sees it), far less noise
                         a decision, but as good as the model of the others and the tricks network
Which rule is to blame is a matter of averages, see `arena.audit`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, reduce
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.bidding.bmcs.engine import Bmcs
from overtrick.bidding.kernel import (
    AuctionEnding,
    AuctionPosition,
    Caller,
    Clock,
    Contracts,
    Leaves,
    NetworkCaller,
    Passing,
    Race,
    RulesCaller,
    SeatHands,
    Utility,
    Walk,
    Worlds,
    choose_likeliest,
    contracts_of,
    estimate_of,
    run,
    system_number,
)
from overtrick.bidding.kernel.callers import Node, Split, WorldSet
from overtrick.bidding.kernel.leaves import ByTable
from overtrick.bidding.partner.keeping import KeepingStrictly
from overtrick.bidding.policy import Policy
from overtrick.game import CALLS, Auction, Hand, Seat, View, Vulnerability
from overtrick.game.view import Systems
from overtrick.nets.belief import card_beliefs
from overtrick.nets.contract import imps_of
from overtrick.nets.inference import network
from overtrick.systems import Reading, load
from overtrick.systems.allowed import GENERIC_LAYER, Allowed, allowed
from overtrick.systems.card import Character
from overtrick.systems.changed import Changed
from overtrick.systems.context import Context
from overtrick.systems.many import Pool
from overtrick.systems.offers import OfferedCall
from overtrick.systems.properties import Silly, silly_calls, stops_below_game
from overtrick.worlds.sets import members

Floats = NDArray[np.float64]
Hands = NDArray[np.uint64]
Tricks = NDArray[np.uint8]

SELF: Final = "self"
SILENT: Final = "silent"
DOUBLER: Final = "doubler"
RULES: Final = "rules"
PARTNER: Final = "partner"
GENERIC_ONLY: Final = "auctions with generic rules only"
_PROPOSALS: Final = 8  # deals drawn for each world that is bid out
_DOUBT: Final = 0.02  # how often a player is thought to do something else entirely
_LIKED: Final = 0.2  # calls at least so probable are the network's candidates


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """Which rules are audited, against whom, and how.

    `against` is `self` (the same system), `silent`, `doubler`, or the name of a policy network such
    as `sl`. `judge` names a network whose likely calls are tried as well, in the system or not.
    `bidder` plays the audited side: the rules, or the partner without a search, who judges among
    the calls that the rules leave to a hand.
    """

    system: str = "sayc"
    against: str = "sl"
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    judge: str = ""
    stretch: bool = True
    bidder: str = RULES

    def __post_init__(self) -> None:
        if self.against not in (SELF, SILENT, DOUBLER):
            network(self.against, "policy")  # fail now, not in a worker
        if self.judge:
            network(self.judge, "policy")
        load(self.system, self.on, self.off)


@dataclass(frozen=True, slots=True)
class Other:
    """Another call of a decision: `gain` is in IMPs over the rule's call, in the deal itself."""

    call: int
    rule: str
    words: str
    lacks: str
    gain: float


@dataclass(frozen=True, slots=True)
class AuditedCall:
    """A decision of the rules and what else could have been called. North dealt; `vul` has bit 0
    for North-South."""

    deal: int
    calls: tuple[int, ...]
    vul: int
    hand: int
    rule: str
    words: str
    call: int
    others: tuple[Other, ...]

    @property
    def auction(self) -> str:
        return auction_words(self.calls, self.side)

    @property
    def side(self) -> int:
        return len(self.calls) & 1

    @property
    def is_vulnerable(self) -> bool:
        return bool(self.vul >> self.side & 1)

    @property
    def position(self) -> AuctionPosition:
        return AuctionPosition(self.calls, 0, self.vul)


@dataclass(frozen=True, slots=True)
class WorldGains:
    """What the other calls of a decision gain in worlds the auction allows, with standard errors.
    `best` is the place of the one that half of the worlds prefer (-1: none), `proved` its gain in
    the other half: a choice is not judged by its own worlds."""

    deal: int
    turn: int
    gains: tuple[float, ...]
    errors: tuple[float, ...]
    best: int
    proved: float


@dataclass(frozen=True, slots=True)
class SystemFault:
    """Something no system should do, or that its author should know."""

    kind: str
    auction: str
    rule: str
    call: int
    hand: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Audited:
    """What one set of deals has shown. Scores are points of the audited side in both rooms."""

    scores: tuple[tuple[float, float], ...]
    decisions: int
    judged: tuple[AuditedCall, ...]
    faults: tuple[SystemFault, ...]
    without: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AuditDeals:
    """Deals [n, seat], North the dealer of all, with their double-dummy tables [n, strain,
    declarer]; without these a network says what contracts are worth."""

    deals: Hands
    vul: int
    tricks: Tricks | None = None

    def leaves(self, side: int) -> Leaves:
        known = estimate_of("tricks") if self.tricks is None else ByTable(_Known(self.tricks))
        return Leaves(known, self.deals, self.vul, side)

    def gains(self, leaves: Leaves, contracts: Contracts, others: Contracts) -> Floats:
        """IMPs of other contracts [n, ways] over those reached [n, 1]; exact where the tricks are
        known."""
        if self.tricks is None:
            return leaves.values(contracts.beside(others))[:, 1:]
        return imps_of(leaves.points(others) - leaves.points(contracts))


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Tables of tricks as a model of contracts."""

    tricks: Tricks
    name: str = "solved"

    def table(self, hands: Hands) -> Floats:
        return np.asarray(np.eye(14)[self.tricks])


def audit(
    table: AuditDeals, settings: AuditSettings, without: Sequence[str] = (), first: int = 0
) -> Audited:
    """All deals in both rooms; `first` is the number of the first deal."""
    rooms = [_Room(table, settings, side, first) for side in (0, 1)]
    for room in rooms:
        room.judge()
    judged = tuple(j for room in rooms for j in room.judged)
    faults = tuple(f for room in rooms for f in room.faults)
    decisions = sum(room.decisions for room in rooms)
    others = {name: _scores(table, settings, name) for name in without}
    scores = np.stack([room.score for room in rooms], axis=1)
    return Audited(_rows(scores), decisions, judged, faults, others)


def faults_in(table: AuditDeals, settings: AuditSettings) -> tuple[int, list[SystemFault]]:
    """How many decisions the audited side makes on these deals in both rooms, and its faults; no
    other call is tried."""
    rooms = [_Room(table, settings, side, 0) for side in (0, 1)]
    for room in rooms:
        room.look()
    return sum(room.decisions for room in rooms), [f for room in rooms for f in room.faults]


def _rows(scores: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(a), float(b)) for a, b in scores)


def _scores(
    table: AuditDeals, settings: AuditSettings, off: str, theirs: AuditSettings | None = None
) -> tuple[tuple[float, float], ...]:
    """The same deals when the audited side plays without a convention."""
    found = []
    for side in (0, 1):
        callers = _callers(settings, side, off, theirs)
        contracts = Walk(SeatHands(table.deals), callers).on(AuctionPosition((), 0, table.vul))
        found.append(table.leaves(side).points(contracts)[:, 0])
    return _rows(np.stack(found, axis=1))


def compared(table: AuditDeals, mine: AuditSettings, usual: AuditSettings) -> Floats:
    """IMPs [deals] that one card gains over another on the same deals against the same opponents
    (`self` are those of the usual card), both rooms of a deal together."""
    return np.asarray(compared_many(table, [mine], usual)[0])


def compared_many(
    table: AuditDeals,
    cards: Sequence[AuditSettings],
    usual: AuditSettings,
    *,
    calls_only: bool = False,
) -> Floats:
    """The same for several cards [cards, deals]. All deals are bid by the usual card; another one
    bids those again in which its side came to a place where the two can differ, or with
    `calls_only` those in which the hand calls otherwise there: partner's other reading of calls
    that stayed the same is left out, which is ten times faster for openings."""
    gains = np.zeros((len(cards), len(table.deals)))
    for side in (0, 1):
        held, caller = SeatHands(table.deals), RulesCaller(_reading(usual, "", usual), 0)
        walk = Walk(held, _callers(usual, side, "", usual))
        endings = walk.endings([(AuctionPosition((), 0, table.vul), held.every)])
        score = table.leaves(side).points(contracts_of([endings], held))[:, 0]
        for card, mine in enumerate(cards):
            changed = Changed(*(load(s.system, s.on, s.off) for s in (usual, mine)))
            touched = _touched(endings, changed, caller, side)
            if calls_only:
                own = _callers(mine, side, "", usual)[side]
                touched = _otherwise(touched, own, held)
            rows = held.rows(_together(touched))
            if len(rows) == 0:
                continue
            part = replace(
                table,
                deals=table.deals[rows],
                tricks=None if table.tricks is None else table.tricks[rows],
            )
            again = Walk(SeatHands(part.deals), _callers(mine, side, "", usual))
            contracts = again.on(AuctionPosition((), 0, table.vul))
            gains[card, rows] += imps_of(part.leaves(side).points(contracts)[:, 0] - score[rows])
    return gains


def match_imps(table: AuditDeals, settings: AuditSettings) -> Floats:
    """IMPs [deals] of a match against those opponents: the audited side sits North-South in one
    room and East-West in the other."""
    scores = np.array(_scores(table, settings, ""))
    return np.asarray(imps_of(scores.sum(axis=1)), float)


Places = dict[AuctionPosition, dict[int, WorldSet]]
"""By place of an auction and call made there, the deals in which it was made."""


def _touched(
    endings: Sequence[AuctionEnding], changed: Changed, caller: RulesCaller, side: int
) -> Places:
    """Where this side came to a place in which two cards can differ."""
    known: dict[AuctionPosition, bool] = {}
    found: Places = {}
    for ending in endings:
        for turn in range(side, len(ending.at.calls), 2):
            at = ending.at.before(turn)
            if at not in known:
                known[at] = changed.at(caller.context(at))
            if known[at]:
                made, call = found.setdefault(at, {}), ending.at.calls[turn]
                made[call] = made.get(call, 0) | ending.worlds
    return found


def _otherwise(touched: Places, mine: Caller, held: SeatHands) -> Places:
    """The same without the deals in which the hand makes the same call by the other card."""
    found: Places = {}
    for seat in range(4):
        nodes = [(at, _worlds(made)) for at, made in touched.items() if at.turn == seat]
        if not nodes:
            continue
        for (at, _), now in zip(nodes, mine.choose(nodes, held), strict=True):
            left = {call: worlds & ~now.get(call, 0) for call, worlds in touched[at].items()}
            found[at] = {call: worlds for call, worlds in left.items() if worlds}
    return found


def _worlds(made: dict[int, WorldSet]) -> WorldSet:
    return reduce(or_, made.values(), 0)


def _together(touched: Places) -> WorldSet:
    return reduce(or_, map(_worlds, touched.values()), 0)


@lru_cache(maxsize=64)
def _reading(
    settings: AuditSettings, off: str = "", theirs: AuditSettings | None = None
) -> Reading:
    """The audited side's rules, and what it takes the others to play."""
    mine = load(settings.system, settings.on, (*settings.off, off) if off else settings.off)
    if settings.against != SELF:
        return Reading(mine, mine)
    other = theirs or settings
    return Reading(mine, load(other.system, other.on, other.off))


def _callers(
    settings: AuditSettings, side: int, off: str = "", theirs: AuditSettings | None = None
) -> list[Caller]:
    """Those of North, East, South, West when `side` is audited."""
    reading = _reading(settings, off, theirs)
    mine, other = _audited(settings, reading), _opponents(settings, reading)
    return [mine if seat & 1 == side else other for seat in range(4)]


def _audited(settings: AuditSettings, reading: Reading) -> Caller:
    if settings.bidder == RULES:
        return RulesCaller(reading, 0)
    numbers = system_number(settings.system), system_number(_declared(settings))
    return KeepingStrictly(NetworkCaller(network(PARTNER, "policy"), *numbers), reading)


def _opponents(settings: AuditSettings, reading: Reading) -> Caller:
    if settings.against == SELF:
        return RulesCaller(reading, 1)
    if settings.against == SILENT:
        return Passing()
    if settings.against == DOUBLER:
        return Doubler()
    return _network(settings.against, settings.system)


def _network(name: str, theirs: str) -> NetworkCaller:
    """A network as it sits at the table: it knows what it declares and what the others declare."""
    declared = system_number(Policy(name).system)
    return NetworkCaller(network(name, "policy"), declared, system_number(theirs))


@dataclass(frozen=True, slots=True)
class Doubler:
    """Doubles what it may about one time in three and otherwise passes; the same hand in the same
    auction always does the same. Opponents who make no sense find holes that nobody else finds."""

    def chances(self, at: AuctionPosition, hands: Hands) -> Floats:
        return np.eye(38)[self._doubles(at, hands).astype(np.int64)]

    def choose(self, nodes: Sequence[Node], held: SeatHands) -> list[Split]:
        return choose_likeliest(self, nodes, held)

    def _doubles(self, at: AuctionPosition, hands: Hands) -> NDArray[np.bool_]:
        bid, declarer, doubled = at.contract
        if bid < 0 or doubled or declarer & 1 == at.turn & 1:
            return np.zeros(len(hands), bool)
        mixed = hands * np.uint64(0x9E3779B97F4A7C15) + np.uint64(len(at.calls))
        return np.asarray((mixed >> np.uint64(40)) % np.uint64(3) == 0)


class _Room:
    """The deals at one table, where `side` (0 N-S, 1 E-W) plays the audited system."""

    def __init__(self, table: AuditDeals, settings: AuditSettings, side: int, first: int) -> None:
        self.table, self.settings, self.side, self.first = table, settings, side, first
        self.reading, self.callers = _reading(settings), _callers(settings, side)
        self.mine = RulesCaller(self.reading, 0)
        self.held = SeatHands(table.deals)
        self.walk = Walk(self.held, self.callers)
        self.endings = self.walk.endings([(AuctionPosition((), 0, table.vul), self.held.every)])
        self.reached = contracts_of([self.endings], self.held)
        self.leaves = table.leaves(side)
        self.score: Floats = self.leaves.points(self.reached)[:, 0]
        self.decisions = 0
        self.judged: list[AuditedCall] = []
        self.faults: list[SystemFault] = []

    def judge(self) -> None:
        """Every turn of the audited side, those of one number together."""
        turns: dict[int, list[tuple[AuctionPosition, WorldSet]]] = {}
        for at, worlds in self._turns().items():
            turns.setdefault(len(at.calls), []).append((at, worlds))
        for turn in sorted(turns):
            asked = [ask for at, worlds in turns[turn] for ask in self._asked(at, worlds)]
            self.judged += self._tried(turn, asked)
        self._look_at_endings()

    def look(self) -> None:
        """Every turn and every ending, for faults alone."""
        for at, worlds in self._turns().items():
            self._chosen(at, worlds)
        self._look_at_endings()

    def _look_at_endings(self) -> None:
        for ending in self.endings:
            ctx = self.mine.context(ending.at)
            if stops_below_game(ctx) and ending.contract[1] & 1 == self.side:
                self._fault(Silly.BELOW_GAME, ctx, None, ending.worlds, self._pool(ending))

    def _pool(self, ending: AuctionEnding) -> Pool:
        return self.held.pool(ending.contract[1])

    def _turns(self) -> dict[AuctionPosition, WorldSet]:
        found: dict[AuctionPosition, WorldSet] = {}
        for ending in self.endings:
            for turn in range(self.side, len(ending.at.calls), 2):
                at = ending.at.before(turn)
                found[at] = found.get(at, 0) | ending.worlds
        return found

    def _asked(self, at: AuctionPosition, worlds: WorldSet) -> Iterator[_Asked]:
        """The decisions of one auction that leave a choice; on the way its faults are noted."""
        ctx, pool = self.mine.context(at), self.held.pool(at.turn)
        character = Character.FREE if self.settings.stretch else None
        chosen = self._chosen(at, worlds)
        liked = self._liked(at, worlds)
        for option, hit in chosen:
            if option is None:
                continue
            for row in members(hit):
                ways = allowed(self.reading, ctx, pool.values(row), character)
                others = {w.call: w for w in ways if w.call != option.call}
                more = [c for c in liked.get(row, ()) if c != option.call and c not in others]
                if others or more:
                    yield _Asked(at, row, option, tuple(others.values()), tuple(more))

    def _chosen(
        self, at: AuctionPosition, worlds: WorldSet
    ) -> list[tuple[OfferedCall | None, WorldSet]]:
        """What the hands choose in one auction, its faults noted."""
        ctx, pool = self.mine.context(at), self.held.pool(at.turn)
        chosen = list(pool.chosen(self.reading, ctx, worlds))
        self.decisions += worlds.bit_count()
        for kind, option, hit in silly_calls(self.reading, ctx, pool, chosen):
            self._fault(kind, ctx, option, hit, pool)
        if all(o.rule.layer <= GENERIC_LAYER for o in self.reading.options(ctx)):
            for option, hit in chosen:
                if option is not None and option.call:  # to pass there needs no book
                    self._fault(GENERIC_ONLY, ctx, option, hit, pool)
        return chosen

    def _liked(self, at: AuctionPosition, worlds: WorldSet) -> dict[int, list[int]]:
        """The likely calls of the network that is also asked, by deal."""
        if not self.settings.judge:
            return {}
        rows = self.held.rows(worlds)
        caller = _network(self.settings.judge, self.settings.system)
        chances = caller.chances(at, self.table.deals[rows, at.turn])
        return {
            int(r): np.flatnonzero(p >= _LIKED).tolist() for r, p in zip(rows, chances, strict=True)
        }

    def _tried(self, turn: int, asked: list[_Asked]) -> Iterator[AuditedCall]:
        """Each other call in the deal itself: the auctions of all deals walk on together."""
        sets: dict[AuctionPosition, WorldSet] = {}
        for ask in asked:
            for call in ask.calls:
                after = ask.at.then(call)
                sets[after] = sets.get(after, 0) | 1 << ask.row
        calls = sorted({at.calls[turn] for at in sets})
        if not calls:
            return
        ways = self.walk.by_call(turn, list(sets.items()), calls)
        gains = self.table.gains(self.leaves, self.reached, contracts_of(ways, self.held))
        for ask in asked:
            yield self._judged(ask, [float(gains[ask.row, calls.index(c)]) for c in ask.calls])

    def _judged(self, ask: _Asked, gains: list[float]) -> AuditedCall:
        ways = [(_set_name(w.option), w.option.words, w.words) for w in ask.ways]
        judge = self.settings.judge
        ways += [(f"{judge}: {_kind(c)}", f"the choice of {judge}", "") for c in ask.more]
        others = tuple(
            Other(call, *way, gain) for call, way, gain in zip(ask.calls, ways, gains, strict=True)
        )
        return AuditedCall(
            self.first + ask.row, ask.at.calls, self.table.vul,
            int(self.table.deals[ask.row, ask.at.turn]), _set_name(ask.option), ask.option.words,
            ask.option.call, others,
        )  # fmt: skip

    def _fault(
        self, kind: str, ctx: Context, option: OfferedCall | None, hit: WorldSet, pool: Pool
    ) -> None:
        example = int(pool.hands.bits[next(members(hit))])
        rule, call = (_set_name(option), option.call) if option else ("", 0)
        auction = auction_words(ctx.calls, self.side)
        self.faults.append(SystemFault(str(kind), auction, rule, call, example, hit.bit_count()))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A decision: the auction, the deal, the rule's own choice, calls the system also allows, and
    calls that only the network would make."""

    at: AuctionPosition
    row: int
    option: OfferedCall
    ways: tuple[Allowed, ...]
    more: tuple[int, ...]

    @property
    def calls(self) -> list[int]:
        return [*(way.call for way in self.ways), *self.more]


def imagine(judged: AuditedCall, settings: AuditSettings, worlds: int, seed: int = 0) -> WorldGains:
    """The rule's call and the others in worlds the auction allows: two rounds, all calls in both,
    so that one may choose and the other value."""
    at, side, many = judged.position, judged.side, worlds // 2
    calls = [judged.call, *(other.call for other in judged.others)]
    callers = _callers(settings, side)
    view = View(
        Seat(at.turn), Hand(judged.hand), Auction(Seat.NORTH, at.calls), Vulnerability(at.vul),
        systems=Systems(settings.system, _declared(settings)),
    )  # fmt: skip
    rng = np.random.default_rng([seed, judged.deal, len(at.calls)])
    sampler = Bmcs(proposals=_PROPOSALS * many, worlds=many, doubt=_DOUBT)
    beliefs = card_beliefs(view, network(sampler.belief, "belief"))

    def draw() -> Worlds:
        return sampler.imagined(view, beliefs, callers, rng).draw().fewer(many, rng)

    def value(drawn: Worlds, some: Sequence[int]) -> Floats:
        contracts, _ = Walk(SeatHands(drawn.deals), callers).after(at, some)
        return Utility(sampler.tricks).leaves(drawn.deals, at.vul, side).values(contracts)

    race = Race(calls)
    run(race, [draw] * 2, value, Clock(), settle=lambda _: False)
    gains, errors = zip(*(race.gain(i) for i in range(1, len(calls))), strict=True)
    return WorldGains(judged.deal, len(at.calls), gains, errors, *_crossed(race))


def _crossed(race: Race) -> tuple[int, float]:
    """Which other call the first round of worlds prefers, and its gain in the second."""
    if len(race.rounds) < 2:
        return -1, 0.0
    count = len(race.rounds[0])
    best = int((race.rounds[0].shares @ race.values[:count]).argmax())
    if best == 0:
        return -1, 0.0
    return best - 1, float(race.rounds[1].shares @ race.values[count:, best])


def _declared(settings: AuditSettings) -> str:
    if settings.against in (SELF, SILENT, DOUBLER):
        return settings.system
    return Policy(settings.against).system


def _kind(call: int) -> str:
    return "a bid" if call > 2 else str(CALLS[call])


def _set_name(option: OfferedCall) -> str:
    """The rule, and which of its sets if it has several."""
    rule = option.rule
    if len(rule.sets) < 2:
        return rule.id
    return f"{rule.id}.{rule.sets.index(option.shows) + 1}"


def auction_words(calls: Sequence[int], side: int) -> str:
    """Their calls in brackets; passes before the first bid do not matter.

    >>> auction_words((0, 6, 0, 11), 1)
    '1S (P) 2S'
    """
    opened = next((i for i, call in enumerate(calls) if call), len(calls))
    words = []
    for i, call in enumerate(calls[opened:], opened):
        word = CALLS[call].ascii.replace("Pass", "P")
        words.append(word if i & 1 == side else f"({word})")
    return " ".join(words) or "opening"
