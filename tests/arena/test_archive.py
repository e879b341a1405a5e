"""Tournaments read back from their folder: the same table, and as much as there is of one begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from overtrick.arena.archive import described, is_tournament, match_files, stored
from overtrick.arena.standings import standings
from overtrick.arena.tournament import KINDS, Kind, Tournament, play_tournament
from overtrick.game import BridgeError

FIELD = ("points", "pass", "points+random")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_back_is_what_was_played(kind: Kind, tmp_path: Path) -> None:
    wish = Tournament(kind, FIELD, 4, rounds=3, method="play", seed=4)
    played = play_tournament(wish, tmp_path)
    again = stored(tmp_path)
    assert is_tournament(tmp_path)
    assert sorted(again.byes) == sorted(played.byes)
    assert again.order == played.order
    assert {(e.round, e.a, e.b, e.imps) for e in again.encounters} == {
        (e.round, e.a, e.b, e.imps) for e in played.encounters
    }
    assert standings(again) == standings(played)


def test_one_that_was_interrupted_has_what_is_finished(tmp_path: Path) -> None:
    play_tournament(Tournament("round-robin", FIELD, 2, method="play"), tmp_path)
    files = match_files(tmp_path)
    files[0, 1, 2].unlink()
    files[0, 0, 2].write_text("not a match")
    (found,) = stored(tmp_path).encounters
    assert (found.a, found.b, len(found.results)) == (0, 1, 2)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "cup", "engines": ["a", "b"]}'])
def test_a_folder_with_something_else(text: str, tmp_path: Path) -> None:
    assert not is_tournament(tmp_path)
    (tmp_path / "tournament.json").write_text(text)
    with pytest.raises(BridgeError, match=r"holds no tournament|a tournament is"):
        described(tmp_path)
