"""The searching bidder of docs/howto/searching_bidder.md is short, runs, and is a bidder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from overtrick.bidding import check_bidder

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "searching_bidder.md"


def test_a_searching_bidder_from_parts() -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    made: dict[str, Any] = {"__name__": "howto"}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), made)
    check_bidder(made["Thinker"](worlds=8), boards=1, seed=4)
    lines = [line for line in code.partition("@dataclass")[2].splitlines() if line.strip()]
    assert len(lines) <= 35
