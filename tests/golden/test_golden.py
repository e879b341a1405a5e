"""Golden files are what the code makes today; `make golden` rewrites them."""

from __future__ import annotations

import pytest

from tests.golden.regenerate import HERE, MAKERS


@pytest.mark.parametrize("folder", MAKERS)
def test_nothing_changed_silently(folder: str) -> None:
    made = MAKERS[folder]()
    assert set(made) == {p.name for p in (HERE / folder).iterdir()}
    for name, text in made.items():
        assert text == (HERE / folder / name).read_text(encoding="utf-8"), f"{folder}/{name}"
