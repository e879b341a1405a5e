"""Every feature keeps its range, one hand agrees with many, and known hands get known numbers."""

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.evaluation import (
    HandArray,
    feature,
    feature_classes,
    feature_matrix,
    features,
    one_hand,
    paper_features,
    registry,
)
from overtrick.game import Hand

hands = st.permutations(range(52)).map(lambda cards: Hand.of(cards[:13]))


def random_hands(n: int, seed: int) -> np.ndarray:
    order = np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)[:, :13]
    return np.bitwise_or.reduce(np.uint64(1) << order.astype(np.uint64), axis=1)


def freaks(seed: int) -> np.ndarray:
    """Hands of every one of the 560 shapes."""
    rng = np.random.default_rng(seed)
    out = []
    for lengths in product(range(14), repeat=4):
        if sum(lengths) == 13:
            cards = [
                13 * s + int(r)
                for s, n in enumerate(lengths)
                for r in rng.choice(13, n, replace=False)
            ]
            out.append(Hand.of(cards).bits)
    return np.array(out, np.uint64)


def test_there_are_35_classes_and_250_features() -> None:
    assert len([c for c in feature_classes() if c.paper]) == 35
    assert len(paper_features()) == 250
    assert len({f.name for f in paper_features()}) == 250
    counts = {"": 1, "S": 4, "A": 5, "TS": 16, "TA": 20, "T*A": 25, "2S": 12}
    for c in feature_classes():
        assert len(c.instances()) == counts[c.variation], c.name
        assert c.description


@pytest.mark.parametrize("bits", [random_hands(20_000, 1), freaks(2)], ids=["random", "freaks"])
def test_ranges_hold(bits: np.ndarray) -> None:
    many = HandArray(bits)
    for f in registry().values():
        column = f(many)
        assert column.shape == bits.shape, f.name
        assert f.low <= column.min(), f.name
        assert column.max() <= f.high, f.name
        if f.of.step:
            assert ((column / f.of.step) % 1 == 0).all(), f.name


@given(hands)
def test_one_hand_agrees_with_many(hand: Hand) -> None:
    many = HandArray.of([hand, Hand.parse("AKQJT98765432...")])
    one = one_hand(hand.bits)
    for f in registry().values():
        assert f(one) == pytest.approx(float(f(many)[0])), f.name


def test_freaks_agree_too() -> None:
    bits = freaks(3)[::7]
    many = HandArray(bits)
    for f in registry().values():
        column = f(many)
        for i, b in enumerate(bits.tolist()):
            assert f(one_hand(b)) == pytest.approx(float(column[i])), f.name


# hand, and numbers anyone can count
KNOWN = [
    ("AKJ52.QJ82.8.Q64", {"HCP": 13, "HCP(S)": 8, "CONTROLS": 3, "HC": 4, "HONOR": 6, "ACE": 1,
        "KING": 1, "QUEEN": 2, "JACK": 2, "TEN": 0, "RKCB(S)": 2, "RKCB(H)": 1, "BAL": 1,
        "DP(S,ALL)": 2, "DP(S,D)": 2, "DP(D,ALL)": 0, "DIF(S,H)": 1, "SUITS": 2, "SUITLEN(S)": 5,
        "SUITLEN(S,H)": 9, "LMAJ": 5, "LMIN": 3, "LONGEST(S)": 1, "LONGEST(H)": 0, "LONG(D)": 0,
        "LONG(C)": 1, "FIRSTBID(S)": 1, "UPLINE(H,D)": 1, "UPLINE(S,D)": 0, "UPLINE(S,H)": 1,
        "BIDDBLE(S)": 2, "BIDDBLE(H)": 0, "INTER": 1, "INTER(H)": 0.5, "LOSERS(S,S)": 1,
        "LOSERS(S,H)": 2, "LOSERS(S,D)": 1, "LOSERS(S,C)": 2, "LOSERS(S,ALL)": 6, "LTC": 6,
        "LOSERS(D,ALL)": 6, "STOP-NT(S)": 4, "STOP-NT(H)": 3, "STOP-NT(D)": 0, "STOP-NT(C)": 3,
        "STOP-TRUMP(S,D)": 3, "QLTY(S)": 6, "QLTY(H)": 2, "POINTS(S,ALL)": 15, "RATIO": 11 / 13,
        "COVER(S,S)": 2, "FAST(S,D)": 1, "FAST(S,H)": 2, "FAST(NT,D)": 4, "QUICK": 2, "TP": 14}),
    ("AKQJT98765432...", {"HCP": 10, "BAL": 6, "SUITS": 1, "LTC": 0, "UNLOS(S)": 0, "QLTY(S)": 9,
        "BIDDBLE(S)": 8, "DP(S,ALL)": 9, "FIRSTBID(S)": 1, "LOSERS(H,ALL)": 6, "RATIO": 1}),
    ("K.Q2.QJ32.AKQ432", {"LTC": 5, "LTC(S)": 1, "LTC(H)": 2, "LTC(D)": 2, "LTC(C)": 0,
        "STOP-NT(S)": 1, "STOP-NT(H)": 2, "FIRSTBID(C)": 1, "UNLOS(C)": 5}),
    ("KJ32.AQ32.J32.43", {"FIRSTBID(D)": 1, "FIRSTBID(C)": 0, "UPLINE(H,C)": 1, "UPLINE(S,C)": 0}),
    ("KJ32.AQ3.J32.432", {"FIRSTBID(C)": 1, "FIRSTBID(D)": 0, "BAL": 0}),
    ("K2.AQ3.J432.5432", {"FIRSTBID(D)": 1}),
    ("KJ932.A.J2.A5432", {"FIRSTBID(S)": 1, "FIRSTBID(C)": 0}),
    ("2.3.J5432.A98765", {"FIRSTBID(C)": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "numbers"), KNOWN, ids=[k[0] for k in KNOWN])
def test_known_hands(text: str, numbers: dict[str, float]) -> None:
    found = features(Hand.parse(text, size=13))
    assert {k: pytest.approx(found[k]) for k in numbers} == numbers


def test_balance_is_the_least_number_of_cards_to_move() -> None:
    balanced = [
        s for s in product(range(6), repeat=4)
        if sum(s) == 13 and tuple(sorted(s)) in ((3, 3, 3, 4), (2, 3, 4, 4), (2, 3, 3, 5))
    ]  # fmt: skip
    for bits in freaks(4).tolist():
        hand = Hand(bits)
        moves = min(
            sum(max(0, a - b) for a, b in zip(hand.lengths, s, strict=True)) for s in balanced
        )
        assert features(hand)["BAL"] == min(6, moves), hand.lengths


def test_exactly_one_suit_is_opened() -> None:
    many = HandArray(np.concatenate([freaks(5), random_hands(5000, 6)]))
    total = sum(feature(f"FIRSTBID({s})")(many) for s in "SHDC")
    assert (total == 1).all()


def test_sums_over_suits() -> None:
    many = HandArray(random_hands(3000, 8))
    for f in paper_features():
        if f.of.variation == "A" and f.suits == (4,):
            parts = sum(feature(f"{f.name}({s})")(many) for s in "SHDC")
            assert np.allclose(parts, f(many)), f.name
    for t in "SHDC":
        for name in ("LOSERS", "DP", "POINTS", "COVER"):
            parts = sum(feature(f"{name}({t},{s})")(many) for s in "SHDC")
            assert np.allclose(parts, feature(f"{name}({t},ALL)")(many)), name


def test_names_are_read_generously_and_errors_named() -> None:
    assert feature("losers( ♠ , all )").name == "LOSERS(S,ALL)"
    assert feature("fast(nt,h)").name == "FAST(NT,H)"
    assert feature("hcp(all)").name == "HCP"
    for wrong in ("FOO", "HCP(X)", "LOSERS(S", "DIF(S,S)", "FAST(S)"):
        with pytest.raises(ValueError, match=r"feature|suit"):
            feature(wrong)


def test_features_are_a_mapping_like_any_other() -> None:
    numbers = features(Hand.parse("AKJ52.QJ82.8.Q64"))
    assert "HCP" in numbers
    assert "losers(♠, all)" in numbers
    assert "CHARM" not in numbers
    assert 7 not in numbers
    assert numbers.get("CHARM") is None
    assert dict(numbers)["HCP"] == numbers.get("hcp") == 13
    with pytest.raises(KeyError, match="no such feature 'CHARM'"):
        numbers["CHARM"]


def test_all_features_of_a_hundred_thousand_hands_in_a_second() -> None:
    bits = random_hands(100_000, 9)
    feature_matrix(bits[:10])  # tables are built once
    start = time.process_time()
    matrix = feature_matrix(bits)
    assert time.process_time() - start < 1.0
    assert matrix.shape == (100_000, len(registry()))
