"""Small endings for the tests of card play, and a plain search to compare with.
Used by the tests beside it; nothing here uses the solver."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Auction, Board, Call, Deal, Hand, Play, Seat, Strain, View, view_of
from overtrick.game.cards import DECK, SUIT_BITS
from overtrick.game.play import winning_index
from overtrick.worlds.weighted import Worlds
from overtrick.worlds.witness import hidden_hands


def contract_auction(level: int, strain: int, dealer: Seat = Seat.SOUTH) -> Auction:
    """The dealer bids it and everybody passes."""
    return Auction(dealer).then(Call.bid(level, strain)).closed()


def random_ending(left: int, strain: int, seed: int, level: int = 3) -> tuple[Board, Play]:
    """A board of South's contract played at random until `left` tricks remain."""
    rng = random.Random(seed)
    board = Board(1, Seat.SOUTH, Board.numbered(1, Deal.random(1)).vul, Deal.random(rng))
    auction = contract_auction(level, strain)
    assert auction.contract is not None
    play = Play.of(auction.contract)
    while len(play) < 52 - 4 * left:
        legal = play.legal_cards(board.deal[play.turn]).cards()
        play = play.then(rng.choice(legal))
    return board, play


def ending_view(left: int, strain: int, seed: int, seat: Seat | None = None) -> View:
    board, play = random_ending(left, strain, seed)
    return view_of(board, contract_auction(3, strain), play, seat=seat)


def ending(hands: str, strain: Strain, leader: Seat, level: int = 1) -> tuple[Board, Auction, Play]:
    """A position given as PBN hands of few cards; earlier tricks are made up without meaning.

    South declares; the missing cards are dealt so that they can be played in full tricks.
    """
    parts = [Hand.parse(h) for h in hands.split()]
    left = len(parts[0])
    rest = [c for c in range(52) if not any(c in h for h in parts)]
    gone: list[list[int]] = [[], [], [], []]
    need = 13 - left
    for suit in range(4):
        mine = [c for c in rest if c // 13 == suit]
        for i in range(0, len(mine) - len(mine) % 4, 4):
            for seat in range(4):
                gone[seat].append(mine[i + seat])
    assert all(len(g) == need for g in gone), "the played cards must fall four by four"
    deal = Deal(tuple(Hand.of([*h, *g]) for h, g in zip(parts, gone, strict=True)))  # type: ignore[arg-type]
    auction = contract_auction(level, strain)
    assert auction.contract is not None
    return Board.numbered(1, deal), auction, Play.of(auction.contract)


Vector = int


def plain_front(
    worlds: tuple[tuple[int, int, int, int], ...], strain: int, leader: int, goal: int
) -> list[Vector]:
    """All undominated vectors of 'declarer (N-S) takes `goal` tricks', by brute force."""

    def legal(hand: int, trick: tuple[int, ...]) -> list[int]:
        if trick:
            follow = hand & SUIT_BITS << 13 * (trick[0] // 13)
            hand = follow or hand
        return [c for c in range(52) if hand >> c & 1]

    @cache
    def search(
        gone: int, first: int, trick: tuple[int, ...], won: int, mask: int
    ) -> tuple[int, ...]:
        turn = (first + len(trick)) & 3
        alive = [w for w in range(len(worlds)) if mask >> w & 1]
        if not any(worlds[alive[0]][s] & ~gone for s in range(4)):
            return (mask if won >= goal else 0,)
        if turn & 1 == 0:
            found: list[int] = []
            for card in legal(worlds[alive[0]][turn] & ~gone, trick):
                found += search(*after(gone, first, trick, won, card), mask)
            return tuple(_best(found))
        moves: dict[int, int] = {}
        for w in alive:
            for card in legal(worlds[w][turn] & ~gone, trick):
                moves[card] = moves.get(card, 0) | 1 << w
        out = [mask]
        for card, can in moves.items():
            below = search(*after(gone, first, trick, won, card), can)
            out = _best([x & (y | mask & ~can) for x in out for y in below])
        return tuple(out)

    def after(
        gone: int, first: int, trick: tuple[int, ...], won: int, card: int
    ) -> tuple[int, int, tuple[int, ...], int]:
        trick = (*trick, card)
        gone |= 1 << card
        if len(trick) < 4:
            return gone, first, trick, won
        winner = (first + winning_index(tuple(DECK[c] for c in trick), strain)) & 3
        return gone, winner, (), won + (winner & 1 == 0)

    return list(search(0, leader, (), 0, (1 << len(worlds)) - 1))


def _best(vectors: list[int]) -> list[int]:
    kept: list[int] = []
    for v in sorted(set(vectors), key=int.bit_count, reverse=True):
        if all(v & ~k for k in kept):
            kept.append(v)
    return kept


@dataclass(frozen=True)
class ByHand:
    """A witness that says of each hidden hand what a function of seat and hands does."""

    likely: Callable[[Seat, NDArray[np.uint64]], NDArray[np.float64]]
    cost: float = 1.0

    def log_likelihood(self, view: View, worlds: Worlds) -> NDArray[np.float64]:
        found = [self.likely(seat, hands) for seat, hands in hidden_hands(view, worlds)]
        return np.sum(found, axis=0)
