"""Search matches: all engines on the same deals, resumed from what is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from overtrick_lab.training import data, search_match
from overtrick_lab.training.trials_settings import SearchSettings


@pytest.fixture
def settings(tmp_path: Path) -> SearchSettings:
    rng = np.random.default_rng(5)
    deals = data.ObservedDeals(
        data.random_owners(12, rng), rng.integers(4, 11, (12, 5, 4), np.int8)
    )
    data.write_solved(tmp_path / "deals.npz", deals)
    return SearchSettings(
        engines="points; pass", opponent="pass", deals=tmp_path / "deals.npz", skip=-8, boards=6,
        out=tmp_path / "search.json",
    )  # fmt: skip


def test_engines_are_compared_in_pairs_and_the_match_goes_on(settings: SearchSettings) -> None:
    found = search_match.run(replace(settings, boards=4))
    assert found["deals"] == 4
    assert found["engines"]["pass"]["imps"] == 0  # against itself
    won = found["engines"]["points"]["imps"]
    assert won != 0
    assert found["engines"]["pass"]["first_is_better_by"] == pytest.approx(won)
    before = json.loads(settings.out.read_text())["records"]
    whole = search_match.run(settings)
    assert whole["deals"] == 6
    after = json.loads(settings.out.read_text())["records"]
    assert {n: after[n] for n in before} == before
    afresh = replace(settings, out=settings.out.with_name("again.json"))
    assert (
        search_match.run(afresh)["engines"]["points"]["imps"] == whole["engines"]["points"]["imps"]
    )


def test_other_results_are_not_mixed_in(settings: SearchSettings) -> None:
    search_match.run(replace(settings, boards=1))
    with pytest.raises(data.DataError, match="other engines or deals"):
        search_match.run(replace(settings, engines="pass"))
    with pytest.raises(data.DataError, match="other engines or deals"):
        search_match.run(replace(settings, opponent="points"))
    settings.out.write_text("[]")
    with pytest.raises(data.DataError, match="no results of a search match"):
        search_match.run(settings)
    with pytest.raises(data.DataError, match="no engine to play"):
        search_match.run(replace(settings, engines=" ; "))
