"""Where a network comes from, in its card: every ancestor told once.

A recipe knows the stories of the networks it began with and keeps them whole (`from`). Runs that
begin with the same network and are averaged would tell its whole story once for each of them, and
again in the next average; a card gives ancestors numbers instead, the oldest first.
"""

from __future__ import annotations

import json
from typing import Any

Story = dict[str, Any]
"""Recipe, settings and results of a network; `from`: the story or stories it goes on from."""


def told_once(story: Story) -> Story:
    """The same story with numbers in `from`, and the stories they stand for in `ancestors`."""
    ancestors: dict[str, Story] = {}
    numbers: dict[str, str] = {}

    def number(one: Story) -> str:
        brief = pointing(one)
        text = json.dumps(brief, sort_keys=True)
        if text not in numbers:
            numbers[text] = str(len(numbers) + 1)
            ancestors[numbers[text]] = brief
        return numbers[text]

    def pointing(one: Story) -> Story:
        if "from" not in one:
            return one
        parents = one["from"]
        if isinstance(parents, list):
            return {**one, "from": [number(each) for each in parents]}
        return {**one, "from": number(parents)}

    brief = pointing(in_full(story))
    return {**brief, "ancestors": ancestors} if ancestors else brief


def in_full(story: Story) -> Story:
    """The story of `told_once` with the stories themselves in `from`; others as they are."""
    ancestors: dict[str, Story] = story.get("ancestors", {})

    def whole(one: Story) -> Story:
        parents = one.get("from")
        if isinstance(parents, list):
            return {**one, "from": [resolved(each) for each in parents]}
        return one if parents is None else {**one, "from": resolved(parents)}

    def resolved(parent: Story | str) -> Story:
        return whole(ancestors[parent] if isinstance(parent, str) else parent)

    return whole({name: value for name, value in story.items() if name != "ancestors"})
