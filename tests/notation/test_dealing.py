"""Files of dealing machines: what they hold comes back, and what they cannot hold is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick import Board, Deal, Record
from overtrick.notation import NotationError, dump, dumps, load, loads
from overtrick.notation.files import encoded

GOLDEN = Path(__file__).parent.parent / "golden" / "notation"
FORMS = ("dlm", "dup", "bri", "dge")


def boards(first: int, last: int, seed: int) -> list[Record]:
    made = [Board.random(number, seed=seed + number) for number in range(first, last + 1)]
    return [Record(b.number, b.dealer, b.vul, b.deal) for b in made]


@pytest.mark.parametrize("form", FORMS)
@given(st.integers(1, 99), st.integers(0, 30), st.integers(0, 2**32))
def test_boards_come_back(form: str, first: int, more: int, seed: int) -> None:
    if form in ("bri", "dge"):
        first = 1  # they tell no numbers
    asked = boards(first, min(first + more, 99), seed)
    found = loads(encoded(dumps(asked, form), form), form)
    assert found.warnings == ()
    assert list(found) == asked


@pytest.mark.parametrize("form", FORMS)
def test_two_hundred_boards_by_name_and_by_look(form: str, tmp_path: Path) -> None:
    asked = boards(1, 99 if form == "dlm" else 200, seed=7)
    dump(asked, tmp_path / f"set.{form}")
    assert list(load(tmp_path / f"set.{form}")) == asked
    assert list(loads((tmp_path / f"set.{form}").read_bytes())) == asked


def test_a_board_as_the_description_has_it() -> None:
    """North ♠J987 ♥JT7643 ♦A4 ♣Q and so on, as the makers of the machine print it."""
    numbers = (
        "18043727240822422106250717"  # North
        "51503215164929412640314645"  # East
        "43351128302039140152133403"  # South
    )
    deal = Deal.parse("N:J987.JT7643.A4.Q .KQ2.QT9.AK98543 AQ42.A8.KJ762.J2 KT653.95.853.T76")
    assert loads(numbers.encode() + b" " * 32 + b"\0" * 18, "bri")[0].deal == deal
    assert sorted(dumps(Record(1, deal=deal), "bri")[:26]) == sorted(numbers[:26])


def test_what_is_wrong_is_said() -> None:
    text = dumps(boards(3, 4, 1), "dlm")
    spoilt = text.replace("Board 03=", "Board 03=x", 1)
    assert "no board of DLM" in str(loads(spoilt).warnings[0])
    line = next(line for line in text.split("\n") if line.startswith("Board 04="))
    other = f"{line[:-3]}{(int(line[-3:]) + 1) % 256:03}"
    assert "check number of board 4" in str(loads(text.replace(line, other)).warnings[0])
    twice = encoded(dumps(boards(1, 1, 1), "bri"), "bri")
    doubled = twice[:2] + twice[:2] + twice[4:]
    assert "comes twice" in str(loads(doubled, "bri").warnings[0])
    assert "no whole number" in str(loads(twice + twice[:100], "bri").warnings[0])


def test_what_a_file_cannot_hold_is_refused() -> None:
    with pytest.raises(NotationError, match="up to 99"):
        dumps(boards(99, 100, 1), "dlm")
    with pytest.raises(NotationError, match="number 2 is missing"):
        dumps([boards(1, 1, 1)[0], boards(3, 3, 1)[0]], "dlm")
    with pytest.raises(NotationError, match="follows"):
        dumps([boards(3, 3, 1)[0], boards(1, 1, 1)[0]], "dup")
    with pytest.raises(NotationError, match="whole deals"):
        dumps(Record(1), "dge")
    with pytest.raises(NotationError, match="read but not written"):
        dumps(Record(1), "bbo")
