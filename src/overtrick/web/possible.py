"""The worlds a seat could think possible before a call or a card: heat map and histograms.
The picture is drawn from the same samplers the engines use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from overtrick import doubledummy as dd
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.reading import Hands13, auction_likelihood
from overtrick.cardplay.situation import situation
from overtrick.game import (
    PASS,
    Auction,
    Board,
    BridgeError,
    Deal,
    Meaning,
    PartialDeal,
    Play,
    Seat,
    Side,
    View,
    imps,
    score,
    view_of,
)
from overtrick.game.cards import DECK
from overtrick.game.hand import Hand
from overtrick.web import thinking
from overtrick.web.review import Played, finished, heard, one, told
from overtrick.worlds import Constraint, Dealer, DealingError, sample
from overtrick.worlds.constraints import all_of

Row = dict[str, Any]
Worlds = tuple[NDArray[np.uint64], NDArray[np.float64], str]
_DRAWN: Final = 400
_PROPOSALS: Final = 12_000


def possible(text: str, kind: str, index: int, ns: str, ew: str) -> Row:
    """What the other hands could be, as the seat that had to act saw it.

    >>> row = possible("N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 "
    ...                "2.5432.5432.5432", "call", 0, "points", "points")
    >>> row["seat"], sorted(row["hands"])
    ('N', ['E', 'S', 'W'])
    """
    at = one(text)
    if kind == "call":
        view = _call_view(at, index, (ns, ew))
        hands, weights, how = _by_auction(view, told(at, (ns, ew))[:index])
    else:
        view = _card_view(at, index, (ns, ew))
        hands, weights, how = _by_play(view)
    unseen = [s for s in Seat if s not in view.known]
    weights = weights / weights.sum()
    return {
        "seat": view.seat.letter,
        "known": [s.letter for s in view.known],
        "worlds": len(hands),
        "effective": round(1 / float((weights**2).sum()), 1),
        "how": how,
        "hands": {
            s.letter: _hand(hands[:, s], weights, at.board.deal[s], _seen_of(view, s))
            for s in unseen
        },
    }


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


def _by_play(view: View) -> Worlds:
    """During the play: as the card players draw their worlds, only more of them."""
    at = situation(view)
    found = sample_worlds(at, _DRAWN, np.random.default_rng(view.seed), evidence("auction"))
    full = found.hands | np.array(at.shown, np.uint64)
    for seat, hand in view.known.items():
        full[:, seat] = np.uint64(hand.bits)
    how = "every layout there is" if found.complete else "drawn, and weighed by the auction"
    return full, found.weights, how


def _by_auction(view: View, agreed: tuple[Meaning | None, ...]) -> Worlds:
    """During the auction: deals that fit every call, or weighed by it where those are too rare or
    a bid has no exact meaning.

    A view keeps partner's explanations back; `agreed` has them all, since partner's calls are read
    through the system.
    """
    everything = replace(view, meanings=agreed)
    rules: dict[Seat, list[Constraint]] = {}
    for i, (call, meaning) in enumerate(zip(view.auction.calls, agreed, strict=True)):
        shows = getattr(meaning, "shows", None)
        if isinstance(shows, Constraint):
            rules.setdefault(view.auction.seat_of(i), []).append(shows)
        elif call != PASS and view.auction.seat_of(i) != view.seat:
            return _weighed(everything)
    wishes = {s: all_of(c) for s, c in rules.items() if s != view.seat}
    try:
        exact = sample(view, _DRAWN, wishes, np.random.default_rng(view.seed))
    except DealingError:
        return _weighed(everything)
    return exact.hands, np.ones(len(exact.hands)), "dealt to fit every call"


def _weighed(view: View) -> Worlds:
    hands = [Hand(0)] * 4
    hands[view.seat] = view.hand
    known = PartialDeal((hands[0], hands[1], hands[2], hands[3]))
    rng = np.random.default_rng(view.seed)
    drawn = Dealer(known=known).sample(_PROPOSALS, rng).hands
    logs = np.zeros(len(drawn))
    for seat in Seat:
        if seat != view.seat:
            logs += auction_likelihood(view, seat, drawn[:, seat])
    weights = np.exp(logs - logs.max())
    best = np.argsort(-weights, kind="stable")[:_DRAWN]
    return drawn[best], weights[best], "drawn, and weighed by the auction"


# ---------------------------------------------------------------- a call weighed


def weighed(text: str, index: int, ns: str, ew: str, count: int) -> Row:
    """A call beside the engine's, over deals the caller could think possible.

    In each deal the engines bid on after either call and the contracts are played double dummy;
    the answer is in IMPs for the caller's side, positive when the engine's call was better.
    """
    at = one(text)
    if index >= len(at.auction):
        raise BridgeError(f"there are {len(at.auction)} calls on this board")
    view = _call_view(at, index, (ns, ew))
    made, specs = at.auction.calls[index], (ns, ew)
    own = thinking.decide(specs[view.seat & 1], view).call
    row: Row = {
        "index": index, "call": made.ascii, "engine": own.ascii,
        "mean": 0.0, "error": 0.0, "worlds": 0, "how": "",
    }  # fmt: skip
    if own == made:
        return row
    hands, weights, how = _by_auction(view, told(at, specs)[:index])
    rng = np.random.default_rng(view.seed)
    picked = rng.choice(len(hands), count, p=weights / weights.sum())
    sign = 1 if view.seat.side == Side.NS else -1
    gains = []
    for bits in hands[picked].tolist():
        board = Board(at.board.number, at.board.dealer, at.board.vul, _deal(bits))
        scores = [_result(board, view.auction.then(call), specs) for call in (own, made)]
        gains.append(sign * imps(scores[0] - scores[1]))
    error = float(np.std(gains, ddof=1) / np.sqrt(count)) if count > 1 else 0.0
    return {**row, "mean": round(float(np.mean(gains)), 2), "error": round(error, 2),
            "worlds": count, "how": how}  # fmt: skip


def _deal(bits: list[int]) -> Deal:
    a, b, c, d = (Hand(x) for x in bits)
    return Deal((a, b, c, d))


def _result(board: Board, auction: Auction, specs: tuple[str, str]) -> int:
    """North-South's score when engines bid on from here and the play is double dummy."""
    contract = finished(board, auction, specs).contract
    if contract is None:
        return 0
    tricks = dd.tricks(board.deal, contract.strain, contract.declarer)
    return score(contract, tricks, board.vul)


# ---------------------------------------------------------------- pictures


def _hand(bits: NDArray[np.uint64], weights: NDArray[np.float64], truth: Hand, seen: int) -> Row:
    """One hidden hand: the chance of every card, points and lengths, and what it really was."""
    full = Hands13(np.ascontiguousarray(bits))
    cards = (bits[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    chances = weights @ cards.astype(float)
    return {
        "cards": {
            DECK[c].ascii: round(float(chances[c]), 3) for c in range(52) if chances[c] > 0.0005
        },
        "shown": [DECK[c].ascii for c in range(52) if seen >> c & 1],
        "hcp": _shares(full.hcp, weights, 38),
        "lengths": {
            letter: _shares(full.lengths[:, s], weights, 14) for s, letter in enumerate("CDHS")
        },
        "truth": {
            "cards": [c.ascii for c in truth],
            "hcp": int(Hands13(np.array([truth.bits], np.uint64)).hcp[0]),
            "lengths": {letter: truth.length(s) for s, letter in enumerate("CDHS")},
        },
    }


def _shares(values: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> list[float]:
    """The chance of 0, 1, 2, … as a list without its empty end."""
    found: Sequence[float] = np.bincount(values, weights, size).round(4).tolist()
    last = max((i for i, share in enumerate(found) if share), default=0)
    return list(found[: last + 1])


def _seen_of(view: View, seat: Seat) -> int:
    return 0 if view.play is None else view.play.played_by(seat).bits
