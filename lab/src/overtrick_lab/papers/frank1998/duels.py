"""Declarers against the same defenders on the same boards, to the end: who makes the contract.

The protocol of the alpha-mu papers: 1NT–3NT, deals in doubt, Monte Carlo defenders, the same
seeds for every declarer; only the deals on which two declarers differ tell anything.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from overtrick.cardplay.base import Player, player
from overtrick.cardplay.carding import STANDARD
from overtrick.cardplay.evidence.ranges import Hands13
from overtrick.cardplay.leadrules import rule_lead
from overtrick.cardplay.sampling import Hands, choose, deal_layouts
from overtrick.cardplay.signals import signal
from overtrick.cardplay.situation import situation
from overtrick.doubledummy import Position, reach_worlds, reaches, solve
from overtrick.game import (
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Decision,
    Hand,
    Meaning,
    Play,
    Seat,
    Strain,
    View,
    Vulnerability,
    view_of,
)
from overtrick.game.meaning import ANY_LENGTHS

_LAYOUTS: Final = 20  # of the defenders' cards, to see whether a deal is in doubt
_GLANCE: Final = 6  # the same, roughly
_DOUBT: Final = (0.3, 0.7)
_STARTER: Final = "pimc(worlds=6, knowledge=auction)"  # plays the cards before a position
_OPENER: Final = (15, 17)
_RAISE: Final = (10, 14)
_ALL: Final = (1 << 52) - 1


class SeeingDefender:
    """A defender who sees all cards; of equally good ones it plays what its side has agreed."""

    name = "double dummy"

    def __init__(self, deal: Deal) -> None:
        self.deal = deal

    def play(self, view: View) -> Decision:
        assert view.play is not None
        found = solve(Position.of_play(self.deal, view.play))
        best = max(found.values())
        equal = [c for c, t in found.items() if t == best]
        return Decision(signal(situation(view), equal, STANDARD)[0], Meaning("best"))


@dataclass(frozen=True, slots=True)
class Finish:
    """How one declarer did: made or not, tricks, CPU seconds a card (mean, slowest)."""

    made: bool
    tricks: int
    mean: float
    slowest: float


@dataclass(slots=True)
class DefendedBoard:
    """A board and its defence. Defenders meet the same cards the same way, so once is enough."""

    board: Board
    auction: Auction
    meanings: tuple[Meaning, ...]
    defender: Player
    answers: dict[tuple[Card, ...], Card] = field(default_factory=dict)

    @classmethod
    def of(
        cls, board: Board, auction: Auction, meanings: tuple[Meaning, ...], defence: str
    ) -> DefendedBoard:
        """`defence` is a player's name, or `dd` for defenders who see all cards."""
        against = SeeingDefender(board.deal) if defence == "dd" else player(defence)
        return cls(board, auction, meanings, against)

    def finish(self, play: Play, declarer: Player) -> Finish:
        """Play on until the contract is made or lost.

        Defenders who see all cards give nothing back: what is lost double dummy against them is
        lost, and is not played out.
        """
        contract = self.auction.contract
        assert contract is not None
        seconds: list[float] = []
        while True:
            won = play.declarer_tricks
            out_of_reach = won + 13 - play.tricks_played < contract.target
            if won >= contract.target or out_of_reach or self._lost(play):
                mean = sum(seconds) / max(len(seconds), 1)
                return Finish(won >= contract.target, won, mean, max(seconds, default=0.0))
            if play.controller == play.declarer:
                view = view_of(self.board, self.auction, play, meanings=self.meanings)
                began = time.process_time()
                card = declarer.play(view).card
                seconds.append(time.process_time() - began)
            else:
                card = self._answer(play)
            play = play.then(card, self.board.deal[play.turn])

    def _lost(self, play: Play) -> bool:
        """Against defenders who see all cards: is the contract beaten by now?"""
        if not isinstance(self.defender, SeeingDefender) or play.turn.side != play.declarer.side:
            return False
        need = _contract(self.auction).target - play.declarer_tricks
        return not reaches(Position.of_play(self.board.deal, play), need)

    def _answer(self, play: Play) -> Card:
        if play.cards not in self.answers:
            view = view_of(self.board, self.auction, play, meanings=self.meanings)
            self.answers[play.cards] = self.defender.play(view).card
        return self.answers[play.cards]


# ---------------------------------------------------------------- 1NT–3NT


@dataclass(frozen=True, slots=True)
class Duel:
    """One deal of the protocol: how each declarer did against each defence, by their names."""

    seed: int
    finishes: dict[tuple[str, str], Finish]  # (defence, declarer)


def duel(
    seed: int, declarers: tuple[str, ...], defences: tuple[str, ...], played: int
) -> Duel | None:
    """The deal of a seed, or None when it is not in doubt after so many cards."""
    board, auction, meanings = notrump_game(seed)
    play = Play.of(_contract(auction))
    # Layouts of thirteen cards are dear: a glance will do when the position is judged later.
    share = share_made(board, auction, play, _GLANCE if played else _LAYOUTS)
    if not (0 < share < 1 if played else _in_doubt(share)):
        return None
    # The lead by rules of thumb: sampled leads of deals that are thrown away would cost the most.
    starter = player(_STARTER)
    while len(play) < played:
        view = view_of(board, auction, play, meanings=meanings)
        card = starter.play(view).card if play.cards else rule_lead(view, STANDARD)
        play = play.then(card, board.deal[play.turn])
    if played and not _in_doubt(share_made(board, auction, play)):
        return None
    found: dict[tuple[str, str], Finish] = {}
    for defence in defences:
        table = DefendedBoard.of(board, auction, meanings, defence)
        found |= {(defence, name): table.finish(play, player(name)) for name in declarers}
    return Duel(seed, found)


def _in_doubt(share: float) -> bool:
    return _DOUBT[0] <= share <= _DOUBT[1]


def notrump_game(seed: int) -> tuple[Board, Auction, tuple[Meaning, ...]]:
    """South opens 1NT with 15–17 balanced, North raises to game with no four-card major."""
    rng = np.random.default_rng(seed)
    while True:
        south = choose(rng, _ALL, 13, 400)
        south = south[_balanced(south, _OPENER, majors=False)]
        for one in south[:1].tolist():
            rest = _ALL & ~one
            north = choose(rng, rest, 13, 400)
            north = north[_balanced(north, _RAISE, majors=True)]
            if not len(north):
                continue
            other = int(north[0])
            west = int(choose(rng, rest & ~other, 13, 1)[0])
            east = rest & ~other & ~west
            deal = Deal((Hand(other), Hand(east), Hand(one), Hand(west)))
            return Board(1, Seat.SOUTH, Vulnerability.NONE, deal), *_auction()


def _balanced(bits: NDArray[np.uint64], hcp: tuple[int, int], *, majors: bool) -> NDArray[np.bool_]:
    """4333, 4432 or 5332 with these points; `majors`: no four-card major, else no five-card one."""
    hands = Hands13(bits)
    lengths = hands.lengths
    shape = (lengths.min(axis=1) >= 2) & (lengths.max(axis=1) <= 5)
    shape &= (lengths == 2).sum(axis=1) <= 1
    longest_major = lengths[:, 2:].max(axis=1)
    shape &= longest_major <= (3 if majors else 4)
    found: NDArray[np.bool_] = shape & (hands.hcp >= hcp[0]) & (hands.hcp <= hcp[1])
    return found


def _auction() -> tuple[Auction, tuple[Meaning, ...]]:
    auction = Auction(Seat.SOUTH)
    meanings = []
    for level, points in ((1, _OPENER), (3, _RAISE)):
        auction = auction.then(Call.bid(level, Strain.NT)).then(Call(0))
        lengths = ((2, 5), (2, 5), (2, 4), (2, 4)) if level == 1 else ANY_LENGTHS
        meanings += [Meaning("notrump", points, lengths), Meaning("pass")]
    auction = auction.closed()
    return auction, (*meanings, Meaning("pass"), Meaning("pass"))


def share_made(board: Board, auction: Auction, play: Play, layouts: int = 40) -> float:
    """In how many layouts, for all declarer's and dummy's cards say, it makes double dummy."""
    contract = _contract(auction)
    hands = _layouts(board, auction, play, layouts)
    left, need = 13 - play.tricks_played, contract.target - play.declarer_tricks
    if not 0 < need <= left:
        return float(need <= 0)
    mine = play.turn.side == contract.declarer.side
    goal = need if mine else left - need + 1
    trick = tuple(int(c) for c in play.trick.cards)
    reached = reach_worlds(hands, int(contract.strain), int(play.trick.leader), trick, goal)
    share = float(reached.any(axis=1).mean())
    return share if mine else 1 - share


def _layouts(board: Board, auction: Auction, play: Play, count: int) -> Hands:
    """Random defenders' cards that fit what has been played, and nothing else."""
    view = view_of(board, auction, play, seat=_contract(auction).declarer)
    rng = np.random.default_rng(view.seed ^ 0x5EED)
    if play.cards:
        return deal_layouts(situation(view, on_turn=False), count, rng)
    hands = np.array([[h.bits for h in board.deal.hands]] * count, np.uint64)
    one = play.opening_leader
    pool = hands[0, one] | hands[0, one.partner]
    hands[:, one] = choose(rng, int(pool), 13, count)
    hands[:, one.partner] = hands[:, one] ^ pool
    return hands


def _contract(auction: Auction) -> Contract:
    assert auction.contract is not None
    return auction.contract
