"""What is promised of cards: hidden until it is opened, and true of no other cards."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.game import Board, BridgeError
from overtrick.game.commitment import Sealed, opened, promise_of, promise_of_all

_SEEDS = st.lists(st.integers(0, 2**64), max_size=4)


@given(_SEEDS, st.integers(1, 9000))
def test_what_was_sealed_is_opened(seeds: list[int], first: int) -> None:
    boards = tuple(Board.random(first + i, seed) for i, seed in enumerate(seeds))
    sealed = Sealed.of(boards)
    assert opened(sealed.text, sealed.promise) == boards
    assert sealed.promise == sha256(sealed.text.encode()).hexdigest()


def test_the_same_cards_have_another_promise_every_time() -> None:
    board = Board.random(3, 5)
    assert Sealed.of([board]).promise != Sealed.of([board]).promise
    assert Sealed.of([board], "salt") == Sealed.of([board], "salt")


@given(st.integers(0, 2**32), st.data())
def test_nothing_else_fits(seed: int, data: st.DataObject) -> None:
    sealed = Sealed.of([Board.random(1, seed)])
    place = data.draw(st.integers(0, len(sealed.text) - 1))
    changed = sealed.text[:place] + "?" + sealed.text[place + 1 :]
    with pytest.raises(BridgeError, match="not what was promised"):
        opened(changed, sealed.promise)


@pytest.mark.parametrize("line", ["", "x N None N:-", "1 N None", "1 N None N:AKQ - - -", "²1 N"])
def test_a_seal_around_rubbish_is_refused_in_one_line(line: str) -> None:
    text = f"salt\n{line}"
    if not line:
        assert opened(text, promise_of(text)) == ()
        return
    with pytest.raises(BridgeError) as error:
        opened(text, promise_of(text))
    assert "\n" not in str(error.value)


def test_many_promises_in_one() -> None:
    one, two = promise_of("a"), promise_of("b")
    assert promise_of_all([one, two]) == promise_of(f"{one}\n{two}") != promise_of_all([two, one])
