"""Many deals that fit what is known: what each contract makes, par, and which action is better.
Deals by `worlds`, play double dummy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import sqrt
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.arena.run import Backend, in_order, run_jobs
from overtrick.arena.stats import Estimate, estimate
from overtrick.bidding import Bidder, bidder
from overtrick.bidding.rules import reading_of
from overtrick.game import (
    Auction,
    Board,
    BridgeError,
    Call,
    Contract,
    Deal,
    Hand,
    ParseError,
    PartialDeal,
    Seat,
    Strain,
    Vulnerability,
    imps,
    score,
    view_of,
)
from overtrick.game.errors import WrongType
from overtrick.systems.meanings import knowledge
from overtrick.worlds import Constraint, Dealer, DealingError, all_of
from overtrick.worlds.dealer import DealSample, Wishes, wished

Hands = NDArray[np.uint64]
Tricks = NDArray[np.int8]
Known = Mapping[Seat, Hand] | Mapping[str, Hand | str]
Progress = Callable[[int, int], None]
_BATCH: Final = 20  # deals between two looks at whether it is decided
_LEAST: Final = 40
_SURE: Final = 3.0  # standard errors; equal actions seem apart in 1 of 100 runs of 100 deals
_CLOSE: Final = 0.1  # IMPs: with an error so small, what is still open hardly matters
_MOST: Final = 100_000
_SHOWN_PARS: Final = 5
_HAND: Final = re.compile(r"[2-9TJQKA10]*(\.[2-9TJQKA10]*){3}\Z", re.IGNORECASE)
_DRAWN: Final = 4  # contracts of which every number of tricks is drawn


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the deals with its standard error.

    >>> str(Share.of(30, 100))
    '30.0 % ± 4.6'
    """

    value: float
    error: float

    @classmethod
    def of(cls, hits: int, deals: int) -> Share:
        """So many of so many; a half is added so that "never" and "always" have an error, too."""
        if deals == 0:
            return cls(0.0, float("inf"))
        near = (hits + 0.5) / (deals + 1)
        return cls(hits / deals, sqrt(near * (1 - near) / deals))

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ± {100 * self.error:.1f}"


@dataclass(frozen=True, slots=True)
class Simulation:
    """What many deals gave. `tricks[deal, strain, declarer]` is -1 where nobody asked.

    >>> found = simulate({"N": "hcp 15..17, balanced", "S": "hcp 10..12, balanced"},
    ...                  contracts=["3NT N"], deals=40, seed=1)
    >>> found.deals, found.made("3NT N").value > 0.5, found.mean_tricks("NT", "N").mean > 8
    (40, True, True)
    """

    deals: int
    chance: float  # how often such a deal comes
    vul: Vulnerability
    dealer: Seat
    tricks: Tricks = field(repr=False, compare=False)
    hands: Hands = field(repr=False, compare=False)
    actions: tuple[str, str] | None = None
    gain: Estimate | None = None  # IMPs of the first action over the second
    ahead: tuple[int, int, int] = (0, 0, 0)  # first better, equal, second better
    stopped: str = ""
    how: str = ""

    def made(self, contract: Contract | str) -> Share:
        """How often a contract makes."""
        contract = Contract.parse(contract) if isinstance(contract, str) else contract
        column = self._column(contract.strain, contract.declarer)
        return Share.of(int((column >= contract.target).sum()), self.deals)

    def distribution(self, strain: Strain | str, declarer: Seat | str) -> dict[int, Share]:
        """The chance of every number of tricks that occurred."""
        counts = Counter(self._column(Strain(strain), Seat(declarer)).tolist())
        return {n: Share.of(counts[n], self.deals) for n in sorted(counts)}

    def mean_tricks(self, strain: Strain | str, declarer: Seat | str) -> Estimate:
        """Tricks on average."""
        return estimate(self._column(Strain(strain), Seat(declarer)).tolist())

    def mean_score(self, contract: Contract | str) -> Estimate:
        """Points for the declaring side on average."""
        contract = Contract.parse(contract) if isinstance(contract, str) else contract
        column = self._column(contract.strain, contract.declarer).tolist()
        sign = -1 if contract.declarer & 1 else 1
        return estimate([sign * score(contract, t, self.vul) for t in column])

    @property
    def solved(self) -> list[tuple[Strain, Seat]]:
        """The strains and declarers whose tricks are known, notrump first."""
        return [
            (strain, seat)
            for strain in reversed(Strain)
            for seat in Seat
            if self.deals and self.tricks[0, strain, seat] >= 0
        ]

    def par(self) -> tuple[Estimate, dict[str, Share]]:
        """Par for North-South on average, and how often which contract is par."""
        if len(self.solved) < 20:
            raise BridgeError("par needs every contract solved: leave out `contracts` and actions")
        pars = [dd.par(dd.Table.of(t), self.vul, self.dealer) for t in self.tricks.tolist()]
        named = Counter(_par_name(p) for p in pars)
        shares = {n: Share.of(k, self.deals) for n, k in named.most_common(_SHOWN_PARS)}
        return estimate([p.score for p in pars]), shares

    def boards(self) -> list[Board]:
        """The deals, as boards with this dealer and vulnerability."""
        rows = self.hands.tolist()
        return [Board(i, self.dealer, self.vul, _deal(row)) for i, row in enumerate(rows, 1)]

    def _column(self, strain: Strain, declarer: Seat) -> Tricks:
        column: Tricks = self.tricks[:, strain, declarer]
        if self.deals and column[0] < 0:
            raise BridgeError(f"{strain} by {declarer} was not simulated")
        return column

    def _repr_html_(self) -> str:
        from overtrick.notation.charts import bars, chart, shaded

        title = f"{self.deals:,} deals, {self.stopped}"
        parts: list[str] = []
        if self.actions is not None and self.gain is not None:
            first, second = self.actions
            mean, error = self.gain.mean, self.gain.error
            title += f": {first} over {second} {mean:+.2f} ± {error:.2f} IMPs"
            names = (f"{first} better", "equal", f"{second} better")
            counts = zip(names, self.ahead, strict=True)
            parts.append(bars((name, count, f"{count:,} deals") for name, count in counts))
        known = set(self.solved)
        strains = [s for s in reversed(Strain) if any(s == strain for strain, _ in known)]
        if strains:
            rows = [
                (str(seat), [self._mean(s, seat) if (s, seat) in known else None for s in strains])
                for seat in Seat
                if any(seat == declarer for _, declarer in known)
            ]
            parts.append(shaded([s.symbol for s in strains], rows, most=13))
        for strain, seat in self.solved if len(known) <= _DRAWN else ():
            shares = self.distribution(strain, seat)
            lines = ((f"{n} tricks", share.value, str(share)) for n, share in shares.items())
            parts.append(f"<div>{strain.symbol} by {seat}</div>" + bars(lines))
        return chart(title, *parts)

    def _mean(self, strain: Strain, declarer: Seat) -> float:
        return float(self._column(strain, declarer).mean())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        out: dict[str, Any] = {
            "deals": self.deals, "chance": self.chance, "vul": str(self.vul),
            "dealer": self.dealer.letter, "stopped": self.stopped, "how": self.how,
            "contracts": [], "actions": None,
        }  # fmt: skip
        for strain, seat in self.solved:
            mean = self.mean_tricks(strain, seat)
            out["contracts"].append({
                "strain": strain.letter, "declarer": seat.letter,
                "tricks": mean.mean, "tricks_error": mean.error,
                "made": {
                    str(level): _plain(self.made(Contract(level, strain, seat)))
                    for level in range(1, 8)
                },
                "distribution": {
                    str(n): _plain(s) for n, s in self.distribution(strain, seat).items()
                },
            })  # fmt: skip
        if len(self.solved) == 20:
            mean, named = self.par()
            shares = {n: _plain(s) for n, s in named.items()}
            out["par"] = {"score_ns": mean.mean, "error": mean.error, "contracts": shares}
        if self.actions is not None and self.gain is not None:
            out["actions"] = {
                "first": self.actions[0], "second": self.actions[1], "imps": self.gain.mean,
                "error": self.gain.error, "first_better": self.ahead[0], "equal": self.ahead[1],
                "second_better": self.ahead[2],
            }  # fmt: skip
        return out


def simulate(
    constraints: Wishes | None = None,
    *,
    auction: Auction | str | None = None,
    known: Known | PartialDeal | str | None = None,
    contracts: Sequence[Contract | str] = (),
    actions: tuple[str, str] | None = None,
    dealer: Seat | str = "N",
    vul: Vulnerability | str = "None",
    system: str = "sayc",
    theirs: str = "",
    engine: str = "",
    deals: int = 100,
    precision: float = 0.0,
    seed: int = 0,
    progress: Progress | None = None,
    backend: Backend | str = "here",
) -> Simulation:
    """Deal hands that fit and see what makes.

    `constraints` (or whole hands) and `known` say what is known of the hands, `auction` what the
    calls tell when the dealer's side plays `system`. With `contracts` only these are solved, which
    is much quicker; with none of them and no `actions`, every contract and par.

    `actions` are two contracts ("3NT S", "4S S"), or two calls to make now after the auction:
    then the engine (default: the rules of the systems) bids on to the end for all four seats.
    The result is in IMPs for the side of the first contract, or of the seat to call.

    At most `deals` are dealt. It ends before when the better action is known (three standard
    errors), when no share has an error above `precision`, or when two actions are too close to
    matter (an error of 0.1 IMPs). The same arguments give the same answer, wherever the deals are
    solved: `backend` is "here", a number of processes ("8"), "ray" or "ray:ADDRESS".

    >>> found = simulate(known={"S": "KQJ932.A4.72.K53"}, auction="1NT P",
    ...                  actions=("4S S", "3NT N"), deals=40, seed=1)
    >>> found.gain.mean > 0, found.actions
    (True, ('4S S', '3NT N'))
    """
    if not 1 <= deals <= _MOST:
        raise BridgeError(f"between 1 and {_MOST:,} deals can be simulated, not {deals}")
    vul = Vulnerability(vul)
    if isinstance(auction, str) or auction is None:
        auction = Auction.parse(auction or "", dealer)
    setting = Setting(auction, vul, system, theirs)
    placed, rules = written_out(constraints or {})
    dealer_, how = setting.dealer_of(wished(rules), _with(_partial(known), placed))
    wanted = [Contract.parse(c) if isinstance(c, str) else c for c in contracts]
    pair = None if actions is None else _pair(actions)
    judge = None if pair is None else _judge(pair, setting, engine)
    question = _Question(pair, setting, engine, tuple(_cells(wanted, judge)))
    dealt = _DealtInPieces(dealer_, np.random.default_rng(seed), deals, question)
    run = _Run(setting)
    where = Backend.parse(backend) if isinstance(backend, str) else backend
    for index, answer in enumerate(in_order(run_jobs(_answered, dealt, where))):
        run.take(dealt.found[index], *answer)
        run.look(precision)
        if progress is not None:
            progress(len(run.tricks), deals)
        if run.reason:
            break
    return replace(run.found(), actions=pair, how=how)


@dataclass(frozen=True, slots=True)
class Setting:
    """The auction so far, who is vulnerable, and by which systems it is read."""

    auction: Auction
    vul: Vulnerability
    system: str
    theirs: str

    def dealer_of(
        self, wishes: Mapping[Seat, Constraint], known: PartialDeal
    ) -> tuple[Dealer, str]:
        """A dealer of deals that fit wishes, cards and calls; and in words how they fit."""
        told = self._told()
        for deny, words in ((True, "deals that fit every call"), (False, "deals that fit roughly")):
            rules = {
                s: all_of([c for c in (wishes.get(s), told(deny)[s]) if c is not None])
                for s in Seat
                if len(known[s]) < 13
            }
            made = Dealer(rules, known=known)
            try:
                made.sample(1, np.random.default_rng(0))
            except DealingError:
                if not self.auction.calls or not deny:
                    raise
                continue
            return made, words if self.auction.calls else "deals that fit"
        raise AssertionError("one of the two ways returned or raised")

    def _told(self) -> Callable[[bool], tuple[Constraint | None, ...]]:
        if not self.auction.calls:
            return lambda deny: (None,) * 4
        reading = reading_of(self.system, self.theirs)
        ours = self.auction.dealer & 1
        return lambda deny: knowledge(reading, self.auction, self.vul, ours, deny=deny)


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked of every deal: the actions to compare, and the strains and declarers."""

    actions: tuple[str, str] | None
    setting: Setting
    engine: str
    cells: tuple[tuple[int, int], ...]


class _DealtInPieces(Sequence[tuple[Hands, _Question]]):
    """The work in pieces, each dealt when it is first asked for, so that nothing is dealt that
    nobody needs; one after the other, so that the deals are always the same."""

    def __init__(
        self, dealer: Dealer, rng: np.random.Generator, deals: int, question: _Question
    ) -> None:
        self._dealer, self._rng, self._deals, self._question = dealer, rng, deals, question
        self.found: list[DealSample] = []

    def __len__(self) -> int:
        return -(-self._deals // _BATCH)

    @overload
    def __getitem__(self, index: int) -> tuple[Hands, _Question]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Hands, _Question]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        while len(self.found) <= index:
            count = min(_BATCH, self._deals - _BATCH * len(self.found))
            self.found.append(self._dealer.sample(count, self._rng))
        return self.found[index].hands, self._question


def _answered(task: tuple[Hands, _Question]) -> tuple[Tricks, list[int]]:
    """Tricks of some deals, and what the first action gains on each; runs in a worker."""
    hands, asked = task
    solved = _solved(hands, list(asked.cells))
    if asked.actions is None:
        return solved, []
    judge = _judge(asked.actions, asked.setting, asked.engine)
    return solved, [judge(row, tricks) for row, tricks in zip(hands.tolist(), solved, strict=True)]


class _Run:
    """The deals so far, what they gave, and whether that is enough."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.hands: Hands = np.zeros((0, 4), np.uint64)
        self.tricks: Tricks = np.zeros((0, 5, 4), np.int8)
        self.gains: list[int] = []
        self.chance = 0.0
        self.reason = ""

    def take(self, dealt: DealSample, solved: Tricks, gains: list[int]) -> None:
        count = len(dealt.hands)
        self.chance += (dealt.chance - self.chance) * count / (len(self.hands) + count)
        self.gains += gains
        self.hands = np.concatenate([self.hands, dealt.hands])
        self.tricks = np.concatenate([self.tricks, solved])

    def look(self, precision: float) -> None:
        """Is it decided? Then `reason` says why."""
        n = len(self.tricks)
        if n < _LEAST:
            return
        if self.gains:
            gain = estimate(self.gains)
            if abs(gain.mean) > _SURE * gain.error:
                self.reason = "decided"
            elif gain.error < _CLOSE:
                self.reason = "too close to matter"
        elif precision and 0.5 / sqrt(n) <= precision:
            self.reason = "precise enough"

    def found(self) -> Simulation:
        gains = self.gains
        ahead = (sum(g > 0 for g in gains), sum(g == 0 for g in gains), sum(g < 0 for g in gains))
        return Simulation(
            deals=len(self.tricks),
            chance=self.chance,
            vul=self.setting.vul,
            dealer=self.setting.auction.dealer,
            tricks=self.tricks,
            hands=self.hands,
            gain=estimate(gains) if gains else None,
            ahead=ahead,
            stopped=self.reason or "all deals asked for",
        )


_Judge = Callable[[list[int], Tricks], int]


def _pair(actions: Sequence[str]) -> tuple[str, str]:
    if len(actions) != 2:
        raise BridgeError(f"two actions are compared, not {len(actions)}")
    return actions[0], actions[1]


@lru_cache(maxsize=4)
def _judge(actions: tuple[str, str], setting: Setting, engine: str) -> _Judge:
    """What the first of two actions gains in IMPs on one deal."""
    try:
        first, second = (Contract.parse(a) for a in actions)
    except ParseError:
        return _BidOn(actions, setting, engine)
    if first.declarer.side != second.declarer.side:
        raise BridgeError("two contracts of the same side are compared")
    return _Contracts(first, second, setting.vul)


@dataclass(frozen=True, slots=True)
class _Contracts:
    """Two contracts of one side."""

    first: Contract
    second: Contract
    vul: Vulnerability

    def __call__(self, hands: list[int], tricks: Tricks) -> int:
        scores = [
            score(c, int(tricks[c.strain, c.declarer]), self.vul) for c in (self.first, self.second)
        ]
        return imps(scores[0] - scores[1]) * (-1 if self.first.declarer & 1 else 1)


class _BidOn:
    """Two calls: engines bid on after either, and the contracts are played double dummy."""

    def __init__(self, actions: tuple[str, str], setting: Setting, engine: str) -> None:
        auction = setting.auction
        if auction.is_over:
            raise BridgeError("the auction is over: compare contracts such as '3NT S' and '4S S'")
        self.after = [auction.then(Call.parse(a)) for a in actions]
        self.sign = -1 if auction.turn & 1 else 1
        self.vul = setting.vul
        ours = bidder(engine or f"rules(system={setting.system})")
        theirs = bidder(engine or f"rules(system={setting.theirs or setting.system})")
        north_south_deal = auction.dealer & 1 == 0
        self.bidders = [ours, theirs] * 2 if north_south_deal else [theirs, ours] * 2

    def __call__(self, hands: list[int], tricks: Tricks) -> int:
        board = Board(1, self.after[0].dealer, self.vul, _deal(hands))
        first, second = (self._score(board, auction) for auction in self.after)
        return self.sign * imps(first - second)

    def _score(self, board: Board, auction: Auction) -> int:
        contract = bid_on(board, auction, self.bidders).contract
        if contract is None:
            return 0
        return score(contract, dd.tricks(board.deal, contract.strain, contract.declarer), self.vul)


def bid_on(board: Board, auction: Auction, bidders: Sequence[Bidder]) -> Auction:
    """An auction bid to its end by four bidders (N, E, S, W)."""
    while not auction.is_over:
        auction = auction.then(bidders[auction.turn].bid(view_of(board, auction)).call)
    return auction


def written_out(wishes: Wishes) -> tuple[dict[Seat, Hand], dict[Seat | str, Constraint | str]]:
    """The hands that are written out among what seats hold, and the rest, of which only
    constraints are known.

    >>> hands, rules = written_out({"S": "KQJ932.A4.72.K53", "N": "hcp 15..17", "E": ""})
    >>> hands[Seat.SOUTH].hcp, rules
    (13, {Seat.NORTH: 'hcp 15..17'})
    """
    if not isinstance(wishes, Mapping):
        raise WrongType("constraints", "a dict like {'N': 'hcp 15..17, balanced'}", wishes)
    hands: dict[Seat, Hand] = {}
    rules: dict[Seat | str, Constraint | str] = {}
    for name, wish in wishes.items():
        if isinstance(wish, str) and _HAND.match(wish.strip()):
            hands[Seat(name)] = Hand.parse(wish, size=13)
        elif wish is not None and (not isinstance(wish, str) or wish.strip()):
            rules[Seat(name)] = wish
    return hands, rules


def _with(known: PartialDeal, placed: Mapping[Seat, Hand]) -> PartialDeal:
    """The cards that are known, and whole hands beside them."""
    for seat in placed:
        if known[seat]:
            raise BridgeError(f"{seat}'s cards are given twice")
    return PartialDeal.of({s: placed.get(s, known[s]) for s in Seat})


def _partial(known: Known | PartialDeal | str | None) -> PartialDeal:
    if isinstance(known, PartialDeal):
        return known
    return PartialDeal.parse(known) if isinstance(known, str) else PartialDeal.of(known or {})


def _cells(contracts: list[Contract], judge: _Judge | None) -> list[tuple[int, int]]:
    """The strains and declarers to solve; none of them means all."""
    named = list(contracts)
    if isinstance(judge, _Contracts):
        named += [judge.first, judge.second]
    if named or judge is not None:
        return sorted({(int(c.strain), int(c.declarer)) for c in named})
    return [(strain, seat) for strain in range(5) for seat in range(4)]


def _solved(hands: Hands, cells: list[tuple[int, int]]) -> Tricks:
    if len(cells) == 20:
        return dd.table_array(hands)
    out: Tricks = np.full((len(hands), 5, 4), -1, np.int8)
    for strain, seat in cells:
        out[:, strain, seat] = dd.tricks_array(hands, strain, seat)
    return out


def _deal(row: list[int]) -> Deal:
    a, b, c, d = (Hand(bits) for bits in row)
    return Deal((a, b, c, d))


def _par_name(found: dd.Par) -> str:
    return str(found.contracts[0]) if found.contracts else "passed out"


def _plain(share: Share) -> dict[str, float]:
    return {"value": share.value, "error": share.error}
