"""What each card of a played board cost: with all cards seen, and with what its player saw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.evidence.ranges import NOT_KNOWN
from overtrick.cardplay.knowledge import evidence, sample_worlds
from overtrick.cardplay.pimc import evaluate
from overtrick.cardplay.situation import situation
from overtrick.cardplay.values import Outcome, look, worths
from overtrick.doubledummy import analyse
from overtrick.game import (
    DOUBLE,
    PASS,
    REDOUBLE,
    Auction,
    Board,
    BridgeError,
    Call,
    Card,
    Contract,
    Meaning,
    Play,
    Seat,
    View,
    view_of,
)

Cost = tuple[float | None, float | None, Card | None, float | None, float | None]


@dataclass(frozen=True, slots=True)
class CardReview:
    """One card. `dd_cost` counts tricks; `chance_cost` the chance to make (or beat) the contract
    given away as its player could judge it, `trick_cost` the tricks on average."""

    number: int
    seat: Seat
    card: Card
    dd_cost: int
    chance_cost: float | None = None
    trick_cost: float | None = None
    better: Card | None = None
    chance_error: float | None = None  # standard error of chance_cost, and of trick_cost
    trick_error: float | None = None


def review_play(
    board: Board,
    auction: Auction,
    play: Play,
    *,
    worlds: int = 40,
    meanings: tuple[Meaning, ...] = (),
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[CardReview]:
    """Every card of a play with its costs; `worlds` of 0 leaves out the single-dummy part."""
    if auction.contract is None:
        raise BridgeError("a board that was passed out has no play")
    costs = list(analyse(board.deal, play).costs())
    out = []
    for i, (seat, card, lost) in enumerate(costs):
        before = Play(play.strain, play.opening_leader, play.cards[:i])
        found: Cost = (None,) * 5
        if worlds:
            view = view_of(board, auction, before, meanings=meanings, table_seed=seed)
            found = single_dummy_cost(view, card, worlds)
        out.append(CardReview(i + 1, seat, card, lost, *found))
        if progress is not None:
            progress(i + 1, len(costs))
    return out


def shortest_auction(contract: Contract, dealer: Seat) -> Auction:
    """An auction that says nothing but ends in the contract, for boards that come without one."""
    auction = Auction(dealer)
    while auction.turn != contract.declarer:
        auction = auction.then(PASS)
    auction = auction.then(Call.bid(contract.level, contract.strain))
    for call in (DOUBLE, REDOUBLE)[: contract.doubled]:
        auction = auction.then(call)
    return auction.closed()


def without_auction(contract: Contract) -> tuple[Auction, tuple[Meaning, ...]]:
    """For boards that come with a contract only: an auction to it, and meanings that tell nothing,
    so that nobody takes a made-up 3NT for an opening of 24 points.

    >>> auction, meanings = without_auction(Contract.parse("3NTX W"))
    >>> auction.ascii, auction.contract == Contract.parse("3NTX W"), len(meanings)
    ('3NT X Pass Pass Pass', True, 5)
    """
    auction = shortest_auction(contract, contract.declarer)
    return auction, (NOT_KNOWN,) * len(auction)


def single_dummy_cost(view: View, card: Card, worlds: int) -> Cost:
    """Chance and tricks a card gives away in sampled worlds, the card that is better, and the
    standard errors of both figures, world by world."""
    at = situation(view)
    if len(at.groups()) == 1:
        return (None,) * 5
    sampled = sample_worlds(at, worlds, np.random.default_rng(view.seed), evidence("auction"))
    found, seen = evaluate(at, sampled, "imps")
    mine = next(w for w in found if w.card == card)
    best = max(found, key=lambda w: (w.chance, w.value))
    chance = max(0.0, best.chance - mine.chance)
    solved = look(at, sampled, exact=True)
    exact = worths(at, solved, "tricks")
    values = {w.card: w.value for w in exact}
    tricks = max(0.0, max(values.values()) - values[card])
    if chance < 1e-9 and tricks > 0:
        best = max(found, key=lambda w: (w.chance, values[w.card]))
    assert solved.tricks is not None
    trick_error = _paired(solved, solved.tricks, max(values, key=lambda c: values[c]), card)
    better = best.card if chance > 1e-9 or tricks > 1e-9 else None
    same = next((g for g in at.groups() if card in g), [card])
    error = _paired(seen, seen.reached, best.card, card)
    return chance, tricks, None if better in same else better, error, trick_error


def _paired(seen: Outcome, values: NDArray[Any], best: Card, card: Card) -> float:
    """Standard error of the mean difference of two cards over the same worlds."""
    columns = seen.cards.index(best), seen.cards.index(card)
    apart = values[:, columns[0]].astype(float) - values[:, columns[1]]
    weights = seen.weights[: len(apart)] / seen.weights[: len(apart)].sum()
    mean = float(weights @ apart)
    return float(np.sqrt((weights**2) @ (apart - mean) ** 2))
