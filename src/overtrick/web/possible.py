"""The worlds a seat could think possible before a call or a card: heat map and histograms.
The picture is drawn from the same samplers the engines use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.cardplay.evidence.ranges import Hands13
from overtrick.cardplay.evidence.rules import RulesWitness
from overtrick.cardplay.holders import could_be
from overtrick.cardplay.situation import situation
from overtrick.game import (
    PASS,
    Auction,
    BridgeError,
    Call,
    Contract,
    Meaning,
    PartialDeal,
    Play,
    Seat,
    View,
    view_of,
)
from overtrick.game.cards import DECK
from overtrick.game.hand import Hand
from overtrick.web import thinking
from overtrick.web.meanings import SUITS
from overtrick.web.review import Played, best_contract, heard, one, settled, solved_deal, told
from overtrick.web.reviewed import HandTruth, HiddenHand, JudgedDecision, PossibleHands
from overtrick.web.verdicts import CALL_ROUNDS as CALL
from overtrick.web.verdicts import (
    Alternatives,
    Verdict,
    WeighedDraw,
    call_verdict,
    card_verdict,
    undoubled,
)
from overtrick.worlds import Constraint, Dealer, DealingError, dealer_for
from overtrick.worlds.constraints import all_of
from overtrick.worlds.weighted import Worlds, fewer
from overtrick.worlds.witness import added_witnesses, asked_also

Rounds = Sequence[int]
_DRAWN: Final = 400
_PROPOSALS: Final = 12_000
_FOR_EACH: Final = 12  # deals weighed for each one kept
_PROBE, _BUDGET, _RARE = 8, 40_000, 1 / 1000  # deals tried first, and how rare is too rare


def possible(text: str, kind: str, index: int, ns: str, ew: str) -> PossibleHands:
    """What the other hands could be, as the seat that had to act saw it.

    >>> found = possible("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 "
    ...                  "2.5432.5432.5432", "call", 0, "points", "points")
    >>> found.seat, sorted(found.hands)
    ('N', ['E', 'S', 'W'])
    """
    at = one(text)
    if kind == "call":
        view = _call_view(at, index, (ns, ew))
        rng = np.random.default_rng(view.seed)
        found = Heard(view, told(at, (ns, ew))[:index]).drawn(_DRAWN, rng)
    else:
        view = _card_view(at, index, (ns, ew))
        _, agreed = heard(at, (ns, ew))
        found = _by_play(replace(view, meanings=agreed))
    hands, weights = found.hands, found.weights / found.weights.sum()
    unseen = [s for s in Seat if s not in view.known]
    return PossibleHands(
        seat=view.seat.letter,
        known=[s.letter for s in view.known],
        worlds=len(hands),
        effective=round(1 / float((weights**2).sum()), 1),
        how=found.how,
        hands={
            s.letter: _hand(hands[:, s], weights, at.board.deal[s], _seen_of(view, s))
            for s in unseen
        },
    )


def _call_view(at: Played, index: int, specs: tuple[str, str]) -> View:
    if index > len(at.auction):
        raise BridgeError(f"there are {len(at.auction)} calls on this board")
    auction = Auction(at.board.dealer, at.auction.calls[:index])
    if auction.is_over:
        raise BridgeError("the auction was over by then")
    return view_of(at.board, auction, meanings=told(at, specs)[:index])


def _card_view(at: Played, index: int, specs: tuple[str, str]) -> View:
    if at.play is None or at.contract is None or index >= len(at.play.cards):
        raise BridgeError("there is no such card on this board")
    play = Play(at.play.strain, at.play.opening_leader, at.play.cards[:index])
    auction, meanings = heard(at, specs)
    return view_of(at.board, auction, play, meanings=meanings)


# ---------------------------------------------------------------- sampling


def _by_play(view: View) -> WeighedDraw:
    """During the play: by everything that was seen, the cards played included."""
    at = situation(view)
    found = could_be(at)
    full = found.deals | np.array(at.shown, np.uint64)
    for seat, hand in view.known.items():
        full[:, seat] = np.uint64(hand.bits)
    drawn = "every layout there is" if found.complete else "drawn"
    seen = "the auction and the cards played" if view.dummy is not None else "the auction"
    return WeighedDraw(full, found.shares, f"{drawn}, and weighed by {seen}", found.effective)


@dataclass(slots=True)
class Heard:
    """Draws deals that fit an auction: to every call, or weighed by it where those are too rare or
    a bid has no exact meaning. Where no call has a meaning a network's belief weighs them.

    A view keeps partner's explanations back; `agreed` has them all, since partner's calls are read
    through the system.
    """

    view: View
    agreed: tuple[Meaning | None, ...]
    rare: bool = False  # it has been tried, and such deals are too rare

    def drawn(self, count: int, rng: np.random.Generator) -> WeighedDraw:
        """About so many deals with their weights."""
        wishes = None if self.rare or added_witnesses() else self._wishes()
        if wishes is not None:
            try:
                dealer = dealer_for(self.view, wishes, budget=_BUDGET)
                self.rare = dealer.sample(_PROBE, rng).acceptance < _RARE
                if not self.rare:
                    hands = dealer.sample(count, rng).hands
                    even = np.full(len(hands), 1 / len(hands))
                    return WeighedDraw(hands, even, "dealt to fit every call", len(hands))
            except DealingError:
                self.rare = True
        return self._weighed(count, rng)

    def _wishes(self) -> dict[Seat, Constraint] | None:
        rules: dict[Seat, list[Constraint]] = {}
        auction = self.view.auction
        for i, (call, meaning) in enumerate(zip(auction.calls, self.agreed, strict=True)):
            shows = getattr(meaning, "shows", None)
            if isinstance(shows, Constraint):
                rules.setdefault(auction.seat_of(i), []).append(shows)
            elif call != PASS and auction.seat_of(i) != self.view.seat:
                return None
        return {s: all_of(c) for s, c in rules.items() if s != self.view.seat}

    def _weighed(self, count: int, rng: np.random.Generator) -> WeighedDraw:
        view = replace(self.view, meanings=self.agreed)
        hands = [Hand(0)] * 4
        hands[view.seat] = view.hand
        known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
        drawn = Dealer(known=known).sample(max(_PROPOSALS, _FOR_EACH * count), rng).hands
        worlds = Worlds.even(drawn)
        worlds = worlds.weighed(RulesWitness().log_likelihood(view, worlds))
        worlds = asked_also(view, worlds)
        rows, shares = fewer(np.exp(worlds.logs - worlds.logs.max()), count, rng)
        worth = min(float(len(rows)), worlds.effective)
        return WeighedDraw(drawn[rows], shares, "drawn, and weighed by the auction", worth)


# ---------------------------------------------------------------- verdicts


def judged_call(
    text: str, index: int, ns: str, ew: str, seed: int | None = None, also: Sequence[str] = ()
) -> JudgedDecision:
    """A call of a board: wrong, close or as good as any, beside the system's call (or those that
    were considered), a pass and, when the call settled the contract, the best one the side could
    make, or a bid of it over theirs."""
    at = one(text)
    if index >= len(at.auction):
        raise BridgeError(f"there are {len(at.auction)} calls on this board")
    considered = tuple(Call.parse(text) for text in also)
    return _judged(index, call_fault(at, index, (ns, ew), seed, considered=considered))


def _judged(
    index: int, verdict: Verdict, double: dict[str, int] | UnsetType = UNSET
) -> JudgedDecision:
    return JudgedDecision(index=index, **msgspec.structs.asdict(verdict.told), double=double)


def call_fault(
    at: Played,
    index: int,
    specs: tuple[str, str],
    seed: int | None = None,
    rounds: Rounds = CALL,
    considered: Sequence[Call] = (),
) -> Verdict:
    view = _call_view(at, index, specs)
    made, mine = at.auction.calls[index], view.seat & 1
    weighed = [call for call in considered if view.auction.is_legal(call)]
    if not weighed:
        weighed = [thinking.decide(specs[mine], view).call]
    # After one's own or partner's bid a pass is a choice; an opening hand's is none that teaches.
    calls = weighed + [PASS] * (weighed[0] != made or made != PASS)
    final: tuple[Contract, ...] = ()
    if settled(at.auction, index):
        best = best_contract(solved_deal(at.board.deal), view.seat.side, at.board.vul)
        # A contract of one's own could have been another. Over theirs one has to bid, and they too.
        ours = at.contract is not None and at.contract.declarer.side == view.seat.side
        if best is not None and undoubled(best, view.auction):
            final = (best,) if ours else ()
            calls += [] if ours else [Call.bid(best.level, best.strain)]
    systems = (thinking.system_of(specs[mine]), thinking.system_of(specs[1 - mine]))
    others = Alternatives(tuple(calls), final)
    heard_ = Heard(view, told(at, specs)[:index])
    return call_verdict(view, made, others, systems, heard_.drawn, seed, rounds)


def judged_card(text: str, index: int, ns: str, ew: str, seed: int | None = None) -> JudgedDecision:
    """A card of a board: wrong, close or as good as any, every alternative double and single
    dummy."""
    at = one(text)
    verdict = card_fault(at, index, (ns, ew), seed)
    assert at.play is not None
    walk = Play(at.play.strain, at.play.opening_leader, at.play.cards[:index])
    solved = dd.solve(dd.Position.of_play(at.board.deal, walk))
    declaring = at.contract is not None and walk.turn.side == at.contract.declarer.side
    left = 13 - walk.tricks_played
    total = {
        c.ascii: walk.declarer_tricks + (t if declaring else left - t) for c, t in solved.items()
    }
    return _judged(index, verdict, total)


def card_fault(
    at: Played, index: int, specs: tuple[str, str], seed: int | None = None, rounds: Rounds = ()
) -> Verdict:
    view = _card_view(at, index, specs)
    assert at.play is not None
    return card_verdict(view, at.play.cards[index], seed, rounds)


# ---------------------------------------------------------------- pictures


def _hand(
    bits: NDArray[np.uint64], weights: NDArray[np.float64], truth: Hand, seen: int
) -> HiddenHand:
    """One hidden hand: the chance of every card, points and lengths, and what it really was."""
    full = Hands13(np.ascontiguousarray(bits))
    cards = (bits[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    chances = weights @ cards.astype(float)
    return HiddenHand(
        cards={
            DECK[c].ascii: round(float(chances[c]), 3) for c in range(52) if chances[c] > 0.0005
        },
        shown=[DECK[c].ascii for c in range(52) if seen >> c & 1],
        hcp=_shares(full.hcp, weights, 38),
        lengths={
            letter: _shares(full.lengths[:, s], weights, 14) for s, letter in enumerate(SUITS)
        },
        truth=HandTruth(
            cards=[c.ascii for c in truth],
            hcp=int(Hands13(np.array([truth.bits], np.uint64)).hcp[0]),
            lengths={letter: truth.length(s) for s, letter in enumerate(SUITS)},
        ),
    )


def _shares(values: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> list[float]:
    """The chance of 0, 1, 2, … as a list without its empty end."""
    found: Sequence[float] = np.bincount(values, weights, size).round(4).tolist()
    last = max((i for i, share in enumerate(found) if share), default=0)
    return list(found[: last + 1])


def _seen_of(view: View, seat: Seat) -> int:
    return 0 if view.play is None else view.play.played_by(seat).bits
