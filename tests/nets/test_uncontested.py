"""Learned systems: what calls show, estimates of cost, the description and its page."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from overtrick.game import CALLS, Hand
from overtrick_lab.uncontested import shipped
from overtrick_lab.uncontested.census import (
    Census,
    bits_of,
    call_of,
    deal_hands,
    hand_of,
    index_of,
    is_artificial,
    shown,
)
from overtrick_lab.uncontested.describe import LearnedSystem, describe, remarks, to_dict
from overtrick_lab.uncontested.features import lengths, points
from overtrick_lab.uncontested.models import bid_out
from overtrick_lab.uncontested.page import page
from overtrick_lab.uncontested.pricing import estimates, partners


@pytest.fixture(scope="module")
def system() -> LearnedSystem:
    return describe(shipped.model("relay"), name="relay", depth=2, deals=1500)


def test_calls_and_indices() -> None:
    assert [str(call_of(i)) for i in (0, 1, 5, 35)] == ["Pass", "1♣", "1NT", "7NT"]
    assert all(index_of(call_of(i)) == i for i in range(36))
    with pytest.raises(ValueError, match="uncontested"):
        index_of(CALLS[1])


def test_hands_and_bits() -> None:
    hand = Hand.parse("AK3.QJ2.T98.7654")
    assert hand_of(bits_of(hand)[0]) == hand
    hands = deal_hands(50, np.random.default_rng(0), seats=2)
    assert (hands.sum(axis=2) == 13).all()
    assert hands.sum(axis=1).max() == 1


def test_shown_ranges_and_words() -> None:
    hands = deal_hands(4000, np.random.default_rng(1))[:, 0]
    strong = hands[(points(hands) >= 12) & (points(hands) <= 14) & (lengths(hands)[:, 2] >= 5)]
    what = shown(strong)
    assert what.hcp == (12, 14)
    assert what.lengths[2][0] == 5
    assert what.long_suit() == 2
    assert what.words().startswith("12–14 hcp, 5+ hearts")
    assert len(what.typical[0]) == 13
    assert not is_artificial((3,), what, 0.0)
    assert is_artificial((1,), what, 0.0)
    assert not is_artificial((1,), what, 0.9)  # partner passes it: a contract
    assert not is_artificial((0,), what, None)
    with pytest.raises(ValueError, match="no hands"):
        shown(strong[:0])


def test_census_sorts_every_hand_once() -> None:
    census = Census(shipped.model("relay"), size=800)
    rows, made = census.choices(())
    assert len(rows) == len(made) == 800
    call = int(np.bincount(made).argmax())
    after, _ = census.choices((call, 0))
    assert (after == rows[made == call]).all()
    what = census.shown((), call)
    assert what is not None
    assert what.hands == (made == call).sum()
    assert census.shown((), 34) is None  # nobody opens 7♠
    assert 0.0 <= (census.passes((call,)) or 0.0) <= 1.0


@pytest.mark.parametrize("name", shipped.NAMES)
def test_shipped_models_bid_sensibly(name: str) -> None:
    hands = deal_hands(300, np.random.default_rng(2), seats=2)
    contract, made = bid_out(shipped.model(name), hands[:, 0], hands[:, 1])
    strength = points(hands[:, 0]) + points(hands[:, 1])
    game = contract >= 15
    assert strength[game].mean() > strength[~game].mean() + 5
    assert (made[:, 0] >= 0).all()
    costs = shipped.price().costs(hands[:, 0], hands[:, 1])
    assert costs[np.arange(300), contract].mean() < costs[:, 0].mean() - 1.0


def test_card_matches_the_files() -> None:
    folder = resources.files("overtrick_lab.uncontested") / "models"
    for name in shipped.NAMES:
        digest = hashlib.sha256((folder / f"{name}.npz").read_bytes()).hexdigest()
        assert shipped.card(name)["sha256"] == digest
        assert shipped.card(name)["results"]["published pairs"]["cost"] < 3.1
    assert shipped.card("somewhere.npz") == {}


def test_unknown_models_are_one_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(shipped.ModelError, match="there are tree"):
        shipped.model("nothing")
    (tmp_path / "bad.npz").write_bytes(b"no npz")
    with pytest.raises(shipped.ModelError, match="no model of uncontested"):
        shipped.model(str(tmp_path / "bad.npz"))


def test_partners_hold_unseen_cards_and_bid_as_they_did() -> None:
    model = shipped.model("relay")
    hand = bits_of(Hand.parse("AQ6.AKJ5.J8.KJ74"))
    opening = int(model.values(hand, ()).argmax())
    others = partners(model, hand, (opening, 3), 20, np.random.default_rng(0))
    assert not (others & hand).any()
    assert (model.values(others, (opening,)).argmax(axis=1) == 3).all()
    found = estimates((model, shipped.price()), hand, (), (opening, 34), others)
    assert found[0].cost + 5 < found[1].cost  # 7♠ on a balanced 18
    assert found[0].error < 1.5


def test_description_adds_up(system: LearnedSystem) -> None:
    assert 0.9 < sum(row.share for row in system.openings) <= 1.0
    assert abs(sum(system.contracts) - 1) < 1e-9
    assert abs(sum(system.turns) - 1) < 1e-9
    for row in system.rows():
        assert row.words()
        assert sum(reply.share for reply in row.replies) <= 1.0 + 1e-9
        low, high = row.shown.hcp
        assert low <= row.shown.mean_hcp <= high or row.shown.hands < 40
    assert len(remarks(system)) >= 3
    text = json.loads(json.dumps(to_dict(system)))
    assert text["openings"][0]["auction"] == ["Pass"]


def test_page_is_complete_html(system: LearnedSystem) -> None:
    html = page(system, shipped.card("relay"))
    assert html.startswith("<!doctype html>")
    assert html.count("<details") == html.count("</details>")
    assert html.count("<div") == html.count("</div>")
    assert "$" not in html
    assert "IMPs lost" in html
    assert "The relay system" in page(system)


def test_a_model_file_that_is_none_is_one_clear_line(tmp_path: Path) -> None:
    for number, junk in enumerate((b"", b"junk", b"PK\x03\x04 cut off")):
        path = tmp_path / f"{number}.npz"
        path.write_bytes(junk)
        with pytest.raises(shipped.ModelError, match="is no model"):
            shipped.model(str(path))
