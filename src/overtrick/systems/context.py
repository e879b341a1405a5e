"""What an auction has established so far: ranges shown, suits bid, forcing state, agreed trumps.
Carried forward call by call by `reading`; conditions of rules and combined values read it."""

from __future__ import annotations

import struct
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from overtrick.game.meaning import Forcing
from overtrick.systems.errors import BiddingSystemError

if TYPE_CHECKING:  # what is offered is made from contexts; only the names are needed here
    from overtrick.systems.offers import AuctionOffer, OfferedCall

Span = tuple[int, int]
Four = tuple[int, int, int, int]
_NO_SUITS: Final = (0, 0, 0, 0)
GAME_CALLS: Final = frozenset(
    c for c in range(3, 38)
    if ((c - 3) // 5 + 1) >= (5, 5, 4, 4, 3)[(c - 3) % 5]
)  # fmt: skip


class Shown(NamedTuple):
    """What one hand has shown: high cards, points with distribution, and suit lengths."""

    hcp: Span = (0, 37)
    points: Span = (0, 40)
    low: Four = (0, 0, 0, 0)
    high: Four = (13, 13, 13, 13)

    def meet(self, other: Shown) -> Shown:
        """Both together; where they contradict, the later one (`other`) is believed."""
        low, high = [], []
        for s in range(4):
            a, b = _meet((self.low[s], self.high[s]), (other.low[s], other.high[s]))
            low.append(a)
            high.append(b)
        return Shown(
            _meet(self.hcp, other.hcp), _meet(self.points, other.points), _four(low), _four(high)
        )

    def tightened(self) -> Shown:
        """Lengths bounded by the thirteen cards of a hand."""
        total = sum(self.low)
        high = [min(self.high[s], 13 - total + self.low[s]) for s in range(4)]
        most = sum(high)
        low = [max(self.low[s], 13 - most + high[s]) for s in range(4)]
        return self._replace(low=_four(low), high=_four(high))


def join(many: list[Shown]) -> Shown:
    """The smallest ranges that hold every alternative."""
    if len(many) == 1:
        return many[0]
    return Shown(
        (min(m.hcp[0] for m in many), max(m.hcp[1] for m in many)),
        (min(m.points[0] for m in many), max(m.points[1] for m in many)),
        _four([min(m.low[s] for m in many) for s in range(4)]),
        _four([max(m.high[s] for m in many) for s in range(4)]),
    )


def _meet(a: Span, b: Span) -> Span:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else b


def _four(values: list[int]) -> Four:
    return (values[0], values[1], values[2], values[3])


NOTHING: Final = Shown()


class CallMeant(NamedTuple):
    """What the context keeps of the last call of a seat."""

    call: int = -1
    forcing: Forcing = Forcing.NONE
    tags: tuple[str, ...] = ()
    rule: str = ""
    convention: str = ""
    artificial: bool = False


_SILENT: Final = CallMeant()
LEAD: Final = "lead"  # the tag of a double of an artificial bid
AGAIN: Final = "again"  # the tag of a redouble that repeats the question
_FORCING: Final = (Forcing.ONE_ROUND, Forcing.GAME, Forcing.SLAM)


class Context:
    """The state of an auction before the next call. Seats count from the dealer (0)."""

    __slots__ = (
        "_must_bid", "_shared", "agreed", "bids", "calls", "classes_after", "conventions",
        "displaced", "doubled", "first", "game_force", "key", "last_bid", "last_bidder", "leads",
        "lho", "loose", "me", "offer", "opener", "partner", "passed", "passes", "quiet",
        "ranges_after", "rho", "shown", "suits", "told", "vul",
    )  # fmt: skip

    calls: tuple[int, ...]
    key: tuple[int, ...]  # the calls from the first that is not a pass
    quiet: tuple[tuple[int, ...], tuple[int, ...]]  # per side: with lead doubles read as passes
    leads: tuple[int, int]  # per side: how often it doubled an artificial bid
    me: int
    vul: int  # bit 0: dealer's side, bit 1: the other side
    opener: int  # -1 before anyone has bid
    last_bid: int
    last_bidder: int
    doubled: int
    passes: int
    shown: tuple[Shown, Shown, Shown, Shown]
    suits: Four  # per seat, bits of the suits it has shown
    bids: Four  # per seat, how many calls other than passes
    told: tuple[CallMeant, CallMeant, CallMeant, CallMeant]
    agreed: tuple[int, int]  # per side, -1 or the suit
    game_force: tuple[int, int]  # per side: 0, 1 to game, 2 to slam
    passed: int  # bits of the seats that passed before the opening
    conventions: tuple[frozenset[str], frozenset[str]]  # switches, dealer's side and the other
    first: int  # which of a reading's two systems the dealer's side plays
    # Worked out when first asked for, by the reading and by those who explain it:
    offer: AuctionOffer | None
    displaced: AuctionOffer | None
    loose: dict[int, list[OfferedCall]]  # by slack
    classes_after: dict[int, int]  # by call
    ranges_after: dict[int, Shown]  # by call

    def __init__(self, vul: int, conventions: tuple[frozenset[str], frozenset[str]]) -> None:
        self.calls, self.key = (), ()
        self.quiet, self.leads = (self.key, self.key), (0, 0)
        self.vul, self.conventions = vul, conventions
        self.opener = self.last_bidder = -1
        self.last_bid = self.doubled = self.passes = self.passed = 0
        self.shown = (NOTHING, NOTHING, NOTHING, NOTHING)
        self.suits = self.bids = _NO_SUITS
        self.told = (_SILENT, _SILENT, _SILENT, _SILENT)
        self.agreed, self.game_force = (-1, -1), (0, 0)
        self.first = 0
        self._seats(0)

    def _seats(self, me: int) -> None:
        self.me = me
        self.lho, self.partner, self.rho = (me + 1) & 3, (me + 2) & 3, (me + 3) & 3
        self.offer = self.displaced = None
        self.loose, self.classes_after, self.ranges_after = {}, {}, {}
        self._must_bid: bool | None = None
        self._shared: dict[int, bytes] = {}

    # What conditions ask.

    @property
    def side(self) -> int:
        return self.me & 1

    @property
    def is_over(self) -> bool:
        return self.passes >= (3 if self.last_bid else 4)

    @property
    def level(self) -> int:
        return (self.last_bid - 3) // 5 + 1 if self.last_bid else 0

    @property
    def ours(self) -> bool:
        """Is the last bid our side's?"""
        return self.last_bidder >= 0 and self.last_bidder & 1 == self.me & 1

    @property
    def uncontested(self) -> bool:
        return self.bids[self.lho] + self.bids[self.rho] == self.leads[1 - self.side]

    @property
    def our_suits(self) -> int:
        return self.suits[self.me] | self.suits[self.partner]

    @property
    def their_suits(self) -> int:
        return self.suits[self.lho] | self.suits[self.rho]

    @property
    def forced_to_game(self) -> bool:
        return self.game_force[self.side] > 0

    @property
    def at_game(self) -> bool:
        """Has our side's contract reached game, or have they bid beyond our games?"""
        return self.last_bid in GAME_CALLS

    @property
    def forced(self) -> bool:
        """Would a pass break a forcing call of our side?"""
        if not self.last_bid or self.last_bidder < 0:
            return False
        told = self.told[self.partner]
        quiet = self.told[self.rho].call == 0 and len(self.calls) >= 2
        if self.ours:
            fresh = self.last_bidder == self.partner and quiet and self.passes == 1
            bound = told.forcing in (Forcing.ONE_ROUND, Forcing.SLAM) or (
                told.forcing is Forcing.GAME and (told.artificial or not self.at_game)
            )
            if fresh and bound and not (self.at_game and self._in_agreed_suit):
                return True
            return self.forced_to_game and not self.at_game and self.doubled == 0
        # They bid over our game force: the player in the pass-out seat may not sell out cheaply.
        if self.passes == 2 and self.forced_to_game and self.doubled == 0:
            return not self.at_game
        # A forcing double (takeout) left in by a pass is a decision, not a breach.
        return False

    @property
    def _in_agreed_suit(self) -> bool:
        """Is the last bid in our trumps? At game or higher such a bid asks nothing more, though it
        may be the answer of a convention whose other answers are forcing."""
        return self.agreed[self.side] == (self.last_bid - 3) % 5

    @property
    def must_bid(self) -> bool:
        """May we not pass, whatever we hold? (Unless a pass is the answer, see `answer_due`.)"""
        if self._must_bid is None:
            self._must_bid = self.forced or (self.doubled > 0 and (self.answer_due or self.left_in))
        return self._must_bid

    @property
    def answer_due(self) -> bool:
        """They doubled partner's forcing artificial bid: the answer is still awaited."""
        return (
            self.last_bidder == self.partner
            and LEAD in self.told[self.rho].tags
            and self.told[self.partner].forcing in _FORCING
        )

    @property
    def left_in(self) -> bool:
        """Would a pass leave our own artificial bid in, doubled, though partner did not mean it?"""
        mine, partner = self.told[self.me], self.told[self.partner]
        return (
            self.last_bidder == self.me
            and self.doubled > 0
            and mine.artificial
            and mine.forcing in _FORCING
            and (partner.call == 0 or partner.forcing in _FORCING)
        )

    def shared(self, needs: int) -> bytes:
        """What shared values of a constraint set may depend on, as bytes for a quick hash.
        Bits of `needs`: 1 partner's strength, 2 partner's lengths, 4 my own hand, 8 the suits."""
        found = self._shared.get(needs)
        if found is None:
            mine, partner = self.shown[self.me], self.shown[self.partner]
            parts: list[int] = []
            if needs & 1:
                parts += (*partner.hcp, *self.points_of(self.partner))
            if needs & 2:
                parts += (*partner.low, *partner.high)
            if needs & 4:
                parts += (mine.hcp[0], self.points_of(self.me)[0], *mine.low)
            if needs & 8:
                notrump = (self.told[self.partner].call - 3) % 5 == 4
                parts += (self.their_suits, self.our_suits, notrump)
            found = self._shared[needs] = struct.pack(f"{len(parts)}h", *parts)
        return found

    def expected(self, seat: int, what: str = "hcp") -> int:
        """A guess at the strength of a hand from its range; most hands are near the bottom."""
        low, high = self.shown[seat].hcp if what == "hcp" else self.points_of(seat)
        return _expected(low, min(high, 37))

    def points_of(self, seat: int) -> Span:
        """Points with distribution: what was shown, and at least the long suits on top of hcp."""
        shown = self.shown[seat]
        a, b, c, d = shown.low
        long = max(0, a - 5) + max(0, b - 5) + max(0, c - 5) + max(0, d - 5)
        low = max(shown.hcp[0] + long, shown.points[0])
        return low, max(low, min(shown.points[1], shown.hcp[1] + 3))

    def force_of(self, forcing: Forcing, artificial: bool) -> Forcing:
        """How far a call of the player in turn binds partner: the natural response of a passed
        hand, which would be forcing for one round, may be passed."""
        light = (
            forcing is Forcing.ONE_ROUND
            and not artificial
            and self.opener == self.partner
            and self.bids[self.me] == 0
            and self.passed >> self.me & 1
            and self.uncontested
        )
        return Forcing.NONE if light else forcing

    def after(self, call: int, told: CallMeant, shown: Shown, suits: int, agree: int) -> Context:
        """The context after the player in turn makes `call`, which tells and shows this."""
        if not 0 <= call < 38:
            raise BiddingSystemError(f"there is no call number {call}")
        if told.forcing is not (bound := self.force_of(told.forcing, told.artificial)):
            told = told._replace(forcing=bound)
        new = Context.__new__(Context)
        me, side = self.me, self.me & 1
        new.calls, new.vul, new.conventions = (*self.calls, call), self.vul, self.conventions
        new.key = (*self.key, call) if self.key or call else ()
        new.quiet, new.leads, told = self._read_quietly(new.key, call, told)
        new.first, new.opener, new.passed = self.first, self.opener, self.passed
        new.last_bid, new.last_bidder, new.doubled = self.last_bid, self.last_bidder, self.doubled
        if call == 0:
            new.passes = self.passes + 1
            if self.opener < 0:
                new.passed |= 1 << me
        else:
            new.passes = 0
            if call >= 3:
                new.last_bid, new.last_bidder, new.doubled = call, me, 0
                if self.opener < 0:
                    new.opener = me
            else:
                new.doubled = call
        news = shown is not NOTHING and shown != NOTHING
        new.shown = self.shown
        if news:
            new.shown = _put(self.shown, me, self.shown[me].meet(shown).tightened())
        new.suits = _put(self.suits, me, self.suits[me] | suits)
        new.bids = _put(self.bids, me, self.bids[me] + (call != 0))
        new.told = _put(self.told, me, told)
        new.game_force = self.game_force
        force = {Forcing.GAME: 1, Forcing.SLAM: 2}.get(told.forcing, 0)
        if force > self.game_force[side]:
            new.game_force = (
                (force, self.game_force[1]) if side == 0 else (self.game_force[0], force)
            )
        new.agreed = self.agreed
        fit = agree if agree >= 0 else _fit(new, me) if news else -1
        if fit >= 0 and fit != self.agreed[side]:
            new.agreed = (fit, self.agreed[1]) if side == 0 else (self.agreed[0], fit)
        new._seats((me + 1) & 3)
        return new

    def _read_quietly(
        self, key: tuple[int, ...], call: int, told: CallMeant
    ) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], tuple[int, int], CallMeant]:
        """The auction as each side reads it. Their double of our artificial bid is a pass to us;
        a redouble that asks again (tag `again`) takes us back to the question."""
        ours = self.me & 1
        last = self.told[self.last_bidder]
        if call == 1 and last.artificial and last.call == self.last_bid:
            told = told._replace(tags=(*told.tags, LEAD))
            quiet, leads = (*self.quiet[1 - ours], 0), self.leads[ours] + 1
            both = (key, quiet) if ours == 0 else (quiet, key)
            counts = (leads, self.leads[1]) if ours == 0 else (self.leads[0], leads)
            return both, counts, told
        if AGAIN in told.tags:
            asked = self.quiet[ours][:-3]
            both = (asked, key) if ours == 0 else (key, asked)
            return both, self.leads, told._replace(tags=(*told.tags, *self.told[self.me].tags))
        if self.quiet[0] is self.key and self.quiet[1] is self.key:
            return (key, key), self.leads, told
        a, b = (key if q is self.key else (*q, call) for q in self.quiet)
        return (a, b), self.leads, told


def _put(values: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*values[:index], value, *values[index + 1 :])


def _fit(ctx: Context, me: int) -> int:
    """A suit in which the two hands have shown eight cards, once none is agreed."""
    agreed = ctx.agreed[me & 1]
    if agreed >= 0:
        return -1
    mine, partners = ctx.shown[me].low, ctx.shown[me ^ 2].low
    best = -1
    for s in (0, 1, 2, 3):
        if mine[s] + partners[s] >= 8 and (
            best < 0 or mine[s] + partners[s] >= mine[best] + partners[best]
        ):
            best = s
    return best


# How often a random hand holds 0..37 high-card points, in ten-thousandths.
_HCP_ODDS: Final = (
    36, 79, 136, 246, 385, 519, 655, 803, 889, 936, 941, 894, 803, 691, 569, 442, 331, 236, 161,
    104, 64, 38, 21, 11, 6, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
)  # fmt: skip


@cache
def _expected(low: int, high: int) -> int:
    high = max(low, high)
    weights = _HCP_ODDS[low : high + 1] or (1,)
    mean = sum((low + i) * w for i, w in enumerate(weights)) / sum(weights)
    return int(mean + 0.5)
