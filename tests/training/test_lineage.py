"""The stories of networks: every ancestor told once, and no fact lost."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick_lab.training.lineage import Story, in_full, told_once

own = st.fixed_dictionaries({"recipe": st.sampled_from("abc"), "settings": st.just({"seed": "1"})})
stories: st.SearchStrategy[Story] = st.recursive(
    own,
    lambda older: st.builds(
        lambda one, parents: {**one, "from": parents},
        own,
        older | st.lists(older, min_size=1, max_size=3),
    ),
    max_leaves=12,
)


@given(stories)
def test_no_fact_is_lost(story: Story) -> None:
    brief = told_once(story)
    assert in_full(brief) == story
    assert told_once(brief) == brief
    assert in_full(story) == story
    ancestors = brief.get("ancestors", {})
    assert len({json.dumps(one, sort_keys=True) for one in ancestors.values()}) == len(ancestors)


def test_the_oldest_comes_first() -> None:
    first = {"recipe": "selfplay"}
    one, two = ({"recipe": "post-mortem", "seed": seed, "from": first} for seed in (1, 2))
    assert told_once({"recipe": "average", "from": [one, two]}) == {
        "recipe": "average",
        "from": ["2", "3"],
        "ancestors": {
            "1": first,
            "2": {"recipe": "post-mortem", "seed": 1, "from": "1"},
            "3": {"recipe": "post-mortem", "seed": 2, "from": "1"},
        },
    }


@pytest.mark.parametrize("name", ["policy", "partner", "policy_reader", "partner_reader"])
def test_shipped_cards_are_told_so(name: str) -> None:
    text = (resources.files("overtrick.nets") / "models" / f"{name}.json").read_text("utf-8")
    made_by: dict[str, Any] = json.loads(text)["made_by"]
    assert told_once(made_by) == made_by
    assert "ancestors" in made_by
