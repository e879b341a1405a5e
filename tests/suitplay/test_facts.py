"""Known chances of single-suit holdings, from the literature and from exact searches elsewhere."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from overtrick.game import Contract, Seat
from overtrick.suitplay import Stakes, SuitAnalysis, SuitError, solve

_TABLE = Path(__file__).parents[3] / "shared" / "data" / "suit_combinations.csv"

# North, South, tricks, chance in percent. Numbers are facts; they were computed independently of
# this solver (two other programs, or by hand enumeration in print) and rounded to two decimals.
FACTS = [
    ("AKQJ9", "xx", 5, 87.14),  # Frank & Basin, Fig. 3
    ("KJTx", "A98x", 4, 52.83),  # Frank & Basin, Fig. 14: 100 % double dummy
    ("J876", "AT32", 3, 46.04),  # Frank & Basin, Fig. 22
    ("AQT98", "5432", 4, 82.78),
    ("AQT98", "5432", 5, 26.57),
    ("AJ98", "5432", 2, 92.39),
    ("AJ98", "5432", 3, 40.39),
    ("AJT98", "5432", 4, 76.00),
    ("AQJ", "T987654", 7, 50.00),
    ("AQJ", "T9876543", 8, 52.00),
    ("AJ32", "K954", 4, 36.74),
    ("AJ92", "K843", 4, 41.52),
    ("AT32", "Q654", 3, 50.30),
    ("J92", "A743", 2, 70.11),
    pytest.param("J92", "A753", 2, 70.11, marks=pytest.mark.slow),
    pytest.param("J92", "A753", 3, 1.61, marks=pytest.mark.slow),
    ("J98", "A432", 2, 69.38),
    ("J987", "A432", 2, 97.17),
    ("J987", "A432", 3, 13.00),
    ("KJ2", "A9876", 4, 98.04),
    ("KJ2", "A9876", 5, 39.57),
    ("QJ82", "A93", 3, 79.01),
    ("QT98", "A432", 3, 77.96),
    ("QT98", "A432", 4, 2.83),
    ("AKQJ9", "x", 5, 71.86),
    ("AKQJ9x", "x", 6, 86.40),
    ("AKQ8x", "Jxx", 5, 98.04),
    ("AKJxx", "xxx", 5, 33.91),
    ("AKJxx", "xxx", 4, 84.78),
    ("KT9x", "Jxx", 3, 42.33),
    ("QT9", "xxx", 1, 50.73),
    ("J97x", "Q8x", 2, 56.22),
    ("KJ98765", "2", 5, 58.78),
    ("T98765", "x", 3, 35.53),
    ("AK762", "84", 3, 83.97),
    ("A9", "KQT63", 5, 54.10),
    ("J54", "AK962", 5, 29.96),
    ("J865", "AQ973", 5, 32.78),
    ("AQ9", "xxx", 2, 63.00),
    ("AQ9", "xx", 2, 63.00),
    ("KQ9876", "AT5", 6, 100.00),
]


@pytest.mark.parametrize(("north", "south", "tricks", "percent"), FACTS)
def test_known_chance(north: str, south: str, tricks: int, percent: float) -> None:
    assert 100 * solve(north, south).chances[tricks] == pytest.approx(percent, abs=0.0101)


@pytest.mark.parametrize(
    ("north", "south", "mean"),
    [
        ("AQT98", "5432", 4.0313),
        ("AKxx", "J98", 2.8537),
        ("AK9xx", "QT", 4.48),
        ("AK98xx", "Jx", 5.01),
        ("AK76x", "J98", 4.14),
        ("AQ9x", "Jxx", 2.77),
    ],
)
def test_known_mean(north: str, south: str, mean: float) -> None:
    digits = len(str(mean).split(".")[1])
    assert solve(north, south).mean == pytest.approx(mean, abs=0.51 * 10**-digits)


def test_the_matchpoint_line_is_not_the_one_with_most_tricks() -> None:
    suit = solve("AQT98", "5432")
    best = suit.matchpoint_best
    assert best is not None
    assert best.name != suit.mean_line.name
    assert 100 * suit.ahead(best, suit.mean_line) == pytest.approx(3.6522, abs=5e-5)
    assert best.mean == pytest.approx(4.0057, abs=5e-5)
    assert suit.words(best).startswith("Low to the ten")
    assert suit.words(suit.mean_line).startswith("Low to the queen")


def test_lines_can_beat_each_other_in_a_circle() -> None:
    suit = solve("AJ98", "K32")
    assert suit.matchpoint_best is None
    cycle = suit.matchpoint_cycle
    assert len(cycle) >= 3
    for worse, better in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
        assert suit.ahead(better, worse) > 0


def test_no_line_beats_the_matchpoint_line() -> None:
    suit = solve("AQT98", "5432")
    assert suit.matchpoint_best is not None
    assert all(suit.ahead(suit.matchpoint_best, line) >= 0 for line in suit.lines)
    assert suit.imp_best is not None
    assert all(suit.imps(suit.imp_best, line) >= 0 for line in suit.lines)


def test_non_locality_position_of_frank_and_basin() -> None:
    """Figs. 20 and 21: the jack finesse gains in seven of eight layouts, the seven in six."""
    suit = solve("J87", "T32", missing="Q95")
    layouts = suit.layouts
    easts = [layouts.hands(i)[1] for i in range(len(layouts))]
    assert sorted(easts) == sorted(["–", "5", "9", "95", "Q", "Q5", "Q9", "Q95"])
    assert sum(t < 2 for t in suit.line_for(2).tricks) == 1
    fronts = suit._reader.fronts.front(suit._reader.game.root)
    lost = [
        {e for i, e in enumerate(easts) if not front >> (len(layouts) + i) & 1} for front in fronts
    ]
    assert {"–"} in lost
    assert {"Q5", "5"} in lost


def test_fig_22_is_played_as_in_the_paper() -> None:
    suit = solve("J876", "AT32")
    plan = suit.plan(suit.line_for(3))
    assert plan is not None
    assert (plan.hand, plan.card) == ("N", 4)  # the six
    answers = {a.cards: a.card for a in plan.answers}
    assert answers[(11, 10)] == 12  # the ace on the king or queen
    assert answers[(7,)] == 8  # the ten on the nine
    assert answers[(3, 2)] in (0, 1)  # low on the five or four
    # after 6-K-A the exact line takes the position of Fig. 20 as one where East cannot hold Q5 or 5
    honour = next(a for a in plan.answers if a.cards == (11, 10))
    low = next(o for o in honour.outcomes if o.low)
    assert low.then is not None
    assert (low.then.hand, low.then.card) == ("N", 5)  # finesse of the seven, not of the jack


@pytest.mark.skipif(not _TABLE.exists(), reason="the table of suit combinations is not here")
def test_table_of_suit_combinations() -> None:
    known: dict[tuple[str, str], SuitAnalysis] = {}
    rows = list(csv.DictReader(_TABLE.open()))
    assert len(rows) == 81
    checked = 0
    for row in rows:
        holding = row["north"], row["south"]
        suit = known.setdefault(holding, solve(*holding))
        if not row["tricks"].isdigit():
            continue
        found = 100 * suit.chances[int(row["tricks"])]
        if "computed" in row["source"] or "SuitPlay reference" in row["source"]:
            assert found == pytest.approx(float(row["percent"]), abs=0.0101), row
            checked += 1
    assert checked >= 45


def test_a_contract_may_need_no_trick_of_the_suit() -> None:
    """Then every trick is an overtrick; asking for none used to mean asking for the usual."""
    one = Contract.parse("3NT", Seat.SOUTH)
    free = solve("AQ", "32", stakes=Stakes(one, need=0))
    assert free.need == 0
    assert solve("AQ", "32", stakes=Stakes(one)).need == 2  # the finesse is even money
    for need in (-1, 3):
        with pytest.raises(SuitError, match="0 to 2 tricks"):
            solve("AQ", "32", stakes=Stakes(one, need=need))
