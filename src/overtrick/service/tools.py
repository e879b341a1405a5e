"""Every tool that a language model may use, with the schema of what it answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, get_type_hints

import msgspec

from overtrick.service import cardfacts, facts

TOOLS: Final[tuple[Callable[..., Any], ...]] = (
    facts.think, facts.check_auction, facts.score, facts.imps, facts.evaluate_hand, facts.systems,
    facts.explain_calls, facts.possible_calls, facts.sample_deals, facts.simulate, facts.match,
    cardfacts.double_dummy, cardfacts.solve, cardfacts.plan, cardfacts.suit_play,
    cardfacts.opening_lead, cardfacts.review,
)  # fmt: skip


@lru_cache(maxsize=64)
def answer_schema(tool: Callable[..., Any]) -> dict[str, Any]:
    """The JSON schema of what a tool answers, all in one piece.

    >>> sorted(answer_schema(facts.imps)["properties"])
    ['evidence', 'imps', 'points']
    """
    kind = get_type_hints(tool)["return"]
    (found,), parts = msgspec.json.schema_components([kind])
    whole: dict[str, Any] = _inlined(found, parts)
    return whole


def _inlined(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema with what it refers to in its place; none of these types contains itself."""
    if isinstance(schema, list):
        return [_inlined(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(parts[schema["$ref"].rpartition("/")[2]], parts)
    return {key: _inlined(value, parts) for key, value in schema.items()}
