"""What an agent sees of a bridge table, as numbers, and which actions it has.

Everything is made from a `View`, which holds what a seat may lawfully know and nothing else.
"""

from __future__ import annotations

from typing import Final, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from overtrick.game import Hand, OptionError, View
from overtrick.nets.features import PLAIN_WIDTH, hand_bits, public_bits

Task = Literal["bidding", "play", "whole"]
Bits = NDArray[np.int8]

CALLS: Final = 38
CARDS: Final = 52
_TRICKS: Final = 13
_CONTRACT: Final = 7 + 5 + 3 + 4  # level, strain, doubled, declarer
PLAY_WIDTH: Final = _CONTRACT + CARDS + 4 * CARDS + 4 * CARDS + 4 + 2 * _TRICKS
WIDTHS: Final = {
    "bidding": PLAIN_WIDTH, "play": PLAIN_WIDTH + PLAY_WIDTH, "whole": PLAIN_WIDTH + PLAY_WIDTH,
}  # fmt: skip
"""How many numbers an observation has, by task."""
ACTIONS: Final = {"bidding": CALLS, "play": CARDS, "whole": CALLS + CARDS}
"""How many actions there are: calls by their number, then or instead of them cards by theirs."""


def task_of(name: str) -> Task:
    """A task by its name.

    >>> task_of("whole")
    'whole'
    """
    for task in get_args(Task):
        if task == name:
            return cast(Task, task)
    raise OptionError(f"no such task {name!r} ({', '.join(WIDTHS)})")


def observe(view: View, task: Task = "bidding") -> Bits:
    """The view as zeros and ones; seats count clockwise from the one who looks.

    The first 480 are those of `overtrick.nets.features`: vulnerability, the auction, the own
    thirteen cards. Tasks with card play have 517 more: level, strain, doubling and declarer of the
    contract, dummy's thirteen cards, the cards each seat has played, those of the trick on the
    table, whose hand is to play, and the tricks of either side, one bit each. Cards stand
    in the order of the features, clubs to spades within a rank, deuces first.

    >>> observe(View("S", "AK3.QJ2.T98.7654", "P 1NT", "None")).sum()
    np.int64(17)
    """
    calls = [int(call) for call in view.auction.calls]
    public = public_bits(calls, view.dealer, view.vul, view.seat)
    known = np.concatenate([public, hand_bits(view.hand.bits)[0]]).astype(np.int8)
    return known if task == "bidding" else np.concatenate([known, _play_bits(view)])


def legal(view: View, task: Task = "bidding") -> Bits:
    """One for every action that this seat may take now; all zero when it is not its turn.

    >>> int(legal(View("S", "AK3.QJ2.T98.7654", "P 1NT", "None")).sum())
    32
    """
    mask = np.zeros(ACTIONS[task], np.int8)
    if view.play is None:
        if view.auction.turn == view.seat:
            mask[[int(call) for call in view.auction.legal_calls()]] = task != "play"
    elif not view.play.is_over and view.play.controller == view.seat and task != "bidding":
        first = CALLS if task == "whole" else 0
        mask[[first + int(card) for card in view.legal_cards()]] = 1
    return mask


def _play_bits(view: View) -> Bits:
    bits = np.zeros(PLAY_WIDTH, np.int8)
    contract, play = view.contract, view.play
    if contract is None or play is None:
        return bits
    declarer = (contract.declarer - view.seat) % 4
    bits[[contract.level - 1, 7 + contract.strain, 12 + contract.doubled, 15 + declarer]] = 1
    around = [view.seat.plus(n) for n in range(4)]
    dummy = hand_bits((view.dummy or Hand()).bits)[0]
    played = hand_bits([play.played_by(seat).bits for seat in around]).ravel()
    trick = [card.bit if (card := play.trick.card_of(seat)) is not None else 0 for seat in around]
    on_table = hand_bits(trick).ravel()
    turn = np.zeros(4, np.int8)
    if not play.is_over:
        turn[(play.turn - view.seat) % 4] = 1
    declaring = play.declarer_tricks
    defending = play.tricks_played - declaring
    ours, theirs = (declaring, defending) if declarer % 2 == 0 else (defending, declaring)
    won = np.arange(_TRICKS)
    parts = [dummy, played, on_table, turn, won < ours, won < theirs]
    bits[_CONTRACT:] = np.concatenate(parts)
    return bits
