"""Scores of every contract against endplay, and the tables of IMPs, matchpoints and VPs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import (
    Contract,
    ContractError,
    Seat,
    Strain,
    Vulnerability,
    imps,
    matchpoints,
    points,
    score,
    victory_points,
)
from overtrick.game.scoring import declarer_score, result_text

from . import strategies as some


def test_every_contract_scores_as_in_endplay() -> None:
    types = pytest.importorskip("endplay.types", reason="endplay comes with the package")
    vuls = (types.Vul.none, types.Vul.ns, types.Vul.ew, types.Vul.both)
    count = 0
    for level in range(1, 8):
        for strain in Strain:
            for doubled in range(3):
                for declarer in Seat:
                    for tricks in range(14):
                        contract = Contract(level, strain, declarer, doubled)
                        over = tricks - contract.target
                        text = f"{level}{strain.letter}{declarer.letter}{'X' * doubled}{over:+d}"
                        theirs = types.Contract(text)
                        for vul in Vulnerability:
                            ours = declarer_score(contract, tricks, vul)
                            assert ours == abs(theirs.score(vuls[vul])) * (1 if over >= 0 else -1)
                            count += 1
    assert count == 7 * 5 * 3 * 4 * 14 * 4


@pytest.mark.parametrize(
    ("contract", "tricks", "vul", "expected"),
    [
        ("1C N", 7, "None", 70),
        ("1NT N", 7, "None", 90),
        ("2S N", 9, "All", 140),
        ("3NT N", 9, "NS", 600),
        ("3NT E", 9, "NS", -400),
        ("2HX N", 8, "None", 470),
        ("1NTXX S", 7, "None", 560),
        ("6S W", 12, "EW", -1430),
        ("7NTXX N", 13, "All", 2980),
        ("4SX S", 9, "NS", -200),
        ("4SX S", 7, "None", -500),
        ("4SX S", 6, "None", -800),
        ("4SXX S", 8, "All", -1000),
        ("7NTXX N", 0, "All", -7600),
    ],
)
def test_scores_that_players_know(contract: str, tricks: int, vul: str, expected: int) -> None:
    assert score(Contract.parse(contract), tricks, Vulnerability.parse(vul)) == expected


@given(some.contracts, st.integers(0, 13), some.vulnerabilities)
def test_what_always_holds(contract: Contract, tricks: int, vul: Vulnerability) -> None:
    made = declarer_score(contract, tricks, vul)
    assert (made > 0) == (tricks >= contract.target)
    assert score(contract, tricks, vul) == (made if contract.declarer % 2 == 0 else -made)
    if tricks < 13:
        assert declarer_score(contract, tricks + 1, vul) > made
    text = result_text(contract, tricks)
    assert text == "=" or contract.target + int(text) == tricks


def test_impossible_results() -> None:
    for arguments in ((0, 0, 0, False, 7), (1, 5, 0, False, 7), (1, 0, 3, False, 7)):
        with pytest.raises(ContractError):
            points(*arguments)
    with pytest.raises(ContractError, match="0 to 13 tricks, not 14"):
        points(1, 0, 0, False, 14)
    assert score(None, 0, Vulnerability.ALL) == 0


def test_imps() -> None:
    table = {
        0: 0,
        10: 0,
        20: 1,
        40: 1,
        50: 2,
        420: 9,
        430: 10,
        490: 10,
        500: 11,
        3990: 23,
        4000: 24,
    }
    for difference, won in table.items():
        assert imps(difference) == won
        assert imps(-difference) == -won
    assert imps(15200) == 24


def test_matchpoints_and_victory_points() -> None:
    assert matchpoints([420, 450, 420, -50]) == [1.5, 3.0, 1.5, 0.0]
    assert sum(matchpoints([100, 100, 100])) == 3.0
    assert victory_points(0, 20) == (10.0, 10.0)
    # WBF continuous scale, 16 boards: 1 IMP is 10.31, 60 or more are 20.
    assert victory_points(1, 16) == (10.31, 9.69)
    assert victory_points(60, 16) == (20.0, 0.0)
    assert victory_points(-80, 16) == (0.0, 20.0)
    with pytest.raises(ContractError):
        victory_points(3, 0)
    won = [victory_points(m, 16)[0] for m in range(61)]
    assert won == sorted(won)
