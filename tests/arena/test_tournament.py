"""Tournaments: pairings, places, ratings, and the same end after any interruption."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from overtrick.arena.pairing import ladder_order, ladder_pairs, swiss_pairs
from overtrick.arena.ratings import Meeting, ratings
from overtrick.arena.standings import cross_table, percentages, standings
from overtrick.arena.store import StoreError
from overtrick.arena.tournament import KINDS, FinishedTournament, Kind, Tournament, play_tournament
from overtrick.cli import main
from overtrick.game import OptionError

FIELD = ("points", "pass", "points+random")


def played(
    kind: Kind, folder: Path | None = None, rounds: int = 3, boards: int = 6
) -> FinishedTournament:
    return play_tournament(
        Tournament(kind, FIELD, boards, rounds=rounds, method="play", seed=4), folder
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_ends_with_a_table(kind: Kind) -> None:
    end = played(kind)
    rows = standings(end)
    assert {r.engine for r in rows} == set(FIELD)
    assert rows[0].place == 1
    assert sum(r.rating for r in rows) == pytest.approx(0, abs=1e-9)
    cells = cross_table(end)
    assert cells[0][0] == ""


def test_round_robin_shares_twenty_points_a_match() -> None:
    end = played("round-robin")
    assert len(end.encounters) == 3
    assert sum(end.victory_points()) == pytest.approx(60)


def test_matchpoints_add_up_to_half() -> None:
    shares = percentages(played("pairs"))
    assert np.mean([s.mean for s in shares]) == pytest.approx(0.5)
    assert all(s.clusters == 6 for s in shares)


def test_swiss_gives_everybody_one_bye_and_no_rematch() -> None:
    end = played("swiss")
    assert sorted(engine for _, engine in end.byes) == [0, 1, 2]
    met = [frozenset((e.a, e.b)) for e in end.encounters]
    assert len(met) == len(set(met)) == 3
    numbers = {d for e in end.encounters for d in e.meeting(6).deals}
    assert len(numbers) == 18  # every round has boards of its own


def test_an_interrupted_tournament_goes_on(tmp_path: Path) -> None:
    whole = played("swiss", tmp_path / "a")
    played("swiss", tmp_path / "b", rounds=1)
    (tmp_path / "b" / "001-1-2.sqlite").unlink(missing_ok=True)
    again = played("swiss", tmp_path / "b")
    assert [[r.canonical() for r in e.results] for e in again.encounters] == [
        [r.canonical() for r in e.results] for e in whole.encounters
    ]
    with pytest.raises(StoreError, match="another tournament"):
        play_tournament(Tournament("swiss", ("pass", "points"), 6), tmp_path / "a")


def test_swiss_pairing_backtracks() -> None:
    # 0 and 1 lead, but have met; 2–3 have met too: 0–2, 1–3 is the only way without a rematch.
    met = {frozenset(p) for p in ((0, 1), (2, 3), (0, 3))}
    pairs, bye = swiss_pairs([40, 30, 20, 10], met, [])
    assert (pairs, bye) == ([(0, 2), (1, 3)], None)
    everyone = {frozenset((a, b)) for a in range(4) for b in range(a)}
    assert len(swiss_pairs([4, 3, 2, 1], everyone, [])[0]) == 2
    assert swiss_pairs([5, 4, 3], set(), [2])[1] == 1


def test_the_ladder_moves_winners_up() -> None:
    assert ladder_pairs((2, 0, 1, 3), 0) == [(2, 0), (1, 3)]
    assert ladder_pairs((2, 0, 1, 3), 1) == [(0, 1)]
    assert ladder_pairs((0, 1), 1) == [(0, 1)]
    assert ladder_order((2, 0, 1, 3), {0, 3}) == (0, 2, 3, 1)


def test_ratings_find_the_truth_and_know_their_error() -> None:
    truth = np.array([2.0, 0.5, -0.5, -2.0])
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(60):
        luck = rng.normal(0, 4, 80)
        meetings = [
            Meeting(
                a,
                b,
                tuple(truth[a] - truth[b] + luck * (0.5 if (a + b) % 2 else -0.5)
                      + rng.normal(0, 3, 80)),
                tuple(range(80)),
            )
            for a in range(4)
            for b in range(a + 1, 4)
        ]  # fmt: skip
        for rating, true in zip(ratings(meetings, 4), truth, strict=True):
            inside += abs(rating.value - true) < 1.99 * rating.error
    assert 0.90 <= inside / 240 <= 0.985
    assert ratings([], 2)[0].error == float("inf")


def test_an_engine_that_sat_out_has_no_rating_yet() -> None:
    met = Meeting(0, 1, (3, -1, 5, 2), (1, 2, 3, 4))
    first, second, idle = ratings([met], 3)
    assert first.value == pytest.approx(-second.value) == pytest.approx(1.125)
    assert math.isinf(idle.error)


def test_tournaments_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="at least two"):
        Tournament("swiss", ("pass",))
    with pytest.raises(OptionError, match="enters once"):
        Tournament("swiss", ("pass", "pass"))
    with pytest.raises(OptionError, match="not 'cup'"):
        Tournament("cup", ("pass", "points"))  # type: ignore[arg-type]


def test_the_verb(tmp_path: Path) -> None:
    words = ["round-robin", "points", "pass", "-n", "4", "--play", "--dir", str(tmp_path / "cup")]
    report = tmp_path / "cup.html"
    shown = CliRunner().invoke(main, ["tournament", *words, "--report", str(report)])
    assert shown.exit_code == 0, shown.output
    assert "victory points" in shown.output
    assert report.read_text().startswith("<!doctype html>")
    data = json.loads(CliRunner().invoke(main, ["tournament", *words, "--json"]).output)
    assert [r["place"] for r in data["standings"]] == [1, 2]
