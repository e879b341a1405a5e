"""Evenings that were worked out by pencil, and what has to hold for all."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick import notation
from overtrick.duplicate.movements import howell, mitchell
from overtrick.duplicate.results import ClubEvent, missing
from overtrick.duplicate.scoring import Method, TableScore, match_points, worths
from overtrick.duplicate.written import (
    pbn,
    ranking_table,
    recap_table,
    traveller_table,
    usebio,
)
from overtrick.game import BridgeError, Deal

# Six pairs, three tables, one board a round. Board 3 was fouled at table 2 of the second round.
#
#   board 1 (nobody vulnerable)   1–4 +400   3–5 +430   2–6 −50
#   board 2 (North-South)         2–5 +620   1–6 +650   3–4 −100
#   board 3 (East-West)           3–6 −110   1–5 +100   2–4 60 % and 40 %
THREE_TABLES = (
    TableScore(1, 1, 4, "3NT N", 9, number=1),
    TableScore(2, 2, 5, "4S N", 10, number=1),
    TableScore(3, 3, 6, "2H E", 8, number=1),
    TableScore(2, 1, 6, "4S N", 11, number=2),
    TableScore(3, 2, 4, awarded=(60, 40), number=2),
    TableScore(1, 3, 5, "3NT N", 10, number=2),
    TableScore(3, 1, 5, "2H E", 7, number=3),
    TableScore(1, 2, 6, "3NT N", 8, number=3),
    TableScore(2, 3, 4, "4S N", 9, number=3),
)


def _evening(method: Method = "matchpoints", **more: object) -> ClubEvent:
    return ClubEvent(mitchell(6, each=1), THREE_TABLES, method, **more)  # type: ignore[arg-type]


def test_matchpoints_with_unequal_tops_by_pencil() -> None:
    """Board 3 has two scores of three: 3/2 (m + 1/2) − 1/2 is 0.25 and 1.75 of a top of 2, and 60 %
    of that top are 1.2. Pair 1 has 1 + 2 + 1.75 of 6."""
    rankings = _evening().rankings()
    assert list(rankings) == ["NS", "EW"]
    told = {
        name: [(r.place, r.pair, round(r.total, 4), round(r.percent or 0, 2)) for r in found]
        for name, found in rankings.items()
    }
    assert told == {
        "NS": [(1, 1, 4.75, 79.17), (2, 3, 2.25, 37.5), (3, 2, 2.2, 36.67)],
        "EW": [(1, 4, 3.8, 63.33), (2, 6, 3.75, 62.5), (3, 5, 1.25, 20.83)],
    }


def test_imps_across_the_field_by_pencil() -> None:
    """Board 1: 400 against 430 and −50 is −1 and +10, 4.5 in the mean. Board 2: 650 against 620 and
    −100 is +1 and +13. Board 3: 100 against −110 is +5, and 60 % are three IMPs."""
    told = {
        name: [(r.place, r.pair, round(r.total, 3)) for r in found]
        for name, found in _evening("imps").rankings().items()
    }
    assert told == {
        "NS": [(1, 1, 16.5), (2, 2, -1.5), (3, 3, -12.0)],
        "EW": [(1, 6, 8.0), (2, 4, 5.0), (3, 5, -16.0)],
    }


def test_one_list_with_a_tie_by_pencil() -> None:
    """Four pairs, a Howell: all made 1NT on board 1; 110 beats −100; a partscore of 80 beats a
    board that was passed out."""
    event = ClubEvent(
        howell(4, each=1),
        (
            TableScore(1, 4, 1, "1NT N", 7, number=1), TableScore(1, 2, 3, "1NT N", 7, number=1),
            TableScore(2, 4, 2, "2S N", 8, number=2), TableScore(2, 3, 1, "2S N", 7, number=2),
            TableScore(3, 4, 3, number=3), TableScore(3, 1, 2, "1S N", 7, number=3),
        ),
    )  # fmt: skip
    (found,) = event.rankings().values()
    assert [(r.place, r.pair, r.total) for r in found] == [
        (1, 1, 2.5), (2, 3, 1.5), (2, 4, 1.5), (4, 2, 0.5),
    ]  # fmt: skip
    assert not missing(event)


def test_victory_points_by_pencil() -> None:
    """Four boards, 620 − (−100) = 720 is 12 IMPs, 420 − 450 = −30 is −1, 0 and +4 (140): 15 IMPs.
    With g = 0.618 and 15 √4 = 30 that is 10 + 10 (1 − g^1.5) / (1 − g³), 10 + 10 · 0.5141 / 0.7639.
    """
    here = [
        TableScore(2, 1, 2, "4S N", 10), TableScore(8, 1, 2, "4S N", 10),
        TableScore(3, 1, 2, "2H N", 8), TableScore(1, 1, 2, "2S N", 9), TableScore(9, 1, 2),
    ]  # fmt: skip
    there = [
        TableScore(2, 3, 4, "4S N", 9), TableScore(8, 3, 4, "4S N", 11),
        TableScore(3, 3, 4, "2H N", 8), TableScore(1, 3, 4),
    ]  # fmt: skip
    assert match_points(here, there) == (15, (16.73, 3.27))
    with pytest.raises(BridgeError, match="no board was played at both tables"):
        match_points(here[-1:], there)


def test_a_director_gives_and_takes() -> None:
    event = _evening(adjusted={1: -2.0})
    first, second = event.rankings()["NS"][:2]
    assert (first.pair, second.pair) == (1, 3)
    assert (first.total, first.adjusted) == (2.75, -2.0)


def test_who_sits_out_loses_nothing_by_it() -> None:
    movement = mitchell(5, each=1)
    results = tuple(
        TableScore(board.board, board.ns, board.ew, "1NT N", 7 + (board.ns == 1),
                   number=board.number)
        for board in missing(ClubEvent(movement))
    )  # fmt: skip
    (first, *_) = ClubEvent(movement, results).rankings()["NS"]
    assert (first.pair, first.boards, first.percent) == (1, 2, 100.0)


def test_what_does_not_belong_is_refused() -> None:
    movement = mitchell(6, each=1)
    for wrong in (
        TableScore(2, 1, 4, "1NT N", 7),  # another board
        TableScore(1, 4, 1, "1NT N", 7),  # the wrong way round
        TableScore(1, 1, 4, "1NT N", 7, number=9),
    ):
        with pytest.raises(BridgeError, match="is not for pairs"):
            ClubEvent(movement, (wrong,))
    again = TableScore(1, 1, 4, "1NT N", 8)
    with pytest.raises(BridgeError, match="pair 1 has two results on board 1"):
        ClubEvent(movement, (again, again))
    with pytest.raises(BridgeError, match="a contract and its tricks, or neither"):
        TableScore(1, 1, 4, "1NT N")
    with pytest.raises(BridgeError, match="awards 0 to 100 per cent"):
        TableScore(1, 1, 4, awarded=(60, 140))


_SCORES = st.lists(
    st.one_of(
        st.builds(lambda n: ("1NT N", n, None), st.integers(0, 13)),
        st.builds(lambda a, b: (None, None, (a, b)), st.integers(0, 100), st.integers(0, 100)),
        st.just((None, None, None)),
    ),
    min_size=1, max_size=20,
)  # fmt: skip


@given(_SCORES, st.integers(0, 20), st.sampled_from(["matchpoints", "imps"]))
def test_what_one_side_has_the_other_has_not(
    scores: list[tuple[str | None, int | None, tuple[float, float] | None]], more: int,
    method: Method,
) -> None:  # fmt: skip
    results = [
        TableScore(1, i, 100 + i, contract, tricks, awarded)
        for i, (contract, tricks, awarded) in enumerate(scores)
    ]
    tables = len(results) + more
    for result, worth in zip(results, worths(results, method, tables), strict=True):
        if method == "matchpoints":
            assert worth.top == tables - 1
            assert -1e-9 <= worth.ns <= worth.top + 1e-9
        if result.awarded is None:
            assert worth.ns + worth.ew == pytest.approx(worth.top)
    played = [w for r, w in zip(results, worths(results, method, tables), strict=True)
              if r.awarded is None]  # fmt: skip
    if played:  # the mean is an average
        assert sum(w.ns - w.ew for w in played) == pytest.approx(0, abs=1e-6)


def test_other_programs_read_it() -> None:
    deals = {1: Deal.random(1), 3: Deal.random(3)}
    names = {pair: (f"First {pair}", f"Second {pair}") for pair in range(1, 7)}
    event = _evening(names=names, title="Thursday pairs", day="2026-11-19")
    for text in (pbn(event, deals), usebio(event, deals)):
        found = notation.loads(text)
        assert not found.warnings
        assert len(found.records) == 9
        told = {
            (r.number, r.tags["PairNS"], r.tags["PairEW"]): (
                r.contract and r.contract.ascii, r.tricks, r.tags["MatchPointsNS"]
            )
            for r in found.records
        }  # fmt: skip
        assert told[1, "3", "5"] == ("3NT", 10, "2")
        assert told[3, "1", "5"] == ("2H", 7, "1.75")
        assert {r.tags["Event"] for r in found.records} == {"Thursday pairs"}
        assert {r.names for r in found.records if r.number == 1} >= {
            ("First 1", "First 4", "Second 1", "Second 4")
        }
        assert {r.deal for r in found.records if r.number == 1} == {deals[1]}


def test_tables_for_spreadsheets() -> None:
    names = {1: ("=HYPERLINK(1)", "Ann"), 4: ("-2+3", "Böb, the builder")}
    event = _evening(names=names)
    rows = list(csv.DictReader(StringIO(ranking_table(event))))
    assert [(r["list"], r["place"], r["pair"], r["percent"]) for r in rows[:4]] == [
        ("NS", "1", "1", "79.17"), ("NS", "2", "3", "37.50"),
        ("NS", "3", "2", "36.67"), ("EW", "1", "4", "63.33"),
    ]  # fmt: skip
    assert (rows[0]["first"], rows[3]["first"]) == ("'=HYPERLINK(1)", "'-2+3")  # no formulas
    assert rows[3]["second"] == "Böb, the builder"
    recap = list(csv.reader(StringIO(recap_table(event))))
    assert recap[0] == ["pair", "1", "2", "3", "total"]
    assert recap[1] == ["1", "1", "2", "1.75", "4.75"]
    travellers = list(csv.DictReader(StringIO(traveller_table(event))))
    assert [(r["ns"], r["score"], r["ns_worth"]) for r in travellers if r["board"] == "3"] == [
        ("1", "100", "1.75"), ("2", "", "1.2"), ("3", "-110", "0.25"),
    ]  # fmt: skip
