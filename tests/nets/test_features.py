"""The network's input, bit for bit against OpenSpiel and against itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from overtrick.nets import features as f


def random_deal(rng: np.random.Generator) -> list[int]:
    """Four 52-bit hands."""
    hands = [0, 0, 0, 0]
    for place, card in enumerate(rng.permutation(52)):
        hands[place % 4] |= 1 << int(card)
    return hands


def random_auction(rng: np.random.Generator, longest: int = 60) -> list[int]:
    """Legal calls until the auction ends, with enough doubles to matter."""
    calls: list[int] = []
    last, bidder, doubled = -1, 0, 0
    while len(calls) < longest:
        if len(calls) >= 4 and calls[-3:] == [0, 0, 0]:
            break
        turn = len(calls)
        choices = [0, 0]
        if last >= 0 and bidder % 2 != turn % 2 and doubled == 0:
            choices += [1]
        if last >= 0 and bidder % 2 == turn % 2 and doubled == 1:
            choices += [2]
        choices += [3 + last + step for step in (1, 2, 3) if last + step < 35]
        call = int(rng.choice(choices))
        if call >= 3:
            last, bidder, doubled = call - 3, turn, 0
        elif call:
            doubled = call
        calls.append(call)
    return calls


def test_openspiel_agrees_bit_for_bit() -> None:
    """The wheel counts calls from North whoever deals, so North deals there and we turn the table:

    nothing in the observation depends on absolute seats.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="the oracle is the open_spiel wheel")
    rng = np.random.default_rng(1)
    checked = 0
    for vul, dealer in itertools.product(range(4), range(4)):
        sides = (vul & 1, vul >> 1)
        options = {
            "dealer_vul": bool(sides[dealer % 2]),
            "non_dealer_vul": bool(sides[1 - dealer % 2]),
            "use_double_dummy_result": False,
        }
        game = pyspiel.load_game("bridge", options)
        for _ in range(6):
            hands, state = random_deal(rng), game.new_initial_state()
            for turn in range(52):
                held = hands[(dealer + turn) % 4]
                cards = [card for card in range(52) if held >> int(f.CARD_AT[card]) & 1]
                state.apply_action(cards[turn // 4])
            calls = random_auction(rng)
            for turn, call in enumerate(calls):
                seat, player = (dealer + turn) % 4, state.current_player()
                public = f.public_bits(calls[:turn], dealer, vul, seat)
                ours = f.observe(hands[seat], public)[0]
                views = [np.array(state.observation_tensor((player + k) % 4)) for k in range(4)]
                assert (ours == views[0][4:484]).all()
                others = f.hand_bits([hands[(seat + step) % 4] for step in (1, 2, 3)])
                assert (others == [v[432:484] for v in views[1:]]).all()
                legal = {action - 52 for action in state.legal_actions()}
                assert set(np.flatnonzero(f.legal_calls(ours[None])[0])) == legal
                state.apply_action(52 + call)
                checked += 1
    assert checked > 500


def test_slots_give_the_same_bits_as_the_auction() -> None:
    rng = np.random.default_rng(2)
    auctions = [random_auction(rng) for _ in range(50)]
    longest = max(map(len, auctions))
    padded = np.full((50, longest), -1)
    for row, calls in enumerate(auctions):
        padded[row, : len(calls)] = calls
    dealer = rng.integers(0, 4, 50)
    slots = f.history_slots(padded, dealer)
    for row, calls in enumerate(auctions):
        turn = int(rng.integers(0, len(calls) + 1))
        seat = (int(dealer[row]) + turn) % 4
        seen = f.relative_slots(slots[row, :turn], np.array(seat))
        bits = np.zeros(f.HAND_START, np.uint8)
        bits[list(f.vulnerability_bits(2, seat))] = 1
        bits[seen[seen >= 0]] = 1
        assert (bits == f.public_bits(calls[:turn], int(dealer[row]), 2, seat)).all()


def test_systems_are_an_optional_suffix() -> None:
    public = f.public_bits([], 0, 0, 0)
    plain = f.observe([1, 2], public)
    five, seven = f.feature_version("auction-1+systems-1"), f.feature_version("auction-1+systems-2")
    told = f.observe([1, 2], public, f.system_bits(1, 3, five))
    dark = f.observe([1, 2], public, f.system_bits(None, f.UNKNOWN_SYSTEM, five))
    assert plain.shape == (2, f.feature_version("auction-1").width)
    assert told.shape == (2, five.width)
    assert (told[:, :480] == plain).all()
    assert not dark[:, 480:].any()
    assert list(np.flatnonzero(told[0, 480:])) == [1, 8]
    assert f.system_bits(1, 3, f.feature_version("auction-1")) is None
    french = f.SYSTEMS.index("sef")
    later, earlier = f.system_bits(1, french, seven), f.system_bits(1, french, five)
    assert later is not None
    assert list(np.flatnonzero(later)) == [1, 7 + french]
    assert earlier is not None
    assert list(np.flatnonzero(earlier)) == [1]


def test_bad_input_is_named() -> None:
    with pytest.raises(f.EncodingError, match="unknown feature version"):
        f.feature_version("auction-0")
    with pytest.raises(f.EncodingError, match="before any bid"):
        f.public_bits([0, 1], 0, 0, 2)
    with pytest.raises(f.EncodingError, match="number 8"):
        f.system_bits(8, None, f.feature_version("auction-1+systems-2"))
