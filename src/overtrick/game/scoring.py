"""Duplicate scores, IMPs, matchpoints and victory points."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from math import floor, sqrt
from typing import Final

from overtrick.game.cards import Strain
from overtrick.game.contract import Contract
from overtrick.game.errors import ContractError, WrongType
from overtrick.game.seats import Seat, Side, Vulnerability

# A difference of at least IMP_STEPS[i] points is worth i + 1 IMPs.
IMP_STEPS: Final = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
_GAME: Final = (300, 500)
_SMALL_SLAM: Final = (500, 750)
_GRAND_SLAM: Final = (1000, 1500)


@cache
def points(level: int, strain: int, doubled: int, vulnerable: bool, tricks: int) -> int:
    """Declarer's score for taking `tricks` in a contract (negative when it fails).

    >>> points(4, Strain.SPADES, 0, True, 10), points(1, Strain.CLUBS, 1, False, 7)
    (620, 140)
    """
    if not (1 <= level <= 7 and 0 <= strain <= 4 and 0 <= doubled <= 2):
        raise ContractError(f"no contract of level {level}, strain {strain}, doubled {doubled}")
    if not 0 <= tricks <= 13:
        raise ContractError(f"declarer takes 0 to 13 tricks, not {tricks}")
    over = tricks - level - 6
    if over < 0:
        return -_penalty(-over, doubled, vulnerable)
    per_trick = 20 if strain <= Strain.DIAMONDS else 30
    bid = (per_trick * level + (10 if strain == Strain.NT else 0)) << doubled
    total = bid + (_GAME[vulnerable] if bid >= 100 else 50)
    if level >= 6:
        total += (_SMALL_SLAM if level == 6 else _GRAND_SLAM)[vulnerable]
    if doubled:
        return total + 50 * doubled + over * (200 if vulnerable else 100) * doubled
    return total + over * per_trick


def _penalty(down: int, doubled: int, vulnerable: bool) -> int:
    if not doubled:
        return down * (100 if vulnerable else 50)
    if vulnerable:
        return (300 * down - 100) * doubled
    return (200 * down - 100 if down <= 3 else 300 * down - 400) * doubled


def score(contract: Contract | str | None, tricks: int, vul: Vulnerability | str) -> int:
    """The score for North-South; a passed-out board (None) is 0.

    >>> score("4SX E", 9, "EW"), score(Contract(3, "NT", "S"), 9, Vulnerability.NONE)
    (200, 400)
    """
    if contract is None:
        return 0
    contract = Contract.parse(contract) if isinstance(contract, str) else contract
    vul = Vulnerability(vul)
    if not isinstance(contract, Contract):
        raise WrongType("a contract", "text like '4SX N' or a Contract", contract)
    if not isinstance(tricks, int):
        raise WrongType("the number of tricks", "a whole number from 0 to 13", tricks)
    won = points(
        contract.level, contract.strain, contract.doubled, vul.of(contract.declarer), tricks
    )
    return won if contract.declarer.side == Side.NS else -won


def imps(difference: int) -> int:
    """IMPs for a difference in points, with its sign.

    >>> imps(430), imps(-20), imps(10)
    (10, -1, 0)
    """
    if not isinstance(difference, int | float):
        raise WrongType("a difference", "a number of points", difference)
    won = bisect_right(IMP_STEPS, abs(difference))
    return won if difference >= 0 else -won


def matchpoints(scores: Sequence[int]) -> list[float]:
    """Matchpoints of each score: one for every score beaten, a half for every tie.

    >>> matchpoints([420, 450, 420, -50])
    [1.5, 3.0, 1.5, 0.0]
    """
    return [
        sum(1.0 for t in scores if t < s) + 0.5 * (sum(1 for t in scores if t == s) - 1)
        for s in scores
    ]


def victory_points(imp_margin: int, boards: int) -> tuple[float, float]:
    """WBF continuous victory points (20 shared) for a margin over a match of `boards`.

    >>> victory_points(0, 16), victory_points(10, 16)
    ((10.0, 10.0), (12.8, 7.2))
    """
    if boards < 1:
        raise ContractError(f"a match has at least one board, not {boards}")
    blitz = 15 * sqrt(boards)
    golden = (sqrt(5) - 1) / 2
    # WBF 2013: the winner gets 10 + 10 (1 - g^(3M/B)) / (1 - g^3), rounded to two decimals.
    margin = min(abs(imp_margin), blitz)
    won = 10 + 10 * (1 - golden ** (3 * margin / blitz)) / (1 - golden**3)
    won = floor(won * 100 + 0.5) / 100
    lost = round(20 - won, 2)
    return (won, lost) if imp_margin >= 0 else (lost, won)


def result_text(contract: Contract, tricks: int) -> str:
    """How players say a result: '=', '+1', '-2'."""
    over = tricks - contract.target
    return "=" if over == 0 else f"{over:+d}"


def declarer_score(contract: Contract, tricks: int, vul: Vulnerability) -> int:
    """The score for the declaring side."""
    ns = score(contract, tricks, vul)
    return ns if Seat(contract.declarer).side == Side.NS else -ns
